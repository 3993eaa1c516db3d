// Bilateral joints as free rows: W nu' + g(q) / h = 0, so that a position error g is taken back within one
// step (Negrut 2017 (5c)). Each joint gives `joint_rows` rows; the reaction acts on b.
//
// | type | plane | space | held |
// |---|---|---|---|
// | spherical, revolute (plane) | 2 | 3 | the anchor |
// | revolute (space) | - | 5 | the anchor, and the axis of a against that of b |
// | prismatic | 2 | 5 | the relative orientation, and the anchor off the axis, which turns with a |
// | fixed | 3 | 6 | both |
#pragma once

#include <cstdint>

#include "tactus/dynamics/row.hpp"

namespace tactus::dynamics {

enum class JointType : std::uint8_t { spherical, revolute, prismatic, fixed };

template <class Scalar, int Dim>
struct Joint {
  JointType type = JointType::spherical;
  Pair bodies;
  using Vector = math::Vector<Scalar, Dim>;
  Vector anchor_a = Vector::Zero(), anchor_b = Vector::Zero();  // body frames, m
  Vector axis_a = Vector::Zero(), axis_b = Vector::Zero();      // body frames, unit
  using Turn = math::Vector<Scalar, (Dim == 2 ? 1 : 4)>;
  Turn relative = Turn::Zero();  // angle (quaternion) of b in the frame of a when it was joined
};

template <int Dim>
constexpr int kJointRows = Dim == 2 ? 3 : 6;  // the most that any type has

template <int Dim>
constexpr int joint_rows(JointType type) {
  if (type == JointType::fixed) return kJointRows<Dim>;
  if (type == JointType::prismatic) return Dim == 2 ? 2 : 5;
  return type == JointType::revolute && Dim == 3 ? 5 : Dim;
}

namespace detail {

template <class Scalar>
inline math::Vector<Scalar, 4> product(const math::Vector<Scalar, 4>& p, const math::Vector<Scalar, 4>& q) {
  return {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
          p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
          p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
          p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
}

template <class Scalar>
inline math::Vector<Scalar, 4> conjugate(const math::Vector<Scalar, 4>& q) {
  return {q[0], -q[1], -q[2], -q[3]};
}

template <class Scalar>
inline math::Vector<Scalar, 4> quaternion(const geometry::SpatialPose<Scalar>& pose) {
  return {pose.w, pose.x, pose.y, pose.z};
}

// Two unit vectors at right angles to the unit vector n: the world axis that n leans on least is used, so the
// choice jumps only where two components of n are equal in size.
template <class Scalar>
inline void perpendicular(const math::Vector<Scalar, 3>& n, math::Vector<Scalar, 3>& u,
                          math::Vector<Scalar, 3>& w) {
  int k = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(n[i]) < std::abs(n[k])) k = i;
  math::Vector<Scalar, 3> e = math::Vector<Scalar, 3>::Zero();
  e[k] = 1;
  u = math::cross<Scalar>(n, e);
  u /= std::sqrt(math::fused_dot<Scalar, 3>(u, u));
  w = math::cross<Scalar>(n, u);
}

}  // namespace detail

// Joins a and b as they stand: `at` and `axis` (unit) in the world frame.
template <class Scalar, int Dim>
inline Joint<Scalar, Dim> make_joint(JointType type, Pair pair, const Pose<Scalar, Dim>& a,
                                     const Pose<Scalar, Dim>& b, const math::Vector<Scalar, Dim>& at,
                                     const math::Vector<Scalar, Dim>& axis) {
  Joint<Scalar, Dim> joint;
  joint.type = type;
  joint.bodies = pair;
  const Frame<Scalar, Dim> fa = geometry::frame(a), fb = geometry::frame(b);
  joint.anchor_a = fa.to_body(at);
  joint.anchor_b = fb.to_body(at);
  joint.axis_a = fa.turn_back(axis);
  joint.axis_b = fb.turn_back(axis);
  if constexpr (Dim == 2)
    joint.relative[0] = b.angle - a.angle;
  else
    joint.relative =
        detail::product<Scalar>(detail::conjugate<Scalar>(detail::quaternion(a)), detail::quaternion(b));
  return joint;
}

namespace detail {

// Appends rows to row[] and their position errors to error[]; returns how many.
template <class Scalar, int Dim>
struct RowWriter {
  Row<Scalar, Dim>* row;
  Scalar* error;
  int count = 0;

  void point(const math::Vector<Scalar, Dim>& d, const math::Vector<Scalar, Dim>& arm_a,
             const math::Vector<Scalar, Dim>& arm_b, Scalar g) {
    row[count] = {d, moment<Scalar>(arm_a, d), moment<Scalar>(arm_b, d)};
    error[count++] = g;
  }
  void turn(const math::Vector<Scalar, kSpin<Dim>>& about, Scalar g) {
    row[count] = {math::Vector<Scalar, Dim>::Zero(), about, about};
    error[count++] = g;
  }
};

}  // namespace detail

// The rows of a joint at the present poses and g of each row (m or rad).
template <class Scalar>
inline int write_rows(const Joint<Scalar, 2>& joint, const geometry::PlanarPose<Scalar>& pa,
                      const geometry::PlanarPose<Scalar>& pb, const Mobility<Scalar, 2>& a,
                      const Mobility<Scalar, 2>& b, Row<Scalar, 2>* row, Scalar* error) {
  using V = math::Vector<Scalar, 2>;
  const V arm_a = a.frame.turn(joint.anchor_a), arm_b = b.frame.turn(joint.anchor_b);
  const V gap = (b.frame.position + arm_b) - (a.frame.position + arm_a);
  detail::RowWriter<Scalar, 2> write{row, error};
  if (joint.type == JointType::prismatic) {
    const V axis = a.frame.turn(joint.axis_a);
    const V normal(-axis[1], axis[0]);
    write.point(normal, V(arm_a + gap), arm_b, math::fused_dot<Scalar, 2>(gap, normal));
  } else {
    write.point(V(1, 0), arm_a, arm_b, gap[0]);
    write.point(V(0, 1), arm_a, arm_b, gap[1]);
  }
  if (joint.type == JointType::prismatic || joint.type == JointType::fixed)
    write.turn(math::Vector<Scalar, 1>(1), (pb.angle - pa.angle) - joint.relative[0]);
  return write.count;
}

template <class Scalar>
inline int write_rows(const Joint<Scalar, 3>& joint, const geometry::SpatialPose<Scalar>& pa,
                      const geometry::SpatialPose<Scalar>& pb, const Mobility<Scalar, 3>& a,
                      const Mobility<Scalar, 3>& b, Row<Scalar, 3>* row, Scalar* error) {
  using V = math::Vector<Scalar, 3>;
  const V arm_a = a.frame.turn(joint.anchor_a), arm_b = b.frame.turn(joint.anchor_b);
  const V gap = (b.frame.position + arm_b) - (a.frame.position + arm_a);
  const V axis = a.frame.turn(joint.axis_a);
  detail::RowWriter<Scalar, 3> write{row, error};
  V u, w;
  detail::perpendicular<Scalar>(axis, u, w);
  if (joint.type == JointType::prismatic) {
    // The direction turns with a, so the arm of a reaches to the anchor of b.
    write.point(u, V(arm_a + gap), arm_b, math::fused_dot<Scalar, 3>(gap, u));
    write.point(w, V(arm_a + gap), arm_b, math::fused_dot<Scalar, 3>(gap, w));
  } else {
    for (int k = 0; k < 3; ++k) write.point(V::Unit(k), arm_a, arm_b, gap[k]);
  }
  if (joint.type == JointType::revolute) {
    // b turned by a small phi against a: axis_a x axis_b is the part of phi at right angles to the axis.
    const V tilt = math::cross<Scalar>(axis, b.frame.turn(joint.axis_b));
    write.turn(u, math::fused_dot<Scalar, 3>(tilt, u));
    write.turn(w, math::fused_dot<Scalar, 3>(tilt, w));
  } else if (joint.type != JointType::spherical) {
    const math::Vector<Scalar, 4> held = detail::product<Scalar>(detail::quaternion(pa), joint.relative);
    const math::Vector<Scalar, 4> turn =
        detail::product<Scalar>(detail::quaternion(pb), detail::conjugate<Scalar>(held));
    const Scalar twice = turn[0] < 0 ? Scalar(-2) : Scalar(2);
    for (int k = 0; k < 3; ++k) write.turn(V::Unit(k), twice * turn[k + 1]);
  }
  return write.count;
}

}  // namespace tactus::dynamics
