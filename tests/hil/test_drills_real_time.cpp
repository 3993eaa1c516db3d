// test_drills_real_time IMAGE: ticks that come too late, and a link that falls silent.
#include <unity.h>

#include <chrono>
#include <cstdio>

#include "tests/hil/drills.hpp"

namespace {

using namespace tactus;
using namespace tactus::hil;
using host::link::Board;

constexpr std::uint32_t kPatience =
    200;  // beats: long for the emulator, so that the host's first state is in time

// By the UART; `stale_after` and `failures_to_latch` as in Configure.
Board boot_in_real_time(std::uint32_t stale_after, std::uint32_t failures_to_latch) {
  host::link::BootOptions uart = options;
  uart.transport = host::link::Transport::uart;
  Board board = Board::boot(uart);
  wire::Configure scene = ellipse_scene(1);
  scene.set_mode(wire::REAL_TIME);
  scene.set_stale_after(stale_after);
  scene.set_failures_to_latch(failures_to_latch);
  configure(board, scene);
  return board;
}

wire::Prediction next_prediction(Board& board) {
  const auto received = board.receive(std::chrono::seconds(10));
  TEST_ASSERT_TRUE_MESSAGE(received.has_value(), "the beat stopped");
  TEST_ASSERT_EQUAL_INT(wire::PREDICTION, received->type);
  wire::Prediction prediction;
  TEST_ASSERT_TRUE(prediction.ParseFromString(received->payload));
  return prediction;
}

std::uint32_t beat_of(const Board& board) {
  return board.hello().counts_per_second() / board.hello().beat_hertz();
}

// What holds of every run in real time: a tick a beat, and each within it.
void expect_beat_kept(const Board& board, const wire::Health& h) {
  std::printf("%u ticks, worst cost %u, worst jitter %u of %u counts\n", h.ticks(), h.worst_counts(),
              h.worst_jitter_counts(), beat_of(board));
  TEST_ASSERT_EQUAL_UINT32(0, h.missed_deadlines());
  TEST_ASSERT_LESS_THAN_UINT32(beat_of(board), h.worst_counts());
  TEST_ASSERT_LESS_THAN_UINT32(beat_of(board) / 10, h.worst_jitter_counts());
  TEST_ASSERT_EQUAL_UINT32(h.ticks(), h.certified() + h.degraded() + h.failed());
  TEST_ASSERT_EQUAL_UINT32(0, h.bytes_overrun() + h.answers_unsent());
}

// Counts predictions until the safe state latches, by verdict and reason.
struct Silence {
  std::uint32_t awaited = 0, certified = 0, stale = 0, others = 0;
};
Silence listen_until_latched(Board& board) {
  Silence seen;
  for (wire::Prediction p; !p.latched();) {
    p = next_prediction(board);
    if (p.reason() == wire::NO_STATE)
      ++seen.awaited;
    else if (p.reason() == wire::STALE)
      ++seen.stale;
    else if (p.verdict() == wire::CERTIFIED)
      ++seen.certified;
    else
      ++seen.others;
    TEST_ASSERT_LESS_THAN_UINT32(10'000, seen.awaited + seen.certified);
  }
  return seen;
}

}  // namespace

void setUp() {}
void tearDown() {}

void test_slow_tick_is_a_missed_deadline() {
  Board board = Board::boot(options);
  Plant plant;
  configure(board, ellipse_scene(1));
  expect_certified(board, plant, 1);
  const wire::Prediction good = board.step(plant.state(2));
  board.drill(wire::DRILL_SLOW_TICK);
  const wire::Prediction slow = board.step(plant.state(3));
  expect_last_good(slow, good, wire::DEADLINE);
  TEST_ASSERT_TRUE(slow.missed_deadline());
  plant.step();
  expect_certified(board, plant, 4);
  const wire::Health h = board.health();
  TEST_ASSERT_EQUAL_UINT32(1, h.missed_deadlines());
  TEST_ASSERT_EQUAL_UINT32(1, h.failed());
  TEST_ASSERT_GREATER_THAN_UINT32(board.hello().counts_per_second() / board.hello().beat_hertz(),
                                  h.worst_counts());
}

// 50 states, each sent when the last one's answer is there, and some beats between them. What can keep a tick
// from its beat is one message that is being read, and 64 bytes that go to the UART: far less than a tenth of
// a beat.
void test_real_time_keeps_its_beat() {
  Board board = boot_in_real_time(1'000'000, 10);
  Plant plant;
  std::uint32_t ticks = 0, certified = 0, awaited = 0;
  for (std::uint32_t state = 1; state <= 50; ++state) {
    board.send(wire::STATE, plant.state(state));
    plant.step();
    for (wire::Prediction answer; answer.tick() != state; ++ticks) {
      answer = next_prediction(board);
      if (answer.verdict() == wire::CERTIFIED) ++certified;
      if (answer.reason() == wire::NO_STATE) ++awaited;
      TEST_ASSERT_LESS_THAN_UINT32_MESSAGE(100'000, ticks, "a state was not answered");
    }
  }
  TEST_ASSERT_EQUAL_UINT32(ticks, certified + awaited);
  const wire::Health h = board.health();
  expect_beat_kept(board, h);
  TEST_ASSERT_EQUAL_UINT32(awaited, h.failed());
  TEST_ASSERT_EQUAL_UINT32(0, h.late_states() + h.bad_states() + h.frames_lost());
  TEST_ASSERT_GREATER_THAN_UINT32(0, h.worst_jitter_counts());
  std::uint32_t counted = 0;
  for (const std::uint32_t bin : h.histogram()) counted += bin;
  TEST_ASSERT_EQUAL_UINT32(h.ticks(), counted);
}

// The board bridges a short silence from its own prediction; a long one makes its ticks stale, and the safe
// state latches, to the beat.
void test_link_silence_in_real_time() {
  Board board = boot_in_real_time(kPatience, 5);
  board.send(wire::STATE, Plant().state(1));
  const Silence seen = listen_until_latched(board);
  TEST_ASSERT_EQUAL_UINT32(1 + kPatience, seen.certified);
  TEST_ASSERT_EQUAL_UINT32(5, seen.stale);
  TEST_ASSERT_EQUAL_UINT32(0, seen.others);
  const wire::Health h = board.health();
  TEST_ASSERT_TRUE(h.latched());
  TEST_ASSERT_EQUAL_INT(wire::STALE, h.latch_reason());
  TEST_ASSERT_EQUAL_UINT32(h.ticks() - seen.awaited - 1 - kPatience, h.stale_ticks());
  expect_beat_kept(board, h);
}

// So does a silence from the very start, which has nothing to bridge it; a state that comes too late changes
// nothing, and a new scene ends it.
void test_silence_from_the_start_in_real_time() {
  Board board = boot_in_real_time(kPatience, 5);
  const Silence seen = listen_until_latched(board);
  TEST_ASSERT_EQUAL_UINT32(kPatience, seen.awaited);
  TEST_ASSERT_EQUAL_UINT32(5, seen.stale);
  TEST_ASSERT_EQUAL_UINT32(0, seen.certified + seen.others);
  board.send(wire::STATE, Plant().state(1));
  wire::Prediction late;
  for (int i = 0; i < 10'000 && late.tick() != 1; ++i) late = next_prediction(board);
  TEST_ASSERT_EQUAL_UINT32(1, late.tick());
  TEST_ASSERT_TRUE(late.latched());
  TEST_ASSERT_EQUAL_STRING("STALE", wire::Reason_Name(late.reason()).c_str());
  expect_beat_kept(board, board.health());
  configure(board, ellipse_scene(1));
  Plant plant;
  expect_certified(board, plant, 1);
}

int main(int argc, char** argv) {
  if (!has_image(argc, argv)) return 2;
  UNITY_BEGIN();
  RUN_TEST(test_slow_tick_is_a_missed_deadline);
  RUN_TEST(test_real_time_keeps_its_beat);
  RUN_TEST(test_link_silence_in_real_time);
  RUN_TEST(test_silence_from_the_start_in_real_time);
  return UNITY_END();
}
