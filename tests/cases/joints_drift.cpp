// Joints over 10 s, 10,000 steps: how far what they hold comes apart, and closed forms that the motion keeps.
// An anchor's error is taken back in the next step, so it is of the size of one step's curvature,
// h^2 w^2 l / 2, and does not add up. Bodies have the same inertia about every axis.
#include <algorithm>

#include "reference.hpp"

using namespace tactus;
using namespace tactus::stepper;
using dynamics::JointType;
using reference::Worst;
using Vector3 = math::Vector<double, 3>;

namespace {

constexpr Capacity kLinks{.bodies = 4, .contacts = 1, .slots = 1, .active = 1, .joints = 4};
constexpr double kStep = 1e-3, kGravity = 9.81;
constexpr int kSteps = 10000;

struct Linkage : Stage<3, kLinks> {
  explicit Linkage(double gravity = kGravity) : Stage(kStep, Vector3(0, 0, -gravity)) {}

  int link(const Vector3& at, double inertia, const Vector3& velocity = {0, 0, 0},
           const Vector3& spin = {0, 0, 0}) {
    BodyDescription<double, 3> body;
    body.shape = geometry::sphere<double>(0.02);
    body.pose.position = at;
    body.mass = inertia > 0 ? 1 : 0;
    body.inertia = math::Matrix3<double>::Identity() * inertia;
    body.velocity.linear = velocity;
    body.velocity.angular = spin;
    return add(body);
  }
  int base(const Vector3& at) { return link(at, 0); }
  void join(JointType type, int a, int b, const Vector3& at, const Vector3& axis = {0, 1, 0}) {
    int index = -1;
    must(add_joint(world, type, a, b, at, axis, index));
  }
  // Where a point of a body is.
  Vector3 of(int body, const Vector3& offset) { return geometry::frame(pose(body)).to_world(offset); }
  double apart(const Vector3& p, const Vector3& q) {
    const Vector3 d = p - q;
    return std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  }
};

// Two links on ball joints, let go sideways.
void double_pendulum() {
  const double l = 0.5;
  Linkage s;
  const int base = s.base({0, 0, 2}), a = s.link({l / 2, 0, 2}, 0.02), b = s.link({l, l / 2, 2}, 0.02);
  s.join(JointType::spherical, base, a, {0, 0, 2});
  s.join(JointType::spherical, a, b, {l, 0, 2});
  Worst gap("double pendulum on ball joints, anchors (m)");
  for (int k = 0; k < kSteps; ++k) {
    s.step();
    gap.see(s.apart(s.of(a, {-l / 2, 0, 0}), {0, 0, 2}));
    gap.see(s.apart(s.of(a, {l / 2, 0, 0}), s.of(b, {0, -l / 2, 0})));
  }
  gap.within(1e-4);
}

// A pendulum on a hinge, 0.1 rad: its period is 2 pi sqrt((I + m l^2) / (m g l)) (1 + 0.1^2 / 16).
void pendulum() {
  const double l = 0.25, angle = 0.1, inertia = 0.02;
  Linkage s;
  const int base = s.base({0, 0, 2}),
            bob = s.link({l * std::sin(angle), 0, 2 - l * std::cos(angle)}, inertia);
  s.join(JointType::revolute, base, bob, {0, 0, 2});
  Worst radius("pendulum on a hinge: length (m)"), side("... off its plane (m)");
  double last = s.pose(bob).position[0], first_time = 0, time = 0;
  int swings = -1;
  for (int k = 0; k < kSteps; ++k) {
    s.step();
    const Vector3 p = s.pose(bob).position;
    if (last > 0 && p[0] <= 0) {
      time = (k + last / (last - p[0])) * kStep;
      if (++swings == 0) first_time = time;
    }
    last = p[0];
    radius.see(std::fabs(std::hypot(p[0], p[2] - 2) - l));
    side.see(std::fabs(p[1]));
  }
  const double period = (time - first_time) / swings, exact = 2 * 3.14159265358979323846 *
                                                              std::sqrt((inertia + l * l) / (kGravity * l)) *
                                                              (1 + angle * angle / 16);
  Worst off("... period, relative");
  off.see(std::fabs(period / exact - 1));
  off.within(2e-6);
  radius.within(1e-6);
  side.within(1e-12);
}

// Down a tilted rail: after n steps of h, g sin 45 h^2 n (n + 1) / 2.
void slider() {
  const double c = std::sqrt(0.5);
  const Vector3 axis(c, 0, -c), start(0.3, 0.1, 1.5);
  Linkage s;
  const int base = s.base({0, 0, 2}), body = s.link(start, 0.02);
  s.join(JointType::prismatic, base, body, start, axis);
  Worst way("slider: way, relative"), off("... off its rail (m)"), turn("... turned");
  for (int k = 1; k <= kSteps; ++k) {
    s.step();
    const double far = kGravity * c * kStep * kStep * k * (k + 1) / 2;
    const Vector3 moved = s.pose(body).position - start, rest = moved - far * axis;
    way.see(std::fabs(moved[0] * axis[0] + moved[2] * axis[2] - far) / far);
    off.see(std::hypot(rest[0] + rest[2], rest[1]));
    turn.see(std::fabs(s.pose(body).w - 1));
  }
  way.within(1e-11);
  off.within(1e-10);
  turn.within(1e-14);
}

// Two bodies made one, spinning free about all axes.
void one_of_two() {
  const Vector3 spin(1, 2, 0.5), apart(0.4, 0, 0);
  Linkage s(0);
  const int a = s.link({0, 0, 3}, 0.02, {0, 0, 0}, spin),
            b = s.link({0.4, 0, 3}, 0.02, math::cross<double>(spin, apart), spin);
  s.join(JointType::fixed, a, b, {0.2, 0, 3});
  Worst gap("two bodies made one: places (m)"), turn("... and against each other (rad)");
  for (int k = 0; k < kSteps; ++k) {
    s.step();
    gap.see(s.apart(s.of(a, apart), s.of(b, {0, 0, 0})));
    const auto &p = s.pose(a), &q = s.pose(b);
    // The vector part of p^-1 q is half the angle.
    const double x = p.w * q.x - p.x * q.w - p.y * q.z + p.z * q.y,
                 y = p.w * q.y - p.y * q.w - p.z * q.x + p.x * q.z,
                 z = p.w * q.z - p.z * q.w - p.x * q.y + p.y * q.x;
    turn.see(2 * std::sqrt(x * x + y * y + z * z));
  }
  gap.within(2e-6);
  turn.within(2e-7);
}

// A parallelogram of three links on four hinges, which hold three freedoms twice.
void four_bar() {
  const double w = 3, r = 0.2;
  const Vector3 spin(0, w, 0);
  Linkage s;
  const int base = s.base({0, 0, 2}), crank = s.link({0, 0, 2.2}, 0.02, {w * r, 0, 0}, spin),
            coupler = s.link({0.4, 0, 2.4}, 0.02, {2 * w * r, 0, 0}),
            rocker = s.link({0.8, 0, 2.2}, 0.02, {w * r, 0, 0}, spin);
  s.join(JointType::revolute, base, crank, {0, 0, 2});
  s.join(JointType::revolute, crank, coupler, {0, 0, 2.4});
  s.join(JointType::revolute, coupler, rocker, {0.8, 0, 2.4});
  s.join(JointType::revolute, base, rocker, {0.8, 0, 2});
  Worst gap("four-bar, three rows too many: anchors (m)"), turn("... the coupler turned");
  for (int k = 0; k < kSteps; ++k) {
    s.step();
    gap.see(s.apart(s.of(crank, {0, 0, -r}), {0, 0, 2}));
    gap.see(s.apart(s.of(crank, {0, 0, r}), s.of(coupler, {-0.4, 0, 0})));
    gap.see(s.apart(s.of(coupler, {0.4, 0, 0}), s.of(rocker, {0, 0, r})));
    gap.see(s.apart(s.of(rocker, {0, 0, -r}), {0.8, 0, 2}));
    turn.see(std::fabs(s.pose(coupler).y));
  }
  gap.within(2e-5);
  turn.within(1e-6);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(double_pendulum);
  RUN_TEST(pendulum);
  RUN_TEST(slider);
  RUN_TEST(one_of_two);
  RUN_TEST(four_bar);
  return UNITY_END();
}
