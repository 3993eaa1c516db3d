// The report: one HTML file that shows a run, without a reference to anything outside of it. The page is
// bundled at build time (host_sim/report) and carried in the command; here the run is written into it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plant.hpp"

namespace tactus::host {

// False where the report was left out of the build, because npm or its packages were missing.
bool report_built_in();
// The sentence for that.
std::string report_missing();

// Checks before a long run that the report can be written: Unsupported or InputError.
void demand_report(const std::string& file);

struct Verdict {
  enum class State { good, look, bad } state = State::good;
  std::string text;
};

// Collects a run step by step. At most kSamples steps are kept: of a longer run every n-th, and of what is
// judged by its worst (pivots, residual, status, cost, differences) the worst of those between.
class Report {
 public:
  static constexpr long kSamples = 20000;

  static constexpr std::size_t kElements = 36;  // of a pair with more the forces of each are left out

  Report(const Scene& scene, const StepSample& initial, long steps,
         const std::vector<std::string>& extra_columns);

  // `values` as csv_values gives them; `extra` one for each extra column.
  void add(long step, const std::vector<double>& values, const StepSample& sample,
           const std::vector<double>& extra);

  Verdict verdict;
  double tick = 0;  // s between two calls of add(); 0: the scene's step
  std::string subtitle;
  std::vector<std::array<std::string, 3>> tiles;  // label, value, unit
  std::vector<std::pair<std::string, std::string>> facts;
  // What the column "cost" counts, if there is one: of a "tick", in "instructions", the budget (0: none), a
  // note.
  struct Cost {
    std::string of, unit, note;
    double budget = 0;
  };
  std::optional<Cost> cost;
  std::string prediction_note;

  // Throws InputError where the file cannot be written, std::runtime_error where not in full.
  void write(const std::string& file) const;

 private:
  struct Column {
    std::string name;
    bool worst = false;  // of the steps between two samples, not the last
    std::vector<float> values;
    bool element = false;
  };
  const Scene& scene_;
  long steps_, stride_;
  std::vector<std::size_t> elements_;  // of each contact whose elements are shown
  std::vector<Column> columns_;
  std::vector<double> row_, held_;
};

}  // namespace tactus::host
