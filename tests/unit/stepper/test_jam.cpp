// What a step says and does where its LCP ends on a ray: bodies that penetrate and cannot be pushed apart.
#include <cmath>

#include "tactus/tactus.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;

namespace {

constexpr Capacity kDisc{.bodies = 3, .contacts = 2, .slots = 2, .active = 2};

template <class Scalar>
struct Rig {
  World<Scalar, 2, kDisc> world{};
  Workspace<Scalar, 2, kDisc> workspace;

  // A disc between two half-spaces whose normals and offsets are given.
  Rig(Scalar radius, Scalar mass, Scalar y, Scalar mu, const math::Vector2<Scalar> (&normal)[2],
      Scalar offset) {
    int index = 0;
    good = configure<Scalar, 2, kDisc>(world, Scalar(1e-3), {0, Scalar(-9.81)}) == What::none;
    for (int i = 0; i < 2; ++i) {
      BodyDescription<Scalar, 2> wall;
      wall.shape = geometry::half_space<Scalar>(normal[i], i == 0 ? Scalar(0) : offset);
      good = good && add_body(world, wall, index) == What::none;
    }
    BodyDescription<Scalar, 2> disc;
    disc.mass = mass;
    disc.inertia(0, 0) = mass * radius * radius / 2;
    disc.shape = geometry::disc(radius);
    disc.pose.y = y;
    good = good && add_body(world, disc, index) == What::none;
    for (int i = 0; i < 2; ++i) {
      ContactDescription<Scalar, 2> contact;
      contact.a = i;
      contact.b = 2;
      contact.friction.kinetic = mu;
      good = good && add_contact(world, contact, index) == What::none;
    }
  }
  bool good = false;
};

// A disc of 0.11 m between a floor and a ceiling 0.2 m apart. Both rows ask for s_n >= 0.01 m / h, and their
// sum is -0.02 m / h whatever the forces: there is no answer, and equal forces on both sides are the ray. The
// step says so, and answers with the bodies left in each other: nothing moves but what gravity adds to the
// floor.
template <class Scalar>
void too_thick_a_disc() {
  const math::Vector2<Scalar> normal[2] = {{Scalar(0), Scalar(1)}, {Scalar(0), Scalar(-1)}};
  for (const Scalar mass : {Scalar(1e-3), Scalar(1), Scalar(1e3)}) {
    Rig<Scalar> rig(Scalar(0.11), mass, Scalar(0.1), Scalar(0.3), normal, Scalar(-0.2));
    TEST_ASSERT_TRUE(rig.good);
    rig.world.state.velocity[2].linear[0] = 1;
    const auto report = step(rig.world, rig.workspace);
    TEST_ASSERT_EQUAL_INT(static_cast<int>(StepStatus::degraded), static_cast<int>(report.status));
    TEST_ASSERT_EQUAL_INT(static_cast<int>(StepReason::jam), static_cast<int>(report.reason));
    TEST_ASSERT_TRUE(std::abs(rig.world.state.velocity[2].linear[1]) <
                     Scalar(1e-5));  // of 1 m/s: what a float step certifies
    TEST_ASSERT_TRUE(std::abs(rig.world.state.pose[2].y - Scalar(0.1)) < Scalar(1e-7));
    // Friction of the floor slows it, mu m g at least; the pinch is free to add to it.
    TEST_ASSERT_TRUE(rig.world.state.velocity[2].linear[0] < Scalar(1 - 0.3 * 9.81e-3 * 0.99));
    const Scalar weight = mass * Scalar(9.81);
    TEST_ASSERT_TRUE(std::abs(report.contact[0].force[0] - report.contact[1].force[0] - weight) <
                     Scalar(1e-3) * weight);
  }
}

// A disc that has come to rest in a steep groove is wedged: tan(0.2) < mu. Its gaps are zero but for
// rounding, and what rounding there is asks it apart, which a wedge cannot obey. That is no jam: it is at
// rest.
template <class Scalar>
void wedged_disc_rests() {
  const Scalar s = std::sin(Scalar(0.2)), c = std::cos(Scalar(0.2)), radius = Scalar(0.1);
  const math::Vector2<Scalar> normal[2] = {{c, s}, {-c, s}};
  Rig<Scalar> rig(radius, Scalar(1), radius / s + Scalar(0.02), Scalar(0.5), normal, Scalar(0));
  TEST_ASSERT_TRUE(rig.good);
  rig.world.state.pose[2].x = Scalar(0.001);
  rig.world.state.velocity[2].linear[1] = -1;
  rig.world.state.velocity[2].angular[0] = 3;
  for (int k = 0; k < 500; ++k)
    TEST_ASSERT_EQUAL_STRING(sentence(StepReason::none), sentence(step(rig.world, rig.workspace).reason));
  TEST_ASSERT_TRUE(std::abs(rig.world.state.velocity[2].linear[1]) < Scalar(1e-5));
  TEST_ASSERT_TRUE(std::abs(rig.world.state.pose[2].y - radius / s) < Scalar(1e-4));
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(too_thick_a_disc<float>);
  RUN_TEST(too_thick_a_disc<double>);
  RUN_TEST(wedged_disc_rests<float>);
  RUN_TEST(wedged_disc_rests<double>);
  return UNITY_END();
}
