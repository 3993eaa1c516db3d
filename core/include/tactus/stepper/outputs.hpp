// What each movement of a step writes, and nobody else: place, find, impacts, couple, solve, move. A movement
// reads the outputs before it as constants, so each number has one meaning from the moment it is written
// until the next step. Together they are the Workspace, all the memory that a step needs beside Model and
// State.
//
// For others than the step: `found`, `rows`, `answer` and `next` hold what the last step was; StepReport
// sums them up by contact.
#pragma once

#include "tactus/contact/guess.hpp"
#include "tactus/contact/impact.hpp"
#include "tactus/contact/outcome.hpp"
#include "tactus/lcp/problem.hpp"
#include "tactus/lcp/rows/solver.hpp"
#include "tactus/stepper/model.hpp"

namespace tactus::stepper {

using contact::RowMode;

namespace detail {

template <class T>
constexpr std::size_t at(T i) {
  return static_cast<std::size_t>(i);
}

template <class T, int N>
using Array = std::array<T, static_cast<std::size_t>(N)>;

}  // namespace detail

// Rows of one step at most: bilateral joints, arms, contacts. Of arms those of joints, of mimics, of servos.
template <int Dim, Capacity C>
struct RowCount {
  static constexpr int kBilateral = C.joints * dynamics::kJointRows<Dim>;
  static constexpr int kDriven = C.arm_joints > 0 ? C.servos + C.mimics : 0;
  static constexpr int kArm = C.arm_joints + kDriven;
  static constexpr int kPlain = kBilateral + kArm;
  static constexpr int kContact = C.active * Dim;
  static constexpr int kAll = kPlain + kContact;
};

// place: a motor with a limit and what it would do, see place.hpp.
template <class Scalar>
struct Servo {
  std::uint8_t joint = 0;
  Scalar most = 0;   // N m or N
  Scalar give = 0;   // rad/s/N m or m/s/N: how much slower than `want` it turns for each unit that it gives
  Scalar want = 0;   // rad/s or m/s
  Scalar scale = 0;  // of its row
};
template <class Scalar, int Joints, int Servos>
struct PlacedServos {
  int count = 0;
  detail::Array<Servo<Scalar>, Servos> servo;
  dynamics::JointVector<Scalar, Joints> held;  // N m or N, of motors with a limit and without a row
};
template <class Scalar, int Joints>
struct PlacedServos<Scalar, Joints, 0> {};

// place: arms at q_n. M and drive have what the impedances add, see place.hpp.
template <class Scalar, int Joints, int Bodies, int Servos>
struct PlacedArms {
  using Values = dynamics::JointVector<Scalar, Joints>;

  dynamics::ArmPose<Scalar, Joints> pose;
  dynamics::MassMatrix<Scalar, Joints> M, L;  // and its Cholesky factor
  Values drive;                               // N m s of the step, without limits, friction and contacts
  Values speed;                               // with the drive alone
  detail::Array<dynamics::Motion<Scalar, 3>, Bodies> before;  // of what links carry, at the step's start
  [[no_unique_address]] PlacedServos<Scalar, Joints, Servos> servos;
};
template <class Scalar, int Bodies, int Servos>
struct PlacedArms<Scalar, 0, Bodies, Servos> {};

// Bodies, and behind them the links of arms.
template <Capacity C>
inline constexpr int kUnits = C.bodies + C.arm_joints;

// Whether a world has the stage of impacts.
template <Capacity C>
inline constexpr bool kBounces = C.has(restitution) && C.has_rows();

// impacts: what the impacts of a step give bodies and joints. All but `events` is of no meaning where that is
// 0. `late` is D: what hits at the time t changes the speed by dv, but the mean speed of the step only by
// (1 - t / h) dv, so that q' = q + h (v' - D).
template <class Scalar, int Dim, Capacity C, bool = kBounces<C>>
struct Impacts {
  int events = 0;
  bool certified = true;  // and none was left when their number was used up
  detail::Array<dynamics::Motion<Scalar, Dim>, C.bodies> impulse;  // N s and N m s
  detail::Array<dynamics::Motion<Scalar, Dim>, C.bodies> late;     // m/s and rad/s
  detail::Array<Scalar, C.bodies> time;                            // of the last that a body has a part in, s
  dynamics::JointVector<Scalar, C.arm_joints> arm_impulse, arm_late;  // by joint
  detail::Array<math::Vector<Scalar, Dim>, C.contacts> force;         // N, the mean of the step
  detail::Array<Scalar, kUnits<C>> speed;  // m/s, the largest that was stopped, by the root of an island
};
template <class Scalar, int Dim, Capacity C>
struct Impacts<Scalar, Dim, C, false> {
  static constexpr int events = 0;         // NOLINT(readability-identifier-naming): read like the members
  static constexpr bool certified = true;  // NOLINT(readability-identifier-naming)
};

template <class Scalar, int Dim, Capacity C>
struct Placed {
  // Frames and inertia at q_n; velocity: v + h M^-1 f with gravity and applied forces alone, and what impacts
  // add. So with the speed of arms.
  detail::Array<dynamics::Mobility<Scalar, Dim>, C.bodies> body;
  [[no_unique_address]] PlacedArms<Scalar, C.arm_joints, C.bodies, C.servos> arm;
  [[no_unique_address]] Impacts<Scalar, Dim, C> impacts;
};

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

inline constexpr std::uint8_t kFixed = 255;

// One pair of bodies cannot be two islands.
template <Capacity C>
inline constexpr bool kOneIsland = C.contacts <= 1 && C.joints == 0 && C.arm_joints == 0;

// Elements, joints and arms that act on each other within the step, and on nothing else.
struct Island {
  std::uint8_t root = 0;        // unit by which it is known
  int first = 0, elements = 0;  // of Found::order
};

// find: the elements that can touch within the step.
template <class Scalar, int Dim, Capacity C>
struct Found {
  static constexpr int kContact = RowCount<Dim, C>::kContact;

  bool good = true;       // no: a pose is not finite
  bool overflow = false;  // more elements could touch than there is room for
  bool crowded = false;   // of polygons only: corners_go_through says whether it matters
  Scalar reach = 0;       // m
  int elements = 0;
  detail::Array<Element<Scalar, Dim>, C.active> element;
  int islands = 0;
  detail::Array<Island, kUnits<C>> island;
  detail::Array<std::uint8_t, C.active> order;  // of elements, island by island
  detail::Array<std::uint8_t, kUnits<C>> root;  // by which the island of each is known; kFixed: in none
  detail::Array<Scalar, C.active> mu;
  detail::Array<Scalar, kContact> offset;                       // what stands beside W nu in each row
  detail::Array<Scalar, (kDeforms<C> ? kContact : 0)> carried;  // delta where the elements are now
  detail::Array<Scalar, (kDeforms<C> ? kContact : 0)> drop;     // B delta, of that
  detail::Array<Anchor<Scalar, Dim>, (kHasAnchors<Dim, C> ? C.active : 0)>
      anchor;  // of the point that begins there
};

// Of the rows that touch an arm: J, and Y = L^-1 J^T, by row. Plain rows have no J: plain_rows.hpp.
template <class Scalar, int Joints, int Contact, int Plain>
struct ArmRows {
  detail::Array<Scalar, Contact * Joints> J;
  detail::Array<Scalar, (Contact + Plain) * Joints> Y;  // contacts first
};
template <class Scalar, int Contact, int Plain>
struct ArmRows<Scalar, 0, Contact, Plain> {};

// Where the rows of mimics and of servos begin, and the number of the mimic or servo of each.
template <int Driven>
struct DrivenRows {
  int mimic = 0, servo = 0;
  bool left = false;  // stops and mimics contradict each other: joints stay as far off as they are
  detail::Array<std::uint8_t, Driven> number;
};
template <>
struct DrivenRows<0> {};

// couple: the rows of the one problem s = A lambda + b of an island. First those of bilateral joints, then
// one for each joint of an arm that has friction or limits, those of mimics and servos, then the contacts'.
template <class Scalar, int Dim, Capacity C>
struct Rows {
  using Count = RowCount<Dim, C>;

  int bilateral = 0, plain = 0, all = 0;
  detail::Array<Scalar, Count::kAll * Count::kAll> A;  // rows of `all` numbers
  detail::Array<Scalar, Count::kAll> b;
  detail::Array<Scalar, C.active> mu;
  detail::Array<contact::Staircase<Scalar>, Count::kPlain> staircase;
  detail::Array<dynamics::Row<Scalar, Dim>, Count::kBilateral> joint_row;
  detail::Array<dynamics::Pair, Count::kBilateral> joint_pair;
  detail::Array<std::uint8_t, Count::kBilateral> joint;  // of the row
  detail::Array<std::uint8_t, C.arm_joints> arm_joint;   // of the row bilateral + i
  [[no_unique_address]] ArmRows<Scalar, C.arm_joints, Count::kContact, Count::kArm> arm;
  [[no_unique_address]] DrivenRows<Count::kDriven> driven;

  // One behind the rows of joints, and one behind those of mimics.
  int first_mimic() const {
    if constexpr (Count::kDriven > 0) return driven.mimic;
    return plain;
  }
  int first_servo() const {
    if constexpr (Count::kDriven > 0) return driven.servo;
    return plain;
  }
};

// solve: N and m/s, Dim an element, in the order of Found::element; modes and margins by element. What is
// said of the whole is that of the worst island.
template <class Scalar, int Dim, Capacity C>
struct Answer {
  lcp::Status status = lcp::Status::solved;
  bool guessed = true;  // by the modes alone
  bool cut = false;     // the clock has ended it: there is no answer
  bool tried = false;   // and modes and forces that were tried for `island` are in the scratch
  int island = 0;       // the one that was solved last
  Scalar residual = 0;  // of the islands before it, see certify.hpp
  bool jammed = false;  // rows that ask each other apart had to give way
  bool proved = false;  // and a ray of the problem proves that they contradict each other
  int tries = 0;        // linear systems of the guess in one island at most, and
  int after_path = 0;   // from the modes of the path on
  int pivots = 0;
  int facets = 0;  // of a pyramid that friction was solved by; 0: it opposes the slip
  lcp::Certificate<Scalar> certificate;
  Scalar lift = 0;  // see StepReport
  detail::Array<Scalar, C.active * Dim> lambda, s;
  detail::Array<contact::Outcome<Scalar>, C.active> outcome;
  detail::Array<contact::Remembered, C.active> next_guess;
  detail::Array<Scalar, (C.torsion ? C.active : 0)> moment;  // about n, on b, N m
};

// The same of mimics, and of motors with a limit.
template <class Scalar, int Joints>
struct DrivenJoints {
  dynamics::JointVector<Scalar, Joints> mimic, motor;
};
template <class Scalar>
struct DrivenJoints<Scalar, 0> {};

// move: the velocities that the laws were solved for, and the state at the end of the step.
template <class Scalar, int Dim, Capacity C>
struct Next {
  detail::Array<dynamics::Motion<Scalar, Dim>, C.bodies> impulse;   // of contacts and joints, N s and N m s
  detail::Array<dynamics::Motion<Scalar, Dim>, C.bodies> velocity;  // at q_n
  // Of bilateral joints: force on b, N, and its moment about the centre of b, N m.
  detail::Array<dynamics::Motion<Scalar, Dim>, C.joints> joint_force;
  Scalar joint_work = 0, arm_contact_work = 0;           // of bilateral joints, and of contacts on arms, J
  dynamics::JointVector<Scalar, C.arm_joints> reaction;  // of limit and friction of each joint, N m or N
  [[no_unique_address]] DrivenJoints<Scalar, (RowCount<Dim, C>::kDriven > 0 ? C.arm_joints : 0)> driven;
  detail::Array<Scalar, (kGivesWay<C> ? C.active * Dim : 0)> give;  // R lambda
  State<Scalar, Dim, C> state;
};

// The velocities of a motion.
template <class Scalar, int Dim, Capacity C>
struct Motions {
  detail::Array<dynamics::Motion<Scalar, Dim>, C.bodies> velocity;  // at q_n
  dynamics::JointVector<Scalar, C.arm_joints> qd;
};

// several.hpp: another answer of one island, with its velocities. All else in `next` is of no worth.
template <class Scalar, int Dim, Capacity C>
struct Second {
  Answer<Scalar, Dim, C> answer;
  Next<Scalar, Dim, C> next;
  Motions<Scalar, Dim, C> first, other;
};

// Of the path (path.hpp): the problem as it takes it, and its own memory.
template <class Scalar, int kRows>
struct PathScratch {
  struct Axes {
    Scalar c = 1, s = 0;  // of an element's first axis; the second is (-s, c)
  };
  detail::Array<Scalar, kRows * kRows> A;
  detail::Array<Scalar, kRows> b, give;
  detail::Array<Scalar, kRows / 2 + 1> mu;
  detail::Array<lcp::rows::Row<Scalar>, kRows> row;
  detail::Array<lcp::rows::State, kRows> last;
  detail::Array<Axes, kRows / 2 + 1> axes;
  lcp::rows::Workspace<Scalar, kRows> path;
};

// Of a world with torsion: the problem with four rows an element, and its answer.
template <class Scalar, Capacity C>
struct TorsionScratch {
  static constexpr int kRows = C.torsion ? RowCount<3, C>::kPlain + 4 * C.active : 0;

  detail::Array<Scalar, kRows * kRows> A, system;
  detail::Array<Scalar, kRows> b, work, lambda, s;
  detail::Array<std::int16_t, kRows> row;
  detail::Array<contact::guess::ElementMode<Scalar, 4>, C.active> mode;
  PathScratch<Scalar, kRows> path;
};

// Stewart's fixed point: the velocities by which the bodies came to the poses where the rows are taken; zero
// of those that stand where they were.
template <int Dim, Capacity C>
inline constexpr bool kRepeats = C.has_rows() && C.has(repeated_steps);

template <class Scalar, int Dim, Capacity C, bool = kRepeats<Dim, C>>
struct Estimate {
  bool made = false;
  detail::Array<dynamics::Motion<Scalar, Dim>, C.bodies> velocity;
  detail::Array<dynamics::Pose<Scalar, Dim>, C.bodies> pose;
};
template <class Scalar, int Dim, Capacity C>
struct Estimate<Scalar, Dim, C, false> {};

template <int Dim>
inline constexpr int kMotion = Dim + dynamics::kSpin<Dim>;  // directions in which a body moves

// Directions in which a world moves.
template <int Dim, Capacity C>
inline constexpr int kDirections = C.bodies* kMotion<Dim> + C.arm_joints;

// Scratch of solve; `system` before it of a Sensing, which leaves nothing there.
template <class Scalar, int Dim, Capacity C>
struct SolveScratch {
  using Count = RowCount<Dim, C>;
  static constexpr int kUnknown = Count::kAll > 3 ? Count::kAll : 3;
  static constexpr int kSystem = kUnknown > kDirections<Dim, C> ? kUnknown : kDirections<Dim, C>;

  detail::Array<contact::guess::ElementMode<Scalar, Dim>, C.active> mode;
  detail::Array<std::int16_t, kUnknown> row;
  detail::Array<Scalar, kUnknown> work;
  detail::Array<Scalar, C.active> used;
  detail::Array<Scalar, Count::kAll> lambda, s;  // of the island at hand, by row of Rows
  detail::Array<contact::RowMode, Count::kPlain> plain;
  detail::Array<Scalar, kSystem * kSystem> system;
  PathScratch<Scalar, Count::kAll> path;
  [[no_unique_address]] std::conditional_t<C.torsion, TorsionScratch<Scalar, C>, std::tuple<>> torsion;
};

// Something that can be hit: a contact point, or a stop of a joint. speed = sign s of its row.
template <class Scalar>
struct Closing {
  Scalar gap = 0;        // m or rad
  Scalar tolerance = 0;  // m/s: what is slower rests
  std::uint16_t row = 0;
  std::int8_t sign = 1;
  bool hit = false;
};

// Of the stage of impacts, by row of Rows: speeds at its time, what forces change them by in a step, their
// share of D; impulses over h, and their sum weighted by their time. And the points of one impact.
template <class Scalar, int Dim, Capacity C, bool = kBounces<C>>
struct ImpactScratch {
  using Count = RowCount<Dim, C>;
  detail::Array<Scalar, Count::kAll> s, pull, late, lambda, late_lambda;
  detail::Array<Closing<Scalar>, C.active + 2 * C.arm_joints> closing;
  int points = 0;
  detail::Array<std::uint8_t, C.active> point;  // of the island
  detail::Array<contact::Rebound<Scalar>, C.active> rebound;
  detail::Array<Scalar, 2 * Count::kContact> more;
};
template <class Scalar, int Dim, Capacity C>
struct ImpactScratch<Scalar, Dim, C, false> {};

// In the place of T where a world has none.
template <class T>
struct Without {};

template <class Scalar, int Dim, Capacity C>
struct Workspace {
  template <class T>
  using InRows = std::conditional_t<C.has_rows(), T, Without<T>>;

  Placed<Scalar, Dim, C> placed;
  [[no_unique_address]] InRows<Found<Scalar, Dim, C>> found;
  [[no_unique_address]] InRows<Rows<Scalar, Dim, C>> rows;
  [[no_unique_address]] InRows<Answer<Scalar, Dim, C>> answer;
  Next<Scalar, Dim, C> next;
  [[no_unique_address]] Estimate<Scalar, Dim, C> estimate;
  [[no_unique_address]] InRows<SolveScratch<Scalar, Dim, C>> scratch;
  [[no_unique_address]] ImpactScratch<Scalar, Dim, C> impact;
  [[no_unique_address]] std::conditional_t<C.has(second_answer), Second<Scalar, Dim, C>, std::tuple<>> second;
  [[no_unique_address]] ImplicitScratch<Scalar, Dim, C> implicit;
};

}  // namespace tactus::stepper
