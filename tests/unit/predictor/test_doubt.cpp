// Doubt: shares of members that follow from the numbers drawn, members that fail, members that are cut.
#include "tactus/predictor/doubt.hpp"
#include "tactus/tactus.hpp"
#include "tests/unit/predictor/arms.hpp"
#include "tests/unit/predictor/crate.hpp"
#include "tests/unit/tell.hpp"

using namespace tactus;
using namespace tactus::stepper;
using predictor::Disturbance;
using predictor::End;

namespace {

constexpr Capacity kPlane{.bodies = 2, .contacts = 1, .slots = 4, .active = 4};
constexpr double kMu = 0.5;
using crate::kG, crate::kMass;

World<double, 2, kPlane> world;
predictor::Predictor<double, 2, kPlane, 5> nominal;
predictor::Doubt<double, 2, kPlane> doubt;

// A crate at rest on a floor, pushed with a horizontal force.
void pushed_crate(double force) {
  crate::make(world, 1e-3, kMu, 0, force);
}

// What a member has drawn.
struct Drawn {
  double mu, mass;
};
Drawn drawn(const Disturbance<double>& by, int member) {
  auto model = world.model;
  auto state = world.state;
  predictor::disturb(model, state, by, member);
  return {model.contact[0].friction.kinetic, model.inertia[1].mass};
}

const auto& doubts(const Disturbance<double>& by, const predictor::DoubtPlan& plan) {
  const auto& p = nominal.predict(world.model, world.state, plan.steps);
  return doubt.run(world.model, world.state, by, p.mode[0], plan, nominal.workspace());
}

// It slips where F > mu m g. So of each seed's members just those slip that drew such a mu (and mass), and of
// all members of all seeds, mu being uniform in 0.5 (1 +- 0.2), the share (mu* - 0.4) / 0.2.
void the_share_that_slips_is_that_below_the_threshold() {
  for (const double threshold : {0.41, 0.45, 0.5, 0.58}) {
    pushed_crate(threshold * kMass * kG);
    int slipping = 0;
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
      const Disturbance<double> by{.seed = seed, .friction = 0.2};
      const auto& d = doubts(by, {.members = 8, .steps = 3});
      int below = 0;
      for (int m = 0; m < 8; ++m) below += drawn(by, m).mu < threshold ? 1 : 0;
      TEST_ASSERT_EQUAL_INT(8, d.members);
      TEST_ASSERT_EQUAL_INT(below, d.slips[0]);
      TEST_ASSERT_EQUAL_FLOAT(static_cast<float>(below) / 8, d.slip(0));
      TEST_ASSERT_EQUAL_INT(0, d.changes[0]);
      slipping += d.slips[0];
    }
    const double share = (threshold - 0.4) / 0.2;
    TEST_ASSERT_DOUBLE_WITHIN(5 * std::sqrt(share * (1 - share) / 800), share, slipping / 800.0);
  }
}

void what_is_heavier_holds_better() {
  pushed_crate(kMu * kMass * kG);
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    const Disturbance<double> by{.seed = seed, .friction = 0.1, .mass = 0.3};
    int slips = 0;
    for (int m = 0; m < 5; ++m) {
      const auto [mu, mass] = drawn(by, m);
      TEST_ASSERT_TRUE(mass > 0.7 * kMass && mass < 1.3 * kMass);
      slips += kMu * kMass > mu * mass ? 1 : 0;
    }
    TEST_ASSERT_EQUAL_INT(slips, doubts(by, {.members = 5, .steps = 2}).slips[0]);
  }
}

// In five steps of h a crate falls h^2 g (1 + 2 + 3 + 4 + 5): who starts lower than that makes contact.
void poses_decide_who_makes_contact() {
  pushed_crate(0);
  const double reach = 15e-6 * kG;
  world.state.pose[1].y += reach;
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    const Disturbance<double> by{.seed = seed, .position = 1e-4};
    int lower = 0;
    for (int m = 0; m < 8; ++m) {
      auto model = world.model;
      auto state = world.state;
      predictor::disturb(model, state, by, m);
      lower += state.pose[1].y < 0.02 + reach ? 1 : 0;
    }
    const auto& d = doubts(by, {.members = 8, .steps = 5});
    TEST_ASSERT_EQUAL_INT(lower, d.changes[0]);
  }
}

// With too few pivots for some members, those are counted as failed, and the shares are of the others.
void a_member_that_fails_is_counted_and_the_rest_goes_on() {
  pushed_crate(kMu * kMass * kG);
  world.model.method.modes_first = false;
  const Disturbance<double> by{.seed = 3, .friction = 0.2};
  bool seen = false;
  for (std::uint16_t budget = 1; budget < 20; ++budget) {
    world.model.method.pivot_budget = budget;
    const auto& d = doubts(by, {.members = 8, .steps = 1});
    TEST_ASSERT_EQUAL_INT(8, d.members + d.failed);
    TEST_ASSERT_TRUE(d.end == End::whole);
    TEST_ASSERT_TRUE(d.slips[0] <= d.members);
    seen = seen || (d.failed > 0 && d.members > 0);
  }
  TEST_ASSERT_TRUE(seen);
  world.state.velocity[1].linear[0] = std::numeric_limits<double>::quiet_NaN();
  const auto& d = doubts(by, {.members = 8, .steps = 1});
  TEST_ASSERT_EQUAL_INT(8, d.failed);
  TEST_ASSERT_EQUAL_INT(0, d.members);
  TEST_ASSERT_EQUAL_FLOAT(0, d.slip(0));
}

// A clock by which every look is 100 counts after the last: a look a step.
struct Clock {
  mutable std::uint32_t now = 0;
  std::uint32_t operator()() const { return now += 100; }
};

void what_does_not_fit_is_cut() {
  pushed_crate(kMu * kMass * kG);
  const Disturbance<double> by{.seed = 3, .friction = 0.2};
  const auto& p = nominal.predict(world.model, world.state, 5);
  for (std::uint32_t limit = 0; limit < 5000; limit += 50) {
    predictor::DoubtPlan plan{.members = 8, .steps = 5};
    plan.budget.counts = limit;
    const auto& d = doubt.run(world.model, world.state, by, p.mode[0], plan, nominal.workspace(), Clock{});
    const std::uint32_t whole = limit / 500 < 8 ? limit / 500 : 8;  // five looks a member
    TEST_ASSERT_EQUAL_UINT32(whole, d.members);
    TEST_ASSERT_TRUE(d.end == (whole < 8 ? End::counts : End::whole));
    TEST_ASSERT_EQUAL_INT(0, d.failed);
  }
  TEST_ASSERT_EQUAL_INT(predictor::kMaxMembers, doubts(by, {.members = 1000, .steps = 1}).members);
  TEST_ASSERT_EQUAL_INT(0, doubts(by, {.members = -1, .steps = 1}).members);
}

// The same members, bit by bit, in every tick; and arms have their share of doubt.
void a_pinch_near_its_limit_is_doubtful() {
  static World<float, 3, arms::kPinch> pinch;
  static predictor::Predictor<float, 3, arms::kPinch, 10> ahead;
  static predictor::Doubt<float, 3, arms::kPinch> doubtful;
  TEST_ASSERT_TRUE(arms::make_pinch(pinch, 1e-3F));
  const Disturbance<float> by{.seed = 1, .friction = 0.3F, .mass = 0.1F, .joint = 1e-4F};
  int last = 0;
  std::uint32_t worst = 0;
  for (int load = 0; load <= 12; ++load) {
    pinch.state.force[arms::kBox].linear[2] = -0.5F * static_cast<float>(load);
    const auto& p = ahead.predict(pinch.model, pinch.state);
    const std::uint32_t start = tell::now();
    const auto first =
        doubtful.run(pinch.model, pinch.state, by, p.mode[0], {.members = 8, .steps = 10}, ahead.workspace());
    const std::uint32_t cost = tell::since(start);
    worst = cost > worst ? cost : worst;
    const auto again =
        doubtful.run(pinch.model, pinch.state, by, p.mode[0], {.members = 8, .steps = 10}, ahead.workspace());
    TEST_ASSERT_EQUAL_INT(first.slips[0], again.slips[0]);
    TEST_ASSERT_EQUAL_INT(8, first.members + first.failed);
    TEST_ASSERT_TRUE(first.slips[arms::kHeld] >= last);  // more load, no fewer slips
    last = first.slips[arms::kHeld];
    if (load == 0) TEST_ASSERT_EQUAL_INT(0, last);
  }
  TEST_ASSERT_EQUAL_INT(8, last);
  tell::figure("pinch, 8 members of 10 steps, instructions at most", worst);
  tell::figure("bytes", sizeof doubtful);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_share_that_slips_is_that_below_the_threshold);
  RUN_TEST(what_is_heavier_holds_better);
  RUN_TEST(poses_decide_who_makes_contact);
  RUN_TEST(a_member_that_fails_is_counted_and_the_rest_goes_on);
  RUN_TEST(what_does_not_fit_is_cut);
  RUN_TEST(a_pinch_near_its_limit_is_doubtful);
  return UNITY_END();
}
