// Euler's equations and q' = q (0, omega) / 2 by the method of Runge and Kutta: the free turn of a body, by
// other means than the core's.
#pragma once

#include <Eigen/Core>

namespace euler {

using Vector = Eigen::Matrix<double, 3, 1>;

// From body to world, w x y z, and the angular velocity in the body's axes, which are the principal ones.
struct Turning {
  long double q[4], w[3];
};
using Rate = Turning;

inline Rate rate(const Vector& I, const Turning& s) {
  const long double *q = s.q, *w = s.w;
  Rate r;
  r.q[0] = -(q[1] * w[0] + q[2] * w[1] + q[3] * w[2]) / 2;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    r.q[1 + i] = (q[0] * w[i] + q[1 + j] * w[k] - q[1 + k] * w[j]) / 2;
    r.w[i] = static_cast<long double>(I[j] - I[k]) * w[j] * w[k] / static_cast<long double>(I[i]);
  }
  return r;
}

inline Turning plus(Turning s, long double h, const Rate& r) {
  for (int i = 0; i < 4; ++i) s.q[i] += h * r.q[i];
  for (int i = 0; i < 3; ++i) s.w[i] += h * r.w[i];
  return s;
}

inline Turning integrated(const Vector& I, Turning s, double seconds, int steps) {
  const long double h = static_cast<long double>(seconds) / steps;
  for (int k = 0; k < steps; ++k) {
    const Rate a = rate(I, s), b = rate(I, plus(s, h / 2, a)), c = rate(I, plus(s, h / 2, b)),
               d = rate(I, plus(s, h, c));
    s = plus(plus(plus(plus(s, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
  }
  return s;
}

}  // namespace euler
