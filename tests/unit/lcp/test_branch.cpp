// Branching on complementary pairs: solutions and contradictions known by hand.
#include "tactus/lcp/branch.hpp"
#include "unity.h"

using namespace tactus::lcp;

namespace {

template <class Scalar>
BranchWorkspace<Scalar, 4, 3> workspace;

// How many leaves have every pair closed, and whether nothing was left open.
template <class Scalar>
int leaves(const Inequalities<Scalar>& p, BranchResult& result, int budget = 1000) {
  int count = 0;
  result = branch(p, workspace<Scalar>, budget, [&](const auto& node) -> int {
    const int violated = most_violated(node, p.pairs, Scalar(0));
    if (violated >= 0) return violated;
    for (int i = 0; i < p.pairs; ++i)
      if (!node.closed[static_cast<std::size_t>(i)] && !node.closed[static_cast<std::size_t>(p.columns + i)])
        return i;
    ++count;
    return kBranchDone;
  });
  return count;
}

template <class Scalar>
void check_one_unknown() {
  BranchResult result;
  // w = m z + q. m, q: 1, -1 has z = 1; 1, 1 has z = 0; -1, 1 has both 0 and 1; -1, -1 has none.
  const Scalar numbers[4][2] = {{1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
  const int expected[4] = {1, 1, 2, 0};
  for (int i = 0; i < 4; ++i) {
    const Inequalities<Scalar> p{1, 1, 1, &numbers[i][0], 1, &numbers[i][1]};
    TEST_ASSERT_EQUAL_INT(expected[i], leaves(p, result));
    TEST_ASSERT_TRUE(result.complete && result.proved);
  }
}

// The three solutions of w = M z + q with M = [[1, 2], [2, 1]], q = (-1, -1): z = (1, 0), (0, 1), (1/3, 1/3).
// With the row z_1 - z_2 - 1/2 >= 0 only the first is left, with z_1 + z_2 - 2 >= 0 none.
template <class Scalar>
void check_two_unknowns() {
  BranchResult result;
  Scalar M[6] = {1, 2, 2, 1, 1, -1}, q[3] = {-1, -1, Scalar(-0.5)};
  TEST_ASSERT_EQUAL_INT(3, leaves<Scalar>({2, 2, 2, M, 2, q}, result));
  TEST_ASSERT_TRUE(result.complete && result.proved);
  TEST_ASSERT_EQUAL_INT(1, leaves<Scalar>({3, 2, 2, M, 2, q}, result));
  TEST_ASSERT_TRUE(result.complete && result.proved);
  TEST_ASSERT_TRUE(workspace<Scalar>.z[0] == 1 || result.nodes > 1);
  M[5] = 1;
  q[2] = -2;
  TEST_ASSERT_EQUAL_INT(0, leaves<Scalar>({3, 2, 2, M, 2, q}, result));
  TEST_ASSERT_TRUE(result.complete && result.proved);
}

// Without pairs it is a system of inequalities: x + y >= 1 and x + y <= 1 hold together, and with <= 0.9 do
// not. Scaled by 1e6 and 1e-6 they say the same.
template <class Scalar>
void check_inequalities() {
  BranchResult result;
  for (const Scalar unit : {Scalar(1), Scalar(1e6), Scalar(1e-6)}) {
    const Scalar M[4] = {unit, unit, -unit, -unit};
    Scalar q[2] = {-1, 1};
    TEST_ASSERT_EQUAL_INT(1, leaves<Scalar>({2, 2, 0, M, 2, q}, result));
    const auto& z = workspace<Scalar>.z;
    TEST_ASSERT_TRUE(std::fabs(unit * (z[0] + z[1]) - 1) <= Scalar(1e-5));
    q[1] = Scalar(0.9);
    TEST_ASSERT_EQUAL_INT(0, leaves<Scalar>({2, 2, 0, M, 2, q}, result));
    TEST_ASSERT_TRUE(result.complete && result.proved);
  }
}

void test_one_unknown() {
  check_one_unknown<double>();
  check_one_unknown<float>();
}
void test_two_unknowns() {
  check_two_unknowns<double>();
  check_two_unknowns<float>();
}
void test_inequalities() {
  check_inequalities<double>();
  check_inequalities<float>();
}

// A contradiction of the size of rounding is not believed.
void test_weak_contradiction() {
  BranchResult result;
  const double M[4] = {1, 1, -1, -1}, q[2] = {-1, 1 - 1e-15};
  const int count = leaves<double>({2, 2, 0, M, 2, q}, result);
  TEST_ASSERT_TRUE(count == 1 || !result.proved);
}

void test_budget_and_bad_input() {
  BranchResult result;
  const double M[4] = {1, 2, 2, 1}, q[2] = {-1, -1};
  leaves<double>({2, 2, 2, M, 2, q}, result, 1);
  TEST_ASSERT_FALSE(result.complete);
  TEST_ASSERT_TRUE(result.pivots <= 1);
  const auto refused = [&](const Inequalities<double>& p) {
    TEST_ASSERT_EQUAL_INT(0, leaves(p, result));
    TEST_ASSERT_FALSE(result.complete || result.proved);
  };
  refused({5, 2, 2, M, 2, q});
  refused({2, 4, 2, M, 4, q});
  refused({2, 2, 3, M, 2, q});
  refused({2, 2, -1, M, 2, q});
  refused({-1, 2, 0, M, 2, q});
  refused({2, 2, 2, M, 1, q});
  refused({2, 2, 2, nullptr, 2, q});
  refused({2, 2, 2, M, 2, nullptr});
  const double wrong[2] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
  for (const double& x : wrong) {
    refused({1, 1, 1, &x, 1, q});
    refused({1, 1, 1, M, 1, &x});
  }
  TEST_ASSERT_EQUAL_INT(1, leaves<double>({0, 0, 0, M, 2, q}, result));
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_one_unknown);
  RUN_TEST(test_two_unknowns);
  RUN_TEST(test_inequalities);
  RUN_TEST(test_weak_contradiction);
  RUN_TEST(test_budget_and_bad_input);
  return UNITY_END();
}
