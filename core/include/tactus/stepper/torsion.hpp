// Friction ellipsoids with torsion in the rigid law: the contact problem with a fourth row, the turn about
// the normal, an element. By the polyhedron of contact/torsion.hpp and the LCP, or by the round cone, which
// in units of the axes is the law of cone.hpp in one dimension more. Only worlds with Capacity::torsion have
// it.
#pragma once

#include "tactus/contact/torsion.hpp"
#include "tactus/math/cholesky.hpp"
#include "tactus/stepper/solve.hpp"

namespace tactus::stepper::detail {

// Row k = n, t, o or r of an element.
template <class Scalar>
inline dynamics::Row<Scalar, 3> torsion_row(const dynamics::PointFrame<Scalar, 3>& frame, int k) {
  if (k < 3) return dynamics::row_of(frame, k);
  return {math::Vector<Scalar, 3>::Zero(), frame.axis[0], frame.axis[0]};
}

// A = h W (M^-1 less what the joints hold) W^T and b = W nu + offset with the friction rows in units of the
// axes.
template <class Scalar, Capacity C>
inline contact::Problem<Scalar, 4> assemble_torsion(const Model<Scalar, 3, C>& m,
                                                    Workspace<Scalar, 3, C>& ws) {
  constexpr int kTorsionRows = contact::torsion::kRows, kRows = kTorsionRows * C.active;
  constexpr int kJoints = Workspace<Scalar, 3, C>::kJointRows;
  const int n = ws.elements * kTorsionRows;
  Scalar* const A = ws.torsion.A.data();
  Scalar* const b = ws.torsion.b.data();
  Scalar held[at(kRows * (kJoints > 0 ? kJoints : 1))];
  const auto unit = [&](int r) {
    const int k = r % kTorsionRows;
    return k == 0 ? Scalar(1) : m.ellipsoid[ws.element[at(r / kTorsionRows)].contact][k - 1];
  };
  for (int r = 0; r < n; ++r) {
    const auto& e = ws.element[at(r / kTorsionRows)];
    const int k = r % kTorsionRows;
    const auto row = torsion_row(e.frame, k);
    const auto turn = dynamics::turn_of(row, e.bodies, ws.body);
    const Scalar offset = k < 3 ? ws.q[at(r / kTorsionRows * 3 + k)] : Scalar(0);
    b[r] =
        unit(r) * (dynamics::speed(row, ws.body[e.bodies.a].velocity, ws.body[e.bodies.b].velocity) + offset);
    Scalar* const y = held + r * kJoints;
    if constexpr (kJoints > 0) {
      for (int i = 0; i < ws.joint_rows; ++i)
        y[i] = dynamics::coupling(ws.joint_row[at(i)], ws.joint_pair[at(i)], row, turn, e.bodies, ws.body);
      math::forward_substitute(ws.joint_factor.data(), ws.joint_rows, kJoints, y);
    }
    for (int c = 0; c <= r; ++c) {
      const auto& f = ws.element[at(c / kTorsionRows)];
      Scalar sum =
          dynamics::coupling(torsion_row(f.frame, c % kTorsionRows), f.bodies, row, turn, e.bodies, ws.body);
      if constexpr (kJoints > 0)
        for (int i = 0; i < ws.joint_rows; ++i) sum -= y[i] * held[c * kJoints + i];
      A[r * n + c] = A[c * n + r] = m.h * unit(r) * unit(c) * sum;
    }
  }
  return {ws.elements, A, n, b, ws.mu.data(), nullptr};
}

inline constexpr int kTorsionTurns = 2;  // LCPs of one step

// By the polyhedron and the LCP. The ellipsoid's own y is the projection of y - r u on the ball, r > 0; so a
// corner of each element is put there, and the LCP solved again. What comes to rest under that is exact.
template <class Scalar, Capacity C, Clock Time>
inline Solved<Scalar> solve_polyhedra(const Model<Scalar, 3, C>& m, Workspace<Scalar, 3, C>& ws,
                                      const contact::Problem<Scalar, 4>& problem, Scalar* lambda, Scalar* s,
                                      Time& clock) {
  namespace torsion = contact::torsion;
  constexpr Scalar kNoDirection = Scalar(1e-5);  // of the speeds, as in align_facets
  Solved<Scalar> solved;
  solved.guessed = solved.turned = false;
  solved.facets = m.method.facets < 8 ? 8 : m.method.facets;
  const int ne = problem.elements, n = torsion::unknowns(ne, solved.facets);
  if (n > C.unknowns) {
    solved.status = lcp::Status::bad_input;
    return solved;
  }
  const auto scale = contact::scale_of(problem);
  torsion::Corners<Scalar> set[at(C.active)];
  Scalar used[at(C.active)];
  for (int i = 0; i < ne; ++i) set[i].turn_along(problem.b + 4 * i + 1, kNoDirection * scale.speed);
  for (int turn = 0; turn < kTorsionTurns; ++turn) {
    torsion::to_lcp(problem, solved.facets, set, ws.M.data(), n, ws.q.data(), ws.block.data());
    const int left = m.method.pivot_budget - solved.pivots;
    const auto answer = lcp::solve(lcp::Problem<Scalar>{n, ws.M.data(), n, ws.q.data(), ws.block.data()},
                                   ws.solver, lcp::Options{left}, {}, clock);
    if (turn > 0 && answer.status != lcp::Status::solved) break;  // the last answer stands
    solved.status = answer.status;
    solved.pivots += answer.pivots;
    solved.certificate = answer.certificate;
    torsion::from_lcp(ne, solved.facets, set, ws.solver.z.data(), ws.solver.w.data(), lambda, s, used);
    for (int i = 0; i < ne; ++i) {
      ws.outcome[at(i)] = contact::judge<Scalar, 4>(scale, ws.mu[at(i)], lambda + 4 * i, s + 4 * i, used[i]);
      Scalar along[3];
      for (int c = 0; c < 3; ++c) along[c] = s[4 * i + 1 + c] - scale.mobility * lambda[4 * i + 1 + c];
      set[i].turn_along(along, kNoDirection * scale.speed);
    }
    if (answer.status != lcp::Status::solved) break;
  }
  return solved;
}

// Fills ws.lambda, ws.torsion, ws.s and ws.outcome.
template <class Scalar, Capacity C, Clock Time>
inline Solved<Scalar> solve_torsion(const Model<Scalar, 3, C>& m, const State<Scalar, 3, C>& state,
                                    Workspace<Scalar, 3, C>& ws, Time& clock) {
  const auto problem = assemble_torsion(m, ws);
  auto& work = ws.torsion;
  Solved<Scalar> solved;
  if (C.has(round_cone) && m.method.friction != FrictionLaw::pyramid)
    solved = solve_by_cone(m, state, ws, problem, work.lambda.data(), work.s.data(), clock);
  else
    solved = solve_polyhedra(m, ws, problem, work.lambda.data(), work.s.data(), clock);
  for (int i = 0; i < ws.elements; ++i) {
    const auto axes = m.ellipsoid[ws.element[at(i)].contact];
    for (int k = 0; k < 3; ++k) {
      ws.lambda[at(3 * i + k)] = (k == 0 ? Scalar(1) : axes[k - 1]) * work.lambda[at(4 * i + k)];
      ws.s[at(3 * i + k)] = work.s[at(4 * i + k)];
    }
    work.moment[at(i)] = axes[2] * work.lambda[at(4 * i + 3)];
  }
  return solved;
}

}  // namespace tactus::stepper::detail
