// The laws of stepper/step.hpp behind the messages: rigid and compliant contacts, Coulomb's friction or the
// relaxed cone's; or the implicit law, which an image keeps room for apart.
#pragma once

#include <messages.pb.h>

#include "firmware/arms.hpp"
#include "firmware/costs.hpp"
#include "tactus/stepper/ambiguity.hpp"
#include "tactus/tactus.hpp"

namespace tactus::firmware {

// Messages ask for none of the parts left out.
inline constexpr stepper::Parts kParts = stepper::restitution | stepper::varying_friction |
                                         stepper::printed_rules | stepper::repeated_steps |
                                         stepper::material_patches | (kHasCone ? stepper::round_cone : 0);

inline constexpr std::uint32_t kMostPasses = 32;  // of Configure.fixed_point

template <int Dim>
constexpr stepper::Capacity capacity() {
  if constexpr (Dim == 2) {
    return {.bodies = 4,
            .contacts = 4,
            .slots = 24,
            .active = 8,
            .joints = 3,
            .patches = 2,
            .patch_elements = 5,
            .parts = kParts};
  } else {
    return {.bodies = 4,
            .contacts = 4,
            .slots = 32,
            .active = 8,
            .joints = 3,
            .arm_joints = 7,
            .patches = 1,
            .patch_elements = 6,  // 2 x 3; with one column more the F4's 128 kB are full
            .parts = kParts};
  }
}

template <int Dim>
constexpr stepper::Capacity implicit_capacity() {
  return {.bodies = 4,
          .contacts = 4,
          .slots = 0,
          .active = 0,
          .torsion = Dim == 3,
          .pieces = 2 * Dim,  // a box has that many sides
          .moving = 3,
          .pairs = 0,
          .parts = 0};
}

// Instructions, by the table of pieces, of the implicit law's step that warms up: 30 ms of an emulated M7, of
// the 50 that the watchdog gives. Cold steps take up to ten iterations.
inline constexpr std::uint32_t kWarmUp = 6'000'000;

// The numbers are the same; what is none of them is refused.
constexpr contact::ImpactLaw impact_of(tactus_wire_ImpactLaw m) {
  const auto number = static_cast<unsigned>(m);
  return number < static_cast<unsigned>(contact::ImpactLaw::end) ? static_cast<contact::ImpactLaw>(number)
                                                                 : contact::ImpactLaw::end;
}

template <int Dim, stepper::Capacity C = capacity<Dim>()>
class ContactLaw {
 public:
  static constexpr int kDim = Dim;
  static constexpr stepper::Capacity kCapacity = C;
  static constexpr std::size_t kArmJoints = kCapacity.arm_joints;
  using State = stepper::State<float, Dim, kCapacity>;

  static constexpr bool kDoubts = kCapacity.has_rows();
  using Sensing = stepper::Sensing<float, Dim, kCapacity, false>;  // an engine steps a copy

  State& state() { return world_.state; }
  const auto& model() const { return world_.model; }
  auto& workspace() { return workspace_; }
  int contacts() const { return world_.model.contacts; }

  // And the arms: they are there before what they carry.
  Error configure(const tactus_wire_Configure& m, const math::Vector<float, Dim>& gravity) {
    world_ = {};
    asks_ = m.uniqueness;
    stepper::Method method;
    method.pyramid = m.box_pyramid ? contact::Pyramid::box : contact::Pyramid::facets;
    if (Dim == 3 && m.law != tactus_wire_Law_IMPLICIT)
      method.facets = static_cast<std::uint8_t>(m.facets <= 16 ? m.facets : 0);
    method.pivot_budget = pivot_budget(m);
    if (m.impact != tactus_wire_ImpactLaw_IMPACT_OF_SCENE) method.impact = impact_of(m.impact);
    if (m.impact_order != tactus_wire_ImpactOrder_IN_TURN)
      method.impacts = m.impact_order == tactus_wire_ImpactOrder_TOGETHER ? stepper::ImpactOrder::together
                                                                          : stepper::ImpactOrder::end;
    if (m.law == tactus_wire_Law_RELAXED_CONE) method.friction = stepper::FrictionLaw::relaxed_cone;
    if (m.law == tactus_wire_Law_CONE) method.friction = stepper::FrictionLaw::cone;
    if (m.law == tactus_wire_Law_IMPLICIT) method.friction = stepper::FrictionLaw::implicit;
    if (const Error error = take_rules(m, method)) return error;
    if (const Error error = stepper::configure(world_, m.step, gravity, method)) return error;
    const auto& u = m.uncertainty;
    const stepper::Uncertainty<float> uncertainty{
        u.position, u.angle, u.velocity, u.angular_velocity, u.joint, u.joint_velocity, u.geometry};
    if (m.has_uncertainty && !Sensing::kHolds) return What::no_uncertainty;
    if (const Error error = sensing_.configure(m.has_uncertainty ? uncertainty : decltype(uncertainty){}))
      return error;
    if constexpr (kArmJoints > 0) return add_arms(world_, m.links, m.links_count);
    return {};
  }

  // How the step is taken.
  static Error take_rules(const tactus_wire_Configure& m, stepper::Method& method) {
    using stepper::NormalRule;
    if (m.normal_rule > static_cast<int>(NormalRule::stewart))
      return {What::normal_rule, -1, 0, static_cast<int>(m.normal_rule)};
    if (m.fixed_point > kMostPasses) return {What::fixed_point, -1, kMostPasses, m.fixed_point};
    method.normal = static_cast<NormalRule>(m.normal_rule);
    method.fixed_point = static_cast<std::uint8_t>(m.fixed_point);
    if (m.recovery_speed != 0) method.recovery_speed = static_cast<double>(m.recovery_speed);
    return {};
  }

  // A shape on a link.
  Error carry(int link, const stepper::BodyDescription<float, Dim>& body, int& index) {
    if constexpr (kArmJoints > 0) return stepper::add_carried(world_, link, body.shape, body.pose, index);
    return What::no_arms;
  }

  Error add(const stepper::BodyDescription<float, Dim>& body, int& index) {
    return stepper::add_body(world_, body, index);
  }

  Error add(const tactus_wire_Contact& m) {
    const int number = world_.model.contacts;
    constexpr int kAxes = contact::kFrictionAxes<Dim>;
    const bool ellipsoid = m.ellipsoid_count != 0;
    if (ellipsoid && !world_.model.is_implicit()) return {What::no_ellipsoid, number};
    if (ellipsoid && m.ellipsoid_count != kAxes)
      return {What::ellipsoid_numbers, number, kAxes, m.ellipsoid_count};
    stepper::ContactDescription<float, Dim> contact;
    contact.a = static_cast<int>(m.a);
    contact.b = static_cast<int>(m.b);
    contact.friction.kinetic = m.friction;
    if (m.friction_static != 0) {
      contact.friction.kind = contact::FrictionKind::static_kinetic;
      contact.friction.resting = m.friction_static;
    } else if (m.friction_extra != 0) {
      contact.friction.kind = contact::FrictionKind::speed;
      contact.friction.extra = m.friction_extra;
      contact.friction.scale = m.friction_speed;
    }
    contact.restitution = m.restitution;
    contact.impact = impact_of(m.impact);
    contact::PatchLaw<float> law;
    if (m.has_patch) {
      law.columns = static_cast<std::uint8_t>(m.patch.columns <= 255 ? m.patch.columns : 255);
      law.rows = static_cast<std::uint8_t>(m.patch.rows <= 255 ? m.patch.rows : 255);
      law.spacing = m.patch.spacing;
      law.compliance = m.patch.compliance;
      law.poisson = m.patch.poisson;
      law.stiffness = m.patch.stiffness;
      law.damping = m.patch.damping;
      if (m.patch.has_damping_ratio) law.damping_ratio = m.patch.damping_ratio;
      law.stiffness_t = m.patch.stiffness_t;
      law.printed = m.patch.printed;
      contact.patch = &law;
      if (m.first_is_elastic) contact.elastic = contact.a;
    }
    if (Dim == 2 && ellipsoid) contact.friction.kinetic *= m.ellipsoid[0];
    int index = 0;
    if (const Error error = stepper::add_contact(world_, contact, index)) return error;
    if constexpr (kCapacity.torsion)
      if (ellipsoid)
        return stepper::set_ellipsoid(world_, index, {m.ellipsoid[0], m.ellipsoid[1], m.ellipsoid[2]});
    return {};
  }

  Error add(const tactus_wire_Joint& m) {
    const int number = world_.model.joints;
    if (world_.model.is_implicit()) return {What::no_joints, number};
    dynamics::JointType type;
    if (!detail::read_kind(m.kind, type)) return {What::joint_kind, number, 0, static_cast<int>(m.kind)};
    if (m.anchor_count != Dim) return {What::anchor_numbers, number, Dim, m.anchor_count};
    if (m.axis_count != 0 && m.axis_count != Dim) return {What::axis_numbers, number, Dim, m.axis_count};
    math::Vector<float, Dim> anchor, axis;
    for (int i = 0; i < Dim; ++i) {
      anchor[i] = m.anchor[i];
      axis[i] = m.axis_count == 0 ? 0 : m.axis[i];
    }
    int index = 0;
    return stepper::add_joint(world_, type, static_cast<int>(m.a), static_cast<int>(m.b), anchor, axis,
                              index);
  }

  // The implicit law's first step of all has to find the closest points and forces from nothing, and takes
  // several times what a later one does. CONFIGURE has the time for that, a tick has not. A step is taken and
  // forgotten, but for where it found them. Of the others what a step remembers saves too little.
  template <Clock Time>
  void warm_up(State& scratch, Time& clock) {
    if constexpr (kCapacity.pieces > 0) {
      scratch = world_.state;
      clock.start(kWarmUp);
      if (step(scratch, clock).status != stepper::StepStatus::solved) return;
      scratch.implicit.before = scratch.implicit.closest;
      world_.state.implicit = scratch.implicit;
    }
  }

  // `held`: sensing() where the state is measured.
  template <Clock Time, class Held = const stepper::Exact>
  Outcome step(State& state, Time& clock, Held& held = stepper::kExact) {
    report_ = stepper::step(world_.model, state, workspace_, clock, held);
    return {report_.status, report_.reason, static_cast<std::uint32_t>(report_.pivots), report_.residual};
  }
  Sensing& sensing() { return sensing_; }

  // After the first step from `before`.
  template <Clock Time>
  void judge(const State& before, tactus_wire_Prediction& out, Time& clock) {
    if constexpr (Dim == 2 && kCapacity.has_rows()) {
      if (!asks_) return;
      const auto seen = stepper::ambiguity(world_.model, before, workspace_, clock);
      out.ambiguous = seen.several;
      out.impulse = seen.impulse;
    }
  }

  // After a first step to `ahead` that the clock has ended: the next one goes on from what it has tried, and
  // `ahead` gets the best of that, where there is any.
  Outcome take_best(State& ahead) {
    if constexpr (kCapacity.has_rows()) {
      stepper::keep_tried(world_.model, workspace_, world_.state);
      if (!world_.model.is_implicit()) report_ = stepper::best_so_far(world_.model, ahead, workspace_, ahead);
    }
    return {report_.status, report_.reason, static_cast<std::uint32_t>(report_.pivots), report_.residual};
  }

  // Whether the last step came to forces at all.
  bool has_tried() const {
    if (report_.reason != stepper::StepReason::out_of_time) return true;
    if constexpr (kCapacity.has_rows()) return stepper::has_tried(workspace_);
    return false;
  }

  Sizes sizes() const {
    const auto& m = world_.model;
    Sizes s;
    s.bodies = m.bodies;
    s.contacts = m.contacts;
    s.joints = stepper::detail::joints_of(m);
    s.plain = stepper::detail::most_plain(m);
    s.elements = m.slots < kCapacity.active ? m.slots : kCapacity.active;
    s.rows = s.plain + Dim * s.elements;
    s.relaxed = m.method.friction == stepper::FrictionLaw::relaxed_cone;
    s.has_rows = kCapacity.has_rows() && !m.is_implicit();
    return s;
  }

  std::uint32_t mode(std::size_t c) const { return static_cast<std::uint32_t>(report_.contact[c].mode); }

  // Of the last step.
  void tell(std::size_t c, tactus_wire_ContactForecast& to) const {
    const auto& from = report_.contact[c];
    to.gap = from.elements > 0 ? from.gap : 0;
    to.force_count = Dim;
    for (int i = 0; i < Dim; ++i) to.force[i] = from.force[i];
    if constexpr (kCapacity.pieces > 0) to.torsion = from.torsion;
  }

 private:
  stepper::World<float, Dim, kCapacity> world_{};
  stepper::Workspace<float, Dim, kCapacity> workspace_{};
  stepper::StepReport<float, Dim, kCapacity> report_{};
  Sensing sensing_;
  bool asks_ = false;
};

}  // namespace tactus::firmware
