// One island's problem: its rows, the laws that they obey, and what is said of its answer.
#pragma once

#include "tactus/contact/outcome.hpp"
#include "tactus/contact/pyramid.hpp"
#include "tactus/stepper/couple.hpp"

namespace tactus::stepper::detail {

// The law that a model's method asks for.
template <class Scalar, int Dim, Capacity C>
constexpr contact::guess::Friction friction_of(const Model<Scalar, Dim, C>& m) {
  using contact::guess::Friction;
  if (m.method.friction == FrictionLaw::relaxed_cone) return Friction::relaxed;
  const bool box = m.method.friction == FrictionLaw::pyramid && m.method.pyramid == contact::Pyramid::box;
  return Dim == 2 || box ? Friction::box : Friction::round;
}

template <class Scalar, int Dim, Capacity C>
inline contact::Problem<Scalar, Dim> problem_of(const Rows<Scalar, Dim, C>& rows, int elements) {
  contact::Problem<Scalar, Dim> p;
  p.elements = elements;
  p.A = rows.A.data();
  p.stride = rows.all;
  p.b = rows.b.data();
  p.mu = rows.mu.data();
  p.plain = rows.plain;
  if constexpr (C.servos > 0) p.driven = rows.plain - rows.first_servo();
  p.staircase = rows.staircase.data();
  return p;
}

// Redundant rows make the system of the modes singular: two elements without a regular R may, and joints.
template <class Scalar, int Dim, Capacity C>
inline bool may_be_redundant(const Model<Scalar, Dim, C>& m, const Group<Scalar, Dim, C>& group,
                             const Rows<Scalar, Dim, C>& rows) {
  if (rows.plain > 0) return true;
  bool regular = true;
  for (int i = 0; i < group.elements && regular;) {
    const auto& c = m.contact[group[i].contact];
    regular = is_regular<C>(c);
    i += c.elements;
  }
  return !regular && group.elements > 1;
}

// A gap is off by the rounding of the places it lies between, and its row turns that into a speed within one
// step. A joint that rests against something must not rub this way and that for it.
template <class Scalar, int Dim, Capacity C>
inline Scalar joint_jitter(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed) {
  Scalar reach = 0;
  if constexpr (C.arm_joints > 0)
    for (std::size_t j = 0; j < at(m.arm.links.joints); ++j)
      for (int k = 0; k < 3; ++k) reach = std::max(reach, std::abs(placed.arm.pose.frame[j].position[k]));
  return 4 * std::numeric_limits<Scalar>::epsilon() * reach / m.h;
}

template <class Scalar, int Dim, Capacity C>
inline void recall_plain(const State<Scalar, Dim, C>& state, const Placed<Scalar, Dim, C>& placed,
                         const Rows<Scalar, Dim, C>& rows, contact::RowMode* plain) {
  for (int r = 0; r < rows.bilateral; ++r) plain[r] = contact::RowMode::sticks;
  if constexpr (C.arm_joints > 0)
    for (int r = rows.bilateral; r < rows.first_mimic(); ++r)
      plain[r] = state.arm.mode[rows.arm_joint[at(r - rows.bilateral)]];
  if constexpr (C.mimics > 0)
    for (int r = rows.first_mimic(); r < rows.first_servo(); ++r) plain[r] = contact::RowMode::sticks;
  if constexpr (C.servos > 0)
    for (int r = rows.first_servo(); r < rows.plain; ++r)
      plain[r] = state.arm.motor[servo_of(placed, rows, r).joint];
}

// One island's problem and all that its solution needs; kRows an element, Dim or with torsion one more.
template <class Scalar, int Dim, Capacity C, int kRowsOfOne, class PathScratch>
struct IslandProblem {
  using Number = Scalar;
  static constexpr int kRows = kRowsOfOne;

  const Model<Scalar, Dim, C>& m;
  const Group<Scalar, Dim, C>& group;
  const Rows<Scalar, Dim, C>& rows;
  const contact::Problem<Scalar, kRows>& problem;
  const contact::guess::Arrays<Scalar, kRows>& arrays;
  PathScratch& path;
  contact::guess::Friction friction;

  static constexpr contact::guess::Parts kParts{
      .plain = RowCount<Dim, C>::kPlain > 0, .relaxed = C.has(round_cone), .driven = C.servos > 0};

  bool round() const { return friction != contact::guess::Friction::box; }
  // Whether row r asks something apart or holds whatever it takes, and so may contradict others.
  bool may_contradict(int r) const {
    if (r < rows.bilateral) return true;
    if (C.mimics > 0 && r >= rows.first_mimic() && r < rows.first_servo()) return true;
    if (r < rows.plain) return rows.staircase[at(r)].lower > 0 || rows.staircase[at(r)].upper < 0;
    const int i = (r - rows.plain) / kRows;
    return (r - rows.plain) % kRows == 0 && is_exact<C>(m.contact[group[i].contact]) &&
           group.offset(i)[0] < 0;
  }
};

// No answer: the free motion.
template <class Scalar, int kRows>
inline void let_go(const contact::Problem<Scalar, kRows>& p,
                   const contact::guess::Arrays<Scalar, kRows>& to) {
  for (int r = 0; r < p.rows(); ++r) {
    to.lambda[r] = 0;
    to.s[r] = p.b[r];
  }
  for (int i = 0; i < p.elements; ++i) to.used[i] = 0;
  for (int j = 0; j < p.plain; ++j) to.plain[j] = contact::RowMode::unknown;
}

// What the island's elements do, and the worst that is to be said of it.
template <class Scalar, int Dim, Capacity C, int kRows, class Path>
inline void judge_island(const IslandProblem<Scalar, Dim, C, kRows, Path>& at_hand,
                         const contact::guess::Answer<Scalar>& by, Answer<Scalar, Dim, C>& answer) {
  const auto& problem = at_hand.problem;
  answer.tries = std::max(answer.tries, by.tries);
  auto& certificate = answer.certificate;
  certificate.min_z = std::min(certificate.min_z, by.least_force);
  certificate.min_w = std::min(certificate.min_w, by.least_speed);
  certificate.complementarity = math::larger(certificate.complementarity, by.complementarity);
  certificate.residual = certificate.unit_free = math::larger(certificate.residual, by.residual);
  const auto scale =
      by.speed > 0 ? contact::Scale<Scalar>{by.speed, by.mobility} : contact::scale_of(problem);
  for (int i = 0; i < problem.elements; ++i) {
    const Scalar* const lambda = at_hand.arrays.lambda + problem.first(i);
    const Scalar* const b = problem.b + problem.first(i);
    Scalar s[kRows];
    for (int k = 0; k < kRows; ++k) s[k] = at_hand.arrays.s[problem.first(i) + k];
    if (at_hand.friction == contact::guess::Friction::relaxed && lambda[0] > 0) {
      const Scalar lift = problem.mu[i] * contact::slip_speed<Scalar, kRows>(s);
      s[0] -= lift;  // what is complementary to lambda_n is s_n less the lift's share
      answer.lift = math::larger(answer.lift, at_hand.m.h * lift);
    }
    auto& does = answer.outcome[at_hand.group.index(i)];
    does = contact::judge<Scalar, kRows>(scale, problem.mu[i], lambda, s, at_hand.arrays.used[i], b[0]);
    answer.next_guess[at_hand.group.index(i)] =
        contact::remember<Scalar, kRows>(does, lambda, s, b, problem.mu[i], !at_hand.round());
  }
}

}  // namespace tactus::stepper::detail
