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

// What a unit impulse along a row does to the spin of its bodies: I^-1 (r x d); zero for a fixed body.
template <class Scalar, int Dim>
struct Turn {
  Vector<Scalar, kSpin<Dim>> a, b;
};

template <class Scalar, int Dim, class Bodies>
inline Turn<Scalar, Dim> turn_of(const Row<Scalar, Dim>& row, Pair pair, const Bodies& bodies) {
  Turn<Scalar, Dim> turn;
  turn.a.setZero();
  turn.b.setZero();
  if (bodies[pair.a].inverse_mass > 0)
    turn.a = times<Scalar, kSpin<Dim>>(bodies[pair.a].inverse_inertia, row.moment_a);
  if (bodies[pair.b].inverse_mass > 0)
    turn.b = times<Scalar, kSpin<Dim>>(bodies[pair.b].inverse_inertia, row.moment_b);
  return turn;
}

// W nu of one row.
template <class Scalar, int Dim>
inline Scalar speed(const Row<Scalar, Dim>& row, const Motion<Scalar, Dim>& a, const Motion<Scalar, Dim>& b) {
  const Vector<Scalar, Dim> relative = b.linear - a.linear;
  return dot<Scalar, Dim>(row.direction, relative) + (dot<Scalar, kSpin<Dim>>(row.moment_b, b.angular) -
                                                      dot<Scalar, kSpin<Dim>>(row.moment_a, a.angular));
}

// The entries W_i M^-1 W_j^T of m rows of one pair against n rows of another, to out[i * stride + j]; the
// turns are those of the second. Where both have one and the same orthonormal frame the products of the
// directions are known.
template <class Scalar, int Dim, class Bodies>
inline void coupling(const Row<Scalar, Dim>* i, int m, Pair pi, const Row<Scalar, Dim>* j,
                     const Turn<Scalar, Dim>* turn, int n, Pair pj, const Bodies& bodies, Scalar* out,
                     int stride, bool one_frame) {
  constexpr int spin = kSpin<Dim>;
  const bool aa = pi.a == pj.a && bodies[pi.a].inverse_mass > 0;
  const bool bb = pi.b == pj.b && bodies[pi.b].inverse_mass > 0;
  const bool ab = pi.a == pj.b && bodies[pi.a].inverse_mass > 0;
  const bool ba = pi.b == pj.a && bodies[pi.b].inverse_mass > 0;
  Scalar mass = 0;
  if (aa) mass += bodies[pi.a].inverse_mass;
  if (bb) mass += bodies[pi.b].inverse_mass;
  if (ab) mass -= bodies[pi.a].inverse_mass;
  if (ba) mass -= bodies[pi.b].inverse_mass;
  for (int k = 0; k < m; ++k) {
    for (int l = 0; l < n; ++l) {
      Scalar sum = 0;
      if (!one_frame)
        sum = mass * dot<Scalar, Dim>(i[k].direction, j[l].direction);
      else if (k == l)
        sum = mass;
      if (bb) sum += dot<Scalar, spin>(i[k].moment_b, turn[l].b);
      if (aa) sum += dot<Scalar, spin>(i[k].moment_a, turn[l].a);
      if (ab) sum -= dot<Scalar, spin>(i[k].moment_a, turn[l].b);
      if (ba) sum -= dot<Scalar, spin>(i[k].moment_b, turn[l].a);
      out[k * stride + l] = sum;
    }
  }
}

// nu += M^-1 W^T impulse over n rows of one pair, impulses in N s.
template <class Scalar, int Dim, class Bodies>
inline void push(const Row<Scalar, Dim>* row, int n, Pair pair, const Scalar* impulse, Scalar scale,
                 Bodies& bodies) {
  constexpr int spin = kSpin<Dim>;
  auto& a = bodies[pair.a];
  auto& b = bodies[pair.b];
  Vector<Scalar, Dim> linear = Vector<Scalar, Dim>::Zero();
  Vector<Scalar, spin> moment_a = Vector<Scalar, spin>::Zero(), moment_b = Vector<Scalar, spin>::Zero();
  for (int k = 0; k < n; ++k) {
    const Scalar p = scale * impulse[k];
    linear += p * row[k].direction;
    moment_a += p * row[k].moment_a;
    moment_b += p * row[k].moment_b;
  }
  if (a.inverse_mass > 0) {
    a.velocity.linear -= a.inverse_mass * linear;
    a.velocity.angular -= times<Scalar, spin>(a.inverse_inertia, moment_a);
  }
  if (b.inverse_mass > 0) {
    b.velocity.linear += b.inverse_mass * linear;
    b.velocity.angular += times<Scalar, spin>(b.inverse_inertia, moment_b);
  }
}

}  // namespace tactus::dynamics
