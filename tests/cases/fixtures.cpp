// Verdicts on 2,500 random fixtures, 2,000 in the plane and 500 in space under the pyramid and under the
// cone, in float and in double, against an enumeration of another make (tests/oracle/fixture.hpp). No verdict
// may contradict it: what is called stable cannot move in any mode, what is called unstable is balanced by
// nothing, what is called ambiguous shows forces for both that obey the law. What is called undecided for
// the cone's gap or for rounding is counted, and may be few.
#include <memory>

#include "tests/cases/random_fixtures.hpp"
#include "tests/unit/tell.hpp"
#include "unity.h"

using namespace random_fixtures;

namespace {

struct Tally {
  std::uint32_t fixtures = 0, stable = 0, unstable = 0, ambiguous = 0, gap = 0, other = 0, pivots = 0;
};

// The breach of the law by the forces c, and how far the part is out of balance, as shares of the load.
template <int Dim>
void look(const oracle::Fixture<Dim>& p, const oracle::Column& c, Real& breach, Real& motion) {
  const std::size_t F = p.freedoms;
  oracle::Matrix M(F, F);
  for (std::size_t i = 0; i < F * F; ++i) M(i / F, i % F) = p.M[i];
  oracle::Column r = p.f;
  for (std::size_t k = 0; k < p.W.size(); ++k) r = oracle::plus(r, c[k], p.W[k]);
  const oracle::Column qdd = oracle::solve(M, r), free = oracle::solve(M, p.f);
  Real load = 0, out = 0, unit = 0;
  for (std::size_t i = 0; i < F; ++i) {
    load += p.f[i] * free[i];
    out += r[i] * qdd[i];
  }
  motion = load > 0 ? std::sqrt(out / load) : 0;
  breach = 0;
  const auto row = [&](std::size_t k, const oracle::Column& x) {
    Real sum = 0;
    for (std::size_t i = 0; i < F; ++i) sum += p.W[k][i] * x[i];
    return sum;
  };
  for (std::size_t k = 0; k < p.W.size(); ++k) unit = std::fmax(unit, std::fabs(row(k, free)));
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    const std::size_t n = i * Dim;
    Real D = 0;
    for (std::size_t k = n; k < n + Dim; ++k) D = std::fmax(D, row(k, oracle::solve(M, p.W[k])));
    breach = std::fmax(breach, std::fabs(std::fmin(c[n] * D, row(n, qdd))));
    Real want[2] = {}, size = 0;
    const Real most = p.mu[i] * std::fmax(c[n], 0) * D;
    for (std::size_t k = 0; k + 1 < Dim; ++k) {
      want[k] = c[n + 1 + k] * D - row(n + 1 + k, qdd);
      size = std::hypot(size, want[k]);
    }
    for (std::size_t k = 0; k + 1 < Dim; ++k) {
      if (p.round && Dim == 3)
        want[k] *= size > most ? most / size : 1;
      else
        want[k] = std::fmin(std::fmax(want[k], -most), most);
      breach = std::fmax(breach, std::fabs(c[n + 1 + k] * D - want[k]));
    }
  }
  if (unit > 0) breach /= unit;
}

template <class Scalar, int Dim>
void compare(const oracle::Fixture<Dim>& p, const oracle::FixtureVerdict& judged, Tally& tally) {
  static const auto ws = std::make_unique<FixtureWorkspace<Scalar, Dim, kSize<Dim>>>();
  const auto verdict = check_fixture(system_of<Scalar, Dim>(p), *ws, p.round ? Law::cone : Law::pyramid);
  ++tally.fixtures;
  tally.pivots += static_cast<std::uint32_t>(verdict.pivots);
  constexpr Real kForces = sizeof(Scalar) == 8 ? 1e-9L : 1e-5L;  // what forces of this precision can show
  const auto forces = [&](const auto& c, Real& breach, Real& motion) {
    look(p, oracle::Column(c.begin(), c.begin() + static_cast<std::ptrdiff_t>(p.W.size())), breach, motion);
  };
  Real breach = 0, motion = 0;
  if (verdict.can_hold) {
    forces(ws->hold, breach, motion);
    TEST_ASSERT_TRUE(motion <= kForces && !judged.falls);
  }
  if (verdict.can_move) {
    forces(ws->move, breach, motion);
    TEST_ASSERT_TRUE(breach <= kForces && (sizeof(Scalar) == 4 || motion > kRest));
    TEST_ASSERT_TRUE(judged.may_move);
  }
  switch (verdict.reason) {
    case FixtureReason::holds:
      ++tally.stable;
      TEST_ASSERT_TRUE(verdict.can_hold && !verdict.can_move && !judged.falls && !judged.moves);
      break;
    case FixtureReason::falls:
      ++tally.unstable;
      TEST_ASSERT_TRUE(!judged.holds && judged.may_move);
      break;
    case FixtureReason::ambiguous:
      ++tally.ambiguous;
      break;
    case FixtureReason::gap:
      ++tally.gap;
      TEST_ASSERT_TRUE(p.round);
      break;
    default:
      ++tally.other;
  }
}

void tell(const char* what, const Tally& t) {
  tell::figure(what, t.fixtures);
  tell::figure("  stable:", t.stable);
  tell::figure("  unstable:", t.unstable);
  tell::figure("  ambiguous:", t.ambiguous);
  tell::figure("  undecided, the cone's bounds differ:", t.gap);
  tell::figure("  undecided for another reason:", t.other);
  tell::figure("  pivots, all:", t.pivots);
}

template <int Dim>
void draw(int count, bool round, std::uint64_t seed, const char* what) {
  Maker<Dim> make(seed);
  Tally in_double, in_float;
  for (int k = 0; k < count; ++k) {
    oracle::Fixture<Dim> p = make();
    p.round = round;
    const auto judged = oracle::FixtureJudge<Dim>(p).run();
    compare<double, Dim>(p, judged, in_double);
    compare<float, Dim>(p, judged, in_float);
  }
  tell(what, in_double);
  TEST_ASSERT_EQUAL_UINT32(in_double.stable, in_float.stable);
  TEST_ASSERT_EQUAL_UINT32(in_double.unstable, in_float.unstable);
  TEST_ASSERT_EQUAL_UINT32(in_double.ambiguous, in_float.ambiguous);
  TEST_ASSERT_TRUE((in_double.gap + in_double.other) * 100 <= in_double.fixtures);
  TEST_ASSERT_TRUE(in_double.stable * 10 >= in_double.fixtures &&
                   in_double.unstable * 10 >= in_double.fixtures);
}

void in_the_plane() {
  draw<2>(2000, false, 1, "plane:");
}
void in_space_by_the_pyramid() {
  draw<3>(250, false, 2, "space, pyramid:");
}
void in_space_by_the_cone() {
  draw<3>(250, true, 3, "space, cone:");
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(in_the_plane);
  RUN_TEST(in_space_by_the_pyramid);
  RUN_TEST(in_space_by_the_cone);
  return UNITY_END();
}
