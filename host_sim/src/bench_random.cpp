// `tactus bench --random`: what the ticks of scenes cost that nobody chose. One half is drawn about a scene
// of host_sim/scenes; the other moves what was drawn for the dearest of them, and keeps what is dearer.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "bench.hpp"
#include "commands.hpp"
#include "input_error.hpp"
#include "progress.hpp"
#include "random_run.hpp"
#include "random_scenes.hpp"
#include "scene_reader.hpp"

namespace tactus::host {
namespace {

constexpr long kTicksOfDraw = 25;   // at most
constexpr int kMostRefusals = 100;  // in a row
constexpr int kMostFailures = 5;    // in a row; a board latches after ten, and then predicts nothing

// Moves the genes of the dearest draws.
class GeneSearch {
 public:
  // At least one must have been kept.
  Genes mutate(Numbers& random) const {
    const auto one_of = [&](std::size_t n) { return static_cast<std::size_t>(random.next() % n); };
    constexpr std::array<double, 3> kMoves{0.02, 0.1, 0.3}, kShares{0.05, 0.2, 0.5};
    Genes genes = dearest_[one_of(dearest_.size())].genes;
    const double move = kMoves[one_of(3)], share = kShares[one_of(3)];
    const std::size_t always = one_of(genes.size());
    for (std::size_t i = 0; i < genes.size(); ++i) {
      const bool moves = random.uniform() < share || i == always;
      if (moves) genes[i] = std::clamp(genes[i] + move * random.normal(), 0.0, 1.0);
    }
    return genes;
  }
  void keep(const Genes& genes, double rank) {
    const auto cheaper =
        std::find_if(dearest_.begin(), dearest_.end(), [&](const Kept& other) { return other.rank < rank; });
    dearest_.insert(cheaper, {genes, rank});
    if (dearest_.size() > kKept) dearest_.pop_back();
  }

 private:
  static constexpr std::size_t kKept = 6;
  struct Kept {
    Genes genes;
    double rank = 0;
  };
  std::vector<Kept> dearest_;  // first
};

struct Row {
  std::string scene;
  std::vector<double> costs;
  double most_drawn = 0, most_searched = 0;
  long uncertified = 0, refused = 0, late = 0;
  bool same_bits = true;
  std::string refusal;  // the last one

  bool good() const { return uncertified == 0 && late == 0 && same_bits; }
};

class RandomBench {
 public:
  RandomBench(const BenchOptions& options, Predictor& predictor, const std::string& name,
              std::uint32_t number)
      : n_(options.random),
        predictor_(predictor),
        name_(name),
        random_(options.seed, kFirstPurpose + number),
        progress_(name, n_) {}

  Row measure(const Scene& base) {
    row_.scene = name_;
    const long drawn = (n_ + 1) / 2, most = std::clamp(n_ / 4, 1L, kTicksOfDraw);
    int refusals = 0;
    while (done() < n_ && refusals < kMostRefusals) {
      const bool searched = done() >= drawn;
      const long ticks = std::min(most, (searched ? n_ : drawn) - done());
      Genes genes = searched ? search_.mutate(random_) : Genes{};
      const Scene scene = draw_scene(name_, base, static_cast<double>(most) * base.step, random_, genes);
      const auto run = try_run(scene);
      refusals = run ? 0 : refusals + 1;
      if (!run) continue;
      double& worst = searched ? row_.most_searched : row_.most_drawn;
      search_.keep(genes, follow(*run, ticks, worst));
    }
    return row_;
  }

 private:
  static constexpr std::uint32_t kFirstPurpose = 100;  // of random numbers; those of Disturbance stand before

  long done() const { return static_cast<long>(row_.costs.size()); }

  std::unique_ptr<Run> try_run(const Scene& scene) {
    const std::uint64_t noise_seed = random_.next();
    try {
      return predictor_.begin(scene, noise_seed);
    } catch (const std::runtime_error& e) {
      ++row_.refused;
      row_.refusal = e.what();
      return nullptr;
    }
  }

  // The highest rank of its ticks.
  double follow(Run& run, long ticks, double& worst) {
    double rank = 0;
    int failures = 0;
    for (long k = 1; k <= ticks && failures < kMostFailures; ++k) {
      const Outcome tick = run.tick(k);
      row_.costs.push_back(tick.cost);
      progress_.at(done());
      worst = std::max(worst, tick.cost);
      rank = std::max(rank, tick.rank);
      if (!tick.certified) ++row_.uncertified;
      failures = tick.failed ? failures + 1 : 0;
    }
    row_.late += run.late();
    row_.same_bits = row_.same_bits && run.same_bits();
    return rank;
  }

  const long n_;
  Predictor& predictor_;
  const std::string name_;
  Numbers random_;
  Progress progress_;
  GeneSearch search_;
  Row row_;
};

void print(const BenchOptions& options, const std::vector<Row>& rows) {
  const bool time = options.board.empty();
  const int digits = time ? 2 : 0;
  if (!options.json) {
    fmt::print("| {:<12} | {:>10} | {:>10} | {:>12} | {:>15} | {:>11} | {:>7} | {:>6} |\n", "scene", "mean",
               "99.9 %", "worst, drawn", "worst, searched", "uncertified", "refused", "late");
    fmt::print("|{:-<14}|{:->11}:|{:->11}:|{:->13}:|{:->16}:|{:->12}:|{:->8}:|{:->7}:|\n", "", "", "", "", "",
               "", "", "");
  }
  std::string lines;
  for (const Row& row : rows) {
    const BenchRow sum = row.costs.empty() ? BenchRow{} : summarise("", "", row.costs, 0);
    const auto number = [&](double x) {
      return row.costs.empty() ? "null" : fmt::format("{:.{}f}", x, digits);
    };
    const double worst = std::max(row.most_drawn, row.most_searched);
    if (!options.json)
      fmt::print("| {:<12} | {:>10} | {:>10} | {:>12} | {:>15} | {:>11} | {:>7} | {:>6} |\n", row.scene,
                 number(sum.mean), number(sum.high), number(row.most_drawn), number(row.most_searched),
                 row.uncertified, row.refused, row.late);
    lines += fmt::format(R"({{"scene": "{}", "board": {}, "n": {}, "mean": {}, "p999": {}, "worst": {}, )"
                         R"("uncertified": {}, "refused": {}, "late": {}}})"
                         "\n",
                         row.scene, nlohmann::json(time ? "host" : options.board).dump(), row.costs.size(),
                         number(sum.mean), number(sum.high), number(worst), row.uncertified, row.refused,
                         row.late);
  }
  if (!options.json)
    fmt::print("\n{} ticks a scene, in {}; {} beat{} in a tick\n", options.random,
               time ? "us of this host" : "instructions of " + options.board, options.beats,
               options.beats > 1 ? "s" : "");
  fmt::print("{}", lines);
}

}  // namespace

int run_bench_random(const BenchOptions& options) {
  const std::vector<std::string> names = random_scene_names();
  std::vector<Scene> scenes;
  for (const std::string& name : names) scenes.push_back(read_scene(scene_file(options, name)));
  Predictor predictor(options);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < scenes.size(); ++i)
    rows.push_back(
        RandomBench(options, predictor, names[i], static_cast<std::uint32_t>(i)).measure(scenes[i]));
  print(options, rows);
  int status = kExitOk;
  for (const Row& row : rows) {
    if (static_cast<long>(row.costs.size()) < options.random) {
      fmt::print(stderr, "tactus: {}: left after {} refusals in a row; {}\n", row.scene, kMostRefusals,
                 row.refusal);
      status = kExitUnsupported;
    }
    if (!row.same_bits)
      fmt::print(stderr,
                 "tactus: {}: the board and the host's own core differ (is the image built from the same "
                 "sources as this command?)\n",
                 row.scene);
  }
  const bool good = std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.good(); });
  return good ? status : kExitRunFailed;
}

}  // namespace tactus::host
