// find: the elements that can touch within the step, their directions, and what stands beside W nu in each of
// their rows.
#pragma once

#include "tactus/clock.hpp"
#include "tactus/stepper/elastic_body.hpp"

namespace tactus::stepper::detail {

// The slots of a pair's points: by feature where the features are few, so that a corner keeps its
// deformation; by probing from there where they are many (a polygon's vertices, the clipped points of two
// boxes).
inline int claim_slot(int feature, int slots, std::uint32_t& taken) {
  int slot = feature % slots;
  for (int tried = 0; tried < slots && ((taken >> slot) & 1U) != 0; ++tried) slot = (slot + 1) % slots;
  taken |= 1U << slot;
  return slot;
}

// The relative velocity in the contact frame, (n, t, o), at the start of the step and of the free motion.
template <class Scalar, int Dim>
struct Approach {
  math::Vector<Scalar, Dim> now, free;
};

template <class Scalar, int Dim, Capacity C>
[[gnu::noinline]] inline Approach<Scalar, Dim> approach(const Model<Scalar, Dim, C>& m,
                                                        const State<Scalar, Dim, C>& state,
                                                        const Placed<Scalar, Dim, C>& placed,
                                                        const Element<Scalar, Dim>& element) {
  const auto& [a, b] = element.bodies;
  Approach<Scalar, Dim> out;
  const auto in_frame = [&](const auto& va, const auto& vb) {
    return dynamics::in_frame(element.frame, dynamics::relative_velocity(element.frame, va, vb));
  };
  out.now = in_frame(velocity_before(m, state, placed, a), velocity_before(m, state, placed, b));
  out.free = in_frame(placed.body[a].velocity, placed.body[b].velocity);
  return out;
}

// The coefficient of an element whose friction is not constant.
template <class Scalar, int Dim, Capacity C>
[[gnu::noinline]] inline Scalar coefficient(const Model<Scalar, Dim, C>& m,
                                            const State<Scalar, Dim, C>& state,
                                            const Placed<Scalar, Dim, C>& placed, const Contact<Scalar>& c,
                                            const Element<Scalar, Dim>& element) {
  const auto [s, free] = approach(m, state, placed, element);
  Scalar now = 0, change = 0;
  for (int k = 1; k < Dim; ++k) {
    now += s[k] * s[k];
    change += (free[k] - s[k]) * (free[k] - s[k]);
  }
  return contact::coefficient<Scalar>(c.friction, state.grip[element.slot], std::sqrt(now),
                                      std::sqrt(change));
}

// An element to be, and all that its law may ask for.
template <class Scalar, int Dim, Capacity C>
struct Candidate {
  const Model<Scalar, Dim, C>& m;
  const State<Scalar, Dim, C>& state;
  const Placed<Scalar, Dim, C>& placed;
  const Contact<Scalar>& contact;
  const Element<Scalar, Dim>& element;
  Scalar gap, next_gap;  // with its deformation; of the point, after h v

  Approach<Scalar, Dim> approach() const { return detail::approach(m, state, placed, element); }
};

template <class Scalar, int Dim, Capacity C>
inline void set_element(const Placed<Scalar, Dim, C>& placed, const Contact<Scalar>& c, int contact_index,
                        const Touch<Scalar, Dim>& touch, Element<Scalar, Dim>& element) {
  element.bodies = c.bodies;
  element.contact = static_cast<std::uint8_t>(contact_index);
  element.gap = touch.gap;
  element.frame.axis[0] = touch.normal;
  element.frame.axis[1] = touch.tangent;
  if constexpr (Dim == 3) element.frame.axis[2] = touch.binormal;
  element.frame.arm_a = touch.point_a - placed.body[c.bodies.a].frame.position;
  element.frame.arm_b = touch.point_b - placed.body[c.bodies.b].frame.position;
}

// The gap of curved bodies at a place along the tangents.
template <int Dim, class Scalar>
inline Scalar gap_at(Scalar gap, const contact::Curvature<Scalar>& bend, Scalar t,
                     [[maybe_unused]] Scalar o) {
  gap += bend.tt * t * t / 2;
  if constexpr (Dim == 3) gap += (2 * bend.to * t * o + bend.oo * o * o) / 2;
  return gap;
}

// Of a slope along the tangents.
template <int Dim, class Scalar>
inline Scalar rise_at(const Scalar (&slope)[Dim - 1], Scalar t, [[maybe_unused]] Scalar o) {
  Scalar rise = t * slope[0];
  if constexpr (Dim == 3) rise += o * slope[1];
  return rise;
}

// Moves an element from the middle of its point to such a place.
template <class Scalar, int Dim>
inline void shift_element(const Touch<Scalar, Dim>& touch, const contact::Curvature<Scalar>& bend, Scalar t,
                          [[maybe_unused]] Scalar o, const Element<Scalar, Dim>& middle,
                          Element<Scalar, Dim>& element) {
  math::Vector<Scalar, Dim> shift = t * touch.tangent;
  if constexpr (Dim == 3) shift += o * touch.binormal;
  element.gap = gap_at<Dim>(touch.gap, bend, t, o);
  element.frame.arm_a = middle.frame.arm_a + shift;
  element.frame.arm_b = middle.frame.arm_b + shift;
}

// Takes what a touch was deformed by over the material that it has moved over.
template <class Law, class Scalar, int Dim, Capacity C>
inline void carry_over(Law law, const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                       const Contact<Scalar>& c, const Touch<Scalar, Dim>& touch,
                       const contact::Curvature<Scalar>& bend, const Travel<Scalar, Dim>& travel, int slot,
                       Scalar* delta) {
  Scalar t = 0, o = 0;
  const auto gap = [&](int e) {
    law.template spread<Dim>(m, c, e, t, o);
    return gap_at<Dim>(touch.gap, bend, t, o);
  };
  const bool stays = law.template carry<Dim, C.patch_elements>(m, c, travel.moved, gap, delta);
  const Scalar* const from = state.delta[at(slot)].data();
  for (int e = 0; stays && e < c.elements; ++e) {
    if (state.grip[at(slot + e)] == contact::Grip::unknown) continue;
    law.template spread<Dim>(m, c, e, t, o);
    const Scalar rise = rise_at<Dim>(travel.rise, t, o);
    delta[e * Dim] = contact::carry_closed(from[e * Dim], delta[e * Dim], rise);
  }
}

// What a touch has of its deformation: where it is now, with its directions and what it relaxes by.
template <class Law, class Scalar, int Dim, Capacity C>
inline Travel<Scalar, Dim> take_history(Law law, const Model<Scalar, Dim, C>& m,
                                        const State<Scalar, Dim, C>& state,
                                        const Placed<Scalar, Dim, C>& placed,
                                        const Estimate<Scalar, Dim, C>& estimate, const Contact<Scalar>& c,
                                        const Touch<Scalar, Dim>& touch, const Element<Scalar, Dim>& middle,
                                        const Bend<Scalar>& bend, int slot, Found<Scalar, Dim, C>& found) {
  Travel<Scalar, Dim> out;
  const int n = found.elements;
  const bool material = law.template material<C>(m, c);
  Scalar* const delta = found.carried.data() + n * Dim;
  const Scalar* const from = state.delta[at(slot)].data();
  for (int r = 0; r < c.elements * Dim; ++r) delta[r] = from[r];
  if constexpr (kHasAnchors<Dim, C>)
    keep_frame<Scalar, Dim, C>(placed, c, material, touch, found.anchor[at(n)]);
  if constexpr (C.has(material_patches)) {
    if (material) {
      out = travel(m, state, placed, estimate, c, middle, bend, state.anchor[at(slot)], found.anchor[at(n)]);
      carry_over(law, m, state, c, touch, bend.gap, out, slot, delta);
    }
  }
  law.relax(m, c, delta, found.drop.data() + n * Dim);
  return out;
}

// The elements of one touch: where they are, and their law's own terms.
template <class Law, class Scalar, int Dim, Capacity C>
inline void add_elements(Law law, const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                         const Placed<Scalar, Dim, C>& placed, const Estimate<Scalar, Dim, C>& estimate,
                         int contact_index, Touch<Scalar, Dim>& touch, Scalar next_gap, int first_slot,
                         Found<Scalar, Dim, C>& found) {
  const auto& c = m.contact[at(contact_index)];
  int n = found.elements;
  const bool spread = Law::kDeforms && c.elements > 1;
  // The elements of a patch are copies of this one, moved by their places.
  Element<Scalar, Dim> of_patch;
  const bool copies = Law::kDeforms && (Dim == 2 || spread);
  auto& middle = copies ? of_patch : found.element[at(n)];
  if constexpr (Law::kDeforms && kHasAnchors<Dim, C>)
    carry_frame<Scalar, Dim, C>(placed, c, law.template material<C>(m, c), state.anchor[at(first_slot)],
                                touch);
  set_element(placed, c, contact_index, touch, middle);
  Bend<Scalar> bend;
  if (spread && c.given_points == 0) bend = bend_at(m, placed, c, touch);
  [[maybe_unused]] Travel<Scalar, Dim> travel;
  [[maybe_unused]] const Scalar *drop = nullptr, *carried = nullptr;
  if constexpr (Law::kDeforms) {
    travel = take_history(law, m, state, placed, estimate, c, touch, middle, bend, first_slot, found);
    drop = found.drop.data() + n * Dim;
    carried = found.carried.data() + n * Dim;
  }
  for (int e = 0, elements = Law::kDeforms ? c.elements : 1; e < elements; ++e) {
    auto& element = found.element[at(n)];
    if (copies) element = middle;
    element.within = static_cast<std::uint8_t>(e);
    element.slot = static_cast<std::uint16_t>(first_slot + e);
    Scalar offset[Dim] = {}, gap = touch.gap;
    if constexpr (Law::kDeforms) {
      for (int k = 0; k < Dim; ++k) offset[k] = -*drop++;
      Scalar t = 0, o = 0;
      if (spread) {
        law.template spread<Dim>(m, c, e, t, o);
        shift_element(touch, bend.gap, t, o, middle, element);
        if constexpr (C.has(material_patches)) offset[0] -= rise_at<Dim>(travel.tilt, t, o);
      }
      gap = element.gap + carried[e * Dim];
    }
    if (!law.add_offset(Candidate<Scalar, Dim, C>{m, state, placed, c, element, gap, next_gap}, offset[0]))
      continue;
    for (int k = 0; k < Dim; ++k) found.offset[at(n * Dim + k)] = offset[k];
    found.mu[at(n)] = c.friction.kinetic;
    if constexpr (C.has(varying_friction))
      if (c.friction.kind != contact::FrictionKind::constant)
        found.mu[at(n)] = coefficient(m, state, placed, c, element);
    ++n;
  }
  found.elements = n;
}

// A point takes part when its gap is below what four times the largest speed of the free motion covers in a
// step: an impact elsewhere on a body can turn it towards a neighbour, but not faster than that (a point of a
// free body is not thrown back at more than three times the speed of the blow). A point too many changes
// nothing; one too few is caught a step later. margin: what a gap may be off besides, m.
//
// False if the clock has ended it.
template <class Scalar, int Dim, Capacity C, Clock Time = const NoClock>
[[gnu::hot]] inline bool find(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                              const Placed<Scalar, Dim, C>& placed, const Estimate<Scalar, Dim, C>& estimate,
                              Scalar margin, Found<Scalar, Dim, C>& found, Time& clock = kNoClock) {
  found.good = true;
  found.overflow = found.crowded = false;
  found.elements = 0;
  const Scalar reach = found.reach = reach_of(m, placed) + margin;
  for (int i = 0; i < m.contacts; ++i) {
    const auto& c = m.contact[at(i)];
    const int ends = m.radius[c.bodies.a] > 0 && m.radius[c.bodies.b] > 0 ? 1 : 0;
    if (!clock.go_on(Piece::find, ends, c.point_slots * c.elements)) return false;
    Touches<Scalar, Dim> touches;
    Scalar next_gap[at(C.has(printed_rules) ? kMaxTouches : 1)];
    const auto& frame_a = placed.body[c.bodies.a].frame;
    const auto& frame_b = placed.body[c.bodies.b].frame;
    const Scalar turn = Dim == 2 ? m.h * (placed.body[c.bodies.a].velocity.angular[0] +
                                          placed.body[c.bodies.b].velocity.angular[0])
                                 : 0;
    if (find_touches(m, c, frame_a, frame_b, reach, turn, touches) == geometry::FindStatus::bad_input) {
      found.good = false;
      return true;
    }
    take_gaps_back(m, placed, c.bodies, estimate, touches);
    const bool ahead = m.normal_rule() == NormalRule::stewart;
    if (ahead) look_ahead(m, state, c, touches, next_gap);
    const int corners = polygon_corners(m, c);
    bool left_out = touches.count == kMaxTouches && corners + c.given_points > kMaxTouches;
    std::uint32_t taken = 0;
    for (int k = 0; k < touches.count; ++k) {
      auto& touch = touches[k];
      if (found.elements + c.elements > C.active) {
        left_out = true;
        break;
      }
      const int slot = c.first_slot + claim_slot(touch.feature, c.point_slots, taken) * c.elements;
      with_law<C>(c, [&](auto law) {
        add_elements(law, m, state, placed, estimate, i, touch, ahead ? next_gap[k] : Scalar(0), slot, found);
      });
    }
    if (left_out) (corners > 0 && is_exact<C>(c) ? found.crowded : found.overflow) = true;
  }
  return true;
}

}  // namespace tactus::stepper::detail
