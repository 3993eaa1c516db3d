// solve: the one problem of rows of an island. The last step's modes first; where they do not fit the path
// (path.hpp), which has a proof, and from what it finds the modes of the friction that was asked for.
#pragma once

#include "tactus/contact/cone.hpp"
#include "tactus/math/cholesky.hpp"
#include "tactus/step/path.hpp"

namespace tactus::step::detail {

// The law that a model's method asks for.
template <class Scalar, int Dim, Capacity C>
constexpr contact::modes::Friction friction_of(const Model<Scalar, Dim, C>& m) {
  using contact::modes::Friction;
  if (m.method.friction == FrictionLaw::relaxed_cone) return Friction::relaxed;
  const bool box = m.method.friction == FrictionLaw::pyramid && m.method.pyramid == contact::Pyramid::box;
  return Dim == 2 || box ? Friction::box : Friction::round;
}

template <class Scalar, int Dim, Capacity C>
inline contact::Problem<Scalar, Dim> problem_of(const Rows<Scalar, Dim, C>& rows, int elements) {
  contact::Problem<Scalar, Dim> p;
  p.elements = elements;
  p.A = rows.A.data();
  p.stride = rows.all;
  p.b = rows.b.data();
  p.mu = rows.mu.data();
  p.plain = rows.plain;
  p.staircase = rows.staircase.data();
  return p;
}

// Redundant rows make the system of the modes singular: two rigid elements may, and joints.
template <class Scalar, int Dim, Capacity C>
inline bool may_be_redundant(const Model<Scalar, Dim, C>& m, const Group<Scalar, Dim, C>& group,
                             const Rows<Scalar, Dim, C>& rows) {
  if (rows.plain > 0) return true;
  bool rigid = false;
  for (int i = 0; i < group.elements && !rigid;) {
    const auto& c = m.contact[group[i].contact];
    rigid = c.patch < 0;
    i += c.elements;
  }
  return rigid && group.elements > 1;
}

// A gap is off by the rounding of the places it lies between, and its row turns that into a speed within one
// step. A joint that rests against something must not rub this way and that for it.
template <class Scalar, int Dim, Capacity C>
inline Scalar joint_jitter(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed) {
  Scalar reach = 0;
  if constexpr (C.arm_joints > 0)
    for (std::size_t j = 0; j < at(m.arm.links.joints); ++j)
      for (int k = 0; k < 3; ++k) reach = std::max(reach, std::abs(placed.arm.pose.frame[j].position[k]));
  return 4 * std::numeric_limits<Scalar>::epsilon() * reach / m.h;
}

template <class Scalar, int Dim, Capacity C>
inline void recall_plain(const State<Scalar, Dim, C>& state, const Rows<Scalar, Dim, C>& rows,
                         contact::RowMode* plain) {
  for (int r = 0; r < rows.bilateral; ++r) plain[r] = contact::RowMode::sticks;
  if constexpr (C.arm_joints > 0)
    for (int r = rows.bilateral; r < rows.plain; ++r)
      plain[r] = state.arm.mode[rows.arm_joint[at(r - rows.bilateral)]];
}

// One island's problem and all that its solution needs; kRows an element, Dim or with torsion one more.
template <class Scalar, int Dim, Capacity C, int kRows, class PathScratch>
struct IslandProblem {
  const Model<Scalar, Dim, C>& m;
  const Group<Scalar, Dim, C>& group;
  const Rows<Scalar, Dim, C>& rows;
  const contact::Problem<Scalar, kRows>& problem;
  const contact::modes::Arrays<Scalar, kRows>& arrays;
  PathScratch& path;
  contact::modes::Friction friction;

  bool round() const { return friction != contact::modes::Friction::box; }
  // Whether row r asks something apart or holds whatever it takes, and so may contradict others.
  bool may_contradict(int r) const {
    if (r < rows.bilateral) return true;
    if (r < rows.plain) return rows.staircase[at(r)].lower > 0 || rows.staircase[at(r)].upper < 0;
    const int i = (r - rows.plain) / kRows;
    return (r - rows.plain) % kRows == 0 && m.contact[group[i].contact].patch < 0 && group.offset(i)[0] < 0;
  }
};

// No answer: the free motion.
template <class Scalar, int kRows>
inline void let_go(const contact::Problem<Scalar, kRows>& p,
                   const contact::modes::Arrays<Scalar, kRows>& to) {
  for (int r = 0; r < p.rows(); ++r) {
    to.lambda[r] = 0;
    to.s[r] = p.b[r];
  }
  for (int i = 0; i < p.elements; ++i) to.used[i] = 0;
  for (int j = 0; j < p.plain; ++j) to.plain[j] = contact::RowMode::unknown;
}

// The path, and from what it finds the modes of the friction that was asked for. Its own answer, a pyramid's,
// stands where these do not fit.
template <class Island, class Search, class Guess, class Answer, class Clock>
inline void follow_path(const Island& at_hand, Search& search, Guess& by, Answer& answer, Clock& clock) {
  using Scalar = std::remove_cvref_t<decltype(*at_hand.problem.b)>;
  const auto& p = at_hand.problem;
  auto& scratch = at_hand.path;
  const auto problem = path_problem(
      p, at_hand.round(), [&](int r) { return at_hand.may_contradict(r); }, scratch);
  const bool tried = by.tries > 0;
  for (int r = 0; r < p.rows(); ++r)
    scratch.last[at(r)] = tried ? last_state(p, at_hand.arrays, r) : lcp::rows::State::unknown;
  lcp::rows::Options options;
  options.flips = at_hand.m.method.pivot_budget;
  options.last_flips = std::min(options.last_flips, options.flips);
  const auto end =
      lcp::rows::solve(problem, scratch.path, tried ? scratch.last.data() : nullptr, options, clock);
  answer.pivots += end.flips;
  if (end.end != lcp::rows::End::solved) {
    const bool ray = end.end == lcp::rows::End::ray;
    answer.status = ray ? lcp::Status::ray : lcp::Status::pivot_limit;
    // Rows against each other press until the compliance gives way, and leave no digits beside that.
    if (ray || end.end == lcp::rows::End::no_digits)
      for (int r = 0; r < p.rows(); ++r) answer.jammed = answer.jammed || at_hand.may_contradict(r);
    let_go(p, at_hand.arrays);
    return;
  }
  const bool hard = harden_path(p, scratch, at_hand.arrays, clock);
  if (take_path(p, at_hand.round(), scratch, at_hand.arrays) || hard) {
    take_modes(p, scratch, search);
    const int tries = by.tries;
    by = search.go_on(contact::modes::kTriesAfterPath<Scalar>, clock);
    by.tries += tries;
    if (by.found) return;
    take_path(p, at_hand.round(), scratch, at_hand.arrays);
    // What a clock has cut is no answer, though it may be right: with more time there is another one.
    if (!clock.go_on()) answer.status = lcp::Status::pivot_limit;
  } else {
    answer.jammed = true;
  }
  by.residual = end.certificate.residual;  // no longer that of the last try
  if (at_hand.round()) answer.facets = kPathFacets;
}

// The contacts' share of a problem whose plain rows are all bilateral: these hold whatever the contacts do,
// so they are eliminated, A := A_cc - Y Y^T, Y = A_cp L^-T, and L L^T = A_pp. All in the path's copy of A and
// b.
template <class Scalar, int kRows, class Scratch>
inline contact::Problem<Scalar, kRows> eliminate_bilateral(const contact::Problem<Scalar, kRows>& p,
                                                           Scratch& to) {
  const int n = p.rows(), held = p.plain;
  for (int r = 0; r < n; ++r) {
    to.b[at(r)] = p.b[r];
    for (int c = 0; c < n; ++c) to.A[at(r * n + c)] = p.A[r * p.stride + c];
  }
  Scalar* const A = to.A.data();
  math::factor(A, held, n);
  math::forward_substitute(A, held, n, to.b.data());
  for (int r = held; r < n; ++r) {
    Scalar* const y = A + r * n;
    math::forward_substitute(A, held, n, y);
    for (int k = 0; k < held; ++k) to.b[at(r)] -= y[k] * to.b[at(k)];
    for (int c = held; c <= r; ++c) {
      Scalar sum = y[c];
      for (int k = 0; k < held; ++k) sum -= y[k] * A[c * n + k];
      y[c] = A[c * n + r] = sum;
    }
  }
  contact::Problem<Scalar, kRows> contacts = p;
  contacts.A = A + held * (n + 1);
  contacts.stride = n;
  contacts.b = to.b.data() + held;
  contacts.plain = 0;
  return contacts;
}

// What the eliminated rows take, and all speeds.
template <class Scalar, int kRows, class Scratch>
inline void restore_bilateral(const contact::Problem<Scalar, kRows>& p, const Scratch& from,
                              const contact::modes::Arrays<Scalar, kRows>& to) {
  const int n = p.rows(), held = p.plain;
  if (held == 0) return;
  for (int k = 0; k < held; ++k) {
    Scalar sum = from.b[at(k)];
    for (int r = held; r < n; ++r) sum += from.A[at(r * n + k)] * to.lambda[r];
    to.lambda[k] = -sum;
  }
  math::back_substitute(from.A.data(), held, n, to.lambda);
  math::multiply(p.b, p.A, p.stride, n, to.lambda, n, to.s);
}

// The relaxed law is convex and has a solver of its own, for contacts and bilateral joints; from what it
// finds the modes go on. True where there is an answer.
template <class Scalar, int Dim, Capacity C, int kRows, class Path, class Search, class Clock>
inline bool solve_relaxed(const IslandProblem<Scalar, Dim, C, kRows, Path>& at_hand, Search& search,
                          contact::modes::Answer<Scalar>& by, Clock& clock) {
  constexpr Scalar kAll = Scalar(0.999);  // of the friction there is
  const auto& problem = at_hand.problem;
  const auto& to = at_hand.arrays;
  contact::FixedPointArrays<Scalar, C.active * kRows> scratch;
  const auto contacts = eliminate_bilateral(problem, at_hand.path);
  Scalar *const lambda = to.lambda + problem.plain, *const s = to.s + problem.plain;
  for (int r = 0; r < contacts.rows(); ++r) lambda[r] = 0;
  const auto solve = [&] {
    const auto answer = contact::solve_cone(contacts, contact::ConeLaw::relaxed, scratch.with(to.scratch),
                                            lambda, s, {.iterations = at_hand.m.method.pivot_budget}, clock);
    restore_bilateral(problem, at_hand.path, to);
    for (int i = 0; i < problem.elements; ++i)
      to.used[i] = contact::slip_speed<Scalar, kRows>(lambda + contacts.first(i));
    return answer.residual;
  };
  solve();
  for (int i = 0; i < problem.elements; ++i) {
    bool bound[kRows - 1];
    for (bool& b : bound) b = to.used[i] > kAll * problem.mu[i] * lambda[contacts.first(i)];
    search.take(i, lambda[contacts.first(i)] > 0, bound);
  }
  const int tries = by.tries;
  by = search.go_on(contact::modes::kTriesAfterPath<Scalar>, clock);
  by.tries += tries;
  if (by.found) return true;
  by.residual = solve();
  by.found = by.residual <= contact::cone::kAccepted<Scalar>;
  return by.found;
}

// What the island's elements do, and the worst that is to be said of it.
template <class Scalar, int Dim, Capacity C, int kRows, class Path>
inline void judge_island(const IslandProblem<Scalar, Dim, C, kRows, Path>& at_hand,
                         const contact::modes::Answer<Scalar>& by, Answer<Scalar, Dim, C>& answer) {
  const auto& problem = at_hand.problem;
  answer.tries = std::max(answer.tries, by.tries);
  auto& certificate = answer.certificate;
  certificate.min_z = std::min(certificate.min_z, by.least_force);
  certificate.min_w = std::min(certificate.min_w, by.least_speed);
  certificate.complementarity = math::larger(certificate.complementarity, by.complementarity);
  certificate.residual = certificate.unit_free = math::larger(certificate.residual, by.residual);
  const auto scale =
      by.speed > 0 ? contact::Scale<Scalar>{by.speed, by.mobility} : contact::scale_of(problem);
  for (int i = 0; i < problem.elements; ++i) {
    const Scalar* const lambda = at_hand.arrays.lambda + problem.first(i);
    Scalar s[kRows];
    for (int k = 0; k < kRows; ++k) s[k] = at_hand.arrays.s[problem.first(i) + k];
    if (at_hand.friction == contact::modes::Friction::relaxed && lambda[0] > 0) {
      const Scalar lift = problem.mu[i] * contact::slip_speed<Scalar, kRows>(s);
      s[0] -= lift;  // what is complementary to lambda_n is s_n less the lift's share
      answer.lift = math::larger(answer.lift, at_hand.m.h * lift);
    }
    answer.outcome[at_hand.group.index(i)] =
        contact::judge<Scalar, kRows>(scale, problem.mu[i], lambda, s, at_hand.arrays.used[i]);
  }
}

template <class Scalar, int Dim, Capacity C, int kRows, class Path, class Clock>
inline void solve_island(const IslandProblem<Scalar, Dim, C, kRows, Path>& at_hand,
                         const State<Scalar, Dim, C>& state, Scalar jitter, Answer<Scalar, Dim, C>& answer,
                         Clock& clock) {
  contact::modes::Search<Scalar, kRows> search(at_hand.problem, at_hand.friction,
                                               may_be_redundant(at_hand.m, at_hand.group, at_hand.rows),
                                               at_hand.arrays, jitter);
  recall_plain(state, at_hand.rows, at_hand.arrays.plain);
  contact::modes::Answer<Scalar> by;
  if (at_hand.m.method.modes_first)
    by = search.run([&](int i) { return state.mode[at_hand.group[i].slot]; }, clock);
  bool solved = by.found;
  answer.guessed = answer.guessed && solved;
  if constexpr (C.has(round_cone))
    if (!solved && at_hand.friction == contact::modes::Friction::relaxed &&
        at_hand.rows.plain == at_hand.rows.bilateral)
      solved = solve_relaxed(at_hand, search, by, clock);
  if (!solved) follow_path(at_hand, search, by, answer, clock);
  judge_island(at_hand, by, answer);
}

// The answer of an island, in the order of all elements.
template <class Scalar, int Dim, Capacity C>
inline void put_answer(const Group<Scalar, Dim, C>& group, const Rows<Scalar, Dim, C>& rows,
                       const SolveScratch<Scalar, Dim, C>& scratch, Answer<Scalar, Dim, C>& answer) {
  const Scalar *lambda = &scratch.lambda[at(rows.plain)], *s = &scratch.s[at(rows.plain)];
  for (int i = 0; i < group.elements; ++i) {
    Scalar* const to = &answer.lambda[group.index(i) * Dim];
    Scalar* const to_s = &answer.s[group.index(i) * Dim];
    for (int k = 0; k < Dim; ++k) {
      to[k] = *lambda++;
      to_s[k] = *s++;
    }
  }
}

template <class Scalar, Capacity C, class Clock>
inline void solve_torsion(const Model<Scalar, 3, C>& m, const State<Scalar, 3, C>& state,
                          const Placed<Scalar, 3, C>& placed, const Group<Scalar, 3, C>& group,
                          const Rows<Scalar, 3, C>& rows, SolveScratch<Scalar, 3, C>& scratch,
                          Answer<Scalar, 3, C>& answer, Clock& clock);

template <class Clock, class Scalar, int Dim, Capacity C>
inline void solve(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                  const Placed<Scalar, Dim, C>& placed, const Group<Scalar, Dim, C>& group,
                  const Rows<Scalar, Dim, C>& rows, SolveScratch<Scalar, Dim, C>& scratch,
                  Answer<Scalar, Dim, C>& answer, Clock& clock) {
  if (rows.all == 0) return;
  bool torsion = false;
  if constexpr (C.torsion) torsion = m.ellipsoid.any();
  if constexpr (C.torsion)
    if (torsion) solve_torsion(m, state, placed, group, rows, scratch, answer, clock);
  if (!torsion) {
    const auto problem = problem_of(rows, group.elements);
    const contact::modes::Arrays<Scalar, Dim> arrays{
        scratch.plain.data(),  scratch.mode.data(),   scratch.row.data(), scratch.work.data(),
        scratch.system.data(), scratch.lambda.data(), scratch.s.data(),   scratch.used.data()};
    const IslandProblem<Scalar, Dim, C, Dim, PathScratch<Scalar, RowCount<Dim, C>::kAll>> at_hand{
        m, group, rows, problem, arrays, scratch.path, friction_of(m)};
    solve_island(at_hand, state, joint_jitter(m, placed), answer, clock);
  }
  put_answer(group, rows, scratch, answer);
}

}  // namespace tactus::step::detail
