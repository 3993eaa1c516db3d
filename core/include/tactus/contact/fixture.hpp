// Does a fixture hold a part that is laid into it and let go? Pang-Trinkle 1996, after Corollary 1.
//
// At rest (qd = 0, no bias, every contact rolling) a solution always exists (Corollary 1), but not always one
// only: a box pressed between two walls by nothing may hang there by forces that nothing asks for, or fall.
// So the part is held for certain only if every solution has qdd = 0. Two questions decide that, each under
// the law that was asked, the pyramid or the round cone:
//
//     can it hold?   are there c in the friction sets with W c + f = 0 (fixture_hold.hpp)
//     can it move?   is there a solution with qdd != 0 (fixture_motion.hpp)
//
//     cannot hold            unstable: a solution exists, and no solution is at rest
//     can hold, cannot move  stable
//     both                   undecided, with forces for either: Coulomb's law alone does not say
//
// "Cannot" is said of checked contradictions only (lcp/branch.hpp). The round cone is met by polyhedra that
// lie inside and outside of it; where the inner ones show no motion and the outer ones exclude none, the
// verdict is undecided and its reason is that gap. A part without any load is at rest: stable.
//
// At rest is a part whose load is balanced to kRest of it; the caller's numbers are taken as exact, in float
// as in double.
//
// Cost: a few dozen linear programmes for four contacts in space, see fixture_problem.hpp; a clamp of a
// million times the weight costs no more. Memory: sizeof(FixtureWorkspace), mostly two doubles for each entry
// of a linear programme.
#pragma once

#include "tactus/contact/fixture_hold.hpp"

namespace tactus::contact::acceleration {

enum class Stability : std::uint8_t { stable, unstable, undecided };

enum class FixtureReason : std::uint8_t {
  holds,      // stable
  falls,      // unstable
  ambiguous,  // forces that hold it and forces that let it move obey every law
  gap,        // the cone's inner and outer bounds differ
  budget,     // the search was not complete
  rounding,   // a contradiction was too weak to be believed
  moving,     // not at rest: a velocity, a bias or a moving joint is given
  bad_input
};

constexpr const char* sentence(FixtureReason reason) {
  switch (reason) {
    case FixtureReason::holds:
      return "The fixture holds the part: every solution is at rest.";
    case FixtureReason::falls:
      return "The part moves: no forces that friction allows balance it.";
    case FixtureReason::ambiguous:
      return "Some forces hold the part and others let it move, and both obey every law.";
    case FixtureReason::gap:
      return "Polyhedra outside the friction cones let the part move, and no motion was found inside them.";
    case FixtureReason::budget:
      return "The search ended with its budget.";
    case FixtureReason::rounding:
      return "The question is decided by less than rounding.";
    case FixtureReason::moving:
      return "The part or the fixture is not at rest.";
    case FixtureReason::bad_input:
      return "A size, an inertia, a coefficient of friction or another number cannot be right.";
  }
  return "Unknown reason.";
}

template <class Scalar>
struct Verdict {
  Stability stability = Stability::undecided;
  FixtureReason reason = FixtureReason::bad_input;
  bool can_hold = false, can_move = false;  // forces for it are in the workspace: hold, move
  int pivots = 0;
};

template <class Scalar, int Dim, SystemSize S>
struct FixtureWorkspace {
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;

  Array<Scalar, S.contacts * Dim> hold{};  // forces with which the part is at rest, if there are any, N
  Array<Scalar, S.contacts * Dim> move{};  // forces with which it is not, and
  Array<Scalar, S.freedoms> qdd{};         // how it moves then

  // Scratch.
  Reduction<Scalar, Dim, S> reduction;
  FixtureProblem<Dim, S> problem;
  FixtureScratch<Dim, S> scratch;
  Loading<Dim, S> loading;
};

namespace detail {

// Both questions, of ws.problem under ws.loading.load.
template <class Scalar, int Dim, SystemSize S, Clock Time>
Verdict<Scalar> judge_fixture(FixtureWorkspace<Scalar, Dim, S>& ws, const Budget& budget, Time& clock) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const auto& p = ws.problem;
  Verdict<Scalar> verdict;
  HoldSearch<Dim, S, Time> holding(p, ws.scratch, budget.search, clock);
  const Hold hold = holding.run(ws.loading.load.data(), 1);
  verdict.can_hold = hold == Hold::yes;
  for (int k = 0; k < p.rows() && verdict.can_hold; ++k)
    ws.hold[at(k)] = static_cast<Scalar>(static_cast<double>(ws.scratch.c[at(k)]) * p.force_unit);
  const Exact* const load = ws.loading.load.data();
  const double size = p.size(load);
  Motion<Dim, S> motion;
  motion.complete = true;
  if (size > 0) motion = find_motion(p, ws.loading, load, size, ws.scratch, budget.search, clock);
  verdict.pivots = holding.pivots() + motion.pivots;
  verdict.can_move = motion.found;
  if (motion.found) {
    std::array<Exact, static_cast<std::size_t>(S.freedoms)> y;
    p.solve(motion.unbalanced.data(), y.data());
    for (int k = 0; k < p.rows(); ++k)
      ws.move[at(k)] = static_cast<Scalar>(static_cast<double>(motion.c[at(k)]) * p.force_unit);
    for (int i = 0; i < p.freedoms; ++i)
      ws.qdd[at(i)] = static_cast<Scalar>(static_cast<double>(y[at(i)]) * p.force_unit / p.mass_unit);
  }
  if (hold == Hold::budget || hold == Hold::doubtful) {
    verdict.reason = hold == Hold::budget ? FixtureReason::budget : FixtureReason::rounding;
  } else if (hold == Hold::no) {
    verdict.stability = Stability::unstable;
    verdict.reason = FixtureReason::falls;
  } else if (motion.found) {
    verdict.reason = FixtureReason::ambiguous;
  } else if (!motion.complete) {
    verdict.reason = FixtureReason::budget;
  } else if (!motion.proved) {
    verdict.reason = FixtureReason::rounding;
  } else if (motion.gap) {
    verdict.reason = FixtureReason::gap;
  } else {
    verdict.stability = Stability::stable;
    verdict.reason = FixtureReason::holds;
  }
  return verdict;
}

}  // namespace detail

// Friction and inertia of s are those of a System without free joints; velocity and bias must be zero.
template <class Scalar, int Dim, SystemSize S, Clock Time = const NoClock>
Verdict<Scalar> check_fixture(const System<Scalar, Dim, S>& s, FixtureWorkspace<Scalar, Dim, S>& ws, Law law,
                              const Budget& budget = {}, Time& clock = kNoClock) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  Verdict<Scalar> verdict;
  if (!reduce(s, ws.reduction)) return verdict;
  verdict.reason = FixtureReason::moving;
  for (int k = 0; k < s.contacts * Dim; ++k)
    if (s.bias[at(k)] != 0) return verdict;
  for (int k = 0; k < s.contacts * (Dim - 1); ++k)
    if (s.velocity[at(k)] != 0) return verdict;
  for (int j = 0; j < s.joints; ++j)
    if (!s.driven[at(j)] || s.thdd[at(j)] != 0) return verdict;
  make_exact(s, law == Law::cone, ws.problem);
  ws.loading = {};
  for (int i = 0; i < s.freedoms; ++i)
    ws.loading.load[at(i)] = static_cast<double>(s.f_obj[at(i)]) / ws.problem.force_unit;
  return detail::judge_fixture(ws, budget, clock);
}

}  // namespace tactus::contact::acceleration
