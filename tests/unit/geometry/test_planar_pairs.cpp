// Pairs of bodies in the plane: gaps against support functions on random poses, and configurations whose
// contacts are known by hand.
#include <unity.h>

#include <limits>

#include "oracle.hpp"

namespace {

namespace geo = tactus::geometry;
namespace math = tactus::math;
using geo::FindStatus;
using oracle::check_near;

template <class Scalar>
constexpr double kTolerance = sizeof(Scalar) == 4 ? 4e-6 : 1e-13;

template <class Scalar>
void sweep_pair(const geo::PlanarShape<Scalar>& a, const geo::PlanarShape<Scalar>& b) {
  oracle::Random random(11);
  oracle::Sweep sweep;
  for (int i = 0; i < oracle::kPoses; ++i) {
    const auto fa = geo::frame(oracle::pose2<Scalar>(random, 0.7)),
               fb = geo::frame(oracle::pose2<Scalar>(random, 0.7));
    oracle::check_pair<geo::PlanarContacts<Scalar>>(a, fa, b, fb, kTolerance<Scalar>, 0, random, sweep);
  }
  TEST_ASSERT_TRUE(sweep.apart > 0 && sweep.inside > 0);
}

template <class Scalar>
void sweep_all() {
  const auto s = [](double x) { return static_cast<Scalar>(x); };
  const auto disc = geo::disc<Scalar>(s(0.3)), ellipse = geo::ellipse<Scalar>(s(0.4), s(0.15)),
             tall = geo::ellipse<Scalar>(s(0.05), s(0.5)), box = geo::box<Scalar>(s(0.3), s(0.2)),
             plank = geo::box<Scalar>(s(0.6), s(0.01)), triangle = geo::polygon<Scalar>(3, s(0.4)),
             polygon = geo::polygon<Scalar>(12, s(0.4)), rod = geo::rod<Scalar>(s(0.8));
  for (const auto& other : {disc, ellipse, tall, box, plank, triangle, polygon, rod}) sweep_pair(other, disc);
  for (const auto& other : {box, plank, rod}) {
    sweep_pair(other, box);
    sweep_pair(plank, other);
  }
}

void gaps_agree_with_support_functions() {
  sweep_all<float>();
  sweep_all<double>();
}

// Two boxes of half extents (0.2, 0.1), the upper shifted by 0.1 and raised to leave 0.01: they face each
// other over x in [-0.1, 0.2].
template <class Scalar>
void check_stacked_boxes() {
  const auto box = geo::box<Scalar>(static_cast<Scalar>(0.2), static_cast<Scalar>(0.1));
  const geo::PlanarPose<Scalar> low, high{static_cast<Scalar>(0.1), static_cast<Scalar>(0.21), 0};
  geo::PlanarContacts<Scalar> set;
  TEST_ASSERT_TRUE(geo::find_contacts(box, low, box, high, static_cast<Scalar>(0.02), set) == FindStatus::ok);
  TEST_ASSERT_EQUAL_INT(2, set.count);
  double left = 1, right = -1;
  for (int i = 0; i < 2; ++i) {
    check_near(0.01, static_cast<double>(set[i].gap), 1e-7, "gap");
    check_near(1, static_cast<double>(set[i].normal.y()), 1e-7, "normal up");
    check_near(0.1, static_cast<double>(set[i].point_a.y()), 1e-7, "on the lower box's top");
    left = std::fmin(left, static_cast<double>(set[i].point_a.x()));
    right = std::fmax(right, static_cast<double>(set[i].point_a.x()));
  }
  check_near(-0.1, left, 1e-7, "left end");
  check_near(0.2, right, 1e-7, "right end");
  TEST_ASSERT_TRUE(geo::find_contacts(box, low, box, high, static_cast<Scalar>(0.009), set) ==
                   FindStatus::ok);
  TEST_ASSERT_EQUAL_INT(0, set.count);
}

void stacked_boxes_touch_at_two_points() {
  check_stacked_boxes<float>();
  check_stacked_boxes<double>();
}

// Boxes with corners (1, 1) and (1.3, 1.4): the nearest pair is the corners, 0.5 apart along (0.6, 0.8).
void corner_to_corner() {
  const auto a = geo::box(1.0, 1.0), b = geo::box(0.5, 0.25);
  geo::PlanarContacts<double> set;
  TEST_ASSERT_TRUE(geo::find_contacts(a, geo::PlanarPose<double>{}, b, {1.8, 1.65, 0}, 1.0, set) ==
                   FindStatus::ok);
  TEST_ASSERT_EQUAL_INT(1, set.count);
  check_near(0.5, set[0].gap, 1e-15, "gap");
  oracle::check_vector<double, 2>({0.6, 0.8}, set[0].normal, 1e-15, "normal");
}

// A rod across a box, standing 0.05 out of it on one side: the least way out is the box's nearest face or the
// rod's own side, here a vertical rod of length 1 whose lower end is 0.1 inside the top of a wide box.
void rod_in_box() {
  const auto box = geo::box(2.0, 0.5), rod = geo::rod(1.0);
  geo::PlanarContacts<double> set;
  const geo::PlanarPose<double> upright{0.3, 0.9, math::kPi<double> / 2};
  TEST_ASSERT_TRUE(geo::find_contacts(box, geo::PlanarPose<double>{}, rod, upright, 0.0, set) ==
                   FindStatus::ok);
  TEST_ASSERT_EQUAL_INT(1, set.count);
  check_near(-0.1, set[0].gap, 1e-15, "gap");
  oracle::check_vector<double, 2>({0.3, 0.4}, set[0].point_b, 1e-15, "the rod's end");
  oracle::check_vector<double, 2>({0.0, 1.0}, set[0].normal, 1e-15, "normal");
}

// A disc of radius 0.1 centred where the nearest point is not unique: the answer is one of the right ones.
void centres_coincide() {
  const auto disc = geo::disc(0.1);
  const geo::PlanarPose<double> here;
  geo::PlanarContacts<double> set;
  const auto gap = [&](const geo::PlanarShape<double>& shape) {
    TEST_ASSERT_TRUE(geo::find_contacts(shape, here, disc, here, 0.0, set) == FindStatus::ok);
    TEST_ASSERT_EQUAL_INT(1, set.count);
    oracle::check_promises(set[0], 1e-15);
    return set[0].gap;
  };
  check_near(-0.4, gap(geo::disc(0.3)), 1e-15, "disc");
  check_near(-0.3, gap(geo::ellipse(0.5, 0.2)), 1e-15, "ellipse");
  check_near(0, std::abs(set[0].normal.x()), 1e-15, "along the short axis");
  check_near(-0.25, gap(geo::ellipse(0.15, 0.2)), 1e-15, "upright ellipse");
  check_near(-0.4, gap(geo::box(0.5, 0.3)), 1e-15, "box");
  check_near(-0.1, gap(geo::rod(1.0)), 1e-15, "rod");
  check_near(-0.1 - 0.2 * std::cos(math::kPi<double> / 6), gap(geo::polygon(6, 0.2)), 1e-15, "hexagon");
}

// A common motion of both bodies moves the contacts with them.
template <class Scalar>
void check_moved_together(double tolerance) {
  oracle::Random random(5);
  const auto a = geo::ellipse<Scalar>(static_cast<Scalar>(0.4), static_cast<Scalar>(0.2));
  const auto b = geo::disc<Scalar>(static_cast<Scalar>(0.1));
  const auto c = geo::box<Scalar>(static_cast<Scalar>(0.3), static_cast<Scalar>(0.2));
  for (int i = 0; i < 50; ++i) {
    const auto pa = oracle::pose2<Scalar>(random, 0.5), pb = oracle::pose2<Scalar>(random, 0.5),
               motion = oracle::pose2<Scalar>(random, 1);
    const auto moved = [&](const geo::PlanarPose<Scalar>& p) {
      const math::Vector2<Scalar> q = geo::frame(motion).to_world({p.x, p.y});
      return geo::PlanarPose<Scalar>{q.x(), q.y(), p.angle + motion.angle};
    };
    geo::PlanarContacts<Scalar> before, after;
    for (const auto& other : {a, c}) {
      const auto& mate = other.kind == geo::PlanarKind::box ? c : b;
      geo::find_contacts(other, pa, mate, pb, static_cast<Scalar>(3), before);
      geo::find_contacts(other, moved(pa), mate, moved(pb), static_cast<Scalar>(3), after);
      const auto &x = before[oracle::deepest(before)], &y = after[oracle::deepest(after)];
      check_near(static_cast<double>(x.gap), static_cast<double>(y.gap), tolerance, "gap");
    }
  }
}

void gap_is_invariant_under_a_common_motion() {
  check_moved_together<float>(4e-6);
  check_moved_together<double>(1e-14);
}

void bad_input_is_reported() {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto box = geo::box(0.2, 0.1), disc = geo::disc(0.1);
  geo::PlanarContacts<double> set;
  const geo::PlanarPose<double> here;
  for (const auto& shape : {box, disc}) {
    for (const double bad : {nan, inf}) {
      TEST_ASSERT_TRUE(geo::find_contacts(box, here, shape, {0, 0, bad}, 0.1, set) == FindStatus::bad_input);
      TEST_ASSERT_EQUAL_INT(0, set.count);
    }
    TEST_ASSERT_TRUE(geo::find_contacts(box, here, shape, {nan, 0, 0}, 0.1, set) == FindStatus::bad_input);
    TEST_ASSERT_TRUE(geo::find_contacts(shape, {0, nan, 0}, box, here, 0.1, set) == FindStatus::bad_input);
    TEST_ASSERT_TRUE(geo::find_contacts(box, here, shape, here, nan, set) == FindStatus::bad_input);
  }
}

void unsupported_pairs_are_named() {
  geo::PlanarContacts<double> set;
  const geo::PlanarPose<double> here;
  const auto ellipse = geo::ellipse(0.2, 0.1), rod = geo::rod(1.0), polygon = geo::polygon(5, 0.1);
  for (const auto& a : {ellipse, rod, polygon}) {
    for (const auto& b : {ellipse, rod, polygon}) {
      TEST_ASSERT_FALSE(geo::is_supported(a.kind, b.kind));
      set.count = 1;
      TEST_ASSERT_TRUE(geo::find_contacts(a, here, b, here, 0.1, set) == FindStatus::unsupported);
      TEST_ASSERT_EQUAL_INT(0, set.count);
    }
  }
}

// Corner to corner, 1e25 m apart: the squares of that are no floats. It must be no contact, on any stack.
void what_squares_do_not_hold_is_no_contact() {
  const auto box = geo::box<float>(1, 1);
  geo::PlanarContacts<float> set;
  const geo::PlanarPose<float> here, far{1e25F, 1e25F, 0};
  TEST_ASSERT_TRUE(geo::find_contacts(box, here, box, far, 1e26F, set) == FindStatus::ok);
  TEST_ASSERT_EQUAL_INT(0, set.count);
}

void far_bodies_have_no_contact() {
  geo::PlanarContacts<double> set;
  const auto box = geo::box(0.3, 0.4), disc = geo::disc(0.5);  // both within 0.5 of their centres
  TEST_ASSERT_TRUE(geo::find_contacts(box, geo::PlanarPose<double>{}, disc, {1.2, 0, 0}, 0.1, set) ==
                   FindStatus::ok);
  TEST_ASSERT_EQUAL_INT(0, set.count);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(gaps_agree_with_support_functions);
  RUN_TEST(stacked_boxes_touch_at_two_points);
  RUN_TEST(corner_to_corner);
  RUN_TEST(rod_in_box);
  RUN_TEST(centres_coincide);
  RUN_TEST(gap_is_invariant_under_a_common_motion);
  RUN_TEST(bad_input_is_reported);
  RUN_TEST(unsupported_pairs_are_named);
  RUN_TEST(far_bodies_have_no_contact);
  RUN_TEST(what_squares_do_not_hold_is_no_contact);
  return UNITY_END();
}
