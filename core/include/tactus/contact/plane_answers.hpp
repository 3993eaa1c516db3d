// Every answer of up to four contacts in the plane: the 4^n combinations of open, stick, and slip either way,
// each a linear system, and what of them obeys the laws.
//
//     s = A lambda + b,   0 <= lambda_n _|_ s_n >= 0,   |lambda_t| <= mu lambda_n against s_t
//
// A contact may also slide in a direction that is known, as at the level of accelerations: then it is open,
// or closed with lambda_t = pull lambda_n whatever its s_t (Pang-Trinkle 1996 (11)).
//
// Where contacts are redundant the equations of a combination leave some forces open, and its answers are a
// polyhedron. Forces in cones hold no line, so it has corners, each with as many of its inequalities as
// equations as are missing; and no ray of it changes a step's motion: with d = A c along a ray the laws give
// c . A c <= 0, so d = 0. So where no two corners differ, no two answers do.
//
// An answer counts where it is off its laws by kOff of the largest |b| at most, and as another one where its
// speeds differ by kOther of that.
//
// Cost: a system of N unknowns takes N^3 / 3 multiply-adds, N = 2 n at most. Of random contacts of one or two
// bodies, half of them redundant, 1, 2, 3 and 4 take 2,300, 21,000, 190,000 and 1.5 million instructions on
// x86-64 in the mean. Memory: what is on the stack, 1.1 kB in float. It cannot fail; a clock ends it, and
// what was found until then is told.
#pragma once

#include "tactus/clock.hpp"
#include "tactus/contact/residual.hpp"

namespace tactus::contact {

template <class Scalar>
class PlaneAnswers {
 public:
  static constexpr int kMost = 4, kRows = 2 * kMost;
  static constexpr Scalar kOff = sizeof(Scalar) == 8 ? Scalar(1e-9) : Scalar(1e-5);
  static constexpr Scalar kOther = sizeof(Scalar) == 8 ? Scalar(1e-6) : Scalar(5e-3);
  // A pivot that is less than this of the terms that made its row is rounding.
  static constexpr Scalar kPivot = sizeof(Scalar) == 8 ? Scalar(1e-12) : Scalar(1e-6);

  // known: of each contact, whether it slides along the sign of `slip`; null: none does.
  PlaneAnswers(const Problem<Scalar, 2>& p, const bool* known, const Scalar* slip)
      : p_(p), known_(known), slip_(slip) {
    for (int r = 0; r < rows(); ++r) unit_ = math::larger(unit_, math::magnitude(p.b[r]));
  }

  // How many there are that differ; two are enough to know, and to stop.
  template <Clock Time>
  int count(Time& clock) {
    int modes = 1;
    for (int i = 0; i < p_.elements; ++i) modes *= 4;
    for (int code = 0; code < modes && found_ < 2 && clock.go_on(Piece::small, rows(), p_.elements); ++code)
      try_modes(code, clock);
    return found_;
  }

 private:
  enum Mode { open, sticks, slips_up, slips_down };

  // An equation or inequality in the unknowns of a combination, its constant behind them.
  struct Row {
    Scalar x[kRows + 1], size = 0;  // of its largest term
    int pivot = 0;
  };

  int rows() const { return 2 * p_.elements; }
  bool slides(int i) const { return known_ != nullptr && known_[i]; }
  Scalar A(int r, int c) const { return p_.A[r * p_.stride + c]; }

  template <Clock Time>
  void try_modes(int code, Time& clock) {
    unknowns_ = bounds_ = depth_ = 0;
    for (auto& row : T_)
      for (Scalar& x : row) x = 0;
    int mode[kMost];
    for (int i = 0; i < p_.elements; ++i, code /= 4) {
      mode[i] = code % 4;
      if (slides(i) && mode[i] != open && mode[i] != slips_up) return;  // once
      add_unknowns(i, mode[i]);
    }
    for (int i = 0; i < p_.elements; ++i)
      if (mode[i] != open)
        for (int k = 0; k < (mode[i] == sticks ? 2 : 1); ++k)
          if (!hold(speed(2 * i + k, Scalar(1)))) return;
    for (int i = 0; i < p_.elements && depth_ < unknowns_; ++i) add_bounds(i, mode[i]);
    meet(clock);
  }

  // lambda = T x. Unknowns are speeds, so that all equations are of one size.
  void add_unknowns(int i, int mode) {
    if (mode == open) return;
    const int n = 2 * i, t = n + 1;
    T_[n][unknowns_] = unit_force(n);
    if (mode != sticks) {
      const bool up = slides(i) ? slip_[i] > 0 : mode == slips_up;
      T_[t][unknowns_] = unit_force(n) * (up ? -p_.mu[i] : p_.mu[i]);
    }
    ++unknowns_;
    if (mode == sticks) T_[t][unknowns_++] = unit_force(t);
  }
  Scalar unit_force(int r) const { return A(r, r) > 0 ? 1 / A(r, r) : Scalar(1); }

  // What must not be negative: of a mode forces in their cone, and speeds.
  void add_bounds(int i, int mode) {
    const int n = 2 * i, t = n + 1;
    if (mode == open) {
      bound_[bounds_++] = speed(n, Scalar(1));
    } else if (mode == sticks) {
      for (const Scalar side : {Scalar(1), Scalar(-1)}) bound_[bounds_++] = force(n, p_.mu[i], t, side);
    } else {
      bound_[bounds_++] = force(n, Scalar(1), t, Scalar(0));
      if (!slides(i)) bound_[bounds_++] = speed(t, mode == slips_up ? Scalar(1) : Scalar(-1));
    }
  }

  Row speed(int r, Scalar sign) const {
    Row out;
    for (int j = 0; j < unknowns_; ++j) {
      Scalar sum = 0, terms = 0;
      for (int k = 0; k < rows(); ++k) {
        const Scalar term = A(r, k) * T_[k][j];
        sum += term;
        terms += math::magnitude(term);
      }
      out.x[j] = sign * sum;
      out.size = math::larger(out.size, terms);
    }
    out.x[unknowns_] = sign * p_.b[r];
    return out;
  }
  Row force(int r, Scalar a, int q, Scalar b) const {
    Row out;
    for (int j = 0; j < unknowns_; ++j) {
      const Scalar x = a * T_[r][j], y = b * T_[q][j];
      out.x[j] = (x + y) / unit_force(r);
      out.size = math::larger(out.size, (math::magnitude(x) + math::magnitude(y)) / unit_force(r));
    }
    out.x[unknowns_] = 0;
    return out;
  }

  // Takes a row as an equation behind those that are held; false where it contradicts them.
  bool hold(Row row) {
    for (int k = 0; k < depth_; ++k) {
      const Row& by = held_[k];
      const Scalar factor = row.x[by.pivot] / by.x[by.pivot];
      for (int j = 0; j <= unknowns_; ++j) row.x[j] = math::multiply_add(-factor, by.x[j], row.x[j]);
      row.x[by.pivot] = 0;
    }
    for (int j = 1; j < unknowns_; ++j)
      if (math::magnitude(row.x[j]) > math::magnitude(row.x[row.pivot])) row.pivot = j;
    if (math::magnitude(row.x[row.pivot]) > kPivot * row.size) {
      held_[depth_++] = row;
      return true;
    }
    return math::magnitude(row.x[unknowns_]) <= kOff * unit_ + kPivot * row.size;
  }

  // Corners: with each choice of bounds that leaves nothing open.
  template <Clock Time>
  void meet(Time& clock) {
    int chosen[kRows], count = 0, next = 0;
    while (found_ < 2 && clock.go_on(Piece::small, rows(), p_.elements)) {
      if (depth_ < unknowns_ && next < bounds_) {
        const int depth = depth_;
        hold(bound_[next]);
        if (depth_ > depth) chosen[count++] = next;
        ++next;
        continue;
      }
      if (depth_ == unknowns_) judge();
      if (count == 0) return;
      next = chosen[--count] + 1;
      --depth_;
    }
  }

  void judge() {
    Scalar x[kRows], c[kRows] = {}, s[kRows];
    for (int k = unknowns_ - 1; k >= 0; --k) {
      const Row& row = held_[k];
      Scalar sum = -row.x[unknowns_];
      for (int j = k + 1; j < unknowns_; ++j)
        sum = math::multiply_add(-row.x[held_[j].pivot], x[held_[j].pivot], sum);
      x[row.pivot] = sum / row.x[row.pivot];
    }
    for (int r = 0; r < rows(); ++r)
      for (int j = 0; j < unknowns_; ++j) c[r] = math::multiply_add(T_[r][j], x[j], c[r]);
    for (int r = 0; r < rows(); ++r) {
      s[r] = p_.b[r];
      for (int k = 0; k < rows(); ++k) s[r] = math::multiply_add(A(r, k), c[k], s[r]);
    }
    if (off(c, s) <= kOff * unit_) note(s);
  }

  Scalar off(const Scalar* c, const Scalar* s) const {
    Scalar most = 0;
    for (int i = 0; i < p_.elements; ++i) {
      const Scalar normal = c[2 * i] * A(2 * i, 2 * i), least = normal < s[2 * i] ? normal : s[2 * i];
      most = worst(most, slides(i) ? math::magnitude(least)
                                   : off_friction<Scalar, 2>(p_.A + 2 * i * (p_.stride + 1), p_.stride,
                                                             p_.mu[i], c + 2 * i, s + 2 * i, true));
    }
    return most;
  }

  void note(const Scalar* s) {
    if (found_ == 0)
      for (int r = 0; r < rows(); ++r) first_[r] = s[r];
    bool other = found_ == 0;
    for (int r = 0; r < rows(); ++r) other = other || math::magnitude(s[r] - first_[r]) > kOther * unit_;
    found_ += other ? 1 : 0;
  }

  const Problem<Scalar, 2>& p_;
  const bool* known_;
  const Scalar* slip_;
  Scalar unit_ = 0, first_[kRows]{};
  int found_ = 0;

  // Of the combination that is tried.
  Scalar T_[kRows][kRows];
  int unknowns_ = 0, bounds_ = 0, depth_ = 0;
  Row bound_[kRows], held_[kRows];
};

}  // namespace tactus::contact
