// The step in rows: hard states of an arm, boxes that slide and tumble, and random states that no scene has.
// What it calls solved is finite and keeps the momentum of each body, from the data before and the velocities
// after; what it calls failed leaves the state as it was, byte for byte.
#include <cmath>
#include <cstring>

#include "tactus/step/step.hpp"
#include "tactus/stepper/build.hpp"
#include "tests/corpus/friction_box.hpp"
#include "tests/unit/stepper/finger_steps.hpp"
#include "tests/unit/tell.hpp"
#include "unity.h"

using namespace tactus;
namespace fingers = finger;

namespace {

// 12,000 steps with friction and limits in every joint and a tip pressed on a table: an answer exists for
// each, since gaps are not negative and limits are kept. Without fused operations a build rounds otherwise.
template <class Scalar>
void finds_arms_and_contacts_together() {
  static stepper::World<Scalar, 3, fingers::kSize> world;
  static step::Workspace<Scalar, 3, fingers::kSize> workspace;
  fingers::Draw draw;
  int solved = 0;
  for (int k = 0; k < fingers::kStates; ++k) {
    TEST_ASSERT_TRUE(fingers::build(world, draw.next(k)));
    for (int s = 0; s < fingers::kSteps; ++s)
      solved += step::step(world, workspace).status == step::StepStatus::solved ? 1 : 0;
  }
  tell::figure("steps solved, of 12,000:", static_cast<std::uint32_t>(solved));
  TEST_ASSERT_GREATER_OR_EQUAL_INT(fingers::kStates * fingers::kSteps - 10, solved);
}

constexpr stepper::Capacity kBox{.bodies = 3, .contacts = 3, .slots = 24, .active = 12, .unknowns = 72};
template <class Scalar>
using World = stepper::World<Scalar, 3, kBox>;
template <class Scalar>
using V = math::Vector<Scalar, 3>;

template <class Scalar>
bool add_box(World<Scalar>& world, double mass, const V<double>& half, const V<double>& place) {
  stepper::BodyDescription<Scalar, 3> box;
  box.mass = static_cast<Scalar>(mass);
  const V<double> square = half.cwiseProduct(half);
  for (int k = 0; k < 3; ++k)
    box.inertia(k, k) = static_cast<Scalar>(mass / 3 * (square[(k + 1) % 3] + square[(k + 2) % 3]));
  box.shape = geometry::box<Scalar>(static_cast<Scalar>(half[0]), static_cast<Scalar>(half[1]),
                                    static_cast<Scalar>(half[2]));
  box.pose.position = place.cast<Scalar>();
  int index = 0;
  return add_body(world, box, index).what == What::none;
}

template <class Scalar>
bool add_floor(World<Scalar>& world, double h) {
  world = {};
  stepper::BodyDescription<Scalar, 3> floor;
  floor.shape = geometry::half_space<Scalar>(V<Scalar>(0, 0, 1), Scalar(0));
  int index = 0;
  return configure(world, static_cast<Scalar>(h), V<Scalar>(0, 0, Scalar(-9.81))).what == What::none &&
         add_body(world, floor, index).what == What::none;
}

template <class Scalar>
bool touch(World<Scalar>& world, int a, int b, double mu) {
  int index = 0;
  return add_contact(world, {.a = a, .b = b, .friction{.kinetic = static_cast<Scalar>(mu)}}, index).what ==
         What::none;
}

// Thrown boxes land on corners and edges, slide, spin and come to rest. One step in a thousand may be
// flagged.
void boxes_slide_and_come_to_rest() {
  int uncertified = 0;
  static World<double> world;
  static step::Workspace<double, 3, kBox> workspace;
  corpus::Random random(7);
  for (int run = 0; run < 20; ++run) {
    TEST_ASSERT_TRUE(add_floor(world, 1e-3));
    TEST_ASSERT_TRUE(add_box(world, 1, V<double>(0.1, 0.05, 0.08), V<double>(0, 0, 0.2)));
    TEST_ASSERT_TRUE(touch(world, 0, 1, random.uniform(0.1, 1)));
    for (int k = 0; k < 3; ++k) {
      world.state.velocity[1].linear[k] = k < 2 ? random.uniform(-2, 2) : 0;
      world.state.velocity[1].angular[k] = random.uniform(-5, 5);
    }
    for (int k = 0; k < 1500; ++k) {
      const auto status = step::step(world, workspace).status;
      TEST_ASSERT_TRUE(status != step::StepStatus::failed);
      uncertified += status == step::StepStatus::solved ? 0 : 1;
    }
    const auto& v = world.state.velocity[1];
    TEST_ASSERT_TRUE(v.linear.norm() + v.angular.norm() < 1e-9);
  }
  tell::figure("steps of 30,000 that are flagged:", static_cast<std::uint32_t>(uncertified));
  TEST_ASSERT_LESS_OR_EQUAL_INT(30, uncertified);
}

// A number of any size: one in four beyond what bodies do, some beyond what float can square.
double any(corpus::Random& random) {
  const double range = random.uniform(0, 1);
  const double exponent = range < 0.75 ? random.uniform(-3, 1) : random.uniform(-30, 37);
  return (random.uniform(-1, 1) < 0 ? -1 : 1) * std::pow(10.0, exponent);
}

template <class Scalar>
void answers_honestly() {
  static World<Scalar> world;
  static step::Workspace<Scalar, 3, kBox> workspace;
  static stepper::State<Scalar, 3, kBox> before;
  corpus::Random random(11);
  int solved = 0, failed = 0;
  for (int run = 0; run < 4000; ++run) {
    const double h = std::pow(10.0, random.uniform(-5, -1));
    TEST_ASSERT_TRUE(add_floor(world, h));
    for (const double at : {-0.3, 0.3})
      TEST_ASSERT_TRUE(add_box(world, std::pow(10.0, random.uniform(-3, 3)),
                               V<double>(0.2, random.uniform(0.05, 0.3), 0.1),
                               V<double>(at, random.uniform(-0.1, 0.1), random.uniform(0.05, 0.2))));
    TEST_ASSERT_TRUE(touch(world, 0, 1, random.uniform(0, 1)) && touch(world, 0, 2, random.uniform(0, 1)) &&
                     touch(world, 1, 2, random.uniform(0, 1)));
    for (const std::size_t body : {1U, 2U})
      for (int k = 0; k < 3; ++k) {
        world.state.velocity[body].linear[k] = static_cast<Scalar>(any(random));
        world.state.velocity[body].angular[k] = static_cast<Scalar>(random.uniform(-20, 20));
        world.state.force[body].linear[k] = static_cast<Scalar>(any(random));
      }
    std::memcpy(static_cast<void*>(&before), &world.state, sizeof before);
    const auto report = step::step(world, workspace);
    if (report.status == step::StepStatus::failed) {
      ++failed;
      TEST_ASSERT_EQUAL_INT(0, std::memcmp(&before, &world.state, sizeof before));
    }
    if (report.status != step::StepStatus::solved) continue;
    ++solved;
    for (const std::size_t body : {1U, 2U}) {
      const double mass = static_cast<double>(world.model.inertia[body].mass);
      for (int k = 0; k < 3; ++k) {
        const auto of = [&](const auto& motion) { return static_cast<double>(motion.linear[k]); };
        const double v = of(world.state.velocity[body]), u = of(before.velocity[body]);
        const double force = of(before.force[body]) - (k == 2 ? mass * 9.81 : 0);
        const double impulse = of(workspace.next.impulse[body]);
        TEST_ASSERT_TRUE(std::isfinite(v));
        const double unit = std::fabs(h * force) + mass * std::fabs(u) + std::fabs(impulse);
        TEST_ASSERT_TRUE(std::fabs(mass * (v - u) - h * force - impulse) <=
                         (sizeof(Scalar) == 8 ? 1e-9 : 1e-4) * unit);
      }
    }
  }
  tell::figure("random states solved, of 4,000:", static_cast<std::uint32_t>(solved));
  tell::figure("  failed:", static_cast<std::uint32_t>(failed));
  TEST_ASSERT_TRUE(solved > 1000);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(finds_arms_and_contacts_together<float>);
  RUN_TEST(finds_arms_and_contacts_together<double>);
  RUN_TEST(boxes_slide_and_come_to_rest);
  RUN_TEST(answers_honestly<float>);
  RUN_TEST(answers_honestly<double>);
  return UNITY_END();
}
