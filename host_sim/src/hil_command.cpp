// `tactus hil`: the scene is the plant on the host, a board predicts it, tick by tick.
#include <fmt/format.h>

#include <cmath>

#include "hil_loop.hpp"
#include "hil_messages.hpp"
#include "input_error.hpp"
#include "progress.hpp"
#include "recorder.hpp"
#include "scene_reader.hpp"

namespace tactus::host {
namespace {

void describe(Report& report, const Scene& scene, const Scene& model, const HilOptions& options,
              const HilLoop& loop) {
  const HilTally& tally = loop.tally();
  report.verdict = tally.verdict();
  report.subtitle =
      fmt::format("{} law, predicted by {} {}, {} ticks", to_string(scene.method), tally.hello.board(),
                  options.real_time ? "in real time" : "in lockstep", tally.ticks);
  report.tiles = {
      {"Ticks", fmt::format("{}", tally.ticks), ""},
      {"Certified answers", fmt::format("{}", tally.certified), ""},
      {"Worst tick", fmt::format("{}", tally.most()), tally.hello.count_unit()},
      {"99.9 % of the ticks", fmt::format("{}", tally.p999()), tally.hello.count_unit() + " or less"},
      {"Deadline misses", fmt::format("{}", tally.deadline_misses), ""},
      {"Frame errors", fmt::format("{}", tally.frame_errors()),
       tally.disturbed() ? fmt::format("beyond {} dropped, {} damaged on purpose",
                                       tally.to_board.dropped + tally.from_board.dropped,
                                       tally.to_board.corrupted + tally.from_board.corrupted)
                         : ""},
      {"Board against host",
       tally.compared == 0     ? "not compared"
       : tally.difference == 0 ? "same bits"
                               : fmt::format("{:.2g}", tally.difference),
       ""},
      {"Prediction against plant",
       std::isnan(tally.worst_position) ? "not compared" : fmt::format("{:.2g}", tally.worst_position),
       std::isnan(tally.worst_position) ? "" : "m at worst"}};
  report.facts = {
      {"Scene", scene.file},
      {"Board", fmt::format("{}{}, beat of {} Hz", tally.hello.board(),
                            tally.hello.emulated() ? " (emulated by QEMU)" : "", tally.hello.beat_hertz())},
      {"Cost", tally.hello.emulated() ? "QEMU instructions: no cache, no wait states; never cycles"
                                      : "cycles of the board's own counter"},
      {"Plant", fmt::format("{} law, double, steps of {} s", to_string(scene.method), loop.plant_step())},
      {"Prediction", fmt::format("{} law, float, {} step{} of {} s ahead{}", to_string(model.method),
                                 options.horizon, options.horizon > 1 ? "s" : "", model.step,
                                 options.model.empty() ? "" : ", with the model " + model.file)},
      {"Equality",
       tally.compared > 0
           ? "every answer in time is compared, number by number, with the firmware's engine run on the host"
           : "not compared: in real time the board also ticks without a state"},
      {"Disturbances", options.disturbance.any()
                           ? fmt::format("noise {}, latency {} ticks, seed {}", options.disturbance.noise,
                                         options.disturbance.latency, options.disturbance.seed)
                           : "none"}};
  if (tally.disturbed()) {
    const auto told = [](const Losses& planned, const LinkCounts& seen) {
      return fmt::format(
          "{} frames dropped and {} damaged on purpose; the receiver missed {} and found {} damaged",
          planned.dropped, planned.corrupted, seen.lost, seen.damaged);
    };
    report.facts.push_back({"Way to the board", told(tally.to_board, tally.board_saw)});
    report.facts.push_back({"Way to the host", told(tally.from_board, tally.host_saw)});
  }
  report.cost = {"tick", tally.hello.count_unit(), "the prediction of an answer; gaps where none was due",
                 tally.budget()};
  report.prediction_note = fmt::format("what the board said {} step{} before, against the plant",
                                       options.horizon, options.horizon > 1 ? "s" : "");
}

}  // namespace

int run_hil(const HilOptions& options) {
  const Scene scene = read_scene(options.scene);
  Scene model = options.model.empty() ? scene : read_scene(options.model);
  if (options.step > 0) model.step = options.step;
  const auto loop = HilLoop::make(scene, model, options);
  const long ticks = options.ticks > 0 ? options.ticks : loop->ticks();
  Recorder recorder(scene, loop->now(), options.output, ticks, true, loop->columns());
  {
    Progress progress(fmt::format("{} on {}", scene.name, loop->tally().hello.board()), ticks);
    for (long k = 1; k <= ticks; ++k) {
      loop->tick(k);
      if (Log* log = recorder.log()) {
        const double t = loop->time(k - 1);
        log->state(t, loop->state());
        for (const wire::Prediction& answer : loop->answers()) log->prediction(t, answer);
      }
      recorder.add(k, loop->time(k), loop->now(), loop->values());
      progress.at(k);
    }
  }
  loop->finish();
  const HilTally& tally = loop->tally();
  if (Report* report = recorder.report()) {
    describe(*report, scene, model, options, *loop);
    report->tick = loop->time(1);
  }
  recorder.close();
  fmt::print("{} on {}, {}\n{}{}\n", scene.name, tally.hello.board(),
             options.real_time ? "in real time" : "in lockstep", tally.table(), tally.json_line());
  return tally.good() ? kExitOk : kExitRunFailed;
}

}  // namespace tactus::host
