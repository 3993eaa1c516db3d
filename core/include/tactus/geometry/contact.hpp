// What a pair of bodies in or near contact is to the rest of the library: a few contact points.
//
// At every point, whatever the pair:
//   normal   unit, from body a to body b: a force along it on b (and against it on a) pushes them apart
//   gap      Psi, signed, in metres, negative in penetration
//   point_b = point_a + gap * normal, in the world
//   frame    (n, t, o) right-handed, n x t = o
// In the plane t is n turned by -90 degrees: on a floor with n = (0, 1), t = (1, 0), and the row of the
// contact Jacobian for b with p = point_b - centre is W_n = (0, 1, p_x), W_t = (1, 0, -p_y) (Song 2004 sec. 6
// with its sign corrected; o points into the page).
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "tactus/math/vector.hpp"

namespace tactus::geometry {

// Most points of one pair: two boxes face to face in space. A polygon on a half-space can have more, of which
// a set takes the lowest.
inline constexpr int kMaxPlanarPoints = 8;
inline constexpr int kMaxSpatialPoints = 8;

template <class Scalar>
struct PlanarContact {
  Scalar gap;
  math::Vector2<Scalar> point_a, point_b;
  math::Vector2<Scalar> normal, tangent;
  std::int32_t
      feature;  // names the point within its pair from tick to tick (a corner's number), for warm starts
};

template <class Scalar>
struct SpatialContact {
  Scalar gap;
  math::Vector3<Scalar> point_a, point_b;
  math::Vector3<Scalar> normal, tangent, binormal;  // n, t, o
  std::int32_t feature;
};

// Up to Capacity contact points; those from `count` on are unspecified.
template <class Contact, int Capacity>
struct ContactSet {
  int count = 0;
  std::array<Contact, Capacity> point;

  const Contact& operator[](int i) const { return point[static_cast<std::size_t>(i)]; }
  Contact& operator[](int i) { return point[static_cast<std::size_t>(i)]; }
};

template <class Scalar>
using PlanarContacts = ContactSet<PlanarContact<Scalar>, kMaxPlanarPoints>;
template <class Scalar>
using SpatialContacts = ContactSet<SpatialContact<Scalar>, kMaxSpatialPoints>;

enum class FindStatus : std::uint8_t {
  ok,           // the set holds every contact point of the pair with gap <= margin, perhaps none, or is full
  unsupported,  // the room has no kernel for this pair; the set is empty
  bad_input     // a pose or the margin is not finite; the set is empty
};

constexpr const char* sentence(FindStatus status) {
  switch (status) {
    case FindStatus::ok:
      return "The contact points within the margin were found.";
    case FindStatus::unsupported:
      return "Contact between these two shapes is not supported.";
    case FindStatus::bad_input:
      return "A pose or the margin is not a finite number.";
  }
  return "Unknown status.";
}

template <class Scalar>
math::Vector2<Scalar> tangent(const math::Vector2<Scalar>& normal) {
  return {normal.y(), -normal.x()};
}

// The world's x axis made orthogonal to n, or its y axis where n is within 26 degrees of x. So a floor of any
// slope about y, and a wall across y or z, has t along x; the seam lies away from all directions along an
// axis, where contacts rest and rounding would make t jump.
template <class Scalar>
math::Vector3<Scalar> tangent(const math::Vector3<Scalar>& n) {
  const int axis = std::abs(n.x()) < static_cast<Scalar>(0.9) ? 0 : 1;
  math::Vector3<Scalar> t = -n[axis] * n;
  t[axis] += 1;
  return t / math::norm(t);
}

namespace detail {

template <class Scalar, int Capacity>
void add(ContactSet<PlanarContact<Scalar>, Capacity>& set, Scalar gap, const math::Vector2<Scalar>& point_a,
         const math::Vector2<Scalar>& normal, int feature) {
  if (set.count == Capacity) return;
  set[set.count++] = {gap, point_a, point_a + gap * normal, normal, tangent(normal), feature};
}

// The frame of one or more points with the same normal.
template <class Scalar>
struct Axes {
  explicit Axes(const math::Vector3<Scalar>& normal) : n(normal), t(tangent(normal)), o(math::cross(n, t)) {}
  math::Vector3<Scalar> n, t, o;
};

template <class Scalar, int Capacity>
void add(ContactSet<SpatialContact<Scalar>, Capacity>& set, Scalar gap, const math::Vector3<Scalar>& point_a,
         const Axes<Scalar>& axes, int feature) {
  if (set.count == Capacity) return;
  set[set.count++] = {gap, point_a, point_a + gap * axes.n, axes.n, axes.t, axes.o, feature};
}

// The same contacts with the bodies' names exchanged: points swapped, normal reversed, frame made anew.
template <class Scalar, int Capacity>
void exchange_bodies(ContactSet<PlanarContact<Scalar>, Capacity>& set) {
  for (int i = 0; i < set.count; ++i) {
    auto& c = set[i];
    c = {c.gap, c.point_b, c.point_a, -c.normal, -c.tangent, c.feature};
  }
}

template <class Scalar, int Capacity>
void exchange_bodies(ContactSet<SpatialContact<Scalar>, Capacity>& set) {
  for (int i = 0; i < set.count; ++i) {
    auto& c = set[i];
    c = {c.gap, c.point_b, c.point_a, -c.normal, c.tangent, -c.binormal, c.feature};
  }
}

}  // namespace detail
}  // namespace tactus::geometry
