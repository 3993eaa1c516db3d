// How much a horizon may cost, and why it ended where it did.
//
// A step is begun only where `spent + reserve <= limit`, in pivots and in counts (instructions or cycles, of
// whatever counter the caller has). With B the most that one step costs, the last step begun ends at
//
//     spent' <= limit - reserve + B
//
// so the overshoot is at most B - reserve: less than one step where nothing is reserved, and none where the
// reserve is B, which is what "never late" takes. For pivots B is most_pivots(model). For counts B is
// measured: bench and firmware print the worst step of a scene; what runs after the horizon in the same tick
// is reserved beside it. The far end is what is cut, since steps are taken in the order of their time.
#pragma once

#include <cstdint>
#include <limits>

#include "tactus/stepper/model.hpp"

namespace tactus::predictor {

struct Budget {
  int steps = std::numeric_limits<int>::max();  // what the predictor has no room for is cut, too
  int pivots = std::numeric_limits<int>::max();
  int pivot_reserve = 0;
  std::uint32_t counts = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t reserve = 0;  // counts
};

// Why a horizon took no further step.
enum class End : std::uint8_t {
  whole,   // it took all that were asked for
  pivots,  // the budget of pivots would not hold another step
  counts,  // nor that of counts
  clock,   // the clock has ended it
  failed   // a step failed; status and reason say how
};

// Stands for a counter where none is read: nothing is ever spent.
struct NoCounter {
  constexpr std::uint32_t operator()() const { return 0; }
};

// Pivots of one step at most: all paths of a step share Method::pivot_budget, and each repetition has it
// anew.
template <class Scalar, int Dim, stepper::Capacity C>
constexpr int most_pivots(const stepper::Model<Scalar, Dim, C>& model) {
  return (model.method.fixed_point + 1) * model.method.pivot_budget;
}

// Whether another step may begin; `whole` is yes. `spent` says what was spent of the counts, such as
// [start] { return board::counts_since(start); }.
template <class Spent>
inline End may_begin(const Budget& budget, int pivots, const Spent& spent) {
  if (budget.pivots < budget.pivot_reserve || pivots > budget.pivots - budget.pivot_reserve)
    return End::pivots;
  if (budget.counts < budget.reserve || spent() > budget.counts - budget.reserve) return End::counts;
  return End::whole;
}

}  // namespace tactus::predictor
