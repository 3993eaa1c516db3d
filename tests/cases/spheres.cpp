// Rigid spheres that slide and roll, against the reference cases and closed forms.
#include "space.hpp"

using namespace space;

namespace {

// The first facet direction goes with the slip, so along a straight slide the pyramid is the cone.
void sphere_slides_and_rolls() {
  const Json json = reference::load("spatial/sphere_slide.json");
  const Json& p = json["params"];
  Worst traj("sliding sphere against the exact cone, x, v, w, force relative");
  for (const auto& [name, h] : {std::pair{"h0.01_gap0_exact", 0.01}, {"h0.001_gap0_exact", 0.001}}) {
    auto scene = scene_of(h, {0, 0, -p["gravity"].get<double>()}, 4);
    auto ball = sphere(p["m"], p["R"]);
    ball.velocity.linear[0] = p["v0"];
    scene->add(ball);
    scene->touch(0, 1, p["mu"]);
    const Json& rows = json["results"][name]["trajectory"];
    std::size_t row = 0;
    for (int k = 1; row < rows.size(); ++k) {
      const auto report = scene->step();
      const auto want = reference::numbers(rows[row]);
      if (std::abs(want[0] - k * h) > 1e-9) continue;
      ++row;
      for (std::size_t i = 0; i < 3; ++i) {
        const auto c = static_cast<Eigen::Index>(i);
        traj.see(std::abs(scene->pose(1).position[c] - want[1 + i]));
        traj.see(std::abs(scene->velocity(1).linear[c] - want[4 + i]));
        traj.see(std::abs(scene->velocity(1).angular[c] - want[7 + i]) * p["R"].get<double>());
        traj.see(std::abs(report.contact[0].force[c] - want[10 + i]) / (p["m"].get<double>() * kGravity));
      }
    }
  }
  traj.within(json["tolerance"].get<double>());
}

void sphere_stops_slipping_at_five_sevenths() {
  const Json rigid = reference::load("spatial/rigid_limit.json")["sphere"];
  const Json& p = rigid["params"];
  auto scene = scene_of(p["h"], {0, 0, -kGravity}, 4);
  auto ball = sphere(p["m"], p["R"]);
  ball.velocity.linear[0] = p["v0"][0];
  scene->add(ball);
  scene->touch(0, 1, p["mu"]);
  int stick = 0;
  for (int k = 1; k <= 200; ++k)
    if (scene->step().contact[0].mode == contact::Mode::stick && stick == 0) stick = k;
  TEST_ASSERT_EQUAL_INT(rigid["rigid"]["discrete_steps"].get<int>(), stick);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, rigid["rigid"]["discrete_v"].get<double>(), scene->velocity(1).linear[0]);
}

void sphere_rolls_down_an_incline() {
  const double angle = 15 * 3.14159265358979323846 / 180, mass = 0.1, h = 1e-3;
  auto scene = scene_of(h, {kGravity * std::sin(angle), 0, -kGravity * std::cos(angle)}, 4);
  scene->add(sphere(mass, 0.05));
  scene->touch(0, 1, 0.5);
  StepReport<double, 3, kSpatial> report;
  for (int n = 0; n < 1000; ++n) report = scene->step();
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1.8135820231826634, scene->velocity(1).linear[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, -0.0725432809273065, report.contact[0].force[1]);
}

// A sphere on a patch of 3 x 3 elements 1 um apart slides until it rolls; as eps falls, at 5/7 of its speed.
// The path is straight, so pyramids that are turned to the slip are the reference's cone.
void sphere_on_a_patch() {
  const Json json = reference::load("spatial/rigid_limit.json")["sphere"];
  const Json& p = json["params"];
  constexpr Capacity kPatch{.bodies = 2,
                            .contacts = 1,
                            .slots = 9,
                            .active = 9,
                            .unknowns = 9 * 6,
                            .patches = 1,
                            .patch_elements = 9};
  Worst end("sphere on a patch against the cone: v, w R at the end");
  for (const Json& row : json["rows"]) {
    const double eps = row[0], h = p["h"];
    Method method = facets(4);
    method.normal = NormalRule::song;
    const auto scene = std::make_unique<Scene<3, kPatch>>(h, Vector3(0, 0, -kGravity), method);
    scene->floor();
    auto ball = sphere(p["m"], p["R"]);
    ball.velocity.linear[0] = p["v0"][0];
    scene->add(ball);
    contact::PatchLaw<double> law;
    law.columns = law.rows = 3;
    law.spacing = p["rho0"];
    law.compliance = eps;
    law.poisson = 0.3;
    scene->touch(0, 1, p["mu"], 0, &law);
    for (int k = 0; k < 200; ++k) scene->step();
    const double v = scene->velocity(1).linear[0],
                 spin = scene->velocity(1).angular[1] * p["R"].get<double>();
    std::printf("sphere on a patch, eps %.0e: v %.12g (cone %.12g), w R %.12g (cone %.12g), z %.3g (%.3g)\n",
                eps, v, row[2].get<double>(), spin, row[3].get<double>(), scene->pose(1).position[2] - 0.05,
                row[4].get<double>());
    end.see(std::abs(v - row[2].get<double>()));
    end.see(std::abs(spin - row[3].get<double>()));
  }
  end.within(1e-7);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(sphere_slides_and_rolls);
  RUN_TEST(sphere_stops_slipping_at_five_sevenths);
  RUN_TEST(sphere_rolls_down_an_incline);
  RUN_TEST(sphere_on_a_patch);
  return UNITY_END();
}
