// A scene at a time as contact problems: the instant, of rigid contacts and at the level of accelerations
// (tactus/stepper/instant.hpp says what takes part), and the step that begins there.
//
// The scene's plant runs to the time; its bodies and arms are then put into a world of rigid contacts. Of
// points the plant pressed in its last step are closed. The step has all that it may meet: joints rub and
// motors give within their limits by the speed at its end.
//
// Throws Unsupported: laws without such rows (implicit, torsion), an impact, more contacts than
// kAccelContacts, more joints that rub or are at a stop than there is room for.
#pragma once

#include <optional>

#include "accel_file.hpp"
#include "instant_problem.hpp"
#include "plant.hpp"
#include "scene.hpp"

namespace tactus::host {

// A contact, or what is one to the laws: a joint at its stop, and one at rest that rubs.
struct Touching {
  enum class Kind : std::uint8_t { contact, stop, joint };  // as stepper::InstantKind
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

// Throws Unsupported where a law of the scene has no instant.
void demand_instant(const Scene& scene);

SceneInstant scene_instant(const Scene& scene, double time, bool single);

// The same of a state that is known: a sample of the scene's plant at a time.
SceneInstant instant_of(const Scene& scene, const StepSample& sample, double time, bool single);

// Its step alone, which an impact has, too. `in_step`: its pairs.
std::optional<InstantProblem> step_of(const Scene& scene, const StepSample& sample, double time,
                                      std::vector<std::string>& in_step);

}  // namespace tactus::host
