// Where a body is, and the frame that the kernels of this room read: a pose with its rotation worked out. A
// frame is made once for each body and tick, and serves every pair that the body is in.
#pragma once

#include "tactus/math/trig.hpp"
#include "tactus/math/vector.hpp"

namespace tactus::geometry {

template <class Scalar>
struct PlanarPose {
  Scalar x = 0, y = 0;  // m
  Scalar angle = 0;     // rad, any finite number of turns
};

template <class Scalar>
struct SpatialPose {
  math::Vector3<Scalar> position = math::Vector3<Scalar>::Zero();  // m
  Scalar w = 1, x = 0, y = 0, z = 0;                               // unit quaternion, body to world
};

template <class Scalar>
struct PlanarFrame {
  math::Vector2<Scalar> position = math::Vector2<Scalar>::Zero();
  Scalar cos = 1, sin = 0;

  math::Vector2<Scalar> turn(const math::Vector2<Scalar>& v) const {
    return {cos * v.x() - sin * v.y(), sin * v.x() + cos * v.y()};
  }
  math::Vector2<Scalar> turn_back(const math::Vector2<Scalar>& v) const {
    return {cos * v.x() + sin * v.y(), cos * v.y() - sin * v.x()};
  }
  math::Vector2<Scalar> to_world(const math::Vector2<Scalar>& p) const { return position + turn(p); }
  math::Vector2<Scalar> to_body(const math::Vector2<Scalar>& p) const { return turn_back(p - position); }
};

template <class Scalar>
struct SpatialFrame {
  math::Vector3<Scalar> position = math::Vector3<Scalar>::Zero();
  math::Matrix3<Scalar> R =
      math::Matrix3<Scalar>::Identity();  // its columns are the body's axes in the world

  math::Vector3<Scalar> turn(const math::Vector3<Scalar>& v) const { return math::rotate(R, v); }
  math::Vector3<Scalar> turn_back(const math::Vector3<Scalar>& v) const { return math::rotate_back(R, v); }
  math::Vector3<Scalar> to_world(const math::Vector3<Scalar>& p) const { return position + turn(p); }
  math::Vector3<Scalar> to_body(const math::Vector3<Scalar>& p) const { return turn_back(p - position); }
};

template <class Scalar>
PlanarFrame<Scalar> frame(const PlanarPose<Scalar>& pose) {
  const auto turn = math::sin_cos(pose.angle);
  return {{pose.x, pose.y}, turn.cos, turn.sin};
}

// R(q) / |q|^2: a quaternion that has drifted off the unit sphere still gives a rotation. A zero quaternion
// gives NaN, which find_contacts reports.
template <class Scalar>
SpatialFrame<Scalar> frame(const SpatialPose<Scalar>& pose) {
  const Scalar w = pose.w, x = pose.x, y = pose.y, z = pose.z;
  const Scalar s = 2 / ((w * w + x * x) + (y * y + z * z));
  SpatialFrame<Scalar> f;
  f.position = pose.position;
  f.R(0, 0) = 1 - s * (y * y + z * z);
  f.R(1, 0) = s * (x * y + w * z);
  f.R(2, 0) = s * (x * z - w * y);
  f.R(0, 1) = s * (x * y - w * z);
  f.R(1, 1) = 1 - s * (x * x + z * z);
  f.R(2, 1) = s * (y * z + w * x);
  f.R(0, 2) = s * (x * z + w * y);
  f.R(1, 2) = s * (y * z - w * x);
  f.R(2, 2) = 1 - s * (x * x + y * y);
  return f;
}

// The pose of a frame: its quaternion by way of the component that is largest (Shepperd 1978).
template <class Scalar>
SpatialPose<Scalar> pose(const SpatialFrame<Scalar>& f) {
  const auto& R = f.R;
  SpatialPose<Scalar> p;
  p.position = f.position;
  Scalar* const part[] = {&p.x, &p.y, &p.z};
  int i = R(1, 1) > R(0, 0) ? 1 : 0;
  if (R(2, 2) > R(i, i)) i = 2;
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  const Scalar trace = (R(0, 0) + R(1, 1)) + R(2, 2);
  if (trace > R(i, i)) {
    p.w = std::sqrt(1 + trace) / 2;
    *part[i] = (R(k, j) - R(j, k)) / (4 * p.w);
    *part[j] = (R(i, k) - R(k, i)) / (4 * p.w);
    *part[k] = (R(j, i) - R(i, j)) / (4 * p.w);
  } else {
    const Scalar largest = std::sqrt(((1 + R(i, i)) - R(j, j)) - R(k, k)) / 2;
    p.w = (R(k, j) - R(j, k)) / (4 * largest);
    *part[i] = largest;
    *part[j] = (R(j, i) + R(i, j)) / (4 * largest);
    *part[k] = (R(k, i) + R(i, k)) / (4 * largest);
  }
  return p;
}

// Finite, and for a quaternion within 1e-3 of unit length. 0 * x is 0 for every finite x and NaN for the
// rest.
template <class Scalar>
bool is_valid(const PlanarPose<Scalar>& pose) {
  return 0 * pose.x + 0 * pose.y + 0 * pose.angle == 0;
}

template <class Scalar>
bool is_valid(const SpatialPose<Scalar>& pose) {
  const Scalar length2 = (pose.w * pose.w + pose.x * pose.x) + (pose.y * pose.y + pose.z * pose.z);
  const Scalar sum = (pose.position.x() + pose.position.y()) + pose.position.z();
  return sum - sum == 0 && std::abs(length2 - 1) <= static_cast<Scalar>(2e-3);
}

template <class Scalar>
bool is_finite(const PlanarFrame<Scalar>& f) {
  return 0 * f.position.x() + 0 * f.position.y() + 0 * f.cos + 0 * f.sin == 0;
}

template <class Scalar>
bool is_finite(const SpatialFrame<Scalar>& f) {
  Scalar sum = 0;
  for (int i = 0; i < 3; ++i) {
    sum += 0 * f.position[i] + 0 * f.R(i, 0) + 0 * f.R(i, 1) + 0 * f.R(i, 2);
  }
  return sum == 0;
}

}  // namespace tactus::geometry
