// From a Scene to the core's World: the only place where the two vocabularies meet.
#pragma once

#include <fmt/format.h>

#include "core_arms.hpp"
#include "scene_reader.hpp"

namespace tactus::host {

// Of any shape but an intersection.
template <class Scalar, int Dim>
geometry::Shape<Scalar, Dim> core_shape(const Shape& from) {
  geometry::ShapeNumbers<Scalar> numbers;
  for (int i = 0; i < 3; ++i) numbers.value[i] = to<Scalar>(from.numbers.value[i]);
  numbers.offset = to<Scalar>(from.numbers.offset);
  numbers.sides = from.numbers.sides;
  const auto kind = static_cast<geometry::KindOf<Dim>>(from.row - geometry::shapes<Dim>().data());
  return geometry::make_shape<Scalar, Dim>(kind, numbers);
}

template <class Scalar, int Dim, class Values>
dynamics::Motion<Scalar, Dim> core_motion(const Values& v) {
  dynamics::Motion<Scalar, Dim> motion;
  for (int i = 0; i < Dim; ++i) motion.linear[i] = to<Scalar>(v(static_cast<std::size_t>(i)));
  for (int i = 0; i < dynamics::kSpin<Dim>; ++i)
    motion.angular[i] = to<Scalar>(v(static_cast<std::size_t>(Dim + i)));
  return motion;
}

// The other way round: what the core says of a body.
template <class Scalar, int Dim, class Sample>
void fill_body(const dynamics::Pose<Scalar, Dim>& pose, const dynamics::Motion<Scalar, Dim>& velocity,
               Sample& body) {
  const auto wide = [](Scalar x) { return static_cast<double>(x); };
  if constexpr (Dim == 2) {
    body.pose = {wide(pose.x), wide(pose.y), wide(pose.angle)};
  } else {
    body.pose = {wide(pose.position[0]),
                 wide(pose.position[1]),
                 wide(pose.position[2]),
                 wide(pose.w),
                 wide(pose.x),
                 wide(pose.y),
                 wide(pose.z)};
  }
  for (int k = 0; k < Dim; ++k) body.velocity[static_cast<std::size_t>(k)] = wide(velocity.linear[k]);
  for (int k = 0; k < dynamics::kSpin<Dim>; ++k)
    body.velocity[static_cast<std::size_t>(Dim + k)] = wide(velocity.angular[k]);
}

template <class Scalar, int Dim>
dynamics::SpinMatrix<Scalar, Dim> core_inertia(const std::array<double, 6>& I) {
  dynamics::SpinMatrix<Scalar, Dim> tensor;
  if constexpr (Dim == 2) {
    tensor(0, 0) = to<Scalar>(I[0]);
  } else {
    tensor << to<Scalar>(I[0]), to<Scalar>(I[3]), to<Scalar>(I[4]),  //
        to<Scalar>(I[3]), to<Scalar>(I[1]), to<Scalar>(I[5]),        //
        to<Scalar>(I[4]), to<Scalar>(I[5]), to<Scalar>(I[2]);
  }
  return tensor;
}

template <class Scalar>
contact::Friction<Scalar> core_friction(const Friction& mu) {
  contact::Friction<Scalar> f;
  f.kinetic = to<Scalar>(mu.kinetic);
  if (mu.kind == Friction::Kind::static_kinetic) {
    f.kind = contact::FrictionKind::static_kinetic;
    f.resting = to<Scalar>(mu.static_mu);
  } else if (mu.kind == Friction::Kind::falling) {
    f.kind = contact::FrictionKind::speed;
    f.extra = to<Scalar>(mu.extra);
    f.scale = to<Scalar>(mu.speed);
  }
  return f;
}

// With its matrices, which the law points to.
template <class Scalar>
struct CorePatch {
  std::vector<Scalar> K, C;
  contact::PatchLaw<Scalar> law;
};

template <class Scalar>
CorePatch<Scalar> core_patch(const Patch& patch) {
  CorePatch<Scalar> out;
  auto& law = out.law;
  for (const double x : patch.K) out.K.push_back(to<Scalar>(x));
  for (const double x : patch.C) out.C.push_back(to<Scalar>(x));
  if (!out.K.empty()) law.K = out.K.data();
  if (!out.C.empty()) law.C = out.C.data();
  law.stiffness = to<Scalar>(patch.stiffness);
  law.stiffness_t = to<Scalar>(patch.stiffness_t);
  law.damping = to<Scalar>(patch.damping);
  law.damping_ratio = to<Scalar>(patch.damping_ratio);
  law.printed = patch.printed;
  if (patch.elements.empty()) return out;
  law.columns = static_cast<std::uint8_t>(patch.elements[0]);
  law.rows = static_cast<std::uint8_t>(patch.elements.size() > 1 ? patch.elements[1] : 1);
  law.spacing = to<Scalar>(patch.spacing);
  law.compliance = to<Scalar>(patch.compliance);
  law.poisson = to<Scalar>(patch.poisson);
  return out;
}

constexpr dynamics::JointType core_joint(JointKind kind) {
  switch (kind) {
    case JointKind::spherical:
      return dynamics::JointType::spherical;
    case JointKind::revolute:
      return dynamics::JointType::revolute;
    case JointKind::prismatic:
      return dynamics::JointType::prismatic;
    case JointKind::fixed:
      return dynamics::JointType::fixed;
  }
  return dynamics::JointType::fixed;
}

// What the core of this build has no law for.
inline void demand_supported(const Scene& scene) {
  const auto lacks = [&](const std::string& what) {
    throw Unsupported(fmt::format("{}: {}", scene.file, what));
  };
  if (scene.method == Method::implicit) {
    if (!scene.arms.empty()) lacks("arms: the implicit law has none");
    if (!scene.joints.empty()) lacks("joints: the implicit law has none");
    for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
      if (scene.contacts[i].restitution > 0)
        lacks(fmt::format("contacts[{}].restitution: the implicit law is inelastic", i));
      if (scene.contacts[i].mu.kind != Friction::Kind::constant)
        lacks(fmt::format("contacts[{}].mu: the implicit law has one constant coefficient", i));
    }
    return;
  }
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.bodies[i].shape.row)
      lacks(fmt::format("bodies[{}].shape.intersection: only the implicit law has it", i));
  }
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    if (scene.contacts[i].ellipsoid && scene.contacts[i].patch)
      lacks(fmt::format("contacts[{}].ellipsoid: the compliant law has no torsion", i));
  }
}

// The surfaces of a shape, an intersection's all.
template <class Scalar, int Dim, int Pieces>
void add_surfaces(const Scene& scene, const std::string& key, const Shape& shape,
                  geometry::Surface<Scalar, Dim, Pieces>& surface) {
  if (!shape.row) {
    for (std::size_t i = 0; i < shape.parts.size(); ++i)
      add_surfaces(scene, fmt::format("{}.intersection[{}]", key, i), shape.parts[i], surface);
    return;
  }
  refuse(scene, key, geometry::add<Scalar, Dim, Pieces>(surface, core_shape<Scalar, Dim>(shape)));
}

// Throws InputError or Unsupported; the indices of bodies and contacts are those of the scene, with the
// tips of its arms as further bodies.
template <class Scalar, int Dim, stepper::Capacity C>
void build_world(const Scene& scene, stepper::World<Scalar, Dim, C>& world) {
  constexpr std::integral_constant<int, Dim> dim;
  demand_supported(scene);
  const auto check = [&](const Error& error, const std::string& key) { refuse(scene, key, error); };
  stepper::Method method;
  method.pyramid = scene.bound();
  method.normal = scene.normal_rule;
  method.fixed_point = static_cast<std::uint8_t>(scene.fixed_point);
  method.recovery_speed = scene.recovery_speed.value_or(method.recovery_speed);
  method.facets = static_cast<std::uint8_t>(scene.facets);
  if (scene.method == Method::cone)
    method.friction = scene.exact ? stepper::FrictionLaw::cone : stepper::FrictionLaw::relaxed_cone;
  method.impact = scene.impact;
  if (scene.impacts_together) method.impacts = stepper::ImpactOrder::together;
  if (scene.method == Method::implicit) method.friction = stepper::FrictionLaw::implicit;
  math::Vector<Scalar, Dim> gravity;
  for (int i = 0; i < Dim; ++i) gravity[i] = to<Scalar>(scene.gravity[static_cast<std::size_t>(i)]);
  check(stepper::configure(world, to<Scalar>(scene.step), gravity, method), "time.step");
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& from = scene.bodies[i];
    const std::string key = fmt::format("bodies[{}]", i);
    stepper::BodyDescription<Scalar, Dim> body;
    body.mass = to<Scalar>(from.mass.value_or(0));
    if (from.mass) body.inertia = core_inertia<Scalar, Dim>(from.inertia);
    [[maybe_unused]] geometry::Surface<Scalar, Dim, C.pieces> surface;
    if constexpr (C.pieces > 0) {
      add_surfaces(scene, key + ".shape", from.shape, surface);
      check(geometry::check(surface), key + ".shape");
      body.surface = surface;
    } else {
      body.shape = core_shape<Scalar, Dim>(from.shape);
    }
    body.pose = core_pose<Scalar>(from.pose, dim);
    body.velocity = core_motion<Scalar, Dim>([&](std::size_t k) { return from.velocity[k]; });
    int index = 0;
    check(stepper::add_body(world, body, index), key);
  }
  if constexpr (C.arm_joints > 0) add_arms(scene, world);
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    const ContactPair& from = scene.contacts[i];
    CorePatch<Scalar> patch;
    stepper::ContactDescription<Scalar, Dim> pair;
    pair.a = static_cast<int>(scene.number(from.body[0]));
    pair.b = static_cast<int>(scene.number(from.body[1]));
    pair.friction = core_friction<Scalar>(from.mu);
    pair.restitution = to<Scalar>(from.restitution);
    pair.impact = from.impact;
    if (from.patch) {
      patch = core_patch<Scalar>(*from.patch);
      pair.patch = &patch.law;
      if (from.first_is_elastic) pair.elastic = pair.a;
    }
    std::array<math::Vector<Scalar, Dim>, kMaxPoints> points;
    for (std::size_t k = 0; k < from.points.size(); ++k)
      for (int n = 0; n < Dim; ++n) points[k][n] = to<Scalar>(from.points[k][static_cast<std::size_t>(n)]);
    if (!from.points.empty()) pair.points = points.data();
    pair.point_count = static_cast<int>(from.points.size());
    int index = 0;
    check(stepper::add_contact(world, pair, index), fmt::format("contacts[{}]", i));
    if constexpr (Dim == 3 && C.torsion) {
      if (!from.ellipsoid) continue;
      math::Vector<Scalar, 3> axes;
      for (int k = 0; k < 3; ++k) axes[k] = to<Scalar>((*from.ellipsoid)[static_cast<std::size_t>(k)]);
      check(stepper::set_ellipsoid(world, index, axes), fmt::format("contacts[{}].ellipsoid", i));
    }
  }
  for (std::size_t i = 0; i < scene.joints.size(); ++i) {
    const Joint& from = scene.joints[i];
    math::Vector<Scalar, Dim> at, axis;
    for (int k = 0; k < Dim; ++k) {
      at[k] = to<Scalar>(from.at[static_cast<std::size_t>(k)]);
      axis[k] = to<Scalar>(from.axis[static_cast<std::size_t>(k)]);
    }
    int index = 0;
    check(stepper::add_joint(world, core_joint(from.kind), from.body[0], from.body[1], at, axis, index),
          fmt::format("joints[{}]", i));
  }
}

}  // namespace tactus::host
