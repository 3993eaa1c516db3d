// The ratio test: which basic variable reaches zero first when the entering one grows, and what counts as a
// tie.
//
// A box at rest is exactly degenerate and friction directions come in opposite pairs, so ties are the rule,
// and rounding must not be the one to break them: strict comparison gave false rays on 1,046 of 1,620 steps
// with a separated element. With v the entering column, two rows count as tied when the loser's value after
// the exchange, rhs_i - theta v_i, is no more than rounding could have made it. Among the tied rows
//   1. z0 leaves if it can: the method ends on a solution rather than on a later ray;
//   2. the lexicographically least row of [rhs | B^-1] / v leaves, so that no basis comes twice (Cottle,
//   Pang, Stone
//      1992, 4.9), column by column with the same notion of a tie;
//   3. the largest v_i of what is still tied, for the sake of accuracy.
#pragma once

#include "tactus/lcp/path.hpp"

namespace tactus::lcp {

// Relative to the numbers compared; each is a multiple of the rounding error that the pivots so far may have
// left.
template <class Scalar>
struct Tolerances {
  Scalar entry;  // v_i below entry * max|v| is rounding, not a pivot
  Scalar tie;    // values closer than tie of their size are equal
  Scalar floor;  // and so are values below tie * floor of the largest in their column
};

namespace detail {

// Whether a basic variable of this value, reduced by theta v, is zero but for rounding. floor: a value that
// is.
template <class Scalar>
inline bool is_tied(Scalar value, Scalar theta, Scalar v, Scalar floor, Scalar tie) {
  return multiply_add(-theta, v, value) <= tie * larger(magnitude(value), floor);
}

// min over v_i > least of max(rhs_i, 0) / v_i; the largest number where there is none. On AVX without a
// branch, eight rows at a time; a Cortex-M divides only where it has to.
template <class Scalar>
inline Scalar least_ratio(const Scalar* rhs, const Scalar* v, Scalar least, int n) {
  constexpr Scalar kNone = std::numeric_limits<Scalar>::max();
  if constexpr (kHasVectors) {
    using P = Pack<Scalar, kLanes>;
    P theta = P::all(kNone);
    for (int i = 0; i < n; i += kLanes)  // beyond n there are zeros, which are not above `least`
      theta =
          smaller(theta, quotient_where_greater(P::load(v + i), P::all(least),
                                                larger(P::load(rhs + i), P::all(Scalar(0))), P::all(kNone)));
    return smallest(theta);
  } else {
    Scalar theta = kNone;
    for (int i = 0; i < n; ++i) {
      if (!(v[i] > least)) continue;
      const Scalar ratio = (rhs[i] > 0 ? rhs[i] : Scalar(0)) / v[i];
      theta = ratio < theta ? ratio : theta;
    }
    return theta;
  }
}

// Rule 2: thins the tied rows out by the columns of B^-1 until one is left or the columns are used up.
template <class Scalar>
int keep_lexicographically_least(const Path<Scalar>& path, int count, const Tolerances<Scalar>& tol) {
  for (int k = 0; count > 1 && k < path.n; ++k) {
    const int variable = path.start[k];
    if (path.is_basic(variable)) {  // a unit column: its own row is the greatest, the others are zero
      int kept = 0;
      for (int a = 0; a < count; ++a)
        if (path.tied[a] != path.row[variable]) path.tied[kept++] = path.tied[a];
      count = kept;
      continue;
    }
    path.original_column(variable, path.other);
    path.inverse.apply(path.other);
    Scalar top = 0, theta = std::numeric_limits<Scalar>::max();
    for (int a = 0; a < count; ++a) {
      const Index i = path.tied[a];
      top = larger(top, magnitude(path.other[i]));
      const Scalar ratio = path.other[i] / path.entering[i];
      theta = ratio < theta ? ratio : theta;
    }
    if (top == 0) continue;
    int kept = 0;
    for (int a = 0; a < count; ++a) {
      const Index i = path.tied[a];
      if (is_tied(path.other[i], theta, path.entering[i], tol.floor * top, tol.tie)) path.tied[kept++] = i;
    }
    count = kept;
  }
  return count;
}

}  // namespace detail

// Row that leaves when the variable of path.entering enters, or -1: no row does, a ray.
// Cost: about 12 n; where rows are tied, one column of B^-1 for each round of rule 2.
template <class Scalar>
int ratio_test(const Path<Scalar>& path, const Tolerances<Scalar>& tol) {
  const int n = path.n;
  const Scalar* v = path.entering;
  const Scalar least =
      larger(largest_magnitude(v, padded(n)) * tol.entry, std::numeric_limits<Scalar>::min());
  const Scalar theta = detail::least_ratio(path.rhs, v, least, n);
  if (theta == std::numeric_limits<Scalar>::max()) return -1;
  const Scalar top = tol.floor * largest_magnitude(path.rhs, padded(n));
  int count = 0;
  for (int i = 0; i < n; ++i) {
    if (!(v[i] > least)) continue;
    const Scalar value = path.rhs[i];
    if (detail::is_tied(value > 0 ? value : Scalar(0), theta, v[i], top, tol.tie))
      path.tied[count++] = static_cast<Index>(i);
  }
  if (count > 1) {
    const int artificial_row = path.row[path.artificial()];
    for (int a = 0; a < count; ++a)
      if (path.tied[a] == artificial_row) return artificial_row;
    count = detail::keep_lexicographically_least(path, count, tol);
  }
  int best = path.tied[0];
  for (int a = 1; a < count; ++a)
    if (v[path.tied[a]] > v[best]) best = path.tied[a];
  return best;
}

}  // namespace tactus::lcp
