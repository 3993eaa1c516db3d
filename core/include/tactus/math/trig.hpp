// Sine and cosine, the same bits on every machine.
//
// libm's sinf and cosf differ between C libraries in the last bit, which is enough to make two predictions
// part. These use only +, -, * and integer arithmetic in a written order (compile with -ffp-contract=off).
// Any finite angle (radians) is accepted; NaN and infinities give NaN. Absolute error, against libm in the
// test: at most 1.2e-7 in float and 2.3e-16 in double, which is one unit in the last place of 1. No table
// look-up, no loop below |x| = kDirectAngle; above it a 36-word table and one 53 x 160 bit product.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tactus::math {

template <class Scalar>
inline constexpr Scalar kPi = static_cast<Scalar>(3.14159265358979323846);

template <class Scalar>
struct SinCos {
  Scalar sin = 0;
  Scalar cos = 1;
};

namespace detail {

// An angle as quadrant * pi/2 + rest, |rest| <= pi/4 (and a rounding more).
template <class Scalar>
struct ReducedAngle {
  std::uint32_t quadrant = 0;  // modulo 4
  Scalar rest = 0;
};

// pi/2 in three parts, the first two with so few bits that their products with the quadrant number are exact.
template <class Scalar>
struct HalfPi;
template <>
struct HalfPi<float> {
  static constexpr float kHigh = 0x1.92p0F, kMiddle = 0x1.fb4p-12F, kLow = 0x1.4442d2p-24F;
  static constexpr float kDirectAngle = 8192.0F;  // the quadrant number stays below 2^13
};
template <>
struct HalfPi<double> {
  static constexpr double kHigh = 0x1.921fb544p0, kMiddle = 0x1.0b4611a6p-34, kLow = 0x1.3198a2e037073p-69;
  static constexpr double kDirectAngle = 1048576.0;  // below 2^20
};

// 2/pi after the binary point: enough for the largest double, 2^1024, and 160 bits more.
inline constexpr std::array<std::uint32_t, 36> kTwoOverPi = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08};

// As many words of it as a scalar can ask for, so that a float does not bring those of double with it.
template <class Scalar, int kWords>
inline constexpr auto kTwoOverPiOf = [] {
  using Limits = std::numeric_limits<Scalar>;
  std::array<std::uint32_t, (Limits::max_exponent - Limits::digits - 2) / 32 + kWords> words{};
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = kTwoOverPi[i];
  return words;
}();

// x = mantissa * 2^exponent exactly. Of x * 2/pi only the part modulo 4 matters: words of 2/pi whose product
// with the mantissa is a multiple of 4 are skipped, five words follow, and what comes after them is below
// 2^-73.
template <class Scalar>
[[gnu::cold]] ReducedAngle<Scalar> reduce_large(Scalar x) {
  constexpr int kDigits = std::numeric_limits<Scalar>::digits - 1;
  using Bits = std::conditional_t<sizeof(Scalar) == 4, std::uint32_t, std::uint64_t>;
  const Bits bits = std::bit_cast<Bits>(x);
  const int exponent =
      static_cast<int>(bits >> kDigits) - (std::numeric_limits<Scalar>::max_exponent - 1) - kDigits;
  const std::uint64_t mantissa = (bits & ((Bits{1} << kDigits) - 1)) | (Bits{1} << kDigits);

  constexpr int kWords = 5;
  const int first = exponent < 34 ? 0 : (exponent - 2) / 32;
  std::array<std::uint32_t, kWords + 2> product{};  // least significant word first
  for (int part = 0; part < (kDigits < 32 ? 1 : 2); ++part) {
    const std::uint64_t factor = (mantissa >> (32 * part)) & 0xffffffffU;
    std::uint64_t carry = 0;
    for (int i = 0; i < kWords; ++i) {
      auto& word = product[static_cast<std::size_t>(i + part)];
      carry += factor * kTwoOverPiOf<Scalar, kWords>[static_cast<std::size_t>(first + kWords - 1 - i)] + word;
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    product[static_cast<std::size_t>(kWords + part)] = static_cast<std::uint32_t>(carry);
  }

  const int point =
      32 * (first + kWords) - exponent;  // the binary point stands below this bit of the product
  const auto bits_at = [&product](int position) {
    const auto word = static_cast<std::size_t>(position >> 5);
    const std::uint64_t low = product[word];
    const std::uint64_t high = word + 1 < product.size() ? product[word + 1] : 0U;
    return static_cast<std::uint32_t>(((high << 32) | low) >> (position & 31));
  };
  std::uint32_t quadrant = bits_at(point) & 3U;
  const std::uint32_t high = bits_at(point - 32), low = bits_at(point - 64);
  if ((high >> 31) != 0)
    ++quadrant;  // to the nearest; the signed reading of `high` is then the negative rest
  const Scalar rest = static_cast<Scalar>(static_cast<std::int32_t>(high)) * static_cast<Scalar>(0x1p-32) +
                      static_cast<Scalar>(low) * static_cast<Scalar>(0x1p-64);
  return {quadrant & 3U, rest * (kPi<Scalar> / 2)};
}

// x >= 0 and finite.
template <class Scalar>
ReducedAngle<Scalar> reduce(Scalar x) {
  using Part = HalfPi<Scalar>;
  if (x >= Part::kDirectAngle) return reduce_large(x);
  constexpr Scalar kTwoOverPiRounded = static_cast<Scalar>(0.63661977236758134308);
  const auto quadrant = static_cast<std::int32_t>(x * kTwoOverPiRounded + static_cast<Scalar>(0.5));
  const auto k = static_cast<Scalar>(quadrant);
  const Scalar rest = ((x - k * Part::kHigh) - k * Part::kMiddle) - k * Part::kLow;
  return {static_cast<std::uint32_t>(quadrant) & 3U, rest};
}

template <class Scalar>
constexpr Scalar inverse_factorial(int n) {
  double product = 1;  // exact to 18!, so that the quotient is rounded once, on every machine
  for (int i = 2; i <= n; ++i) product *= i;
  return static_cast<Scalar>(1 / product);
}

// Taylor polynomials on |x| <= pi/4. The first term left out is below 2e-9 (float: x^11/11!, x^12/12!) and
// below 3e-18 (double: x^19/19!, x^18/18!).
template <class Scalar>
Scalar sin_small(Scalar x) {
  constexpr int kLast = sizeof(Scalar) == 4 ? 9 : 17;
  constexpr auto kC = [] {
    std::array<Scalar, kLast / 2 + 1> c{};
    for (int i = 0; i <= kLast / 2; ++i) {
      c[static_cast<std::size_t>(i)] = (i % 2 == 0 ? 1 : -1) * inverse_factorial<Scalar>(2 * i + 1);
    }
    return c;
  }();
  const Scalar x2 = x * x;
  Scalar sum = kC[kLast / 2];
  for (int i = kLast / 2 - 1; i >= 1; --i) sum = sum * x2 + kC[static_cast<std::size_t>(i)];
  return x + x * (x2 * sum);
}

template <class Scalar>
Scalar cos_small(Scalar x) {
  constexpr int kLast = sizeof(Scalar) == 4 ? 10 : 16;
  constexpr auto kC = [] {
    std::array<Scalar, kLast / 2 + 1> c{};
    for (int i = 0; i <= kLast / 2; ++i) {
      c[static_cast<std::size_t>(i)] = (i % 2 == 0 ? 1 : -1) * inverse_factorial<Scalar>(2 * i);
    }
    return c;
  }();
  const Scalar x2 = x * x;
  Scalar sum = kC[kLast / 2];
  for (int i = kLast / 2 - 1; i >= 1; --i) sum = sum * x2 + kC[static_cast<std::size_t>(i)];
  return 1 + x2 * sum;
}

}  // namespace detail

template <class Scalar>
SinCos<Scalar> sin_cos(Scalar angle) {
  if (!(angle - angle == 0)) {  // NaN or infinite
    constexpr Scalar kNan = std::numeric_limits<Scalar>::quiet_NaN();
    return {kNan, kNan};
  }
  if (angle == 0) return {angle, 1};  // as of every floor; the bits that the way below gives
  const bool negative = angle < 0;
  const auto reduced = detail::reduce(negative ? -angle : angle);
  const Scalar s = detail::sin_small(reduced.rest), c = detail::cos_small(reduced.rest);
  const bool odd = (reduced.quadrant & 1U) != 0;
  Scalar sine = odd ? c : s, cosine = odd ? s : c;
  if ((reduced.quadrant & 2U) != 0) sine = -sine;
  if (((reduced.quadrant + 1U) & 2U) != 0) cosine = -cosine;
  return {negative ? -sine : sine, cosine};
}

template <class Scalar>
Scalar sin(Scalar angle) {
  return sin_cos(angle).sin;
}

template <class Scalar>
Scalar cos(Scalar angle) {
  return sin_cos(angle).cos;
}

}  // namespace tactus::math
