// The contact points of one pair, of either dimension.
#pragma once

#include "tactus/geometry/planar.hpp"
#include "tactus/geometry/spatial.hpp"
#include "tactus/stepper/motion.hpp"

namespace tactus::stepper::detail {

template <class Scalar, int Dim>
struct Touch {
  Scalar gap;
  dynamics::Vector<Scalar, Dim> point_a, point_b;
  dynamics::Vector<Scalar, Dim> axis[Dim];  // n, t (, o)
  int feature;
  Scalar next_gap;  // NormalRule::stewart: f(q + h v)
};

template <class Scalar, int Dim, Capacity C>
inline geometry::FindStatus find_touches(const Model<Scalar, Dim, C>& m, const Contact<Scalar>& c,
                                         const dynamics::Frame<Scalar, Dim>& a,
                                         const dynamics::Frame<Scalar, Dim>& b, Scalar reach,
                                         Touch<Scalar, Dim>* touch, int& count) {
  count = 0;
  if (C.points > 0 && c.given_points > 0) {
    const auto& half_space = m.shape[c.bodies.a];
    const dynamics::Vector<Scalar, Dim> n = a.turn(half_space.size);
    const Scalar level = dynamics::dot<Scalar, Dim>(n, a.position) + half_space.offset;
    for (int i = 0; i < c.given_points && count < kMaxTouches; ++i) {
      const dynamics::Vector<Scalar, Dim> p = b.to_world(m.point[at(c.first_point + i)]);
      const Scalar gap = dynamics::dot<Scalar, Dim>(n, p) - level;
      if (gap > reach) continue;
      auto& t = touch[count++];
      t.gap = gap;
      t.point_b = p;
      t.point_a = p - gap * n;
      t.axis[0] = n;
      t.axis[1] = geometry::tangent<Scalar>(n);
      if constexpr (Dim == 3) t.axis[2] = geometry::cross<Scalar>(n, t.axis[1]);
      t.feature = i;
    }
    return geometry::FindStatus::ok;
  }
  std::conditional_t<Dim == 2, geometry::PlanarContacts<Scalar>, geometry::SpatialContacts<Scalar>> set;
  const auto status =
      geometry::find_contacts<C.pairs>(m.shape[c.bodies.a], a, m.shape[c.bodies.b], b, reach, set);
  for (; count < set.count; ++count) {
    auto& t = touch[count];
    const auto& p = set[count];
    t.gap = p.gap;
    t.point_a = p.point_a;
    t.point_b = p.point_b;
    t.axis[0] = p.normal;
    t.axis[1] = p.tangent;
    if constexpr (Dim == 3) t.axis[2] = p.binormal;
    t.feature = p.feature;
  }
  return status;
}

// f(q + h v) of each touch, for Stewart's test as printed.
template <class Scalar, int Dim, Capacity C>
inline void look_ahead(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                       const Contact<Scalar>& c, Touch<Scalar, Dim>* touch, int count) {
  const auto ahead = [&](std::uint8_t body) {
    const auto& pose = state.pose[body];
    return geometry::frame(dynamics::advanced(pose, state.velocity[body], m.h, pose));
  };
  Touch<Scalar, Dim> next[kMaxTouches];
  int found = 0;
  find_touches(m, c, ahead(c.bodies.a), ahead(c.bodies.b), std::numeric_limits<Scalar>::max() / 4, next,
               found);
  for (int i = 0; i < count; ++i) {
    touch[i].next_gap = touch[i].gap;
    for (int k = 0; k < found; ++k)
      if (next[k].feature == touch[i].feature) touch[i].next_gap = next[k].gap;
  }
}

}  // namespace tactus::stepper::detail
