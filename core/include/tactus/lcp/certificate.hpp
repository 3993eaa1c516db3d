// The certificate: how far z is from solving the problem, from the caller's own M and q.
//
// Two measures, because they answer two questions.
//
// residual: max_i | min(z_i / Z, w_i / S_i) |,  S_i = |q_i| + sum_b max_{j in b} |M_ij| Z_b. It is zero
// exactly at a
//   solution and covers z >= 0, w >= 0 and complementarity at once. Z_b is the size of the unknowns of one
//   unit: the largest |z| in block b, but no less than it takes to cancel q, or noise in a solution that is
//   zero would be judged against itself. Rows of one block carry the unit of the other block's unknowns (a
//   velocity row answers an impulse), hence the q of the other block. A residual of 1e-8 reads: no force and
//   no velocity is wrong by more than 1e-8 of those present. It needs the blocks to be free of units.
//
// unit_free: the same measure in the units of scaling.hpp, where forces, speeds, 1 g and 1 t are of one size
// whether the
//   caller has said which unknown is which or not. With Z = max(sigma, max_j z_j / c_j), y = z + c Z and
//   D_i = |q_i| + sum_j |M_ij| y_j:  max_i | min(z_i / (c_i Z), w_i / D_i) |.
//
// The solver asks for both: either alone can be blind where unknowns of very different sizes meet.
#pragma once

#include <cstddef>

#include "tactus/lcp/budget.hpp"
#include "tactus/lcp/problem.hpp"
#include "tactus/lcp/scaling.hpp"
#include "tactus/math/kernels.hpp"

namespace tactus::lcp {

namespace detail {

// max |M_ij| over row i, by the blocks of the columns.
template <class Scalar>
TACTUS_ONE_COPY inline void find_tops(const Problem<Scalar>& p, int i, Scalar (&top)[2]) {
  const Scalar* row = p.M + static_cast<std::ptrdiff_t>(i) * p.stride;
  top[0] = top[1] = 0;
  if (p.block == nullptr) {
    TACTUS_LET("m = n");
    top[0] = math::largest_magnitude(row, p.n);
    return;
  }
  TACTUS_BOUND("blocks * n");
  for (int j = 0; j < p.n; ++j)
    top[p.block[j] & 1] = math::larger(top[p.block[j] & 1], math::magnitude(row[j]));
}

// Whether underflow may have taken digits from M z, or all of them: a row that has products with z is too
// small. True where the clock says no. Cost: n^2.
template <class Scalar, Clock Time>
[[gnu::noinline]] bool may_underflow(const Problem<Scalar>& p, const Scalar* z, const Scalar (&Z)[2],
                                     Scalar tiny, Time& clock) {
  bool some = false;
  TACTUS_LET("rows = n");
  const bool done = for_rows(
      p.n, clock, [&](int i) __attribute__((always_inline)) {
        Scalar top[2];
        find_tops(p, i, top);
        if (math::magnitude(p.q[i]) + top[0] * Z[0] + top[1] * Z[1] >= tiny) return true;
        const Scalar* row = p.M + static_cast<std::ptrdiff_t>(i) * p.stride;
        TACTUS_BOUND("n");
        for (int j = 0; j < p.n; ++j)
          if (row[j] != 0 && z[j] != 0) some = true;
        return !some;
      });
  return some || !done;
}

}  // namespace detail

// Where a row is right to within kFine of the first two terms of its D_i or S_i, those stand for the whole:
// what is returned is then an upper bound, exact above kFine.
template <class Scalar>
inline constexpr Scalar kFine = 2 * std::numeric_limits<Scalar>::epsilon();

namespace detail {

// How large the unknowns are, by block and free of units.
template <class Scalar>
struct Sizes {
  Scalar Z[2], unit_free_Z;
};

template <class Scalar>
inline int block_of(const Problem<Scalar>& p, int i) {
  return p.block == nullptr ? 0 : p.block[i] & 1;
}

template <class Scalar, Clock Time>
inline Sizes<Scalar> sizes_of(const Problem<Scalar>& p, const Scalar* c, const Scaling<Scalar>& scaling,
                              const Scalar* z, Time& clock) {
  Sizes<Scalar> out;
  out.unit_free_Z = scaling.sigma;
  Scalar z_top[2] = {}, q_top[2] = {}, M_top[2] = {}, row_top[2];
  TACTUS_BOUND("n");
  for (int i = 0; i < p.n; ++i) {
    const int b = block_of(p, i);
    q_top[b] = math::larger(q_top[b], math::magnitude(p.q[i]));
    M_top[b] = math::larger(M_top[b], math::magnitude(p.M[static_cast<std::ptrdiff_t>(i) * p.stride + i]));
    if (z[i] == 0) continue;
    z_top[b] = math::larger(z_top[b], math::magnitude(z[i]));
    out.unit_free_Z = math::larger(out.unit_free_Z, math::magnitude(z[i]) / c[i]);
  }
  // Z_b needs max |M| only where q_top / max |M| could be the larger. The diagonal and the last row, in
  // contact problems a bound with its coefficients of 1, say so as a rule.
  const int last = p.n - 1;
  find_tops(p, last, row_top);
  M_top[block_of(p, last)] = math::larger(M_top[block_of(p, last)], row_top[block_of(p, last)]);
  const auto covered = [&](int b) { return q_top[b] <= M_top[b] * math::larger(z_top[b], q_top[1 - b]); };
  if (!covered(0) || !covered(1)) {
    TACTUS_LET("rows = n - 1");
    for_rows(
        last, clock, [&](int i) __attribute__((always_inline)) {
          find_tops(p, i, row_top);
          M_top[block_of(p, i)] = math::larger(M_top[block_of(p, i)], row_top[block_of(p, i)]);
          return true;
        });
  }
  for (int b = 0; b < 2; ++b)
    out.Z[b] =
        math::larger(math::larger(z_top[b], q_top[1 - b]), M_top[b] > 0 ? q_top[b] / M_top[b] : Scalar(0));
  return out;
}

// y = z + c Z.
template <class Scalar>
inline void spread(const Scalar* c, Scalar Z, const Scalar* z, int n, Scalar* y) {
  int whole = 0;
  if constexpr (math::Pack<Scalar>::kIsRegister) {
    const auto all_Z = math::Pack<Scalar>::all(Z);
    for (; whole + math::kLanes <= n; whole += math::kLanes)
      multiply_add(math::Pack<Scalar>::load(c + whole), all_Z, magnitude(math::Pack<Scalar>::load(z + whole)))
          .store(y + whole);
  }
  TACTUS_BOUND("n");
  for (; whole < n; ++whole) y[whole] = math::multiply_add(c[whole], Z, math::magnitude(z[whole]));
}

}  // namespace detail

// Fills w = M z + q and measures z. Both residuals are no number if any number of the problem or of z is not
// finite, if their terms overflow or underflow, or if the clock says no. Rows with z_i = 0 and w_i >= 0 are
// right as they are. c, scaling: as find_scaling left them. Cost: n^2 multiply-adds, and up to 2 n for each
// row that is not plainly right. Memory: w and y, n scalars each.
template <class Scalar, Clock Time = const NoClock>
Certificate<Scalar> certify(const Problem<Scalar>& p, const Scalar* c, const Scaling<Scalar>& scaling,
                            const Scalar* z, Scalar* w, Scalar* y, Time& clock = kNoClock) {
  const auto row = [&](int i) { return p.M + static_cast<std::ptrdiff_t>(i) * p.stride; };
  const detail::Sizes<Scalar> sizes = detail::sizes_of(p, c, scaling, z, clock);
  const Scalar(&Z)[2] = sizes.Z;
  const Scalar unit_free_Z = sizes.unit_free_Z;
  detail::spread(c, unit_free_Z, z, p.n, y);
  Certificate<Scalar> a;
  a.min_z = z[0];
  a.min_w = std::numeric_limits<Scalar>::max();
  Scalar poison = 0;  // zero times a number that is not finite is none either
  TACTUS_LET("rows = n");
  const bool done = for_rows(
      p.n, clock, [&](int i) __attribute__((always_inline)) {
        TACTUS_LET("m = n");
        const Scalar q_i = p.q[i], w_i = math::dot(row(i), z, p.n) + q_i;
        w[i] = w_i;
        poison += w_i * Scalar(0);
        a.min_z = z[i] < a.min_z ? z[i] : a.min_z;
        a.min_w = w_i < a.min_w ? w_i : a.min_w;
        if (z[i] == 0 && w_i >= 0) return true;
        TACTUS_REACHED("judged");
        const int b = detail::block_of(p, i);
        const Scalar diagonal = math::magnitude(row(i)[i]), error = math::magnitude(w_i);
        Scalar D = math::multiply_add(diagonal, y[i], math::magnitude(q_i)),
               S = math::multiply_add(diagonal, Z[b], math::magnitude(q_i));
        if (!(error <= kFine<Scalar> * D)) D = math::dot_of_magnitudes(row(i), y, p.n) + math::magnitude(q_i);
        if (!(error <= kFine<Scalar> * S)) {
          Scalar row_top[2];
          detail::find_tops(p, i, row_top);
          S = math::magnitude(q_i) + row_top[0] * Z[0] + row_top[1] * Z[1];
        }
        poison += (D + S) * Scalar(0);
        const auto natural = [&](Scalar Z_i, Scalar S_i) {
          const Scalar z_part = Z_i > 0 ? z[i] / Z_i : Scalar(0), w_part = S_i > 0 ? w_i / S_i : Scalar(0);
          return math::magnitude(w_part < z_part ? w_part : z_part);
        };
        a.unit_free = math::larger(a.unit_free, natural(c[i] * unit_free_Z, D));
        a.residual = math::larger(a.residual, natural(Z[b], S));
        a.complementarity = math::larger(a.complementarity, math::magnitude(z[i] * w_i));
        return true;
      });
  // Every row has S_i >= max_j |M_ij| min_b Z_b. Below `tiny` a sum of products is not to be believed.
  constexpr Scalar tiny = std::numeric_limits<Scalar>::min() / std::numeric_limits<Scalar>::epsilon();
  const Scalar least_Z = p.block == nullptr || Z[0] < Z[1] ? Z[0] : Z[1];
  bool trusted = done;
  if (!(least_Z / (scaling.largest * scaling.largest) >= tiny)) {
    TACTUS_REACHED("doubtful");
    trusted = trusted && !detail::may_underflow(p, z, Z, tiny, clock);
  }
  if (!trusted) poison = std::numeric_limits<Scalar>::quiet_NaN();
  a.unit_free += poison;
  a.residual += poison;
  return a;
}

}  // namespace tactus::lcp
