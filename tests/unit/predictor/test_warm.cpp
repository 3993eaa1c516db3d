// The warm horizon: what it saves, and that it changes nothing but that.
#include <cstring>

#include "tactus/tactus.hpp"
#include "tests/unit/stepper/scenes.hpp"
#include "tests/unit/tell.hpp"

using namespace scenes;
using predictor::Extras;

namespace {

struct Tally {
  int steps = 0, pivots = 0, tries = 0, warm = 0, uncertified = 0;
  std::uint32_t counts = 0, worst = 0;

  template <class Prediction>
  void add(const Prediction& p, std::uint32_t cost) {
    steps += p.steps;
    pivots += p.pivots;
    tries += p.tries;
    warm += p.warm_steps;
    uncertified += p.status == StepStatus::solved ? 0 : 1;
    counts += cost;
    worst = cost > worst ? cost : worst;
  }
  void print(const char* name, std::uint32_t ticks) const {
    TEST_MESSAGE(name);
    tell::figure("  steps", static_cast<std::uint32_t>(steps));
    tell::figure("  pivots", static_cast<std::uint32_t>(pivots));
    tell::figure("  linear systems of guesses", static_cast<std::uint32_t>(tries));
    tell::figure("  instructions a tick, mean", counts / ticks);
    tell::figure("  instructions a tick, worst", worst);
  }
};

template <class State>
bool same_bits(const State& a, const State& b, int body) {
  const auto i = static_cast<std::size_t>(body);
  return std::memcmp(&a.pose[i], &b.pose[i], sizeof a.pose[i]) == 0 &&
         std::memcmp(&a.velocity[i], &b.velocity[i], sizeof a.velocity[i]) == 0;
}

struct Difference {
  int ticks = 0, bits = 0, modes = 0;
};

// Ticks of one step each; in every tick a cold and a warm horizon from the same state.
template <int Steps, class World, class Cold, class Warm>
Difference run(World& world, Cold& cold, Warm& warm, int ticks, Tally& without, Tally& with) {
  static Workspace<typename World::ScalarType, World::kDim, World::kCapacity> workspace;
  Difference difference;
  for (int tick = 0; tick < ticks; ++tick) {
    std::uint32_t start = tell::now();
    const auto& c = cold.predict(world.model, world.state);
    without.add(c, tell::since(start));
    start = tell::now();
    const auto& w = warm.predict(world.model, world.state);
    with.add(w, tell::since(start));
    ++difference.ticks;
    difference.bits += same_bits(cold.future(), warm.future(), 1) ? 0 : 1;
    difference.modes += c.mode == w.mode ? 0 : 1;
    TEST_ASSERT_EQUAL_INT(Steps, w.steps);
    TEST_ASSERT_TRUE(step(world.model, world.state, workspace).status == StepStatus::solved);
  }
  return difference;
}

constexpr Capacity kCrate{.bodies = 2, .contacts = 1, .slots = 4, .active = 2};
using Crate = World<float, 2, kCrate>;

// A crate slides and stops after v / (mu g) = 34 ms. From the second tick on every step is one linear system,
// also the one in which it stops, but for the tick in which the stop comes in by the far end: the last tick
// has not seen it.
void a_predicted_change_costs_nothing() {
  static Crate world;
  static predictor::Predictor<float, 2, kCrate, 20> cold;
  static predictor::Predictor<float, 2, kCrate, 20, Extras{.warm = true}> warm;
  int index = 0;
  TEST_ASSERT_TRUE((configure(world, 1e-3F, {0, -9.81F}) == What::none));
  BodyDescription<float, 2> floor, crate;
  floor.shape = geometry::half_space<float>(math::Vector2<float>(0, 1), 0.0F);
  crate.mass = 0.2F;
  crate.inertia(0, 0) = 2e-4F;
  crate.shape = geometry::box<float>(0.05F, 0.02F);
  crate.pose.y = 0.02F;
  crate.velocity.linear[0] = 0.1F;
  TEST_ASSERT_TRUE(add_body(world, floor, index) == What::none);
  TEST_ASSERT_TRUE(add_body(world, crate, index) == What::none);
  ContactDescription<float, 2> contact;
  contact.b = 1;
  contact.friction.kinetic = 0.3F;
  TEST_ASSERT_TRUE(add_contact(world, contact, index) == What::none);

  static Workspace<float, 2, kCrate> workspace;
  int seen = 0, dearer_cold = 0;
  for (int tick = 0; tick < 40; ++tick) {
    const auto& c = cold.predict(world.model, world.state);
    const auto& w = warm.predict(world.model, world.state);
    TEST_ASSERT_TRUE(same_bits(cold.future(), warm.future(), 1));
    TEST_ASSERT_TRUE(c.status == StepStatus::solved && w.status == StepStatus::solved);
    const bool changes = w.contact[0].change_step > 0;
    const bool fresh = tick == 0 || w.contact[0].change_step == 20;
    if (!fresh) {
      TEST_ASSERT_EQUAL_INT(20, w.tries);
      TEST_ASSERT_EQUAL_INT(0, w.pivots);
      seen += changes ? 1 : 0;
    }
    dearer_cold += changes && c.tries > 20 ? 1 : 0;
    TEST_ASSERT_TRUE(step(world.model, world.state, workspace).status == StepStatus::solved);
  }
  TEST_ASSERT_EQUAL_INT(18, seen);        // 19 steps ahead down to 2; then the first step is the stop
  TEST_ASSERT_TRUE(dearer_cold >= seen);  // without the memory it was guessed wrongly each time
}

// Song's ellipse rocks, slips and sticks for 1 s of ticks of 0.1 ms, 20 steps ahead.
void the_rocking_ellipse() {
  static World<float, 2, kEllipse> world;
  static predictor::Predictor<float, 2, kEllipse, 20> cold;
  static predictor::Predictor<float, 2, kEllipse, 20, Extras{.warm = true}> warm;
  TEST_ASSERT_TRUE(make_ellipse(world));
  constexpr int kTicks = 10000;
  Tally without, with;
  const auto difference = run<20>(world, cold, warm, kTicks, without, with);
  without.print("ellipse, 20 steps, each guessed from the one before", kTicks);
  with.print("ellipse, 20 steps, each guessed from the last tick", kTicks);
  tell::figure("ticks with other bits", static_cast<std::uint32_t>(difference.bits));
  tell::figure("bytes more", sizeof warm - sizeof cold);
  TEST_ASSERT_EQUAL_INT(0, with.uncertified + without.uncertified);
  TEST_ASSERT_EQUAL_INT(0, difference.modes);
  TEST_ASSERT_TRUE(with.tries < without.tries);
  TEST_ASSERT_TRUE(with.pivots <= without.pivots);
}

// A box that falls on its corners, turns, slides and stops. Four corners are redundant, so here the modes of
// a step need not be the only right ones.
void the_falling_box() {
  static World<float, 3, kBox> world;
  static predictor::Predictor<float, 3, kBox, 10> cold;
  static predictor::Predictor<float, 3, kBox, 10, Extras{.warm = true}> warm;
  TEST_ASSERT_TRUE(make_box(world, 0.5F, 0.02F));
  world.state.velocity[1].angular[1] = 2;
  world.state.velocity[1].angular[2] = 1;
  constexpr int kTicks = 400;
  Tally without, with;
  const auto difference = run<10>(world, cold, warm, kTicks, without, with);
  without.print("box, 10 steps, each guessed from the one before", kTicks);
  with.print("box, 10 steps, each guessed from the last tick", kTicks);
  tell::figure("ticks with other bits", static_cast<std::uint32_t>(difference.bits));
  TEST_ASSERT_EQUAL_INT(0, with.uncertified + without.uncertified);
}

// A memory that is wrong in every step: of a box that slid the other way, of another state, of one whose
// prediction was cut. Answers stay certified and equal.
void a_wrong_memory_does_no_harm() {
  static World<float, 2, kEllipse> world, other;
  static predictor::Predictor<float, 2, kEllipse, 20> cold;
  static predictor::Predictor<float, 2, kEllipse, 20, Extras{.warm = true}> warm;
  TEST_ASSERT_TRUE(make_ellipse(world));
  TEST_ASSERT_TRUE(make_ellipse(other));
  for (const float vx : {-0.5F, 0.5F, 0.0F}) {
    for (const int shift : {0, 1, 7, 19, 20, 1000}) {
      other.state.velocity[1].linear[0] = vx;
      warm.set_shift(shift);
      warm.predict(other.model, other.state, shift == 7 ? 3 : 20);
      const auto& w = warm.predict(world.model, world.state);
      const auto& c = cold.predict(world.model, world.state);
      TEST_ASSERT_TRUE(w.status == StepStatus::solved);
      TEST_ASSERT_TRUE(c.mode == w.mode);
      TEST_ASSERT_TRUE(same_bits(cold.future(), warm.future(), 1));
    }
  }
  // One that is thrown away is none at all.
  warm.set_shift(1);
  warm.forget();
  TEST_ASSERT_EQUAL_INT(cold.result().tries, warm.predict(world.model, world.state).tries);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_predicted_change_costs_nothing);
  RUN_TEST(the_rocking_ellipse);
  RUN_TEST(the_falling_box);
  RUN_TEST(a_wrong_memory_does_no_harm);
  return UNITY_END();
}
