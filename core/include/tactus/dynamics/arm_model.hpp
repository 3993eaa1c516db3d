// An arm as constants: what `tactus model robot.urdf --out robot.hpp` writes, for a board that reads no
// files.
//
//     #include "robot.hpp"                                      // constexpr dynamics::LinkData kRobot[] =
//     static dynamics::Arm<float, std::size(kRobot)> arm;
//     if (const Error error = build_arm(kRobot, arm)) ...       // never, if it was none once
//
// Memory: 240 bytes of flash a joint.
#pragma once

#include "tactus/dynamics/arm.hpp"

namespace tactus::dynamics {

// A link in plain numbers; see Link for their meaning. What a motor gives at most and which joint leads
// another are of the step, which takes them from ArmDescription (stepper/build_arm.hpp); build_arm() does
// not.
struct LinkData {
  int parent = -1;
  ArmJoint joint = ArmJoint::revolute;
  double position[3] = {};                           // of the frame in its parent's
  double rotation[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};  // row by row
  double axis[3] = {0, 0, 1};
  double mass = 0, centre[3] = {};
  double inertia[6] = {};  // xx, yy, zz, xy, xz, yz
  double rotor = 0, friction = 0;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double effort = std::numeric_limits<double>::infinity();  // of the motor, N m or N
  int mimic = -1;                                           // the joint that leads this one, -1: none
  double ratio = 1, offset = 0;
};

// A point of the arm that may touch things, in the frame of a link.
struct TipData {
  const char* name;
  int link;
  double position[3];
};

// Of xx, yy, zz, xy, xz, yz.
template <class Scalar>
inline SpinMatrix<Scalar, 3> inertia_of(const double (&I)[6]) {
  const auto number = [](double x) { return static_cast<Scalar>(x); };
  SpinMatrix<Scalar, 3> tensor;
  tensor << number(I[0]), number(I[3]), number(I[4]),  //
      number(I[3]), number(I[1]), number(I[5]),        //
      number(I[4]), number(I[5]), number(I[2]);
  return tensor;
}

template <class Scalar>
inline Link<Scalar> to_link(const LinkData& data) {
  const auto number = [](double x) { return static_cast<Scalar>(x); };
  const auto vector = [&](const double(&x)[3]) -> math::Vector<Scalar, 3> {
    return {number(x[0]), number(x[1]), number(x[2])};
  };
  Link<Scalar> link;
  link.parent = data.parent;
  link.joint = data.joint;
  link.at.position = vector(data.position);
  for (int i = 0; i < 9; ++i) link.at.R(i / 3, i % 3) = number(data.rotation[i]);
  link.axis = vector(data.axis);
  link.mass = number(data.mass);
  link.centre = vector(data.centre);
  link.inertia = inertia_of<Scalar>(data.inertia);
  link.rotor = number(data.rotor);
  link.friction = number(data.friction);
  link.lower = number(data.lower);
  link.upper = number(data.upper);
  return link;
}

// Adds the links one by one; stops at the first that is refused.
template <class Scalar, int Capacity, std::size_t N>
inline Error build_arm(const LinkData (&data)[N], Arm<Scalar, Capacity>& arm) {
  for (const LinkData& link : data)
    if (const Error error = add_link(arm, to_link<Scalar>(link))) return error;
  return {};
}

}  // namespace tactus::dynamics
