// The loops that a solve spends its time in, against sums written out: every bit, on every machine. On a
// Cortex-M they are assembly.
#include <cmath>
#include <cstdint>

#include "tactus/math/products.hpp"
#include "unity.h"

using namespace tactus;

namespace {

constexpr int kMost = 27, kStride = 31;
constexpr float kBeside = 1234.5F;  // what stands beside the numbers, and has to stay

class Random {
 public:
  float next() {
    state_ = state_ * 1664525U + 1013904223U;
    return static_cast<float>(static_cast<std::int32_t>(state_ >> 8) - (1 << 23)) / (1 << 22);
  }
  template <std::size_t N>
  void fill(float (&x)[N]) {
    for (float& each : x) each = next();
  }

 private:
  std::uint32_t state_ = 1;
};

void a_matrix_times_a_vector() {
  Random random;
  static float M[kMost * kStride], x[kMost], start[kMost];
  random.fill(M);
  random.fill(x);
  random.fill(start);
  for (int n = 1; n <= kMost; ++n)
    for (int rows = 1; rows <= kMost; rows += 5)
      for (const float* const from : {static_cast<const float*>(start), static_cast<const float*>(nullptr)}) {
        float out[kMost + 1];
        for (float& each : out) each = kBeside;
        math::multiply(from, M, kStride, rows, x, n, out);
        for (int i = 0; i < rows; ++i) {
          float sum = from != nullptr ? from[i] : 0.0F;
          for (int k = 0; k < n; ++k) sum = std::fma(M[i * kStride + k], x[k], sum);
          TEST_ASSERT_TRUE(sum == out[i]);
        }
        for (int i = rows; i <= kMost; ++i) TEST_ASSERT_TRUE(out[i] == kBeside);
      }
}

void two_dot_products() {
  Random random;
  float x[kMost], p[kMost], q[kMost];
  random.fill(x);
  random.fill(p);
  random.fill(q);
  for (int n = 0; n <= kMost; ++n) {
    float a = 0.5F, b = -2.0F;
    for (int k = 0; k < n; ++k) {
      a = std::fma(x[k], p[k], a);
      b = std::fma(x[k], q[k], b);
    }
    const auto two = math::add_products<float>(0.5F, -2.0F, x, p, q, n);
    TEST_ASSERT_TRUE(two.p == a && two.q == b);
  }
}

void a_pivot_row_and_another() {
  Random random;
  float v[kMost];
  random.fill(v);
  for (int n = 0; n <= kMost; ++n) {
    float x[kMost], was[kMost];
    random.fill(x);
    for (int k = 0; k < kMost; ++k) was[k] = x[k];
    math::add_multiple(x, v, 0.7F, n);
    for (int k = 0; k < kMost; ++k) TEST_ASSERT_TRUE(x[k] == (k < n ? std::fma(0.7F, v[k], was[k]) : was[k]));
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_matrix_times_a_vector);
  RUN_TEST(two_dot_products);
  RUN_TEST(a_pivot_row_and_another);
  return UNITY_END();
}
