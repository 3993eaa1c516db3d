#include "recorder.hpp"

namespace tactus::host {

Recorder::Recorder(const Scene& scene, const StepSample& initial, const OutputOptions& options, long steps,
                   bool with_board, const std::vector<std::string>& extra_columns)
    : scene_(scene), options_(options) {
  if (!options.report.empty()) demand_report(options.report);
  if (!options.csv.empty()) csv_.emplace(options.csv, csv_columns(scene));
  if (!options.mcap.empty()) log_.emplace(options.mcap, scene, with_board);
  if (!options.report.empty()) report_.emplace(scene, initial, steps, extra_columns);
}

void Recorder::add(long k, double t, const StepSample& sample, const std::vector<double>& extra) {
  if (!csv_ && !log_ && !report_) return;
  csv_values(scene_, t, sample, values_);
  if (k % options_.every == 0) {
    if (csv_) csv_->write(values_);
    if (log_) log_->step(values_, sample);
  }
  if (report_) report_->add(k, values_, sample, extra);
}

void Recorder::close() {
  if (csv_) csv_->close();
  if (log_) log_->close();
  if (report_) report_->write(options_.report);
}

}  // namespace tactus::host
