// Building a world with arms: see build.hpp.
//
//     dynamics::Arm<float, 3> finger;                               // its links, each checked by add_link
//     dynamics::build_arm(kFinger, finger);
//     add_arm(world, {.links = finger, .base = ..., .q{0, 0.4F, 0.8F}}, first_joint);
//     add_carried(world, first_joint + 2, geometry::sphere(0.005F), {.position{0, 0, 0.025F}}, tip);
//     add_contact(world, {.a = tip, .b = box, .friction{.kinetic = 0.5F}}, touch);
#pragma once

#include "tactus/dynamics/arm_model.hpp"
#include "tactus/stepper/build.hpp"
#include "tactus/stepper/place.hpp"

namespace tactus::stepper {

template <class Scalar, int Joints>
inline dynamics::JointVector<Scalar, Joints> no_limits() {
  dynamics::JointVector<Scalar, Joints> values;
  values.fill(std::numeric_limits<Scalar>::infinity());
  return values;
}

template <class Scalar, int Joints>
struct ArmDescription {
  dynamics::Arm<Scalar, Joints> links;
  geometry::SpatialPose<Scalar> base{};
  dynamics::JointVector<Scalar, Joints> q{}, qd{};  // within the limits
  dynamics::JointVector<Scalar, Joints> torque{};   // held; see ArmState for what else may drive a joint
  // What each motor gives at most, positive, N m or N: of the held torque and the impedance together.
  dynamics::JointVector<Scalar, Joints> effort = no_limits<Scalar, Joints>();
  std::array<Mimic<Scalar>, static_cast<std::size_t>(Joints)> mimic{};  // leaders count from the arm's first
};

// Writes the poses and velocities of the bodies that links carry, from the joints. step() asks for none of
// them and keeps only the velocities, those of its start.
template <class Scalar, Capacity C>
inline void place_carried(const Model<Scalar, 3, C>& m, State<Scalar, 3, C>& state) {
  if constexpr (C.arm_joints > 0) {
    const dynamics::Base<Scalar> ground;
    dynamics::ArmPose<Scalar, C.arm_joints> pose;
    dynamics::place(m.arm.links, ground.frame, state.arm.q, pose);
    detail::each_carried(m, [&](std::size_t i, const Mount<Scalar>& mount) {
      const auto frame = detail::placed_on(pose.frame[detail::at(mount.link)], mount.at);
      state.pose[i] = geometry::pose(frame);
      state.velocity[i] =
          dynamics::velocity_at(m.arm.links, pose, ground, state.arm.qd, mount.link, frame.position);
    });
  }
}

// Whether a joint may start there.
template <class Scalar>
[[gnu::cold]] inline Error check_start(const dynamics::Link<Scalar>& link, Scalar q, Scalar qd,
                                       Scalar torque) {
  if (!(q >= link.lower && q <= link.upper) || !math::finite(q))
    return {What::arm_position, -1, q < link.lower ? link.lower : link.upper, q};
  if (!math::finite(qd)) return {What::arm_speed, -1, 0, qd};
  if (!math::finite(torque)) return {What::arm_torque, -1, 0, torque};
  return {};
}

// What drives joint k in plain numbers.
template <class Scalar, int Joints>
inline void take_drive(const dynamics::LinkData& from, std::size_t k, ArmDescription<Scalar, Joints>& to) {
  to.effort[k] = static_cast<Scalar>(from.effort);
  to.mimic[k] = {from.mimic, static_cast<Scalar>(from.ratio), static_cast<Scalar>(from.offset)};
}

namespace detail {

// Joint k of an arm that joint `mimic.leader` of it leads.
template <class Scalar, int Joints>
[[gnu::cold]] inline Error check_mimic(const ArmDescription<Scalar, Joints>& arm, int k) {
  const auto& [leader, ratio, offset] = arm.mimic[at(k)];
  if (!math::finite(ratio) || ratio == 0 || !math::finite(offset)) return {What::link_mimic, k};
  if (leader < 0 || leader >= arm.links.joints) return {What::mimic_leader, k, arm.links.joints, leader};
  if (leader == k) return {What::mimic_itself, k};
  if (arm.mimic[at(leader)].leader != -1) return {What::mimic_chain, k, 0, leader};
  constexpr Scalar kNear = Scalar(1e-4);
  const Scalar place = ratio * arm.q[at(leader)] + offset;
  if (!(math::magnitude(arm.q[at(k)] - place) <= kNear * math::larger(Scalar(1), math::magnitude(place))))
    return {What::mimic_start, k, place, arm.q[at(k)]};
  return {};
}

// Motors and mimics of an arm, and whether the world has room for them.
template <class Scalar, Capacity C, int Joints>
[[gnu::cold]] inline Error check_drives(const Model<Scalar, 3, C>& m,
                                        const ArmDescription<Scalar, Joints>& arm) {
  int limited = 0, mimics = 0;
  if constexpr (C.servos > 0) limited = m.arm.motors.limited;
  if constexpr (C.mimics > 0) mimics = m.arm.followers.count;
  for (int k = 0; k < arm.links.joints; ++k) {
    const Scalar effort = arm.effort[at(k)];
    if (!(effort > 0)) return {What::link_effort, k, 0, effort};
    if (math::finite(effort) && ++limited > C.servos) return {What::servo_capacity, k, limited, C.servos};
    if (arm.mimic[at(k)].leader == -1) continue;
    if (const Error error = check_mimic(arm, k)) return error;
    if (++mimics > C.mimics) return {What::mimic_capacity, k, mimics, C.mimics};
  }
  return {};
}

// The same into the world, the arm's joints from number `first` on.
template <class Scalar, Capacity C, int Joints>
[[gnu::cold]] inline void add_drives(const ArmDescription<Scalar, Joints>& arm, int first,
                                     World<Scalar, 3, C>& world) {
  for (int k = 0; k < arm.links.joints; ++k) {
    if constexpr (C.servos > 0) {
      auto& motors = world.model.arm.motors;
      motors.most[at(first + k)] = arm.effort[at(k)];
      motors.limited += math::finite(arm.effort[at(k)]) ? 1 : 0;
      world.state.arm.motor[at(first + k)] = JointMode::unknown;
    }
    if constexpr (C.mimics > 0) {
      const auto& mimic = arm.mimic[at(k)];
      if (mimic.leader == -1) continue;
      auto& followers = world.model.arm.followers;
      followers.joint[at(followers.count++)] = {static_cast<std::uint8_t>(first + k),
                                                static_cast<std::uint8_t>(first + mimic.leader), mimic.ratio,
                                                mimic.offset};
    }
  }
}

}  // namespace detail

// Appends the arm's links to those of the world; the joints get the numbers from first_joint on.
template <class Scalar, Capacity C, int Joints>
[[gnu::cold]] inline Error add_arm(World<Scalar, 3, C>& world, const ArmDescription<Scalar, Joints>& arm,
                                   int& first_joint) {
  static_assert(C.arm_joints > 0, "this world was compiled without arms");
  auto& links = world.model.arm.links;
  auto& state = world.state.arm;
  const int first = links.joints, count = arm.links.joints;
  if (world.model.is_implicit()) return What::no_arms;
  if (count < 1 || first + count > C.arm_joints) return {What::arm_capacity, -1, first + count, C.arm_joints};
  if (world.model.ellipsoid.any()) return What::ellipsoid;
  if (!geometry::is_valid(arm.base)) return What::arm_base;
  for (std::size_t k = 0; k < detail::at(count); ++k) {
    if (const Error error = check_start(arm.links.link[k], arm.q[k], arm.qd[k], arm.torque[k]))
      return error.of(static_cast<int>(k));
  }
  if (const Error error = detail::check_drives(world.model, arm)) return error;
  const auto base = geometry::frame(arm.base);
  for (std::size_t k = 0; k < detail::at(count); ++k) {
    const std::size_t j = detail::at(first) + k;
    auto& link = links.link[j];
    link = arm.links.link[k];
    if (link.parent < 0)
      link.at = detail::placed_on(base, link.at);
    else
      link.parent += first;
    state.q[j] = arm.q[k];
    state.qd[j] = arm.qd[k];
    state.torque[j] = arm.torque[k];
    state.position[j] = state.speed[j] = state.stiffness[j] = state.damping[j] = 0;
    state.mode[j] = JointMode::unknown;
  }
  links.joints = first + count;
  dynamics::ArmPose<Scalar, C.arm_joints> pose;
  dynamics::MassMatrix<Scalar, C.arm_joints> M;
  dynamics::place(links, geometry::SpatialFrame<Scalar>{}, state.q, pose);
  dynamics::mass_matrix(links, pose, M);
  if (!dynamics::factor_mass(links, M)) {
    links.joints = first;
    return What::arm_mass;
  }
  detail::add_drives(arm, first, world);
  first_joint = first;
  return {};
}

// A shape at `at` in the frame of a link: a body for add_contact.
template <class Scalar, Capacity C>
[[gnu::cold]] inline Error add_carried(World<Scalar, 3, C>& world, int link,
                                       const geometry::SpatialShape<Scalar>& shape,
                                       const geometry::SpatialPose<Scalar>& at, int& index) {
  static_assert(C.arm_joints > 0, "this world was compiled without arms");
  auto& m = world.model;
  if (link < 0 || link >= m.arm.links.joints) return {What::unknown_link, m.bodies, m.arm.links.joints, link};
  if (!geometry::check(shape) && detail::is_half_space(shape)) return {What::moving_half_space, m.bodies};
  int made = 0;
  if (const Error error = add_body<Scalar, 3, C>(world, {.shape = shape, .pose = at}, made)) return error;
  m.arm.mount[detail::at(made)] = {link, geometry::frame(at)};
  place_carried(m, world.state);
  index = made;
  return {};
}

}  // namespace tactus::stepper
