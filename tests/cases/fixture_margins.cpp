// Margins of random stable fixtures against bisection with the judge of tests/oracle/fixture.hpp: just below
// a margin, and at places in between, nothing moves and forces balance the load; just above it, that is not
// so.
#include "tactus/contact/fixture_margins.hpp"

#include <memory>

#include "tests/cases/random_fixtures.hpp"
#include "tests/unit/tell.hpp"
#include "unity.h"

using namespace random_fixtures;

namespace {

// Their numbers are floats: where two rows should be one what is squeezed may creep, and A's entries there,
// 1e-16 of the others, are beyond what long double tells from zero with more than three digits.
constexpr Real kCreep = 1e-3L;

template <int Dim>
bool stable(const oracle::Fixture<Dim>& p, Real least) {
  oracle::FixtureJudge<Dim> judge(p);
  return judge.holds(true, kRest) && !judge.may_move(least);
}

struct Tally {
  std::uint32_t fixtures = 0, pushes = 0, without_end = 0, early = 0, shares = 0, uncertain = 0;
};

// The judge changes its mind within `width` of a margin.
template <class At>
void turns_at(const At& stable_at, Real margin, Real width) {
  if (margin > width) TEST_ASSERT_TRUE(stable_at(margin - width, kCreep));
  TEST_ASSERT_FALSE(stable_at(margin + width, kRest));
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
      const auto at = [&](Real push, Real least) {
        auto pushed = p;
        pushed.f[i] += sign * push;
        return stable(pushed, least);
      };
      if (margin > 1e30L) {
        ++tally.without_end;
        for (const Real push : {0.01L, 1.0L, 30.0L, 900.0L}) {
          TEST_ASSERT_TRUE(at(push * unit, kCreep));
        }
      } else if (margin < 1e-8L * unit) {  // at its limit from the start
        TEST_ASSERT_FALSE(at((p.round ? 5e-3L : 1e-6L) * unit, kRest));
      } else {
        // The judge's polygon of 64 sides is 1.2e-3 of the friction wide.
        turns_at(at, margin, p.round ? 5e-3L * (margin + unit) : 1e-5L * margin);
        for (const Real share : {0.1L, 0.5L, 0.9L}) {
          TEST_ASSERT_TRUE(at(share * margin, kCreep));
        }
      }
    }
  const auto with = [&](Real share, Real least) {
    auto slippery = p;
    for (Real& mu : slippery.mu) mu *= share;
    return stable(slippery, least);
  };
  if (margins.mu < 1e-6) {
    TEST_ASSERT_TRUE(with(2e-6L, kCreep));
  } else if (margins.mu < 1 - 1e-6) {
    ++tally.shares;
    const Real width = p.round ? 5e-3L : 1e-6L;
    TEST_ASSERT_TRUE(margins.mu + width > 1 || with(margins.mu + width, kCreep));
    TEST_ASSERT_TRUE(margins.mu < width || !with(margins.mu - width, kRest));
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
  TEST_ASSERT_TRUE(tally.uncertain * 4 <= tally.fixtures);
}

void in_the_plane() {
  draw<2>(200, false, 11, "stable in the plane:");
}
void in_space_by_the_pyramid() {
  draw<3>(50, false, 12, "stable in space, pyramid:");
}
}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(in_the_plane);
  RUN_TEST(in_space_by_the_pyramid);
  return UNITY_END();
}
