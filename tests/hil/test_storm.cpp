// test_storm IMAGE SCENES [SEED [LAW...]]: random legal CONFIGUREs, states and floods of every request. The
// board never resets, is never late, and no piece of work takes longer than its table has for it.
#include <unity.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "host_sim/link/link.hpp"
#include "tests/hil/random_scene.hpp"

namespace {

using namespace tactus;
using namespace tactus::hil;
using host::link::Board;

host::link::BootOptions options;
unsigned long scenes = 0;
std::uint32_t seed = 1;
bool implicit = false;

constexpr std::uint32_t kStates = 10;  // of a scene

struct Counts {
  std::uint32_t accepted = 0, refused = 0, ticks = 0, certified = 0, degraded = 0, failed = 0, late = 0,
                over = 0, without_time = 0;
  std::uint32_t instants[4] = {}, dearest = 0;  // by their status

  void add(const wire::Instant& instant) {
    ++instants[instant.status()];
    dearest = std::max(dearest, instant.counts());
  }
  void add(const wire::Health& h) {
    ticks += h.ticks();
    certified += h.certified();
    degraded += h.degraded();
    failed += h.failed();
    late += h.missed_deadlines();
    over = h.pieces_over();
  }
};

// Requests without a pause: they are no ticks, and the watchdog is not to be starved by them.
void flood(Board& board, RandomScene& random) {
  const bool tells = board.hello().instant_contacts() > 0;
  const std::uint32_t kind = random.below(tells ? 5 : 4);
  const wire::State state = random.state(1);
  for (int k = 0; k < 300; ++k) {
    if (kind == 0) board.health();
    if (kind == 1) board.say_hello();
    if (kind == 2) board.fault();
    if (kind == 3) board.drill(wire::DRILL_NONE);
    if (kind == 4 && k < 30) board.instant(state);
  }
}

// Ten states of a scene.
void follow(Board& board, RandomScene& random, Counts& counts) {
  std::uint32_t failing = 0;
  for (std::uint32_t tick = 1; tick <= kStates; ++tick) {
    const wire::Prediction answer = board.step(random.state(tick));
    const bool own = answer.verdict() == wire::CERTIFIED || answer.verdict() == wire::DEGRADED;
    failing = own ? 0 : failing + 1;
    if (failing == kStates && answer.reason() == wire::OUT_OF_TIME) ++counts.without_time;
    if (board.hello().instant_contacts() > 0) counts.add(board.instant(random.state(tick + 1)));
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

void test_nothing_resets_a_board() {
  Board board = Board::boot(options);
  RandomScene random(seed, implicit);
  Counts counts;
  for (unsigned long k = 0; k < scenes; ++k) {
    const wire::Configure scene = random.draw();
    const wire::Configured answer = board.configure(scene);
    ++(answer.accepted() ? counts.accepted : counts.refused);
    if (k % 4 == 0 && answer.accepted()) {
      follow(board, random, counts);
      const wire::Health health = board.health();
      if (health.missed_deadlines() > 0) std::printf("late: %s\n", scene.ShortDebugString().c_str());
      counts.add(health);
    }
    if (k % 100 == 99) flood(board, random);
  }
  std::printf(
      "%u accepted, %u refused; %u ticks: %u certified, %u degraded, %u failed, %u late; %u scenes "
      "without time for any of their states; %u pieces over\n",
      counts.accepted, counts.refused, counts.ticks, counts.certified, counts.degraded, counts.failed,
      counts.late, counts.without_time, counts.over);
  const std::uint32_t* const instants = counts.instants;
  std::printf("instants: %u refused, %u solved, %u none, %u undecided; %u counts at most\n", instants[0],
              instants[1], instants[2], instants[3], counts.dearest);
  TEST_ASSERT_EQUAL_UINT32(1, board.say_hello().boots());
  TEST_ASSERT_EQUAL_UINT32(0, counts.late);
  TEST_ASSERT_EQUAL_UINT32(0, counts.over);
  // Of 50 ms that the watchdog gives; a search is ended after 30.
  TEST_ASSERT_LESS_THAN_UINT32(board.hello().counts_per_second() / 1000 * 35, counts.dearest);
  TEST_ASSERT_GREATER_THAN_UINT32(scenes / 10, counts.accepted);
}

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: test_storm IMAGE SCENES [SEED [LAW...]]\n");
    return 2;
  }
  options.image = argv[1];
  scenes = std::strtoul(argv[2], nullptr, 10);
  if (argc > 3) seed = static_cast<std::uint32_t>(std::strtoul(argv[3], nullptr, 10));
  for (int i = 4; i < argc; ++i) implicit = implicit || std::strcmp(argv[i], "implicit") == 0;
  UNITY_BEGIN();
  RUN_TEST(test_nothing_resets_a_board);
  return UNITY_END();
}
