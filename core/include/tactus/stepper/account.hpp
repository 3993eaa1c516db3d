// After the solve: the velocities, the deformations, what is remembered, and what the report says.
#pragma once

#include <algorithm>

#include "tactus/stepper/report.hpp"
#include "tactus/stepper/torsion.hpp"

namespace tactus::stepper::detail {

// What the contacts give each body in the step, N s and N m s.
template <class Scalar, int Dim, Capacity C>
using Impulses = std::array<dynamics::Motion<Scalar, Dim>, at(C.bodies)>;

// nu' = nu + h M^-1 W^T lambda. The elements of one pair of bodies follow each other.
template <class Scalar, int Dim, Capacity C>
[[gnu::hot]] inline void apply_contacts(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws,
                                        Impulses<Scalar, Dim, C>& impulse) {
  using Vector = math::Vector<Scalar, Dim>;
  constexpr int spin = dynamics::kSpin<Dim>;
  using Spin = math::Vector<Scalar, spin>;
  for (int i = 0; i < m.bodies; ++i) impulse[at(i)] = {};
  const Scalar* lambda = ws.lambda.data();
  for (int i = 0; i < ws.elements;) {
    const auto [a, b] = ws.element[at(i)].bodies;
    Vector force = Vector::Zero();
    Spin turn_a = Spin::Zero(), turn_b = turn_a;
    for (; i < ws.elements; ++i, lambda += Dim) {
      const auto& e = ws.element[at(i)];
      if (e.bodies.a != a || e.bodies.b != b) break;
      Vector f = lambda[0] * e.frame.axis[0];
      math::unrolled<Dim - 1>([&](int k) __attribute__((always_inline)) {
        math::add_multiple<Scalar, Dim>(lambda[k + 1], e.frame.axis[k + 1], f);
      });
      force += f;
      dynamics::add_moment<Scalar>(e.frame.arm_a, f, turn_a);
      dynamics::add_moment<Scalar>(e.frame.arm_b, f, turn_b);
      if constexpr (C.torsion) {
        if (m.ellipsoid.any()) {
          math::add_multiple<Scalar, 3>(ws.torsion.moment[at(i)], e.frame.axis[0], turn_a);
          math::add_multiple<Scalar, 3>(ws.torsion.moment[at(i)], e.frame.axis[0], turn_b);
        }
      }
    }
    const auto give = [&](std::uint8_t body, Scalar h, const Spin& turn) {
      if (!(ws.body[body].inverse_mass > 0)) return;
      math::add_multiple<Scalar, Dim>(h, force, impulse[body].linear);
      math::add_multiple<Scalar, spin>(h, turn, impulse[body].angular);
    };
    give(a, -m.h, turn_a);
    give(b, m.h, turn_b);
  }
  for (int i = 0; i < m.bodies; ++i) {
    auto& body = ws.body[at(i)];
    if (!(body.inverse_mass > 0)) continue;
    body.velocity.linear += body.inverse_mass * impulse[at(i)].linear;
    body.velocity.angular += math::times<Scalar, spin>(body.inverse_inertia, impulse[at(i)].angular);
  }
}

// delta' = delta + h (R lambda - B delta) of every patch; lambda = 0 where it has no rows in the step, which
// remember_modes() has noted. The patches of ws.element follow each other whole.
template <class Scalar, int Dim, Capacity C>
[[gnu::hot]] inline void deform(const Model<Scalar, Dim, C>& m, State<Scalar, Dim, C>& state,
                                const Workspace<Scalar, Dim, C>& ws) {
  if constexpr (C.patches == 0) return;
  const Scalar h = m.h;
  Scalar rate[at(contact::Patch<Scalar, Dim, C.patch_elements>::kCapacity)];
  for (int i = 0; i < ws.elements;) {
    const auto& c = m.contact[ws.element[at(i)].contact];
    if (c.patch >= 0) {
      const auto& patch = m.patch[at(c.patch)];
      Scalar* const delta = state.delta[ws.element[at(i)].slot].data();
      const Scalar* const drop = ws.drop.data() + i * Dim;
      const int size = patch.size();
      patch.respond(ws.lambda.data() + i * Dim, rate);
      for (int r = 0; r < size; ++r) delta[r] = math::multiply_add(h, rate[r] - drop[r], delta[r]);
    }
    i += c.elements;
  }
  for (int i = 0; i < m.contacts && ws.elements < m.slots; ++i) {
    const auto& c = m.contact[at(i)];
    if (c.patch < 0) continue;
    const auto& patch = m.patch[at(c.patch)];
    for (int p = 0; p < c.point_slots; ++p) {
      const int first = c.first_slot + p * c.elements;
      if (state.mode[at(first)].normal() != contact::Remembered::unknown) continue;
      Scalar* const delta = state.delta[at(first)].data();
      bool still = true;
      for (int r = 0; r < patch.size(); ++r) still = still && delta[r] == 0;
      if (still) continue;
      patch.relax(delta, rate);
      for (int r = 0; r < patch.size(); ++r) delta[r] -= h * rate[r];
    }
  }
}

// The modes that the next step guesses first, and the grip.
template <class Scalar, int Dim, Capacity C>
inline void remember_modes(const Model<Scalar, Dim, C>& m, State<Scalar, Dim, C>& state,
                           const Workspace<Scalar, Dim, C>& ws) {
  const bool box = Dim == 2 || m.method.pyramid == contact::Pyramid::box;
  using contact::Grip;
  using contact::Mode;
  for (int i = 0; i < m.slots && ws.elements < m.slots; ++i) {
    state.mode[at(i)] = {};
    state.grip[at(i)] = Grip::unknown;
  }
  for (int i = 0; i < ws.elements; ++i) {
    const auto slot = ws.element[at(i)].slot;
    const auto mode = ws.outcome[at(i)].mode;
    state.mode[slot] =
        contact::remember<Scalar, Dim>(mode, &ws.lambda[at(i * Dim)], &ws.s[at(i * Dim)], ws.mu[at(i)], box);
    state.grip[slot] = mode == Mode::slip ? Grip::slips : mode == Mode::stick ? Grip::sticks : Grip::unknown;
  }
}

// For the round cones. Where the step is not certified the next one starts from zero.
template <class Scalar, int Dim, Capacity C>
inline void remember_forces(const Model<Scalar, Dim, C>& m, State<Scalar, Dim, C>& state,
                            const Workspace<Scalar, Dim, C>& ws, bool certified) {
  if (m.method.friction == FrictionLaw::pyramid) return;
  for (int i = 0; i < m.slots; ++i) state.lambda[at(i)] = {};
  if (!certified) return;
  for (int i = 0; i < ws.elements; ++i) {
    auto& lambda = state.lambda[ws.element[at(i)].slot];
    for (int k = 0; k < Dim; ++k) lambda[at(k)] = ws.lambda[at(i * Dim + k)];
    if constexpr (C.torsion)
      if (m.ellipsoid.any())
        for (int k = 0; k < 4; ++k) lambda[at(k)] = ws.torsion.lambda[at(4 * i + k)];
  }
}

template <class Scalar, int Dim, Capacity C>
inline void report_contacts(const Workspace<Scalar, Dim, C>& ws, StepReport<Scalar, Dim, C>& report) {
  using contact::Mode;
  const Scalar* lambda = ws.lambda.data();
  for (int i = 0; i < ws.elements;) {
    const int first = i, contact = ws.element[at(i)].contact;
    ContactReport<Scalar, Dim> c;
    for (; i < ws.elements && ws.element[at(i)].contact == contact; ++i, lambda += Dim) {
      const auto& o = ws.outcome[at(i)];
      const Scalar gap = ws.element[at(i)].gap;
      add_force<Scalar, Dim, C>(ws.element[at(i)], lambda, c.force);
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

// Called while `state` still holds the start of the step, ws.body the velocities nu* after the contacts, and
// `next` what the drift has made of them. With nu_m = (nu + nu*) / 2 the work of an impulse p is nu_m . p.
template <class Scalar, int Dim, Capacity C>
inline void balance_energy(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                           const Workspace<Scalar, Dim, C>& ws, const Impulses<Scalar, Dim, C>& impulse,
                           const Estimate<Scalar, Dim, C>& estimate, const Drifted<Scalar, Dim, C>& next,
                           EnergyBalance<Scalar>& energy) {
  using Vector = math::Vector<Scalar, Dim>;
  constexpr int spin = dynamics::kSpin<Dim>;
  using Spin = math::Vector<Scalar, spin>;
  for (int i = 0; i < m.bodies; ++i) {
    const auto& inertia = m.inertia[at(i)];
    if (!(inertia.mass > 0)) continue;
    const auto& v = state.velocity[at(i)];
    const auto& body = ws.body[at(i)];
    const auto frame = start_frame(state, ws, estimate, i);
    const Scalar given = dynamics::kinetic_energy<Scalar, Dim>(inertia, frame, body.velocity);
    Scalar after = given;
    if (Dim == 3 && !inertia.isotropic)
      after = dynamics::kinetic_energy<Scalar, Dim>(inertia, geometry::frame(next.pose[at(i)]),
                                                    next.velocity[at(i)]);
    energy.kinetic += after;
    energy.free += after - given;
    energy.change += after - dynamics::kinetic_energy<Scalar, Dim>(inertia, frame, v);
    const Vector linear = v.linear + body.velocity.linear;
    const Spin angular = v.angular + body.velocity.angular;
    const Spin& torque = state.force[at(i)].angular;
    const Vector force = inertia.mass * m.gravity + state.force[at(i)].linear;
    energy.applied +=
        m.h / 2 *
        (math::fused_dot<Scalar, Dim>(force, linear) + math::fused_dot<Scalar, spin>(torque, angular));
    energy.contact += (math::fused_dot<Scalar, Dim>(impulse[at(i)].linear, linear) +
                       math::fused_dot<Scalar, spin>(impulse[at(i)].angular, angular)) /
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
