// Reading a JSON file strictly: what other readers let pass (duplicate keys, endless nesting, huge files) is
// an InputError here, and every error names the key at which it happened.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "json_node.hpp"

namespace tactus::host {

inline constexpr std::size_t kMaxFileBytes = std::size_t{256} << 20;
inline constexpr int kMaxNesting = 32;

// The bytes of a file; throws InputError where it cannot be read or is larger than kMaxFileBytes.
std::string read_file(const std::string& file);

inline constexpr std::size_t kShownCharacters = 80;  // of a word from the file, in a complaint

// Throws InputError; `file` is only used in its text.
nlohmann::json parse_json(const std::string& text, const std::string& file);

}  // namespace tactus::host
