// The condensed tableau: only the nonbasic columns, half of the textbook's n x (2n + 2).
//
//     x_B = rhs - T x_N
//
// Variables: w_i is i, z_i is n + i, the artificial z0 is 2n. Of the 2n variables w and z, n or n - 1 are
// basic, so n columns serve until z0 enters, n + 1 after. z0 has no column: it enters once, and when it
// leaves the method has ended.
//
// Exchange of the entering x_c and the leaving x_r (Jordan exchange), with inv = 1 / T_rc:
//     T_rj <- inv T_rj    T_ij <- T_ij - T_ic T_rj (new)    T_ic <- -T_ic inv    T_rc <- inv
// and the same for rhs. Panels of eight columns of row r stay in registers while all rows pass under them,
// and rows with T_ic = 0, half of them in a fresh friction problem, are skipped.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tactus/lcp/arithmetic.hpp"

namespace tactus::lcp {

using Index = std::int16_t;

// Views into the caller's workspace. Memory: T is n rows of stride scalars, the others as noted.
template <class Scalar>
struct Tableau {
  int n = 0;
  int columns = 0;            // n or n + 1
  int stride = 0;             // columns of the capacity, a multiple of 4
  Scalar* T = nullptr;        // n x stride
  Scalar* rhs = nullptr;      // n
  Scalar* column = nullptr;   // n: the entering column, copied out of T
  Index* basic = nullptr;     // n: the variable of row i
  Index* nonbasic = nullptr;  // n + 1: the variable of column j
  Index* place = nullptr;     // 2n + 1: its column j, or its row i as ~i; z0 too
  Index* rows = nullptr;      // n: rows with an entry in the entering column

  Scalar* row(int i) const { return T + static_cast<std::ptrdiff_t>(i) * stride; }
  bool is_basic(int variable) const { return place[variable] < 0; }
  int row_of(int variable) const { return ~place[variable]; }
  int complement(int variable) const { return variable < n ? variable + n : variable - n; }
};

namespace detail {

// T_i -= f_i p for the listed rows, one panel of columns wide.
template <int Width, class Scalar>
inline void update_panel(Scalar* T, int stride, const Index* rows, int count, const Scalar* f,
                         const Scalar* pivot_row) {
  Scalar p[Width];
  unrolled<Width>([&](auto k) { p[k] = pivot_row[k]; });
  for (int a = 0; a < count; ++a) {
    const int i = rows[a];
    Scalar* t = T + static_cast<std::ptrdiff_t>(i) * stride;
    const Scalar f_i = -f[i];
    unrolled<Width>([&](auto k) { t[k] = multiply_add(f_i, p[k], t[k]); });
  }
}

}  // namespace detail

// Exchanges row r with column c; t.column holds column c of T. Cost: (n + 1) multiply-adds for each row with
// T_ic != 0.
template <class Scalar>
void exchange(Tableau<Scalar>& t, int r, int c) {
  Scalar* pivot_row = t.row(r);
  const Scalar inverse = Scalar(1) / t.column[r];
  for (int j = 0; j < t.columns; ++j) pivot_row[j] *= inverse;
  pivot_row[c] = inverse;
  t.rhs[r] *= inverse;
  int count = 0;
  for (int i = 0; i < t.n; ++i) {
    if (i == r || t.column[i] == 0) continue;
    t.row(i)[c] = 0;  // so that the common update leaves -T_ic inv there
    t.rhs[i] = multiply_add(-t.column[i], t.rhs[r], t.rhs[i]);
    t.rows[count++] = static_cast<Index>(i);
  }
  int j = 0;
  for (; j + 8 <= t.columns; j += 8)
    detail::update_panel<8>(t.T + j, t.stride, t.rows, count, t.column, pivot_row + j);
  for (; j < t.columns; j += 4)
    detail::update_panel<4>(t.T + j, t.stride, t.rows, count, t.column, pivot_row + j);
  const Index leaving = t.basic[r], entering = t.nonbasic[c];
  t.basic[r] = entering;
  t.place[entering] = static_cast<Index>(~r);
  t.nonbasic[c] = leaving;
  t.place[leaving] = static_cast<Index>(c);
}

}  // namespace tactus::lcp
