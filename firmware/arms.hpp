// Arms behind the messages: links out of CONFIGURE, joints and what drives them out of STATE and back.
#pragma once

#include <messages.pb.h>

#include "firmware/convert.hpp"
#include "firmware/law.hpp"
#include "tactus/stepper/build_arm.hpp"

namespace tactus::firmware {

// What drives a joint, and what a step adds to it: torque, position, speed.
inline constexpr std::size_t kDrive = 3;

namespace detail {

// Null, or why the link cannot be read.
inline const char* read_link(const tactus_wire_Link& from, dynamics::Link<float>& to) {
  switch (from.kind) {
    case tactus_wire_LinkKind_LINK_REVOLUTE:
      to.joint = dynamics::ArmJoint::revolute;
      break;
    case tactus_wire_LinkKind_LINK_PRISMATIC:
      to.joint = dynamics::ArmJoint::prismatic;
      break;
    default:
      return "The kind of link is unknown.";
  }
  if (from.at_count != kPoseSize<3>) return "The pose of a link has 7 components.";
  if (from.axis_count != 3) return "The axis of a link has 3 components.";
  if (from.centre_count != 0 && from.centre_count != 3)
    return "The centre of mass of a link has 3 components.";
  if (from.inertia_count != 0 && from.inertia_count != 6) return "The inertia of a link has 6 components.";
  geometry::SpatialPose<float> at;
  read_pose(from.at, at);
  if (!geometry::is_valid(at)) return stepper::sentence(stepper::BuildError::arm_base);
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
  return nullptr;
}

}  // namespace detail

// Adds all arms. Until STATE says what drives them, an impedance holds the joints where they are.
template <stepper::Capacity C>
Refusal add_arms(stepper::World<float, 3, C>& world, const tactus_wire_Link* from, std::uint32_t count) {
  if (count == 0) return {};
  stepper::ArmDescription<float, C.arm_joints> arm;
  for (std::uint32_t i = 0; i < count; ++i) {
    const tactus_wire_Link& m = from[i];
    dynamics::Link<float> link;
    if (m.parent > i) return {sentence(dynamics::ArmError::parent), i};
    link.parent = static_cast<int>(m.parent) - 1;
    if (const char* const reason = detail::read_link(m, link); reason != nullptr) return {reason, i};
    const auto error = dynamics::add_link(arm.links, link);
    if (error != dynamics::ArmError::none) return {sentence(error), i};
    const float gains[] = {m.stiffness, m.damping};
    if (!detail::finite(gains, 2) || !(m.stiffness >= 0 && m.damping >= 0))
      return {"Stiffness and damping of a joint must be finite and not negative.", i};
    arm.q[i] = m.q;
    arm.qd[i] = m.qd;
    const auto start = stepper::check_start(link, m.q, m.qd, 0.0F);
    if (start != stepper::BuildError::none) return {stepper::sentence(start), i};
  }
  int first = 0;
  const auto error = stepper::add_arm(world, arm, first);
  if (error != stepper::BuildError::none) return {stepper::sentence(error)};
  for (std::uint32_t i = 0; i < count; ++i) {
    world.state.arm.position[i] = from[i].q;
    world.state.arm.stiffness[i] = from[i].stiffness;
    world.state.arm.damping[i] = from[i].damping;
  }
  return {};
}

}  // namespace tactus::firmware
