// test_uniqueness IMAGE: Painleve's rod from 500 starts on a board: PREDICTION says ambiguous and impulse
// where an enumeration does, if CONFIGURE asks, and in bits what the host's own engine says; and what it
// costs.
#include "tests/hil/rod.hpp"

namespace {

using namespace tactus;
using namespace tactus::hil;

}  // namespace

void setUp() {}
void tearDown() {}

void test_rods_after_painleve() {
  Board board = Board::boot(options);
  int several = 0, impulses = 0;
  std::uint32_t tick = 0, most[2] = {0, 0};
  for (const bool asks : {true, false}) {
    host::link::Mirror mirror;
    for (int k = 0; k < PainleveRod::kStarts; ++k) {
      const PainleveRod rod(k);
      if (k % 100 == 0) {
        wire::Configure scene = rod_scene(rod);
        scene.set_uniqueness(asks);
        const wire::Configured configured = board.configure(scene);
        TEST_ASSERT_TRUE_MESSAGE(configured.accepted(), configured.reason().c_str());
        mirror.configure(scene.SerializeAsString());
      }
      const wire::State state = rod_state(rod, ++tick);
      const wire::Prediction answer = board.step(state);
      wire::Prediction own;
      own.ParseFromString(mirror.step(state.SerializeAsString(), answer.SerializeAsString()));
      own.set_counts(answer.counts());
      TEST_ASSERT_EQUAL_STRING(own.ShortDebugString().c_str(), answer.ShortDebugString().c_str());
      TEST_ASSERT_EQUAL_STRING("CERTIFIED", wire::Verdict_Name(answer.verdict()).c_str());
      TEST_ASSERT_FALSE(answer.missed_deadline());
      TEST_ASSERT_EQUAL_INT(asks && rod.motions() > 1, answer.ambiguous());
      TEST_ASSERT_EQUAL_INT(asks && rod.impulse(), answer.impulse());
      several += answer.ambiguous() ? 1 : 0;
      impulses += answer.impulse() ? 1 : 0;
      most[asks ? 1 : 0] = std::max(most[asks ? 1 : 0], answer.counts());
    }
  }
  std::printf("500 rods: %d ambiguous, %d impulses; %u counts of a tick at most, %u where it was not asked\n",
              several, impulses, most[1], most[0]);
  TEST_ASSERT_GREATER_THAN_INT(20, several);
  TEST_ASSERT_GREATER_THAN_INT(20, impulses);
}

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: test_uniqueness IMAGE\n");
    return 2;
  }
  options.image = argv[1];
  UNITY_BEGIN();
  RUN_TEST(test_rods_after_painleve);
  return UNITY_END();
}
