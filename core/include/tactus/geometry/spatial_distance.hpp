// Signed distance of a point from a spatial shape, and a sphere against every shape but the half-space.
#pragma once

#include "tactus/geometry/contact.hpp"
#include "tactus/geometry/distance.hpp"
#include "tactus/geometry/pose.hpp"

namespace tactus::geometry {

// p in the shape's own frame. A shape that makes no pair with a sphere in Pairs must not be asked about.
template <class Scalar, PairSet Pairs = kAllPairs>
SignedDistance<Scalar, 3> signed_distance(const SpatialShape<Scalar>& shape, const math::Vector3<Scalar>& p) {
  switch (shape.kind) {
    case SpatialKind::half_space:
      return {math::dot(shape.size, p) - shape.offset, shape.size};
    case SpatialKind::sphere:
      if (!has(Pairs, SpatialKind::sphere, SpatialKind::sphere)) break;
      return detail::distance_to_ball<Scalar, 3>(p, shape.size.x());
    case SpatialKind::ellipsoid:
      if (!has(Pairs, SpatialKind::sphere, SpatialKind::ellipsoid)) break;
      return detail::distance_to_ellipsoid<Scalar, 3>(p, shape.size);
    case SpatialKind::box:
      if (!has(Pairs, SpatialKind::sphere, SpatialKind::box)) break;
      return detail::distance_to_box<Scalar, 3>(p, shape.size);
    case SpatialKind::capsule:
      break;
  }
  return detail::distance_to_segment<Scalar, 3>(p, 2, shape.size.z(), shape.size.x());
}

namespace detail {

// b is the sphere.
template <PairSet Pairs, class Scalar>
void find_sphere(const SpatialShape<Scalar>& a, const SpatialFrame<Scalar>& frame_a,
                 const SpatialShape<Scalar>& b, const SpatialFrame<Scalar>& frame_b, Scalar margin,
                 SpatialContacts<Scalar>& set) {
  const auto near = signed_distance<Scalar, Pairs>(a, frame_a.to_body(frame_b.position));
  const Scalar gap = near.distance - b.size.x();
  if (gap > margin) return;
  const Axes<Scalar> axes(frame_a.turn(near.normal));
  add<Scalar>(set, gap, frame_b.position - near.distance * axes.n, axes, 0);
}

}  // namespace detail
}  // namespace tactus::geometry
