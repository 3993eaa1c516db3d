// The contact points of one pair, of either dimension.
#pragma once

#include "tactus/geometry/find_contacts.hpp"
#include "tactus/geometry/regular_polygon.hpp"
#include "tactus/stepper/place.hpp"

namespace tactus::stepper::detail {

template <class Scalar, int Dim>
using Touches =
    std::conditional_t<Dim == 2, geometry::PlanarContacts<Scalar>, geometry::SpatialContacts<Scalar>>;
template <class Scalar, int Dim>
using Touch = std::conditional_t<Dim == 2, geometry::PlanarContact<Scalar>, geometry::SpatialContact<Scalar>>;
static_assert(geometry::kMaxPlanarPoints == kMaxTouches && geometry::kMaxSpatialPoints == kMaxTouches);

// A polygon on a half-space can have more corners near it than are kept: how many there are, 0 for other
// pairs.
template <class Scalar, int Dim, Capacity C>
constexpr int polygon_corners(const Model<Scalar, Dim, C>& m, const Contact<Scalar>& c) {
  if constexpr (Dim == 2) {
    using Kind = geometry::PlanarKind;
    const auto &a = m.shape[c.bodies.a], &b = m.shape[c.bodies.b];
    if (!geometry::has(C.pairs, Kind::half_space, Kind::polygon) || c.given_points > 0) return 0;
    if (a.kind == Kind::half_space && b.kind == Kind::polygon) return b.sides;
    if (a.kind == Kind::polygon && b.kind == Kind::half_space) return a.sides;
  }
  return 0;
}

// A polygon on the half-space below it.
template <class Scalar>
struct Cornered {
  const geometry::PlanarShape<Scalar>& shape;
  const geometry::PlanarFrame<Scalar>& frame;
  math::Vector2<Scalar> normal;
  Scalar centre_gap;
};

template <class Scalar, Capacity C>
inline Cornered<Scalar> cornered(const Model<Scalar, 2, C>& m, const Contact<Scalar>& c,
                                 const geometry::PlanarFrame<Scalar>& a,
                                 const geometry::PlanarFrame<Scalar>& b) {
  const bool turned = m.shape[c.bodies.b].kind == geometry::PlanarKind::half_space;
  const auto& floor = m.shape[turned ? c.bodies.b : c.bodies.a];
  const auto &at_floor = turned ? b : a, &at_body = turned ? a : b;
  const math::Vector2<Scalar> normal = at_floor.turn(floor.size);
  const math::Vector2<Scalar> to_body = at_body.position - at_floor.position;
  return {m.shape[turned ? c.bodies.a : c.bodies.b], at_body, normal,
          math::fused_dot<Scalar, 2>(normal, to_body) - floor.offset};
}

// Of more corners than are kept, those that will be lowest when the polygon has turned by `turn` (rad): where
// many are near, these hold it at the end of the step.
template <class Scalar, Capacity C>
inline void find_corners(const Model<Scalar, 2, C>& m, const Contact<Scalar>& c,
                         const geometry::PlanarFrame<Scalar>& a, const geometry::PlanarFrame<Scalar>& b,
                         Scalar reach, Scalar turn, Touches<Scalar, 2>& touches) {
  const auto pair = cornered(m, c, a, b);
  const bool turned = m.shape[c.bodies.b].kind == geometry::PlanarKind::half_space;
  const auto r = math::sin_cos(turn);
  const math::Vector2<Scalar> n = pair.normal;
  const math::Vector2<Scalar> ahead(r.cos * n.x() + r.sin * n.y(), r.cos * n.y() - r.sin * n.x());
  geometry::detail::visit_vertices<Scalar>(ahead, pair.shape, pair.frame, pair.centre_gap, reach,
                                           [&](const math::Vector2<Scalar>& arm, Scalar, int vertex) {
                                             auto& t = touches[touches.count++];
                                             t.gap = pair.centre_gap + math::fused_dot<Scalar, 2>(n, arm);
                                             const math::Vector2<Scalar> corner = pair.frame.position + arm;
                                             const math::Vector2<Scalar> foot = corner - t.gap * n;
                                             t.point_a = turned ? corner : foot;
                                             t.point_b = turned ? foot : corner;
                                             t.normal = turned ? math::Vector2<Scalar>(-n) : n;
                                             t.tangent = geometry::tangent<Scalar>(t.normal);
                                             t.feature = vertex;
                                             return touches.count < kMaxTouches;
                                           });
}

template <class Scalar, int Dim, Capacity C>
inline geometry::FindStatus find_touches(const Model<Scalar, Dim, C>& m, const Contact<Scalar>& c,
                                         const dynamics::Frame<Scalar, Dim>& a,
                                         const dynamics::Frame<Scalar, Dim>& b, Scalar reach, Scalar turn,
                                         Touches<Scalar, Dim>& touches) {
  touches.count = 0;
  if constexpr (Dim == 2) {
    if (polygon_corners(m, c) > kMaxTouches) {
      if (geometry::is_finite(a) && geometry::is_finite(b)) {
        find_corners(m, c, a, b, reach, turn, touches);
        return geometry::FindStatus::ok;
      }
    }
  }
  if (C.points > 0 && c.given_points > 0) {
    const auto& half_space = m.shape[c.bodies.a];
    const math::Vector<Scalar, Dim> n = a.turn(half_space.size);
    const Scalar level = math::fused_dot<Scalar, Dim>(n, a.position) + half_space.offset;
    for (int i = 0; i < c.given_points && touches.count < kMaxTouches; ++i) {
      const math::Vector<Scalar, Dim> p = b.to_world(m.point[at(c.first_point + i)]);
      const Scalar gap = math::fused_dot<Scalar, Dim>(n, p) - level;
      if (gap > reach) continue;
      auto& t = touches[touches.count++];
      t.gap = gap;
      t.point_b = p;
      t.point_a = p - gap * n;
      t.normal = n;
      t.tangent = geometry::tangent<Scalar>(n);
      if constexpr (Dim == 3) t.binormal = math::cross<Scalar>(n, t.tangent);
      t.feature = i;
    }
    return geometry::FindStatus::ok;
  }
  return geometry::find_contacts<C.pairs>(m.shape[c.bodies.a], a, m.shape[c.bodies.b], b, reach, touches);
}

// f(q + h v) of each touch, for Stewart's test as printed.
template <class Scalar, int Dim, Capacity C>
inline void look_ahead(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                       const Contact<Scalar>& c, const Touches<Scalar, Dim>& touches, Scalar* next_gap) {
  const auto ahead = [&](std::uint8_t body) {
    auto pose = state.pose[body];
    auto v = state.velocity[body];
    dynamics::drift(m.inertia[body], geometry::frame(pose), m.h, pose, v);
    return geometry::frame(pose);
  };
  Touches<Scalar, Dim> next;
  find_touches(m, c, ahead(c.bodies.a), ahead(c.bodies.b), std::numeric_limits<Scalar>::max() / 4, Scalar(0),
               next);
  for (int i = 0; i < touches.count; ++i) {
    next_gap[i] = touches[i].gap;
    for (int k = 0; k < next.count; ++k)
      if (next[k].feature == touches[i].feature) next_gap[i] = next[k].gap;
  }
}

// With the rows of an estimate of q', W(q') v + gap(q') / h - W(q') v_e stands for gap / h at the end of the
// step, v_e the velocities that led there: what they have covered is taken off the gap.
template <class Scalar, int Dim, Capacity C>
inline void take_gaps_back(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed,
                           dynamics::Pair bodies, const Estimate<Scalar, Dim, C>& estimate,
                           Touches<Scalar, Dim>& touches) {
  if constexpr (kRepeats<Dim, C>) {
    if (!estimate.made) return;
    for (int k = 0; k < touches.count; ++k) {
      auto& t = touches[k];
      const auto& [a, b] = bodies;
      dynamics::PointFrame<Scalar, Dim> at_point;
      at_point.arm_a = t.point_a - placed.body[a].frame.position;
      at_point.arm_b = t.point_b - placed.body[b].frame.position;
      const auto v = dynamics::relative_velocity(at_point, estimate.velocity[a], estimate.velocity[b]);
      t.gap -= m.h * math::fused_dot<Scalar, Dim>(t.normal, v);
    }
  }
}

// Whether a polygon went through the half-space with a corner that had no place among the touches: the
// row of each corner within reach, s_n = gap + h n . v', with the velocities that the contacts have given.
template <class Scalar, Capacity C>
inline bool corner_goes_through(const Model<Scalar, 2, C>& m, const Placed<Scalar, 2, C>& placed,
                                const Next<Scalar, 2, C>& next, const Contact<Scalar>& c, Scalar reach) {
  const auto pair = cornered(m, c, placed.body[c.bodies.a].frame, placed.body[c.bodies.b].frame);
  const bool turned = m.shape[c.bodies.b].kind == geometry::PlanarKind::half_space;
  const auto& v = next.velocity[turned ? c.bodies.a : c.bodies.b];
  Scalar least = 0;
  geometry::detail::visit_vertices<Scalar>(
      pair.normal, pair.shape, pair.frame, pair.centre_gap, reach,
      [&](const math::Vector2<Scalar>& arm, Scalar gap, int) {
        const math::Vector2<Scalar> speed = v.linear + dynamics::sweep<Scalar>(v.angular, arm);
        least = std::min(least, gap + m.h * math::fused_dot<Scalar, 2>(pair.normal, speed));
        return true;
      });
  return least < -contact::guess::kAccepted<Scalar> * reach;
}

// Whether any corner without a place went through anything.
template <class Scalar, int Dim, Capacity C>
inline bool corners_go_through(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed,
                               const Next<Scalar, Dim, C>& next, Scalar reach) {
  if constexpr (Dim == 2)
    for (int i = 0; i < m.contacts; ++i)
      if (polygon_corners(m, m.contact[at(i)]) > 0 && is_exact<C>(m.contact[at(i)]) &&
          corner_goes_through(m, placed, next, m.contact[at(i)], reach))
        return true;
  return false;
}

}  // namespace tactus::stepper::detail
