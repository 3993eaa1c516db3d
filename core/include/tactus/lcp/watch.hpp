// A clock that can end a solver's work. Every solver here and in the rooms above asks Watch::go_on() before
// each pivot and each linear system, and ends with the best it has when the answer is no; so what one of them
// takes is all that can be beyond the time given. What is granted is begun: who counts the grants can have
// the same end again, on a machine with another clock.
//
//     struct Watch { static bool go_on(); };
//     const auto report = tactus::stepper::step<Watch>(model, state, workspace);
//
// Without one there is no clock, and no code for it. Once it has said no it must go on to do so.
#pragma once

namespace tactus::lcp {

struct Unwatched {
  static constexpr bool go_on() { return true; }
};

// So many linear systems, as long as the watch lets them begin.
template <class Watch>
class Budget {
 public:
  explicit Budget(int most) : most_(most) {}
  // Whether another may begin; it is then counted.
  bool begin() {
    if (used_ >= most_ || !Watch::go_on()) {
      most_ = used_;
      return false;
    }
    ++used_;
    return true;
  }
  // For work between two of them.
  bool has_time() {
    const bool yes = Watch::go_on();
    if (!yes) most_ = used_;
    return yes;
  }
  bool ended() const { return used_ >= most_; }
  int used() const { return used_; }

 private:
  int most_, used_ = 0;
};

}  // namespace tactus::lcp
