// A board alone: the ellipse of Song 2004, section 6, moves on the board itself, and each beat the board says
// what its contact will do over the next 4 steps. No host, no link; the figures go to the console (the
// emulator's, or the UART of a real board). It is also the smallest honest image: the core for one scene and
// nothing else.
#include <cstdint>

#include "firmware/figures.hpp"
#include "tactus/tactus.hpp"

namespace {

using namespace tactus;

constexpr int kElements = 3, kHorizon = 4;
constexpr stepper::Capacity kCapacity{
    .bodies = 2,
    .contacts = 1,
    .slots = kElements,
    .active = kElements,
    .patches = 1,
    .patch_elements = kElements,
    .pairs = geometry::pair(geometry::PlanarKind::half_space, geometry::PlanarKind::ellipse),
    .parts = 0};

stepper::World<float, 2, kCapacity> world;
stepper::Workspace<float, 2, kCapacity> workspace;
predictor::Predictor<float, 2, kCapacity, kHorizon> forecaster;

bool build() {
  stepper::Method method;
  method.pyramid = contact::Pyramid::box;
  method.pivot_budget = 200;
  constexpr float kStep = 1.0F / firmware::kBeatHertz;
  bool good = stepper::configure(world, kStep, math::Vector<float, 2>(0, -9.81F), method) == What::none;
  stepper::BodyDescription<float, 2> ground, body;
  int ground_index = 0, body_index = 0, contact_index = 0;
  ground.shape = geometry::half_space(math::Vector2<float>(0, 1), 0.0F);
  good = good && stepper::add_body(world, ground, ground_index) == What::none;
  body.mass = 0.05F;
  body.inertia(0, 0) = 1.5e-4F;
  body.shape = geometry::ellipse(0.1F, 0.05F);
  body.pose = {0, 0.0974556066F, 1.3089969F};
  good = good && stepper::add_body(world, body, body_index) == What::none;
  contact::PatchLaw<float> law;
  law.columns = kElements;
  law.spacing = 1e-6F;
  law.compliance = 1e-10F;
  law.poisson = 0.3F;
  law.printed = true;
  stepper::ContactDescription<float, 2> contact;
  contact.a = ground_index;
  contact.b = body_index;
  contact.friction.kinetic = 0.2F;
  contact.patch = &law;
  return good && stepper::add_contact(world, contact, contact_index) == What::none;
}

}  // namespace

int main() {
  if (!build()) {
    board::print("The scene was refused.\n");
    return 1;
  }
  firmware::Figures figures;
  firmware::keep_beat(figures, [&figures] {
    const std::uint32_t start = board::counter();
    const auto report = stepper::step(world, workspace);
    figures.step.note(board::counts_since(start));
    const auto& prediction = forecaster.predict(world.model, world.state);
    figures.tick.note(board::counts_since(start));
    if (report.status != stepper::StepStatus::solved || prediction.status != stepper::StepStatus::solved)
      ++figures.uncertified;
    if (prediction.contact[0].change_step >= 0) ++figures.changes_foreseen;
  });
  firmware::print(figures, sizeof world + sizeof workspace + sizeof forecaster);
  return figures.missed == 0 && figures.uncertified == 0 ? 0 : 1;
}
