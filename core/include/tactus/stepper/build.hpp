// Building a world, with every number checked once, so that a step need not: each call returns a BuildError
// and changes nothing unless it is `none`.
//
//     World<float, 2, C> world;
//     configure(world, h, gravity, method);            // first: patches depend on h
//     add_body(world, {.shape = half_space, .pose = ...}, ground);         // no mass: fixed
//     add_body(world, {.mass = 0.05F, .inertia = ..., .shape = ..., ...}, ellipse);
//     add_contact(world, {.a = ground, .b = ellipse, .friction = {.kinetic = 0.2F}, .patch = &law}, index);
//     add_joint(world, JointType::revolute, a, b, at, axis, index);
#pragma once

#include "tactus/geometry/planar.hpp"
#include "tactus/geometry/spatial.hpp"
#include "tactus/stepper/build_error.hpp"
#include "tactus/stepper/model.hpp"

namespace tactus::stepper {

template <class Scalar, int Dim>
struct BodyDescription {
  Scalar mass = 0;  // kg; 0 is a fixed body
  dynamics::SpinMatrix<Scalar, Dim> inertia =
      dynamics::SpinMatrix<Scalar, Dim>::Zero();  // kg m^2, body frame
  Shape<Scalar, Dim> shape{};
  dynamics::Pose<Scalar, Dim> pose{};
  dynamics::Motion<Scalar, Dim> velocity{};
  dynamics::Motion<Scalar, Dim> force{};  // applied, world frame, at the centre of mass, without gravity
};

template <class Scalar, int Dim>
struct ContactDescription {
  int a = 0, b = 0;
  contact::Friction<Scalar> friction{};
  Scalar restitution = 0;
  const contact::PatchLaw<Scalar>* patch = nullptr;  // null: rigid
  const math::Vector<Scalar, Dim>* points =
      nullptr;  // contact points given in the frame of b, a a half-space
  int point_count = 0;
};

// How many contact points of a pair are remembered from step to step.
constexpr int point_slots(geometry::PlanarKind a, geometry::PlanarKind b, int sides) {
  using Kind = geometry::PlanarKind;
  if (a != Kind::half_space && b == Kind::half_space) return point_slots(b, a, sides);
  if (a == Kind::disc || a == Kind::ellipse || b == Kind::disc || b == Kind::ellipse) return 1;
  if (a != Kind::half_space) return geometry::kMaxPlanarPoints;
  if (b == Kind::polygon) return sides < kMaxTouches ? sides : kMaxTouches;
  return b == Kind::rod ? 2 : 4;
}

constexpr int point_slots(geometry::SpatialKind a, geometry::SpatialKind b, int) {
  using Kind = geometry::SpatialKind;
  if (a != Kind::half_space && b == Kind::half_space) return point_slots(b, a, 0);
  if (a == Kind::sphere || a == Kind::ellipsoid || b == Kind::sphere || b == Kind::ellipsoid) return 1;
  if (a != Kind::half_space) return geometry::kMaxSpatialPoints;
  return b == Kind::capsule ? 2 : 8;
}

namespace detail {

template <class Scalar>
constexpr int sides(const geometry::PlanarShape<Scalar>& a, const geometry::PlanarShape<Scalar>& b) {
  return b.kind == geometry::PlanarKind::polygon ? b.sides : a.sides;
}
template <class Scalar>
constexpr int sides(const geometry::SpatialShape<Scalar>&, const geometry::SpatialShape<Scalar>&) {
  return 0;
}

template <class Shape>
constexpr bool is_half_space(const Shape& shape) {
  return shape.kind == decltype(shape.kind)::half_space;
}

template <class Scalar>
inline bool equal(const contact::PatchLaw<Scalar>& p, const contact::PatchLaw<Scalar>& q) {
  return p.columns == q.columns && p.rows == q.rows && p.spacing == q.spacing &&
         p.compliance == q.compliance && p.poisson == q.poisson && p.stiffness == q.stiffness &&
         p.damping == q.damping;
}

}  // namespace detail

// Sets the step, gravity and method. Patches that are there already are computed anew for the step.
template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline BuildError configure(Model<Scalar, Dim, C>& m, Scalar h,
                                          const math::Vector<Scalar, Dim>& gravity,
                                          const Method& method = {}) {
  if (!(h > 0) || !math::finite(h) || !math::finite(1 / h)) return BuildError::step;
  if (!math::finite<Scalar, Dim>(gravity)) return BuildError::gravity;
  if (Dim == 3 && !contact::valid_facets(method.facets)) return BuildError::facets;
  const bool box = method.pyramid == contact::Pyramid::box;
  if (!C.has(box ? box_form : facet_form)) return BuildError::part;
  if (method.normal != NormalRule::gap && !C.has(printed_rules)) return BuildError::part;
  if (method.fixed_point > 0 && !C.has(repeated_steps)) return BuildError::part;
  if (method.friction != FrictionLaw::pyramid && !C.has(round_cone)) return BuildError::part;
  for (int i = 0; i < m.patches; ++i) {
    auto& patch = m.patch[static_cast<std::size_t>(i)];
    const auto error = contact::configure(patch, contact::PatchLaw<Scalar>(patch.law), h);
    if (error != contact::PatchError::none) return build_error(error);
  }
  m.h = h;
  m.gravity = gravity;
  m.method = method;
  return BuildError::none;
}

template <class Scalar, int Dim, Capacity C>
inline BuildError configure(World<Scalar, Dim, C>& world, Scalar h, const math::Vector<Scalar, Dim>& gravity,
                            const Method& method = {}) {
  return configure(world.model, h, gravity, method);
}

template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline BuildError add_body(World<Scalar, Dim, C>& world,
                                         const BodyDescription<Scalar, Dim>& body, int& index) {
  auto& m = world.model;
  if (m.bodies >= C.bodies) return BuildError::body_capacity;
  dynamics::Inertia<Scalar, Dim> inertia;
  if (body.mass != 0) {
    const auto error = dynamics::make_inertia<Scalar, Dim>(body.mass, body.inertia, inertia);
    if (error == dynamics::InertiaError::mass) return BuildError::mass;
    if (error == dynamics::InertiaError::inertia) return BuildError::inertia;
  }
  if (!geometry::is_valid(body.pose)) return BuildError::pose;
  if (!dynamics::finite<Scalar, Dim>(body.velocity)) return BuildError::velocity;
  if (body.mass == 0 && !(body.velocity.linear.isZero(0) && body.velocity.angular.isZero(0)))
    return BuildError::velocity;
  if (!dynamics::finite<Scalar, Dim>(body.force)) return BuildError::force;
  if (geometry::check(body.shape) != geometry::ShapeStatus::ok) return BuildError::shape;
  if (detail::is_half_space(body.shape) && body.mass != 0) return BuildError::moving_half_space;
  index = m.bodies++;
  const auto i = static_cast<std::size_t>(index);
  m.inertia[i] = inertia;
  m.shape[i] = body.shape;
  m.radius[i] = detail::is_half_space(body.shape) ? Scalar(0) : geometry::bounding_radius(body.shape);
  world.state.pose[i] = body.pose;
  world.state.velocity[i] = body.velocity;
  world.state.force[i] = body.force;
  return BuildError::none;
}

namespace detail {

template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline BuildError check_pair(const Model<Scalar, Dim, C>& m, int a, int b) {
  if (a < 0 || b < 0 || a >= m.bodies || b >= m.bodies) return BuildError::unknown_body;
  if (a == b) return BuildError::same_body;
  const auto moves = [&](int i) {
    return m.inertia[static_cast<std::size_t>(i)].mass > 0 || m.arm.carries(i);
  };
  if (!moves(a) && !moves(b)) return BuildError::both_fixed;
  return BuildError::none;
}

}  // namespace detail

template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline BuildError add_contact(World<Scalar, Dim, C>& world,
                                            const ContactDescription<Scalar, Dim>& d, int& index) {
  auto& m = world.model;
  if (m.contacts >= C.contacts || m.contacts > 254) return BuildError::contact_capacity;
  const BuildError pair = detail::check_pair(m, d.a, d.b);
  if (pair != BuildError::none) return pair;
  const auto& shape_a = m.shape[static_cast<std::size_t>(d.a)];
  const auto& shape_b = m.shape[static_cast<std::size_t>(d.b)];
  if (d.friction.kind != contact::FrictionKind::constant && !C.has(varying_friction)) return BuildError::part;
  if (!contact::valid(d.friction)) return BuildError::friction;
  if (!(d.restitution >= 0) || !(d.restitution <= 1)) return BuildError::restitution;
  if (d.patch != nullptr && d.restitution != 0) return BuildError::compliant_restitution;
  if (d.restitution != 0 && !C.has(restitution)) return BuildError::part;
  if (d.patch == nullptr && !C.has(facet_form)) return BuildError::part;  // its box form can be singular
  contact::Friction<Scalar> friction = d.friction;
  Contact<Scalar> made;
  made.bodies = {static_cast<std::uint8_t>(d.a), static_cast<std::uint8_t>(d.b)};
  made.friction = friction;
  made.restitution = d.restitution;
  if (d.points != nullptr && C.points == 0) return BuildError::point_capacity;
  if (C.points > 0 && d.points != nullptr) {
    if (!detail::is_half_space(shape_a)) return BuildError::point;
    if (d.point_count < 1 || m.points + d.point_count > C.points || d.point_count > 255)
      return BuildError::point_capacity;
    for (int i = 0; i < d.point_count; ++i)
      if (!math::finite<Scalar, Dim>(d.points[i])) return BuildError::point;
    made.given_points = made.point_slots = static_cast<std::uint8_t>(d.point_count);
    made.first_point = static_cast<std::uint16_t>(m.points);
  } else {
    if (!geometry::is_supported(shape_a.kind, shape_b.kind) ||
        !geometry::has(C.pairs, shape_a.kind, shape_b.kind))
      return BuildError::unsupported_pair;
    made.point_slots =
        static_cast<std::uint8_t>(point_slots(shape_a.kind, shape_b.kind, detail::sides(shape_a, shape_b)));
  }
  int patch = -1;
  if (d.patch != nullptr) {
    if (!(m.h > 0)) return BuildError::step;
    for (int i = 0; i < m.patches; ++i)
      if (detail::equal(m.patch[static_cast<std::size_t>(i)].law, *d.patch)) patch = i;
    if (patch < 0) {
      const auto error = contact::check(*d.patch, Dim, C.patch_elements);
      if (error != contact::PatchError::none) return build_error(error);
      if (m.patches >= C.patches || m.patches > 126) return BuildError::patch_capacity;
    }
    made.elements = static_cast<std::uint8_t>(d.patch->elements());
  }
  const int slots = made.point_slots * made.elements;
  if (m.slots + slots > C.slots) return BuildError::slot_capacity;
  if (d.patch != nullptr && patch < 0) {
    const auto error = contact::configure(m.patch[static_cast<std::size_t>(m.patches)], *d.patch, m.h);
    if (error != contact::PatchError::none) return build_error(error);
    patch = m.patches++;
  }
  made.patch = static_cast<std::int8_t>(patch);
  made.first_slot = static_cast<std::uint16_t>(m.slots);
  for (int i = 0; i < slots; ++i) {
    if constexpr (C.patches > 0) world.state.delta[static_cast<std::size_t>(m.slots + i)].setZero();
    world.state.grip[static_cast<std::size_t>(m.slots + i)] = contact::Grip::unknown;
  }
  for (int i = 0; i < made.given_points; ++i) m.point[static_cast<std::size_t>(m.points + i)] = d.points[i];
  m.points += made.given_points;
  m.slots += slots;
  index = m.contacts++;
  m.contact[static_cast<std::size_t>(index)] = made;
  return BuildError::none;
}

// Gives a contact the friction ellipsoid of contact/friction_ellipsoid.hpp, e_t and e_o numbers, e_r in m.
template <class Scalar, Capacity C>
[[gnu::cold]] inline BuildError set_ellipsoid(World<Scalar, 3, C>& world, int contact,
                                              const math::Vector<Scalar, 3>& axes) {
  static_assert(C.torsion, "this world was compiled without torsion");
  auto& m = world.model;
  for (int k = 0; k < 3; ++k)
    if (!(axes[k] >= 0) || !math::finite(axes[k])) return BuildError::ellipsoid;
  if (contact < 0 || contact >= m.contacts || m.contact[static_cast<std::size_t>(contact)].patch >= 0 ||
      axes.isZero(0))
    return BuildError::ellipsoid;
  if constexpr (C.arm_joints > 0)
    if (m.arm.links.joints > 0) return BuildError::ellipsoid;
  m.ellipsoid.axes[static_cast<std::size_t>(contact)] = axes;
  m.ellipsoid.given = true;
  return BuildError::none;
}

// Joins two bodies as they stand; `at` (m) and `axis` (any length; used by revolute and prismatic) in the
// world frame.
template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline BuildError add_joint(World<Scalar, Dim, C>& world, dynamics::JointType type, int a,
                                          int b, const math::Vector<Scalar, Dim>& at,
                                          const math::Vector<Scalar, Dim>& axis, int& index) {
  auto& m = world.model;
  if (m.joints >= C.joints) return BuildError::joint_capacity;
  const BuildError pair = detail::check_pair(m, a, b);
  if (pair != BuildError::none) return pair;
  if (m.arm.carries(a) || m.arm.carries(b)) return BuildError::joint_on_arm;
  if (!math::finite<Scalar, Dim>(at)) return BuildError::joint_anchor;
  const bool needs_axis =
      type == dynamics::JointType::prismatic || (Dim == 3 && type == dynamics::JointType::revolute);
  math::Vector<Scalar, Dim> unit = math::Vector<Scalar, Dim>::Unit(0);
  if (needs_axis) {
    if (!math::finite<Scalar, Dim>(axis)) return BuildError::joint_axis;
    unit = math::direction<Scalar, Dim>(axis, math::Vector<Scalar, Dim>::Zero());
    if (unit.isZero(0)) return BuildError::joint_axis;
  }
  index = m.joints++;
  m.joint[static_cast<std::size_t>(index)] = dynamics::make_joint<Scalar, Dim>(
      type, {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)},
      world.state.pose[static_cast<std::size_t>(a)], world.state.pose[static_cast<std::size_t>(b)], at, unit);
  return BuildError::none;
}

}  // namespace tactus::stepper
