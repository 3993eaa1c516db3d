// What the geometry tests judge by: random numbers that are the same everywhere, and support functions.
//
// The support function h(n) = max of n . p over a convex body has a closed form for every shape, and knows
// nothing of nearest points. The separation of two bodies along a unit n is s(n) = -h_b(-n) - h_a(n); the
// signed gap is the largest s(n) over all n, apart or in penetration. So a gap is right if s(its own normal)
// equals it and no other direction has more; apart, the first half together with points on both surfaces is
// already a proof.
#pragma once

#include <unity.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "tactus/geometry/planar.hpp"
#include "tactus/geometry/spatial.hpp"

namespace oracle {

namespace geo = tactus::geometry;
namespace math = tactus::math;

class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed) {}

  // Uniform in [low, high), 24 bits of it.
  double uniform(double low, double high) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return low + (high - low) * static_cast<double>(state_ >> 40) * 0x1p-24;
  }
  int below(int n) { return static_cast<int>(uniform(0, n)); }

 private:
  std::uint64_t state_;
};

template <class Scalar>
math::Vector2<Scalar> direction2(Random& random) {
  const double angle = random.uniform(0, 6.283185307179586);
  return {static_cast<Scalar>(std::cos(angle)), static_cast<Scalar>(std::sin(angle))};
}

template <class Scalar>
math::Vector3<Scalar> direction3(Random& random) {
  const double z = random.uniform(-1, 1), angle = random.uniform(0, 6.283185307179586),
               r = std::sqrt(1 - z * z);
  return {static_cast<Scalar>(r * std::cos(angle)), static_cast<Scalar>(r * std::sin(angle)),
          static_cast<Scalar>(z)};
}

template <class Scalar>
geo::PlanarPose<Scalar> pose2(Random& random, double range) {
  return {static_cast<Scalar>(random.uniform(-range, range)),
          static_cast<Scalar>(random.uniform(-range, range)), static_cast<Scalar>(random.uniform(-7, 7))};
}

template <class Scalar>
geo::SpatialPose<Scalar> pose3(Random& random, double range) {
  geo::SpatialPose<Scalar> pose;
  for (int i = 0; i < 3; ++i) pose.position[i] = static_cast<Scalar>(random.uniform(-range, range));
  double q[4], length2 = 0;
  do {
    length2 = 0;
    for (double& x : q) {
      x = random.uniform(-1, 1);
      length2 += x * x;
    }
  } while (length2 > 1 || length2 < 0.01);
  const double s = 1 / std::sqrt(length2);
  pose.w = static_cast<Scalar>(q[0] * s);
  pose.x = static_cast<Scalar>(q[1] * s);
  pose.y = static_cast<Scalar>(q[2] * s);
  pose.z = static_cast<Scalar>(q[3] * s);
  return pose;
}

// h(n) in the shape's own frame.
template <class Scalar>
double support(const geo::PlanarShape<Scalar>& shape, double nx, double ny) {
  const double a = static_cast<double>(shape.size.x()), b = static_cast<double>(shape.size.y());
  switch (shape.kind) {
    case geo::PlanarKind::disc:
      return a;
    case geo::PlanarKind::ellipse:
      return std::sqrt(a * a * nx * nx + b * b * ny * ny);
    case geo::PlanarKind::box:
      return a * std::abs(nx) + b * std::abs(ny);
    case geo::PlanarKind::rod:
      return a * std::abs(nx);
    case geo::PlanarKind::polygon: {
      double most = -1e300;
      for (int k = 0; k < shape.sides; ++k) {
        const double angle = 6.283185307179586 * k / shape.sides,
                     level = a * (nx * std::cos(angle) + ny * std::sin(angle));
        most = level > most ? level : most;
      }
      return most;
    }
    case geo::PlanarKind::half_space:
      break;
  }
  return 1e300;
}

template <class Scalar>
double support(const geo::SpatialShape<Scalar>& shape, double nx, double ny, double nz) {
  const double a = static_cast<double>(shape.size.x()), b = static_cast<double>(shape.size.y()),
               c = static_cast<double>(shape.size.z());
  switch (shape.kind) {
    case geo::SpatialKind::sphere:
      return a;
    case geo::SpatialKind::ellipsoid:
      return std::sqrt(a * a * nx * nx + b * b * ny * ny + c * c * nz * nz);
    case geo::SpatialKind::box:
      return a * std::abs(nx) + b * std::abs(ny) + c * std::abs(nz);
    case geo::SpatialKind::capsule:
      return a + c * std::abs(nz);
    case geo::SpatialKind::half_space:
      break;
  }
  return 1e300;
}

template <class Scalar>
double reach(const geo::PlanarShape<Scalar>& shape, const geo::PlanarFrame<Scalar>& f, double nx, double ny) {
  const double c = static_cast<double>(f.cos), s = static_cast<double>(f.sin);
  return nx * static_cast<double>(f.position.x()) + ny * static_cast<double>(f.position.y()) +
         support(shape, c * nx + s * ny, c * ny - s * nx);
}

template <class Scalar>
double reach(const geo::SpatialShape<Scalar>& shape, const geo::SpatialFrame<Scalar>& f, double nx, double ny,
             double nz) {
  const auto along = [&](int k) {
    return static_cast<double>(f.R(0, k)) * nx + static_cast<double>(f.R(1, k)) * ny +
           static_cast<double>(f.R(2, k)) * nz;
  };
  return nx * static_cast<double>(f.position.x()) + ny * static_cast<double>(f.position.y()) +
         nz * static_cast<double>(f.position.z()) + support(shape, along(0), along(1), along(2));
}

// s(n); n from a to b.
template <class Shape, class Frame, class Scalar>
double separation(const Shape& a, const Frame& fa, const Shape& b, const Frame& fb,
                  const math::Vector2<Scalar>& n) {
  const double x = static_cast<double>(n.x()), y = static_cast<double>(n.y());
  return -reach(b, fb, -x, -y) - reach(a, fa, x, y);
}

template <class Shape, class Frame, class Scalar>
double separation(const Shape& a, const Frame& fa, const Shape& b, const Frame& fb,
                  const math::Vector3<Scalar>& n) {
  const double x = static_cast<double>(n.x()), y = static_cast<double>(n.y()), z = static_cast<double>(n.z());
  return -reach(b, fb, -x, -y, -z) - reach(a, fa, x, y, z);
}

// A level that is zero on the surface, negative inside, positive outside, in metres near the surface.
template <class Scalar>
double level(const geo::PlanarShape<Scalar>& shape, const math::Vector2<Scalar>& p) {
  const double x = static_cast<double>(p.x()), y = static_cast<double>(p.y());
  const double a = static_cast<double>(shape.size.x()), b = static_cast<double>(shape.size.y());
  switch (shape.kind) {
    case geo::PlanarKind::ellipse:
      return (std::sqrt(x * x / (a * a) + y * y / (b * b)) - 1) * (a < b ? a : b);
    case geo::PlanarKind::box:
    case geo::PlanarKind::rod:
      return std::fmax(std::abs(x) - a, std::abs(y) - b);
    case geo::PlanarKind::polygon: {
      double most = -1e300;
      for (int k = 0; k < shape.sides; ++k) {
        const double angle = 6.283185307179586 * (k + 0.5) / shape.sides;
        most = std::fmax(
            most, x * std::cos(angle) + y * std::sin(angle) - a * std::cos(3.141592653589793 / shape.sides));
      }
      return most;
    }
    default:
      return std::sqrt(x * x + y * y) - a;
  }
}

template <class Scalar>
double level(const geo::SpatialShape<Scalar>& shape, const math::Vector3<Scalar>& p) {
  const double x = static_cast<double>(p.x()), y = static_cast<double>(p.y()), z = static_cast<double>(p.z());
  const double a = static_cast<double>(shape.size.x()), b = static_cast<double>(shape.size.y()),
               c = static_cast<double>(shape.size.z());
  switch (shape.kind) {
    case geo::SpatialKind::ellipsoid:
      return (std::sqrt(x * x / (a * a) + y * y / (b * b) + z * z / (c * c)) - 1) *
             std::fmin(a, std::fmin(b, c));
    case geo::SpatialKind::box:
      return std::fmax(std::abs(x) - a, std::fmax(std::abs(y) - b, std::abs(z) - c));
    case geo::SpatialKind::capsule: {
      const double rest = std::fmax(std::abs(z) - c, 0.0);
      return std::sqrt(x * x + y * y + rest * rest) - a;
    }
    default:
      return std::sqrt(x * x + y * y + z * z) - a;
  }
}

inline void check_near(double expected, double actual, double tolerance, const char* what) {
  TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(tolerance, expected, actual, what);
}

template <class Scalar, int Dim>
void check_vector(const Eigen::Matrix<Scalar, Dim, 1>& expected, const Eigen::Matrix<Scalar, Dim, 1>& actual,
                  double tolerance, const char* what) {
  for (int i = 0; i < Dim; ++i) {
    check_near(static_cast<double>(expected[i]), static_cast<double>(actual[i]), tolerance, what);
  }
}

// What every contact point promises (contact.hpp), whatever the pair.
template <class Scalar>
void check_promises(const geo::PlanarContact<Scalar>& c, double tolerance) {
  check_near(1, static_cast<double>(math::norm(c.normal)), tolerance, "normal of unit length");
  check_near(static_cast<double>(c.normal.y()), static_cast<double>(c.tangent.x()), 0, "tangent, x");
  check_near(static_cast<double>(-c.normal.x()), static_cast<double>(c.tangent.y()), 0, "tangent, y");
  check_vector<Scalar, 2>(c.point_a + c.gap * c.normal, c.point_b, tolerance, "b = a + gap n");
}

template <class Scalar>
void check_promises(const geo::SpatialContact<Scalar>& c, double tolerance) {
  check_near(1, static_cast<double>(math::norm(c.normal)), tolerance, "normal of unit length");
  check_near(1, static_cast<double>(math::norm(c.tangent)), tolerance, "tangent of unit length");
  check_near(0, static_cast<double>(math::dot(c.normal, c.tangent)), tolerance, "tangent across normal");
  check_vector<Scalar, 3>(math::cross(c.normal, c.tangent), c.binormal, tolerance, "n x t = o");
  check_vector<Scalar, 3>(c.point_a + c.gap * c.normal, c.point_b, tolerance, "b = a + gap n");
}

// Fewer random poses where a double costs a hundred instructions.
#ifdef __arm__
inline constexpr int kPoses = 60, kDirections = 30;
#else
inline constexpr int kPoses = 3000, kDirections = 200;
#endif

template <class Contacts>
int deepest(const Contacts& set) {
  int best = 0;
  for (int i = 1; i < set.count; ++i) best = set[i].gap < set[best].gap ? i : best;
  return best;
}

// Counts that show what a random sweep has met.
struct Sweep {
  int apart = 0, inside = 0, several = 0;
};

template <class Scalar>
math::Vector2<Scalar> any_direction(Random& random, const math::Vector2<Scalar>&) {
  return direction2<Scalar>(random);
}

template <class Scalar>
math::Vector3<Scalar> any_direction(Random& random, const math::Vector3<Scalar>&) {
  return direction3<Scalar>(random);
}

// The normal of a capsule whose axis is d away from another axis or a box is known to about epsilon L / d, L
// the lengths involved, and the separation along a normal is off by L times its error: it shows when the axes
// nearly touch.
template <class Scalar>
double blur(const geo::SpatialShape<Scalar>& a, const geo::SpatialShape<Scalar>& b, double gap) {
  double L = 0, d = gap;
  for (const auto* shape : {&a, &b}) {
    L += static_cast<double>(geo::bounding_radius(*shape));
    if (shape->kind == geo::SpatialKind::capsule) d += static_cast<double>(shape->size.x());
    if (shape->kind != geo::SpatialKind::capsule && shape->kind != geo::SpatialKind::box) return 0;
  }
  const double epsilon = static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  return d < 16 * epsilon * L ? 0 : epsilon * L * L / d;
}

template <class Scalar>
double blur(const geo::PlanarShape<Scalar>&, const geo::PlanarShape<Scalar>&, double) {
  return 0;
}

// s(n), or for two boxes the largest s over n and the products of their edges within 1.2 degrees of it: so
// near to a face's normal the face stands for an edge pair (box_box.hpp).
template <class Scalar>
double separation_near(const geo::SpatialShape<Scalar>& a, const geo::SpatialFrame<Scalar>& fa,
                       const geo::SpatialShape<Scalar>& b, const geo::SpatialFrame<Scalar>& fb,
                       const math::Vector3<Scalar>& n) {
  double best = separation(a, fa, b, fb, n);
  if (a.kind != geo::SpatialKind::box || b.kind != geo::SpatialKind::box) return best;
  const math::Vector3<double> m = n.template cast<double>();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const math::Vector3<double> edge_a = fa.R.col(i).template cast<double>(),
                                  edge_b = fb.R.col(j).template cast<double>();
      math::Vector3<double> axis = math::cross(edge_a, edge_b);
      if (math::norm(axis) < 1e-3) continue;
      axis /= math::dot(axis, m) < 0 ? -math::norm(axis) : math::norm(axis);
      if (math::dot(axis, m) > 0.99978) best = std::fmax(best, separation(a, fa, b, fb, axis));
    }
  }
  return best;
}

template <class Scalar>
double separation_near(const geo::PlanarShape<Scalar>& a, const geo::PlanarFrame<Scalar>& fa,
                       const geo::PlanarShape<Scalar>& b, const geo::PlanarFrame<Scalar>& fb,
                       const math::Vector2<Scalar>& n) {
  return separation(a, fa, b, fb, n);
}

// The deepest point of the pair: its normal separates by its gap, no other direction separates by more, and
// its points lie on both surfaces. `slack` is a share of the gap that the pair's header concedes. The pair
// exchanged gives the same.
template <class Contacts, class Shape, class Frame>
void check_pair(const Shape& a, const Frame& fa, const Shape& b, const Frame& fb, double tolerance,
                double slack, Random& random, Sweep& sweep) {
  using Scalar = std::remove_cvref_t<decltype(a.offset)>;
  Contacts set, exchanged;
  TEST_ASSERT_TRUE(geo::find_contacts(a, fa, b, fb, static_cast<Scalar>(100), set) == geo::FindStatus::ok);
  TEST_ASSERT_TRUE(geo::find_contacts(b, fb, a, fa, static_cast<Scalar>(100), exchanged) ==
                   geo::FindStatus::ok);
  TEST_ASSERT_TRUE(set.count > 0);
  for (int i = 0; i < set.count; ++i) check_promises(set[i], tolerance);
  for (int i = 0; i < exchanged.count; ++i) check_promises(exchanged[i], tolerance);

  const auto& contact = set[deepest(set)];
  const double gap = static_cast<double>(contact.gap);
  const double allowed = tolerance + slack * std::abs(gap) + blur<Scalar>(a, b, gap);
  check_near(gap, separation_near(a, fa, b, fb, contact.normal), allowed, "the normal separates by the gap");
  for (int i = 0; i < kDirections; ++i) {
    auto n = any_direction(random, contact.normal);
    if (i % 2 == 0) n = (contact.normal + static_cast<Scalar>(0.05) * n).eval();
    n /= math::norm(n);
    TEST_ASSERT_TRUE_MESSAGE(separation(a, fa, b, fb, n) <= gap + allowed, "no direction separates by more");
  }
  check_near(0, level(a, fa.to_body(contact.point_a)), allowed, "point on a's surface");
  check_near(0, level(b, fb.to_body(contact.point_b)), allowed, "point on b's surface");
  check_near(gap, static_cast<double>(exchanged[deepest(exchanged)].gap), 2 * allowed, "exchanged, the gap");
  (gap > 0 ? sweep.apart : sweep.inside) += 1;
  sweep.several += set.count > 1 ? 1 : 0;
}

}  // namespace oracle
