// What a step costs and how much memory it needs. On an emulated board the counts are instructions, the same
// in every run, and are held to their budgets; elsewhere only the sizes are.
#include <cstdint>
#include <cstring>

#include "scenes.hpp"
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

void memory() {
  tell::figure("ellipse: bytes of world", sizeof ellipse);
  tell::figure("ellipse: bytes of workspace", sizeof ellipse_workspace);
  tell::figure("box, n = 24: bytes of world", sizeof box);
  tell::figure("box, n = 24: bytes of workspace", sizeof box_workspace);
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(8192, sizeof box + sizeof box_workspace);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(memory);
  RUN_TEST(ellipse_step);
  RUN_TEST(box_step);
  return UNITY_END();
}
