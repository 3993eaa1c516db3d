// Bilateral rows under the round cones (Negrut 2017, (5c) and (7)-(12)): a double pendulum whose tip strikes
// a floor, against the 2 x 2 system of its two angles.
#include <cmath>

#include "tactus/sentence.hpp"
#include "tactus/tactus.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;

namespace {

constexpr Capacity kPendulum{.bodies = 3, .contacts = 1, .slots = 1, .active = 1, .joints = 2, .points = 1};
constexpr double kGravity = 9.81, kStep = 1e-2, kHeading = 0.7;

template <class Scalar>
constexpr double kNear = sizeof(Scalar) == 8 ? 1e-10 : 1e-4;

// Links of the lengths l from a pivot, at the angles a to the downward vertical, all in the plane of z and
// the level direction e at kHeading.
struct Pendulum {
  double l[2] = {0.5, 0.4}, m[2] = {1.2, 0.7}, I[2] = {0.03, 0.01}, a[2], rate[2], mu;
};

struct Answer {
  contact::Mode mode = contact::Mode::open;
  double rate[2], force[2], lift = 0;  // forces along n and e, h mu v_T
};

// With the tip at J rate, J = (l_k cos a_k along e, l_k sin a_k along z), and M of the two angles, a step is
// rate' = rate + h M^-1 (Q + J^T lambda); the joints do no work, so the six rows a body more that a step has
// come to the same. s = A lambda + b, A = h J M^-1 J^T: open, stuck, or sliding along d with lambda_e = -mu d
// lambda_n and s_n = 0 by Coulomb's law, s_n = mu d s_e by the relaxed one.
Answer closed_form(const Pendulum& p, bool relaxed) {
  const double m2 = p.m[1], s[2] = {std::sin(p.a[0]), std::sin(p.a[1])},
               c[2] = {std::cos(p.a[0]), std::cos(p.a[1])};
  const double M[3] = {p.I[0] + (p.m[0] / 4 + m2) * p.l[0] * p.l[0],
                       m2 * p.l[0] * p.l[1] / 2 * std::cos(p.a[0] - p.a[1]),
                       p.I[1] + m2 / 4 * p.l[1] * p.l[1]};
  const double Q[2] = {-(p.m[0] / 2 + m2) * p.l[0] * kGravity * s[0], -m2 / 2 * p.l[1] * kGravity * s[1]};
  const double J[2][2] = {{p.l[0] * s[0], p.l[1] * s[1]}, {p.l[0] * c[0], p.l[1] * c[1]}};  // n, e
  const double det = M[0] * M[2] - M[1] * M[1];
  const auto solve = [&](const double* x, double* y) {
    y[0] = (M[2] * x[0] - M[1] * x[1]) / det;
    y[1] = (M[0] * x[1] - M[1] * x[0]) / det;
  };
  double push[2], Y[2][2], A[2][2], b[2];
  solve(Q, push);
  Answer out{};
  for (int k = 0; k < 2; ++k) out.rate[k] = p.rate[k] + kStep * push[k];
  for (int r = 0; r < 2; ++r) solve(J[r], Y[r]);
  for (int r = 0; r < 2; ++r) {
    b[r] = J[r][0] * out.rate[0] + J[r][1] * out.rate[1];
    for (int k = 0; k < 2; ++k) A[r][k] = kStep * (J[r][0] * Y[k][0] + J[r][1] * Y[k][1]);
  }
  double* const f = out.force;
  if (!(b[0] < (relaxed ? p.mu * std::abs(b[1]) : 0))) return out;
  const double both = A[0][0] * A[1][1] - A[0][1] * A[1][0];
  f[0] = -(A[1][1] * b[0] - A[0][1] * b[1]) / both;
  f[1] = -(A[0][0] * b[1] - A[1][0] * b[0]) / both;
  out.mode = contact::Mode::stick;
  if (!(std::abs(f[1]) <= p.mu * f[0])) {
    out.mode = contact::Mode::slip;
    for (const double d : {1.0, -1.0}) {
      const double drag = p.mu * d, n = A[0][0] - drag * A[0][1], e = A[1][0] - drag * A[1][1];
      f[0] = relaxed ? (drag * b[1] - b[0]) / (n - drag * e) : -b[0] / n;
      f[1] = -drag * f[0];
      const double slip = d * (b[1] + e * f[0]);
      out.lift = relaxed ? kStep * p.mu * slip : 0;
      if (f[0] > 0 && slip > 0) break;
    }
  }
  for (int k = 0; k < 2; ++k) out.rate[k] += kStep * (Y[0][k] * f[0] + Y[1][k] * f[1]);
  return out;
}

template <class Scalar>
void check(const Pendulum& p, FrictionLaw law, int* seen) {
  using V = math::Vector<Scalar, 3>;
  static World<Scalar, 3, kPendulum> world;
  static Workspace<Scalar, 3, kPendulum> workspace;
  world = {};
  Method method;
  method.friction = law;
  const auto good = [](const Error& error) { TEST_ASSERT_FALSE_MESSAGE(error, Sentence(error).text()); };
  const auto vector = [](double along, double up) {
    return V(static_cast<Scalar>(along * std::cos(kHeading)), static_cast<Scalar>(along * std::sin(kHeading)),
             static_cast<Scalar>(up));
  };
  good(configure(world, static_cast<Scalar>(kStep), V(0, 0, static_cast<Scalar>(-kGravity)), method));
  BodyDescription<Scalar, 3> floor;
  floor.shape = geometry::half_space<Scalar>(V(0, 0, 1), Scalar(0));
  int index = 0;
  good(add_body(world, floor, index));
  // The axis of both hinges is across e, and a growing angle turns against it.
  const V across(static_cast<Scalar>(-std::sin(kHeading)), static_cast<Scalar>(std::cos(kHeading)), 0);
  double along = 0, up = p.l[0] * std::cos(p.a[0]) + p.l[1] * std::cos(p.a[1]), v[2] = {0, 0};
  V hinge[2];
  for (int k = 0; k < 2; ++k) {
    const double half = p.l[k] / 2, s = std::sin(p.a[k]), c = std::cos(p.a[k]);
    hinge[k] = vector(along, up);
    BodyDescription<Scalar, 3> link;
    link.mass = static_cast<Scalar>(p.m[k]);
    link.inertia.diagonal().setConstant(static_cast<Scalar>(p.I[k]));
    link.shape = geometry::sphere<Scalar>(Scalar(0.01));
    link.pose.position = vector(along + half * s, up - half * c);
    link.velocity.linear = vector(v[0] + half * c * p.rate[k], v[1] + half * s * p.rate[k]);
    link.velocity.angular = static_cast<Scalar>(-p.rate[k]) * across;
    good(add_body(world, link, index));
    along += p.l[k] * s;
    up -= p.l[k] * c;
    v[0] += p.l[k] * c * p.rate[k];
    v[1] += p.l[k] * s * p.rate[k];
  }
  for (int k = 0; k < 2; ++k)
    good(add_joint(world, dynamics::JointType::revolute, k, k + 1, hinge[k], across, index));
  V tip = vector(p.l[1] / 2 * std::sin(p.a[1]), 0);
  tip[2] = -world.state.pose[2].position[2];  // on the floor to the bit
  ContactDescription<Scalar, 3> contact;
  contact.b = 2;
  contact.friction.kinetic = static_cast<Scalar>(p.mu);
  contact.points = &tip;
  contact.point_count = 1;
  good(add_contact(world, contact, index));

  const auto report = step(world, workspace);
  TEST_ASSERT_EQUAL_STRING(sentence(StepReason::none), sentence(report.reason));
  const auto want = closed_form(p, law == FrictionLaw::relaxed_cone);
  ++seen[static_cast<int>(want.mode)];
  TEST_ASSERT_TRUE(report.contact[0].mode == want.mode);
  for (int k = 0; k < 2; ++k) {
    const auto& angular = world.state.velocity[static_cast<std::size_t>(k + 1)].angular;
    for (int i = 0; i < 3; ++i)
      TEST_ASSERT_DOUBLE_WITHIN(10 * kNear<Scalar>, -want.rate[k] * static_cast<double>(across[i]),
                                static_cast<double>(angular[i]));
  }
  const double size = 100 * (1 + want.force[0]);
  TEST_ASSERT_DOUBLE_WITHIN(size * kNear<Scalar>, want.force[0],
                            static_cast<double>(report.contact[0].force[0]));
  TEST_ASSERT_DOUBLE_WITHIN(
      size * kNear<Scalar>, std::abs(want.force[1]),
      static_cast<double>(std::hypot(report.contact[0].force[1], report.contact[0].force[2])));
  TEST_ASSERT_DOUBLE_WITHIN(kNear<Scalar>, want.lift, static_cast<double>(report.lift));
}

template <class Scalar>
void strikes() {
  int seen[3] = {0, 0, 0};
  for (const auto law : {FrictionLaw::relaxed_cone, FrictionLaw::cone})
    for (const double mu : {0.1, 0.3, 0.6})
      for (const double first : {-2.0, 0.3, 1.5})
        for (const double second : {-3.0, 0.4, 2.0})
          check<Scalar>({.a = {0.9, -0.5}, .rate = {first, second}, .mu = mu}, law, seen);
  for (const int count : seen) TEST_ASSERT_GREATER_THAN_INT(3, count);
}

void strikes_in_double() {
  strikes<double>();
}
void strikes_in_float() {
  strikes<float>();
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(strikes_in_double);
  RUN_TEST(strikes_in_float);
  return UNITY_END();
}
