// How far a part is from being unseated: margins of a fixture that holds it (fixture.hpp: stable).
//
//     load   for each freedom, down and up: the least that must be added to f there (N of a freedom that is
//            a length, N m of an angle) until the part is no longer held for certain
//     mu     the largest share of every mu, below 1, at which it is no longer held for certain; 0: it does
//            not need friction
//
// Held for certain means the verdict stable. First the push is found up to which forces can balance it at
// all, by halving; that set is convex, so there is one such push. Then one search, with the push as one more
// unknown, asks for a solution that moves under any smaller push; as a rule there is none. Where there is
// one, that push is halved down instead. Infinite: none up to kMost times the load. With less friction what
// can be held is a convex question too; that nothing moves in between is asked at eight shares only.
//
// Found to kNear of itself, from below. Cost: some 60 linear programmes a push, and two searches or forty.
// Memory: the fixture's workspace.
#pragma once

#include "tactus/contact/fixture.hpp"

namespace tactus::contact::acceleration {

template <class Scalar, SystemSize S>
struct FixtureMargins {
  struct Push {
    Scalar down = 0, up = 0;  // N or N m; infinite: nothing up to kMost times the load unseats it
  };
  std::array<Push, static_cast<std::size_t>(S.freedoms)> load{};
  Scalar mu = 0;        // share of every mu
  bool certain = true;  // false: somewhere a smaller push was not excluded (budget, the cone's gap)
  int pivots = 0;
};

namespace detail {

template <class Scalar, int Dim, SystemSize S, Clock Time>
class MarginSearch {
 public:
  using Workspace = FixtureWorkspace<Scalar, Dim, S>;
  static constexpr double kMost = 1000, kNear = 1e-7;
  static constexpr double kRoundNear = 0.01;  // closer to the limit sectors of 1.4 degrees tell nothing apart
  static constexpr int kHoldBudget = 1'000'000;

  MarginSearch(Workspace& ws, const Budget& budget, Time& clock)
      : ws_(ws), budget_(budget), clock_(clock), size_(ws.problem.size(ws.loading.load.data())) {}

  FixtureMargins<Scalar, S> run() {
    for (int i = 0; i < ws_.problem.freedoms; ++i) {
      out_.load[at(i)].down = static_cast<Scalar>(push(i, -1) * ws_.problem.force_unit);
      out_.load[at(i)].up = static_cast<Scalar>(push(i, 1) * ws_.problem.force_unit);
    }
    ws_.loading.push = {};
    ws_.loading.most = 0;
    out_.mu = static_cast<Scalar>(friction());
    return out_;
  }

 private:
  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  // Is there balance with load + t push? What is not known counts as no.
  bool held(HoldSearch<Dim, S, Time>& search, double t) {
    auto f = ws_.loading.load;
    for (int i = 0; i < ws_.problem.freedoms; ++i) f[at(i)] += ws_.loading.push[at(i)] * t;
    last_ = search.balance(f.data(), kRest);
    return last_ == Hold::yes;
  }
  bool held_with(double share) {
    HoldSearch<Dim, S, Time> search(ws_.problem, ws_.scratch, budget_.search, clock_);
    search.begin(share);
    const bool held = search.balance(ws_.loading.load.data(), kRest) == Hold::yes;
    out_.pivots += search.pivots();
    return held;
  }
  // The largest push that can be balanced, up to kMost.
  double balanced(double unit) {
    HoldSearch<Dim, S, Time> search(ws_.problem, ws_.scratch, kHoldBudget, clock_);
    search.begin(1);
    const auto holds = [&](double t) { return held(search, t); };
    const double least = 1e-9 * unit;
    const double most = holds(kMost * unit) ? kMost * unit
                        : holds(least)      ? last(least, kMost * unit, holds)
                                            : 0;
    out_.pivots += search.pivots();
    out_.certain = out_.certain && (most > 0 || last_ == Hold::no);
    return most;
  }

  // Does any push up to t let it move? f . qdd > 0 or e . qdd > 0 in a solution that does.
  bool moves(double t) {
    const auto& p = ws_.problem;
    ws_.loading.most = t;
    const double size = size_ + t * p.size(ws_.loading.push.data());
    bool found = false;
    for (const auto* g : {&ws_.loading.load, &ws_.loading.push}) {
      if (found || !(p.size(g->data()) > 0)) continue;
      // The push's share of the work is t e . qdd.
      std::array<Exact, at(S.freedoms)> row = *g;
      if (g == &ws_.loading.push)
        for (Exact& x : row) x *= t;
      const auto motion =
          find_motion(p, ws_.loading, row.data(), size, ws_.scratch, budget_.search / 100, clock_);
      out_.pivots += motion.pivots;
      const bool excluded = motion.complete && motion.proved && !motion.gap;
      out_.certain = out_.certain && (motion.found || excluded);
      found = motion.found;
    }
    return found;
  }

  // The largest t in [low, high] for which yes(t) holds, as it does at low and does not at high.
  template <class Yes>
  double last(double low, double high, const Yes& yes) {
    for (int k = 0; k < 60 && high - low > kNear * high; ++k) {
      const double middle = low > 0 && high > 4 * low ? std::sqrt(low * high) : (low + high) / 2;
      (yes(middle) ? low : high) = middle;
    }
    return low;
  }

  double push(int freedom, int sign) {
    const auto& p = ws_.problem;
    ws_.loading.push = {};
    ws_.loading.push[at(freedom)] = sign;
    const double unit = size_ / p.size(ws_.loading.push.data());  // a push as large as the load
    if (!(size_ > 0)) return weightless();
    const double most = balanced(unit);
    if (most == 0) return 0;
    const double inside = most * (1 - (p.round ? kRoundNear : 10 * kNear));
    if (!moves(inside)) return most == kMost * unit ? std::numeric_limits<double>::infinity() : most;
    const double least = 1e-9 * unit;
    return moves(least) ? 0 : last(least, inside, [&](double t) { return !moves(t); });
  }

  // Without a load every push is as large as any other.
  double weightless() {
    if (balanced(1) == 0) return 0;
    return moves(1) ? 0 : std::numeric_limits<double>::infinity();
  }

  double friction() {
    const auto mu = ws_.problem.mu;
    const auto stable = [&](double share) {
      for (int i = 0; i < ws_.problem.contacts; ++i) ws_.problem.mu[at(i)] = mu[at(i)] * share;
      const auto verdict = judge_fixture<Scalar, Dim, S>(ws_, budget_, clock_);
      out_.pivots += verdict.pivots;
      return verdict.stability == Stability::stable;
    };
    const double spare = held_with(0) ? 1 : last(0, 1, [&](double less) { return held_with(1 - less); });
    constexpr int kShares = 8;
    double lost = spare;  // of mu, with which it is still held for certain
    double kept = 0;
    for (int k = 1; k <= kShares; ++k) {
      const double less =
          k == kShares ? spare * (1 - (ws_.problem.round ? kRoundNear : 10 * kNear)) : spare * k / kShares;
      if (!stable(1 - less)) {
        lost = last(kept, less, [&](double between) { return stable(1 - between); });
        break;
      }
      kept = less;
    }
    ws_.problem.mu = mu;
    return 1 - lost;
  }

  Workspace& ws_;
  Budget budget_;
  Time& clock_;
  double size_;
  Hold last_ = Hold::no;
  FixtureMargins<Scalar, S> out_;
};

}  // namespace detail

// After check_fixture() has said `stable`, on its workspace, whose forces are then of another load.
template <class Scalar, int Dim, SystemSize S, Clock Time = const NoClock>
FixtureMargins<Scalar, S> find_margins(FixtureWorkspace<Scalar, Dim, S>& ws, const Budget& budget = {},
                                       Time& clock = kNoClock) {
  return detail::MarginSearch<Scalar, Dim, S, Time>(ws, budget, clock).run();
}

}  // namespace tactus::contact::acceleration
