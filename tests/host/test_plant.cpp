// Scenes of host_sim/scenes run as the command runs them, against the reference cases and closed forms.
//
//     test_plant SCENES
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "plant.hpp"
#include "scene_reader.hpp"
#include "unity.h"

using namespace tactus::host;

namespace {

std::string scenes;

nlohmann::json reference(const std::string& name) {
  std::ifstream in(std::string(TACTUS_CASES_DIR) + "/" + name);
  TEST_ASSERT_TRUE_MESSAGE(static_cast<bool>(in), name.c_str());
  return nlohmann::json::parse(in);
}

// The gap rule on the ellipse, largest distance to the event-driven motion at its 200 instants: the figure of
// the reference, which is for the same rule, law and step, so within the 1e-8 that a trajectory of the same
// rule has.
void test_ellipse_follows_the_reference() {
  const auto truth = reference("planar/ellipse_rigid_h1e-4.json")["event_driven_traj"];
  const auto expected = reference(
      "planar/ellipse_contact_rules.json")["vs_event_driven_h1e-4"]["geo_eps1e-10"]["max_dq_vs_event"];
  const Scene scene = read_scene(scenes + "/ellipse.json");
  const auto plant = make_plant(scene, false);
  std::array<double, 3> worst{};
  std::size_t next = 1;
  for (long k = 1; k <= scene.steps(); ++k) {
    const StepSample& sample = plant->step();
    TEST_ASSERT_EQUAL_INT(0, sample.status);
    if (next >= truth["t"].size() || k != std::lround(truth["t"][next].get<double>() / scene.step)) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      worst[i] = std::max(worst[i], std::fabs(sample.bodies[1].pose[i] - truth["q"][next][i].get<double>()));
    }
    ++next;
  }
  TEST_ASSERT_EQUAL_size_t(truth["t"].size(), next);
  for (std::size_t i = 0; i < 3; ++i) {
    // The reference looks at every step, this at every hundredth, so it may miss a little of the peak.
    const double bound = expected[i].get<double>();
    TEST_ASSERT_TRUE(worst[i] <= bound + 1e-8);
    TEST_ASSERT_TRUE(worst[i] >= 0.98 * bound);
  }
}

// Sum of the normal forces of a body at rest is its weight; the centre of pressure lies below the centre of
// mass.
void test_resting_box_is_carried() {
  const std::string text = R"({"tactus": 1, "name": "rest", "plane": false, "gravity": [0, 0, -9.81],
    "time": {"step": 0.001, "end": 0.5}, "method": "rigid", "facets": 8,
    "bodies": [{"name": "floor", "shape": {"halfspace": {"normal": [0, 0, 1], "offset": 0}}},
               {"name": "box", "mass": 2, "inertia": [0.01, 0.01, 0.013], "shape": {"box": [0.1, 0.1, 0.05]},
                "pose": [0.3, -0.2, 0.05, 1, 0, 0, 0]}],
    "contacts": [{"between": ["floor", "box"], "mu": 0.3}]})";
  const Scene scene = parse_scene(text, "rest.json");
  const auto plant = make_plant(scene, false);
  for (long k = 1; k <= scene.steps(); ++k) {
    const ContactSample& contact = plant->step().contacts[0];
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2 * 9.81, contact.force[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.3, contact.point[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, -0.2, contact.point[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, contact.gap);
  }
}

// A free fall: y = -g h^2 n (n + 1) / 2 in the scheme, and the energy is gravity's.
void test_free_fall_and_energy() {
  const std::string text = R"({"tactus": 1, "name": "fall", "plane": true, "gravity": [0, -10],
    "time": {"step": 0.01, "end": 0.5}, "method": "rigid",
    "bodies": [{"name": "ball", "mass": 3, "inertia": 1, "shape": {"disc": 0.1}, "pose": [0, 100, 0], "velocity": [1, 0, 2],
                "force": {"table": [[0, 0, 0, 0], [0.5, 6, 0, 0]]}}],
    "contacts": []})";
  const Scene scene = parse_scene(text, "fall.json");
  const auto plant = make_plant(scene, false);
  // 3/2 (1 + 0) + 1/2 * 1 * 2^2 before the first step.
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.5 + 2, plant->initial().kinetic);
  const StepSample* last = nullptr;
  for (int k = 0; k < 50; ++k) last = &plant->step();
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 100 - 10 * 0.01 * 0.01 * 50 * 51 / 2, last->bodies[0].pose[1]);
  // f(t_k) = 12 t_k over the steps k = 0 .. 49: v = 1 + h / m * sum = 1 + 0.01 / 3 * 12 * 0.01 * (49 * 50 /
  // 2).
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1 + 0.01 / 3 * 12 * 0.01 * 1225, last->bodies[0].velocity[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3 * 10 * (last->bodies[0].pose[1] - 100), last->potential);
}

// The same scene twice is the same in every bit, and float differs from double by rounding only.
void test_runs_repeat() {
  const Scene scene = read_scene(scenes + "/ellipse.json");
  const auto a = make_plant(scene, false), b = make_plant(scene, false), f = make_plant(scene, true);
  for (int k = 0; k < 2000; ++k) {
    const auto& x = a->step().bodies[1].pose;
    TEST_ASSERT_TRUE(x == b->step().bodies[1].pose);
    const auto& y = f->step().bodies[1].pose;
    for (std::size_t i = 0; i < 3; ++i) TEST_ASSERT_DOUBLE_WITHIN(1e-4, x[i], y[i]);
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  scenes = argv[1];
  UNITY_BEGIN();
  RUN_TEST(test_ellipse_follows_the_reference);
  RUN_TEST(test_resting_box_is_carried);
  RUN_TEST(test_free_fall_and_energy);
  RUN_TEST(test_runs_repeat);
  return UNITY_END();
}
