// The points of two boxes that meet face to face, or corner or edge on face: the facing side of the other
// box, clipped to the reference face.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "tactus/geometry/box_at.hpp"
#include "tactus/geometry/contact.hpp"

namespace tactus::geometry::detail {

// A corner of the facing side in the reference face's coordinates: u and v in the face, w above it.
template <class Scalar>
using ClipCorners = std::array<math::Vector3<Scalar>, 8>;

// Keeps what lies at sign * corner[k] <= limit; a convex polygon gains at most one corner by a cut.
template <class Scalar>
int cut(const ClipCorners<Scalar>& in, int count, int k, Scalar sign, Scalar limit,
        ClipCorners<Scalar>& out) {
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    const auto& p = in[static_cast<std::size_t>(i)];
    const auto& q = in[static_cast<std::size_t>(i + 1 == count ? 0 : i + 1)];
    const Scalar beyond_p = sign * p[k] - limit, beyond_q = sign * q[k] - limit;
    if (beyond_p <= 0 && kept < 8) out[static_cast<std::size_t>(kept++)] = p;
    if ((beyond_p <= 0) != (beyond_q <= 0) && kept < 8) {
      out[static_cast<std::size_t>(kept++)] = p + (beyond_p / (beyond_p - beyond_q)) * (q - p);
    }
  }
  return kept;
}

// Almost equal boxes give corners a hair apart, and corners in the middle of a straight side. A corner less
// than `near` from the chord of its neighbours goes, unless it is lower than both, so that the least height
// stays. At least two stay, or one where those two are closer than `near`.
template <class Scalar>
int simplify(ClipCorners<Scalar>& corner, int count, Scalar near) {
  const auto drop = [&corner, &count](int i) {
    for (--count; i < count; ++i)
      corner[static_cast<std::size_t>(i)] = corner[static_cast<std::size_t>(i + 1)];
  };
  for (int i = 0; i < count && count > 2;) {
    const math::Vector3<Scalar>& p = corner[static_cast<std::size_t>(i)];
    const math::Vector3<Scalar>& before = corner[static_cast<std::size_t>(i == 0 ? count - 1 : i - 1)];
    const math::Vector3<Scalar>& after = corner[static_cast<std::size_t>(i + 1 == count ? 0 : i + 1)];
    const math::Vector2<Scalar> arm(p.x() - before.x(), p.y() - before.y());
    const math::Vector2<Scalar> chord(after.x() - before.x(), after.y() - before.y());
    const Scalar length = math::norm(chord);
    const Scalar distance = length > near ? std::abs(math::cross(chord, arm)) / length : math::norm(arm);
    if (distance < near && (p.z() >= before.z() || p.z() >= after.z())) {
      drop(i);
    } else {
      ++i;
    }
  }
  if (count == 2) {
    const Scalar apart = std::abs(corner[0].x() - corner[1].x()) + std::abs(corner[0].y() - corner[1].y());
    if (apart < near) drop(corner[1].z() < corner[0].z() ? 0 : 1);
  }
  return count;
}

// Adds the points of a face contact and returns the least height, infinity if nothing is left of the facing
// side. `axis` is the face's axis in the reference box, n its normal from the reference to the other box.
template <class Scalar>
Scalar add_face_points(const BoxAt<Scalar>& reference, const BoxAt<Scalar>& other, int axis,
                       const math::Vector3<Scalar>& n, bool swapped, Scalar rounding, Scalar margin,
                       SpatialContacts<Scalar>& set) {
  const int u = next(axis), v = next(u);
  const math::Vector3<Scalar> eu = reference.axis(u), ev = reference.axis(v);
  const math::Vector3<Scalar> m = other.frame.turn_back(n);
  const math::Vector3<Scalar> size = m.cwiseAbs();
  const int facing = size.z() >= size.x() && size.z() >= size.y() ? 2 : (size.y() >= size.x() ? 1 : 0);
  const math::Vector3<Scalar> x = other.half[next(facing)] * other.axis(next(facing));
  const math::Vector3<Scalar> y = other.half[next(next(facing))] * other.axis(next(next(facing)));
  const Scalar towards = m[facing] < 0 ? other.half[facing] : -other.half[facing];
  const math::Vector3<Scalar> middle =
      other.frame.position + towards * other.axis(facing) - reference.frame.position;

  ClipCorners<Scalar> one, two;
  for (int i = 0; i < 4; ++i) {  // around the side
    const Scalar sx = i == 1 || i == 2 ? static_cast<Scalar>(1) : static_cast<Scalar>(-1);
    const Scalar sy = i >= 2 ? static_cast<Scalar>(1) : static_cast<Scalar>(-1);
    const math::Vector3<Scalar> p = middle + sx * x + sy * y;
    one[static_cast<std::size_t>(i)] = {math::dot(eu, p), math::dot(ev, p),
                                        math::dot(n, p) - reference.half[axis]};
  }
  int count = cut<Scalar>(one, 4, 0, 1, reference.half[u] + rounding, two);
  count = cut<Scalar>(two, count, 0, -1, reference.half[u] + rounding, one);
  count = cut<Scalar>(one, count, 1, 1, reference.half[v] + rounding, two);
  count = cut<Scalar>(two, count, 1, -1, reference.half[v] + rounding, one);

  const Scalar smaller_reference =
      reference.half[u] < reference.half[v] ? reference.half[u] : reference.half[v];
  const Scalar x2 = math::squared_norm(x), y2 = math::squared_norm(y),
               smaller_other = std::sqrt(x2 < y2 ? x2 : y2);
  const Scalar smaller = smaller_reference < smaller_other ? smaller_reference : smaller_other;
  count = simplify(one, count, static_cast<Scalar>(1e-3) * smaller);

  const Axes<Scalar> axes(swapped ? math::Vector3<Scalar>(-n) : n);
  Scalar least = std::numeric_limits<Scalar>::infinity();
  for (int i = 0; i < count; ++i) {
    const math::Vector3<Scalar>& p = one[static_cast<std::size_t>(i)];
    least = p.z() < least ? p.z() : least;
    if (p.z() > margin) continue;
    const math::Vector3<Scalar> foot =
        reference.frame.position + p.x() * eu + p.y() * ev + reference.half[axis] * n;
    const int feature = (swapped ? 1024 : 0) + 256 * axis + 64 * facing + i;
    add<Scalar>(set, p.z(), swapped ? math::Vector3<Scalar>(foot + p.z() * n) : foot, axes, feature);
  }
  return least;
}

}  // namespace tactus::geometry::detail
