// One planar body over a floor, for the case tests.
#pragma once

#include <memory>

#include "reference.hpp"

namespace plane {

using namespace tactus;
using namespace tactus::stepper;
using reference::Json;
using reference::Worst;

inline constexpr Capacity kPlanar{.bodies = 2, .contacts = 1, .slots = 8, .active = 8};
using Plane = Stage<2, kPlanar>;

inline BodyDescription<double, 2> body(double mass, double inertia,
                                       const geometry::PlanarShape<double>& shape, double y, double angle,
                                       std::array<double, 3> v) {
  BodyDescription<double, 2> b;
  b.mass = mass;
  b.inertia(0, 0) = inertia;
  b.shape = shape;
  b.pose = {0, y, angle};
  b.velocity.linear = {v[0], v[1]};
  b.velocity.angular[0] = v[2];
  return b;
}

}  // namespace plane
