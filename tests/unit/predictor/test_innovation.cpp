// Innovation: a model whose friction is wrong, a wall that it does not have, noise, and numbers that are
// none.
#include "tactus/predictor/innovation.hpp"
#include "tactus/tactus.hpp"
#include "tests/unit/predictor/arms.hpp"
#include "tests/unit/predictor/crate.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;
using predictor::InnovationLimits;
using predictor::Seen;

namespace {

constexpr Capacity kPlane{.bodies = 3, .contacts = 2, .slots = 8, .active = 4};
constexpr double kH = 1e-3;
using crate::kG, crate::kMass;
using Crate = World<double, 2, kPlane>;

Crate plant, model;
Workspace<double, 2, kPlane> workspace;
predictor::Innovation<double, 2, kPlane> innovation;

// With a wall, the crate's face is 0.05 m before it.
void make(Crate& world, double h, double mu, double speed, bool wall = false) {
  crate::make(world, h, mu, speed);
  if (!wall) return;
  BodyDescription<double, 2> side;
  side.shape = geometry::half_space<double>(math::Vector2<double>(-1, 0), -0.1);
  ContactDescription<double, 2> contact;
  contact.b = 1;
  contact.friction.kinetic = mu;
  int index = 0;
  TEST_ASSERT_TRUE(add_body(world, side, contact.a) == What::none);
  TEST_ASSERT_TRUE(add_contact(world, contact, index) == What::none);
}

// The plant goes on by one tick, in ten steps.
void tick() {
  for (int k = 0; k < 10; ++k)
    TEST_ASSERT_TRUE(step(plant.model, plant.state, workspace).status == StepStatus::solved);
}

// What is measured: the plant's state as the model's, with noise of at most `noise` on every velocity.
std::uint32_t seed = 1;
double uniform() {
  seed = seed * 1664525U + 1013904223U;
  return static_cast<double>(seed >> 8) / 8388608.0 - 1;
}
const auto& measure(const InnovationLimits<double>& limits, double noise = 0) {
  auto measured = plant.state;
  measured.force = model.state.force;  // those that the model knows
  measured.velocity[1].linear[0] += noise * uniform();
  measured.velocity[1].linear[1] += noise * uniform();
  measured.velocity[1].angular[0] += noise * uniform();
  return innovation.update(model.model, measured, limits, workspace);
}

void start(double mu, double assumed, double speed, bool wall = false) {
  make(plant, kH / 10, mu, speed, wall);
  make(model, kH, assumed, speed);
  innovation.forget();
}

// The crate slides with v' = -mu g, whatever the model believes. Without noise each sample is the true mu, so
// that after n of them (1 - gain)^n of the error is left: of 0.2, 3e-6 after 105.
void a_wrong_friction_is_found() {
  for (const auto& [mu, assumed] : {std::pair{0.3, 0.5}, {0.5, 0.3}, {0.05, 0.8}}) {
    start(mu, assumed, 1.0);
    const InnovationLimits<double> limits;
    for (int k = 0; k < 106; ++k) {
      const auto& seen = measure(limits);
      TEST_ASSERT_TRUE(seen.seen == (k == 0 ? Seen::nothing : Seen::compared));
      TEST_ASSERT_FALSE(seen.struck[1]);  // friction explains all of it
      TEST_ASSERT_EQUAL_INT(k, seen.friction[0].samples);
      const double left = (assumed - mu) * std::pow(0.9, k);
      TEST_ASSERT_DOUBLE_WITHIN(1e-7, mu + left, k == 0 ? assumed : seen.friction[0].mu);
      TEST_ASSERT_TRUE(k < 20 || seen.friction[0].off);
      tick();
    }
  }
}

// Noise of at most s on v makes a sample wrong by at most 2 s / (g h), and so the estimate.
void a_wrong_friction_is_found_through_noise() {
  start(0.3, 0.5, 1.0);
  const double noise = 1e-4;
  for (int k = 0; k < 200; ++k) {
    measure({}, noise);
    tick();
  }
  const auto& estimate = innovation.result().friction[0];
  TEST_ASSERT_TRUE(estimate.off);
  TEST_ASSERT_DOUBLE_WITHIN(2 * noise / (kG * kH), 0.3, estimate.mu);
  TEST_ASSERT_DOUBLE_WITHIN(0.01, 0.3, estimate.mu);  // five times sqrt(2 / 3) s / (g h) sqrt(gain / 1.9)
}

// Pushed with 0.8 N, between 0.3 m g and 0.5 m g: the model says that it sticks, and it slides.
void a_slip_that_was_no_prediction_lowers_the_estimate() {
  start(0.3, 0.5, 0.0);
  plant.state.force[1].linear[0] = model.state.force[1].linear[0] = 0.8;
  for (int k = 0; k < 150; ++k) {
    measure({});
    tick();
  }
  TEST_ASSERT_TRUE(innovation.result().friction[0].off);
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.3, innovation.result().friction[0].mu);
}

// With a push of 2 N and mu = 0.5 the crate slides into a wall that the model does not have; from then on
// each tick lacks 2 N - mu m g = 1.019 N. Flagged in the third tick after the blow, and friction stays what
// it was: a mu that stops it in one tick is none.
void an_unexpected_wall_is_found() {
  start(0.5, 0.5, 0.5, true);
  plant.state.force[1].linear[0] = model.state.force[1].linear[0] = 2;
  int struck = -1, stopped = -1;
  InnovationLimits<double> limits;
  limits.force = 0.5;
  for (int k = 0; k < 200; ++k) {
    const auto& seen = measure(limits);
    if (stopped < 0 && plant.state.velocity[1].linear[0] < 0.1) stopped = k;
    if (struck < 0 && seen.struck[1]) struck = k;
    if (stopped >= 0 && k > stopped) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-6, -(2 - 0.5 * kMass * kG), seen.force[1].linear[0]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, seen.force[1].linear[1]);
    }
    tick();
  }
  TEST_ASSERT_TRUE(stopped > 50);
  TEST_ASSERT_EQUAL_INT(stopped + 2, struck);
  TEST_ASSERT_FALSE(innovation.result().friction[0].off);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.5, innovation.result().friction[0].mu);
  TEST_ASSERT_TRUE(innovation.result().struck[1]);
}

// 4 N against a sliding crate would take a mu of 0.5 + 4 N / (m g) = 2.54, which no floor has: a force from
// nowhere. 1 N, a mu of 1.01, is taken for a rough floor: one tick cannot tell.
void what_no_friction_explains_is_a_push() {
  for (const double against : {4.0, 1.0}) {
    start(0.5, 0.5, 1.0);
    plant.state.force[1].linear[0] = -against;
    for (int k = 0; k < 20; ++k) {
      const auto& seen = measure({});
      const bool friction = against == 1;
      TEST_ASSERT_TRUE(seen.struck[1] == (!friction && k >= 3));
      TEST_ASSERT_EQUAL_INT(friction ? k : 0, seen.friction[0].samples);
      if (!friction && k > 0) TEST_ASSERT_DOUBLE_WITHIN(1e-6, -against, seen.force[1].linear[0]);
      if (friction && k > 0)
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.5 + (1 - std::pow(0.9, k)) / (kMass * kG), seen.friction[0].mu);
      tick();
    }
  }
}

// 2 m s / h is the most that noise s looks like, and a right model has nothing else.
void noise_below_the_limits_raises_no_flag() {
  const double noise = 1e-4, most = 2 * kMass * noise / kH * std::sqrt(2.0);
  for (const double speed : {0.0, 1.0}) {
    start(0.5, 0.5, speed);
    InnovationLimits<double> limits;
    limits.force = 1.01 * most;
    for (int k = 0; k < 150; ++k) {
      const auto& seen = measure(limits, noise);
      TEST_ASSERT_FALSE(seen.struck[1]);
      TEST_ASSERT_FALSE(seen.friction[0].off);
      tick();
    }
  }
}

void numbers_that_are_none_are_flagged() {
  start(0.3, 0.5, 1.0);
  for (int k = 0; k < 30; ++k) {
    measure({});
    tick();
  }
  const double mu = innovation.result().friction[0].mu;
  auto measured = plant.state;
  measured.velocity[1].linear[1] = std::nan("");
  for (int k = 1; k <= 3; ++k) {
    const auto& seen = innovation.update(model.model, measured, {}, workspace);
    TEST_ASSERT_TRUE(seen.seen == Seen::bad_input);
    TEST_ASSERT_EQUAL_INT(k, seen.bad_inputs);
    TEST_ASSERT_EQUAL_DOUBLE(mu, seen.friction[0].mu);
    TEST_ASSERT_FALSE(seen.struck[1]);
  }
  // The tick after it has none to be compared with; the next goes on.
  TEST_ASSERT_TRUE(measure({}).seen == Seen::nothing);
  tick();
  TEST_ASSERT_TRUE(measure({}).seen == Seen::compared);
  TEST_ASSERT_EQUAL_INT(3, innovation.result().bad_inputs);
  // A model that cannot be stepped says nothing, either.
  model.model.h = 0;
  TEST_ASSERT_TRUE(measure({}).seen == Seen::uncertified);
  TEST_ASSERT_EQUAL_INT(1, innovation.result().uncertified);
}

// A pinch whose finger is held back at one joint by a torque that the model does not know.
void a_resisted_joint_is_found() {
  static World<double, 3, arms::kPinch> pinch;
  static Workspace<double, 3, arms::kPinch> scratch;
  static predictor::Innovation<double, 3, arms::kPinch> watching;
  TEST_ASSERT_TRUE(arms::make_pinch(pinch, 1e-3));
  for (auto& link : pinch.model.arm.links.link) link.friction = 0;  // it would turn with the speed
  pinch.state.arm.q[1] -= 0.2;                                      // off the box, free
  pinch.state.arm.position = pinch.state.arm.q;
  pinch.state.arm.qd[2] = 1;
  place_carried(pinch.model, pinch.state);
  InnovationLimits<double> limits;
  limits.torque = 0.005;
  for (int k = 0; k < 20; ++k) {
    const auto& seen = watching.update(pinch.model, pinch.state, limits, scratch);
    for (std::size_t j = 0; j < 3; ++j) {
      const double missing = j == 2 && k > 10 ? -0.02 : 0.0;
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, missing, seen.torque[j]);
      TEST_ASSERT_TRUE(seen.resisted[j] == (j == 2 && k > 12));
    }
    const double torque = pinch.state.arm.torque[2];
    if (k >= 10) pinch.state.arm.torque[2] -= 0.02;
    TEST_ASSERT_TRUE(step(pinch.model, pinch.state, scratch).status == StepStatus::solved);
    pinch.state.arm.torque[2] = torque;
    place_carried(pinch.model, pinch.state);
  }
}

// A push on a joint is told by M~ within the limit of its motor, whose impedance yields to it, and by M at
// the limit, where the motor gives the same anyway: (M + h c + h^2 k) dqd / h, and M dqd / h.
void a_push_on_a_joint_with_a_weak_motor_is_measured() {
  constexpr Capacity kOne{.bodies = 1, .contacts = 1, .slots = 1, .active = 1, .arm_joints = 2, .parts = 0};
  constexpr auto kWeak = [](Capacity size) { return size.servos = 1, size; };
  constexpr Capacity C = kWeak(kOne);
  static World<double, 3, C> world;
  static Workspace<double, 3, C> scratch;
  static predictor::Innovation<double, 3, C> watching;
  const double h = 1e-3, M = 0.5, k = 2e4, c = 300, push = 0.125;
  for (const double effort : {1e3, 0.2}) {
    world = {};
    const Error error = configure<double, 3, C>(world, h, {0, 0, 0});
    TEST_ASSERT_FALSE(error);
    ArmDescription<double, 1> arm;
    dynamics::Link<double> link;
    link.joint = dynamics::ArmJoint::prismatic;
    link.mass = M;
    TEST_ASSERT_FALSE(add_link(arm.links, link));
    arm.effort[0] = effort;
    int first = 0;
    TEST_ASSERT_FALSE(add_arm(world, arm, first));
    world.state.arm.stiffness[0] = k;
    world.state.arm.damping[0] = c;
    world.state.arm.position[0] = 0.01;
    watching.forget();
    auto measured = world.state;
    static_cast<void>(watching.update(world.model, measured, {}, scratch));
    const bool weak = effort < 1;
    const double given = weak ? effort + push : k * 0.01 + push, felt = weak ? M : M + h * c + h * h * k;
    measured.arm.qd[0] = h * given / felt;  // what the joint does when it is pushed, too
    measured.arm.q[0] = h * measured.arm.qd[0];
    const auto& seen = watching.update(world.model, measured, {}, scratch);
    TEST_ASSERT_TRUE(seen.seen == predictor::Seen::compared);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, push, seen.torque[0]);
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_wrong_friction_is_found);
  RUN_TEST(a_wrong_friction_is_found_through_noise);
  RUN_TEST(a_slip_that_was_no_prediction_lowers_the_estimate);
  RUN_TEST(an_unexpected_wall_is_found);
  RUN_TEST(what_no_friction_explains_is_a_push);
  RUN_TEST(noise_below_the_limits_raises_no_flag);
  RUN_TEST(numbers_that_are_none_are_flagged);
  RUN_TEST(a_resisted_joint_is_found);
  RUN_TEST(a_push_on_a_joint_with_a_weak_motor_is_measured);
  return UNITY_END();
}
