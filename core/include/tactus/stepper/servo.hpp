// Motors with a limit, as place finds them. It cannot fail, and costs n^2 / 2 multiply-adds a motor.
//
// A motor with a limit is no part of M~ and drive but a row (driven_rows.hpp): with
// g = damping + h stiffness it gives at the end of the step
//
//     lambda = torque + stiffness (position - q) + damping speed - g qd' = g (want - qd'),   |lambda| <= most
//
// so s = qd' - want + lambda / g is 0 within the limit, below 0 where lambda = most, above where it is -most:
// a staircase with the compliance 1 / g. Its unit is no speed of the joint where g is small: want is what the
// motor would have to be fooled by. Row and column are multiplied by a / (a + 1 / g), a the joint's own
// mobility; then b is the change of speed that the motor alone would make.
//
// Where M + h g is M to the last digit the motor gives what it would at the speed of the start.
#pragma once

#include "tactus/stepper/outputs.hpp"

namespace tactus::stepper::detail {

// Joint j of the arms; arm.M has no impedance in it yet, arm.drive the bias force.
template <class Scalar, int Dim, Capacity C, class State>
inline void drive_servo(const Model<Scalar, Dim, C>& m, const State& now, std::size_t j,
                        PlacedArms<Scalar, C.arm_joints, C.bodies, C.servos>& arm) {
  const Scalar most = m.arm.motors.most[j], M = arm.M[j * at(C.arm_joints + 1)];
  const Scalar g = now.damping[j] + m.h * now.stiffness[j];
  const Scalar still =
      now.torque[j] + now.damping[j] * now.speed[j] + now.stiffness[j] * (now.position[j] - now.q[j]);
  arm.drive[j] *= -m.h;
  arm.servos.held[j] = 0;
  if (M + m.h * g > M) {
    arm.servos.servo[at(arm.servos.count++)] = {static_cast<std::uint8_t>(j), most, 1 / g, still / g, 0};
  } else {
    const Scalar torque = still - g * now.qd[j];
    arm.servos.held[j] = torque > most ? most : torque < -most ? -most : torque;
  }
  arm.speed[j] = math::multiply_add(m.h, arm.servos.held[j], arm.drive[j]);
}

// The scales of their rows, by L.
template <class Scalar, int Dim, Capacity C>
inline void scale_servos(const Model<Scalar, Dim, C>& m,
                         PlacedArms<Scalar, C.arm_joints, C.bodies, C.servos>& arm) {
  if constexpr (C.servos > 0) {
    const int n = m.arm.links.joints;
    for (int i = 0; i < arm.servos.count; ++i) {
      auto& servo = arm.servos.servo[at(i)];
      const int left = n - servo.joint;
      dynamics::JointVector<Scalar, C.arm_joints> y{1};
      math::forward_substitute(arm.L.data() + servo.joint * (C.arm_joints + 1), left, C.arm_joints, y.data());
      Scalar sum = 0;
      for (int k = 0; k < left; ++k) sum = math::multiply_add(y[at(k)], y[at(k)], sum);
      servo.scale = m.h * sum / (m.h * sum + servo.give);
    }
  }
}

}  // namespace tactus::stepper::detail
