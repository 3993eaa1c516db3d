// The certificate: how far p is from every row's law, from the caller's own A, b and bounds.
//
// In units of d_i a row's law is a line that falls, and a line p - s = u rises, so exactly one point (s*, p*)
// of the law lies on the one through (s, p): |s - s*| = |p - p*| is the row's natural residual. It is
// measured by the data, never by the answer (a force that is wrong because it is large would excuse itself):
//
//     S_i = sum_j |A_ij| F_j / d_i,   F_j what the data can ask of p_j: |b_j| / A_jj, a bound or a stop that
//     is on
//                                     the other side of 0
//
// but neither more than the largest F_j d_j nor less than 1/64 of it, for the rows that are moved by others
// only. `rounding` is what the last digits of the sums A p may be, in the same measure: a residual says
// nothing beyond that, so an answer is accepted if both are small.
//
// A row whose A_ii is rounding beside d_i^2 cannot move: its p does nothing and is not asked for. Where its
// law gives s and b has another one, no p is an answer.
//
// Cost: n^2 multiply-adds for s and 30 n; 2 n more for a row that is not plainly right. Memory: d and F, n
// scalars each.
#pragma once

#include <cmath>
#include <limits>

#include "tactus/bound.hpp"
#include "tactus/lcp/rows/problem.hpp"
#include "tactus/math/kernels.hpp"

namespace tactus::lcp::rows {

// The rounding of an A_ii that is a sum of a few products of the size of d_i^2.
template <class Scalar>
inline constexpr Scalar kStill = sizeof(Scalar) == 8 ? Scalar(1e-12) : Scalar(1e-6);

template <class Scalar>
bool is_still(const Problem<Scalar>& p, const Scalar* d, int i) {
  return !(p.A[i * (p.stride + 1)] > kStill<Scalar> * d[i] * d[i]);
}

// d_i = sqrt(A_ii), or the caller's; of a row that is rounding beside the others of its contact, or that
// cannot move at all, the largest of those or of all.
template <class Scalar>
void find_units(const Problem<Scalar>& p, Scalar* d) {
  Scalar top = 0;
  TACTUS_BOUND("n");
  for (int i = 0; i < p.n; ++i) {
    const Scalar a = p.A[i * (p.stride + 1)];
    d[i] = p.d != nullptr ? p.d[i] : a > 0 ? std::sqrt(a) : Scalar(0);
    top = math::larger(top, d[i]);
  }
  const Scalar still = std::sqrt(kStill<Scalar>);
  TACTUS_BOUND("2");
  for (int pass = 0; pass < 2; ++pass) {  // the first finds the largest of a contact
    TACTUS_BOUND("n");
    for (int i = 0; i < p.n; ++i) {
      if (p.row[i].kind != Kind::tangent) continue;
      Scalar& normal = d[p.row[i].normal];
      if (!(normal > still * d[i])) normal = d[i];
      if (!(d[i] > still * normal)) d[i] = normal;
    }
  }
  TACTUS_BOUND("n");
  for (int i = 0; i < p.n; ++i)
    if (!(d[i] > 0)) d[i] = top > 0 ? top : Scalar(1);
}

// s = A p + b
template <class Scalar>
TACTUS_ONE_COPY void find_s(const Problem<Scalar>& problem, const Scalar* p, Scalar* s) {
  TACTUS_BOUND("n");
  for (int i = 0; i < problem.n; ++i) {
    TACTUS_LET("m = n");
    s[i] = math::dot(problem.A + i * problem.stride, p, problem.n) + problem.b[i];
  }
}

// What the data can ask of each p. Returns the largest, in units of d.
template <class Scalar>
Scalar find_demands(const Problem<Scalar>& p, const Scalar* d, Scalar* F) {
  Scalar largest = 0;
  TACTUS_BOUND("n");
  for (int i = 0; i < p.n; ++i) {
    const Row<Scalar>& r = p.row[i];
    Scalar speed = math::magnitude(p.b[i]), push = 0;
    if (r.kind == Kind::bounded) {
      speed = math::larger(speed, math::larger(r.stop_lo, -r.stop_hi));
      push = math::larger(r.lo, -r.hi);
    }
    F[i] = math::larger(speed / (d[i] * d[i]), push);
    largest = math::larger(largest, F[i] * d[i]);
  }
  return largest;
}

template <class Scalar>
inline constexpr Scalar kLeastDemand = Scalar(1) / 64;

// What counts as right; lcp/README.md has the same.
template <class Scalar>
inline constexpr Scalar kAccepted = sizeof(Scalar) == 8 ? Scalar(1e-8) : Scalar(1e-4);

template <class Scalar>
struct Certificate {
  Scalar residual = 0;  // the largest over S_i; not a number where anything is not
  Scalar rounding = 0;  // no row's share is larger
  int row = -1;         // that of the residual

  bool accepted() const { return residual <= kAccepted<Scalar> && rounding <= kAccepted<Scalar>; }
};

namespace detail {

// |s - s*| of row i, in units of d_i.
template <class Scalar>
Scalar natural_residual(const Problem<Scalar>& problem, Scalar d, int i, bool still, const Scalar* p,
                        const Scalar* s) {
  const Row<Scalar>& r = problem.row[i];
  const bool tangent = r.kind == Kind::tangent;
  const Scalar hi = tangent ? r.hi * math::larger(p[r.normal], Scalar(0)) * d : r.hi * d;
  const Scalar lo = tangent ? -hi : r.lo * d;
  const Scalar speed = s[i] / d, u = p[i] * d - speed;
  Scalar on_line = u > hi ? hi - u : u < lo ? lo - u : Scalar(0);
  if (still)
    on_line = speed < 0 ? (hi < kInfinity<Scalar> ? speed : 0) : (lo > -kInfinity<Scalar> ? speed : 0);
  const Scalar stop_hi = r.stop_hi / d, below = on_line < stop_hi ? on_line : stop_hi;
  return math::magnitude(speed - math::larger(below, r.stop_lo / d));
}

}  // namespace detail

// s: as find_s() makes it; F, top: as find_demands().
template <class Scalar>
TACTUS_ONE_COPY Certificate<Scalar> certify(const Problem<Scalar>& problem, const Scalar* d, const Scalar* F,
                                            Scalar top, const Scalar* p, const Scalar* s) {
  constexpr Scalar kRounding = std::numeric_limits<Scalar>::epsilon() / 2;
  Certificate<Scalar> worst;
  Scalar poison = 0, terms = 0;
  TACTUS_BOUND("n");
  for (int i = 0; i < problem.n; ++i) terms = math::multiply_add(math::magnitude(p[i]), d[i], terms);
  // |A_ij| <= d_i d_j, and S_i is at least this.
  const Scalar least = kLeastDemand<Scalar> * top;
  if (terms > 0) worst.rounding = kRounding * terms / least;
  const bool large = !(worst.rounding <= kAccepted<Scalar>);
  if (large) worst.rounding = 0;
  TACTUS_BOUND("n");
  for (int i = 0; i < problem.n; ++i) {
    const bool still = is_still(problem, d, i);
    const Scalar wrong = detail::natural_residual(problem, d[i], i, still, p, s);
    poison += (s[i] + p[i] + wrong) * Scalar(0);
    if (still && problem.row[i].kind == Kind::tangent) continue;
    Scalar size = math::larger(F[i] * d[i], least);
    if (!large && !(wrong > 4 * kRounding * size)) continue;
    TACTUS_REACHED("judged");
    TACTUS_LET("m = n");
    const Scalar* const a = problem.A + i * problem.stride;
    size = math::larger(size, math::dot_of_magnitudes(a, F, problem.n) / d[i]);
    if (size > top) size = top;
    if (large) {
      TACTUS_REACHED("doubtful * n");
      terms = 0;
      TACTUS_BOUND("n");
      for (int j = 0; j < problem.n; ++j)
        terms = math::multiply_add(math::magnitude(a[j]), math::magnitude(p[j]), terms);
      worst.rounding = math::larger(worst.rounding, kRounding * terms / (d[i] * size));
    }
    const Scalar share = wrong / size;
    if (!(share > worst.residual)) continue;
    worst.residual = share;
    worst.row = i;
  }
  worst.residual += poison;
  return worst;
}

}  // namespace tactus::lcp::rows
