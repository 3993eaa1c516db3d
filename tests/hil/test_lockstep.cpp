// test_lockstep IMAGE fifo|uart TICKS: the ellipse in lockstep with a board. Every frame arrives, every
// answer is certified, none is late, and what the board says is bit for bit what the host's own copy of its
// engine says, in two runs that are equal in every byte, costs included.
#include <unity.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

#include "host_sim/link/link.hpp"
#include "host_sim/link/mirror.hpp"
#include "tests/hil/ellipse.hpp"

namespace {

using namespace tactus;
using host::link::Board;
using host::link::BootOptions;
using host::link::Transport;

BootOptions options;
std::uint32_t ticks = 0;
struct Run {
  std::string answers;  // all of them, encoded
  wire::Health health;
  std::uint32_t uncertified = 0, unequal = 0, late = 0;
  std::uint64_t total_counts = 0;
  std::uint32_t worst_counts = 0, worst_tick = 0, worst_pivots = 0;
  std::uint32_t fewest_steps = ~0U, most_steps = 0, beat = 0, cut_too_early = 0;
  std::string first_difference;
};

Run lockstep(unsigned horizon) {
  Board board = Board::boot(options);
  host::link::Mirror mirror;
  hil::Plant plant;
  Run run;
  run.beat = board.hello().counts_per_second() / board.hello().beat_hertz();
  const wire::Configure scene = hil::ellipse_scene(horizon);
  const wire::Configured configured = board.configure(scene);
  TEST_ASSERT_TRUE_MESSAGE(configured.accepted(), configured.reason().c_str());
  wire::Configured expected;
  expected.ParseFromString(mirror.configure(scene.SerializeAsString()));
  TEST_ASSERT_TRUE(expected.accepted());
  for (std::uint32_t k = 1; k <= ticks; ++k) {
    const wire::State state = plant.state(k);
    wire::Prediction answer = board.step(state);
    if (answer.verdict() != wire::CERTIFIED) ++run.uncertified;
    run.total_counts += answer.counts();
    if (answer.counts() > run.worst_counts) {
      run.worst_counts = answer.counts();
      run.worst_tick = k;
      run.worst_pivots = answer.pivots();
    }
    run.fewest_steps = std::min(run.fewest_steps, answer.steps());
    run.most_steps = std::max(run.most_steps, answer.steps());
    if (answer.steps() > 0 && answer.steps() < horizon &&
        answer.counts() + answer.counts() / answer.steps() < run.beat / 2)
      ++run.cut_too_early;
    wire::Prediction mirrored;
    mirrored.ParseFromString(mirror.step(state.SerializeAsString(), answer.SerializeAsString()));
    mirrored.set_counts(answer.counts());
    if (mirrored.SerializeAsString() != answer.SerializeAsString()) {
      if (run.unequal++ == 0)
        run.first_difference = "tick " + std::to_string(k) + "\nboard " + answer.ShortDebugString() +
                               "\nhost  " + mirrored.ShortDebugString();
    }
    // Waiting for a UART the core sleeps, and that shifts the phase of a 25 MHz counter against the
    // instructions: the same cost may then round to one more or less.
    if (options.transport == Transport::uart) answer.clear_counts();
    run.answers += answer.SerializeAsString();
    if (!plant.step()) TEST_FAIL_MESSAGE("the plant failed");
  }
  run.health = board.health();
  run.late = run.health.missed_deadlines();
  TEST_ASSERT_EQUAL_UINT32(0, board.counters().bad() + board.counters().lost);
  return run;
}

// What tests/image/stack_bound.py has proved of the image, in bytes; the paint on the board must not be
// touched below.
std::pair<std::uint32_t, std::uint32_t> stack_bounds() {
  std::ifstream in(options.image.replace_extension(".stack"));
  std::string name;
  std::uint32_t thread = 0, handlers = 0;
  in >> name >> thread >> name >> handlers;
  options.image.replace_extension(".elf");
  TEST_ASSERT_TRUE_MESSAGE(thread > 0 && handlers > 0, "no proved stack bound beside the image");
  return {thread, handlers};
}

}  // namespace

void setUp() {}
void tearDown() {}

void test_lockstep() {
  const Run first = lockstep(1);
  std::printf(
      "%u ticks: mean %.0f, worst %u counts (tick %u, %u pivots); loop's worst %u; thread stack %u of %u "
      "bytes\n",
      ticks, static_cast<double>(first.total_counts) / ticks, first.worst_counts, first.worst_tick,
      first.worst_pivots, first.health.worst_counts(), first.health.thread_stack_used(),
      first.health.thread_stack_size());
  TEST_ASSERT_EQUAL_UINT32(0, first.uncertified);
  TEST_ASSERT_EQUAL_UINT32(0, first.late);
  TEST_ASSERT_EQUAL_UINT32_MESSAGE(0, first.unequal, first.first_difference.c_str());
  const wire::Health& h = first.health;
  TEST_ASSERT_EQUAL_UINT32(ticks, h.ticks());
  TEST_ASSERT_EQUAL_UINT32(ticks, h.certified());
  TEST_ASSERT_EQUAL_UINT32(
      0, h.missed_deadlines() + h.failed() + h.degraded() + h.stale_ticks() + h.late_states());
  TEST_ASSERT_EQUAL_UINT32(ticks + 2, h.frames_good());  // and CONFIGURE and HEALTH_REQUEST
  TEST_ASSERT_EQUAL_UINT32(0, h.frames_truncated() + h.frames_oversized() + h.frames_bad_crc() +
                                  h.frames_lost() + h.frames_repeated() + h.frames_unreadable() +
                                  h.bytes_overrun() + h.answers_unsent());
  const auto [thread_bound, handler_bound] = stack_bounds();
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(thread_bound, h.thread_stack_used());
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(handler_bound, h.handler_stack_used());
  const Run second = lockstep(1);
  TEST_ASSERT_EQUAL_size_t(first.answers.size(), second.answers.size());
  TEST_ASSERT_TRUE_MESSAGE(first.answers == second.answers, "two runs differ");
}

// 20 steps are more than an emulated Cortex-M4F has time for, and fewer than its M7 has in a beat: the steps
// taken are certified and those of the host, and end at half the beat, but for one that costs more than those
// before.
void test_long_horizon_is_cut_at_half_the_beat() {
  const Run run = lockstep(20);
  std::printf("20 steps ahead: %u to %u are taken, at most %u of %u counts\n", run.fewest_steps,
              run.most_steps, run.worst_counts, run.beat);
  TEST_ASSERT_EQUAL_UINT32(0, run.uncertified + run.late);
  TEST_ASSERT_EQUAL_UINT32_MESSAGE(0, run.unequal, run.first_difference.c_str());
  TEST_ASSERT_EQUAL_UINT32(ticks, run.health.certified());
  TEST_ASSERT_EQUAL_UINT32(0, run.cut_too_early);
  TEST_ASSERT_LESS_THAN_UINT32(run.beat * 6 / 10, run.worst_counts);
  TEST_ASSERT_GREATER_THAN_UINT32(1, run.fewest_steps);
}

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: test_lockstep IMAGE fifo|uart TICKS\n");
    return 2;
  }
  options.image = argv[1];
  options.transport = std::strcmp(argv[2], "uart") == 0 ? Transport::uart : Transport::fifo;
  ticks = static_cast<std::uint32_t>(std::strtoul(argv[3], nullptr, 10));
  UNITY_BEGIN();
  RUN_TEST(test_lockstep);
  if (options.transport == Transport::fifo) RUN_TEST(test_long_horizon_is_cut_at_half_the_beat);
  return UNITY_END();
}
