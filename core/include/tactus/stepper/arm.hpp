// What a world with arms has beside its bodies: joint positions and speeds instead of poses, and bodies that
// the links carry.
//
// All arms of a world are one forest of links (dynamics/arm.hpp), so there is one mass matrix. Where a link
// can touch something it carries a body: a shape at a fixed place on the link, without mass of its own (the
// link has it), that takes part in contacts like any other body.
//
// A world of Capacity::arm_joints = 0 has none of this, in memory or in text.
#pragma once

#include "tactus/contact/staircase.hpp"
#include "tactus/dynamics/arm_dynamics.hpp"

namespace tactus::stepper {

// Where a joint is on its law.
using JointMode = contact::RowMode;

// Of all joints, in the order in which the arms were added. What drives joint j over a step is
//
//     torque + stiffness (position - q') + damping (speed - qd'),      q' and qd' at the end of the step
//
// a held torque, and an impedance that acts within the step, so that no gain is too stiff for h. The caller
// may write everything but `mode` before every step.
template <class Scalar, int Joints>
struct ArmState {
  using Values = dynamics::JointVector<Scalar, Joints>;

  Values q{}, qd{};                                                // rad and rad/s, or m and m/s
  Values torque{};                                                 // N m, or N
  Values position{}, speed{}, stiffness{}, damping{};              // of the impedance
  std::array<JointMode, static_cast<std::size_t>(Joints)> mode{};  // what the next step guesses first
};
template <class Scalar>
struct ArmState<Scalar, 0> {};

// Where a body sits on a link.
template <class Scalar>
struct Mount {
  int link = -1;                      // -1: the body is free or fixed
  geometry::SpatialFrame<Scalar> at;  // in the frame of the link
};

template <class Scalar, int Joints, int Bodies>
struct ArmModel {
  dynamics::Arm<Scalar, Joints> links;
  std::array<Mount<Scalar>, static_cast<std::size_t>(Bodies)> mount;

  bool carries(int body) const { return mount[static_cast<std::size_t>(body)].link >= 0; }
};
template <class Scalar, int Bodies>
struct ArmModel<Scalar, 0, Bodies> {
  static constexpr bool carries(int) { return false; }
};

}  // namespace tactus::stepper
