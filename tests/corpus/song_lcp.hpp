// Song's LCP (18): the box pyramid with the tangential forces eliminated. For tests; the step solves rows.
//
// With u - v = s_T the slip, A_TT s.p.d., P = A_TT^-1, G = P A_Tn and g = P b_T,
//
//     lambda_T = -g - G lambda_n + P (u - v)
//     s_n      = (b_n - A_nT g) + (A_nn - A_nT G) lambda_n + G^T (u - v)   _|_  lambda_n
//     mu lambda_n + lambda_T                                              _|_  u
//     mu lambda_n - lambda_T                                              _|_  v
//
// so the unknowns are z = (lambda_n, u, v): 3 an element in the plane, 5 in space. (Below (18) the paper
// prints b~_n = b_n - J_nt b~_t; with its own b~_t = -J_tt^-1 b_t the sign must be +.) It needs a regular
// A_TT, which the compliant law always has; rigid elements whose tangential rows depend on each other need
// stewart.hpp.
//
// Cost: for T tangential rows 2 T^3 multiplications and T^2 n_e multiply-adds to build.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tactus/contact/problem.hpp"
#include "tactus/lcp/problem.hpp"

namespace tactus::contact::song {

template <int Dim>
constexpr int unknowns(int elements) {
  return elements * (1 + 2 * (Dim - 1));
}

// Builds (18) block by block. T: the tangential rows, nt of them.
template <class Scalar, int Dim>
struct Builder {
  static constexpr int kTangents = Dim - 1;

  const Problem<Scalar, Dim>& problem;
  Scalar* const M;
  const int stride;
  const int ne = problem.elements, nt = ne * kTangents;
  Scalar* const P = M + ne * stride + ne;    // in the block (u, u)
  Scalar* const G = M + (ne + nt) * stride;  // in (v, n), where w_v = mu lambda_n - lambda_T needs +G

  static int tangent_row(int k) { return (k / kTangents) * Dim + 1 + k % kTangents; }
  Scalar A(int i, int j) const { return problem.A[i * problem.stride + j]; }

  // P: -A_TT swept by each of its rows is A_TT^-1, symmetric to the bit. A pivot that lost nearly all of its
  // diagonal is a row that depends on those before it: false.
  bool invert_tangents() const {
    constexpr Scalar kDependent = 64 * std::numeric_limits<Scalar>::epsilon();
    for (int i = 0; i < nt; ++i)
      for (int j = 0; j < nt; ++j) P[i * stride + j] = -A(tangent_row(i), tangent_row(j));
    for (int k = 0; k < nt; ++k) {
      Scalar* const row = P + k * stride;
      if (!(-row[k] > kDependent * A(tangent_row(k), tangent_row(k)))) return false;
      const Scalar inverse = 1 / row[k];
      for (int i = 0; i < nt; ++i)
        for (int j = 0; j < nt; ++j)
          if (i != k && j != k) P[i * stride + j] -= row[i] * row[j] * inverse;
      for (int i = 0; i < nt; ++i) P[i * stride + k] = row[i] = i == k ? -inverse : row[i] * inverse;
    }
    return true;
  }

  // G = P A_Tn and the block (n, n).
  void eliminate() const {
    for (int i = 0; i < nt; ++i) {
      for (int j = 0; j < ne; ++j) {
        Scalar sum = 0;
        for (int k = 0; k < nt; ++k) sum += P[i * stride + k] * A(tangent_row(k), j * Dim);
        G[i * stride + j] = sum;
      }
    }
    for (int i = 0; i < ne; ++i) {
      for (int j = 0; j <= i; ++j) {
        Scalar sum = A(i * Dim, j * Dim);
        for (int k = 0; k < nt; ++k) sum -= A(i * Dim, tangent_row(k)) * G[k * stride + j];
        M[i * stride + j] = M[j * stride + i] = sum;
      }
    }
  }

  void write_q(Scalar* q, std::uint8_t* block) const {
    for (int i = 0; i < ne; ++i) {
      q[i] = problem.b[i * Dim];
      block[i] = 0;
    }
    for (int i = 0; i < nt; ++i) {
      Scalar sum = 0;
      for (int k = 0; k < nt; ++k) sum += P[i * stride + k] * problem.b[tangent_row(k)];
      q[ne + i] = -sum;
      q[ne + nt + i] = sum;
      block[ne + i] = block[ne + nt + i] = 1;
    }
    for (int j = 0; j < ne; ++j)
      for (int k = 0; k < nt; ++k) q[j] -= G[k * stride + j] * problem.b[tangent_row(k)];
  }

  // The other blocks of u and v, from P, G and mu.
  void mirror() const {
    for (int i = 0; i < nt; ++i) {
      Scalar* const row_u = M + (ne + i) * stride;
      Scalar* const row_v = M + (ne + nt + i) * stride;
      for (int j = 0; j < nt; ++j) {
        const Scalar p = row_u[ne + j];
        row_u[ne + nt + j] = -p;
        row_v[ne + j] = -p;
        row_v[ne + nt + j] = p;
      }
      for (int j = 0; j < ne; ++j) {
        const Scalar g = row_v[j];
        M[j * stride + ne + i] = g;
        M[j * stride + ne + nt + i] = -g;
        row_u[j] = -g;
      }
      const int owner = i / kTangents;
      row_u[owner] += problem.mu[owner];
      row_v[owner] += problem.mu[owner];
    }
  }
};

// Writes M (row major, `stride`), q and the unit of each unknown. Returns false where A_TT is not regular; M
// and q are then undefined.
template <class Scalar, int Dim>
[[gnu::noinline]] inline bool to_lcp(const Problem<Scalar, Dim>& problem, Scalar* M, int stride, Scalar* q,
                                     std::uint8_t* block) {
  const Builder<Scalar, Dim> build{problem, M, stride};
  if (!build.invert_tangents()) return false;
  build.eliminate();
  build.write_q(q, block);
  build.mirror();
  return true;
}

// From z and w of the LCP: lambda and s (Dim an element) and the friction used, in N, of the mu lambda_n
// there is.
template <class Scalar, int Dim>
inline void from_lcp(int elements, const Scalar* z, const Scalar* w, Scalar* lambda, Scalar* s,
                     Scalar* used) {
  constexpr int tangents = Dim - 1;
  const int nt = elements * tangents;
  for (int i = 0; i < elements; ++i) {
    lambda[i * Dim] = z[i];
    s[i * Dim] = w[i];
    used[i] = 0;
    for (int k = 0; k < tangents; ++k) {
      const int u = elements + i * tangents + k, v = u + nt;
      lambda[i * Dim + 1 + k] = (w[u] - w[v]) / 2;
      s[i * Dim + 1 + k] = z[u] - z[v];
      used[i] = std::max(used[i], std::abs(w[u] - w[v]) / 2);
    }
  }
}

}  // namespace tactus::contact::song
