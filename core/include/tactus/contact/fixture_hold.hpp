// Can forces hold a part at rest? Are there c in the friction cones with W c + f = 0, to kRest of the load?
//
// For the pyramid these are linear inequalities. A round cone is met by its tangent planes: the linear
// programme's answer leaves a cone by |c_T| > mu c_n, which a plane at c_T cuts off, until none is left. The
// planes are those of mu (1 - 1e-10), so what ends inside is inside mu; and if not even the planes of mu can
// be met nothing holds the part. Between the two the question is decided by less than that: `doubtful`.
//
// Cost: a linear programme of 2 freedoms + 2 to 20 rows a contact for each plane that is added.
#pragma once

#include "tactus/contact/fixture_motion.hpp"

namespace tactus::contact::acceleration {

enum class Hold : std::uint8_t { yes, no, doubtful, budget };

namespace detail {

template <int Dim, SystemSize S, Clock Time>
class HoldSearch {
 public:
  static constexpr double kCone = 1e-10;

  HoldSearch(const FixtureProblem<Dim, S>& p, FixtureScratch<Dim, S>& ws, int budget, Time& clock)
      : p_(p), ws_(ws), budget_(budget), clock_(clock) {}

  // f: the load; share: of every mu. c, if the part can be held, is in ws.c.
  Hold run(const Exact* f, Exact share) {
    begin(p_.round ? share * (1 - kCone) : share);
    Hold strict = balance(f, 0);
    if (strict == Hold::no) strict = balance(f, kRest);  // what rounding of W has put out of balance
    if (strict != Hold::no || !p_.round) return strict;
    begin(share);
    const Hold outer = balance(f, kRest);
    return outer == Hold::yes ? Hold::doubtful : outer;
  }

  // The same in two halves, so that other loads find the planes that one has made.
  void begin(Exact share) {
    share_ = share;
    auto& programme = ws_.programme;
    programme.rows = 0;
    programme.columns = p_.rows();
    for (int i = 0; i < p_.contacts; ++i)
      for (int k = 1; k < Dim; ++k) {
        Exact* const row = programme.add(0);
        row[i * Dim] = p_.mu[at(i)] * share * 2;
        row[i * Dim + k] = -1;
      }
    for (int r = 0; r < p_.freedoms; ++r)
      for (const int sign : {1, -1}) {
        Exact* const row = programme.add(0);
        for (int i = 0; i < p_.contacts; ++i)
          for (int k = 0; k < Dim; ++k) {
            const Exact w = p_.W[at((i * Dim + k) * p_.freedoms + r)] * sign;
            row[i * Dim] += k == 0 ? w : -(w * p_.mu[at(i)] * share);
            if (k > 0) row[i * Dim + k] = w;
          }
      }
    cuts_ = 0;
    for (int i = 0; i < p_.contacts; ++i)
      limit_[at(i)] = static_cast<double>(p_.mu[at(i)] * share) * (1 + kCone / 2);
  }

  // Each freedom's load may be out of balance by this share of the load.
  Hold balance(const Exact* f, double slack) {
    const double load = slack * p_.size(f);
    if (2 * cuts_ > FixtureScratch<Dim, S>::kCuts) {  // of other loads: room for this one's
      ws_.programme.rows -= cuts_;
      cuts_ = 0;
    }
    const int first = p_.contacts * (Dim - 1);
    for (int r = 0; r < p_.freedoms; ++r) {
      const double off = load * std::sqrt(static_cast<double>(p_.M[at(r * p_.freedoms + r)]));
      ws_.programme.q[at(first + 2 * r)] = f[r] + off;
      ws_.programme.q[at(first + 2 * r + 1)] = Exact(off) - f[r];
    }
    for (;;) {
      lcp::BranchResult result;
      const bool feasible = ws_.programme.solve(budget_ - pivots_, result, clock_);
      pivots_ += result.pivots;
      if (!feasible) return !result.complete ? Hold::budget : result.proved ? Hold::no : Hold::doubtful;
      const auto& z = ws_.programme.branch.z;
      for (int i = 0; i < p_.contacts; ++i) {
        const int n = i * Dim;
        ws_.c[at(n)] = z[at(n)];
        for (int k = 1; k < Dim; ++k) ws_.c[at(n + k)] = z[at(n + k)] - p_.mu[at(i)] * share_ * z[at(n)];
      }
      if (!p_.round) return Hold::yes;
      const int before = ws_.programme.rows;
      for (int i = 0; i < p_.contacts; ++i)
        if (leaves(i) && !cut(i)) return Hold::budget;
      if (ws_.programme.rows == before) return Hold::yes;
    }
  }
  int pivots() const { return pivots_; }

 private:
  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  bool leaves(int i) const {
    const double n = static_cast<double>(ws_.c[at(i * Dim)]), t = static_cast<double>(ws_.c[at(i * Dim + 1)]),
                 o = static_cast<double>(ws_.c[at(i * Dim + Dim - 1)]);
    return std::sqrt(t * t + o * o) > limit_[at(i)] * n;
  }

  // d . c_T <= mu c_n, d along c_T; with s+ = c_T + mu c_n (1, 1).
  bool cut(int i) {
    if (cuts_ == FixtureScratch<Dim, S>::kCuts) return false;
    ++cuts_;
    const double t = static_cast<double>(ws_.c[at(i * Dim + 1)]),
                 o = static_cast<double>(ws_.c[at(i * Dim + Dim - 1)]), size = std::sqrt(t * t + o * o);
    Exact* const row = ws_.programme.add(0);
    row[i * Dim] = p_.mu[at(i)] * share_ * (Exact(1) + t / size + o / size);
    row[i * Dim + 1] = -(t / size);
    row[i * Dim + Dim - 1] = -(o / size);
    return true;
  }

  const FixtureProblem<Dim, S>& p_;
  FixtureScratch<Dim, S>& ws_;
  int budget_;
  Time& clock_;
  Exact share_ = 1;
  int pivots_ = 0, cuts_ = 0;
  std::array<double, static_cast<std::size_t>(S.contacts)> limit_{};
};

}  // namespace detail

}  // namespace tactus::contact::acceleration
