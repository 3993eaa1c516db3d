// Scenes are read, or refused with one line that names the file, the key and the reason: the scene as a
// whole, and files that are none.
#include "json_file.hpp"
#include "spoilt_scene.hpp"

using namespace spoilt_scene;

namespace {

const Row kPlaneRows[] = {
    // Keys.
    {R"("tactus": 1,)", "", "tactus", "missing"},
    {R"("name": "ellipse", "plane")", R"("plane")", "name", "missing"},
    {R"("plane": true,)", "", "plane", "missing"},
    {R"("gravity": [0, -9.81],)", "", "gravity", "missing"},
    {R"("time": {"step": 1e-4, "end": 2.0},)", "", "time", "missing"},
    {R"("step": 1e-4, )", "", "time.step", "missing"},
    {R"(, "end": 2.0)", "", "time.end", "missing"},
    {R"("method": "compliant",)", "", "method", "missing"},
    {R"("facets": 4,)", R"("facet": 4,)", "facet", "unknown key"},
    {R"("end": 2.0)", R"("end": 2.0, "stop": 3)", "time.stop", "unknown key"},
    {R"("tactus": 1,)", R"("tactus": 1, "tactus": 1,)", "tactus", "twice"},
    // Types.
    {R"("tactus": 1)", R"("tactus": 2)", "tactus", "from 1 to 1"},
    {R"("tactus": 1)", R"("tactus": "1")", "tactus", "whole number"},
    {R"("plane": true)", R"("plane": 1)", "plane", "true or false"},
    {R"("gravity": [0, -9.81])", R"("gravity": -9.81)", "gravity", "list"},
    {R"("time": {"step": 1e-4, "end": 2.0})", R"("time": 2)", "time", "object"},
    // Lengths.
    {R"("gravity": [0, -9.81])", R"("gravity": [0, 0, -9.81])", "gravity", "2 values"},
    // Numbers.
    {R"("step": 1e-4)", R"("step": 0)", "time.step", "positive"},
    {R"("step": 1e-4)", R"("step": -1e-4)", "time.step", "positive"},
    {R"("step": 1e-4)", R"("step": 1e-300)", "time.step", "capacity"},
    {R"("end": 2.0)", R"("end": 0)", "time.end", "positive"},
    {R"("end": 2.0)", R"("end": 1e-5)", "time.end", "before"},
    // Sizes.
    {R"("facets": 4)", R"("facets": 5)", "facets", "4, 8 or 16"},
    // What does not fit together.
    {R"("method": "compliant")", R"("method": "soft")", "method", "not one of"},
    {R"("method": "compliant")", R"("method": "compliant", "exact": true)", "exact", "only with"},
    {R"("method": "compliant")", R"("method": "cone", "exact": 1)", "exact", "true or false"},
    // Not JSON at all.
    {R"("arms": [])", R"("arms": [],)", "arms", "not valid JSON"},
    {R"("joints": [], "arms": []
})",
     "", "contacts", "ends in the middle"},
    {R"("plane": true)", R"("plane": // yes)", "plane", "not valid JSON"},
    {R"("plane": true)", R"('plane': true)", "", "not valid JSON"},
};

const Row kSpaceRows[] = {
    {R"("method": "rigid")", R"("method": "implicite")", "method", "not one of"},
    {R"("method": "rigid")", R"("method": "implicit", "exact": true)", "exact", "only with"},
    {R"("facets": 8)", R"("facets": 2)", "facets", "4, 8 or 16"},
};

void test_right_scenes_are_read() {
  const Scene plane = parse_scene(kPlane, kFile);
  TEST_ASSERT_EQUAL_INT(2, plane.bodies.size());
  TEST_ASSERT_EQUAL_DOUBLE(0.05, *plane.bodies[1].mass);
  TEST_ASSERT_FALSE(plane.bodies[0].mass.has_value());
  TEST_ASSERT_EQUAL_STRING("ground-ellipse", plane.contacts[0].name().c_str());
  TEST_ASSERT_EQUAL_INT(20000, plane.steps());
  const Scene space = parse_scene(kSpace, kFile);
  TEST_ASSERT_EQUAL_DOUBLE(0.25, space.bodies[1].force.at(0.25, 0));
  TEST_ASSERT_EQUAL_DOUBLE(1.0, space.bodies[1].force.at(7.0, 0));
  TEST_ASSERT_EQUAL_INT(1000, space.steps());
  // finger.urdf: the tip's link is fixed to the third joint's, 25 mm along it.
  const tactus::host::Arm& finger = space.arms.at(0);
  TEST_ASSERT_EQUAL_INT(3, finger.robot.joints.size());
  TEST_ASSERT_EQUAL_INT(2, finger.tips.at(0).joint);
  TEST_ASSERT_EQUAL_DOUBLE(0.025, finger.tips[0].centre[2]);
  TEST_ASSERT_FALSE(finger.impedance.has_value());
}

void test_every_truncation_is_refused() {
  for (std::size_t n = 0; n + 1 < kPlane.size(); ++n) {
    try {
      parse_scene(kPlane.substr(0, n), kFile);
    } catch (const InputError&) {
      continue;
    }
    TEST_FAIL_MESSAGE("a truncated scene was accepted");
  }
}

void test_every_flipped_byte_is_read_or_refused() {
  for (std::size_t n = 0; n < kSpace.size(); ++n) {
    for (const char byte : {'\0', '"', '{', '9', '\xff'}) {
      std::string text = kSpace;
      text[n] = byte;
      try {
        parse_scene(text, kFile);
      } catch (const InputError& error) {
        TEST_ASSERT_NULL(std::strchr(error.what(), '\n'));
      }
    }
  }
}

void test_whole_files_that_are_no_scene() {
  refuse("", "(whole file)", "empty", "empty");
  refuse(" \n", "(whole file)", "empty", "blank");
  refuse("[]", "(whole file)", "object", "a list");
  refuse("null", "(whole file)", "object", "null");
  refuse("{}", "tactus", "missing", "{}");
  refuse(std::string("\0\1\2", 3), "(whole file)", "not valid JSON", "binary");
  refuse("{\"name\": \"\xff\"}", "name", "not valid JSON", "not UTF-8");
  refuse(kPlane + kPlane, "(whole file)", "not valid JSON", "two scenes");
  std::string path;
  for (int i = 0; i < tactus::host::kMaxNesting; ++i) path += "[0]";
  refuse(std::string(1000000, '['), path, "nested deeper", "deep");
}

void test_every_spoilt_plane_scene_is_refused() {
  refuse_every(kPlane, kPlaneRows);
}

void test_every_spoilt_spatial_scene_is_refused() {
  refuse_every(kSpace, kSpaceRows);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_right_scenes_are_read);
  RUN_TEST(test_every_truncation_is_refused);
  RUN_TEST(test_every_flipped_byte_is_read_or_refused);
  RUN_TEST(test_whole_files_that_are_no_scene);
  RUN_TEST(test_every_spoilt_plane_scene_is_refused);
  RUN_TEST(test_every_spoilt_spatial_scene_is_refused);
  return UNITY_END();
}
