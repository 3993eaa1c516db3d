// What the tests against the reference cases share: a case file, its numbers, and worlds built without a
// word.
#pragma once

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tactus/stepper/build.hpp"
#include "tactus/stepper/step.hpp"
#include "unity.h"

namespace reference {

using Json = nlohmann::json;

inline Json load(const std::string& name) {
  std::ifstream file(std::string(TACTUS_CASES_DIR) + "/" + name);
  TEST_ASSERT_TRUE_MESSAGE(file.good(), name.c_str());
  return Json::parse(file);
}

inline std::vector<double> numbers(const Json& json) {
  return json.get<std::vector<double>>();
}

inline void must(tactus::stepper::BuildError error) {
  TEST_ASSERT_EQUAL_STRING_MESSAGE("The world was changed as asked.", tactus::stepper::sentence(error),
                                   "while the world was built");
}

// Largest difference seen of one quantity, printed at the end so that a run shows how near its tolerance it
// is.
struct Worst {
  explicit Worst(std::string what) : name(std::move(what)) {}
  void see(double error) { value = error <= value ? value : error; }  // NaN is kept
  void within(double tolerance) const {
    std::printf("%s: %.3g (tolerance %.3g)\n", name.c_str(), value, tolerance);
    TEST_ASSERT_TRUE_MESSAGE(value <= tolerance, name.c_str());
  }
  std::string name;
  double value = 0;
};

}  // namespace reference
