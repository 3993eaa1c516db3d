// Solutions of round friction in space by sampling: for each combination of modes the directions of slip on a
// dense grid, from each point of it Newton's method in them (with differences), and what obeys the laws.
// Combinations whose system is singular, as of redundant contacts that all roll, are left out: their forces
// come out 1e8 times as large as the loads, which should be near 1.
//
// P: contacts(), rows(), A(r, c), b[r], mu[i], velocity, slides(i), as InstantProblem has them.
#pragma once

#include <cstdint>

#include "tests/oracle/dense.hpp"

namespace oracle {

inline constexpr Real kTurn = 6.283185307179586477L;
enum class Does : std::uint8_t { open, slides, rolls, starts };

// One combination of modes at given directions of those that start.
template <class P>
struct Trial {
  const P& p;
  std::vector<Does> does;

  // c; row of A that is held, or a force that is said.
  Column forces(const Column& angle) const {
    const auto n = static_cast<std::size_t>(p.rows());
    Matrix S(n, n);
    Column right(n);
    std::size_t next = 0;
    const auto held = [&](std::size_t r) {
      for (std::size_t j = 0; j < n; ++j) S(r, j) = p.A(static_cast<int>(r), static_cast<int>(j));
      right[r] = -static_cast<Real>(p.b[static_cast<int>(r)]);
    };
    for (std::size_t i = 0; i < does.size(); ++i) {
      const std::size_t r = 3 * i;
      if (does[i] == Does::open) {
        for (std::size_t k = 0; k < 3; ++k) S(r + k, r + k) = 1;
        continue;
      }
      held(r);
      Real x = 0, y = 0;
      if (does[i] == Does::rolls) {
        held(r + 1);
        held(r + 2);
        continue;
      }
      if (does[i] == Does::slides) {
        const Real t = p.velocity[2 * i], o = p.velocity[2 * i + 1], v = std::sqrt(t * t + o * o);
        x = t / v, y = o / v;
      } else {
        x = std::cos(angle[next]), y = std::sin(angle[next]);
        ++next;
      }
      S(r + 1, r + 1) = S(r + 2, r + 2) = 1;
      S(r + 1, r) = p.mu[i] * x;
      S(r + 2, r) = p.mu[i] * y;
    }
    return solve(S, right);
  }
  Column accelerations(const Column& c) const {
    Column a(c.size());
    for (std::size_t r = 0; r < c.size(); ++r) {
      a[r] = p.b[static_cast<int>(r)];
      for (std::size_t j = 0; j < c.size(); ++j) a[r] += p.A(static_cast<int>(r), static_cast<int>(j)) * c[j];
    }
    return a;
  }
  // Across each direction.
  Column across(const Column& angle) const {
    const Column a = accelerations(forces(angle));
    Column out;
    for (std::size_t i = 0; i < does.size(); ++i)
      if (does[i] == Does::starts)
        out.push_back(std::cos(angle[out.size()]) * a[3 * i + 2] -
                      std::sin(angle[out.size()]) * a[3 * i + 1]);
    return out;
  }
  bool newton(Column& angle) const {
    const std::size_t k = angle.size();
    for (int pass = 0; pass < 40; ++pass) {
      const Column f = across(angle);
      if (!(largest(f) < 1e12L)) return false;
      if (largest(f) < 1e-15L) return true;
      Matrix J(k, k);
      for (std::size_t j = 0; j < k; ++j) {
        Column near = angle, far = angle;
        near[j] -= 1e-7L;
        far[j] += 1e-7L;
        const Column low = across(near), high = across(far);
        for (std::size_t i = 0; i < k; ++i) J(i, j) = (high[i] - low[i]) / 2e-7L;
      }
      Column step = solve(J, f);
      const Real size = largest(step);
      if (!(size < 1e6L)) return false;
      for (std::size_t j = 0; j < k; ++j) angle[j] -= step[j] * (size > 0.3L ? 0.3L / size : 1);
      if (size < 1e-16L) return largest(f) < 1e-10L;
    }
    return largest(across(angle)) < 1e-12L;
  }
  bool obeys(const Column& angle, Column& a) const {
    const Column c = forces(angle);
    if (!(largest(c) < 1e8L)) return false;
    a = accelerations(c);
    std::size_t next = 0;
    for (std::size_t i = 0; i < does.size(); ++i) {
      const std::size_t r = 3 * i;
      if (does[i] == Does::open ? !(a[r] >= -1e-10L) : !(c[r] >= -1e-10L)) return false;
      if (does[i] == Does::rolls && !(std::hypot(c[r + 1], c[r + 2]) <= p.mu[i] * c[r] + 1e-10L))
        return false;
      if (does[i] != Does::starts) continue;
      const Real along = std::cos(angle[next]) * a[r + 1] + std::sin(angle[next]) * a[r + 2];
      ++next;
      if (!(along >= -1e-10L)) return false;
    }
    return true;
  }
};

template <class P>
void search(const Trial<P>& trial, int grid, std::vector<Column>& found) {
  std::size_t starts = 0;
  for (const Does does : trial.does) starts += does == Does::starts ? 1 : 0;
  long points = 1;
  for (std::size_t k = 0; k < starts; ++k) points *= grid;
  for (long code = 0; code < points; ++code) {
    Column angle;
    long rest = code;
    for (std::size_t k = 0; k < starts; ++k, rest /= grid)
      angle.push_back((static_cast<Real>(rest % grid) + 0.5L) * kTurn / grid);
    Column a;
    if ((starts > 0 && !trial.newton(angle)) || !trial.obeys(angle, a)) continue;
    bool known = false;
    for (const Column& other : found) known = known || largest(plus(a, -1, other)) < 1e-7L;
    if (!known) found.push_back(a);
  }
}

template <class P>
std::vector<Column> sample(const P& p, int grid) {
  std::vector<Column> found;
  int combinations = 1;
  for (int i = 0; i < p.contacts(); ++i) combinations *= p.slides(i) ? 2 : 3;
  for (int code = 0; code < combinations; ++code) {
    Trial<P> trial{p, {}};
    int rest = code;
    for (int i = 0; i < p.contacts(); ++i) {
      const int choices = p.slides(i) ? 2 : 3, k = rest % choices;
      rest /= choices;
      trial.does.push_back(k == 0        ? Does::open
                           : p.slides(i) ? Does::slides
                           : k == 1      ? Does::rolls
                                         : Does::starts);
    }
    search(trial, grid, found);
  }
  return found;
}

}  // namespace oracle
