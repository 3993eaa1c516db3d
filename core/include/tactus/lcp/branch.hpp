// Complementarity by branching: every solution of a small system of inequalities with complementary pairs,
// or a proof that there is none.
//
//     w = M z + q >= 0,  z >= 0,   and z_i w_i = 0 for the first `pairs` of them
//
// Lemke's method follows one path and may end on a ray although a solution exists. Here the pairs are dropped
// at first, which leaves linear inequalities; a pair that their vertex violates is branched on, z_i = 0 or
// w_i = 0, and each branch is a smaller set of inequalities of the same kind. A branch ends when its
// inequalities contradict each other. Farkas: a combination y of the rows w - M z = q whose coefficients on
// all unknowns that may be positive are >= 0 while y.q < 0. The dictionary of the simplex method names y in
// the row on which it gets stuck, and y is checked against the caller's M and q, so "there is no solution"
// does not rest on the pivots before it.
//
// The dictionary expresses the basic unknowns by the others, x_B = d + T x_N. A row with d < 0 leaves for a
// column with a positive entry; that is the dual simplex method without costs, and with the least index of
// rows and columns it is finite (Bland), so that rule takes over where the larger entries, which round less,
// make no progress. Nothing has to be kept of a branch to leave it: any basis is a basis of all branches.
//
// Cost: rows * columns multiply-adds a pivot; 2^pairs branches at worst, so the budget of pivots is what
// bounds it. Few contacts take a few dozen. Memory: sizeof(BranchWorkspace), rows * (columns + 1) scalars.
// Failure: `complete` is false where the budget or the clock ended it, `proved` is false where a
// contradiction was too weak to be told from rounding.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "tactus/clock.hpp"
#include "tactus/lcp/scaling.hpp"

namespace tactus::lcp {

// A view of the caller's data.
template <class Scalar>
struct Inequalities {
  int rows = 0, columns = 0, pairs = 0;  // pairs <= rows, columns
  const Scalar* M = nullptr;             // row major, row i starts at M + i * stride
  int stride = 0;
  const Scalar* q = nullptr;
};

template <class Scalar, int Rows, int Columns>
struct BranchWorkspace {
  using Index = std::int16_t;
  std::array<Scalar, static_cast<std::size_t>(Columns)> z{};  // of the node that is looked at
  std::array<Scalar, static_cast<std::size_t>(Rows)> w{};

  // Scratch. Unknown j is z_j, unknown columns + i is w_i.
  std::array<Scalar, static_cast<std::size_t>(Rows*(Columns + 1))> T;
  std::array<Scalar, static_cast<std::size_t>(Rows)> row_scale, y;
  std::array<Scalar, static_cast<std::size_t>(Columns)> column_scale;
  std::array<Index, static_cast<std::size_t>(Rows)> basic;
  std::array<Index, static_cast<std::size_t>(Columns)> other;
  std::array<bool, static_cast<std::size_t>(Rows + Columns)> closed{}, wanted;  // closed: is held at zero
  std::array<Index, static_cast<std::size_t>(Columns)> stack;  // what is closed, in order; see Search
  std::array<bool, static_cast<std::size_t>(Columns)> second;  // its other half has been looked at
};

struct BranchResult {
  bool complete = false;  // every branch was closed, by a contradiction or by the visitor
  bool proved = true;     // every contradiction was checked against the caller's numbers
  int pivots = 0, nodes = 0;
};

// What a visitor answers: a pair to branch on (>= 0), or
enum BranchStep : int {
  kBranchDone = -1,  // nothing more is wanted of this branch
  kBranchStop = -2   // nothing more is wanted at all
};

namespace detail {

template <class Scalar, int Rows, int Columns, Clock Time>
class Search {
 public:
  using Workspace = BranchWorkspace<Scalar, Rows, Columns>;

  Search(const Inequalities<Scalar>& p, Workspace& ws, int budget, Time& clock)
      : p_(p), ws_(ws), budget_(budget), clock_(clock) {
    find_scales();
    for (auto& closed : ws_.closed) closed = false;
    reset();
  }

  template <class Visitor>
  BranchResult run(Visitor&& visit) {
    for (;;) {
      const Node node = restore();
      if (node == Node::out_of_budget) return result_;
      int step = kBranchDone;
      if (node == Node::feasible) {
        ++result_.nodes;
        read();
        step = visit(static_cast<const Workspace&>(ws_));
      }
      if (step == kBranchStop) return result_;
      if (step >= 0 && !ws_.closed[at(step)] && !ws_.closed[at(w(step))]) {
        const Scalar z_side = ws_.z[at(step)] / ws_.column_scale[at(step)];
        const Scalar w_side = ws_.w[at(step)] * ws_.row_scale[at(step)];
        push(z_side < w_side ? step : w(step));  // the smaller half first
        continue;
      }
      if (step >= 0) result_.proved = false;  // there is nothing left to branch on
      if (!backtrack()) {
        result_.complete = true;
        return result_;
      }
    }
  }

 private:
  enum class Node : std::uint8_t { feasible, contradiction, out_of_budget };
  using Index = typename Workspace::Index;

  static constexpr Scalar kEps = std::numeric_limits<Scalar>::epsilon();
  static constexpr Scalar kTolerance = 512 * kEps;  // of a value, in scaled units
  static constexpr Scalar kPivot = 4096 * kEps;     // of an entry of the dictionary
  // A contradiction must hold for all unknowns up to this many times their typical size.
  static constexpr Scalar kReach = sizeof(Scalar) == 8 ? Scalar(1e6) : Scalar(1e3);

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int w(int i) const { return p_.columns + i; }
  int width() const { return p_.columns + 1; }
  Scalar* row(int i) { return ws_.T.data() + i * width(); }
  Scalar& value(int i) { return row(i)[p_.columns]; }
  Scalar M(int i, int j) const { return p_.M[static_cast<std::ptrdiff_t>(i) * p_.stride + j]; }

  // Units that cancel, as scaling.hpp does for a square problem: the pairs by their diagonal or coupling,
  // what has no pair by its largest entry.
  void find_scales() {
    auto& c = ws_.column_scale;
    auto& r = ws_.row_scale;
    const Problem<Scalar> square{p_.pairs, p_.M, p_.stride, p_.q};
    for (int j = 0; j < p_.columns; ++j) c[at(j)] = 1;
    for (int i = 0; i < p_.rows; ++i) r[at(i)] = 1;
    sigma_ = p_.pairs > 0 ? find_scaling(square, c.data(), r.data(), ws_.T.data()).sigma : Scalar(1);
    for (int j = p_.pairs; j < p_.columns; ++j) {
      Scalar top = 0;
      for (int i = 0; i < (p_.pairs > 0 ? p_.pairs : p_.rows); ++i)
        top = math::larger(top, math::magnitude(M(i, j)) * r[at(i)]);
      c[at(j)] = inverse_or_one(top);
    }
    for (int i = p_.pairs; i < p_.rows; ++i) {
      Scalar top = 0;
      for (int j = 0; j < p_.columns; ++j) top = math::larger(top, math::magnitude(M(i, j)) * c[at(j)]);
      r[at(i)] = inverse_or_one(top);
    }
    Scalar top = 0;
    for (int i = 0; i < p_.rows; ++i) top = math::larger(top, math::magnitude(p_.q[i]) * r[at(i)]);
    sigma_ = top > 0 ? math::power_of_two<Scalar>(math::exponent_of(top)) : Scalar(1);
  }

  // The dictionary w = M z + q.
  void reset() {
    for (int i = 0; i < p_.rows; ++i) {
      Scalar* const t = row(i);
      for (int j = 0; j < p_.columns; ++j) t[j] = ws_.row_scale[at(i)] * M(i, j) * ws_.column_scale[at(j)];
      t[p_.columns] = ws_.row_scale[at(i)] * p_.q[i] / sigma_;
      ws_.basic[at(i)] = static_cast<Index>(w(i));
    }
    for (int j = 0; j < p_.columns; ++j) ws_.other[at(j)] = static_cast<Index>(j);
    since_reset_ = 0;
  }

  void pivot(int r, int c) {
    Scalar* const pivot_row = row(r);
    const Scalar inverse = Scalar(1) / pivot_row[c];
    for (int j = 0; j < width(); ++j) pivot_row[j] *= -inverse;
    pivot_row[c] = inverse;
    for (int i = 0; i < p_.rows; ++i) {
      if (i == r) continue;
      Scalar* const t = row(i);
      const Scalar factor = t[c];
      if (factor == 0) continue;
      t[c] = 0;
      for (int j = 0; j < width(); ++j) t[j] += factor * pivot_row[j];
    }
    const Index leaving = ws_.basic[at(r)];
    ws_.basic[at(r)] = ws_.other[at(c)];
    ws_.other[at(c)] = leaving;
    ++result_.pivots;
    ++since_reset_;
  }

  // The same basis from the caller's numbers; a unknown that finds no row with a safe entry stays out.
  void refresh() {
    for (auto& wanted : ws_.wanted) wanted = false;
    for (int i = 0; i < p_.rows; ++i) ws_.wanted[at(ws_.basic[at(i)])] = true;
    reset();
    for (int c = 0; c < p_.columns; ++c) {
      if (!ws_.wanted[at(ws_.other[at(c)])]) continue;
      int best = -1;
      Scalar largest_entry = kPivot;
      for (int i = 0; i < p_.rows; ++i) {
        if (ws_.wanted[at(ws_.basic[at(i)])] || !(math::magnitude(row(i)[c]) > largest_entry)) continue;
        largest_entry = math::magnitude(row(i)[c]);
        best = i;
      }
      if (best >= 0) pivot(best, c);
    }
    since_reset_ = 0;
  }

  // The open column with the largest entry of this row; sign 0: of either sign; least: the first by index.
  int column_for(int r, int sign, bool least) {
    int best = -1;
    Scalar entry = kPivot;
    for (int j = 0; j < p_.columns; ++j) {
      if (ws_.closed[at(ws_.other[at(j)])]) continue;
      const Scalar x = sign == 0 ? math::magnitude(row(r)[j]) : static_cast<Scalar>(sign) * row(r)[j];
      if (!(x > (least ? kPivot : entry))) continue;
      if (least && best >= 0 && ws_.other[at(j)] > ws_.other[at(best)]) continue;
      entry = x;
      best = j;
    }
    return best;
  }

  Node restore() {
    int here = 0;
    for (;;) {
      if (result_.pivots >= budget_ || !clock_.go_on(Piece::pivot, p_.rows, p_.columns))
        return Node::out_of_budget;
      if (since_reset_ > 64 + 2 * p_.columns) refresh();
      // What is held at zero has no place in the basis, unless nothing can move it.
      bool moved = false;
      for (int i = 0; i < p_.rows && !moved; ++i) {
        if (!ws_.closed[at(ws_.basic[at(i)])]) continue;
        const int c = column_for(i, 0, false);
        if (c >= 0) {
          pivot(i, c);
          moved = true;
        } else if (math::magnitude(value(i)) > kTolerance) {
          return contradict(i, value(i) < 0 ? Scalar(1) : Scalar(-1));
        }
      }
      if (moved) continue;
      const bool least = here > 4 * (p_.rows + p_.columns);
      int r = -1;
      for (int i = 0; i < p_.rows; ++i) {
        if (ws_.closed[at(ws_.basic[at(i)])] || !(value(i) < -kTolerance)) continue;
        if (r >= 0 && (least ? ws_.basic[at(i)] > ws_.basic[at(r)] : value(i) >= value(r))) continue;
        r = i;
      }
      if (r < 0) return Node::feasible;
      const int c = column_for(r, 1, least);
      if (c < 0) return contradict(r, Scalar(1));
      pivot(r, c);
      ++here;
    }
  }

  // Row r says x_B - sum T x_N = d; y_i is its coefficient on w_i. Checked in the scaled units of the
  // caller's M and q: sum_j coefficient_j x_j = sign y.q < 0 with coefficients >= 0 wherever x_j may be
  // positive.
  Node contradict(int r, Scalar sign) {
    for (int i = 0; i < p_.rows; ++i) ws_.y[at(i)] = 0;
    if (ws_.basic[at(r)] >= p_.columns) ws_.y[at(ws_.basic[at(r)] - p_.columns)] = sign;
    for (int j = 0; j < p_.columns; ++j)
      if (ws_.other[at(j)] >= p_.columns) ws_.y[at(ws_.other[at(j)] - p_.columns)] = -sign * row(r)[j];
    Scalar constant = 0, size = 0, breach = 0;
    for (int i = 0; i < p_.rows; ++i) {
      const Scalar y = ws_.y[at(i)], q = ws_.row_scale[at(i)] * p_.q[i] / sigma_;
      constant += y * q;
      size += math::magnitude(y * q);
      if (!ws_.closed[at(w(i))] && y < 0) breach -= y;
    }
    for (int j = 0; j < p_.columns; ++j) {
      if (ws_.closed[at(j)]) continue;
      Scalar sum = 0;
      for (int i = 0; i < p_.rows; ++i)
        sum -= ws_.y[at(i)] * ws_.row_scale[at(i)] * M(i, j) * ws_.column_scale[at(j)];
      if (sum < 0) breach -= sum;
    }
    const bool holds = constant < 0 && -constant > 64 * kEps * size && breach * kReach <= -constant;
    result_.proved = result_.proved && holds;
    return Node::contradiction;
  }

  void read() {
    for (int j = 0; j < p_.columns; ++j) ws_.z[at(j)] = 0;
    for (int i = 0; i < p_.rows; ++i) ws_.w[at(i)] = 0;
    for (int i = 0; i < p_.rows; ++i) {
      const int x = ws_.basic[at(i)];
      const Scalar v = value(i) > 0 && !ws_.closed[at(x)] ? value(i) * sigma_ : Scalar(0);
      if (x < p_.columns)
        ws_.z[at(x)] = v * ws_.column_scale[at(x)];
      else
        ws_.w[at(x - p_.columns)] = v / ws_.row_scale[at(x - p_.columns)];
    }
  }

  void push(int x) {
    ws_.closed[at(x)] = true;
    ws_.stack[at(depth_)] = static_cast<Index>(x);
    ws_.second[at(depth_)] = false;
    ++depth_;
  }

  // To the last pair whose other half has not been looked at.
  bool backtrack() {
    while (depth_ > 0) {
      const int x = ws_.stack[at(depth_ - 1)];
      ws_.closed[at(x)] = false;
      if (!ws_.second[at(depth_ - 1)]) {
        const int half = x < p_.columns ? w(x) : x - p_.columns;
        ws_.closed[at(half)] = true;
        ws_.stack[at(depth_ - 1)] = static_cast<Index>(half);
        ws_.second[at(depth_ - 1)] = true;
        return true;
      }
      --depth_;
    }
    return false;
  }

  const Inequalities<Scalar>& p_;
  Workspace& ws_;
  int budget_;
  Time& clock_;
  Scalar sigma_ = 1;
  int since_reset_ = 0, depth_ = 0;
  BranchResult result_;
};

}  // namespace detail

// Visits every node whose inequalities hold together, with their vertex in workspace.z and .w and what is
// held at zero in workspace.closed. Sizes over the capacity, a null pointer or a number that is not finite:
// complete is false, and nothing was visited.
template <class Scalar, int Rows, int Columns, class Visitor, Clock Time = const NoClock>
BranchResult branch(const Inequalities<Scalar>& p, BranchWorkspace<Scalar, Rows, Columns>& ws,
                    int pivot_budget, Visitor&& visit, Time& clock = kNoClock) {
  BranchResult nothing;
  nothing.proved = false;
  if (p.rows < 0 || p.rows > Rows || p.columns < 0 || p.columns > Columns) return nothing;
  if (p.pairs < 0 || p.pairs > p.rows || p.pairs > p.columns || p.stride < p.columns) return nothing;
  if (p.rows > 0 && (p.M == nullptr || p.q == nullptr)) return nothing;
  Scalar poison = 0;
  for (int i = 0; i < p.rows; ++i) {
    poison += p.q[i] * Scalar(0);
    for (int j = 0; j < p.columns; ++j)
      poison += p.M[static_cast<std::ptrdiff_t>(i) * p.stride + j] * Scalar(0);
  }
  if (!(poison == 0)) return nothing;
  return detail::Search<Scalar, Rows, Columns, Time>(p, ws, pivot_budget, clock).run(visit);
}

// The pair that z and w of the node violate most, as the product of its two sides; -1 where all hold. A side
// below `small` of the largest of its kind counts as zero.
template <class Scalar, int Rows, int Columns>
int most_violated(const BranchWorkspace<Scalar, Rows, Columns>& ws, int pairs, Scalar small) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  Scalar z_top = 0, w_top = 0, worst = 0;
  for (int i = 0; i < pairs; ++i) {
    z_top = math::larger(z_top, ws.z[at(i)] / ws.column_scale[at(i)]);
    w_top = math::larger(w_top, ws.w[at(i)] * ws.row_scale[at(i)]);
  }
  int pair = -1;
  for (int i = 0; i < pairs; ++i) {
    const Scalar z = ws.z[at(i)] / ws.column_scale[at(i)], w = ws.w[at(i)] * ws.row_scale[at(i)];
    if (!(z > small * z_top && w > small * w_top) || !(z * w > worst)) continue;
    worst = z * w;
    pair = i;
  }
  return pair;
}

}  // namespace tactus::lcp
