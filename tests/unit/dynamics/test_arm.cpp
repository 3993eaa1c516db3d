// Arms: kinematics, mass matrix and forces of motion against closed forms, and against each other.
#include <unity.h>

#include <cmath>

#include "tactus/dynamics/arm_dynamics.hpp"
#include "tests/corpus/friction_box.hpp"

using namespace tactus;
using namespace tactus::dynamics;

namespace {

constexpr int kJoints = 7;
template <class Scalar>
using Q = JointVector<Scalar, kJoints>;
template <class Scalar>
using V3 = math::Vector<Scalar, 3>;

template <class Scalar>
struct Rig {
  Arm<Scalar, kJoints> arm;
  ArmPose<Scalar, kJoints> pose;
  Base<Scalar> base;
  V3<Scalar> gravity = V3<Scalar>::Zero();
  Q<Scalar> q{}, qd{};

  void place() { dynamics::place(arm, base.frame, q, pose); }
  Q<Scalar> torque(const Q<Scalar>& qdd) {
    Q<Scalar> tau{};
    inverse_dynamics(arm, pose, base, gravity, qd, &qdd, tau);
    return tau;
  }
  Q<Scalar> bias() {
    Q<Scalar> tau{};
    inverse_dynamics(arm, pose, base, gravity, qd, static_cast<const Q<Scalar>*>(nullptr), tau);
    return tau;
  }
  Q<Scalar> acceleration(const Q<Scalar>& tau) {
    MassMatrix<Scalar, kJoints> M;
    mass_matrix(arm, pose, M);
    TEST_ASSERT_TRUE(factor_mass(arm, M));
    Q<Scalar> x = bias();
    for (std::size_t i = 0; i < kJoints; ++i) x[i] = tau[i] - x[i];
    solve_mass(arm, M, x);
    return x;
  }
};

// A tree of seven joints of both kinds, its numbers from a seed, the same in float and double.
template <class Scalar>
Rig<Scalar> tree(std::uint64_t seed) {
  corpus::Random random(seed);
  const auto number = [&](double low, double high) { return static_cast<Scalar>(random.uniform(low, high)); };
  const auto vector = [&](double size) -> V3<Scalar> {
    const Scalar x = number(-size, size), y = number(-size, size), z = number(-size, size);
    return {x, y, z};
  };
  Rig<Scalar> rig;
  constexpr int kParents[kJoints] = {-1, 0, 1, 1, 3, 4, 0};
  for (int i = 0; i < kJoints; ++i) {
    Link<Scalar> link;
    link.parent = kParents[i];
    link.joint = i == 2 || i == 4 ? ArmJoint::prismatic : ArmJoint::revolute;
    geometry::SpatialPose<Scalar> at{vector(0.4), 1, number(-1, 1), number(-1, 1), number(-1, 1)};
    link.at = geometry::frame(at);
    const V3<Scalar> axis = vector(1) + V3<Scalar>(0, 0, 2);
    link.axis = axis / std::sqrt(math::fused_dot<Scalar, 3>(axis, axis));
    link.mass = number(0.1, 2);
    link.centre = vector(0.2);
    const Scalar x = number(0.01, 0.1), y = number(0.01, 0.1), z = number(0.01, 0.1);  // sum m r r^T
    link.inertia = V3<Scalar>(y + z, x + z, x + y).asDiagonal();
    link.rotor = number(0, 0.05);
    TEST_ASSERT_FALSE(add_link(rig.arm, link));
  }
  for (std::size_t i = 0; i < kJoints; ++i) {
    rig.q[i] = number(-2, 2);
    rig.qd[i] = number(-3, 3);
  }
  rig.gravity = {0, 0, static_cast<Scalar>(-9.81)};
  rig.place();
  return rig;
}

constexpr int kSeeds = 20;

}  // namespace

void setUp() {}
void tearDown() {}

// Two rods of length l, mass m, pivoted at their ends, angles a and b (relative) from the x axis; gravity
// along -y. With I = m l^2 / 3 and k = m l^2 / 2 (Lagrange):
//   M11 = 2 I + m l^2 + 2 k cos b,  M12 = I + k cos b,  M22 = I
//   bias1 = -k sin b (2 a' + b') b' + m g l (3/2 cos a + 1/2 cos(a + b)),  bias2 = k sin b a'^2 + m g l / 2
//   cos(a + b)
void test_double_pendulum_as_by_lagrange() {
  const double m = 1.5, l = 0.4, g = 9.81;
  Rig<double> rig;
  for (int i = 0; i < 2; ++i) {
    Link<double> link{.parent = i - 1, .mass = m, .centre{l / 2, 0, 0}};
    link.at.position = {i * l, 0, 0};
    link.inertia.diagonal() << 0, m * l * l / 12, m * l * l / 12;
    TEST_ASSERT_FALSE(add_link(rig.arm, link));
  }
  rig.gravity = {0, -g, 0};
  rig.q = {0.7, -1.9};
  rig.qd = {1.3, -2.1};
  rig.place();
  const double I = m * l * l / 3, k = m * l * l / 2, a = rig.q[0], b = rig.q[1], da = rig.qd[0],
               db = rig.qd[1];
  MassMatrix<double, kJoints> M;
  mass_matrix(rig.arm, rig.pose, M);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 2 * I + m * l * l + 2 * k * std::cos(b), M[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, I + k * std::cos(b), M[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, I + k * std::cos(b), M[kJoints]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, I, M[kJoints + 1]);
  const Q<double> bias = rig.bias();
  TEST_ASSERT_DOUBLE_WITHIN(
      1e-13, -k * std::sin(b) * (2 * da + db) * db + m * g * l * (1.5 * std::cos(a) + 0.5 * std::cos(a + b)),
      bias[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-13, k * std::sin(b) * da * da + m * g * l / 2 * std::cos(a + b), bias[1]);
}

// The two recursions share nothing but the kinematics: column j of M is the torque of a unit acceleration.
void test_mass_matrix_is_what_inverse_dynamics_says() {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Rig<double> rig = tree<double>(seed);
    MassMatrix<double, kJoints> M;
    mass_matrix(rig.arm, rig.pose, M);
    const Q<double> bias = rig.bias();
    for (std::size_t j = 0; j < kJoints; ++j) {
      Q<double> unit{};
      unit[j] = 1;
      const Q<double> tau = rig.torque(unit);
      for (std::size_t i = 0; i < kJoints; ++i)
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, tau[i] - bias[i], M[i * kJoints + j]);
    }
  }
}

template <class Scalar>
void check_forward_against_inverse(Scalar tolerance) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Rig<Scalar> rig = tree<Scalar>(seed);
    corpus::Random random(seed + 1000);
    Q<Scalar> tau;
    for (Scalar& t : tau) t = static_cast<Scalar>(random.uniform(-5, 5));
    const Q<Scalar> again = rig.torque(rig.acceleration(tau));
    for (std::size_t i = 0; i < kJoints; ++i) TEST_ASSERT_TRUE(std::fabs(again[i] - tau[i]) <= tolerance);
  }
}
void test_forward_and_inverse_dynamics_agree() {
  check_forward_against_inverse<double>(1e-11);
  check_forward_against_inverse<float>(1e-3F);  // of forces of some 10 N, through accelerations of some 100
}

void test_float_is_near_double() {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Rig<double> exact = tree<double>(seed);
    Rig<float> rig = tree<float>(seed);
    MassMatrix<double, kJoints> M;
    MassMatrix<float, kJoints> m;
    mass_matrix(exact.arm, exact.pose, M);
    mass_matrix(rig.arm, rig.pose, m);
    const Q<double> bias = exact.bias();
    const Q<float> near = rig.bias();
    for (std::size_t i = 0; i < M.size(); ++i)
      TEST_ASSERT_DOUBLE_WITHIN(1e-5, M[i], static_cast<double>(m[i]));
    for (std::size_t i = 0; i < kJoints; ++i)
      TEST_ASSERT_DOUBLE_WITHIN(1e-4, bias[i], static_cast<double>(near[i]));
  }
}

// J qd against the central difference of the positions, and against velocity_at().
void test_jacobian_is_the_derivative_of_the_pose() {
  const double step = 1e-6;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Rig<double> rig = tree<double>(seed);
    const V3<double> at(0.1, -0.2, 0.3);
    for (int link = 0; link < kJoints; ++link) {
      const auto l = static_cast<std::size_t>(link);
      const V3<double> point = rig.pose.frame[l].to_world(at);
      Jacobian<double, kJoints> J;
      jacobian(rig.arm, rig.pose, link, point, J);
      V3<double> sum = V3<double>::Zero();
      for (std::size_t j = 0; j < kJoints; ++j) {
        Rig<double> ahead = rig, behind = rig;
        ahead.q[j] += step;
        behind.q[j] -= step;
        ahead.place();
        behind.place();
        const V3<double> slope =
            (ahead.pose.frame[l].to_world(at) - behind.pose.frame[l].to_world(at)) / (2 * step);
        // The frame's axes turn with omega: e' = omega x e.
        const V3<double> axis_slope =
            (ahead.pose.frame[l].R.col(0) - behind.pose.frame[l].R.col(0)) / (2 * step);
        const V3<double> turned = math::cross<double>(J.angular[j], rig.pose.frame[l].R.col(0));
        for (int k = 0; k < 3; ++k) {
          TEST_ASSERT_DOUBLE_WITHIN(1e-8, slope[k], J.linear[j][k]);
          TEST_ASSERT_DOUBLE_WITHIN(1e-8, axis_slope[k], turned[k]);
        }
        sum += rig.qd[j] * J.linear[j];
      }
      const Motion<double, 3> v = velocity_at(rig.arm, rig.pose, rig.base, rig.qd, link, point);
      for (int k = 0; k < 3; ++k) TEST_ASSERT_DOUBLE_WITHIN(1e-13, sum[k], v.linear[k]);
    }
  }
}

// Lagrange's equations with T = qd M qd / 2 and V = -sum m g . c, their derivatives as central differences:
//   bias_i = sum_jk (dM_ij / dq_k - dM_jk / dq_i / 2) qd_j qd_k + dV / dq_i
// An energy balance would not do: the gyroscopic moments, which do no work, could be missing.
void test_bias_is_what_lagrange_derives_from_the_mass_matrix() {
  const double step = 1e-5;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Rig<double> rig = tree<double>(seed);
    Q<double> expected{};
    for (std::size_t k = 0; k < kJoints; ++k) {
      MassMatrix<double, kJoints> slope{};
      for (int side : {1, -1}) {
        Rig<double> moved = rig;
        moved.q[k] += side * step;
        moved.place();
        MassMatrix<double, kJoints> M;
        mass_matrix(moved.arm, moved.pose, M);
        for (std::size_t e = 0; e < M.size(); ++e) slope[e] += side * M[e] / (2 * step);
        for (std::size_t i = 0; i < kJoints; ++i)
          expected[k] -=
              side / (2 * step) * rig.arm.link[i].mass *
              math::fused_dot<double, 3>(rig.gravity, moved.pose.frame[i].to_world(rig.arm.link[i].centre));
      }
      for (std::size_t i = 0; i < kJoints; ++i)
        for (std::size_t j = 0; j < kJoints; ++j) {
          expected[i] += slope[i * kJoints + j] * rig.qd[j] * rig.qd[k];
          expected[k] -= slope[i * kJoints + j] * rig.qd[i] * rig.qd[j] / 2;
        }
    }
    const Q<double> bias = rig.bias();
    for (std::size_t i = 0; i < kJoints; ++i) TEST_ASSERT_DOUBLE_WITHIN(1e-7, expected[i], bias[i]);
  }
}

// A slider at the distance r on a carrier that turns with omega: along it the bias is -m omega^2 r, and
// across it, where a second slider stands, 2 m omega r' (Coriolis).
void test_a_moving_base_pushes_what_stands_on_it() {
  Rig<double> rig;
  const double m = 2, omega = 3, r = 0.5, rate = 0.7;
  Link<double> across{.joint = ArmJoint::prismatic, .axis{0, 1, 0}};
  Link<double> along{.parent = 0, .joint = ArmJoint::prismatic, .axis{1, 0, 0}, .mass = m};
  TEST_ASSERT_FALSE(add_link(rig.arm, across));
  TEST_ASSERT_FALSE(add_link(rig.arm, along));
  rig.base.velocity.angular = {0, 0, omega};
  rig.q = {0, r};
  rig.qd = {0, rate};
  rig.place();
  Q<double> bias = rig.bias();
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, -m * omega * omega * r, bias[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, 2 * m * omega * rate, bias[0]);
  // A base that falls freely takes gravity away.
  rig = tree<double>(5);
  const Q<double> weightless = [&] {
    Rig<double> copy = rig;
    copy.gravity.setZero();
    return copy.bias();
  }();
  rig.base.acceleration.linear = rig.gravity;
  bias = rig.bias();
  for (std::size_t i = 0; i < kJoints; ++i) TEST_ASSERT_DOUBLE_WITHIN(1e-12, weightless[i], bias[i]);
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_double_pendulum_as_by_lagrange);
  RUN_TEST(test_mass_matrix_is_what_inverse_dynamics_says);
  RUN_TEST(test_forward_and_inverse_dynamics_agree);
  RUN_TEST(test_float_is_near_double);
  RUN_TEST(test_jacobian_is_the_derivative_of_the_pose);
  RUN_TEST(test_bias_is_what_lagrange_derives_from_the_mass_matrix);
  RUN_TEST(test_a_moving_base_pushes_what_stands_on_it);
  return UNITY_END();
}
