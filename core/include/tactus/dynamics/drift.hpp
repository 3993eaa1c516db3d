// Where a body goes that nothing acts on any more: the second half of "kick, then drift". Over h it moves
// straight on and, in space, turns free of torque, from (q, omega) to (q', omega') with
//
//     I(q') omega' = I(q) omega                         to rounding, whatever else is off, and
//     omega' . I(q') omega' = omega . I(q) omega        to what Newton's method leaves, which is rounding.
//
// It is the discrete Moser-Veselov map with the inertia of Hairer and Vilmart (J. Phys. A 39, 2006), of order
// 4: no angle functions, no principal axes, no case for symmetric bodies. In the body frame, with I / tr I
// for I, J = I^-1, m = I omega, C = m . m / 2, H = m . omega / 2:
//
//     w + u x w = (1 + u . u) m,   u = (a J + b) w,   R' = R cay(u), whose quaternion is (1, u) / |(1, u)|
//     a = h / 2 (1 + h^2 (C / (6 det I) - H tr J / 3)),   b = h^3 (H - 2 C) / (12 det I)
//
// All of it is written in increments. omega' = I(q')^-1 L anew in each step would, in float, be off by 3e-3
// of |L| after 20,000 of them; so it is by 2e-4 after a million (tests/unit/dynamics/test_drift_long.cpp).
//
// Cost, instructions of a Cortex-M4F (tests/unit/stepper/test_cost.cpp): 570 for a body that turns slowly,
// 630 at 0.1 rad a step, 860 at 0.9, 160 for a sphere; from 1 rad a step on it goes in two to four parts.
// Failure: beyond kMostTurn, and where the energy would not be kept, which a needle of 100 times its
// thickness can bring about earlier; then nothing is written.
#pragma once

#include "tactus/dynamics/body.hpp"

namespace tactus::dynamics {

// rad a step. What was found of contacts before such a turn says nothing of them after it.
inline constexpr int kMostTurn = 4;
inline constexpr const char* kTooFast =
    "A body spins too fast for the time step: it would turn by more than 4 rad in it.";

// Whether a body spins too fast for the step h. Not a number is too fast.
template <class Scalar>
inline bool too_fast(const Motion<Scalar, 2>&, Scalar) {
  return false;
}
template <class Scalar>
inline bool too_fast(const Motion<Scalar, 3>& v, Scalar h) {
  const math::Vector<Scalar, 3> turn = h * v.angular;
  return !(math::fused_dot<Scalar, 3>(turn, turn) <= Scalar(kMostTurn * kMostTurn));
}

namespace detail {

template <class Scalar>
[[gnu::always_inline]] inline math::Vector<Scalar, 3> fused_cross(const math::Vector<Scalar, 3>& a,
                                                                  const math::Vector<Scalar, 3>& b) {
  math::Vector<Scalar, 3> c;
  math::unrolled<3>([&](int i) __attribute__((always_inline)) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    c[i] = math::multiply_add(-a[k], b[j], a[j] * b[k]);
  });
  return c;
}

inline constexpr int kTurnTries = 3;
// Of r . r / m . m: its root, squared by Newton's method, does not add up to a rounding in a million steps.
template <class Scalar>
inline constexpr Scalar kTurnSolved = sizeof(Scalar) == 4 ? Scalar(1e-11) : Scalar(1e-18);
inline constexpr double kTurnKept = 1e-3;  // of the energy; as a rule a step keeps all but rounding

// A symmetric matrix in six registers.
template <class Scalar>
struct Symmetric {
  Scalar xx, yy, zz, yz, zx, xy;

  [[gnu::always_inline]] math::Vector<Scalar, 3> operator*(const math::Vector<Scalar, 3>& v) const {
    const auto row = [&](Scalar a, Scalar b, Scalar c) __attribute__((always_inline)) {
      return math::multiply_add(c, v[2], math::multiply_add(b, v[1], a * v[0]));
    };
    return {row(xx, xy, zx), row(xy, yy, yz), row(zx, yz, zz)};
  }
  [[gnu::always_inline]] math::Vector<Scalar, 3> column(int j) const {
    if (j == 0) return {xx, xy, zx};
    if (j == 1) return {xy, yy, yz};
    return {zx, yz, zz};
  }
};

template <class Scalar>
[[gnu::always_inline]] inline Symmetric<Scalar> symmetric(const Eigen::Matrix<Scalar, 3, 3>& a) {
  return {a(0, 0), a(1, 1), a(2, 2), a(2, 1), a(2, 0), a(1, 0)};
}

// r(w) = w + u x w - (1 + u . u) m = 0, u = K w, by Newton's method with the derivative
// 1 + [u]x - ([w]x + 2 m u^T) K.
template <class Scalar>
struct TurnEquation {
  using V = math::Vector<Scalar, 3>;
  Symmetric<Scalar> K;
  V m, w, u, r;
  V cofactor[3];  // of the derivative
  Scalar scale;   // -1 / its determinant

  // Returns r . r.
  [[gnu::always_inline]] Scalar evaluate() {
    u = K * w;
    r = w;
    add_moment<Scalar>(u, w, r);
    math::add_multiple<Scalar, 3>(-(1 + math::fused_dot<Scalar, 3>(u, u)), m, r);
    return math::fused_dot<Scalar, 3>(r, r);
  }
  [[gnu::always_inline]] void factor() {
    const V twice = Scalar(-2) * (K * u);
    V column[3];
    math::unrolled<3>([&](int j) __attribute__((always_inline)) {
      column[j] = fused_cross<Scalar>(K.column(j), w);
      math::add_multiple<Scalar, 3>(twice[j], m, column[j]);
      column[j][j] += 1;
      column[j][(j + 1) % 3] += u[(j + 2) % 3];
      column[j][(j + 2) % 3] -= u[(j + 1) % 3];
    });
    cofactor[0] = fused_cross<Scalar>(column[1], column[2]);
    cofactor[1] = fused_cross<Scalar>(column[2], column[0]);
    cofactor[2] = fused_cross<Scalar>(column[0], column[1]);
    scale = -1 / math::fused_dot<Scalar, 3>(column[0], cofactor[0]);
  }
  [[gnu::always_inline]] void step() {
    const V by(math::fused_dot<Scalar, 3>(cofactor[0], r), math::fused_dot<Scalar, 3>(cofactor[1], r),
               math::fused_dot<Scalar, 3>(cofactor[2], r));
    math::add_multiple<Scalar, 3>(scale, by, w);
  }

  // A step squares r / |m|. One more with the same derivative multiplies what it was before with what it is:
  // a third of the cost, and enough up to a few tenths of a radian. `enough` is what the square of r may
  // still be.
  [[gnu::always_inline]] void solve(Scalar enough) {
    Scalar before = evaluate();
    for (int k = 0; k < kTurnTries; ++k) {
      factor();
      step();
      if (before <= enough) break;
      const Scalar after = evaluate();
      if (before * after <= enough * enough) {
        step();
        break;
      }
      before = after;
    }
    u = K * w;
  }
};

// u of the turn over h, and omega'. R is the frame's.
template <class Scalar>
[[gnu::always_inline]] inline bool turn_freely(const Inertia<Scalar, 3>& inertia,
                                               const Eigen::Matrix<Scalar, 3, 3>& R, Scalar h,
                                               math::Vector<Scalar, 3>& omega, math::Vector<Scalar, 3>& u) {
  using V = math::Vector<Scalar, 3>;
  const Symmetric<Scalar> I = symmetric(inertia.tensor), J = symmetric(inertia.inverse_tensor);
  const Scalar trace = (I.xx + I.yy) + I.zz;
  const V own = math::times_transposed<Scalar, 3>(R, omega);
  TurnEquation<Scalar> eq;
  const V m = (1 / trace) * (I * own);
  const Scalar mm = math::fused_dot<Scalar, 3>(m, m), energy = math::fused_dot<Scalar, 3>(m, own),
               cube = h * h * h / 4;
  const auto& turn = inertia.turn;
  const Scalar a = trace * math::multiply_add(cube, turn.sixth * mm - turn.mean_inverse * energy, h / 2);
  const Scalar b = cube * turn.sixth * (energy - 2 * mm);
  eq.K = {math::multiply_add(a, J.xx, b),
          math::multiply_add(a, J.yy, b),
          math::multiply_add(a, J.zz, b),
          a * J.yz,
          a * J.zx,
          a * J.xy};
  eq.m = m;
  u = eq.K * m;
  eq.w = m;
  add_moment<Scalar>(m, u, eq.w);
  math::add_multiple<Scalar, 3>(math::fused_dot<Scalar, 3>(u, u), m, eq.w);
  eq.solve(kTurnSolved<Scalar> * mm);
  u = eq.u;
  // The momentum in the body turns back by cay(u), and takes own with it. I J is not 1 in float, and what it
  // is off by would add up with every turn: hence the second line of `change`.
  const Scalar twice = 2 / (1 + math::fused_dot<Scalar, 3>(u, u));
  const V across = fused_cross<Scalar>(u, m);
  V back = -across;
  add_moment<Scalar>(u, across, back);
  back *= twice;
  const V push = trace * back;
  V change = J * push;
  change += J * V(push - I * change);
  const V now = own + change;
  const Scalar kept = math::fused_dot<Scalar, 3>(V(m + back), now) - energy;
  if (!(std::abs(kept) <= Scalar(kTurnKept) * energy + std::numeric_limits<Scalar>::min())) return false;
  const V swept = fused_cross<Scalar>(u, now);
  V turned = swept;
  add_moment<Scalar>(u, swept, turned);
  math::add_multiple<Scalar, 3>(twice, turned, change);
  omega += math::times<Scalar, 3>(R, change);
  return true;
}

// q := q (1, u) / |(1, u)|, and |q| brought back to 1.
template <class Scalar>
[[gnu::always_inline]] inline void turn_by(const math::Vector<Scalar, 3>& u,
                                           geometry::SpatialPose<Scalar>& q) {
  using V = math::Vector<Scalar, 3>;
  const Scalar uu = math::fused_dot<Scalar, 3>(u, u), share = 1 / (1 + uu), c = std::sqrt(share);
  const Scalar less = -(uu * share) / (1 + c);  // c - 1
  const V turn = c * u, part(q.x, q.y, q.z);
  V next = q.w * turn;
  add_moment<Scalar>(part, turn, next);
  math::add_multiple<Scalar, 3>(less, part, next);
  next += part;
  const Scalar w = q.w + math::multiply_add(less, q.w, -math::fused_dot<Scalar, 3>(part, turn));
  const Scalar longer = (1 - math::multiply_add(w, w, math::fused_dot<Scalar, 3>(next, next))) / 2;
  math::add_multiple<Scalar, 3>(longer, V(next), next);
  q.w = math::multiply_add(longer, w, w);
  q.x = next[0], q.y = next[1], q.z = next[2];
}

// Over h, of which |h omega| is at most about 1.
template <class Scalar>
[[gnu::noinline]] inline bool turn_part(const Inertia<Scalar, 3>& inertia,
                                        const Eigen::Matrix<Scalar, 3, 3>& R, Scalar h,
                                        geometry::SpatialPose<Scalar>& q, math::Vector<Scalar, 3>& omega) {
  math::Vector<Scalar, 3> u;
  if (inertia.isotropic) {
    // tan(x) = x + x^3 / 3 of half the angle.
    const Scalar half = h / 2;
    u = math::multiply_add(half * half * half / 3, math::fused_dot<Scalar, 3>(omega, omega), half) *
        math::times_transposed<Scalar, 3>(R, omega);
  } else if (!turn_freely(inertia, R, h, omega, u)) {
    return false;
  }
  turn_by(u, q);
  return true;
}

}  // namespace detail

// Moves `pose`, whose frame is `at`, and the velocity `v` on by h. False, and both as they were, where the
// body spins too fast for h.
template <class Scalar>
inline bool drift(const Inertia<Scalar, 2>&, const geometry::PlanarFrame<Scalar>&, Scalar h,
                  geometry::PlanarPose<Scalar>& pose, Motion<Scalar, 2>& v) {
  pose = {pose.x + h * v.linear[0], pose.y + h * v.linear[1], pose.angle + h * v.angular[0]};
  return true;
}

template <class Scalar>
inline bool drift(const Inertia<Scalar, 3>& inertia, const geometry::SpatialFrame<Scalar>& at, Scalar h,
                  geometry::SpatialPose<Scalar>& pose, Motion<Scalar, 3>& v) {
  const math::Vector<Scalar, 3> turn = h * v.angular;
  const Scalar square = math::fused_dot<Scalar, 3>(turn, turn);
  if (square <= 1) {
    if (!detail::turn_part(inertia, at.R, h, pose, v.angular)) return false;
  } else {
    if (!(square <= Scalar(kMostTurn * kMostTurn))) return false;
    int parts = 2;
    while (square > Scalar(parts * parts)) ++parts;
    geometry::SpatialPose<Scalar> next = pose;
    math::Vector<Scalar, 3> omega = v.angular;
    for (int k = 0; k < parts; ++k)
      if (!detail::turn_part(inertia, geometry::frame(next).R, h / static_cast<Scalar>(parts), next, omega))
        return false;
    pose = next;
    v.angular = omega;
  }
  pose.position += h * v.linear;
  return true;
}

}  // namespace tactus::dynamics
