#include "input_error.hpp"

#include <fmt/format.h>

namespace tactus::host {

std::string one_line(const std::string& text, std::size_t limit) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
    if (out.size() > limit) return out + "…";
  }
  return out;
}

InputError::InputError(const std::string& file, const std::string& key, const std::string& reason)
    : std::runtime_error(
          one_line(key.empty() ? file + ": " + reason : file + ": " + key + ": " + reason, 2000)) {}

}  // namespace tactus::host
