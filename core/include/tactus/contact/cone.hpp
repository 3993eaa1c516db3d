// The contact problem of a step with the round friction cone: Negrut 2017 (7)-(12), and Coulomb's law itself.
//
//     relaxed (5d), (7):   K = { |lambda_T| <= mu lambda_n }  contains lambda  _|_  s in its dual cone
//     exact (4):           0 <= lambda_n _|_ s_n >= 0,  lambda_T on the border opposing s_T, or s_T = 0
//
// The relaxed law is what makes the problem convex: (7) are the optimality conditions of min lambda^T A
// lambda / 2 + b^T lambda on K (11), so a solution exists and s is unique whatever is redundant. The price
// stands in (5d): what is complementary to lambda_n is s_n - mu |s_T|. A contact that slides at v_T is held
// at a gap of h mu v_T that is not there, and a body set down while it slides is thrown up at v_n = mu v_T,
// whatever h is. The lift h mu v_T is computed, and the exact law is the option that takes it away. Printed
// misprints: in (7) the second -d belongs into the polar cone; d after (12) is psi (mu, -g_u / |g|, -g_w /
// |g|).
//
// The exact law is Coulomb's, by the same Newton's method on its own fixed point, from the relaxed answer.
// Bilateral constraints (8) have been eliminated from A and b before (stepper/relaxed.hpp), which leaves
// their rows at zero exactly.
//
// Projection on K of (n, T), t = |T|: itself where t <= mu n, zero where mu t <= -n, else n' = (n + mu t) /
// (1 + mu^2), T' = mu n' T / t.
//
// Cost and memory: fixed_point.hpp. Failure: the residual is larger than `accepted`.
#pragma once

#include "tactus/contact/acceleration_cone.hpp"

namespace tactus::contact {

enum class ConeLaw : std::uint8_t { relaxed, exact };

template <class Scalar>
struct ConeAnswer {
  Scalar residual = 0;  // largest breach of the law, relative to the forces and speeds present
  int iterations = 0;   // linear systems
};

namespace cone {

// Residual up to which an answer counts as solved.
template <class Scalar>
inline constexpr Scalar kAccepted = sizeof(Scalar) == 8 ? Scalar(1e-10) : Scalar(1e-5);

template <class Scalar, int Dim>
struct RelaxedLaw {
  static constexpr bool kWhole = true;
  const Scalar* mu;

  static Scalar length(const Scalar (&x)[Dim]) {
    Scalar sum = 0;
    for (int k = 1; k < Dim; ++k) sum += x[k] * x[k];
    return std::sqrt(sum);
  }

  void project(int i, Scalar (&x)[Dim]) const {
    const Scalar t = length(x), m = mu[i];
    if (t <= m * x[0]) return;
    const bool outside = m * t <= -x[0];
    const Scalar n = outside ? Scalar(0) : (x[0] + m * t) / (1 + m * m);
    for (int k = 1; k < Dim; ++k) x[k] = outside ? Scalar(0) : m * n / t * x[k];
    x[0] = n;
  }

  void differentiate(int i, const Scalar (&x)[Dim], Scalar (&G)[Dim][Dim]) const {
    const Scalar t = length(x), m = mu[i];
    if (t <= m * x[0]) {
      for (int k = 0; k < Dim; ++k) G[k][k] = 1;
      return;
    }
    if (m * t <= -x[0]) return;
    const Scalar share = 1 / (1 + m * m), n = (x[0] + m * t) * share;
    G[0][0] = share;
    for (int k = 1; k < Dim; ++k) {
      G[0][k] = m * share * x[k] / t;
      G[k][0] = G[0][k];
      for (int l = 1; l < Dim; ++l) {
        const Scalar both = x[k] / t * (x[l] / t);
        G[k][l] = m * m * share * both + m * n / t * ((k == l ? Scalar(1) : Scalar(0)) - both);
      }
    }
  }
};

// The natural map of (7), lambda D - P(lambda D - s) with D the largest mobility of a contact, measured as
// acceleration::measure() does for Coulomb's law. Fills s = A lambda + b.
template <class Scalar, int Dim>
Scalar measure_relaxed(const Problem<Scalar, Dim>& p, const Scalar* lambda, Scalar* s) {
  const acceleration::Problem<Scalar, Dim> view{p, nullptr};
  const RelaxedLaw<Scalar, Dim> law{p.mu};
  return acceleration::share_of_data(view, lambda, s, [&](int i) {
    Scalar D = 0, x[Dim], off = 0;
    for (int k = 0; k < Dim; ++k) D = math::larger(D, view.A(i * Dim + k, i * Dim + k));
    for (int k = 0; k < Dim; ++k) x[k] = lambda[i * Dim + k] * D - s[i * Dim + k];
    law.project(i, x);
    for (int k = 0; k < Dim; ++k) off = worst(off, math::magnitude(lambda[i * Dim + k] * D - x[k]));
    return off;
  });
}

}  // namespace cone

// Finds lambda and s, from lambda as it is: the last step's is a good place, zero will do. The exact law from
// there at once, and only if that fails from the relaxed law's answer.
template <class Scalar, int Dim, Clock Time = const NoClock>
ConeAnswer<Scalar> solve_cone(const Problem<Scalar, Dim>& p, ConeLaw law,
                              const FixedPointScratch<Scalar>& scratch, Scalar* lambda, Scalar* s,
                              const FixedPointOptions& options = {}, Time& clock = kNoClock) {
  lcp::Budget<Time> budget(options.iterations, clock);
  const auto finish = [&](Scalar residual) { return ConeAnswer<Scalar>{residual, budget.used()}; };
  const acceleration::Problem<Scalar, Dim> view{p, nullptr};
  const acceleration::CoulombLaw<Scalar, Dim> coulomb{view};
  const auto residual = [&] { return acceleration::measure(view, acceleration::Law::cone, lambda, s); };
  detail::FixedPoint<Scalar, Dim, acceleration::CoulombLaw<Scalar, Dim>, Time> exact(p, coulomb, scratch,
                                                                                     lambda, budget);
  if (law == ConeLaw::exact) {
    const Scalar here = exact.try_here(residual);
    if (here <= cone::kAccepted<Scalar> || budget.ended()) return finish(here);
  }
  const cone::RelaxedLaw<Scalar, Dim> convex{p.mu};
  const auto relaxed_residual = [&] { return cone::measure_relaxed(p, lambda, s); };
  detail::FixedPoint<Scalar, Dim, cone::RelaxedLaw<Scalar, Dim>, Time> relaxed(p, convex, scratch, lambda,
                                                                               budget);
  relaxed.solve(options, cone::kAccepted<Scalar>, relaxed_residual);
  if (law == ConeLaw::relaxed) return finish(relaxed_residual());
  if (!budget.ended()) exact.solve(options, cone::kAccepted<Scalar>, residual);
  return finish(residual());
}

// The gap at which the relaxed law holds contact i though it is not there: h mu |s_T|, m, where it is
// pressed.
template <class Scalar, int Dim>
Scalar lift(const Problem<Scalar, Dim>& p, int i, Scalar h, const Scalar* lambda, const Scalar* s) {
  if (!(lambda[i * Dim] > 0)) return 0;
  Scalar sum = 0;
  for (int k = 1; k < Dim; ++k) sum += s[i * Dim + k] * s[i * Dim + k];
  return h * p.mu[i] * std::sqrt(sum);
}

}  // namespace tactus::contact
