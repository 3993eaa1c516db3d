// From a state to the rows of its contact problem: free velocities, contact points, elements, their
// directions and what stands beside W nu in each row.
#pragma once

#include <algorithm>

#include "tactus/contact/curvature.hpp"
#include "tactus/geometry/planar.hpp"
#include "tactus/geometry/spatial.hpp"
#include "tactus/stepper/model.hpp"

namespace tactus::stepper::detail {

template <class T>
constexpr std::size_t at(T i) {
  return static_cast<std::size_t>(i);
}

// v + h M^-1 f, with gravity and the gyroscopic torque at the state's own pose and velocity.
template <class Scalar, int Dim, Capacity C>
inline void free_motion(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                        Workspace<Scalar, Dim, C>& ws) {
  using dynamics::kSpin;
  for (int i = 0; i < m.bodies; ++i) {
    auto& body = ws.body[at(i)];
    const auto& inertia = m.inertia[at(i)];
    body.velocity = state.velocity[at(i)];
    if (!(inertia.mass > 0)) continue;
    const auto& f = state.force[at(i)];
    dynamics::Vector<Scalar, kSpin<Dim>> torque = f.angular;
    if constexpr (Dim == 3)
      torque += dynamics::gyroscopic<Scalar, Dim>(inertia, body.frame, state.velocity[at(i)].angular);
    body.velocity.linear += m.h * (m.gravity + inertia.inverse_mass * f.linear);
    body.velocity.angular += m.h * dynamics::times<Scalar, kSpin<Dim>>(body.inverse_inertia, torque);
  }
}

template <class Scalar, int Dim, Capacity C>
inline void place_bodies(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                         Workspace<Scalar, Dim, C>& ws) {
  for (int i = 0; i < m.bodies; ++i) {
    auto& body = ws.body[at(i)];
    body.frame = geometry::frame(state.pose[at(i)]);
    body.inverse_mass = m.inertia[at(i)].inverse_mass;
    if (body.inverse_mass > 0)
      body.inverse_inertia = dynamics::world_inverse<Scalar, Dim>(m.inertia[at(i)], body.frame);
  }
}

// Larger than any speed of any point of any body in the free motion.
template <class Scalar, int Dim, Capacity C>
inline Scalar speed_bound(const Model<Scalar, Dim, C>& m, const Workspace<Scalar, Dim, C>& ws) {
  Scalar bound = 0;
  for (int i = 0; i < m.bodies; ++i) {
    const auto& v = ws.body[at(i)].velocity;
    Scalar linear = 0, angular = 0;
    for (int k = 0; k < Dim; ++k) linear += std::abs(v.linear[k]);
    for (int k = 0; k < dynamics::kSpin<Dim>; ++k) angular += std::abs(v.angular[k]);
    bound = std::max(bound, linear + angular * m.radius[at(i)]);
  }
  return bound;
}

// A contact point of either dimension with its curvature.
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
  if (c.given_points > 0) {
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

// The slots of a pair's points: by feature where the features are few, so that a corner keeps its
// deformation; by probing from there where they are many (a polygon's vertices, the clipped points of two
// boxes).
inline int claim_slot(int feature, int slots, std::uint32_t& taken) {
  int slot = feature % slots;
  for (int tried = 0; tried < slots && ((taken >> slot) & 1U) != 0; ++tried) slot = (slot + 1) % slots;
  taken |= 1U << slot;
  return slot;
}

template <class Scalar, int Dim, Capacity C>
inline void add_elements(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                         Workspace<Scalar, Dim, C>& ws, int contact_index, const Touch<Scalar, Dim>& touch,
                         int point_slot) {
  const auto& c = m.contact[at(contact_index)];
  contact::Curvature<Scalar> bend;
  const contact::PatchLaw<Scalar>* law = nullptr;
  if constexpr (C.patches > 0)
    if (c.patch >= 0) law = &m.patch[at(c.patch)].law;
  const bool spread = c.elements > 1;
  if (spread && c.given_points == 0) {
    const auto& fa = ws.body[c.bodies.a].frame;
    const auto& fb = ws.body[c.bodies.b].frame;
    contact::Curvature<Scalar> other;
    if constexpr (Dim == 2) {
      bend = contact::curvature<Scalar>(m.shape[c.bodies.a], fa, touch.axis[0]);
      other = contact::curvature<Scalar>(m.shape[c.bodies.b], fb, touch.axis[0]);
    } else {
      bend = contact::curvature<Scalar>(m.shape[c.bodies.a], fa, touch.axis[0], touch.axis[1], touch.axis[2]);
      other =
          contact::curvature<Scalar>(m.shape[c.bodies.b], fb, touch.axis[0], touch.axis[1], touch.axis[2]);
    }
    bend = {bend.tt + other.tt, bend.to + other.to, bend.oo + other.oo};
  }
  const auto& free_a = ws.body[c.bodies.a].velocity;
  const auto& free_b = ws.body[c.bodies.b].velocity;
  const auto& now_a = state.velocity[c.bodies.a];
  const auto& now_b = state.velocity[c.bodies.b];
  for (int e = 0; e < c.elements; ++e) {
    auto& element = ws.element[at(ws.elements)];
    auto& frame = element.frame;
    element.bodies = c.bodies;
    element.contact = static_cast<std::uint8_t>(contact_index);
    element.within = static_cast<std::uint8_t>(e);
    element.slot = static_cast<std::uint16_t>(c.first_slot + point_slot * c.elements + e);
    element.gap = touch.gap;
    for (int k = 0; k < Dim; ++k) frame.axis[k] = touch.axis[k];
    frame.arm_a = touch.point_a - ws.body[c.bodies.a].frame.position;
    frame.arm_b = touch.point_b - ws.body[c.bodies.b].frame.position;
    if (spread) {
      Scalar t = 0, o = 0;
      contact::element_offset(*law, e, t, o);
      element.gap += (bend.tt * t * t + 2 * bend.to * t * o + bend.oo * o * o) / 2;
      dynamics::Vector<Scalar, Dim> shift = t * touch.axis[1];
      if constexpr (Dim == 3) shift += o * touch.axis[2];
      frame.arm_a += shift;
      frame.arm_b += shift;
    }
    // The law's own term: -B delta, and for the normal row the gap or the restitution.
    Scalar* const offset = ws.q.data() + ws.elements * Dim;
    for (int k = 0; k < Dim; ++k) offset[k] = 0;
    if constexpr (C.patches > 0) {
      if (c.patch >= 0) {
        const auto& patch = m.patch[at(c.patch)];
        const auto* delta = &state.delta[at(element.slot - e)];
        const Scalar* B = patch.B + e * Dim * patch.size();
        for (int k = 0; k < Dim; ++k, B += patch.size()) {
          Scalar sum = 0;
          for (int j = 0; j < c.elements; ++j)
            dynamics::unrolled<Dim>([&](int l) __attribute__((always_inline)) {
              sum = lcp::multiply_add(B[j * Dim + l], delta[j][l], sum);
            });
          ws.drop[at(ws.elements * Dim + k)] = sum;
          offset[k] = -sum;
        }
      }
    }
    const auto closing = [&] {
      return dynamics::dot<Scalar, Dim>(frame.axis[0], dynamics::relative_velocity(frame, now_a, now_b));
    };
    if (m.method.normal == NormalRule::gap) {
      Scalar share = element.gap;
      if constexpr (C.patches > 0)
        if (c.patch >= 0) share += state.delta[element.slot][0];
      offset[0] += share / m.h;
      if (c.restitution > 0) {
        const Scalar speed = closing();
        const Scalar free =
            dynamics::dot<Scalar, Dim>(frame.axis[0], dynamics::relative_velocity(frame, free_a, free_b));
        if (speed < 0 && element.gap + m.h * free < 0) offset[0] = std::min(offset[0], c.restitution * speed);
      }
    } else if (m.method.normal == NormalRule::stewart) {
      if (!(touch.next_gap < 0)) continue;
      if (c.restitution > 0) offset[0] += std::min(Scalar(0), c.restitution * closing());
    }
    ws.mu[at(ws.elements)] = c.friction.kinetic;
    if (c.friction.kind != contact::FrictionKind::constant) {
      const auto s = dynamics::in_frame(frame, dynamics::relative_velocity(frame, now_a, now_b));
      const auto free = dynamics::in_frame(frame, dynamics::relative_velocity(frame, free_a, free_b));
      Scalar now = 0, change = 0;
      for (int k = 1; k < Dim; ++k) {
        now += s[k] * s[k];
        change += (free[k] - s[k]) * (free[k] - s[k]);
      }
      ws.mu[at(ws.elements)] = contact::coefficient<Scalar>(c.friction, state.grip[element.slot],
                                                            std::sqrt(now), std::sqrt(change));
    }
    ++ws.elements;
  }
}

// Fills ws.element, ws.mu and, into ws.q, what stands beside W nu in each row. Returns false where a pose is
// not finite, and sets `overflow` where more elements could touch than there is room for.
//
// A point takes part when its gap is below what four times the largest speed of the free motion covers in a
// step: an impact elsewhere on a body can turn it towards a neighbour, but not faster than that (a point of a
// free body is not thrown back at more than three times the speed of the blow). A point too many changes
// nothing; one too few is caught a step later.
template <class Scalar, int Dim, Capacity C>
inline bool find_elements(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                          Workspace<Scalar, Dim, C>& ws, bool& overflow) {
  ws.elements = 0;
  overflow = false;
  const Scalar reach = m.method.normal == NormalRule::song ? std::numeric_limits<Scalar>::max() / 4
                                                           : 4 * m.h * speed_bound(m, ws);
  for (int i = 0; i < m.contacts; ++i) {
    const auto& c = m.contact[at(i)];
    Touch<Scalar, Dim> touch[kMaxTouches];
    int count = 0;
    const auto& frame_a = ws.body[c.bodies.a].frame;
    const auto& frame_b = ws.body[c.bodies.b].frame;
    if (find_touches(m, c, frame_a, frame_b, reach, touch, count) == geometry::FindStatus::bad_input)
      return false;
    if (m.method.normal == NormalRule::stewart) look_ahead(m, state, c, touch, count);
    std::uint32_t taken = 0;
    for (int k = 0; k < count; ++k) {
      if (ws.elements + c.elements > C.active) {
        overflow = true;
        break;
      }
      add_elements(m, state, ws, i, touch[k], claim_slot(touch[k].feature, c.point_slots, taken));
    }
  }
  return true;
}

}  // namespace tactus::stepper::detail
