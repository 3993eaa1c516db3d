// Rigid points: R = 0, c = gap / h in the normal row (Song 2004 (14), Stewart 2000 (2.11)-(2.16)). As Stewart
// printed it (2.13), c = e v of those that take part; by any other rule restitution is not of the rows but of
// the impacts before them (impacts.hpp).
#pragma once

#include <algorithm>

#include "tactus/stepper/capacity.hpp"
#include "tactus/stepper/normal_rule.hpp"

namespace tactus::stepper {

struct Rigid {
  template <class Scalar>
  struct Numbers {};

  template <Capacity C>
  static constexpr bool kCompiled = true;
  static constexpr bool kExact = true, kRegular = false, kDeforms = false;

  template <class Contact>
  static constexpr bool holds(const Contact&) {
    return true;
  }

  template <class Candidate, class Scalar>
  static bool add_offset(const Candidate& at, Scalar& c) {
    if (!add_gap(at.m, at.gap, at.next_gap, c)) return false;
    if (at.m.normal_rule() == NormalRule::stewart && at.contact.restitution > 0)
      c = std::min(c, at.contact.restitution * at.approach().now[0]);
    return true;
  }
};

}  // namespace tactus::stepper
