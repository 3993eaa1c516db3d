// After the solve: the velocities, the deformations, what is remembered, and what the report says.
#pragma once

#include <algorithm>

#include "tactus/stepper/certify.hpp"
#include "tactus/stepper/report.hpp"

namespace tactus::stepper {

// In all patches, J. 0 in a world without the part energy_balance.
template <class Scalar, int Dim, Capacity C>
inline Scalar elastic_energy(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state) {
  Scalar sum = 0;
  if constexpr (kDeforms<C>) {
    for (int i = 0; i < m.contacts; ++i) {
      const auto& c = m.contact[detail::at(i)];
      detail::with_law<C>(c, [&](auto law) {
        if constexpr (decltype(law)::kDeforms)
          for (int p = 0; p < c.point_slots; ++p)
            sum += law.energy(m, c, state.delta[detail::at(c.first_slot + p * c.elements)].data());
      });
    }
  }
  return sum;
}

}  // namespace tactus::stepper

namespace tactus::stepper::detail {

// The points of a contact that have no rows in the step.
template <class Law, class Scalar, int Dim, Capacity C>
inline void deform_freely(Law law, const Model<Scalar, Dim, C>& m, const Contact<Scalar>& c,
                          State<Scalar, Dim, C>& state) {
  Scalar rate[at(Law::template kRows<Dim, C>)];
  const int size = c.elements * Dim;
  for (int p = 0; p < c.point_slots; ++p) {
    const int first = c.first_slot + p * c.elements;
    if (state.mode[at(first)].normal() != contact::Remembered::unknown) continue;
    Scalar* const delta = state.delta[at(first)].data();
    bool still = true;
    for (int r = 0; r < size; ++r) still = still && delta[r] == 0;
    if (still) continue;
    law.relax(m, c, delta, rate);
    for (int r = 0; r < size; ++r) delta[r] -= m.h * rate[r];
  }
}

// delta' = delta + h (R lambda - B delta) of every point that deforms; lambda = 0 where it has no rows in the
// step, which remember_modes() has noted. The points of found.element follow each other whole.
template <class Scalar, int Dim, Capacity C>
[[gnu::hot]] inline void deform(const Model<Scalar, Dim, C>& m, const Found<Scalar, Dim, C>& found,
                                Next<Scalar, Dim, C>& next) {
  if constexpr (!kDeforms<C>) return;
  const Scalar h = m.h;
  auto& state = next.state;
  for (int i = 0; i < found.elements;) {
    const auto& c = m.contact[found.element[at(i)].contact];
    if (deforms<C>(c)) {
      Scalar* const delta = state.delta[found.element[at(i)].slot].data();
      const Scalar* const carried = found.carried.data() + i * Dim;
      const Scalar* const drop = found.drop.data() + i * Dim;
      const Scalar* const give = next.give.data() + i * Dim;
      const int size = c.elements * Dim;
      for (int r = 0; r < size; ++r) delta[r] = math::multiply_add(h, give[r] - drop[r], carried[r]);
    }
    i += c.elements;
  }
  for (int i = 0; i < m.contacts && found.elements < m.slots; ++i) {
    with_law<C>(m.contact[at(i)], [&](auto law) {
      if constexpr (decltype(law)::kDeforms) deform_freely(law, m, m.contact[at(i)], state);
    });
  }
}

// The modes that the next step guesses first, and the grip.
template <class Scalar, int Dim, Capacity C>
inline void remember_modes(const Model<Scalar, Dim, C>& m, const Found<Scalar, Dim, C>& found,
                           const Answer<Scalar, Dim, C>& answer, State<Scalar, Dim, C>& state) {
  using contact::Grip;
  using contact::Mode;
  for (int i = 0; i < m.slots && found.elements < m.slots; ++i) {
    state.mode[at(i)] = {};
    state.grip[at(i)] = Grip::unknown;
  }
  for (int i = 0; i < found.elements; ++i) {
    const auto slot = found.element[at(i)].slot;
    const auto mode = answer.outcome[at(i)].mode;
    state.mode[slot] = answer.next_guess[at(i)];
    state.grip[slot] = mode == Mode::slip ? Grip::slips : mode == Mode::stick ? Grip::sticks : Grip::unknown;
  }
}

// What a search has tried of an element, to be tried again.
template <class Scalar, int Dim>
inline contact::Remembered remember_tried(const contact::guess::ElementMode<Scalar, Dim>& mode, bool box) {
  if (!mode.closed) return {contact::Remembered::lifted};
  contact::Remembered was{contact::Remembered::closed};
  unsigned code = was.code;
  for (int k = 0; box && k + 1 < Dim; ++k)
    if (mode.bound[k]) code |= (mode.g[k] > 0 ? 1U : 2U) << (2 + 2 * k);
  if (!box && mode.bound[0]) {
    code |= 1U << 2;
    if constexpr (Dim == 3) was.point_along(mode.g);
  }
  was.code = static_cast<std::uint8_t>(code);
  return was;
}

template <class Scalar, int Dim, Capacity C>
inline void report_contacts(const Found<Scalar, Dim, C>& found, const Scalar* lambda,
                            const Answer<Scalar, Dim, C>& answer, StepReport<Scalar, Dim, C>& report) {
  using contact::Mode;
  for (int i = 0; i < found.elements;) {
    const int first = i, contact = found.element[at(i)].contact;
    ContactReport<Scalar, Dim, (C.pieces > 0)> c;
    for (; i < found.elements && found.element[at(i)].contact == contact; ++i, lambda += Dim) {
      const auto& o = answer.outcome[at(i)];
      const Scalar gap = found.element[at(i)].gap;
      add_force<Scalar, Dim, C>(found.element[at(i)], lambda, c.force);
      // slip over stick over open; among slips the fastest, else the smallest margin.
      const bool worse = o.mode != c.mode
                             ? o.mode > c.mode
                             : (o.mode == Mode::slip ? o.margin > c.margin : o.margin < c.margin);
      if (i == first || worse) {
        c.mode = o.mode;
        c.margin = o.margin;
      }
      c.gap = i == first ? gap : std::min(c.gap, gap);
    }
    c.elements = i - first;
    report.contact[at(contact)] = c;
  }
}

// The joints' shares of balance_energy(), by M~ at the start of the step.
template <class Scalar, int Dim, Capacity C>
inline void balance_arms(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                         const Placed<Scalar, Dim, C>& placed, const Next<Scalar, Dim, C>& next,
                         EnergyBalance<Scalar>& energy) {
  if constexpr (C.arm_joints > 0) {
    constexpr std::size_t stride = at(C.arm_joints);
    const auto& arm = placed.arm;
    const std::size_t n = at(m.arm.links.joints);
    for (std::size_t j = 0; j < n; ++j) {
      const Scalar before = state.arm.qd[j], after = next.state.arm.qd[j], mean = (before + after) / 2;
      Scalar impedance = m.h * (state.arm.damping[j] + m.h * state.arm.stiffness[j]);
      if constexpr (RowCount<Dim, C>::kDriven > 0) {
        energy.joint += mean * m.h * next.driven.mimic[j];
        energy.applied += mean * m.h * next.driven.motor[j];
      }
      if constexpr (C.servos > 0)
        if (math::finite(m.arm.motors.most[j])) impedance = 0;
      Scalar momentum_after = -impedance * after, momentum_before = -impedance * before;
      for (std::size_t i = 0; i < n; ++i) {
        momentum_after += arm.M[j * stride + i] * next.state.arm.qd[i];
        momentum_before += arm.M[j * stride + i] * state.arm.qd[i];
      }
      energy.kinetic += after * momentum_after / 2;
      energy.change += (after * momentum_after - before * momentum_before) / 2;
      energy.applied += mean * (arm.drive[j] - impedance * (after - before));
      energy.joint += mean * m.h * next.reaction[j];
      if constexpr (kBounces<C>)
        if (placed.impacts.events > 0) energy.contact += mean * placed.impacts.arm_impulse[j];
    }
  }
}

// With nu_m = (nu + nu*) / 2 the work of an impulse p is nu_m . p.
template <class Scalar, int Dim, Capacity C>
inline void balance_energy(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                           const Placed<Scalar, Dim, C>& placed, const Estimate<Scalar, Dim, C>& estimate,
                           const Next<Scalar, Dim, C>& next, EnergyBalance<Scalar>& energy) {
  using Vector = math::Vector<Scalar, Dim>;
  constexpr int spin = dynamics::kSpin<Dim>;
  using Spin = math::Vector<Scalar, spin>;
  Scalar impulses = 0;  // of contacts and joints
  for (int i = 0; i < m.bodies; ++i) {
    const auto& inertia = m.inertia[at(i)];
    if (!(inertia.mass > 0)) continue;
    const auto& v = state.velocity[at(i)];
    const auto frame = start_frame(state, placed, estimate, i);
    const auto& velocity = next.velocity[at(i)];
    const Scalar given = dynamics::kinetic_energy<Scalar, Dim>(inertia, frame, velocity);
    Scalar after = given;
    if (Dim == 3 && !inertia.isotropic)
      after = dynamics::kinetic_energy<Scalar, Dim>(inertia, geometry::frame(next.state.pose[at(i)]),
                                                    next.state.velocity[at(i)]);
    energy.kinetic += after;
    energy.free += after - given;
    energy.change += after - dynamics::kinetic_energy<Scalar, Dim>(inertia, frame, v);
    const Vector linear = v.linear + velocity.linear;
    const Spin angular = v.angular + velocity.angular;
    const Spin& torque = state.force[at(i)].angular;
    const Vector force = inertia.mass * m.gravity + state.force[at(i)].linear;
    energy.applied +=
        m.h / 2 *
        (math::fused_dot<Scalar, Dim>(force, linear) + math::fused_dot<Scalar, spin>(torque, angular));
    impulses += (math::fused_dot<Scalar, Dim>(next.impulse[at(i)].linear, linear) +
                 math::fused_dot<Scalar, spin>(next.impulse[at(i)].angular, angular)) /
                2;
  }
  energy.joint = next.joint_work;
  energy.contact = impulses - next.joint_work + next.arm_contact_work;
  if (has_arms(m.arm)) balance_arms(m, state, placed, next, energy);
  if (m.patches > 0) energy.elastic = elastic_energy(m, next.state);
}

}  // namespace tactus::stepper::detail
