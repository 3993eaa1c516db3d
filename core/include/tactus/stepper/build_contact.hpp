// The contacts and joints of a world. Part of build.hpp.
#pragma once

#include "tactus/contact/patch_matrices.hpp"
#include "tactus/geometry/find_contacts.hpp"
#include "tactus/stepper/build_body.hpp"

namespace tactus::stepper {

template <class Scalar, int Dim>
struct ContactDescription {
  int a = 0, b = 0;
  contact::Friction<Scalar> friction{};
  Scalar restitution = 0;
  ImpactLaw impact = ImpactLaw::of_scene;            // of rigid contacts
  const contact::PatchLaw<Scalar>* patch = nullptr;  // null: rigid
  int elastic = -1;                                  // the body that the patch is of, a or b; -1: b
  const math::Vector<Scalar, Dim>* points =
      nullptr;  // contact points given in the frame of b, a a half-space
  int point_count = 0;
};

// How many contact points of a pair are remembered from step to step.
template <class Kind>
constexpr int point_slots(Kind a, Kind b, int sides) {
  if (a != Kind::half_space && b == Kind::half_space) return point_slots(b, a, sides);
  const int of_a = geometry::half_space_points(a), of_b = geometry::half_space_points(b);
  if (of_a == 1 || of_b == 1) return 1;
  if (a != Kind::half_space)
    return geometry::kDimOf<Kind> == 2 ? geometry::kMaxPlanarPoints : geometry::kMaxSpatialPoints;
  return of_b > 0 ? of_b : (sides < kMaxTouches ? sides : kMaxTouches);
}

namespace detail {

// One with matrices of its own is no other's.
template <class Scalar>
constexpr bool equal(const contact::PatchLaw<Scalar>& p, const contact::PatchLaw<Scalar>& q) {
  return p.columns == q.columns && p.rows == q.rows && p.spacing == q.spacing &&
         p.compliance == q.compliance && p.poisson == q.poisson && p.stiffness == q.stiffness &&
         p.damping == q.damping && p.damping_ratio == q.damping_ratio && p.stiffness_t == q.stiffness_t &&
         p.printed == q.printed && p.K == nullptr && q.K == nullptr && p.C == nullptr && q.C == nullptr;
}

// patch: null for a rigid contact.
template <class Scalar>
constexpr Parts needed_parts(contact::FrictionKind kind, bool bounces,
                             const contact::PatchLaw<Scalar>* patch) {
  Parts parts = 0;
  if (kind != contact::FrictionKind::constant) parts |= varying_friction;
  if (bounces) parts |= restitution;
  if (patch != nullptr && patch->elements() > 1 && !patch->printed) parts |= material_patches;
  if (patch != nullptr && (patch->K != nullptr || patch->C != nullptr)) parts |= own_matrices;
  return parts;
}

template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline Error check_pair(const Model<Scalar, Dim, C>& m, int a, int b, int number) {
  for (const int body : {a, b})
    if (body < 0 || body >= m.bodies) return {What::unknown_body, number, m.bodies, body};
  if (a == b) return {What::same_body, number, 0, a};
  const auto moves = [&](int i) {
    return m.inertia[static_cast<std::size_t>(i)].mass > 0 || m.arm.carries(i);
  };
  if (!moves(a) && !moves(b)) return {What::both_fixed, number};
  return {};
}

// The law of a contact, whatever its shapes.
template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline Error take_law(const ContactDescription<Scalar, Dim>& d, int number, bool implicit,
                                    Contact<Scalar>& made) {
  if (implicit)
    if (const Error error = check_implicit<Scalar>(d, number)) return error;
  if (!contact::valid(d.friction)) return {What::friction, number};
  if (!(d.restitution >= 0) || !(d.restitution <= 1)) return {What::restitution, number, 1, d.restitution};
  if (d.patch != nullptr && d.restitution != 0)
    return {What::compliant_restitution, number, 0, d.restitution};
  if (d.impact >= ImpactLaw::end) return {What::impact, number, 0, static_cast<int>(d.impact)};
  const Parts needed = needed_parts(d.friction.kind, d.restitution != 0, d.patch);
  if (const Error error = check_parts<C>(needed)) return error.of(number);
  if (d.elastic != -1 && d.elastic != d.a && d.elastic != d.b)
    return {What::elastic_body, number, 0, d.elastic};
  made.bodies = {static_cast<std::uint8_t>(d.a), static_cast<std::uint8_t>(d.b)};
  made.first_is_elastic = d.elastic == d.a;
  made.friction = d.friction;
  made.restitution = d.restitution;
  made.impact = d.impact;
  return {};
}

// Where its points come from, given ones or the geometry, and how many there can be.
template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline Error take_points(const Model<Scalar, Dim, C>& m,
                                       const ContactDescription<Scalar, Dim>& d, int number,
                                       Contact<Scalar>& made) {
  if (m.is_implicit()) return {};  // the closest ones
  const auto& a = m.shape[static_cast<std::size_t>(d.a)];
  const auto& b = m.shape[static_cast<std::size_t>(d.b)];
  if (d.points == nullptr) {
    if (!geometry::is_supported(a.kind, b.kind) || !geometry::has(C.pairs, a.kind, b.kind))
      return {What::unsupported_pair, number};
    made.point_slots = static_cast<std::uint8_t>(point_slots(a.kind, b.kind, a.sides + b.sides));
    return {};
  }
  const int points = m.points + d.point_count;
  if constexpr (C.points > 0) {
    if (!is_half_space(a)) return {What::point, number};
    if (d.point_count < 1 || d.point_count > 255) return {What::points, number, 255, d.point_count};
    if (points > C.points) return {What::point_capacity, number, points, C.points};
    for (int i = 0; i < d.point_count; ++i)
      if (!math::finite<Scalar, Dim>(d.points[i])) return {What::point, number};
    made.given_points = made.point_slots = static_cast<std::uint8_t>(d.point_count);
    made.first_point = static_cast<std::uint16_t>(m.points);
    return {};
  }
  return {What::point_capacity, number, points, 0};
}

// The patch of this law that is there, or m.patches where one has to be made and there is room for it.
template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline Error find_patch(const Model<Scalar, Dim, C>& m, const contact::PatchLaw<Scalar>& law,
                                      int number, int& patch) {
  if (!(m.h > 0)) return {What::step, -1, 0, m.h};
  patch = -1;
  for (int i = 0; i < m.patches; ++i)
    if (!m.patch[static_cast<std::size_t>(i)].own && equal(m.patch[static_cast<std::size_t>(i)].law, law))
      patch = i;
  if (patch >= 0) return {};
  if (const Error error = contact::check<C.has(own_matrices)>(law, Dim, C.patch_elements))
    return error.of(number);
  constexpr int kMostPatches = C.patches < 127 ? C.patches : 127;
  if (m.patches >= kMostPatches) return {What::patch_capacity, number, m.patches + 1, kMostPatches};
  patch = m.patches;
  return {};
}

}  // namespace detail

template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline Error add_contact(World<Scalar, Dim, C>& world, const ContactDescription<Scalar, Dim>& d,
                                       int& index) {
  auto& m = world.model;
  const int number = m.contacts;
  constexpr int kMost = C.contacts < 255 ? C.contacts : 255;
  if (number >= kMost) return {What::contact_capacity, number, number + 1, kMost};
  if (const Error error = detail::check_pair(m, d.a, d.b, number)) return error;
  Contact<Scalar> made;
  if (const Error error = detail::take_law<Scalar, Dim, C>(d, number, m.is_implicit(), made)) return error;
  if (const Error error = detail::take_points(m, d, number, made)) return error;
  int patch = -1;
  if (C.has_rows() && d.patch != nullptr) {
    if (const Error error = detail::find_patch(m, *d.patch, number, patch)) return error;
    made.elements = static_cast<std::uint8_t>(d.patch->elements());
  }
  const int slots = m.is_implicit() ? 0 : made.point_slots * made.elements;
  if (m.slots + slots > C.slots) return {What::slot_capacity, number, m.slots + slots, C.slots};
  if (C.has_rows() && patch >= 0 && patch == m.patches) {
    auto& made_patch = m.patch[static_cast<std::size_t>(patch)];
    if (const Error error = contact::configure(made_patch, *d.patch, m.h)) return error.of(number);
    ++m.patches;
  }
  made.patch = static_cast<std::int8_t>(patch);
  made.first_slot = static_cast<std::uint16_t>(m.slots);
  for (int i = 0; i < slots; ++i) {
    if constexpr (kDeforms<C>) world.state.delta[static_cast<std::size_t>(m.slots + i)].setZero();
    world.state.grip[static_cast<std::size_t>(m.slots + i)] = contact::Grip::unknown;
  }
  for (int i = 0; i < made.given_points; ++i) m.point[static_cast<std::size_t>(m.points + i)] = d.points[i];
  m.points += made.given_points;
  m.slots += slots;
  index = m.contacts++;
  m.contact[static_cast<std::size_t>(index)] = made;
  return {};
}

// Gives a contact the friction ellipsoid of contact/friction_ellipsoid.hpp, e_t and e_o numbers, e_r in m.
template <class Scalar, Capacity C>
[[gnu::cold]] inline Error set_ellipsoid(World<Scalar, 3, C>& world, int contact,
                                         const math::Vector<Scalar, 3>& axes) {
  static_assert(C.torsion, "this world was compiled without torsion");
  auto& m = world.model;
  for (int k = 0; k < 3; ++k)
    if (!(axes[k] >= 0) || !math::finite(axes[k])) return {What::ellipsoid, contact};
  if (contact < 0 || contact >= m.contacts ||
      !detail::is_exact<C>(m.contact[static_cast<std::size_t>(contact)]) || axes.isZero(0))
    return {What::ellipsoid, contact};
  if constexpr (C.arm_joints > 0)
    if (m.arm.links.joints > 0) return {What::ellipsoid, contact};
  m.ellipsoid.axes[static_cast<std::size_t>(contact)] = axes;
  m.ellipsoid.given = true;
  return {};
}

// Joins two bodies as they stand; `at` (m) and `axis` (any length; used by revolute and prismatic) in the
// world frame.
template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline Error add_joint(World<Scalar, Dim, C>& world, dynamics::JointType type, int a, int b,
                                     const math::Vector<Scalar, Dim>& at,
                                     const math::Vector<Scalar, Dim>& axis, int& index) {
  auto& m = world.model;
  const int number = m.joints;
  if (m.is_implicit()) return {What::no_joints, number};
  if (number >= C.joints) return {What::joint_capacity, number, number + 1, C.joints};
  if (const Error error = detail::check_pair(m, a, b, number)) return error;
  if (m.arm.carries(a) || m.arm.carries(b)) return {What::joint_on_arm, number};
  if (!math::finite<Scalar, Dim>(at)) return {What::joint_anchor, number};
  const bool needs_axis =
      type == dynamics::JointType::prismatic || (Dim == 3 && type == dynamics::JointType::revolute);
  math::Vector<Scalar, Dim> unit = math::Vector<Scalar, Dim>::Unit(0);
  if (needs_axis) {
    if (!math::finite<Scalar, Dim>(axis)) return {What::joint_axis, number};
    unit = math::direction<Scalar, Dim>(axis, math::Vector<Scalar, Dim>::Zero());
    if (unit.isZero(0)) return {What::joint_axis, number};
  }
  index = m.joints++;
  m.joint[static_cast<std::size_t>(index)] = dynamics::make_joint<Scalar, Dim>(
      type, {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)},
      world.state.pose[static_cast<std::size_t>(a)], world.state.pose[static_cast<std::size_t>(b)], at, unit);
  return {};
}

}  // namespace tactus::stepper
