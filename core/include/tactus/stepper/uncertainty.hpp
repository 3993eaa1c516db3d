// What a measured state may be off: standard deviations of independent noise, by what the sensors measure,
// and how far the shapes of a scene and the places of what is fixed may be from the real ones.
#pragma once

#include "tactus/error.hpp"
#include "tactus/math/vector.hpp"

namespace tactus::stepper {

// All zero: the state is exact, and nothing is held.
template <class Scalar>
struct Uncertainty {
  Scalar position = 0;          // of a body, m, each component
  Scalar angle = 0;             // rad, about each axis
  Scalar velocity = 0;          // m/s
  Scalar angular_velocity = 0;  // rad/s
  Scalar joint = 0;             // of an arm, rad or m
  Scalar joint_velocity = 0;    // rad/s or m/s
  Scalar geometry = 0;          // tolerance of shapes and places, m: no standard deviation, a bound

  bool any() const {
    return position > 0 || angle > 0 || velocity > 0 || angular_velocity > 0 || joint > 0 ||
           joint_velocity > 0 || geometry > 0;
  }
};

// Refuses what is negative or not finite; `index` of the error is the number of the member.
template <class Scalar>
inline Error check(const Uncertainty<Scalar>& u) {
  const Scalar all[] = {u.position, u.angle,          u.velocity, u.angular_velocity,
                        u.joint,    u.joint_velocity, u.geometry};
  for (int i = 0; i < 7; ++i)
    if (!(all[i] >= 0) || !math::finite(all[i])) return {What::uncertainty, i, 0, all[i]};
  return {};
}

}  // namespace tactus::stepper
