// The equations of motion of an arm:  M(q) qdd + bias(q, qd) = tau + J^T f.
//
// inverse_dynamics() is the recursion of Newton and Euler, O(n): accelerations outwards, forces inwards.
// mass_matrix() is the composite body method, O(n^2): the links beyond joint j, taken as one rigid body, are
// accelerated by one unit of joint j; what that takes at joint j and at the joints before it is the column.
// Both work in the world frame with moments about centres of mass, so that no large lever arm cancels in
// float. Featherstone (Rigid Body Dynamics Algorithms, 2008), chapters 5 and 6, has both methods.
//
// Memory: the results, and about 100 bytes a joint of stack in float. Nothing here fails but factor_mass().
#pragma once

#include "tactus/dynamics/arm_motion.hpp"
#include "tactus/math/cholesky.hpp"

namespace tactus::dynamics {

// tau that gives the joints the accelerations qdd, with gravity and the given motion of the base; joint
// friction is not in it. With qdd = nullptr these are the bias forces: gravity, centrifugal and Coriolis.
template <class Scalar, int Capacity>
inline void inverse_dynamics(const Arm<Scalar, Capacity>& arm, const ArmPose<Scalar, Capacity>& pose,
                             const Base<Scalar>& base, const math::Vector<Scalar, 3>& gravity,
                             const JointVector<Scalar, Capacity>& qd,
                             const JointVector<Scalar, Capacity>* qdd, JointVector<Scalar, Capacity>& tau) {
  struct Moving {
    math::Vector<Scalar, 3> omega, alpha, acceleration;  // of the link's frame
    math::Vector<Scalar, 3> force, moment;               // at its origin, of this link and those beyond
  };
  std::array<Moving, static_cast<std::size_t>(Capacity)> moving;
  const auto joints = static_cast<std::size_t>(arm.joints);
  // A field of gravity is a base that accelerates against it.
  const Moving ground{
      base.velocity.angular, base.acceleration.angular, base.acceleration.linear - gravity, {}, {}};
  for (std::size_t i = 0; i < joints; ++i) {
    const Link<Scalar>& link = arm.link[i];
    const auto parent = static_cast<std::size_t>(link.parent);
    const Moving& from = link.parent < 0 ? ground : moving[parent];
    const auto& from_frame = link.parent < 0 ? base.frame : pose.frame[parent];
    const math::Vector<Scalar, 3>& a = pose.axis[i];
    const Scalar rate = qd[i], acceleration = qdd == nullptr ? Scalar(0) : (*qdd)[i];
    const auto swept = [](const math::Vector<Scalar, 3>& omega, const math::Vector<Scalar, 3>& alpha,
                          const math::Vector<Scalar, 3>& r) -> math::Vector<Scalar, 3> {
      return math::cross<Scalar>(alpha, r) + math::cross<Scalar>(omega, math::cross<Scalar>(omega, r));
    };
    Moving& m = moving[i];
    m.acceleration =
        from.acceleration + swept(from.omega, from.alpha, pose.frame[i].position - from_frame.position);
    const math::Vector<Scalar, 3> turning = math::cross<Scalar>(from.omega, a);
    if (link.joint == ArmJoint::prismatic) {
      m.omega = from.omega;
      m.alpha = from.alpha;
      m.acceleration += (2 * rate) * turning + acceleration * a;  // Coriolis
    } else {
      m.omega = from.omega + rate * a;
      m.alpha = from.alpha + rate * turning + acceleration * a;
    }
    const math::Vector<Scalar, 3>& arm_to_centre = pose.to_centre[i];
    m.force = link.mass * (m.acceleration + swept(m.omega, m.alpha, arm_to_centre));
    const SpinMatrix<Scalar, 3>& I = pose.inertia[i];
    m.moment = math::times<Scalar, 3>(I, m.alpha) +
               math::cross<Scalar>(m.omega, math::times<Scalar, 3>(I, m.omega)) +
               math::cross<Scalar>(arm_to_centre, m.force);
  }
  for (std::size_t i = joints; i-- > 0;) {
    const Link<Scalar>& link = arm.link[i];
    const Moving& m = moving[i];
    tau[i] = math::fused_dot<Scalar, 3>(pose.axis[i], link.joint == ArmJoint::prismatic ? m.force : m.moment);
    if (qdd != nullptr) tau[i] += link.rotor * (*qdd)[i];
    if (link.parent < 0) continue;
    const auto parent = static_cast<std::size_t>(link.parent);
    moving[parent].moment +=
        m.moment + math::cross<Scalar>(pose.frame[i].position - pose.frame[parent].position, m.force);
    moving[parent].force += m.force;
  }
}

template <class Scalar, int Capacity>
using MassMatrix = std::array<Scalar, static_cast<std::size_t>(Capacity* Capacity)>;  // rows of Capacity

// M(q), both triangles.
template <class Scalar, int Capacity>
inline void mass_matrix(const Arm<Scalar, Capacity>& arm, const ArmPose<Scalar, Capacity>& pose,
                        MassMatrix<Scalar, Capacity>& M) {
  struct Body {
    Scalar mass;
    math::Vector<Scalar, 3> centre;  // world
    SpinMatrix<Scalar, 3> inertia;   // about it, world axes
  };
  std::array<Body, static_cast<std::size_t>(Capacity)> composite;
  const auto joints = static_cast<std::size_t>(arm.joints);
  const auto entry = [&](std::size_t i, std::size_t j) -> Scalar& {
    return M[i * static_cast<std::size_t>(Capacity) + j];
  };
  for (std::size_t i = 0; i < joints; ++i) {
    const Link<Scalar>& link = arm.link[i];
    composite[i] = {link.mass, pose.frame[i].position + pose.to_centre[i], pose.inertia[i]};
    for (std::size_t j = 0; j < joints; ++j) entry(i, j) = 0;
  }
  for (std::size_t j = joints; j-- > 0;) {
    const Link<Scalar>& link = arm.link[j];
    const Body& body = composite[j];
    const bool slides = link.joint == ArmJoint::prismatic;
    math::Vector<Scalar, 3> force = body.mass * pose.axis[j], moment = math::Vector<Scalar, 3>::Zero();
    if (!slides) {
      force = body.mass * math::cross<Scalar>(pose.axis[j], body.centre - pose.frame[j].position);
      moment = math::times<Scalar, 3>(body.inertia, pose.axis[j]);
    }
    for (int k = static_cast<int>(j); k >= 0; k = arm.link[static_cast<std::size_t>(k)].parent) {
      const auto i = static_cast<std::size_t>(k);
      const math::Vector<Scalar, 3> at_joint =
          arm.link[i].joint == ArmJoint::prismatic
              ? force
              : math::Vector<Scalar, 3>(moment +
                                        math::cross<Scalar>(body.centre - pose.frame[i].position, force));
      entry(i, j) = entry(j, i) = math::fused_dot<Scalar, 3>(pose.axis[i], at_joint);
    }
    entry(j, j) += link.rotor;
    if (link.parent < 0) continue;
    // The parent and what hangs on it become one body; its centre is kept where both are massless.
    Body& sum = composite[static_cast<std::size_t>(link.parent)];
    const Scalar mass = sum.mass + body.mass;
    if (!(mass > 0)) continue;
    const math::Vector<Scalar, 3> d = body.centre - sum.centre;
    const Scalar share = body.mass / mass, reduced = sum.mass * share,
                 d_squared = math::fused_dot<Scalar, 3>(d, d);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c <= r; ++c)
        sum.inertia(r, c) = sum.inertia(c, r) =
            sum.inertia(r, c) +
            (body.inertia(r, c) + reduced * ((r == c ? d_squared : Scalar(0)) - d[r] * d[c]));
    sum.centre += share * d;
    sum.mass = mass;
  }
}

// M = L L^T in place, in the lower triangle (see math/cholesky.hpp). False where some motion of the
// joints moves no mass, or M is not finite. Cost: n^3 / 6.
template <class Scalar, int Capacity>
inline bool factor_mass(const Arm<Scalar, Capacity>& arm, MassMatrix<Scalar, Capacity>& M) {
  return math::factor(M.data(), arm.joints, Capacity) == arm.joints;
}

// x <- M^-1 x with the factor of factor_mass(). Cost: n^2.
template <class Scalar, int Capacity>
inline void solve_mass(const Arm<Scalar, Capacity>& arm, const MassMatrix<Scalar, Capacity>& L,
                       JointVector<Scalar, Capacity>& x) {
  math::forward_substitute(L.data(), arm.joints, Capacity, x.data());
  math::back_substitute(L.data(), arm.joints, Capacity, x.data());
}

}  // namespace tactus::dynamics
