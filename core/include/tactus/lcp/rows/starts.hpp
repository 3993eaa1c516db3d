// Where a path begins: which rows take part, at which segments, in which dictionary.
//
// From afar, the guarantee: every row at the level where s at p = 0 points, t as large as it takes. The
// covering vector is positive on every upright (d) and on every bound that is not the row's own end (e), as
// the proof asks: with e = 0 on tangents one path in fifty ends on a false ray. Its numbers come from a table
// by the row's number, so that no two rows meet a corner at once and every machine has the same bits.
//
// From near: at the segments of an earlier answer. What the equations give there for t = 0 is the goal; where
// that is not on the segment, or hardly, the path begins inside and comes to it as t falls.
#pragma once

#include "tactus/clock.hpp"
#include "tactus/lcp/rows/certificate.hpp"
#include "tactus/lcp/rows/dictionary.hpp"
#include "tactus/lcp/rows/workspace.hpp"

namespace tactus::lcp::rows {

namespace detail {

// 64 numbers in [1, 2), from a linear congruence modulo 256: its upper bits, all different.
inline constexpr std::array<std::uint8_t, 64> kSpread = [] {
  std::array<std::uint8_t, 64> table{};
  std::uint32_t x = 12345;
  for (auto& entry : table) {
    x = x * 1664525U + 1013904223U;
    entry = static_cast<std::uint8_t>(x >> 24);
  }
  return table;
}();

template <class Scalar>
Scalar spread(int i) {
  return 1 + static_cast<Scalar>(kSpread[static_cast<std::size_t>(i & 63)]) / 256;
}

}  // namespace detail

// e beside d. From 0.1 to 1 it changes neither what is solved nor the flips by more than 2 %.
template <class Scalar>
inline constexpr Scalar kBoundCover = Scalar(0.3);
// How far inside a segment a path from near begins at least, beside the size of the row's data, and what it
// adds of what its goal is outside. From 1e-5 to 1e-1 and 0.1 to 1 the flips are the same within 10 %.
template <class Scalar>
inline constexpr Scalar kInside = Scalar(1e-3);
// A row whose pivot is less is redundant beside those that have entered.
template <class Scalar>
inline constexpr Scalar kRedundant = sizeof(Scalar) == 8 ? Scalar(1e-10) : Scalar(1e-5);

template <class Scalar>
class Starts {
 public:
  Starts(const Problem<Scalar>& p, const Memory<Scalar>& w, Scalar size) : p_(p), w_(w), size_(size) {
    d.T = w.table;
    d.stair = w.stair;
    d.owner = w.owner;
  }

  Dictionary<Scalar> d;

  // The path begins with x = t. cover: 0, 1, ... for other numbers.
  void from_afar(int cover) {
    choose_rows(true, cover);
    find_corners();
    set_up(p_, d, w_.trial_s);
    d.from = 0;
  }

  // Segments of these states; nothing is set up yet.
  void take_states(const State* state) {
    choose_rows(false, 0);
    TACTUS_BOUND("part");
    for (int j = 0; j < d.m; ++j) {
      Stair<Scalar>& k = d.stair[j];
      const bool closed = k.normal == kNone || d.stair[k.normal].upright();
      take_state(k, p_.row[k.row], p_.b[k.row], state[k.row], closed);
    }
  }

  // The path begins with x = from - t at the segments taken. False if the clock has ended it.
  template <Clock Time>
  bool from_near(Time& clock) {
    find_corners();
    set_up(p_, d, w_.trial_s);
    if (!enter(clock)) return false;
    // t falls from as much as the goals are beyond their segments, and not from less than the data are large.
    d.from = size_;
    TACTUS_BOUND("part");
    for (int j = 0; j < d.m; ++j) {
      const Scalar goal = d.at(j)[d.constant()];
      if (d.stair[j].has_near) d.from = math::larger(d.from, -goal);
      if (d.stair[j].has_far) d.from = math::larger(d.from, goal - width_of(j));
    }
    if (!(d.from > 0)) d.from = 1;
    TACTUS_BOUND("part");
    for (int j = 0; j < d.m; ++j) begin_inside(j);
    return true;
  }

 private:
  // Rows that can move and have somewhere to go get a stair each, tangents after all others and only if their
  // normal row has one. The others' p is what it always is.
  void choose_rows(bool covered, int cover) {
    TACTUS_LET("bytes = 2 * n");
    for (int i = 0; i < p_.n; ++i) w_.order[i] = kNone;
    d.m = 0;
    TACTUS_BOUND("2");
    for (const bool tangents : {false, true}) {
      TACTUS_BOUND("n");
      for (int i = 0; i < p_.n; ++i) {
        const Row<Scalar>& r = p_.row[i];
        if ((r.kind == Kind::tangent) != tangents) continue;
        if (tangents && w_.order[r.normal] == kNone) {
          w_.trial_p[i] = 0;
          continue;
        }
        if (add_row(i, covered, cover)) continue;
        w_.trial_p[i] = r.kind != Kind::bounded ? Scalar(0) : math::larger(r.lo, r.hi < 0 ? r.hi : Scalar(0));
      }
    }
    d.stride = dictionary_stride(d.m);
  }

  bool add_row(int i, bool covered, int cover) {
    const Row<Scalar>& r = p_.row[i];
    Stair<Scalar>& k = d.stair[d.m];
    if (is_still(p_, w_.d, i) || !begin_stair(k, r, p_.b[i], covered)) return false;
    k.row = static_cast<Index>(i);
    k.scale = math::power_of_two<Scalar>(-math::exponent_of(w_.d[i]));
    const Scalar unit = w_.d[i] * k.scale;  // 1 to 2
    const int number = (1 + 4 * cover) * i + 17 * cover;
    k.d = covered ? unit * detail::spread<Scalar>(number) : Scalar(0);
    k.e = kBoundCover<Scalar> / unit * detail::spread<Scalar>(number + 29);
    if (!covered && r.kind != Kind::tangent) k.e = 0;
    k.size = covered ? size_ : math::larger(w_.F[i] * w_.d[i], kLeastDemand<Scalar> * size_);
    k.normal = kNone;
    if (r.kind == Kind::tangent) {
      k.normal = w_.order[r.normal];
      k.mu = r.hi * d.stair[k.normal].scale / k.scale;
    }
    w_.order[i] = static_cast<Index>(d.m++);
    return true;
  }

  // s at the corners' p for t = 0.
  void find_corners() {
    TACTUS_BOUND("part");
    for (int j = 0; j < d.m; ++j) {
      const Stair<Scalar>& k = d.stair[j];
      const int level = k.upright() ? k.near_end() : k.segment;
      w_.trial_p[k.row] = k.has(level) ? line_of(k, p_.row[k.row], level).at * k.scale : Scalar(0);
    }
    find_s(p_, w_.trial_p, w_.trial_s);
  }

  // Brings in the betas of uprights, largest pivot first. Who is redundant goes back to the level it came
  // from.
  template <Clock Time>
  bool enter(Time& clock) {
    TACTUS_BOUND("part");
    for (int j = 0; j < d.m; ++j) w_.order[j] = d.stair[j].upright() ? 1 : 0;
    TACTUS_BOUND("uprights + 1");
    for (;;) {
      int best = kNone;
      Scalar most = kRedundant<Scalar>;
      TACTUS_BOUND("part");
      for (int j = 0; j < d.m; ++j) {
        const Scalar pivot = math::magnitude(d.at(j)[j]);
        if (w_.order[j] == 0 || !(pivot > most)) continue;
        most = pivot;
        best = j;
      }
      if (best == kNone) break;
      if (!clock.go_on(Piece::flip, p_.n, d.m)) return false;
      sweep(d, d.at(best), best, best);
      w_.order[best] = 0;
    }
    TACTUS_BOUND("part");
    for (int j = 0; j < d.m; ++j) {
      Stair<Scalar>& k = d.stair[j];
      if (w_.order[j] == 0 || !k.has_near) continue;
      k.segment = static_cast<std::int8_t>(k.near_end());
      k.side = static_cast<std::int8_t>(-k.side);
      measure(k, p_.row[k.row]);
    }
    return true;
  }

  // At t = 0.
  Scalar width_of(int j) const {
    const Stair<Scalar>& k = d.stair[j];
    const bool follows = k.width.share != 0 && d.stair[k.normal].upright();
    return follows ? math::multiply_add(k.width.share, d.at(k.normal)[d.constant()], k.width.at) : k.width.at;
  }

  void begin_inside(int j) {
    const Stair<Scalar>& k = d.stair[j];
    Scalar* const row = d.at(j);
    const Scalar goal = row[d.constant()], inside = kInside<Scalar> * k.size * detail::spread<Scalar>(j + 7);
    Scalar begin = goal;
    if (k.has_near && begin < inside) begin = inside + math::larger(-goal, Scalar(0));
    if (k.has_far) {
      const Scalar width = math::multiply_add(k.width.slope, d.from, width_of(j));
      if (begin > width - inside)
        begin = math::larger(width - inside - math::larger(goal - width, Scalar(0)), width / 2);
    }
    row[d.constant()] = begin;
    row[d.drive] = (goal - begin) / d.from;
  }

  const Problem<Scalar>& p_;
  const Memory<Scalar>& w_;
  Scalar size_;
};

}  // namespace tactus::lcp::rows
