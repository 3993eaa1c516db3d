// What the contacts will do over the next ticks: the stepper run ahead from a given state, under constant
// applied forces.
//
//     const auto& p = predictor.predict(world.model, measured_state);
//     if (p.contact[0].change_step >= 0) ...   // the contact will have another mode after so many steps
//
// The state given is copied, never written, so the caller's own warm start stays his. Cost: `steps` steps,
// each bounded as stepper::step says; memory: one state, one workspace, and the prediction. It stops at the
// first step that fails.
#pragma once

#include "tactus/stepper/step.hpp"

namespace tactus::predictor {

template <class Scalar, int Dim>
struct ContactForecast {
  contact::Mode now = contact::Mode::open;  // after the first step
  contact::Mode next =
      contact::Mode::open;        // the first other mode; `now` where there is none within the horizon
  std::int16_t change_step = -1;  // steps from the given state to the first with `next`; -1: none
  Scalar smallest_margin = 0;     // of the mode `now` while it lasts, see contact::Outcome
};

template <class Scalar, int Dim, stepper::Capacity C, int Horizon>
struct Prediction {
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N > 0 ? N : 1)>;

  int steps = 0;                                                     // taken
  stepper::StepStatus status = stepper::StepStatus::failed;          // the worst of all steps
  stepper::StepReason reason = stepper::StepReason::not_configured;  // of that worst step
  int pivots = 0;                                                    // over all steps
  int warm_steps = 0;                                                // that needed no pivot
  Scalar residual = 0;                                               // the largest certificate residual
  Array<ContactForecast<Scalar, Dim>, C.contacts> contact;
  Array<Array<contact::Mode, C.contacts>, Horizon> mode;                   // by step and pair
  Array<Array<dynamics::Vector<Scalar, Dim>, C.contacts>, Horizon> force;  // N
};

template <class Scalar, int Dim, stepper::Capacity C, int Horizon>
class Predictor {
 public:
  using Result = Prediction<Scalar, Dim, C, Horizon>;

  // `steps` <= Horizon; more are cut to Horizon.
  const Result& predict(const stepper::Model<Scalar, Dim, C>& model,
                        const stepper::State<Scalar, Dim, C>& state, int steps = Horizon) {
    future_ = state;
    result_ = Result{};
    result_.status = stepper::StepStatus::solved;
    result_.reason = stepper::StepReason::none;
    for (int k = 0; k < steps && k < Horizon; ++k) {
      const auto report = stepper::step(model, future_, workspace_);
      result_.pivots += report.pivots;
      result_.warm_steps += report.warm ? 1 : 0;
      if (!(report.certificate.residual <= result_.residual)) result_.residual = report.certificate.residual;
      if (report.status > result_.status) {
        result_.status = report.status;
        result_.reason = report.reason;
      }
      if (report.status == stepper::StepStatus::failed) break;
      record(model.contacts, k, report);
      result_.steps = k + 1;
    }
    return result_;
  }

  const Result& result() const { return result_; }
  const stepper::State<Scalar, Dim, C>& future() const { return future_; }  // after the last step taken

 private:
  void record(int contacts, int k, const stepper::StepReport<Scalar, Dim, C>& report) {
    for (int i = 0; i < contacts; ++i) {
      const auto c = static_cast<std::size_t>(i);
      const auto& now = report.contact[c];
      auto& forecast = result_.contact[c];
      result_.mode[static_cast<std::size_t>(k)][c] = now.mode;
      result_.force[static_cast<std::size_t>(k)][c] = now.force;
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

  stepper::State<Scalar, Dim, C> future_;
  stepper::Workspace<Scalar, Dim, C> workspace_;
  Result result_{};
};

}  // namespace tactus::predictor
