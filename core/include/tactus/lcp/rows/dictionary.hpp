// The rows' equations solved for the betas: each beta, and t once it moves, by the nus and one variable more.
//
//     beta_i = constant_i + sum_j T_ij nu_j + T_i,drive x,        nu = 0
//
// Lemke's almost complementary basis: all nus are zero, and the beta of the row that flipped last, the driven
// one, is the variable x that grows; t has its place. A flip exchanges x with the beta that vanishes first,
// which becomes its row's nu, and that row's old nu is the next x. A far end is a near one after beta has
// been replaced by width - beta, so each flip is one sweep, whatever kind of row it is. A pivot is an entry
// of the column of x, where t is basic, too: redundant rows, whose diagonal vanishes, need no diagonal added
// to them.
//
// Cost of a sweep: n (n + 2) multiply-adds. Memory: n + 1 rows of dictionary_stride(n) scalars.
#pragma once

#include "tactus/lcp/rows/staircase.hpp"
#include "tactus/math/kernels.hpp"

namespace tactus::lcp::rows {

constexpr int dictionary_stride(int n) {
  return (n + 2 + math::kLanes - 1) / math::kLanes * math::kLanes;
}

template <class Scalar>
struct Dictionary {
  int m = 0;  // rows that take part
  int stride = 0;
  Scalar* T = nullptr;
  Stair<Scalar>* stair = nullptr;
  Index* owner = nullptr;  // of a position: the stair whose beta it is, or kNone for t
  int drive = 0;           // column of x
  int driven = kNone;      // the stair whose beta x is; kNone before the first flip, when x is t or from - t
  int t = kNone;           // position of t, once it is basic
  Scalar from = 0;

  Scalar* at(int position) { return T + position * stride; }
  const Scalar* at(int position) const { return T + position * stride; }
  int constant() const { return m + 1; }
  Scalar* spare() { return T + m * stride; }
};

// A variable's value and its rate along x.
template <class Scalar>
struct Motion {
  Scalar value = 0, rate = 0;
};

template <class Scalar>
Motion<Scalar> motion_at(const Dictionary<Scalar>& d, int position) {
  const Scalar* const row = d.at(position);
  return {row[d.constant()], row[d.drive]};
}

template <class Scalar>
Motion<Scalar> motion_of_t(const Dictionary<Scalar>& d) {
  if (d.t != kNone) return motion_at(d, d.t);
  return d.from > 0 ? Motion<Scalar>{d.from, -1} : Motion<Scalar>{0, 1};
}

// p_n of a stair.
template <class Scalar>
Motion<Scalar> motion_of_normal(const Dictionary<Scalar>& d, int j) {
  const Stair<Scalar>& k = d.stair[j];
  if (!k.upright()) return {};
  return j == d.driven ? Motion<Scalar>{0, 1} : motion_at(d, k.position);
}

// The equations at the stairs' segments, solved for y by x (staircase.hpp) and t: what is a beta of an
// upright is still a variable. s: A p + b at the corners' p for t = 0. Cost: n^2, and n for each tangent at
// its bound.
template <class Scalar>
TACTUS_ONE_COPY void set_up(const Problem<Scalar>& p, Dictionary<Scalar>& d, const Scalar* s) {
  const int m = d.m;
  Scalar* const scale_of = d.spare();
  TACTUS_BOUND("part");
  for (int j = 0; j < m; ++j) scale_of[j] = d.stair[j].sign() > 0 ? d.stair[j].scale : -d.stair[j].scale;
  TACTUS_BOUND("part");
  for (int i = 0; i < m; ++i) {
    Stair<Scalar>& k = d.stair[i];
    const Scalar* const a = p.A + k.row * p.stride;
    Scalar* const row = d.at(i);
    const Scalar scale = scale_of[i], sign = scale > 0 ? Scalar(1) : Scalar(-1);
    TACTUS_BOUND("part");
    for (int j = 0; j < m; ++j) row[j] = a[d.stair[j].row] * scale_of[j] * scale;
    const auto S = line_of(k, p.row[k.row], k.upright() ? k.segment : k.near_end());
    row[m] = -sign * S.slope;
    row[m + 1] = math::multiply_add(s[k.row], scale, -sign * S.at);
    TACTUS_LET("bytes = scalar * (padded(part + 2) - part - 2)");
    for (int j = m + 2; j < d.stride; ++j) row[j] = 0;
    k.position = k.column = d.owner[i] = static_cast<Index>(i);
    measure(k, p.row[k.row]);
  }
  // p = P + sign x, and what t and p_n do to P they do through the column of x.
  TACTUS_BOUND("part");
  for (int j = 0; j < m; ++j) {
    const Stair<Scalar>& k = d.stair[j];
    const int level = k.upright() ? k.near_end() : k.segment;
    if (!k.has(level)) continue;
    const auto P = line_of(k, p.row[k.row], level);
    if (P.slope == 0) continue;
    const Scalar sign = k.sign() > 0 ? Scalar(1) : Scalar(-1);
    TACTUS_BOUND("part");
    for (int i = 0; i < m; ++i) {
      Scalar* const row = d.at(i);
      row[m] = math::multiply_add(row[j], sign * P.slope, row[m]);
      if (P.share != 0) row[k.normal] = math::multiply_add(row[j], sign * P.share * k.mu, row[k.normal]);
    }
  }
  d.drive = m;
  d.driven = d.t = kNone;
}

// Solves the equation in `pivot` for the variable of `column` and puts that into the others; `pivot` is the
// row of `position`, or the spare one and position kNone.
template <class Scalar>
TACTUS_ONE_COPY void sweep(Dictionary<Scalar>& d, Scalar* pivot, int position, int column) {
  const Scalar inverse = 1 / pivot[column];
  TACTUS_BOUND("padded(part + 2)");
  for (int j = 0; j < d.stride; ++j) pivot[j] *= -inverse;
  pivot[column] = inverse;
  Scalar* row = d.T;
  TACTUS_BOUND("part");
  for (int i = 0; i < d.m; ++i, row += d.stride) {
    TACTUS_LET("m = padded(part + 2)");
    const Scalar factor = row[column];
    if (i == position || factor == 0) continue;
    row[column] = 0;
    math::add_multiple_of_packs(row, pivot, factor, d.stride);
  }
}

// width - beta, the distance from the far end, in place of beta; in the spare row if beta is x.
template <class Scalar>
TACTUS_ONE_COPY Scalar* turn_round(Dictionary<Scalar>& d, int j) {
  TACTUS_LET("m = padded(part + 2)");
  const Stair<Scalar>& k = d.stair[j];
  Scalar* const row = j == d.driven ? d.spare() : d.at(k.position);
  TACTUS_BOUND("padded(part + 2)");
  for (int c = 0; c < d.stride; ++c) row[c] = j == d.driven ? Scalar(0) : -row[c];
  if (j == d.driven) row[d.drive] = -1;
  row[d.constant()] += k.width.at;
  if (d.t != kNone) {
    math::add_multiple_of_packs(row, d.at(d.t), k.width.slope, d.stride);
  } else {
    const auto t = motion_of_t(d);
    row[d.constant()] = math::multiply_add(t.value, k.width.slope, row[d.constant()]);
    row[d.drive] = math::multiply_add(t.rate, k.width.slope, row[d.drive]);
  }
  if (k.width.share == 0) return row;
  const Stair<Scalar>& normal = d.stair[k.normal];
  if (!normal.upright())
    row[normal.column] += k.width.share;
  else if (k.normal == d.driven)
    row[d.drive] += k.width.share;
  else
    math::add_multiple_of_packs(row, d.at(normal.position), k.width.share, d.stride);
  return row;
}

}  // namespace tactus::lcp::rows
