// The horizon: when what changes, how far from slipping, with a step and law of its own, cut by a budget.
#include "tactus/predictor/horizon_model.hpp"
#include "tactus/tactus.hpp"
#include "tests/unit/stepper/scenes.hpp"
#include "tests/unit/tell.hpp"

using namespace scenes;
using contact::Mode;
using predictor::Budget;
using predictor::End;
using predictor::Extras;

namespace {

constexpr Capacity kPlane{
    .bodies = 2, .contacts = 1, .slots = 12, .active = 4, .patches = 1, .patch_elements = 3};
constexpr double kG = 9.81;

// One body on a floor: what every test here needs.
template <class Scalar>
void on_floor(World<Scalar, 2, kPlane>& world, Scalar h, BodyDescription<Scalar, 2> body, Scalar mu,
              Scalar restitution = 0, const contact::PatchLaw<Scalar>* patch = nullptr) {
  int index = 0;
  world = {};
  const math::Vector2<Scalar> gravity(0, Scalar(-kG));
  TEST_ASSERT_TRUE(configure(world, h, gravity) == What::none);
  BodyDescription<Scalar, 2> floor;
  floor.shape = geometry::half_space<Scalar>(math::Vector2<Scalar>(0, 1), Scalar(0));
  TEST_ASSERT_TRUE(add_body(world, floor, index) == What::none);
  body.mass = Scalar(0.2);
  body.inertia(0, 0) = Scalar(2e-4);
  TEST_ASSERT_TRUE(add_body(world, body, index) == What::none);
  ContactDescription<Scalar, 2> contact;
  contact.b = 1;
  contact.friction.kinetic = mu;
  contact.restitution = restitution;
  contact.patch = patch;
  TEST_ASSERT_TRUE(add_contact(world, contact, index) == What::none);
}

template <class Scalar>
BodyDescription<Scalar, 2> crate(Scalar speed) {
  BodyDescription<Scalar, 2> body;
  body.shape = geometry::box<Scalar>(Scalar(0.05), Scalar(0.02));
  body.pose.y = Scalar(0.02);
  body.velocity.linear[0] = speed;
  return body;
}

template <class Scalar>
BodyDescription<Scalar, 2> ball(Scalar height) {
  BodyDescription<Scalar, 2> body;
  body.shape = geometry::disc<Scalar>(Scalar(0.01));
  body.pose.y = Scalar(0.01) + height;
  return body;
}

World<float, 2, kPlane> plane;

// v / (mu g) = 16.99 ms.
void a_sliding_crate_stops_in_time() {
  static predictor::Predictor<float, 2, kPlane, 40, Extras{.changes = 4, .margins = true}> predictor;
  on_floor(plane, 1e-3F, crate(0.05F), 0.3F);
  const auto& p = predictor.predict(plane.model, plane.state);
  TEST_ASSERT_EQUAL_INT(40, p.steps);
  TEST_ASSERT_TRUE(p.status == StepStatus::solved && p.end == End::whole);
  TEST_ASSERT_EQUAL_INT(1, p.changes[0].count);
  const auto& stop = p.changes[0].change[0];
  TEST_ASSERT_TRUE(stop.event() == predictor::Event::stick);
  TEST_ASSERT_TRUE(stop.from == Mode::slip && stop.to == Mode::stick);
  TEST_ASSERT_EQUAL_INT(p.contact[0].change_step, stop.step);
  TEST_ASSERT_FLOAT_WITHIN(1e-3F, static_cast<float>(0.05 / (0.3 * kG)), stop.time);
  // It is at its limit while it slips; at rest all of mu m g is left.
  TEST_ASSERT_TRUE(p.slip[0].now.force == 0 && p.slip[0].now.percent == 0);
  TEST_ASSERT_EQUAL_INT(1, p.slip[0].least_step);
}

// Falls sqrt(2 H / g), comes up again with e v, is in the air for 2 e v / g, and so on; each blow is one step
// of contact. Three bounces are six changes, of which four have room.
void every_bounce_has_its_time() {
  constexpr double kHeight = 0.002, kE = 0.8;
  static predictor::Predictor<float, 2, kPlane, 90, Extras{.changes = 4}> predictor;
  on_floor(plane, 1e-3F, ball(static_cast<float>(kHeight)), 0.0F, static_cast<float>(kE));
  const auto& p = predictor.predict(plane.model, plane.state);
  const double first = std::sqrt(2 * kHeight / kG), second = first * (1 + 2 * kE);
  const double third = second + first * 2 * kE * kE, fourth = third + first * 2 * kE * kE * kE;
  const auto& list = p.changes[0];
  TEST_ASSERT_EQUAL_INT(4, list.count);
  TEST_ASSERT_EQUAL_INT(2, list.beyond);
  int k = 0;
  for (const auto& change : list) {
    TEST_ASSERT_TRUE(change.event() == (k % 2 == 0 ? predictor::Event::make : predictor::Event::break_off));
    // Each landing is told within its step, and so can start the next flight a step late.
    const double when = (k < 2 ? first : second) + (k % 2) * 1e-3;
    TEST_ASSERT_DOUBLE_WITHIN(k < 2 ? 1e-3 : 2e-3, when, static_cast<double>(change.time));
    ++k;
  }
  TEST_ASSERT_TRUE(third < 0.08 && fourth > 0.095);
}

// Pushed with F below mu m g: mu m g - F is left. With F growing by 10 mN a tick, the prediction of each tick
// says so, and says slip in the first tick with F > mu m g = 0.5886 N.
void a_growing_push_slips_at_its_limit() {
  static predictor::Predictor<double, 2, kPlane, 10, Extras{.changes = 2, .margins = true}> predictor;
  static World<double, 2, kPlane> world;
  on_floor(world, 1e-3, crate(0.0), 0.3);
  const double limit = 0.3 * 0.2 * kG;
  for (int tick = 0; tick < 70; ++tick) {
    const double push = 0.01 * tick;
    world.state.force[1].linear[0] = push;
    const auto& p = predictor.predict(world.model, world.state);
    TEST_ASSERT_TRUE(p.contact[0].now == (push > limit ? Mode::slip : Mode::stick));
    TEST_ASSERT_EQUAL_INT(0, p.changes[0].count);
    const double left = push > limit ? 0 : limit - push;
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, left, p.slip[0].now.force);
    TEST_ASSERT_DOUBLE_WITHIN(1e-7, 100 * left / limit, p.slip[0].least.percent);
  }
}

// A twist T about the normal loads the four corners of a box, r = sqrt(0.02) m from the middle, with T / r
// in all. Their sum is no force at all, and yet that much is used up.
void a_twist_uses_friction_up() {
  static predictor::Predictor<double, 3, kBox, 4, Extras{.margins = true}> predictor;
  static World<double, 3, kBox> world;
  TEST_ASSERT_TRUE(make_box(world, 0.0));
  const double limit = 0.5 * 2 * kG, used = 0.6 * limit;
  world.state.force[1].angular[2] = used * std::sqrt(0.02);
  const auto& p = predictor.predict(world.model, world.state);
  TEST_ASSERT_TRUE(p.contact[0].now == Mode::stick);
  TEST_ASSERT_DOUBLE_WITHIN(1e-8, limit - used, p.slip[0].now.force);
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, 40, p.slip[0].now.percent);
}

contact::PatchLaw<float> soft() {
  contact::PatchLaw<float> law;
  law.columns = 3;
  law.spacing = 1e-6F;
  law.compliance = 1e-10F;
  law.poisson = 0.3F;
  return law;
}

// The plant falls on a patch in steps of 0.1 ms; its state goes into a rigid horizon of 1 ms, and into a
// compliant one that is, number by number, a world built with 1 ms.
void a_horizon_has_its_own_step_and_law() {
  static predictor::Predictor<float, 2, kPlane, 30, Extras{.changes = 2}> predictor;
  static Model<float, 2, kPlane> ahead;
  const auto law = soft();
  on_floor(plane, 1e-4F, ball(0.002F), 0.3F, 0.0F, &law);
  using predictor::make_horizon_model;
  TEST_ASSERT_TRUE(make_horizon_model(plane.model, {.h = 1e-3F, .rigid = true}, ahead) == What::none);
  const auto& p = predictor.predict(ahead, plane.state);
  TEST_ASSERT_TRUE(p.status == StepStatus::solved && p.steps == 30);
  TEST_ASSERT_EQUAL_INT(1, p.changes[0].count);
  const float lands = static_cast<float>(std::sqrt(2 * 0.002 / kG));  // 20.2 ms
  TEST_ASSERT_FLOAT_WITHIN(1e-3F, lands, p.changes[0].change[0].time);
  TEST_ASSERT_EQUAL_FLOAT(1e-4F, plane.model.h);

  static World<float, 2, kPlane> built;
  on_floor(built, 1e-3F, ball(0.002F), 0.3F, 0.0F, &law);
  TEST_ASSERT_TRUE(make_horizon_model(plane.model, {.h = 1e-3F}, ahead) == What::none);
  for (int i = 0; i < 36; ++i) {
    TEST_ASSERT_TRUE(ahead.patch[0].R[i] == built.model.patch[0].R[i]);
    TEST_ASSERT_TRUE(ahead.patch[0].B[i] == built.model.patch[0].B[i]);
  }
  TEST_ASSERT_EQUAL_INT(1, predictor.predict(ahead, plane.state).changes[0].count);

  // Without a step of its own it has the plant's; a refused one does not step.
  TEST_ASSERT_TRUE(make_horizon_model(plane.model, {}, ahead) == What::none);
  TEST_ASSERT_EQUAL_FLOAT(1e-4F, ahead.h);
  for (const float h :
       {-1.0F, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    TEST_ASSERT_TRUE(make_horizon_model(plane.model, {.h = h}, ahead) == What::step);
    TEST_ASSERT_TRUE(predictor.predict(ahead, plane.state).reason == StepReason::not_configured);
  }
}

void facets_are_the_horizons_own() {
  static World<float, 3, kBox> world;
  static Model<float, 3, kBox> ahead;
  TEST_ASSERT_TRUE(make_box(world, 0.0F));
  TEST_ASSERT_TRUE(predictor::make_horizon_model(world.model, {.method{.facets = 8}}, ahead) == What::none);
  TEST_ASSERT_EQUAL_INT(8, ahead.method.facets);
  TEST_ASSERT_EQUAL_INT(4, world.model.method.facets);
  TEST_ASSERT_TRUE(predictor::make_horizon_model(world.model, {.method{.facets = 5}}, ahead) == What::facets);
}

// A counter that a step costs 100 counts, and the ticks before it 50.
struct Ticking {
  const int* taken;
  std::uint32_t operator()() const { return 50 + 100 * static_cast<std::uint32_t>(*taken); }
};

void a_budget_of_counts_cuts_the_far_end() {
  static predictor::Predictor<float, 2, kPlane, 40, Extras{.changes = 4}> predictor;
  on_floor(plane, 1e-3F, crate(0.05F), 0.3F);
  for (std::uint32_t limit = 0; limit < 5000; limit += 10) {
    for (const std::uint32_t reserve : {0U, 100U, 140U}) {
      int taken = 0;
      Budget budget;
      budget.counts = limit;
      budget.reserve = reserve;
      const auto& p = predictor.predict(plane.model, plane.state, budget, Ticking{&taken},
                                        [&](int, const auto&, const auto&) { ++taken; });
      const std::uint32_t spent = Ticking{&taken}();
      // As many steps as begin within what is not reserved, and never more than one over.
      std::uint32_t fits = 0;
      if (limit >= reserve + 50) fits = (limit - reserve - 50) / 100 + 1;
      TEST_ASSERT_EQUAL_UINT32(fits < 40 ? fits : 40, p.steps);
      TEST_ASSERT_EQUAL_INT(taken, p.steps);
      TEST_ASSERT_TRUE((p.end == End::counts) == (fits < 40));
      TEST_ASSERT_TRUE(p.end == End::counts || p.end == End::whole);
      if (p.steps > 0) TEST_ASSERT_TRUE(spent <= limit - reserve + 100);
      TEST_ASSERT_TRUE(p.status == StepStatus::solved);
      // What is left says what the whole says: nothing of its near end depends on the cut.
      TEST_ASSERT_EQUAL_INT(p.steps >= 17 ? 1 : 0, p.changes[0].count);
    }
  }
}

// Without modes to guess from, each step in contact takes an LCP: pivots are what a step costs.
void a_budget_of_pivots_cuts_the_far_end() {
  static predictor::Predictor<float, 2, kPlane, 30> predictor;
  on_floor(plane, 1e-3F, crate(0.05F), 0.3F);
  plane.model.method.modes_first = false;
  plane.model.method.pivot_budget = 30;
  std::array<int, 31> after{};  // pivots after so many steps
  const auto& whole = predictor.predict(plane.model, plane.state);
  const int steps = whole.steps, total = whole.pivots;
  TEST_ASSERT_EQUAL_INT(30, steps);
  TEST_ASSERT_TRUE(total >= 60);
  for (int n = 1; n <= steps; ++n)
    after[static_cast<std::size_t>(n)] = predictor.predict(plane.model, plane.state, n).pivots;
  const int most = predictor::most_pivots(plane.model);
  TEST_ASSERT_EQUAL_INT(30, most);
  for (int limit = 0; limit <= total + most + 1; ++limit) {
    const auto& p = predictor.predict(plane.model, plane.state, {.pivots = limit});
    int fits = 0;
    while (fits < steps && after[static_cast<std::size_t>(fits)] <= limit) ++fits;
    TEST_ASSERT_EQUAL_INT(fits, p.steps);
    TEST_ASSERT_TRUE(p.pivots <= limit + most);
    TEST_ASSERT_TRUE(p.end == (fits < steps ? End::pivots : End::whole));
    // With a step's bound reserved it is never over.
    const auto& never_late =
        predictor.predict(plane.model, plane.state, {.pivots = limit, .pivot_reserve = most});
    TEST_ASSERT_TRUE(never_late.pivots <= limit);
    TEST_ASSERT_TRUE((never_late.steps > 0) == (limit >= most));
  }
}

void bad_input_ends_the_horizon() {
  static predictor::Predictor<float, 2, kPlane, 10, Extras{.changes = 2, .margins = true, .warm = true}>
      predictor;
  on_floor(plane, 1e-3F, crate(0.05F), 0.3F);
  plane.state.velocity[1].linear[0] = std::numeric_limits<float>::quiet_NaN();
  const auto& p = predictor.predict(plane.model, plane.state);
  TEST_ASSERT_TRUE(p.status == StepStatus::failed && p.reason == StepReason::bad_state &&
                   p.end == End::failed);
  TEST_ASSERT_EQUAL_INT(0, p.steps);
  TEST_ASSERT_EQUAL_INT(0, p.changes[0].count);
  TEST_ASSERT_EQUAL_INT(0, predictor.predict(plane.model, plane.state, -3).steps);
  TEST_ASSERT_EQUAL_INT(0, predictor.predict(plane.model, plane.state, Budget{.pivots = -1}).steps);
  plane.state.velocity[1].linear[0] = 0.05F;
  TEST_ASSERT_TRUE(predictor.predict(plane.model, plane.state).status == StepStatus::solved);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_sliding_crate_stops_in_time);
  RUN_TEST(every_bounce_has_its_time);
  RUN_TEST(a_growing_push_slips_at_its_limit);
  RUN_TEST(a_twist_uses_friction_up);
  RUN_TEST(a_horizon_has_its_own_step_and_law);
  RUN_TEST(facets_are_the_horizons_own);
  RUN_TEST(a_budget_of_counts_cuts_the_far_end);
  RUN_TEST(a_budget_of_pivots_cuts_the_far_end);
  RUN_TEST(bad_input_ends_the_horizon);
  return UNITY_END();
}
