// What the firmware's loop does with beats that bring no state, a bad one or several, exactly to the beat.
#include <unity.h>

#include <algorithm>
#include <limits>

#include "host_sim/link/link.hpp"
#include "tests/hil/counted_board.hpp"
#include "tests/hil/ellipse.hpp"

namespace {

using namespace tactus;
using namespace tactus::hil;

constexpr std::uint32_t kStaleAfter = 7, kToLatch = 4;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

wire::Configure scene() {
  wire::Configure made = ellipse_scene(1);
  made.set_mode(wire::REAL_TIME);
  made.set_stale_after(kStaleAfter);
  made.set_failures_to_latch(kToLatch);
  return made;
}

// Three rigid boxes in the plane, in the air or striking it with their faces.
constexpr auto kBoxHeight = static_cast<float>(kShort);
constexpr int kBoxes = 3;
wire::Configure boxes_scene(float height = 0.5F) {
  wire::Configure made = scene();
  made.mutable_contacts(0)->clear_patch();
  auto* box = made.mutable_bodies(1);
  box->mutable_shape()->set_kind(wire::BOX);
  box->set_pose(1, height);
  box->set_pose(2, 0);
  for (const float v : {1.0F, -1.0F, 1.0F}) box->add_velocity(v);
  for (int i = 1; i < kBoxes; ++i) {
    made.add_bodies()->CopyFrom(made.bodies(1));
    made.add_contacts()->CopyFrom(made.contacts(0));
    made.mutable_contacts(i)->set_b(static_cast<std::uint32_t>(made.bodies_size() - 1));
  }
  return made;
}

// The host's end: what it sends and when, then what came back.
class Session {
 public:
  explicit Session(const wire::Configure& first = scene(), const CountedTime& clock = {}) : clock_(clock) {
    say(0, wire::HELLO_REQUEST, std::string());
    say(0, wire::CONFIGURE, first.SerializeAsString());
  }
  void say(double when, wire::Type type, const std::string& payload) {
    std::copy(payload.begin(), payload.end(), encoder_.payload());
    const auto encoded = encoder_.encode(static_cast<std::uint8_t>(type), payload.size());
    comes_.push_back({when, {encoded.bytes, encoded.bytes + encoded.size}});
  }
  void say(double when, const wire::State& state) { say(when, wire::STATE, state.SerializeAsString()); }
  void drill(double when, wire::DrillKind kind) {
    wire::Drill message;
    message.set_kind(kind);
    say(when, wire::DRILL, message.SerializeAsString());
  }

  // The predictions of that many beats after CONFIGURED; health is asked for half a beat after the last.
  const std::vector<wire::Prediction>& run(std::uint32_t beats) {
    say(beats + 0.5, wire::HEALTH_REQUEST, std::string());
    const Run run = run_firmware(comes_, beats + 0.9, clock_);
    unfed = run.longest_unfed;
    wire::Decoder decoder(wire::HELLO);
    wire::Decoder::Frame frame;
    for (const auto& sent : run.sent) {
      for (const std::uint8_t byte : sent.bytes) {
        if (!decoder.take(byte, frame)) continue;
        const std::string payload(reinterpret_cast<const char*>(frame.payload), frame.size);
        if (frame.type == wire::HEALTH) TEST_ASSERT_TRUE(health.ParseFromString(payload));
        if (frame.type == wire::CONFIGURED) TEST_ASSERT_TRUE(configured.ParseFromString(payload));
        if (frame.type == wire::PREDICTION)
          TEST_ASSERT_TRUE(predictions.emplace_back().ParseFromString(payload));
      }
    }
    TEST_ASSERT_EQUAL_UINT32(health.ticks(), health.certified() + health.degraded() + health.failed());
    return predictions;
  }

  std::vector<wire::Prediction> predictions;
  wire::Configured configured;  // the last one
  wire::Health health;
  double unfed = 0;

 private:
  CountedTime clock_;
  wire::Encoder encoder_;
  std::vector<Bytes> comes_;
};

void expect(const wire::Prediction& answer, wire::Verdict verdict, wire::Reason reason,
            bool latched = false) {
  TEST_ASSERT_EQUAL_STRING(wire::Verdict_Name(verdict).c_str(), wire::Verdict_Name(answer.verdict()).c_str());
  TEST_ASSERT_EQUAL_STRING(wire::Reason_Name(reason).c_str(), wire::Reason_Name(answer.reason()).c_str());
  TEST_ASSERT_EQUAL_INT(latched, answer.latched());
}

void expect_pose(const wire::Prediction& expected, const wire::Prediction& answer) {
  TEST_ASSERT_EQUAL_INT(3, answer.pose_size());
  for (int i = 0; i < 3; ++i) TEST_ASSERT_EQUAL_FLOAT(expected.pose(i), answer.pose(i));
}

wire::State moved(std::uint32_t tick, float x) {
  wire::State state = Plant().state(tick);
  state.set_pose(0, x);
  return state;
}

}  // namespace

void setUp() {}
void tearDown() {}

void test_silence_from_the_start_latches() {
  Session session;
  session.say(20.5, Plant().state(1));  // too late
  const auto& answers = session.run(25);
  TEST_ASSERT_EQUAL_size_t(25, answers.size());
  for (std::uint32_t k = 0; k < 25; ++k) {
    const bool waiting = k < kStaleAfter;
    expect(answers[k], wire::NO_PREDICTION, waiting ? wire::NO_STATE : wire::STALE,
           k + 1 >= kStaleAfter + kToLatch);
    TEST_ASSERT_EQUAL_INT(0, answers[k].pose_size());
  }
  TEST_ASSERT_TRUE(session.health.latched());
  TEST_ASSERT_EQUAL_INT(wire::STALE, session.health.latch_reason());
  TEST_ASSERT_EQUAL_UINT32(25, session.health.failed());
  // Beats 1 to 7 await the first state, 21 has it, and what follows is a short silence again.
  TEST_ASSERT_EQUAL_UINT32(20 - kStaleAfter, session.health.stale_ticks());
  TEST_ASSERT_EQUAL_UINT32(0, session.health.missed_deadlines());
}

void test_silence_is_bridged_then_stale_then_latches() {
  Session session;
  session.say(2.5, Plant().state(1));
  const auto& answers = session.run(20);
  TEST_ASSERT_EQUAL_size_t(20, answers.size());
  for (std::uint32_t k = 0; k < 20; ++k) {
    if (k < 2) {
      expect(answers[k], wire::NO_PREDICTION, wire::NO_STATE);
    } else if (k <= 2 + kStaleAfter) {
      expect(answers[k], wire::CERTIFIED, wire::REASON_NONE);
    } else {
      expect(answers[k], wire::LAST_GOOD, wire::STALE, k >= 2 + kStaleAfter + kToLatch);
      expect_pose(answers[2 + kStaleAfter], answers[k]);
    }
  }
  TEST_ASSERT_EQUAL_UINT32(1 + kStaleAfter, session.health.certified());
  TEST_ASSERT_EQUAL_UINT32(20 - 3 - kStaleAfter, session.health.stale_ticks());
  TEST_ASSERT_EQUAL_UINT32(0, session.health.missed_deadlines());
  TEST_ASSERT_TRUE(session.unfed < 2);  // a tick a beat feeds the watchdog, good or not
}

// A link that comes back before the safe state latches is as good as before.
void test_short_silence_leaves_nothing_behind() {
  Session session;
  session.say(0.5, Plant().state(1));
  session.say(kStaleAfter + kToLatch + 0.5, Plant().state(2));  // in the beat that would have latched
  const auto& answers = session.run(kStaleAfter + kToLatch + 2);
  expect(answers[kStaleAfter + kToLatch - 1], wire::LAST_GOOD, wire::STALE);
  expect(answers[kStaleAfter + kToLatch], wire::CERTIFIED, wire::REASON_NONE);
  TEST_ASSERT_EQUAL_UINT32(kToLatch - 1, session.health.stale_ticks());
}

void test_new_scene_ends_the_safe_state() {
  Session session;
  session.say(15.2, wire::CONFIGURE, scene().SerializeAsString());  // starts the beat anew
  session.say(15.3, Plant().state(1));
  const auto& answers = session.run(18);
  TEST_ASSERT_EQUAL_size_t(15 + 3, answers.size());
  TEST_ASSERT_TRUE(answers[14].latched());
  expect(answers[15], wire::CERTIFIED, wire::REASON_NONE);
  TEST_ASSERT_EQUAL_UINT32(3, session.health.ticks());
  TEST_ASSERT_EQUAL_UINT32(0, session.health.missed_deadlines());
}

// Within one beat come a valid state, one that cannot be read, an old one and one that is no number: the tick
// takes the valid one.
void test_tick_takes_the_latest_valid_state() {
  Session session;
  session.say(0.5, moved(5, 0.01F));
  session.say(1.1, moved(7, 0.03F));
  session.say(1.2, moved(8, 0.04F));
  session.say(1.3, wire::STATE, "\xFF\xFF\xFF\xFF\xFF");
  session.say(1.4, moved(6, 0.02F));
  session.say(1.5, moved(9, kNan));
  const auto answers = session.run(2);
  expect(answers[1], wire::CERTIFIED, wire::REASON_NONE);
  TEST_ASSERT_EQUAL_UINT32(1, session.health.late_states());
  TEST_ASSERT_EQUAL_UINT32(1, session.health.bad_states());
  TEST_ASSERT_EQUAL_UINT32(1, session.health.frames_unreadable());
  Session alone;
  alone.say(0.5, moved(5, 0.01F));
  alone.say(1.2, moved(8, 0.04F));
  expect_pose(alone.run(2)[1], answers[1]);
}

void test_beat_with_only_a_bad_state_gets_the_last_good_prediction() {
  Session session;
  session.say(0.5, Plant().state(1));
  session.say(1.5, moved(2, kNan));
  session.say(2.5, wire::STATE, "\xFF\xFF\xFF\xFF\xFF");
  const auto& answers = session.run(4);
  for (int k = 1; k <= 2; ++k) {
    expect(answers[static_cast<std::size_t>(k)], wire::LAST_GOOD, wire::BAD_STATE);
    expect_pose(answers[0], answers[static_cast<std::size_t>(k)]);
  }
  expect(answers[3], wire::CERTIFIED, wire::REASON_NONE);
}

void test_bad_states_alone_latch_with_their_reason() {
  Session session;
  for (std::uint32_t k = 0; k < kToLatch; ++k) session.say(k + 0.5, moved(k + 1, kNan));
  const auto& answers = session.run(kToLatch + 1);
  expect(answers[kToLatch - 2], wire::NO_PREDICTION, wire::BAD_STATE);
  expect(answers[kToLatch - 1], wire::NO_PREDICTION, wire::BAD_STATE, true);
  TEST_ASSERT_EQUAL_INT(wire::BAD_STATE, session.health.latch_reason());
}

// The drill's tick takes little more than a beat, so one deadline is missed and one beat has no tick.
void test_slow_tick_is_one_missed_deadline() {
  Session session;
  session.say(0.5, Plant().state(1));
  session.drill(1.5, wire::DRILL_SLOW_TICK);
  const auto& answers = session.run(5);
  TEST_ASSERT_EQUAL_size_t(5, answers.size());
  for (std::size_t k = 0; k < 5; ++k) {
    expect(answers[k], wire::CERTIFIED, wire::REASON_NONE);
    TEST_ASSERT_EQUAL_INT(k == 2, answers[k].missed_deadline());  // told by the next
  }
  TEST_ASSERT_EQUAL_UINT32(1, session.health.missed_deadlines());
  TEST_ASSERT_GREATER_THAN_UINT32(kCountsPerBeat, session.health.worst_counts());
}

// With three beats a tick an answer comes every third beat, and staleness counts in ticks.
void test_a_tick_of_three_beats() {
  wire::Configure slow = scene();
  slow.set_beats_per_tick(3);
  Session session(slow);
  session.say(0.5, Plant().state(1));
  session.drill(3 * kStaleAfter - 0.5, wire::DRILL_SLOW_TICK);
  constexpr std::uint32_t kTicks = 1 + kStaleAfter + kToLatch;
  const auto& answers = session.run(3 * kTicks);
  TEST_ASSERT_EQUAL_size_t(kTicks, answers.size());
  for (std::uint32_t k = 0; k <= kStaleAfter; ++k) {
    expect(answers[k], wire::CERTIFIED, wire::REASON_NONE);
    TEST_ASSERT_EQUAL_INT(k == kStaleAfter, answers[k].missed_deadline());
  }
  expect(answers[kStaleAfter + 1], wire::LAST_GOOD, wire::STALE);
  TEST_ASSERT_EQUAL_UINT32(1, session.health.missed_deadlines());
  TEST_ASSERT_GREATER_THAN_UINT32(3 * kCountsPerBeat, session.health.worst_counts());
}

// Each piece of work takes a look at the counter: five in the air, nine more where each box is on its face. A
// beat has time for the former alone.
constexpr CountedTime kSlow{.look = 5'500};

wire::State boxes_at(std::uint32_t tick, float height) {
  wire::State state;
  state.set_tick(tick);
  for (int i = 0; i < kBoxes; ++i) {
    for (const float x : {0.0F, height, 0.0F}) state.add_pose(x);
    for (const float v : {1.0F, -1.0F, 1.0F}) state.add_velocity(v);
  }
  return state;
}

void test_a_step_that_no_beat_has_time_for_is_refused() {
  Session session(boxes_scene(kBoxHeight), {.look = 10'000});
  session.say(0.5, boxes_at(1, kBoxHeight));
  session.run(2);
  TEST_ASSERT_FALSE(session.configured.accepted());
  const std::string reason = session.configured.reason();
  TEST_ASSERT_EQUAL_STRING("A first answer from this state may take ", reason.substr(0, 40).c_str());
  TEST_ASSERT_EQUAL_STRING(" counts, and a tick has 100000.", reason.substr(reason.find(" counts")).c_str());
  // In lockstep, which a refusal leaves it in, the state is a tick.
  TEST_ASSERT_EQUAL_size_t(1, session.predictions.size());
  expect(session.predictions[0], wire::NO_PREDICTION, wire::NOT_CONFIGURED);
}

// What a beat has no time for three may have.
void test_a_step_has_the_time_of_its_tick() {
  wire::Configure slow = boxes_scene(kBoxHeight);
  slow.set_beats_per_tick(3);
  Session session(slow, {.look = 6'000});
  session.say(0.5, boxes_at(1, kBoxHeight));
  const auto& answers = session.run(6);
  TEST_ASSERT_TRUE_MESSAGE(session.configured.accepted(), session.configured.reason().c_str());
  TEST_ASSERT_EQUAL_UINT32(1, answers.back().tick());
  expect(answers.back(), wire::CERTIFIED, wire::REASON_NONE);
  TEST_ASSERT_GREATER_THAN_UINT32(kCountsPerBeat, session.health.worst_counts());
}

void test_without_a_counter_nothing_is_refused() {
  Session session(boxes_scene(kBoxHeight), {.look = kSlow.look, .runs = false});
  session.run(1);
  TEST_ASSERT_TRUE_MESSAGE(session.configured.accepted(), session.configured.reason().c_str());
}

// Neither deformations nor modes: the first answers are those of a board that could not try.
void test_a_trial_step_leaves_nothing_behind() {
  Session tried, untried(scene(), {.runs = false});
  for (Session* session : {&tried, &untried}) {
    session->say(0.5, Plant().state(1));
    session->run(3);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    expect(tried.predictions[k], wire::CERTIFIED, wire::REASON_NONE);
    tried.predictions[k].set_counts(untried.predictions[k].counts());
    TEST_ASSERT_TRUE(tried.predictions[k].SerializeAsString() == untried.predictions[k].SerializeAsString());
  }
}

// The answers to two states on their faces, each with one in the air behind it, which is always in time.
std::vector<wire::Prediction> answers_of(Session& session) {
  for (std::uint32_t tick = 1; tick <= 4; ++tick)
    session.say(tick + 0.5, boxes_at(tick, tick % 2 == 1 ? kBoxHeight : 2 * kBoxHeight));
  std::vector<wire::Prediction> answers;
  for (const auto& answer : session.run(6))
    if (answer.tick() == answers.size() + 1) answers.push_back(answer);
  TEST_ASSERT_TRUE_MESSAGE(session.configured.accepted(), session.configured.reason().c_str());
  TEST_ASSERT_EQUAL_size_t(4, answers.size());
  for (const std::size_t k : {1U, 3U}) expect(answers[k], wire::CERTIFIED, wire::REASON_NONE);
  TEST_ASSERT_EQUAL_UINT32(0, session.health.missed_deadlines());
  TEST_ASSERT_TRUE(session.health.worst_counts() < kCountsPerBeat);
  return answers;
}

void test_a_step_is_ended_in_time_and_flagged() {
  Session session(boxes_scene(), kSlow);
  const auto answers = answers_of(session);
  expect(answers[0], wire::NO_PREDICTION, wire::OUT_OF_TIME);
  expect(answers[2], wire::LAST_GOOD, wire::OUT_OF_TIME);
  for (int i = 0; i < 3 * kBoxes; ++i) TEST_ASSERT_EQUAL_FLOAT(answers[1].pose(i), answers[2].pose(i));
  TEST_ASSERT_EQUAL_UINT32(2, session.health.failed());
}

// Lack of time is no fault: a hundred ticks of it do not latch, and the first that has the time is certified.
void test_lack_of_time_never_latches() {
  Session session(boxes_scene(), kSlow);
  for (std::uint32_t tick = 1; tick <= 102; ++tick)
    session.say(tick + 0.5, boxes_at(tick, tick % 101 == 1 ? 2 * kBoxHeight : kBoxHeight));
  std::uint32_t ended = 0;
  for (const auto& answer : session.run(104)) {
    if (answer.tick() == 0) continue;
    const bool in_time = answer.tick() % 101 == 1;
    expect(answer, in_time ? wire::CERTIFIED : wire::LAST_GOOD,
           in_time ? wire::REASON_NONE : wire::OUT_OF_TIME);
    ended += in_time ? 0 : 1;
  }
  TEST_ASSERT_EQUAL_UINT32(100, ended);
  TEST_ASSERT_EQUAL_UINT32(0, session.health.missed_deadlines());
}

// Nor does it end a row of faults, whether the step has come to an answer of its own or not.
void test_lack_of_time_ends_no_row_of_faults() {
  constexpr CountedTime kFlags{.look = 4'700};
  for (const CountedTime& clock : {kFlags, kSlow}) {
    Session session(boxes_scene(), clock);
    for (std::uint32_t tick = 1; tick <= 2 * kToLatch; ++tick)
      session.say(tick + 0.5, boxes_at(tick, tick % 2 == 1 ? kBoxHeight : kNan));
    std::uint32_t ended = 0;
    for (const auto& answer : session.run(2 * kToLatch + 2))
      if (answer.reason() == wire::OUT_OF_TIME) {
        ++ended;
        TEST_ASSERT_EQUAL_INT(clock.look == kFlags.look, answer.verdict() == wire::DEGRADED);
      }
    TEST_ASSERT_EQUAL_UINT32(kToLatch, ended);
    TEST_ASSERT_TRUE(session.health.latched());
    TEST_ASSERT_EQUAL_INT(wire::BAD_STATE, session.health.latch_reason());
  }
}

// They fall 1e-4 m a step, and land in the third.
void test_a_horizon_is_cut_where_a_step_has_no_time() {
  const float height = kBoxHeight + 2.5e-4F;
  wire::Configure ahead = boxes_scene();
  ahead.set_horizon(8);
  ahead.set_horizon_percent(75);
  Session slow(ahead, {.look = 500}), alone(boxes_scene());
  for (Session* session : {&slow, &alone}) session->say(0.5, boxes_at(1, height));
  const auto& answers = slow.run(1);
  expect(answers[0], wire::CERTIFIED, wire::REASON_NONE);
  const std::uint32_t steps = answers[0].steps();
  TEST_ASSERT_TRUE(steps > 1 && steps < 8);
  TEST_ASSERT_EQUAL_UINT32(0, slow.health.missed_deadlines());
  const auto& last = alone.run(steps)[steps - 1];
  for (int i = 0; i < 3 * kBoxes; ++i) TEST_ASSERT_EQUAL_FLOAT(last.pose(i), answers[0].last_pose(i));
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_silence_from_the_start_latches);
  RUN_TEST(test_silence_is_bridged_then_stale_then_latches);
  RUN_TEST(test_short_silence_leaves_nothing_behind);
  RUN_TEST(test_new_scene_ends_the_safe_state);
  RUN_TEST(test_tick_takes_the_latest_valid_state);
  RUN_TEST(test_beat_with_only_a_bad_state_gets_the_last_good_prediction);
  RUN_TEST(test_bad_states_alone_latch_with_their_reason);
  RUN_TEST(test_slow_tick_is_one_missed_deadline);
  RUN_TEST(test_a_tick_of_three_beats);
  RUN_TEST(test_a_step_has_the_time_of_its_tick);
  RUN_TEST(test_a_step_that_no_beat_has_time_for_is_refused);
  RUN_TEST(test_without_a_counter_nothing_is_refused);
  RUN_TEST(test_a_trial_step_leaves_nothing_behind);
  RUN_TEST(test_a_step_is_ended_in_time_and_flagged);
  RUN_TEST(test_lack_of_time_never_latches);
  RUN_TEST(test_lack_of_time_ends_no_row_of_faults);
  RUN_TEST(test_a_horizon_is_cut_where_a_step_has_no_time);
  return UNITY_END();
}
