// Symmetric positive semidefinite systems: the Cholesky factor and the two solves with it, with a fixed order
// of sums. Rows that depend on others are left out, so nothing here fails; the rank tells. Memory: the
// caller's matrix, in place.
#pragma once

#include <cmath>
#include <limits>

namespace tactus::math {

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

}  // namespace tactus::math
