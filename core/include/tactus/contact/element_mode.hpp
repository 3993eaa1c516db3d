// What is known of an element before its forces are: whether it is closed, and which of its tangential forces
// friction bounds, along which direction.
#pragma once

#include "tactus/contact/problem.hpp"
#include "tactus/math/arithmetic.hpp"

namespace tactus::contact::guess {

// Dim: rows of an element, 2 in the plane, 3 in space, 4 with torsion.
template <class Scalar, int Dim>
struct ElementMode {
  static constexpr int kTangents = Dim - 1, kAcross = Dim - 2;
  static constexpr Scalar kFixed = -1;

  bool closed;
  bool bound[kTangents];  // this tangential force is mu lambda_n g
  Scalar g[kTangents];
  Scalar pull[kTangents];  // mu g, 0 where it is not bound
  Scalar give;             // of a slip that may turn, m/s/N; kFixed of all others
  Scalar across[kAcross > 0 ? kAcross : 1][kTangents];  // unit, at right angles to g: of a slip that may turn

  bool turns() const { return Dim > 2 && give >= 0; }

  // Lets the slip along the unit vector g turn.
  void turn_with(Scalar give_of_slip) {
    give = give_of_slip;
    if constexpr (Dim == 3) {
      across[0][0] = -g[1];
      across[0][1] = g[0];
    } else if constexpr (Dim == 4) {  // Duff and others 2017: no direction divides by less than 1
      const Scalar sign = g[2] < 0 ? Scalar(-1) : Scalar(1), c = -1 / (sign + g[2]), d = g[0] * g[1] * c;
      across[0][0] = 1 + sign * g[0] * g[0] * c;
      across[0][1] = sign * d;
      across[0][2] = -sign * g[0];
      across[1][0] = d;
      across[1][1] = sign + g[1] * g[1] * c;
      across[1][2] = -g[1];
    }
  }
  // across_k . x, the components of x `step` apart.
  Scalar part(int k, const Scalar* x, int step = 1) const {
    Scalar sum = across[k][0] * x[0];
    for (int c = 1; c < kTangents; ++c) sum = math::multiply_add(across[k][c], x[c * step], sum);
    return sum;
  }
};

// What a search is compiled with: plain rows, the relaxed law, motors with a limit.
struct Parts {
  bool plain = true, relaxed = true, driven = true;
};

}  // namespace tactus::contact::guess
