// The 12,000 hard steps of finger_steps.hpp in float and in double: how many are solved, and what is called
// solved held against the laws.
//
// Nothing of the step's own scratch is believed. The reactions r of the joints come from the momentum of the
// arm,
//
//     M (qd' - qd) / h = tau - bias(q, qd) + r + J^T f,
//
// with M, bias and J at the state before the step and f as it is reported; then r obeys limits and Coulomb
// friction of each joint, f those of the contact.
#include <algorithm>

#include "finger_steps.hpp"
#include "tests/unit/tell.hpp"
#include "unity.h"

using namespace finger;

namespace {

constexpr double kStep = 1e-3;

// What a law may be broken by, N and N m, and m/s and rad/s; and where a joint counts as at its limit, rad.
template <class Scalar>
struct Slack {
  static constexpr double force = sizeof(Scalar) == 8 ? 1e-9 : 1e-5;
  // What the certificate leaves of a joint's momentum, over h: 1e-4 (1e-9) of M v, up to 1e-3 kg m^2/s.
  static constexpr double torque = sizeof(Scalar) == 8 ? 1e-9 : 1e-4;
  static constexpr double share = sizeof(Scalar) == 8 ? 1e-9 : 1e-4;  // of the normal force
  // 1e-5 (1e-10) of the speeds that friction can stop in a step, up to 80 rad/s, or that its rows ask for.
  static constexpr double speed = sizeof(Scalar) == 8 ? 1e-8 : 1e-3;
  static constexpr double place = sizeof(Scalar) == 8 ? 1e-9 : 1e-6;
};

using Three = dynamics::JointVector<double, kJoints>;
using Vector = math::Vector<double, 3>;

// A state before a step: its arm, in double, and what the tip does there.
struct Before {
  dynamics::Arm<double, kJoints> arm;
  Three q, qd, torque, bias;
  dynamics::MassMatrix<double, kJoints> M;
  Vector row[kJoints];  // of the tip's lowest point, m and m/rad
  double gap;
  double mobility = 0;  // of the tip along the table by a force of one step, (m/s)/N

  template <class Scalar>
  Before(const World<double, 3, kSize>& model, const World<Scalar, 3, kSize>& world)
      : arm(model.model.arm.links) {
    for (std::size_t j = 0; j < kJoints; ++j) {
      q[j] = static_cast<double>(world.state.arm.q[j]);
      qd[j] = static_cast<double>(world.state.arm.qd[j]);
      torque[j] = static_cast<double>(world.state.arm.torque[j]);
    }
    const dynamics::Base<double> ground;
    dynamics::ArmPose<double, kJoints> pose;
    dynamics::place(arm, ground.frame, q, pose);
    dynamics::mass_matrix(arm, pose, M);
    dynamics::inverse_dynamics(arm, pose, ground, Vector(0, 0, -9.81), qd, static_cast<const Three*>(nullptr),
                               bias);
    const Vector centre = pose.frame[2].to_world(Vector(0.05, 0, 0));
    const Vector lowest = centre - Vector(0, 0, kRadius);
    gap = lowest[2];
    for (std::size_t j = 0; j < kJoints; ++j)
      row[j] = math::cross<double>(pose.axis[j], Vector(lowest - pose.frame[j].position));
    auto L = M;
    TEST_ASSERT_TRUE(dynamics::factor_mass(arm, L));
    for (int c = 0; c < 2; ++c) {
      Three moved;
      for (std::size_t j = 0; j < kJoints; ++j) moved[j] = row[j][c];
      dynamics::solve_mass(arm, L, moved);
      for (std::size_t j = 0; j < kJoints; ++j) mobility += kStep * row[j][c] * moved[j] / 2;
    }
  }

  // The reaction of joint j to a force on the tip.
  double reaction(std::size_t j, const Three& after, const Vector& force) const {
    double r = bias[j] - torque[j] - math::dot<double>(row[j], force);
    for (std::size_t k = 0; k < kJoints; ++k) r += M[j * kJoints + k] * (after[k] - qd[k]) / kStep;
    return r;
  }
};

template <class Scalar>
void judge_joint(double friction, double q, double v, double r) {
  using S = Slack<Scalar>;
  TEST_ASSERT_TRUE(std::fabs(q) <= kLimit + S::place);
  const bool low = q<-kLimit + S::place, high = q> kLimit - S::place;
  TEST_ASSERT_TRUE(r <= friction + S::torque || low);
  TEST_ASSERT_TRUE(r >= -friction - S::torque || high);
  if (v > S::speed && !high) TEST_ASSERT_DOUBLE_WITHIN(S::torque, low && r > -friction ? r : -friction, r);
  if (v < -S::speed && !low) TEST_ASSERT_DOUBLE_WITHIN(S::torque, high && r < friction ? r : friction, r);
}

// Where it slips, friction is against the slip; by less than all of it where a pyramid is said to have solved
// it, `lacks` of it at most.
template <class Scalar>
void judge_tip(double mu, double lacks, const Before& before, const Three& after, const Vector& force) {
  using S = Slack<Scalar>;
  Vector s(0, 0, before.gap / kStep);
  for (std::size_t j = 0; j < kJoints; ++j) s += after[j] * before.row[j];
  const double friction = std::hypot(force[0], force[1]), slip = std::hypot(s[0], s[1]);
  TEST_ASSERT_TRUE(force[2] >= 0 && s[2] >= -S::speed);
  TEST_ASSERT_TRUE(force[2] <= S::force || s[2] <= S::speed);
  const double slack = S::force + S::share * force[2];
  TEST_ASSERT_TRUE(friction <= mu * force[2] + slack);
  // What friction dissipates less than it ought to, as a speed: a force that is little beside what would stop
  // the slip matters as a force.
  const double most = mu * force[2], work = force[0] * s[0] + force[1] * s[1];
  const double missing = (1 - lacks) * most * slip + work, unit = most * before.mobility + slip;
  TEST_ASSERT_TRUE(missing * before.mobility <= S::speed * unit);
}

struct Count {
  int solved = 0, stuck = 0, pressed = 0;
};

template <class Scalar>
Count follow() {
  static World<double, 3, kSize> exact;
  static World<Scalar, 3, kSize> world;
  static Workspace<Scalar, 3, kSize> workspace;
  Count count;
  Draw draw;
  for (int k = 0; k < kStates; ++k) {
    const auto start = draw.next(k);
    TEST_ASSERT_TRUE(build(exact, start) && build(world, start));
    for (int s = 0; s < kSteps; ++s) {
      const Before before(exact, world);
      const auto report = step(world, workspace);
      if (report.status != StepStatus::solved) continue;
      ++count.solved;
      TEST_ASSERT_LESS_OR_EQUAL_INT(contact::guess::kTries, report.tries);
      Three after;
      for (std::size_t j = 0; j < kJoints; ++j) after[j] = static_cast<double>(world.state.arm.qd[j]);
      const auto& f = report.contact[0].force;
      const Vector force(static_cast<double>(f[1]), static_cast<double>(f[2]), static_cast<double>(f[0]));
      judge_tip<Scalar>(start.mu, static_cast<double>(report.facet_error), before, after, force);
      for (std::size_t j = 0; j < kJoints; ++j) {
        const double q = static_cast<double>(world.state.arm.q[j]), v = after[j];
        judge_joint<Scalar>(start.friction, q, v, before.reaction(j, after, force));
        if (start.friction > 0 && std::fabs(v) <= Slack<Scalar>::speed) ++count.stuck;
      }
      if (force[2] > 0) ++count.pressed;
    }
  }
  tell::figure("steps solved, of 12,000:", static_cast<std::uint32_t>(count.solved));
  tell::figure("  of them with the tip pressed:", static_cast<std::uint32_t>(count.pressed));
  tell::figure("  joints at rest in them:", static_cast<std::uint32_t>(count.stuck));
  return count;
}

// An answer exists for each, since gaps are not negative and limits are kept: all of them are solved.
template <class Scalar>
void check() {
  const Count count = follow<Scalar>();
  TEST_ASSERT_TRUE(count.pressed > 5000 && count.stuck > 1000);
  TEST_ASSERT_EQUAL_INT(kStates * kSteps, count.solved);
}

void in_float() {
  check<float>();
}
void in_double() {
  check<double>();
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(in_float);
  RUN_TEST(in_double);
  return UNITY_END();
}
