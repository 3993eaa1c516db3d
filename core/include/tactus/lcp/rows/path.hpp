// Lemke's path in rows: flip after flip until t, the share of the covering vector, is gone.
//
// For each t > 0 on the path all laws of staircase.hpp hold, and at t = 0 these are the rows' own. One number
// grows, x; the first beta that comes to an end of its segment flips its row, and what grows next is what
// that row's nu stands for: it leads on past the corner, never back. t may rise for a while; nobody looks at
// that.
//
// Ties: of the betas that could be first but for rounding, the one with the largest rate goes, for its pivot
// rounds least, and t before all others. A rate below kNoise of the largest is rounding: a pivot on it would
// make up a direction, and to pass over it moves its row by no more than rounding does anyway.
//
// Cost of a flip: a sweep, and about 30 n operations to choose it. Failure: `ray` where nothing is in the way
// of x, `flips` and `out_of_time` where the path was left; the segments then are those it has come to.
#pragma once

#include "tactus/clock.hpp"
#include "tactus/lcp/rows/dictionary.hpp"

namespace tactus::lcp::rows {

enum class PathEnd : std::uint8_t { solved, ray, flips, out_of_time };

template <class Scalar>
inline constexpr Scalar kNoise = sizeof(Scalar) == 8 ? Scalar(1e-11) : Scalar(1e-5);
// What rounding may have made of a beta, as a share of the size of the row's data. Smaller ones take rounding
// for a corner, larger ones take a corner for none: from 1e-6 to 3e-6 as many of 20,000 hard states are
// solved in float, at 3e-7 and 1e-5 half as many more fail.
template <class Scalar>
inline constexpr Scalar kTie = sizeof(Scalar) == 8 ? Scalar(1e-12) : Scalar(2e-6);

template <class Scalar>
class Path {
 public:
  // least: below this t counts as gone.
  Path(const Problem<Scalar>& p, Dictionary<Scalar>& d, Scalar least) : p_(p), d_(d), least_(least) {}

  int flips() const { return flips_; }

  // From a dictionary whose x is t, all stairs at their first segments.
  template <Clock Time>
  PathEnd from_afar(int most, Time& clock) {
    const Block block = outermost();
    if (!block.found) return PathEnd::solved;
    if (most < 1) return PathEnd::flips;
    if (!clock.go_on(Piece::flip, p_.n, d_.m)) return PathEnd::out_of_time;
    flip(block);
    return follow(most, clock);
  }

  // From a dictionary whose x is from - t, with a beta for every stair.
  template <Clock Time>
  PathEnd from_near(int most, Time& clock) {
    const Block block = first();
    if (block.stair == kNone) return arrive();
    if (most < 1) return PathEnd::flips;
    if (!clock.go_on(Piece::flip, p_.n, d_.m)) return PathEnd::out_of_time;
    flip(block);
    Scalar* const t = d_.at(d_.t);
    TACTUS_BOUND("padded(part + 2)");
    for (int j = 0; j < d_.stride; ++j) t[j] = -t[j];
    t[d_.constant()] += d_.from;
    return follow(most, clock);
  }

  // p where a path that is solved has ended.
  void read_p(Scalar* p) const {
    TACTUS_BOUND("part");
    for (int j = 0; j < d_.m; ++j) {
      const auto beta = motion_of_beta(j);
      set_p(d_.stair[j], 1, math::multiply_add(arrived_, beta.rate, beta.value), p);
    }
  }

  // The direction in which p grows on a ray.
  void read_ray(Scalar* ray) const {
    TACTUS_BOUND("part");
    for (int j = 0; j < d_.m; ++j) set_p(d_.stair[j], 0, motion_of_beta(j).rate, ray);
  }

 private:
  // Which beta ends the growth of x, and at which end; stair kNone: t.
  struct Block {
    int stair = kNone;
    bool far = false, found = false;
  };

  template <Clock Time>
  PathEnd follow(int most, Time& clock) {
    TACTUS_BOUND("flips");
    for (;;) {
      if (motion_of_t(d_).value <= least_) return PathEnd::solved;
      const Block block = first();
      if (!block.found) return PathEnd::ray;
      if (block.stair == kNone) return arrive();
      if (flips_ >= most) return PathEnd::flips;
      if (!clock.go_on(Piece::flip, p_.n, d_.m)) return PathEnd::out_of_time;
      flip(block);
    }
  }

  PathEnd arrive() {
    const auto t = motion_of_t(d_);
    arrived_ = t.value / -t.rate;
    return PathEnd::solved;
  }

  // f(end, how far it is) for every end that x could come to whose rate is wanted. Most are left behind, and
  // not worked out further.
  template <class Wanted, class F>
  [[gnu::always_inline]] void for_each_end(const Wanted& wanted, const F& f) const {
    const auto t = motion_of_t(d_);
    const Scalar* row = d_.T;
    TACTUS_BOUND("part + 1");
    for (int i = 0; i <= d_.m; ++i, row += d_.stride) {
      const bool is_x = i == d_.m;
      const int j = is_x ? d_.driven : d_.owner[i];
      if (j == kNone) continue;
      const Stair<Scalar>& k = d_.stair[j];
      Motion<Scalar> beta{0, 1};
      if (!is_x) {
        if (!k.has_near) continue;
        beta = {row[d_.constant()], row[d_.drive]};
        if (wanted(beta.rate)) f(Block{j, false, true}, beta);
      }
      if (!k.has_far) continue;
      const Line<Scalar>& width = k.width;
      Motion<Scalar> far{width.at - beta.value, math::multiply_add(width.slope, t.rate, -beta.rate)};
      Motion<Scalar> normal;
      if (width.share != 0) {
        normal = motion_of_normal(d_, k.normal);
        far.rate = math::multiply_add(width.share, normal.rate, far.rate);
      }
      if (!wanted(far.rate)) continue;
      far.value = math::multiply_add(width.slope, t.value, far.value);
      far.value = math::multiply_add(width.share, normal.value, far.value);
      f(Block{j, true, true}, far);
    }
  }

  // The end at which t stops that comes from infinity.
  Block outermost() const {
    Scalar most = 0;
    Block block;
    const auto any = [](Scalar) { return true; };
    for_each_end(any, [&](const Block& b, const Motion<Scalar>& z) {
      if (!(-z.value > most * z.rate)) return;
      most = -z.value / z.rate;
      block = b;
    });
    return block;
  }

  Block first() const {
    Scalar fastest = 1;
    TACTUS_BOUND("part");
    for (int i = 0; i < d_.m; ++i) fastest = math::larger(fastest, math::magnitude(d_.at(i)[d_.drive]));
    const Scalar slowest = kNoise<Scalar> * fastest;
    const auto t = motion_of_t(d_);
    Block of_t, block;
    Scalar reach = kInfinity<Scalar>;
    if (-t.rate > slowest) {
      reach = (t.value + least_) / -t.rate;
      of_t.found = true;
    }
    const auto nears = [slowest](Scalar rate) __attribute__((always_inline)) {
      return -rate > slowest;
    };
    // The fastest of those within reach; who has set it, where it has left that one behind. `passed`, the
    // fastest of the others, may be within reach still: then all are asked once more.
    TACTUS_BOUND("2");
    for (int pass = 0; pass < 2; ++pass) {
      Motion<Scalar> chosen{0, -slowest};
      Scalar passed = 0;
      block = of_t;
      for_each_end(
          nears, [&](const Block& b, const Motion<Scalar>& z) __attribute__((always_inline)) {
            const Scalar within = reach * -z.rate;
            if (!(z.value <= within)) return;
            const Scalar value = math::larger(z.value, Scalar(0)) + kTie<Scalar> * d_.stair[b.stair].size;
            if (value < within) reach = value / -z.rate;
            const bool left = !(chosen.value <= reach * -chosen.rate), faster = z.rate < chosen.rate;
            if (!left) passed = -math::larger(-passed, faster ? -chosen.rate : -z.rate);
            if (!left && !faster) return;
            chosen = z;
            block = b;
          });
      if (of_t.found && t.value <= reach * -t.rate) return of_t;
      if (chosen.value <= reach * -chosen.rate && !(passed < chosen.rate)) break;
    }
    return block;
  }

  // Exchanges x with the beta that blocks it.
  void flip(const Block& block) {
    ++flips_;
    Stair<Scalar>& k = d_.stair[block.stair];
    const int position = block.stair == d_.driven ? kNone : k.position;
    Scalar* const row = block.far ? turn_round(d_, block.stair) : d_.at(position);
    sweep(d_, row, position, d_.drive);
    if (position != kNone) {
      d_.owner[position] = static_cast<Index>(d_.driven);
      if (d_.driven == kNone)
        d_.t = position;
      else
        d_.stair[d_.driven].position = static_cast<Index>(position);
    }
    const int column = k.column;
    k.column = static_cast<Index>(d_.drive);
    d_.drive = column;
    d_.driven = block.stair;
    if (block.far) {
      TACTUS_BOUND("part");
      for (int i = 0; i < d_.m; ++i) d_.at(i)[column] = -d_.at(i)[column];
    }
    const int next = block.far ? k.far_end() : k.near_end();
    k.side = next > k.segment ? 1 : -1;
    k.segment = static_cast<std::int8_t>(next);
    measure(k, p_.row[k.row]);
  }

  Motion<Scalar> motion_of_beta(int j) const {
    return j == d_.driven ? Motion<Scalar>{0, 1} : motion_at(d_, d_.stair[j].position);
  }

  // p of a stair, beta past `share` of its corner; that of its normal row is there.
  void set_p(const Stair<Scalar>& k, Scalar share, Scalar beta, Scalar* p) const {
    const int level = k.upright() ? k.near_end() : k.segment;
    const Row<Scalar>& r = p_.row[k.row];
    Scalar x = 0;
    if (k.has(level)) {
      const auto P = line_of(k, r, level);
      x = k.normal == kNone ? share * P.at * k.scale : P.share * r.hi * p[r.normal];
    }
    p[k.row] = k.upright() ? math::multiply_add(k.side > 0 ? beta : -beta, k.scale, x) : x;
  }

  const Problem<Scalar>& p_;
  Dictionary<Scalar>& d_;
  Scalar least_;
  Scalar arrived_ = 0;  // x at t = 0
  int flips_ = 0;
};

}  // namespace tactus::lcp::rows
