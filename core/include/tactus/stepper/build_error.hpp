// Why a world could not be built as asked: one enum and one sentence each.
#pragma once

#include <cstdint>

#include "tactus/contact/patch.hpp"

namespace tactus::stepper {

enum class BuildError : std::uint8_t {
  none,
  step,
  gravity,
  facets,
  part,
  body_capacity,
  mass,
  inertia,
  pose,
  velocity,
  force,
  shape,
  moving_half_space,
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
  patch_elements,
  patch_spacing,
  patch_compliance,
  patch_poisson,
  patch_stiffness,
  patch_damping,
  patch_eigenvalues,
  point,
  joint_capacity,
  joint_anchor,
  joint_axis,
  joint_on_arm,
  arm_capacity,
  arm_base,
  arm_position,
  arm_speed,
  arm_torque,
  arm_mass,
  unknown_link
};

constexpr const char* sentence(BuildError error) {
  switch (error) {
    case BuildError::none:
      return "The world was changed as asked.";
    case BuildError::step:
      return "The step h must be a positive finite number, and is set before anything compliant is added.";
    case BuildError::gravity:
      return "Gravity is not finite.";
    case BuildError::facets:
      return "A friction pyramid has 4, 8 or 16 facets.";
    case BuildError::part:
      return "This world was compiled without this law: see stepper::Part.";
    case BuildError::body_capacity:
      return "There are more bodies than this world was compiled for.";
    case BuildError::mass:
      return "A mass must be a positive finite number; a fixed body has mass 0.";
    case BuildError::inertia:
      return "An inertia must be finite, symmetric and positive definite.";
    case BuildError::pose:
      return "A pose must be finite, its quaternion of unit length.";
    case BuildError::velocity:
      return "A velocity must be finite, and a fixed body has none.";
    case BuildError::force:
      return "An applied force or torque must be finite.";
    case BuildError::shape:
      return "The shape has a size that is not positive, or a normal that is not a unit vector.";
    case BuildError::moving_half_space:
      return "A half-space must be fixed: give it no mass.";
    case BuildError::contact_capacity:
      return "There are more contact pairs than this world was compiled for.";
    case BuildError::slot_capacity:
      return "The contact elements of all pairs are more than this world was compiled for.";
    case BuildError::point_capacity:
      return "There are more given contact points than this world was compiled for.";
    case BuildError::patch_capacity:
      return "There are more different patches than this world was compiled for.";
    case BuildError::unknown_body:
      return "A contact or joint names a body that does not exist.";
    case BuildError::same_body:
      return "A contact or joint needs two different bodies.";
    case BuildError::both_fixed:
      return "Two fixed bodies cannot be in contact or joined.";
    case BuildError::unsupported_pair:
      return "There is no contact geometry for this pair of shapes, or it is not compiled in.";
    case BuildError::friction:
      return "A friction coefficient must be finite and not negative, static at least kinetic, and its speed "
             "positive.";
    case BuildError::ellipsoid:
      return "A friction ellipsoid needs finite axes that are not negative, and a rigid contact in a world "
             "without arms.";
    case BuildError::restitution:
      return "A restitution must lie between 0 and 1.";
    case BuildError::compliant_restitution:
      return "A compliant contact has no restitution: its damping says how it rebounds.";
    case BuildError::patch_elements:
      return "A patch needs at least one element and at most as many as compiled for, in the plane in one "
             "row.";
    case BuildError::patch_spacing:
      return "The spacing of a patch must be a positive finite number.";
    case BuildError::patch_compliance:
      return "The compliance of a patch must be a positive finite number.";
    case BuildError::patch_poisson:
      return "Poisson's ratio must lie between 0 and 0.5.";
    case BuildError::patch_stiffness:
      return "The stiffness of a contact must be a positive finite number.";
    case BuildError::patch_damping:
      return "The damping of a contact must be finite and not negative.";
    case BuildError::patch_eigenvalues:
      return "The influence matrix of the patch is not positive definite.";
    case BuildError::point:
      return "A given contact point must be finite, and body a a half-space.";
    case BuildError::joint_capacity:
      return "There are more joints than this world was compiled for.";
    case BuildError::joint_anchor:
      return "The anchor of a joint must be finite.";
    case BuildError::joint_axis:
      return "The axis of a joint must be finite and not zero.";
    case BuildError::joint_on_arm:
      return "A joint between bodies cannot hold what a link of an arm carries.";
    case BuildError::arm_capacity:
      return "An arm needs a joint at least, and all arms at most as many as this world was compiled for.";
    case BuildError::arm_base:
      return "The base of an arm must be finite, its quaternion of unit length.";
    case BuildError::arm_position:
      return "A joint position of an arm must be finite and within the limits of the joint.";
    case BuildError::arm_speed:
      return "A joint speed of an arm must be finite.";
    case BuildError::arm_torque:
      return "A joint torque of an arm must be finite.";
    case BuildError::arm_mass:
      return "There is a motion of the arm's joints that moves no mass.";
    case BuildError::unknown_link:
      return "A shape is to be carried by a link that does not exist.";
  }
  return "Unknown error.";
}

constexpr BuildError build_error(contact::PatchError error) {
  using contact::PatchError;
  switch (error) {
    case PatchError::none:
      return BuildError::none;
    case PatchError::elements:
      return BuildError::patch_elements;
    case PatchError::spacing:
      return BuildError::patch_spacing;
    case PatchError::compliance:
      return BuildError::patch_compliance;
    case PatchError::poisson:
      return BuildError::patch_poisson;
    case PatchError::stiffness:
      return BuildError::patch_stiffness;
    case PatchError::damping:
      return BuildError::patch_damping;
    case PatchError::eigenvalues:
      return BuildError::patch_eigenvalues;
  }
  return BuildError::patch_eigenvalues;
}

}  // namespace tactus::stepper
