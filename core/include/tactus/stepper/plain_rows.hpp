// The rows of a step that no contact has: bilateral joints, and of arms the joints that have friction or
// limits, mimics and motors (driven_rows.hpp). They stand in the one problem beside the contacts, each with
// its staircase (contact/staircase.hpp).
//
// A bilateral joint holds W_b nu' + g / h = 0 (dynamics/joint.hpp): its row sticks whatever it takes. A joint
// of an arm has the speed qd', Coulomb's friction, and limits as Stewart's rows have gaps: it may move by
// what is left of its way within the step.
//
// A mimic holds qd_k' - ratio qd_i' + (q_k - ratio q_i - offset) / h = 0, in the larger unit of the two
// joints. A servo is a motor with a limit: see drive_servo in place.hpp.
//
// With J the rows on the joints of arms and M~ = L L^T (place.hpp), their share of A is h Y^T Y with
// Y = L^-1 J^T; a joint's own row has a unit vector for J.
//
// Cost, n joints and r rows that touch an arm: (r + n) n^2 / 2 multiply-adds for Y, (r + n)^2 n / 2 for A.
#pragma once

#include "tactus/stepper/driven_rows.hpp"

namespace tactus::stepper::detail {

// Friction and limits of joint j of the arms. After impacts q' = q + h (qd' - D); no stop asks back for what
// they moved a joint.
template <class Scalar, int Dim, Capacity C>
inline contact::Staircase<Scalar> staircase_of(const Model<Scalar, Dim, C>& m,
                                               const State<Scalar, Dim, C>& state,
                                               const Placed<Scalar, Dim, C>& placed, std::size_t j) {
  const auto& link = m.arm.links.link[j];
  contact::Staircase<Scalar> law{link.friction, (link.lower - state.arm.q[j]) / m.h,
                                 (link.upper - state.arm.q[j]) / m.h};
  if constexpr (kBounces<C>) {
    if (placed.impacts.events > 0) {
      const Scalar D = placed.impacts.arm_late[j];
      law.lower = std::min(law.lower + D, math::larger(law.lower, Scalar(0)));
      law.upper = math::larger(law.upper + D, std::min(law.upper, Scalar(0)));
    }
  }
  return law;
}

// Numbers the rows, and writes the plain ones' laws, their b and what their sides are.
template <class Scalar, int Dim, Capacity C>
inline void count_rows(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                       const Placed<Scalar, Dim, C>& placed, const Estimate<Scalar, Dim, C>& estimate,
                       const Group<Scalar, Dim, C>& group, Rows<Scalar, Dim, C>& rows) {
  int n = 0;
  if constexpr (C.joints > 0) {
    const auto pose = [&](std::uint8_t body) -> const dynamics::Pose<Scalar, Dim>& {
      if constexpr (kRepeats<Dim, C>)
        if (estimate.made && placed.body[body].inverse_mass > 0) return estimate.pose[body];
      return state.pose[body];
    };
    for (int i = 0; i < m.joints; ++i) {
      const auto& joint = m.joint[at(i)];
      const auto [a, b] = joint.bodies;
      if (!group.has(a) && !group.has(b)) continue;
      const int count = dynamics::write_rows(joint, pose(a), pose(b), placed.body[a], placed.body[b],
                                             &rows.joint_row[at(n)], &rows.b[at(n)]);
      for (const int end = n + count; n < end; ++n) {
        rows.joint_pair[at(n)] = joint.bodies;
        rows.joint[at(n)] = static_cast<std::uint8_t>(i);
        rows.staircase[at(n)] = {contact::Staircase<Scalar>::kNever};
        // As take_gaps_back() does with gaps.
        if constexpr (kRepeats<Dim, C>)
          if (estimate.made)
            rows.b[at(n)] -=
                m.h * dynamics::speed(rows.joint_row[at(n)], estimate.velocity[a], estimate.velocity[b]);
        rows.b[at(n)] =
            rows.b[at(n)] / m.h + dynamics::speed<Scalar, Dim>(rows.joint_row[at(n)], placed.body[a].velocity,
                                                               placed.body[b].velocity);
      }
    }
  }
  rows.bilateral = n;
  if constexpr (C.arm_joints > 0) {
    for (int j = 0; j < m.arm.links.joints; ++j) {
      auto law = staircase_of(m, state, placed, at(j));
      if constexpr (C.mimics > 0) {
        if (rows.driven.left) {
          law.lower = law.lower > 0 ? Scalar(0) : law.lower;
          law.upper = law.upper < 0 ? Scalar(0) : law.upper;
        }
      }
      if (!(law.friction > 0) && !math::finite(law.lower) && !math::finite(law.upper)) continue;
      if (!has_joint(group, j)) continue;
      rows.arm_joint[at(n - rows.bilateral)] = static_cast<std::uint8_t>(j);
      rows.staircase[at(n)] = law;
      rows.b[at(n++)] = placed.arm.speed[at(j)];
    }
    n = count_driven(m, state, placed, group, n, rows);
  }
  rows.plain = n;
  rows.all = n + group.elements * Dim;
}

// The rows of one joint that hold a point weigh the same, and so do those that hold a turn, so that no choice
// of axes tells where redundant joints share a load.
template <class Scalar, int Dim, Capacity C>
inline void weigh_bilateral(Rows<Scalar, Dim, C>& rows) {
  const auto turns = [&](int r) { return rows.joint_row[at(r)].direction.isZero(0); };
  const auto same = [&](int i, int j) {
    return rows.joint_pair[at(i)].a == rows.joint_pair[at(j)].a &&
           rows.joint_pair[at(i)].b == rows.joint_pair[at(j)].b && turns(i) == turns(j);
  };
  for (int first = 0, end; first < rows.bilateral; first = end) {
    Scalar sum = 0;
    for (end = first; end < rows.bilateral && same(end, first); ++end)
      sum += rows.A[at(end * (rows.all + 1))];
    for (int r = first; r < end; ++r) rows.staircase[at(r)].weight = sum / static_cast<Scalar>(end - first);
  }
}

template <class Scalar, int Dim, Capacity C>
inline void couple_bilateral(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed,
                             const Group<Scalar, Dim, C>& group, Rows<Scalar, Dim, C>& rows) {
  if constexpr (C.joints > 0) {
    for (int j = 0; j < rows.bilateral; ++j) {
      const auto& row = rows.joint_row[at(j)];
      const auto pair = rows.joint_pair[at(j)];
      const auto turn = dynamics::turn_of(row, pair, placed.body);
      const auto set = [&](int i, const dynamics::Row<Scalar, Dim>& other, dynamics::Pair bodies) {
        rows.A[at(i * rows.all + j)] = rows.A[at(j * rows.all + i)] =
            m.h * dynamics::coupling(other, bodies, row, turn, pair, placed.body);
      };
      for (int i = j; i < rows.bilateral; ++i) set(i, rows.joint_row[at(i)], rows.joint_pair[at(i)]);
      for (int i = rows.bilateral; i < rows.plain; ++i)
        rows.A[at(i * rows.all + j)] = rows.A[at(j * rows.all + i)] = 0;
      for (int e = 0; e < group.elements; ++e)
        for (int k = 0; k < Dim; ++k)
          set(rows.plain + e * Dim + k, dynamics::row_of(group[e].frame, k), group[e].bodies);
    }
    weigh_bilateral(rows);
  }
}

// J of the rows along `axis` of an element on one link, added with its sign. What rounding makes of a joint
// that cannot move the point along an axis is 0: a row that were nothing else would ask for forces without
// end.
template <int kRows, class Scalar, int Joints>
inline void add_jacobian(const dynamics::Arm<Scalar, Joints>& links,
                         const dynamics::ArmPose<Scalar, Joints>& pose, int link,
                         const math::Vector<Scalar, 3>& point, Scalar sign,
                         const math::Vector<Scalar, 3>* axis, Scalar* J) {
  using Vector = math::Vector<Scalar, 3>;
  for (int k = link; k >= 0; k = links.link[at(k)].parent) {
    const bool slides = links.link[at(k)].joint == dynamics::ArmJoint::prismatic;
    const Vector& a = pose.axis[at(k)];
    const Vector& origin = pose.frame[at(k)].position;
    const Vector unit = slides ? a : math::cross<Scalar>(a, point - origin);
    Scalar size = slides ? Scalar(1) : Scalar(0);
    for (int c = 0; c < 3 && !slides; ++c) size += math::magnitude(point[c]) + math::magnitude(origin[c]);
    const Scalar noise = 4 * std::numeric_limits<Scalar>::epsilon() * size;
    for (int r = 0; r < kRows; ++r) {
      const Scalar x = math::fused_dot<Scalar, 3>(axis[r], unit);
      if (math::magnitude(x) > noise) J[r * Joints + k] += sign * x;
    }
  }
}

// J of element i; false where it touches no link.
template <class Scalar, int Dim, Capacity C>
inline bool write_jacobian(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed,
                           const Element<Scalar, Dim>& e, Scalar* J) {
  const int link_a = m.arm.mount[e.bodies.a].link, link_b = m.arm.mount[e.bodies.b].link;
  if (link_a < 0 && link_b < 0) return false;
  for (int k = 0; k < Dim * C.arm_joints; ++k) J[k] = 0;
  const auto add = [&](int link, std::uint8_t body, const math::Vector<Scalar, Dim>& lever, Scalar sign) {
    if (link >= 0)
      add_jacobian<Dim>(m.arm.links, placed.arm.pose, link,
                        math::Vector<Scalar, Dim>(placed.body[body].frame.position + lever), sign,
                        e.frame.axis, J);
  };
  add(link_b, e.bodies.b, e.frame.arm_b, Scalar(1));
  add(link_a, e.bodies.a, e.frame.arm_a, Scalar(-1));
  return true;
}

// Y of a contact row, or behind those of a joint's.
template <class Scalar, int Dim, Capacity C>
inline Scalar* arm_response(Rows<Scalar, Dim, C>& rows, int row) {
  const int i = row >= rows.plain ? row - rows.plain : RowCount<Dim, C>::kContact + row - rows.bilateral;
  return rows.arm.Y.data() + i * C.arm_joints;
}
template <class Scalar, int Dim, Capacity C>
inline const Scalar* arm_response(const Rows<Scalar, Dim, C>& rows, int row) {
  return arm_response(const_cast<Rows<Scalar, Dim, C>&>(rows), row);
}

// Calls f(row) for the rows that touch an arm, in order.
template <class Scalar, int Dim, Capacity C, class F>
inline void each_arm_row(const Model<Scalar, Dim, C>& m, const Group<Scalar, Dim, C>& group,
                         const Rows<Scalar, Dim, C>& rows, const F& f) {
  for (int r = rows.bilateral; r < rows.plain; ++r) f(r);
  for (int i = 0; i < group.elements; ++i) {
    const auto& bodies = group[i].bodies;
    if (m.arm.carries(bodies.a) || m.arm.carries(bodies.b))
      for (int k = 0; k < Dim; ++k) f(rows.plain + i * Dim + k);
  }
}

// L^-1 of the rows that touch an arm. That of joint j begins with j zeros, and takes no part in products
// there.
template <class Scalar, int Dim, Capacity C>
class ArmResponses {
 public:
  explicit ArmResponses(Rows<Scalar, Dim, C>& rows) : rows_(rows) {}

  void add(int row, int first) { response_[at(count_++)] = {arm_response(rows_, row), row, first}; }

  // Y, and A of these rows; between contacts the arms' share comes on top.
  void couple(const Scalar* L, int n, Scalar h) {
    constexpr int stride = C.arm_joints;
    for (int i = 0; i < count_; ++i) {
      const auto [y, r, first] = response_[at(i)];
      math::forward_substitute(L + first * (stride + 1), n - first, stride, y + first);
      for (int j = 0; j <= i; ++j) {
        const auto [z, c, from] = response_[at(j)];
        Scalar sum = 0;
        for (int k = first > from ? first : from; k < n; ++k) sum = math::multiply_add(y[k], z[k], sum);
        Scalar& a = rows_.A[at(r * rows_.all + c)];
        a = rows_.A[at(c * rows_.all + r)] = c < rows_.plain ? h * sum : a + h * sum;
      }
    }
  }

 private:
  struct Response {
    Scalar* y;
    int row, first;
  };
  Rows<Scalar, Dim, C>& rows_;
  Array<Response, RowCount<Dim, C>::kContact + RowCount<Dim, C>::kArm> response_;
  int count_ = 0;
};

template <class Scalar, int Dim, Capacity C>
inline void couple_arms(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed,
                        const Group<Scalar, Dim, C>& group, Rows<Scalar, Dim, C>& rows) {
  if constexpr (C.arm_joints > 0) {
    if (!has_arms(m.arm)) return;
    constexpr int stride = C.arm_joints;
    const int n = m.arm.links.joints;
    ArmResponses<Scalar, Dim, C> responses(rows);
    for (int r = rows.bilateral; r < rows.plain; ++r) {
      int joint = n;
      Scalar* const y = arm_response(rows, r);
      for (int k = 0; k < n; ++k) y[k] = 0;
      each_entry(m, placed, rows, r, [&](int k, Scalar x) {
        y[k] = x;
        if (k < joint) joint = k;
      });
      for (int c = rows.plain; c < rows.all; ++c)
        rows.A[at(r * rows.all + c)] = rows.A[at(c * rows.all + r)] = 0;
      responses.add(r, joint);
    }
    for (int i = 0; i < group.elements; ++i) {
      Scalar* const J = rows.arm.J.data() + i * Dim * stride;
      if (!write_jacobian(m, placed, group[i], J)) continue;
      for (int k = 0; k < Dim * stride; ++k) rows.arm.Y[at(i * Dim * stride + k)] = J[k];
      for (int k = 0; k < Dim; ++k) responses.add(rows.plain + i * Dim + k, 0);
    }
    responses.couple(placed.arm.L.data(), n, m.h);
    if constexpr (C.servos > 0) {
      for (int r = rows.first_servo(); r < rows.plain; ++r) {
        const auto& servo = servo_of(placed, rows, r);
        rows.A[at(r * (rows.all + 1))] += servo.scale * servo.scale * servo.give;
      }
    }
  }
}

}  // namespace tactus::stepper::detail
