// StepReport::several: motions that are not unique by closed form are flagged, with another answer that is
// one of theirs; those that are unique are not, though forces may be redundant.
#include <cmath>

#include "tactus/tactus.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;

namespace {

constexpr Capacity kPlane{
    .bodies = 5, .contacts = 4, .slots = 16, .active = 4, .parts = every_part | second_answer};
constexpr Capacity kSpace{
    .bodies = 2, .contacts = 1, .slots = 8, .active = 4, .parts = every_part | second_answer};
constexpr double kGravity = 9.81;

template <class Scalar>
using PlanarWorld = World<Scalar, 2, kPlane>;
template <class Scalar>
using V2 = math::Vector<Scalar, 2>;
template <class Scalar>
struct Scratch {
  static inline PlanarWorld<Scalar> world;
  static inline Workspace<Scalar, 2, kPlane> workspace;
};

template <class Scalar>
void expect_none(const Error& error) {
  TEST_ASSERT_TRUE(error.what == What::none);
}

template <class Scalar>
void begin(PlanarWorld<Scalar>& world, double h, double gravity) {
  world = {};
  Method method;
  method.seek_second = true;
  expect_none<Scalar>(
      configure(world, static_cast<Scalar>(h), V2<Scalar>(0, static_cast<Scalar>(-gravity)), method));
}

template <class Scalar>
int add_wall(PlanarWorld<Scalar>& world, double x, double y, double offset) {
  BodyDescription<Scalar, 2> wall;
  wall.shape = geometry::half_space<Scalar>(V2<Scalar>(static_cast<Scalar>(x), static_cast<Scalar>(y)),
                                            static_cast<Scalar>(offset));
  int index = 0;
  expect_none<Scalar>(add_body(world, wall, index));
  return index;
}

template <class Scalar>
void touch(PlanarWorld<Scalar>& world, int a, int b, double mu) {
  ContactDescription<Scalar, 2> contact;
  contact.a = a;
  contact.b = b;
  contact.friction.kinetic = static_cast<Scalar>(mu);
  int index = 0;
  expect_none<Scalar>(add_contact(world, contact, index));
}

// What a step says, and the body's two motions (x, y, omega).
struct Seen {
  bool several;
  double one[3], other[3];
};

template <class Scalar>
Seen seen(int body) {
  auto& world = Scratch<Scalar>::world;
  auto& workspace = Scratch<Scalar>::workspace;
  const auto report = step(world, workspace);
  TEST_ASSERT_TRUE(report.status == StepStatus::solved);
  Seen out{report.several, {}, {}};
  const auto i = static_cast<std::size_t>(body);
  const auto copy = [](const dynamics::Motion<Scalar, 2>& v, double(&to)[3]) {
    to[0] = static_cast<double>(v.linear[0]);
    to[1] = static_cast<double>(v.linear[1]);
    to[2] = static_cast<double>(v.angular[0]);
  };
  copy(world.state.velocity[i], out.one);
  if (report.several) copy(workspace.second.next.velocity[i], out.other);
  return out;
}

// Painleve: a rod of mass 1 and half length 1 that leans with tan theta = 2, its lower end P on the floor.
// With r = (-cos, -sin) from the centre to P and I = 1/3, a unit impulse on P gives it, along (n, t),
//
//     A = [1 + 3 cos^2, -3 sin cos; -3 sin cos, 1 + 3 sin^2] = [1.6, -1.2; -1.2, 3.4].
//
// It comes with s_t = -1 and, left alone, leaves with s_n = 0.1. Sliding on, friction is mu N along t and
// s_n = 0.1 + (1.6 - 1.2 mu) N. For mu = 3 it has three answers:
//     it leaves   N = 0,     s = (0.1, -1)
//     it slides   N = 0.05,  s_n = 0, s_t = -1 + (-1.2 + 3.4 mu) N = -0.55
//     it sticks   N = 0.215, T = 0.37 < mu N, s = 0
// For mu < 4/3, and where it is pressed, s_n = -0.1, by mu < 4/3 too, only one.
template <class Scalar>
Seen rod(double mu, double rise) {
  auto& world = Scratch<Scalar>::world;
  const double h = 1e-3, cos = std::sqrt(0.2), sin = 2 * cos;
  begin(world, h, kGravity);
  const int floor = add_wall(world, 0, 1, 0);
  BodyDescription<Scalar, 2> body;
  body.shape = geometry::rod<Scalar>(Scalar(2));
  body.mass = 1;
  body.inertia(0, 0) = static_cast<Scalar>(1.0 / 3);
  body.pose = {Scalar(0), static_cast<Scalar>(sin), static_cast<Scalar>(std::atan(2.0))};
  body.velocity.linear[0] = -1;
  body.velocity.linear[1] = static_cast<Scalar>(rise + h * kGravity);
  int index = 0;
  expect_none<Scalar>(add_body(world, body, index));
  touch(world, floor, index, mu);
  return seen<Scalar>(index);
}

// s of P.
void rod_tip(const double (&v)[3], double (&s)[2]) {
  const double cos = std::sqrt(0.2), sin = 2 * cos;
  s[0] = v[1] - v[2] * cos;
  s[1] = v[0] + v[2] * sin;
}

template <class Scalar>
void rods() {
  const double near = sizeof(Scalar) == 8 ? 1e-9 : 1e-4;
  const auto which = [&](const double(&v)[3]) {
    double s[2];
    rod_tip(v, s);
    const double known[3][2] = {{0.1, -1}, {0, -0.55}, {0, 0}};
    for (int k = 0; k < 3; ++k)
      if (std::fabs(s[0] - known[k][0]) < near && std::fabs(s[1] - known[k][1]) < near) return k;
    return -1;
  };
  const Seen wedged = rod<Scalar>(3, 0.1);
  TEST_ASSERT_TRUE(wedged.several);
  const int one = which(wedged.one), other = which(wedged.other);
  TEST_ASSERT_TRUE(one >= 0 && other >= 0 && one != other);
  for (const double mu : {0.0, 0.5, 1.3})
    for (const double rise : {0.1, 0.0, -0.1}) TEST_ASSERT_FALSE(rod<Scalar>(mu, rise).several);
}

void a_rod_that_wedges_or_leaves() {
  rods<double>();
  rods<float>();
}

// A disc of mass m that fits exactly between two walls. They may press it by any N: it falls by h g less
// 2 mu N h / m, down to rest. Without friction, or with one wall, it falls freely.
template <class Scalar>
Seen disc(double mu, bool both) {
  auto& world = Scratch<Scalar>::world;
  begin(world, 1e-3, kGravity);
  const int left = add_wall(world, 1, 0, -0.5), right = both ? add_wall(world, -1, 0, -0.5) : -1;
  BodyDescription<Scalar, 2> body;
  body.shape = geometry::disc<Scalar>(Scalar(0.5));
  body.mass = 2;
  body.inertia(0, 0) = Scalar(0.25);
  int index = 0;
  expect_none<Scalar>(add_body(world, body, index));
  touch(world, left, index, mu);
  if (both) touch(world, right, index, mu);
  return seen<Scalar>(index);
}

template <class Scalar>
void discs() {
  const double fall = 1e-3 * kGravity, near = sizeof(Scalar) == 8 ? 1e-12 : 1e-6;
  const Seen held = disc<Scalar>(0.5, true);
  TEST_ASSERT_TRUE(held.several);
  for (const auto* v : {&held.one, &held.other}) {
    TEST_ASSERT_DOUBLE_WITHIN(near, 0, (*v)[0]);
    TEST_ASSERT_DOUBLE_WITHIN(near, 0, (*v)[2]);
    TEST_ASSERT_TRUE((*v)[1] >= -fall - near && (*v)[1] <= near);
  }
  TEST_ASSERT_TRUE(std::fabs(held.one[1] - held.other[1]) > 0.01 * fall);
  TEST_ASSERT_FALSE(disc<Scalar>(0, true).several);
  TEST_ASSERT_FALSE(disc<Scalar>(0.5, false).several);
}

void a_disc_between_two_walls() {
  discs<double>();
  discs<float>();
}

// A box on two corners, at rest, pushed, sliding or landing: how the corners share the weight is not unique
// with friction, the motion is.
template <class Scalar>
void boxes() {
  auto& world = Scratch<Scalar>::world;
  for (const double speed : {0.0, 0.5, -2.0})
    for (const double force : {0.0, 3.0})
      for (const double drop : {0.0, 0.3}) {
        begin(world, 1e-3, kGravity);
        const int floor = add_wall(world, 0, 1, 0);
        BodyDescription<Scalar, 2> body;
        body.shape = geometry::box<Scalar>(Scalar(0.2), Scalar(0.1));
        body.mass = 1;
        body.inertia(0, 0) = Scalar(0.05 / 3);
        body.pose.y = Scalar(0.1);
        body.velocity.linear[0] = static_cast<Scalar>(speed);
        body.velocity.linear[1] = static_cast<Scalar>(-drop);
        body.force.linear[0] = static_cast<Scalar>(force);
        int index = 0;
        expect_none<Scalar>(add_body(world, body, index));
        touch(world, floor, index, 0.4);
        for (int k = 0; k < 20; ++k) TEST_ASSERT_FALSE(seen<Scalar>(index).several);
      }
}

// The same on four corners; of 12 rows 6 are redundant.
template <class Scalar>
void cubes() {
  using V = math::Vector<Scalar, 3>;
  static World<Scalar, 3, kSpace> world;
  static Workspace<Scalar, 3, kSpace> workspace;
  for (const double speed : {0.0, 0.5}) {
    world = {};
    Method method;
    method.seek_second = true;
    expect_none<Scalar>(configure(world, Scalar(1e-3), V(0, 0, static_cast<Scalar>(-kGravity)), method));
    BodyDescription<Scalar, 3> floor, body;
    floor.shape = geometry::half_space<Scalar>(V(0, 0, 1), Scalar(0));
    body.shape = geometry::box<Scalar>(Scalar(0.1), Scalar(0.1), Scalar(0.1));
    body.mass = 1;
    body.inertia = V(Scalar(0.02 / 3), Scalar(0.02 / 3), Scalar(0.02 / 3)).asDiagonal();
    body.pose.position = V(0, 0, Scalar(0.1));
    body.velocity.linear = V(static_cast<Scalar>(speed), 0, 0);
    int a = 0, b = 0, index = 0;
    expect_none<Scalar>(add_body(world, floor, a));
    expect_none<Scalar>(add_body(world, body, b));
    expect_none<Scalar>(add_contact(world, {.a = a, .b = b, .friction{.kinetic = Scalar(0.5)}}, index));
    for (int k = 0; k < 20; ++k) {
      const auto report = step(world, workspace);
      TEST_ASSERT_TRUE(report.status == StepStatus::solved && report.elements == 4);
      TEST_ASSERT_FALSE(report.several);
    }
  }
}

void boxes_whose_forces_are_redundant() {
  boxes<double>();
  boxes<float>();
  cubes<double>();
  cubes<float>();
}

// Two islands: a disc between walls and a ball that falls beside. Whichever comes first, and what the step
// leaves for others is of the step.
void one_island_of_two() {
  auto& world = Scratch<double>::world;
  auto& workspace = Scratch<double>::workspace;
  for (const bool first : {true, false}) {
    for (const double mu : {0.5, 0.0}) {
      begin(world, 1e-3, kGravity);
      const int left = add_wall(world, 1, 0, -0.5), right = add_wall(world, -1, 0, -0.5);
      BodyDescription<double, 2> disc, ball;
      disc.shape = ball.shape = geometry::disc<double>(0.5);
      disc.mass = ball.mass = 1;
      disc.inertia(0, 0) = ball.inertia(0, 0) = 0.125;
      ball.pose.x = 3;
      ball.pose.y = 5;
      ball.velocity.linear[0] = 1;
      int d = 0, b = 0;
      if (!first) expect_none<double>(add_body(world, ball, b));
      expect_none<double>(add_body(world, disc, d));
      if (first) expect_none<double>(add_body(world, ball, b));
      const int floor = add_wall(world, 0, 1, 4.5);
      if (!first) touch(world, floor, b, 0.3);
      touch(world, left, d, mu);
      touch(world, right, d, mu);
      if (first) touch(world, floor, b, 0.3);
      // The disc lies far below the floor of the ball, which it does not touch.
      auto plain = world;
      static Workspace<double, 2, kPlane> other;
      plain.model.method.seek_second = false;
      const auto report = step(world, workspace);
      const auto same = step(plain, other);
      TEST_ASSERT_TRUE(report.status == StepStatus::solved);
      TEST_ASSERT_TRUE(report.several == (mu > 0) && !same.several);
      for (const int body : {b, d}) {
        const auto &p = plain.state.velocity[static_cast<std::size_t>(body)],
                   &q = world.state.velocity[static_cast<std::size_t>(body)];
        TEST_ASSERT_TRUE(p.linear == q.linear && p.angular == q.angular);
      }
      TEST_ASSERT_EQUAL_INT(other.rows.all, workspace.rows.all);
      TEST_ASSERT_EQUAL_MEMORY(&other.answer.lambda, &workspace.answer.lambda, sizeof(other.answer.lambda));
      for (int r = 0; r < other.rows.all; ++r) {
        const auto i = static_cast<std::size_t>(r);
        TEST_ASSERT_EQUAL_DOUBLE(other.rows.b[i], workspace.rows.b[i]);
      }
    }
  }
}

struct Ends {
  int left;
  bool go_on(Piece, int, int) { return left-- > 0; }
};

void what_is_not_asked_for_or_not_solved() {
  // A world without the part.
  constexpr Capacity kLean{.bodies = 3, .contacts = 2, .slots = 2, .active = 2};
  static World<double, 2, kLean> lean;
  Method method;
  method.seek_second = true;
  TEST_ASSERT_TRUE(configure(lean, 1e-3, V2<double>(0, -1), method).what == What::part);
  static_assert(
      sizeof(Workspace<double, 2, kLean>) <
      sizeof(Workspace<
             double, 2,
             Capacity{
                 .bodies = 3, .contacts = 2, .slots = 2, .active = 2, .parts = every_part | second_answer}>));
  // A state that is none.
  auto& world = Scratch<double>::world;
  auto& workspace = Scratch<double>::workspace;
  disc<double>(0.5, true);
  const auto good = world;
  for (const double bad : {std::nan(""), static_cast<double>(HUGE_VAL), 1e300}) {
    world = good;
    world.state.velocity[2].linear[1] = bad;
    const auto report = step(world, workspace);
    TEST_ASSERT_TRUE(report.status == StepStatus::solved || !report.several);
    TEST_ASSERT_TRUE(bad == 1e300 || report.status == StepStatus::failed);
  }
  // A clock that ends somewhere: what is said needs the other answer.
  bool unsaid = false;
  for (int n = 0; n < 40; ++n) {
    world = good;
    Ends clock{n};
    const auto report = step(world, workspace, clock);
    if (report.status == StepStatus::solved && !report.several) unsaid = true;
    if (report.status != StepStatus::solved) TEST_ASSERT_FALSE(report.several);
  }
  TEST_ASSERT_TRUE(unsaid);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_rod_that_wedges_or_leaves);
  RUN_TEST(a_disc_between_two_walls);
  RUN_TEST(boxes_whose_forces_are_redundant);
  RUN_TEST(one_island_of_two);
  RUN_TEST(what_is_not_asked_for_or_not_solved);
  return UNITY_END();
}
