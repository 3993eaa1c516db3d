// Coulomb's cone at the level of accelerations, Pang-Trinkle 1996 (7), (10) and (33), by Newton's method.
//
// The four lines of (33) and the complementarity of the normals are, contact by contact, one fixed point:
// with any rho > 0 and P_r the projection on the disc of radius r,
//
//     c_n = max(0, c_n - rho a_n),     c_T = P_{mu c_n}(c_T - rho a_T)  where it rolls,  (11) where it slides
//
// Both are piecewise smooth, so Newton's method with the derivative of the piece at hand converges in a few
// steps near a solution (Alart and Curnier's functions, rho = 1 / A_nn and 1 / A_tt). Redundant contacts make
// that derivative singular. The paper proves existence (Theorem 5) by A + eps I with eps -> 0, whose
// solutions exist and whose limit solves the problem; the same path is followed here, eps from 1e-2 of the
// diagonal down to rounding, each solution being the start of the next. Where a step does not reduce the
// residual it is halved, and where that does not help either, projected Gauss-Seidel sweeps move on, which
// need no derivative.
//
// Newton's method proves nothing where it fails. What is proved then is what the pyramid proves: in the plane
// the two laws are one, and where every contact slides the cone is not met at all. Else: undecided.
//
// Cost: at most Options::iterations linear systems of Dim unknowns a contact, N^3 / 3 multiply-adds each; 10
// to 40 as a rule. Memory: sizeof(ConeWorkspace), N^2 scalars and a few.
#pragma once

#include <array>

#include "tactus/contact/acceleration.hpp"

namespace tactus::contact::acceleration {

template <class Scalar, int Dim, int Contacts>
struct ConeWorkspace {
  static constexpr int kRows = Contacts * Dim;
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;

  Array<Scalar, kRows> c{};  // N: n, t (, o) of each contact; read as the start of the iteration
  Array<Scalar, kRows> a{};  // m/s^2

  // Scratch.
  Array<Scalar, kRows * kRows> J;
  Array<Scalar, kRows> step, trial, residual, rho;
};

struct ConeOptions {
  int iterations = 1000;  // linear systems in all
  int sweeps = 60;        // of projected Gauss-Seidel before each start
};

namespace detail {

// x := J^-1 x by elimination with the largest pivot of each column; false where there is none.
template <class Scalar>
inline bool solve_dense(Scalar* J, Scalar* x, int n) {
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (lcp::magnitude(J[i * n + k]) > lcp::magnitude(J[best * n + k])) best = i;
    if (!(lcp::magnitude(J[best * n + k]) > 0)) return false;
    if (best != k) {
      for (int j = k; j < n; ++j) {
        const Scalar t = J[k * n + j];
        J[k * n + j] = J[best * n + j];
        J[best * n + j] = t;
      }
      const Scalar t = x[k];
      x[k] = x[best];
      x[best] = t;
    }
    for (int i = k + 1; i < n; ++i) {
      const Scalar factor = J[i * n + k] / J[k * n + k];
      if (factor == 0) continue;
      for (int j = k + 1; j < n; ++j) J[i * n + j] -= factor * J[k * n + j];
      x[i] -= factor * x[k];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) x[i] -= J[i * n + j] * x[j];
    x[i] /= J[i * n + i];
  }
  return true;
}

template <class Scalar, int Dim, int Contacts>
class ConeNewton {
 public:
  using Workspace = ConeWorkspace<Scalar, Dim, Contacts>;

  ConeNewton(const Problem<Scalar, Dim>& p, Workspace& ws) : p_(p), ws_(ws), n_(p.contact.rows()) {
    for (int i = 0; i < n_; ++i) top_ = lcp::larger(top_, p.A(i, i));
  }

  // From ws.c as it is; `budget` is what is left of the iterations.
  bool run(int& budget, Scalar rho_factor, bool damped) {
    set_rho(rho_factor);
    for (Scalar eps = Scalar(1e-2);; eps *= Scalar(kFactor)) {
      const bool last = !(eps > kLast);
      // At last the residual is that of A itself; only the derivative keeps what makes it regular.
      derivative_eps_ = (last ? kLast : eps) * top_;
      eps_ = last ? Scalar(0) : derivative_eps_;
      newton(budget, last, damped);
      if (last || budget <= 0) return measure(p_, Law::cone, ws_.c.data(), ws_.a.data()) <= kSolved<Scalar>;
    }
  }

  // From zero first, then from normal forces of the typical size in other proportions each time.
  void restart(int start) {
    for (int i = 0; i < n_; ++i) ws_.c[at(i)] = 0;
    if (start < 2) return;
    const Scalar force = 2 * typical_force(p_, ws_.c.data());
    auto bits = static_cast<std::uint32_t>(start);
    for (int i = 0; i < n_; i += Dim) {
      bits = bits * 1664525U + 1013904223U;
      ws_.c[at(i)] = force * static_cast<Scalar>(bits >> 16) / Scalar(65536);
    }
  }

  // Each contact by itself, the others as they are.
  void sweep() {
    for (int i = 0; i < p_.count(); ++i) {
      Scalar x[Dim];
      for (int k = 0; k < Dim; ++k)
        x[k] = ws_.c[at(i * Dim + k)] - ws_.rho[at(i * Dim + k)] * acceleration(i * Dim + k);
      project(i, x);
      for (int k = 0; k < Dim; ++k) ws_.c[at(i * Dim + k)] = x[k];
    }
  }

 private:
  static constexpr double kFactor = 0.01;
  static constexpr Scalar kLast = sizeof(Scalar) == 8 ? Scalar(1e-10) : Scalar(1e-5);

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  // rho = factor / A_nn and factor / A_tt; one for the disc of a contact, or the projection would not be
  // (10).
  void set_rho(Scalar factor) {
    for (int i = 0; i < n_; ++i) {
      const int t = i % Dim == 0 ? i : i - i % Dim + 1;
      Scalar d = p_.A(t, t);
      if (Dim == 3 && t != i - i % Dim) d = lcp::larger(d, p_.A(t + 1, t + 1));
      const bool moves = d > top_ * std::numeric_limits<Scalar>::epsilon();
      ws_.rho[at(i)] = moves ? factor / d : top_ > 0 ? factor / top_ : Scalar(1);
    }
  }

  Scalar acceleration(int r) const {
    Scalar sum = p_.contact.b[r];
    for (int j = 0; j < n_; ++j) sum += p_.A(r, j) * ws_.c[at(j)];
    return sum;
  }

  void project(int i, Scalar (&x)[Dim]) const {
    x[0] = x[0] > 0 ? x[0] : Scalar(0);
    const Scalar limit = p_.contact.mu[i] * x[0];
    if (p_.slides(i)) {
      for (int k = 1; k < Dim; ++k) x[k] = -limit * p_.direction(i, k - 1);
      return;
    }
    Scalar size = 0;
    for (int k = 1; k < Dim; ++k) size += x[k] * x[k];
    size = std::sqrt(size);
    if (size > limit)
      for (int k = 1; k < Dim; ++k) x[k] *= limit / size;
  }

  // F(c) = c - P(c - rho (A + eps) c - rho b) in ws.residual; its square sum is returned, and with `derive`
  // the derivative is left in ws.J.
  Scalar evaluate(const Scalar* c, bool derive) {
    Scalar sum = 0;
    for (int i = 0; i < p_.count(); ++i) {
      Scalar x[Dim], raw[Dim];
      for (int k = 0; k < Dim; ++k) {
        const int r = i * Dim + k;
        Scalar a = p_.contact.b[r] + eps_ * c[r];
        for (int j = 0; j < n_; ++j) a += p_.A(r, j) * c[j];
        raw[k] = x[k] = c[r] - ws_.rho[at(r)] * a;
      }
      project(i, x);
      for (int k = 0; k < Dim; ++k) {
        const int r = i * Dim + k;
        ws_.residual[at(r)] = c[r] - x[k];
        sum += ws_.residual[at(r)] * ws_.residual[at(r)];
      }
      if (derive) differentiate(i, raw);
    }
    return sum;
  }

  // Rows of contact i: e_r - sum_k G_rk d(raw_k), with G the derivative of the projection and d(raw_k) = e_k
  // - rho_k (row k of A + eps).
  void differentiate(int i, const Scalar (&raw)[Dim]) {
    Scalar G[Dim][Dim] = {};
    const Scalar mu = p_.contact.mu[i];
    if (raw[0] > 0) {
      G[0][0] = 1;
      Scalar size = 0;
      for (int k = 1; k < Dim; ++k) size += raw[k] * raw[k];
      size = std::sqrt(size);
      const Scalar limit = mu * raw[0];
      for (int k = 1; k < Dim; ++k) {
        if (p_.slides(i)) {
          G[k][0] = -mu * p_.direction(i, k - 1);
        } else if (!(size > limit)) {
          G[k][k] = 1;
        } else {
          G[k][0] = mu * raw[k] / size;
          for (int l = 1; l < Dim; ++l)
            G[k][l] = limit / size * ((k == l ? Scalar(1) : Scalar(0)) - raw[k] / size * (raw[l] / size));
        }
      }
    }
    for (int k = 0; k < Dim; ++k) {
      Scalar* const row = ws_.J.data() + (i * Dim + k) * n_;
      for (int j = 0; j < n_; ++j) {
        Scalar sum = 0;
        for (int l = 0; l < Dim; ++l) sum += G[k][l] * ws_.rho[at(i * Dim + l)] * p_.A(i * Dim + l, j);
        row[j] = sum;
      }
      for (int l = 0; l < Dim; ++l)
        row[i * Dim + l] +=
            (k == l ? Scalar(1) : Scalar(0)) - G[k][l] * (1 - ws_.rho[at(i * Dim + l)] * derivative_eps_);
    }
  }

  void newton(int& budget, bool last, bool damped) {
    const int most = last ? 30 : 12;
    Scalar merit = evaluate(ws_.c.data(), true);
    for (int it = 0; it < most && budget > 0; ++it) {
      Scalar size = 0;
      for (int i = 0; i < n_; ++i) size += ws_.c[at(i)] * ws_.c[at(i)];
      constexpr Scalar kSmall = 16 * std::numeric_limits<Scalar>::epsilon();
      if (merit <= kSmall * kSmall * size) return;
      --budget;
      for (int i = 0; i < n_; ++i) ws_.step[at(i)] = -ws_.residual[at(i)];
      if (!solve_dense(ws_.J.data(), ws_.step.data(), n_)) return;
      Scalar t = 1, next = 0;
      for (int halving = 0; halving < 10; ++halving, t /= 2) {
        for (int i = 0; i < n_; ++i) ws_.trial[at(i)] = ws_.c[at(i)] + t * ws_.step[at(i)];
        next = evaluate(ws_.trial.data(), false);
        if (next < merit || !damped) break;
      }
      if (!(next < merit) && damped) return;
      for (int i = 0; i < n_; ++i) ws_.c[at(i)] = ws_.trial[at(i)];
      merit = evaluate(ws_.c.data(), true);
    }
  }

  const Problem<Scalar, Dim>& p_;
  Workspace& ws_;
  int n_;
  Scalar top_ = 0, eps_ = 0, derivative_eps_ = 0;
};

}  // namespace detail

// Finds c and a (ws.c, ws.a) that obey the cone. ws.c is where it starts: the pyramid's answer is a good
// place, zero will do.
template <class Scalar, int Dim, int Contacts>
Answer<Scalar> solve_cone(const Problem<Scalar, Dim>& p, ConeWorkspace<Scalar, Dim, Contacts>& ws,
                          const ConeOptions& options = {}) {
  Answer<Scalar> answer;
  if (!is_valid(p, Contacts)) return answer;
  detail::ConeNewton<Scalar, Dim, Contacts> newton(p, ws);
  int budget = options.iterations;
  bool found = newton.run(budget, Scalar(1), true);
  for (int start = 0; !found && budget > 0; ++start) {
    constexpr Scalar kRho[] = {Scalar(1), Scalar(0.2), Scalar(5), Scalar(0.04)};
    const Scalar rho = kRho[start / 2 % 4];
    newton.restart(start);
    for (int k = 0; k < options.sweeps; ++k) newton.sweep();
    found = newton.run(budget, rho, start % 2 == 0);
  }
  answer.pivots = options.iterations - budget;
  answer.residual = measure(p, Law::cone, ws.c.data(), ws.a.data());
  answer.status = answer.residual <= kSolved<Scalar> ? Status::solved : Status::undecided;
  return answer;
}

}  // namespace tactus::contact::acceleration
