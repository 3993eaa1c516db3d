#include "ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "csv.hpp"
#include "digits.hpp"
#include "input_error.hpp"
#include "numbers.hpp"
#include "plant.hpp"
#include "progress.hpp"

namespace tactus::host {
namespace {

using Deviations = predictor::Disturbance<double>;

struct Quantity {
  const char* name;
  double Deviations::*number;
  double usual;
  const char* unit;
};
// Places are hardly off by themselves: what starts inside another body is pushed out within a step.
constexpr Quantity kQuantities[] = {{"mass", &Deviations::mass, 0.02, "of each mass and inertia"},
                                    {"friction", &Deviations::friction, 0.02, "of each coefficient"},
                                    {"restitution", &Deviations::restitution, 0, ""},
                                    {"position", &Deviations::position, 1e-6, "m"},
                                    {"angle", &Deviations::angle, 1e-6, "rad"},
                                    {"velocity", &Deviations::velocity, 1e-3, "m/s"},
                                    {"angular_velocity", &Deviations::angular_velocity, 1e-3, "rad/s"},
                                    {"joint", &Deviations::joint, 1e-6, "rad or m"}};

// Of one number over the members (Welford).
struct Spread {
  long n = 0;
  double mean = 0, squares = 0;
  double least = std::numeric_limits<double>::infinity(), most = -least;

  void add(double x) {
    const double from = x - mean;
    mean += from / static_cast<double>(++n);
    squares += from * (x - mean);
    least = std::min(least, x);
    most = std::max(most, x);
  }
  double deviation() const { return n > 1 ? std::sqrt(squares / static_cast<double>(n - 1)) : 0; }
};

// A pair's mode after the first step, or a change of it, one after the other.
using Changes = std::vector<std::pair<std::size_t, int>>;

struct Outcome {
  int members = 0, first = 0;
};

// What became of the members.
struct Ensemble {
  int certified = 0, failed = 0;
  int first_failed = -1;
  double failed_at = 0;
  const char* reason = "";
  std::map<Changes, Outcome> outcomes;
  std::vector<Spread> cells;  // row by row, a row each written step
};

constexpr std::size_t kMostCells = 8'000'000;  // of a CSV, about 0.3 GB
constexpr const char* kModes[] = {"open", "stick", "slip"};

// One member. False where a step is not certified; `rows` are then of no worth.
bool run_member(const Scene& scene, const RunOptions& options, Plant& plant, int member, Progress& progress,
                std::vector<double>& rows, Changes& changes, Ensemble& all) {
  const long steps = scene.steps();
  std::vector<double> row;
  std::vector<int> modes(scene.contacts.size(), -1);
  rows.clear();
  for (long k = 1; k <= steps; ++k) {
    const StepSample& sample = plant.step();
    if (sample.status != 0) {
      if (all.first_failed < 0)
        all.first_failed = member, all.failed_at = scene.step * static_cast<double>(k),
        all.reason = sample.reason;
      return false;
    }
    for (std::size_t i = 0; i < modes.size(); ++i) {
      if (modes[i] == sample.contacts[i].mode) continue;
      modes[i] = sample.contacts[i].mode;
      changes.emplace_back(i, modes[i]);
    }
    progress.at(member * steps + k);
    const bool written = !options.output.csv.empty() && k % options.output.every == 0;
    if (!written && k < steps) continue;
    csv_values(scene, scene.step * static_cast<double>(k), sample, row);
    if (options.output.elements) add_elements(scene, sample, row);
    if (written) rows.insert(rows.end(), row.begin(), row.end());
  }
  rows.insert(rows.end(), row.begin(), row.end());  // the end, whether it is written or not
  return true;
}

std::string words(const Scene& scene, const Changes& changes) {
  std::string text;
  for (const auto& [contact, mode] : changes)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", scene.contacts[contact].name(), kModes[mode]);
  return text.empty() ? "no contact" : text;
}

nlohmann::json summary(const Spread& s) {
  if (s.n == 0) return nullptr;
  return {{"mean", s.mean}, {"sd", s.deviation()}, {"min", s.least}, {"max", s.most}};
}

using Sorted = std::vector<std::pair<Changes, Outcome>>;

// The most frequent first.
Sorted sorted(const Ensemble& all) {
  Sorted list(all.outcomes.begin(), all.outcomes.end());
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    return a.second.members != b.second.members ? a.second.members > b.second.members
                                                : a.second.first < b.second.first;
  });
  return list;
}

std::string json_line(const Scene& scene, const RunOptions& options, const Ensemble& all,
                      const std::vector<std::string>& columns, const Spread* end) {
  nlohmann::ordered_json line = {{"ensemble", options.ensemble.members},
                                 {"seed", options.ensemble.seed},
                                 {"certified", all.certified},
                                 {"failed", all.failed},
                                 {"first_failed", nullptr}};
  if (all.first_failed >= 0) line["first_failed"] = all.first_failed;
  auto& outcomes = line["outcomes"] = nlohmann::json::array();
  for (const auto& [changes, outcome] : sorted(all)) {
    nlohmann::ordered_json one = {{"members", outcome.members}, {"first", outcome.first}};
    auto& list = one["changes"] = nlohmann::json::array();
    for (const auto& [contact, mode] : changes)
      list.push_back({scene.contacts[contact].name(), kModes[mode]});
    outcomes.push_back(std::move(one));
  }
  auto& last = line["end"] = nlohmann::json::object();
  for (std::size_t i = 1; i < columns.size(); ++i) last[columns[i]] = summary(end[i]);
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void print(const Scene& scene, const RunOptions& options, const Deviations& by, const Ensemble& all,
           const std::vector<std::string>& columns, const Spread* end) {
  fmt::print("{}: {}, {}, {} members of {} steps of {} s, seed {}\n", scene.name, to_string(scene.method),
             options.single ? "float" : "double", options.ensemble.members, scene.steps(), scene.step,
             options.ensemble.seed);
  for (const Quantity& q : kQuantities)
    if (by.*q.number > 0) fmt::print("  off by up to {:.6g} {}: {}\n", by.*q.number, q.unit, q.name);
  fmt::print("  certified {}, failed {}\n", all.certified, all.failed);
  if (all.failed > 0)
    fmt::print("  the first that failed is member {}, at {:.6g} s. {}\n", all.first_failed, all.failed_at,
               all.reason);
  constexpr std::size_t kShown = 12;
  const Sorted list = sorted(all);
  for (std::size_t i = 0; i < list.size() && i < kShown; ++i) {
    const auto& [changes, outcome] = list[i];
    fmt::print("  {:5.1f} %, first member {}: {}\n", 100.0 * outcome.members / all.certified, outcome.first,
               one_line(words(scene, changes), 160));
  }
  if (list.size() > kShown) fmt::print("  and {} other outcomes\n", list.size() - kShown);
  if (all.certified > 0)
    fmt::print("  {:<24} {:>14} {:>14} {:>14} {:>14}\n", "at the end", "mean", "deviation", "least", "most");
  for (std::size_t i = 1; i < columns.size() && all.certified > 0; ++i)
    fmt::print("  {:<24} {:>14} {:>14} {:>14} {:>14}\n", columns[i], digits(end[i].mean, 6),
               digits(end[i].deviation(), 6), digits(end[i].least, 6), digits(end[i].most, 6));
  if (!options.output.csv.empty()) fmt::print("  {}\n", options.output.csv);
  fmt::print("{}\n", json_line(scene, options, all, columns, end));
}

void write_csv(const Ensemble& all, const std::vector<std::string>& columns, CsvWriter& csv) {
  std::vector<double> values;
  const std::size_t width = columns.size();
  for (std::size_t first = 0; first + width < all.cells.size(); first += width) {
    values.assign(1, all.cells[first].mean);
    for (std::size_t i = 1; i < width; ++i) {
      const Spread& s = all.cells[first + i];
      values.insert(values.end(), {s.mean, s.deviation(), s.least, s.most});
    }
    csv.write(values);
  }
  csv.close();
}

}  // namespace

Deviations deviations(const EnsembleOptions& options) {
  Deviations by;
  by.seed = options.seed;
  for (const Quantity& q : kQuantities) by.*q.number = options.off.empty() ? q.usual : 0;
  for (const std::string& text : options.off) {
    const auto at = text.find('=');
    const auto q = std::find_if(std::begin(kQuantities), std::end(kQuantities),
                                [&](const Quantity& known) { return text.substr(0, at) == known.name; });
    if (at == std::string::npos || q == std::end(kQuantities)) {
      std::string known;
      for (const Quantity& other : kQuantities)
        known += (known.empty() ? "" : ", ") + std::string(other.name);
      throw InputError("--off", text, "must be WHAT=AMOUNT, with one of " + known);
    }
    char* end = nullptr;
    const double x = std::strtod(text.c_str() + at + 1, &end);
    if (end == text.c_str() + at + 1 || *end != '\0' || !std::isfinite(x) || x < 0)
      throw InputError("--off", text, "the amount must be a finite number that is not negative");
    if (q->number == &Deviations::mass && x >= 1)
      throw InputError("--off", text, "of a mass it must be below 1");
    by.*q->number = x;
  }
  return by;
}

int run_ensemble(const Scene& scene, const RunOptions& options) {
  const Deviations by = deviations(options.ensemble);
  const auto plant = make_plant(scene, options.single);
  auto columns = csv_columns(scene);
  if (options.output.elements)
    for (auto& name : element_columns(scene, plant->initial())) columns.push_back(std::move(name));
  const bool written = !options.output.csv.empty();
  const auto lines = static_cast<std::size_t>(written ? scene.steps() / options.output.every : 0) + 1;
  if (lines > kMostCells / columns.size())
    throw Unsupported(
        fmt::format("{}: {} lines of {} columns are over this build's capacity of {} numbers of an ensemble: "
                    "--every K writes fewer",
                    scene.file, lines, columns.size(), kMostCells));
  std::optional<CsvWriter> csv;
  if (written) {
    std::vector<std::string> heads{"t"};
    for (std::size_t i = 1; i < columns.size(); ++i)
      for (const char* tail : {"mean", "sd", "min", "max"}) heads.push_back(columns[i] + "." + tail);
    csv.emplace(options.output.csv, heads);
  }
  Ensemble all;
  all.cells.resize(lines * columns.size());
  {
    Progress progress(scene.name, scene.steps() * options.ensemble.members);
    std::vector<double> rows;
    for (int m = 0; m < options.ensemble.members; ++m) {
      plant->restart(by, m);
      Changes changes;
      if (!run_member(scene, options, *plant, m, progress, rows, changes, all)) {
        ++all.failed;
        continue;
      }
      ++all.certified;
      const auto [outcome, fresh] = all.outcomes.try_emplace(std::move(changes), Outcome{0, m});
      ++outcome->second.members;
      for (std::size_t i = 0; i < rows.size(); ++i) all.cells[i].add(rows[i]);
    }
  }
  if (csv) write_csv(all, columns, *csv);
  print(scene, options, by, all, columns, &all.cells[all.cells.size() - columns.size()]);
  return all.failed == 0 ? kExitOk : kExitRunFailed;
}

}  // namespace tactus::host
