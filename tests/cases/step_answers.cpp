// 1,500 random steps of core in the plane, one or two bodies with up to four contacts that strike, slide,
// hold and open, against an enumeration of every mode and every corner (tests/oracle/corners.hpp) of a
// problem that is made of masses, velocities and gaps here: the step obeys the laws and is one of the answers
// or between them; a step without an answer is not called solved; stepper/ambiguity.hpp says `several` where
// and only where two answers differ, `impulse` where and only where the accelerations have none. The same in
// float, where answers that differ by less than its digits tell are not asked for.
#include <algorithm>
#include <cstdio>

#include "tactus/stepper/ambiguity.hpp"
#include "tests/corpus/random_touch.hpp"
#include "tests/oracle/corners.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::stepper;

namespace {

using Touch = corpus::RandomTouch<2>;
Touch touch;

// Contacts scaled to A_nn = 1 and the largest |b| = 1: the enumeration knows what rounding is there.
struct Scaled {
  oracle::Instant<2> problem;
  std::vector<double> scale;
  double unit = 0;

  explicit Scaled(const std::vector<int>& contacts, const Eigen::VectorXd& b) {
    std::vector<int> rows;
    for (const int i : contacts) {
      for (int k = 0; k < 2; ++k) {
        rows.push_back(2 * i + k);
        scale.push_back(1 / std::sqrt(touch.A(2 * i, 2 * i)));
        unit = std::fmax(unit, std::fabs(b[2 * i + k]) * scale.back());
      }
      problem.mu.push_back(touch.mu[static_cast<std::size_t>(i)]);
      problem.velocity.push_back(0);
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
      problem.b.push_back(b[rows[r]] * scale[r] / (unit > 0 ? unit : 1));
      for (std::size_t c = 0; c < rows.size(); ++c)
        problem.A.push_back(touch.A(rows[r], rows[c]) * scale[r] * scale[c]);
    }
  }
  std::vector<oracle::Column> answers() const {
    auto found = oracle::enumerate_corners<2>(problem);
    for (auto& a : found)
      for (std::size_t r = 0; r < a.size(); ++r) a[r] *= unit / scale[r];
    return found;
  }
};

double apart(const oracle::Column& x, const Eigen::VectorXd& y) {
  double most = 0;
  for (std::size_t r = 0; r < x.size(); ++r)
    most = std::fmax(most, std::fabs(static_cast<double>(x[r]) - y[static_cast<Eigen::Index>(r)]));
  return most;
}
double spread(const std::vector<oracle::Column>& answers) {
  double most = 0;
  for (const auto& x : answers)
    for (const auto& y : answers)
      most = std::fmax(most, static_cast<double>(oracle::largest(oracle::plus(x, -1, y))));
  return most;
}

std::vector<int> all_contacts() {
  std::vector<int> out;
  for (std::size_t i = 0; i < touch.mu.size(); ++i) out.push_back(static_cast<int>(i));
  return out;
}

// The step's own forces and speeds are off Stewart's laws by so much.
double off_laws(const Eigen::VectorXd& s) {
  Eigen::VectorXd p(s.size());
  for (Eigen::Index r = 0; r < s.size(); ++r)
    p[r] = touch.workspace.answer.lambda[static_cast<std::size_t>(r)];
  double off = (touch.A * p + touch.b - s).lpNorm<Eigen::Infinity>();
  for (std::size_t i = 0; i < touch.mu.size(); ++i) {
    const auto n = static_cast<Eigen::Index>(2 * i), t = n + 1;
    const double own = touch.A(n, n), rub = touch.A(t, t), most = touch.mu[i] * std::fmax(p[n], 0);
    off = std::fmax(off, std::fabs(std::fmin(p[n] * own, s[n])));
    off = std::fmax(off, std::fabs(p[t] * rub - std::clamp(p[t] * rub - s[t], -most * rub, most * rub)));
  }
  return off;
}

bool has_impulse() {
  std::vector<int> closed;
  bool slides = false;
  for (const int i : all_contacts())
    if (touch.closed[static_cast<std::size_t>(i)]) closed.push_back(i);
  Scaled rates(closed, touch.rate);
  for (std::size_t k = 0; k < closed.size(); ++k) {
    const double v = touch.now[2 * closed[k] + 1];
    rates.problem.velocity[k] = std::fabs(v) > 1e-6 ? v : 0;
    slides = slides || std::fabs(v) > 1e-6;
  }
  return slides && rates.answers().empty();
}

// What float makes of the problem.
bool several_in_float() {
  const auto narrow = [](const auto& from) {
    std::vector<float> out;
    for (const double x : from) out.push_back(static_cast<float>(x));
    return out;
  };
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = touch.A;
  const auto A = narrow(std::vector<double>(rows.data(), rows.data() + rows.size()));
  const auto b = narrow(std::vector<double>(touch.b.data(), touch.b.data() + touch.b.size()));
  const auto mu = narrow(touch.mu);
  const contact::Problem<float, 2> problem{static_cast<int>(mu.size()), A.data(), static_cast<int>(b.size()),
                                           b.data(), mu.data()};
  return contact::PlaneAnswers<float>(problem, nullptr, nullptr).count(kNoClock) > 1;
}

struct Count {
  int steps = 0, of[5] = {}, none = 0, several = 0, between = 0, impulses = 0, missed_in_float = 0,
      false_in_float = 0;
};

void look(Count& count) {
  const double unit = touch.b.cwiseAbs().maxCoeff();
  const auto answers = Scaled(all_contacts(), touch.b).answers();
  ++count.steps;
  ++count.of[touch.mu.size()];
  const bool solved = touch.report.status == StepStatus::solved;
  TEST_ASSERT_EQUAL_INT(!answers.empty(), solved);
  if (!solved) {
    ++count.none;
    return;
  }
  const Eigen::VectorXd s = touch.after();
  TEST_ASSERT_TRUE(off_laws(s) <= 1e-8 * unit);
  const double width = spread(answers);
  double nearest = HUGE_VAL;
  for (const auto& a : answers) nearest = std::fmin(nearest, apart(a, s));
  TEST_ASSERT_TRUE(nearest <= 1e-6 * unit || width > 1e-6 * unit);
  count.between += nearest > 1e-6 * unit ? 1 : 0;
  const Ambiguity seen = ambiguity(touch.world.model, touch.before, touch.workspace);
  TEST_ASSERT_TRUE(seen.sought);
  if (!(width > 1e-8 * unit && width < 1e-5 * unit)) {  // else it is a matter of kOther
    TEST_ASSERT_EQUAL_INT(width > 1e-6 * unit, seen.several);
    count.several += seen.several ? 1 : 0;
  }
  const bool impulse = has_impulse();
  TEST_ASSERT_EQUAL_INT(impulse, seen.impulse);
  count.impulses += impulse ? 1 : 0;
  const bool in_float = several_in_float();
  count.false_in_float += in_float && width < 1e-3 * unit ? 1 : 0;
  count.missed_in_float += !in_float && width > 0.02 * unit ? 1 : 0;
}

void steps() {
  corpus::Random random(17);
  Count count;
  while (count.steps < 1500)
    if (touch.draw(random, 4)) look(count);
  std::printf(
      "%d steps with 1, 2, 3, 4 contacts: %d, %d, %d, %d; %d without an answer, %d with several, in %d of "
      "them "
      "the step is between them; %d impulses; in float %d that have several were not told, and %d that have "
      "one told\n",
      count.steps, count.of[1], count.of[2], count.of[3], count.of[4], count.none, count.several,
      count.between, count.impulses, count.missed_in_float, count.false_in_float);
  for (int k = 1; k < 5; ++k) TEST_ASSERT_GREATER_THAN_INT(200, count.of[k]);
  TEST_ASSERT_TRUE(count.several > 100 && count.impulses > 10 && count.none > 2);
  TEST_ASSERT_TRUE(count.missed_in_float <= 10 && count.false_in_float <= 10);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(steps);
  return UNITY_END();
}
