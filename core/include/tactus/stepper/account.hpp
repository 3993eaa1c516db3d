// After the solve: the velocities, the deformations, what is remembered, and what the report says.
#pragma once

#include <algorithm>

#include "tactus/stepper/report.hpp"
#include "tactus/stepper/torsion.hpp"

namespace tactus::stepper::detail {

// What the contacts give each body in the step, N s and N m s.
template <class Scalar, int Dim, Capacity C>
using Impulses = std::array<dynamics::Motion<Scalar, Dim>, at(C.bodies)>;

// nu' = nu + h M^-1 W^T lambda.
template <class Scalar, int Dim, Capacity C>
[[gnu::hot]] inline void apply_contacts(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws,
                                        Impulses<Scalar, Dim, C>& impulse) {
  using Vector = dynamics::Vector<Scalar, Dim>;
  constexpr int spin = dynamics::kSpin<Dim>;
  impulse = {};
  for (int i = 0; i < ws.elements; ++i) {
    const auto& e = ws.element[at(i)];
    Vector force = ws.lambda[at(i * Dim)] * e.frame.axis[0];
    dynamics::unrolled<Dim - 1>([&](int k) __attribute__((always_inline)) {
      force += ws.lambda[at(i * Dim + k + 1)] * e.frame.axis[k + 1];
    });
    const Vector p = m.h * force;
    if (ws.body[e.bodies.a].inverse_mass > 0) {
      impulse[e.bodies.a].linear -= p;
      impulse[e.bodies.a].angular -= dynamics::moment<Scalar>(e.frame.arm_a, p);
    }
    if (ws.body[e.bodies.b].inverse_mass > 0) {
      impulse[e.bodies.b].linear += p;
      impulse[e.bodies.b].angular += dynamics::moment<Scalar>(e.frame.arm_b, p);
    }
    if constexpr (C.torsion) {
      const Vector turn =
          m.ellipsoid.any() ? Vector(m.h * ws.torsion.moment[at(i)] * e.frame.axis[0]) : Vector::Zero();
      impulse[e.bodies.a].angular -= turn;
      impulse[e.bodies.b].angular += turn;
    }
  }
  for (int i = 0; i < m.bodies; ++i) {
    auto& body = ws.body[at(i)];
    if (!(body.inverse_mass > 0)) continue;
    body.velocity.linear += body.inverse_mass * impulse[at(i)].linear;
    body.velocity.angular += dynamics::times<Scalar, spin>(body.inverse_inertia, impulse[at(i)].angular);
  }
}

// delta' = delta + h (R lambda - B delta) of every patch; lambda = 0 where it has no rows in the step. The
// patches of ws.element follow each other whole, in the order of the contacts.
template <class Scalar, int Dim, Capacity C>
[[gnu::hot]] inline void deform(const Model<Scalar, Dim, C>& m, State<Scalar, Dim, C>& state,
                                Workspace<Scalar, Dim, C>& ws) {
  if constexpr (C.patches == 0) return;
  using Patch = contact::Patch<Scalar, Dim, C.patch_elements>;
  Scalar rate[at(Patch::kCapacity)], drop[at(Patch::kCapacity)];
  int next = 0;
  for (int i = 0; i < m.contacts; ++i) {
    const auto& c = m.contact[at(i)];
    const int found = next;
    while (next < ws.elements && ws.element[at(next)].contact == i) ++next;
    if (c.patch < 0) continue;
    const Patch& patch = m.patch[at(c.patch)];
    const int size = patch.size();
    for (int p = 0; p < c.point_slots; ++p) {
      const int first = c.first_slot + p * c.elements;
      Scalar* const delta = state.delta[at(first)].data();
      int row = found;
      while (row < next && ws.element[at(row)].slot != first) row += c.elements;
      if (row < next) {
        patch.respond(ws.lambda.data() + row * Dim, rate);
        const Scalar* const held = ws.drop.data() + row * Dim;
        for (int r = 0; r < size; ++r) delta[r] += m.h * (rate[r] - held[r]);
        continue;
      }
      bool still = true;
      for (int r = 0; r < size; ++r) still = still && delta[r] == 0;
      if (still) continue;
      patch.relax(delta, drop);
      for (int r = 0; r < size; ++r) delta[r] -= m.h * drop[r];
    }
  }
}

// The modes that the next step guesses first, and the grip.
template <class Scalar, int Dim, Capacity C>
inline void remember_modes(const Model<Scalar, Dim, C>& m, State<Scalar, Dim, C>& state,
                           const Workspace<Scalar, Dim, C>& ws) {
  const bool box = Dim == 2 || m.method.pyramid == contact::Pyramid::box;
  for (int i = 0; i < m.slots; ++i) {
    state.mode[at(i)] = {};
    state.grip[at(i)] = contact::Grip::unknown;
  }
  for (int i = 0; i < ws.elements; ++i) {
    const auto slot = ws.element[at(i)].slot;
    const auto mode = ws.outcome[at(i)].mode;
    state.mode[slot] =
        contact::remember<Scalar, Dim>(mode, &ws.lambda[at(i * Dim)], &ws.s[at(i * Dim)], ws.mu[at(i)], box);
    if (mode == contact::Mode::slip) state.grip[slot] = contact::Grip::slips;
    if (mode == contact::Mode::stick) state.grip[slot] = contact::Grip::sticks;
  }
}

template <class Scalar, int Dim, Capacity C>
inline void report_contacts(const Workspace<Scalar, Dim, C>& ws, StepReport<Scalar, Dim, C>& report) {
  using contact::Mode;
  for (int i = 0; i < ws.elements; ++i) {
    const auto& e = ws.element[at(i)];
    const auto& o = ws.outcome[at(i)];
    auto& c = report.contact[e.contact];
    for (int k = 0; k < Dim; ++k) c.force[k] += ws.lambda[at(i * Dim + k)];
    c.gap = c.elements == 0 ? e.gap : std::min(c.gap, e.gap);
    // slip over stick over open; among slips the fastest, else the smallest margin.
    const bool worse = o.mode != c.mode ? o.mode > c.mode
                                        : (o.mode == Mode::slip ? o.margin > c.margin : o.margin < c.margin);
    if (c.elements == 0 || worse) {
      c.mode = o.mode;
      c.margin = o.margin;
    }
    ++c.elements;
  }
}

// Called while `state` still holds the start of the step and ws.body the velocities of its end. With nu_m =
// (nu + nu') / 2 the work of an impulse p is nu_m . p.
template <class Scalar, int Dim, Capacity C>
inline void balance_energy(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                           const Workspace<Scalar, Dim, C>& ws, const Impulses<Scalar, Dim, C>& impulse,
                           const std::array<dynamics::Pose<Scalar, Dim>, at(C.bodies)>& estimate,
                           EnergyBalance<Scalar>& energy) {
  using Vector = dynamics::Vector<Scalar, Dim>;
  constexpr int spin = dynamics::kSpin<Dim>;
  using Spin = dynamics::Vector<Scalar, spin>;
  for (int i = 0; i < m.bodies; ++i) {
    const auto& inertia = m.inertia[at(i)];
    if (!(inertia.mass > 0)) continue;
    const auto& v = state.velocity[at(i)];
    const auto& body = ws.body[at(i)];
    const bool moved = m.method.fixed_point > 0;
    const auto frame = moved ? geometry::frame(estimate[at(i)]) : body.frame;
    const Scalar after = dynamics::kinetic_energy<Scalar, Dim>(inertia, frame, body.velocity);
    energy.kinetic += after;
    energy.change += after - dynamics::kinetic_energy<Scalar, Dim>(inertia, frame, v);
    const Vector linear = v.linear + body.velocity.linear;
    const Spin angular = v.angular + body.velocity.angular;
    Spin torque = state.force[at(i)].angular;
    if constexpr (Dim == 3) torque += dynamics::gyroscopic<Scalar, Dim>(inertia, body.frame, v.angular);
    const Vector force = inertia.mass * m.gravity + state.force[at(i)].linear;
    energy.applied +=
        m.h / 2 * (dynamics::dot<Scalar, Dim>(force, linear) + dynamics::dot<Scalar, spin>(torque, angular));
    energy.contact += (dynamics::dot<Scalar, Dim>(impulse[at(i)].linear, linear) +
                       dynamics::dot<Scalar, spin>(impulse[at(i)].angular, angular)) /
                      2;
  }
  if (has_arms(m.arm)) balance_arms(m, state, ws, energy);
  if constexpr (Workspace<Scalar, Dim, C>::kJointRows > 0) {
    for (int r = 0; r < ws.joint_rows; ++r) {
      const auto pair = ws.joint_pair[at(r)];
      const auto& row = ws.joint_row[at(r)];
      energy.joint += ws.joint_impulse[at(r)] *
                      (dynamics::speed(row, state.velocity[pair.a], state.velocity[pair.b]) +
                       dynamics::speed(row, ws.body[pair.a].velocity, ws.body[pair.b].velocity)) /
                      2;
    }
  }
}

}  // namespace tactus::stepper::detail
