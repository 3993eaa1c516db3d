// Whether a direction u of p proves that a problem has no answer.
//
// If A u = 0, then u.s = u.b whatever p is. Rows with a law for s bound u.s from below: s >= 0 on a
// unilateral row with u > 0, s >= stop_lo or s <= stop_hi on a bounded one, s = 0 on a bilateral one; a row
// that has no such law must not be in u. So if u.b is less than that bound, no s obeys them all: the rows
// press against each other. A u is zero to rounding only, so the proof is for every p of kReach times the
// size of the data.
//
// Cost: n^2 multiply-adds. Memory: none.
#pragma once

#include "tactus/lcp/rows/certificate.hpp"

namespace tactus::lcp::rows {

template <class Scalar>
inline constexpr Scalar kReach = sizeof(Scalar) == 8 ? Scalar(1e6) : Scalar(1e2);

// d, top: as find_units() and find_demands() make them.
template <class Scalar>
TACTUS_ONE_COPY bool contradicts(const Problem<Scalar>& p, const Scalar* d, Scalar top, const Scalar* u) {
  constexpr Scalar kEps = std::numeric_limits<Scalar>::epsilon();
  Scalar largest = 0, lack = 0, moved = 0;
  TACTUS_BOUND("n");
  for (int i = 0; i < p.n; ++i) largest = math::larger(largest, math::magnitude(u[i]) * d[i]);
  TACTUS_BOUND("n");
  for (int i = 0; i < p.n; ++i) {
    TACTUS_LET("m = n");
    moved += math::magnitude(math::dot(p.A + i * p.stride, u, p.n)) / d[i];
    if (!(math::magnitude(u[i]) * d[i] > 16 * kEps * largest)) continue;
    const Row<Scalar>& r = p.row[i];
    Scalar s = u[i] > 0 ? r.stop_lo : r.stop_hi;
    if (u[i] > 0 ? r.hi == kInfinity<Scalar> : r.lo == -kInfinity<Scalar>) s = 0;
    if (r.kind == Kind::tangent || !(math::magnitude(s) < kInfinity<Scalar>)) return false;
    lack = math::multiply_add(u[i], s - p.b[i], lack);
  }
  return moved * kReach<Scalar> * top < lack;
}

}  // namespace tactus::lcp::rows
