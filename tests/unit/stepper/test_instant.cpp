// stepper/instant.hpp: A, b and speeds of an instant against closed forms, in both precisions; what is
// chosen, and what has none.
#include <cmath>

#include "driven.hpp"
#include "tactus/plane.hpp"
#include "tactus/stepper/instant.hpp"

using namespace driven;

namespace {

constexpr double kStep = 1e-3;

template <class Scalar>
constexpr InstantLimits kLimits = sizeof(Scalar) == 8 ? kExactState : kFloatState;

// The problem at hand, of either space.
template <class Scalar, int Dim, Capacity C>
struct Instant {
  static inline Workspace<Scalar, Dim, C> workspace;
  static inline InstantScratch<Scalar, Dim, C> scratch;
  static inline InstantProblem<Scalar, Dim, 4> problem;

  static Error look(const World<Scalar, Dim, C>& world) {
    return instant(world.model, world.state, workspace, scratch, kLimits<Scalar>, problem);
  }
  static Scalar A(int i, int j) { return problem.A[static_cast<std::size_t>(i * problem.count * Dim + j)]; }
  static Scalar b(int i) { return problem.b[static_cast<std::size_t>(i)]; }
};

constexpr Capacity kPlane{.bodies = 3, .contacts = 2, .slots = 8, .active = 8, .joints = 1};

template <class Scalar>
struct Plane : Instant<Scalar, 2, kPlane> {
  static inline World<Scalar, 2, kPlane> world;
  using V2 = math::Vector<Scalar, 2>;

  static void begin() {
    world = {};
    expect(What::none, configure(world, Scalar(kStep), V2(0, Scalar(-kGravity)), {}));
    BodyDescription<Scalar, 2> floor;
    floor.shape = geometry::half_space<Scalar>(V2(0, 1), Scalar(0));
    int index = 0;
    expect(What::none, add_body(world, floor, index));
  }
  static int add(const geometry::PlanarShape<Scalar>& shape, double inertia, const double (&pose)[3],
                 const double (&v)[3], double mu) {
    BodyDescription<Scalar, 2> body;
    body.shape = shape;
    body.mass = 1;
    body.inertia(0, 0) = Scalar(inertia);
    body.pose = {Scalar(pose[0]), Scalar(pose[1]), Scalar(pose[2])};
    body.velocity.linear = {Scalar(v[0]), Scalar(v[1])};
    body.velocity.angular[0] = Scalar(v[2]);
    int index = 0;
    expect(What::none, add_body(world, body, index));
    ContactDescription<Scalar, 2> contact;
    contact.b = index;
    contact.friction.kinetic = Scalar(mu);
    int number = 0;
    expect(What::none, add_contact(world, contact, number));
    return index;
  }
  static Error look() { return Instant<Scalar, 2, kPlane>::look(world); }
};

// A rod of 2 m and 1 kg, its lower end on the floor, 1 rad up, slides and spins about its end:
// W = (0, 1, -cos), (1, 0, sin), W-dot v = spin^2 (sin, cos). Two of them do not feel each other.
template <class Scalar>
void rods() {
  using On = Plane<Scalar>;
  const double s = std::sin(1.0), c = std::cos(1.0), off = tolerance<Scalar>(1e-8, 2e-3);
  for (const double spin : {0.0, 2.0, -7.0}) {
    On::begin();
    for (const double at : {0.0, 5.0})
      On::add(geometry::rod<Scalar>(2), 1.0 / 3, {at, s, 1}, {-1 - s * spin, c * spin, spin}, 0.4);
    expect(What::none, On::look());
    TEST_ASSERT_EQUAL_INT(2, On::problem.count);
    for (int i = 0; i < 2; ++i) {
      near(off, 1 + 3 * c * c, On::A(2 * i, 2 * i));
      near(off, -3 * s * c, On::A(2 * i, 2 * i + 1));
      near(off, 1 + 3 * s * s, On::A(2 * i + 1, 2 * i + 1));
      near(0, 0, On::A(2 * i, 2 - 2 * i));
      near(off * 10, -kGravity + spin * spin * s, On::b(2 * i));
      near(off * 10, spin * spin * c, On::b(2 * i + 1));
      near(off, -1, On::problem.velocity[static_cast<std::size_t>(i)]);
      near(1e-6, 0.4, On::problem.mu[static_cast<std::size_t>(i)]);
    }
  }
}

// A disc on an arm of 1 m that turns about a point of the floor's body: the joint takes all freedoms but one.
// It rests, or turns, and then its point of contact moves on a circle of 1 m.
template <class Scalar>
void behind_a_joint() {
  using On = Plane<Scalar>;
  const double off = tolerance<Scalar>(1e-8, 1e-3);
  for (const bool closed : {false, true}) {
    On::begin();
    const int disc = On::add(geometry::disc<Scalar>(Scalar(0.25)), 0.25, {1, 0.25, 0}, {0, 0, 0}, 0.3);
    int joint = 0;
    expect(What::none, add_joint(On::world, dynamics::JointType::revolute, 0, disc,
                                 typename On::V2(0, Scalar(0.25)), typename On::V2(0, 0), joint));
    if (closed) {  // 0.1 mm high, but the last step pressed it
      On::world.state.pose[static_cast<std::size_t>(disc)].y += Scalar(1e-4);
      expect(What::none, On::look());
      TEST_ASSERT_EQUAL_INT(0, On::problem.count);
      for (auto& mode : On::world.state.mode) mode = {contact::Remembered::closed};
    }
    expect(What::none, On::look());
    TEST_ASSERT_EQUAL_INT(1, On::problem.count);
    // I = 0.25 + 1 about the joint; a push up at x = 1 and one along x at y = -0.25.
    near(off, 1 / 1.25, On::A(0, 0));
    near(off, 0.0625 / 1.25, On::A(1, 1));
    near(off, -kGravity / 1.25, On::b(0));
  }
}

// A ball with three different inertias that spins about none of its axes: I w' = -w x I w turns a_T.
template <class Scalar>
void unsymmetric_ball() {
  static constexpr Capacity kBall{.bodies = 2, .contacts = 1, .slots = 1, .active = 1};
  using On = Instant<Scalar, 3, kBall>;
  static World<Scalar, 3, kBall> world;
  world = {};
  expect(What::none, configure(world, Scalar(kStep), V<Scalar>(0, 0, Scalar(-kGravity)), {}));
  BodyDescription<Scalar, 3> floor, ball;
  floor.shape = geometry::half_space<Scalar>(V<Scalar>(0, 0, 1), Scalar(0));
  ball.shape = geometry::sphere<Scalar>(Scalar(0.5));
  ball.mass = 2;
  ball.inertia = V<Scalar>(Scalar(0.1), Scalar(0.2), Scalar(0.25)).asDiagonal();
  ball.pose.position[2] = Scalar(0.5);
  ball.velocity.angular = V<Scalar>(3, 1, 2);
  int index = 0;
  expect(What::none, add_body(world, floor, index));
  expect(What::none, add_body(world, ball, index));
  ContactDescription<Scalar, 3> contact;
  contact.b = 1;
  contact.friction.kinetic = Scalar(0.3);
  expect(What::none, add_contact(world, contact, index));
  expect(What::none, On::look(world));
  const double turn_x = -(0.25 - 0.2) * 1 * 2 / 0.1, turn_y = -(0.1 - 0.25) * 2 * 3 / 0.2;
  const double off = tolerance<Scalar>(1e-8, 1e-3);
  near(off, -kGravity, On::b(0));
  near(off, -0.5 * turn_y, On::b(1));  // t = x: (w' x (0, 0, -r))_x = -r w'_y
  near(off, 0.5 * turn_x, On::b(2));   // o = y
}

template <class Scalar>
using Arm = Instant<Scalar, 3, kSize>;

// A rod that a motor with a limit holds by its impedance. At rest it rubs; at its stop, and slowly leaving
// it, all of its friction is a load.
template <class Scalar>
void joints_rub_and_stop() {
  constexpr double kLength = 0.4, kMass = 1.5, kInertia = kMass * kLength * kLength / 3;
  constexpr double kWeight = kMass * kGravity * kLength / 2;
  const double off = tolerance<Scalar>(1e-9, 1e-4);
  for (const int side : {1, -1}) {
    for (const double speed : {0.0, 5e-4, -5e-4}) {
      const bool weak = side > 0;
      auto& s = setting<Scalar>(kStep, kGravity);
      auto& link = s.rod(-1, 0, kLength, kMass);
      link.friction = Scalar(0.25);
      link.lower = side > 0 ? Scalar(0) : Scalar(-1);
      link.upper = side > 0 ? Scalar(1) : Scalar(0);
      if (weak) s.limit(0, 0.75);
      s.build();
      s.servo(0, 100, 2, 0.02, 0.1);
      s.state().qd[0] = Scalar(speed);
      expect(What::none, Arm<Scalar>::look(s.world));
      const double given = 100 * 0.02 + 2 * (0.1 - speed);
      const double torque = (weak ? std::fmin(given, 0.75) : given) - kWeight;
      const bool rests = speed == 0;
      TEST_ASSERT_EQUAL_INT(rests ? 2 : 1, Arm<Scalar>::problem.count);
      const auto& stop = Arm<Scalar>::problem.contact[0];
      TEST_ASSERT_TRUE(stop.kind == InstantKind::stop && stop.side == Scalar(side));
      near(off, 0, stop.gap);
      near(off, side * speed, stop.velocity[0]);
      near(off, 1 / kInertia, Arm<Scalar>::A(0, 0));
      const double rubs = rests ? 0 : std::copysign(0.25, speed);
      near(off * 50, side * (torque - rubs) / kInertia, Arm<Scalar>::b(0));
      near(0, 0, Arm<Scalar>::problem.mu[0]);
      if (!rests) continue;
      TEST_ASSERT_TRUE(Arm<Scalar>::problem.contact[1].kind == InstantKind::rub);
      near(off, side / kInertia, Arm<Scalar>::A(0, 4));  // the stop's n is the rub's t
      near(off, -0.25 / kInertia, Arm<Scalar>::b(3));
      near(off * 50, torque / kInertia, Arm<Scalar>::b(4));
      near(0, 1, Arm<Scalar>::problem.mu[1]);
    }
  }
}

// Two masses on slides, the second led by the ratio r: what moves is m1 + r^2 m2.
template <class Scalar>
void a_gear_holds() {
  auto& s = setting<Scalar>(kStep, 0);
  const double ratio = -3, lead = 0.3, led = 0.7, off = tolerance<Scalar>(1e-9, 1e-4);
  s.slide(V<Scalar>(0, 0, 0), V<Scalar>(1, 0, 0), lead).friction = Scalar(0.5);
  s.slide(V<Scalar>(0, 0, 0), V<Scalar>(1, 0, 0), led);
  s.lead(1, 0, ratio);
  s.build();
  s.state().torque[1] = Scalar(2);
  expect(What::none, Arm<Scalar>::look(s.world));
  TEST_ASSERT_EQUAL_INT(1, Arm<Scalar>::problem.count);
  const double moves = lead + ratio * ratio * led;
  near(off, 1 / moves, Arm<Scalar>::A(1, 1));
  near(off, 2 * ratio / moves, Arm<Scalar>::b(1));
}

// The end of a rod that turns goes round a circle: against a wall that it touches it is pressed off by
// l qd^2, and falls along it.
template <class Scalar>
void an_end_goes_round() {
  constexpr double kLength = 0.5, kMass = 1.2, kRadius = 0.05;
  for (const double q : {-0.8, 0.3, 1.1}) {
    for (const double qd : {0.0, 2.0, -6.0}) {
      auto& s = setting<Scalar>(kStep, kGravity);
      s.rod(-1, 0, kLength, kMass);
      s.arm.q[0] = Scalar(q);
      s.arm.qd[0] = Scalar(qd);
      s.build();
      BodyDescription<Scalar, 3> wall;
      const V<Scalar> normal(Scalar(-std::cos(q)), 0, Scalar(-std::sin(q)));
      wall.shape = geometry::half_space<Scalar>(normal, Scalar(-kLength - kRadius));
      int index = 0, tip = 0;
      expect(What::none, add_body(s.world, wall, index));
      geometry::SpatialPose<Scalar> at;
      at.position = V<Scalar>(Scalar(kLength), 0, 0);
      expect(What::none, add_carried(s.world, 0, geometry::sphere<Scalar>(Scalar(kRadius)), at, tip));
      ContactDescription<Scalar, 3> contact;
      contact.a = index;
      contact.b = tip;
      contact.friction.kinetic = Scalar(0.3);
      expect(What::none, add_contact(s.world, contact, index));
      expect(What::none, Arm<Scalar>::look(s.world));
      TEST_ASSERT_EQUAL_INT(1, Arm<Scalar>::problem.count);
      const double falls = -1.5 * kGravity * std::cos(q) / kLength;  // qdd
      const double off = tolerance<Scalar>(1e-7, 1e-2);
      // The wall's point goes with the link: all of it is (l + r) from the axle.
      near(off, kLength * qd * qd, Arm<Scalar>::b(0));
      const auto& problem = Arm<Scalar>::problem;
      near(off, (kLength + kRadius) * std::fabs(qd), std::hypot(problem.velocity[0], problem.velocity[1]));
      near(off * 10, std::fabs((kLength + kRadius) * falls),
           std::hypot(Arm<Scalar>::b(1), Arm<Scalar>::b(2)));
    }
  }
}

template <class Scalar>
void what_has_none() {
  using On = Plane<Scalar>;
  const auto rod = [](double fall) {
    On::begin();
    const double s = std::sin(1.0);
    On::add(geometry::rod<Scalar>(2), 1.0 / 3, {0, s, 1}, {0, -fall, 0}, 0.4);
  };
  rod(2);
  expect(What::instant_impact, On::look());
  TEST_ASSERT_EQUAL_FLOAT(2, On::look().have);
  rod(-2);  // it leaves
  expect(What::none, On::look());
  TEST_ASSERT_EQUAL_INT(0, On::problem.count);
  rod(0);
  On::world.state.velocity[1].linear[0] = std::numeric_limits<Scalar>::quiet_NaN();
  expect(What::instant_state, On::look());
  TEST_ASSERT_EQUAL_INT(0, On::problem.count);
  auto& s = setting<Scalar>(kStep, 0);
  for (int j = 0; j < 3; ++j) {
    auto& link = s.slide(V<Scalar>(0, 0, 0), V<Scalar>(1, 0, 0), 1);
    link.friction = 1;
    link.lower = 0;
  }
  s.build();
  expect(What::instant_capacity, Arm<Scalar>::look(s.world));
  TEST_ASSERT_EQUAL_FLOAT(6, Arm<Scalar>::look(s.world).needed);
  s.state().qd[1] = 1;  // it leaves its stop, and does not rest
  expect(What::none, Arm<Scalar>::look(s.world));
  TEST_ASSERT_EQUAL_INT(4, Arm<Scalar>::problem.count);
  s.state().qd[1] = -1;
  expect(What::instant_stop, Arm<Scalar>::look(s.world));
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  BOTH(rods);
  BOTH(behind_a_joint);
  BOTH(unsymmetric_ball);
  BOTH(joints_rub_and_stop);
  BOTH(a_gear_holds);
  BOTH(an_end_goes_round);
  BOTH(what_has_none);
  return UNITY_END();
}
