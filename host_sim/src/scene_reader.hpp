// From the text of a scene file to a Scene, or to the one sentence that says why not.
#pragma once

#include <string>

#include "scene.hpp"

namespace tactus::host {

// Sizes over these are refused.
inline constexpr int kMaxBodies = 16;
inline constexpr int kMaxContactPairs = 16;
inline constexpr int kMaxJoints = 8;
inline constexpr int kMaxArms = 4;
inline constexpr int kMaxArmJoints = 12;  // of all arms together
inline constexpr int kMaxTips = 8;        // as well
inline constexpr int kMaxPoints = 8;      // given by hand, of one contact
inline constexpr int kMaxElements = 64;   // of one patch
inline constexpr int kMaxParts = 8;       // of one intersection
inline constexpr int kMaxPasses = 32;     // of a fixed point
inline constexpr int kMaxTableRows = 1000000;
inline constexpr double kMaxSteps = 1e9;

// Both throw InputError at the first thing that is wrong; Unsupported where an arm's URDF file has what
// core's arms have not. URDF files are looked for beside `file`.
Scene parse_scene(const std::string& text, const std::string& file);
Scene read_scene(const std::string& file);

}  // namespace tactus::host
