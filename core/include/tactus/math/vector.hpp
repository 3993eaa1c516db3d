// Small vectors and matrices, with their sums in one written order: Eigen may reorder a sum when it
// vectorises (it does on x86-64 and not on Cortex-M), and then two machines would differ in the last bit.
// Nothing here allocates or fails.
//
// Sums of products come in two kinds, because both are needed:
//   plain  dot, cross, norm, rotate, rotated: every product is rounded, so what cancels in the numbers
//          cancels in the result: cross(a, a) is 0, and a vector is square to its own perpendicular.
//          Geometry is made of these.
//   fused  fused_dot, times, add_multiple: multiply_add() of arithmetic.hpp, one instruction a product in
//          place of two, for rows and inertias, where nothing is to cancel.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <utility>

#include "tactus/math/arithmetic.hpp"

namespace tactus::math {

template <class Scalar, int N>
using Vector = Eigen::Matrix<Scalar, N, 1>;
template <class Scalar>
using Vector2 = Vector<Scalar, 2>;
template <class Scalar>
using Vector3 = Vector<Scalar, 3>;
template <class Scalar>
using Matrix3 = Eigen::Matrix<Scalar, 3, 3>;

namespace detail {

template <class F, int... I>
[[gnu::always_inline]] inline void call_each(F& f, std::integer_sequence<int, I...>) {
  (f(I), ...);
}

}  // namespace detail

// f(0) ... f(N - 1), unrolled: at -O2 the compiler keeps small loops rolled up. A lambda that is called from
// several places is not inlined unless it says so, hence the attributes where this is used.
template <int N, class F>
[[gnu::always_inline]] inline void unrolled(F&& f) {
  detail::call_each(f, std::make_integer_sequence<int, N>{});
}

template <class Scalar>
Scalar dot(const Vector2<Scalar>& a, const Vector2<Scalar>& b) {
  return a.x() * b.x() + a.y() * b.y();
}

template <class Scalar>
Scalar dot(const Vector3<Scalar>& a, const Vector3<Scalar>& b) {
  return (a.x() * b.x() + a.y() * b.y()) + a.z() * b.z();
}

// The same, fused, of any length.
template <class Scalar, int N>
[[gnu::always_inline]] inline Scalar fused_dot(const Vector<Scalar, N>& a, const Vector<Scalar, N>& b) {
  Scalar sum = a[0] * b[0];
  unrolled<N - 1>([&](int i) __attribute__((always_inline)) { sum = multiply_add(a[i + 1], b[i + 1], sum); });
  return sum;
}

// z component of the product of two vectors in the plane.
template <int N, class Scalar>
requires(N == 2) Scalar cross(const Vector<Scalar, N>& a, const Vector<Scalar, N>& b) {
  return a.x() * b.y() - a.y() * b.x();
}

template <class Scalar>
Vector3<Scalar> cross(const Vector3<Scalar>& a, const Vector3<Scalar>& b) {
  return {a.y() * b.z() - a.z() * b.y(), a.z() * b.x() - a.x() * b.z(), a.x() * b.y() - a.y() * b.x()};
}

template <class Scalar, int Dim>
Scalar squared_norm(const Eigen::Matrix<Scalar, Dim, 1>& a) {
  return dot(a, a);
}

template <class Scalar, int Dim>
Scalar norm(const Eigen::Matrix<Scalar, Dim, 1>& a) {
  return std::sqrt(dot(a, a));
}

// v / |v|; `otherwise` where v is too short for its direction to mean anything. v is scaled by its largest
// component first, so that a short vector's square does not underflow.
template <class Scalar, int Dim>
Eigen::Matrix<Scalar, Dim, 1> direction(const Eigen::Matrix<Scalar, Dim, 1>& v,
                                        const Eigen::Matrix<Scalar, Dim, 1>& otherwise) {
  Scalar largest = 0;
  for (int i = 0; i < Dim; ++i) largest = std::abs(v[i]) > largest ? std::abs(v[i]) : largest;
  if (!(largest > std::numeric_limits<Scalar>::min())) return otherwise;
  const Eigen::Matrix<Scalar, Dim, 1> scaled = v / largest;
  return scaled / norm(scaled);
}

// R v and R^T v.
template <class Scalar>
Vector3<Scalar> rotate(const Matrix3<Scalar>& R, const Vector3<Scalar>& v) {
  return {(R(0, 0) * v.x() + R(0, 1) * v.y()) + R(0, 2) * v.z(),
          (R(1, 0) * v.x() + R(1, 1) * v.y()) + R(1, 2) * v.z(),
          (R(2, 0) * v.x() + R(2, 1) * v.y()) + R(2, 2) * v.z()};
}

template <class Scalar>
Vector3<Scalar> rotate_back(const Matrix3<Scalar>& R, const Vector3<Scalar>& v) {
  return {(R(0, 0) * v.x() + R(1, 0) * v.y()) + R(2, 0) * v.z(),
          (R(0, 1) * v.x() + R(1, 1) * v.y()) + R(2, 1) * v.z(),
          (R(0, 2) * v.x() + R(1, 2) * v.y()) + R(2, 2) * v.z()};
}

// R B R^T for a symmetric B, as of an inertia.
template <class Scalar>
Matrix3<Scalar> rotated(const Matrix3<Scalar>& r, const Matrix3<Scalar>& b) {
  Matrix3<Scalar> rb, out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) rb(i, j) = r(i, 0) * b(0, j) + r(i, 1) * b(1, j) + r(i, 2) * b(2, j);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
      out(i, j) = out(j, i) = rb(i, 0) * r(j, 0) + rb(i, 1) * r(j, 1) + rb(i, 2) * r(j, 2);
  return out;
}

// sum += a x
template <class Scalar, int N>
inline void add_multiple(Scalar a, const Vector<Scalar, N>& x, Vector<Scalar, N>& sum) {
  unrolled<N>([&](int i) __attribute__((always_inline)) { sum[i] = multiply_add(a, x[i], sum[i]); });
}

// A x
template <class Scalar, int N>
[[gnu::always_inline]] inline Vector<Scalar, N> times(const Eigen::Matrix<Scalar, N, N>& a,
                                                      const Vector<Scalar, N>& x) {
  Vector<Scalar, N> y;
  unrolled<N>([&](int i) __attribute__((always_inline)) {
    Scalar sum = a(i, 0) * x[0];
    unrolled<N - 1>([&](int j)
                        __attribute__((always_inline)) { sum = multiply_add(a(i, j + 1), x[j + 1], sum); });
    y[i] = sum;
  });
  return y;
}

// A^T x
template <class Scalar, int N>
[[gnu::always_inline]] inline Vector<Scalar, N> times_transposed(const Eigen::Matrix<Scalar, N, N>& a,
                                                                 const Vector<Scalar, N>& x) {
  Vector<Scalar, N> y;
  unrolled<N>([&](int i) __attribute__((always_inline)) {
    Scalar sum = a(0, i) * x[0];
    unrolled<N - 1>([&](int j)
                        __attribute__((always_inline)) { sum = multiply_add(a(j + 1, i), x[j + 1], sum); });
    y[i] = sum;
  });
  return y;
}

template <class Scalar>
inline bool finite(Scalar x) {
  return x - x == 0;
}

template <class Scalar, int N>
inline bool finite(const Vector<Scalar, N>& x) {
  Scalar poison = 0;  // zero times a number is zero unless it is infinite or not a number
  for (int i = 0; i < N; ++i) poison = multiply_add(x[i], Scalar(0), poison);
  return poison == 0;
}

template <class Scalar>
Scalar clamp(Scalar value, Scalar low, Scalar high) {
  return value < low ? low : (value > high ? high : value);
}

}  // namespace tactus::math
