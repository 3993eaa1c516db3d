// A contact law as a fixed point, lambda = P(lambda - rho (A lambda + b)), and Newton's method for it.
//
// Any rho > 0 gives the same fixed points; P, the law, is a projection contact by contact: Coulomb's law and
// the cone of Negrut 2017 (cone.hpp), and that of accelerations with known sliding (acceleration_cone.hpp). P
// is piecewise smooth, so Newton's method with the derivative of the piece at hand converges in a few steps
// near a solution. Redundant contacts make that derivative singular: it is that of A + eps I, eps 1e-10 of
// the diagonal (1e-5 in float), while the residual stays that of A. From far away that may not converge; then
// a path is followed from eps = 1e-2, in the residual, too, down to that, each solution being the start of
// the next. Where a step does not reduce the residual it is halved; where that does not help, projected
// Gauss-Seidel sweeps move on from other starts with another rho.
//
// Law: project(i, x) replaces the Dim components of contact i by their projection; differentiate(i, x, G)
// fills G, its derivative at x; kWhole says that all components of a contact need the same rho, else the
// normal has its own.
//
// Cost: a linear system of Dim unknowns a contact an iteration, N^3 / 3 multiply-adds; 2 to 10 as a rule.
// Sweeps count by their multiply-adds, N / 3 of them as one system, so the budget bounds all the work.
// Memory: N^2 + 5 N scalars and 2 N indices of the caller. Nothing is proved where it fails; the best iterate
// is left.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tactus/contact/problem.hpp"
#include "tactus/lcp/budget.hpp"
#include "tactus/math/arithmetic.hpp"
#include "tactus/math/elimination.hpp"

namespace tactus::contact {

struct FixedPointOptions {
  int iterations = 1000;  // linear systems in all
  int sweeps = 60;        // of projected Gauss-Seidel before each new start
};

// The caller's memory for N unknowns: N * N scalars, and N each.
template <class Scalar>
struct FixedPointScratch {
  Scalar *J, *step, *trial, *residual, *rho, *best;
  std::int16_t *pivot, *column;
};

// That memory as arrays of the most unknowns there can be, beside J.
template <class Scalar, int Most>
struct FixedPointArrays {
  std::array<Scalar, static_cast<std::size_t>(Most)> step, trial, residual, rho, best;
  std::array<std::int16_t, static_cast<std::size_t>(Most)> pivot, column;

  FixedPointScratch<Scalar> with(Scalar* J) {
    return {J,          step.data(), trial.data(), residual.data(),
            rho.data(), best.data(), pivot.data(), column.data()};
  }
};

namespace detail {

template <class Scalar, int Dim, class Law, Clock Time>
class FixedPoint {
 public:
  using Problem = contact::Problem<Scalar, Dim>;

  FixedPoint(const Problem& p, const Law& law, const FixedPointScratch<Scalar>& ws, Scalar* lambda,
             lcp::Budget<Time>& budget)
      : p_(p), law_(law), ws_(ws), x_(lambda), budget_(budget), n_(p.rows()) {
    for (int i = 0; i < n_; ++i) {
      top_ = math::larger(top_, A(i, i));
      b_top_ = math::larger(b_top_, math::magnitude(p.b[i]));
    }
  }

  // Newton's method from lambda as it is; measure() of what it comes to.
  template <class Measure>
  Scalar try_here(const Measure& measure) {
    follow(kLast, Scalar(1), true);
    return measure();
  }

  // From lambda as it is, until measure() of it is no more than `accepted`; else lambda is the best that was
  // found.
  template <class Measure>
  void solve(const FixedPointOptions& options, Scalar accepted, const Measure& measure) {
    Scalar least = measure();
    keep();
    const auto attempt = [&](Scalar first, Scalar rho, bool damped) {
      follow(first, rho, damped);
      const Scalar residual = measure();
      if (residual < least) {
        least = residual;
        keep();
      }
      return residual <= accepted;
    };
    bool found = attempt(kLast, Scalar(1), true) || (!budget_.ended() && attempt(kFirst, Scalar(1), true));
    for (int start = 0; !found && !budget_.ended(); ++start) {
      constexpr Scalar kRho[] = {Scalar(1), Scalar(0.2), Scalar(5), Scalar(0.04)};
      restart(start);
      set_rho(kRho[start / 2 % 4]);
      for (int k = 0;
           k < options.sweeps && (k % (n_ / 3 + 1) != 0 || budget_.begin(Piece::sweep, n_, p_.elements)); ++k)
        sweep();
      found = attempt(kFirst, kRho[start / 2 % 4], start % 2 == 0);
    }
    if (!found)
      for (int i = 0; i < n_; ++i) x_[i] = ws_.best[i];
  }

 private:
  static constexpr Scalar kFirst = Scalar(1e-2), kFactor = Scalar(0.01);  // of eps
  static constexpr Scalar kLast = sizeof(Scalar) == 8 ? Scalar(1e-10) : Scalar(1e-5);

  Scalar A(int i, int j) const { return p_.A[i * p_.stride + j]; }

  void keep() {
    for (int i = 0; i < n_; ++i) ws_.best[i] = x_[i];
  }

  void follow(Scalar first, Scalar rho, bool damped) {
    set_rho(rho);
    for (Scalar eps = first;; eps *= kFactor) {
      const bool last = !(eps > kLast);
      derivative_eps_ = (last ? kLast : eps) * top_;
      eps_ = last ? Scalar(0) : derivative_eps_;
      newton(last, damped);
      if (last || budget_.ended()) return;
    }
  }

  // rho = factor / A_nn and factor / A_tt, one for the tangents; or one for all by the largest of them.
  void set_rho(Scalar factor) {
    for (int i = 0; i < n_; i += Dim) {
      Scalar tangent = 0;
      for (int k = 1; k < Dim; ++k) tangent = math::larger(tangent, A(i + k, i + k));
      const Scalar normal = A(i, i), whole = math::larger(normal, tangent);
      for (int k = 0; k < Dim; ++k) {
        const Scalar d = Law::kWhole ? whole : k == 0 ? normal : tangent;
        const bool moves = d > top_ * std::numeric_limits<Scalar>::epsilon();
        ws_.rho[i + k] = moves ? factor / d : top_ > 0 ? factor / top_ : Scalar(1);
      }
    }
  }

  // From zero first, then from normal forces of the typical size in other proportions each time.
  void restart(int start) {
    for (int i = 0; i < n_; ++i) x_[i] = 0;
    if (start < 2 || !(top_ > 0)) return;
    auto bits = static_cast<std::uint32_t>(start);
    for (int i = 0; i < n_; i += Dim) {
      bits = bits * 1664525U + 1013904223U;
      x_[i] = 2 * b_top_ / top_ * static_cast<Scalar>(bits >> 16) / Scalar(65536);
    }
  }

  // Each contact by itself, the others as they are.
  void sweep() {
    for (int i = 0; i < p_.elements; ++i) {
      Scalar x[Dim];
      for (int k = 0; k < Dim; ++k) {
        const int r = i * Dim + k;
        Scalar s = p_.b[r];
        for (int j = 0; j < n_; ++j) s += A(r, j) * x_[j];
        x[k] = x_[r] - ws_.rho[r] * s;
      }
      law_.project(i, x);
      for (int k = 0; k < Dim; ++k) x_[i * Dim + k] = x[k];
    }
  }

  // F = x - P(x - rho (A + eps) x - rho b) in ws_.residual; its square sum is returned, and with `derive` the
  // derivative is left in ws_.J.
  Scalar evaluate(const Scalar* x, bool derive) {
    Scalar sum = 0;
    for (int i = 0; i < p_.elements; ++i) {
      Scalar y[Dim], raw[Dim];
      for (int k = 0; k < Dim; ++k) {
        const int r = i * Dim + k;
        Scalar s = p_.b[r] + eps_ * x[r];
        for (int j = 0; j < n_; ++j) s += A(r, j) * x[j];
        raw[k] = y[k] = x[r] - ws_.rho[r] * s;
      }
      law_.project(i, y);
      for (int k = 0; k < Dim; ++k) {
        const int r = i * Dim + k;
        ws_.residual[r] = x[r] - y[k];
        sum += ws_.residual[r] * ws_.residual[r];
      }
      if (derive) differentiate(i, raw);
    }
    return sum;
  }

  // Rows of contact i: e_k - sum_l G_kl (e_l - rho_l row l of A + eps).
  void differentiate(int i, const Scalar (&raw)[Dim]) {
    Scalar G[Dim][Dim] = {};
    law_.differentiate(i, raw, G);
    for (int k = 0; k < Dim; ++k) {
      Scalar* const row = ws_.J + (i * Dim + k) * n_;
      for (int j = 0; j < n_; ++j) {
        Scalar sum = 0;
        for (int l = 0; l < Dim; ++l) sum += G[k][l] * ws_.rho[i * Dim + l] * A(i * Dim + l, j);
        row[j] = sum;
      }
      for (int l = 0; l < Dim; ++l)
        row[i * Dim + l] +=
            (k == l ? Scalar(1) : Scalar(0)) - G[k][l] * (1 - ws_.rho[i * Dim + l] * derivative_eps_);
    }
  }

  void newton(bool last, bool damped) {
    const int most = last ? 30 : 12;
    Scalar merit = evaluate(x_, true);
    for (int it = 0; it < most; ++it) {
      Scalar size = 0;
      for (int i = 0; i < n_; ++i) size += x_[i] * x_[i];
      constexpr Scalar kSmall = 16 * std::numeric_limits<Scalar>::epsilon();
      if (merit <= kSmall * kSmall * size) return;
      if (!budget_.begin(Piece::newton, n_, p_.elements)) return;
      for (int i = 0; i < n_; ++i) ws_.residual[i] = -ws_.residual[i];
      if (math::eliminate(ws_.J, n_, n_, ws_.residual, ws_.step, ws_.pivot, ws_.column, Scalar(0)) < n_)
        return;
      Scalar t = 1, next = 0;
      for (int halving = 0; halving < 10; ++halving, t /= 2) {
        if (halving > 0 && !budget_.has_time(Piece::trial, n_, p_.elements)) return;
        for (int i = 0; i < n_; ++i) ws_.trial[i] = x_[i] + t * ws_.step[i];
        next = evaluate(ws_.trial, false);
        if (next < merit || !damped) break;
      }
      if (!(next < merit) && damped) return;
      for (int i = 0; i < n_; ++i) x_[i] = ws_.trial[i];
      if (!budget_.has_time(Piece::trial, n_, p_.elements)) return;
      merit = evaluate(x_, true);
    }
  }

  const Problem& p_;
  const Law& law_;
  const FixedPointScratch<Scalar>& ws_;
  Scalar* x_;
  lcp::Budget<Time>& budget_;
  int n_;
  Scalar top_ = 0, b_top_ = 0, eps_ = 0, derivative_eps_ = 0;
};

}  // namespace detail

}  // namespace tactus::contact
