// Box against box in space: up to eight points face to face, one at crossing edges.
//
// The facets of the Minkowski difference of two boxes have the normals of the faces of both (3 + 3) and the
// products of an edge of each (9). The largest separation over these 15 is the signed gap in penetration,
// exactly, and a lower bound of the distance otherwise.
//
//   Face: the facing side of the other box is clipped to the reference face (four planes, at most 8 corners);
//   the gaps are the heights above the reference face. In a tie the reference is a face of body a, and a face
//   comes before an edge. An edge pair within 1.1 degrees of the face's normal also gives way to the face, so
//   that a resting box keeps its corners; the least gap is then at most 2e-4 of itself too large.
//
//   Edges: the nearest points of the two edges.
//
// Apart, the answer is exact where a point attains the lower bound. Where none does, two corners, or a corner
// and an edge, are nearest: then at most 144 pairs of edges are held against each other, and one point
// results. That is the worst case of this room; the README gives its cost.
#pragma once

#include <limits>

#include "tactus/geometry/box_apart.hpp"
#include "tactus/geometry/box_at.hpp"
#include "tactus/geometry/box_face.hpp"
#include "tactus/geometry/contact.hpp"
#include "tactus/geometry/shape.hpp"

namespace tactus::geometry::detail {

template <class Scalar>
struct SeparatingAxis {
  Scalar separation = -std::numeric_limits<Scalar>::infinity();
  int i = -1, j = -1;  // axis of a, axis of b; one of them -1 for a face
  math::Vector3<Scalar> normal = math::Vector3<Scalar>::UnitZ();  // from a to b
};

template <class Scalar>
struct BoxSeparation {
  SeparatingAxis<Scalar> face, edge;
};

// Everything in a's frame: R = A^T B, t from a to b. A product's components follow from R: for a_i x b_j they
// are 0 along i and -R(k, j), R(next i, j) along the other two, with k = next next i.
template <class Scalar>
BoxSeparation<Scalar> separate(const BoxAt<Scalar>& a, const BoxAt<Scalar>& b, const math::Matrix3<Scalar>& R,
                               const math::Vector3<Scalar>& t, Scalar rounding) {
  BoxSeparation<Scalar> best;
  const auto sign = [](Scalar x) { return x < 0 ? static_cast<Scalar>(-1) : static_cast<Scalar>(1); };
  const math::Vector3<Scalar> t_b = math::rotate_back(R, t);
  for (int i = 0; i < 3; ++i) {
    const Scalar reach =
        (b.half.x() * std::abs(R(i, 0)) + b.half.y() * std::abs(R(i, 1))) + b.half.z() * std::abs(R(i, 2));
    const Scalar separation = std::abs(t[i]) - a.half[i] - reach;
    if (separation > best.face.separation) best.face = {separation, i, -1, sign(t[i]) * a.axis(i)};
  }
  SeparatingAxis<Scalar> of_b;
  for (int j = 0; j < 3; ++j) {
    const Scalar reach =
        (a.half.x() * std::abs(R(0, j)) + a.half.y() * std::abs(R(1, j))) + a.half.z() * std::abs(R(2, j));
    const Scalar separation = std::abs(t_b[j]) - b.half[j] - reach;
    if (separation > of_b.separation) of_b = {separation, -1, j, sign(t_b[j]) * b.axis(j)};
  }
  if (of_b.separation > best.face.separation + rounding) best.face = of_b;

  for (int i = 0; i < 3; ++i) {
    const int i1 = next(i), i2 = next(i1);
    for (int j = 0; j < 3; ++j) {
      const int j1 = next(j), j2 = next(j1);
      const Scalar length2 = R(i1, j) * R(i1, j) + R(i2, j) * R(i2, j);
      if (length2 < kParallel<Scalar>) continue;
      const Scalar level = t[i2] * R(i1, j) - t[i1] * R(i2, j);
      const Scalar reach = (a.half[i1] * std::abs(R(i2, j)) + a.half[i2] * std::abs(R(i1, j))) +
                           (b.half[j1] * std::abs(R(i, j2)) + b.half[j2] * std::abs(R(i, j1)));
      const Scalar length = std::sqrt(length2), separation = (std::abs(level) - reach) / length;
      if (separation > best.edge.separation) {
        const Scalar s = sign(level) / length;
        const math::Vector3<Scalar> n = (s * R(i1, j)) * a.axis(i2) - (s * R(i2, j)) * a.axis(i1);
        best.edge = {separation, i, j, n};
      }
    }
  }
  return best;
}

template <class Scalar>
void find_boxes(const SpatialShape<Scalar>& shape_a, const SpatialFrame<Scalar>& frame_a,
                const SpatialShape<Scalar>& shape_b, const SpatialFrame<Scalar>& frame_b, Scalar margin,
                SpatialContacts<Scalar>& set) {
  const BoxAt<Scalar> a{shape_a.size, frame_a}, b{shape_b.size, frame_b};
  math::Matrix3<Scalar> R;
  for (int j = 0; j < 3; ++j) R.col(j) = frame_a.turn_back(b.axis(j));
  const math::Vector3<Scalar> t = frame_a.to_body(frame_b.position);
  const Scalar rounding = 16 * std::numeric_limits<Scalar>::epsilon() *
                          (bounding_radius(shape_a) + bounding_radius(shape_b) + math::norm(t));

  const BoxSeparation<Scalar> best = separate(a, b, R, t, rounding);
  const Scalar bound =
      best.edge.separation > best.face.separation ? best.edge.separation : best.face.separation;
  if (bound > margin) return;
  const Scalar slant = std::abs(math::dot(best.edge.normal, best.face.normal));
  const bool by_edge =
      best.edge.separation > best.face.separation + rounding && slant < static_cast<Scalar>(0.9998);
  if (!by_edge) {
    const bool swapped = best.face.i < 0;
    const math::Vector3<Scalar> n = swapped ? math::Vector3<Scalar>(-best.face.normal) : best.face.normal;
    const Scalar least =
        add_face_points(swapped ? b : a, swapped ? a : b, swapped ? best.face.j : best.face.i, n, swapped,
                        rounding, margin, set);
    const Scalar allowed = bound > 0 ? bound * static_cast<Scalar>(1.0002) + rounding : bound / 2 + rounding;
    if (least <= allowed) return;
    set.count = 0;
  }
  if (best.edge.i >= 0 && (by_edge || bound <= 0)) {
    const Segment<Scalar> p = farthest_edge<Scalar>(a, best.edge.i, best.edge.normal);
    const Segment<Scalar> q = farthest_edge<Scalar>(b, best.edge.j, -best.edge.normal);
    const SegmentPair<Scalar> near = nearest(p, q);
    const Scalar gap = best.edge.separation;
    const math::Vector3<Scalar> way = q.at(near.t) - p.at(near.s);
    const bool attained = math::norm<Scalar, 3>(way - gap * best.edge.normal) <= rounding;
    if (gap <= 0 || attained) {
      const int feature = 2048 + 3 * best.edge.i + best.edge.j;
      return add<Scalar>(set, gap, p.at(near.s), Axes<Scalar>(best.edge.normal), feature);
    }
  }
  const ShortestWay<Scalar> way(a, b, bound == best.face.separation ? best.face.normal : best.edge.normal,
                                bound, margin);
  const Scalar gap = bound > 0 ? std::sqrt(way.squared) : bound;  // infinite where nothing was found
  if (gap > margin) return;
  const math::Vector3<Scalar> n = math::direction<Scalar, 3>(way.on_b - way.on_a, best.face.normal);
  add<Scalar>(set, gap, way.on_a, Axes<Scalar>(n), 4096);
}

}  // namespace tactus::geometry::detail
