// The law of a row that no contact has: what a joint does with a force p against its speed v at the end of
// the step. It is a staircase that never rises.
//
//      p |   lower
//        |     |                  lower, upper: speeds at which a stop holds, such as (q_min - q) / h, as
//      f |.....+----+             fast as a joint may go to be at its limit when the step ends
//        |          |  sticks     (Stewart's row, s_n + gap / h >= 0)
//    ----+----------+--------- v
//        |          |             f: Coulomb's friction of the joint, a motor's torque limit, or infinite:
//     -f |          +----+.....   then the row is bilateral, v = 0
//        |               |
//                      upper
//
// On an upright piece the speed is known and the force asked for, on a level one the reverse. So once the
// piece (RowMode) of each row is known a step has no inequality left but the contacts'; next() says where a
// row goes that was given the wrong one.
#pragma once

#include <cstdint>
#include <limits>

namespace tactus::contact {

// Where a row is on its staircase.
enum class RowMode : std::uint8_t { unknown, sticks, rises, falls, at_lower, at_upper };

template <class Scalar>
struct Staircase {
  static constexpr Scalar kNever = std::numeric_limits<Scalar>::infinity();

  Scalar friction = 0;                     // f, N or N m
  Scalar lower = -kNever, upper = kNever;  // m/s or rad/s; lower <= upper
  Scalar weight = 0;  // among redundant rows, (m/s)/N: see ReducedSystem::weight; 0: its own mobility

  // Upright pieces.
  static constexpr bool holds(RowMode mode) {
    return mode == RowMode::sticks || mode == RowMode::at_lower || mode == RowMode::at_upper;
  }
  Scalar speed(RowMode mode) const {
    return mode == RowMode::at_lower ? lower : mode == RowMode::at_upper ? upper : Scalar(0);
  }
  // Level pieces.
  Scalar force(RowMode mode) const { return mode == RowMode::falls ? friction : -friction; }

  // A row with friction of which nothing is known is tried at rest: at rest, the sign of a measured speed
  // means nothing, and between contacts that hold it either way would be an answer.
  RowMode first(RowMode last, Scalar free_speed) const {
    if (last == RowMode::sticks && (lower > 0 || upper < 0)) last = RowMode::unknown;
    if (last != RowMode::unknown) return last;
    if (friction > 0 && lower <= 0 && upper >= 0) return RowMode::sticks;
    return free_speed < 0 ? RowMode::falls : RowMode::rises;
  }

  // The mode of a row that has the speed v and the force p: `mode` itself where both are on its piece.
  RowMode next(RowMode mode, Scalar v, Scalar p, Scalar slack_v, Scalar slack_p) const {
    const bool free = !(friction > 0);
    switch (mode) {
      case RowMode::sticks:
        if (lower > 0) return RowMode::at_lower;
        if (upper < 0) return RowMode::at_upper;
        if (p > friction + slack_p) return RowMode::falls;
        return p < -friction - slack_p ? RowMode::rises : mode;
      case RowMode::at_lower:
        if (lower < 0) return p < friction - slack_p ? RowMode::falls : mode;
        return p < -friction - slack_p ? RowMode::rises : mode;
      case RowMode::at_upper:
        if (upper > 0) return p > -friction + slack_p ? RowMode::rises : mode;
        return p > friction + slack_p ? RowMode::falls : mode;
      default:
        break;
    }
    const bool falls = mode == RowMode::falls;
    if (v < lower - slack_v && (falls || free || lower >= 0)) return RowMode::at_lower;
    if (v > upper + slack_v && (!falls || free || upper <= 0)) return RowMode::at_upper;
    if (free) return mode;
    return (falls ? v > slack_v : v < -slack_v) ? RowMode::sticks : mode;
  }
};

}  // namespace tactus::contact
