// The geometrically implicit law of Chakraborty 2007, (10)-(11): the contact conditions hold at the END of
// the step,
//
//     nu* = nu + h M^-1 (f + W(q')^T lambda),     (q, nu*) -> (q', nu') free of forces
//     0 <= lambda_n _|_ gap(q') >= 0,
//     (lambda_t, lambda_o, lambda_r) in the friction ellipsoid, of greatest dissipation against W(q') nu*
//
// where gap, normal and arms are those of the closest points at q', unknowns like all the rest
// (geometry/closest_points.hpp). So there is no error of a gap to take back, nothing is lost by facets, and
// what is found near a surface never hops off it: gaps are zero to rounding.
//
// A world of a Capacity with `pieces` and `moving` has it, by FrictionLaw::implicit. Its bodies are implicit
// surfaces: of a shape, or given in BodyDescription::surface. A pair touches at one point; friction is
// constant, its ellipsoid that of set_ellipsoid (Capacity::torsion). Joints, arms, restitution and patches
// are refused.
//
//     constexpr Capacity kBall{
//         .bodies = 2, .contacts = 1, .slots = 0, .active = 0, .pieces = 1, .moving = 1};
//     World<float, 3, kBall> world;
//     configure(world, 1e-3F, gravity, {.friction = FrictionLaw::implicit});
//
// place, drift, the certificate of momentum and commit are those of every law; this is what comes between.
// The whole is one system of equations, the complementary ones in projected form
// (contact/friction_ellipsoid.hpp), and is solved by semismooth Newton: 1 or 2 linear systems a step where
// modes do not change. Its derivatives are exact, but for the turn of a body that is no sphere, which is so
// to order 2. The unknowns are nu* of every moving body and, for each pair that is near, its points,
// multipliers and forces. First from the last step's forces and from points that go on as in the last step,
// which is right to h^2; if that fails afresh, then with shorter steps at first.
//
// An answer is certified or not used: there is no `degraded`. Convergence is not proved for every input (nor
// is a solution): large steps, whose turn h omega nears a radian, are where it ends, as `pivot_limit`. Bodies
// that touch in a face are held at one point, the centre of pressure, which is enough for the motion but
// gives no torsion unless e_r > 0. Cost: Method::pivot_budget systems of implicit_unknowns(C), n^3 / 3
// multiply-adds each, at most; a clock is asked before each.
#pragma once

#include "tactus/geometry/closest_search.hpp"
#include "tactus/stepper/account.hpp"
#include "tactus/stepper/implicit_certify.hpp"
#include "tactus/stepper/implicit_newton.hpp"

namespace tactus::stepper::detail {

namespace implicit {

inline constexpr int kAttempts = 4;

// The free motion, and what is not there under this law. False where a body spins too fast in it.
template <class Scalar, int Dim, Capacity C>
inline bool begin(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                  Workspace<Scalar, Dim, C>& ws) {
  if constexpr (kRepeats<Dim, C>) ws.estimate.made = false;
  if constexpr (C.has_rows()) {
    ws.found.elements = 0;
    ws.answer.cut = false;
  }
  begin_move(m, state, ws.placed, ws.next);
  bool slow = true;
  for (int i = 0; i < m.bodies; ++i) {
    ws.implicit.frame[at(i)] = ws.placed.body[at(i)].frame;
    slow = slow && !dynamics::too_fast(ws.placed.body[at(i)].velocity, m.h);
  }
  return slow;
}

// A pair is near when the balls around its bodies (for a half-space the face) are nearer than four times what
// the free motion covers in the step; the argument for four is that of find.hpp.
template <class Scalar, int Dim, Capacity C>
inline void find_near(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws) {
  const auto& frame = ws.implicit.frame;
  const Scalar speed = speed_bound(m, ws.placed), length = m.implicit.length;
  Scalar reach = 0;
  each_moving(m, [&](std::size_t i, int) { reach = std::max(reach, math::norm(frame[i].position)); });
  ws.implicit.pace = std::max(m.h * speed / length, kLeastPace<Scalar> * (1 + reach / length));
  for (int i = 0; i < m.contacts; ++i) {
    const auto [a, b] = m.contact[at(i)].bodies;
    const auto &A = frame[a], &B = frame[b];
    Scalar apart = -(m.radius[a] + m.radius[b]);
    if (!(m.radius[a] > 0))
      apart += m.implicit.surface[a][0].value(A.to_body(B.position));
    else if (!(m.radius[b] > 0))
      apart += m.implicit.surface[b][0].value(B.to_body(A.position));
    else
      apart += math::norm(math::Vector<Scalar, Dim>(B.position - A.position));
    ws.implicit.near[at(i)] = apart <= 4 * m.h * speed;
  }
}

// Where an attempt starts: 0 with the last step's velocities, points and forces, those after it afresh.
template <class Scalar, int Dim, Capacity C, Clock Time>
inline bool start(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                  Workspace<Scalar, Dim, C>& ws, int attempt, Time& clock) {
  const auto& last = state.implicit;
  auto& now = ws.next.state.implicit;
  for (int i = 0; i < m.bodies; ++i)
    ws.next.velocity[at(i)] = attempt == 0 ? state.velocity[at(i)] : ws.placed.body[at(i)].velocity;
  if (!place_end(m, state, ws)) return false;
  for (int i = 0; i < m.contacts; ++i) {
    if (!ws.implicit.near[at(i)]) continue;
    now.lambda[at(i)] = attempt == 0 ? last.lambda[at(i)] : EllipsoidForce<Scalar, Dim>{};
    now.closest[at(i)] = last.closest[at(i)];
    if (attempt == 0 && last.closest[at(i)].known) {
      now.closest[at(i)] = geometry::gone_on(last.before[at(i)], last.closest[at(i)]);
      continue;
    }
    const auto [a, b] = m.contact[at(i)].bodies;
    if (!geometry::find<Scalar, Dim, C.pieces>(placed(m, ws, a), placed(m, ws, b), m.implicit.length,
                                               now.closest[at(i)], clock))
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
  for (ws.implicit.bend = Scalar(0.5); ws.implicit.bend > geometry::kFlat<Scalar> && !budget.ended();
       ws.implicit.bend /= 8) {
    for (int i = 0; i < m.bodies; ++i)
      geometry::bend_faces(m.implicit.surface[at(i)], ws.implicit.bend, ws.implicit.bent[at(i)]);
    ready = (ready || start(m, state, ws, attempt, budget.clock())) && newton(m, state, ws, share, budget);
  }
  ws.implicit.bend = 0;
  return ready && newton(m, state, ws, share, budget);
}

// The closest points and forces from which the next step starts.
template <class Scalar, int Dim, Capacity C>
inline void remember(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                     Workspace<Scalar, Dim, C>& ws) {
  auto& next = ws.next.state.implicit;
  next.before = state.implicit.closest;
  for (int i = 0; i < m.contacts; ++i) {
    if (ws.implicit.near[at(i)]) continue;
    next.closest[at(i)] = state.implicit.closest[at(i)];
    next.closest[at(i)].known = false;
    next.lambda[at(i)] = {};
  }
}

// True where there is an answer in `next`.
template <class Scalar, int Dim, Capacity C, Clock Time>
inline bool solve(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                  Workspace<Scalar, Dim, C>& ws, Time& clock, StepReport<Scalar, Dim, C>& report) {
  bool found = false;
  lcp::Budget<Time> budget(m.method.pivot_budget, clock);
  for (; report.tries < kAttempts && !found && !budget.ended(); ++report.tries) {
    if (!clock.go_on(Piece::seek, m.contacts, 0)) break;
    const Scalar share = report.tries < 3 ? Scalar(1) : Scalar(0.5);
    if constexpr (C.pieces > 1) {
      if (report.tries >= 2) {
        found = flatten(m, state, ws, report.tries, share, budget);
        continue;
      }
    }
    found = start(m, state, ws, report.tries, clock) && newton(m, state, ws, share, budget);
  }
  report.pivots = budget.used();
  report.warm = report.pivots == 0;
  return found;
}

}  // namespace implicit

// The step from the place movement on. Where it is not solved, the state is as it was.
template <class Scalar, int Dim, Capacity C, Clock Time>
inline void step_implicitly(const Model<Scalar, Dim, C>& m, State<Scalar, Dim, C>& state,
                            Workspace<Scalar, Dim, C>& ws, Time& clock, StepReport<Scalar, Dim, C>& report) {
  report.reason = StepReason::too_fast;
  if (!implicit::begin(m, state, ws)) return;
  implicit::find_near(m, ws);
  if (!implicit::solve(m, state, ws, clock, report)) {
    report.reason =
        clock.go_on(Piece::finish, m.bodies, 0) ? StepReason::pivot_limit : StepReason::out_of_time;
    return;
  }
  if (!clock.go_on(Piece::finish, m.bodies, 0)) {
    report.reason = StepReason::out_of_time;
    return;
  }
  const auto residual = implicit::certify(m, state, ws, report);
  report.residual = report.certificate.residual = residual.largest();
  report.rounding = residual.rounding;
  report.reason = !valid_motion(m, ws.next.state)             ? StepReason::not_finite
                  : !(residual.rounding <= kMomentum<Scalar>) ? StepReason::no_digits
                  : !residual.certified()                     ? StepReason::pivot_limit
                                                              : StepReason::none;
  if constexpr (C.has(energy_balance))
    balance_energy(m, state, ws.placed, ws.estimate, ws.next, report.energy);
  if (report.reason != StepReason::none) return;
  report.status = StepStatus::solved;
  implicit::remember(m, state, ws);
  copy_moved(m, ws.next.state, state);  // commit
  state.implicit = ws.next.state.implicit;
}

}  // namespace tactus::stepper::detail
