// Impacts within the step (stepper/impacts.hpp): what rows of balls and tilted boxes keep of their energy,
// the orders of several impacts at once, bounces in time, Painleve's rod, and rest. Expected values are
// closed forms.
#include <algorithm>
#include <cmath>

#include "tactus/tactus.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;

namespace {

constexpr double kG = 9.81;

template <class Scalar>
constexpr bool kFine = sizeof(Scalar) == 8;

constexpr Capacity kSize{.bodies = 9, .contacts = 8, .slots = 48, .active = 20};
template <class Scalar>
using Plane = World<Scalar, 2, kSize>;
template <class Scalar>
Plane<Scalar> plane;
template <class Scalar>
Workspace<Scalar, 2, kSize> workspace;

template <class Scalar>
Plane<Scalar>& begin(double gravity, const Method& method = {}, double h = 1e-3) {
  auto& world = plane<Scalar>;
  world = {};
  TEST_ASSERT_FALSE(configure(world, Scalar(h), math::Vector2<Scalar>(0, Scalar(-gravity)), method));
  return world;
}

// The pose and velocity are x, y, angle. A fixed half-space without mass.
template <class Scalar>
void add(const geometry::PlanarShape<Scalar>& shape, double mass, double inertia, const double (&pose)[3],
         const double (&velocity)[3]) {
  BodyDescription<Scalar, 2> d;
  d.mass = Scalar(mass);
  d.inertia(0) = Scalar(inertia);
  d.shape = shape;
  d.pose = {Scalar(pose[0]), Scalar(pose[1]), Scalar(pose[2])};
  d.velocity.linear = {Scalar(velocity[0]), Scalar(velocity[1])};
  d.velocity.angular[0] = Scalar(velocity[2]);
  int index = 0;
  TEST_ASSERT_FALSE(add_body(plane<Scalar>, d, index));
}

template <class Scalar>
void add_ground() {
  add<Scalar>(geometry::half_space<Scalar>(math::Vector2<Scalar>(0, 1), Scalar(0)), 0, 0, {0, 0, 0},
              {0, 0, 0});
}

template <class Scalar>
void touch(int a, int b, double e, double mu = 0) {
  int index = 0;
  TEST_ASSERT_FALSE(add_contact(
      plane<Scalar>, {.a = a, .b = b, .friction{.kinetic = Scalar(mu)}, .restitution = Scalar(e)}, index));
}

template <class Scalar>
StepReport<Scalar, 2, kSize> step_well() {
  const auto report = step(plane<Scalar>, workspace<Scalar>);
  TEST_ASSERT_EQUAL_STRING(sentence(StepReason::none), sentence(report.reason));
  return report;
}

template <class Scalar>
double energy_of() {
  const auto& world = plane<Scalar>;
  double sum = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(world.model.bodies); ++i) {
    const auto& inertia = world.model.inertia[i];
    const auto& v = world.state.velocity[i];
    if (!(inertia.mass > 0)) continue;
    const double m = static_cast<double>(inertia.mass), I = static_cast<double>(inertia.tensor(0, 0)),
                 w = static_cast<double>(v.angular[0]);
    const double vx = static_cast<double>(v.linear[0]), vy = static_cast<double>(v.linear[1]);
    sum += (m * (vx * vx + vy * vy) + I * w * w) / 2 -
           m * static_cast<double>(world.model.gravity[1]) * static_cast<double>(world.state.pose[i].y);
  }
  return sum;
}

template <class Scalar>
void row_of_balls(int n, double gap, double e) {
  for (int i = 0; i < n; ++i)
    add<Scalar>(geometry::disc<Scalar>(Scalar(0.01)), 1, 5e-5, {(0.02 + gap) * i, 0, 0},
                {i == 0 ? 1.0 : 0, 0, 0});
  for (int i = 0; i + 1 < n; ++i) touch<Scalar>(i, i + 1, e);
}

// 2 to 8 balls in a row, one comes with 1 m/s: e = 1, gaps of 0 to 10 v h. In turn all of it goes to the
// last; the energy stays in either order.
template <class Scalar, ImpactOrder order>
void rows_keep_their_energy() {
  double worst = 0, least = 1;
  for (int n = 2; n <= 8; ++n) {
    for (int k = 0; k <= 40; ++k) {
      begin<Scalar>(0, {.impacts = order});
      row_of_balls<Scalar>(n, 0.25e-3 * k, 1);
      for (int i = 0; i < 2 + n * (1 + k / 4); ++i) step_well<Scalar>();
      worst = std::max(worst, std::abs(2 * energy_of<Scalar>() - 1));
      least = std::min(least, static_cast<double>(
                                  plane<Scalar>.state.velocity[static_cast<std::size_t>(n - 1)].linear[0]));
    }
  }
  TEST_ASSERT_TRUE(worst < (kFine<Scalar> ? 1e-9 : 1e-4));
  if (order == ImpactOrder::in_turn) TEST_ASSERT_TRUE(least > 1 - (kFine<Scalar> ? 1e-9 : 1e-4));
}

// Stewart 2000, figure 2.3: three balls at rest that touch, struck by a fourth of 2 m/s, in one step. In turn
// each hands (1 + e) / 2 on; for e = 0.9 those behind then meet again, until none is faster than the next.
// Together all have the common v0 / 4 when they are compressed, and the first gives e of what it lost back.
template <class Scalar>
void three_balls_are_struck() {
  const double near = kFine<Scalar> ? 1e-9 : 1e-4;
  for (const double e : {1.0, 0.9}) {
    for (const auto order : {ImpactOrder::in_turn, ImpactOrder::together}) {
      auto& world = begin<Scalar>(0, {.impacts = order});
      row_of_balls<Scalar>(4, 0, e);
      world.state.velocity[0].linear[0] = 2;
      step_well<Scalar>();
      double v[4], sum = 0;
      for (std::size_t i = 0; i < 4; ++i)
        sum += v[i] = static_cast<double>(world.state.velocity[i].linear[0]);
      TEST_ASSERT_DOUBLE_WITHIN(near, 2, sum);
      for (int i = 0; i < 4; ++i) {
        if (order == ImpactOrder::together)
          TEST_ASSERT_DOUBLE_WITHIN(near, i == 0 ? (1 - 3 * e) / 2 : (1 + e) / 2, v[i]);
        else if (i > 0)
          TEST_ASSERT_TRUE(v[i] >= v[i - 1] - near);
      }
      if (order == ImpactOrder::together) continue;
      TEST_ASSERT_DOUBLE_WITHIN(near, 2 * std::pow((1 + e) / 2, 3), v[3]);
      TEST_ASSERT_TRUE(v[3] > 0.8 * sum);
    }
  }
}

// A square, tilted by 0 to 0.1 rad, falls flat on a plane with 1 m/s: e = 1, no friction. Both corners are
// hit at once or one after the other, within a step or not.
template <class Scalar>
void tilted_boxes_keep_their_energy() {
  for (const auto order : {ImpactOrder::in_turn, ImpactOrder::together}) {
    for (int k = 0; k <= 25; ++k) {
      begin<Scalar>(0, {.impacts = order});
      add_ground<Scalar>();
      const double tilt = 0.004 * k, half = 0.1;
      add<Scalar>(geometry::box<Scalar>(Scalar(half), Scalar(half)), 1, 2 * half * half / 3,
                  {0, half * (std::cos(tilt) + std::sin(tilt)) + 5e-4, tilt}, {0, -1, 0});
      touch<Scalar>(0, 1, 1);
      for (int i = 0; i < 60; ++i) step_well<Scalar>();
      TEST_ASSERT_DOUBLE_WITHIN(kFine<Scalar> ? 1e-9 : 1e-4, 0.5, energy_of<Scalar>());
      TEST_ASSERT_TRUE(plane<Scalar>.state.velocity[1].linear[1] > 0);
    }
  }
}

// Where a ball that falls 1 m is after 1.5 s, e = 0.8: a step of half the length, half the error.
double bounce_error(double h) {
  double worst = 0;
  for (const double height : {0.95, 1.0, 1.1, 1.23}) {
    auto& world = begin<double>(kG, {}, h);
    add_ground<double>();
    add<double>(geometry::disc<double>(0.1), 1, 0.01, {0, 0.1 + height, 0}, {0, 0, 0});
    touch<double>(0, 1, 0.8);
    for (int k = 0; k < static_cast<int>(std::lround(1.5 / h)); ++k) step_well<double>();
    double left = 1.5 - std::sqrt(2 * height / kG), v = 0.8 * std::sqrt(2 * height * kG);
    for (; left > 2 * v / kG; v *= 0.8) left -= 2 * v / kG;
    worst = std::max(worst, std::abs(world.state.pose[1].y - 0.1 - (v * left - kG * left * left / 2)));
  }
  return worst;
}
void bounces_are_of_first_order() {
  const double coarse = bounce_error(4e-3), fine = bounce_error(2.5e-4);
  TEST_ASSERT_DOUBLE_WITHIN(0.05, 1, std::log2(coarse / fine) / 4);
  TEST_ASSERT_TRUE(fine < 2.5e-4);  // 1 m/s for a step
}

// A rod at 60 degrees on its foot, mu = 2, slides to the left: W_nn + mu W_nt < 0. Its foot stops, and
// Poisson's rebound is e p_n W_nn of the p_n that stops it: W lambda = (0, 1).
template <class Scalar>
void painleve_rod() {
  for (const double e : {0.5, 1.0}) {
    auto& world = begin<Scalar>(kG, {}, 1e-4);
    add_ground<Scalar>();
    const double angle = 1.0471975511965976, x = -0.5 * std::cos(angle), y = -0.5 * std::sin(angle),
                 I = 1.0 / 12;
    add<Scalar>(geometry::rod<Scalar>(Scalar(1)), 1, I, {0, -y, angle}, {-1, 0, 0});
    touch<Scalar>(0, 1, e, 2);
    TEST_ASSERT_EQUAL_INT(1, step_well<Scalar>().impacts);
    const double Wnn = 1 + x * x / I, Wtt = 1 + y * y / I, Wnt = -x * y / I;
    TEST_ASSERT_TRUE(Wnn + 2 * Wnt < 0);
    // In restitution friction is what holds the foot, within its cone: s_n = e p_n (W_nn - W_nt^2 / W_tt).
    const double pn = -Wnt / (Wnn * Wtt - Wnt * Wnt), rebound = e * pn * (Wnn - Wnt * Wnt / Wtt);
    if (e == 1) TEST_ASSERT_DOUBLE_WITHIN(0.004, 0.4007, rebound);  // Routh's
    const auto& v = world.state.velocity[1];
    const double s = static_cast<double>(v.linear[1]) + x * static_cast<double>(v.angular[0]);
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * rebound, rebound, s);
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 0,
                              static_cast<double>(v.linear[0]) - y * static_cast<double>(v.angular[0]));
  }
}

// Five boxes at rest on each other, e = 0.5: no impact, no motion.
template <class Scalar>
void a_stack_rests() {
  auto& world = begin<Scalar>(kG);
  add_ground<Scalar>();
  for (int i = 0; i < 5; ++i) {
    add<Scalar>(geometry::box<Scalar>(Scalar(0.1), Scalar(0.1)), 1, 0.02 / 3, {0, 0.1 + 0.2 * i, 0},
                {0, 0, 0});
    touch<Scalar>(i, i + 1, 0.5, 0.5);
  }
  int impacts = 0;
  for (int k = 0; k < 1000; ++k) impacts += step_well<Scalar>().impacts;
  TEST_ASSERT_EQUAL_INT(0, impacts);
  for (std::size_t i = 0; i < 5; ++i)
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.1 + 0.2 * static_cast<double>(i),
                              static_cast<double>(world.state.pose[i + 1].y));
}

// An island that nothing can bounce in moves by the same bits whether another one bounces or not.
void others_keep_their_bits() {
  math::Vector2<float> place[2];
  for (int k = 0; k < 2; ++k) {
    auto& world = begin<float>(kG);
    add_ground<float>();
    add<float>(geometry::box<float>(0.1F, 0.05F), 1, 0.005, {0, 0.08, 0.2}, {0.3, -1, 0});
    add<float>(geometry::disc<float>(0.1F), 1, 0.005, {3, 0.11, 0}, {0.3, -1, 0});
    touch<float>(0, 1, 0, 0.4);
    touch<float>(0, 2, k == 0 ? 0 : 0.6, 0.4);
    for (int i = 0; i < 200; ++i) step_well<float>();
    place[k] = {world.state.pose[1].x, world.state.pose[1].y};
  }
  TEST_ASSERT_EQUAL_MEMORY(&place[0], &place[1], sizeof place[0]);
}

// e = 0 beside contacts that bounce is the limit of a small e.
void no_restitution_is_a_limit() {
  double v[2];
  for (int k = 0; k < 2; ++k) {
    auto& world = begin<double>(kG);
    add_ground<double>();
    add<double>(geometry::box<double>(0.1, 0.05), 1, 0.005, {0, 0.08, 0.2}, {0.3, -1, 0});
    add<double>(geometry::disc<double>(0.1), 1, 0.005, {0, 0.31, 0}, {0, -2, 0});
    touch<double>(0, 1, k == 0 ? 0 : 1e-9, 0.4);
    touch<double>(1, 2, 0.5, 0.4);
    for (int i = 0; i < 100; ++i) step_well<double>();
    v[k] = world.state.velocity[1].linear[0];
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, v[0], v[1]);
}

// A ball between walls that are nearer than it is fast: more impacts than a step may have are told, nothing
// is gained.
void too_many_impacts_are_told() {
  auto& world = begin<double>(0);
  add<double>(geometry::half_space<double>(math::Vector2<double>(1, 0), 0.0), 0, 0, {0, 0, 0}, {0, 0, 0});
  add<double>(geometry::half_space<double>(math::Vector2<double>(-1, 0), -0.2001), 0, 0, {0, 0, 0},
              {0, 0, 0});
  add<double>(geometry::disc<double>(0.1), 1, 0.005, {0.10005, 0, 0}, {100, 0, 0});
  touch<double>(0, 2, 1);
  touch<double>(1, 2, 1);
  const auto report = step(world, workspace<double>);
  TEST_ASSERT_TRUE(report.status == StepStatus::degraded && report.reason == StepReason::impacts);
  TEST_ASSERT_TRUE(report.impacts <= 4 * 2 + 8 + 4);
  TEST_ASSERT_TRUE(energy_of<double>() <= 5000 * (1 + 1e-12));
  TEST_ASSERT_TRUE(std::abs(world.state.pose[2].x - 0.1) < 1e-3);
}

void a_law_that_is_none_is_refused() {
  auto& world = begin<double>(0);
  Method method{.impact = ImpactLaw::of_scene};
  TEST_ASSERT_TRUE(configure(world, 1e-3, {0, 0}, method) == What::impact);
  method = {.impact = ImpactLaw::end};
  TEST_ASSERT_TRUE(configure(world, 1e-3, {0, 0}, method) == What::impact);
  method = {.impacts = ImpactOrder::end};
  TEST_ASSERT_TRUE(configure(world, 1e-3, {0, 0}, method) == What::impact);
  row_of_balls<double>(2, 0, 0);
  int index = 0;
  TEST_ASSERT_TRUE(add_contact(world, {.a = 0, .b = 1, .impact = ImpactLaw::end}, index) == What::impact);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST((rows_keep_their_energy<double, ImpactOrder::in_turn>));
  RUN_TEST((rows_keep_their_energy<float, ImpactOrder::in_turn>));
  RUN_TEST((rows_keep_their_energy<double, ImpactOrder::together>));
  RUN_TEST((rows_keep_their_energy<float, ImpactOrder::together>));
  RUN_TEST(three_balls_are_struck<double>);
  RUN_TEST(three_balls_are_struck<float>);
  RUN_TEST(tilted_boxes_keep_their_energy<double>);
  RUN_TEST(tilted_boxes_keep_their_energy<float>);
  RUN_TEST(bounces_are_of_first_order);
  RUN_TEST(painleve_rod<double>);
  RUN_TEST(painleve_rod<float>);
  RUN_TEST(a_stack_rests<double>);
  RUN_TEST(a_stack_rests<float>);
  RUN_TEST(others_keep_their_bits);
  RUN_TEST(no_restitution_is_a_limit);
  RUN_TEST(too_many_impacts_are_told);
  RUN_TEST(a_law_that_is_none_is_refused);
  return UNITY_END();
}
