// test_uniqueness IMAGE: Painleve's rod from 500 starts on a board: PREDICTION says ambiguous and impulse
// where an enumeration does, if CONFIGURE asks, and in bits what the host's own engine says; and what it
// costs.
#include <cmath>

#include "tests/corpus/painleve_rod.hpp"
#include "tests/hil/space.hpp"

namespace {

using namespace tactus;
using namespace tactus::hil;
using corpus::PainleveRod;

wire::Configure scene_of(const PainleveRod& rod, bool asks) {
  wire::Configure scene;
  scene.set_plane(true);
  for (const float g : {0.0F, -kGravity}) scene.add_gravity(g);
  scene.set_step(static_cast<float>(PainleveRod::kStep));
  scene.set_horizon(1);
  scene.set_uniqueness(asks);
  wire::Body* floor = scene.add_bodies();
  floor->mutable_shape()->set_kind(wire::HALF_SPACE);
  for (const float n : {0.0F, 1.0F}) floor->mutable_shape()->add_size(n);
  for (const float p : {0.0F, 0.0F, 0.0F}) floor->add_pose(p);
  wire::Body* body = scene.add_bodies();
  body->mutable_shape()->set_kind(wire::ROD);
  body->mutable_shape()->add_size(static_cast<float>(PainleveRod::kLength));
  body->set_mass(static_cast<float>(PainleveRod::kMass));
  body->add_inertia(static_cast<float>(PainleveRod::kInertia));
  for (const double x : rod.pose()) body->add_pose(static_cast<float>(x));
  wire::Contact* contact = scene.add_contacts();
  contact->set_a(0);
  contact->set_b(1);
  contact->set_friction(static_cast<float>(rod.mu));
  return scene;
}

wire::State state_of(const PainleveRod& rod, std::uint32_t tick) {
  wire::State state;
  state.set_tick(tick);
  for (const double x : rod.pose()) state.add_pose(static_cast<float>(x));
  for (const double v : rod.velocity()) state.add_velocity(static_cast<float>(v));
  for (const double f : {0.0, rod.load, 0.0}) state.add_force(static_cast<float>(f));
  return state;
}

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
        const wire::Configure scene = scene_of(rod, asks);
        const wire::Configured configured = board.configure(scene);
        TEST_ASSERT_TRUE_MESSAGE(configured.accepted(), configured.reason().c_str());
        mirror.configure(scene.SerializeAsString());
      }
      const wire::State state = state_of(rod, ++tick);
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
