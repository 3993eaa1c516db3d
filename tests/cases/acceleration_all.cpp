// All solutions of the pyramid law in one instant against an enumeration (tests/oracle/instant.hpp): 500
// random problems in the plane and 200 in space, of up to four and two contacts, some of which slide and some
// of which have no solution or several; rods after Painleve in closed form; and contacts that are ambiguous
// one by one.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "reference.hpp"
#include "tactus/contact/acceleration_pyramid.hpp"
#include "tests/corpus/friction_box.hpp"
#include "tests/oracle/instant.hpp"

using namespace tactus;
using corpus::Random;
using oracle::Column;
using oracle::Instant;
using oracle::Real;
namespace acceleration = tactus::contact::acceleration;

namespace {

template <int Dim>
acceleration::Problem<double, Dim> view(const Instant<Dim>& p) {
  return {{p.contacts(), p.A.data(), static_cast<int>(p.rows()), p.b.data(), p.mu.data(), nullptr},
          p.velocity.data()};
}

double apart(const Column& x, const double* y) {
  Real most = 0, size = 1;
  for (std::size_t r = 0; r < x.size(); ++r) {
    most = std::fmax(most, std::fabs(x[r] - y[r]));
    size = std::fmax(size, std::fabs(x[r]));
  }
  return static_cast<double>(most / size);
}

struct Tally {
  int problems = 0, none = 0, several = 0, proved = 0, missed = 0;
};

// Core's solutions are those of the enumeration, its first answer is one of them, and where it says that no
// combination was left out there are no others.
template <int Dim, int Contacts>
void compare(const Instant<Dim>& p, Tally& tally, reference::Worst& off) {
  static acceleration::PyramidWorkspace<double, Dim, Contacts> workspace;
  const auto want = enumerate(p);
  const auto nearest = [&](const double* a) {
    double least = HUGE_VAL;
    for (const Column& x : want) least = std::fmin(least, apart(x, a));
    return least;
  };
  const auto answer = solve_pyramid(view(p), workspace);
  const auto status = want.empty() ? acceleration::Status::none : acceleration::Status::solved;
  TEST_ASSERT_EQUAL_STRING(sentence(status), sentence(answer.status));
  if (!want.empty()) off.see(nearest(workspace.a.data()));
  std::vector<bool> met(want.size());
  const bool all = each_solution(view(p), workspace, 200000, [&](const double*, const double* a, double) {
    off.see(nearest(a));
    for (std::size_t i = 0; i < want.size(); ++i)
      if (apart(want[i], a) < 1e-9) met[i] = true;
    return true;
  });
  tally.proved += all ? 1 : 0;
  const auto missed = std::count(met.begin(), met.end(), false);
  if (all) TEST_ASSERT_EQUAL_INT(0, missed);
  tally.missed += missed > 0 ? 1 : 0;
  ++tally.problems;
  tally.none += want.empty() ? 1 : 0;
  tally.several += want.size() > 1 ? 1 : 0;
}

// A = G G^T of more freedoms than rows.
template <int Dim>
Instant<Dim> draw(Random& random, int contacts, double most_mu) {
  Instant<Dim> p;
  const int rows = Dim * contacts, freedoms = rows + 2;
  std::vector<double> G;
  for (int i = 0; i < rows * freedoms; ++i) G.push_back(random.uniform(-2, 2));
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) {
      double sum = 0;
      for (int k = 0; k < freedoms; ++k)
        sum += G[static_cast<std::size_t>(i * freedoms + k)] * G[static_cast<std::size_t>(j * freedoms + k)];
      p.A.push_back(sum);
    }
    p.b.push_back(random.uniform(-5, 5) - (i % Dim == 0 ? 2 : 0));
  }
  for (int i = 0; i < contacts; ++i) {
    p.mu.push_back(random.uniform(0.1, most_mu));
    const bool slides = random.uniform(0, 1) < 0.5;
    for (int k = 1; k < Dim; ++k) p.velocity.push_back(slides ? random.uniform(-1, 1) : 0);
  }
  return p;
}

void say(const Tally& t) {
  std::printf(
      "%d problems: %d without a solution, %d with several; %d lists said to be whole, %d not whole\n",
      t.problems, t.none, t.several, t.proved, t.missed);
}

void in_the_plane() {
  Random random(7);
  Tally tally;
  reference::Worst off("all solutions in the plane, accelerations relative");
  for (int k = 0; k < 500; ++k) compare<2, 4>(draw<2>(random, 1 + k % 4, 3), tally, off);
  say(tally);
  off.within(1e-10);
  TEST_ASSERT_TRUE(tally.none > 10 && tally.several > 10);
  // Of four contacts, contradictions too near to rounding: 9 lists are not said to be whole, and one is not.
  TEST_ASSERT_GREATER_OR_EQUAL_INT(491, tally.proved);
  TEST_ASSERT_LESS_OR_EQUAL_INT(1, tally.missed);
}

void in_space() {
  Random random(5);
  Tally tally;
  reference::Worst off("all solutions in space, accelerations relative");
  for (int k = 0; k < 200; ++k) compare<3, 2>(draw<3>(random, 1 + k % 2, 2.5), tally, off);
  say(tally);
  off.within(1e-10);
  TEST_ASSERT_TRUE(tally.none > 5 && tally.several > 5);
  TEST_ASSERT_EQUAL_INT(200, tally.proved);
}

// A rod of 2 m and 1 kg whose end slides: a_n = A c_n + b_n with A = A_nn - mu sign(v) A_nt has c_n = 0 where
// b_n >= 0, and c_n = -b_n / A where that is positive.
void rods() {
  Tally tally;
  reference::Worst off("420 rods, accelerations relative");
  for (int angle = 0; angle < 14; ++angle)
    for (const double mu : {0.3, 1.0, 1.4, 2.0, 3.0})
      for (const double spin : {0.0, 3.0, 6.0})
        for (const double v : {-1.0, 1.0}) {
          const double theta = 0.2 + 0.1 * angle, x = -std::cos(theta), y = -std::sin(theta), light = 3;
          const double nn = 1 + light * x * x, nt = -light * x * y, tt = 1 + light * y * y;
          const double b_n = -9.81 - spin * spin * y, factor = nn - mu * v * nt;
          const Instant<2> p{{nn, nt, nt, tt}, {b_n, -spin * spin * x}, {mu}, {v}};
          const int expected = (b_n >= 0 ? 1 : 0) + (-b_n / factor > 0 ? 1 : 0);
          TEST_ASSERT_EQUAL_size_t(static_cast<std::size_t>(expected), enumerate(p).size());
          compare<2, 4>(p, tally, off);
        }
  say(tally);
  off.within(1e-10);
  TEST_ASSERT_EQUAL_INT(420, tally.problems);
  TEST_ASSERT_EQUAL_INT(420, tally.proved);
}

// Sliding contacts that do not feel each other, each with c_n = 0 and c_n = 2: 2^k solutions.
void ambiguous_contacts() {
  Tally tally;
  reference::Worst off("ambiguous contacts, accelerations relative");
  for (std::size_t k = 1; k <= 4; ++k) {
    Instant<2> p{std::vector<double>(4 * k * k), {}, std::vector<double>(k, 1), std::vector<double>(k, 1)};
    for (std::size_t i = 0; i < k; ++i) {
      double* const block = p.A.data() + 2 * i * 2 * k + 2 * i;
      block[0] = 1;
      block[1] = block[2 * k] = 1.5;
      block[2 * k + 1] = 4;
      p.b.push_back(1);
      p.b.push_back(0);
    }
    TEST_ASSERT_EQUAL_size_t(std::size_t(1) << k, enumerate(p).size());
    compare<2, 4>(p, tally, off);
  }
  off.within(1e-10);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(in_the_plane);
  RUN_TEST(in_space);
  RUN_TEST(rods);
  RUN_TEST(ambiguous_contacts);
  return UNITY_END();
}
