// Every planar shape against a half-space (body a). All are closed forms.
//
// With n the face's normal, d the distance of the other body's centre from the face and H(-n) its support
// function, the nearest point is the support point in direction -n and its gap is d - H(-n). Song 2004 sec.
// 6's ellipse is H = sqrt(a^2 m_x^2 + b^2 m_y^2) with m the normal in the ellipse's frame, at -(a^2 m_x, b^2
// m_y) / H; on a floor that is H(theta) = sqrt(a^2 sin^2 theta + b^2 cos^2 theta), the point (-H'(theta),
// -H(theta)).
#pragma once

#include "tactus/geometry/contact.hpp"
#include "tactus/geometry/pose.hpp"
#include "tactus/geometry/regular_polygon.hpp"
#include "tactus/geometry/shape.hpp"

namespace tactus::geometry::detail {

// The contact of a body's point at `arm` from its centre, given in the world.
template <class Scalar>
void add_point(PlanarContacts<Scalar>& set, const math::Vector2<Scalar>& normal,
               const math::Vector2<Scalar>& centre, const math::Vector2<Scalar>& arm, Scalar gap,
               Scalar margin, int feature) {
  if (gap > margin) return;
  add<Scalar>(set, gap, centre + arm - gap * normal, normal, feature);
}

// The lowest vertices, as many as the set holds. Feature: the vertex number.
template <class Scalar>
void half_space_polygon(const math::Vector2<Scalar>& normal, const PlanarShape<Scalar>& b,
                        const PlanarFrame<Scalar>& f, Scalar centre_gap, Scalar margin,
                        PlanarContacts<Scalar>& set) {
  visit_vertices(normal, b, f, centre_gap, margin,
                 [&](const math::Vector2<Scalar>& arm, Scalar gap, int vertex) {
                   add_point(set, normal, f.position, arm, gap, margin, vertex);
                   return set.count < kMaxPlanarPoints;
                 });
}

// The two corners of the side that faces the half-space most. Feature: 2 (x > 0) + (y > 0).
template <class Scalar>
void half_space_box(const math::Vector2<Scalar>& normal, const PlanarShape<Scalar>& b,
                    const PlanarFrame<Scalar>& f, Scalar centre_gap, Scalar margin,
                    PlanarContacts<Scalar>& set) {
  const math::Vector2<Scalar> m = f.turn_back(normal);
  const bool along_x = std::abs(m.x()) > std::abs(m.y());
  const bool fixed_positive = (along_x ? m.x() : m.y()) < 0;  // the facing side lies at this sign of its axis
  for (const bool free_positive : {false, true}) {
    const bool x_positive = along_x ? fixed_positive : free_positive;
    const bool y_positive = along_x ? free_positive : fixed_positive;
    const math::Vector2<Scalar> corner(x_positive ? b.size.x() : -b.size.x(),
                                       y_positive ? b.size.y() : -b.size.y());
    add_point(set, normal, f.position, f.turn(corner), centre_gap + math::dot(m, corner), margin,
              2 * (x_positive ? 1 : 0) + (y_positive ? 1 : 0));
  }
}

template <PairSet Pairs, class Scalar>
void half_space_any(const math::Vector2<Scalar>& normal, const PlanarShape<Scalar>& b,
                    const PlanarFrame<Scalar>& f, Scalar centre_gap, Scalar margin,
                    PlanarContacts<Scalar>& set) {
  switch (b.kind) {
    case PlanarKind::disc:
      if (!has(Pairs, PlanarKind::half_space, PlanarKind::disc)) return;
      return add_point<Scalar>(set, normal, f.position, -b.size.x() * normal, centre_gap - b.size.x(), margin,
                               0);
    case PlanarKind::ellipse: {
      if (!has(Pairs, PlanarKind::half_space, PlanarKind::ellipse)) return;
      const math::Vector2<Scalar> m = f.turn_back(normal);
      const math::Vector2<Scalar> am(b.size.x() * m.x(), b.size.y() * m.y());
      const Scalar H = math::norm(am);
      const math::Vector2<Scalar> arm(-b.size.x() * am.x() / H, -b.size.y() * am.y() / H);
      return add_point<Scalar>(set, normal, f.position, f.turn(arm), centre_gap - H, margin, 0);
    }
    case PlanarKind::box:
      if (!has(Pairs, PlanarKind::half_space, PlanarKind::box)) return;
      return half_space_box(normal, b, f, centre_gap, margin, set);
    case PlanarKind::polygon:
      if (!has(Pairs, PlanarKind::half_space, PlanarKind::polygon)) return;
      return half_space_polygon(normal, b, f, centre_gap, margin, set);
    case PlanarKind::rod: {  // feature 0: the end at -x of the rod, 1: at +x
      if (!has(Pairs, PlanarKind::half_space, PlanarKind::rod)) return;
      const math::Vector2<Scalar> half = f.turn(b.size);
      add_point<Scalar>(set, normal, f.position, -half, centre_gap - math::dot(normal, half), margin, 0);
      return add_point<Scalar>(set, normal, f.position, half, centre_gap + math::dot(normal, half), margin,
                               1);
    }
    case PlanarKind::half_space:
      return;
  }
}

}  // namespace tactus::geometry::detail
