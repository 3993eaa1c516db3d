// Rigid points: R = 0, c = gap / h in the normal row (Song 2004 (14), Stewart 2000 (2.11)-(2.16)).
#pragma once

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
    return add_gap(at.m, at.gap, at.next_gap, c);
  }
};

}  // namespace tactus::stepper
