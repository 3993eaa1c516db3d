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
// a held torque, and an impedance that acts within the step, so that no gain is too stiff for h. Where the
// joint's motor has a limit, that is all of what it gives: the sum stays within it. The caller may write
// everything but `mode` and `motor` before every step.
template <class Scalar, int Joints, int Servos = 0>
struct ArmState {
  using Values = dynamics::JointVector<Scalar, Joints>;

  Values q{}, qd{};                                                // rad and rad/s, or m and m/s
  Values torque{};                                                 // N m, or N
  Values position{}, speed{}, stiffness{}, damping{};              // of the impedance
  std::array<JointMode, static_cast<std::size_t>(Joints)> mode{};  // what the next step guesses first
  [[no_unique_address]] std::array<JointMode, static_cast<std::size_t>(Servos > 0 ? Joints : 0)>
      motor{};  // the same of motors with a limit: sticks within it, falls at it, rises at minus it
};
template <class Scalar, int Servos>
struct ArmState<Scalar, 0, Servos> {};

// A gear, a linkage, a second finger: joint `leader` of the same arm puts joint k where
//     q_k = ratio q_leader + offset,
// and both bear what that takes.
template <class Scalar>
struct Mimic {
  int leader = -1;  // -1: the joint moves by itself
  Scalar ratio = 1, offset = 0;
};

// Where a body sits on a link.
template <class Scalar>
struct Mount {
  int link = -1;                      // -1: the body is free or fixed
  geometry::SpatialFrame<Scalar> at;  // in the frame of the link
};

// A joint that another one leads, in the numbers of the world.
template <class Scalar>
struct Follower {
  std::uint8_t joint = 0, leader = 0;
  Scalar ratio = 1, offset = 0;
};

// What motors give at most, N m or N, by joint.
template <class Scalar, int Joints>
struct Motors {
  int limited = 0;  // how many have a limit
  dynamics::JointVector<Scalar, Joints> most{};
};
template <class Scalar>
struct Motors<Scalar, 0> {};

template <class Scalar, int Mimics>
struct Followers {
  int count = 0;
  std::array<Follower<Scalar>, static_cast<std::size_t>(Mimics)> joint{};
};
template <class Scalar>
struct Followers<Scalar, 0> {};

template <class Scalar, int Joints, int Bodies, int Servos = 0, int Mimics = 0>
struct ArmModel {
  dynamics::Arm<Scalar, Joints> links;
  std::array<Mount<Scalar>, static_cast<std::size_t>(Bodies)> mount;
  [[no_unique_address]] Motors<Scalar, (Servos > 0 ? Joints : 0)> motors;
  [[no_unique_address]] Followers<Scalar, Mimics> followers;

  bool carries(int body) const { return mount[static_cast<std::size_t>(body)].link >= 0; }
};
template <class Scalar, int Bodies, int Servos, int Mimics>
struct ArmModel<Scalar, 0, Bodies, Servos, Mimics> {
  static constexpr bool carries(int) { return false; }
};

}  // namespace tactus::stepper
