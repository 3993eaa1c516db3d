// The guaranteed solve of a step: Lemke's path in rows (lcp/rows), from the modes that were tried last and
// then from a covering vector, which has the proof. What it finds is a set of modes, from which the search
// goes on to the friction that was asked for.
//
// The path bounds each tangential row by itself. So for friction that opposes the slip the tangents of each
// element are turned by 45 degrees from the slip and bounded by mu / sqrt 2: the pyramid of four facets with
// a corner along the slip, that of the modes tried last or of the free motion.
//
// Rigid rows that the state asks apart (c < 0) may contradict each other, and bilateral rows may. They get a
// compliance, a share of their mobility, so that there always is an answer; where that then gives way by more
// than its rounding the rows are suspected to contradict each other. Proved it is by a path without friction
// and compliance that ends on a checked ray (lcp/rows/contradiction.hpp): that holds whatever friction does.
// Where a path ends on a ray that is no contradiction, rounding has made one: a joint that a limit and the
// floor hold from two sides, both without a gap. Then all such rows get that compliance.
//
// Cost: the path's, see lcp/rows/solver.hpp. Memory: A and b once more, and the path's.
#pragma once

#include "tactus/lcp/rows/solver.hpp"
#include "tactus/stepper/island.hpp"

namespace tactus::stepper::detail {

template <class Scalar>
inline constexpr Scalar kGiveWay = sizeof(Scalar) == 8 ? Scalar(1e-10) : Scalar(3e-5);
inline constexpr int kPathFacets = 4;
// From the modes tried last: a path that takes more seldom arrives, and one from afar takes 20.
inline constexpr int kLastFlips = 12;
// What a path's answer is asked for, a tenth of what the step's certificate asks.
template <class Scalar>
inline constexpr double kPathResidual = sizeof(Scalar) == 8 ? 1e-10 : 1e-5;
template <class Scalar>
inline constexpr Scalar kHalf = Scalar(0.70710678118654752440);  // sqrt(1/2)

// 45 degrees from the speeds t and o, so that a corner lies along them.
template <class Axes, class Scalar>
inline Axes path_axes(Scalar t, Scalar o) {
  const Scalar size = std::sqrt(t * t + o * o);
  const Scalar x = size > 0 ? t / size : Scalar(1), y = size > 0 ? o / size : Scalar(0);
  return {kHalf<Scalar> * (x + y), kHalf<Scalar> * (y - x)};
}

// (x, y) := its components along the axes; numbers `step` apart.
template <class Axes, class Scalar>
inline void turn_to(const Axes& a, Scalar* x, int step) {
  const Scalar t = x[0], o = x[step];
  x[0] = math::multiply_add(a.c, t, a.s * o);
  x[step] = math::multiply_add(a.c, o, -a.s * t);
}
template <class Axes, class Scalar>
inline void turn_back(const Axes& a, Scalar* x) {
  turn_to(Axes{a.c, -a.s}, x, 1);
}

// The path's copy of A and b.
template <class Scalar, int kRows, class Scratch>
inline void copy_problem(const contact::Problem<Scalar, kRows>& p, Scratch& to) {
  const int n = p.rows();
  for (int r = 0; r < n; ++r) {
    to.b[at(r)] = p.b[r];
    for (int c = 0; c < n; ++c) to.A[at(r * n + c)] = p.A[r * p.stride + c];
  }
}

// The problem as the path takes it. `tried`: the modes of the arrays are of this problem. `soft`: all rows of
// contacts and stops give way, not only those that the state asks apart.
template <class Island, class Scratch>
inline auto path_problem(const Island& at_hand, bool tried, bool soft, Scratch& to) {
  constexpr int kRows = Island::kRows;
  using Scalar = typename Island::Number;
  using Row = lcp::rows::Row<Scalar>;
  const auto& p = at_hand.problem;
  const bool round = at_hand.round();
  const int n = p.rows();
  copy_problem(p, to);
  for (int r = 0; r < p.plain; ++r) {
    const auto& law = p.staircase[r];
    to.row[at(r)] = Row::bounded(-law.friction, law.friction, law.lower, law.upper);
  }
  for (int i = 0; i < p.elements; ++i) {
    const int first = p.first(i);
    to.row[at(first)] = Row::unilateral();
    to.mu[at(i)] = round && kRows == 3 ? p.mu[i] * kHalf<Scalar> : p.mu[i];
    for (int k = 1; k < kRows; ++k)
      to.row[at(first + k)] = Row::tangent(static_cast<lcp::rows::Index>(first), to.mu[at(i)]);
    if (kRows != 3 || !round) continue;
    const auto& mode = at_hand.arrays.mode[i];
    const Scalar* const slip = tried && mode.closed && mode.bound[0] ? mode.g : p.b + first + 1;
    const auto axes = to.axes[at(i)] = path_axes<typename Scratch::Axes>(slip[0], slip[1]);
    for (int c = 0; c < n; ++c) turn_to(axes, &to.A[at((first + 1) * n + c)], n);
    for (int r = 0; r < n; ++r) turn_to(axes, &to.A[at(r * n + first + 1)], 1);
    turn_to(axes, &to.b[at(first + 1)], 1);
  }
  for (int r = 0; r < n; ++r) {
    Scalar& mobility = to.A[at(r * (n + 1))];
    const bool gives = soft ? r < p.plain || (r - p.plain) % kRows == 0 : at_hand.may_contradict(r);
    to.give[at(r)] = gives ? kGiveWay<Scalar> * mobility : Scalar(0);
    mobility += to.give[at(r)];
  }
  return lcp::rows::Problem<Scalar>{n, to.A.data(), n, to.b.data(), to.row.data()};
}

constexpr contact::RowMode mode_of(lcp::rows::State state) {
  using contact::RowMode;
  using lcp::rows::State;
  return state == State::low          ? RowMode::rises
         : state == State::high       ? RowMode::falls
         : state == State::at_stop_lo ? RowMode::at_lower
         : state == State::at_stop_hi ? RowMode::at_upper
                                      : RowMode::sticks;
}

constexpr lcp::rows::State state_of(contact::RowMode mode) {
  using contact::RowMode;
  using lcp::rows::State;
  return mode == RowMode::rises      ? State::low
         : mode == RowMode::falls    ? State::high
         : mode == RowMode::at_lower ? State::at_stop_lo
         : mode == RowMode::at_upper ? State::at_stop_hi
         : mode == RowMode::sticks   ? State::held
                                     : State::unknown;
}

// What row r did in the last try of the modes.
template <class Scalar, int kRows>
inline lcp::rows::State last_state(const contact::Problem<Scalar, kRows>& p,
                                   const contact::guess::Arrays<Scalar, kRows>& from, int r) {
  using lcp::rows::State;
  if (r < p.plain) return state_of(from.plain[r]);
  const int k = (r - p.plain) % kRows;
  const auto& mode = from.mode[(r - p.plain) / kRows];
  if (k == 0) return mode.closed ? State::held : State::low;
  if (!mode.closed) return State::unknown;
  if (!mode.bound[k - 1]) return State::held;
  return kRows == 3 ? State::low : mode.g[k - 1] > 0 ? State::high : State::low;
}

// The modes that the path has found, for a search to go on from.
template <class Scalar, int kRows, class Scratch, class Search>
inline void take_modes(const contact::Problem<Scalar, kRows>& p, const Scratch& from, Search& search) {
  for (int i = 0; i < p.elements; ++i) {
    const int first = p.first(i);
    bool bound[kRows - 1];
    for (int k = 1; k < kRows; ++k) bound[k - 1] = from.path.state[at(first + k)] != lcp::rows::State::held;
    search.take(i, from.path.state[at(first)] == lcp::rows::State::held, bound);
  }
}

// The answer of the path once more by its modes, without its compliance: what is left is exact. False, and
// the answer as it was, where no modes fit so; then rows do contradict each other. Its scratch is the
// search's.
template <contact::guess::Parts kParts, class Scalar, int kRows, class Scratch, Clock Time>
inline bool harden_path(const contact::Problem<Scalar, kRows>& p, Scratch& path,
                        const contact::guess::Arrays<Scalar, kRows>& to, Time& clock) {
  const int n = p.rows();
  contact::Problem<Scalar, kRows> hard = p;
  for (int r = 0; r < n; ++r) {
    path.A[at(r * (n + 1))] -= path.give[at(r)];
    to.lambda[r] = path.path.p[at(r)];
    to.s[r] = path.path.s[at(r)];
  }
  hard.A = path.A.data();
  hard.stride = n;
  hard.b = path.b.data();
  hard.mu = path.mu.data();
  for (int j = 0; j < p.plain; ++j) to.plain[j] = mode_of(path.path.state[at(j)]);
  contact::guess::Search<Scalar, kRows, kParts> search(hard, contact::guess::Friction::box, true, to);
  take_modes(p, path, search);
  if (!search.go_on(contact::guess::kTries, clock).found) return false;
  for (int r = 0; r < n; ++r) {
    path.path.p[at(r)] = to.lambda[r];
    path.path.s[at(r)] = to.s[r];
    path.give[at(r)] = 0;
  }
  return true;
}

// Forces and speeds as the step has them, from those along the path's axes; true where no row gave way by
// more than a share of the speeds that the step is about.
template <contact::guess::Parts kParts, class Scalar, int kRows, class Scratch>
inline bool take_path(const contact::Problem<Scalar, kRows>& p, bool round, const Scratch& from,
                      const contact::guess::Arrays<Scalar, kRows>& to) {
  const int n = p.rows();
  Scalar largest = 0, depth = 0;
  for (int r = 0; r < n; ++r) {
    to.lambda[r] = from.path.p[at(r)];
    to.s[r] = from.path.s[at(r)] - from.give[at(r)] * to.lambda[r];
    const Scalar speed =
        kParts.driven && r < p.plain ? p.template plain_speed<true>(r) : math::magnitude(p.b[r]);
    largest = math::larger(largest, speed);
    depth = math::larger(depth, math::magnitude(from.give[at(r)] * to.lambda[r]));
  }
  for (int j = 0; j < p.plain; ++j) to.plain[j] = mode_of(from.path.state[at(j)]);
  for (int i = 0; i < p.elements; ++i) {
    const int first = p.first(i);
    Scalar used = 0;
    if (kRows == 3 && round) {
      turn_back(from.axes[at(i)], to.lambda + first + 1);
      turn_back(from.axes[at(i)], to.s + first + 1);
    }
    for (int k = 1; k < kRows; ++k)
      used = round ? used + to.lambda[first + k] * to.lambda[first + k]
                   : math::larger(used, math::magnitude(to.lambda[first + k]));
    to.used[i] = round ? std::sqrt(used) : used;
  }
  return depth <= contact::guess::kAccepted<Scalar> * largest;
}

// What the paths of this step have left of its flips.
template <class Island, class Answer>
inline lcp::rows::Options options_of(const Island& at_hand, const Answer& answer) {
  lcp::rows::Options options;
  options.flips = std::max(0, at_hand.m.method.pivot_budget - answer.pivots);
  options.last_flips = kLastFlips;
  options.residual = kPathResidual<typename Island::Number>;
  return options;
}

// Whether the rows of an island contradict each other, whatever friction does.
template <class Island, class Answer, Clock Time>
[[gnu::noinline, gnu::cold]] inline bool contradicts_itself(const Island& at_hand, Answer& answer,
                                                            Time& clock) {
  using Scalar = typename Island::Number;
  using Row = lcp::rows::Row<Scalar>;
  const auto& p = at_hand.problem;
  auto& to = at_hand.path;
  copy_problem(p, to);
  for (int r = 0; r < p.plain; ++r) {
    const auto& law = p.staircase[r];
    const Scalar hold = law.friction < law.kNever ? Scalar(0) : law.kNever;
    to.row[at(r)] = Row::bounded(-hold, hold, law.lower, law.upper);
  }
  for (int i = 0; i < p.elements; ++i) {
    const int first = p.first(i);
    to.row[at(first)] = Row::unilateral();
    for (int k = 1; k < Island::kRows; ++k)
      to.row[at(first + k)] = Row::tangent(static_cast<lcp::rows::Index>(first), Scalar(0));
  }
  const lcp::rows::Problem<Scalar> problem{p.rows(), to.A.data(), p.rows(), to.b.data(), to.row.data()};
  const auto end = lcp::rows::solve(problem, to.path, nullptr, options_of(at_hand, answer), clock);
  answer.pivots += end.flips;
  return end.proved;
}

// A path from the states at hand if there are any; once more with rows that give way where it ends on a ray
// that proves nothing.
template <class Island, class Answer, class Problem, Clock Time>
inline auto solve_path(const Island& at_hand, bool tried, Answer& answer, Problem& problem, Time& clock) {
  const auto& p = at_hand.problem;
  auto& scratch = at_hand.path;
  for (int r = 0; r < p.rows(); ++r)
    scratch.last[at(r)] = tried ? last_state(p, at_hand.arrays, r) : lcp::rows::State::unknown;
  lcp::rows::Answer<typename Island::Number> end;
  for (const bool soft : {false, true}) {
    if (soft && !clock.go_on(Piece::path, p.rows(), p.plain)) {
      end.end = lcp::rows::End::out_of_time;
      break;
    }
    problem = path_problem(at_hand, tried, soft, scratch);
    end = lcp::rows::solve(problem, scratch.path, tried && !soft ? scratch.last.data() : nullptr,
                           options_of(at_hand, answer), clock);
    answer.pivots += end.flips;
    if (end.end != lcp::rows::End::ray || end.proved) break;
  }
  return end;
}

// Where rows nearly contradict each other, large forces may do without the compliance. True where they do;
// `end` is then theirs.
template <class Island, class Answer, class Problem, class End, Clock Time>
inline bool solve_stiffly(const Island& at_hand, Answer& answer, const Problem& problem, End& end,
                          Time& clock) {
  const auto& p = at_hand.problem;
  auto& scratch = at_hand.path;
  if (!clock.go_on(Piece::path, p.rows(), p.plain)) return false;
  const auto stiff =
      lcp::rows::solve(problem, scratch.path, scratch.path.state.data(), options_of(at_hand, answer), clock);
  answer.pivots += stiff.flips;
  if (stiff.end != lcp::rows::End::solved) return false;
  end = stiff;
  for (int r = 0; r < p.rows(); ++r) scratch.give[at(r)] = 0;
  take_path<Island::kParts>(p, at_hand.round(), scratch, at_hand.arrays);
  return true;
}

// The path, and from what it finds the modes of the friction that was asked for. Its own answer, a pyramid's,
// stands where these do not fit.
template <class Island, class Search, class Guess, class Answer, Clock Time>
[[gnu::noinline]] inline void follow_path(const Island& at_hand, Search& search, Guess& by, Answer& answer,
                                          Time& clock) {
  using Scalar = typename Island::Number;
  using lcp::rows::End;
  const auto& p = at_hand.problem;
  auto& scratch = at_hand.path;
  answer.cut = !clock.go_on(Piece::path, p.rows(), p.plain);
  if (answer.cut) return;
  lcp::rows::Problem<Scalar> problem;
  auto end = solve_path(at_hand, by.tries > 0, answer, problem, clock);
  answer.cut = end.end == End::out_of_time;
  if (answer.cut) return;
  if (end.end != End::solved && end.end != End::no_digits) {
    answer.status = end.end == End::ray ? lcp::Status::ray : lcp::Status::pivot_limit;
    if (end.end == End::ray)
      for (int r = 0; r < p.rows(); ++r) answer.jammed = answer.jammed || at_hand.may_contradict(r);
    let_go(p, at_hand.arrays);
    by.residual = 1;
    return;
  }
  answer.cut = !clock.go_on(Piece::start, p.rows(), p.plain);
  if (answer.cut) return;
  bool fits = take_path<Island::kParts>(p, at_hand.round(), scratch, at_hand.arrays);
  if (!fits && harden_path<Island::kParts>(p, scratch, at_hand.arrays, clock))
    fits = take_path<Island::kParts>(p, at_hand.round(), scratch, at_hand.arrays);
  fits = fits || solve_stiffly(at_hand, answer, problem, end, clock);
  if (!fits) {
    answer.jammed = true;
  } else {
    take_modes(p, scratch, search);
    const int tries = by.tries;
    by = search.go_on(contact::guess::kTriesAfterPath<Scalar>, clock);
    answer.after_path = std::max(answer.after_path, by.tries);
    by.tries = tries;
    if (by.found) return;
    take_path<Island::kParts>(p, at_hand.round(), scratch, at_hand.arrays);
    // What a clock has cut is no answer, though it may be right: with more time there is another one.
    answer.cut = !clock.go_on(Piece::start, p.rows(), p.plain);
  }
  by.residual = end.certificate.residual;  // no longer that of the last try
  if (at_hand.round()) answer.facets = kPathFacets;
}

}  // namespace tactus::stepper::detail
