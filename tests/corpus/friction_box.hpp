// A corpus of friction problems: one cube on a plane, as Stewart's velocity problem (2.16) with four facets a
// contact.
//
// Unknowns: normal impulses; facet impulses, four a contact; slip speeds. With D = (t, o, -t, -o) per
// contact, c and r the rows for t and o, and A = W M^-1 W^T:
//     normal  A_nn  A_nD  0    b_n          (velocities before the step, one step of gravity added)
//     facet   A_Dn  A_DD  E    b_D
//     cone    mu   -E^T   0    0
// Everything is made from a seed in double with +, -, *, / and sqrt alone, so host and boards make the same
// numbers. A cube with four or six contacts has dependent rows and pairs of opposite ones: exactly
// degenerate, as real scenes are.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "tactus/lcp/problem.hpp"

namespace corpus {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {  // splitmix64
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1p-53);
  }

 private:
  std::uint64_t state_;
};

struct Box {
  double mass = 1;    // kg
  double edge = 0.1;  // m
  int contacts = 4;   // 1 to 4 bottom corners, with 6 two midpoints of edges as well
  double mu = 0.3;
  double diagonal = 0;  // added to M's diagonal
  std::uint64_t seed =
      0;  // of the motion: seed mod 5 = 0 rests, 1 is pushed, 2 slides, 3 spins, 4 moves in all ways
};

inline constexpr int kFacets = 4;
constexpr int unknowns(const Box& box) {
  return box.contacts * (2 + kFacets);
}

template <class Scalar, int Capacity>
struct Instance {
  int n = 0;
  std::array<Scalar, Capacity * Capacity> M{};
  std::array<Scalar, Capacity> q{};
  std::array<std::uint8_t, Capacity> block{};  // impulses 0, speeds 1

  tactus::lcp::Problem<Scalar> view() const { return {n, M.data(), n, q.data(), nullptr}; }
};

// False if the box needs more than Capacity unknowns.
template <class Scalar, int Capacity>
bool make(const Box& box, Instance<Scalar, Capacity>& out) {
  constexpr double kStep = 1e-3, kGravity = 9.81;
  static constexpr double kAt[6][2] = {{1, 1}, {-1, -1}, {1, -1}, {-1, 1}, {0, 1}, {0, -1}};
  const int nc = box.contacts, n = unknowns(box);
  if (nc < 1 || nc > 6 || n > Capacity) return false;
  out.n = n;
  Random random(box.seed * 1000003 + static_cast<std::uint64_t>(nc));
  double v[6] = {};  // linear, angular
  const int kind = static_cast<int>(box.seed % 5);
  if (kind == 1) v[0] = random.uniform(0, 2) * kStep * kGravity * box.mu;
  if (kind == 2 || kind == 4) v[0] = random.uniform(-1, 1), v[1] = random.uniform(-1, 1);
  if (kind == 3 || kind == 4) v[5] = random.uniform(-1, 1) / box.edge;
  if (kind == 4) {
    v[2] = random.uniform(-1, 1);
    v[3] = random.uniform(-1, 1) / box.edge;
    v[4] = random.uniform(-1, 1) / box.edge;
  }
  v[2] -= kStep * kGravity;
  // t at a random angle, the tangent of whose half is uniform.
  const double half = random.uniform(-1, 1), scale = 1 / (1 + half * half);
  const double c = kind == 0 ? 1 : (1 - half * half) * scale, s = kind == 0 ? 0 : 2 * half * scale;
  const double axes[3][3] = {{0, 0, 1}, {c, s, 0}, {-s, c, 0}};
  const double inverse_mass = 1 / box.mass, inverse_inertia = 6 / (box.mass * box.edge * box.edge);
  double W[18][6];  // n of all contacts, then t, then o
  for (int a = 0; a < 3; ++a) {
    for (int i = 0; i < nc; ++i) {
      const double p[3] = {kAt[i][0] * box.edge / 2, kAt[i][1] * box.edge / 2, -box.edge / 2};
      const double* d = axes[a];
      double* row = W[a * nc + i];
      for (int k = 0; k < 3; ++k) row[k] = d[k];
      row[3] = p[1] * d[2] - p[2] * d[1];
      row[4] = p[2] * d[0] - p[0] * d[2];
      row[5] = p[0] * d[1] - p[1] * d[0];
    }
  }
  const auto mobility = [&](int i, int j) {
    double sum = 0;
    for (int k = 0; k < 6; ++k) sum += W[i][k] * W[j][k] * (k < 3 ? inverse_mass : inverse_inertia);
    return sum;
  };
  const auto speed = [&](int i) {
    double sum = 0;
    for (int k = 0; k < 6; ++k) sum += W[i][k] * v[k];
    return sum;
  };
  // Unknown u < 5 nc acts along sign * W[row].
  const auto row_of = [&](int u) { return u < nc ? u : nc * (1 + (u - nc) % 2) + (u - nc) / kFacets; };
  const auto sign_of = [&](int u) { return u < nc || (u - nc) % kFacets < 2 ? 1.0 : -1.0; };
  const int forces = nc * (1 + kFacets);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double entry = 0;
      if (i < forces && j < forces) entry = sign_of(i) * sign_of(j) * mobility(row_of(i), row_of(j));
      if (i >= nc && i < forces && j >= forces) entry = (i - nc) / kFacets == j - forces ? 1 : 0;
      if (i >= forces && j < nc) entry = i - forces == j ? box.mu : 0;
      if (i >= forces && j >= nc && j < forces) entry = (j - nc) / kFacets == i - forces ? -1 : 0;
      if (i == j) entry += box.diagonal;
      out.M[static_cast<std::size_t>(i * n + j)] = static_cast<Scalar>(entry);
    }
    out.q[static_cast<std::size_t>(i)] = static_cast<Scalar>(i < forces ? sign_of(i) * speed(row_of(i)) : 0);
    out.block[static_cast<std::size_t>(i)] = i < forces ? 0 : 1;
  }
  return true;
}

// The sweep: 1 g / 1 cm, 1 kg / 10 cm, 1 t / 1 m; 1, 2, 4, 6 contacts; mu 0.3 and 1; with and without 1e-6 on
// the diagonal; `each` motions. f(box) for every one.
template <class F>
void for_sweep(int each, F&& f) {
  constexpr double kSizes[3][2] = {{1e-3, 0.01}, {1, 0.1}, {1e3, 1}};
  for (const auto& size : kSizes)
    for (int contacts : {1, 2, 4, 6})
      for (double mu : {0.3, 1.0})
        for (double diagonal : {0.0, 1e-6})
          for (int k = 0; k < each; ++k)
            f(Box{size[0], size[1], contacts, mu, diagonal, static_cast<std::uint64_t>(k)});
}

}  // namespace corpus
