// find_contacts in space: from two shapes and where they are to the contact points within a margin.
//
// The first test is a broad one. Against a half-space: distance of the centre against bounding radius and
// margin; between two bodies: squared distance of the centres against the squared sum of both radii and the
// margin. A pair that fails it is done. Nothing allocates, every loop has the bound its kernel states, and
// the time does not depend on how far or how deep the bodies are. Shapes must have passed check().
#pragma once

#include "tactus/geometry/spatial_half_space.hpp"

namespace tactus::geometry {

constexpr bool is_supported(SpatialKind a, SpatialKind b) {
  return (a == SpatialKind::half_space) != (b == SpatialKind::half_space);
}

namespace detail {

// a is the half-space.
template <class Scalar>
FindStatus find_on_half_space(const SpatialShape<Scalar>& a, const SpatialFrame<Scalar>& frame_a,
                              const SpatialShape<Scalar>& b, const SpatialFrame<Scalar>& frame_b,
                              Scalar margin, SpatialContacts<Scalar>& set) {
  const SpatialFace<Scalar> plane = face(a, frame_a);
  const Scalar centre_gap = dot(plane.normal, frame_b.position) - plane.level;
  if (centre_gap > bounding_radius(b) + margin) return FindStatus::ok;
  if (!(is_finite(frame_a) && is_finite(frame_b) && std::isfinite(margin))) return FindStatus::bad_input;
  half_space_any(plane, b, frame_b, centre_gap, margin, set);
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
  if (a.kind == SpatialKind::half_space) {
    return detail::find_on_half_space(a, frame_a, b, frame_b, margin, set);
  }
  const FindStatus status = detail::find_on_half_space(b, frame_b, a, frame_a, margin, set);
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
