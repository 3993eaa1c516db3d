// Stewart's LCP (2.16): a pyramid of k facet directions an element, beta_j the force along direction d_j and
// sigma the size of the slip. z = (lambda_n, beta, sigma), k + 2 unknowns an element (4 in the plane, where k
// = 2). For tests and `tactus bench`; the step solves rows.
//
//     s_n = b_n + A_nn lambda_n + A_nT D beta                  _|_  lambda_n
//     D^T (b_T + A_Tn lambda_n + A_TT D beta) + e sigma        _|_  beta
//     mu lambda_n - e^T beta                                   _|_  sigma
//
// M is copositive for any positive semidefinite A, so redundant rigid contacts are fine. d_{j + k/2} = -d_j,
// so half of the products are sign changes.
#pragma once

#include <cstdint>

#include "tactus/contact/problem.hpp"
#include "tactus/contact/pyramid.hpp"

namespace tactus::contact::stewart {

// k is 2 in the plane and 4, 8 or 16 in space.
constexpr int unknowns(int elements, int k) {
  return elements * (k + 2);
}

namespace detail {

template <class Scalar, int Dim>
inline Direction<Scalar> direction(const Problem<Scalar, Dim>& problem, int element, int j, int k) {
  if constexpr (Dim == 2) return {j == 0 ? Scalar(1) : Scalar(-1), Scalar(0)};
  if (problem.slip == nullptr) return facet_direction<Scalar>(j, k, {Scalar(1), Scalar(0)});
  return facet_direction<Scalar>(j, k, {problem.slip[2 * element], problem.slip[2 * element + 1]});
}

// d . (x_t, x_o) with the pair at x[0], x[step].
template <class Scalar, int Dim>
inline Scalar along(Direction<Scalar> d, const Scalar* x, int step) {
  if constexpr (Dim == 2) return d.t * x[0];
  return d.t * x[0] + d.o * x[step];
}

}  // namespace detail

template <class Scalar, int Dim>
inline void to_lcp(const Problem<Scalar, Dim>& problem, int k, Scalar* M, int stride, Scalar* q,
                   std::uint8_t* block) {
  const int ne = problem.elements;
  const int half = k / 2;
  const int beta = ne, sigma = ne + ne * k;
  const int n = unknowns(ne, k);
  for (int i = 0; i < n * stride; ++i) M[i] = 0;
  for (int i = 0; i < ne; ++i) {
    const Scalar* const row_n = problem.A + i * Dim * problem.stride;
    q[i] = problem.b[i * Dim];
    q[sigma + i] = 0;
    block[i] = 0;
    block[sigma + i] = 1;
    M[(sigma + i) * stride + i] = problem.mu[i];
    for (int j = 0; j < ne; ++j) M[i * stride + j] = row_n[j * Dim];
    for (int f = 0; f < half; ++f) {
      const auto d = detail::direction(problem, i, f, k);
      const int r = beta + i * k + f;
      q[r] = detail::along<Scalar, Dim>(d, problem.b + i * Dim + 1, 1);
      q[r + half] = -q[r];
      block[r] = block[r + half] = 0;
      Scalar* const up = M + r * stride;
      Scalar* const down = M + (r + half) * stride;
      up[sigma + i] = down[sigma + i] = 1;
      M[(sigma + i) * stride + r] = M[(sigma + i) * stride + r + half] = -1;
      // D^T A_Tn and, by symmetry, A_nT D.
      for (int j = 0; j < ne; ++j) {
        const Scalar x = detail::along<Scalar, Dim>(d, problem.A + j * Dim * problem.stride + i * Dim + 1, 1);
        up[j] = M[j * stride + r] = x;
        down[j] = M[j * stride + r + half] = -x;
      }
      // D^T A_TT D: this direction against those of the elements up to this one.
      for (int j = 0; j <= i; ++j) {
        const Scalar* const a = problem.A + (i * Dim + 1) * problem.stride + j * Dim + 1;
        Scalar x[2] = {};
        for (int c = 0; c < Dim - 1; ++c) x[c] = detail::along<Scalar, Dim>(d, a + c, problem.stride);
        for (int g = 0; g < (j < i ? half : f + 1); ++g) {
          const Scalar y = detail::along<Scalar, Dim>(detail::direction(problem, j, g, k), x, 1);
          const int c = beta + j * k + g;
          up[c] = down[c + half] = M[c * stride + r] = M[(c + half) * stride + r + half] = y;
          up[c + half] = down[c] = M[(c + half) * stride + r] = M[c * stride + r + half] = -y;
        }
      }
    }
  }
}

// From z and w of the LCP: lambda and s (Dim an element) and the friction used, e^T beta, in N. The rows of
// beta along d and -d hold d . s_T + sigma and -d . s_T + sigma, so half their difference is the slip along
// d.
template <class Scalar, int Dim>
inline void from_lcp(const Problem<Scalar, Dim>& problem, int k, const Scalar* z, const Scalar* w,
                     Scalar* lambda, Scalar* s, Scalar* used) {
  const int ne = problem.elements;
  const int half = k / 2;
  for (int i = 0; i < ne; ++i) {
    Scalar force[2] = {}, slip[2] = {};
    used[i] = 0;
    for (int f = 0; f < half; ++f) {
      const auto d = detail::direction(problem, i, f, k);
      const int up = ne + i * k + f, down = up + half;
      const Scalar size = z[up] - z[down];
      used[i] += z[up] + z[down];
      force[0] += d.t * size;
      force[1] += d.o * size;
      if (f % (half > 1 ? half / 2 : 1) != 0) continue;  // two directions at right angles say all of the slip
      slip[0] += d.t * (w[up] - w[down]) / 2;
      slip[1] += d.o * (w[up] - w[down]) / 2;
    }
    lambda[i * Dim] = z[i];
    s[i * Dim] = w[i];
    for (int c = 0; c < Dim - 1; ++c) {
      lambda[i * Dim + 1 + c] = force[c];
      s[i * Dim + 1 + c] = slip[c];
    }
  }
}

}  // namespace tactus::contact::stewart
