// What may happen: many runs from nearly the same state, grouped by what their contacts did.
//
// Rigid bodies with friction can have several futures, and a future need not depend continuously on the state
// (Stewart 2000, 3.3.1: "the best that can be done is to repeat the simulations with random disturbances, so
// that a set of possible outcomes can be determined"). Each member starts from the given state and friction,
// disturbed by uniform numbers, and runs for the same steps. Its outcome is the sequence of mode changes of
// its contact pairs, without their times; equal sequences are one outcome, and its share is a count.
//
//     const auto& outcomes = ensemble.run(world.model, measured_state, {.seed = 7, .velocity = 1e-3F}, 200,
//     50); outcomes.outcome[0].members ...   // the most frequent first
//
// Members draw from (seed, member) alone, so every one can be run again by itself, and the same seed gives
// the same bits on every machine. The set is what was found, not all there is.
//
// Cost: members * steps steps. Memory: a model, a state, a workspace and the outcomes. A member whose run
// fails or is not certified counts in `failed`, and in no outcome; outcomes beyond the capacity count in
// `others`.
#pragma once

#include <cstdint>

#include "tactus/stepper/step.hpp"

namespace tactus::predictor {

// Largest deviation of each number; uniform between minus and plus that.
template <class Scalar>
struct Disturbance {
  std::uint32_t seed = 1;
  Scalar position = 0;          // m
  Scalar angle = 0;             // rad
  Scalar velocity = 0;          // m/s
  Scalar angular_velocity = 0;  // rad/s
  Scalar friction = 0;          // relative, of each pair's coefficients together
  Scalar restitution = 0;       // absolute, kept between 0 and 1
};

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
  std::array<Outcome<Changes>, static_cast<std::size_t>(Outcomes)> outcome{};
};

namespace detail {

// A well mixed word of a member's stream (the finisher of MurmurHash3).
constexpr std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x85EBCA6BU;
  x = (x ^ (x >> 13)) * 0xC2B2AE35U;
  return x ^ (x >> 16);
}

// Uniform in [-1, 1).
template <class Scalar>
class Stream {
 public:
  Stream(std::uint32_t seed, int member)
      : key_(mixed(seed ^ mixed(static_cast<std::uint32_t>(member) + 1))) {}
  Scalar operator()() {
    const std::uint32_t bits = mixed(key_ += 0x9E3779B9U) >> 8;
    return static_cast<Scalar>(bits) / Scalar(8388608) - 1;
  }

 private:
  std::uint32_t key_;
};

}  // namespace detail

template <class Scalar, int Dim, stepper::Capacity C, int Outcomes = 8, int Changes = 16>
class Ensemble {
 public:
  using Result = OutcomeSet<Outcomes, Changes>;
  using Model = stepper::Model<Scalar, Dim, C>;
  using State = stepper::State<Scalar, Dim, C>;

  const Result& run(const Model& model, const State& state, const Disturbance<Scalar>& by, int members,
                    int steps) {
    result_ = Result{};
    for (int m = 0; m < members; ++m) {
      ++result_.members;
      disturb(model, state, by, m);
      Outcome<Changes> outcome;
      outcome.first = m;
      if (follow(steps, outcome))
        count(outcome);
      else
        ++result_.failed;
    }
    sort();
    return result_;
  }

  const Result& result() const { return result_; }

  // Start and friction of one member, to run it again.
  void disturb(const Model& model, const State& state, const Disturbance<Scalar>& by, int member) {
    model_ = model;
    state_ = state;
    detail::Stream<Scalar> uniform(by.seed, member);
    for (int i = 0; i < model.bodies; ++i) {
      if (!(model.inertia[at(i)].mass > 0)) continue;
      dynamics::Motion<Scalar, Dim> shift;
      auto& velocity = state_.velocity[at(i)];
      for (int k = 0; k < Dim; ++k) {
        shift.linear[k] = by.position * uniform();
        velocity.linear[k] += by.velocity * uniform();
      }
      for (int k = 0; k < dynamics::kSpin<Dim>; ++k) {
        shift.angular[k] = by.angle * uniform();
        velocity.angular[k] += by.angular_velocity * uniform();
      }
      state_.pose[at(i)] = dynamics::advanced(state_.pose[at(i)], shift, Scalar(1), state_.pose[at(i)]);
    }
    for (int i = 0; i < model.contacts; ++i) {
      auto& contact = model_.contact[at(i)];
      const Scalar factor = 1 + by.friction * uniform(), share = factor > 0 ? factor : Scalar(0);
      contact.friction.kinetic *= share;
      contact.friction.resting *= share;
      contact.friction.extra *= share;
      const Scalar e = contact.restitution + by.restitution * uniform();
      if (by.restitution > 0) contact.restitution = e < 0 ? Scalar(0) : e > 1 ? Scalar(1) : e;
    }
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

  bool follow(int steps, Outcome<Changes>& outcome) {
    std::array<contact::Mode, at(C.contacts > 0 ? C.contacts : 1)> mode{};
    for (int k = 0; k < steps; ++k) {
      const auto report = stepper::step(model_, state_, workspace_);
      if (report.status != stepper::StepStatus::solved) return false;
      for (int i = 0; i < model_.contacts; ++i) {
        if (k > 0 && report.contact[at(i)].mode == mode[at(i)]) continue;
        mode[at(i)] = report.contact[at(i)].mode;
        add(outcome, i, mode[at(i)]);
      }
    }
    return true;
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
