// find_contacts in space: from two shapes and where they are to the contact points within a margin.
//
// A broad test comes first. Against a half-space: distance of the centre against bounding radius and margin;
// between two bodies: squared distance of the centres against the square of both radii and the margin. A pair
// that fails it is done. Nothing allocates, and every loop has the bound its kernel states. Shapes must have
// passed check().
#pragma once

#include "tactus/geometry/box_box.hpp"
#include "tactus/geometry/capsule.hpp"
#include "tactus/geometry/find_contacts.hpp"
#include "tactus/geometry/spatial_distance.hpp"
#include "tactus/geometry/spatial_half_space.hpp"

namespace tactus::geometry {

namespace detail {

// a is a half-space, or neither is.
template <PairSet Pairs, class Scalar>
FindStatus find_ordered(const SpatialShape<Scalar>& a, const SpatialFrame<Scalar>& frame_a,
                        const SpatialShape<Scalar>& b, const SpatialFrame<Scalar>& frame_b, Scalar margin,
                        SpatialContacts<Scalar>& set) {
  math::Vector3<Scalar> normal;
  Scalar centre_gap = 0;
  if (a.kind == SpatialKind::half_space) {
    normal = frame_a.turn(a.size);
    centre_gap = math::dot<Scalar>(normal, frame_b.position - frame_a.position) - a.offset;
    if (centre_gap > bounding_radius(b) + margin) return FindStatus::ok;
  } else {
    const Scalar reach = bounding_radius(a) + bounding_radius(b) + margin;
    if (math::squared_norm<Scalar, 3>(frame_b.position - frame_a.position) > reach * reach)
      return FindStatus::ok;
  }
  if (!(is_finite(frame_a) && is_finite(frame_b) && std::isfinite(margin))) return FindStatus::bad_input;

  constexpr bool kBalls = (Pairs & pairs_with(SpatialKind::sphere)) != 0;
  if (a.kind == SpatialKind::half_space) {
    half_space_any<Pairs>(Axes<Scalar>(normal), b, frame_b, centre_gap, margin, set);
  } else if (kBalls && b.kind == SpatialKind::sphere) {
    find_sphere<Pairs>(a, frame_a, b, frame_b, margin, set);
  } else if (kBalls && a.kind == SpatialKind::sphere) {
    find_sphere<Pairs>(b, frame_b, a, frame_a, margin, set);
    exchange_bodies(set);
  } else if (a.kind != b.kind) {  // a box and a capsule
    if (!has(Pairs, SpatialKind::box, SpatialKind::capsule)) return FindStatus::unsupported;
    if (a.kind == SpatialKind::box) {
      find_box_capsule(a, frame_a, b, frame_b, margin, set);
    } else {
      find_box_capsule(b, frame_b, a, frame_a, margin, set);
      exchange_bodies(set);
    }
  } else if (has(Pairs, SpatialKind::box, SpatialKind::box) && a.kind == SpatialKind::box) {
    find_boxes(a, frame_a, b, frame_b, margin, set);
  } else if (has(Pairs, SpatialKind::capsule, SpatialKind::capsule)) {
    find_capsules(a, frame_a, b, frame_b, margin, set);
  }
  return FindStatus::ok;
}

}  // namespace detail

template <PairSet Pairs, class Scalar>
FindStatus find_contacts(const SpatialShape<Scalar>& a, const SpatialFrame<Scalar>& frame_a,
                         const SpatialShape<Scalar>& b, const SpatialFrame<Scalar>& frame_b, Scalar margin,
                         SpatialContacts<Scalar>& set) {
  set.count = 0;
  if (!(has(Pairs, a.kind, b.kind) && is_supported(a.kind, b.kind))) return FindStatus::unsupported;
  if (b.kind != SpatialKind::half_space)
    return detail::find_ordered<Pairs>(a, frame_a, b, frame_b, margin, set);
  const FindStatus status = detail::find_ordered<Pairs>(b, frame_b, a, frame_a, margin, set);
  detail::exchange_bodies(set);
  return status;
}

template <PairSet Pairs = kAllPairs, class Scalar>
FindStatus find_contacts(const SpatialShape<Scalar>& a, const SpatialPose<Scalar>& pose_a,
                         const SpatialShape<Scalar>& b, const SpatialPose<Scalar>& pose_b, Scalar margin,
                         SpatialContacts<Scalar>& set) {
  return find_contacts<Pairs>(a, frame(pose_a), b, frame(pose_b), margin, set);
}

}  // namespace tactus::geometry
