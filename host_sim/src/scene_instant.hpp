// A scene at a time as contact problems: the instant, of rigid contacts and at the level of accelerations
// (Pang-Trinkle 1996 (20)-(22)), and the step that begins there.
//
// The scene's plant runs to the time; its bodies and arms are then put into a world of rigid contacts, whose
// rows give A, W M^-1 f and, by differences of W v along the motion with v held, W-dot v. A contact takes
// part where its point was pressed in the last step, or is nearer than kTouch and not faster apart than
// kParts; one that closes faster than that is an impact and has no accelerations. It slides where it is
// faster than kSlides, else it rolls. Joints hold (their accelerations are 0) and are eliminated. Of arms the
// torques of drives act as they are at that time.
//
// Throws Unsupported: laws without such rows (implicit, torsion), arms with friction in a joint or at a
// limit, an impact, more contacts than kAccelContacts.
#pragma once

#include <optional>

#include "accel_file.hpp"
#include "instant_problem.hpp"
#include "scene.hpp"

namespace tactus::host {

inline constexpr double kTouch = 1e-6;   // m; in single precision 1e-5
inline constexpr double kParts = 1e-3;   // m/s
inline constexpr double kSlides = 1e-6;  // m/s; in single precision 1e-4

struct Touching {
  std::string pair;
  double gap = 0;                    // m
  std::array<double, 3> velocity{};  // v_n, v_t (, v_o), m/s
};

struct SceneInstant {
  double time = 0;
  std::vector<Touching> contacts;      // of the instant, in its order
  AccelEntry entry;                    // reduced: A and b
  std::vector<std::string> in_step;    // pairs of the step's problem, in its order
  std::optional<InstantProblem> step;  // none where a law of the scene gives way
};

SceneInstant scene_instant(const Scene& scene, double time, bool single);

}  // namespace tactus::host
