// Convex bodies as implicit surfaces: the points x of the body frame with f_k(x) <= 0 for every piece k
// (Chakraborty 2007, section IV and appendix). In the plane (Dim = 2) and in space (Dim = 3).
//
// A piece is a half-space or an ellipsoid, both written as
//
//     f(x) = (x - c)^T D (x - c) / 2 + n . (x - c) - d,     grad f = D (x - c) + n,     Hessian D (diagonal)
//
// with D = 0 and a unit n for a half-space, n = 0 and D = m S^-2, d = m / 2 for an ellipsoid of semi-axes S,
// m the smallest of them: f is in metres and its gradient on the surface is at most 1. A disc and a sphere
// are ellipsoids; a box or a polygon is the intersection of its sides, and an intersection of several shapes
// is all their pieces.
//
// The body's origin must lie inside every piece, unless the body is one half-space: rays from there find the
// surface. A surface takes Pieces x 3 Dim + 1 scalars. Nothing here fails but the building, which says why.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "tactus/geometry/pose.hpp"
#include "tactus/geometry/shape.hpp"

namespace tactus::geometry {

template <class Scalar, int Dim>
using VectorOf = Eigen::Matrix<Scalar, Dim, 1>;
template <class Scalar, int Dim>
using FrameOf = std::conditional_t<Dim == 2, PlanarFrame<Scalar>, SpatialFrame<Scalar>>;

template <class Scalar, int Dim>
struct Piece {
  VectorOf<Scalar, Dim> centre = VectorOf<Scalar, Dim>::Zero();  // c
  VectorOf<Scalar, Dim> bend = VectorOf<Scalar, Dim>::Zero();    // the diagonal of D
  VectorOf<Scalar, Dim> normal = VectorOf<Scalar, Dim>::Zero();  // n
  Scalar offset = 0;                                             // d

  Scalar value(const VectorOf<Scalar, Dim>& x) const {
    const VectorOf<Scalar, Dim> r = x - centre;
    return math::dot(VectorOf<Scalar, Dim>(r / 2), VectorOf<Scalar, Dim>(bend.cwiseProduct(r))) +
           (math::dot(normal, r) - offset);
  }
  VectorOf<Scalar, Dim> gradient(const VectorOf<Scalar, Dim>& x) const {
    return bend.cwiseProduct(x - centre) + normal;
  }
};

// A surface of any capacity, as it is handed on.
template <class Scalar, int Dim>
struct SurfaceView {
  int count = 0;
  Scalar radius = 0;
  const Piece<Scalar, Dim>* piece = nullptr;
};

template <class Scalar, int Dim, int Pieces>
struct Surface {
  int count = 0;
  Scalar radius =
      0;  // of a ball about the origin that holds the body; 0 where there is none: half-spaces alone
  std::array<Piece<Scalar, Dim>, static_cast<std::size_t>(Pieces)> piece;

  const Piece<Scalar, Dim>& operator[](int k) const { return piece[static_cast<std::size_t>(k)]; }
  operator SurfaceView<Scalar, Dim>() const { return {count, radius, piece.data()}; }
};

namespace detail {

template <class Scalar, int Dim, int Pieces>
bool append(Surface<Scalar, Dim, Pieces>& s, const Piece<Scalar, Dim>& piece) {
  if (s.count >= Pieces) return false;
  s.piece[static_cast<std::size_t>(s.count++)] = piece;
  return true;
}

template <class Scalar, int Dim, int Pieces>
bool append_side(Surface<Scalar, Dim, Pieces>& s, const VectorOf<Scalar, Dim>& at,
                 const VectorOf<Scalar, Dim>& normal, Scalar offset) {
  return append(s, {at, VectorOf<Scalar, Dim>::Zero(), normal, offset});
}

}  // namespace detail

// Of a shape; 0 where it has no surface.
template <class Kind>
constexpr int pieces_of(Kind kind, int sides) {
  switch (form(kind)) {
    case Form::normal:
    case Form::radius:
    case Form::semi_axes:
      return 1;
    case Form::half_extents:
      return 2 * kDimOf<Kind>;
    case Form::sides_radius:
      return kDimOf<Kind> == 2 ? sides : 0;
    case Form::length:
    case Form::radius_half_length:
      break;
  }
  return 0;
}

namespace detail {

// The pieces of a shape, as many as there is room for.
template <class Scalar, int Dim, int Pieces>
void append_shape(Surface<Scalar, Dim, Pieces>& s, const Shape<Scalar, Dim>& shape,
                  const VectorOf<Scalar, Dim>& at) {
  using V = VectorOf<Scalar, Dim>;
  switch (form(shape.kind)) {
    case Form::normal:
      append_side<Scalar, Dim>(s, at, shape.size, shape.offset);
      break;
    case Form::radius:
    case Form::semi_axes: {
      Scalar least = shape.size[0];
      for (int k = 1; k < Dim; ++k) least = shape.size[k] < least ? shape.size[k] : least;
      V bend;
      for (int k = 0; k < Dim; ++k) bend[k] = least / (shape.size[k] * shape.size[k]);
      append(s, Piece<Scalar, Dim>{at, bend, V::Zero(), least / 2});
      break;
    }
    case Form::half_extents:
      for (int k = 0; k < 2 * Dim; ++k)
        append_side<Scalar, Dim>(s, at, V((k % 2 == 0 ? 1 : -1) * V::Unit(k / 2)), shape.size[k / 2]);
      break;
    case Form::sides_radius: {
      if constexpr (Dim == 2) {
        const Scalar half = math::kPi<Scalar> / static_cast<Scalar>(shape.sides);
        for (int k = 0; k < shape.sides; ++k) {
          const auto turn = math::sin_cos(static_cast<Scalar>(2 * k + 1) * half);
          if (!append_side<Scalar, Dim>(s, at, V(turn.cos, turn.sin), shape.size.y())) break;
        }
      }
      break;
    }
    case Form::length:
    case Form::radius_half_length:
      break;
  }
}

}  // namespace detail

// Adds a shape whose centre is at `at` in the body frame, its axes along the body's. On an error the
// surface is as it was.
template <class Scalar, int Dim, int Pieces>
Error add(Surface<Scalar, Dim, Pieces>& surface, const Shape<Scalar, Dim>& shape,
          const VectorOf<Scalar, Dim>& at = VectorOf<Scalar, Dim>::Zero()) {
  if (const Error error = check(shape)) return error;
  if (!detail::all_finite<Scalar, Dim>(at, 0)) return What::shape_place;
  Surface<Scalar, Dim, Pieces> s = surface;
  const int more = pieces_of(shape.kind, shape.sides), needed = surface.count + more;
  if (more == 0) return What::no_surface;
  detail::append_shape(s, shape, at);
  if (needed > Pieces) return {What::surface_capacity, -1, needed, Pieces};
  if (form(shape.kind) != Form::normal) {
    const Scalar radius = bounding_radius(shape) + math::norm(at);
    s.radius = s.radius > 0 && s.radius < radius ? s.radius : radius;
  }
  surface = s;
  return {};
}

// What holds of a whole surface: call it once, after the last add().
template <class Scalar, int Dim, int Pieces>
Error check(const Surface<Scalar, Dim, Pieces>& s) {
  if (s.count == 0) return What::surface_empty;
  if (s.count == 1 && !(s.radius > 0)) return {};
  if (!(s.radius > 0)) return What::surface_unbounded;
  for (int k = 0; k < s.count; ++k)
    if (!(s[k].value(VectorOf<Scalar, Dim>::Zero()) < 0)) return What::surface_origin;
  return {};
}

// Where the ray s u, s > 0, from the origin leaves the body (u of the body frame), and through which piece:
// the root of f(s u) = (u . D u / 2) s^2 + (u . grad f(0)) s + f(0) in the form that does not cancel.
template <class Scalar, int Dim, int Pieces>
Scalar leave(const Surface<Scalar, Dim, Pieces>& body, const VectorOf<Scalar, Dim>& u, int& through) {
  using V = VectorOf<Scalar, Dim>;
  Scalar nearest = std::numeric_limits<Scalar>::max();
  through = 0;
  for (int k = 0; k < body.count; ++k) {
    const auto& p = body[k];
    const Scalar a = math::dot(u, V(p.bend.cwiseProduct(u))), b = math::dot(u, p.gradient(V::Zero()));
    const Scalar c = -2 * p.value(V::Zero());  // > 0
    const Scalar root = b + std::sqrt(b * b + a * c);
    if (!(root * nearest > c)) continue;
    nearest = c / root;
    through = k;
  }
  return nearest;
}

}  // namespace tactus::geometry
