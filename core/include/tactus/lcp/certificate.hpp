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
//   caller has said which unknown is which or not. With y = z + c Z, Z = max(sigma, max_j z_j / c_j) and
//   D_i = |q_i| + sum_j |M_ij| y_j:  max_i | min(z_i / (c_i Z), w_i / D_i) |. The solver decides by it.
#pragma once

#include <cstddef>

#include "tactus/lcp/pack.hpp"
#include "tactus/lcp/problem.hpp"

namespace tactus::lcp {

// Fills w = M z + q and returns the unit-free residual; not a number if any number of the problem or of z is
// not finite. c, sigma: as find_scaling left them. Cost: 2 n^2 multiply-adds and n^2 comparisons. Memory: w,
// y and row_top, n scalars each; row_top receives max_j |M_ij| for certify().
template <class Scalar>
Scalar unit_free_residual(const Problem<Scalar>& p, const Scalar* c, Scalar sigma, const Scalar* z, Scalar* w,
                          Scalar* y, Scalar* row_top) {
  using P = Pack<Scalar>;
  Scalar Z = sigma;
  for (int i = 0; i < p.n; ++i) Z = larger(Z, magnitude(z[i]) / c[i]);
  for (int i = 0; i < p.n; ++i) y[i] = multiply_add(c[i], Z, magnitude(z[i]));
  Scalar worst = 0, poison = 0;
  for (int i = 0; i < p.n; ++i) {
    const Scalar* row = p.M + static_cast<std::ptrdiff_t>(i) * p.stride;
    P sums = P::all(Scalar(0)), magnitudes = sums, tops = sums;
    for_packs(p.n, [&](int j, auto load) {
      const P m = load(row + j), size = magnitude(m);
      sums = multiply_add(m, load(z + j), sums);
      magnitudes = multiply_add(size, load(y + j), magnitudes);
      tops = larger(tops, size);
    });
    const Scalar D = total(magnitudes) + magnitude(p.q[i]);
    row_top[i] = largest(tops);
    w[i] = total(sums) + p.q[i];
    poison += D * Scalar(0);
    if (z[i] == 0 && w[i] >= 0) continue;  // exact, and spares half of the divisions
    const Scalar z_part = z[i] / (c[i] * Z);
    const Scalar w_part = D > 0 ? w[i] / D : Scalar(0);
    worst = larger(worst, magnitude(w_part < z_part ? w_part : z_part));
  }
  return worst + poison;
}

// The whole certificate of z; w and row_top are as unit_free_residual left them. Cost: n; n^2 if the caller
// gave blocks. Memory: with blocks, other_top, n scalars.
template <class Scalar>
Certificate<Scalar> certify(const Problem<Scalar>& p, const Scalar* z, const Scalar* w, Scalar unit_free,
                            Scalar* row_top, Scalar* other_top) {
  Certificate<Scalar> certificate;
  certificate.unit_free = unit_free;
  if (p.n == 0) return certificate;
  const auto block = [&](int i) { return p.block == nullptr ? 0 : p.block[i] & 1; };
  if (p.block != nullptr) {
    for (int i = 0; i < p.n; ++i) {
      const Scalar* row = p.M + static_cast<std::ptrdiff_t>(i) * p.stride;
      row_top[i] = other_top[i] = 0;
      for (int j = 0; j < p.n; ++j) {
        Scalar& top = block(j) == 0 ? row_top[i] : other_top[i];
        top = larger(top, magnitude(row[j]));
      }
    }
  }
  const auto top = [&](int b, int i) {
    return b == 0 ? row_top[i] : p.block == nullptr ? Scalar(0) : other_top[i];
  };
  Scalar z_max[2] = {}, q_max[2] = {}, m_max[2] = {}, Z[2];
  for (int i = 0; i < p.n; ++i) {
    const int b = block(i);
    z_max[b] = larger(z_max[b], magnitude(z[i]));
    q_max[b] = larger(q_max[b], magnitude(p.q[i]));
    m_max[b] = larger(m_max[b], top(b, i));
  }
  for (int b = 0; b < 2; ++b)
    Z[b] = larger(larger(z_max[b], q_max[1 - b]), m_max[b] > 0 ? q_max[b] / m_max[b] : Scalar(0));
  certificate.min_z = z[0];
  certificate.min_w = w[0];
  for (int i = 0; i < p.n; ++i) {
    certificate.min_z = z[i] < certificate.min_z ? z[i] : certificate.min_z;
    certificate.min_w = w[i] < certificate.min_w ? w[i] : certificate.min_w;
    if (z[i] == 0 && w[i] >= 0) continue;
    const Scalar S = magnitude(p.q[i]) + top(0, i) * Z[0] + top(1, i) * Z[1];
    const Scalar z_part = Z[block(i)] > 0 ? z[i] / Z[block(i)] : Scalar(0);
    const Scalar w_part = S > 0 ? w[i] / S : Scalar(0);
    certificate.complementarity = larger(certificate.complementarity, magnitude(z[i] * w[i]));
    certificate.residual = larger(certificate.residual, magnitude(w_part < z_part ? w_part : z_part));
  }
  certificate.residual +=
      unit_free * Scalar(0);  // what is not a number in one measure must not look small in the other
  return certificate;
}

}  // namespace tactus::lcp
