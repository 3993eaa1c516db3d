// What limit and Coulomb friction of a joint may do: a reaction p against the speed v at the end of the step,
// on a line that never rises.
//
//      p |    lower
//        |      |                        v_lower = (lower - q) / h: as fast as it may go to be at its limit
//     hf |......+----+                   when the step ends (Stewart's row, s_n + gap / h >= 0)
//        |           |  sticks
//    ----+-----------+---------------- v
//        |           |
//    -hf |           +--------+......    f: Coulomb's friction of the joint
//        |                    |
//                           upper
//
// On an upright piece the speed is known and the reaction asked for, on a level one the reverse. So once the
// piece (JointMode) of each joint is known a step has no inequality left but the contacts'; next() says where
// a joint goes that was given the wrong one.
#pragma once

#include "tactus/stepper/arm.hpp"

namespace tactus::stepper::detail {

template <class Scalar>
struct JointLaw {
  Scalar lower, upper;  // speeds
  Scalar friction;      // h f

  // Upright pieces.
  static bool locks(JointMode mode) {
    return mode == JointMode::sticks || mode == JointMode::at_lower || mode == JointMode::at_upper;
  }
  Scalar held_speed(JointMode mode) const {
    return mode == JointMode::at_lower ? lower : mode == JointMode::at_upper ? upper : Scalar(0);
  }
  // Level pieces.
  Scalar push(JointMode mode) const { return mode == JointMode::falls ? friction : -friction; }

  // Who rubs and is not known is tried at rest: which way one goes that stands still, its measured speed does
  // not say, and between contacts that hold it either way would be an answer.
  JointMode first(JointMode last, Scalar speed) const {
    if (last == JointMode::sticks && (lower > 0 || upper < 0)) last = JointMode::unknown;
    if (last != JointMode::unknown) return last;
    if (friction > 0 && lower <= 0 && upper >= 0) return JointMode::sticks;
    return speed < 0 ? JointMode::falls : JointMode::rises;
  }

  // The mode of a joint that has the speed v and the reaction p: `mode` itself where both are on its piece.
  JointMode next(JointMode mode, Scalar v, Scalar p, Scalar slack_v, Scalar slack_p) const {
    const bool free = !(friction > 0);
    switch (mode) {
      case JointMode::sticks:
        if (lower > 0) return JointMode::at_lower;
        if (upper < 0) return JointMode::at_upper;
        if (p > friction + slack_p) return JointMode::falls;
        return p < -friction - slack_p ? JointMode::rises : mode;
      case JointMode::at_lower:
        if (lower < 0) return p < friction - slack_p ? JointMode::falls : mode;
        return p < -friction - slack_p ? JointMode::rises : mode;
      case JointMode::at_upper:
        if (upper > 0) return p > -friction + slack_p ? JointMode::rises : mode;
        return p > friction + slack_p ? JointMode::falls : mode;
      default:
        break;
    }
    const bool falls = mode == JointMode::falls;
    if (v < lower - slack_v && (falls || free || lower >= 0)) return JointMode::at_lower;
    if (v > upper + slack_v && (!falls || free || upper <= 0)) return JointMode::at_upper;
    if (free) return mode;
    return (falls ? v > slack_v : v < -slack_v) ? JointMode::sticks : mode;
  }
};

}  // namespace tactus::stepper::detail
