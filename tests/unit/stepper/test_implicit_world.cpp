// The implicit law in the one world: a scene sizes it, a world may have it beside the others, energy adds up,
// and the predictor looks ahead under it.
#include <cstring>
#include <limits>

#include "tactus/space.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;

namespace {

constexpr double kStep = 1e-3, kRadius = 0.1;

// A ball that slides, spins and rolls.
constexpr SceneBody<3> kBodies[]{{.shape{geometry::SpatialKind::half_space, {0, 0, 1}}},
                                 {.mass = 1,
                                  .inertia{0.004, 0.004, 0.004},
                                  .shape{geometry::SpatialKind::sphere, {kRadius}},
                                  .pose{.position{0, 0, kRadius}},
                                  .velocity{.linear{0.3}, .angular{0, 0, 1}}}};
constexpr SceneContact<3> kContacts[]{{.a = 0, .b = 1, .friction{.kinetic = 0.5}, .ellipsoid{1, 1, 0.02}}};
constexpr Scene<3> scene(FrictionLaw law) {
  return {.step = kStep,
          .gravity{0, 0, -9.81},
          .method{.friction = law},
          .bodies = kBodies,
          .contacts = kContacts,
          .energy = true};
}
constexpr Scene<3> kImplicit = scene(FrictionLaw::implicit), kPyramid = scene(FrictionLaw::pyramid);
constexpr Capacity kOne = capacity_of(kImplicit), kRows = capacity_of(kPyramid);
static_assert(kOne.pieces == 1 && kOne.moving == 1 && kOne.slots == 0 && !kOne.has_rows());
static_assert(kRows.pieces == 0 && std::is_empty_v<ImplicitModel<float, 3, kRows>> &&
              std::is_empty_v<ImplicitState<float, 3, kRows>> &&
              std::is_empty_v<ImplicitScratch<float, 3, kRows>>);

constexpr Capacity both() {
  Capacity c = kRows;
  c.pieces = c.moving = 1;
  return c;
}

template <class Scalar, Capacity C>
struct Rig {
  World<Scalar, 3, C> world;
  Workspace<Scalar, 3, C> workspace;

  explicit Rig(const Scene<3>& scene) {
    const Error error = build(world, scene);
    TEST_ASSERT_FALSE_MESSAGE(error, Sentence(error).text());
  }
  auto step() {
    const auto report = stepper::step(world, workspace);
    TEST_ASSERT_EQUAL_STRING(sentence(StepReason::none), sentence(report.reason));
    return report;
  }
};

template <class One, class Other>
void same_motion(const One& one, const Other& other) {
  TEST_ASSERT_EQUAL_MEMORY(&one.world.state.pose, &other.world.state.pose, sizeof one.world.state.pose);
  TEST_ASSERT_EQUAL_MEMORY(&one.world.state.velocity, &other.world.state.velocity,
                           sizeof one.world.state.velocity);
}

// A surface that is made by hand is looked at before it is read.
void a_surface_that_cannot_be_is_refused() {
  static World<double, 3, kOne> world;
  const auto refused = [](const geometry::SurfaceView<double, 3>& surface, What what) {
    TEST_ASSERT_FALSE(configure(world, kStep, {0, 0, -9.81}, {.friction = FrictionLaw::implicit}));
    BodyDescription<double, 3> body;
    body.surface = surface;
    int index = -1;
    TEST_ASSERT_TRUE(add_body(world, body, index) == what);
    TEST_ASSERT_EQUAL_INT(0, world.model.bodies);
  };
  const geometry::Piece<double, 3> pieces[2];
  refused({1, kRadius, nullptr}, What::surface_empty);
  refused({-1, kRadius, pieces}, What::surface_empty);
  refused({2, kRadius, pieces}, What::surface_capacity);
  refused({1, std::numeric_limits<double>::quiet_NaN(), pieces}, What::surface_unbounded);
  refused({1, std::numeric_limits<double>::infinity(), pieces}, What::surface_unbounded);
}

// To the bit what worlds of one law do.
void a_world_has_both_laws() {
  static Rig<float, both()> rows(kPyramid), ends(kImplicit);
  static Rig<float, kRows> rows_alone(kPyramid);
  static Rig<float, kOne> ends_alone(kImplicit);
  for (int k = 0; k < 200; ++k) {
    const auto a = rows.step(), b = ends.step();
    TEST_ASSERT_EQUAL_MEMORY(&a.contact[0].force, &rows_alone.step().contact[0].force,
                             sizeof a.contact[0].force);
    TEST_ASSERT_EQUAL_MEMORY(&b.contact[0].force, &ends_alone.step().contact[0].force,
                             sizeof b.contact[0].force);
    same_motion(rows, rows_alone);
    same_motion(ends, ends_alone);
    TEST_ASSERT_TRUE(b.contact[0].elements == 1 && b.contact[0].margin >= 0);
  }
  // The same ball by both laws, to what an explicit normal and an explicit gap are off.
  TEST_ASSERT_FLOAT_WITHIN(1e-4F, rows.world.state.velocity[1].linear[0],
                           ends.world.state.velocity[1].linear[0]);
  TEST_ASSERT_TRUE(configure(rows.world, 1e-3F, rows.world.model.gravity, kImplicit.method) ==
                   What::law_of_bodies);
  TEST_ASSERT_TRUE(configure(rows.world, 2e-3F, rows.world.model.gravity, kPyramid.method) == What::none);
}

void energy_adds_up() {
  static Rig<double, kOne> rig(kImplicit);
  for (int k = 0; k < 400; ++k) {
    const auto energy = rig.step().energy;
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0, energy.error());
    TEST_ASSERT_TRUE(energy.contact < 1e-15);
  }
}

// A horizon is steps by hand, in every bit, and the state that it starts from stays.
void the_predictor_looks_ahead() {
  constexpr int kHorizon = 16;
  static Rig<float, kOne> rig(kImplicit);
  static predictor::Predictor<float, 3, kOne, kHorizon,
                              predictor::Extras{.changes = 2, .margins = true, .warm = true}>
      ahead;
  bool sticks = false;
  for (int k = 0; k < 10; ++k) {
    const auto start = rig.world.state;
    const auto& seen = ahead.predict(rig.world.model, start);
    TEST_ASSERT_EQUAL_INT(kHorizon, seen.steps);
    TEST_ASSERT_TRUE(seen.status == StepStatus::solved);
    for (int i = 0; i < kHorizon; ++i) {
      const auto c = rig.step().contact[0];
      TEST_ASSERT_TRUE(c.mode == seen.mode[static_cast<std::size_t>(i)][0]);
      TEST_ASSERT_EQUAL_MEMORY(&c.force, &seen.force[static_cast<std::size_t>(i)][0], sizeof c.force);
      if (i > 0) continue;
      TEST_ASSERT_EQUAL_FLOAT(c.mode == contact::Mode::stick ? c.margin : 0, seen.slip[0].now.force);
      sticks = sticks || c.mode == contact::Mode::stick;
    }
    const auto &end = ahead.future(), &now = rig.world.state;
    TEST_ASSERT_EQUAL_MEMORY(&end.pose, &now.pose, sizeof now.pose);
    TEST_ASSERT_EQUAL_MEMORY(&end.velocity, &now.velocity, sizeof now.velocity);
    TEST_ASSERT_EQUAL_MEMORY(&end.implicit.lambda, &now.implicit.lambda, sizeof now.implicit.lambda);
  }
  TEST_ASSERT_TRUE(sticks);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_surface_that_cannot_be_is_refused);
  RUN_TEST(a_world_has_both_laws);
  RUN_TEST(energy_adds_up);
  RUN_TEST(the_predictor_looks_ahead);
  return UNITY_END();
}
