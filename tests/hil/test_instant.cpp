// test_instant IMAGE: INSTANT on a board, against closed forms, and in bits what the host's own copy of the
// engine says: Painleve's rods from 500 starts, bodies that rest, slide and roll; what is refused; and an
// image without instants says so.
#include <cmath>
#include <limits>

#include "tests/hil/rod.hpp"

namespace {

using namespace tactus;
using namespace tactus::hil;

struct Asked {
  Board board = Board::boot(options);
  host::link::Mirror mirror;

  void configure(const wire::Configure& scene) {
    const wire::Configured answer = board.configure(scene);
    TEST_ASSERT_TRUE_MESSAGE(answer.accepted(), answer.reason().c_str());
    mirror.configure(scene.SerializeAsString());
  }
  wire::Instant at(const wire::State& state, bool follows = false) {
    const wire::Instant answer = board.instant(state);
    wire::Instant own;
    own.ParseFromString(mirror.instant(state.SerializeAsString(), follows, answer.SerializeAsString()));
    own.set_counts(answer.counts());
    TEST_ASSERT_EQUAL_STRING(own.ShortDebugString().c_str(), answer.ShortDebugString().c_str());
    return answer;
  }
};

template <class Want, class Have>
void near(Want want, Have have, double within = 2e-4) {
  const auto exact = static_cast<double>(want);
  TEST_ASSERT_DOUBLE_WITHIN(within * std::fmax(1, std::fabs(exact)), exact, static_cast<double>(have));
}

template <class Scalar>
double size(Scalar t, Scalar o) {
  return static_cast<double>(std::hypot(t, o));
}

const char* word(const wire::Instant& answer) {
  return wire::InstantStatus_Name(answer.status()).c_str();
}

// The one body that moves, where CONFIGURE has it.
wire::State first_state(const wire::Configure& scene, std::uint32_t tick) {
  wire::State state;
  state.set_tick(tick);
  *state.mutable_pose() = scene.bodies(1).pose();
  *state.mutable_velocity() = scene.bodies(1).velocity();
  return state;
}

}  // namespace

void setUp() {}
void tearDown() {}

// a_n = D c_n + b_n with the friction of the slide in D: it may be negative (Painleve).
void test_rods_after_painleve() {
  Asked asked;
  int none = 0, several = 0;
  std::uint32_t most = 0;
  for (int k = 0; k < PainleveRod::kStarts; ++k) {
    const PainleveRod rod(k);
    if (k % 100 == 0) asked.configure(rod_scene(rod));
    const wire::State state = rod_state(rod, static_cast<std::uint32_t>(k + 1));
    const wire::Instant answer = asked.at(state);
    most = std::max(most, answer.counts());
    const double pull = rod.slide > 0 ? -rod.mu : rod.mu, D = rod.nn() + pull * rod.nt();
    const double b = rod.load / rod.kMass - rod.kGravity - rod.y() * rod.spin * rod.spin;
    if (D < 0 && b < 0) {
      TEST_ASSERT_EQUAL_STRING("INSTANT_NONE", word(answer));
      ++none;
      continue;
    }
    TEST_ASSERT_EQUAL_STRING("INSTANT_SOLVED", word(answer));
    TEST_ASSERT_EQUAL_STRING(D < 0 ? "AMBIGUOUS" : "UNIQUE",
                             wire::Uniqueness_Name(answer.uniqueness()).c_str());
    several += D < 0 ? 1 : 0;
    TEST_ASSERT_EQUAL_INT(1, answer.contacts_size());
    const wire::InstantContact& contact = answer.contacts(0);
    const bool open = contact.force(0) == 0;
    if (D > 0) TEST_ASSERT_EQUAL_INT(b > 0, open);
    near(open ? 0 : -b / D, contact.force(0), 1e-3);
    near(open ? b : 0, contact.acceleration(0), 1e-3);
    near(rod.mu * static_cast<double>(contact.force(0)), std::fabs(contact.force(1)));
    near(std::fabs(rod.slide), std::fabs(contact.velocity(1)));
    TEST_ASSERT_EQUAL_INT(open ? wire::BREAKS : wire::SLIDES, contact.becomes());
  }
  std::printf("500 rods: %d without forces, %d ambiguous; %u counts at most\n", none, several, most);
  TEST_ASSERT_GREATER_THAN_INT(20, none);
  TEST_ASSERT_GREATER_THAN_INT(20, several);
}

// A box on four corners is pushed: with 2 N it stays, with 5 N it slides off; its weight is borne either way.
void test_box_at_rest() {
  Asked asked;
  wire::Configure scene = empty_scene();
  add_body(scene, wire::BOX, {0.1F, 0.1F, 0.1F}, 1.0F / 150, {0, 0, 0.1F, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0},
           0.4F);
  asked.configure(scene);
  for (const float push : {0.0F, 2.0F, 5.0F}) {
    wire::State state = first_state(scene, 1);
    for (const float f : {push, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F}) state.add_force(f);
    const wire::Instant answer = asked.at(state);
    TEST_ASSERT_EQUAL_STRING("INSTANT_SOLVED", word(answer));
    TEST_ASSERT_EQUAL_INT(4, answer.contacts_size());
    const bool slides = push > 0.4F * kGravity;
    double weight = 0, along = 0, across = 0;
    for (const auto& contact : answer.contacts()) {
      weight += static_cast<double>(contact.force(0));
      along += static_cast<double>(contact.force(1));
      across += static_cast<double>(contact.force(2));
      TEST_ASSERT_EQUAL_INT(slides ? wire::SLIDES : wire::ROLLS, contact.becomes());
      near(slides ? push - 0.4F * kGravity : 0, size(contact.acceleration(1), contact.acceleration(2)), 1e-3);
      near(0, contact.acceleration(0), 1e-3);
    }
    near(kGravity, weight, 1e-3);
    near(slides ? 0.4F * kGravity : push, size(along, across), 1e-3);
  }
}

// A ball under oblique gravity: at rest it rolls, 2/7 of the pull is friction's; fast it slides and turns.
void test_ball() {
  Asked asked;
  wire::Configure scene = empty_scene();
  scene.set_gravity(0, 3);
  add_body(scene, wire::SPHERE, {0.1F}, 0.004F, {0, 0, 0.1F, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, 0.3F);
  asked.configure(scene);
  const wire::Instant rolls = asked.at(first_state(scene, 1));
  TEST_ASSERT_EQUAL_INT(1, rolls.contacts_size());
  near(kGravity, rolls.contacts(0).force(0));
  near(3.0 * 2 / 7, size(rolls.contacts(0).force(1), rolls.contacts(0).force(2)));
  TEST_ASSERT_EQUAL_INT(wire::ROLLS, rolls.contacts(0).becomes());
  wire::State fast = first_state(scene, 1);
  fast.set_velocity(1, 2);
  const wire::Instant slides = asked.at(fast);
  near(0.3F * kGravity, size(slides.contacts(0).force(1), slides.contacts(0).force(2)));
  TEST_ASSERT_EQUAL_INT(wire::SLIDES, slides.contacts(0).becomes());
}

// A contact that the last prediction left closed takes part at a gap that a float can have; of another tick
// it is in the air. Nothing else takes note of the state that asks.
void test_what_the_last_tick_left_closed() {
  Asked asked;
  wire::Configure scene = empty_scene();
  add_body(scene, wire::SPHERE, {0.1F}, 0.004F, {0, 0, 0.1F, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, 0.3F);
  asked.configure(scene);
  const wire::State rests = first_state(scene, 1);
  const auto predicted = [&](const wire::State& state) {
    wire::Prediction answer = asked.board.step(state);
    asked.mirror.step(state.SerializeAsString(), answer.SerializeAsString());
    return answer;
  };
  predicted(rests);
  wire::State raised = first_state(scene, 2);
  raised.set_pose(2, 0.1F + 5e-5F);
  TEST_ASSERT_EQUAL_INT(1, asked.at(raised, true).contacts_size());
  raised.set_tick(3);
  TEST_ASSERT_EQUAL_INT(0, asked.at(raised, false).contacts_size());
  wire::State next = rests;
  next.set_tick(2);
  const wire::Prediction after = predicted(next);
  near(kGravity, after.contacts(0).force(0));
  TEST_ASSERT_EQUAL_UINT32(0, asked.board.health().late_states());
}

void test_what_is_refused() {
  Asked asked;
  const auto refused = [&](const wire::State& state, const char* words) {
    const wire::Instant answer = asked.board.instant(state);
    TEST_ASSERT_EQUAL_STRING("INSTANT_REFUSED", word(answer));
    TEST_ASSERT_NOT_NULL_MESSAGE(std::strstr(answer.reason().c_str(), words), answer.reason().c_str());
    TEST_ASSERT_EQUAL_INT(0, answer.contacts_size());
  };
  wire::Configure scene = empty_scene();
  add_body(scene, wire::SPHERE, {0.1F}, 0.004F, {0, 0, 0.1F, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, 0.3F);
  refused(first_state(scene, 1), "not finite, or of the wrong length");
  asked.configure(scene);
  refused(wire::State(), "not finite, or of the wrong length");
  wire::State state = first_state(scene, 1);
  state.set_velocity(0, std::numeric_limits<float>::infinity());
  refused(state, "not finite, or of the wrong length");
  state.set_velocity(0, 0);
  state.set_velocity(2, -1);
  refused(state, "Contact 0 closes at 1 m/s");
  wire::Patch& patch = *scene.mutable_contacts(0)->mutable_patch();
  patch.set_columns(1);
  patch.set_rows(1);
  patch.set_stiffness(1e4F);
  patch.set_damping(10);
  asked.configure(scene);
  refused(first_state(scene, 1), "contact 0 has another law");
  TEST_ASSERT_EQUAL_UINT32(0, asked.board.health().ticks());
}

// An image that has none.
void test_without() {
  Board board = Board::boot(options);
  const std::uint32_t before = board.health().frames_unknown_type();
  board.send(wire::INSTANT_REQUEST, wire::State());
  const auto answer = board.receive(std::chrono::seconds(5));
  TEST_ASSERT_TRUE(answer.has_value());
  TEST_ASSERT_EQUAL_INT(wire::HEALTH, answer->type);
  TEST_ASSERT_EQUAL_UINT32(before + 1, board.health().frames_unknown_type());
}

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: test_instant IMAGE\n");
    return 2;
  }
  options.image = argv[1];
  const bool has = Board::boot(options).hello().instant_contacts() > 0;
  UNITY_BEGIN();
  if (has) {
    RUN_TEST(test_rods_after_painleve);
    RUN_TEST(test_box_at_rest);
    RUN_TEST(test_ball);
    RUN_TEST(test_what_the_last_tick_left_closed);
    RUN_TEST(test_what_is_refused);
  } else {
    RUN_TEST(test_without);
  }
  return UNITY_END();
}
