// Margins of random stable fixtures against bisection with the judge of tests/oracle/fixture.hpp: just below
// a margin, and at places in between, nothing moves and forces balance the load; just above it, that is not so.
#include "tactus/contact/fixture_margins.hpp"

#include <memory>

#include "tests/cases/random_fixtures.hpp"
#include "tests/unit/tell.hpp"
#include "unity.h"

using namespace random_fixtures;

namespace {

template <int Dim>
bool stable(const oracle::Fixture<Dim>& p) {
  oracle::FixtureJudge<Dim> judge(p);
  return judge.holds(true) && !judge.may_move(kRest);
}

struct Tally {
  std::uint32_t fixtures = 0, pushes = 0, without_end = 0, early = 0, shares = 0, uncertain = 0;
};

// Where the judge changes its mind, between 1 - width and 1 + width of a margin.
template <class At>
void turns_at(const At& stable_at, Real margin, const char* what) {
  constexpr Real kWidth = 1e-5L;
  if (!(stable_at(margin * (1 - kWidth)) && !stable_at(margin * (1 + kWidth))))
    std::printf("%s: %Lg, below %d, above %d\n", what, margin, stable_at(margin * (1 - kWidth)), stable_at(margin * (1 + kWidth)));
  TEST_ASSERT_TRUE_MESSAGE(stable_at(margin * (1 - kWidth)), what);
  TEST_ASSERT_FALSE_MESSAGE(stable_at(margin * (1 + kWidth)), what);
}

template <int Dim>
void check(const oracle::Fixture<Dim>& p, Tally& tally) {
  static const auto ws = std::make_unique<FixtureWorkspace<double, Dim, kSize<Dim>>>();
  const auto law = p.round ? Law::cone : Law::pyramid;
  const auto system = system_of<double, Dim>(p);
  if (check_fixture(system, *ws, law).stability != Stability::stable) return;
  const auto margins = find_margins(*ws);
  ++tally.fixtures;
  if (!margins.certain) {
    ++tally.uncertain;
    return;
  }
  Real load = 0;
  for (std::size_t i = 0; i < p.freedoms; ++i) load += p.f[i] * p.f[i] / p.M[i * (p.freedoms + 1)];
  if (load == 0) return;
  load = std::sqrt(load);
  for (std::size_t i = 0; i < p.freedoms; ++i)
    for (const int sign : {-1, 1}) {
      ++tally.pushes;
      const Real margin = sign < 0 ? margins.load[i].down : margins.load[i].up;
      const Real unit = load * std::sqrt(p.M[i * (p.freedoms + 1)]);
      const auto at = [&](Real push) {
        auto pushed = p;
        pushed.f[i] += sign * push;
        return stable(pushed);
      };
      if (margin > 1e30L) {
        ++tally.without_end;
        for (const Real push : {0.01L, 1.0L, 30.0L, 900.0L}) TEST_ASSERT_TRUE(at(push * unit));
      } else if (margin < 1e-8L * unit) {  // at its limit from the start
        TEST_ASSERT_FALSE(at(1e-6L * unit));
      } else {
        turns_at(at, margin, "push");
        for (const Real share : {0.1L, 0.5L, 0.9L}) TEST_ASSERT_TRUE(at(share * margin));
      }
    }
  const auto with = [&](Real share) {
    auto slippery = p;
    for (Real& mu : slippery.mu) mu *= share;
    return stable(slippery);
  };
  if (margins.mu == 0) {
    TEST_ASSERT_TRUE(with(0));
  } else if (margins.mu < 1 - 1e-5) {
    ++tally.shares;
    TEST_ASSERT_TRUE(with(margins.mu * (1 + 1e-5L)));
    TEST_ASSERT_FALSE(with(margins.mu * (1 - 1e-5L)));
  }
}

template <int Dim>
void draw(int count, bool round, std::uint64_t seed, const char* what) {
  Maker<Dim> make(seed);
  Tally tally;
  for (int k = 0; k < count; ++k) {
    auto p = make();
    p.round = round;
    check(p, tally);
  }
  tell::figure(what, tally.fixtures);
  tell::figure("  pushes:", tally.pushes);
  tell::figure("  that nothing ends:", tally.without_end);
  tell::figure("  shares of friction:", tally.shares);
  tell::figure("  not certain:", tally.uncertain);
  TEST_ASSERT_TRUE(tally.uncertain * 20 <= tally.fixtures);
}

void in_the_plane() {
  draw<2>(300, false, 11, "stable in the plane:");
}
void in_space_by_the_pyramid() {
  draw<3>(60, false, 12, "stable in space, pyramid:");
}
void in_space_by_the_cone() {
  draw<3>(60, true, 13, "stable in space, cone:");
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
