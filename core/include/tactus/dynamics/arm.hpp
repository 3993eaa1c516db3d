// A manipulator: rigid links, each on one revolute or prismatic joint of its parent or of the base; a chain
// or a tree.
//
// Links are numbered so that a parent comes before its children, and a link has the number of the joint that
// moves it: q[i] turns or shifts link i against its parent (rad or m). A joint of several degrees of freedom
// is several links of which only the last has mass.
//
//     dynamics::Arm<float, 7> arm;
//     if (const Error error = add_link(arm, {.parent = -1, .axis{0, 0, 1}, .mass = 2.0F, ...})) return error;
//
// Memory: sizeof(Arm), about 220 bytes a joint in float. Everything is checked here, when the model is built;
// the algorithms of arm_motion.hpp and arm_dynamics.hpp then divide by nothing that could be zero.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "tactus/dynamics/body.hpp"

namespace tactus::dynamics {

enum class ArmJoint : std::uint8_t { revolute, prismatic };

template <class Scalar>
struct Link {
  int parent = -1;  // -1: the base
  ArmJoint joint = ArmJoint::revolute;
  geometry::SpatialFrame<Scalar> at{};  // of the link in its parent's frame where q = 0
  math::Vector<Scalar, 3> axis = math::Vector<Scalar, 3>::UnitZ();   // unit, in the frame of the link
  Scalar mass = 0;                                                   // kg; 0: a massless intermediate link
  math::Vector<Scalar, 3> centre = math::Vector<Scalar, 3>::Zero();  // of mass, in the frame of the link, m
  SpinMatrix<Scalar, 3> inertia = SpinMatrix<Scalar, 3>::Zero();     // about that centre, kg m^2
  Scalar rotor = 0;     // inertia of the drive as seen at the joint, gear ratio squared: kg m^2, or kg
  Scalar friction = 0;  // Coulomb's, of the joint: N m, or N
  Scalar lower = -std::numeric_limits<Scalar>::infinity();  // limits of q
  Scalar upper = std::numeric_limits<Scalar>::infinity();
};

template <class Scalar, int Capacity = 12>
struct Arm {
  static constexpr int kCapacity = Capacity;
  template <class T>
  using Array = std::array<T, static_cast<std::size_t>(Capacity)>;

  int joints = 0;
  Array<Link<Scalar>> link;
};

namespace detail {

template <class Scalar>
inline bool is_rotation(const Eigen::Matrix<Scalar, 3, 3>& R) {
  const math::Vector<Scalar, 3> x = R.col(0), y = R.col(1), z = R.col(2), normal = math::cross<Scalar>(x, y);
  const Scalar tolerance = Scalar(1e-3);
  const auto near = [&](Scalar a, Scalar b) { return math::magnitude(a - b) <= tolerance; };
  return near(math::fused_dot<Scalar, 3>(x, x), 1) && near(math::fused_dot<Scalar, 3>(y, y), 1) &&
         near(math::fused_dot<Scalar, 3>(x, y), 0) && near(normal[0], z[0]) && near(normal[1], z[1]) &&
         near(normal[2], z[2]);
}

// A rigid body's inertia I is tr(S) 1 - S with S = sum m r r^T positive semidefinite, so S = tr(I) / 2 - I
// is what is checked: Sylvester's criterion on the minors, to within rounding. A rod (one eigenvalue 0) and a
// point (all of them) are bodies, too.
template <class Scalar>
inline bool is_inertia(const Eigen::Matrix<Scalar, 3, 3>& I) {
  Scalar largest = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      if (!math::finite(I(i, j))) return false;
      largest = math::larger(largest, math::magnitude(I(i, j)));
    }
  const Scalar tolerance = Scalar(1e-5) * largest;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j)
      if (!(math::magnitude(I(i, j) - I(j, i)) <= tolerance)) return false;
  const Scalar half = (I(0, 0) + I(1, 1) + I(2, 2)) / 2 + tolerance;
  const Scalar a = half - I(0, 0), b = half - I(1, 1), c = half - I(2, 2);
  const Scalar d = -I(1, 0), e = -I(2, 0), f = -I(2, 1);
  const Scalar determinant = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e);
  return a >= 0 && b >= 0 && c >= 0 && a * b >= d * d && a * c >= e * e && b * c >= f * f && determinant >= 0;
}

}  // namespace detail

// Checks the link and appends it as joint number arm.joints. On an error the arm is as it was.
template <class Scalar, int Capacity>
inline Error add_link(Arm<Scalar, Capacity>& arm, const Link<Scalar>& link) {
  const int i = arm.joints;
  if (i >= Capacity) return {What::link_capacity, i, i + 1, Capacity};
  if (link.parent < -1 || link.parent >= i) return {What::link_parent, i, i - 1, link.parent};
  if (!geometry::is_finite(link.at) || !detail::is_rotation<Scalar>(link.at.R)) return {What::link_frame, i};
  if (!(math::magnitude(math::fused_dot<Scalar, 3>(link.axis, link.axis) - 1) <= Scalar(1e-3)))
    return {What::link_axis, i};
  if (!(link.mass >= 0) || !math::finite(link.mass) || !math::finite<Scalar, 3>(link.centre))
    return {What::link_mass, i, 0, link.mass};
  if (!detail::is_inertia<Scalar>(link.inertia)) return {What::link_inertia, i};
  if (!(link.rotor >= 0 && link.friction >= 0) || !math::finite(link.rotor) || !math::finite(link.friction))
    return {What::link_drive, i};
  if (!(link.lower < link.upper)) return {What::link_limits, i, link.lower, link.upper};
  arm.link[static_cast<std::size_t>(arm.joints++)] = link;
  return {};
}

}  // namespace tactus::dynamics
