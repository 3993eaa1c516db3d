// Every way to fail leaves its record: the program causes one failure a boot and judges the previous one's
// record in the next. Runs on emulated boards only; the number of the boot is the state of the test.
#include <unity.h>

#include <cstdint>
#include <cstring>

#include "boards/board.hpp"

namespace {

using board::Cause;

volatile int sink = 0;

volatile int deepest = 1'000'000;  // more frames than any stack of ours holds

[[gnu::noinline]] int overflow(int depth) {
  volatile char frame[64];
  frame[0] = static_cast<char>(depth);
  if (depth == deepest) return 0;
  const int below = overflow(depth + 1);
  return below + frame[0];
}

[[gnu::noinline]] void touch_nothing() {
  *reinterpret_cast<volatile std::uint32_t*>(0xB0000000) = 1;  // no memory and no device is there
}

[[gnu::noinline]] void undefined_instruction() {
  __asm volatile("udf #0");
}

[[gnu::noinline]] void divide_by_zero() {
  volatile int zero = 0;
  sink = 7 / zero;
}

[[gnu::noinline]] void stall() {
  board::start_watchdog(2);
  for (;;) sink = sink + 1;
}

struct Drill {
  Cause cause;
  const void* where;  // the record's pc must lie in this function; null where it has none
  void (*run)();
};

void run_overflow() {
  sink = overflow(0);
}

const Drill drills[] = {
    {Cause::stack_overflow, nullptr, run_overflow},
    {Cause::bus_fault, reinterpret_cast<const void*>(touch_nothing), touch_nothing},
    {Cause::usage_fault, reinterpret_cast<const void*>(undefined_instruction), undefined_instruction},
    {Cause::usage_fault, reinterpret_cast<const void*>(divide_by_zero), divide_by_zero},
    {Cause::watchdog, reinterpret_cast<const void*>(stall), stall},
    {Cause::assertion, nullptr, [] { board::fail(4711); }},
};
constexpr std::uint32_t kDrills = sizeof drills / sizeof drills[0];

struct Seen {
  board::FaultRecord record;
};
[[gnu::section(".retained")]] Seen seen[kDrills];

void expect(std::uint32_t i) {
  const board::FaultRecord& record = seen[i].record;
  TEST_ASSERT_EQUAL_UINT32_MESSAGE(static_cast<std::uint32_t>(drills[i].cause),
                                   static_cast<std::uint32_t>(record.cause), "cause");
  TEST_ASSERT_EQUAL_MEMORY(board::build_id(), record.build_id, board::kBuildIdSize);
  if (drills[i].where != nullptr) {
    const std::uint32_t start =
        static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(drills[i].where)) & ~1u;
    TEST_ASSERT_GREATER_OR_EQUAL_UINT32(start, record.pc);
    TEST_ASSERT_LESS_THAN_UINT32(start + 64, record.pc);
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

void test_stack_overflow_meets_the_guard() {
  expect(0);
}
void test_bus_fault_names_its_address() {
  expect(1);
  TEST_ASSERT_EQUAL_HEX32(0xB0000000, seen[1].record.address);
}
void test_undefined_instruction() {
  expect(2);
}
void test_division_by_zero() {
  expect(3);
}
void test_stalled_loop_is_named_by_the_watchdog() {
  expect(4);
}
void test_assertion_keeps_its_note() {
  expect(5);
  TEST_ASSERT_EQUAL_UINT32(4711, seen[5].record.note);
}
void test_cleared_record_is_gone() {
  board::clear_last_fault();
  TEST_ASSERT_EQUAL_UINT32(0, static_cast<std::uint32_t>(board::last_fault().cause));
}

int main() {
  const std::uint32_t boot = board::boots();
  if (boot > 1 && boot <= kDrills + 1) {
    seen[boot - 2].record = board::last_fault();
    board::clear_last_fault();
  }
  if (boot <= kDrills) {
    drills[boot - 1].run();
    return 1;  // the drill did not fail as it should have
  }
  UNITY_BEGIN();
  RUN_TEST(test_stack_overflow_meets_the_guard);
  RUN_TEST(test_bus_fault_names_its_address);
  RUN_TEST(test_undefined_instruction);
  RUN_TEST(test_division_by_zero);
  RUN_TEST(test_stalled_loop_is_named_by_the_watchdog);
  RUN_TEST(test_assertion_keeps_its_note);
  RUN_TEST(test_cleared_record_is_gone);
  return UNITY_END();
}
