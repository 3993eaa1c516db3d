// The geometrically implicit law of stepper/implicit.hpp behind the messages: bodies as implicit surfaces, a
// contact point a pair, friction ellipsoids with torsion.
#pragma once

#include <messages.pb.h>

#include <algorithm>

#include "firmware/convert.hpp"
#include "firmware/law.hpp"
#include "tactus/stepper/implicit.hpp"

namespace tactus::firmware {

template <int Dim>
constexpr stepper::implicit::Capacity implicit_capacity() {
  return {.bodies = 4, .moving = 3, .contacts = 4, .pieces = 2 * Dim};  // a box has that many sides
}

// Of the step that warms up: cold ones take up to ten. More would be no longer safe from the watchdog, a
// system of four contacts being a millisecond.
inline constexpr std::uint32_t kWarmUpSystems = 24;

template <int Dim>
class ImplicitLaw {
 public:
  static constexpr int kDim = Dim;
  static constexpr stepper::implicit::Capacity kCapacity = implicit_capacity<Dim>();
  static constexpr std::size_t kArmJoints = 0;
  static constexpr bool kDoubts = false;
  using State = stepper::implicit::State<float, Dim, kCapacity>;

  State& state() { return world_.state; }
  int contacts() const { return world_.model.contacts; }

  Error configure(const tactus_wire_Configure& m, const math::Vector<float, Dim>& gravity) {
    world_ = {};
    return stepper::implicit::configure(world_, m.step, gravity, pivot_budget(m));
  }

  Error add(const stepper::BodyDescription<float, Dim>& from, int& index) {
    stepper::implicit::BodyDescription<float, Dim, kCapacity.pieces> body;
    if (const Error error = geometry::add<float, Dim, kCapacity.pieces>(body.surface, from.shape))
      return error.of(world_.model.bodies);
    body.mass = from.mass;
    body.inertia = from.inertia;
    body.pose = from.pose;
    body.velocity = from.velocity;
    body.force = from.force;
    return stepper::implicit::add_body(world_, body, index);
  }

  Error carry(int, const stepper::BodyDescription<float, Dim>&, int&) { return What::no_arms; }

  Error add(const tactus_wire_Contact& m) {
    const int number = world_.model.contacts;
    if (m.has_patch) return {What::no_patch, number};
    if (m.restitution != 0) return {What::no_restitution, number, 0, m.restitution};
    if (m.friction_static != 0 || m.friction_extra != 0) return {What::no_other_friction, number};
    stepper::implicit::ContactDescription<float, Dim> contact;
    contact.a = static_cast<int>(m.a);
    contact.b = static_cast<int>(m.b);
    contact.friction.mu = m.friction;
    if (m.ellipsoid_count != 0) {
      constexpr int axes = contact::kFrictionAxes<Dim>;
      if (m.ellipsoid_count != axes) return {What::ellipsoid_numbers, number, axes, m.ellipsoid_count};
      for (int k = 0; k < axes; ++k) contact.friction.axis[k] = m.ellipsoid[k];
    }
    int index = 0;
    return stepper::implicit::add_contact(world_, contact, index);
  }

  Error add(const tactus_wire_Joint&) { return {What::no_joints, 0}; }

  // The first step of all has to find the closest points and forces from nothing, and takes several times
  // what a later one does. CONFIGURE has the time for that, a tick has not. A step is taken and forgotten,
  // but for where it found them.
  template <Clock Time>
  void warm_up(State& scratch, Time& clock) {
    scratch = world_.state;
    clock.start(kWarmUpSystems);
    if (step(scratch, clock).status != stepper::StepStatus::solved) return;
    world_.state.closest = world_.state.before = scratch.closest;
    world_.state.lambda = scratch.lambda;
  }

  template <Clock Time>
  Outcome step(State& state, Time& clock) {
    using stepper::implicit::Status;
    report_ = stepper::implicit::step(world_.model, state, workspace_, clock);
    const auto& c = report_.certificate;
    Outcome outcome;
    outcome.pivots = static_cast<std::uint32_t>(report_.iterations);
    outcome.residual = std::max({c.places, c.pace, c.alignment});
    outcome.status =
        report_.status == Status::solved ? stepper::StepStatus::solved : stepper::StepStatus::failed;
    using stepper::StepReason;
    outcome.reason = report_.status == Status::solved          ? StepReason::none
                     : report_.status == Status::too_fast      ? StepReason::too_fast
                     : report_.status != Status::not_converged ? StepReason::bad_state
                     : clock.go_on()                           ? StepReason::pivot_limit
                                                               : StepReason::out_of_time;
    return outcome;
  }

  void keep_tried() {}

  std::uint32_t mode(std::size_t c) const { return static_cast<std::uint32_t>(report_.contact[c].mode); }

  // Of the last step.
  void tell(std::size_t c, tactus_wire_ContactForecast& to) const {
    const auto& from = report_.contact[c];
    to.gap = from.near ? from.gap : 0;
    to.force_count = Dim;
    for (int i = 0; i < Dim; ++i) to.force[i] = from.force[i];
    to.torsion = from.torsion;
  }

 private:
  stepper::implicit::World<float, Dim, kCapacity> world_{};
  stepper::implicit::Workspace<float, Dim, kCapacity> workspace_{};
  stepper::implicit::Report<float, Dim, kCapacity> report_{};
};

}  // namespace tactus::firmware
