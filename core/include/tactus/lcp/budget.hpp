// So many linear systems, as long as the clock lets them begin.
#pragma once

#include "tactus/clock.hpp"

namespace tactus::lcp {

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
