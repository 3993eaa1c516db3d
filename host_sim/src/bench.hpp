// The parts of `tactus bench`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "commands.hpp"

namespace tactus::host {

struct BenchRow {
  std::string what, precision, unit;
  double mean = 0, high = 0;  // the 99.9th percentile of times, the largest of counts
  int pivots = 0;             // at most
};

BenchRow summarise(std::string what, std::string precision, std::vector<double> microseconds, int pivots);

// Cold solves on this host: friction problems of one box, drawn from one seed.
std::vector<BenchRow> bench_solver();
// Solves on an emulated board, cold and with the right guess, as its own bench (tests/bench/bench_lcp.cpp)
// counts them. Throws link::LinkError where the image of that is missing.
std::vector<BenchRow> bench_solver_on(const std::filesystem::path& image);

// A scene of host_sim/scenes, or of the folder that the options name.
std::string scene_file(const BenchOptions& options, const std::string& name);

// --random.
int run_bench_random(const BenchOptions& options);

}  // namespace tactus::host
