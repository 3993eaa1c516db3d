#include "random_run.hpp"

#include <ctime>

#include "hil_loop.hpp"
#include "hil_messages.hpp"
#include "host_sim/link/mirror.hpp"
#include "input_error.hpp"

namespace tactus::host {
namespace {

Outcome outcome(const wire::Prediction& answer, double cost, double rank) {
  const bool certified = answer.verdict() == wire::CERTIFIED;
  return {cost, rank, certified, !certified && answer.verdict() != wire::DEGRADED};
}

class BoardRun : public Run {
 public:
  BoardRun(const Scene& scene, const HilOptions& options, std::shared_ptr<link::Board> board)
      : options_(options), loop_(HilLoop::make(scene, scene, options_, std::move(board))) {}
  Outcome tick(long k) override {
    loop_->tick(k);
    if (loop_->answers().empty()) throw link::LinkError("A frame of the board could not be read.");
    const wire::Prediction& answer = loop_->answers().back();
    return outcome(answer, answer.counts(), answer.counts());
  }
  // As the board counts it, the answer included.
  long late() override {
    loop_->finish();
    return loop_->tally().health.missed_deadlines();
  }
  bool same_bits() const override { return loop_->tally().difference <= kDifferenceBound; }

 private:
  const HilOptions options_;
  const std::unique_ptr<HilLoop> loop_;
};

// us of this thread, so that what else runs here does not count.
double thread_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

// The firmware's engine here: from the state's message to the answer's.
class HostRun : public Run {
 public:
  HostRun(const Scene& scene, const HilOptions& options)
      : scene_(scene),
        most_(1000.0 * options.beats),
        plant_(make_plant(scene, false)),
        disturbance_(options.disturbance),
        now_(plant_->initial()) {
    wire::Configured answer;
    wire::Configure message = configure_message(scene, options.horizon, wire::LOCKSTEP);
    set_uncertainty(scene, options.disturbance, message);
    answer.ParseFromString(mirror_.configure(message.SerializeAsString()));
    demand_accepted(scene, answer, "the host's core");
  }
  Outcome tick(long k) override {
    const Span span{scene_.step * static_cast<double>(k - 1), scene_.step, 1};
    const std::string state =
        state_message(scene_, disturbance_.measure(now_, scene_.plane), span, k).SerializeAsString();
    const double start = thread_time();
    const std::string bytes = mirror_.step(state, "");
    const double cost = thread_time() - start;
    if (cost > most_) ++late_;
    now_ = plant_->step();
    wire::Prediction answer;
    answer.ParseFromString(bytes);
    return outcome(answer, cost, answer.systems());
  }
  long late() override { return late_; }

 private:
  const Scene& scene_;
  const double most_;  // us in a tick
  const std::unique_ptr<Plant> plant_;
  Disturbance disturbance_;
  link::Mirror mirror_;
  StepSample now_;
  long late_ = 0;
};

}  // namespace

Predictor::Predictor(const BenchOptions& options) {
  options_.board = options.board;
  options_.beats = options.beats;
  options_.disturbance.noise = options.noise;
  if (!options.board.empty()) board_ = HilLoop::connect(options_);
}

std::unique_ptr<Run> Predictor::begin(const Scene& scene, std::uint64_t noise_seed) {
  HilOptions options = options_;
  options.disturbance.seed = noise_seed;
  if (options.board.empty()) return std::make_unique<HostRun>(scene, options);
  if (!board_) board_ = HilLoop::connect(options_);
  try {
    return std::make_unique<BoardRun>(scene, options, board_);
  } catch (const std::runtime_error&) {
    board_.reset();
    throw;
  }
}

}  // namespace tactus::host
