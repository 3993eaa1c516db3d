// Contacts and joints of a scene that cannot be right.
#include "plant.hpp"
#include "spoilt_scene.hpp"

using namespace spoilt_scene;

namespace {

constexpr const char* kSpread = R"({"elements": [3], "spacing": 1e-6, "compliance": 1e-10, "poisson": 0.3})";

const Row kPlaneRows[] = {
    // Keys.
    {R"("between": ["ground", "ellipse"], )", "", "contacts[0].between", "missing"},
    {R"("mu": 0.2, )", "", "contacts[0].mu", "missing"},
    {R"("compliance": 1e-10, )", "", "contacts[0].patch.compliance", "missing"},
    {R"("elements": [3], )", "", "contacts[0].patch.elements", "missing"},
    {R"("mu": 0.2)", R"("mu": 0.2, "friction": 1)", "contacts[0].friction", "unknown key"},
    {R"("poisson": 0.3)", R"("poisson": 0.3, "young": 1)", "contacts[0].patch.young", "unknown key"},
    {R"("spacing": 1e-6)", R"("line\nfeed": 1, "spacing": 1e-6)", R"(contacts[0].patch.line\x0afeed)",
     "unknown key"},
    // Types.
    {R"("elements": [3])", R"("elements": [3.5])", "contacts[0].patch.elements[0]", "whole number"},
    {R"("joints": [])", R"("joints": {})", "joints", "list"},
    // Lengths.
    {R"("elements": [3])", R"("elements": [3, 3])", "contacts[0].patch.elements", "1 values"},
    {R"("between": ["ground", "ellipse"])", R"("between": ["ground"])", "contacts[0].between", "2 values"},
    // Numbers.
    {R"("mu": 0.2)", R"("mu": -0.2)", "contacts[0].mu", "negative"},
    {R"("restitution": 0)", R"("restitution": 1.5)", "contacts[0].restitution", "from 0 to 1"},
    {R"("restitution": 0)", R"("restitution": -0.1)", "contacts[0].restitution", "from 0 to 1"},
    {R"("restitution": 0)", R"("impact": {"law": "poisson"})", "contacts[0].impact", "compliant"},
    {R"("method": "compliant")", R"("method": "compliant", "impact": {"law": "hard"})", "impact.law", "hard"},
    {R"("method": "compliant")", R"("method": "compliant", "impact": {"order": 1})", "impact.order",
     "string"},
    {R"("method": "compliant")", R"("method": "compliant", "impact": {"e": 1})", "impact.e", "unknown key"},
    {R"("spacing": 1e-6)", R"("spacing": 0)", "contacts[0].patch.spacing", "positive"},
    {R"("compliance": 1e-10)", R"("compliance": -1)", "contacts[0].patch.compliance", "positive"},
    {R"("poisson": 0.3)", R"("poisson": 0.6)", "contacts[0].patch.poisson", "0.5"},
    {R"("poisson": 0.3)", R"("poisson": -0.1)", "contacts[0].patch.poisson", "from 0"},
    // Sizes.
    {R"("elements": [3])", R"("elements": [0])", "contacts[0].patch.elements[0]", "from 1"},
    {R"("elements": [3])", R"("elements": [100000])", "contacts[0].patch.elements[0]", "from 1"},
    {R"("elements": [3])", R"("elements": [99999999999999999999])", "contacts[0].patch.elements[0]",
     "whole number"},
    // What does not fit together.
    {R"("method": "compliant")", R"("method": "rigid")", "contacts[0].patch", "only with"},
    {R"("between": ["ground", "ellipse"])", R"("between": ["ground", "disc"])", "contacts[0].between[1]",
     "no body"},
    {R"("between": ["ground", "ellipse"])", R"("between": ["ellipse", "ellipse"])", "contacts[0].between",
     "differ"},
    {R"("restitution": 0)", R"("ellipsoid": [1, 1, 1])", "contacts[0].ellipsoid", "spatial scenes"},
    // The elastic body and its matrices.
    {R"("restitution": 0)", R"("elastic": "disc")", "contacts[0].elastic", "not one of the two"},
    {R"("restitution": 0)", R"("elastic": 1)", "contacts[0].elastic", "string"},
    {R"("poisson": 0.3)", R"("poisson": 0.3, "damping_ratio": -1)", "contacts[0].patch.damping_ratio",
     "negative"},
    {R"("poisson": 0.3)", R"("poisson": 0.3, "printed": 1)", "contacts[0].patch.printed", "true or false"},
    {R"("poisson": 0.3)", R"("poisson": 0.3, "C": [[1, 0], [0, 1]])", "contacts[0].patch.C", "unknown key"},
    {kSpread, R"({"stiffness": 1, "damping": 1, "spacing": 1})", "contacts[0].patch.spacing", "unknown key"},
    {kSpread, R"({"stiffness": 1, "stiffness_t": 0, "damping": 1})", "contacts[0].patch.stiffness_t",
     "positive"},
    {kSpread, R"({"stiffness": 1, "damping": 1, "damping_ratio": 1})", "contacts[0].patch.damping_ratio",
     "given, too"},
    {kSpread, R"({"K": [[1, 0]]})", "contacts[0].patch.K", "2 values"},
    {kSpread, R"({"K": [[1, 0], [0]]})", "contacts[0].patch.K[1]", "2 values"},
    {kSpread, R"({"K": [[1, 0], [0, 1e999]]})", "contacts[0].patch.K[1][1]", "too large"},
    {kSpread, R"({"K": [[1, 0], [0, 1]], "elements": [2]})", "contacts[0].patch.spacing", "missing"},
    {kSpread, R"({"K": [[1, 0], [0, 1]], "elements": [2], "spacing": 1})", "contacts[0].patch.K", "4 values"},
    {kSpread, R"({"K": [[1, 0], [0, 1]], "C": [[1, 0], [0, 1]], "damping_ratio": 1})",
     "contacts[0].patch.damping_ratio", "given, too"},
};

const Row kSpaceRows[] = {
    {R"("static": 0.5, "kinetic": 0.4)", R"("static": 0.3, "kinetic": 0.4)", "contacts[0].mu.kinetic",
     "static"},
    {R"("static": 0.5, "kinetic": 0.4)", R"("static": 0.5)", "contacts[0].mu.kinetic", "missing"},
    {R"("speed": 0.01)", R"("speed": 0)", "contacts[1].mu.speed", "positive"},
    {R"("ellipsoid": [1, 1, 0.01])", R"("ellipsoid": [1, 1])", "contacts[1].ellipsoid", "3 values"},
    {R"("ellipsoid": [1, 1, 0.01])", R"("ellipsoid": 1)", "contacts[1].ellipsoid", "list"},
    {R"("ellipsoid": [1, 1, 0.01])", R"("ellipsoid": [1, 0, 1])", "contacts[1].ellipsoid[1]", "positive"},
    {R"("ellipsoid": [1, 1, 0.01])", R"("ellipsoid": [1, 1, null])", "contacts[1].ellipsoid[2]", "number"},
    {R"("ellipsoid": [1, 1, 0.01])", R"("ellipsoid": [1, 1, 1e999])", "contacts[1].ellipsoid[2]",
     "too large"},
    {R"("ellipsoid": [1, 1, 0.01])", R"("ellipsoid": [1, 1, -1])", "contacts[1].ellipsoid[2]", "positive"},
    {R"("between": ["table", "box"])",
     R"("patch": {"stiffness": 1, "damping": 1}, "between": ["table", "box"])", "contacts[0].patch",
     "only with"},
    {R"("between": ["table", "box"])", R"("between": ["table", "box"], "elastic": "box")",
     "contacts[0].elastic", "only a contact with"},
    {R"("between": ["table", "ball"])", R"("between": ["box", "table"])", "contacts[1].between", "twice"},
    {R"("type": "revolute")", R"("type": "hinge")", "joints[0].type", "not one of"},
    {R"("axis": [0, 0, 1])", R"("axis": [0, 0, 0])", "joints[0].axis", "zero"},
    {R"("type": "revolute")", R"("type": "fixed")", "joints[0].axis", "no axis"},
    {R"("at": [0.5, 0, 0.1])", R"("at": [0.5, 0])", "joints[0].at", "3 values"},
    {R"("between": ["box", "ball"])", R"("between": ["box", "finger/tip"])", "joints[0].between[1]",
     "not the tips"},
    {R"("between": ["table", "ball"])", R"("between": ["table", "finger"])", "contacts[1].between[1]",
     "no body"},
    {R"("between": ["table", "ball"])", R"("between": ["table", "finger/palm"])", "contacts[1].between[1]",
     "no body"},
    {R"("between": ["table", "ball"])", R"("between": ["finger/tip", "finger/tip"])", "contacts[1].between",
     "differ"},
};

void test_every_spoilt_plane_scene_is_refused() {
  refuse_every(kPlane, kPlaneRows);
}

// What a matrix must be the core says when the scene is built, with the contact.
void test_bad_matrices_are_refused() {
  for (const char* bad : {R"({"K": [[1, 2], [2, 1]]})", R"({"K": [[1, 0.1], [0, 1]]})",
                          R"({"K": [[0, 0], [0, 0]]})", R"({"K": [[1, 0], [0, 1]], "C": [[1, 0], [0, -1]]})",
                          R"({"K": [[1, 0], [0, 1]], "C": [[1, 1], [0, 1]]})"}) {
    const Scene scene = parse_scene(spoilt(kPlane, {kSpread, bad, "", ""}), kFile);
    for (const bool single : {false, true}) {
      try {
        make_plant(scene, single);
        TEST_FAIL_MESSAGE(bad);
      } catch (const InputError& error) {
        const std::string line = error.what();
        TEST_ASSERT_TRUE_MESSAGE(line.find("contacts[0]") != std::string::npos, line.c_str());
        TEST_ASSERT_TRUE_MESSAGE(line.find("symmetric") != std::string::npos, line.c_str());
      }
    }
  }
}

void test_every_spoilt_spatial_scene_is_refused() {
  refuse_every(kSpace, kSpaceRows);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_every_spoilt_plane_scene_is_refused);
  RUN_TEST(test_every_spoilt_spatial_scene_is_refused);
  RUN_TEST(test_bad_matrices_are_refused);
  return UNITY_END();
}
