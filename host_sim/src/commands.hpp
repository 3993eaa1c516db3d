// The subcommands of tactus. Each returns an exit status of input_error.hpp and may throw InputError or
// Unsupported, which main turns into one line on stderr.
#pragma once

#include <optional>
#include <string>

namespace tactus::host {

struct LcpOptions {
  std::string file;
  bool single = false;  // float
  int repeat = 1;
  int budget = 1000;
};
int run_lcp(const LcpOptions& options);

struct RunOptions {
  std::string scene;
  std::string csv, report;  // empty: none
  long every = 1;
  bool single = false;
};
int run_scene(const RunOptions& options);

}  // namespace tactus::host
