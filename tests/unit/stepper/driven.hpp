// Worlds with motors that have a limit and joints that lead others, in float and double, by short calls.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <new>

#include "tactus/sentence.hpp"
#include "tactus/space.hpp"
#include "unity.h"

namespace driven {

using namespace tactus;
using namespace tactus::stepper;

inline constexpr Capacity kSize{
    .bodies = 3, .contacts = 2, .slots = 8, .active = 4, .arm_joints = 4, .servos = 3, .mimics = 2};
inline constexpr double kGravity = 9.81;

template <class Scalar>
using V = math::Vector<Scalar, 3>;

// What an answer may be off: `exact` in double, some digits of float else.
template <class Scalar>
constexpr double tolerance(double exact, double in_float) {
  return sizeof(Scalar) == 8 ? exact : in_float;
}

template <class Scalar>
void near(double most, double want, Scalar have) {
  TEST_ASSERT_DOUBLE_WITHIN(most, want, static_cast<double>(have));
}

inline void expect(What want, const Error& have) {
  TEST_ASSERT_EQUAL_STRING_MESSAGE(sentence(want), sentence(have.what), Sentence(have).text());
}

template <class Scalar>
struct Setting {
  using Description = ArmDescription<Scalar, 4>;

  World<Scalar, 3, kSize> world;
  Workspace<Scalar, 3, kSize> workspace;
  Description arm;

  Setting(double h, double gravity) {
    expect(What::none, configure<Scalar, 3, kSize>(world, Scalar(h), V<Scalar>(0, 0, Scalar(-gravity))));
  }
  // A thin rod of length l from its joint along x; q lifts it towards z.
  dynamics::Link<Scalar>& rod(int parent, double from, double l, double mass) {
    dynamics::Link<Scalar> link;
    const auto part = static_cast<Scalar>(mass * l * l / 12);
    link.parent = parent;
    link.at.position = V<Scalar>(Scalar(from), 0, 0);
    link.axis = V<Scalar>(0, -1, 0);
    link.mass = Scalar(mass);
    link.centre = V<Scalar>(Scalar(l / 2), 0, 0);
    link.inertia = V<Scalar>(0, part, part).asDiagonal();
    return append(link);
  }
  // A point mass that slides along an axis from a place of the world.
  dynamics::Link<Scalar>& slide(const V<Scalar>& at, const V<Scalar>& axis, double mass) {
    dynamics::Link<Scalar> link;
    link.joint = dynamics::ArmJoint::prismatic;
    link.at.position = at;
    link.axis = axis;
    link.mass = Scalar(mass);
    return append(link);
  }
  dynamics::Link<Scalar>& append(const dynamics::Link<Scalar>& link) {
    expect(What::none, add_link(arm.links, link));
    return arm.links.link[static_cast<std::size_t>(arm.links.joints - 1)];
  }
  void limit(std::size_t joint, double effort) { arm.effort[joint] = Scalar(effort); }
  void lead(std::size_t joint, int leader, double ratio, double offset = 0) {
    arm.mimic[joint] = {leader, Scalar(ratio), Scalar(offset)};
  }
  void build() {
    int first = 0;
    expect(What::none, add_arm(world, arm, first));
  }
  auto& state() { return world.state.arm; }
  auto& next() { return workspace.next; }
  void servo(std::size_t joint, double stiffness, double damping, double position, double speed = 0) {
    state().stiffness[joint] = Scalar(stiffness);
    state().damping[joint] = Scalar(damping);
    state().position[joint] = Scalar(position);
    state().speed[joint] = Scalar(speed);
  }
  StepReport<Scalar, 3, kSize> step_well() {
    const auto report = step(world, workspace);
    TEST_ASSERT_EQUAL_STRING(sentence(StepReason::none), sentence(report.reason));
    const double work = std::fabs(static_cast<double>(report.energy.applied)) +
                        std::fabs(static_cast<double>(report.energy.kinetic)) + 0.1;
    near(tolerance<Scalar>(1e-12, 1e-4) * work, 0, report.energy.error());
    return report;
  }
};

// The one there is of each precision, begun anew.
template <class Scalar>
Setting<Scalar>& setting(double h, double gravity) {
  static Setting<Scalar> shared(h, gravity);
  return *new (&shared) Setting<Scalar>(h, gravity);
}

// Numbers without pattern in [-1, 1).
class Random {
 public:
  double operator()() {
    x_ = x_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(x_ >> 40) / static_cast<double>(1U << 23) - 1;
  }
  double between(double a, double b) { return a + (b - a) * ((*this)() + 1) / 2; }

 private:
  std::uint64_t x_ = 7;
};

}  // namespace driven

#define BOTH(test)          \
  do {                      \
    RUN_TEST(test<double>); \
    RUN_TEST(test<float>);  \
  } while (false)
