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
#include <tuple>
#include <vector>

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

// After step k of a scene of the tree.
std::vector<BodySample> motion(const std::string& scene_name, std::size_t body) {
  const Scene scene = read_scene(scenes + "/" + scene_name + ".json");
  const auto plant = make_plant(scene, false);
  std::vector<BodySample> out{plant->initial().bodies[body]};
  for (long k = 1; k <= scene.steps(); ++k) out.push_back(plant->step().bodies[body]);
  return out;
}

// Negrut 2017, section 3, with Coulomb's law and the gap kept: the same scheme and step, to the case's own
// tolerance.
void test_sliding_sphere_follows_the_reference() {
  const auto file = reference("spatial/sphere_slide.json");
  const auto& rows = file["results"]["h0.001_gap0_exact"]["trajectory"];
  const double tolerance = file["tolerance"];
  const auto sphere = motion("sphere_slide", 1);
  TEST_ASSERT_TRUE(rows.size() >= 50);
  for (const auto& row : rows) {
    const BodySample& at = sphere[static_cast<std::size_t>(std::lround(row[0].get<double>() / 0.001))];
    for (std::size_t i = 0; i < 3; ++i) {
      TEST_ASSERT_DOUBLE_WITHIN(tolerance, row[1 + i].get<double>(), at.pose[i]);
      TEST_ASSERT_DOUBLE_WITHIN(tolerance, row[4 + i].get<double>(), at.velocity[i]);
      TEST_ASSERT_DOUBLE_WITHIN(10 * tolerance, row[7 + i].get<double>(), at.velocity[3 + i]);  // v / R
    }
  }
}

// Chakraborty 2007, example 1: the disc under the geometrically implicit law.
void test_rolling_disc_follows_the_reference() {
  const auto file = reference("planar/disc_rolling.json");
  const auto& q = file["implicit"]["0.001"]["final_q"];
  const auto disc = motion("disc", 1);
  for (std::size_t i = 0; i < 3; ++i)
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, q[i].get<double>(), disc.back().pose[i]);
}

// Painleve's rod after the jam, integrated with its events located; the scheme is of first order, and its
// constant is that of the case's own convergence study.
void test_painleve_follows_the_reference() {
  const auto file = reference("planar/painleve_rod.json");
  const auto& truth = file["event_driven_after"];
  const auto& study = file["stepper_convergence"];
  const double h = 1e-4;
  double constant = 0;
  for (const auto& row : study)
    constant = std::max(constant, row["err_q_max"].get<double>() / row["h"].get<double>());
  const auto rod = motion("painleve", 1);
  for (std::size_t k = 0; k < truth["t"].size(); ++k) {
    const auto step = static_cast<std::size_t>(std::lround(truth["t"][k].get<double>() / h));
    for (std::size_t i = 0; i < 3; ++i)
      TEST_ASSERT_DOUBLE_WITHIN(constant * h, truth["y"][k][i].get<double>(), rod[step].pose[i]);
  }
}

// Stewart 2000 (2.13): the heights between the bounces, to the first order of the step.
void test_bouncing_ball_follows_the_reference() {
  const auto file = reference("planar/bouncing_ball.json");
  const auto ball = motion("bouncing_ball", 1);
  for (const auto& run : file["runs"]) {
    if (run["eps"] != 0.9 || run["h"] != 0.001) continue;
    std::vector<double> apex;
    for (std::size_t k = 1; k + 1 < ball.size(); ++k) {
      if (k > 100 && ball[k].pose[1] > ball[k - 1].pose[1] && ball[k].pose[1] >= ball[k + 1].pose[1])
        apex.push_back(ball[k].pose[1] - 0.1);
    }
    TEST_ASSERT_TRUE(apex.size() >= 3);
    for (std::size_t i = 0; i < 3; ++i) {
      // How far it falls in one step at 4.4 m/s.
      TEST_ASSERT_DOUBLE_WITHIN(std::sqrt(2 * 9.81) * 1e-3, run["analytic_apex"][i].get<double>(), apex[i]);
    }
    return;
  }
  TEST_FAIL_MESSAGE("the reference has no such run");
}

// One word changes the law: relaxed, the ball hops as in the reference; exact, or as a pyramid along its
// slip, it does not. The reference's instants, to its tolerance.
void test_sliding_ball_by_three_laws() {
  const auto results = reference("spatial/sphere_slide.json")["results"];
  for (const auto& [name, method, exact] : {std::tuple{"h0.01_gap0_ccp", Method::cone, false},
                                            {"h0.01_gap0_exact", Method::cone, true},
                                            {"h0.01_gap0_exact", Method::rigid, false}}) {
    Scene scene = read_scene(scenes + "/sliding_ball.json");
    scene.method = method;
    scene.exact = exact;
    const auto plant = make_plant(scene, false);
    const auto rows = results[name]["trajectory"];
    double lift = 0;
    std::size_t row = 0;
    for (long k = 1; k <= scene.steps() && row < rows.size(); ++k) {
      const StepSample& sample = plant->step();
      TEST_ASSERT_EQUAL_INT(0, sample.status);
      lift = std::max(lift, sample.lift);
      if (k != std::lround(rows[row][0].get<double>() / scene.step)) continue;
      for (std::size_t i = 0; i < 3; ++i) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, rows[row][1 + i].get<double>(), sample.bodies[1].pose[i]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, rows[row][4 + i].get<double>(), sample.bodies[1].velocity[i]);
      }
      ++row;
    }
    TEST_ASSERT_TRUE(row > 10);
    const double expected = results[name]["step1"]["h_mu_vT"].get<double>();
    const bool relaxed = method == Method::cone && !exact;
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, relaxed ? expected : 0, lift);
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
  RUN_TEST(test_sliding_sphere_follows_the_reference);
  RUN_TEST(test_rolling_disc_follows_the_reference);
  RUN_TEST(test_painleve_follows_the_reference);
  RUN_TEST(test_bouncing_ball_follows_the_reference);
  RUN_TEST(test_sliding_ball_by_three_laws);
  RUN_TEST(test_resting_box_is_carried);
  RUN_TEST(test_free_fall_and_energy);
  RUN_TEST(test_runs_repeat);
  return UNITY_END();
}
