// The CSV of `tactus run` and `tactus hil`: a header, then one line for each step.
#pragma once

#include <string>
#include <vector>

#include "output_file.hpp"
#include "plant.hpp"

namespace tactus::host {

// The names of the columns and, in the same order, their values after a step; the report uses them, too.
std::vector<std::string> csv_columns(const Scene& scene);
void csv_values(const Scene& scene, double t, const StepSample& sample, std::vector<double>& values);

// The same of single elements, which follow the others where they are asked for: how many there are says a
// sample.
std::vector<std::string> element_columns(const Scene& scene, const StepSample& sample);
void add_elements(const Scene& scene, const StepSample& sample, std::vector<double>& values);

// Throws InputError where the file cannot be written. Numbers are the shortest text that reads back as the
// same bits; one that is not finite is an empty cell.
class CsvWriter {
 public:
  CsvWriter(const std::string& file, const std::vector<std::string>& columns);
  void write(const std::vector<double>& values);
  void close() { file_.close(); }

 private:
  OutputFile file_;
  std::string line_;
};

}  // namespace tactus::host
