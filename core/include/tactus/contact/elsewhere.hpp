// Another answer of a contact problem: from forces far away from the answer that is known, by sweeps from row
// to row (nonlinear Gauss-Seidel), and then exactly by the modes that they have come to.
//
// Where rows are redundant and one of them slips, forces that cannot be told from each other at the held rows
// drive the slip differently, so answers fill a range. Modes by a linear system give the forces of least norm
// of it, whatever they start from, and a path one of its ends; sweeps give the ones that are near their
// start. So the exact solve begins at the forces of the sweeps, too, and stays as near to them as it can.
//
// A sweep gives each row in turn the force that its own law asks for with all others as they are. It
// converges where the coupling is not too strong, seldom fast; but the modes are known long before.
//
// Cost, n rows, N of them unknown: n^2 multiply-adds a sweep, kSweeps of them at most for a start; then up to
// kExact systems (reduced.hpp) of N^3 / 3 + up to 5 (n^2 + N^2). Memory: the caller's arrays, those of a
// search (guess.hpp). No heap. Failure: find() returns false; the arrays then hold nothing of worth.
#pragma once

#include "tactus/clock.hpp"
#include "tactus/contact/guess.hpp"

namespace tactus::contact {

// Where the sweeps begin, and which row comes first. Of the 1,910 finger steps that have several answers
// (tests/cases/finger_several.cpp) the first start tells 70 %, two 91, three 93 and all four 95.
enum class Elsewhere : std::uint8_t {
  pressed,   // contacts press as much as the free motion and all friction of joints could make them
  rubbing,   // joints rub against their free motion, no contact presses
  backward,  // as pressed, the last rows first
  jammed     // as pressed, a hundred times as much
};
inline constexpr int kElsewheres = 4;

// How far an answer may be off its laws, as a share of the speeds at hand. In double far less than what a
// search accepts: where contacts nearly lock, what is hardly off may be far from the only answer.
template <class Scalar>
inline constexpr Scalar kFound = sizeof(Scalar) == 8 ? Scalar(1e-12) : Scalar(1e-5);

template <class Scalar, int Dim, guess::Parts kParts = guess::Parts{}>
class ElsewhereSearch {
 public:
  static constexpr int kSweeps = 60, kExact = 8, kCorrections = 5;
  static constexpr int kTangents = Dim - 1;
  using Mode = guess::ElementMode<Scalar, Dim>;

  // round: friction opposes the slip; else each tangential row is bounded by itself.
  ElsewhereSearch(const Problem<Scalar, Dim>& problem, bool round, const guess::Arrays<Scalar, Dim>& to)
      : p_(problem),
        round_(Dim > 2 && round),
        to_(to),
        system_(problem, false, to.plain, to.mode, to.row, to.work, to.scratch) {
    for (int r = 0; r < rows(); ++r) unit_ = math::larger(unit_, math::magnitude(p_.b[r]));
    for (int j = 0; j < plain_rows(); ++j) {
      const Scalar f = p_.staircase[j].friction;
      if (f < Staircase<Scalar>::kNever) unit_ = math::larger(unit_, f * a(j));
    }
  }

  // True where an answer was found, within what a search accepts; it and its modes are in the arrays.
  template <Clock Time>
  bool find(Elsewhere start, Time& clock) {
    begin(start);
    for (int k = 0; k < kSweeps; ++k) {
      if (!clock.go_on(Piece::sweep, rows(), p_.elements)) return false;
      const Scalar change = sweep();
      if (!(change > kSettled * unit_)) break;
    }
    name_modes();
    return solve(clock);
  }

 private:
  // Share of the speeds at hand by which a sweep changes rows whose modes are taken for known.
  static constexpr Scalar kSettled = Scalar(1e-6);

  int plain_rows() const { return kParts.plain ? p_.plain : 0; }
  int first_of(int element) const { return plain_rows() + Dim * element; }
  int rows() const { return plain_rows() + Dim * p_.elements; }
  Scalar a(int r) const { return p_.A[r * (p_.stride + 1)]; }
  Scalar speed(int r) const {
    Scalar s = p_.b[r];
    for (int c = 0; c < rows(); ++c) s = math::multiply_add(p_.A[r * p_.stride + c], to_.lambda[c], s);
    return s;
  }

  void begin(Elsewhere start) {
    backward_ = start == Elsewhere::backward;
    for (int j = 0; j < plain_rows(); ++j) {
      const Scalar f = p_.staircase[j].friction;
      const bool rubs = start == Elsewhere::rubbing && f < Staircase<Scalar>::kNever;
      to_.lambda[j] = !rubs ? Scalar(0) : p_.b[j] < 0 ? f : -f;
    }
    const Scalar share = start == Elsewhere::rubbing  ? Scalar(0)
                         : start == Elsewhere::jammed ? Scalar(100)
                                                      : Scalar(1);
    for (int i = 0; i < p_.elements; ++i) {
      const int n = first_of(i);
      for (int k = 0; k < Dim; ++k) to_.lambda[n + k] = 0;
      if (a(n) > 0) to_.lambda[n] = share * press(n) / a(n);
    }
  }

  // How fast the element with the first row n could be driven.
  Scalar press(int n) const {
    Scalar most = 0;
    for (int k = 0; k < Dim; ++k) most = math::larger(most, math::magnitude(p_.b[n + k]));
    for (int j = 0; j < plain_rows(); ++j) {
      const Scalar f = p_.staircase[j].friction;
      if (f < Staircase<Scalar>::kNever) most += math::magnitude(p_.A[n * p_.stride + j]) * f;
    }
    return most;
  }

  // Returns the largest change, as a speed.
  Scalar sweep() {
    Scalar change = 0;
    const int blocks = plain_rows() + p_.elements;
    for (int k = 0; k < blocks; ++k) {
      const int block = backward_ ? blocks - 1 - k : k, i = block - plain_rows();
      const int r = i < 0 ? block : first_of(i);
      if (a(r) > 0) change = math::larger(change, i < 0 ? sweep_plain(r) : sweep_element(i));
    }
    return change;
  }

  Scalar move_to(int r, Scalar force) {
    const Scalar change = math::magnitude(force - to_.lambda[r]) * a(r);
    to_.lambda[r] = force;
    return change;
  }

  // Off what the row would do by itself, where its line in (v, p) meets the staircase.
  Scalar sweep_plain(int j) {
    const auto& law = p_.staircase[j];
    const Scalar u = to_.lambda[j] * a(j) - speed(j);
    RowMode& mode = to_.plain[j];
    mode = RowMode::sticks;
    if (!(law.friction < law.kNever)) return move_to(j, u / a(j));
    const Scalar f = law.friction * a(j);
    Scalar v = u > f ? f - u : u < -f ? -f - u : Scalar(0);
    if (v < 0) mode = RowMode::falls;
    if (v > 0) mode = RowMode::rises;
    if (v < law.lower) {
      mode = RowMode::at_lower;
      v = law.lower;
    } else if (v > law.upper) {
      mode = RowMode::at_upper;
      v = law.upper;
    }
    return move_to(j, (u + v) / a(j));
  }

  // Friction before the normal force: one that presses begins to hold before it is let go.
  Scalar sweep_element(int i) {
    const int n = first_of(i);
    Mode& m = to_.mode[i];
    const Scalar limit = p_.mu[i] * to_.lambda[n];
    Scalar own = 0, x[kTangents], size = 0, change = 0;
    for (int k = 1; k < Dim; ++k) own = math::larger(own, a(n + k));
    for (int k = 0; k < kTangents; ++k) {
      const Scalar mobility = round_ ? own : a(n + 1 + k);
      x[k] = mobility > 0 ? to_.lambda[n + 1 + k] - speed(n + 1 + k) / mobility : Scalar(0);
      size = math::multiply_add(x[k], x[k], size);
    }
    size = std::sqrt(size);
    for (int k = 0; k < kTangents; ++k) {
      const Scalar all = round_ ? size : math::magnitude(x[k]);
      m.bound[k] = !(all < limit);
      if (all > limit) x[k] *= limit / all;
      change = math::larger(change, move_to(n + 1 + k, x[k]));
    }
    const Scalar normal = to_.lambda[n] - speed(n) / a(n);
    change = math::larger(change, move_to(n, normal > 0 ? normal : Scalar(0)));
    m.closed = to_.lambda[n] > 0;
    m.give = Mode::kFixed;
    for (bool& bound : m.bound) bound = bound && m.closed;
    return change;
  }

  // What slips pulls along its force; where that is nothing, against the slip.
  void name_modes() {
    math::multiply(p_.b, p_.A, p_.stride, rows(), to_.lambda, rows(), to_.s);
    for (int i = 0; i < p_.elements; ++i) {
      Mode& m = to_.mode[i];
      const Scalar* const f = to_.lambda + first_of(i) + 1;
      const Scalar* const s = to_.s + first_of(i) + 1;
      const bool pulls = length(f) > 0;
      for (int k = 0; k < kTangents; ++k) {
        const Scalar x = pulls ? f[k] : -s[k];
        m.g[k] = round_ ? x : x > 0 ? Scalar(1) : Scalar(-1);
      }
      if (m.closed && round_ && m.bound[0]) turn(i);
      pull(i);
    }
  }
  static Scalar length(const Scalar* x) {
    Scalar sum = x[0] * x[0];
    for (int k = 1; k < kTangents; ++k) sum = math::multiply_add(x[k], x[k], sum);
    return std::sqrt(sum);
  }
  void pull(int i) {
    Mode& m = to_.mode[i];
    for (int k = 0; k < kTangents; ++k) m.pull[k] = m.bound[k] ? p_.mu[i] * m.g[k] : Scalar(0);
  }
  // g becomes a unit vector along which friction may turn.
  void turn(int i) {
    Mode& m = to_.mode[i];
    const Scalar size = length(m.g), limit = p_.mu[i] * to_.lambda[first_of(i)];
    for (int k = 0; k < kTangents; ++k) m.g[k] = size > 0 ? m.g[k] / size : Scalar(k == 0);
    m.give = Mode::kFixed;
    if (limit > 0) m.turn_with(length(to_.s + first_of(i) + 1) / limit);
  }

  // The systems of the modes, from the forces there are; slips turn by Newton's step from one to the next.
  template <Clock Time>
  bool solve(Time& clock) {
    const Scalar good = kFound<Scalar> / 8 * unit_;
    Scalar left = std::numeric_limits<Scalar>::infinity();
    for (int k = 0; k < kExact && clock.go_on(Piece::attempt, rows(), p_.elements); ++k) {
      const Scalar last = left;
      take_known();
      if (!correct()) return false;
      left = off();
      if (left <= good || !(left < last) || !turn_all()) break;
    }
    if (!(left <= kFound<Scalar> * unit_)) return false;
    note_used();
    return true;
  }

  bool correct() {
    if (!system_.factor(true)) return false;
    Scalar last = std::numeric_limits<Scalar>::infinity();
    for (int k = 0; k <= kCorrections; ++k) {
      const Scalar left = system_.residual(to_.s, to_.lambda, unit_, unit_);
      if (!(left > guess::kConverged<Scalar>) || !(left < last / 2)) break;
      last = left;
      system_.correct(false, to_.lambda, to_.s);
    }
    return true;
  }

  // Forces that the modes say, and the speeds of all.
  void take_known() {
    for (int j = 0; j < plain_rows(); ++j)
      if (!Staircase<Scalar>::holds(to_.plain[j])) to_.lambda[j] = p_.staircase[j].force(to_.plain[j]);
    for (int i = 0; i < p_.elements; ++i) {
      Scalar* const f = to_.lambda + first_of(i);
      const Mode& m = to_.mode[i];
      if (!m.closed) f[0] = 0;
      for (int k = 0; k < kTangents; ++k)
        if (!m.closed || m.bound[k]) f[1 + k] = m.pull[k] * f[0];
    }
    math::multiply(p_.b, p_.A, p_.stride, rows(), to_.lambda, rows(), to_.s);
  }

  // Slips along the friction that they have come to; false where nothing can turn.
  bool turn_all() {
    bool any = false;
    for (int i = 0; i < p_.elements; ++i) {
      Mode& m = to_.mode[i];
      if (!m.closed || !m.turns()) continue;
      for (int k = 0; k < kTangents; ++k) m.g[k] = to_.lambda[first_of(i) + 1 + k];
      turn(i);
      pull(i);
      any = true;
    }
    return any;
  }

  // How far all rows are off their laws, as a speed.
  Scalar off() const {
    Scalar most = 0;
    for (int j = 0; j < plain_rows(); ++j)
      most = worst(most, off_staircase(p_.staircase[j], a(j), to_.s[j], to_.lambda[j]));
    for (int i = 0; i < p_.elements; ++i) {
      const int n = first_of(i);
      most = worst(most, off_friction<Scalar, Dim>(p_.A + n * (p_.stride + 1), p_.stride, p_.mu[i],
                                                   to_.lambda + n, to_.s + n, !round_));
    }
    return most;
  }

  void note_used() {
    for (int i = 0; i < p_.elements; ++i) {
      const Scalar* const f = to_.lambda + first_of(i) + 1;
      Scalar used = 0;
      for (int k = 0; k < kTangents; ++k) used = math::larger(used, math::magnitude(f[k]));
      to_.used[i] = round_ ? length(f) : used;
    }
  }

  const Problem<Scalar, Dim>& p_;
  bool round_;
  guess::Arrays<Scalar, Dim> to_;
  guess::ReducedSystem<Scalar, Dim, kParts> system_;
  Scalar unit_ = 0;  // of speeds
  bool backward_ = false;
};

}  // namespace tactus::contact
