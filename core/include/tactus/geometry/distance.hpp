// Signed distance of a point from a centred shape, and the outward normal there: a ball of radius r about the
// point then has the gap distance - r, whatever the shape. The nearest point of the surface is p - distance *
// normal. Plane and space share the kernels (Dim = 2, 3). Where the nearest point is not unique (a centre, a
// medial plane) the answer is one of them, always the same one.
#pragma once

#include <cmath>
#include <limits>

#include "tactus/geometry/shape.hpp"

namespace tactus::geometry {

template <class Scalar, int Dim>
struct SignedDistance {
  Scalar distance;                       // negative inside
  Eigen::Matrix<Scalar, Dim, 1> normal;  // unit, in the shape's frame
};

namespace detail {

template <class Scalar, int Dim>
SignedDistance<Scalar, Dim> distance_to_ball(const Eigen::Matrix<Scalar, Dim, 1>& p, Scalar radius) {
  return {math::norm(p) - radius,
          math::direction<Scalar, Dim>(p, Eigen::Matrix<Scalar, Dim, 1>::Unit(Dim - 1))};
}

// A segment of half length `half` on axis `axis`, with a ball of `radius` swept along it.
template <class Scalar, int Dim>
SignedDistance<Scalar, Dim> distance_to_segment(const Eigen::Matrix<Scalar, Dim, 1>& p, int axis, Scalar half,
                                                Scalar radius) {
  Eigen::Matrix<Scalar, Dim, 1> rest = p;
  rest[axis] -= math::clamp(p[axis], -half, half);
  return {math::norm(rest) - radius,
          math::direction<Scalar, Dim>(rest, Eigen::Matrix<Scalar, Dim, 1>::Unit((axis + 1) % Dim))};
}

template <class Scalar, int Dim>
SignedDistance<Scalar, Dim> distance_to_box(const Eigen::Matrix<Scalar, Dim, 1>& p,
                                            const Eigen::Matrix<Scalar, Dim, 1>& half) {
  using Vector = Eigen::Matrix<Scalar, Dim, 1>;
  Vector outside;
  bool inside = true;
  int nearest = 0;
  Scalar depth = std::abs(p[0]) - half[0];
  for (int i = 0; i < Dim; ++i) {
    outside[i] = p[i] - math::clamp(p[i], -half[i], half[i]);
    inside = inside && outside[i] == 0;
    const Scalar level = std::abs(p[i]) - half[i];
    if (level > depth) {
      depth = level;
      nearest = i;
    }
  }
  if (!inside) return {math::norm(outside), math::direction<Scalar, Dim>(outside, outside)};
  const Scalar sign = p[nearest] < 0 ? static_cast<Scalar>(-1) : static_cast<Scalar>(1);
  return {depth, sign * Vector::Unit(nearest)};
}

// The nearest point x of an ellipse or ellipsoid with semi-axes e to y satisfies y - x = t grad, grad_i = x_i
// / e_i^2, hence x_i = e_i^2 y_i / D_i with D_i = t + e_i^2, and sum (e_i y_i / D_i)^2 = 1. With the shortest
// axis m and the unknown u = D_m >= 0 no cancellation is left in D_i = u + (e_i - e_m)(e_i + e_m). S(u), that
// sum, decreases; 1/sqrt(S) is concave and nearly straight, so Newton's method on it, started where every
// single term is at most 1 and the sum is not less, rises to the root without passing it: two to six steps as
// a rule. Next to a cusp of the evolute a step only halves the error of u and quarters that of the distance,
// hence kMaxIterations. Where y lies on the plane across the shortest axis and deep enough inside, u = 0 and
// the two points above and below are equally near; the one on the positive side is taken.
template <class Scalar, int Dim>
SignedDistance<Scalar, Dim> distance_to_ellipsoid(const Eigen::Matrix<Scalar, Dim, 1>& p,
                                                  const Eigen::Matrix<Scalar, Dim, 1>& e) {
  using Vector = Eigen::Matrix<Scalar, Dim, 1>;
  constexpr int kMaxIterations = sizeof(Scalar) == 4 ? 20 : 44;
  constexpr Scalar kTiny = std::numeric_limits<Scalar>::min() / std::numeric_limits<Scalar>::epsilon();
  int shortest = 0;
  for (int i = 1; i < Dim; ++i) shortest = e[i] < e[shortest] ? i : shortest;
  const Scalar em = e[shortest];

  Vector excess, ey;
  Scalar u = 0;
  for (int i = 0; i < Dim; ++i) {
    excess[i] = (e[i] - em) * (e[i] + em);
    ey[i] = e[i] * std::abs(p[i]);
    if (ey[i] < kTiny) ey[i] = 0;  // its quotients would lose their bits or overflow
    u = ey[i] - excess[i] > u ? ey[i] - excess[i] : u;
  }
  const auto sums = [&](Scalar at, Scalar& S, Scalar& T) {
    S = 0;
    T = 0;
    for (int i = 0; i < Dim; ++i) {
      if (ey[i] == 0) continue;
      const Scalar D = at + excess[i], term = ey[i] / D;
      S += term * term;
      T += term * term / D;
    }
  };
  Scalar S = 0, T = 0;
  sums(u, S, T);
  for (int i = 0; i < kMaxIterations && S > 1; ++i) {
    const Scalar next = u + S * (std::sqrt(S) - 1) / T;
    if (!(next > u)) break;
    u = next;
    sums(u, S, T);
  }

  Vector gradient = Vector::Zero();
  for (int i = 0; i < Dim; ++i) {
    if (ey[i] != 0) gradient[i] = p[i] / (u + excess[i]);
  }
  if (u == 0) gradient[shortest] = std::sqrt(1 - (S < 1 ? S : 1)) / em;
  return {(u - em * em) * math::norm(gradient),
          math::direction<Scalar, Dim>(gradient, Vector::Unit(shortest))};
}

}  // namespace detail
}  // namespace tactus::geometry
