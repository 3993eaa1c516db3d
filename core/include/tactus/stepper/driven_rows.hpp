// The rows of mimics and of motors with a limit.
//
// Where joint i leads joint k (arm.hpp) their row is
//
//     qd_k' - ratio qd_i' + (q_k - ratio q_i - offset) / h = 0,
//
// over |ratio| where that is above 1: a bilateral row, which takes back within the step what it is off. That
// of a motor is in servo.hpp. J of a mimic has two entries, of a motor one, its scale.
//
// Worlds without either are compiled without this. Cost: a row more of the one problem each, and n^2 / 2
// multiply-adds for its response. Memory: its number and staircase, in Rows. Failure: rows that contradict
// each other, which solve tells (path.hpp).
#pragma once

#include "tactus/stepper/islands.hpp"

namespace tactus::stepper::detail {

// Whether joint j of the arms belongs to the island.
template <class Scalar, int Dim, Capacity C>
inline bool has_joint(const Group<Scalar, Dim, C>& group, int j) {
  return group.has(C.bodies + j);
}

// Of a mimic's row: what it is multiplied by.
template <class Scalar>
inline Scalar scale_of(const Follower<Scalar>& f) {
  return 1 / math::larger(Scalar(1), math::magnitude(f.ratio));
}

// Which mimic or servo a row is.
template <class Scalar, int Dim, Capacity C>
inline const Follower<Scalar>& mimic_of(const Model<Scalar, Dim, C>& m, const Rows<Scalar, Dim, C>& rows,
                                        int row) {
  return m.arm.followers.joint[rows.driven.number[at(row - rows.driven.mimic)]];
}
template <class Scalar, int Dim, Capacity C>
inline const Servo<Scalar>& servo_of(const Placed<Scalar, Dim, C>& placed, const Rows<Scalar, Dim, C>& rows,
                                     int row) {
  return placed.arm.servos.servo[rows.driven.number[at(row - rows.driven.mimic)]];
}

// How fast a mimic's row is with the speeds qd, and asks to be for what it is off.
template <class Scalar, int Dim, Capacity C, class Values>
inline Scalar speed_of(const Model<Scalar, Dim, C>& m, const Follower<Scalar>& f, const Values& q,
                       const Values& qd) {
  const Scalar off = (q[f.joint] - f.ratio * q[f.leader]) - f.offset;
  return scale_of(f) * ((qd[f.joint] - f.ratio * qd[f.leader]) + off / m.h);
}

// Stops and mimics ask for no way back where they cannot have it: see leave_in_each_other in step.hpp. True
// where one of the island's joints is off by more than the rounding of places.
template <class Scalar, int Dim, Capacity C>
inline bool leave_joints(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                         const Group<Scalar, Dim, C>& group, Rows<Scalar, Dim, C>& rows) {
  bool deep = false;
  if constexpr (C.mimics > 0 && C.arm_joints > 0) {
    if (m.arm.followers.count == 0) return false;
    rows.driven.left = true;
    const auto& q = state.arm.q;
    const auto check = [&](Scalar off, Scalar size) {
      deep = deep || off > 16 * std::numeric_limits<Scalar>::epsilon() * size;
    };
    for (int j = 0; j < m.arm.links.joints; ++j) {
      if (!has_joint(group, j)) continue;
      const auto& link = m.arm.links.link[at(j)];
      check(math::larger(link.lower - q[at(j)], q[at(j)] - link.upper), math::magnitude(q[at(j)]));
    }
    for (int i = 0; i < m.arm.followers.count; ++i) {
      const auto& f = m.arm.followers.joint[at(i)];
      const Scalar place = f.ratio * q[f.leader];
      const Scalar size = math::magnitude(q[f.joint]) + math::magnitude(place) + math::magnitude(f.offset);
      if (has_joint(group, f.joint)) check(math::magnitude((q[f.joint] - place) - f.offset), size);
    }
  }
  return deep;
}

// The rows of mimics and servos from number n on; returns the number behind them.
template <class Scalar, int Dim, Capacity C>
inline int count_driven(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                        const Placed<Scalar, Dim, C>& placed, const Group<Scalar, Dim, C>& group, int n,
                        Rows<Scalar, Dim, C>& rows) {
  if constexpr (RowCount<Dim, C>::kDriven > 0) {
    const auto number = [&](int i) {
      rows.driven.number[at(n - rows.driven.mimic)] = static_cast<std::uint8_t>(i);
    };
    rows.driven.mimic = n;
    if constexpr (C.mimics > 0) {
      for (int i = 0; i < m.arm.followers.count; ++i) {
        const auto& f = m.arm.followers.joint[at(i)];
        if (!has_joint(group, f.joint)) continue;
        number(i);
        rows.staircase[at(n)] = {contact::Staircase<Scalar>::kNever};
        const auto& qd = placed.arm.speed;
        rows.b[at(n++)] = rows.driven.left ? scale_of(f) * (qd[f.joint] - f.ratio * qd[f.leader])
                                           : speed_of(m, f, state.arm.q, qd);
      }
    }
    rows.driven.servo = n;
    if constexpr (C.servos > 0) {
      for (int i = 0; i < placed.arm.servos.count; ++i) {
        const auto& servo = placed.arm.servos.servo[at(i)];
        if (!has_joint(group, servo.joint)) continue;
        number(i);
        rows.staircase[at(n)] = {servo.most / servo.scale};
        rows.b[at(n++)] = servo.scale * (placed.arm.speed[servo.joint] - servo.want);
      }
    }
  }
  return n;
}

// Calls f(joint, number) for the entries of J of a plain row of an arm, the first joint first.
template <class Scalar, int Dim, Capacity C, class F>
inline void each_entry(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed,
                       const Rows<Scalar, Dim, C>& rows, int row, const F& f) {
  if constexpr (C.servos > 0) {
    if (row >= rows.first_servo()) {
      const auto& servo = servo_of(placed, rows, row);
      return f(servo.joint, servo.scale);
    }
  }
  if constexpr (C.mimics > 0) {
    if (row >= rows.first_mimic()) {
      const auto& mimic = mimic_of(m, rows, row);
      const Scalar own = scale_of(mimic), other = -own * mimic.ratio;
      if (mimic.leader < mimic.joint) f(mimic.leader, other);
      f(mimic.joint, own);
      if (mimic.leader > mimic.joint) f(mimic.leader, other);
      return;
    }
  }
  f(rows.arm_joint[at(row - rows.bilateral)], Scalar(1));
}

// What mimics and motors give joints, beside limits and friction.
template <class Scalar, int Dim, Capacity C>
inline void take_driven(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed,
                        const Rows<Scalar, Dim, C>& rows, const SolveScratch<Scalar, Dim, C>& solved,
                        Next<Scalar, Dim, C>& next) {
  for (int r = rows.first_mimic(); r < rows.first_servo(); ++r)
    each_entry(m, placed, rows, r,
               [&](int j, Scalar x) { next.driven.mimic[at(j)] += x * solved.lambda[at(r)]; });
  if constexpr (C.servos > 0) {
    for (int r = rows.first_servo(); r < rows.plain; ++r) {
      const auto& servo = servo_of(placed, rows, r);
      const auto mode = next.state.arm.motor[servo.joint] = solved.plain[at(r)];
      const Scalar within = servo.scale * solved.lambda[at(r)];
      next.driven.motor[servo.joint] = mode == RowMode::falls   ? servo.most
                                       : mode == RowMode::rises ? -servo.most
                                                                : within;
    }
  }
}

// s of a mimic or servo, and what it may be off by rounding, which is added.
template <class Scalar, int Dim, Capacity C>
inline Scalar speed_of_driven(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                              const Placed<Scalar, Dim, C>& placed, const Rows<Scalar, Dim, C>& rows,
                              const SolveScratch<Scalar, Dim, C>& solved, const Next<Scalar, Dim, C>& next,
                              int r, Scalar& round) {
  const auto size = [](Scalar x) { return math::magnitude(x); };
  if constexpr (C.servos > 0) {
    if (r >= rows.first_servo()) {
      const auto& servo = servo_of(placed, rows, r);
      const Scalar qd = next.state.arm.qd[servo.joint],
                   slack = servo.scale * servo.give * solved.lambda[at(r)];
      round +=
          std::numeric_limits<Scalar>::epsilon() * servo.scale * (size(qd) + size(servo.want) + size(slack));
      return servo.scale * ((qd - servo.want) + slack);
    }
  }
  if constexpr (C.mimics > 0) {
    const auto& f = mimic_of(m, rows, r);
    const auto& q = state.arm.q;
    const auto& qd = next.state.arm.qd;
    const Scalar off = size(q[f.joint]) + size(f.ratio * q[f.leader]) + size(f.offset);
    round += std::numeric_limits<Scalar>::epsilon() * scale_of(f) *
             (size(qd[f.joint]) + size(f.ratio * qd[f.leader]) + off / m.h);
    return speed_of(m, f, q, qd);
  }
  return 0;
}

}  // namespace tactus::stepper::detail
