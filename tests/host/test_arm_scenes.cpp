// The scenes of a manipulator's world do what their pages derive.
//
//     test_arm_scenes SCENES
#include "scene_run.hpp"

namespace {

// Two pads press with 4 N each, 4.2 N of their drives less 0.2 N of friction in the slides, and hold 2 mu 4 N
// = 4 N. The weight and a pull of 100 N/s pass that; then 0.2 kg slide until the pull has gone: with P the
// pull, integral of (m g + P - 4 N) dt = 0 where they stop.
void test_grasp_slips() {
  const Run run("grasp");
  const double weight = 0.2 * kG, held = 2 * 0.5 * (4.2 - 0.2), rate = 100;
  const double slips = 0.5 + (held - weight) / rate;
  for (std::size_t pad = 0; pad < 2; ++pad) {
    check_within_a_step(run, slips, run.first(pad, 2));
    const ContactSample& before = run.after[499].contacts[pad];
    TEST_ASSERT_EQUAL_INT(1, before.mode);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 4, before.force[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, weight / 2, std::fabs(before.force[2]));
  }
  // Momentum from `slips` to its end: up to 0.53 the surplus grows, to 0.56 it falls, then it is m g - held.
  const double top = 0.53 - slips, peak = rate * top, fall = 0.03;
  const double gained = peak * top / 2 + (peak * fall - rate * fall * fall / 2);
  const double more = gained / (held - weight);  // beyond 0.56
  double last = 0;
  for (std::size_t k = 0; k < run.after.size(); ++k)
    if (run.after[k].contacts[0].mode == 2) last = run.scene.step * static_cast<double>(k + 1);
  TEST_ASSERT_DOUBLE_WITHIN(3e-3, 0.56 + more, last);
}

// The drive of the finger presses with F(t) = 0.2 N, from 0.5 s on 20 N/s more, at the height of the centre:
// joint torques J^T F, on top of what weight and friction of the joints take. The box slides at mu m g.
void test_finger_pushes() {
  const Run run("push");
  const double limit = 0.4 * 0.2 * kG, start = 0.5 + (limit - 0.2) / 20;
  check_within_a_step(run, start, run.first(0, 2));
  // A frictionless ball: nothing but the push, and the weight on the table.
  const StepSample& before = run.after[static_cast<std::size_t>(std::lround(start / run.scene.step)) - 2];
  const double pushed = 0.2 + 20 * (run.scene.step * std::floor(start / run.scene.step - 2) - 0.5);
  TEST_ASSERT_DOUBLE_WITHIN(2 * 20 * run.scene.step, pushed, before.contacts[1].force[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.2 * kG, before.contacts[0].force[0]);
  // It rests where the spring that the finger is at its tip, 1 / (Jx K^-1 Jx^T), has let go of what is left
  // of the 0.7 N to which the drive has gone back; the friction of the flex joint carries 2 mN m / 45.9 mm of
  // it, either way.
  const double spring = 1 / (0.045901384 * 0.045901384 + 0.009058944 * 0.009058944);
  TEST_ASSERT_TRUE(run.end(1).pose[0] > 1e-4);
  TEST_ASSERT_DOUBLE_WITHIN(0.002 / 0.0459 + 0.01, 0.7 - spring * run.end(1).pose[0],
                            run.after.back().contacts[1].force[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, run.end(1).pose[1]);
}

// 5 mm at 50 mm/s from 0.5 s on. Then the pads slide down along it with 2 mu 4 N: the edge carries that and
// the weight. Moments about the pads, 0.06 m above its end: the edge, at x, holds it with f_x = f_z x / 0.06.
void test_peg_meets_the_edge() {
  const Run run("peg");
  check_within_a_step(run, 0.6, run.first(0, 1));
  check_within_a_step(run, 0.6, run.first(1, 2));
  const auto at = [&](double t) -> const StepSample& {
    return run.after[static_cast<std::size_t>(std::lround(t / run.scene.step)) - 1];
  };
  TEST_ASSERT_EQUAL_INT(0, at(0.599).contacts[0].mode);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 4, at(0.55).contacts[1].force[0]);
  const StepSample& sliding = at(0.64);
  const auto& edge = sliding.contacts[0];
  TEST_ASSERT_EQUAL_INT(2, sliding.contacts[1].mode);
  // Each finger's joint may hold 0.2 N at rest, so how hard the pads press statics tells to 0.4 N only.
  const double left = sliding.contacts[1].force[0], right = sliding.contacts[2].force[0];
  TEST_ASSERT_TRUE(std::fmin(left, right) > 4 - 1e-6 && std::fmax(left, right) < 4.4 + 1e-6);
  TEST_ASSERT_DOUBLE_WITHIN(0.03, 0.5 * (left + right) + 0.05 * kG, edge.force[0]);
  // The frame leans with the peg's end; along x and z of the world:
  const auto world = [&](std::size_t k) {
    return edge.force[0] * edge.normal[k] + edge.force[1] * edge.tangent[k];
  };
  TEST_ASSERT_DOUBLE_WITHIN(0.003, world(2) * 0.006 / (0.06 - 0.05 * 0.04), world(0));
}

// An arm presses a box along a table, 100 N/s harder: it slides where the push is mu times what the table
// carries, which is the weight less what the ball's friction lifts.
void test_arm_pushes() {
  const Run run("arm");
  const double start = run.first(0, 2), rate = 100;
  const StepSample& before = run.after[static_cast<std::size_t>(std::lround(start / run.scene.step)) - 2];
  const double carried = before.contacts[0].force[0];
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 2 * kG, carried + std::fabs(before.contacts[1].force[2]));
  TEST_ASSERT_DOUBLE_WITHIN(rate * run.scene.step, 0.5 * carried, before.contacts[1].force[0]);
  TEST_ASSERT_TRUE(run.end(1).pose[0] > run.after.front().bodies[1].pose[0] + 1e-3);
}

}  // namespace

int main(int argc, char** argv) {
  return with_scenes(argc, argv, [] {
    RUN_TEST(test_grasp_slips);
    RUN_TEST(test_finger_pushes);
    RUN_TEST(test_peg_meets_the_edge);
    RUN_TEST(test_arm_pushes);
  });
}
