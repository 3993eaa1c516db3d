// test_arms IMAGE: arms on a board: what joints do against what Newton says of them.
#include "tests/hil/arms.hpp"

namespace {

using namespace tactus;
using namespace tactus::hil;

// The answer to one state; the host's own engine says the same.
wire::Prediction first_tick(const wire::Configure& scene, const wire::State& state) {
  Board board = Board::boot(options);
  host::link::Mirror mirror;
  const wire::Configured configured = board.configure(scene);
  TEST_ASSERT_TRUE_MESSAGE(configured.accepted(), configured.reason().c_str());
  mirror.configure(scene.SerializeAsString());
  const wire::Prediction answer = board.step(state);
  wire::Prediction own;
  own.ParseFromString(mirror.step(state.SerializeAsString(), answer.SerializeAsString()));
  own.set_counts(answer.counts());
  TEST_ASSERT_EQUAL_STRING(own.ShortDebugString().c_str(), answer.ShortDebugString().c_str());
  expect_certified(answer);
  return answer;
}

}  // namespace

void setUp() {}
void tearDown() {}

// A link of mass m, its weight carried and 3 N beside it, that grow by 0.5 N a step: after n steps its speed
// is h / m (3 n + 0.5 n (n - 1) / 2).
void test_a_force_that_grows_over_the_horizon() {
  wire::Configure scene = slide();
  scene.set_horizon(4);
  wire::State state = state_of(scene, 1);
  drive(state, {kWeight + 3, 0, 0}, {0.5F, 0, 0});
  const wire::Prediction answer = first_tick(scene, state);
  TEST_ASSERT_EQUAL_UINT32(4, answer.steps());
  TEST_ASSERT_FLOAT_WITHIN(1e-7F, kStep / kMass * 3, answer.qd(0));
  TEST_ASSERT_FLOAT_WITHIN(1e-7F, kStep / kMass * (12 + 3), answer.last_qd(0));
  const float places = 3 + 6.5F + 10.5F + 15;  // the sum of these speeds over h / m, and so q over h^2 / m
  TEST_ASSERT_FLOAT_WITHIN(1e-9F, kStep * kStep / kMass * places, answer.last_q(0));
}

// Without a drive in the next state what was told goes on; a drive without a change ends it.
void test_what_drives_goes_on_as_told() {
  Board board = Board::boot(options);
  const wire::Configure scene = slide();
  TEST_ASSERT_TRUE(board.configure(scene).accepted());
  wire::State state = state_of(scene, 1);
  drive(state, {kWeight + 3, 0, 0}, {0.5F, 0, 0});
  expect_certified(board.step(state));
  state = state_of(scene, 2);
  TEST_ASSERT_FLOAT_WITHIN(1e-7F, kStep / kMass * 3.5F, board.step(state).qd(0));
  state = state_of(scene, 3);
  drive(state, {kWeight + 1, 0, 0});
  TEST_ASSERT_FLOAT_WITHIN(1e-7F, kStep / kMass, board.step(state).qd(0));
  state = state_of(scene, 4);
  TEST_ASSERT_FLOAT_WITHIN(1e-7F, kStep / kMass, board.step(state).qd(0));
}

// m v = h (k (p - h v) + d (u - v)) from rest at q = 0.
void test_an_impedance_acts_within_the_step() {
  wire::Configure scene = slide();
  const float k = 1000, d = 10, p = 0.01F, u = 0.1F;
  scene.mutable_links(0)->set_stiffness(k);
  scene.mutable_links(0)->set_damping(d);
  wire::State state = state_of(scene, 1);
  drive(state, {kWeight, p, u});
  const float speed = kStep * (k * p + d * u) / (kMass + kStep * d + kStep * kStep * k);
  TEST_ASSERT_FLOAT_WITHIN(1e-7F, speed, first_tick(scene, state).qd(0));
}

// Coulomb's friction of 5 N holds 3 N and leaves 2 of 7; a limit 10 um away ends the way there.
void test_friction_and_limit_of_a_joint() {
  wire::Configure scene = slide();
  scene.mutable_links(0)->set_friction(5);
  scene.mutable_links(0)->set_lower(-1);
  scene.mutable_links(0)->set_upper(1e-5F);
  wire::State state = state_of(scene, 1);
  drive(state, {kWeight + 3, 0, 0});
  TEST_ASSERT_EQUAL_FLOAT(0, first_tick(scene, state).qd(0));
  drive(state, {kWeight + 7, 0, 0});
  TEST_ASSERT_FLOAT_WITHIN(1e-7F, kStep / kMass * 2, first_tick(scene, state).qd(0));
  drive(state, {kWeight + 1000, 0, 0});
  TEST_ASSERT_FLOAT_WITHIN(1e-9F, 1e-5F, first_tick(scene, state).q(0));
}

// A slide to the side carries one up and down: the first moves both masses. And a point at the end of a level
// link without weight turns with g / l.
void test_a_link_on_a_link_and_one_that_turns() {
  wire::Configure scene = empty_scene();
  add_slide(scene, 0, {0, 0, 1}, {1, 0, 0});
  add_slide(scene, 1, {0, 0, 0.5F}, {0, 0, 1});
  wire::State state = state_of(scene, 1);
  drive(state, {3, 0, 0, kWeight, 0, 0});
  wire::Prediction answer = first_tick(scene, state);
  TEST_ASSERT_FLOAT_WITHIN(1e-7F, kStep * 3 / (2 * kMass), answer.qd(0));
  TEST_ASSERT_FLOAT_WITHIN(1e-7F, 0, answer.qd(1));
  scene = slide();
  wire::Link& link = *scene.mutable_links(0);
  link.set_kind(wire::LINK_REVOLUTE);
  link.clear_axis();
  for (const float x : {0.0F, 1.0F, 0.0F}) link.add_axis(x);
  const float l = 0.5F;
  for (const float x : {l, 0.0F, 0.0F}) link.add_centre(x);
  TEST_ASSERT_FLOAT_WITHIN(1e-6F, kStep * kGravity / l, first_tick(scene, state_of(scene, 1)).qd(0));
}

// A ball on a link that hangs loose lies on the ground, which carries the link.
void test_a_ball_on_a_link_lies_on_the_ground() {
  wire::Configure scene = empty_scene();
  const float r = 0.1F;
  add_slide(scene, 0, {0, 0, r}, {0, 0, 1});
  wire::Body* ball = scene.add_bodies();
  ball->set_link(1);
  ball->mutable_shape()->set_kind(wire::SPHERE);
  ball->mutable_shape()->add_size(r);
  for (const float x : {0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F}) ball->add_pose(x);
  wire::Contact* contact = scene.add_contacts();
  contact->set_b(1);
  contact->set_friction(0.5F);
  const wire::Prediction answer = first_tick(scene, state_of(scene, 1));
  TEST_ASSERT_FLOAT_WITHIN(1e-3F, kWeight, answer.contacts(0).force(0));
  TEST_ASSERT_FLOAT_WITHIN(1e-8F, 0, answer.q(0));
  TEST_ASSERT_EQUAL_INT(0, answer.pose_size());  // no body moves by itself
}

// Forces on bodies grow in the same way.
void test_a_force_on_a_body_grows() {
  wire::Configure scene = empty_scene();
  const float r = 0.1F;
  add_body(scene, wire::SPHERE, {r}, 0.4F * r * r, {0, 0, 1, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, 0.3F);
  scene.set_horizon(4);
  wire::State state;
  state.set_tick(1);
  *state.mutable_pose() = scene.bodies(1).pose();
  *state.mutable_velocity() = scene.bodies(1).velocity();
  for (const float x : {3.0F, 0.0F, kGravity, 0.0F, 0.0F, 0.0F}) state.add_force(x);
  for (const float x : {0.5F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F}) state.add_force_change(x);
  const wire::Prediction answer = first_tick(scene, state);  // of 1 kg
  TEST_ASSERT_FLOAT_WITHIN(1e-7F, kStep * 3, answer.velocity(0));
  TEST_ASSERT_FLOAT_WITHIN(1e-7F, kStep * (12 + 3), answer.last_velocity(0));
}

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: test_arms IMAGE\n");
    return 2;
  }
  options.image = argv[1];
  UNITY_BEGIN();
  RUN_TEST(test_a_force_that_grows_over_the_horizon);
  RUN_TEST(test_what_drives_goes_on_as_told);
  RUN_TEST(test_an_impedance_acts_within_the_step);
  RUN_TEST(test_friction_and_limit_of_a_joint);
  RUN_TEST(test_a_link_on_a_link_and_one_that_turns);
  RUN_TEST(test_a_ball_on_a_link_lies_on_the_ground);
  RUN_TEST(test_a_force_on_a_body_grows);
  return UNITY_END();
}
