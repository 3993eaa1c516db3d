// What an element did in the last step, in one byte that the caller keeps: where the next step's guess
// starts.
#pragma once

#include <cmath>
#include <cstdint>

#include "tactus/contact/problem.hpp"

namespace tactus::contact {

// Value 0: nothing is known.
struct Remembered {
  enum Normal : std::uint8_t { unknown, open, closed };
  enum Tangent : std::uint8_t {
    sticks,
    pulls_up,
    pulls_down
  };  // box: lambda = + or - mu lambda_n; facets: sticks or not

  std::uint8_t code = 0;

  Normal normal() const { return static_cast<Normal>(code & 3U); }
  Tangent tangent(int k) const { return static_cast<Tangent>((code >> (2 + 2 * k)) & 3U); }
};

// The byte of a solved element, from its mode and its rows of lambda and s.
template <class Scalar, int Dim>
inline Remembered remember(Mode mode, const Scalar* lambda, const Scalar* s, Scalar mu, bool box) {
  if (mode == Mode::open) return {Remembered::open};
  unsigned code = Remembered::closed;
  if (mode == Mode::slip && !box) code |= 1U << 2;
  // A row that slips has its force at the border, of which half is a safe sign, and a speed against it.
  if (mode == Mode::slip && box)
    for (int k = 1; k < Dim; ++k)
      if (std::abs(lambda[k]) * 2 > mu * lambda[0] && lambda[k] * s[k] < 0)
        code |= (lambda[k] > 0 ? 1U : 2U) << (2 * k);
  return {static_cast<std::uint8_t>(code)};
}

}  // namespace tactus::contact
