#include "recorder.hpp"

namespace tactus::host {

Recorder::Recorder(const Scene& scene, const StepSample& initial, const OutputOptions& options, long steps,
                   bool with_board, const std::vector<std::string>& extra_columns)
    : scene_(scene), options_(options) {
  if (!options.report.empty()) demand_report(options.report);
  if (!options.csv.empty()) {
    auto columns = csv_columns(scene);
    if (options.elements)
      for (auto& name : element_columns(scene, initial)) columns.push_back(std::move(name));
    csv_.emplace(options.csv, columns);
  }
  if (!options.mcap.empty()) log_.emplace(options.mcap, scene, with_board);
  if (!options.report.empty()) report_.emplace(scene, initial, steps, extra_columns);
}

void Recorder::add(long k, double t, const StepSample& sample, const std::vector<double>& extra) {
  if (!csv_ && !log_ && !report_) return;
  csv_values(scene_, t, sample, values_);
  if (report_) report_->add(k, values_, sample, extra);
  if (k % options_.every != 0) return;
  if (log_) log_->step(values_, sample);
  if (options_.elements) add_elements(scene_, sample, values_);
  if (csv_) csv_->write(values_);
}

void Recorder::close() {
  if (csv_) csv_->close();
  if (log_) log_->close();
  if (report_) report_->write(options_.report);
}

}  // namespace tactus::host
