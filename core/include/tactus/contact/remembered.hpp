// What an element did in the last step, in four bytes that the caller keeps: where the next step's guess
// starts.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

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
  // Of friction that opposes the slip in space: which way its first component points and what it is counted
  // from, and the second as a share of the sum of both, in 1 / 32767. A fast slip that turns keeps its angle
  // to the free one; what friction nearly stops keeps its axes.
  enum Direction : std::uint8_t { known = 1, backward = 2, from_slip = 4 };
  std::uint8_t direction = 0;
  std::int16_t across = 0;

  Normal normal() const { return static_cast<Normal>(code & 3U); }
  Tangent tangent(int k) const { return static_cast<Tangent>((code >> (2 + 2 * k)) & 3U); }

  // Friction x, of any size, in the axes or counted from what stops the free slip.
  template <class Scalar>
  void point_along(const Scalar* x, const Scalar* free_slip = nullptr) {
    Scalar g[2]{x[0], x[1]};
    if (free_slip != nullptr) {
      g[0] = -(x[0] * free_slip[0] + x[1] * free_slip[1]);
      g[1] = x[0] * free_slip[1] - x[1] * free_slip[0];
    }
    const Scalar size = math::magnitude(g[0]) + math::magnitude(g[1]);
    if (!(size > 0 && size <= std::numeric_limits<Scalar>::max())) return;
    direction =
        static_cast<std::uint8_t>(known | (g[0] < 0 ? backward : 0) | (free_slip != nullptr ? from_slip : 0));
    across = static_cast<std::int16_t>(g[1] / size * 32767);
  }
  // Along it, of any size but 0; false where it is not known.
  template <class Scalar>
  bool read_direction(const Scalar* free_slip, Scalar (&g)[2]) const {
    if ((direction & known) == 0) return false;
    const Scalar o = static_cast<Scalar>(across) / 32767, share = 1 - math::magnitude(o);
    const Scalar t = (direction & backward) != 0 ? -share : share;
    const bool turned = (direction & from_slip) != 0 && (free_slip[0] != 0 || free_slip[1] != 0);
    g[0] = turned ? o * free_slip[1] - t * free_slip[0] : t;
    g[1] = turned ? -t * free_slip[1] - o * free_slip[0] : o;
    return true;
  }
};

// A slip is fast where friction takes less than a part of this of it. With 2 for 8 an arm that pushes a box
// takes 13 % more tries, without any a box that turns as it slides 50 % (host_sim/scenes/arm.json and
// thrown_box.json in float; test_stepper_tries holds the latter).
inline constexpr int kFast = 8;

// The bytes of a solved element, from what it does and its rows of lambda, s and b.
template <class Scalar, int Dim>
inline Remembered remember(const Outcome<Scalar>& does, const Scalar* lambda, const Scalar* s,
                           const Scalar* b, Scalar mu, bool box) {
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
    if constexpr (Dim == 3) {
      const Scalar t = s[1] - b[1], o = s[2] - b[2];
      const bool fast = kFast * kFast * (t * t + o * o) < b[1] * b[1] + b[2] * b[2];
      was.point_along(lambda + 1, fast ? b + 1 : nullptr);
    }
  }
  was.code = static_cast<std::uint8_t>(code);
  return was;
}

}  // namespace tactus::contact
