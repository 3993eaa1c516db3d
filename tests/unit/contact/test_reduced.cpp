// The linear system of known modes against what defines it: s = A lambda + b by plain sums, zero in the
// unknown rows, or against lambda where they give, friction at its border in the bound ones, no force where
// an element is open.
#include <cmath>
#include <limits>

#include "tactus/contact/reduced.hpp"
#include "unity.h"

using namespace tactus::contact;

namespace {

constexpr int kElements = 4;

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

template <class Scalar, int Dim>
struct Rig {
  static constexpr int kRows = kElements * Dim;
  Scalar A[kRows * kRows]{}, b[kRows]{}, mu[kElements]{}, scratch[kRows * kRows]{}, work[kRows]{};
  Scalar lambda[kRows]{}, s[kRows]{};
  guess::ElementMode<Scalar, Dim> mode[kElements]{};
  std::int16_t row[kRows]{};
  Problem<Scalar, Dim> problem;

  // A = n I + F F^T; `modes` has one digit an element: 0 open, 1 sticks, 2 slips along the last tangent, 3
  // and gives along the other one.
  Rig(Random& random, int elements, const char* modes) {
    const int n = elements * Dim;
    Scalar F[kRows * kRows];
    for (int i = 0; i < n * n; ++i) F[i] = static_cast<Scalar>(random.next());
    for (int i = 0; i < n; ++i) {
      b[i] = static_cast<Scalar>(random.next());
      for (int j = 0; j < n; ++j) {
        A[i * n + j] = static_cast<Scalar>(i == j ? n : 0);
        for (int k = 0; k < n; ++k) A[i * n + j] += F[i * n + k] * F[j * n + k];
      }
    }
    for (int i = 0; i < elements; ++i) {
      mu[i] = Scalar(0.25);
      mode[i].closed = modes[i] != '0';
      if (modes[i] == '3' && Dim == 3) mode[i].give = Scalar(0.5);
      if (modes[i] == '2' || modes[i] == '3') {
        mode[i].bound[Dim - 2] = true;
        mode[i].pull[Dim - 2] = -mu[i];
      }
    }
    problem = {elements, A, n, b, mu, nullptr};
  }

  bool solve(bool redundant) {
    guess::ReducedSystem<Scalar, Dim> system(problem, mode, row, work, scratch);
    if (!system.factor(redundant)) return false;
    system.residual(b);
    for (int k = 0; k < (redundant ? 4 : 1); ++k) {
      system.correct(k == 0, lambda, s);
      system.residual(s, lambda);
    }
    return true;
  }
};

template <class Scalar, int Dim>
void meets_its_definition() {
  const Scalar tolerance = 100 * std::numeric_limits<Scalar>::epsilon();
  Random random;
  for (const char* modes : {"1", "2", "0", "11", "12", "20", "111", "121", "102", "222", "1111", "1212",
                            "0120", "3", "13", "3333", "1032"}) {
    int elements = 0;
    while (modes[elements] != 0) ++elements;
    for (const bool redundant : {false, true}) {
      Rig<Scalar, Dim> rig(random, elements, modes);
      TEST_ASSERT_TRUE_MESSAGE(rig.solve(redundant), modes);
      const int n = elements * Dim;
      for (int i = 0; i < n; ++i) {
        const auto& m = rig.mode[i / Dim];
        const int k = i % Dim - 1;
        Scalar sum = rig.b[i];
        for (int j = 0; j < n; ++j) sum += rig.A[i * n + j] * rig.lambda[j];
        TEST_ASSERT_TRUE_MESSAGE(std::abs(sum - rig.s[i]) < tolerance, modes);
        if (!m.closed)
          TEST_ASSERT_TRUE_MESSAGE(rig.lambda[i] == 0, modes);
        else if (k >= 0 && m.bound[k])
          TEST_ASSERT_TRUE_MESSAGE(rig.lambda[i] == m.pull[k] * rig.lambda[i / Dim * Dim], modes);
        else
          TEST_ASSERT_TRUE_MESSAGE(std::abs(rig.s[i] + (k >= 0 ? m.give * rig.lambda[i] : 0)) < tolerance,
                                   modes);
      }
    }
  }
}

// A pivot that vanishes, or is no number, is refused.
template <class Scalar, int Dim>
void refuses_what_it_cannot_factor() {
  for (const Scalar bad : {Scalar(0), Scalar(-1), std::numeric_limits<Scalar>::quiet_NaN(),
                           std::numeric_limits<Scalar>::infinity()}) {
    for (const char* modes : {"11", "12"}) {
      Random random;
      Rig<Scalar, Dim> rig(random, 2, modes);
      rig.A[Dim * (2 * Dim + 1)] = bad;  // A_nn of the second element
      TEST_ASSERT_FALSE_MESSAGE(rig.solve(false) && std::isfinite(rig.lambda[Dim]) && rig.lambda[Dim] != 0,
                                modes);
    }
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST((meets_its_definition<float, 2>));
  RUN_TEST((meets_its_definition<float, 3>));
  RUN_TEST((meets_its_definition<double, 2>));
  RUN_TEST((meets_its_definition<double, 3>));
  RUN_TEST((refuses_what_it_cannot_factor<float, 3>));
  RUN_TEST((refuses_what_it_cannot_factor<double, 2>));
  return UNITY_END();
}
