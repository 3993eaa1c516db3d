// Scenes drawn about those of host_sim/scenes: start states, masses, sizes, friction, forces, torques and
// velocities.
#pragma once

#include <string>
#include <vector>

#include "numbers.hpp"
#include "scene.hpp"

namespace tactus::host {

// What a draw is made from: numbers from 0 to 1, as many as its scene asks for.
using Genes = std::vector<double>;

// The scenes that there are draws of, by the names of their files.
std::vector<std::string> random_scene_names();

// A scene about `base`, the one of that name, for a run of so many seconds. Genes that are missing are drawn
// and added, so that empty ones make a new draw, and full ones the same draw again.
Scene draw_scene(const std::string& name, const Scene& base, double seconds, Numbers& random, Genes& genes);

}  // namespace tactus::host
