// A scene and its states in the words of the wire.
#pragma once

#include <messages.pb.h>

#include "plant.hpp"

namespace tactus::host {

// Throw Unsupported: where a scene has arms, which no board's image has, and where this board's does not have
// the scene's law.
void demand_no_arms(const Scene& scene);
void demand_board_law(const Scene& scene, const wire::Hello& hello);

// Throws InputError where the wire has no word for the scene: more bodies or contacts than it carries,
// joints, arms.
wire::Configure configure_message(const Scene& scene, int horizon, wire::Mode mode);

// All moving bodies at time t, with the forces applied from then on.
wire::State state_message(const Scene& scene, const StepSample& sample, double t, long tick);

}  // namespace tactus::host
