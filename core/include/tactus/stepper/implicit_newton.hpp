// Newton's method on the equations of an implicit step, and the certificate of what it found. Part of
// implicit.hpp.
#pragma once

#include "tactus/lcp/budget.hpp"
#include "tactus/math/elimination.hpp"
#include "tactus/stepper/implicit_system.hpp"

namespace tactus::stepper::implicit {

namespace detail {

template <class Scalar, int Dim, Capacity C>
inline void advance(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws, Scalar share) {
  constexpr int spin = dynamics::kSpin<Dim>;
  for (int i = 0; i < m.bodies; ++i) {
    if (m.column[at(i)] < 0) continue;
    const Scalar* const x = ws.x.data() + ws.layout.motion + m.column[at(i)];
    auto& v = ws.now.velocity[at(i)];
    for (int k = 0; k < Dim; ++k) v.linear[k] -= share * (m.length / m.h) * x[k];
    for (int k = 0; k < spin; ++k) v.angular[k] -= share / m.h * x[Dim + k];
  }
  for (int i = 0; i < m.contacts; ++i) {
    if (!ws.near[at(i)]) continue;
    geometry::add_unknowns(ws.now.closest[at(i)], ws.x.data() + ws.layout.closest[at(i)], m.length, -share);
    const Scalar force = share * units(m, ws, m.contact[at(i)].bodies).force;
    const Scalar* const x = ws.x.data() + ws.layout.force[at(i)];
    auto& lambda = ws.now.lambda[at(i)];
    lambda.n -= force * x[0];
    for (int k = 0; k < contact::kFrictionAxes<Dim>; ++k) lambda.y[k] -= force * x[k + 1];
  }
}

// True where ws.now can be accepted. Goes on while that helps, to rounding or until neither kind of row is
// halved.
template <class Scalar, int Dim, Capacity C, Clock Time>
inline bool newton(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                   Workspace<Scalar, Dim, C>& ws, Scalar share, lcp::Budget<Time>& budget) {
  constexpr Scalar kDone = 4 * std::numeric_limits<Scalar>::epsilon();
  Largest<Scalar> last;
  bool close = false;
  for (int k = 0;; ++k) {
    if (!place(m, state, ws)) return false;
    bool changed = false;
    for (int i = 0; i < m.contacts; ++i) {
      if (!ws.near[at(i)]) continue;
      const auto pair = m.contact[at(i)].bodies;
      auto& closest = ws.now.closest[at(i)];
      changed |= geometry::choose_active<Scalar, Dim, C.pieces>(placed(m, ws, pair.a), 0, closest);
      changed |= geometry::choose_active<Scalar, Dim, C.pieces>(placed(m, ws, pair.b), 1, closest);
    }
    const auto now = residual(m, ws);
    const bool was_close = close;
    close = !changed && now.places <= kPlaces<Scalar> && now.motion <= kMotion<Scalar>;
    const bool places_done = now.places <= kDone || !(now.places < last.places);
    const bool motion_done = now.motion <= kDone || !(now.motion < last.motion);
    if (close && (was_close || now.places + now.motion <= kDone) && places_done && motion_done) return true;
    last = now;
    if (!(now.places + now.motion < std::numeric_limits<Scalar>::max())) return false;
    if (k == kIterations || !budget.begin()) return false;
    derivative(m, state, ws);
    const int n = ws.layout.count;
    math::eliminate(ws.J.data(), n, n, ws.row.data(), ws.x.data(), ws.pivot.data(), ws.column.data(),
                    256 * std::numeric_limits<Scalar>::epsilon());
    // No body moves or turns by more than about itself at once.
    Scalar most = 0;
    for (int i = ws.layout.motion; i < n; ++i) most = std::max(most, std::abs(ws.x[at(i)]));
    advance(m, ws, most * share > Scalar(0.7) ? Scalar(0.7) / most : k < kDamped ? share : Scalar(1));
  }
}

template <class Scalar, int Dim, Capacity C>
inline void certify(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>&,
                    Workspace<Scalar, Dim, C>& ws, Report<Scalar, Dim, C>& report) {
  auto& c = report.certificate;
  const auto largest = residual(m, ws);
  c.places = largest.places;
  c.pace = largest.motion;
  for (int i = ws.layout.motion; i < ws.layout.count; ++i)
    c.motion = std::max(c.motion, std::abs(ws.row[at(i)]) * (m.length / m.h));
  for (int i = 0; i < m.contacts; ++i) {
    if (!ws.near[at(i)]) continue;
    const auto& friction = m.contact[at(i)].friction;
    const auto& closest = ws.now.closest[at(i)];
    const auto& lambda = ws.now.lambda[at(i)];
    const auto eq = equations(m, ws, i);
    auto& r = report.contact[at(i)];
    r.near = true;
    r.mode = eq.mode();
    r.normal = eq.axis(0);
    r.tangent = eq.axis(1);
    r.point = closest.b;
    r.gap = math::dot(r.normal, math::Vector<Scalar, Dim>(closest.b - closest.a));
    r.force[0] = lambda.n;
    for (int k = 1; k < Dim; ++k) r.force[k] = friction.axis[k - 1] * lambda.y[k - 1];
    if constexpr (Dim == 3) r.torsion = friction.axis[2] * lambda.y[2];
    Scalar row[4 * Dim + 1];
    eq.closest().residual(row);
    for (int k = 0; k < Dim; ++k) {
      c.alignment = std::max(c.alignment, std::abs(row[k]));
      c.surface = std::max(c.surface, std::abs(row[Dim + k]) * m.length);
    }
    for (int k = 2 * Dim + 1; k < closest.unknowns(); ++k)
      c.surface = std::max(c.surface, std::abs(row[k]) * m.length);
    for (std::size_t s = 0; s < 2; ++s)
      for (std::size_t k = 0; k < closest.active[s]; ++k)
        c.alignment = std::max(c.alignment, -closest.weight[s][k]);
    c.penetration = std::max(c.penetration, -r.gap);
    if (lambda.n > 0) c.complementarity = std::max(c.complementarity, r.gap);
    Scalar y = 0, u = 0, power = 0;
    for (int k = 0; k < contact::kFrictionAxes<Dim>; ++k) {
      y += lambda.y[k] * lambda.y[k];
      u += eq.speed()[k] * eq.speed()[k];
      power += lambda.y[k] * eq.speed()[k];
    }
    const Scalar radius = friction.mu * lambda.n;
    c.friction = std::max(c.friction, std::max(std::sqrt(y) - radius, -lambda.n));
    c.dissipation = std::max(c.dissipation, radius * std::sqrt(u) + power);
  }
}

}  // namespace detail
}  // namespace tactus::stepper::implicit
