// The few operations whose rounding has to be the same on every machine.
//
// A float answer of the board and of the host are compared bit by bit, so nothing here is left to the
// compiler: multiply-adds are fused where the target has the instruction (Cortex-M4F and M7, x86-64 with FMA,
// AArch64) and written so, sums run in eight fixed lanes, and scale factors are powers of two, which round
// nothing. Compile with -ffp-contract=off (the CMake target says so), else GCC fuses further products on ARM
// only.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tactus::math {

// True where a multiply-add is one instruction. Two builds give the same float bits if this agrees.
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(__aarch64__)
inline constexpr bool kFused = true;
#else
inline constexpr bool kFused = false;
#endif

// a * b + c, rounded once where kFused, else twice. Double on a Cortex-M4F is emulated; fusing it there would
// cost another emulation, so only float is fused on a core without a double unit.
template <class Scalar>
[[gnu::always_inline]] inline Scalar multiply_add(Scalar a, Scalar b, Scalar c) {
#if defined(__ARM_FP) && !(__ARM_FP & 8)
  if constexpr (sizeof(Scalar) == 8) return a * b + c;
#endif
  if constexpr (kFused) return std::fma(a, b, c);
  return a * b + c;
}

// Flash is scarcer than calls are dear on a Cortex-M: there a function marked so has one copy for all
// callers.
#if defined(__ARM_ARCH_7EM__)
#define TACTUS_ONE_COPY [[gnu::noinline]]
#else
#define TACTUS_ONE_COPY
#endif

template <class Scalar>
[[gnu::always_inline]] inline Scalar magnitude(Scalar x) {
  return std::fabs(x);
}

template <class Scalar>
[[gnu::always_inline]] inline Scalar larger(Scalar a, Scalar b) {
  return a < b ? b : a;
}

// floor(log2 |x|) of a normal x, read off the exponent field; out of range, but harmless to power_of_two, for
// others.
template <class Scalar>
inline int exponent_of(Scalar x) {
  using Bits = std::conditional_t<sizeof(Scalar) == 4, std::uint32_t, std::uint64_t>;
  constexpr int kMantissa = std::numeric_limits<Scalar>::digits - 1;
  constexpr int kBias = std::numeric_limits<Scalar>::max_exponent - 1;
  return static_cast<int>((std::bit_cast<Bits>(x) >> kMantissa) & (2 * kBias + 1)) - kBias;
}

// 2^e; e is limited to the normal range.
template <class Scalar>
inline Scalar power_of_two(int e) {
  using Bits = std::conditional_t<sizeof(Scalar) == 4, std::uint32_t, std::uint64_t>;
  constexpr int kMantissa = std::numeric_limits<Scalar>::digits - 1;
  constexpr int kBias = std::numeric_limits<Scalar>::max_exponent - 1;
  e = e < 1 - kBias ? 1 - kBias : e > kBias ? kBias : e;
  return std::bit_cast<Scalar>(static_cast<Bits>(e + kBias) << kMantissa);
}

}  // namespace tactus::math
