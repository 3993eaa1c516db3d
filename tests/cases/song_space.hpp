// A sphere or a cube on soft patches in space, drawn from a seed, and the little geometry that an oracle
// needs.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "tactus/contact/patch_matrices.hpp"
#include "tactus/geometry/shape.hpp"
#include "tests/corpus/friction_box.hpp"
#include "tests/oracle/dense.hpp"

namespace song_space {

using namespace tactus;
using corpus::Random;
using oracle::Column;
using oracle::Real;
using Vector3 = math::Vector<double, 3>;

// One body that touches planes through the origin: its centre at q, and no rotation that matters.
struct Case {
  const char* name;
  double h;
  int steps;
  double mass, inertia, mu;
  geometry::SpatialShape<double> shape;
  std::vector<Vector3> planes;                // normals
  std::vector<std::array<double, 3>> points;  // on the body, of the one plane; none: a sphere
  double radius;
  contact::PatchLaw<double> law;
  Vector3 place, velocity, spin;
  Vector3 force, torque;  // times sin(turns t)
  double turns;
};

using Axes = std::array<std::array<Real, 3>, 3>;

inline std::array<Real, 3> cross(const std::array<Real, 3>& a, const std::array<Real, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// n, t, o: t is the x axis made orthogonal to n, or the y axis where n is near x.
inline Axes frame_of(const Vector3& normal) {
  const Real size =
      std::sqrt(Real(normal[0]) * normal[0] + Real(normal[1]) * normal[1] + Real(normal[2]) * normal[2]);
  Axes axes{};
  for (std::size_t k = 0; k < 3; ++k) axes[0][k] = normal[static_cast<Eigen::Index>(k)] / size;
  const std::size_t along = std::fabs(axes[0][0]) >= 0.9L ? 1 : 0;
  const Real rest = std::sqrt(1 - axes[0][along] * axes[0][along]);
  for (std::size_t k = 0; k < 3; ++k)
    axes[1][k] = ((k == along ? 1 : 0) - axes[0][along] * axes[0][k]) / rest;
  axes[2] = cross(axes[0], axes[1]);
  return axes;
}

struct Turned {  // a unit quaternion
  Real w = 1, x = 0, y = 0, z = 0;
  std::array<Real, 3> operator()(const std::array<double, 3>& r) const {
    const std::array<Real, 3> u{x, y, z}, v{r[0], r[1], r[2]}, a = cross(u, v), b = cross(u, a);
    return {v[0] + 2 * (w * a[0] + b[0]), v[1] + 2 * (w * a[1] + b[1]), v[2] + 2 * (w * a[2] + b[2])};
  }
  // By the angle h |omega| about omega.
  void turn(Real h, const Real* omega) {
    const Real rate = std::sqrt(omega[0] * omega[0] + omega[1] * omega[1] + omega[2] * omega[2]);
    const Real half = h * rate / 2, s = rate > 0 ? std::sin(half) / rate : h / 2, o = std::cos(half);
    const Real a = s * omega[0], b = s * omega[1], c = s * omega[2];
    const Turned p = *this;
    w = o * p.w - a * p.x - b * p.y - c * p.z;
    x = o * p.x + a * p.w + b * p.z - c * p.y;
    y = o * p.y + b * p.w + c * p.x - a * p.z;
    z = o * p.z + c * p.w + a * p.y - b * p.x;
    const Real size = std::sqrt(w * w + x * x + y * y + z * z);
    w /= size, x /= size, y /= size, z /= size;
  }
};

inline contact::PatchLaw<double> random_patch(Random& random, int columns, int rows) {
  contact::PatchLaw<double> law;
  law.columns = static_cast<std::uint8_t>(columns);
  law.rows = static_cast<std::uint8_t>(rows);
  law.spacing = random.uniform(2e-4, 1e-3);
  law.compliance = 1e-9 * std::exp(random.uniform(0, 6));
  law.poisson = random.uniform(0, 0.5);
  law.printed = true;
  return law;
}

inline Vector3 random_vector(Random& random, double size) {
  const double x = random.uniform(-size, size), y = random.uniform(-size, size);
  return {x, y, random.uniform(-size, size)};
}

inline Case sphere(std::uint64_t seed, int columns, int rows, const std::vector<Vector3>& planes) {
  Random random(seed);
  Case c{};
  c.name = "sphere";
  c.h = random.uniform(3e-4, 1.5e-3);
  c.steps = 200;
  c.radius = random.uniform(0.02, 0.1);
  c.mass = random.uniform(0.1, 2);
  c.inertia = 0.4 * c.mass * c.radius * c.radius;
  c.mu = random.uniform(0.15, 0.6);
  c.shape = geometry::sphere<double>(c.radius);
  c.planes = planes;
  c.law = random_patch(random, columns, rows);
  // Its centre a hair over every plane: they meet in the origin.
  oracle::Matrix N = oracle::Matrix::identity(3);
  Column distance{0.05L, 0.03L, 0};
  for (std::size_t p = 0; p < planes.size(); ++p) {
    const std::size_t row = 2 - p;
    const Axes axes = frame_of(planes[p]);
    for (std::size_t k = 0; k < 3; ++k) N(row, k) = axes[0][k];
    distance[row] = c.radius + random.uniform(0, 2e-4);
  }
  if (planes.size() > 1) {
    const auto edge = cross(frame_of(planes[0])[0], frame_of(planes[1])[0]);
    for (std::size_t k = 0; k < 3; ++k) N(0, k) = edge[k];
  }
  const Column place = oracle::solve(N, distance);
  for (int k = 0; k < 3; ++k) c.place[k] = static_cast<double>(place[static_cast<std::size_t>(k)]);
  c.velocity = random_vector(random, 0.5);
  c.spin = random_vector(random, 0.3 / c.radius);
  c.force = random_vector(random, 8 * c.mass);
  c.torque = random_vector(random, c.mass * c.radius);
  c.turns = random.uniform(20, 60);
  return c;
}

// A cube on four corners, pushed at the height of its feet so that it all but slides upright.
inline Case cube(std::uint64_t seed) {
  Random random(seed);
  Case c{};
  c.name = "cube on four corners";
  c.h = random.uniform(5e-4, 1e-3);
  c.steps = 200;
  const double a = random.uniform(0.03, 0.1);
  c.radius = std::sqrt(3.0) * a;
  c.mass = random.uniform(0.2, 2);
  c.inertia = 2 * c.mass * a * a / 3;
  c.mu = random.uniform(0.2, 0.5);
  c.shape = geometry::box<double>(a, a, a);
  c.planes = {{0, 0, 1}};
  c.points = {{-a, -a, -a}, {a, -a, -a}, {-a, a, -a}, {a, a, -a}};
  c.law.stiffness = 1e4 * std::exp(random.uniform(1, 4));
  c.law.damping = c.law.stiffness * random.uniform(5e-4, 3e-3);
  c.place = {0.01, 0.02, a};
  c.velocity = {0.1, -0.05, 0};
  c.spin = {0, 0, 0};
  c.force = {7 * c.mass, 5 * c.mass, 0};
  c.torque = {5 * c.mass * a, -7 * c.mass * a, 0};
  c.turns = 30;
  return c;
}

}  // namespace song_space
