#include "start_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tactus::host {
namespace {

constexpr double kShotApart = 0.1;  // m/s

}  // namespace

std::string start_warning(const Scene& scene, const StepSample& initial) {
  if (scene.normal_rule != stepper::NormalRule::gap) return {};  // which pushes nothing apart
  std::size_t deepest = 0;
  double depth = 0;
  for (std::size_t i = 0; i < initial.contacts.size(); ++i) {
    if (!scene.contacts[i].patch && -initial.contacts[i].gap > depth)
      depth = -initial.contacts[i].gap, deepest = i;
  }
  const double speed = std::min(depth / scene.step, scene.recovery_speed.value_or(HUGE_VAL));
  if (!(speed > kShotApart)) return {};
  const auto& [a, b] = scene.contacts[deepest].between;
  return fmt::format(
      "{} and {} start {:.3g} m inside one another; the first step drives them apart at {:.3g} m/s", a, b,
      depth, speed);
}

}  // namespace tactus::host
