// The two manipulators whose horizons are measured on every machine: a finger of three joints that pinches a
// box against a wall, and an arm of seven that pushes a box over a table. Masses and lengths are those of
// host_sim/models/finger.urdf and arm7.urdf.
#pragma once

#include "tactus/dynamics/arm_model.hpp"
#include "tactus/tactus.hpp"

namespace arms {

using namespace tactus;
using namespace tactus::stepper;

inline constexpr geometry::PairSet kShapes =
    geometry::pair(geometry::SpatialKind::half_space, geometry::SpatialKind::box) |
    geometry::pair(geometry::SpatialKind::sphere, geometry::SpatialKind::box);
inline constexpr Capacity kPinch{.bodies = 3,
                                 .contacts = 2,
                                 .slots = 2,
                                 .active = 2,
                                 .arm_joints = 3,
                                 .points = 1,
                                 .pairs = kShapes,
                                 .parts = 0};
inline constexpr Capacity kPush{
    .bodies = 3, .contacts = 2, .slots = 9, .active = 5, .arm_joints = 7, .pairs = kShapes, .parts = 0};

inline constexpr dynamics::LinkData kFinger[] = {
    {.axis = {1, 0, 0},
     .mass = 0.05,
     .centre = {0, 0, 0.025},
     .inertia = {1.122e-5, 1.122e-5, 1.6e-6, 0, 0, 0},
     .friction = 0.002,
     .lower = -0.6,
     .upper = 0.6},
    {.parent = 0,
     .position = {0, 0, 0.05},
     .axis = {0, 1, 0},
     .mass = 0.035,
     .centre = {0, 0, 0.02},
     .inertia = {5.095e-6, 5.095e-6, 8.575e-7, 0, 0, 0},
     .friction = 0.002,
     .lower = -0.2,
     .upper = 1.8},
    {.parent = 1,
     .position = {0, 0, 0.04},
     .axis = {0, 1, 0},
     .mass = 0.023,
     .centre = {0, 0, 0.01413},
     .inertia = {1.67e-6, 1.67e-6, 4e-7, 0, 0, 0},
     .friction = 0.002,
     .lower = -0.2,
     .upper = 1.8},
};

// Link k + 1 turns about z of its own frame, which is turned about x by a quarter to and fro.
constexpr dynamics::LinkData turning(int parent, double y, double z, int quarter, double mass, double cy,
                                     double cz, double ixx, double iyy, double izz, double friction,
                                     double limit) {
  const double s = quarter, c = quarter == 0 ? 1 : 0;
  return {.parent = parent,
          .position = {0, y, z},
          .rotation = {1, 0, 0, 0, c, -s, 0, s, c},
          .mass = mass,
          .centre = {0, cy, cz},
          .inertia = {ixx, iyy, izz, 0, 0, 0},
          .friction = friction,
          .lower = -limit,
          .upper = limit};
}
inline constexpr dynamics::LinkData kArm7[] = {
    turning(-1, 0, 0.16, 0, 3.5, -0.02, 0.1, 0.022, 0.02, 0.008, 0.5, 2.9),
    turning(0, 0, 0.17, -1, 3.2, -0.1, 0.02, 0.02, 0.007, 0.019, 0.5, 2.0),
    turning(1, -0.2, 0, 1, 2.6, 0.02, 0.1, 0.015, 0.014, 0.005, 0.4, 2.9),
    turning(2, 0, 0.2, 1, 2.2, 0.1, 0.02, 0.011, 0.004, 0.01, 0.4, 2.1),
    turning(3, 0.2, 0, -1, 1.8, -0.02, 0.1, 0.008, 0.0078, 0.003, 0.3, 2.9),
    turning(4, 0, 0.2, -1, 1.4, -0.03, 0.02, 0.003, 0.0022, 0.0028, 0.2, 2.0),
    turning(5, -0.08, 0, 1, 0.55, 0, 0.0436, 7.73e-4, 7.73e-4, 2.6e-4, 0.2, 3.0),
};

// The torques that hold an arm at rest in its pose.
template <class Scalar, Capacity C>
inline void hold_still(World<Scalar, 3, C>& world) {
  auto& arm = world.state.arm;
  dynamics::ArmPose<Scalar, C.arm_joints> pose;
  const dynamics::Base<Scalar> ground;
  dynamics::place(world.model.arm.links, ground.frame, arm.q, pose);
  dynamics::inverse_dynamics(world.model.arm.links, pose, ground, world.model.gravity, {},
                             static_cast<const dynamics::JointVector<Scalar, C.arm_joints>*>(nullptr),
                             arm.torque);
}

// The torques J^T f that press the centre of a carried body with the force f, in world axes, added.
template <class Scalar, Capacity C>
inline void press(World<Scalar, 3, C>& world, int body, const math::Vector<Scalar, 3>& f) {
  const auto& m = world.model;
  dynamics::ArmPose<Scalar, C.arm_joints> pose;
  dynamics::Jacobian<Scalar, C.arm_joints> J;
  dynamics::place(m.arm.links, dynamics::Base<Scalar>{}.frame, world.state.arm.q, pose);
  const auto b = static_cast<std::size_t>(body);
  dynamics::jacobian(m.arm.links, pose, m.arm.mount[b].link, world.state.pose[b].position, J);
  for (std::size_t j = 0; j < static_cast<std::size_t>(m.arm.links.joints); ++j)
    world.state.arm.torque[j] += math::fused_dot<Scalar, 3>(J.linear[j], f);
}

template <class Scalar, Capacity C>
inline void stiffen(World<Scalar, 3, C>& world, Scalar stiffness, Scalar damping) {
  auto& arm = world.state.arm;
  arm.position = arm.q;
  for (std::size_t j = 0; j < static_cast<std::size_t>(world.model.arm.links.joints); ++j) {
    arm.stiffness[j] = stiffness;
    arm.damping[j] = damping;
  }
}

inline constexpr int kBox = 1, kTip = 2;       // bodies; 0 is wall or table
inline constexpr int kHeld = 0, kTouched = 1;  // contacts: box on wall or table, tip on box

// A box of 50 g, pinched with 2 N between the tip and one point of a wall.
template <class Scalar>
inline bool make_pinch(World<Scalar, 3, kPinch>& world, Scalar h, Scalar mu = Scalar(0.5)) {
  using V = math::Vector<Scalar, 3>;
  world = {};
  int index = 0;
  constexpr Scalar kHalf = Scalar(0.02), kRadius = Scalar(0.005);
  ArmDescription<Scalar, 3> finger;
  bool good = dynamics::build_arm(kFinger, finger.links) == What::none;
  finger.q = {0, Scalar(0.4), Scalar(0.8)};
  const Scalar a = finger.q[1], b = a + finger.q[2];
  const V tip(Scalar(0.04) * std::sin(a) + Scalar(0.025) * std::sin(b), 0,
              Scalar(0.05) + Scalar(0.04) * std::cos(a) + Scalar(0.025) * std::cos(b));
  const auto ok = [&](const Error& error) { good = good && !error; };
  ok(configure<Scalar, 3, kPinch>(world, h, {0, 0, Scalar(-9.81)}));
  const Scalar wall = tip[0] + kRadius + 2 * kHalf;
  ok(add_body<Scalar, 3, kPinch>(world, {.shape = geometry::half_space<Scalar>(V(-1, 0, 0), -wall)}, index));
  BodyDescription<Scalar, 3> box;
  box.mass = Scalar(0.05);
  box.inertia.diagonal().setConstant(Scalar(0.05) * kHalf * kHalf * 2 / 3);
  box.shape = geometry::box<Scalar>(kHalf, kHalf, kHalf);
  box.pose.position = V(wall - kHalf, 0, tip[2]);
  ok(add_body(world, box, index));
  ok(add_arm(world, finger, index));
  geometry::SpatialPose<Scalar> mount;
  mount.position = V(0, 0, Scalar(0.025));
  ok(add_carried(world, 2, geometry::sphere<Scalar>(kRadius), mount, index));
  const V point(kHalf, 0, 0);
  ok(add_contact<Scalar, 3, kPinch>(
      world, {.a = 0, .b = kBox, .friction{.kinetic = mu}, .points = &point, .point_count = 1}, index));
  ok(add_contact<Scalar, 3, kPinch>(world, {.a = kTip, .b = kBox, .friction{.kinetic = mu}}, index));
  if (!good) return false;
  hold_still(world);
  press(world, kTip, V(2, 0, 0));
  stiffen(world, Scalar(2), Scalar(0.02));
  return true;
}

// A box of 2 kg on four corners, the tool beside it.
template <class Scalar>
inline bool make_push(World<Scalar, 3, kPush>& world, Scalar h, Scalar mu = Scalar(0.5)) {
  using V = math::Vector<Scalar, 3>;
  world = {};
  int index = 0;
  const V half(Scalar(0.1), Scalar(0.1), Scalar(0.05));
  constexpr Scalar kRadius = Scalar(0.02);
  ArmDescription<Scalar, 7> arm;
  bool good = dynamics::build_arm(kArm7, arm.links) == What::none;
  arm.q = {0, Scalar(0.7), 0, Scalar(-1.3), 0, Scalar(0.9), 0};
  geometry::SpatialPose<Scalar> mount;
  mount.position = V(0, 0, Scalar(0.06));
  dynamics::ArmPose<Scalar, 7> pose;
  dynamics::place(arm.links, dynamics::Base<Scalar>{}.frame, arm.q, pose);
  const V tool = pose.frame[6].to_world(mount.position);
  const auto ok = [&](const Error& error) { good = good && !error; };
  ok(configure<Scalar, 3, kPush>(world, h, {0, 0, Scalar(-9.81)}));
  const Scalar table = tool[2] - half[2];
  ok(add_body<Scalar, 3, kPush>(world, {.shape = geometry::half_space<Scalar>(V(0, 0, 1), table)}, index));
  BodyDescription<Scalar, 3> box;
  box.mass = 2;
  box.inertia.diagonal() << Scalar(0.0083333), Scalar(0.0083333), Scalar(0.0133333);
  box.shape = geometry::box<Scalar>(half[0], half[1], half[2]);
  box.pose.position = V(tool[0] + kRadius + half[0], tool[1], tool[2]);
  ok(add_body(world, box, index));
  ok(add_arm(world, arm, index));
  ok(add_carried(world, 6, geometry::sphere<Scalar>(kRadius), mount, index));
  ok(add_contact<Scalar, 3, kPush>(world, {.a = 0, .b = kBox, .friction{.kinetic = mu}}, index));
  ok(add_contact<Scalar, 3, kPush>(world, {.a = kTip, .b = kBox, .friction{.kinetic = mu}}, index));
  if (!good) return false;
  hold_still(world);
  stiffen(world, Scalar(200), Scalar(20));
  return true;
}

}  // namespace arms
