// The contact problem of a step solved: the last step's modes first, then Lemke's method on the LCP in the
// form that fits; or by the round cone.
#pragma once

#include "tactus/contact/cone.hpp"
#include "tactus/contact/guess.hpp"
#include "tactus/stepper/assemble.hpp"

namespace tactus::stepper::detail {

// What a step needs to know of how its contact problem was solved.
template <class Scalar>
struct Solved {
  lcp::Status status = lcp::Status::solved;
  bool guessed = true;  // by the modes alone
  bool turned = true;   // and every pyramid along its slip
  int tries = 0, pivots = 0, facets = 0;
  lcp::Certificate<Scalar> certificate;
  Scalar lift = 0;  // see StepReport

  Solved() = default;
  Solved(const contact::guess::Answer<Scalar>& answer, int of_facets)  // as a list GCC clears it all first
      : guessed(answer.found), turned(answer.turned), tries(answer.tries), facets(of_facets) {
    certificate.min_z = answer.least_force;
    certificate.min_w = answer.least_speed;
    certificate.complementarity = answer.complementarity;
    certificate.residual = certificate.unit_free = answer.residual;
  }
};

// The first facet direction of each element goes along the free slip, so that friction in the direction of
// slip is exact. A slip too small to have a direction (below kNoDirection of the largest speed) leaves it
// along t.
template <class Scalar>
inline void align_facets(const contact::Problem<Scalar, 2>&, Scalar, Scalar*) {}

template <class Scalar>
inline void align_facets(contact::Problem<Scalar, 3>& problem, Scalar speed, Scalar* slip) {
  constexpr Scalar kNoDirection = Scalar(1e-5);
  for (int i = 0; i < problem.elements; ++i) {
    const Scalar t = problem.b[3 * i + 1], o = problem.b[3 * i + 2];
    const Scalar size = std::sqrt(t * t + o * o);
    const bool slides = size > kNoDirection * speed;
    slip[2 * i] = slides ? t / size : Scalar(1);
    slip[2 * i + 1] = slides ? o / size : Scalar(0);
  }
  problem.slip = slip;
}

// A and b are consumed: they lie where the solver works.
template <class Scalar, int Dim, Capacity C, Clock Time>
[[gnu::noinline]] inline void solve_lcp(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws,
                                        contact::Problem<Scalar, Dim> problem, Scalar speed, Scalar* used,
                                        Solved<Scalar>& solved, Time& clock) {
  namespace song = contact::song;
  namespace stewart = contact::stewart;
  const int ne = problem.elements;
  Scalar slip[at(Dim == 2 ? 1 : 2 * C.active)];
  int n = 0;
  bool box = false;
  if (C.has(box_form) && m.method.pyramid == contact::Pyramid::box) {
    n = song::unknowns<Dim>(ne);
    box = n <= C.unknowns && song::to_lcp(problem, ws.M.data(), n, ws.q.data(), ws.block.data());
  }
  if (!box) {
    n = stewart::unknowns(ne, solved.facets);
    if (!C.has(facet_form) || n > C.unknowns) {
      solved.status = lcp::Status::bad_input;
      return;
    }
    align_facets(problem, speed, slip);
    stewart::to_lcp(problem, solved.facets, ws.M.data(), n, ws.q.data(), ws.block.data());
  }
  const lcp::Problem<Scalar> view{n, ws.M.data(), n, ws.q.data(), ws.block.data()};
  const auto answer = lcp::solve(view, ws.solver, lcp::Options{m.method.pivot_budget}, {}, clock);
  solved.status = answer.status;
  solved.pivots = answer.pivots;
  solved.certificate = answer.certificate;
  const Scalar* const z = ws.solver.z.data();
  const Scalar* const w = ws.solver.w.data();
  if (C.has(box_form) && box)
    song::from_lcp<Scalar, Dim>(ne, z, w, ws.lambda.data(), ws.s.data(), used);
  else if (C.has(facet_form))
    stewart::from_lcp(problem, solved.facets, z, w, ws.lambda.data(), ws.s.data(), used);
}

// By the round cone in Rows - 1 dimensions. A and b stay where they are; ws.M has the derivative. Fills
// lambda, s and ws.outcome.
template <class Scalar, int Dim, Capacity C, int Rows, Clock Time>
inline Solved<Scalar> solve_by_cone(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                                    Workspace<Scalar, Dim, C>& ws,
                                    const contact::Problem<Scalar, Rows>& problem, Scalar* lambda, Scalar* s,
                                    Time& clock) {
  constexpr int kRows = C.active * Rows;
  static_assert(C.unknowns >= kRows, "the cone needs as many unknowns as active rows");
  const bool relaxed = m.method.friction == FrictionLaw::relaxed_cone;
  contact::FixedPointArrays<Scalar, kRows> scratch;
  for (int i = 0; i < problem.elements; ++i)
    for (int k = 0; k < Rows; ++k) lambda[i * Rows + k] = state.lambda[ws.element[at(i)].slot][at(k)];
  const auto answer =
      contact::solve_cone(problem, relaxed ? contact::ConeLaw::relaxed : contact::ConeLaw::exact,
                          scratch.with(ws.M.data()), lambda, s, {.iterations = m.method.pivot_budget}, clock);
  Solved<Scalar> solved;
  solved.guessed = false;
  solved.pivots = answer.iterations;
  const bool accepted = answer.residual <= contact::cone::kAccepted<Scalar>;
  solved.status = accepted ? lcp::Status::solved : lcp::Status::pivot_limit;
  auto& certificate = solved.certificate;
  certificate.residual = certificate.unit_free = answer.residual;
  const auto scale = contact::scale_of(problem);
  for (int i = 0; i < problem.elements; ++i) {
    const Scalar* const force = lambda + i * Rows;
    Scalar speed[Rows], friction = 0;
    for (int k = 0; k < Rows; ++k) speed[k] = s[i * Rows + k];
    for (int k = 1; k < Rows; ++k) friction += force[k] * force[k];
    if (relaxed) {
      // What is complementary to lambda_n is s_n less the lift's share.
      const Scalar lift = contact::lift(problem, i, m.h, lambda, s);
      speed[0] -= lift / m.h;
      solved.lift = math::larger(solved.lift, lift);
    }
    certificate.min_z = i == 0 || force[0] < certificate.min_z ? force[0] : certificate.min_z;
    certificate.min_w = i == 0 || speed[0] < certificate.min_w ? speed[0] : certificate.min_w;
    certificate.complementarity =
        math::larger(certificate.complementarity, math::magnitude(force[0] * speed[0]));
    ws.outcome[at(i)] = contact::judge<Scalar, Rows>(scale, ws.mu[at(i)], force, speed, std::sqrt(friction));
  }
  return solved;
}

// What may be tried.
enum class Ways : std::uint8_t { all, modes, lcp };

// Fills ws.lambda, ws.s and ws.outcome; without the LCP, what it fills may be no answer. `again`: ws.outcome
// has what the same elements did in a solve before, which is a better guess than the last step.
template <class Scalar, int Dim, Capacity C, Clock Time>
inline Solved<Scalar> solve_contacts(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                                     Workspace<Scalar, Dim, C>& ws,
                                     const contact::Problem<Scalar, Dim>& problem, Ways ways, bool again,
                                     Time& clock) {
  using W = Workspace<Scalar, Dim, C>;
  if constexpr (C.has(round_cone))
    if (m.method.friction != FrictionLaw::pyramid)
      return solve_by_cone(m, state, ws, problem, ws.lambda.data(), ws.s.data(), clock);
  Scalar used[at(C.active)];
  const bool box = Dim == 2 || m.method.pyramid == contact::Pyramid::box;
  const int facets = Dim == 2 ? 2 : m.method.facets;
  contact::guess::Answer<Scalar> answer;
  if (m.method.modes_first && (C.arm_joints == 0 || ways != Ways::lcp)) {
    static_assert(C.unknowns >= 3, "the reduced system takes room for three");
    bool rigid = false;
    for (int i = 0; i < ws.elements && !rigid;) {
      const auto& c = m.contact[ws.element[at(i)].contact];
      rigid = c.patch < 0;
      i += c.elements;
    }
    contact::guess::ElementMode<Scalar, Dim> mode[at(C.active)];
    std::int16_t unknown[at(W::kRows)];
    contact::guess::Search<Scalar, Dim> search(
        problem, box ? 0 : facets, rigid && (ws.elements > 1 || ws.joint_rows > 0 || has_arms(m.arm)), mode,
        unknown, ws.solver.z.data(), ws.M.data(), ws.lambda.data(), ws.s.data(), used);
    answer = search.run(
        [&](int i) {
          return C.arm_joints > 0 && again
                     ? contact::remember<Scalar, Dim>(ws.outcome[at(i)].mode, &ws.lambda[at(i * Dim)],
                                                      &ws.s[at(i * Dim)], ws.mu[at(i)], box)
                     : state.mode[ws.element[at(i)].slot];
        },
        clock);
  }
  Solved<Scalar> solved(answer, facets);
  // What the modes were judged by will do to tell them.
  const auto scale =
      solved.guessed ? contact::Scale<Scalar>{answer.speed, answer.mobility} : contact::scale_of(problem);
  if (C.arm_joints > 0 && !solved.guessed && ways == Ways::modes) {
    solved.status = lcp::Status::pivot_limit;
  } else if (!solved.guessed && !clock.go_on()) {
    solved.status = lcp::Status::pivot_limit;
    for (int i = 0; i < problem.rows(); ++i) {
      ws.lambda[at(i)] = 0;
      ws.s[at(i)] = problem.b[i];
    }
    for (int i = 0; i < ws.elements; ++i) used[i] = 0;
  } else if (!solved.guessed) {
    solved.turned = false;
    solve_lcp(m, ws, problem, scale.speed, used, solved, clock);
  }
  for (int i = 0; i < ws.elements; ++i)
    ws.outcome[at(i)] = contact::judge<Scalar, Dim>(scale, ws.mu[at(i)], &ws.lambda[at(i * Dim)],
                                                    &ws.s[at(i * Dim)], used[i]);
  return solved;
}

}  // namespace tactus::stepper::detail
