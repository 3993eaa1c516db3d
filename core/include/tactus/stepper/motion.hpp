// Before the contacts: where the bodies stand, how they would move without contacts, and how fast at most.
#pragma once

#include <algorithm>

#include "tactus/stepper/model.hpp"

namespace tactus::stepper::detail {

template <class T>
constexpr std::size_t at(T i) {
  return static_cast<std::size_t>(i);
}

// The kick: v + h M^-1 f. What a spinning body does by itself comes after the contacts: dynamics/drift.hpp.
template <class Scalar, int Dim, Capacity C>
inline void free_motion(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                        Workspace<Scalar, Dim, C>& ws) {
  using dynamics::kSpin;
  for (int i = 0; i < m.bodies; ++i) {
    auto& body = ws.body[at(i)];
    const auto& inertia = m.inertia[at(i)];
    body.velocity = state.velocity[at(i)];
    if (!(inertia.mass > 0)) continue;
    const auto& f = state.force[at(i)];
    body.velocity.linear += m.h * (m.gravity + inertia.inverse_mass * f.linear);
    body.velocity.angular += m.h * math::times<Scalar, kSpin<Dim>>(body.inverse_inertia, f.angular);
  }
}

template <class Scalar, int Dim, Capacity C>
inline void place_bodies(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                         Workspace<Scalar, Dim, C>& ws) {
  for (int i = 0; i < m.bodies; ++i) {
    auto& body = ws.body[at(i)];
    body.frame = geometry::frame(state.pose[at(i)]);
    body.inverse_mass = m.inertia[at(i)].inverse_mass;
    if (body.inverse_mass > 0)
      body.inverse_inertia = dynamics::world_inverse<Scalar, Dim>(m.inertia[at(i)], body.frame);
  }
}

// Larger than any speed of any point of any body in the free motion.
template <class Scalar, int Dim, Capacity C>
inline Scalar speed_bound(const Model<Scalar, Dim, C>& m, const Workspace<Scalar, Dim, C>& ws) {
  Scalar bound = 0;
  for (int i = 0; i < m.bodies; ++i) {
    const auto& v = ws.body[at(i)].velocity;
    Scalar linear = 0, angular = 0;
    for (int k = 0; k < Dim; ++k) linear += std::abs(v.linear[k]);
    for (int k = 0; k < dynamics::kSpin<Dim>; ++k) angular += std::abs(v.angular[k]);
    bound = std::max(bound, linear + angular * m.radius[at(i)]);
  }
  return bound;
}

// How near a point is that takes part in the step, m: see find_elements.
template <class Scalar, int Dim, Capacity C>
inline Scalar reach_of(const Model<Scalar, Dim, C>& m, const Workspace<Scalar, Dim, C>& ws) {
  return m.normal_rule() == NormalRule::song ? std::numeric_limits<Scalar>::max() / 4
                                             : 4 * m.h * speed_bound(m, ws);
}

// A gap is a difference of numbers as large as these: what it can be off by rounding, m.
template <class Scalar, int Dim, Capacity C>
inline Scalar rounding_of(const Model<Scalar, Dim, C>& m, const Workspace<Scalar, Dim, C>& ws,
                          dynamics::Pair bodies) {
  Scalar size = m.radius[bodies.a] + m.radius[bodies.b];
  for (int k = 0; k < Dim; ++k)
    size += std::abs(ws.body[bodies.a].frame.position[k]) + std::abs(ws.body[bodies.b].frame.position[k]);
  return 16 * std::numeric_limits<Scalar>::epsilon() * size;
}

}  // namespace tactus::stepper::detail
