// The linear system of known modes against what defines it: s = A lambda + b by plain sums, zero in the
// unknown rows, or against lambda where they give, friction at its border in the bound ones, no force where
// an element is open; of a joint the speed or the force that its piece of the staircase says.
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

// At most two rows of joints.
constexpr int kPlain = 2;

template <class Scalar, int Dim>
struct Rig {
  static constexpr int kRows = kPlain + kElements * Dim;
  Scalar A[kRows * kRows]{}, b[kRows]{}, mu[kElements]{}, scratch[kRows * kRows]{}, work[kRows]{};
  Scalar lambda[kRows]{}, s[kRows]{};
  guess::ElementMode<Scalar, Dim> mode[kElements]{};
  RowMode plain[kPlain]{};
  Staircase<Scalar> law[kPlain];
  std::int16_t row[kRows]{};
  Problem<Scalar, Dim> problem;
  bool relaxed;

  // A = n I + F F^T; `modes` has a letter for each joint, h that holds, l at its lower stop or r that rubs
  // and rises; then one digit an element: 0 open, 1 sticks, 2 slips along the last tangent alone, 3 slips
  // along all of them and may turn.
  Rig(Random& random, const char* modes, bool law_relaxed = false) : relaxed(law_relaxed) {
    for (; *modes > '9'; ++modes, ++problem.plain) {
      plain[problem.plain] = *modes == 'h'   ? RowMode::sticks
                             : *modes == 'l' ? RowMode::at_lower
                                             : RowMode::rises;
      law[problem.plain] = {*modes == 'h' ? Staircase<Scalar>::kNever : Scalar(0.125), Scalar(-0.5)};
    }
    while (modes[problem.elements] != 0) ++problem.elements;
    const int n = problem.rows();
    Scalar F[kRows * kRows];
    for (int i = 0; i < n * n; ++i) F[i] = static_cast<Scalar>(random.next());
    for (int i = 0; i < n; ++i) {
      b[i] = static_cast<Scalar>(random.next());
      for (int j = 0; j < n; ++j) {
        A[i * n + j] = static_cast<Scalar>(i == j ? n : 0);
        for (int k = 0; k < n; ++k) A[i * n + j] += F[i * n + k] * F[j * n + k];
      }
    }
    for (int i = 0; i < problem.elements; ++i) {
      auto& m = mode[i];
      mu[i] = Scalar(0.25);
      m.closed = modes[i] != '0';
      m.give = m.kFixed;
      const auto bind = [&](int k, Scalar g) {
        m.bound[k] = true;
        m.g[k] = g;
        m.pull[k] = mu[i] * g;
      };
      if (modes[i] == '2' || (Dim == 2 && modes[i] == '3')) {
        bind(Dim - 2, -1);
      } else if (modes[i] == '3') {
        const Scalar g[3] = {Dim == 3 ? Scalar(0.6) : Scalar(0.36), Dim == 3 ? Scalar(-0.8) : Scalar(-0.48),
                             Scalar(0.8)};
        for (int k = 0; k < Dim - 1; ++k) bind(k, g[k]);
        m.turn_with(Scalar(0.5));
      }
    }
    problem.A = A;
    problem.stride = n;
    problem.b = b;
    problem.mu = mu;
    problem.staircase = law;
  }

  bool solve(bool redundant) {
    guess::ReducedSystem<Scalar, Dim> system(problem, relaxed, plain, mode, row, work, scratch);
    if (!system.factor(redundant)) return false;
    system.start(lambda, s);
    system.residual(s, nullptr, 1, 1);
    for (int k = 0; k < (redundant ? 4 : 1); ++k) {
      system.correct(k == 0, lambda, s);
      system.residual(s, lambda, 1, 1);
    }
    return true;
  }

  // x . y of the tangents of an element.
  static Scalar product(const Scalar* x, const Scalar* y) {
    Scalar sum = 0;
    for (int k = 0; k < Dim - 1; ++k) sum += x[k] * y[k];
    return sum;
  }

  // The largest breach of what the modes say.
  Scalar breach() const {
    Scalar worst = 0;
    const auto see = [&](Scalar x) { worst = std::isfinite(x) ? std::fmax(worst, std::abs(x)) : x; };
    for (int i = 0; i < problem.rows(); ++i) {
      Scalar sum = b[i];
      for (int j = 0; j < problem.rows(); ++j) sum += A[i * problem.stride + j] * lambda[j];
      see(sum - s[i]);
    }
    for (int j = 0; j < problem.plain; ++j)
      see(plain[j] == RowMode::sticks     ? s[j]
          : plain[j] == RowMode::at_lower ? s[j] - Scalar(-0.5)
                                          : lambda[j] + Scalar(0.125));
    for (int i = 0; i < problem.elements; ++i) {
      const auto& m = mode[i];
      const Scalar* const f = lambda + problem.first(i);
      const Scalar* const v = s + problem.first(i);
      if (!m.closed) {
        for (int k = 0; k < Dim; ++k) see(f[k]);
        continue;
      }
      const bool slips = m.bound[Dim - 2];
      see(relaxed && slips ? v[0] + mu[i] * product(m.g, v + 1) : v[0]);
      if (!m.turns()) {
        for (int k = 0; k < Dim - 1; ++k) see(m.bound[k] ? f[1 + k] - m.pull[k] * f[0] : v[1 + k]);
        continue;
      }
      // Along g friction is at its border; across it a part x of it has s + give x = 0. Neither asks which
      // directions across were taken.
      see(product(m.g, f + 1) - mu[i] * f[0]);
      const Scalar slip = product(m.g, v + 1), force = product(m.g, f + 1);
      for (int k = 0; k < Dim - 1; ++k) see(v[1 + k] - slip * m.g[k] + m.give * (f[1 + k] - force * m.g[k]));
    }
    return worst;
  }
};

template <class Scalar, int Dim>
void meets_its_definition() {
  const Scalar tolerance = 100 * std::numeric_limits<Scalar>::epsilon();
  Random random;
  for (const char* modes : {"1",    "2",    "0",    "11",   "12",     "20",   "111",    "121", "102", "222",
                            "1111", "1212", "0120", "3",    "13",     "3333", "1032",   "h",   "l",   "hl",
                            "r1",   "h2",   "l3",   "hr12", "hl1032", "rr11", "rh3333", "lr0"}) {
    for (const bool redundant : {false, true}) {
      Rig<Scalar, Dim> rig(random, modes);
      TEST_ASSERT_TRUE_MESSAGE(rig.solve(redundant), modes);
      TEST_ASSERT_TRUE_MESSAGE(rig.breach() < tolerance, modes);
    }
  }
}

// Where one slips it is held at s_n = mu |s_T|.
template <class Scalar, int Dim>
void meets_the_relaxed_law() {
  const Scalar tolerance = 100 * std::numeric_limits<Scalar>::epsilon();
  Random random;
  for (const char* modes : {"3", "13", "3333", "1030", "h3", "hl13"}) {
    for (const bool redundant : {false, true}) {
      Rig<Scalar, Dim> rig(random, modes, true);
      TEST_ASSERT_TRUE_MESSAGE(rig.solve(redundant), modes);
      TEST_ASSERT_TRUE_MESSAGE(rig.breach() < tolerance, modes);
    }
  }
}

// A pivot that vanishes, or is no number, is refused.
template <class Scalar, int Dim>
void refuses_what_it_cannot_factor() {
  for (const Scalar bad : {Scalar(0), Scalar(-1), std::numeric_limits<Scalar>::quiet_NaN(),
                           std::numeric_limits<Scalar>::infinity()}) {
    for (const char* modes : {"11", "12", "h11", "h12"}) {
      Random random;
      Rig<Scalar, Dim> rig(random, modes);
      // A_nn of the second element, which nothing else moves: friction cannot make up for it.
      const int n = rig.problem.first(1), stride = rig.problem.stride;
      for (int i = 0; i < stride; ++i) rig.A[n * stride + i] = rig.A[i * stride + n] = 0;
      rig.A[n * (stride + 1)] = bad;
      TEST_ASSERT_FALSE_MESSAGE(rig.solve(false) && std::isfinite(rig.lambda[n]) && rig.lambda[n] != 0,
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
  RUN_TEST((meets_its_definition<double, 4>));
  RUN_TEST((meets_the_relaxed_law<float, 3>));
  RUN_TEST((meets_the_relaxed_law<double, 2>));
  RUN_TEST((meets_the_relaxed_law<double, 3>));
  RUN_TEST((meets_the_relaxed_law<double, 4>));
  RUN_TEST((refuses_what_it_cannot_factor<float, 3>));
  RUN_TEST((refuses_what_it_cannot_factor<double, 2>));
  return UNITY_END();
}
