// The clock of a tick (tactus/clock.hpp): before each pivot and linear system of a prediction the core asks
// it, and before each step of the horizon the engine does. It counts what was begun; whether there is time
// for more its limits say: on a board the counter (TimeLimits), on a host that compares what the board has
// done of the same tick. An object for each loop: nothing here is shared.
#pragma once

#include <cstdint>

#include "tactus/math/arithmetic.hpp"

namespace tactus::firmware {

//     struct Limits {
//       bool may_step(std::uint32_t taken, std::uint32_t begun);  // another step, after `taken` ones
//       bool may_begin(std::uint32_t begun);                      // another pivot or system
//     };
template <class Limits>
class TickClock {
 public:
  // most > 0: so many pivots and systems, whatever the limits say.
  void start(std::uint32_t most = 0) {
    begun_ = 0;
    most_ = most;
    stopped_ = false;
  }
  bool go_on() {
    stopped_ = stopped_ || !(most_ > 0 ? begun_ < most_ : limits.may_begin(begun_));
    begun_ += stopped_ ? 0 : 1;
    return !stopped_;
  }
  bool may_step(std::uint32_t taken) { return !stopped_ && limits.may_step(taken, begun_); }
  std::uint32_t begun() const { return begun_; }
  bool stopped() const { return stopped_; }

  Limits limits;

 private:
  std::uint32_t begun_ = 0, most_ = 0;
  bool stopped_ = false;
};

// By a counter: operator() reads it, since(earlier) says what it has counted.
template <class Counter>
class TimeLimits {
 public:
  TimeLimits() = default;
  explicit TimeLimits(const Counter& counter) : counter_(counter) {}

  // From now on: what the horizon and what all steps may take, in counts.
  void begin(std::uint32_t horizon, std::uint32_t steps) {
    began_ = counter_();
    horizon_ = horizon;
    steps_ = steps;
    last_ = dearest_ = 0;
  }
  std::uint32_t spent() { return counter_.since(began_); }
  std::uint32_t steps() const { return steps_; }

  // As far as steps that cost what the last ones did would keep to the horizon's share of the tick. The rest
  // is left for the messages, and for a step that costs more.
  bool may_step(std::uint32_t taken, std::uint32_t) {
    const std::uint32_t spent_now = spent();
    return spent_now + spent_now / taken <= horizon_;
  }

  // As long as another system, if it takes what the dearest did or what was done before the first, would end
  // within the time for steps.
  TACTUS_ONE_COPY bool may_begin(std::uint32_t) {
    const std::uint32_t spent_now = spent();
    if (spent_now - last_ > dearest_) dearest_ = spent_now - last_;
    last_ = spent_now;
    return spent_now + dearest_ <= steps_;
  }

 private:
  Counter counter_{};
  std::uint32_t began_ = 0, horizon_ = 0, steps_ = 0;
  std::uint32_t last_ = 0, dearest_ = 0;  // between two systems: when the last began, what the dearest took
};

}  // namespace tactus::firmware
