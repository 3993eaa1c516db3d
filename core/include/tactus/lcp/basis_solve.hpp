// The unknowns of a given basis, solved once more from the caller's own numbers.
//
// For the set alpha of positive z:  M_aa z_a = -q_a, the rest zero. Gaussian elimination with row exchanges
// on the scaled block; what the pivots of Lemke's method have lost to rounding does not enter. A correction
// step takes the residual w_a that the certificate has just computed and costs two triangular solves.
#pragma once

#include <cstddef>

#include "tactus/lcp/budget.hpp"
#include "tactus/lcp/problem.hpp"
#include "tactus/lcp/product_form.hpp"

namespace tactus::lcp {

// Views into the caller's workspace: LU needs count * (count + 3) scalars at most.
template <class Scalar>
struct BasisFactor {
  int count = 0;
  int stride = 0;
  Scalar* LU = nullptr;           // count x stride
  const Index* active = nullptr;  // alpha, count indices
  Index* order = nullptr;         // count: row exchanges
};

// Factors R M_aa; scaling the columns too would change no row exchange. False if a pivot vanishes against its
// column: the basis is singular to working precision, or the clock has said no. Cost: count^3 / 3
// multiply-adds, less what zeros save.
template <class Scalar, Clock Time>
bool factor_basis(const Problem<Scalar>& p, const Scalar* c, const Scalar* r, BasisFactor<Scalar>& f,
                  Time& clock) {
  const int k = f.count;
  f.stride = (k + 3) / 4 * 4;
  const auto row = [LU = f.LU, stride = f.stride](int i) {
    return LU + static_cast<std::ptrdiff_t>(i) * stride;
  };
  TACTUS_LET("rows = k");
  const bool filled = for_rows(
      k, clock, [&](int i) __attribute__((always_inline)) {
        const int a = f.active[i];
        const Scalar* source = p.M + static_cast<std::ptrdiff_t>(a) * p.stride;
        const Scalar r_a = r[a];
        Scalar* target = row(i);
        TACTUS_BOUND("k");
        for (int j = 0; j < k; ++j) target[j] = r_a * source[f.active[j]];
        f.order[i] = static_cast<Index>(i);
        return true;
      });
  if (!filled) return false;
  constexpr Scalar kVanishing = std::numeric_limits<Scalar>::epsilon();
  TACTUS_BOUND("k");
  for (int s = 0; s < k; ++s) {
    TACTUS_LET("below = 0 .. k - 1");
    int best = s;
    Scalar top = 0;
    const Scalar* entry = row(s) + s;
    TACTUS_BOUND("below + 1");
    for (int i = s; i < k; ++i, entry += f.stride) {
      if (math::magnitude(*entry) > top) {
        top = math::magnitude(*entry);
        best = i;
      }
    }
    if (!(top * c[f.active[s]] > kVanishing)) return false;
    if (best != s) {
      TACTUS_BOUND("k");
      for (int j = 0; j < k; ++j) std::swap(row(best)[j], row(s)[j]);
      std::swap(f.order[best], f.order[s]);
    }
    const Scalar* pivot_row = row(s);
    const Scalar inverse = Scalar(1) / pivot_row[s];
    TACTUS_LET("rows = below");
    TACTUS_LET("few = 16");
    const bool done = for_rows<16>(
        k - s - 1, clock, [&](int i) __attribute__((always_inline)) {
          TACTUS_LET("m = below");
          Scalar* below = row(s + 1 + i);
          if (below[s] == 0) return true;
          const Scalar m = -(below[s] *= inverse);
          math::add_multiple(below + s + 1, pivot_row + s + 1, m, k - s - 1);
          return true;
        });
    if (!done) return false;
  }
  return true;
}

// z_a <- z_a - (R M_aa)^-1 R residual_a for a residual given on all n rows; negative values become 0, so
// that the certificate, not the sign of a rounding error, decides. x: count scalars. Cost: count^2.
// False, and z as it was, if the clock has said no.
template <class Scalar, Clock Time>
bool correct(const BasisFactor<Scalar>& f, const Scalar* r, const Scalar* residual, Scalar* x, Scalar* z,
             Time& clock) {
  const int k = f.count;
  const auto row = [&](int i) { return f.LU + static_cast<std::ptrdiff_t>(i) * f.stride; };
  TACTUS_BOUND("k");
  for (int i = 0; i < k; ++i) {
    TACTUS_LET("m = 0 .. k - 1");
    const int a = f.active[f.order[i]];
    x[i] = r[a] * residual[a] - math::dot(row(i), x, i);
  }
  if (!clock.go_on(Piece::pivot, f.count, 0)) return false;
  TACTUS_BOUND("k");
  for (int i = k - 1; i >= 0; --i) {
    TACTUS_LET("m = 0 .. k - 1");
    x[i] = (x[i] - math::dot(row(i) + i + 1, x + i + 1, k - i - 1)) / row(i)[i];
  }
  TACTUS_BOUND("k");
  for (int i = 0; i < k; ++i) {
    const int a = f.active[i];
    const Scalar value = z[a] - x[i];
    z[a] = value < 0 ? Scalar(0) : value;
  }
  return true;
}

}  // namespace tactus::lcp
