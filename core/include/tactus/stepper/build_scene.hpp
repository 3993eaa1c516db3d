// Building the world of a scene of constants: see scene.hpp.
//
//     if (const Error error = build(world, kScene)) return std::puts(Sentence(error).text());
//
// The error is that of the first call of build.hpp and build_arm.hpp that refuses, its index that of the item
// in the scene's list (joints of arms count through all arms). The world is then empty, and a step refuses
// it.
#pragma once

#include <new>

#include "tactus/stepper/build_arm.hpp"
#include "tactus/stepper/scene.hpp"

namespace tactus::stepper {

namespace detail {

template <class Scalar, int N>
inline math::Vector<Scalar, N> vector_of(const double* from) {
  math::Vector<Scalar, N> v;
  for (int i = 0; i < N; ++i) v[i] = static_cast<Scalar>(from[i]);
  return v;
}

template <class Scalar>
inline geometry::PlanarPose<Scalar> pose_of(const ScenePose<2>& p) {
  return {static_cast<Scalar>(p.x), static_cast<Scalar>(p.y), static_cast<Scalar>(p.angle)};
}
template <class Scalar>
inline geometry::SpatialPose<Scalar> pose_of(const ScenePose<3>& p) {
  return {vector_of<Scalar, 3>(p.position), static_cast<Scalar>(p.w), static_cast<Scalar>(p.x),
          static_cast<Scalar>(p.y), static_cast<Scalar>(p.z)};
}

template <class Scalar, int Dim>
inline dynamics::Motion<Scalar, Dim> motion_of(const SceneMotion<Dim>& m) {
  return {vector_of<Scalar, Dim>(m.linear), vector_of<Scalar, dynamics::kSpin<Dim>>(m.angular)};
}

template <class Scalar>
inline geometry::PlanarShape<Scalar> shape_of(const SceneShape<2>& shape) {
  using Kind = geometry::PlanarKind;
  const auto s = vector_of<Scalar, 2>(shape.size);
  switch (shape.kind) {
    case Kind::half_space:
      return geometry::half_space<Scalar>(s, static_cast<Scalar>(shape.offset));
    case Kind::disc:
      return geometry::disc(s[0]);
    case Kind::ellipse:
      return geometry::ellipse(s[0], s[1]);
    case Kind::box:
      return geometry::box(s[0], s[1]);
    case Kind::polygon:
      return geometry::polygon(shape.sides, s[0]);
    case Kind::rod:
      return geometry::rod(s[0]);
  }
  return {shape.kind};
}
template <class Scalar>
inline geometry::SpatialShape<Scalar> shape_of(const SceneShape<3>& shape) {
  using Kind = geometry::SpatialKind;
  const auto s = vector_of<Scalar, 3>(shape.size);
  switch (shape.kind) {
    case Kind::half_space:
      return geometry::half_space<Scalar>(s, static_cast<Scalar>(shape.offset));
    case Kind::sphere:
      return geometry::sphere(s[0]);
    case Kind::ellipsoid:
      return geometry::ellipsoid(s[0], s[1], s[2]);
    case Kind::box:
      return geometry::box(s[0], s[1], s[2]);
    case Kind::capsule:
      return geometry::capsule(s[0], s[1]);
  }
  return {shape.kind};
}

template <class Scalar, int Dim>
inline dynamics::SpinMatrix<Scalar, Dim> inertia_of(const SceneBody<Dim>& body) {
  if constexpr (Dim == 2)
    return dynamics::SpinMatrix<Scalar, 2>(static_cast<Scalar>(body.inertia[0]));
  else
    return dynamics::inertia_of<Scalar>(body.inertia);
}

// All of an arm, and its place among the links of the world.
template <class Scalar, Capacity C>
[[gnu::cold]] inline Error add_arm(World<Scalar, 3, C>& world, const SceneArm& data) {
  int first = world.model.arm.links.joints;
  ArmDescription<Scalar, C.arm_joints> arm;
  for (const dynamics::LinkData& link : data.links) {
    if (const Error error = dynamics::add_link(arm.links, dynamics::to_link<Scalar>(link)))
      return error.of(first + error.index);
    take_drive(link, at(arm.links.joints - 1), arm);
  }
  arm.base = pose_of<Scalar>(data.base);
  for (const auto& given : {data.q, data.qd, data.torque})
    if (given.size() > data.links.size()) return {What::arm_capacity, -1, given.size(), data.links.size()};
  const auto take = [](std::span<const double> from, auto& to) {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<Scalar>(from[i]);
  };
  take(data.q, arm.q);
  take(data.qd, arm.qd);
  take(data.torque, arm.torque);
  const Error error = add_arm(world, arm, first);
  return error.index < 0 ? error : error.of(first + error.index);
}

template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline Error add_body(World<Scalar, Dim, C>& world, const SceneBody<Dim>& data) {
  const BodyDescription<Scalar, Dim> body{
      static_cast<Scalar>(data.mass),        inertia_of<Scalar>(data),
      shape_of<Scalar>(data.shape),          pose_of<Scalar>(data.pose),
      motion_of<Scalar, Dim>(data.velocity), motion_of<Scalar, Dim>(data.force)};
  int index = world.model.bodies;
  if (data.link == -1) return add_body(world, body, index);
  if constexpr (C.arm_joints > 0) {
    const auto zero = [](const auto& m) { return m.linear.isZero(0) && m.angular.isZero(0); };
    if (body.mass != 0 || !zero(body.velocity) || !zero(body.force)) return {What::carried, index};
    return add_carried(world, data.link, body.shape, body.pose, index);
  }
  return {What::unknown_link, index, 0, data.link};
}

template <class Scalar>
inline contact::PatchLaw<Scalar> law_of(const contact::PatchLaw<double>& law) {
  return {law.columns,
          law.rows,
          static_cast<Scalar>(law.spacing),
          static_cast<Scalar>(law.compliance),
          static_cast<Scalar>(law.poisson),
          static_cast<Scalar>(law.stiffness),
          static_cast<Scalar>(law.damping),
          static_cast<Scalar>(law.damping_ratio),
          static_cast<Scalar>(law.stiffness_t),
          law.printed};
}

// K and C of a scene in the world's precision.
template <class Scalar, int Dim, int Elements>
struct OwnMatrices {
  std::array<Scalar, static_cast<std::size_t>(Dim*Elements*Dim*Elements)> K, C;

  void take(const contact::PatchLaw<double>& from, contact::PatchLaw<Scalar>& law) {
    const auto copy = [&](const double* matrix, auto& to) -> const Scalar* {
      if (matrix == nullptr) return nullptr;
      const int rows = Dim * from.elements();
      for (int i = 0; i < rows * rows; ++i) to[at(i)] = static_cast<Scalar>(matrix[i]);
      return to.data();
    };
    law.K = copy(from.K, K);
    law.C = copy(from.C, C);
  }
};

template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline Error add_contact(World<Scalar, Dim, C>& world, const SceneContact<Dim>& data) {
  ContactDescription<Scalar, Dim> made{.a = data.a, .b = data.b, .elastic = data.elastic};
  const auto& f = data.friction;
  made.friction = {f.kind, static_cast<Scalar>(f.kinetic), static_cast<Scalar>(f.resting),
                   static_cast<Scalar>(f.extra), static_cast<Scalar>(f.scale)};
  made.restitution = static_cast<Scalar>(data.restitution);
  made.impact = data.impact;
  contact::PatchLaw<Scalar> law;
  OwnMatrices<Scalar, Dim, C.patch_elements> own;
  if (data.patch) {
    law = law_of<Scalar>(*data.patch);
    if (law.elements() <= C.patch_elements) own.take(*data.patch, law);
    made.patch = &law;
  }
  // One more than there may be, so that there always is one; add_contact counts before it reads.
  std::array<math::Vector<Scalar, Dim>, static_cast<std::size_t>(C.points) + 1> points;
  for (std::size_t i = 0; i < data.points.size() && i < points.size(); ++i)
    points[i] = vector_of<Scalar, Dim>(data.points[i].data());
  if (!data.points.empty()) made.points = points.data();
  made.point_count = static_cast<int>(data.points.size());
  int index = world.model.contacts;
  if (const Error error = add_contact(world, made, index)) return error;
  if (!has_ellipsoid(data)) return {};
  if constexpr (Dim == 3 && C.torsion && C.contacts > 0)
    return set_ellipsoid(world, index, vector_of<Scalar, 3>(data.ellipsoid));
  return {What::ellipsoid, index};
}

template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline Error add_scene(World<Scalar, Dim, C>& world, const Scene<Dim>& scene) {
  if (const Error error = configure<Scalar, Dim, C>(world, static_cast<Scalar>(scene.step),
                                                    vector_of<Scalar, Dim>(scene.gravity), scene.method))
    return error;
  if constexpr (C.arm_joints > 0) {
    for (const SceneArm& arm : scene.arms)
      if (const Error error = add_arm(world, arm)) return error;
  } else if (!scene.arms.empty()) {
    return {What::arm_capacity, -1, scene.arms[0].links.size(), 0};
  }
  for (const auto& body : scene.bodies)
    if (const Error error = add_body(world, body)) return error;
  for (const auto& contact : scene.contacts)
    if (const Error error = add_contact(world, contact)) return error;
  for (const auto& joint : scene.joints) {
    int index = 0;
    if (const Error error =
            add_joint<Scalar, Dim, C>(world, joint.type, joint.a, joint.b, vector_of<Scalar, Dim>(joint.at),
                                      vector_of<Scalar, Dim>(joint.axis), index))
      return error;
  }
  return {};
}

}  // namespace detail

// Of what was in the world nothing stays.
template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline Error build(World<Scalar, Dim, C>& world, const Scene<Dim>& scene) {
  using Built = World<Scalar, Dim, C>;
  new (&world) Built{};  // in its place: an assignment would need another one on the stack
  const Error error = detail::add_scene(world, scene);
  if (error) new (&world) Built{};
  return error;
}

}  // namespace tactus::stepper
