// One impact (contact/impact.hpp): random bodies struck in one to four points, flat ones with redundant
// corners among them, by each law. The energy is computed here, from the impulses and the matrix.
#include <cmath>
#include <cstdint>
#include <random>

#include "tactus/contact/impact.hpp"
#include "unity.h"

using namespace tactus;
using contact::ImpactLaw;

namespace {

constexpr int kPoints = 4;

template <class Scalar, int Dim>
struct Struck {
  static constexpr int kRows = kPoints * Dim;
  int points = 0;
  Scalar A[kRows * kRows], b[kRows], mu[kPoints];
  contact::Rebound<Scalar> rebound[kPoints];
  contact::guess::ElementMode<Scalar, Dim> mode[kPoints];
  std::int16_t row[kRows];
  Scalar work[kRows], system[kRows * kRows], lambda[kRows], s[kRows], used[kPoints], more[2 * kRows];
  bool certified = false;

  void solve() {
    contact::Problem<Scalar, Dim> p;
    p.elements = points;
    p.A = A;
    p.stride = points * Dim;
    p.b = b;
    p.mu = mu;
    const contact::guess::Arrays<Scalar, Dim> to{nullptr, mode, row, work, system, lambda, s, used};
    contact::impact::Impact<Scalar, Dim, contact::guess::Parts{.plain = false}> impact(p, rebound, to, more);
    certified = impact.solve(true, kNoClock);
  }
  double at(int r, int c) const { return static_cast<double>(A[r * points * Dim + c]); }
  double change() const {  // of the kinetic energy
    double sum = 0;
    for (int r = 0; r < points * Dim; ++r) {
      double Al = 0;
      for (int c = 0; c < points * Dim; ++c) Al += at(r, c) * static_cast<double>(lambda[c]);
      sum += static_cast<double>(lambda[r]) * (static_cast<double>(b[r]) + Al / 2);
    }
    return sum;
  }
  double after(int r) const {
    double sum = static_cast<double>(b[r]);
    for (int c = 0; c < points * Dim; ++c) sum += at(r, c) * static_cast<double>(lambda[c]);
    return sum;
  }
};

class Random {
 public:
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
  }

 private:
  std::mt19937 engine_{17};
};

using V = double[3];

// A body of mass m and inertia I is struck from below at points r with the speeds v + w x r; the kinetic
// energy is returned.
template <class Scalar, int Dim>
double strike(Random& g, Struck<Scalar, Dim>& out) {
  const double m = g.uniform(0.1, 2),
               I[3] = {m * g.uniform(0.1, 1), m * g.uniform(0.1, 1), m * g.uniform(0.1, 1)};
  V v{g.uniform(-1, 1), g.uniform(-1, 1), -g.uniform(0.1, 2)},
      w{g.uniform(-3, 3), g.uniform(-3, 3), g.uniform(-3, 3)};
  if (g.uniform(0, 1) < 0.5) w[0] = w[1] = w[2] = 0;  // flat
  if (Dim == 2) v[1] = w[0] = w[2] = 0;
  out.points = 1 + static_cast<int>(g.uniform(0, Dim == 2 ? 2 : kPoints));
  const auto mu = static_cast<Scalar>(g.uniform(0, 1) < 0.2 ? 0 : g.uniform(0, 1.5));
  double J[kPoints * Dim][6] = {};
  for (int i = 0; i < out.points; ++i) {
    const bool corner = out.points > 2;
    const V r{corner ? (i & 1 ? 1.0 : -1.0) : g.uniform(-1, 1),
              Dim == 2 ? 0
              : corner ? (i & 2 ? 1.0 : -1.0)
                       : g.uniform(-1, 1),
              -0.5};
    const V axis[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (int k = 0; k < Dim; ++k)
      for (int c = 0; c < 3; ++c) {
        J[i * Dim + k][c] = axis[k][c];
        J[i * Dim + k][3 + c] = r[(c + 1) % 3] * axis[k][(c + 2) % 3] - r[(c + 2) % 3] * axis[k][(c + 1) % 3];
      }
    out.mu[i] = mu;
  }
  if (Dim == 2)
    for (auto& row : J) row[3] = row[5] = 0;
  const int n = out.points * Dim;
  for (int r = 0; r < n; ++r) {
    double b = 0;
    for (int c = 0; c < 3; ++c) b += J[r][c] * v[c] + J[r][3 + c] * w[c];
    out.b[r] = static_cast<Scalar>(b);
    for (int q = 0; q < n; ++q) {
      double a = 0;
      for (int c = 0; c < 3; ++c) a += J[r][c] * J[q][c] / m + J[r][3 + c] * J[q][3 + c] / I[c];
      out.A[r * n + q] = static_cast<Scalar>(a);
    }
  }
  double T = 0;
  for (int c = 0; c < 3; ++c) T += (m * v[c] * v[c] + I[c] * w[c] * w[c]) / 2;
  return T;
}

template <class Scalar, int Dim>
void no_law_gains() {
  constexpr bool fine = sizeof(Scalar) == 8;
  const double gain = fine ? 1e-9 : 1e-5, left = 1e-3;
  Random g;
  Struck<Scalar, Dim> hit;
  int refused = 0, closing = 0;
  for (int k = 0; k < 4000; ++k) {
    const double T = strike(g, hit);
    const auto law = static_cast<ImpactLaw>(1 + k % 4);
    const double e = g.uniform(0, 1) < 0.2 ? 1 : g.uniform(0, 1);
    double fastest = 0;
    for (int i = 0; i < hit.points; ++i) {
      hit.rebound[i] = {static_cast<Scalar>(e), law};
      fastest = std::fmax(fastest, -static_cast<double>(hit.b[i * Dim]));
    }
    hit.solve();
    TEST_ASSERT_TRUE(hit.change() <= gain * T);
    refused += hit.certified ? 0 : 1;
    for (int i = 0; i < hit.points; ++i) {
      const Scalar* const p = hit.lambda + i * Dim;
      const double N = static_cast<double>(p[0]),
                   t = Dim == 2 ? std::fabs(static_cast<double>(p[1]))
                                : std::hypot(static_cast<double>(p[1]), static_cast<double>(p[Dim - 1]));
      TEST_ASSERT_TRUE(N >= 0 && t <= static_cast<double>(hit.mu[i]) * N * (1 + left) + 1e-6 * N);
      if (hit.certified && !(hit.after(i * Dim) >= -left * fastest)) ++closing;
    }
    // Without friction and with e = 1 nothing is lost where all points close.
    bool slides = e == 1;
    for (int i = 0; i < hit.points; ++i) slides = slides && hit.mu[i] == 0 && hit.b[i * Dim] < 0;
    if (slides) TEST_ASSERT_TRUE(std::fabs(hit.change()) <= gain * T);
  }
  // What is cut short: Newton's targets at corners that cannot all have theirs.
  TEST_ASSERT_TRUE(refused <= 4 && closing <= 8);
}

// One point, no friction: s_n = -e b_n by every law.
template <class Scalar>
void one_point_rebounds() {
  for (int law = 1; law <= 4; ++law) {
    Struck<Scalar, 2> hit;
    hit.points = 1;
    const Scalar A[] = {2, Scalar(0.5), Scalar(0.5), 3}, b[] = {-1, Scalar(0.3)};
    for (int k = 0; k < 4; ++k) hit.A[k] = A[k];
    hit.b[0] = b[0], hit.b[1] = b[1];
    hit.mu[0] = 0;
    hit.rebound[0] = {Scalar(0.6), static_cast<ImpactLaw>(law)};
    hit.solve();
    TEST_ASSERT_TRUE(hit.certified);
    TEST_ASSERT_DOUBLE_WITHIN(sizeof(Scalar) == 8 ? 1e-12 : 1e-5, 0.6, hit.after(0));
    TEST_ASSERT_DOUBLE_WITHIN(sizeof(Scalar) == 8 ? 1e-12 : 1e-5, 0.3 + 0.5 * 0.8, hit.after(1));
  }
}

// A ball with spin that sticks in compression: v_t after it is 0. Poisson leaves it there, Moreau turns it
// back by e. A ball: A = diag(1, 7 / 2) / m.
template <class Scalar>
void what_friction_stops() {
  for (const auto law : {ImpactLaw::poisson, ImpactLaw::moreau}) {
    Struck<Scalar, 2> hit;
    hit.points = 1;
    const Scalar A[] = {1, 0, 0, Scalar(3.5)};
    for (int k = 0; k < 4; ++k) hit.A[k] = A[k];
    hit.b[0] = -1, hit.b[1] = Scalar(0.7);
    hit.mu[0] = Scalar(0.9);
    hit.rebound[0] = {Scalar(0.5), law};
    hit.solve();
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.5, hit.after(0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, law == ImpactLaw::moreau ? -0.35 : 0, hit.after(1));
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST((no_law_gains<double, 2>));
  RUN_TEST((no_law_gains<double, 3>));
  RUN_TEST((no_law_gains<float, 2>));
  RUN_TEST((no_law_gains<float, 3>));
  RUN_TEST(one_point_rebounds<double>);
  RUN_TEST(one_point_rebounds<float>);
  RUN_TEST(what_friction_stops<double>);
  RUN_TEST(what_friction_stops<float>);
  return UNITY_END();
}
