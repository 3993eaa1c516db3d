// The parts of a scene file that stand on their own; scene_reader.cpp puts them together.
#pragma once

#include "json_file.hpp"
#include "scene.hpp"

namespace tactus::host {

Shape read_shape(const JsonNode& node, bool plane);
Body read_body(const JsonNode& node, bool plane);
Forcing read_forcing(const JsonNode& node, std::size_t components);
Arm read_arm(const JsonNode& node, const Scene& scene);
Friction read_friction(const JsonNode& node);
Patch read_patch(const JsonNode& node, bool plane);
std::array<double, 7> read_pose(const JsonNode& node, bool plane);
std::array<double, 3> read_unit(const JsonNode& node, std::size_t components);

}  // namespace tactus::host
