// Random parts in random fixtures, whose numbers are floats, so that both precisions are asked the same.
#pragma once

#include "tactus/contact/fixture.hpp"
#include "tests/corpus/friction_box.hpp"
#include "tests/oracle/fixture.hpp"

namespace random_fixtures {

using namespace tactus::contact::acceleration;
using oracle::Real;

template <int Dim>
inline constexpr SystemSize kSize{.contacts = 4, .freedoms = Dim == 2 ? 3 : 6, .joints = 0};

template <int Dim>
class Maker {
 public:
  static constexpr int kFreedoms = kSize<Dim>.freedoms;

  explicit Maker(std::uint64_t seed) : random_(seed) {}

  // In the plane up to 4 contacts, in space 3. A third of the loads are clamps of 1 to a million times the
  // weight, a few parts are weightless or bear on the same spot twice.
  oracle::Fixture<Dim> operator()() {
    oracle::Fixture<Dim> p;
    p.freedoms = kFreedoms;
    const int contacts = 1 + static_cast<int>(random_.next() % (Dim == 2 ? 4 : 3));
    const bool aligned = at(0.5), smooth = at(0.2), twice = at(0.15);
    const double mass = power(-2, 1);
    p.M.assign(kFreedoms * kFreedoms, 0);
    for (std::size_t i = 0; i < kFreedoms; ++i)
      p.M[i * (kFreedoms + 1)] = rounded(i < Dim ? mass : mass * random_.uniform(1e-3, 6e-3));
    Real clamp[kFreedoms] = {};
    double place[3] = {}, normal[3] = {};
    for (int i = 0; i < contacts; ++i) {
      if (i == 0 || !(twice && i == contacts - 1)) {
        for (double& x : place) x = random_.uniform(-0.1, 0.1);
        direct(normal, aligned, i);
      }
      add_rows(p, place, normal);
      const double squeeze = random_.uniform(0, 1);
      for (std::size_t f = 0; f < kFreedoms; ++f) clamp[f] -= squeeze * p.W[p.W.size() - Dim][f];
      p.mu.push_back(rounded(smooth ? 0 : random_.uniform(0.02, 1.2)));
    }
    const double kind = random_.uniform(0, 1), ratio = kind < 0.35 ? power(0, 6) : 0;
    p.f.assign(kFreedoms, 0);
    if (kind > 0.94) return p;  // weightless
    for (std::size_t f = 0; f < kFreedoms; ++f)
      p.f[f] = 9.81 * mass * (kind < 0.55 ? std::fmax(ratio, 1.0) : 0) * clamp[f];
    if (kind < 0.35 || kind > 0.55) p.f[Dim - 1] -= 9.81 * mass;
    if (kind > 0.85) p.f[kFreedoms - 1] += mass * random_.uniform(-1, 1);
    for (Real& f : p.f) f = rounded(static_cast<double>(f));
    return p;
  }

 private:
  static Real rounded(double x) { return static_cast<Real>(static_cast<float>(x)); }
  bool at(double share) { return random_.uniform(0, 1) < share; }
  double power(double low, double high) { return std::pow(10.0, random_.uniform(low, high)); }

  // Up, and walls to both sides; or any direction.
  void direct(double (&n)[3], bool aligned, int i) {
    double size = 0;
    for (int k = 0; k < Dim; ++k) {
      const double side = i % 2 == 0 ? 1 : -1;
      n[k] = aligned ? (k == (i == 0 || at(0.3) ? Dim - 1 : 0) ? side : 0) : random_.uniform(-1, 1);
      size += n[k] * n[k];
    }
    if (aligned) {  // exactly one axis
      int axis = -1;
      for (int k = 0; k < Dim; ++k) {
        if (n[k] != 0 && axis < 0) axis = k;
        if (k != axis) n[k] = 0;
      }
      if (axis < 0) n[Dim - 1] = 1;
      return;
    }
    for (int k = 0; k < Dim; ++k) n[k] /= std::sqrt(size);
  }

  static void add_rows(oracle::Fixture<Dim>& p, const double (&r)[3], const double (&n)[3]) {
    double axis[3][3] = {{n[0], n[1], n[2]}};
    if constexpr (Dim == 2) {
      axis[1][0] = n[1];
      axis[1][1] = -n[0];
    } else {
      const int least = std::fabs(n[0]) < 0.7 ? 0 : 1;
      double size = 0;
      for (int k = 0; k < 3; ++k) {
        axis[1][k] = (k == least ? 1 : 0) - n[least] * n[k];
        size += axis[1][k] * axis[1][k];
      }
      for (double& x : axis[1]) x /= std::sqrt(size);
      for (int k = 0; k < 3; ++k)
        axis[2][k] = n[(k + 1) % 3] * axis[1][(k + 2) % 3] - n[(k + 2) % 3] * axis[1][(k + 1) % 3];
    }
    for (int row = 0; row < Dim; ++row) {
      const auto& u = axis[row];
      oracle::Column w;
      for (int k = 0; k < Dim; ++k) w.push_back(rounded(u[k]));
      if constexpr (Dim == 2) {
        w.push_back(rounded(r[0] * u[1] - r[1] * u[0]));
      } else {
        for (int k = 0; k < 3; ++k)
          w.push_back(rounded(r[(k + 1) % 3] * u[(k + 2) % 3] - r[(k + 2) % 3] * u[(k + 1) % 3]));
      }
      p.W.push_back(w);
    }
  }

  corpus::Random random_;
};

template <class Scalar, int Dim>
System<Scalar, Dim, kSize<Dim>> system_of(const oracle::Fixture<Dim>& p) {
  System<Scalar, Dim, kSize<Dim>> s;
  s.contacts = static_cast<int>(p.contacts());
  s.freedoms = static_cast<int>(p.freedoms);
  for (std::size_t i = 0; i < p.M.size(); ++i) s.M_obj[i] = static_cast<Scalar>(p.M[i]);
  for (std::size_t i = 0; i < p.freedoms; ++i) s.f_obj[i] = static_cast<Scalar>(p.f[i]);
  for (std::size_t k = 0; k < p.W.size(); ++k)
    for (std::size_t i = 0; i < p.freedoms; ++i) s.W[k * p.freedoms + i] = static_cast<Scalar>(p.W[k][i]);
  for (std::size_t i = 0; i < p.mu.size(); ++i) s.mu[i] = static_cast<Scalar>(p.mu[i]);
  return s;
}

}  // namespace random_fixtures
