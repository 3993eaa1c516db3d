// test_drills_real_time IMAGE: ticks that come too late, and a link that falls silent.
#include <unity.h>

#include <chrono>
#include <cstdio>
#include <optional>

#include "tests/hil/drills.hpp"

namespace {

using namespace tactus;
using namespace tactus::hil;
using host::link::Board;

constexpr std::uint32_t kPatience =
    200;  // beats: long for the emulator, so that the host's first state is in time

// A board that answers each beat over the UART. An answer that a slow host leaves it no room for is dropped,
// and counted like the others.
class RealTime {
 public:
  RealTime(std::uint32_t stale_after, std::uint32_t failures_to_latch) : board(boot()) {
    wire::Configure scene = ellipse_scene(1);
    scene.set_mode(wire::REAL_TIME);
    scene.set_stale_after(stale_after);
    scene.set_failures_to_latch(failures_to_latch);
    configure(board, scene);
  }

  // The next answer; false where there is none for so long.
  bool next(std::chrono::milliseconds patience = std::chrono::seconds(10)) {
    const auto received = board.receive(patience);
    if (!received) return false;
    if (received->type == wire::HEALTH) return health.ParseFromString(received->payload);
    if (received->type == wire::CONFIGURED) return configured.ParseFromString(received->payload);
    TEST_ASSERT_EQUAL_INT(wire::PREDICTION, received->type);
    TEST_ASSERT_TRUE(answer.ParseFromString(received->payload));
    ++answers;
    return true;
  }

  // Asks for the board's counts, once more where there was no room for them, and demands what holds of every
  // run: no beat is missed, a tick starts soon after its beat, and each has its answer. What can keep it
  // waiting is one message that is being read (a state: 4,500 instructions), 64 bytes that go to the UART
  // (2,000), and the interrupts of bytes that come meanwhile: less than an eighth of the shortest beat.
  const wire::Health& judge() {
    health.Clear();
    for (int i = 0; i < 20 && health.ticks() == 0; ++i) {
      board.send(wire::HEALTH_REQUEST, wire::Health());
      for (int k = 0; k < 1000 && health.ticks() == 0; ++k) {
        if (!next(std::chrono::milliseconds(500))) break;
      }
    }
    const wire::Health& h = health;
    const std::uint32_t beat = board.hello().counts_per_second() / board.hello().beat_hertz();
    std::printf("%u ticks, worst cost %u, worst jitter %u of %u counts, %u unsent\n", h.ticks(),
                h.worst_counts(), h.worst_jitter_counts(), beat, h.answers_unsent());
    TEST_ASSERT_GREATER_THAN_UINT32_MESSAGE(0, h.ticks(), "no health");
    TEST_ASSERT_EQUAL_UINT32(0, h.missed_deadlines());
    TEST_ASSERT_LESS_THAN_UINT32(beat, h.worst_counts());
    TEST_ASSERT_LESS_THAN_UINT32(beat / 8, h.worst_jitter_counts());
    TEST_ASSERT_GREATER_THAN_UINT32(0, h.worst_jitter_counts());
    TEST_ASSERT_EQUAL_UINT32(h.ticks(), h.certified() + h.degraded() + h.failed());
    TEST_ASSERT_EQUAL_UINT32(0, h.bytes_overrun() + h.frames_lost());
    TEST_ASSERT_LESS_OR_EQUAL_UINT32(h.ticks(), answers);  // HEALTH may have been dropped, too
    TEST_ASSERT_GREATER_OR_EQUAL_UINT32(h.ticks(), answers + h.answers_unsent());
    return h;
  }

  Board board;
  wire::Prediction answer;
  wire::Health health;
  wire::Configured configured;  // by a second CONFIGURE
  std::uint32_t answers = 0;

 private:
  static Board boot() {
    host::link::BootOptions uart = options;
    uart.transport = host::link::Transport::uart;
    return Board::boot(uart);
  }
};

void listen_until_latched(RealTime& run) {
  while (!run.answer.latched()) {
    TEST_ASSERT_TRUE_MESSAGE(run.next(), "the beat stopped");
    TEST_ASSERT_LESS_THAN_UINT32_MESSAGE(10'000, run.answers, "it does not latch");
  }
  TEST_ASSERT_EQUAL_STRING("STALE", wire::Reason_Name(run.answer.reason()).c_str());
}

}  // namespace

void setUp() {}
void tearDown() {}

void test_slow_tick_is_a_missed_deadline() {
  Board board = Board::boot(options);
  Plant plant;
  configure(board, ellipse_scene(1));
  expect_certified(board, plant, 1);
  board.drill(wire::DRILL_SLOW_TICK);
  expect_certified(board, plant, 2);  // its own answer, only late
  TEST_ASSERT_EQUAL_UINT32(1, board.health().missed_deadlines());
  const wire::Prediction next = board.step(plant.state(3));
  TEST_ASSERT_TRUE(next.missed_deadline());
  plant.step();
  expect_certified(board, plant, 4);
  TEST_ASSERT_FALSE(board.step(plant.state(5)).missed_deadline());
  const wire::Health h = board.health();
  TEST_ASSERT_EQUAL_UINT32(1, h.missed_deadlines());
  TEST_ASSERT_EQUAL_UINT32(0, h.failed());
  TEST_ASSERT_GREATER_THAN_UINT32(board.hello().counts_per_second() / board.hello().beat_hertz(),
                                  h.worst_counts());
}

// 50 states, each sent when the last one is answered, with some beats between them: all are certified.
void test_real_time_keeps_its_beat() {
  RealTime run(1'000'000, 10);
  Plant plant;
  for (std::uint32_t state = 1; state <= 50; ++state) {
    run.board.send(wire::STATE, plant.state(state));
    plant.step();
    while (run.answer.tick() != state) {
      TEST_ASSERT_TRUE_MESSAGE(run.next(), "the beat stopped");
      const bool awaits = run.answer.tick() == 0 && run.answer.reason() == wire::NO_STATE;
      TEST_ASSERT_TRUE(awaits || run.answer.verdict() == wire::CERTIFIED);
      TEST_ASSERT_LESS_THAN_UINT32_MESSAGE(100'000, run.answers, "a state was not answered");
    }
  }
  const wire::Health& h = run.judge();
  TEST_ASSERT_EQUAL_UINT32(0, h.late_states() + h.bad_states() + h.stale_ticks() + h.degraded());
  std::uint32_t counted = 0;
  for (const std::uint32_t bin : h.histogram()) counted += bin;
  TEST_ASSERT_EQUAL_UINT32(h.ticks(), counted);
}

// The board bridges a short silence from its own prediction; a long one makes its ticks stale, and the safe
// state latches. (tests/hil/test_loop.cpp says when, to the beat.)
void test_link_silence_in_real_time() {
  RealTime run(kPatience, 5);
  run.board.send(wire::STATE, Plant().state(1));
  listen_until_latched(run);
  TEST_ASSERT_EQUAL_STRING("LAST_GOOD", wire::Verdict_Name(run.answer.verdict()).c_str());
  const wire::Health& h = run.judge();
  TEST_ASSERT_TRUE(h.latched());
  TEST_ASSERT_EQUAL_STRING("STALE", wire::Reason_Name(h.latch_reason()).c_str());
  TEST_ASSERT_EQUAL_UINT32(1 + kPatience, h.certified());
  TEST_ASSERT_GREATER_OR_EQUAL_UINT32(5, h.stale_ticks());
}

// So does a silence from the very start, which has nothing to bridge it; a state that comes too late changes
// nothing, and a new scene ends it.
void test_silence_from_the_start_in_real_time() {
  RealTime run(kPatience, 5);
  listen_until_latched(run);
  TEST_ASSERT_EQUAL_STRING("NO_PREDICTION", wire::Verdict_Name(run.answer.verdict()).c_str());
  const wire::Health& h = run.judge();
  TEST_ASSERT_TRUE(h.latched());
  TEST_ASSERT_EQUAL_STRING("STALE", wire::Reason_Name(h.latch_reason()).c_str());
  TEST_ASSERT_EQUAL_UINT32(h.ticks(), kPatience + h.stale_ticks());
  run.board.send(wire::STATE, Plant().state(1));
  for (int i = 0; i < 10'000 && run.answer.tick() != 1; ++i) TEST_ASSERT_TRUE(run.next());
  TEST_ASSERT_EQUAL_UINT32(1, run.answer.tick());
  TEST_ASSERT_TRUE(run.answer.latched());
  for (int i = 0; i < 20 && !run.configured.accepted(); ++i) {
    run.board.send(wire::CONFIGURE, ellipse_scene(1));
    while (!run.configured.accepted() && run.next(std::chrono::milliseconds(500))) {
    }
  }
  Plant plant;
  expect_certified(run.board, plant, 1);
}

// The beat's interrupt goes on while the loop stalls, and must not be what feeds the watchdog.
void test_stall_in_real_time_is_told_by_the_next_boot() {
  RealTime run(1'000'000, 10);
  run.board.send(wire::STATE, Plant().state(1));
  wire::Drill drill;
  drill.set_kind(wire::DRILL_STALL);
  run.board.send(wire::DRILL, drill);  // its HEALTH may be dropped
  for (std::optional<Board::Received> answer; !answer || answer->type != wire::HELLO;) {
    answer = run.board.receive(std::chrono::seconds(20));
    TEST_ASSERT_TRUE_MESSAGE(answer.has_value(), "it did not come up again");
  }
  TEST_ASSERT_EQUAL_STRING("WATCHDOG", wire::Cause_Name(run.board.fault().cause()).c_str());
}

int main(int argc, char** argv) {
  if (!has_image(argc, argv)) return 2;
  UNITY_BEGIN();
  RUN_TEST(test_slow_tick_is_a_missed_deadline);
  RUN_TEST(test_real_time_keeps_its_beat);
  RUN_TEST(test_link_silence_in_real_time);
  RUN_TEST(test_silence_from_the_start_in_real_time);
  RUN_TEST(test_stall_in_real_time_is_told_by_the_next_boot);
  return UNITY_END();
}
