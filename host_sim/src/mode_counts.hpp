// How often contacts were open, stuck and slipped, and how it is told.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace tactus::host {

struct ModeCounts {
  std::array<long, 3> steps{};  // summed over the contacts: 0 open, 1 stick, 2 slip

  void add(std::size_t mode) {
    if (mode < steps.size()) ++steps[mode];
  }
  std::string words() const;  // "stick 18231, slip 1769", or "none"
};

}  // namespace tactus::host
