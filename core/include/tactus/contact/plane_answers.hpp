// Every answer of one or two contacts in the plane: the 4^n combinations of open, stick, and slip either way,
// each a linear system of up to four unknowns, and what of them obeys the laws.
//
//     s = A lambda + b,   0 <= lambda_n _|_ s_n >= 0,   |lambda_t| <= mu lambda_n against s_t
//
// A contact may also slide in a direction that is known, as at the level of accelerations: then it is open,
// or closed with lambda_t = pull lambda_n whatever its s_t (Pang-Trinkle 1996 (11)).
//
// An answer counts where it is off its laws by kOff of the largest |b| at most, and as another one where its
// speeds differ by kOther of that. Combinations whose system is singular are passed over: redundant contacts,
// whose answers fill a range, are told apart no further than by its other combinations.
//
// Cost: 4^n systems of N^3 / 3 + 2 N^2 multiply-adds, N = 2 n at most; two contacts take some 10,000
// instructions on a Cortex-M. Memory: what is on the stack, 160 numbers. It cannot fail; a clock ends it, and
// what was found until then is told.
#pragma once

#include "tactus/clock.hpp"
#include "tactus/contact/residual.hpp"

namespace tactus::contact {

template <class Scalar>
class PlaneAnswers {
 public:
  static constexpr int kMost = 2, kRows = 2 * kMost;
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
      try_modes(code);
    return found_;
  }

 private:
  enum Mode { open, sticks, slips_up, slips_down };

  int rows() const { return 2 * p_.elements; }
  bool slides(int i) const { return known_ != nullptr && known_[i]; }
  Scalar A(int r, int c) const { return p_.A[r * p_.stride + c]; }

  void try_modes(int code) {
    Scalar T[kRows][kRows] = {}, c[kRows] = {};
    int held[kRows], n = 0;
    for (int i = 0; i < p_.elements; ++i, code /= 4) {
      const int mode = code % 4;
      if (mode == open) continue;
      if (slides(i) && mode != slips_up) return;  // once
      T[2 * i][n] = 1;
      if (mode != sticks) {
        const bool up = slides(i) ? slip_[i] > 0 : mode == slips_up;
        T[2 * i + 1][n] = up ? -p_.mu[i] : p_.mu[i];
      }
      held[n++] = 2 * i;
      if (mode != sticks) continue;
      T[2 * i + 1][n] = 1;
      held[n++] = 2 * i + 1;
    }
    if (!solve(T, held, n, c)) return;
    Scalar s[kRows];
    for (int r = 0; r < rows(); ++r) {
      s[r] = p_.b[r];
      for (int k = 0; k < rows(); ++k) s[r] = math::multiply_add(A(r, k), c[k], s[r]);
    }
    if (off(c, s) <= kOff * unit_) note(s);
  }

  // c = T x with (A T x + b)_held = 0, by Gauss's elimination with row exchanges.
  bool solve(const Scalar (&T)[kRows][kRows], const int* held, int n, Scalar* c) const {
    Scalar E[kRows][kRows + 1], size[kRows] = {};
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        Scalar sum = 0, terms = 0;
        for (int k = 0; k < rows(); ++k) {
          const Scalar term = A(held[i], k) * T[k][j];
          sum += term;
          terms += math::magnitude(term);
        }
        E[i][j] = sum;
        size[i] = math::larger(size[i], terms);
      }
      E[i][n] = -p_.b[held[i]];
    }
    for (int k = 0; k < n; ++k) {
      int top = k;
      for (int i = k + 1; i < n; ++i)
        if (math::magnitude(E[i][k]) * size[top] > math::magnitude(E[top][k]) * size[i]) top = i;
      if (!(math::magnitude(E[top][k]) > kPivot * size[top])) return false;
      for (int j = 0; j <= n; ++j) std::swap(E[k][j], E[top][j]);
      std::swap(size[k], size[top]);
      for (int i = k + 1; i < n; ++i) {
        const Scalar factor = E[i][k] / E[k][k];
        for (int j = k; j <= n; ++j) E[i][j] = math::multiply_add(-factor, E[k][j], E[i][j]);
      }
    }
    for (int k = n - 1; k >= 0; --k) {
      for (int j = k + 1; j < n; ++j) E[k][n] = math::multiply_add(-E[k][j], E[j][n], E[k][n]);
      E[k][n] /= E[k][k];
    }
    for (int r = 0; r < rows(); ++r)
      for (int j = 0; j < n; ++j) c[r] = math::multiply_add(T[r][j], E[j][n], c[r]);
    return true;
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
};

}  // namespace tactus::contact
