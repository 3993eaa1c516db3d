// The solver in rows under a clock, over hard states of arms and contacts (corpus/arm_states.hpp): what a
// solve from afar and one from the states of a little before cost, and, by tests/image/deadline.py, how long
// it goes on from one question to the next.
#include "stopwatch.hpp"
#include "tactus/lcp/rows/solver.hpp"
#include "tests/corpus/arm_states.hpp"

namespace {

namespace rows = tactus::lcp::rows;

constexpr int kRows = 34;

rows::Workspace<float, kRows> workspace;
corpus::ArmStep step;
corpus::ArmRows made;
corpus::RowsIn<float, kRows> in_float;
// A type of this file alone, as a user's clock is: the compiler knows all of its calls.
struct Watch : bench::Watch {};
Watch watch;

// What a call of it costs is looked for by its name, and it begins and ends the gaps between questions.
[[gnu::noipa]] rows::Answer<float> solve_once(const rows::Problem<float>& p, const rows::State* last) {
  return rows::solve(p, workspace, last, {}, watch);
}

[[gnu::noipa]] void measure(int n, corpus::Setting setting, int joints) {
  corpus::Dice dice(7);
  bench::Tally afar, near;
  watch = {};
  for (int k = 0; k < 2000 && afar.count < 100; ++k) {
    corpus::ArmWorld w = corpus::make_arm_world(dice, setting, joints, false);
    corpus::make_rows(w, 1e-4, step, made);
    if (made.n != n || !made.apart) continue;
    const auto p = in_float(made);
    rows::Answer<float> answer;
    const std::uint32_t cost = bench::cost([&] { answer = solve_once(p, nullptr); });
    if (answer.end != rows::End::solved) continue;
    afar.add(cost);
    double impulse[kRows];
    for (int i = 0; i < n; ++i) impulse[i] = static_cast<double>(workspace.p[static_cast<std::size_t>(i)]);
    corpus::advance(w, made, step, impulse);
    corpus::change_torques(w, dice, 0.01);
    corpus::make_rows(w, 1e-4, step, made);
    if (made.n != n) continue;
    const auto next = in_float(made);
    const std::uint32_t after = bench::cost([&] { answer = solve_once(next, workspace.state.data()); });
    if (answer.end == rows::End::solved) near.add(after);
  }
  bench::print_row({{static_cast<std::uint32_t>(n), 4},
                    {afar.count, 9},
                    {afar.mean(), 11},
                    {near.mean(), 11},
                    {watch.questions, 11}});
}

}  // namespace

int main() {
  bench::print("Rows, float, ");
  bench::print(bench::unit());
  bench::print(" a solve under a clock\n   n problems  from afar  from near  questions\n");
  measure(12, corpus::Setting::planes, 3);
  measure(22, corpus::Setting::box, 7);
  measure(34, corpus::Setting::crowd, 7);
  return 0;
}
