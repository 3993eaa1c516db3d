// What a linear complementarity problem is, and what an answer to one says.
//
//     find z >= 0  with  w = M z + q >= 0  and  z_i w_i = 0 for every i.
//
// Nothing here knows physics. All types are plain data; nothing allocates, throws or prints.
#pragma once

#include <cstdint>

namespace tactus::lcp {

// A view of the caller's data; it owns nothing and must outlive the call it is given to.
template <class Scalar>
struct Problem {
  int n = 0;                            // unknowns
  const Scalar* M = nullptr;            // row major, row i starts at M + i * stride
  int stride = 0;                       // scalars from one row to the next, >= n
  const Scalar* q = nullptr;            // n scalars
  const std::uint8_t* block = nullptr;  // optional: 0 or 1 for each unknown, the same for unknowns of the
                                        // same unit (impulses 0, speeds 1); only the residual looks at it
};

enum class Status : std::uint8_t {
  solved,       // the certificate holds
  ray,          // every rule ended on a secondary ray; the first one is kept in the workspace
  pivot_limit,  // the budget is spent; z is the best iterate so far, and its certificate says how bad it is
  bad_input     // n out of range, a null pointer, or a number that is not finite; nothing was computed
};

// Recomputed from the caller's M and q after the solve, never from the solver's own tableau.
template <class Scalar>
struct Certificate {
  Scalar min_z = 0;            // smallest z_i, in its own unit (0 when n = 0)
  Scalar min_w = 0;            // smallest w_i, in its own unit
  Scalar complementarity = 0;  // largest |z_i w_i|
  Scalar residual = 0;         // scaled natural residual, see certificate.hpp
  Scalar unit_free = 0;        // the same in scaled units: what the solver decides by
};

template <class Scalar>
struct Answer {
  Status status = Status::bad_input;
  int pivots = 0;     // over all rules that were tried
  bool warm = false;  // the caller's guess was right: no pivot was needed
  Certificate<Scalar> certificate;
};

}  // namespace tactus::lcp
