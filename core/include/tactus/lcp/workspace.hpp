// The solver's memory, owned by the caller.
#pragma once

#include <array>

#include "tactus/lcp/product_form.hpp"

namespace tactus::lcp {

// sizeof(Workspace<Scalar, Capacity>) is all the solver ever uses: about (Capacity + 20) * Capacity scalars
// and 16 bytes for each unknown, 4.5 kB for float at n = 24. Contents between two solves do not matter.
template <class Scalar, int Capacity>
struct Workspace {
  static_assert(Capacity > 0 && Capacity < 16000, "indices are 16 bit");
  static constexpr int kPadded = padded(Capacity);

  // Results, the first n of each:
  std::array<Scalar, Capacity> z{};  // the answer; with status pivot_limit or ray the best iterate
  std::array<Scalar, Capacity> w{};  // M z + q
  std::array<Scalar, Capacity>
      ray{};  // with status ray: a direction z >= 0, largest entry 1, along which no row resists,
              // z_i (M z)_i <= 0 for all i (in contact: forces that can grow without bound, a jam)

  // Scratch:
  using Vector = std::array<Scalar, kPadded>;
  alignas(32) std::array<Scalar, (product_limit(Capacity) + 1) *
                                     kPadded> block;  // the product form, then the factors
  Vector rhs, other, covering, column_scale, row_scale, trial, trial_w;
  std::array<Index, product_limit(Capacity)> exchanged;
  std::array<Index, Capacity> basic, start, tied;
  std::array<Index, Capacity + 1> active;
  std::array<Index, 2 * Capacity + 1> row;
};

// Which z were positive: the caller's memory between one solve and the next. Value-initialised it guesses
// nothing.
template <int Capacity>
struct Basis {
  int n = 0;  // size of the problem it belongs to; 0: no guess
  std::array<bool, Capacity> positive{};
};

}  // namespace tactus::lcp
