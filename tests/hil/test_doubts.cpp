// test_doubts IMAGE: doubt and innovation on a board: what members do against the friction that they can
// have, what is felt from nowhere against what was put there; and what fails is counted, while the rest goes
// on.
#include <limits>

#include "tests/hil/arms.hpp"

namespace {

using namespace tactus;
using namespace tactus::hil;

constexpr float kFriction = 0.5F;
const float kNan = std::numeric_limits<float>::quiet_NaN();

// A crate of 1 kg on the ground.
wire::Configure crate() {
  wire::Configure scene = empty_scene();
  scene.set_facets(4);
  add_body(scene, wire::BOX, {0.1F, 0.1F, 0.1F}, 1e-2F, {0, 0, 0.1F, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0},
           kFriction);
  return scene;
}

wire::State pushed(const wire::Configure& scene, std::uint32_t tick, float force) {
  wire::State state;
  state.set_tick(tick);
  *state.mutable_pose() = scene.bodies(1).pose();
  *state.mutable_velocity() = scene.bodies(1).velocity();
  for (const float x : {force, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F}) state.add_force(x);
  return state;
}

// A board and the host's own engine, which has to say the same.
class Pair {
 public:
  explicit Pair(const wire::Configure& scene) {
    const wire::Configured configured = board.configure(scene);
    TEST_ASSERT_TRUE_MESSAGE(configured.accepted(), configured.reason().c_str());
    mirror_.configure(scene.SerializeAsString());
  }
  wire::Prediction step(const wire::State& state) {
    const wire::Prediction answer = board.step(state);
    wire::Prediction own;
    own.ParseFromString(mirror_.step(state.SerializeAsString(), answer.SerializeAsString()));
    own.set_counts(answer.counts());
    TEST_ASSERT_EQUAL_STRING(own.ShortDebugString().c_str(), answer.ShortDebugString().c_str());
    expect_certified(answer);
    return answer;
  }
  Board board = Board::boot(options);

 private:
  host::link::Mirror mirror_;
};

}  // namespace

void setUp() {}
void tearDown() {}

// Members have 0.4 to 0.6: pushed with 0.35 m g none slips, and of what is pushed harder and harder more do,
// until all do.
void test_members_slip_by_their_friction() {
  wire::Configure scene = crate();
  scene.set_beats_per_tick(25);
  wire::Doubt& doubt = *scene.mutable_doubt();
  doubt.set_members(8);
  doubt.set_friction(0.2F);
  doubt.set_seed(3);
  Pair pair(scene);
  std::uint32_t tick = 0, last = 0;
  for (const float share : {0.35F, 0.45F, 0.5F, 0.55F, 0.65F}) {
    const wire::Prediction answer = pair.step(pushed(scene, ++tick, share * kGravity));
    TEST_ASSERT_EQUAL_UINT32(8, answer.members());
    TEST_ASSERT_EQUAL_UINT32(0, answer.members_failed());
    TEST_ASSERT_FALSE(answer.members_cut());
    TEST_ASSERT_EQUAL_UINT32(0, answer.contacts(0).changes());
    TEST_ASSERT_GREATER_OR_EQUAL_UINT32(last, answer.contacts(0).slips());
    last = answer.contacts(0).slips();
    if (share < 0.4F) TEST_ASSERT_EQUAL_UINT32(0, last);
  }
  TEST_ASSERT_EQUAL_UINT32(8, last);
}

// Speeds beyond single precision: such members fail and are counted, and the prediction stands.
void test_members_that_fail_are_counted() {
  wire::Configure scene = crate();
  scene.set_beats_per_tick(25);
  scene.mutable_doubt()->set_members(5);
  scene.mutable_doubt()->set_steps(2);
  scene.mutable_doubt()->set_velocity(3e38F);
  scene.set_horizon(2);
  Pair pair(scene);
  for (std::uint32_t tick = 1; tick <= 3; ++tick) {
    const wire::Prediction answer = pair.step(pushed(scene, tick, 0));
    TEST_ASSERT_EQUAL_UINT32(5, answer.members_failed());
    TEST_ASSERT_EQUAL_UINT32(0, answer.members());
    TEST_ASSERT_EQUAL_UINT32(2, answer.steps());
  }
  TEST_ASSERT_EQUAL_UINT32(15, pair.board.health().members_failed());
}

// A beat has no time for 8 members of as many steps: what runs is whole, the rest is cut, nothing is late.
void test_members_take_what_time_is_left() {
  wire::Configure scene = crate();
  scene.set_beats_per_tick(2);
  scene.set_horizon(32);
  scene.mutable_doubt()->set_members(8);
  scene.mutable_doubt()->set_friction(0.2F);
  Pair pair(scene);
  for (std::uint32_t tick = 1; tick <= 20; ++tick) {
    const wire::Prediction answer = pair.step(pushed(scene, tick, 0.5F * kGravity));
    TEST_ASSERT_TRUE(answer.members_cut());
    TEST_ASSERT_TRUE(answer.members() < 8);
    TEST_ASSERT_FALSE(answer.missed_deadline());
  }
  TEST_ASSERT_EQUAL_UINT32(0, pair.board.health().missed_deadlines());
}

// It slides and slows by 0.3 g where the model says 0.5: after n samples 0.9^n of the error is left, and at
// 0.1 off it is flagged; the first state has nothing before it.
void test_a_coefficient_is_learnt() {
  const wire::Configure plain = crate();
  wire::Configure scene = plain;
  scene.set_beats_per_tick(25);
  scene.mutable_innovation();
  Pair pair(scene);
  float v = 1, x = 0;
  wire::Prediction answer;
  constexpr int kSamples = 20;
  for (std::uint32_t tick = 1; tick <= kSamples + 1; ++tick) {
    wire::State state = pushed(scene, tick, 0);
    state.set_pose(0, x);
    state.set_velocity(0, v);
    answer = pair.step(state);
    TEST_ASSERT_EQUAL_INT(tick == 1 ? wire::SEEN_NOTHING : wire::SEEN_COMPARED, answer.seen());
    TEST_ASSERT_EQUAL_UINT32(0, answer.struck());
    v -= 0.3F * kGravity * kStep;
    x += v * kStep;
  }
  TEST_ASSERT_FLOAT_WITHIN(2e-3F, 0.3F + 0.2F * std::pow(0.9F, static_cast<float>(kSamples)),
                           answer.contacts(0).mu());
  TEST_ASSERT_TRUE(answer.contacts(0).friction_off());
}

// A ball that hangs in the air is held up by 9.81 N that the model does not know of, and a joint that 3 N do
// not move by as much: both are flagged from the third such tick on, and forgotten where a state is missing.
void test_what_comes_from_nowhere_is_flagged() {
  wire::Configure scene = slide();
  add_body(scene, wire::SPHERE, {0.1F}, 4e-3F, {1, 0, 1, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, kFriction);
  scene.mutable_innovation()->set_ticks(3);
  Pair pair(scene);
  std::uint32_t tick = 0;
  const auto next = [&] {
    wire::State state = pushed(scene, ++tick, 0);
    state.add_q(0), state.add_qd(0);
    drive(state, {kWeight + 3, 0, 0});
    return pair.step(state);
  };
  for (int round = 0; round < 2; ++round) {
    for (int k = 0; k < 3; ++k) {
      const wire::Prediction early = next();
      TEST_ASSERT_EQUAL_UINT32(0, early.struck());
      TEST_ASSERT_EQUAL_UINT32(0, early.resisted());
    }
    const wire::Prediction answer = next();
    TEST_ASSERT_EQUAL_UINT32(1, answer.struck());
    TEST_ASSERT_EQUAL_UINT32(1, answer.resisted());
    ++tick;  // one is lost
  }
  // What moves as predicted is none of that.
  wire::State state = pushed(scene, ++tick, 0);
  state.add_q(0), state.add_qd(0);
  drive(state, {kWeight + 3, 0, 0});
  for (int k = 0; k < 6; ++k) {
    state.set_tick(++tick);
    const wire::Prediction answer = pair.step(state);
    TEST_ASSERT_EQUAL_UINT32(0, answer.struck());
    TEST_ASSERT_EQUAL_UINT32(0, answer.resisted());
    *state.mutable_pose() = answer.pose();
    *state.mutable_velocity() = answer.velocity();
    *state.mutable_q() = answer.q();
    *state.mutable_qd() = answer.qd();
  }
}

void test_what_is_refused_of_doubts() {
  Board board = Board::boot(options);
  const auto refused = [&board](const char* reason, auto change) {
    wire::Configure scene = crate();
    scene.mutable_doubt()->set_members(4);
    change(scene);
    const wire::Configured answer = board.configure(scene);
    TEST_ASSERT_FALSE_MESSAGE(answer.accepted(), reason);
    if (answer.reason().find(reason) == std::string::npos) TEST_FAIL_MESSAGE(answer.reason().c_str());
  };
  refused("2 to 8 members, not 1.", [](auto& s) { s.mutable_doubt()->set_members(1); });
  refused("2 to 8 members", [](auto& s) { s.mutable_doubt()->set_members(9); });
  refused("finite and not negative", [](auto& s) { s.mutable_doubt()->set_friction(-0.1F); });
  refused("finite and not negative", [](auto& s) { s.mutable_doubt()->set_joint(kNan); });
  refused("below 1 of a mass, not 1.", [](auto& s) { s.mutable_doubt()->set_mass(1); });
  refused("limit of innovation", [](auto& s) { s.mutable_innovation()->set_force(-1); });
  refused("limit of innovation", [](auto& s) { s.mutable_innovation()->set_slip(kNan); });
  refused("limit of innovation", [](auto& s) { s.mutable_innovation()->set_gain(1.5F); });
  refused("limit of innovation", [](auto& s) { s.mutable_innovation()->set_ticks(1001); });
}

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: test_doubts IMAGE\n");
    return 2;
  }
  options.image = argv[1];
  UNITY_BEGIN();
  RUN_TEST(test_members_slip_by_their_friction);
  RUN_TEST(test_members_that_fail_are_counted);
  RUN_TEST(test_members_take_what_time_is_left);
  RUN_TEST(test_a_coefficient_is_learnt);
  RUN_TEST(test_what_comes_from_nowhere_is_flagged);
  RUN_TEST(test_what_is_refused_of_doubts);
  return UNITY_END();
}
