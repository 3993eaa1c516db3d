// test_drills_real_time IMAGE: ticks that come too late, and a link that falls silent.
#include <unity.h>

#include <cstdio>

#include "tests/hil/drills.hpp"

namespace {

using namespace tactus;
using namespace tactus::hil;
using host::link::Board;

host::link::BootOptions real_time_options() {
  host::link::BootOptions uart = options;
  uart.transport = host::link::Transport::uart;
  return uart;
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

// Real time for 500 beats, with states whenever the host comes to it: no tick costs more than a beat, and
// hardly one is missed. (A host too slow to take the emulated UART's bytes holds the board up, whose time
// goes on.)
void test_real_time_keeps_its_beat() {
  Board board = Board::boot(real_time_options());
  Plant plant;
  wire::Configure scene = ellipse_scene(1);
  scene.set_mode(wire::REAL_TIME);
  scene.set_stale_after(1'000'000);
  configure(board, scene);
  std::uint32_t answered = 0, fresh = 0, last_tick = 0;
  for (std::uint32_t k = 0; k < 500; ++k) {
    if (k % 10 == 0) {
      board.send(wire::STATE, plant.state(1 + k / 10));
      plant.step();
    }
    const auto received = board.receive(std::chrono::seconds(10));
    TEST_ASSERT_TRUE_MESSAGE(received.has_value(), "the beat stopped");
    TEST_ASSERT_EQUAL_INT(wire::PREDICTION, received->type);
    wire::Prediction prediction;
    TEST_ASSERT_TRUE(prediction.ParseFromString(received->payload));
    if (prediction.verdict() == wire::CERTIFIED) ++answered;
    if (prediction.tick() != last_tick) ++fresh;
    last_tick = prediction.tick();
  }
  const wire::Health h = board.health();
  const std::uint32_t beat = board.hello().counts_per_second() / board.hello().beat_hertz();
  std::printf("real time: %u ticks, worst cost %u, worst jitter %u of %u counts\n", h.ticks(),
              h.worst_counts(), h.worst_jitter_counts(), beat);
  TEST_ASSERT_GREATER_THAN_UINT32(400, answered);
  TEST_ASSERT_GREATER_THAN_UINT32(20, fresh);
  TEST_ASSERT_EQUAL_UINT32(0, h.bytes_overrun() + h.answers_unsent());
  TEST_ASSERT_LESS_THAN_UINT32(beat, h.worst_counts());
  TEST_ASSERT_LESS_THAN_UINT32(25, h.missed_deadlines());
  TEST_ASSERT_LESS_THAN_UINT32(beat, h.worst_jitter_counts());
  TEST_ASSERT_GREATER_THAN_UINT32(0, h.worst_jitter_counts());
  std::uint32_t ticks = 0;
  for (const std::uint32_t bin : h.histogram()) ticks += bin;
  TEST_ASSERT_EQUAL_UINT32(h.ticks(), ticks);
}

// Real time over the UART: a prediction each beat. The board bridges a short silence from its own prediction;
// a long one makes its ticks stale, and the safe state latches.
void test_link_silence_in_real_time() {
  Board board = Board::boot(real_time_options());
  Plant plant;
  wire::Configure scene = ellipse_scene(1);
  scene.set_mode(wire::REAL_TIME);
  scene.set_stale_after(20);
  scene.set_failures_to_latch(5);
  configure(board, scene);
  std::uint32_t certified = 0;
  wire::Prediction prediction;
  board.send(wire::STATE, plant.state(1));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!prediction.latched() && std::chrono::steady_clock::now() < end) {
    const auto received = board.receive(std::chrono::seconds(10));
    TEST_ASSERT_TRUE_MESSAGE(received.has_value(), "the beat stopped");
    TEST_ASSERT_EQUAL_INT(wire::PREDICTION, received->type);
    TEST_ASSERT_TRUE(prediction.ParseFromString(received->payload));
    if (prediction.verdict() == wire::CERTIFIED) ++certified;
  }
  TEST_ASSERT_TRUE(prediction.latched());
  TEST_ASSERT_EQUAL_STRING("STALE", wire::Reason_Name(prediction.reason()).c_str());
  TEST_ASSERT_GREATER_OR_EQUAL_UINT32(20, certified);
  const wire::Health h = board.health();
  TEST_ASSERT_TRUE(h.latched());
  TEST_ASSERT_GREATER_OR_EQUAL_UINT32(5, h.stale_ticks());
  TEST_ASSERT_LESS_THAN_UINT32(board.hello().counts_per_second() / board.hello().beat_hertz(),
                               h.worst_counts());
}

int main(int argc, char** argv) {
  if (!has_image(argc, argv)) return 2;
  UNITY_BEGIN();
  RUN_TEST(test_slow_tick_is_a_missed_deadline);
  RUN_TEST(test_real_time_keeps_its_beat);
  RUN_TEST(test_link_silence_in_real_time);
  return UNITY_END();
}
