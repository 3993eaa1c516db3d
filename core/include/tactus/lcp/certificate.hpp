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

#include "tactus/lcp/kernels.hpp"
#include "tactus/lcp/problem.hpp"

namespace tactus::lcp {

// Where a row is right to within kFine of the first two terms of its D_i (or S_i), those stand for the whole:
// what is returned is then an upper bound, exact above kFine.
template <class Scalar>
inline constexpr Scalar kFine = 2 * std::numeric_limits<Scalar>::epsilon();

// Fills w = M z + q and returns the unit-free residual; not a number if any number of the problem or of z is
// not finite. Rows with z_i = 0 and w_i >= 0 are right as they are and need no D_i.
// c, sigma: as find_scaling left them. Cost: n^2 multiply-adds, and up to n for each other row.
// Memory: w and y, n scalars each.
template <class Scalar>
Scalar unit_free_residual(const Problem<Scalar>& p, const Scalar* c, Scalar sigma, const Scalar* z, Scalar* w,
                          Scalar* y) {
  using P = Pack<Scalar>;
  Scalar Z = sigma;
  for (int i = 0; i < p.n; ++i) Z = larger(Z, magnitude(z[i]) / c[i]);
  for (int i = 0; i < p.n; ++i) y[i] = multiply_add(c[i], Z, magnitude(z[i]));
  Scalar worst = 0, poison = 0;
  for (int i = 0; i < p.n; ++i) {
    const Scalar* row = p.M + static_cast<std::ptrdiff_t>(i) * p.stride;
    w[i] = dot(row, z, p.n) + p.q[i];
    poison += w[i] * Scalar(0);  // zero times a number that is not finite is none either
    if (z[i] == 0 && w[i] >= 0) continue;
    Scalar D = multiply_add(magnitude(row[i]), y[i], magnitude(p.q[i]));
    if (!(magnitude(w[i]) <= kFine<Scalar> * D)) {
      P sums = P::all(Scalar(0));
      int j = for_packs(
          p.n, [&](int k, auto load) { sums = multiply_add(magnitude(load(row + k)), load(y + k), sums); });
      D = total(sums) + magnitude(p.q[i]);
      for (; j < p.n; ++j) D = multiply_add(magnitude(row[j]), y[j], D);
    }
    poison += D * Scalar(0);
    const Scalar z_part = z[i] / (c[i] * Z);
    const Scalar w_part = D > 0 ? w[i] / D : Scalar(0);
    worst = larger(worst, magnitude(w_part < z_part ? w_part : z_part));
  }
  return worst + poison;
}

namespace detail {

// max |M_ij| over row i, by the blocks of the columns.
template <class Scalar>
inline void find_tops(const Problem<Scalar>& p, int i, Scalar (&top)[2]) {
  const Scalar* row = p.M + static_cast<std::ptrdiff_t>(i) * p.stride;
  top[0] = top[1] = 0;
  int j = 0;
  if (p.block == nullptr) {
    auto tops = Pack<Scalar>::all(Scalar(0));
    j = for_packs(p.n, [&](int k, auto load) { tops = larger(tops, magnitude(load(row + k))); });
    top[0] = largest(tops);
    for (; j < p.n; ++j) top[0] = larger(top[0], magnitude(row[j]));
  }
  for (; j < p.n; ++j) top[p.block[j] & 1] = larger(top[p.block[j] & 1], magnitude(row[j]));
}

}  // namespace detail

// The whole certificate of z, with w = M z + q as unit_free_residual left it.
// Cost: n comparisons for each row that unit_free_residual did not skip, and n^2 where z is small against q.
template <class Scalar>
Certificate<Scalar> certify(const Problem<Scalar>& p, const Scalar* z, const Scalar* w, Scalar unit_free) {
  Certificate<Scalar> certificate;
  certificate.unit_free = unit_free;
  if (p.n == 0) return certificate;
  const auto block = [&](int i) { return p.block == nullptr ? 0 : p.block[i] & 1; };
  Scalar z_top[2] = {}, q_top[2] = {}, M_top[2] = {}, Z[2], row_top[2];
  const Scalar* diagonal = p.M;
  for (int i = 0; i < p.n; ++i, diagonal += p.stride + 1) {
    const int b = block(i);
    z_top[b] = larger(z_top[b], magnitude(z[i]));
    q_top[b] = larger(q_top[b], magnitude(p.q[i]));
    M_top[b] = larger(M_top[b], magnitude(*diagonal));
  }
  // Z_b needs max |M| only where q_top / max |M| could be the larger. The diagonal and the last row, in
  // contact problems a bound with its coefficients of 1, say so as a rule.
  detail::find_tops(p, p.n - 1, row_top);
  M_top[block(p.n - 1)] = larger(M_top[block(p.n - 1)], row_top[block(p.n - 1)]);
  const auto covered = [&](int b) { return q_top[b] <= M_top[b] * larger(z_top[b], q_top[1 - b]); };
  if (!covered(0) || !covered(1)) {
    for (int i = 0; i < p.n; ++i) {
      detail::find_tops(p, i, row_top);
      M_top[block(i)] = larger(M_top[block(i)], row_top[block(i)]);
    }
  }
  for (int b = 0; b < 2; ++b)
    Z[b] = larger(larger(z_top[b], q_top[1 - b]), M_top[b] > 0 ? q_top[b] / M_top[b] : Scalar(0));
  Scalar poison = unit_free * Scalar(0);  // what overflows in one measure must not look small in the other
  certificate.min_z = z[0];
  certificate.min_w = w[0];
  for (int i = 0; i < p.n; ++i) {
    certificate.min_z = z[i] < certificate.min_z ? z[i] : certificate.min_z;
    certificate.min_w = w[i] < certificate.min_w ? w[i] : certificate.min_w;
    if (z[i] == 0 && w[i] >= 0) continue;
    Scalar S = multiply_add(magnitude(p.M[static_cast<std::ptrdiff_t>(i) * (p.stride + 1)]), Z[block(i)],
                            magnitude(p.q[i]));
    if (!(magnitude(w[i]) <= kFine<Scalar> * S)) {
      detail::find_tops(p, i, row_top);
      S = magnitude(p.q[i]) + row_top[0] * Z[0] + row_top[1] * Z[1];
    }
    poison += S * Scalar(0);
    const Scalar z_part = Z[block(i)] > 0 ? z[i] / Z[block(i)] : Scalar(0);
    const Scalar w_part = S > 0 ? w[i] / S : Scalar(0);
    certificate.complementarity = larger(certificate.complementarity, magnitude(z[i] * w[i]));
    certificate.residual = larger(certificate.residual, magnitude(w_part < z_part ? w_part : z_part));
  }
  certificate.residual += poison;
  return certificate;
}

}  // namespace tactus::lcp
