// Lockstep: a state, its answer, and what the firmware's own engine says to it on the host.
#include <limits>

#include "hil_loop.hpp"
#include "host_sim/link/mirror.hpp"

namespace tactus::host {
namespace {

constexpr std::chrono::seconds kAnswerTimeout{20};

// Not the last good answer in place of one that failed.
bool is_own(const wire::Prediction& answer) {
  return answer.verdict() == wire::CERTIFIED || answer.verdict() == wire::DEGRADED;
}

// Where the tick failed all that can be compared is why.
double refusal_difference(const wire::Prediction& board, const wire::Prediction& host) {
  return !is_own(host) && board.reason() == host.reason() ? 0 : std::numeric_limits<double>::infinity();
}

class Lockstep : public HilLoop {
 public:
  Lockstep(const Scene& plant, const Scene& model, const HilOptions& options,
           std::shared_ptr<link::Board> board)
      : HilLoop(plant, model, options, std::move(board), wire::LOCKSTEP) {
    wire::Configured own;
    own.ParseFromString(mirror_.configure(configuration_.SerializeAsString()));
    demand_accepted(model, own, "the host's core");
  }

 private:
  void exchange() override {
    if (spoil_state()) return;
    board_.send(wire::STATE, state());
    bool came = false;
    const auto answer = receive(kAnswerTimeout, came);
    if (!came) throw link::LinkError("The board did not answer a state.");
    wire::Prediction own;
    own.ParseFromString(mirror_.step(state().SerializeAsString(), answer ? answer->SerializeAsString() : ""));
    if (!answer) return;
    if (!answer->latched()) {  // else nothing was computed
      difference_ = is_own(*answer) ? difference(*answer, own) : refusal_difference(*answer, own);
      if (!(difference_ <= tally_.difference)) tally_.difference = difference_;
      ++tally_.compared;
    }
    if (answer->tick() != state().tick()) ++tally_.unanswered;
    take(*answer);
  }

  link::Mirror mirror_;
};

}  // namespace

std::unique_ptr<HilLoop> make_lockstep(const Scene& plant, const Scene& model, const HilOptions& options,
                                       std::shared_ptr<link::Board> board) {
  return std::make_unique<Lockstep>(plant, model, options, std::move(board));
}

}  // namespace tactus::host
