#include "mode_counts.hpp"

#include <fmt/format.h>

namespace tactus::host {

std::string ModeCounts::words() const {
  static constexpr const char* kModes[] = {"open", "stick", "slip"};
  std::string text;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kModes[i], steps[i]);
  }
  return text.empty() ? "none" : text;
}

}  // namespace tactus::host
