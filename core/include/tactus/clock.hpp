// Time, as an object that is passed. What may take long here (solvers, steps, predictions) asks its clock
// before each piece of work, and says which and of what size; it ends with the best it has when the answer is
// no. So a clock that knows what a piece can take never lets one begin that would end too late.
//
//     struct Stopwatch { bool go_on(Piece piece, int n, int k); };
//     const auto report = tactus::stepper::step(model, state, workspace, stopwatch);
//
// A piece is the work from one question to the next, whatever way is taken between them. A clock that has
// said no must go on to do so. What is granted is begun: the same number of Grants gives the same end, bit
// for bit, on a machine with another clock or none. Whoever has two predictions has two clocks; nothing here
// is shared. Without a clock there is none, and no code for it.
#pragma once

#include <concepts>
#include <cstdint>

namespace tactus {

// What begins, in the order of a step, and its size n and k.
enum class Piece : std::uint8_t {
  place,     // a step: n bodies, k joints of arms
  find,      // where two bodies touch, n = 1 if both have an end: k elements at most
  hold,      // what noise says of an island: n directions in which it moves, k elements
  impact,    // one of an island: n rows, k that may close
  couple,    // the rows of an island: n of them, k not of contacts
  small,     // a linear system of modes, few rows, and what it says of them: n rows, k of elements
  attempt,   // one of more rows alone
  refine,    // a further correction of its answer: n rows, k held
  review,    // what the answer says of the modes: n rows, k of elements
  path,      // the problem as a path takes it: n rows
  start,     // where a path starts, or its answer is taken over: n rows
  flip,      // of a path: n rows
  column,    // of a factorisation: n rows held, k-th column
  correct,   // of a path's answer, or its certificate: n rows, k held
  seek,      // an attempt of the implicit law: n contacts
  closest,   // an iteration of the search for closest points: n unknowns
  implicit,  // an iteration of the implicit law: n unknowns, k contacts
  newton,    // an iteration of a cone: n unknowns, k elements
  trial,     // how far its step goes: the same
  sweep,     // over n rows
  pivot,     // of an LCP, or a node of a search: n unknowns
  move,      // velocities of an island and their certificate: n rows, k not of contacts
  finish,    // where a step ends: n bodies, k joints of arms
  member     // a model or state once more, for who looks or tries again: n bodies, k joints of arms
};
inline constexpr int kPieces = static_cast<int>(Piece::member) + 1;

template <class C>
concept Clock = requires(C& clock) {
  { clock.go_on(Piece::place, 0, 0) } -> std::same_as<bool>;
};

struct NoClock {
  static constexpr bool go_on(Piece, int, int) { return true; }
};
inline constexpr NoClock kNoClock{};

// So many pieces of work and no more: replays what a clock has granted.
class Grants {
 public:
  explicit Grants(std::uint32_t most) : left_(most) {}
  bool go_on(Piece, int, int) {
    if (left_ == 0) return false;
    --left_;
    return true;
  }
  std::uint32_t left() const { return left_; }

 private:
  std::uint32_t left_;
};

}  // namespace tactus
