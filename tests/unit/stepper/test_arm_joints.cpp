// What acts in the joints of an arm: limits, friction, both at once, impedance. Closed forms throughout.
#include "arms.hpp"

using namespace arms;

namespace {

// A rod that falls on its lower limit stops there within one step of the time sqrt(2 phi / a), a the constant
// acceleration of a joint without gravity, and leans on it with what the torque gives.
void a_limit_stops_a_joint_and_bears_its_load() {
  const double h = 1e-3, torque = -0.8, lower = -0.25;
  auto link = rod(-1, 0, 0.4, 1.5);
  const double inertia = 1.5 * 0.4 * 0.4 / 3;
  link.lower = lower;
  link.upper = 1;
  start(h, 0);
  add(arm_of({link}), {});
  world.state.arm.torque[0] = torque;
  const double arrival = std::sqrt(2 * lower * inertia / torque);
  double stopped = 0;
  for (double t = h; t < 0.6; t += h) {
    step_well();
    TEST_ASSERT_TRUE(world.state.arm.q[0] >= lower - 1e-14);
    if (stopped == 0 && world.state.arm.q[0] <= lower + 1e-14) stopped = t;
  }
  TEST_ASSERT_DOUBLE_WITHIN(2 * h, arrival, stopped);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, -torque, workspace.next.reaction[0]);
  TEST_ASSERT_TRUE(world.state.arm.mode[0] == JointMode::at_lower);
  // And lets go at once.
  world.state.arm.torque[0] = -torque;
  step_well();
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, -torque * h / inertia, world.state.arm.qd[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, workspace.next.reaction[0]);
  // Up against the other one.
  for (int k = 0; k < 1500; ++k) step_well();
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1, world.state.arm.q[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, torque, workspace.next.reaction[0]);
}

// Coulomb in a joint: below f nothing moves and the reaction is the torque's; above, (torque - f) / I; let
// go, it comes to rest after I qd / f.
void friction_of_a_joint_holds_slides_and_stops() {
  const double h = 1e-3, f = 0.3;
  auto link = rod(-1, 0, 0.4, 1.5);
  const double inertia = 1.5 * 0.4 * 0.4 / 3;
  link.friction = f;
  for (const double sign : {1.0, -1.0}) {
    start(h, 0);
    add(arm_of({link}), {});
    auto& arm = world.state.arm;
    arm.torque[0] = sign * 0.29;
    step_well();
    TEST_ASSERT_TRUE(arm.qd[0] == 0);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, -sign * 0.29, workspace.next.reaction[0]);
    arm.torque[0] = sign * 0.5;
    for (int k = 0; k < 100; ++k) step_well();
    const double speed = 100 * h * (0.5 - f) / inertia;
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, sign * speed, arm.qd[0]);
    arm.torque[0] = 0;
    int steps = 0;
    while (arm.qd[0] != 0 && steps < 1000) {
      step_well();
      ++steps;
    }
    TEST_ASSERT_DOUBLE_WITHIN(1, inertia * speed / f / h, steps);
    TEST_ASSERT_TRUE(arm.mode[0] == JointMode::sticks);
  }
}

// A rod with friction that is pressed on its limit by gravity, and one held off it by friction: the reaction
// at the limit lies above what friction alone may give, and the two are told apart by the modes.
void friction_and_limit_share_a_joint() {
  auto link = rod(-1, 0, 0.4, 1.5);
  link.friction = 1;
  link.lower = -0.1;
  const double weight = 1.5 * kGravity * 0.2;  // moment at the joint, 2.94 > 1
  start(1e-3);
  add(arm_of({link}), {});
  for (int k = 0; k < 400; ++k) step_well();
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, -0.1, world.state.arm.q[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, weight * std::cos(0.1), workspace.next.reaction[0]);
  world.state.arm.torque[0] = weight * std::cos(0.1) + 0.9;  // lifts by less than friction
  step_well();
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, -0.9, workspace.next.reaction[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, world.state.arm.qd[0]);
  world.state.arm.torque[0] += 0.2;  // and by more
  step_well();
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, -1, workspace.next.reaction[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1e-3 * 0.1 / (1.5 * 0.16 / 3), world.state.arm.qd[0]);
}

// M qd' = M qd + h (k (p - q - h qd') + c (s - qd')) for one joint, solved by hand; and with k h^2 a million
// times M the joint is where it should be after one step.
void an_impedance_acts_within_the_step() {
  const double h = 1e-2, inertia = 1.5 * 0.4 * 0.4 / 3;
  start(h, 0);
  add(arm_of({rod(-1, 0, 0.4, 1.5)}), {0.2}, V(0, 0, 0), {0.7});
  auto& arm = world.state.arm;
  arm.stiffness[0] = 40;
  arm.damping[0] = 3;
  arm.position[0] = 0.5;
  arm.speed[0] = 0.1;
  arm.torque[0] = 0.25;
  step_well();
  const double speed =
      (inertia * 0.7 + h * (0.25 + 40 * (0.5 - 0.2) + 3 * 0.1)) / (inertia + h * 3 + h * h * 40);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, speed, arm.qd[0]);
  arm.stiffness[0] = 1e6 * inertia / (h * h);
  TEST_ASSERT_TRUE(step(world, workspace).status == StepStatus::solved);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.5, arm.q[0]);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_limit_stops_a_joint_and_bears_its_load);
  RUN_TEST(friction_of_a_joint_holds_slides_and_stops);
  RUN_TEST(friction_and_limit_share_a_joint);
  RUN_TEST(an_impedance_acts_within_the_step);
  return UNITY_END();
}
