// test_drills_faults IMAGE: the firmware stalls, overflows its stack, touches what is not there and fails an
// assertion. The board resets, and its next boot says what it was.
#include <unity.h>

#include "tests/hil/drills.hpp"

namespace {

using namespace tactus;
using namespace tactus::hil;
using host::link::Board;

wire::Fault fault_after(Board& board, wire::DrillKind kind, std::uint32_t boots) {
  Plant plant;
  configure(board, ellipse_scene(1));
  expect_certified(board, plant, 1);
  board.drill(kind);
  board.send(wire::STATE, plant.state(2));
  const auto answer = board.receive(std::chrono::seconds(20));  // the next boot speaks first
  TEST_ASSERT_TRUE(answer.has_value());
  TEST_ASSERT_EQUAL_INT(wire::HELLO, answer->type);
  wire::Hello hello;
  TEST_ASSERT_TRUE(hello.ParseFromString(answer->payload));
  TEST_ASSERT_EQUAL_UINT32(boots, hello.boots());
  TEST_ASSERT_TRUE(hello.fault_waits());
  const wire::Fault fault = board.fault();
  TEST_ASSERT_TRUE(fault.build_id() == hello.build_id());
  TEST_ASSERT_EQUAL_INT_MESSAGE(wire::CAUSE_NONE, board.fault().cause(), "told once");
  return fault;
}

}  // namespace

void setUp() {}
void tearDown() {}

void test_faults_are_told_by_the_next_boot() {
  Board board = Board::boot(options);
  TEST_ASSERT_EQUAL_UINT32(1, board.hello().boots());
  TEST_ASSERT_FALSE(board.hello().fault_waits());
  const wire::Fault stall = fault_after(board, wire::DRILL_STALL, 2);
  TEST_ASSERT_EQUAL_STRING("WATCHDOG", wire::Cause_Name(stall.cause()).c_str());
  TEST_ASSERT_NOT_EQUAL(0, stall.pc());
  const wire::Fault overflow = fault_after(board, wire::DRILL_STACK_OVERFLOW, 3);
  TEST_ASSERT_EQUAL_STRING("STACK_OVERFLOW", wire::Cause_Name(overflow.cause()).c_str());
  const wire::Fault bus = fault_after(board, wire::DRILL_BUS_FAULT, 4);
  TEST_ASSERT_EQUAL_STRING("BUS_FAULT", wire::Cause_Name(bus.cause()).c_str());
  TEST_ASSERT_EQUAL_HEX32(0xB0000000, bus.address());
  const wire::Fault assertion = fault_after(board, wire::DRILL_ASSERTION, 5);
  TEST_ASSERT_EQUAL_STRING("ASSERTION", wire::Cause_Name(assertion.cause()).c_str());
  TEST_ASSERT_EQUAL_UINT32(4711, assertion.note());
  Plant plant;
  configure(board, ellipse_scene(1));
  expect_certified(board, plant, 1);
}

int main(int argc, char** argv) {
  if (!has_image(argc, argv)) return 2;
  UNITY_BEGIN();
  RUN_TEST(test_faults_are_told_by_the_next_boot);
  return UNITY_END();
}
