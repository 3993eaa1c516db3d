// Arms against a table and bodies: statics, impacts, compliant contacts. test_finger_steps.cpp has the hard
// states.
#include "arms.hpp"

using namespace arms;

namespace {

// One rod, horizontal, its end on the table with a torque tau that presses: moments about the joint give the
// normal force, n l = m g l / 2 - tau_up, whatever the step. With friction the same, since the tip does not
// move along.
void an_arm_presses_on_a_table_as_statics_says() {
  const double l = 0.5, m = 2, r = 0.02, torque = -3;
  for (const double mu : {0.0, 0.7}) {
    start(1e-3);
    const int table = add_table();
    const int joint = add(arm_of({rod(-1, 0, l, m)}), {}, V(0, 0, 0));
    const int tip = carry_ball(joint, r, V(l, 0, r));  // touches at the height of the joint
    touch(table, tip, mu);
    world.state.arm.torque[0] = torque;
    for (int k = 0; k < 50; ++k) {
      const auto report = step_well();
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, (m * kGravity * l / 2 - torque) / l, report.contact[0].force[0]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, world.state.arm.q[0]);
    }
  }
}

// Two rods, both joints carry: with J of the tip, J^T f = tau - gravity's moments. Elbow bent by 90 degrees
// from a shoulder above the table; f is normal, there is no friction, and the elbow's torque is what it takes
// to keep the tip from sliding off: f_x = 0 gives tau_2 = g_2 - x f_z with x the tip's place before the
// elbow.
void two_joints_hold_a_force_by_their_torques() {
  const double l1 = 0.4, l2 = 0.3, m1 = 1, m2 = 0.6, r = 0.01, force = 12;
  const double q1 = 0.5, q2 = -1.6;
  const double a = q1 + q2;  // of the forearm
  const double elbow_x = l1 * std::cos(q1), tip_x = elbow_x + l2 * std::cos(a);
  const double tip_z = l1 * std::sin(q1) + l2 * std::sin(a);
  start(1e-3);
  const int table = add_table();
  const int shoulder = add(arm_of({rod(-1, 0, l1, m1), rod(0, l1, l2, m2)}), {q1, q2}, V(0, 0, r - tip_z));
  touch(table, carry_ball(shoulder + 1, r, V(l2, 0, 0)), 0);
  // q lifts, so gravity takes the torque + m g x and the table's force gives f x.
  const double g2 = m2 * kGravity * l2 / 2 * std::cos(a);
  const double g1 = m1 * kGravity * elbow_x / 2 + m2 * kGravity * (elbow_x + l2 / 2 * std::cos(a));
  world.state.arm.torque[0] = g1 - force * tip_x;
  world.state.arm.torque[1] = g2 - force * (tip_x - elbow_x);
  for (int k = 0; k < 20; ++k) {
    const auto report = step_well();
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, force, report.contact[0].force[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, world.state.arm.qd[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, world.state.arm.qd[1]);
  }
}

// A slider of mass m with a ball on it runs into a ball of mass M: the same as two balls of those masses that
// move along a line, step by step. The struck one rubs on nothing and gravity is off.
void a_slider_strikes_as_a_body_of_its_mass() {
  const double m = 0.3, M = 0.5, r = 0.05, h = 1e-3;
  BodyDescription<double, 3> target;
  target.mass = M;
  target.inertia = V(1e-3, 1e-3, 1e-3).asDiagonal();
  target.shape = geometry::sphere<double>(r);
  target.pose.position = V(0.13, 0, 0);
  dynamics::Link<double> slider;
  slider.joint = dynamics::ArmJoint::prismatic;
  slider.axis = V(1, 0, 0);
  slider.mass = m;
  slider.centre = V(0, 0.1, 0.3);
  slider.inertia = V(1, 1, 1).asDiagonal();
  double path[2][40];
  for (const bool by_arm : {false, true}) {
    start(h, 0);
    int ball = -1, body = -1;
    expect(What::none, add_body(world, target, ball));
    if (by_arm) {
      body = carry_ball(add(arm_of({slider}), {}, V(0, 0, 0), {2}), r, V(0, 0, 0));
      world.state.arm.torque[0] = 5;
    } else {
      auto free = target;
      free.mass = m;
      free.pose.position = V(0, 0, 0);
      free.velocity.linear = V(2, 0, 0);
      free.force.linear = V(5, 0, 0);
      expect(What::none, add_body(world, free, body));
    }
    touch(body, ball, 0.4);
    for (double& x : path[by_arm ? 1 : 0]) {
      step_well();
      x = world.state.velocity[static_cast<std::size_t>(ball)].linear[0];
    }
  }
  TEST_ASSERT_TRUE(path[0][39] > 0.5);
  for (int k = 0; k < 40; ++k) TEST_ASSERT_DOUBLE_WITHIN(1e-12, path[0][k], path[1][k]);
}

// The same slider on a compliant contact: pressed on a wall with F it sinks in by F / k.
void a_compliant_contact_gives_way_by_the_force_over_its_stiffness() {
  dynamics::Link<double> slider;
  slider.joint = dynamics::ArmJoint::prismatic;
  slider.axis = V(0, 0, 1);
  slider.mass = 0.3;
  constexpr Capacity kSoft{.bodies = 2,
                           .contacts = 1,
                           .slots = 1,
                           .active = 1,
                           .arm_joints = 4,
                           .patches = 1,
                           .patch_elements = 1};
  static World<double, 3, kSoft> soft;
  static Workspace<double, 3, kSoft> scratch;
  soft = {};
  expect(What::none, configure<double, 3, kSoft>(soft, 1e-3, V(0, 0, 0)));
  int table = 0, tip = 0, first = 0;
  expect(What::none,
         add_body<double, 3, kSoft>(soft, {.shape = geometry::half_space<double>(V(0, 0, 1), 0.0)}, table));
  ArmDescription<double, 4> arm;
  arm.links = arm_of({slider});
  arm.base.position = V(0, 0, 0.02);
  arm.torque[0] = -6;
  expect(What::none, add_arm(soft, arm, first));
  expect(What::none, add_carried(soft, 0, geometry::sphere<double>(0.02), {}, tip));
  contact::PatchLaw<double> law;
  law.stiffness = 2e4;
  law.damping = 200;
  expect(What::none,
         add_contact<double, 3, kSoft>(soft, {.a = table, .b = tip, .friction{.kinetic = 0.5}, .patch = &law},
                                       shared_index));
  StepReport<double, 3, kSoft> report;
  for (int k = 0; k < 2000; ++k) {
    report = step(soft, scratch);
    TEST_ASSERT_EQUAL_STRING(sentence(StepReason::none), sentence(report.reason));
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 6, report.contact[0].force[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, -6 / 2e4, soft.state.arm.q[0]);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(an_arm_presses_on_a_table_as_statics_says);
  RUN_TEST(two_joints_hold_a_force_by_their_torques);
  RUN_TEST(a_slider_strikes_as_a_body_of_its_mass);
  RUN_TEST(a_compliant_contact_gives_way_by_the_force_over_its_stiffness);
  return UNITY_END();
}
