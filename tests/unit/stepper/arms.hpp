// One world with arms of up to four joints, built by short calls, for the tests of arms in the step.
#pragma once

#include <cmath>

#include "tactus/sentence.hpp"
#include "tactus/tactus.hpp"
#include "unity.h"

namespace arms {

using namespace tactus;
using namespace tactus::stepper;

inline constexpr Capacity kSize{
    .bodies = 4, .contacts = 3, .slots = 24, .active = 6, .joints = 1, .arm_joints = 4};
using V = math::Vector<double, 3>;
using Links = dynamics::Arm<double, 4>;
using Values = dynamics::JointVector<double, 4>;
using ArmWorld = World<double, 3, kSize>;
inline constexpr double kGravity = 9.81;
inline const double kNan = std::nan(""), kInf = HUGE_VAL;

inline ArmWorld world;
inline Workspace<double, 3, kSize> workspace;
inline int shared_index;

inline void expect(What want, const Error& have) {
  TEST_ASSERT_EQUAL_STRING_MESSAGE(sentence(want), sentence(have.what), Sentence(have).text());
}

inline void start(double h, double gravity = kGravity) {
  world = {};
  expect(What::none, configure<double, 3, kSize>(world, h, V(0, 0, -gravity)));
}

// A rod of length l and mass m from the joint along x of the link, thin.
inline dynamics::Link<double> rod(int parent, double from, double l, double m) {
  dynamics::Link<double> link;
  link.parent = parent;
  link.at.position = V(from, 0, 0);
  link.axis = V(0, -1, 0);  // q lifts the rod from x towards z
  link.mass = m;
  link.centre = V(l / 2, 0, 0);
  link.inertia = V(0, m * l * l / 12, m * l * l / 12).asDiagonal();
  return link;
}

inline Links arm_of(std::initializer_list<dynamics::Link<double>> links) {
  Links arm;
  for (const auto& link : links) expect(What::none, add_link(arm, link));
  return arm;
}

inline int add(const Links& links, const Values& q, const V& base = V(0, 0, 0), const Values& qd = {}) {
  ArmDescription<double, 4> arm;
  arm.links = links;
  arm.q = q;
  arm.qd = qd;
  arm.base.position = base;
  int first = -1;
  expect(What::none, add_arm(world, arm, first));
  return first;
}

inline StepReport<double, 3, kSize> step_well() {
  const auto report = step(world, workspace);
  TEST_ASSERT_EQUAL_STRING(sentence(StepReason::none), sentence(report.reason));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, report.energy.error());
  return report;
}

inline int add_table() {
  int table = -1;
  expect(What::none,
         add_body<double, 3, kSize>(world, {.shape = geometry::half_space<double>(V(0, 0, 1), 0.0)}, table));
  return table;
}

inline int carry_ball(int link, double radius, const V& at) {
  int ball = -1;
  geometry::SpatialPose<double> pose;
  pose.position = at;
  expect(What::none, add_carried(world, link, geometry::sphere<double>(radius), pose, ball));
  return ball;
}

inline void touch(int a, int b, double mu) {
  ContactDescription<double, 3> contact;
  contact.a = a;
  contact.b = b;
  contact.friction.kinetic = mu;
  expect(What::none, add_contact(world, contact, shared_index));
}

}  // namespace arms
