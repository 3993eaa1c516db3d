// Hard states of a finger, drawn from a fixed seed: three joints with friction and limits, the tip with
// friction on a table or a hair above it, every second state with a joint at a limit, torques that press,
// lift or hold. Four thousand states, three steps each: 12,000 steps in which modes of joints and contacts
// have to fit together.
//
//     finger::Draw draw;
//     for (int k = 0; k < finger::kStates; ++k) {
//       build(world, draw.next(k));
//       for (int s = 0; s < finger::kSteps; ++s) step(world, workspace);
//     }
#pragma once

#include <array>
#include <cstdint>

#include "tactus/tactus.hpp"

namespace finger {

using namespace tactus;
using namespace tactus::stepper;

inline constexpr int kStates = 4000, kSteps = 3, kJoints = 3;
inline constexpr double kLimit = 1.2;    // rad, both ways
inline constexpr double kRadius = 0.01;  // of the tip, m
inline constexpr Capacity kSize{.bodies = 2, .contacts = 1, .slots = 1, .active = 1, .arm_joints = kJoints};

struct Start {
  double friction = 0;  // of each joint, N m
  double mu = 0;        // of tip and table
  double height = 0;    // of the base above the table, m
  std::array<double, kJoints> q{}, qd{}, torque{};
};

// The states in their order; k is the number of the state.
class Draw {
 public:
  Start next(int k) {
    Start start;
    start.friction = uniform(0, 0.3);
    for (double& q : start.q) q = uniform(-kLimit, kLimit);
    if (k % 4 == 1) start.q[1] = -kLimit;
    if (k % 4 == 2) start.q[2] = kLimit;
    for (double& qd : start.qd) qd = k % 3 == 0 ? 0 : uniform(-2, 2);
    // core's sine, which is the same on every machine
    const double tip =
        0.08 * math::sin_cos(start.q[1]).sin + 0.05 * math::sin_cos(start.q[1] + start.q[2]).sin;
    start.height = kRadius - tip + (k % 5 == 0 ? 1e-5 : 0.0);
    start.mu = uniform(0, 1.2);
    for (double& torque : start.torque) torque = uniform(-0.6, 0.6);
    return start;
  }

 private:
  double uniform(double from, double to) {  // a linear congruential generator's upper 24 bits
    seed_ = seed_ * 1664525U + 1013904223U;
    return from + (to - from) * static_cast<double>(seed_ >> 8) / 16777216.0;
  }
  std::uint32_t seed_ = 12345;
};

// A thin rod of length l and mass m along x of its link, `from` along x of the one before.
template <class Scalar>
dynamics::Link<Scalar> link(const Start& start, int parent, double from, double l, double m) {
  using Vector = math::Vector<Scalar, 3>;
  const auto s = [](double x) { return static_cast<Scalar>(x); };
  dynamics::Link<Scalar> link;
  link.parent = parent;
  link.at.position = Vector(s(from), 0, 0);
  link.axis = parent < 0 ? Vector(0, 0, 1) : Vector(0, -1, 0);  // the first turns about z, the others lift
  link.mass = s(m);
  link.centre = Vector(s(l / 2), 0, 0);
  link.inertia = Vector(0, s(m * l * l / 12), s(m * l * l / 12)).asDiagonal();
  link.friction = s(start.friction);
  link.lower = s(-kLimit);
  link.upper = s(kLimit);
  return link;
}

// The world that starts there; false if it was not taken.
template <class Scalar, Capacity C>
bool build(World<Scalar, 3, C>& world, const Start& start) {
  using Vector = math::Vector<Scalar, 3>;
  const auto s = [](double x) { return static_cast<Scalar>(x); };
  world = {};
  BodyDescription<Scalar, 3> ground;
  ground.shape = geometry::half_space<Scalar>(Vector(0, 0, 1), Scalar(0));
  ArmDescription<Scalar, kJoints> arm;
  bool good = add_link(arm.links, link<Scalar>(start, -1, 0, 0.1, 0.2)) == What::none &&
              add_link(arm.links, link<Scalar>(start, 0, 0.1, 0.08, 0.1)) == What::none &&
              add_link(arm.links, link<Scalar>(start, 1, 0.08, 0.05, 0.05)) == What::none;
  arm.base.position = Vector(0, 0, s(start.height));
  for (std::size_t j = 0; j < kJoints; ++j) {
    arm.q[j] = s(start.q[j]);
    arm.qd[j] = s(start.qd[j]);
    arm.torque[j] = s(start.torque[j]);
  }
  geometry::SpatialPose<Scalar> at;
  at.position = Vector(s(0.05), 0, 0);
  int table = 0, first = 0, tip = 0, index = 0;
  good = good && configure(world, s(1e-3), Vector(0, 0, s(-9.81))) == What::none &&
         add_body(world, ground, table) == What::none && add_arm(world, arm, first) == What::none &&
         add_carried(world, first + 2, geometry::sphere<Scalar>(s(kRadius)), at, tip) == What::none;
  ContactDescription<Scalar, 3> touch;
  touch.a = table;
  touch.b = tip;
  touch.friction.kinetic = s(start.mu);
  return good && add_contact(world, touch, index) == What::none;
}

}  // namespace finger
