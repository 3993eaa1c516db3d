// Rigid bodies in the plane (Dim = 2) and in space (Dim = 3): pose, velocity, inertia. How a velocity moves a
// pose is said in drift.hpp.
//
// SI units. The velocity nu is that of the centre of mass and the angular velocity in the world frame; forces
// and torques act at the centre of mass in the world frame. M = diag(m I, R Ib R^T), with Ib in the body
// frame. A body without mass is fixed: its inverse inertia is zero, and nothing moves it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tactus/dynamics/spin.hpp"
#include "tactus/error.hpp"
#include "tactus/geometry/pose.hpp"

namespace tactus::dynamics {

template <class Scalar, int Dim>
using Pose = std::conditional_t<Dim == 2, geometry::PlanarPose<Scalar>, geometry::SpatialPose<Scalar>>;
template <class Scalar, int Dim>
using Frame = std::conditional_t<Dim == 2, geometry::PlanarFrame<Scalar>, geometry::SpatialFrame<Scalar>>;

// A velocity, an impulse or a wrench.
template <class Scalar, int Dim>
struct Motion {
  math::Vector<Scalar, Dim> linear = math::Vector<Scalar, Dim>::Zero();
  math::Vector<Scalar, kSpin<Dim>> angular = math::Vector<Scalar, kSpin<Dim>>::Zero();
};

// What the free turn of drift.hpp needs of I / tr I: a third of the trace of its inverse, and
// 1 / (6 det). A mass does not change them.
template <class Scalar, int Dim>
struct TurnConstants {
  Scalar mean_inverse = 0, sixth = 0;
};
template <class Scalar>
struct TurnConstants<Scalar, 2> {};

template <class Scalar, int Dim>
struct Inertia {
  Scalar mass = 0;                                                   // kg; 0 is a fixed body
  SpinMatrix<Scalar, Dim> tensor = SpinMatrix<Scalar, Dim>::Zero();  // kg m^2, body frame
  Scalar inverse_mass = 0;
  SpinMatrix<Scalar, Dim> inverse_tensor = SpinMatrix<Scalar, Dim>::Zero();
  // A multiple of the unit matrix: no rotation changes it, and a free body keeps its angular velocity.
  bool isotropic = true;
  [[no_unique_address]] TurnConstants<Scalar, Dim> turn;
};

namespace detail {

template <class Scalar>
inline bool invert(const Eigen::Matrix<Scalar, 1, 1>& a, Eigen::Matrix<Scalar, 1, 1>& inverse,
                   TurnConstants<Scalar, 2>&) {
  if (!(a(0, 0) > 0) || !math::finite(a(0, 0))) return false;
  inverse(0, 0) = 1 / a(0, 0);
  return math::finite(inverse(0, 0));
}

// By cofactors, after Sylvester's criterion; false where the matrix is not symmetric positive definite. In
// double, which is emulated where the board has none, and of a / tr a: the determinant of a body of 1 g and
// 1 cm is below the least float, and what a long free turn keeps of its energy hangs on how well tensor and
// inverse match. Nothing is fused, so that every machine comes to the same bits.
template <class Scalar>
inline bool invert(const Eigen::Matrix<Scalar, 3, 3>& tensor, Eigen::Matrix<Scalar, 3, 3>& inverse,
                   TurnConstants<Scalar, 3>& turn) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (!math::finite(tensor(i, j)) || tensor(i, j) != tensor(j, i)) return false;
  double a[3][3], c[3][3];
  const double trace = (double(tensor(0, 0)) + double(tensor(1, 1))) + double(tensor(2, 2));
  if (!(trace > 0) || !math::finite(trace)) return false;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a[i][j] = double(tensor(i, j)) / trace;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
      c[i][j] = a[k][m] * a[l][n] - a[k][n] * a[l][m];
    }
  const double determinant = (a[0][0] * c[0][0] + a[0][1] * c[0][1]) + a[0][2] * c[0][2];
  if (!(a[0][0] > 0) || !(c[2][2] > 0) || !(determinant > 0) || !math::finite(1 / determinant)) return false;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) {
      inverse(i, j) = inverse(j, i) = static_cast<Scalar>(c[i][j] / determinant / trace);
      if (!math::finite(inverse(i, j))) return false;
    }
  turn.mean_inverse = static_cast<Scalar>(((c[0][0] + c[1][1]) + c[2][2]) / determinant / 3);
  turn.sixth = static_cast<Scalar>(1 / (6 * determinant));
  return math::finite(turn.mean_inverse) && math::finite(turn.sixth);
}

}  // namespace detail

// Checks mass and inertia once, so that a step never divides by anything unchecked.
template <class Scalar, int Dim>
inline Error make_inertia(Scalar mass, const SpinMatrix<Scalar, Dim>& tensor, Inertia<Scalar, Dim>& out) {
  if (!(mass > 0) || !math::finite(mass) || !math::finite(1 / mass)) return {What::mass, -1, 0, mass};
  Inertia<Scalar, Dim> made;
  if (!detail::invert(tensor, made.inverse_tensor, made.turn)) return What::inertia;
  made.mass = mass;
  made.inverse_mass = 1 / mass;
  made.tensor = tensor;
  if constexpr (Dim == 3) {
    made.isotropic = tensor(0, 1) == 0 && tensor(0, 2) == 0 && tensor(1, 2) == 0 &&
                     tensor(0, 0) == tensor(1, 1) && tensor(1, 1) == tensor(2, 2);
  }
  out = made;
  return {};
}

// The inverse inertia in the world frame; about 45 multiplications for a body that is not isotropic.
template <class Scalar, int Dim>
inline SpinMatrix<Scalar, Dim> world_inverse(const Inertia<Scalar, Dim>& inertia,
                                             const Frame<Scalar, Dim>& frame) {
  if constexpr (Dim == 3) {
    if (!inertia.isotropic) return math::rotated<Scalar>(frame.R, inertia.inverse_tensor);
  }
  return inertia.inverse_tensor;
}

// I omega in the world frame, by way of the body frame: 27 multiplications.
template <class Scalar, int Dim>
inline math::Vector<Scalar, kSpin<Dim>> spin_momentum(const Inertia<Scalar, Dim>& inertia,
                                                      const Frame<Scalar, Dim>& frame,
                                                      const math::Vector<Scalar, kSpin<Dim>>& omega) {
  if constexpr (Dim == 3) {
    if (!inertia.isotropic) return frame.turn(math::times<Scalar, 3>(inertia.tensor, frame.turn_back(omega)));
  }
  return math::times<Scalar, kSpin<Dim>>(inertia.tensor, omega);
}

// q + G(q) d, the quaternion brought back to unit length: another pose beside q. How a body moves is said in
// drift.hpp.
template <class Scalar>
inline geometry::PlanarPose<Scalar> displaced(const geometry::PlanarPose<Scalar>& q,
                                              const Motion<Scalar, 2>& d) {
  return {q.x + d.linear[0], q.y + d.linear[1], q.angle + d.angular[0]};
}

template <class Scalar>
inline geometry::SpatialPose<Scalar> displaced(const geometry::SpatialPose<Scalar>& q,
                                               const Motion<Scalar, 3>& d) {
  const Scalar x = d.angular[0] / 2, y = d.angular[1] / 2, z = d.angular[2] / 2;
  geometry::SpatialPose<Scalar> next;
  next.position = q.position + d.linear;
  next.w = q.w - (x * q.x + y * q.y + z * q.z);
  next.x = q.x + (x * q.w + y * q.z - z * q.y);
  next.y = q.y + (y * q.w + z * q.x - x * q.z);
  next.z = q.z + (z * q.w + x * q.y - y * q.x);
  const Scalar inverse =
      1 / std::sqrt((next.w * next.w + next.x * next.x) + (next.y * next.y + next.z * next.z));
  next.w *= inverse;
  next.x *= inverse;
  next.y *= inverse;
  next.z *= inverse;
  return next;
}

template <class Scalar, int Dim>
inline Scalar kinetic_energy(const Inertia<Scalar, Dim>& inertia, const Frame<Scalar, Dim>& frame,
                             const Motion<Scalar, Dim>& v) {
  return (inertia.mass * math::fused_dot<Scalar, Dim>(v.linear, v.linear) +
          math::fused_dot<Scalar, kSpin<Dim>>(v.angular,
                                              spin_momentum<Scalar, Dim>(inertia, frame, v.angular))) /
         2;
}

// `poison`, or no number if one of the motion is not finite.
template <class Scalar, int Dim>
inline Scalar poisoned(const Motion<Scalar, Dim>& m, Scalar poison) {
  math::unrolled<Dim>([&](int i) __attribute__((always_inline)) {
    poison = math::multiply_add(m.linear[i], Scalar(0), poison);
  });
  math::unrolled<kSpin<Dim>>([&](int i) __attribute__((always_inline)) {
    poison = math::multiply_add(m.angular[i], Scalar(0), poison);
  });
  return poison;
}

template <class Scalar, int Dim>
inline bool finite(const Motion<Scalar, Dim>& m) {
  return poisoned(m, Scalar(0)) == 0;
}

}  // namespace tactus::dynamics
