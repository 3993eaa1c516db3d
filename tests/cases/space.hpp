// Boxes and spheres on a floor for the case tests in space.
#pragma once

#include <memory>

#include "reference.hpp"

namespace space {

using namespace tactus;
using namespace tactus::stepper;
using reference::Json;
using reference::Worst;
using Vector3 = math::Vector<double, 3>;

inline constexpr double kGravity = 9.81;
inline constexpr Capacity kSpatial{
    .bodies = 2, .contacts = 1, .slots = 8, .active = 5, .patches = 1, .patch_elements = 1, .points = 5};
using Space = Stage<3, kSpatial>;

inline Method facets(int k) {
  Method method;
  method.facets = static_cast<std::uint8_t>(k);
  return method;
}

inline Vector3 as_vector(const Json& json) {
  return {json[0].get<double>(), json[1].get<double>(), json[2].get<double>()};
}

inline std::unique_ptr<Space> scene_of(double h, const Vector3& gravity, int k) {
  auto scene = std::make_unique<Space>(h, gravity, facets(k));
  scene->floor();
  return scene;
}

inline BodyDescription<double, 3> sphere(double mass, double radius) {
  BodyDescription<double, 3> b;
  b.mass = mass;
  b.inertia = Eigen::Matrix3d::Identity() * (0.4 * mass * radius * radius);
  b.shape = geometry::sphere<double>(radius);
  b.pose.position[2] = radius;
  return b;
}

inline BodyDescription<double, 3> box(double mass, const Vector3& half) {
  BodyDescription<double, 3> b;
  b.mass = mass;
  const double x = half[0] * half[0], y = half[1] * half[1], z = half[2] * half[2];
  b.inertia = Vector3((y + z) * mass / 3, (x + z) * mass / 3, (x + y) * mass / 3).asDiagonal();
  b.shape = geometry::box<double>(half[0], half[1], half[2]);
  b.pose.position[2] = half[2];
  return b;
}

// How body 1 moves: along x, y, z and about them.
using Six = std::array<double, 6>;
template <class S>
Six motion_of(S& scene) {
  Six v{};
  for (std::size_t i = 0; i < 6; ++i) {
    const auto c = static_cast<Eigen::Index>(i % 3);
    v[i] = i < 3 ? scene.velocity(1).linear[c] : scene.velocity(1).angular[c];
  }
  return v;
}

// The box of spatial/rigid_limit.json on its three feet, rigid where there is no patch, under its push.
template <Capacity C>
std::unique_ptr<Stage<3, C>> box_on_feet(const Json& p, const Method& method,
                                         const contact::PatchLaw<double>* patch) {
  const double x = p["box"]["lx"], y = p["box"]["ly"], z = p["box"]["lz"];
  Vector3 feet[3];
  for (std::size_t i = 0; i < 3; ++i) feet[i] = as_vector(p["centers"][i]);
  auto scene = std::make_unique<Stage<3, C>>(p["h"], Vector3(0, 0, -kGravity), method);
  scene->floor();
  scene->add(box(p["box"]["m"], {x / 2, y / 2, z / 2}));
  ContactDescription<double, 3> contact;
  contact.b = 1;
  contact.friction.kinetic = p["mu"];
  contact.patch = patch;
  contact.points = feet;
  contact.point_count = 3;
  scene->touch(contact);
  const Vector3 force = as_vector(p["force"]);
  scene->world.state.force[1].linear = force;
  scene->world.state.force[1].angular = math::cross<double>(as_vector(p["force_point"]), force);
  return scene;
}

// Its velocity after 100 steps by pyramids, with one element a foot, or rigid where eps is 0. W is frozen, as
// in the file.
inline dynamics::Motion<double, 3> pushed_box(const Json& p, double eps) {
  Method method = facets(16);
  method.normal = NormalRule::song;
  const contact::PatchLaw<double> law{
      .spacing = 1e-3, .compliance = eps, .poisson = p["poisson"], .printed = true};
  auto scene = box_on_feet<kSpatial>(p, method, eps > 0 ? &law : nullptr);
  const auto start = scene->pose(1);
  for (int n = 0; n < 100; ++n) {
    scene->step();
    scene->pose(1) = start;
  }
  return scene->velocity(1);
}

}  // namespace space
