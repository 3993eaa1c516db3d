// Scenes in space for the tests with a board: a ground, bodies on it, and a run in lockstep over the FIFO
// link in which each answer is the next state. Every answer is certified, and bit for bit that of the host's
// own copy of the engine.
#pragma once

#include <unity.h>

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <string>

#include "host_sim/link/link.hpp"
#include "host_sim/link/mirror.hpp"

namespace tactus::hil {

using host::link::Board;
using host::link::BootOptions;

inline BootOptions options;
inline constexpr float kGravity = 9.81F, kStep = 1e-3F;

inline wire::Configure empty_scene() {
  wire::Configure scene;
  scene.set_plane(false);
  for (const float g : {0.0F, 0.0F, -kGravity}) scene.add_gravity(g);
  scene.set_step(kStep);
  scene.set_facets(8);
  scene.set_horizon(1);
  wire::Body* ground = scene.add_bodies();
  ground->mutable_shape()->set_kind(wire::HALF_SPACE);
  for (const float n : {0.0F, 0.0F, 1.0F}) ground->mutable_shape()->add_size(n);
  for (const float p : {0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F}) ground->add_pose(p);
  return scene;
}

inline void add_body(wire::Configure& scene, wire::ShapeKind kind, std::initializer_list<float> size,
                     float inertia, std::initializer_list<float> pose, std::initializer_list<float> velocity,
                     float friction) {
  wire::Body* body = scene.add_bodies();
  body->set_mass(1);
  for (const float i : {inertia, inertia, inertia, 0.0F, 0.0F, 0.0F}) body->add_inertia(i);
  body->mutable_shape()->set_kind(kind);
  for (const float s : size) body->mutable_shape()->add_size(s);
  for (const float p : pose) body->add_pose(p);
  for (const float v : velocity) body->add_velocity(v);
  wire::Contact* contact = scene.add_contacts();
  contact->set_a(0);
  contact->set_b(static_cast<std::uint32_t>(scene.bodies_size() - 1));
  contact->set_friction(friction);
}

// Runs the scene; the last answer.
inline wire::Prediction run(const wire::Configure& scene, std::uint32_t ticks) {
  Board board = Board::boot(options);
  host::link::Mirror mirror;
  const wire::Configured configured = board.configure(scene);
  TEST_ASSERT_TRUE_MESSAGE(configured.accepted(), configured.reason().c_str());
  mirror.configure(scene.SerializeAsString());
  wire::State state;
  for (int i = 0; i < scene.bodies_size(); ++i) {
    if (scene.bodies(i).mass() == 0) continue;
    state.mutable_pose()->MergeFrom(scene.bodies(i).pose());
    state.mutable_velocity()->MergeFrom(scene.bodies(i).velocity());
  }
  wire::Prediction answer;
  std::uint32_t worst = 0;
  for (std::uint32_t k = 1; k <= ticks; ++k) {
    state.set_tick(k);
    answer = board.step(state);
    worst = std::max(worst, answer.counts());
    TEST_ASSERT_EQUAL_STRING_MESSAGE("CERTIFIED", wire::Verdict_Name(answer.verdict()).c_str(),
                                     answer.ShortDebugString().c_str());
    wire::Prediction mirrored;
    mirrored.ParseFromString(mirror.step(state.SerializeAsString(), answer.SerializeAsString()));
    mirrored.set_counts(answer.counts());
    if (mirrored.SerializeAsString() != answer.SerializeAsString())
      TEST_FAIL_MESSAGE(
          ("board " + answer.ShortDebugString() + "\nhost  " + mirrored.ShortDebugString()).c_str());
    *state.mutable_pose() = answer.pose();
    *state.mutable_velocity() = answer.velocity();
  }
  std::printf("%u ticks: worst %u counts\n", ticks, worst);
  return answer;
}

}  // namespace tactus::hil
