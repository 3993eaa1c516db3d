// An object and a manipulator in contact, and their reduction to a = A c + b (Pang-Trinkle 1996, (1)-(5),
// (20)-(22)).
//
//     M_obj qdd = W c + f_obj                                  f_obj = g_obj + h_obj
//     M_man thdd = tau - J^T c - l_man                         l_man = g_man + h_man
//     a = W^T qdd - J thdd + bias                              bias = W-dot^T qd - J-dot thd
//
// The forces act on the object, n points into it. Object means everything that has no motors: several bodies
// are one object with a block diagonal M_obj.
//
// The variation of section 2: for some joints the acceleration is given and the torque unknown. With alpha
// the joints whose torque is given and beta the others, the rows alpha of the second line, less M_ab thdd_b,
// are the same problem for thdd_a, so
//
//     A = W^T M_obj^-1 W + J_a M_aa^-1 J_a^T
//     b = bias + W^T M_obj^-1 f_obj - J_a M_aa^-1 (tau - l_man - M_ab thdd_b)_a - J_b thdd_b
//
// and the rows beta give tau_b afterwards.
//
// Cost: two Cholesky factors and the products for A, (rows^2 / 2) (freedoms + joints) multiply-adds and more.
// Memory: sizeof(System) and sizeof(Reduction). Failure: reduce() is false where a size is out of range, a
// number is not finite, mu is negative, or an inertia matrix is not symmetric positive definite.
#pragma once

#include <array>

#include "tactus/contact/acceleration.hpp"
#include "tactus/contact/residual.hpp"
#include "tactus/math/cholesky.hpp"
#include "tactus/math/vector.hpp"

namespace tactus::contact::acceleration {

struct SystemSize {
  int contacts = 4;
  int freedoms = 6;  // of the object
  int joints = 6;    // of the manipulator; 0 for a fixture
};

// Plain data, filled by the caller. Matrices are row major without padding: M_obj is freedoms x freedoms, W
// is rows x freedoms (each row one column of the paper's W), J is rows x joints; rows run contact by contact,
// n, t
// (, o).
template <class Scalar, int Dim, SystemSize S>
struct System {
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;
  static constexpr int kRows = S.contacts * Dim;

  int contacts = 0, freedoms = 0, joints = 0;
  Array<Scalar, S.freedoms * S.freedoms> M_obj{};
  Array<Scalar, S.freedoms> f_obj{};  // g_obj + h_obj
  Array<Scalar, kRows * S.freedoms> W{};
  Array<Scalar, S.joints * S.joints> M_man{};
  Array<Scalar, S.joints> l_man{};  // g_man + h_man
  Array<Scalar, kRows * S.joints> J{};
  Array<Scalar, S.joints> tau{};   // read where the torque is given, N m (or N)
  Array<bool, S.joints> driven{};  // the acceleration is given and the torque unknown
  Array<Scalar, S.joints> thdd{};  // read where it is given
  Array<Scalar, kRows> bias{};     // m/s^2
  Array<Scalar, S.contacts> mu{};
  Array<Scalar, S.contacts*(Dim - 1)> velocity{};  // v_T of each contact; zero where it rolls
};

template <class Scalar, int Dim, SystemSize S>
struct Reduction {
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;
  static constexpr int kRows = S.contacts * Dim;

  Array<Scalar, kRows * kRows> A;
  Array<Scalar, kRows> b;

  // The motion that goes with the forces c: see recover().
  Array<Scalar, S.freedoms> qdd{};
  Array<Scalar, S.joints> thdd{}, tau{};

  // Scratch: the factors of M_obj and M_aa, L^-1 W^T and L^-1 J_a^T row by row, and right hand sides.
  Array<Scalar, S.freedoms * S.freedoms> L_obj;
  Array<Scalar, S.joints * S.joints> L_man;
  Array<Scalar, kRows * S.freedoms> U;
  Array<Scalar, kRows * S.joints> V;
  Array<Scalar, S.freedoms> x;
  Array<Scalar, S.joints> y;
  Array<int, S.joints> free;  // the joints alpha
  int free_count = 0;
};

namespace detail {

// Finite, and symmetric to rounding.
template <class Scalar>
inline bool is_symmetric(const Scalar* M, int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const Scalar x = M[i * n + j], y = M[j * n + i];
      const Scalar size = math::magnitude(M[i * n + i]) + math::magnitude(M[j * n + j]);
      if (!(math::magnitude(x - y) <= 256 * std::numeric_limits<Scalar>::epsilon() * size)) return false;
    }
  }
  return true;
}

template <class Scalar>
inline Scalar inner(const Scalar* a, const Scalar* b, int n) {
  Scalar sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

template <class Scalar>
inline bool all_finite(const Scalar* x, int n) {
  Scalar poison = 0;
  for (int i = 0; i < n; ++i) poison += x[i] * Scalar(0);
  return poison == 0;
}

}  // namespace detail

// Fills r.A and r.b.
template <class Scalar, int Dim, SystemSize S>
bool reduce(const System<Scalar, Dim, S>& s, Reduction<Scalar, Dim, S>& r) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const int rows = s.contacts * Dim, nq = s.freedoms, nj = s.joints;
  if (s.contacts < 0 || s.contacts > S.contacts || nq < 0 || nq > S.freedoms || nj < 0 || nj > S.joints)
    return false;
  using detail::all_finite;
  if (!all_finite(s.f_obj.data(), nq) || !all_finite(s.W.data(), rows * nq)) return false;
  if (!all_finite(s.l_man.data(), nj) || !all_finite(s.J.data(), rows * nj)) return false;
  if (!all_finite(s.bias.data(), rows) || !all_finite(s.mu.data(), s.contacts)) return false;
  if (!all_finite(s.velocity.data(), s.contacts * (Dim - 1))) return false;
  for (int i = 0; i < s.contacts; ++i)
    if (!(s.mu[at(i)] >= 0)) return false;
  if (!detail::is_symmetric(s.M_obj.data(), nq) || !detail::is_symmetric(s.M_man.data(), nj)) return false;

  // A given acceleration does not ask M_man to be definite in its joint; a matrix that is not is wrong all
  // the same.
  for (int i = 0; i < nj * nj; ++i) r.L_man[at(i)] = s.M_man[at(i)];
  if (math::factor(r.L_man.data(), nj, nj) < nj) return false;
  for (int i = 0; i < nq * nq; ++i) r.L_obj[at(i)] = s.M_obj[at(i)];
  if (math::factor(r.L_obj.data(), nq, nq) < nq) return false;
  r.free_count = 0;
  for (int j = 0; j < nj; ++j) {
    if (!all_finite(s.driven[at(j)] ? &s.thdd[at(j)] : &s.tau[at(j)], 1)) return false;
    if (!s.driven[at(j)]) r.free[at(r.free_count++)] = j;
  }
  const int na = r.free_count;
  for (int i = 0; i < na; ++i)
    for (int j = 0; j < na; ++j) r.L_man[at(i * na + j)] = s.M_man[at(r.free[at(i)] * nj + r.free[at(j)])];
  math::factor(r.L_man.data(), na, na);

  // The motion without contact forces, halfway: x = L^-1 f_obj, y = L^-1 (tau - l_man - M_ab thdd_b).
  for (int i = 0; i < nq; ++i) r.x[at(i)] = s.f_obj[at(i)];
  math::forward_substitute(r.L_obj.data(), nq, nq, r.x.data());
  for (int i = 0; i < na; ++i) {
    const int joint = r.free[at(i)];
    Scalar torque = s.tau[at(joint)] - s.l_man[at(joint)];
    for (int j = 0; j < nj; ++j)
      if (s.driven[at(j)]) torque -= s.M_man[at(joint * nj + j)] * s.thdd[at(j)];
    r.y[at(i)] = torque;
  }
  math::forward_substitute(r.L_man.data(), na, na, r.y.data());

  for (int k = 0; k < rows; ++k) {
    Scalar* const u = r.U.data() + k * nq;
    Scalar* const v = r.V.data() + k * na;
    for (int i = 0; i < nq; ++i) u[i] = s.W[at(k * nq + i)];
    for (int i = 0; i < na; ++i) v[i] = s.J[at(k * nj + r.free[at(i)])];
    math::forward_substitute(r.L_obj.data(), nq, nq, u);
    math::forward_substitute(r.L_man.data(), na, na, v);
    Scalar b = s.bias[at(k)] + detail::inner(u, r.x.data(), nq) - detail::inner(v, r.y.data(), na);
    for (int j = 0; j < nj; ++j)
      if (s.driven[at(j)]) b -= s.J[at(k * nj + j)] * s.thdd[at(j)];
    r.b[at(k)] = b;
    for (int l = 0; l <= k; ++l) {
      const Scalar entry =
          detail::inner(u, r.U.data() + l * nq, nq) + detail::inner(v, r.V.data() + l * na, na);
      r.A[at(k * rows + l)] = r.A[at(l * rows + k)] = entry;
    }
  }
  return true;
}

// The reduced problem as a view; s and r must outlive it.
template <class Scalar, int Dim, SystemSize S>
Problem<Scalar, Dim> problem(const System<Scalar, Dim, S>& s, const Reduction<Scalar, Dim, S>& r) {
  Problem<Scalar, Dim> p;
  p.contact = {s.contacts, r.A.data(), s.contacts * Dim, r.b.data(), s.mu.data(), nullptr};
  p.velocity = s.velocity.data();
  return p;
}

namespace detail {

// A sum of which it is known how large its terms were.
template <class Scalar>
struct Terms {
  Scalar sum, size;

  explicit Terms(Scalar first) : sum(first), size(math::magnitude(first)) {}
  void add(Scalar term) {
    sum += term;
    size += math::magnitude(term);
  }
  Scalar breach() const { return size > 0 ? math::magnitude(sum) / size : Scalar(0); }
};

// qdd and thdd under the forces c.
template <class Scalar, int Dim, SystemSize S>
void accelerate(const System<Scalar, Dim, S>& s, const Scalar* c, Reduction<Scalar, Dim, S>& r) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const int rows = s.contacts * Dim, nq = s.freedoms, nj = s.joints, na = r.free_count;
  for (int i = 0; i < nq; ++i) r.qdd[at(i)] = r.x[at(i)];
  for (int k = 0; k < rows; ++k)
    for (int i = 0; i < nq; ++i) r.qdd[at(i)] += r.U[at(k * nq + i)] * c[k];
  math::back_substitute(r.L_obj.data(), nq, nq, r.qdd.data());
  Scalar free_acceleration[at(S.joints > 0 ? S.joints : 1)];
  for (int i = 0; i < na; ++i) {
    free_acceleration[i] = r.y[at(i)];
    for (int k = 0; k < rows; ++k) free_acceleration[i] -= r.V[at(k * na + i)] * c[k];
  }
  math::back_substitute(r.L_man.data(), na, na, free_acceleration);
  for (int j = 0; j < nj; ++j) r.thdd[at(j)] = s.thdd[at(j)];
  for (int i = 0; i < na; ++i) r.thdd[at(r.free[at(i)])] = free_acceleration[i];
}

// How far the object is off its balance of forces. F: the largest of c.
template <class Scalar, int Dim, SystemSize S>
Scalar object_breach(const System<Scalar, Dim, S>& s, const Scalar* c, Scalar F,
                     const Reduction<Scalar, Dim, S>& r) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const int rows = s.contacts * Dim, nq = s.freedoms;
  Scalar worst = 0;
  for (int i = 0; i < nq; ++i) {
    Terms<Scalar> row(s.f_obj[at(i)]);
    for (int k = 0; k < rows; ++k) {
      row.add(s.W[at(k * nq + i)] * c[k]);
      row.size += math::magnitude(s.W[at(k * nq + i)]) * F;
    }
    for (int j = 0; j < nq; ++j) row.add(-s.M_obj[at(i * nq + j)] * r.qdd[at(j)]);
    worst = contact::worst(worst, row.breach());
  }
  return worst;
}

// The same of the manipulator's joints, whose torques it writes.
template <class Scalar, int Dim, SystemSize S>
Scalar joint_breach(const System<Scalar, Dim, S>& s, const Scalar* c, Scalar F,
                    Reduction<Scalar, Dim, S>& r) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const int rows = s.contacts * Dim, nj = s.joints;
  Scalar worst = 0;
  for (int i = 0; i < nj; ++i) {
    Terms<Scalar> row(s.l_man[at(i)]);
    for (int k = 0; k < rows; ++k) {
      row.add(s.J[at(k * nj + i)] * c[k]);
      row.size += math::magnitude(s.J[at(k * nj + i)]) * F;
    }
    for (int j = 0; j < nj; ++j) row.add(s.M_man[at(i * nj + j)] * r.thdd[at(j)]);
    r.tau[at(i)] = s.driven[at(i)] ? row.sum : s.tau[at(i)];
    if (s.driven[at(i)]) continue;
    row.add(-s.tau[at(i)]);
    worst = contact::worst(worst, row.breach());
  }
  return worst;
}

// And of the contacts' accelerations a.
template <class Scalar, int Dim, SystemSize S>
Scalar contact_breach(const System<Scalar, Dim, S>& s, const Scalar* a, Scalar F,
                      const Reduction<Scalar, Dim, S>& r) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const int rows = s.contacts * Dim, nq = s.freedoms, nj = s.joints;
  Scalar worst = 0;
  for (int k = 0; k < rows; ++k) {
    Terms<Scalar> row(s.bias[at(k)] - a[k]);
    row.size = math::magnitude(r.b[at(k)]) + math::magnitude(a[k]);
    for (int l = 0; l < rows; ++l) row.size += math::magnitude(r.A[at(k * rows + l)]) * F;
    for (int j = 0; j < nq; ++j) row.add(s.W[at(k * nq + j)] * r.qdd[at(j)]);
    for (int j = 0; j < nj; ++j) row.add(-s.J[at(k * nj + j)] * r.thdd[at(j)]);
    worst = contact::worst(worst, row.breach());
  }
  return worst;
}

}  // namespace detail

// qdd, thdd and tau that go with the forces c, from (1) and (2). Returns the largest breach of (1)-(5) on the
// caller's matrices, each row by the sum of the magnitudes of its terms and of what the largest of c would
// add; a is that of the reduced problem.
template <class Scalar, int Dim, SystemSize S>
Scalar recover(const System<Scalar, Dim, S>& s, const Scalar* c, const Scalar* a,
               Reduction<Scalar, Dim, S>& r) {
  detail::accelerate(s, c, r);
  Scalar F = 0;
  for (int k = 0; k < s.contacts * Dim; ++k) F = math::larger(F, math::magnitude(c[k]));
  const Scalar of_object = detail::object_breach(s, c, F, r);
  const Scalar of_joints = detail::joint_breach(s, c, F, r);
  const Scalar of_contacts = detail::contact_breach(s, a, F, r);
  return contact::worst(contact::worst(of_object, of_joints), of_contacts);
}

}  // namespace tactus::contact::acceleration
