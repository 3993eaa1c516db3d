// Scaling: unknowns of 1 g and of 1 t, impulses and speeds, brought to one size by powers of two.
//
// With z = sigma C zs and w = sigma R^-1 ws the problem (M, q) becomes (R M C, R q / sigma): the same LCP for
// any positive diagonals, and Lemke's path on it is the path on (C M C, C q / sigma), whose class is that of
// M (a copositive M stays copositive, which Song 2004, Theorem 3 needs), with the covering vector C R^-1 e in
// place of e. R = C makes the diagonal 1 <= |C M C|_ii < 4. A row without a diagonal is the bound of a
// friction pyramid, mu lambda_n - sum beta >= 0 with the slip speed as its unknown (Stewart 2000 (2.16)): its
// column and its row are brought to 1 each by itself, or mu = 1e6 would drown the ones beside it. Powers of
// two round nothing.
#pragma once

#include <cstddef>

#include "tactus/lcp/budget.hpp"
#include "tactus/lcp/problem.hpp"
#include "tactus/math/pack.hpp"

namespace tactus::lcp {

// Not every number on the diagonal is one: 1e-6 added to regularise a bound says nothing of its size. A
// diagonal is believed if it does not leave the rest of its row or column above kCoupling, as no positive
// semidefinite M does.
namespace detail {

// max |a_j| b_j.
template <class Scalar>
TACTUS_ONE_COPY inline Scalar largest_product(const Scalar* a, const Scalar* b, int n) {
  return math::largest_of<Scalar>(n, [&](int i, auto load) {
    using math::magnitude;
    return magnitude(load(a + i)) * load(b + i);
  });
}

// max_j |M_ij| c_j and max_j |M_ji| c_j. Cost: 2 n.
template <class Scalar>
inline void find_couplings(const Problem<Scalar>& p, const Scalar* c, int i, Scalar& row_top,
                           Scalar& column_top) {
  TACTUS_LET("m = n");
  row_top = largest_product(p.M + static_cast<std::ptrdiff_t>(i) * p.stride, c, p.n);
  column_top = 0;
  const Scalar* below = p.M + i;
  const std::ptrdiff_t stride = p.stride;
  const auto weighed = [&](int rows, int j) { return math::magnitude(below[rows * stride]) * c[j]; };
  int j = 0;
  TACTUS_BOUND("n / 4");
  for (; j + 4 <= p.n; j += 4, below += 4 * stride) {
    const Scalar two = math::larger(weighed(0, j), weighed(1, j + 1)),
                 more = math::larger(weighed(2, j + 2), weighed(3, j + 3));
    column_top = math::larger(column_top, math::larger(two, more));
  }
  TACTUS_BOUND("mod(n, 4)");
  for (; j < p.n; ++j, below += stride) column_top = math::larger(column_top, weighed(0, j));
}

template <class Scalar>
inline Scalar inverse_or_one(Scalar top) {
  return top > 0 ? math::power_of_two<Scalar>(-math::exponent_of(top)) : Scalar(1);
}

}  // namespace detail

template <class Scalar>
struct Scaling {
  Scalar sigma = 1;
  Scalar largest = 0;  // no c_i or r_i is above it, so that max_j |M_ij| >= 1 / largest^2 in every row i;
                       // infinite where that is not known of a row
};

// Writes the diagonals of C and R to c and r. scratch: n scalars.
// Where the clock says no they are not to be used.
// Cost: n, plus 2 n for each row without a diagonal or with one below a sixteenth of the largest.
template <class Scalar, Clock Time = const NoClock>
Scaling<Scalar> find_scaling(const Problem<Scalar>& p, Scalar* c, Scalar* r, Scalar* scratch,
                             Time& clock = kNoClock) {
  constexpr Scalar kSuspicious = Scalar(1) / 16, kCoupling = 8;
  const auto diagonal = [&](int i) { return p.M[static_cast<std::ptrdiff_t>(i) * (p.stride + 1)]; };
  TACTUS_LET("m = n");
  TACTUS_BOUND("n");
  for (int i = 0; i < p.n; ++i) r[i] = math::magnitude(diagonal(i));
  const Scalar largest_diagonal = math::largest_magnitude(r, p.n);
  Scaling<Scalar> scaling;
  scaling.largest = math::power_of_two<Scalar>(-(math::exponent_of(kSuspicious * largest_diagonal) >> 1));
  bool complete = true;
  TACTUS_BOUND("n");
  for (int i = 0; i < p.n; ++i) {
    const bool clear = r[i] > 0 && r[i] >= kSuspicious * largest_diagonal;
    c[i] = r[i] = clear ? math::power_of_two<Scalar>(-(math::exponent_of(r[i]) >> 1)) : Scalar(0);
    complete = complete && clear;
  }
  if (!complete) {
    TACTUS_LET("rows = n");
    const bool done = for_rows(
        p.n, clock, [&](int i) __attribute__((always_inline)) {
          if (c[i] > 0) return true;
          TACTUS_REACHED("odd");
          Scalar row_top, column_top;
          detail::find_couplings(p, c, i, row_top,
                                 column_top);  // to the clear rows; c is still zero for the others
          const Scalar d = math::magnitude(diagonal(i)),
                       believed = math::power_of_two<Scalar>(-(math::exponent_of(d) >> 1));
          if (d > 0 && math::larger(row_top, column_top) * believed <= kCoupling) {
            r[i] = scratch[i] = believed;
          } else {
            r[i] = detail::inverse_or_one(row_top);
            scratch[i] = detail::inverse_or_one(column_top);
            if (row_top == 0) scaling.largest = std::numeric_limits<Scalar>::infinity();
          }
          scaling.largest = math::larger(scaling.largest, math::larger(r[i], scratch[i]));
          return true;
        });
    if (!done) return scaling;
    TACTUS_BOUND("n");
    for (int i = 0; i < p.n; ++i)
      if (!(c[i] > 0)) c[i] = scratch[i];
  }
  const Scalar top = detail::largest_product(p.q, r, p.n);
  if (top > 0) scaling.sigma = math::power_of_two<Scalar>(math::exponent_of(top));
  return scaling;
}

}  // namespace tactus::lcp
