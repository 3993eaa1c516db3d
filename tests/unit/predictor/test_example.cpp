// The example of core/examples, run against a plant: it stops short of the slip, and without a budget it
// holds what it has.
#include "core/examples/controller.cpp"
#include "tests/unit/tell.hpp"

namespace {

std::uint32_t begun = 0, worst = 0;
std::uint32_t spent() {
  return tell::since(begun);
}
std::uint32_t none_left() {
  return 1'000'000;
}

// The least push at which two of the eight members slip, mu m g of what they have drawn: more than a fifth.
float second_to_slip() {
  float least = 1e9F, second = 1e9F;
  for (int m = 0; m < 8; ++m) {
    auto model = world.model;
    auto state = world.state;
    predictor::disturb<float, 2, kSize>(model, state, {.friction = 0.2F, .mass = 0.1F}, m);
    const float push = model.contact[0].friction.kinetic * model.inertia[1].mass * 9.81F;
    second = push < least ? least : push < second ? push : second;
    least = push < least ? push : least;
  }
  return second;
}

// The wish grows by 10 mN a tick; what is applied ends within that below the push that is too much.
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
  const float most = second_to_slip();
  TEST_ASSERT_TRUE(most < 0.5F * 0.2F * 9.81F);  // the members say no before the prediction does
  TEST_ASSERT_TRUE(push <= most && push > most - 0.011F);
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
