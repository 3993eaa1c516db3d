// What was measured against what was predicted, tick by tick, and what the difference says of the model.
//
// From the last measured state one step is taken and held against the state measured now. With d the
// difference of the velocities, M d / h is the force that the model did not know of. Two things are read from
// it:
//
//   - Friction. Where one contact slips, its coefficient mu is moved a little and the step taken again: S =
//     (v'(mu + e) - v'(mu)) / e, and mu + (S . M d) / (S . M S) is what this tick says of it, by least
//     squares in the norm of the kinetic energy. In slip v' is affine in mu, so for a sliding block this is
//     exact. A contact that slips though its prediction sticks has too large a mu: the estimate comes down by
//     a fifth.
//   - Contact that the model does not have. What is left of M d / h once S has taken its share is a force on
//     a body (or a torque in a joint) from nowhere. A mu outside of `least` to `most` is no friction: then
//     all of it is left. So a wall that stops a sliding block is not taken for a rough floor.
//
//     static predictor::Innovation<float, 3, kSize> innovation;
//     const auto& seen = innovation.update(model, measured_state, limits, predictor.workspace());
//     if (seen.struck[box]) ...      seen.friction[touch].off ...
//
// It flags and steers nothing: model and state are only read. Noise of the measured velocity, s, is a force
// of about 1.4 m s / h on a body and a mu of 1.4 s / (g h), less by sqrt(gain / (2 - gain)) in the estimate:
// the limits have to lie above. Bodies that links carry have to stand where they are (place_carried).
//
// Cost: one step a tick, two where a contact slips. Memory: a model, two states, the result. How it fails: a
// measurement that is not finite, or a step that is not certified, is counted and says nothing; the estimates
// stay as they were, and the next pair of ticks is compared.
#pragma once

#include "tactus/predictor/innovation_report.hpp"
#include "tactus/stepper/step.hpp"

namespace tactus::predictor {

template <class Scalar, int Dim, stepper::Capacity C>
class Innovation {
 public:
  using Model = stepper::Model<Scalar, Dim, C>;
  using State = stepper::State<Scalar, Dim, C>;
  using Workspace = stepper::Workspace<Scalar, Dim, C>;
  using Result = Innovations<Scalar, Dim, C>;

  template <Clock Time = const NoClock>
  const Result& update(const Model& model, const State& measured, const InnovationLimits<Scalar>& limits,
                       Workspace& ws, Time& clock = kNoClock) {
    const bool finite = stepper::detail::valid_state(model, measured);
    result_.seen = !finite ? Seen::bad_input : known_ ? Seen::compared : Seen::nothing;
    if (!finite) ++result_.bad_inputs;
    if (result_.seen == Seen::compared && !compare(model, measured, limits, ws, clock)) {
      result_.seen = Seen::uncertified;
      ++result_.uncertified;
    }
    if (result_.seen != Seen::compared) calm();
    known_ = finite;
    if (finite) last_ = measured;
    return result_;
  }

  // Begins anew, as after a jump of the state or another model.
  void forget() {
    known_ = false;
    result_ = Result{};
    body_ticks_ = {};
    joint_ticks_ = {};
  }

  const Result& result() const { return result_; }

 private:
  // Velocities of bodies and joints.
  struct Speeds {
    std::array<dynamics::Motion<Scalar, Dim>, static_cast<std::size_t>(C.bodies)> body{};
    std::array<Scalar, static_cast<std::size_t>(C.arm_joints)> joint{};
  };

  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  // x - y
  static Speeds difference(const State& x, const State& y) {
    Speeds d;
    for (std::size_t i = 0; i < d.body.size(); ++i) {
      d.body[i].linear = x.velocity[i].linear - y.velocity[i].linear;
      d.body[i].angular = x.velocity[i].angular - y.velocity[i].angular;
    }
    if constexpr (C.arm_joints > 0)
      for (std::size_t j = 0; j < d.joint.size(); ++j) d.joint[j] = x.arm.qd[j] - y.arm.qd[j];
    return d;
  }

  // M d at the end of the step, where d is the difference of two velocities: M' d / h is a force, exactly. ws
  // has the M of arms. What has no mass of its own is left at zero.
  Speeds momentum(const Workspace& ws, const Speeds& d) const {
    Speeds p;
    for (int i = 0; i < model_.bodies; ++i) {
      const auto& inertia = model_.inertia[at(i)];
      if (!(inertia.mass > 0)) continue;
      p.body[at(i)].linear = inertia.mass * d.body[at(i)].linear;
      p.body[at(i)].angular = dynamics::spin_momentum<Scalar, Dim>(
          inertia, geometry::frame(predicted_.pose[at(i)]), d.body[at(i)].angular);
    }
    if constexpr (C.arm_joints > 0)
      for (std::size_t i = 0; i < at(model_.arm.links.joints); ++i)
        for (std::size_t j = 0; j < at(model_.arm.links.joints); ++j)
          p.joint[i] += ws.placed.arm.M[i * at(C.arm_joints) + j] * d.joint[j];
    if constexpr (C.servos > 0) {  // an impedance within its limit answers to d, too
      for (int i = 0; i < ws.placed.arm.servos.count; ++i) {
        const auto& servo = ws.placed.arm.servos.servo[at(i)];
        if (predicted_.arm.motor[servo.joint] == contact::RowMode::sticks)
          p.joint[servo.joint] += model_.h / servo.give * d.joint[servo.joint];
      }
    }
    return p;
  }

  Scalar product(const Speeds& a, const Speeds& b) const {
    Scalar sum = 0;
    for (std::size_t i = 0; i < a.body.size(); ++i)
      sum += math::fused_dot<Scalar, Dim>(a.body[i].linear, b.body[i].linear) +
             math::fused_dot<Scalar, dynamics::kSpin<Dim>>(a.body[i].angular, b.body[i].angular);
    for (std::size_t j = 0; j < a.joint.size(); ++j) sum += a.joint[j] * b.joint[j];
    return sum;
  }

  void set_mu(const Model& model, int c, Scalar mu) {
    auto& friction = model_.contact[at(c)].friction;
    const auto& given = model.contact[at(c)].friction;
    const Scalar share = given.kinetic > 0 ? mu / given.kinetic : Scalar(1);
    friction.kinetic = mu;
    friction.resting = given.resting * share;
    friction.extra = given.extra * share;
  }

  // Tangential speed of an element with the measured velocities.
  static Scalar slip_of(const stepper::Element<Scalar, Dim>& e, const State& s) {
    const auto v = dynamics::in_frame(
        e.frame, dynamics::relative_velocity(e.frame, s.velocity[e.bodies.a], s.velocity[e.bodies.b]));
    Scalar square = 0;
    for (int k = 1; k < Dim; ++k) square += v[k] * v[k];
    return std::sqrt(square);
  }

  // The one contact that slips by measurement and is closed by prediction; -1 where there is none or more.
  int slipping(const State& measured, const Workspace& ws, Scalar limit) const {
    int found = -1;
    for (int i = 0; i < ws.found.elements; ++i) {
      const auto& e = ws.found.element[at(i)];
      if (ws.answer.outcome[at(i)].mode == contact::Mode::open || !(slip_of(e, measured) > limit)) continue;
      if (found >= 0 && found != e.contact) return -1;
      found = e.contact;
    }
    return found;
  }

  template <Clock Time>
  bool compare(const Model& model, const State& measured, const InnovationLimits<Scalar>& limits,
               Workspace& ws, Time& clock) {
    const auto has_time = [&] {
      return clock.go_on(Piece::member, model.bodies, stepper::detail::joints_of(model));
    };
    if (!has_time()) return false;
    model_ = model;
    for (int c = 0; c < model.contacts; ++c) {
      auto& estimate = result_.friction[at(c)];
      if (estimate.samples == 0) estimate.mu = model.contact[at(c)].friction.kinetic;
      set_mu(model, c, estimate.mu);
    }
    predicted_ = last_;
    const auto report = stepper::step(model_, predicted_, ws, clock);
    if (report.status != stepper::StepStatus::solved || !has_time()) return false;
    Speeds d = difference(measured, predicted_);
    Speeds p = momentum(ws, d);
    const int c = slipping(measured, ws, limits.slip);
    if (c >= 0) learn(model, c, report.contact[at(c)].mode, limits, d, p, ws, clock);
    for (int i = 0; i < model.bodies; ++i) {
      auto& force = result_.force[at(i)];
      force.linear = p.body[at(i)].linear / model.h;
      force.angular = p.body[at(i)].angular / model.h;
      const bool pushed = size(force.linear) > limits.force || size(force.angular) > limits.moment;
      result_.struck[at(i)] = count(body_ticks_[at(i)], pushed, limits.ticks);
    }
    for (std::size_t j = 0; j < p.joint.size(); ++j) {
      result_.torque[j] = p.joint[j] / model.h;
      const bool turned = std::abs(result_.torque[j]) > limits.torque;
      result_.resisted[j] = count(joint_ticks_[j], turned, limits.ticks);
    }
    return true;
  }

  // Takes a sample of mu from d and, where it is one, its share out of p.
  template <Clock Time>
  void learn(const Model& model, int c, contact::Mode predicted, const InnovationLimits<Scalar>& limits,
             const Speeds& d, Speeds& p, Workspace& ws, Time& clock) {
    auto& estimate = result_.friction[at(c)];
    if (predicted == contact::Mode::stick) {
      estimate.mu *= Scalar(0.8);
    } else {
      const State there = predicted_;
      const Scalar change = estimate.mu > 0 ? estimate.mu / 16 : Scalar(1) / 16;
      set_mu(model, c, estimate.mu + change);
      predicted_ = last_;
      if (stepper::step(model_, predicted_, ws, clock).status != stepper::StepStatus::solved) return;
      const Speeds S = difference(predicted_, there), MS = momentum(ws, S);
      const Scalar square = product(S, MS);
      if (!(square > 0)) return;
      const Scalar share = product(MS, d) / square, sample = estimate.mu + share * change;
      if (!(sample >= limits.least && sample <= limits.most)) return;
      estimate.mu += limits.gain * share * change;
      for (std::size_t i = 0; i < p.body.size(); ++i) {
        p.body[i].linear -= share * MS.body[i].linear;
        p.body[i].angular -= share * MS.body[i].angular;
      }
      for (std::size_t j = 0; j < p.joint.size(); ++j) p.joint[j] -= share * MS.joint[j];
    }
    ++estimate.samples;
    const Scalar given = model.contact[at(c)].friction.kinetic;
    estimate.off =
        estimate.samples >= limits.ticks && std::abs(estimate.mu - given) > limits.friction * given;
  }

  template <int N>
  static Scalar size(const math::Vector<Scalar, N>& x) {
    return std::sqrt(math::fused_dot<Scalar, N>(x, x));
  }

  // Ticks in a row, and whether they are enough.
  static bool count(int& ticks, bool more, int enough) {
    ticks = !more ? 0 : ticks < enough ? ticks + 1 : ticks;
    return more && ticks >= enough;
  }

  // Nothing was compared: nothing pushes.
  void calm() {
    result_.force = {};
    result_.torque = {};
    result_.struck = {};
    result_.resisted = {};
    body_ticks_ = {};
    joint_ticks_ = {};
  }

  Model model_;
  State last_{}, predicted_{};
  bool known_ = false;
  Result result_{};
  std::array<int, static_cast<std::size_t>(C.bodies)> body_ticks_{};
  std::array<int, static_cast<std::size_t>(C.arm_joints)> joint_ticks_{};
};

}  // namespace tactus::predictor
