// Real time: a state each beat of the board's clock, whether or not the last one was answered.
#include <algorithm>
#include <cmath>
#include <deque>

#include "hil_loop.hpp"

namespace tactus::host {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration d) {
  return std::chrono::duration<double>(d).count();
}

class RealTime : public HilLoop {
 public:
  RealTime(const Scene& plant, const Scene& model, const HilOptions& options,
           std::shared_ptr<link::Board> board)
      : HilLoop(plant, model, options, std::move(board), wire::REAL_TIME) {
    const double tick = static_cast<double>(options.beats) / std::max(1U, tally_.hello.beat_hertz());
    steps_in_tick_ = std::max(1L, std::lround(tick / model.step));
    period_ = std::chrono::nanoseconds(std::llround(1e9 * model.step * static_cast<double>(steps_in_tick_)));
    tally_.real_time = true;
    due_ = Clock::now();
  }

  // What is still on its way, as long as answers to states go on to come; then the board's counts, which come
  // behind every answer that they count.
  void finish() override {
    for (std::size_t before = sent_.size() + 1; !sent_.empty() && sent_.size() < before;) {
      before = sent_.size();
      listen_while_unanswered();
    }
    for (int i = 0; i < 20 && !health_came_; ++i) {  // a full link may have no room for them
      const auto request = board_.frame(wire::HEALTH_REQUEST, "");
      board_.send_bytes(request.data(), request.size());
      for (const auto end = Clock::now() + kPatience; !health_came_ && Clock::now() < end;) listen(end);
    }
    HilLoop::finish();
    tally_.unanswered = tally_.ticks - static_cast<long>(tally_.latency.size());
  }

 private:
  static constexpr std::chrono::milliseconds kPatience{500};

  // An emulator takes a state's bytes slower than its beats come: sent by the host's clock they would queue
  // for seconds, so each waits for the answer to the last. A host behind its own schedule listens for half a
  // period: it hears, and catches up.
  void exchange() override {
    due_ += period_;
    const auto now = Clock::now();
    if (tally_.hello.emulated()) {
      listen_while_unanswered();
      due_ = Clock::now();
    } else {
      listen_until(now < due_ ? due_ : now + period_ / 2);
    }
    const auto woke = Clock::now();
    tally_.host_jitter.push_back(seconds(woke - due_));
    if (spoil_state()) return;
    sent_.push_back({state().tick(), woke});
    board_.send(wire::STATE, state());
  }

  // A board in real time answers each beat: silence is no end, only the clock is one.
  void listen_until(Clock::time_point end) {
    while (Clock::now() < end) listen(end);
  }
  void listen_while_unanswered() {
    for (const auto end = Clock::now() + kPatience; !sent_.empty() && Clock::now() < end;) listen(end);
  }

  void listen(Clock::time_point end) {
    bool came = false;
    if (const auto answer = receive(std::max(end - Clock::now(), Clock::duration(0)), came)) note(*answer);
  }

  void note(const wire::Prediction& answer) {
    while (!sent_.empty() && sent_.front().tick < answer.tick()) sent_.pop_front();
    // A beat without a new state answers an old tick again: no latency can be told from it.
    if (!sent_.empty() && sent_.front().tick == answer.tick()) {
      tally_.latency.push_back(seconds(Clock::now() - sent_.front().when));
      sent_.pop_front();
    }
    take(answer);
  }

  struct Sent {
    std::uint32_t tick;
    Clock::time_point when;
  };
  std::deque<Sent> sent_;
  std::chrono::nanoseconds period_{};
  Clock::time_point due_;
};

}  // namespace

std::unique_ptr<HilLoop> make_real_time(const Scene& plant, const Scene& model, const HilOptions& options,
                                        std::shared_ptr<link::Board> board) {
  return std::make_unique<RealTime>(plant, model, options, std::move(board));
}

}  // namespace tactus::host
