// The cascade: rule after rule until a basis is certified. See solver.hpp for how to use it and what it
// costs.
#pragma once

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
        c_(memory.column_scale.data()),
        r_(memory.row_scale.data()),
        trial_(memory.trial.data()),
        trial_w_(memory.trial_w.data()),
        start_(memory.start.data()),
        active_(memory.active.data()) {
    t_.n = problem.n;
    t_.T = memory.T.data();
    t_.rhs = memory.rhs.data();
    t_.column = memory.column.data();
    t_.basic = memory.basic.data();
    t_.nonbasic = memory.nonbasic.data();
    t_.place = memory.place.data();
    t_.rows = memory.rows.data();
  }

  // guess: n flags, or null.
  Answer<Scalar> run(int budget, const bool* guess) {
    sigma_ = find_scaling(p_, c_, r_);
    if (guess != nullptr) {
      select([&](int i) { return guess[i]; });
      if (try_basis()) return conclude(Status::solved, true);
    }
    if (!is_finite()) return {};
    select([](int) { return false; });
    if (try_basis()) return conclude(Status::solved, false);  // q >= 0
    bool has_ray = false;
    for (const Rule<Scalar>& rule : kRules<Scalar>) {
      if (rule.start == Start::negative_q) select([&](int i) { return p_.q[i] < 0; });
      for (int repair = 0; repair <= kRepairs; ++repair) {
        const bool cold = repair == 0 && rule.start == Start::all_w;
        load(t_, p_, c_, r_, sigma_, repair == 0 ? rule.perturbation : Scalar(0));
        if (!cold && !enter_basis(t_, active_, count_, Scalar(16) * kEpsilon<Scalar>)) break;
        int column = introduce_artificial(t_, start_);
        if (column >= 0) {
          // No rule may spend more than half of what is left, or a path that never ends would starve the
          // next.
          int limit = pivots_ + (budget - pivots_ + 1) / 2;
          const int repair_limit = pivots_ + kRepairPivotsPerUnknown * p_.n;
          if (repair > 0 && repair_limit < limit) limit = repair_limit;
          const PassEnd end = follow_path(t_, start_, rule.tolerances, column, pivots_, limit);
          if (end == PassEnd::ray && !has_ray) has_ray = keep_ray(column);
        }
        select([&](int i) { return t_.is_basic(p_.n + i); });
        if (try_basis()) return conclude(Status::solved, false);
        if (pivots_ >= budget) return conclude(Status::pivot_limit, false);
      }
    }
    return conclude(has_ray ? Status::ray : Status::pivot_limit, false);
  }

  // After a solve: the indices of the basis that was accepted.
  int active_count() const { return count_; }
  const Index* active() const { return active_; }

 private:
  template <class Predicate>
  void select(Predicate&& is_active) {
    count_ = 0;
    for (int i = 0; i < p_.n; ++i)
      if (is_active(i)) active_[count_++] = static_cast<Index>(i);
  }

  bool is_finite() const {
    Scalar poison = 0;
    for (int i = 0; i < p_.n; ++i) {
      const Scalar* row = p_.M + static_cast<std::ptrdiff_t>(i) * p_.stride;
      for (int j = 0; j < p_.n; ++j) poison += row[j] * Scalar(0);
      poison += p_.q[i] * Scalar(0);
    }
    return poison == 0;
  }

  // Solves the basis active_ from the caller's numbers and keeps it if it is the best so far. True: the
  // search may end.
  bool try_basis() {
    for (int i = 0; i < p_.n; ++i) {
      trial_[i] = 0;
      trial_w_[i] = p_.q[i];
    }
    BasisFactor<Scalar> factor{count_, 0, t_.T, active_, t_.rows};
    if (!factor_basis(p_, c_, r_, factor)) return false;
    for (int k = 0; k < kCorrections; ++k) {
      correct(factor, c_, r_, trial_w_, t_.column, trial_);
      const Scalar residual = unit_free_residual(p_, c_, sigma_, trial_, trial_w_, t_.rhs);
      if (residual < best_) {
        best_ = residual;
        for (int i = 0; i < p_.n; ++i) {
          z_[i] = trial_[i];
          w_[i] = trial_w_[i];
        }
      }
      constexpr Scalar kHopeless = Scalar(0.1);  // a wrong basis, not a rounding error
      if (residual <= kAcceptance<Scalar>.converged || !(residual < kHopeless)) break;
    }
    return best_ <= kAcceptance<Scalar>.certain;
  }

  // The direction of a ray in the caller's units: what enters grows, what is basic follows.
  bool keep_ray(int entering_column) {
    Scalar top = 0;
    for (int i = 0; i < p_.n; ++i) ray_[i] = 0;
    const auto put = [&](int variable, Scalar rate) {
      if (variable < p_.n || variable == 2 * p_.n || !(rate > 0)) return;
      const int i = variable - p_.n;
      ray_[i] = rate * c_[i];
      top = larger(top, ray_[i]);
    };
    put(t_.nonbasic[entering_column], Scalar(1));
    for (int i = 0; i < p_.n; ++i) put(t_.basic[i], -t_.column[i]);
    if (!(top > 0)) return false;
    for (int i = 0; i < p_.n; ++i) ray_[i] /= top;
    return true;
  }

  Answer<Scalar> conclude(Status status, bool warm) {
    Answer<Scalar> a;
    a.pivots = pivots_;
    a.warm = warm;
    a.certificate = certify(p_, z_, w_, best_, t_.T);
    const bool holds =
        best_ <= kAcceptance<Scalar>.solved && a.certificate.residual <= kAcceptance<Scalar>.residual;
    a.status = holds ? Status::solved : status == Status::solved ? Status::pivot_limit : status;
    return a;
  }

  const Problem<Scalar>& p_;
  Tableau<Scalar> t_;
  Scalar* z_;
  Scalar* w_;
  Scalar* ray_;
  Scalar* c_;  // column scale
  Scalar* r_;  // row scale
  Scalar* trial_;
  Scalar* trial_w_;
  Index* start_;
  Index* active_;
  int count_ = 0;
  int pivots_ = 0;
  Scalar sigma_ = 1;
  Scalar best_ = std::numeric_limits<Scalar>::infinity();
};

}  // namespace tactus::lcp
