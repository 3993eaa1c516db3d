// What may happen: many runs from nearly the same state, grouped by what their contacts did.
//
// Rigid bodies with friction can have several futures, and a future need not depend continuously on the state
// (Stewart 2000, 3.3.1: "the best that can be done is to repeat the simulations with random disturbances, so
// that a set of possible outcomes can be determined"). Each member starts from the given state and model,
// disturbed by uniform numbers (disturbance.hpp), and runs for the same steps. Its outcome is the sequence of
// mode changes of its contact pairs, without their times; equal sequences are one outcome, and its share is a
// count.
//
//     const auto& outcomes = ensemble.run(world.model, measured_state, {.seed = 7, .velocity = 1e-3F}, 200,
//     50); outcomes.outcome[0].members ...   // the most frequent first
//
// Members draw from (seed, member) alone, so every one can be run again by itself, and the same seed gives
// the same bits on every machine. The set is what was found, not all there is.
//
// Cost: members * steps steps, or what a clock gives (clock.hpp). Memory: a model, a state, a workspace and
// the outcomes. A member whose run fails or is not certified counts in `failed`, and in no outcome; outcomes
// beyond the capacity count in `others`; a member that the clock cuts counts nowhere, and `cut` is set.
#pragma once

#include <cstdint>

#include "tactus/predictor/disturbance.hpp"
#include "tactus/predictor/follow.hpp"
#include "tactus/stepper/step.hpp"

namespace tactus::predictor {

// A pair's mode after the first step, or a change of it.
struct ModeChange {
  std::uint8_t contact = 0;
  contact::Mode mode = contact::Mode::open;
  bool operator==(const ModeChange&) const = default;
};

template <int Changes>
struct Outcome {
  int members = 0;
  int first = 0;  // the first member that had it
  int changes = 0;
  bool longer = false;  // more changes followed than there is room for
  std::array<ModeChange, static_cast<std::size_t>(Changes)> change{};
};

template <int Outcomes, int Changes>
struct OutcomeSet {
  int members = 0;   // that were run
  int outcomes = 0;  // different ones, the most frequent first
  int others = 0;    // members whose outcome found no room
  int failed = 0;    // members whose run was not certified throughout
  bool cut = false;  // the clock left no time for more
  std::array<Outcome<Changes>, static_cast<std::size_t>(Outcomes)> outcome{};
};

template <class Scalar, int Dim, stepper::Capacity C, int Outcomes = 8, int Changes = 16>
class Ensemble {
 public:
  using Result = OutcomeSet<Outcomes, Changes>;
  using Model = stepper::Model<Scalar, Dim, C>;
  using State = stepper::State<Scalar, Dim, C>;

  template <Clock Time = const NoClock>
  const Result& run(const Model& model, const State& state, const Disturbance<Scalar>& by, int members,
                    int steps, Time& clock = kNoClock) {
    result_ = Result{};
    for (int m = 0; m < members; ++m) {
      disturb(model, state, by, m);
      Outcome<Changes> outcome;
      outcome.first = m;
      const bool certified = run_member(steps, outcome, clock);
      if (result_.cut) break;
      ++result_.members;
      if (certified)
        count(outcome);
      else
        ++result_.failed;
    }
    sort();
    return result_;
  }

  const Result& result() const { return result_; }

  // Start and numbers of one member, to run it again.
  void disturb(const Model& model, const State& state, const Disturbance<Scalar>& by, int member) {
    model_ = model;
    state_ = state;
    predictor::disturb(model_, state_, by, member);
  }
  const Model& model() const { return model_; }
  const State& state() const { return state_; }

 private:
  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  static void add(Outcome<Changes>& outcome, int contact, contact::Mode mode) {
    if (outcome.changes == Changes) {
      outcome.longer = true;
      return;
    }
    outcome.change[at(outcome.changes++)] = {static_cast<std::uint8_t>(contact), mode};
  }

  // False where it is not certified, or cut.
  template <Clock Time>
  bool run_member(int steps, Outcome<Changes>& outcome, Time& clock) {
    std::array<contact::Mode, at(C.contacts > 0 ? C.contacts : 1)> mode{};
    const End end = follow(
        state_, steps, [](int) { return End::whole; }, [](int, State&) {},
        [&](State& state, Time& time) { return stepper::step(model_, state, workspace_, time); },
        [&](int k, const State&, const auto& report) {
          if (report.status != stepper::StepStatus::solved) return false;
          for (int i = 0; i < model_.contacts; ++i) {
            if (k > 0 && report.contact[at(i)].mode == mode[at(i)]) continue;
            mode[at(i)] = report.contact[at(i)].mode;
            add(outcome, i, mode[at(i)]);
          }
          return true;
        },
        clock);
    result_.cut = end == End::clock;
    return end == End::whole;
  }

  void count(const Outcome<Changes>& outcome) {
    for (int i = 0; i < result_.outcomes; ++i) {
      auto& known = result_.outcome[at(i)];
      if (known.changes != outcome.changes || known.longer != outcome.longer ||
          known.change != outcome.change)
        continue;
      ++known.members;
      return;
    }
    if (result_.outcomes == Outcomes) {
      ++result_.others;
      return;
    }
    auto& fresh = result_.outcome[at(result_.outcomes++)];
    fresh = outcome;
    fresh.members = 1;
  }

  void sort() {
    for (int i = 1; i < result_.outcomes; ++i)
      for (int j = i; j > 0 && result_.outcome[at(j)].members > result_.outcome[at(j - 1)].members; --j) {
        const auto other = result_.outcome[at(j)];
        result_.outcome[at(j)] = result_.outcome[at(j - 1)];
        result_.outcome[at(j - 1)] = other;
      }
  }

  Model model_;
  State state_;
  stepper::Workspace<Scalar, Dim, C> workspace_;
  Result result_{};
};

}  // namespace tactus::predictor
