// Joints and several bodies, against closed forms.
#include <cmath>

#include "tactus/tactus.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;
using dynamics::JointType;

namespace {

constexpr Capacity kPair{.bodies = 3, .contacts = 1, .slots = 8, .active = 4, .joints = 2};

template <class Scalar, int Dim>
struct Rig {
  using Vector = math::Vector<Scalar, Dim>;
  World<Scalar, Dim, kPair> world;
  Workspace<Scalar, Dim, kPair> workspace;

  Rig(Scalar h, const Vector& gravity, const Method& method = {}) {
    TEST_ASSERT_TRUE(configure(world, h, gravity, method) == What::none);
  }
  int add(Scalar mass, const dynamics::SpinMatrix<Scalar, Dim>& inertia, const Vector& at) {
    BodyDescription<Scalar, Dim> b;
    b.mass = mass;
    b.inertia = inertia;
    if constexpr (Dim == 2) {
      b.shape = geometry::disc<Scalar>(Scalar(0.1));
      b.pose.x = at[0];
      b.pose.y = at[1];
    } else {
      b.shape = geometry::sphere<Scalar>(Scalar(0.1));
      b.pose.position = at;
    }
    int index = -1;
    TEST_ASSERT_TRUE(add_body(world, b, index) == What::none);
    return index;
  }
  void join(JointType type, int a, int b, const Vector& at, const Vector& axis) {
    int index = -1;
    TEST_ASSERT_TRUE(add_joint(world, type, a, b, at, axis, index) == What::none);
  }
  StepReport<Scalar, Dim, kPair> step() {
    const auto report = stepper::step(world, workspace);
    TEST_ASSERT_TRUE(report.status == StepStatus::solved);
    return report;
  }
};

using Plane = Rig<double, 2>;
using Space = Rig<double, 3>;
using Vector2 = math::Vector<double, 2>;
using Vector3 = math::Vector<double, 3>;

dynamics::SpinMatrix<double, 2> flat(double value) {
  return dynamics::SpinMatrix<double, 2>(value);
}

// A pendulum let go from the horizontal: at the bottom the speed follows from the height, O(h).
void pendulum_keeps_its_energy_and_its_length() {
  Plane rig(1e-4, Vector2(0, -9.81));
  const int wall = rig.add(0, flat(0), Vector2(0, 0));
  const int bob = rig.add(1, flat(0.004), Vector2(0.5, 0));
  rig.join(JointType::revolute, wall, bob, Vector2(0, 0), Vector2(1, 0));
  double fastest = 0, drift = 0;
  for (int k = 0; k < 10000; ++k) {
    const auto report = rig.step();
    const auto& p = rig.world.state.pose[1];
    drift = std::fmax(drift, std::fabs(std::sqrt(p.x * p.x + p.y * p.y) - 0.5));
    fastest = std::fmax(fastest, std::fabs(rig.world.state.velocity[1].angular[0]));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, report.energy.error());
  }
  // (m l^2 + I) w^2 / 2 = m g l
  TEST_ASSERT_DOUBLE_WITHIN(0.01, std::sqrt(2 * 9.81 * 0.5 / (0.25 + 0.004)), fastest);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0, drift);
}

// The same in space about a tilted axis: a revolute joint, whose axis must not tilt.
void revolute_joint_holds_its_axis() {
  Space rig(1e-3, Vector3(0, 0, -9.81));
  const int wall = rig.add(0, Eigen::Matrix3d::Zero(), Vector3(0, 0, 0));
  const int bob = rig.add(2, Vector3(0.01, 0.02, 0.03).asDiagonal(), Vector3(0.3, 0.1, 0));
  rig.join(JointType::revolute, wall, bob, Vector3(0, 0, 0), Vector3(0, 1, 0));
  for (int k = 0; k < 2000; ++k) {
    rig.step();
    const auto frame = geometry::frame(rig.world.state.pose[1]);
    const Vector3 anchor = frame.to_world(Vector3(-0.3, -0.1, 0));
    TEST_ASSERT_DOUBLE_WITHIN(2e-4, 0, std::sqrt(math::fused_dot<double, 3>(anchor, anchor)));
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 1, frame.turn(Vector3(0, 1, 0))[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0.1, rig.world.state.pose[1].position[1]);
  }
}

// A body on a slope rail without friction: a = g sin(angle), along the rail only, and it does not turn.
void prismatic_joint_slides_along_its_axis() {
  Space rig(1e-3, Vector3(0, 0, -9.81));
  const int wall = rig.add(0, Eigen::Matrix3d::Zero(), Vector3(0, 0, 0));
  const int cart = rig.add(2, Vector3(0.01, 0.02, 0.03).asDiagonal(), Vector3(0.2, 0, 0.1));
  const Vector3 rail(0.6, 0, -0.8);
  rig.join(JointType::prismatic, wall, cart, Vector3(0.1, 0, 0), rail);
  rig.world.state.force[1].angular = Vector3(0.1, -0.2, 0.3);
  for (int k = 0; k < 500; ++k) rig.step();
  const auto& v = rig.world.state.velocity[1];
  const double want = 9.81 * 0.8 * 0.5;
  for (int i = 0; i < 3; ++i) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, want * rail[i], v.linear[i]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, v.angular[i]);
  }
}

// Two bodies made one: they fall and turn like their sum.
void fixed_joint_makes_one_body() {
  Space rig(1e-3, Vector3(0, 0, 0));
  const Eigen::Matrix3d inertia = Vector3(0.01, 0.01, 0.01).asDiagonal();
  const int a = rig.add(1, inertia, Vector3(-0.2, 0, 0));
  const int b = rig.add(1, inertia, Vector3(0.2, 0, 0));
  rig.join(JointType::fixed, a, b, Vector3(0, 0, 0), Vector3(1, 0, 0));
  rig.world.state.force[0].angular = Vector3(0, 0, 0.9);
  rig.world.state.force[1].linear = Vector3(0, 0, 4);
  const double h = 1e-3;
  rig.step();
  // m = 2, I_z = 2 (0.01 + 0.04) and I_y the same; the force on b has the moment (0, -0.8, 0) about the
  // middle.
  for (int i = 0; i < 2; ++i) {
    const auto& v = rig.world.state.velocity[static_cast<std::size_t>(i)];
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, h * 9, v.angular[2]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, -h * 8, v.angular[1]);
    const double x = i == 0 ? -0.2 : 0.2;
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, h * 2 + h * 8 * x, v.linear[2]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, h * 9 * x, v.linear[1]);
  }
}

// Joints and contacts in one step: a ball on the floor with another joined above it. The floor carries both.
void joint_and_contact_together() {
  Space rig(1e-3, Vector3(0, 0, -9.81));
  BodyDescription<double, 3> ground;
  ground.shape = geometry::half_space<double>(Vector3(0, 0, 1), 0.0);
  int floor = -1, index = -1;
  TEST_ASSERT_TRUE(add_body(rig.world, ground, floor) == What::none);
  const Eigen::Matrix3d inertia = Vector3(0.004, 0.004, 0.004).asDiagonal();
  const int lower = rig.add(1, inertia, Vector3(0, 0, 0.1));
  const int upper = rig.add(3, inertia, Vector3(0, 0, 0.5));
  rig.join(JointType::fixed, lower, upper, Vector3(0, 0, 0.3), Vector3(0, 0, 1));
  ContactDescription<double, 3> contact;
  contact.a = floor;
  contact.b = lower;
  contact.friction.kinetic = 0.5;
  TEST_ASSERT_TRUE(add_contact(rig.world, contact, index) == What::none);
  const auto report = rig.step();
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 4 * 9.81, report.contact[0].force[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, rig.world.state.velocity[2].linear[2]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, report.energy.error());
}

// The same joint twice is redundant, not wrong.
// One after the other: a board's stack has no room for both.
Vector3 speed_of_hinged_box(int times) {
  Space rig(1e-3, Vector3(0, 0, -9.81));
  rig.add(0, Eigen::Matrix3d::Zero(), Vector3(0, 0, 0));
  rig.add(2, Vector3(0.01, 0.02, 0.03).asDiagonal(), Vector3(0.3, 0.1, 0));
  for (int i = 0; i < times; ++i) rig.join(JointType::revolute, 0, 1, Vector3(0, 0, 0), Vector3(0, 1, 0));
  for (int k = 0; k < 200; ++k) rig.step();
  return rig.world.state.velocity[1].linear;
}

void a_joint_said_twice_is_one_joint() {
  const Vector3 once = speed_of_hinged_box(1), twice = speed_of_hinged_box(2);
  TEST_ASSERT_TRUE(once.norm() > 0.1);
  for (int i = 0; i < 3; ++i) TEST_ASSERT_DOUBLE_WITHIN(1e-9, once[i], twice[i]);
}

// A disc on an arm comes to rest on the floor. The joint leaves the contact one way to move for its two rows,
// so they depend on each other; the modes are guessed all the same, and the forces hold the moment of the
// weight about the joint.
void an_arm_rests_on_the_floor() {
  Plane rig(1e-3, Vector2(0, -9.81));
  BodyDescription<double, 2> ground;
  ground.shape = geometry::half_space<double>(Vector2(0, 1), 0.0);
  int floor = -1, index = -1;
  TEST_ASSERT_TRUE(add_body(rig.world, ground, floor) == What::none);
  const int bob = rig.add(2, flat(0.01), Vector2(0.5, 0.3));
  rig.join(JointType::revolute, floor, bob, Vector2(0, 0.3), Vector2(1, 0));
  ContactDescription<double, 2> contact;
  contact.a = floor;
  contact.b = bob;
  contact.friction.kinetic = 0.3;
  TEST_ASSERT_TRUE(add_contact(rig.world, contact, index) == What::none);
  StepReport<double, 2, kPair> report;
  for (int k = 0; k < 1000; ++k) report = rig.step();
  TEST_ASSERT_TRUE(report.warm);
  const double x = rig.world.state.pose[static_cast<std::size_t>(bob)].x;
  TEST_ASSERT_DOUBLE_WITHIN(1e-3, std::sqrt(0.5 * 0.5 - 0.2 * 0.2), x);
  const auto& force = report.contact[0].force;
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 2 * 9.81 * x, x * force[0] + 0.3 * force[1]);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(pendulum_keeps_its_energy_and_its_length);
  RUN_TEST(revolute_joint_holds_its_axis);
  RUN_TEST(prismatic_joint_slides_along_its_axis);
  RUN_TEST(fixed_joint_makes_one_body);
  RUN_TEST(joint_and_contact_together);
  RUN_TEST(an_arm_rests_on_the_floor);
  RUN_TEST(a_joint_said_twice_is_one_joint);
  return UNITY_END();
}
