// Impacts within the step (stepper/impacts.hpp): what rows of balls and tilted boxes keep of their energy,
// the orders of several impacts at once, each law's rebound, Painleve's rod, and rest. Expected values are
// closed forms.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tactus/tactus.hpp"
#include "tests/unit/tell.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;

namespace {

template <class Scalar>
constexpr bool kFine = sizeof(Scalar) == 8;

constexpr Capacity kLine{.bodies = 9, .contacts = 8, .slots = 16, .active = 16};
template <class Scalar>
using Line = World<Scalar, 2, kLine>;
template <class Scalar>
Workspace<Scalar, 2, kLine> workspace;

template <class Scalar>
void begin(Line<Scalar>& world, Scalar gravity, Method method = {}, Scalar h = Scalar(1e-3)) {
  world = {};
  TEST_ASSERT_FALSE(configure(world, h, math::Vector2<Scalar>(0, -gravity), method));
}

template <class Scalar>
int add_disc(Line<Scalar>& world, Scalar x, Scalar y, Scalar v, Scalar mass = 1) {
  BodyDescription<Scalar, 2> d;
  d.mass = mass;
  d.inertia(0) = Scalar(0.5e-4) * mass;
  d.shape = geometry::disc<Scalar>(Scalar(0.01));
  d.pose = {x, y, 0};
  d.velocity.linear[0] = v;
  int index = 0;
  TEST_ASSERT_FALSE(add_body(world, d, index));
  return index;
}

template <class Scalar>
int add_ground(Line<Scalar>& world) {
  BodyDescription<Scalar, 2> d;
  d.shape = geometry::half_space<Scalar>(math::Vector2<Scalar>(0, 1), Scalar(0));
  int index = 0;
  TEST_ASSERT_FALSE(add_body(world, d, index));
  return index;
}

template <class Scalar>
void touch(Line<Scalar>& world, int a, int b, Scalar e, Scalar mu = 0, ImpactLaw law = ImpactLaw::of_scene) {
  int index = 0;
  TEST_ASSERT_FALSE(
      add_contact(world, {.a = a, .b = b, .friction{.kinetic = mu}, .restitution = e, .impact = law}, index));
}

template <class Scalar>
double energy_of(const Line<Scalar>& world) {
  double sum = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(world.model.bodies); ++i) {
    const auto& inertia = world.model.inertia[i];
    const auto& v = world.state.velocity[i];
    if (!(inertia.mass > 0)) continue;
    const double m = double{inertia.mass}, I = double{inertia.tensor(0, 0)}, w = double{v.angular[0]};
    const double vx = double{v.linear[0]}, vy = double{v.linear[1]};
    sum += (m * (vx * vx + vy * vy) + I * w * w) / 2 -
           m * double{world.model.gravity[1]} * double{world.state.pose[i].y};
  }
  return sum;
}

// 2 to 8 balls in a row, 1 m/s strikes: e = 1, gaps of 0 to 10 v h. All of it goes to the last in turn, and
// all of the energy stays in either order.
template <class Scalar, ImpactOrder order>
void rows_of_balls() {
  auto& ws = workspace<Scalar>;
  double worst = 0, least = 1;
  for (int n = 2; n <= 8; ++n)
    for (int step_of = 0; step_of <= 40; ++step_of) {
      Line<Scalar> world;
      begin<Scalar>(world, 0, {.impacts = order});
      const Scalar gap = Scalar(0.25e-3) * static_cast<Scalar>(step_of);
      for (int i = 0; i < n; ++i)
        add_disc<Scalar>(world, (Scalar(0.02) + gap) * static_cast<Scalar>(i), 0, i == 0 ? 1 : 0);
      for (int i = 0; i + 1 < n; ++i) touch<Scalar>(world, i, i + 1, 1);
      for (int k = 0; k < 12 * n; ++k) TEST_ASSERT_TRUE(step(world, ws).status == StepStatus::solved);
      worst = std::max(worst, std::abs(2 * energy_of(world) - 1));
      least = std::min(least,
                       static_cast<double>(world.state.velocity[static_cast<std::size_t>(n - 1)].linear[0]));
    }
  printf("rows of balls: energy off by %.1e, last ball %.6f\n", worst, least);
  TEST_ASSERT_TRUE(worst < (kFine<Scalar> ? 1e-12 : 1e-5));
  if (order == ImpactOrder::in_turn) TEST_ASSERT_TRUE(least > (kFine<Scalar> ? 1 - 1e-9 : 1 - 1e-4));
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST((rows_of_balls<double, ImpactOrder::in_turn>));
  RUN_TEST((rows_of_balls<float, ImpactOrder::in_turn>));
  RUN_TEST((rows_of_balls<double, ImpactOrder::together>));
  RUN_TEST((rows_of_balls<float, ImpactOrder::together>));
  return UNITY_END();
}
