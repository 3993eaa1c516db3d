// A body that turns freely, as scenes run it: by every law and in both precisions it keeps energy and angular
// momentum, and what spins too fast for the step is refused before it runs.
//
//     test_free_motion DEFECTS
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include "input_error.hpp"
#include "plant.hpp"
#include "scene_reader.hpp"
#include "unity.h"

using namespace tactus::host;

namespace {

std::string folder;

std::string text_of(const std::string& name) {
  std::ifstream file(folder + "/" + name + ".json");
  std::stringstream text;
  text << file.rdbuf();
  TEST_ASSERT_TRUE_MESSAGE(!text.str().empty(), name.c_str());
  return text.str();
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  TEST_ASSERT_TRUE_MESSAGE(at != std::string::npos, from.c_str());
  return text.replace(at, from.size(), to);
}

// I R^T omega turned to the world: the moments of tumble.json's third body.
std::array<double, 3> momentum(const BodySample& body) {
  constexpr double kMoments[] = {0.02, 0.01, 0.012};
  const auto& p = body.pose;
  const double w = p[3], q[] = {p[4], p[5], p[6]};
  double R[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int k = 3 - i - j;
      const double cross = i == j ? 0 : ((j - i + 3) % 3 == 1 ? -w : w) * q[k];
      R[i][j] = 2 * (q[i] * q[j] + cross) + (i == j ? 2 * w * w - 1 : 0);
    }
  std::array<double, 3> L{};
  for (int k = 0; k < 3; ++k) {
    double own = 0;
    for (int i = 0; i < 3; ++i) own += R[i][k] * body.velocity[static_cast<std::size_t>(3 + i)];
    for (int i = 0; i < 3; ++i) L[static_cast<std::size_t>(i)] += R[i][k] * kMoments[k] * own;
  }
  return L;
}

void test_a_tumbling_body_keeps_what_it_has() {
  for (const char* law : {R"("rigid")", R"("implicit")", R"("cone")"}) {
    for (const bool single : {false, true}) {
      const Scene scene = parse_scene(with(text_of("tumble"), R"("rigid")", law), law);
      const auto plant = make_plant(scene, single);
      const double energy = plant->initial().kinetic;
      const auto L = momentum(plant->initial().bodies[2]);
      // (0.02 30^2 + 0.01 15^2 + 0.012 9^2) / 2
      TEST_ASSERT_DOUBLE_WITHIN(1e-5, 10.611, energy);
      const double tolerance = single ? 2e-5 : 1e-12;
      for (long k = 0; k < scene.steps(); ++k) {
        const StepSample& sample = plant->step();
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, sample.status, law);
        TEST_ASSERT_DOUBLE_WITHIN(tolerance * energy, energy, sample.kinetic);
        const auto now = momentum(sample.bodies[2]);
        for (std::size_t i = 0; i < 3; ++i) TEST_ASSERT_DOUBLE_WITHIN(tolerance, L[i], now[i]);
      }
    }
  }
}

void refused(const std::string& text, const char* reason) {
  try {
    parse_scene(text, "a scene");
  } catch (const InputError& error) {
    TEST_ASSERT_EQUAL_STRING((std::string("a scene: bodies[2].velocity: ") + reason).c_str(), error.what());
    return;
  }
  TEST_FAIL_MESSAGE(reason);
}

void test_what_spins_too_fast_is_refused() {
  refused(text_of("spin_float"), "turns by 1.15758e+27 rad in a step of 0.001 s; 4 are the most");
  const std::string fast = "[0, 0, 0, 2400, 0, -3200.1]", slow = "[0, 0, 0, 2400, 0, -3199.9]";
  const std::string spin = "[0, 0, 0, 30, 15.0, 9.0]";
  refused(with(text_of("tumble"), spin, fast), "turns by 4.00008 rad in a step of 0.001 s; 4 are the most");
  const Scene scene = parse_scene(with(text_of("tumble"), spin, slow), "a scene");
  TEST_ASSERT_EQUAL_INT(0, make_plant(scene, false)->step().status);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  folder = argv[1];
  UNITY_BEGIN();
  RUN_TEST(test_a_tumbling_body_keeps_what_it_has);
  RUN_TEST(test_what_spins_too_fast_is_refused);
  return UNITY_END();
}
