// The same bits of whole steps from every machine, in float: a box in space that falls, turns, lands and
// slides, an arm of seven joints that pushes a box over a table and lets go, and a ball on a patch.
//
// Nothing derives the three numbers; they are what x86-64 with FMA gave, and Cortex-M4F and M7 have to give
// them too. A change that changes answers on purpose changes them, in a commit that says so. Without fused
// multiply-adds (kFused) a build rounds otherwise and is only held to what the bodies must do.
#include "scenes.hpp"
#include "tests/unit/checksum.hpp"
#include "tests/unit/predictor/arms.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;

namespace {

template <Capacity C>
void add(Checksum& sum, const World<float, 3, C>& world, const StepReport<float, 3, C>& report) {
  const auto& state = world.state;
  for (std::size_t i = 1; i < static_cast<std::size_t>(world.model.bodies); ++i) {
    const auto& p = state.pose[i];
    for (const float x : {p.w, p.x, p.y, p.z}) sum.add(x);
    for (int k = 0; k < 3; ++k) {
      sum.add(p.position[k]);
      sum.add(state.velocity[i].linear[k]);
      sum.add(state.velocity[i].angular[k]);
    }
  }
  if constexpr (C.arm_joints > 0) {
    for (std::size_t j = 0; j < static_cast<std::size_t>(C.arm_joints); ++j) {
      sum.add(state.arm.q[j]);
      sum.add(state.arm.qd[j]);
    }
  }
  for (const auto& contact : report.contact) {
    sum.add(contact.mode);
    for (int k = 0; k < 3; ++k) sum.add(contact.force[k]);
  }
}

void same(const Checksum& sum, std::uint32_t expected) {
  if constexpr (math::kFused) TEST_ASSERT_EQUAL_HEX32(expected, sum.value());
}

void a_box_falls_turns_and_slides() {
  static World<float, 3, scenes::kBox> world;
  static Workspace<float, 3, scenes::kBox> workspace;
  TEST_ASSERT_TRUE(scenes::make_box(world, 0.5F, 0.02F));
  world.state.velocity[1].angular = {0.5F, 2, 1};
  Checksum sum;
  for (int k = 0; k < 500; ++k) {
    const auto report = step(world, workspace);
    TEST_ASSERT_TRUE(report.status == StepStatus::solved);
    add(sum, world, report);
  }
  // On its face, at rest.
  TEST_ASSERT_FLOAT_WITHIN(1e-4F, 0.05F, world.state.pose[1].position[2]);
  TEST_ASSERT_FLOAT_WITHIN(1e-4F, 0, world.state.velocity[1].linear[0]);
  same(sum, 0xD92183FA);
}

// And spins: the patch turns with it and moves both ways over it.
void a_ball_rolls_on_a_patch() {
  static World<float, 3, scenes::kBall> world;
  static Workspace<float, 3, scenes::kBall> workspace;
  TEST_ASSERT_TRUE(scenes::make_ball(world));
  Checksum sum;
  for (int k = 0; k < 200; ++k) {
    const auto report = step(world, workspace);
    TEST_ASSERT_TRUE(report.status == StepStatus::solved);
    add(sum, world, report);
  }
  same(sum, 0xC8CB3F6B);
}

void an_arm_pushes_a_box_and_lets_go() {
  static World<float, 3, arms::kPush> world;
  static Workspace<float, 3, arms::kPush> workspace;
  TEST_ASSERT_TRUE(arms::make_push(world, 1e-3F));
  const float start = world.state.pose[arms::kBox].position[0];
  Checksum sum;
  bool slid = false;
  for (int k = 0; k < 300; ++k) {
    if (k == 20) arms::press(world, arms::kTip, {25, 6, 0});
    if (k == 150) arms::press(world, arms::kTip, {-50, 0, 5});
    const auto report = step(world, workspace);
    TEST_ASSERT_TRUE(report.status == StepStatus::solved);
    add(sum, world, report);
    slid = slid || report.contact[arms::kHeld].mode == contact::Mode::slip;
    if (k == 299) TEST_ASSERT_TRUE(report.contact[arms::kTouched].mode == contact::Mode::open);
  }
  TEST_ASSERT_TRUE(slid && world.state.pose[arms::kBox].position[0] > start + 1e-3F);
  same(sum, 0x16C265A5);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_box_falls_turns_and_slides);
  RUN_TEST(a_ball_rolls_on_a_patch);
  RUN_TEST(an_arm_pushes_a_box_and_lets_go);
  return UNITY_END();
}
