// The equations of an implicit step at an iterate: rows, units, derivative. Part of implicit.hpp.
#pragma once

#include <algorithm>

#include "tactus/stepper/implicit_report.hpp"

namespace tactus::stepper::implicit {

// What counts as solved: places to kPlaces of the unit of length, speeds and forces to kMotion of the pace of
// the step. Newton's method goes on to rounding where it can. A single-precision place beyond 100 units of
// length is coarser than kPlaces, and refused.
template <class Scalar>
inline constexpr Scalar kPlaces = sizeof(Scalar) == 4 ? Scalar(1e-5) : Scalar(1e-10);
template <class Scalar>
inline constexpr Scalar kMotion = sizeof(Scalar) == 4 ? Scalar(1e-4) : Scalar(1e-9);

// Below this pace, times how many units of length a body is from the origin, rows of motion are judged as at
// it: what they may be off then moves nothing by more than the roundings of its place, and of bodies that
// come to rest less cannot be asked.
template <class Scalar>
inline constexpr Scalar kLeastPace = 4 * std::numeric_limits<Scalar>::epsilon() / kMotion<Scalar>;

namespace detail {

template <class T>
constexpr std::size_t at(T i) {
  return static_cast<std::size_t>(i);
}

// Where the drift leads from the iterate. False where a body spins too fast for h.
template <class Scalar, int Dim, Capacity C>
inline bool place(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                  Workspace<Scalar, Dim, C>& ws) {
  for (int i = 0; i < m.bodies; ++i) {
    if (m.column[at(i)] < 0) continue;
    ws.pose[at(i)] = state.pose[at(i)];
    ws.velocity[at(i)] = ws.now.velocity[at(i)];
    if (!dynamics::drift(m.inertia[at(i)], geometry::frame(state.pose[at(i)]), m.h, ws.pose[at(i)],
                         ws.velocity[at(i)]))
      return false;
    ws.frame[at(i)] = geometry::frame(ws.pose[at(i)]);
  }
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
    if (m.column[at(body)] < 0) continue;
    const Scalar radius = m.surface[at(body)].radius;
    Scalar turn = 0;
    for (int k = 0; k < dynamics::kSpin<Dim>; ++k) turn = std::max(turn, ws.inverse_inertia[at(body)](k, k));
    mobility += m.inertia[at(body)].inverse_mass + radius * radius * turn;
  }
  return {m.length, m.h, m.length / (m.h * m.h * mobility)};
}

template <class Scalar, int Dim, Capacity C>
inline geometry::Placed<Scalar, Dim, C.pieces> placed(const Model<Scalar, Dim, C>& m,
                                                      const Workspace<Scalar, Dim, C>& ws, int body) {
  if constexpr (C.pieces > 1)
    if (ws.bend > 0) return {&ws.bent[at(body)], ws.frame[at(body)]};
  return {&m.surface[at(body)], ws.frame[at(body)]};
}

template <class Scalar, int Dim, Capacity C>
inline ContactEquations<Scalar, Dim, C.pieces> equations(const Model<Scalar, Dim, C>& m,
                                                         const Workspace<Scalar, Dim, C>& ws, int i) {
  const auto& c = m.contact[at(i)];
  return {placed(m, ws, c.bodies.a),   placed(m, ws, c.bodies.b), ws.now.velocity[c.bodies.a],
          ws.now.velocity[c.bodies.b], ws.now.closest[at(i)],     c.friction,
          ws.now.lambda[at(i)],        units(m, ws, c.bodies)};
}

// The turn of q' by a change d of omega. Of a sphere exactly, whose u is h / 2 (1 + (h omega)^2 / 12) omega;
// else to order 2, for which what d does to the free body's acceleration I^-1 (I omega x omega) is added to
// u. From (1, u) / |(1, u)|: 2 (du + u x du) / (1 + u . u).
template <class Scalar>
inline math::Vector<Scalar, 1> turn_change(const dynamics::Inertia<Scalar, 2>&,
                                           const geometry::PlanarPose<Scalar>&,
                                           const dynamics::SpinMatrix<Scalar, 2>&,
                                           const math::Vector<Scalar, 1>&, const math::Vector<Scalar, 1>& d,
                                           Scalar h) {
  return h * d;
}
template <class Scalar>
inline math::Vector<Scalar, 3> turn_change(const dynamics::Inertia<Scalar, 3>& inertia,
                                           const geometry::SpatialPose<Scalar>& start,
                                           const dynamics::SpinMatrix<Scalar, 3>& world_inverse,
                                           const math::Vector<Scalar, 3>& omega,
                                           const math::Vector<Scalar, 3>& d, Scalar h) {
  using V = math::Vector<Scalar, 3>;
  const Scalar longer = 1 + h * h / 12 * math::dot(omega, omega);
  const V u = h / 2 * longer * omega;
  V du = longer * d + h * h / 6 * math::dot(omega, d) * omega;
  if (!inertia.isotropic) {
    const auto frame = geometry::frame(start);
    const V m = dynamics::spin_momentum<Scalar, 3>(inertia, frame, omega),
            dm = dynamics::spin_momentum<Scalar, 3>(inertia, frame, d);
    du += h / 2 * math::times<Scalar, 3>(world_inverse, V(math::cross(m, d) + math::cross(dm, omega)));
  }
  return h / (1 + math::dot(u, u)) * (du + math::cross(u, du));
}

// Adds what a wrench does to the momentum rows of one of its bodies: -h M^-1 (F, moment), in units of speed.
template <class Scalar, int Dim, Capacity C>
inline void push(const Model<Scalar, Dim, C>& m, const Workspace<Scalar, Dim, C>& ws, dynamics::Pair pair,
                 int side, const Wrench<Scalar, Dim>& w, Scalar* row, int stride) {
  constexpr int spin = dynamics::kSpin<Dim>;
  const int body = side == 0 ? pair.a : pair.b;
  if (m.column[at(body)] < 0) return;
  const int first = ws.layout.motion + m.column[at(body)];
  const Scalar h = side == 0 ? m.h : -m.h;
  const Scalar linear = h * m.inertia[at(body)].inverse_mass * (m.h / m.length);
  for (int k = 0; k < Dim; ++k) row[(first + k) * stride] += linear * w.force[k];
  const auto turn = math::times<Scalar, spin>(ws.inverse_inertia[at(body)], w.moment[at(side)]);
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

// Unknowns and rows in one order: the closest points of each contact, the forces of each contact, the motion
// of the bodies. So elimination works within one contact after the other, and the dense rest is small.
template <class Scalar, int Dim, Capacity C>
inline void lay_out(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws) {
  int n = 0;
  for (int i = 0; i < m.contacts; ++i) {
    ws.layout.closest[at(i)] = n;
    if (ws.near[at(i)]) n += ws.now.closest[at(i)].unknowns();
  }
  for (int i = 0; i < m.contacts; ++i) {
    ws.layout.force[at(i)] = n;
    if (ws.near[at(i)]) n += 1 + contact::kFrictionAxes<Dim>;
  }
  ws.layout.motion = n;
  ws.layout.count = n + m.moving * (Dim + dynamics::kSpin<Dim>);
}

// All rows at the iterate.
template <class Scalar, int Dim, Capacity C>
inline Largest<Scalar> residual(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws) {
  constexpr int spin = dynamics::kSpin<Dim>;
  lay_out(m, ws);
  Largest<Scalar> largest;
  Scalar* const row = ws.row.data();
  for (int i = 0; i < m.bodies; ++i) {
    if (m.column[at(i)] < 0) continue;
    Scalar* const r = row + ws.layout.motion + m.column[at(i)];
    const auto& now = ws.now.velocity[at(i)];
    const auto& free = ws.free[at(i)];
    for (int k = 0; k < Dim; ++k) r[k] = (now.linear[k] - free.linear[k]) * (m.h / m.length);
    for (int k = 0; k < spin; ++k) r[Dim + k] = (now.angular[k] - free.angular[k]) * m.h;
  }
  for (int i = 0; i < m.contacts; ++i) {
    if (!ws.near[at(i)]) continue;
    const auto eq = equations(m, ws, i);
    Scalar* const closest = row + ws.layout.closest[at(i)];
    Scalar* const law = row + ws.layout.force[at(i)];
    eq.residual(closest, law);
    for (int r = 0; r < ws.now.closest[at(i)].unknowns(); ++r) see(largest.places, closest[r]);
    see(largest.places, law[0]);
    for (int r = 1; r <= contact::kFrictionAxes<Dim>; ++r) see(largest.motion, law[r]);
    const auto w = eq.wrench();
    for (int side = 0; side < 2; ++side) push(m, ws, m.contact[at(i)].bodies, side, w, row, 1);
  }
  for (int i = ws.layout.motion; i < ws.layout.count; ++i) see(largest.motion, row[i]);
  largest.motion /= ws.pace;
  return largest;
}

template <class Scalar, int Dim, Capacity C>
inline void derivative(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                       Workspace<Scalar, Dim, C>& ws) {
  constexpr int spin = dynamics::kSpin<Dim>, kMotionRows = Dim + spin;
  const int n = ws.layout.count;
  Scalar* const J = ws.J.data();
  for (int i = 0; i < n * n; ++i) J[i] = 0;
  for (int i = ws.layout.motion; i < n; ++i) J[i * n + i] = 1;
  for (int i = 0; i < m.contacts; ++i) {
    if (!ws.near[at(i)]) continue;
    const auto pair = m.contact[at(i)].bodies;
    const auto eq = equations(m, ws, i);
    const auto unit = units(m, ws, pair);
    const auto& closest = ws.now.closest[at(i)];
    const int first = ws.layout.closest[at(i)], force = ws.layout.force[at(i)];
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
      if (m.column[at(body)] < 0) continue;
      for (int k = 0; k < kMotionRows; ++k) {
        ContactChange<Scalar, Dim> d;
        if (k < Dim) {
          d.velocity[at(side)].linear[k] = unit.speed();
          d.move[at(side)][k] = m.length;
        } else {
          d.velocity[at(side)].angular[k - Dim] = 1 / m.h;
          d.turn[at(side)] =
              turn_change(m.inertia[at(body)], state.pose[at(body)], ws.inverse_inertia[at(body)],
                          ws.now.velocity[at(body)].angular, d.velocity[at(side)].angular, m.h);
        }
        write(d, ws.layout.motion + m.column[at(body)] + k);
      }
    }
    for (int k = 0; k < closest.unknowns(); ++k) {
      ContactChange<Scalar, Dim> d;
      geometry::set_unknown<Scalar, Dim>(d, closest, k, Scalar(1), m.length);
      write(d, first + k);
    }
    for (int k = 0; k <= contact::kFrictionAxes<Dim>; ++k) {
      Force<Scalar, Dim> by;
      (k == 0 ? by.n : by.y[k - 1]) = unit.force;
      write_law(eq.pressed(by, law), force + k);
    }
  }
}

}  // namespace detail
}  // namespace tactus::stepper::implicit
