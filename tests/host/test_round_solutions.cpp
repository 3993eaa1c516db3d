// Every solution of round friction in space against a search of another make: for each combination of modes
// the directions of slip on a dense grid, from each point of it Newton's method in them (with differences),
// and what obeys the laws. Up to three contacts, as many as a body has freedoms or more, instants and steps.
// And closed forms of one contact.
#include <cmath>
#include <cstdio>

#include "existence.hpp"
#include "random_instants.hpp"
#include "solutions.hpp"
#include "unity.h"

using namespace tactus::host;
using oracle::Column;
using oracle::Matrix;
using oracle::Real;
using random_instants::Kind;

namespace {

constexpr Real kTurn = 6.283185307179586477L;
enum class Does : std::uint8_t { open, slides, rolls, starts };

// One combination of modes at given directions of those that start.
struct Trial {
  const InstantProblem& p;
  std::vector<Does> does;

  // c; row of A that is held, or a force that is said.
  Column forces(const Column& angle) const {
    const auto n = static_cast<std::size_t>(p.rows());
    Matrix S(n, n);
    Column right(n);
    std::size_t next = 0;
    const auto held = [&](std::size_t r) {
      for (std::size_t j = 0; j < n; ++j) S(r, j) = p.A(static_cast<int>(r), static_cast<int>(j));
      right[r] = -static_cast<Real>(p.b[static_cast<int>(r)]);
    };
    for (std::size_t i = 0; i < does.size(); ++i) {
      const std::size_t r = 3 * i;
      if (does[i] == Does::open) {
        for (std::size_t k = 0; k < 3; ++k) S(r + k, r + k) = 1;
        continue;
      }
      held(r);
      Real x = 0, y = 0;
      if (does[i] == Does::rolls) {
        held(r + 1);
        held(r + 2);
        continue;
      }
      if (does[i] == Does::slides) {
        const Real t = p.velocity[2 * i], o = p.velocity[2 * i + 1], v = std::sqrt(t * t + o * o);
        x = t / v, y = o / v;
      } else {
        x = std::cos(angle[next]), y = std::sin(angle[next]);
        ++next;
      }
      S(r + 1, r + 1) = S(r + 2, r + 2) = 1;
      S(r + 1, r) = p.mu[i] * x;
      S(r + 2, r) = p.mu[i] * y;
    }
    return oracle::solve(S, right);
  }
  Column accelerations(const Column& c) const {
    Column a(c.size());
    for (std::size_t r = 0; r < c.size(); ++r) {
      a[r] = p.b[static_cast<int>(r)];
      for (std::size_t j = 0; j < c.size(); ++j) a[r] += p.A(static_cast<int>(r), static_cast<int>(j)) * c[j];
    }
    return a;
  }
  // Across each direction.
  Column across(const Column& angle) const {
    const Column a = accelerations(forces(angle));
    Column out;
    for (std::size_t i = 0; i < does.size(); ++i)
      if (does[i] == Does::starts)
        out.push_back(std::cos(angle[out.size()]) * a[3 * i + 2] -
                      std::sin(angle[out.size()]) * a[3 * i + 1]);
    return out;
  }
  bool newton(Column& angle) const {
    const std::size_t k = angle.size();
    for (int pass = 0; pass < 40; ++pass) {
      const Column f = across(angle);
      if (!(oracle::largest(f) < 1e12L)) return false;
      if (oracle::largest(f) < 1e-15L) return true;
      Matrix J(k, k);
      for (std::size_t j = 0; j < k; ++j) {
        Column near = angle, far = angle;
        near[j] -= 1e-7L;
        far[j] += 1e-7L;
        const Column low = across(near), high = across(far);
        for (std::size_t i = 0; i < k; ++i) J(i, j) = (high[i] - low[i]) / 2e-7L;
      }
      Column step = oracle::solve(J, f);
      const Real size = oracle::largest(step);
      if (!(size < 1e6L)) return false;
      for (std::size_t j = 0; j < k; ++j) angle[j] -= step[j] * (size > 0.3L ? 0.3L / size : 1);
      if (size < 1e-16L) return oracle::largest(f) < 1e-10L;
    }
    return oracle::largest(across(angle)) < 1e-12L;
  }
  bool obeys(const Column& angle, Column& a) const {
    const Column c = forces(angle);
    a = accelerations(c);
    std::size_t next = 0;
    for (std::size_t i = 0; i < does.size(); ++i) {
      const std::size_t r = 3 * i;
      if (does[i] == Does::open ? !(a[r] >= -1e-10L) : !(c[r] >= -1e-10L)) return false;
      if (does[i] == Does::rolls && !(std::hypot(c[r + 1], c[r + 2]) <= p.mu[i] * c[r] + 1e-10L))
        return false;
      if (does[i] != Does::starts) continue;
      const Real along = std::cos(angle[next]) * a[r + 1] + std::sin(angle[next]) * a[r + 2];
      ++next;
      if (!(along >= -1e-10L)) return false;
    }
    return true;
  }
};

void search(const Trial& trial, int grid, std::vector<Column>& found) {
  std::size_t starts = 0;
  for (const Does does : trial.does) starts += does == Does::starts ? 1 : 0;
  long points = 1;
  for (std::size_t k = 0; k < starts; ++k) points *= grid;
  for (long code = 0; code < points; ++code) {
    Column angle;
    long rest = code;
    for (std::size_t k = 0; k < starts; ++k, rest /= grid)
      angle.push_back((static_cast<Real>(rest % grid) + 0.5L) * kTurn / grid);
    Column a;
    if ((starts > 0 && !trial.newton(angle)) || !trial.obeys(angle, a)) continue;
    bool known = false;
    for (const Column& other : found) known = known || oracle::largest(oracle::plus(a, -1, other)) < 1e-7L;
    if (!known) found.push_back(a);
  }
}

std::vector<Column> sample(const InstantProblem& p, int grid) {
  std::vector<Column> found;
  int combinations = 1;
  for (int i = 0; i < p.contacts(); ++i) combinations *= p.slides(i) ? 2 : 3;
  for (int code = 0; code < combinations; ++code) {
    Trial trial{p, {}};
    int rest = code;
    for (int i = 0; i < p.contacts(); ++i) {
      const int choices = p.slides(i) ? 2 : 3, k = rest % choices;
      rest /= choices;
      trial.does.push_back(k == 0        ? Does::open
                           : p.slides(i) ? Does::slides
                           : k == 1      ? Does::rolls
                                         : Does::starts);
    }
    search(trial, grid, found);
  }
  return found;
}

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
    const auto want = sample(p, grid);
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
