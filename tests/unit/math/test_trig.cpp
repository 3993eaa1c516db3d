// Sine and cosine: against libm in double (the float's angle is exact in double), against digits that are
// known, and the stated error over all sizes of angle.
#include <unity.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "tests/unit/geometry/oracle.hpp"

namespace {

using tactus::math::sin_cos;

template <class Scalar>
void check_angle(Scalar angle, double tolerance) {
  const auto answer = sin_cos(angle);
  const long double exact = static_cast<long double>(angle);
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, 0,
                            static_cast<double>(static_cast<long double>(answer.sin) - std::sin(exact)));
  TEST_ASSERT_DOUBLE_WITHIN(tolerance, 0,
                            static_cast<double>(static_cast<long double>(answer.cos) - std::cos(exact)));
}

// libm's own error counts where long double is double.
constexpr double kLibm = std::numeric_limits<long double>::digits > 53 ? 0 : 1.2e-16;
template <class Scalar>
constexpr double kError = sizeof(Scalar) == 4 ? 1.2e-7 : 2.3e-16 + kLibm;

template <class Scalar>
void sweep(double range) {
  oracle::Random random(7);
  for (int i = 0; i < 2000; ++i)
    check_angle(static_cast<Scalar>(random.uniform(-range, range)), kError<Scalar>);
}

template <class Scalar>
void near_quarter_turns() {
  for (int k = -3000; k <= 3000; k += 7) {
    const auto quarter = static_cast<Scalar>(k * 1.5707963267948966);
    check_angle(quarter, kError<Scalar>);
    check_angle(std::nextafter(quarter, static_cast<Scalar>(1e9)), kError<Scalar>);
  }
}

void stated_error_holds_at_every_size_of_angle() {
  for (const double range : {1e-3, 1.0, 10.0, 8191.0, 8300.0, 1e6, 1.1e6, 1e9, 3e37}) {
    sweep<float>(range);
    sweep<double>(range);
  }
  sweep<double>(1e300);
}

// Each power of two reads its own stretch of the bits of 2/pi.
void stated_error_holds_at_every_power_of_two() {
  oracle::Random random(2);
  for (int e = -20; e < 1023; ++e) {
    check_angle(std::ldexp(random.uniform(1, 2), e), kError<double>);
    if (e < 127) check_angle(static_cast<float>(std::ldexp(random.uniform(1, 2), e)), kError<float>);
  }
}

void stated_error_holds_where_quadrants_meet() {
  near_quarter_turns<float>();
  near_quarter_turns<double>();
  for (const float x : {8191.9995F, 8192.0F, 8192.001F}) check_angle(x, kError<float>);
  for (const double x : {1048575.9999, 1048576.0, 1048576.0001}) check_angle(x, kError<double>);
}

// sin(1e22) and cos(1e22) to 17 digits are a common test of range reduction; 2^1023 uses the last words of
// 2/pi (its sine and cosine by 1200-digit arithmetic).
void known_digits() {
  TEST_ASSERT_DOUBLE_WITHIN(3e-16, -0.85220084976718880, sin_cos(1e22).sin);
  TEST_ASSERT_DOUBLE_WITHIN(3e-16, 0.52321478539513890, sin_cos(1e22).cos);
  TEST_ASSERT_DOUBLE_WITHIN(3e-16, 0.56312777985088401, sin_cos(0x1p1023).sin);
  TEST_ASSERT_DOUBLE_WITHIN(3e-16, -0.82636983461414799, sin_cos(0x1p1023).cos);
}

void symmetric_and_exact_at_zero() {
  TEST_ASSERT_TRUE(sin_cos(0.0).sin == 0 && sin_cos(0.0).cos == 1);
  TEST_ASSERT_TRUE(sin_cos(1e-30F).sin == 1e-30F);
  oracle::Random random(3);
  for (int i = 0; i < 500; ++i) {
    const auto x = static_cast<float>(random.uniform(0, 1e5));
    const auto plus = sin_cos(x), minus = sin_cos(-x);
    TEST_ASSERT_TRUE(plus.sin == -minus.sin && plus.cos == minus.cos);
  }
}

template <class Scalar>
void check_not_finite() {
  for (const Scalar x : {std::numeric_limits<Scalar>::quiet_NaN(), std::numeric_limits<Scalar>::infinity(),
                         -std::numeric_limits<Scalar>::infinity()}) {
    const auto answer = sin_cos(x);
    TEST_ASSERT_TRUE(answer.sin != answer.sin && answer.cos != answer.cos);
  }
}

void not_finite_gives_nan() {
  check_not_finite<float>();
  check_not_finite<double>();
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(stated_error_holds_at_every_size_of_angle);
  RUN_TEST(stated_error_holds_at_every_power_of_two);
  RUN_TEST(stated_error_holds_where_quadrants_meet);
  RUN_TEST(known_digits);
  RUN_TEST(symmetric_and_exact_at_zero);
  RUN_TEST(not_finite_gives_nan);
  return UNITY_END();
}
