// test_drills IMAGE: everything that can go wrong, done to a board over the FIFO link (and, where time
// matters, over the UART). Nothing crashes the loop, nothing is lost uncounted, and the board goes on or
// latches and says why. The image is firmware_drills.elf, the firmware with failures on demand.
#include <unity.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>

#include "host_sim/link/link.hpp"
#include "tests/hil/ellipse.hpp"

namespace {

using namespace tactus;
using host::link::Board;
using host::link::BootOptions;
using host::link::Transport;
using Bytes = std::vector<std::uint8_t>;

BootOptions options;

void configure(Board& board, const wire::Configure& scene) {
  const wire::Configured answer = board.configure(scene);
  TEST_ASSERT_TRUE_MESSAGE(answer.accepted(), answer.reason().c_str());
}

void expect_certified(Board& board, hil::Plant& plant, std::uint32_t tick) {
  const wire::Prediction answer = board.step(plant.state(tick));
  TEST_ASSERT_EQUAL_UINT32(tick, answer.tick());
  TEST_ASSERT_EQUAL_STRING("CERTIFIED", wire::Verdict_Name(answer.verdict()).c_str());
  plant.step();
}

void expect_last_good(const wire::Prediction& answer, const wire::Prediction& good, wire::Reason reason) {
  TEST_ASSERT_EQUAL_STRING("LAST_GOOD", wire::Verdict_Name(answer.verdict()).c_str());
  TEST_ASSERT_EQUAL_STRING(wire::Reason_Name(reason).c_str(), wire::Reason_Name(answer.reason()).c_str());
  TEST_ASSERT_EQUAL_INT(good.pose_size(), answer.pose_size());
  for (int i = 0; i < good.pose_size(); ++i) TEST_ASSERT_EQUAL_FLOAT(good.pose(i), answer.pose(i));
}

}  // namespace

void setUp() {}
void tearDown() {}

// 100,000 damaged frames in bursts of 20, a good state after each: it is answered, and the counters add up to
// what was sent. A frame out of order is one that was held back and comes after its successor.
void test_hundred_thousand_damaged_frames() {
  Board board = Board::boot(options);
  hil::Plant plant;
  configure(board, hil::ellipse_scene(1));
  std::mt19937 random(5);
  const auto below = [&random](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  std::uint32_t repeated = 0, damaged = 0, good = 1, sequence_gaps = 0;
  Bytes previous;
  for (std::uint32_t burst = 1; burst <= 5000; ++burst) {
    Bytes out;
    for (int i = 0; i < 20; ++i) {
      Bytes bytes;
      const std::uint32_t kind = below(previous.empty() ? 4 : 5);
      if (kind == 4) {  // replayed, or overtaken by its successor
        bytes = previous;
        ++repeated;
      } else {
        bytes = board.frame(wire::STATE, plant.state(burst).SerializeAsString());
        ++sequence_gaps;  // its number is used and never arrives
        bytes.pop_back();
        if (kind == 0) {
          bytes[below(static_cast<std::uint32_t>(bytes.size()))] ^= static_cast<std::uint8_t>(1u << below(8));
          for (auto& byte : bytes) byte = byte == 0 ? 0xA5 : byte;
        } else if (kind == 1) {
          bytes.resize(1 + below(static_cast<std::uint32_t>(bytes.size() - 1)));
        } else if (kind == 2) {
          const std::uint32_t more = 1 + below(i == 0 ? 3000 : 40);
          for (std::uint32_t k = 0; k < more; ++k) bytes.push_back(static_cast<std::uint8_t>(1 + below(255)));
        } else {
          bytes.assign(1 + below(200), 0);
          for (auto& byte : bytes) byte = static_cast<std::uint8_t>(1 + below(255));
        }
        bytes.push_back(0);
        ++damaged;
      }
      out.insert(out.end(), bytes.begin(), bytes.end());
    }
    board.send_bytes(out.data(), out.size());
    previous = board.frame(wire::STATE, plant.state(burst).SerializeAsString());
    board.send_bytes(previous.data(), previous.size());
    const auto answer = board.receive(std::chrono::seconds(20));
    TEST_ASSERT_TRUE_MESSAGE(answer.has_value(), "a good state was not answered");
    wire::Prediction prediction;
    TEST_ASSERT_TRUE(prediction.ParseFromString(answer->payload));
    TEST_ASSERT_EQUAL_UINT32(burst, prediction.tick());
    TEST_ASSERT_EQUAL_STRING("CERTIFIED", wire::Verdict_Name(prediction.verdict()).c_str());
    ++good;
    plant.step();
  }
  const wire::Health h = board.health();
  TEST_ASSERT_EQUAL_UINT32(good + 1, h.frames_good());
  TEST_ASSERT_EQUAL_UINT32(repeated, h.frames_repeated());
  TEST_ASSERT_EQUAL_UINT32(damaged, h.frames_truncated() + h.frames_oversized() + h.frames_bad_crc() +
                                        h.frames_bad_version() + h.frames_bad_length());
  TEST_ASSERT_EQUAL_UINT32(sequence_gaps, h.frames_lost());
  TEST_ASSERT_GREATER_THAN_UINT32(100, h.frames_oversized());
  TEST_ASSERT_GREATER_THAN_UINT32(10'000, h.frames_truncated());
  TEST_ASSERT_GREATER_THAN_UINT32(10'000, h.frames_bad_crc());
  TEST_ASSERT_EQUAL_UINT32(5000, h.ticks());
  TEST_ASSERT_EQUAL_UINT32(0, h.failed());
}

void test_bad_states_get_the_last_good_prediction() {
  Board board = Board::boot(options);
  hil::Plant plant;
  configure(board, hil::ellipse_scene(4));
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

void test_state_before_configure() {
  Board board = Board::boot(options);
  const wire::Prediction answer = board.step(hil::Plant().state(1));
  TEST_ASSERT_EQUAL_STRING("NO_PREDICTION", wire::Verdict_Name(answer.verdict()).c_str());
  TEST_ASSERT_EQUAL_STRING("NOT_CONFIGURED", wire::Reason_Name(answer.reason()).c_str());
  TEST_ASSERT_EQUAL_INT(0, answer.pose_size());
}

namespace {

// Two rigid boxes, one on the other, on the ground: states of it can be made that no guess of the modes gets
// right.
wire::Configure two_boxes() {
  wire::Configure scene = hil::ellipse_scene(1);
  scene.set_box_pyramid(false);
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
    for (const float x : {0.0F, 0.05F, 0.0F, 0.0F, 0.15F, 0.0F}) state.add_pose(x);
    for (int i = 0; i < 6; ++i) state.add_velocity(static_cast<float>(random() % 2000) * 1e-3F - 1);
    answer = board.step(state);
  } while (answer.verdict() == wire::CERTIFIED && tick < 200);
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
  configure(board, hil::ellipse_scene(1));
  hil::Plant plant;
  expect_certified(board, plant, 1);
  TEST_ASSERT_FALSE(board.health().latched());
}

void test_slow_tick_is_a_missed_deadline() {
  Board board = Board::boot(options);
  hil::Plant plant;
  configure(board, hil::ellipse_scene(1));
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

void test_scenes_are_refused_with_a_reason() {
  Board board = Board::boot(options);
  const auto refused = [&board](const char* what, auto change) {
    wire::Configure scene = hil::ellipse_scene(4);
    change(scene);
    const wire::Configured answer = board.configure(scene);
    TEST_ASSERT_FALSE_MESSAGE(answer.accepted(), what);
    TEST_ASSERT_GREATER_THAN_size_t(10, answer.reason().size());
    const wire::Prediction prediction = board.step(hil::Plant().state(1));
    TEST_ASSERT_EQUAL_STRING("NOT_CONFIGURED", wire::Reason_Name(prediction.reason()).c_str());
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  refused("negative mass", [](wire::Configure& s) { s.mutable_bodies(1)->set_mass(-1); });
  refused("mass that is no number", [nan](wire::Configure& s) { s.mutable_bodies(1)->set_mass(nan); });
  refused("no inertia", [](wire::Configure& s) { s.mutable_bodies(1)->clear_inertia(); });
  refused("negative friction", [](wire::Configure& s) { s.mutable_contacts(0)->set_friction(-0.1F); });
  refused("unknown body", [](wire::Configure& s) { s.mutable_contacts(0)->set_b(7); });
  refused("body number beyond a byte", [](wire::Configure& s) { s.mutable_contacts(0)->set_b(256 + 1); });
  refused("contact with itself", [](wire::Configure& s) { s.mutable_contacts(0)->set_b(0); });
  refused("patch too large",
          [](wire::Configure& s) { s.mutable_contacts(0)->mutable_patch()->set_columns(200); });
  refused("patch beyond a byte",
          [](wire::Configure& s) { s.mutable_contacts(0)->mutable_patch()->set_columns(257); });
  refused("no step", [](wire::Configure& s) { s.set_step(0); });
  refused("no horizon", [](wire::Configure& s) { s.set_horizon(0); });
  refused("horizon too long", [](wire::Configure& s) { s.set_horizon(1000); });
  refused("gravity of one component", [](wire::Configure& s) { s.mutable_gravity()->RemoveLast(); });
  refused("a sphere in the plane",
          [](wire::Configure& s) { s.mutable_bodies(1)->mutable_shape()->set_kind(wire::SPHERE); });
  refused("no shape", [](wire::Configure& s) { s.mutable_bodies(1)->clear_shape(); });
  refused("short pose", [](wire::Configure& s) { s.mutable_bodies(1)->mutable_pose()->RemoveLast(); });
  refused("nothing moves", [](wire::Configure& s) { s.mutable_bodies()->RemoveLast(), s.clear_contacts(); });
  refused("more bodies than fit", [](wire::Configure& s) {
    for (int i = 0; i < 4; ++i) *s.add_bodies() = s.bodies(1);
  });
  const auto joint = [](wire::Configure& s) -> wire::Joint& {
    wire::Joint& made = *s.add_joints();
    made.set_kind(wire::JOINT_REVOLUTE);
    made.set_b(1);
    for (int i = 0; i < 2; ++i) made.add_anchor(0);
    return made;
  };
  refused("joint to an unknown body", [&](wire::Configure& s) { joint(s).set_b(3); });
  refused("joint to a body number beyond a byte", [&](wire::Configure& s) { joint(s).set_b(256 + 1); });
  refused("joint of a body with itself", [&](wire::Configure& s) { joint(s).set_a(1); });
  refused("joint of an unknown kind",
          [&](wire::Configure& s) { joint(s).set_kind(static_cast<wire::JointKind>(9)); });
  refused("joint without an anchor", [&](wire::Configure& s) { joint(s).clear_anchor(); });
  refused("joint whose anchor is no number", [&](wire::Configure& s) { joint(s).set_anchor(1, nan); });
  refused("joint with an axis of three components in the plane", [&](wire::Configure& s) {
    wire::Joint& made = joint(s);
    for (int i = 0; i < 3; ++i) made.add_axis(1);
  });
  refused("slide without an axis", [&](wire::Configure& s) { joint(s).set_kind(wire::JOINT_PRISMATIC); });
  refused("more joints than fit", [&](wire::Configure& s) {
    for (int i = 0; i < 4; ++i) joint(s);
  });
  refused("real time over the FIFO", [](wire::Configure& s) { s.set_mode(wire::REAL_TIME); });
  refused("unknown mode", [](wire::Configure& s) { s.set_mode(static_cast<wire::Mode>(9)); });
  configure(board, hil::ellipse_scene(4));
}

void test_unknown_and_unreadable_messages_are_counted() {
  Board board = Board::boot(options);
  const Bytes unknown = board.frame(static_cast<wire::Type>(99), "x");
  board.send_bytes(unknown.data(), unknown.size());
  const auto answer = board.receive(std::chrono::seconds(5));
  TEST_ASSERT_TRUE(answer.has_value());
  TEST_ASSERT_EQUAL_INT(wire::HEALTH, answer->type);
  const Bytes unreadable = board.frame(wire::CONFIGURE, "\xFF\xFF\xFF\xFF\xFF");
  board.send_bytes(unreadable.data(), unreadable.size());
  const auto refusal = board.receive(std::chrono::seconds(5));
  TEST_ASSERT_TRUE(refusal.has_value());
  TEST_ASSERT_EQUAL_INT(wire::CONFIGURED, refusal->type);
  const wire::Health h = board.health();
  TEST_ASSERT_EQUAL_UINT32(1, h.frames_unknown_type());
  TEST_ASSERT_EQUAL_UINT32(1, h.frames_unreadable());
}

namespace {

wire::Fault fault_after(Board& board, wire::DrillKind kind, std::uint32_t boots) {
  hil::Plant plant;
  configure(board, hil::ellipse_scene(1));
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
  hil::Plant plant;
  configure(board, hil::ellipse_scene(1));
  expect_certified(board, plant, 1);
}

namespace {

BootOptions real_time_options() {
  BootOptions uart = options;
  uart.transport = Transport::uart;
  return uart;
}

}  // namespace

// Real time for 500 beats, with states whenever the host comes to it: no tick costs more than a beat, and
// hardly one is missed. (A host too slow to take the emulated UART's bytes holds the board up, whose time
// goes on.)
void test_real_time_keeps_its_beat() {
  Board board = Board::boot(real_time_options());
  hil::Plant plant;
  wire::Configure scene = hil::ellipse_scene(1);
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
  hil::Plant plant;
  wire::Configure scene = hil::ellipse_scene(1);
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
  if (argc != 2) {
    std::fprintf(stderr, "usage: test_drills IMAGE\n");
    return 2;
  }
  options.image = argv[1];
  UNITY_BEGIN();
  RUN_TEST(test_state_before_configure);
  RUN_TEST(test_bad_states_get_the_last_good_prediction);
  RUN_TEST(test_pivot_budget_of_one_latches_and_says_why);
  RUN_TEST(test_slow_tick_is_a_missed_deadline);
  RUN_TEST(test_scenes_are_refused_with_a_reason);
  RUN_TEST(test_unknown_and_unreadable_messages_are_counted);
  RUN_TEST(test_faults_are_told_by_the_next_boot);
  RUN_TEST(test_real_time_keeps_its_beat);
  RUN_TEST(test_link_silence_in_real_time);
  RUN_TEST(test_hundred_thousand_damaged_frames);
  return UNITY_END();
}
