// Where the thresholds of the acceleration level stand: just inside each is one answer, just outside another.
// tests/house/mutations.py widens each tenfold in a copy of core and sees this program fail.
#include "tactus/contact/acceleration_relaxed.hpp"
#include "tactus/contact/cone.hpp"
#include "tactus/contact/fixture_margins.hpp"
#include "tests/corpus/friction_box.hpp"
#include "unity.h"

using namespace tactus::contact;
using namespace tactus::contact::acceleration;

namespace {

#ifdef __arm__
constexpr int kDrawn = 100;  // the rest is for the host
#else
constexpr int kDrawn = 2000;
#endif

// A = I, b = (-1, 0): c = (1, 0) is the answer, and with c_n = 1 + e, a_n = e is what it is off by.
template <class Scalar>
Scalar off_by(Scalar e) {
  const Scalar A[4] = {1, 0, 0, 1}, b[2] = {-1, 0}, mu = Scalar(0.5), c[2] = {1 + e, 0};
  Scalar a[2];
  return acceleration::measure(acceleration::Problem<Scalar, 2>{{1, A, 2, b, &mu, nullptr}, nullptr},
                               Law::cone, c, a);
}

template <class Scalar>
void solved_is_a_billionth() {
  const Scalar unit = sizeof(Scalar) == 8 ? Scalar(1e-9) : Scalar(1e-4);
  TEST_ASSERT_TRUE(off_by(unit / 2) <= kSolved<Scalar>);
  TEST_ASSERT_FALSE(off_by(unit * 3) <= kSolved<Scalar>);
  TEST_ASSERT_FALSE(Sizes<Scalar>({1, 0}).is_zero(3 * unit));
}

// Two contacts squeeze a part by F, which changes nothing; a third one is open, at 1 m/s^2. A c rounds by 2 F
// epsilon, and from a thousand times what is called solved on (a hundred in float) nothing is known.
template <class Scalar>
void forces_without_digits_are_no_answer() {
  const Scalar epsilon = std::numeric_limits<Scalar>::epsilon();
  const Scalar unit = sizeof(Scalar) == 8 ? Scalar(1e-9) : Scalar(1e-4),
               digits = sizeof(Scalar) == 8 ? 1000 : 100;
  Scalar A[36]{}, b[6]{}, mu[3]{}, a[6];
  for (int i = 0; i < 6; ++i) A[7 * i] = 1;
  A[2] = A[12] = -1;
  b[4] = 1;
  const acceleration::Problem<Scalar, 2> p{{3, A, 6, b, mu, nullptr}, nullptr};
  for (const bool much : {false, true}) {
    const Scalar F = (much ? 3 : Scalar(0.3)) * digits * unit / (2 * epsilon);
    const Scalar c[6] = {F, 0, F, 0, 0, 0};
    TEST_ASSERT_EQUAL_INT(!much, acceleration::measure(p, Law::pyramid, c, a) <= kSolved<Scalar>);
  }
}

// The relaxed cone of a step: lambda_n = 1 + e leaves s_n = e.
template <class Scalar>
void a_step_of_the_cone_is_held_to_a_tenth_of_that() {
  const Scalar unit = sizeof(Scalar) == 8 ? Scalar(1e-10) : Scalar(1e-5);
  const Scalar A[4] = {1, 0, 0, 1}, b[2] = {-1, 0}, mu = Scalar(0.5);
  for (const bool much : {false, true}) {
    const Scalar lambda[2] = {1 + (much ? 3 : Scalar(0.5)) * unit, 0};
    Scalar s[2];
    const tactus::contact::Problem<Scalar, 2> p{1, A, 2, b, &mu, nullptr};
    TEST_ASSERT_EQUAL_INT(!much, cone::measure_relaxed(p, lambda, s) <= cone::kAccepted<Scalar>);
  }
}

constexpr SystemSize kPoint{.contacts = 3, .freedoms = 2, .joints = 0},
    kPoint3{.contacts = 1, .freedoms = 3, .joints = 0};
constexpr SystemSize kPart{.contacts = 2, .freedoms = 3, .joints = 0};

// A particle of 1 kg between two walls that nothing presses, pushed by a clamp on a stop: it falls or hangs.
// Its weight is out of balance by weight / clamp of its load.
template <class Scalar>
void a_motion_by_a_ten_billionth_of_the_load_is_none() {
  static FixtureWorkspace<Scalar, 2, kPoint> ws;
  System<Scalar, 2, kPoint> s;
  s.contacts = 3;
  s.freedoms = 2;
  s.M_obj = {1, 0, 0, 1};
  s.W = {1, 0, 0, 1, -1, 0, 0, -1, 1, 0, 0, 1};  // walls to the left and to the right, the stop to the left
  s.mu = {Scalar(0.5), Scalar(0.5), 0};
  for (const bool little : {false, true}) {
    s.f_obj = {-1, little ? Scalar(-0.3e-10) : Scalar(-3e-10)};
    const auto verdict = check_fixture(s, ws, Law::pyramid);
    TEST_ASSERT_TRUE(verdict.can_hold);
    TEST_ASSERT_EQUAL_INT(!little, verdict.can_move);
  }
}

// A particle on a slope that is a little less steep than its friction, along the diagonal of the tangents.
void a_cone_is_told_from_its_inside_to_a_ten_billionth() {
  static FixtureWorkspace<double, 3, kPoint3> ws;
  System<double, 3, kPoint3> s;
  s.contacts = 1;
  s.freedoms = 3;
  s.M_obj = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  s.W = {0, 0, 1, 1, 0, 0, 0, 1, 0};
  s.mu[0] = 0.5;
  const double part = 0.5 * 0.70710678118654752;
  for (const double less : {3e-10, -3e-9}) {
    s.f_obj = {part * (1 - less), part * (1 - less), -1};
    const auto verdict = check_fixture(s, ws, Law::cone);
    TEST_ASSERT_EQUAL_INT(less > 0, verdict.can_hold);
    TEST_ASSERT_EQUAL_STRING(sentence(less > 0 ? FixtureReason::holds : FixtureReason::falls),
                             sentence(verdict.reason));
  }
}

// On a floor, mu = 0.5, weight 1 N: 0.5 N along it, 1 N upwards, and any push downwards. A third of the
// friction holds against 1/6 N.
void margins_are_near() {
  static FixtureWorkspace<double, 3, kPoint3> ws;
  System<double, 3, kPoint3> s;
  s.contacts = 1;
  s.freedoms = 3;
  s.M_obj = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  s.W = {0, 0, 1, 1, 0, 0, 0, 1, 0};
  s.mu[0] = 0.5;
  s.f_obj = {0.16666666666666667, 0, -1};
  for (const Law law : {Law::pyramid, Law::cone}) {
    TEST_ASSERT_TRUE(check_fixture(s, ws, law).stability == Stability::stable);
    const auto margins = find_margins(ws);
    TEST_ASSERT_TRUE(margins.certain);
    const double across = law == Law::cone ? std::sqrt(0.25 - 1.0 / 36) : 0.5;
    const auto near = [](double want, double got) { TEST_ASSERT_DOUBLE_WITHIN(2e-7 * want, want, got); };
    near(1.0 / 3, margins.load[0].up);
    near(2.0 / 3, margins.load[0].down);
    near(across, margins.load[1].up);
    near(across, margins.load[1].down);
    near(2.0 / 3, margins.load[2].up);  // the weight left is a third of a newton
    TEST_ASSERT_FALSE(std::isfinite(margins.load[2].down));
    near(1.0 / 3, margins.mu);
  }
}

// Units change no verdict: a part of any mass under any load, pushed by a tenth of its weight on a floor with
// mu = 0.5. It is unseated by 0.4 of its weight more, by lifting 0.8 of it, and with a fifth of the friction.
template <class Scalar>
void units_change_nothing(int digits) {
  static FixtureWorkspace<Scalar, 2, kPart> ws;
  for (int m = -digits; m <= digits; m += digits)
    for (int f = -digits; f <= digits; f += digits) {
      const Scalar mass = static_cast<Scalar>(std::pow(10.0, m)),
                   weight = static_cast<Scalar>(std::pow(10.0, f));
      System<Scalar, 2, kPart> s;
      s.contacts = 2;
      s.freedoms = 3;
      s.M_obj = {mass, 0, 0, 0, mass, 0, 0, 0, mass};
      s.W = {0, 1, Scalar(-0.1), 1, 0, 0, 0, 1, Scalar(0.1), 1, 0, 0};
      s.mu = {Scalar(0.5), Scalar(0.5)};
      s.f_obj = {weight / 10, -weight, 0};
      TEST_ASSERT_TRUE(check_fixture(s, ws, Law::pyramid).stability == Stability::stable);
      const auto margins = find_margins(ws);
      TEST_ASSERT_TRUE(margins.certain);
      TEST_ASSERT_TRUE(std::fabs(margins.load[0].up / weight - Scalar(0.4)) < Scalar(1e-6));
      TEST_ASSERT_TRUE(std::fabs(margins.load[1].up / weight - Scalar(0.8)) < Scalar(1e-6));
      TEST_ASSERT_TRUE(std::fabs(margins.mu - Scalar(0.2)) < Scalar(1e-6));
    }
}
void units_change_nothing() {
  units_change_nothing<double>(300);
  units_change_nothing<float>(30);
}

// One contact that jams in space, as drawn: A of three rows in five columns, strong friction. Its force is in
// the cone, and f and the bound below it stand as near to each other as the planes come to the cone.
template <class Scalar>
void relaxed_forces_stay_in_the_cone() {
  static RelaxedWorkspace<Scalar, 3, 1> ws;
  static PyramidWorkspace<Scalar, 3, 1> exact;
  corpus::Random random(46);
  int jams = 0;
  for (int k = 0; k < kDrawn; ++k) {
    double B[3][5];
    for (auto& row : B)
      for (double& x : row) x = random.uniform(-1, 1);
    Scalar A[9], b[3], v[2];
    const Scalar mu = static_cast<Scalar>(random.uniform(0.5, 4));
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        double sum = 0;
        for (int l = 0; l < 5; ++l) sum += B[i][l] * B[j][l];
        A[3 * i + j] = static_cast<Scalar>(sum);
      }
      b[i] = static_cast<Scalar>(random.uniform(-3, 3) - (i == 0 ? 3 : 0));
    }
    for (Scalar& x : v) x = static_cast<Scalar>(random.uniform(-2, 2));
    const acceleration::Problem<Scalar, 3> p{{1, A, 3, b, &mu, nullptr}, v};
    if (solve_pyramid(p, exact).status != Status::none) continue;
    ++jams;
    const auto answer = solve_relaxed(p, Law::cone, ws);
    TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(answer.status));
    TEST_ASSERT_TRUE(answer.proved);
    const Scalar size = std::sqrt(ws.c[1] * ws.c[1] + ws.c[2] * ws.c[2]);
    TEST_ASSERT_TRUE(size <= mu * ws.c[0] * (1 + 4 * std::numeric_limits<Scalar>::epsilon()));
    const Scalar near = sizeof(Scalar) == 8 ? Scalar(1e-8) : Scalar(3e-5);
    TEST_ASSERT_TRUE(std::fabs(answer.f - answer.least) <= near * answer.f);
  }
  TEST_ASSERT_TRUE(jams * 10 > kDrawn);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(solved_is_a_billionth<double>);
  RUN_TEST(solved_is_a_billionth<float>);
  RUN_TEST(forces_without_digits_are_no_answer<double>);
  RUN_TEST(forces_without_digits_are_no_answer<float>);
  RUN_TEST(a_step_of_the_cone_is_held_to_a_tenth_of_that<double>);
  RUN_TEST(a_step_of_the_cone_is_held_to_a_tenth_of_that<float>);
  RUN_TEST(a_motion_by_a_ten_billionth_of_the_load_is_none<double>);
  RUN_TEST(a_motion_by_a_ten_billionth_of_the_load_is_none<float>);
  RUN_TEST(a_cone_is_told_from_its_inside_to_a_ten_billionth);
  RUN_TEST(margins_are_near);
  RUN_TEST(units_change_nothing);
  RUN_TEST(relaxed_forces_stay_in_the_cone<double>);
  RUN_TEST(relaxed_forces_stay_in_the_cone<float>);
  return UNITY_END();
}
