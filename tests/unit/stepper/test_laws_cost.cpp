// What a step costs by each law, in instructions of an emulated board; elsewhere its memory only. Prints the
// rows of the table in the stepper's README, which tests/hil/bench.sh compares with it, and demands that each
// step is solved and that the bodies do what they must.
#include <cstdint>

#include "scenes.hpp"
#include "tests/unit/tell.hpp"

using namespace scenes;
using V3 = math::Vector<float, 3>;

namespace {

// | what | float | mean | worst | bytes of world and workspace |
template <class World, class Workspace>
void measure(const char* name, World& world, Workspace& workspace, int steps) {
  std::uint32_t worst = 0;
  std::uint64_t sum = 0;
  for (int k = 0; k < steps; ++k) {
    const std::uint32_t start = tell::now();
    const auto report = step(world, workspace);
    const std::uint32_t count = tell::since(start);
    worst = count > worst ? count : worst;
    sum += count;
    TEST_ASSERT_TRUE_MESSAGE(report.status == decltype(report.status)::solved, name);
  }
  UnityPrint("| ");
  UnityPrint(name);
  UnityPrint(" | float | ");
  const auto mean = static_cast<std::uint32_t>(sum / static_cast<std::uint64_t>(steps));
  for (const std::uint32_t value :
       {mean, worst, static_cast<std::uint32_t>(sizeof world + sizeof workspace)}) {
    UnityPrintNumberUnsigned(value);
    UnityPrint(" | ");
  }
  UNITY_PRINT_EOL();
}

template <class World>
void came_to(const World& world, float speed) {
  TEST_ASSERT_FLOAT_WITHIN(2e-4F, speed, world.state.velocity[1].linear[0]);
}

constexpr Capacity kBall{
    .bodies = 2, .contacts = 1, .slots = 1, .active = 1, .patches = 1, .patch_elements = 1};
constexpr Capacity kSoftBox{
    .bodies = 2, .contacts = 1, .slots = 8, .active = 4, .patches = 1, .patch_elements = 1};

// A ball of 1 kg and 0.1 m that slides at 1 m/s and then rolls, at 5/7 m/s; a box of 2 kg on four corners
// that slides at 1 m/s and stops.
template <Capacity C>
void make(World<float, 3, C>& world, bool ball, FrictionLaw friction, const contact::PatchLaw<float>* patch) {
  world = {};
  Method method;
  method.friction = friction;
  bool good = configure<float, 3, C>(world, 1e-3F, {0, 0, -9.81F}, method) == What::none;
  BodyDescription<float, 3> ground, body;
  ground.shape = geometry::half_space<float>(V3(0, 0, 1), 0);
  body.mass = ball ? 1 : 2;
  body.inertia.diagonal() = ball ? V3(0.004F, 0.004F, 0.004F) : V3(0.0083333F, 0.0083333F, 0.0133333F);
  body.shape = ball ? geometry::sphere(0.1F) : geometry::box(0.1F, 0.1F, 0.05F);
  body.pose.position[2] = ball ? 0.1F : 0.05F;
  body.velocity.linear[0] = 1;
  int index = 0;
  good = good && add_body(world, ground, index) == What::none;
  good = good && add_body(world, body, index) == What::none;
  ContactDescription<float, 3> contact;
  contact.b = 1;
  contact.friction.kinetic = 0.5F;
  contact.patch = patch;
  TEST_ASSERT_TRUE(good && add_contact(world, contact, index) == What::none);
}

constexpr float kRolls = 5.0F / 7;

template <Capacity C>
void by_contacts(bool ball, const char* rigid, const char* compliant, const char* relaxed, const char* cone) {
  static World<float, 3, C> world;
  static Workspace<float, 3, C> workspace;
  const contact::PatchLaw<float> patch{.stiffness = 1e6F, .damping = 1e3F};
  const auto run = [&](const char* name, FrictionLaw friction, const contact::PatchLaw<float>* law) {
    make(world, ball, friction, law);
    measure(name, world, workspace, 400);
    came_to(world, ball ? kRolls : 0);
  };
  run(rigid, FrictionLaw::pyramid, nullptr);
  run(compliant, FrictionLaw::pyramid, &patch);
  run(relaxed, FrictionLaw::relaxed_cone, nullptr);
  run(cone, FrictionLaw::cone, nullptr);
}

void ball_by_contacts() {
  by_contacts<kBall>(true, "ball, `rigid`", "ball, `compliant`", "ball, `cone`", "ball, `cone`, `exact`");
}
void box_by_contacts() {
  by_contacts<kSoftBox>(false, "box, `rigid`", "box, `compliant`", "box, `cone`", "box, `cone`, `exact`");
}

constexpr Capacity implicit(int bodies, int contacts, int pieces, bool torsion) {
  return {.bodies = bodies,
          .contacts = contacts,
          .slots = 0,
          .active = 0,
          .torsion = torsion,
          .pieces = pieces,
          .moving = 1,
          .parts = 0};
}
constexpr Capacity kOne = implicit(2, 1, 1, true), kOneBox = implicit(2, 1, 6, true),
                   kTwo = implicit(3, 2, 1, true), kDisc = implicit(2, 1, 1, false);
constexpr Method kImplicit{.friction = FrictionLaw::implicit};

template <int Dim, Capacity C>
int add(World<float, Dim, C>& world, const BodyDescription<float, Dim>& body) {
  int index = -1;
  TEST_ASSERT_TRUE(add_body(world, body, index) == What::none);
  return index;
}

template <Capacity C>
void on_floor(const char* name, const geometry::SpatialShape<float>& shape, BodyDescription<float, 3>& body,
              float mu, float e_r, float ends) {
  static World<float, 3, C> world;
  static Workspace<float, 3, C> workspace;
  world = {};
  TEST_ASSERT_TRUE(configure(world, 1e-3F, V3(0, 0, -9.81F), kImplicit) == What::none);
  BodyDescription<float, 3> floor;
  floor.shape = geometry::half_space<float>(V3(0, 0, 1), 0);
  body.shape = shape;
  add(world, floor);
  add(world, body);
  int index = 0;
  TEST_ASSERT_FALSE(add_contact(world, {.a = 0, .b = 1, .friction{.kinetic = mu}}, index));
  TEST_ASSERT_FALSE(set_ellipsoid(world, index, V3(1, 1, e_r)));
  measure(name, world, workspace, 400);
  if (e_r == 0) came_to(world, ends);
}

void ball_by_the_implicit_law() {
  BodyDescription<float, 3> body;
  body.mass = 1;
  body.inertia.diagonal().setConstant(0.004F);
  body.pose.position[2] = 0.1F;
  body.velocity.linear[0] = 1;
  on_floor<kOne>("ball, `implicit`", geometry::sphere(0.1F), body, 0.5F, 0, kRolls);
}

void box_by_the_implicit_law() {
  BodyDescription<float, 3> body;
  body.mass = 2;
  body.inertia.diagonal() = V3(0.0083333F, 0.0083333F, 0.0133333F);
  body.pose.position[2] = 0.05F;
  body.velocity.linear[0] = 1;
  on_floor<kOneBox>("box, `implicit`", geometry::box(0.1F, 0.1F, 0.05F), body, 0.5F, 0, 0);
}

void ellipsoid() {
  BodyDescription<float, 3> body;
  body.mass = 1;
  body.inertia.diagonal() = V3(0.002F, 0.00272F, 0.00328F);
  body.pose.position[2] = 0.06F;
  body.velocity.linear[0] = 0.3F;
  body.velocity.angular = {0, 5, 2};
  on_floor<kOne>("ellipsoid with torsion, `implicit`", geometry::ellipsoid(0.1F, 0.08F, 0.06F), body, 0.6F,
                 0.04F, 0);
}

void disc() {
  static World<float, 2, kDisc> world;
  static Workspace<float, 2, kDisc> workspace;
  TEST_ASSERT_FALSE((configure<float, 2, kDisc>(world, 1e-3F, {0, -9.81F}, kImplicit)));
  BodyDescription<float, 2> floor, body;
  floor.shape = geometry::half_space<float>(math::Vector2<float>(0, 1), 0);
  body.shape = geometry::disc(0.1F);
  body.mass = 1;
  body.inertia(0, 0) = 0.005F;
  body.pose = {0, 0.1F, 0};
  body.velocity.linear[0] = 1;
  add(world, floor);
  add(world, body);
  int index = 0;
  TEST_ASSERT_FALSE(add_contact(world, {.a = 0, .b = 1, .friction{.kinetic = 0.3F}}, index));
  measure("disc in the plane, `implicit`", world, workspace, 1000);
  came_to(world, 2.0F / 3);
}

void sphere_on_two() {
  static World<float, 3, kTwo> world;
  static Workspace<float, 3, kTwo> workspace;
  TEST_ASSERT_TRUE(configure(world, 0.01F, V3(0, 0, 0), kImplicit) == What::none);
  BodyDescription<float, 3> a, b, ball;
  a.shape = geometry::sphere(10.0F);
  b.shape = geometry::sphere(9.0F);
  ball.shape = geometry::sphere(1.0F);
  b.pose.position[1] = 11.4F;
  ball.mass = 1;
  ball.inertia.diagonal().setConstant(0.4F);
  ball.pose.position = {0, 6.62105263F, 8.78417111F};
  ball.force.linear = {1, 2.6F, -9.81F};
  add(world, a);
  add(world, b);
  add(world, ball);
  int index = 0;
  for (int i = 0; i < 2; ++i) {
    TEST_ASSERT_FALSE(add_contact(world, {.a = i, .b = 2, .friction{.kinetic = 0.2F}}, index));
    TEST_ASSERT_FALSE(set_ellipsoid(world, index, V3(1, 1, 0.3F)));
  }
  measure("sphere on two with torsion, `implicit`", world, workspace, 400);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(ball_by_contacts);
  RUN_TEST(ball_by_the_implicit_law);
  RUN_TEST(box_by_contacts);
  RUN_TEST(box_by_the_implicit_law);
  RUN_TEST(disc);
  RUN_TEST(ellipsoid);
  RUN_TEST(sphere_on_two);
  return UNITY_END();
}
