// The certificate: what it calls right, and that it cannot be fooled.
#include <unity.h>

#include <cmath>
#include <limits>

#include "tactus/lcp/certificate.hpp"
#include "tactus/lcp/scaling.hpp"
#include "tests/corpus/judge.hpp"

using tactus::lcp::Problem;

namespace {

// M z + q = 0 at z = (4, 1).
constexpr float kM[] = {2, 1, 1, 2}, kQ[] = {-9, -6};
const Problem<float> kProblem{2, kM, 2, kQ, nullptr};

tactus::lcp::Certificate<float> measure(const Problem<float>& p, const float* z) {
  float c[8], r[8], w[8], y[8];
  const auto scaling = find_scaling(p, c, r, y);
  return certify(p, c, scaling, z, w, y);
}

}  // namespace

void setUp() {}
void tearDown() {}

void test_a_solution_measures_zero() {
  const float z[] = {4, 1};
  const auto m = measure(kProblem, z);
  TEST_ASSERT_EQUAL_FLOAT(0, m.unit_free);
  TEST_ASSERT_EQUAL_FLOAT(0, m.residual);
  TEST_ASSERT_EQUAL_FLOAT(1, m.min_z);
  TEST_ASSERT_EQUAL_FLOAT(0, m.min_w);
}

// z = 0 leaves w = (-9, -6). Z = max(|z|, |q| / |M|) = 9 / 2, S = |q| + 2 Z = (18, 15): residual 1/2.
void test_residual_is_the_one_defined() {
  const float z[] = {0, 0};
  const auto m = measure(kProblem, z);
  TEST_ASSERT_FLOAT_WITHIN(1e-7f, 0.5f, m.residual);
  TEST_ASSERT_EQUAL_FLOAT(-9, m.min_w);
  TEST_ASSERT_TRUE(m.unit_free > 0.1f);
}

// An independent judge says the same of many z, with and without blocks; what is measured may exceed it by 2
// epsilon.
void test_residual_agrees_with_the_judge() {
  const std::uint8_t block[] = {0, 1};
  const float M[] = {3, 0.5f, -0.25f, 2}, q[] = {-1, 7};
  for (const std::uint8_t* blocks : {static_cast<const std::uint8_t*>(nullptr), block}) {
    const Problem<float> p{2, M, 2, q, blocks};
    for (float a = 0; a < 2; a += 0.17f) {
      const float z[] = {a, 2 - a};
      const double judged = corpus::residual(2, M, q, blocks, z);
      TEST_ASSERT_FLOAT_WITHIN(1e-6f, static_cast<float>(judged), measure(p, z).residual);
    }
  }
}

void test_negative_z_is_wrong() {
  const float z[] = {4, -1e-3f};
  TEST_ASSERT_TRUE(measure(kProblem, z).unit_free > 1e-5f);
}

// A test written "residual > limit: reject" lets NaN pass; so does a maximum that forgets it.
void test_not_a_number_never_measures_small() {
  for (float poison : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (int at = 0; at < 6; ++at) {
      float M[4] = {2, 1, 1, 2}, q[2] = {-9, -6}, z[2] = {4, 1};
      (at < 4 ? M[at] : q[at - 4]) = poison;
      const Problem<float> p{2, M, 2, q, nullptr};
      const auto m = measure(p, z);
      TEST_ASSERT_FALSE(m.unit_free <= 1);
      TEST_ASSERT_FALSE(m.residual <= 1);
    }
    float z[2] = {4, poison};
    TEST_ASSERT_FALSE(measure(kProblem, z).unit_free <= 1);
  }
}

// Finite numbers whose products are not.
void test_overflow_never_measures_small() {
  const float M[] = {-1}, q[] = {-3e38f}, z[] = {0};
  const auto m = measure({1, M, 1, q, nullptr}, z);
  TEST_ASSERT_FALSE(m.unit_free <= 1e-3f);
}

// Scaling reads exponents only: C M C has a diagonal in [1, 4), the coefficients of a bound become 1 in row
// and column.
// The second row needs z_0 = 0, but its product, -1.6e-73, is zero in float: no float can tell. The same
// problem in larger units is measured.
void test_underflow_never_measures_small() {
  const std::uint8_t block[] = {0, 0};
  const float z[] = {0x1.20d5p-123f, 0};
  float M[] = {0.25f, 424, -0x1p-119f, 0}, q[] = {-0x1.20d5p-125f, 0};
  TEST_ASSERT_TRUE(corpus::residual(2, M, q, block, z) > 0.9);
  const auto m = measure({2, M, 2, q, block}, z);
  TEST_ASSERT_FALSE(m.residual < 0.9f);
  TEST_ASSERT_FALSE(m.unit_free < 0.1f);
  const float large[] = {z[0] * 0x1p100f, 0};
  q[0] *= 0x1p100f;
  M[2] *= 0x1p100f;
  TEST_ASSERT_FLOAT_WITHIN(1e-6f, 1, measure({2, M, 2, q, block}, large).residual);
  // A row whose products are zero because a factor is has lost nothing.
  const float diagonal[] = {1, 0, 0, 1}, only_one[] = {-1, 0}, one[] = {1, 0};
  TEST_ASSERT_EQUAL_FLOAT(0, measure({2, diagonal, 2, only_one, nullptr}, one).residual);
}

void test_scaling_brings_diagonal_and_bounds_to_one() {
  const float mu = 0.3f;
  const float M[] = {4000, -1500, 0, -1500, 4000, 1, mu, -1, 0}, q[] = {-1, 0, 0};
  float c[8], r[8], scratch[8];
  find_scaling(Problem<float>{3, M, 3, q, nullptr}, c, r, scratch);
  for (int i = 0; i < 2; ++i) {
    const float d = c[i] * M[4 * i] * r[i];
    TEST_ASSERT_TRUE(d >= 1 && d < 4);
  }
  const float in_column = r[1] * M[5] * c[2], in_row = r[2] * -M[7] * c[1];
  TEST_ASSERT_TRUE(in_column > 0.5f && in_column <= 2);
  TEST_ASSERT_TRUE(in_row > 0.5f && in_row <= 2);
}

// 1e-6 on the diagonal of a bound is no size to go by: the scaling is the one without it.
void test_a_regularised_bound_is_still_a_bound() {
  float M[] = {0.004f, -0.0015f, 0, -0.0015f, 0.004f, 1, 0.3f, -1, 0}, q[] = {-1, 0, 0};
  float c[2][8], r[2][8], scratch[8];
  for (int k = 0; k < 2; ++k) {
    M[8] = k == 0 ? 0 : 1e-6f;
    find_scaling(Problem<float>{3, M, 3, q, nullptr}, c[k], r[k], scratch);
  }
  for (int i = 0; i < 3; ++i) {
    TEST_ASSERT_EQUAL_FLOAT(c[0][i], c[1][i]);
    TEST_ASSERT_EQUAL_FLOAT(r[0][i], r[1][i]);
  }
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_a_solution_measures_zero);
  RUN_TEST(test_residual_is_the_one_defined);
  RUN_TEST(test_residual_agrees_with_the_judge);
  RUN_TEST(test_negative_z_is_wrong);
  RUN_TEST(test_not_a_number_never_measures_small);
  RUN_TEST(test_overflow_never_measures_small);
  RUN_TEST(test_underflow_never_measures_small);
  RUN_TEST(test_scaling_brings_diagonal_and_bounds_to_one);
  RUN_TEST(test_a_regularised_bound_is_still_a_bound);
  return UNITY_END();
}
