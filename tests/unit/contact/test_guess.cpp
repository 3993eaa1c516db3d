// Modes first in space: a pyramid turned to the slip is the cone, in few tries, whichever way t and o point.
#include <algorithm>
#include <cmath>

#include "tactus/contact/guess.hpp"
#include "unity.h"

using namespace tactus::contact;

namespace {

constexpr int kElements = 3, kRows = 3 * kElements;

// Xorshift, in (-1, 1).
struct Random {
  std::uint32_t state = 2463534242U;
  double next() {
    state ^= state << 13U;
    state ^= state >> 17U;
    state ^= state << 5U;
    return static_cast<double>(state) / 2147483648.0 - 1;
  }
};

// Contacts that slide, and pull at each other: A = I + F F^T / 2 couples n, t and o as the corner of a body
// does that lands on it.
struct Sliding {
  double A[kRows * kRows]{}, b[kRows]{}, mu[kElements]{}, lambda[kRows]{}, s[kRows]{};
  int elements;

  Sliding(Random& random, int count) : elements(count) {
    const int n = 3 * count;
    double F[kRows * kRows];
    for (int i = 0; i < n * n; ++i) F[i] = random.next();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = i == j ? 2 : 0;
        for (int k = 0; k < n; ++k) sum += F[i * n + k] * F[j * n + k];
        A[i * n + j] = sum / 2;
      }
    for (int e = 0; e < count; ++e) {
      mu[e] = 0.2;
      b[3 * e] = -1 - std::fabs(random.next());
      b[3 * e + 1] = 3 + random.next();
      b[3 * e + 2] = 3 * random.next();
    }
  }

  // The same contacts with t and o of each turned by an angle of its own.
  Sliding turned(const double* angle) const {
    const int n = 3 * elements;
    Sliding out = *this;
    const auto turn = [&](double* x, int stride, int e) {
      const double c = std::cos(angle[e]), z = std::sin(angle[e]), t = x[0], o = x[stride];
      x[0] = c * t + z * o;
      x[stride] = c * o - z * t;
    };
    for (int e = 0; e < elements; ++e) {
      for (int j = 0; j < n; ++j) turn(out.A + (3 * e + 1) * n + j, n, e);
      turn(out.b + 3 * e + 1, 1, e);
    }
    for (int e = 0; e < elements; ++e)
      for (int j = 0; j < n; ++j) turn(out.A + j * n + 3 * e + 1, 1, e);
    return out;
  }

  guess::Answer<double> solve() {
    const int n = 3 * elements;
    guess::ElementMode<double, 3> mode[kElements];
    std::int16_t row[kRows];
    double work[kRows], scratch[kRows * kRows], used[kElements];
    const Problem<double, 3> problem{elements, A, n, b, mu, nullptr};
    guess::Search<double, 3> search(problem, 4, false, mode, row, work, scratch, lambda, s, used);
    return search.run([](int) { return Remembered{}; });
  }
};

// Coulomb's law itself: |lambda_T| = mu lambda_n against the slip, to rounding.
void friction_opposes_the_slip() {
  Random random;
  int most_alone = 0, most = 0, slips = 0;
  for (int k = 0; k < 600; ++k) {
    Sliding contacts(random, 1 + k % kElements);
    const auto answer = contacts.solve();
    TEST_ASSERT_TRUE(answer.found && answer.turned);
    (contacts.elements == 1 ? most_alone : most) =
        std::max(contacts.elements == 1 ? most_alone : most, answer.tries);
    for (int e = 0; e < contacts.elements; ++e) {
      const double* const l = contacts.lambda + 3 * e;
      const double* const v = contacts.s + 3 * e;
      const double limit = 0.2 * l[0], slip = std::hypot(v[1], v[2]);
      if (!(limit > 0) || slip < 1e-6) continue;
      ++slips;
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, l[1] + limit * v[1] / slip);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, l[2] + limit * v[2] / slip);
    }
  }
  TEST_ASSERT_GREATER_THAN_INT(1000, slips);
  // Newton's method doubles the digits: sixteen of them from one in five tries. What each of several turns to
  // moves the others a little.
  TEST_ASSERT_LESS_OR_EQUAL_INT(6, most_alone);
  TEST_ASSERT_LESS_OR_EQUAL_INT(12, most);
}

void the_frame_does_not_matter() {
  Random random;
  for (int k = 0; k < 300; ++k) {
    Sliding contacts(random, kElements);
    const double angle[kElements] = {3 * random.next(), 3 * random.next(), 3 * random.next()};
    Sliding turned = contacts.turned(angle);
    TEST_ASSERT_TRUE(contacts.solve().found && turned.solve().found);
    for (int e = 0; e < kElements; ++e) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, contacts.lambda[3 * e], turned.lambda[3 * e]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, contacts.s[3 * e], turned.s[3 * e]);
    }
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(friction_opposes_the_slip);
  RUN_TEST(the_frame_does_not_matter);
  return UNITY_END();
}
