// An independent judge of LCP answers: the scaled natural residual in long double, straight from its
// definition in the peers' harness, sharing no code with the solver.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace corpus {

// max_i |min(z_i / Z_b, w_i / S_i)|; block: 0 or 1 for each unknown, or null. Infinite where z is not finite.
template <class Scalar>
double residual(int n, const Scalar* M, const Scalar* q, const std::uint8_t* block, const Scalar* z) {
  const auto unit = [&](int i) { return block == nullptr ? 0 : block[i]; };
  const auto entry = [&](int i, int j) { return static_cast<double>(M[i * n + j]); };
  double Z[2] = {}, Q[2] = {}, D[2] = {};
  for (int i = 0; i < n; ++i) {
    if (!std::isfinite(z[i])) return std::numeric_limits<double>::infinity();
    Z[unit(i)] = std::max(Z[unit(i)], std::fabs(static_cast<double>(z[i])));
    Q[unit(i)] = std::max(Q[unit(i)], std::fabs(static_cast<double>(q[i])));
    for (int j = 0; j < n; ++j)
      if (unit(i) == unit(j)) D[unit(i)] = std::max(D[unit(i)], std::fabs(entry(i, j)));
  }
  for (int b = 0; b < 2; ++b) Z[b] = std::max(std::max(Z[b], Q[1 - b]), D[b] > 0 ? Q[b] / D[b] : 0.0);
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    long double w = static_cast<long double>(q[i]);
    double S = std::fabs(static_cast<double>(q[i]));
    for (int b = 0; b < 2; ++b) {
      double top = 0;
      for (int j = 0; j < n; ++j)
        if (unit(j) == b) top = std::max(top, std::fabs(entry(i, j)));
      S += top * Z[b];
    }
    for (int j = 0; j < n; ++j) w += static_cast<long double>(M[i * n + j]) * static_cast<long double>(z[j]);
    const double z_part = Z[unit(i)] > 0 ? static_cast<double>(z[i]) / Z[unit(i)] : 0;
    const double w_part = S > 0 ? static_cast<double>(w / static_cast<long double>(S)) : 0;
    worst = std::max(worst, std::fabs(std::min(z_part, w_part)));
  }
  return worst;
}

// What counts as solved in each precision.
template <class Scalar>
inline constexpr double kSolved = sizeof(Scalar) == 8 ? 1e-8 : 1e-4;

}  // namespace corpus
