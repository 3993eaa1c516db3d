// What a run leaves behind: CSV, log and report, each if it was asked for, all from the same row of numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "csv.hpp"
#include "log.hpp"
#include "report.hpp"

namespace tactus::host {

class Recorder {
 public:
  // Throws InputError where a file cannot be written, Unsupported where this build has no report.
  Recorder(const Scene& scene, const StepSample& initial, const OutputOptions& options, long steps,
           bool with_board, const std::vector<std::string>& extra_columns = {});

  // Step k = 1, 2, ... ends at time t; `extra` has a value for each extra column of the report.
  void add(long k, double t, const StepSample& sample, const std::vector<double>& extra = {});
  Log* log() { return log_ ? &*log_ : nullptr; }
  // To be told what the run was, before close().
  Report* report() { return report_ ? &*report_ : nullptr; }
  // Throws where something could not be written in full.
  void close();

 private:
  const Scene& scene_;
  const OutputOptions& options_;
  std::optional<CsvWriter> csv_;
  std::optional<Log> log_;
  std::optional<Report> report_;
  std::vector<double> values_;
};

}  // namespace tactus::host
