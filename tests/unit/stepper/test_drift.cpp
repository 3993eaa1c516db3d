// Kick, then drift, in whole steps: what nothing touches turns as in dynamics/drift.hpp, what spins too fast
// is refused, and Stewart's fixed point closes gaps and joints at the end of the step.
#include <cstring>

#include "tactus/tactus.hpp"
#include "tests/unit/dynamics/free_body.hpp"

using namespace tactus;
using namespace tactus::stepper;
using free_body::Body;

namespace {

constexpr Capacity kPair{.bodies = 2, .contacts = 1, .slots = 8, .active = 4, .joints = 1};
constexpr Capacity kOne{.bodies = 2, .contacts = 1, .slots = 0, .active = 0, .pieces = 1, .moving = 1};
constexpr Method kImplicit{.friction = FrictionLaw::implicit};
using V3 = math::Vector<double, 3>;

template <class Scalar>
struct Rig {
  World<Scalar, 3, kPair> world;
  Workspace<Scalar, 3, kPair> workspace;

  Rig(Scalar h, const math::Vector<Scalar, 3>& gravity, int fixed_point = 0) {
    Method method;
    method.fixed_point = static_cast<std::uint8_t>(fixed_point);
    TEST_ASSERT_TRUE(configure(world, h, gravity, method).what == What::none);
    BodyDescription<Scalar, 3> ground;
    ground.shape = geometry::half_space<Scalar>(math::Vector3<Scalar>(0, 0, 1), Scalar(0));
    int index = 0;
    TEST_ASSERT_TRUE(add_body(world, ground, index).what == What::none);
  }
  Error add(const BodyDescription<Scalar, 3>& body) {
    int index = 0;
    return add_body(world, body, index);
  }
  StepReport<Scalar, 3, kPair> step() {
    const auto report = stepper::step(world, workspace);
    TEST_ASSERT_EQUAL_STRING(sentence(StepReason::none), sentence(report.reason));
    return report;
  }
};

template <class Scalar>
BodyDescription<Scalar, 3> described(const Body<Scalar>& body) {
  BodyDescription<Scalar, 3> d;
  d.mass = 1;
  d.inertia = body.inertia.tensor;
  d.shape = geometry::sphere<Scalar>(Scalar(0.1));
  d.pose = body.pose;
  d.pose.position[2] = 5;
  d.velocity = body.velocity;
  return d;
}

template <class Scalar>
bool same_turn(const geometry::SpatialPose<Scalar>& p, const dynamics::Motion<Scalar, 3>& v,
               const Body<Scalar>& body) {
  return p.w == body.pose.w && p.x == body.pose.x && p.y == body.pose.y && p.z == body.pose.z &&
         v.angular == body.velocity.angular;
}

// To the bit, whatever a repetition does; so what tests/unit/dynamics shows of the turn holds for steps.
template <class Scalar>
void untouched_bodies_turn_freely() {
  for (const int fixed_point : {0, 3}) {
    for (const auto& moments : free_body::kMoments) {
      Body<Scalar> body(moments, {60, 20, 30});
      Rig<Scalar> rig(Scalar(1e-3), {0, 0, 0}, fixed_point);
      TEST_ASSERT_TRUE(rig.add(described(body)).what == What::none);
      for (int k = 0; k < 200; ++k) {
        const auto report = rig.step();
        TEST_ASSERT_TRUE(body.step(1e-3));
        TEST_ASSERT_TRUE(same_turn(rig.world.state.pose[1], rig.world.state.velocity[1], body));
        TEST_ASSERT_TRUE(std::abs(report.energy.free) <=
                         32 * std::numeric_limits<Scalar>::epsilon() * report.energy.kinetic);
      }
    }
  }
}

void untouched_bodies_turn_freely_by_the_implicit_law() {
  for (const auto& moments : {free_body::kMoments[0], free_body::kMoments[4]}) {
    Body<double> body(moments, {60, 20, 30});
    static World<double, 3, kOne> world;
    world = {};
    static Workspace<double, 3, kOne> workspace;
    TEST_ASSERT_TRUE(configure(world, 1e-3, V3(0, 0, 0), kImplicit).what == What::none);
    BodyDescription<double, 3> d;
    d.mass = 1;
    d.inertia = body.inertia.tensor;
    d.shape = geometry::sphere<double>(0.1);
    d.pose = body.pose;
    d.velocity = body.velocity;
    int index = 0;
    TEST_ASSERT_TRUE(add_body(world, d, index).what == What::none);
    for (int k = 0; k < 200; ++k) {
      TEST_ASSERT_TRUE(step(world, workspace).status == StepStatus::solved);
      TEST_ASSERT_TRUE(body.step(1e-3));
      TEST_ASSERT_TRUE(same_turn(world.state.pose[0], world.state.velocity[0], body));
    }
  }
}

// h |omega| of 4.1 at the door, from outside, and by a torque within the step.
void what_spins_too_fast_is_refused() {
  Body<float> slow(free_body::kMoments[0], {10, 20, 30}), fast(free_body::kMoments[0], {0, 0, 4100});
  Rig<float> rig(1e-3F, {0, 0, -9.81F});
  TEST_ASSERT_TRUE(rig.add(described(fast)).what == What::spin);
  TEST_ASSERT_TRUE(rig.add(described(slow)).what == What::none);
  auto& state = rig.world.state;
  const auto refused = [&] {
    const auto before = state;
    const auto report = step(rig.world, rig.workspace);
    TEST_ASSERT_EQUAL_STRING(sentence(StepReason::too_fast), sentence(report.reason));
    TEST_ASSERT_TRUE(report.status == StepStatus::failed);
    TEST_ASSERT_EQUAL_MEMORY(&before.pose, &state.pose, sizeof state.pose);
    TEST_ASSERT_EQUAL_MEMORY(&before.velocity, &state.velocity, sizeof state.velocity);
    TEST_ASSERT_EQUAL_MEMORY(&before.mode, &state.mode, sizeof state.mode);
  };
  for (const float spin : {4.1e3F, 1e30F}) {
    state.velocity[1].angular[2] = spin;
    refused();
  }
  state.velocity[1].angular[2] = 30;
  state.force[1].angular[1] = 2e4F;  // N m on some 2e-3 kg m^2 over 1 ms
  refused();
  state.force[1].angular[1] = 0;
  rig.step();
}

void the_implicit_law_refuses_it_too() {
  static World<float, 3, kOne> world;
  static Workspace<float, 3, kOne> workspace;
  TEST_ASSERT_TRUE((configure<float, 3, kOne>(world, 1e-3F, {0, 0, 0}, kImplicit).what == What::none));
  BodyDescription<float, 3> d;
  d.mass = 1;
  d.inertia.diagonal() << 1e-3F, 2e-3F, 2.9e-3F;
  d.shape = geometry::sphere<float>(0.1F);
  d.velocity.angular = {0, 4.1e3F, 0};
  int index = 0;
  TEST_ASSERT_TRUE(add_body(world, d, index).what == What::spin);
  d.velocity.angular = {0, 41, 0};
  TEST_ASSERT_TRUE(add_body(world, d, index).what == What::none);
  for (const float spin : {4.1e3F, 1e30F}) {
    world.state.velocity[0].angular[1] = spin;
    const auto before = world.state;
    TEST_ASSERT_EQUAL_STRING(sentence(StepReason::too_fast), sentence(step(world, workspace).reason));
    TEST_ASSERT_EQUAL_MEMORY(&before.pose, &world.state.pose, sizeof before.pose);
    TEST_ASSERT_EQUAL_MEMORY(&before.velocity, &world.state.velocity, sizeof before.velocity);
  }
}

// A body hangs on a ball joint and turns at 40 rad/s. W of the start leaves the anchor off by the sagitta,
// (h omega)^2 r / 2; W of the end does not.
void a_repeated_step_closes_its_joints() {
  for (const int fixed_point : {0, 20}) {
    Rig<double> rig(1e-3, {0, 0, -9.81}, fixed_point);
    BodyDescription<double, 3> bob;
    bob.mass = 2;
    bob.inertia.diagonal() << 0.01, 0.02, 0.025;
    bob.shape = geometry::sphere<double>(0.01);
    bob.pose.position = {0.3, 0, 5};
    bob.velocity.angular = {5, 10, 38};
    bob.velocity.linear = math::cross<double>(bob.velocity.angular, V3(0.3, 0, 0));
    TEST_ASSERT_TRUE(rig.add(bob).what == What::none);
    int index = 0;
    TEST_ASSERT_TRUE(
        add_joint(rig.world, dynamics::JointType::spherical, 0, 1, V3(0, 0, 5), V3(1, 0, 0), index).what ==
        What::none);
    rig.step();
    const V3 anchor = geometry::frame(rig.world.state.pose[1]).to_world(V3(-0.3, 0, 0)) - V3(0, 0, 5);
    if (fixed_point > 0) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0, free_body::size(anchor));
    } else {
      const double v2 = math::dot<double>(bob.velocity.linear, bob.velocity.linear);
      TEST_ASSERT_DOUBLE_WITHIN(0.05, 1, free_body::size(anchor) / (1e-6 * v2 / (2 * 0.3)));
    }
  }
}

// A box comes down on a corner, which turns on: where the corner is after the step.
void a_repeated_step_closes_its_gaps() {
  for (const int fixed_point : {0, 20}) {
    Rig<double> rig(1e-3, {0, 0, -9.81}, fixed_point);
    BodyDescription<double, 3> box;
    box.mass = 0.5;
    const V3 half(0.06, 0.03, 0.01);
    box.inertia.diagonal() << 1.67e-4, 6.17e-4, 7.5e-4;
    box.shape = geometry::box<double>(half[0], half[1], half[2]);
    box.pose = free_body::turned(0.8, 0.3, -0.4, 0.2);
    const auto frame = geometry::frame(box.pose);
    // On its lowest corner.
    V3 corner;
    for (int i = 0; i < 3; ++i) corner[i] = frame.R(2, i) > 0 ? -half[i] : half[i];
    box.pose.position[2] = -frame.turn(corner)[2];
    box.velocity.angular = {10, -25, 15};
    box.velocity.linear[2] = -1 - math::cross<double>(box.velocity.angular, frame.turn(corner))[2];
    TEST_ASSERT_TRUE(rig.add(box).what == What::none);
    int index = 0;
    TEST_ASSERT_TRUE(add_contact(rig.world, {.a = 0, .b = 1, .friction = {.kinetic = 0.4}}, index).what ==
                     What::none);
    const auto report = rig.step();
    TEST_ASSERT_TRUE(report.contact[0].mode != contact::Mode::open);
    const double gap = geometry::frame(rig.world.state.pose[1]).to_world(corner)[2];
    if (fixed_point > 0)
      TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0, gap);
    else
      TEST_ASSERT_TRUE(std::fabs(gap) > 1e-6);
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(untouched_bodies_turn_freely<float>);
  RUN_TEST(untouched_bodies_turn_freely<double>);
  RUN_TEST(untouched_bodies_turn_freely_by_the_implicit_law);
  RUN_TEST(what_spins_too_fast_is_refused);
  RUN_TEST(the_implicit_law_refuses_it_too);
  RUN_TEST(a_repeated_step_closes_its_joints);
  RUN_TEST(a_repeated_step_closes_its_gaps);
  return UNITY_END();
}
