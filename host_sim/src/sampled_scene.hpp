// A scene as it stands at a sample of its plant.
#pragma once

#include "plant.hpp"
#include "scene.hpp"

namespace tactus::host {

// The states of a scene's plant at a time, or the nearest end of a step, and one step before it.
struct Sampled {
  StepSample before, now;
  long steps = 0;   // that it has taken
  double time = 0;  // s
};
// Throws where the plant has no answer on the way.
Sampled run_to(const Scene& scene, double time, bool single);

// The scene with rigid contacts that do not bounce, at the time of a sample.
Scene at_sample(Scene scene, const StepSample& sample);

// Whether a point was pressed in the last step; a patch has several elements at each.
bool pressed(const ContactPair& pair, const ContactSample& sample, int point);

}  // namespace tactus::host
