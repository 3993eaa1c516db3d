// move: from the forces to the velocities that the laws were solved for, v* = nu + h M^-1 W^T lambda, and to
// a whole state at the end of the step, which commit copies.
#pragma once

#include "tactus/stepper/solve.hpp"

namespace tactus::stepper::detail {

// What the contacts of an island give each body, by force_of(i) and moment_of(i) of element i. The elements
// of one pair of bodies follow each other.
template <class Scalar, int Dim, Capacity C, class Force, class Moment, class Motions>
[[gnu::hot]] inline void push_by_contacts(const Model<Scalar, Dim, C>& m,
                                          const Placed<Scalar, Dim, C>& placed,
                                          const Group<Scalar, Dim, C>& group, const Force& force_of,
                                          [[maybe_unused]] const Moment& moment_of, Motions& impulse) {
  using Vector = math::Vector<Scalar, Dim>;
  constexpr int spin = dynamics::kSpin<Dim>;
  using Spin = math::Vector<Scalar, spin>;
  for (int i = 0; i < group.elements;) {
    const auto [a, b] = group[i].bodies;
    Vector force = Vector::Zero();
    Spin turn_a = Spin::Zero(), turn_b = turn_a;
    for (; i < group.elements; ++i) {
      const auto& e = group[i];
      if (e.bodies.a != a || e.bodies.b != b) break;
      const Scalar* const lambda = force_of(i);
      Vector f = lambda[0] * e.frame.axis[0];
      math::unrolled<Dim - 1>([&](int k) __attribute__((always_inline)) {
        math::add_multiple<Scalar, Dim>(lambda[k + 1], e.frame.axis[k + 1], f);
      });
      force += f;
      dynamics::add_moment<Scalar>(e.frame.arm_a, f, turn_a);
      dynamics::add_moment<Scalar>(e.frame.arm_b, f, turn_b);
      if constexpr (C.torsion) {
        if (m.ellipsoid.any()) {
          math::add_multiple<Scalar, 3>(moment_of(i), e.frame.axis[0], turn_a);
          math::add_multiple<Scalar, 3>(moment_of(i), e.frame.axis[0], turn_b);
        }
      }
    }
    const auto give = [&](std::uint8_t body, Scalar h, const Spin& turn) {
      if (!(placed.body[body].inverse_mass > 0)) return;
      math::add_multiple<Scalar, Dim>(h, force, impulse[body].linear);
      math::add_multiple<Scalar, spin>(h, turn, impulse[body].angular);
    };
    give(a, -m.h, turn_a);
    give(b, m.h, turn_b);
  }
}

// What the bilateral joints give them; lambda by row.
template <class Scalar, int Dim, Capacity C, class Motions>
inline void push_by_joints(const Model<Scalar, Dim, C>& m, const Rows<Scalar, Dim, C>& rows,
                           const Scalar* lambda, Motions& impulse) {
  constexpr int spin = dynamics::kSpin<Dim>;
  for (int r = 0; r < rows.bilateral; ++r) {
    const auto& row = rows.joint_row[at(r)];
    const auto [a, b] = rows.joint_pair[at(r)];
    const Scalar p = m.h * lambda[r];
    math::add_multiple<Scalar, Dim>(-p, row.direction, impulse[a].linear);
    math::add_multiple<Scalar, spin>(-p, row.moment_a, impulse[a].angular);
    math::add_multiple<Scalar, Dim>(p, row.direction, impulse[b].linear);
    math::add_multiple<Scalar, spin>(p, row.moment_b, impulse[b].angular);
  }
}

// And what each of them gives its second body, for reports; its rows follow each other.
template <class Scalar, int Dim, Capacity C>
inline void report_joints(const Rows<Scalar, Dim, C>& rows, const Scalar* lambda,
                          Next<Scalar, Dim, C>& next) {
  for (int r = 0; r < rows.bilateral;) {
    const auto joint = rows.joint[at(r)];
    dynamics::Motion<Scalar, Dim> force;
    for (; r < rows.bilateral && rows.joint[at(r)] == joint; ++r) {
      const auto& row = rows.joint_row[at(r)];
      math::add_multiple<Scalar, Dim>(lambda[r], row.direction, force.linear);
      math::add_multiple<Scalar, dynamics::kSpin<Dim>>(lambda[r], row.moment_b, force.angular);
    }
    next.joint_force[joint] = force;
  }
}

// What rows of an island change the speeds of an arm's joints by: L^-T Y h lambda. False where none touches
// one.
template <class Scalar, int Dim, Capacity C>
inline bool turn_joints(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed,
                        const Group<Scalar, Dim, C>& group, const Rows<Scalar, Dim, C>& rows,
                        const Scalar* lambda, dynamics::JointVector<Scalar, C.arm_joints>& change) {
  bool any = false;
  if constexpr (C.arm_joints > 0) {
    const std::size_t n = at(m.arm.links.joints);
    change = {};
    each_arm_row(m, group, rows, [&](int r) {
      const Scalar p = m.h * lambda[r];
      const Scalar* const y = arm_response(rows, r);
      any = true;
      for (std::size_t j = 0; j < n; ++j) change[j] = math::multiply_add(p, y[j], change[j]);
    });
    if (any) math::back_substitute(placed.arm.L.data(), m.arm.links.joints, C.arm_joints, change.data());
  }
  return any;
}

// The joints of arms: their change beside the free motion.
template <class Scalar, int Dim, Capacity C>
inline void push_arms(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed,
                      const Group<Scalar, Dim, C>& group, const Rows<Scalar, Dim, C>& rows,
                      const SolveScratch<Scalar, Dim, C>& solved, Next<Scalar, Dim, C>& next) {
  if constexpr (C.arm_joints > 0) {
    const std::size_t n = at(m.arm.links.joints);
    dynamics::JointVector<Scalar, C.arm_joints> change;
    if (!turn_joints(m, placed, group, rows, solved.lambda.data(), change)) return;
    auto& arm = next.state.arm;
    for (std::size_t j = 0; j < n; ++j) arm.qd[j] += change[j];
    for (int r = rows.bilateral; r < rows.first_mimic(); ++r) {
      const auto j = rows.arm_joint[at(r - rows.bilateral)];
      const auto mode = arm.mode[j] = solved.plain[at(r)];
      next.reaction[j] = solved.lambda[at(r)];
      // A joint at its stop ends there to the last digit, or rounding would take it beyond step by step; and
      // one that sticks is still.
      const bool stops = mode == RowMode::at_lower || mode == RowMode::at_upper;
      constexpr Scalar kStill = 64 * std::numeric_limits<Scalar>::epsilon();
      Scalar unit = math::magnitude(placed.arm.speed[j]);
      if (rows.first_mimic() < rows.plain)  // of the speed motors and mimics have no part
        unit += math::magnitude(rows.A[at(r * (rows.all + 1))] * solved.lambda[at(r)]);
      const bool still = mode == RowMode::sticks && math::magnitude(arm.qd[j]) <= kStill * unit;
      if (stops || still) arm.qd[j] = rows.staircase[at(r)].speed(mode);
    }
    if constexpr (RowCount<Dim, C>::kDriven > 0) take_driven(m, placed, rows, solved, next);
    each_carried(m, [&](std::size_t i, const Mount<Scalar>& mount) {
      if (group.has(static_cast<int>(i)))
        next.velocity[i] = carried_velocity(m, placed, arm.qd, i, mount.link);
    });
  }
}

// What a step changes of a state.
template <class Scalar, int Dim, Capacity C>
inline void copy_moved(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& from,
                       State<Scalar, Dim, C>& to) {
  for (std::size_t i = 0; i < at(m.bodies); ++i) {
    to.pose[i] = from.pose[i];
    to.velocity[i] = from.velocity[i];
  }
  for (std::size_t i = 0; i < at(m.slots); ++i) {
    to.grip[i] = from.grip[i];
    to.mode[i] = from.mode[i];
  }
  if constexpr (kDeforms<C>) {
    for (std::size_t i = 0; m.patches > 0 && i < at(m.slots); ++i) {
      to.delta[i] = from.delta[i];
    }
  }
  if constexpr (kHasAnchors<Dim, C>) {
    for (int i = 0; m.patches > 0 && i < m.contacts; ++i) {
      const auto& c = m.contact[at(i)];
      if (c.patch < 0) continue;
      for (int p = 0; p < c.point_slots; ++p) {
        const std::size_t slot = at(c.first_slot + p * c.elements);
        to.anchor[slot] = from.anchor[slot];
      }
    }
  }
  if constexpr (C.arm_joints > 0) {
    for (std::size_t j = 0; j < at(m.arm.links.joints); ++j) {
      to.arm.q[j] = from.arm.q[j];
      to.arm.qd[j] = from.arm.qd[j];
      to.arm.mode[j] = from.arm.mode[j];
      if constexpr (C.servos > 0) to.arm.motor[j] = from.arm.motor[j];
    }
  }
}

// The free motion, to begin with.
template <class Scalar, int Dim, Capacity C>
inline void begin_move(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                       const Placed<Scalar, Dim, C>& placed, Next<Scalar, Dim, C>& next) {
  copy_moved(m, state, next.state);
  next.joint_work = next.arm_contact_work = 0;
  for (int i = 0; i < m.joints; ++i) next.joint_force[at(i)] = {};
  for (int i = 0; i < m.bodies; ++i) {
    next.impulse[at(i)] = {};
    if constexpr (kBounces<C>)  // of what the rows of a repeated step no longer touch
      if (placed.impacts.events > 0) next.impulse[at(i)] = placed.impacts.impulse[at(i)];
    next.velocity[at(i)] = placed.body[at(i)].velocity;
  }
  if constexpr (C.arm_joints > 0) {
    for (std::size_t j = 0; j < at(m.arm.links.joints); ++j) {
      next.state.arm.qd[j] = placed.arm.speed[j];
      next.state.arm.mode[j] = RowMode::unknown;
      next.reaction[j] = 0;
      if constexpr (C.servos > 0) next.state.arm.motor[j] = RowMode::unknown;
      if constexpr (RowCount<Dim, C>::kDriven > 0) next.driven.mimic[j] = next.driven.motor[j] = 0;
      if constexpr (C.servos > 0)
        if (math::finite(m.arm.motors.most[j])) next.driven.motor[j] = placed.arm.servos.held[j];
    }
  }
}

// What the joints of an island and the contacts on its arms did, by the mean of the speeds before and after.
template <class Scalar, int Dim, Capacity C>
inline void add_work(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                     const Group<Scalar, Dim, C>& group, const Rows<Scalar, Dim, C>& rows,
                     const SolveScratch<Scalar, Dim, C>& solved, Next<Scalar, Dim, C>& next) {
  for (int r = 0; r < rows.bilateral; ++r) {
    const auto [a, b] = rows.joint_pair[at(r)];
    const auto& row = rows.joint_row[at(r)];
    next.joint_work += m.h / 2 * solved.lambda[at(r)] *
                       (dynamics::speed(row, state.velocity[a], state.velocity[b]) +
                        dynamics::speed(row, next.velocity[a], next.velocity[b]));
  }
  if constexpr (C.arm_joints > 0) {
    const std::size_t n = at(m.arm.links.joints), stride = at(C.arm_joints);
    for (int i = 0; i < group.elements; ++i) {
      if (!m.arm.carries(group[i].bodies.a) && !m.arm.carries(group[i].bodies.b)) continue;
      for (std::size_t r = at(i * Dim); r < at(i * Dim + Dim); ++r)
        for (std::size_t j = 0; j < n; ++j)
          next.arm_contact_work += m.h / 2 * (state.arm.qd[j] + next.state.arm.qd[j]) *
                                   solved.lambda[at(rows.plain) + r] * rows.arm.J[r * stride + j];
    }
  }
}

// R lambda of the points of an island.
template <class Scalar, int Dim, Capacity C>
inline void give_way(const Model<Scalar, Dim, C>& m, const Group<Scalar, Dim, C>& group,
                     const Answer<Scalar, Dim, C>& answer, Next<Scalar, Dim, C>& next) {
  if constexpr (kGivesWay<C>) {
    for (int i = 0; i < group.elements;) {
      const auto& c = m.contact[group[i].contact];
      const std::size_t first = group.index(i) * at(Dim);
      const int size = c.elements * Dim;
      Scalar own[Dim * Dim];
      const Scalar* const R = R_of<C>(m, c, own);
      if (R != nullptr)
        math::multiply<Scalar>(nullptr, R, size, size, &answer.lambda[first], size, &next.give[first]);
      else
        for (std::size_t k = 0; k < at(size); ++k) next.give[first + k] = 0;
      i += c.elements;
    }
  }
}

// Velocities at q_n of what moves with an island.
template <class Scalar, int Dim, Capacity C>
inline void move(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                 const Placed<Scalar, Dim, C>& placed, const Group<Scalar, Dim, C>& group,
                 const Rows<Scalar, Dim, C>& rows, const SolveScratch<Scalar, Dim, C>& solved,
                 const Answer<Scalar, Dim, C>& answer, Next<Scalar, Dim, C>& next) {
  constexpr int spin = dynamics::kSpin<Dim>;
  if constexpr (kBounces<C>)
    for (int i = 0; i < m.bodies && placed.impacts.events > 0; ++i)
      if (group.has(i)) next.impulse[at(i)] = {};
  push_by_contacts(
      m, placed, group, [&](int i) { return &answer.lambda[group.index(i) * Dim]; },
      [&](int i) { return answer.moment[group.index(i)]; }, next.impulse);
  push_by_joints(m, rows, solved.lambda.data(), next.impulse);
  if constexpr (C.joints > 0) report_joints(rows, solved.lambda.data(), next);
  for (int i = 0; i < m.bodies; ++i) {
    const auto& body = placed.body[at(i)];
    if (!(body.inverse_mass > 0) || !group.has(i)) continue;
    auto& velocity = next.velocity[at(i)];
    velocity.linear += body.inverse_mass * next.impulse[at(i)].linear;
    velocity.angular += math::times<Scalar, spin>(body.inverse_inertia, next.impulse[at(i)].angular);
    if constexpr (kBounces<C>) {  // which the free motion has already
      if (placed.impacts.events == 0) continue;
      next.impulse[at(i)].linear += placed.impacts.impulse[at(i)].linear;
      next.impulse[at(i)].angular += placed.impacts.impulse[at(i)].angular;
    }
  }
  push_arms(m, placed, group, rows, solved, next);
  give_way(m, group, answer, next);
  if constexpr (C.has(energy_balance)) add_work(m, state, group, rows, solved, next);
}

}  // namespace tactus::stepper::detail
