// What a step works on: the model (constants, checked when built), the state (all that changes) and the
// workspace (scratch and results). All three are plain data of sizes known at compile time; a state can be
// copied to try a future.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>

#include "tactus/contact/friction.hpp"
#include "tactus/contact/guess.hpp"
#include "tactus/contact/outcome.hpp"
#include "tactus/contact/patch.hpp"
#include "tactus/contact/song.hpp"
#include "tactus/contact/stewart.hpp"
#include "tactus/dynamics/joint.hpp"
#include "tactus/geometry/shape.hpp"
#include "tactus/lcp/solver.hpp"
#include "tactus/stepper/arm.hpp"

namespace tactus::stepper {

// What a world can be compiled without, for its text and time. What is missing is refused when the world is
// built.
using Parts = std::uint8_t;
enum Part : Parts {
  box_form = 1,          // the LCP of Song 2004 (18), for contact::Pyramid::box
  facet_form = 2,        // that of Stewart 2000 (2.16); it also takes over where the box form is singular
  restitution = 4,       // of rigid contacts
  varying_friction = 8,  // FrictionKind other than constant
  printed_rules = 16,    // NormalRule other than gap
  repeated_steps = 32,   // Method::fixed_point > 0
  energy_balance = 64,   // StepReport::energy; without, it is zero
  round_cone = 128,      // FrictionLaw other than pyramid
  every_part = 255
};

// Everything that takes memory. Each contact point is one element, or a patch of several; an element keeps
// its deformation and its grip in a slot of its own, whether it touches or not.
struct Capacity {
  int bodies = 2;     // fixed ones too
  int contacts = 1;   // pairs of bodies
  int slots = 4;      // elements of all pairs: see point_slots
  int active = 4;     // elements that can touch within one step
  int unknowns = 16;  // of one step's LCP: see lcp_unknowns
  int joints = 0;
  int arm_joints = 0;                             // of all arms together; space only
  int patches = 0;                                // different compliant patches
  int patch_elements = 0;                         // of the largest patch
  int points = 0;                                 // contact points that are given by hand
  bool torsion = false;                           // friction ellipsoids; space only
  geometry::PairSet pairs = geometry::kAllPairs;  // pairs of shapes whose geometry is compiled in
  Parts parts = every_part;

  constexpr bool has(Part part) const { return (parts & part) != 0; }
};

template <int Dim>
constexpr int lcp_unknowns(int active, contact::Pyramid pyramid, int facets) {
  return pyramid == contact::Pyramid::box ? contact::song::unknowns<Dim>(active)
                                          : contact::stewart::unknowns(active, Dim == 2 ? 2 : facets);
}

template <class Scalar, int Dim>
using Shape = std::conditional_t<Dim == 2, geometry::PlanarShape<Scalar>, geometry::SpatialShape<Scalar>>;

inline constexpr int kMaxTouches = 8;  // contact points of one pair in one step

// What stands in the normal row beside the speed s_n.
enum class NormalRule : std::uint8_t {
  gap,     // s_n + (Psi + delta_n) / h >= 0; restitution as below. It lands on time and takes back drift
  song,    // s_n >= 0, as printed in Song 2004 (13) and (14): once apart, a body hangs where it turned back
  stewart  // n . (v' + e v) >= 0 where the gap after h v is negative, else no contact: Stewart 2000 (2.13) as
           // printed
};

// With NormalRule::gap and a restitution e > 0, a point that is closing and would touch within the step takes
// n . (v' + e v) >= 0 (Newton), and the gap's row at every other time. Restitution belongs to the rigid law
// only.

// How friction is solved. The cones need the part round_cone.
enum class FrictionLaw : std::uint8_t {
  pyramid,       // modes first, then the LCP
  relaxed_cone,  // Negrut 2017: convex, but what slides is held h mu v_T above its contact
  cone           // Coulomb's law with the round cone
};

struct Method {
  FrictionLaw friction = FrictionLaw::pyramid;
  NormalRule normal = NormalRule::gap;
  contact::Pyramid pyramid = contact::Pyramid::facets;  // box is for the compliant law, facets for both
  std::uint8_t facets = 4;                              // space: 4, 8 or 16
  // Further solves of one step with W at the estimated q' (Stewart 2000, 2.3; stepper/drift.hpp); space.
  std::uint8_t fixed_point = 0;
  bool modes_first = true;            // try the last step's modes before the LCP, see contact/guess.hpp
  std::uint16_t pivot_budget = 1000;  // of the cones: linear systems
};

template <class Scalar>
struct Contact {
  dynamics::Pair bodies;  // the normal points from a to b
  contact::Friction<Scalar> friction;
  Scalar restitution = 0;
  std::int8_t patch = -1;         // -1: rigid
  std::uint8_t elements = 1;      // of a point
  std::uint8_t point_slots = 1;   // points that are remembered
  std::uint8_t given_points = 0;  // 0: the geometry finds them
  std::uint16_t first_point = 0;
  std::uint16_t first_slot = 0;
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
  Array<dynamics::Inertia<Scalar, Dim>, C.bodies> inertia;
  Array<Shape<Scalar, Dim>, C.bodies> shape;
  Array<Scalar, C.bodies> radius{};  // that bounds the shape, m; 0 for a half-space
  Array<Contact<Scalar>, C.contacts> contact;
  Array<dynamics::Joint<Scalar, Dim>, C.joints> joint;
  [[no_unique_address]] ArmModel<Scalar, C.arm_joints, C.bodies> arm;
  Array<contact::Patch<Scalar, Dim, C.patch_elements>, C.patches> patch;
  Array<math::Vector<Scalar, Dim>, C.points> point;  // in the frame of the contact's body b
  [[no_unique_address]] Ellipsoids<Scalar, (C.torsion ? C.contacts : 0)> ellipsoid;

  constexpr NormalRule normal_rule() const { return C.has(printed_rules) ? method.normal : NormalRule::gap; }
};

// Of a compliant contact in space, both zero where it did not touch.
template <class Scalar>
struct LastFrame {
  std::array<Scalar, 3> normal{}, tangent{};
};

template <class Scalar, int Dim, Capacity C>
struct State {
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;

  Array<dynamics::Pose<Scalar, Dim>, C.bodies> pose;
  Array<dynamics::Motion<Scalar, Dim>, C.bodies> velocity;
  Array<dynamics::Motion<Scalar, Dim>, C.bodies>
      force;  // applied, without gravity; the caller may write it every step
  [[no_unique_address]] Array<math::Vector<Scalar, Dim>, (C.patches > 0 ? C.slots : 0)>
      delta;  // deformation in the contact frame, m; the frame moves with the contact
  [[no_unique_address]] Array<LastFrame<Scalar>, (Dim == 3 && C.patches > 0 ? C.slots : 0)>
      last_frame;  // of the patch that begins at the slot: carried_frame.hpp
  Array<contact::Grip, C.slots> grip;
  Array<contact::Remembered, C.slots>
      mode;  // what the next step guesses first; value-initialised: nothing is known
  // Where the round cones start: the forces of the last step, in units of an ellipsoid's axes where it has
  // one.
  [[no_unique_address]] Array<std::array<Scalar, C.torsion ? 4 : Dim>, C.has(round_cone) ? C.slots : 0>
      lambda;
  [[no_unique_address]] ArmState<Scalar, C.arm_joints>
      arm;  // where its links are is here; place_carried() writes the poses of what they carry
};

template <class Scalar, int Dim, Capacity C>
struct World {
  static constexpr int kDim = Dim;
  static constexpr Capacity kCapacity = C;
  using ScalarType = Scalar;

  Model<Scalar, Dim, C> model;
  State<Scalar, Dim, C> state{};
};

// Moments about n, on b (N m), and the contact problem with four rows an element.
template <class Scalar, int Active>
struct TorsionWork {
  template <int N>
  using Array = std::array<Scalar, static_cast<std::size_t>(N)>;
  Array<Active> moment;
  Array<4 * Active> lambda, s, b;
  Array<16 * Active * Active> A;
};
template <class Scalar>
struct TorsionWork<Scalar, 0> {};

// One element of the step's contact problem.
template <class Scalar, int Dim>
struct Element {
  dynamics::Pair bodies;
  std::uint8_t contact = 0;
  std::uint8_t within = 0;  // number of the element in its patch
  std::uint16_t slot = 0;
  Scalar gap = 0;  // m, without deformation
  dynamics::PointFrame<Scalar, Dim> frame;
};

template <class Scalar, int Dim, Capacity C>
struct Workspace {
  static constexpr int kRows = C.active * Dim;
  static constexpr int kJointRows = C.joints * dynamics::kJointRows<Dim>;
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;

  lcp::Workspace<Scalar, C.unknowns> solver;

  // Results of the last step.
  int elements = 0;
  Array<Element<Scalar, Dim>, C.active> element;
  Array<Scalar, kRows> lambda;  // N, Dim an element: n, t (, o)
  Array<Scalar, kRows> s;       // m/s; the normal one with the gap's share
  Array<contact::Outcome<Scalar>, C.active> outcome;
  [[no_unique_address]] TorsionWork<Scalar, (C.torsion ? C.active : 0)> torsion;

  // Scratch.
  Array<dynamics::Mobility<Scalar, Dim>, C.bodies> body;
  Array<Scalar, (C.patches > 0 ? kRows : 0)> drop;  // B delta
  Array<Scalar, C.active> mu;
  Array<Scalar, C.unknowns * C.unknowns> M;
  Array<Scalar, C.unknowns> q;  // before the LCP: the offsets of the rows
  Array<std::uint8_t, C.unknowns> block;

  // A and b live where the solver works once they have been turned into M and q.
  static constexpr int kScratch = static_cast<int>(std::tuple_size_v<decltype(solver.block)>);
  static_assert(kRows * (kRows + 1) <= kScratch, "unknowns is too small for this many active elements");
  Scalar* A() { return solver.block.data(); }
  Scalar* b() { return solver.block.data() + kRows * kRows; }

  // Joints: rows, errors, Cholesky factor of W M^-1 W^T, and L^-1 W_joint M^-1 W^T, one column a contact row.
  int joint_rows = 0;
  Array<dynamics::Row<Scalar, Dim>, kJointRows> joint_row;
  Array<dynamics::Pair, kJointRows> joint_pair;
  Array<Scalar, kJointRows> joint_error, joint_impulse;
  Array<Scalar, kJointRows * kJointRows> joint_factor;
  Array<Scalar, kJointRows * kRows> joint_coupling;

  [[no_unique_address]] ArmWork<Scalar, C.arm_joints, kRows> arm;
};

}  // namespace tactus::stepper
