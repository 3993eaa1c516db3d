// What a step says is certified balances: the momentum of each body, and the energy, in throws of a box, and
// of a top on a ball joint.
#include "tactus/tactus.hpp"
#include "tests/unit/dynamics/free_body.hpp"

using namespace tactus;
using namespace tactus::stepper;
using free_body::size;
using V3 = free_body::Vector;

namespace {

constexpr Capacity kBox{.bodies = 2, .contacts = 1, .slots = 8, .active = 8, .joints = 1};
constexpr double kGravity = 9.81;

// Uniform in [-1, 1).
class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed) {}
  double operator()() {
    state_ = state_ * 1664525U + 1013904223U;
    return static_cast<double>(state_ >> 8) / 8388608.0 - 1;
  }

 private:
  std::uint32_t state_;
};

template <class Scalar>
using Vector = math::Vector<Scalar, 3>;

// In double, of any body.
template <class Scalar>
struct Momentum {
  V3 linear, spin;
  double energy;

  Momentum(const dynamics::Inertia<Scalar, 3>& inertia, const geometry::SpatialPose<Scalar>& q,
           const dynamics::Motion<Scalar, 3>& v) {
    free_body::Pose<double> wide;
    wide.w = static_cast<double>(q.w), wide.x = static_cast<double>(q.x);
    wide.y = static_cast<double>(q.y), wide.z = static_cast<double>(q.z);
    const auto R = geometry::frame(wide).R;
    const double mass = static_cast<double>(inertia.mass);
    const V3 omega = v.angular.template cast<double>(), velocity = v.linear.template cast<double>();
    linear = mass * velocity;
    spin = R * (inertia.tensor.template cast<double>() * (R.transpose() * omega));
    energy =
        (spin.dot(omega) + linear.dot(velocity)) / 2 + mass * kGravity * static_cast<double>(q.position[2]);
  }
};

template <class Scalar>
void make_box(World<Scalar, 3, kBox>& world, Scalar h, double spin, Random& random, int fixed_point) {
  world = {};
  const auto number = [&](double by) { return static_cast<Scalar>(by * random()); };
  Method method;
  method.fixed_point = static_cast<std::uint8_t>(fixed_point);
  TEST_ASSERT_TRUE(configure(world, h, Vector<Scalar>(0, 0, Scalar(-kGravity)), method).what == What::none);
  BodyDescription<Scalar, 3> ground, box;
  ground.shape = geometry::half_space<Scalar>(Vector<Scalar>(0, 0, 1), Scalar(0));
  int index = 0;
  TEST_ASSERT_TRUE(add_body(world, ground, index).what == What::none);
  box.mass = Scalar(0.5);
  box.inertia.diagonal() << Scalar(1.6667e-4), Scalar(6.1667e-4), Scalar(7.5e-4);
  box.shape = geometry::box<Scalar>(Scalar(0.06), Scalar(0.03), Scalar(0.01));
  const auto start = free_body::turned(random(), random(), random(), random());
  box.pose.w = static_cast<Scalar>(start.w), box.pose.x = static_cast<Scalar>(start.x);
  box.pose.y = static_cast<Scalar>(start.y), box.pose.z = static_cast<Scalar>(start.z);
  box.pose.position[2] = Scalar(0.12);
  box.velocity.linear = {number(1), number(1), number(1)};
  box.velocity.angular = {number(spin), number(spin), number(spin)};
  TEST_ASSERT_TRUE(add_body(world, box, index).what == What::none);
  ContactDescription<Scalar, 3> contact;
  contact.b = 1;
  contact.friction.kinetic = Scalar(0.5);
  TEST_ASSERT_TRUE(add_contact(world, contact, index).what == What::none);
}

template <class Scalar>
World<Scalar, 3, kBox> world;
template <class Scalar>
Workspace<Scalar, 3, kBox> workspace;

// One step: L' - L against the moments of its impulses, in parts of the sum of all their sizes, and E' - E
// against what gaps that are taken back push: lambda_n per metre of overlap.
template <class Scalar>
void check_step(double h, double tolerance) {
  auto& w = world<Scalar>;
  auto& ws = workspace<Scalar>;
  const Momentum<Scalar> before(w.model.inertia[1], w.state.pose[1], w.state.velocity[1]);
  const auto report = step(w, ws);
  TEST_ASSERT_EQUAL_STRING(sentence(StepReason::none), sentence(report.reason));
  const Momentum<Scalar> after(w.model.inertia[1], w.state.pose[1], w.state.velocity[1]);
  V3 spin = after.spin - before.spin, linear = after.linear - before.linear;
  linear[2] += static_cast<double>(w.model.inertia[1].mass) * kGravity * h;
  double spins = size(after.spin) + size(before.spin), pushes = 0;
  double lines = size(after.linear) + size(before.linear);
  for (int i = 0; i < ws.found.elements; ++i) {
    const auto& e = ws.found.element[static_cast<std::size_t>(i)];
    for (int k = 0; k < 3; ++k) {
      const double p = h * static_cast<double>(ws.answer.lambda[static_cast<std::size_t>(3 * i + k)]);
      const V3 axis = e.frame.axis[k].template cast<double>();
      const V3 moment = p * math::cross<double>(V3(e.frame.arm_b.template cast<double>()), axis);
      spin -= moment;
      linear -= p * axis;
      spins += size(moment);
      lines += std::fabs(p);
      if (k == 0) pushes += p / h * std::fmax(0, -static_cast<double>(e.gap));
    }
  }
  TEST_ASSERT_DOUBLE_WITHIN(tolerance * spins, 0, size(spin));
  TEST_ASSERT_DOUBLE_WITHIN(tolerance * lines, 0, size(linear));
  const double scale = std::fabs(after.energy) + std::fabs(before.energy);
  TEST_ASSERT_TRUE(after.energy - before.energy <= pushes + tolerance * scale);
  TEST_ASSERT_DOUBLE_WITHIN(tolerance * scale, 0, static_cast<double>(report.energy.free));
  TEST_ASSERT_DOUBLE_WITHIN(10 * tolerance * scale, 0, static_cast<double>(report.energy.error()));
}

#ifdef __arm__
constexpr std::uint32_t kThrows = 2;
#else
constexpr std::uint32_t kThrows = 20;
#endif

template <class Scalar>
void thrown_boxes_balance() {
  const double tolerance = sizeof(Scalar) == 4 ? 1e-6 : 1e-14;
  for (const int fixed_point : {0, 3})
    for (const double spin : {30.0, 100.0})
      for (const double h : {1e-3, 2e-3})
        for (std::uint32_t seed = 1; seed <= kThrows; ++seed) {
          Random random(seed);
          make_box(world<Scalar>, static_cast<Scalar>(h), spin, random, fixed_point);
          for (double t = 0; t < 0.6; t += h)
            check_step<Scalar>(static_cast<double>(static_cast<Scalar>(h)), tolerance);
        }
}

// A heavy symmetric top whose tip a ball joint holds, in slow steady precession:
// A cos(theta) W^2 - C w W + m g l = 0, A and C about the tip. The joint's rows are those of the start, so
// the tip is off by what the tilting centre does beside its tangent, (h v)^2 / (2 l), and the top nods by
// that share of a turn. Nothing drives it: the energy does not grow.
void a_top_on_a_joint_precesses() {
  const double mass = 0.05, l = 0.04, A = 2e-3, C = 1e-3, theta = 0.6, own = 100, h = 1e-3;
  const double mgl = mass * kGravity * l, seconds = kThrows < 20 ? 0.2 : 20;
  const double pace =
      (C * own - std::sqrt(C * C * own * own - 4 * A * std::cos(theta) * mgl)) / (2 * A * std::cos(theta));
  auto& w = world<double>;
  w = {};
  TEST_ASSERT_TRUE(configure(w, h, V3(0, 0, -kGravity)).what == What::none);
  BodyDescription<double, 3> ground, top;
  ground.shape = geometry::half_space<double>(V3(0, 0, 1), 0.0);
  int index = 0;
  TEST_ASSERT_TRUE(add_body(w, ground, index).what == What::none);
  top.mass = mass;
  top.inertia.diagonal() << A - mass * l * l, A - mass * l * l, C;
  top.shape = geometry::sphere<double>(0.01);
  top.pose = free_body::turned(std::cos(theta / 2), std::sin(theta / 2), 0, 0);
  const V3 axis = geometry::frame(top.pose).turn(V3(0, 0, 1));
  top.pose.position = l * axis;
  top.velocity.angular = V3(0, 0, pace) + (own - pace * std::cos(theta)) * axis;
  top.velocity.linear = math::cross<double>(top.velocity.angular, top.pose.position);
  TEST_ASSERT_TRUE(add_body(w, top, index).what == What::none);
  TEST_ASSERT_TRUE(add_joint(w, dynamics::JointType::spherical, 0, 1, V3(0, 0, 0), V3(1, 0, 0), index).what ==
                   What::none);
  const double start = Momentum<double>(w.model.inertia[1], w.state.pose[1], w.state.velocity[1]).energy;
  double turned_by = 0, before = std::atan2(axis[1], axis[0]);
  for (long k = 0; k < std::lround(seconds / h); ++k) {
    TEST_ASSERT_TRUE(step(w, workspace<double>).status == StepStatus::solved);
    const auto frame = geometry::frame(w.state.pose[1]);
    const V3 now = frame.turn(V3(0, 0, 1));
    const double angle = std::atan2(now[1], now[0]);
    turned_by += std::remainder(angle - before, 2 * std::acos(-1.0));
    before = angle;
    TEST_ASSERT_DOUBLE_WITHIN(2e-4, theta, std::acos(now[2]));
    TEST_ASSERT_DOUBLE_WITHIN(2e-7, 0, size(V3(frame.to_world(V3(0, 0, -l)))));
    const Momentum<double> m(w.model.inertia[1], w.state.pose[1], w.state.velocity[1]);
    TEST_ASSERT_TRUE(m.energy <= start * (1 + 1e-12) && m.energy >= start * (1 - 1e-4));
  }
  // Within a nod of 2e-4 it is ahead or behind by that over sin(theta); whole nods cancel.
  TEST_ASSERT_DOUBLE_WITHIN(seconds < 1 ? 2e-4 / std::sin(theta) : 1e-4, pace * seconds, turned_by);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(thrown_boxes_balance<float>);
  RUN_TEST(thrown_boxes_balance<double>);
  RUN_TEST(a_top_on_a_joint_precesses);
  return UNITY_END();
}
