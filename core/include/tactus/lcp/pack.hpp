// A few scalars side by side: one AVX register on x86-64-v3, plain registers of the FPU elsewhere.
//
// The kernels are written once in these operations. They are elementwise, so their results do not depend on
// which of the two is compiled; sums are kept in lanes and added in one order by sum(). GCC 12 vectorises
// neither a dot product in fixed lanes nor a panel of a row by itself, which costs a factor of four on the
// host.
#pragma once

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

#include "tactus/lcp/arithmetic.hpp"

namespace tactus::lcp {

template <class Scalar, int Width>
struct Pack {
  Scalar lane[Width];

  static Pack load(const Scalar* a) {
    Pack p;
    unrolled<Width>([&](auto k) { p.lane[k] = a[k]; });
    return p;
  }
  static Pack all(Scalar x) {
    Pack p;
    unrolled<Width>([&](auto k) { p.lane[k] = x; });
    return p;
  }
  void store(Scalar* a) const {
    unrolled<Width>([&](auto k) { a[k] = lane[k]; });
  }
  friend Pack multiply_add(Pack a, Pack b, Pack c) {
    unrolled<Width>([&](auto k) { c.lane[k] = lcp::multiply_add(a.lane[k], b.lane[k], c.lane[k]); });
    return c;
  }
  friend Pack magnitude(Pack a) {
    unrolled<Width>([&](auto k) { a.lane[k] = lcp::magnitude(a.lane[k]); });
    return a;
  }
  friend Pack larger(Pack a, Pack b) {
    unrolled<Width>([&](auto k) { a.lane[k] = lcp::larger(a.lane[k], b.lane[k]); });
    return a;
  }
};

#if defined(__AVX2__) && defined(__FMA__)
inline constexpr bool kHasVectors = true;
#else
inline constexpr bool kHasVectors = false;
#endif

#if defined(__AVX2__) && defined(__FMA__)

template <>
struct Pack<float, 8> {
  __m256 v;
  static Pack load(const float* a) { return {_mm256_loadu_ps(a)}; }
  static Pack all(float x) { return {_mm256_set1_ps(x)}; }
  void store(float* a) const { _mm256_storeu_ps(a, v); }
  friend Pack multiply_add(Pack a, Pack b, Pack c) { return {_mm256_fmadd_ps(a.v, b.v, c.v)}; }
  friend Pack magnitude(Pack a) { return {_mm256_andnot_ps(_mm256_set1_ps(-0.0f), a.v)}; }
  friend Pack larger(Pack a, Pack b) { return {_mm256_max_ps(b.v, a.v)}; }
  friend Pack smaller(Pack a, Pack b) { return {_mm256_min_ps(b.v, a.v)}; }
  // x / a where a > b, else y
  friend Pack quotient_where_greater(Pack a, Pack b, Pack x, Pack y) {
    return {_mm256_blendv_ps(y.v, _mm256_div_ps(x.v, a.v), _mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ))};
  }
};

template <>
struct Pack<double, 4> {
  __m256d v;
  static Pack load(const double* a) { return {_mm256_loadu_pd(a)}; }
  static Pack all(double x) { return {_mm256_set1_pd(x)}; }
  void store(double* a) const { _mm256_storeu_pd(a, v); }
  friend Pack multiply_add(Pack a, Pack b, Pack c) { return {_mm256_fmadd_pd(a.v, b.v, c.v)}; }
  friend Pack magnitude(Pack a) { return {_mm256_andnot_pd(_mm256_set1_pd(-0.0), a.v)}; }
  friend Pack larger(Pack a, Pack b) { return {_mm256_max_pd(b.v, a.v)}; }
  friend Pack smaller(Pack a, Pack b) { return {_mm256_min_pd(b.v, a.v)}; }
  friend Pack quotient_where_greater(Pack a, Pack b, Pack x, Pack y) {
    return {_mm256_blendv_pd(y.v, _mm256_div_pd(x.v, a.v), _mm256_cmp_pd(a.v, b.v, _CMP_GT_OQ))};
  }
};

template <>
struct Pack<double, 8> {
  using Half = Pack<double, 4>;
  Half low, high;
  static Pack load(const double* a) { return {Half::load(a), Half::load(a + 4)}; }
  static Pack all(double x) { return {Half::all(x), Half::all(x)}; }
  void store(double* a) const {
    low.store(a);
    high.store(a + 4);
  }
  friend Pack multiply_add(Pack a, Pack b, Pack c) {
    return {multiply_add(a.low, b.low, c.low), multiply_add(a.high, b.high, c.high)};
  }
  friend Pack magnitude(Pack a) { return {magnitude(a.low), magnitude(a.high)}; }
  friend Pack larger(Pack a, Pack b) { return {larger(a.low, b.low), larger(a.high, b.high)}; }
  friend Pack smaller(Pack a, Pack b) { return {smaller(a.low, b.low), smaller(a.high, b.high)}; }
  friend Pack quotient_where_greater(Pack a, Pack b, Pack x, Pack y) {
    return {quotient_where_greater(a.low, b.low, x.low, y.low),
            quotient_where_greater(a.high, b.high, x.high, y.high)};
  }
};

#endif

inline constexpr int kLanes =
    8;  // one AVX register of float; eight of the 32 registers of a Cortex-M4F's FPU

// The lanes joined pairwise, in one order on every machine.
template <class Scalar>
inline Scalar total(const Pack<Scalar, kLanes>& p) {
  Scalar x[kLanes];
  p.store(x);
  return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}
template <class Scalar>
inline Scalar largest(const Pack<Scalar, kLanes>& p) {
  Scalar x[kLanes];
  p.store(x);
  return larger(larger(larger(x[0], x[4]), larger(x[2], x[6])),
                larger(larger(x[1], x[5]), larger(x[3], x[7])));
}

// sum a_i b_i in eight lanes, what is left over after them. n fused operations and 7 additions.
template <class Scalar>
inline Scalar dot(const Scalar* a, const Scalar* b, int n) {
  using P = Pack<Scalar, kLanes>;
  Scalar sum = 0;
  int i = 0;
  if (n >= kLanes) {
    P sums = P::all(Scalar(0));
    for (; i + kLanes <= n; i += kLanes) sums = multiply_add(P::load(a + i), P::load(b + i), sums);
    sum = total(sums);
  }
  for (; i < n; ++i) sum = multiply_add(a[i], b[i], sum);
  return sum;
}

template <class Scalar>
inline Scalar smallest(const Pack<Scalar, kLanes>& p) {
  Scalar x[kLanes];
  p.store(x);
  Scalar least = x[0];
  for (int k = 1; k < kLanes; ++k) least = x[k] < least ? x[k] : least;
  return least;
}

// max |a_i| of whole packs.
template <class Scalar>
inline Scalar largest_magnitude(const Scalar* a, int whole) {
  using P = Pack<Scalar, kLanes>;
  P top = P::all(Scalar(0));
  for (int i = 0; i < whole; i += kLanes) top = larger(top, magnitude(P::load(a + i)));
  return largest(top);
}

}  // namespace tactus::lcp
