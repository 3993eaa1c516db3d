// A square linear system that may be singular: Gaussian elimination to echelon form.
//
// Where contacts are redundant, or two flat faces are parallel, the equations of a step have more unknowns
// than they determine. A column without a pivot above the tolerance is left out and its unknown is 0, so what
// comes back is one solution of a consistent system; of one that contradicts itself it is none, and the
// caller has to look at what is left. Rows are pivoted, columns keep their order, and sums have one order, so
// the bits are the same on every machine.
//
// Cost: n^3 / 3 multiply-adds less those that zeros save: a row is only taken from rows, and in columns,
// where there is something. Memory: the caller's, 2 n indices beside the system.
#pragma once

#include <cstdint>

#include "tactus/math/arithmetic.hpp"

namespace tactus::math {

// Solves a x = b for n x n row-major `a` with `stride` scalars from row to row; `a` and `b` are consumed,
// `pivot` and `column` are scratch for n numbers each. Rows and unknowns should be scaled so that entries are
// about 1: a pivot at or below `tolerance` counts as zero. Returns the rank.
template <class Scalar>
inline int eliminate(Scalar* a, int n, int stride, Scalar* b, Scalar* x, std::int16_t* pivot,
                     std::int16_t* column, Scalar tolerance) {
  int rank = 0;
  for (int c = 0; c < n && rank < n; ++c) {
    int best = rank;
    for (int r = rank + 1; r < n; ++r)
      if (magnitude(a[r * stride + c]) > magnitude(a[best * stride + c])) best = r;
    if (!(magnitude(a[best * stride + c]) > tolerance)) continue;
    if (best != rank) {
      for (int k = c; k < n; ++k) {
        const Scalar kept = a[best * stride + k];
        a[best * stride + k] = a[rank * stride + k];
        a[rank * stride + k] = kept;
      }
      const Scalar kept = b[best];
      b[best] = b[rank];
      b[rank] = kept;
    }
    const Scalar* const top = a + rank * stride;
    int filled = 0;
    for (int k = c + 1; k < n; ++k)
      if (top[k] != 0) column[filled++] = static_cast<std::int16_t>(k);
    for (int r = rank + 1; r < n; ++r) {
      Scalar* const row = a + r * stride;
      if (row[c] == 0) continue;
      const Scalar factor = -row[c] / top[c];
      for (int k = 0; k < filled; ++k) row[column[k]] = multiply_add(factor, top[column[k]], row[column[k]]);
      b[r] = multiply_add(factor, b[rank], b[r]);
    }
    pivot[rank++] = static_cast<std::int16_t>(c);
  }
  for (int k = 0; k < n; ++k) x[k] = 0;
  for (int r = rank - 1; r >= 0; --r) {
    const Scalar* const row = a + r * stride;
    const int c = pivot[r];
    Scalar sum = b[r];
    for (int k = c + 1; k < n; ++k) sum = multiply_add(-row[k], x[k], sum);
    x[c] = sum / row[c];
  }
  return rank;
}

}  // namespace tactus::math
