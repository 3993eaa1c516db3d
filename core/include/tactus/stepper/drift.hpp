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

// After impacts, the last at the time t: a body goes by the mean speed v* - D of the step. In space it turns
// by t v* - h D up to t, its spin kept in its own frame, and from there freely, so that no energy comes of
// it. Its momentum turns with it as far: the impacts' levers are those of q_n, which are off by as much.
template <class Scalar, int Dim>
[[gnu::noinline]] inline bool drift_after_impacts(const dynamics::Inertia<Scalar, Dim>& inertia,
                                                  const dynamics::Frame<Scalar, Dim>& start, Scalar h,
                                                  Scalar t, const dynamics::Motion<Scalar, Dim>& late,
                                                  dynamics::Pose<Scalar, Dim>& pose,
                                                  dynamics::Motion<Scalar, Dim>& velocity) {
  dynamics::Motion<Scalar, Dim> mean = velocity;
  mean.linear -= late.linear;
  mean.angular -= late.angular;
  if constexpr (Dim == 2) {
    return dynamics::drift(inertia, start, h, pose, mean);
  } else {
    using Vector = math::Vector<Scalar, 3>;
    const Vector end = pose.position + h * mean.linear;
    const Vector own = math::times_transposed<Scalar, 3>(start.R, velocity.angular);
    mean.angular = velocity.angular - (h / t) * late.angular;
    auto sphere = inertia;  // turns about one axis
    sphere.isotropic = true;
    if (!dynamics::drift(sphere, start, t, pose, mean)) return false;
    const auto then = geometry::frame(pose);
    velocity.angular = math::times<Scalar, 3>(then.R, own);
    if (!dynamics::drift(inertia, then, h - t, pose, velocity)) return false;
    pose.position = end;
    return true;
  }
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
      if (placed.impacts.events > 0 && placed.impacts.time[at(i)] > 0) {
        if (!drift_after_impacts(m.inertia[at(i)], start_frame(state, placed, estimate, i), m.h,
                                 placed.impacts.time[at(i)], placed.impacts.late[at(i)],
                                 next.state.pose[at(i)], next.state.velocity[at(i)]))
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
