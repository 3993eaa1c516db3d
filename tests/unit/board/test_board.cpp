// The board as the firmware sees it. Runs on boards only.
#include <unity.h>

#include <cstdint>

#include "boards/board.hpp"

namespace {

volatile float one = 1.0f;

[[gnu::noinline]] void thousand_nops() {
  __asm volatile(".rept 1000\n nop\n .endr");
}
[[gnu::noinline]] void no_nops() {
  __asm volatile("");
}

}  // namespace

void setUp() {}
void tearDown() {}

// On an emulated board the counter counts instructions: 1000 more of them are 1000 more, wherever it starts.
void test_counter_counts_instructions() {
  TEST_ASSERT_TRUE(board::counter_runs());
  std::uint32_t empty = 0, filled = 0;
  for (int i = 0; i < 7; ++i) {
    const std::uint32_t a = board::counter();
    no_nops();
    empty = board::counts_since(a);
    const std::uint32_t b = board::counter();
    thousand_nops();
    filled = board::counts_since(b);
    TEST_ASSERT_EQUAL_UINT32(1000, filled - empty);
  }
}

void test_beat_keeps_the_stated_time() {
  constexpr std::uint32_t kHertz = 1000, kBeats = 20;
  board::start_beat(kHertz);
  while (board::beats() == 0) {
  }
  const std::uint32_t start = board::counter();
  while (board::beats() < 1 + kBeats) {
  }
  const std::uint32_t counts = board::counts_since(start);
  board::stop_beat();
  const std::uint32_t expected = board::describe().counts_per_second / kHertz * kBeats;
  TEST_ASSERT_UINT32_WITHIN(100, expected, counts);
  const std::uint32_t stopped = board::beats();
  thousand_nops();
  TEST_ASSERT_EQUAL_UINT32(stopped, board::beats());
}

void test_floating_point_unit_is_on() {
  TEST_ASSERT_EQUAL_FLOAT(3.0f, one + one + one);
}

void test_stacks_are_painted() {
  const board::StackUse thread = board::thread_stack();
  TEST_ASSERT_GREATER_THAN_UINT32(64, thread.used);
  TEST_ASSERT_LESS_THAN_UINT32(thread.size, thread.used);
  const board::StackUse handler = board::handler_stack();
  TEST_ASSERT_LESS_THAN_UINT32(handler.size / 2, handler.used);
}

void test_build_id_is_a_hash() {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < board::kBuildIdSize; ++i) sum += board::build_id()[i];
  TEST_ASSERT_GREATER_THAN_UINT32(100, sum);
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_counter_counts_instructions);
  RUN_TEST(test_beat_keeps_the_stated_time);
  RUN_TEST(test_floating_point_unit_is_on);
  RUN_TEST(test_stacks_are_painted);
  RUN_TEST(test_build_id_is_a_hash);
  return UNITY_END();
}
