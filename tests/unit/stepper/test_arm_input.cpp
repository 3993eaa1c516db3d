// States and arms that cannot be, refused in a sentence.
#include <cstring>

#include "arms.hpp"

using namespace arms;

namespace {

void a_state_that_is_not_finite_is_refused() {
  start(1e-3);
  add(arm_of({rod(-1, 0, 0.4, 1)}), {0.3});
  for (auto member : {&ArmState<double, 4>::q, &ArmState<double, 4>::qd, &ArmState<double, 4>::torque,
                      &ArmState<double, 4>::position, &ArmState<double, 4>::speed,
                      &ArmState<double, 4>::stiffness, &ArmState<double, 4>::damping})
    for (const double bad : {kNan, kInf, -kInf}) {
      const double kept = (world.state.arm.*member)[0];
      (world.state.arm.*member)[0] = bad;
      const auto before = world.state.arm;
      const auto report = step(world, workspace);
      TEST_ASSERT_TRUE(report.status == StepStatus::failed);
      TEST_ASSERT_EQUAL_STRING(sentence(StepReason::bad_state), sentence(report.reason));
      TEST_ASSERT_EQUAL_INT(0, std::memcmp(&before.q, &world.state.arm.q, sizeof before.q));
      TEST_ASSERT_EQUAL_INT(0, std::memcmp(&before.qd, &world.state.arm.qd, sizeof before.qd));
      (world.state.arm.*member)[0] = kept;
    }
  step_well();
}

void an_arm_that_cannot_be_is_refused() {
  start(1e-3);
  ArmDescription<double, 4> good;
  good.links = arm_of({rod(-1, 0, 0.4, 1), rod(0, 0.4, 0.3, 0.6)});
  good.links.link[0].upper = 1;
  int index = -7;
  const auto refused = [&](What want, const auto& change) {
    auto arm = good;
    change(arm);
    expect(want, add_arm(world, arm, index));
    TEST_ASSERT_EQUAL_INT(-7, index);
    TEST_ASSERT_EQUAL_INT(0, world.model.arm.links.joints);
  };
  refused(What::arm_capacity, [](auto& a) { a.links.joints = 0; });
  refused(What::arm_base, [](auto& a) { a.base.w = 2; });
  refused(What::arm_base, [](auto& a) { a.base.position[1] = kNan; });
  refused(What::arm_position, [](auto& a) { a.q[1] = kNan; });
  refused(What::arm_position, [](auto& a) { a.q[1] = kInf; });
  refused(What::arm_position, [](auto& a) { a.q[0] = 1.01; });
  refused(What::arm_speed, [](auto& a) { a.qd[1] = kInf; });
  refused(What::arm_torque, [](auto& a) { a.torque[0] = kNan; });
  refused(What::arm_mass, [](auto& a) {
    a.links.link[1].mass = 0;
    a.links.link[1].inertia.setZero();
  });
  expect(What::none, add_arm(world, good, index));
  expect(What::none, add_arm(world, good, index));
  TEST_ASSERT_EQUAL_INT(2, index);
  index = -7;
  expect(What::arm_capacity, add_arm(world, good, index));

  const auto ball = geometry::sphere<double>(0.01);
  for (const int link : {-1, 4, 100}) expect(What::unknown_link, add_carried(world, link, ball, {}, index));
  auto shape = ball;
  shape.size[0] = kNan;
  expect(What::shape_not_finite, add_carried(world, 0, shape, {}, index));
  expect(What::moving_half_space,
         add_carried(world, 0, geometry::half_space<double>(V(0, 0, 1), 0.0), {}, index));
  geometry::SpatialPose<double> nowhere;
  nowhere.position[0] = kInf;
  expect(What::pose, add_carried(world, 0, ball, nowhere, index));
  TEST_ASSERT_EQUAL_INT(-7, index);
  const int tip = carry_ball(1, 0.01, V(0.3, 0, 0)), other = add_table();
  expect(What::joint_on_arm, add_joint<double, 3, kSize>(world, dynamics::JointType::fixed, other, tip,
                                                         V(0, 0, 0), V(1, 0, 0), index));
  carry_ball(0, 0.01, V(0.3, 0, 0));
  carry_ball(0, 0.01, V(0.3, 0, 0));
  expect(What::body_capacity, add_carried(world, 0, ball, {}, index));
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_state_that_is_not_finite_is_refused);
  RUN_TEST(an_arm_that_cannot_be_is_refused);
  return UNITY_END();
}
