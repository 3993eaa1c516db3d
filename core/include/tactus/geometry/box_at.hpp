// A box in the world: its axes and edges.
#pragma once

#include "tactus/geometry/pose.hpp"
#include "tactus/geometry/segment.hpp"

namespace tactus::geometry::detail {

constexpr int next(int i) {
  return i == 2 ? 0 : i + 1;
}

template <class Scalar>
struct BoxAt {
  math::Vector3<Scalar> half;
  SpatialFrame<Scalar> frame;

  math::Vector3<Scalar> axis(int i) const { return frame.R.col(i); }
};

template <class Scalar>
Segment<Scalar> edge_of(const BoxAt<Scalar>& box, int axis, bool positive1, bool positive2) {
  const int k1 = next(axis), k2 = next(k1);
  const Scalar h1 = positive1 ? box.half[k1] : -box.half[k1], h2 = positive2 ? box.half[k2] : -box.half[k2];
  return {box.frame.position + h1 * box.axis(k1) + h2 * box.axis(k2), box.axis(axis), box.half[axis]};
}

// The edge of `box` parallel to its axis `axis` that lies farthest in direction n.
template <class Scalar>
Segment<Scalar> farthest_edge(const BoxAt<Scalar>& box, int axis, const math::Vector3<Scalar>& n) {
  return edge_of(box, axis, math::dot(n, box.axis(next(axis))) > 0,
                 math::dot(n, box.axis(next(next(axis)))) > 0);
}

}  // namespace tactus::geometry::detail
