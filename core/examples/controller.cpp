// A controller that asks the predictor inside its own loop: no firmware of ours, no heap. It pushes a crate
// as hard as it is asked to, but for a push that would make the crate slip within the next 10 ms.
#include "tactus/predictor/doubt.hpp"
#include "tactus/predictor/predictor.hpp"
#include "tactus/stepper/build.hpp"

using namespace tactus;

constexpr stepper::Capacity kSize{.bodies = 2, .contacts = 1, .slots = 4, .active = 4, .unknowns = 16};
static stepper::World<float, 2, kSize> world;  // the model; its state is where the measurement goes
static predictor::Predictor<float, 2, kSize, 10, predictor::Extras{.warm = true}> ahead;
static predictor::Doubt<float, 2, kSize> doubt;
static int crate, touch;

bool set_up() {
  stepper::BodyDescription<float, 2> floor, box;
  floor.shape = geometry::half_space<float>(math::Vector2<float>(0, 1), 0.0F);
  box.mass = 0.2F;
  box.inertia(0, 0) = 2e-4F;
  box.shape = geometry::box<float>(0.05F, 0.02F);
  box.pose.y = 0.02F;
  stepper::ContactDescription<float, 2> contact{.friction{.kinetic = 0.5F}};
  return !stepper::configure(world, 1e-3F, {0, -9.81F}) && !add_body(world, floor, contact.a) &&
         !add_body(world, box, contact.b) && !add_contact(world, contact, touch) && (crate = contact.b) > 0;
}

// Once a tick: the push to apply, `wanted` or the one before. `spent` counts instructions since the tick
// began.
float control(float wanted, float applied, std::uint32_t (*spent)()) {
  const predictor::Budget budget{.counts = 400'000, .reserve = 30'000};  // the worst step is below 30 k
  auto state = world.state;
  state.force[static_cast<std::size_t>(crate)].linear[0] = wanted;
  const auto& p = ahead.predict(world.model, state, budget, spent);
  if (p.status != stepper::StepStatus::solved || p.steps == 0) return applied;
  const auto& d = doubt.run(world.model, state, {.friction = 0.2F, .mass = 0.1F}, p.mode[0],
                            {.members = 8, .steps = 2, .budget = budget}, ahead.workspace(), spent);
  for (int k = 0; k < p.steps; ++k)
    if (p.mode[static_cast<std::size_t>(k)][static_cast<std::size_t>(touch)] == contact::Mode::slip)
      return applied;
  return d.slip(touch) > 0.2F ? applied : wanted;
}
