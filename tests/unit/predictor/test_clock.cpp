// A clock that is passed: what it grants is done, what it ends is flagged and not counted, and as many Grants
// give the same end as any other clock that grants as many.
#include <cstring>

#include "crate.hpp"
#include "tactus/predictor/doubt.hpp"
#include "tactus/predictor/ensemble.hpp"
#include "tactus/predictor/innovation.hpp"
#include "tactus/tactus.hpp"

namespace {

using namespace crate;
using predictor::End;

constexpr Capacity kSize{.bodies = 2, .contacts = 1, .slots = 4, .active = 4};
constexpr int kSteps = 20;
using Crate = World<double, 2, kSize>;
using Crates = predictor::Predictor<double, 2, kSize, kSteps>;

// Says when its time is up by what it was asked, as a counter that runs would.
struct Counted {
  std::uint32_t end, now = 0;
  bool go_on(Piece, int, int) {
    now += now < end ? 1 : 0;
    return now < end;
  }
};
static_assert(Clock<Counted> && Clock<Grants> && Clock<const NoClock> && !Clock<int>);

// It falls a little, strikes with an edge first, slides and stops.
Crate falling() {
  Crate world;
  make(world, 1e-3, 0.5, 0.03);
  world.model.method.modes_first = false;  // each step has its pivots
  world.state.pose[1].y += 2e-5;
  world.state.pose[1].angle = 1e-4;
  return world;
}

template <class T>
bool same(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
bool same_motion(const Crate& a, const Crate& b) {
  return same(a.state.pose[1].x, b.state.pose[1].x) && same(a.state.pose[1].y, b.state.pose[1].y) &&
         same(a.state.velocity[1].linear[0], b.state.velocity[1].linear[0]) &&
         same(a.state.velocity[1].linear[1], b.state.velocity[1].linear[1]) &&
         same(a.state.velocity[1].angular[0], b.state.velocity[1].angular[0]);
}

void grants_end_a_step_where_a_clock_did() {
  static Workspace<double, 2, kSize> workspace;
  Crate free;
  make(free, 1e-3, 0.5, 0.03);
  free.model.method.modes_first = false;
  const Crate start = free;
  TEST_ASSERT_TRUE(step(free, workspace).status == StepStatus::solved);
  Grants many(1000);
  Crate granted = start;
  TEST_ASSERT_TRUE(step(granted, workspace, many).status == StepStatus::solved);
  TEST_ASSERT_TRUE(same_motion(free, granted));
  const std::uint32_t needed = 1000 - many.left();
  TEST_ASSERT_GREATER_THAN_UINT32(3, needed);  // both corners are pressed: a pivot each, and more
  for (std::uint32_t k = 0; k <= needed; ++k) {
    Grants so_many(k);
    Counted counted{.end = k + 1};
    Crate one = start, other = start;
    const auto report = step(one, workspace, so_many);
    TEST_ASSERT_TRUE(report.status == step(other, workspace, counted).status);
    TEST_ASSERT_TRUE(report.status == (k < needed ? StepStatus::failed : StepStatus::solved));
    TEST_ASSERT_TRUE(report.reason == (k < needed ? StepReason::out_of_time : StepReason::none));
    TEST_ASSERT_TRUE(same_motion(one, k < needed ? start : free) && same_motion(one, other));
    TEST_ASSERT_EQUAL_UINT32(0, so_many.left());
  }
}

void a_horizon_ends_with_its_clock() {
  static Crates ahead, short_ahead;
  const Crate world = falling();
  Grants many(10'000);
  const auto whole = ahead.predict(world.model, world.state, kSteps, many);
  TEST_ASSERT_EQUAL_INT(kSteps, whole.steps);
  TEST_ASSERT_TRUE(whole.end == End::whole && whole.status == StepStatus::solved);
  const std::uint32_t needed = 10'000 - many.left();
  int steps = 0;
  for (std::uint32_t k = 0; k < needed; ++k) {
    Grants so_many(k);
    const auto& p = ahead.predict(world.model, world.state, kSteps, so_many);
    TEST_ASSERT_TRUE(p.end == End::clock && p.status == StepStatus::solved);
    TEST_ASSERT_TRUE(p.steps >= steps && p.steps < kSteps);
    steps = p.steps;
    const auto& q = short_ahead.predict(world.model, world.state, steps);
    for (std::size_t i = 0; i < static_cast<std::size_t>(steps); ++i) {
      TEST_ASSERT_TRUE(p.mode[i][0] == whole.mode[i][0]);
      TEST_ASSERT_TRUE(same(p.force[i][0], q.force[i][0]));
    }
    TEST_ASSERT_TRUE(same(ahead.future().velocity[1], short_ahead.future().velocity[1]));
  }
  TEST_ASSERT_EQUAL_INT(kSteps - 1, steps);
}

// A member that is cut is neither certified nor failed.
void what_is_cut_is_not_counted() {
  static predictor::Ensemble<double, 2, kSize> ensemble;
  static predictor::Doubt<double, 2, kSize> doubt;
  static Workspace<double, 2, kSize> workspace;
  const Crate world = falling();
  const predictor::Disturbance<double> by{.seed = 3, .velocity = 1e-3};
  Grants many(100'000);
  TEST_ASSERT_EQUAL_INT(8, ensemble.run(world.model, world.state, by, 8, kSteps, many).members);
  TEST_ASSERT_FALSE(ensemble.result().cut);
  const std::uint32_t needed = 100'000 - many.left();
  Grants half(needed / 2);
  const auto& some = ensemble.run(world.model, world.state, by, 8, kSteps, half);
  TEST_ASSERT_TRUE(some.cut);
  TEST_ASSERT_TRUE(some.members > 0 && some.members < 8);
  TEST_ASSERT_EQUAL_INT(0, some.failed);

  Grants enough(100'000);
  const auto run = [&](Grants& clock) {
    return doubt.run(
        world.model, world.state, by, {}, {.members = 8, .steps = kSteps}, workspace, predictor::NoCounter{},
        [](int, auto&) {}, clock);
  };
  TEST_ASSERT_EQUAL_UINT8(8, run(enough).members);
  Grants few((100'000 - enough.left()) / 2);
  const auto cut = run(few);
  TEST_ASSERT_TRUE(cut.end == End::clock);
  TEST_ASSERT_TRUE(cut.members > 0 && cut.members < 8);
  TEST_ASSERT_EQUAL_UINT8(0, cut.failed);
}

void without_time_nothing_is_compared() {
  static predictor::Innovation<double, 2, kSize> innovation;
  static Workspace<double, 2, kSize> workspace;
  Crate world = falling();
  Grants none(0);
  for (int k = 0; k < 3; ++k) {
    TEST_ASSERT_TRUE(step(world, workspace).status == StepStatus::solved);
    const auto& seen = innovation.update(world.model, world.state, {}, workspace, none);
    TEST_ASSERT_TRUE(seen.seen != predictor::Seen::compared);
  }
  TEST_ASSERT_EQUAL_INT(2, innovation.result().uncertified);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(grants_end_a_step_where_a_clock_did);
  RUN_TEST(a_horizon_ends_with_its_clock);
  RUN_TEST(what_is_cut_is_not_counted);
  RUN_TEST(without_time_nothing_is_compared);
  return UNITY_END();
}
