// A state and a model that could as well be the true ones: each number is off by a uniform deviation.
//
// A member draws from (seed, member) alone, so that every one can be made again by itself, and the same seed
// gives the same bits on every machine. Costs about 30 draws a body; nothing here fails, and what is not
// finite goes through to the step, which refuses it.
#pragma once

#include <cstdint>

#include "tactus/stepper/model.hpp"

namespace tactus::predictor {

// Largest deviation of each number; uniform between minus and plus that.
template <class Scalar>
struct Disturbance {
  std::uint32_t seed = 1;
  Scalar position = 0;          // m
  Scalar angle = 0;             // rad
  Scalar velocity = 0;          // m/s
  Scalar angular_velocity = 0;  // rad/s
  Scalar friction = 0;          // relative, of each pair's coefficients together
  Scalar restitution = 0;       // absolute, kept between 0 and 1
  Scalar mass = 0;              // relative, of each body or link with its inertia; below 1
  Scalar joint = 0;             // rad or m, of each joint of arms, kept within its limits
};

namespace detail {

// A well mixed word of a member's stream (the finisher of MurmurHash3).
constexpr std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x85EBCA6BU;
  x = (x ^ (x >> 13)) * 0xC2B2AE35U;
  return x ^ (x >> 16);
}

// Uniform in [-1, 1).
template <class Scalar>
class Stream {
 public:
  Stream(std::uint32_t seed, int member)
      : key_(mixed(seed ^ mixed(static_cast<std::uint32_t>(member) + 1))) {}
  Scalar operator()() {
    const std::uint32_t bits = mixed(key_ += 0x9E3779B9U) >> 8;
    return static_cast<Scalar>(bits) / Scalar(8388608) - 1;
  }

 private:
  std::uint32_t key_;
};

// An arm's share: what its links weigh and where its joints are.
template <class Scalar, int Dim, stepper::Capacity C>
inline void disturb_arms(stepper::Model<Scalar, Dim, C>& model, stepper::State<Scalar, Dim, C>& state,
                         const Disturbance<Scalar>& by, Stream<Scalar>& uniform) {
  if constexpr (C.arm_joints > 0) {
    for (std::size_t j = 0; j < static_cast<std::size_t>(model.arm.links.joints); ++j) {
      auto& link = model.arm.links.link[j];
      const Scalar factor = 1 + by.mass * uniform();
      link.mass *= factor;
      link.inertia *= factor;
      const Scalar q = state.arm.q[j] + by.joint * uniform();
      if (by.joint > 0) state.arm.q[j] = q < link.lower ? link.lower : q > link.upper ? link.upper : q;
    }
  }
}

}  // namespace detail

// Makes `model` and `state` those of a member.
template <class Scalar, int Dim, stepper::Capacity C>
inline void disturb(stepper::Model<Scalar, Dim, C>& model, stepper::State<Scalar, Dim, C>& state,
                    const Disturbance<Scalar>& by, int member) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  detail::Stream<Scalar> uniform(by.seed, member);
  for (int i = 0; i < model.bodies; ++i) {
    if (!(model.inertia[at(i)].mass > 0)) continue;
    dynamics::Motion<Scalar, Dim> shift;
    auto& velocity = state.velocity[at(i)];
    for (int k = 0; k < Dim; ++k) {
      shift.linear[k] = by.position * uniform();
      velocity.linear[k] += by.velocity * uniform();
    }
    for (int k = 0; k < dynamics::kSpin<Dim>; ++k) {
      shift.angular[k] = by.angle * uniform();
      velocity.angular[k] += by.angular_velocity * uniform();
    }
    state.pose[at(i)] = dynamics::displaced(state.pose[at(i)], shift);
  }
  for (int i = 0; i < model.contacts; ++i) {
    auto& contact = model.contact[at(i)];
    const Scalar factor = 1 + by.friction * uniform(), share = factor > 0 ? factor : Scalar(0);
    contact.friction.kinetic *= share;
    contact.friction.resting *= share;
    contact.friction.extra *= share;
    const Scalar e = contact.restitution + by.restitution * uniform();
    if (by.restitution > 0) contact.restitution = e < 0 ? Scalar(0) : e > 1 ? Scalar(1) : e;
  }
  for (int i = 0; i < model.bodies; ++i) {
    auto& inertia = model.inertia[at(i)];
    if (!(inertia.mass > 0)) continue;
    const Scalar factor = 1 + by.mass * uniform();
    inertia.mass *= factor;
    inertia.tensor *= factor;
    inertia.inverse_mass /= factor;
    inertia.inverse_tensor /= factor;
  }
  detail::disturb_arms(model, state, by, uniform);
}

}  // namespace tactus::predictor
