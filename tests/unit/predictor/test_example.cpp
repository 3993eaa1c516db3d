// The example of core/examples, run against a plant: it stops short of the slip, and without a budget it
// holds what it has.
#include "core/examples/controller.cpp"
#include "tests/unit/predictor/tell.hpp"

namespace {

std::uint32_t begun = 0, worst = 0;
std::uint32_t spent() {
  return tell::since(begun);
}
std::uint32_t none_left() {
  return 1'000'000;
}

// With mu and m off by 20 and 10 %, members slip from 0.8 * 0.9 mu m g = 0.706 N on, all from mu m g * 1.32.
void it_pushes_no_harder_than_holds() {
  static stepper::Workspace<float, 2, kSize> workspace;
  TEST_ASSERT_TRUE(set_up());
  float push = 0;
  for (int tick = 0; tick < 200; ++tick) {
    begun = tell::now();
    push = control(0.01F * static_cast<float>(tick), push, spent);
    const std::uint32_t cost = spent();
    worst = cost > worst ? cost : worst;
    world.state.force[1].linear[0] = push;
    TEST_ASSERT_TRUE(step(world, workspace).status == stepper::StepStatus::solved);
  }
  TEST_ASSERT_TRUE(push > 0.70F && push < 0.5F * 0.2F * 9.81F);
  TEST_ASSERT_FLOAT_WITHIN(1e-5F, 0, world.state.pose[1].x);
  tell::figure("a tick of the example, instructions at most", worst);
  tell::figure("bytes", sizeof world + sizeof ahead + sizeof doubt);
  TEST_ASSERT_TRUE(worst < 400'000);
}

void without_time_it_holds_what_it_has() {
  TEST_ASSERT_EQUAL_FLOAT(0.3F, control(0.31F, 0.3F, none_left));
  world.state.velocity[1].linear[0] = std::numeric_limits<float>::quiet_NaN();
  TEST_ASSERT_EQUAL_FLOAT(0.3F, control(0.31F, 0.3F, spent));
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(it_pushes_no_harder_than_holds);
  RUN_TEST(without_time_it_holds_what_it_has);
  return UNITY_END();
}
