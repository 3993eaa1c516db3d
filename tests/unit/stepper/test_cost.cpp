// What a step costs and how much memory it needs. On an emulated board the counts are instructions, the same
// in every run, and are held to their budgets; elsewhere only the sizes are.
#include <cstdint>
#include <cstring>

#include "scenes.hpp"
#include "tactus/dynamics/drift.hpp"
#include "tests/unit/tell.hpp"

using namespace scenes;

namespace {

struct Cost {
  std::uint32_t worst = 0, warm_worst = 0, warm_count = 0, steps = 0;
  std::uint64_t warm_sum = 0;
  bool solved = true;
};

template <class World, class Workspace>
Cost run(World& world, Workspace& workspace, int steps) {
  Cost cost;
  for (int k = 0; k < steps; ++k) {
    const std::uint32_t start = tell::now();
    const auto report = step(world, workspace);
    const std::uint32_t count = tell::since(start);
    cost.solved = cost.solved && report.status == StepStatus::solved;
    cost.worst = count > cost.worst ? count : cost.worst;
    ++cost.steps;
    if (!report.warm) continue;
    ++cost.warm_count;
    cost.warm_sum += count;
    cost.warm_worst = count > cost.warm_worst ? count : cost.warm_worst;
  }
  return cost;
}

void say(const char* name, const Cost& c) {
  TEST_MESSAGE(name);
  tell::figure("  steps", c.steps);
  tell::figure("  of them warm", c.warm_count);
  tell::figure("  mean of the warm ones",
               static_cast<std::uint32_t>(c.warm_sum / (c.warm_count > 0 ? c.warm_count : 1)));
  tell::figure("  worst of the warm ones", c.warm_worst);
  tell::figure("  worst", c.worst);
}

World<float, 2, kEllipse> ellipse;
Workspace<float, 2, kEllipse> ellipse_workspace;
World<float, 3, kBox> box;
Workspace<float, 3, kBox> box_workspace;

void ellipse_step() {
  TEST_ASSERT_TRUE(make_ellipse(ellipse));
  const Cost cost = run(ellipse, ellipse_workspace, 20000);
  TEST_ASSERT_TRUE(cost.solved);
  say("ellipse, 3 elements, 20000 steps", cost);
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(25000, cost.worst);
}

void box_step() {
  TEST_ASSERT_TRUE(make_box(box, 1.0F));
  const Cost cost = run(box, box_workspace, 1000);
  TEST_ASSERT_TRUE(cost.solved);
  say("box on 4 corners, 4 facets, slides and stops, 1000 steps", cost);
  World<float, 3, kBox> dropped;
  TEST_ASSERT_TRUE(make_box(dropped, 0.5F, 0.02F));
  dropped.state.velocity[1].angular[1] = 2.0F;
  dropped.state.velocity[1].angular[2] = 1.0F;
  const Cost fall = run(dropped, box_workspace, 1000);
  TEST_ASSERT_TRUE(fall.solved);
  say("box that falls, turns and lands, 1000 steps", fall);
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(80000, cost.worst);
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(80000, fall.worst);
}

// One body by itself, over a step of 1 ms.
std::uint32_t drift_cost(float spin, float third) {
  dynamics::Inertia<float, 3> inertia;
  dynamics::SpinMatrix<float, 3> tensor = dynamics::SpinMatrix<float, 3>::Identity();
  tensor(1, 1) = third > 1 ? 1.2F : 1;
  tensor(2, 2) = third;
  TEST_ASSERT_TRUE((dynamics::make_inertia<float, 3>(1, tensor, inertia)) == What::none);
  geometry::SpatialPose<float> pose;
  dynamics::Motion<float, 3> v;
  v.angular = {0.6F * spin, 0.64F * spin, 0.48F * spin};
  const auto frame = geometry::frame(pose);
  const std::uint32_t start = tell::now();
  const bool moved = dynamics::drift(inertia, frame, 1e-3F, pose, v);
  const std::uint32_t count = tell::since(start);
  TEST_ASSERT_TRUE(moved);
  return count;
}

void free_turn() {
  tell::figure("free turn of a sphere", drift_cost(20, 1));
  tell::figure("free turn of a box, 2 rad/s", drift_cost(2, 1.5F));
  tell::figure("free turn of a box, 20 rad/s", drift_cost(20, 1.5F));
  tell::figure("free turn of a box, 100 rad/s", drift_cost(100, 1.5F));
  tell::figure("free turn of a box, 900 rad/s", drift_cost(900, 1.5F));
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(700, drift_cost(100, 1.5F));
}

// The one step in which a body strikes, and the mean of those before it and after it, in flight or at rest.
constexpr Capacity kBouncer{.bodies = 2, .contacts = 1, .slots = 8, .active = 4, .parts = restitution};
World<float, 3, kBouncer> bouncer;
Workspace<float, 3, kBouncer> bouncer_workspace;

void impact_step(const char* name, bool ball, float height, std::uint32_t most) {
  using V = math::Vector3<float>;
  bouncer = {};
  int index = 0;
  BodyDescription<float, 3> ground, body;
  ground.shape = geometry::half_space<float>(V(0, 0, 1), 0);
  body.mass = 1;
  body.inertia = V(0.004F, 0.004F, 0.005F).asDiagonal();
  body.shape = ball ? geometry::sphere<float>(0.1F) : geometry::box<float>(0.1F, 0.1F, 0.1F);
  body.pose.position[2] = 0.1F + height;
  body.velocity.linear = V(0.3F, 0, height > 0 ? -0.5F : 0);
  TEST_ASSERT_TRUE((configure<float, 3, kBouncer>(bouncer, 1e-3F, {0, 0, -9.81F})) == What::none);
  TEST_ASSERT_TRUE(add_body(bouncer, ground, index) == What::none);
  TEST_ASSERT_TRUE(add_body(bouncer, body, index) == What::none);
  TEST_ASSERT_TRUE(add_contact(bouncer, {.a = 0, .b = 1, .friction{.kinetic = 0.3F}, .restitution = 0.5F},
                               index) == What::none);
  std::uint32_t struck = 0, others = 0, steps = 0;
  for (int k = 0; k < 20; ++k) {
    const std::uint32_t start = tell::now();
    const auto report = step(bouncer, bouncer_workspace);
    const std::uint32_t count = tell::since(start);
    TEST_ASSERT_TRUE(report.status == StepStatus::solved);
    if (report.impacts > 0) {
      struck = count > struck ? count : struck;
    } else {
      others += count;
      ++steps;
    }
  }
  TEST_MESSAGE(name);
  tell::figure("  with an impact, worst", struck);
  tell::figure("  without, mean", others / steps);
  TEST_ASSERT_TRUE(height > 0 || steps == 20);
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(most, struck);
}

void impact_steps() {
  impact_step("a ball that slides", true, 0, 0);
  impact_step("a ball that lands", true, 0.002F, 25000);
  impact_step("a box that slides on four corners", false, 0, 0);
  impact_step("a box that lands on four corners", false, 0.002F, 80000);
}

void memory() {
  tell::figure("ellipse: bytes of world", sizeof ellipse);
  tell::figure("ellipse: bytes of workspace", sizeof ellipse_workspace);
  tell::figure("box, n = 24: bytes of world", sizeof box);
  tell::figure("box, n = 24: bytes of workspace", sizeof box_workspace);
  // 8 kB, and of each body the two constants of its free turn.
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(8192 + 16, sizeof box + sizeof box_workspace);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(memory);
  RUN_TEST(free_turn);
  RUN_TEST(ellipse_step);
  RUN_TEST(box_step);
  RUN_TEST(impact_steps);
  return UNITY_END();
}
