// Rigid spheres that slide and roll, against the reference cases and closed forms.
#include "space.hpp"

using namespace space;

namespace {

// By pyramids, whose friction is the cone's where modes are found.
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

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(sphere_slides_and_rolls);
  RUN_TEST(sphere_stops_slipping_at_five_sevenths);
  return UNITY_END();
}
