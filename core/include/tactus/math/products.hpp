// Two dot products that share a factor, and a matrix times a vector: what the systems of contact's guess.hpp
// spend their time in. Sums in the order of the indices; nothing here fails, and memory is the caller's.
#pragma once

#include "tactus/math/kernels.hpp"
#include "tactus/math/vector.hpp"

namespace tactus::math {

// Two sums; as arguments and results they stay in registers.
template <class Scalar>
struct Two {
  Scalar p, q;
};

// (a, b) + x . (p, q), each sum in the order of the indices. On a Cortex-M 13 instructions for four indices.
template <class Scalar>
[[gnu::noinline]] inline Two<Scalar> add_products(Scalar a, Scalar b, const Scalar* x, const Scalar* p,
                                                  const Scalar* q, int n) {
#ifdef TACTUS_CORTEX_M_KERNELS
  if constexpr (sizeof(Scalar) == 4) {
    TACTUS_BOUND("m / 4");
    for (; n >= 4; n -= 4)
      __asm(
          "vldmia %[x]!, {s4-s7}\n"
          "vldmia %[p]!, {s8-s11}\n"
          "vldmia %[q]!, {s12-s15}\n"
          "vfma.f32 %[a], s4, s8\n"
          "vfma.f32 %[b], s4, s12\n"
          "vfma.f32 %[a], s5, s9\n"
          "vfma.f32 %[b], s5, s13\n"
          "vfma.f32 %[a], s6, s10\n"
          "vfma.f32 %[b], s6, s14\n"
          "vfma.f32 %[a], s7, s11\n"
          "vfma.f32 %[b], s7, s15\n"
          : [x] "+r"(x), [p] "+r"(p), [q] "+r"(q), [a] "+t"(a), [b] "+t"(b)
          :
          : "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14", "s15", "memory");
  }
#endif
  TACTUS_BOUND("mod(m, 4)");
  for (; n > 0; --n) {
    const Scalar f = *x++;
    a = multiply_add(f, *p++, a);
    b = multiply_add(f, *q++, b);
  }
  return {a, b};
}

// out = start + M x for M of N columns, which x are in registers for all rows; start moves on by `step`.
template <int N, class Scalar>
[[gnu::always_inline]] inline void add_columns(const Scalar* start, int step, const Scalar* M, int stride,
                                               int rows, const Scalar* x, Scalar* out) {
  Scalar factor[N];
  unrolled<N>([&](int k) __attribute__((always_inline)) { factor[k] = x[k]; });
  TACTUS_BOUND("rows");
  for (; rows > 0; --rows, start += step, M += stride) {
    Scalar sum = *start;
    unrolled<N>([&](int k) __attribute__((always_inline)) { sum = multiply_add(M[k], factor[k], sum); });
    *out++ = sum;
  }
}

#ifdef TACTUS_CORTEX_M_KERNELS
// The same, 13 instructions a row of six columns.
#define TACTUS_ADD_COLUMNS(N, X, M_ROW, FUSED)                                                               \
  template <>                                                                                                \
  inline void add_columns<N, float>(const float* start, int step, const float* M, int stride, int rows,      \
                                    const float* x, float* out) {                                            \
    float sum;                                                                                               \
    TACTUS_BOUND("rows");                                                                                    \
    __asm volatile("vldmia %[x], {" X                                                                        \
                   "}\n"                                                                                     \
                   "1: vldr.32 %[sum], [%[start]]\n"                                                         \
                   "add %[start], %[step]\n"                                                                 \
                   "vldmia %[M]!, {" M_ROW "}\n" FUSED                                                       \
                   "vstmia %[out]!, {%[sum]}\n"                                                              \
                   "add %[M], %[skip]\n"                                                                     \
                   "subs %[rows], #1\n"                                                                      \
                   "bne 1b\n"                                                                                \
                   : [start] "+r"(start), [M] "+r"(M), [rows] "+r"(rows), [out] "+r"(out), [sum] "=&t"(sum)  \
                   : [x] "r"(x), [step] "r"(4 * step), [skip] "r"(4 * (stride - N))                          \
                   : "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", \
                     "s14", "s15", "cc", "memory");                                                          \
  }
#define TACTUS_FUSED(A, B) "vfma.f32 %[sum], " A ", " B "\n"
#define TACTUS_FOUR \
  TACTUS_FUSED("s0", "s8") TACTUS_FUSED("s1", "s9") TACTUS_FUSED("s2", "s10") TACTUS_FUSED("s3", "s11")
#define TACTUS_SIX TACTUS_FOUR TACTUS_FUSED("s4", "s12") TACTUS_FUSED("s5", "s13")
TACTUS_ADD_COLUMNS(4, "s8-s11", "s0-s3", TACTUS_FOUR)
TACTUS_ADD_COLUMNS(6, "s8-s13", "s0-s5", TACTUS_SIX)
#undef TACTUS_ADD_COLUMNS
#undef TACTUS_FUSED
#undef TACTUS_FOUR
#undef TACTUS_SIX
#endif

// out = start + M x, each sum in the order of the indices; M has n > 0 columns and rows, and `stride` scalars
// from row to row, and where start is null it counts as 0.
template <class Scalar>
TACTUS_ONE_COPY inline void multiply(const Scalar* start, const Scalar* M, int stride, int rows,
                                     const Scalar* x, int n, Scalar* out) {
  const Scalar zero = 0;
  int step = start != nullptr ? 1 : 0;
  if (step == 0) start = &zero;
  TACTUS_BOUND("m / 6 + min(mod(m, 6), 1 + mod(mod(m, 6), 4))");  // sixes, a four, ones
  for (int c = 0; c < n; start = out, step = 1) {
    const int left = n - c, width = left >= 6 ? 6 : left >= 4 ? 4 : 1;
    if (width == 6)
      add_columns<6>(start, step, M + c, stride, rows, x + c, out);
    else if (width == 4)
      add_columns<4>(start, step, M + c, stride, rows, x + c, out);
    else
      add_columns<1>(start, step, M + c, stride, rows, x + c, out);
    c += width;
  }
}

}  // namespace tactus::math
