// The predictor behind the messages: a world built from CONFIGURE, moved by STATE, asked for a PREDICTION. By
// one Law, which is contact_law.hpp with a capacity; engines.hpp has one of each.
//
// It knows no board, no link and no clock but the one it is given (clock.hpp), so the host runs the very same
// code to check a board bit for bit. All memory is in the object; configure() costs milliseconds once,
// predict() is bounded by horizon and pivot budget.
#pragma once

#include <messages.pb.h>

#include <cstddef>
#include <cstdint>

#include "firmware/convert.hpp"
#include "firmware/doubts.hpp"
#include "firmware/inputs.hpp"
#include "firmware/instants.hpp"
#include "firmware/law.hpp"
#include "tactus/predictor/follow.hpp"
#include "tactus/tactus.hpp"

namespace tactus::firmware {

inline constexpr int kHorizon = 32;

template <class Law>
class Engine {
 public:
  static constexpr int Dim = Law::kDim;
  using State = typename Law::State;

  // Builds the world anew. After a refusal nothing is configured.
  template <Clock Time>
  Error configure(const tactus_wire_Configure& m, Time& clock) {
    configured_ = false;
    if (const Error error = build(m)) return error;
    configured_ = true;
    law_.warm_up(ahead_, clock);
    return {};
  }

  // Takes a measured state. A refused one changes nothing.
  bool take(const tactus_wire_State& m) {
    if (!configured_ || !inputs_.take(m, law_.state())) return false;
    doubts_.measured(law_.state(), m.tick);
    measured_ = true;
    return true;
  }

  // Takes some steps from the configured state, and forgets them; `begin()` comes before each, and `within()`
  // says after it whether it was short enough. False where one was not.
  template <class Begin, class Within, Clock Time>
  bool try_steps(int steps, const Begin& begin_step, const Within& within, Time& clock) {
    ahead_ = law_.state();
    bool good = true;
    const auto start = [&] {
      begin_step();
      clock.start();
    };
    start();
    const auto end = predictor::follow(
        ahead_, steps, [](int) { return predictor::End::whole; }, [](int, State&) {},
        [&](State& state, Time& time) { return law_.step(state, time); },
        [&](int, const State&, const Outcome&) {
          good = !clock.stopped() && within();
          start();
          return good;
        },
        clock);
    return good && end != predictor::End::clock;
  }

  // Whether a first step from the configured state has an answer of its own, if only a flagged one. The step
  // is forgotten.
  template <Clock Time>
  bool try_first(Time& clock) {
    ahead_ = law_.state();
    clock.start();
    law_.step(ahead_, clock);
    return law_.has_tried();
  }

  // Looks `horizon` steps ahead, or as many as the clock allows: the far end is what is cut.
  // The state moves on by one step, with what the contacts remember of it, so that ticks without a
  // measurement go on from the prediction. Where the first step fails or is not certified the state stays,
  // and the verdict is NO_PREDICTION with the reason; where it runs out of time, DEGRADED with what it has.
  template <Clock Time>
  void predict(tactus_wire_Prediction& out, Time& clock) {
    clock.start();
    look(out, clock);
    out.horizon_systems = clock.begun();
    doubts_.tell(law_, inputs_, static_cast<int>(out.steps), out, clock);
    out.systems = clock.begun();
  }

  // The forces of the instant at a state that nothing else takes note of. follows: it is the one that the
  // last step led to, whose contacts are remembered.
  template <Clock Time>
  Error instant(const tactus_wire_State& m, bool follows, InstantRoom& room, tactus_wire_Instant& out,
                Time& clock) {
    if constexpr (kHasInstants && Law::kCapacity.has_rows()) {
      ahead_ = law_.state();
      if (auto inputs = inputs_; !configured_ || !inputs.take(m, ahead_)) return What::instant_state;
      if (!follows)
        for (auto& mode : ahead_.mode) mode = {};
      clock.start();
      const Error error = tell_instant(law_, ahead_, room, out, clock);
      out.systems = clock.begun();
      return error;
    }
    return What::instant_law;
  }

  bool configured() const { return configured_; }

  Sizes sizes() const {
    Sizes s = law_.sizes();
    s.moving = static_cast<int>(inputs_.moving());
    s.told = s.moving * static_cast<int>(kPose + 3 * kMotion) + s.joints * static_cast<int>(2 + 2 * kDrive);
    s.ahead = horizon_ > 1;
    return s;
  }

 private:
  static constexpr std::size_t kPose = detail::kPoseSize<Dim>, kMotion = detail::kMotionSize<Dim>;

  template <Clock Time>
  void look(tactus_wire_Prediction& out, Time& clock) {
    out.verdict = tactus_wire_Verdict_NO_PREDICTION;
    out.reason = tactus_wire_Reason_NOT_CONFIGURED;
    if (!configured_) return;
    ahead_ = law_.state();
    const auto end = predictor::follow(
        ahead_, horizon_,
        [&](int k) {
          const bool may = k == 0 || clock.may_step(static_cast<std::uint32_t>(k));
          return may ? predictor::End::whole : predictor::End::counts;
        },
        [&](int k, State& state) {
          if (k > 0) inputs_.advance(state);
          measured_ = measured_ && k == 0;
        },
        [&](State& state, Time& time) {
          return measured_ ? law_.step(state, time, law_.sensing()) : law_.step(state, time);
        },
        [&](int k, const State&, const Outcome& step) { return note(k, step, out, clock); }, clock);
    measured_ = false;
    if (end == predictor::End::clock && out.steps == 0) tell_best(out);
    if (out.steps < 1 || horizon_ < 2) return;
    inputs_.write_bodies(ahead_, out.last_pose, out.last_pose_count, out.last_velocity,
                         out.last_velocity_count);
    inputs_.write_joints(ahead_, out.last_q, out.last_q_count, out.last_qd, out.last_qd_count);
  }

  // The first step was ended: the best that it has come to, flagged. The state stays; the next tick goes on
  // from what was tried, unless a state comes.
  void tell_best(tactus_wire_Prediction& out) {
    out.reason = tactus_wire_Reason_OUT_OF_TIME;
    const Outcome best = law_.take_best(ahead_);
    out.pivots += best.pivots;
    if (best.status != stepper::StepStatus::degraded) return;
    out.verdict = tactus_wire_Verdict_DEGRADED;
    out.residual = best.residual;
    out.steps = 1;
    tell_first(out);
  }

  // What step k says; false where the horizon ends with it.
  template <Clock Time>
  bool note(int k, const Outcome& step, tactus_wire_Prediction& out, Time& clock) {
    const bool solved = step.status == stepper::StepStatus::solved;
    out.pivots += step.pivots;
    if (!(step.residual <= out.residual)) out.residual = step.residual;
    if (!solved || k == 0) out.reason = detail::reason_of(step.reason);
    if (k == 0 && !solved) return false;
    if (!solved) out.verdict = tactus_wire_Verdict_DEGRADED;
    if (step.status == stepper::StepStatus::failed) return false;
    out.steps = static_cast<std::uint32_t>(k + 1);
    if (k == 0) begin(out, clock);
    for (std::size_t c = 0; c < out.contacts_count; ++c) {
      auto& to = out.contacts[c];
      if (to.change_step == 0 && law_.mode(c) != to.mode) {
        to.next_mode = law_.mode(c);
        to.change_step = static_cast<std::uint32_t>(k + 1);
      }
    }
    return true;
  }

  // The first step: the state moves on.
  template <Clock Time>
  void begin(tactus_wire_Prediction& out, Time& clock) {
    out.verdict = tactus_wire_Verdict_CERTIFIED;
    law_.judge(law_.state(), out, clock);
    law_.state() = ahead_;
    inputs_.advance(law_.state());
    tell_first(out);
  }

  void tell_first(tactus_wire_Prediction& out) {
    inputs_.write_bodies(ahead_, out.pose, out.pose_count, out.velocity, out.velocity_count);
    inputs_.write_joints(ahead_, out.q, out.q_count, out.qd, out.qd_count);
    out.contacts_count = static_cast<pb_size_t>(law_.contacts());
    for (std::size_t c = 0; c < out.contacts_count; ++c) {
      auto& to = out.contacts[c];
      to = tactus_wire_ContactForecast_init_zero;
      to.mode = to.next_mode = law_.mode(c);
      law_.tell(c, to);
    }
    if (measured_) tell_events(law_.sensing(), out);
  }

  // What the measured state said of what was held.
  static void tell_events(const typename Law::Sensing& sensing, tactus_wire_Prediction& out) {
    if (!sensing.uncertainty().any()) return;
    out.noise = sensing.noise();
    for (std::size_t c = 0; c < out.contacts_count; ++c) {
      out.contacts[c].held = sensing.held(static_cast<int>(c));
      out.contacts[c].event = static_cast<tactus_wire_Event>(sensing.event(static_cast<int>(c)));
    }
    for (std::size_t j = 0; j < Law::kArmJoints; ++j)
      if (sensing.joint_moves(static_cast<int>(j))) out.moved |= 1U << j;
  }

  Error build(const tactus_wire_Configure& m) {
    inputs_ = {};
    measured_ = false;
    bodies_ = static_cast<std::uint32_t>(m.bodies_count);
    if (m.gravity_count != Dim) return {What::gravity_numbers, -1, Dim, m.gravity_count};
    if (m.horizon < 1 || m.horizon > static_cast<std::uint32_t>(kHorizon))
      return {What::horizon, -1, kHorizon, m.horizon};
    horizon_ = static_cast<int>(m.horizon);
    math::Vector<float, Dim> gravity;
    for (int i = 0; i < Dim; ++i) gravity[i] = m.gravity[i];
    if (m.links_count > Law::kArmJoints) return What::no_arms;
    if (const Error error = doubts_.configure(m)) return error;
    if (const Error error = law_.configure(m, gravity)) return error;
    inputs_.set_joints(m.links_count);
    for (int i = 0; i < static_cast<int>(m.bodies_count); ++i)
      if (const Error error = add(m.bodies[i], i)) return error;
    for (int i = 0; i < static_cast<int>(m.contacts_count); ++i)
      if (const Error error = join(m.contacts[i], i)) return error;
    for (int i = 0; i < static_cast<int>(m.joints_count); ++i)
      if (const Error error = join(m.joints[i], i)) return error;
    if (inputs_.moving() == 0 && inputs_.joints() == 0) return What::nothing_moves;
    return {};
  }

  Error add(const tactus_wire_Body& m, int i) {
    if (inputs_.moving() == inputs_.kMostMoving && m.mass != 0)
      return {What::moving_capacity, i, inputs_.kMostMoving + 1, inputs_.kMostMoving};
    if (m.pose_count != kPose) return {What::pose_numbers, i, kPose, m.pose_count};
    if (m.velocity_count != 0 && m.velocity_count != kMotion)
      return {What::velocity_numbers, i, kMotion, m.velocity_count};
    if (m.force_count != 0 && m.force_count != kMotion)
      return {What::force_numbers, i, kMotion, m.force_count};
    stepper::BodyDescription<float, Dim> body;
    body.mass = m.mass;
    if (m.mass != 0) {
      constexpr int kInertia = Dim == 2 ? 1 : 6;
      if (m.inertia_count != kInertia) return {What::inertia_numbers, i, kInertia, m.inertia_count};
      if constexpr (Dim == 2) {
        body.inertia(0, 0) = m.inertia[0];
      } else {
        body.inertia = detail::read_inertia(m.inertia);
      }
    }
    if (!m.has_shape || !detail::read_shape<Dim>(m.shape, body.shape))
      return {What::shape_kind, i, 0, static_cast<int>(m.shape.kind)};
    detail::read_pose(m.pose, body.pose);
    if (m.velocity_count != 0) detail::read_motion<Dim>(m.velocity, body.velocity);
    if (m.force_count != 0) detail::read_motion<Dim>(m.force, body.force);
    int index = 0;
    if (m.link != 0) {
      if (m.mass != 0 || m.velocity_count != 0 || m.force_count != 0) return {What::carried, i};
      if (m.link > inputs_.joints()) return {What::unknown_link, i, inputs_.joints(), m.link - 1};
      return law_.carry(static_cast<int>(m.link) - 1, body, index);
    }
    if (const Error error = law_.add(body, index)) return error;
    if (m.mass != 0) inputs_.add_moving(index);
    return {};
  }

  // A contact or a joint. The numbers are compared before an int has to hold them.
  template <class Message>
  Error join(const Message& m, int i) {
    for (const std::uint32_t body : {m.a, m.b})
      if (body >= bodies_) return {What::unknown_body, i, bodies_, body};
    return law_.add(m);
  }

  Law law_{};
  State ahead_{};  // looks ahead
  Inputs<Law> inputs_;
  Doubts<Law> doubts_;
  std::uint32_t bodies_ = 0;
  int horizon_ = 1;
  bool configured_ = false;
  bool measured_ = false;  // the state is one that came, not the last prediction
};

}  // namespace tactus::firmware
