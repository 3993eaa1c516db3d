// What the papers say of a step of a scene that asks for it ("uniqueness"), beside core's own flags: of the
// parts of its problem that do not feel each other, in the plane up to 4 contacts, in space up to 3, with up
// to kMostJoints joints that rub (solutions.hpp); and of the instant at which it begins. What core has sought
// stands. An impulse is then that of the instant, with the accelerations of what turns.
//
// Cost: scene_instant.hpp's worlds, 0.1 to 0.3 ms, and every_solution() of the step's parts and of those of
// the instant that slide. Failure: none; what has no rows of an instant, or is too much, is left unsaid.
#pragma once

#include "plant.hpp"

namespace tactus::host {

// `before`: the sample at its start, at `time`. Sets `guaranteed` and `can_jam` of the sample after it, and
// `ambiguous` and `impulse` where core has not sought them.
void judge_step(const Scene& scene, const StepSample& before, double time, bool single, StepSample& after);

}  // namespace tactus::host
