// Modes first in space: friction opposes the slip, in few tries, whichever way t and o point; and joints with
// friction and limits stand beside contacts.
#include <algorithm>
#include <cmath>

#include "tactus/clock.hpp"
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
    const guess::Arrays<double, 3> arrays{nullptr, mode, row, work, scratch, lambda, s, used};
    guess::Search<double, 3> search(problem, guess::Friction::round, false, arrays);
    auto answer = search.run([](int) { return Remembered{}; }, tactus::kNoClock);
    if (answer.found) return answer;
    const int tries = answer.tries;
    answer = search.go_on(guess::kTriesAfterPath<double>, tactus::kNoClock);
    answer.tries += tries;
    return answer;
  }
};

// Coulomb's law itself: |lambda_T| = mu lambda_n against the slip, to rounding.
void friction_opposes_the_slip() {
  Random random;
  int most_alone = 0, most = 0, slips = 0;
  for (int k = 0; k < 600; ++k) {
    Sliding contacts(random, 1 + k % kElements);
    const auto answer = contacts.solve();
    TEST_ASSERT_TRUE(answer.found);
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

// The one contact of the plane that would open (it pulls when it sticks), close (the free motion presses it
// in), stick, and so on: where it began to repeat itself the search has ended. It slips, in fact.
template <class Scalar>
void no_modes_are_tried_twice() {
  const Scalar A[4] = {1, Scalar(0.9), Scalar(0.9), 1}, b[2] = {-1, Scalar(-1.5)}, mu[1] = {2};
  Scalar lambda[2], s[2], used[1], work[3], scratch[9];
  std::int16_t row[3];
  guess::ElementMode<Scalar, 2> mode[1];
  const Problem<Scalar, 2> problem{1, A, 2, b, mu, nullptr};
  const guess::Arrays<Scalar, 2> arrays{nullptr, mode, row, work, scratch, lambda, s, used};
  guess::Search<Scalar, 2> search(problem, guess::Friction::box, false, arrays);
  const auto answer = search.run([](int) { return Remembered{}; }, tactus::kNoClock);
  TEST_ASSERT_FALSE(answer.found);
  TEST_ASSERT_EQUAL_INT(2, answer.tries);
}

// What a joint's force p may be at the speed v, word by word.
bool fits(const Staircase<double>& law, double v, double p) {
  constexpr double kSlack = 1e-8;
  const double f = law.friction;
  const bool at_lower = std::fabs(v - law.lower) < kSlack, at_upper = std::fabs(v - law.upper) < kSlack;
  if (v < law.lower - kSlack || v > law.upper + kSlack) return false;
  if (std::fabs(v) < kSlack && std::fabs(p) < f + kSlack) return true;  // it sticks
  const double rubs = v > 0 ? -f : f;
  if (at_lower) return p > rubs - kSlack;  // a stop pushes beside what friction does
  if (at_upper) return p < rubs + kSlack;
  return std::fabs(p - rubs) < kSlack;
}

// A joint that holds, one that rubs between stops, and two contacts, all of which pull at each other.
void joints_stand_beside_contacts() {
  constexpr int kPlain = 2, n = kPlain + 6;
  Random random;
  int found = 0, held[6] = {}, slips = 0;
  for (int k = 0; k < 1000; ++k) {
    double F[n * n], A[n * n], b[n], lambda[n], s[n], work[n], scratch[n * n], used[2];
    for (double& x : F) x = random.next();
    for (int i = 0; i < n; ++i) {
      b[i] = 3 * random.next();
      for (int j = 0; j < n; ++j) {
        A[i * n + j] = i == j ? 1 : 0;
        for (int c = 0; c < n; ++c) A[i * n + j] += F[i * n + c] * F[j * n + c] / 2;
      }
    }
    const double mu[2] = {0.4, 0.2};
    const double stop = random.next();  // a joint that is beyond its stop has to come back
    const Staircase<double> law[kPlain] = {{Staircase<double>::kNever},
                                           {std::fabs(random.next()), stop - 0.5, stop + 0.5}};
    Problem<double, 3> problem{2, A, n, b, mu, nullptr};
    problem.plain = kPlain;
    problem.staircase = law;
    RowMode plain[kPlain] = {RowMode::sticks, RowMode::unknown};
    guess::ElementMode<double, 3> mode[2];
    std::int16_t row[n];
    const guess::Arrays<double, 3> arrays{plain, mode, row, work, scratch, lambda, s, used};
    guess::Search<double, 3> search(problem, guess::Friction::round, true, arrays);
    auto answer = search.run([](int) { return Remembered{}; }, tactus::kNoClock);
    if (!answer.found) answer = search.go_on(guess::kTriesAfterPath<double>, tactus::kNoClock);
    if (!answer.found) continue;
    ++found;
    for (int i = 0; i < n; ++i) {
      double sum = b[i];
      for (int j = 0; j < n; ++j) sum += A[i * n + j] * lambda[j];
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, sum, s[i]);
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, 0, s[0]);
    TEST_ASSERT_TRUE(fits(law[1], s[1], lambda[1]));
    ++held[static_cast<int>(plain[1])];
    for (int e = 0; e < 2; ++e) {
      const double* const l = lambda + kPlain + 3 * e;
      const double* const v = s + kPlain + 3 * e;
      const double limit = mu[e] * l[0], slip = std::hypot(v[1], v[2]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-8, 0, std::fmin(l[0], v[0]));
      TEST_ASSERT_TRUE(std::hypot(l[1], l[2]) <= limit + 1e-8);
      TEST_ASSERT_DOUBLE_WITHIN(1e-8, 0, l[1] * v[1] + l[2] * v[2] + limit * slip);
      slips += limit > 1e-6 && slip > 1e-6 ? 1 : 0;
    }
  }
  TEST_ASSERT_GREATER_THAN_INT(900, found);
  TEST_ASSERT_GREATER_THAN_INT(500, slips);
  TEST_ASSERT_EQUAL_INT(0, held[static_cast<int>(RowMode::unknown)]);
  for (const RowMode each :
       {RowMode::sticks, RowMode::rises, RowMode::falls, RowMode::at_lower, RowMode::at_upper})
    TEST_ASSERT_GREATER_THAN_INT(20, held[static_cast<int>(each)]);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(friction_opposes_the_slip);
  RUN_TEST(no_modes_are_tried_twice<float>);
  RUN_TEST(no_modes_are_tried_twice<double>);
  RUN_TEST(the_frame_does_not_matter);
  RUN_TEST(joints_stand_beside_contacts);
  return UNITY_END();
}
