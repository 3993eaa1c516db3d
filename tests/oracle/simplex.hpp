// The largest g . x under A x + q >= 0, x >= 0, by the simplex method as in textbooks: a dictionary, an
// auxiliary variable to find a first vertex, Bland's rule where nothing gets better. In long double, and
// sharing nothing with core.
#pragma once

#include "tests/oracle/dense.hpp"

namespace oracle {

struct Optimum {
  bool feasible = false, bounded = true;
  Real value = 0;
};

class Simplex {
 public:
  explicit Simplex(std::size_t columns) : n_(columns) {}

  void at_least(Column a, Real q) {  // a . x + q >= 0
    Real size = 0;
    for (const Real v : a) size = std::fmax(size, std::fabs(v));
    if (size > 0)
      for (Real& v : a) v /= size;
    a.push_back(size > 0 ? q / size : q);
    rows_.push_back(a);
  }
  void equals(const Column& a, Real q) {
    at_least(a, q);
    Column b = a;
    for (Real& v : b) v = -v;
    at_least(b, -q);
  }

  Optimum maximum(const Column& g, Real g0) {
    Real size = 0;
    for (const Column& row : rows_) size = std::fmax(size, std::fabs(row[n_]));
    if (size == 0) size = 1;
    // Column n: the auxiliary variable. Column n + 1: constants.
    T_.assign(rows_.size() + 1, Column(n_ + 2));
    other_.resize(n_ + 1);
    basic_.resize(rows_.size());
    for (std::size_t j = 0; j <= n_; ++j) other_[j] = j;
    std::size_t worst = rows_.size();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (std::size_t j = 0; j < n_; ++j) T_[i][j] = rows_[i][j];
      T_[i][n_] = 1;
      T_[i][n_ + 1] = rows_[i][n_] / size;
      basic_[i] = n_ + 1 + i;
      if (T_[i][n_ + 1] < 0 && (worst == rows_.size() || T_[i][n_ + 1] < T_[worst][n_ + 1])) worst = i;
    }
    if (worst < rows_.size()) {
      Column& z = T_.back();
      z[n_] = -1;
      pivot(worst, n_);
      climb(n_ + 1);
      if (T_.back()[n_ + 1] < -kFeasible) return {};
      // Out of the basis it stays, at zero.
      for (std::size_t i = 0; i < basic_.size(); ++i)
        if (basic_[i] == n_)
          for (std::size_t j = 0; j <= n_; ++j)
            if (std::fabs(T_[i][j]) > kPivot) {
              pivot(i, j);
              break;
            }
    }
    drop_ = n_;
    Column& z = T_.back();
    z.assign(n_ + 2, 0);
    for (std::size_t j = 0; j <= n_; ++j)
      if (other_[j] < n_) z[j] += g[other_[j]];
    for (std::size_t i = 0; i < basic_.size(); ++i)
      if (basic_[i] < n_)
        for (std::size_t j = 0; j < n_ + 2; ++j) z[j] += g[basic_[i]] * T_[i][j];
    Optimum best;
    best.feasible = true;
    best.bounded = climb(n_ + 2);
    best.value = T_.back()[n_ + 1] * size + g0;
    return best;
  }

 private:
  static constexpr Real kPivot = 1e-15L, kFeasible = 1e-15L;

  void pivot(std::size_t r, std::size_t c) {
    Column& p = T_[r];
    const Real inverse = 1 / p[c];
    for (Real& v : p) v *= -inverse;
    p[c] = inverse;
    for (std::size_t i = 0; i < T_.size(); ++i) {
      if (i == r || T_[i][c] == 0) continue;
      const Real factor = T_[i][c];
      T_[i][c] = 0;
      for (std::size_t j = 0; j < p.size(); ++j) T_[i][j] += factor * p[j];
    }
    std::swap(basic_[r], other_[c]);
  }

  // To the top of the last row; false where there is none.
  bool climb(std::size_t /*phase*/) {
    const std::size_t m = basic_.size();
    for (int k = 0; k < 2000; ++k) {
      const Column& z = T_.back();
      std::size_t enter = n_ + 1;
      for (std::size_t j = 0; j <= n_; ++j) {
        if (other_[j] == drop_ || !(z[j] > kPivot)) continue;
        if (enter > n_ || (k < 100 ? z[j] > z[enter] : other_[j] < other_[enter])) enter = j;
      }
      if (enter > n_) return true;
      std::size_t leave = m;
      Real least = 0;
      for (std::size_t i = 0; i < m; ++i) {
        if (!(T_[i][enter] < -kPivot)) continue;
        const Real ratio = std::fmax(T_[i][n_ + 1], 0) / -T_[i][enter];
        if (leave < m && !(ratio < least) &&
            !(ratio == least && (k < 100 ? T_[i][enter] < T_[leave][enter] : basic_[i] < basic_[leave])))
          continue;
        leave = i;
        least = ratio;
      }
      if (leave == m) return false;
      pivot(leave, enter);
    }
    return true;
  }

  std::size_t n_, drop_ = static_cast<std::size_t>(-1);
  std::vector<Column> rows_, T_;
  std::vector<std::size_t> other_, basic_;
};

}  // namespace oracle
