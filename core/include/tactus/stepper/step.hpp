// One step of the one equation, for every law that stands in it:
//
//     s = A lambda + b,   A = h W M^-1 W^T + R,   b = W (nu + h M^-1 f) + c
//     0 <= lambda_n _|_ s_n >= 0,   friction,   nu' = nu + h M^-1 (f + W^T lambda),   q' = q + h G(q) nu'
//     delta' = delta + h (R lambda - B delta)
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
// Nothing in a step allocates, throws, prints or loops without a bound; the bound is that of the LCP solve.
#pragma once

#include <algorithm>

#include "tactus/stepper/bilateral.hpp"
#include "tactus/stepper/find.hpp"
#include "tactus/stepper/report.hpp"

namespace tactus::stepper {

namespace detail {

template <class Scalar, int Dim, Capacity C>
inline bool valid_state(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state) {
  for (int i = 0; i < m.bodies; ++i) {
    if (!geometry::is_valid(state.pose[at(i)])) return false;
    if (!dynamics::finite<Scalar, Dim>(state.velocity[at(i)])) return false;
    if (!dynamics::finite<Scalar, Dim>(state.force[at(i)])) return false;
  }
  Scalar poison = 0;
  if (m.patches > 0)
    for (int i = 0; i < m.slots; ++i)
      for (int k = 0; k < Dim; ++k) poison += state.delta[at(i)][k] * 0;
  return poison == 0;
}

// I^-1 (r x d) of every contact row.
template <class Scalar, int Dim, Capacity C>
inline void turn_rows(Workspace<Scalar, Dim, C>& ws) {
  for (int r = 0; r < ws.elements * Dim; ++r) {
    auto& row = ws.row[at(r)];
    const auto pair = ws.element[at(r / Dim)].bodies;
    dynamics::make_row<Scalar, Dim>(row, row.direction, row.moment_a, row.moment_b, ws.body[pair.a],
                                    ws.body[pair.b]);
  }
}

// A and b from the rows and ws.body[].velocity, which holds the free motion.
template <class Scalar, int Dim, Capacity C>
inline contact::Problem<Scalar, Dim> assemble(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws) {
  constexpr int joint_stride = Workspace<Scalar, Dim, C>::kJointRows;
  const int n = ws.elements * Dim;
  for (int i = 0; i < ws.elements; ++i) {
    const auto pair_i = ws.element[at(i)].bodies;
    for (int j = 0; j <= i; ++j) {
      const auto pair_j = ws.element[at(j)].bodies;
      for (int k = 0; k < Dim; ++k) {
        const int r = i * Dim + k;
        for (int l = 0; l < (i == j ? k + 1 : Dim); ++l) {
          const int c = j * Dim + l;
          Scalar x = dynamics::coupling<Scalar, Dim>(ws.row[at(r)], pair_i, ws.row[at(c)], pair_j, ws.body);
          if constexpr (joint_stride > 0) {
            const Scalar* yr = ws.joint_coupling.data() + r * joint_stride;
            const Scalar* yc = ws.joint_coupling.data() + c * joint_stride;
            for (int q = 0; q < ws.joint_rows; ++q) x -= yr[q] * yc[q];
          }
          ws.A[at(r * n + c)] = m.h * x;
        }
      }
    }
  }
  if (m.patches > 0) {
    for (int i = 0; i < ws.elements; ++i) {
      const auto& e = ws.element[at(i)];
      const int p = m.contact[e.contact].patch;
      if (p < 0) continue;
      const auto& patch = m.patch[at(p)];
      for (int j = i - e.within; j <= i; ++j)
        for (int k = 0; k < Dim; ++k)
          for (int l = 0; l < (i == j ? k + 1 : Dim); ++l)
            ws.A[at((i * Dim + k) * n + j * Dim + l)] +=
                patch.R[(e.within * Dim + k) * patch.size() + ws.element[at(j)].within * Dim + l];
    }
  }
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < r; ++c) ws.A[at(c * n + r)] = ws.A[at(r * n + c)];
    const auto pair = ws.element[at(r / Dim)].bodies;
    ws.b[at(r)] =
        dynamics::speed<Scalar, Dim>(ws.row[at(r)], ws.body[pair.a].velocity, ws.body[pair.b].velocity) +
        ws.offset[at(r)];
  }
  return {ws.elements, ws.A.data(), n, ws.b.data(), ws.mu.data(), nullptr};
}

// The first facet direction of each element goes along the free slip, so that friction in the direction of
// slip is exact. A slip too small to have a direction (below kStill of the largest speed) leaves it along t.
template <class Scalar, int Dim, Capacity C>
inline void align_facets(contact::Problem<Scalar, Dim>& problem, Workspace<Scalar, Dim, C>& ws) {
  if constexpr (Dim == 3) {
    constexpr Scalar kStill = Scalar(1e-5);
    Scalar scale = 0;
    for (int r = 0; r < problem.rows(); ++r) scale = std::max(scale, std::abs(ws.b[at(r)]));
    for (int i = 0; i < problem.elements; ++i) {
      const Scalar t = ws.b[at(3 * i + 1)], o = ws.b[at(3 * i + 2)];
      const Scalar size = std::sqrt(t * t + o * o);
      const bool slides = size > kStill * scale;
      ws.slip[at(2 * i)] = slides ? t / size : Scalar(1);
      ws.slip[at(2 * i + 1)] = slides ? o / size : Scalar(0);
    }
    problem.slip = ws.slip.data();
  }
}

// Solves the contact problem: ws.lambda, ws.used.
template <class Scalar, int Dim, Capacity C>
inline lcp::Answer<Scalar> solve_contacts(const Model<Scalar, Dim, C>& m, State<Scalar, Dim, C>& state,
                                          Workspace<Scalar, Dim, C>& ws,
                                          contact::Problem<Scalar, Dim>& problem, int& facets) {
  const int ne = problem.elements;
  facets = Dim == 2 ? 2 : m.method.facets;
  bool box = m.method.pyramid == contact::Pyramid::box && contact::song::unknowns<Dim>(ne) <= C.unknowns;
  int n = 0;
  if (box) {
    n = contact::song::unknowns<Dim>(ne);
    box = contact::song::to_lcp(problem, ws.M.data(), n, ws.q.data(), ws.block.data(), ws.solver.block.data());
  }
  if (!box) {
    n = contact::stewart::unknowns(ne, facets);
    if (n > C.unknowns) return {};
    align_facets(problem, ws);
    contact::stewart::to_lcp(problem, facets, ws.M.data(), n, ws.q.data(), ws.block.data());
  } else if (Dim == 3) {
    facets = 4;
  }
  bool same = state.basis.n == n && state.basis_elements == ne;
  for (int i = 0; same && i < ne; ++i) same = state.basis_slot[at(i)] == ws.element[at(i)].slot;
  if (!same) {
    state.basis.n = 0;
    state.basis_elements = ne;
    for (int i = 0; i < ne; ++i) state.basis_slot[at(i)] = ws.element[at(i)].slot;
  }
  const lcp::Problem<Scalar> view{n, ws.M.data(), n, ws.q.data(), ws.block.data()};
  const auto answer = lcp::solve(view, ws.solver, lcp::Options{m.method.pivot_budget}, &state.basis);
  if (box)
    contact::song::from_lcp(problem, ws.solver.z.data(), ws.solver.w.data(), ws.lambda.data(),
                            ws.used.data());
  else
    contact::stewart::from_lcp(problem, facets, ws.solver.z.data(), ws.lambda.data(), ws.used.data());
  return answer;
}

// delta' of every compliant element.
template <class Scalar, int Dim, Capacity C>
inline void deform(const Model<Scalar, Dim, C>& m, State<Scalar, Dim, C>& state,
                   Workspace<Scalar, Dim, C>& ws) {
  if (m.patches == 0) return;
  for (int i = 0; i < ws.elements; ++i) {
    const auto& e = ws.element[at(i)];
    const auto& c = m.contact[e.contact];
    if (c.patch < 0) continue;
    const auto& patch = m.patch[at(c.patch)];
    const int first = (i - e.within) * Dim;
    for (int k = 0; k < Dim; ++k) {
      const Scalar* R = patch.R + (e.within * Dim + k) * patch.size();
      Scalar rate = -ws.drop[at(i * Dim + k)];
      for (int j = 0; j < patch.size(); ++j) rate += R[j] * ws.lambda[at(first + j)];
      state.delta[e.slot][k] += m.h * rate;
    }
  }
  // The patches that had no rows; ws.element is in the order of the contacts, not of the slots.
  for (int i = 0; i < m.contacts; ++i) {
    const auto& c = m.contact[at(i)];
    if (c.patch < 0) continue;
    const auto& patch = m.patch[at(c.patch)];
    for (int p = 0; p < c.point_slots; ++p) {
      const int first = c.first_slot + p * c.elements;
      bool found = false, still = true;
      for (int e = 0; e < ws.elements && !found; ++e) found = ws.element[at(e)].slot == first;
      if (found) continue;
      for (int j = 0; j < c.elements; ++j) still = still && state.delta[at(first + j)].isZero(0);
      if (still) continue;
      Scalar rate[at(contact::Patch<Scalar, Dim, C.patch_elements>::kCapacity)];
      for (int r = 0; r < patch.size(); ++r) {
        rate[r] = 0;
        for (int j = 0; j < patch.size(); ++j)
          rate[r] -= patch.B[r * patch.size() + j] * state.delta[at(first + j / Dim)][j % Dim];
      }
      for (int r = 0; r < patch.size(); ++r) state.delta[at(first + r / Dim)][r % Dim] += m.h * rate[r];
    }
  }
}

template <class Scalar, int Dim, Capacity C>
inline void remember_grip(const Model<Scalar, Dim, C>& m, State<Scalar, Dim, C>& state,
                          const Workspace<Scalar, Dim, C>& ws) {
  for (int i = 0; i < m.contacts; ++i) {
    const auto& c = m.contact[at(i)];
    if (c.friction.kind != contact::FrictionKind::static_kinetic) continue;
    for (int k = 0; k < c.point_slots * c.elements; ++k)
      state.grip[at(c.first_slot + k)] = contact::Grip::unknown;
  }
  for (int i = 0; i < ws.elements; ++i) {
    const auto& e = ws.element[at(i)];
    if (m.contact[e.contact].friction.kind != contact::FrictionKind::static_kinetic) continue;
    const auto mode = ws.outcome[at(i)].mode;
    state.grip[e.slot] = mode == contact::Mode::slip    ? contact::Grip::slips
                         : mode == contact::Mode::stick ? contact::Grip::sticks
                                                        : contact::Grip::unknown;
  }
}

template <class Scalar, int Dim, Capacity C>
inline void report_contacts(const Workspace<Scalar, Dim, C>& ws, StepReport<Scalar, Dim, C>& report) {
  using contact::Mode;
  for (int i = 0; i < ws.elements; ++i) {
    const auto& e = ws.element[at(i)];
    const auto& o = ws.outcome[at(i)];
    auto& c = report.contact[e.contact];
    for (int k = 0; k < Dim; ++k) c.force[k] += ws.lambda[at(i * Dim + k)];
    c.gap = c.elements == 0 ? e.gap : std::min(c.gap, e.gap);
    // slip over stick over open; among slips the fastest, else the smallest margin.
    const bool worse = o.mode != c.mode ? o.mode > c.mode
                                        : (o.mode == Mode::slip ? o.margin > c.margin : o.margin < c.margin);
    if (c.elements == 0 || worse) {
      c.mode = o.mode;
      c.margin = o.margin;
    }
    ++c.elements;
  }
}

// Half the sum of W nu before and after, times the impulse: the exact work of a row in the scheme.
template <class Scalar, int Dim, Capacity C>
inline Scalar row_work(const dynamics::Row<Scalar, Dim>& row, dynamics::Pair pair, Scalar impulse,
                       const State<Scalar, Dim, C>& state, const Workspace<Scalar, Dim, C>& ws) {
  return impulse *
         (dynamics::speed<Scalar, Dim>(row, state.velocity[pair.a], state.velocity[pair.b]) +
          dynamics::speed<Scalar, Dim>(row, ws.body[pair.a].velocity, ws.body[pair.b].velocity)) /
         2;
}

// Called while `state` still holds the start of the step and ws.body the velocities of its end.
template <class Scalar, int Dim, Capacity C>
inline void balance_energy(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                           const Workspace<Scalar, Dim, C>& ws, EnergyBalance<Scalar>& energy) {
  constexpr int spin = dynamics::kSpin<Dim>;
  for (int i = 0; i < m.bodies; ++i) {
    const auto& inertia = m.inertia[at(i)];
    if (!(inertia.mass > 0)) continue;
    const auto& v = state.velocity[at(i)];
    const auto& next = ws.body[at(i)].velocity;
    const auto& frame = ws.inertia_frame[at(i)];
    const Scalar after = dynamics::kinetic_energy<Scalar, Dim>(inertia, frame, next);
    energy.kinetic += after;
    energy.change += after - dynamics::kinetic_energy<Scalar, Dim>(inertia, frame, v);
    dynamics::Vector<Scalar, spin> torque = state.force[at(i)].angular;
    if constexpr (Dim == 3)
      torque += dynamics::gyroscopic<Scalar, Dim>(inertia, ws.body[at(i)].frame, v.angular);
    const dynamics::Vector<Scalar, Dim> force = inertia.mass * m.gravity + state.force[at(i)].linear;
    energy.applied +=
        m.h / 2 *
        (dynamics::dot<Scalar, Dim>(force, dynamics::Vector<Scalar, Dim>(v.linear + next.linear)) +
         dynamics::dot<Scalar, spin>(torque, dynamics::Vector<Scalar, spin>(v.angular + next.angular)));
  }
  for (int r = 0; r < ws.elements * Dim; ++r)
    energy.contact +=
        row_work(ws.row[at(r)], ws.element[at(r / Dim)].bodies, m.h * ws.lambda[at(r)], state, ws);
  if constexpr (Workspace<Scalar, Dim, C>::kJointRows > 0)
    for (int r = 0; r < ws.joint_rows; ++r)
      energy.joint += row_work(ws.joint_row[at(r)], ws.joint_pair[at(r)], ws.joint_impulse[at(r)], state, ws);
}

}  // namespace detail

template <class Scalar, int Dim, Capacity C>
inline StepReport<Scalar, Dim, C> step(const Model<Scalar, Dim, C>& m, State<Scalar, Dim, C>& state,
                                       Workspace<Scalar, Dim, C>& ws) {
  using namespace detail;
  StepReport<Scalar, Dim, C> report;
  if (!(m.h > 0)) return report;
  report.reason = StepReason::bad_state;
  if (!valid_state(m, state)) return report;
  bool overflow = false;
  place_bodies(m, state, ws);
  free_motion(m, state, ws);
  if (!find_elements(m, state, ws, overflow)) return report;
  lcp::Answer<Scalar> answer;
  int facets = 0;
  contact::Problem<Scalar, Dim> problem;
  auto estimate = state.pose;
  for (int pass = 0;; ++pass) {
    turn_rows(ws);
    factor_joints(m, state, ws);
    for (int i = 0; i < ws.joint_rows; ++i) ws.joint_impulse[at(i)] = 0;
    hold_joints(m, ws);
    couple_joints(ws);
    problem = assemble(m, ws);
    answer = {};
    answer.status = lcp::Status::solved;
    if (ws.elements > 0) answer = solve_contacts(m, state, ws, problem, facets);
    report.pivots += answer.pivots;
    if (answer.status == lcp::Status::ray || answer.status == lcp::Status::bad_input) break;
    for (int r = 0; r < problem.rows(); ++r)
      dynamics::push<Scalar, Dim>(ws.row[at(r)], ws.element[at(r / Dim)].bodies, m.h * ws.lambda[at(r)],
                                  ws.body);
    hold_joints(m, ws);
    if (Dim == 2 || pass >= m.method.fixed_point) break;
    // Stewart 2000, 2.3: the same step with M and G at the estimated q'.
    for (int i = 0; i < m.bodies; ++i) {
      auto& body = ws.body[at(i)];
      if (!(body.inverse_mass > 0)) continue;
      estimate[at(i)] = dynamics::advanced(state.pose[at(i)], body.velocity, m.h, estimate[at(i)]);
      ws.inertia_frame[at(i)] = geometry::frame(estimate[at(i)]);
      body.inverse_inertia = dynamics::world_inverse<Scalar, Dim>(m.inertia[at(i)], ws.inertia_frame[at(i)]);
    }
    free_motion(m, state, ws);
  }
  report.elements = static_cast<std::uint16_t>(ws.elements);
  report.certificate = answer.certificate;
  report.warm = answer.warm;
  report.facet_error = static_cast<Scalar>(contact::facet_error(facets));
  if (answer.status == lcp::Status::ray) {
    report.reason = StepReason::jam;
    return report;
  }
  if (answer.status == lcp::Status::bad_input) {
    report.reason = lcp_unknowns<Dim>(ws.elements, contact::Pyramid::facets, m.method.facets) > C.unknowns
                        ? StepReason::room
                        : StepReason::bad_state;
    return report;
  }
  contact::slip_speeds(problem, ws.lambda.data(), ws.s.data());
  contact::judge(problem, ws.lambda.data(), ws.used.data(), ws.s.data(), ws.outcome.data());
  report_contacts(ws, report);
  balance_energy(m, state, ws, report.energy);
  deform(m, state, ws);
  remember_grip(m, state, ws);
  for (int i = 0; i < m.bodies; ++i) {
    if (!(m.inertia[at(i)].mass > 0)) continue;
    state.velocity[at(i)] = ws.body[at(i)].velocity;
    state.pose[at(i)] = dynamics::advanced(state.pose[at(i)], ws.body[at(i)].velocity, m.h, estimate[at(i)]);
  }
  const bool certified = answer.status == lcp::Status::solved;
  report.status = certified && !overflow ? StepStatus::solved : StepStatus::degraded;
  report.reason = !certified ? StepReason::pivot_limit : overflow ? StepReason::room : StepReason::none;
  return report;
}

template <class Scalar, int Dim, Capacity C>
inline StepReport<Scalar, Dim, C> step(World<Scalar, Dim, C>& world, Workspace<Scalar, Dim, C>& ws) {
  return step(world.model, world.state, ws);
}

}  // namespace tactus::stepper
