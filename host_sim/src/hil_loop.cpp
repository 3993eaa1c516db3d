#include "hil_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <thread>
#include <tuple>

#include "hil_messages.hpp"
#include "input_error.hpp"

namespace tactus::host {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

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

void demand(const Scene& scene, const wire::Configured& answer, const std::string& who) {
  if (answer.accepted()) return;
  throw InputError(scene.file, fmt::format("body or contact {}", answer.body()),
                   fmt::format("{} refuses: {}", who, answer.reason()));
}

Scene finer(Scene scene, int substeps) {
  scene.step /= substeps;
  return scene;
}

// The worst of all moving bodies: distance of the centres, m, and angle between the poses, rad.
std::pair<double, double> apart(const Scene& scene, const std::vector<float>& predicted,
                                const StepSample& actual) {
  std::pair<double, double> worst{0, 0};
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
      // |sin(angle / 2)| from the part of one quaternion at right angles to the other: acos would lose small
      // angles.
      double with = 0, across = 0;
      for (std::size_t k = 3; k < 7; ++k) with += p(k) * pose[k];
      for (std::size_t k = 3; k < 7; ++k) across = std::hypot(across, p(k) - with * pose[k]);
      angle = 2 * std::asin(std::min(1.0, across));
    }
    worst = {std::max(worst.first, distance), std::max(worst.second, angle)};
    at += scene.plane ? 3 : 7;
  }
  return worst;
}

class Lockstep : public HilLoop {
 public:
  Lockstep(const Scene& scene, const HilOptions& options) : HilLoop(scene, options, wire::LOCKSTEP) {
    wire::Configured own;
    own.ParseFromString(mirror_.configure(configuration_.SerializeAsString()));
    demand(scene, own, "the host's core");
  }

  void tick(long k) override {
    cost_ = difference_ = kNone;
    const wire::State state = *measure(k);
    if (send(state)) {
      const wire::Prediction answer = board_.step(state);
      wire::Prediction own;
      own.ParseFromString(mirror_.step(state.SerializeAsString()));
      // A late answer is replaced by the last good one: there is nothing to compare.
      if (!answer.missed_deadline() && !answer.latched()) {
        difference_ = difference(answer, own);
        if (!(difference_ <= tally_.difference)) tally_.difference = difference_;
        ++tally_.compared;
      }
      if (answer.tick() != state.tick()) ++tally_.unanswered;
      count(answer);
    }
    move_plant();
    compare_with_plant(k);
  }

 private:
  link::Mirror mirror_;
};

class RealTime : public HilLoop {
 public:
  RealTime(const Scene& scene, const HilOptions& options) : HilLoop(scene, options, wire::REAL_TIME) {
    const double beat = 1.0 / std::max(1U, tally_.hello.beat_hertz());
    steps_in_tick_ = std::max(1L, std::lround(beat / scene.step));
    period_ = std::chrono::nanoseconds(std::llround(1e9 * scene.step * static_cast<double>(steps_in_tick_)));
    tally_.real_time = true;
    start_ = std::chrono::steady_clock::now();
  }

  void tick(long k) override {
    cost_ = difference_ = kNone;
    std::this_thread::sleep_until(start_ + k * period_);
    const auto woke = std::chrono::steady_clock::now();
    tally_.host_jitter.push_back(std::chrono::duration<double>(woke - (start_ + k * period_)).count());
    const wire::State state = *measure(k);
    sent_.push_back({state.tick(), woke});
    send(state);
    while (const auto frame = board_.receive(std::chrono::milliseconds(0))) take(*frame);
    move_plant();
    compare_with_plant(k);
  }

  void finish() override {
    // What is still on its way.
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
    while (std::chrono::steady_clock::now() < end) {
      if (const auto frame = board_.receive(std::chrono::milliseconds(20))) take(*frame);
    }
    HilLoop::finish();
    tally_.unanswered = tally_.ticks - static_cast<long>(tally_.latency.size());
  }

 private:
  void take(const link::Board::Received& frame) {
    wire::Prediction answer;
    if (frame.type != wire::PREDICTION || !answer.ParseFromString(frame.payload)) return;
    while (!sent_.empty() && sent_.front().tick < answer.tick()) sent_.pop_front();
    // A beat without a new state answers an old tick again: no latency can be told from it.
    if (!sent_.empty() && sent_.front().tick == answer.tick()) {
      tally_.latency.push_back(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - sent_.front().when).count());
      sent_.pop_front();
    }
    count(answer);
  }

  struct Sent {
    std::uint32_t tick;
    std::chrono::steady_clock::time_point when;
  };
  std::deque<Sent> sent_;
  std::chrono::nanoseconds period_{};
  std::chrono::steady_clock::time_point start_;
};

}  // namespace

std::unique_ptr<HilLoop> HilLoop::make(const Scene& scene, const HilOptions& options) {
  if (options.real_time) return std::make_unique<RealTime>(scene, options);
  return std::make_unique<Lockstep>(scene, options);
}

HilLoop::HilLoop(const Scene& scene, const HilOptions& options, wire::Mode mode)
    : scene_(scene),
      options_(options),
      fine_(finer(scene, options.substeps)),
      plant_(make_plant(fine_, false)),
      board_(connect(options)),
      disturbance_(options.disturbance) {
  tally_.hello = board_.hello();
  configuration_ = configure_message(scene, options.horizon, mode);
  demand(scene, board_.configure(configuration_), tally_.hello.board());
  now_ = plant_->initial();
}

long HilLoop::ticks() const {
  return scene_.steps() / steps_in_tick_;
}

std::optional<wire::State> HilLoop::measure(long k) {
  ++tally_.ticks;
  return state_message(scene_, disturbance_.measure(now_, scene_.plane), time(k - 1), k);
}

bool HilLoop::send(const wire::State& state) {
  const auto fate = disturbance_.fate();
  if (fate == Disturbance::Fate::arrives) {
    if (options_.real_time) board_.send(wire::STATE, state);
    return true;  // in lockstep the caller sends and waits
  }
  // Numbered in either case, so that the board can notice.
  std::vector<std::uint8_t> bytes = board_.frame(wire::STATE, state.SerializeAsString());
  if (fate == Disturbance::Fate::dropped) {
    ++tally_.dropped;
    return false;
  }
  // One bit wrong, but never a zero made: that would be two frames instead of one bad one.
  for (;;) {
    const std::size_t at = disturbance_.below(bytes.size() - 1);
    const auto bit = static_cast<std::uint8_t>(1U << disturbance_.below(8));
    if (bytes[at] == 0 || bytes[at] == bit) continue;
    bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ bit);
    break;
  }
  board_.send_bytes(bytes.data(), bytes.size());
  ++tally_.corrupted;
  return false;
}

void HilLoop::move_plant() {
  for (long i = 0; i < steps_in_tick_ * options_.substeps; ++i) now_ = plant_->step();
}

void HilLoop::count(const wire::Prediction& answer) {
  if (answer.verdict() != wire::CERTIFIED) ++tally_.certificate_failures;
  if (answer.missed_deadline()) ++tally_.deadline_misses;
  if (answer.latched()) {  // the board has given up: nothing was computed
    if (tally_.latched_at == 0) tally_.latched_at = static_cast<long>(answer.tick());
    return;
  }
  cost_ = answer.counts();
  tally_.counts.push_back(answer.counts());
  tally_.most_pivots = std::max(tally_.most_pivots, static_cast<int>(answer.pivots()));
  for (const auto& contact : answer.contacts()) ++tally_.modes[std::min<std::uint32_t>(contact.mode(), 2)];
  if (answer.verdict() == wire::CERTIFIED && answer.tick() > 0) {
    const long from = (static_cast<long>(answer.tick()) - 1) * steps_in_tick_;
    pending_.push_back({from + options_.horizon, {answer.last_pose().begin(), answer.last_pose().end()}});
  }
}

void HilLoop::compare_with_plant(long k) {
  const long now = k * steps_in_tick_;
  std::vector<float> predicted;
  while (!pending_.empty() && pending_.front().due <= now) {
    if (pending_.front().due == now) predicted = pending_.front().pose;
    pending_.pop_front();
  }
  double position = kNone, angle = kNone;
  if (!predicted.empty()) {
    std::tie(position, angle) = apart(scene_, predicted, now_);
    tally_.worst_position = std::max(tally_.worst_position, position);
    tally_.worst_angle = std::max(tally_.worst_angle, angle);
  }
  values_.assign({cost_, difference_, position, angle});
  std::size_t at = 0;
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    if (!scene_.moving(i)) continue;
    for (std::size_t c = 0; c < 3; ++c)
      values_.push_back(predicted.empty() ? kNone : static_cast<double>(predicted[at + c]));
    at += scene_.plane ? 3 : 7;
  }
}

void HilLoop::finish() {
  tally_.health = board_.health();
  const wire::Health& h = tally_.health;
  const auto& host = board_.counters();
  // Each frame that was dropped or damaged on purpose is one number that the board misses, a damaged one a
  // bad frame, too.
  const long planned = 2 * tally_.corrupted + tally_.dropped;
  const long seen = static_cast<long>(h.frames_truncated()) + h.frames_oversized() + h.frames_bad_crc() +
                    h.frames_bad_version() + h.frames_bad_length() + h.frames_repeated() + h.frames_lost() +
                    h.frames_unknown_type() + h.frames_unreadable() + h.bytes_overrun() + h.answers_unsent();
  tally_.frame_errors = std::labs(seen - planned) + static_cast<long>(host.bad() + host.lost);
}

std::vector<std::string> HilLoop::columns() const {
  std::vector<std::string> names{"cost", "difference", "error.position", "error.angle"};
  for (const Body& body : scene_.bodies) {
    if (!body.mass) continue;
    for (const char* tail : {"x", "y"}) names.push_back("predicted." + body.name + "." + tail);
    names.push_back("predicted." + body.name + (scene_.plane ? ".a" : ".z"));
  }
  return names;
}

}  // namespace tactus::host
