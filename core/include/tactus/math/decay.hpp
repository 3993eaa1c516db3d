// exp(x) for x <= 0, the same bits on every machine: x = k ln 2 + r, |r| <= ln 2 / 2, and a Taylor polynomial
// of r. Relative error below 2 units in the last place; 0 below the normal range; what is not a number stays
// so. Cost: 8 divisions in float, 14 in double.
#pragma once

#include "tactus/math/arithmetic.hpp"

namespace tactus::math {

template <class Scalar>
inline Scalar decay(Scalar x) {
  constexpr bool kFloat = sizeof(Scalar) == 4;
  if (!(x > (kFloat ? Scalar(-87) : Scalar(-708)))) return x - x == 0 || x < 0 ? Scalar(0) : x;
  const int k = static_cast<int>(x * Scalar(1.44269504088896340736) - Scalar(0.5));
  // ln 2 in two parts; the first has so few bits that its product with k is exact.
  constexpr Scalar kHigh = kFloat ? Scalar(0.693359375) : Scalar(0x1.62e42fee00000p-1);
  constexpr Scalar kLow = kFloat ? Scalar(-2.12194440e-4) : Scalar(0x1.a39ef35793c76p-33);
  const Scalar r = (x - static_cast<Scalar>(k) * kHigh) - static_cast<Scalar>(k) * kLow;
  Scalar sum = 1;
  for (int i = kFloat ? 8 : 14; i > 0; --i) sum = 1 + sum * r / static_cast<Scalar>(i);
  return sum * power_of_two<Scalar>(k);
}

}  // namespace tactus::math
