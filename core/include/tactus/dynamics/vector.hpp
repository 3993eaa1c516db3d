// Small vectors and symmetric systems with a fixed order of sums, so that float results are the same bits on
// every machine (Eigen vectorises its reductions on x86-64 and not on Cortex-M; multiply-adds are those of
// lcp/arithmetic.hpp). Nothing here allocates or fails.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <utility>

#include "tactus/lcp/arithmetic.hpp"

namespace tactus::dynamics {

template <class Scalar, int N>
using Vector = Eigen::Matrix<Scalar, N, 1>;

// Components of an angular velocity: one in the plane, three in space.
template <int Dim>
inline constexpr int kSpin = Dim == 2 ? 1 : 3;

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

template <class Scalar, int N>
[[gnu::always_inline]] inline Scalar dot(const Vector<Scalar, N>& a, const Vector<Scalar, N>& b) {
  Scalar sum = a[0] * b[0];
  unrolled<N - 1>([&](int i)
                      __attribute__((always_inline)) { sum = lcp::multiply_add(a[i + 1], b[i + 1], sum); });
  return sum;
}

// The moment of the direction d at the arm r: r x d, a scalar in the plane.
template <class Scalar>
inline Vector<Scalar, 1> moment(const Vector<Scalar, 2>& r, const Vector<Scalar, 2>& d) {
  return Vector<Scalar, 1>(r[0] * d[1] - r[1] * d[0]);
}

template <class Scalar>
inline Vector<Scalar, 3> moment(const Vector<Scalar, 3>& r, const Vector<Scalar, 3>& d) {
  return {r[1] * d[2] - r[2] * d[1], r[2] * d[0] - r[0] * d[2], r[0] * d[1] - r[1] * d[0]};
}

template <class Scalar>
inline Vector<Scalar, 3> cross(const Vector<Scalar, 3>& a, const Vector<Scalar, 3>& b) {
  return moment(a, b);
}

// sum += r x d
template <class Scalar>
inline void add_moment(const Vector<Scalar, 2>& r, const Vector<Scalar, 2>& d, Vector<Scalar, 1>& sum) {
  sum[0] = lcp::multiply_add(-r[1], d[0], lcp::multiply_add(r[0], d[1], sum[0]));
}

template <class Scalar>
inline void add_moment(const Vector<Scalar, 3>& r, const Vector<Scalar, 3>& d, Vector<Scalar, 3>& sum) {
  unrolled<3>([&](int i) __attribute__((always_inline)) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    sum[i] = lcp::multiply_add(-r[k], d[j], lcp::multiply_add(r[j], d[k], sum[i]));
  });
}

// sum += a x
template <class Scalar, int N>
inline void add_multiple(Scalar a, const Vector<Scalar, N>& x, Vector<Scalar, N>& sum) {
  unrolled<N>([&](int i) __attribute__((always_inline)) { sum[i] = lcp::multiply_add(a, x[i], sum[i]); });
}

// A spatial inertia or its inverse; in the plane one number.
template <class Scalar, int Dim>
using SpinMatrix = Eigen::Matrix<Scalar, kSpin<Dim>, kSpin<Dim>>;

template <class Scalar, int N>
[[gnu::always_inline]] inline Vector<Scalar, N> times(const Eigen::Matrix<Scalar, N, N>& a,
                                                      const Vector<Scalar, N>& x) {
  Vector<Scalar, N> y;
  unrolled<N>([&](int i) __attribute__((always_inline)) {
    Scalar sum = a(i, 0) * x[0];
    unrolled<N - 1>([&](int j) __attribute__((always_inline)) {
      sum = lcp::multiply_add(a(i, j + 1), x[j + 1], sum);
    });
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
  for (int i = 0; i < N; ++i) poison = lcp::multiply_add(x[i], Scalar(0), poison);
  return poison == 0;
}

// Cholesky factor L of a symmetric positive semidefinite n x n matrix, in place in its lower triangle (row
// major, `stride` scalars from row to row), n^3 / 6 multiply-adds. A pivot below `tolerance` times its
// original diagonal is a dependent row: its column is set to zero and it is skipped in the solves, so
// redundant joints are harmless. The reciprocal of each pivot is kept on the diagonal (0 for a skipped row).
// Returns the number of rows kept.
template <class Scalar>
inline int factor(Scalar* a, int n, int stride,
                  Scalar tolerance = 64 * std::numeric_limits<Scalar>::epsilon()) {
  int rank = 0;
  for (int j = 0; j < n; ++j) {
    Scalar* row = a + j * stride;
    const Scalar original = row[j];
    Scalar pivot = original;
    for (int k = 0; k < j; ++k) pivot -= row[k] * row[k];
    const bool keep = pivot > tolerance * original && pivot > 0;
    const Scalar inverse = keep ? Scalar(1) / std::sqrt(pivot) : Scalar(0);
    row[j] = inverse;
    rank += keep ? 1 : 0;
    for (int i = j + 1; i < n; ++i) {
      Scalar* below = a + i * stride;
      Scalar sum = below[j];
      for (int k = 0; k < j; ++k) sum -= below[k] * row[k];
      below[j] = sum * inverse;
    }
  }
  return rank;
}

// x := L^-1 x, n^2 / 2 multiply-adds.
template <class Scalar>
inline void forward_substitute(const Scalar* l, int n, int stride, Scalar* x) {
  for (int i = 0; i < n; ++i) {
    const Scalar* row = l + i * stride;
    Scalar sum = x[i];
    for (int k = 0; k < i; ++k) sum -= row[k] * x[k];
    x[i] = sum * row[i];
  }
}

// x := L^-T x.
template <class Scalar>
inline void back_substitute(const Scalar* l, int n, int stride, Scalar* x) {
  for (int i = n - 1; i >= 0; --i) {
    Scalar sum = x[i];
    for (int k = i + 1; k < n; ++k) sum -= l[k * stride + i] * x[k];
    x[i] = sum * l[i * stride + i];
  }
}

}  // namespace tactus::dynamics
