// Time, as an object that is passed. What may take long here (solvers, steps, predictions) asks its clock
// before each pivot and each linear system, and ends with the best it has when the answer is no; so what one
// of them takes is all that can be beyond the time given.
//
//     struct Stopwatch { bool go_on(); };
//     const auto report = tactus::stepper::step(model, state, workspace, stopwatch);
//
// A clock that has said no must go on to do so. What is granted is begun: the same number of Grants gives
// the same end, bit for bit, on a machine with another clock or none. Whoever has two predictions has two
// clocks; nothing here is shared. Without a clock there is none, and no code for it.
#pragma once

#include <concepts>
#include <cstdint>

namespace tactus {

template <class C>
concept Clock = requires(C& clock) {
  { clock.go_on() } -> std::same_as<bool>;
};

struct NoClock {
  static constexpr bool go_on() { return true; }
};
inline constexpr NoClock kNoClock{};

// So many pieces of work and no more: replays what a clock has granted.
class Grants {
 public:
  explicit Grants(std::uint32_t most) : left_(most) {}
  bool go_on() {
    if (left_ == 0) return false;
    --left_;
    return true;
  }
  std::uint32_t left() const { return left_; }

 private:
  std::uint32_t left_;
};

}  // namespace tactus
