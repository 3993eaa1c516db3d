#include "step_verdicts.hpp"

#include "existence.hpp"
#include "input_error.hpp"
#include "scene_instant.hpp"
#include "solutions.hpp"

namespace tactus::host {
namespace {

void judge_motions(const InstantProblem& step, StepSample& after) {
  bool violated = false, unknown = false;
  for (const ProblemPart& part : parts_of(step)) {
    const Existence existence = check_existence(part.problem);
    violated = violated || !existence.violated_by.empty();
    unknown = unknown || !existence.guaranteed;
    // One that has no friction is convex, its motion unique.
    bool rubs = false;
    for (const double mu : part.problem.mu) rubs = rubs || mu > 0;
    if (after.ambiguous || after.sought || !rubs) continue;
    const Solutions every = every_solution(part.problem);
    after.ambiguous = every.sought && (every.different.size() > 1 || every.continuum);
  }
  if (violated || !unknown) after.guaranteed = !violated;
}

void judge_instant(const Scene& scene, const SceneInstant& instant, StepSample& after) {
  const InstantProblem p = instant.problem;
  for (const ProblemPart& part : parts_of(p)) {
    const Existence existence = check_existence(part.problem);
    bool slides = false;
    for (std::size_t k = 0; k < part.contacts.size(); ++k) {
      slides = slides || part.problem.slides(static_cast<int>(k));
      const Touching& touch = instant.contacts[static_cast<std::size_t>(part.contacts[k])];
      if (!existence.jam[k].can || touch.kind != Touching::Kind::contact) continue;
      for (std::size_t i = 0; i < scene.contacts.size(); ++i)
        if (scene.contacts[i].name() == touch.pair) after.contacts[i].can_jam = true;
    }
    if (after.impulse || after.sought || !slides || existence.guaranteed || existence.impossible) continue;
    const Solutions every = every_solution(part.problem);
    after.impulse = every.sought && every.all && every.different.empty();
  }
}

}  // namespace

void judge_step(const Scene& scene, const StepSample& before, double time, bool single, StepSample& after) {
  after.guaranteed.reset();
  for (ContactSample& contact : after.contacts) contact.can_jam = false;
  try {
    std::vector<std::string> pairs;
    if (const auto step = step_of(scene, before, time, pairs)) judge_motions(*step, after);
    judge_instant(scene, instant_of(scene, before, time, single), after);
  } catch (const Unsupported&) {
  }
}

}  // namespace tactus::host
