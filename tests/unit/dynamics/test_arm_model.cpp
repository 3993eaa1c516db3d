// What is refused when an arm is built, and what cannot be seen before it moves.
#include <unity.h>

#include <limits>

#include "tactus/dynamics/arm_dynamics.hpp"
#include "tactus/sentence.hpp"

using namespace tactus;
using namespace tactus::dynamics;

void setUp() {}
void tearDown() {}

void test_what_no_arm_can_be_is_refused() {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto error_of = [](auto change) {
    Arm<double, 1> arm;
    Link<double> link{.mass = 1};
    link.inertia.diagonal() << 1, 1, 1;
    change(link);
    const Error error = add_link(arm, link);
    TEST_ASSERT_EQUAL_INT(error ? 0 : 1, arm.joints);
    TEST_ASSERT_EQUAL_INT(error ? 0 : -1, error.index);
    return error.what;
  };
  const auto expect = [&](What error, auto change) {
    TEST_ASSERT_EQUAL_STRING(sentence(error), sentence(error_of(change)));
  };
  using L = Link<double>;
  expect(What::none, [](L&) {});
  expect(What::none, [](L& l) { l.inertia.diagonal() << 0, 1, 1; });  // a rod
  expect(What::none, [](L& l) { l.inertia.setZero(); });              // a point
  expect(What::link_parent, [](L& l) { l.parent = 0; });
  expect(What::link_parent, [](L& l) { l.parent = -2; });
  expect(What::link_frame, [&](L& l) { l.at.position[1] = nan; });
  expect(What::link_frame, [](L& l) { l.at.R *= 2; });
  expect(What::link_frame, [](L& l) { l.at.R.col(0) *= -1; });  // a reflection
  expect(What::link_axis, [](L& l) { l.axis.setZero(); });
  expect(What::link_axis, [&](L& l) { l.axis[2] = nan; });
  expect(What::link_mass, [](L& l) { l.mass = -1; });
  expect(What::link_mass, [&](L& l) { l.mass = inf; });
  expect(What::link_mass, [&](L& l) { l.centre[0] = nan; });
  expect(What::link_inertia, [](L& l) { l.inertia.diagonal() << 1, 1, 3; });  // the triangle is open
  expect(What::link_inertia, [](L& l) { l.inertia.diagonal() << -1, 1, 1; });
  expect(What::link_inertia, [](L& l) { l.inertia(0, 1) = 0.1; });
  expect(What::link_inertia, [&](L& l) { l.inertia(2, 2) = nan; });
  expect(What::link_drive, [](L& l) { l.rotor = -1; });
  expect(What::link_drive, [&](L& l) { l.friction = nan; });
  expect(What::link_limits, [](L& l) { l.lower = l.upper = 1; });
  expect(What::link_limits, [&](L& l) { l.upper = nan; });
  Arm<double, 1> full;
  TEST_ASSERT_FALSE(add_link(full, Link<double>{}));
  TEST_ASSERT_EQUAL_STRING("The arm has no room for another joint: 2 needed, 1 there.",
                           Sentence(add_link(full, Link<double>{})).text());
}

// A joint that moves no mass has no acceleration: said, not divided by.
void test_a_motion_without_mass_is_found() {
  Arm<double, 2> arm;
  ArmPose<double, 2> pose;
  MassMatrix<double, 2> M;
  TEST_ASSERT_FALSE(add_link(arm, Link<double>{.mass = 1, .centre{0.1, 0, 0}}));
  TEST_ASSERT_FALSE(add_link(arm, Link<double>{.parent = 0}));
  place(arm, {}, {0.0, 0.0}, pose);
  mass_matrix(arm, pose, M);
  TEST_ASSERT_FALSE(factor_mass(arm, M));
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_what_no_arm_can_be_is_refused);
  RUN_TEST(test_a_motion_without_mass_is_found);
  return UNITY_END();
}
