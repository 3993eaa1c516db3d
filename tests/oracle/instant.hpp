// All solutions of Pang-Trinkle's pyramid law in one instant (1996, (18)-(20)), by trying every combination
// of the contacts' modes: each is one linear system, solved in long double and held against the laws.
#pragma once

#include "tests/oracle/dense.hpp"

namespace oracle {

// Rows n, t (, o) contact by contact; a contact whose velocity is 0 rolls.
template <int Dim>
struct Instant {
  std::vector<double> A, b, mu, velocity;

  int contacts() const { return static_cast<int>(mu.size()); }
  std::size_t rows() const { return b.size(); }
  bool slides(std::size_t i) const {
    for (std::size_t k = 0; k + 1 < Dim; ++k)
      if (velocity[i * (Dim - 1) + k] != 0) return true;
    return false;
  }
  Real direction(std::size_t i, std::size_t k) const {
    Real square = 0;
    for (std::size_t l = 0; l + 1 < Dim; ++l)
      square += Real(velocity[i * (Dim - 1) + l]) * velocity[i * (Dim - 1) + l];
    return velocity[i * (Dim - 1) + k] / std::sqrt(square);
  }
};

// A contact's mode: open, or closed with, for each tangent, -1, 0, 1 for the sign of a_t; 0 for one that
// slides.
struct Mode {
  bool closed = false;
  int sign[2] = {0, 0};
};

template <int Dim>
std::vector<Mode> modes_of(const Instant<Dim>& p, std::size_t i) {
  std::vector<Mode> modes{{}};
  if (p.slides(i)) {
    modes.push_back({true, {0, 0}});
    return modes;
  }
  for (int t = -1; t <= 1; ++t)
    for (int o = Dim == 3 ? -1 : 0; o <= (Dim == 3 ? 1 : 0); ++o) modes.push_back({true, {t, o}});
  return modes;
}

// The solution of one combination of modes, if it keeps the laws: its accelerations.
template <int Dim>
bool solve(const Instant<Dim>& p, const std::vector<Mode>& modes, Column& a) {
  const std::size_t n = p.rows();
  Matrix system(n, n);
  Column right(n);
  const auto row_of_A = [&](std::size_t r) {
    for (std::size_t j = 0; j < n; ++j) system(r, j) = p.A[r * n + j];
    right[r] = -p.b[r];
  };
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const std::size_t r = i * Dim;
    if (modes[i].closed)
      row_of_A(r);
    else
      system(r, r) = 1;
    for (std::size_t k = 0; k + 1 < Dim; ++k) {
      const std::size_t t = r + 1 + k;
      if (modes[i].closed && !p.slides(i) && modes[i].sign[k] == 0) {
        row_of_A(t);
        continue;
      }
      system(t, t) = 1;
      if (!modes[i].closed) continue;
      system(t, r) = p.mu[i] * (p.slides(i) ? p.direction(i, k) : Real(modes[i].sign[k]));
    }
  }
  const Column c = oracle::solve(system, right);
  a.assign(n, 0);
  for (std::size_t r = 0; r < n; ++r) {
    a[r] = p.b[r];
    for (std::size_t j = 0; j < n; ++j) a[r] += p.A[r * n + j] * c[j];
  }
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const std::size_t r = i * Dim;
    if (!(modes[i].closed ? c[r] >= 0 : a[r] >= 0)) return false;
    if (!modes[i].closed || p.slides(i)) continue;
    for (std::size_t k = 0; k + 1 < Dim; ++k) {
      const Real force = c[r + 1 + k], rate = a[r + 1 + k];
      if (modes[i].sign[k] == 0 ? !(std::fabs(force) <= p.mu[i] * c[r]) : !(modes[i].sign[k] * rate >= 0))
        return false;
    }
  }
  return true;
}

// The accelerations of all solutions.
template <int Dim>
std::vector<Column> enumerate(const Instant<Dim>& p) {
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
    Column a;
    if (solve(p, modes, a)) found.push_back(a);
  }
  return found;
}

}  // namespace oracle
