// The scenes of host_sim/scenes do what their pages promise: each step solved and certified, and events and
// end as closed forms or the papers have them.
//
//     test_scenes SCENES
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "scene_run.hpp"

namespace {

void test_every_scene_has_its_page() {
  std::set<std::string> scenes, pages;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    auto& list = entry.path().extension() == ".md" ? pages : scenes;
    list.insert(entry.path().stem().string());
  }
  TEST_ASSERT_TRUE(scenes == pages);
  TEST_ASSERT_TRUE(scenes.size() >= 18);
}

// From 2 v0 / (7 mu g) on at 5/7 v0.
void test_sphere_slides_then_rolls() {
  const Run run("sphere_slide");
  check_within_a_step(run, 2 * 5 / (7 * 0.2 * kG), run.first(0, 1));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 25.0 / 7, run.end(1).velocity[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.1, run.end(1).pose[2]);
}

// The relaxed cone: set down sliding it leaves at v_n = mu v_T in one step, h lambda (1 + 3.5 mu^2) / m = mu
// v0 + g h, and comes down again at v_n^2 / (2 g) higher, give or take a step.
void test_sliding_ball_hops_by_the_relaxed_cone() {
  const Run run("sliding_ball");
  const double h = run.scene.step, up = (0.2 * 5 + kG * h) / (1 + 3.5 * 0.04) - kG * h;
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, up, run.after[0].bodies[1].velocity[2]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, h * up, run.after[0].lift);
  double highest = 0;
  for (const StepSample& sample : run.after) highest = std::max(highest, sample.bodies[1].pose[2] - 0.1);
  TEST_ASSERT_DOUBLE_WITHIN(up * h, up * up / (2 * kG), highest);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 25.0 / 7, run.end(1).velocity[0]);
}

// Stewart 2000, 4.4: momentum and energy of 1 = u + 3 v, 1 = u^2 + 3 v^2.
void test_chain_leaves_together() {
  const Run run("chain");
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, -0.5, run.end(0).velocity[0]);
  for (std::size_t i = 1; i < 4; ++i) TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.5, run.end(i).velocity[0]);
}

// The bricks slow by g (mu cos - sin), the medium one not at all.
void test_bricks_on_the_ramp() {
  const Run run("ramp");
  const double angle = 0.1745329251994329;
  const auto acceleration = [&](double mu) { return kG * (std::sin(angle) - mu * std::cos(angle)); };
  check_within_a_step(run, -2 / acceleration(0.4), run.first(0, 1));
  const auto speed = [&](std::size_t body) {
    return std::hypot(run.end(body).velocity[0], run.end(body).velocity[1]);
  };
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, speed(1));
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 2, speed(2));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2 + acceleration(0.05) * 1.2, speed(3));
}

// e = 0.9: the first bounce after sqrt(2 h / g), each flight 0.9 times as long as the one before.
void test_ball_bounces() {
  const Run run("bouncing_ball");
  const double fall = std::sqrt(2 / kG);
  const double expected[] = {fall, fall * (1 + 2 * 0.9), fall * (1 + 2 * (0.9 + 0.81)),
                             fall * (1 + 2 * (0.9 + 0.81 + 0.729))};
  std::vector<double> found;
  for (std::size_t k = 0; k < run.after.size() && found.size() < 4; ++k) {
    if (run.after[k].contacts[0].force[0] > 0) found.push_back(run.scene.step * static_cast<double>(k + 1));
  }
  for (std::size_t i = 0; i < 4; ++i) TEST_ASSERT_DOUBLE_WITHIN(3 * run.scene.step, expected[i], found[i]);
}

// Stewart 2000, 3.3.1: the foot stops within the first step; the impulse through the foot at r leaves r x v +
// ... such that the foot is at rest: with M^-1 of the rod at its foot, lambda = A^-1 (1, 0).
void test_painleve_jams_at_once() {
  const Run run("painleve");
  const double angle = 1.0471975511965976, x = -0.5 * std::cos(angle), y = -0.5 * std::sin(angle),
               inertia = 1.0 / 12;
  // Velocity of the foot: (vx - w y, vy + w x). A for (normal, tangent), b = (-g h, -1).
  const double ann = 1 + x * x / inertia, att = 1 + y * y / inertia, ant = -x * y / inertia;
  const double bn = -kG * run.scene.step, bt = -1, det = ann * att - ant * ant;
  const double n = (-bn * att + bt * ant) / det;
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, n, run.after[0].contacts[0].force[0] * run.scene.step);
}

void test_billiards_are_a_mirror_image() {
  const Run run("billiards");
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, run.end(2).pose[0], run.end(3).pose[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, run.end(2).pose[1], -run.end(3).pose[1]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, run.end(1).pose[1]);
  TEST_ASSERT_TRUE(run.end(2).velocity[0] > 0.3);
}

void test_resting_boxes_rest() {
  const Run rigid("resting_box");
  for (std::size_t i = 0; i < 2; ++i) TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, rigid.end(1).pose[i]);
  // m g over four springs; the torque moves the force by 0.98 / (m g).
  const Run soft("box_on_corners");
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.05 - 2 * kG / 4e5, soft.end(1).pose[2]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-4, -0.98 / (2 * kG), soft.after.back().contacts[0].point[1]);
}

// A rolling disc has 3/4 m v^2, of which it loses nothing.
void test_disc_keeps_its_energy() {
  const Run run("disc");
  const auto energy = [&](const BodySample& b) {
    return 0.5 * (b.velocity[0] * b.velocity[0] + b.velocity[1] * b.velocity[1]) +
           0.25 * b.velocity[2] * b.velocity[2];
  };
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 6.75, energy(run.end(1)));
  TEST_ASSERT_TRUE(energy(run.end(2)) < 6.5);
}

// Rolling does no work: what the energy loses or gains is of the order of the step.
void test_ellipsoid_rolls() {
  const Run run("ellipsoid_roll");
  TEST_ASSERT_TRUE(run.first(0, 2) > run.scene.end && run.first(0, 0) > run.scene.end);
  // v = omega x r of the lowest point, and the three inertias of the file.
  const double start = 0.5 * (0.9 * 0.9 + 0.272 * 1.5 * 1.5 + 0.328 * 0.6 * 0.6);
  TEST_ASSERT_DOUBLE_WITHIN(3e-3, start, run.after.back().kinetic + run.after.back().potential);
}

void test_the_rest_is_solved() {
  for (const char* name : {"ellipse", "ellipse_rigid", "micro_slip", "thrown_box", "two_spheres"}) Run{name};
}

}  // namespace

int main(int argc, char** argv) {
  return with_scenes(argc, argv, [] {
    RUN_TEST(test_every_scene_has_its_page);
    RUN_TEST(test_sphere_slides_then_rolls);
    RUN_TEST(test_sliding_ball_hops_by_the_relaxed_cone);
    RUN_TEST(test_chain_leaves_together);
    RUN_TEST(test_bricks_on_the_ramp);
    RUN_TEST(test_ball_bounces);
    RUN_TEST(test_painleve_jams_at_once);
    RUN_TEST(test_billiards_are_a_mirror_image);
    RUN_TEST(test_resting_boxes_rest);
    RUN_TEST(test_disc_keeps_its_energy);
    RUN_TEST(test_ellipsoid_rolls);
    RUN_TEST(test_the_rest_is_solved);
  });
}
