// Shapes of rigid bodies, in the plane and in space: plain data in the body's own frame, lengths in metres.
//
// A shape is made by one of the functions below, which never fail, and judged by check(), once, when a model
// is built. The kernels of this room rely on a checked shape. Every shape but the half-space is centred on
// the body's origin; polygon vertex 0 and the rod lie on the body's x axis, the capsule on its z axis.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "tactus/error.hpp"
#include "tactus/geometry/shape_table.hpp"
#include "tactus/math/trig.hpp"
#include "tactus/math/vector.hpp"

namespace tactus::geometry {

inline constexpr int kMaxPolygonSides = 4096;

template <class Scalar, int Dim>
struct Shape {
  KindOf<Dim> kind = static_cast<KindOf<Dim>>(1);
  std::int16_t sides = 0;  // polygon
  Scalar offset = 0;       // half-space: matter where normal . p <= offset
  // By the form of its numbers. normal: unit; radius: Dim times; semi_axes, half_extents: as they are;
  // sides_radius: (circumradius, apothem); length: (half of it, 0...); radius_half_length: (radius, 0...,
  // half length).
  math::Vector<Scalar, Dim> size = math::Vector<Scalar, Dim>::Zero();
};

template <class Scalar>
using PlanarShape = Shape<Scalar, 2>;
template <class Scalar>
using SpatialShape = Shape<Scalar, 3>;

// What a scene or a message says of a shape, in the order of its Form.
template <class Scalar>
struct ShapeNumbers {
  Scalar value[3] = {};
  Scalar offset = 0;
  int sides = 0;
};

// Any kind of shape. Inlined: where the kind is a constant, nothing of the others is linked.
template <class Scalar, int Dim>
[[gnu::always_inline]] inline Shape<Scalar, Dim> make_shape(KindOf<Dim> kind,
                                                            const ShapeNumbers<Scalar>& numbers) {
  const Scalar(&n)[3] = numbers.value;
  Shape<Scalar, Dim> shape;
  shape.kind = kind;
  for (int i = 0; i < Dim; ++i) shape.size[i] = n[i];
  switch (form(kind)) {
    case Form::normal:
      shape.offset = numbers.offset;
      shape.size = math::direction<Scalar, Dim>(shape.size, 0 * shape.size);
      break;
    case Form::radius:
      shape.size.setConstant(n[0]);
      break;
    case Form::semi_axes:
    case Form::half_extents:
      break;
    case Form::sides_radius: {
      const int sides = numbers.sides;
      shape.sides = static_cast<std::int16_t>(sides < 0 ? 0 : (sides > 32767 ? 32767 : sides));
      shape.size[1] = sides < 3 ? 0 : n[0] * math::cos(math::kPi<Scalar> / static_cast<Scalar>(shape.sides));
      break;
    }
    case Form::length:
      shape.size[0] = n[0] / 2;
      shape.size[1] = 0;
      break;
    case Form::radius_half_length:
      shape.size[1] = 0;
      shape.size[Dim - 1] = n[1];
      break;
  }
  return shape;
}

// The normal need not have unit length (one that is zero or not finite stays so, for check() to see);
// `offset` is the distance of the face from the body's origin.
template <class Scalar>
PlanarShape<Scalar> half_space(const math::Vector2<Scalar>& n, Scalar offset) {
  return make_shape<Scalar, 2>(PlanarKind::half_space, {{n.x(), n.y()}, offset});
}

template <class Scalar>
PlanarShape<Scalar> disc(Scalar radius) {
  return make_shape<Scalar, 2>(PlanarKind::disc, {{radius}});
}

template <class Scalar>
PlanarShape<Scalar> ellipse(Scalar a, Scalar b) {
  return make_shape<Scalar, 2>(PlanarKind::ellipse, {{a, b}});
}

template <class Scalar>
PlanarShape<Scalar> box(Scalar half_x, Scalar half_y) {
  return make_shape<Scalar, 2>(PlanarKind::box, {{half_x, half_y}});
}

// Regular, its vertices at `circumradius` from the centre.
template <class Scalar>
PlanarShape<Scalar> polygon(int sides, Scalar circumradius) {
  return make_shape<Scalar, 2>(PlanarKind::polygon, {{circumradius}, 0, sides});
}

// A straight rod without thickness.
template <class Scalar>
PlanarShape<Scalar> rod(Scalar length) {
  return make_shape<Scalar, 2>(PlanarKind::rod, {{length}});
}

template <class Scalar>
SpatialShape<Scalar> half_space(const math::Vector3<Scalar>& n, Scalar offset) {
  return make_shape<Scalar, 3>(SpatialKind::half_space, {{n.x(), n.y(), n.z()}, offset});
}

template <class Scalar>
SpatialShape<Scalar> sphere(Scalar radius) {
  return make_shape<Scalar, 3>(SpatialKind::sphere, {{radius}});
}

template <class Scalar>
SpatialShape<Scalar> ellipsoid(Scalar a, Scalar b, Scalar c) {
  return make_shape<Scalar, 3>(SpatialKind::ellipsoid, {{a, b, c}});
}

template <class Scalar>
SpatialShape<Scalar> box(Scalar half_x, Scalar half_y, Scalar half_z) {
  return make_shape<Scalar, 3>(SpatialKind::box, {{half_x, half_y, half_z}});
}

template <class Scalar>
SpatialShape<Scalar> capsule(Scalar radius, Scalar half_length) {
  return make_shape<Scalar, 3>(SpatialKind::capsule, {{radius, half_length}});
}

namespace detail {

template <class Scalar, int Dim>
bool all_finite(const Eigen::Matrix<Scalar, Dim, 1>& v, Scalar offset) {
  Scalar sum = 0 * offset;
  for (int i = 0; i < Dim; ++i) sum += 0 * v[i];
  return sum == 0;
}

// Whether a form leaves this component of the size zero.
constexpr bool is_flat(Form form, int i, int dim) {
  return (form == Form::length && i > 0) || (form == Form::radius_half_length && i > 0 && i < dim - 1);
}

}  // namespace detail

template <class Scalar, int Dim>
Error check(const Shape<Scalar, Dim>& shape) {
  if (!is_known(shape.kind)) return {What::shape_kind, -1, 0, static_cast<int>(shape.kind)};
  if (!detail::all_finite<Scalar, Dim>(shape.size, shape.offset)) return What::shape_not_finite;
  const Form its = form(shape.kind);
  if (its == Form::normal) {
    const Scalar more = std::abs(math::squared_norm(shape.size) - 1);
    return more <= 8 * std::numeric_limits<Scalar>::epsilon() ? What::none : What::shape_normal;
  }
  if (its == Form::sides_radius) {
    if (shape.sides < 3) return {What::too_few_sides, -1, 3, shape.sides};
    if (shape.sides > kMaxPolygonSides) return {What::too_many_sides, -1, kMaxPolygonSides, shape.sides};
  }
  for (int i = 0; i < Dim; ++i)
    if (!detail::is_flat(its, i, Dim) && !(shape.size[i] > 0))
      return {What::shape_size, -1, 0, shape.size[i]};
  return {};
}

// Radius of the smallest ball about the body's origin that holds the shape; a half-space has none (it is
// never asked).
template <class Scalar, int Dim>
Scalar bounding_radius(const Shape<Scalar, Dim>& shape) {
  const auto& s = shape.size;
  if (has_form<Form::half_extents>(shape.kind)) return math::norm(s);
  if (has_form<Form::radius_half_length>(shape.kind)) return s[0] + s[Dim - 1];
  if (!has_form<Form::semi_axes>(shape.kind)) return s[0];
  const Scalar xy = s[0] > s[1] ? s[0] : s[1];
  return Dim == 3 && s[Dim - 1] > xy ? s[Dim - 1] : xy;
}

}  // namespace tactus::geometry
