// Negrut's cone programme (2017, (11)) by a first-order method, in long double: the least of
// g^T N g / 2 + p^T g with every g_i in its friction cone. Nesterov's accelerated projected gradient with
// restarts, run until a step of the projected gradient moves nothing that long double can show; slow and
// plain, and of another make than core's Newton's method.
#pragma once

#include "tests/oracle/dense.hpp"

namespace oracle {

// The nearest point of the cone |T| <= mu n, for each block of three.
inline void project_on_cones(const Column& mu, Column& g) {
  for (std::size_t i = 0; i < mu.size(); ++i) {
    Real& n = g[3 * i];
    Real &t = g[3 * i + 1], &o = g[3 * i + 2];
    const Real size = std::hypot(t, o);
    if (size <= mu[i] * n) continue;
    if (mu[i] * size <= -n) {
      n = t = o = 0;
      continue;
    }
    n = (n + mu[i] * size) / (1 + mu[i] * mu[i]);
    t *= mu[i] * n / size;
    o *= mu[i] * n / size;
  }
}

// The answer, and in `left` how far one more step of projected gradient moves it, of its largest number.
inline Column least_on_cones(const Matrix& N, const Column& p, const Column& mu, int most, Real& left) {
  Real L = 0;  // no less than the largest eigenvalue
  for (std::size_t i = 0; i < N.rows(); ++i) {
    Real sum = 0;
    for (std::size_t j = 0; j < N.columns(); ++j) sum += std::fabs(N(i, j));
    L = std::fmax(L, sum);
  }
  Column x(p.size()), y = x;
  Real theta = 1;
  left = 1;
  for (int k = 0; k < most && left > 1e-19L; ++k) {
    Column next = plus(y, -1 / L, plus(N * y, 1, p));
    project_on_cones(mu, next);
    const Column moved = plus(next, -1, x);
    Real against = 0;
    for (std::size_t i = 0; i < x.size(); ++i) against += (y[i] - next[i]) * moved[i];
    if (against > 0) theta = 1;
    const Real after = (1 + std::sqrt(1 + 4 * theta * theta)) / 2;
    y = plus(next, (theta - 1) / after, moved);
    theta = after;
    const Real size = largest(next);
    left = size > 0 ? largest(moved) / size : largest(moved);
    x = next;
  }
  return x;
}

}  // namespace oracle
