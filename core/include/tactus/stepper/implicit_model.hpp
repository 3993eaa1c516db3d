// What the geometrically implicit step works on: model, state and workspace, as in model.hpp, and the calls
// that build them. Bodies are implicit surfaces (geometry/implicit_surface.hpp), friction is an ellipsoid
// with torsion (contact/friction_ellipsoid.hpp); a pair of bodies touches at one point, the closest one,
// whose place is an unknown.
//
//     namespace implicit = tactus::stepper::implicit;
//     constexpr implicit::Capacity kBall{.bodies = 2, .moving = 1, .contacts = 1, .pieces = 1};
//     implicit::World<float, 3, kBall> world;
//     configure(world, 1e-3F, gravity);                                       // each call: Error
//     add_body(world, {.surface = surface_of_floor}, floor);                  // no mass: fixed
//     add_body(world, {.mass = 1, .inertia = ..., .surface = surface_of_ball, .pose = ...}, ball);
//     add_contact(world, {.a = floor, .b = ball, .friction = {.mu = 0.2F, .axis = {1, 1, 0.4F}}}, contact);
#pragma once

#include <array>
#include <cstdint>

#include "tactus/contact/friction_ellipsoid.hpp"
#include "tactus/dynamics/drift.hpp"
#include "tactus/dynamics/row.hpp"
#include "tactus/geometry/closest_points.hpp"

namespace tactus::stepper::implicit {

inline constexpr int kBudget = 500;  // linear systems of one step; 1 to 20 as a rule

struct Capacity {
  int bodies = 2;    // fixed ones too
  int moving = 1;    // of them, those with a mass
  int contacts = 1;  // pairs of bodies
  int pieces = 1;    // implicit surfaces of one body
};

// Newton's unknowns: the velocities, and of each contact its closest points with up to min(pieces, Dim)
// multipliers a body, and its forces.
template <int Dim>
constexpr int unknowns(Capacity c) {
  const int weights = 2 * (c.pieces < Dim ? c.pieces : Dim);
  return c.moving * (Dim + dynamics::kSpin<Dim>)+c.contacts *
         (2 * Dim + 1 + weights + 1 + contact::kFrictionAxes<Dim>);
}

template <class Scalar, int Dim>
struct Contact {
  dynamics::Pair bodies;  // the normal points from a to b, forces act on b
  contact::FrictionEllipsoid<Scalar, Dim> friction;
};

template <class Scalar, int Dim, Capacity C>
struct Model {
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;

  int bodies = 0, moving = 0, contacts = 0;
  Scalar h = 0;       // s
  Scalar length = 0;  // the smallest radius of a moving body, m: the unit of all lengths
  int budget = 0;     // linear systems of one step
  math::Vector<Scalar, Dim> gravity = math::Vector<Scalar, Dim>::Zero();
  Array<dynamics::Inertia<Scalar, Dim>, C.bodies> inertia;
  Array<geometry::Surface<Scalar, Dim, C.pieces>, C.bodies> surface;
  Array<std::int16_t, C.bodies> column{};  // first unknown of a moving body, -1 of a fixed one
  Array<Contact<Scalar, Dim>, C.contacts> contact;
};

// The force at one contact: lambda_n in N, and y_k = lambda_k / e_k along t, o and about n.
template <class Scalar, int Dim>
struct Force {
  Scalar n = 0;
  math::Vector<Scalar, contact::kFrictionAxes<Dim>> y =
      math::Vector<Scalar, contact::kFrictionAxes<Dim>>::Zero();
};

// The closest points and forces are where the next step starts from; a caller that writes poses anew may
// leave them.
template <class Scalar, int Dim, Capacity C>
struct State {
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;

  Array<dynamics::Pose<Scalar, Dim>, C.bodies> pose;
  Array<dynamics::Motion<Scalar, Dim>, C.bodies> velocity;
  Array<dynamics::Motion<Scalar, Dim>, C.bodies> force;                     // applied, without gravity
  Array<geometry::ClosestPoints<Scalar, Dim>, C.contacts> closest, before;  // now, and a step ago
  Array<Force<Scalar, Dim>, C.contacts> lambda;
};

template <class Scalar, int Dim, Capacity C>
struct World {
  static constexpr int kDim = Dim;
  static constexpr Capacity kCapacity = C;
  using ScalarType = Scalar;

  Model<Scalar, Dim, C> model;
  State<Scalar, Dim, C> state{};
};

template <class Scalar, int Dim, int Pieces>
struct BodyDescription {
  Scalar mass = 0;  // kg; 0 is a fixed body
  dynamics::SpinMatrix<Scalar, Dim> inertia =
      dynamics::SpinMatrix<Scalar, Dim>::Zero();  // kg m^2, body frame
  geometry::Surface<Scalar, Dim, Pieces> surface{};
  dynamics::Pose<Scalar, Dim> pose{};
  dynamics::Motion<Scalar, Dim> velocity{};
  dynamics::Motion<Scalar, Dim> force{};  // applied, world frame, at the centre of mass, without gravity
};

template <class Scalar, int Dim>
struct ContactDescription {
  int a = 0, b = 0;
  contact::FrictionEllipsoid<Scalar, Dim> friction{};
};

// First of all. Takes every body and contact away.
template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline Error configure(World<Scalar, Dim, C>& world, Scalar h,
                                     const math::Vector<Scalar, Dim>& gravity, int budget = kBudget) {
  if (!(h > 0) || !math::finite(h) || !math::finite(1 / (h * h))) return {What::step, -1, 0, h};
  for (int i = 0; i < Dim; ++i)
    if (!math::finite(gravity[i])) return {What::gravity, i, 0, gravity[i]};
  world.model = {};
  world.state = {};
  world.model.h = h;
  world.model.gravity = gravity;
  world.model.budget = budget;
  return {};
}

template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline Error add_body(World<Scalar, Dim, C>& world,
                                    const BodyDescription<Scalar, Dim, C.pieces>& body, int& index) {
  auto& m = world.model;
  const bool moves = body.mass != 0;
  const int number = m.bodies;
  if (number >= C.bodies) return {What::body_capacity, number, number + 1, C.bodies};
  if (moves && m.moving >= C.moving) return {What::moving_capacity, number, m.moving + 1, C.moving};
  dynamics::Inertia<Scalar, Dim> inertia;
  if (moves)
    if (const Error error = dynamics::make_inertia<Scalar, Dim>(body.mass, body.inertia, inertia))
      return error.of(number);
  if (!geometry::is_valid(body.pose)) return {What::pose, number};
  if (!dynamics::finite<Scalar, Dim>(body.velocity)) return {What::velocity, number};
  if (!moves && !(body.velocity.linear.isZero(0) && body.velocity.angular.isZero(0)))
    return {What::velocity, number};
  if (dynamics::too_fast(body.velocity, m.h)) return {What::spin, number};
  if (!dynamics::finite<Scalar, Dim>(body.force)) return {What::force, number};
  if (const Error error = geometry::check(body.surface)) return error.of(number);
  if (moves && !(body.surface.radius > 0)) return {What::moving_half_space, number};
  index = m.bodies++;
  const auto i = static_cast<std::size_t>(index);
  m.inertia[i] = inertia;
  m.surface[i] = body.surface;
  m.column[i] = -1;
  if (moves) {
    m.column[i] = static_cast<std::int16_t>(m.moving++ * (Dim + dynamics::kSpin<Dim>));
    m.length = m.moving == 1 || body.surface.radius < m.length ? body.surface.radius : m.length;
  }
  world.state.pose[i] = body.pose;
  world.state.velocity[i] = body.velocity;
  world.state.force[i] = body.force;
  return {};
}

template <class Scalar, int Dim, Capacity C>
[[gnu::cold]] inline Error add_contact(World<Scalar, Dim, C>& world, const ContactDescription<Scalar, Dim>& d,
                                       int& index) {
  auto& m = world.model;
  const int number = m.contacts;
  if (number >= C.contacts) return {What::contact_capacity, number, number + 1, C.contacts};
  for (const int body : {d.a, d.b})
    if (body < 0 || body >= m.bodies) return {What::unknown_body, number, m.bodies, body};
  if (d.a == d.b) return {What::same_body, number, 0, d.a};
  if (m.column[static_cast<std::size_t>(d.a)] < 0 && m.column[static_cast<std::size_t>(d.b)] < 0)
    return {What::both_fixed, number};
  if (!contact::valid(d.friction)) return {What::friction, number};
  index = m.contacts++;
  m.contact[static_cast<std::size_t>(index)] = {
      {static_cast<std::uint8_t>(d.a), static_cast<std::uint8_t>(d.b)}, d.friction};
  return {};
}

}  // namespace tactus::stepper::implicit
