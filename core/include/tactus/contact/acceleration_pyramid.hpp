// The pyramid law at the level of accelerations as an LCP, Pang-Trinkle 1996 (30)-(31), and its solution.
//
// A sliding contact has the one unknown c_n, and c_T = -mu c_n v_T / |v_T| goes into its column. A rolling
// one has c_n and, for each tangent, s+ = mu c_n + c_t and a-, with a_t = a+ - a- (25)-(29):
//
//     a_n          = A~ (c_n, s+) + b_n                   _|_  c_n
//     a+ = a_t + a-  = A~ (c_n, s+) + b_t + a-            _|_  s+
//     s- = 2 mu c_n - s+                                  _|_  a-
//
// A~ has the columns of c_n less mu times those of c_t and c_o, as c_t = s+ - mu c_n. n = 1 for a sliding and
// 2 Dim - 1 for a rolling contact.
//
// Lemke's method is tried first. M is of no class for which it must succeed (paper, below Theorem 1), so
// where it ends on a ray the pairs are branched on (lcp/branch.hpp), which finds a solution or proves that
// there is none. What is returned is judged on A and b themselves, never on the LCP.
//
// Cost: that of the LCP; a search visits a few dozen nodes for up to four contacts, 2^n at worst, and ends
// with the budget. Memory: sizeof(PyramidWorkspace), 3.2 kB in float for two contacts in the plane.
#pragma once

#include <array>

#include "tactus/contact/acceleration.hpp"
#include "tactus/lcp/branch.hpp"
#include "tactus/lcp/solver.hpp"
#include "tactus/math/elimination.hpp"

namespace tactus::contact::acceleration {

template <int Dim>
constexpr int unknowns(int contacts) {
  return contacts * (2 * Dim - 1);
}

struct Budget {
  int lemke = 1000;     // pivots
  int search = 200000;  // pivots
};

template <class Scalar, int Dim, int Contacts>
struct PyramidWorkspace {
  static constexpr int kUnknowns = unknowns<Dim>(Contacts);
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;

  Array<Scalar, Contacts * Dim> c{};  // N: n, t (, o) of each contact
  Array<Scalar, Contacts * Dim> a{};  // m/s^2

  // Scratch.
  int n = 0;
  Array<Scalar, kUnknowns * kUnknowns> M;
  Array<Scalar, kUnknowns> q;
  Array<std::uint8_t, kUnknowns> block;
  Array<int, Contacts> first;  // unknown of each contact
  lcp::Workspace<Scalar, kUnknowns> lemke;
  lcp::BranchWorkspace<Scalar, kUnknowns, kUnknowns> branch;
  Array<Scalar, Contacts * Dim * Contacts * Dim> K;  // of refine()
  Array<Scalar, Contacts * Dim> right;
  Array<Scalar, Contacts> mu;  // of solve_by_less_friction()
  Array<std::int16_t, Contacts * Dim> pivot, column;
};

namespace detail {

// The factor by which unknown `column` of contact j enters its force component l: with u = (c_n, s+...), c_n
// = u_0 and c_t = s+_t - mu c_n, or -mu d_t c_n where it slides.
template <class Scalar, int Dim>
inline Scalar force_factor(const Problem<Scalar, Dim>& p, int j, int column, int l) {
  if (l == 0) return column == 0 ? Scalar(1) : Scalar(0);
  if (column == 0) return p.slides(j) ? -p.contact.mu[j] * p.direction(j, l - 1) : -p.contact.mu[j];
  return column == l ? Scalar(1) : Scalar(0);
}

// Unknowns of contact j that are forces: c_n, and s+ of each tangent where it rolls.
template <class Scalar, int Dim>
inline int forces_of(const Problem<Scalar, Dim>& p, int j) {
  return p.slides(j) ? 1 : Dim;
}

}  // namespace detail

// Writes (30)-(31) to ws.M, ws.q, ws.block (rows n apart) and returns n.
template <class Scalar, int Dim, int Contacts>
int to_lcp(const Problem<Scalar, Dim>& p, PyramidWorkspace<Scalar, Dim, Contacts>& ws) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  int n = 0;
  for (int i = 0; i < p.count(); ++i) {
    ws.first[at(i)] = n;
    n += p.slides(i) ? 1 : 2 * Dim - 1;
  }
  ws.n = n;
  for (int i = 0; i < n * n; ++i) ws.M[at(i)] = 0;
  for (int i = 0; i < p.count(); ++i) {
    const int r = ws.first[at(i)];
    for (int k = 0; k < detail::forces_of(p, i); ++k) {
      Scalar* const row = ws.M.data() + (r + k) * n;
      ws.q[at(r + k)] = p.contact.b[i * Dim + k];
      ws.block[at(r + k)] = 0;
      for (int j = 0; j < p.count(); ++j) {
        for (int u = 0; u < detail::forces_of(p, j); ++u) {
          Scalar sum = 0;
          for (int l = 0; l < Dim; ++l)
            sum += p.A(i * Dim + k, j * Dim + l) * detail::force_factor(p, j, u, l);
          row[ws.first[at(j)] + u] = sum;
        }
      }
      if (k == 0) continue;
      const int pair = r + Dim - 1 + k;  // a-, s-
      row[pair] = 1;
      Scalar* const bound = ws.M.data() + pair * n;
      bound[r] = 2 * p.contact.mu[i];
      bound[r + k] = -1;
      ws.q[at(pair)] = 0;
      ws.block[at(pair)] = 1;
    }
  }
  return n;
}

// c from the unknowns of the LCP.
template <class Scalar, int Dim, int Contacts>
void from_lcp(const Problem<Scalar, Dim>& p, const PyramidWorkspace<Scalar, Dim, Contacts>& ws,
              const Scalar* z, Scalar* c) {
  for (int i = 0; i < p.count(); ++i) {
    const Scalar* const u = z + ws.first[static_cast<std::size_t>(i)];
    for (int l = 0; l < Dim; ++l) {
      c[i * Dim + l] = 0;
      for (int k = 0; k < detail::forces_of(p, i); ++k)
        c[i * Dim + l] += detail::force_factor(p, i, k, l) * u[k];
    }
  }
}

namespace detail {

// The mode of contact i: open, or for each tangent -1 (c_t = -mu c_n), 0 (a_t = 0), 1; sliding: closed.
struct PyramidMode {
  bool open = true;
  int side[2] = {0, 0};
};

// c of one combination of modes, as one linear system in c itself: with mu = 1e8 a friction of 1 N is the
// difference of s+ and mu c_n, and has lost half of its digits there. False where the system is singular.
template <class Scalar, int Dim, int Contacts, class ModeOf>
bool solve_modes(const Problem<Scalar, Dim>& p, PyramidWorkspace<Scalar, Dim, Contacts>& ws,
                 const ModeOf& mode_of) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const int n = p.contact.rows();
  for (int i = 0; i < p.count(); ++i) {
    const PyramidMode mode = mode_of(i);
    for (int k = 0; k < Dim; ++k) {
      const int r = i * Dim + k;
      Scalar* const row = ws.K.data() + r * n;
      const bool still = !mode.open && (k == 0 || (!p.slides(i) && mode.side[k - 1] == 0));
      for (int j = 0; j < n; ++j) row[j] = still ? p.A(r, j) : Scalar(0);
      ws.right[at(r)] = still ? -p.contact.b[r] : Scalar(0);
      if (still) continue;
      row[r] = 1;
      if (k > 0 && !mode.open)
        row[i * Dim] =
            p.contact.mu[i] * (p.slides(i) ? p.direction(i, k - 1) : -static_cast<Scalar>(mode.side[k - 1]));
    }
  }
  const int rank = math::eliminate(ws.K.data(), n, n, ws.right.data(), ws.c.data(), ws.pivot.data(),
                                   ws.column.data(), Scalar(0));
  for (int i = 0; i < p.count(); ++i)  // a rounded zero under mu = 1e10 were a force
    for (int k = 0; k < Dim && mode_of(i).open; ++k) ws.c[at(i * Dim + k)] = 0;
  return rank == n;
}

}  // namespace detail

// The modes that the unknowns z have, solved for c. most: a bound of mu that z was found with.
template <class Scalar, int Dim, int Contacts>
bool refine(const Problem<Scalar, Dim>& p, PyramidWorkspace<Scalar, Dim, Contacts>& ws, const Scalar* z,
            Scalar most = std::numeric_limits<Scalar>::infinity()) {
  constexpr Scalar kBound = 64 * std::numeric_limits<Scalar>::epsilon();
  return detail::solve_modes(p, ws, [&](int i) {
    const Scalar* const u = z + ws.first[static_cast<std::size_t>(i)];
    const Scalar mu = p.contact.mu[i], limit = (mu < most ? mu : most) * u[0];
    detail::PyramidMode mode;
    mode.open = !(u[0] > 0);
    for (int k = 1; k < Dim && !p.slides(i); ++k)
      mode.side[k - 1] = u[k] <= kBound * limit ? -1 : 2 * limit - u[k] <= kBound * limit ? 1 : 0;
    return mode;
  });
}

namespace detail {

// Every combination of modes of up to four contacts in the plane and three in space, 1,000 linear systems.
template <class Scalar, int Dim, int Contacts, class Judge, Clock Time>
bool try_modes(const Problem<Scalar, Dim>& p, PyramidWorkspace<Scalar, Dim, Contacts>& ws, const Judge& judge,
               Time& clock) {
  if (p.count() > (Dim == 2 ? 4 : 3)) return false;
  constexpr int kSides = Dim == 2 ? 3 : 9;
  const auto modes = [&](int i) { return p.slides(i) ? 2 : 1 + kSides; };
  int combinations = 1;
  for (int i = 0; i < p.count(); ++i) combinations *= modes(i);
  for (int code = 0; code < combinations && clock.go_on(Piece::pivot, Dim * p.count(), 0); ++code) {
    const bool regular = solve_modes(p, ws, [&](int i) {
      int rest = code;
      for (int j = 0; j < i; ++j) rest /= modes(j);
      const int m = rest % modes(i);
      return PyramidMode{m == 0, {(m + 2) % 3 - 1, (m + 8) / 3 % 3 - 1}};
    });
    if (regular && judge()) return true;
  }
  return false;
}

// Friction that is out of proportion drowns the LCP in its own scale, and what sticks under mu = 100 sticks
// under more. So the modes of smaller mu are tried on the problem as it is, and of few contacts all modes;
// only the problem's own laws decide. True: one of them solves it.
template <class Scalar, int Dim, int Contacts, class Judge, Clock Time>
bool solve_by_less_friction(const Problem<Scalar, Dim>& p, PyramidWorkspace<Scalar, Dim, Contacts>& ws,
                            const Budget& budget, int& pivots, const Judge& judge, Time& clock) {
  for (const Scalar most : {Scalar(10), Scalar(100), Scalar(1000)}) {
    Problem<Scalar, Dim> less = p;
    bool differs = false;
    for (int i = 0; i < p.count(); ++i) {
      const Scalar mu = p.contact.mu[i];
      differs = differs || (mu > most && !p.slides(i));
      ws.mu[static_cast<std::size_t>(i)] = mu > most && !p.slides(i) ? most : mu;
    }
    if (!differs) return false;
    less.contact.mu = ws.mu.data();
    const int n = to_lcp(less, ws);
    const auto lemke = lcp::solve(lcp::Problem<Scalar>{n, ws.M.data(), n, ws.q.data(), ws.block.data()},
                                  ws.lemke, lcp::Options{budget.lemke}, {}, clock);
    pivots += lemke.pivots;
    if (lemke.status == lcp::Status::solved && refine(p, ws, ws.lemke.z.data(), most) && judge()) return true;
  }
  return try_modes(p, ws, judge, clock);
}

}  // namespace detail

// Finds c and a (ws.c, ws.a) that obey the pyramid law, or says that there are none.
template <class Scalar, int Dim, int Contacts, Clock Time = const NoClock>
Answer<Scalar> solve_pyramid(const Problem<Scalar, Dim>& p, PyramidWorkspace<Scalar, Dim, Contacts>& ws,
                             const Budget& budget = {}, Time& clock = kNoClock) {
  Answer<Scalar> answer;
  if (!is_valid(p, Contacts)) return answer;
  const int n = to_lcp(p, ws);
  const auto judge = [&](const Scalar* z) {
    from_lcp(p, ws, z, ws.c.data());
    answer.residual = measure(p, Law::pyramid, ws.c.data(), ws.a.data());
    if (!(answer.residual <= kSolved<Scalar>)&&refine(p, ws, z))
      answer.residual = measure(p, Law::pyramid, ws.c.data(), ws.a.data());
    if (answer.residual <= kSolved<Scalar>) answer.status = Status::solved;
    return answer.status == Status::solved;
  };
  answer.status = Status::undecided;
  const auto lemke = lcp::solve(lcp::Problem<Scalar>{n, ws.M.data(), n, ws.q.data(), ws.block.data()},
                                ws.lemke, lcp::Options{budget.lemke}, {}, clock);
  answer.pivots = lemke.pivots;
  if (lemke.status == lcp::Status::bad_input) {
    answer.status = Status::bad_input;
    return answer;
  }
  if (lemke.status == lcp::Status::solved && judge(ws.lemke.z.data())) return answer;

  const auto measured = [&] {
    answer.residual = measure(p, Law::pyramid, ws.c.data(), ws.a.data());
    if (answer.residual <= kSolved<Scalar>) answer.status = Status::solved;
    return answer.status == Status::solved;
  };
  if (detail::solve_by_less_friction(p, ws, budget, answer.pivots, measured, clock)) return answer;
  to_lcp(p, ws);

  answer.searched = true;
  const lcp::Inequalities<Scalar> inequalities{n, n, n, ws.M.data(), n, ws.q.data()};
  bool doubtful = false;  // a vertex of full complementarity that yet breaks a law: rounding
  const auto found = lcp::branch(
      inequalities, ws.branch, budget.search,
      [&](const auto& node) -> int {
        int pair = lcp::most_violated(node, n, kSolved<Scalar> / 8);
        if (pair < 0 && judge(node.z.data())) return lcp::kBranchStop;
        if (pair < 0) pair = lcp::most_violated(node, n, Scalar(0));
        doubtful = doubtful || pair < 0;
        return pair < 0 ? static_cast<int>(lcp::kBranchDone) : pair;
      },
      clock);
  answer.pivots += found.pivots;
  if (answer.status == Status::solved) return answer;
  if (found.complete && found.proved && !doubtful) answer.status = Status::none;
  for (int i = 0; i < p.contact.rows(); ++i) ws.c[static_cast<std::size_t>(i)] = 0;
  answer.residual = measure(p, Law::pyramid, ws.c.data(), ws.a.data());
  return answer;
}

// Visits one solution of every combination of modes that has any: visit(c, a, residual) returns false to
// stop. A combination may hold more solutions than the one that is visited, where contacts are redundant, and
// the same one may be visited under two combinations, where a force is zero at rest. True: no combination was
// left out.
template <class Scalar, int Dim, int Contacts, class Visit, Clock Time = const NoClock>
bool each_solution(const Problem<Scalar, Dim>& p, PyramidWorkspace<Scalar, Dim, Contacts>& ws,
                   int pivot_budget, Visit&& visit, Time& clock = kNoClock) {
  if (!is_valid(p, Contacts)) return false;
  const int n = to_lcp(p, ws);
  const lcp::Inequalities<Scalar> inequalities{n, n, n, ws.M.data(), n, ws.q.data()};
  const auto result = lcp::branch(
      inequalities, ws.branch, pivot_budget,
      [&](const auto& node) -> int {
        const int violated = lcp::most_violated(node, n, Scalar(0));
        if (violated >= 0) return violated;
        for (int i = 0; i < n; ++i)
          if (!node.closed[static_cast<std::size_t>(i)] && !node.closed[static_cast<std::size_t>(n + i)])
            return i;
        from_lcp(p, ws, node.z.data(), ws.c.data());
        Scalar residual = measure(p, Law::pyramid, ws.c.data(), ws.a.data());
        if (!(residual <= kSolved<Scalar>)&&refine(p, ws, node.z.data()))
          residual = measure(p, Law::pyramid, ws.c.data(), ws.a.data());
        const bool solves = residual <= kSolved<Scalar>;
        return solves && !visit(ws.c.data(), ws.a.data(), residual) ? lcp::kBranchStop : lcp::kBranchDone;
      },
      clock);
  return result.complete && result.proved;
}

}  // namespace tactus::contact::acceleration
