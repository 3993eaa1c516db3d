// The tangents of compliant contacts in space, which go with the normal.
//
// A patch keeps its deformation in its own frame. The frame that geometry gives a normal (t along the world's
// x, or y) turns about n when n turns, by a quarter or half a turn at the seam 26 degrees from x: a grasp
// that turns past it would pull the other way. So the frame of a patch is the last step's (n, t), taken to
// the new normal n' by the least rotation that does so,
//
//     t' = t - (t . n') / (1 + n . n') (n + n'),     o' = n' x t'
//
// which no choice of axes enters. A patch that has never touched takes geometry's; one that touches again
// goes on from its last frame, in which what is left of its deformation is. A spread patch has its last
// (n, t) in its elastic body, so that its elements turn with the material (elastic_body.hpp); a lumped one,
// which has no material around it, and a printed one in the world.
//
// The frame of a patch has n into its elastic body. Where that is the first of the pair, whose rows have n
// out of it, all three axes of the rows are those of the patch reversed: the order of a pair changes signs.
//
// Cost: some 30 multiplications and a root a patch and step, with the turns into the elastic body 20 more.
// Memory: an Anchor a slot of State, and one an element of Found, in worlds that have patches. It cannot
// fail: a frame that turned by more than a quarter in one step, or is none, gives way to geometry's.
#pragma once

#include <cmath>

#include "tactus/stepper/touches.hpp"

namespace tactus::stepper::detail {

template <int Dim, Capacity C>
inline constexpr bool kCarriesFrames = Dim == 3 && kDeforms<C>;

// `material`: of a patch whose frame goes with its elastic body; `last`: of its first slot.
template <class Scalar, int Dim, Capacity C>
inline void carry_frame(const Placed<Scalar, Dim, C>& placed, const Contact<Scalar>& c, bool material,
                        const Anchor<Scalar, Dim>& last, Touch<Scalar, Dim>& touch) {
  if constexpr (kCarriesFrames<Dim, C>) {
    const auto& frame = placed.body[c.elastic_body()].frame;
    math::Vector3<Scalar> n(last.normal[0], last.normal[1], last.normal[2]);
    math::Vector3<Scalar> t(last.tangent[0], last.tangent[1], last.tangent[2]);
    if (material) {
      n = frame.turn(n);
      t = frame.turn(t);
    }
    const Scalar near = math::fused_dot<Scalar, 3>(n, touch.normal);
    if (near > 0) {
      t -= math::fused_dot<Scalar, 3>(t, touch.normal) / (1 + near) * (n + touch.normal);
      t -= math::fused_dot<Scalar, 3>(t, touch.normal) * touch.normal;  // rounding adds up over steps
      const Scalar square = math::fused_dot<Scalar, 3>(t, t);
      if (square > Scalar(0.5) && square < 2) {
        touch.tangent = t / std::sqrt(square);
        touch.binormal = math::cross(touch.normal, touch.tangent);
        if (c.first_is_elastic) touch.binormal = -touch.binormal;
        return;
      }
    }
    // Geometry's tangent is the same for n and -n.
    if (c.first_is_elastic) touch.tangent = -touch.tangent;
  }
}

// The frame of a touch, for the next step.
template <class Scalar, int Dim, Capacity C>
inline void keep_frame(const Placed<Scalar, Dim, C>& placed, const Contact<Scalar>& c, bool material,
                       const Touch<Scalar, Dim>& touch, Anchor<Scalar, Dim>& anchor) {
  anchor.known = true;
  if constexpr (kCarriesFrames<Dim, C>) {
    const auto& frame = placed.body[c.elastic_body()].frame;
    const math::Vector3<Scalar> n = material ? frame.turn_back(touch.normal) : touch.normal;
    const math::Vector3<Scalar> t = material ? frame.turn_back(touch.tangent) : touch.tangent;
    for (int k = 0; k < 3; ++k) {
      anchor.normal[at(k)] = n[k];
      anchor.tangent[at(k)] = t[k];
    }
  }
}

template <class Scalar, int Dim, Capacity C>
inline void remember_anchors(const Model<Scalar, Dim, C>& m, const Found<Scalar, Dim, C>& found,
                             State<Scalar, Dim, C>& state) {
  if constexpr (kHasAnchors<Dim, C>) {
    if (m.patches == 0) return;
    for (int i = 0; i < found.elements; i += m.contact[found.element[at(i)].contact].elements) {
      const auto& e = found.element[at(i)];
      if (deforms<C>(m.contact[e.contact])) state.anchor[e.slot] = found.anchor[at(i)];
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
