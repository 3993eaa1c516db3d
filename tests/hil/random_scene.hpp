// Scenes that nobody chose: legal CONFIGUREs of any kind that a board has, from a ball alone in the air to as
// many bodies, contacts, joints and links as it holds, each refused only where it has no time or no room; and
// states for them, from rest to thrown into each other.
#pragma once

#include <messages.pb.h>

#include <cmath>
#include <cstdint>
#include <random>

namespace tactus::hil {

class RandomScene {
 public:
  explicit RandomScene(std::uint32_t seed, bool implicit = true) : random_(seed), has_implicit_(implicit) {}

  wire::Configure draw() {
    scene_.Clear();
    plane_ = chance(0.25F);
    implicit_ = has_implicit_ && chance(0.1F);
    scene_.set_plane(plane_);
    for (int k = 0; k < dim(); ++k) scene_.add_gravity(k + 1 == dim() ? -9.81F : 0);
    scene_.set_step(std::pow(10.0F, between(-4, -2)));
    scene_.set_facets(4U << below(3));
    scene_.set_box_pyramid(chance(0.2F));
    scene_.set_horizon(chance(0.5F) ? 1 : 1 + below(32));
    scene_.set_beats_per_tick(chance(0.5F) ? 1 : 1 + below(25));
    scene_.set_horizon_percent(below(76));
    scene_.set_law(implicit_ ? wire::IMPLICIT : static_cast<wire::Law>(below(3)));
    add_ground();
    const bool arms = !plane_ && !implicit_ && scene_.law() != wire::RELAXED_CONE && chance(0.3F);
    if (arms) add_links(1 + below(7));
    const std::uint32_t bodies = arms ? below(3) : 1 + below(3);
    for (std::uint32_t i = 0; i < bodies && scene_.bodies_size() < 4; ++i) add_body();
    add_contacts();
    if (!implicit_ && scene_.bodies_size() > 2 && chance(0.2F)) add_joint();
    if (!implicit_ && chance(0.1F)) {
      scene_.mutable_doubt()->set_members(2 + below(7));
      scene_.mutable_doubt()->set_friction(0.2F);
      scene_.mutable_doubt()->set_position(1e-4F);
    }
    if (!implicit_ && chance(0.1F)) scene_.mutable_innovation();
    if (!implicit_) add_keys();
    return scene_;
  }

  // About what CONFIGURE said: where every body touches, at rest or not.
  wire::State state(std::uint32_t tick) {
    wire::State made;
    made.set_tick(tick);
    const float off = chance(0.3F) ? 0 : std::pow(10.0F, between(-6, -2)),
                speed = chance(0.3F) ? 0 : off * 300;
    for (const auto& body : scene_.bodies()) {
      if (body.mass() == 0) continue;
      float turn[3], square = 1;
      for (int k = 0; k < dim(); ++k) made.add_pose(body.pose(k) + signed_to(off));
      if (plane_) made.add_pose(body.pose(2) + signed_to(off));
      for (float& t : turn) {
        t = signed_to(off);
        square += t * t;
      }
      if (!plane_) {
        made.add_pose(1 / std::sqrt(square));
        for (const float t : turn) made.add_pose(t / std::sqrt(square));
      }
      for (int k = 0; k < (plane_ ? 3 : 6); ++k) made.add_velocity(signed_to(speed));
      for (int k = 0; k < (plane_ ? 3 : 6); ++k) made.add_force(signed_to(20));
    }
    for (const auto& link : scene_.links()) {
      made.add_q(link.q() + signed_to(off));
      made.add_qd(signed_to(speed));
      for (const float x : {signed_to(5), link.q(), 0.0F}) made.add_drive(x);
    }
    return made;
  }

  float between(float low, float high) { return low + (high - low) * unit(); }
  bool chance(float p) { return unit() < p; }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

 private:
  static constexpr float kHalf = 0.05F;

  int dim() const { return plane_ ? 2 : 3; }
  float unit() { return static_cast<float>(random_() >> 8) / 16777216.0F; }
  float signed_to(float most) { return between(-most, most); }

  void set_pose(wire::Body& body, float x, float height) {
    if (plane_) {
      for (const float p : {x, height, 0.0F}) body.add_pose(p);
    } else {
      for (const float p : {x, 0.0F, height, 1.0F, 0.0F, 0.0F, 0.0F}) body.add_pose(p);
    }
  }

  void add_ground() {
    wire::Body& ground = *scene_.add_bodies();
    ground.mutable_shape()->set_kind(wire::HALF_SPACE);
    for (int k = 0; k < dim(); ++k) ground.mutable_shape()->add_size(k + 1 == dim() ? 1 : 0);
    set_pose(ground, 0, 0);
  }

  void set_shape(wire::Body& body) {
    auto& shape = *body.mutable_shape();
    const std::uint32_t kind = below(3);
    const int sizes = kind == 0 ? 1 : dim();
    shape.set_kind(plane_ ? (kind == 0   ? wire::DISC
                             : kind == 1 ? wire::ELLIPSE
                                         : wire::BOX)
                          : (kind == 0   ? wire::SPHERE
                             : kind == 1 ? wire::ELLIPSOID
                                         : wire::BOX));
    for (int k = 0; k < sizes; ++k) shape.add_size(kHalf);
  }

  // On the ground, on the last one or beside it.
  void add_body() {
    const int number = scene_.bodies_size();
    wire::Body& body = *scene_.add_bodies();
    body.set_mass(std::pow(10.0F, between(-1, 1)));
    const float inertia = 0.4F * body.mass() * kHalf * kHalf;
    body.add_inertia(inertia);
    if (!plane_)
      for (const float i : {inertia, inertia, 0.0F, 0.0F, 0.0F}) body.add_inertia(i);
    set_shape(body);
    const bool stacked = chance(0.5F);
    const auto up = static_cast<float>(stacked ? 2 * number - 1 : 1);
    set_pose(body, stacked ? 0 : 2 * kHalf * static_cast<float>(number), kHalf * up);
  }

  void add_contacts() {
    for (int b = 1; b < scene_.bodies_size(); ++b)
      for (int a = 0; a < b && scene_.contacts_size() < 4; ++a) {
        if (a > 0 && !chance(0.7F)) continue;
        if (scene_.bodies(a).mass() == 0 && scene_.bodies(b).mass() == 0 && scene_.bodies(b).link() == 0)
          continue;
        wire::Contact& contact = *scene_.add_contacts();
        contact.set_a(static_cast<std::uint32_t>(a));
        contact.set_b(static_cast<std::uint32_t>(b));
        contact.set_friction(between(0, 1));
        if (implicit_) continue;
        if (chance(0.1F)) contact.set_restitution(between(0, 0.9F));
        if (scene_.law() == wire::BY_CONTACT && chance(0.2F)) add_patch(contact);
      }
  }

  // Lumped, or a window over the material of either body.
  void add_patch(wire::Contact& contact) {
    wire::Patch& patch = *contact.mutable_patch();
    const bool spread = chance(0.5F);
    patch.set_columns(spread ? 1 + below(plane_ ? 5 : 3) : 1);
    patch.set_rows(spread && !plane_ ? 1 + below(2) : 1);
    if (spread) {
      patch.set_spacing(1e-3F);
      patch.set_compliance(1e-7F);
      patch.set_poisson(0.3F);
      contact.set_first_is_elastic(chance(0.5F));
    } else {
      patch.set_stiffness(2e4F);
      patch.set_damping(200);
    }
  }

  // What a step does besides.
  void add_keys() {
    scene_.set_impact(static_cast<wire::ImpactLaw>(below(5)));
    scene_.set_impact_order(static_cast<wire::ImpactOrder>(below(2)));
    if (chance(0.3F)) {
      const float noise = std::pow(10.0F, between(-6, -4));
      auto& is = *scene_.mutable_uncertainty();
      is.set_position(noise);
      is.set_angle(2 * noise);
      is.set_velocity(10 * noise);
      is.set_angular_velocity(20 * noise);
      is.set_joint(noise);
      is.set_joint_velocity(10 * noise);
    }
    if (chance(0.1F)) scene_.set_fixed_point(1 + below(4));
    scene_.set_uniqueness(plane_ && chance(0.3F));
  }

  void add_joint() {
    wire::Joint& joint = *scene_.add_joints();
    joint.set_kind(static_cast<wire::JointKind>(below(4)));
    joint.set_a(1);
    joint.set_b(2);
    for (int k = 0; k < dim(); ++k) joint.add_anchor(kHalf);
    for (int k = 0; k < dim(); ++k) joint.add_axis(k == 0 ? 1 : 0);
  }

  // A chain over the floor, with a ball at its end.
  void add_links(std::uint32_t links) {
    for (std::uint32_t j = 0; j < links; ++j) {
      wire::Link& link = *scene_.add_links();
      link.set_parent(j);
      for (const float x : {0.0F, 0.0F, j == 0 ? 0.3F : 0.1F, 1.0F, 0.0F, 0.0F, 0.0F}) link.add_at(x);
      const std::uint32_t along = below(3);
      for (std::uint32_t k = 0; k < 3; ++k) link.add_axis(k == along ? 1 : 0);
      link.set_mass(between(0.1F, 1));
      for (const float i : {1e-3F, 1e-3F, 1e-3F, 0.0F, 0.0F, 0.0F}) link.add_inertia(i);
      link.set_friction(chance(0.5F) ? 0 : between(0, 1));
      if (chance(0.3F)) {
        link.set_lower(-1);
        link.set_upper(1);
      }
      link.set_q(signed_to(0.5F));
      link.set_stiffness(chance(0.5F) ? 0 : between(1, 100));
      link.set_damping(link.stiffness() / 10);
    }
    wire::Body& tip = *scene_.add_bodies();
    tip.mutable_shape()->set_kind(wire::SPHERE);
    tip.mutable_shape()->add_size(0.02F);
    tip.set_link(links);
    set_pose(tip, 0, 0);
  }

  std::mt19937 random_;
  bool has_implicit_;
  wire::Configure scene_;
  bool plane_ = false, implicit_ = false;
};

}  // namespace tactus::hil
