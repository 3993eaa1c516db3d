// What a solved contact problem says of each element: its mode and by how much it is that mode.
//
// The two sides of a complementary pair are compared in units of their own: speeds by S, the largest |b|,
// forces by S over the mean diagonal of A. The larger side decides; no absolute tolerance is involved, so 1 g
// and 1 t give the same modes.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/contact/problem.hpp"

namespace tactus::contact {

template <class Scalar>
struct Outcome {
  Mode mode = Mode::open;
  Scalar margin = 0;  // stick: unused friction, N; slip: slip speed, m/s; open: separation speed with the
                      // gap's share, m/s
};

// A slip below this share of S is rounding: where contacts are redundant, an element of a body at rest can be
// at its friction limit and yet not move.
template <class Scalar>
inline constexpr Scalar kStill = 128 * std::numeric_limits<Scalar>::epsilon();

// s = A lambda + b, (Dim * elements)^2 multiply-adds.
template <class Scalar, int Dim>
inline void slip_speeds(const Problem<Scalar, Dim>& problem, const Scalar* lambda, Scalar* s) {
  const int n = problem.rows();
  for (int i = 0; i < n; ++i) {
    const Scalar* row = problem.A + i * problem.stride;
    Scalar sum = problem.b[i];
    for (int j = 0; j < n; ++j) sum += row[j] * lambda[j];
    s[i] = sum;
  }
}

template <class Scalar, int Dim>
inline void judge(const Problem<Scalar, Dim>& problem, const Scalar* lambda, const Scalar* used,
                  const Scalar* s, Outcome<Scalar>* outcome) {
  const int n = problem.rows();
  if (n == 0) return;
  Scalar speed = 0, diagonal = 0;
  for (int i = 0; i < n; ++i) {
    speed = std::max(speed, std::abs(problem.b[i]));
    diagonal += problem.A[i * problem.stride + i];
  }
  diagonal /= static_cast<Scalar>(n);
  for (int i = 0; i < problem.elements; ++i) {
    const Scalar normal = lambda[i * Dim];
    Scalar slip = 0;
    for (int c = 1; c < Dim; ++c) slip += s[i * Dim + c] * s[i * Dim + c];
    slip = std::sqrt(slip);
    const Scalar limit = problem.mu[i] * normal;
    Outcome<Scalar>& o = outcome[i];
    if (!(normal * diagonal > s[i * Dim])) {
      o = {Mode::open, s[i * Dim]};
    } else if ((limit - used[i]) * speed > slip * limit || !(slip > kStill<Scalar> * speed)) {
      o = {Mode::stick, limit > used[i] ? limit - used[i] : Scalar(0)};
    } else {
      o = {Mode::slip, slip};
    }
  }
}

}  // namespace tactus::contact
