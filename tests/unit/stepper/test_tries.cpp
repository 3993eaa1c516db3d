// Where a step's guess begins: what the last step tells of this one, so that one linear system does.
#include "scenes.hpp"
#include "unity.h"

using namespace scenes;

namespace {

// A ball of 1 kg hangs from a joint, 1 um above the plane: the free motion presses it in by g h in every
// step, and in every step the joint keeps it up.
constexpr SceneBody<3> kBodies[]{{.shape = {.kind = geometry::SpatialKind::half_space, .size = {0, 0, 1}}},
                                 {.mass = 1,
                                  .inertia = {4e-3, 4e-3, 4e-3},
                                  .shape = {.kind = geometry::SpatialKind::sphere, .size = {0.1}},
                                  .pose = {.position = {0, 0, 0.100001}}}};
constexpr SceneContact<3> kContacts[]{{.a = 0, .b = 1, .friction = {.kinetic = 0.5}}};
constexpr SceneJoint<3> kJoints[]{{.a = 0, .b = 1, .at = {0, 0, 0.100001}}};
constexpr Scene<3> kHung{
    .step = 1e-3, .gravity = {0, 0, -9.81}, .bodies = kBodies, .contacts = kContacts, .joints = kJoints};

template <class Scalar>
void what_others_hold_up_stays_open() {
  constexpr Capacity C = capacity_of(kHung);
  static World<Scalar, 3, C> world;
  static Workspace<Scalar, 3, C> workspace;
  TEST_ASSERT_TRUE(build(world, kHung).what == What::none);
  for (int k = 0; k < 50; ++k) {
    const auto report = step(world, workspace);
    TEST_ASSERT_TRUE(report.status == StepStatus::solved && report.warm);
    TEST_ASSERT_EQUAL_INT(1, report.elements);
    if (k > 0) TEST_ASSERT_EQUAL_INT(1, report.tries);
  }
  TEST_ASSERT_TRUE(world.state.pose[1].position[2] > Scalar(0.1));
}

// Until friction nearly stops it: then its direction turns by itself.
template <class Scalar>
void a_fast_slip_that_turns_takes_one_try() {
  static World<Scalar, 3, kBox> world;
  static Workspace<Scalar, 3, kBox> workspace;
  TEST_ASSERT_TRUE(make_box<Scalar>(world, Scalar(1)));
  world.state.velocity[1].angular[2] = 4;
  int slides = 0, once = 0;
  for (int k = 0; k < 150; ++k) {
    const auto report = step(world, workspace);
    TEST_ASSERT_TRUE(report.status == StepStatus::solved && report.warm);
    const bool slips = report.contact[0].mode == contact::Mode::slip;
    slides += slips ? 1 : 0;
    once += slips && report.tries == 1 ? 1 : 0;
  }
  TEST_ASSERT_TRUE(slides > 100);
  TEST_ASSERT_TRUE(100 * once >= 95 * slides);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(what_others_hold_up_stays_open<float>);
  RUN_TEST(what_others_hold_up_stays_open<double>);
  RUN_TEST(a_fast_slip_that_turns_takes_one_try<float>);
  return UNITY_END();
}
