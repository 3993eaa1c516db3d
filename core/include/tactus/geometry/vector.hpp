// Fixed-size vectors, and the reductions over them in one written order: Eigen may reorder a sum when it
// vectorises, and then two machines would differ in the last bit.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <limits>

namespace tactus::geometry {

template <class Scalar>
using Vector2 = Eigen::Matrix<Scalar, 2, 1>;
template <class Scalar>
using Vector3 = Eigen::Matrix<Scalar, 3, 1>;
template <class Scalar>
using Matrix3 = Eigen::Matrix<Scalar, 3, 3>;

template <class Scalar>
Scalar dot(const Vector2<Scalar>& a, const Vector2<Scalar>& b) {
  return a.x() * b.x() + a.y() * b.y();
}

template <class Scalar>
Scalar dot(const Vector3<Scalar>& a, const Vector3<Scalar>& b) {
  return (a.x() * b.x() + a.y() * b.y()) + a.z() * b.z();
}

// z component of the product of two vectors in the plane.
template <class Scalar>
Scalar cross(const Vector2<Scalar>& a, const Vector2<Scalar>& b) {
  return a.x() * b.y() - a.y() * b.x();
}

template <class Scalar>
Vector3<Scalar> cross(const Vector3<Scalar>& a, const Vector3<Scalar>& b) {
  return {a.y() * b.z() - a.z() * b.y(), a.z() * b.x() - a.x() * b.z(), a.x() * b.y() - a.y() * b.x()};
}

template <class Scalar, int Dim>
Scalar squared_norm(const Eigen::Matrix<Scalar, Dim, 1>& a) {
  return dot(a, a);
}

template <class Scalar, int Dim>
Scalar norm(const Eigen::Matrix<Scalar, Dim, 1>& a) {
  return std::sqrt(dot(a, a));
}

// v / |v|; `otherwise` where v is too short for its direction to mean anything. v is scaled by its largest
// component first, so that a short vector's square does not underflow.
template <class Scalar, int Dim>
Eigen::Matrix<Scalar, Dim, 1> direction(const Eigen::Matrix<Scalar, Dim, 1>& v,
                                        const Eigen::Matrix<Scalar, Dim, 1>& otherwise) {
  Scalar largest = 0;
  for (int i = 0; i < Dim; ++i) largest = std::abs(v[i]) > largest ? std::abs(v[i]) : largest;
  if (!(largest > std::numeric_limits<Scalar>::min())) return otherwise;
  const Eigen::Matrix<Scalar, Dim, 1> scaled = v / largest;
  return scaled / norm(scaled);
}

// R v and R^T v.
template <class Scalar>
Vector3<Scalar> rotate(const Matrix3<Scalar>& R, const Vector3<Scalar>& v) {
  return {(R(0, 0) * v.x() + R(0, 1) * v.y()) + R(0, 2) * v.z(),
          (R(1, 0) * v.x() + R(1, 1) * v.y()) + R(1, 2) * v.z(),
          (R(2, 0) * v.x() + R(2, 1) * v.y()) + R(2, 2) * v.z()};
}

template <class Scalar>
Vector3<Scalar> rotate_back(const Matrix3<Scalar>& R, const Vector3<Scalar>& v) {
  return {(R(0, 0) * v.x() + R(1, 0) * v.y()) + R(2, 0) * v.z(),
          (R(0, 1) * v.x() + R(1, 1) * v.y()) + R(2, 1) * v.z(),
          (R(0, 2) * v.x() + R(1, 2) * v.y()) + R(2, 2) * v.z()};
}

template <class Scalar>
Scalar clamp(Scalar value, Scalar low, Scalar high) {
  return value < low ? low : (value > high ? high : value);
}

}  // namespace tactus::geometry
