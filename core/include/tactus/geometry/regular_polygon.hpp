// Regular polygons: their vertices, and the distance of a point from one, without a walk around the polygon.
#pragma once

#include "tactus/geometry/distance.hpp"
#include "tactus/geometry/pose.hpp"

namespace tactus::geometry::detail {

// Angle of v from the x axis, to 1e-6 rad. First within 0.004 rad by atan r ~ r (pi/4 + 0.273 (1 - r)), 0 <=
// r <= 1; what is left is an angle so small that its tangent serves for it.
template <class Scalar>
Scalar angle_of(const math::Vector2<Scalar>& v) {
  const Scalar x = std::abs(v.x()), y = std::abs(v.y());
  const Scalar larger = x > y ? x : y;
  if (!(larger > 0)) return 0;
  const Scalar r = (x > y ? y : x) / larger;
  Scalar angle = r * (math::kPi<Scalar> / 4 + static_cast<Scalar>(0.273) * (1 - r));
  if (y > x) angle = math::kPi<Scalar> / 2 - angle;
  if (v.x() < 0) angle = math::kPi<Scalar> - angle;
  if (v.y() < 0) angle = -angle;
  const auto guess = math::sin_cos(angle);
  const math::Vector2<Scalar> u(guess.cos, guess.sin);
  return angle + math::cross(u, v) / math::dot(u, v);
}

// The same angle in steps of one vertex, in (-sides/2 - 1, sides/2 + 1).
template <class Scalar>
Scalar place_of(const PlanarShape<Scalar>& polygon, const math::Vector2<Scalar>& v) {
  return angle_of(v) * static_cast<Scalar>(polygon.sides) / (2 * math::kPi<Scalar>);
}

// Unit vector towards place k, a vertex where k is whole and the middle of a side half-way between.
template <class Scalar>
math::Vector2<Scalar> direction_of(const PlanarShape<Scalar>& polygon, Scalar k) {
  const auto turn = math::sin_cos(2 * math::kPi<Scalar> * k / static_cast<Scalar>(polygon.sides));
  return {turn.cos, turn.sin};
}

// The vertices with gap <= margin, lowest first, on alternating sides of the direction straight down; each
// costs one sine and cosine. visit(arm, gap, number) returns whether to go on; the arm is in the world.
template <class Scalar, class Visit>
void visit_vertices(const math::Vector2<Scalar>& normal, const PlanarShape<Scalar>& b,
                    const PlanarFrame<Scalar>& f, Scalar centre_gap, Scalar margin, Visit&& visit) {
  const math::Vector2<Scalar> down = -f.turn_back(normal);
  const Scalar place = place_of(b, down);
  const int nearest =
      static_cast<int>(place + static_cast<Scalar>(b.sides) + static_cast<Scalar>(0.5)) - b.sides;
  const int side = place >= static_cast<Scalar>(nearest) ? 1 : -1;
  for (int i = 0; i < b.sides; ++i) {
    const int k = nearest + ((i % 2 == 0) ? -side : side) * ((i + 1) / 2);
    const math::Vector2<Scalar> corner = b.size.x() * direction_of(b, static_cast<Scalar>(k));
    const Scalar gap = centre_gap - math::dot(down, corner);
    if (gap > margin || !visit(f.turn(corner), gap, (k % b.sides + b.sides) % b.sides)) return;
  }
}

// By symmetry the side nearest to a point is the one in whose sector the point lies. Two sines and cosines.
template <class Scalar>
SignedDistance<Scalar, 2> distance_to_polygon(const PlanarShape<Scalar>& polygon,
                                              const math::Vector2<Scalar>& p) {
  const Scalar R = polygon.size.x(), apothem = polygon.size.y();
  const Scalar place = place_of(polygon, p);
  const int below = static_cast<int>(place + static_cast<Scalar>(polygon.sides)) - polygon.sides;
  const math::Vector2<Scalar> n =
      direction_of(polygon, static_cast<Scalar>(below) + static_cast<Scalar>(0.5));
  const math::Vector2<Scalar> along(-n.y(), n.x());
  const Scalar half = std::sqrt((R - apothem) * (R + apothem));
  const Scalar height = math::dot(n, p) - apothem, sideways = math::dot(along, p);
  const Scalar beyond = sideways - math::clamp(sideways, -half, half);
  if (height <= 0 || beyond == 0) return {height, n};
  const math::Vector2<Scalar> from_corner = height * n + beyond * along;
  return {math::norm(from_corner), math::direction<Scalar, 2>(from_corner, n)};
}

}  // namespace tactus::geometry::detail
