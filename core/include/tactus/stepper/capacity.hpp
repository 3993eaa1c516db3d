// What a world is compiled for: its sizes and its parts.
#pragma once

#include <cstdint>

#include "tactus/geometry/shape.hpp"

namespace tactus::stepper {

// What a world can be compiled without, for its text and time. What is missing is refused when the world is
// built.
using Parts = std::uint16_t;
enum Part : Parts {
  restitution = 1,         // of rigid contacts
  varying_friction = 2,    // FrictionKind other than constant
  printed_rules = 4,       // NormalRule other than gap
  repeated_steps = 8,      // Method::fixed_point > 0
  energy_balance = 16,     // StepReport::energy; without, it is zero
  round_cone = 32,         // FrictionLaw other than pyramid
  second_answer = 64,      // Method::seek_second; not one of every_part, since it takes memory of its own
  material_patches = 128,  // PatchLaw of several elements that is not `printed`
  own_matrices = 256,      // PatchLaw::K and C
  every_part = 511 - second_answer
};

// Everything that takes memory. Each contact point is one element, or a patch of several; an element keeps
// its deformation and its grip in a slot of its own, whether it touches or not. A world with `pieces` has the
// geometrically implicit law; one that has no `active` elements has nothing else.
struct Capacity {
  int bodies = 2;    // fixed ones too
  int contacts = 1;  // pairs of bodies
  int slots = 4;     // elements of all pairs: see point_slots
  int active = 4;    // elements that can touch within one step
  int joints = 0;
  int arm_joints = 0;                             // of all arms together; space only
  int servos = 0;                                 // of these, joints whose motor has a limit
  int mimics = 0;                                 // and joints that another one leads
  int patches = 0;                                // different compliant patches
  int patch_elements = 0;                         // of the largest patch
  int points = 0;                                 // contact points that are given by hand
  bool torsion = false;                           // friction ellipsoids; space only
  int pieces = 0;                                 // implicit surfaces of one body: implicit.hpp
  int moving = 0;                                 // bodies that the implicit law moves; 0: all
  geometry::PairSet pairs = geometry::kAllPairs;  // pairs of shapes whose geometry is compiled in
  Parts parts = every_part;

  constexpr bool has(Part part) const { return (parts & part) != 0; }
  constexpr bool has_rows() const { return active > 0 || pieces == 0; }
};

}  // namespace tactus::stepper
