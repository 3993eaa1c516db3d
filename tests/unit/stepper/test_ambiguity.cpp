// stepper/ambiguity.hpp: Painleve's rod from 500 starts against a closed form, in both precisions; two
// contacts whose answers multiply; what is not sought; a clock.
#include <cmath>

#include "tactus/plane.hpp"
#include "tactus/stepper/ambiguity.hpp"
#include "tests/corpus/painleve_rod.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;
using corpus::PainleveRod;

namespace {

constexpr Capacity kSize{.bodies = 5, .contacts = 3, .slots = 12, .active = 6};

template <class Scalar>
struct Stage {
  static inline World<Scalar, 2, kSize> world;
  static inline Workspace<Scalar, 2, kSize> workspace;

  static void begin() {
    world = {};
    TEST_ASSERT_FALSE(configure(world, Scalar(PainleveRod::kStep),
                                math::Vector<Scalar, 2>(0, Scalar(-PainleveRod::kGravity)), {}));
    BodyDescription<Scalar, 2> floor;
    floor.shape = geometry::half_space<Scalar>(math::Vector<Scalar, 2>(0, 1), Scalar(0));
    int index = 0;
    TEST_ASSERT_FALSE(add_body(world, floor, index));
  }
  // At x = along; touches the floor.
  static void add(const PainleveRod& rod, double along) {
    BodyDescription<Scalar, 2> body;
    body.shape = geometry::rod<Scalar>(Scalar(PainleveRod::kLength));
    body.mass = Scalar(PainleveRod::kMass);
    body.inertia(0, 0) = Scalar(PainleveRod::kInertia);
    const auto pose = rod.pose(), v = rod.velocity();
    body.pose = {Scalar(pose[0] + along), Scalar(pose[1]), Scalar(pose[2])};
    body.velocity.linear = {Scalar(v[0]), Scalar(v[1])};
    body.velocity.angular[0] = Scalar(v[2]);
    body.force.linear[1] = Scalar(rod.load);
    int index = 0;
    TEST_ASSERT_FALSE(add_body(world, body, index));
    ContactDescription<Scalar, 2> contact;
    contact.a = 0;
    contact.b = index;
    contact.friction.kinetic = Scalar(rod.mu);
    TEST_ASSERT_FALSE(add_contact(world, contact, index));
  }
  template <Clock Time = const NoClock>
  static Ambiguity look(Time& clock = kNoClock) {
    const auto before = world.state;
    TEST_ASSERT_TRUE(step(world, workspace).status == StepStatus::solved);
    return ambiguity(world.model, before, workspace, clock);
  }
};

template <class Scalar>
void rods() {
  int several = 0, impulses = 0;
  for (int k = 0; k < PainleveRod::kStarts; ++k) {
    const PainleveRod rod(k);
    Stage<Scalar>::begin();
    Stage<Scalar>::add(rod, 0);
    const Ambiguity seen = Stage<Scalar>::look();
    TEST_ASSERT_TRUE(seen.sought);
    TEST_ASSERT_EQUAL_INT_MESSAGE(rod.motions() > 1, seen.several, "several");
    TEST_ASSERT_EQUAL_INT_MESSAGE(rod.impulse(), seen.impulse, "impulse");
    several += seen.several ? 1 : 0;
    impulses += seen.impulse ? 1 : 0;
  }
  TEST_ASSERT_GREATER_THAN_INT(20, several);
  TEST_ASSERT_GREATER_THAN_INT(20, impulses);
}
void rods_in_double() {
  rods<double>();
}
void rods_in_float() {
  rods<float>();
}

// Rods that do not feel each other are islands of their own: one of them is enough.
void islands() {
  for (int k = 0; k < PainleveRod::kStarts; k += 7) {
    const PainleveRod one(k), other((k * 3 + 5) % PainleveRod::kStarts);
    Stage<float>::begin();
    Stage<float>::add(one, 0);
    Stage<float>::add(other, 5);
    const Ambiguity seen = Stage<float>::look();
    TEST_ASSERT_TRUE(seen.sought);
    TEST_ASSERT_EQUAL_INT(one.motions() > 1 || other.motions() > 1, seen.several);
    TEST_ASSERT_EQUAL_INT(one.impulse() || other.impulse(), seen.impulse);
  }
}

// A box that slides, brakes and rests: one motion, and nothing bounded is missing. That it comes to rest
// within a step is no impulse.
void a_box() {
  using S = Stage<float>;
  for (const double v : {0.0, 0.002, 0.004, 1.0}) {
    S::begin();
    BodyDescription<float, 2> box;
    box.shape = geometry::box<float>(0.2F, 0.1F);
    box.mass = 1;
    box.inertia(0, 0) = 0.1F;
    box.pose = {0.0F, 0.1F, 0.0F};
    box.velocity.linear[0] = static_cast<float>(v);
    int index = 0;
    TEST_ASSERT_FALSE(add_body(S::world, box, index));
    ContactDescription<float, 2> contact;
    contact.a = 0;
    contact.b = index;
    contact.friction.kinetic = 0.5F;
    TEST_ASSERT_FALSE(add_contact(S::world, contact, index));
    const Ambiguity seen = S::look();
    TEST_ASSERT_TRUE(seen.sought);
    TEST_ASSERT_FALSE(seen.several || seen.impulse);
  }
}

// A clock that has no time left: nothing is said.
void out_of_time() {
  Stage<float>::begin();
  Stage<float>::add(PainleveRod(400), 0);
  Grants none(0);
  const Ambiguity seen = Stage<float>::look(none);
  TEST_ASSERT_FALSE(seen.sought || seen.several || seen.impulse);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(rods_in_double);
  RUN_TEST(rods_in_float);
  RUN_TEST(islands);
  RUN_TEST(a_box);
  RUN_TEST(out_of_time);
  return UNITY_END();
}
