// Several bodies that strike at once (Stewart 2000, 4.4), and restitution: Newton's law at every closed
// contact in one step.
#include <memory>

#include "reference.hpp"

using namespace tactus;
using namespace tactus::stepper;
using reference::Json;
using reference::Worst;
using Vector3 = dynamics::Vector<double, 3>;

namespace {

constexpr Capacity kRow{.bodies = 5, .contacts = 5, .slots = 5, .active = 5, .unknowns = 30};
using Space = Scene<3, kRow>;

int add_ball(Space& scene, double mass, double radius, const Vector3& at, const Vector3& velocity,
             bool turns) {
  BodyDescription<double, 3> ball;
  ball.mass = mass;
  ball.inertia = Eigen::Matrix3d::Identity() * (turns ? 0.4 * mass * radius * radius : 1e9);
  ball.shape = geometry::sphere<double>(radius);
  ball.pose.position = at;
  ball.velocity.linear = velocity;
  return scene.add(ball);
}

// A row of touching balls struck at one end: with Newton's law at all contacts together each restitution has
// its own answer, which is not that of one impact after another.
void chain() {
  const Json json = reference::load("spatial/multi_impact.json");
  Worst v("row of balls, velocities");
  for (const auto& [name, e] : {std::pair{"eps0.9", 0.9}, {"eps1", 1.0}, {"eps0", 0.0}}) {
    const auto want = reference::numbers(json["chain"][name]["simultaneous"]);
    Space scene(1e-3, Vector3(0, 0, 0));
    const int n = static_cast<int>(want.size());
    for (int i = 0; i < n; ++i)
      add_ball(scene, 1, 0.1, Vector3(0.2 * i, 0, 0), Vector3(i == 0 ? 1 : 0, 0, 0), true);
    for (int i = 0; i + 1 < n; ++i) scene.touch(i, i + 1, 0, e);
    scene.step();
    for (int i = 0; i < n; ++i)
      v.see(std::abs(scene.velocity(i).linear[0] - want[static_cast<std::size_t>(i)]));
  }
  v.within(json["tolerance"].get<double>());
}

// One ball rolls into another at rest on a table: friction between them lifts the first (Stewart 2000,
// fig. 4.3).
void two_balls_on_a_table() {
  const Json json = reference::load("spatial/multi_impact.json");
  const Json& figure = json["two_balls_fig43"];
  const double R = figure["params"]["R"], m = figure["params"]["m"], v0 = figure["params"]["v"];
  Worst v("two balls on a table, v and R w");
  for (const Json& row : figure["results"]) {
    Space scene(1e-3, Vector3(0, 0, 0));
    scene.floor();
    const int first = add_ball(scene, m, R, Vector3(0, 0, R), Vector3(v0, 0, 0), true);
    const int second = add_ball(scene, m, R, Vector3(2 * R, 0, R), Vector3(0, 0, 0), true);
    scene.velocity(first).angular[1] = v0 / R;
    scene.touch(0, first, row["mu"]);
    scene.touch(0, second, row["mu"]);
    scene.touch(first, second, row["mu"]);
    scene.step();
    for (int i = 0; i < 2; ++i) {
      for (int c = 0; c < 3; ++c) {
        const auto b = static_cast<std::size_t>(i), k = static_cast<std::size_t>(c);
        v.see(std::abs(scene.velocity(first + i).linear[c] - row["v"][b][k].get<double>()));
        v.see(R * std::abs(scene.velocity(first + i).angular[c] - row["w"][b][k].get<double>()));
      }
    }
  }
  v.within(json["tolerance"].get<double>());
}

void two_spheres_rebound() {
  for (const double e : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    Space scene(1e-3, Vector3(0, 0, 0));
    add_ball(scene, 1, 0.5, Vector3(0, 0, 0), Vector3(1, 0, 0), true);
    add_ball(scene, 1, 0.5, Vector3(1.01, 0, 0), Vector3(-1, 0, 0), true);
    scene.touch(0, 1, 0.3, e);
    for (int k = 0; k < 20; ++k) scene.step();
    TEST_ASSERT_DOUBLE_WITHIN(e == 0 ? 1e-9 : 1e-12, 2 * e,
                              scene.velocity(1).linear[0] - scene.velocity(0).linear[0]);
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(chain);
  RUN_TEST(two_balls_on_a_table);
  RUN_TEST(two_spheres_rebound);
  return UNITY_END();
}
