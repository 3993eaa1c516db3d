// The equations of an implicit step at an iterate: rows, units, derivative. Part of implicit.hpp.
#pragma once

#include <algorithm>

#include "tactus/stepper/certify.hpp"
#include "tactus/stepper/implicit_contact.hpp"

namespace tactus::stepper::detail::implicit {

// What counts as solved: places to kPlaces of the unit of length, speeds and forces to kLaw of the pace of
// the step. Newton's method goes on to rounding where it can. A single-precision place beyond 100 units of
// length is coarser than kPlaces, and refused.
template <class Scalar>
inline constexpr Scalar kPlaces = sizeof(Scalar) == 4 ? Scalar(1e-5) : Scalar(1e-10);

// Below this pace, times how many units of length a body is from the origin, rows of motion are judged as at
// it: what they may be off then moves nothing by more than the roundings of its place, and of bodies that
// come to rest less cannot be asked.
template <class Scalar>
inline constexpr Scalar kLeastPace = 4 * std::numeric_limits<Scalar>::epsilon() / kLaw<Scalar>;

// Calls f(body, first unknown of its motion) for each body that moves.
template <class Scalar, int Dim, Capacity C, class F>
inline void each_moving(const Model<Scalar, Dim, C>& m, const F& f) {
  for (int i = 0; i < m.bodies; ++i)
    if (m.implicit.column[at(i)] >= 0) f(at(i), m.implicit.column[at(i)]);
}

// Where the drift leads from the iterate's velocities. False where a body spins too fast for h.
template <class Scalar, int Dim, Capacity C>
inline bool place_end(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                      Workspace<Scalar, Dim, C>& ws) {
  each_moving(m, [&](std::size_t i, int) { ws.next.state.pose[i] = state.pose[i]; });
  if (!drift(m, state, ws.placed, ws.estimate, ws.next)) return false;
  each_moving(m, [&](std::size_t i, int) { ws.implicit.frame[i] = geometry::frame(ws.next.state.pose[i]); });
  return true;
}

// The unit of force is what moves the contact point by the unit of length in a step, at the most: 1 / (1 / m
// + r^2 / I) is the least mass that a point of a body can show. With a larger unit, the force of one
// iteration could turn the slip round by more than it was, and sticking would never be found.
template <class Scalar, int Dim, Capacity C>
inline Units<Scalar> units(const Model<Scalar, Dim, C>& m, const Workspace<Scalar, Dim, C>& ws,
                           dynamics::Pair pair) {
  Scalar mobility = 0;
  for (const std::uint8_t body : {pair.a, pair.b}) {
    if (m.implicit.column[at(body)] < 0) continue;
    const Scalar radius = m.radius[at(body)];
    Scalar turn = 0;
    for (int k = 0; k < dynamics::kSpin<Dim>; ++k)
      turn = std::max(turn, ws.placed.body[at(body)].inverse_inertia(k, k));
    mobility += m.inertia[at(body)].inverse_mass + radius * radius * turn;
  }
  return {m.implicit.length, m.h, m.implicit.length / (m.h * m.h * mobility)};
}

template <class Scalar, int Dim, Capacity C>
inline geometry::Placed<Scalar, Dim, C.pieces> placed(const Model<Scalar, Dim, C>& m,
                                                      const Workspace<Scalar, Dim, C>& ws, int body) {
  if constexpr (C.pieces > 1)
    if (ws.implicit.bend > 0) return {&ws.implicit.bent[at(body)], ws.implicit.frame[at(body)]};
  return {&m.implicit.surface[at(body)], ws.implicit.frame[at(body)]};
}

template <class Scalar, int Dim, Capacity C>
inline contact::FrictionEllipsoid<Scalar, Dim> friction_of(const Model<Scalar, Dim, C>& m, int i) {
  contact::FrictionEllipsoid<Scalar, Dim> friction;
  friction.mu = m.contact[at(i)].friction.kinetic;
  if constexpr (C.torsion) friction.axis = m.ellipsoid[i];
  return friction;
}

template <class Scalar, int Dim, Capacity C>
inline ContactEquations<Scalar, Dim, C.pieces> equations(const Model<Scalar, Dim, C>& m,
                                                         const Workspace<Scalar, Dim, C>& ws, int i) {
  const auto [a, b] = m.contact[at(i)].bodies;
  const auto& now = ws.next.state.implicit;
  return {placed(m, ws, a),   placed(m, ws, b),  ws.next.velocity[a], ws.next.velocity[b],
          now.closest[at(i)], friction_of(m, i), now.lambda[at(i)],   units(m, ws, {a, b})};
}

// The turn of q' by a change d of omega. Of a sphere exactly, whose u is h / 2 (1 + (h omega)^2 / 12) omega;
// else to order 2, for which what d does to the free body's acceleration I^-1 (I omega x omega) is added to
// u. From (1, u) / |(1, u)|: 2 (du + u x du) / (1 + u . u).
template <class Scalar>
inline math::Vector<Scalar, 1> turn_change(const dynamics::Inertia<Scalar, 2>&,
                                           const dynamics::Mobility<Scalar, 2>&,
                                           const math::Vector<Scalar, 1>&, const math::Vector<Scalar, 1>& d,
                                           Scalar h) {
  return h * d;
}
template <class Scalar>
inline math::Vector<Scalar, 3> turn_change(const dynamics::Inertia<Scalar, 3>& inertia,
                                           const dynamics::Mobility<Scalar, 3>& start,
                                           const math::Vector<Scalar, 3>& omega,
                                           const math::Vector<Scalar, 3>& d, Scalar h) {
  using V = math::Vector<Scalar, 3>;
  const Scalar longer = 1 + h * h / 12 * math::dot(omega, omega);
  const V u = h / 2 * longer * omega;
  V du = longer * d + h * h / 6 * math::dot(omega, d) * omega;
  if (!inertia.isotropic) {
    const V m = dynamics::spin_momentum<Scalar, 3>(inertia, start.frame, omega),
            dm = dynamics::spin_momentum<Scalar, 3>(inertia, start.frame, d);
    du +=
        h / 2 * math::times<Scalar, 3>(start.inverse_inertia, V(math::cross(m, d) + math::cross(dm, omega)));
  }
  return h / (1 + math::dot(u, u)) * (du + math::cross(u, du));
}

// Adds what a wrench does to the momentum rows of one of its bodies: -h M^-1 (F, moment), in units of speed.
template <class Scalar, int Dim, Capacity C>
inline void push(const Model<Scalar, Dim, C>& m, const Workspace<Scalar, Dim, C>& ws, dynamics::Pair pair,
                 int side, const Wrench<Scalar, Dim>& w, Scalar* row, int stride) {
  constexpr int spin = dynamics::kSpin<Dim>;
  const int body = side == 0 ? pair.a : pair.b;
  if (m.implicit.column[at(body)] < 0) return;
  const int first = ws.implicit.layout.motion + m.implicit.column[at(body)];
  const Scalar h = side == 0 ? m.h : -m.h;
  const Scalar linear = h * m.inertia[at(body)].inverse_mass * (m.h / m.implicit.length);
  for (int k = 0; k < Dim; ++k) row[(first + k) * stride] += linear * w.force[k];
  const auto turn = math::times<Scalar, spin>(ws.placed.body[at(body)].inverse_inertia, w.moment[at(side)]);
  for (int k = 0; k < spin; ++k) row[(first + Dim + k) * stride] += h * m.h * turn[k];
}

// Largest rows of two kinds that rounding treats differently: places (closest points and gaps, without unit),
// and motion (momentum and friction, in parts of the pace).
template <class Scalar>
struct Largest {
  Scalar places = 0, motion = 0;
};

template <class Scalar>
inline void see(Scalar& largest, Scalar row) {
  largest = std::abs(row) <= largest ? largest : std::abs(row);  // NaN is kept
}

// The rows of a contact: of its closest points, and of its law.
template <int Dim, class Scalar>
inline void see_contact(Largest<Scalar>& largest, const Scalar* closest, int rows, const Scalar* law) {
  for (int r = 0; r < rows; ++r) see(largest.places, closest[r]);
  see(largest.places, law[0]);
  for (int r = 1; r <= contact::kFrictionAxes<Dim>; ++r) see(largest.motion, law[r]);
}

// Unknowns and rows in one order: the closest points of each contact, the forces of each contact, the motion
// of the bodies. So elimination works within one contact after the other, and the dense rest is small.
template <class Scalar, int Dim, Capacity C>
inline void lay_out(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws) {
  int n = 0;
  for (int i = 0; i < m.contacts; ++i) {
    ws.implicit.layout.closest[at(i)] = n;
    if (ws.implicit.near[at(i)]) n += ws.next.state.implicit.closest[at(i)].unknowns();
  }
  for (int i = 0; i < m.contacts; ++i) {
    ws.implicit.layout.force[at(i)] = n;
    if (ws.implicit.near[at(i)]) n += 1 + contact::kFrictionAxes<Dim>;
  }
  ws.implicit.layout.motion = n;
  ws.implicit.layout.count = n + m.implicit.moving * (Dim + dynamics::kSpin<Dim>);
}

// All rows at the iterate.
template <class Scalar, int Dim, Capacity C>
inline Largest<Scalar> residual(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws) {
  constexpr int spin = dynamics::kSpin<Dim>;
  lay_out(m, ws);
  Largest<Scalar> largest;
  Scalar* const row = ws.implicit.row.data();
  for (int i = 0; i < m.bodies; ++i) {
    if (m.implicit.column[at(i)] < 0) continue;
    Scalar* const r = row + ws.implicit.layout.motion + m.implicit.column[at(i)];
    const auto& now = ws.next.velocity[at(i)];
    const auto& free = ws.placed.body[at(i)].velocity;
    for (int k = 0; k < Dim; ++k) r[k] = (now.linear[k] - free.linear[k]) * (m.h / m.implicit.length);
    for (int k = 0; k < spin; ++k) r[Dim + k] = (now.angular[k] - free.angular[k]) * m.h;
  }
  for (int i = 0; i < m.contacts; ++i) {
    if (!ws.implicit.near[at(i)]) continue;
    const auto eq = equations(m, ws, i);
    Scalar* const closest = row + ws.implicit.layout.closest[at(i)];
    Scalar* const law = row + ws.implicit.layout.force[at(i)];
    eq.residual(closest, law);
    see_contact<Dim>(largest, closest, ws.next.state.implicit.closest[at(i)].unknowns(), law);
    const auto w = eq.wrench();
    for (int side = 0; side < 2; ++side) push(m, ws, m.contact[at(i)].bodies, side, w, row, 1);
  }
  for (int i = ws.implicit.layout.motion; i < ws.implicit.layout.count; ++i) see(largest.motion, row[i]);
  largest.motion /= ws.implicit.pace;
  return largest;
}

template <class Scalar, int Dim, Capacity C>
inline void derivative(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws) {
  constexpr int spin = dynamics::kSpin<Dim>, kMotionRows = Dim + spin;
  const int n = ws.implicit.layout.count;
  Scalar* const J = ws.implicit.J.data();
  for (int i = 0; i < n * n; ++i) J[i] = 0;
  for (int i = ws.implicit.layout.motion; i < n; ++i) J[i * n + i] = 1;
  for (int i = 0; i < m.contacts; ++i) {
    if (!ws.implicit.near[at(i)]) continue;
    const auto pair = m.contact[at(i)].bodies;
    const auto eq = equations(m, ws, i);
    const auto unit = units(m, ws, pair);
    const auto& closest = ws.next.state.implicit.closest[at(i)];
    const int first = ws.implicit.layout.closest[at(i)], force = ws.implicit.layout.force[at(i)];
    Scalar row[4 * Dim + 1], law[1 + contact::kFrictionAxes<Dim>];
    const auto write_law = [&](const Wrench<Scalar, Dim>& w, int c) {
      for (int r = 0; r <= contact::kFrictionAxes<Dim>; ++r) J[(force + r) * n + c] = law[r];
      for (int side = 0; side < 2; ++side) push(m, ws, pair, side, w, J + c, n);
    };
    const auto write = [&](const ContactChange<Scalar, Dim>& d, int c) {
      write_law(eq.change(d, row, law), c);
      for (int r = 0; r < closest.unknowns(); ++r) J[(first + r) * n + c] = row[r];
    };
    for (int side = 0; side < 2; ++side) {
      const int body = side == 0 ? pair.a : pair.b;
      if (m.implicit.column[at(body)] < 0) continue;
      for (int k = 0; k < kMotionRows; ++k) {
        ContactChange<Scalar, Dim> d;
        if (k < Dim) {
          d.velocity[at(side)].linear[k] = unit.speed();
          d.move[at(side)][k] = m.implicit.length;
        } else {
          d.velocity[at(side)].angular[k - Dim] = 1 / m.h;
          d.turn[at(side)] =
              turn_change(m.inertia[at(body)], ws.placed.body[at(body)], ws.next.velocity[at(body)].angular,
                          d.velocity[at(side)].angular, m.h);
        }
        write(d, ws.implicit.layout.motion + m.implicit.column[at(body)] + k);
      }
    }
    for (int k = 0; k < closest.unknowns(); ++k) {
      ContactChange<Scalar, Dim> d;
      geometry::set_unknown<Scalar, Dim>(d, closest, k, Scalar(1), m.implicit.length);
      write(d, first + k);
    }
    for (int k = 0; k <= contact::kFrictionAxes<Dim>; ++k) {
      EllipsoidForce<Scalar, Dim> by;
      (k == 0 ? by.n : by.y[k - 1]) = unit.force;
      write_law(eq.pressed(by, law), force + k);
    }
  }
}

}  // namespace tactus::stepper::detail::implicit
