// What the implicit law takes of the description of a body or of a contact. Part of build.hpp.
#pragma once

#include "tactus/geometry/implicit_surface.hpp"
#include "tactus/stepper/model.hpp"

namespace tactus::stepper::detail {

// A surface that is given, or else that of the shape.
template <class Scalar, int Dim, Capacity C, class Body>
[[gnu::cold]] inline Error take_surface(const Body& body, Model<Scalar, Dim, C>& m) {
  auto& law = m.implicit;
  const auto i = static_cast<std::size_t>(m.bodies);
  auto& surface = law.surface[i];
  const auto& given = body.surface;
  surface.count = 0;
  surface.radius = given.radius;
  if (given.count < 0 || (given.count > 0 && given.piece == nullptr)) return What::surface_empty;
  if (!math::finite(given.radius)) return What::surface_unbounded;
  if (given.count > C.pieces) return {What::surface_capacity, -1, given.count, C.pieces};
  for (; surface.count < given.count; ++surface.count)
    surface.piece[static_cast<std::size_t>(surface.count)] = given.piece[surface.count];
  if (given.count == 0)
    if (const Error error = geometry::add<Scalar, Dim, C.pieces>(surface, body.shape)) return error;
  if (const Error error = geometry::check(surface)) return error;
  m.radius[i] = surface.radius;
  law.column[i] = -1;
  if (body.mass == 0) return {};
  if (!(surface.radius > 0)) return What::moving_half_space;
  constexpr int kMost = C.moving > 0 ? C.moving : C.bodies;
  if (law.moving >= kMost) return {What::moving_capacity, -1, law.moving + 1, kMost};
  law.column[i] = static_cast<std::int16_t>(law.moving * (Dim + dynamics::kSpin<Dim>));
  law.length = law.moving == 0 || surface.radius < law.length ? surface.radius : law.length;
  ++law.moving;
  return {};
}

template <class Scalar, class Contact>
[[gnu::cold]] inline Error check_implicit(const Contact& d, int number) {
  if (d.patch != nullptr) return {What::no_patch, number};
  if (d.restitution != 0) return {What::no_restitution, number, 0, d.restitution};
  if (d.friction.kind != contact::FrictionKind::constant) return {What::no_other_friction, number};
  if (d.points != nullptr) return {What::points, number, 0, d.point_count};
  return {};
}

}  // namespace tactus::stepper::detail
