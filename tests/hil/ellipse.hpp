// The ellipse of Song 2004, section 6, as the scene that a board predicts and as the plant that moves: the
// same step and law in double precision.
#pragma once

#include <messages.pb.h>

#include <stdexcept>

#include "tactus/sentence.hpp"
#include "tactus/tactus.hpp"

namespace tactus::hil {

inline constexpr double kStep = 1e-4, kMass = 0.05, kInertia = 1.5e-4, kLong = 0.1, kShort = 0.05;
inline constexpr double kHeight = 0.0974556066, kAngle = 1.3089969389957472;  // touching, 75 degrees
inline constexpr double kFriction = 0.2, kSpacing = 1e-6, kCompliance = 1e-10, kPoisson = 0.3,
                        kGravity = -9.81;
inline constexpr int kElements = 3;

inline wire::Configure ellipse_scene(unsigned horizon) {
  const auto f = [](double x) { return static_cast<float>(x); };
  wire::Configure scene;
  scene.set_plane(true);
  scene.add_gravity(0);
  scene.add_gravity(f(kGravity));
  scene.set_step(f(kStep));
  scene.set_box_pyramid(true);
  scene.set_horizon(horizon);
  wire::Body* ground = scene.add_bodies();
  ground->mutable_shape()->set_kind(wire::HALF_SPACE);
  ground->mutable_shape()->add_size(0);
  ground->mutable_shape()->add_size(1);
  for (int i = 0; i < 3; ++i) ground->add_pose(0);
  wire::Body* body = scene.add_bodies();
  body->set_mass(f(kMass));
  body->add_inertia(f(kInertia));
  body->mutable_shape()->set_kind(wire::ELLIPSE);
  body->mutable_shape()->add_size(f(kLong));
  body->mutable_shape()->add_size(f(kShort));
  body->add_pose(0);
  body->add_pose(f(kHeight));
  body->add_pose(f(kAngle));
  wire::Contact* contact = scene.add_contacts();
  contact->set_a(0);
  contact->set_b(1);
  contact->set_friction(f(kFriction));
  wire::Patch* patch = contact->mutable_patch();
  patch->set_columns(kElements);
  patch->set_rows(1);
  patch->set_spacing(f(kSpacing));
  patch->set_compliance(f(kCompliance));
  patch->set_poisson(f(kPoisson));
  return scene;
}

class Plant {
 public:
  Plant() {
    const auto check = [](const Error& error) {
      if (error) throw std::runtime_error(Sentence(error).text());
    };
    stepper::Method method;
    method.pyramid = contact::Pyramid::box;
    check(stepper::configure(world_, kStep, math::Vector<double, 2>(0, kGravity), method));
    stepper::BodyDescription<double, 2> ground, body;
    int ground_index = 0, body_index = 0, contact_index = 0;
    ground.shape = geometry::half_space(math::Vector2<double>(0, 1), 0.0);
    check(stepper::add_body(world_, ground, ground_index));
    body.mass = kMass;
    body.inertia(0, 0) = kInertia;
    body.shape = geometry::ellipse(kLong, kShort);
    body.pose = {0, kHeight, kAngle};
    check(stepper::add_body(world_, body, body_index));
    contact::PatchLaw<double> law;
    law.columns = kElements;
    law.spacing = kSpacing;
    law.compliance = kCompliance;
    law.poisson = kPoisson;
    stepper::ContactDescription<double, 2> contact;
    contact.a = ground_index;
    contact.b = body_index;
    contact.friction.kinetic = kFriction;
    contact.patch = &law;
    check(stepper::add_contact(world_, contact, contact_index));
  }

  // What a perfect sensor would say now.
  wire::State state(std::uint32_t tick) const {
    wire::State message;
    message.set_tick(tick);
    const auto& pose = world_.state.pose[1];
    const auto& velocity = world_.state.velocity[1];
    for (const double x : {pose.x, pose.y, pose.angle}) message.add_pose(static_cast<float>(x));
    for (const double x : {velocity.linear[0], velocity.linear[1], velocity.angular[0]})
      message.add_velocity(static_cast<float>(x));
    return message;
  }

  bool step() { return stepper::step(world_, workspace_).status == stepper::StepStatus::solved; }

 private:
  static constexpr stepper::Capacity kCapacity{.bodies = 2,
                                               .contacts = 1,
                                               .slots = kElements,
                                               .active = kElements,
                                               .patches = 1,
                                               .patch_elements = kElements};
  stepper::World<double, 2, kCapacity> world_{};
  stepper::Workspace<double, 2, kCapacity> workspace_{};
};

}  // namespace tactus::hil
