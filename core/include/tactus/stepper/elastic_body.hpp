// How a patch moves over its elastic body within a step, so that its history stays with the material
// (contact/carry.hpp).
//
// At the end of the step the middle of the patch is where the bodies will touch. Of surfaces with the
// curvatures k_E and k_O along the tangents, that rotate against each other by w and slip by v, all of E
// against O and n into E, the contact moves over E at
//
//     (k_E + k_O) c = w x n - k_O v
//
// Where both are flat, and in corners, c = 0: there the place of the touch says what has happened. That place
// in the frame of E, with h c, is the anchor; what the last one lacked or had too much, this step makes up
// for, so that no error adds up. Velocities are those before the step.
//
// Then the window follows the contact, and its gaps do not change because the bodies roll: n . (w x r), which
// the row of an element at r has, is the speed of the material there, and c takes it back, k r . c. It is
// taken off the row. With the elements left where the material goes instead, those ahead were pressed and
// those behind let go within each step: a brake in proportion to h.
//
// Cost: in the plane two rotations of two numbers and a division, in space four of three. Memory: Anchor, a
// slot of State and an element of Found. It cannot fail: c beyond all numbers leaves the material behind.
#pragma once

#include "tactus/contact/curvature.hpp"
#include "tactus/stepper/carried_frame.hpp"

namespace tactus::stepper::detail {

// Of both bodies of a touch together, and of the one that is not elastic.
template <class Scalar>
struct Bend {
  contact::Curvature<Scalar> gap, other;
};

template <class Scalar, int Dim, Capacity C>
inline Bend<Scalar> bend_at(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed,
                            const Contact<Scalar>& c, const Touch<Scalar, Dim>& touch) {
  const auto of = [&](std::uint8_t body) {
    if constexpr (Dim == 2)
      return contact::curvature<Scalar>(m.shape[body], placed.body[body].frame, touch.normal);
    else
      return contact::curvature<Scalar>(m.shape[body], placed.body[body].frame, touch.normal, touch.tangent,
                                        touch.binormal);
  };
  const auto elastic = of(c.elastic_body()), other = of(c.other_body());
  return {{elastic.tt + other.tt, elastic.to + other.to, elastic.oo + other.oo}, other};
}

// Along t and o of the touch.
template <class Scalar, int Dim>
struct Travel {
  Scalar moved[Dim - 1] = {};  // in cells of the patch, from its anchor to the end of the step
  Scalar rise[Dim - 1] = {};   // how much wider the gap of what comes is, a metre away, m
  Scalar tilt[Dim - 1] = {};   // how fast the gap opens by rolling, a metre away, rad/s
};

// How fast the contact moves over the elastic body, along t and o; and the tilt of `out`.
template <class Scalar, int Dim>
inline void roll_on(const Element<Scalar, Dim>& middle, const Bend<Scalar>& bend, Scalar sign,
                    const dynamics::Motion<Scalar, Dim>& va, const dynamics::Motion<Scalar, Dim>& vb,
                    Travel<Scalar, Dim>& out, Scalar (&speed)[Dim - 1]) {
  using Vector = math::Vector<Scalar, Dim>;
  const auto& axis = middle.frame.axis;
  const auto& [tt, to, oo] = bend.gap;
  if constexpr (Dim == 2) {
    if (!(tt > 0)) return;
    out.tilt[0] = vb.angular[0] - va.angular[0];
    Scalar t = out.tilt[0];
    if (bend.other.tt > 0)
      t += sign * bend.other.tt *
           math::fused_dot<Scalar, 2>(axis[1], dynamics::relative_velocity(middle.frame, va, vb));
    speed[0] = -t / tt;
  } else {
    const Scalar square = tt * oo - to * to;
    if (!(square > 0)) return;
    const Vector rolled = math::cross<Scalar>(vb.angular - va.angular, axis[0]);
    const Vector slip = sign * dynamics::relative_velocity(middle.frame, va, vb);
    for (int k = 0; k < 2; ++k) out.tilt[k] = -math::fused_dot<Scalar, 3>(rolled, axis[k + 1]);
    const Scalar vt = math::fused_dot<Scalar, 3>(slip, axis[1]),
                 vo = math::fused_dot<Scalar, 3>(slip, axis[2]);
    const Scalar t = out.tilt[0] + (bend.other.tt * vt + bend.other.to * vo);
    const Scalar o = out.tilt[1] + (bend.other.to * vt + bend.other.oo * vo);
    speed[0] = (to * o - oo * t) / square;
    speed[1] = (to * t - tt * o) / square;
  }
}

// `middle`: of the touch. Writes `anchor`.
template <class Scalar, int Dim, Capacity C>
inline Travel<Scalar, Dim> travel(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                                  const Placed<Scalar, Dim, C>& placed,
                                  const Estimate<Scalar, Dim, C>& estimate, const Contact<Scalar>& c,
                                  const Element<Scalar, Dim>& middle, const Bend<Scalar>& bend,
                                  const Anchor<Scalar, Dim>& last, Anchor<Scalar, Dim>& anchor) {
  using Vector = math::Vector<Scalar, Dim>;
  const auto& [a, b] = middle.bodies;
  const auto& frame = placed.body[c.elastic_body()].frame;
  const Scalar sign = c.first_is_elastic ? Scalar(-1) : Scalar(1);
  const Vector arm = c.first_is_elastic ? middle.frame.arm_a : middle.frame.arm_b;
  const auto *va = &velocity_before(m, state, placed, a), *vb = &velocity_before(m, state, placed, b);
  Scalar h = m.h;
  if constexpr (kRepeats<Dim, C>) {
    if (estimate.made) {  // the touch is where the step ends
      va = &estimate.velocity[a];
      vb = &estimate.velocity[b];
      h = 0;
    }
  }
  Travel<Scalar, Dim> out;
  Scalar speed[Dim - 1] = {}, by[Dim - 1] = {};
  roll_on(middle, bend, sign, *va, *vb, out, speed);
  Vector place, end = arm;
  for (int k = 0; k < Dim; ++k) place[k] = last.place[at(k)];
  const Vector since = arm - frame.turn(place);
  const Scalar cell = sign * m.patch[at(c.patch)].law.spacing;
  for (int k = 0; k + 1 < Dim; ++k) {
    const auto& along = middle.frame.axis[k + 1];
    const Scalar ahead = h * speed[k];
    if (last.known) by[k] = math::fused_dot<Scalar, Dim>(since, along) + ahead;
    out.moved[k] = by[k] / cell;
    math::add_multiple<Scalar, Dim>(ahead, along, end);
  }
  out.rise[0] = bend.gap.tt * by[0];
  if constexpr (Dim == 3) {
    out.rise[0] += bend.gap.to * by[1];
    out.rise[1] = bend.gap.to * by[0] + bend.gap.oo * by[1];
  }
  end = frame.turn_back(end);
  for (int k = 0; k < Dim; ++k) anchor.place[at(k)] = end[k];
  return out;
}

}  // namespace tactus::stepper::detail
