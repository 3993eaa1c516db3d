// 712 linear complementarity problems as contact makes them, every one of which has a solution: the families
// of a harness that other solvers were measured with, made anew from the same draws.
//
//     rigid       192   Stewart (2.16), n = 6 ... 80: one body with 1 to 8 contacts, small stacks
//     compliant   216   Song (18), n = 5 ... 180: patches of 1 and 9 elements, three steps of a motion
//     degenerate  200   boxes and stacks at rest, contacts twice, mu 0, 1e2 and 1e6, zeros in q, rods after
//                       Painleve, a body jammed between walls
//     abstract    104   P-matrices, copositive ones, Murty's and Fathi's
//
// f(problem) is called with one after the other. `seed` 0 is the set that tolerances were chosen on, others
// are for holding out.
#pragma once

#include "tests/corpus/contact_forms.hpp"
#include "tests/oracle/lemke.hpp"

namespace corpus {

inline constexpr int kContactLcps = 712, kLargestLcp = 180;

namespace detail {

inline Xorshift draws(std::uint64_t seed, int id) {
  return Xorshift(static_cast<std::uint64_t>(id) + 1000003 * seed);
}

template <class F>
void rigid(std::uint64_t seed, F& f) {
  int id = 1000;
  for (const int contacts : {1, 2, 4, 8})
    for (const std::size_t facets : {4U, 8U})
      for (const double mu : {0.1, 0.5, 1.0})
        for (int k = 0; k < 8; ++k, ++id) {
          Xorshift r = draws(seed, id);
          ContactScene s;
          if (contacts >= 4 && k >= 5) {
            const Three half = r.backwards({0.02, 0.02, 0.02}, {0.1, 0.1, 0.1});
            const double yaw = r.uniform(0, 1.5);
            s = stack(contacts / 4, 4, mu, half, r.uniform(0.1, 2), yaw);
            for (double& v : s.v) v = r.uniform(-0.3, 0.3);
          } else {
            s = random_body(r, contacts, mu, k);
          }
          f("rigid", stewart_lcp(s, facets));
        }
}

template <class F>
void compliant(std::uint64_t seed, F& f) {
  int id = 5000;
  for (const int contacts : {1, 2, 3, 4})
    for (const std::size_t side : {1U, 3U})
      for (const double mu : {0.1, 0.5, 1.0})
        for (const double stiffness : {1e3, 3.6e4, 1e7})
          for (int k = 0; k < 3; ++k, ++id) {
            Xorshift r = draws(seed, id);
            const ContactScene s = random_body(r, contacts, mu, k + 1);
            constexpr double kSpacing = 1e-3;  // one element alone has that stiffness
            SongScene song(s, side, kSpacing, kSpacing / (0.95 * 0.91 * stiffness));
            const Column force = to_column(s.force);
            Column v = to_column(s.v), q;
            Matrix M;
            song.to_lcp(v, force, M, q);
            for (int step = 0; step < 2 * k; ++step) {
              const Column z = oracle::Lemke::solve(M, q);
              if (z.empty()) break;
              song.advance(z, oracle::plus(M * z, 1, q), force, v);
              song.to_lcp(v, force, M, q);
            }
            f("compliant", as_lcp(M, q, song.elements()));
          }
}

inline constexpr double kMus[3] = {0.1, 0.5, 1.0};
inline constexpr Three kCube{0.05, 0.05, 0.05}, kSlab{0.1, 0.05, 0.025};

template <class F>
void symmetric(F& f) {
  for (int k = 0; k < 24; ++k) {  // one box: rests, is pushed, slides obliquely, spins; lands
    for (const int per : {4, 8}) {
      ContactScene s = stack(1, per, kMus[k % 3], k % 2 == 1 ? kCube : kSlab, 1, 0);
      if (k / 6 == 1) s.force[0] += 3;
      if (k / 6 == 2) s.v[0] = s.v[1] = 0.25;
      if (k / 6 == 3) s.v[5] = 2;
      if (k % 6 >= 3) s.v[2] = -0.5;
      f("degenerate", stewart_lcp(s, k % 4 < 2 ? 4 : 8));
    }
  }
  for (int k = 0; k < 24; ++k) {  // stacks of two and three, the uppermost pushed and sliding
    const double mu = kMus[k / 3 % 3];
    ContactScene s = k % 3 == 2 ? stack(2, 8, mu, kSlab, 1, 0) : stack(2 + k % 3, 4, mu, kCube, 1, 0);
    if (k >= 9) s.force[s.force.size() - 6] += 4;
    if (k >= 15) s.v[s.v.size() - 6] = 0.5;
    f("degenerate", stewart_lcp(s, 4));
  }
}

template <class F>
void odd(std::uint64_t seed, F& f) {
  for (int k = 0; k < 20; ++k) {  // every contact twice
    Xorshift r = draws(seed, 9000 + k);
    ContactScene s = random_body(r, 1 + k % 3, kMus[k % 3], k);
    const auto once = s.contacts;
    s.contacts.insert(s.contacts.end(), once.begin(), once.end());
    f("degenerate", stewart_lcp(s, k % 2 == 1 ? 8 : 4));
  }
  for (int k = 0; k < 20; ++k) {  // directions without friction
    Xorshift r = draws(seed, 9100 + k);
    ContactScene s = k < 10 ? random_body(r, 1 + k % 4, 0, k) : stack(1 + k % 2, 4, 0, kCube, 1, 0);
    if (k >= 10) s.v[0] = 0.1 * (k - 9);
    f("degenerate", stewart_lcp(s, k % 2 == 1 ? 8 : 4));
  }
  for (int k = 0; k < 20; ++k) {  // very much friction
    Xorshift r = draws(seed, 9200 + k);
    const double mu = k % 4 < 2 ? 1e2 : 1e6;
    ContactScene s = k < 14 ? random_body(r, 1 + k % 4, mu, k) : stack(1, 4, mu, kCube, 1, 0);
    if (k >= 14) s.v[0] = 0.3;
    f("degenerate", stewart_lcp(s, k % 2 == 1 ? 8 : 4));
  }
  for (int k = 0; k < 20; ++k) {  // zeros in q
    Xorshift r = draws(seed, 9300 + k);
    const double mu = kMus[k % 3];
    ContactScene s = k < 10 ? random_body(r, 1 + k % 4, mu, 0) : stack(1 + k % 2, 4, mu, kCube, 1, 0);
    s.force.assign(s.force.size(), 0);
    if (k % 5 == 1) s.v[2] = -0.1;
    if (k % 5 == 2 || k % 5 == 4) s.v[0] = 0.1;
    if (k % 5 >= 3) s.force[2] = -5;
    f("degenerate", stewart_lcp(s, 4));
  }
}

template <class F>
void stuck(std::uint64_t seed, F& f) {
  const std::array<Three, 3> upright{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int k = 0; k < 24; ++k) {  // a slender rod that slides the way that jams it
    Xorshift r = draws(seed, 9400 + k);
    const double angle = r.uniform(0.6, 1.3), inertia = r.uniform(0.02, 1.0 / 3) / 4;
    ContactScene s;
    s.bodies.push_back({1, {inertia, inertia, inertia}, upright, {}});
    s.contacts.push_back({0, -1, {-std::cos(angle) / 2, 0, -std::sin(angle) / 2}, {0, 0, 1}, {1, 0, 0}});
    s.mu = k < 12 ? 2 : 6;
    s.settle();
    s.v[0] = (k % 2 == 1 ? -1 : 1) * r.uniform(0.1, 2);
    if (k % 3 == 2) s.v[2] = -0.3;
    f("degenerate", stewart_lcp(s, k % 4 < 2 ? 4 : 8));
  }
  for (int k = 0; k < 24; ++k) {  // between one, two and three pairs of walls
    Xorshift r = draws(seed, 9500 + k);
    constexpr double kHalf = 0.04;
    ContactScene s;
    s.bodies.push_back({0.5, box_inertia(0.5, {kHalf, kHalf, kHalf}), upright, {}});
    for (std::size_t pair = 0; pair <= static_cast<std::size_t>(k % 3); ++pair)
      for (const double side : {1.0, -1.0}) {
        const Three n = scaled(side, upright[pair]);
        s.contacts.push_back({0, -1, scaled(-kHalf, n), n, any_tangent(n, 0)});
      }
    s.mu = kMus[k / 3 % 3];
    s.settle();
    if (k >= 12) {
      const Three v = r.within(0.5), spin = r.within(2);
      for (std::size_t c = 0; c < 3; ++c) {
        s.v[c] = v[c];
        s.v[3 + c] = spin[c];
      }
    }
    f("degenerate", stewart_lcp(s, 4));
  }
}

inline Matrix random_matrix(Xorshift& r, std::size_t rows, std::size_t columns) {
  Matrix X(rows, columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) X(i, j) = r.uniform(-1, 1);
  return X;
}

template <class F>
void abstract(std::uint64_t seed, F& f) {
  for (const std::size_t n : {5U, 10U, 20U})
    for (int k = 0; k < 12; ++k) {
      Xorshift r = draws(seed, 20000 + 100 * static_cast<int>(n) + k);
      // Positive definite, not symmetric; then positive semidefinite of half the rank, q feasible.
      const Matrix B = random_matrix(r, n, n), S = random_matrix(r, n, n), right = random_matrix(r, n, 1);
      Column q(n), z(n), w(n);
      for (std::size_t i = 0; i < n; ++i) q[i] = 10 * right(i, 0);
      f("abstract", as_lcp(B * B.transposed() + S + -1 * S.transposed() + 0.1L * Matrix::identity(n), q, n));
      const Matrix C = random_matrix(r, n, n / 2), U = random_matrix(r, n, n),
                   M = C * C.transposed() + U + -1 * U.transposed();
      for (std::size_t i = 0; i < n; ++i) {
        const double value = r.uniform(0.1, 5);
        (r.heads() ? z[i] : w[i]) = value;
      }
      f("abstract", as_lcp(M, oracle::plus(w, -1, M * z), n));
    }
  for (const std::size_t n : {5U, 8U, 10U, 12U, 14U, 16U, 18U, 20U}) {  // Lemke's longest paths
    Matrix L = Matrix::identity(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) L(i, j) = 2;
    Column powers(n);
    for (std::size_t i = 0; i < n; ++i) powers[i] = -std::exp2(static_cast<double>(i + 1));
    f("abstract", as_lcp(L.transposed(), Column(n, -1), n));
    f("abstract", as_lcp(L.transposed(), powers, n));
    f("abstract", as_lcp(L * L.transposed(), Column(n, -1), n));
    f("abstract", as_lcp(L.transposed() * L, powers, n));
  }
}

}  // namespace detail

template <class F>
void for_contact_lcps(std::uint64_t seed, F&& f) {
  int number = 0;
  const auto named = [&](const char* family, ContactLcp p) {
    p.name = family + std::string(" ") + std::to_string(number++);
    f(p);
  };
  detail::rigid(seed, named);
  detail::compliant(seed, named);
  detail::symmetric(named);
  detail::odd(seed, named);
  detail::stuck(seed, named);
  detail::abstract(seed, named);
}

}  // namespace corpus
