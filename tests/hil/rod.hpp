// Painleve's rods (tests/corpus/painleve_rod.hpp) in the words of the wire.
#pragma once

#include "tests/corpus/painleve_rod.hpp"
#include "tests/hil/space.hpp"

namespace tactus::hil {

using corpus::PainleveRod;

inline wire::Configure rod_scene(const PainleveRod& rod) {
  wire::Configure scene;
  scene.set_plane(true);
  for (const float g : {0.0F, -kGravity}) scene.add_gravity(g);
  scene.set_step(static_cast<float>(PainleveRod::kStep));
  scene.set_horizon(1);
  wire::Body* floor = scene.add_bodies();
  floor->mutable_shape()->set_kind(wire::HALF_SPACE);
  for (const float n : {0.0F, 1.0F}) floor->mutable_shape()->add_size(n);
  for (const float p : {0.0F, 0.0F, 0.0F}) floor->add_pose(p);
  wire::Body* body = scene.add_bodies();
  body->mutable_shape()->set_kind(wire::ROD);
  body->mutable_shape()->add_size(static_cast<float>(PainleveRod::kLength));
  body->set_mass(static_cast<float>(PainleveRod::kMass));
  body->add_inertia(static_cast<float>(PainleveRod::kInertia));
  for (const double x : rod.pose()) body->add_pose(static_cast<float>(x));
  wire::Contact* contact = scene.add_contacts();
  contact->set_a(0);
  contact->set_b(1);
  contact->set_friction(static_cast<float>(rod.mu));
  return scene;
}

inline wire::State rod_state(const PainleveRod& rod, std::uint32_t tick) {
  wire::State state;
  state.set_tick(tick);
  for (const double x : rod.pose()) state.add_pose(static_cast<float>(x));
  for (const double v : rod.velocity()) state.add_velocity(static_cast<float>(v));
  for (const double f : {0.0, rod.load, 0.0}) state.add_force(static_cast<float>(f));
  return state;
}

}  // namespace tactus::hil
