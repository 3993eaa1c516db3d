// A board alone: the ellipse of Song 2004, section 6, moves on the board itself, and each beat the board says
// what its contact will do over the next 4 steps. No host, no link; the figures go to the console (the
// emulator's, or the UART of a real board). It is also the smallest honest image: the core for one scene and
// nothing else.
#include <cstdint>

#include "boards/board.hpp"
#include "tactus/predictor/predictor.hpp"
#include "tactus/stepper/build.hpp"

#ifndef TACTUS_BEAT_HERTZ
#define TACTUS_BEAT_HERTZ 1000
#endif

namespace {

using namespace tactus;

constexpr int kElements = 3, kHorizon = 4;
constexpr std::uint32_t kTicks = 2000;
constexpr stepper::Capacity kCapacity{
    .bodies = 2,
    .contacts = 1,
    .slots = kElements,
    .active = kElements,
    .unknowns = 12,
    .patches = 1,
    .patch_elements = kElements,
    .pairs = geometry::pair(geometry::PlanarKind::half_space, geometry::PlanarKind::ellipse)};

stepper::World<float, 2, kCapacity> world;
stepper::Workspace<float, 2, kCapacity> workspace;
predictor::Predictor<float, 2, kCapacity, kHorizon> forecaster;

bool build() {
  stepper::Method method;
  method.pyramid = contact::Pyramid::box;
  method.pivot_budget = 200;
  constexpr float kStep = 1.0F / TACTUS_BEAT_HERTZ;
  bool good = stepper::configure(world, kStep, dynamics::Vector<float, 2>(0, -9.81F), method) ==
              stepper::BuildError::none;
  stepper::BodyDescription<float, 2> ground, body;
  int ground_index = 0, body_index = 0, contact_index = 0;
  ground.shape = geometry::half_space(geometry::Vector2<float>(0, 1), 0.0F);
  good = good && stepper::add_body(world, ground, ground_index) == stepper::BuildError::none;
  body.mass = 0.05F;
  body.inertia(0, 0) = 1.5e-4F;
  body.shape = geometry::ellipse(0.1F, 0.05F);
  body.pose = {0, 0.0974556066F, 1.3089969F};
  good = good && stepper::add_body(world, body, body_index) == stepper::BuildError::none;
  contact::PatchLaw<float> law;
  law.columns = kElements;
  law.spacing = 1e-6F;
  law.compliance = 1e-10F;
  law.poisson = 0.3F;
  stepper::ContactDescription<float, 2> contact;
  contact.a = ground_index;
  contact.b = body_index;
  contact.friction.kinetic = 0.2F;
  contact.patch = &law;
  return good && stepper::add_contact(world, contact, contact_index) == stepper::BuildError::none;
}

void print(std::uint32_t value) {
  char digits[11];
  int at = sizeof digits - 1;
  digits[at] = '\0';
  do {
    digits[--at] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  board::print(digits + at);
}

void print(const char* label, std::uint32_t value, const char* unit = "") {
  board::print(label);
  print(value);
  board::print(unit);
  board::print("\n");
}

struct Cost {
  std::uint32_t total = 0;  // 2000 ticks of up to two million counts fit
  std::uint32_t worst = 0;
  void note(std::uint32_t counts) {
    total += counts;
    if (counts > worst) worst = counts;
  }
  std::uint32_t mean() const { return total / kTicks; }
};

}  // namespace

int main() {
  if (!build()) {
    board::print("The scene was refused.\n");
    return 1;
  }
  Cost step, tick;
  std::uint32_t missed = 0, uncertified = 0, changes_foreseen = 0;
  board::start_watchdog(50);
  board::start_beat(TACTUS_BEAT_HERTZ);
  std::uint32_t seen = board::beats();
  for (std::uint32_t k = 0; k < kTicks; ++k) {
    while (board::beats() == seen) board::sleep(seen);
    missed += board::beats() - seen - 1;
    seen = board::beats();
    const std::uint32_t start = board::counter();
    const auto report = stepper::step(world, workspace);
    step.note(board::counts_since(start));
    const auto& prediction = forecaster.predict(world.model, world.state);
    tick.note(board::counts_since(start));
    if (report.status != stepper::StepStatus::solved || prediction.status != stepper::StepStatus::solved)
      ++uncertified;
    if (prediction.contact[0].change_step >= 0) ++changes_foreseen;
    board::feed_watchdog();
  }
  board::stop_beat();
  const board::Description who = board::describe();
  board::print(who.name);
  board::print(", costs in ");
  board::print(who.count_unit);
  board::print("\n");
  print("ticks ", kTicks);
  print("step, mean ", step.mean());
  print("step, worst ", step.worst);
  print("tick of 5, mean ", tick.mean());
  print("tick of 5, worst ", tick.worst);
  print("of a beat ", who.counts_per_second / TACTUS_BEAT_HERTZ);
  print("changes foreseen in ", changes_foreseen, " ticks");
  print("stack ", board::thread_stack().used, " bytes");
  print("memory of world, workspace and predictor ", sizeof world + sizeof workspace + sizeof forecaster,
        " bytes");
  print("missed beats ", missed);
  print("uncertified ", uncertified);
  return missed == 0 && uncertified == 0 ? 0 : 1;
}
