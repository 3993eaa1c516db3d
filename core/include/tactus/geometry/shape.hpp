// Shapes of rigid bodies, in the plane and in space: plain data in the body's own frame, lengths in metres.
//
// A shape is made by one of the functions below, which never fail, and judged by check(), once, when a model
// is built. The kernels of this room rely on a checked shape. Every shape but the half-space is centred on
// the body's origin; polygon vertex 0 and the rod lie on the body's x axis, the capsule on its z axis.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "tactus/error.hpp"
#include "tactus/math/trig.hpp"
#include "tactus/math/vector.hpp"

namespace tactus::geometry {

enum class PlanarKind : std::uint8_t { half_space, disc, ellipse, box, polygon, rod };
enum class SpatialKind : std::uint8_t { half_space, sphere, ellipsoid, box, capsule };

// A set of pairs of kinds as bits, in either order: pair(a, b) | pair(c, d). Kernels of pairs outside the set
// that find_contacts is told are not linked.
using PairSet = std::uint64_t;
inline constexpr PairSet kAllPairs = ~PairSet{0};

template <class Kind>
constexpr PairSet pair(Kind a, Kind b) {
  const auto i = static_cast<unsigned>(a), j = static_cast<unsigned>(b);
  return PairSet{1} << (i < j ? 8 * i + j : 8 * j + i);
}

template <class Kind>
constexpr bool has(PairSet set, Kind a, Kind b) {
  return (set & pair(a, b)) != 0;
}

// All pairs of one kind with any but a half-space.
template <class Kind>
constexpr PairSet pairs_with(Kind kind) {
  PairSet set = 0;
  for (unsigned i = 1; i < 8; ++i) set |= pair(kind, static_cast<Kind>(i));
  return set;
}

// Whether any pair of the set has no half-space.
constexpr bool has_pairs_of_bodies(PairSet set) {
  return (set & ~PairSet{0xff}) != 0;  // a half-space is number 0
}

inline constexpr int kMaxPolygonSides = 4096;

template <class Scalar>
struct PlanarShape {
  PlanarKind kind = PlanarKind::disc;
  std::int16_t sides = 0;  // polygon
  Scalar offset = 0;       // half-space: matter where normal . p <= offset
  math::Vector2<Scalar> size =
      math::Vector2<Scalar>::Zero();  // half-space: unit normal; disc: (radius, radius);
                                      // ellipse: semi-axes; box: half extents; polygon:
                                      // (circumradius, apothem); rod: (half length, 0)
};

template <class Scalar>
struct SpatialShape {
  SpatialKind kind = SpatialKind::sphere;
  Scalar offset = 0;  // half-space, as in the plane
  math::Vector3<Scalar> size =
      math::Vector3<Scalar>::Zero();  // half-space: unit normal; sphere: radius three times;
                                      // ellipsoid: semi-axes; box: half extents; capsule:
                                      // (radius, 0, half length of the axis)
};

// The normal need not have unit length (one that is zero or not finite stays so, for check() to see);
// `offset` is the distance of the face from the body's origin.
template <class Scalar>
PlanarShape<Scalar> half_space(const math::Vector2<Scalar>& normal, Scalar offset) {
  return {PlanarKind::half_space, 0, offset, math::direction<Scalar, 2>(normal, 0 * normal)};
}

template <class Scalar>
PlanarShape<Scalar> disc(Scalar radius) {
  return {PlanarKind::disc, 0, 0, {radius, radius}};
}

template <class Scalar>
PlanarShape<Scalar> ellipse(Scalar a, Scalar b) {
  return {PlanarKind::ellipse, 0, 0, {a, b}};
}

template <class Scalar>
PlanarShape<Scalar> box(Scalar half_x, Scalar half_y) {
  return {PlanarKind::box, 0, 0, {half_x, half_y}};
}

// Regular, its vertices at `circumradius` from the centre.
template <class Scalar>
PlanarShape<Scalar> polygon(int sides, Scalar circumradius) {
  const auto count = static_cast<std::int16_t>(sides < 0 ? 0 : (sides > 32767 ? 32767 : sides));
  const Scalar apothem =
      count < 3 ? 0 : circumradius * math::cos(math::kPi<Scalar> / static_cast<Scalar>(count));
  return {PlanarKind::polygon, count, 0, {circumradius, apothem}};
}

// A straight rod without thickness.
template <class Scalar>
PlanarShape<Scalar> rod(Scalar length) {
  return {PlanarKind::rod, 0, 0, {length / 2, 0}};
}

template <class Scalar>
SpatialShape<Scalar> half_space(const math::Vector3<Scalar>& normal, Scalar offset) {
  return {SpatialKind::half_space, offset, math::direction<Scalar, 3>(normal, 0 * normal)};
}

template <class Scalar>
SpatialShape<Scalar> sphere(Scalar radius) {
  return {SpatialKind::sphere, 0, {radius, radius, radius}};
}

template <class Scalar>
SpatialShape<Scalar> ellipsoid(Scalar a, Scalar b, Scalar c) {
  return {SpatialKind::ellipsoid, 0, {a, b, c}};
}

template <class Scalar>
SpatialShape<Scalar> box(Scalar half_x, Scalar half_y, Scalar half_z) {
  return {SpatialKind::box, 0, {half_x, half_y, half_z}};
}

template <class Scalar>
SpatialShape<Scalar> capsule(Scalar radius, Scalar half_length) {
  return {SpatialKind::capsule, 0, {radius, 0, half_length}};
}

namespace detail {

template <class Scalar, int Dim>
bool all_finite(const Eigen::Matrix<Scalar, Dim, 1>& v, Scalar offset) {
  Scalar sum = 0 * offset;
  for (int i = 0; i < Dim; ++i) sum += 0 * v[i];
  return sum == 0;
}

template <class Scalar, int Dim>
Error check_half_space(const Eigen::Matrix<Scalar, Dim, 1>& normal) {
  if (std::abs(math::squared_norm(normal) - 1) <= 8 * std::numeric_limits<Scalar>::epsilon()) return {};
  return What::shape_normal;
}

// All but those that `flat` leaves out.
template <class Scalar, int Dim>
Error check_sizes(const Eigen::Matrix<Scalar, Dim, 1>& size, int flat) {
  for (int i = 0; i < Dim; ++i)
    if (i != flat && !(size[i] > 0)) return {What::shape_size, -1, 0, size[i]};
  return {};
}

}  // namespace detail

template <class Scalar>
Error check(const PlanarShape<Scalar>& shape) {
  if (shape.kind > PlanarKind::rod) return {What::shape_kind, -1, 0, static_cast<int>(shape.kind)};
  if (!detail::all_finite<Scalar, 2>(shape.size, shape.offset)) return What::shape_not_finite;
  if (shape.kind == PlanarKind::half_space) return detail::check_half_space<Scalar, 2>(shape.size);
  if (shape.kind == PlanarKind::polygon) {
    if (shape.sides < 3) return {What::too_few_sides, -1, 3, shape.sides};
    if (shape.sides > kMaxPolygonSides) return {What::too_many_sides, -1, kMaxPolygonSides, shape.sides};
  }
  return detail::check_sizes<Scalar, 2>(shape.size, shape.kind == PlanarKind::rod ? 1 : -1);
}

template <class Scalar>
Error check(const SpatialShape<Scalar>& shape) {
  if (shape.kind > SpatialKind::capsule) return {What::shape_kind, -1, 0, static_cast<int>(shape.kind)};
  if (!detail::all_finite<Scalar, 3>(shape.size, shape.offset)) return What::shape_not_finite;
  if (shape.kind == SpatialKind::half_space) return detail::check_half_space<Scalar, 3>(shape.size);
  return detail::check_sizes<Scalar, 3>(shape.size, shape.kind == SpatialKind::capsule ? 1 : -1);
}

// Radius of the smallest ball about the body's origin that holds the shape; a half-space has none (it is
// never asked).
template <class Scalar>
Scalar bounding_radius(const PlanarShape<Scalar>& shape) {
  switch (shape.kind) {
    case PlanarKind::box:
      return math::norm(shape.size);
    case PlanarKind::ellipse:
      return shape.size.x() > shape.size.y() ? shape.size.x() : shape.size.y();
    default:
      return shape.size.x();
  }
}

template <class Scalar>
Scalar bounding_radius(const SpatialShape<Scalar>& shape) {
  const auto& s = shape.size;
  switch (shape.kind) {
    case SpatialKind::box:
      return math::norm(s);
    case SpatialKind::ellipsoid: {
      const Scalar xy = s.x() > s.y() ? s.x() : s.y();
      return xy > s.z() ? xy : s.z();
    }
    case SpatialKind::capsule:
      return s.x() + s.z();
    default:
      return s.x();
  }
}

}  // namespace tactus::geometry
