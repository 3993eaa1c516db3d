// The tangents of compliant contacts in space, which go with the normal.
//
// A patch keeps its deformation in its own frame. The frame that geometry gives a normal (t along the world's
// x, or y) turns about n when n turns, by a quarter or half a turn at the seam 26 degrees from x: a grasp
// that turns past it would pull the other way. So the frame of a patch is the last step's (n, t), taken to
// the new normal n' by the least rotation that does so,
//
//     t' = t - (t . n') / (1 + n . n') (n + n'),     o' = n' x t'
//
// which no choice of axes enters. A patch that begins to touch takes geometry's.
//
// Cost: some 30 multiplications and a root a patch and step. Memory: six scalars a slot of State, in worlds
// of space that have patches. It cannot fail: a frame that turned by more than a quarter in one step, or is
// none, gives way to geometry's.
#pragma once

#include <cmath>

#include "tactus/stepper/touches.hpp"

namespace tactus::stepper::detail {

template <int Dim, Capacity C>
inline constexpr bool kCarriesFrames = Dim == 3 && kDeforms<C>;

// `slot`: the patch's first.
template <class Scalar, int Dim, Capacity C>
inline void carry_frame(const State<Scalar, Dim, C>& state, int slot, Touch<Scalar, Dim>& touch) {
  if constexpr (kCarriesFrames<Dim, C>) {
    const auto& last = state.last_frame[at(slot)];
    const math::Vector3<Scalar> n(last.normal[0], last.normal[1], last.normal[2]);
    math::Vector3<Scalar> t(last.tangent[0], last.tangent[1], last.tangent[2]);
    const Scalar near = math::fused_dot<Scalar, 3>(n, touch.normal);
    if (!(near > 0)) return;
    t -= math::fused_dot<Scalar, 3>(t, touch.normal) / (1 + near) * (n + touch.normal);
    t -= math::fused_dot<Scalar, 3>(t, touch.normal) * touch.normal;  // rounding adds up over steps
    const Scalar square = math::fused_dot<Scalar, 3>(t, t);
    if (!(square > Scalar(0.5) && square < 2)) return;
    touch.tangent = t / std::sqrt(square);
    touch.binormal = math::cross(touch.normal, touch.tangent);
  }
}

template <class Scalar, int Dim, Capacity C>
inline void remember_frames(const Model<Scalar, Dim, C>& m, const Found<Scalar, Dim, C>& found,
                            State<Scalar, Dim, C>& state) {
  if constexpr (kCarriesFrames<Dim, C>) {
    if (m.patches == 0) return;
    for (int i = 0; i < m.slots; ++i) state.last_frame[at(i)] = {};
    for (int i = 0; i < found.elements; ++i) {
      const auto& e = found.element[at(i)];
      const auto& [n, t, o] = e.frame.axis;
      if (e.within == 0 && deforms<C>(m.contact[e.contact]))
        state.last_frame[e.slot] = {{n[0], n[1], n[2]}, {t[0], t[1], t[2]}};
    }
  }
}

// Adds the force of an element, `lambda` in its own frame, in the frame that geometry gives its normal: the
// one of reports.
template <class Scalar, int Dim, Capacity C>
inline void add_force(const Element<Scalar, Dim>& e, const Scalar* lambda, math::Vector<Scalar, Dim>& force) {
  if constexpr (kCarriesFrames<Dim, C>) {
    const auto& [n, t, o] = e.frame.axis;
    const math::Vector3<Scalar> along = geometry::tangent(n);
    if (t != along) {
      const math::Vector3<Scalar> across = math::cross(n, along);
      const math::Vector3<Scalar> pull = lambda[1] * t + lambda[2] * o;
      force[0] += lambda[0];
      force[1] += math::fused_dot<Scalar, 3>(pull, along);
      force[2] += math::fused_dot<Scalar, 3>(pull, across);
      return;
    }
  }
  for (int k = 0; k < Dim; ++k) force[k] += lambda[k];
}

}  // namespace tactus::stepper::detail
