// The 712 problems of tests/corpus/contact_lcps.hpp, every one of which has a solution: all solved in double
// and in float, and of another 712 all but one in float; none claimed wrongly, judged in long double by code
// that shares nothing with the solver. Then all once more, backwards, in a workspace full of other things:
// the same bits, for nothing of a solve stays.
#include "tests/corpus/contact_lcps.hpp"

#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "tactus/lcp/solver.hpp"
#include "tests/corpus/judge.hpp"
#include "unity.h"

namespace {

constexpr int kBudget = 10000;

std::vector<corpus::ContactLcp> problems(std::uint64_t seed) {
  std::vector<corpus::ContactLcp> list;
  corpus::for_contact_lcps(seed, [&](const corpus::ContactLcp& p) { list.push_back(p); });
  TEST_ASSERT_EQUAL_size_t(corpus::kContactLcps, list.size());
  return list;
}

template <class Scalar>
struct Result {
  tactus::lcp::Status status;
  int pivots;
  std::vector<Scalar> z, w;
  bool right;
};

template <class Scalar>
using Memory = tactus::lcp::Workspace<Scalar, corpus::kLargestLcp>;

template <class Scalar>
Result<Scalar> solve(const corpus::ContactLcp& p, Memory<Scalar>& memory) {
  const std::vector<Scalar> M(p.M.begin(), p.M.end()), q(p.q.begin(), p.q.end());
  const auto answer = tactus::lcp::solve(tactus::lcp::Problem<Scalar>{p.n, M.data(), p.n, q.data()}, memory,
                                         {.pivot_budget = kBudget});
  const auto n = static_cast<std::ptrdiff_t>(p.n);
  return {
      answer.status,
      answer.pivots,
      {memory.z.begin(), memory.z.begin() + n},
      {memory.w.begin(), memory.w.begin() + n},
      corpus::residual(p.n, M.data(), q.data(), p.block.data(), memory.z.data()) <= corpus::kSolved<Scalar>};
}

template <class Scalar>
bool same_bits(const std::vector<Scalar>& a, const std::vector<Scalar>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Scalar)) == 0;
}

template <class Scalar>
void check(const std::vector<corpus::ContactLcp>& all, int most_refused) {
  const auto first = std::make_unique<Memory<Scalar>>(), second = std::make_unique<Memory<Scalar>>();
  std::vector<Result<Scalar>> results;
  int solved = 0, wrong = 0;
  for (const auto& p : all) {
    results.push_back(solve(p, *first));
    const auto& r = results.back();
    const bool claims = r.status == tactus::lcp::Status::solved;
    if (!claims || !r.right)
      std::printf("%s, n = %d: %s\n", p.name.c_str(), p.n, claims ? "claimed wrongly" : "not solved");
    solved += claims && r.right ? 1 : 0;
    wrong += claims && !r.right ? 1 : 0;
  }
  std::printf("%s: %d of %zu solved, %d wrong\n", sizeof(Scalar) == 8 ? "double" : "float", solved,
              all.size(), wrong);
  TEST_ASSERT_GREATER_OR_EQUAL_INT(corpus::kContactLcps - most_refused, solved);
  TEST_ASSERT_EQUAL_INT(0, wrong);
  second->z.fill(Scalar(7));
  for (std::size_t i = all.size(); i-- > 0;) {
    const auto again = solve(all[i], *second);
    const char* const name = all[i].name.c_str();
    TEST_ASSERT_TRUE_MESSAGE(again.status == results[i].status && again.pivots == results[i].pivots, name);
    TEST_ASSERT_TRUE_MESSAGE(same_bits(again.z, results[i].z) && same_bits(again.w, results[i].w), name);
  }
}

void all_of_them() {
  const auto all = problems(0);
  check<double>(all, 0);
  check<float>(all, 0);
}
// Another seed, on which nothing was chosen; in float one of n = 135 is refused.
void and_others() {
  const auto all = problems(1);
  check<double>(all, 0);
  check<float>(all, 1);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(all_of_them);
  RUN_TEST(and_others);
  return UNITY_END();
}
