// The solver at its door and on problems whose answers are known by hand.
#include <unity.h>

#include <cmath>
#include <limits>

#include "tactus/lcp/solver.hpp"
#include "tests/corpus/friction_box.hpp"
#include "tests/corpus/judge.hpp"

using tactus::lcp::Answer;
using tactus::lcp::Basis;
using tactus::lcp::Problem;
using tactus::lcp::Status;
using tactus::lcp::Workspace;

namespace {

constexpr int kCapacity = 24;
Workspace<float, kCapacity> memory;
Workspace<double, kCapacity> memory_double;
corpus::Instance<float, kCapacity> instance, other;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

void expect_status(Status expected, const Answer<float>& answer) {
  TEST_ASSERT_EQUAL_INT(static_cast<int>(expected), static_cast<int>(answer.status));
}

void make(const corpus::Box& box) {
  TEST_ASSERT_TRUE(corpus::make(box, instance));
}

double judged(const corpus::Instance<float, kCapacity>& p) {
  return corpus::residual(p.n, p.M.data(), p.q.data(), p.block.data(), memory.z.data());
}

}  // namespace

void setUp() {}
void tearDown() {}

// z = M^-1 (-q) = (4, 1): both rows are active.
void test_two_by_two() {
  const float M[] = {2, 1, 1, 2}, q[] = {-9, -6};
  const auto a = solve(Problem<float>{2, M, 2, q}, memory);
  expect_status(Status::solved, a);
  TEST_ASSERT_FLOAT_WITHIN(1e-6f, 4, memory.z[0]);
  TEST_ASSERT_FLOAT_WITHIN(1e-6f, 1, memory.z[1]);
  TEST_ASSERT_TRUE(a.certificate.residual < 1e-6f);
}

// Rows may lie further apart than n.
void test_stride() {
  const float M[] = {2, 1, 77, 1, 2, 77}, q[] = {-9, -6};
  expect_status(Status::solved, solve(Problem<float>{2, M, 3, q}, memory));
  TEST_ASSERT_FLOAT_WITHIN(1e-6f, 4, memory.z[0]);
}

void test_double_is_exact_to_rounding() {
  const double M[] = {2, 1, 1, 2}, q[] = {-9, -6};
  const auto a = solve(Problem<double>{2, M, 2, q}, memory_double);
  TEST_ASSERT_EQUAL_INT(static_cast<int>(Status::solved), static_cast<int>(a.status));
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 4, memory_double.z[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1, memory_double.z[1]);
}

void test_no_unknowns_is_solved() {
  expect_status(Status::solved, solve(Problem<float>{}, memory));
}

void test_one_unknown() {
  const float M[] = {4}, q[] = {-2}, none[] = {0};
  expect_status(Status::solved, solve(Problem<float>{1, M, 1, q}, memory));
  TEST_ASSERT_EQUAL_FLOAT(0.5f, memory.z[0]);
  expect_status(Status::ray, solve(Problem<float>{1, none, 1, q}, memory));  // 0 z = 2 has no answer
  TEST_ASSERT_EQUAL_FLOAT(1, memory.ray[0]);
}

void test_no_pivot_where_zero_solves() {
  const float M[] = {0, 0, 0, 0}, q[] = {0, 3};
  const auto a = solve(Problem<float>{2, M, 2, q}, memory);
  expect_status(Status::solved, a);
  TEST_ASSERT_EQUAL_INT(0, a.pivots);
  TEST_ASSERT_EQUAL_FLOAT(0, memory.z[0]);
  TEST_ASSERT_EQUAL_FLOAT(3, memory.w[1]);
}

void test_no_solution_ends_on_a_ray() {
  const float M[] = {0, 0, 0, 0}, q[] = {-1, -1};
  const auto a = solve(Problem<float>{2, M, 2, q}, memory);
  expect_status(Status::ray, a);
  TEST_ASSERT_TRUE(a.certificate.residual > 0.1f);
}

// Along a ray no row resists: z >= 0, not zero, and z_i (M z)_i <= 0. M is skew, so that z = (1, 1) cannot be
// met.
void test_ray_is_a_direction_without_resistance() {
  const float M[] = {-1, 0, 0, -2}, q[] = {-1, -1};
  expect_status(Status::ray, solve(Problem<float>{2, M, 2, q}, memory));
  float top = 0;
  for (int i = 0; i < 2; ++i) {
    const auto k = static_cast<std::size_t>(i);
    TEST_ASSERT_TRUE(memory.ray[k] >= 0);
    TEST_ASSERT_TRUE(memory.ray[k] * M[3 * i] * memory.ray[k] <= 0);
    top = std::fmax(top, memory.ray[k]);
  }
  TEST_ASSERT_EQUAL_FLOAT(1, top);
}

void test_bad_input_is_refused() {
  const float M[] = {2, 1, 1, 2}, q[] = {-9, -6};
  expect_status(Status::bad_input, solve(Problem<float>{-1, M, 2, q}, memory));
  expect_status(Status::bad_input, solve(Problem<float>{kCapacity + 1, M, kCapacity + 1, q}, memory));
  expect_status(Status::bad_input, solve(Problem<float>{2, M, 1, q}, memory));
  expect_status(Status::bad_input, solve(Problem<float>{2, nullptr, 2, q}, memory));
  expect_status(Status::bad_input, solve(Problem<float>{2, M, 2, nullptr}, memory));
  expect_status(Status::bad_input, solve(Problem<float>{2, M, 2, q}, memory, {.pivot_budget = -1}));
}

// One number that is not finite anywhere, and with a guess that would have been right without it.
void test_not_a_number_is_never_solved() {
  make({.contacts = 2, .seed = 4});
  Basis<kCapacity> warm;
  expect_status(Status::solved, solve(instance.view(), memory, {}, &warm));
  for (float poison : {kNan, kInf, -kInf}) {
    for (int at = 0; at < instance.n * instance.n; at += 7) {
      other = instance;
      other.M[static_cast<std::size_t>(at)] = poison;
      Basis<kCapacity> guess = warm;
      expect_status(Status::bad_input, solve(other.view(), memory, {}, &guess));
      expect_status(Status::bad_input, solve(other.view(), memory));
    }
    for (int at = 0; at < instance.n; ++at) {
      other = instance;
      other.q[static_cast<std::size_t>(at)] = poison;
      expect_status(Status::bad_input, solve(other.view(), memory));
    }
  }
}

// Finite numbers whose sums overflow: no measure, no claim, and nothing left over from the solve before.
void test_overflow_is_not_solved() {
  const float good_M[] = {1}, good_q[] = {-1}, M[] = {-1}, q[] = {-3e38f};
  expect_status(Status::solved, solve(Problem<float>{1, good_M, 1, good_q}, memory));
  const auto a = solve(Problem<float>{1, M, 1, q}, memory);
  TEST_ASSERT_TRUE(a.status == Status::ray || a.status == Status::pivot_limit);
  TEST_ASSERT_FALSE(a.certificate.residual <= 1);
  TEST_ASSERT_EQUAL_FLOAT(0, memory.z[0]);
}

void test_budget_bounds_the_pivots() {
  make({.contacts = 4, .seed = 4});
  const int needed = solve(instance.view(), memory).pivots;
  TEST_ASSERT_TRUE(needed > 4);
  for (int budget = 0; budget < needed; ++budget) {
    const auto a = solve(instance.view(), memory, {.pivot_budget = budget});
    TEST_ASSERT_TRUE(a.pivots <= budget);
    if (a.status == Status::solved) continue;  // a shorter path may solve it, never wrongly:
    expect_status(Status::pivot_limit, a);
    TEST_ASSERT_TRUE(std::isfinite(a.certificate.residual));
  }
}

// Every contact twice: the forces are not unique, the certificate holds all the same.
void test_duplicated_rows() {
  const float M[] = {1, 1, 1, 1}, q[] = {-1, -1};
  expect_status(Status::solved, solve(Problem<float>{2, M, 2, q}, memory));
  TEST_ASSERT_FLOAT_WITHIN(1e-6f, 1, memory.z[0] + memory.z[1]);
}

// Cottle, Pang, Stone 1992, exercise 4.4.16: unless the artificial variable wins the tie, a false ray. Answer
// (0, 1).
void test_artificial_variable_wins_a_tie() {
  const float M[] = {1, 1, 1, 1}, q[] = {-1, -1};  // the tie
  expect_status(Status::solved, solve(Problem<float>{2, M, 2, q}, memory));
  const float M2[] = {1, -1, -1, 1}, q2[] = {1, -1};
  expect_status(Status::solved, solve(Problem<float>{2, M2, 2, q2}, memory));
  TEST_ASSERT_FLOAT_WITHIN(1e-6f, 0, memory.z[0]);
  TEST_ASSERT_FLOAT_WITHIN(1e-6f, 1, memory.z[1]);
}

// Kostreva's cycling example and its kin, M = I + 2 P with the cyclic shift P: z = 1 / 3 each. Cycles without
// rule 2.
void test_cyclic_family() {
  for (int n : {3, 5, 7}) {
    float M[49] = {}, q[7];
    for (int i = 0; i < n; ++i) {
      M[i * n + i] = 1;
      M[i * n + (i + 1) % n] = 2;
      q[i] = -1;
    }
    expect_status(Status::solved, solve(Problem<float>{n, M, n, q}, memory));
    for (int i = 0; i < n; ++i)
      TEST_ASSERT_FLOAT_WITHIN(1e-6f, 1.0f / 3, memory.z[static_cast<std::size_t>(i)]);
  }
}

// Murty's family, M lower triangular with 1 and 2, q_i = -(2^n + ... + 2^(n-i)): z = (2^n, 0, ...) after 2^n
// pivots.
void test_exponential_family_needs_its_pivots() {
  constexpr int n = 8;
  float M[n * n] = {}, q[n];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) M[i * n + j] = 2;
    M[i * n + i] = 1;
    q[i] = (i == 0 ? 0 : q[i - 1]) - static_cast<float>(1 << (n - i));
  }
  const auto a = solve(Problem<float>{n, M, n, q}, memory);
  expect_status(Status::solved, a);
  TEST_ASSERT_EQUAL_FLOAT(1 << n, memory.z[0]);
  TEST_ASSERT_INT_WITHIN(2, 1 << n, a.pivots);
}

// A bimatrix game: M >= 0 ends every path from z = 0 on a ray, although three solutions exist (1/10, 0, 1/10,
// 0 is one).
void test_bimatrix_game_is_found() {
  const float M[] = {0, 0, 10, 20, 0, 0, 30, 15, 10, 20, 0, 0, 30, 15, 0, 0}, q[] = {-1, -1, -1, -1};
  expect_status(Status::solved, solve(Problem<float>{4, M, 4, q}, memory));
  TEST_ASSERT_TRUE(corpus::residual<float>(4, M, q, nullptr, memory.z.data()) < 1e-6);
}

void test_right_guess_needs_no_pivot() {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    make({.contacts = 4, .seed = seed});
    Basis<kCapacity> warm;
    const auto cold = solve(instance.view(), memory, {}, &warm);
    expect_status(Status::solved, cold);
    TEST_ASSERT_FALSE(cold.warm);
    const auto again = solve(instance.view(), memory, {}, &warm);
    expect_status(Status::solved, again);
    TEST_ASSERT_TRUE(again.warm);
    TEST_ASSERT_EQUAL_INT(0, again.pivots);
    TEST_ASSERT_TRUE(judged(instance) < 1e-6);
  }
}

// Every guess, however wrong, ends in an answer as good as the cold one.
void test_wrong_guess_falls_back() {
  make({.contacts = 2, .seed = 4});
  corpus::Random random(1);
  for (int k = 0; k < 200; ++k) {
    Basis<kCapacity> warm;
    warm.n = instance.n;
    for (auto& positive : warm.positive) positive = random.next() & 1;
    expect_status(Status::solved, solve(instance.view(), memory, {}, &warm));
    TEST_ASSERT_TRUE(judged(instance) < 1e-6);
  }
  Basis<kCapacity> foreign;
  foreign.n = instance.n + 1;  // of another problem: not looked at
  expect_status(Status::solved, solve(instance.view(), memory, {}, &foreign));
  TEST_ASSERT_EQUAL_INT(instance.n, foreign.n);
}

void test_memory_carries_nothing_over() {
  make({.contacts = 4, .seed = 2});
  solve(instance.view(), memory);
  const auto first = memory.z;
  TEST_ASSERT_TRUE(corpus::make({.contacts = 3, .mu = 1, .seed = 9}, other));
  solve(other.view(), memory);
  const auto a = solve(instance.view(), memory);
  expect_status(Status::solved, a);
  TEST_ASSERT_EQUAL_MEMORY(first.data(), memory.z.data(),
                           static_cast<std::size_t>(instance.n) * sizeof(float));
}

// 2^10 kg and 2^-10 m scale M and q by powers of two: the same pivots and, scaled back, the same bits.
void test_units_do_not_matter() {
  make({.contacts = 4, .seed = 4});
  const auto a = solve(instance.view(), memory);
  const auto z = memory.z;
  other = instance;
  const int forces = 4 * 5;
  for (int i = 0; i < other.n; ++i)
    for (int j = 0; j < other.n; ++j)
      if (i < forces && j < forces) other.M[static_cast<std::size_t>(i * other.n + j)] *= 0x1p-10f;
  const auto b = solve(other.view(), memory);
  TEST_ASSERT_EQUAL_INT(a.pivots, b.pivots);
  for (int i = 0; i < forces; ++i)
    TEST_ASSERT_EQUAL_FLOAT(z[static_cast<std::size_t>(i)] * 0x1p10f, memory.z[static_cast<std::size_t>(i)]);
}

void test_memory_is_what_the_header_says() {
  TEST_ASSERT_TRUE(sizeof(Workspace<float, 24>) <= 5 * 1024);
  TEST_ASSERT_TRUE(sizeof(Workspace<double, 24>) <= 9 * 1024);
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_two_by_two);
  RUN_TEST(test_stride);
  RUN_TEST(test_double_is_exact_to_rounding);
  RUN_TEST(test_no_unknowns_is_solved);
  RUN_TEST(test_one_unknown);
  RUN_TEST(test_no_pivot_where_zero_solves);
  RUN_TEST(test_no_solution_ends_on_a_ray);
  RUN_TEST(test_ray_is_a_direction_without_resistance);
  RUN_TEST(test_bad_input_is_refused);
  RUN_TEST(test_not_a_number_is_never_solved);
  RUN_TEST(test_overflow_is_not_solved);
  RUN_TEST(test_budget_bounds_the_pivots);
  RUN_TEST(test_duplicated_rows);
  RUN_TEST(test_artificial_variable_wins_a_tie);
  RUN_TEST(test_cyclic_family);
  RUN_TEST(test_exponential_family_needs_its_pivots);
  RUN_TEST(test_bimatrix_game_is_found);
  RUN_TEST(test_right_guess_needs_no_pivot);
  RUN_TEST(test_wrong_guess_falls_back);
  RUN_TEST(test_memory_carries_nothing_over);
  RUN_TEST(test_units_do_not_matter);
  RUN_TEST(test_memory_is_what_the_header_says);
  return UNITY_END();
}
