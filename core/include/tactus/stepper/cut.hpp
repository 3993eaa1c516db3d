// What is left of a step that the clock has ended, for who has to answer now: the modes that its search has
// come to, where the next step begins, and the motion by the forces that it has come to.
//
//     const auto report = step(model, state, workspace, clock);
//     if (report.reason == StepReason::out_of_time) {
//       keep_tried(model, workspace, state);
//       const auto best = best_so_far(model, state, workspace, ahead);   // the state itself stays
//     }
//
// Cost: keep_tried next to nothing; best_so_far the pieces `move` and `finish` of the step. It asks no clock:
// who limits a step keeps that much back. Memory: the workspace, as the step has left it. Failure: by status.
//
// After a step by a Sensing `state` is where that has moved it (kGivesBack false, a copy stepped): by one
// that has given it back the residual has the noise in it that was taken out.
#pragma once

#include "tactus/stepper/step.hpp"

namespace tactus::stepper {

namespace detail {

// Forces that no law can forbid: none pulls, none rubs by more than its friction.
template <class Scalar, int kRows>
inline void bring_into_friction(const contact::Problem<Scalar, kRows>& p, bool round,
                                const contact::guess::Arrays<Scalar, kRows>& to) {
  for (int j = 0; j < p.plain; ++j) {
    const Scalar most = p.staircase[j].friction;
    const bool rubs =
        most < contact::Staircase<Scalar>::kNever &&
        (to.plain[j] == RowMode::rises || to.plain[j] == RowMode::falls || to.plain[j] == RowMode::sticks);
    if (rubs) to.lambda[j] = std::min(math::larger(to.lambda[j], -most), most);
  }
  for (int i = 0; i < p.elements; ++i) {
    Scalar* const f = to.lambda + p.first(i);
    f[0] = math::larger(f[0], Scalar(0));
    const Scalar most = p.mu[i] * f[0];
    Scalar square = 0;
    for (int k = 1; k < kRows; ++k) square = math::multiply_add(f[k], f[k], square);
    const Scalar size = std::sqrt(square);
    to.used[i] = 0;
    for (int k = 1; k < kRows; ++k) {
      if (!round) f[k] = std::min(math::larger(f[k], -most), most);
      if (round && size > most) f[k] *= most / size;
      const Scalar magnitude = math::magnitude(f[k]);
      to.used[i] = round ? std::min(size, most) : math::larger(to.used[i], magnitude);
    }
  }
}

// Forces of the island that was tried last.
template <class Scalar, int Dim, Capacity C>
inline void take_tried(const Model<Scalar, Dim, C>& m, const Group<Scalar, Dim, C>& group,
                       Workspace<Scalar, Dim, C>& ws) {
  with_problem(m, ws.placed, group, ws.rows, ws.scratch, [&](const auto& at_hand) {
    const auto& p = at_hand.problem;
    const auto& to = at_hand.arrays;
    bring_into_friction(p, at_hand.round(), to);
    math::multiply(p.b, p.A, p.stride, p.rows(), to.lambda, p.rows(), to.s);
    contact::guess::Answer<Scalar> by;
    by.residual = 1;
    judge_island(at_hand, by, ws.answer);
  });
  if constexpr (C.torsion)
    if (m.ellipsoid.any()) take_torsion(m, group, ws.rows, ws.scratch, ws.answer);
  put_answer(group, ws.rows, ws.scratch, ws.answer);
}

// Nothing is known of an island: it moves freely.
template <class Scalar, int Dim, Capacity C>
inline void leave_free(const Group<Scalar, Dim, C>& group, Answer<Scalar, Dim, C>& answer) {
  for (int i = 0; i < group.elements; ++i) {
    answer.outcome[group.index(i)] = {};
    for (int k = 0; k < Dim; ++k) answer.lambda[group.index(i) * Dim + at(k)] = 0;
  }
}

}  // namespace detail

// Whether a step that the clock has ended has come to any forces.
template <class Scalar, int Dim, Capacity C>
inline bool has_tried(const Workspace<Scalar, Dim, C>& ws) {
  return ws.answer.cut && (ws.answer.tried || ws.answer.island > 0);
}

// The motion by the last forces that were tried, brought into their friction, in `to`: degraded, out_of_time,
// with the residual of the step's own certificate; 1 where islands were not come to, which then move freely.
// `failed` where no forces were tried; `to` is then as it was. It may be `state`.
template <class Scalar, int Dim, Capacity C>
inline StepReport<Scalar, Dim, C> best_so_far(const Model<Scalar, Dim, C>& m,
                                              const State<Scalar, Dim, C>& state,
                                              Workspace<Scalar, Dim, C>& ws, State<Scalar, Dim, C>& to) {
  using namespace detail;
  StepReport<Scalar, Dim, C> report;
  report.reason = StepReason::out_of_time;
  if (!has_tried(ws)) return report;
  Residual<Scalar> residual;
  residual.law = ws.answer.residual;
  for (int i = ws.answer.island; i < ws.found.islands; ++i) {
    const Group<Scalar, Dim, C> group(ws.found, ws.found.island[at(i)]);
    if (i > ws.answer.island || !ws.answer.tried) {
      leave_free(group, ws.answer);
      residual.law = math::larger(residual.law, Scalar(1));
      continue;
    }
    take_tried(m, group, ws);
    move(m, state, ws.placed, group, ws.rows, ws.scratch, ws.answer, ws.next);
    certify(m, state, ws.placed, ws.estimate, group, ws.rows, ws.scratch, ws.answer, ws.next, residual);
  }
  if (!drift(m, state, ws.placed, ws.estimate, ws.next) || !valid_motion(m, ws.next.state)) return report;
  report.residual = residual.largest();
  report.rounding = residual.rounding;
  report_answer(m, state, ws, report);
  report.status = StepStatus::degraded;
  copy_moved(m, ws.next.state, to);
  return report;
}

// After a step that the clock has ended: what its search has come to is where the next one begins, so that
// ticks which are too short for a change of modes get through it together. Writes the guesses alone.
template <class Scalar, int Dim, Capacity C>
inline void keep_tried(const Model<Scalar, Dim, C>& m, const Workspace<Scalar, Dim, C>& ws,
                       State<Scalar, Dim, C>& state) {
  using namespace detail;
  if (!ws.answer.cut || !ws.answer.tried) return;
  const Group<Scalar, Dim, C> group(ws.found, ws.found.island[at(ws.answer.island)]);
  const bool box = friction_of(m) == contact::guess::Friction::box;
  for (int k = 0; k < group.elements; ++k)
    state.mode[group[k].slot] = remember_tried(ws.scratch.mode[at(k)], box);
  if constexpr (C.arm_joints > 0)
    for (int r = ws.rows.bilateral; r < ws.rows.first_mimic(); ++r)
      state.arm.mode[ws.rows.arm_joint[at(r - ws.rows.bilateral)]] = ws.scratch.plain[at(r)];
  if constexpr (C.servos > 0)
    for (int r = ws.rows.first_servo(); r < ws.rows.plain; ++r)
      state.arm.motor[servo_of(ws.placed, ws.rows, r).joint] = ws.scratch.plain[at(r)];
}

}  // namespace tactus::stepper
