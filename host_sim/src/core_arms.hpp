// The arms of a Scene in the words of the core, and the numbers that all such words need.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "input_error.hpp"
#include "scene.hpp"
#include "tactus/sentence.hpp"
#include "tactus/tactus.hpp"

namespace tactus::host {

template <class Scalar>
constexpr Scalar to(double x) {
  return static_cast<Scalar>(x);
}

// Sizes that a build has and another one could have more of.
constexpr bool is_capacity(What what) {
  switch (what) {
    case What::body_capacity:
    case What::contact_capacity:
    case What::slot_capacity:
    case What::patch_capacity:
    case What::patch_elements:
    case What::joint_capacity:
    case What::link_capacity:
      return true;
    default:
      return false;
  }
}

// Throws if there is an error: Unsupported where another build could have it.
inline void refuse(const Scene& scene, const std::string& key, const Error& error) {
  if (!error) return;
  const std::string reason = Sentence(error).text();
  if (error == What::unsupported_pair || error == What::no_surface || is_capacity(error.what))
    throw Unsupported(fmt::format("{}: {}: {}", scene.file, key, reason));
  throw InputError(scene.file, key, reason);
}

template <class Scalar>
dynamics::Pose<Scalar, 2> core_pose(const std::array<double, 7>& p, std::integral_constant<int, 2>) {
  return {to<Scalar>(p[0]), to<Scalar>(p[1]), to<Scalar>(p[2])};
}

template <class Scalar>
dynamics::Pose<Scalar, 3> core_pose(const std::array<double, 7>& p, std::integral_constant<int, 3>) {
  dynamics::Pose<Scalar, 3> pose;
  pose.position = {to<Scalar>(p[0]), to<Scalar>(p[1]), to<Scalar>(p[2])};
  pose.w = to<Scalar>(p[3]), pose.x = to<Scalar>(p[4]), pose.y = to<Scalar>(p[5]), pose.z = to<Scalar>(p[6]);
  return pose;
}

// The joints of all arms have the numbers of `links` in the order of the scene; a tip is a body.
template <class Scalar, stepper::Capacity C>
void add_arms(const Scene& scene, stepper::World<Scalar, 3, C>& world) {
  for (std::size_t i = 0; i < scene.arms.size(); ++i) {
    const Arm& from = scene.arms[i];
    const std::string key = fmt::format("arms[{}]", i);
    stepper::ArmDescription<Scalar, C.arm_joints> arm;
    arm.base = core_pose<Scalar>(from.base, std::integral_constant<int, 3>{});
    for (std::size_t j = 0; j < from.q.size(); ++j) {
      const Error error = add_link(arm.links, dynamics::to_link<Scalar>(from.robot.joints[j].data));
      refuse(scene, fmt::format("{}.urdf: joint \"{}\"", key, from.robot.joints[j].joint), error);
      // Rounding must not put what stands at a limit beyond it.
      arm.q[j] = std::clamp(to<Scalar>(from.q[j]), arm.links.link[j].lower, arm.links.link[j].upper);
      arm.qd[j] = to<Scalar>(from.qd[j]);
      stepper::take_drive(from.robot.joints[j].data, j, arm);
    }
    int first = 0;
    refuse(scene, key, stepper::add_arm(world, arm, first));
    for (std::size_t t = 0; t < from.tips.size(); ++t) {
      const Tip& tip = from.tips[t];
      geometry::SpatialPose<Scalar> at;
      for (int k = 0; k < 3; ++k) at.position[k] = to<Scalar>(tip.centre[static_cast<std::size_t>(k)]);
      int body = 0;
      refuse(
          scene, fmt::format("{}.tips[{}]", key, t),
          stepper::add_carried(world, first + tip.joint, geometry::sphere(to<Scalar>(tip.radius)), at, body));
    }
  }
}

// What drives the joints over the step of h from t on: the torques at its start, as with forces; the
// impedance acts on the joints at its end, and pulls to where it pulls then.
template <class Scalar, stepper::Capacity C>
void drive_arms(const Scene& scene, double t, double h, stepper::World<Scalar, 3, C>& world) {
  auto& state = world.state.arm;
  std::size_t joint = 0;
  for (const Arm& arm : scene.arms) {
    for (std::size_t j = 0; j < arm.q.size(); ++j, ++joint) {
      state.torque[joint] = to<Scalar>(arm.torque.at(t, j));
      if (!arm.impedance) continue;
      state.stiffness[joint] = to<Scalar>(arm.impedance->stiffness[j]);
      state.damping[joint] = to<Scalar>(arm.impedance->damping[j]);
      state.position[joint] = to<Scalar>(arm.impedance->q.at(t + h, j));
      state.speed[joint] = to<Scalar>(arm.impedance->qd.at(t + h, j));
    }
  }
}

}  // namespace tactus::host
