// The one loop over steps: a state followed for so many of them, by whatever law. Predictor, Doubt, Ensemble
// and the firmware watch it; nobody else steps in a loop.
//
//     const End end = follow(state, 20, may_begin, input, step, see, clock);
//
//     End may_begin(int k)                  End::whole where step k may be taken, else why not
//     void input(int k, State&)             before step k: forces, torques, set points, guesses
//     Report step(State&, Time&)            with status and reason; asks the clock before it begins
//     bool see(int k, const State&, const Report&)   after step k; false: it need not go on
//
// A step that the clock ends has changed nothing and is not seen (StepReason::out_of_time), so the state is
// always the one after the last step seen, or where that failed the one before it.
//
// Cost: the steps. Memory: none of its own.
#pragma once

#include "tactus/clock.hpp"
#include "tactus/predictor/budget.hpp"
#include "tactus/stepper/report.hpp"

namespace tactus::predictor {

template <class State, class MayBegin, class Input, class Step, class See, Clock Time>
inline End follow(State& state, int steps, const MayBegin& may_begin_step, const Input& input,
                  const Step& step, const See& see, Time& clock) {
  for (int k = 0; k < steps; ++k) {
    const End end = may_begin_step(k);
    if (end != End::whole) return end;
    input(k, state);
    const auto report = step(state, clock);
    if (report.reason == stepper::StepReason::out_of_time) return End::clock;
    const bool goes_on = see(k, static_cast<const State&>(state), report);
    if (!goes_on || report.status == stepper::StepStatus::failed) return End::failed;
  }
  return End::whole;
}

}  // namespace tactus::predictor
