// From the velocities v* that kick and contacts have given the bodies to where the step leaves them: the
// drift of dynamics/drift.hpp, and Stewart's fixed point.
//
// The momentum of each body is that of the kick and its impulses exactly: I(q') omega' = I(q) omega + h tau +
// W^T p. The laws hold for W v*, and so do forces, modes and slips of a report; W(q) omega' is no speed of a
// contact.
//
// Stewart 2000, 2.3 takes the step's matrices at q', which nobody has before the step is taken, and so
// repeats it with an estimate of q'. His M(q') (v' - v) is a momentum balance of order 1; here M stays M(q),
// with which the balance is exact, and what is taken at the estimate is W, the same in laws and impulses.
// Where the repetition has converged, gaps and joints are closed at the end of the step.
#pragma once

#include "tactus/dynamics/drift.hpp"
#include "tactus/stepper/outputs.hpp"

namespace tactus::stepper::detail {

template <class Scalar, int Dim, Capacity C>
inline bool spins_too_fast(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state) {
  if constexpr (Dim == 3)
    for (int i = 0; i < m.bodies; ++i)
      if (m.inertia[at(i)].mass > 0 && dynamics::too_fast(state.velocity[at(i)], m.h)) return true;
  return false;
}

template <class Scalar, int Dim, Capacity C>
inline bool finite_velocities(const Model<Scalar, Dim, C>& m, const Next<Scalar, Dim, C>& next) {
  Scalar poison = 0;
  for (int i = 0; i < m.bodies; ++i) poison = dynamics::poisoned(next.velocity[at(i)], poison);
  return poison == 0;
}

// The frame at the start of the step.
template <class Scalar, int Dim, Capacity C>
inline dynamics::Frame<Scalar, Dim> start_frame(const State<Scalar, Dim, C>& state,
                                                const Placed<Scalar, Dim, C>& placed,
                                                const Estimate<Scalar, Dim, C>& estimate, int body) {
  if constexpr (kRepeats<Dim, C>)
    if (estimate.made) return geometry::frame(state.pose[at(body)]);
  return placed.body[at(body)].frame;
}

// After impacts: a body goes by the mean speed v* - D of the step, and keeps the momentum of v*.
template <class Scalar, int Dim, Capacity C>
[[gnu::noinline]] inline bool drift_by_mean(const Model<Scalar, Dim, C>& m,
                                            const dynamics::Motion<Scalar, Dim>& late,
                                            const dynamics::Inertia<Scalar, Dim>& inertia,
                                            const dynamics::Frame<Scalar, Dim>& start,
                                            dynamics::Pose<Scalar, Dim>& pose,
                                            dynamics::Motion<Scalar, Dim>& velocity) {
  constexpr int spin = dynamics::kSpin<Dim>;
  using Spin = math::Vector<Scalar, spin>;
  dynamics::Motion<Scalar, Dim> mean = velocity;
  mean.linear -= late.linear;
  mean.angular -= late.angular;
  if (!dynamics::drift(inertia, start, m.h, pose, mean)) return false;
  if (Dim == 2 || inertia.isotropic) return true;
  const Spin momentum = dynamics::spin_momentum<Scalar, Dim>(inertia, start, velocity.angular);
  velocity.angular = math::times<Scalar, spin>(
      dynamics::world_inverse<Scalar, Dim>(inertia, geometry::frame(pose)), momentum);
  return true;
}

// Poses and velocities at the end of the step. False where a body spins too fast for h.
template <class Scalar, int Dim, Capacity C>
inline bool drift(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                  const Placed<Scalar, Dim, C>& placed, const Estimate<Scalar, Dim, C>& estimate,
                  Next<Scalar, Dim, C>& next) {
  for (int i = 0; i < m.bodies; ++i) {
    next.state.velocity[at(i)] = next.velocity[at(i)];
    if (!(m.inertia[at(i)].inverse_mass > 0)) continue;
    if constexpr (kBounces<C>) {
      if (placed.impacts.events > 0) {
        if (!drift_by_mean(m, placed.impacts.late[at(i)], m.inertia[at(i)],
                           start_frame(state, placed, estimate, i), next.state.pose[at(i)],
                           next.state.velocity[at(i)]))
          return false;
        continue;
      }
    }
    if (!dynamics::drift(m.inertia[at(i)], start_frame(state, placed, estimate, i), m.h,
                         next.state.pose[at(i)], next.state.velocity[at(i)]))
      return false;
  }
  if constexpr (C.arm_joints > 0)
    for (std::size_t j = 0; j < at(m.arm.links.joints); ++j) {
      Scalar mean = next.state.arm.qd[j];
      if constexpr (kBounces<C>)
        if (placed.impacts.events > 0) mean -= placed.impacts.arm_late[j];
      next.state.arm.q[j] = math::multiply_add(m.h, mean, state.arm.q[j]);
    }
  return true;
}

// The rows of the next pass will be those at the end of this one.
template <class Scalar, int Dim, Capacity C>
inline void take_estimate(const Model<Scalar, Dim, C>& m, const Next<Scalar, Dim, C>& next,
                          Placed<Scalar, Dim, C>& placed, Estimate<Scalar, Dim, C>& estimate) {
  estimate.made = true;
  for (int i = 0; i < m.bodies; ++i) {
    auto& body = placed.body[at(i)];
    estimate.velocity[at(i)] = {};
    if (!(body.inverse_mass > 0)) continue;
    estimate.velocity[at(i)] = next.velocity[at(i)];
    estimate.pose[at(i)] = next.state.pose[at(i)];
    body.frame = geometry::frame(next.state.pose[at(i)]);
  }
}

}  // namespace tactus::stepper::detail
