// Every shape against a half-space: Song's ellipse, corners and their order, slopes, frames and exchanged
// bodies.
#include <unity.h>

#include <limits>

#include "oracle.hpp"

namespace {

namespace geo = tactus::geometry;
namespace math = tactus::math;
using geo::FindStatus;
using oracle::check_near;
using oracle::check_vector;

template <class Scalar>
constexpr double kTolerance = sizeof(Scalar) == 4 ? 1e-6 : 1e-14;

template <class Scalar>
geo::PlanarShape<Scalar> floor2() {
  return geo::half_space<Scalar>(math::Vector2<Scalar>(0, 1), 0);
}

template <class Scalar>
geo::SpatialShape<Scalar> floor3() {
  return geo::half_space<Scalar>(math::Vector3<Scalar>(0, 0, 1), 0);
}

// Song 2004 sec. 6: contact at (-H'(theta), -H(theta)) from the centre, H = sqrt(a^2 sin^2 + b^2 cos^2), so
// H' = (a^2 - b^2) sin cos / H; the start touches at y = 0.0974556066329262.
template <class Scalar>
void check_song_ellipse() {
  const Scalar a = static_cast<Scalar>(0.1), b = static_cast<Scalar>(0.05);
  const auto ellipse = geo::ellipse<Scalar>(a, b);
  geo::PlanarContacts<Scalar> set;
  for (double theta = -7; theta < 7; theta += 0.37) {
    const double sine = std::sin(theta), cosine = std::cos(theta);
    const double H = std::sqrt(0.01 * sine * sine + 0.0025 * cosine * cosine),
                 slope = 0.0075 * sine * cosine / H;
    const geo::PlanarPose<Scalar> pose{static_cast<Scalar>(0.3), static_cast<Scalar>(0.06),
                                       static_cast<Scalar>(theta)};
    TEST_ASSERT_TRUE(geo::find_contacts(floor2<Scalar>(), geo::PlanarPose<Scalar>{}, ellipse, pose,
                                        static_cast<Scalar>(1), set) == FindStatus::ok);
    TEST_ASSERT_EQUAL_INT(1, set.count);
    oracle::check_promises(set[0], kTolerance<Scalar>);
    check_near(0.06 - H, static_cast<double>(set[0].gap), kTolerance<Scalar>, "gap");
    check_near(0.3 - slope, static_cast<double>(set[0].point_b.x()), kTolerance<Scalar>, "x");
    check_near(0.06 - H, static_cast<double>(set[0].point_b.y()), kTolerance<Scalar>,
               "y of the ellipse's point");
    check_near(0, static_cast<double>(set[0].point_a.y()), kTolerance<Scalar>, "y of the floor's point");
  }
  const geo::PlanarPose<Scalar> start{0, static_cast<Scalar>(0.0974556066329262),
                                      static_cast<Scalar>(1.3089969389957472)};
  geo::find_contacts(floor2<Scalar>(), geo::PlanarPose<Scalar>{}, ellipse, start, static_cast<Scalar>(0.01),
                     set);
  check_near(0, static_cast<double>(set[0].gap), kTolerance<Scalar> / 10, "Song's start touches");
}

void song_ellipse() {
  check_song_ellipse<float>();
  check_song_ellipse<double>();
}

// On a floor W_n = (n, p x n) = (0, 1, p_x) and W_t = (t, p x t) = (1, 0, -p_y), with p from the centre of b.
void floor_gives_the_rows_of_the_paper() {
  geo::PlanarContacts<double> set;
  geo::find_contacts(floor2<double>(), geo::PlanarPose<double>{}, geo::ellipse(0.1, 0.05), {0.2, 0.08, 0.4},
                     1.0, set);
  const math::Vector2<double> p = set[0].point_b - math::Vector2<double>(0.2, 0.08);
  check_vector<double, 2>({0, 1}, set[0].normal, 0, "W_n, linear");
  check_vector<double, 2>({1, 0}, set[0].tangent, 0, "W_t, linear");
  check_near(p.x(), math::cross(p, set[0].normal), 1e-16, "W_n, angular");
  check_near(-p.y(), math::cross(p, set[0].tangent), 1e-16, "W_t, angular");
}

// The frames of the axes: t = x unless n is within 26 degrees of x, then t = y; o = n x t.
void spatial_frames_on_the_axes() {
  geo::SpatialContacts<double> set;
  const double normals[6][3] = {{0, 0, 1}, {0, 0, -1}, {0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {-1, 0, 0}};
  for (const auto& n : normals) {
    const math::Vector3<double> normal(n[0], n[1], n[2]);
    geo::find_contacts(geo::half_space<double>(normal, 0), geo::SpatialPose<double>{}, geo::sphere(0.1),
                       geo::SpatialPose<double>{}, 0.0, set);
    TEST_ASSERT_EQUAL_INT(1, set.count);
    const math::Vector3<double> t =
        n[0] == 0 ? math::Vector3<double>(1, 0, 0) : math::Vector3<double>(0, 1, 0);
    check_vector<double, 3>(normal, set[0].normal, 0, "normal");
    check_vector<double, 3>(t, set[0].tangent, 0, "tangent");
    check_vector<double, 3>(math::cross(normal, t), set[0].binormal, 0, "binormal");
  }
}

// Any shape at any pose over any half-space: the least gap is -h(-n) less the level of the face, and the
// lowest point lies on the surface. Several points come with their own gaps, none below the least.
template <class Contacts, class Shape, class Frame>
void check_support(const Shape& plane, const Frame& fp, const Shape& body, const Frame& fb, double expected,
                   double tolerance) {
  using Scalar = std::remove_cvref_t<decltype(plane.offset)>;
  Contacts set, exchanged;
  TEST_ASSERT_TRUE(geo::find_contacts(plane, fp, body, fb, static_cast<Scalar>(100), set) == FindStatus::ok);
  TEST_ASSERT_TRUE(geo::find_contacts(body, fb, plane, fp, static_cast<Scalar>(100), exchanged) ==
                   FindStatus::ok);
  const auto& lowest = set[oracle::deepest(set)];
  check_near(expected, static_cast<double>(lowest.gap), tolerance, "gap");
  check_near(0, oracle::level(body, fb.to_body(lowest.point_b)), tolerance, "on the surface");
  TEST_ASSERT_EQUAL_INT(set.count, exchanged.count);
  for (int i = 0; i < set.count; ++i) {
    oracle::check_promises(set[i], tolerance);
    oracle::check_promises(exchanged[i], tolerance);
    TEST_ASSERT_TRUE(set[i].gap == exchanged[i].gap && set[i].feature == exchanged[i].feature);
    TEST_ASSERT_TRUE(set[i].point_a == exchanged[i].point_b && set[i].normal == -exchanged[i].normal);
    TEST_ASSERT_TRUE_MESSAGE(oracle::level(body, fb.to_body(set[i].point_b)) < tolerance,
                             "no point outside the body");
  }
}

template <class Scalar>
void sweep() {
  const auto s = [](double x) { return static_cast<Scalar>(x); };
  oracle::Random random(1);
  const double tolerance = sizeof(Scalar) == 4 ? 3e-6 : 1e-14;
  for (int i = 0; i < oracle::kPoses; ++i) {
    const auto n2 = oracle::direction2<Scalar>(random);
    const auto plane2 = geo::half_space<Scalar>(n2, s(random.uniform(-1, 1)));
    const auto fp2 = geo::frame(oracle::pose2<Scalar>(random, 1)),
               fb2 = geo::frame(oracle::pose2<Scalar>(random, 1));
    const math::Vector2<double> n = fp2.turn(plane2.size).template cast<double>();
    const double level =
        math::dot<double>(n, fp2.position.template cast<double>()) + static_cast<double>(plane2.offset);
    for (const auto& body :
         {geo::disc<Scalar>(s(0.3)), geo::ellipse<Scalar>(s(0.5), s(0.1)), geo::box<Scalar>(s(0.3), s(0.1)),
          geo::polygon<Scalar>(3, s(0.4)), geo::polygon<Scalar>(9, s(0.4)), geo::rod<Scalar>(1)}) {
      const double expected = -oracle::reach(body, fb2, -n.x(), -n.y()) - level;
      check_support<geo::PlanarContacts<Scalar>>(plane2, fp2, body, fb2, expected, tolerance);
    }
    const auto n3 = oracle::direction3<Scalar>(random);
    const auto plane3 = geo::half_space<Scalar>(n3, s(random.uniform(-1, 1)));
    const auto fp3 = geo::frame(oracle::pose3<Scalar>(random, 1)),
               fb3 = geo::frame(oracle::pose3<Scalar>(random, 1));
    const math::Vector3<double> m = fp3.turn(plane3.size).template cast<double>();
    const double level3 =
        math::dot<double>(m, fp3.position.template cast<double>()) + static_cast<double>(plane3.offset);
    for (const auto& body :
         {geo::sphere<Scalar>(s(0.3)), geo::ellipsoid<Scalar>(s(0.5), s(0.1), s(0.2)),
          geo::box<Scalar>(s(0.3), s(0.1), s(0.2)), geo::capsule<Scalar>(s(0.2), s(0.4))}) {
      const double expected = -oracle::reach(body, fb3, -m.x(), -m.y(), -m.z()) - level3;
      check_support<geo::SpatialContacts<Scalar>>(plane3, fp3, body, fb3, expected, tolerance);
    }
  }
}

void gaps_agree_with_support_functions() {
  sweep<float>();
  sweep<double>();
}

// A box flat on the floor: its four lower corners in the order (-,-), (-,+), (+,-), (+,+).
void box_rests_on_four_corners_in_order() {
  geo::SpatialContacts<double> set;
  geo::SpatialPose<double> pose;
  pose.position = {0.5, 0, 0.05};
  geo::find_contacts(floor3<double>(), geo::SpatialPose<double>{}, geo::box(0.1, 0.2, 0.05), pose, 0.01, set);
  TEST_ASSERT_EQUAL_INT(4, set.count);
  for (int i = 0; i < 4; ++i) {
    const double x = i < 2 ? 0.4 : 0.6, y = i % 2 == 0 ? -0.2 : 0.2;
    check_vector<double, 3>({x, y, 0}, set[i].point_b, 1e-16, "corner");
    check_near(0, set[i].gap, 1e-16, "gap");
    TEST_ASSERT_EQUAL_INT(2 * i, set[i].feature);
  }
  pose.position.z() = 0.0501;
  geo::find_contacts(floor3<double>(), geo::SpatialPose<double>{}, geo::box(0.1, 0.2, 0.05), pose, 0.00005,
                     set);
  TEST_ASSERT_EQUAL_INT(0, set.count);
}

// Tilted by 0.1 rad about y, of the corners x = +-0.1 one pair is 0.2 sin(0.1) lower.
void only_corners_within_the_margin() {
  geo::SpatialContacts<double> set;
  geo::SpatialPose<double> pose;
  pose.position = {0, 0, 0.1 * std::sin(0.1) + 0.05 * std::cos(0.1)};
  pose.w = std::cos(0.05);
  pose.y = std::sin(0.05);
  geo::find_contacts(floor3<double>(), geo::SpatialPose<double>{}, geo::box(0.1, 0.2, 0.05), pose, 0.01, set);
  TEST_ASSERT_EQUAL_INT(2, set.count);
  for (int i = 0; i < 2; ++i) check_near(0, set[i].gap, 1e-16, "gap");
  geo::find_contacts(floor3<double>(), geo::SpatialPose<double>{}, geo::box(0.1, 0.2, 0.05), pose, 0.03, set);
  TEST_ASSERT_EQUAL_INT(4, set.count);
  check_near(0.2 * std::sin(0.1), set[0].gap + set[1].gap + set[2].gap + set[3].gap - 0.2 * std::sin(0.1),
             1e-15, "gaps");
}

// The rod of Stewart 2000 sec. 1.3: end A at the centre less (l/2)(cos, sin) touches, the other end is at l
// sin 60.
void painleve_rod() {
  geo::PlanarContacts<double> set;
  const double third = math::kPi<double> / 3, height = std::sin(third) / 2;
  geo::find_contacts(floor2<double>(), geo::PlanarPose<double>{}, geo::rod(1.0), {0, height, third}, 1.0,
                     set);
  TEST_ASSERT_EQUAL_INT(2, set.count);
  check_near(0, set[0].gap, 1e-15, "end A");
  check_vector<double, 2>({-0.25, 0}, set[0].point_b, 1e-15, "end A");
  check_near(2 * height, set[1].gap, 1e-15, "end B");
}

// A 1000-gon stands on a vertex at angle 0 (vertex 750 is straight down); its neighbours follow in order of
// height, R (1 - cos(2 pi k / 1000)) for the k-th on either side.
template <class Scalar>
void check_polygon() {
  geo::PlanarContacts<Scalar> set;
  const auto polygon = geo::polygon<Scalar>(1000, 1);
  geo::find_contacts(floor2<Scalar>(), geo::PlanarPose<Scalar>{}, polygon, {0, 1, 0},
                     static_cast<Scalar>(0.01), set);
  TEST_ASSERT_EQUAL_INT(8, set.count);
  TEST_ASSERT_EQUAL_INT(750, set[0].feature);
  for (int i = 0; i < 8; ++i) {
    const int k = (i + 1) / 2;
    TEST_ASSERT_EQUAL_INT(k, std::abs(set[i].feature - 750));
    check_near(1 - std::cos(2 * 3.141592653589793 * k / 1000), static_cast<double>(set[i].gap),
               kTolerance<Scalar>, "gap");
  }
  geo::find_contacts(floor2<Scalar>(), geo::PlanarPose<Scalar>{}, polygon, {0, 1, 0},
                     static_cast<Scalar>(3e-5), set);
  TEST_ASSERT_EQUAL_INT(3, set.count);  // 1 - cos(2 pi / 1000) = 1.97e-5, of the next 7.9e-5
}

void polygon_gives_its_lowest_vertices() {
  check_polygon<float>();
  check_polygon<double>();
  geo::PlanarContacts<double> set;
  const auto square = geo::polygon(4, std::sqrt(2.0));  // flat at 45 degrees
  geo::find_contacts(floor2<double>(), geo::PlanarPose<double>{}, square, {0, 1, math::kPi<double> / 4}, 0.1,
                     set);
  TEST_ASSERT_EQUAL_INT(2, set.count);
  check_near(0, set[0].gap, 1e-15, "gap");
  check_near(0, set[1].gap, 1e-15, "gap");
}

void broad_test_and_grazing() {
  geo::PlanarContacts<double> set;
  const auto disc = geo::disc(0.5);
  geo::find_contacts(floor2<double>(), geo::PlanarPose<double>{}, disc, {0, 0.75, 0}, 0.25, set);
  TEST_ASSERT_EQUAL_INT(1, set.count);  // the margin itself belongs to it
  geo::find_contacts(floor2<double>(), geo::PlanarPose<double>{}, disc, {0, 0.7500001, 0}, 0.25, set);
  TEST_ASSERT_EQUAL_INT(0, set.count);
  geo::find_contacts(floor2<double>(), geo::PlanarPose<double>{}, disc, {0, -1e6, 0}, 0.0, set);
  check_near(-1e6 - 0.5, set[0].gap, 1e-9, "deep");
}

void bad_input_is_reported() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  geo::PlanarContacts<double> set2;
  geo::SpatialContacts<double> set3;
  for (const auto& body :
       {geo::disc(0.1), geo::ellipse(0.1, 0.2), geo::box(0.1, 0.1), geo::polygon(5, 0.1), geo::rod(1.0)}) {
    for (const geo::PlanarPose<double>& bad :
         {geo::PlanarPose<double>{nan, 0, 0}, {0, nan, 0}, {0, 0, nan}}) {
      TEST_ASSERT_TRUE(geo::find_contacts(floor2<double>(), geo::PlanarPose<double>{}, body, bad, 0.1,
                                          set2) == FindStatus::bad_input);
      TEST_ASSERT_TRUE(geo::find_contacts(body, bad, floor2<double>(), geo::PlanarPose<double>{}, 0.1,
                                          set2) == FindStatus::bad_input);
      TEST_ASSERT_EQUAL_INT(0, set2.count);
    }
    TEST_ASSERT_TRUE(geo::find_contacts(floor2<double>(), geo::PlanarPose<double>{}, body,
                                        geo::PlanarPose<double>{}, nan, set2) == FindStatus::bad_input);
  }
  geo::SpatialPose<double> bad;
  bad.x = nan;
  TEST_ASSERT_TRUE(geo::find_contacts(floor3<double>(), geo::SpatialPose<double>{}, geo::box(0.1, 0.1, 0.1),
                                      bad, 0.1, set3) == FindStatus::bad_input);
  TEST_ASSERT_TRUE(geo::find_contacts(floor2<double>(), geo::PlanarPose<double>{}, floor2<double>(),
                                      geo::PlanarPose<double>{}, 0.1, set2) == FindStatus::unsupported);
  TEST_ASSERT_TRUE(geo::find_contacts(floor3<double>(), geo::SpatialPose<double>{}, floor3<double>(),
                                      geo::SpatialPose<double>{}, 0.1, set3) == FindStatus::unsupported);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(song_ellipse);
  RUN_TEST(floor_gives_the_rows_of_the_paper);
  RUN_TEST(spatial_frames_on_the_axes);
  RUN_TEST(gaps_agree_with_support_functions);
  RUN_TEST(box_rests_on_four_corners_in_order);
  RUN_TEST(only_corners_within_the_margin);
  RUN_TEST(painleve_rod);
  RUN_TEST(polygon_gives_its_lowest_vertices);
  RUN_TEST(broad_test_and_grazing);
  RUN_TEST(bad_input_is_reported);
  return UNITY_END();
}
