// A number of two doubles, high + low: 32 digits, for questions that 16 do not decide.
//
// A fixture that is clamped by a million times its weight is one (contact/fixture_search.hpp): energies of
// the weight are 1e-12 of the clamp's, and a sum of both has no digit left for a small motion. The products
// and sums are Knuth's and Dekker's; they round nothing that the second double can hold, so the bits are the
// same with and without fused multiply-adds. Range: magnitudes from 1e-280 to 1e280; beyond that digits are
// lost or the number is not finite.
//
// Cost: 20 to 40 operations each, some 10 times a double's. Memory: two doubles. Nothing fails; a root is
// not there.
#pragma once

#include <cmath>
#include <limits>

#include "tactus/math/arithmetic.hpp"

namespace tactus::math {

struct Twofold {
  double high = 0, low = 0;

  constexpr Twofold() = default;
  constexpr Twofold(double x) : high(x) {}  // implicit: a double is a number of this kind
  constexpr Twofold(int x) : high(x) {}
  constexpr Twofold(double h, double l) : high(h), low(l) {}
  explicit constexpr operator double() const { return high; }
  explicit constexpr operator float() const { return static_cast<float>(high); }

  constexpr Twofold operator-() const { return {-high, -low}; }
  constexpr Twofold& operator+=(Twofold b) { return *this = *this + b; }
  constexpr Twofold& operator-=(Twofold b) { return *this = *this - b; }
  constexpr Twofold& operator*=(Twofold b) { return *this = *this * b; }

  friend constexpr Twofold operator+(Twofold a, Twofold b) {
    const Twofold heads = sum(a.high, b.high), tails = sum(a.low, b.low);
    const Twofold s = ordered(heads.high, heads.low + tails.high);
    return ordered(s.high, s.low + tails.low);
  }
  friend constexpr Twofold operator-(Twofold a, Twofold b) { return a + -b; }
  friend constexpr Twofold operator*(Twofold a, Twofold b) {
    const Twofold p = product(a.high, b.high);
    return ordered(p.high, p.low + (a.high * b.low + a.low * b.high));
  }
  friend constexpr Twofold operator/(Twofold a, Twofold b) {
    const double q = a.high / b.high;
    const Twofold r = a - b * q;
    const double q2 = r.high / b.high;
    const double q3 = (r - b * q2).high / b.high;
    return ordered(q, q2) + Twofold(q3);
  }
  friend constexpr bool operator==(Twofold a, Twofold b) { return a.high == b.high && a.low == b.low; }
  friend constexpr bool operator!=(Twofold a, Twofold b) { return !(a == b); }
  friend constexpr bool operator<(Twofold a, Twofold b) {
    return a.high < b.high || (a.high == b.high && a.low < b.low);
  }
  friend constexpr bool operator>(Twofold a, Twofold b) { return b < a; }
  friend constexpr bool operator<=(Twofold a, Twofold b) { return a < b || a == b; }
  friend constexpr bool operator>=(Twofold a, Twofold b) { return b <= a; }

 private:
  // a + b and what it rounds off; ordered(): where |a| >= |b|.
  static constexpr Twofold sum(double a, double b) {
    const double s = a + b, t = s - a;
    return {s, (a - (s - t)) + (b - t)};
  }
  static constexpr Twofold ordered(double a, double b) {
    const double s = a + b;
    return {s, b - (s - a)};
  }
  static constexpr Twofold product(double a, double b) {
    const double p = a * b;
    const Twofold x = split(a), y = split(b);
    return {p, ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low};
  }
  // Two halves of 26 digits each, whose products are exact.
  static constexpr Twofold split(double a) {
    const double t = 134217729.0 * a, high = t - (t - a);  // 2^27 + 1
    return {high, a - high};
  }
};

template <>
inline Twofold magnitude<Twofold>(Twofold x) {
  return x.high < 0 ? -x : x;
}

template <>
inline Twofold multiply_add<Twofold>(Twofold a, Twofold b, Twofold c) {
  return a * b + c;
}

template <>
inline int exponent_of<Twofold>(Twofold x) {
  return exponent_of(x.high);
}

template <>
inline Twofold power_of_two<Twofold>(int e) {
  return power_of_two<double>(e);
}

}  // namespace tactus::math

template <>
class std::numeric_limits<tactus::math::Twofold> : public std::numeric_limits<double> {
 public:
  static constexpr tactus::math::Twofold epsilon() { return 0x1p-104; }
  static constexpr tactus::math::Twofold infinity() { return std::numeric_limits<double>::infinity(); }
};
