// Friction coefficients: constant, static and kinetic with hysteresis, and mu(|v|) = kinetic + extra exp(-|v|
// / speed) (Stewart 2000, 4.3).
//
// Static and kinetic is not a function of the speed: an element that sticks holds up to mu_static until a
// step ends in slip; from then on it has mu_kinetic until a step ends in stick. So each element carries one
// remembered word, Grip. One that has just come into contact has no history: it counts as slipping where its
// tangential speed is larger than what the applied forces change in one step. The coefficient of a step is
// that of its start (explicit).
#pragma once

#include <cmath>
#include <cstdint>

#include "tactus/dynamics/vector.hpp"
#include "tactus/lcp/arithmetic.hpp"

namespace tactus::contact {

enum class FrictionKind : std::uint8_t { constant, static_kinetic, speed };

template <class Scalar>
struct Friction {
  FrictionKind kind = FrictionKind::constant;
  Scalar kinetic = 0;  // the coefficient, or its limit at high speed
  Scalar resting = 0;  // static_kinetic: mu_static >= kinetic
  Scalar extra = 0;    // speed: mu(0) - kinetic
  Scalar scale = 1;    // speed: m/s
};

template <class Scalar>
inline bool valid(const Friction<Scalar>& f) {
  if (!(f.kinetic >= 0) || !dynamics::finite(f.kinetic)) return false;
  if (f.kind == FrictionKind::static_kinetic) return f.resting >= f.kinetic && dynamics::finite(f.resting);
  if (f.kind == FrictionKind::speed)
    return dynamics::finite(f.extra) && f.kinetic + f.extra >= 0 && f.scale > 0 && dynamics::finite(f.scale);
  return f.kind == FrictionKind::constant;
}

enum class Grip : std::uint8_t { unknown, sticks, slips };

// exp(x) for x <= 0, the same bits on every machine: x = k ln 2 + r, |r| <= ln 2 / 2, and a Taylor polynomial
// of r. Relative error below 2 units in the last place; 0 below the normal range.
template <class Scalar>
inline Scalar decay(Scalar x) {
  constexpr bool kFloat = sizeof(Scalar) == 4;
  if (!(x > (kFloat ? Scalar(-87) : Scalar(-708)))) return x - x == 0 || x < 0 ? Scalar(0) : x;
  const int k = static_cast<int>(x * Scalar(1.44269504088896340736) - Scalar(0.5));
  // ln 2 in two parts; the first has so few bits that its product with k is exact.
  constexpr Scalar kHigh = kFloat ? Scalar(0.693359375) : Scalar(0x1.62e42fee00000p-1);
  constexpr Scalar kLow = kFloat ? Scalar(-2.12194440e-4) : Scalar(0x1.a39ef35793c76p-33);
  const Scalar r = (x - static_cast<Scalar>(k) * kHigh) - static_cast<Scalar>(k) * kLow;
  Scalar sum = 1;
  for (int i = kFloat ? 8 : 14; i > 0; --i) sum = 1 + sum * r / static_cast<Scalar>(i);
  return sum * lcp::power_of_two<Scalar>(k);
}

// `speed` is |s_t| at the start of the step, `change` how much the applied forces alter it in the step.
template <class Scalar>
inline Scalar coefficient(const Friction<Scalar>& f, Grip grip, Scalar speed, Scalar change) {
  if (f.kind == FrictionKind::constant) return f.kinetic;
  if (f.kind == FrictionKind::speed) return f.kinetic + f.extra * decay(-speed / f.scale);
  const bool slips = grip == Grip::slips || (grip == Grip::unknown && speed > change);
  return slips ? f.kinetic : f.resting;
}

}  // namespace tactus::contact
