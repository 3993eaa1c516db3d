// Lemke's method as textbooks have it, in long double: the dense tableau of w = M z + q + z0, ratios compared
// lexicographically, ties wide. An oracle for what core solves otherwise.
#pragma once

#include <algorithm>

#include "tests/oracle/dense.hpp"

namespace oracle {

class Lemke {
 public:
  // z, or nothing where the path ends on a ray or takes more than `most` pivots.
  static Column solve(const Matrix& M, const Column& q, int most = 20000) {
    Lemke path(M, q);
    return path.run(most);
  }

 private:
  // Columns: w (n), z (n), z0, the values.
  Lemke(const Matrix& M, const Column& q) : n_(q.size()), T_(n_, 2 * n_ + 2), basic_(n_) {
    for (std::size_t i = 0; i < n_; ++i) {
      T_(i, i) = 1;
      for (std::size_t j = 0; j < n_; ++j) T_(i, n_ + j) = -M(i, j);
      T_(i, 2 * n_) = -1;
      T_(i, 2 * n_ + 1) = q[i];
      basic_[i] = i;
    }
  }

  Column run(int most) {
    std::size_t row = 0;
    for (std::size_t i = 1; i < n_; ++i)
      if (T_(i, 2 * n_ + 1) <= T_(row, 2 * n_ + 1)) row = i;
    if (T_(row, 2 * n_ + 1) >= 0) return Column(n_);
    std::size_t leaving = pivot(row, 2 * n_);
    for (int k = 0; leaving != 2 * n_; ++k) {
      const std::size_t entering = leaving < n_ ? leaving + n_ : leaving - n_;
      if (k == most || !choose(entering, row)) return {};
      leaving = pivot(row, entering);
    }
    Column z(n_);
    for (std::size_t i = 0; i < n_; ++i)
      if (basic_[i] >= n_) z[basic_[i] - n_] = T_(i, 2 * n_ + 1);
    return z;
  }

  std::size_t pivot(std::size_t r, std::size_t c) {
    const Real inverse = 1 / T_(r, c);
    std::vector<std::size_t> filled;  // most of the columns of w are zero for long
    for (std::size_t j = 0; j < T_.columns(); ++j) {
      if (T_(r, j) == 0) continue;
      T_(r, j) *= inverse;
      filled.push_back(j);
    }
    for (std::size_t i = 0; i < n_; ++i) {
      const Real factor = T_(i, c);
      if (i == r || factor == 0) continue;
      for (const std::size_t j : filled) T_(i, j) -= factor * T_(r, j);
      T_(i, c) = 0;
    }
    return std::exchange(basic_[r], c);
  }

  // The row that leaves for column c; z0 where it may. False: a ray.
  bool choose(std::size_t c, std::size_t& row) const {
    Real top = 0;
    for (std::size_t i = 0; i < n_; ++i) top = std::fmax(top, std::fabs(T_(i, c)));
    std::vector<std::size_t> tied;
    for (std::size_t i = 0; i < n_; ++i)
      if (T_(i, c) > 1e-13L * top) tied.push_back(i);
    if (tied.empty()) return false;
    keep_least(tied, c, 2 * n_ + 1);
    for (const std::size_t i : tied)
      if (basic_[i] == 2 * n_) tied = {i};
    for (std::size_t k = 0; tied.size() > 1 && k < n_; ++k) keep_least(tied, c, k);
    row = tied.front();
    return true;
  }

  void keep_least(std::vector<std::size_t>& tied, std::size_t c, std::size_t column) const {
    Real least = HUGE_VALL, size = 0;
    for (const std::size_t i : tied) {
      least = std::fmin(least, T_(i, column) / T_(i, c));
      size = std::fmax(size, std::fabs(T_(i, column) / T_(i, c)));
    }
    std::erase_if(tied, [&](std::size_t i) { return T_(i, column) / T_(i, c) > least + 1e-12L * size; });
  }

  std::size_t n_;
  Matrix T_;
  std::vector<std::size_t> basic_;
};

}  // namespace oracle
