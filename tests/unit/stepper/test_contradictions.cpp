// Balls in cages of half-spaces. A cage is too narrow for its ball, or it is not, by a sum that needs no
// solver: with w > 0 and sum w n = 0 the gaps obey sum w gap = sum w (room - R), wherever the ball is, and no
// velocity changes that. So each verdict of a step is right or wrong. (A ball that would fit, but is in two
// walls, may be wedged between them by friction: that is left out.)
//
// None too narrow is solved, nearly all are told as a jam with a checked contradiction; all others are
// solved. Under every law of friction, in the plane and in space.
#include <algorithm>
#include <cmath>

#include "cages.hpp"
#include "tactus/tactus.hpp"
#include "tests/unit/tell.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;

namespace {

using cages::direction;
using cages::Walls;

constexpr int kCages = 10'000;

template <int Dim>
constexpr Capacity kCage{
    .bodies = Dim + 2, .contacts = Dim + 1, .slots = Dim + 1, .active = Dim + 1, .parts = round_cone};

template <class Scalar, int Dim>
auto ball(double radius) {
  if constexpr (Dim == 2)
    return geometry::disc<Scalar>(static_cast<Scalar>(radius));
  else
    return geometry::sphere<Scalar>(static_cast<Scalar>(radius));
}

template <class Scalar, int Dim>
bool build(World<Scalar, Dim, kCage<Dim>>& world, const Walls<Dim>& walls, double radius,
           corpus::Random& random) {
  using V = math::Vector<Scalar, Dim>;
  const auto s = [](double x) { return static_cast<Scalar>(x); };
  world = {};
  Method method;
  const int law = static_cast<int>(random.uniform(0, 4));
  if (law == 1) method.pyramid = contact::Pyramid::box;
  if (law == 2) method.friction = FrictionLaw::cone;
  if (law == 3) method.friction = FrictionLaw::relaxed_cone;
  V gravity = V::Zero();
  gravity[Dim - 1] = s(-9.81);
  int index = 0;
  bool good = configure(world, s(std::pow(10.0, random.uniform(-4, -2))), gravity, method) == What::none;
  for (int i = 0; i < walls.count; ++i) {
    BodyDescription<Scalar, Dim> wall;
    wall.shape = geometry::half_space<Scalar>(V(walls.normal[i].template cast<Scalar>()), s(-walls.room));
    good = good && add_body(world, wall, index) == What::none;
  }
  BodyDescription<Scalar, Dim> body;
  body.mass = s(std::pow(10.0, random.uniform(-3, 3)));
  body.inertia.setIdentity();
  body.inertia *= body.mass * s(0.4 * radius * radius);
  body.shape = ball<Scalar, Dim>(radius);
  // No wall is touched that could be missed, and where the ball fits no gap is negative.
  const double far = 0.99 * std::fabs(radius - walls.room);
  const math::Vector<double, Dim> place = random.uniform(0, far) * direction<Dim>(random);
  for (int k = 0; k < Dim; ++k) body.velocity.linear[k] = s(random.uniform(-1, 1));
  if constexpr (Dim == 2)
    body.pose = {s(place[0]), s(place[1]), 0};
  else
    body.pose.position = place.template cast<Scalar>();
  good = good && add_body(world, body, index) == What::none;
  for (int i = 0; i < walls.count; ++i) {
    int contact = 0;
    good = good && add_contact(world, {.a = i, .b = index, .friction{.kinetic = s(random.uniform(0, 1))}},
                               contact) == What::none;
  }
  return good;
}

struct Count {
  int narrow = 0, proved = 0, wrong = 0, roomy = 0, solved = 0;
};

// One part in a thousand to three in ten too narrow or too wide.
template <class Scalar, int Dim>
void run(int cages, Count& count) {
  static World<Scalar, Dim, kCage<Dim>> world;
  static Workspace<Scalar, Dim, kCage<Dim>> workspace;
  corpus::Random random(Dim);
  for (int k = 0; k < cages; ++k) {
    const Walls<Dim> walls(random);
    const double off = std::pow(10.0, random.uniform(-3, -0.5));
    const bool narrow = k % 2 == 0;
    TEST_ASSERT_TRUE((build<Scalar, Dim>(world, walls, walls.room * (narrow ? 1 + off : 1 - off), random)));
    const auto report = step(world, workspace);
    ++(narrow ? count.narrow : count.roomy);
    if (narrow) {
      count.wrong += report.status == StepStatus::solved ? 1 : 0;
      count.proved += report.reason == StepReason::jam ? 1 : 0;
    } else {
      count.solved += report.status == StepStatus::solved ? 1 : 0;
      TEST_ASSERT_TRUE(report.reason != StepReason::jam);
    }
  }
}

template <class Scalar>
void each_is_judged_rightly() {
  Count count;
  run<Scalar, 2>(kCages, count);
  run<Scalar, 3>(kCages, count);
  tell::figure("too narrow:", static_cast<std::uint32_t>(count.narrow));
  tell::figure("  told as a jam, with a checked contradiction:", static_cast<std::uint32_t>(count.proved));
  tell::figure("roomy:", static_cast<std::uint32_t>(count.roomy));
  tell::figure("  solved:", static_cast<std::uint32_t>(count.solved));
  TEST_ASSERT_EQUAL_INT(0, count.wrong);
  TEST_ASSERT_TRUE(count.proved * 100 >= count.narrow * 95);
  TEST_ASSERT_TRUE(count.solved * 1000 >= count.roomy * 999);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(each_is_judged_rightly<float>);
  RUN_TEST(each_is_judged_rightly<double>);
  return UNITY_END();
}
