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
  return math::multiply_add(-theta, v, value) <= tie * math::larger(math::magnitude(value), floor);
}

// Lists the rows that could leave first, to within a tie, and returns how many: those with v_i > least and
// least max(rhs_i, 0) / v_i. floor: a value that is zero but for rounding. Beyond n there are zeros, which
// are not above `least`. With registers to do so, eight rows at a time and without a branch; a Cortex-M
// divides only where it has to.
template <class Scalar>
inline int list_tied(const Scalar* rhs, const Scalar* v, int n, Scalar least, Scalar floor, Scalar tie,
                     Index* tied) {
  constexpr Scalar kNone = std::numeric_limits<Scalar>::max();
  int count = 0;
  if constexpr (math::Pack<Scalar>::kIsRegister) {
    using P = math::Pack<Scalar>;
    const P zero = P::all(Scalar(0)), bound = P::all(least);
    P ratio = P::all(kNone);
    for (int i = 0; i < n; i += math::kLanes)
      ratio = smaller(ratio,
                      quotient_where_greater(P::load(v + i), bound, larger(P::load(rhs + i), zero), ratio));
    const P minus_theta = P::all(-smallest(ratio));
    for (int i = 0; i < n; i += math::kLanes) {
      const P value = larger(P::load(rhs + i), zero), v_i = P::load(v + i);
      unsigned bits = bits_where(v_i, bound, multiply_add(minus_theta, v_i, value),
                                 P::all(tie) * larger(value, P::all(floor)));
      for (; bits != 0; bits &= bits - 1) tied[count++] = static_cast<Index>(i + std::countr_zero(bits));
    }
  } else {
    Scalar theta = kNone;
    const auto value = [&](int i) { return rhs[i] > 0 ? rhs[i] : Scalar(0); };
    TACTUS_BOUND("n");
    for (int i = 0; i < n; ++i) {
      if (!(v[i] > least)) continue;
      TACTUS_REACHED("candidates");
      const Scalar ratio = value(i) / v[i];
      theta = ratio < theta ? ratio : theta;
      tied[count++] = static_cast<Index>(i);
    }
    const int candidates = count;
    count = 0;
    TACTUS_BOUND("candidates");
    for (int a = 0; a < candidates; ++a)
      if (is_tied(value(tied[a]), theta, v[tied[a]], floor, tie)) tied[count++] = tied[a];
  }
  return count;
}

// Rule 2: thins the tied rows out by the columns of B^-1 until one is left or the columns are used up; 0 if
// the clock says no.
template <class Scalar, Clock Time>
TACTUS_ONE_COPY int keep_lexicographically_least(const Path<Scalar>& path, int count,
                                                 const Tolerances<Scalar>& tol, Time& clock) {
  TACTUS_BOUND("n");
  for (int k = 0; count > 1 && k < path.n; ++k) {
    if (!clock.go_on(Piece::pivot, path.n, 0)) return 0;
    const int variable = path.start[k];
    if (path.is_basic(variable)) {  // a unit column: its own row is the greatest, the others are zero
      int kept = 0;
      TACTUS_BOUND("tied");
      for (int a = 0; a < count; ++a)
        if (path.tied[a] != path.row[variable]) path.tied[kept++] = path.tied[a];
      count = kept;
      continue;
    }
    TACTUS_REACHED("rounds");
    path.original_column(variable, path.other);
    if (!path.inverse.apply(path.other, clock)) return 0;
    Scalar top = 0, theta = std::numeric_limits<Scalar>::max();
    TACTUS_BOUND("tied");
    for (int a = 0; a < count; ++a) {
      const Index i = path.tied[a];
      top = math::larger(top, math::magnitude(path.other[i]));
      const Scalar ratio = path.other[i] / path.entering()[i];
      theta = ratio < theta ? ratio : theta;
    }
    if (top == 0) continue;
    int kept = 0;
    TACTUS_BOUND("tied");
    for (int a = 0; a < count; ++a) {
      const Index i = path.tied[a];
      if (is_tied(path.other[i], theta, path.entering()[i], tol.floor * top, tol.tie)) path.tied[kept++] = i;
    }
    count = kept;
  }
  return count;
}

}  // namespace detail

// Row that leaves when the variable of path.entering() enters, or -1: no row does, a ray, or the clock says
// no. Cost: about 12 n; where rows are tied, one column of B^-1 for each round of rule 2.
template <class Scalar, Clock Time>
int ratio_test(const Path<Scalar>& path, const Tolerances<Scalar>& tol, Time& clock) {
  const int n = path.n;
  const Scalar* v = path.entering();
  TACTUS_LET("m = padded(n)");
  const Scalar v_top = math::largest_magnitude(v, path.inverse.size);
  const Scalar rhs_top = math::largest_magnitude(path.rhs, path.inverse.size);
  const Scalar least = math::larger(v_top * tol.entry, std::numeric_limits<Scalar>::min());
  const Scalar floor = tol.floor * rhs_top;
  int count = detail::list_tied(path.rhs, v, n, least, floor, tol.tie, path.tied);
  if (count == 0) return -1;
  if (count > 1) {
    const int artificial_row = path.row[path.artificial()];
    TACTUS_BOUND("tied");
    for (int a = 0; a < count; ++a)
      if (path.tied[a] == artificial_row) return artificial_row;
    count = detail::keep_lexicographically_least(path, count, tol, clock);
    if (count == 0) return -1;
  }
  int best = path.tied[0];
  TACTUS_BOUND("max(1, tied) - 1");
  for (int a = 1; a < count; ++a)
    if (v[path.tied[a]] > v[best]) best = path.tied[a];
  return best;
}

}  // namespace tactus::lcp
