// test_arms_refused IMAGE: every scene and state with arms that cannot be right is refused, counted and
// answered as those of bodies are.
#include <limits>

#include "tactus/sentence.hpp"
#include "tests/hil/arms.hpp"

namespace {

using namespace tactus;
using namespace tactus::hil;

const float kNan = std::numeric_limits<float>::quiet_NaN(),
            kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

void setUp() {}
void tearDown() {}

void test_what_is_refused_of_arms() {
  Board board = Board::boot(options);
  const auto refused = [&board](const char* reason, int which, auto change) {
    wire::Configure scene = slide();
    add_slide(scene, 1, {0, 0, 0.5F}, {0, 0, 1});
    change(scene);
    const wire::Configured answer = board.configure(scene);
    TEST_ASSERT_FALSE_MESSAGE(answer.accepted(), reason);
    if (answer.reason().find(reason) == std::string::npos) TEST_FAIL_MESSAGE(answer.reason().c_str());
    // The words are those of the numbers, which come along.
    const int index = answer.has_index() ? static_cast<int>(answer.index()) : -1;
    TEST_ASSERT_EQUAL_INT_MESSAGE(which, index, reason);
    const Error error{static_cast<What>(answer.what()), index, answer.needed(), answer.have()};
    TEST_ASSERT_EQUAL_STRING(Sentence(error).text(), answer.reason().c_str());
    wire::State state = state_of(scene, 1);
    TEST_ASSERT_EQUAL_STRING("NOT_CONFIGURED", wire::Reason_Name(board.step(state).reason()).c_str());
  };
  const auto link = [](wire::Configure& s) -> wire::Link& { return *s.mutable_links(1); };
  refused("kind of link", 1, [&](auto& s) { link(s).set_kind(static_cast<wire::LinkKind>(9)); });
  refused("parent", 1, [&](auto& s) { link(s).set_parent(2); });
  refused("parent", 1, [&](auto& s) { link(s).set_parent(4'000'000'000U); });
  refused("pose of a link has 7", 1, [&](auto& s) { link(s).mutable_at()->RemoveLast(); });
  refused("a rotation", 1, [&](auto& s) { link(s).set_at(3, 2); });
  refused("a rotation", 1, [&](auto& s) { link(s).set_at(0, kNan); });
  refused("axis of a link has 3", 1, [&](auto& s) { link(s).mutable_axis()->RemoveLast(); });
  refused("must be a unit", 1, [&](auto& s) { link(s).set_axis(2, 2); });
  refused("mass of a link must be", 1, [&](auto& s) { link(s).set_mass(-1); });
  refused("mass of a link must be", 1, [&](auto& s) { link(s).set_mass(kNan); });
  refused("moves no mass", -1, [&](auto& s) { link(s).set_mass(0); });
  refused("centre of mass of a link has 3", 1, [&](auto& s) { link(s).add_centre(0); });
  refused("inertia of a link has 6", 1, [&](auto& s) { link(s).add_inertia(0); });
  refused("inertia of a link must be", 1, [&](auto& s) {
    for (const float x : {1.0F, 1.0F, 3.0F, 0.0F, 0.0F, 0.0F}) link(s).add_inertia(x);
  });
  refused("Rotor inertia", 1, [&](auto& s) { link(s).set_rotor(-1); });
  refused("joint friction", 1, [&](auto& s) { link(s).set_friction(kInfinity); });
  refused("lower limit", 1, [&](auto& s) { link(s).set_lower(1), link(s).set_upper(1); });
  refused("lower limit", 1, [&](auto& s) { link(s).set_lower(kNan), link(s).set_upper(1); });
  refused("joint 1 is at 2, its limit is 1", 1,
          [&](auto& s) { link(s).set_lower(-1), link(s).set_upper(1), link(s).set_q(2); });
  refused("position", 1, [&](auto& s) { link(s).set_q(kNan); });
  refused("speed", 1, [&](auto& s) { link(s).set_qd(kNan); });
  refused("Stiffness and damping", 1, [&](auto& s) { link(s).set_stiffness(-1); });
  refused("Stiffness and damping", 1, [&](auto& s) { link(s).set_damping(kNan); });
  refused("longer or other", -1, [&](auto& s) {
    for (int i = 0; i < 6; ++i) add_slide(s, 0, {0, 0, 1}, {0, 0, 1});
  });
  refused("25 beats at most, half of what the watchdog waits for, not 26", -1,
          [](auto& s) { s.set_beats_per_tick(26); });
  refused("75 percent of a tick at most, what steps may, not 76", -1,
          [](auto& s) { s.set_horizon_percent(76); });
  const auto ball = [](wire::Configure& s) -> wire::Body& {
    wire::Body& made = *s.add_bodies();
    made.set_link(2);
    made.mutable_shape()->set_kind(wire::SPHERE);
    made.mutable_shape()->add_size(0.1F);
    for (const float x : {0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F}) made.add_pose(x);
    return made;
  };
  refused("does not exist: link", 1, [&](auto& s) { ball(s).set_link(3); });
  refused("does not exist: link", 1, [&](auto& s) { ball(s).set_link(4'000'000'000U); });
  refused("of its own", 1, [&](auto& s) {
    wire::Body& made = ball(s);
    made.set_mass(1);
    for (const float x : {1.0F, 1.0F, 1.0F, 0.0F, 0.0F, 0.0F}) made.add_inertia(x);
  });
  refused("of its own", 1, [&](auto& s) {
    wire::Body& made = ball(s);
    for (int i = 0; i < 6; ++i) made.add_velocity(0);
  });
  refused("half-space must be fixed", 1, [&](auto& s) { *ball(s).mutable_shape() = s.bodies(0).shape(); });
  refused("what a link of an arm carries", 0, [&](auto& s) {
    ball(s);
    wire::Joint& joint = *s.add_joints();
    joint.set_b(1);
    for (int i = 0; i < 3; ++i) joint.add_anchor(0);
  });
  refused("Arms are for space", -1, [](auto& s) {
    s.set_plane(true);
    s.mutable_gravity()->RemoveLast();
  });
}

void test_bad_states_of_arms_are_counted() {
  Board board = Board::boot(options);
  const wire::Configure scene = slide();
  TEST_ASSERT_TRUE(board.configure(scene).accepted());
  wire::State state = state_of(scene, 1);
  drive(state, {kWeight, 0, 0}, {1, 0, 0});
  const wire::Prediction good = board.step(state);
  expect_certified(good);
  std::uint32_t tick = 1;
  const auto bad = [&](auto change) {
    wire::State next = state;
    next.set_tick(++tick);
    change(next);
    const wire::Prediction answer = board.step(next);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("LAST_GOOD", wire::Verdict_Name(answer.verdict()).c_str(),
                                     next.ShortDebugString().c_str());
    TEST_ASSERT_EQUAL_STRING("BAD_STATE", wire::Reason_Name(answer.reason()).c_str());
    TEST_ASSERT_EQUAL_FLOAT(good.qd(0), answer.qd(0));
  };
  bad([](auto& s) { s.set_q(0, kNan); });
  bad([](auto& s) { s.set_qd(0, kInfinity); });
  bad([](auto& s) { s.clear_q(); });
  bad([](auto& s) { s.add_qd(0); });
  bad([](auto& s) { s.set_drive(0, kNan); });
  bad([](auto& s) { s.mutable_drive()->RemoveLast(); });
  bad([](auto& s) { s.set_drive_change(2, -kInfinity); });
  bad([](auto& s) { s.mutable_drive_change()->RemoveLast(); });
  bad([](auto& s) { s.clear_drive(); });  // a change of nothing
  TEST_ASSERT_EQUAL_UINT32(9, board.health().bad_states());
  state.set_tick(++tick);
  expect_certified(board.step(state));
  // A finite drive that grows out of single precision fails the horizon, not the tick.
  wire::Configure far = scene;
  far.set_horizon(3);
  TEST_ASSERT_TRUE(board.configure(far).accepted());
  drive(state, {3e38F, 0, 0}, {3e38F, 0, 0});
  TEST_ASSERT_TRUE(board.step(state).verdict() != wire::CERTIFIED);
  state.set_tick(++tick);
  drive(state, {kWeight, 0, 0});
  expect_certified(board.step(state));
}

void test_a_force_that_grows_is_checked() {
  wire::Configure scene = empty_scene();
  add_body(scene, wire::SPHERE, {0.1F}, 4e-3F, {0, 0, 1, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, 0.3F);
  Board board = Board::boot(options);
  TEST_ASSERT_TRUE(board.configure(scene).accepted());
  wire::State state;
  state.set_tick(1);
  *state.mutable_pose() = scene.bodies(1).pose();
  *state.mutable_velocity() = scene.bodies(1).velocity();
  for (int i = 0; i < 6; ++i) state.add_force(0);
  for (int i = 0; i < 5; ++i) state.add_force_change(0);
  TEST_ASSERT_EQUAL_STRING("BAD_STATE", wire::Reason_Name(board.step(state).reason()).c_str());
  state.set_tick(2);
  state.add_force_change(kNan);
  TEST_ASSERT_EQUAL_STRING("BAD_STATE", wire::Reason_Name(board.step(state).reason()).c_str());
  state.set_tick(3);
  state.set_force_change(5, 0);
  expect_certified(board.step(state));
  state.set_tick(4);
  state.clear_force();  // a change of nothing
  TEST_ASSERT_EQUAL_STRING("BAD_STATE", wire::Reason_Name(board.step(state).reason()).c_str());
}

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: test_arms_refused IMAGE\n");
    return 2;
  }
  options.image = argv[1];
  UNITY_BEGIN();
  RUN_TEST(test_what_is_refused_of_arms);
  RUN_TEST(test_bad_states_of_arms_are_counted);
  RUN_TEST(test_a_force_that_grows_is_checked);
  return UNITY_END();
}
