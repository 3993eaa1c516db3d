// R, B and K of a patch from its law, once, when a world is built: see patch.hpp.
#pragma once

#include "tactus/contact/patch.hpp"
#include "tactus/math/cholesky.hpp"
#include "tactus/math/jacobi.hpp"

namespace tactus::contact {

namespace detail {

// Adds value v v^T for column k of v to out (n x n, symmetric to the bit).
template <class Scalar>
[[gnu::cold]] inline void add_projection(Scalar value, const Scalar* v, int k, int n, Scalar* out) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) out[i * n + j] += value * (v[i * n + k] * v[j * n + k]);
}

// R and B of the compliances x on the diagonal of `xi` times `unit`, with the eigenvectors v; then K in the
// place of xi, if it is asked for.
template <class Scalar, class Patch>
[[gnu::cold]] inline Error take_compliance(Patch& patch, Scalar unit, Scalar h, Scalar* xi, const Scalar* v) {
  const int n = patch.size();
  Scalar x[Patch::kCapacity] = {};
  for (int k = 0; k < n; ++k) {
    if (!(xi[k * n + k] > 0)) return What::patch_eigenvalues;
    x[k] = unit * xi[k * n + k];
    const Scalar e = h + 2 * patch.law.damping_ratio * std::sqrt(x[k]);
    add_projection(x[k] / e, v, k, n, patch.R);
    add_projection(1 / e, v, k, n, patch.B);
  }
  if constexpr (Patch::kParts.energy || Patch::kParts.material) {
    for (int i = 0; i < n * n; ++i) xi[i] = 0;
    for (int k = 0; k < n; ++k) add_projection(1 / x[k], v, k, n, xi);
  }
  return {};
}

// R = E^-1 and B = R K of matrices of one's own; `work` has room for two.
template <class Scalar, class Patch>
[[gnu::cold]] inline Error take_matrices(Patch& patch, const Scalar* K, const Scalar* C, Scalar h,
                                         Scalar* work) {
  const int n = patch.size(), size = n * n;
  Scalar *const a = work, *const v = work + size;
  for (const Scalar* matrix : {K, C}) {
    if (matrix == nullptr) continue;
    Scalar unit = 0;
    for (int i = 0; i < n; ++i) unit = math::larger(unit, matrix[i * n + i]);
    for (int i = 0; i < size; ++i) a[i] = unit > 0 ? matrix[i] / unit : matrix[i];
    if (!math::diagonalise(a, v, n)) return What::patch_matrix;
    constexpr Scalar kRound = 64 * std::numeric_limits<Scalar>::epsilon();
    for (int k = 0; k < n; ++k)
      if (!(a[k * n + k] > (matrix == K ? kRound : -kRound))) return What::patch_matrix;
    if (C == nullptr) {  // compliances
      for (int k = 0; k < n; ++k) a[k * n + k] = 1 / (unit * a[k * n + k]);
      if (const Error error = take_compliance(patch, Scalar(1), h, a, v)) return error;
    }
  }
  if (C != nullptr) {
    for (int i = 0; i < size; ++i) a[i] = h * K[i] + C[i];
    if (math::factor(a, n, n) < n) return What::patch_matrix;
    for (int j = 0; j < n; ++j) {
      Scalar column[Patch::kCapacity] = {};
      column[j] = 1;
      math::forward_substitute(a, n, n, column);
      math::back_substitute(a, n, n, column);
      for (int i = 0; i < n; ++i) patch.R[i * n + j] = column[i];
    }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) patch.B[i * n + j] += patch.R[i * n + k] * K[k * n + j];
  }
  for (int i = 0; i < size; ++i) a[i] = K[i];
  return {};
}

template <class Scalar, class Patch>
[[gnu::cold]] inline Error take_lumped(Patch& patch, Scalar h) {
  const auto& law = patch.law;
  const int n = patch.size();
  for (int i = 0; i < n; ++i) {
    const Scalar k = i > 0 && law.stiffness_t > 0 ? law.stiffness_t : law.stiffness, e = h * k + law.damping;
    patch.R[i * n + i] = 1 / e;
    patch.B[i * n + i] = k / e;
    if (Patch::kParts.energy) patch.K[i * n + i] = k;
    if (!math::finite(1 / e)) return {What::patch_stiffness, -1, 0, law.stiffness};
  }
  return {};
}

}  // namespace detail

template <class Scalar, int Dim, int Elements, PatchParts kParts>
[[gnu::cold]] inline Error configure(Patch<Scalar, Dim, Elements, kParts>& patch, const PatchLaw<Scalar>& law,
                                     Scalar h) {
  if (const Error error = check<kParts.own>(law, Dim, Elements)) return error;
  const int n = law.elements() * Dim;
  patch.law = law;
  patch.law.K = patch.law.C = nullptr;
  patch.own = law.K != nullptr;
  for (int i = 0; i < n * n; ++i) patch.R[i] = patch.B[i] = 0;
  for (Scalar& k : patch.K) k = 0;
  if (law.lumped()) return detail::take_lumped(patch, h);
  constexpr int kSize = Patch<Scalar, Dim, Elements>::kCapacity;
  Scalar work[2 * kSize * kSize];
  Scalar *const xi = work, *const v = work + n * n;
  if (kParts.own && patch.own) {
    if (const Error error = detail::take_matrices(patch, law.K, law.C, h, work)) return error;
  } else {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) xi[i * n + j] = influence(law, i / Dim, i % Dim, j / Dim, j % Dim);
    if (!math::diagonalise(xi, v, n)) return What::patch_eigenvalues;
    const Scalar unit = law.compliance / law.spacing;
    if (const Error error = detail::take_compliance(patch, unit, h, xi, v)) return error;
  }
  if (kParts.energy)
    for (int i = 0; i < n * n; ++i) patch.K[i] = xi[i];
  if (kParts.material) set_entry<Dim>(law.columns, law.rows, xi, v, patch.entry);
  return {};
}

}  // namespace tactus::contact
