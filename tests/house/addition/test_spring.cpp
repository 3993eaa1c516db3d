// A ball on a spring and a damper, beside a rigid one, against the closed form: about its rest at -m g / k it
// moves as
//
//     exp(-a t) (A cos(w t) + B sin(w t)),   a = d / 2m,   w^2 = k / m - a^2
//
// to order h. In the limit k -> infinity it is the rigid law. A box rests on two of them.
#include <cmath>
#include <cstdio>

#include "tactus/plane.hpp"

#define DEMAND(x) \
  if (!(x)) return std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #x), 1

namespace {

using namespace tactus;
using namespace tactus::stepper;

constexpr Capacity kSize{.bodies = 3, .contacts = 2, .slots = 4, .active = 4};
constexpr double kMass = 0.5, kGravity = 10, kRadius = 0.02;
using Table = World<double, 2, kSize>;

struct Ball {
  double height, speed, force;
  bool solved = true;
};

bool make(Table& world, double h, double stiffness, double damping, double gap) {
  int i = 0;
  bool good = !configure<double, 2, kSize>(world, h, {0, -kGravity});
  BodyDescription<double, 2> ground, ball;
  ground.shape = geometry::half_space<double>(math::Vector2<double>(0, 1), 0);
  good = good && !add_body(world, ground, i);
  ball.shape = geometry::disc(kRadius);
  ball.mass = kMass;
  ball.inertia(0, 0) = 1e-4;
  ball.pose = {0, kRadius + gap, 0};
  good = good && !add_body(world, ball, i);
  ball.pose = {1, kRadius, 0};
  good = good && !add_body(world, ball, i);
  for (int b : {1, 2}) {
    ContactDescription<double, 2> contact;
    contact.b = b;
    good = good && !add_contact(world, contact, i);
  }
  world.model.contact[0].stiffness = stiffness;
  world.model.contact[0].damping = damping;
  return good;
}

Ball run(double h, double time, double stiffness, double damping, double gap) {
  static Table world;
  static Workspace<double, 2, kSize> workspace;
  world = {};
  Ball ball{};
  ball.solved = make(world, h, stiffness, damping, gap);
  for (int k = 0; k < std::lround(time / h); ++k) {
    const auto report = step(world, workspace);
    ball.solved = ball.solved && report.status == StepStatus::solved;
    ball.force = report.contact[0].force[0];
    ball.solved = ball.solved && std::abs(world.state.pose[2].y - kRadius) < 1e-12;  // the rigid one rests
  }
  ball.height = world.state.pose[1].y - kRadius;
  ball.speed = world.state.velocity[1].linear[1];
  return ball;
}

// A box slides on two springs, whose friction rows depend on each other, and stops.
bool box_stops() {
  static Table world;
  static Workspace<double, 2, kSize> workspace;
  world = {};
  int i = 0;
  bool good = !configure<double, 2, kSize>(world, 1e-3, {0, -kGravity});
  BodyDescription<double, 2> ground, box;
  ground.shape = geometry::half_space<double>(math::Vector2<double>(0, 1), 0);
  good = good && !add_body(world, ground, i);
  box.shape = geometry::box(0.1, 0.02);
  box.mass = kMass;
  box.inertia(0, 0) = 2e-3;
  box.pose = {0, 0.02 - kMass * kGravity / 2 / 500, 0};
  box.velocity.linear[0] = 0.5;
  good = good && !add_body(world, box, i);
  ContactDescription<double, 2> contact;
  contact.b = 1;
  contact.friction.kinetic = 0.4;
  good = good && !add_contact(world, contact, i);
  world.model.contact[0].stiffness = 500;
  world.model.contact[0].damping = 4;
  for (int k = 0; k < 1000; ++k) good = good && step(world, workspace).status == StepStatus::solved;
  return good && std::abs(world.state.velocity[1].linear[0]) < 1e-8;
}

}  // namespace

int main() {
  constexpr double k = 500, d = 4, rest = -kMass * kGravity / k, start = rest / 2, time = 0.1;
  const double a = d / (2 * kMass), w = std::sqrt(k / kMass - a * a);
  const double A = start - rest, B = a * A / w;
  const double exact = rest + std::exp(-a * time) * (A * std::cos(w * time) + B * std::sin(w * time));
  const Ball coarse = run(1e-4, time, k, d, start), fine = run(5e-5, time, k, d, start);
  DEMAND(coarse.solved && fine.solved);
  DEMAND(std::abs(fine.height - exact) < 1e-3 * std::abs(rest));
  const double order = std::log2((coarse.height - exact) / (fine.height - exact));
  DEMAND(order > 0.97 && order < 1.03);

  const Ball still = run(1e-3, 8, k, d, start);
  DEMAND(still.solved && std::abs(still.height - rest) < 1e-12);
  DEMAND(std::abs(still.force - kMass * kGravity) < 1e-9);
  // All but rigid: from 1 mm below to the surface in one step, up to R lambda h = 5e-12 m.
  DEMAND(std::abs(run(1e-3, 1e-3, 1e14, 0, -1e-3).height) < 1e-11);
  // It does not pull.
  const Ball away = run(1e-3, 0.01, k, 0, 1e-3);
  DEMAND(away.force == 0 && away.height < 1e-3);
  DEMAND(box_stops());
  return 0;
}
