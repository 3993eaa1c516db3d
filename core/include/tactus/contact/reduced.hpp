// The linear system that is left of a contact problem once every element's mode is known.
//
// An open element has lambda = 0; a sticking row s = 0; a slipping one lambda_T = mu lambda_n g with a known
// g, so its force follows from the normal one. The unknowns are the other rows of the closed elements; with B
// the columns of A brought together so,
//
//     s_r = b_r + sum_c B_rc lambda_c = 0        for every unknown row r
//
// B = L U without exchanges: the sticking part is positive definite and friction adds mu times a coupling;
// where that makes a pivot vanish the guess is given up. Without slip B is symmetric and one triangle is
// enough.
//
// Cost, N unknowns of n rows: N^3 / 6 multiply-adds for the factor (N^3 / 3 with slip), N^2 + n^2 for a
// correction. Memory: N^2 scalars and N indices, the caller's.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tactus/contact/problem.hpp"
#include "tactus/contact/products.hpp"

namespace tactus::contact::guess {

// The diagonal that makes a redundant system regular, as a share of the diagonal of A: a correction gains
// about four (float three) digits where the smallest eigenvalue that matters is a tenth of the mean.
template <class Scalar>
inline constexpr Scalar kRho = sizeof(Scalar) == 8 ? Scalar(1e-6) : Scalar(3e-4);

// A pivot that lost more than this of its diagonal is none.
template <class Scalar>
inline constexpr Scalar kConverged = 64 * std::numeric_limits<Scalar>::epsilon();

template <class Scalar, int Dim>
struct ElementMode {
  bool closed = false;
  bool bound[Dim - 1] = {};  // this tangential force is mu lambda_n g
  Scalar g[Dim - 1] = {};
  Scalar pull[Dim - 1] = {};  // mu g
};

template <class Scalar, int Dim>
class ReducedSystem {
 public:
  using Mode = ElementMode<Scalar, Dim>;
  static constexpr int kTangents = Dim - 1;

  // `mode` holds one entry an element, `row` and `work` one an unknown row, `scratch` the square of that.
  ReducedSystem(const Problem<Scalar, Dim>& problem, const Mode* mode, std::int16_t* row, Scalar* work,
                Scalar* scratch)
      : p_(problem), mode_(mode), row_(row), work_(work), L_(scratch) {}

  Scalar speed() const { return speed_; }        // the largest |b| of the closed elements
  Scalar diagonal() const { return diagonal_; }  // the largest A_nn of theirs

  // Reads the modes and factors; `redundant` adds the diagonal rho.
  bool factor(bool redundant) {
    const Scalar rho = redundant ? kRho<Scalar> : Scalar(0);
    return collect() ? factor_general(rho) : factor_symmetric(rho);
  }

  // The unknown rows of s, which ought to be zero, for correct() to work on. Returns the largest.
  Scalar residual(const Scalar* s) {
    Scalar largest = 0;
    for (int j = 0; j < n_; ++j) {
      work_[j] = s[row_[j]];
      largest = std::max(largest, std::abs(work_[j]));
    }
    return largest;
  }

  // Adds to lambda, which counts as 0 when it is the first time, what takes the last residual to zero, and
  // s = A lambda + b from the original numbers.
  void correct(bool first, Scalar* lambda, Scalar* s) {
    substitute();
    const Scalar* change = work_;
    Scalar* force = lambda;
    for (const Mode* m = mode_; m != mode_ + p_.elements; ++m, force += Dim) {
      if (first || !m->closed)
        for (int k = 0; k < Dim; ++k) force[k] = 0;
      if (!m->closed) continue;
      force[0] += *change++;
      for (int k = 0; k < kTangents; ++k) {
        if (m->bound[k])
          force[1 + k] = m->pull[k] * force[0];
        else
          force[1 + k] += *change++;
      }
    }
    multiply(p_.b, p_.A, p_.stride, p_.rows(), lambda, p_.rows(), s);
  }

 private:
  // Returns whether any element slips.
  bool collect() {
    n_ = 0;
    speed_ = diagonal_ = 0;
    bool slips = false;
    for (int i = 0; i < p_.elements; ++i) {
      const Mode& m = mode_[i];
      if (!m.closed) continue;
      const int first = i * Dim;
      const Scalar* const b = p_.b + first;
      diagonal_ = std::max(diagonal_, p_.A[first * (p_.stride + 1)]);
      speed_ = std::max(speed_, std::abs(b[0]));
      row_[n_++] = static_cast<std::int16_t>(first);
      for (int k = 0; k < kTangents; ++k) {
        speed_ = std::max(speed_, std::abs(b[1 + k]));
        if (m.bound[k])
          slips = true;
        else
          row_[n_++] = static_cast<std::int16_t>(first + 1 + k);
      }
    }
    return slips;
  }

  // Both factorisations leave in row i: -L left of the diagonal, U right of it, and -1 / U_ii on it.

  bool set_pivot(int i, Scalar pivot, Scalar original) {
    L_[i * (n_ + 1)] = -1 / pivot;
    return pivot > kConverged<Scalar> * original;
  }

  // Two rows at a time, so that what both need is read once. r holds a column of U until the loop over k,
  // which makes it a row of L.
  bool factor_symmetric(Scalar rho) {
    for (int i = 0; i < n_; i += 2) {
      const int step = i + 1 < n_ ? 1 : 0;
      Scalar* const r = L_ + i * n_;
      Scalar* const next = r + step * n_;
      const int row = row_[i], next_row = row_[i + step];
      const Scalar* const a = p_.A + row * p_.stride;
      const Scalar* const a_next = p_.A + next_row * p_.stride;
      const std::int16_t* column = row_;
      const Scalar* above = L_;
      for (int j = 0; j < i; ++j, ++column, above += n_) {
        const auto u = add_products<Scalar>({a[*column], a_next[*column]}, above, r, next, j);
        r[j] = u.p;
        next[j] = u.q;
      }
      Scalar pivot = lcp::multiply_add(rho, a[row], a[row]), cross = a_next[row];
      Scalar next_pivot = lcp::multiply_add(rho, a_next[next_row], a_next[next_row]);
      const Scalar* inverse = L_;
      Scalar* right = L_ + i;
      for (int k = 0; k < i; ++k, inverse += n_ + 1, right += n_) {
        const Scalar u = r[k], v = next[k], l = u * *inverse, m = v * *inverse;
        right[step] = v;
        right[0] = u;
        next[k] = m;
        r[k] = l;
        pivot = lcp::multiply_add(l, u, pivot);
        cross = lcp::multiply_add(l, v, cross);
        next_pivot = lcp::multiply_add(m, v, next_pivot);
      }
      if (!set_pivot(i, pivot, a[row])) return false;
      if (step == 0) break;
      r[i + 1] = cross;
      next[i] = cross * r[i];
      if (!set_pivot(i + 1, lcp::multiply_add(next[i], cross, next_pivot), a_next[next_row])) return false;
    }
    return true;
  }

  // Row r of B.
  void reduce(int r, Scalar* out) const {
    const Scalar* in = p_.A + r * p_.stride;
    for (int i = 0; i < p_.elements; ++i, in += Dim) {
      const Mode& m = mode_[i];
      if (!m.closed) continue;
      Scalar* const normal = out++;
      Scalar x = in[0];
      for (int k = 0; k < kTangents; ++k) {
        if (m.bound[k])
          x = lcp::multiply_add(m.pull[k], in[1 + k], x);
        else
          *out++ = in[1 + k];
      }
      *normal = x;
    }
  }

  bool factor_general(Scalar rho) {
    for (int i = 0; i < n_; ++i) {
      Scalar* const r = L_ + i * n_;
      const Scalar diagonal = p_.A[row_[i] * (p_.stride + 1)];
      reduce(row_[i], r);
      r[i] = lcp::multiply_add(rho, diagonal, r[i]);
      for (int k = 0; k < i; ++k) {
        const Scalar* const above = L_ + k * n_;
        const Scalar l = r[k] * above[k];
        r[k] = l;
        for (int j = k + 1; j < n_; ++j) r[j] = lcp::multiply_add(l, above[j], r[j]);
      }
      if (!set_pivot(i, r[i], diagonal)) return false;
    }
    return true;
  }

  // work := -B^-1 work, two rows at a time.
  void substitute() {
    Scalar* const x = work_;
    const int n = n_;
    if (n == 0) return;
    const Scalar* r = L_;
    int i = 0;
    for (; i + 1 < n; i += 2, r += 2 * n) {
      const auto y = add_products<Scalar>({x[i], x[i + 1]}, x, r, r + n, i);
      x[i] = y.p;
      x[i + 1] = lcp::multiply_add(r[n + i], y.p, y.q);
    }
    if (i < n) x[i] = add_products<Scalar>({x[i], 0}, x, r, r, i).p;
    r = L_ + n * n - 1;  // the pivot of row i, from the last up
    for (i = n - 1; i > 0; i -= 2, r -= 2 * (n + 1)) {
      const auto y = add_products<Scalar>({x[i], x[i - 1]}, x + i + 1, r + 1, r - n + 1, n - 1 - i);
      x[i] = y.p * r[0];
      x[i - 1] = lcp::multiply_add(r[-n], x[i], y.q) * r[-n - 1];
    }
    if (i == 0) x[0] = add_products<Scalar>({x[0], 0}, x + 1, r + 1, r + 1, n - 1).p * r[0];
  }

  const Problem<Scalar, Dim>& p_;
  const Mode* mode_;
  std::int16_t* row_;
  Scalar* work_;
  Scalar* L_;
  int n_ = 0;
  Scalar speed_ = 0, diagonal_ = 0;
};

}  // namespace tactus::contact::guess
