// Rigid points that bounce, R = 0: one that is closing and would touch within the step takes
//
//     n . (v' + e v) >= 0
//
// (Newton), and the gap's row at every other time. As Stewart printed it (NormalRule::stewart) all that take
// part do; Song's rule knows none.
#pragma once

#include <algorithm>

#include "tactus/stepper/capacity.hpp"
#include "tactus/stepper/normal_rule.hpp"

namespace tactus::stepper {

struct Restitution {
  template <class Scalar>
  struct Numbers {
    Scalar restitution = 0;  // e
  };

  template <Capacity C>
  static constexpr bool kCompiled = C.has(Part::restitution);
  static constexpr bool kExact = true, kRegular = false, kDeforms = false;

  template <class Contact>
  static constexpr bool holds(const Contact& contact) {
    return contact.restitution > 0;
  }

  template <class Candidate, class Scalar>
  static bool add_offset(const Candidate& at, Scalar& c) {
    if (!add_gap(at.m, at.gap, at.next_gap, c)) return false;
    const NormalRule rule = at.m.normal_rule();
    if (rule == NormalRule::song) return true;
    const auto speed = at.approach();
    const bool touches = rule == NormalRule::stewart || at.gap + at.m.h * speed.free[0] < 0;
    if (speed.now[0] < 0 && touches) c = std::min(c, at.contact.restitution * speed.now[0]);
    return true;
  }
};

}  // namespace tactus::stepper
