// A scene at a time as contact problems: the instant, of rigid contacts and at the level of accelerations
// (Pang-Trinkle 1996 (20)-(22)), and the step that begins there.
//
// The scene's plant runs to the time; its bodies and arms are then put into a world of rigid contacts, whose
// rows give A, W M^-1 f and, by differences of W v along the motion with v held, W-dot v. A contact takes
// part where its point was pressed in the last step, or is nearer than kTouch and not faster apart than
// kParts; one that closes faster than that is an impact and has no accelerations. It slides where it is
// faster than kSlides, else it rolls. Joints hold (their accelerations are 0) and are eliminated. Of arms the
// torques of drives act as they are at that time, within the limits of motors; a joint that moves faster than
// kSlides rubs by all of its friction, one at rest by what it takes; one nearer than kTouch to its limit, and
// not faster away than kParts, is at its stop.
//
// The step has all that it may meet: joints rub and motors give within their limits by the speed at its end.
//
// Throws Unsupported: laws without such rows (implicit, torsion), an impact, more contacts than
// kAccelContacts, more joints that rub or are at a stop than kAccelStops.
#pragma once

#include <optional>

#include "accel_file.hpp"
#include "instant_problem.hpp"
#include "plant.hpp"
#include "scene.hpp"

namespace tactus::host {

inline constexpr double kTouch = 1e-6;   // m; in single precision 1e-5
inline constexpr double kParts = 1e-3;   // m/s
inline constexpr double kSlides = 1e-6;  // m/s; in single precision 1e-4

// A contact, and what is one to the laws: a joint at its stop, and one at rest that rubs (row_problem.hpp).
struct Touching {
  enum class Kind : std::uint8_t { contact, stop, joint };
  Kind kind = Kind::contact;
  std::string pair;                  // or "ARM/JOINT"
  double gap = 0;                    // m, of a stop rad or m
  double friction = 0;               // of a joint, N m or N
  std::array<double, 3> velocity{};  // v_n, v_t (, v_o), m/s
};

struct SceneInstant {
  double time = 0;
  std::vector<Touching> contacts;      // of the instant, in its order
  InstantProblem problem;              // in the order of `contacts`
  AccelEntry entry;                    // the same, in the order of a file
  std::vector<std::string> in_step;    // pairs of the step's problem, in its order
  std::optional<InstantProblem> step;  // none where a law of the scene gives way
};

SceneInstant scene_instant(const Scene& scene, double time, bool single);

// The same of a state that is known: a sample of the scene's plant at a time.
SceneInstant instant_of(const Scene& scene, const StepSample& sample, double time, bool single);

// Its step alone, which an impact has, too. `in_step`: its pairs.
std::optional<InstantProblem> step_of(const Scene& scene, const StepSample& sample, double time,
                                      std::vector<std::string>& in_step);

}  // namespace tactus::host
