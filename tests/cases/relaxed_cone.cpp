// Pang-Trinkle's (46) in space: 1,000 random instants without a solution, relaxed under the round cone. No
// force leaves its cone, and where everything slides the least f is that of an interior-point method of
// another make (tests/oracle/barrier.hpp), to 1e-6.
#include <memory>

#include "tactus/contact/acceleration_relaxed.hpp"
#include "tests/corpus/friction_box.hpp"
#include "tests/oracle/barrier.hpp"
#include "tests/unit/tell.hpp"
#include "unity.h"

using namespace tactus::contact::acceleration;
using oracle::Real;

namespace {

constexpr int kMost = 3, kProblems = 1000;

struct Tally {
  std::uint32_t jams = 0, compared = 0, inner = 0, nothing = 0, unproved = 0;
  Real worst = 0, outside = 0;
};

template <class Scalar>
struct Instant {
  int contacts = 0;
  Scalar A[9 * kMost * kMost]{}, b[3 * kMost]{}, mu[kMost]{}, velocity[2 * kMost]{};
  Problem<Scalar, 3> view() const { return {{contacts, A, 3 * contacts, b, mu, nullptr}, velocity}; }
};

// A = B B^T of two more columns than rows; strong friction and weights that press.
template <class Scalar>
Instant<Scalar> make(corpus::Random& random, bool rolls) {
  Instant<Scalar> p;
  p.contacts = 1 + static_cast<int>(random.next() % kMost);
  const int n = 3 * p.contacts;
  double B[3 * kMost][3 * kMost + 2];
  for (auto& row : B)
    for (double& x : row) x = random.uniform(-1, 1);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n + 2; ++k) sum += B[i][k] * B[j][k];
      p.A[i * n + j] = static_cast<Scalar>(sum);
    }
    p.b[i] = static_cast<Scalar>(random.uniform(-3, 3) - (i % 3 == 0 ? 3 : 0));
  }
  for (int i = 0; i < p.contacts; ++i) {
    p.mu[i] = static_cast<Scalar>(random.uniform(0.5, 4));
    if (rolls && i > 0) continue;
    for (int k = 0; k < 2; ++k) p.velocity[2 * i + k] = static_cast<Scalar>(random.uniform(-2, 2));
  }
  return p;
}

template <class Scalar>
void compare(const Instant<Scalar>& p, bool rolls, Tally& tally) {
  static const auto pyramid = std::make_unique<PyramidWorkspace<Scalar, 3, kMost>>();
  static const auto ws = std::make_unique<RelaxedWorkspace<Scalar, 3, kMost>>();
  if (solve_pyramid(p.view(), *pyramid).status != Status::none) return;
  ++tally.jams;
  const auto answer = solve_relaxed(p.view(), Law::cone, *ws);
  if (answer.status != Status::solved) {
    ++tally.nothing;
  } else {
    tally.unproved += answer.proved ? 0 : 1;
    tally.inner += answer.inner ? 1 : 0;
    for (int i = 0; i < p.contacts; ++i) {
      const Real c_n = ws->c[static_cast<std::size_t>(3 * i)], t = ws->c[static_cast<std::size_t>(3 * i + 1)],
                 o = ws->c[static_cast<std::size_t>(3 * i + 2)];
      if (std::hypot(t, o) > 0)
        tally.outside = std::fmax(tally.outside, std::hypot(t, o) / (p.mu[i] * c_n) - 1);
    }
  }
  if (rolls) return;
  oracle::Slide slide;
  const int n = 3 * p.contacts;
  slide.A.assign(p.A, p.A + n * n);
  slide.b.assign(p.b, p.b + n);
  slide.mu.assign(p.mu, p.mu + p.contacts);
  slide.velocity.assign(p.velocity, p.velocity + 2 * p.contacts);
  const Real f = oracle::least_slide(slide);
  if (answer.status != Status::solved) {
    TEST_ASSERT_TRUE(answer.status == Status::undecided || f == INFINITY);
    return;
  }
  ++tally.compared;
  // Forces of float are off by 1e-4 of the friction there is.
  Real friction = 0;
  for (int i = 0; i < p.contacts; ++i)
    friction +=
        std::pow(p.mu[i] * ws->c[static_cast<std::size_t>(3 * i)], 2.0L) *
        (Real(p.velocity[2 * i]) * p.velocity[2 * i] + Real(p.velocity[2 * i + 1]) * p.velocity[2 * i + 1]);
  if (!answer.proved) return;
  const Real off = sizeof(Scalar) == 8
                       ? std::fabs(answer.f - f) / f
                       : std::fabs(std::sqrt(Real(answer.f)) - std::sqrt(f)) / std::sqrt(friction);
  tally.worst = std::fmax(tally.worst, off);
}

template <class Scalar>
void draw() {
  corpus::Random random(46);
  Tally tally;
  for (int k = 0; tally.jams < kProblems; ++k) {
    const bool rolls = k % 4 == 0;
    compare(make<Scalar>(random, rolls), rolls, tally);
  }
  tell::figure("instants without a solution:", tally.jams);
  tell::figure("  compared:", tally.compared);
  tell::figure("  what rolls by the inner pyramid:", tally.inner);
  tell::figure("  no relaxed answer:", tally.nothing);
  tell::figure("  not proved:", tally.unproved);
  std::printf("worst difference of f %.3Lg, farthest outside of a cone %.3Lg\n", tally.worst, tally.outside);
  TEST_ASSERT_TRUE(tally.outside <= 4 * std::numeric_limits<Scalar>::epsilon());
  TEST_ASSERT_TRUE(tally.worst <= (sizeof(Scalar) == 8 ? 1e-6L : 1e-4L));
  TEST_ASSERT_TRUE(tally.compared * 2 >= tally.jams && tally.nothing + tally.unproved <= kProblems / 50);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(draw<double>);
  RUN_TEST(draw<float>);
  return UNITY_END();
}
