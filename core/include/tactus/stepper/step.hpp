// One step of the one equation, for every law that stands in it:
//
//     s = A lambda + b,   A = h W M^-1 W^T + R,   b = W (nu + h M^-1 f) + c
//     0 <= lambda_n _|_ s_n >= 0,   friction,   nu* = nu + h M^-1 (f + W^T lambda)
//     (q, nu*) -> (q', nu') free of forces,     delta' = delta + h (R lambda - B delta)
//
// Kick, then drift: forces and contacts act on the velocity at q, and then each body moves and turns as one
// that nothing acts on, without a change of momentum or energy (stepper/drift.hpp, dynamics/drift.hpp). f
// has no gyroscopic torque.
//
// rigid: R = 0, c = gap / h in the normal rows (Song 2004 (14), Stewart 2000 (2.11)-(2.16)); compliant: R =
// E^-1, c = -E^-1 K delta and (gap + delta_n) / h in the normal rows (Song 2004 (13); by Woodbury's identity
// H^-1 = A, so nothing stiff is ever inverted). An element out of contact relaxes freely: lambda = 0 in the
// last line, whether it has a row in the step or not.
//
//     const auto report = tactus::stepper::step(world, workspace);
//     if (report.status != tactus::stepper::StepStatus::solved)
//     log(tactus::stepper::sentence(report.reason));
//
// Nothing in a step allocates, throws, prints or loops without a bound; the bound is that of the LCP solve,
// or what a clock gives, step(..., clock): clock.hpp.
#pragma once

#include "tactus/stepper/account.hpp"

namespace tactus::stepper {

namespace detail {

template <class Scalar, int Dim, Capacity C>
inline bool valid_state(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state) {
  Scalar poison = 0;  // 0 unless one of them is not finite
  const auto taste = [&](const auto& x) {
    for (int k = 0; k < static_cast<int>(x.size()); ++k)
      poison = math::multiply_add(x[static_cast<decltype(x.size())>(k)], Scalar(0), poison);
  };
  for (int i = 0; i < m.bodies; ++i) {
    if (!geometry::is_valid(state.pose[at(i)])) return false;
    poison = dynamics::poisoned(state.velocity[at(i)], poison);
    poison = dynamics::poisoned(state.force[at(i)], poison);
  }
  if constexpr (C.patches > 0)
    for (int i = 0; i < m.slots; ++i) taste(state.delta[at(i)]);
  if constexpr (C.arm_joints > 0) {
    const auto& arm = state.arm;
    for (const auto* values :
         {&arm.q, &arm.qd, &arm.torque, &arm.position, &arm.speed, &arm.stiffness, &arm.damping})
      taste(*values);
  }
  return poison == 0;
}

// Solves for lambda and says so in the report. Returns how it ended.
template <class Scalar, int Dim, Capacity C, Clock Time>
inline lcp::Status solve_elements(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                                  Workspace<Scalar, Dim, C>& ws, Ways ways, bool again,
                                  StepReport<Scalar, Dim, C>& report, Time& clock) {
  const auto solve = [&] {
    if constexpr (C.torsion)
      if (m.ellipsoid.any()) return solve_torsion(m, state, ws, clock);
    return solve_contacts(m, state, ws, C.arm_joints > 0 && again ? assemble_again(m, ws) : assemble(m, ws),
                          ways, again, clock);
  };
  const Solved<Scalar> solved = ws.elements > 0 ? solve() : Solved<Scalar>{};
  report.pivots += solved.pivots;
  report.tries += solved.tries;
  report.certificate = solved.certificate;
  report.warm = solved.guessed;
  if constexpr (C.has(round_cone)) report.lift = solved.lift;
  report.facet_error = solved.turned       ? Scalar(0)
                       : m.ellipsoid.any() ? contact::torsion::error<Scalar>(solved.facets)
                                           : contact::facet_error<Scalar>(solved.facets);
  return solved.status;
}

}  // namespace detail

template <class Scalar, int Dim, Capacity C, Clock Time = const NoClock>
inline StepReport<Scalar, Dim, C> step(const Model<Scalar, Dim, C>& m, State<Scalar, Dim, C>& state,
                                       Workspace<Scalar, Dim, C>& ws, Time& clock = kNoClock) {
  using namespace detail;
  StepReport<Scalar, Dim, C> report;
  if (!(m.h > 0)) return report;
  report.reason = StepReason::bad_state;
  if (!valid_state(m, state)) return report;
  report.reason = StepReason::too_fast;
  if (spins_too_fast(m, state)) return report;
  report.reason = StepReason::bad_state;
  place_bodies(m, state, ws);
  if (has_arms(m.arm)) place_arms(m, state, ws);
  int joint_solves = 0;
  Drifted<Scalar, Dim, C> next;
  Estimate<Scalar, Dim, C> estimate;
  Impulses<Scalar, Dim, C> impulse;
  // The terms of an element that depend on the free motion are found anew.
  constexpr bool kKeeps = C.arm_joints > 0 && !C.has(restitution) && !C.has(varying_friction);
  bool relaxed = false, fresh = true;
  // As long as joints change, an LCP is dearer than what it helps.
  Ways ways = has_arms(m.arm) && m.method.modes_first ? Ways::modes : Ways::all;
  Found<Scalar> found;
  lcp::Status status = lcp::Status::solved;
  for (int pass = 0;;) {
    free_motion(m, state, ws);
    if (has_arms(m.arm) && !free_arms(m, state, ws)) return report;
    // Where joints alone have changed, the elements that were found do, unless something now moves faster.
    const bool again = kKeeps && !fresh && joint_solves > 0 && ways == Ways::modes && ws.elements > 0 &&
                       reach_of(m, ws) <= found.reach;
    if (!again) found = find_elements(m, state, ws, relaxed, estimate);
    if (!found.good) return report;
    fresh = false;
    factor_joints(m, state, ws, estimate, next);
    hold_joints(m, ws);
    status = solve_elements(m, state, ws, ways, again, report, clock);
    if (has_arms(m.arm) && status == lcp::Status::ray && joint_solves++ < joint_tries(C.arm_joints) &&
        loosen_joints(m, ws))
      continue;
    // Only rigid bodies whose gaps ask them apart can have no answer: without the gaps it is Stewart's
    // (2.16), which has one.
    if (C.has(facet_form) && status == lcp::Status::ray && !relaxed) {
      relaxed = true;
      continue;
    }
    if (status == lcp::Status::ray || status == lcp::Status::bad_input) break;
    apply_contacts(m, ws, impulse);
    hold_joints(m, ws);
    if (has_arms(m.arm)) {
      push_arms(m, state, ws);
      const bool solved = status == lcp::Status::solved,
                 changed = review_joints(m, state, ws, ++joint_solves);
      const bool guessing = ways == Ways::modes;
      ways = guessing && !changed ? Ways::lcp : joint_solves < kTriesAtOnce ? Ways::modes : Ways::all;
      if ((changed || (guessing && !solved)) && joint_solves < joint_tries(C.arm_joints) && clock.go_on())
        continue;
      if (changed) status = lcp::Status::pivot_limit;
    }
    if (!kRepeats<Dim, C> || pass++ >= m.method.fixed_point) break;
    if constexpr (kRepeats<Dim, C>) {
      if (!drift_bodies(m, state, ws, estimate, next)) {
        report.reason = StepReason::too_fast;
        return report;
      }
      take_estimate(m, next, ws, estimate);
      fresh = true;
    }
  }
  report.elements = static_cast<std::uint16_t>(ws.elements);
  if (status == lcp::Status::ray) {
    report.reason = StepReason::jam;
    return report;
  }
  if (status == lcp::Status::bad_input) {
    const bool fits = C.has(facet_form) && !m.ellipsoid.any() &&
                      lcp_unknowns<Dim>(ws.elements, contact::Pyramid::facets, m.method.facets) <= C.unknowns;
    report.reason = fits ? StepReason::bad_state : StepReason::room;
    return report;
  }
  report.reason = StepReason::too_fast;
  if (!drift_bodies(m, state, ws, estimate, next)) return report;
  const bool through = found.crowded && corners_go_through(m, ws, found.reach);
  report_contacts(ws, report);
  if constexpr (C.has(energy_balance)) balance_energy(m, state, ws, impulse, estimate, next, report.energy);
  remember_modes(m, state, ws);
  remember_frames(m, state, ws);
  if constexpr (C.has(round_cone)) remember_forces(m, state, ws, status == lcp::Status::solved);
  deform(m, state, ws);
  for (int i = 0; i < m.bodies; ++i) {
    if (!(ws.body[at(i)].inverse_mass > 0)) continue;
    state.pose[at(i)] = next.pose[at(i)];
    state.velocity[at(i)] = next.velocity[at(i)];
  }
  if (has_arms(m.arm)) advance_arms(m, state, ws);
  const bool overflow = found.overflow || through;
  report.reason = status != lcp::Status::solved ? StepReason::pivot_limit
                  : overflow                    ? StepReason::room
                  : found.penetrates            ? StepReason::jam
                                                : StepReason::none;
  report.status = report.reason == StepReason::none ? StepStatus::solved : StepStatus::degraded;
  return report;
}

template <class Scalar, int Dim, Capacity C, Clock Time = const NoClock>
inline StepReport<Scalar, Dim, C> step(World<Scalar, Dim, C>& world, Workspace<Scalar, Dim, C>& ws,
                                       Time& clock = kNoClock) {
  return step(world.model, world.state, ws, clock);
}

}  // namespace tactus::stepper
