// Every answer of a small problem in rows: each row in each of its pieces in turn, the linear system of that,
// and whether its answer lies on the pieces. Exponential; for problems of about six rows.
#pragma once

#include "tests/corpus/row_judge.hpp"

namespace corpus {

template <class Scalar>
class RowStates {
 public:
  using Kind = tactus::lcp::rows::Kind;

  explicit RowStates(const tactus::lcp::rows::Problem<Scalar>& problem) : p_(problem), judge_(problem) {}

  // f(p) for every isolated answer, up to `tolerance` in the judge's measure. Returns how many.
  template <class F>
  int for_each(double tolerance, F&& f) {
    piece_.assign(static_cast<std::size_t>(p_.n), 0);
    int found = 0;
    for (;;) {
      std::vector<Real> p;
      if (solve(p) && judge_.residual(p.data()) <= tolerance) {
        ++found;
        f(p);
      }
      int i = 0;
      while (i < p_.n && ++piece_[static_cast<std::size_t>(i)] == pieces(i))
        piece_[static_cast<std::size_t>(i++)] = 0;
      if (i == p_.n) return found;
    }
  }

 private:
  // 0: p = lo, 1: s = 0, 2: p = hi, 3: s = stop_lo, 4: s = stop_hi.
  int pieces(int i) const {
    return p_.row[i].kind == Kind::unilateral ? 2 : p_.row[i].kind == Kind::tangent ? 3 : 5;
  }

  // False where a piece is not there or the system is singular.
  bool solve(std::vector<Real>& p) const {
    const int n = p_.n;
    std::vector<std::vector<Real>> M(static_cast<std::size_t>(n),
                                     std::vector<Real>(static_cast<std::size_t>(n + 1), 0));
    for (int i = 0; i < n; ++i) {
      auto& row = M[static_cast<std::size_t>(i)];
      const auto& r = p_.row[i];
      const int piece = piece_[static_cast<std::size_t>(i)];
      if (piece == 0 || piece == 2) {
        row[static_cast<std::size_t>(i)] = 1;
        Real& right = row[static_cast<std::size_t>(n)];
        if (r.kind == Kind::tangent)
          row[static_cast<std::size_t>(r.normal)] = piece == 0 ? Real(r.hi) : -Real(r.hi);
        else
          right = piece == 0 ? Real(r.lo) : Real(r.hi);
        if (!std::isfinite(right)) return false;
        continue;
      }
      const Real s = piece == 1 ? 0 : piece == 3 ? Real(r.stop_lo) : Real(r.stop_hi);
      if (!std::isfinite(s)) return false;
      for (int j = 0; j < n; ++j) row[static_cast<std::size_t>(j)] = judge_.a(i, j);
      row[static_cast<std::size_t>(n)] = s - judge_.b(i);
    }
    return eliminate(M, p);
  }

  static bool eliminate(std::vector<std::vector<Real>>& M, std::vector<Real>& p) {
    const std::size_t n = M.size();
    for (std::size_t c = 0; c < n; ++c) {
      std::size_t best = c;
      for (std::size_t r = c; r < n; ++r)
        if (std::fabs(M[r][c]) > std::fabs(M[best][c])) best = r;
      if (!(std::fabs(M[best][c]) > Real(1e-12))) return false;
      std::swap(M[best], M[c]);
      for (std::size_t r = 0; r < n; ++r) {
        if (r == c) continue;
        const Real factor = M[r][c] / M[c][c];
        for (std::size_t k = c; k <= n; ++k) M[r][k] -= factor * M[c][k];
      }
    }
    p.resize(n);
    for (std::size_t c = 0; c < n; ++c) p[c] = M[c][n] / M[c][c];
    return true;
  }

  tactus::lcp::rows::Problem<Scalar> p_;
  RowJudge<Scalar> judge_;
  std::vector<int> piece_;
};

}  // namespace corpus
