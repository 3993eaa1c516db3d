// The linear system that is left of a contact problem once every element's mode is known.
//
// An open element has lambda = 0; a sticking row s = 0; a slipping one lambda_T = mu lambda_n g with a known
// g, so its force follows from the normal one. The unknowns are the other rows of the closed elements; with B
// the columns of A brought together so,
//
//     s_r = b_r + sum_c B_rc lambda_c = 0        for every unknown row r
//
// A row that gives (see guess.hpp) adds its give to the diagonal of B.
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

#include "tactus/contact/problem.hpp"
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

template <class Scalar, int Dim>
struct ElementMode {
  bool closed;
  bool bound[Dim - 1];  // this tangential force is mu lambda_n g
  Scalar g[Dim - 1];
  Scalar pull[Dim - 1];  // mu g, 0 where it is not bound
  Scalar give;  // of a tangential row that is not bound: s + give lambda = 0 in it; 0 where it sticks
};

template <class Scalar, int Dim>
class ReducedSystem {
 public:
  using Mode = ElementMode<Scalar, Dim>;
  static constexpr int kTangents = Dim - 1;

  // `mode`: one an element; `row` and `work`: one an unknown row, at least 3; `scratch`: the square of that.
  ReducedSystem(const Problem<Scalar, Dim>& problem, const Mode* mode, std::int16_t* row, Scalar* work,
                Scalar* scratch)
      : p_(problem), mode_(mode), row_(row), work_(work), L_(scratch) {}

  Scalar speed() const { return speed_; }        // the largest |b| of the closed elements
  Scalar diagonal() const { return diagonal_; }  // the largest A_nn of theirs

  // Reads the modes and factors; `redundant` adds the diagonal rho.
  bool factor(bool redundant) {
    const Scalar rho = redundant ? kRho<Scalar> : Scalar(0);
    return collect() || n_ <= 3 ? factor_general(rho) : factor_symmetric(rho);
  }

  // What ought to be zero in the unknown rows, for correct() to work on: s at lambda, which counts as 0 if it
  // is null. Returns the largest.
  Scalar residual(const Scalar* s, const Scalar* lambda = nullptr) {
    Scalar largest = 0;
    for (int j = 0; j < n_; ++j) {
      work_[j] = s[row_[j]];
      largest = std::max(largest, std::abs(work_[j]));
    }
    return Dim == 3 && gives_ && lambda != nullptr ? give_way(lambda) : largest;
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
    math::multiply(p_.b, p_.A, p_.stride, p_.rows(), lambda, p_.rows(), s);
  }

 private:
  // Of unknown row j; there is none in a normal row.
  Scalar give(int j) const { return row_[j] % Dim == 0 ? Scalar(0) : mode_[row_[j] / Dim].give; }

  // What the rows that give add to the residual. Returns the largest then.
  [[gnu::noinline]] Scalar give_way(const Scalar* lambda) {
    Scalar largest = 0;
    for (int j = 0; j < n_; ++j) {
      work_[j] = math::multiply_add(give(j), lambda[row_[j]], work_[j]);
      largest = std::max(largest, std::abs(work_[j]));
    }
    return largest;
  }

  // Returns whether any element slips.
  bool collect() {
    n_ = 0;
    Scalar speed = 0, diagonal = 0;
    bool slips = false;
    if constexpr (Dim == 3) gives_ = false;
    for (int i = 0; i < p_.elements; ++i) {
      const Mode& m = mode_[i];
      if (!m.closed) continue;
      const int first = i * Dim;
      const Scalar* const b = p_.b + first;
      diagonal = math::larger(diagonal, p_.A[first * (p_.stride + 1)]);
      speed = math::larger(speed, math::magnitude(b[0]));
      row_[n_++] = static_cast<std::int16_t>(first);
      if (Dim == 3 && m.give > 0) gives_ = true;
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
      Scalar pivot = math::multiply_add(rho, a[row], a[row]), cross = a_next[row];
      Scalar next_pivot = math::multiply_add(rho, a_next[next_row], a_next[next_row]);
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

  // B, `stride` scalars from row to row.
  TACTUS_ONE_COPY void reduce(int stride) {
    Scalar* out = L_;
    for (int i = 0; i < p_.elements; ++i) {
      const Mode& m = mode_[i];
      if (!m.closed) continue;
      const Scalar* const in = p_.A + i * Dim;
      for (int j = 0; j < n_; ++j) {
        const Scalar* const a = in + row_[j] * p_.stride;
        Scalar x = a[0];
        for (int k = 0; k < kTangents; ++k) x = math::multiply_add(m.pull[k], a[1 + k], x);
        out[j * stride] = x;
      }
      ++out;
      for (int k = 0; k < kTangents; ++k) {
        if (m.bound[k]) continue;
        for (int j = 0; j < n_; ++j) out[j * stride] = in[row_[j] * p_.stride + 1 + k];
        ++out;
      }
    }
  }

  TACTUS_ONE_COPY bool factor_general(Scalar rho) {
    const int n = n_ > 3 ? n_ : 3;
    for (int i = n_; i < 3; ++i) {  // rows and columns of the unit matrix, of which 0 comes out
      work_[i] = 0;
      for (int k = 0; k < 3; ++k) L_[3 * i + k] = L_[3 * k + i] = k == i ? Scalar(1) : Scalar(0);
    }
    reduce(n);
    const auto diagonal = [&](int i) { return p_.A[row_[i] * (p_.stride + 1)]; };
    if (rho > 0)
      for (int i = 0; i < n_; ++i) L_[i * (n + 1)] = math::multiply_add(rho, diagonal(i), L_[i * (n + 1)]);
    if (Dim == 3 && gives_)
      for (int i = 0; i < n_; ++i) L_[i * (n + 1)] += give(i);
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
        for (int j = k + 1; j < n_; ++j) r[j] = math::multiply_add(l, above[j], r[j]);
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
  const Mode* mode_;
  std::int16_t* row_;
  Scalar* work_;
  Scalar* L_;
  int n_ = 0;
  bool gives_ = false;  // any
  Scalar speed_ = 0, diagonal_ = 0;
};

}  // namespace tactus::contact::guess
