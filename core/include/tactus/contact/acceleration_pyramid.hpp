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

// The modes of the unknowns z as one linear system in c itself: with mu = 1e8 a friction of 1 N is the
// difference of s+ and mu c_n, and has lost half of its digits there. False where that is singular.
template <class Scalar, int Dim, int Contacts>
bool refine(const Problem<Scalar, Dim>& p, PyramidWorkspace<Scalar, Dim, Contacts>& ws, const Scalar* z) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const int n = p.contact.rows();
  constexpr Scalar kBound = 64 * std::numeric_limits<Scalar>::epsilon();
  for (int i = 0; i < p.count(); ++i) {
    const Scalar* const u = z + ws.first[at(i)];
    const Scalar mu = p.contact.mu[i];
    for (int k = 0; k < Dim; ++k) {
      const int r = i * Dim + k;
      Scalar* const row = ws.K.data() + r * n;
      const bool below = k > 0 && !p.slides(i) && u[k] <= kBound * mu * u[0];
      const bool above = k > 0 && !p.slides(i) && 2 * mu * u[0] - u[k] <= kBound * mu * u[0];
      const bool balanced = u[0] > 0 && (k == 0 || !(below || above || p.slides(i)));
      for (int j = 0; j < n; ++j) row[j] = balanced ? p.A(r, j) : Scalar(0);
      ws.right[at(r)] = balanced ? -p.contact.b[r] : Scalar(0);
      if (balanced) continue;
      row[r] = 1;
      if (k > 0 && u[0] > 0) row[i * Dim] = p.slides(i) ? mu * p.direction(i, k - 1) : below ? mu : -mu;
    }
  }
  return math::eliminate(ws.K.data(), n, n, ws.right.data(), ws.c.data(), ws.pivot.data(), ws.column.data(),
                         Scalar(0)) == n;
}

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
        const Scalar residual = measure(p, Law::pyramid, ws.c.data(), ws.a.data());
        const bool solves = residual <= kSolved<Scalar>;
        return solves && !visit(ws.c.data(), ws.a.data(), residual) ? lcp::kBranchStop : lcp::kBranchDone;
      },
      clock);
  return result.complete && result.proved;
}

}  // namespace tactus::contact::acceleration
