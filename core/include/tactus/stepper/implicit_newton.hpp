// Newton's method on the equations of an implicit step. Part of implicit.hpp.
#pragma once

#include "tactus/lcp/budget.hpp"
#include "tactus/math/elimination.hpp"
#include "tactus/stepper/implicit_system.hpp"

namespace tactus::stepper::detail::implicit {

inline constexpr int kIterations = 25;  // of one attempt
inline constexpr int kDamped = 12;      // of them, with shorter steps where the attempt has them

template <class Scalar, int Dim, Capacity C>
inline void advance(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws, Scalar share) {
  constexpr int spin = dynamics::kSpin<Dim>;
  for (int i = 0; i < m.bodies; ++i) {
    if (m.implicit.column[at(i)] < 0) continue;
    const Scalar* const x = ws.implicit.x.data() + ws.implicit.layout.motion + m.implicit.column[at(i)];
    auto& v = ws.next.velocity[at(i)];
    for (int k = 0; k < Dim; ++k) v.linear[k] -= share * (m.implicit.length / m.h) * x[k];
    for (int k = 0; k < spin; ++k) v.angular[k] -= share / m.h * x[Dim + k];
  }
  for (int i = 0; i < m.contacts; ++i) {
    if (!ws.implicit.near[at(i)]) continue;
    geometry::add_unknowns(ws.next.state.implicit.closest[at(i)],
                           ws.implicit.x.data() + ws.implicit.layout.closest[at(i)], m.implicit.length,
                           -share);
    const Scalar force = share * units(m, ws, m.contact[at(i)].bodies).force;
    const Scalar* const x = ws.implicit.x.data() + ws.implicit.layout.force[at(i)];
    auto& lambda = ws.next.state.implicit.lambda[at(i)];
    lambda.n -= force * x[0];
    for (int k = 0; k < contact::kFrictionAxes<Dim>; ++k) lambda.y[k] -= force * x[k + 1];
  }
}

// True where the iterate can be accepted. Goes on while that helps, to rounding or until neither kind of row
// is halved.
template <class Scalar, int Dim, Capacity C, Clock Time>
inline bool newton(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                   Workspace<Scalar, Dim, C>& ws, Scalar share, lcp::Budget<Time>& budget) {
  constexpr Scalar kDone = 4 * std::numeric_limits<Scalar>::epsilon();
  Largest<Scalar> last;
  bool close = false;
  for (int k = 0;; ++k) {
    if (!place_end(m, state, ws)) return false;
    bool changed = false;
    for (int i = 0; i < m.contacts; ++i) {
      if (!ws.implicit.near[at(i)]) continue;
      const auto pair = m.contact[at(i)].bodies;
      auto& closest = ws.next.state.implicit.closest[at(i)];
      changed |= geometry::choose_active<Scalar, Dim, C.pieces>(placed(m, ws, pair.a), 0, closest);
      changed |= geometry::choose_active<Scalar, Dim, C.pieces>(placed(m, ws, pair.b), 1, closest);
    }
    const auto now = residual(m, ws);
    const bool was_close = close;
    close = !changed && now.places <= kPlaces<Scalar> && now.motion <= kLaw<Scalar>;
    const bool places_done = now.places <= kDone || !(now.places < last.places);
    const bool motion_done = now.motion <= kDone || !(now.motion < last.motion);
    if (close && (was_close || now.places + now.motion <= kDone) && places_done && motion_done) return true;
    last = now;
    if (!(now.places + now.motion < std::numeric_limits<Scalar>::max())) return false;
    if (k == kIterations || !budget.begin(Piece::implicit, ws.implicit.layout.count, m.contacts))
      return false;
    derivative(m, ws);
    const int n = ws.implicit.layout.count;
    math::eliminate(ws.implicit.J.data(), n, n, ws.implicit.row.data(), ws.implicit.x.data(),
                    ws.implicit.pivot.data(), ws.implicit.column.data(),
                    256 * std::numeric_limits<Scalar>::epsilon());
    // No body moves or turns by more than about itself at once.
    Scalar most = 0;
    for (int i = ws.implicit.layout.motion; i < n; ++i) most = std::max(most, std::abs(ws.implicit.x[at(i)]));
    advance(m, ws, most * share > Scalar(0.7) ? Scalar(0.7) / most : k < kDamped ? share : Scalar(1));
  }
}

}  // namespace tactus::stepper::detail::implicit
