// The modes of the last prediction as the guesses of the next.
//
// A step guesses that each element does what it did in the step before (contact/guess.hpp). Where a change of
// mode is predicted, that guess is wrong once in every tick until the change has come. But the last tick has
// found the change already, one step later: its step k + 1 is this tick's step k. So the modes of every step
// are kept, and given to the step of the next prediction that ends at the same time.
//
// This decides what a step costs, never whether its answer is right: an answer stands by its certificate, as
// with any other guess. Where one set of modes is right its answer has the same bits however it was found.
// Where several are (redundant contacts, an element exactly at its limit), or where friction turns to the
// slip in space, the guess can choose another certified one.
//
// Memory: four bytes for each slot and step, one for each joint of an arm.
#pragma once

#include <cmath>
#include <limits>

#include "tactus/stepper/outputs.hpp"

namespace tactus::predictor {

namespace detail {

// The modes of the joints of arms, where a world has arms.
template <class State>
concept HasJointModes = requires(State& state) {
  state.arm.mode[0];
};

struct NoJoints {};

template <class State>
struct JointModesOf {
  using Type = NoJoints;
};
template <HasJointModes State>
struct JointModesOf<State> {
  using Type = decltype(State{}.arm.mode);
};

}  // namespace detail

template <class Scalar, int Dim, stepper::Capacity C, int Horizon>
class WarmModes {
 public:
  using Model = stepper::Model<Scalar, Dim, C>;
  using State = stepper::State<Scalar, Dim, C>;
  using Workspace = stepper::Workspace<Scalar, Dim, C>;

  void forget() { steps_ = 0; }

  // Steps of the horizon from the state that one prediction starts from to that of the next.
  void set_shift(int steps) { shift_ = steps < 0 ? 0 : steps; }

  // A prediction begins: what was kept is that of the last one.
  void begin() {
    known_ = steps_;
    steps_ = 0;
  }

  // The guess of step k: step k + shift of the last prediction ended at the same time. keep(k) comes after
  // this, so that entry is still there.
  void guess(int k, State& state) const {
    if (k >= known_ - shift_) return;
    const auto& step = step_[static_cast<std::size_t>(k + shift_)];
    state.mode = step.contact;
    if constexpr (detail::HasJointModes<State>) state.arm.mode = step.joint;
  }

  // After step k, of which the workspace has the results.
  void keep(int k, const Model& model, const State& state, const Workspace& workspace) {
    auto& step = step_[static_cast<std::size_t>(k)];
    step.contact = state.mode;
    if constexpr (C.has_rows()) keep_elements(model, workspace, step.contact);
    if constexpr (detail::HasJointModes<State>) step.joint = state.arm.mode;
    steps_ = k + 1;
  }

 private:
  template <class Modes>
  static void keep_elements(const Model& model, const Workspace& workspace, Modes& modes) {
    const bool box = Dim == 2 || model.method.pyramid == contact::Pyramid::box;
    for (int i = 0; i < workspace.found.elements; ++i) {
      const auto e = static_cast<std::size_t>(i);
      auto& mode = modes[workspace.found.element[e].slot];
      if (mode.normal() == contact::Remembered::closed)
        mode = at_limit(&workspace.answer.lambda[e * Dim], workspace.found.mu[e], box);
    }
  }

  // The rows of a closed element whose force is at its limit, whether it slips or not: beside one that sticks
  // a rigid element can be at its limit and still, which a mode calls stick, as the step after it should. But
  // for the same step it was a row of known force.
  static contact::Remembered at_limit(const Scalar* lambda, Scalar mu, bool box) {
    constexpr Scalar kAll = 1 - 4 * std::numeric_limits<Scalar>::epsilon();
    const Scalar limit = mu * lambda[0] * kAll;
    contact::Remembered was{};
    unsigned code = contact::Remembered::closed;
    Scalar square = 0;
    for (int t = 1; t < Dim; ++t) {
      square += lambda[t] * lambda[t];
      if (box && limit > 0 && std::abs(lambda[t]) >= limit) code |= (lambda[t] > 0 ? 1U : 2U) << (2 * t);
    }
    if (!box && limit > 0 && square >= limit * limit) {
      code |= 1U << 2;
      if constexpr (Dim == 3) was.point_along(lambda + 1);
    }
    was.code = static_cast<std::uint8_t>(code);
    return was;
  }

  struct Step {
    decltype(State{}.mode) contact;
    [[no_unique_address]] typename detail::JointModesOf<State>::Type joint;
  };

  std::array<Step, static_cast<std::size_t>(Horizon > 0 ? Horizon : 1)> step_{};
  int steps_ = 0, known_ = 0, shift_ = 1;
};

}  // namespace tactus::predictor
