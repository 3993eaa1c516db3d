// Of the hard finger steps those that have several answers, by every combination of modes
// (finger_answers.hpp): nine in ten are flagged, and none that has one.
#include "tests/unit/stepper/finger_answers.hpp"
#include "tests/unit/tell.hpp"
#include "unity.h"

using namespace finger;

namespace {

constexpr Capacity kSeeks = [] {
  Capacity size = kSize;
  size.parts |= second_answer;
  return size;
}();
constexpr int kEvery = 7;        // of the states; all of them take half a minute
constexpr double kApart = 1e-6;  // of the speeds

struct Count {
  int steps = 0, several = 0, flagged = 0, falsely = 0, strangers = 0;
};

V3 speeds(const dynamics::JointVector<double, kJoints>& qd) {
  return V3(qd[0], qd[1], qd[2]);
}

// Whether x is one of the answers or, where they fill a range, among them.
bool is_known(const Answers& answers, const V3& x) {
  V3 low = x, high = x;
  bool first = true;
  for (const V3& v : answers.speeds()) {
    if (Answers::apart(v, x) <= kApart) return true;
    low = first ? v : V3(low.cwiseMin(v));
    high = first ? v : V3(high.cwiseMax(v));
    first = false;
  }
  const double slack = kApart * (x.cwiseAbs().maxCoeff() + 1e-3);
  return !first && ((x - low).array() >= -slack).all() && ((high - x).array() >= -slack).all();
}

Count follow() {
  static World<double, 3, kSeeks> world;
  static World<double, 3, kSize> plain;
  static Workspace<double, 3, kSeeks> workspace;
  static Workspace<double, 3, kSize> plain_workspace;
  Count count;
  Draw draw;
  for (int k = 0; k < kStates; ++k) {
    const auto start = draw.next(k);
    if (k % kEvery != 0) continue;
    TEST_ASSERT_TRUE(build(world, start) && build(plain, start));
    world.model.method.seek_second = true;
    for (int s = 0; s < kSteps; ++s) {
      const Answers answers(step_data(world, start));
      const auto report = step(world, workspace);
      const auto same = step(plain, plain_workspace);
      TEST_ASSERT_TRUE(report.status == StepStatus::solved && !same.several);
      TEST_ASSERT_EQUAL_MEMORY(&plain.state.arm.qd, &world.state.arm.qd, sizeof(world.state.arm.qd));
      const bool several = answers.spread() > kApart;
      ++count.steps;
      if (several) ++count.several;
      if (several && report.several) ++count.flagged;
      if (!several && report.several) ++count.falsely;
      if (!report.several) continue;
      const V3 other = speeds(workspace.second.next.state.arm.qd);
      if (!is_known(answers, other)) ++count.strangers;
      if (report.facet_error == 0)
        TEST_ASSERT_TRUE(Answers::apart(other, speeds(world.state.arm.qd)) > kApart / 10);
    }
  }
  return count;
}

void nine_in_ten_are_flagged_and_none_falsely() {
  const Count count = follow();
  tell::figure("finger steps:", static_cast<std::uint32_t>(count.steps));
  tell::figure("  with several answers:", static_cast<std::uint32_t>(count.several));
  tell::figure("  of them flagged:", static_cast<std::uint32_t>(count.flagged));
  TEST_ASSERT_TRUE(count.several > 200);
  TEST_ASSERT_TRUE(10 * count.flagged >= 9 * count.several);
  TEST_ASSERT_EQUAL_INT(0, count.falsely);
  TEST_ASSERT_EQUAL_INT(0, count.strangers);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(nine_in_ten_are_flagged_and_none_falsely);
  return UNITY_END();
}
