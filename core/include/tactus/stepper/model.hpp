// What a step works on: the model (constants, checked when built), the state (all that changes) and the
// workspace (scratch and results). All three are plain data of sizes known at compile time; a state can be
// copied to try a future.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "tactus/contact/friction.hpp"
#include "tactus/contact/impact_law.hpp"
#include "tactus/contact/outcome.hpp"
#include "tactus/contact/pyramid.hpp"
#include "tactus/contact/remembered.hpp"
#include "tactus/dynamics/joint.hpp"
#include "tactus/stepper/arm.hpp"
#include "tactus/stepper/implicit_model.hpp"
#include "tactus/stepper/laws.hpp"

namespace tactus::stepper {

template <class Scalar, int Dim>
using Shape = std::conditional_t<Dim == 2, geometry::PlanarShape<Scalar>, geometry::SpatialShape<Scalar>>;

inline constexpr int kMaxTouches = 8;  // contact points of one pair in one step

// How friction is solved. The cones need the part round_cone, the implicit law Capacity::pieces.
enum class FrictionLaw : std::uint8_t {
  pyramid,       // Coulomb's law; by Pyramid::box each tangential row by itself
  relaxed_cone,  // Negrut 2017: convex, but what slides is held h mu v_T above its contact
  cone,          // Coulomb's law by another name
  implicit       // and gaps, normals and places of contact at the end of the step: implicit.hpp
};

// Several contacts that are hit within one step: one after another as they come, of those that touch the one
// that closes fastest (three balls at rest struck by one: 0, 0, 0, 2), or all with one solve (-1, 1, 1, 1).
enum class ImpactOrder : std::uint8_t { in_turn, together, end };

using contact::ImpactLaw;

struct Method {
  FrictionLaw friction = FrictionLaw::pyramid;
  NormalRule normal = NormalRule::gap;
  contact::Pyramid pyramid = contact::Pyramid::facets;  // facets: friction opposes the slip
  std::uint8_t facets = 4;                              // space: 4, 8 or 16; checked, and changes nothing
  ImpactLaw impact = ImpactLaw::poisson;                // of contacts that have no law of their own
  ImpactOrder impacts = ImpactOrder::in_turn;
  // Further solves of one step with W at the estimated q' (Stewart 2000, 2.3; stepper/drift.hpp).
  std::uint8_t fixed_point = 0;
  // At which rows of gaps push bodies apart that are in each other, at most, m/s; see add_gap.
  double recovery_speed = std::numeric_limits<double>::infinity();
  bool seek_second = false;           // say whether the motion is unique, see several.hpp
  bool modes_first = true;            // try the last step's modes before the path, see contact/guess.hpp
  std::uint16_t pivot_budget = 1000;  // flips of a path; linear systems of relaxed_cone and implicit
};

// With the numbers of its law: laws.hpp.
template <class Scalar>
struct Contact : Laws::Numbers<Scalar> {
  dynamics::Pair bodies;  // the normal points from a to b
  contact::Friction<Scalar> friction;
  Scalar restitution = 0;  // e
  ImpactLaw impact = ImpactLaw::of_scene;
  std::uint8_t elements = 1;      // of a point
  std::uint8_t point_slots = 1;   // points that are remembered
  std::uint8_t given_points = 0;  // 0: the geometry finds them
  std::uint16_t first_point = 0;
  std::uint16_t first_slot = 0;

  std::uint8_t elastic_body() const { return this->first_is_elastic ? bodies.a : bodies.b; }
  std::uint8_t other_body() const { return this->first_is_elastic ? bodies.b : bodies.a; }
};

// e_t, e_o, e_r of each contact; zero: the coefficient alone. See set_ellipsoid.
template <class Scalar, int Contacts>
struct Ellipsoids {
  bool given = false;
  std::array<math::Vector<Scalar, 3>, static_cast<std::size_t>(Contacts)> axes{};

  Ellipsoids() {
    for (auto& e : axes) e.setZero();
  }
  bool any() const { return given; }
  math::Vector<Scalar, 3> operator[](int c) const {
    const auto& e = axes[static_cast<std::size_t>(c)];
    return e.isZero(0) ? math::Vector<Scalar, 3>(1, 1, 0) : e;
  }
};
template <class Scalar>
struct Ellipsoids<Scalar, 0> {
  static constexpr bool any() { return false; }
};

template <class Scalar, int Dim, Capacity C>
struct Model {
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;

  int bodies = 0, contacts = 0, joints = 0, patches = 0, slots = 0, points = 0;
  Scalar h = 0;  // s
  math::Vector<Scalar, Dim> gravity = math::Vector<Scalar, Dim>::Zero();
  Method method;
  Scalar recovery = std::numeric_limits<Scalar>::infinity();  // the method's, m/s
  Array<dynamics::Inertia<Scalar, Dim>, C.bodies> inertia;
  [[no_unique_address]] Array<Shape<Scalar, Dim>, (C.has_rows() ? C.bodies : 0)> shape;
  Array<Scalar, C.bodies> radius{};  // that bounds the shape, m; 0 for a half-space
  Array<Contact<Scalar>, C.contacts> contact;
  Array<dynamics::Joint<Scalar, Dim>, C.joints> joint;
  [[no_unique_address]] ArmModel<Scalar, C.arm_joints, C.bodies, C.servos, C.mimics> arm;
  static constexpr contact::PatchParts kPatchParts{
      .energy = C.has(energy_balance), .material = C.has(material_patches), .own = C.has(own_matrices)};
  Array<contact::Patch<Scalar, Dim, C.patch_elements, kPatchParts>, C.patches> patch;
  Array<math::Vector<Scalar, Dim>, C.points> point;  // in the frame of the contact's body b
  [[no_unique_address]] Ellipsoids<Scalar, (C.torsion ? C.contacts : 0)> ellipsoid;
  [[no_unique_address]] ImplicitModel<Scalar, Dim, C> implicit;

  constexpr bool is_implicit() const {
    return C.pieces > 0 && (!C.has_rows() || method.friction == FrictionLaw::implicit);
  }
  constexpr NormalRule normal_rule() const { return C.has(printed_rules) ? method.normal : NormalRule::gap; }
};

// Where a patch touched last: its middle in the frame of the elastic body, m, and in space its directions,
// zero where it never did; of printed and lumped ones in the world's.
template <int Dim, Capacity C>
inline constexpr bool kHasAnchors = kDeforms<C> && (Dim == 3 || C.has(material_patches));
template <class Scalar, int Dim>
struct Anchor {
  std::array<Scalar, static_cast<std::size_t>(Dim)> place{};
  bool known = false;
};
template <class Scalar>
struct Anchor<Scalar, 3> {
  std::array<Scalar, 3> place{}, normal{}, tangent{};
  bool known = false;
};

template <class Scalar, int Dim, Capacity C>
struct State {
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;

  Array<dynamics::Pose<Scalar, Dim>, C.bodies> pose;
  Array<dynamics::Motion<Scalar, Dim>, C.bodies> velocity;
  Array<dynamics::Motion<Scalar, Dim>, C.bodies>
      force;  // applied, without gravity; the caller may write it every step
  [[no_unique_address]] Array<math::Vector<Scalar, Dim>, (kDeforms<C> ? C.slots : 0)>
      delta;  // deformation in the contact frame, m; the frame moves with the contact
  [[no_unique_address]] Array<Anchor<Scalar, Dim>, (kHasAnchors<Dim, C> ? C.slots : 0)>
      anchor;  // of the point that begins at the slot: carried_frame.hpp, elastic_body.hpp
  Array<contact::Grip, C.slots> grip;
  Array<contact::Remembered, C.slots>
      mode;  // what the next step guesses first; value-initialised: nothing is known
  [[no_unique_address]] ArmState<Scalar, C.arm_joints, C.servos>
      arm;  // where its links are is here; place_carried() writes the poses of what they carry
  [[no_unique_address]] ImplicitState<Scalar, Dim, C> implicit;
};

template <class Scalar, int Dim, Capacity C>
struct World {
  static constexpr int kDim = Dim;
  static constexpr Capacity kCapacity = C;
  using ScalarType = Scalar;

  Model<Scalar, Dim, C> model;
  State<Scalar, Dim, C> state{};
};

}  // namespace tactus::stepper
