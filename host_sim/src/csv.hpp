// The CSV of `tactus run` and `tactus hil`: a header, then one line for each step.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "plant.hpp"

namespace tactus::host {

// The names of the columns and, in the same order, their values after a step; the report uses them, too.
std::vector<std::string> csv_columns(const Scene& scene);
void csv_values(const Scene& scene, double t, const StepSample& sample, std::vector<double>& values);

// Throws InputError where the file cannot be written. Numbers are the shortest text that reads back as the
// same bits.
class CsvWriter {
 public:
  CsvWriter(const std::string& file, const std::vector<std::string>& columns);
  void write(const std::vector<double>& values);
  void close();  // throws std::runtime_error where the disk is full; without it the rest is written, silently

 private:
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::string name_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string line_;
};

}  // namespace tactus::host
