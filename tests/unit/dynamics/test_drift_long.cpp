// What a free body keeps over 1,000 s, up to a million steps: the roundings of float add up to some 1e-4.
#include "free_body.hpp"

namespace {

void a_thousand_seconds() {
  using namespace free_body;
  for (const Pace& pace : kPaces) {
    const Errors single = worst<float>(pace, 1000);
    TEST_ASSERT_DOUBLE_WITHIN(4e-4, 0, single.energy);
    TEST_ASSERT_DOUBLE_WITHIN(4e-4, 0, single.size);
    TEST_ASSERT_DOUBLE_WITHIN(8e-4, 0, single.momentum);
    const Errors exact = worst<double>(pace, 1000);
    TEST_ASSERT_DOUBLE_WITHIN(2e-12, 0, exact.energy);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, exact.size);
    TEST_ASSERT_DOUBLE_WITHIN(2e-12, 0, exact.momentum);
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_thousand_seconds);
  return UNITY_END();
}
