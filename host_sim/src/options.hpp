// Checks of command line values whose complaints read like those about a file.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

namespace tactus::host {

// Also refuses what is not a number, which comparisons alone let pass.
template <class Number>
CLI::Validator within(Number low, Number high) {
  return CLI::Validator(
      [low, high](const std::string& text) {
        Number x{};
        if (CLI::detail::lexical_cast(text, x) && x >= low && x <= high) return std::string();
        return fmt::format("must be from {} to {}, not \"{}\"", low, high, text);
      },
      "");
}

inline CLI::Validator not_empty() {
  return CLI::Validator(
      [](const std::string& text) { return text.empty() ? std::string("must not be empty") : std::string(); },
      "");
}

}  // namespace tactus::host
