// A step that its clock has ended: what is left of it is a motion by forces that friction allows, flagged
// with the residual of the step's own certificate, and where the next step begins.
#include <cstring>
#include <random>

#include "scenes.hpp"
#include "tactus/stepper/cut.hpp"
#include "tactus/stepper/sensing.hpp"
#include "unity.h"

using namespace scenes;

namespace {

template <class Scalar>
using Box = World<Scalar, 3, kBox>;

// A box that is thrown onto its corners, edges or face, and remembers nothing of it.
template <class Scalar>
Box<Scalar> thrown(std::mt19937& random) {
  const auto between = [&](double low, double high) {
    return static_cast<Scalar>(low + (high - low) * static_cast<double>(random() >> 8) / 16777216.0);
  };
  Box<Scalar> world;
  TEST_ASSERT_TRUE(make_box<Scalar>(world, Scalar(0)));
  auto& v = world.state.velocity[1];
  for (int k = 0; k < 3; ++k) {
    v.linear[k] = between(-1, k == 2 ? 0 : 1);
    v.angular[k] = between(-5, 5);
  }
  auto& pose = world.state.pose[1];
  pose.x = random() % 2 == 0 ? Scalar(0) : between(-1e-3, 1e-3);
  return world;
}

template <class Scalar>
bool same(const State<Scalar, 3, kBox>& a, const State<Scalar, 3, kBox>& b) {
  return std::memcmp(&a.pose, &b.pose, sizeof a.pose) == 0 &&
         std::memcmp(&a.velocity, &b.velocity, sizeof a.velocity) == 0;
}

// m (v' - v) = h (m g + F), and F, along n and two tangents, pushes and rubs by no more than its friction.
template <class Scalar>
void expect_allowed(const Box<Scalar>& world, const State<Scalar, 3, kBox>& ahead,
                    const StepReport<Scalar, 3, kBox>& report) {
  const double h = 1e-3, m = 2, mu = 0.5, digits = sizeof(Scalar) == 8 ? 1e-11 : 2e-5;
  double f[3], change[3];
  for (int k = 0; k < 3; ++k) {
    f[k] = static_cast<double>(report.contact[0].force[k]);
    change[k] = m * static_cast<double>(ahead.velocity[1].linear[k] - world.state.velocity[1].linear[k]);
  }
  const double rubs = std::hypot(f[1], f[2]), data = m * 6 + h * f[0];
  TEST_ASSERT_DOUBLE_WITHIN(digits * data, change[2], h * (f[0] - m * 9.81));
  TEST_ASSERT_DOUBLE_WITHIN(digits * data, std::hypot(change[0], change[1]), h * rubs);
  TEST_ASSERT_TRUE(f[0] >= 0);
  TEST_ASSERT_TRUE(rubs <= mu * f[0] * (1 + digits));
}

// However early it is ended.
template <class Scalar>
void what_is_left_is_allowed() {
  static Workspace<Scalar, 3, kBox> workspace;
  std::mt19937 random(5);
  int ended = 0, answered = 0, rough = 0;
  for (int n = 0; n < 300; ++n) {
    const Box<Scalar> world = thrown<Scalar>(random);
    Box<Scalar> whole = world;
    TEST_ASSERT_TRUE(step(whole, workspace).status == StepStatus::solved);
    for (std::uint32_t k = 0; k < 100; ++k) {
      Box<Scalar> cut = world;
      auto ahead = world.state;
      Grants grants(k);
      if (step(cut, workspace, grants).status == StepStatus::solved) break;
      ++ended;
      const auto best = best_so_far(cut.model, cut.state, workspace, ahead);
      TEST_ASSERT_TRUE(same(cut.state, world.state) && best.reason == StepReason::out_of_time);
      TEST_ASSERT_TRUE((best.status == StepStatus::degraded) == has_tried(workspace));
      if (best.status != StepStatus::degraded) {
        TEST_ASSERT_TRUE(same(ahead, world.state));
        continue;
      }
      ++answered;
      expect_allowed(world, ahead, best);
      // A small residual is that of the solution.
      const Scalar off = math::magnitude(ahead.velocity[1].linear[2] - whole.state.velocity[1].linear[2]);
      if (best.residual < Scalar(1e-6)) TEST_ASSERT_TRUE(off < Scalar(1e-4));
      if (off > Scalar(1e-3)) {
        ++rough;
        TEST_ASSERT_TRUE(best.residual > Scalar(1e-5));
      }
    }
  }
  TEST_ASSERT_GREATER_THAN_INT(ended / 4, answered);
  TEST_ASSERT_GREATER_THAN_INT(10, rough);
}

// The next step begins with what was tried: it has that much less to try.
template <class Scalar>
void a_search_goes_on_where_it_was_ended() {
  static Workspace<Scalar, 3, kBox> workspace;
  std::mt19937 random(6);
  int whole = 0, rest = 0;
  for (int n = 0; n < 300; ++n) {
    const Box<Scalar> world = thrown<Scalar>(random);
    Box<Scalar> at_once = world, cut = world;
    whole += step(at_once, workspace).tries;
    Grants grants(12);  // place, find, couple, three tries
    step(cut, workspace, grants);
    keep_tried(cut.model, workspace, cut.state);
    const auto report = step(cut, workspace);
    TEST_ASSERT_TRUE(report.status == StepStatus::solved);
    rest += report.tries;
  }
  // In double the digits of a direction are still to be found.
  TEST_ASSERT_LESS_THAN_INT(sizeof(Scalar) == 8 ? whole * 9 / 10 : whole * 2 / 3, rest);
}

// A box at rest as sensors see it, some of whose ticks are ended, ever later. What is left of these is
// allowed, from where the held rows have moved the state; a Sensing that gives back leaves what was measured,
// in every byte; and the ticks between know nothing of it: the force is the weight, and no gate breaks.
template <bool kGivesBack>
void a_measured_state_is_cut_as_well() {
  static Workspace<float, 3, kBox> workspace;
  static Sensing<float, 3, kBox, kGivesBack> sensing;
  constexpr float kNoise = 1e-5F;
  TEST_ASSERT_FALSE(sensing.configure({kNoise, kNoise, kNoise, kNoise}));
  std::mt19937 random(7);
  const auto noise = [&] {  // of a standard deviation of kNoise
    float sum = -6;
    for (int k = 0; k < 12; ++k) sum += static_cast<float>(random() >> 8) / 16777216.0F;
    return kNoise * sum;
  };
  Box<float> world;
  TEST_ASSERT_TRUE(make_box<float>(world, 0));
  const auto truth = world.state;
  std::uint32_t most = 0;
  int answered = 0;
  for (int tick = 0; tick < 700; ++tick) {
    auto& pose = world.state.pose[1];
    auto& v = world.state.velocity[1];
    pose = truth.pose[1];
    for (int k = 0; k < 3; ++k) {
      pose.position[k] += noise();
      v.linear[k] = noise();
      v.angular[k] = noise();
    }
    pose.x = noise() / 2;
    pose.y = noise() / 2;
    if (tick % 7 != 6) {
      const auto report = step(world.model, world.state, workspace, kNoClock, sensing);
      TEST_ASSERT_TRUE(report.status == StepStatus::solved && sensing.event(0) == GateEvent::none);
      if (tick > 2) TEST_ASSERT_FLOAT_WITHIN(0.02F, 2 * 9.81F, report.contact[0].force[0]);
      continue;
    }
    Grants grants(most++ % 9);
    Box<float> cut = world;
    if (step(cut.model, cut.state, workspace, grants, sensing).status == StepStatus::solved) continue;
    if (kGivesBack) TEST_ASSERT_TRUE(same(cut.state, world.state));
    if (kGivesBack) continue;
    const Box<float> moved = cut;
    const auto best = best_so_far(cut.model, cut.state, workspace, cut.state);
    if (best.status != StepStatus::degraded) continue;
    ++answered;
    expect_allowed(moved, cut.state, best);
  }
  TEST_ASSERT_TRUE(kGivesBack || answered > 20);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(what_is_left_is_allowed<double>);
  RUN_TEST(what_is_left_is_allowed<float>);
  RUN_TEST(a_search_goes_on_where_it_was_ended<double>);
  RUN_TEST(a_search_goes_on_where_it_was_ended<float>);
  RUN_TEST(a_measured_state_is_cut_as_well<true>);
  RUN_TEST(a_measured_state_is_cut_as_well<false>);
  return UNITY_END();
}
