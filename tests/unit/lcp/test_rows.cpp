// Problems in rows whose answers are known by hand, in float and double.
#include <algorithm>
#include <cmath>
#include <limits>

#include "rows_tests.hpp"

using namespace rows_tests;

namespace {

// One joint, s = a p + b: p is -b / a moved to the nearest piece of the staircase. Friction 2, limits at -3
// and 5, a = 1/2. From the left: at -3 with p >= 2, p = 2, s = 0, p = -2, at 5 with p <= -2.
template <class Scalar>
void check_staircase() {
  const Scalar a = Scalar(0.5);
  struct Case {
    double b, lower, upper, friction, p, s;
    State state;
  };
  const double inf = std::numeric_limits<double>::infinity();
  for (const Case& c : {Case{-7, -3, 5, 2, 8, -3, State::at_stop_lo},
                        {-3, -3, 5, 2, 2, -2, State::high},
                        {0.25, -3, 5, 2, -0.5, 0, State::held},
                        {-0.25, -3, 5, 2, 0.5, 0, State::held},
                        {3, -3, 5, 2, -2, 2, State::low},
                        {9, -3, 5, 2, -8, 5, State::at_stop_hi},
                        // limits that are reached, or violated
                        {0.5, 0, 5, 2, -1, 0, State::at_stop_lo},
                        {-7, 0, 5, 2, 14, 0, State::at_stop_lo},
                        {3, 0, 5, 2, -2, 2, State::low},
                        {0, 1, 5, 2, 2, 1, State::at_stop_lo},
                        {1.5, 1, 5, 2, -1, 1, State::at_stop_lo},
                        {3, 1, 5, 2, -2, 2, State::low},
                        {0, -5, -1, 2, -2, -1, State::at_stop_hi},
                        {-3, -5, -1, 2, 2, -2, State::high},
                        {-0.5, -5, 0, 2, 1, 0, State::at_stop_hi},
                        // no friction, no limits, neither, a motor that cannot hold it
                        {0, -3, 5, 0, 0, 0, State::low},
                        {-7, -3, 5, 0, 8, -3, State::at_stop_lo},
                        {6, -3, 5, 0, -2, 5, State::at_stop_hi},
                        {4, -inf, inf, 2, -2, 3, State::low},
                        {-7, -inf, 5, 2, 2, -6, State::high},
                        {6, -3, inf, 2, -2, 5, State::low},
                        {4, -inf, inf, inf, -8, 0, State::held},
                        {4, -3, 5, inf, -8, 0, State::held},
                        {4, 2, 2, 0, -4, 2, State::held},
                        {4, 2, 2, 1, -4, 2, State::held}}) {
    const Scalar b = Scalar(c.b), f = Scalar(c.friction);
    const auto row = Row<Scalar>::bounded(-f, f, Scalar(c.lower), Scalar(c.upper));
    const Problem<Scalar> p{1, &a, 1, &b, &row};
    for (const bool again : {false, true}) {
      const State last = ws<Scalar>.state[0];
      const auto answer = solve_well(p, again ? &last : nullptr);
      near(c.p, ws<Scalar>.p[0], Scalar(10));
      near(c.s, ws<Scalar>.s[0], Scalar(10));
      TEST_ASSERT_EQUAL_INT(static_cast<int>(c.state), static_cast<int>(ws<Scalar>.state[0]));
      if (again) TEST_ASSERT_EQUAL_INT(0, answer.flips + answer.cover);
    }
  }
}

// From the states of any answer to any other's problem, by the path from near: a staircase is walked along.
template <class Scalar>
void check_walk() {
  const Scalar a = 2, speeds[] = {-20, -9, -8, -3, -1, 0, 1, 3, 8, 9, 20};
  const auto row = Row<Scalar>::bounded(-1, 1, -4, 4);
  for (const Scalar& from : speeds)
    for (const Scalar& to : speeds) {
      solve_well<Scalar>({1, &a, 1, &from, &row});
      const State last = ws<Scalar>.state[0];
      const auto answer = solve_well<Scalar>({1, &a, 1, &to, &row}, &last);
      TEST_ASSERT_EQUAL_INT(0, answer.cover);
      TEST_ASSERT_TRUE(answer.flips <= 4);
    }
}

// A block on a plane, its mass m and h f known: normal and tangent rows do not see each other. It sticks
// where |v_t| < mu |v_n|, and else slips with mu p_n against it.
template <class Scalar>
void check_block() {
  const double mass = 3, mu = 0.5, fall = -0.2;
  for (const double slide : {0.0, 0.05, -0.09, 0.11, -1.0}) {
    const Scalar A[4] = {Scalar(1 / mass), 0, 0, Scalar(1 / mass)}, b[2] = {Scalar(fall), Scalar(slide)};
    const Row<Scalar> row[2] = {Row<Scalar>::unilateral(), Row<Scalar>::tangent(0, Scalar(mu))};
    solve_well<Scalar>({2, A, 2, b, row});
    near(-mass * fall, ws<Scalar>.p[0]);
    const double most = mu * -mass * fall, asked = -mass * slide;
    near(std::clamp(asked, -most, most), ws<Scalar>.p[1]);
    near(slide + std::clamp(asked, -most, most) / mass, ws<Scalar>.s[1]);
  }
  // Lifted, there is no force, and the tangent's state is the sign of its speed.
  const Scalar A[4] = {1, 0, 0, 1}, b[2] = {1, 1};
  const Row<Scalar> row[2] = {Row<Scalar>::unilateral(), Row<Scalar>::tangent(0, 1)};
  solve_well<Scalar>({2, A, 2, b, row});
  near<Scalar>(0, ws<Scalar>.p[0]);
  near<Scalar>(0, ws<Scalar>.p[1]);
  TEST_ASSERT_TRUE(ws<Scalar>.state[0] == State::low && ws<Scalar>.state[1] == State::low);
}

// A cube of edge 2 and mass 1 on its four corners, 12 rows of rank 6, falls at g h and slides along t:
// together the corners carry g h, and rub with mu g h; the cube slows down by as much and does not turn. (Its
// centre is 1 above the plane: mu < 1 does not tip it.)
template <class Scalar>
void check_cube(double slide, double mu) {
  const double fall = -0.01, inertia = 2.0 / 3;
  double W[12][6];
  Scalar A[144], b[12];
  Row<Scalar> row[12];
  for (int i = 0; i < 12; ++i) {
    const double r[3] = {i / 3 % 2 == 0 ? 1.0 : -1.0, i / 3 < 2 ? 1.0 : -1.0, -1};
    const double axes[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    const double* x = axes[i % 3];
    for (int k = 0; k < 3; ++k) W[i][k] = x[k];
    W[i][3] = r[1] * x[2] - r[2] * x[1], W[i][4] = r[2] * x[0] - r[0] * x[2],
    W[i][5] = r[0] * x[1] - r[1] * x[0];
    b[i] = Scalar(i % 3 == 0 ? fall : i % 3 == 1 ? slide : 0);
    row[i] = i % 3 == 0 ? Row<Scalar>::unilateral()
                        : Row<Scalar>::tangent(static_cast<Index>(i / 3 * 3), Scalar(mu));
  }
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) {
      double sum = 0;
      for (int k = 0; k < 6; ++k) sum += W[i][k] * W[j][k] / (k < 3 ? 1 : inertia);
      A[12 * i + j] = Scalar(sum);
    }
  const Problem<Scalar> p{12, A, 12, b, row};
  for (const bool again : {false, true}) {
    solve_well(p, again ? ws<Scalar>.state.data() : nullptr);
    double sum[6] = {};
    for (int i = 0; i < 12; ++i)
      for (int k = 0; k < 6; ++k)
        sum[k] += W[i][k] * static_cast<double>(ws<Scalar>.p[static_cast<std::size_t>(i)]);
    const double most = mu * -fall;
    near<Scalar>(std::clamp(-slide, -most, most), Scalar(sum[0]), Scalar(0.1));
    near<Scalar>(0, Scalar(sum[1]), Scalar(0.1));
    near<Scalar>(-fall, Scalar(sum[2]), Scalar(0.1));
    for (int k = 3; k < 6; ++k) near<Scalar>(0, Scalar(sum[k]), Scalar(0.1));
  }
}

template <class Scalar>
void check_cubes() {
  check_cube<Scalar>(0, 0.5);
  check_cube<Scalar>(0.004, 0.5);
  check_cube<Scalar>(0.3, 0.5);
  check_cube<Scalar>(0.3, 0);
}

// Two jaws that meet: s_1 = p_1 - p_2 + b_1 and s_2 = -s_1 + (b_1 + b_2) are both >= 0 only if b_1 + b_2 >=
// 0. Where they are not it is a ray along (1, 1), and that is a proof; with R on their diagonal they share
// it.
template <class Scalar>
void check_jam() {
  const Scalar A[4] = {1, -1, -1, 1}, b[2] = {-1, Scalar(0.75)};
  const Row<Scalar> row[2] = {Row<Scalar>::unilateral(), Row<Scalar>::unilateral()};
  ws<Scalar>.p[0] = 77;
  const auto answer = solve<Scalar>({2, A, 2, b, row}, ws<Scalar>);
  TEST_ASSERT_EQUAL_INT(static_cast<int>(End::ray), static_cast<int>(answer.end));
  TEST_ASSERT_TRUE(answer.proved);
  near<Scalar>(1, ws<Scalar>.ray[0]);
  near<Scalar>(1, ws<Scalar>.ray[1]);
  TEST_ASSERT_TRUE(ws<Scalar>.p[0] == 77);
  const Scalar R = Scalar(1) / 64, soft[4] = {1 + R, -1, -1, 1 + R};
  solve_well<Scalar>({2, soft, 2, b, row});
  // R (p_1 + p_2) = 1/4, (2 + R) (p_1 - p_2) = 7/4
  near<Scalar>(8 + 0.875 / (2 + 1.0 / 64), ws<Scalar>.p[0], 100);
  near<Scalar>(8 - 0.875 / (2 + 1.0 / 64), ws<Scalar>.p[1], 100);
  const Scalar fits[2] = {-1, 1};
  solve_well<Scalar>({2, A, 2, fits, row});
  near<Scalar>(1, ws<Scalar>.p[0] - ws<Scalar>.p[1]);
}

// A limit of a joint against a contact on its link: v <= -1 by the limit, v >= 0 by the contact.
template <class Scalar>
void check_limit_against_contact() {
  const Scalar A[4] = {1, 1, 1, 1}, b[2] = {Scalar(0.3), Scalar(0.3)};
  const Row<Scalar> row[2] = {Row<Scalar>::bounded(-1, 1, -5, -1), Row<Scalar>::unilateral()};
  const auto answer = solve<Scalar>({2, A, 2, b, row}, ws<Scalar>);
  TEST_ASSERT_TRUE(answer.end == End::ray && answer.proved);
}

#define BOTH(name)          \
  void name() {             \
    check_##name<double>(); \
    check_##name<float>();  \
  }
BOTH(staircase)
BOTH(walk)
BOTH(block)
BOTH(cubes)
BOTH(jam)
BOTH(limit_against_contact)

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(staircase);
  RUN_TEST(walk);
  RUN_TEST(block);
  RUN_TEST(cubes);
  RUN_TEST(jam);
  RUN_TEST(limit_against_contact);
  return UNITY_END();
}
