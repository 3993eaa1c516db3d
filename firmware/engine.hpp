// The predictor behind the messages: a world built from CONFIGURE, moved by STATE, asked for a PREDICTION.
//
// It knows no board and no link, so the host runs the very same code to check a board bit for bit. All memory
// is in the object; configure() costs milliseconds once, predict() is bounded by horizon and pivot budget.
#pragma once

#include <messages.pb.h>

#include <cstddef>
#include <cstdint>

#include "firmware/convert.hpp"
#include "tactus/predictor/predictor.hpp"
#include "tactus/stepper/build.hpp"

namespace tactus::firmware {

inline constexpr int kHorizon = 32;
inline constexpr std::uint32_t kDefaultPivotBudget = 200;

// Messages ask for none of the parts left out.
inline constexpr stepper::Parts kParts =
    stepper::box_form | stepper::facet_form | stepper::restitution | stepper::varying_friction;

template <int Dim>
constexpr stepper::Capacity capacity() {
  if constexpr (Dim == 2) {
    return {.bodies = 4,
            .contacts = 4,
            .slots = 24,
            .active = 8,
            .unknowns = 32,
            .joints = 3,
            .patches = 2,
            .patch_elements = 5,
            .parts = kParts};
  } else {
    return {.bodies = 4,
            .contacts = 4,
            .slots = 32,
            .active = 8,
            .unknowns = 48,
            .joints = 3,
            .patches = 1,
            .patch_elements = 9,
            .parts = kParts};
  }
}

// What a message is to be refused with; null is no refusal.
struct Refusal {
  const char* reason = nullptr;
  std::uint32_t which = 0;
};

// Whether another step of the horizon may begin after `taken` ones. Who links the engine gives it: the loop
// asks its counter, a host that compares asks what the board has done.
bool may_go_on(std::uint32_t taken);

template <int Dim>
class Engine {
 public:
  static constexpr stepper::Capacity kCapacity = capacity<Dim>();
  using World = stepper::World<float, Dim, kCapacity>;

  // Builds the world anew. After a refusal nothing is configured.
  Refusal configure(const tactus_wire_Configure& m) {
    configured_ = false;
    const Refusal refusal = build(m);
    configured_ = refusal.reason == nullptr;
    return refusal;
  }

  // Takes a measured state. A refused one changes nothing.
  bool take(const tactus_wire_State& m) {
    if (!configured_) return false;
    const std::size_t poses = moving_ * kPose, motions = moving_ * kMotion;
    if (m.pose_count != poses || m.velocity_count != motions) return false;
    if (m.force_count != 0 && m.force_count != motions) return false;
    if (!detail::finite(m.pose, poses) || !detail::finite(m.velocity, motions) ||
        !detail::finite(m.force, m.force_count))
      return false;
    if constexpr (Dim == 3) {
      for (std::size_t i = 0; i < moving_; ++i) {
        const float* p = m.pose + i * kPose + 3;
        const float square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
        if (!(square > 0.98F && square < 1.02F)) return false;  // no rotation
      }
    }
    for (std::size_t i = 0; i < moving_; ++i) {
      detail::read_pose(m.pose + i * kPose, state().pose[body_[i]]);
      detail::read_motion<Dim>(m.velocity + i * kMotion, state().velocity[body_[i]]);
      if (m.force_count != 0) detail::read_motion<Dim>(m.force + i * kMotion, state().force[body_[i]]);
    }
    return true;
  }

  // Looks `horizon` steps ahead, or as many as may_go_on() allows: the far end is what is cut. The state
  // moves on by one step, with what the contacts remember of it, so that ticks without a measurement go on
  // from the prediction. Where the first step fails or is not certified the state stays, and the verdict is
  // NO_PREDICTION with the reason.
  void predict(tactus_wire_Prediction& out) {
    out.verdict = tactus_wire_Verdict_NO_PREDICTION;
    out.reason = tactus_wire_Reason_NOT_CONFIGURED;
    if (!configured_) return;
    before_ = state();
    const auto first = stepper::step(world_.model, state(), workspace_);
    out.pivots = static_cast<std::uint32_t>(first.pivots);
    out.residual = first.certificate.residual;
    out.reason = detail::reason_of(first.reason);
    if (first.status != stepper::StepStatus::solved) {
      state() = before_;
      return;
    }
    out.verdict = tactus_wire_Verdict_CERTIFIED;
    out.steps = 1;
    write_state(state(), out.pose, out.pose_count, out.velocity, out.velocity_count);
    out.contacts_count = static_cast<pb_size_t>(world_.model.contacts);
    for (std::size_t c = 0; c < out.contacts_count; ++c) {
      const auto& report = first.contact[c];
      auto& to = out.contacts[c];
      to = tactus_wire_ContactForecast_init_zero;
      to.mode = to.next_mode = static_cast<std::uint32_t>(report.mode);
      to.gap = report.elements > 0 ? report.gap : 0;
      to.force_count = Dim;
      for (int i = 0; i < Dim; ++i) to.force[i] = report.force[i];
    }
    if (horizon_ > 1) look_ahead(out);
  }

  bool configured() const { return configured_; }

 private:
  static constexpr std::size_t kPose = detail::kPoseSize<Dim>, kMotion = detail::kMotionSize<Dim>;

  typename stepper::State<float, Dim, kCapacity>& state() { return world_.state; }

  void look_ahead(tactus_wire_Prediction& out) {
    before_ = state();
    for (int k = 1; k < horizon_ && may_go_on(static_cast<std::uint32_t>(k)); ++k) {
      const auto report = stepper::step(world_.model, before_, workspace_);
      out.pivots += static_cast<std::uint32_t>(report.pivots);
      if (!(report.certificate.residual <= out.residual)) out.residual = report.certificate.residual;
      if (report.status != stepper::StepStatus::solved) {
        out.verdict = tactus_wire_Verdict_DEGRADED;
        out.reason = detail::reason_of(report.reason);
        if (report.status == stepper::StepStatus::failed) break;
      }
      out.steps = static_cast<std::uint32_t>(k + 1);
      for (std::size_t c = 0; c < out.contacts_count; ++c) {
        auto& to = out.contacts[c];
        const auto mode = static_cast<std::uint32_t>(report.contact[c].mode);
        if (to.change_step == 0 && mode != to.mode) {
          to.next_mode = mode;
          to.change_step = static_cast<std::uint32_t>(k + 1);
        }
      }
    }
    write_state(before_, out.last_pose, out.last_pose_count, out.last_velocity, out.last_velocity_count);
  }

  void write_state(const typename stepper::State<float, Dim, kCapacity>& from, float* pose, pb_size_t& poses,
                   float* velocity, pb_size_t& velocities) const {
    for (std::size_t i = 0; i < moving_; ++i) {
      detail::write_pose(from.pose[body_[i]], pose + i * kPose);
      detail::write_motion<Dim>(from.velocity[body_[i]], velocity + i * kMotion);
    }
    poses = static_cast<pb_size_t>(moving_ * kPose);
    velocities = static_cast<pb_size_t>(moving_ * kMotion);
  }

  Refusal build(const tactus_wire_Configure& m) {
    world_ = World{};
    moving_ = 0;
    if (m.gravity_count != Dim) return {"Gravity has the wrong number of components."};
    if (m.horizon < 1 || m.horizon > static_cast<std::uint32_t>(kHorizon))
      return {"The horizon is 1 to 32 steps."};
    horizon_ = static_cast<int>(m.horizon);
    stepper::Method method;
    method.pyramid = m.box_pyramid ? contact::Pyramid::box : contact::Pyramid::facets;
    if (Dim == 3) method.facets = static_cast<std::uint8_t>(m.facets <= 16 ? m.facets : 0);
    const std::uint32_t budget = m.pivot_budget == 0 ? kDefaultPivotBudget : m.pivot_budget;
    method.pivot_budget = static_cast<std::uint16_t>(budget > 10'000 ? 10'000 : budget);
    dynamics::Vector<float, Dim> gravity;
    for (int i = 0; i < Dim; ++i) gravity[i] = m.gravity[i];
    const auto error = stepper::configure(world_, m.step, gravity, method);
    if (error != stepper::BuildError::none) return {stepper::sentence(error)};
    for (std::uint32_t i = 0; i < m.bodies_count; ++i) {
      const Refusal refusal = add(m.bodies[i], i);
      if (refusal.reason != nullptr) return refusal;
    }
    for (std::uint32_t i = 0; i < m.contacts_count; ++i) {
      const Refusal refusal = add(m.contacts[i], i);
      if (refusal.reason != nullptr) return refusal;
    }
    for (std::uint32_t i = 0; i < m.joints_count; ++i) {
      const Refusal refusal = add(m.joints[i], i);
      if (refusal.reason != nullptr) return refusal;
    }
    if (moving_ == 0) return {"There is no body that moves."};
    return {};
  }

  // Numbers that an int can hold; whether there are such bodies, the stepper says.
  static constexpr bool are_bodies(std::uint32_t a, std::uint32_t b) {
    constexpr std::uint32_t kMost = kCapacity.bodies;
    return a < kMost && b < kMost;
  }

  Refusal add(const tactus_wire_Body& m, std::uint32_t number) {
    if (moving_ == 3 && m.mass != 0) return {"At most 3 bodies move.", number};
    if (m.pose_count != kPose) return {"A pose has 3 components in the plane and 7 in space.", number};
    if (m.velocity_count != 0 && m.velocity_count != kMotion)
      return {"A velocity has 3 components in the plane and 6 in space.", number};
    if (m.force_count != 0 && m.force_count != kMotion)
      return {"A force has 3 components in the plane and 6 in space.", number};
    stepper::BodyDescription<float, Dim> body;
    body.mass = m.mass;
    if (m.mass != 0) {
      if (m.inertia_count != (Dim == 2 ? 1 : 6))
        return {"An inertia has 1 component in the plane and 6 in space.", number};
      if constexpr (Dim == 2) {
        body.inertia(0, 0) = m.inertia[0];
      } else {
        const float* i = m.inertia;  // Ixx Iyy Izz Ixy Ixz Iyz
        body.inertia << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
      }
    }
    if (!m.has_shape || !detail::read_shape(m.shape, body.shape))
      return {"The shape is not one of this space.", number};
    detail::read_pose(m.pose, body.pose);
    if (m.velocity_count != 0) detail::read_motion<Dim>(m.velocity, body.velocity);
    if (m.force_count != 0) detail::read_motion<Dim>(m.force, body.force);
    int index = 0;
    const auto error = stepper::add_body(world_, body, index);
    if (error != stepper::BuildError::none) return {stepper::sentence(error), number};
    if (m.mass != 0) body_[moving_++] = static_cast<std::size_t>(index);
    return {};
  }

  Refusal add(const tactus_wire_Contact& m, std::uint32_t number) {
    stepper::ContactDescription<float, Dim> contact;
    if (!are_bodies(m.a, m.b)) return {stepper::sentence(stepper::BuildError::unknown_body), number};
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
    contact::PatchLaw<float> law;
    if (m.has_patch) {
      law.columns = static_cast<std::uint8_t>(m.patch.columns <= 255 ? m.patch.columns : 255);
      law.rows = static_cast<std::uint8_t>(m.patch.rows <= 255 ? m.patch.rows : 255);
      law.spacing = m.patch.spacing;
      law.compliance = m.patch.compliance;
      law.poisson = m.patch.poisson;
      law.stiffness = m.patch.stiffness;
      law.damping = m.patch.damping;
      contact.patch = &law;
    }
    int index = 0;
    const auto error = stepper::add_contact(world_, contact, index);
    if (error != stepper::BuildError::none) return {stepper::sentence(error), number};
    return {};
  }

  Refusal add(const tactus_wire_Joint& m, std::uint32_t number) {
    dynamics::JointType type;
    if (!detail::read_kind(m.kind, type)) return {"The kind of joint is unknown.", number};
    if (m.anchor_count != Dim) return {"An anchor has 2 components in the plane and 3 in space.", number};
    if (m.axis_count != 0 && m.axis_count != Dim)
      return {"An axis has 2 components in the plane and 3 in space.", number};
    if (!are_bodies(m.a, m.b)) return {stepper::sentence(stepper::BuildError::unknown_body), number};
    dynamics::Vector<float, Dim> anchor, axis;
    for (int i = 0; i < Dim; ++i) {
      anchor[i] = m.anchor[i];
      axis[i] = m.axis_count == 0 ? 0 : m.axis[i];
    }
    int index = 0;
    const auto error =
        stepper::add_joint(world_, type, static_cast<int>(m.a), static_cast<int>(m.b), anchor, axis, index);
    if (error != stepper::BuildError::none) return {stepper::sentence(error), number};
    return {};
  }

  World world_{};
  typename stepper::State<float, Dim, kCapacity>
      before_{};  // of the step at hand, then the state that looks ahead
  stepper::Workspace<float, Dim, kCapacity> workspace_{};
  std::size_t body_[3] = {};  // the bodies that move
  std::size_t moving_ = 0;
  int horizon_ = 1;
  bool configured_ = false;
};

}  // namespace tactus::firmware
