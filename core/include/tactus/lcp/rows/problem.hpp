// A problem of rows: s = A p + b, and on every row a line that never rises ties p to s.
//
//       p |  stop_lo
//         |     |
//      hi |.....+----+                       bounded: p in [lo, hi], p = lo where s > 0 and hi where s < 0;
//         |          |  held                 at a stop p goes on beyond. Friction of a joint, its effort and
//         its
//     ----+----------+------------- s        two limits are one row. A stop may lie on the other side of 0.
//         |          |                       bilateral: lo = -inf, hi = inf, so s = 0
//      lo |          +--------+.....         unilateral: lo = 0, hi = inf, so 0 <= p _|_ s >= 0
//         |                   |              tangent: lo = -mu p_n, hi = mu p_n, p_n that of a unilateral row
//                          stop_hi
//
// A is symmetric and positive semidefinite, all compliance included. Nothing here knows physics or units: p
// and s may be impulses and speeds, torques and angles, each row in its own. What makes rows comparable are
// the units d_i = sqrt(A_ii): p_i d_i and s_i / d_i are of one size. A pyramid of four facets is two
// tangents.
//
// There is an answer if no sum of unilateral rows and stops that presses against itself (x >= 0, A x = 0)
// asks for a negative gap, or if the rows with b_i < 0 in such a sum have compliance; friction and bounds ask
// for nothing (copositive, Cottle, Pang, Stone 1992, 4.4.12). Plain data; nothing allocates, throws or
// prints.
#pragma once

#include <cstdint>
#include <limits>

namespace tactus::lcp::rows {

using Index = std::int16_t;

template <class Scalar>
inline constexpr Scalar kInfinity = std::numeric_limits<Scalar>::infinity();

enum class Kind : std::uint8_t { bounded, unilateral, tangent };

template <class Scalar>
struct Row {
  Kind kind = Kind::unilateral;
  Index normal = -1;                                                 // of a tangent: its unilateral row
  Scalar lo = 0, hi = kInfinity<Scalar>;                             // lo <= hi; of a tangent hi is mu
  Scalar stop_lo = -kInfinity<Scalar>, stop_hi = kInfinity<Scalar>;  // stop_lo <= stop_hi; of a bounded row

  static constexpr Row unilateral() { return {}; }
  static constexpr Row tangent(Index normal, Scalar mu) { return {Kind::tangent, normal, 0, mu}; }
  static constexpr Row bounded(Scalar lo, Scalar hi, Scalar stop_lo = -kInfinity<Scalar>,
                               Scalar stop_hi = kInfinity<Scalar>) {
    return {Kind::bounded, -1, lo, hi, stop_lo, stop_hi};
  }
  static constexpr Row bilateral() { return bounded(-kInfinity<Scalar>, kInfinity<Scalar>); }
};

// A view of the caller's data; it owns nothing.
template <class Scalar>
struct Problem {
  int n = 0;
  const Scalar* A = nullptr;  // row major, row i starts at A + i * stride
  int stride = 0;             // scalars from one row to the next, >= n
  const Scalar* b = nullptr;
  const Row<Scalar>* row = nullptr;
  const Scalar* d = nullptr;  // optional: the units, all positive
};

// Where on its line a row is. A tangent of an open contact is low or high by the sign of its s.
enum class State : std::uint8_t {
  unknown,     // there is no last answer, or the row took no part in it
  low,         // p = lo; of a unilateral row: open
  held,        // s = 0; of a unilateral row: closed
  high,        // p = hi
  at_stop_lo,  // s = stop_lo, p >= hi
  at_stop_hi   // s = stop_hi, p <= lo
};

}  // namespace tactus::lcp::rows
