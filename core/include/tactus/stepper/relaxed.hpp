// The relaxed law of friction (contact/cone.hpp), which is convex and has a solver of its own, for contacts
// and bilateral joints. Only worlds with the part round_cone have it.
//
// Cost: the solver's, contact/fixed_point.hpp. Memory: its scratch on the stack, A and b in the path's.
#pragma once

#include "tactus/contact/cone.hpp"
#include "tactus/math/cholesky.hpp"
#include "tactus/stepper/path.hpp"

namespace tactus::stepper::detail {

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
                              const contact::guess::Arrays<Scalar, kRows>& to) {
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

// Linear systems at most. What has an answer takes 2 to 20; rows that contradict each other take them all.
inline constexpr int kRelaxations = 100;

// How far lambda and s are off the relaxed law, as a share of the speeds of the data: along a ray of rows
// that contradict each other no force is large enough to hide that.
template <class Scalar, int kRows>
inline Scalar off_relaxed(const contact::Problem<Scalar, kRows>& p,
                          const contact::guess::Arrays<Scalar, kRows>& of) {
  Scalar off = 0, unit = 0;
  for (int r = 0; r < p.rows(); ++r) unit = math::larger(unit, math::magnitude(p.b[r]));
  for (int r = 0; r < p.plain; ++r) off = contact::worst(off, math::magnitude(of.s[r]));
  for (int i = 0; i < p.elements; ++i) {
    const int n = p.first(i);
    Scalar s[kRows];
    for (int k = 0; k < kRows; ++k) s[k] = of.s[n + k];
    if (of.lambda[n] > 0) s[0] -= p.mu[i] * contact::slip_speed<Scalar, kRows>(s);
    off = contact::worst(off, contact::off_friction<Scalar, kRows>(p.A + n * (p.stride + 1), p.stride,
                                                                   p.mu[i], of.lambda + n, s, false));
  }
  return unit > 0 ? off / unit : off;
}

// The relaxed law is convex and has a solver of its own, for contacts and bilateral joints; from what it
// finds the modes go on. True where there is an answer.
template <class Scalar, int Dim, Capacity C, int kRows, class Path, class Search, Clock Time>
inline bool solve_relaxed(const IslandProblem<Scalar, Dim, C, kRows, Path>& at_hand, Search& search,
                          contact::guess::Answer<Scalar>& by, Answer<Scalar, Dim, C>& answer, Time& clock) {
  constexpr Scalar kAll = Scalar(0.999);  // of the friction there is
  const auto& problem = at_hand.problem;
  const auto& to = at_hand.arrays;
  if (!clock.go_on(Piece::trial, problem.rows(), problem.elements)) return false;
  contact::FixedPointArrays<Scalar, C.active * kRows> scratch;
  const auto contacts = eliminate_bilateral(problem, at_hand.path);
  Scalar *const lambda = to.lambda + problem.plain, *const s = to.s + problem.plain;
  const auto solve = [&] {
    for (int r = 0; r < contacts.rows(); ++r) lambda[r] = 0;
    const int most = std::min(options_of(at_hand, answer).flips, kRelaxations);
    answer.pivots += contact::solve_cone(contacts, contact::ConeLaw::relaxed, scratch.with(to.scratch),
                                         lambda, s, {.iterations = most}, clock)
                         .iterations;
    restore_bilateral(problem, at_hand.path, to);
    for (int i = 0; i < problem.elements; ++i)
      to.used[i] = contact::slip_speed<Scalar, kRows>(lambda + contacts.first(i));
  };
  solve();
  for (int i = 0; i < problem.elements; ++i) {
    bool bound[kRows - 1];
    for (bool& b : bound) b = to.used[i] > kAll * problem.mu[i] * lambda[contacts.first(i)];
    search.take(i, lambda[contacts.first(i)] > 0, bound);
  }
  const int tries = by.tries;
  by = search.go_on(contact::guess::kTriesAfterPath<Scalar>, clock);
  answer.after_path = std::max(answer.after_path, by.tries);
  by.tries = tries;
  if (by.found) return true;
  if (!clock.go_on(Piece::start, problem.rows(), problem.plain)) return false;
  solve();
  by.residual = off_relaxed(problem, to);
  by.found = by.residual <= contact::cone::kAccepted<Scalar>;
  return by.found;
}

}  // namespace tactus::stepper::detail
