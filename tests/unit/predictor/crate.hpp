// A crate of 0.2 kg on a floor in the plane, for the tests of what a predictor makes of it: the floor is body
// 0, the crate body 1, their contact is contact 0.
#pragma once

#include "tactus/tactus.hpp"
#include "unity.h"

namespace crate {

using namespace tactus;
using namespace tactus::stepper;

inline constexpr double kG = 9.81, kMass = 0.2;

template <Capacity C>
void make(World<double, 2, C>& world, double h, double mu, double speed = 0, double force = 0) {
  int index = 0;
  world = {};
  TEST_ASSERT_TRUE((configure<double, 2, C>(world, h, {0, -kG}) == What::none));
  BodyDescription<double, 2> floor, body;
  floor.shape = geometry::half_space<double>(math::Vector2<double>(0, 1), 0.0);
  body.mass = kMass;
  body.inertia(0, 0) = 2e-4;
  body.shape = geometry::box<double>(0.05, 0.02);
  body.pose.y = 0.02;
  body.velocity.linear[0] = speed;
  body.force.linear[0] = force;
  TEST_ASSERT_TRUE(add_body(world, floor, index) == What::none);
  TEST_ASSERT_TRUE(add_body(world, body, index) == What::none);
  ContactDescription<double, 2> contact;
  contact.b = 1;
  contact.friction.kinetic = mu;
  TEST_ASSERT_TRUE(add_contact(world, contact, index) == What::none);
}

}  // namespace crate
