// A scene as it stands at a sample of its plant.
#pragma once

#include "plant.hpp"
#include "scene.hpp"

namespace tactus::host {

// The scene with rigid contacts that do not bounce, at the time of a sample.
Scene at_sample(Scene scene, const StepSample& sample);

// What motors and the friction of joints that move give at this instant, faster than `slides`: numbers that
// are known, which take the place of impedances, motors' limits and that friction.
void take_torques(Scene& scene, double time, double slides);

// Whether a point was pressed in the last step; a patch has several elements at each.
bool pressed(const ContactPair& pair, const ContactSample& sample, int point);

}  // namespace tactus::host
