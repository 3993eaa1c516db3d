// The clock of a tick (tactus/clock.hpp): before each piece of work the core asks it, and before each step of
// the horizon the engine does. It counts what was begun; whether there is time for more its limits say: on a
// board the counter (TimeLimits), on a host that compares what the board has done of the same tick. An object
// for each loop: nothing here is shared.
#pragma once

#include <cstdint>

#include "firmware/costs.hpp"
#include "tactus/math/arithmetic.hpp"

namespace tactus::firmware {

//     struct Limits {
//       // Another step, after `taken` of them.
//       bool may_step(std::uint32_t taken, std::uint32_t begun);
//       // Another piece.
//       bool may_begin(std::uint32_t begun, Piece piece, int n, int k);
//     };
template <class Limits>
class TickClock {
 public:
  // most > 0: so many instructions by the table of pieces, whatever the limits say.
  void start(std::uint32_t most = 0) {
    begun_ = 0;
    by_table_ = most > 0;
    left_ = most;
    stopped_ = false;
  }
  bool go_on(Piece piece, int n, int k) {
    stopped_ =
        stopped_ || !(by_table_ ? has_left(most_of(piece, n, k)) : limits.may_begin(begun_, piece, n, k));
    begun_ += stopped_ ? 0 : 1;
    return !stopped_;
  }
  bool may_step(std::uint32_t taken) { return !stopped_ && limits.may_step(taken, begun_); }
  std::uint32_t begun() const { return begun_; }
  bool stopped() const { return stopped_; }

  Limits limits;

 private:
  bool has_left(std::uint32_t counts) {
    if (counts > left_) return false;
    left_ -= counts;
    return true;
  }

  std::uint32_t begun_ = 0, left_ = 0;
  bool by_table_ = false, stopped_ = false;
};

// By a counter: operator() reads it, since(earlier) says what it has counted.
template <class Counter>
class TimeLimits {
 public:
  TimeLimits() = default;
  explicit TimeLimits(const Counter& counter) : counter_(counter) {}

  // From now on, in counts: what the horizon and what all steps may take; and what each step keeps back of
  // the latter until it is solved, so that a step that is ended can still be answered with the best it has.
  void begin(std::uint32_t horizon, std::uint32_t steps, std::uint32_t answer, std::uint32_t unit = 1) {
    began_ = counter_();
    horizon_ = horizon;
    steps_ = steps;
    answer_ = left_ = answer;
    unit_ = unit;
    last_ = allowed_ = 0;
  }
  std::uint32_t spent() { return counter_.since(began_); }
  std::uint32_t steps() const { return steps_; }
  // What the piece that was refused would have needed from the beginning, with all that is kept back.
  std::uint32_t needed() const { return needed_; }
  // Pieces that took longer than the table has for them, since the board came up: none, or the table is
  // wrong.
  std::uint32_t over() const { return over_; }

  // As far as steps that cost what the last ones did would keep to the horizon's share of the tick. The rest
  // is left for the messages, and for a step that costs more.
  bool may_step(std::uint32_t taken, std::uint32_t) {
    const std::uint32_t spent_now = spent();
    return spent_now + spent_now / taken <= horizon_;
  }

  // As long as the piece, and what is kept back behind it, would end within the time for steps.
  TACTUS_ONE_COPY bool may_begin(std::uint32_t, Piece piece, int n, int k) {
    const std::uint32_t spent_now = spent(), counts = unit_ * most_of(piece, n, k);
    if (allowed_ > 0 && spent_now - last_ > allowed_) ++over_;
    if (piece == Piece::place) left_ = answer_;
    const bool of_answer = piece == Piece::move || piece == Piece::finish;
    last_ = spent_now;
    allowed_ = 0;
    needed_ = spent_now + counts + (of_answer ? 0 : left_);
    if (needed_ > steps_) return false;
    if (of_answer) left_ -= counts < left_ ? counts : left_;
    allowed_ = counts;
    return true;
  }

 private:
  Counter counter_{};
  std::uint32_t began_ = 0, horizon_ = 0, steps_ = 0, answer_ = 0, left_ = 0, needed_ = 0, unit_ = 1;
  std::uint32_t last_ = 0, allowed_ = 0, over_ = 0;  // when the last piece began, what it may take
};

}  // namespace tactus::firmware
