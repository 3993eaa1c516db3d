// What the contacts will do over the next ticks: the stepper run ahead from a given state. Its applied
// forces, joint torques and impedances are held, unless an input writes others before each step.
//
//     const auto& p = predictor.predict(world.model, measured_state);
//     if (p.contact[0].change_step >= 0) ...   // the contact will have another mode after so many steps
//
// The state given is copied, never written, so the caller's own warm start stays his. The model is only read:
// it may be the plant's own, or one with another step length and law (horizon_model.hpp).
//
// Cost: `steps` steps, each bounded as stepper::step says, and no more than a Budget allows and a clock
// (clock.hpp), which is asked before each step, too; one that it ends is not among them. Memory: one state,
// one workspace, and the prediction. It stops at the first step that fails. What Extras ask for is beside
// that: a list of all changes with their times, slip margins, and a memory of modes that makes the next
// prediction cheap. What they do not ask for is not in the image.
#pragma once

#include "tactus/predictor/follow.hpp"
#include "tactus/predictor/forecast.hpp"
#include "tactus/predictor/warm.hpp"
#include "tactus/stepper/step.hpp"

namespace tactus::predictor {

template <class Scalar, int Dim, stepper::Capacity C, int Horizon, Extras E = Extras{}>
class Predictor {
 public:
  using Model = stepper::Model<Scalar, Dim, C>;
  using State = stepper::State<Scalar, Dim, C>;
  using Workspace = stepper::Workspace<Scalar, Dim, C>;
  using Report = stepper::StepReport<Scalar, Dim, C>;
  using Result = Prediction<Scalar, Dim, C, Horizon, E>;

  // `steps` <= Horizon; more are cut to Horizon.
  template <Clock Time = const NoClock>
  const Result& predict(const Model& model, const State& state, int steps = Horizon, Time& clock = kNoClock) {
    return run(
        model, state, steps, [](int) { return End::whole; }, [](int, const State&, const Workspace&) {},
        [](int, State&) {}, clock);
  }

  // The same within a budget. `spent` says what is spent of Budget::counts, `see(k, state, workspace)` sees
  // step k = 0, 1, ... once it is taken, and `input(k, state)` may write the forces, torques and set points
  // of step k: from a table, or by the law of a controller.
  template <class Spent, class See, class Input, Clock Time = const NoClock>
  const Result& predict(const Model& model, const State& state, const Budget& budget, const Spent& spent,
                        const See& see, const Input& input, Time& clock = kNoClock) {
    return run(
        model, state, budget.steps, [&](int pivots) { return may_begin(budget, pivots, spent); }, see, input,
        clock);
  }
  template <class Spent = NoCounter, class See>
  const Result& predict(const Model& model, const State& state, const Budget& budget, const Spent& spent,
                        const See& see) {
    return predict(model, state, budget, spent, see, [](int, State&) {});
  }
  template <class Spent = NoCounter>
  const Result& predict(const Model& model, const State& state, const Budget& budget,
                        const Spent& spent = {}) {
    return predict(model, state, budget, spent, [](int, const State&, const Workspace&) {});
  }

  // Extras::warm: how many steps of the horizon pass from one prediction to the next, 1 unless told; what is
  // remembered is thrown away with forget(), as after a jump of the state. Neither is about right or wrong.
  void set_shift(int steps) requires(E.warm) { warm_.set_shift(steps); }
  void forget() requires(E.warm) { warm_.forget(); }

  const Result& result() const { return result_; }
  const State& future() const { return future_; }  // after the last step taken
  Workspace& workspace() { return workspace_; }    // for who runs between two predictions

 private:
  struct Nothing {};

  template <class MayBegin, class See, class Input, Clock Time>
  const Result& run(const Model& model, const State& state, int steps, const MayBegin& may_begin_step,
                    const See& see, const Input& input, Time& clock) {
    future_ = state;
    result_ = Result{};
    result_.status = stepper::StepStatus::solved;
    result_.reason = stepper::StepReason::none;
    if constexpr (E.warm) warm_.begin();
    result_.end = follow(
        future_, steps < Horizon ? steps : Horizon, [&](int) { return may_begin_step(result_.pivots); },
        [&](int k, State& now) {
          if constexpr (E.warm) warm_.guess(k, now);
          input(k, now);
        },
        [&](State& now, Time& time) { return stepper::step(model, now, workspace_, time); },
        [&](int k, const State& now, const Report& report) {
          if (!record(model, k, now, report)) return false;
          see(k, now, static_cast<const Workspace&>(workspace_));
          return true;
        },
        clock);
    return result_;
  }

  // False where there was no step.
  bool record(const Model& model, int k, const State& now, const Report& report) {
    result_.pivots += report.pivots;
    result_.tries += report.tries;
    result_.warm_steps += report.warm ? 1 : 0;
    if (!(report.residual <= result_.residual)) result_.residual = report.residual;
    if (report.status > result_.status) {
      result_.status = report.status;
      result_.reason = report.reason;
    }
    if (report.status == stepper::StepStatus::failed) return false;
    if constexpr (E.warm) warm_.keep(k, model, now, workspace_);
    record_contacts(model, k, report);
    result_.steps = k + 1;
    return true;
  }

  void record_contacts(const Model& model, int k, const Report& report) {
    [[maybe_unused]] std::array<SlipMargin<Scalar>, E.margins ? static_cast<std::size_t>(C.contacts) : 0>
        slip;
    if constexpr (E.margins) measure(model, report, slip);
    for (int i = 0; i < model.contacts; ++i) {
      const auto c = static_cast<std::size_t>(i);
      const auto& now = report.contact[c];
      auto& forecast = result_.contact[c];
      result_.mode[static_cast<std::size_t>(k)][c] = now.mode;
      result_.force[static_cast<std::size_t>(k)][c] = now.force;
      if constexpr (E.changes > 0)
        if (k > 0) list(model.h, k, result_.mode[static_cast<std::size_t>(k - 1)][c], now.mode, c);
      if constexpr (E.margins) note(k, now.mode, slip[c], result_.slip[c]);
      if (k == 0) {
        forecast = {now.mode, now.mode, -1, now.margin};
      } else if (forecast.change_step < 0) {
        if (now.mode != forecast.now) {
          forecast.next = now.mode;
          forecast.change_step = static_cast<std::int16_t>(k + 1);
        } else if (now.margin < forecast.smallest_margin) {
          forecast.smallest_margin = now.margin;
        }
      }
    }
  }

  void list(Scalar h, int k, contact::Mode from, contact::Mode to, std::size_t c) {
    if (from == to) return;
    auto& changes = result_.changes[c];
    if (changes.count == E.changes) {
      ++changes.beyond;
      return;
    }
    changes.change[static_cast<std::size_t>(changes.count++)] = {static_cast<std::int16_t>(k + 1), from, to,
                                                                 static_cast<Scalar>(k + 1) * h};
  }

  template <class Margins>
  void measure(const Model& model, const Report& report, Margins& margins) const {
    if constexpr (C.has_rows()) measure_elements(margins);
    for (int i = 0; model.is_implicit() && i < model.contacts; ++i) {
      const auto c = static_cast<std::size_t>(i);
      const auto& now = report.contact[c];
      if (now.mode == contact::Mode::stick) margins[c].force = now.margin;
      margins[c].percent = model.contact[c].friction.kinetic * now.force[0];
    }
    for (auto& margin : margins)
      if (margin.percent > 0) margin.percent = 100 * margin.force / margin.percent;
  }

  template <class Margins>
  void measure_elements(Margins& margins) const {
    for (int i = 0; i < workspace_.found.elements; ++i) {
      const auto e = static_cast<std::size_t>(i);
      const Scalar* const lambda = &workspace_.answer.lambda[e * Dim];
      const Scalar limit = workspace_.found.mu[e] * lambda[0];
      if (!(limit > 0)) continue;
      Scalar square = 0;
      for (int t = 1; t < Dim; ++t) square += lambda[t] * lambda[t];
      const Scalar left = limit - std::sqrt(square);
      auto& margin = margins[workspace_.found.element[e].contact];
      // A slip is at its limit by its mode, whatever rounding says. `percent` is the limit, until divided.
      if (workspace_.answer.outcome[e].mode != contact::Mode::slip && left > 0) margin.force += left;
      margin.percent += limit;
    }
  }

  static void note(int k, contact::Mode mode, const SlipMargin<Scalar>& margin, SlipMargins<Scalar>& of) {
    if (k == 0) of.now = margin;
    if (mode == contact::Mode::open || (of.least_step > 0 && !(margin.force < of.least.force))) return;
    of.least = margin;
    of.least_step = static_cast<std::int16_t>(k + 1);
  }

  State future_;
  Workspace workspace_;
  Result result_{};
  [[no_unique_address]] std::conditional_t<E.warm, WarmModes<Scalar, Dim, C, Horizon>, Nothing> warm_;
};

}  // namespace tactus::predictor
