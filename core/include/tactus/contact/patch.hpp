// What a compliant contact patch is made of, as the two matrices a step needs.
//
// A patch is n x m elements `spacing` apart in the tangent plane. Its compliance Xi (Song 2004, App. A, with
// the corrections below) gives K = Xi^-1 and C = 2 sqrt(K), the matrix root. With E = h K + C the law (10)
// reads
//
//     s = W nu' + R lambda - B delta,     R = E^-1,  B = E^-1 K,     delta' = delta + h (R lambda - B delta)
//
// Xi, K, C and E share their eigenvectors, so with Xi = V diag(x) V^T nothing is ever inverted:
//
//     R = V diag( x / (h + 2 sqrt x) ) V^T,     B = V diag( 1 / (h + 2 sqrt x) ) V^T
//
// and both stay well scaled as the compliance goes to 0, where R -> 0 gives the rigid law.
//
// App. A as printed has xi_nn(i, i) = 0.95 (1 - nu^2) eps / (pi rho0), which makes Xi indefinite: the pi must
// go; and xi_to without the factor nu, which makes the answer depend on the choice of t and o.
//
// Cost: cyclic Jacobi, at configuration time only, of N = Dim n m rows: see math/jacobi.hpp. Memory: 2 N^2
// scalars kept, 2 N^2 more on the stack while it runs.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "tactus/contact/problem.hpp"
#include "tactus/error.hpp"
#include "tactus/math/jacobi.hpp"
#include "tactus/math/products.hpp"

namespace tactus::contact {

// Either distributed (compliance > 0) or, with compliance 0, one lumped element with K = stiffness, C =
// damping.
template <class Scalar>
struct PatchLaw {
  std::uint8_t columns = 1, rows = 1;  // elements along t and along o (rows = 1 in the plane)
  Scalar spacing = 0;                  // rho0, m
  Scalar compliance = 0;               // eps, the inverse of Young's modulus, m^2 / N
  Scalar poisson = 0;                  // nu
  Scalar stiffness = 0;                // N / m
  Scalar damping = 0;                  // N s / m

  constexpr int elements() const { return columns * rows; }
  constexpr bool lumped() const { return compliance == 0; }
};

template <class Scalar>
[[gnu::cold]] inline Error check(const PatchLaw<Scalar>& law, int dim, int capacity) {
  const int n = law.elements();
  if (n < 1 || n > capacity || (dim == 2 && law.rows != 1)) return {What::patch_elements, -1, n, capacity};
  if (law.lumped()) {
    if (n != 1) return {What::patch_compliance, -1, 0, law.compliance};
    if (!(law.stiffness > 0) || !math::finite(law.stiffness))
      return {What::patch_stiffness, -1, 0, law.stiffness};
    if (!(law.damping >= 0) || !math::finite(law.damping)) return {What::patch_damping, -1, 0, law.damping};
    return {};
  }
  if (!(law.spacing > 0) || !math::finite(law.spacing)) return {What::patch_spacing, -1, 0, law.spacing};
  if (!(law.compliance > 0) || !math::finite(law.compliance))
    return {What::patch_compliance, -1, 0, law.compliance};
  if (!(law.poisson >= 0) || !(law.poisson <= Scalar(0.5))) return {What::patch_poisson, -1, 0, law.poisson};
  return {};
}

// The place of element e in the tangent plane, from the contact point: t fastest.
template <int Dim, class Scalar>
inline void element_offset(const PatchLaw<Scalar>& law, int e, Scalar& t, Scalar& o) {
  const int column = Dim == 2 ? e : e % law.columns, row = Dim == 2 ? 0 : e / law.columns;
  t = static_cast<Scalar>(2 * column - law.columns + 1) * (law.spacing / 2);
  o = static_cast<Scalar>(2 * row - law.rows + 1) * (law.spacing / 2);
}

// Entry (component c of element i, component d of element j) of Xi in units of eps / rho0; offsets in units
// of rho0.
template <class Scalar>
[[gnu::cold]] inline Scalar influence(const PatchLaw<Scalar>& law, int i, int c, int j, int d) {
  constexpr Scalar kPi = Scalar(3.14159265358979323846);
  constexpr Scalar kRootPi = Scalar(1.77245385090551602730);
  const Scalar nu = law.poisson;
  if (i == j) {
    if (c != d) return 0;
    return c == 0 ? Scalar(0.95) * (1 - nu * nu) : (1 + nu) * (2 - nu) / kRootPi;
  }
  const Scalar r[2] = {static_cast<Scalar>(i % law.columns - j % law.columns),
                       static_cast<Scalar>(i / law.columns - j / law.columns)};
  const Scalar square = r[0] * r[0] + r[1] * r[1];
  const Scalar length = std::sqrt(square);
  if (c == 0 && d == 0) return (1 - nu * nu) / (kPi * length);
  if (c == 0 || d == 0) {
    const Scalar x = (1 - 2 * nu) * (1 + nu) / (2 * kPi) * r[c + d - 1] / square;
    return c == 0 ? x : -x;
  }
  const Scalar shear = (1 + nu) / (kPi * length);
  const Scalar coupled = nu * r[c - 1] * r[d - 1] / square;
  return shear * (c == d ? 1 - nu + coupled : coupled);
}

// R and B of a patch for the step h, and the eigenvalues' common scale. Rows are element major like those of
// contact::Problem: element e has rows e * Dim ... e * Dim + Dim - 1.
template <class Scalar, int Dim, int Elements>
struct Patch {
  static constexpr int kCapacity = Elements > 0 ? Elements* Dim : 1;
  PatchLaw<Scalar> law;
  Scalar R[kCapacity * kCapacity];
  Scalar B[kCapacity * kCapacity];

  int size() const { return law.elements() * Dim; }

  // out = R lambda, and out = B delta: size() numbers each.
  void respond(const Scalar* lambda, Scalar* out) const {
    math::multiply<Scalar>(nullptr, R, size(), size(), lambda, size(), out);
  }
  void relax(const Scalar* delta, Scalar* out) const {
    math::multiply<Scalar>(nullptr, B, size(), size(), delta, size(), out);
  }
};

// Adds value v v^T for column k of v to out (n x n, symmetric to the bit).
template <class Scalar>
[[gnu::cold]] inline void add_projection(Scalar value, const Scalar* v, int k, int n, Scalar* out) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) out[i * n + j] += value * (v[i * n + k] * v[j * n + k]);
}

template <class Scalar, int Dim, int Elements>
[[gnu::cold]] inline Error configure(Patch<Scalar, Dim, Elements>& patch, const PatchLaw<Scalar>& law,
                                     Scalar h) {
  if (const Error error = check(law, Dim, Elements)) return error;
  const int n = law.elements() * Dim;
  patch.law = law;
  for (int i = 0; i < n * n; ++i) patch.R[i] = patch.B[i] = 0;
  if (law.lumped()) {
    const Scalar e = h * law.stiffness + law.damping;
    for (int i = 0; i < n; ++i) {
      patch.R[i * n + i] = 1 / e;
      patch.B[i * n + i] = law.stiffness / e;
    }
    if (!math::finite(1 / e)) return {What::patch_stiffness, -1, 0, law.stiffness};
    return {};
  }
  constexpr int kSize = Patch<Scalar, Dim, Elements>::kCapacity;
  Scalar xi[kSize * kSize], v[kSize * kSize];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) xi[i * n + j] = influence(law, i / Dim, i % Dim, j / Dim, j % Dim);
  if (!math::diagonalise(xi, v, n)) return What::patch_eigenvalues;
  const Scalar unit = law.compliance / law.spacing;
  for (int k = 0; k < n; ++k) {
    if (!(xi[k * n + k] > 0)) return What::patch_eigenvalues;
    const Scalar x = unit * xi[k * n + k], e = h + 2 * std::sqrt(x);
    add_projection(x / e, v, k, n, patch.R);
    add_projection(1 / e, v, k, n, patch.B);
  }
  return {};
}

}  // namespace tactus::contact
