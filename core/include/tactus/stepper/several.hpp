// Whether the motion of a step is the only one that obeys its laws. With rigid contacts and friction it need
// not be: rods wedge or slip (Painleve), joints that hold by friction press a sliding tip by more or less.
//
//     constexpr Capacity kSize{..., .parts = every_part | second_answer};
//     method.seek_second = true;
//     const auto report = step(world, workspace);
//     if (report.several) other(workspace.second.next.velocity);   // the other motion, as certified as this
//
// `several` is never said without another answer that passes the step's own certificate, and whose velocities
// differ by more than kApart of those at hand. That none is said proves nothing: it is a search, from
// kElsewheres starts an island (contact/elsewhere.hpp), and where answers fill a small range or sweeps are
// slow it finds none. An answer that is a pyramid (facet_error > 0) is no reference: then two of the search
// have to differ from each other. Forces that differ while the motion is the same do not count.
//
// Not sought: where nothing has friction, and under FrictionLaw::relaxed_cone. Both are convex, their motion
// is unique.
//
// Cost: nothing unless asked for. Then for each island that has friction its A and b once more and for each
// start one search, one move and one certificate, until one differs: of the hard finger steps in float a step
// takes 27,000 instructions on x86-64 without, 107,000 with. Memory: sizeof(Second), in the workspace of
// worlds with the part second_answer; 576 bytes for that finger. Failure: none. A clock that ends it leaves
// the step solved and `several` unsaid.
#pragma once

#include "tactus/contact/elsewhere.hpp"
#include "tactus/stepper/certify.hpp"

namespace tactus::stepper::detail {

// What two certified answers differ by at least, as a share of the speeds of the island. The certificate lets
// speeds be off by kLaw, and a system turns this into more.
template <class Scalar>
inline constexpr Scalar kApart = sizeof(Scalar) == 8 ? Scalar(1e-6) : Scalar(5e-3);

// Speeds of an island and what they are told apart by.
template <class Scalar>
struct Distance {
  Scalar apart = 0, unit = 0, joints = 0, joint_unit = 0;

  bool far(Scalar jitter) const {
    return apart > kApart<Scalar> * unit + jitter || joints > kApart<Scalar> * joint_unit + jitter;
  }
};

// Of two motions of the bodies and joints of an island.
template <class Scalar, int Dim, Capacity C>
inline Distance<Scalar> distance_of(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                                    const Placed<Scalar, Dim, C>& placed, const Group<Scalar, Dim, C>& group,
                                    const Motions<Scalar, Dim, C>& p, const Motions<Scalar, Dim, C>& q) {
  constexpr int spin = dynamics::kSpin<Dim>;
  Distance<Scalar> out;
  const auto size_of = [&](std::size_t i, const dynamics::Motion<Scalar, Dim>& v) {
    return largest_of<Scalar, Dim>(v.linear) + m.radius[i] * largest_of<Scalar, spin>(v.angular);
  };
  for (std::size_t i = 0; i < at(m.bodies); ++i) {
    if (!(m.inertia[i].inverse_mass > 0) || !group.has(static_cast<int>(i))) continue;
    dynamics::Motion<Scalar, Dim> d;
    d.linear = p.velocity[i].linear - q.velocity[i].linear;
    d.angular = p.velocity[i].angular - q.velocity[i].angular;
    out.apart = math::larger(out.apart, size_of(i, d));
    for (const auto* v : {&state.velocity[i], &placed.body[i].velocity, &p.velocity[i], &q.velocity[i]})
      out.unit = math::larger(out.unit, size_of(i, *v));
  }
  if constexpr (C.arm_joints > 0)
    for (std::size_t j = 0; j < at(m.arm.links.joints); ++j) {
      if (!has_joint(group, static_cast<int>(j))) continue;
      out.joints = math::larger(out.joints, math::magnitude(p.qd[j] - q.qd[j]));
      for (const Scalar v : {state.arm.qd[j], placed.arm.speed[j], p.qd[j], q.qd[j]})
        out.joint_unit = math::larger(out.joint_unit, math::magnitude(v));
    }
  return out;
}

template <class Scalar, int Dim, Capacity C>
inline void take_motions(const Next<Scalar, Dim, C>& next, Motions<Scalar, Dim, C>& to) {
  to.velocity = next.velocity;
  if constexpr (C.arm_joints > 0) to.qd = next.state.arm.qd;
}

// What gaps may be off by rounding, as speeds: by as much answers may differ that are one.
template <class Scalar, int Dim, Capacity C>
inline Scalar rounding_speed(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed,
                             const Group<Scalar, Dim, C>& group) {
  Scalar round = joint_jitter(m, placed);
  for (int i = 0; i < group.elements; ++i)
    round = math::larger(round, rounding_of(m, placed, group[i].bodies) / m.h);
  return round;
}

template <class Scalar, int Dim, Capacity C>
inline bool has_friction(const Group<Scalar, Dim, C>& group) {
  for (int i = 0; i < group.elements; ++i)
    if (group.mu(i) > 0) return true;
  return false;
}

// One other answer of an island into ws.second; false where the search found none that certifies.
template <class Scalar, int Dim, Capacity C, Clock Time>
inline bool find_other(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                       const Group<Scalar, Dim, C>& group, contact::Elsewhere start,
                       Workspace<Scalar, Dim, C>& ws, Time& clock) {
  auto& second = ws.second;
  bool found = false;
  with_problem(m, ws.placed, group, ws.rows, ws.scratch, [&](const auto& at_hand) {
    using Island = std::remove_cvref_t<decltype(at_hand)>;
    contact::ElsewhereSearch<Scalar, Island::kRows, Island::kParts> search(at_hand.problem, at_hand.round(),
                                                                           at_hand.arrays);
    found = search.find(start, clock);
    if (found) judge_island(at_hand, contact::guess::Answer<Scalar>{}, second.answer);
  });
  if (!found) return false;
  if constexpr (C.torsion)
    if (m.ellipsoid.any()) take_torsion(m, group, ws.rows, ws.scratch, second.answer);
  put_answer(group, ws.rows, ws.scratch, second.answer);
  second.answer.facets = 0;
  begin_move(m, state, ws.placed, second.next);
  move(m, state, ws.placed, group, ws.rows, ws.scratch, second.answer, second.next);
  Residual<Scalar> residual;
  certify(m, state, ws.placed, ws.estimate, group, ws.rows, ws.scratch, second.answer, second.next, residual);
  return residual.certified() && residual.rounding <= kMomentum<Scalar>;
}

// Whether an island has another answer.
template <class Scalar, int Dim, Capacity C, Clock Time>
inline bool island_has_others(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                              const Group<Scalar, Dim, C>& group, Workspace<Scalar, Dim, C>& ws,
                              Time& clock) {
  if (!has_friction(group)) return false;
  auto& second = ws.second;
  couple(m, state, ws.placed, ws.estimate, group, ws.rows);
  const Scalar jitter = rounding_speed(m, ws.placed, group);
  bool known = ws.answer.facets == 0;
  if (known) take_motions(ws.next, second.first);
  for (int k = 0; k < contact::kElsewheres && clock.go_on(Piece::move, ws.rows.all, ws.rows.plain); ++k) {
    if (!find_other(m, state, group, static_cast<contact::Elsewhere>(k), ws, clock)) continue;
    take_motions(second.next, second.other);
    if (known && distance_of(m, state, ws.placed, group, second.first, second.other).far(jitter)) return true;
    if (!known) second.first = second.other;
    known = true;
  }
  return false;
}

// Of a step that is solved, before it is committed. ws.rows is then again as it was.
template <class Scalar, int Dim, Capacity C, Clock Time>
[[gnu::noinline]] inline bool has_others(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                                         Workspace<Scalar, Dim, C>& ws, Time& clock) {
  if (friction_of(m) == contact::guess::Friction::relaxed) return false;
  bool several = false;
  const auto group = [&](int i) { return Group<Scalar, Dim, C>(ws.found, ws.found.island[at(i)]); };
  for (int i = 0; i < ws.found.islands && !several; ++i)
    several = island_has_others(m, state, group(i), ws, clock);
  if (ws.found.islands > 1) couple(m, state, ws.placed, ws.estimate, group(ws.found.islands - 1), ws.rows);
  return several;
}

}  // namespace tactus::stepper::detail
