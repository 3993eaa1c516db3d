// Motors with a limit: what they give within it and at it, against closed forms and against all modes of two
// joints tried one by one.
#include "driven.hpp"

using namespace driven;

namespace {

constexpr double kStep = 1e-3, kLength = 0.4, kMass = 1.5;
constexpr double kInertia = kMass * kLength * kLength / 3, kWeight = kMass * kGravity * kLength / 2;

// A rod that its motor is too weak to hold falls with (tau - m g l / 2 cos q) / I, whatever the gains are;
// the sum of the steps is written down again here.
template <class Scalar>
void a_motor_that_is_too_weak_gives_its_limit() {
  for (const double share : {0.1, 0.5, 0.99}) {
    for (const double gain : {20.0, 1e3, 1e6, 1e9}) {
      auto& s = setting<Scalar>(kStep, kGravity);
      s.rod(-1, 0, kLength, kMass);
      const double most = static_cast<double>(static_cast<Scalar>(share * kWeight));
      s.limit(0, most);
      s.build();
      s.servo(0, gain, gain / 50, 0.9);
      double q = 0, qd = 0;
      for (int k = 0; k < 100; ++k) {
        s.step_well();
        TEST_ASSERT_TRUE(s.next().driven.motor[0] == static_cast<Scalar>(most));
        TEST_ASSERT_TRUE(s.state().motor[0] == JointMode::falls);
        qd += kStep * (most - kWeight * std::cos(q)) / kInertia;
        q += kStep * qd;
        near(tolerance<Scalar>(1e-12, 3e-5), qd, s.state().qd[0]);
        near(tolerance<Scalar>(1e-12, 1e-6), q, s.state().q[0]);
      }
      TEST_ASSERT_TRUE(q < 0);
    }
  }
}

// Within its limit it is the impedance: I qd' = I qd + h (tau + k (p - q - h qd') + c (s - qd') - bias).
template <class Scalar>
void within_its_limit_it_is_the_impedance() {
  Random random;
  for (int k = 0; k < 300; ++k) {
    const double stiffness = std::pow(10, random.between(-3, 6)),
                 damping = stiffness * random.between(0, 0.1);
    const double q = random(), qd = random(), position = q + 1e-2 * random(), speed = random();
    const double torque = random();
    auto& s = setting<Scalar>(kStep, kGravity);
    s.rod(-1, 0, kLength, kMass);
    s.limit(0, 1e6);
    s.arm.q[0] = Scalar(q);
    s.arm.qd[0] = Scalar(qd);
    s.build();
    s.servo(0, stiffness, damping, position, speed);
    s.state().torque[0] = Scalar(torque);
    const double start = static_cast<double>(s.state().q[0]);
    const double away = static_cast<double>(s.state().position[0] - s.state().q[0]);
    const auto report = s.step_well();
    const double spring = torque + stiffness * away + damping * speed;
    const double expected = (kInertia * qd + kStep * (spring - kWeight * std::cos(start))) /
                            (kInertia + kStep * (damping + kStep * stiffness));
    const double unit = std::fabs(expected) + std::fabs(qd) + std::fabs(speed) + std::fabs(away) / kStep;
    near(tolerance<Scalar>(1e-12, 1e-5) * unit, expected, s.state().qd[0]);
    const double kinetic = kInertia * expected * expected / 2;  // of the rod alone
    near(tolerance<Scalar>(1e-11, 1e-4) * unit * unit, kinetic, report.energy.kinetic);
    const double given = spring - (damping + kStep * stiffness) * expected;
    near(tolerance<Scalar>(1e-11, 1e-4) * (std::fabs(given) + 10 * unit), given, s.next().driven.motor[0]);
    TEST_ASSERT_TRUE(s.state().motor[0] == JointMode::sticks || stiffness < 1);
  }
}

// The held torque is the motor's, too: alone it is cut, and beside an impedance both together are.
template <class Scalar>
void the_held_torque_counts() {
  auto& s = setting<Scalar>(kStep, 0);
  s.rod(-1, 0, kLength, kMass);
  s.limit(0, 0.75);
  s.build();
  for (const double sign : {1.0, -1.0}) {
    s.state().qd[0] = 0;
    s.state().torque[0] = Scalar(sign * 3);
    s.servo(0, 0, 0, 0);
    s.step_well();
    near(tolerance<Scalar>(1e-15, 1e-8), sign * kStep * 0.75 / kInertia, s.state().qd[0]);
    s.state().qd[0] = 0;
    s.servo(0, 0, 2, 0, 0);  // 3 - 2 qd' is over 0.75 still
    s.step_well();
    near(tolerance<Scalar>(1e-15, 1e-8), sign * kStep * 0.75 / kInertia, s.state().qd[0]);
    TEST_ASSERT_TRUE(s.next().driven.motor[0] == Scalar(sign * 0.75));
    s.state().qd[0] = Scalar(sign * 1.25);  // and 3 - 2 qd' within it
    s.step_well();
    const double qd = sign * (kInertia * 1.25 + kStep * 3) / (kInertia + kStep * 2);
    near(tolerance<Scalar>(1e-14, 1e-6), qd, s.state().qd[0]);
    near(tolerance<Scalar>(1e-13, 1e-5), sign * 3 - 2 * qd, s.next().driven.motor[0]);
  }
}

// A gain that M does not feel in its last digit, down to none, gives what it would at the speed of the start.
template <class Scalar>
void gains_that_no_digit_feels() {
  for (const double damping : {0.0, 1e-38, 1e-30, 1e-20, 1e-15}) {
    auto& s = setting<Scalar>(kStep, 0);
    s.rod(-1, 0, kLength, kMass);
    s.limit(0, 2);
    s.build();
    s.servo(0, 0, damping, 0, 1e15);
    s.step_well();
    const double torque = damping * 1e15 < 2 ? damping * 1e15 : 2;
    near(tolerance<Scalar>(1e-13, 1e-7), kStep * torque / kInertia, s.state().qd[0]);
  }
}

// Friction, a stop and the motor share a joint, each with its own force.
template <class Scalar>
void friction_a_stop_and_a_motor_share_a_joint() {
  auto& s = setting<Scalar>(kStep, 0);
  auto& link = s.rod(-1, 0, kLength, kMass);
  link.friction = Scalar(0.25);
  link.upper = Scalar(0.1);
  s.limit(0, 2);
  s.build();
  s.servo(0, 1e4, 100, 1);
  s.step_well();
  near(tolerance<Scalar>(1e-14, 1e-6), kStep * (2 - 0.25) / kInertia, s.state().qd[0]);
  near(tolerance<Scalar>(1e-14, 1e-6), -0.25, s.next().reaction[0]);
  for (int k = 0; k < 300; ++k) s.step_well();
  near(tolerance<Scalar>(1e-12, 1e-6), 0.1, s.state().q[0]);
  near(tolerance<Scalar>(1e-11, 2e-3), -2, s.next().reaction[0]);  // off by the rounding of q / h
  TEST_ASSERT_TRUE(s.next().driven.motor[0] == 2);
  // Friction holds what the motor gives within its limit.
  s.servo(0, 1, 0, 0.1 + 0.2);
  s.step_well();
  near(tolerance<Scalar>(1e-12, 1e-5), 0.2, s.next().driven.motor[0]);
  near(tolerance<Scalar>(1e-12, 1e-5), -0.2, s.next().reaction[0]);
  near(tolerance<Scalar>(1e-13, 1e-6), 0, s.state().qd[0]);
}

// Two joints with motors: for each of nine pairs of modes the equations M (qd' - qd) = h (u - bias), with
// u = g (want - qd') or +- most, solved by Cramer's rule. The law is monotone, so the pair that obeys its
// bounds is the only one (all that do agree).
struct Two {
  double M[2][2], push[2], g[2], want[2], most[2];  // push: M qd - h bias

  bool solve(int mode, double (&qd)[2], double slack) const {
    double A[2][2], b[2];
    for (int i = 0; i < 2; ++i) {
      const int m = (i == 0 ? mode % 3 : mode / 3) - 1;  // -1, 0 within, 1
      for (int j = 0; j < 2; ++j) A[i][j] = M[i][j];
      if (m == 0) A[i][i] += kStep * g[i];
      b[i] = push[i] + kStep * (m == 0 ? g[i] * want[i] : m * most[i]);
    }
    const double det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    qd[0] = (b[0] * A[1][1] - A[0][1] * b[1]) / det;
    qd[1] = (A[0][0] * b[1] - b[0] * A[1][0]) / det;
    for (int i = 0; i < 2; ++i) {
      const int m = (i == 0 ? mode % 3 : mode / 3) - 1;
      const double u = g[i] * (want[i] - qd[i]);
      if (m == 0 ? std::fabs(u) > most[i] + slack : m * u < most[i] - slack) return false;
    }
    return true;
  }
};

template <class Scalar>
void two_motors_against_all_their_modes() {
  Random random;
  int at_limit = 0, of[3] = {};
  for (int k = 0; k < 3000; ++k) {
    auto& s = setting<Scalar>(kStep, kGravity);
    s.rod(-1, 0, kLength, kMass);
    s.rod(0, kLength, 0.3, 0.6);
    for (std::size_t j = 0; j < 2; ++j) {
      s.limit(j, std::pow(10, random.between(-1, 1.3)));
      s.arm.q[j] = Scalar(random());
      s.arm.qd[j] = Scalar(2 * random());
    }
    s.build();
    auto& arm = s.state();
    for (std::size_t j = 0; j < 2; ++j) {
      const double stiffness = std::pow(10, random.between(0, 5));
      s.servo(j, stiffness, stiffness * random.between(0, 0.1), static_cast<double>(arm.q[j]) + random() / 20,
              random());
      arm.torque[j] = Scalar(5 * random());
      // Whatever it did last is but a guess.
      arm.motor[j] = static_cast<JointMode>(k % 4);
    }
    Two two{};
    dynamics::ArmPose<Scalar, 4> pose;
    dynamics::MassMatrix<Scalar, 4> M;
    dynamics::JointVector<Scalar, 4> bias;
    dynamics::place(s.arm.links, geometry::SpatialFrame<Scalar>{}, arm.q, pose);
    dynamics::mass_matrix(s.arm.links, pose, M);
    dynamics::inverse_dynamics(s.arm.links, pose, dynamics::Base<Scalar>{},
                               V<Scalar>(0, 0, Scalar(-kGravity)), arm.qd,
                               static_cast<dynamics::JointVector<Scalar, 4>*>(nullptr), bias);
    for (std::size_t i = 0; i < 2; ++i) {
      two.push[i] = -kStep * static_cast<double>(bias[i]);
      for (std::size_t j = 0; j < 2; ++j) {
        two.M[i][j] = static_cast<double>(M[i * 4 + j]);
        two.push[i] += two.M[i][j] * static_cast<double>(arm.qd[j]);
      }
      const auto number = [&](const auto& values) { return static_cast<double>(values[i]); };
      two.g[i] = number(arm.damping) + kStep * number(arm.stiffness);
      two.want[i] = (number(arm.torque) + number(arm.stiffness) * (number(arm.position) - number(arm.q)) +
                     number(arm.damping) * number(arm.speed)) /
                    two.g[i];
      two.most[i] = number(s.arm.effort);
    }
    s.step_well();
    double best = HUGE_VAL;
    for (int mode = 0; mode < 9; ++mode) {
      double qd[2];
      if (!two.solve(mode, qd, tolerance<Scalar>(1e-9, 1e-3))) continue;
      double off = 0;
      for (std::size_t i = 0; i < 2; ++i)
        off = std::fmax(off, std::fabs(qd[i] - static_cast<double>(arm.qd[i])) / (1 + std::fabs(qd[i])));
      best = std::fmin(best, off);
    }
    near(tolerance<Scalar>(1e-9, 2e-4), 0, best);
    for (std::size_t j = 0; j < 2; ++j) {
      at_limit += arm.motor[j] == JointMode::sticks ? 0 : 1;
      ++of[arm.motor[j] == JointMode::sticks ? 0 : arm.motor[j] == JointMode::rises ? 1 : 2];
      const double given = static_cast<double>(s.next().driven.motor[j]);
      TEST_ASSERT_TRUE(std::fabs(given) <= two.most[j] * (1 + 1e-6));
    }
  }
  for (const int count : of) TEST_ASSERT_TRUE(count > 500);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  BOTH(a_motor_that_is_too_weak_gives_its_limit);
  BOTH(within_its_limit_it_is_the_impedance);
  BOTH(the_held_torque_counts);
  BOTH(gains_that_no_digit_feels);
  BOTH(friction_a_stop_and_a_motor_share_a_joint);
  BOTH(two_motors_against_all_their_modes);
  return UNITY_END();
}
