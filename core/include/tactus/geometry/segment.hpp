// Two straight segments in space, each given by its middle, unit direction and half length.
#pragma once

#include "tactus/math/vector.hpp"

namespace tactus::geometry::detail {

template <class Scalar>
struct Segment {
  math::Vector3<Scalar> middle, along;
  Scalar half = 0;

  math::Vector3<Scalar> at(Scalar s) const { return middle + s * along; }
};

template <class Scalar>
struct SegmentPair {
  Scalar s = 0, t = 0;  // lengths from the middles
};

// Below this squared sine of the angle between them two lines count as parallel: what is left of the sine of
// their angle is then mostly rounding.
template <class Scalar>
inline constexpr Scalar kParallel = sizeof(Scalar) == 4 ? static_cast<Scalar>(1e-6)
                                                        : static_cast<Scalar>(1e-12);

// Nearest points. With r = a.middle - b.middle the squared distance is least where s + r.a = t (a.b) and
// t - r.b = s (a.b); if that s is cut off, the best t for it is taken, and if that is cut off too, the best s
// for that. One pass is enough because the distance is convex. For parallel lines every s is as good: 0 is
// tried.
template <class Scalar>
SegmentPair<Scalar> nearest(const Segment<Scalar>& a, const Segment<Scalar>& b) {
  const math::Vector3<Scalar> r = a.middle - b.middle;
  const Scalar cosine = math::dot(a.along, b.along), ra = math::dot(r, a.along), rb = math::dot(r, b.along);
  const Scalar sine2 = math::squared_norm<Scalar, 3>(math::cross(a.along, b.along));
  Scalar s = sine2 > kParallel<Scalar> ? (cosine * rb - ra) / sine2 : static_cast<Scalar>(0);
  s = math::clamp(s, -a.half, a.half);
  Scalar t = cosine * s + rb;
  if (t < -b.half || t > b.half) {
    t = math::clamp(t, -b.half, b.half);
    s = math::clamp(cosine * t - ra, -a.half, a.half);
  }
  return {s, t};
}

}  // namespace tactus::geometry::detail
