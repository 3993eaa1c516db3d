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

#include "tactus/contact/guess.hpp"
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

// The block (i, j) of R, where both elements belong to one patch.
template <class Scalar, int Dim, Capacity C>
inline void add_compliance(const Model<Scalar, Dim, C>& m, const Workspace<Scalar, Dim, C>& ws, int i, int j,
                           Scalar* block) {
  if constexpr (C.patches > 0) {
    const auto& e = ws.element[at(i)];
    const auto& f = ws.element[at(j)];
    if (e.slot - e.within != f.slot - f.within) return;
    const int p = m.contact[e.contact].patch;
    if (p < 0) return;
    const auto& patch = m.patch[at(p)];
    const int size = patch.size();
    const Scalar* R = patch.R + e.within * Dim * size + f.within * Dim;
    for (int k = 0; k < Dim; ++k)
      for (int l = 0; l < Dim; ++l) block[k * Dim + l] += R[k * size + l];
  }
}

// A and b from the rows and ws.body[].velocity, which holds the free motion.
template <class Scalar, int Dim, Capacity C>
inline contact::Problem<Scalar, Dim> assemble(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws) {
  constexpr int joint_stride = Workspace<Scalar, Dim, C>::kJointRows;
  const int n = ws.elements * Dim;
  for (int j = 0; j < ws.elements; ++j) {
    const auto pair_j = ws.element[at(j)].bodies;
    const auto* rows_j = &ws.row[at(j * Dim)];
    dynamics::Turn<Scalar, Dim> turn[Dim];
    for (int l = 0; l < Dim; ++l) {
      turn[l] = dynamics::turn_of(rows_j[l], pair_j, ws.body);
      ws.b[at(j * Dim + l)] =
          dynamics::speed<Scalar, Dim>(rows_j[l], ws.body[pair_j.a].velocity, ws.body[pair_j.b].velocity) +
          ws.offset[at(j * Dim + l)];
    }
    for (int i = j; i < ws.elements; ++i) {
      // The tangents follow from the normal, so equal normals are equal frames.
      const auto* rows_i = &ws.row[at(i * Dim)];
      Scalar block[Dim * Dim];
      dynamics::coupling(rows_i, Dim, ws.element[at(i)].bodies, rows_j, turn, Dim, pair_j, ws.body, block,
                         Dim, rows_i[0].direction == rows_j[0].direction);
      if constexpr (joint_stride > 0) {
        for (int k = 0; k < Dim; ++k) {
          for (int l = 0; l < Dim; ++l) {
            const Scalar* y_i = ws.joint_coupling.data() + (i * Dim + k) * joint_stride;
            const Scalar* y_j = ws.joint_coupling.data() + (j * Dim + l) * joint_stride;
            for (int q = 0; q < ws.joint_rows; ++q) block[k * Dim + l] -= y_i[q] * y_j[q];
          }
        }
      }
      for (int k = 0; k < Dim * Dim; ++k) block[k] *= m.h;
      add_compliance(m, ws, i, j, block);
      // Where i = j the lower triangle is written last, so that A is symmetric to the bit.
      for (int k = 0; k < Dim; ++k)
        for (int l = 0; l < Dim; ++l) {
          const Scalar x = i == j && l > k ? block[l * Dim + k] : block[k * Dim + l];
          ws.A[at((i * Dim + k) * n + j * Dim + l)] = ws.A[at((j * Dim + l) * n + i * Dim + k)] = x;
        }
    }
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

// What a step needs to know of how its contact problem was solved.
template <class Scalar>
struct Solved {
  lcp::Status status = lcp::Status::bad_input;
  bool guessed = false;  // by the modes alone
  bool turned = false;   // and every pyramid along its slip
  int tries = 0, pivots = 0, facets = 0;
  lcp::Certificate<Scalar> certificate;
};

// Lemke's way: the LCP in the form that fits.
template <class Scalar, int Dim, Capacity C>
inline void solve_lcp(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws,
                      contact::Problem<Scalar, Dim>& problem, bool box, Solved<Scalar>& solved) {
  const int ne = problem.elements;
  int n = contact::song::unknowns<Dim>(ne);
  box = box && n <= C.unknowns &&
        contact::song::to_lcp(problem, ws.M.data(), n, ws.q.data(), ws.block.data(), ws.solver.block.data());
  if (!box) {
    n = contact::stewart::unknowns(ne, solved.facets);
    if (n > C.unknowns) return;
    contact::stewart::to_lcp(problem, solved.facets, ws.M.data(), n, ws.q.data(), ws.block.data());
  }
  const lcp::Problem<Scalar> view{n, ws.M.data(), n, ws.q.data(), ws.block.data()};
  const auto answer = lcp::solve(view, ws.solver, lcp::Options{m.method.pivot_budget});
  solved.status = answer.status;
  solved.pivots = answer.pivots;
  solved.certificate = answer.certificate;
  if (box)
    contact::song::from_lcp(problem, ws.solver.z.data(), ws.solver.w.data(), ws.lambda.data(),
                            ws.used.data());
  else
    contact::stewart::from_lcp(problem, solved.facets, ws.solver.z.data(), ws.lambda.data(), ws.used.data());
  contact::slip_speeds(problem, ws.lambda.data(), ws.s.data());
}

// Solves the contact problem: ws.lambda, ws.used and ws.s.
template <class Scalar, int Dim, Capacity C>
inline Solved<Scalar> solve_contacts(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                                     Workspace<Scalar, Dim, C>& ws, contact::Problem<Scalar, Dim>& problem) {
  Solved<Scalar> solved;
  const bool box = Dim == 2 || m.method.pyramid == contact::Pyramid::box;
  solved.facets = Dim == 2 ? 2 : m.method.facets;
  if (!box) align_facets(problem, ws);
  if (m.method.modes_first) {
    bool rigid = false;
    for (int i = 0; i < ws.elements; ++i) rigid = rigid || m.contact[ws.element[at(i)].contact].patch < 0;
    contact::guess::Search<Scalar, Dim> search(
        problem, box ? 0 : solved.facets, rigid && ws.elements > 1, ws.mode.data(), ws.unknown.data(),
        ws.q.data(), ws.solver.block.data(), ws.lambda.data(), ws.s.data(), ws.used.data());
    const auto answer = search.run([&](int i) { return state.mode[ws.element[at(i)].slot]; });
    solved.tries = answer.tries;
    if (answer.found) {
      solved.status = lcp::Status::solved;
      solved.guessed = true;
      solved.turned = answer.turned;
      solved.certificate.min_z = answer.least_force;
      solved.certificate.min_w = answer.least_speed;
      solved.certificate.complementarity = answer.complementarity;
      solved.certificate.residual = answer.residual;
      return solved;
    }
  }
  solve_lcp(m, ws, problem, box && m.method.pyramid == contact::Pyramid::box, solved);
  return solved;
}

// delta' of every compliant element.
template <class Scalar, int Dim, Capacity C>
inline void deform(const Model<Scalar, Dim, C>& m, State<Scalar, Dim, C>& state,
                   Workspace<Scalar, Dim, C>& ws) {
  if constexpr (C.patches == 0) return;
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

// The modes that the next step guesses first, and the grip.
template <class Scalar, int Dim, Capacity C>
inline void remember_modes(const Model<Scalar, Dim, C>& m, State<Scalar, Dim, C>& state,
                           const Workspace<Scalar, Dim, C>& ws) {
  const bool box = Dim == 2 || m.method.pyramid == contact::Pyramid::box;
  for (int i = 0; i < m.slots; ++i) {
    state.mode[at(i)] = {};
    state.grip[at(i)] = contact::Grip::unknown;
  }
  for (int i = 0; i < ws.elements; ++i) {
    const auto slot = ws.element[at(i)].slot;
    const auto mode = ws.outcome[at(i)].mode;
    state.mode[slot] =
        contact::remember<Scalar, Dim>(mode, &ws.lambda[at(i * Dim)], &ws.s[at(i * Dim)], ws.mu[at(i)], box);
    if (mode == contact::Mode::slip) state.grip[slot] = contact::Grip::slips;
    if (mode == contact::Mode::stick) state.grip[slot] = contact::Grip::sticks;
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
                           const Workspace<Scalar, Dim, C>& ws,
                           const std::array<dynamics::Pose<Scalar, Dim>, at(C.bodies)>& estimate,
                           EnergyBalance<Scalar>& energy) {
  constexpr int spin = dynamics::kSpin<Dim>;
  for (int i = 0; i < m.bodies; ++i) {
    const auto& inertia = m.inertia[at(i)];
    if (!(inertia.mass > 0)) continue;
    const auto& v = state.velocity[at(i)];
    const auto& next = ws.body[at(i)].velocity;
    const auto frame = m.method.fixed_point > 0 ? geometry::frame(estimate[at(i)]) : ws.body[at(i)].frame;
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
  detail::Solved<Scalar> solved;
  contact::Problem<Scalar, Dim> problem;
  auto estimate = state.pose;
  for (int pass = 0;; ++pass) {
    factor_joints(m, state, ws);
    for (int i = 0; i < ws.joint_rows; ++i) ws.joint_impulse[at(i)] = 0;
    hold_joints(m, ws);
    couple_joints(ws);
    problem = assemble(m, ws);
    solved = {};
    solved.status = lcp::Status::solved;
    solved.guessed = true;
    if (ws.elements > 0) solved = solve_contacts(m, state, ws, problem);
    report.pivots += solved.pivots;
    if (solved.status == lcp::Status::ray || solved.status == lcp::Status::bad_input) break;
    for (int i = 0; i < ws.elements; ++i)
      dynamics::push(&ws.row[at(i * Dim)], Dim, ws.element[at(i)].bodies, &ws.lambda[at(i * Dim)], m.h,
                     ws.body);
    hold_joints(m, ws);
    if (Dim == 2 || pass >= m.method.fixed_point) break;
    // Stewart 2000, 2.3: the same step with M and G at the estimated q'.
    for (int i = 0; i < m.bodies; ++i) {
      auto& body = ws.body[at(i)];
      if (!(body.inverse_mass > 0)) continue;
      estimate[at(i)] = dynamics::advanced(state.pose[at(i)], body.velocity, m.h, estimate[at(i)]);
      body.inverse_inertia =
          dynamics::world_inverse<Scalar, Dim>(m.inertia[at(i)], geometry::frame(estimate[at(i)]));
    }
    free_motion(m, state, ws);
  }
  report.elements = static_cast<std::uint16_t>(ws.elements);
  report.certificate = solved.certificate;
  report.warm = solved.guessed;
  report.tries = solved.tries;
  report.facet_error = solved.turned ? Scalar(0) : static_cast<Scalar>(contact::facet_error(solved.facets));
  if (solved.status == lcp::Status::ray) {
    report.reason = StepReason::jam;
    return report;
  }
  if (solved.status == lcp::Status::bad_input) {
    report.reason = lcp_unknowns<Dim>(ws.elements, contact::Pyramid::facets, m.method.facets) > C.unknowns
                        ? StepReason::room
                        : StepReason::bad_state;
    return report;
  }
  contact::judge(problem, ws.lambda.data(), ws.used.data(), ws.s.data(), ws.outcome.data());
  report_contacts(ws, report);
  balance_energy(m, state, ws, estimate, report.energy);
  deform(m, state, ws);
  remember_modes(m, state, ws);
  for (int i = 0; i < m.bodies; ++i) {
    if (!(m.inertia[at(i)].mass > 0)) continue;
    state.velocity[at(i)] = ws.body[at(i)].velocity;
    state.pose[at(i)] = dynamics::advanced(state.pose[at(i)], ws.body[at(i)].velocity, m.h, estimate[at(i)]);
  }
  const bool certified = solved.status == lcp::Status::solved;
  report.status = certified && !overflow ? StepStatus::solved : StepStatus::degraded;
  report.reason = !certified ? StepReason::pivot_limit : overflow ? StepReason::room : StepReason::none;
  return report;
}

template <class Scalar, int Dim, Capacity C>
inline StepReport<Scalar, Dim, C> step(World<Scalar, Dim, C>& world, Workspace<Scalar, Dim, C>& ws) {
  return step(world.model, world.state, ws);
}

}  // namespace tactus::stepper
