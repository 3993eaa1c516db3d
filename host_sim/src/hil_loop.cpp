#include "hil_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "hil_messages.hpp"
#include "input_error.hpp"

namespace tactus::host {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Scene finer(Scene scene, int substeps) {
  scene.step /= substeps;
  return scene;
}

// A state is the poses of the moving bodies one after the other: plant and board must mean the same ones.
void demand_same_bodies(const Scene& plant, const Scene& model) {
  const auto refuse = [&](const std::string& key, const std::string& reason) {
    throw InputError(model.file, key, fmt::format("{} {}", reason, plant.file));
  };
  if (model.plane != plant.plane) refuse("plane", "must be as in");
  if (model.bodies.size() != plant.bodies.size()) refuse("bodies", "must be those of");
  for (std::size_t i = 0; i < plant.bodies.size(); ++i) {
    if (model.bodies[i].name != plant.bodies[i].name || model.moving(i) != plant.moving(i))
      refuse(fmt::format("bodies[{}]", i), "must have the name and move as in");
  }
  if (model.arms.size() != plant.arms.size()) refuse("arms", "must be those of");
  for (std::size_t i = 0; i < plant.arms.size(); ++i) {
    if (model.arms[i].name != plant.arms[i].name || model.arms[i].q.size() != plant.arms[i].q.size())
      refuse(fmt::format("arms[{}]", i), "must have the name and as many joints as in");
  }
}

// The plant's steps in one of the model.
long steps_in(const Scene& model, double plant_step) {
  const double ratio = model.step / plant_step;
  const long steps = std::lround(ratio);
  if (steps < 1 || std::fabs(ratio - static_cast<double>(steps)) > 1e-9 * ratio) {
    throw InputError(model.file, "time.step",
                     fmt::format("must be a multiple of the plant's step of {} s", plant_step));
  }
  return steps;
}

}  // namespace

std::filesystem::path build_folder() {
  return std::filesystem::canonical("/proc/self/exe").parent_path().parent_path();
}

void demand_emulated(const std::string& board) {
  const std::string emulated = TACTUS_EMULATED_BOARDS;
  if ((", " + emulated + ",").find(", " + board + ",") == std::string::npos ||
      board.find(',') != std::string::npos)
    throw InputError(
        "--board", "",
        fmt::format("no emulated board is called {}; there are {}. A real one is reached by --port DEVICE",
                    one_line(board, 80), emulated));
}

// The scene was right when it was read.
void demand_accepted(const Scene& scene, const wire::Configured& answer, const std::string& who) {
  if (answer.accepted()) return;
  const std::string list = list_of(static_cast<What>(answer.what()));
  const bool item = answer.has_index() && !list.empty() && list != "arms";
  const std::string key = item           ? fmt::format("{}[{}]: ", list, answer.index())
                          : list.empty() ? list
                                         : list + ": ";
  throw Unsupported(fmt::format("{}: {}{} refuses: {}", scene.file, key, who, answer.reason()));
}

std::shared_ptr<link::Board> HilLoop::connect(const HilOptions& options) {
  if (!options.port.empty()) return std::make_shared<link::Board>(link::Board::open(options.port));
  demand_emulated(options.board);
  link::BootOptions boot;
  boot.image = link::image_of(build_folder(), options.board);
  if (options.uart || options.real_time) boot.transport = link::Transport::uart;
  return std::make_shared<link::Board>(link::Board::boot(boot));
}

std::unique_ptr<HilLoop> HilLoop::make(const Scene& plant, const Scene& model, const HilOptions& options,
                                       std::shared_ptr<link::Board> board) {
  demand_same_bodies(plant, model);
  if (!board) board = connect(options);
  return (options.real_time ? make_real_time : make_lockstep)(plant, model, options, std::move(board));
}

HilLoop::HilLoop(const Scene& plant, const Scene& model, const HilOptions& options,
                 std::shared_ptr<link::Board> board, wire::Mode mode)
    : scene_(plant),
      model_(model),
      options_(options),
      shared_(std::move(board)),
      board_(*shared_),
      disturbance_(options.disturbance),
      configuration_(configure_message(model, options.horizon, mode)),
      fine_(finer(plant, options.substeps)),
      plant_steps_(steps_in(model, fine_.step)),
      plant_(make_plant(fine_, false)),
      forecasts_(plant) {
  tally_.hello = board_.hello();
  configuration_.set_beats_per_tick(static_cast<std::uint32_t>(options.beats));
  configuration_.set_horizon_percent(static_cast<std::uint32_t>(options.share));
  set_uncertainty(model, options.disturbance, configuration_);
  tally_.beats = options.beats;
  tally_.uniqueness = model.uniqueness;
  if (options.ensemble.members > 0) {
    auto off = deviations(options.ensemble);
    off.seed = static_cast<std::uint32_t>(options.disturbance.seed);
    add_doubt(off, options.ensemble.members, configuration_);
    tally_.ensemble = options.ensemble.members;
  }
  demand_board_law(model, tally_.hello);
  // A board that has been running may have counted since it was switched on.
  board_before_ = link_counts(board_.health());
  // An emulator's beats come faster or slower than the host's: how many bring no state says nothing of it.
  if (mode == wire::REAL_TIME && tally_.hello.emulated())
    configuration_.set_stale_after(std::numeric_limits<std::uint32_t>::max());
  demand_accepted(model, board_.configure(configuration_), tally_.hello.board());
  host_before_ = link_counts(board_.counters());
  now_ = plant_->initial();
}

long HilLoop::ticks() const {
  Scene whole = scene_;
  whole.step = time(1);
  return whole.steps();
}

void HilLoop::tick(long k) {
  ++tally_.ticks;
  cost_ = difference_ = kNone;
  answers_.clear();
  changes_.assign(scene_.contacts.size(), kNone);
  forecasts_.begin_tick();
  state_ = state_message(scene_, disturbance_.measure(now_, scene_.plane),
                         {time(k - 1), model_.step, plant_steps_}, k);
  exchange();
  for (long i = 0; i < steps_in_tick_; ++i) {
    for (long j = 0; j < plant_steps_; ++j) now_ = plant_->step();
    forecasts_.happen(now_);
  }
  note_values();
}

bool HilLoop::spoil_state() {
  const auto fate = disturbance_.fate();
  if (fate == Disturbance::Fate::arrives) return false;
  // Numbered in either case, so that the board can notice.
  link::Board::Bytes bytes = board_.frame(wire::STATE, state_.SerializeAsString());
  ++(fate == Disturbance::Fate::dropped ? tally_.to_board.dropped : tally_.to_board.corrupted);
  if (fate == Disturbance::Fate::corrupted) {
    disturbance_.damage(bytes);
    board_.send_bytes(bytes.data(), bytes.size());
  }
  return true;
}

std::optional<wire::Prediction> HilLoop::receive(std::chrono::nanoseconds timeout, bool& came) {
  auto bytes = board_.receive_bytes(timeout);
  came = bytes.has_value();
  if (!came) return std::nullopt;
  const auto fate = disturbance_.fate();
  if (fate == Disturbance::Fate::dropped) {
    ++tally_.from_board.dropped;
    return std::nullopt;
  }
  if (fate == Disturbance::Fate::corrupted) {
    ++tally_.from_board.corrupted;
    disturbance_.damage(*bytes);
  }
  const auto frame = board_.decode(*bytes);
  if (!frame) return std::nullopt;
  if (frame->type == wire::HEALTH) health_came_ = tally_.health.ParseFromString(frame->payload);
  wire::Prediction answer;
  if (frame->type != wire::PREDICTION || !answer.ParseFromString(frame->payload)) return std::nullopt;
  return answer;
}

void HilLoop::take(const wire::Prediction& answer) {
  answers_.push_back(answer);
  // In real time the first beats may come before the first state.
  if (answer.tick() == 0 && answer.verdict() == wire::NO_PREDICTION) {
    ++tally_.early;
    return;
  }
  ++(answer.verdict() == wire::CERTIFIED ? tally_.certified : tally_.certificate_failures);
  tally_.ambiguous += answer.ambiguous() ? 1 : 0;
  tally_.impulses += answer.impulse() ? 1 : 0;
  if (answer.latched()) {  // the board has given up: nothing was computed
    ++tally_.latched;
    if (tally_.latched_at == 0) tally_.latched_at = static_cast<long>(answer.tick());
    return;
  }
  tally_.members += answer.members();
  tally_.members_failed += answer.members_failed();
  tally_.members_cut += answer.members_cut() ? 1 : 0;
  cost_ = answer.counts();
  tally_.counts.push_back(answer.counts());
  changes_.assign(scene_.contacts.size(), kNone);
  for (int i = 0; i < answer.contacts_size() && i < static_cast<int>(changes_.size()); ++i) {
    // Said of the state before this tick's step.
    if (answer.contacts(i).change_step() > 0)
      changes_[static_cast<std::size_t>(i)] = (answer.contacts(i).change_step() - 1.0) * model_.step;
  }
  tally_.most_pivots = std::max(tally_.most_pivots, static_cast<int>(answer.pivots()));
  for (const auto& contact : answer.contacts()) tally_.modes.add(std::min<std::size_t>(contact.mode(), 2));
  if (answer.verdict() == wire::CERTIFIED && answer.tick() > 0) {
    tally_.fewest_steps = std::min(tally_.fewest_steps, answer.steps());
    const long from = (static_cast<long>(answer.tick()) - 1) * steps_in_tick_;
    // Where the horizon is one step its end is not said twice.
    const bool one = answer.steps() <= 1;
    const auto& end = one ? answer.pose() : answer.last_pose();
    const auto& q = one ? answer.q() : answer.last_q();
    std::vector<double> said(end.begin(), end.end());
    said.insert(said.end(), q.begin(), q.end());
    forecasts_.say(from + static_cast<long>(answer.steps()), std::move(said));
  }
}

void HilLoop::note_values() {
  const std::vector<double>& predicted = forecasts_.poses();
  tally_.worst_position = std::fmax(tally_.worst_position, forecasts_.position());
  tally_.worst_angle = std::fmax(tally_.worst_angle, forecasts_.angle());
  values_.assign({cost_, difference_, forecasts_.position(), forecasts_.angle()});
  std::size_t at = 0;
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    if (!scene_.moving(i)) continue;
    for (std::size_t c = 0; c < 3; ++c) values_.push_back(predicted.empty() ? kNone : predicted[at + c]);
    at += scene_.plane ? 3 : 7;
  }
  for (const Arm& arm : scene_.arms)
    for (std::size_t j = 0; j < arm.q.size(); ++j)
      values_.push_back(predicted.empty() ? kNone : predicted[at++]);
  values_.insert(values_.end(), changes_.begin(), changes_.end());
}

void HilLoop::finish() {
  if (!health_came_) tally_.health = board_.health();
  tally_.deadline_misses = tally_.health.missed_deadlines();
  tally_.board_saw = link_counts(tally_.health) - board_before_;
  tally_.host_saw = link_counts(board_.counters()) - host_before_;
}

std::vector<std::string> HilLoop::columns() const {
  std::vector<std::string> names{"cost", "difference", "error.position", "error.angle"};
  for (const Body& body : scene_.bodies) {
    if (!body.mass) continue;
    for (const char* tail : {"x", "y"}) names.push_back("predicted." + body.name + "." + tail);
    names.push_back("predicted." + body.name + (scene_.plane ? ".a" : ".z"));
  }
  for (const Arm& arm : scene_.arms)
    for (std::size_t j = 0; j < arm.q.size(); ++j)
      names.push_back(fmt::format("predicted.{}.q{}", arm.name, j));
  for (const ContactPair& pair : scene_.contacts) names.push_back("predicted." + pair.name() + ".change");
  return names;
}

}  // namespace tactus::host
