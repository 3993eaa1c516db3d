// place: where bodies and arms are at the start of a step, and how they would move without contacts and
// joints: the kick v + h M(q_n)^-1 f.
#pragma once

#include <algorithm>

#include "tactus/stepper/drift.hpp"
#include "tactus/stepper/servo.hpp"

namespace tactus::stepper::detail {

template <class Scalar, int Joints, int Bodies, int Servos, int Mimics>
inline bool has_arms(const ArmModel<Scalar, Joints, Bodies, Servos, Mimics>& model) {
  if constexpr (Joints > 0) return model.links.joints > 0;
  return false;
}

// Calls f(body, mount) for each body that a link carries.
template <class Scalar, int Dim, Capacity C, class F>
inline void each_carried(const Model<Scalar, Dim, C>& m, const F& f) {
  for (int i = 0; i < m.bodies; ++i)
    if (m.arm.carries(i)) f(at(i), m.arm.mount[at(i)]);
}

template <class Scalar>
inline geometry::SpatialFrame<Scalar> placed_on(const geometry::SpatialFrame<Scalar>& on,
                                                const geometry::SpatialFrame<Scalar>& place) {
  geometry::SpatialFrame<Scalar> frame;
  frame.position = on.to_world(place.position);
  for (int k = 0; k < 3; ++k)
    frame.R.col(k) = on.turn(math::Vector<Scalar, 3>(place.R(0, k), place.R(1, k), place.R(2, k)));
  return frame;
}

template <class Scalar, int Dim, Capacity C>
inline void place_body(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state, int i,
                       Placed<Scalar, Dim, C>& out) {
  auto& body = out.body[at(i)];
  const auto& inertia = m.inertia[at(i)];
  body.frame = geometry::frame(state.pose[at(i)]);
  body.inverse_mass = inertia.inverse_mass;
  body.velocity = state.velocity[at(i)];
  if (!(body.inverse_mass > 0)) return;
  body.inverse_inertia = dynamics::world_inverse<Scalar, Dim>(inertia, body.frame);
  const auto& f = state.force[at(i)];
  body.velocity.linear += m.h * (m.gravity + inertia.inverse_mass * f.linear);
  body.velocity.angular += m.h * math::times<Scalar, dynamics::kSpin<Dim>>(body.inverse_inertia, f.angular);
}

// M with what the impedances add, M~ = M + h damping + h^2 stiffness on the diagonal, and
//     drive = h (torque + stiffness (position - q - h qd) + damping (speed - qd) - bias)
template <class Scalar, int Dim, Capacity C, class State>
inline void drive_arms(const Model<Scalar, Dim, C>& m, const State& now,
                       PlacedArms<Scalar, C.arm_joints, C.bodies, C.servos>& arm) {
  const auto& links = m.arm.links;
  dynamics::mass_matrix(links, arm.pose, arm.M);
  dynamics::inverse_dynamics(links, arm.pose, dynamics::Base<Scalar>{}, m.gravity, now.qd,
                             static_cast<const dynamics::JointVector<Scalar, C.arm_joints>*>(nullptr),
                             arm.drive);
  if constexpr (C.servos > 0) arm.servos.count = 0;
  for (std::size_t j = 0; j < at(links.joints); ++j) {
    if constexpr (C.servos > 0) {
      if (math::finite(m.arm.motors.most[j])) {
        drive_servo(m, now, j, arm);
        continue;
      }
    }
    const Scalar stiffness = m.h * now.stiffness[j];
    arm.M[j * at(C.arm_joints + 1)] += m.h * (now.damping[j] + stiffness);
    arm.drive[j] = m.h * ((now.torque[j] - arm.drive[j]) + now.damping[j] * (now.speed[j] - now.qd[j])) +
                   stiffness * ((now.position[j] - now.q[j]) - m.h * now.qd[j]);
    arm.speed[j] = arm.drive[j];
  }
}

// The velocity of what a link carries.
template <class Scalar, int Dim, Capacity C, class Speeds>
inline dynamics::Motion<Scalar, 3> carried_velocity(const Model<Scalar, Dim, C>& m,
                                                    const Placed<Scalar, Dim, C>& placed, const Speeds& qd,
                                                    std::size_t body, int link) {
  return dynamics::velocity_at(m.arm.links, placed.arm.pose, dynamics::Base<Scalar>{}, qd, link,
                               placed.body[body].frame.position);
}

template <class Scalar, int Dim, Capacity C>
constexpr int joints_of(const Model<Scalar, Dim, C>& m) {
  if constexpr (C.arm_joints > 0) return m.arm.links.joints;
  return 0;
}

// Rows of a step at most that are not contacts'.
template <class Scalar, int Dim, Capacity C>
constexpr int most_plain(const Model<Scalar, Dim, C>& m) {
  const int driven = C.arm_joints > 0 ? C.servos + C.mimics : 0;
  return m.joints * dynamics::kJointRows<Dim> + joints_of(m) + driven;
}

// Frames and velocities of what the links carry, M~, its factor and the free speeds. False where M~ is
// singular or not finite.
template <class Scalar, int Dim, Capacity C>
inline bool place_arms(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                       Placed<Scalar, Dim, C>& out) {
  if constexpr (C.arm_joints > 0) {
    const auto& links = m.arm.links;
    auto& arm = out.arm;
    dynamics::place(links, geometry::SpatialFrame<Scalar>{}, state.arm.q, arm.pose);
    drive_arms(m, state.arm, arm);
    arm.L = arm.M;
    if (!dynamics::factor_mass(links, arm.L)) return false;
    dynamics::solve_mass(links, arm.L, arm.speed);
    scale_servos(m, arm);
    for (std::size_t j = 0; j < at(links.joints); ++j) arm.speed[j] += state.arm.qd[j];
    each_carried(m, [&](std::size_t i, const Mount<Scalar>& mount) {
      out.body[i].frame = placed_on(arm.pose.frame[at(mount.link)], mount.at);
      arm.before[i] = carried_velocity(m, out, state.arm.qd, i, mount.link);
      out.body[i].velocity = carried_velocity(m, out, arm.speed, i, mount.link);
    });
  }
  return true;
}

template <class Scalar, int Dim, Capacity C>
inline bool place(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                  Placed<Scalar, Dim, C>& out) {
  if constexpr (kBounces<C>) {
    out.impacts.events = 0;
    out.impacts.certified = true;
  }
  for (int i = 0; i < m.bodies; ++i) place_body(m, state, i, out);
  return !has_arms(m.arm) || place_arms(m, state, out);
}

// The velocity of a body at the start of the step.
template <class Scalar, int Dim, Capacity C>
inline const dynamics::Motion<Scalar, Dim>& velocity_before(const Model<Scalar, Dim, C>& m,
                                                            const State<Scalar, Dim, C>& state,
                                                            const Placed<Scalar, Dim, C>& placed, int body) {
  if constexpr (C.arm_joints > 0)
    if (m.arm.carries(body)) return placed.arm.before[at(body)];
  return state.velocity[at(body)];
}

// Larger than any speed of any point of any body in the free motion.
template <class Scalar, int Dim, Capacity C>
inline Scalar speed_bound(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed) {
  Scalar bound = 0;
  for (int i = 0; i < m.bodies; ++i) {
    const auto& v = placed.body[at(i)].velocity;
    Scalar linear = 0, angular = 0;
    for (int k = 0; k < Dim; ++k) linear += std::abs(v.linear[k]);
    for (int k = 0; k < dynamics::kSpin<Dim>; ++k) angular += std::abs(v.angular[k]);
    bound = std::max(bound, linear + angular * m.radius[at(i)]);
  }
  return bound;
}

// How near a point is that takes part in the step, m: see find.
template <class Scalar, int Dim, Capacity C>
inline Scalar reach_of(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed) {
  return m.normal_rule() == NormalRule::song ? std::numeric_limits<Scalar>::max() / 4
                                             : 4 * m.h * speed_bound(m, placed);
}

// A gap is a difference of numbers as large as these: what it can be off by rounding, m.
template <class Scalar, int Dim, Capacity C>
inline Scalar rounding_of(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed,
                          dynamics::Pair bodies) {
  Scalar size = m.radius[bodies.a] + m.radius[bodies.b];
  for (int k = 0; k < Dim; ++k)
    size +=
        std::abs(placed.body[bodies.a].frame.position[k]) + std::abs(placed.body[bodies.b].frame.position[k]);
  return 16 * std::numeric_limits<Scalar>::epsilon() * size;
}

}  // namespace tactus::stepper::detail
