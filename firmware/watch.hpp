// The clock of a tick, as the core asks for it (lcp/watch.hpp): before each pivot and linear system of a
// prediction.
#pragma once

#include <cstdint>

namespace tactus::firmware {

// Who links the engine gives these two: the loop asks its counter, a host that compares asks what the board
// has done. Whether another step of the horizon may begin after `taken` ones, and another pivot or linear
// system after `begun` of them in all steps.
bool may_go_on(std::uint32_t taken);
bool may_begin(std::uint32_t begun);

class Watch {
 public:
  // most > 0: so many pivots and systems, whatever the clock says.
  static void start(std::uint32_t most = 0) {
    begun_ = 0;
    most_ = most;
    stopped_ = false;
  }
  static bool go_on() {
    stopped_ = stopped_ || !(most_ > 0 ? begun_ < most_ : may_begin(begun_));
    begun_ += stopped_ ? 0 : 1;
    return !stopped_;
  }
  static std::uint32_t begun() { return begun_; }
  static bool stopped() { return stopped_; }

 private:
  static inline std::uint32_t begun_ = 0, most_ = 0;
  static inline bool stopped_ = false;
};

}  // namespace tactus::firmware
