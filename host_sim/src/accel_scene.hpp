// What `tactus accel SCENE --at T` says beside the instant itself: the time, what touches, is at its stop or
// rubs at rest, and all that is known of the step that begins there. Cost: the list of that step's solutions.
#pragma once

#include <nlohmann/json.hpp>

#include "scene_instant.hpp"

namespace tactus::host {

// Adds the keys `time`, `contacts` and `step`.
void say_scene(const SceneInstant& scene, int dim, nlohmann::ordered_json& out);

}  // namespace tactus::host
