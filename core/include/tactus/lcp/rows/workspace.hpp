// The solver's memory, owned by the caller.
#pragma once

#include <array>
#include <cstddef>

#include "tactus/lcp/rows/dictionary.hpp"

namespace tactus::lcp::rows {

// sizeof(Workspace<Scalar, N>) is all the solver ever uses: (N + 1) (N + 2) scalars, rows padded to packs of
// eight, and for each row about 28 scalars more. Contents between two solves do not matter.
template <class Scalar, int N>
struct Workspace {
  static_assert(N > 0 && N < 8000, "indices are 16 bit");
  static constexpr std::size_t kN = static_cast<std::size_t>(N);

  // Results, the first n of each. They stay as they are where a solve ends without an answer.
  std::array<Scalar, kN> p{}, s{};
  std::array<State, kN> state{};
  std::array<Scalar, kN> ray{};  // after End::ray: a direction of p, in units of d of size 1

  // Scratch.
  alignas(32) std::array<Scalar, (kN + 1) * static_cast<std::size_t>(dictionary_stride(N))> table;
  std::array<Stair<Scalar>, kN> stair;
  std::array<Scalar, kN> d, F, trial_p, trial_s, work;
  std::array<State, kN> guess;
  std::array<Index, kN> owner, order;
};

// The same without its capacity, so that all sizes share one solver.
template <class Scalar>
struct Memory {
  Scalar *p, *s, *ray, *table, *d, *F, *trial_p, *trial_s, *work;
  State *state, *guess;
  Stair<Scalar>* stair;
  Index *owner, *order;

  template <int N>
  explicit Memory(Workspace<Scalar, N>& w)
      : p(w.p.data()),
        s(w.s.data()),
        ray(w.ray.data()),
        table(w.table.data()),
        d(w.d.data()),
        F(w.F.data()),
        trial_p(w.trial_p.data()),
        trial_s(w.trial_s.data()),
        work(w.work.data()),
        state(w.state.data()),
        guess(w.guess.data()),
        stair(w.stair.data()),
        owner(w.owner.data()),
        order(w.order.data()) {}
};

}  // namespace tactus::lcp::rows
