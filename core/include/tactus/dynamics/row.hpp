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
  math::Vector<Scalar, Dim> direction;                  // d, from a to b; zero for a row that only turns
  math::Vector<Scalar, kSpin<Dim>> moment_a, moment_b;  // r_a x d, r_b x d
};

// The two bodies of a row; the force acts on b, its reaction on a.
struct Pair {
  std::uint8_t a = 0, b = 0;
};

// What a unit impulse along a row does to the spin of its bodies: I^-1 (r x d). What belongs to a fixed body
// is never read.
template <class Scalar, int Dim>
struct Turn {
  math::Vector<Scalar, kSpin<Dim>> a, b;
};

template <class Scalar, int Dim, class Bodies>
inline Turn<Scalar, Dim> turn_of(const Row<Scalar, Dim>& row, Pair pair, const Bodies& bodies) {
  Turn<Scalar, Dim> turn;
  if (bodies[pair.a].inverse_mass > 0)
    turn.a = math::times<Scalar, kSpin<Dim>>(bodies[pair.a].inverse_inertia, row.moment_a);
  if (bodies[pair.b].inverse_mass > 0)
    turn.b = math::times<Scalar, kSpin<Dim>>(bodies[pair.b].inverse_inertia, row.moment_b);
  return turn;
}

// W nu of one row.
template <class Scalar, int Dim>
inline Scalar speed(const Row<Scalar, Dim>& row, const Motion<Scalar, Dim>& a, const Motion<Scalar, Dim>& b) {
  const math::Vector<Scalar, Dim> relative = b.linear - a.linear;
  return math::fused_dot<Scalar, Dim>(row.direction, relative) +
         (math::fused_dot<Scalar, kSpin<Dim>>(row.moment_b, b.angular) -
          math::fused_dot<Scalar, kSpin<Dim>>(row.moment_a, a.angular));
}

// W_i M^-1 W_j^T of two rows; the turn is that of the second.
template <class Scalar, int Dim, class Bodies>
inline Scalar coupling(const Row<Scalar, Dim>& i, Pair pi, const Row<Scalar, Dim>& j,
                       const Turn<Scalar, Dim>& turn, Pair pj, const Bodies& bodies) {
  constexpr int spin = kSpin<Dim>;
  const Scalar along = math::fused_dot<Scalar, Dim>(i.direction, j.direction);
  Scalar sum = 0;
  const auto add = [&](std::uint8_t body, std::uint8_t other, Scalar sign,
                       const math::Vector<Scalar, spin>& moment, const math::Vector<Scalar, spin>& turned) {
    if (body == other && bodies[body].inverse_mass > 0)
      sum += sign * (bodies[body].inverse_mass * along + math::fused_dot<Scalar, spin>(moment, turned));
  };
  add(pi.b, pj.b, 1, i.moment_b, turn.b);
  add(pi.a, pj.a, 1, i.moment_a, turn.a);
  add(pi.a, pj.b, -1, i.moment_a, turn.b);
  add(pi.b, pj.a, -1, i.moment_b, turn.a);
  return sum;
}

// nu += M^-1 W^T p for an impulse p (N s) along one row.
template <class Scalar, int Dim, class Bodies>
inline void push(const Row<Scalar, Dim>& row, Pair pair, Scalar p, Bodies& bodies) {
  constexpr int spin = kSpin<Dim>;
  auto& a = bodies[pair.a];
  auto& b = bodies[pair.b];
  if (a.inverse_mass > 0) {
    a.velocity.linear -= (p * a.inverse_mass) * row.direction;
    a.velocity.angular -= p * math::times<Scalar, spin>(a.inverse_inertia, row.moment_a);
  }
  if (b.inverse_mass > 0) {
    b.velocity.linear += (p * b.inverse_mass) * row.direction;
    b.velocity.angular += p * math::times<Scalar, spin>(b.inverse_inertia, row.moment_b);
  }
}

// The Dim rows of a contact point in short: their orthonormal directions and the arms they have in common.
template <class Scalar, int Dim>
struct PointFrame {
  math::Vector<Scalar, Dim> axis[Dim];     // n, t (, o)
  math::Vector<Scalar, Dim> arm_a, arm_b;  // from the centres of mass to the point
};

// omega x r
template <class Scalar>
inline math::Vector<Scalar, 2> sweep(const math::Vector<Scalar, 1>& omega, const math::Vector<Scalar, 2>& r) {
  return {-omega[0] * r[1], omega[0] * r[0]};
}
template <class Scalar>
inline math::Vector<Scalar, 3> sweep(const math::Vector<Scalar, 3>& omega, const math::Vector<Scalar, 3>& r) {
  return math::cross<Scalar>(omega, r);
}

template <class Scalar, int Dim>
inline Row<Scalar, Dim> row_of(const PointFrame<Scalar, Dim>& frame, int k) {
  return {frame.axis[k], moment<Scalar>(frame.arm_a, frame.axis[k]),
          moment<Scalar>(frame.arm_b, frame.axis[k])};
}

// What the Dim rows of a contact point do to one of its bodies.
template <class Scalar, int Dim>
struct Side {
  std::uint8_t body, element;
  std::uint8_t axes;                          // equal for elements whose axes are equal
  Scalar sign;                                // 1, or -1 for body a
  math::Vector<Scalar, kSpin<Dim>> arm[Dim];  // sign (r x d)
};

template <class Scalar, int Dim>
inline void set_side(const PointFrame<Scalar, Dim>& frame, const math::Vector<Scalar, Dim>& arm, Scalar sign,
                     Side<Scalar, Dim>& side) {
  side.sign = sign;
  const math::Vector<Scalar, Dim> signed_arm = sign * arm;
  for (int k = 0; k < Dim; ++k) side.arm[k] = moment<Scalar>(signed_arm, frame.axis[k]);
}

// What impulses of size `scale` along the rows do to the body.
template <class Scalar, int Dim>
struct Turned {
  Scalar mass;                                 // sign scale / m
  math::Vector<Scalar, kSpin<Dim>> spin[Dim];  // scale I^-1 (r x d), signed
};

template <class Scalar, int Dim>
[[gnu::noinline]] inline Turned<Scalar, Dim> turned(const Side<Scalar, Dim>& side,
                                                    const Mobility<Scalar, Dim>& body, Scalar scale) {
  Turned<Scalar, Dim> out;
  out.mass = side.sign * scale * body.inverse_mass;
  const SpinMatrix<Scalar, Dim> inverse = scale * body.inverse_inertia;
  for (int k = 0; k < Dim; ++k) out.spin[k] = math::times<Scalar, kSpin<Dim>>(inverse, side.arm[k]);
  return out;
}

// out (Dim x Dim) += scale W_j M^-1 W_i^T by way of the body that two sides share, j the turned one; `stride`
// scalars from row to row.
template <class Scalar, int Dim>
inline void couple(const PointFrame<Scalar, Dim>& frame_j, const Turned<Scalar, Dim>& j,
                   const PointFrame<Scalar, Dim>& frame_i, const Side<Scalar, Dim>& i, Scalar* out,
                   int stride) {
  constexpr int spin = kSpin<Dim>;
  const Scalar mass = j.mass * i.sign;
  for (int l = 0; l < Dim; ++l, out += stride) {
    const auto add = [&](int k) __attribute__((always_inline)) {
      Scalar sum =
          math::multiply_add(mass, math::fused_dot<Scalar, Dim>(frame_j.axis[l], frame_i.axis[k]), out[k]);
      math::unrolled<spin>([&](int c) __attribute__((always_inline)) {
        sum = math::multiply_add(j.spin[l][c], i.arm[k][c], sum);
      });
      out[k] = sum;
    };
    if constexpr (Dim == 3)
      math::unrolled<Dim>(add);
    else
      for (int k = 0; k < Dim; ++k) add(k);
  }
}

// The same where the axes of both are equal, so that the linear part is a multiple of the unit matrix: start
// + that to out and to mirror, which may be the same, its transpose, equal to the bit if start is symmetric.
// A start that is null counts as 0.
template <class Scalar, int Dim>
[[gnu::always_inline]] inline void couple_along(const Turned<Scalar, Dim>& j, const Side<Scalar, Dim>& i,
                                                const Scalar* start, int start_stride, Scalar* out,
                                                Scalar* mirror, int stride) {
  constexpr int spin = kSpin<Dim>;
  const Scalar mass = j.mass * i.sign;
  math::unrolled<Dim>([&](int l) __attribute__((always_inline)) {
    math::unrolled<Dim>([&](int k) __attribute__((always_inline)) {
      Scalar sum = k == l ? mass : Scalar(0);
      if (start != nullptr) sum += start[l * start_stride + k];
      math::unrolled<spin>([&](int c) __attribute__((always_inline)) {
        sum = math::multiply_add(j.spin[l][c], i.arm[k][c], sum);
      });
      mirror[k * stride + l] = sum;
      out[l * stride + k] = sum;
    });
  });
}

// Velocity of b against a at the point, in the world; its components along the axes are W nu.
template <class Scalar, int Dim>
inline math::Vector<Scalar, Dim> relative_velocity(const PointFrame<Scalar, Dim>& frame,
                                                   const Motion<Scalar, Dim>& a,
                                                   const Motion<Scalar, Dim>& b) {
  return (b.linear + sweep<Scalar>(b.angular, frame.arm_b)) -
         (a.linear + sweep<Scalar>(a.angular, frame.arm_a));
}

template <class Scalar, int Dim>
inline math::Vector<Scalar, Dim> in_frame(const PointFrame<Scalar, Dim>& frame,
                                          const math::Vector<Scalar, Dim>& v) {
  math::Vector<Scalar, Dim> x;
  math::unrolled<Dim>([&](int k) __attribute__((always_inline)) {
    x[k] = math::fused_dot<Scalar, Dim>(frame.axis[k], v);
  });
  return x;
}

}  // namespace tactus::dynamics
