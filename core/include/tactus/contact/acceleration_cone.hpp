// Coulomb's cone at the level of accelerations, Pang-Trinkle 1996 (7), (10) and (33), by Newton's method.
//
// The four lines of (33) and the complementarity of the normals are, contact by contact, one fixed point:
// with any rho > 0 and P_r the projection on the disc of radius r,
//
//     c_n = max(0, c_n - rho a_n),     c_T = P_{mu c_n}(c_T - rho a_T)  where it rolls,  (11) where it slides
//
// (Alart and Curnier's functions), which fixed_point.hpp solves. The path A + eps I on which it falls
// back is the one by which the paper proves that a solution exists (Theorem 5).
//
// Newton's method proves nothing where it fails. What is proved then is what the pyramid proves: in the plane
// the two laws are one, and where every contact slides the cone is not met at all. Else: undecided.
//
// Cost: see fixed_point.hpp. Memory: sizeof(ConeWorkspace).
#pragma once

#include <array>

#include "tactus/contact/acceleration.hpp"
#include "tactus/contact/fixed_point.hpp"

namespace tactus::contact::acceleration {

template <class Scalar, int Dim, int Contacts>
struct ConeWorkspace {
  static constexpr int kRows = Contacts * Dim;
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;

  Array<Scalar, kRows> c{};  // N: n, t (, o) of each contact; read as the start of the iteration
  Array<Scalar, kRows> a{};  // m/s^2

  // Scratch.
  Array<Scalar, kRows * kRows> J;
  FixedPointArrays<Scalar, kRows> rest;
};

// The projection on Coulomb's law, with the direction of sliding known where there is sliding.
template <class Scalar, int Dim>
struct CoulombLaw {
  static constexpr bool kWhole = false;
  const Problem<Scalar, Dim>& p;

  void project(int i, Scalar (&x)[Dim]) const {
    x[0] = x[0] > 0 ? x[0] : Scalar(0);
    const Scalar limit = p.contact.mu[i] * x[0];
    if (p.slides(i)) {
      for (int k = 1; k < Dim; ++k) x[k] = -limit * p.direction(i, k - 1);
      return;
    }
    Scalar size = 0;
    for (int k = 1; k < Dim; ++k) size += x[k] * x[k];
    size = std::sqrt(size);
    if (size > limit)
      for (int k = 1; k < Dim; ++k) x[k] *= limit / size;
  }

  void differentiate(int i, const Scalar (&x)[Dim], Scalar (&G)[Dim][Dim]) const {
    if (!(x[0] > 0)) return;
    G[0][0] = 1;
    const Scalar mu = p.contact.mu[i], limit = mu * x[0];
    Scalar size = 0;
    for (int k = 1; k < Dim; ++k) size += x[k] * x[k];
    size = std::sqrt(size);
    for (int k = 1; k < Dim; ++k) {
      if (p.slides(i)) {
        G[k][0] = -mu * p.direction(i, k - 1);
      } else if (!(size > limit)) {
        G[k][k] = 1;
      } else {
        G[k][0] = mu * x[k] / size;
        for (int l = 1; l < Dim; ++l)
          G[k][l] = limit / size * ((k == l ? Scalar(1) : Scalar(0)) - x[k] / size * (x[l] / size));
      }
    }
  }
};

// Finds c and a (ws.c, ws.a) that obey the cone. ws.c is where it starts: the pyramid's answer is a good
// place, zero will do. Answer::pivots counts linear systems.
template <class Scalar, int Dim, int Contacts, Clock Time = const NoClock>
Answer<Scalar> solve_cone(const Problem<Scalar, Dim>& p, ConeWorkspace<Scalar, Dim, Contacts>& ws,
                          const FixedPointOptions& options = {}, Time& clock = kNoClock) {
  Answer<Scalar> answer;
  if (!is_valid(p, Contacts)) return answer;
  const CoulombLaw<Scalar, Dim> law{p};
  const auto scratch = ws.rest.with(ws.J.data());
  lcp::Budget<Time> budget(options.iterations, clock);
  contact::detail::FixedPoint<Scalar, Dim, CoulombLaw<Scalar, Dim>, Time> point(p.contact, law, scratch,
                                                                                ws.c.data(), budget);
  const auto residual = [&] { return measure(p, Law::cone, ws.c.data(), ws.a.data()); };
  point.solve(options, kSolved<Scalar>, residual);
  answer.pivots = budget.used();
  answer.residual = residual();
  answer.status = answer.residual <= kSolved<Scalar> ? Status::solved : Status::undecided;
  return answer;
}

}  // namespace tactus::contact::acceleration
