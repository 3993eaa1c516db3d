// 1,000 random steps of core in space, one or two bodies with up to three contacts that strike, slide, hold
// and open, and the list of all solutions of their problem, which is made of masses, velocities and gaps
// here: the step is one of the list, each of the list obeys the laws, whatever a search of another make finds
// is in it (tests/oracle/round.hpp), and where the list is whole and has one answer, that search has no
// other.
#include <cstdio>

#include "existence.hpp"
#include "solutions.hpp"
#include "tests/corpus/random_touch.hpp"
#include "tests/oracle/round.hpp"
#include "unity.h"

using namespace tactus::host;
using oracle::Column;
using oracle::Real;
using tactus::stepper::StepStatus;

namespace {

using Touch = corpus::RandomTouch<3>;
Touch touch;

struct Count {
  int steps = 0, of[4] = {}, whole = 0, several = 0, unsolved = 0, facets = 0, guaranteed = 0, sampled = 0;
};

// Contacts scaled to A_nn = 1 and the largest |b| = 1.
InstantProblem scaled(Eigen::VectorXd& back) {
  Eigen::VectorXd scale(touch.b.size());
  for (Eigen::Index r = 0; r < scale.size(); ++r) scale[r] = 1 / std::sqrt(touch.A(r / 3 * 3, r / 3 * 3));
  const double unit = touch.b.cwiseProduct(scale).cwiseAbs().maxCoeff();
  back = unit * scale.cwiseInverse();
  return {3,
          true,
          scale.asDiagonal() * touch.A * scale.asDiagonal(),
          touch.b.cwiseProduct(scale) / unit,
          touch.mu,
          std::vector<double>(2 * touch.mu.size(), 0.0),
          0};
}

// How far forces are off Coulomb's law: their cone, and slip times what friction is off mu c_n against it.
Real off_laws(const InstantProblem& p, const Eigen::VectorXd& c) {
  Real off = 0;
  const Eigen::VectorXd a = p.A * c + p.b;
  for (int i = 0; i < p.contacts(); ++i) {
    const Real mu = p.mu[static_cast<std::size_t>(i)], most = mu * std::fmax(Real(c[3 * i]), Real(0));
    off = std::fmax(off, std::fabs(std::fmin(Real(c[3 * i]), Real(a[3 * i]))));
    const Real t = c[3 * i + 1], o = c[3 * i + 2], x = a[3 * i + 1], y = a[3 * i + 2];
    const Real share =
        1 / std::fmax(mu, Real(1));  // a c_n that is off by rounding moves friction by mu of it
    off = std::fmax(off, share * (std::hypot(t, o) - most));
    const Real slip = std::hypot(x, y);
    off = std::fmax(
        off, most > 0 && slip > 0 ? share * slip * std::hypot(t + most * x / slip, o + most * y / slip) : 0);
  }
  return off;
}

void look(Count& count) {
  Eigen::VectorXd back;
  const InstantProblem p = scaled(back);
  const Solutions every = every_solution(p);
  const Existence existence = check_existence(p);
  ++count.steps;
  ++count.of[touch.mu.size()];
  count.whole += every.all ? 1 : 0;
  count.several += every.different.size() > 1 || every.continuum ? 1 : 0;
  count.guaranteed += existence.guaranteed ? 1 : 0;
  if (existence.guaranteed && every.all) TEST_ASSERT_FALSE(every.different.empty());
  if (existence.unique && every.all) TEST_ASSERT_EQUAL_size_t(1, every.different.size());
  for (const Solution& s : every.different)
    TEST_ASSERT_TRUE(off_laws(p, s.c) <= 1e-8L * (1 + s.c.lpNorm<Eigen::Infinity>()));
  const auto listed = [&](const auto& a) {
    bool known = false;
    for (const Solution& s : every.different) {
      Real apart = 0;
      for (Eigen::Index r = 0; r < s.a.size(); ++r)
        apart = std::fmax(apart, std::fabs(Real(s.a[r]) - Real(a[static_cast<std::size_t>(r)])));
      known = known || apart <= 1e-6L;
    }
    return known || !every.all || every.continuum;
  };
  const bool solved = touch.report.status == StepStatus::solved;
  count.unsolved += solved ? 0 : 1;
  if (!solved) TEST_ASSERT_TRUE(every.different.empty());
  if (every.all && every.different.empty()) TEST_ASSERT_FALSE(solved);
  if (touch.report.facet_error > 0) {  // a pyramid, and says so
    ++count.facets;
  } else if (solved) {
    const Eigen::VectorXd s = touch.after().cwiseQuotient(back);
    TEST_ASSERT_TRUE_MESSAGE(listed(std::vector<double>(s.data(), s.data() + s.size())),
                             "the step is not in the list");
  }
  const int grid = touch.mu.size() == 1 ? 24 : touch.mu.size() == 2 ? 10 : count.steps % 20 == 0 ? 6 : 0;
  if (grid == 0) return;
  ++count.sampled;
  for (const Column& a : oracle::sample(p, grid))
    TEST_ASSERT_TRUE_MESSAGE(listed(a), "a solution is missing");
}

void steps() {
  corpus::Random random(31);
  Count count;
  while (count.steps < 1000)
    if (touch.draw(random, 3) && (touch.mu.size() < 3 || count.of[3] < 200)) look(count);
  std::printf(
      "%d steps with 1, 2, 3 contacts: %d, %d, %d; %d lists whole, %d with several, %d guaranteed, %d "
      "without an answer, %d steps by a pyramid; %d sampled\n",
      count.steps, count.of[1], count.of[2], count.of[3], count.whole, count.several, count.guaranteed,
      count.unsolved, count.facets, count.sampled);
  TEST_ASSERT_TRUE(count.of[1] > 200 && count.of[2] > 200 && count.of[3] == 200);
  TEST_ASSERT_TRUE(count.whole > 960 && count.several > 30 && count.facets < 40);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(steps);
  return UNITY_END();
}
