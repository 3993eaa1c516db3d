// Is there a solution that moves? The search behind fixture.hpp.
//
// At rest c . a <= 0 in every solution (c_n a_n = 0, and friction opposes a_T), and c . a = c^T W^T qdd =
// (M qdd - f)^T qdd. Hence f . qdd >= qdd^T M qdd: a solution moves if and only if f works. So it asks for a
// solution with g . qdd >= E, where g is the load f, or the push e of a margin. That is one linear row on the
// law, and the law's modes are regions of (c, a) that are linear or lie in something linear:
//
//     any      c_n >= 0, a_n >= 0, c_T in the pyramid; what the regions below have in common
//     open     c = 0, a_n >= 0
//     closed   a_n = 0. Pyramid: then for each tangent a_t = 0, a_t >= 0 with c_t = -mu c_n, or the mirror
//     sticks   cone: a_T = 0, then c_T in a sector of the disc
//     slips    cone: a_T in a sector of directions d, c_T in the triangle over the arc -mu c_n d
//
// A region whose rows contradict each other is closed (Farkas, checked: lcp/branch.hpp); one whose vertex
// obeys the law is an answer; else the contact that is farthest off its law is split. Regions of the pyramid
// end in exact modes. Sectors are halved down to 1.4 degrees, and from each vertex Newton's method looks for
// a solution of the round law; where sectors end with neither, `gap` says that the two bounds differ.
//
// All in twice double's digits, from the caller's numbers as if they were exact: energies of a clamp and of a
// weight a million times smaller differ by 1e12.
//
// Cost: a linear programme of 2 to 8 rows a contact at each node, a few dozen nodes for four contacts, and
// exponential at worst; the budget of pivots bounds it. Memory: FixtureScratch, 16 bytes a number.
#pragma once

#include "tactus/contact/acceleration_cone.hpp"
#include "tactus/contact/acceleration_pyramid.hpp"
#include "tactus/contact/acceleration_system.hpp"
#include "tactus/math/elimination.hpp"
#include "tactus/math/trig.hpp"
#include "tactus/math/twofold.hpp"

namespace tactus::contact::acceleration {

using Exact = math::Twofold;

// What is at rest: loads out of balance and motions are compared by |r| = sqrt(r^T M^-1 r), and a part whose
// unbalanced load is less than this share of its load does not move.
inline constexpr double kRest = 1e-10;

// The fixture's numbers, and what follows from them.
template <int Dim, SystemSize S>
struct FixtureProblem {
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;
  static constexpr int kRows = S.contacts * Dim;

  int contacts = 0, freedoms = 0;
  bool round = false;                    // the law is the cone
  double force_unit = 1, mass_unit = 1;  // powers of two: loads and inertia are near 1 in these
  Array<Exact, kRows * S.freedoms> W;
  Array<Exact, kRows * kRows> A;
  Array<Exact, S.freedoms * S.freedoms> M, inverse;
  Array<Exact, S.contacts> mu;

  int rows() const { return contacts * Dim; }
  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  // y = M^-1 x
  void solve(const Exact* x, Exact* y) const {
    for (int i = 0; i < freedoms; ++i) {
      y[i] = 0;
      for (int j = 0; j < freedoms; ++j) y[i] += inverse[at(i * freedoms + j)] * x[j];
    }
  }
  Exact work(const Exact* x, const Exact* y) const {
    Exact sum = 0;
    for (int i = 0; i < freedoms; ++i) sum += x[i] * y[i];
    return sum;
  }
  // |x| = sqrt(x^T M^-1 x)
  double size(const Exact* x) const {
    std::array<Exact, static_cast<std::size_t>(S.freedoms)> y;
    solve(x, y.data());
    return std::sqrt(static_cast<double>(work(x, y.data())));
  }
  // Row k of W^T y.
  Exact row(int k, const Exact* y) const { return work(W.data() + k * freedoms, y); }
};

namespace detail {

// The power of two below the largest magnitude; 1 where all are zero.
template <class Scalar>
double unit_of(const Scalar* x, int n) {
  Scalar top = 0;
  for (int i = 0; i < n; ++i) top = math::larger(top, math::magnitude(x[i]));
  return top > 0 ? math::power_of_two<double>(math::exponent_of(static_cast<double>(top))) : 1.0;
}

}  // namespace detail

template <class Scalar, int Dim, SystemSize S>
void make_exact(const System<Scalar, Dim, S>& s, bool round, FixtureProblem<Dim, S>& p) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const int n = s.freedoms;
  p.contacts = s.contacts;
  p.freedoms = n;
  p.round = round && Dim == 3;  // in the plane the two laws are one
  const auto exact = [](Scalar x) { return Exact(static_cast<double>(x)); };
  p.force_unit = detail::unit_of(s.f_obj.data(), n);
  p.mass_unit = detail::unit_of(s.M_obj.data(), n * n);
  for (int i = 0; i < s.contacts; ++i) p.mu[at(i)] = exact(s.mu[at(i)]);
  for (int i = 0; i < p.rows() * n; ++i) p.W[at(i)] = exact(s.W[at(i)]);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      p.M[at(i * n + j)] = (exact(s.M_obj[at(i * n + j)] / static_cast<Scalar>(p.mass_unit)) +
                            exact(s.M_obj[at(j * n + i)] / static_cast<Scalar>(p.mass_unit))) *
                           Exact(0.5);
  for (int j = 0; j < n; ++j) {
    auto M = p.M;
    std::array<Exact, S.freedoms> unit, column;
    std::array<std::int16_t, S.freedoms> pivot, order;
    for (int i = 0; i < n; ++i) unit[at(i)] = i == j ? 1 : 0;
    math::eliminate(M.data(), n, n, unit.data(), column.data(), pivot.data(), order.data(), Exact(0));
    for (int i = 0; i < n; ++i) p.inverse[at(i * n + j)] = column[at(i)];
  }
  for (int k = 0; k < p.rows(); ++k) {
    std::array<Exact, S.freedoms> y;
    p.solve(p.W.data() + k * n, y.data());
    for (int l = 0; l < p.rows(); ++l) p.A[at(l * p.rows() + k)] = p.row(l, y.data());
  }
}

namespace detail {

// Where (c, a) of a contact is looked for.
struct Region {
  enum Part : std::uint8_t { any, open, closed, sticks, slips };
  static constexpr int kFinest = 6;  // 90 degrees / 2^6 = 1.4 degrees
  static constexpr std::int8_t kFree = 2;

  Part part = any;
  std::int8_t sign[2] = {kFree, kFree};  // pyramid, closed: of a_t and a_o
  std::int8_t level = -1;                // cone: of sectors; -1: the whole disc
  std::int16_t sector = 0;

  int tangent(int tangents) const {  // the first one that is free
    for (int k = 0; k < tangents; ++k)
      if (sign[k] == kFree) return k;
    return -1;
  }
  int children(bool round, int tangents) const {
    if (part == any) return 2;
    if (part == open) return 0;
    if (!round) return tangent(tangents) >= 0 ? 3 : 0;
    if (part == closed) return 5;
    return level < 0 ? 4 : level < kFinest ? 2 : 0;
  }
  Region child(int k, bool round, int tangents) const {
    Region r = *this;
    if (part == any) {
      r.part = k == 0 ? open : closed;
    } else if (!round) {
      r.sign[tangent(tangents)] = static_cast<std::int8_t>(k - 1);
    } else if (part == closed) {
      r.part = k == 0 ? sticks : slips;
      r.level = static_cast<std::int8_t>(k == 0 ? -1 : 0);
      r.sector = static_cast<std::int16_t>(k - 1);
    } else {
      r.level = static_cast<std::int8_t>(level + 1);
      r.sector = static_cast<std::int16_t>(level < 0 ? k : 2 * sector + k);
    }
    return r;
  }
};

// The linear programme of a node, written row by row: M z + q >= 0, z >= 0.
template <int Rows, int Columns>
struct Programme {
  std::array<Exact, static_cast<std::size_t>(Rows* Columns)> M;
  std::array<Exact, static_cast<std::size_t>(Rows)> q;
  lcp::BranchWorkspace<Exact, Rows, Columns> branch;
  int rows = 0, columns = 0;

  Exact* add(Exact constant) {
    q[static_cast<std::size_t>(rows)] = constant;
    Exact* const row = M.data() + rows++ * columns;
    for (int j = 0; j < columns; ++j) row[j] = 0;
    return row;
  }
  // The negative of the last row beside it: it holds as an equality.
  void add_mirror() {
    const Exact* const last = M.data() + (rows - 1) * columns;
    Exact* const row = add(-q[static_cast<std::size_t>(rows - 1)]);
    for (int j = 0; j < columns; ++j) row[j] = -last[j];
  }
  // True: branch.z holds all rows.
  template <Clock Time>
  bool solve(int budget, lcp::BranchResult& result, Time& clock) {
    bool found = false;
    result = lcp::branch(
        lcp::Inequalities<Exact>{rows, columns, 0, M.data(), columns, q.data()}, branch, budget,
        [&](const auto&) -> int {
          found = true;
          return lcp::kBranchStop;
        },
        clock);
    return found;
  }
};

}  // namespace detail

template <int Dim, SystemSize S>
struct FixtureScratch {
  static constexpr int kCuts = Dim == 2 ? 0 : 64 * S.contacts;  // of a hold, see fixture_hold.hpp
  static constexpr int kHold = 2 * S.freedoms + S.contacts * (Dim - 1) + kCuts;
  static constexpr int kMove = S.contacts * (Dim == 2 ? 5 : 8) + 2;
  static constexpr int kColumns = S.contacts * Dim + 1;
  static constexpr int kDepth = S.contacts * (detail::Region::kFinest + 4);
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;
  struct Choice {
    int contact, child;
    detail::Region parent;
  };

  detail::Programme<(kHold > kMove ? kHold : kMove), kColumns> programme;
  Array<Exact, S.contacts * Dim> c, a, b, b_push, gain;
  Array<Exact, S.contacts * Dim * Dim> ways;  // of each column, its force
  Array<int, S.contacts + 1> first;           // column of each contact
  Array<detail::Region, S.contacts> region;
  Array<Choice, kDepth> stack;
  Array<double, S.contacts * Dim * S.contacts * Dim> A;
  Array<double, S.contacts * Dim> offset;
  Array<double, S.contacts> mu;
  ConeWorkspace<double, Dim, S.contacts> cone;
  Array<double, S.contacts * 2> cut_direction;
};

}  // namespace tactus::contact::acceleration
