// What every law of an image says in the same words: how a step went. Which
// laws an image has is decided when it is compiled (TACTUS_FIRMWARE_LAWS in CMake); a board without one
// refuses it.
#pragma once

#include <messages.pb.h>

#include <cstdint>

#include "tactus/error.hpp"
#include "tactus/stepper/report.hpp"

namespace tactus::firmware {

#ifdef TACTUS_WITHOUT_CONE
inline constexpr bool kHasCone = false;
#else
inline constexpr bool kHasCone = true;
#endif
#ifdef TACTUS_WITHOUT_IMPLICIT
inline constexpr bool kHasImplicit = false;
#else
inline constexpr bool kHasImplicit = true;
#endif

constexpr bool has_law(tactus_wire_Law law) {
  switch (law) {
    case tactus_wire_Law_BY_CONTACT:
      return true;
    case tactus_wire_Law_RELAXED_CONE:
    case tactus_wire_Law_CONE:
      return kHasCone;
    case tactus_wire_Law_IMPLICIT:
      return kHasImplicit;
  }
  return false;
}

inline constexpr std::uint32_t kDefaultPivotBudget = 200, kMostPivots = 10'000;

// Of each step.
constexpr std::uint16_t pivot_budget(const tactus_wire_Configure& m) {
  const std::uint32_t budget = m.pivot_budget == 0 ? kDefaultPivotBudget : m.pivot_budget;
  return static_cast<std::uint16_t>(budget > kMostPivots ? kMostPivots : budget);
}

// How a step went.
struct Outcome {
  stepper::StepStatus status = stepper::StepStatus::failed;
  stepper::StepReason reason = stepper::StepReason::not_configured;
  std::uint32_t pivots = 0;
  float residual = 0;
};

}  // namespace tactus::firmware
