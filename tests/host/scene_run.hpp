// A scene of host_sim/scenes, run to its end.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "plant.hpp"
#include "scene_reader.hpp"
#include "unity.h"

using namespace tactus::host;

namespace {

std::string folder;
constexpr double kG = 9.81;

// A whole scene: every step is solved.
struct Run {
  Scene scene;
  std::vector<StepSample> after;

  explicit Run(const std::string& name) : scene(read_scene(folder + "/" + name + ".json")) {
    const auto plant = make_plant(scene, false);
    for (long k = 1; k <= scene.steps(); ++k) {
      after.push_back(plant->step());
      TEST_ASSERT_EQUAL_INT_MESSAGE(0, after.back().status, name.c_str());
      TEST_ASSERT_TRUE_MESSAGE(after.back().residual <= 1e-8, name.c_str());
    }
  }
  // The end of the first step in which that contact is in that mode; infinite if none.
  double first(std::size_t contact, int mode) const {
    for (std::size_t k = 0; k < after.size(); ++k) {
      if (after[k].contacts[contact].mode == mode) return scene.step * static_cast<double>(k + 1);
    }
    return std::numeric_limits<double>::infinity();
  }
  const BodySample& end(std::size_t body) const { return after.back().bodies[body]; }
};

void check_within_a_step(const Run& run, double expected, double found) {
  // A step is called by its end, and a force is that at the step's start.
  TEST_ASSERT_DOUBLE_WITHIN(2 * run.scene.step, expected + run.scene.step, found);
}

// The main program of a test whose one argument is the folder of the scenes.
int with_scenes(int argc, char** argv, void (*run_tests)()) {
  if (argc != 2) return 2;
  folder = argv[1];
  UNITY_BEGIN();
  run_tests();
  return UNITY_END();
}

}  // namespace

void setUp() {}
void tearDown() {}
