// Where the links of an arm are and how they move: forward kinematics and Jacobians, in the world frame.
//
// Costs: place() one rotation product a joint and the inertia (about 150 multiplications with
// sine and cosine), O(n);
// jacobian() 6 a joint. Nothing here fails; numbers that are not finite go through and are caught where the
// result is certified.
#pragma once

#include "tactus/dynamics/arm.hpp"
#include "tactus/math/trig.hpp"

namespace tactus::dynamics {

template <class Scalar, int Capacity = 12>
using JointVector = std::array<Scalar, static_cast<std::size_t>(Capacity)>;

// What the arm stands on: at rest in the world by default, or a carrier whose motion is known.
template <class Scalar>
struct Base {
  geometry::SpatialFrame<Scalar> frame;
  Motion<Scalar, 3> velocity;      // of the frame's origin, and of its turning
  Motion<Scalar, 3> acceleration;  // of the same
};

template <class Scalar, int Capacity = 12>
struct ArmPose {
  template <class T>
  using Array = std::array<T, static_cast<std::size_t>(Capacity)>;

  Array<geometry::SpatialFrame<Scalar>> frame;  // of each link; its origin is on the joint's axis
  Array<math::Vector<Scalar, 3>> axis;          // of each joint
  Array<math::Vector<Scalar, 3>> to_centre;     // from each link's origin to its centre of mass
  Array<SpinMatrix<Scalar, 3>> inertia;         // of each link about that centre
};

// The links at the joint positions q. Rodrigues: e_k turned about the axis a is e_k cos + (a x e_k) sin +
// a a_k (1 - cos); B takes it from the frame that the link has at q = 0 to the world.
template <class Scalar, int Capacity>
inline void place(const Arm<Scalar, Capacity>& arm, const geometry::SpatialFrame<Scalar>& base,
                  const JointVector<Scalar, Capacity>& q, ArmPose<Scalar, Capacity>& pose) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(arm.joints); ++i) {
    const Link<Scalar>& link = arm.link[i];
    const auto& parent = link.parent < 0 ? base : pose.frame[static_cast<std::size_t>(link.parent)];
    geometry::SpatialFrame<Scalar>& frame = pose.frame[i];
    Eigen::Matrix<Scalar, 3, 3> B;
    for (int k = 0; k < 3; ++k)
      B.col(k) = math::times<Scalar, 3>(parent.R, math::Vector<Scalar, 3>(link.at.R.col(k)));
    const math::Vector<Scalar, 3> a = pose.axis[i] = math::times<Scalar, 3>(B, link.axis);
    frame.position = parent.position + math::times<Scalar, 3>(parent.R, link.at.position);
    if (link.joint == ArmJoint::prismatic) {
      frame.position += q[i] * a;
      frame.R = B;
    } else {
      const auto angle = math::sin_cos(q[i]);
      for (int k = 0; k < 3; ++k) {
        const math::Vector<Scalar, 3> e = math::Vector<Scalar, 3>::Unit(k);
        const math::Vector<Scalar, 3> side = math::cross<Scalar>(link.axis, e);
        const Scalar along = link.axis[k] * (1 - angle.cos);
        frame.R.col(k) = math::times<Scalar, 3>(
            B, math::Vector<Scalar, 3>(e * angle.cos + side * angle.sin + link.axis * along));
      }
    }
    pose.to_centre[i] = math::times<Scalar, 3>(frame.R, link.centre);
    pose.inertia[i] = math::rotated<Scalar>(frame.R, link.inertia);
  }
}

// Velocities of a point of `link` for unit speeds of the joints: column i of `linear` and `angular`, zero for
// joints that do not move the link. point: in the world.
template <class Scalar, int Capacity>
struct Jacobian {
  std::array<math::Vector<Scalar, 3>, static_cast<std::size_t>(Capacity)> linear, angular;
};

template <class Scalar, int Capacity>
inline void jacobian(const Arm<Scalar, Capacity>& arm, const ArmPose<Scalar, Capacity>& pose, int link,
                     const math::Vector<Scalar, 3>& point, Jacobian<Scalar, Capacity>& J) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(arm.joints); ++i) {
    J.linear[i].setZero();
    J.angular[i].setZero();
  }
  for (int k = link; k >= 0; k = arm.link[static_cast<std::size_t>(k)].parent) {
    const auto i = static_cast<std::size_t>(k);
    if (arm.link[i].joint == ArmJoint::prismatic) {
      J.linear[i] = pose.axis[i];
    } else {
      J.angular[i] = pose.axis[i];
      J.linear[i] = math::cross<Scalar>(pose.axis[i], point - pose.frame[i].position);
    }
  }
}

// The velocity of a point of `link` (-1: of the base): J qd, and what the base adds.
template <class Scalar, int Capacity>
inline Motion<Scalar, 3> velocity_at(const Arm<Scalar, Capacity>& arm, const ArmPose<Scalar, Capacity>& pose,
                                     const Base<Scalar>& base, const JointVector<Scalar, Capacity>& qd,
                                     int link, const math::Vector<Scalar, 3>& point) {
  Motion<Scalar, 3> v = base.velocity;
  v.linear += math::cross<Scalar>(base.velocity.angular, point - base.frame.position);
  for (int k = link; k >= 0; k = arm.link[static_cast<std::size_t>(k)].parent) {
    const auto i = static_cast<std::size_t>(k);
    if (arm.link[i].joint == ArmJoint::prismatic) {
      v.linear += qd[i] * pose.axis[i];
    } else {
      v.angular += qd[i] * pose.axis[i];
      v.linear += qd[i] * math::cross<Scalar>(pose.axis[i], point - pose.frame[i].position);
    }
  }
  return v;
}

}  // namespace tactus::dynamics
