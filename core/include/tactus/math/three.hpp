// A linear system of three unknowns without a loop: as of one rigid contact, or of a patch of three that
// slips. One that has fewer unknowns is filled up with rows of the unit matrix.
//
// B = L U without exchanges, in place: -L left of the diagonal, U right of it, and -1 / U_ii on it. Each
// number is got by the same operations in the same order as by the loops of contact/reduced.hpp.
//
// Cost: 8 multiplications and 3 divisions for the factor, 9 multiplications for a solution. Memory: none of
// its own. A pivot of zero leaves infinities or NaN on the diagonal, which is where the caller looks.
#pragma once

#include "tactus/math/arithmetic.hpp"

namespace tactus::math {

template <class Scalar>
inline void factor_three(Scalar* B) {
  Scalar *const r = B, *const s = B + 3, *const t = B + 6;
  r[0] = -1 / r[0];
  s[0] *= r[0];
  t[0] *= r[0];
  s[1] = -1 / multiply_add(s[0], r[1], s[1]);
  s[2] = multiply_add(s[0], r[2], s[2]);
  t[1] = multiply_add(t[0], r[1], t[1]) * s[1];
  t[2] = -1 / multiply_add(t[1], s[2], multiply_add(t[0], r[2], t[2]));
}

// x := -B^-1 x.
template <class Scalar>
inline void substitute_three(const Scalar* B, Scalar* x) {
  const Scalar *const r = B, *const s = B + 3, *const t = B + 6;
  const Scalar y = multiply_add(s[0], x[0], x[1]);
  x[2] = multiply_add(t[1], y, multiply_add(t[0], x[0], x[2])) * t[2];
  x[1] = multiply_add(s[2], x[2], y) * s[1];
  x[0] = multiply_add(r[2], x[2], multiply_add(r[1], x[1], x[0])) * r[0];
}

}  // namespace tactus::math
