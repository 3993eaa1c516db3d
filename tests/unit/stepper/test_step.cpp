// What a step promises beside its physics: it refuses bad states, flags what is not certified, is
// reproducible, and its energy adds up.
#include <cmath>
#include <cstring>

#include "scenes.hpp"
#include "tactus/tactus.hpp"
#include "unity.h"

using namespace scenes;

namespace {

template <class Scalar, int Dim, Capacity C>
struct Rig {
  World<Scalar, Dim, C> world;
  Workspace<Scalar, Dim, C> workspace;
};

// Two for all tests: a third would not fit beside the stack on the smallest board, 128 kB.
Rig<double, 3, kBox> box, other_box;
Rig<double, 2, kEllipse> ellipse;

void bad_states_are_refused_and_kept() {
  TEST_ASSERT_TRUE(make_box(box.world, 1.0));
  const auto good = box.world.state;
  const double nan = std::nan("");
  const auto refused = [&](auto&& change) {
    box.world.state = good;
    change(box.world.state);
    unsigned char before[sizeof good];
    std::memcpy(before, &box.world.state, sizeof good);
    const auto report = step(box.world, box.workspace);
    TEST_ASSERT_TRUE(report.status == StepStatus::failed);
    TEST_ASSERT_EQUAL_STRING(sentence(StepReason::bad_state), sentence(report.reason));
    TEST_ASSERT_EQUAL_MEMORY(before, &box.world.state, sizeof good);
  };
  refused([&](auto& s) { s.pose[1].position[0] = nan; });
  refused([&](auto& s) { s.pose[1].w = 0; });
  refused([&](auto& s) { s.pose[1].x = HUGE_VAL; });
  refused([&](auto& s) { s.velocity[1].linear[2] = -HUGE_VAL; });
  refused([&](auto& s) { s.velocity[1].angular[0] = nan; });
  refused([&](auto& s) { s.force[1].linear[1] = nan; });
  refused([&](auto& s) { s.force[1].angular[2] = HUGE_VAL; });
  TEST_ASSERT_TRUE(make_ellipse(ellipse.world));
  ellipse.world.state.delta[1][0] = nan;
  TEST_ASSERT_TRUE(step(ellipse.world, ellipse.workspace).status == StepStatus::failed);
}

void without_a_step_nothing_happens() {
  static World<double, 3, kBox> empty;
  const auto report = step(empty, box.workspace);
  TEST_ASSERT_TRUE(report.status == StepStatus::failed);
  TEST_ASSERT_EQUAL_STRING(sentence(StepReason::not_configured), sentence(report.reason));
}

// Too few pivots for the LCP: the state moves, the report says that it is not certified.
void a_spent_budget_is_flagged() {
  auto& rig = box;
  TEST_ASSERT_TRUE(make_box(rig.world, 1.0));
  rig.world.model.method.modes_first = false;
  rig.world.model.method.pivot_budget = 1;
  const auto report = step(rig.world, rig.workspace);
  TEST_ASSERT_TRUE(report.status == StepStatus::degraded);
  TEST_ASSERT_EQUAL_STRING(sentence(StepReason::pivot_limit), sentence(report.reason));
  TEST_ASSERT_TRUE(report.pivots <= 1);
  const bool finite = dynamics::finite<double, 3>(rig.world.state.velocity[1]);
  TEST_ASSERT_TRUE(finite);
}

// The LCP alone gives the same motion as the modes: 4 redundant corners, straight slide.
void lcp_and_modes_agree() {
  auto &modes = box, &lemke = other_box;
  TEST_ASSERT_TRUE(make_box(modes.world, 1.0));
  TEST_ASSERT_TRUE(make_box(lemke.world, 1.0));
  lemke.world.model.method.modes_first = false;
  for (int k = 0; k < 300; ++k) {
    const auto a = step(modes.world, modes.workspace);
    const auto b = step(lemke.world, lemke.workspace);
    TEST_ASSERT_TRUE(a.status == StepStatus::solved && b.status == StepStatus::solved);
    TEST_ASSERT_TRUE(a.warm && !b.warm && b.pivots > 0);
    TEST_ASSERT_TRUE(a.contact[0].mode == b.contact[0].mode);
    for (int i = 0; i < 3; ++i) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, modes.world.state.velocity[1].linear[i],
                                lemke.world.state.velocity[1].linear[i]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-6, a.contact[0].force[i], b.contact[0].force[i]);
    }
  }
}

// More corners than room: the step says so.
void want_of_room_is_flagged() {
  static constexpr Capacity kTight{.bodies = 2, .contacts = 1, .slots = 8, .active = 3};
  static Rig<double, 3, kTight> rig;
  int index = 0;
  const math::Vector3<double> gravity(0, 0, -9.81);
  TEST_ASSERT_TRUE(configure(rig.world, 1e-3, gravity) == What::none);
  BodyDescription<double, 3> ground;
  ground.shape = geometry::half_space<double>(math::Vector3<double>(0, 0, 1), 0.0);
  TEST_ASSERT_TRUE(add_body(rig.world, ground, index) == What::none);
  BodyDescription<double, 3> body;
  body.mass = 1;
  body.inertia.diagonal() << 0.01, 0.01, 0.01;
  body.shape = geometry::box<double>(0.1, 0.1, 0.1);
  body.pose.position[2] = 0.1;
  TEST_ASSERT_TRUE(add_body(rig.world, body, index) == What::none);
  ContactDescription<double, 3> contact;
  contact.b = 1;
  TEST_ASSERT_TRUE(add_contact(rig.world, contact, index) == What::none);
  const auto report = step(rig.world, rig.workspace);
  TEST_ASSERT_TRUE(report.status == StepStatus::degraded);
  TEST_ASSERT_EQUAL_STRING(sentence(StepReason::room), sentence(report.reason));
}

// The state is all there is: from a copy, the same steps give the same bits, whatever was done in between.
void a_copied_state_replays_to_the_bit() {
  TEST_ASSERT_TRUE(make_ellipse(ellipse.world));
  for (int k = 0; k < 100; ++k) step(ellipse.world, ellipse.workspace);
  const auto start = ellipse.world.state;
  for (int k = 0; k < 200; ++k) step(ellipse.world, ellipse.workspace);
  const auto end = ellipse.world.state;
  std::memset(static_cast<void*>(&ellipse.workspace), 0x5A, sizeof ellipse.workspace);
  ellipse.world.state = start;
  for (int k = 0; k < 200; ++k) step(ellipse.world, ellipse.workspace);
  TEST_ASSERT_EQUAL_MEMORY(&end.pose, &ellipse.world.state.pose, sizeof end.pose);
  const auto& again = ellipse.world.state.velocity[1];
  TEST_ASSERT_EQUAL_MEMORY(&end.velocity[1].linear, &again.linear, sizeof again.linear);
  TEST_ASSERT_EQUAL_MEMORY(&end.velocity[1].angular, &again.angular, sizeof again.angular);
  TEST_ASSERT_EQUAL_MEMORY(&end.delta, &ellipse.world.state.delta, sizeof end.delta);
}

void energy_adds_up_and_friction_only_takes() {
  TEST_ASSERT_TRUE(make_box(box.world, 1.0, 0.02));
  box.world.state.velocity[1].angular = {0.5, 2, 1};
  double kinetic = 0;
  for (int k = 0; k < 600; ++k) {
    const auto report = step(box.world, box.workspace);
    TEST_ASSERT_TRUE(report.status == StepStatus::solved);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, report.energy.error());
    if (k > 0) TEST_ASSERT_DOUBLE_WITHIN(1e-3, kinetic + report.energy.change, report.energy.kinetic);
    kinetic = report.energy.kinetic;
    // A step that takes back a penetration of its own linearisation may give some; never more than that gap's
    // worth.
    TEST_ASSERT_TRUE(report.energy.contact < 1e-3);
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, kinetic);
}

// Out of contact an element's deformation decays, with or without a row in the step: delta' = delta - h B
// delta.
void a_lifted_patch_relaxes() {
  TEST_ASSERT_TRUE(make_ellipse(ellipse.world));
  for (int k = 0; k < 500; ++k) step(ellipse.world, ellipse.workspace);
  const double pressed = ellipse.world.state.delta[1][0];
  TEST_ASSERT_TRUE(pressed > 1e-6);
  ellipse.world.state.pose[1].y += 0.05;
  double expected[6];
  const auto& B = ellipse.world.model.patch[0].B;
  for (int k = 0; k < 50; ++k) {
    const double* const delta = ellipse.world.state.delta[0].data();
    for (int i = 0; i < 6; ++i) {
      expected[i] = delta[i];
      for (int j = 0; j < 6; ++j) expected[i] -= ellipse.world.model.h * B[6 * i + j] * delta[j];
    }
    TEST_ASSERT_EQUAL_INT(0, step(ellipse.world, ellipse.workspace).elements);
    for (int i = 0; i < 6; ++i)
      TEST_ASSERT_DOUBLE_WITHIN(1e-12 * pressed, expected[i], ellipse.world.state.delta[0].data()[i]);
  }
  const double last = ellipse.world.state.delta[1][0];
  TEST_ASSERT_TRUE(last < 0.9 * pressed && last > 0);
}

// Static and kinetic friction: the push that starts a box is larger than the one that keeps it going, and
// once it has stopped it needs the larger one again.
void friction_has_hysteresis() {
  auto& rig = box;
  TEST_ASSERT_TRUE(make_box(rig.world, 0.0));
  auto& friction = rig.world.model.contact[0].friction;
  friction = {contact::FrictionKind::static_kinetic, 0.3, 0.5, 0, 1};
  const double weight = 2 * 9.81;
  auto& push = rig.world.state.force[1].linear[0];
  const auto run = [&](double share, int steps) {
    push = share * weight;
    contact::Mode mode = contact::Mode::open;
    for (int k = 0; k < steps; ++k) mode = step(rig.world, rig.workspace).contact[0].mode;
    return mode;
  };
  TEST_ASSERT_TRUE(run(0.45, 50) == contact::Mode::stick);
  TEST_ASSERT_TRUE(run(0.52, 50) == contact::Mode::slip);
  TEST_ASSERT_TRUE(run(0.45, 50) == contact::Mode::slip);  // faster and faster: 0.45 > 0.3
  const double v = rig.world.state.velocity[1].linear[0];
  run(0.45, 100);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, v + 0.1 * 9.81 * 0.15, rig.world.state.velocity[1].linear[0]);
  TEST_ASSERT_TRUE(run(0.0, 2000) == contact::Mode::stick);
  TEST_ASSERT_TRUE(run(0.45, 50) == contact::Mode::stick);
}

// mu(|v|): the deceleration of a slide is g mu(v) at each speed.
void friction_follows_the_speed() {
  auto& rig = box;
  TEST_ASSERT_TRUE(make_box(rig.world, 1.0));
  rig.world.model.contact[0].friction = {contact::FrictionKind::speed, 0.2, 0, 0.3, 0.4};
  for (int k = 0; k < 200; ++k) {
    const double before = rig.world.state.velocity[1].linear[0];
    step(rig.world, rig.workspace);
    const double mu = 0.2 + 0.3 * std::exp(-before / 0.4);
    TEST_ASSERT_DOUBLE_WITHIN(1e-10, before - 1e-3 * 9.81 * mu, rig.world.state.velocity[1].linear[0]);
  }
}

// A box that slides at 0.05 m/s under mu = 0.5 stops in the step that takes its speed below mu g h.
void the_predictor_names_the_step_of_the_stop() {
  static predictor::Predictor<double, 3, kBox, 20> predictor;
  TEST_ASSERT_TRUE(make_box(box.world, 0.05));
  unsigned char before[sizeof box.world.state];
  std::memcpy(before, &box.world.state, sizeof before);
  const auto& p = predictor.predict(box.world.model, box.world.state);
  TEST_ASSERT_EQUAL_MEMORY(before, &box.world.state, sizeof before);
  const int stop = static_cast<int>(std::ceil(0.05 / (0.5 * 9.81 * 1e-3)));
  TEST_ASSERT_EQUAL_INT(20, p.steps);
  TEST_ASSERT_TRUE(p.status == StepStatus::solved);
  TEST_ASSERT_TRUE(p.contact[0].now == contact::Mode::slip);
  TEST_ASSERT_TRUE(p.contact[0].next == contact::Mode::stick);
  TEST_ASSERT_EQUAL_INT(stop, p.contact[0].change_step);
  for (int k = 0; k < 20; ++k)
    TEST_ASSERT_TRUE(p.mode[static_cast<std::size_t>(k)][0] ==
                     (k + 1 < stop ? contact::Mode::slip : contact::Mode::stick));
  // Then run it: the world does as was said.
  for (int k = 1; k <= 20; ++k) {
    const auto mode = step(box.world, box.workspace).contact[0].mode;
    TEST_ASSERT_TRUE(mode == p.mode[static_cast<std::size_t>(k - 1)][0]);
  }
  TEST_ASSERT_EQUAL_DOUBLE(box.world.state.pose[1].position[0], predictor.future().pose[1].position[0]);
  // A state that is no state.
  box.world.state.pose[1].position[0] = std::nan("");
  const auto& failed = predictor.predict(box.world.model, box.world.state, 5);
  TEST_ASSERT_EQUAL_INT(0, failed.steps);
  TEST_ASSERT_TRUE(failed.status == StepStatus::failed);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(bad_states_are_refused_and_kept);
  RUN_TEST(without_a_step_nothing_happens);
  RUN_TEST(a_spent_budget_is_flagged);
  RUN_TEST(lcp_and_modes_agree);
  RUN_TEST(want_of_room_is_flagged);
  RUN_TEST(a_copied_state_replays_to_the_bit);
  RUN_TEST(energy_adds_up_and_friction_only_takes);
  RUN_TEST(a_lifted_patch_relaxes);
  RUN_TEST(friction_has_hysteresis);
  RUN_TEST(friction_follows_the_speed);
  RUN_TEST(the_predictor_names_the_step_of_the_stop);
  return UNITY_END();
}
