// Solving in rows at its limits: rows that cannot move, certificates, clocks, input that cannot be.
#include <cmath>
#include <cstring>
#include <limits>

#include "rows_tests.hpp"

using namespace rows_tests;

namespace {

// A row that is rounding (a tangent along which nothing can move) is harmless, and so is a normal row that
// cannot move if its gap is open. One that cannot move and is violated is a contradiction by itself.
template <class Scalar>
void check_noise() {
  const Scalar e = std::numeric_limits<Scalar>::epsilon() / 4;
  Scalar A[9] = {2, e, 0, e, e, -e, 0, -e, 2}, b[3] = {-1, e, 5};
  const Row<Scalar> row[3] = {Row<Scalar>::unilateral(), Row<Scalar>::tangent(0, 1),
                              Row<Scalar>::tangent(0, 1)};
  solve_well<Scalar>({3, A, 3, b, row});
  near<Scalar>(0.5, ws<Scalar>.p[0]);
  near<Scalar>(0, ws<Scalar>.p[1]);
  near<Scalar>(-0.5, ws<Scalar>.p[2]);
  const Scalar still[4] = {0, 0, 0, 1}, open[2] = {1, -1}, pressed[2] = {-1, -1};
  const Row<Scalar> two[2] = {Row<Scalar>::unilateral(), Row<Scalar>::unilateral()};
  solve_well<Scalar>({2, still, 2, open, two});
  near<Scalar>(1, ws<Scalar>.p[1]);
  const auto answer = solve<Scalar>({2, still, 2, pressed, two}, ws<Scalar>);
  TEST_ASSERT_TRUE(answer.end == End::ray && answer.proved && ws<Scalar>.ray[0] == 1 &&
                   ws<Scalar>.ray[1] == 0);
}

// The certificate is the distance from the law beside the data: d = 2, so p d - s / d = u falls on the law at
// p* = 0 for s > 0.
template <class Scalar>
void check_certificate() {
  const Scalar A = 4, b = -8, d = 2;
  const Row<Scalar> row = Row<Scalar>::unilateral();
  const Problem<Scalar> p{1, &A, 1, &b, &row};
  Scalar F;
  const Scalar top = find_demands(p, &d, &F);
  TEST_ASSERT_TRUE(F == 2 && top == 4);
  struct Case {
    double p, residual;
  };
  for (const Case& c : {Case{2, 0}, {3, 0.5}, {1, 0.5}, {-1, 1.5}, {0, 1}}) {
    const Scalar x = Scalar(c.p);
    Scalar s;
    find_s(p, &x, &s);
    near(c.residual, certify(p, &d, &F, top, &x, &s).residual);
  }
  for (const Scalar x : {std::numeric_limits<Scalar>::quiet_NaN(), std::numeric_limits<Scalar>::infinity()}) {
    Scalar s;
    find_s(p, &x, &s);
    TEST_ASSERT_FALSE(certify(p, &d, &F, top, &x, &s).residual <= Scalar(1e30));
  }
}

struct FewGrants {
  int left;
  bool go_on(tactus::Piece, int, int) { return left-- > 0; }
};

// Time may end anywhere; what was there before stays, and more time gives the answer of unlimited time.
template <class Scalar>
void check_clock() {
  const Scalar A[9] = {2, 1, 0, 1, 2, 1, 0, 1, 2}, b[3] = {-1, 2, -3};
  const Row<Scalar> row[3] = {Row<Scalar>::unilateral(), Row<Scalar>::bounded(-1, 1),
                              Row<Scalar>::tangent(0, 1)};
  const Problem<Scalar> p{3, A, 3, b, row};
  solve_well(p);
  const auto full = ws<Scalar>.p;
  int refused = 0;
  for (int grants = 0;; ++grants) {
    ws<Scalar>.p.fill(55);
    ws<Scalar>.state.fill(State::high);
    FewGrants clock{grants};
    const auto answer = solve(p, ws<Scalar>, nullptr, {}, clock);
    if (answer.end == End::solved) break;
    ++refused;
    TEST_ASSERT_EQUAL_INT(static_cast<int>(End::out_of_time), static_cast<int>(answer.end));
    for (const Scalar x : ws<Scalar>.p) TEST_ASSERT_TRUE(x == 55);
    for (const State x : ws<Scalar>.state) TEST_ASSERT_TRUE(x == State::high);
  }
  TEST_ASSERT_TRUE(refused >= 3);
  TEST_ASSERT_TRUE(std::memcmp(full.data(), ws<Scalar>.p.data(), 3 * sizeof(Scalar)) == 0);
  Options none;
  none.flips = 0;
  TEST_ASSERT_TRUE(solve(p, ws<Scalar>, nullptr, none).end == End::flips);
}

template <class Scalar>
void check_bad_input() {
  const Scalar A[4] = {1, 0, 0, 1}, b[2] = {-1, -1}, inf = kInfinity<Scalar>;
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
  const Row<Scalar> good[2] = {Row<Scalar>::unilateral(), Row<Scalar>::tangent(0, 1)};
  const auto refused = [](const Problem<Scalar>& p) {
    TEST_ASSERT_EQUAL_INT(static_cast<int>(End::bad_input), static_cast<int>(solve(p, ws<Scalar>).end));
  };
  refused({-1, A, 2, b, good});
  refused({13, A, 13, b, good});
  refused({2, A, 1, b, good});
  refused({2, nullptr, 2, b, good});
  refused({2, A, 2, nullptr, good});
  refused({2, A, 2, b, nullptr});
  using R = Row<Scalar>;
  for (const R& bad :
       {R::tangent(0, -1), R::tangent(0, nan), R::tangent(0, inf), R::tangent(1, 1), R::tangent(2, 1),
        R::tangent(-1, 1), R::bounded(1, -1), R::bounded(nan, 1), R::bounded(-1, nan),
        R::bounded(-1, 1, 2, 1), R::bounded(-1, 1, nan), R::bounded(-1, 1, -1, nan), R::bounded(inf, inf),
        R::bounded(-1, 1, inf, inf), R::bounded(0, inf, -2, -1), R::bounded(-inf, 0, 1, 2),
        R{Kind::unilateral, -1, 1, inf}, R{Kind::unilateral, -1, 0, 1}}) {
    const R row[2] = {R::unilateral(), bad};
    refused({2, A, 2, b, row});
  }
  for (const Scalar x : {nan, inf, -inf}) {
    for (int i = 0; i < 4; ++i) {
      Scalar M[4] = {1, 0, 0, 1};
      M[i] = x;
      refused({2, M, 2, b, good});
    }
    const Scalar q[2] = {-1, x}, d[2] = {1, x};
    refused({2, A, 2, q, good});
    refused({2, A, 2, b, good, d});
  }
  const auto answer = solve<Scalar>({0, nullptr, 0, nullptr, nullptr}, ws<Scalar>);
  TEST_ASSERT_TRUE(answer.end == End::solved && answer.flips == 0);
}

#define BOTH(name)          \
  void name() {             \
    check_##name<double>(); \
    check_##name<float>();  \
  }
BOTH(noise)
BOTH(certificate)
BOTH(clock)
BOTH(bad_input)

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(noise);
  RUN_TEST(certificate);
  RUN_TEST(clock);
  RUN_TEST(bad_input);
  return UNITY_END();
}
