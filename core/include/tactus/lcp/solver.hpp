// The solver: Lemke's method under a cascade of rules, each answer certified from the caller's own numbers.
//
//     static tactus::lcp::Workspace<float, 24> workspace;            // all the memory there is
//     const auto answer = tactus::lcp::solve(problem, workspace);    // z and w are in the workspace
//     if (answer.status == tactus::lcp::Status::solved) use(workspace.z);
//
// A wrong answer is never reported as solved: whatever path has led to a basis, its unknowns are solved once
// more from M and q, and `solved` is said only if the certificate of that z holds. A path that ends in noise
// costs a further rule, never a wrong claim.
//
// Time: at most Options::pivot_budget pivots, of about (k + 15) n operations for the k-th since the inverse
// was
//   last built anew, and n^3 / 2 for building it, every n + 8 pivots at most. Each rule and repair that is
//   tried, 16 at most and one as a rule, adds a factorisation (n^3 / 3) and up to four certificates (3 n^2
//   each). A right guess costs one factorisation of its basis and one certificate, and no pivot.
// Memory: sizeof(Workspace<Scalar, Capacity>). No heap, no statics, no recursion.
// Failure: by status only; see problem.hpp. Reentrant: two threads with two workspaces do not meet.
#pragma once

#include "tactus/clock.hpp"
#include "tactus/lcp/cascade.hpp"
#include "tactus/lcp/problem.hpp"
#include "tactus/lcp/workspace.hpp"

namespace tactus::lcp {

struct Options {
  int pivot_budget = 1000;  // over all rules; friction of n <= 24 needs about 30, Murty's and Fathi's 2^n
};

// Finds z with 0 <= z _|_ M z + q >= 0. warm: read as a guess if it belongs to a problem of this size, and
// left with the basis of the answer if that is solved. The guess never decides whether an answer is right,
// only which of several certified ones is found first. clock: clock.hpp.
template <class Scalar, int Capacity, Clock Time = const NoClock>
Answer<Scalar> solve(const Problem<Scalar>& p, Workspace<Scalar, Capacity>& memory,
                     const Options& options = {}, Basis<Capacity>* warm = nullptr, Time& clock = kNoClock) {
  if (p.n < 0 || p.n > Capacity || options.pivot_budget < 0) return {};
  if (p.n > 0 && (p.M == nullptr || p.q == nullptr || p.stride < p.n)) return {};
  if (p.n == 0) {
    Answer<Scalar> nothing_to_do;
    nothing_to_do.status = Status::solved;
    return nothing_to_do;
  }
  Cascade<Scalar> cascade(p, memory);
  const bool guessed = warm != nullptr && warm->n == p.n;
  const Answer<Scalar> answer =
      cascade.run(options.pivot_budget, guessed ? warm->positive.data() : nullptr, clock);
  if (warm != nullptr && answer.status == Status::solved && !answer.warm) {
    warm->n = p.n;
    warm->positive.fill(false);
    TACTUS_BOUND("k");
    for (int k = 0; k < cascade.active_count(); ++k)
      warm->positive[static_cast<std::size_t>(cascade.active()[k])] = true;
  }
  return answer;
}

}  // namespace tactus::lcp
