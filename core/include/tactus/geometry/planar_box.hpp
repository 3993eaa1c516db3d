// Box against box and box against rod in the plane: up to two points.
//
// The Minkowski difference of two convex polygons is a polygon whose sides have the normals of both, so the
// largest separation over those normals is the signed gap in penetration, exactly, and a lower bound of the
// distance otherwise. The side with the largest separation is the reference; the facing side of the other
// body, clipped to the reference side's ends, gives the points, whose gaps are distances from the reference
// side. Where a clipped end attains the bound the distance is exact. Where none does, two corners are nearest
// to each other; then all corners are held against all sides (at most 32 short computations) and one point
// results.
#pragma once

#include <array>
#include <limits>

#include "tactus/geometry/contact.hpp"
#include "tactus/geometry/distance.hpp"
#include "tactus/geometry/pose.hpp"
#include "tactus/geometry/shape.hpp"

namespace tactus::geometry::detail {

// A box or a rod in the world, counter-clockwise; a rod is the polygon of two corners and two sides.
template <class Scalar>
struct Outline {
  int count = 0;
  std::array<math::Vector2<Scalar>, 4> corner, normal;  // side i leads from corner i to corner i + 1

  const math::Vector2<Scalar>& from(int side) const { return corner[static_cast<std::size_t>(side)]; }
  const math::Vector2<Scalar>& to(int side) const { return from(side + 1 == count ? 0 : side + 1); }
  const math::Vector2<Scalar>& outward(int side) const { return normal[static_cast<std::size_t>(side)]; }
};

template <class Scalar>
Outline<Scalar> outline(const PlanarShape<Scalar>& shape, const PlanarFrame<Scalar>& f) {
  const math::Vector2<Scalar> ex(f.cos, f.sin), ey(-f.sin, f.cos);
  const math::Vector2<Scalar> x = shape.size.x() * ex;
  if (shape.kind == PlanarKind::rod) {
    return {2, {f.position - x, f.position + x, f.position, f.position}, {-ey, ey, ey, ey}};
  }
  const math::Vector2<Scalar> y = shape.size.y() * ey;
  return {4,
          {f.position - x - y, f.position + x - y, f.position + x + y, f.position - x + y},
          {-ey, ex, ey, -ex}};
}

template <class Scalar>
struct Side {
  int index = 0;
  Scalar separation = -std::numeric_limits<Scalar>::infinity();
};

template <class Scalar>
Side<Scalar> most_separating_side(const Outline<Scalar>& a, const Outline<Scalar>& b) {
  Side<Scalar> best;
  for (int side = 0; side < a.count; ++side) {
    Scalar separation = std::numeric_limits<Scalar>::infinity();
    for (int corner = 0; corner < b.count; ++corner) {
      const Scalar height = math::dot<Scalar>(a.outward(side), b.from(corner) - a.from(side));
      separation = height < separation ? height : separation;
    }
    if (separation > best.separation) best = {side, separation};
  }
  return best;
}

// The shortest way from a corner of `corners` to a side of `sides`, as `best` if it is shorter than that.
template <class Scalar>
struct Way {
  math::Vector2<Scalar> from, to;
  Scalar squared = std::numeric_limits<Scalar>::infinity();
};

template <class Scalar>
void shorten(Way<Scalar>& best, const Outline<Scalar>& corners, const Outline<Scalar>& sides) {
  for (int i = 0; i < corners.count; ++i) {
    for (int j = 0; j < sides.count; ++j) {
      const math::Vector2<Scalar> p = corners.from(i), q = sides.from(j), along = sides.to(j) - q;
      const Scalar s = math::clamp<Scalar>(math::dot<Scalar>(p - q, along) / math::squared_norm(along), 0, 1);
      const math::Vector2<Scalar> foot = q + s * along;
      const Scalar squared = math::squared_norm<Scalar, 2>(foot - p);
      if (squared < best.squared) best = {p, foot, squared};
    }
  }
}

// Feature: 64 where b is the reference, 16 times the reference side, 4 times the facing side, 1 for its far
// end.
template <class Scalar>
void find_outlines(const Outline<Scalar>& a, const Outline<Scalar>& b, Scalar scale, Scalar margin,
                   PlanarContacts<Scalar>& set) {
  const Scalar rounding = 16 * std::numeric_limits<Scalar>::epsilon() * scale;
  const Side<Scalar> of_a = most_separating_side(a, b), of_b = most_separating_side(b, a);
  const bool swapped = of_b.separation > of_a.separation + rounding;  // in a tie a is the reference
  const Side<Scalar> best = swapped ? of_b : of_a;
  if (best.separation > margin) return;

  const Outline<Scalar>& reference = swapped ? b : a;
  const Outline<Scalar>& other = swapped ? a : b;
  const math::Vector2<Scalar> n = reference.outward(best.index), start = reference.from(best.index);
  const math::Vector2<Scalar> along(-n.y(), n.x());
  const Scalar length = math::dot<Scalar>(along, reference.to(best.index) - start);

  int facing = 0;
  for (int i = 1; i < other.count; ++i) {
    if (math::dot(n, other.outward(i)) < math::dot(n, other.outward(facing))) facing = i;
  }
  const math::Vector2<Scalar> p = other.from(facing) - start, q = other.to(facing) - start;
  const Scalar along_p = math::dot(along, p), along_q = math::dot(along, q), run = along_q - along_p;
  const Scalar height_p = math::dot(n, p), height_q = math::dot(n, q);

  bool attained = false;
  for (int end = 0; end < 2; ++end) {
    const Scalar at = end == 0 ? along_p : along_q, clipped = math::clamp<Scalar>(at, 0, length);
    Scalar gap = end == 0 ? height_p : height_q;
    if (clipped != at) {
      const Scalar s = run == 0 ? static_cast<Scalar>(-1) : (clipped - along_p) / run;
      if (!(s >= 0 && s <= 1)) continue;  // the whole facing side lies beyond this end
      gap = height_p + s * (height_q - height_p);
    }
    attained = attained || gap <= best.separation + rounding;
    if (gap > margin) continue;
    const math::Vector2<Scalar> foot = start + clipped * along;
    const int feature = (swapped ? 64 : 0) + 16 * best.index + 4 * facing + end;
    if (swapped) {
      add<Scalar>(set, gap, foot + gap * n, -n, feature);
    } else {
      add<Scalar>(set, gap, foot, n, feature);
    }
  }
  if (attained || best.separation <= 0) return;

  set.count = 0;
  Way<Scalar> from_a, from_b;
  shorten(from_a, a, b);
  shorten(from_b, b, a);
  const bool corner_of_b = from_b.squared < from_a.squared;
  if ((corner_of_b ? from_b : from_a).squared > std::numeric_limits<Scalar>::max()) return;  // out of range
  const math::Vector2<Scalar> on_a = corner_of_b ? from_b.to : from_a.from,
                              on_b = corner_of_b ? from_b.from : from_a.to;
  const Scalar gap = math::norm<Scalar, 2>(on_b - on_a);
  if (gap > margin) return;
  const math::Vector2<Scalar> outward = swapped ? -n : n;
  add<Scalar>(set, gap, on_a, math::direction<Scalar, 2>(on_b - on_a, outward), 128);
}

template <class Scalar>
void find_box(const PlanarShape<Scalar>& a, const PlanarFrame<Scalar>& frame_a, const PlanarShape<Scalar>& b,
              const PlanarFrame<Scalar>& frame_b, Scalar margin, PlanarContacts<Scalar>& set) {
  const Scalar scale =
      bounding_radius(a) + bounding_radius(b) + math::norm<Scalar, 2>(frame_b.position - frame_a.position);
  find_outlines(outline(a, frame_a), outline(b, frame_b), scale, margin, set);
}

}  // namespace tactus::geometry::detail
