// Problems at the level of accelerations that have no answer, by sums that need no solver:
//
//   cages   a ball between walls that come towards it. With w > 0, sum w n = 0 and the walls' accelerations
//           beta: sum w a_n = sum w beta < 0, whatever forces act at the ball; so not all a_n >= 0
//   jams    one contact that slides along v with k = A_nn - mu (A_nt v_t + A_no v_o) / |v| < 0 and b_n < 0
//           (Pang-Trinkle 1996, section 5): c_n > 0 needs c_n = -b_n / k < 0, c_n = 0 gives a_n = b_n < 0
//
// None is called solved, and 95 % are told as `none`, which is said only where a checked contradiction closed
// every combination of modes. solve_cone() has no such proof and never says it. Walls that go away are no
// cage: 99.9 % of these are solved.
#include <Eigen/Geometry>
#include <cmath>

#include "tactus/contact/acceleration_cone.hpp"
#include "tactus/contact/acceleration_relaxed.hpp"
#include "tactus/contact/cone.hpp"
#include "tests/unit/stepper/cages.hpp"
#include "tests/unit/tell.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::contact::acceleration;

namespace {

constexpr int kProblems = 2'000;

template <class Scalar, int Dim>
struct Data {
  static constexpr int kMost = Dim + 1, kRows = kMost * Dim;

  int contacts = 0;
  Scalar A[kRows * kRows]{}, b[kRows]{}, mu[kMost]{}, velocity[kMost * (Dim - 1)]{};
  bool rolls = false;  // one of them

  Problem<Scalar, Dim> view() const { return {{contacts, A, contacts * Dim, b, mu, nullptr}, velocity}; }

  // A = B B^T
  template <int Columns>
  void set_A(const double (&B)[kRows][Columns]) {
    const int n = contacts * Dim;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int k = 0; k < Columns; ++k) sum += B[i][k] * B[j][k];
        A[i * n + j] = static_cast<Scalar>(sum);
      }
  }
};

// Rows of a ball of radius R over the roots of its mass and inertia: n has no lever, t and o have R.
template <int Dim>
void add_rows(const math::Vector<double, Dim>& n, double mass, double R, double (*row)[Dim + 3]) {
  const double root = std::sqrt(mass), spin = R / std::sqrt(0.4 * mass * R * R);
  const auto set = [&](int i, const math::Vector<double, Dim>& axis) {
    for (int k = 0; k < Dim; ++k) row[i][k] = axis[k] / root;
  };
  set(0, n);
  if constexpr (Dim == 2) {
    set(1, {n[1], -n[0]});
    row[1][2] = spin;
  } else {
    const math::Vector<double, 3> any = math::Vector<double, 3>::Unit(std::fabs(n[0]) < 0.9 ? 0 : 1);
    const math::Vector<double, 3> t = (any - n.dot(any) * n).normalized(), o = n.cross(t);
    set(1, t);
    set(2, o);
    for (int k = 0; k < 3; ++k) {  // -R n x t = -R o, -R n x o = R t
      row[1][3 + k] = -spin * o[k];
      row[2][3 + k] = spin * t[k];
    }
  }
}

template <class Scalar, int Dim>
Data<Scalar, Dim> cage(corpus::Random& random, bool closes, bool slides) {
  Data<Scalar, Dim> data;
  const cages::Walls<Dim> walls(random);
  const double mass = std::pow(10.0, random.uniform(-3, 3));
  double B[Data<Scalar, Dim>::kRows][Dim + 3]{};
  data.contacts = walls.count;
  for (int i = 0; i < walls.count; ++i) {
    add_rows<Dim>(walls.normal[i], mass, walls.room, B + i * Dim);
    const double beta = std::pow(10.0, random.uniform(-1, 1.5));
    for (int r = i * Dim; r < i * Dim + Dim; ++r)  // its weight
      data.b[r] = static_cast<Scalar>(-9.81 * B[r][Dim - 1] * std::sqrt(mass));
    data.b[i * Dim] += static_cast<Scalar>(closes ? -beta : beta);
    data.mu[i] = static_cast<Scalar>(random.uniform(0, 1));
    const bool moves = slides && random.uniform(0, 1) < 0.5;
    for (int k = 0; moves && k < Dim - 1; ++k)
      data.velocity[i * (Dim - 1) + k] = static_cast<Scalar>(random.uniform(-1, 1));
    data.rolls = data.rolls || !moves;
  }
  data.set_A(B);
  return data;
}

template <class Scalar, int Dim>
Data<Scalar, Dim> jam(corpus::Random& random) {
  Data<Scalar, Dim> data;
  data.contacts = 1;
  double B[Data<Scalar, Dim>::kRows][Dim + 3]{}, coupling = 0, normal = 0;
  while (coupling < 0.05 * normal || normal == 0) {
    double v[2] = {}, speed = 0;
    for (int k = 0; k < Dim - 1; ++k) {
      v[k] = random.uniform(-1, 1);
      speed = std::hypot(speed, v[k]);
      data.velocity[k] = static_cast<Scalar>(v[k]);
    }
    normal = coupling = 0;
    for (int c = 0; c < Dim + 3; ++c) {
      for (int r = 0; r < Dim; ++r) B[r][c] = random.uniform(-1, 1);
      normal += B[0][c] * B[0][c];
      for (int k = 0; k < Dim - 1; ++k) coupling += B[0][c] * B[1 + k][c] * v[k] / speed;
    }
  }
  data.mu[0] = static_cast<Scalar>(random.uniform(1.1, 3) * normal / coupling);
  for (int r = 0; r < Dim; ++r) data.b[r] = static_cast<Scalar>(random.uniform(-10, 10));
  data.b[0] = static_cast<Scalar>(-std::pow(10.0, random.uniform(-1, 2)));
  data.set_A(B);
  return data;
}

struct Count {
  std::uint32_t problems = 0, solved = 0, none = 0;
  void add(Status status) {
    ++problems;
    solved += status == Status::solved ? 1 : 0;
    none += status == Status::none ? 1 : 0;
  }
  void tell(const char* what) const {
    tell::figure(what, problems);
    tell::figure("  solved:", solved);
    tell::figure("  proved to have no answer:", none);
  }
};

struct Counts {
  Count pyramid, cone, rolling_cone, relaxed;
};

template <class Scalar, int Dim>
void solve(const Data<Scalar, Dim>& data, bool relaxed, Counts& counts) {
  static PyramidWorkspace<Scalar, Dim, Dim + 1> pyramid;
  static ConeWorkspace<Scalar, Dim, Dim + 1> cone;
  static RelaxedWorkspace<Scalar, Dim, Dim + 1> nearest;
  const auto p = data.view();
  counts.pyramid.add(solve_pyramid(p, pyramid).status);
  cone.c.fill(0);
  (Dim == 3 && data.rolls ? counts.rolling_cone : counts.cone).add(solve_cone(p, cone).status);
  if (relaxed) counts.relaxed.add(solve_relaxed(p, Law::pyramid, nearest).status);
}

template <class Scalar, int Dim>
void draw(Counts& closing, Counts& jams, Counts& opening) {
  corpus::Random random(Dim);
  for (int k = 0; k < kProblems; ++k) {
    solve(cage<Scalar, Dim>(random, true, k % 2 == 0), k % 10 == 0, closing);
    solve(jam<Scalar, Dim>(random), false, jams);
    solve(cage<Scalar, Dim>(random, false, false), false, opening);
  }
}

void none_is_solved(const Count& count, const char* what, bool proves) {
  count.tell(what);
  TEST_ASSERT_EQUAL_UINT32(0, count.solved);
  TEST_ASSERT_TRUE(!proves || count.none * 100 >= count.problems * 95);
}

template <class Scalar>
void each_is_judged_rightly() {
  Counts closing, jams, opening;
  draw<Scalar, 2>(closing, jams, opening);
  draw<Scalar, 3>(closing, jams, opening);
  none_is_solved(closing.pyramid, "cages, pyramid:", true);
  none_is_solved(closing.cone, "cages, cone:", false);
  none_is_solved(closing.rolling_cone, "cages in space that roll, cone:", false);
  none_is_solved(closing.relaxed, "cages, nearest to the law:", true);
  none_is_solved(jams.pyramid, "jams, pyramid:", true);
  none_is_solved(jams.cone, "jams, cone:", false);
  opening.pyramid.tell("walls that go away, pyramid:");
  opening.cone.tell("walls that go away, cone:");
  opening.rolling_cone.tell("walls that go away in space, cone:");
  for (const Count* count : {&opening.pyramid, &opening.cone, &opening.rolling_cone}) {
    TEST_ASSERT_EQUAL_UINT32(0, count->none);
    TEST_ASSERT_TRUE(count->solved * 1000 >= count->problems * 999);
  }
}

// A ball between two walls that come towards it at 1 m/s^2: whatever presses it from both sides changes
// nothing: the answer is off by all of the data, and from where that drowns in rounding it has no digits.
template <class Scalar>
void no_force_hides_a_contradiction() {
  const Scalar A[16] = {1, 0, -1, 0, 0, 3, 0, 3, -1, 0, 1, 0, 0, 3, 0, 3}, b[4] = {-1, 0, -1, 0};
  const Scalar mu[2] = {Scalar(0.5), Scalar(0.5)};
  const contact::Problem<Scalar, 2> walls{2, A, 4, b, mu, nullptr};
  const Problem<Scalar, 2> instant{walls, nullptr};
  for (Scalar force = 1; force < Scalar(1e20); force *= 100) {
    const Scalar pressed[4] = {force, 0, force, 0};
    Scalar a[4];
    TEST_ASSERT_TRUE(measure(instant, Law::cone, pressed, a) > 1000 * kSolved<Scalar>);
    TEST_ASSERT_TRUE(contact::cone::measure_relaxed(walls, pressed, a) > 1000 * kSolved<Scalar>);
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(each_is_judged_rightly<float>);
  RUN_TEST(each_is_judged_rightly<double>);
  RUN_TEST(no_force_hides_a_contradiction<float>);
  RUN_TEST(no_force_hides_a_contradiction<double>);
  return UNITY_END();
}
