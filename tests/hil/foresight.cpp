// foresight SCENES IMAGE RUNS [SVG]: how well a board foresees changes of contact 10 ms ahead, in the scenes
// of a manipulator's world.
//
// The plant of each run is the scene at a tenth of its step of 1 ms, by its own law (Coulomb's with the round
// cone), and with parameters that the board does not know: each mass with its inertia, each friction
// coefficient and the Coulomb friction of each joint is off by a factor of its own, even between 0.98 and
// 1.02, from the run's seed, as is when within a tick the first one comes. The predictor is the firmware in
// QEMU over the FIFO link, in lockstep: the scene's own law in float, a tick of four beats and 9 steps of 2
// ms, as many as it has time for. A STATE holds what is measured, what acts, and how that goes on now:
// hil_messages.hpp.
//
// Judged are
//   the change that the scene is about: in the last tick that is 10 ms or more ahead of it, the board has to
//   say the same change, at most 2 ms off. A change in the step that ends at t came within it: t - h / 2.
//   What joints and contacts hold at rest by friction statics does not tell; where one way to share it gives
//   way to another the plant's box may move by 10 nm in 0.3 ms. So a pushed box slips when it does so for a
//   step of the board;
//   false alarms: ticks in which a change is said to come within the horizon though none does (by 2 ms
//   beyond it), as a share of all ticks in which none does.
//
// What can be had: where a load L(t) passes a limit that is known to within a share d of it, the time is off
// by d L / L'. With d = 4 %, two factors at their worst, 2 ms take L' / L >= 20 / s; the scenes load with
// 25 / s at the limit (push.md, grasp.md). A touch that comes with the gap / v needs none of these factors.
//
// Exit status 1 where fewer than 95 % of the runs of a scene are foretold, or 2 % of the ticks are alarms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "hil_messages.hpp"
#include "host_sim/link/link.hpp"
#include "plant.hpp"
#include "scene_reader.hpp"
#include "tests/hil/foresight_plot.hpp"

using namespace tactus;
using namespace tactus::host;

namespace {

constexpr double kPlantStep = 1e-4, kStep = 2e-3, kTick = 4e-3, kAhead = 10e-3, kTolerance = 2e-3;  // s
constexpr int kBeats = 4, kShare = 75, kHorizon = 9;  // kAhead, a tick before that, and kTolerance
constexpr int kPlantStepsInStep = 20;
constexpr long kPlantStepsInTick = 40;
constexpr double kError = 0.02, kMoves = 1e-6;  // m/s

struct Subject {
  const char* scene;
  const char* what;
  int contacts;  // it is about the first change of one of the first so many
  int from, to;  // to 3: anything closed
  int lasts;     // steps of the plant that it has to last to be one
  double until;  // s; the change comes before
};
constexpr Subject kSubjects[] = {{"push", "a pushed box begins to slip", 1, 1, 2, kPlantStepsInStep, 0.6},
                                 {"grasp", "a grasp slips under its load", 2, 1, 2, 1, 0.55},
                                 {"peg", "a peg meets an edge", 1, 0, 3, 1, 0.63}};

class Factors {
 public:
  explicit Factors(unsigned seed) : random_(seed) {}
  double next() { return 1 + kError * (2 * share() - 1); }
  double share() { return static_cast<double>(random_() >> 11U) * 0x1p-53; }

 private:
  std::mt19937_64 random_;
};

// What the board does not know.
Scene plant_of(Scene scene, Factors& factors) {
  scene.method = Method::cone;
  scene.exact = true;
  scene.step = kPlantStep;
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

// What was said in one tick.
struct Said {
  int change = 0;  // steps ahead; 0: none
  int next = 0;    // to which mode
};

struct Run {
  double first = 0;    // s; the first tick
  double change = -1;  // s; when it came
  std::vector<Said> said;

  double time(double tick) const { return first + tick * kTick; }
};

bool matches(const Subject& subject, int mode) {
  return subject.to == 3 ? mode != 0 : mode == subject.to;
}

// When the change came that lasts, in one contact.
class Onset {
 public:
  // At a step's middle. True once it has lasted.
  bool see(const Subject& subject, int was, int is, double time) {
    const bool there = matches(subject, is);
    if (there && was == subject.from) since_ = time;
    steps_ = there && since_ >= 0 ? steps_ + 1 : 0;
    return steps_ == subject.lasts;
  }
  double since() const { return since_; }

 private:
  double since_ = -1;  // s
  int steps_ = 0;
};

// The board, and what it cost.
struct Predictor {
  link::Board board;
  std::uint32_t worst = 0, late = 0, uncertified = 0, cut = 0, ticks = 0, fewest = kHorizon;

  wire::Prediction ask(const wire::State& state) {
    const wire::Prediction answer = board.step(state);
    ++ticks;
    worst = std::max(worst, answer.counts());
    if (answer.verdict() != wire::CERTIFIED) {
      ++uncertified;
    } else if (answer.steps() < kHorizon) {
      ++cut;
      fewest = std::min(fewest, answer.steps());
    }
    return answer;
  }
};

// What a contact of the plant does. At its limit and still is not yet slip: where joints rub, too, one takes
// what the other cannot, and nothing moves before both are at their limits.
int seen(const Scene& scene, const StepSample& now, std::size_t contact) {
  if (now.contacts[contact].mode != 2) return now.contacts[contact].mode;
  double fastest = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) fastest = std::max(fastest, std::fabs(now.bodies[i].velocity[k]));
  return fastest > kMoves ? 2 : 1;
}

// The first change of all contacts that the scene is about, against what they do now.
Said first_change(const wire::Prediction& answer, const std::vector<int>& now) {
  Said first;
  const auto say = [&first](int change, std::uint32_t next) {
    if (first.change == 0 || change < first.change) first = {change, static_cast<int>(next)};
  };
  for (int c = 0; c < static_cast<int>(now.size()) && c < answer.contacts_size(); ++c) {
    const auto& contact = answer.contacts(c);
    if (static_cast<int>(contact.mode()) != now[static_cast<std::size_t>(c)]) {
      say(1, contact.mode());
    } else if (contact.change_step() > 0) {
      say(static_cast<int>(contact.change_step()), contact.next_mode());
    }
  }
  return first;
}

Run run(const Scene& scene, const Subject& subject, unsigned seed, Predictor& predictor) {
  Factors factors(seed);
  const Scene truth = plant_of(scene, factors);
  const auto plant = make_plant(truth, false);
  wire::Configure configuration = configure_message(scene, kHorizon, wire::LOCKSTEP);
  configuration.set_beats_per_tick(kBeats);
  configuration.set_horizon_percent(kShare);
  const wire::Configured answer = predictor.board.configure(configuration);
  if (!answer.accepted()) throw std::runtime_error(answer.reason());
  Run result;
  const auto early = static_cast<long>(factors.share() * static_cast<double>(kPlantStepsInTick));
  StepSample now = plant->initial();
  for (long i = 0; i < early; ++i) now = plant->step();
  result.first = static_cast<double>(early) * kPlantStep;
  std::vector<int> mode(static_cast<std::size_t>(subject.contacts), subject.from);
  std::vector<Onset> onset(mode.size());
  for (long k = 0; result.time(static_cast<double>(k)) < subject.until && result.change < 0; ++k) {
    const double t = result.time(static_cast<double>(k));
    result.said.push_back(
        first_change(predictor.ask(state_message(truth, now, {t, kStep, kPlantStepsInStep}, k + 1)), mode));
    for (long i = 1; i <= kPlantStepsInTick; ++i) {
      now = plant->step();
      if (now.status != 0) throw std::runtime_error("a step of the plant is not solved");
      for (std::size_t c = 0; c < mode.size(); ++c) {
        const int then = seen(truth, now, c);
        const double middle = t + (static_cast<double>(i) - 0.5) * kPlantStep;
        if (onset[c].see(subject, mode[c], then, middle) && result.change < 0)
          result.change = onset[c].since();
        mode[c] = then;
      }
    }
  }
  return result;
}

struct Score {
  int runs = 0, foretold = 0, missed = 0;
  long quiet = 0, alarms = 0;
  std::vector<double> error;  // s
  std::vector<Foretold> foretolds;
};

void judge(const Subject& subject, const Run& run, Score& score) {
  ++score.runs;
  double predicted = std::nan("");
  if (run.change >= 0) {
    const double tick = std::max(0.0, std::floor((run.change - run.first - kAhead) / kTick + 1e-9));
    const Said& said = run.said[static_cast<std::size_t>(tick)];
    if (said.change > 0 && matches(subject, said.next)) {
      predicted = run.time(tick) + (said.change - 0.5) * kStep;
      score.error.push_back(predicted - run.change);
      score.foretolds.push_back({run.change, predicted});
    } else {
      ++score.missed;
    }
    if (std::fabs(predicted - run.change) <= kTolerance) ++score.foretold;
  }
  for (std::size_t k = 0; k < run.said.size(); ++k) {
    const double left = run.change - run.time(static_cast<double>(k));
    if (run.change >= 0 && left <= kHorizon * kStep + kTolerance) continue;
    ++score.quiet;
    if (run.said[k].change > 0) ++score.alarms;
  }
}

bool tell(const Subject& subject, Score score, const Predictor& predictor) {
  std::sort(score.error.begin(), score.error.end(),
            [](double a, double b) { return std::fabs(a) < std::fabs(b); });
  const auto at = [&](double share) {
    if (score.error.empty()) return std::nan("");
    return 1e3 *
           std::fabs(
               score.error[static_cast<std::size_t>(share * static_cast<double>(score.error.size() - 1))]);
  };
  double mean = 0;
  for (const double e : score.error) mean += 1e3 * e / static_cast<double>(score.error.size());
  const double share = 100.0 * score.foretold / score.runs;
  const double alarms =
      100.0 * static_cast<double>(score.alarms) / static_cast<double>(std::max(1L, score.quiet));
  fmt::print("| {} | {} | {:.1f} % | {:+.2f} | {:.2f} | {:.2f} | {:.2f} | {} | {:.2f} % of {} |\n",
             subject.scene, score.runs, share, mean, at(0.5), at(0.95), at(1), score.missed, alarms,
             score.quiet);
  fmt::print("  {} ticks, the dearest {}; {} late, {} uncertified, {} cut to {} steps or more\n",
             predictor.ticks, predictor.worst, predictor.late, predictor.uncertified, predictor.cut,
             predictor.fewest);
  return share >= 95 && alarms < 2;
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 3 ? std::atoi(argv[3]) : 0;
  if (runs < 1) {
    fmt::print(stderr, "usage: foresight SCENES IMAGE RUNS [SVG]\n");
    return 2;
  }
  bool good = true;
  std::vector<Panel> panels;
  try {
    link::BootOptions options;
    options.image = argv[2];
    Predictor predictor{link::Board::boot(options)};
    fmt::print("{}, {} ms ahead, within {} ms\n", predictor.board.hello().board(), 1e3 * kAhead,
               1e3 * kTolerance);
    fmt::print(
        "| scene | runs | foretold | error, ms: mean | median | 95 % | worst | not announced | false alarms "
        "|\n");
    for (const Subject& subject : kSubjects) {
      Scene scene = read_scene(std::string(argv[1]) + "/" + subject.scene + ".json");
      scene.step = kStep;
      Score score;
      predictor.worst = predictor.late = predictor.uncertified = predictor.cut = predictor.ticks = 0;
      predictor.fewest = kHorizon;
      for (int seed = 1; seed <= runs; ++seed) {
        judge(subject, run(scene, subject, static_cast<unsigned>(seed), predictor), score);
        predictor.late += predictor.board.health().missed_deadlines();  // since the run's CONFIGURE
      }
      panels.push_back({subject.what, score.foretolds});
      good = tell(subject, score, predictor) && good;
    }
    if (argc > 4) draw(argv[4], panels, kTolerance);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    good = false;
  }
  return good ? 0 : 1;
}
