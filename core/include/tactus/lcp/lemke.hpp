// One pass of Lemke's method (Cottle, Pang, Stone 1992, algorithm 4.4.5), revised: on the inverse of the
// basis.
//
// The artificial variable z0 is added to every row, ws = q + M zs + e z0 in scaled units, and driven from the
// row with the least value until it leaves again: then z is complementary and feasible. The pass starts from
// any complementary basis, so it serves a cold start and a repaired one alike.
#pragma once

#include "tactus/lcp/budget.hpp"
#include "tactus/lcp/ratio_test.hpp"

namespace tactus::lcp {

enum class PassEnd : std::uint8_t {
  complementary,  // z0 has left
  ray,            // nothing stops the entering variable; path.entering() is the direction
  cycle,          // a basis has come again: ties were judged wrong
  singular,       // the basis could not be inverted anew
  limit           // the budget is spent, or the time
};

namespace detail {

// Mixes a variable's number so that the exclusive or over a basis tells bases apart.
inline std::uint32_t hash_of(int variable) {
  auto x = static_cast<std::uint32_t>(variable + 1) * 0x9E3779B1u;
  x ^= x >> 15;
  x *= 0x85EBCA77u;
  return x ^ (x >> 13);
}

// Builds the product anew for the present basis, from the problem's own numbers: rounding starts again from
// nothing. scratch: n + 1 indices. Cost: one column for each z in the basis.
template <class Scalar, Clock Time>
bool reinvert(Path<Scalar>& path, Index* scratch, Time& clock) {
  const int n = path.n;
  int count = 0;
  TACTUS_BOUND("n + 1");
  for (int v = n; v <= path.artificial(); ++v)
    if (path.is_basic(v)) scratch[count++] = static_cast<Index>(v);
  TACTUS_BOUND("n");
  for (int i = 0; i < n; ++i) path.other[i] = path.is_basic(i) ? Scalar(1) : Scalar(0);
  path.start_from_w();
  TACTUS_LET("entered = n + 1");
  return path.enter_all(scratch, count, path.other, clock);
}

}  // namespace detail

// Adds z0 and exchanges it with the least basic variable, the last of equal ones (the lexicographically least
// row of [rhs | I]). Returns the variable that enters next, or -1 if no value is negative, or the clock says
// no. Cost: n, and n for each z in the basis.
template <class Scalar, Clock Time>
int introduce_artificial(Path<Scalar>& path, Time& clock) {
  const int n = path.n;
  int least = 0;
  Scalar least_value = path.rhs[0];
  TACTUS_BOUND("n");
  for (int i = 0; i < n; ++i) {
    path.start[i] = path.basic[i];
    if (path.rhs[i] <= least_value) {
      least_value = path.rhs[i];
      least = i;
    }
  }
  if (least_value >= 0) return -1;
  Scalar* v = path.entering();
  TACTUS_BOUND("n");
  for (int i = 0; i < n; ++i) path.covering[i] = v[i] = -1;
  TACTUS_LET("bytes = scalar * (padded(n) - n)");
  for (int i = n; i < path.inverse.size; ++i) v[i] = 0;
  if (path.inverse.count >
      0) {  // its column is to be -1 in the present basis: -d = -(sum of the basic columns)
    TACTUS_BOUND("n");
    for (int i = 0; i < n; ++i) path.covering[i] = path.is_basic(i) ? Scalar(-1) : Scalar(0);
    TACTUS_REACHED("restarts");
    TACTUS_LET("rows = n");
    const bool done = for_rows(
        n, clock, [&](int k) __attribute__((always_inline)) {
          if (path.basic[k] < n) return true;
          TACTUS_REACHED("k");
          path.original_column(path.basic[k], path.other);
          TACTUS_BOUND("n");
          for (int i = 0; i < n; ++i) path.covering[i] -= path.other[i];
          return true;
        });
    if (!done) return -1;
  }
  const int leaving = path.basic[least];
  path.exchange(path.artificial(), least);
  return path.complement(leaving);
}

// Follows the path of the entering variable until z0 leaves; `entering` is left at the last one. pivots
// counts up to limit. scratch: n + 1 indices. Cost: a column, a ratio test and an exchange for each pivot.
template <class Scalar, Clock Time>
PassEnd follow_path(Path<Scalar>& path, const Tolerances<Scalar>& tol, int& entering, int& pivots, int limit,
                    Index* scratch, Time& clock) {
  // Brent's cycle detection: the method is deterministic, so a basis that comes again comes for ever.
  std::uint32_t hash = 0, remembered = 0;
  int steps = 0, remember_at = 8;
  TACTUS_BOUND("pivots");
  for (;;) {
    TACTUS_LET("e = min(held + 1 .. held + pivots, n + 7)");
    if (pivots >= limit) return PassEnd::limit;
    if (!clock.go_on(Piece::pivot, path.n, 0)) return PassEnd::limit;
    if (path.inverse.is_full()) {
      TACTUS_REACHED("(held + pivots) / (n + 8) * pivots");  // never in a pass that is shorter
      if (!detail::reinvert(path, scratch, clock)) return PassEnd::singular;
      if (!clock.go_on(Piece::pivot, path.n, 0)) return PassEnd::limit;
    }
    path.original_column(entering, path.entering());
    if (!path.inverse.apply(path.entering(), clock)) return PassEnd::limit;
    if (!clock.go_on(Piece::pivot, path.n, 0)) return PassEnd::limit;
    const int r = ratio_test(path, tol, clock);
    if (r < 0) return clock.go_on(Piece::pivot, path.n, 0) ? PassEnd::ray : PassEnd::limit;
    ++pivots;
    const int leaving = path.basic[r];
    path.exchange(entering, r);
    if (leaving == path.artificial()) return PassEnd::complementary;
    hash ^= detail::hash_of(entering) ^ detail::hash_of(leaving);
    entering = path.complement(leaving);
    if (steps > 0 && hash == remembered) return PassEnd::cycle;
    if (++steps == remember_at) {
      remembered = hash;
      remember_at *= 2;
    }
  }
}

}  // namespace tactus::lcp
