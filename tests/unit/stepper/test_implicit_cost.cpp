// What an implicit step costs on an emulated board, in instructions, held to bounds; elsewhere its memory
// only.
#include <cstdint>

#include "tactus/stepper/implicit.hpp"
#include "unity.h"

#ifdef __arm__
#include "boards/board.hpp"
#endif

namespace implicit = tactus::stepper::implicit;
using namespace tactus;
using V3 = dynamics::Vector<float, 3>;

namespace {

template <class World, class Workspace>
void measure(const char* name, World& world, Workspace& workspace, int steps, std::uint32_t mean_bound,
             std::uint32_t bound) {
  std::uint32_t worst = 0;
  std::uint64_t sum = 0;
  int iterations = 0;
  for (int k = 0; k < steps; ++k) {
#ifdef __arm__
    const std::uint32_t start = board::counter();
#endif
    const auto report = step(world, workspace);
#ifdef __arm__
    const std::uint32_t count = board::counts_since(start);
    worst = count > worst ? count : worst;
    sum += count;
#endif
    iterations = report.iterations > iterations ? report.iterations : iterations;
    TEST_ASSERT_TRUE(report.status == implicit::Status::solved);
  }
  const auto mean = static_cast<std::uint32_t>(sum / static_cast<std::uint64_t>(steps));
  TEST_MESSAGE(name);
  UnityPrint("  mean, worst, most systems, bytes of world and workspace: ");
  for (const std::uint32_t value :
       {mean, worst, static_cast<std::uint32_t>(iterations), static_cast<std::uint32_t>(sizeof world),
        static_cast<std::uint32_t>(sizeof workspace)}) {
    UnityPrintNumberUnsigned(value);
    UnityPrint(" ");
  }
  UNITY_PRINT_EOL();
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(mean_bound, mean);
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(bound, worst);
}

constexpr implicit::Capacity kOne{.bodies = 2, .moving = 1, .contacts = 1, .pieces = 1};
constexpr implicit::Capacity kTwo{.bodies = 3, .moving = 1, .contacts = 2, .pieces = 1};

template <int Dim, implicit::Capacity C>
int add(implicit::World<float, Dim, C>& world, const implicit::BodyDescription<float, Dim, C.pieces>& body) {
  int index = -1;
  TEST_ASSERT_TRUE(add_body(world, body, index) == implicit::BuildError::none);
  return index;
}

void disc() {
  static implicit::World<float, 2, kOne> world;
  static implicit::Workspace<float, 2, kOne> workspace;
  TEST_ASSERT_TRUE(configure(world, 1e-3F, {0, -9.81F}) == implicit::BuildError::none);
  implicit::BodyDescription<float, 2, 1> floor, body;
  geometry::add<float, 2, 1>(floor.surface, geometry::half_space<float>(geometry::Vector2<float>(0, 1), 0));
  geometry::add<float, 2, 1>(body.surface, geometry::disc(0.1F));
  body.mass = 1;
  body.inertia(0, 0) = 0.005F;
  body.pose = {0, 0.1F, 0};
  body.velocity.linear[0] = 1;
  add(world, floor);
  add(world, body);
  int index = 0;
  add_contact(world, {.a = 0, .b = 1, .friction = {0.3F, dynamics::Vector<float, 1>(1)}}, index);
  measure("disc that slides and rolls, 1000 steps", world, workspace, 1000, 40000, 60000);
}

void ellipsoid() {
  static implicit::World<float, 3, kOne> world;
  static implicit::Workspace<float, 3, kOne> workspace;
  TEST_ASSERT_TRUE(configure(world, 1e-3F, V3(0, 0, -9.81F)) == implicit::BuildError::none);
  implicit::BodyDescription<float, 3, 1> floor, body;
  geometry::add<float, 3, 1>(floor.surface, geometry::half_space<float>(V3(0, 0, 1), 0));
  geometry::add<float, 3, 1>(body.surface, geometry::ellipsoid(0.1F, 0.08F, 0.06F));
  body.mass = 1;
  body.inertia.diagonal() = V3(0.002F, 0.00272F, 0.00328F);
  body.pose.position[2] = 0.06F;
  body.velocity.linear[0] = 0.3F;
  body.velocity.angular = {0, 5, 2};
  add(world, floor);
  add(world, body);
  int index = 0;
  add_contact(world, {.a = 0, .b = 1, .friction = {0.6F, {1, 1, 0.04F}}}, index);
  measure("ellipsoid that slides and rolls, 1000 steps", world, workspace, 1000, 120000, 200000);
}

void sphere_on_two() {
  static implicit::World<float, 3, kTwo> world;
  static implicit::Workspace<float, 3, kTwo> workspace;
  TEST_ASSERT_TRUE(configure(world, 0.01F, V3(0, 0, 0)) == implicit::BuildError::none);
  implicit::BodyDescription<float, 3, 1> a, b, ball;
  geometry::add<float, 3, 1>(a.surface, geometry::sphere(10.0F));
  geometry::add<float, 3, 1>(b.surface, geometry::sphere(9.0F));
  geometry::add<float, 3, 1>(ball.surface, geometry::sphere(1.0F));
  b.pose.position[1] = 11.4F;
  ball.mass = 1;
  ball.inertia.diagonal().setConstant(0.4F);
  ball.pose.position = {0, 6.62105263F, 8.78417111F};
  ball.force.linear = {1, 2.6F, -9.81F};
  add(world, a);
  add(world, b);
  add(world, ball);
  int index = 0;
  for (int i = 0; i < 2; ++i) add_contact(world, {.a = i, .b = 2, .friction = {0.2F, {1, 1, 0.3F}}}, index);
  measure("sphere on two spheres, 400 steps", world, workspace, 400, 480000, 1050000);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(disc);
  RUN_TEST(ellipsoid);
  RUN_TEST(sphere_on_two);
  return UNITY_END();
}
