// Bodies that do not act on each other: each is solved by itself, to the same bits as if it were alone, and
// ten cost ten times what one does.
#include <cstring>

#include "tactus/tactus.hpp"
#include "tests/unit/tell.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;

namespace {

using V = math::Vector3<float>;

template <int kBoxes>
constexpr Capacity kApart{
    .bodies = kBoxes + 1, .contacts = kBoxes, .slots = 8 * kBoxes, .active = 4 * kBoxes, .parts = 0};

template <Capacity C>
bool add_floor(World<float, 3, C>& world) {
  world = {};
  int index = 0;
  return configure(world, 1e-3F, V(0, 0, -9.81F)) == What::none &&
         add_body<float, 3, C>(world, {.shape = geometry::half_space<float>(V(0, 0, 1), 0.0F)}, index) ==
             What::none;
}

// A box that slides, or rests.
template <Capacity C>
bool add_box(World<float, 3, C>& world, float mass, float x, float speed) {
  BodyDescription<float, 3> box;
  box.mass = mass;
  box.inertia = (mass * V(0.0041667F, 0.0041667F, 0.0066667F)).asDiagonal();
  box.shape = geometry::box<float>(0.1F, 0.1F, 0.05F);
  box.pose.position = V(x, 0, 0.05F);
  box.velocity.linear = V(0, speed, 0);
  int index = 0, contact = 0;
  return add_body(world, box, index) == What::none &&
         add_contact(world, {.a = 0, .b = index, .friction{.kinetic = 0.5F}}, contact) == What::none;
}

template <class T>
bool same(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// 10 g beside 1000 t: neither is judged by the other's forces.
void each_as_if_alone() {
  static World<float, 3, kApart<2>> both;
  static Workspace<float, 3, kApart<2>> workspace;
  static World<float, 3, kApart<1>> alone[2];
  static Workspace<float, 3, kApart<1>> workspace_alone;
  const float mass[] = {1e-2F, 1e6F}, x[] = {-1, 1}, speed[] = {1, 0.3F};
  TEST_ASSERT_TRUE(add_floor(both));
  for (int i = 0; i < 2; ++i) {
    TEST_ASSERT_TRUE(add_box(both, mass[i], x[i], speed[i]));
    TEST_ASSERT_TRUE(add_floor(alone[i]) && add_box(alone[i], mass[i], x[i], speed[i]));
  }
  for (int k = 0; k < 400; ++k) {
    TEST_ASSERT_TRUE(step(both, workspace).status == StepStatus::solved);
    for (std::size_t i = 0; i < 2; ++i) {
      TEST_ASSERT_TRUE(step(alone[i], workspace_alone).status == StepStatus::solved);
      TEST_ASSERT_TRUE(same(both.state.pose[i + 1], alone[i].state.pose[1]));
      TEST_ASSERT_TRUE(same(both.state.velocity[i + 1], alone[i].state.velocity[1]));
    }
  }
  TEST_ASSERT_TRUE(both.state.velocity[1].linear.norm() < 1e-4F);  // both have come to rest
  TEST_ASSERT_TRUE(both.state.velocity[2].linear.norm() < 1e-4F);
}

#ifdef __arm__
template <int kBoxes>
std::uint32_t cost(World<float, 3, kApart<kBoxes>>& world, Workspace<float, 3, kApart<kBoxes>>& workspace) {
  TEST_ASSERT_TRUE(add_floor(world));
  for (int i = 0; i < kBoxes; ++i) TEST_ASSERT_TRUE(add_box(world, 1.0F, static_cast<float>(i), 0.2F));
  std::uint32_t sum = 0;
  for (int k = 0; k < 100; ++k) {
    const std::uint32_t start = tell::now();
    TEST_ASSERT_TRUE(step(world, workspace).status == StepStatus::solved);
    sum += tell::since(start);
  }
  return sum / 100;
}

void ten_cost_ten_times_one() {
  static World<float, 3, kApart<1>> one;
  static Workspace<float, 3, kApart<1>> workspace_of_one;
  static World<float, 3, kApart<10>> ten;
  static Workspace<float, 3, kApart<10>> workspace_of_ten;
  const std::uint32_t single = cost<1>(one, workspace_of_one), all = cost<10>(ten, workspace_of_ten);
  tell::figure("one box, instructions a step:", single);
  tell::figure("ten boxes apart:", all);
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(12 * single, all);
}
#endif

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(each_as_if_alone);
#ifdef __arm__
  RUN_TEST(ten_cost_ten_times_one);
#endif
  return UNITY_END();
}
