// Doubt and innovation behind the messages (tactus/predictor/doubt.hpp, innovation.hpp): how sure a
// prediction is, and what the measured state says of the model. Both run after the horizon, in what the clock
// leaves of the tick, and change nothing of the prediction. Not asked for, they cost nothing but their
// memory.
#pragma once

#include <messages.pb.h>

#include "firmware/convert.hpp"
#include "firmware/inputs.hpp"
#include "firmware/law.hpp"
#include "tactus/predictor/doubt.hpp"
#include "tactus/predictor/innovation.hpp"

namespace tactus::firmware {

// A law that has neither.
template <class Law, bool kThere = Law::kDoubts>
class Doubts {
 public:
  static Error configure(const tactus_wire_Configure& m) {
    if (m.has_doubt || m.has_innovation) return What::no_doubt;
    return {};
  }
  static void measured(const typename Law::State&, std::uint32_t) {}
  template <Clock Time>
  static void tell(Law&, const Inputs<Law>&, int, tactus_wire_Prediction&, Time&) {}
};

template <class Law>
class Doubts<Law, true> {
 public:
  Error configure(const tactus_wire_Configure& m) {
    innovation_.forget();
    news_ = had_one_ = false;
    members_ = 0;
    watches_ = m.has_innovation;
    if (m.has_doubt) {
      const auto& d = m.doubt;
      const float deviations[] = {d.position, d.angle,       d.velocity, d.angular_velocity,
                                  d.friction, d.restitution, d.mass,     d.joint};
      for (const float x : deviations)
        if (!(x >= 0) || !detail::finite(&x, 1)) return {What::doubt_deviation, -1, 0, x};
      if (!(d.mass < 1)) return {What::doubt_deviation, -1, 0, d.mass};
      if (d.members < 2 || d.members > static_cast<std::uint32_t>(predictor::kMaxMembers))
        return {What::doubt_members, -1, predictor::kMaxMembers, d.members};
      members_ = static_cast<int>(d.members);
      steps_ = d.steps == 0 || d.steps > kMostSteps ? kMostSteps : d.steps;
      by_ = {.seed = d.seed,
             .position = d.position,
             .angle = d.angle,
             .velocity = d.velocity,
             .angular_velocity = d.angular_velocity,
             .friction = d.friction,
             .restitution = d.restitution,
             .mass = d.mass,
             .joint = d.joint};
    }
    if (m.has_innovation) {
      const auto& i = m.innovation;
      limits_ = {};
      const auto set = [](float& limit, float x) {
        if (x != 0) limit = x;
        return limit > 0 && detail::finite(&limit, 1);
      };
      if (!set(limits_.force, i.force) || !set(limits_.moment, i.moment) || !set(limits_.torque, i.torque) ||
          !set(limits_.slip, i.slip) || !set(limits_.most, i.most) || !set(limits_.friction, i.friction) ||
          !set(limits_.gain, i.gain) || limits_.gain > 1 || i.ticks > kMostTicks)
        return {What::innovation_limit, -1, kMostTicks, i.ticks};
      if (i.ticks != 0) limits_.ticks = static_cast<int>(i.ticks);
    }
    return {};
  }

  // Before the prediction moves on from it.
  void measured(const typename Law::State& state, std::uint32_t tick) {
    if (members_ == 0 && !watches_) return;
    if (!had_one_ || tick != tick_ + 1) innovation_.forget();
    state_ = state;
    tick_ = tick;
    news_ = had_one_ = true;
  }

  // After the prediction, which took so many steps; none if it failed.
  template <Clock Time>
  void tell(Law& law, const Inputs<Law>& inputs, int steps, tactus_wire_Prediction& out, Time& clock) {
    // Without a new state there is nothing to hold against anything, nor in the tick after.
    const bool news = news_;
    news_ = false;
    had_one_ = news && steps > 0;
    if (!had_one_) return;
    if (members_ > 0) doubt(law, inputs, steps, out, clock);
    if (watches_) compare(law, out, clock);
  }

 private:
  static constexpr std::uint32_t kMostSteps = 32, kMostTicks = 1000;
  static constexpr auto kCapacity = Law::kCapacity;
  static constexpr int Dim = Law::kDim;

  template <Clock Time>
  void doubt(Law& law, const Inputs<Law>& inputs, int steps, tactus_wire_Prediction& out, Time& clock) {
    typename decltype(doubt_)::Modes now{};
    for (std::size_t c = 0; c < out.contacts_count; ++c)
      now[c] = static_cast<contact::Mode>(out.contacts[c].mode);
    const predictor::DoubtPlan plan{
        .members = members_,
        .steps = steps < static_cast<int>(steps_) ? steps : static_cast<int>(steps_),
        .budget = {.counts = 0}};
    const auto& d = doubt_.run(
        law.model(), state_, by_, now, plan, law.workspace(), [&clock] { return clock.stopped() ? 1U : 0U; },
        [&inputs](int k, auto& state) {
          if (k > 0) inputs.advance(state);
        },
        clock);
    out.members = d.members;
    out.members_failed = d.failed;
    out.members_cut = d.end != predictor::End::whole;
    for (std::size_t c = 0; c < out.contacts_count; ++c) {
      out.contacts[c].slips = d.slips[c];
      out.contacts[c].changes = d.changes[c];
    }
  }

  template <Clock Time>
  void compare(Law& law, tactus_wire_Prediction& out, Time& clock) {
    if (clock.stopped()) {
      had_one_ = false;
      return;
    }
    if constexpr (Law::kArmJoints > 0) stepper::place_carried(law.model(), state_);
    const auto& seen = innovation_.update(law.model(), state_, limits_, law.workspace(), clock);
    if (seen.seen == predictor::Seen::uncertified) out.seen = tactus_wire_Seen_SEEN_UNCERTIFIED;
    if (seen.seen != predictor::Seen::compared) return;
    out.seen = tactus_wire_Seen_SEEN_COMPARED;
    const auto& model = law.model();
    std::uint32_t bit = 1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(model.bodies); ++i) {
      if (!(model.inertia[i].mass > 0)) continue;
      if (seen.struck[i]) out.struck |= bit;
      bit <<= 1;
    }
    for (std::size_t j = 0; j < seen.resisted.size(); ++j)
      if (seen.resisted[j]) out.resisted |= 1U << j;
    for (std::size_t c = 0; c < out.contacts_count; ++c) {
      out.contacts[c].mu = seen.friction[c].mu;
      out.contacts[c].friction_off = seen.friction[c].off;
    }
  }

  predictor::Doubt<float, Dim, kCapacity> doubt_;
  predictor::Innovation<float, Dim, kCapacity> innovation_;
  predictor::Disturbance<float> by_;
  predictor::InnovationLimits<float> limits_;
  typename Law::State state_{};  // as measured
  std::uint32_t tick_ = 0, steps_ = 0;
  int members_ = 0;
  bool watches_ = false;
  bool news_ = false, had_one_ = false;  // of a state: in this tick, and in the one before
};

}  // namespace tactus::firmware
