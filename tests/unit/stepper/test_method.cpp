// How a step is taken, by its method: at what speed gaps push bodies apart, the fixed point in the plane, an
// ellipsoid of friction beside a contact that gives way, and what joints are said to give.
#include <cmath>
#include <limits>

#include "tactus/tactus.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;

namespace {

constexpr double kGravity = 9.81;

template <class Scalar, int Dim, Capacity C>
struct Rig {
  using Vector = math::Vector<Scalar, Dim>;
  World<Scalar, Dim, C> world;
  Workspace<Scalar, Dim, C> workspace;

  explicit Rig(const Method& method, double g = kGravity) {
    Vector down = Vector::Zero();
    down[Dim - 1] = static_cast<Scalar>(-g);
    must(configure(world, Scalar(1e-3), down, method));
    BodyDescription<Scalar, Dim> ground;
    ground.shape = geometry::half_space<Scalar>(Vector(Vector::Unit(Dim - 1)), Scalar(0));
    add(ground);
  }
  static void must(const Error& error) { TEST_ASSERT_FALSE_MESSAGE(error, Sentence(error).text()); }
  int add(const BodyDescription<Scalar, Dim>& body) {
    int index = 0;
    must(add_body(world, body, index));
    return index;
  }
  int touch(int a, int b, double mu, const contact::PatchLaw<Scalar>* patch = nullptr) {
    ContactDescription<Scalar, Dim> contact;
    contact.a = a;
    contact.b = b;
    contact.friction.kinetic = static_cast<Scalar>(mu);
    contact.patch = patch;
    int index = 0;
    must(add_contact(world, contact, index));
    return index;
  }
  auto step() {
    const auto report = stepper::step(world, workspace);
    TEST_ASSERT_EQUAL_STRING(sentence(StepReason::none), sentence(report.reason));
    return report;
  }
};

template <class Scalar>
BodyDescription<Scalar, 3> ball(double x, double z, double mass = 1) {
  BodyDescription<Scalar, 3> b;
  b.mass = static_cast<Scalar>(mass);
  b.inertia.diagonal().setConstant(static_cast<Scalar>(0.004 * mass));
  b.shape = geometry::sphere<Scalar>(Scalar(0.1));
  b.pose.position = {static_cast<Scalar>(x), 0, static_cast<Scalar>(z)};
  return b;
}

constexpr Capacity kOne{.bodies = 2, .contacts = 1, .slots = 1, .active = 1};

// A ball that starts 1 mm deep is out after 10 steps at 0.1 m/s, hops as high as that takes it, 2 v / g long,
// and rests; without a bound it is out after one. What falls is stopped as ever: the bound is of gaps below
// zero alone.
template <class Scalar>
void recovers_no_faster() {
  Method method;
  method.recovery_speed = 0.1;
  Rig<Scalar, 3, kOne> rig(method);
  rig.add(ball<Scalar>(0, 0.099));
  rig.touch(0, 1, 0.3);
  const auto z = [&] { return static_cast<double>(rig.world.state.pose[1].position[2]); };
  const auto v = [&] { return static_cast<double>(rig.world.state.velocity[1].linear[2]); };
  const double tolerance = sizeof(Scalar) == 8 ? 1e-14 : 1e-7;
  for (int k = 1; k <= 9; ++k) {
    rig.step();
    TEST_ASSERT_DOUBLE_WITHIN(1e3 * tolerance, 0.1, v());
    TEST_ASSERT_DOUBLE_WITHIN(tolerance, 0.099 + 1e-4 * k, z());
  }
  for (int k = 0; k < 40; ++k) rig.step();
  TEST_ASSERT_DOUBLE_WITHIN(10 * tolerance, 0.1, z());
  TEST_ASSERT_DOUBLE_WITHIN(1e4 * tolerance, 0, v());
  Rig<Scalar, 3, kOne> free{Method{}};
  free.add(ball<Scalar>(0, 0.099));
  free.touch(0, 1, 0.3);
  free.step();
  TEST_ASSERT_DOUBLE_WITHIN(1e3 * tolerance, 1, static_cast<double>(free.world.state.velocity[1].linear[2]));
  Rig<Scalar, 3, kOne> falling(method);
  auto fast = ball<Scalar>(0, 0.101);
  fast.velocity.linear[2] = -5;
  falling.add(fast);
  falling.touch(0, 1, 0.3);
  falling.step();
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, 0.1, static_cast<double>(falling.world.state.pose[1].position[2]));
}

// In float this bound is 0, which would be refused.
void a_bound_that_hardly_is_one() {
  Method method;
  method.recovery_speed = 1e-300;
  Rig<float, 3, kOne> rig(method);
  rig.add(ball<float>(0, 0.099));
  rig.touch(0, 1, 0.3);
  rig.step();
  TEST_ASSERT_FLOAT_WITHIN(1e-9F, 0.099F, rig.world.state.pose[1].position[2]);
}

void a_speed_that_is_none_is_refused() {
  World<double, 3, kOne> world;
  for (const double speed : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    Method method;
    method.recovery_speed = speed;
    const Error error = configure<double, 3, kOne>(world, 1e-3, {0, 0, 0}, method);
    TEST_ASSERT_TRUE(error == What::recovery_speed);
  }
}

// A body in the plane hangs on a joint and turns at 40 rad/s; beside it a rod comes down on its end, which
// turns on. W of the start leaves both off by the sagitta, W of the end does not.
constexpr Capacity kPlane{.bodies = 3, .contacts = 1, .slots = 2, .active = 2, .joints = 1};
void a_repeated_step_closes_in_the_plane() {
  for (const int passes : {0, 20}) {
    Method method;
    method.fixed_point = static_cast<std::uint8_t>(passes);
    Rig<double, 2, kPlane> rig(method);
    BodyDescription<double, 2> bob;
    bob.mass = 2;
    bob.inertia(0, 0) = 0.02;
    bob.shape = geometry::disc<double>(0.01);
    bob.pose = {0.3, 5, 0};
    bob.velocity.linear = {0, 0.3 * 40};
    bob.velocity.angular[0] = 40;
    rig.add(bob);
    BodyDescription<double, 2> rod;
    rod.mass = 1;
    rod.inertia(0, 0) = 0.08;
    rod.shape = geometry::rod<double>(1.0);
    rod.pose = {4, 0.5 * std::sin(0.7), 0.7};
    rod.velocity.linear = {0, -20};
    rod.velocity.angular[0] = -40;
    rig.add(rod);
    rig.touch(0, 2, 0.4);
    int index = 0;
    rig.must(
        add_joint<double, 2, kPlane>(rig.world, dynamics::JointType::revolute, 0, 1, {0, 5}, {1, 0}, index));
    rig.step();
    const auto& p = rig.world.state.pose[1];
    const double off = std::hypot(p.x - 0.3 * std::cos(p.angle), p.y - 5 - 0.3 * std::sin(p.angle));
    const auto& q = rig.world.state.pose[2];
    const double gap = q.y - 0.5 * std::sin(q.angle);
    if (passes > 0) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-14, 0, off);
      TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0, gap);
    } else {
      TEST_ASSERT_DOUBLE_WITHIN(0.05, 1, off / (0.5e-6 * 40 * 40 * 0.3));
      TEST_ASSERT_TRUE(std::fabs(gap) > 1e-5);
    }
  }
}

// A ball with an ellipsoid of friction spins beside one on a spring: each moves as it does alone, to the bit
// where they are apart; and one on top of the other gives the spring both weights.
constexpr Capacity kMixed{
    .bodies = 3, .contacts = 2, .slots = 2, .active = 2, .patches = 1, .patch_elements = 1, .torsion = true};
template <class Scalar>
void an_ellipsoid_beside_a_spring() {
  contact::PatchLaw<Scalar> spring;
  spring.stiffness = Scalar(1e4);
  spring.damping = Scalar(200);
  const auto run = [&](bool spins, bool stacked) {
    Rig<Scalar, 3, kMixed> rig{Method{}};
    rig.add(ball<Scalar>(0, 0.1));
    auto top = stacked ? ball<Scalar>(0, 0.3, 2) : ball<Scalar>(1, 0.1, 2);
    top.velocity.angular[2] = 5;
    rig.add(top);
    rig.touch(0, 1, 0.3, &spring);
    const int other = rig.touch(stacked ? 1 : 0, 2, 0.3);
    if (spins) rig.must(set_ellipsoid<Scalar, kMixed>(rig.world, other, {1, 1, Scalar(0.02)}));
    for (int k = 0; k < 600; ++k) rig.step();
    return std::pair{rig.world.state.pose[1].position[2], rig.world.state.velocity[2].angular[2]};
  };
  const double tolerance = sizeof(Scalar) == 8 ? 1e-12 : 1e-6;
  const auto [deep, spin] = run(true, false);
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, 0.1 - kGravity / 1e4, static_cast<double>(deep));
  // I w' = -e_r mu m g, I = 0.008: stops after 5 / 14.7 s.
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, 0, static_cast<double>(spin));
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, static_cast<double>(run(false, false).first),
                            static_cast<double>(deep));
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, 5, static_cast<double>(run(false, false).second));
  TEST_ASSERT_DOUBLE_WITHIN(10 * tolerance, 0.1 - 3 * kGravity / 1e4,
                            static_cast<double>(run(true, true).first));
}

// A weld carries what hangs on it: m g, and m g l about its centre's distance; in each island its own.
constexpr Capacity kWelds{.bodies = 3, .contacts = 1, .slots = 1, .active = 1, .joints = 2};
void joints_say_what_they_give() {
  Rig<double, 3, kWelds> rig{Method{}};
  for (const double x : {0.0, 4.0}) {
    const int b = rig.add(ball<double>(x + 0.5, 2, x + 1));
    int index = 0;
    rig.must(add_joint<double, 3, kWelds>(rig.world, dynamics::JointType::fixed, 0, b, {x, 0, 2}, {1, 0, 0},
                                          index));
  }
  rig.step();
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& given = rig.workspace.next.joint_force[i];
    const double weight = (i == 0 ? 1 : 5) * kGravity;
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, weight, given.linear[2]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, std::hypot(given.linear[0], given.linear[1]));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, given.angular.norm());  // about the centre of the ball
  }
}

// A ball of 1 kg hits one of 2 kg at 20 m/s, e = 0.5: (0, 10). It passes so fast that where the step is
// repeated, at its end, float knows of no distance between them any more; what the impact gave still stands.
void a_repeated_step_keeps_what_impacts_gave() {
  constexpr Capacity kTwo{.bodies = 3, .contacts = 1, .slots = 1, .active = 1};
  for (const float past : {0.0F, 1e3F, 1e23F}) {
    static Rig<float, 3, kTwo> rig(Method{});
    Method method;
    method.fixed_point = 1;
    rig = Rig<float, 3, kTwo>(method, 0);
    auto fast = ball<float>(0, 5);
    fast.velocity.linear = {20, past, 0};
    const int a = rig.add(fast), b = rig.add(ball<float>(0.21, 5, 2)), contact = rig.touch(a, b, 0);
    rig.world.model.contact[static_cast<std::size_t>(contact)].restitution = 0.5F;
    TEST_ASSERT_EQUAL_INT(past > 1e22F ? 0 : 1, rig.step().elements);
    for (const auto& [body, gains] : {std::pair{a, -20.0F}, std::pair{b, 20.0F}}) {
      const auto i = static_cast<std::size_t>(body);
      TEST_ASSERT_FLOAT_WITHIN(1e-4F, gains, rig.workspace.next.impulse[i].linear[0]);
      TEST_ASSERT_FLOAT_WITHIN(1e-4F, body == a ? 0 : 10, rig.world.state.velocity[i].linear[0]);
    }
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(recovers_no_faster<double>);
  RUN_TEST(recovers_no_faster<float>);
  RUN_TEST(a_bound_that_hardly_is_one);
  RUN_TEST(a_speed_that_is_none_is_refused);
  RUN_TEST(a_repeated_step_closes_in_the_plane);
  RUN_TEST(a_repeated_step_keeps_what_impacts_gave);
  RUN_TEST(an_ellipsoid_beside_a_spring<double>);
  RUN_TEST(an_ellipsoid_beside_a_spring<float>);
  RUN_TEST(joints_say_what_they_give);
  return UNITY_END();
}
