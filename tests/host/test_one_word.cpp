// One word of a scene chooses its law: the same ball and the same box under each `method` (for `cone` with
// and without `exact`, for `compliant` with the patches that it asks for) do what closed forms say.
#include <cmath>
#include <string>
#include <vector>

#include "plant.hpp"
#include "scene_reader.hpp"
#include "unity.h"

using namespace tactus::host;

namespace {

constexpr double kG = 9.81, kStep = 1e-3, kMu = 0.5, kSpeed = 1;

struct Law {
  const char* word;      // what stands in the scene
  const char* patch;     // of each contact
  double near;           // its motion against the closed form, m/s
  bool relaxed = false;  // lifted while it slides, so that only the end is Coulomb's
};

const Law kLaws[] = {{R"("rigid")", "", 1e-9},
                     {R"("cone", "exact": true)", "", 1e-8},
                     {R"("cone")", "", 1e-8, true},
                     {R"("implicit")", "", 1e-8},
                     // A ball of 1 kg sinks by m g / k = 1e-6 m and swings there at sqrt(k / m) = 3e3 / s for
                     // a moment: of mu g t it gives and takes mu (m g / k) 3e3 / s.
                     {R"("compliant")", R"(, "patch": {"stiffness": 1e7, "damping": 1e4})", 2e-3},
                     {R"("cone", "exact": true)", R"(, "patch": {"stiffness": 1e7, "damping": 1e4})", 2e-3}};

std::vector<StepSample> run(const Law& law, const char* body, double seconds) {
  const std::string text =
      std::string(R"({"tactus": 1, "name": "one word", "plane": false, "gravity": [0, 0, -9.81],)") +
      R"("time": {"step": 0.001, "end": )" + std::to_string(seconds) + R"(}, "method": )" + law.word +
      R"(, "bodies": [{"name": "floor", "shape": {"halfspace": {"normal": [0, 0, 1], "offset": 0}}}, )" +
      body + R"(], "contacts": [{"between": ["floor", "body"], "mu": 0.5)" + law.patch + "}]}";
  const Scene scene = parse_scene(text, law.word);
  const auto plant = make_plant(scene, false);
  std::vector<StepSample> after;
  for (long k = 0; k < scene.steps(); ++k) {
    after.push_back(plant->step());
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, after.back().status, law.word);
  }
  return after;
}

// Slows at mu g until 2 v0 / (7 mu g) = 58 ms, then rolls at 5/7 v0: what turns about the contact keeps its
// momentum whatever the friction, so the end is that of every law.
void test_ball() {
  for (const Law& law : kLaws) {
    const auto after = run(law,
                           R"({"name": "body", "mass": 1, "inertia": [0.004, 0.004, 0.004],
                               "shape": {"sphere": 0.1}, "pose": [0, 0, 0.1, 1, 0, 0, 0],
                               "velocity": [1, 0, 0, 0, 0, 0]})",
                           0.4);
    const double early = after[29].bodies[1].velocity[0], slowed = kSpeed - kMu * kG * 30 * kStep;
    if (law.relaxed)
      TEST_ASSERT_TRUE_MESSAGE(std::fabs(after[0].bodies[1].velocity[2]) > 0.1, "Negrut's law throws it up");
    else
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(law.near, slowed, early, law.word);
    TEST_ASSERT_EQUAL_INT_MESSAGE(1, after.back().contacts[0].mode, law.word);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(law.near, 5.0 / 7 * kSpeed, after.back().bodies[1].velocity[0],
                                      law.word);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(std::fmax(law.near, 1e-5), 0.1, after.back().bodies[1].pose[2],
                                      law.word);
  }
}

// Stops after v / (mu g) = 0.204 s. With k = 203 whole steps and the rest in one, it comes to h (k v0 - mu g
// h k (k + 1) / 2).
void test_box() {
  for (const Law& law : kLaws) {
    const auto after = run(law,
                           R"({"name": "body", "mass": 2, "inertia": [0.0083333, 0.0083333, 0.0133333],
                               "shape": {"box": [0.1, 0.1, 0.05]}, "pose": [0, 0, 0.05, 1, 0, 0, 0],
                               "velocity": [1, 0, 0, 0, 0, 0]})",
                           0.4);
    for (int i = 0; i < 6; ++i)
      TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(
          law.near, 0, after.back().bodies[1].velocity[static_cast<std::size_t>(i)], law.word);
    if (law.relaxed) continue;
    const int steps = static_cast<int>(kSpeed / (kMu * kG * kStep));
    const double way = kStep * (steps * kSpeed - kMu * kG * kStep * steps * (steps + 1) / 2);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(law.near, way, after.back().bodies[1].pose[0], law.word);
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_ball);
  RUN_TEST(test_box);
  return UNITY_END();
}
