// find_contacts in space: from two shapes and where they are to the contact points within a margin.
//
// A broad test comes first. Against a half-space: distance of the centre against bounding radius and margin;
// between two bodies: squared distance of the centres against the square of both radii and the margin. A pair
// that fails it is done. Nothing allocates, and every loop has the bound its kernel states. Shapes must have
// passed check().
#pragma once

#include "tactus/geometry/box_box.hpp"
#include "tactus/geometry/capsule.hpp"
#include "tactus/geometry/spatial_distance.hpp"
#include "tactus/geometry/spatial_half_space.hpp"

namespace tactus::geometry {

// Every shape with a half-space, every shape with a sphere, and boxes and capsules with each other; in either
// order.
constexpr bool is_supported(SpatialKind a, SpatialKind b) {
  const auto one_is = [a, b](SpatialKind kind) { return a == kind || b == kind; };
  if (one_is(SpatialKind::half_space)) return a != b;
  return one_is(SpatialKind::sphere) || !one_is(SpatialKind::ellipsoid);
}

namespace detail {

// a is a half-space, or neither is.
template <class Scalar>
FindStatus find_ordered(const SpatialShape<Scalar>& a, const SpatialFrame<Scalar>& frame_a,
                        const SpatialShape<Scalar>& b, const SpatialFrame<Scalar>& frame_b, Scalar margin,
                        SpatialContacts<Scalar>& set) {
  SpatialFace<Scalar> plane;
  Scalar centre_gap = 0;
  if (a.kind == SpatialKind::half_space) {
    plane = face(a, frame_a);
    centre_gap = dot(plane.normal, frame_b.position) - plane.level;
    if (centre_gap > bounding_radius(b) + margin) return FindStatus::ok;
  } else {
    const Scalar reach = bounding_radius(a) + bounding_radius(b) + margin;
    if (squared_norm<Scalar, 3>(frame_b.position - frame_a.position) > reach * reach) return FindStatus::ok;
  }
  if (!(is_finite(frame_a) && is_finite(frame_b) && std::isfinite(margin))) return FindStatus::bad_input;

  if (a.kind == SpatialKind::half_space) {
    half_space_any(plane, b, frame_b, centre_gap, margin, set);
  } else if (b.kind == SpatialKind::sphere) {
    find_sphere(a, frame_a, b, frame_b, margin, set);
  } else if (a.kind == SpatialKind::sphere) {
    find_sphere(b, frame_b, a, frame_a, margin, set);
    exchange_bodies(set);
  } else if (a.kind == SpatialKind::box && b.kind == SpatialKind::box) {
    find_boxes(a, frame_a, b, frame_b, margin, set);
  } else if (a.kind == SpatialKind::capsule && b.kind == SpatialKind::capsule) {
    find_capsules(a, frame_a, b, frame_b, margin, set);
  } else if (a.kind == SpatialKind::box) {
    find_box_capsule(a, frame_a, b, frame_b, margin, set);
  } else {
    find_box_capsule(b, frame_b, a, frame_a, margin, set);
    exchange_bodies(set);
  }
  return FindStatus::ok;
}

}  // namespace detail

// Every contact point of the pair with gap <= margin (m, >= 0), in a documented order; see contact.hpp for
// what a point holds.
template <class Scalar>
FindStatus find_contacts(const SpatialShape<Scalar>& a, const SpatialFrame<Scalar>& frame_a,
                         const SpatialShape<Scalar>& b, const SpatialFrame<Scalar>& frame_b, Scalar margin,
                         SpatialContacts<Scalar>& set) {
  set.count = 0;
  if (!is_supported(a.kind, b.kind)) return FindStatus::unsupported;
  if (b.kind != SpatialKind::half_space) return detail::find_ordered(a, frame_a, b, frame_b, margin, set);
  const FindStatus status = detail::find_ordered(b, frame_b, a, frame_a, margin, set);
  detail::exchange_bodies(set);
  return status;
}

template <class Scalar>
FindStatus find_contacts(const SpatialShape<Scalar>& a, const SpatialPose<Scalar>& pose_a,
                         const SpatialShape<Scalar>& b, const SpatialPose<Scalar>& pose_b, Scalar margin,
                         SpatialContacts<Scalar>& set) {
  return find_contacts(a, frame(pose_a), b, frame(pose_b), margin, set);
}

}  // namespace tactus::geometry
