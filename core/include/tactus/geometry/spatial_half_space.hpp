// Every spatial shape against a half-space (body a). All are closed forms; see planar_half_space.hpp for the
// idea. Ellipsoid: with m the normal in its own frame and S = diag(a^2, b^2, c^2), H = sqrt(m . S m), at -S m
// / H.
#pragma once

#include "tactus/geometry/contact.hpp"
#include "tactus/geometry/pose.hpp"
#include "tactus/geometry/shape.hpp"

namespace tactus::geometry::detail {

// The contact of a body's point at `arm` from its centre, given in the world.
template <class Scalar>
void add_point(SpatialContacts<Scalar>& set, const Axes<Scalar>& face, const math::Vector3<Scalar>& centre,
               const math::Vector3<Scalar>& arm, Scalar gap, Scalar margin, int feature) {
  if (gap > margin) return;
  add<Scalar>(set, gap, centre + arm - gap * face.n, face, feature);
}

// The four corners of the side that faces the half-space most; the other four can touch only after these did.
// Feature: 4 (x > 0) + 2 (y > 0) + (z > 0), in ascending order.
template <class Scalar>
void half_space_box(const Axes<Scalar>& face, const SpatialShape<Scalar>& b, const SpatialFrame<Scalar>& f,
                    Scalar centre_gap, Scalar margin, SpatialContacts<Scalar>& set) {
  const math::Vector3<Scalar> m = f.turn_back(face.n);
  const Scalar x = std::abs(m.x()), y = std::abs(m.y()), z = std::abs(m.z());
  const int facing = z >= x && z >= y ? 2 : (y >= x ? 1 : 0);
  const bool facing_positive = m[facing] < 0;
  for (int corner = 0; corner < 8; ++corner) {
    const int bit = 4 >> facing;
    if (((corner & bit) != 0) != facing_positive) continue;
    const math::Vector3<Scalar> p((corner & 4) != 0 ? b.size.x() : -b.size.x(),
                                  (corner & 2) != 0 ? b.size.y() : -b.size.y(),
                                  (corner & 1) != 0 ? b.size.z() : -b.size.z());
    const Scalar gap = centre_gap + math::dot(m, p);
    if (gap > margin) continue;
    add_point<Scalar>(set, face, f.position, f.turn(p), gap, margin, corner);
  }
}

template <PairSet Pairs, class Scalar>
void half_space_any(const Axes<Scalar>& face, const SpatialShape<Scalar>& b, const SpatialFrame<Scalar>& f,
                    Scalar centre_gap, Scalar margin, SpatialContacts<Scalar>& set) {
  switch (b.kind) {
    case SpatialKind::sphere:
      if (!has(Pairs, SpatialKind::half_space, SpatialKind::sphere)) return;
      return add_point<Scalar>(set, face, f.position, -b.size.x() * face.n, centre_gap - b.size.x(), margin,
                               0);
    case SpatialKind::ellipsoid: {
      if (!has(Pairs, SpatialKind::half_space, SpatialKind::ellipsoid)) return;
      const math::Vector3<Scalar> m = f.turn_back(face.n);
      const math::Vector3<Scalar> am(b.size.x() * m.x(), b.size.y() * m.y(), b.size.z() * m.z());
      const Scalar H = math::norm(am);
      const math::Vector3<Scalar> arm(-b.size.x() * am.x() / H, -b.size.y() * am.y() / H,
                                      -b.size.z() * am.z() / H);
      return add_point<Scalar>(set, face, f.position, f.turn(arm), centre_gap - H, margin, 0);
    }
    case SpatialKind::box:
      if (!has(Pairs, SpatialKind::half_space, SpatialKind::box)) return;
      return half_space_box(face, b, f, centre_gap, margin, set);
    case SpatialKind::capsule: {  // feature 0: the end at -z of the capsule, 1: at +z
      if (!has(Pairs, SpatialKind::half_space, SpatialKind::capsule)) return;
      const math::Vector3<Scalar> half = b.size.z() * f.R.col(2);
      const math::Vector3<Scalar> down = -b.size.x() * face.n;
      const Scalar rise = math::dot(face.n, half), gap = centre_gap - b.size.x();
      add_point<Scalar>(set, face, f.position, down - half, gap - rise, margin, 0);
      return add_point<Scalar>(set, face, f.position, down + half, gap + rise, margin, 1);
    }
    case SpatialKind::half_space:
      return;
  }
}

}  // namespace tactus::geometry::detail
