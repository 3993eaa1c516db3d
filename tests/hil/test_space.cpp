// test_space IMAGE: scenes in space, of which what the bodies do is checked against what it must be.
#include <cmath>

#include "tests/hil/space.hpp"

namespace {

using namespace tactus;
using namespace tactus::hil;

}  // namespace

void setUp() {}
void tearDown() {}

// A sphere set down sliding, without spin, at v0 along x: mu g slows it and spins it until it rolls, at 5/7
// v0, after 2 v0 / (7 mu g) = 0.146 s; then it goes on rolling.
void test_sphere_slides_and_then_rolls() {
  wire::Configure scene = empty_scene();
  const float r = 0.1F, speed = 1.0F, mu = 0.2F;
  add_body(scene, wire::SPHERE, {r}, 0.4F * r * r, {0, 0, r, 1, 0, 0, 0}, {speed, 0, 0, 0, 0, 0}, mu);
  const wire::Prediction sliding = run(scene, 100);
  TEST_ASSERT_EQUAL_UINT32(2, sliding.contacts(0).mode());
  TEST_ASSERT_FLOAT_WITHIN(2e-3F, speed - mu * kGravity * 0.1F, sliding.velocity(0));
  TEST_ASSERT_FLOAT_WITHIN(0.01F * mu * kGravity, mu * kGravity,
                           std::hypot(sliding.contacts(0).force(1), sliding.contacts(0).force(2)));
  const wire::Prediction rolling = run(scene, 200);
  TEST_ASSERT_EQUAL_UINT32(1, rolling.contacts(0).mode());
  TEST_ASSERT_FLOAT_WITHIN(3e-3F, 5.0F / 7 * speed, rolling.velocity(0));
  TEST_ASSERT_FLOAT_WITHIN(1e-3F, rolling.velocity(0), rolling.velocity(4) * r);
  TEST_ASSERT_FLOAT_WITHIN(1e-3F, kGravity, rolling.contacts(0).force(0));
}

// A sphere let go 0.1 m above the ground: the contact is open while it falls, and closed when it lies.
void test_sphere_falls_and_stays() {
  wire::Configure scene = empty_scene();
  const float r = 0.1F, height = 0.1F;
  add_body(scene, wire::SPHERE, {r}, 0.4F * r * r, {0, 0, r + height, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, 0.3F);
  const wire::Prediction falling = run(scene, 100);
  TEST_ASSERT_EQUAL_UINT32(0, falling.contacts(0).mode());
  TEST_ASSERT_FLOAT_WITHIN(1e-4F, -kGravity * 0.1F, falling.velocity(2));
  const wire::Prediction lying = run(scene, 300);  // it falls for sqrt(2 h / g) = 0.143 s
  TEST_ASSERT_EQUAL_UINT32(1, lying.contacts(0).mode());
  TEST_ASSERT_FLOAT_WITHIN(1e-4F, r, lying.pose(2));
  TEST_ASSERT_FLOAT_WITHIN(1e-3F, kGravity, lying.contacts(0).force(0));
}

// A sphere on a massless arm of length l, level, on a hinge along y: m g l = (I + m l^2) alpha, so after k
// small steps it turns at k h alpha. The hinge holds its distance.
void test_pendulum_hangs_on_its_hinge() {
  wire::Configure scene = empty_scene();
  const float r = 0.1F, l = 0.5F, height = 2.0F, inertia = 0.4F * r * r;
  add_body(scene, wire::SPHERE, {r}, inertia, {l, 0, height, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, 0.3F);
  wire::Joint* hinge = scene.add_joints();
  hinge->set_kind(wire::JOINT_REVOLUTE);
  hinge->set_b(1);
  for (const float x : {0.0F, 0.0F, height}) hinge->add_anchor(x);
  for (const float x : {0.0F, 1.0F, 0.0F}) hinge->add_axis(x);
  const float alpha = kGravity * l / (inertia + l * l);
  const wire::Prediction start = run(scene, 10);
  TEST_ASSERT_FLOAT_WITHIN(1e-3F * alpha * 10 * kStep, 10 * kStep * alpha, start.velocity(4));
  const wire::Prediction later = run(scene, 300);
  TEST_ASSERT_FLOAT_WITHIN(1e-4F, l, std::hypot(later.pose(0), later.pose(2) - height));
  const float drop = height - later.pose(2),
              omega = later.velocity(4);  // energy: omega^2 / 2 = alpha drop / l
  TEST_ASSERT_TRUE(drop > 0.3F);
  TEST_ASSERT_FLOAT_WITHIN(0.01F * omega * omega, 2 * alpha * drop / l, omega * omega);
  TEST_ASSERT_FLOAT_WITHIN(1e-5F, 0, later.pose(1));
}

// The other space's scenes are refused, and a state whose quaternion is no rotation gets the last good
// prediction.
void test_what_space_refuses() {
  Board board = Board::boot(options);
  wire::Configure scene = empty_scene();
  add_body(scene, wire::DISC, {0.1F}, 1e-3F, {0, 0, 0.1F, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, 0.3F);
  TEST_ASSERT_FALSE(board.configure(scene).accepted());
  scene.mutable_bodies(1)->mutable_shape()->set_kind(wire::SPHERE);
  TEST_ASSERT_TRUE(board.configure(scene).accepted());
  wire::State state;
  state.set_tick(1);
  for (const float p : {0.0F, 0.0F, 0.1F, 0.5F, 0.0F, 0.0F, 0.0F}) state.add_pose(p);
  for (int i = 0; i < 6; ++i) state.add_velocity(0);
  const wire::Prediction answer = board.step(state);
  TEST_ASSERT_EQUAL_STRING("BAD_STATE", wire::Reason_Name(answer.reason()).c_str());
  scene.set_facets(5);
  TEST_ASSERT_FALSE(board.configure(scene).accepted());
  scene.set_facets(8);
  scene.mutable_bodies(1)->set_pose(3, 2);
  TEST_ASSERT_FALSE(board.configure(scene).accepted());
}

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: test_space IMAGE\n");
    return 2;
  }
  options.image = argv[1];
  UNITY_BEGIN();
  RUN_TEST(test_sphere_slides_and_then_rolls);
  RUN_TEST(test_sphere_falls_and_stays);
  RUN_TEST(test_pendulum_hangs_on_its_hinge);
  RUN_TEST(test_what_space_refuses);
  return UNITY_END();
}
