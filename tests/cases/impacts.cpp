// Several bodies that strike at once (Stewart 2000, 4.4): together, by Newton's law at every closed contact,
// and one after another.
#include <algorithm>
#include <array>
#include <memory>

#include "reference.hpp"

using namespace tactus;
using namespace tactus::stepper;
using reference::Json;
using reference::Worst;
using Vector3 = math::Vector<double, 3>;

namespace {

constexpr Capacity kRow{.bodies = 5, .contacts = 5, .slots = 5, .active = 5};
using Space = Stage<3, kRow>;

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
    Space scene(1e-3, Vector3(0, 0, 0), {.impact = ImpactLaw::newton, .impacts = ImpactOrder::together});
    const int n = static_cast<int>(want.size());
    for (int i = 0; i < n; ++i)
      add_ball(scene, 1, 0.1, Vector3(0.2 * i, 0, 0), Vector3(i == 0 ? 1 : 0, 0, 0), true);
    for (int i = 0; i + 1 < n; ++i) scene.touch(i, i + 1, 0, e);
    scene.step();
    double kept = 0;  // of the energy of the ball that struck
    for (int i = 0; i < n; ++i) {
      const double u = scene.velocity(i).linear[0];
      v.see(std::abs(u - want[static_cast<std::size_t>(i)]));
      kept += u * u;
    }
    TEST_ASSERT_TRUE(kept <= 1 + 1e-12 && (e < 1 || kept >= 1 - 1e-12));
  }
  v.within(json["tolerance"].get<double>());
}

// With gaps between them they strike one after another, until all part.
void chain_one_after_another() {
  const Json json = reference::load("spatial/multi_impact.json");
  Worst v("row of balls with gaps, velocities");
  for (const auto& [name, e] : {std::pair{"eps0.9", 0.9}, {"eps1", 1.0}, {"eps0", 0.0}}) {
    const auto want = reference::numbers(json["chain"][name]["sequential"]);
    Space scene(1e-4, Vector3(0, 0, 0));
    const int n = static_cast<int>(want.size());
    for (int i = 0; i < n; ++i)
      add_ball(scene, 1, 0.1, Vector3(0.201 * i, 0, 0), Vector3(i == 0 ? 1 : 0, 0, 0), true);
    for (int i = 0; i + 1 < n; ++i) scene.touch(i, i + 1, 0, e);
    for (int k = 0; k < 40000; ++k) scene.step();
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
  Worst v("two balls on a table, v and R w"), impulse("... impulses (N s)");
  for (const Json& row : figure["results"]) {
    Space scene(1e-3, Vector3(0, 0, 0));
    scene.floor();
    const int first = add_ball(scene, m, R, Vector3(0, 0, R), Vector3(v0, 0, 0), true);
    const int second = add_ball(scene, m, R, Vector3(2 * R, 0, R), Vector3(0, 0, 0), true);
    scene.velocity(first).angular[1] = v0 / R;
    scene.touch(0, first, row["mu"]);
    scene.touch(0, second, row["mu"]);
    scene.touch(first, second, row["mu"]);
    const auto report = scene.step();
    // Open, stick or slip of first and second on the table and of the pair; and their impulses, N s.
    std::string modes;
    for (std::size_t c = 0; c < 3; ++c) {
      const auto mode = report.contact[c].mode;
      modes += mode == contact::Mode::open ? '0' : mode == contact::Mode::stick ? 'S' : 's';
      const Json& want = row["impulses"][c];
      const auto& force = report.contact[c].force;
      impulse.see(std::abs(1e-3 * force[0] - want[3].get<double>()));
      impulse.see(std::abs(1e-3 * std::hypot(force[1], force[2]) -
                           std::hypot(want[4].get<double>(), want[5].get<double>())));
    }
    TEST_ASSERT_EQUAL_STRING(row["modes"][0].get<std::string>().c_str(), modes.c_str());
    // Where both slip, v_z = v mu / (2 - mu^2).
    const double mu = row["mu"], lifted = v0 * mu / (2 - mu * mu);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, lifted, row["v1z_all_slip"].get<double>());
    if (modes == "0ss") v.see(std::abs(scene.velocity(first).linear[2] - lifted));
    for (int i = 0; i < 2; ++i) {
      for (int c = 0; c < 3; ++c) {
        const auto b = static_cast<std::size_t>(i), k = static_cast<std::size_t>(c);
        v.see(std::abs(scene.velocity(first + i).linear[c] - row["v"][b][k].get<double>()));
        v.see(R * std::abs(scene.velocity(first + i).angular[c] - row["w"][b][k].get<double>()));
      }
    }
  }
  v.within(json["tolerance"].get<double>());
  impulse.within(json["tolerance"].get<double>());
}

// Stewart 2000, fig. 4.4: three equal masses in a row, springs k1 and k2 between them, the first at 1 m/s.
// However stiff, the ratio k1 / k2 decides who gets what, which no rigid law knows. The step is implicit,
// hence first order: two steps extrapolate to second.
constexpr Capacity kSprings{
    .bodies = 3, .contacts = 2, .slots = 2, .active = 2, .patches = 2, .patch_elements = 1};

std::array<double, 3> after_impact(double ratio, double h) {
  Stage<3, kSprings> scene(h, Vector3(0, 0, 0));
  for (int i = 0; i < 3; ++i) {
    BodyDescription<double, 3> ball;
    ball.mass = 1;
    ball.inertia = Eigen::Matrix3d::Identity() * 0.004;
    ball.shape = geometry::sphere<double>(1);  // more than a soft spring gives way
    ball.pose.position[0] = 2.0 * i;
    ball.velocity.linear[0] = i == 0 ? 1 : 0;
    scene.add(ball);
  }
  const double unlike = std::max(ratio, 1 / ratio), stiff = 1e4 * std::sqrt(std::min(unlike, 20.0));
  for (int i = 0; i < 2; ++i) {
    contact::PatchLaw<double> spring;
    spring.stiffness = stiff * std::min(1.0, i == 0 ? ratio : 1 / ratio);
    scene.touch(i, i + 1, 0, 0, &spring);
  }
  double energy = 0;
  // Long enough for the softer spring.
  const double end = 0.12 * std::max(1.0, std::sqrt(unlike / 20));
  for (double t = 0; t < end; t += h) energy = scene.step().energy.kinetic;
  // The springs give back what they took, less what the implicit step keeps.
  TEST_ASSERT_TRUE(energy <= 0.5 + 1e-12 && energy > 0.49);
  return {scene.velocity(0).linear[0], scene.velocity(1).linear[0], scene.velocity(2).linear[0]};
}

void three_masses() {
  const Json json = reference::load("spatial/multi_impact.json");
  Worst v("three masses between springs, extrapolated velocities"), momentum("... momentum");
  int seen = 0;
  for (const Json& row : json["three_masses"]["rows"]) {
    const double ratio = row[0];
    const auto coarse = after_impact(ratio, 2e-5), fine = after_impact(ratio, 1e-5);
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      v.see(std::abs(2 * fine[i] - coarse[i] - row[i + 1].get<double>()));
      TEST_ASSERT_TRUE(std::abs(fine[i] - row[i + 1].get<double>()) < 5e-3);
      sum += fine[i];
    }
    momentum.see(std::abs(sum - 1));
    ++seen;
  }
  TEST_ASSERT_EQUAL_INT(11, seen);
  v.within(1e-4);
  momentum.within(1e-12);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(chain);
  RUN_TEST(chain_one_after_another);
  RUN_TEST(two_balls_on_a_table);
  RUN_TEST(three_masses);
  return UNITY_END();
}
