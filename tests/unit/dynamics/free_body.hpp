// A body in free motion, watched in double: a full tensor (its axes are not the body's), a spin, and what has
// to stay as it is.
#pragma once

#include <cmath>
#include <limits>

#include "tactus/dynamics/drift.hpp"
#include "unity.h"

namespace free_body {

using namespace tactus;
using Vector = math::Vector<double, 3>;
using Matrix = Eigen::Matrix<double, 3, 3>;
template <class Scalar>
using Pose = geometry::SpatialPose<Scalar>;

inline double size(const Vector& v) {
  return std::sqrt(v.dot(v));
}

inline Pose<double> turned(double w, double x, double y, double z) {
  const double length = std::sqrt(w * w + x * x + y * y + z * z);
  Pose<double> pose;
  pose.w = w / length, pose.x = x / length, pose.y = y / length, pose.z = z / length;
  return pose;
}

// From the principal axes to the body's.
inline Matrix axes() {
  return geometry::frame(turned(0.7, 0.2, 0.5, -0.4)).R;
}

inline const Vector kMoments[] = {{1e-3, 2e-3, 2.9e-3}, {1e-3, 2e-3, 2.5e-3}, {1e-3, 1.9e-3, 2e-3},
                                  {1e-3, 1e-3, 1.9e-3}, {1e-3, 1e-3, 1e-3},   {1e-3, 1e-3, 1e-5}};
// Of the spin, along the principal axes: across, near the middle one, near the first.
inline const Vector kSpins[] = {{1, 1, 1}, {0.02, 1, 0.01}, {1, 0.05, 0.02}};

template <class Scalar>
struct Body {
  dynamics::Inertia<Scalar, 3> inertia;
  Pose<Scalar> pose;
  dynamics::Motion<Scalar, 3> velocity;

  // Moments along the principal axes (kg m^2), spin in them (rad/s).
  Body(const Vector& moments, const Vector& spin, bool full = true) {
    const Matrix P = full ? axes() : Matrix(Matrix::Identity());
    const Matrix exact = P * moments.asDiagonal() * P.transpose();
    Eigen::Matrix<Scalar, 3, 3> tensor;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j) tensor(i, j) = tensor(j, i) = static_cast<Scalar>(exact(i, j));
    TEST_ASSERT_TRUE((dynamics::make_inertia<Scalar, 3>(Scalar(1), tensor, inertia)) == What::none);
    const auto start = turned(0.8, 0.3, -0.4, 0.2);
    pose.w = static_cast<Scalar>(start.w), pose.x = static_cast<Scalar>(start.x);
    pose.y = static_cast<Scalar>(start.y), pose.z = static_cast<Scalar>(start.z);
    velocity.angular = (geometry::frame(start).R * (P * spin)).template cast<Scalar>();
  }

  bool step(double h) {
    return dynamics::drift(inertia, geometry::frame(pose), static_cast<Scalar>(h), pose, velocity);
  }

  Matrix R() const {
    Pose<double> wide;
    wide.w = static_cast<double>(pose.w), wide.x = static_cast<double>(pose.x);
    wide.y = static_cast<double>(pose.y), wide.z = static_cast<double>(pose.z);
    return geometry::frame(wide).R;
  }
  Vector spin() const { return velocity.angular.template cast<double>(); }
  Vector own_spin() const { return R().transpose() * spin(); }
  Vector momentum() const { return R() * (inertia.tensor.template cast<double>() * own_spin()); }
  double energy() const { return spin().dot(momentum()) / 2; }
};

// Largest relative errors over a run.
struct Errors {
  double energy = 0, size = 0, momentum = 0;

  void see(const Errors& e) {
    energy = std::fmax(energy, e.energy);
    size = std::fmax(size, e.size);
    momentum = std::fmax(momentum, e.momentum);
  }
};

template <class Scalar>
Errors run(Body<Scalar> body, double h, long steps) {
  const Vector L = body.momentum();
  const double E = body.energy(), length = size(L);
  Errors errors;
  for (long k = 1; k <= steps; ++k) {
    if (!body.step(h)) return {1, 1, 1};
    if (k % 97 != 0 && k != steps) continue;
    const Vector now = body.momentum();
    const Errors e{std::fabs(body.energy() / E - 1), std::fabs(size(now) / length - 1),
                   size(Vector(now - L)) / length};
    if (!(e.energy + e.size + e.momentum < 1)) return {1, 1, 1};
    errors.see(e);
  }
  return errors;
}

struct Pace {
  double spin, h;  // rad/s, s
};
inline constexpr Pace kPaces[] = {{1, 1e-3}, {20, 1e-3}, {20, 2e-3}, {100, 1e-3}, {100, 2e-3}};

// The worst of all bodies and spins.
template <class Scalar>
Errors worst(const Pace& pace, double seconds) {
  Errors errors;
  for (const Vector& moments : kMoments)
    for (const Vector& spin : kSpins)
      errors.see(
          run(Body<Scalar>(moments, spin * (pace.spin / size(spin))), pace.h, std::lround(seconds / pace.h)));
  return errors;
}

}  // namespace free_body
