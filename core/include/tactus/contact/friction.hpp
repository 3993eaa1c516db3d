// Friction coefficients: constant, static and kinetic with hysteresis, and mu(|v|) = kinetic + extra exp(-|v|
// / speed) (Stewart 2000, 4.3).
//
// Static and kinetic is not a function of the speed: an element that sticks holds up to mu_static until a
// step ends in slip; from then on it has mu_kinetic until a step ends in stick. So each element carries one
// remembered word, Grip. One that has just come into contact has no history: it counts as slipping where its
// tangential speed is larger than what the applied forces change in one step. The coefficient of a step is
// that of its start (explicit).
#pragma once

#include <cstdint>

#include "tactus/math/decay.hpp"
#include "tactus/math/vector.hpp"

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
  if (!(f.kinetic >= 0) || !math::finite(f.kinetic)) return false;
  if (f.kind == FrictionKind::static_kinetic) return f.resting >= f.kinetic && math::finite(f.resting);
  if (f.kind == FrictionKind::speed)
    return math::finite(f.extra) && f.kinetic + f.extra >= 0 && f.scale > 0 && math::finite(f.scale);
  return f.kind == FrictionKind::constant;
}

enum class Grip : std::uint8_t { unknown, sticks, slips };

// `speed` is |s_t| at the start of the step, `change` how much the applied forces alter it in the step.
template <class Scalar>
inline Scalar coefficient(const Friction<Scalar>& f, Grip grip, Scalar speed, Scalar change) {
  if (f.kind == FrictionKind::constant) return f.kinetic;
  if (f.kind == FrictionKind::speed) return f.kinetic + f.extra * math::decay(-speed / f.scale);
  const bool slips = grip == Grip::slips || (grip == Grip::unknown && speed > change);
  return slips ? f.kinetic : f.resting;
}

}  // namespace tactus::contact
