// Steps with the round friction cone against closed forms: an A-frame of two jointed legs that stands or
// slips, a ball set down while it slides, and what is refused.
#include <cmath>
#include <cstdint>

#include "tactus/tactus.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;

namespace {

constexpr Capacity kFrame{.bodies = 3, .contacts = 2, .slots = 4, .active = 2, .joints = 1};
constexpr Capacity kBall{.bodies = 2, .contacts = 1, .slots = 1, .active = 1};
constexpr Capacity kNoCone{
    .bodies = 2, .contacts = 1, .slots = 1, .active = 1, .parts = every_part & ~round_cone};

constexpr double kGravity = 9.81, kSine = 0.6, kCosine = 0.8;  // of the angle between a leg and the vertical

template <class Scalar>
constexpr double kNear = sizeof(Scalar) == 8 ? 1e-10 : 2e-5;

template <class Scalar, int Dim, Capacity C>
void configured(World<Scalar, Dim, C>& world, Scalar h, FrictionLaw friction) {
  world = {};
  Method method;
  method.friction = friction;
  math::Vector<Scalar, Dim> gravity = math::Vector<Scalar, Dim>::Zero();
  gravity[Dim - 1] = Scalar(-kGravity);
  TEST_ASSERT_TRUE(configure(world, h, gravity, method) == What::none);
  BodyDescription<Scalar, Dim> floor;
  floor.shape = geometry::half_space<Scalar>(
      math::Vector<Scalar, Dim>(math::Vector<Scalar, Dim>::Unit(Dim - 1)), Scalar(0));
  int index = 0;
  TEST_ASSERT_TRUE(add_body(world, floor, index) == What::none);
}

// Two legs of 1 m and 2 kg, joined at the top.
template <class Scalar>
World<Scalar, 2, kFrame>& a_frame(Scalar mu, FrictionLaw friction) {
  static World<Scalar, 2, kFrame> world;
  configured(world, Scalar(1e-3), friction);
  int index = 0;
  for (const Scalar side : {Scalar(1), Scalar(-1)}) {
    BodyDescription<Scalar, 2> leg;
    leg.mass = 2;
    leg.inertia(0, 0) = Scalar(2.0 / 12);
    leg.shape = geometry::rod(Scalar(1));
    leg.pose = {side * Scalar(kSine / 2), Scalar(kCosine / 2),
                side * static_cast<Scalar>(std::atan2(-kCosine, kSine))};
    TEST_ASSERT_TRUE(add_body(world, leg, index) == What::none);
    ContactDescription<Scalar, 2> foot;
    foot.b = index;
    foot.friction.kinetic = mu;
    TEST_ASSERT_TRUE(add_contact(world, foot, index) == What::none);
  }
  const math::Vector2<Scalar> top(0, Scalar(kCosine));
  TEST_ASSERT_TRUE(add_joint(world, dynamics::JointType::revolute, 1, 2, top, math::Vector2<Scalar>(1, 0),
                             index) == What::none);
  return world;
}

// At rest each foot carries m g and pushes outward with H = (m g / 2) tan a, moments about the top of one
// leg; so it stands if mu >= tan a / 2 = 0.375, by every law, for they are one where nothing slides.
template <class Scalar>
void check_standing() {
  static Workspace<Scalar, 2, kFrame> workspace;
  for (const auto friction : {FrictionLaw::pyramid, FrictionLaw::relaxed_cone, FrictionLaw::cone}) {
    auto& world = a_frame(Scalar(0.4), friction);
    for (int k = 0; k < 50; ++k) {
      const auto report = step(world, workspace);
      TEST_ASSERT_EQUAL_STRING(sentence(StepReason::none), sentence(report.reason));
      TEST_ASSERT_TRUE(std::abs(world.state.velocity[1].angular[0]) <= Scalar(kNear<Scalar>));
      for (const auto& foot : report.contact) {
        TEST_ASSERT_TRUE(foot.mode == contact::Mode::stick);
        TEST_ASSERT_DOUBLE_WITHIN(2e2 * kNear<Scalar>, 2 * kGravity, static_cast<double>(foot.force[0]));
        TEST_ASSERT_DOUBLE_WITHIN(2e2 * kNear<Scalar>, kGravity * kSine / kCosine,
                                  static_cast<double>(std::abs(foot.force[1])));
      }
      TEST_ASSERT_TRUE(report.lift <= Scalar(1e-3 * kNear<Scalar>));
    }
  }
}

// With mu = 0.2 it slips. Right leg, foot going outward: m x'' = P - mu N, m y'' = N - m g and, about its
// centre, I a'' = (L / 2) (N sin a - mu N cos a - P cos a) with x = (L / 2) sin a, y = (L / 2) cos a, hence
// a'' (m L^2 / 12 + m L^2 / 4 cos^2 a + m L^2 / 4 sin a (sin a - 2 mu cos a)) = (m g L / 2) (sin a - 2 mu cos
// a). From rest the step is linear: the legs turn at h a''.
double turn_of_leg(double mu) {
  const double m = 2, drive = kSine - 2 * mu * kCosine;
  return m * kGravity / 2 * drive / (m / 12 + m / 4 * kCosine * kCosine + m / 4 * kSine * drive);
}
template <class Scalar>
void check_slipping() {
  static Workspace<Scalar, 2, kFrame> workspace;
  const double mu = 0.2, m = 2, turn = turn_of_leg(mu);
  auto& world = a_frame(static_cast<Scalar>(mu), FrictionLaw::cone);
  const auto report = step(world, workspace);
  TEST_ASSERT_EQUAL_STRING(sentence(StepReason::none), sentence(report.reason));
  TEST_ASSERT_DOUBLE_WITHIN(1e2 * kNear<Scalar>, turn,
                            static_cast<double>(world.state.velocity[1].angular[0]) / 1e-3);
  TEST_ASSERT_DOUBLE_WITHIN(1e2 * kNear<Scalar>, -turn,
                            static_cast<double>(world.state.velocity[2].angular[0]) / 1e-3);
  for (const auto& foot : report.contact) {
    TEST_ASSERT_TRUE(foot.mode == contact::Mode::slip);
    TEST_ASSERT_DOUBLE_WITHIN(2e2 * kNear<Scalar>, m * (kGravity - kSine / 2 * turn),
                              static_cast<double>(foot.force[0]));
  }
  TEST_ASSERT_TRUE(report.lift == 0);
  // Relaxed it slips, too, and says by how much it is lifted: h mu v_T, both feet alike.
  auto& lifted = a_frame(static_cast<Scalar>(mu), FrictionLaw::relaxed_cone);
  const auto relaxed = step(lifted, workspace);
  TEST_ASSERT_EQUAL_STRING(sentence(StepReason::none), sentence(relaxed.reason));
  const double v_T = static_cast<double>(std::abs(workspace.answer.s[1]));
  TEST_ASSERT_DOUBLE_WITHIN(1e-3 * kNear<Scalar>, 1e-3 * mu * v_T, static_cast<double>(relaxed.lift));
  TEST_ASSERT_DOUBLE_WITHIN(kNear<Scalar>, mu * v_T, static_cast<double>(workspace.answer.s[0]));
}

// A ball of 6 kg set down at 5 m/s: relaxed, v_n = mu v_T with h lambda (1 / m) (1 + 3.5 mu^2) = mu v_0 + g
// h; exactly, v_n = 0 and v_T = v_0 - 3.5 mu g h. It slides obliquely, where a pyramid of four facets would
// be wrong.
template <class Scalar>
void check_ball() {
  static World<Scalar, 3, kBall> world;
  static Workspace<Scalar, 3, kBall> workspace;
  const double mu = 0.2, h = 1e-2;
  for (const bool relax : {true, false}) {
    configured(world, static_cast<Scalar>(h), relax ? FrictionLaw::relaxed_cone : FrictionLaw::cone);
    BodyDescription<Scalar, 3> ball;
    ball.mass = 6;
    ball.inertia = dynamics::SpinMatrix<Scalar, 3>::Identity() * Scalar(0.4 * 6 * 0.01);
    ball.shape = geometry::sphere(Scalar(0.1));
    ball.pose.position[2] = Scalar(0.1);
    ball.velocity.linear = {3, 4, 0};
    int index = 0;
    TEST_ASSERT_TRUE(add_body(world, ball, index) == What::none);
    ContactDescription<Scalar, 3> contact;
    contact.b = 1;
    contact.friction.kinetic = Scalar(mu);
    TEST_ASSERT_TRUE(add_contact(world, contact, index) == What::none);
    const auto report = step(world, workspace);
    TEST_ASSERT_EQUAL_STRING(sentence(StepReason::none), sentence(report.reason));
    const double impulse = relax ? (mu * 5 + kGravity * h) / (1 + 3.5 * mu * mu) : kGravity * h;  // per mass
    const double v_T = 5 - 3.5 * mu * impulse;
    const auto near = [](double want, Scalar got) {
      TEST_ASSERT_DOUBLE_WITHIN(5 * kNear<Scalar>, want, static_cast<double>(got));
    };
    near(impulse - kGravity * h, workspace.answer.s[0]);
    if (relax) near(mu * v_T, workspace.answer.s[0]);
    near(v_T, std::sqrt(workspace.answer.s[1] * workspace.answer.s[1] +
                        workspace.answer.s[2] * workspace.answer.s[2]));
    near(0.6 * (5 - mu * impulse), world.state.velocity[1].linear[0]);
    near(0.8 * (5 - mu * impulse), world.state.velocity[1].linear[1]);
    near(relax ? h * mu * v_T : 0, report.lift);
    TEST_ASSERT_TRUE(report.facet_error == 0);
  }
}

constexpr Capacity kBox{.bodies = 2, .contacts = 1, .slots = 8, .active = 4};

// A box of 2 kg on four corners slides at 1 m/s, stops (at v / (mu g) = 0.204 s) and rests, in float; every
// step is certified.
void check_box(FrictionLaw friction) {
  static World<float, 3, kBox> world;
  static Workspace<float, 3, kBox> workspace;
  configured(world, 1e-3F, friction);
  BodyDescription<float, 3> body;
  body.mass = 2;
  body.inertia.diagonal() << 0.0083333F, 0.0083333F, 0.0133333F;
  body.shape = geometry::box(0.1F, 0.1F, 0.05F);
  body.pose.position[2] = 0.05F;
  body.velocity.linear[0] = 1;
  int index = 0;
  TEST_ASSERT_TRUE(add_body(world, body, index) == What::none);
  ContactDescription<float, 3> contact;
  contact.b = 1;
  contact.friction.kinetic = 0.5F;
  TEST_ASSERT_TRUE(add_contact(world, contact, index) == What::none);
  for (int k = 0; k < 400; ++k) {
    const auto report = step(world, workspace);
    TEST_ASSERT_EQUAL_STRING(sentence(StepReason::none), sentence(report.reason));
    if (k == 150 && friction == FrictionLaw::cone)
      TEST_ASSERT_DOUBLE_WITHIN(1e-4, 1 - 0.5 * kGravity * 0.151,
                                static_cast<double>(world.state.velocity[1].linear[0]));
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0, static_cast<double>(world.state.velocity[1].linear.norm()));
}

void box_by_the_cones() {
  check_box(FrictionLaw::cone);
  check_box(FrictionLaw::relaxed_cone);
}

void standing() {
  check_standing<double>();
  check_standing<float>();
}
void slipping() {
  check_slipping<double>();
  check_slipping<float>();
}
void ball() {
  check_ball<double>();
  check_ball<float>();
}

void refused() {
  static World<float, 3, kNoCone> world;
  Method method;
  const math::Vector<float, 3> gravity(0, 0, -9.81F);
  for (const auto friction : {FrictionLaw::relaxed_cone, FrictionLaw::cone}) {
    method.friction = friction;
    TEST_ASSERT_TRUE(configure(world, 1e-3F, gravity, method) == What::part);
  }
}

// Where the modes are not tried first the path needs flips. Whatever the budget, no more of them are made
// than it allows, and what was cut is flagged; what is called solved is the slip of the frame.
void budgets() {
  static Workspace<double, 2, kFrame> workspace;
  bool cut = false, solved = false;
  for (std::uint16_t budget = 0; budget < 12; ++budget) {
    auto& frame = a_frame(0.2, FrictionLaw::cone);
    frame.model.method.pivot_budget = budget;
    frame.model.method.modes_first = false;
    const auto report = step(frame, workspace);
    TEST_ASSERT_LESS_OR_EQUAL_INT(budget, report.pivots);
    if (report.status == StepStatus::solved) {
      TEST_ASSERT_DOUBLE_WITHIN(1e2 * kNear<double>, turn_of_leg(0.2),
                                frame.state.velocity[1].angular[0] / 1e-3);
      solved = true;
      continue;
    }
    TEST_ASSERT_TRUE(report.status == StepStatus::degraded);
    TEST_ASSERT_EQUAL_STRING(sentence(StepReason::pivot_limit), sentence(report.reason));
    TEST_ASSERT_FALSE(solved);  // a larger budget does no worse
    cut = true;
  }
  TEST_ASSERT_TRUE(cut && solved);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(standing);
  RUN_TEST(slipping);
  RUN_TEST(ball);
  RUN_TEST(box_by_the_cones);
  RUN_TEST(refused);
  RUN_TEST(budgets);
  return UNITY_END();
}
