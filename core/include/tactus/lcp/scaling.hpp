// Scaling: unknowns of 1 g and of 1 t, impulses and speeds, brought to one size by powers of two.
//
// With z = sigma C zs and w = sigma R^-1 ws the problem (M, q) becomes (R M C, R q / sigma): the same LCP for
// any positive diagonals, and Lemke's path on it is the path on (C M C, C q / sigma), whose class is that of
// M (a copositive M stays copositive, which Song 2004, Theorem 3 needs), with the covering vector C R^-1 e in
// place of e. R = C makes the diagonal 1 <= |C M C|_ii < 4. A row without a diagonal is the bound of a
// friction pyramid, mu lambda_n - sum beta >= 0 with the slip speed as its unknown (Stewart 2000 (2.16)): its
// column and its row are brought to 1 each by itself, or mu = 1e6 would drown the ones beside it. Powers of
// two round nothing.
#pragma once

#include <cstddef>

#include "tactus/lcp/pack.hpp"
#include "tactus/lcp/problem.hpp"

namespace tactus::lcp {

// Writes the diagonals of C and R to c and r and returns sigma. scratch: n scalars.
// Cost: n, plus 2 n for each row without a diagonal.
template <class Scalar>
Scalar find_scaling(const Problem<Scalar>& p, Scalar* c, Scalar* r, Scalar* scratch) {
  const auto row = [&](int i) { return p.M + static_cast<std::ptrdiff_t>(i) * p.stride; };
  using P = Pack<Scalar>;
  bool complete = true;
  for (int i = 0; i < p.n; ++i) {
    const Scalar d = row(i)[i];
    c[i] = r[i] = d == 0 ? Scalar(0) : power_of_two<Scalar>(-(exponent_of(d) >> 1));
    complete = complete && d != 0;
  }
  if (!complete) {
    for (int i = 0; i < p.n; ++i) {
      if (r[i] != 0) continue;
      // c is still zero where there is no diagonal.
      Scalar column_top = 0;
      const Scalar* below = p.M + i;
      for (int j = 0; j < p.n; ++j, below += p.stride)
        column_top = larger(column_top, magnitude(*below) * c[j]);
      P tops = P::all(Scalar(0));
      for_packs(p.n,
                [&](int j, auto load) { tops = larger(tops, magnitude(load(row(i) + j)) * load(c + j)); });
      const Scalar row_top = largest(tops);
      scratch[i] = column_top > 0 ? power_of_two<Scalar>(-exponent_of(column_top)) : Scalar(1);
      r[i] = row_top > 0 ? power_of_two<Scalar>(-exponent_of(row_top)) : Scalar(1);
    }
    for (int i = 0; i < p.n; ++i)
      if (c[i] == 0) c[i] = scratch[i];
  }
  Scalar top = 0;
  for (int i = 0; i < p.n; ++i) top = larger(top, magnitude(p.q[i]) * r[i]);
  return top > 0 ? power_of_two<Scalar>(exponent_of(top)) : Scalar(1);
}

}  // namespace tactus::lcp
