// Eigenvalues and eigenvectors of a small symmetric matrix by cyclic Jacobi, with a fixed order of
// operations.
//
// Cost: at most kSweeps sweeps of n^2 / 2 rotations of 6 n multiplications each; it is meant for
// configuration time. Memory: the caller's, the matrix and as much again for the vectors.
#pragma once

#include <cmath>
#include <limits>

namespace tactus::math {

namespace detail {

inline constexpr int kSweeps = 24;  // 192 rows with equal eigenvalues took 13

// Turns n pairs of numbers, `stride` apart, by the angle of cosine c and sine s.
template <class Scalar>
[[gnu::cold]] inline void rotate(Scalar* x, Scalar* y, int n, int stride, Scalar c, Scalar s) {
  for (; n > 0; --n, x += stride, y += stride) {
    const Scalar old = *x;
    *x = c * old - s * *y;
    *y = s * old + c * *y;
  }
}

}  // namespace detail

// Cyclic Jacobi: a (n x n, symmetric, row major) becomes diagonal, v its eigenvectors in columns. False if it
// has not converged after detail::kSweeps, which a finite matrix of this size never needs.
template <class Scalar>
[[gnu::cold]] inline bool diagonalise(Scalar* a, Scalar* v, int n) {
  Scalar total = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      v[i * n + j] = i == j ? Scalar(1) : Scalar(0);
      total += a[i * n + j] * a[i * n + j];
    }
  }
  constexpr Scalar kEpsilon = std::numeric_limits<Scalar>::epsilon();
  for (int sweep = 0; sweep < detail::kSweeps; ++sweep) {
    Scalar off = 0;
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) off += a[p * n + q] * a[p * n + q];
    if (off <= kEpsilon * kEpsilon / 4 * total) return true;
    for (int p = 0; p < n; ++p) {
      for (int q = p + 1; q < n; ++q) {
        const Scalar apq = a[p * n + q];
        if (apq == 0) continue;
        const Scalar tau = (a[q * n + q] - a[p * n + p]) / (2 * apq);
        const Scalar t = (tau < 0 ? Scalar(-1) : Scalar(1)) / (std::abs(tau) + std::sqrt(1 + tau * tau));
        const Scalar c = 1 / std::sqrt(1 + t * t), s = t * c;
        detail::rotate(a + p, a + q, n, n, c, s);          // columns
        detail::rotate(a + p * n, a + q * n, n, 1, c, s);  // rows
        detail::rotate(v + p, v + q, n, n, c, s);
      }
    }
  }
  return false;
}

}  // namespace tactus::math
