// The least f of Pang-Trinkle's (46) where every contact slides, by an interior-point method in long double.
//
// A choice of contacts is closed, a_n = 0, the others are open, c = 0. The closed ones' c_n follows from
// their friction x, so what is left is a convex programme in x: least squares under mu c_n >= |c_T|,
// v . c_T <= 0, and a_n >= 0 of what is open. A barrier keeps inside; where the start is not, a slack of all
// rows is first driven below zero. All choices are tried.
#pragma once

#include "tests/oracle/dense.hpp"

namespace oracle {

struct Slide {  // rows n, t, o contact by contact
  Column A, b, mu, velocity;
  std::size_t contacts() const { return mu.size(); }
};

class SlideProgramme {
 public:
  SlideProgramme(const Slide& p, unsigned closed) : p_(p) {
    for (std::size_t i = 0; i < p.contacts(); ++i) (closed >> i & 1 ? in_ : out_).push_back(i);
    const std::size_t k = in_.size(), rows = 3 * p.contacts();
    Matrix N(k, k), R(k, 2 * k + 1);
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        N(i, j) = p.A[3 * in_[i] * rows + 3 * in_[j]];
        for (std::size_t l = 0; l < 2; ++l) R(i, 2 * j + l) = -p.A[3 * in_[i] * rows + 3 * in_[j] + 1 + l];
      }
      R(i, 2 * k) = -p.b[3 * in_[i]];
    }
    if (k > 0) normal_ = solve(N, R);  // c_n = normal_ (x, 1)
    rows_ = rows;
  }

  // The least f, or infinity.
  Real run() {
    const std::size_t n = 2 * in_.size();
    Column x(n + 1);  // the last one is the slack
    x[n] = 1;
    for (const Real g : rows_at(x, 0)) x[n] = std::fmax(x[n], 1 - g);
    if (!descend(x, true)) return INFINITY;
    x[n] = 0;
    descend(x, false);
    return objective(x);
  }

 private:
  // c_n of the j-th closed contact as a row of (x, 1).
  Column normal_row(std::size_t j) const {
    Column row(2 * in_.size() + 1);
    for (std::size_t l = 0; l < row.size(); ++l) row[l] = normal_(j, l);
    return row;
  }
  static Real value(const Column& row, const Column& x) {
    Real sum = row.back();
    for (std::size_t l = 0; l + 1 < row.size(); ++l) sum += row[l] * x[l];
    return sum;
  }
  // Rows that are linear: -v . c_T, a_n of what is open.
  std::vector<Column> linear() const {
    std::vector<Column> out;
    const std::size_t n = 2 * in_.size();
    for (std::size_t j = 0; j < in_.size(); ++j) {
      Column row(n + 1);
      for (std::size_t l = 0; l < 2; ++l) row[2 * j + l] = -p_.velocity[2 * in_[j] + l];
      out.push_back(row);
    }
    for (const std::size_t i : out_) {
      Column row(n + 1);
      row[n] = p_.b[3 * i];
      for (std::size_t j = 0; j < in_.size(); ++j) {
        const Column c = normal_row(j);
        const Real* const A = p_.A.data() + 3 * i * rows_ + 3 * in_[j];
        for (std::size_t l = 0; l <= n; ++l) row[l] += A[0] * c[l];
        for (std::size_t l = 0; l < 2; ++l) row[2 * j + l] += A[1 + l];
      }
      out.push_back(row);
    }
    return out;
  }
  // All constraints' values, >= 0 inside: mu c_n - |c_T|, then the linear ones, plus the slack.
  Column rows_at(const Column& x, Real slack) const {
    Column out;
    for (std::size_t j = 0; j < in_.size(); ++j)
      out.push_back(p_.mu[in_[j]] * value(normal_row(j), x) - std::hypot(x[2 * j], x[2 * j + 1]) + slack);
    for (const Column& row : linear()) out.push_back(value(row, x) + slack);
    return out;
  }
  std::vector<Column> squares() const {  // f is the sum of these rows' squares
    std::vector<Column> out;
    for (std::size_t j = 0; j < in_.size(); ++j) {
      const std::size_t i = in_[j];
      const Real speed = std::hypot(p_.velocity[2 * i], p_.velocity[2 * i + 1]);
      for (std::size_t l = 0; l < 2; ++l) {
        Column row = normal_row(j);
        for (Real& v : row) v *= p_.mu[i] * p_.velocity[2 * i + l];
        row[2 * j + l] += speed;
        out.push_back(row);
      }
    }
    return out;
  }
  Real objective(const Column& x) const {
    Real f = 0;
    for (const Column& row : squares()) f += value(row, x) * value(row, x);
    return f;
  }

  Real merit(const Column& x, Real weight, bool first) const {
    const Real slack = first ? x.back() : 0;
    Real sum = weight * (first ? slack : objective(x));
    for (std::size_t j = 0; j < in_.size(); ++j) {
      const Real s = p_.mu[in_[j]] * value(normal_row(j), x) + slack;
      const Real cone = s * s - x[2 * j] * x[2 * j] - x[2 * j + 1] * x[2 * j + 1];
      if (!(s > 0 && cone > 0)) return INFINITY;
      sum -= std::log(cone);
    }
    for (const Column& row : linear()) {
      const Real g = value(row, x) + slack;
      if (!(g > 0)) return INFINITY;
      sum -= std::log(g);
    }
    return sum;
  }

  // Newton's direction of the merit.
  Column direction(const Column& x, Real weight, bool first) const {
    const std::size_t n = 2 * in_.size(), m = first ? n + 1 : n;
    const Real slack = first ? x.back() : 0;
    Matrix H(m, m);
    Column g(m);
    const auto add = [&](const Column& row, Real gradient, Real curvature) {
      for (std::size_t a = 0; a < m; ++a) {
        g[a] += gradient * row[a];
        for (std::size_t b = 0; b < m; ++b) H(a, b) += curvature * row[a] * row[b];
      }
    };
    const auto with_slack = [&](Column row) {
      row[n] = 1;
      return row;
    };
    if (first)
      g[n] += weight;
    else
      for (const Column& row : squares()) add(row, 2 * weight * value(row, x), 2 * weight);
    for (const Column& row : linear()) {
      const Real v = value(row, x) + slack;
      add(with_slack(row), -1 / v, 1 / (v * v));
    }
    for (std::size_t j = 0; j < in_.size(); ++j) {
      Column row = normal_row(j);
      for (Real& v : row) v *= p_.mu[in_[j]];
      const Real s = value(row, x) + slack;
      row = with_slack(row);
      const Real q = s * s - x[2 * j] * x[2 * j] - x[2 * j + 1] * x[2 * j + 1];
      Column dq = row;  // gradient of q
      for (Real& v : dq) v *= 2 * s;
      for (std::size_t l = 0; l < 2; ++l) dq[2 * j + l] -= 2 * x[2 * j + l];
      add(dq, -1 / q, 1 / (q * q));
      add(row, 0, -2 / q);
      for (std::size_t l = 0; l < 2; ++l) H(2 * j + l, 2 * j + l) += 2 / q;
    }
    for (std::size_t a = 0; a < m; ++a) H(a, a) *= 1 + 1e-17L;
    return solve(H, g);
  }

  // first: until the slack is below zero; false where it cannot be.
  bool descend(Column& x, bool first) const {
    if (in_.empty()) return !first || out_.empty() || least(rows_at(x, 0)) >= 0;
    for (Real weight = first ? 1 : 1 / (objective(x) + 1e-30L); weight < 1e17L; weight *= 4) {
      const Real scale = first ? weight : weight;
      for (int it = 0; it < 60; ++it) {
        Column step = direction(x, scale, first);
        step.resize(x.size());
        const Real here = merit(x, scale, first);
        Real t = 1;
        Column next = x;
        for (int half = 0; half < 60; ++half, t /= 2) {
          next = plus(x, -t, step);
          if (merit(next, scale, first) < here) break;
        }
        const Real gain = here - merit(next, scale, first);
        if (!(gain > 0)) break;
        x = next;
        if (first && x.back() < 0) return true;
        if (gain < 1e-12L) break;
      }
      if (!first && weight * objective(x) > 1e15L) break;
    }
    return !first;
  }
  static Real least(const Column& x) {
    Real out = INFINITY;
    for (const Real v : x) out = std::fmin(out, v);
    return out;
  }

  const Slide& p_;
  std::vector<std::size_t> in_, out_;
  std::size_t rows_ = 0;
  Matrix normal_;
};

inline Real least_slide(const Slide& p) {
  Real best = INFINITY;
  for (unsigned closed = 0; closed < 1U << p.contacts(); ++closed)
    best = std::fmin(best, SlideProgramme(p, closed).run());
  return best;
}

}  // namespace oracle
