// Why a description is refused: one type for shapes, bodies, contacts, arms, worlds and messages.
//
//     if (const Error error = add_body(world, body, index)) return std::puts(Sentence(error).text());
//
// `what` is wrong with item number `index` (a body, contact, joint, link or component, -1: there is none);
// where it is an amount, so much was `needed`, or is the limit, and so much is there to `have`. sentence.hpp
// has the words. What refuses, changes nothing.
#pragma once

#include <cstdint>

namespace tactus {

// In groups, each with the items that `index` counts: see list_of(). A message carries the number, so a new
// one that is not the last takes another wire::kVersion.
enum class What : std::uint8_t {
  none,

  // A world.
  step,
  gravity,
  facets,
  part,

  // Its bodies.
  body_capacity,
  moving_capacity,
  mass,
  inertia,
  pose,
  velocity,
  spin,
  force,
  moving_half_space,

  // Their shapes, and these as implicit surfaces.
  shape_kind,
  shape_not_finite,
  shape_size,
  shape_normal,
  too_few_sides,
  too_many_sides,
  shape_place,
  no_surface,
  surface_capacity,
  surface_empty,
  surface_origin,
  surface_unbounded,
  pose_numbers,
  velocity_numbers,
  force_numbers,
  inertia_numbers,
  carried,
  unknown_link,

  // Its contacts.
  contact_capacity,
  slot_capacity,
  point_capacity,
  patch_capacity,
  unknown_body,
  same_body,
  both_fixed,
  unsupported_pair,
  friction,
  ellipsoid,
  restitution,
  compliant_restitution,
  points,
  point,
  patch_elements,
  patch_spacing,
  patch_compliance,
  patch_poisson,
  patch_stiffness,
  patch_damping,
  patch_eigenvalues,
  no_ellipsoid,
  no_patch,
  no_restitution,
  no_other_friction,
  ellipsoid_numbers,

  // Its joints.
  joint_capacity,
  joint_anchor,
  joint_axis,
  joint_on_arm,
  no_joints,
  joint_kind,
  anchor_numbers,
  axis_numbers,

  // Its arms, and their links.
  arm_capacity,
  arm_base,
  arm_position,
  arm_speed,
  arm_torque,
  arm_mass,
  link_capacity,
  link_parent,
  link_frame,
  link_axis,
  link_mass,
  link_inertia,
  link_drive,
  link_limits,
  no_arms,
  link_kind,
  link_pose_numbers,
  link_axis_numbers,
  link_centre_numbers,
  link_inertia_numbers,
  link_gains,

  // What a board's image has not, and the rest of CONFIGURE.
  no_law,
  no_doubt,
  unreadable,
  mode,
  real_time,
  beats,
  horizon_share,
  horizon,
  nothing_moves,
  step_too_long,
  doubt_members,
  doubt_deviation,
  innovation_limit,
  gravity_numbers,

  // Motors and mimics of arms.
  link_effort,
  servo_capacity,
  link_mimic,
  mimic_leader,
  mimic_itself,
  mimic_chain,
  mimic_start,
  mimic_capacity,

  // The law of a world, again.
  law_of_bodies,

  // What is measured.
  uncertainty,
  no_uncertainty,

  // How a step is taken.
  normal_rule,
  fixed_point,
  recovery_speed,

  // The law of impacts.
  impact,
  // CONFIGURE, again.
  tick_too_short,

  // An instant.
  instant_law,
  instant_state,
  instant_points,
  instant_impact,
  instant_stop,
  instant_passes,
  instant_capacity,
  instant_mode,

  // Its contacts, again.
  patch_damping_ratio,
  patch_stiffness_t,
  patch_matrix,
  elastic_body,

  end  // not an error: how many there are
};

// The list in a scene that `index` counts, or none. Arms count all their links.
constexpr const char* list_of(What what) {
  if (what >= What::link_effort && what <= What::mimic_capacity) return "arms";
  if (what == What::impact) return "contacts";
  if (what >= What::patch_damping_ratio && what <= What::elastic_body) return "contacts";
  if (what < What::body_capacity || what >= What::no_law) return "";
  if (what < What::contact_capacity) return "bodies";
  if (what < What::joint_capacity) return "contacts";
  return what < What::arm_capacity ? "joints" : "arms";
}

struct [[nodiscard]] Error {
  What what = What::none;
  int index = -1;
  float needed = 0, have = 0;

  constexpr Error() = default;
  constexpr Error(What w, int i = -1) : what(w), index(i) {}
  template <class Needed, class Have>
  constexpr Error(What w, int i, Needed n, Have h)
      : what(w), index(i), needed(static_cast<float>(n)), have(static_cast<float>(h)) {}

  // True where something is wrong.
  constexpr explicit operator bool() const { return what != What::none; }
  // The same of item number i.
  constexpr Error of(int i) const { return {what, i, needed, have}; }
};

constexpr bool operator==(const Error& error, What what) {
  return error.what == what;
}

}  // namespace tactus
