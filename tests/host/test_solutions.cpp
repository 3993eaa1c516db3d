// Every solution of a contact problem and whether there must be one, against an enumeration of another make
// (tests/oracle/corners.hpp): random instants and random steps (in which every contact rolls), in the plane
// and by the pyramid in space, with redundant and impossible ones; and closed forms.
#include <cstdio>

#include "existence.hpp"
#include "random_instants.hpp"
#include "solutions.hpp"
#include "unity.h"

using namespace tactus::host;
using random_instants::Kind;

namespace {

bool near(const oracle::Column& x, const Eigen::VectorXd& y) {
  double apart = 0, size = 1;
  for (std::size_t r = 0; r < x.size(); ++r) {
    apart = std::fmax(apart, std::fabs(static_cast<double>(x[r]) - y[static_cast<Eigen::Index>(r)]));
    size = std::fmax(size, std::fabs(static_cast<double>(x[r])));
  }
  return apart <= 1e-6 * size;
}

struct Tally {
  int problems = 0, none = 0, several = 0, continua = 0, whole = 0, guaranteed = 0, impossible = 0,
      unique = 0;
};

// The forces of a violated condition are what they are said to be.
void check_violation(const InstantProblem& p, const Existence& e) {
  const Condition& condition = e.condition(e.violated_by);
  const Eigen::VectorXd& c = condition.c;
  TEST_ASSERT_EQUAL_INT64(p.rows(), c.size());
  const double size = c.lpNorm<Eigen::Infinity>();
  for (int i = 0; i < p.contacts(); ++i) {
    TEST_ASSERT_TRUE(c[i * p.dim] >= -1e-8 * size);
    for (int k = 1; k < p.dim; ++k)
      TEST_ASSERT_TRUE(std::fabs(c[i * p.dim + k]) <=
                       p.mu[static_cast<std::size_t>(i)] * c[i * p.dim] + 1e-8 * size);
  }
  if (condition.name == "copositive") {
    double work = 0;
    const Eigen::VectorXd a = p.A * c;
    for (int i = 0; i < p.contacts(); ++i)
      for (int k = 0; k < (p.slides(i) ? 1 : p.dim); ++k) work += c[i * p.dim + k] * a[i * p.dim + k];
    TEST_ASSERT_TRUE(work <= 1e-8 * size * size * p.A.cwiseAbs().maxCoeff());
    return;
  }
  TEST_ASSERT_TRUE((p.A * c).lpNorm<Eigen::Infinity>() <= 1e-7 * size * p.A.cwiseAbs().maxCoeff());
  TEST_ASSERT_TRUE(p.b.dot(c) < 0);
}

template <int Dim>
void compare(const InstantProblem& p, Tally& tally) {
  const auto want = oracle::enumerate_corners(random_instants::for_oracle<Dim>(p));
  const Solutions have = every_solution(p);
  TEST_ASSERT_TRUE(have.sought);
  for (const Solution& solution : have.different) {
    bool known = false;
    for (const auto& a : want) known = known || near(a, solution.a);
    TEST_ASSERT_TRUE(known);
  }
  for (const auto& a : want) {
    bool known = !have.all;
    for (const Solution& solution : have.different) known = known || near(a, solution.a);
    TEST_ASSERT_TRUE(known);
  }
  const Existence e = check_existence(p);
  if (e.guaranteed) TEST_ASSERT_FALSE(want.empty());
  if (e.impossible) TEST_ASSERT_TRUE(want.empty());
  if (e.unique) TEST_ASSERT_TRUE(have.all && have.different.size() == 1);
  if (!e.violated_by.empty()) check_violation(p, e);
  ++tally.problems;
  tally.none += want.empty() ? 1 : 0;
  tally.several += have.different.size() > 1 ? 1 : 0;
  tally.continua += have.continuum ? 1 : 0;
  tally.whole += have.all ? 1 : 0;
  tally.guaranteed += e.guaranteed ? 1 : 0;
  tally.impossible += e.impossible ? 1 : 0;
  tally.unique += e.unique ? 1 : 0;
}

template <int Dim>
void many(const char* name, std::uint64_t seed, int count, int contacts, bool may_slide) {
  corpus::Random random(seed);
  Tally tally;
  for (int k = 0; k < count; ++k)
    compare<Dim>(
        random_instants::draw(random, Dim, 1 + k / 5 % contacts, random_instants::kKinds[k % 5], may_slide),
        tally);
  std::printf(
      "%d %s: %d without a solution, %d with several, %d with a continuum, %d lists whole; %d guaranteed, "
      "%d unique, %d impossible\n",
      tally.problems, name, tally.none, tally.several, tally.continua, tally.whole, tally.guaranteed,
      tally.unique, tally.impossible);
  TEST_ASSERT_EQUAL_INT(count, tally.whole);
  TEST_ASSERT_TRUE(tally.none > count / 50 && tally.several > count / 100 && tally.guaranteed > count / 3);
  TEST_ASSERT_TRUE(tally.impossible > count / 100 && tally.unique > count / 100);
}

void instants_in_the_plane() {
  many<2>("instants in the plane", 11, 1000, 4, true);
}
void steps_in_the_plane() {
  many<2>("steps in the plane", 12, 1000, 4, false);
}
void instants_in_space() {
  many<3>("instants in space by the pyramid", 13, 150, 2, true);
}
void steps_in_space() {
  many<3>("steps in space by the pyramid", 14, 100, 2, false);
}

// A contact in the plane.
InstantProblem one(double nn, double nt, double tt, double b_n, double b_t, double mu, double v) {
  InstantProblem p;
  p.A.resize(2, 2);
  p.A << nn, nt, nt, tt;
  p.b.resize(2);
  p.b << b_n, b_t;
  p.mu = {mu};
  p.velocity = {v};
  return p;
}

// Painleve's rod: a_n = (A_nn - mu A_nt d) c_n + b_n. With the bracket below 0 there is no solution for b_n <
// 0 and two for b_n > 0.
void painleve() {
  const double nn = 1.75, nt = -1.299, tt = 3.25, jams = nn / 1.299;
  for (const double mu : {0.2, 1.2, jams - 1e-6, jams + 1e-6, 2.0, 1e8}) {
    for (const double b_n : {-9.81, 4.0}) {
      const InstantProblem p = one(nn, nt, tt, b_n, 0.3, mu, -1);
      const bool pushed = mu > jams;
      const std::size_t count = pushed ? (b_n < 0 ? 0 : 2) : 1;
      const Solutions solutions = every_solution(p);
      TEST_ASSERT_TRUE(solutions.all);
      TEST_ASSERT_EQUAL_size_t(count, solutions.different.size());
      const Existence e = check_existence(p);
      TEST_ASSERT_EQUAL_INT(!pushed, e.guaranteed);
      TEST_ASSERT_EQUAL_INT(pushed, e.jam[0].can);
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, jams, *e.jam[0].mu);
      TEST_ASSERT_EQUAL_STRING(pushed ? "copositive" : "", e.violated_by.c_str());
      if (mu < e.mu_bar) TEST_ASSERT_TRUE(e.unique);
    }
    // The other way friction pulls it out: never a jam.
    TEST_ASSERT_TRUE(check_existence(one(nn, nt, tt, -9.81, 0, mu, 1)).guaranteed);
    TEST_ASSERT_FALSE(check_existence(one(nn, nt, tt, -9.81, 0, mu, 1)).jam[0].mu.has_value());
  }
}

// Two walls that a disc of 1 kg touches on either side, n = (1, 0) and (-1, 0), t up for both. It falls
// freely. While it slides down they may press it by any N: a_t = -g + 2 mu N. At rest, up to what holds it.
InstantProblem between_walls(double v, double approach) {
  InstantProblem p;
  p.A.resize(4, 4);
  p.A << 1, 0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1;
  p.b.resize(4);
  p.b << approach, -9.81, approach, -9.81;
  p.mu = {0.5, 0.5};
  p.velocity = {v, v};
  return p;
}

void walls() {
  // Sliding: N from 0 on, without an end.
  Solutions solutions = every_solution(between_walls(-1, 0));
  TEST_ASSERT_TRUE(solutions.all && solutions.continuum);
  // At rest: from free fall to being held.
  solutions = every_solution(between_walls(0, 0));
  TEST_ASSERT_TRUE(solutions.all && solutions.continuum);
  double least = 1, most = -99;
  for (const Solution& s : solutions.different) {
    least = std::fmin(least, s.a[1]);
    most = std::fmax(most, s.a[1]);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, -9.81, least);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, most);
  // Walls that close: nothing helps, and (36) says why: both normals pressed alike, b.c = -1.
  for (const double v : {-1.0, 0.0}) {
    const InstantProblem p = between_walls(v, -1);
    solutions = every_solution(p);
    TEST_ASSERT_TRUE(solutions.all && solutions.different.empty());
    const Existence e = check_existence(p);
    TEST_ASSERT_TRUE(e.impossible && !e.guaranteed);
    TEST_ASSERT_EQUAL_STRING("(36)", e.violated_by.c_str());
    const Eigen::VectorXd& c = e.condition("(36)").c;
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.5, c[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.5, c[2]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, std::fabs(c[1]) + std::fabs(c[3]));
  }
  // Walls that part let it fall, and only that.
  solutions = every_solution(between_walls(0, 1));
  TEST_ASSERT_TRUE(solutions.all && !solutions.continuum);
  TEST_ASSERT_EQUAL_size_t(1, solutions.different.size());
  // (35) holds where they do not close, (15) and (20) never: a squeeze is no motion.
  const Existence e = check_existence(between_walls(0, 0));
  TEST_ASSERT_TRUE(e.guaranteed && e.condition("(35)").holds());
  TEST_ASSERT_TRUE(e.condition("(15)").verdict == Condition::Verdict::violated);
  TEST_ASSERT_TRUE(e.condition("(20)").verdict == Condition::Verdict::violated);
}

// A part without weight: it stays, whatever the walls' squeeze, and that is one solution.
void weightless() {
  InstantProblem p = between_walls(0, 0);
  p.b.setZero();
  const Solutions solutions = every_solution(p);
  TEST_ASSERT_TRUE(solutions.all && !solutions.continuum);
  TEST_ASSERT_EQUAL_size_t(1, solutions.different.size());
  TEST_ASSERT_TRUE(solutions.different[0].a.isZero(1e-12));
}

// mu-bar: a contact alone with mu below it has one solution for every load, b on a circle.
void below_mu_bar() {
  const double nn = 2, nt = 1.2, tt = 1.5;
  const double mu_bar = check_existence(one(nn, nt, tt, 0, 0, 0.1, 0)).mu_bar;
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, std::sqrt(nn * tt - nt * nt) / tt, mu_bar);
  TEST_ASSERT_TRUE(mu_bar < nn / nt);
  for (int k = 0; k < 360; ++k) {
    const InstantProblem p =
        one(nn, nt, tt, std::cos(k * 0.01745), std::sin(k * 0.01745), 0.999 * mu_bar, k % 3 - 1);
    const Solutions solutions = every_solution(p);
    TEST_ASSERT_TRUE(solutions.all && check_existence(p).unique);
    TEST_ASSERT_EQUAL_size_t(1, solutions.different.size());
  }
}

void too_many() {
  corpus::Random random(3);
  TEST_ASSERT_FALSE(every_solution(random_instants::draw(random, 2, 5, Kind::redundant, true)).sought);
  TEST_ASSERT_FALSE(every_solution(random_instants::draw(random, 3, 4, Kind::redundant, true)).sought);
  InstantProblem nothing;
  TEST_ASSERT_EQUAL_size_t(1, every_solution(nothing).different.size());
  TEST_ASSERT_TRUE(check_existence(nothing).guaranteed);
  // Existence is answered for all that a file can hold.
  TEST_ASSERT_TRUE(check_existence(random_instants::draw(random, 3, 10, Kind::at_rest, false)).guaranteed);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(instants_in_the_plane);
  RUN_TEST(steps_in_the_plane);
  RUN_TEST(instants_in_space);
  RUN_TEST(steps_in_space);
  RUN_TEST(painleve);
  RUN_TEST(walls);
  RUN_TEST(weightless);
  RUN_TEST(below_mu_bar);
  RUN_TEST(too_many);
  return UNITY_END();
}
