// The geometrically implicit law in the plane: Chakraborty 2007, example 1 (planar/disc_rolling.json).
#include "implicit.hpp"

namespace {

double kinetic(double mass, double inertia, const dynamics::Motion<double, 2>& v) {
  return (mass * v.linear.squaredNorm() + inertia * v.angular.squaredNorm()) / 2;
}

// Example 1: a disc that rolls keeps its energy, to the paper's 1e-6; a polygon of 1000 sides loses over 1 %.
void disc_rolls_without_loss() {
  const Json json = reference::load("planar/disc_rolling.json");
  const Json& p = json["params"];
  Worst energy("rolling disc, kinetic energy"), end("its place after 1 s"), gap("its gap");
  for (const auto& [name, want] : json["implicit"].items()) {
    const double h = std::stod(name);
    Bodies<2, kDisc> scene(h, {0, -p["g"].get<double>()});
    scene.floor();
    stepper::BodyDescription<double, 2> body;
    body.shape = geometry::disc<double>(p["R"].get<double>());
    body.mass = p["m"];
    body.inertia(0, 0) = p["J"];
    body.pose = {p["q0"][0], p["q0"][1], p["q0"][2]};
    body.velocity.linear = {p["v0"][0].get<double>(), p["v0"][1].get<double>()};
    body.velocity.angular[0] = p["v0"][2];
    scene.add(body);
    scene.touch(0, 1, p["mu"], math::Vector<double, 1>(1));
    for (int k = 1; k <= std::lround(p["T"].get<double>() / h); ++k) {
      const auto report = scene.step();
      energy.see(
          std::abs(kinetic(body.mass, body.inertia(0, 0), scene.velocity(1)) - json["KE0"].get<double>()));
      gap.see(std::abs(report.contact[0].gap));
      gap.see(std::abs(scene.pose(1).y - 1));
    }
    const auto q = reference::numbers(want["final_q"]);
    end.see(std::max({std::abs(scene.pose(1).x - q[0]), std::abs(scene.pose(1).y - q[1]),
                      std::abs(scene.pose(1).angle - q[2])}));
  }
  energy.within(json["tolerance"]["implicit_KE"]);
  end.within(1e-12);
  gap.within(1e-14);
}

void polygon_of_a_thousand_sides_loses_over_a_percent() {
  constexpr stepper::Capacity kPolygon{.bodies = 2, .contacts = 1, .slots = 8, .active = 8};
  const Json json = reference::load("planar/disc_rolling.json");
  const Json& p = json["params"];
  const auto scene =
      std::make_unique<Stage<2, kPolygon>>(0.01, math::Vector<double, 2>(0, -p["g"].get<double>()));
  scene->floor();
  stepper::BodyDescription<double, 2> body;
  body.shape = geometry::polygon<double>(1000, p["R"].get<double>());
  body.mass = p["m"];
  body.inertia(0, 0) = p["J"];
  body.pose = {0, p["R"], 0};
  body.velocity.linear = {p["v0"][0].get<double>(), 0};
  body.velocity.angular[0] = p["v0"][2];
  scene->add(body);
  scene->touch(0, 1, p["mu"]);
  for (int k = 0; k < 100; ++k) scene->step();
  const double left = kinetic(body.mass, body.inertia(0, 0), scene->velocity(1)) / json["KE0"].get<double>();
  std::printf("polygon of 1000 sides, h = 0.01: %.2f %% of the energy lost\n", 100 * (1 - left));
  TEST_ASSERT_TRUE(left < 0.99);
}

void sliding_disc_begins_to_roll() {
  const Json want = reference::load("planar/disc_rolling.json")["implicit_sliding_start"];
  const double h = want["h"];
  Bodies<2, kDisc> scene(h, {0, -9.81});
  scene.floor();
  stepper::BodyDescription<double, 2> body;
  body.shape = geometry::disc<double>(1);
  body.mass = 1;
  body.inertia(0, 0) = 0.5;
  body.pose = {0, 1, 0};
  body.velocity.linear[0] = want["v0"][0];
  scene.add(body);
  scene.touch(0, 1, 0.4, math::Vector<double, 1>(1));
  int first = 0;
  for (int k = 1; k <= 400; ++k)
    if (scene.step().contact[0].mode == contact::Mode::stick && first == 0) first = k;
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, want["t_roll_num"].get<double>(), first * h);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, want["v_final_analytic"][0].get<double>(), scene.velocity(1).linear[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, want["v_final_analytic"][2].get<double>(), scene.velocity(1).angular[0]);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(disc_rolls_without_loss);
  RUN_TEST(polygon_of_a_thousand_sides_loses_over_a_percent);
  RUN_TEST(sliding_disc_begins_to_roll);
  return UNITY_END();
}
