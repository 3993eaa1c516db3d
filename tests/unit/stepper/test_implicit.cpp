// The geometrically implicit step: closed forms, bodies with edges, torsion, scale, and what it refuses.
#include <cmath>
#include <cstring>
#include <limits>

#include "tactus/sentence.hpp"
#include "tactus/space.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;
using V3 = math::Vector<double, 3>;

namespace {

constexpr Capacity implicit(int bodies, int moving, int contacts, int pieces) {
  return {.bodies = bodies,
          .contacts = contacts,
          .slots = 0,
          .active = 0,
          .torsion = true,
          .pieces = pieces,
          .moving = moving};
}
constexpr Capacity kBody = implicit(2, 1, 1, 6), kPair = implicit(3, 2, 3, 1);
constexpr Method kImplicit{.friction = FrictionLaw::implicit};
using Description = BodyDescription<double, 3>;

// One of each for all tests, for the smallest board's sake.
World<double, 3, kBody> world;
Workspace<double, 3, kBody> workspace;

constexpr double kGravity = 9.81;

Description body(double mass, const V3& half) {
  Description b;
  b.mass = mass;
  b.inertia.diagonal() = mass / 3 *
                         V3(half[1] * half[1] + half[2] * half[2], half[0] * half[0] + half[2] * half[2],
                            half[0] * half[0] + half[1] * half[1]);
  return b;
}

// A floor and a body on it.
void lay(const Description& b, double h, double mu, double torsion) {
  int index = 0;
  world = {};
  TEST_ASSERT_TRUE(configure(world, h, V3(0, 0, -kGravity), kImplicit) == What::none);
  Description floor;
  floor.shape = geometry::half_space<double>(V3(0, 0, 1), 0);
  TEST_ASSERT_TRUE(add_body(world, floor, index) == What::none);
  TEST_ASSERT_TRUE(add_body(world, b, index) == What::none);
  TEST_ASSERT_TRUE(add_contact(world, {.a = 0, .b = 1, .friction = {.kinetic = mu}}, index) == What::none);
  TEST_ASSERT_TRUE(set_ellipsoid(world, 0, V3(1, 1, torsion)) == What::none);
}

// v* - v - h M^-1 (f + W^T lambda) of the body, m/s.
double momentum_off() {
  const auto& before = workspace.placed.body[1];
  const auto& impulse = workspace.next.impulse[1];
  const auto& after = workspace.next.velocity[1];
  const V3 linear = after.linear - before.velocity.linear - before.inverse_mass * impulse.linear;
  const V3 turn = after.angular - before.velocity.angular -
                  math::times<double, 3>(before.inverse_inertia, impulse.angular);
  return std::fmax(math::norm(linear), world.model.radius[1] * math::norm(turn));
}

auto step() {
  const auto report = stepper::step(world, workspace);
  TEST_ASSERT_EQUAL_STRING("The step is solved and certified.", sentence(report.reason));
  TEST_ASSERT_TRUE(report.status == StepStatus::solved && report.residual <= 1e-9);
  TEST_ASSERT_TRUE(momentum_off() < 1e-12);
  TEST_ASSERT_TRUE(report.contact[0].elements == 0 || report.contact[0].gap > -1e-14);
  return report;
}

// A box that slides on its face: friction at the floor tips the load forward, and the one contact point
// stands at the centre of pressure, mu z ahead of the centre of mass; after v / (mu g) it rests and the point
// is below the centre.
void face_carries_at_its_centre_of_pressure() {
  const double h = 1e-3, mu = 0.3, z = 0.08, v = 0.5;
  auto b = body(2, {0.1, 0.12, z});
  b.shape = geometry::box<double>(0.1, 0.12, z);
  b.pose.position[2] = z;
  b.velocity.linear[0] = v;
  lay(b, h, mu, 0);
  const int stop = static_cast<int>(std::ceil(v / (mu * kGravity * h)));
  for (int k = 1; k < stop; ++k) {
    const auto report = step();
    const auto& c = report.contact[0];
    TEST_ASSERT_TRUE(c.mode == contact::Mode::slip);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2 * kGravity, c.force[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, -mu * 2 * kGravity, c.force[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, mu * z, c.point[0] - world.state.pose[1].position[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, v - mu * kGravity * h * k, world.state.velocity[1].linear[0]);
  }
  step();
  const auto report = step();
  TEST_ASSERT_TRUE(report.contact[0].mode == contact::Mode::stick);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, world.state.velocity[1].linear[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, report.contact[0].point[0] - world.state.pose[1].position[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-14, z, world.state.pose[1].position[2]);
}

// A half ball on its round side, tilted: a pendulum of small swings about the upright, of the period that
// (I_c + m (R - d)^2) theta'' = -m g d theta gives, d the distance of its centre of mass below the ball's
// centre.
void half_ball_rocks() {
  const double R = 0.1, d = 3.0 / 8 * R, m = 1, inertia = 83.0 / 320 * m * R * R, h = 5e-4;
  Description b;
  b.mass = m;
  b.inertia.diagonal().setConstant(inertia);
  geometry::Surface<double, 3, 2> half;
  TEST_ASSERT_TRUE((geometry::add<double, 3, 2>(half, geometry::sphere<double>(R), V3(0, 0, d))) ==
                   What::none);
  TEST_ASSERT_TRUE((geometry::add<double, 3, 2>(half, geometry::half_space<double>(V3(0, 0, 1), d))) ==
                   What::none);
  b.surface = half;
  const double tilt = 0.02;
  b.pose.w = std::cos(tilt / 2);
  b.pose.y = std::sin(tilt / 2);
  b.pose.position = {-d * std::sin(tilt), 0, R - d * std::cos(tilt)};
  lay(b, h, 1, 0);
  const double omega = std::sqrt(m * kGravity * d / (inertia + m * (R - d) * (R - d)));
  int crossing = 0;
  for (int k = 1; k < 800 && crossing == 0; ++k) {
    const auto report = step();
    TEST_ASSERT_TRUE(report.contact[0].mode == contact::Mode::stick);
    TEST_ASSERT_EQUAL_INT(1, world.state.implicit.closest[0].active[1]);
    if (world.state.pose[1].y < 0) crossing = k;
  }
  // A quarter of the period, to the scheme's first order and the swing's second.
  TEST_ASSERT_DOUBLE_WITHIN(0.002, 1, crossing * h * omega / (3.14159265358979323846 / 2));
}

// A tilted box falls on a corner, then an edge, then its face, and comes to rest there.
void box_falls_on_its_face() {
  auto b = body(1, {0.1, 0.12, 0.08});
  b.shape = geometry::box<double>(0.1, 0.12, 0.08);
  const double size = std::sqrt(1 + 0.09 + 0.04);
  b.pose.w = 1 / size, b.pose.x = 0.3 / size, b.pose.y = 0.2 / size;
  b.pose.position[2] = 0.2;
  b.velocity.linear[0] = 0.3;
  b.inertia.diagonal().setConstant(0.004);
  lay(b, 1e-3, 0.3, 0.05);
  for (int k = 0; k < 1000; ++k) step();
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.08, world.state.pose[1].position[2]);
  for (int k = 0; k < 3; ++k) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, world.state.velocity[1].linear[k]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, world.state.velocity[1].angular[k]);
  }
}

// Torsion slows a spinning ball by e_r mu m g / I, and an axis of 0 leaves it alone.
void torsion() {
  for (const double e : {0.0, 0.03}) {
    auto b = body(1, {0.1, 0.1, 0.1});
    b.shape = geometry::sphere<double>(0.1);
    b.inertia.diagonal().setConstant(0.004);
    b.pose.position[2] = 0.1;
    b.velocity.angular[2] = 5;
    lay(b, 1e-3, 0.5, e);
    const auto report = step();
    TEST_ASSERT_DOUBLE_WITHIN(1e-10, -e * 0.5 * kGravity, report.contact[0].torsion);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 5 - 1e-3 * e * 0.5 * kGravity / 0.004,
                              world.state.velocity[1].angular[2]);
  }
}

// Slip across an ellipse of unequal axes: y = -mu lambda_n u / |u| in units of the axes.
void unequal_axes() {
  auto b = body(1, {0.1, 0.1, 0.1});
  b.shape = geometry::sphere<double>(0.1);
  b.pose.position[2] = 0.1;
  b.velocity.linear = {1, 1, 0};
  lay(b, 1e-3, 0.2, 0);
  TEST_ASSERT_FALSE(set_ellipsoid(world, 0, V3(1, 0.5, 0)));
  const auto report = step();
  const auto& c = report.contact[0];
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.2 * kGravity, std::hypot(c.force[1], c.force[2] / 0.5));
  const auto& v = world.state.velocity[1];
  const double slip_t = v.linear[0] - 0.1 * v.angular[1], slip_o = v.linear[1] + 0.1 * v.angular[0];
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, slip_t * c.force[2], 0.25 * slip_o * c.force[1]);
}

// 1 g and 1 t move alike.
void scale() {
  double x[3];
  int i = 0;
  for (const double mass : {1e-3, 1.0, 1e3}) {
    auto b = body(mass, {0.1, 0.12, 0.08});
    b.shape = geometry::ellipsoid<double>(0.1, 0.12, 0.08);
    b.pose.position[2] = 0.12;
    b.velocity.linear = {0.4, 0.3, 0};
    b.velocity.angular = {1, -2, 3};
    lay(b, 1e-3, 0.4, 0.02);
    for (int k = 0; k < 300; ++k) step();
    x[i++] = world.state.pose[1].position[0];
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-11, x[1], x[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-11, x[1], x[2]);
}

// Two balls, one on the other, between them and the floor three contacts of which two press: momentum of the
// whole.
void stack_of_two() {
  static World<float, 3, kPair> pair;
  static Workspace<float, 3, kPair> scratch;
  using V = math::Vector<float, 3>;
  TEST_ASSERT_TRUE(configure(pair, 1e-3F, V(0, 0, -9.81F), kImplicit) == What::none);
  int index = 0;
  BodyDescription<float, 3> floor, ball;
  floor.shape = geometry::half_space<float>(V(0, 0, 1), 0);
  ball.shape = geometry::sphere<float>(0.05F);
  ball.mass = 0.1F;
  ball.inertia.diagonal().setConstant(1e-4F);
  TEST_ASSERT_FALSE(add_body(pair, floor, index));
  ball.pose.position[2] = 0.05F;
  TEST_ASSERT_FALSE(add_body(pair, ball, index));
  ball.pose.position[2] = 0.15F;
  TEST_ASSERT_FALSE(add_body(pair, ball, index));
  for (int k = 0; k < 3; ++k) {
    TEST_ASSERT_TRUE(add_contact(pair, {.a = k == 2 ? 1 : 0, .b = k == 0 ? 1 : 2, .friction{.kinetic = 0.3F}},
                                 index) == What::none);
    TEST_ASSERT_TRUE(set_ellipsoid(pair, k, V(1, 1, 0.01F)) == What::none);
  }
  for (int k = 0; k < 100; ++k) {
    const auto report = stepper::step(pair, scratch);
    TEST_ASSERT_TRUE(report.status == StepStatus::solved);
    // Rounding of a place of 0.15 m over h^2, times the mass.
    TEST_ASSERT_FLOAT_WITHIN(0.01F, 2 * 0.1F * 9.81F, report.contact[0].force[0]);
    TEST_ASSERT_FLOAT_WITHIN(0.01F, 0.1F * 9.81F, report.contact[2].force[0]);
    TEST_ASSERT_TRUE(report.contact[1].mode == contact::Mode::open);
  }
}

// A ball that slides along the groove between two others, spinning, comes to rest there: eight rows for six
// freedoms, so that the shares of the two contacts are not determined, but what they carry together is. In
// float a place is known to a rounding of its distance from the origin, and forces to that in h^2.
template <class Scalar>
void ball_rests_in_a_groove() {
  constexpr Capacity kGroove = implicit(3, 1, 2, 1);
  using V = math::Vector<Scalar, 3>;
  static World<Scalar, 3, kGroove> groove;
  static Workspace<Scalar, 3, kGroove> scratch;
  constexpr double r = 0.5, first = 4.5, second = 5.9, apart = 7, m = 2, h = 5e-3;
  const double y = (std::pow(first + r, 2) - std::pow(second + r, 2) + apart * apart) / (2 * apart);
  const double z = std::sqrt(std::pow(first + r, 2) - y * y);
  bool good = configure(groove, Scalar(h), V(0, 0, 0), kImplicit) == What::none;
  int index = 0;
  for (const double radius : {first, second, r}) {
    BodyDescription<Scalar, 3> b;
    b.shape = geometry::sphere(static_cast<Scalar>(radius));
    if (radius == second) b.pose.position[1] = static_cast<Scalar>(apart);
    if (radius == r) {
      b.mass = static_cast<Scalar>(m);
      b.inertia.diagonal().setConstant(static_cast<Scalar>(0.4 * m * r * r));
      b.pose.position = {0, static_cast<Scalar>(y), static_cast<Scalar>(z)};
      b.velocity.linear[0] = Scalar(0.36);
      b.velocity.angular[2] = Scalar(-0.53);
      b.force.linear = {Scalar(-3.3), 5, -21};
    }
    good = good && add_body(groove, b, index) == What::none;
  }
  for (int i = 0; i < 2; ++i)
    good = good &&
           add_contact(groove, {.a = i, .b = 2, .friction{.kinetic = Scalar(0.73)}}, index) == What::none &&
           set_ellipsoid(groove, i, V(Scalar(0.48), Scalar(0.48), Scalar(0.24))) == What::none;
  TEST_ASSERT_TRUE(good);
  V balance;
  for (int k = 0; k < 400; ++k) {
    const auto report = stepper::step(groove, scratch);
    TEST_ASSERT_EQUAL_STRING("The step is solved and certified.", sentence(report.reason));
    balance = groove.state.force[2].linear;
    for (const auto& c : report.contact)
      balance += c.force[0] * c.normal + c.force[1] * c.tangent +
                 c.force[2] * math::cross<Scalar>(c.normal, c.tangent);
  }
  constexpr auto rounding = static_cast<double>(std::numeric_limits<Scalar>::epsilon()) * (first + r) / h;
  TEST_ASSERT_DOUBLE_WITHIN(4 * rounding, 0, math::norm(groove.state.velocity[2].linear));
  TEST_ASSERT_DOUBLE_WITHIN(4 * rounding / h * m, 0, math::norm(balance));
}

void bad_states_are_refused_and_kept() {
  auto b = body(1, {0.1, 0.1, 0.1});
  b.shape = geometry::sphere<double>(0.1);
  b.pose.position[2] = 0.1;
  lay(b, 1e-3, 0.5, 0);
  const auto good = world.state;
  const double nan = std::nan("");
  const auto refused = [&](auto&& change) {
    world.state = good;
    change(world.state);
    unsigned char before[sizeof good];
    std::memcpy(before, &world.state, sizeof good);
    TEST_ASSERT_TRUE(stepper::step(world, workspace).reason == StepReason::bad_state);
    TEST_ASSERT_EQUAL_MEMORY(before, &world.state, sizeof good);
  };
  refused([&](auto& s) { s.pose[1].position[0] = nan; });
  refused([&](auto& s) { s.pose[0].w = 0; });
  refused([&](auto& s) { s.velocity[1].linear[2] = -HUGE_VAL; });
  refused([&](auto& s) { s.force[1].angular[2] = HUGE_VAL; });
  // What it starts from may be anything: nonsense costs iterations, not the answer.
  world.state = good;
  world.state.implicit.closest[0].known = true;
  world.state.implicit.closest[0].active = {1, 1};
  world.state.implicit.closest[0].a = world.state.implicit.closest[0].b = V3(nan, nan, nan);
  world.state.implicit.lambda[0].n = nan;
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, kGravity, step().contact[0].force[0]);
  // A torque whose spin overflows has no answer, and the state stays.
  world.state = good;
  world.state.force[1].angular[0] = 1e308;
  TEST_ASSERT_TRUE(stepper::step(world, workspace).status == StepStatus::failed);
  TEST_ASSERT_EQUAL_DOUBLE(0.1, world.state.pose[1].position[2]);
  world.model.h = 0;
  TEST_ASSERT_TRUE(stepper::step(world, workspace).reason == StepReason::not_configured);
}

void bad_worlds_are_refused() {
  const auto refuse = [](What want, const Error& got) {
    TEST_ASSERT_EQUAL_STRING_MESSAGE(sentence(want), sentence(got.what), Sentence(got).text());
  };
  refuse(What::step, configure(world, 0.0, V3(0, 0, 0), kImplicit));
  refuse(What::step, configure(world, std::nan(""), V3(0, 0, 0), kImplicit));
  refuse(What::gravity, configure(world, 1e-3, V3(0, HUGE_VAL, 0), kImplicit));
  auto good = body(1, {0.1, 0.1, 0.1});
  good.shape = geometry::sphere<double>(0.1);
  good.pose.position[2] = 0.1;
  lay(good, 1e-3, 0.5, 0);
  int index = -1;
  refuse(What::body_capacity, add_body(world, good, index));
  world.model.bodies = 1;
  world.model.implicit.moving = 0;
  const auto bad = [&](What want, auto&& change) {
    auto b = good;
    change(b);
    refuse(want, add_body(world, b, index));
  };
  bad(What::mass, [](auto& b) { b.mass = -1; });
  bad(What::inertia, [](auto& b) { b.inertia(0, 0) = 0; });
  bad(What::pose, [](auto& b) { b.pose.w = 2; });
  bad(What::velocity, [](auto& b) { b.velocity.linear[0] = std::nan(""); });
  bad(What::velocity, [](auto& b) { b.mass = 0, b.velocity.linear[0] = 1; });
  bad(What::force, [](auto& b) { b.force.angular[0] = HUGE_VAL; });
  bad(What::shape_size, [](auto& b) { b.shape = {}; });
  bad(What::moving_half_space, [](auto& b) { b.shape = geometry::half_space<double>(V3(0, 0, 1), 0); });
  lay(good, 1e-3, 0.5, 0);
  refuse(What::contact_capacity, add_contact(world, {.a = 0, .b = 1, .friction = {}}, index));
  world.model.contacts = 0;
  refuse(What::unknown_body, add_contact(world, {.a = 0, .b = 2, .friction = {}}, index));
  refuse(What::unknown_body, add_contact(world, {.a = -1, .b = 1, .friction = {}}, index));
  refuse(What::same_body, add_contact(world, {.a = 1, .b = 1, .friction = {}}, index));
  refuse(What::friction, add_contact(world, {.a = 0, .b = 1, .friction = {.kinetic = -0.1}}, index));
  refuse(What::no_restitution, add_contact(world, {.a = 0, .b = 1, .restitution = 0.5}, index));
  refuse(What::no_other_friction,
         add_contact(world, {.a = 0, .b = 1, .friction{contact::FrictionKind::static_kinetic, 0.1, 0.2}},
                     index));
  const contact::PatchLaw<double> patch{.stiffness = 1e6};
  refuse(What::no_patch, add_contact(world, {.a = 0, .b = 1, .patch = &patch}, index));
  refuse(What::none, add_contact(world, {.a = 0, .b = 1, .friction = {.kinetic = 0.1}}, index));
  refuse(What::ellipsoid, set_ellipsoid(world, 0, V3(1, std::nan(""), 0)));
  refuse(What::no_joints,
         add_joint(world, dynamics::JointType::spherical, 0, 1, V3(0, 0, 0), V3(1, 0, 0), index));
  world.model.contacts = 0;
  world.model.inertia[1].mass = 0;
  refuse(What::both_fixed, add_contact(world, {.a = 0, .b = 1, .friction = {}}, index));
  // A law that the world has not.
  refuse(What::slot_capacity, configure(world, 1e-3, V3(0, 0, 0)));
  static World<double, 3, Capacity{}> rows;
  refuse(What::surface_capacity, configure(rows, 1e-3, V3(0, 0, 0), kImplicit));
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(face_carries_at_its_centre_of_pressure);
  RUN_TEST(half_ball_rocks);
  RUN_TEST(box_falls_on_its_face);
  RUN_TEST(torsion);
  RUN_TEST(unequal_axes);
  RUN_TEST(scale);
  RUN_TEST(stack_of_two);
  RUN_TEST(ball_rests_in_a_groove<double>);
  RUN_TEST(ball_rests_in_a_groove<float>);
  RUN_TEST(bad_states_are_refused_and_kept);
  RUN_TEST(bad_worlds_are_refused);
  return UNITY_END();
}
