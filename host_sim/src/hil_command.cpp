// `tactus hil`: the scene is the plant on the host, a board predicts it, tick by tick.
#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <filesystem>
#include <optional>

#include "commands.hpp"
#include "csv.hpp"
#include "hil_messages.hpp"
#include "hil_tally.hpp"
#include "host_sim/link/link.hpp"
#include "host_sim/link/mirror.hpp"
#include "input_error.hpp"
#include "progress.hpp"
#include "scene_reader.hpp"

namespace tactus::host {
namespace {

// The command is build/<preset>/tactus, the boards' images lie in build/<preset>/ beside it.
std::filesystem::path build_folder() {
  return std::filesystem::canonical("/proc/self/exe").parent_path().parent_path();
}

link::Board connect(const HilOptions& options) {
  if (!options.port.empty()) return link::Board::open(options.port);
  if (options.board.find('/') != std::string::npos)
    throw InputError("--board", "", "must be the name of a preset");
  link::BootOptions boot;
  boot.image = link::image_of(build_folder(), options.board);
  if (options.uart || options.real_time) boot.transport = link::Transport::uart;
  return link::Board::boot(boot);
}

void demand(const Scene& scene, const wire::Configured& answer, const char* who) {
  if (!answer.accepted()) {
    throw InputError(scene.file, fmt::format("body or contact {}", answer.body()),
                     fmt::format("{} refuses: {}", who, answer.reason()));
  }
}

// Columns of the report that only a run with a board has.
std::vector<std::string> extra_columns(const Scene& scene) {
  std::vector<std::string> names{"cost", "difference", "error.position", "error.angle"};
  for (const Body& body : scene.bodies) {
    if (!body.mass) continue;
    for (const char* tail : {"x", "y", "a"}) {
      if (scene.plane) names.push_back("predicted." + body.name + "." + tail);
    }
    for (const char* tail : {"x", "y", "z"}) {
      if (!scene.plane) names.push_back("predicted." + body.name + "." + tail);
    }
  }
  return names;
}

struct PredictionError {
  double position = 0, angle = 0;
};

// Of all moving bodies, the worst.
PredictionError compare(const Scene& scene, const std::vector<float>& predicted, const StepSample& actual) {
  PredictionError worst;
  const std::size_t size = scene.plane ? 3 : 7;
  std::size_t at = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.moving(i)) continue;
    const auto& pose = actual.bodies[i].pose;
    const auto p = [&](std::size_t k) { return static_cast<double>(predicted[at + k]); };
    double distance = 0, angle = 0;
    for (std::size_t k = 0; k < (scene.plane ? 2U : 3U); ++k) distance = std::hypot(distance, p(k) - pose[k]);
    if (scene.plane) {
      angle = std::fabs(p(2) - pose[2]);
    } else {
      double with = 0, norm = 0;
      for (std::size_t k = 3; k < 7; ++k) with += p(k) * pose[k], norm += p(k) * p(k);
      // |sin(angle / 2)| from the part of one quaternion at right angles to the other: acos would lose small
      // angles.
      double across = 0;
      for (std::size_t k = 3; k < 7; ++k) across = std::hypot(across, p(k) - with * pose[k]);
      angle = 2 * std::asin(std::min(1.0, across / std::sqrt(norm)));
    }
    worst.position = std::max(worst.position, distance);
    worst.angle = std::max(worst.angle, angle);
    at += size;
  }
  return worst;
}

class Loop {
 public:
  Loop(const Scene& scene, const HilOptions& options)
      : scene_(scene),
        options_(options),
        fine_(finer(scene, options.substeps)),
        plant_(make_plant(fine_, false)),
        board_(connect(options)),
        disturbance_(options.disturbance) {
    tally_.hello = board_.hello();
    const wire::Configure message = configure_message(scene, options.horizon, wire::LOCKSTEP);
    demand(scene, board_.configure(message), tally_.hello.board().c_str());
    wire::Configured own;
    own.ParseFromString(mirror_.configure(message.SerializeAsString()));
    demand(scene, own, "the host's core");
    now_ = plant_->initial();
  }

  // One tick of the board and one of the plant. The state afterwards is in now().
  void tick(long k) {
    const double t = scene_.step * static_cast<double>(k - 1);
    const wire::State state = state_message(scene_, disturbance_.measure(now_, scene_.plane), t, k);
    difference_ = 0;
    cost_ = 0;
    std::optional<wire::Prediction> answer;
    switch (disturbance_.fate()) {
      case Disturbance::Fate::arrives:
        answer = ask(state);
        break;
      case Disturbance::Fate::dropped:
        board_.frame(wire::STATE, state.SerializeAsString());  // numbered, never sent
        ++tally_.dropped;
        break;
      case Disturbance::Fate::corrupted:
        send_damaged(state);
        break;
    }
    ++tally_.ticks;
    for (int i = 0; i < options_.substeps; ++i) now_ = plant_->step();
    judge(k, answer);
  }

  void finish() {
    tally_.health = board_.health();
    const wire::Health& h = tally_.health;
    const auto& host = board_.counters();
    // Losses on purpose are told apart: each dropped or damaged frame is one number that the board misses,
    // and a damaged one is one bad frame, too.
    const long planned = 2 * tally_.corrupted + tally_.dropped;
    const long seen = static_cast<long>(h.frames_truncated()) + h.frames_oversized() + h.frames_bad_crc() +
                      h.frames_bad_version() + h.frames_bad_length() + h.frames_repeated() + h.frames_lost() +
                      h.frames_unknown_type() + h.frames_unreadable() + h.bytes_overrun() +
                      h.answers_unsent();
    tally_.frame_errors = std::labs(seen - planned) + static_cast<long>(host.bad() + host.lost);
  }

  const StepSample& now() const { return now_; }
  const HilTally& tally() const { return tally_; }
  // For the columns of extra_columns, after a tick.
  const std::vector<double>& extra() const { return extra_; }

 private:
  static Scene finer(Scene scene, int substeps) {
    scene.step /= substeps;
    return scene;
  }

  wire::Prediction ask(const wire::State& state) {
    const wire::Prediction answer = board_.step(state);
    wire::Prediction own;
    own.ParseFromString(mirror_.step(state.SerializeAsString()));
    difference_ = difference(answer, own);
    return answer;
  }

  // One bit wrong, but never a zero byte made or lost: that would be two frames instead of one bad one.
  void send_damaged(const wire::State& state) {
    std::vector<std::uint8_t> bytes = board_.frame(wire::STATE, state.SerializeAsString());
    for (;;) {
      const std::size_t at = disturbance_.below(bytes.size() - 1);
      const auto bit = static_cast<std::uint8_t>(1U << disturbance_.below(8));
      if (bytes[at] != 0 && (bytes[at] ^ bit) != 0) {
        bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ bit);
        break;
      }
    }
    board_.send_bytes(bytes.data(), bytes.size());
    ++tally_.corrupted;
  }

  void judge(long k, const std::optional<wire::Prediction>& answer) {
    if (answer) {
      if (answer->tick() != static_cast<std::uint32_t>(k)) ++tally_.unanswered;
      if (answer->verdict() != wire::CERTIFIED) ++tally_.certificate_failures;
      if (answer->missed_deadline()) ++tally_.deadline_misses;
      if (!(difference_ <= tally_.difference)) tally_.difference = difference_;
      cost_ = answer->counts();
      tally_.counts.push_back(answer->counts());
      for (const auto& contact : answer->contacts())
        ++tally_.modes[std::min<std::uint32_t>(contact.mode(), 2)];
      if (answer->verdict() == wire::CERTIFIED) {
        pending_.push_back(
            {k - 1 + options_.horizon, {answer->last_pose().begin(), answer->last_pose().end()}});
      }
    }
    extra_.assign({static_cast<double>(cost_), difference_, last_error_.position, last_error_.angle});
    while (!pending_.empty() && pending_.front().due < k) pending_.pop_front();
    if (!pending_.empty() && pending_.front().due == k) {
      shown_ = pending_.front().pose;
      pending_.pop_front();
      last_error_ = compare(scene_, shown_, now_);
      tally_.worst_position = std::max(tally_.worst_position, last_error_.position);
      tally_.worst_angle = std::max(tally_.worst_angle, last_error_.angle);
      extra_[2] = last_error_.position;
      extra_[3] = last_error_.angle;
    }
    const std::size_t size = scene_.plane ? 3 : 7;
    std::size_t body = 0;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      if (!scene_.moving(i)) continue;
      for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t at = body * size + c;
        extra_.push_back(at < shown_.size() ? static_cast<double>(shown_[at]) : now_.bodies[i].pose[c]);
      }
      ++body;
    }
  }

  struct Pending {
    long due;
    std::vector<float> pose;
  };

  const Scene& scene_;
  const HilOptions& options_;
  const Scene fine_;
  std::unique_ptr<Plant> plant_;
  link::Board board_;
  link::Mirror mirror_;
  Disturbance disturbance_;
  HilTally tally_;
  StepSample now_;
  double difference_ = 0;
  std::uint32_t cost_ = 0;
  std::deque<Pending> pending_;
  std::vector<float> shown_;
  PredictionError last_error_;
  std::vector<double> extra_;
};

void describe(Report& report, const Scene& scene, const HilOptions& options, const HilTally& tally) {
  report.verdict = tally.verdict();
  report.subtitle = fmt::format("{} law, predicted by {} in lockstep, {} ticks of {} s",
                                to_string(scene.method), tally.hello.board(), tally.ticks, scene.step);
  report.tiles = {
      {"Ticks", fmt::format("{}", tally.ticks), ""},
      {"Certified answers",
       fmt::format("{}", static_cast<long>(tally.counts.size()) - tally.certificate_failures), ""},
      {"Worst tick", fmt::format("{}", tally.most()), tally.hello.count_unit()},
      {"99.9 % of the ticks", fmt::format("{}", tally.p999()), tally.hello.count_unit() + " or less"},
      {"Deadline misses", fmt::format("{}", tally.deadline_misses), ""},
      {"Frame errors", fmt::format("{}", tally.frame_errors), ""},
      {"Board against host", tally.difference == 0 ? "equal" : fmt::format("{:.2g}", tally.difference),
       "bits"},
      {"Prediction against plant", fmt::format("{:.2g}", tally.worst_position), "m at worst"}};
  report.facts = {
      {"Scene", scene.file},
      {"Board", fmt::format("{}{}, beat of {} Hz", tally.hello.board(),
                            tally.hello.emulated() ? " (emulated by QEMU)" : "", tally.hello.beat_hertz())},
      {"Cost", tally.hello.emulated() ? "QEMU instructions: no cache, no wait states; never cycles"
                                      : "cycles of the board's own counter"},
      {"Plant", fmt::format("double, {} s", scene.step / options.substeps)},
      {"Prediction", fmt::format("float, {} steps of {} s ahead", options.horizon, scene.step)},
      {"Equality", "every answer is compared, number by number, with the firmware's engine run on the host"},
      {"Disturbances", options.disturbance.any()
                           ? fmt::format("noise {}, latency {} ticks, {} frames dropped, {} damaged, seed {}",
                                         options.disturbance.noise, options.disturbance.latency,
                                         tally.dropped, tally.corrupted, options.disturbance.seed)
                           : "none"}};
  report.cost = {"tick", tally.hello.count_unit(),
                 "from a state's arrival to its answer; zero where no answer was due", tally.budget()};
  report.prediction_note =
      fmt::format("what the board said {} steps before, against the plant", options.horizon);
}

}  // namespace

int run_hil(const HilOptions& options) {
  const Scene scene = read_scene(options.scene);
  if (!options.report.empty()) demand_report(options.report);
  const long ticks = options.ticks > 0 ? options.ticks : scene.steps();
  try {
    Loop loop(scene, options);
    std::optional<CsvWriter> csv;
    if (!options.csv.empty()) csv.emplace(options.csv, csv_columns(scene));
    std::optional<Report> report;
    if (!options.report.empty()) report.emplace(scene, ticks, extra_columns(scene));
    std::vector<double> values;
    {
      Progress progress(fmt::format("{} on {}", scene.name, loop.tally().hello.board()), ticks);
      for (long k = 1; k <= ticks; ++k) {
        loop.tick(k);
        if (csv || report) csv_values(scene, scene.step * static_cast<double>(k), loop.now(), values);
        if (csv) csv->write(values);
        if (report) report->add(k, values, loop.now(), loop.extra());
        progress.at(k);
      }
    }
    loop.finish();
    if (csv) csv->close();
    if (report) {
      describe(*report, scene, options, loop.tally());
      report->write(options.report);
    }
    fmt::print("{} on {}, in lockstep\n{}{}\n", scene.name, loop.tally().hello.board(), loop.tally().table(),
               loop.tally().json_line());
    return loop.tally().good() ? kExitOk : kExitRunFailed;
  } catch (const link::LinkError& error) {
    throw std::runtime_error(error.what());
  }
}

}  // namespace tactus::host
