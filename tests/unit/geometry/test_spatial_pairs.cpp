// Pairs of bodies in space: gaps against support functions on random poses, and configurations whose contacts
// are known by hand.
#include <unity.h>

#include <limits>

#include "oracle.hpp"

namespace {

namespace geo = tactus::geometry;
namespace math = tactus::math;
using geo::FindStatus;
using oracle::check_near;
using oracle::check_vector;
using Pose = geo::SpatialPose<double>;
using Vector = math::Vector3<double>;

template <class Scalar>
constexpr double kTolerance = sizeof(Scalar) == 4 ? 5e-6 : 1e-13;

// The face that an almost parallel edge pair gives way to costs 2e-4 of the gap (box_box.hpp).
constexpr double kBoxSlack = 2.5e-4;

template <class Scalar>
void sweep_pair(const geo::SpatialShape<Scalar>& a, const geo::SpatialShape<Scalar>& b) {
  oracle::Random random(23);
  oracle::Sweep sweep;
  const double slack = a.kind == geo::SpatialKind::box && b.kind == geo::SpatialKind::box ? kBoxSlack : 0;
  for (int i = 0; i < oracle::kPoses; ++i) {
    const auto fa = geo::frame(oracle::pose3<Scalar>(random, 0.5)),
               fb = geo::frame(oracle::pose3<Scalar>(random, 0.5));
    oracle::check_pair<geo::SpatialContacts<Scalar>>(a, fa, b, fb, kTolerance<Scalar>, slack, random, sweep);
  }
  TEST_ASSERT_TRUE(sweep.apart > 0 && sweep.inside > 0);
}

template <class Scalar>
void sweep_all() {
  const auto s = [](double x) { return static_cast<Scalar>(x); };
  const auto sphere = geo::sphere<Scalar>(s(0.3)),
             ellipsoid = geo::ellipsoid<Scalar>(s(0.4), s(0.1), s(0.25)),
             flat = geo::ellipsoid<Scalar>(s(0.3), s(0.3), s(0.02)),
             box = geo::box<Scalar>(s(0.3), s(0.2), s(0.25)),
             plank = geo::box<Scalar>(s(0.6), s(0.1), s(0.01)),
             capsule = geo::capsule<Scalar>(s(0.2), s(0.3));
  for (const auto& other : {sphere, ellipsoid, flat, box, plank, capsule}) sweep_pair(other, sphere);
  sweep_pair(capsule, capsule);
  for (const auto& other : {box, plank}) {
    sweep_pair(other, capsule);
    sweep_pair(other, box);
    sweep_pair(other, plank);
  }
}

void gaps_agree_with_support_functions() {
  sweep_all<float>();
  sweep_all<double>();
}

Pose at(double x, double y, double z) {
  Pose pose;
  pose.position = {x, y, z};
  return pose;
}

Pose turned(double x, double y, double z, const Vector& axis, double angle) {
  Pose pose = at(x, y, z);
  const double s = std::sin(angle / 2);
  pose.w = std::cos(angle / 2);
  pose.x = s * axis.x();
  pose.y = s * axis.y();
  pose.z = s * axis.z();
  return pose;
}

geo::SpatialContacts<double> find(const geo::SpatialShape<double>& a, const Pose& pa,
                                  const geo::SpatialShape<double>& b, const Pose& pb, double margin) {
  geo::SpatialContacts<double> set;
  TEST_ASSERT_TRUE(geo::find_contacts(a, pa, b, pb, margin, set) == FindStatus::ok);
  for (int i = 0; i < set.count; ++i) oracle::check_promises(set[i], 1e-14);
  return set;
}

// The number of points of the set at a given place of body a's surface.
int points_at(const geo::SpatialContacts<double>& set, const Vector& place) {
  int found = 0;
  for (int i = 0; i < set.count; ++i) found += (set[i].point_a - place).cwiseAbs().maxCoeff() < 1e-12 ? 1 : 0;
  return found;
}

// Half extents (0.2, 0.2, 0.1) below (0.1, 0.1, 0.1), 0.01 apart: the upper box's four corners.
void box_on_a_larger_box() {
  const auto set = find(geo::box(0.2, 0.2, 0.1), Pose{}, geo::box(0.1, 0.1, 0.1), at(0.05, 0, 0.21), 0.02);
  TEST_ASSERT_EQUAL_INT(4, set.count);
  for (const double x : {-0.05, 0.15}) {
    for (const double y : {-0.1, 0.1}) TEST_ASSERT_EQUAL_INT(1, points_at(set, {x, y, 0.1}));
  }
  for (int i = 0; i < 4; ++i) {
    check_near(0.01, set[i].gap, 1e-15, "gap");
    check_vector<double, 3>({0, 0, 1}, set[i].normal, 1e-15, "normal");
    check_vector<double, 3>({1, 0, 0}, set[i].tangent, 1e-15, "tangent");
    check_vector<double, 3>({0, 1, 0}, set[i].binormal, 1e-15, "binormal");
  }
}

void equal_boxes_keep_four_corners() {
  const auto cube = geo::box(0.1, 0.1, 0.1);
  TEST_ASSERT_EQUAL_INT(4, find(cube, Pose{}, cube, at(0, 0, 0.2), 0.01).count);
  TEST_ASSERT_EQUAL_INT(4, find(cube, Pose{}, cube, turned(0, 0, 0.2, {0, 0, 1}, 1e-9), 0.01).count);
  TEST_ASSERT_EQUAL_INT(4, find(cube, Pose{}, cube, turned(0, 0, 0.199, {1, 0, 0}, 1e-7), 0.01).count);
}

// A square turned by 45 degrees on a square of the same half side 0.1: the octagon |x|, |y| <= 0.1, |x +- y|
// <= 0.1 sqrt 2, whose corners are at (0.1, 0.1 (sqrt 2 - 1)) and its images.
void turned_boxes_meet_in_an_octagon() {
  const auto cube = geo::box(0.1, 0.1, 0.1);
  const auto set = find(cube, Pose{}, cube, turned(0, 0, 0.199, {0, 0, 1}, math::kPi<double> / 4), 0.01);
  TEST_ASSERT_EQUAL_INT(8, set.count);
  const double d = 0.1 * (std::sqrt(2.0) - 1);
  for (const double x : {-1, 1}) {
    for (const double y : {-1, 1}) {
      TEST_ASSERT_EQUAL_INT(1, points_at(set, {0.1 * x, d * y, 0.1}));
      TEST_ASSERT_EQUAL_INT(1, points_at(set, {d * x, 0.1 * y, 0.1}));
    }
  }
  for (int i = 0; i < 8; ++i) check_near(-0.001, set[i].gap, 1e-15, "gap");
}

// Two long bars on edge, crossed at right angles: edges along x at height 0.1 sqrt 2 and along y above it.
void crossed_edges_touch_at_one_point() {
  const auto bar = geo::box(1.0, 0.1, 0.1);
  const Pose low = turned(0, 0, 0, {1, 0, 0}, math::kPi<double> / 4);
  Pose high = at(0.3, 0.2, 0.2 * std::sqrt(2.0) + 0.005);  // a turn by 45 degrees about x, then by 90 about z
  const double c = std::cos(math::kPi<double> / 8), s = std::sin(math::kPi<double> / 8), r = std::sqrt(0.5);
  high.w = r * c;
  high.x = r * s;
  high.y = r * s;
  high.z = r * c;
  for (const double sink : {0.0, 0.01}) {
    high.position.z() -= sink;
    const auto set = find(bar, low, bar, high, 0.02);
    TEST_ASSERT_EQUAL_INT(1, set.count);
    check_near(0.005 - sink, set[0].gap, 1e-14, "gap");
    check_vector<double, 3>({0.3, 0, 0.1 * std::sqrt(2.0)}, set[0].point_a, 1e-14, "on the lower edge");
    check_vector<double, 3>({0, 0, 1}, set[0].normal, 1e-14, "normal");
  }
}

// Corners (1, 1, 1) and (1.2, 1.3, 1.6): 0.7 apart along (2, 3, 6) / 7.
void corner_to_corner() {
  const auto set = find(geo::box(1.0, 1.0, 1.0), Pose{}, geo::box(0.5, 0.5, 0.5), at(1.7, 1.8, 2.1), 1);
  TEST_ASSERT_EQUAL_INT(1, set.count);
  check_near(0.7, set[0].gap, 1e-14, "gap");
  check_vector<double, 3>(Vector(2, 3, 6) / 7, set[0].normal, 1e-14, "normal");
}

void capsules() {
  const auto capsule = geo::capsule(0.1, 0.5);
  // Side by side along z, the upper shifted by 0.4: they share z in [-0.1, 0.5].
  const auto line = find(capsule, Pose{}, capsule, at(0.3, 0, 0.4), 0.2);
  TEST_ASSERT_EQUAL_INT(2, line.count);
  TEST_ASSERT_EQUAL_INT(1, points_at(line, {0.1, 0, -0.1}));
  TEST_ASSERT_EQUAL_INT(1, points_at(line, {0.1, 0, 0.5}));
  check_near(0.1, line[0].gap, 1e-15, "gap");
  // End to end.
  const auto ends = find(capsule, Pose{}, capsule, at(0, 0, 1.25), 0.2);
  TEST_ASSERT_EQUAL_INT(1, ends.count);
  check_near(0.05, ends[0].gap, 1e-15, "gap");
  check_vector<double, 3>({0, 0, 1}, ends[0].normal, 1e-15, "normal");
  // Crossed at a right angle, axes 0.15 apart.
  const auto crossed =
      find(capsule, Pose{}, capsule, turned(0, 0.15, 0.2, {0, 1, 0}, math::kPi<double> / 2), 0.2);
  TEST_ASSERT_EQUAL_INT(1, crossed.count);
  check_near(-0.05, crossed[0].gap, 1e-15, "gap");
  check_vector<double, 3>({0, 0.1, 0.2}, crossed[0].point_a, 1e-15, "point");
  // The same axis: any normal across it.
  const auto same = find(capsule, Pose{}, capsule, Pose{}, 0);
  TEST_ASSERT_EQUAL_INT(2, same.count);
  check_near(-0.2, same[0].gap, 1e-15, "gap");
  check_near(0, same[0].normal.z(), 1e-15, "across");
}

// A capsule of radius 0.1 lying along x over the top (z = 0.2) of a box that it outreaches on one side.
void capsule_lying_on_a_box() {
  const auto box = geo::box(0.5, 0.5, 0.2), capsule = geo::capsule(0.1, 0.4);
  for (const double gap : {0.01, -0.01, -0.15}) {
    const Pose lying = turned(0.3, 0, 0.3 + gap, {0, 1, 0}, math::kPi<double> / 2);
    const auto set = find(box, Pose{}, capsule, lying, 0.02);
    TEST_ASSERT_EQUAL_INT(2, set.count);
    TEST_ASSERT_EQUAL_INT(1, points_at(set, {-0.1, 0, 0.2}));
    TEST_ASSERT_EQUAL_INT(1, points_at(set, {0.5, 0, 0.2}));
    for (int i = 0; i < 2; ++i) check_near(gap, set[i].gap, 1e-14, "gap");
  }
}

// Sphere on the paper's scene: radius 1 between spheres 10 and 9 about (0, 0, 0) and (0, 11.4, 0)
// (Chakraborty 2007, example 3); the gap is the distance of the centres less both radii.
void sphere_on_two_spheres() {
  const Pose ball = at(0.0, 6.62105263, 8.7841704);
  for (const double centre : {0.0, 11.4}) {
    const double radius = centre == 0 ? 10 : 9;
    const auto set = find(geo::sphere(radius), at(0, centre, 0), geo::sphere(1.0), ball, 1);
    const double distance = std::hypot(6.62105263 - centre, 8.7841704);
    check_near(distance - radius - 1, set[0].gap, 1e-14, "gap");
    check_vector<double, 3>(Vector(0, 6.62105263 - centre, 8.7841704) / distance, set[0].normal, 1e-15,
                            "normal");
  }
}

void centres_coincide() {
  const auto sphere = geo::sphere(0.1);
  const auto gap = [&](const geo::SpatialShape<double>& shape) {
    return find(shape, Pose{}, sphere, Pose{}, 0)[0].gap;
  };
  check_near(-0.4, gap(geo::sphere(0.3)), 1e-15, "sphere");
  check_near(-0.3, gap(geo::ellipsoid(0.5, 0.2, 0.3)), 1e-15, "ellipsoid");
  check_near(-0.3, gap(geo::ellipsoid(0.2, 0.2, 0.2)), 1e-15, "ellipsoid of revolution");
  check_near(-0.4, gap(geo::box(0.5, 0.3, 0.4)), 1e-15, "box");
  check_near(-0.3, gap(geo::capsule(0.2, 0.4)), 1e-15, "capsule");
  const auto cube = geo::box(0.2, 0.2, 0.2);
  const auto same = find(cube, Pose{}, cube, Pose{}, 0);
  TEST_ASSERT_EQUAL_INT(4, same.count);
  check_near(-0.4, same[0].gap, 1e-15, "cube");
}

// On and just beside the plane across the shortest axis, inside the evolute, two points of an ellipsoid are
// nearest. Outside the midplane's disc the nearest point moves: for (a, b, c) = (1, 0.8, 0.5), p = (0.3, 0,
// 0) and the y axis out of play, x = a^2 p / (a^2 - c^2) = 0.4, z = c sqrt(1 - 0.4^2), and the distance is
// sqrt(0.1^2 + 0.25 (1 - 0.16)).
void inside_an_ellipsoid_near_its_midplane() {
  const double expected = -std::sqrt(0.01 + 0.25 * 0.84);
  for (const double lift : {0.0, 1e-300, 1e-30, 1e-12, -1e-12}) {
    const auto near = geo::signed_distance<double>(geo::ellipsoid(1.0, 0.8, 0.5), {0.3, 0, lift});
    check_near(expected, near.distance, 1e-11, "distance");
    check_near(1, math::norm(near.normal), 1e-14, "normal");
  }
}

// Next to the cusp of the evolute, (a^2 - c^2) / a = 0.75, Newton's method is slowest. Wherever it ends, the
// answer is right if the plane across its normal at its distance touches: distance = n . p - h(n).
template <class Scalar>
void check_near_the_evolute(double tolerance) {
  const auto ellipsoid = geo::ellipsoid<Scalar>(1, static_cast<Scalar>(0.8), static_cast<Scalar>(0.5));
  for (const double x : {0.0, 0.7, 0.7499999, 0.75, 0.7500001, 0.8, 1.0, 1.5}) {
    for (const double y : {0.0, 1e-20, 1e-3}) {
      double z = 1;
      for (int k = 0; k < 60; ++k, z /= 7) {
        const math::Vector3<Scalar> p(static_cast<Scalar>(x), static_cast<Scalar>(y), static_cast<Scalar>(z));
        const auto near = geo::signed_distance<Scalar>(ellipsoid, p);
        const math::Vector3<double> n = near.normal.template cast<double>(), q = p.template cast<double>();
        check_near(1, math::norm(n), tolerance, "normal");
        check_near(math::dot(n, q) - oracle::support(ellipsoid, n.x(), n.y(), n.z()),
                   static_cast<double>(near.distance), tolerance, "the plane touches");
      }
    }
  }
}

void ellipsoid_next_to_its_evolute() {
  check_near_the_evolute<float>(5e-7);
  check_near_the_evolute<double>(1e-15);
}

template <class Scalar>
void check_moved_together(double tolerance) {
  oracle::Random random(5);
  const auto s = [](double x) { return static_cast<Scalar>(x); };
  const auto a = geo::box<Scalar>(s(0.3), s(0.2), s(0.1));
  for (int i = 0; i < 100; ++i) {
    const auto b =
        i % 2 == 0 ? geo::box<Scalar>(s(0.1), s(0.2), s(0.4)) : geo::capsule<Scalar>(s(0.1), s(0.3));
    const auto pa = oracle::pose3<Scalar>(random, 0.3), pb = oracle::pose3<Scalar>(random, 0.3),
               motion = oracle::pose3<Scalar>(random, 1);
    const auto moved = [&](const geo::SpatialPose<Scalar>& p) {
      geo::SpatialPose<Scalar> q;
      q.position = geo::frame(motion).to_world(p.position);
      q.w = motion.w * p.w - motion.x * p.x - motion.y * p.y - motion.z * p.z;
      q.x = motion.w * p.x + motion.x * p.w + motion.y * p.z - motion.z * p.y;
      q.y = motion.w * p.y - motion.x * p.z + motion.y * p.w + motion.z * p.x;
      q.z = motion.w * p.z + motion.x * p.y - motion.y * p.x + motion.z * p.w;
      return q;
    };
    geo::SpatialContacts<Scalar> before, after;
    geo::find_contacts(a, pa, b, pb, static_cast<Scalar>(3), before);
    geo::find_contacts(a, moved(pa), b, moved(pb), static_cast<Scalar>(3), after);
    check_near(static_cast<double>(before[oracle::deepest(before)].gap),
               static_cast<double>(after[oracle::deepest(after)].gap), tolerance, "gap");
  }
}

void gap_is_invariant_under_a_common_motion() {
  check_moved_together<float>(5e-6);
  check_moved_together<double>(1e-14);
}

void bad_input_is_reported() {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto box = geo::box(0.2, 0.1, 0.1);
  geo::SpatialContacts<double> set;
  for (const auto& shape : {box, geo::sphere(0.1), geo::capsule(0.1, 0.1)}) {
    for (int part = 0; part < 4; ++part) {
      Pose bad;
      (part == 0 ? bad.w : part == 1 ? bad.x : part == 2 ? bad.y : bad.z) = part % 2 == 0 ? nan : inf;
      TEST_ASSERT_TRUE(geo::find_contacts(box, Pose{}, shape, bad, 0.1, set) == FindStatus::bad_input);
      TEST_ASSERT_TRUE(geo::find_contacts(shape, bad, box, Pose{}, 0.1, set) == FindStatus::bad_input);
      TEST_ASSERT_EQUAL_INT(0, set.count);
    }
    Pose zero;
    zero.w = 0;
    TEST_ASSERT_TRUE(geo::find_contacts(box, zero, shape, Pose{}, 0.1, set) == FindStatus::bad_input);
    TEST_ASSERT_TRUE(geo::find_contacts(box, at(0, nan, 0), shape, Pose{}, 0.1, set) ==
                     FindStatus::bad_input);
    TEST_ASSERT_TRUE(geo::find_contacts(box, Pose{}, shape, Pose{}, nan, set) == FindStatus::bad_input);
  }
}

void unsupported_pairs_are_named() {
  const auto ellipsoid = geo::ellipsoid(0.3, 0.2, 0.1);
  geo::SpatialContacts<double> set;
  for (const auto& shape : {ellipsoid, geo::box(0.2, 0.1, 0.1), geo::capsule(0.1, 0.1)}) {
    TEST_ASSERT_FALSE(geo::is_supported(ellipsoid.kind, shape.kind));
    set.count = 1;
    TEST_ASSERT_TRUE(geo::find_contacts(ellipsoid, Pose{}, shape, Pose{}, 0.1, set) ==
                     FindStatus::unsupported);
    TEST_ASSERT_EQUAL_INT(0, set.count);
  }
}

void pairs_left_out_are_unsupported() {
  using Kind = geo::SpatialKind;
  constexpr geo::PairSet kMine = geo::pair(Kind::box, Kind::half_space) | geo::pair(Kind::box, Kind::box) |
                                 geo::pair(Kind::capsule, Kind::sphere);
  geo::SpatialContacts<double> all, mine;
  const auto box = geo::box(0.2, 0.1, 0.1), ground = geo::half_space<double>(Vector(0, 0, 1), 0);
  const Pose low = at(0, 0, 0.1), high = turned(0, 0, 0.29, {0, 0, 1}, 0.3);
  for (const auto& a : {box, ground}) {
    const Pose& pose = a.kind == geo::SpatialKind::box ? low : Pose{};
    TEST_ASSERT_TRUE(geo::find_contacts(a, pose, box, high, 0.4, all) == FindStatus::ok);
    TEST_ASSERT_TRUE(geo::find_contacts<kMine>(a, pose, box, high, 0.4, mine) == FindStatus::ok);
    TEST_ASSERT_TRUE(all.count > 0 && all.count == mine.count);
    for (int i = 0; i < all.count; ++i) TEST_ASSERT_TRUE(all[i].gap == mine[i].gap);
  }
  TEST_ASSERT_TRUE(geo::find_contacts<kMine>(box, low, geo::sphere(0.1), high, 0.4, mine) ==
                   FindStatus::unsupported);
  TEST_ASSERT_EQUAL_INT(0, mine.count);
  const auto sphere = geo::sphere(0.1), capsule = geo::capsule(0.1, 0.1);
  TEST_ASSERT_TRUE(geo::find_contacts<kMine>(sphere, low, capsule, high, 0.4, mine) == FindStatus::ok);
  TEST_ASSERT_EQUAL_INT(1, mine.count);
  TEST_ASSERT_TRUE(geo::find_contacts<kMine>(capsule, low, capsule, high, 0.4, mine) ==
                   FindStatus::unsupported);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(gaps_agree_with_support_functions);
  RUN_TEST(box_on_a_larger_box);
  RUN_TEST(equal_boxes_keep_four_corners);
  RUN_TEST(turned_boxes_meet_in_an_octagon);
  RUN_TEST(crossed_edges_touch_at_one_point);
  RUN_TEST(corner_to_corner);
  RUN_TEST(capsules);
  RUN_TEST(capsule_lying_on_a_box);
  RUN_TEST(sphere_on_two_spheres);
  RUN_TEST(centres_coincide);
  RUN_TEST(inside_an_ellipsoid_near_its_midplane);
  RUN_TEST(ellipsoid_next_to_its_evolute);
  RUN_TEST(gap_is_invariant_under_a_common_motion);
  RUN_TEST(bad_input_is_reported);
  RUN_TEST(unsupported_pairs_are_named);
  RUN_TEST(pairs_left_out_are_unsupported);
  return UNITY_END();
}
