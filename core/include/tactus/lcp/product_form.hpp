// The inverse of a basis as a product of elementary columns, one for each exchange.
//
// When a variable whose column is v = B^-1 a enters in row r, the new inverse is E B^-1 with
//     E x = x - x_r e_r + x_r eta,   eta_r = 1 / v_r,   eta_i = -v_i / v_r,
// so eta and r are all that has to be kept. A textbook tableau updates n (n + 1) numbers for each pivot; here
// the one column that enters is computed, through the few exchanges so far: P pivots cost n P^2 / 2
// multiply-adds in place of n^2 P, and contact problems need P of about n / 2. Where x_r is zero, which the
// pairs of friction directions often make it, E leaves x as it is and is skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tactus/clock.hpp"
#include "tactus/math/kernels.hpp"

namespace tactus::lcp {

using Index = std::int16_t;

// Vectors that pass through the kernels are padded with zeros to whole packs.
constexpr int padded(int n) {
  return (n + 7) / 8 * 8;
}

// Exchanges that are kept before the product is built anew from the basis itself: that takes at most n + 1 of
// them, and the rest is room to go on.
constexpr int product_limit(int n) {
  return n + 8;
}

// Exchanges that a vector goes through at a time: 3,000 instructions at n = 48.
inline constexpr int kExchangesAtATime = 24;

// Views into the caller's workspace.
template <class Scalar>
struct ProductForm {
  int n = 0;
  int size = 0;  // padded(n)
  int count = 0;
  Scalar* columns = nullptr;  // product_limit(n) + 1 columns eta of padded(n)
  Index* rows = nullptr;      // product_limit(n)

  bool is_full() const { return count == product_limit(n); }

  // x <- B^-1 x. Cost: n multiply-adds for each exchange that does not meet a zero; the clock is asked after
  // every 24. False if it says no, and x is lost.
  template <Clock Time>
  [[gnu::always_inline]] bool apply(Scalar* x, Time& clock) const {
    if constexpr (std::is_same_v<Time, const NoClock>) {
      apply_some(0, count, x);
    } else {
      TACTUS_LET("exchanges = e");
      TACTUS_BOUND("exchanges / 24 + 1");
      for (int first = 0;;) {
        TACTUS_LET("e = min(exchanges, 24)");
        const int last = count - first < kExchangesAtATime ? count : first + kExchangesAtATime;
        apply_some(first, last, x);
        if (last == count) break;
        if (!clock.go_on(Piece::pivot, n, 0)) return false;
        first = last;
      }
    }
    return true;
  }
  // x <- E x for the last exchange alone.
  void apply_last(Scalar* x) const {
    TACTUS_LET("e = 1");
    apply_some(count - 1, count, x);
  }

  // Where the next column is made; it is kept by append().
  Scalar* next() const { return columns + static_cast<std::ptrdiff_t>(count) * size; }

  // Keeps the exchange of the column v = next() in row r. Cost: n.
  void append(int r) {
    Scalar* v = next();
    const Scalar inverse = Scalar(1) / v[r];
    TACTUS_BOUND("padded(n)");
    for (int i = 0; i < size; ++i) v[i] *= -inverse;
    v[r] = inverse;
    rows[count++] = static_cast<Index>(r);
  }

 private:
  TACTUS_ONE_COPY void apply_some(int first, int last, Scalar* x) const {
    if constexpr (math::Pack<Scalar>::kIsRegister) {
      switch (size / math::kLanes) {
        case 1:
          return apply_in_registers<1>(first, last, x);
        case 2:
          return apply_in_registers<2>(first, last, x);
        case 3:
          return apply_in_registers<3>(first, last, x);
        case 4:
          return apply_in_registers<4>(first, last, x);
        default:
          break;
      }
    }
    const Scalar* eta = columns + static_cast<std::ptrdiff_t>(first) * size;
    TACTUS_BOUND("e");
    for (int e = first; e < last; ++e, eta += size) {
      TACTUS_LET("m = padded(n)");
      const int r = rows[e];
      const Scalar factor = x[r];
      if (factor == 0) continue;
      math::add_multiple_of_packs(x, eta, factor, size);
      x[r] = math::multiply_add(factor, eta[r], Scalar(0));  // as a lane of the others
    }
  }

  // The same with x in registers: it is stored for the sake of the one element that the next exchange reads.
  template <int kPacks>
  void apply_in_registers(int first, int last, Scalar* x) const {
    using P = math::Pack<Scalar>;
    P packs[kPacks];
    for (int k = 0; k < kPacks; ++k) packs[k] = P::load(x + k * math::kLanes);
    const Scalar* eta = columns + static_cast<std::ptrdiff_t>(first) * size;
    for (int e = first; e < last; ++e, eta += kPacks * math::kLanes) {
      const int r = rows[e];
      if (x[r] == 0) continue;
      const P factor = P::all(x[r]);
      for (int k = 0; k < kPacks; ++k) {
        packs[k] =
            multiply_add(factor, P::load(eta + k * math::kLanes), clear_lane(packs[k], r - k * math::kLanes));
        packs[k].store(x + k * math::kLanes);
      }
    }
  }
};

}  // namespace tactus::lcp
