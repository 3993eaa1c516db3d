// Shapes and poses are refused with the right reason, and what a valid shape says of itself.
#include <unity.h>

#include <limits>

#include "oracle.hpp"

namespace {

namespace geo = tactus::geometry;
namespace math = tactus::math;
using tactus::What;

template <class Shape>
void expect(What expected, const Shape& shape) {
  TEST_ASSERT_EQUAL_INT(static_cast<int>(expected), static_cast<int>(geo::check(shape).what));
}

template <class Scalar>
void check_planar() {
  using Vector = math::Vector2<Scalar>;
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN(), inf = std::numeric_limits<Scalar>::infinity();
  expect(What::none, geo::half_space<Scalar>(Vector(3, -4), -1));
  expect(What::shape_normal, geo::half_space<Scalar>(Vector(0, 0), 0));
  expect(What::shape_not_finite, geo::half_space<Scalar>(Vector(nan, 1), 0));
  expect(What::shape_not_finite, geo::half_space<Scalar>(Vector(nan, nan), 0));
  expect(What::shape_not_finite, geo::half_space<Scalar>(Vector(inf, 1), 0));
  expect(What::shape_not_finite, geo::half_space<Scalar>(Vector(0, 1), inf));
  for (const Scalar bad : {nan, inf, -inf}) {
    for (const auto& shape :
         {geo::disc<Scalar>(bad), geo::ellipse<Scalar>(1, bad), geo::ellipse<Scalar>(bad, 1),
          geo::box<Scalar>(bad, 1), geo::polygon<Scalar>(5, bad), geo::rod<Scalar>(bad)}) {
      expect(What::shape_not_finite, shape);
    }
  }
  for (const Scalar bad : {static_cast<Scalar>(0), static_cast<Scalar>(-1)}) {
    for (const auto& shape :
         {geo::disc<Scalar>(bad), geo::ellipse<Scalar>(1, bad), geo::ellipse<Scalar>(bad, 1),
          geo::box<Scalar>(1, bad), geo::polygon<Scalar>(5, bad), geo::rod<Scalar>(bad)}) {
      expect(What::shape_size, shape);
    }
  }
  for (const auto& shape : {geo::disc<Scalar>(1), geo::ellipse<Scalar>(1, 2), geo::box<Scalar>(1, 2),
                            geo::polygon<Scalar>(3, 1), geo::polygon<Scalar>(4096, 1), geo::rod<Scalar>(1)}) {
    expect(What::none, shape);
  }
  for (const int sides : {-5, 0, 2}) expect(What::too_few_sides, geo::polygon<Scalar>(sides, 1));
  for (const int sides : {4097, 65539, 2147483647})
    expect(What::too_many_sides, geo::polygon<Scalar>(sides, 1));
  auto unknown = geo::disc<Scalar>(1);
  unknown.kind = static_cast<geo::PlanarKind>(77);
  expect(What::shape_kind, unknown);
  auto long_normal = geo::half_space<Scalar>(Vector(0, 1), 0);
  long_normal.size *= 2;
  expect(What::shape_normal, long_normal);
}

template <class Scalar>
void check_spatial() {
  using Vector = math::Vector3<Scalar>;
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN(), inf = std::numeric_limits<Scalar>::infinity();
  expect(What::none, geo::half_space<Scalar>(Vector(1, 2, -2), 5));
  expect(What::shape_normal, geo::half_space<Scalar>(Vector(0, 0, 0), 0));
  expect(What::shape_not_finite, geo::half_space<Scalar>(Vector(0, nan, 1), 0));
  for (const Scalar bad : {nan, inf, static_cast<Scalar>(0), static_cast<Scalar>(-2)}) {
    const auto reason = bad <= 0 ? What::shape_size : What::shape_not_finite;
    for (const auto& shape :
         {geo::sphere<Scalar>(bad), geo::ellipsoid<Scalar>(1, bad, 1), geo::ellipsoid<Scalar>(1, 1, bad),
          geo::box<Scalar>(bad, 1, 1), geo::capsule<Scalar>(bad, 1), geo::capsule<Scalar>(1, bad)}) {
      expect(reason, shape);
    }
  }
  for (const auto& shape : {geo::sphere<Scalar>(1), geo::ellipsoid<Scalar>(1, 2, 3),
                            geo::box<Scalar>(1, 2, 3), geo::capsule<Scalar>(1, 2)}) {
    expect(What::none, shape);
  }
  auto unknown = geo::sphere<Scalar>(1);
  unknown.kind = static_cast<geo::SpatialKind>(5);
  expect(What::shape_kind, unknown);
}

void planar_shapes_are_checked() {
  check_planar<float>();
  check_planar<double>();
}

void spatial_shapes_are_checked() {
  check_spatial<float>();
  check_spatial<double>();
}

// Which number is wrong, and how much is needed.
void a_refusal_has_the_numbers() {
  const auto corners = geo::check(geo::polygon(2, 1.0)), size = geo::check(geo::box(1.0, 2.0, -3.0));
  TEST_ASSERT_EQUAL_FLOAT(3, corners.needed);
  TEST_ASSERT_EQUAL_FLOAT(2, corners.have);
  TEST_ASSERT_EQUAL_FLOAT(-3, size.have);
}

// (3, 4, 12) has length 13; polygons reach their vertices.
void bounding_radii() {
  TEST_ASSERT_EQUAL_DOUBLE(13, geo::bounding_radius(geo::box(3.0, 4.0, 12.0)));
  TEST_ASSERT_EQUAL_DOUBLE(5, geo::bounding_radius(geo::box(3.0, 4.0)));
  TEST_ASSERT_EQUAL_DOUBLE(4, geo::bounding_radius(geo::ellipse(3.0, 4.0)));
  TEST_ASSERT_EQUAL_DOUBLE(5, geo::bounding_radius(geo::ellipsoid(3.0, 5.0, 4.0)));
  TEST_ASSERT_EQUAL_DOUBLE(5, geo::bounding_radius(geo::capsule(2.0, 3.0)));
  TEST_ASSERT_EQUAL_DOUBLE(2, geo::bounding_radius(geo::polygon(3, 2.0)));
  TEST_ASSERT_EQUAL_DOUBLE(2, geo::bounding_radius(geo::rod(4.0)));
  TEST_ASSERT_EQUAL_DOUBLE(2, geo::bounding_radius(geo::disc(2.0)));
}

// A message has the number of a kind: 8 is a capsule, which is none in the plane, and 9 nothing.
void kinds_by_their_number() {
  auto planar = geo::PlanarKind::rod;
  auto spatial = geo::SpatialKind::box;
  TEST_ASSERT_TRUE(geo::find_kind<2>(2, planar) && planar == geo::PlanarKind::ellipse);
  TEST_ASSERT_TRUE(geo::find_kind<3>(8, spatial) && spatial == geo::SpatialKind::capsule);
  TEST_ASSERT_FALSE(geo::find_kind<2>(8, planar));
  TEST_ASSERT_FALSE(geo::find_kind<3>(9, spatial));
  TEST_ASSERT_FALSE(geo::find_kind<3>(~0U, spatial));
}

// A rod is given by its whole length, a capsule by its radius and the half of its axis.
void shapes_from_numbers() {
  const auto rod = geo::make_shape<double, 2>(geo::PlanarKind::rod, {{4}});
  const auto capsule = geo::make_shape<double, 3>(geo::SpatialKind::capsule, {{2, 3}});
  const auto floor = geo::make_shape<double, 3>(geo::SpatialKind::half_space, {{0, 0, 5}, -1});
  TEST_ASSERT_TRUE(rod.size.x() == 2 && rod.size.y() == 0);
  TEST_ASSERT_TRUE(capsule.size.x() == 2 && capsule.size.y() == 0 && capsule.size.z() == 3);
  TEST_ASSERT_TRUE(floor.size.z() == 1 && floor.offset == -1 && !geo::check(floor));
}

void poses_are_checked() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  TEST_ASSERT_TRUE(geo::is_valid(geo::PlanarPose<double>{1, 2, 300}));
  TEST_ASSERT_FALSE(geo::is_valid(geo::PlanarPose<double>{nan, 2, 3}));
  TEST_ASSERT_FALSE(geo::is_valid(geo::PlanarPose<double>{1, 2, nan}));
  geo::SpatialPose<double> pose;
  TEST_ASSERT_TRUE(geo::is_valid(pose));
  pose.w = 1.01;
  TEST_ASSERT_FALSE(geo::is_valid(pose));
  pose.w = 0;
  TEST_ASSERT_FALSE(geo::is_valid(pose));
  pose = {};
  pose.position.y() = nan;
  TEST_ASSERT_FALSE(geo::is_valid(pose));
}

// The rotation of a quaternion is orthonormal, right-handed and turns about the right axis, also where the
// quaternion has drifted off unit length: 90 degrees about z takes x to y.
void frames_of_quaternions() {
  oracle::Random random(9);
  for (int i = 0; i < 50; ++i) {
    auto pose = oracle::pose3<double>(random, 1);
    pose.w *= 1.0005;
    pose.x *= 1.0005;
    pose.y *= 1.0005;
    pose.z *= 1.0005;
    const auto f = geo::frame(pose);
    const math::Vector3<double> x = f.R.col(0), y = f.R.col(1), z = f.R.col(2);
    oracle::check_near(1, math::norm(x), 1e-15, "unit x");
    oracle::check_near(1, math::norm(y), 1e-15, "unit y");
    oracle::check_vector<double, 3>(math::cross(x, y), z, 1e-15, "x cross y is z");
    const math::Vector3<double> p(0.1, 0.2, -0.3);
    oracle::check_vector<double, 3>(p, f.to_body(f.to_world(p)), 1e-15, "there and back");
  }
  geo::SpatialPose<double> quarter;
  quarter.w = quarter.z = std::sqrt(0.5);
  oracle::check_vector<double, 3>({0, 1, 0}, geo::frame(quarter).turn({1, 0, 0}), 1e-15, "x to y");
  oracle::check_vector<double, 2>(
      {0, 1}, geo::frame(geo::PlanarPose<double>{0, 0, 5 * math::kPi<double> / 2}).turn({1, 0}), 1e-15,
      "x to y in the plane");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(planar_shapes_are_checked);
  RUN_TEST(spatial_shapes_are_checked);
  RUN_TEST(a_refusal_has_the_numbers);
  RUN_TEST(bounding_radii);
  RUN_TEST(kinds_by_their_number);
  RUN_TEST(shapes_from_numbers);
  RUN_TEST(poses_are_checked);
  RUN_TEST(frames_of_quaternions);
  return UNITY_END();
}
