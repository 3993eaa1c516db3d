// Every solution of round friction in space against a search of another make (tests/oracle/round.hpp). Up to
// three contacts, as many as a body has freedoms or more, instants and steps.
// And closed forms of one contact.
#include <cmath>
#include <cstdio>

#include "existence.hpp"
#include "random_instants.hpp"
#include "solutions.hpp"
#include "tests/oracle/round.hpp"
#include "unity.h"

using namespace tactus::host;
using oracle::Column;
using oracle::Real;
using random_instants::Kind;

namespace {

bool near(const Column& x, const Eigen::VectorXd& y) {
  for (std::size_t r = 0; r < x.size(); ++r)
    if (!(std::fabs(x[r] - static_cast<Real>(y[static_cast<int>(r)])) < 1e-5L)) return false;
  return true;
}

// `regular`: no redundant contacts, so that the search of this file can be held against.
void many(const char* name, std::uint64_t seed, int count, int contacts, int grid, bool may_slide,
          int least_whole) {
  corpus::Random random(seed);
  int whole = 0, none = 0, several = 0, guaranteed = 0;
  for (int k = 0; k < count; ++k) {
    InstantProblem p = random_instants::draw(
        random, 3, contacts, contacts < 3 && k % 2 == 1 ? Kind::at_rest : Kind::independent, may_slide);
    p.cone = true;
    const Solutions have = every_solution(p);
    const auto want = oracle::sample(p, grid);
    for (const Column& a : want) {
      bool met = !have.all;
      for (const Solution& s : have.different) met = met || near(a, s.a);
      TEST_ASSERT_TRUE_MESSAGE(met, "a solution is missing in a list that is said to be whole");
    }
    for (const Solution& s : have.different) {
      TEST_ASSERT_TRUE(p.measure(s.c) <= kSolved);
      bool met = false;
      for (const Column& a : want) met = met || near(a, s.a);
      TEST_ASSERT_TRUE_MESSAGE(met, "what is listed was not found by sampling");
    }
    const Existence e = check_existence(p);
    if (e.guaranteed) TEST_ASSERT_FALSE(have.different.empty());
    if (e.unique) TEST_ASSERT_EQUAL_size_t(1, want.size());
    whole += have.all ? 1 : 0;
    none += have.different.empty() ? 1 : 0;
    several += have.different.size() > 1 ? 1 : 0;
    guaranteed += e.guaranteed ? 1 : 0;
  }
  std::printf("%d %s of %d: %d lists whole, %d without a solution, %d with several; %d guaranteed\n", count,
              name, contacts, whole, none, several, guaranteed);
  TEST_ASSERT_GREATER_OR_EQUAL_INT(least_whole, whole);
}

void one_contact() {
  many("instants", 21, 500, 1, 48, true, 500);
  many("steps", 22, 500, 1, 48, false, 500);
}
void two_contacts() {
  many("instants", 23, 120, 2, 14, true, 118);
  many("steps", 24, 80, 2, 14, false, 78);
}
void three_contacts() {
  many("instants", 25, 16, 3, 10, true, 15);
  many("steps", 26, 8, 3, 10, false, 7);
}

// A = 1 and b = (-1, f, 0): it rolls for f <= mu, and starts along t with f - mu beyond. mu = 1e8 holds it.
void one_in_closed_form() {
  for (const double mu : {0.0, 0.3, 0.7, 1e8})
    for (const double f : {0.0, 0.2, 0.5, 3.0}) {
      InstantProblem p{3, true, Eigen::MatrixXd::Identity(3, 3), Eigen::Vector3d(-1, f, 0), {mu}, {0, 0}};
      const Solutions s = every_solution(p);
      TEST_ASSERT_TRUE(s.all);
      TEST_ASSERT_EQUAL_size_t(1, s.different.size());
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, f > mu ? f - mu : 0, s.different[0].a[1]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, s.different[0].c[0]);
    }
}

// Three legs of a body on the floor that is pushed: 9 forces of rank 6. Held by mu = 0.6; with 0.2 it slides
// along the push as one.
void three_legs() {
  const double place[3][2] = {{0.5, 0}, {-0.25, 0.4}, {-0.25, -0.4}};
  Eigen::MatrixXd W(9, 6);
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d r(place[i][0], place[i][1], 0);
    const Eigen::Vector3d axes[] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (int k = 0; k < 3; ++k) W.row(3 * i + k) << axes[k].transpose(), r.cross(axes[k]).transpose();
  }
  Eigen::VectorXd light(6), f(6);
  light << 1, 1, 1, 5, 5, 4;
  f << 3, 1, -9.81, 0, 0, 0;
  for (const double mu : {0.6, 0.2}) {
    InstantProblem p{3,
                     true,
                     W * light.asDiagonal() * W.transpose(),
                     W * light.asDiagonal() * f,
                     {mu, mu, mu},
                     std::vector<double>(6, 0.0)};
    const Solutions s = every_solution(p);
    TEST_ASSERT_EQUAL_size_t(1, s.different.size());
    TEST_ASSERT_TRUE(s.all || mu < 0.3);  // three that slide as one are found, and not said to be all
    const double push = std::sqrt(10.0), left = mu < 0.3 ? 1 - mu * 9.81 / push : 0;
    for (int i = 0; i < 3; ++i) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-8, 3 * left, s.different[0].a[3 * i + 1]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-8, left, s.different[0].a[3 * i + 2]);
    }
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(one_contact);
  RUN_TEST(two_contacts);
  RUN_TEST(three_contacts);
  RUN_TEST(one_in_closed_form);
  RUN_TEST(three_legs);
  return UNITY_END();
}
