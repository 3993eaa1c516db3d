// A rolling disc as a polygon (Chakraborty 2007, fig. 1).
#include "plane.hpp"

using namespace plane;

namespace {

struct Polygon {
  double kinetic = 0;
  std::vector<double> every;  // 0.1 s
  std::array<double, 3> q{}, v{};
  int without_room = 0;  // steps that say so
};

// The motion of Chakraborty's disc cut to n corners, for 1 s, with v (x, y, spin) at the start.
Polygon roll_polygon(const Json& p, int n, double h, const std::array<double, 3>& v) {
  Plane scene(h, {0, -p["g"].get<double>()});
  scene.floor();
  scene.add(body(p["m"], p["J"], geometry::polygon<double>(n, p["R"]), p["q0"][1], -1.5707963267948966, v));
  scene.touch(0, 1, p["mu"]);
  Polygon out;
  for (int k = 0; k < std::lround(1.0 / h); ++k) {
    const auto report = stepper::step(scene.world, scene.workspace);
    out.kinetic = report.energy.kinetic;
    if ((k + 1) % std::lround(0.1 / h) == 0) out.every.push_back(out.kinetic);
    if (report.status == StepStatus::solved) continue;
    TEST_ASSERT_EQUAL_STRING(sentence(StepReason::room), sentence(report.reason));
    ++out.without_room;
  }
  out.q = {scene.pose(1).x, scene.pose(1).y, scene.pose(1).angle + 1.5707963267948966};
  out.v = {scene.velocity(1).linear[0], scene.velocity(1).linear[1], scene.velocity(1).angular[0]};
  return out;
}

// A rolling disc cut to n corners loses energy at each of them: the same scheme, so the same loss. Up to 76
// corners touch in the reference; 8 are kept, the right ones, and each step has looked at all of them after
// its solution.
void disc_as_polygon() {
  const Json json = reference::load("planar/disc_rolling.json");
  const Json& p = json["params"];
  for (const char* figure : {"fig1a", "fig1b"}) {
    for (const Json& row : json[figure]) {
      const int n = row["n"];
      const double h = row["h"], want = row["KE_T"];
      const Polygon have = roll_polygon(p, n, h, {p["v0"][0], p["v0"][1], p["v0"][2]});
      std::printf("disc as %d-gon, h %g: kinetic energy %.9g (reference %.9g)\n", n, h, have.kinetic, want);
      TEST_ASSERT_DOUBLE_WITHIN(1e-6 * want, want, have.kinetic);
      const double before = json["KE0"];
      if (row.contains("KE0")) TEST_ASSERT_EQUAL_DOUBLE(before, row["KE0"].get<double>());
      TEST_ASSERT_DOUBLE_WITHIN(1e-4, row["loss_percent"].get<double>(), 100 * (1 - have.kinetic / before));
      for (std::size_t i = 0; i < 3; ++i) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, row["final_q"][i].get<double>(), have.q[i]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, row["final_v"][i].get<double>(), have.v[i]);
      }
      TEST_ASSERT_EQUAL_DOUBLE(before, row["KE_every_0p1"][0].get<double>());
      for (std::size_t i = 1; i < row["KE_every_0p1"].size(); ++i)
        TEST_ASSERT_DOUBLE_WITHIN(1e-6 * want, row["KE_every_0p1"][i].get<double>(), have.every[i - 1]);
      TEST_ASSERT_EQUAL_INT(0, have.without_room);
    }
  }
}

// A disc of 4,000 corners that slides without spin, stopped by a floor of mu = 1,000: the blow turns it by
// more corners than are kept, so the step that it happens in must say that it lacked room.
void polygon_without_room() {
  Json p = reference::load("planar/disc_rolling.json")["params"];
  p["mu"] = 1000;
  TEST_ASSERT_GREATER_THAN_INT(0, roll_polygon(p, 4000, 0.01, {-3, -1, 0}).without_room);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(disc_as_polygon);
  RUN_TEST(polygon_without_room);
  return UNITY_END();
}
