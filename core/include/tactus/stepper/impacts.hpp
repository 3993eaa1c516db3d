// impacts: what hits within the step, in the order of time, before the rows that hold what rests.
//
// From u = v + f' / 2, f' = h M^-1 f, the first point that closes faster than forces bring about is looked
// for, all go there, and all points of its pair that touch have one impact (contact/impact.hpp); then the
// next, 4 n + 8 at most of n points and stops. At the time t of an impact u = v + f' t / h + f' / 2: bounces
// are of first order in h. What closes after that, and with ImpactOrder::together all of it, goes by rounds,
// all that closes in one solve: four more, or eight. What is left the step's rows stop without a rebound, and
// the step is degraded (StepReason::impacts): energy can be lost, but never gained.
//
// Only islands with a contact of e > 0 have impacts, and there all rigid points take part, so that e = 0 is
// the limit of a small e. All others are as if there were none, bit by bit; and so is a world without the
// part `restitution`. Stops of joints stop (e = 0). Friction is round and has the element's mu; torsion,
// compliant contacts, friction and motors of joints are the step's rows' alone. J and A are those of q_n.
//
// A point that touches and that its own friction drives in (Painleve: W_nn + mu W_nt . d <= 0, d against the
// slip) has an impact without any speed of approach, from what forces ask for.
//
// What the rows then have: the free motion with all impulses; the gap's row s_n + gap / h - (J D)_n, see
// Impacts, of what was hit at least s_n; joints and stops likewise.
//
// Cost: a look at each point; where one hits, couple once more, and for each impact its solve and a row of A
// for each of its. Memory: Impacts, ImpactScratch. Clock: asked
// before and after each impact's solve, and by it; it ends the step.
#pragma once

#include "tactus/stepper/impact_stage.hpp"
#include "tactus/stepper/report.hpp"

namespace tactus::stepper::detail {

// Whether friction could drive a point of a body in. Of a free body it cannot where mu^2 m r^2 tr I^-1 < 4:
// with r_n <= r and r_t <= r of m J M^-1 J^T, 1 + r_n^2 >= 2 r_n.
template <class Scalar, int Dim, Capacity C>
inline bool may_be_driven(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed, Scalar mu,
                          std::uint8_t body) {
  if (m.joints > 0 || has_arms(m.arm)) return mu > 0;
  const auto& of = placed.body[body];
  const Scalar lever = mu * m.radius[body];
  return of.inverse_mass > 0 && lever * lever * of.inverse_inertia.trace() >= 4 * of.inverse_mass;
}

// Whether anything of an island can hit, before any row is made.
template <class Scalar, int Dim, Capacity C>
inline bool may_hit(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                    const Placed<Scalar, Dim, C>& placed, const Group<Scalar, Dim, C>& group) {
  bool bounces = false, hits = false;
  for (int i = 0; i < group.elements; ++i) bounces = bounces || m.contact[group[i].contact].restitution > 0;
  for (int i = 0; i < group.elements && bounces && !hits; ++i) {
    const auto& e = group[i];
    if (!can_be_hit(m, e)) continue;
    const auto s = normal_speed(m, state, placed, e);
    const bool driven = s.pull < 0 && (may_be_driven(m, placed, group.mu(i), e.bodies.a) ||
                                       may_be_driven(m, placed, group.mu(i), e.bodies.b));
    hits = (driven || s.meets() < -s.tolerance) && goes_through(s.meets(), s.pull, e.gap, m.h);
  }
  return bounces && hits;
}

// What impulses over h by row do: to the velocities of bodies, and to the joints of arms.
template <class Scalar, int Dim, Capacity C, class Motions>
inline bool respond(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed,
                    const Group<Scalar, Dim, C>& group, const Rows<Scalar, Dim, C>& rows,
                    const Scalar* lambda, Motions& impulse,
                    dynamics::JointVector<Scalar, C.arm_joints>& turn) {
  push_by_contacts(
      m, placed, group, [&](int i) { return lambda + rows.plain + i * Dim; }, [](int) { return Scalar(0); },
      impulse);
  push_by_joints(m, rows, lambda, impulse);
  return turn_joints(m, placed, group, rows, lambda, turn);
}

template <class Scalar, int Dim, Capacity C>
inline void begin_impacts(const Model<Scalar, Dim, C>& m, Impacts<Scalar, Dim, C>& out) {
  out.certified = true;
  for (int i = 0; i < m.bodies; ++i) {
    out.impulse[at(i)] = out.late[at(i)] = {};
    out.time[at(i)] = 0;
  }
  for (int i = 0; i < m.contacts; ++i) out.force[at(i)].setZero();
  for (auto& speed : out.speed) speed = 0;
  if constexpr (C.arm_joints > 0) out.arm_impulse = out.arm_late = {};
}

// The share of the forces in D is that of the free motion before it has the impulses.
template <class Scalar, int Dim, Capacity C>
inline void give_bodies(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                        const Group<Scalar, Dim, C>& group, Scalar pulled, Scalar time,
                        Placed<Scalar, Dim, C>& placed) {
  constexpr int spin = dynamics::kSpin<Dim>;
  for (int i = 0; i < m.bodies; ++i) {
    auto& body = placed.body[at(i)];
    if (!(body.inverse_mass > 0) || !group.has(i)) continue;
    placed.impacts.time[at(i)] = time;
    const auto& impulse = placed.impacts.impulse[at(i)];
    auto& late = placed.impacts.late[at(i)];  // an impulse so far
    late.linear =
        body.inverse_mass * late.linear + pulled * (body.velocity.linear - state.velocity[at(i)].linear);
    late.angular = math::times<Scalar, spin>(body.inverse_inertia, late.angular) +
                   pulled * (body.velocity.angular - state.velocity[at(i)].angular);
    body.velocity.linear += body.inverse_mass * impulse.linear;
    body.velocity.angular += math::times<Scalar, spin>(body.inverse_inertia, impulse.angular);
  }
}

// J^T p of the joints from the rows' impulses, by which the certificate holds their momentum.
template <class Scalar, int Dim, Capacity C>
inline void give_joints(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                        const Group<Scalar, Dim, C>& group, const Rows<Scalar, Dim, C>& rows,
                        const Scalar* lambda, Scalar pulled,
                        const dynamics::JointVector<Scalar, C.arm_joints>& turn,
                        const dynamics::JointVector<Scalar, C.arm_joints>& late,
                        Placed<Scalar, Dim, C>& placed) {
  if constexpr (C.arm_joints > 0) {
    const std::size_t n = at(m.arm.links.joints), stride = at(C.arm_joints);
    auto& out = placed.impacts;
    for (std::size_t j = 0; j < n; ++j) {
      if (!group.has(C.bodies + static_cast<int>(j))) continue;
      out.arm_late[j] = late[j] + pulled * (placed.arm.speed[j] - state.arm.qd[j]);
      placed.arm.speed[j] += turn[j];
    }
    for (int r = rows.bilateral; r < rows.plain; ++r)
      each_entry(m, placed, rows, r,
                 [&](int j, Scalar x) { out.arm_impulse[at(j)] += m.h * x * lambda[at(r)]; });
    for (int i = 0; i < group.elements; ++i) {
      if (!m.arm.carries(group[i].bodies.a) && !m.arm.carries(group[i].bodies.b)) continue;
      for (std::size_t k = 0; k < at(Dim); ++k)
        for (std::size_t j = 0; j < n; ++j)
          out.arm_impulse[j] +=
              m.h * lambda[at(rows.plain + i * Dim) + k] * rows.arm.J[(at(i * Dim) + k) * stride + j];
    }
    each_carried(m, [&](std::size_t i, const Mount<Scalar>& mount) {
      if (group.has(static_cast<int>(i)))
        placed.body[i].velocity = carried_velocity(m, placed, placed.arm.speed, i, mount.link);
    });
  }
}

// What has been hit is asked no way back.
template <class Scalar, int Dim, Capacity C>
inline void shift_offsets(const Model<Scalar, Dim, C>& m, const Group<Scalar, Dim, C>& group,
                          const Rows<Scalar, Dim, C>& rows, const ImpactScratch<Scalar, Dim, C>& of,
                          Found<Scalar, Dim, C>& found) {
  for (int i = 0; i < group.elements; ++i) {
    Scalar* const offset = &found.offset[group.index(i) * Dim];
    const Scalar* const late = &of.late[at(rows.plain + i * Dim)];
    const int moved = can_be_hit(m, group[i]) ? 1 : Dim;  // a deformation is a way in all directions
    for (int k = 0; k < moved; ++k) offset[k] -= late[k];
    if (of.closing[at(i)].hit) offset[0] = math::larger(offset[0], Scalar(0));
  }
}

// Gives the impacts of an island to its bodies, joints and offsets.
template <class Scalar, int Dim, Capacity C>
inline void give_impacts(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                         const Group<Scalar, Dim, C>& group, const ImpactStage<Scalar, Dim, C>& stage,
                         Workspace<Scalar, Dim, C>& ws) {
  const Scalar pulled = stage.pulled_late();
  auto& of = ws.impact;
  auto& rows = ws.rows;
  auto& out = ws.placed.impacts;
  dynamics::JointVector<Scalar, C.arm_joints> turn{}, late{};
  restore_held(rows, of.pull.data(), Scalar(0), of.lambda.data());
  restore_held(rows, of.pull.data(), pulled, of.late_lambda.data());
  respond(m, ws.placed, group, rows, of.lambda.data(), out.impulse, turn);
  respond(m, ws.placed, group, rows, of.late_lambda.data(), out.late, late);
  give_bodies(m, state, group, pulled, stage.time(), ws.placed);
  give_joints(m, state, group, rows, of.lambda.data(), pulled, turn, late, ws.placed);
  shift_offsets(m, group, rows, of, ws.found);
  for (int i = 0; i < group.elements; ++i)
    add_force<Scalar, Dim, C>(group[i], &of.lambda[at(rows.plain + i * Dim)], out.force[group[i].contact]);
}

template <class Scalar, int Dim, Capacity C>
inline bool has_restitution(const Model<Scalar, Dim, C>& m) {
  bool any = false;
  for (int i = 0; i < m.contacts; ++i) any = any || m.contact[at(i)].restitution > 0;
  return any && m.normal_rule() == NormalRule::gap;
}

// False where the clock ended it.
template <class Scalar, int Dim, Capacity C, Clock Time>
[[gnu::noinline]] inline bool impacts(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                                      Workspace<Scalar, Dim, C>& ws, Time& clock) {
  auto& out = ws.placed.impacts;
  ws.answer.cut = false;
  for (int i = 0; i < ws.found.islands; ++i) {
    const Group<Scalar, Dim, C> group(ws.found, ws.found.island[at(i)]);
    if (!may_hit(m, state, ws.placed, group)) continue;
    if (!clock.go_on(Piece::impact, most_plain(m) + Dim * group.elements, group.elements)) return false;
    ImpactStage<Scalar, Dim, C> stage(m, state, group, ws);
    if (!stage.run(clock)) return false;
    if (stage.events() == 0) continue;
    if (out.events == 0) begin_impacts(m, out);
    out.events += stage.events();
    out.certified = out.certified && stage.certified();
    out.speed[group.root] = stage.speed();
    give_impacts(m, state, group, stage, ws);
  }
  return true;
}

// What contacts gave in impacts, beside the rows. One that has left again is not open in this step: it slips
// where friction had reached its limit and does not hold at the end, by the mean force of the step.
template <class Scalar, int Dim, Capacity C>
inline void report_impacts(const Model<Scalar, Dim, C>& m, const Found<Scalar, Dim, C>& found,
                           const Answer<Scalar, Dim, C>& answer, const Impacts<Scalar, Dim, C>& impacts,
                           StepReport<Scalar, Dim, C>& report) {
  if (impacts.events == 0) return;
  report.impacts = static_cast<std::uint16_t>(impacts.events);
  Scalar unit = 0;
  for (const Scalar speed : impacts.speed) unit = math::larger(unit, speed);
  for (int i = 0; i < m.contacts; ++i) {
    const auto& force = impacts.force[at(i)];
    auto& c = report.contact[at(i)];
    c.force += force;
    if (!(force[0] > 0) || c.mode != contact::Mode::open) continue;
    Scalar slip = 0;
    for (int e = 0; e < found.elements; ++e)
      if (found.element[at(e)].contact == i)
        slip = math::larger(slip, contact::slip_speed<Scalar, Dim>(&answer.s[at(e * Dim)]));
    const Scalar limit = m.contact[at(i)].friction.kinetic * force[0];
    const Scalar left = limit - contact::slip_speed<Scalar, Dim>(force.data());
    const bool slips =
        slip > contact::kStill<Scalar> * unit && !(left > Scalar(contact::impact::kLeft) * limit);
    c.mode = slips ? contact::Mode::slip : contact::Mode::stick;
    c.margin = slips ? slip : math::larger(left, Scalar(0));
  }
}

}  // namespace tactus::stepper::detail
