// One step of the one equation, for every law that stands in it:
//
//     s = A lambda + b,   A = h W M^-1 W^T + R,   b = W (nu + h M^-1 f) + c
//     0 <= lambda_n _|_ s_n >= 0,   friction,   nu' = nu + h M^-1 (f + W^T lambda),   q' = q + h G(q) nu'
//     delta' = delta + h (R lambda - B delta)
//
// What R, c and B are is a contact's law: laws.hpp. The geometrically implicit law (implicit.hpp) has the
// same rows where the step ends. By Woodbury's identity Song's H^-1 is A, so nothing stiff is ever inverted.
// An element out of contact relaxes freely: lambda = 0 in the last line, whether it has a row in the step or
// not.
//
//     const auto report = tactus::stepper::step(world, workspace);
//     if (report.reason != tactus::stepper::StepReason::none) log(sentence(report.reason));
//
// Nothing in a step allocates, throws, prints or loops without a bound; the bound is that of the paths
// (path.hpp), or what a clock gives: clock.hpp.
#pragma once

#include "tactus/clock.hpp"
#include "tactus/stepper/impacts.hpp"
#include "tactus/stepper/implicit.hpp"
#include "tactus/stepper/sensing.hpp"
#include "tactus/stepper/several.hpp"

namespace tactus::stepper {

namespace detail {

// What the next step starts from beside velocities and poses.
template <class Scalar, int Dim, Capacity C>
inline void remember(const Model<Scalar, Dim, C>& m, const Found<Scalar, Dim, C>& found,
                     const Answer<Scalar, Dim, C>& answer, Next<Scalar, Dim, C>& next) {
  remember_modes(m, found, answer, next.state);
  remember_anchors(m, found, next.state);
  deform(m, found, next);
}

// Bodies that are in each other and cannot be pushed apart are left there: without the negative gaps there is
// an answer, Stewart's (2.16). True where one of them is deeper than rounding.
template <class Scalar, int Dim, Capacity C>
inline bool leave_in_each_other(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed,
                                const Group<Scalar, Dim, C>& group, Found<Scalar, Dim, C>& found) {
  bool deep = false;
  for (int i = 0; i < group.elements; ++i) {
    const auto& e = group[i];
    if (!is_exact<C>(m.contact[e.contact]) || !(e.gap < 0)) continue;
    deep = deep || -e.gap > rounding_of(m, placed, e.bodies);
    Scalar& offset = found.offset[group.index(i) * Dim];
    offset = math::larger(offset, Scalar(0));
  }
  return deep;
}

// Rows and forces of an island. False where its rows seem to contradict each other.
template <class Scalar, int Dim, Capacity C, Clock Time>
[[gnu::noinline]] inline bool solve_rows(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                                         const Group<Scalar, Dim, C>& group, Workspace<Scalar, Dim, C>& ws,
                                         Time& clock) {
  ws.answer.jammed = false;
  const int plain = most_plain(m);
  ws.answer.cut = !clock.go_on(Piece::couple, plain + Dim * group.elements, plain);
  if (ws.answer.cut) return true;
  couple(m, state, ws.placed, ws.estimate, group, ws.rows);
  solve(m, state, ws.placed, group, ws.rows, ws.scratch, ws.answer, clock);
  return !ws.answer.jammed;
}

// The same once more where they do, with bodies left in each other. True where they have to be.
template <class Scalar, int Dim, Capacity C, Clock Time>
inline bool solve_or_leave(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                           const Group<Scalar, Dim, C>& group, Workspace<Scalar, Dim, C>& ws, Time& clock) {
  const auto status = ws.answer.status;
  if constexpr (C.mimics > 0) ws.rows.driven.left = false;
  if (solve_rows(m, state, group, ws, clock) || ws.answer.cut) return false;
  const bool proved = clock.go_on(Piece::path, ws.rows.all, ws.rows.plain) &&
                      is_contradiction(m, ws.placed, group, ws.rows, ws.scratch, ws.answer, clock);
  const bool deep = leave_in_each_other(m, ws.placed, group, ws.found);
  const bool far = leave_joints(m, state, group, ws.rows);
  ws.answer.status = status;
  const bool left = !solve_rows(m, state, group, ws, clock) || deep || far;
  ws.answer.proved = ws.answer.proved || (left && proved);
  return left;
}

// Rows, forces and velocities, island by island.
template <class Scalar, int Dim, Capacity C, Clock Time>
inline Residual<Scalar> solve_islands(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                                      Workspace<Scalar, Dim, C>& ws, Time& clock) {
  Residual<Scalar> residual;
  auto& answer = ws.answer;
  answer.status = lcp::Status::solved;
  answer.guessed = true;
  answer.tries = answer.after_path = answer.pivots = answer.facets = 0;
  answer.lift = 0;
  answer.certificate = {};
  begin_move(m, state, ws.placed, ws.next);
  bool jammed = answer.proved = answer.cut = false;
  for (int i = 0; i < ws.found.islands; ++i) {
    const Group<Scalar, Dim, C> group(ws.found, ws.found.island[at(i)]);
    answer.island = i;
    answer.tried = false;
    jammed = solve_or_leave(m, state, group, ws, clock) || jammed;
    if (answer.cut) break;
    if (answer.status == lcp::Status::ray) break;
    answer.cut = !clock.go_on(Piece::move, ws.rows.all, ws.rows.plain);
    if (answer.cut) break;
    move(m, state, ws.placed, group, ws.rows, ws.scratch, answer, ws.next);
    certify(m, state, ws.placed, ws.estimate, group, ws.rows, ws.scratch, answer, ws.next, residual);
  }
  if (answer.cut) answer.residual = residual.largest();  // of the islands before
  answer.jammed = jammed;
  return residual;
}

// Why the step is not right; the worst is said.
template <class Scalar, int Dim, Capacity C>
inline StepReason judge_step(const Model<Scalar, Dim, C>& m, const Workspace<Scalar, Dim, C>& ws,
                             const Residual<Scalar>& residual) {
  if (!valid_motion(m, ws.next.state)) return StepReason::not_finite;
  if (ws.answer.jammed) return ws.answer.proved ? StepReason::jam : StepReason::pivot_limit;
  if (ws.answer.status != lcp::Status::solved) return StepReason::pivot_limit;
  if (!(residual.rounding <= kMomentum<Scalar>)) return StepReason::no_digits;
  if (!residual.certified()) return StepReason::pivot_limit;
  if (!ws.placed.impacts.certified) return StepReason::impacts;
  const bool through = ws.found.crowded && corners_go_through(m, ws.placed, ws.next, ws.found.reach);
  return ws.found.overflow || through ? StepReason::room : StepReason::none;
}

template <class Scalar, int Dim, Capacity C>
inline void report_answer(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                          const Workspace<Scalar, Dim, C>& ws, StepReport<Scalar, Dim, C>& report) {
  report.elements = static_cast<std::uint16_t>(ws.found.elements);
  report.pivots += ws.answer.pivots;
  report.tries += ws.answer.tries;
  report.after_path += ws.answer.after_path;
  report.certificate = ws.answer.certificate;
  report.warm = ws.answer.guessed;
  report.lift = ws.answer.lift;
  report.facet_error = contact::facet_error<Scalar>(ws.answer.facets);
  report_contacts(ws.found, ws.answer.lambda.data(), ws.answer, report);
  if constexpr (kBounces<C>) report_impacts(m, ws.found, ws.answer, ws.placed.impacts, report);
  if constexpr (C.has(energy_balance))
    balance_energy(m, state, ws.placed, ws.estimate, ws.next, report.energy);
}

// The velocities to where the step ends; false where there is no such place, or the clock has ended it.
template <class Scalar, int Dim, Capacity C, Clock Time>
[[gnu::always_inline]] inline bool go_to_end(const Model<Scalar, Dim, C>& m,
                                             const State<Scalar, Dim, C>& state,
                                             Workspace<Scalar, Dim, C>& ws, Time& clock,
                                             StepReport<Scalar, Dim, C>& report) {
  report.reason = StepReason::out_of_time;
  if (!clock.go_on(Piece::finish, m.bodies, joints_of(m))) return false;
  if (drift(m, state, ws.placed, ws.estimate, ws.next)) return true;
  report.reason = finite_velocities(m, ws.next) ? StepReason::too_fast : StepReason::not_finite;
  return false;
}

// The step in rows, from the place movement on.
template <class Scalar, int Dim, Capacity C, Clock Time, class Held>
[[gnu::always_inline]] inline void step_in_rows(const Model<Scalar, Dim, C>& m, State<Scalar, Dim, C>& state,
                                                Workspace<Scalar, Dim, C>& ws, Time& clock, Held& held,
                                                StepReport<Scalar, Dim, C>& report) {
  if constexpr (kRepeats<Dim, C>) ws.estimate.made = false;
  Residual<Scalar> residual;
  for (int pass = 0;; ++pass) {
    Scalar margin = 0;
    if constexpr (Held::kHolds) margin = held.margin(m, ws.placed);
    report.reason = StepReason::out_of_time;
    if (!find(m, state, ws.placed, ws.estimate, margin, ws.found, clock)) return;
    report.reason = StepReason::bad_state;
    if (!ws.found.good) return;
    find_islands(m, ws.found);
    report.reason = StepReason::out_of_time;
    if constexpr (Held::kHolds)
      if (pass == 0 && !held.take(m, state, ws.placed, ws.found, ws.scratch.system.data(), clock)) return;
    if constexpr (kBounces<C>)
      if (pass == 0 && has_restitution(m) && !impacts(m, state, ws, clock)) return;
    residual = solve_islands(m, state, ws, clock);
    if (ws.answer.cut) return;
    if (ws.answer.status == lcp::Status::ray) {
      report.reason = ws.answer.proved ? StepReason::jam : StepReason::pivot_limit;
      return;
    }
    if (!go_to_end(m, state, ws, clock, report)) return;
    if (!kRepeats<Dim, C> || pass >= m.method.fixed_point) break;
    if constexpr (kRepeats<Dim, C>) {
      if (!clock.go_on(Piece::place, m.bodies, joints_of(m))) return;
      take_estimate(m, ws.next, ws.placed, ws.estimate);
    }
  }
  remember(m, ws.found, ws.answer, ws.next);
  report.reason = judge_step(m, ws, residual);
  report.residual = residual.largest();
  report.rounding = residual.rounding;
  report_answer(m, state, ws, report);
  if (report.reason == StepReason::not_finite) return;
  if constexpr (C.has(second_answer))
    report.several =
        m.method.seek_second && report.reason == StepReason::none && has_others(m, state, ws, clock);
  report.status = report.reason == StepReason::none ? StepStatus::solved : StepStatus::degraded;
  if constexpr (Held::kHolds)
    if (report.status == StepStatus::solved) held.keep(m, ws.found, ws.answer, ws.next.state);
  copy_moved(m, ws.next.state, state);  // commit
}

}  // namespace detail

// held: a Sensing, where the state is measured.
template <class Scalar, int Dim, Capacity C, Clock Time = const NoClock, class Held = const Exact>
inline StepReport<Scalar, Dim, C> step(const Model<Scalar, Dim, C>& m, State<Scalar, Dim, C>& state,
                                       Workspace<Scalar, Dim, C>& ws, Time& clock = kNoClock,
                                       Held& held = kExact) {
  using namespace detail;
  StepReport<Scalar, Dim, C> report;
  if constexpr (Held::kHolds) held.begin();
  if (!(m.h > 0)) return report;
  if constexpr (C.has_rows()) ws.answer.cut = ws.answer.tried = false;
  report.reason = StepReason::out_of_time;
  if (!clock.go_on(Piece::place, m.bodies, joints_of(m))) return report;
  report.reason = StepReason::bad_state;
  if (!valid_state(m, state)) return report;
  report.reason = StepReason::too_fast;
  if (spins_too_fast(m, state)) return report;
  report.reason = StepReason::bad_state;
  if (!place(m, state, ws.placed)) return report;
  if constexpr (C.pieces > 0) {
    if (m.is_implicit()) {
      step_implicitly(m, state, ws, clock, report);
      return report;
    }
  }
  if constexpr (C.has_rows()) step_in_rows(m, state, ws, clock, held, report);
  if constexpr (Held::kHolds)
    if (report.status == StepStatus::failed) held.give_back(m, state);
  return report;
}

template <class Scalar, int Dim, Capacity C, Clock Time = const NoClock, class Held = const Exact>
inline StepReport<Scalar, Dim, C> step(World<Scalar, Dim, C>& world, Workspace<Scalar, Dim, C>& ws,
                                       Time& clock = kNoClock, Held& held = kExact) {
  return step(world.model, world.state, ws, clock, held);
}

}  // namespace tactus::stepper
