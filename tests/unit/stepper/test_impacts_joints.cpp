// Impacts of what hangs on joints (stepper/impacts.hpp): a link, a gear, a body that another one is fixed to
// are as heavy as with all of it; a stop stops. Two masses m and M in a line, m comes with v: with e they
// leave with v - (1 + e) v M / (m + M) and (1 + e) v m / (m + M).
#include <cmath>

#include "tactus/tactus.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;

namespace {

using Kind = geometry::SpatialKind;
constexpr double kSpeed = 1.5, kBall = 0.3, kSlide = 0.5, kLed = 0.2, kRatio = -1.5;

constexpr dynamics::LinkData slide(double mass, double upper = std::numeric_limits<double>::infinity()) {
  dynamics::LinkData link;
  link.joint = dynamics::ArmJoint::prismatic;
  link.axis[0] = 1;
  link.axis[2] = 0;
  link.mass = mass;
  link.inertia[0] = link.inertia[1] = link.inertia[2] = 1e-4;
  link.upper = upper;
  return link;
}
constexpr dynamics::LinkData led_slide() {
  auto link = slide(kLed);
  link.mimic = 0;
  link.ratio = kRatio;
  return link;
}

constexpr SceneBody<3> ball(double x, double mass, double v) {
  SceneBody<3> body{.mass = mass, .inertia{1e-4, 1e-4, 1e-4}, .shape{Kind::sphere, {0.05}}};
  body.pose.position[0] = x;
  body.velocity.linear[0] = v;
  return body;
}
constexpr SceneBody<3> tip() {
  return {.shape{Kind::sphere, {0.05}}, .link = 0};
}

template <class Scalar>
constexpr double kNear = sizeof(Scalar) == 8 ? 1e-9 : 1e-5;

template <class Scalar>
void near(double expected, double is, const char* what) {
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(kNear<Scalar>, expected, is, what);
}

constexpr double after(double e, double m, double M) {
  return kSpeed - (1 + e) * kSpeed * M / (m + M);
}
constexpr double given(double e, double m, double M) {
  return (1 + e) * kSpeed * m / (m + M);
}

constexpr SceneBody<3> kOnTip[]{tip(), ball(-0.1037, kBall, kSpeed)};
constexpr SceneContact<3> kHits[]{{.a = 1, .b = 0, .friction{.kinetic = 0.3}, .restitution = 0.7}};
constexpr dynamics::LinkData kOneSlide[]{slide(kSlide), slide(kLed)};  // the second hangs on nothing
constexpr dynamics::LinkData kGear[]{slide(kSlide), led_slide()};
constexpr dynamics::LinkData kAtStop[]{slide(kSlide, 0), slide(kLed)};
constexpr SceneArm kArm[]{{.links = kOneSlide}};
constexpr SceneArm kGeared[]{{.links = kGear}};
constexpr SceneArm kStopped[]{{.links = kAtStop}};
constexpr Scene<3> scene_of(std::span<const SceneArm> arms) {
  return {.step = 1e-3, .bodies = kOnTip, .contacts = kHits, .arms = arms, .energy = true};
}
constexpr Scene<3> kSlideScene = scene_of(kArm), kGearScene = scene_of(kGeared),
                   kStopScene = scene_of(kStopped);

template <class Scalar, Capacity C>
int run(World<Scalar, 3, C>& world, int steps) {
  static Workspace<Scalar, 3, C> workspace;
  int impacts = 0;
  for (int k = 0; k < steps; ++k) {
    const auto report = step(world, workspace);
    TEST_ASSERT_TRUE_MESSAGE(report.status == StepStatus::solved, sentence(report.reason));
    impacts += report.impacts;
  }
  return impacts;
}

template <class Scalar>
void a_link() {
  static World<Scalar, 3, capacity_of(kSlideScene)> world;
  TEST_ASSERT_FALSE(build(world, kSlideScene));
  TEST_ASSERT_EQUAL_INT(1, run(world, 10));
  near<Scalar>(after(0.7, kBall, kSlide), static_cast<double>(world.state.velocity[1].linear[0]), "ball");
  near<Scalar>(given(0.7, kBall, kSlide), static_cast<double>(world.state.arm.qd[0]), "slide");
  near<Scalar>(0, static_cast<double>(world.state.arm.qd[1]), "the other");
}

// Both places are those of the impact in the midst of the third step.
template <class Scalar>
void a_gear() {
  static World<Scalar, 3, capacity_of(kGearScene)> world;
  TEST_ASSERT_FALSE(build(world, kGearScene));
  TEST_ASSERT_EQUAL_INT(1, run(world, 10));
  const double heavy = kSlide + kRatio * kRatio * kLed, qd = given(0.7, kBall, heavy);
  near<Scalar>(after(0.7, kBall, heavy), static_cast<double>(world.state.velocity[1].linear[0]), "ball");
  near<Scalar>(qd, static_cast<double>(world.state.arm.qd[0]), "slide");
  near<Scalar>(kRatio * qd, static_cast<double>(world.state.arm.qd[1]), "led");
  const double left = 0.01 - 0.0037 / kSpeed;  // s after the impact
  near<Scalar>(qd * left, static_cast<double>(world.state.arm.q[0]), "place");
  near<Scalar>(kRatio * qd * left, static_cast<double>(world.state.arm.q[1]), "place of the led");
  near<Scalar>(-0.1 + after(0.7, kBall, heavy) * left, static_cast<double>(world.state.pose[1].position[0]),
               "ball's place");
}

// The slide cannot give way: each time the ball has struck, the stop stops it. m < M: the ball leaves at
// once, and nothing is left of what the slide had.
template <class Scalar>
void a_stop() {
  static World<Scalar, 3, capacity_of(kStopScene)> world;
  TEST_ASSERT_FALSE(build(world, kStopScene));
  TEST_ASSERT_EQUAL_INT(2, run(world, 10));
  near<Scalar>(after(0.7, kBall, kSlide), static_cast<double>(world.state.velocity[1].linear[0]), "ball");
  near<Scalar>(0, static_cast<double>(world.state.arm.qd[0]), "slide");
  near<Scalar>(0, static_cast<double>(world.state.arm.q[0]), "place");
}

// A ball strikes one that is fixed to another behind it, and one that slides freely along it.
constexpr SceneBody<3> kThree[]{ball(0, kSlide, 0), ball(0.3, kLed, 0), ball(-0.1037, kBall, kSpeed)};
constexpr SceneContact<3> kHitsFirst[]{{.a = 2, .b = 0, .friction{.kinetic = 0}, .restitution = 1}};
constexpr SceneJoint<3> kFixed[]{{.type = dynamics::JointType::fixed, .a = 0, .b = 1, .at{0.15, 0, 0}}};
constexpr SceneJoint<3> kSliding[]{
    {.type = dynamics::JointType::prismatic, .a = 0, .b = 1, .at{0.15, 0, 0}, .axis{1, 0, 0}}};
constexpr Scene<3> joined(std::span<const SceneJoint<3>> joints) {
  return {.step = 1e-3, .bodies = kThree, .contacts = kHitsFirst, .joints = joints, .energy = true};
}
constexpr Scene<3> kFixedScene = joined(kFixed), kSlidingScene = joined(kSliding);

template <class Scalar>
void a_joint() {
  static World<Scalar, 3, capacity_of(kFixedScene)> world;
  for (const Scene<3>* scene : {&kFixedScene, &kSlidingScene}) {
    TEST_ASSERT_FALSE(build(world, *scene));
    TEST_ASSERT_EQUAL_INT(1, run(world, 10));
    const double heavy = scene == &kFixedScene ? kSlide + kLed : kSlide;
    near<Scalar>(after(1, kBall, heavy), static_cast<double>(world.state.velocity[2].linear[0]), "ball");
    near<Scalar>(given(1, kBall, heavy), static_cast<double>(world.state.velocity[0].linear[0]), "first");
    near<Scalar>(scene == &kFixedScene ? given(1, kBall, heavy) : 0,
                 static_cast<double>(world.state.velocity[1].linear[0]), "second");
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_link<double>);
  RUN_TEST(a_link<float>);
  RUN_TEST(a_gear<double>);
  RUN_TEST(a_gear<float>);
  RUN_TEST(a_stop<double>);
  RUN_TEST(a_stop<float>);
  RUN_TEST(a_joint<double>);
  RUN_TEST(a_joint<float>);
  return UNITY_END();
}
