// Scenes with closed forms that other engines are tested by (spatial/analytic_scenes.json).
#include "space.hpp"
#include "tactus/contact/acceleration_pyramid.hpp"

using namespace space;

namespace {

const Json& scene_named(const char* name) {
  static const Json all = reference::load("spatial/analytic_scenes.json");
  for (const Json& scene : all)
    if (scene["name"] == name) return scene;
  TEST_FAIL_MESSAGE(name);
  return all;
}

// A thrown block stops in its last step; the distance is short by half a step of its first speed.
void block_slides_and_stops() {
  const Json& scene = scene_named("block_slide_stop");
  const Json& p = scene["params"];
  const Json& want = scene["answer"];
  const double v = p["v0"], mu = p["mu"], g = p["g"], side = p["side"], h = 1e-4;
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, v * v / (2 * mu * g), want["d"].get<double>());
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, v / (mu * g), want["t_stop"].get<double>());
  auto world = scene_of(h, {0, 0, -g}, 16);
  auto block = box(p["mass"], {side / 2, side / 2, side / 2});
  block.velocity.linear = {v * std::cos(0.3), v * std::sin(0.3), 0};
  world->add(block);
  world->touch(0, 1, mu);
  double stopped = 0;
  for (int k = 1; stopped == 0; ++k) {
    world->step();
    TEST_ASSERT_LESS_THAN_INT(20000, k);
    if (world->velocity(1).linear.norm() < 1e-9) stopped = k * h;
  }
  const double d = std::hypot(world->pose(1).position[0], world->pose(1).position[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1.01 * h, want["t_stop"].get<double>(), stopped);
  TEST_ASSERT_DOUBLE_WITHIN(1.01 * v * h / 2, want["d"].get<double>(), d);
}

void sphere_rolls_down_an_incline() {
  const Json& scene = scene_named("sphere_roll_incline");
  const Json& p = scene["params"];
  const Json& want = scene["answer"];
  const double angle = p["theta_deg"].get<double>() * 3.14159265358979323846 / 180, g = p["g"],
               mass = p["mass"], h = 1e-3, a = want["a"];
  auto world = scene_of(h, {g * std::sin(angle), 0, -g * std::cos(angle)}, 4);
  world->add(sphere(mass, p["radius"]));
  contact::Friction<double> friction{.kinetic = p["mu_k"]};
  friction.kind = contact::FrictionKind::static_kinetic;
  friction.resting = p["mu_s"];
  world->touch({.a = 0, .b = 1, .friction = friction});
  StepReport<double, 3, kSpatial> report;
  for (int n = 0; n < std::lround(p["t_end"].get<double>() / h); ++n) report = world->step();
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 5.0 / 7 * g * std::sin(angle), a);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, want["v(1s)"].get<double>(), world->velocity(1).linear[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, a * p["t_end"].get<double>(), world->velocity(1).linear[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, -2.0 / 7 * mass * g * std::sin(angle), report.contact[0].force[1]);
}

constexpr Capacity kRow{.bodies = 3, .contacts = 2, .slots = 2, .active = 2};

void two_spheres_rebound() {
  const Json& p = scene_named("restitution_two_spheres")["params"];
  const double v = p["v_rel"], r = p["r"];
  TEST_ASSERT_EQUAL_size_t(5, p["e"].size());
  for (const Json& e : p["e"]) {
    Stage<3, kRow> world(1e-3, Vector3(0, 0, 0));
    for (const double side : {-1.0, 1.0}) {
      auto ball = sphere(p["m"], r);
      ball.pose.position = {side * (r + 0.005), 0, 0};
      ball.velocity.linear[0] = -side * v / 2;
      world.add(ball);
    }
    world.touch(0, 1, 0.3, e);
    for (int k = 0; k < 20; ++k) world.step();
    TEST_ASSERT_DOUBLE_WITHIN(e == 0 ? 1e-9 : 1e-12, e.get<double>() * v,
                              world.velocity(1).linear[0] - world.velocity(0).linear[0]);
  }
}

// Newton's law at all contacts of a row at once: its W, the impulses and the speeds.
void newtons_cradle() {
  const Json& scene = scene_named("newton_cradle_simultaneous_Newton");
  const Json& p = scene["params"];
  const Json& want = scene["answer"];
  const double h = 1e-3;
  Stage<3, kRow> world(h, Vector3(0, 0, 0),
                       {.impact = contact::ImpactLaw::newton, .impacts = ImpactOrder::together});
  for (std::size_t i = 0; i < 3; ++i) {
    auto ball = sphere(p["masses"][i], 0.1);
    ball.pose.position = {0.2 * static_cast<double>(i), 0, 0};
    ball.velocity.linear[0] = p["v_minus"][i];
    world.add(ball);
  }
  for (int i = 0; i < 2; ++i) world.touch(i, i + 1, 0, p["e"]);
  const auto report = world.step();
  const auto& rows = world.workspace.rows;
  for (std::size_t i = 0; i < 3; ++i)
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, want["v_plus"][i].get<double>(),
                              world.velocity(static_cast<int>(i)).linear[0]);
  for (std::size_t i = 0; i < 2; ++i) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, want["p"][i].get<double>(), h * report.contact[i].force[0]);
    for (std::size_t j = 0; j < 2; ++j)
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, want["W"][i][j].get<double>(),
                                rows.A[3 * (i * static_cast<std::size_t>(rows.all) + j)] / h);
  }
}

// A ball pinched between a wall and a plate that slides along x only: it does not creep.
void gripper_holds() {
  constexpr Capacity kGrip{.bodies = 3, .contacts = 2, .slots = 2, .active = 2, .joints = 1};
  const Json& p = scene_named("gripper_hold_no_creep")["params"];
  const double r = p["radius"], mass = p["mass"];
  for (const Json& load : p["normal_load_N"]) {
    Stage<3, kGrip> world(1e-3, Vector3(0, 0, -p["gravity_load_N"].get<double>() / mass));
    BodyDescription<double, 3> wall;
    wall.shape = geometry::half_space<double>(Vector3(1, 0, 0), 0.0);
    world.add(wall);
    auto ball = sphere(mass, r);
    ball.pose.position = {r, 0, 0};
    world.add(ball);
    auto plate = box(0.1, {0.01, 0.02, 0.02});
    plate.pose.position = {2 * r + 0.01, 0, 0};
    plate.force.linear = {-load.get<double>(), 0, 0};
    world.add(plate);
    int rail = 0;
    TEST_ASSERT_TRUE(add_joint(world.world, dynamics::JointType::prismatic, 0, 2,
                               Vector3(plate.pose.position), Vector3(1, 0, 0), rail) == What::none);
    world.touch(0, 1, p["mu"]);
    world.touch(1, 2, p["mu"]);
    for (int k = 0; k < 1000; ++k) {
      const auto report = world.step();
      for (const auto& side : report.contact) {
        TEST_ASSERT_TRUE(side.mode == contact::Mode::stick);
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, load.get<double>(), side.force[0]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, p["gravity_load_N"].get<double>() / 2,
                                  std::hypot(side.force[1], side.force[2]));
      }
      TEST_ASSERT_TRUE(world.velocity(1).linear.norm() < 1e-12);
    }
    TEST_ASSERT_TRUE((world.pose(1).position - ball.pose.position).norm() < 1e-12);
  }
}

// From which mu on a rod that slides at 45 degrees has no acceleration: half length 1, m = 1, J = 1/3.
void rod_jams_at_45_degrees() {
  const double want = scene_named("painleve_rod_onset")["answer"]["at_45deg"], c = std::sqrt(0.5);
  // W = (0, 1, -c), (1, 0, c) by x, y and the turn.
  const double A[4] = {1 + 3 * c * c, -3 * c * c, -3 * c * c, 1 + 3 * c * c}, b[2] = {-kGravity, 0}, v = -1;
  contact::acceleration::PyramidWorkspace<double, 2, 1> workspace;
  for (const auto& [mu, status] : {std::pair{want * (1 - 1e-7), contact::acceleration::Status::solved},
                                   {want * (1 + 1e-7), contact::acceleration::Status::none}}) {
    const contact::acceleration::Problem<double, 2> problem{{1, A, 2, b, &mu, nullptr}, &v};
    TEST_ASSERT_EQUAL_STRING(sentence(status), sentence(solve_pyramid(problem, workspace).status));
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(block_slides_and_stops);
  RUN_TEST(sphere_rolls_down_an_incline);
  RUN_TEST(two_spheres_rebound);
  RUN_TEST(newtons_cradle);
  RUN_TEST(gripper_holds);
  RUN_TEST(rod_jams_at_45_degrees);
  return UNITY_END();
}
