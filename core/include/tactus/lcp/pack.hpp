// Eight scalars side by side: AVX registers on x86-64-v3, plain registers of the FPU elsewhere.
//
// The kernels are written once in these operations. They are elementwise, and sums are kept in eight lanes
// that are joined in one order, so results do not depend on which of the two is compiled. GCC 12 vectorises
// neither a dot product in fixed lanes nor a ratio test by itself, which costs a factor of four on the host.
#pragma once

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

#include "tactus/lcp/arithmetic.hpp"

namespace tactus::lcp {

inline constexpr int kLanes =
    8;  // one AVX register of float; eight of the 32 registers of a Cortex-M4F's FPU

template <class Scalar>
struct Pack {
  static constexpr bool kIsRegister = false;
  Scalar lane[kLanes];

  static Pack load(const Scalar* a) {
    Pack p;
    unrolled<kLanes>([&](auto k) { p.lane[k] = a[k]; });
    return p;
  }
  // The first `count` of a, 1 to 7, and zeros; nothing behind them is read.
  static Pack load_first(const Scalar* a, int count) {
    Pack p;
    unrolled<kLanes>([&](auto k) { p.lane[k] = k < count ? a[k] : Scalar(0); });
    return p;
  }
  static Pack all(Scalar x) {
    Pack p;
    unrolled<kLanes>([&](auto k) { p.lane[k] = x; });
    return p;
  }
  void store(Scalar* a) const {
    unrolled<kLanes>([&](auto k) { a[k] = lane[k]; });
  }
  friend Pack operator*(Pack a, Pack b) {
    unrolled<kLanes>([&](auto k) { a.lane[k] *= b.lane[k]; });
    return a;
  }
  friend Pack multiply_add(Pack a, Pack b, Pack c) {
    unrolled<kLanes>([&](auto k) { c.lane[k] = lcp::multiply_add(a.lane[k], b.lane[k], c.lane[k]); });
    return c;
  }
  friend Pack magnitude(Pack a) {
    unrolled<kLanes>([&](auto k) { a.lane[k] = lcp::magnitude(a.lane[k]); });
    return a;
  }
  friend Pack larger(Pack a, Pack b) {
    unrolled<kLanes>([&](auto k) { a.lane[k] = lcp::larger(a.lane[k], b.lane[k]); });
    return a;
  }
  friend Scalar total(const Pack& p) {
    const Scalar* x = p.lane;
    return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
  }
  friend Scalar largest(const Pack& p) {
    Scalar top = p.lane[0];
    unrolled<kLanes>([&](auto k) { top = lcp::larger(top, p.lane[k]); });
    return top;
  }
};

#if defined(__AVX2__) && defined(__FMA__)

inline constexpr std::int32_t kFirst[2 * kLanes] = {-1, -1, -1, -1, -1, -1, -1, -1};

template <>
struct Pack<float> {
  static constexpr bool kIsRegister = true;
  __m256 v;

  static Pack load(const float* a) { return {_mm256_loadu_ps(a)}; }
  static Pack load_first(const float* a, int count) {
    const auto* mask = reinterpret_cast<const __m256i*>(kFirst + kLanes - count);
    return {_mm256_maskload_ps(a, _mm256_loadu_si256(mask))};
  }
  static Pack all(float x) { return {_mm256_set1_ps(x)}; }
  void store(float* a) const { _mm256_storeu_ps(a, v); }
  friend Pack operator*(Pack a, Pack b) { return {_mm256_mul_ps(a.v, b.v)}; }
  friend Pack multiply_add(Pack a, Pack b, Pack c) { return {_mm256_fmadd_ps(a.v, b.v, c.v)}; }
  friend Pack magnitude(Pack a) { return {_mm256_andnot_ps(_mm256_set1_ps(-0.0f), a.v)}; }
  friend Pack larger(Pack a, Pack b) { return {_mm256_max_ps(b.v, a.v)}; }
  friend Pack smaller(Pack a, Pack b) { return {_mm256_min_ps(a.v, b.v)}; }
  // x / a where a > b, else y.
  friend Pack quotient_where_greater(Pack a, Pack b, Pack x, Pack y) {
    return {_mm256_blendv_ps(y.v, _mm256_div_ps(x.v, a.v), _mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ))};
  }
  // Bit k is set where a > b and x <= y in lane k.
  friend unsigned bits_where(Pack a, Pack b, Pack x, Pack y) {
    return static_cast<unsigned>(_mm256_movemask_ps(
        _mm256_and_ps(_mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ), _mm256_cmp_ps(x.v, y.v, _CMP_LE_OQ))));
  }
  friend float total(const Pack& p) {
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(p.v), _mm256_extractf128_ps(p.v, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
  }
  friend float largest(const Pack& p) {
    const __m128 four = _mm_max_ps(_mm256_castps256_ps128(p.v), _mm256_extractf128_ps(p.v, 1));
    const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
  }
  friend float smallest(const Pack& p) {
    const __m128 four = _mm_min_ps(_mm256_castps256_ps128(p.v), _mm256_extractf128_ps(p.v, 1));
    const __m128 two = _mm_min_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_min_ss(two, _mm_movehdup_ps(two)));
  }
};

template <>
struct Pack<double> {
  static constexpr bool kIsRegister = true;
  __m256d low, high;

  static Pack load(const double* a) { return {_mm256_loadu_pd(a), _mm256_loadu_pd(a + 4)}; }
  static Pack load_first(const double* a, int count) {
    const auto* mask = reinterpret_cast<const __m128i*>(kFirst + kLanes - count);
    return {_mm256_maskload_pd(a, _mm256_cvtepi32_epi64(_mm_loadu_si128(mask))),
            _mm256_maskload_pd(a + 4, _mm256_cvtepi32_epi64(_mm_loadu_si128(mask + 1)))};
  }
  static Pack all(double x) { return {_mm256_set1_pd(x), _mm256_set1_pd(x)}; }
  void store(double* a) const {
    _mm256_storeu_pd(a, low);
    _mm256_storeu_pd(a + 4, high);
  }
  friend Pack operator*(Pack a, Pack b) {
    return {_mm256_mul_pd(a.low, b.low), _mm256_mul_pd(a.high, b.high)};
  }
  friend Pack multiply_add(Pack a, Pack b, Pack c) {
    return {_mm256_fmadd_pd(a.low, b.low, c.low), _mm256_fmadd_pd(a.high, b.high, c.high)};
  }
  friend Pack magnitude(Pack a) {
    const __m256d sign = _mm256_set1_pd(-0.0);
    return {_mm256_andnot_pd(sign, a.low), _mm256_andnot_pd(sign, a.high)};
  }
  friend Pack larger(Pack a, Pack b) { return {_mm256_max_pd(b.low, a.low), _mm256_max_pd(b.high, a.high)}; }
  friend Pack smaller(Pack a, Pack b) { return {_mm256_min_pd(a.low, b.low), _mm256_min_pd(a.high, b.high)}; }
  friend Pack quotient_where_greater(Pack a, Pack b, Pack x, Pack y) {
    return {
        _mm256_blendv_pd(y.low, _mm256_div_pd(x.low, a.low), _mm256_cmp_pd(a.low, b.low, _CMP_GT_OQ)),
        _mm256_blendv_pd(y.high, _mm256_div_pd(x.high, a.high), _mm256_cmp_pd(a.high, b.high, _CMP_GT_OQ))};
  }
  friend unsigned bits_where(Pack a, Pack b, Pack x, Pack y) {
    const __m256d in_low =
        _mm256_and_pd(_mm256_cmp_pd(a.low, b.low, _CMP_GT_OQ), _mm256_cmp_pd(x.low, y.low, _CMP_LE_OQ));
    const __m256d in_high =
        _mm256_and_pd(_mm256_cmp_pd(a.high, b.high, _CMP_GT_OQ), _mm256_cmp_pd(x.high, y.high, _CMP_LE_OQ));
    return static_cast<unsigned>(_mm256_movemask_pd(in_low)) |
           static_cast<unsigned>(_mm256_movemask_pd(in_high)) << 4;
  }
  friend double total(const Pack& p) {
    const __m256d four = _mm256_add_pd(p.low, p.high);
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
  }
  friend double largest(const Pack& p) {
    const __m256d four = _mm256_max_pd(p.low, p.high);
    const __m128d two = _mm_max_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(_mm_max_sd(two, _mm_unpackhi_pd(two, two)));
  }
  friend double smallest(const Pack& p) {
    const __m256d four = _mm256_min_pd(p.low, p.high);
    const __m128d two = _mm_min_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(_mm_min_sd(two, _mm_unpackhi_pd(two, two)));
  }
};

#endif

// Calls f(i, load) for i = 0, 8, ... below n; load(a + i) takes eight scalars, or those before n and zeros.
template <class F>
[[gnu::always_inline]] inline void for_packs(int n, F&& f) {
  int i = 0;
  for (; i + kLanes <= n; i += kLanes)
    f(i, [](const auto* a) { return Pack<std::decay_t<decltype(*a)>>::load(a); });
  if (i < n) f(i, [n, i](const auto* a) { return Pack<std::decay_t<decltype(*a)>>::load_first(a, n - i); });
}

// sum a_i b_i. n fused operations and 7 additions.
template <class Scalar>
inline Scalar dot(const Scalar* a, const Scalar* b, int n) {
  auto sums = Pack<Scalar>::all(Scalar(0));
  for_packs(n, [&](int i, auto load) { sums = multiply_add(load(a + i), load(b + i), sums); });
  return total(sums);
}

// max |a_i| over whole packs.
template <class Scalar>
inline Scalar largest_magnitude(const Scalar* a, int whole) {
  using P = Pack<Scalar>;
  P top = P::all(Scalar(0));
  for (int i = 0; i < whole; i += kLanes) top = larger(top, magnitude(P::load(a + i)));
  return largest(top);
}

}  // namespace tactus::lcp
