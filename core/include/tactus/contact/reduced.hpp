// The linear system that is left of a contact problem once the mode of every row and element is known.
//
// A plain row on an upright piece of its staircase has a known speed, on a level one a known force. An open
// element has lambda = 0; a sticking row s = 0; a slipping one lambda_T = mu lambda_n g with a known g, so
// its force follows from the normal one. The unknowns are the other rows; with B the columns of A brought
// together so,
//
//     s_r = b_r + sum_c B_rc lambda_c = target_r     for every unknown row r
//
// In space a slip can turn (Newton's step on the direction): with u across g, lambda_T = mu lambda_n g + x u,
// and the row of x is u . s_T + give x = 0, give = |s_T| / (mu lambda_n). With torsion, a fourth row an
// element, there are two such u.
//
// The relaxed law (Negrut 2017 (5d)) holds a slipping element at s_n = mu |s_T|: its normal row is
// s_n + mu g . s_T = 0, and B is symmetric.
//
// B = L U without exchanges: the sticking part is positive definite and friction adds mu times a coupling;
// where that makes a pivot vanish the guess is given up. Without slip B is symmetric and one triangle is
// enough.
//
// Cost, N unknowns of n rows: N^3 / 6 multiply-adds for the factor (N^3 / 3 with slip), N^2 + n^2 for a
// correction. Memory: N^2 + N scalars and N indices, the caller's; N counts as 3 at least.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tactus/contact/element_mode.hpp"
#include "tactus/contact/residual.hpp"
#include "tactus/math/products.hpp"
#include "tactus/math/three.hpp"

namespace tactus::contact::guess {

// The diagonal that makes a redundant system regular, as a share of the diagonal of A: a correction gains
// about four (float three) digits where the smallest eigenvalue that matters is a tenth of the mean.
template <class Scalar>
inline constexpr Scalar kRho = sizeof(Scalar) == 8 ? Scalar(1e-6) : Scalar(3e-4);

// A pivot that lost more than this of its diagonal is none.
template <class Scalar>
inline constexpr Scalar kConverged = 64 * std::numeric_limits<Scalar>::epsilon();

template <class Scalar, int Dim, Parts kParts = Parts{}>
class ReducedSystem {
 public:
  using Mode = ElementMode<Scalar, Dim>;
  static constexpr int kTangents = Dim - 1, kAcross = Dim - 2;

  // relaxed: the law. `plain`: one a plain row; `mode`: one an element; `row` and `work`: one an unknown row,
  // at least 3; `scratch`: the square of that.
  ReducedSystem(const Problem<Scalar, Dim>& problem, bool relaxed, const RowMode* plain, const Mode* mode,
                std::int16_t* row, Scalar* work, Scalar* scratch)
      : p_(problem), relaxed_(relaxed), plain_(plain), mode_(mode), row_(row), work_(work), L_(scratch) {}

  Scalar speed() const { return speed_; }        // the largest |b| of the closed elements
  int size() const { return n_; }                // unknowns
  Scalar diagonal() const { return diagonal_; }  // the largest A_nn of theirs

  // Reads the modes and factors; `redundant` adds the diagonal rho.
  bool factor(bool redundant) {
    const Scalar rho = redundant ? kRho<Scalar> : Scalar(0);
    return collect() || n_ <= 3 ? factor_general(rho) : factor_symmetric(rho);
  }

  // The forces that are known beforehand, into lambda; with them s = A lambda + b.
  void start(Scalar* lambda, Scalar* s) const {
    for (int i = 0; i < rows(); ++i) s[i] = p_.b[i];
    for (int j = 0; j < plain_rows(); ++j) {
      lambda[j] = Staircase<Scalar>::holds(plain_[j]) ? Scalar(0) : p_.staircase[j].force(plain_[j]);
      if (lambda[j] != 0)
        for (int i = 0; i < rows(); ++i) s[i] = math::multiply_add(p_.A[i * p_.stride + j], lambda[j], s[i]);
    }
  }

  // What ought to be zero in the unknown rows, for correct() to work on: s at lambda, which counts as 0 if it
  // is null. Returns the largest share of the unit of its kind: `speed` for contacts, `plain_speed` for the
  // others.
  Scalar residual(const Scalar* s, const Scalar* lambda, Scalar speed, Scalar plain_speed) {
    Scalar largest = 0, largest_plain = 0;
    int j = 0;
    for (; j < n_plain_; ++j) {
      work_[j] = s[row_[j]] - p_.staircase[row_[j]].speed(plain_[row_[j]]);
      largest_plain = math::larger(largest_plain, math::magnitude(work_[j]));
    }
    for (; j < n_; ++j) {
      work_[j] = row_[j] < 0 ? joined(row_[j], s, lambda) : s[row_[j]];
      largest = math::larger(largest, math::magnitude(work_[j]));
    }
    return math::larger(share_of(largest, speed), share_of(largest_plain, plain_speed));
  }

  // Adds to lambda, which counts as 0 in elements when it is the first time, what takes the last residual to
  // zero, and s = A lambda + b from the original numbers.
  void correct(bool first, Scalar* lambda, Scalar* s) {
    substitute();
    const Scalar* change = work_;
    for (int j = 0; j < n_plain_; ++j) lambda[row_[j]] += *change++;
    Scalar* force = lambda + plain_rows();
    for (const Mode* m = mode_; m != mode_ + p_.elements; ++m, force += Dim) {
      if (first || !m->closed)
        for (int k = 0; k < Dim; ++k) force[k] = 0;
      if (!m->closed) continue;
      force[0] += *change++;
      if (m->turns()) {
        turn(*m, change, force);
        change += kAcross;
        continue;
      }
      for (int k = 0; k < kTangents; ++k) {
        if (m->bound[k])
          force[1 + k] = m->pull[k] * force[0];
        else
          force[1 + k] += *change++;
      }
    }
    math::multiply(p_.b, p_.A, p_.stride, rows(), lambda, rows(), s);
  }

 private:
  int plain_rows() const { return kParts.plain ? p_.plain : 0; }
  int first_of(int element) const { return plain_rows() + Dim * element; }
  int rows() const { return plain_rows() + Dim * p_.elements; }

  // mu lambda_n g and the parts across, which change.
  static void turn(const Mode& m, const Scalar* change, Scalar* force) {
    Scalar x[kAcross > 0 ? kAcross : 1];
    for (int k = 0; k < kAcross; ++k) x[k] = m.part(k, force + 1) + change[k];
    for (int c = 0; c < kTangents; ++c) {
      Scalar sum = m.pull[c] * force[0];
      for (int k = 0; k < kAcross; ++k) sum = math::multiply_add(m.across[k][c], x[k], sum);
      force[1 + c] = sum;
    }
  }

  // Some unknown rows join those of an element, `n` its first: across k, or its normal one and mu g of the
  // others (k = -1). They are noted below zero.
  struct Joined {
    const Mode& mode;
    int n, k;

    // Of the numbers `x` of the element's rows.
    Scalar of(const Scalar* x, int step = 1) const {
      if (k >= 0) return mode.part(k, x + step, step);
      Scalar sum = x[0];
      for (int c = 0; c < kTangents; ++c) sum = math::multiply_add(mode.pull[c], x[(1 + c) * step], sum);
      return sum;
    }
    Scalar give() const { return k >= 0 ? mode.give : Scalar(0); }
  };
  static std::int16_t note(int first, int k) { return static_cast<std::int16_t>(-(first + 1 + k) - 1); }
  Joined read(int noted) const {
    const int r = -noted - 1, within = (r - plain_rows()) % Dim;
    return {mode_[(r - plain_rows()) / Dim], r - within, within - 1};
  }

  // What is left of such a row.
  [[gnu::noinline]] Scalar joined(int noted, const Scalar* s, const Scalar* lambda) const {
    const auto row = read(noted);
    const Scalar x = lambda != nullptr && row.k >= 0 ? row.of(lambda + row.n) : Scalar(0);
    return math::multiply_add(row.give(), x, row.of(s + row.n));
  }

  // Returns whether any element slips.
  bool collect() {
    n_ = 0;
    Scalar speed = 0, diagonal = 0;
    bool slips = false;
    for (int j = 0; j < plain_rows(); ++j)
      if (Staircase<Scalar>::holds(plain_[j])) row_[n_++] = static_cast<std::int16_t>(j);
    n_plain_ = n_;
    for (int i = 0; i < p_.elements; ++i) {
      const Mode& m = mode_[i];
      if (!m.closed) continue;
      const int first = first_of(i);
      const Scalar* const b = p_.b + first;
      diagonal = math::larger(diagonal, p_.A[first * (p_.stride + 1)]);
      speed = math::larger(speed, math::magnitude(b[0]));
      row_[n_++] =
          kParts.relaxed && relaxed_ && m.bound[0] ? note(first, -1) : static_cast<std::int16_t>(first);
      if (m.turns())
        for (int k = 0; k < kAcross; ++k) row_[n_++] = note(first, k);
      for (int k = 0; k < kTangents; ++k) {
        speed = math::larger(speed, math::magnitude(b[1 + k]));
        if (m.bound[k])
          slips = true;
        else
          row_[n_++] = static_cast<std::int16_t>(first + 1 + k);
      }
    }
    speed_ = speed;
    diagonal_ = diagonal;
    return slips;
  }

  // What rho is a share of: where rows are redundant forces are of least norm in these units. They are the
  // mobilities, but the same for rows that only a choice of axes tells apart.
  Scalar weight(int row) const {
    if (row < plain_rows() && p_.staircase[row].weight > 0) return p_.staircase[row].weight;
    const int within = (row - plain_rows()) % Dim;
    if (row < plain_rows() || within == 0) return p_.A[row * (p_.stride + 1)];
    Scalar sum = 0;
    for (int k = 1; k < Dim; ++k) sum += p_.A[(row - within + k) * (p_.stride + 1)];
    return sum / kTangents;
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
        const auto u = math::add_products<Scalar>(a[*column], a_next[*column], above, r, next, j);
        r[j] = u.p;
        next[j] = u.q;
      }
      Scalar pivot = a[row], cross = a_next[row], next_pivot = a_next[next_row];
      if (rho > 0) {
        pivot = math::multiply_add(rho, weight(row), pivot);
        next_pivot = math::multiply_add(rho, weight(next_row), next_pivot);
      }
      const Scalar* inverse = L_;
      Scalar* right = L_ + i;
      for (int k = 0; k < i; ++k, inverse += n_ + 1, right += n_) {
        const Scalar u = r[k], v = next[k], l = u * *inverse, m = v * *inverse;
        right[step] = v;
        right[0] = u;
        next[k] = m;
        r[k] = l;
        pivot = math::multiply_add(l, u, pivot);
        cross = math::multiply_add(l, v, cross);
        next_pivot = math::multiply_add(m, v, next_pivot);
      }
      if (!set_pivot(i, pivot, a[row])) return false;
      if (step == 0) break;
      r[i + 1] = cross;
      next[i] = cross * r[i];
      if (!set_pivot(i + 1, math::multiply_add(next[i], cross, next_pivot), a_next[next_row])) return false;
    }
    return true;
  }

  // Writes the unknown rows of one column of B; `entry(r)` is that of row r of the problem.
  template <class Entry>
  void write_column(Scalar* out, int stride, const Entry& entry) const {
    for (int j = 0; j < n_; ++j, out += stride) {
      if (row_[j] >= 0) {
        *out = entry(row_[j]);
        continue;
      }
      const auto row = read(row_[j]);
      Scalar own[Dim];
      for (int c = 0; c < Dim; ++c) own[c] = entry(row.n + c);
      *out = row.of(own);
    }
  }

  // B, `stride` scalars from row to row.
  TACTUS_ONE_COPY void reduce(int stride) {
    Scalar* out = L_;
    const auto copy = [&](int column) {
      write_column(out++, stride, [&](int r) { return p_.A[r * p_.stride + column]; });
    };
    for (int j = 0; j < n_plain_; ++j) copy(row_[j]);
    for (int i = 0; i < p_.elements; ++i) {
      const Mode& m = mode_[i];
      if (!m.closed) continue;
      const Scalar* const in = p_.A + first_of(i);
      write_column(out++, stride, [&](int r) {
        const Scalar* const a = in + r * p_.stride;
        Scalar x = a[0];
        for (int k = 0; k < kTangents; ++k) x = math::multiply_add(m.pull[k], a[1 + k], x);
        return x;
      });
      if (m.turns())
        for (int c = 0; c < kAcross; ++c)
          write_column(out++, stride, [&](int r) { return m.part(c, in + r * p_.stride + 1); });
      for (int k = 0; k < kTangents; ++k)
        if (!m.bound[k]) copy(first_of(i) + 1 + k);
    }
  }

  TACTUS_ONE_COPY bool factor_general(Scalar rho) {
    const int n = n_ > 3 ? n_ : 3;
    for (int i = n_; i < 3; ++i) {  // rows and columns of the unit matrix, of which 0 comes out
      work_[i] = 0;
      for (int k = 0; k < 3; ++k) L_[3 * i + k] = L_[3 * k + i] = k == i ? Scalar(1) : Scalar(0);
    }
    reduce(n);
    // A_rr of the row, with the give of one that turns: by it a vanishing pivot is told.
    const auto diagonal = [&](int i) {
      if (row_[i] >= 0) return p_.A[row_[i] * (p_.stride + 1)];
      const auto row = read(row_[i]);
      return p_.A[(row.n + 1 + row.k) * (p_.stride + 1)] + row.give();
    };
    for (int i = 0; i < n_; ++i) {
      Scalar& pivot = L_[i * (n + 1)];
      if (rho > 0) pivot = math::multiply_add(rho, row_[i] >= 0 ? weight(row_[i]) : diagonal(i), pivot);
      if (row_[i] < 0) pivot += read(row_[i]).give();
    }
    if (n == 3)
      math::factor_three(L_);
    else
      factor_rows();
    for (int i = 0; i < n_; ++i) {
      const Scalar inverse = -L_[i * (n + 1)];
      if (!(inverse > 0 && inverse * kConverged<Scalar> * diagonal(i) < 1)) return false;
    }
    return true;
  }

  void factor_rows() {
    for (int i = 0; i < n_; ++i) {
      Scalar* const r = L_ + i * n_;
      for (int k = 0; k < i; ++k) {
        const Scalar* const above = L_ + k * n_;
        const Scalar l = r[k] *= above[k];
        math::add_multiple(r + k + 1, above + k + 1, l, n_ - k - 1);
      }
      r[i] = -1 / r[i];
    }
  }

  // work := -B^-1 work; down two rows at a time, up one by one.
  TACTUS_ONE_COPY void substitute() {
    Scalar* const x = work_;
    const int n = n_;
    if (n <= 3) return math::substitute_three(L_, x);
    const Scalar* r = L_;
    for (int i = 0; i < n; i += 2, r += 2 * n) {
      const int step = i + 1 < n ? 1 : 0;
      const auto y = math::add_products<Scalar>(x[i], x[i + step], x, r, r + step * n, i);
      if (step > 0) x[i + 1] = math::multiply_add(r[n + i], y.p, y.q);
      x[i] = y.p;
    }
    r = L_ + n * n - 1;  // the pivot of row i, from the last up
    for (int i = n - 1; i >= 0; --i, r -= n + 1)
      x[i] = math::add_products<Scalar>(x[i], 0, x + i + 1, r + 1, r + 1, n - 1 - i).p * r[0];
  }

  const Problem<Scalar, Dim>& p_;
  bool relaxed_;
  const RowMode* plain_;
  const Mode* mode_;
  std::int16_t* row_;
  Scalar* work_;
  Scalar* L_;
  int n_ = 0, n_plain_ = 0;  // unknowns; the first of them are plain rows
  Scalar speed_ = 0, diagonal_ = 0;
};

}  // namespace tactus::contact::guess
