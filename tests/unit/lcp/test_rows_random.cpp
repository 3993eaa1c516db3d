// Small random problems in rows against the list of all their answers, and the ten problems with rows of
// rounding on which lcp::solve() ends on false rays.
#include <unity.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "tactus/lcp/rows/solver.hpp"
#include "tests/corpus/friction_box.hpp"
#include "tests/corpus/row_states.hpp"

using namespace tactus::lcp::rows;

namespace {

template <class Scalar>
constexpr double kSolved = sizeof(Scalar) == 8 ? 1e-8 : 1e-4;

template <class Scalar>
struct Instance {
  std::vector<Scalar> A, b;
  std::vector<Row<Scalar>> row;
  Problem<Scalar> view() const {
    const int n = static_cast<int>(b.size());
    return {n, A.data(), n, b.data(), row.data()};
  }
};

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  double u(double low, double high) { return random_.uniform(low, high); }
  int i(int most) { return static_cast<int>(random_.next() % static_cast<std::uint64_t>(most + 1)); }

 private:
  corpus::Random random_;
};

// A = G G^T of the rank asked for, plus 0.1 where that is more than n; numbers of one decimal, so that ties
// are frequent.
template <class Scalar>
Instance<Scalar> make(Dice& dice, int n, int rank) {
  const auto number = [&](double most) { return std::round(10 * dice.u(-most, most)) / 10; };
  Instance<Scalar> p;
  const auto N = static_cast<std::size_t>(n);
  std::vector<double> G(N * static_cast<std::size_t>(rank));
  for (double& g : G) g = number(1);
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j) {
      double sum = rank > n && i == j ? 0.1 : 0;
      for (std::size_t k = 0; k < static_cast<std::size_t>(rank); ++k)
        sum += G[i * static_cast<std::size_t>(rank) + k] * G[j * static_cast<std::size_t>(rank) + k];
      p.A.push_back(static_cast<Scalar>(sum));
    }
  int normal = -1;
  for (int i = 0; i < n; ++i) {
    p.b.push_back(static_cast<Scalar>(number(2)));
    const int kind = dice.i(normal < 0 ? 2 : 4);
    if (kind == 0 || (i == 0 && kind > 1)) {
      normal = i;
      p.row.push_back(Row<Scalar>::unilateral());
    } else if (kind > 2) {
      p.row.push_back(
          Row<Scalar>::tangent(static_cast<Index>(normal), static_cast<Scalar>(std::fabs(number(1)))));
    } else {
      const double f = dice.i(4) == 0 ? 0 : std::fabs(number(1)), shift = dice.i(4) == 0 ? number(1) : 0;
      double lower = dice.i(2) == 0 ? -kInfinity<double> : number(1) - 0.5;
      double upper = dice.i(2) == 0 ? kInfinity<double> : number(1) + 0.5;
      if (lower > upper) std::swap(lower, upper);
      p.row.push_back(Row<Scalar>::bounded(static_cast<Scalar>(shift - f), static_cast<Scalar>(shift + f),
                                           static_cast<Scalar>(lower), static_cast<Scalar>(upper)));
    }
  }
  return p;
}

template <class Scalar>
Workspace<Scalar, 60> ws;

struct Count {
  int problems = 0, solved = 0, proved = 0, rays = 0, other = 0, missed = 0, most_flips = 0;
};

template <class Scalar>
Count sweep(int problems, bool full, std::uint64_t seed) {
  Dice dice(seed);
  Count count;
  for (int k = 0; k < problems; ++k) {
    const int n = 1 + dice.i(4), rank = full ? n + 1 : 1 + dice.i(n);
    const auto made = make<Scalar>(dice, n, rank);
    const auto p = made.view();
    const auto answer = solve(p, ws<Scalar>);
    ++count.problems;
    count.most_flips = std::max(count.most_flips, answer.flips);
    corpus::RowStates<Scalar> states(p);
    if (answer.end == End::solved) {
      ++count.solved;
      TEST_ASSERT_TRUE(corpus::RowJudge<Scalar>(p).residual(ws<Scalar>.p.data()) <= 2 * kSolved<Scalar>);
      continue;
    }
    int answers = 0;  // as large as the proof reaches
    states.for_each(1e-12, [&](const auto& x) {
      double largest = 0;
      for (int i = 0; i < n; ++i)
        largest = std::max(largest, static_cast<double>(std::fabs(x[static_cast<std::size_t>(i)])) *
                                        std::sqrt(static_cast<double>(p.A[i * (n + 1)])));
      answers += largest < static_cast<double>(kReach<Scalar>);
    });
    if (answer.proved) {
      ++count.proved;
      TEST_ASSERT_EQUAL_INT(0, answers);
    } else if (answer.end == End::ray) {
      ++count.rays;
      count.missed += answers > 0;
    } else {
      ++count.other;
    }
  }
  std::printf(
      "%s%s: %d of %d solved, %d proved to have no answer, %d rays (%d have one), %d other, flips <= %d\n",
      sizeof(Scalar) == 8 ? "double" : "float ", full ? ", regular" : "", count.solved, count.problems,
      count.proved, count.rays, count.missed, count.other, count.most_flips);
  return count;
}

// A regular A: there always is an answer.
template <class Scalar>
void check_regular() {
  const Count count = sweep<Scalar>(4000, true, 1);
  TEST_ASSERT_TRUE(count.problems - count.solved <= (sizeof(Scalar) == 8 ? 0 : 4));
  TEST_ASSERT_EQUAL_INT(0, count.proved);
}

// A of any rank: what is proved to have no answer has none. A ray that is no proof may have one: then the
// data ask for a negative gap in a self-stress, and the theorem is silent.
template <class Scalar>
void check_any_rank() {
  const Count count = sweep<Scalar>(4000, false, 2);
  TEST_ASSERT_TRUE(count.proved > 100);
  TEST_ASSERT_TRUE(count.other <= (sizeof(Scalar) == 8 ? 0 : 10));
}

// Limits and friction of a joint as rows of their own, normals and tangents for each contact, from the LCP
//     n, beta (t, o, -t, -o each), limits, y = p - lo | mu p_n - sum of beta, hi - lo - y
// whose last two groups have no diagonal and an entry of -1 for each beta or y. Its pyramid |p_t| + |p_o| <=
// mu p_n is two tangents at 45 degrees.
template <class Scalar>
bool read(const std::string& path, Instance<Scalar>& p) {
  std::ifstream file(path);
  int n = 0;
  if (!(file >> n)) return false;
  const auto N = static_cast<std::size_t>(n);
  std::vector<double> M(N * N), q(N);
  for (double& x : M) file >> x;
  for (double& x : q) file >> x;
  if (!file) return false;
  std::size_t contacts = 0, rubbing = 0;
  for (std::size_t i = 0; i < N; ++i) {
    int minus = 0, others = 0;
    for (std::size_t j = 0; j < N; ++j) {
      minus += M[i * N + j] == -1 && M[j * N + i] == 1;
      others += M[i * N + j] < 0 && M[i * N + j] != -1;
    }
    if (M[i * N + i] != 0 || others > 0) continue;
    contacts += minus == 4;
    rubbing += minus == 1;
  }
  const std::size_t limits = N - 6 * contacts - 2 * rubbing;
  // Each row is a sum of at most two unknowns.
  struct Sum {
    std::size_t i, j;
    double of_i, of_j;
  };
  std::vector<Sum> sums;
  const double half = std::sqrt(0.5);
  for (std::size_t c = 0; c < contacts; ++c) {
    const auto normal = static_cast<Index>(sums.size());
    const double mu = M[(N - contacts - rubbing + c) * N + c];
    sums.push_back({c, c, 1, 0});
    p.row.push_back(Row<Scalar>::unilateral());
    for (const double sign : {1.0, -1.0}) {
      sums.push_back({contacts + 4 * c, contacts + 4 * c + 1, half, sign * half});
      p.row.push_back(Row<Scalar>::tangent(normal, static_cast<Scalar>(mu * half)));
    }
  }
  for (std::size_t i = 0; i < limits + rubbing; ++i) {
    sums.push_back({5 * contacts + i, 0, 1, 0});
    const double most = i < limits ? 0 : q[N - rubbing + i - limits];
    p.row.push_back(i < limits ? Row<Scalar>::unilateral()
                               : Row<Scalar>::bounded(0, static_cast<Scalar>(most)));
  }
  for (const Sum& r : sums) {
    p.b.push_back(static_cast<Scalar>(r.of_i * q[r.i] + r.of_j * q[r.j]));
    for (const Sum& c : sums)
      p.A.push_back(static_cast<Scalar>(r.of_i * (c.of_i * M[r.i * N + c.i] + c.of_j * M[r.i * N + c.j]) +
                                        r.of_j * (c.of_i * M[r.j * N + c.i] + c.of_j * M[r.j * N + c.j])));
  }
  return true;
}

template <class Scalar>
void check_false_rays() {
  for (const char* name : {"002", "004", "006", "009", "016", "019", "032", "036", "038", "042"}) {
    Instance<Scalar> made;
    TEST_ASSERT_TRUE(read(std::string(TACTUS_FALSE_RAYS) + "/" + name + "_r1_s1.txt", made));
    const auto p = made.view();
    const auto answer = solve(p, ws<Scalar>);
    std::printf("%s: n = %d, %d flips, residual %.1e\n", name, p.n, answer.flips,
                static_cast<double>(answer.certificate.residual));
    TEST_ASSERT_EQUAL_INT(static_cast<int>(End::solved), static_cast<int>(answer.end));
    TEST_ASSERT_TRUE(corpus::RowJudge<Scalar>(p).residual(ws<Scalar>.p.data()) <= 2 * kSolved<Scalar>);
  }
}

void regular() {
  check_regular<double>();
  check_regular<float>();
}
void any_rank() {
  check_any_rank<double>();
  check_any_rank<float>();
}
void false_rays() {
  check_false_rays<double>();
  check_false_rays<float>();
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(regular);
  RUN_TEST(any_rank);
  RUN_TEST(false_rays);
  return UNITY_END();
}
