// Arms of a scene: what drives them is read, and what cannot be is refused.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spoilt_scene.hpp"

using namespace spoilt_scene;

namespace {

const Row kPlaneRows[] = {
    // Types.
    {R"("arms": [])", R"("arms": null)", "arms", "list"},
    // What does not fit together.
    {R"("arms": [])", R"("arms": [{}])", "arms[0]", "spatial scenes"},
};

const Row kSpaceRows[] = {
    {R"("qd": [0, 0, 0])", R"("qd": [0, 0])", "arms[0].qd", "3 values"},
    {R"("torque": [0, 0, 0])", R"("torque": [0])", "arms[0].torque", "3 values"},
    {R"("q": [0, 0, 0])", R"("q": [])", "arms[0].q", "3 values"},
    {R"("q": [0, 0, 0])", R"("q": [0, 0, 0, 0])", "arms[0].q", "3 values"},
    {R"("q": [0, 0, 0])", R"("q": [0, 0, 1.9])", "arms[0].q[2]", "goes from -0.2 to 1.8"},
    {R"("q": [0, 0, 0])", R"("q": [0, null, 0])", "arms[0].q[1]", "number"},
    {R"("q": [0, 0, 0])", R"("q": [0, NaN, 0])", "arms[0].q[1]", "not valid JSON"},
    {R"("q": [0, 0, 0])", R"("q": [0, 1e999, 0])", "arms[0].q[1]", "too large"},
    {R"("q": [0, 0, 0], )", "", "arms[0].q", "missing"},
    {R"("qd": [0, 0, 0])", R"("qd": [0, 0, "0"])", "arms[0].qd[2]", "number"},
    {R"("qd": [0, 0, 0],)", "", "arms[0].qd", "missing"},
    {R"("torque": [0, 0, 0])", R"("torque": [0, 0, 1e999])", "arms[0].torque[2]", "too large"},
    {R"("torque": [0, 0, 0])", R"("torque": 0)", "arms[0].torque", "list"},
    {R"("torque": [0, 0, 0], )", "", "arms[0].torque", "missing"},
    {R"("torque": [0, 0, 0])", R"("torque": {"table": [[0, 0, 0]]})", "arms[0].torque.table[0]", "4 values"},
    {R"("torque": [0, 0, 0])", R"("torque": {"table": [[0, 0, 0, 0], [0, 1, 0, 0]]})",
     "arms[0].torque.table[1][0]", "increase"},
    {R"("torque": [0, 0, 0])", R"("torque": {"held": [0, 0, 0]})", "arms[0].torque.held", "unknown key"},
    {R"("torque": [0, 0, 0])", R"("torque": {"impedance": [1, 1, 1]})", "arms[0].torque.impedance", "object"},
    {R"("torque": [0, 0, 0])", R"("torque": {"impedance": {}})", "arms[0].torque.impedance.stiffness",
     "missing"},
    {R"("torque": [0, 0, 0])",
     R"("torque": {"impedance": {"stiffness": [1, -1, 1], "damping": [0, 0, 0], "q": [0, 0, 0]}})",
     "arms[0].torque.impedance.stiffness[1]", "negative"},
    {R"("torque": [0, 0, 0])",
     R"("torque": {"impedance": {"stiffness": [1, 1, 1], "damping": [0, 0], "q": [0, 0, 0]}})",
     "arms[0].torque.impedance.damping", "3 values"},
    {R"("torque": [0, 0, 0])", R"("torque": {"impedance": {"stiffness": [1, 1, 1], "damping": [0, 0, 0]}})",
     "arms[0].torque.impedance.q", "missing"},
    {R"("torque": [0, 0, 0])",
     R"("torque": {"impedance": {"stiffness": [1, 1, 1], "damping": [0, 0, 0], "q": [0, 0, 0], "qd": [0]}})",
     "arms[0].torque.impedance.qd", "3 values"},
    {R"("torque": [0, 0, 0])",
     R"("torque": {"impedance": {"stiffness": [1, 1, 1], "damping": [0, 0, 0], "q": [0, 0, 0], "k": 1}})",
     "arms[0].torque.impedance.k", "unknown key"},
    {R"("torque": [0, 0, 0])", R"("torque": {"impedance": {}, "table": []})", "arms[0].torque.table",
     "unknown key"},
    {R"("urdf": "finger.urdf", )", R"("urdf": "finger.urdf", "effort": "some", )", "arms[0].effort", "none"},
    {R"("urdf": "finger.urdf", )", R"("urdf": "finger.urdf", "effort": 3, )", "arms[0].effort", "string"},
    {R"("urdf": "finger.urdf", )", "", "arms[0].urdf", "missing"},
    {R"("urdf": "finger.urdf")", R"("urdf": "")", "arms[0].urdf", "empty"},
    {R"("urdf": "finger.urdf")", R"("urdf": 3)", "arms[0].urdf", "string"},
    {R"("urdf": "finger.urdf")", R"("urdf": "none.urdf")", "arms[0].urdf", "none.urdf"},
    {R"("urdf": "finger.urdf")", R"("urdf": ".")", "arms[0].urdf", "."},
    {R"("urdf": "finger.urdf")", R"("urdf": "README.md")", "arms[0].urdf", "README.md"},
    {R"("base": [0, 0, 1, 1, 0, 0, 0], )", "", "arms[0].base", "missing"},
    {R"("base": [0, 0, 1, 1, 0, 0, 0])", R"("base": [0, 0, 1])", "arms[0].base", "7 values"},
    {R"("base": [0, 0, 1, 1, 0, 0, 0])", R"("base": [0, 0, 1, 1, 1, 0, 0])", "arms[0].base", "norm 1.41421"},
    {R"({"link": "tip", )", R"({"link": "thumb", )", "arms[0].tips[0].link", "no link"},
    {R"({"link": "tip", )", R"({"link": "palm", )", "arms[0].tips[0].link", "does not move"},
    {R"({"link": "tip", )", R"({)", "arms[0].tips[0].link", "missing"},
    {R"("sphere": 0.01)", R"("sphere": -0.01)", "arms[0].tips[0].sphere", "positive"},
    {R"("sphere": 0.01)", R"("box": [1, 1, 1])", "arms[0].tips[0].box", "unknown key"},
    {R"("sphere": 0.01, "at": [0, 0, 0])", R"("sphere": 0.01, "at": [0, 0])", "arms[0].tips[0].at",
     "3 values"},
    {R"("at": [0, 0, 0]}])", R"("at": [0, 0, 0]}, {"link": "tip", "sphere": 1, "at": [0, 0, 0]}])",
     "arms[0].tips[1].link", "taken"},
    {R"("tips": [{)", R"("tip": [{)", "arms[0].tip", "unknown key"},
    {R"("name": "finger")", R"("name": "box")", "arms[0].name", "taken"},
};

void test_an_impedance_is_read() {
  std::string text = kSpace;
  const std::string held = R"("torque": [0, 0, 0])";
  text.replace(text.find(held), held.size(),
               R"("torque": {"impedance": {"stiffness": [1, 2, 3], "damping": [4, 5, 6],
                  "q": {"table": [[0, 0, 0, 0], [1, 0, 0, 1]]}, "torque": [0, 0.5, 0]}})");
  const Scene scene = parse_scene(text, kFile);
  const auto& impedance = scene.arms.at(0).impedance;
  TEST_ASSERT_TRUE(impedance.has_value());
  TEST_ASSERT_EQUAL_DOUBLE(2, impedance->stiffness[1]);
  TEST_ASSERT_EQUAL_DOUBLE(6, impedance->damping[2]);
  TEST_ASSERT_EQUAL_DOUBLE(0.25, impedance->q.at(0.25, 2));
  TEST_ASSERT_EQUAL_DOUBLE(0, impedance->qd.at(0.25, 2));
  TEST_ASSERT_EQUAL_DOUBLE(0.5, scene.arms[0].torque.at(0, 1));
}

// Five fingers: more arms than there is room for; two arms of seven joints: more joints; two tips on links of
// one joint: a pair that never moves.
void test_arms_that_do_not_fit_are_refused() {
  const std::string finger = R"({"name": "finger", "urdf")";
  const auto with = [&](const std::string& arms) {
    std::string text = kSpace;
    return text.insert(text.find(finger), arms);
  };
  const auto arm = [](const std::string& name, const std::string& urdf, std::size_t joints) {
    const std::string zeros = fmt::format("{}", std::vector<int>(joints));
    return fmt::format(
        R"({{"name": "{}", "urdf": "{}", "base": [0, 0, 0, 1, 0, 0, 0], "q": {}, "qd": {}, "torque": {}, "tips": []}}, )",
        name, urdf, zeros, zeros, zeros);
  };
  std::string arms;
  for (int i = 0; i < tactus::host::kMaxArms; ++i) arms += arm(fmt::format("f{}", i), "finger.urdf", 3);
  refuse(with(arms), "arms", "capacity", "too many arms");
  refuse(with(arm("a", "arm7.urdf", 7) + arm("b", "arm7.urdf", 7)), "arms[1].q", "14 joints",
         "too many joints");
  std::string tips;
  for (const char* link : {"distal", "middle", "proximal"})
    tips += fmt::format(R"({{"link": "{}", "sphere": 0.01, "at": [0, 0, 0]}}, )", link);
  std::string text = kSpace;
  const std::string pair = R"("between": ["table", "ball"])";
  text.insert(text.find(R"({"link": "tip")"), tips);
  text.replace(text.find(pair), pair.size(), R"("between": ["finger/distal", "finger/tip"])");
  refuse(text, "contacts[1].between", "one joint carries both", "two tips of a joint");
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
  RUN_TEST(test_an_impedance_is_read);
  RUN_TEST(test_arms_that_do_not_fit_are_refused);
  RUN_TEST(test_every_spoilt_plane_scene_is_refused);
  RUN_TEST(test_every_spoilt_spatial_scene_is_refused);
  return UNITY_END();
}
