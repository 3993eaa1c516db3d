// The free turn: what it keeps, where it refuses, and its bits.
#include "free_body.hpp"
#include "tactus/dynamics/drift.hpp"
#include "tests/unit/checksum.hpp"

using namespace free_body;

namespace {

#ifdef __arm__
constexpr double kSeconds = 0.2;
constexpr bool kBoard = true;
#else
constexpr double kSeconds = 20;
constexpr bool kBoard = false;
#endif

// Nothing but rounding takes energy or momentum, and that some 1e-7 of it at random: over 20,000 steps a
// thousandth of a thousandth would be a hundred times too much.
void energy_and_momentum_stay() {
  for (const Pace& pace : kPaces) {
    const Errors single = worst<float>(pace, kSeconds);
    TEST_ASSERT_DOUBLE_WITHIN(4e-5, 0, single.energy);
    TEST_ASSERT_DOUBLE_WITHIN(4e-5, 0, single.size);
    TEST_ASSERT_DOUBLE_WITHIN(6e-5, 0, single.momentum);
    const Errors exact = worst<double>(pace, kBoard ? 10 * pace.h : kSeconds);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0, exact.energy);
    TEST_ASSERT_DOUBLE_WITHIN(1e-13, 0, exact.size);
    TEST_ASSERT_DOUBLE_WITHIN(2e-13, 0, exact.momentum);
  }
}

// A sphere keeps its spin and turns by h omega each step, to (h omega)^5 / 120.
void a_sphere_turns_evenly() {
  const double pi = std::acos(-1.0);
  for (const double turn : {1e-3, 0.1, 0.9, 1.8, 3.9}) {
    Body<double> ball({2e-3, 2e-3, 2e-3}, {0, 0, 0}, false);
    ball.pose = {};
    const Vector axis(2.0 / 3, -1.0 / 3, 2.0 / 3);
    const double h = 1e-3;
    ball.velocity.angular = turn / h * axis;
    TEST_ASSERT_TRUE(ball.inertia.isotropic);
    const Vector before = ball.velocity.angular;
    TEST_ASSERT_TRUE(ball.step(h));
    const Vector part(ball.pose.x, ball.pose.y, ball.pose.z);
    const double angle = 2 * std::atan2(axis.dot(part), ball.pose.w), parts = std::ceil(turn);
    TEST_ASSERT_DOUBLE_WITHIN(std::pow(turn / parts, 5) * parts / 110 + 1e-15, turn,
                              angle < 0 ? angle + 2 * pi : angle);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, size(part), std::fabs(axis.dot(part)));
    TEST_ASSERT_TRUE(size(Vector(ball.velocity.angular - before)) <= 1e-13 * size(before));
  }
}

// Beyond a radian the step is two of half the length, and so on; beyond four nothing is done.
void fast_turns_go_in_parts_or_are_refused() {
  const Vector way(0.6, 0.64, 0.48);
  for (const double turn : {1.5, 2.5, 3.9}) {
    Body<double> whole(kMoments[0], way * turn / 1e-3), parts = whole;
    const int count = static_cast<int>(std::ceil(turn));
    const double E = whole.energy();
    TEST_ASSERT_TRUE(whole.step(1e-3));
    for (int k = 0; k < count; ++k) TEST_ASSERT_TRUE(parts.step(1e-3 / count));
    TEST_ASSERT_EQUAL_MEMORY(&parts.velocity.angular, &whole.velocity.angular, sizeof(Vector));
    TEST_ASSERT_EQUAL_DOUBLE(parts.pose.w, whole.pose.w);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1, whole.energy() / E);
  }
  const float bad[] = {4.1e3F, 1e30F, std::numeric_limits<float>::infinity(),
                       std::numeric_limits<float>::quiet_NaN()};
  for (const Vector& moments : {kMoments[0], kMoments[4]})
    for (const float spin : bad) {
      Body<float> body(moments, {1, 2, 3}, false);
      body.velocity.angular[1] = spin;
      const Body<float> before = body;
      TEST_ASSERT_TRUE(dynamics::too_fast(body.velocity, 1e-3F));
      TEST_ASSERT_FALSE(body.step(1e-3));
      TEST_ASSERT_EQUAL_MEMORY(&before.pose, &body.pose, sizeof body.pose);
      TEST_ASSERT_EQUAL_MEMORY(&before.velocity, &body.velocity, sizeof body.velocity);
    }
}

// The moments of a needle 300 times as long as thick are not in a turned float tensor. A step that would not
// keep its energy is refused.
void no_step_takes_energy_in_silence() {
  int refused = 0;
  for (const double turn : {0.05, 0.2, 0.9}) {
    Body<float> needle({1, 1, 2e-5}, Vector(0.6, 0.64, 0.48) * turn / 1e-3);
    for (int k = 0; k < 300; ++k) {
      const Body<float> before = needle;
      if (needle.step(1e-3)) {
        TEST_ASSERT_DOUBLE_WITHIN(3e-3, 1, needle.energy() / before.energy());
      } else {
        TEST_ASSERT_EQUAL_MEMORY(&before.pose, &needle.pose, sizeof needle.pose);
        TEST_ASSERT_EQUAL_MEMORY(&before.velocity, &needle.velocity, sizeof needle.velocity);
        ++refused;
        break;
      }
    }
  }
  TEST_ASSERT_GREATER_THAN(0, refused);
}

// Three equal moments in axes of their own are no isotropic tensor after rounding; the motion is a sphere's.
void the_general_way_agrees_with_the_short_one() {
  const Vector spin(300, -200, 100);
  Body<double> general({2e-3, 2e-3, 2e-3}, spin), sphere({2e-3, 2e-3, 2e-3}, {0, 0, 0}, false);
  sphere.velocity = general.velocity;
  TEST_ASSERT_TRUE(sphere.inertia.isotropic && !general.inertia.isotropic);
  for (int k = 0; k < 10; ++k) TEST_ASSERT_TRUE(general.step(1e-3) && sphere.step(1e-3));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, size(Vector(general.spin() - sphere.spin())) / size(spin));
  // u differs by what order 4 leaves: (h omega)^5 / 120 a step.
  TEST_ASSERT_DOUBLE_WITHIN(10 * std::pow(0.375, 5) / 60, 0, (general.R() - sphere.R()).norm());
}

// A grain of 1 ug has a determinant below the least float, and a ship's is beyond the largest. Mass and size
// change nothing of the motion.
void a_grain_turns_like_a_ship() {
  Body<float> grain(kMoments[0] * 1e-13, {10, 30, 20}), ship(kMoments[0] * 1e13, {10, 30, 20});
  for (int k = 0; k < 1000; ++k) TEST_ASSERT_TRUE(grain.step(1e-3) && ship.step(1e-3));
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0, size(Vector(grain.spin() - ship.spin())) / size(ship.spin()));
  const Errors errors = run(grain, 1e-3, 1000);
  TEST_ASSERT_DOUBLE_WITHIN(2e-5, 0, errors.energy);
  TEST_ASSERT_DOUBLE_WITHIN(2e-5, 0, errors.momentum);
}

// An orientation that is off the unit sphere, as a message may bring it, is back on it after two steps.
void a_long_quaternion_heals() {
  for (const float by : {0.9995F, 1.0005F}) {
    Body<float> body(kMoments[1], {10, 30, 20});
    for (float* part : {&body.pose.w, &body.pose.x, &body.pose.y, &body.pose.z}) *part *= by;
    TEST_ASSERT_TRUE(body.step(1e-3) && body.step(1e-3));
    const auto& q = body.pose;
    TEST_ASSERT_FLOAT_WITHIN(2e-6F, 1, q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  }
}

void the_plane_and_the_straight_way() {
  dynamics::Inertia<float, 2> disc;
  TEST_ASSERT_TRUE((dynamics::make_inertia<float, 2>(2, dynamics::SpinMatrix<float, 2>(0.5F), disc)) ==
                   What::none);
  geometry::PlanarPose<float> q{1, 2, 3};
  dynamics::Motion<float, 2> v{{4, -8}, math::Vector<float, 1>(16)};
  TEST_ASSERT_TRUE(dynamics::drift(disc, geometry::frame(q), 0.5F, q, v));
  TEST_ASSERT_EQUAL_FLOAT(3, q.x);
  TEST_ASSERT_EQUAL_FLOAT(-2, q.y);
  TEST_ASSERT_EQUAL_FLOAT(11, q.angle);
  TEST_ASSERT_EQUAL_FLOAT(16, v.angular[0]);
  Body<float> box(kMoments[0], {1, 2, 3});
  box.pose.position = {1, 2, 3};
  box.velocity.linear = {-4, 8, 16};
  TEST_ASSERT_TRUE(box.step(0.25));
  TEST_ASSERT_EQUAL_FLOAT(0, box.pose.position[0]);
  TEST_ASSERT_EQUAL_FLOAT(4, box.pose.position[1]);
  TEST_ASSERT_EQUAL_FLOAT(7, box.pose.position[2]);
  TEST_ASSERT_EQUAL_FLOAT(16, box.velocity.linear[2]);
}

// Nothing derives this number: it is what every compiler and processor must agree on, and changes only
// together with the turn.
void the_bits_are_the_same_everywhere() {
  Checksum sum;
  for (const Vector& moments : kMoments) {
    Body<float> body(moments, {20, -30, 10});
    for (int k = 0; k < 200; ++k) {
      TEST_ASSERT_TRUE(body.step(k < 100 ? 1e-3 : 3e-2));
      const auto& q = body.pose;
      const auto& omega = body.velocity.angular;
      for (const float x : {q.w, q.x, q.y, q.z, omega[0], omega[1], omega[2]}) sum.add(x);
    }
  }
  if constexpr (math::kFused) TEST_ASSERT_EQUAL_HEX32(0x5B5F2A3D, sum.value());
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(energy_and_momentum_stay);
  RUN_TEST(a_sphere_turns_evenly);
  RUN_TEST(fast_turns_go_in_parts_or_are_refused);
  RUN_TEST(no_step_takes_energy_in_silence);
  RUN_TEST(the_general_way_agrees_with_the_short_one);
  RUN_TEST(a_grain_turns_like_a_ship);
  RUN_TEST(a_long_quaternion_heals);
  RUN_TEST(the_plane_and_the_straight_way);
  RUN_TEST(the_bits_are_the_same_everywhere);
  return UNITY_END();
}
