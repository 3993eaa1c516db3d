// The same bits from every machine: a hash over the float answers of 240 friction boxes, pinned.
//
// The value was not derived; it is what x86-64 with FMA gave, and Cortex-M4F and M7 have to give it too. A
// change of the solver that changes answers on purpose changes it, in a commit that says so. Without fused
// multiply-adds (kFused) a build rounds otherwise and is only held to solve.
#include <unity.h>

#include <cstdint>

#include "tactus/lcp/solver.hpp"
#include "tests/corpus/friction_box.hpp"
#include "tests/unit/checksum.hpp"

namespace {

constexpr int kCapacity = 24;
tactus::lcp::Workspace<float, kCapacity> memory;
corpus::Instance<float, kCapacity> instance;

}  // namespace

void setUp() {}
void tearDown() {}

void test_answers_are_the_same_bits_everywhere() {
  Checksum problems, answers;
  int pivots = 0;
  for (int contacts : {1, 2, 4}) {
    for (std::uint64_t seed = 0; seed < 80; ++seed) {
      const corpus::Box box{.contacts = contacts, .mu = seed % 2 == 0 ? 0.3 : 1.0, .seed = seed};
      TEST_ASSERT_TRUE(corpus::make(box, instance));
      const auto a = solve(instance.view(), memory);
      TEST_ASSERT_EQUAL_INT(static_cast<int>(tactus::lcp::Status::solved), static_cast<int>(a.status));
      for (int i = 0; i < instance.n; ++i) {
        problems.add(instance.q[static_cast<std::size_t>(i)]);
        answers.add(memory.z[static_cast<std::size_t>(i)]);
      }
      pivots += a.pivots;
    }
  }
  TEST_ASSERT_EQUAL_HEX32(0x2FF9AC9D, problems.value());
  if constexpr (tactus::math::kFused) {
    TEST_ASSERT_EQUAL_HEX32(0xDCE79395, answers.value());
    TEST_ASSERT_EQUAL_INT(1821, pivots);
  }
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_answers_are_the_same_bits_everywhere);
  return UNITY_END();
}
