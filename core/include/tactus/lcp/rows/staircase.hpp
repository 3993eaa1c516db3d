// A row's line as a walk: level and upright segments in turn, numbered upwards as p grows.
//
//    p |  4                  p |     5 high         bounded, 0 to 4           two-sided, 1 to 5
//      |  |                    |----+                4  s = stop_lo            5  p = hi      level
//      |  +--3--+              |    4                3  p = hi                 4  s = 0       upright
//      |        2              |    +--3--+          2  s = 0                  3  p = 0       level
//      |        +--1--+        |          2          1  p = lo                 2  s = 0       upright
//      |              0        |          +-- 1      0  s = stop_hi            1  p = lo      level
//
// What is not there (a stop at infinity, friction where there is a stop) is cut off at the ends, so from a
// segment the next is always one number up or down. Corners are straight lines in t, the parameter of the
// path: for t > 0 every upright stands off by d t and bounds of p are wider by e t, so that at a large t
// every row is at the level where it begins; at t = 0 they are the row's. A two-sided row, a tangent or a
// bilateral one, begins at p = 0 between two uprights that come together at t = 0; where the path begins at
// an answer (`covered` is false) it has but one: 1 to 3.
//
// On its segment a row is two numbers. nu, which is zero, is how far it is off the segment; beta, which is
// not negative, is how far it has come from the corner by which it entered, and `side` says from which end
// that was: +1 from the segment below, -1 from the one above. With that corner at (S, P):
//
//     upright:  p = P + side beta,  s = S + side nu        level:  s = S - side beta,  p = P - side nu
//
// so with sign = side on an upright, -side on a level segment, and (x, y) = (beta, nu) there, (nu, beta)
// here:
//
//     p = P + sign x,   y = sign (s - S)
#pragma once

#include "tactus/bound.hpp"
#include "tactus/lcp/rows/problem.hpp"
#include "tactus/math/arithmetic.hpp"

namespace tactus::lcp::rows {

inline constexpr Index kNone = -1;

// at + slope t + share mu p_n
template <class Scalar>
struct Line {
  Scalar at = 0, slope = 0, share = 0;
};

enum class Shape : std::uint8_t {
  from_low,   // bounded, begins at p = lo
  from_high,  // bounded, begins at p = hi
  two_sided   // begins at p = 0
};

template <class Scalar>
struct Stair {
  Index row = 0;                   // of the problem
  Index normal = kNone;            // of a tangent: its normal row's stair
  Index position = 0, column = 0;  // of beta and nu in the dictionary
  Shape shape = Shape::from_low;
  bool covered = false;
  std::int8_t segment = 0, side = 0, first = 0, last = 0;
  bool has_near = false, has_far = false;  // an end of the segment by which it entered, and another
  Scalar scale = 1;     // a power of two: s scale and p / scale are of one size for all rows
  Scalar d = 0, e = 0;  // what t adds
  Scalar mu = 0;        // between scaled p
  Scalar size = 0;      // of the numbers that its rounding is measured by
  Line<Scalar> width;   // of a segment that has both ends

  bool upright() const { return (segment & 1) == 0; }
  int sign() const { return upright() ? side : -side; }
  int near_end() const { return segment - side; }
  int far_end() const { return segment + side; }
  bool has(int j) const { return first <= j && j <= last; }
  int top() const { return covered ? 5 : 3; }  // the level p = hi of a two-sided row
};

namespace detail {

// Whether segment 2 of a bounded row is a stop: there is no friction, or it stands beyond s = 0.
template <class Scalar>
bool stop_only(const Row<Scalar>& r, Shape shape) {
  return r.lo == r.hi || (shape == Shape::from_low ? r.stop_lo >= 0 : r.stop_hi <= 0);
}

template <class Scalar>
bool is_two_sided(const Row<Scalar>& r) {
  return r.kind == Kind::tangent || r.stop_lo == r.stop_hi ||
         (r.lo == -kInfinity<Scalar> && r.hi == kInfinity<Scalar>);
}

template <class Scalar>
bool nearer_to_stop_hi(const Row<Scalar>& r, Scalar s) {
  return !(s - r.stop_lo < r.stop_hi - s);
}

}  // namespace detail

// s of upright segment j, or p of a level one, in scaled units.
template <class Scalar>
TACTUS_ONE_COPY Line<Scalar> line_of(const Stair<Scalar>& k, const Row<Scalar>& r, int j) {
  if (k.shape == Shape::two_sided) {
    if (j == k.top()) return {0, k.e, 1};
    if (j == 1) return {0, -k.e, -1};
    if (j == 3) return {};
    const Scalar s = r.stop_lo == r.stop_hi ? r.stop_lo * k.scale : Scalar(0);
    return {s, j == 2 ? k.d : -k.d, 0};
  }
  const bool low = k.shape == Shape::from_low;
  if (j == 0) return {r.stop_hi * k.scale, k.d, 0};
  if (j == 4) return {r.stop_lo * k.scale, -k.d, 0};
  if (j == 1) return {r.lo / k.scale, low ? Scalar(0) : -k.e, 0};
  if (j == 3) return {r.hi / k.scale, low ? k.e : Scalar(0), 0};
  const Scalar s = !detail::stop_only(r, k.shape) ? Scalar(0) : low ? r.stop_lo : r.stop_hi;
  return {s * k.scale, low ? -k.d : k.d, 0};
}

// Shape, ends and first segment of a row whose s is about b. False if its p cannot change.
template <class Scalar>
bool begin_stair(Stair<Scalar>& k, const Row<Scalar>& r, Scalar b, bool covered) {
  k.covered = covered;
  if (detail::is_two_sided(r)) {
    const bool tangent = r.kind == Kind::tangent;
    k.shape = Shape::two_sided;
    k.first = tangent ? 1 : 2;
    k.last = static_cast<std::int8_t>(k.top() - (tangent ? 0 : 1));
    k.segment = covered ? 3 : 2;
    k.side = -1;
    return !tangent || r.hi > 0;
  }
  const bool lo = r.lo > -kInfinity<Scalar>, hi = r.hi < kInfinity<Scalar>, rubs = r.lo < r.hi;
  const bool low = !hi || (lo && (!rubs || r.stop_lo >= 0 || (b >= 0 && !(r.stop_hi <= 0))));
  k.shape = low ? Shape::from_low : Shape::from_high;
  const bool joined = detail::stop_only(r, k.shape);
  k.first = r.stop_hi < kInfinity<Scalar> ? 0 : 1;
  k.last = r.stop_lo > -kInfinity<Scalar> ? 4 : 3;
  if (!rubs)
    k.last = k.last == 4 ? 2 : 1;
  else if (low && (joined || !hi))
    k.last = 2;
  else if (!low && (joined || !lo))
    k.first = 2;
  k.segment = low ? 1 : 3;
  // Without friction beta is counted from the nearer stop: the other may be so far away that s has no digits.
  k.side = low && (rubs || !detail::nearer_to_stop_hi(r, b)) ? -1 : 1;
  return k.first < k.last;
}

// Where a row goes whose last state is known. Stairs of normal rows first.
template <class Scalar>
void take_state(Stair<Scalar>& k, const Row<Scalar>& r, Scalar b, State state, bool closed) {
  int j = 2;
  if (state == State::low) j = 1;
  if (state == State::high) j = 3;
  if (state == State::at_stop_hi) j = 0;
  if (state == State::at_stop_lo) j = 4;
  if (state == State::unknown && r.kind == Kind::unilateral && !(b < 0)) j = 1;
  if (r.kind == Kind::tangent && !closed && (j & 1) == 0) j = b > 0 ? 1 : 3;  // there is no p to hold it
  if (k.shape != Shape::two_sided && r.lo == r.hi) j = j == 4 ? 2 : j == 0 ? 0 : 1;
  j = j < k.first ? k.first : j > k.last ? k.last : j;
  k.segment = static_cast<std::int8_t>(j);
  // An upright is entered from below where that can be, a level from s = 0 or the nearer stop.
  bool below = k.upright() ? k.has(j - 1) : j == 3;
  if (j == 1 && r.lo == r.hi && r.kind == Kind::bounded) below = detail::nearer_to_stop_hi(r, b);
  k.side = below ? 1 : -1;
}

// The segment's width and ends, after a change.
template <class Scalar>
TACTUS_ONE_COPY void measure(Stair<Scalar>& k, const Row<Scalar>& r) {
  k.has_near = k.has(k.near_end());
  k.has_far = k.has_near && k.has(k.far_end());
  if (!k.has_far) return;
  const auto near = line_of(k, r, k.near_end()), far = line_of(k, r, k.far_end());
  const Scalar sign = k.sign() > 0 ? Scalar(1) : Scalar(-1);
  k.width = {sign * (far.at - near.at), sign * (far.slope - near.slope),
             sign * (far.share - near.share) * k.mu};
}

// The state that a segment is at t = 0.
template <class Scalar>
State state_of(const Stair<Scalar>& k, const Row<Scalar>& r) {
  if (k.shape == Shape::two_sided)
    return k.segment == 1 ? State::low : k.segment == k.top() ? State::high : State::held;
  if (k.segment == 0) return State::at_stop_hi;
  if (k.segment == 1) return State::low;
  if (k.segment == 3) return State::high;
  if (k.segment == 4) return State::at_stop_lo;
  if (r.kind == Kind::unilateral || !detail::stop_only(r, k.shape)) return State::held;
  return k.shape == Shape::from_low ? State::at_stop_lo : State::at_stop_hi;
}

}  // namespace tactus::lcp::rows
