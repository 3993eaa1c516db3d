// What a solve in rows costs, in float: a flip of the path, a whole solve from afar and one from the states
// of a little before, at 12, 22 and 34 rows. On an emulated board the counts are instructions and held to
// their budgets; elsewhere only the sizes are.
#include "tactus/lcp/rows/solver.hpp"
#include "tests/corpus/arm_states.hpp"
#include "tests/unit/tell.hpp"

using namespace corpus;
namespace rows = tactus::lcp::rows;

namespace {

constexpr int kRows = 34;

rows::Workspace<float, kRows> workspace;
ArmStep step;
ArmRows made;
RowsIn<float, kRows> in_float;

struct Tally {
  std::uint32_t count = 0, worst = 0;
  std::uint64_t sum = 0;
  void add(std::uint32_t x) {
    ++count;
    sum += x;
    worst = x > worst ? x : worst;
  }
  std::uint32_t mean() const { return count > 0 ? static_cast<std::uint32_t>(sum / count) : 0; }
};

// Counts from one flip to the next.
struct Stopwatch {
  std::uint32_t last = tell::now();
  bool begun = false;
  Tally flips;
  bool go_on(tactus::Piece, int, int) {
    const std::uint32_t since = tell::since(last);
    if (begun) flips.add(since);
    begun = true;
    last = tell::now();
    return true;
  }
};

void path_alone(const rows::Problem<float>& p, Tally& flips) {
  const rows::Memory<float> memory(workspace);
  rows::find_units(p, memory.d);
  const float size = rows::find_demands(p, memory.d, memory.F);
  rows::Starts<float> starts(p, memory, size);
  starts.from_afar(0);
  rows::Path<float> path(p, starts.d, 1e-7F * size);
  Stopwatch watch;
  path.from_afar(300, watch);
  flips.sum += watch.flips.sum;
  flips.count += watch.flips.count;
  flips.worst = watch.flips.worst > flips.worst ? watch.flips.worst : flips.worst;
}

void measure(const char* name, int n, Setting setting, int joints, std::uint32_t flip_budget,
             std::uint32_t budget) {
  Dice dice(7);
  Tally afar, near, flip, flips;
  int unsolved = 0;
  for (int k = 0; k < 2000 && afar.count < 100; ++k) {
    ArmWorld w = make_arm_world(dice, setting, joints, false);
    make_rows(w, 1e-4, step, made);
    if (made.n != n || !made.apart) continue;
    const auto p = in_float(made);
    path_alone(p, flip);
    std::uint32_t start = tell::now();
    const auto cold = solve(p, workspace);
    std::uint32_t count = tell::since(start);
    if (cold.end != rows::End::solved) {
      ++unsolved;
      continue;
    }
    afar.add(count);
    flips.add(static_cast<std::uint32_t>(cold.flips));
    double impulse[kRows];
    for (int i = 0; i < n; ++i) impulse[i] = static_cast<double>(workspace.p[static_cast<std::size_t>(i)]);
    advance(w, made, step, impulse);
    change_torques(w, dice, 0.01);
    make_rows(w, 1e-4, step, made);
    if (made.n != n) continue;
    const auto next = in_float(made);
    start = tell::now();
    const auto warm = solve(next, workspace, workspace.state.data());
    count = tell::since(start);
    if (warm.end == rows::End::solved) near.add(count);
  }
  TEST_MESSAGE(name);
  tell::figure("  problems", afar.count);
  tell::figure("  not solved", static_cast<std::uint32_t>(unsolved));
  tell::figure("  flips of a solve from afar, mean", flips.mean());
  tell::figure("    worst", flips.worst);
  tell::figure("  a flip, mean", flip.mean());
  tell::figure("    worst", flip.worst);
  tell::figure("  a solve from afar, mean", afar.mean());
  tell::figure("    worst", afar.worst);
  tell::figure("  a solve from the last states, mean", near.mean());
  tell::figure("    worst", near.worst);
  TEST_ASSERT_TRUE(afar.count >= 30 && 20 * unsolved <= static_cast<int>(afar.count));
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(flip_budget, flip.mean());
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(budget, afar.mean());
}

void twelve_rows() {
  measure("n = 12: 3 joints, 3 points on planes", 12, Setting::planes, 3, 3000, 90000);
}
void twenty_two_rows() {
  measure("n = 22: 7 joints, a tip, a box on 4 corners", 22, Setting::box, 7, 6000, 150000);
}
void thirty_four_rows() {
  measure("n = 34: the same, 4 points on planes", 34, Setting::crowd, 7, 9000, 450000);
}

void memory() {
  tell::figure("bytes of a workspace of 12 rows", sizeof(rows::Workspace<float, 12>));
  tell::figure("22 rows", sizeof(rows::Workspace<float, 22>));
  tell::figure("34 rows", sizeof(rows::Workspace<float, 34>));
  TEST_ASSERT_LESS_OR_EQUAL_UINT32(5120, sizeof(rows::Workspace<float, 22>));
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(memory);
  RUN_TEST(twelve_rows);
  RUN_TEST(twenty_two_rows);
  RUN_TEST(thirty_four_rows);
  return UNITY_END();
}
