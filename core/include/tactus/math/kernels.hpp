// The two loops that a solve spends its time in.
//
// On a Cortex-M with a single-precision FPU they are assembly: vldmia and vstmia move eight floats in one
// instruction, which GCC 12 does not bring itself to, and the cost falls from 28 to 12 instructions for eight
// elements. The lanes and the order of every operation are those of pack.hpp, so the bits are, too.
#pragma once

#include "tactus/bound.hpp"
#include "tactus/math/pack.hpp"

#if defined(__ARM_ARCH_7EM__) && defined(__ARM_FEATURE_FMA)
#define TACTUS_CORTEX_M_KERNELS
#endif

namespace tactus::math {

#ifdef TACTUS_CORTEX_M_KERNELS
namespace detail {

#define TACTUS_CLOBBERS \
  "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14", "s15"

// sums += a b, or |a| b, for `packs` packs, at least one.
#define TACTUS_ACCUMULATE(MAGNITUDES)                                                                       \
  TACTUS_BOUND("m / 8");                                                                                    \
  __asm(                                                                                                    \
      "1: vldmia %[a]!, {s0-s7}\n"                                                                          \
      "vldmia %[b]!, {s8-s15}\n" MAGNITUDES                                                                 \
      "vfma.f32 %[x0], s0, s8\n"                                                                            \
      "vfma.f32 %[x1], s1, s9\n"                                                                            \
      "vfma.f32 %[x2], s2, s10\n"                                                                           \
      "vfma.f32 %[x3], s3, s11\n"                                                                           \
      "vfma.f32 %[x4], s4, s12\n"                                                                           \
      "vfma.f32 %[x5], s5, s13\n"                                                                           \
      "vfma.f32 %[x6], s6, s14\n"                                                                           \
      "vfma.f32 %[x7], s7, s15\n"                                                                           \
      "subs %[packs], #1\n"                                                                                 \
      "bne 1b\n"                                                                                            \
      : [a] "+r"(a), [b] "+r"(b), [packs] "+r"(packs), [x0] "+t"(sums.x0), [x1] "+t"(sums.x1),              \
        [x2] "+t"(sums.x2), [x3] "+t"(sums.x3), [x4] "+t"(sums.x4), [x5] "+t"(sums.x5), [x6] "+t"(sums.x6), \
        [x7] "+t"(sums.x7)                                                                                  \
      :                                                                                                     \
      : TACTUS_CLOBBERS, "cc", "memory")

template <bool kMagnitudes>
inline void accumulate(Pack<float>& sums, const float* a, const float* b, int packs) {
  if constexpr (kMagnitudes) {
    TACTUS_ACCUMULATE(
        "vabs.f32 s0, s0\nvabs.f32 s1, s1\nvabs.f32 s2, s2\nvabs.f32 s3, s3\n"
        "vabs.f32 s4, s4\nvabs.f32 s5, s5\nvabs.f32 s6, s6\nvabs.f32 s7, s7\n");
  } else {
    TACTUS_ACCUMULATE("");
  }
}
#undef TACTUS_ACCUMULATE

// x += factor v for `packs` packs, at least one.
TACTUS_ONE_COPY inline void add_packs(float* x, const float* v, float factor, int packs) {
  TACTUS_BOUND("m / 8");
  __asm volatile(
      "1: vldmia %[v]!, {s0-s7}\n"
      "vldmia %[x], {s8-s15}\n"
      "vfma.f32 s8, s0, %[f]\n"
      "vfma.f32 s9, s1, %[f]\n"
      "vfma.f32 s10, s2, %[f]\n"
      "vfma.f32 s11, s3, %[f]\n"
      "vfma.f32 s12, s4, %[f]\n"
      "vfma.f32 s13, s5, %[f]\n"
      "vfma.f32 s14, s6, %[f]\n"
      "vfma.f32 s15, s7, %[f]\n"
      "vstmia %[x]!, {s8-s15}\n"
      "subs %[packs], #1\n"
      "bne 1b\n"
      : [x] "+r"(x), [v] "+r"(v), [packs] "+r"(packs)
      : [f] "t"(factor)
      : TACTUS_CLOBBERS, "cc", "memory");
}

#undef TACTUS_CLOBBERS

}  // namespace detail
#endif

namespace detail {

template <bool kMagnitudes, class Scalar>
inline Scalar sum_of_products(const Scalar* a, const Scalar* b, int n) {
  const auto factor = [](auto x) {
    if constexpr (kMagnitudes) return magnitude(x);
    return x;
  };
  using P = Pack<Scalar>;
  P sums = P::all(Scalar(0));
  int i = 0;
#ifdef TACTUS_CORTEX_M_KERNELS
  constexpr bool kAssembly = sizeof(Scalar) == 4;
  if constexpr (kAssembly) {
    if (n >= kLanes) accumulate<kMagnitudes>(sums, a, b, n / kLanes);
    i = n / kLanes * kLanes;
  }
#else
  constexpr bool kAssembly = false;
#endif
  if constexpr (!kAssembly)
    for (; i + kLanes <= n; i += kLanes) sums = multiply_add(factor(P::load(a + i)), P::load(b + i), sums);
  if (i + kLanes / 2 <= n) {
    sums = multiply_add(factor(P::load_four(a + i)), P::load_four(b + i), sums);
    i += kLanes / 2;
  }
  Scalar sum = total(sums);
  TACTUS_BOUND("mod(m, 4)");
  for (; i < n; ++i) sum = multiply_add(factor(a[i]), b[i], sum);
  return sum;
}

}  // namespace detail

// sum a_i b_i. n fused operations and 7 additions.
template <class Scalar>
inline Scalar dot(const Scalar* a, const Scalar* b, int n) {
  return detail::sum_of_products<false>(a, b, n);
}

// sum |a_i| b_i, at the same price.
template <class Scalar>
inline Scalar dot_of_magnitudes(const Scalar* a, const Scalar* b, int n) {
  return detail::sum_of_products<true>(a, b, n);
}

// x += factor v over whole packs, at least one. n fused operations.
template <class Scalar>
inline void add_multiple_of_packs(Scalar* x, const Scalar* v, Scalar factor, int n) {
#ifdef TACTUS_CORTEX_M_KERNELS
  if constexpr (sizeof(Scalar) == 4) return detail::add_packs(x, v, factor, n / kLanes);
#endif
  const auto f = Pack<Scalar>::all(factor);
  for (int i = 0; i < n; i += kLanes)
    multiply_add(f, Pack<Scalar>::load(v + i), Pack<Scalar>::load(x + i)).store(x + i);
}

// x += factor v over n elements, few as a rule. n fused operations; on a Cortex-M 10 instructions for four.
template <class Scalar>
inline void add_multiple(Scalar* x, const Scalar* v, Scalar factor, int n) {
#ifdef TACTUS_CORTEX_M_KERNELS
  if constexpr (sizeof(Scalar) == 4) {
    TACTUS_BOUND("m / 4");
    for (; n >= 4; n -= 4)
      __asm volatile(
          "vldmia %[v]!, {s4-s7}\n"
          "vldmia %[x], {s8-s11}\n"
          "vfma.f32 s8, s4, %[f]\n"
          "vfma.f32 s9, s5, %[f]\n"
          "vfma.f32 s10, s6, %[f]\n"
          "vfma.f32 s11, s7, %[f]\n"
          "vstmia %[x]!, {s8-s11}\n"
          : [v] "+r"(v), [x] "+r"(x)
          : [f] "t"(factor)
          : "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "memory");
  }
#endif
  TACTUS_BOUND("mod(m, 4)");
  for (int i = 0; i < n; ++i) x[i] = multiply_add(factor, v[i], x[i]);
}

}  // namespace tactus::math
