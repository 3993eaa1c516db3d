// Worlds in states that nobody thought of, for test_honest.cpp: three kinds, each with everything that its
// dimension has, drawn from a seed. Places are of one size, so that things touch; speeds, forces and torques
// are of any.
#pragma once

#include <cmath>

#include "tactus/tactus.hpp"
#include "tests/corpus/friction_box.hpp"

namespace honest {

using namespace tactus;
namespace st = tactus::stepper;
using corpus::Random;

inline bool yes(Random& random, double share) {
  return random.uniform(0, 1) < share;
}

// A number of any size: one in four beyond what bodies do, some beyond what float can square.
inline double any(Random& random) {
  const double exponent = yes(random, 0.75) ? random.uniform(-3, 1) : random.uniform(-30, 38);
  return (yes(random, 0.5) ? -1 : 1) * std::pow(10.0, exponent);
}

template <class Scalar>
double place(const geometry::PlanarPose<Scalar>& pose, int k) {
  return static_cast<double>(k == 0 ? pose.x : pose.y);
}
template <class Scalar>
double place(const geometry::SpatialPose<Scalar>& pose, int k) {
  return static_cast<double>(pose.position[k]);
}

inline st::Method method(Random& random, int dim) {
  st::Method method;
  const double law = random.uniform(0, 1);
  if (law > 0.7) method.friction = st::FrictionLaw::relaxed_cone;
  if (law > 0.85) method.friction = st::FrictionLaw::cone;
  if (yes(random, 0.3)) method.pyramid = contact::Pyramid::box;
  if (yes(random, 0.1)) method.modes_first = false;
  if (dim == 3 && yes(random, 0.1)) method.fixed_point = 1;
  return method;
}

template <class Scalar, int Dim>
void move(st::BodyDescription<Scalar, Dim>& body, Random& random) {
  const auto s = [&] { return static_cast<Scalar>(any(random)); };
  for (int k = 0; k < Dim; ++k) {
    body.velocity.linear[k] = s();
    body.force.linear[k] = s();
  }
  for (int k = 0; k < dynamics::kSpin<Dim>; ++k) {
    body.velocity.angular[k] = static_cast<Scalar>(random.uniform(-20, 20));
    body.force.angular[k] = s();
  }
}

template <class Scalar, class World, int Dim>
bool join(World& world, int a, int b, Random& random, const contact::PatchLaw<Scalar>* patch,
          const math::Vector<Scalar, Dim>& middle) {
  st::ContactDescription<Scalar, Dim> contact;
  contact.a = a;
  contact.b = b;
  contact.friction.kinetic = static_cast<Scalar>(yes(random, 0.1) ? 0 : random.uniform(0, 1.5));
  if (yes(random, 0.2)) {
    contact.friction.kind = contact::FrictionKind::static_kinetic;
    contact.friction.resting = contact.friction.kinetic * Scalar(1.5);
  }
  if (yes(random, 0.3))
    contact.patch = patch;
  else if (yes(random, 0.3))
    contact.restitution = static_cast<Scalar>(random.uniform(0, 1));
  int index = 0;
  if (a > 0 && yes(random, 0.1)) {
    math::Vector<Scalar, Dim> axis = math::Vector<Scalar, Dim>::Zero();
    axis[0] = 1;
    const auto type = yes(random, 0.5) ? dynamics::JointType::revolute : dynamics::JointType::fixed;
    if (add_joint(world, type, a, b, middle, axis, index)) return false;
  }
  return !add_contact(world, contact, index);
}

template <class Scalar>
contact::PatchLaw<Scalar> patch_law(Random& random, int columns, int rows) {
  contact::PatchLaw<Scalar> law;
  law.columns = static_cast<std::uint8_t>(columns);
  law.rows = static_cast<std::uint8_t>(rows);
  law.spacing = Scalar(1e-3);
  law.compliance = static_cast<Scalar>(std::pow(10.0, random.uniform(-10, -4)));
  law.poisson = Scalar(0.3);
  return law;
}

// A floor and three bodies of four shapes, all of which may touch.
struct Plane {
  static constexpr st::Capacity kSize{
      .bodies = 4, .contacts = 6, .slots = 72, .active = 12, .joints = 2, .patches = 1, .patch_elements = 3};
  template <class Scalar>
  using World = st::World<Scalar, 2, kSize>;
  template <class Scalar>
  using Workspace = st::Workspace<Scalar, 2, kSize>;

  template <class Scalar>
  static geometry::PlanarShape<Scalar> shape(Random& random) {
    const auto a = static_cast<Scalar>(random.uniform(0.05, 0.2)), b = a * Scalar(0.7);
    const double kind = random.uniform(0, 4);
    if (kind < 1) return geometry::disc<Scalar>(a);
    if (kind < 2) return geometry::ellipse<Scalar>(a, b);
    if (kind < 3) return geometry::rod<Scalar>(a);
    return geometry::box<Scalar>(a, b);
  }

  template <class Scalar>
  static bool make(World<Scalar>& world, Random& random) {
    using V = math::Vector2<Scalar>;
    const auto s = [](double x) { return static_cast<Scalar>(x); };
    world = {};
    int index = 0;
    if (configure(world, s(std::pow(10.0, random.uniform(-5, -1))), V(0, s(-9.81)), method(random, 2)))
      return false;
    st::BodyDescription<Scalar, 2> floor;
    floor.shape = geometry::half_space<Scalar>(V(0, 1), Scalar(0));
    if (add_body(world, floor, index)) return false;
    for (int i = 0; i < 3; ++i) {
      st::BodyDescription<Scalar, 2> body;
      body.mass = s(std::pow(10.0, random.uniform(-3, 3)));
      body.inertia(0, 0) = body.mass * s(0.01);
      body.shape = shape<Scalar>(random);
      body.pose = {s(0.2 * i + random.uniform(-0.05, 0.05)), s(random.uniform(0.05, 0.2)),
                   s(random.uniform(-3, 3))};
      move(body, random);
      if (add_body(world, body, index)) return false;
    }
    const auto law = patch_law<Scalar>(random, 3, 1);
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b)
        if (yes(random, 0.7)) join<Scalar>(world, a, b, random, &law, V(s(0.2), s(0.1)));
    return true;
  }
};

// A floor and two bodies of four shapes.
struct Space {
  static constexpr st::Capacity kSize{.bodies = 3,
                                      .contacts = 3,
                                      .slots = 96,
                                      .active = 12,
                                      .joints = 1,
                                      .patches = 1,
                                      .patch_elements = 4,
                                      .torsion = true};
  template <class Scalar>
  using World = st::World<Scalar, 3, kSize>;
  template <class Scalar>
  using Workspace = st::Workspace<Scalar, 3, kSize>;

  template <class Scalar>
  static geometry::SpatialShape<Scalar> shape(Random& random) {
    const auto a = static_cast<Scalar>(random.uniform(0.05, 0.2)), b = a * Scalar(0.7);
    const double kind = random.uniform(0, 4);
    if (kind < 1) return geometry::sphere<Scalar>(a);
    if (kind < 2) return geometry::ellipsoid<Scalar>(a, b, b);
    if (kind < 3) return geometry::capsule<Scalar>(a, b);
    return geometry::box<Scalar>(a, b, b);
  }

  template <class Scalar>
  static bool make(World<Scalar>& world, Random& random) {
    using V = math::Vector3<Scalar>;
    const auto s = [](double x) { return static_cast<Scalar>(x); };
    world = {};
    int index = 0;
    if (configure(world, s(std::pow(10.0, random.uniform(-5, -1))), V(0, 0, s(-9.81)), method(random, 3)))
      return false;
    st::BodyDescription<Scalar, 3> floor;
    floor.shape = geometry::half_space<Scalar>(V(0, 0, 1), Scalar(0));
    if (add_body(world, floor, index)) return false;
    for (int i = 0; i < 2; ++i) {
      st::BodyDescription<Scalar, 3> body;
      body.mass = s(std::pow(10.0, random.uniform(-3, 3)));
      body.inertia = (body.mass * V(s(0.01), s(0.012), s(0.008))).asDiagonal();
      body.shape = shape<Scalar>(random);
      body.pose.position = V(s(0.3 * i + random.uniform(-0.05, 0.05)), s(random.uniform(-0.1, 0.1)),
                             s(random.uniform(0.05, 0.2)));
      move(body, random);
      if (add_body(world, body, index)) return false;
    }
    const auto law = patch_law<Scalar>(random, 2, 2);
    for (int a = 0; a < 3; ++a)
      for (int b = a + 1; b < 3; ++b)
        if (yes(random, 0.8)) join<Scalar>(world, a, b, random, &law, V(s(0.15), 0, s(0.1)));
    for (int c = 0; c < world.model.contacts; ++c)
      if (yes(random, 0.1) && set_ellipsoid(world, c, V(1, s(0.5), s(0.01)))) return false;
    return true;
  }
};

// An arm of three rubbing joints with limits, whose tip may touch a floor and a free box.
struct Arms {
  static constexpr st::Capacity kSize{.bodies = 3, .contacts = 3, .slots = 17, .active = 10, .arm_joints = 3};
  template <class Scalar>
  using World = st::World<Scalar, 3, kSize>;
  template <class Scalar>
  using Workspace = st::Workspace<Scalar, 3, kSize>;

  template <class Scalar>
  static bool make(World<Scalar>& world, Random& random) {
    using V = math::Vector3<Scalar>;
    const auto s = [](double x) { return static_cast<Scalar>(x); };
    world = {};
    int floor_index = 0, box_index = 0, tip = 0, first = 0, index = 0;
    if (configure(world, s(std::pow(10.0, random.uniform(-5, -1))), V(0, 0, s(-9.81)), method(random, 2)))
      return false;
    st::BodyDescription<Scalar, 3> floor, box;
    floor.shape = geometry::half_space<Scalar>(V(0, 0, 1), Scalar(0));
    box.mass = s(std::pow(10.0, random.uniform(-2, 2)));
    box.inertia = (box.mass * V(s(0.001), s(0.001), s(0.001))).asDiagonal();
    box.shape = geometry::box<Scalar>(s(0.05), s(0.05), s(0.05));
    box.pose.position = V(s(random.uniform(0.2, 0.35)), 0, s(0.05));
    move(box, random);
    if (add_body(world, floor, floor_index) || add_body(world, box, box_index)) return false;
    st::ArmDescription<Scalar, 3> arm;
    for (int j = 0; j < 3; ++j) {
      dynamics::Link<Scalar> link;
      link.parent = j - 1;
      link.at.position = V(s(j == 0 ? 0 : 0.1), 0, 0);
      link.axis = j == 0 ? V(0, 0, 1) : V(0, -1, 0);
      link.mass = s(std::pow(10.0, random.uniform(-1.5, 0.5)));
      link.centre = V(s(0.05), 0, 0);
      link.inertia = (link.mass * V(s(1e-5), s(1e-3), s(1e-3))).asDiagonal();
      link.friction = s(yes(random, 0.3) ? 0 : random.uniform(0, 1));
      link.lower = s(-1.5);
      link.upper = s(1.5);
      if (add_link(arm.links, link)) return false;
      const auto joint = static_cast<std::size_t>(j);
      arm.q[joint] = s(yes(random, 0.2) ? 1.5 : random.uniform(-0.7, 0.7));
      arm.qd[joint] = s(yes(random, 0.75) ? random.uniform(-5, 5) : any(random));
      arm.torque[joint] = s(any(random));
    }
    arm.base.position = V(0, 0, s(random.uniform(0, 0.15)));
    if (add_arm(world, arm, first)) return false;
    geometry::SpatialPose<Scalar> at;
    at.position = V(s(0.1), 0, 0);
    if (add_carried(world, first + 2, geometry::sphere<Scalar>(s(0.02)), at, tip)) return false;
    for (int j = 0; j < 3; ++j)
      if (yes(random, 0.3)) {
        const auto joint = static_cast<std::size_t>(j);
        world.state.arm.stiffness[joint] = s(std::fabs(any(random)));
        world.state.arm.damping[joint] = s(std::fabs(any(random)));
        world.state.arm.position[joint] = s(any(random));
      }
    const auto touch = [&](int a, int b) {
      return !add_contact(world, {.a = a, .b = b, .friction{.kinetic = s(random.uniform(0, 1))}}, index);
    };
    return touch(floor_index, box_index) && touch(floor_index, tip) && touch(box_index, tip);
  }
};

}  // namespace honest
