// What a solve costs, float, cold and with the right guess, over the friction boxes of
// corpus/friction_box.hpp: 12 scenes a size (1 g to 1 t, mu 0.3 and 1, with and without 1e-6 on the
// diagonal), 25 motions each.
#include "stopwatch.hpp"
#include "tactus/lcp/solver.hpp"
#include "tests/corpus/friction_box.hpp"

namespace {

constexpr int kCapacity = 36, kMotions = 25;

tactus::lcp::Workspace<float, kCapacity> memory;
corpus::Instance<float, kCapacity> problem;

void measure(int contacts) {
  bench::Tally cold, warm, pivots;
  std::uint32_t unsolved = 0;
  corpus::for_sweep(kMotions, [&](const corpus::Box& box) {
    if (box.contacts != contacts || !corpus::make(box, problem)) return;
    tactus::lcp::Basis<kCapacity> basis;
    tactus::lcp::Answer<float> answer;
    const std::uint32_t first = bench::cost([&] { answer = solve(problem.view(), memory, {}, &basis); });
    if (answer.status != tactus::lcp::Status::solved) {
      ++unsolved;
      return;
    }
    cold.add(first);
    pivots.add(static_cast<std::uint32_t>(answer.pivots));
    warm.add(bench::cost([&] { answer = solve(problem.view(), memory, {}, &basis); }));
  });
  bench::print_row({{static_cast<std::uint32_t>(6 * contacts), 4},
                    {cold.count, 7},
                    {unsolved, 9},
                    {cold.mean(), 11},
                    {cold.worst, 11},
                    {warm.mean(), 11},
                    {warm.worst, 11},
                    {pivots.mean(), 8},
                    {pivots.worst, 7}});
}

}  // namespace

int main() {
  bench::print("LCP, float, ");
  bench::print(bench::unit());
  bench::print(" a solve\n   n solved unsolved  cold mean cold worst  warm mean warm worst  pivots  worst\n");
  for (int contacts : {1, 2, 4, 6}) measure(contacts);
  bench::print("sizeof(Workspace<float, 12>)");
  bench::print_number(sizeof(tactus::lcp::Workspace<float, 12>), 8);
  bench::print(", <float, 24>");
  bench::print_number(sizeof(tactus::lcp::Workspace<float, 24>), 8);
  bench::print(" bytes\n");
  return 0;
}
