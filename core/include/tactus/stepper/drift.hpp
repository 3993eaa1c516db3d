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
#include "tactus/stepper/motion.hpp"

namespace tactus::stepper::detail {

template <class Scalar, int Dim, Capacity C>
struct Drifted {
  std::array<dynamics::Pose<Scalar, Dim>, at(C.bodies)> pose;
  std::array<dynamics::Motion<Scalar, Dim>, at(C.bodies)> velocity;
};

template <int Dim, Capacity C>
inline constexpr bool kRepeats = Dim == 3 && C.has(repeated_steps);

// The velocities by which the bodies came to the poses of an estimate; zero of those that stand where they
// were.
template <class Scalar, int Dim, Capacity C, bool = kRepeats<Dim, C>>
struct Estimate {
  bool there = false;
  bool made() const { return there; }
  std::array<dynamics::Motion<Scalar, Dim>, at(C.bodies)> velocity{};
};
template <class Scalar, int Dim, Capacity C>
struct Estimate<Scalar, Dim, C, false> {
  static constexpr bool made() { return false; }
};

template <class Scalar, int Dim, Capacity C>
inline bool spins_too_fast(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state) {
  if constexpr (Dim == 3)
    for (int i = 0; i < m.bodies; ++i)
      if (m.inertia[at(i)].mass > 0 && dynamics::too_fast(state.velocity[at(i)], m.h)) return true;
  return false;
}

// The frame at the start of the step.
template <class Scalar, int Dim, Capacity C>
inline dynamics::Frame<Scalar, Dim> start_frame(const State<Scalar, Dim, C>& state,
                                                const Workspace<Scalar, Dim, C>& ws,
                                                const Estimate<Scalar, Dim, C>& estimate, int body) {
  return estimate.made() ? geometry::frame(state.pose[at(body)]) : ws.body[at(body)].frame;
}

// False where a body spins too fast for h. What does not move is not written.
template <class Scalar, int Dim, Capacity C>
[[gnu::noinline]] inline bool drift_bodies(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                                           const Workspace<Scalar, Dim, C>& ws,
                                           const Estimate<Scalar, Dim, C>& estimate,
                                           Drifted<Scalar, Dim, C>& next) {
  for (int i = 0; i < m.bodies; ++i) {
    if (!(ws.body[at(i)].inverse_mass > 0)) continue;
    next.pose[at(i)] = state.pose[at(i)];
    next.velocity[at(i)] = ws.body[at(i)].velocity;
    if (!dynamics::drift(m.inertia[at(i)], start_frame(state, ws, estimate, i), m.h, next.pose[at(i)],
                         next.velocity[at(i)]))
      return false;
  }
  return true;
}

// The rows of the next pass will be those at the end of this one.
template <class Scalar, int Dim, Capacity C>
inline void take_estimate(const Model<Scalar, Dim, C>& m, const Drifted<Scalar, Dim, C>& next,
                          Workspace<Scalar, Dim, C>& ws, Estimate<Scalar, Dim, C>& estimate) {
  estimate.there = true;
  for (int i = 0; i < m.bodies; ++i) {
    auto& body = ws.body[at(i)];
    if (!(body.inverse_mass > 0)) continue;
    estimate.velocity[at(i)] = body.velocity;
    body.frame = geometry::frame(next.pose[at(i)]);
  }
}

}  // namespace tactus::stepper::detail
