// The one frictional contact problem every law becomes (Song 2004 (13), (14); Stewart 2000 (2.11)-(2.15)):
//
//     s = A lambda + b
//     0 <= lambda_n  _|_  s_n >= 0,       lambda_t opposes s_t within the friction set F(mu lambda_n)
//
// lambda in N, s in m/s, A = h W M^-1 W^T + R. Elements are the rows' owners: element i has the rows i * Dim
// (normal) to i * Dim + Dim - 1 (tangential t, in space also o). Nothing here knows of time: h is inside A
// and b.
#pragma once

#include <cstdint>

#include "tactus/contact/staircase.hpp"

namespace tactus::contact {

// A view of the caller's data. Row r of A starts at A + r * stride; A is symmetric positive semidefinite.
//
// First come `plain` rows that are no contact's: joints, each with its staircase. Then the elements, Dim rows
// (n, t (, o)) each.
template <class Scalar, int Dim>
struct Problem {
  int elements = 0;
  const Scalar* A = nullptr;
  int stride = 0;
  const Scalar* b = nullptr;
  const Scalar* mu = nullptr;    // one coefficient an element
  const Scalar* slip = nullptr;  // space, pyramids of facets only: the unit direction (t, o) that the first
                                 // facet direction of each element takes, two numbers an element; null: t
  int plain = 0;
  int driven = 0;                                // of these, the last: motors with a limit
  const Staircase<Scalar>* staircase = nullptr;  // one a plain row

  static constexpr int kRows = Dim;
  static constexpr int kTangents = Dim - 1;
  int rows() const { return plain + elements * kRows; }
  int first(int element) const { return plain + element * kRows; }
  // The speed that plain row r is about: |b|, and no more than what a motor with a limit can do.
  template <bool kDriven>
  Scalar plain_speed(int r) const {
    const Scalar speed = b[r] < 0 ? -b[r] : b[r];
    if (!kDriven || r < plain - driven) return speed;
    const Scalar most = staircase[r].friction * A[r * (stride + 1)];
    return most < speed ? most : speed;
  }
};

// How a friction set becomes linear. In space the step has box as it is; by facets its friction opposes the
// slip.
enum class Pyramid : std::uint8_t {
  box,    // |lambda_t| <= mu lambda_n and |lambda_o| <= mu lambda_n, each by itself: Song 2004 (16), LCP (18)
  facets  // conv{ mu lambda_n d_k }, k directions: Stewart 2000 (2.14)-(2.15), LCP (2.16)
};

// In the plane the two are the same set, and exact.

enum class Mode : std::uint8_t {
  open,   // no normal force
  stick,  // inside the friction set, no slip
  slip    // on its border
};

}  // namespace tactus::contact
