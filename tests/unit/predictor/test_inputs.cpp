// What drives a manipulator within a horizon: a torque held, a table of torques, an impedance. A slider of
// mass m, so that every speed and force has its closed form.
#include "tactus/tactus.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;

namespace {

constexpr Capacity kSize{.bodies = 2, .contacts = 1, .slots = 1, .active = 1, .arm_joints = 2};
constexpr double kH = 1e-3, kMass = 0.3;
using V = math::Vector<double, 3>;
using State = stepper::State<double, 3, kSize>;
using Workspace = stepper::Workspace<double, 3, kSize>;

World<double, 3, kSize> world;
predictor::Predictor<double, 3, kSize, 40> ahead;

// Along z without gravity; its ball of 20 mm touches the table at q = 0.
void start(double q) {
  int index = 0;
  world = {};
  TEST_ASSERT_TRUE((configure<double, 3, kSize>(world, kH, V(0, 0, 0)) == What::none));
  dynamics::Link<double> slider;
  slider.joint = dynamics::ArmJoint::prismatic;
  slider.mass = kMass;
  ArmDescription<double, 2> arm;
  TEST_ASSERT_TRUE(add_link(arm.links, slider) == What::none);
  arm.base.position = V(0, 0, 0.02);
  arm.q[0] = q;
  BodyDescription<double, 3> table;
  table.shape = geometry::half_space<double>(V(0, 0, 1), 0.0);
  TEST_ASSERT_TRUE(add_body(world, table, index) == What::none);
  TEST_ASSERT_TRUE(add_arm(world, arm, index) == What::none);
  TEST_ASSERT_TRUE(add_carried(world, 0, geometry::sphere<double>(0.02), {}, index) == What::none);
  ContactDescription<double, 3> contact;
  contact.b = 1;
  contact.friction.kinetic = 0.5;
  TEST_ASSERT_TRUE(add_contact(world, contact, index) == What::none);
}

// The step's own sums: v = h n F / m, q = h^2 n (n + 1) / 2 F / m.
void a_torque_is_held() {
  start(0.1);
  world.state.arm.torque[0] = 0.6;
  const auto& p = ahead.predict(world.model, world.state);
  TEST_ASSERT_EQUAL_INT(40, p.steps);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, kH * 40 * 0.6 / kMass, ahead.future().arm.qd[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.1 + kH * kH * 820 * 0.6 / kMass, ahead.future().arm.q[0]);
}

// Step k has the k-th torque: h sum(tau) / m.
void a_table_of_torques_is_followed() {
  start(0.1);
  double table[40], sum = 0;
  for (int k = 0; k < 40; ++k) sum += table[k] = 0.1 * (k % 7) - 0.2;
  double speed = 0;
  ahead.predict(
      world.model, world.state, {}, predictor::NoCounter{},
      [&](int k, const State& state, const Workspace&) {
        speed += kH * table[k] / kMass;
        TEST_ASSERT_DOUBLE_WITHIN(1e-13, speed, state.arm.qd[0]);
      },
      [&](int k, State& state) { state.arm.torque[0] = table[k]; });
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, kH * sum / kMass, ahead.future().arm.qd[0]);
  TEST_ASSERT_EQUAL_DOUBLE(0, world.state.arm.torque[0]);  // the state given is not written
}

// m x'' = k (r - x) - d x' within the step: (m + h d + h^2 k) dv = h (k (r - x - h v) - d v).
void an_impedance_acts_within_the_prediction() {
  start(0.1);
  const double k = 300, d = 6, r = 0.12;
  world.state.arm.position[0] = r;
  world.state.arm.stiffness[0] = k;
  world.state.arm.damping[0] = d;
  double x = 0.1, v = 0;
  const auto law = [&](int, const State& state, const Workspace&) {
    v += kH * (k * (r - x - kH * v) - d * v) / (kMass + kH * d + kH * kH * k);
    x += kH * v;
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, x, state.arm.q[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, v, state.arm.qd[0]);
  };
  TEST_ASSERT_EQUAL_INT(40, ahead.predict(world.model, world.state, {}, predictor::NoCounter{}, law).steps);
}

// At rest on the table with its set point 5 mm below: the contact bears k times that.
void an_impedance_presses_by_its_stiffness() {
  start(0);
  world.state.arm.position[0] = -0.005;
  world.state.arm.stiffness[0] = 400;
  world.state.arm.damping[0] = 10;
  const auto& p = ahead.predict(world.model, world.state);
  for (int k = 0; k < p.steps; ++k)
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2.0, p.force[static_cast<std::size_t>(k)][0][0]);
  TEST_ASSERT_EQUAL_INT(40, p.steps);
}

// A table that ends in a number that is none ends the horizon there, and what came before stands.
void a_torque_that_is_none_ends_the_horizon() {
  start(0.1);
  const auto& p = ahead.predict(
      world.model, world.state, {}, predictor::NoCounter{}, [](int, const State&, const Workspace&) {},
      [](int k, State& state) { state.arm.torque[0] = k < 13 ? 0.6 : std::nan(""); });
  TEST_ASSERT_EQUAL_INT(13, p.steps);
  TEST_ASSERT_TRUE(p.end == predictor::End::failed && p.reason == StepReason::bad_state);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_torque_is_held);
  RUN_TEST(a_table_of_torques_is_followed);
  RUN_TEST(an_impedance_acts_within_the_prediction);
  RUN_TEST(an_impedance_presses_by_its_stiffness);
  RUN_TEST(a_torque_that_is_none_ends_the_horizon);
  return UNITY_END();
}
