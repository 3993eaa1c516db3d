// `tactus run`: a scene as plant on the host, with the same core that the boards run.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "commands.hpp"
#include "digits.hpp"
#include "input_error.hpp"
#include "mode_counts.hpp"
#include "plant.hpp"
#include "progress.hpp"
#include "recorder.hpp"
#include "scene_reader.hpp"
#include "start_check.hpp"
#include "step_verdicts.hpp"

namespace tactus::host {
namespace {

// What is said of the whole run.
struct Tally {
  long steps = 0, solved = 0, degraded = 0, failed = 0, warm = 0, pivots = 0, changes = 0, impacts = 0;
  long ambiguous = 0, impulses = 0, guaranteed = 0, unsaid = 0;
  struct Jam {
    long steps = 0;
    double first = 0;
  };
  std::vector<Jam> jams;  // by contact
  int most_pivots = 0;
  double worst_residual = 0, most_lift = 0, seconds = 0;
  double first_trouble = -1;
  const char* trouble = "";
  double energy_start = 0, energy_end = 0;
  std::string warning;  // of the start
  ModeCounts seen;
  std::vector<int> modes;

  void add(double t, const StepSample& sample) {
    ++steps;
    ++(sample.status == 0 ? solved : sample.status == 1 ? degraded : failed);
    if (sample.status != 0 && first_trouble < 0) first_trouble = t, trouble = sample.reason;
    warm += sample.warm ? 1 : 0;
    ambiguous += sample.ambiguous ? 1 : 0;
    impulses += sample.impulse ? 1 : 0;
    guaranteed += sample.guaranteed.value_or(false) ? 1 : 0;
    unsaid += sample.guaranteed ? 0 : 1;
    jams.resize(sample.contacts.size());
    for (std::size_t i = 0; i < jams.size(); ++i)
      if (sample.contacts[i].can_jam && jams[i].steps++ == 0) jams[i].first = t;
    pivots += sample.pivots;
    most_pivots = std::max(most_pivots, sample.pivots);
    if (!(sample.residual <= worst_residual)) worst_residual = sample.residual;
    most_lift = std::max(most_lift, sample.lift);
    impacts += sample.impacts;
    for (std::size_t i = 0; i < sample.contacts.size(); ++i) {
      changes += modes.size() == sample.contacts.size() && modes[i] != sample.contacts[i].mode ? 1 : 0;
      seen.add(static_cast<std::size_t>(sample.contacts[i].mode));
    }
    modes.resize(sample.contacts.size());
    std::transform(sample.contacts.begin(), sample.contacts.end(), modes.begin(),
                   [](const ContactSample& c) { return c.mode; });
    energy_end = sample.energy();
  }

  Verdict verdict() const {
    if (failed > 0) {
      return {Verdict::State::bad, fmt::format("{} of {} steps have no answer, the first at {:.6g} s. {}",
                                               failed, steps, first_trouble, trouble)};
    }
    if (degraded > 0) {
      return {Verdict::State::look, fmt::format("{} of {} steps are not certified, the first at {:.6g} s. {}",
                                                degraded, steps, first_trouble, trouble)};
    }
    if (!warning.empty())
      return {Verdict::State::look,
              fmt::format("All {} steps are solved and certified, but {}.", steps, warning)};
    return {Verdict::State::good,
            fmt::format("All {} steps are solved and certified; the largest residual is {}.", steps,
                        digits(worst_residual, 2))};
  }
};

// The laws of the contacts that bounce, and what each can lose; none can gain.
void print_impacts(const Scene& scene, const Tally& tally) {
  using contact::ImpactLaw;
  fmt::print("  impacts {}, {}; none gains energy\n", tally.impacts,
             scene.impacts_together ? "together" : "in turn");
  static constexpr std::pair<ImpactLaw, const char*> kLaws[] = {{ImpactLaw::poisson, "poisson"},
                                                                {ImpactLaw::moreau, "moreau"},
                                                                {ImpactLaw::newton, "newton"},
                                                                {ImpactLaw::energetic, "energetic"}};
  for (const auto& row : kLaws) {
    const ImpactLaw law = row.first;
    const bool used = std::any_of(scene.contacts.begin(), scene.contacts.end(), [&](const ContactPair& c) {
      return c.restitution > 0 && (c.impact == ImpactLaw::of_scene ? scene.impact : c.impact) == law;
    });
    if (used) fmt::print("    {}: {}\n", row.second, contact::balance_of(law));
  }
}

// What the papers say of the steps.
void print_verdicts(const Scene& scene, const Tally& tally) {
  fmt::print("  ambiguous steps {}, steps that are an impulse that nothing strikes {}\n", tally.ambiguous,
             tally.impulses);
  fmt::print("  steps with an answer by a theorem {}, without one {}, of which nothing is known {}\n",
             tally.guaranteed, tally.steps - tally.guaranteed - tally.unsaid, tally.unsaid);
  for (std::size_t i = 0; i < tally.jams.size(); ++i)
    if (tally.jams[i].steps > 0)
      fmt::print("  {} can jam at the start of {} steps, the first that ends at {:.6g} s\n",
                 scene.contacts[i].name(), tally.jams[i].steps, tally.jams[i].first);
}

void print_summary(const Scene& scene, const RunOptions& options, const Tally& tally) {
  fmt::print("{}: {}, {}, {} steps of {} s\n", scene.name, to_string(scene.method),
             options.single ? "float" : "double", tally.steps, scene.step);
  fmt::print("  solved {}, degraded {}, failed {}\n", tally.solved, tally.degraded, tally.failed);
  fmt::print("  largest residual {}, pivots {} at most, {:.1f} % of the steps without one\n",
             digits(tally.worst_residual, 3), tally.most_pivots,
             100.0 * static_cast<double>(tally.warm) / static_cast<double>(tally.steps));
  fmt::print("  contact modes seen (contact steps): {}\n", tally.seen.words());
  fmt::print("  mode changes {}, energy {} J to {} J\n", tally.changes, digits(tally.energy_start, 6),
             digits(tally.energy_end, 6));
  if (scene.uniqueness) print_verdicts(scene, tally);
  if (tally.impacts > 0) print_impacts(scene, tally);
  if (scene.method == Method::cone && !scene.exact)
    fmt::print("  sliding contacts are held up to {} m off: the lift h mu v_T of the relaxed law\n",
               digits(tally.most_lift, 3));
  fmt::print("  {:.3g} us a step on this host\n", tally.seconds * 1e6 / static_cast<double>(tally.steps));
  for (const auto& file : {options.output.csv, options.output.mcap, options.output.report}) {
    if (!file.empty()) fmt::print("  {}\n", file);
  }
  const double ends = scene.step * static_cast<double>(tally.steps);
  if (ends > scene.end * (1 + 1e-9))
    fmt::print("  time.end is no multiple of time.step: the run ends at {:.9g} s\n", ends);
  if (tally.verdict().state != Verdict::State::good) fmt::print("{}\n", tally.verdict().text);
}

void describe(Report& report, const Scene& scene, const RunOptions& options, const Tally& tally) {
  const double n = static_cast<double>(tally.steps);
  report.verdict = tally.verdict();
  report.subtitle = fmt::format("{} law, {}, {} steps of {} s, on the host", to_string(scene.method),
                                options.single ? "float" : "double", tally.steps, scene.step);
  report.tiles = {
      {"Simulated", fmt::format("{:.6g}", scene.step * n), "s"},
      {"Certified steps", fmt::format("{:.6g}", 100.0 * static_cast<double>(tally.solved) / n), "%"},
      {"Largest residual", digits(tally.worst_residual, 2), ""},
      {"Pivots in a step, at most", fmt::format("{}", tally.most_pivots), ""},
      {"Steps without a pivot", fmt::format("{:.3g}", 100.0 * static_cast<double>(tally.warm) / n), "%"},
      {"Mode changes", fmt::format("{}", tally.changes), ""},
      {"Energy, start to end", digits(tally.energy_start, 4) + " to " + digits(tally.energy_end, 4), "J"},
      {"Time of a step, mean", fmt::format("{:.3g}", tally.seconds * 1e6 / n), "us, this host"}};
  if (scene.method == Method::cone && !scene.exact)
    report.tiles.push_back(
        {"Lift of sliding contacts, at most", fmt::format("{:.3g}", tally.most_lift), "m"});
  report.facts = {
      {"Scene", scene.file},
      {"Law", to_string(scene.method)},
      {"Precision", options.single ? "float" : "double"},
      {"Friction pyramid", scene.plane ? "exact in the plane"
                           : scene.bound() == contact::Pyramid::box
                               ? "the box: each tangent of the contact frame by itself"
                           : scene.method == Method::cone     ? "none: the round cone"
                           : scene.method == Method::implicit ? "none: the ellipsoid itself"
                                                              : "none: it opposes the slip"},
      {"Certificate",
       "momentum and laws of each step, from the data before it and the velocities after; a step is "
       "called solved only if both hold"},
      {"Contact frame",
       "n from the pair's first body to its second; in the plane t is n turned by -90 degrees; in space t "
       "is the world's x axis (y where n is near x) made orthogonal to n, and o = n × t"}};
}

}  // namespace

int run_scene(const RunOptions& options) {
  const Scene scene = read_scene(options.scene);
  if (options.ensemble.members > 0) return run_ensemble(scene, options);
  const auto plant = make_plant(scene, options.single);
  const long steps = scene.steps();
  Recorder recorder(scene, plant->initial(), options.output, steps, false);
  Tally tally;
  tally.warning = start_warning(scene, plant->initial());
  tally.energy_start = plant->initial().energy();
  {
    Progress progress(scene.name, steps);
    std::chrono::steady_clock::duration spent{};
    StepSample before, judged;
    if (scene.uniqueness) judged = plant->initial();
    for (long k = 1; k <= steps; ++k) {
      const auto start = std::chrono::steady_clock::now();
      const StepSample& stepped = plant->step();
      spent += std::chrono::steady_clock::now() - start;
      if (scene.uniqueness) {
        std::swap(before, judged);
        judged = stepped;
        judge_step(scene, before, scene.step * static_cast<double>(k - 1), options.single, judged);
      }
      const StepSample& sample = scene.uniqueness ? judged : stepped;
      const double t = scene.step * static_cast<double>(k);
      tally.add(t, sample);
      recorder.add(k, t, sample);
      progress.at(k);
    }
    tally.seconds = std::chrono::duration<double>(spent).count();
  }
  if (Report* report = recorder.report()) describe(*report, scene, options, tally);
  recorder.close();
  print_summary(scene, options, tally);
  return tally.solved == steps ? kExitOk : kExitRunFailed;
}

}  // namespace tactus::host
