// Arms behind the messages: links out of CONFIGURE, joints and what drives them out of STATE and back.
#pragma once

#include <messages.pb.h>

#include "firmware/convert.hpp"
#include "firmware/law.hpp"
#include "tactus/tactus.hpp"

namespace tactus::firmware {

// What drives a joint, and what a step adds to it: torque, position, speed.
inline constexpr std::size_t kDrive = 3;

namespace detail {

inline Error read_link(const tactus_wire_Link& from, int number, dynamics::Link<float>& to) {
  switch (from.kind) {
    case tactus_wire_LinkKind_LINK_REVOLUTE:
      to.joint = dynamics::ArmJoint::revolute;
      break;
    case tactus_wire_LinkKind_LINK_PRISMATIC:
      to.joint = dynamics::ArmJoint::prismatic;
      break;
    default:
      return {What::link_kind, number, 0, static_cast<int>(from.kind)};
  }
  if (from.at_count != kPoseSize<3>) return {What::link_pose_numbers, number, kPoseSize<3>, from.at_count};
  if (from.axis_count != 3) return {What::link_axis_numbers, number, 3, from.axis_count};
  if (from.centre_count != 0 && from.centre_count != 3)
    return {What::link_centre_numbers, number, 3, from.centre_count};
  if (from.inertia_count != 0 && from.inertia_count != 6)
    return {What::link_inertia_numbers, number, 6, from.inertia_count};
  geometry::SpatialPose<float> at;
  read_pose(from.at, at);
  if (!geometry::is_valid(at)) return {What::link_frame, number};
  to.at = geometry::frame(at);
  for (int i = 0; i < 3; ++i) to.axis[i] = from.axis[i];
  to.mass = from.mass;
  for (int i = 0; i < 3 && from.centre_count != 0; ++i) to.centre[i] = from.centre[i];
  if (from.inertia_count != 0) to.inertia = read_inertia(from.inertia);
  to.rotor = from.rotor;
  to.friction = from.friction;
  if (from.lower != 0 || from.upper != 0) {
    to.lower = from.lower;
    to.upper = from.upper;
  }
  return {};
}

}  // namespace detail

// Adds all arms. Until STATE says what drives them, an impedance holds the joints where they are.
template <stepper::Capacity C>
Error add_arms(stepper::World<float, 3, C>& world, const tactus_wire_Link* from, std::uint32_t count) {
  if (count == 0) return {};
  stepper::ArmDescription<float, C.arm_joints> arm;
  for (std::uint32_t i = 0; i < count; ++i) {
    const tactus_wire_Link& m = from[i];
    dynamics::Link<float> link;
    const int number = static_cast<int>(i);
    if (m.parent > i) return {What::link_parent, number, number - 1, m.parent - 1};
    link.parent = static_cast<int>(m.parent) - 1;
    if (const Error error = detail::read_link(m, number, link)) return error;
    if (const Error error = dynamics::add_link(arm.links, link)) return error;
    const float gains[] = {m.stiffness, m.damping};
    if (!detail::finite(gains, 2) || !(m.stiffness >= 0 && m.damping >= 0)) return {What::link_gains, number};
    arm.q[i] = m.q;
    arm.qd[i] = m.qd;
    if (const Error error = stepper::check_start(link, m.q, m.qd, 0.0F)) return error.of(number);
  }
  int first = 0;
  if (const Error error = stepper::add_arm(world, arm, first)) return error;
  for (std::uint32_t i = 0; i < count; ++i) {
    world.state.arm.position[i] = from[i].q;
    world.state.arm.stiffness[i] = from[i].stiffness;
    world.state.arm.damping[i] = from[i].damping;
  }
  return {};
}

}  // namespace tactus::firmware
