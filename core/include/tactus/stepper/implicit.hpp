// The geometrically implicit step of Chakraborty 2007, (10)-(11): the contact conditions hold at the END of
// the step,
//
//     nu* = nu + h M^-1 (f + W(q')^T lambda),     (q, nu*) -> (q', nu') free of forces
//     0 <= lambda_n _|_ gap(q') >= 0,             (lambda_t, lambda_o, lambda_r) in the friction ellipsoid,
//     of greatest
//                                                 dissipation against the slip W(q') nu*
//
// where gap, normal and arms are those of the closest points at q', unknowns like all the rest
// (geometry/closest_points.hpp). M is that of the start, and the free motion that of dynamics/drift.hpp,
// which keeps momentum and energy. So there is no error of a gap to take back, nothing is lost by facets, and
// what is found near a surface never hops off it: gaps are zero to rounding.
//
// The whole is one system of equations, the complementary ones in projected form
// (contact/friction_ellipsoid.hpp), and is solved by semismooth Newton: 1 or 2 linear systems a step where
// modes do not change. Its derivatives are exact, but for the turn of a body that is no sphere, which is so
// to order 2. The unknowns are nu* of every moving body and, for each pair that is near, its points,
// multipliers and forces. First from the last step's forces and from points that go on as in the last step,
// which is right to h^2; if that fails afresh, then with shorter steps at first.
//
//     const auto report = tactus::stepper::implicit::step(world, workspace);
//     if (report.status != Status::solved) log(sentence(report.status));
//
// Failure: bad_input, not_converged and too_fast leave the state as it was. Convergence is not proved for
// every input (nor is a solution): large steps, whose turn h omega nears a radian, are where it ends. Bodies
// that touch in a face are held at one point, the centre of pressure, which is enough for the motion but
// gives no torsion unless e_r > 0. Cost: Model::budget systems of unknowns(C), n^3 / 3 multiply-adds each, at
// most; step(..., clock) ends with the time, too (clock.hpp).
#pragma once

#include "tactus/geometry/closest_search.hpp"
#include "tactus/stepper/implicit_newton.hpp"

namespace tactus::stepper::implicit {

namespace detail {

template <class Scalar, int Dim, Capacity C>
inline bool valid_state(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state) {
  for (int i = 0; i < m.bodies; ++i) {
    if (!geometry::is_valid(state.pose[at(i)])) return false;
    if (!dynamics::finite<Scalar, Dim>(state.velocity[at(i)])) return false;
    if (!dynamics::finite<Scalar, Dim>(state.force[at(i)])) return false;
  }
  return true;
}

template <class Scalar, int Dim, Capacity C>
inline void free_motion(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                        Workspace<Scalar, Dim, C>& ws) {
  constexpr int spin = dynamics::kSpin<Dim>;
  for (int i = 0; i < m.bodies; ++i) {
    ws.frame[at(i)] = geometry::frame(state.pose[at(i)]);
    ws.pose[at(i)] = state.pose[at(i)];
    auto& v = ws.free[at(i)] = state.velocity[at(i)];
    const auto& inertia = m.inertia[at(i)];
    if (!(inertia.mass > 0)) continue;
    ws.inverse_inertia[at(i)] = dynamics::world_inverse<Scalar, Dim>(inertia, ws.frame[at(i)]);
    const auto& f = state.force[at(i)];
    v.linear += m.h * (m.gravity + inertia.inverse_mass * f.linear);
    v.angular += m.h * math::times<Scalar, spin>(ws.inverse_inertia[at(i)], f.angular);
  }
}

template <class Scalar, int Dim, Capacity C>
inline bool spins_too_fast(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                           const Workspace<Scalar, Dim, C>& ws) {
  for (int i = 0; i < m.bodies; ++i)
    if (m.column[at(i)] >= 0 &&
        (dynamics::too_fast(state.velocity[at(i)], m.h) || dynamics::too_fast(ws.free[at(i)], m.h)))
      return true;
  return false;
}

// A pair is near when the balls around its bodies (for a half-space the face) are nearer than four times what
// the free motion covers in the step; the argument for four is that of find.hpp.
template <class Scalar, int Dim, Capacity C>
inline void find_near(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws) {
  Scalar speed = 0, reach = 0;
  for (int i = 0; i < m.bodies; ++i) {
    const auto& v = ws.free[at(i)];
    if (m.column[at(i)] >= 0) reach = std::max(reach, math::norm(ws.frame[at(i)].position));
    Scalar linear = 0, angular = 0;
    for (int k = 0; k < Dim; ++k) linear += std::abs(v.linear[k]);
    for (int k = 0; k < dynamics::kSpin<Dim>; ++k) angular += std::abs(v.angular[k]);
    speed = std::max(speed, linear + angular * m.surface[at(i)].radius);
  }
  ws.pace = std::max(m.h * speed / m.length, kLeastPace<Scalar> * (1 + reach / m.length));
  for (int i = 0; i < m.contacts; ++i) {
    const auto pair = m.contact[at(i)].bodies;
    const auto& a = m.surface[pair.a];
    const auto& b = m.surface[pair.b];
    Scalar apart = -(a.radius + b.radius);
    if (!(a.radius > 0))
      apart += a[0].value(ws.frame[pair.a].to_body(ws.frame[pair.b].position));
    else if (!(b.radius > 0))
      apart += b[0].value(ws.frame[pair.b].to_body(ws.frame[pair.a].position));
    else
      apart += math::norm(math::Vector<Scalar, Dim>(ws.frame[pair.b].position - ws.frame[pair.a].position));
    ws.near[at(i)] = apart <= 4 * m.h * speed;
  }
}

// Where an attempt starts: 0 with the last step's velocities, points and forces, those after it afresh.
template <class Scalar, int Dim, Capacity C>
inline bool start(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                  Workspace<Scalar, Dim, C>& ws, int attempt) {
  auto& now = ws.now;
  for (int i = 0; i < m.bodies; ++i)
    now.velocity[at(i)] = attempt == 0 ? state.velocity[at(i)] : ws.free[at(i)];
  if (!place(m, state, ws)) return false;
  for (int i = 0; i < m.contacts; ++i) {
    if (!ws.near[at(i)]) continue;
    now.lambda[at(i)] = attempt == 0 ? state.lambda[at(i)] : Force<Scalar, Dim>{};
    now.closest[at(i)] = state.closest[at(i)];
    if (attempt == 0 && now.closest[at(i)].known) {
      now.closest[at(i)] = geometry::gone_on(state.before[at(i)], state.closest[at(i)]);
      continue;
    }
    const auto pair = m.contact[at(i)].bodies;
    if (!geometry::find<Scalar, Dim, C.pieces>(placed(m, ws, pair.a), placed(m, ws, pair.b), m.length,
                                               now.closest[at(i)]))
      return false;
  }
  return true;
}

// Where a body comes down from a corner or an edge to a face, the contact point leaps, and Newton's method
// leaps past it. With the faces bent to large balls the point runs smoothly; so from there to flat in steps,
// each from the answer before.
template <class Scalar, int Dim, Capacity C, Clock Time>
inline bool flatten(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                    Workspace<Scalar, Dim, C>& ws, int attempt, Scalar share, lcp::Budget<Time>& budget) {
  bool ready = false;
  for (ws.bend = Scalar(0.5); ws.bend > geometry::kFlat<Scalar> && !budget.ended(); ws.bend /= 8) {
    for (int i = 0; i < m.bodies; ++i) geometry::bend_faces(m.surface[at(i)], ws.bend, ws.bent[at(i)]);
    ready = (ready || start(m, state, ws, attempt)) && newton(m, state, ws, share, budget);
  }
  ws.bend = 0;
  return ready && newton(m, state, ws, share, budget);
}

}  // namespace detail

template <class Scalar, int Dim, Capacity C, Clock Time = const NoClock>
inline Report<Scalar, Dim, C> step(const Model<Scalar, Dim, C>& m, State<Scalar, Dim, C>& state,
                                   Workspace<Scalar, Dim, C>& ws, Time& clock = kNoClock) {
  using namespace detail;
  Report<Scalar, Dim, C> report;
  if (!(m.h > 0) || !valid_state(m, state)) return report;
  report.status = Status::not_converged;
  free_motion(m, state, ws);
  if (spins_too_fast(m, state, ws)) {
    report.status = Status::too_fast;
    return report;
  }
  find_near(m, ws);
  bool found = false;
  lcp::Budget<Time> budget(m.budget, clock);
  for (; report.attempts < kAttempts && !found && !budget.ended(); ++report.attempts) {
    if (report.attempts > 0 && !clock.go_on()) break;
    const Scalar share = report.attempts < 3 ? Scalar(1) : Scalar(0.5);
    if constexpr (C.pieces > 1) {
      if (report.attempts >= 2) {
        found = flatten(m, state, ws, report.attempts, share, budget);
        continue;
      }
    }
    found = start(m, state, ws, report.attempts) && newton(m, state, ws, share, budget);
  }
  report.iterations = budget.used();
  if (!found) return report;
  certify(m, state, ws, report);
  const auto& c = report.certificate;
  // Written so that NaN is refused.
  if (!(c.places <= kPlaces<Scalar> && c.pace <= kMotion<Scalar> && c.alignment <= kPlaces<Scalar>))
    return report;
  report.status = Status::solved;
  for (int i = 0; i < m.bodies; ++i) {
    if (m.column[at(i)] < 0) continue;
    state.velocity[at(i)] = ws.velocity[at(i)];
    state.pose[at(i)] = ws.pose[at(i)];
  }
  for (int i = 0; i < m.contacts; ++i) {
    state.before[at(i)] = state.closest[at(i)];
    state.closest[at(i)].known = false;
    state.lambda[at(i)] = {};
    if (!ws.near[at(i)]) continue;
    state.closest[at(i)] = ws.now.closest[at(i)];
    state.lambda[at(i)] = ws.now.lambda[at(i)];
  }
  return report;
}

template <class Scalar, int Dim, Capacity C, Clock Time = const NoClock>
inline Report<Scalar, Dim, C> step(World<Scalar, Dim, C>& world, Workspace<Scalar, Dim, C>& ws,
                                   Time& clock = kNoClock) {
  return step(world.model, world.state, ws, clock);
}

}  // namespace tactus::stepper::implicit
