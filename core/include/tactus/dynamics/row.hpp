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
  Vector<Scalar, kSpin<Dim>> turn_a, turn_b;      // I_a^-1 (r_a x d), I_b^-1 (r_b x d)
};

// The two bodies of a row; the force acts on b, its reaction on a.
struct Pair {
  std::uint8_t a = 0, b = 0;
};

template <class Scalar, int Dim>
inline void make_row(Row<Scalar, Dim>& row, const Vector<Scalar, Dim>& direction,
                     const Vector<Scalar, kSpin<Dim>>& moment_a, const Vector<Scalar, kSpin<Dim>>& moment_b,
                     const Mobility<Scalar, Dim>& a, const Mobility<Scalar, Dim>& b) {
  row.direction = direction;
  row.moment_a = moment_a;
  row.moment_b = moment_b;
  row.turn_a.setZero();
  row.turn_b.setZero();
  if (a.inverse_mass > 0) row.turn_a = times<Scalar, kSpin<Dim>>(a.inverse_inertia, moment_a);
  if (b.inverse_mass > 0) row.turn_b = times<Scalar, kSpin<Dim>>(b.inverse_inertia, moment_b);
}

// W nu of one row.
template <class Scalar, int Dim>
inline Scalar speed(const Row<Scalar, Dim>& row, const Motion<Scalar, Dim>& a, const Motion<Scalar, Dim>& b) {
  const Vector<Scalar, Dim> relative = b.linear - a.linear;
  return dot<Scalar, Dim>(row.direction, relative) + (dot<Scalar, kSpin<Dim>>(row.moment_b, b.angular) -
                                                      dot<Scalar, kSpin<Dim>>(row.moment_a, a.angular));
}

// The entry W_i M^-1 W_j^T.
template <class Scalar, int Dim, class Bodies>
inline Scalar coupling(const Row<Scalar, Dim>& i, Pair pi, const Row<Scalar, Dim>& j, Pair pj,
                       const Bodies& bodies) {
  Scalar sum = 0;
  const Scalar linear = dot<Scalar, Dim>(i.direction, j.direction);
  if (pi.a == pj.a && bodies[pi.a].inverse_mass > 0)
    sum += bodies[pi.a].inverse_mass * linear + dot<Scalar, kSpin<Dim>>(i.moment_a, j.turn_a);
  if (pi.b == pj.b && bodies[pi.b].inverse_mass > 0)
    sum += bodies[pi.b].inverse_mass * linear + dot<Scalar, kSpin<Dim>>(i.moment_b, j.turn_b);
  if (pi.a == pj.b && bodies[pi.a].inverse_mass > 0)
    sum -= bodies[pi.a].inverse_mass * linear + dot<Scalar, kSpin<Dim>>(i.moment_a, j.turn_b);
  if (pi.b == pj.a && bodies[pi.b].inverse_mass > 0)
    sum -= bodies[pi.b].inverse_mass * linear + dot<Scalar, kSpin<Dim>>(i.moment_b, j.turn_a);
  return sum;
}

// nu += M^-1 W^T impulse, impulse in N s.
template <class Scalar, int Dim, class Bodies>
inline void push(const Row<Scalar, Dim>& row, Pair pair, Scalar impulse, Bodies& bodies) {
  auto& a = bodies[pair.a];
  auto& b = bodies[pair.b];
  if (a.inverse_mass > 0) {
    a.velocity.linear -= (impulse * a.inverse_mass) * row.direction;
    a.velocity.angular -= impulse * row.turn_a;
  }
  if (b.inverse_mass > 0) {
    b.velocity.linear += (impulse * b.inverse_mass) * row.direction;
    b.velocity.angular += impulse * row.turn_b;
  }
}

}  // namespace tactus::dynamics
