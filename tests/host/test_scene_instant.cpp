// `tactus accel SCENE --at T`: A and b of a scene's instant against closed forms, and what has no instant.
#include <cmath>
#include <cstdio>
#include <cstring>

#include "input_error.hpp"
#include "scene_instant.hpp"
#include "scene_reader.hpp"
#include "unity.h"

using namespace tactus::host;

namespace {

SceneInstant at(const std::string& text, double time = 0, bool single = false) {
  return scene_instant(parse_scene(text, "test.json"), time, single);
}

void near(double want, double have, double within = 1e-9) {
  TEST_ASSERT_DOUBLE_WITHIN(within, want, have);
}

// A rod of 2 m and 1 kg, its lower end on the floor, 1 rad up; it slides at -1 m/s and spins about its end,
// so that the end's height is at rest. W = (0, 1, -cos), (1, 0, sin); W-dot v = spin^2 (sin, cos).
std::string rod(double spin) {
  const double s = std::sin(1.0), c = std::cos(1.0);
  char text[900];
  std::snprintf(
      text, sizeof text,
      R"({"tactus": 1, "name": "rod", "plane": true, "gravity": [0, -9.81], "time": {"step": 1e-4, "end": 1},
 "method": "rigid", "bodies": [{"name": "floor", "shape": {"halfspace": {"normal": [0, 1], "offset": 0}}},
 {"name": "rod", "mass": 1, "inertia": 0.3333333333333333, "shape": {"rod": 2}, "pose": [0, %.17g, 1],
  "velocity": [%.17g, %.17g, %.17g], "force": [0.5, 0.25, 0.125]}],
 "contacts": [{"between": ["floor", "rod"], "mu": 0.4}]})",
      s, -1 - s * spin, c * spin, spin);
  return text;
}

void rods() {
  const double s = std::sin(1.0), c = std::cos(1.0);
  for (const double spin : {0.0, 2.0, -7.0}) {
    const SceneInstant have = at(rod(spin));
    TEST_ASSERT_EQUAL_size_t(1, have.contacts.size());
    near(-1, have.contacts[0].velocity[1]);
    near(1 + 3 * c * c, have.entry.A[0]);
    near(-3 * s * c, have.entry.A[1]);
    near(1 + 3 * s * s, have.entry.A[3]);
    near(-9.81 + 0.25 - 3 * c * 0.125 + spin * spin * s, have.entry.b[0], 1e-8);
    near(0.5 + 3 * s * 0.125 + spin * spin * c, have.entry.b[1], 1e-8);
    near(0.4, have.entry.mu[0]);
    // Its first step: A h, and speeds for accelerations.
    TEST_ASSERT_TRUE(have.step.has_value());
    near(1e-4 * (1 + 3 * c * c), have.step->A(0, 0));
    near(1e-4 * (-9.81 + 0.25 - 3 * c * 0.125), have.step->b[0]);
  }
}

// A ball that rolls over a fixed one: gap'' = v_c^2 / (R + r), the centre's speed v_c.
void ball_on_ball() {
  const SceneInstant have = at(R"({"tactus": 1, "name": "balls", "plane": false, "gravity": [0, 0, -9.81],
 "time": {"step": 1e-4, "end": 1}, "method": "rigid", "bodies": [{"name": "big", "shape": {"sphere": 1.5}},
 {"name": "ball", "mass": 2, "inertia": [0.2, 0.2, 0.2], "shape": {"sphere": 0.5}, "pose": [0, 0, 2, 1, 0, 0, 0],
  "velocity": [0.6, -0.8, 0, 1.6, 1.2, 0]}],
 "contacts": [{"between": ["big", "ball"], "mu": 0.3}]})");
  TEST_ASSERT_EQUAL_size_t(1, have.contacts.size());
  near(1.0 / 2 - 9.81, have.entry.b[0], 1e-8);
  near(0.5, have.entry.A[0]);
  near(0.5 + 0.5 * 0.5 / 0.2, have.entry.A[4]);
  near(0, have.entry.velocity[0]);  // it rolls: v = omega x r
  near(0, have.entry.velocity[1]);
  TEST_ASSERT_TRUE(have.entry.cone);
}

// A ball with three different inertias that spins about none of its axes over a floor: I w' = -w x I w turns
// the tangential acceleration, a_T = w' x (-r n).
void unsymmetric_ball() {
  const SceneInstant have = at(R"({"tactus": 1, "name": "ball", "plane": false, "gravity": [0, 0, -9.81],
 "time": {"step": 1e-4, "end": 1}, "method": "rigid",
 "bodies": [{"name": "floor", "shape": {"halfspace": {"normal": [0, 0, 1], "offset": 0}}},
 {"name": "ball", "mass": 2, "inertia": [0.1, 0.2, 0.25], "shape": {"sphere": 0.5}, "pose": [0, 0, 0.5, 1, 0, 0, 0],
  "velocity": [0, 0, 0, 3, 1, 2]}], "contacts": [{"between": ["floor", "ball"], "mu": 0.3}]})");
  const double turn_x = -(0.25 - 0.2) * 1 * 2 / 0.1, turn_y = -(0.1 - 0.25) * 2 * 3 / 0.2;
  near(-9.81, have.entry.b[0], 1e-8);
  near(-0.5 * turn_y, have.entry.b[1], 1e-8);  // t = x: (w' x (0, 0, -r))_x = -r w'_y
  near(0.5 * turn_x, have.entry.b[2], 1e-8);   // o = y
}

// A disc on an arm of 1 m that turns about the origin, on a floor: the joint takes all but one freedom.
void behind_a_joint() {
  const SceneInstant have = at(R"({"tactus": 1, "name": "arm", "plane": true, "gravity": [0, -9.81],
 "time": {"step": 1e-4, "end": 1}, "method": "rigid",
 "bodies": [{"name": "floor", "shape": {"halfspace": {"normal": [0, 1], "offset": -0.25}}},
 {"name": "disc", "mass": 2, "inertia": 0.5, "shape": {"disc": 0.25}, "pose": [1, 0, 0], "velocity": [0, 0, 0]}],
 "joints": [{"type": "revolute", "between": ["floor", "disc"], "at": [0, 0]}],
 "contacts": [{"between": ["floor", "disc"], "mu": 0.3}]})");
  // About the joint I = 0.5 + 2; a push up at x = 1 and one along x at y = -0.25.
  near(1 / 2.5, have.entry.A[0]);
  near(0.25 / 2.5, std::fabs(have.entry.A[1]));
  near(0.0625 / 2.5, have.entry.A[3]);
  near(-2 * 9.81 / 2.5, have.entry.b[0], 1e-8);
}

template <class Error>
void refused(const std::string& text, double time, const char* words) {
  try {
    at(text, time);
  } catch (const Error& e) {
    TEST_ASSERT_NOT_NULL_MESSAGE(std::strstr(e.what(), words), e.what());
    return;
  }
  TEST_FAIL_MESSAGE(words);
}

void what_has_none() {
  const auto put = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  refused<Unsupported>(put(rod(0), "\"velocity\": [-1, 0", "\"velocity\": [-1, -2"), 0,
                       "floor-rod: Contact 0 closes at 2 m/s");
  refused<Unsupported>(put(rod(0), "\"rigid\"", "\"implicit\""), 0, "implicit");
  // In the air there are no contacts, and a problem without contacts.
  const SceneInstant air = at(put(rod(0), "\"offset\": 0", "\"offset\": -3"));
  TEST_ASSERT_EQUAL_size_t(0, air.contacts.size());
}

// After a while of plant: a block that slides down to rest keeps its contacts, first sliding, then rolling.
void later() {
  const std::string block = R"({"tactus": 1, "name": "block", "plane": true, "gravity": [0, -10],
 "time": {"step": 1e-3, "end": 1}, "method": "rigid",
 "bodies": [{"name": "floor", "shape": {"halfspace": {"normal": [0, 1], "offset": 0}}},
 {"name": "block", "mass": 1, "inertia": 0.1, "shape": {"box": [0.2, 0.1]}, "pose": [0, 0.1, 0], "velocity": [1, 0, 0]}],
 "contacts": [{"between": ["floor", "block"], "mu": 0.5}]})";
  for (const bool single : {false, true}) {
    const SceneInstant slides = at(block, 0.1, single), rests = at(block, 0.3, single);
    TEST_ASSERT_EQUAL_size_t(2, slides.contacts.size());
    near(0.5, slides.entry.velocity[0], single ? 1e-4 : 1e-9);
    near(-10, slides.entry.b[0], 1e-8);
    TEST_ASSERT_EQUAL_size_t(2, rests.contacts.size());
    near(0, rests.entry.velocity[0], 0);
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(rods);
  RUN_TEST(ball_on_ball);
  RUN_TEST(unsymmetric_ball);
  RUN_TEST(behind_a_joint);
  RUN_TEST(what_has_none);
  RUN_TEST(later);
  return UNITY_END();
}
