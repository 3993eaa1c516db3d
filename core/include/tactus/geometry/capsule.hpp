// A capsule against a capsule, and against a box: up to two points each, closed forms.
//
// A normal comes from the short way of length d between an axis and the other body, so it is known to about
// epsilon L / d, L the lengths involved. Near contact d is the radius; only deep, where axis and body almost
// meet, does float blur it.
#pragma once

#include <cmath>
#include <limits>

#include "tactus/geometry/contact.hpp"
#include "tactus/geometry/distance.hpp"
#include "tactus/geometry/pose.hpp"
#include "tactus/geometry/segment.hpp"

namespace tactus::geometry::detail {

template <class Scalar>
Segment<Scalar> axis_of(const SpatialShape<Scalar>& capsule, const SpatialFrame<Scalar>& f) {
  return {f.position, f.R.col(2), capsule.size.z()};
}

// Two capsules closer to parallel than this sine touch along a line: both ends of the common stretch are
// given. The least of their gaps then exceeds the true one by at most L^2 sine^2 / (2 d), L the stretch and d
// the distance of the axes, and only where the axes pass each other within it.
template <class Scalar>
inline constexpr Scalar kLineContact = static_cast<Scalar>(1e-3);

template <class Scalar>
void find_capsules(const SpatialShape<Scalar>& a, const SpatialFrame<Scalar>& frame_a,
                   const SpatialShape<Scalar>& b, const SpatialFrame<Scalar>& frame_b, Scalar margin,
                   SpatialContacts<Scalar>& set) {
  const Segment<Scalar> p = axis_of(a, frame_a), q = axis_of(b, frame_b);
  const math::Vector3<Scalar> across = math::cross(p.along, q.along);
  const Scalar sine = math::norm(across);
  const auto add_pair = [&](Scalar s, Scalar t, int feature) {
    const math::Vector3<Scalar> from = p.at(s), way = q.at(t) - from;
    const Scalar distance = math::norm(way);
    if (distance - a.size.x() - b.size.x() > margin) return;
    math::Vector3<Scalar> n = math::direction<Scalar, 3>(way, math::Vector3<Scalar>::Zero());
    // Deep, where the axes pass each other, their product tells the direction better than the short way
    // between them.
    const bool passing = std::abs(s) < p.half && std::abs(t) < q.half && distance < sine * (p.half + q.half);
    if (passing || math::squared_norm(n) == 0) {
      n = math::direction<Scalar, 3>(across, tangent(p.along));
      if (math::dot(n, way) < 0) n = -n;
    }
    add<Scalar>(set, math::dot(n, way) - a.size.x() - b.size.x(), from + a.size.x() * n, Axes<Scalar>(n),
                feature);
  };

  if (sine < kLineContact<Scalar>) {
    const math::Vector3<Scalar> r = p.middle - q.middle;
    const Scalar cosine = math::dot(p.along, q.along), rp = math::dot(r, p.along), rq = math::dot(r, q.along);
    const Scalar one = cosine * -q.half - rp,
                 other = cosine * q.half - rp;  // the ends of b, measured along a
    const Scalar low = math::clamp(one < other ? one : other, -p.half, p.half);
    const Scalar high = math::clamp(one < other ? other : one, -p.half, p.half);
    add_pair(low, math::clamp(cosine * low + rq, -q.half, q.half), 1);
    const bool stretch = high - low > kLineContact<Scalar> * (a.size.x() + b.size.x());
    if (stretch) add_pair(high, math::clamp(cosine * high + rq, -q.half, q.half), 2);
    return;
  }
  const SegmentPair<Scalar> near = nearest(p, q);
  add_pair(near.s, near.t, 0);
}

// The axis of the capsule in the box's frame, p(s) = middle + s along, |s| <= half. The squared distance from
// the box is convex and piecewise quadratic in s: its derivative 2 along . (p - clamp(p)) is linear between
// the at most six places where the axis crosses a plane of the box. Each of them narrows the bracket of the
// root, then the root is one division. Of a stretch of equal distance the end with the least s is taken.
template <class Scalar>
Scalar nearest_to_box(const Segment<Scalar>& axis, const math::Vector3<Scalar>& box) {
  const auto slope = [&](Scalar s) {
    math::Vector3<Scalar> outside = axis.at(s);
    for (int i = 0; i < 3; ++i) outside[i] -= math::clamp(outside[i], -box[i], box[i]);
    return math::dot(outside, axis.along);
  };
  Scalar low = -axis.half, high = axis.half;
  Scalar slope_low = slope(low), slope_high = slope(high);
  if (slope_low >= 0) return low;
  if (slope_high < 0) return high;
  for (int i = 0; i < 3; ++i) {
    if (axis.along[i] == 0) continue;
    for (const Scalar plane : {-box[i], box[i]}) {
      const Scalar s = (plane - axis.middle[i]) / axis.along[i];
      if (!(s > low && s < high)) continue;
      const Scalar slope_s = slope(s);
      (slope_s < 0 ? low : high) = s;
      (slope_s < 0 ? slope_low : slope_high) = slope_s;
    }
  }
  return low - slope_low * (high - low) / (slope_high - slope_low);
}

// The stretch of the axis that lies over face `face` of the box (between its four side planes).
template <class Scalar>
bool stretch_over(const Segment<Scalar>& axis, const math::Vector3<Scalar>& box, int face, Scalar& low,
                  Scalar& high) {
  low = -axis.half;
  high = axis.half;
  for (int i = 0; i < 3; ++i) {
    if (i == face) continue;
    if (axis.along[i] == 0) {
      if (std::abs(axis.middle[i]) > box[i]) return false;
      continue;
    }
    const Scalar one = (-box[i] - axis.middle[i]) / axis.along[i],
                 other = (box[i] - axis.middle[i]) / axis.along[i];
    const Scalar enter = one < other ? one : other, leave = one < other ? other : one;
    low = enter > low ? enter : low;
    high = leave < high ? leave : high;
  }
  return low <= high;
}

// The least translation that frees the axis from a box it pierces: the largest separation over the three face
// normals and the three products of an edge with the axis, which are all the normals of the Minkowski
// difference.
template <class Scalar>
struct Exit {
  Scalar separation = -std::numeric_limits<Scalar>::infinity();
  math::Vector3<Scalar> normal = math::Vector3<Scalar>::UnitZ();
  int face = -1, edge = -1;  // the axis whose faces, or edges, it passes
};

template <class Scalar>
Exit<Scalar> nearest_exit(const Segment<Scalar>& axis, const math::Vector3<Scalar>& box, Scalar rounding) {
  Exit<Scalar> best;
  for (int i = 0; i < 3; ++i) {
    const Scalar separation = std::abs(axis.middle[i]) - std::abs(axis.along[i]) * axis.half - box[i];
    if (separation > best.separation) {
      const Scalar sign = axis.middle[i] < 0 ? static_cast<Scalar>(-1) : static_cast<Scalar>(1);
      best = {separation, sign * math::Vector3<Scalar>::Unit(i), i, -1};
    }
  }
  for (int i = 0; i < 3; ++i) {
    const math::Vector3<Scalar> m = math::cross<Scalar>(math::Vector3<Scalar>::Unit(i), axis.along);
    const Scalar length = math::norm(m);
    if (length * length < kParallel<Scalar>) continue;
    const Scalar level = math::dot(m, axis.middle);
    const Scalar reach = (std::abs(m.x()) * box.x() + std::abs(m.y()) * box.y()) + std::abs(m.z()) * box.z();
    const Scalar separation = (std::abs(level) - reach) / length;
    if (separation > best.separation + rounding) {
      const Scalar sign = level < 0 ? static_cast<Scalar>(-1) : static_cast<Scalar>(1);
      best = {separation, (sign / length) * m, -1, i};
    }
  }
  return best;
}

// a is the box, b the capsule. Outside, a contact is the ball at one place of the axis against the box: at
// the nearest place and, where the box is met on a face, at the far end of the stretch over that face. A
// pierced box gives both ends of that stretch, or one point at an edge. Features: 0 nearest, 1 far end; 2 and
// 3 ends in a pierced box, 4 at its edge.
template <class Scalar>
void find_box_capsule(const SpatialShape<Scalar>& a, const SpatialFrame<Scalar>& frame_a,
                      const SpatialShape<Scalar>& b, const SpatialFrame<Scalar>& frame_b, Scalar margin,
                      SpatialContacts<Scalar>& set) {
  const Scalar radius = b.size.x();
  const Segment<Scalar> axis{frame_a.to_body(frame_b.position), frame_a.turn_back(frame_b.R.col(2)),
                             b.size.z()};
  const auto add_at = [&](Scalar s, Scalar height, const math::Vector3<Scalar>& normal, int feature) {
    if (height - radius > margin) return;
    add<Scalar>(set, height - radius, frame_a.to_world(axis.at(s) - height * normal),
                Axes<Scalar>(frame_a.turn(normal)), feature);
  };

  const Scalar s = nearest_to_box(axis, a.size);
  const auto near = distance_to_box<Scalar, 3>(axis.at(s), a.size);
  Scalar low = 0, high = 0;
  const Scalar rounding = 16 * std::numeric_limits<Scalar>::epsilon() *
                          (bounding_radius(a) + bounding_radius(b) + math::norm(axis.middle));
  if (near.distance > rounding) {  // less may be the place where the axis enters the box
    if (near.distance - radius > margin) return;
    add_at(s, near.distance, near.normal, 0);
    const math::Vector3<Scalar> n = near.normal.cwiseAbs();
    const int face = n.z() >= n.x() && n.z() >= n.y() ? 2 : (n.y() >= n.x() ? 1 : 0);
    if (n[face] < static_cast<Scalar>(0.9) || !stretch_over(axis, a.size, face, low, high)) return;
    const Scalar far = s - low > high - s ? low : high;
    if (std::abs(far - s) <= kLineContact<Scalar> * radius) return;
    const auto there = distance_to_box<Scalar, 3>(axis.at(far), a.size);
    add_at(far, there.distance, there.normal, 1);
    return;
  }

  const Exit<Scalar> exit = nearest_exit(axis, a.size, rounding);
  if (exit.face >= 0) {
    if (!stretch_over(axis, a.size, exit.face, low, high)) low = high = s;  // only by rounding
    const auto height = [&](Scalar at) { return math::dot(exit.normal, axis.at(at)) - a.size[exit.face]; };
    add_at(low, height(low), exit.normal, 2);
    if (high - low > kLineContact<Scalar> * radius) add_at(high, height(high), exit.normal, 3);
    return;
  }
  Segment<Scalar> edge{math::Vector3<Scalar>::Zero(), math::Vector3<Scalar>::Unit(exit.edge),
                       a.size[exit.edge]};
  for (int i = 0; i < 3; ++i) {
    if (i != exit.edge) edge.middle[i] = exit.normal[i] < 0 ? -a.size[i] : a.size[i];
  }
  add_at(nearest(axis, edge).s, exit.separation, exit.normal, 4);
}

}  // namespace tactus::geometry::detail
