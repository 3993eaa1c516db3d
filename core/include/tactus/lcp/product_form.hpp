// The inverse of a basis as a product of elementary columns, one for each exchange.
//
// When a variable whose column is v = B^-1 a enters in row r, the new inverse is E B^-1 with
//     E x:   x_r <- x_r / v_r,   x_i <- x_i - v_i x_r (the new one),
// so v and r are all that has to be kept. A textbook tableau updates n (n + 1) numbers for each pivot; here
// the one column that enters is computed, through the few exchanges so far: P pivots cost n P^2 / 2
// multiply-adds in place of n^2 P, and contact problems need P of about n / 2. Where x_r is zero, which the
// pairs of friction directions often make it, E leaves x as it is and is skipped.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tactus/lcp/kernels.hpp"

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

// Views into the caller's workspace.
template <class Scalar>
struct ProductForm {
  int n = 0;
  int size = 0;  // padded(n)
  int count = 0;
  Scalar* columns =
      nullptr;            // product_limit(n) + 1 columns of padded(n); -1 / v_r stands in the place of v_r
  Index* rows = nullptr;  // product_limit(n)

  bool is_full() const { return count == product_limit(n); }
  // x <- B^-1 x. Cost: n multiply-adds for each exchange that does not meet a zero.
  TACTUS_ONE_COPY void apply(Scalar* x) const {
    const Scalar* v = columns;
    for (int e = 0; e < count; ++e, v += size) {
      const int r = rows[e];
      if (x[r] == 0) continue;
      const Scalar x_r = -(x[r] * v[r]);
      add_multiple_of_packs(x, v, x[r], v[r], size);
      x[r] = x_r;
    }
  }

  // Where the next column is made; it is kept by append().
  Scalar* next() const { return columns + static_cast<std::ptrdiff_t>(count) * size; }

  // Keeps the exchange of the column v = next() in row r.
  void append(int r) {
    Scalar* v = next();
    v[r] = Scalar(-1) / v[r];
    rows[count++] = static_cast<Index>(r);
  }
};

}  // namespace tactus::lcp
