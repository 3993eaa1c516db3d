// What is wrong with a scene of constants is named by its place in its list, and no world is left.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/unit/stepper/scene_lists.hpp"

using namespace scene_lists;

namespace {

template <Capacity C>
World<float, 3, C> world_of;

// A copy of kArms that can be spoilt, with a joint that it has room for.
struct Spoilt {
  SceneBody<3> body[4];
  SceneContact<3> contact[3];
  SceneArm arm[2]{kFingers[0], kFingers[1]};
  dynamics::LinkData link[2]{kLinks[0], kLinks[1]};
  SceneJoint<3> joint[1]{{.a = 0, .b = 1}};
  Scene<3> scene = kArms;

  Spoilt() {
    std::copy(std::begin(kArmBodies), std::end(kArmBodies), body);
    std::copy(std::begin(kArmContacts), std::end(kArmContacts), contact);
    scene.bodies = body;
    scene.contacts = contact;
    scene.joints = joint;
    scene.arms = arm;
    arm[1].links = link;
  }
};

// The world that had been there is gone, and a step refuses what is left.
template <class Change>
void fails(What want, int index, Change change) {
  constexpr auto kRoom = [](Capacity size) {
    ++size.joints, ++size.arm_joints, ++size.servos, ++size.mimics;
    return size;
  };
  constexpr Capacity C = kRoom(capacity_of(kArms));
  static Workspace<float, 3, C> workspace;
  Spoilt spoilt;
  auto& world = world_of<C>;
  expect(What::none, -1, build(world, spoilt.scene));
  change(spoilt);
  expect(want, index, build(world, spoilt.scene));
  TEST_ASSERT_EQUAL_INT(0, world.model.bodies + world.model.arm.links.joints);
  TEST_ASSERT_TRUE(step(world, workspace).status == StepStatus::failed);
  static_cast<void>(capacity_of(spoilt.scene));  // reads nothing that is not there
}

void errors_name_the_item() {
  static constexpr double kBeyond[]{0, 1.5};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  fails(What::step, -1, [](Spoilt& s) { s.scene = {}; });
  fails(What::step, -1, [&](Spoilt& s) { s.scene.step = nan; });
  fails(What::gravity, 2, [&](Spoilt& s) { s.scene.gravity[2] = nan; });
  fails(What::mass, 1, [](Spoilt& s) { s.body[1].mass = -1; });
  fails(What::inertia, 1, [&](Spoilt& s) { s.body[1].inertia[3] = nan; });
  fails(What::pose, 1, [&](Spoilt& s) { s.body[1].pose.w = 0; });
  fails(What::velocity, 1, [&](Spoilt& s) { s.body[1].velocity.angular[2] = nan; });
  fails(What::force, 1, [](Spoilt& s) { s.body[1].force.linear[1] = HUGE_VAL; });
  fails(What::shape_kind, 2, [](Spoilt& s) { s.body[2].shape.kind = static_cast<Space>(9); });
  fails(What::shape_size, 3, [](Spoilt& s) { s.body[3].shape.size[0] = 1e-60; });  // 0 in float
  fails(What::shape_normal, 0, [](Spoilt& s) { s.body[0].shape = {}; });
  fails(What::carried, 3, [](Spoilt& s) { s.body[3].mass = 1; });
  fails(What::unknown_link, 3, [](Spoilt& s) { s.body[3].link = 4; });
  fails(What::unknown_link, 3, [](Spoilt& s) { s.body[3].link = -2; });
  fails(What::unknown_body, 2, [](Spoilt& s) { s.contact[2].b = 4; });
  fails(What::unknown_body, 1, [](Spoilt& s) { s.contact[1].a = -1; });
  fails(What::friction, 1, [](Spoilt& s) { s.contact[1].friction.kinetic = -1; });
  fails(What::joint_anchor, 0, [&](Spoilt& s) { s.joint[0].at[0] = nan; });
  fails(What::joint_on_arm, 0, [](Spoilt& s) { s.joint[0].a = 3; });
  fails(What::link_axis, 3, [](Spoilt& s) { s.link[1].axis[1] = 0; });
  fails(What::arm_position, 1, [&](Spoilt& s) { s.arm[0].q = kBeyond; });
  fails(What::arm_base, -1, [](Spoilt& s) { s.arm[1].base.w = 0; });
  fails(What::arm_capacity, -1, [](Spoilt& s) { s.arm[1].links = {}; });
  fails(What::arm_capacity, -1, [](Spoilt& s) {
    s.arm[1].links = s.arm[0].links.first(1);
    s.arm[1].q = kStart;
  });
}

// The links of the second arm are joints 2 and 3 of the world, which has room for one motor and one mimic.
void motors_and_mimics_are_checked() {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = HUGE_VAL;
  for (const double effort : {0.0, -1.0, nan, -inf, 1e-60})  // the last is 0 in float
    fails(What::link_effort, 3, [&](Spoilt& s) { s.link[1].effort = effort; });
  fails(What::servo_capacity, 3, [](Spoilt& s) { s.link[0].effort = s.link[1].effort = 1; });
  const auto led = [](Spoilt& s, int link, int leader, double ratio = 1, double offset = 0) {
    s.link[link].mimic = leader;
    s.link[link].ratio = ratio;
    s.link[link].offset = offset;
  };
  for (const double ratio : {0.0, nan, inf, 1e-60, 1e60})
    fails(What::link_mimic, 3, [&](Spoilt& s) { led(s, 1, 0, ratio); });
  for (const double offset : {nan, inf, -1e60})
    fails(What::link_mimic, 2, [&](Spoilt& s) { led(s, 0, 1, 1, offset); });
  for (const int leader : {2, 9, -2}) fails(What::mimic_leader, 3, [&](Spoilt& s) { led(s, 1, leader); });
  fails(What::mimic_itself, 3, [&](Spoilt& s) { led(s, 1, 1); });
  fails(What::mimic_chain, 2, [&](Spoilt& s) { led(s, 0, 1), led(s, 1, 0); });
  fails(What::mimic_start, 3, [&](Spoilt& s) { led(s, 1, 0, 2, 0.1); });
  TEST_ASSERT_EQUAL_STRING("arms", list_of(What::link_effort));
  TEST_ASSERT_EQUAL_STRING("arms", list_of(What::mimic_capacity));
  TEST_ASSERT_EQUAL_STRING("", list_of(What::gravity_numbers));
}

// What the list says is what moves: the lift falls with what its motor cannot hold, and the fingers go
// together.
void a_scene_has_its_motors_and_mimics() {
  constexpr Capacity C = capacity_of(kGripper);
  auto& world = world_of<C>;
  static Workspace<float, 3, C> workspace;
  expect(What::none, -1, build(world, kGripper));
  auto& arm = world.state.arm;
  arm.torque = {40, 7, 0};
  for (int k = 1; k <= 10; ++k) {
    TEST_ASSERT_TRUE(step(world, workspace).status == StepStatus::solved);
    const float t = 1e-3F * static_cast<float>(k);
    TEST_ASSERT_FLOAT_WITHIN(1e-5F, t * (30 - 1.2F * 9.81F) / 1.2F, arm.qd[0]);
    TEST_ASSERT_FLOAT_WITHIN(1e-5F, t * 5 / 0.2F, arm.qd[1]);
    TEST_ASSERT_FLOAT_WITHIN(1e-5F, -t * 5 / 0.2F, arm.qd[2]);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(motors_and_mimics_are_checked);
  RUN_TEST(a_scene_has_its_motors_and_mimics);
  RUN_TEST(errors_name_the_item);
  return UNITY_END();
}
