// One row of the system Jacobian W: the relative velocity of two bodies along one direction, and what a force
// along it does to them.
//
//     W nu = d . (v_b - v_a) + (r_b x d) . omega_b - (r_a x d) . omega_a
//
// A row touches two bodies only, so W is never stored as a matrix: an entry of W M^-1 W^T is one or two short
// dot products over the bodies that two rows share.
#pragma once

#include "tactus/dynamics/body.hpp"

namespace tactus::dynamics {

// What a step needs of a body at the present pose.
template <class Scalar, int Dim>
struct Mobility {
  Frame<Scalar, Dim> frame;
  Scalar inverse_mass = 0;                                                    // 0: fixed
  SpinMatrix<Scalar, Dim> inverse_inertia = SpinMatrix<Scalar, Dim>::Zero();  // world frame
  Motion<Scalar, Dim> velocity;  // starts as the free velocity v + h M^-1 f, ends as v'
};

template <class Scalar, int Dim>
struct Row {
  Vector<Scalar, Dim> direction;                  // d, from a to b; zero for a row that only turns
  Vector<Scalar, kSpin<Dim>> moment_a, moment_b;  // r_a x d, r_b x d
};

// The two bodies of a row; the force acts on b, its reaction on a.
struct Pair {
  std::uint8_t a = 0, b = 0;
};

// What an impulse of size `scale` along a row does to the spin of its bodies: scale I^-1 (r x d). What
// belongs to a fixed body is never read.
template <class Scalar, int Dim>
struct Turn {
  Vector<Scalar, kSpin<Dim>> a, b;
};

template <class Scalar, int Dim, class Bodies>
inline Turn<Scalar, Dim> turn_of(const Row<Scalar, Dim>& row, Pair pair, const Bodies& bodies, Scalar scale) {
  Turn<Scalar, Dim> turn;
  if (bodies[pair.a].inverse_mass > 0)
    turn.a = scale * times<Scalar, kSpin<Dim>>(bodies[pair.a].inverse_inertia, row.moment_a);
  if (bodies[pair.b].inverse_mass > 0)
    turn.b = scale * times<Scalar, kSpin<Dim>>(bodies[pair.b].inverse_inertia, row.moment_b);
  return turn;
}

// W nu of one row.
template <class Scalar, int Dim>
inline Scalar speed(const Row<Scalar, Dim>& row, const Motion<Scalar, Dim>& a, const Motion<Scalar, Dim>& b) {
  const Vector<Scalar, Dim> relative = b.linear - a.linear;
  return dot<Scalar, Dim>(row.direction, relative) + (dot<Scalar, kSpin<Dim>>(row.moment_b, b.angular) -
                                                      dot<Scalar, kSpin<Dim>>(row.moment_a, a.angular));
}

namespace detail {

// sum[k][l] += p_k . q_l, or -=; p and q are one member of each row and of each turn.
template <int M, int N, bool kSubtract, class Row, class Turn, class P, class Q, class Scalar>
[[gnu::always_inline]] inline void add_products(const Row* row, P p, const Turn* turn, Q q,
                                                Scalar (&sum)[M][N]) {
  constexpr int spin = static_cast<int>(std::remove_reference_t<decltype(turn->*q)>::SizeAtCompileTime);
  Scalar right[N][spin];
  unrolled<N>([&](int l) __attribute__((always_inline)) {
    unrolled<spin>([&](int c) __attribute__((always_inline)) { right[l][c] = (turn[l].*q)[c]; });
  });
  unrolled<M>([&](int k) __attribute__((always_inline)) {
    unrolled<spin>([&](int c) __attribute__((always_inline)) {
      const Scalar left = kSubtract ? -(row[k].*p)[c] : (row[k].*p)[c];
      unrolled<N>([&](int l) __attribute__((always_inline)) {
        sum[k][l] = lcp::multiply_add(left, right[l][c], sum[k][l]);
      });
    });
  });
}

}  // namespace detail

// The M x N entries scale W_i M^-1 W_j^T of the rows of one pair against those of another; the turns are
// those of the second, of the same scale. Where both have one and the same orthonormal frame the products of
// the directions are known.
template <int M, int N, class Scalar, int Dim, class Bodies>
[[gnu::always_inline]] inline void coupling(const Row<Scalar, Dim>* i, Pair pi, const Row<Scalar, Dim>* j,
                                            const Turn<Scalar, Dim>* turn, Pair pj, const Bodies& bodies,
                                            Scalar scale, bool one_frame, Scalar (&sum)[M][N]) {
  using R = Row<Scalar, Dim>;
  using T = Turn<Scalar, Dim>;
  const bool bb = pi.b == pj.b && bodies[pi.b].inverse_mass > 0;
  const bool aa = pi.a == pj.a && bodies[pi.a].inverse_mass > 0;
  const bool ab = pi.a == pj.b && bodies[pi.a].inverse_mass > 0;
  const bool ba = pi.b == pj.a && bodies[pi.b].inverse_mass > 0;
  Scalar mass = 0;
  if (bb) mass += bodies[pi.b].inverse_mass;
  if (aa) mass += bodies[pi.a].inverse_mass;
  if (ab) mass -= bodies[pi.a].inverse_mass;
  if (ba) mass -= bodies[pi.b].inverse_mass;
  mass *= scale;
  if (one_frame)
    unrolled<M>([&](int k) __attribute__((always_inline)) {
      unrolled<N>([&](int l) __attribute__((always_inline)) { sum[k][l] = k == l ? mass : Scalar(0); });
    });
  else
    unrolled<M>([&](int k) __attribute__((always_inline)) {
      unrolled<N>([&](int l) __attribute__((always_inline)) {
        sum[k][l] = mass * dot<Scalar, Dim>(i[k].direction, j[l].direction);
      });
    });
  if (bb) detail::add_products<M, N, false>(i, &R::moment_b, turn, &T::b, sum);
  if (aa) detail::add_products<M, N, false>(i, &R::moment_a, turn, &T::a, sum);
  if (ab) detail::add_products<M, N, true>(i, &R::moment_a, turn, &T::b, sum);
  if (ba) detail::add_products<M, N, true>(i, &R::moment_b, turn, &T::a, sum);
}

// nu += M^-1 W^T p for an impulse p (N s) along one row.
template <class Scalar, int Dim, class Bodies>
inline void push(const Row<Scalar, Dim>& row, Pair pair, Scalar p, Bodies& bodies) {
  constexpr int spin = kSpin<Dim>;
  auto& a = bodies[pair.a];
  auto& b = bodies[pair.b];
  if (a.inverse_mass > 0) {
    a.velocity.linear -= (p * a.inverse_mass) * row.direction;
    a.velocity.angular -= p * times<Scalar, spin>(a.inverse_inertia, row.moment_a);
  }
  if (b.inverse_mass > 0) {
    b.velocity.linear += (p * b.inverse_mass) * row.direction;
    b.velocity.angular += p * times<Scalar, spin>(b.inverse_inertia, row.moment_b);
  }
}

// The Dim rows of a contact point in short: their orthonormal directions and the arms they have in common.
template <class Scalar, int Dim>
struct PointFrame {
  Vector<Scalar, Dim> axis[Dim];     // n, t (, o)
  Vector<Scalar, Dim> arm_a, arm_b;  // from the centres of mass to the point
};

// omega x r
template <class Scalar>
inline Vector<Scalar, 2> sweep(const Vector<Scalar, 1>& omega, const Vector<Scalar, 2>& r) {
  return {-omega[0] * r[1], omega[0] * r[0]};
}
template <class Scalar>
inline Vector<Scalar, 3> sweep(const Vector<Scalar, 3>& omega, const Vector<Scalar, 3>& r) {
  return cross<Scalar>(omega, r);
}

template <class Scalar, int Dim>
inline void write_rows(const PointFrame<Scalar, Dim>& frame, bool moves_a, Row<Scalar, Dim>* row) {
  for (int k = 0; k < Dim; ++k) {
    row[k].direction = frame.axis[k];
    row[k].moment_a.setZero();
    if (moves_a) row[k].moment_a = moment<Scalar>(frame.arm_a, frame.axis[k]);
    row[k].moment_b = moment<Scalar>(frame.arm_b, frame.axis[k]);
  }
}

// Velocity of b against a at the point, in the world; its components along the axes are W nu.
template <class Scalar, int Dim>
inline Vector<Scalar, Dim> relative_velocity(const PointFrame<Scalar, Dim>& frame,
                                             const Motion<Scalar, Dim>& a, const Motion<Scalar, Dim>& b) {
  return (b.linear + sweep<Scalar>(b.angular, frame.arm_b)) -
         (a.linear + sweep<Scalar>(a.angular, frame.arm_a));
}

template <class Scalar, int Dim>
inline Vector<Scalar, Dim> in_frame(const PointFrame<Scalar, Dim>& frame, const Vector<Scalar, Dim>& v) {
  Vector<Scalar, Dim> x;
  unrolled<Dim>([&](int k) __attribute__((always_inline)) { x[k] = dot<Scalar, Dim>(frame.axis[k], v); });
  return x;
}

}  // namespace tactus::dynamics
