// What a step calls solved is finite and keeps the momentum of each body and joint, from the data before and
// the velocities after (that of joints by arm_judge.hpp); what it calls failed has
// changed nothing, byte for byte. Random states of any size, from 1e-30 to 1e38: free bodies, joints and
// arms, every law, in the plane and in space.
//
//     test_stepper_honest [STATES]      of each kind and precision; 2,000 unless told
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "arm_judge.hpp"
#include "honest.hpp"
#include "tests/unit/tell.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;

namespace {

int states = 2000;

// Impulses of contacts and joints on each body, from their forces and where they act.
template <class Scalar, int Dim, Capacity C>
bool keeps_momentum(const World<Scalar, Dim, C>& before, const World<Scalar, Dim, C>& after,
                    const Workspace<Scalar, Dim, C>& workspace) {
  const double share = sizeof(Scalar) == 8 ? 1e-9 : 1e-4, h = static_cast<double>(before.model.h);
  bool good = true;
  for (std::size_t i = 0; i < static_cast<std::size_t>(before.model.bodies); ++i) {
    const double mass = static_cast<double>(before.model.inertia[i].mass);
    if (!(mass > 0)) continue;
    for (int k = 0; k < Dim; ++k) {
      const auto of = [&](const auto& motion) { return static_cast<double>(motion.linear[k]); };
      const double force = of(before.state.force[i]) + mass * static_cast<double>(before.model.gravity[k]);
      const double u = of(before.state.velocity[i]), v = of(after.state.velocity[i]);
      const double push = of(workspace.next.impulse[i]);
      // What cancels its weight rounds as it.
      const double weight = mass * static_cast<double>(before.model.gravity[k]);
      const double unit =
          h * (std::fabs(force - weight) + std::fabs(weight)) + mass * std::fabs(u) + std::fabs(push);
      good = good && std::fabs(mass * (v - u) - h * force - push) <= share * unit;
    }
  }
  return good;
}

template <class Scalar, int Dim, Capacity C>
bool is_finite(const World<Scalar, Dim, C>& world) {
  bool good = stepper::detail::valid_state(world.model, world.state);
  for (std::size_t i = 0; i < static_cast<std::size_t>(world.model.bodies); ++i)
    for (int k = 0; k < Dim; ++k)
      good = good && std::isfinite(world.state.velocity[i].linear[k]) &&
             std::isfinite(honest::place(world.state.pose[i], k));
  return good;
}

struct Count {
  std::uint32_t solved = 0, failed = 0;
};

template <class Scalar, class Kind>
void one(corpus::Random& random, Count& count) {
  static typename Kind::template World<Scalar> world, before;
  static typename Kind::template Workspace<Scalar> workspace;
  if (!Kind::template make<Scalar>(world, random)) return;
  std::memcpy(static_cast<void*>(&before), &world, sizeof world);
  const auto report = step(world, workspace);
  if (report.status == StepStatus::failed) {
    ++count.failed;
    TEST_ASSERT_EQUAL_INT(0, std::memcmp(&before, &world, sizeof world));
  }
  TEST_ASSERT_TRUE(report.status == StepStatus::failed || is_finite(world));
  if (report.status != StepStatus::solved) return;
  ++count.solved;
  TEST_ASSERT_TRUE(keeps_momentum(before, world, workspace));
  if constexpr (Kind::kSize.arm_joints > 0) {
    const auto verdict = arm_judge::Judge(before, world, report, &workspace.next.reaction).verdict;
    TEST_ASSERT_TRUE(verdict.momentum <= 1);
  }
}

template <class Kind>
void holds() {
  corpus::Random random(11);
  Count in_float, in_double;
  for (int k = 0; k < states; ++k) one<float, Kind>(random, in_float);
  for (int k = 0; k < states; ++k) one<double, Kind>(random, in_double);
  tell::figure("solved in float:", in_float.solved);
  tell::figure("  failed:", in_float.failed);
  tell::figure("solved in double:", in_double.solved);
  tell::figure("  failed:", in_double.failed);
  TEST_ASSERT_TRUE(in_float.solved > 0 && in_double.solved > in_float.solved);
}

void in_the_plane() {
  holds<honest::Plane>();
}
void in_space() {
  holds<honest::Space>();
}
void with_arms() {
  holds<honest::Arms>();
}

// Thrown boxes land on corners and edges, slide, spin and come to rest: every step is certified.
void boxes_slide_and_come_to_rest() {
  constexpr Capacity kBox{.bodies = 2, .contacts = 1, .slots = 8, .active = 8};
  using V = math::Vector3<double>;
  static World<double, 3, kBox> world;
  static Workspace<double, 3, kBox> workspace;
  corpus::Random random(7);
  for (int run = 0; run < 20; ++run) {
    world = {};
    BodyDescription<double, 3> floor, box;
    floor.shape = geometry::half_space<double>(V(0, 0, 1), 0.0);
    box.mass = 1;
    box.inertia = V(0.0089, 0.0164, 0.0125).asDiagonal() * (1 / 3.0);
    box.shape = geometry::box<double>(0.1, 0.05, 0.08);
    box.pose.position = V(0, 0, 0.2);
    for (int k = 0; k < 3; ++k) {
      box.velocity.linear[k] = k < 2 ? random.uniform(-2, 2) : 0;
      box.velocity.angular[k] = random.uniform(-5, 5);
    }
    int a = 0, b = 0, touch = 0;
    TEST_ASSERT_FALSE(
        configure(world, 1e-3, V(0, 0, -9.81)) || add_body(world, floor, a) || add_body(world, box, b) ||
        add_contact(world, {.a = a, .b = b, .friction{.kinetic = random.uniform(0.1, 1)}}, touch));
    for (int k = 0; k < 3000; ++k)
      TEST_ASSERT_EQUAL_STRING(sentence(StepReason::none), sentence(step(world, workspace).reason));
    const auto& v = world.state.velocity[1];
    TEST_ASSERT_TRUE(v.linear.norm() + v.angular.norm() < 1e-9);
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main(int argc, char** argv) {
  if (argc > 1) states = std::atoi(argv[1]);
  UNITY_BEGIN();
  RUN_TEST(in_the_plane);
  RUN_TEST(in_space);
  RUN_TEST(with_arms);
  RUN_TEST(boxes_slide_and_come_to_rest);
  return UNITY_END();
}
