// The ratio test: which basic variable reaches zero first when the entering one grows, and what counts as a
// tie.
//
// A box at rest is exactly degenerate and friction directions come in opposite pairs, so ties are the rule,
// and rounding must not be the one to break them: strict comparison gave false rays on 1,046 of 1,620 steps
// with a separated element. Two rows count as tied when the loser's value after the exchange, rhs_i - theta
// T_ic, is no more than rounding could have made it. Among the tied rows
//   1. z0 leaves if it can: the method ends on a solution rather than on a later ray;
//   2. the lexicographically least row of [rhs | B^-1] / T_ic leaves, so that no basis comes twice (Cottle,
//   Pang, Stone
//      1992, 4.9), column by column with the same notion of a tie;
//   3. the largest T_ic of what is still tied, for the sake of accuracy.
#pragma once

#include "tactus/lcp/tableau.hpp"

namespace tactus::lcp {

// Relative to the numbers compared; each is a multiple of the rounding error that the pivots so far may have
// left.
template <class Scalar>
struct Tolerances {
  Scalar entry;  // T_ic below entry * max|T_.c| is rounding, not a pivot
  Scalar tie;    // values closer than tie of their size are equal
  Scalar floor;  // and so are values below tie * floor of the largest in their column
};

namespace detail {

// Keeps those of the tied rows t.rows[0 .. count) whose value(i) / T_ic is least. Returns how many are left.
template <class Scalar, class Value>
int keep_least(const Tableau<Scalar>& t, int count, const Tolerances<Scalar>& tol, Scalar top,
               Value&& value) {
  Scalar theta = std::numeric_limits<Scalar>::max();
  for (int a = 0; a < count; ++a) {
    const Scalar ratio = value(t.rows[a]) / t.column[t.rows[a]];
    theta = ratio < theta ? ratio : theta;
  }
  int kept = 0;
  for (int a = 0; a < count; ++a) {
    const Index i = t.rows[a];
    const Scalar v = value(i);
    const Scalar excess = multiply_add(-theta, t.column[i], v);
    if (excess <= tol.tie * larger(magnitude(v), tol.floor * top)) t.rows[kept++] = i;
  }
  return kept;
}

}  // namespace detail

// Row that leaves when the variable of t.column enters, or -1: no row does, a ray. start: the n variables
// that were basic when the pass began, in order. Cost: about 12 n, and n times the number of tied rows at
// worst.
template <class Scalar>
int ratio_test(const Tableau<Scalar>& t, const Index* start, const Tolerances<Scalar>& tol) {
  Scalar top = 0, rhs_top = 0;
  for (int i = 0; i < t.n; ++i) top = larger(top, magnitude(t.column[i]));
  const Scalar least = larger(top * tol.entry, std::numeric_limits<Scalar>::min());
  int count = 0;
  for (int i = 0; i < t.n; ++i) {
    rhs_top = larger(rhs_top, magnitude(t.rhs[i]));
    if (t.column[i] > least) t.rows[count++] = static_cast<Index>(i);
  }
  if (count == 0) return -1;
  count =
      detail::keep_least(t, count, tol, rhs_top, [&](int i) { return t.rhs[i] > 0 ? t.rhs[i] : Scalar(0); });
  if (count == 1) return t.rows[0];
  const int artificial = t.row_of(2 * t.n);
  for (int a = 0; a < count; ++a)
    if (t.rows[a] == artificial) return artificial;
  for (int k = 0; count > 1 && k < t.n; ++k) {
    const int at = t.place[start[k]];
    if (at < 0) {  // still basic: a unit column, zero in every row but its own, and that row is not the least
      int kept = 0;
      for (int a = 0; a < count; ++a)
        if (t.rows[a] != ~at) t.rows[kept++] = t.rows[a];
      count = kept;
      continue;
    }
    Scalar column_top = 0;
    for (int a = 0; a < count; ++a) column_top = larger(column_top, magnitude(t.row(t.rows[a])[at]));
    if (column_top == 0) continue;
    count = detail::keep_least(t, count, tol, column_top, [&](int i) { return t.row(i)[at]; });
  }
  int best = t.rows[0];
  for (int a = 1; a < count; ++a)
    if (t.column[t.rows[a]] > t.column[best]) best = t.rows[a];
  return best;
}

}  // namespace tactus::lcp
