// Contact at the level of accelerations (Pang-Trinkle 1996, (20) and (6)-(12)): no step, no impulse, the
// forces of this very instant.
//
//     a = A c + b,      0 <= c_n  _|_  a_n >= 0
//     a contact that rolls (v_T = 0):   c_T in the friction set of mu c_n, on its border opposing a_T
//     a contact that slides (v_T != 0): c_T = -mu c_n v_T / |v_T| (11)
//
// It is contact/problem.hpp with forces and accelerations in place of impulses and speeds, and with the
// directions of slip known where there is slip. Unlike a step it need not have a solution (a sliding contact
// can jam), nor need that be the only one, so the answer says which of these it is:
//
//     solved     c and a obey every law within `residual`, measured on the caller's A and b
//     none       no c obeys them: every combination of modes was closed by a checked contradiction
//     undecided  nothing was found within the budget, and nothing was excluded
//
// acceleration_system.hpp makes A and b of an object and a manipulator, acceleration_pyramid.hpp and
// acceleration_cone.hpp solve, acceleration_relaxed.hpp answers where there is no solution.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "tactus/contact/problem.hpp"
#include "tactus/contact/residual.hpp"
#include "tactus/math/arithmetic.hpp"

namespace tactus::contact::acceleration {

enum class Law : std::uint8_t {
  pyramid,  // |c_t| <= mu c_n and |c_o| <= mu c_n, each opposing its own acceleration: (18), (19)
  cone      // |c_T| <= mu c_n, opposing a_T: (7), (10). In the plane the two are one
};

enum class Status : std::uint8_t { solved, none, undecided, bad_input };

constexpr const char* sentence(Status status) {
  switch (status) {
    case Status::solved:
      return "Forces and accelerations obey every law.";
    case Status::none:
      return "No forces obey Coulomb's law: a sliding contact jams.";
    case Status::undecided:
      return "No solution was found, and none was excluded within the budget.";
    case Status::bad_input:
      return "A size, a coefficient of friction or another number cannot be right.";
  }
  return "Unknown status.";
}

// A view of the caller's data. Row and column i * Dim + k of A: component k (n, t, o) of contact i.
template <class Scalar, int Dim>
struct Problem {
  contact::Problem<Scalar, Dim> contact;  // A, b in m/s^2 (and 1/kg), mu >= 0
  const Scalar* velocity =
      nullptr;  // v_t (, v_o) of each contact, m/s: all zero where it rolls. Null: all roll

  int count() const { return contact.elements; }
  Scalar v(int i, int k) const { return velocity == nullptr ? Scalar(0) : velocity[i * (Dim - 1) + k]; }
  Scalar speed(int i) const {
    Scalar sum = 0;
    for (int k = 0; k < Dim - 1; ++k) sum += v(i, k) * v(i, k);
    return std::sqrt(sum);
  }
  bool slides(int i) const {
    for (int k = 0; k < Dim - 1; ++k)
      if (v(i, k) != 0) return true;
    return false;
  }
  // Component k of v_T / |v_T|, largest component first taken out so that no square overflows or vanishes.
  Scalar direction(int i, int k) const {
    if constexpr (Dim == 2) return v(i, 0) > 0 ? Scalar(1) : Scalar(-1);
    const Scalar top = math::larger(math::magnitude(v(i, 0)), math::magnitude(v(i, 1)));
    const Scalar x = v(i, 0) / top, y = v(i, 1) / top;
    return (k == 0 ? x : y) / std::sqrt(x * x + y * y);
  }
  Scalar A(int i, int j) const { return contact.A[i * contact.stride + j]; }
};

template <class Scalar>
struct Answer {
  Status status = Status::bad_input;
  int pivots = 0;         // of Lemke's method and of the search, or iterations of Newton's
  bool searched = false;  // Lemke's path had ended without a solution, or none was claimed: by branching
  Scalar residual = std::numeric_limits<Scalar>::infinity();  // see measure()
};

// Solved is said up to this residual.
template <class Scalar>
inline constexpr Scalar kSolved = sizeof(Scalar) == 8 ? Scalar(1e-9) : Scalar(1e-4);

template <class Scalar, int Dim>
inline bool is_valid(const Problem<Scalar, Dim>& p, int capacity) {
  const auto& q = p.contact;
  const int n = q.rows();
  if (q.elements < 0 || q.elements > capacity) return false;
  if (n == 0) return true;
  if (q.A == nullptr || q.b == nullptr || q.mu == nullptr || q.stride < n) return false;
  Scalar poison = 0;
  for (int i = 0; i < n; ++i) {
    poison += q.b[i] * Scalar(0);
    for (int j = 0; j < n; ++j) poison += p.A(i, j) * Scalar(0);
  }
  for (int i = 0; i < q.elements; ++i) {
    poison += q.mu[i] * Scalar(0);
    if (!(q.mu[i] >= 0)) return false;
    for (int k = 0; k < Dim - 1; ++k) poison += p.v(i, k) * Scalar(0);
  }
  return poison == 0;
}

// a = A c + b.
template <class Scalar, int Dim>
inline void accelerations(const Problem<Scalar, Dim>& p, const Scalar* c, Scalar* a) {
  for (int i = 0; i < p.contact.rows(); ++i) {
    Scalar sum = p.contact.b[i];
    for (int j = 0; j < p.contact.rows(); ++j) sum += p.A(i, j) * c[j];
    a[i] = sum;
  }
}

// What accelerations are measured by, m/s^2: the largest |b|, and what A c rounds by at the most.
template <class Scalar>
struct Sizes {
  Scalar data = 0, round = 0;

  bool is_zero(Scalar a) const { return math::magnitude(a) <= kSolved<Scalar> * data + round; }
};

template <class Scalar, int Dim>
inline Sizes<Scalar> sizes_of(const Problem<Scalar, Dim>& p, const Scalar* c) {
  Sizes<Scalar> sizes;
  for (int i = 0; i < p.contact.rows(); ++i) {
    Scalar terms = 0;
    for (int j = 0; j < p.contact.rows(); ++j) terms += math::magnitude(p.A(i, j) * c[j]);
    sizes.round = worst(sizes.round, terms * std::numeric_limits<Scalar>::epsilon());
    sizes.data = math::larger(sizes.data, math::magnitude(p.contact.b[i]));
  }
  return sizes;
}

// What a contact does next (13)-(17), by its forces and accelerations.
enum class Becomes : std::uint8_t { breaks, rolls, slides };

template <class Scalar, int Dim>
inline Becomes becomes(const Problem<Scalar, Dim>& p, const Sizes<Scalar>& sizes, const Scalar* c,
                       const Scalar* a, int i) {
  const int n = i * Dim;
  if (sizes.is_zero(c[n] * p.A(n, n)) && !sizes.is_zero(a[n])) return Becomes::breaks;
  bool still = !p.slides(i);
  for (int k = 1; k < Dim; ++k) still = still && sizes.is_zero(a[n + k]);
  return still ? Becomes::rolls : Becomes::slides;
}

// The largest off(i), what contact i is off a law by in m/s^2, as a share of the data, never of the answer's
// own forces; no number if anything is none. What A c rounds by is let off, but it must be little itself: at
// kDigits kSolved there are too few digits to say that it is a solution. Fills a first.
template <class Scalar>
inline constexpr int kDigits = sizeof(Scalar) == 8 ? 1000 : 100;
template <class Scalar, int Dim, class Off>
inline Scalar share_of_data(const Problem<Scalar, Dim>& p, const Scalar* c, Scalar* a, const Off& off) {
  accelerations(p, c, a);
  const auto sizes = sizes_of(p, c);
  Scalar largest = 0, poison = 0;
  for (int i = 0; i < p.contact.rows(); ++i) poison += (c[i] + a[i]) * Scalar(0);
  for (int i = 0; i < p.count(); ++i) largest = worst(largest, off(i));
  largest = largest > sizes.round ? largest - sizes.round : Scalar(0);
  return share_of(worst(largest, sizes.round / kDigits<Scalar>), sizes.data) + poison;
}

// The breach of any law: |min(c_n A_nn, a_n)|, and with D the larger of a contact's A_tt and A_oo (of both
// one, or the direction of a_T were not kept) |c_T D - P(c_T D - a_T)|, P the projection on the friction set
// of mu c_n D, or |c_T + mu c_n v_T / |v_T|| D where it slides. Zero exactly at a solution. Fills a.
template <class Scalar, int Dim>
inline Scalar measure(const Problem<Scalar, Dim>& p, Law law, const Scalar* c, Scalar* a) {
  return share_of_data(p, c, a, [&](int i) {
    const int n = i * Dim;
    const Scalar x = c[n] * p.A(n, n), y = a[n];
    Scalar off = math::magnitude(x < y ? x : y);
    Scalar D = 0, target[Dim - 1], size = 0;
    for (int k = 1; k < Dim; ++k) D = math::larger(D, p.A(n + k, n + k));
    const Scalar limit = c[n] > 0 ? p.contact.mu[i] * c[n] * D : Scalar(0);
    for (int k = 0; k < Dim - 1; ++k) {
      target[k] = p.slides(i) ? -limit * p.direction(i, k) : c[n + 1 + k] * D - a[n + 1 + k];
      size += target[k] * target[k];
    }
    size = std::sqrt(size);
    for (int k = 0; k < Dim - 1; ++k) {
      if (!p.slides(i) && (law == Law::pyramid || Dim == 2))
        target[k] = target[k] > limit ? limit : target[k] < -limit ? -limit : target[k];
      else if (!p.slides(i) && size > limit)
        target[k] *= limit / size;
      off = worst(off, math::magnitude(c[n + 1 + k] * D - target[k]));
    }
    return off;
  });
}

}  // namespace tactus::contact::acceleration
