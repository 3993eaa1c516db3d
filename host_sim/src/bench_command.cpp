// `tactus bench`: the cost of a solve and of a step. Here it is time; on an emulated board, instructions.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

#include "commands.hpp"
#include "hil_loop.hpp"
#include "input_error.hpp"
#include "progress.hpp"
#include "scene_reader.hpp"
#include "tactus/contact/stewart.hpp"
#include "tactus/lcp/solver.hpp"

namespace tactus::host {
namespace {

struct Row {
  std::string what, precision, unit;
  double mean = 0, high = 0;  // the 99.9th percentile of times, the largest of counts
  int pivots = 0;             // at most
};

using Clock = std::chrono::steady_clock;

Row summarise(std::string what, std::string precision, std::vector<double> microseconds, int pivots) {
  double sum = 0;
  for (const double x : microseconds) sum += x;
  const auto rank =
      static_cast<std::ptrdiff_t>(std::ceil(0.999 * static_cast<double>(microseconds.size()))) - 1;
  std::nth_element(microseconds.begin(), microseconds.begin() + rank, microseconds.end());
  return {std::move(what),
          std::move(precision),
          "us",
          sum / static_cast<double>(microseconds.size()),
          microseconds[static_cast<std::size_t>(rank)],
          pivots};
}

// A box of 1 kg and 0.1 m with contacts at random places and in random directions, falling and turning at
// random: Stewart's LCP with 4 facets, 6 unknowns a contact.
constexpr int kFacets = 4, kMostContacts = 6;
constexpr int kMostUnknowns = contact::stewart::unknowns(kMostContacts, kFacets);

template <class Scalar>
struct FrictionProblem {
  std::array<Scalar, kMostUnknowns * kMostUnknowns> M{};
  std::array<Scalar, kMostUnknowns> q{};
  std::array<std::uint8_t, kMostUnknowns> block{};
  lcp::Problem<Scalar> view;
};

template <class Scalar>
void make_problem(std::mt19937_64& random, int contacts, FrictionProblem<Scalar>& out) {
  // Not of the standard library's distributions, which differ between libraries.
  const auto uniform = [&] { return static_cast<double>(random() >> 11U) * 0x1p-52 - 1; };
  const std::array<double, 6> inverse_inertia{1, 1, 1, 600, 600, 600};
  std::array<double, 6> velocity{};
  for (double& v : velocity) v = uniform();
  std::vector<std::array<double, 6>> rows;
  for (int i = 0; i < contacts; ++i) {
    const Eigen::Vector3d n = Eigen::Vector3d(0.3 * uniform(), 0.3 * uniform(), 1).normalized();
    const Eigen::Vector3d t = n.unitOrthogonal(), o = n.cross(t),
                          r(0.05 * uniform(), 0.05 * uniform(), -0.05);
    for (const Eigen::Vector3d& d : {n, t, o}) {
      const Eigen::Vector3d m = r.cross(d);
      rows.push_back({d.x(), d.y(), d.z(), m.x(), m.y(), m.z()});
    }
  }
  const std::size_t size = rows.size();
  std::vector<Scalar> A(size * size), b(size),
      mu(static_cast<std::size_t>(contacts), static_cast<Scalar>(0.5));
  for (std::size_t i = 0; i < size; ++i) {
    double speed = 0;
    for (std::size_t k = 0; k < 6; ++k) speed += rows[i][k] * velocity[k];
    b[i] = static_cast<Scalar>(speed);
    for (std::size_t j = 0; j < size; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < 6; ++k) sum += rows[i][k] * inverse_inertia[k] * rows[j][k];
      A[i * size + j] = static_cast<Scalar>(1e-3 * sum);
    }
  }
  contact::Problem<Scalar, 3> problem{contacts, A.data(),  static_cast<int>(size),
                                      b.data(), mu.data(), nullptr};
  const int n = contact::stewart::unknowns(contacts, kFacets);
  contact::stewart::to_lcp(problem, kFacets, out.M.data(), n, out.q.data(), out.block.data());
  out.view = {n, out.M.data(), n, out.q.data(), out.block.data()};
}

template <class Scalar>
Row bench_solver(int contacts, const char* precision) {
  constexpr int kProblems = 200, kRepeats = 9;
  std::mt19937_64 random(1);
  const auto problem = std::make_unique<FrictionProblem<Scalar>>();
  const auto workspace = std::make_unique<lcp::Workspace<Scalar, kMostUnknowns>>();
  std::vector<double> times;
  int pivots = 0;
  for (int i = 0; i < kProblems; ++i) {
    make_problem(random, contacts, *problem);
    std::array<double, kRepeats> repeats{};
    for (double& t : repeats) {
      const auto start = Clock::now();
      pivots = std::max(pivots, lcp::solve(problem->view, *workspace).pivots);
      t = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    }
    std::nth_element(repeats.begin(), repeats.begin() + kRepeats / 2, repeats.end());
    times.push_back(repeats[kRepeats / 2]);
  }
  return summarise(fmt::format("cold solve, {} contacts, n = {}", contacts, problem->view.n), precision,
                   times, pivots);
}

Row bench_step(const Scene& scene, bool single) {
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

Row bench_board(const Scene& scene, const std::string& board, int horizon) {
  HilOptions options;
  options.board = board;
  options.horizon = horizon;
  const auto loop = HilLoop::make(scene, scene, options);
  const long ticks = std::min(scene.steps(), 5000L);
  Progress progress(scene.name, ticks);
  for (long k = 1; k <= ticks; ++k) {
    loop->tick(k);
    progress.at(k);
  }
  const HilTally& tally = loop->tally();
  const char* const late = tally.deadline_misses > 0 ? ", over a beat" : "";
  double sum = 0;
  for (const auto x : tally.counts) sum += x;
  return {fmt::format("tick of {}, {} step{} ahead{}", scene.name, horizon, horizon > 1 ? "s" : "", late),
          "float",
          tally.hello.count_unit(),
          sum / static_cast<double>(tally.counts.size()),
          static_cast<double>(tally.most()),
          tally.most_pivots};
}

void print(const BenchOptions& options, const std::vector<Row>& rows) {
  if (options.json) {
    for (const Row& row : rows) {
      fmt::print(
          R"({{"what": {}, "precision": "{}", "unit": "{}", "mean": {:.4g}, "{}": {:.6g}, "most_pivots": {}}})"
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
  for (const Row& row : rows) {
    fmt::print("| {:<50} | {:<9} | {:>12.{}f} | {:>12.{}f} | {:>6} |\n", row.what, row.precision, row.mean,
               time ? 2 : 0, row.high, time ? 2 : 0, row.pivots);
  }
  if (!time)
    fmt::print("\nin {} of {}; a tick is from the state's arrival to its encoded answer\n", rows.front().unit,
               options.board);
}

}  // namespace

int run_bench(const BenchOptions& options) {
  // build/<preset>/tactus stands in the tree that has the scenes.
  const std::filesystem::path folder =
      options.scenes.empty()
          ? std::filesystem::canonical("/proc/self/exe").parent_path() / "../../host_sim/scenes"
          : std::filesystem::path(options.scenes);
  std::vector<Scene> scenes;
  for (const char* name : {"ellipse", "ellipse_rigid", "resting_box", "thrown_box"}) {
    scenes.push_back(read_scene((folder / (std::string(name) + ".json")).lexically_normal().string()));
  }
  std::vector<Row> rows;
  if (options.board.empty()) {
    for (const int contacts : {2, 4, 6}) {
      rows.push_back(bench_solver<float>(contacts, "float"));
      rows.push_back(bench_solver<double>(contacts, "double"));
    }
    for (const Scene& scene : scenes) {
      for (const bool single : {true, false}) rows.push_back(bench_step(scene, single));
    }
  } else {
    for (const Scene& scene : scenes) {
      for (const int horizon : {1, 10}) rows.push_back(bench_board(scene, options.board, horizon));
    }
  }
  print(options, rows);
  return kExitOk;
}

}  // namespace tactus::host
