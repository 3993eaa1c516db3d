// A controller that asks the predictor inside its own loop: no firmware of ours, no heap. It pushes a crate
// as hard as it is asked to, but for a push that would make the crate slip within the next 10 ms.
#include "tactus/plane.hpp"
#include "tactus/predictor/doubt.hpp"

using namespace tactus;

constexpr int kCrate = 1, kTouch = 0;  // their places in the lists
constexpr stepper::SceneBody<2> kBodies[]{
    {.shape{geometry::PlanarKind::half_space, {0, 1}}},
    {.mass = 0.2, .inertia{2e-4}, .shape{geometry::PlanarKind::box, {0.05, 0.02}}, .pose{0, 0.02}}};
constexpr stepper::SceneContact<2> kContacts[]{{.a = 0, .b = kCrate, .friction{.kinetic = 0.5}}};
constexpr stepper::Scene<2> kScene{
    .step = 1e-3, .gravity{0, -9.81}, .bodies = kBodies, .contacts = kContacts};

constexpr stepper::Capacity kSize = capacity_of(kScene);
static stepper::World<float, 2, kSize> world;  // the model; its state is where the measurement goes
static predictor::Predictor<float, 2, kSize, 10, predictor::Extras{.warm = true}> ahead;
static predictor::Doubt<float, 2, kSize> doubt;

bool set_up() {
  return !build(world, kScene);
}

// Once a tick: the push to apply, `wanted` or the one before. `spent` counts instructions since the tick
// began.
float control(float wanted, float applied, std::uint32_t (*spent)()) {
  const predictor::Budget budget{.counts = 400'000, .reserve = 30'000};  // the worst step is below 30 k
  auto state = world.state;
  state.force[kCrate].linear[0] = wanted;
  const auto& p = ahead.predict(world.model, state, budget, spent);
  if (p.status != stepper::StepStatus::solved || p.steps == 0) return applied;
  const auto& d = doubt.run(world.model, state, {.friction = 0.2F, .mass = 0.1F}, p.mode[0],
                            {.members = 8, .steps = 2, .budget = budget}, ahead.workspace(), spent);
  for (int k = 0; k < p.steps; ++k)
    if (p.mode[static_cast<std::size_t>(k)][kTouch] == contact::Mode::slip) return applied;
  return d.slip(kTouch) > 0.2F ? applied : wanted;
}
