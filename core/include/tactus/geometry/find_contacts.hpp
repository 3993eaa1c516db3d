// find_contacts by name, for code of either dimension. planar.hpp and spatial.hpp define it: what steps a
// world includes one of them, or both, anywhere (tactus/plane.hpp and tactus/space.hpp do), else the linker
// misses it. So the plane compiles no kernel of space, nor the other way round.
#pragma once

#include "tactus/geometry/contact.hpp"
#include "tactus/geometry/pose.hpp"
#include "tactus/geometry/shape.hpp"

namespace tactus::geometry {

// Every shape with a half-space, every shape with a disc, box with box, box with rod; in either order.
constexpr bool is_supported(PlanarKind a, PlanarKind b) {
  const auto one_is = [a, b](PlanarKind kind) { return a == kind || b == kind; };
  if (one_is(PlanarKind::half_space)) return a != b;
  if (one_is(PlanarKind::disc)) return true;
  return one_is(PlanarKind::box) && (a == b || one_is(PlanarKind::rod));
}

// Every shape with a half-space, every shape with a sphere, and boxes and capsules with each other; in either
// order.
constexpr bool is_supported(SpatialKind a, SpatialKind b) {
  const auto one_is = [a, b](SpatialKind kind) { return a == kind || b == kind; };
  if (one_is(SpatialKind::half_space)) return a != b;
  const auto edged = [](SpatialKind kind) {
    return kind == SpatialKind::box || kind == SpatialKind::capsule;
  };
  return one_is(SpatialKind::sphere) || (edged(a) && edged(b));
}

// Every contact point of the pair with gap <= margin (m, >= 0), in a documented order; see contact.hpp for
// what a point holds. A pair outside Pairs is unsupported, and its kernel is not linked.
template <PairSet Pairs = kAllPairs, class Scalar>
FindStatus find_contacts(const PlanarShape<Scalar>& a, const PlanarFrame<Scalar>& frame_a,
                         const PlanarShape<Scalar>& b, const PlanarFrame<Scalar>& frame_b, Scalar margin,
                         PlanarContacts<Scalar>& set);
template <PairSet Pairs = kAllPairs, class Scalar>
FindStatus find_contacts(const SpatialShape<Scalar>& a, const SpatialFrame<Scalar>& frame_a,
                         const SpatialShape<Scalar>& b, const SpatialFrame<Scalar>& frame_b, Scalar margin,
                         SpatialContacts<Scalar>& set);

}  // namespace tactus::geometry
