// A four-bar linkage of three bars and four hinges in the plane, against the geometry and the energy of its
// one way to move.
//
// Crank a from (0, 0) at angle t2, coupler b at t3, rocker c from (d, 0) at t4:
//     a e(t2) + b e(t3) = d e(0) + c e(t4),
// so t3 and t4 follow from t2 where two circles cut, and by the time derivative
//     w3 = w2 a sin(t4 - t2) / (b sin(t3 - t4)),   w4 = w2 a sin(t2 - t3) / (c sin(t4 - t3)).
// All is then one number: the energy J(t2) w2^2 / 2 + V(t2) stays.
#include <cmath>

#include "tactus/plane.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;

namespace {

constexpr double a = 0.1, b = 0.26, c = 0.2, d = 0.24, kGravity = 9.81;  // a + b < c + d: the crank turns
constexpr double kMass[] = {0.3, 0.5, 0.4};
constexpr Capacity kSize{.bodies = 4, .contacts = 1, .slots = 1, .active = 1, .joints = 4};

// Angles, speeds and energy by the crank's.
struct Linkage {
  double t[3], x[3], y[3], w[3], v_squared[3];

  Linkage(double crank, double speed) {
    const double px = a * std::cos(crank), py = a * std::sin(crank);
    const double dx = d - px, dy = -py, r2 = dx * dx + dy * dy;
    const double along = (r2 + b * b - c * c) / (2 * r2), across = std::sqrt(b * b / r2 - along * along);
    const double qx = px + along * dx - across * dy, qy = py + along * dy + across * dx;  // the upper one
    t[0] = crank;
    t[1] = std::atan2(qy - py, qx - px);
    t[2] = std::atan2(qy, qx - d);
    w[0] = speed;
    w[1] = speed * a * std::sin(t[2] - t[0]) / (b * std::sin(t[1] - t[2]));
    w[2] = speed * a * std::sin(t[0] - t[1]) / (c * std::sin(t[2] - t[1]));
    x[0] = px / 2, y[0] = py / 2;
    x[1] = (px + qx) / 2, y[1] = (py + qy) / 2;
    x[2] = (d + qx) / 2, y[2] = qy / 2;
    v_squared[0] = w[0] * w[0] * a * a / 4;
    v_squared[2] = w[2] * w[2] * c * c / 4;
    const double vx = -a * w[0] * std::sin(t[0]) - b / 2 * w[1] * std::sin(t[1]);
    const double vy = a * w[0] * std::cos(t[0]) + b / 2 * w[1] * std::cos(t[1]);
    v_squared[1] = vx * vx + vy * vy;
  }
  static double inertia(int i) {
    const double length[] = {a, b, c};
    return kMass[i] * length[i] * length[i] / 12;
  }
  double kinetic() const {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += (kMass[i] * v_squared[i] + inertia(i) * w[i] * w[i]) / 2;
    return sum;
  }
  double potential() const {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += kMass[i] * kGravity * y[i];
    return sum;
  }
};

template <class Scalar>
struct Rig {
  using V2 = math::Vector<Scalar, 2>;
  World<Scalar, 2, kSize> world;
  Workspace<Scalar, 2, kSize> workspace;

  void add(const BodyDescription<Scalar, 2>& body) {
    int index = 0;
    TEST_ASSERT_TRUE(add_body(world, body, index) == What::none);
  }
  void hinge(int i, int j, double x, double y) {
    int index = 0;
    const V2 at(static_cast<Scalar>(x), static_cast<Scalar>(y)), axis(1, 0);
    TEST_ASSERT_TRUE(add_joint(world, dynamics::JointType::revolute, i, j, at, axis, index) == What::none);
  }
  Rig(double h, const Linkage& l) {
    TEST_ASSERT_TRUE(configure(world, static_cast<Scalar>(h), V2(0, Scalar(-kGravity))) == What::none);
    const double length[] = {a, b, c};
    add({.shape = geometry::disc(Scalar(0.01))});
    for (int i = 0; i < 3; ++i) {
      BodyDescription<Scalar, 2> bar;
      bar.mass = static_cast<Scalar>(kMass[i]);
      bar.inertia = dynamics::SpinMatrix<Scalar, 2>(static_cast<Scalar>(Linkage::inertia(i)));
      bar.shape = geometry::rod(static_cast<Scalar>(length[i]));
      bar.pose = {static_cast<Scalar>(l.x[i]), static_cast<Scalar>(l.y[i]), static_cast<Scalar>(l.t[i])};
      add(bar);
    }
    hinge(0, 1, 0, 0);
    hinge(1, 2, 2 * l.x[0], 2 * l.y[0]);
    hinge(2, 3, 2 * l.x[2] - d, 2 * l.y[2]);
    hinge(0, 3, d, 0);
  }
};

// Velocities and angles by the crank's, and its speed by the energy: falls with h, which it must by half.
template <class Scalar>
double run(double h, double time) {
  const Linkage start(2.4, 0);
  static Rig<Scalar> rig(h, start);
  rig = Rig<Scalar>(h, start);
  double worst = 0;
  double fastest = 0, turned = 0;
  const auto number = [](Scalar x) { return static_cast<double>(x); };
  for (double t = 0; t < time; t += h) {
    // The rows hold at the start of the step, with the velocities at its end.
    const double before = number(rig.world.state.pose[1].angle);
    TEST_ASSERT_TRUE(step(rig.world, rig.workspace).status == StepStatus::solved);
    const auto& state = rig.world.state;
    const double crank = number(state.pose[1].angle), w = number(state.velocity[1].angular[0]);
    const Linkage now(crank, w), old(before, w);
    fastest = std::fmax(fastest, std::fabs(w));
    turned = std::fmax(turned, std::fabs(crank - 2.4));
    for (int i = 1; i < 3; ++i) {
      const double off = std::remainder(number(state.pose[static_cast<std::size_t>(i + 1)].angle) - now.t[i],
                                        2 * 3.14159265358979323846);
      const double size = 1e3 * h * h;  // the gap of a step, (h w)^2 / 2, is taken back in the next
      TEST_ASSERT_DOUBLE_WITHIN(size + (sizeof(Scalar) == 8 ? 0 : 1e-5), 0, off);
      const double v = number(state.velocity[static_cast<std::size_t>(i + 1)].angular[0]);
      TEST_ASSERT_DOUBLE_WITHIN(40 * h * std::fabs(w) * (1 + std::fabs(w)) + 40 * h, old.w[i], v);
    }
    const double balance = now.kinetic() + now.potential() - start.potential();
    worst = std::fmax(worst, std::fabs(balance));
  }
  TEST_ASSERT_TRUE(fastest > 5 && turned > 2);
  return worst / (start.potential() - Linkage(-0.9, 0).potential());
}

void energy_and_speeds_are_those_of_its_one_motion() {
  const double coarse = run<double>(1e-3, 1), fine = run<double>(5e-4, 1), finest = run<double>(2.5e-4, 1);
  TEST_ASSERT_TRUE(finest < 0.02);
  TEST_ASSERT_DOUBLE_WITHIN(0.4, 2, coarse / fine);
  TEST_ASSERT_DOUBLE_WITHIN(0.2, 2, fine / finest);
}

void the_same_in_float() {
  TEST_ASSERT_DOUBLE_WITHIN(5e-3, run<double>(1e-3, 1), run<float>(1e-3, 1));
}

// From rest the crank starts with w' = -V' / J, J by a unit speed and V' by a difference: one step, exactly.
template <class Scalar>
void the_first_step() {
  const double h = 1e-5;
  for (const double crank : {0.3, 1.2, 2.4, 3.9, 5.5}) {
    const Linkage start(crank, 0);
    static Rig<Scalar> rig(h, start);
    rig = Rig<Scalar>(h, start);
    TEST_ASSERT_TRUE(step(rig.world, rig.workspace).status == StepStatus::solved);
    const double e = 1e-5;
    const double slope = (Linkage(crank + e, 0).potential() - Linkage(crank - e, 0).potential()) / (2 * e);
    const double acceleration = -slope / (2 * Linkage(crank, 1).kinetic());
    // Places are off by rounding, which a step takes back: eps m / h.
    const double slack = sizeof(Scalar) == 8 ? 1e-10 : 0.1;
    const auto& v = rig.world.state.velocity;
    TEST_ASSERT_DOUBLE_WITHIN(slack, h * acceleration, static_cast<double>(v[1].angular[0]));
    const Linkage speeds(crank, h * acceleration);
    for (std::size_t i = 1; i < 3; ++i)
      TEST_ASSERT_DOUBLE_WITHIN(slack, speeds.w[i], static_cast<double>(v[i + 1].angular[0]));
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(energy_and_speeds_are_those_of_its_one_motion);
  RUN_TEST(the_same_in_float);
  RUN_TEST(the_first_step<double>);
  RUN_TEST(the_first_step<float>);
  return UNITY_END();
}
