// The keys that say how a step is taken and by which law a contact goes: read, or refused with file, key and
// reason; and that they reach the board's CONFIGURE.
#include <cmath>

#include "hil_messages.hpp"
#include "spoilt_scene.hpp"

using namespace spoilt_scene;
using namespace tactus;

namespace {

const Row kPlaneRows[] = {
    {R"("facets": 4)", R"("normal_rule": 1)", "normal_rule", "string"},
    {R"("facets": 4)", R"("normal_rule": "Song")", "normal_rule", "not one of gap, song, stewart"},
    {R"("facets": 4)", R"("normal_rule": null)", "normal_rule", "string"},
    {R"("facets": 4)", R"("fixed_point": "2")", "fixed_point", "whole number"},
    {R"("facets": 4)", R"("fixed_point": 1.5)", "fixed_point", "whole number"},
    {R"("facets": 4)", R"("fixed_point": -1)", "fixed_point", "from 0 to 32"},
    {R"("facets": 4)", R"("fixed_point": 33)", "fixed_point", "from 0 to 32"},
    {R"("facets": 4)", R"("fixed_point": 1e999)", "fixed_point", ""},
    {R"("facets": 4)", R"("pyramid": true)", "pyramid", "string"},
    {R"("facets": 4)", R"("pyramid": "cone")", "pyramid", "not one of box, facets"},
    {R"("facets": 4)", R"("recovery_speed": 0)", "recovery_speed", "positive"},
    {R"("facets": 4)", R"("recovery_speed": -0.1)", "recovery_speed", "positive"},
    {R"("facets": 4)", R"("recovery_speed": "0.1")", "recovery_speed", "number"},
    {R"("facets": 4)", R"("recovery_speed": 1e999)", "recovery_speed", "too large"},
    {R"("facets": 4)", R"("normal_rule": "song", "recovery_speed": 1)", "recovery_speed", "only with"},
    {R"("facets": 4)", R"("normal_rule": "stewart", "recovery_speed": 1)", "recovery_speed", "only with"},
    {R"("facets": 4)", R"("pyramid": "box", "pyramid": "box")", "pyramid", "twice"},
    // A contact's own law.
    {R"("mu": 0.2)", R"("mu": 0.2, "law": 1)", "contacts[0].law", "string"},
    {R"("mu": 0.2)", R"("mu": 0.2, "law": "cone")", "contacts[0].law", "not one of rigid, compliant"},
    {R"("mu": 0.2)", R"("mu": 0.2, "law": "rigid")", "contacts[0].patch", "only with"},
    {R"("method": "compliant")", R"("method": "implicit")", "contacts[0].patch", "only with"},
    // Points that are given.
    {R"("mu": 0.2)", R"("mu": 0.2, "points": [])", "contacts[0].points", "empty"},
    {R"("mu": 0.2)", R"("mu": 0.2, "points": [0, 1])", "contacts[0].points[0]", "list"},
    {R"("mu": 0.2)", R"("mu": 0.2, "points": [[0, 1, 2]])", "contacts[0].points[0]", "2 values"},
    {R"("mu": 0.2)", R"("mu": 0.2, "points": [[0, 1e999]])", "contacts[0].points[0][1]", "too large"},
    {R"("mu": 0.2)", R"("mu": 0.2, "points": [[0,0],[0,0],[0,0],[0,0],[0,0],[0,0],[0,0],[0,0],[0,0]])",
     "contacts[0].points", "capacity of 8"},
    {R"(["ground", "ellipse"])", R"(["ellipse", "ground"], "points": [[0, 0]])", "contacts[0].points",
     "halfspace"},
};

const Row kSpaceRows[] = {
    {R"("method": "rigid", "facets": 8)", R"("method": "cone", "pyramid": "box")", "pyramid", "no pyramid"},
    {R"("method": "rigid", "facets": 8)", R"("method": "cone", "exact": true, "pyramid": "facets")",
     "pyramid", "no pyramid"},
    {R"("method": "rigid", "facets": 8)", R"("method": "implicit", "normal_rule": "gap")", "normal_rule",
     "implicit law"},
    {R"("method": "rigid", "facets": 8)", R"("method": "implicit", "fixed_point": 1)", "fixed_point",
     "implicit law"},
    {R"("method": "rigid", "facets": 8)", R"("method": "implicit", "pyramid": "box")", "pyramid",
     "implicit law"},
    {R"("method": "rigid", "facets": 8)", R"("method": "implicit", "recovery_speed": 1)", "recovery_speed",
     "implicit law"},
    {R"("between": ["table", "box"])", R"("between": ["table", "box"], "law": "compliant")",
     "contacts[0].patch", "missing"},
    {R"("type": "revolute")", R"("name": "", "type": "revolute")", "joints[0].name", "empty"},
    {R"("type": "revolute")", R"("name": "a,b", "type": "revolute")", "joints[0].name", ""},
    {R"("type": "revolute")", R"("name": 3, "type": "revolute")", "joints[0].name", "string"},
};

void test_every_spoilt_scene_is_refused() {
  refuse_every(kPlane, kPlaneRows);
  refuse_every(kSpace, kSpaceRows);
}

void test_the_implicit_law_is_that_of_the_whole_scene() {
  const std::string text = spoilt(kSpace, {R"("method": "rigid")", R"("method": "implicit")", "", ""});
  refuse(spoilt(text,
                {R"("between": ["table", "box"])", R"("between": ["table", "box"], "law": "rigid")", "", ""}),
         "contacts[0].law", "whole scene", "law under implicit");
}

host::Scene with(const std::string& scene, const char* from, const char* to) {
  return parse_scene(spoilt(scene, {from, to, "", ""}), kFile);
}

void test_they_are_read() {
  const auto all =
      with(kPlane, R"("facets": 4)", R"("normal_rule": "stewart", "fixed_point": 3, "pyramid": "facets")");
  TEST_ASSERT_TRUE(all.normal_rule == stepper::NormalRule::stewart);
  TEST_ASSERT_EQUAL_INT(3, all.fixed_point);
  TEST_ASSERT_TRUE(all.bound() == contact::Pyramid::facets);
  const auto none = parse_scene(kPlane, kFile);
  TEST_ASSERT_TRUE(none.normal_rule == stepper::NormalRule::gap);
  TEST_ASSERT_FALSE(none.recovery_speed.has_value());
  TEST_ASSERT_TRUE(none.bound() == contact::Pyramid::box);
  const auto mixed =
      with(kSpace, R"("between": ["table", "box"])",
           R"("law": "compliant", "patch": {"stiffness": 1e5, "damping": 10}, "between": ["table", "box"])");
  TEST_ASSERT_TRUE(mixed.contacts[0].patch.has_value());
  TEST_ASSERT_FALSE(mixed.contacts[1].patch.has_value());
}

// Joints have names: their own, or their pair's, the second of a pair its number beside it.
void test_names_of_joints() {
  const auto two = with(kSpace, R"("joints": [)",
                        R"("joints": [{"type": "spherical", "between": ["box", "ball"], "at": [0, 0, 0]}, )");
  TEST_ASSERT_EQUAL_STRING("box-ball", two.joints[0].name.c_str());
  TEST_ASSERT_EQUAL_STRING("box-ball#2", two.joints[1].name.c_str());
  refuse(spoilt(kSpace,
                {R"("joints": [)",
                 R"("joints": [{"name": "a", "type": "fixed", "between": ["box", "ball"], "at": [0, 0, 0]},
                           {"name": "a", "type": "fixed", "between": ["box", "ball"], "at": [0, 0, 0]}, )",
                 "", ""}),
         "joints[1].name", "taken", "two joints of one name");
}

void test_a_board_is_told() {
  const auto scene =
      with(kPlane, R"("facets": 4)", R"("normal_rule": "song", "fixed_point": 5, "pyramid": "facets")");
  const auto message = host::configure_message(scene, 1, wire::LOCKSTEP);
  TEST_ASSERT_EQUAL_INT(wire::RULE_SONG, message.normal_rule());
  TEST_ASSERT_EQUAL_INT(5, message.fixed_point());
  TEST_ASSERT_FALSE(message.box_pyramid());
  TEST_ASSERT_EQUAL_FLOAT(0, message.recovery_speed());
  const auto capped = with(kPlane, R"("facets": 4)", R"("recovery_speed": 0.25)");
  TEST_ASSERT_EQUAL_FLOAT(0.25F, host::configure_message(capped, 1, wire::LOCKSTEP).recovery_speed());
  const auto points = with(kPlane, R"("mu": 0.2)", R"("mu": 0.2, "points": [[0, -0.05]])");
  try {
    (void)host::configure_message(points, 1, wire::LOCKSTEP);
    TEST_FAIL_MESSAGE("a board has no points");
  } catch (const host::Unsupported& e) {
    TEST_ASSERT_NOT_NULL(std::strstr(e.what(), "a board takes no points"));
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_every_spoilt_scene_is_refused);
  RUN_TEST(test_the_implicit_law_is_that_of_the_whole_scene);
  RUN_TEST(test_they_are_read);
  RUN_TEST(test_names_of_joints);
  RUN_TEST(test_a_board_is_told);
  return UNITY_END();
}
