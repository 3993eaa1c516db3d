// The tangents of a compliant contact go with its normal: what is deformed along t stays so when the normal
// turns. A law of nature knows no axes, so a scene that is turned as a whole moves as the scene does, turned.
#include <cmath>

#include "tactus/tactus.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;

namespace {

constexpr Capacity kSize{
    .bodies = 2, .contacts = 1, .slots = 1, .active = 1, .patches = 1, .patch_elements = 1};
using Vector = math::Vector<double, 3>;

World<double, 3, kSize> world;
Workspace<double, 3, kSize> workspace;

// v turned by q.
Vector turned(const dynamics::Pose<double, 3>& q, const Vector& v) {
  return geometry::frame(dynamics::Pose<double, 3>{{0, 0, 0}, q.w, q.x, q.y, q.z}).turn(v);
}

// A ball rolls over a fixed ball, held to it by a force to its centre, once round in the plane of x and z:
// its normal passes every direction there, along x too. The speed is what the force bends into that circle.
Vector roll(const dynamics::Pose<double, 3>& turn, int steps) {
  constexpr double h = 1e-3, r = 0.05, m = 0.1, speed = 0.6, hold = 20;
  world = {};
  int index = 0;
  TEST_ASSERT_TRUE((configure<double, 3, kSize>(world, h, {0, 0, 0}, Method{}) == What::none));
  BodyDescription<double, 3> ball;
  ball.shape = geometry::sphere<double>(r);
  TEST_ASSERT_TRUE(add_body(world, ball, index) == What::none);
  ball.mass = m;
  ball.inertia.diagonal().setConstant(0.4 * m * r * r);
  const auto put = [](const Vector& v, auto& to) {
    for (int k = 0; k < 3; ++k) to[k] = v[k];
  };
  put(turned(turn, Vector(0, 0, 2 * r)), ball.pose.position);
  put(turned(turn, Vector(speed, 0.2, 0)), ball.velocity.linear);
  put(turned(turn, Vector(0, speed / r, 0)), ball.velocity.angular);
  TEST_ASSERT_TRUE(add_body(world, ball, index) == What::none);
  contact::PatchLaw<double> law;
  law.stiffness = 2e4;
  law.damping = 20;
  ContactDescription<double, 3> contact{.a = 0, .b = 1, .friction{.kinetic = 5}, .patch = &law};
  TEST_ASSERT_TRUE(add_contact(world, contact, index) == What::none);
  const Vector push =
      turned(turn, Vector(0, 1, 0));  // sideways, which deforms the contact along its tangents
  double worst = 0;
  for (int k = 0; k < steps; ++k) {
    const auto& place = world.state.pose[1].position;
    const Vector p(place[0], place[1], place[2]), n = p / p.norm(), applied = push - hold * n;
    const Vector before = world.state.velocity[1].linear;
    world.state.force[1].linear = applied;
    const auto report = step(world, workspace);
    TEST_ASSERT_TRUE(report.status == StepStatus::solved);
    // What the report says in geometry's frame is what moves the ball.
    const Vector t = geometry::tangent(n), o = math::cross(n, t), told = report.contact[0].force;
    const Vector force = m * (world.state.velocity[1].linear - before) / h - applied;
    worst = std::fmax(worst, (told[0] * n + told[1] * t + told[2] * o - force).norm());
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0, worst);
  const auto& p = world.state.pose[1].position;
  const dynamics::Pose<double, 3> back{{0, 0, 0}, turn.w, -turn.x, -turn.y, -turn.z};
  return turned(back, Vector(p[0], p[1], p[2]));
}

void a_turned_scene_moves_alike() {
  constexpr int kSteps = 1200;
  const Vector path = roll({}, kSteps);
  double worst = 0;
  for (const auto& turn : {dynamics::Pose<double, 3>{{0, 0, 0}, 0.8, 0.6, 0, 0},
                           dynamics::Pose<double, 3>{{0, 0, 0}, 0.5, 0.5, -0.5, 0.5},
                           dynamics::Pose<double, 3>{{0, 0, 0}, 0.1, -0.7, 0.5, -0.5}}) {
    const Vector there = roll(turn, kSteps);
    for (int i = 0; i < 3; ++i) worst = std::fmax(worst, std::fabs(there[i] - path[i]));
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0, worst);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_turned_scene_moves_alike);
  return UNITY_END();
}
