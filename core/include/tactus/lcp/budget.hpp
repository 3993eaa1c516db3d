// So many linear systems, as long as the clock lets them begin; and loops over rows, a few at a time.
#pragma once

#include "tactus/clock.hpp"

namespace tactus::lcp {

// Rows of a matrix that are one piece of work: 3,000 instructions at n = 48 where each takes the most.
inline constexpr int kRowsAtATime = 4;

// Whether row i may begin; asked for the first of a few. n is a number of rows' numbers at most.
template <Clock Time>
[[gnu::always_inline]] inline bool row_may_begin(int i, Time& clock) {
  return i % kRowsAtATime != 0 || clock.go_on();
}

template <Clock Time>
class Budget {
 public:
  Budget(int most, Time& clock) : clock_(clock), most_(most) {}
  // Whether another may begin; it is then counted.
  bool begin() {
    if (used_ >= most_ || !clock_.go_on()) {
      most_ = used_;
      return false;
    }
    ++used_;
    return true;
  }
  // For work between two of them.
  bool has_time() {
    const bool yes = clock_.go_on();
    if (!yes) most_ = used_;
    return yes;
  }
  bool ended() const { return used_ >= most_; }
  int used() const { return used_; }

 private:
  Time& clock_;
  int most_, used_ = 0;
};

}  // namespace tactus::lcp
