// The instant of a world: where it stands, as one contact problem at the level of accelerations
// (Pang-Trinkle 1996 (20)-(22)), which contact/acceleration_pyramid.hpp and acceleration_cone.hpp solve.
//
//     if (const Error error = instant(model, state, workspace, scratch, kExactState, problem)) return error;
//     const auto answer = contact::acceleration::solve_pyramid(problem.problem(), pyramid);
//
// Contacts are rigid. One takes part where the last step left it closed (State::mode), or where it is nearer
// than `touch` and not faster apart than `parts`; one that closes faster than that is an impact and has no
// accelerations. It slides where it is faster than `slides`, else it rolls. Joints of bodies and mimics hold.
// Of arms the drives act as they are now, within the limits of their motors; a joint that moves faster than
// `slides` rubs by all of its friction, one at rest by what it takes; one nearer than `touch` to its stop,
// and not faster away than `parts`, is at it.
//
// Cost: that of the rows. Memory: InstantScratch and InstantProblem. Failure: an Error, with the number of
// the contact or joint: a compliant contact or another law, an impact, no room.
#pragma once

#include "tactus/stepper/instant_problem.hpp"

namespace tactus::stepper {

// What counts as near, apart and sliding: by what the state's numbers are worth.
struct InstantLimits {
  double touch, slides, parts = 1e-3;  // m, m/s, m/s
};
inline constexpr InstantLimits kExactState{1e-6, 1e-6}, kFloatState{1e-5, 1e-4};

template <class Scalar, int Dim, Capacity C>
struct InstantScratch {
  State<Scalar, Dim, C> now, moved;
  InstantRows<Scalar, Dim, C> rows;
};

namespace detail {

template <class Scalar, int Dim, Capacity C>
inline Error has_instant(const Model<Scalar, Dim, C>& m) {
  if (m.is_implicit()) return {What::instant_law, -1};
  for (int i = 0; i < m.contacts; ++i)
    if (!is_exact<C>(m.contact[at(i)])) return {What::instant_law, i};
  return {};
}

// What acts now, as loads that are known.
template <class Scalar, int Dim, Capacity C>
inline void take_loads(const Model<Scalar, Dim, C>& m, State<Scalar, Dim, C>& state) {
  if constexpr (Dim == 3)
    for (int i = 0; i < m.bodies; ++i) {
      if (!(m.inertia[at(i)].inverse_mass > 0)) continue;
      const auto& spin = state.velocity[at(i)].angular;
      const auto L =
          dynamics::spin_momentum<Scalar, 3>(m.inertia[at(i)], geometry::frame(state.pose[at(i)]), spin);
      state.force[at(i)].angular -= math::cross<Scalar>(spin, L);
    }
  if constexpr (C.arm_joints > 0) {
    auto& arm = state.arm;
    for (std::size_t j = 0; j < at(m.arm.links.joints); ++j) {
      arm.torque[j] +=
          arm.stiffness[j] * (arm.position[j] - arm.q[j]) + arm.damping[j] * (arm.speed[j] - arm.qd[j]);
      arm.stiffness[j] = arm.damping[j] = 0;
    }
  }
}

// Chooses what takes part.
template <class Scalar, int Dim, Capacity C, int Contacts>
class InstantChoice {
 public:
  InstantChoice(const State<Scalar, Dim, C>& state, InstantRows<Scalar, Dim, C>& rows,
                const InstantLimits& limits, InstantProblem<Scalar, Dim, Contacts>& out)
      : state_(state),
        rows_(rows),
        out_(out),
        touch_(static_cast<Scalar>(limits.touch)),
        slides_(static_cast<Scalar>(limits.slides)),
        parts_(static_cast<Scalar>(limits.parts)) {}

  Error choose() {
    out_.count = 0;
    for (int i = 0; i < rows_.touches; ++i)
      if (const Error error = take(rows_.touch[at(i)])) return error;
    for (int i = 0; i < rows_.plains; ++i)
      if (const Error error = stop(rows_.plain[at(i)])) return error;
    for (int i = 0; i < rows_.plains; ++i) rub(rows_.plain[at(i)]);
    if (out_.count > Contacts) return {What::instant_capacity, -1, out_.count, Contacts};
    out_.make(rows_, slides_);
    return {};
  }

 private:
  Error take(const typename InstantRows<Scalar, Dim, C>::Touch& touch) {
    InstantContact<Scalar, Dim> one{InstantKind::contact, touch.contact, touch.row, 1, touch.gap, touch.mu};
    for (int k = 0; k < Dim; ++k) one.velocity[k] = rows_.v[at(touch.row + k)];
    const bool closed = state_.mode[at(touch.slot)].normal() == contact::Remembered::closed;
    if (!closed && (touch.gap > touch_ || one.velocity[0] > parts_)) return {};
    if (!closed && -one.velocity[0] > parts_)
      return {What::instant_impact, touch.contact, 0, -one.velocity[0]};
    for (int k = 0; k < Dim; ++k)
      if (!math::finite(rows_.b[at(touch.row + k)])) return {What::instant_passes, touch.contact};
    out_.add(one);
    return {};
  }

  Error stop(const typename InstantRows<Scalar, Dim, C>::Plain& plain) {
    if (plain.holds || plain.part >= 0) return {};
    for (const Scalar side : {Scalar(1), Scalar(-1)}) {
      const Scalar gap = side > 0 ? -plain.lower : plain.upper, speed = side * rows_.v[at(plain.row)];
      if (gap > touch_ || speed > parts_) continue;
      if (-speed > parts_) return {What::instant_stop, plain.joint, 0, -speed};
      InstantContact<Scalar, Dim> one{InstantKind::stop, plain.joint, plain.row, side, gap};
      one.velocity[0] = speed;
      out_.add(one);
    }
    return {};
  }

  // A joint that moves is a load on the others, the column of its row.
  void rub(const typename InstantRows<Scalar, Dim, C>::Plain& plain) {
    if (plain.holds || !(plain.friction > 0)) return;
    const Scalar speed = rows_.v[at(plain.row)];
    if (math::magnitude(speed) > slides_) {
      const Scalar pull = speed > 0 ? -plain.friction : plain.friction;
      for (int i = 0; i < rows_.count; ++i) rows_.b[at(i)] += rows_.A(i, plain.row) * pull;
    } else {
      out_.add({InstantKind::rub, plain.joint, plain.row, 1, 0, plain.friction});
    }
  }

  const State<Scalar, Dim, C>& state_;
  InstantRows<Scalar, Dim, C>& rows_;
  InstantProblem<Scalar, Dim, Contacts>& out_;
  const Scalar touch_, slides_, parts_;
};

}  // namespace detail

template <class Scalar, int Dim, Capacity C, int Contacts>
inline Error instant(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                     Workspace<Scalar, Dim, C>& ws, InstantScratch<Scalar, Dim, C>& scratch,
                     const InstantLimits& limits, InstantProblem<Scalar, Dim, Contacts>& out) {
  using namespace detail;
  out.count = 0;
  if (const Error error = has_instant(m)) return error;
  scratch.now = state;
  take_loads(m, scratch.now);
  if (const Error error = read_rows(m, scratch.now, true, ws, scratch.rows)) return error;
  if (const Error error = to_accelerations(m, scratch.now, scratch.moved, ws, scratch.rows)) return error;
  eliminate_held(scratch.rows);
  return InstantChoice<Scalar, Dim, C, Contacts>(state, scratch.rows, limits, out).choose();
}

}  // namespace tactus::stepper
