// All solutions of the pyramid law in one instant where contacts may be redundant: for each combination of
// the contacts' modes its equations in all forces, and the corners of what its inequalities leave of them,
// each from a choice of inequalities that are equations there. Gauss's elimination with full pivoting in long
// double.
#pragma once

#include <algorithm>

#include "tests/oracle/instant.hpp"

namespace oracle {

struct Rows {
  std::vector<Column> row;  // a . c + constant, the constant last
};

// The point where all rows are zero; false where they do not determine one, or contradict each other. rank:
// of the rows.
inline bool meet(std::vector<Column> rows, std::size_t n, Column& c, std::size_t& rank) {
  std::vector<std::size_t> column(n);
  for (std::size_t j = 0; j < n; ++j) column[j] = j;
  for (Column& row : rows) {
    Real top = 0;
    for (std::size_t j = 0; j < n; ++j) top = std::fmax(top, std::fabs(row[j]));
    for (Real& x : row) x /= top > 0 ? top : 1;
  }
  rank = 0;
  for (; rank < rows.size() && rank < n; ++rank) {
    std::size_t r = rank, k = rank;
    for (std::size_t i = rank; i < rows.size(); ++i)
      for (std::size_t j = rank; j < n; ++j)
        if (std::fabs(rows[i][column[j]]) > std::fabs(rows[r][column[k]])) r = i, k = j;
    if (!(std::fabs(rows[r][column[k]]) > 1e-11L)) break;
    std::swap(rows[r], rows[rank]);
    std::swap(column[k], column[rank]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == rank) continue;
      const Real factor = rows[i][column[rank]] / rows[rank][column[rank]];
      for (std::size_t j = 0; j <= n; ++j) rows[i][j] -= factor * rows[rank][j];
    }
  }
  for (std::size_t i = rank; i < rows.size(); ++i)
    if (std::fabs(rows[i][n]) > 1e-9L) return false;
  c.assign(n, 0);
  if (rank < n) return true;
  for (std::size_t k = 0; k < n; ++k) c[column[k]] = -rows[k][n] / rows[k][column[k]];
  return true;
}

// The laws of one combination of modes as rows of equations and of inequalities (>= 0).
template <int Dim>
void laws_of(const Instant<Dim>& p, const std::vector<Mode>& modes, Rows& equal, Rows& least) {
  const std::size_t n = p.rows();
  const auto of_a = [&](std::size_t r, Real sign) {
    Column row(n + 1);
    for (std::size_t j = 0; j < n; ++j) row[j] = sign * p.A[r * n + j];
    row[n] = sign * p.b[r];
    return row;
  };
  const auto of_c = [&](std::size_t r, Real x, std::size_t s, Real y) {
    Column row(n + 1);
    row[r] += x;
    row[s] += y;
    return row;
  };
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const std::size_t r = i * Dim;
    if (!modes[i].closed) {
      least.row.push_back(of_a(r, 1));
      for (std::size_t k = 0; k < Dim; ++k) equal.row.push_back(of_c(r + k, 1, r, 0));
      continue;
    }
    equal.row.push_back(of_a(r, 1));
    least.row.push_back(of_c(r, 1, r, 0));
    for (std::size_t k = 0; k + 1 < Dim; ++k) {
      const std::size_t t = r + 1 + k;
      if (p.slides(i)) {
        equal.row.push_back(of_c(t, 1, r, p.mu[i] * p.direction(i, k)));
      } else if (modes[i].sign[k] == 0) {
        equal.row.push_back(of_a(t, 1));
        least.row.push_back(of_c(r, p.mu[i], t, 1));
        least.row.push_back(of_c(r, p.mu[i], t, -1));
      } else {
        equal.row.push_back(of_c(t, 1, r, p.mu[i] * modes[i].sign[k]));
        least.row.push_back(of_a(t, modes[i].sign[k]));
      }
    }
  }
}

// Accelerations of the corners of one combination.
template <int Dim>
void corners_of(const Instant<Dim>& p, const std::vector<Mode>& modes, std::vector<Column>& found) {
  const std::size_t n = p.rows();
  Rows equal, least;
  laws_of(p, modes, equal, least);
  Column c;
  std::size_t rank = 0;
  if (!meet(equal.row, n, c, rank)) return;
  const std::size_t d = n - rank;
  if (d > least.row.size()) return;
  Real force = 1;
  for (const double b : p.b) force = std::fmax(force, std::fabs(b));
  std::vector<bool> chosen(least.row.size());
  std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(d), true);
  do {
    auto rows = equal.row;
    for (std::size_t i = 0; i < chosen.size(); ++i)
      if (chosen[i]) rows.push_back(least.row[i]);
    if (!meet(rows, n, c, rank) || rank < n) continue;
    const Real size = std::fmax(force, largest(c));
    bool good = true;
    for (const Column& row : least.row) {
      Real sum = row[n];
      for (std::size_t j = 0; j < n; ++j) sum += row[j] * c[j];
      good = good && sum >= -1e-10L * size;
    }
    if (!good) continue;
    Column a(n);
    for (std::size_t r = 0; r < n; ++r) {
      a[r] = p.b[r];
      for (std::size_t j = 0; j < n; ++j) a[r] += p.A[r * n + j] * c[j];
    }
    found.push_back(a);
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
}

template <int Dim>
std::vector<Column> enumerate_corners(const Instant<Dim>& p) {
  std::vector<Column> found;
  std::vector<std::vector<Mode>> choices;
  std::size_t combinations = 1;
  for (std::size_t i = 0; i < p.mu.size(); ++i) {
    choices.push_back(modes_of(p, i));
    combinations *= choices.back().size();
  }
  for (std::size_t code = 0; code < combinations; ++code) {
    std::vector<Mode> modes;
    std::size_t rest = code;
    for (const auto& choice : choices) {
      modes.push_back(choice[rest % choice.size()]);
      rest /= choice.size();
    }
    corners_of(p, modes, found);
  }
  return found;
}

}  // namespace oracle
