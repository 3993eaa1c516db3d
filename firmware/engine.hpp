// The predictor behind the messages: a world built from CONFIGURE, moved by STATE, asked for a PREDICTION. By
// one Law, which is contact_law.hpp or implicit_law.hpp; engines.hpp has one of each.
//
// It knows no board and no link, so the host runs the very same code to check a board bit for bit. All memory
// is in the object; configure() costs milliseconds once, predict() is bounded by horizon and pivot budget.
#pragma once

#include <messages.pb.h>

#include <cstddef>
#include <cstdint>

#include "firmware/convert.hpp"
#include "firmware/doubts.hpp"
#include "firmware/inputs.hpp"
#include "firmware/law.hpp"
#include "firmware/watch.hpp"
#include "tactus/stepper/build.hpp"

namespace tactus::firmware {

inline constexpr int kHorizon = 32;

template <class Law>
class Engine {
 public:
  static constexpr int Dim = Law::kDim;

  // Builds the world anew. After a refusal nothing is configured.
  Refusal configure(const tactus_wire_Configure& m) {
    configured_ = false;
    const Refusal refusal = build(m);
    configured_ = refusal.reason == nullptr;
    if (configured_) law_.warm_up(before_);
    return refusal;
  }

  // Takes a measured state. A refused one changes nothing.
  bool take(const tactus_wire_State& m) {
    if (!configured_ || !inputs_.take(m, law_.state())) return false;
    doubts_.measured(law_.state(), m.tick);
    return true;
  }

  // Takes a step from the configured state or, if it is not the first, from where the last one led, and
  // forgets it. False where the clock stopped it.
  bool try_step(bool first) {
    Watch::start();
    if (first) before_ = law_.state();
    law_.step(before_);
    return !Watch::stopped();
  }

  // Looks `horizon` steps ahead, or as many as may_go_on() and may_begin() allow: the far end is what is cut.
  // The state moves on by one step, with what the contacts remember of it, so that ticks without a
  // measurement go on from the prediction. Where the first step fails, is not certified or runs out of time
  // the state stays, and the verdict is NO_PREDICTION with the reason.
  void predict(tactus_wire_Prediction& out) {
    Watch::start();
    look(out);
    out.horizon_systems = Watch::begun();
    doubts_.tell(law_, inputs_, static_cast<int>(out.steps), out);
    out.systems = Watch::begun();
    if (Watch::stopped() && out.verdict == tactus_wire_Verdict_NO_PREDICTION)
      out.reason = tactus_wire_Reason_OUT_OF_TIME;
  }

  bool configured() const { return configured_; }

 private:
  static constexpr std::size_t kPose = detail::kPoseSize<Dim>, kMotion = detail::kMotionSize<Dim>;

  void look(tactus_wire_Prediction& out) {
    out.verdict = tactus_wire_Verdict_NO_PREDICTION;
    out.reason = tactus_wire_Reason_NOT_CONFIGURED;
    if (!configured_) return;
    before_ = law_.state();
    const Outcome first = law_.step(law_.state());
    out.pivots = first.pivots;
    out.residual = first.residual;
    out.reason = first.reason;
    if (first.status != stepper::StepStatus::solved) {
      law_.state() = before_;
      return;
    }
    inputs_.advance(law_.state());
    out.verdict = tactus_wire_Verdict_CERTIFIED;
    out.steps = 1;
    inputs_.write_bodies(law_.state(), out.pose, out.pose_count, out.velocity, out.velocity_count);
    inputs_.write_joints(law_.state(), out.q, out.q_count, out.qd, out.qd_count);
    out.contacts_count = static_cast<pb_size_t>(law_.contacts());
    for (std::size_t c = 0; c < out.contacts_count; ++c) {
      auto& to = out.contacts[c];
      to = tactus_wire_ContactForecast_init_zero;
      to.mode = to.next_mode = law_.mode(c);
      law_.tell(c, to);
    }
    if (horizon_ > 1) look_ahead(out);
  }

  void look_ahead(tactus_wire_Prediction& out) {
    before_ = law_.state();
    const auto note_end = [&] {
      inputs_.write_bodies(before_, out.last_pose, out.last_pose_count, out.last_velocity,
                           out.last_velocity_count);
      inputs_.write_joints(before_, out.last_q, out.last_q_count, out.last_qd, out.last_qd_count);
    };
    note_end();
    for (int k = 1; k < horizon_ && !Watch::stopped() && may_go_on(static_cast<std::uint32_t>(k)); ++k) {
      const Outcome next = law_.step(before_);
      const bool solved = next.status == stepper::StepStatus::solved;
      if (Watch::stopped() && !solved) break;
      inputs_.advance(before_);
      out.pivots += next.pivots;
      if (!(next.residual <= out.residual)) out.residual = next.residual;
      if (!solved) {
        out.verdict = tactus_wire_Verdict_DEGRADED;
        out.reason = next.reason;
        if (next.status == stepper::StepStatus::failed) break;
      }
      out.steps = static_cast<std::uint32_t>(k + 1);
      for (std::size_t c = 0; c < out.contacts_count; ++c) {
        auto& to = out.contacts[c];
        if (to.change_step == 0 && law_.mode(c) != to.mode) {
          to.next_mode = law_.mode(c);
          to.change_step = static_cast<std::uint32_t>(k + 1);
        }
      }
      note_end();
    }
  }

  Refusal build(const tactus_wire_Configure& m) {
    inputs_ = {};
    bodies_ = static_cast<std::uint32_t>(m.bodies_count);
    if (m.gravity_count != Dim) return {"Gravity has the wrong number of components."};
    if (m.horizon < 1 || m.horizon > static_cast<std::uint32_t>(kHorizon))
      return {"The horizon is 1 to 32 steps."};
    horizon_ = static_cast<int>(m.horizon);
    math::Vector<float, Dim> gravity;
    for (int i = 0; i < Dim; ++i) gravity[i] = m.gravity[i];
    if (m.links_count > Law::kArmJoints) return {kNoArms};
    Refusal refusal = doubts_.configure(m);
    if (refusal.reason == nullptr) refusal = law_.configure(m, gravity);
    if (refusal.reason != nullptr) return refusal;
    inputs_.set_joints(m.links_count);
    for (std::uint32_t i = 0; i < m.bodies_count; ++i) {
      refusal = add(m.bodies[i]);
      if (refusal.reason != nullptr) return {refusal.reason, i};
    }
    for (std::uint32_t i = 0; i < m.contacts_count; ++i) {
      refusal = join(m.contacts[i]);
      if (refusal.reason != nullptr) return {refusal.reason, i};
    }
    for (std::uint32_t i = 0; i < m.joints_count; ++i) {
      refusal = join(m.joints[i]);
      if (refusal.reason != nullptr) return {refusal.reason, i};
    }
    if (inputs_.moving() == 0 && inputs_.joints() == 0) return {"There is no body that moves."};
    return {};
  }

  Refusal add(const tactus_wire_Body& m) {
    if (inputs_.moving() == inputs_.kMostMoving && m.mass != 0) return {"At most 3 bodies move."};
    if (m.pose_count != kPose) return {"A pose has 3 components in the plane and 7 in space."};
    if (m.velocity_count != 0 && m.velocity_count != kMotion)
      return {"A velocity has 3 components in the plane and 6 in space."};
    if (m.force_count != 0 && m.force_count != kMotion)
      return {"A force has 3 components in the plane and 6 in space."};
    stepper::BodyDescription<float, Dim> body;
    body.mass = m.mass;
    if (m.mass != 0) {
      if (m.inertia_count != (Dim == 2 ? 1 : 6))
        return {"An inertia has 1 component in the plane and 6 in space."};
      if constexpr (Dim == 2) {
        body.inertia(0, 0) = m.inertia[0];
      } else {
        body.inertia = detail::read_inertia(m.inertia);
      }
    }
    if (!m.has_shape || !detail::read_shape(m.shape, body.shape))
      return {"The shape is not one of this space."};
    detail::read_pose(m.pose, body.pose);
    if (m.velocity_count != 0) detail::read_motion<Dim>(m.velocity, body.velocity);
    if (m.force_count != 0) detail::read_motion<Dim>(m.force, body.force);
    int index = 0;
    if (m.link != 0) {
      if (m.mass != 0 || m.velocity_count != 0 || m.force_count != 0)
        return {"What a link carries has no mass, velocity or force of its own."};
      if (m.link > inputs_.joints()) return {stepper::sentence(stepper::BuildError::unknown_link)};
      return law_.carry(static_cast<int>(m.link) - 1, body, index);
    }
    const Refusal refusal = law_.add(body, index);
    if (refusal.reason == nullptr && m.mass != 0) inputs_.add_moving(index);
    return refusal;
  }

  // A contact or a joint. The numbers are compared before an int has to hold them.
  template <class Message>
  Refusal join(const Message& m) {
    if (m.a >= bodies_ || m.b >= bodies_) return {stepper::sentence(stepper::BuildError::unknown_body)};
    return law_.add(m);
  }

  Law law_{};
  typename Law::State before_{};  // of the step at hand, then the state that looks ahead
  Inputs<Law> inputs_;
  Doubts<Law> doubts_;
  std::uint32_t bodies_ = 0;
  int horizon_ = 1;
  bool configured_ = false;
};

}  // namespace tactus::firmware
