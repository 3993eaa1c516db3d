// Balls in cages of half-spaces (cages.hpp) under the geometrically implicit law, whose gaps hold at the end
// of the step. In a cage that is too narrow sum w gap < 0 wherever the ball goes, so no step has an answer:
// none is called solved, and each leaves the state as it was. The law has no word for a contradiction: it
// says that it found no certified answer. Of cages that are wide enough nearly all are solved.
#include <cmath>
#include <cstring>

#include "cages.hpp"
#include "tactus/tactus.hpp"
#include "tests/unit/tell.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;

namespace {

constexpr int kCages = 2'000;

template <int Dim>
constexpr Capacity kCage{
    .bodies = Dim + 2, .contacts = Dim + 1, .slots = 0, .active = 0, .pieces = 1, .moving = 1};

template <class Scalar, int Dim>
bool build(World<Scalar, Dim, kCage<Dim>>& world, const cages::Walls<Dim>& walls, double radius,
           corpus::Random& random) {
  using V = math::Vector<Scalar, Dim>;
  using Description = BodyDescription<Scalar, Dim>;
  const auto s = [](double x) { return static_cast<Scalar>(x); };
  V gravity = V::Zero();
  gravity[Dim - 1] = s(-9.81);
  int index = 0;
  world = {};
  bool good = configure(world, s(std::pow(10.0, random.uniform(-4, -2))), gravity,
                        {.friction = FrictionLaw::implicit}) == What::none;
  for (int i = 0; i < walls.count; ++i) {
    Description wall;
    wall.shape = geometry::half_space<Scalar>(V(walls.normal[i].template cast<Scalar>()), s(-walls.room));
    good = good && add_body(world, wall, index) == What::none;
  }
  Description ball;
  ball.mass = s(std::pow(10.0, random.uniform(-3, 3)));
  ball.inertia.setIdentity();
  ball.inertia *= ball.mass * s(0.4 * radius * radius);
  const double far = 0.99 * std::fabs(radius - walls.room);
  const double share = random.uniform(0, far);
  const math::Vector<double, Dim> place = share * cages::direction<Dim>(random);
  for (int k = 0; k < Dim; ++k) ball.velocity.linear[k] = s(random.uniform(-1, 1));
  if constexpr (Dim == 2) {
    ball.shape = geometry::disc<Scalar>(s(radius));
    ball.pose = {s(place[0]), s(place[1]), 0};
  } else {
    ball.shape = geometry::sphere<Scalar>(s(radius));
    ball.pose.position = place.template cast<Scalar>();
  }
  good = good && add_body(world, ball, index) == What::none;
  for (int i = 0; i < walls.count; ++i) {
    int contact = 0;
    ContactDescription<Scalar, Dim> touch;
    touch.a = i;
    touch.b = index;
    touch.friction.kinetic = s(random.uniform(0, 1));
    good = good && add_contact(world, touch, contact) == What::none;
  }
  return good;
}

struct Count {
  std::uint32_t narrow = 0, wrong = 0, roomy = 0, solved = 0;
};

template <class Scalar, int Dim>
void run(Count& count) {
  static World<Scalar, Dim, kCage<Dim>> world, before;
  static Workspace<Scalar, Dim, kCage<Dim>> workspace;
  corpus::Random random(Dim);
  for (int k = 0; k < kCages; ++k) {
    const cages::Walls<Dim> walls(random);
    const double off = std::pow(10.0, random.uniform(-3, -0.5));
    const bool narrow = k % 2 == 0;
    TEST_ASSERT_TRUE((build<Scalar, Dim>(world, walls, walls.room * (narrow ? 1 + off : 1 - off), random)));
    std::memcpy(static_cast<void*>(&before), &world, sizeof world);
    const auto report = step(world, workspace);
    const bool solved = report.status == StepStatus::solved;
    ++(narrow ? count.narrow : count.roomy);
    (narrow ? count.wrong : count.solved) += solved ? 1 : 0;
    if (!solved) TEST_ASSERT_EQUAL_INT(0, std::memcmp(&before, &world, sizeof world));
  }
}

template <class Scalar>
void none_is_called_solved() {
  Count count;
  run<Scalar, 2>(count);
  run<Scalar, 3>(count);
  tell::figure("too narrow:", count.narrow);
  tell::figure("  called solved:", count.wrong);
  tell::figure("roomy:", count.roomy);
  tell::figure("  solved:", count.solved);
  TEST_ASSERT_EQUAL_UINT32(0, count.wrong);
  TEST_ASSERT_TRUE(count.solved * 100 >= count.roomy * 99);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(none_is_called_solved<float>);
  RUN_TEST(none_is_called_solved<double>);
  return UNITY_END();
}
