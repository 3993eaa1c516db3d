// test_drills_states IMAGE: whole frames with states that must not be believed, and a solver that may not
// finish. The board answers with the last good prediction and the reason, and latches where told to.
#include <unity.h>

#include <limits>
#include <random>

#include "tests/hil/drills.hpp"

namespace {

using namespace tactus;
using namespace tactus::hil;
using host::link::Board;

// Two rigid boxes, one on the other, on the ground: states of it can be made that no guess of the modes gets
// right.
wire::Configure two_boxes() {
  wire::Configure scene = ellipse_scene(1);
  scene.set_box_pyramid(false);
  scene.set_beats_per_tick(4);  // time is not what it lacks
  scene.clear_contacts();
  wire::Body* lower = scene.mutable_bodies(1);
  lower->mutable_shape()->set_kind(wire::BOX);
  lower->set_pose(1, 0.05F);
  lower->set_pose(2, 0);
  wire::Body* upper = scene.add_bodies();
  *upper = *lower;
  upper->set_pose(1, 0.15F);
  for (std::uint32_t i = 0; i < 2; ++i) {
    wire::Contact* contact = scene.add_contacts();
    contact->set_a(i);
    contact->set_b(i + 1);
    contact->set_friction(0.5F);
  }
  return scene;
}

}  // namespace

void setUp() {}
void tearDown() {}

void test_state_before_configure() {
  Board board = Board::boot(options);
  const wire::Prediction answer = board.step(Plant().state(1));
  TEST_ASSERT_EQUAL_STRING("NO_PREDICTION", wire::Verdict_Name(answer.verdict()).c_str());
  TEST_ASSERT_EQUAL_STRING("NOT_CONFIGURED", wire::Reason_Name(answer.reason()).c_str());
  TEST_ASSERT_EQUAL_INT(0, answer.pose_size());
}

void test_bad_states_get_the_last_good_prediction() {
  Board board = Board::boot(options);
  Plant plant;
  configure(board, ellipse_scene(4));
  expect_certified(board, plant, 1);
  const wire::Prediction good = board.step(plant.state(2));
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              infinity = std::numeric_limits<float>::infinity();
  wire::State state = plant.state(3);
  state.set_pose(1, nan);
  expect_last_good(board.step(state), good, wire::BAD_STATE);
  state = plant.state(4);
  state.set_velocity(2, -infinity);
  expect_last_good(board.step(state), good, wire::BAD_STATE);
  state = plant.state(5);
  state.mutable_pose()->RemoveLast();
  expect_last_good(board.step(state), good, wire::BAD_STATE);
  state = plant.state(6);
  state.add_velocity(0);
  expect_last_good(board.step(state), good, wire::BAD_STATE);
  state = plant.state(7);
  state.add_force(nan);
  expect_last_good(board.step(state), good, wire::BAD_STATE);
  for (int i = 0; i < 40; ++i) state.add_pose(0);  // more than the board's message has room for
  state.set_tick(8);
  expect_last_good(board.step(state), good, wire::BAD_STATE);
  expect_last_good(board.step(plant.state(2)), good, wire::STALE);  // a new frame with an old state
  plant.step();
  expect_certified(board, plant, 9);
  const wire::Health h = board.health();
  TEST_ASSERT_EQUAL_UINT32(5, h.bad_states());
  TEST_ASSERT_EQUAL_UINT32(1, h.frames_unreadable());
  TEST_ASSERT_EQUAL_UINT32(1, h.late_states());
  TEST_ASSERT_EQUAL_UINT32(7, h.failed());
  TEST_ASSERT_EQUAL_UINT32(3, h.certified());
  TEST_ASSERT_FALSE(h.latched());
}

// A budget of one pivot: what needs none is certified, the first state that needs more gets the last good
// prediction and latches, for this scene says that one failure is enough; and only a new scene ends it.
void test_pivot_budget_of_one_latches_and_says_why() {
  Board board = Board::boot(options);
  wire::Configure scene = two_boxes();
  scene.set_pivot_budget(1);
  scene.set_failures_to_latch(1);
  configure(board, scene);
  std::mt19937 random(7);
  wire::Prediction good, answer;
  wire::State state;
  std::uint32_t tick = 0;
  do {
    good = answer;
    state.Clear();
    state.set_tick(++tick);
    const auto within = [&](float most) {  // the first state is at rest
      return tick == 1 ? 0 : (static_cast<float>(random() % 2000) * 1e-3F - 1) * most;
    };
    for (const float x : {0.0F, 0.05F, 0.0F, 0.0F, 0.15F, 0.0F}) state.add_pose(x + within(2e-3F));
    for (int i = 0; i < 6; ++i) state.add_velocity(within(1));
    answer = board.step(state);
  } while (answer.verdict() == wire::CERTIFIED && tick < 2000);
  TEST_ASSERT_GREATER_THAN_UINT32(1, tick);
  expect_last_good(answer, good, wire::PIVOT_LIMIT);
  TEST_ASSERT_TRUE(answer.latched());
  state.set_tick(++tick);
  answer = board.step(state);
  expect_last_good(answer, good, wire::PIVOT_LIMIT);
  TEST_ASSERT_EQUAL_UINT32(0, answer.counts());  // latched: nothing is computed
  const wire::Health h = board.health();
  TEST_ASSERT_TRUE(h.latched());
  TEST_ASSERT_EQUAL_STRING("PIVOT_LIMIT", wire::Reason_Name(h.latch_reason()).c_str());
  TEST_ASSERT_EQUAL_UINT32(2, h.failed());
  configure(board, ellipse_scene(1));
  Plant plant;
  expect_certified(board, plant, 1);
  TEST_ASSERT_FALSE(board.health().latched());
}

// A STATE that tells its number 1,280 times is legal to protobuf, and decoding it takes 180,000 instructions:
// it is refused before, as are one that is longer than any STATE and one that tells an unknown field twice.
void test_payloads_that_no_state_can_be_are_not_decoded() {
  Board board = Board::boot(options);
  Plant plant;
  configure(board, ellipse_scene(1));
  expect_certified(board, plant, 1);
  const wire::Prediction good = board.step(plant.state(2));
  const auto send = [&](const std::string& payload) {
    const Board::Bytes frame = board.frame(wire::STATE, payload);
    board.send_bytes(frame.data(), frame.size());
    const auto received = board.receive(std::chrono::seconds(20));
    TEST_ASSERT_TRUE(received.has_value());
    wire::Prediction answer;
    TEST_ASSERT_TRUE(answer.ParseFromString(received->payload));
    expect_last_good(answer, good, wire::BAD_STATE);
  };
  std::string again, unknown = plant.state(3).SerializeAsString();
  for (int k = 0; k < 1280; ++k) again += {8, 1};
  send(again);
  // To gather so many bytes takes an M4F 60,000 instructions, nearly a beat: that tick may be late.
  const std::uint32_t late = board.health().missed_deadlines();
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(1, late);
  send(again.substr(0, 600));
  send(again.substr(0, 4));
  for (int k = 0; k < 2; ++k) unknown += {15 << 3, 1};
  send(unknown);
  std::string cut = plant.state(3).SerializeAsString();
  cut.pop_back();
  send(cut);
  plant.step();
  std::string newer = plant.state(4).SerializeAsString();
  newer += {15 << 3, 1};  // a field that this board does not know
  const Board::Bytes frame = board.frame(wire::STATE, newer);
  board.send_bytes(frame.data(), frame.size());
  wire::Prediction answer;
  TEST_ASSERT_TRUE(answer.ParseFromString(board.receive(std::chrono::seconds(20))->payload));
  TEST_ASSERT_EQUAL_STRING("CERTIFIED", wire::Verdict_Name(answer.verdict()).c_str());
  const wire::Health h = board.health();
  TEST_ASSERT_EQUAL_UINT32(5, h.payloads_refused());
  TEST_ASSERT_EQUAL_UINT32(5, h.frames_unreadable());
  TEST_ASSERT_EQUAL_UINT32(late, h.missed_deadlines());
}

int main(int argc, char** argv) {
  if (!has_image(argc, argv)) return 2;
  UNITY_BEGIN();
  RUN_TEST(test_state_before_configure);
  RUN_TEST(test_bad_states_get_the_last_good_prediction);
  RUN_TEST(test_pivot_budget_of_one_latches_and_says_why);
  RUN_TEST(test_payloads_that_no_state_can_be_are_not_decoded);
  return UNITY_END();
}
