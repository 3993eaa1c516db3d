// Hard states of arms and contacts (tests/corpus/arm_states.hpp) in rows: how many are solved, in how many
// flips, each answer judged from its definition. With an argument that many times as many.
#include <unity.h>

#include <cstdio>
#include <cstdlib>

#include "tactus/lcp/rows/solver.hpp"
#include "tests/corpus/arm_states.hpp"
#include "tests/corpus/row_judge.hpp"

using namespace tactus::lcp::rows;

namespace {

int scale = 1;

constexpr const char* kNames[] = {"points on planes",     "box on a corner", "box on 4 corners",
                                  "pinched on 4 corners", "box and a point", "box and 4 points"};

template <class Scalar>
constexpr const char* kName = sizeof(Scalar) == 8 ? "double" : "float ";
// Compliance of rows whose gap or limit is violated.
template <class Scalar>
constexpr double kGive = sizeof(Scalar) == 8 ? 1e-8 : 1e-4;

struct Tally {
  long problems = 0, solved = 0, proved = 0, rays = 0, flips_end = 0, no_digits = 0, again = 0;
  double worst = 0;
  std::vector<int> flips;

  template <class Scalar>
  void add(const Answer<Scalar>& a, const Problem<Scalar>& p, const Scalar* impulse) {
    ++problems;
    solved += a.end == End::solved;
    proved += a.proved;
    rays += a.end == End::ray && !a.proved;
    flips_end += a.end == End::flips;
    no_digits += a.end == End::no_digits;
    again += a.end == End::solved && a.cover > 1;
    if (a.end != End::solved) return;
    flips.push_back(a.flips);
    worst = std::max(worst, corpus::RowJudge<Scalar>(p).residual(impulse));
  }
  long unsolved() const { return problems - solved; }
  int quantile(double share) {
    if (flips.empty()) return 0;
    std::sort(flips.begin(), flips.end());
    return flips[std::min(flips.size() - 1,
                          static_cast<std::size_t>(share * static_cast<double>(flips.size())))];
  }
  double mean() const {
    double sum = 0;
    for (const int x : flips) sum += x;
    return flips.empty() ? 0 : sum / static_cast<double>(flips.size());
  }
  void print(const char* precision, const char* name) {
    std::printf(
        "%s %-20s %7ld of %7ld solved (%ld by a later vector), %ld proved, %ld rays, %ld flips, %ld no "
        "digits; "
        "flips mean %.1f p99 %d max %d; worst %.1e\n",
        precision, name, solved, problems, again, proved, rays, flips_end, no_digits, mean(), quantile(0.99),
        quantile(1), worst);
  }
  void join(const Tally& o) {
    problems += o.problems, solved += o.solved, proved += o.proved, rays += o.rays;
    flips_end += o.flips_end, no_digits += o.no_digits, again += o.again;
    worst = std::max(worst, o.worst);
    flips.insert(flips.end(), o.flips.begin(), o.flips.end());
  }
};

template <class Scalar>
Workspace<Scalar, corpus::kMostRows> ws;

// apart: only states in which no gap and no limit is violated.
template <class Scalar>
Tally sweep(int problems, bool apart, bool spread, std::uint64_t seed) {
  static corpus::ArmStep step;
  static corpus::ArmRows made;
  static corpus::RowsIn<Scalar> rows;
  Tally all;
  for (int setting = 0; setting < corpus::kSettings; ++setting) {
    corpus::Dice dice(seed + static_cast<std::uint64_t>(setting));
    Tally tally;
    while (tally.problems < problems / corpus::kSettings) {
      const auto kind = static_cast<corpus::Setting>(setting);
      const int joints = kind == corpus::Setting::pinch ? dice.i(1, 3) : dice.i(1, 7);
      make_rows(make_arm_world(dice, kind, joints, spread), kGive<Scalar>, step, made);
      if (apart && !made.apart) continue;
      const auto p = rows(made);
      const auto answer = solve(p, ws<Scalar>);
      tally.add(answer, p, ws<Scalar>.p.data());
      TEST_ASSERT_TRUE(answer.end != End::bad_input && answer.end != End::out_of_time);
    }
    tally.print(kName<Scalar>, kNames[setting]);
    all.join(tally);
  }
  all.print(kName<Scalar>, "all");
  TEST_ASSERT_TRUE(all.worst <= 3 * static_cast<double>(kAccepted<Scalar>));
  return all;
}

// No gap violated, no limit violated: there always is an answer (rows/problem.hpp).
void what_has_an_answer_is_solved() {
  // None as GCC rounds the states, one of 20,000, which is flagged, as clang does.
  TEST_ASSERT_LESS_OR_EQUAL_INT(scale, sweep<double>(20000 * scale, true, false, 1).unsolved());
  TEST_ASSERT_LESS_OR_EQUAL_INT(5 * scale, sweep<float>(20000 * scale, true, false, 1).unsolved());
}

// Masses from 1e-6 to 1e6.
void so_are_those_of_spread_masses() {
  TEST_ASSERT_LESS_OR_EQUAL_INT(scale, sweep<double>(10000 * scale, true, true, 2).unsolved());
  TEST_ASSERT_LESS_OR_EQUAL_INT(30 * scale, sweep<float>(10000 * scale, true, true, 2).unsolved());
}

// Violated rows with a little compliance. Those that jam ask for forces of a share of 1 / give: in double as
// in float that leaves no digits, and it says so.
void of_violated_ones_those_that_jam_are_flagged() {
  const auto in_double = sweep<double>(10000 * scale, false, false, 3);
  TEST_ASSERT_TRUE(in_double.solved > 97 * in_double.problems / 100);
  const auto in_float = sweep<float>(10000 * scale, false, false, 3);
  TEST_ASSERT_TRUE(in_float.solved > 95 * in_float.problems / 100);
}

// Worlds that go on, their torques changing by up to `share` each step: how many steps are solved from the
// states of the last one, as they are and by the path from there.
template <class Scalar>
void sequences(const char* name, corpus::Setting setting, int joints, double share, double from_last,
               double flips) {
  static corpus::ArmStep step;
  static corpus::ArmRows made;
  static corpus::RowsIn<Scalar> rows;
  corpus::Dice dice(31);
  Tally tally;
  long kept = 0, near = 0, lost = 0;
  for (int world = 0; world < 100 * scale; ++world) {
    corpus::ArmWorld w = make_arm_world(dice, setting, joints, false);
    std::array<State, corpus::kMostJoints> of_joint{};
    std::array<std::array<State, 3>, corpus::kMostTouches> of_touch{};
    for (int k = 0; k < 30; ++k) {
      make_rows(w, kGive<Scalar>, step, made);
      std::array<State, corpus::kMostRows> last{};
      const auto touch = [&](int c) -> auto& {
        return of_touch[static_cast<std::size_t>(made.touch[static_cast<std::size_t>(c)])];
      };
      for (int i = 0; i < made.joints; ++i)
        last[static_cast<std::size_t>(i)] = of_joint[static_cast<std::size_t>(i)];
      for (int c = 0; c < made.touches; ++c)
        for (int a = 0; a < 3; ++a)
          last[static_cast<std::size_t>(made.joints + 3 * c + a)] = touch(c)[static_cast<std::size_t>(a)];
      const auto p = rows(made);
      const auto answer = solve(p, ws<Scalar>, k > 0 ? last.data() : nullptr);
      if (answer.end != End::solved) {
        ++lost;
        break;
      }
      if (k > 0) {
        tally.add(answer, p, ws<Scalar>.p.data());
        kept += answer.cover == 0 && answer.flips == 0;
        near += answer.cover == 0 && answer.flips > 0;
      }
      of_touch = {};
      for (int i = 0; i < made.joints; ++i)
        of_joint[static_cast<std::size_t>(i)] = ws<Scalar>.state[static_cast<std::size_t>(i)];
      for (int c = 0; c < made.touches; ++c)
        for (int a = 0; a < 3; ++a)
          touch(c)[static_cast<std::size_t>(a)] =
              ws<Scalar>.state[static_cast<std::size_t>(made.joints + 3 * c + a)];
      double impulse[corpus::kMostRows];
      for (int i = 0; i < made.n; ++i)
        impulse[i] = static_cast<double>(ws<Scalar>.p[static_cast<std::size_t>(i)]);
      advance(w, made, step, impulse);
      change_torques(w, dice, share);
    }
  }
  const double all = static_cast<double>(tally.problems);
  std::printf(
      "%s %s, torques +-%g: %.2f %% as they were, %.2f %% by the path from there; flips mean %.2f p99 %d; "
      "%ld worlds lost\n",
      kName<Scalar>, name, share, 100 * static_cast<double>(kept) / all,
      100 * static_cast<double>(near) / all, tally.mean(), tally.quantile(0.99), lost);
  TEST_ASSERT_TRUE(static_cast<double>(kept + near) >= from_last * all);
  TEST_ASSERT_TRUE(tally.mean() <= flips);
  TEST_ASSERT_TRUE(tally.worst <= 3 * static_cast<double>(kAccepted<Scalar>));
}

void a_drifting_world_is_followed() {
  for (const double share : {0.01, 0.1}) {
    sequences<double>("7 joints, box on 4 corners", corpus::Setting::box, 7, share, 0.98, 2);
    sequences<double>("3 joints, box on a corner", corpus::Setting::corner, 3, share, 0.99, 0.5);
    sequences<float>("7 joints, box on 4 corners", corpus::Setting::box, 7, share, 0.96, 2.5);
    sequences<float>("3 joints, box on a corner", corpus::Setting::corner, 3, share, 0.99, 0.5);
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main(int count, char** argument) {
  if (count > 1) scale = std::atoi(argument[1]);
  UNITY_BEGIN();
  RUN_TEST(what_has_an_answer_is_solved);
  RUN_TEST(so_are_those_of_spread_masses);
  RUN_TEST(of_violated_ones_those_that_jam_are_flagged);
  RUN_TEST(a_drifting_world_is_followed);
  return UNITY_END();
}
