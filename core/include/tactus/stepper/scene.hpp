// A scene as constants, from which the compiler sizes its world: no number is computed by hand.
//
//     using Kind = geometry::PlanarKind;
//     constexpr SceneBody<2> kBodies[]{
//         {.shape{Kind::half_space, {0, 1}}},
//         {.mass = 0.2, .inertia{2e-4}, .shape{Kind::box, {0.05, 0.02}}, .pose{0, 0.02}}};
//     constexpr SceneContact<2> kContacts[]{{.a = 0, .b = 1, .friction{.kinetic = 0.3}}};
//     constexpr Scene<2> kScene{
//         .step = 1e-3, .gravity{0, -9.81}, .bodies = kBodies, .contacts = kContacts};
//
//     static World<float, 2, capacity_of(kScene)> world;
//     if (const Error error = build(world, kScene)) ...       // build_scene.hpp
//
// An item has in the world the number that it has in its list. What is left out has the value of its
// description in build.hpp or build_arm.hpp, which say what each number means.
//
// Memory: the lists, in flash; about 200 bytes a body or contact.
#pragma once

#include <optional>
#include <span>

#include "tactus/dynamics/arm_model.hpp"
#include "tactus/stepper/build.hpp"

namespace tactus::stepper {

template <int Dim>
struct ScenePose {
  double position[3] = {};
  double w = 1, x = 0, y = 0, z = 0;
};
template <>
struct ScenePose<2> {
  double x = 0, y = 0, angle = 0;
};

template <int Dim>
struct SceneMotion {
  double linear[Dim] = {}, angular[dynamics::kSpin<Dim>] = {};
};

template <int Dim>
struct SceneShape {
  std::conditional_t<Dim == 2, geometry::PlanarKind, geometry::SpatialKind> kind{};
  double size[3] = {};  // what the function of the kind's name in geometry/shape.hpp takes, in its order
  double offset = 0;    // half_space
  int sides = 0;        // polygon
};

template <int Dim>
struct SceneBody {
  double mass = 0;
  double inertia[Dim == 2 ? 1 : 6] = {};  // in space xx, yy, zz, xy, xz, yz
  SceneShape<Dim> shape{};
  ScenePose<Dim> pose{};
  SceneMotion<Dim> velocity{}, force{};
  int link = -1;  // that carries it, with the pose in its frame; links count through all arms
};

template <int Dim>
struct SceneContact {
  int a = 0, b = 0;
  contact::Friction<double> friction{};
  double restitution = 0;
  ImpactLaw impact = ImpactLaw::of_scene;
  std::optional<contact::PatchLaw<double>> patch{};   // none: rigid
  int elastic = -1;                                   // the body that the patch is of; -1: b
  std::span<const std::array<double, Dim>> points{};  // given ones, in the frame of b; a is a half-space
  double ellipsoid[3] = {};                           // see set_ellipsoid; zero: there is none
};

template <int Dim>
struct SceneJoint {
  dynamics::JointType type = dynamics::JointType::spherical;
  int a = 0, b = 0;
  double at[Dim] = {}, axis[Dim] = {};
};

struct SceneArm {
  std::span<const dynamics::LinkData> links{};  // parents and leaders count from the arm's own first
  ScenePose<3> base{};
  std::span<const double> q{}, qd{}, torque{};  // of the first joints; 0 for the rest
};

template <int Dim>
struct Scene {
  double step = 0;  // s
  double gravity[Dim] = {};
  Method method{};
  std::span<const SceneBody<Dim>> bodies{};
  std::span<const SceneContact<Dim>> contacts{};
  std::span<const SceneJoint<Dim>> joints{};
  std::span<const SceneArm> arms{};  // space only
  // Elements that touch within one step, if it is known that these are fewer than all that the contacts have.
  int active = 0;
  bool energy = false;  // StepReport::energy
};

namespace detail {

template <int Dim>
constexpr bool has_ellipsoid(const SceneContact<Dim>& c) {
  return c.ellipsoid[0] != 0 || c.ellipsoid[1] != 0 || c.ellipsoid[2] != 0;
}

// Adds what the points of a contact take. A body or kind that does not exist takes nothing: build() names it.
template <int Dim>
constexpr void add_points(const Scene<Dim>& scene, const SceneContact<Dim>& c, Capacity& sum) {
  int points = static_cast<int>(c.points.size());
  sum.points += points;
  const auto exists = [&](int i) { return i >= 0 && i < static_cast<int>(scene.bodies.size()); };
  if (points == 0 && exists(c.a) && exists(c.b)) {
    const auto& a = scene.bodies[static_cast<std::size_t>(c.a)].shape;
    const auto& b = scene.bodies[static_cast<std::size_t>(c.b)].shape;
    if (geometry::is_known(a.kind) && geometry::is_known(b.kind)) {
      points = point_slots(a.kind, b.kind, a.sides + b.sides);
      sum.pairs |= geometry::pair(a.kind, b.kind);
    }
  }
  if (scene.method.friction == FrictionLaw::implicit) return;
  const int elements = c.patch ? c.patch->elements() : 1;
  sum.slots += points * elements;
  sum.active += (points < kMaxTouches ? points : kMaxTouches) * elements;
}

// What the implicit law takes of the bodies.
template <int Dim>
constexpr void add_surfaces(const Scene<Dim>& scene, Capacity& sum) {
  sum.pieces = sum.moving = 1;
  int moving = 0;
  for (const auto& body : scene.bodies) {
    moving += body.mass != 0 ? 1 : 0;
    if (!geometry::is_known(body.shape.kind)) continue;
    const int pieces = geometry::pieces_of(body.shape.kind, body.shape.sides);
    if (pieces > sum.pieces) sum.pieces = pieces;
  }
  if (moving > 0) sum.moving = moving;
}

}  // namespace detail

// What a world of this scene needs, and no more: build() refuses a world that has less of anything (but
// `active`: a step says when that is too few).
template <int Dim>
constexpr Capacity capacity_of(const Scene<Dim>& scene) {
  const auto count = [](const auto& list) { return static_cast<int>(list.size()); };
  Capacity sum{.bodies = count(scene.bodies), .contacts = count(scene.contacts), .slots = 0, .active = 0};
  sum.joints = count(scene.joints);
  sum.pairs = 0;
  sum.parts = detail::needed_parts(scene.method);
  if (scene.energy) sum.parts |= energy_balance;
  const bool implicit = scene.method.friction == FrictionLaw::implicit;
  if (implicit) detail::add_surfaces(scene, sum);
  for (const SceneArm& arm : scene.arms) {
    sum.arm_joints += count(arm.links);
    for (const dynamics::LinkData& link : arm.links) {
      sum.servos += link.effort < std::numeric_limits<double>::infinity() ? 1 : 0;
      sum.mimics += link.mimic != -1 ? 1 : 0;
    }
  }
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    const auto& c = scene.contacts[i];
    sum.parts |= detail::needed_parts(c.friction.kind, c.restitution != 0, c.patch ? &*c.patch : nullptr);
    sum.torsion = sum.torsion || detail::has_ellipsoid(c);
    detail::add_points(scene, c, sum);
    if (!c.patch) continue;
    bool known = false;
    for (const auto& before : scene.contacts.first(i))
      known = known || (before.patch && detail::equal(*before.patch, *c.patch));
    sum.patches += known ? 0 : 1;
    if (c.patch->elements() > sum.patch_elements) sum.patch_elements = c.patch->elements();
  }
  if (scene.active > 0 && scene.active < sum.active) sum.active = scene.active;
  if (scene.contacts.empty()) sum.contacts = 1;  // a step is compiled for one
  if (scene.contacts.empty() && !implicit) sum.slots = sum.active = 1;
  return sum;
}

}  // namespace tactus::stepper
