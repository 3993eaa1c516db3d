// Does a fixture hold a part that is laid into it and let go? Pang-Trinkle 1996, after Corollary 1.
//
// At rest (qd = 0, no bias, every contact rolling) a solution always exists (Corollary 1), but not always one
// only: a box pressed between two walls by nothing may hang there by forces that nothing asks for, or fall.
// So the part is held for certain only if every solution has qdd = 0. Two questions decide that.
//
// Can it hold?   Are there c in the friction pyramids with W c + f = 0: linear inequalities.
// Can it move?   At rest c . a <= 0 in every solution (c_n a_n = 0, and friction opposes a_T), and c . a =
// c^T
//                W^T qdd = (M qdd - f)^T qdd. Hence f . qdd >= qdd^T M qdd: a solution moves if and only if f
//                works. So "does a solution with f . qdd >= delta exist" is one more linear inequality on the
//                LCP (30), and f . qdd <= f^T M^-1 f says what delta is small.
//
//     cannot hold            unstable: a solution exists, and no solution is at rest
//     can hold, cannot move  stable
//     both                   undecided, with forces for either: Coulomb's law alone does not say
//
// "Cannot" is said of checked contradictions only (lcp/branch.hpp); where the budget ends or a contradiction
// is weaker than rounding, the verdict is undecided with that reason. The law is the pyramid of the contacts'
// tangents, in space an outer bound of the cone: whoever wants to be safe against the tangents' choice asks
// again with mu / sqrt(2), the inner bound.
//
// Cost: two searches, see lcp/branch.hpp. Memory: sizeof(FixtureWorkspace).
#pragma once

#include "tactus/contact/acceleration_pyramid.hpp"
#include "tactus/contact/acceleration_system.hpp"

namespace tactus::contact::acceleration {

enum class Stability : std::uint8_t { stable, unstable, undecided };

enum class FixtureReason : std::uint8_t {
  holds,      // stable
  falls,      // unstable
  ambiguous,  // forces that hold it and forces that let it move obey every law
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
      return "The part moves: no forces within the friction pyramids balance it.";
    case FixtureReason::ambiguous:
      return "Some forces hold the part and others let it move, and both obey every law.";
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
  static constexpr int kUnknowns = unknowns<Dim>(S.contacts);
  static constexpr int kBalance = 2 * S.freedoms + S.contacts * (Dim - 1);
  static constexpr int kRows = kBalance > kUnknowns + 1 ? kBalance : kUnknowns + 1;
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;

  Array<Scalar, S.contacts * Dim> hold{};  // forces with which the part is at rest, if there are any, N
  Array<Scalar, S.contacts * Dim> move{};  // forces with which it is not, and
  Array<Scalar, S.freedoms> qdd{};         // how it moves then

  // Scratch.
  Reduction<Scalar, Dim, S> reduction;
  PyramidWorkspace<Scalar, Dim, S.contacts> pyramid;
  Array<Scalar, kRows * kUnknowns> M;
  Array<Scalar, kRows> q;
  lcp::BranchWorkspace<Scalar, kRows, kUnknowns> branch;
};

namespace detail {

// The largest breach of W c + f = 0, each row by the sum of the magnitudes of its terms.
template <class Scalar, int Dim, SystemSize S>
inline Scalar imbalance(const System<Scalar, Dim, S>& s, const Scalar* c) {
  Scalar worst = 0, largest_size = 0, largest_sum = 0;
  for (int i = 0; i < s.freedoms; ++i) {
    Scalar sum = s.f_obj[static_cast<std::size_t>(i)], size = math::magnitude(sum);
    for (int k = 0; k < s.contacts * Dim; ++k) {
      const Scalar term = s.W[static_cast<std::size_t>(k * s.freedoms + i)] * c[k];
      sum += term;
      size += math::magnitude(term);
    }
    largest_size = math::larger(largest_size, size);
    largest_sum = math::larger(largest_sum, math::magnitude(sum));
    if (size > 0) worst = math::larger(worst, math::magnitude(sum) / size);
  }
  return worst;
}

// Rows s- >= 0 and +-(W c + f) >= 0 in the columns c_n, s+ of every contact.
template <class Scalar, int Dim, SystemSize S>
lcp::Inequalities<Scalar> balance(const System<Scalar, Dim, S>& s, FixtureWorkspace<Scalar, Dim, S>& ws) {
  const int columns = s.contacts * Dim, bounds = s.contacts * (Dim - 1);
  const int rows = bounds + 2 * s.freedoms;
  const auto entry = [&](int r, int c) -> Scalar& { return ws.M[static_cast<std::size_t>(r * columns + c)]; };
  for (int i = 0; i < rows * columns; ++i) ws.M[static_cast<std::size_t>(i)] = 0;
  for (int i = 0; i < s.contacts; ++i) {
    for (int k = 1; k < Dim; ++k) {
      const int r = i * (Dim - 1) + k - 1;
      ws.q[static_cast<std::size_t>(r)] = 0;
      entry(r, i * Dim) = 2 * s.mu[static_cast<std::size_t>(i)];
      entry(r, i * Dim + k) = -1;
    }
  }
  for (int f = 0; f < s.freedoms; ++f) {
    const int r = bounds + 2 * f;
    ws.q[static_cast<std::size_t>(r)] = s.f_obj[static_cast<std::size_t>(f)];
    ws.q[static_cast<std::size_t>(r + 1)] = -s.f_obj[static_cast<std::size_t>(f)];
    for (int i = 0; i < s.contacts; ++i) {
      Scalar normal = 0;
      for (int k = 0; k < Dim; ++k) {
        const Scalar w = s.W[static_cast<std::size_t>((i * Dim + k) * s.freedoms + f)];
        normal += k == 0 ? w : -s.mu[static_cast<std::size_t>(i)] * w;
        if (k > 0) entry(r, i * Dim + k) = w;
      }
      entry(r, i * Dim) = normal;
      for (int k = 0; k < Dim; ++k) entry(r + 1, i * Dim + k) = -entry(r, i * Dim + k);
    }
  }
  return {rows, columns, 0, ws.M.data(), columns, ws.q.data()};
}

// Looks for a solution with f . qdd >= share f^T M^-1 f, that is (30) and one more row: f^T M^-1 f (1 -
// share) + b . c >= 0. Where it finds one, can_move is set and the workspace has it.
template <class Scalar, int Dim, SystemSize S, Clock Time>
lcp::BranchResult search_motion(const System<Scalar, Dim, S>& s, FixtureWorkspace<Scalar, Dim, S>& ws,
                                Scalar share, int budget, Verdict<Scalar>& verdict, Time& clock) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const auto p = problem(s, ws.reduction);
  const int n = to_lcp(p, ws.pyramid);
  for (int i = 0; i < n * n; ++i) ws.M[at(i)] = ws.pyramid.M[at(i)];
  for (int i = 0; i < n; ++i) {
    ws.q[at(i)] = ws.pyramid.q[at(i)];
    ws.M[at(n * n + i)] = 0;
  }
  // reduce() left L^-1 f in x.
  ws.q[at(n)] = (1 - share) * inner(ws.reduction.x.data(), ws.reduction.x.data(), s.freedoms);
  for (int i = 0; i < s.contacts; ++i)
    for (int u = 0; u < Dim; ++u)
      for (int l = 0; l < Dim; ++l)
        ws.M[at(n * n + ws.pyramid.first[at(i)] + u)] +=
            ws.reduction.b[at(i * Dim + l)] * force_factor(p, i, u, l);
  bool doubtful = false;
  const lcp::Inequalities<Scalar> inequalities{n + 1, n, n, ws.M.data(), n, ws.q.data()};
  auto result = lcp::branch(
      inequalities, ws.branch, budget,
      [&](const auto& node) -> int {
        int pair = lcp::most_violated(node, n, kSolved<Scalar> / 8);
        if (pair < 0) {
          from_lcp(p, ws.pyramid, node.z.data(), ws.pyramid.c.data());
          if (measure(p, Law::pyramid, ws.pyramid.c.data(), ws.pyramid.a.data()) <= kSolved<Scalar>) {
            ws.move = ws.pyramid.c;
            recover(s, ws.move.data(), ws.pyramid.a.data(), ws.reduction);
            ws.qdd = ws.reduction.qdd;
            verdict.can_move = true;
            return lcp::kBranchStop;
          }
          pair = lcp::most_violated(node, n, Scalar(0));
        }
        doubtful = doubtful || pair < 0;
        return pair < 0 ? static_cast<int>(lcp::kBranchDone) : pair;
      },
      clock);
  verdict.pivots += result.pivots;
  result.proved = result.proved && !doubtful;
  return result;
}

}  // namespace detail

// Friction and inertia of s are those of a System without free joints; velocity and bias must be zero.
template <class Scalar, int Dim, SystemSize S, Clock Time = const NoClock>
Verdict<Scalar> check_fixture(const System<Scalar, Dim, S>& s, FixtureWorkspace<Scalar, Dim, S>& ws,
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

  constexpr Scalar kSmall = sizeof(Scalar) == 8 ? Scalar(1e-6) : Scalar(1e-3);  // of f^T M^-1 f
  // A breach of balance that rounding explains.
  constexpr Scalar kBalanced = sizeof(Scalar) == 8 ? Scalar(1e-10) : Scalar(1e-4);
  bool doubtful = false;
  const auto hold = lcp::branch(
      detail::balance(s, ws), ws.branch, budget.search,
      [&](const auto& node) -> int {
        for (int i = 0; i < s.contacts; ++i) {
          const Scalar normal = node.z[at(i * Dim)];
          ws.hold[at(i * Dim)] = normal;
          for (int k = 1; k < Dim; ++k)
            ws.hold[at(i * Dim + k)] = node.z[at(i * Dim + k)] - s.mu[at(i)] * normal;
        }
        verdict.can_hold = detail::imbalance(s, ws.hold.data()) <= kBalanced;
        doubtful = !verdict.can_hold;
        return lcp::kBranchStop;
      },
      clock);
  verdict.pivots = hold.pivots;
  if (doubtful || (hold.complete && !hold.proved)) {
    verdict.reason = FixtureReason::rounding;
    return verdict;
  }
  if (!verdict.can_hold) {
    verdict.reason = hold.complete ? FixtureReason::falls : FixtureReason::budget;
    if (hold.complete) verdict.stability = Stability::unstable;
  }

  const auto move = detail::search_motion(s, ws, kSmall, budget.search, verdict, clock);
  // A motion worth looking at, where there is one.
  if (verdict.can_move) detail::search_motion(s, ws, Scalar(0.25), budget.search, verdict, clock);
  if (!verdict.can_hold) return verdict;
  if (verdict.can_move) {
    verdict.reason = FixtureReason::ambiguous;
  } else if (!move.complete) {
    verdict.reason = FixtureReason::budget;
  } else if (!move.proved) {
    verdict.reason = FixtureReason::rounding;
  } else {
    verdict.stability = Stability::stable;
    verdict.reason = FixtureReason::holds;
  }
  return verdict;
}

}  // namespace tactus::contact::acceleration
