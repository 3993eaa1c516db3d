// Bodies under the geometrically implicit law, built by short calls, for the case tests.
#pragma once

#include <memory>

#include "reference.hpp"
#include "tactus/sentence.hpp"

using namespace tactus;
using reference::Json;
using reference::Worst;

template <int Dim, stepper::Capacity C, class Scalar = double>
struct Bodies {
  using Vector = math::Vector<Scalar, Dim>;
  stepper::World<Scalar, Dim, C> world;
  stepper::Workspace<Scalar, Dim, C> workspace;

  Bodies(double h, const Vector& gravity) {
    must(configure(world, Scalar(h), gravity, {.friction = stepper::FrictionLaw::implicit}));
  }
  static void must(const Error& error) { TEST_ASSERT_FALSE_MESSAGE(error, Sentence(error).text()); }
  int add(const stepper::BodyDescription<Scalar, Dim>& body) {
    int index = -1;
    must(add_body(world, body, index));
    return index;
  }
  int floor() {
    stepper::BodyDescription<Scalar, Dim> body;
    body.shape = geometry::half_space<Scalar>(Vector(Vector::Unit(Dim - 1)), Scalar(0));
    return add(body);
  }
  void touch(int a, int b, double mu, const math::Vector<Scalar, contact::kFrictionAxes<Dim>>& axis) {
    int index = -1;
    must(add_contact(world, {.a = a, .b = b, .friction{.kinetic = Scalar(mu)}}, index));
    if constexpr (Dim == 3) must(set_ellipsoid(world, index, axis));
  }
  auto step() {
    const auto report = stepper::step(world, workspace);
    TEST_ASSERT_EQUAL_STRING("The step is solved and certified.", sentence(report.reason));
    return report;
  }
  auto& pose(int body) { return world.state.pose[static_cast<std::size_t>(body)]; }
  auto& velocity(int body) { return world.state.velocity[static_cast<std::size_t>(body)]; }
};

constexpr stepper::Capacity implicit(int bodies, int contacts, bool torsion) {
  return {.bodies = bodies,
          .contacts = contacts,
          .slots = 0,
          .active = 0,
          .torsion = torsion,
          .pieces = 1,
          .moving = 1};
}
inline constexpr stepper::Capacity kDisc = implicit(2, 1, false), kOne = implicit(2, 1, true),
                                   kTwo = implicit(3, 2, true);

template <class Scalar>
math::Vector<Scalar, 3> vector(const Json& json, std::size_t first = 0) {
  return {json[first].get<Scalar>(), json[first + 1].get<Scalar>(), json[first + 2].get<Scalar>()};
}

template <class Scalar>
stepper::BodyDescription<Scalar, 3> ball(double radius) {
  stepper::BodyDescription<Scalar, 3> body;
  body.shape = geometry::sphere<Scalar>(Scalar(radius));
  return body;
}

// `steps` steps of a body in single precision, each from the state that double precision has come to,
// rounded; against one of double precision from the same rounded state, for where it starts is no error of a
// step. The largest errors of one step, of the place relative to it, of velocities relative to 1 m/s (1/s) or
// more.
struct SingleErrors {
  double place = 0, velocity = 0;
};
template <class Exact, class Single>
SingleErrors single_steps(Exact& exact, Single& single, int body, int steps) {
  SingleErrors worst;
  for (int k = 1; k <= steps; ++k) {
    auto& pose = single.pose(body);
    const auto& from = exact.pose(body);
    pose.position = from.position.template cast<float>();
    pose.w = float(from.w), pose.x = float(from.x), pose.y = float(from.y), pose.z = float(from.z);
    single.velocity(body).linear = exact.velocity(body).linear.template cast<float>();
    single.velocity(body).angular = exact.velocity(body).angular.template cast<float>();
    auto twin = exact.world;
    auto& start = twin.state.pose[static_cast<std::size_t>(body)];
    auto& motion = twin.state.velocity[static_cast<std::size_t>(body)];
    start.position = pose.position.template cast<double>();
    start.w = double(pose.w), start.x = double(pose.x), start.y = double(pose.y), start.z = double(pose.z);
    motion.linear = single.velocity(body).linear.template cast<double>();
    motion.angular = single.velocity(body).angular.template cast<double>();
    TEST_ASSERT_EQUAL_STRING("The step is solved and certified.",
                             sentence(stepper::step(twin, exact.workspace).reason));
    exact.step();
    single.step();
    const auto relative = [](const auto& a, const auto& b) {
      return (a - b.template cast<double>()).norm() / std::max(1.0, a.norm());
    };
    worst.place = std::max(worst.place, relative(start.position, single.pose(body).position));
    worst.velocity = std::max({worst.velocity, relative(motion.linear, single.velocity(body).linear),
                               relative(motion.angular, single.velocity(body).angular)});
  }
  return worst;
}
