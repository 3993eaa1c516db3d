// The modes of a search, and how they are given: what the last step or another solver tells of them, and what
// an element does that slips, closes or lets go. Nothing here fails. Cost: some tens of operations an
// element, and a square root where it slips. Memory: the caller's (Arrays).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tactus/contact/element_mode.hpp"
#include "tactus/contact/remembered.hpp"

namespace tactus::contact::guess {

// Relative limits, as those of the certificate.
template <class Scalar>
inline constexpr Scalar kAccepted = sizeof(Scalar) == 8 ? Scalar(1e-10) : Scalar(1e-5);

// The same of what Newton's step of a direction could still make better: its next try would be exact.
template <class Scalar>
inline constexpr Scalar kTurned = sizeof(Scalar) == 8 ? Scalar(1e-13) : kAccepted<Scalar>;

// The angle between friction and slip that is left alone.
template <class Scalar>
inline constexpr Scalar kAligned = sizeof(Scalar) == 8 ? Scalar(1e-12) : Scalar(2e-3);

// The caller's arrays. One an element: mode, used. One a plain row: plain. One a row: row, work, lambda, s,
// three of row and work at least. scratch: the square of the unknown rows.
template <class Scalar, int Dim>
struct Arrays {
  RowMode* plain;
  ElementMode<Scalar, Dim>* mode;
  std::int16_t* row;
  Scalar *work, *scratch, *lambda, *s, *used;
};

// What friction a search is for.
enum class Friction : std::uint8_t {
  box,     // each tangential row bounded by itself; in the plane it is all there is
  round,   // it opposes the slip
  relaxed  // the same, and what slips is held at s_n = mu |s_T| (Negrut 2017 (5d))
};

template <class Scalar, int Dim, Parts kParts>
class Modes {
 public:
  using Mode = ElementMode<Scalar, Dim>;
  static constexpr int kTangents = Dim - 1;

  Modes(const Problem<Scalar, Dim>& problem, Friction friction, const Arrays<Scalar, Dim>& to)
      : p_(problem),
        round_(friction == Friction::relaxed || (Dim > 2 && friction != Friction::box)),
        relaxed_(friction == Friction::relaxed),
        to_(to) {}

  // The mode of element i from forces and speeds that another solver has left in lambda and s; `bound`: which
  // of its tangential forces are all that their rows may take.
  void take(int i, bool closed, const bool (&bound)[kTangents]) {
    Mode& m = to_.mode[i];
    free(m);
    m.closed = closed;
    const Scalar* const f = to_.lambda + first_of(i);
    const Scalar* const s = to_.s + first_of(i);
    bool slips = false;
    for (int k = 0; k < kTangents; ++k) {
      slips = slips || (closed && bound[k]);
      if (closed && bound[k] && !round()) bind(i, k, f[1 + k] > 0 ? Scalar(1) : Scalar(-1));
    }
    if (!slips || !round()) return;
    // At its limit and at rest: rounding has no direction.
    const Scalar* const b = p_.b + first_of(i);
    const Scalar rest = kAccepted<Scalar> * math::larger(math::magnitude(b[0]), length(b + 1));
    if (length(s + 1) <= rest && length(f + 1) > 0) return slide(i, f + 1, length(f + 1));
    slide_against(i, s);
    const Scalar limit = p_.mu[i] * f[0];
    if (limit > 0) m.turn_with(length(s + 1) / limit);
  }

 protected:
  int plain_rows() const { return kParts.plain ? p_.plain : 0; }
  int first_of(int element) const { return plain_rows() + Dim * element; }
  bool round() const { return (Dim > 2 || kParts.relaxed) && round_; }
  bool relaxed() const { return kParts.relaxed && relaxed_; }
  Scalar a(int i, int j) const { return p_.A[i * p_.stride + j]; }
  void bind(int i, int k, Scalar g) {
    Mode& m = to_.mode[i];
    m.bound[k] = true;
    m.g[k] = g;
    m.pull[k] = p_.mu[i] * g;
  }
  // Friction along x, of any length but 0; it may turn where `give` is not kFixed.
  void slide(int i, const Scalar* x, Scalar size, Scalar give = Mode::kFixed) {
    Mode& m = to_.mode[i];
    for (int k = 0; k < kTangents; ++k) bind(i, k, x[k] / size);
    m.give = Mode::kFixed;
    if (p_.mu[i] > 0 && give >= 0) m.turn_with(give);
  }
  static Scalar length(const Scalar* x) {
    Scalar sum = x[0] * x[0];
    for (int k = 1; k < kTangents; ++k) sum += x[k] * x[k];
    return std::sqrt(sum);
  }
  static Scalar product(const Scalar* x, const Scalar* y) {
    Scalar sum = x[0] * y[0];
    for (int k = 1; k < kTangents; ++k) sum += x[k] * y[k];
    return sum;
  }
  void free(Mode& m) {
    for (int k = 0; k < kTangents; ++k) {
      m.bound[k] = false;
      m.pull[k] = 0;
    }
    m.give = Mode::kFixed;
  }

  // Whether a normal force would do anything.
  bool can_move(int i) const { return a(first_of(i), first_of(i)) > 0; }

  // An element that was closed is, and so is one that the free motion would press in, unless others have
  // lifted it last: where contacts are redundant, who was open there at rest was chance.
  void first_guess(int i, Remembered was) {
    Mode& m = to_.mode[i];
    free(m);
    const Scalar* const b = p_.b + first_of(i);
    const bool known = was.normal() == Remembered::closed;
    m.closed = can_move(i) && (known || (b[0] < 0 && was.normal() != Remembered::lifted));
    if (!m.closed) return;
    if (!known) return close(i, b);
    if (round()) {
      if (was.tangent(0) != Remembered::sticks) slide_again(i, was, b);
      return;
    }
    for (int k = 0; k < kTangents; ++k)
      if (was.tangent(k) != Remembered::sticks)
        bind(i, k, was.tangent(k) == Remembered::pulls_up ? Scalar(1) : Scalar(-1));
  }

  // Closes an element with the mode that the speeds s (n, t (, o)) ask for.
  void close(int i, const Scalar* s) {
    Mode& m = to_.mode[i];
    m.closed = true;
    free(m);
    if (round()) {
      if (slips(i, s[0], length(s + 1))) slide_against(i, s);
      return;
    }
    for (int k = 0; k < kTangents; ++k)
      if (slips(i, s[0], s[1 + k])) bind(i, k, s[1 + k] > 0 ? Scalar(-1) : Scalar(1));
  }

  // Friction as it was, or if that is not known against the speeds s.
  void slide_again(int i, Remembered was, const Scalar* s) {
    if constexpr (Dim == 3) {
      Scalar g[2];
      if (was.read_direction(s + 1, g)) {
        const Scalar size = length(g);
        if (size > 0) return slide(i, g, size);
      }
    }
    slide_against(i, s);
  }

  // Friction against the speeds s.
  void slide_against(int i, const Scalar* s) {
    Scalar x[kTangents];
    for (int k = 0; k < kTangents; ++k) x[k] = -s[1 + k];
    const Scalar size = length(x);
    if (!(size > 0)) x[0] = -1;
    slide(i, x, size > 0 ? size : Scalar(1));
  }

  // Friction cannot stop the slip, this element by itself: mu |s_n| / A_nn against |s_T| / A_TT. (Where the
  // relaxed law closes one that opens, s_n > 0, it slips.)
  bool slips(int i, Scalar n, Scalar slip) const {
    const int r = first_of(i);
    return (relaxed() && n > 0) || std::abs(slip) * a(r, r) > p_.mu[i] * std::abs(n) * mobility(i);
  }

  // Of an element by itself, along its tangents, whichever way t points.
  Scalar mobility(int i) const {
    const int t = first_of(i) + 1;
    Scalar sum = a(t, t);
    for (int k = 1; k < kTangents; ++k) sum += a(t + k, t + k);
    return kTangents == 1 ? sum : sum / kTangents;
  }

  // Friction along its slip would wedge an element: rather those open, of them that slip, that pressed least
  // in the last try. False where there is none.
  bool let_go_of_least() {
    Scalar least = std::numeric_limits<Scalar>::infinity();
    const auto slips = [this](int i) { return to_.mode[i].closed && to_.mode[i].bound[0]; };
    for (int i = 0; i < p_.elements; ++i)
      if (slips(i)) least = std::min(least, to_.lambda[first_of(i)]);
    if (least == std::numeric_limits<Scalar>::infinity()) return false;
    for (int i = 0; i < p_.elements; ++i) {
      if (!slips(i) || to_.lambda[first_of(i)] > 2 * least) continue;
      to_.mode[i].closed = false;
      free(to_.mode[i]);
    }
    return true;
  }

  // A number for all modes but the directions: two tries that have the same begin a cycle.
  std::uint32_t pattern() const {
    std::uint32_t sum = 0;
    const auto add = [&sum](unsigned mode) { sum = (sum ^ mode) * 16777619U; };
    for (int j = 0; j < plain_rows(); ++j) add(static_cast<unsigned>(to_.plain[j]));
    for (const Mode* m = to_.mode; m != to_.mode + p_.elements; ++m) {
      unsigned mode = m->closed ? 1 : 0;
      for (int k = 0; k < kTangents; ++k)
        if (m->bound[k]) mode |= (round() || m->g[k] > 0 ? 2U : 4U) << 2 * k;
      add(mode);
    }
    return sum;
  }

  const Problem<Scalar, Dim>& p_;
  bool round_, relaxed_;
  Arrays<Scalar, Dim> to_;
};

}  // namespace tactus::contact::guess
