// Two dot products that share a factor: what the systems of guess.hpp spend their time in.
#pragma once

#include "tactus/lcp/kernels.hpp"

namespace tactus::contact {

// Two sums; as arguments and results they stay in registers.
template <class Scalar>
struct Two {
  Scalar p, q;
};

// sum + x . (p, q), each sum in the order of the indices. On a Cortex-M 13 instructions for four indices.
template <class Scalar>
[[gnu::noinline]] inline Two<Scalar> add_products(Two<Scalar> sum, const Scalar* x, const Scalar* p,
                                                  const Scalar* q, int n) {
#ifdef TACTUS_CORTEX_M_KERNELS
  if constexpr (sizeof(Scalar) == 4) {
    int fours = n >> 2;
    n &= 3;
    if (fours > 0)
      __asm(
          "1: vldmia %[x]!, {s4-s7}\n"
          "vldmia %[p]!, {s8-s11}\n"
          "vldmia %[q]!, {s12-s15}\n"
          "vfma.f32 %[sp], s4, s8\n"
          "vfma.f32 %[sq], s4, s12\n"
          "vfma.f32 %[sp], s5, s9\n"
          "vfma.f32 %[sq], s5, s13\n"
          "vfma.f32 %[sp], s6, s10\n"
          "vfma.f32 %[sq], s6, s14\n"
          "vfma.f32 %[sp], s7, s11\n"
          "vfma.f32 %[sq], s7, s15\n"
          "subs %[fours], #1\n"
          "bne 1b\n"
          : [x] "+r"(x), [p] "+r"(p), [q] "+r"(q), [fours] "+r"(fours), [sp] "+t"(sum.p), [sq] "+t"(sum.q)
          :
          : "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14", "s15", "cc", "memory");
  }
#endif
  for (; n > 0; --n) {
    const Scalar f = *x++;
    sum.p = lcp::multiply_add(f, *p++, sum.p);
    sum.q = lcp::multiply_add(f, *q++, sum.q);
  }
  return sum;
}

// out = start + M x, two rows at a time; M has n columns and `stride` scalars from row to row, and where
// start is null it counts as 0.
template <class Scalar>
TACTUS_ONE_COPY inline void multiply(const Scalar* start, const Scalar* M, int stride, int rows,
                                     const Scalar* x, int n, Scalar* out) {
  for (int r = 0; r < rows; r += 2, M += 2 * stride) {
    const int next = r + 1 < rows ? 1 : 0;
    const bool zero = start == nullptr;
    const auto sum = add_products<Scalar>({zero ? Scalar(0) : start[r], zero ? Scalar(0) : start[r + next]},
                                          x, M, M + next * stride, n);
    out[r + next] = sum.q;
    out[r] = sum.p;
  }
}

}  // namespace tactus::contact
