// Numbers in text for people: one that is not finite has no digits.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace tactus::host {

inline std::string digits(double x, int count) {
  return std::isfinite(x) ? fmt::format("{:.{}g}", x, count) : std::string("-");
}

}  // namespace tactus::host
