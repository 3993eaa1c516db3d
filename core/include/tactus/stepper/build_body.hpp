// The step and the method of a world, and its bodies. Part of build.hpp.
#pragma once

#include "tactus/contact/patch_matrices.hpp"
#include "tactus/dynamics/drift.hpp"
#include "tactus/geometry/implicit_surface.hpp"
#include "tactus/sentence.hpp"
#include "tactus/stepper/implicit_build.hpp"

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
  geometry::SurfaceView<Scalar, Dim> surface{};  // implicit law: of a body that is no `shape`; copied
};

namespace detail {

template <class Shape>
constexpr bool is_half_space(const Shape& shape) {
  return shape.kind == decltype(shape.kind)::half_space;
}

constexpr Parts needed_parts(const Method& method) {
  Parts parts = 0;
  if (method.normal != NormalRule::gap) parts |= printed_rules;
  if (method.fixed_point > 0) parts |= repeated_steps;
  if (method.friction == FrictionLaw::relaxed_cone || method.friction == FrictionLaw::cone)
    parts |= round_cone;
  if (method.seek_second) parts |= second_answer;
  return parts;
}

template <Capacity C>
constexpr Error check_parts(Parts needed) {
  for (int part = 1; part <= (every_part | second_answer); part *= 2)
    if ((needed & part) != 0 && (C.parts & part) == 0) return {What::part, -1, part, 0};
  return {};
}

// Whether a world that may have bodies can have this law.
template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline Error check_law(const Model<Scalar, Dim, C>& m, FrictionLaw law) {
  const bool implicit = law == FrictionLaw::implicit;
  if (implicit && C.pieces == 0) return {What::surface_capacity, -1, 1, 0};
  if (!implicit && !C.has_rows()) return {What::slot_capacity, -1, 1, 0};
  int there = m.bodies;
  if constexpr (C.arm_joints > 0) there += m.arm.links.joints;
  if (implicit != m.is_implicit() && there > 0) return {What::law_of_bodies, -1, 0, there};
  return {};
}

}  // namespace detail

// Sets the step, gravity and method. Patches that are there already are computed anew for the step.
template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline Error configure(Model<Scalar, Dim, C>& m, Scalar h,
                                     const math::Vector<Scalar, Dim>& gravity, const Method& method = {}) {
  if (!(h > 0) || !math::finite(h) || !math::finite(1 / h)) return {What::step, -1, 0, h};
  if (C.pieces > 0 && method.friction == FrictionLaw::implicit && !math::finite(1 / (h * h)))
    return {What::step, -1, 0, h};
  for (int i = 0; i < Dim; ++i)
    if (!math::finite(gravity[i])) return {What::gravity, i, 0, gravity[i]};
  if (Dim == 3 && !contact::valid_facets(method.facets)) return {What::facets, -1, 0, method.facets};
  if (method.impact >= ImpactLaw::end || method.impact == ImpactLaw::of_scene ||
      method.impacts >= ImpactOrder::end)
    return {What::impact, -1, 0, static_cast<int>(method.impact)};
  if (const Error error = detail::check_parts<C>(detail::needed_parts(method))) return error;
  auto recovery = static_cast<Scalar>(method.recovery_speed);
  if (recovery == 0 && method.recovery_speed > 0) recovery = std::numeric_limits<Scalar>::min();
  if (!(recovery > 0) || (method.friction == FrictionLaw::implicit && math::finite(recovery)))
    return {What::recovery_speed, -1, 0, method.recovery_speed};
  if (const Error error = detail::check_law(m, method.friction)) return error;
  for (int i = 0; C.patches > 0 && i < m.patches; ++i) {
    auto& patch = m.patch[static_cast<std::size_t>(i)];
    if (const Error error = contact::configure(patch, contact::PatchLaw<Scalar>(patch.law), h)) return error;
  }
  m.h = h;
  m.gravity = gravity;
  m.recovery = recovery;
  m.method = method;
  return {};
}

template <class Scalar, int Dim, Capacity C>
inline Error configure(World<Scalar, Dim, C>& world, Scalar h, const math::Vector<Scalar, Dim>& gravity,
                       const Method& method = {}) {
  return configure(world.model, h, gravity, method);
}

namespace detail {

// The shape of a body, in the form that the world's law works on.
template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline Error take_shape(const BodyDescription<Scalar, Dim>& body, Model<Scalar, Dim, C>& m) {
  const auto i = static_cast<std::size_t>(m.bodies);
  if constexpr (C.pieces > 0) {
    if (m.is_implicit()) return take_surface(body, m);
  }
  if constexpr (C.has_rows()) {
    if (const Error error = geometry::check(body.shape)) return error;
    if (is_half_space(body.shape) && body.mass != 0) return What::moving_half_space;
    m.shape[i] = body.shape;
    m.radius[i] = is_half_space(body.shape) ? Scalar(0) : geometry::bounding_radius(body.shape);
  }
  return {};
}

}  // namespace detail

template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline Error add_body(World<Scalar, Dim, C>& world, const BodyDescription<Scalar, Dim>& body,
                                    int& index) {
  auto& m = world.model;
  const int number = m.bodies;
  if (number >= C.bodies) return {What::body_capacity, number, number + 1, C.bodies};
  dynamics::Inertia<Scalar, Dim> inertia;
  if (body.mass != 0)
    if (const Error error = dynamics::make_inertia<Scalar, Dim>(body.mass, body.inertia, inertia))
      return error.of(number);
  if (!geometry::is_valid(body.pose)) return {What::pose, number};
  if (!dynamics::finite<Scalar, Dim>(body.velocity)) return {What::velocity, number};
  if (body.mass == 0 && !(body.velocity.linear.isZero(0) && body.velocity.angular.isZero(0)))
    return {What::velocity, number};
  if (dynamics::too_fast(body.velocity, m.h)) return {What::spin, number};
  if (!dynamics::finite<Scalar, Dim>(body.force)) return {What::force, number};
  if (const Error error = detail::take_shape(body, m)) return error.of(number);
  index = m.bodies++;
  const auto i = static_cast<std::size_t>(index);
  m.inertia[i] = inertia;
  world.state.pose[i] = body.pose;
  world.state.velocity[i] = body.velocity;
  world.state.force[i] = body.force;
  return {};
}

}  // namespace tactus::stepper
