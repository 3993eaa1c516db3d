// Real time: a state each beat of the board's clock, whether or not the last one was answered.
#include <algorithm>
#include <cmath>
#include <deque>
#include <thread>

#include "hil_loop.hpp"

namespace tactus::host {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration d) {
  return std::chrono::duration<double>(d).count();
}

class RealTime : public HilLoop {
 public:
  RealTime(const Scene& plant, const Scene& model, const HilOptions& options)
      : HilLoop(plant, model, options, wire::REAL_TIME) {
    const double beat = 1.0 / std::max(1U, tally_.hello.beat_hertz());
    steps_in_tick_ = std::max(1L, std::lround(beat / model.step));
    period_ = std::chrono::nanoseconds(std::llround(1e9 * model.step * static_cast<double>(steps_in_tick_)));
    tally_.real_time = true;
    due_ = Clock::now();
  }

  void finish() override {
    // What is still on its way.
    const auto end = Clock::now() + std::chrono::milliseconds(300);
    while (Clock::now() < end) receive_all(std::chrono::milliseconds(20));
    HilLoop::finish();
    tally_.unanswered = tally_.ticks - static_cast<long>(tally_.latency.size());
  }

 private:
  void exchange() override {
    due_ += period_;
    std::this_thread::sleep_until(due_);
    const auto woke = Clock::now();
    tally_.host_jitter.push_back(seconds(woke - due_));
    sent_.push_back({state().tick(), woke});
    if (!spoil_state()) board_.send(wire::STATE, state());
    receive_all(std::chrono::milliseconds(0));
  }

  void receive_all(std::chrono::milliseconds timeout) {
    for (bool came = true; came;) {
      if (const auto answer = receive(timeout, came)) note(*answer);
    }
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

std::unique_ptr<HilLoop> make_real_time(const Scene& plant, const Scene& model, const HilOptions& options) {
  return std::make_unique<RealTime>(plant, model, options);
}

}  // namespace tactus::host
