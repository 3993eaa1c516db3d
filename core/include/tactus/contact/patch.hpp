// What a compliant contact patch is made of, as the matrices a step needs.
//
// A patch is n x m elements `spacing` apart in the tangent plane. Its compliance Xi (Song 2004, App. A, with
// the corrections below) gives K = Xi^-1 and C = 2 zeta sqrt(K), the matrix root; or K and C are given. With
// E = h K + C the law (10) reads
//
//     s = W nu' + R lambda - B delta,     R = E^-1,  B = E^-1 K,     delta' = delta + h (R lambda - B delta)
//
// Xi, K, C and E share their eigenvectors, so with Xi = V diag(x) V^T nothing is ever inverted:
//
//     R = V diag( x / (h + 2 zeta sqrt x) ) V^T,     B = V diag( 1 / (h + 2 zeta sqrt x) ) V^T
//
// and both stay well scaled as the compliance goes to 0, where R -> 0 gives the rigid law. Only a C of one's
// own asks for E itself, and its Cholesky factor.
//
// The frame of a patch is that of its elastic body: n into that body, t and o = n x t, element by element n,
// t, o, the elements with t fastest. K and C of one's own are in it.
//
// App. A as printed has xi_nn(i, i) = 0.95 (1 - nu^2) eps / (pi rho0), which makes Xi indefinite: the pi must
// go; and xi_to without the factor nu, which makes the answer depend on the choice of t and o. xi_tt(i, i) is
// printed for the centre of a disc, where xi_nn(i, i) is the mean over a square: 19 % softer than that. The
// mean of 1 / r over the square is 0.95 pi / rho0, that of r_t^2 / r^3 half of it, so Cerruti's solution
// gives 0.475 (1 + nu) (2 - nu) eps / rho0. `printed` keeps Song's, to compare with the paper.
//
// patch_matrices.hpp makes them. Cost: cyclic Jacobi, at configuration time only, of N = Dim n m rows: see
// math/jacobi.hpp. Memory: 2 N^2 scalars kept and what carry.hpp keeps, 2 N^2 more on the stack while it
// runs.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "tactus/contact/carry.hpp"
#include "tactus/contact/problem.hpp"
#include "tactus/error.hpp"
#include "tactus/math/products.hpp"

namespace tactus::contact {

// Distributed (compliance > 0); or with matrices of one's own; or else one lumped element with K = stiffness,
// C = damping.
template <class Scalar>
struct PatchLaw {
  std::uint8_t columns = 1, rows = 1;  // elements along t and along o (rows = 1 in the plane)
  Scalar spacing = 0;                  // rho0, m
  Scalar compliance = 0;               // eps, the inverse of Young's modulus, m^2 / N
  Scalar poisson = 0;                  // nu
  Scalar stiffness = 0;                // N / m
  Scalar damping = 0;                  // N s / m
  Scalar damping_ratio = 1;            // zeta: C = 2 zeta sqrt(K) where no damping is given; 1 is Song's
  Scalar stiffness_t = 0;              // lumped, along t and o, N / m; 0: `stiffness`
  // Song's scheme as printed: xi_tt(i, i) of a disc's centre, and a history that stays with the contact,
  // element by element, where it else stays with the material (carry.hpp).
  bool printed = false;
  // N x N, row by row; K symmetric positive definite, C symmetric positive semidefinite, null: 2 zeta
  // sqrt(K). Read when the contact is added and not kept: from then on configure() sets no other step.
  const Scalar* K = nullptr;
  const Scalar* C = nullptr;

  constexpr int elements() const { return columns * rows; }
  constexpr bool lumped() const { return compliance == 0 && K == nullptr; }
};

namespace detail {

template <class Scalar>
constexpr bool not_negative(Scalar x) {
  return x >= 0 && math::finite(x);
}

// Finite, and symmetric but for rounding.
template <class Scalar>
[[gnu::cold]] inline bool symmetric(const Scalar* a, int n) {
  constexpr Scalar kRound = 64 * std::numeric_limits<Scalar>::epsilon();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      const Scalar x = a[i * n + j], y = a[j * n + i];
      if (!math::finite(x) || !(math::magnitude(x - y) <= kRound * math::larger(x, -x))) return false;
    }
  }
  return true;
}

}  // namespace detail

// kOwn: false where matrices of one's own have been refused before.
template <bool kOwn = true, class Scalar>
[[gnu::cold]] inline Error check(const PatchLaw<Scalar>& law, int dim, int capacity) {
  const int n = law.elements();
  if (law.columns == 0 || law.rows == 0 || n > capacity || (dim == 2 && law.rows != 1))
    return {What::patch_elements, -1, n, capacity};
  if (!detail::not_negative(law.damping_ratio)) return {What::patch_damping_ratio, -1, 0, law.damping_ratio};
  if (kOwn && law.C != nullptr && law.K == nullptr) return What::patch_matrix;
  if (law.lumped()) {
    if (n != 1) return {What::patch_compliance, -1, 0, law.compliance};
    if (!(law.stiffness > 0) || !math::finite(law.stiffness))
      return {What::patch_stiffness, -1, 0, law.stiffness};
    if (!detail::not_negative(law.stiffness_t)) return {What::patch_stiffness_t, -1, 0, law.stiffness_t};
    if (!detail::not_negative(law.damping)) return {What::patch_damping, -1, 0, law.damping};
    return {};
  }
  if ((n > 1 || law.K == nullptr) && (!(law.spacing > 0) || !math::finite(law.spacing)))
    return {What::patch_spacing, -1, 0, law.spacing};
  if (law.stiffness_t != 0) return {What::patch_stiffness_t, -1, 0, law.stiffness_t};
  if (kOwn && law.K != nullptr) {
    if (law.compliance != 0) return {What::patch_compliance, -1, 0, law.compliance};
    for (const Scalar* matrix : {law.K, law.C})
      if (matrix != nullptr && !detail::symmetric(matrix, n * dim)) return What::patch_matrix;
    return {};
  }
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
  o = Dim == 2 ? Scalar(0) : static_cast<Scalar>(2 * row - law.rows + 1) * (law.spacing / 2);
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
    if (c == 0) return Scalar(0.95) * (1 - nu * nu);
    return law.printed ? (1 + nu) * (2 - nu) / kRootPi : Scalar(0.475) * (1 + nu) * (2 - nu);
  }
  const int along = i % law.columns - j % law.columns, across = i / law.columns - j / law.columns;
  const Scalar r[2] = {static_cast<Scalar>(along), static_cast<Scalar>(across)};
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

// What a patch is compiled with.
struct PatchParts {
  bool energy = false;   // K, for energy()
  bool material = true;  // `entry`, for carry.hpp
  bool own = true;       // matrices of one's own
};

// R and B of a patch for the step h. Rows are element major like those of contact::Problem: element e has
// rows e * Dim ... e * Dim + Dim - 1.
template <class Scalar, int Dim, int Elements, PatchParts kWith = PatchParts{}>
struct Patch {
  static constexpr int kCapacity = Elements > 0 ? Elements* Dim : 1;
  static constexpr PatchParts kParts = kWith;
  PatchLaw<Scalar> law;  // without its matrices
  bool own = false;      // that it had
  Scalar R[kCapacity * kCapacity];
  Scalar B[kCapacity * kCapacity];
  Scalar K[kParts.energy ? kCapacity * kCapacity : 1];
  Scalar entry[kParts.material ? entry_capacity<Dim>(Elements) : 1];  // carry.hpp

  int size() const { return law.elements() * Dim; }

  // out = R lambda, and out = B delta: size() numbers each.
  void respond(const Scalar* lambda, Scalar* out) const {
    math::multiply<Scalar>(nullptr, R, size(), size(), lambda, size(), out);
  }
  void relax(const Scalar* delta, Scalar* out) const {
    math::multiply<Scalar>(nullptr, B, size(), size(), delta, size(), out);
  }

  // delta . K delta / 2, J.
  Scalar energy(const Scalar* delta) const {
    Scalar sum = 0, squares = 0;
    if constexpr (kParts.energy) {
      const int n = size();
      const Scalar* row = K;
      for (int i = 0; i < n; ++i, row += n) {
        Scalar force = 0;
        for (int j = 0; j < i; ++j) force = math::multiply_add(row[j], delta[j], force);
        sum = math::multiply_add(force, delta[i], sum);
        squares = math::multiply_add(row[i] * delta[i], delta[i], squares);
      }
    }
    return sum + squares / 2;
  }
};

}  // namespace tactus::contact
