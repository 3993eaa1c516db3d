// How sure a prediction is: a few members whose friction, mass and pose are a little off, run over the same
// horizon in what is left of a tick's budget, and of each contact the share of them that slip or change.
//
//     static predictor::Doubt<float, 3, kSize> doubt;
//     const auto& p = predictor.predict(model, state, budget, spent);
//     const auto& d = doubt.run(model, state, {.seed = 7, .friction = 0.2F, .mass = 0.1F}, p.mode[0],
//                               {.members = 8, .steps = p.steps, .budget = budget}, predictor.workspace(),
//                               spent);
//     if (d.slip(grasp) > 0.25F) ...   // two members of eight
//
// Members are the same ones in every tick (disturbance.hpp), so a share moves because the state does and not
// because the dice fell otherwise. A share of n members knows nothing finer than 1 / n.
//
// Cost: members * steps steps, and one model and state copied a member. Memory: a model, a state and the
// counts; the workspace is the predictor's. How it fails: a member that is not certified in every step is
// counted in `failed` and in no share, and the rest goes on; a member that the budget cuts is counted nowhere
// but in `end`, and members after it are not begun.
#pragma once

#include "tactus/predictor/disturbance.hpp"
#include "tactus/predictor/follow.hpp"
#include "tactus/stepper/step.hpp"

namespace tactus::predictor {

inline constexpr int kMaxMembers = 8;

struct DoubtPlan {
  int members = kMaxMembers;  // at most kMaxMembers
  int steps = 1;              // of each
  Budget budget{};            // of all, in the counter that `spent` reads; its `steps` is not used
};

template <int Contacts>
struct Doubts {
  template <class T>
  using Array = std::array<T, static_cast<std::size_t>(Contacts > 0 ? Contacts : 1)>;

  std::uint8_t members = 0;  // that ran their horizon and are certified: what shares are of
  std::uint8_t failed = 0;   // that are not
  End end = End::whole;      // why no more members were begun
  int pivots = 0;
  Array<std::uint8_t> slips{};    // members in which the contact slips in some step
  Array<std::uint8_t> changes{};  // members in which it makes or breaks contact

  // Shares in 0..1; 0 where no member was certified, which `members` says.
  float slip(int contact) const { return share(slips[static_cast<std::size_t>(contact)]); }
  float change(int contact) const { return share(changes[static_cast<std::size_t>(contact)]); }

 private:
  float share(int count) const {
    return members > 0 ? static_cast<float>(count) / static_cast<float>(members) : 0.0F;
  }
};

template <class Scalar, int Dim, stepper::Capacity C>
class Doubt {
 public:
  using Model = stepper::Model<Scalar, Dim, C>;
  using State = stepper::State<Scalar, Dim, C>;
  using Workspace = stepper::Workspace<Scalar, Dim, C>;
  using Result = Doubts<C.contacts>;
  using Modes = typename Result::template Array<contact::Mode>;

  struct Held {
    void operator()(int, State&) const {}
  };

  // `now`: the mode of each contact that a change is a change from, as of the prediction's first step.
  // `input(k, state)` may write the forces and torques of step k, as in the prediction; a clock may end
  // a step, and with it the members.
  template <class Spent = NoCounter, class Input = Held, Clock Time = const NoClock>
  const Result& run(const Model& model, const State& state, const Disturbance<Scalar>& by, const Modes& now,
                    const DoubtPlan& plan, Workspace& workspace, const Spent& spent = {},
                    const Input& input = {}, Time& clock = kNoClock) {
    result_ = Result{};
    for (int m = 0; m < plan.members && m < kMaxMembers && result_.end == End::whole; ++m) {
      if (!clock.go_on(Piece::member, model.bodies, stepper::detail::joints_of(model))) {
        result_.end = End::clock;
        break;
      }
      model_ = model;
      state_ = state;
      disturb(model_, state_, by, m);
      run_member(now, plan, workspace, spent, input, clock);
    }
    return result_;
  }

  const Result& result() const { return result_; }

 private:
  // One member.
  template <class Spent, class Input, Clock Time>
  void run_member(const Modes& now, const DoubtPlan& plan, Workspace& workspace, const Spent& spent,
                  const Input& input, Time& clock) {
    typename Result::template Array<bool> slips{}, changes{};
    const End end = follow(
        state_, plan.steps, [&](int) { return may_begin(plan.budget, result_.pivots, spent); }, input,
        [&](State& state, Time& time) { return stepper::step(model_, state, workspace, time); },
        [&](int, const State&, const auto& report) {
          result_.pivots += report.pivots;
          if (report.status != stepper::StepStatus::solved) return false;
          for (std::size_t c = 0; c < static_cast<std::size_t>(model_.contacts); ++c) {
            const auto mode = report.contact[c].mode;
            slips[c] = slips[c] || mode == contact::Mode::slip;
            changes[c] = changes[c] || (mode == contact::Mode::open) != (now[c] == contact::Mode::open);
          }
          return true;
        },
        clock);
    if (end == End::failed) {
      ++result_.failed;
      return;
    }
    result_.end = end;
    if (end != End::whole) return;
    ++result_.members;
    for (std::size_t c = 0; c < static_cast<std::size_t>(model_.contacts); ++c) {
      result_.slips[c] = static_cast<std::uint8_t>(result_.slips[c] + (slips[c] ? 1 : 0));
      result_.changes[c] = static_cast<std::uint8_t>(result_.changes[c] + (changes[c] ? 1 : 0));
    }
  }

  Model model_;
  State state_;
  Result result_{};
};

}  // namespace tactus::predictor
