// Eight scalars side by side: AVX registers on x86-64-v3, plain registers of the FPU elsewhere.
//
// The kernels are written once in these operations. They are elementwise, and sums are kept in eight lanes
// that are joined in one order, so results do not depend on which of the two is compiled. GCC 12 vectorises
// neither a dot product in fixed lanes nor a ratio test by itself, which costs a factor of four on the host.
#pragma once

#include <array>
#include <cstddef>

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

#include "tactus/bound.hpp"
#include "tactus/math/arithmetic.hpp"

namespace tactus::math {

inline constexpr int kLanes =
    8;  // one AVX register of float; eight of the 32 registers of a Cortex-M4F's FPU

template <class Scalar>
struct Pack {
  static constexpr bool kIsRegister = false;
  Scalar x0, x1, x2, x3, x4, x5, x6, x7;  // by name, not an array: GCC keeps an array in memory

  static Pack load(const Scalar* a) { return {a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]}; }
  static Pack load_four(const Scalar* a) { return {a[0], a[1], a[2], a[3], 0, 0, 0, 0}; }
  static Pack all(Scalar x) { return {x, x, x, x, x, x, x, x}; }
  void store(Scalar* a) const {
    a[0] = x0, a[1] = x1, a[2] = x2, a[3] = x3;
    a[4] = x4, a[5] = x5, a[6] = x6, a[7] = x7;
  }
  template <class F>
  [[gnu::always_inline]] static Pack each(F&& f, const Pack& a, const Pack& b, const Pack& c) {
    return {f(a.x0, b.x0, c.x0), f(a.x1, b.x1, c.x1), f(a.x2, b.x2, c.x2), f(a.x3, b.x3, c.x3),
            f(a.x4, b.x4, c.x4), f(a.x5, b.x5, c.x5), f(a.x6, b.x6, c.x6), f(a.x7, b.x7, c.x7)};
  }
  friend Pack operator*(const Pack& a, const Pack& b) {
    return each([](Scalar x, Scalar y, Scalar) { return x * y; }, a, b, a);
  }
  friend Pack multiply_add(const Pack& a, const Pack& b, const Pack& c) {
    return each([](Scalar x, Scalar y, Scalar z) { return math::multiply_add(x, y, z); }, a, b, c);
  }
  friend Pack magnitude(const Pack& a) {
    return each([](Scalar x, Scalar, Scalar) { return math::magnitude(x); }, a, a, a);
  }
  friend Pack larger(const Pack& a, const Pack& b) {
    return each([](Scalar x, Scalar y, Scalar) { return math::larger(x, y); }, a, b, a);
  }
  friend Scalar total(const Pack& p) {
    return ((p.x0 + p.x4) + (p.x2 + p.x6)) + ((p.x1 + p.x5) + (p.x3 + p.x7));
  }
  friend Scalar largest(const Pack& p) {
    return math::larger(math::larger(math::larger(p.x0, p.x4), math::larger(p.x2, p.x6)),
                        math::larger(math::larger(p.x1, p.x5), math::larger(p.x3, p.x7)));
  }
};

#if defined(__AVX2__) && defined(__FMA__)

namespace detail {

// All bits set but those of element kMiddle: eight from kMiddle - lane on keep every lane but that one.
inline constexpr int kMiddle = 32;
template <class Bits>
inline constexpr auto kAllButMiddle = [] {
  std::array<Bits, 2 * kMiddle + kLanes> mask{};
  for (auto& bits : mask) bits = Bits(-1);
  mask[kMiddle] = 0;
  return mask;
}();

}  // namespace detail

template <>
struct Pack<float> {
  static constexpr bool kIsRegister = true;
  __m256 v;

  static Pack load(const float* a) { return {_mm256_loadu_ps(a)}; }
  static Pack load_four(const float* a) { return {_mm256_zextps128_ps256(_mm_loadu_ps(a))}; }
  // Every s-th element, the column of a matrix.
  static Pack gather(const float* a, std::ptrdiff_t s) {
    return {_mm256_setr_ps(a[0], a[s], a[2 * s], a[3 * s], a[4 * s], a[5 * s], a[6 * s], a[7 * s])};
  }
  static Pack all(float x) { return {_mm256_set1_ps(x)}; }
  void store(float* a) const { _mm256_storeu_ps(a, v); }
  friend Pack operator*(Pack a, Pack b) { return {_mm256_mul_ps(a.v, b.v)}; }
  friend Pack multiply_add(Pack a, Pack b, Pack c) { return {_mm256_fmadd_ps(a.v, b.v, c.v)}; }
  // a with zero in that lane; as it is for a lane of -32 ... -1 or 8 ... 31.
  friend Pack clear_lane(Pack a, int lane) {
    const auto* keep = detail::kAllButMiddle<std::int32_t>.data() + detail::kMiddle - lane;
    return {_mm256_and_ps(a.v, _mm256_loadu_ps(reinterpret_cast<const float*>(keep)))};
  }
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
  static Pack load_four(const double* a) { return {_mm256_loadu_pd(a), _mm256_setzero_pd()}; }
  static Pack gather(const double* a, std::ptrdiff_t s) {
    return {_mm256_setr_pd(a[0], a[s], a[2 * s], a[3 * s]),
            _mm256_setr_pd(a[4 * s], a[5 * s], a[6 * s], a[7 * s])};
  }
  static Pack all(double x) { return {_mm256_set1_pd(x), _mm256_set1_pd(x)}; }
  void store(double* a) const {
    _mm256_storeu_pd(a, low);
    _mm256_storeu_pd(a + 4, high);
  }
  friend Pack operator*(Pack a, Pack b) {
    return {_mm256_mul_pd(a.low, b.low), _mm256_mul_pd(a.high, b.high)};
  }
  friend Pack clear_lane(Pack a, int lane) {
    const auto* keep = detail::kAllButMiddle<std::int64_t>.data() + detail::kMiddle - lane;
    return {_mm256_and_pd(a.low, _mm256_loadu_pd(reinterpret_cast<const double*>(keep))),
            _mm256_and_pd(a.high, _mm256_loadu_pd(reinterpret_cast<const double*>(keep + 4)))};
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

// Calls f(i, load) for i = 0, 8, ... as long as eight are left, then where four are; returns where it
// stopped, at most three before n. load(a + i) takes those eight, or four and zeros.
template <class F>
[[gnu::always_inline]] inline int for_packs(int n, F&& f) {
  int i = 0;
  for (; i + kLanes <= n; i += kLanes)
    f(i, [](const auto* a) { return Pack<std::decay_t<decltype(*a)>>::load(a); });
  if (i + kLanes / 2 <= n) {
    f(i, [](const auto* a) { return Pack<std::decay_t<decltype(*a)>>::load_four(a); });
    i += kLanes / 2;
  }
  return i;
}

// max f(i, load) over i < n, at least 0: a maximum is the same in any order, so where a pack is no register
// the loop is the short one. load(a + i) takes as many numbers as f gives.
template <class Scalar, class F>
[[gnu::always_inline]] inline Scalar largest_of(int n, F&& f) {
  Scalar top = 0;
  int i = 0;
  if constexpr (Pack<Scalar>::kIsRegister) {
    auto tops = Pack<Scalar>::all(Scalar(0));
    i = for_packs(n, [&](int k, auto load) { tops = larger(tops, f(k, load)); });
    top = largest(tops);
  }
  TACTUS_BOUND("m");
  for (; i < n; ++i) top = larger(top, f(i, [](const Scalar* a) { return *a; }));
  return top;
}

// max |a_i|
template <class Scalar>
TACTUS_ONE_COPY inline Scalar largest_magnitude(const Scalar* a, int n) {
  return largest_of<Scalar>(n, [&](int i, auto load) { return magnitude(load(a + i)); });
}

}  // namespace tactus::math
