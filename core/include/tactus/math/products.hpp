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
  for (; rows > 0; --rows, start += step, M += stride) {
    Scalar sum = *start;
    unrolled<N>([&](int k) __attribute__((always_inline)) { sum = multiply_add(M[k], factor[k], sum); });
    *out++ = sum;
  }
}

// out = start + M x, each sum in the order of the indices; M has n > 0 columns and `stride` scalars from row
// to row, and where start is null it counts as 0.
template <class Scalar>
TACTUS_ONE_COPY inline void multiply(const Scalar* start, const Scalar* M, int stride, int rows,
                                     const Scalar* x, int n, Scalar* out) {
  const Scalar zero = 0;
  int step = start != nullptr ? 1 : 0;
  if (step == 0) start = &zero;
  for (int c = 0; c < n; start = out, step = 1) {
    const bool six = c + 6 <= n;
    if (six)
      add_columns<6>(start, step, M + c, stride, rows, x + c, out);
    else
      add_columns<1>(start, step, M + c, stride, rows, x + c, out);
    c += six ? 6 : 1;
  }
}

}  // namespace tactus::math
