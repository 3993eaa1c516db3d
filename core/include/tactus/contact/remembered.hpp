// What an element did in the last step, in four bytes that the caller keeps: where the next step's guess
// starts.
#pragma once

#include <cmath>
#include <cstdint>

#include "tactus/contact/outcome.hpp"
#include "tactus/math/arithmetic.hpp"

namespace tactus::contact {

// Value 0: nothing is known.
struct Remembered {
  // lifted: open though the free motion pressed it in; others that are closed keep it so.
  enum Normal : std::uint8_t { unknown, open, closed, lifted };
  enum Tangent : std::uint8_t {
    sticks,
    pulls_up,
    pulls_down
  };  // box: lambda = + or - mu lambda_n; round: sticks or not

  std::uint8_t code = 0;
  std::uint8_t backward = 0;  // of friction that opposes the slip in space: whether its t component is < 0,
  std::int16_t across = 0;    // and its o component, as a share of |t| + |o|, in 1 / 32767; 0 and 0: unknown

  Normal normal() const { return static_cast<Normal>(code & 3U); }
  Tangent tangent(int k) const { return static_cast<Tangent>((code >> (2 + 2 * k)) & 3U); }

  // Friction (t, o), of any size.
  template <class Scalar>
  void point_along(Scalar t, Scalar o) {
    const Scalar size = math::magnitude(t) + math::magnitude(o);
    if (!(size > 0)) return;
    backward = t < 0 ? 2 : 1;
    across = static_cast<std::int16_t>(o / size * 32767);
  }
  // Its unit vector; false where it is not known.
  template <class Scalar>
  bool direction(Scalar (&g)[2]) const {
    if (backward == 0) return false;
    const Scalar o = static_cast<Scalar>(across) / 32767, share = 1 - math::magnitude(o);
    const Scalar t = backward == 2 ? -share : share, length = std::sqrt(t * t + o * o);
    g[0] = t / length;
    g[1] = o / length;
    return true;
  }
};

// The bytes of a solved element, from what it does and its rows of lambda and s.
template <class Scalar, int Dim>
inline Remembered remember(const Outcome<Scalar>& does, const Scalar* lambda, const Scalar* s, Scalar mu,
                           bool box) {
  if (does.mode == Mode::open) return {does.lifted ? Remembered::lifted : Remembered::open};
  Remembered was{Remembered::closed};
  if (does.mode != Mode::slip) return was;
  unsigned code = was.code;
  // A row that slips has its force at the border, of which half is a safe sign, and a speed against it.
  if (box) {
    for (int k = 1; k < Dim; ++k)
      if (std::abs(lambda[k]) * 2 > mu * lambda[0] && lambda[k] * s[k] < 0)
        code |= (lambda[k] > 0 ? 1U : 2U) << (2 * k);
  } else {
    code |= 1U << 2;
    if constexpr (Dim == 3) was.point_along(lambda[1], lambda[2]);
  }
  was.code = static_cast<std::uint8_t>(code);
  return was;
}

}  // namespace tactus::contact
