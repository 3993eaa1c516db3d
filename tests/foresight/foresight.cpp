// foresight SCENES RUNS [CSV]: how well changes of contact are foreseen 10 ms ahead, in the scenes of a
// manipulator's world.
//
// The plant of each run is the scene at a tenth of the step, by its own law (Coulomb's with the round cone),
// and with parameters that the predictor does not know: each mass with its inertia, each friction coefficient
// and the Coulomb friction of each joint is off by a factor of its own, even between 0.98 and 1.02, from the
// run's seed. The predictor is the core's step in float at 1 ms by the scene's own law, from what the plant's
// state is, in single precision, in every tick; it knows the scene's tables. CSV gets the predicted and the
// actual times.
//
// Judged are
//   the change that the scene is about: in the last tick that is 10 ms or more ahead of it, the predictor has
//   to say the same change, at most 2 ticks off. A change in the step that ends at t came within it: t - h /
//   2; false alarms: ticks in which a change is said to come within the horizon though none does (by 2 ticks
//   beyond it), as a share of all ticks in which none does.
//
// What can be had: where a load L(t) passes a limit that is known to within a share d of it, the time is off
// by d L / L'. With d = 4 %, two factors at their worst, 2 ms take L' / L >= 20 / s; the scenes load with
// 25 / s at the limit (push.md, grasp.md). A touch that comes with the gap / v needs none of these factors.
// And a load has to be that of the step's middle or end: taken at its start a change is said a tick late.
//
// Exit status 1 where fewer than 95 % of the runs of a scene are foretold, or 2 % of the ticks are alarms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core_world.hpp"
#include "plant.hpp"
#include "scene_reader.hpp"
#include "tactus/stepper/step.hpp"

using namespace tactus;
using namespace tactus::host;

namespace {

constexpr int kSubsteps = 10, kAhead = 10, kTolerance = 2, kHorizon = kAhead + kTolerance + 1;
constexpr double kError = 0.02;
constexpr stepper::Capacity kSize{.bodies = 8,
                                  .contacts = 4,
                                  .slots = 32,
                                  .active = 8,
                                  .unknowns = 48,
                                  .arm_joints = 12,
                                  .parts = stepper::facet_form};

struct Subject {
  const char* scene;
  std::size_t contacts;  // it is about the first change of one of the first so many
  int from, to;          // to 3: anything closed
  double until;          // s; the change comes before
};
constexpr Subject kSubjects[] = {{"push", 1, 1, 2, 0.6}, {"grasp", 2, 1, 2, 0.55}, {"peg", 1, 0, 3, 0.63}};

class Factors {
 public:
  explicit Factors(unsigned seed) : random_(seed) {}
  double next() { return 1 + kError * (2 * (static_cast<double>(random_() >> 11U) * 0x1p-53) - 1); }

 private:
  std::mt19937_64 random_;
};

// What the predictor does not know.
Scene plant_of(Scene scene, unsigned seed) {
  Factors factors(seed);
  scene.method = Method::cone;
  scene.exact = true;
  scene.step /= kSubsteps;
  for (Body& body : scene.bodies) {
    if (!body.mass) continue;
    const double factor = factors.next();
    *body.mass *= factor;
    for (double& x : body.inertia) x *= factor;
  }
  for (ContactPair& pair : scene.contacts) {
    const double factor = factors.next();
    pair.mu.kinetic *= factor;
    pair.mu.static_mu *= factor;
  }
  for (Arm& arm : scene.arms) {
    for (UrdfJoint& joint : arm.robot.joints) {
      const double factor = factors.next();
      joint.data.mass *= factor;
      for (double& x : joint.data.inertia) x *= factor;
      joint.data.friction *= factors.next();
    }
  }
  return scene;
}

// What was said in one tick of the contact, with times in ticks.
struct Said {
  int change = 0;  // steps ahead; 0: none
  int next = 0;    // to which mode
};

struct Run {
  double change = -1;  // ticks; when it came
  std::vector<Said> said;
  int uncertified = 0;
};

bool matches(const Subject& subject, int mode) {
  return subject.to == 3 ? mode != 0 : mode == subject.to;
}

// From a measured state to what the contacts do in each step of the horizon.
class Predictor {
 public:
  explicit Predictor(const Scene& scene) : scene_(scene) { build_world(scene, now_); }

  void take(const StepSample& seen) {
    auto& state = now_.state;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      if (!scene_.moving(i)) continue;
      state.pose[i] = core_pose<float>(seen.bodies[i].pose, std::integral_constant<int, 3>{});
      state.velocity[i] = core_motion<float, 3>([&](std::size_t k) { return seen.bodies[i].velocity[k]; });
    }
    std::size_t joint = 0;
    for (const ArmSample& arm : seen.arms) {
      for (std::size_t j = 0; j < arm.q.size(); ++j, ++joint) {
        state.arm.q[joint] = to<float>(arm.q[j]);
        state.arm.qd[joint] = to<float>(arm.qd[j]);
      }
    }
  }

  // Calls say(step, contact, mode) for each step of the horizon from the time t; how many steps are not
  // certified. What the contacts did in the first step is what the next tick guesses.
  template <class Say>
  int look_ahead(double t, const Say& say) {
    int uncertified = 0;
    auto ahead = now_;
    for (int k = 0; k < kHorizon; ++k) {
      const double from = t + k * scene_.step;
      for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
        const Forcing& force = scene_.bodies[i].force;
        if (force.rows.empty()) continue;
        ahead.state.force[i] =
            core_motion<float, 3>([&](std::size_t c) { return force.at(from + scene_.step / 2, c); });
      }
      drive_arms(scene_, from, scene_.step, ahead);
      const auto report = stepper::step(ahead, workspace_);
      if (report.status != stepper::StepStatus::solved) ++uncertified;
      for (std::size_t c = 0; c < scene_.contacts.size(); ++c)
        say(k, c, static_cast<int>(report.contact[c].mode));
      if (k == 0) now_ = ahead;
    }
    return uncertified;
  }

 private:
  const Scene& scene_;
  stepper::World<float, 3, kSize> now_;
  stepper::Workspace<float, 3, kSize> workspace_;
};

Run run(const Scene& scene, const Subject& subject, unsigned seed) {
  const Scene truth = plant_of(scene, seed);
  const auto plant = make_plant(truth, false);
  const auto predictor = std::make_unique<Predictor>(scene);
  Run result;
  StepSample now = plant->initial();
  std::vector<int> mode(subject.contacts, subject.from);
  for (long k = 0; static_cast<double>(k) * scene.step < subject.until && result.change < 0; ++k) {
    predictor->take(now);
    Said first;
    auto last = mode;
    result.uncertified += predictor->look_ahead(static_cast<double>(k) * scene.step,
                                                [&](int step, std::size_t contact, int then) {
                                                  if (contact >= subject.contacts || first.change > 0) return;
                                                  if (then != last[contact]) first = {step + 1, then};
                                                  last[contact] = then;
                                                });
    result.said.push_back(first);
    for (int i = 1; i <= kSubsteps; ++i) {
      now = plant->step();
      if (now.status != 0) ++result.uncertified;
      for (std::size_t c = 0; c < subject.contacts; ++c) {
        const int then = now.contacts[c].mode;
        if (result.change < 0 && matches(subject, then) && mode[c] == subject.from)
          result.change = static_cast<double>(k) + (i - 0.5) / kSubsteps;
        mode[c] = then;
      }
    }
  }
  return result;
}

struct Score {
  int runs = 0, foretold = 0, missed = 0, uncertified = 0;
  long quiet = 0, alarms = 0;
  std::vector<double> error;  // ticks
};

void judge(const Subject& subject, const Run& run, unsigned seed, Score& score, std::FILE* csv) {
  ++score.runs;
  score.uncertified += run.uncertified;
  double predicted = std::nan("");
  if (run.change >= 0) {
    const auto tick = static_cast<std::size_t>(std::max(0.0, std::floor(run.change - kAhead + 1e-9)));
    const Said& said = run.said[tick];
    if (said.change > 0 && matches(subject, said.next)) {
      predicted = static_cast<double>(tick) + said.change - 0.5;
      score.error.push_back(predicted - run.change);
    } else {
      ++score.missed;
    }
    if (std::fabs(predicted - run.change) <= kTolerance) ++score.foretold;
  }
  for (std::size_t k = 0; k < run.said.size(); ++k) {
    const double from = static_cast<double>(k);
    const bool comes = run.change >= 0 && run.change - from <= kHorizon + kTolerance;
    if (comes) continue;
    ++score.quiet;
    if (run.said[k].change > 0) ++score.alarms;
  }
  if (csv != nullptr) fmt::print(csv, "{},{},{},{}\n", subject.scene, seed, run.change, predicted);
}

bool tell(const Subject& subject, Score score) {
  std::sort(score.error.begin(), score.error.end(),
            [](double a, double b) { return std::fabs(a) < std::fabs(b); });
  const auto at = [&](double share) {
    if (score.error.empty()) return std::nan("");
    return std::fabs(
        score.error[static_cast<std::size_t>(share * static_cast<double>(score.error.size() - 1))]);
  };
  double mean = 0;
  for (const double e : score.error) mean += e / static_cast<double>(score.error.size());
  const double share = 100.0 * score.foretold / score.runs;
  const double alarms =
      100.0 * static_cast<double>(score.alarms) / static_cast<double>(std::max(1L, score.quiet));
  fmt::print(
      "{:<6} {} runs: {:.1f} % within {} ticks, {} ahead; error mean {:+.2f}, median {:.2f}, 95 % {:.2f}, "
      "worst {:.2f} "
      "ticks; {} not announced; false alarms {:.2f} % of {} ticks; {} not certified\n",
      subject.scene, score.runs, share, kTolerance, kAhead, mean, at(0.5), at(0.95), at(1), score.missed,
      alarms, score.quiet, score.uncertified);
  return share >= 95 && alarms < 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const auto runs = static_cast<unsigned>(std::atoi(argv[2]));
  std::FILE* const csv = argc > 3 ? std::fopen(argv[3], "w") : nullptr;
  if (csv != nullptr) fmt::print(csv, "scene,seed,actual,predicted\n");
  bool good = runs > 0;
  try {
    for (const Subject& subject : kSubjects) {
      const Scene scene = read_scene(std::string(argv[1]) + "/" + subject.scene + ".json");
      Score score;
      for (unsigned seed = 1; seed <= runs; ++seed)
        judge(subject, run(scene, subject, seed), seed, score, csv);
      good = tell(subject, score) && good;
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    good = false;
  }
  if (csv != nullptr) std::fclose(csv);
  return good ? 0 : 1;
}
