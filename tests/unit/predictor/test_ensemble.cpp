// Ensembles: outcomes whose shares follow from what was drawn.
#include "tactus/predictor/ensemble.hpp"
#include "tactus/sentence.hpp"
#include "tactus/tactus.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;
using contact::Mode;

namespace {

constexpr Capacity kWalls{.bodies = 3, .contacts = 2, .slots = 2, .active = 2};
using Planar = predictor::Ensemble<float, 2, kWalls, 8, 8>;
using Vector = math::Vector2<float>;

World<float, 2, kWalls> world;
Planar ensemble;

void must(const Error& error) {
  TEST_ASSERT_FALSE_MESSAGE(error, Sentence(error).text());
}

void add_wall(Vector normal, float offset) {
  int index = 0;
  BodyDescription<float, 2> wall;
  wall.shape = geometry::half_space<float>(normal, offset);
  must(add_body(world, wall, index));
}

void add_disc(float y, float vx, int& index) {
  BodyDescription<float, 2> disc;
  disc.mass = 1;
  disc.inertia(0, 0) = 0.005F;
  disc.shape = geometry::disc(0.1F);
  disc.pose.y = y;
  disc.velocity.linear = {vx, 0};
  must(add_body(world, disc, index));
}

void add_touch(int a, int b, float mu) {
  int index = 0;
  ContactDescription<float, 2> touch;
  touch.a = a;
  touch.b = b;
  touch.friction.kinetic = mu;
  must(add_contact(world, touch, index));
}

// A disc at rest midway between two walls, without gravity: a disturbed velocity takes it to the one or the
// other, by its sign alone. The walls are 1 mm away, the velocity up to 1 m/s, the run 1 s long: who is
// slower than 1 mm/s meets neither.
void between_walls() {
  int disc = 0;
  world = {};
  must(configure(world, 1e-2F, {0, 0}));
  add_wall({1, 0}, -0.101F);
  add_wall({-1, 0}, -0.101F);
  add_disc(0, 0, disc);
  add_touch(0, disc, 0);
  add_touch(1, disc, 0);
  const predictor::Disturbance<float> by{.seed = 5, .velocity = 1};
  int left = 0, right = 0;
  for (int m = 0; m < 400; ++m) {
    ensemble.disturb(world.model, world.state, by, m);
    const float v = ensemble.state().velocity[2].linear[0];
    TEST_ASSERT_TRUE(v >= -1 && v < 1);
    left += v < -0.00102F ? 1 : 0;
    right += v > 0.00102F ? 1 : 0;
  }
  // 400 draws: six standard deviations are 60.
  TEST_ASSERT_INT_WITHIN(60, 200, left);
  const auto set = ensemble.run(world.model, world.state, by, 400, 100);
  TEST_ASSERT_EQUAL_INT(400, set.members);
  TEST_ASSERT_EQUAL_INT(0, set.failed + set.others);
  int to_left = 0, to_right = 0, counted = 0;
  for (int i = 0; i < set.outcomes; ++i) {
    const auto& outcome = set.outcome[static_cast<std::size_t>(i)];
    counted += outcome.members;
    if (i > 0) TEST_ASSERT_TRUE(outcome.members <= set.outcome[static_cast<std::size_t>(i - 1)].members);
    int touched = -1;
    for (int k = 0; k < outcome.changes; ++k) {
      const auto& change = outcome.change[static_cast<std::size_t>(k)];
      if (change.mode == Mode::open) continue;
      TEST_ASSERT_TRUE(touched < 0 || touched == change.contact);  // it stays where it came to rest
      touched = change.contact;
    }
    to_left += touched == 0 ? outcome.members : 0;
    to_right += touched == 1 ? outcome.members : 0;
  }
  TEST_ASSERT_EQUAL_INT(400, counted);
  TEST_ASSERT_EQUAL_INT(left, to_left);
  TEST_ASSERT_EQUAL_INT(right, to_right);
  // The same seed is the same set; the undisturbed state has one outcome.
  const auto again = ensemble.run(world.model, world.state, by, 400, 100);
  TEST_ASSERT_EQUAL_INT(set.outcome[0].members, again.outcome[0].members);
  TEST_ASSERT_EQUAL_INT(set.outcome[0].first, again.outcome[0].first);
  const auto still = ensemble.run(world.model, world.state, {}, 10, 10);
  TEST_ASSERT_EQUAL_INT(1, still.outcomes);
  TEST_ASSERT_EQUAL_INT(10, still.outcome[0].members);
}

// A disc on a slope of 45 degrees rolls where mu >= tan(45) / 3, moments about the contact: with mu = 1/3 it
// is the sign of the disturbance that decides.
void on_a_slope() {
  int disc = 0;
  world = {};
  must(configure(world, 1e-3F, {6.9367175F, -6.9367175F}));
  add_wall({0, 1}, 0);
  add_disc(0.1F, 0, disc);
  add_touch(0, disc, 1.0F / 3);
  const predictor::Disturbance<float> by{.seed = 11, .friction = 0.3F};
  int rolls = 0;
  for (int m = 0; m < 300; ++m) {
    ensemble.disturb(world.model, world.state, by, m);
    rolls += ensemble.model().contact[0].friction.kinetic > 1.0F / 3 ? 1 : 0;
  }
  const auto set = ensemble.run(world.model, world.state, by, 300, 20);
  TEST_ASSERT_EQUAL_INT(2, set.outcomes);
  for (int i = 0; i < 2; ++i) {
    const auto& outcome = set.outcome[static_cast<std::size_t>(i)];
    TEST_ASSERT_EQUAL_INT(1, outcome.changes);
    const bool sticks = outcome.change[0].mode == Mode::stick;
    TEST_ASSERT_TRUE(sticks || outcome.change[0].mode == Mode::slip);
    TEST_ASSERT_EQUAL_INT(sticks ? rolls : 300 - rolls, outcome.members);
  }
}

void nothing_is_claimed_of_what_fails() {
  int disc = 0;
  world = {};
  must(configure(world, 1e-3F, {0, -9.81F}));
  add_wall({0, 1}, 0);
  add_disc(0.1F, 0, disc);
  add_touch(0, disc, 0.5F);
  world.state.velocity[1].linear[0] = std::numeric_limits<float>::quiet_NaN();
  const auto set = ensemble.run(world.model, world.state, {.seed = 1, .velocity = 1}, 7, 5);
  TEST_ASSERT_EQUAL_INT(7, set.failed);
  TEST_ASSERT_EQUAL_INT(0, set.outcomes);
  TEST_ASSERT_EQUAL_INT(0, ensemble.run(world.model, world.state, {}, 0, 5).members);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(between_walls);
  RUN_TEST(on_a_slope);
  RUN_TEST(nothing_is_claimed_of_what_fails);
  return UNITY_END();
}
