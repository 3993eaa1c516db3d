// Signed distance of a point from a planar shape (not a half-space), and a disc against every such shape.
#pragma once

#include "tactus/geometry/contact.hpp"
#include "tactus/geometry/distance.hpp"
#include "tactus/geometry/pose.hpp"
#include "tactus/geometry/regular_polygon.hpp"

namespace tactus::geometry {

// p in the shape's own frame. A shape that makes no pair with a disc in Pairs must not be asked about. A rod
// has no inside: its distance is never negative.
template <class Scalar, PairSet Pairs = kAllPairs>
SignedDistance<Scalar, 2> signed_distance(const PlanarShape<Scalar>& shape, const math::Vector2<Scalar>& p) {
  switch (shape.kind) {
    case PlanarKind::half_space:
      return {math::dot(shape.size, p) - shape.offset, shape.size};
    case PlanarKind::disc:
      if (!has(Pairs, PlanarKind::disc, PlanarKind::disc)) break;
      return detail::distance_to_ball<Scalar, 2>(p, shape.size.x());
    case PlanarKind::ellipse:
      if (!has(Pairs, PlanarKind::disc, PlanarKind::ellipse)) break;
      return detail::distance_to_ellipsoid<Scalar, 2>(p, shape.size);
    case PlanarKind::box:
      if (!has(Pairs, PlanarKind::disc, PlanarKind::box)) break;
      return detail::distance_to_box<Scalar, 2>(p, shape.size);
    case PlanarKind::polygon:
      if (!has(Pairs, PlanarKind::disc, PlanarKind::polygon)) break;
      return detail::distance_to_polygon(shape, p);
    case PlanarKind::rod:
      break;
  }
  return detail::distance_to_segment<Scalar, 2>(p, 0, shape.size.x(), 0);
}

namespace detail {

// b is the disc.
template <PairSet Pairs, class Scalar>
void find_disc(const PlanarShape<Scalar>& a, const PlanarFrame<Scalar>& frame_a, const PlanarShape<Scalar>& b,
               const PlanarFrame<Scalar>& frame_b, Scalar margin, PlanarContacts<Scalar>& set) {
  const auto near = signed_distance<Scalar, Pairs>(a, frame_a.to_body(frame_b.position));
  const Scalar gap = near.distance - b.size.x();
  if (gap > margin) return;
  const math::Vector2<Scalar> n = frame_a.turn(near.normal);
  add<Scalar>(set, gap, frame_b.position - near.distance * n, n, 0);
}

}  // namespace detail
}  // namespace tactus::geometry
