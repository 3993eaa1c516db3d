// One pass of Lemke's method (Cottle, Pang, Stone 1992, algorithm 4.4.5) on the condensed tableau.
//
// The artificial variable z0 is added to every row, w = q + M z + e z0 in scaled units, and driven from the
// row with the least q until it leaves again: then z is complementary and feasible. The pass starts from any
// complementary basis whose tableau is loaded, so it serves a cold start and a repaired one alike.
#pragma once

#include "tactus/lcp/problem.hpp"
#include "tactus/lcp/ratio_test.hpp"
#include "tactus/lcp/tableau.hpp"

namespace tactus::lcp {

enum class PassEnd : std::uint8_t { complementary, ray, cycle, limit };

// Loads the basis of all w: x_B = w, T = -R M C, rhs = R q / sigma. Cost: n^2.
template <class Scalar>
void load(Tableau<Scalar>& t, const Problem<Scalar>& p, const Scalar* c, const Scalar* r, Scalar sigma,
          Scalar perturbation) {
  t.n = p.n;
  t.columns = p.n;
  t.stride = (p.n + 4) / 4 * 4;
  const Scalar inverse_sigma = Scalar(1) / sigma;
  Scalar fraction = 0;
  for (int i = 0; i < p.n; ++i) {
    const Scalar* source = p.M + static_cast<std::ptrdiff_t>(i) * p.stride;
    Scalar* row = t.row(i);
    const Scalar r_i = -r[i];
    for (int j = 0; j < p.n; ++j) row[j] = r_i * source[j] * c[j];
    for (int j = p.n; j < t.stride; ++j) row[j] = 0;
    fraction = fraction > Scalar(0.38) ? fraction - Scalar(0.38) : fraction + Scalar(0.62);
    t.rhs[i] = r[i] * p.q[i] * inverse_sigma + perturbation * (Scalar(1) + fraction);
    t.basic[i] = static_cast<Index>(i);
    t.nonbasic[i] = static_cast<Index>(p.n + i);
    t.place[i] = static_cast<Index>(~i);
    t.place[p.n + i] = static_cast<Index>(i);
  }
}

// Brings the z of the listed indices into the basis in place of their w, by block pivots of largest size.
// False if the block is singular. Cost: count exchanges.
template <class Scalar>
bool enter_basis(Tableau<Scalar>& t, const Index* active, int count, Scalar vanishing) {
  for (int a = 0; a < count; ++a) {
    const int c = t.place[t.n + active[a]];
    int r = -1;
    for (int i = 0; i < t.n; ++i) t.column[i] = t.row(i)[c];
    for (int b = 0; b < count; ++b) {  // rows whose w has still to leave
      if (!t.is_basic(active[b])) continue;
      const int i = t.row_of(active[b]);
      if (r < 0 || magnitude(t.column[i]) > magnitude(t.column[r])) r = i;
    }
    if (!(magnitude(t.column[r]) > vanishing)) return false;
    exchange(t, r, c);
  }
  return true;
}

// Adds z0 and exchanges it with the least basic variable, the last of equal ones (the lexicographically least
// row of [rhs | I]). start: n indices, receives the basis. Returns the column that enters next, or -1 if rhs
// >= 0 already. Cost: n^2.
template <class Scalar>
int introduce_artificial(Tableau<Scalar>& t, Index* start) {
  int r = 0;
  for (int i = 0; i < t.n; ++i) {
    start[i] = t.basic[i];
    if (t.rhs[i] <= t.rhs[r]) r = i;
  }
  if (t.rhs[r] >= 0) return -1;
  Scalar* least = t.row(r);
  for (int i = 0; i < t.n; ++i) {
    if (i == r) continue;
    Scalar* row = t.row(i);
    for (int j = 0; j < t.n; ++j) row[j] -= least[j];
    row[t.n] = -1;
    t.rhs[i] -= t.rhs[r];
  }
  for (int j = 0; j < t.n; ++j) least[j] = -least[j];
  least[t.n] = -1;
  t.rhs[r] = -t.rhs[r];
  const int leaving = t.basic[r];
  t.columns = t.n + 1;
  t.nonbasic[t.n] = static_cast<Index>(leaving);
  t.place[leaving] = static_cast<Index>(t.n);
  t.basic[r] = static_cast<Index>(2 * t.n);
  t.place[2 * t.n] = static_cast<Index>(~r);
  return t.place[t.complement(leaving)];
}

namespace detail {
inline std::uint32_t hash_of(int variable) {  // a finaliser of 32-bit mixing: any odd multipliers do
  auto x = static_cast<std::uint32_t>(variable + 1) * 0x9E3779B1u;
  x ^= x >> 15;
  x *= 0x85EBCA77u;
  return x ^ (x >> 13);
}
}  // namespace detail

// Follows the path from column c until z0 leaves. pivots counts up to budget. On a ray t.column is its
// direction and c the column that grows. Cost: one ratio test and one exchange for each pivot; the last one
// updates rhs only, because the solution is recomputed from the caller's numbers.
template <class Scalar>
PassEnd follow_path(Tableau<Scalar>& t, const Index* start, const Tolerances<Scalar>& tol, int& c,
                    int& pivots, int budget) {
  // Brent's cycle detection on a hash of the basis: the method is deterministic, so a basis that comes again
  // comes for ever.
  std::uint32_t hash = 0, remembered = 0;
  int steps = 0, remember_at = 8;
  for (;;) {
    if (pivots >= budget) return PassEnd::limit;
    for (int i = 0; i < t.n; ++i) t.column[i] = t.row(i)[c];
    const int r = ratio_test(t, start, tol);
    if (r < 0) return PassEnd::ray;
    ++pivots;
    const int leaving = t.basic[r];
    if (leaving == 2 * t.n) {
      const Scalar theta = t.rhs[r] / t.column[r];
      for (int i = 0; i < t.n; ++i) t.rhs[i] = multiply_add(-t.column[i], theta, t.rhs[i]);
      t.rhs[r] = theta;
      t.basic[r] = t.nonbasic[c];
      t.place[t.basic[r]] = static_cast<Index>(~r);
      return PassEnd::complementary;
    }
    hash ^= detail::hash_of(t.nonbasic[c]) ^ detail::hash_of(leaving);
    exchange(t, r, c);
    c = t.place[t.complement(leaving)];
    if (steps > 0 && hash == remembered) return PassEnd::cycle;
    if (++steps == remember_at) {
      remembered = hash;
      remember_at *= 2;
    }
  }
}

}  // namespace tactus::lcp
