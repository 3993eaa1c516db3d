// The one way in which a file that cannot be right is refused: which file, which key, why.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace tactus::host {

// One line, printable: control characters become \xNN, and what is longer than `limit` is cut.
std::string one_line(const std::string& text, std::size_t limit = 400);

// what() is one line, "FILE: KEY: REASON"; control characters that came from the file are escaped.
class InputError : public std::runtime_error {
 public:
  InputError(const std::string& file, const std::string& key, const std::string& reason);
};

// Exit statuses of every command.
inline constexpr int kExitOk = 0;
inline constexpr int kExitRunFailed = 1;    // it ran, and what came out is not good
inline constexpr int kExitBadInput = 2;     // a file or a command line that cannot be right
inline constexpr int kExitUnsupported = 3;  // right, but this build cannot do it

// A request that is right and that this build cannot serve; reported in one line with kExitUnsupported.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tactus::host
