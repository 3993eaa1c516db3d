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
#include "tactus/math/arithmetic.hpp"

namespace tactus::contact {

template <class Scalar>
struct Outcome {
  Mode mode = Mode::open;
  bool lifted = false;  // open though the free motion presses it in
  Scalar margin = 0;    // stick: unused friction, N; slip: slip speed, m/s; open: separation speed with the
                        // gap's share, m/s
};

// A slip below this share of S is what the laws are solved to: where contacts are redundant, or a joint rubs,
// an element of a body at rest can be at its friction limit and yet not move.
template <class Scalar>
inline constexpr Scalar kStill = sizeof(Scalar) == 8 ? Scalar(1e-10) : Scalar(1.6e-5);

// An element that leaves more slowly than this share of S is told nothing of: where contacts are redundant,
// who of them is open is chance, and so it is where joints rub. Of test_arm_horizon's 2,000 steps of an arm
// the tries are 2,338; 2,590 with kStill in its place, 2,397 where none is told.
template <class Scalar>
inline constexpr Scalar kLifted = Scalar(1e-3);

// The sizes that the two sides of a complementary pair are measured by.
template <class Scalar>
struct Scale {
  Scalar speed = 0;     // the largest |b|, m/s
  Scalar mobility = 0;  // the mean diagonal of A, (m/s)/N
};

template <class Scalar, int Dim>
inline Scale<Scalar> scale_of(const Problem<Scalar, Dim>& problem) {
  Scale<Scalar> scale;
  const int n = problem.rows();
  for (int i = 0; i < n; ++i) {
    scale.speed = std::max(scale.speed, std::abs(problem.b[i]));
    scale.mobility += problem.A[i * (problem.stride + 1)];
  }
  scale.mobility /= static_cast<Scalar>(n > 0 ? n : 1);
  return scale;
}

// One element: its Dim components of lambda and s, the friction used of what mu allows, and b of its normal
// row.
template <class Scalar, int Dim>
inline Outcome<Scalar> judge(const Scale<Scalar>& scale, Scalar mu, const Scalar* lambda, const Scalar* s,
                             Scalar used, Scalar free_speed) {
  if (!(lambda[0] * scale.mobility > s[0]))
    return {Mode::open, free_speed < 0 && s[0] > kLifted<Scalar> * scale.speed, s[0]};
  Scalar slip = math::magnitude(s[1]);
  if constexpr (Dim > 2) {
    slip = 0;
    for (int c = 1; c < Dim; ++c) slip += s[c] * s[c];
    slip = std::sqrt(slip);
  }
  const Scalar limit = mu * lambda[0];
  if ((limit - used) * scale.speed > slip * limit || !(slip > kStill<Scalar> * scale.speed))
    return {Mode::stick, false, limit > used ? limit - used : Scalar(0)};
  return {Mode::slip, false, slip};
}

}  // namespace tactus::contact
