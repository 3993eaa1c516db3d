// How far forces and speeds are off their laws, in units of speed: the natural residual of a row or element,
// which is zero where and only where the law holds. Both sides of a law are compared by the row's own
// mobility A_rr, so no force is too large to be wrong.
//
// Friction: Coulomb's law is |T| <= mu N and mu N |s_T| + T . s_T = 0; the left side of the latter over mu N
// is how much slower it dissipates than it ought to. It is of second order in the angle between friction and
// slip.
#pragma once

#include <cmath>

#include "tactus/contact/problem.hpp"
#include "tactus/math/arithmetic.hpp"

namespace tactus::contact {

// max(a, b), or NaN where one is.
template <class Scalar>
inline Scalar worst(Scalar a, Scalar b) {
  return b <= a || a != a ? a : b;
}

// x / unit; where the unit is 0, so is what is measured, or it is as good as wrong. NaN stays NaN.
template <class Scalar>
inline Scalar share_of(Scalar x, Scalar unit) {
  return unit > 0 ? x / unit : x;
}

// |s_T| of the speeds s of an element.
template <class Scalar, int Dim>
inline Scalar slip_speed(const Scalar* s) {
  if constexpr (Dim == 2) return math::magnitude(s[1]);
  Scalar sum = 0;
  for (int c = 1; c < Dim; ++c) sum += s[c] * s[c];
  return std::sqrt(sum);
}

// How far the speed v and force p of a plain row are off its staircase, in units of speed.
template <class Scalar>
inline Scalar off_staircase(const Staircase<Scalar>& law, Scalar mobility, Scalar v, Scalar p) {
  if (!(law.friction < law.kNever)) return math::magnitude(v);
  const Scalar u = p * mobility - v, f = law.friction * mobility;
  const Scalar level = u > f ? f - u : u < -f ? -f - u : Scalar(0);
  const Scalar v_law = level < law.lower ? law.lower : level > law.upper ? law.upper : level;
  return math::magnitude(v - v_law);
}

// How far the speeds s and forces of an element are off the law of friction, A its block of the problem. box:
// each tangential row bounded by itself. e: what a pyramid may dissipate less, as a share.
template <class Scalar, int Dim>
inline Scalar off_friction(const Scalar* A, int stride, Scalar mu, const Scalar* lambda, const Scalar* s,
                           bool box, Scalar e = 0) {
  const Scalar normal = lambda[0] * A[0], limit = mu * math::larger(lambda[0], Scalar(0));
  Scalar off = math::magnitude(normal < s[0] ? normal : s[0]), T = 0, work = 0, d = 0;
  for (int k = 1; k < Dim; ++k) {
    const Scalar own = A[k * (stride + 1)];
    if (Dim == 2 || box) {
      const Scalar u = lambda[k] * own - s[k], most = limit * own;
      off = worst(off, math::magnitude(lambda[k] * own - (u > most ? most : u < -most ? -most : u)));
    }
    T += lambda[k] * lambda[k];
    work = math::multiply_add(lambda[k], s[k], work);
    d += own / (Dim - 1);
  }
  if (Dim == 2 || box) return off;
  const Scalar slip = slip_speed<Scalar, Dim>(s);
  T = std::sqrt(T);
  off = worst(off, (T - limit) * d);
  // A force that is little beside what would stop the slip matters as a force.
  const Scalar missing = (1 - e) * limit * slip + work, unit = limit * d + slip;
  return unit > 0 ? worst(off, missing * d / unit) : off;
}

}  // namespace tactus::contact
