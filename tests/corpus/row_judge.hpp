// An independent judge of answers in rows, in long double from its definition: how far (s, p) of a row is
// from the nearest point of its line, both in units of d = sqrt(A_ii), beside the largest of the data. It
// shares no code and no formula with the solver's certificate. Of a row that cannot move p is not asked, and
// s only where p could be anything.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tactus/lcp/rows/problem.hpp"

namespace corpus {

using Real = long double;

template <class Scalar>
class RowJudge {
 public:
  using Row = tactus::lcp::rows::Row<Scalar>;
  using Kind = tactus::lcp::rows::Kind;

  explicit RowJudge(const tactus::lcp::rows::Problem<Scalar>& problem) : problem_(problem) {
    const int n = problem_.n;
    d_.resize(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) d_[at(i)] = std::sqrt(std::max(a(i, i), Real(0)));
    for (int i = 0; i < n; ++i) {
      const Row& r = problem_.row[i];
      if (r.kind == Kind::tangent && d_[at(i)] < Real(1e-3) * d_[at(r.normal)]) d_[at(i)] = 0;
      largest_ = std::max(largest_, d_[at(i)]);
      if (d_[at(i)] == 0) continue;
      size_ = std::max(size_, std::fabs(b(i)) / d_[at(i)]);
      if (r.kind != Kind::bounded) continue;
      size_ = std::max({size_, Real(r.lo) * d_[at(i)], -Real(r.hi) * d_[at(i)]});
      size_ = std::max({size_, Real(r.stop_lo) / d_[at(i)], -Real(r.stop_hi) / d_[at(i)]});
    }
    for (int i = 0; i < n && largest_ > 0; ++i)  // what cannot move is data, too
      if (a(i, i) == 0) size_ = std::max(size_, std::fabs(b(i)) / largest_);
  }

  Real a(int i, int j) const { return static_cast<Real>(problem_.A[i * problem_.stride + j]); }
  Real b(int i) const { return static_cast<Real>(problem_.b[i]); }

  template <class P>
  std::vector<Real> speeds(const P* p) const {
    std::vector<Real> s(static_cast<std::size_t>(problem_.n));
    for (int i = 0; i < problem_.n; ++i) {
      s[at(i)] = b(i);
      for (int j = 0; j < problem_.n; ++j) s[at(i)] += a(i, j) * static_cast<Real>(p[j]);
    }
    return s;
  }

  // Infinite where p is not finite.
  template <class P>
  double residual(const P* p) const {
    const auto s = speeds(p);
    Real worst = 0;
    for (int i = 0; i < problem_.n; ++i) {
      if (!std::isfinite(p[i])) return std::numeric_limits<double>::infinity();
      worst = std::max(worst, d_[at(i)] > 0 ? distance(i, p, s) : standing(i, s));
    }
    return static_cast<double>(size_ > 0 ? worst / size_ : worst);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  // From the segment s in [s0, s1], p in [p0, p1]; one of the two is a point.
  static Real apart(Real s, Real p, Real s0, Real s1, Real p0, Real p1) {
    const Real ds = s < s0 ? s0 - s : s > s1 ? s - s1 : 0, dp = p < p0 ? p0 - p : p > p1 ? p - p1 : 0;
    return std::sqrt(ds * ds + dp * dp);
  }

  Real standing(int i, const std::vector<Real>& s) const {
    const Row& r = problem_.row[i];
    if (r.kind == Kind::tangent) return 0;
    const Real inf = std::numeric_limits<Real>::infinity();
    const Real low = Real(r.hi) < inf ? Real(r.stop_lo) : std::max(Real(r.stop_lo), Real(0));
    const Real high = Real(r.lo) > -inf ? Real(r.stop_hi) : std::min(Real(r.stop_hi), Real(0));
    return apart(s[at(i)], 0, low, high, 0, 0) / (largest_ > 0 ? largest_ : 1);
  }

  template <class P>
  Real distance(int i, const P* p, const std::vector<Real>& s) const {
    const Row& r = problem_.row[i];
    const Real d = d_[at(i)], x = s[at(i)] / d, y = static_cast<Real>(p[i]) * d,
               inf = std::numeric_limits<Real>::infinity();
    Real lo = Real(r.lo) * d, hi = Real(r.hi) * d;
    if (r.kind == Kind::tangent) {
      hi = Real(r.hi) * std::max(static_cast<Real>(p[r.normal]), Real(0)) * d;
      lo = -hi;
    }
    const Real left = Real(r.stop_lo) / d, right = Real(r.stop_hi) / d;
    Real best = inf;
    const auto piece = [&](Real s0, Real s1, Real p0, Real p1) {
      if (s0 <= s1 && p0 <= p1) best = std::min(best, apart(x, y, s0, s1, p0, p1));
    };
    if (left <= 0 && right >= 0) piece(0, 0, lo, hi);
    if (lo > -inf) piece(std::max(left, Real(0)), right, lo, lo);
    if (hi < inf) piece(left, std::min(right, Real(0)), hi, hi);
    if (left > -inf) piece(left, left, left > 0 ? lo : hi, inf);
    if (right < inf) piece(right, right, -inf, right < 0 ? hi : lo);
    if (left == right) piece(left, left, -inf, inf);
    return best;
  }

  tactus::lcp::rows::Problem<Scalar> problem_;
  std::vector<Real> d_;
  Real size_ = 0, largest_ = 0;
};

}  // namespace corpus
