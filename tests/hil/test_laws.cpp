// test_laws IMAGE LAW...: a sphere on the ground by each law that the image has beside rigid and compliant
// (cone, implicit), against what it must do; and the refusal, by the board itself, of those that it has not.
#include <cmath>
#include <cstring>
#include <vector>

#include "tests/hil/space.hpp"

namespace {

using namespace tactus;
using namespace tactus::hil;

bool has_cone = false, has_implicit = false;
constexpr float kRadius = 0.1F, kFriction = 0.2F, kSpeed = 1.0F;
// The implicit law solves for places, and the force is what holds one: two roundings of the radius, eps r, in
// h^2 are 2.4e-3 of the weight.
constexpr float kRounding = 2 * 1.2e-7F * kRadius / (kStep * kStep) / kGravity;

wire::Configure ball(wire::Law law, std::initializer_list<float> velocity) {
  wire::Configure scene = empty_scene();
  scene.set_law(law);
  add_body(scene, wire::SPHERE, {kRadius}, 0.4F * kRadius * kRadius, {0, 0, kRadius, 1, 0, 0, 0}, velocity,
           kFriction);
  return scene;
}

// Set down sliding at v0 mu g slows it and spins it until it rolls, at 5/7 v0, after 0.146 s (test_space).
void expect_sliding_and_rolling(wire::Law law, float rounding) {
  const wire::Configure scene = ball(law, {kSpeed, 0, 0, 0, 0, 0});
  const wire::Prediction sliding = run(scene, 100);
  TEST_ASSERT_EQUAL_UINT32(2, sliding.contacts(0).mode());
  TEST_ASSERT_FLOAT_WITHIN(2e-3F, kSpeed - kFriction * kGravity * 0.1F, sliding.velocity(0));
  TEST_ASSERT_FLOAT_WITHIN(rounding * kFriction * kGravity, kFriction * kGravity,
                           std::hypot(sliding.contacts(0).force(1), sliding.contacts(0).force(2)));
  const wire::Prediction rolling = run(scene, 200);
  TEST_ASSERT_EQUAL_UINT32(1, rolling.contacts(0).mode());
  TEST_ASSERT_FLOAT_WITHIN(3e-3F, 5.0F / 7 * kSpeed, rolling.velocity(0));
  TEST_ASSERT_FLOAT_WITHIN(1e-3F, rolling.velocity(0), rolling.velocity(4) * kRadius);
}

// Boxes, or balls, on the ground and each other. Of so many contacts no law but the pyramid's guess
// has a step in time; from `height` up they fall free of each other.
wire::Configure crowd(wire::Law law, float height, int bodies = 3) {
  wire::Configure scene = empty_scene();
  scene.set_law(law);
  scene.set_facets(4);
  scene.set_failures_to_latch(1000);
  const bool balls = law == wire::IMPLICIT;
  for (int i = 0; i < bodies; ++i) {
    const float up = kRadius + height + (height > 0 ? 1 : 2) * kRadius * static_cast<float>(i);
    add_body(scene, balls ? wire::SPHERE : wire::BOX, {kRadius, kRadius, kRadius}, 0.01F,
             {height * static_cast<float>(i), 0, up, 1, 0, 0, 0}, {1, 0, 0, 0, 0, 0}, kFriction);
    if (balls) scene.mutable_bodies(i + 1)->mutable_shape()->mutable_size()->Truncate(1);
    if (i > 0) scene.mutable_contacts(i)->set_a(static_cast<std::uint32_t>(i));
  }
  return scene;
}

void expect_refusal(const wire::Configure& scene, const char* why) {
  Board board = Board::boot(options);
  const wire::Configured answer = board.configure(scene);
  TEST_ASSERT_FALSE(answer.accepted());
  TEST_ASSERT_TRUE_MESSAGE(answer.reason().find(why) != std::string::npos, answer.reason().c_str());
  // And nothing is predicted.
  wire::State state;
  state.set_tick(1);
  *state.mutable_pose() = scene.bodies(1).pose();
  *state.mutable_velocity() = scene.bodies(1).velocity();
  TEST_ASSERT_EQUAL_STRING("NO_PREDICTION", wire::Verdict_Name(board.step(state).verdict()).c_str());
}

// A beat of the M4F has no time for the rows of two bodies.
bool is_slow() {
  Board board = Board::boot(options);
  return board.hello().counts_per_second() / board.hello().beat_hertz() < 100'000;
}

// From 300 states in which they are pushed into each other at random: no answer is late, each is the host's
// own in every bit, and what is cut is said to be.
void expect_never_late(wire::Law law) {
  Board board = Board::boot(options);
  const int bodies = is_slow() ? 1 : 2;
  const wire::Configure scene = crowd(law, 1, bodies);
  host::link::Mirror mirror;
  const wire::Configured configured = board.configure(scene);
  TEST_ASSERT_TRUE_MESSAGE(configured.accepted(), configured.reason().c_str());
  mirror.configure(scene.SerializeAsString());
  std::uint32_t bits = 1, cut = 0, worst = 0, uncertified = 0;
  const auto random = [&](float most) {
    bits = bits * 1664525U + 1013904223U;
    return most * (static_cast<float>(bits >> 8) / 8388608.0F - 1);
  };
  for (std::uint32_t k = 1; k <= 300; ++k) {
    wire::State state;
    state.set_tick(k);
    const wire::Configure touching = crowd(law, 0, bodies);
    for (int i = 1; i < touching.bodies_size(); ++i) {
      const auto& pose = touching.bodies(i).pose();
      float turn[3], square = 1;
      for (int c = 0; c < 3; ++c) {
        state.add_pose(pose[c] + random(1e-3F));
        turn[c] = random(0.02F);
        square += turn[c] * turn[c];
      }
      state.add_pose(1 / std::sqrt(square));
      for (const float t : turn) state.add_pose(t / std::sqrt(square));
      for (int c = 0; c < 6; ++c) state.add_velocity(random(c < 3 ? 1.0F : 10.0F));
    }
    const wire::Prediction answer = board.step(state);
    worst = std::max(worst, answer.counts());
    TEST_ASSERT_FALSE_MESSAGE(answer.missed_deadline(), answer.ShortDebugString().c_str());
    wire::Prediction mirrored;
    mirrored.ParseFromString(mirror.step(state.SerializeAsString(), answer.SerializeAsString()));
    TEST_ASSERT_EQUAL_UINT32(mirrored.systems(), answer.systems());
    if (answer.reason() == wire::OUT_OF_TIME) ++cut;
    const bool own = answer.verdict() == wire::CERTIFIED || answer.verdict() == wire::DEGRADED;
    if (answer.verdict() != wire::CERTIFIED) ++uncertified;
    if (!own) {
      TEST_ASSERT_EQUAL_INT_MESSAGE(
          mirrored.reason(), answer.reason(),
          (std::to_string(k) + answer.ShortDebugString() + mirrored.ShortDebugString()).c_str());
      continue;
    }
    mirrored.set_counts(answer.counts());
    TEST_ASSERT_TRUE(mirrored.SerializeAsString() == answer.SerializeAsString());
  }
  std::printf("%s: of 300 %u cut, %u uncertified, worst %u counts\n", wire::Law_Name(law).c_str(), cut,
              uncertified, worst);
  TEST_ASSERT_EQUAL_UINT32(0, board.health().missed_deadlines());
  TEST_ASSERT_GREATER_THAN_UINT32(0, cut);
}

}  // namespace

void setUp() {}
void tearDown() {}

void test_hello_names_the_laws() {
  std::vector<int> expected{wire::BY_CONTACT};
  if (has_cone) expected.insert(expected.end(), {wire::RELAXED_CONE, wire::CONE});
  if (has_implicit) expected.push_back(wire::IMPLICIT);
  Board board = Board::boot(options);
  const auto& laws = board.hello().laws();
  TEST_ASSERT_TRUE(std::equal(expected.begin(), expected.end(), laws.begin(), laws.end()));
}

void test_cone() {
  if (has_cone)
    expect_sliding_and_rolling(wire::CONE, 1e-5F);
  else
    expect_refusal(ball(wire::CONE, {kSpeed, 0, 0, 0, 0, 0}), "built without this law");
}

// Negrut's artefact: s_n = mu s_T with s_n = L - g h, s_T = v0 - 3.5 mu L (1/m + r^2/I = 3.5/m), L the normal
// impulse of 1 kg, so L = (mu v0 + g h) / (1 + 3.5 mu^2).
void test_relaxed_cone() {
  const wire::Configure scene = ball(wire::RELAXED_CONE, {kSpeed, 0, 0, 0, 0, 0});
  if (!has_cone) return expect_refusal(scene, "built without this law");
  const float impulse = (kFriction * kSpeed + kGravity * kStep) / (1 + 3.5F * kFriction * kFriction);
  const wire::Prediction answer = run(scene, 1);
  TEST_ASSERT_FLOAT_WITHIN(1e-5F, impulse - kGravity * kStep, answer.velocity(2));
  TEST_ASSERT_FLOAT_WITHIN(1e-5F, kSpeed - kFriction * impulse, answer.velocity(0));
}

// The cone's modes are found without a path: a budget of one pivot is enough.
void test_cone_needs_no_pivots() {
  if (!has_cone) return expect_refusal(ball(wire::CONE, {0, 0, 0, 0, 0, 0}), "built without this law");
  wire::Configure scene = ball(wire::CONE, {kSpeed, 0.3F, -0.4F, 0, 20, 5});
  scene.set_pivot_budget(1);
  Board board = Board::boot(options);
  TEST_ASSERT_TRUE(board.configure(scene).accepted());
  wire::State state;
  state.set_tick(1);
  *state.mutable_pose() = scene.bodies(1).pose();
  *state.mutable_velocity() = scene.bodies(1).velocity();
  const wire::Prediction answer = board.step(state);
  TEST_ASSERT_EQUAL_STRING("CERTIFIED", wire::Verdict_Name(answer.verdict()).c_str());
  TEST_ASSERT_EQUAL_UINT32(0, answer.pivots());
}

// By the implicit law it rolls without an edge, and with torsion a spin dies: the moment is mu e_r m g, so
// omega falls by mu e_r g / (0.4 r^2) each second.
void test_implicit() {
  if (!has_implicit)
    return expect_refusal(ball(wire::IMPLICIT, {0, 0, 0, 0, 0, 0}), "built without this law");
  expect_sliding_and_rolling(wire::IMPLICIT, kRounding);
  constexpr float e_r = 0.04F, spin = 10;
  wire::Configure scene = ball(wire::IMPLICIT, {0, 0, 0, 0, 0, spin});
  for (const float e : {1.0F, 1.0F, e_r}) scene.mutable_contacts(0)->add_ellipsoid(e);
  const wire::Prediction answer = run(scene, 100);
  const float moment = kFriction * e_r * kGravity;
  TEST_ASSERT_FLOAT_WITHIN(kRounding * moment, -moment, answer.contacts(0).torsion());
  TEST_ASSERT_FLOAT_WITHIN(1e-3F, spin - 0.1F * kFriction * e_r * kGravity / (0.4F * kRadius * kRadius),
                           answer.velocity(5));
  TEST_ASSERT_FLOAT_WITHIN(1e-6F, 0, answer.contacts(0).gap());
}

void test_implicit_refuses_what_it_has_not() {
  if (!has_implicit) return;
  wire::Configure scene = ball(wire::IMPLICIT, {0, 0, 0, 0, 0, 0});
  scene.mutable_contacts(0)->set_restitution(0.5F);
  expect_refusal(scene, "inelastic");
  scene = ball(wire::IMPLICIT, {0, 0, 0, 0, 0, 0});
  scene.mutable_contacts(0)->set_friction_static(0.5F);
  expect_refusal(scene, "one constant coefficient");
  scene = ball(wire::IMPLICIT, {0, 0, 0, 0, 0, 0});
  scene.mutable_contacts(0)->mutable_patch()->set_stiffness(1e4F);
  expect_refusal(scene, "no patches");
  scene = ball(wire::IMPLICIT, {0, 0, 0, 0, 0, 0});
  scene.mutable_bodies(1)->mutable_shape()->set_kind(wire::CAPSULE);
  scene.mutable_bodies(1)->mutable_shape()->add_size(0.1F);
  expect_refusal(scene, "no intersection");
  scene = ball(wire::IMPLICIT, {0, 0, 0, 0, 0, 0});
  wire::Joint* joint = scene.add_joints();
  joint->set_b(1);
  for (int i = 0; i < 3; ++i) joint->add_anchor(0);
  expect_refusal(scene, "no joints");
}

void test_a_pyramid_has_no_torsion() {
  wire::Configure scene = ball(wire::BY_CONTACT, {0, 0, 0, 0, 0, 0});
  for (int i = 0; i < 3; ++i) scene.mutable_contacts(0)->add_ellipsoid(1);
  expect_refusal(scene, "ellipsoids");
}

void test_a_law_without_time_is_refused() {
  // A beat of the M7 has the time for the cone's modes.
  const char* const why = "A first answer from this state may take";
  if (has_cone && is_slow()) expect_refusal(crowd(wire::CONE, 0), why);
  if (has_cone && is_slow()) expect_refusal(crowd(wire::RELAXED_CONE, 1, 1), why);
  if (has_implicit) expect_refusal(crowd(wire::IMPLICIT, 0), why);
}

void test_never_late() {
  expect_never_late(wire::BY_CONTACT);
  if (has_cone && !is_slow()) expect_never_late(wire::RELAXED_CONE);
  if (has_cone) expect_never_late(wire::CONE);
  if (has_implicit) expect_never_late(wire::IMPLICIT);
}

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: test_laws IMAGE LAW...\n");
    return 2;
  }
  options.image = argv[1];
  for (int i = 2; i < argc; ++i) {
    has_cone = has_cone || std::strcmp(argv[i], "cone") == 0;
    has_implicit = has_implicit || std::strcmp(argv[i], "implicit") == 0;
  }
  UNITY_BEGIN();
  RUN_TEST(test_hello_names_the_laws);
  RUN_TEST(test_cone);
  RUN_TEST(test_relaxed_cone);
  RUN_TEST(test_cone_needs_no_pivots);
  RUN_TEST(test_implicit);
  RUN_TEST(test_implicit_refuses_what_it_has_not);
  RUN_TEST(test_a_pyramid_has_no_torsion);
  RUN_TEST(test_a_law_without_time_is_refused);
  RUN_TEST(test_never_late);
  return UNITY_END();
}
