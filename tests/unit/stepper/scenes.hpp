// The scenes whose cost and bits are watched on every machine: Song's ellipse, a box on four corners, a ball
// on a patch.
#pragma once

#include "tactus/tactus.hpp"

namespace scenes {

using namespace tactus;
using namespace tactus::stepper;

inline constexpr Capacity kEllipse{
    .bodies = 2, .contacts = 1, .slots = 3, .active = 3, .patches = 1, .patch_elements = 3};
inline constexpr Capacity kBall{
    .bodies = 2, .contacts = 1, .slots = 9, .active = 9, .patches = 1, .patch_elements = 9};
inline constexpr Capacity kBox{.bodies = 2, .contacts = 1, .slots = 8, .active = 4};

template <class Scalar>
bool make_ellipse(World<Scalar, 2, kEllipse>& world, Scalar h = Scalar(1e-4)) {
  world = {};
  Method method;
  method.pyramid = contact::Pyramid::box;
  int index = 0;
  bool good = configure<Scalar, 2, kEllipse>(world, h, {Scalar(0), Scalar(-9.81)}, method) == What::none;
  BodyDescription<Scalar, 2> ground;
  ground.shape = geometry::half_space<Scalar>(math::Vector2<Scalar>(0, 1), Scalar(0));
  good = good && add_body(world, ground, index) == What::none;
  BodyDescription<Scalar, 2> body;
  body.mass = Scalar(0.05);
  body.inertia(0, 0) = Scalar(1.5e-4);
  body.shape = geometry::ellipse<Scalar>(Scalar(0.1), Scalar(0.05));
  body.pose = {0, Scalar(0.0974556066329262), Scalar(1.3089969389957472)};
  good = good && add_body(world, body, index) == What::none;
  contact::PatchLaw<Scalar> law;
  law.columns = 3;
  law.spacing = Scalar(1e-6);
  law.compliance = Scalar(1e-10);
  law.poisson = Scalar(0.3);
  ContactDescription<Scalar, 2> contact;
  contact.b = 1;
  contact.friction.kinetic = Scalar(0.2);
  contact.patch = &law;
  return good && add_contact(world, contact, index) == What::none;
}

// On 3 x 3 elements.
template <class Scalar>
bool make_ball(World<Scalar, 3, kBall>& world) {
  world = {};
  int index = 0;
  bool good = configure<Scalar, 3, kBall>(world, Scalar(1e-3), {0, 0, Scalar(-9.81)}, Method{}) == What::none;
  BodyDescription<Scalar, 3> ground;
  ground.shape = geometry::half_space<Scalar>(math::Vector3<Scalar>(0, 0, 1), Scalar(0));
  good = good && add_body(world, ground, index) == What::none;
  BodyDescription<Scalar, 3> body;
  body.mass = Scalar(0.2);
  body.inertia.diagonal().setConstant(Scalar(7.2e-5));
  body.shape = geometry::sphere<Scalar>(Scalar(0.03));
  body.pose.position[2] = Scalar(0.03);
  body.velocity.linear = {Scalar(0.3), Scalar(0.1), 0};
  body.velocity.angular = {Scalar(-2), Scalar(8), 20};
  good = good && add_body(world, body, index) == What::none;
  contact::PatchLaw<Scalar> law;
  law.columns = law.rows = 3;
  law.spacing = Scalar(1e-3);
  law.compliance = Scalar(1e-7);
  law.poisson = Scalar(0.3);
  ContactDescription<Scalar, 3> contact;
  contact.b = 1;
  contact.friction.kinetic = Scalar(0.25);
  contact.patch = &law;
  return good && add_contact(world, contact, index) == What::none;
}

template <class Scalar>
bool make_box(World<Scalar, 3, kBox>& world, Scalar speed, Scalar height = 0) {
  world = {};
  int index = 0;
  bool good = configure<Scalar, 3, kBox>(world, Scalar(1e-3), {0, 0, Scalar(-9.81)}, Method{}) == What::none;
  BodyDescription<Scalar, 3> ground;
  ground.shape = geometry::half_space<Scalar>(math::Vector3<Scalar>(0, 0, 1), Scalar(0));
  good = good && add_body(world, ground, index) == What::none;
  BodyDescription<Scalar, 3> body;
  body.mass = 2;
  body.inertia.diagonal() << Scalar(0.0083333), Scalar(0.0083333), Scalar(0.0133333);
  body.shape = geometry::box<Scalar>(Scalar(0.1), Scalar(0.1), Scalar(0.05));
  body.pose.position[2] = Scalar(0.05) + height;
  body.velocity.linear[0] = speed;
  good = good && add_body(world, body, index) == What::none;
  ContactDescription<Scalar, 3> contact;
  contact.b = 1;
  contact.friction.kinetic = Scalar(0.5);
  return good && add_contact(world, contact, index) == What::none;
}

}  // namespace scenes
