// The LCP solver under a clock, cold and with the right guess, over the friction boxes of
// corpus/friction_box.hpp: what it costs to be asked. How long it goes on from one question to the next is
// proved from this image by tests/image/deadline.py, and counted in runs of it.
#include "stopwatch.hpp"
#include "tactus/lcp/solver.hpp"
#include "tests/corpus/friction_box.hpp"

namespace {

#if !defined(TACTUS_MOTIONS)
#define TACTUS_MOTIONS 25
#endif
constexpr int kCapacity = 48;  // larger than any problem here, so that bounds are proved for n = 48, too

tactus::lcp::Workspace<float, kCapacity> memory;
corpus::Instance<float, kCapacity> problem;
// A type of this file alone, as a user's clock is: the compiler knows all of its calls.
struct Watch : bench::Watch {};
Watch watch;

// What a call of it costs is looked for by its name, and it begins and ends the gaps between questions.
[[gnu::noipa]] tactus::lcp::Answer<float> solve_once(tactus::lcp::Basis<kCapacity>& basis) {
  return tactus::lcp::solve(problem.view(), memory, {}, &basis, watch);
}

[[gnu::noipa]] void measure(int contacts) {
  bench::Tally cold, warm;
  watch = {};
  corpus::for_sweep(TACTUS_MOTIONS, [&](const corpus::Box& box) {
    if (box.contacts != contacts || !corpus::make(box, problem)) return;
    tactus::lcp::Basis<kCapacity> basis;
    cold.add(bench::cost([&] { (void)solve_once(basis); }));
    if (basis.n > 0) warm.add(bench::cost([&] { (void)solve_once(basis); }));
  });
  bench::print_row({{static_cast<std::uint32_t>(6 * contacts), 4},
                    {cold.count, 9},
                    {cold.mean(), 11},
                    {warm.mean(), 11},
                    {watch.questions, 11}});
}

}  // namespace

int main() {
  bench::print("LCP, float, ");
  bench::print(bench::unit());
  bench::print(" a solve under a clock\n   n problems  cold mean  warm mean  questions\n");
  for (int contacts : {1, 2, 4, 6}) measure(contacts);
  return 0;
}
