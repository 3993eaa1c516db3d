// The cascade: rule after rule until a basis is certified. See solver.hpp for how to use it and what it
// costs.
#pragma once

#include <algorithm>
#include <cstddef>

#include "tactus/lcp/basis_solve.hpp"
#include "tactus/lcp/certificate.hpp"
#include "tactus/lcp/lemke.hpp"
#include "tactus/lcp/problem.hpp"
#include "tactus/lcp/rules.hpp"
#include "tactus/lcp/scaling.hpp"
#include "tactus/lcp/workspace.hpp"

namespace tactus::lcp {

// One solve of one problem, independent of the capacity, so that all capacities share its code.
template <class Scalar>
class Cascade {
 public:
  template <int Capacity>
  Cascade(const Problem<Scalar>& problem, Workspace<Scalar, Capacity>& memory)
      : p_(problem),
        z_(memory.z.data()),
        w_(memory.w.data()),
        ray_(memory.ray.data()),
        trial_(memory.trial.data()),
        trial_w_(memory.trial_w.data()),
        active_(memory.active.data()) {
    path_.problem = &p_;
    path_.n = p_.n;
    path_.c = memory.column_scale.data();
    path_.r = memory.row_scale.data();
    path_.rhs = memory.rhs.data();
    path_.other = memory.other.data();
    path_.covering = memory.covering.data();
    path_.inverse = {p_.n, padded(p_.n), 0, memory.block.data(), memory.exchanged.data()};
    path_.basic = memory.basic.data();
    path_.row = memory.row.data();
    path_.start = memory.start.data();
    path_.tied = memory.tied.data();
  }

  // guess: n flags, or null.
  template <Clock Time>
  Answer<Scalar> run(int budget, const bool* guess, Time& clock) {
    scaling_ = find_scaling(p_, path_.c, path_.r, path_.other, clock);
    path_.sigma = scaling_.sigma;
    if (!clock.go_on(Piece::pivot, p_.n, 0)) return give_up();
    if (guess != nullptr) {
      TACTUS_REACHED("guessed");
      select([&](int i) { return guess[i]; });
      if (try_basis(clock)) return conclude(Status::solved, true, clock);
      if (!clock.go_on(Piece::pivot, p_.n, 0)) return give_up();
    }
    if (is_zero_a_solution()) {
      count_ = 0;
      try_basis(clock);
      return conclude(Status::solved, false, clock);
    }
    bool has_ray = false;
    TACTUS_BOUND("rules");
    for (const Rule<Scalar>& rule : kRules<Scalar>) {
      if (rule.start == Start::negative_q) select([&](int i) { return p_.q[i] < 0; });
      path_.perturbation = rule.perturbation;
      TACTUS_BOUND("passes");
      for (int repair = 0; repair <= kRepairs; ++repair, path_.perturbation = 0) {
        if (!clock.go_on(Piece::pivot, p_.n, 0)) return give_up();
        path_.start_from_w();
        if (repair > 0 || rule.start != Start::all_w) {
          TACTUS_REACHED("restarts");
          if (!enter_active(clock)) break;
        }
        int entering = introduce_artificial(path_, clock);
        PassEnd end = PassEnd::complementary;
        if (entering >= 0) {
          // No rule may spend more than half of what is left, or a path that never ends would starve the
          // next.
          int limit = pivots_ + (budget - pivots_ + 1) / 2;
          const int repair_limit = pivots_ + kRepairPivotsPerUnknown * p_.n;
          if (repair > 0 && repair_limit < limit) limit = repair_limit;
          end = follow_path(path_, rule.tolerances, entering, pivots_, limit, active_, clock);
          if (end == PassEnd::ray && !has_ray) has_ray = keep_ray(entering);
        }
        if (!clock.go_on(Piece::pivot, p_.n, 0)) return give_up();
        select([&](int i) { return path_.is_basic(p_.n + i); });
        if (end == PassEnd::complementary && rule.perturbation == 0 && try_path(clock))
          return conclude(Status::solved, false, clock);
        TACTUS_REACHED("failures");
        if (try_basis(clock)) return conclude(Status::solved, false, clock);
        if (pivots_ >= budget) return conclude(Status::pivot_limit, false, clock);
      }
    }
    return conclude(has_ray ? Status::ray : Status::pivot_limit, false, clock);
  }

  // After a solve: the indices of the basis that was accepted.
  int active_count() const { return count_; }
  const Index* active() const { return active_; }

 private:
  // Last first: the bounds, which stand behind the forces, have short columns and rows, and eliminating them
  // first costs next to nothing.
  template <class Predicate>
  void select(Predicate&& is_active) {
    count_ = 0;
    TACTUS_BOUND("n");
    for (int i = p_.n - 1; i >= 0; --i)
      if (is_active(i)) active_[count_++] = static_cast<Index>(i);
  }

  // Brings the z of active_ into the basis of all w.
  template <Clock Time>
  bool enter_active(Time& clock) {
    TACTUS_BOUND("n");
    for (int i = 0; i < p_.n; ++i) path_.other[i] = 1;
    TACTUS_BOUND("k");
    for (int a = 0; a < count_; ++a) {
      path_.other[active_[a]] = 0;
      path_.tied[a] = static_cast<Index>(p_.n + active_[a]);
    }
    TACTUS_LET("entered = k");
    return path_.enter_all(path_.tied, count_, path_.other, clock);
  }

  bool is_zero_a_solution() const {
    TACTUS_BOUND("n");
    for (int i = 0; i < p_.n; ++i)
      if (!(p_.q[i] >= 0)) return false;
    return true;
  }

  // Zero times a number is zero unless it is infinite or not a number.
  template <Clock Time>
  bool is_finite(Time& clock) const {
    Scalar poison = 0;
    TACTUS_LET("rows = n");
    const bool done = for_rows(
        p_.n, clock, [&](int i) __attribute__((always_inline)) {
          const Scalar* row = p_.M + static_cast<std::ptrdiff_t>(i) * p_.stride;
          TACTUS_BOUND("n");
          for (int j = 0; j < p_.n; ++j) poison += row[j] * Scalar(0);
          poison += p_.q[i] * Scalar(0);
          return true;
        });
    return done && poison == 0;
  }

  // The path's own end: its values are corrected by their residual in the caller's numbers, through the
  // inverse that the path has left behind, until that residual is rounding. This is the final solve of the
  // basis, at the price of a column and a certificate a round.
  template <Clock Time>
  bool try_path(Time& clock) {
    TACTUS_LET("bytes = scalar * n");
    std::fill_n(trial_, p_.n, Scalar(0));
    std::fill_n(trial_w_, p_.n, Scalar(0));
    TACTUS_BOUND("k");
    for (int a = 0; a < count_; ++a) {
      const int i = active_[a];
      trial_[i] = not_negative(path_.rhs[path_.row[p_.n + i]] * path_.sigma * path_.c[i]);
    }
    if constexpr (sizeof(Scalar) == 8) {  // where the path as a rule ends right to rounding
      judge_trial(clock);
      if (!is_worth_correcting()) return is_certain();
    } else {
      TACTUS_LET("rows = k");
      const bool done = for_rows(
          count_, clock, [&](int a) __attribute__((always_inline)) {
            TACTUS_LET("m = n");
            const int i = active_[a];
            trial_w_[i] =
                math::dot(p_.M + static_cast<std::ptrdiff_t>(i) * p_.stride, trial_, p_.n) + p_.q[i];
            return true;
          });
      if (!done) return false;
    }
    TACTUS_BOUND("corrections");
    for (int k = 0; k < kCorrections; ++k) {
      TACTUS_LET("bytes = scalar * padded(n)");
      if (!clock.go_on(Piece::pivot, p_.n, 0)) return false;
      for (int i = 0; i < path_.inverse.size; ++i) path_.other[i] = 0;
      TACTUS_BOUND("k");
      for (int a = 0; a < count_; ++a) path_.other[active_[a]] = trial_w_[active_[a]] * path_.r[active_[a]];
      if (!path_.inverse.apply(path_.other, clock)) return false;
      TACTUS_BOUND("k");
      for (int a = 0; a < count_; ++a) {
        const int i = active_[a];
        trial_[i] = not_negative(math::multiply_add(path_.other[path_.row[p_.n + i]], path_.c[i], trial_[i]));
      }
      if (!clock.go_on(Piece::pivot, p_.n, 0)) return false;
      judge_trial(clock);
      if (!is_worth_correcting()) break;
    }
    return is_certain();
  }

  static Scalar not_negative(Scalar x) { return x < 0 ? Scalar(0) : x; }

  // Neither right to rounding already nor the wrong basis altogether.
  bool is_worth_correcting() const { return last_ > kAcceptance<Scalar>.converged && last_ < Scalar(0.1); }

  // The basis active_ factored and solved from the caller's numbers, with corrections as long as they help.
  template <Clock Time>
  bool try_basis(Time& clock) {
    TACTUS_BOUND("n");
    for (int i = 0; i < p_.n; ++i) {
      trial_[i] = 0;
      trial_w_[i] = p_.q[i];
    }
    BasisFactor<Scalar> factor{count_, 0, path_.inverse.columns, active_, path_.tied};
    if (!factor_basis(p_, path_.c, path_.r, factor, clock)) return false;
    TACTUS_BOUND("corrections");
    for (int k = 0; k < kCorrections; ++k) {
      if (!clock.go_on(Piece::pivot, p_.n, 0)) return false;
      if (!correct(factor, path_.r, trial_w_, path_.rhs, trial_, clock)) return false;
      if (!clock.go_on(Piece::pivot, p_.n, 0)) return false;
      judge_trial(clock);
      if (!is_worth_correcting()) break;
    }
    return is_certain();
  }

  // Certifies trial_ and keeps it if it is the best so far. What is not a number is never the best.
  template <Clock Time>
  TACTUS_ONE_COPY void judge_trial(Time& clock) {
    const Certificate<Scalar> c = certify(p_, path_.c, scaling_, trial_, trial_w_, path_.other, clock);
    last_ = c.unit_free;
    constexpr Scalar kWeight = kAcceptance<Scalar>.certain / kAcceptance<Scalar>.residual;
    const Scalar weighed = c.residual * kWeight, distance = weighed <= last_ ? last_ : weighed;
    if (!(distance < distance_)) return;
    distance_ = distance;
    best_ = c;
    TACTUS_BOUND("n");
    for (int i = 0; i < p_.n; ++i) {
      z_[i] = trial_[i];
      w_[i] = trial_w_[i];
    }
  }

  bool is_certain() const { return distance_ <= kAcceptance<Scalar>.certain; }

  // The direction of a ray in the caller's units: what enters grows, what is basic follows.
  bool keep_ray(int entering) {
    Scalar top = 0;
    TACTUS_LET("bytes = scalar * n");
    for (int i = 0; i < p_.n; ++i) ray_[i] = 0;
    TACTUS_BOUND("n + 1");
    for (int k = 0; k <= p_.n; ++k) {
      const int variable = k < p_.n ? path_.basic[k] : entering;
      const Scalar rate = k < p_.n ? -path_.entering()[k] : Scalar(1);
      if (variable < p_.n || variable == 2 * p_.n || !(rate > 0)) continue;
      const int i = variable - p_.n;
      ray_[i] = rate * path_.c[i];
      top = math::larger(top, ray_[i]);
    }
    if (!(top > 0)) return false;
    TACTUS_BOUND("n");
    for (int i = 0; i < p_.n; ++i) ray_[i] /= top;
    return true;
  }

  // No time is left, not even for a certificate: the best that has been judged, or zero.
  Answer<Scalar> give_up() {
    if (distance_ == kUnjudged) {
      TACTUS_LET("bytes = scalar * n");
      std::fill_n(z_, p_.n, Scalar(0));
      std::copy_n(p_.q, p_.n, w_);
    }
    return {Status::pivot_limit, pivots_, false, best_};
  }

  template <Clock Time>
  Answer<Scalar> conclude(Status status, bool warm, Time& clock) {
    if (!is_certain()) {
      TACTUS_REACHED("failures");
      const bool finite = is_finite(clock);
      if (!clock.go_on(Piece::pivot, p_.n, 0)) return give_up();
      if (!finite) return {};
      TACTUS_LET("bytes = scalar * n");
      std::fill_n(trial_, p_.n, Scalar(0));
      judge_trial(clock);            // no worse than zero
      if (distance_ == kUnjudged) {  // not even zero can be measured: the numbers overflow
        std::fill_n(z_, p_.n, Scalar(0));
        std::copy_n(p_.q, p_.n, w_);
      }
      const Acceptance<Scalar>& limit = kAcceptance<Scalar>;
      if (best_.unit_free <= limit.unit_free && best_.residual <= limit.doubtful_residual)
        status = Status::solved;
      else if (status == Status::solved)
        status = Status::pivot_limit;
    }
    return {status, pivots_, warm, best_};
  }

  const Problem<Scalar>& p_;
  Path<Scalar> path_;
  Scaling<Scalar> scaling_;
  Scalar* z_;
  Scalar* w_;
  Scalar* ray_;
  Scalar* trial_;
  Scalar* trial_w_;
  Index* active_;  // n + 1: the basis that is tried; scratch of a pass
  int count_ = 0;
  int pivots_ = 0;
  static constexpr Scalar kUnjudged = std::numeric_limits<Scalar>::infinity();
  Scalar distance_ = kUnjudged;  // of the best z so far, in multiples of what is allowed
  Scalar last_ = kUnjudged;      // unit-free residual of the last trial
  Certificate<Scalar> best_{.residual = kUnjudged, .unit_free = kUnjudged};
};

}  // namespace tactus::lcp
