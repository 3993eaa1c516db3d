// How fast the surface of a shape leaves the tangent plane at a contact, so that the elements of a patch know
// their own gaps: gap(t, o) = gap + (tt t^2 + 2 to t o + oo o^2) / 2.
//
// For x . S^-1 x = 1, S = diag(a^2, b^2, c^2), at the point with normal m: H = sqrt(m . S m) and the
// curvature along the tangents u, v is H u . S^-1 v (for Song's ellipse H^3 / (a b)^2). Flat sides, corners
// and edges count as flat: their elements lie in the tangent plane. The ends of a capsule are spheres.
#pragma once

#include "tactus/dynamics/body.hpp"
#include "tactus/geometry/shape.hpp"

namespace tactus::contact {

template <class Scalar>
struct Curvature {
  Scalar tt = 0, to = 0, oo = 0;  // 1/m; positive where the body is convex
};

template <class Scalar>
[[gnu::noinline]] inline Curvature<Scalar> curvature(const geometry::PlanarShape<Scalar>& shape,
                                                     const geometry::PlanarFrame<Scalar>& frame,
                                                     const math::Vector2<Scalar>& normal) {
  if (shape.kind == geometry::PlanarKind::disc) return {1 / shape.size.x(), 0, 0};
  if (shape.kind != geometry::PlanarKind::ellipse) return {};
  const math::Vector2<Scalar> m = frame.turn_back(normal);
  const Scalar a = shape.size.x(), b = shape.size.y();
  const Scalar square = a * a * m.x() * m.x() + b * b * m.y() * m.y();
  return {square * std::sqrt(square) / (a * a * b * b), 0, 0};
}

template <class Scalar>
inline Curvature<Scalar> curvature(const geometry::SpatialShape<Scalar>& shape,
                                   const geometry::SpatialFrame<Scalar>& frame,
                                   const math::Vector3<Scalar>& normal, const math::Vector3<Scalar>& t,
                                   const math::Vector3<Scalar>& o) {
  using V = math::Vector3<Scalar>;
  if (shape.kind == geometry::SpatialKind::sphere || shape.kind == geometry::SpatialKind::capsule)
    return {1 / shape.size.x(), 0, 1 / shape.size.x()};
  if (shape.kind != geometry::SpatialKind::ellipsoid) return {};
  const V m = frame.turn_back(normal), u = frame.turn_back(t), v = frame.turn_back(o);
  Curvature<Scalar> c;
  Scalar square = 0;
  for (int i = 0; i < 3; ++i) {
    const Scalar s = shape.size[i] * shape.size[i];
    square += s * m[i] * m[i];
    c.tt += u[i] * u[i] / s;
    c.to += u[i] * v[i] / s;
    c.oo += v[i] * v[i] / s;
  }
  const Scalar H = std::sqrt(square);
  return {H * c.tt, H * c.to, H * c.oo};
}

}  // namespace tactus::contact
