// What turns: an angular velocity has one component in the plane and three in space, and so have moments.
// Nothing here allocates or fails.
#pragma once

#include "tactus/math/vector.hpp"

namespace tactus::dynamics {

// Components of an angular velocity: one in the plane, three in space.
template <int Dim>
inline constexpr int kSpin = Dim == 2 ? 1 : 3;

// A spatial inertia or its inverse; in the plane one number.
template <class Scalar, int Dim>
using SpinMatrix = Eigen::Matrix<Scalar, kSpin<Dim>, kSpin<Dim>>;

// The moment of the direction d at the arm r: r x d, a scalar in the plane.
template <class Scalar>
inline math::Vector<Scalar, 1> moment(const math::Vector<Scalar, 2>& r, const math::Vector<Scalar, 2>& d) {
  return math::Vector<Scalar, 1>(math::cross(r, d));
}

template <class Scalar>
inline math::Vector<Scalar, 3> moment(const math::Vector<Scalar, 3>& r, const math::Vector<Scalar, 3>& d) {
  return math::cross(r, d);
}

// sum += r x d
template <class Scalar>
inline void add_moment(const math::Vector<Scalar, 2>& r, const math::Vector<Scalar, 2>& d,
                       math::Vector<Scalar, 1>& sum) {
  sum[0] = math::multiply_add(-r[1], d[0], math::multiply_add(r[0], d[1], sum[0]));
}

template <class Scalar>
inline void add_moment(const math::Vector<Scalar, 3>& r, const math::Vector<Scalar, 3>& d,
                       math::Vector<Scalar, 3>& sum) {
  math::unrolled<3>([&](int i) __attribute__((always_inline)) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    sum[i] = math::multiply_add(-r[k], d[j], math::multiply_add(r[j], d[k], sum[i]));
  });
}

}  // namespace tactus::dynamics
