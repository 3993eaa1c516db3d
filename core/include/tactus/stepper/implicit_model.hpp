// What the geometrically implicit law (implicit.hpp) adds to model, state and workspace of a world: nothing
// where Capacity::pieces is 0.
#pragma once

#include <array>
#include <cstdint>

#include "tactus/contact/friction_ellipsoid.hpp"
#include "tactus/dynamics/row.hpp"
#include "tactus/geometry/closest_points.hpp"
#include "tactus/stepper/capacity.hpp"

namespace tactus::stepper {

template <class Scalar, int Dim, Capacity C, bool = (C.pieces > 0)>
struct ImplicitModel {
  int moving = 0;     // bodies
  Scalar length = 0;  // the smallest radius of a moving body, m: the unit of all lengths
  std::array<geometry::Surface<Scalar, Dim, C.pieces>, static_cast<std::size_t>(C.bodies)> surface;
  std::array<std::int16_t, static_cast<std::size_t>(C.bodies)> column{};  // first unknown; -1: it is fixed
};
template <class Scalar, int Dim, Capacity C>
struct ImplicitModel<Scalar, Dim, C, false> {};

// The force at one contact: lambda_n in N, and y_k = lambda_k / e_k along t, o and about n.
template <class Scalar, int Dim>
struct EllipsoidForce {
  Scalar n = 0;
  math::Vector<Scalar, contact::kFrictionAxes<Dim>> y =
      math::Vector<Scalar, contact::kFrictionAxes<Dim>>::Zero();
};

// Where the next step starts from, by contact; a caller that writes poses anew may leave it.
template <class Scalar, int Dim, Capacity C, bool = (C.pieces > 0)>
struct ImplicitState {
  template <class T>
  using ByContact = std::array<T, static_cast<std::size_t>(C.contacts)>;

  ByContact<geometry::ClosestPoints<Scalar, Dim>> closest, before;  // now, and a step ago
  ByContact<EllipsoidForce<Scalar, Dim>> lambda;
};
template <class Scalar, int Dim, Capacity C>
struct ImplicitState<Scalar, Dim, C, false> {};

// Newton's unknowns: the velocities, and of each contact its closest points with up to min(pieces, Dim)
// multipliers a body, and its forces.
template <int Dim>
constexpr int implicit_unknowns(Capacity c) {
  const int weights = 2 * (c.pieces < Dim ? c.pieces : Dim), moving = c.moving > 0 ? c.moving : c.bodies;
  return moving * (Dim + dynamics::kSpin<Dim>)+c.contacts *
         (2 * Dim + 1 + weights + 1 + contact::kFrictionAxes<Dim>);
}

// Scratch of Newton's method; what it moves is in Next.
template <class Scalar, int Dim, Capacity C, bool = (C.pieces > 0)>
struct ImplicitScratch {
  static constexpr int kUnknowns = implicit_unknowns<Dim>(C);
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;

  Array<dynamics::Frame<Scalar, Dim>, C.bodies> frame;  // at the end of the step
  Scalar bend = 0;                                      // of flat faces: 0, or `bent` is used
  Array<geometry::Surface<Scalar, Dim, C.pieces>, (C.pieces > 1 ? C.bodies : 0)> bent;
  Array<bool, C.contacts> near;
  Scalar pace = 1;  // what the fastest body covers in a step, in units of length
  Array<Scalar, kUnknowns * kUnknowns> J;
  Array<Scalar, kUnknowns> row, x;
  Array<std::int16_t, kUnknowns> pivot, column;
  struct {
    Array<int, C.contacts> closest, force;
    int motion, count;
  } layout;  // first unknown of each kind
};
template <class Scalar, int Dim, Capacity C>
struct ImplicitScratch<Scalar, Dim, C, false> {};

}  // namespace tactus::stepper
