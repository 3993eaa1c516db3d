// The solver: p, s and the state of every row, certified from the caller's own numbers.
//
//     static tactus::lcp::rows::Workspace<float, 22> workspace;     // all the memory there is; p, s, state
//     const auto answer = solve(problem, workspace, last_states);
//     if (answer.end == tactus::lcp::rows::End::solved) use(workspace.p);
//
// One routine with two starts. From the states of an earlier answer, where there are any: first as they are,
// one linear system, then by the path from there. And from afar, with a covering vector: Lemke's path, which
// has the proof that it ends with an answer (problem.hpp) in exact arithmetic. Where rounding has led it
// astray, so that it ends on a ray or its answer does not certify, the path from where it has come to mends
// most, and another covering vector nearly all of the rest.
//
// Whatever path has led to states, p is solved once more from A and b, and `solved` is said only if the
// certificate of that p holds. A ray that is checked (contradiction.hpp) proves that there is no answer.
//
// Time: the system of N held rows N^3 / 3 multiply-adds and up to six corrections of n^2 + N^2, a certificate
// n^2; a path from near N sweeps of n (n + 2) before its first flip, one for each flip. The clock is asked
// before each start, sweep, column of a factorisation, correction and certificate. Memory:
// sizeof(Workspace<Scalar, N>). No heap, no statics, no recursion. Reentrant. Failure: by End only.
#pragma once

#include "tactus/lcp/rows/contradiction.hpp"
#include "tactus/lcp/rows/held.hpp"
#include "tactus/lcp/rows/path.hpp"
#include "tactus/lcp/rows/starts.hpp"

namespace tactus::lcp::rows {

enum class End : std::uint8_t {
  solved,       // the certificate holds
  ray,          // every path ended on a ray, or a ray is a checked contradiction
  flips,        // the limit of flips
  out_of_time,  // the clock ended it; the results are those before
  no_digits,    // states were found, but p does not certify; p, s and state are those, to look at
  bad_input     // a size, a pointer, a row or a number that cannot be; nothing was done
};

struct Options {
  int last_flips = 32;  // of the path from earlier states; mean 1.6, one in a hundred 20
  int flips = 600;      // of all paths; one from afar takes 12 for 16 rows in the mean, one in a hundred 40
  int covers = 2;       // covering vectors; a second one is needed once in 2,000 solves
  double residual = 1;  // asked of the certificate beyond kAccepted; what misses it alone ends as no_digits
};

template <class Scalar>
struct Answer {
  End end = End::bad_input;
  int flips = 0;        // of all paths
  int cover = 0;        // which covering vector led to it; 0: the earlier states
  bool proved = false;  // with End::ray: there is no answer
  Certificate<Scalar> certificate;
};

namespace detail {

template <class Scalar>
bool is_row(const Problem<Scalar>& p, int i) {
  const auto is_finite = [](Scalar x) { return std::fabs(x) < kInfinity<Scalar>; };
  const auto ordered = [](Scalar low, Scalar high) {
    return low <= high && low != kInfinity<Scalar> && high != -kInfinity<Scalar>;
  };
  const Row<Scalar>& r = p.row[i];
  if (p.d != nullptr && !(p.d[i] > 0 && is_finite(p.d[i]))) return false;
  if (!ordered(r.lo, r.hi) || !ordered(r.stop_lo, r.stop_hi)) return false;
  if (r.kind != Kind::bounded) {
    if (r.lo != 0 || is_finite(r.stop_lo) || is_finite(r.stop_hi)) return false;
    if (r.kind == Kind::unilateral) return !is_finite(r.hi);
    return r.normal >= 0 && r.normal < p.n && p.row[r.normal].kind == Kind::unilateral && is_finite(r.hi);
  }
  // A bound at infinity keeps s on one side of 0, where the stops must leave it room.
  return r.stop_lo == r.stop_hi ||
         ((is_finite(r.hi) || r.stop_hi >= 0) && (is_finite(r.lo) || r.stop_lo <= 0));
}

template <class Scalar>
bool is_problem(const Problem<Scalar>& p, int capacity) {
  if (p.n < 0 || p.n > capacity) return false;
  if (p.n > 0 && (p.A == nullptr || p.b == nullptr || p.row == nullptr || p.stride < p.n)) return false;
  TACTUS_BOUND("n");
  for (int i = 0; i < p.n; ++i)
    if (!is_row(p, i)) return false;
  return true;
}

template <class Scalar>
bool is_finite(const Problem<Scalar>& p) {
  Scalar poison = 0;
  TACTUS_BOUND("n");
  for (int i = 0; i < p.n; ++i) {
    poison += p.b[i] * Scalar(0);
    TACTUS_BOUND("n");
    for (int j = 0; j < p.n; ++j) poison += p.A[i * p.stride + j] * Scalar(0);
  }
  return poison == 0;
}

template <class Scalar, Clock Time>
class Solver {
 public:
  Solver(const Problem<Scalar>& p, const Memory<Scalar>& w, Time& clock)
      : p_(p), w_(w), clock_(clock), starts_(p, w_, prepare()) {}

  Answer<Scalar> run(const Options& o, const State* last) {
    least_ = static_cast<Scalar>(o.residual);
    if (!(size_ > 0)) {  // nothing is asked of any row, and rounding would have nothing to be small beside
      TACTUS_LET("bytes = n");
      for (int i = 0; i < p_.n; ++i) w_.guess[i] = State::unknown;
      last = w_.guess;
    }
    if (last != nullptr && from_states(o, last)) return answer_;
    TACTUS_BOUND("covers");
    for (int k = 0; k < o.covers; ++k) {
      answer_.cover = k + 1;
      if (!may_start()) return answer_;
      starts_.from_afar(k);
      if (follow([&](auto& path) { return path.from_afar(o.flips - answer_.flips, clock_); })) return answer_;
      if (answer_.end == End::flips) break;
      TACTUS_BOUND("part");
      for (int j = 0; j < starts_.d.m; ++j) {
        const Stair<Scalar>& stair = starts_.d.stair[j];
        w_.guess[stair.row] = state_of(stair, p_.row[stair.row]);
      }
      starts_.take_states(w_.guess);
      if (from_near(o.flips - answer_.flips)) return answer_;
    }
    if (!is_finite(p_)) answer_.end = End::bad_input;
    if (answer_.end == End::no_digits) publish();
    return answer_;
  }

 private:
  Scalar prepare() {
    find_units(p_, w_.d);
    return size_ = find_demands(p_, w_.d, w_.F);
  }

  // True if there is nothing more to be done.
  bool from_states(const Options& o, const State* last) {
    starts_.take_states(last);
    TACTUS_BOUND("part");
    for (int j = 0; j < starts_.d.m; ++j) w_.trial_p[starts_.d.stair[j].row] = 0;
    return conclude() || from_near(o.last_flips < o.flips ? o.last_flips : o.flips);
  }

  bool may_start() {
    const bool may = clock_.go_on(Piece::start, p_.n, 0);
    if (!may) answer_.end = End::out_of_time;
    return may;
  }

  bool from_near(int flips) {
    if (!may_start()) return true;
    if (!starts_.from_near(clock_)) {
      answer_.end = End::out_of_time;
      return true;
    }
    return follow([&](auto& path) { return path.from_near(flips, clock_); });
  }

  template <class Walk>
  bool follow(Walk&& walk) {
    Path<Scalar> path(p_, starts_.d, kTie<Scalar> * kLeastDemand<Scalar> * size_);
    const PathEnd end = walk(path);
    answer_.flips += path.flips();
    if (end == PathEnd::solved) {
      path.read_p(w_.trial_p);
      return conclude();
    }
    answer_.end = end == PathEnd::ray ? End::ray : end == PathEnd::flips ? End::flips : End::out_of_time;
    if (end != PathEnd::ray) return end == PathEnd::out_of_time;
    TACTUS_LET("bytes = scalar * n");
    for (int i = 0; i < p_.n; ++i) w_.ray[i] = 0;
    path.read_ray(w_.ray);
    return prove();
  }

  // Brings the ray to size 1 and looks whether it is a contradiction.
  bool prove() {
    Scalar largest = 0;
    TACTUS_BOUND("n");
    for (int i = 0; i < p_.n; ++i) largest = math::larger(largest, math::magnitude(w_.ray[i]) * w_.d[i]);
    TACTUS_BOUND("n");
    for (int i = 0; i < p_.n; ++i) w_.ray[i] /= largest;
    answer_.end = End::ray;
    return answer_.proved = contradicts(p_, w_.d, size_, w_.ray);
  }

  // The answer at the present segments, from trial_p on. True if it certifies, or nothing more can be done.
  bool conclude() {
    HeldRows<Scalar> held(p_, starts_.d, size_, w_.owner, w_.order, w_.work);
    const bool regular = held.solve(w_.trial_p, w_.trial_s, clock_);
    answer_.end = held.stopped() ? End::out_of_time : End::no_digits;
    if (!regular) return held.stopped();
    if (!clock_.go_on(Piece::correct, p_.n, starts_.d.m)) {
      answer_.end = End::out_of_time;
      return true;
    }
    answer_.certificate = certify(p_, w_.d, w_.F, size_, w_.trial_p, w_.trial_s);
    if (answer_.certificate.accepted() && answer_.certificate.residual <= least_) {
      answer_.end = End::solved;
      publish();
      return true;
    }
    // As right as its digits can tell: another path would find no other.
    if (answer_.cover > 0 && answer_.certificate.residual <= answer_.certificate.rounding) {
      publish();
      return true;
    }
    const int worst = answer_.certificate.row;
    if (worst < 0 || !is_still(p_, w_.d, worst)) return false;
    TACTUS_BOUND("n");
    for (int i = 0; i < p_.n; ++i)
      w_.ray[i] = i != worst ? Scalar(0) : w_.trial_s[i] < 0 ? Scalar(1) : Scalar(-1);
    return prove();
  }

  // What was tried becomes the result.
  void publish() {
    TACTUS_BOUND("n");
    for (int i = 0; i < p_.n; ++i) {
      w_.p[i] = w_.trial_p[i];
      w_.s[i] = w_.trial_s[i];
      w_.state[i] = State::unknown;
    }
    TACTUS_BOUND("part");
    for (int j = 0; j < starts_.d.m; ++j) {
      const Stair<Scalar>& k = starts_.d.stair[j];
      w_.state[k.row] = state_of(k, p_.row[k.row]);
    }
  }

  const Problem<Scalar>& p_;
  Memory<Scalar> w_;
  Time& clock_;
  Scalar size_ = 0;  // of the data, in units of d
  Scalar least_ = 1;
  Starts<Scalar> starts_;
  Answer<Scalar> answer_;
};

}  // namespace detail

// last: n states of an earlier answer, or null; workspace.state will do. clock: clock.hpp; once it has
// said no it must go on to do so.
template <class Scalar, int N, Clock Time = const NoClock>
Answer<Scalar> solve(const Problem<Scalar>& p, Workspace<Scalar, N>& memory, const State* last = nullptr,
                     const Options& options = {}, Time& clock = kNoClock) {
  if (!detail::is_problem(p, N)) return {};
  return detail::Solver<Scalar, Time>(p, Memory<Scalar>(memory), clock).run(options, last);
}

}  // namespace tactus::lcp::rows
