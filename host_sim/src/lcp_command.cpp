// `tactus lcp`: a file of problems in, one JSON line for each out.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "json_file.hpp"
#include "lcp_file.hpp"
#include "tactus/lcp/solver.hpp"

namespace tactus::host {
namespace {

struct Outcome {
  lcp::Status status = lcp::Status::bad_input;
  std::vector<double> z;
  int pivots = 0;
  double residual = 0;
  long ns = 0;
};

const char* word(lcp::Status status) {
  switch (status) {
    case lcp::Status::solved:
      return "solved";
    case lcp::Status::ray:
      return "ray";
    case lcp::Status::pivot_limit:
      return "pivot_limit";
    case lcp::Status::bad_input:
      return "invalid";
  }
  return "invalid";
}

template <class Scalar>
constexpr double kAccepted = sizeof(Scalar) == 8 ? 1e-8 : 1e-4;

template <class Scalar>
Outcome solve_entry(const LcpEntry& entry, const LcpOptions& options,
                    lcp::Workspace<Scalar, kLcpCapacity>& workspace) {
  const std::vector<Scalar> M(entry.M.begin(), entry.M.end());
  const std::vector<Scalar> q(entry.q.begin(), entry.q.end());
  lcp::Problem<Scalar> problem;
  problem.n = entry.n;
  problem.M = M.data();
  problem.stride = entry.n;
  problem.q = q.data();
  problem.block = entry.blocks.data();
  lcp::Options settings;
  settings.pivot_budget = options.budget;

  Outcome outcome;
  std::vector<long> times;
  for (int i = 0; i < options.repeat; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const auto answer = lcp::solve(problem, workspace, settings);
    const auto stop = std::chrono::steady_clock::now();
    times.push_back(std::chrono::duration_cast<std::chrono::nanoseconds>(stop - start).count());
    outcome.status = answer.status;
    outcome.pivots = answer.pivots;
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  outcome.ns = *middle;

  outcome.z.assign(static_cast<std::size_t>(entry.n), 0.0);
  if (outcome.status != lcp::Status::bad_input) {
    for (std::size_t i = 0; i < outcome.z.size(); ++i) outcome.z[i] = static_cast<double>(workspace.z[i]);
  }
  outcome.residual = scaled_residual(entry, outcome.z);
  // The file's own numbers have the last word: a claim that does not hold on them is not repeated.
  if (outcome.status == lcp::Status::solved && !(outcome.residual <= kAccepted<Scalar>)) {
    outcome.status = lcp::Status::pivot_limit;
  }
  return outcome;
}

// Numbers as the shortest text that reads back as the same bits.
std::string json_line(const LcpEntry& entry, const Outcome& outcome) {
  const auto number = [](double x) { return std::isfinite(x) ? fmt::format("{}", x) : std::string("null"); };
  std::string z;
  for (const double x : outcome.z) z += (z.empty() ? "" : ", ") + number(x);
  return fmt::format(R"({{"name": {}, "status": "{}", "z": [{}], "pivots": {}, "residual": {}, "ns": {}}})",
                     nlohmann::json(entry.name).dump(), word(outcome.status), z, outcome.pivots,
                     number(outcome.residual), outcome.ns);
}

template <class Scalar>
int run(const LcpOptions& options) {
  const auto entries = parse_lcp_file(read_file(options.file), options.file);
  const auto workspace = std::make_unique<lcp::Workspace<Scalar, kLcpCapacity>>();
  for (const LcpEntry& entry : entries) {
    std::puts(json_line(entry, solve_entry<Scalar>(entry, options, *workspace)).c_str());
  }
  return 0;
}

}  // namespace

int run_lcp(const LcpOptions& options) {
  return options.single ? run<float>(options) : run<double>(options);
}

}  // namespace tactus::host
