// `tactus bench`: the cost of a solve and of a step. Here it is time; on an emulated board, instructions.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "bench.hpp"
#include "commands.hpp"
#include "hil_loop.hpp"
#include "input_error.hpp"
#include "progress.hpp"
#include "scene_reader.hpp"

namespace tactus::host {
namespace {

using Clock = std::chrono::steady_clock;

BenchRow bench_step(const Scene& scene, bool single) {
  const auto timed = make_plant(scene, single), watched = make_plant(scene, single);
  const long steps = std::min(scene.steps(), 20000L);
  std::vector<double> times;
  int pivots = 0;
  for (long k = 0; k < steps; ++k) {
    const auto start = Clock::now();
    timed->advance();
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  for (long k = 0; k < steps; ++k) pivots = std::max(pivots, watched->step().pivots);
  return summarise("step of " + scene.name, single ? "float" : "double", times, pivots);
}

BenchRow bench_board(const Scene& scene, const std::string& board, int horizon) {
  HilOptions options;
  options.board = board;
  options.horizon = horizon;
  if (!scene.plane) {  // what it costs, not whether a beat has the time
    options.beats = 25;
    options.share = 75;
  }
  const auto loop = HilLoop::make(scene, scene, options);
  const long ticks = std::min(scene.steps(), 5000L);
  Progress progress(scene.name, ticks);
  for (long k = 1; k <= ticks && loop->tally().latched_at == 0; ++k) {
    loop->tick(k);
    progress.at(k);
  }
  loop->finish();
  const HilTally& tally = loop->tally();
  const char* const late = tally.deadline_misses > 0 ? " (over a beat)" : "";
  const std::uint32_t fewest = tally.fewest_steps;
  const std::string steps = fewest < static_cast<std::uint32_t>(horizon)
                                ? fmt::format("{} to {}", fewest, horizon)
                                : std::to_string(horizon);
  double sum = 0;
  for (const auto x : tally.counts) sum += x;
  return {fmt::format("tick of {}, {} step{} ahead{}", scene.name, steps, horizon > 1 ? "s" : "", late),
          "float",
          tally.hello.count_unit(),
          sum / static_cast<double>(tally.counts.size()),
          static_cast<double>(tally.most()),
          tally.most_pivots};
}

void print(const BenchOptions& options, const std::vector<BenchRow>& rows) {
  if (options.json) {
    for (const BenchRow& row : rows) {
      fmt::print(
          R"({{"what": {}, "precision": "{}", "unit": "{}", "mean": {:.6g}, "{}": {:.6g}, "most_pivots": {}}})"
          "\n",
          nlohmann::json(row.what).dump(), row.precision, row.unit, row.mean,
          row.unit == "us" ? "p99.9" : "worst", row.high, row.pivots);
    }
    return;
  }
  const bool time = options.board.empty();
  fmt::print("| {:<50} | {:<9} | {:>12} | {:>12} | {:>6} |\n", "what", "precision",
             time ? "mean, us" : "mean", time ? "99.9 %, us" : "worst", "pivots");
  fmt::print("|{:-<52}|{:-<11}|{:->13}:|{:->13}:|{:->7}:|\n", "", "", "", "", "");
  for (const BenchRow& row : rows) {
    fmt::print("| {:<50} | {:<9} | {:>12.{}f} | {:>12.{}f} | {:>6} |\n", row.what, row.precision, row.mean,
               time ? 2 : 0, row.high, time ? 2 : 0, row.pivots);
  }
  if (!time)
    fmt::print(
        "\nin {} of {}; a tick is its prediction: reading the state and writing the answer come on top\n",
        rows.back().unit, options.board);
}

}  // namespace

std::string scene_file(const BenchOptions& options, const std::string& name) {
  // build/<preset>/tactus stands in the tree that has the scenes.
  const std::filesystem::path folder =
      options.scenes.empty()
          ? std::filesystem::canonical("/proc/self/exe").parent_path() / "../../host_sim/scenes"
          : std::filesystem::path(options.scenes);
  return (folder / (name + ".json")).lexically_normal().string();
}

int run_bench(const BenchOptions& options) {
  if (options.random > 0) return run_bench_random(options);
  std::vector<Scene> scenes;
  for (const char* name : {"ellipse", "ellipse_rigid", "resting_box", "thrown_box"})
    scenes.push_back(read_scene(scene_file(options, name)));
  std::vector<BenchRow> rows;
  if (options.board.empty()) {
    rows = bench_solver();
    for (const Scene& scene : scenes) {
      for (const bool single : {true, false}) rows.push_back(bench_step(scene, single));
    }
  } else {
    demand_emulated(options.board);
    rows = bench_solver_on(link::image_of(build_folder(), options.board, "tests/bench/bench_lcp"));
    for (const Scene& scene : scenes) {
      for (const int horizon : {1, 10}) rows.push_back(bench_board(scene, options.board, horizon));
    }
    for (const char* name : {"push", "grasp", "peg", "arm"}) {
      const Scene scene = read_scene(scene_file(options, name));
      for (const int horizon : {1, 10}) rows.push_back(bench_board(scene, options.board, horizon));
    }
    for (BenchRow& row : rows) row.unit = rows.back().unit;
  }
  print(options, rows);
  return kExitOk;
}

}  // namespace tactus::host
