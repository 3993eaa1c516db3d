// `tactus model`: a robot from a URDF file as constants for a board, and its figures to check.
#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <cstdio>

#include "commands.hpp"
#include "input_error.hpp"
#include "output_file.hpp"
#include "tactus/dynamics/arm_dynamics.hpp"
#include "tactus/sentence.hpp"
#include "urdf.hpp"

namespace tactus::host {
namespace {

using Robot = dynamics::Arm<double, kMaxRobotJoints>;
using Vector = dynamics::JointVector<double, kMaxRobotJoints>;

// "two_finger-gripper" -> "TwoFingerGripper".
std::string camel_case(const std::string& name) {
  std::string out;
  bool start = true;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) == 0) {
      start = true;
    } else {
      out += static_cast<char>(start ? std::toupper(byte) : byte);
      start = false;
    }
  }
  return out;
}

// A C++ literal that reads back as the same bits.
std::string literal(double x) {
  if (std::isinf(x)) return fmt::format("{}std::numeric_limits<double>::infinity()", x < 0 ? "-" : "");
  return fmt::format("{}", x);
}

template <class Range>
std::string braced(const Range& numbers) {
  std::string out;
  for (const double x : numbers) out += (out.empty() ? "" : ", ") + literal(x);
  return fmt::format("{{{}}}", out);
}

std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return fmt::format("\"{}\"", out);
}

std::string header(const UrdfRobot& robot, const std::string& file) {
  const std::string name = fmt::format("k{}", camel_case(robot.name));
  std::string out = fmt::format(
      "// The robot {} as constants, made by `tactus model` from {}.\n"
      "#pragma once\n\n#include <limits>\n\n#include \"tactus/dynamics/arm_model.hpp\"\n\n"
      "inline constexpr tactus::dynamics::LinkData {}[] = {{\n",
      one_line(robot.name), one_line(file.substr(file.find_last_of('/') + 1)), name);
  for (const UrdfJoint& joint : robot.joints) {
    const dynamics::LinkData& d = joint.data;
    out += fmt::format("    {{.parent = {},  // {}\n     .joint = tactus::dynamics::ArmJoint::{},\n",
                       d.parent, one_line(joint.joint),
                       d.joint == dynamics::ArmJoint::prismatic ? "prismatic" : "revolute");
    out += fmt::format("     .position = {},\n     .rotation = {},\n     .axis = {},\n", braced(d.position),
                       braced(d.rotation), braced(d.axis));
    out += fmt::format("     .mass = {},\n     .centre = {},\n     .inertia = {},\n", literal(d.mass),
                       braced(d.centre), braced(d.inertia));
    out += fmt::format("     .rotor = {},\n     .friction = {},\n     .lower = {},\n     .upper = {},\n",
                       literal(d.rotor), literal(d.friction), literal(d.lower), literal(d.upper));
    out += fmt::format("     .effort = {},\n     .mimic = {},\n     .ratio = {},\n     .offset = {}}},\n",
                       literal(d.effort), d.mimic, literal(d.ratio), literal(d.offset));
  }
  out += fmt::format(
      "}};\n\n// Every link of the file, by the origin of its frame.\n"
      "inline constexpr tactus::dynamics::TipData {}Links[] = {{\n",
      name);
  for (const UrdfFrame& frame : robot.frames)
    out += fmt::format("    {{{}, {}, {}}},\n", quoted(one_line(frame.link)), frame.carrier,
                       braced(frame.position));
  return out + "};\n";
}

void print_check(const UrdfRobot& robot, const ModelOptions& options) {
  Robot arm;
  for (const UrdfJoint& joint : robot.joints)
    if (const Error error = add_link(arm, dynamics::to_link<double>(joint.data)))
      throw InputError(options.file, fmt::format("joint \"{}\"", joint.joint), Sentence(error).text());
  const std::size_t joints = robot.joints.size();
  if (!options.at.empty() && options.at.size() != joints)
    throw InputError(options.file, "--at",
                     fmt::format("has {} values, and {} joints move", options.at.size(), joints));
  Vector q{};
  std::copy(options.at.begin(), options.at.end(), q.begin());

  fmt::print("{}: {} joints\n{:<20} {:<10} {:>10} {:>10}  {:<20} {:>10}\n", robot.name, joints, "joint",
             "type", "lower", "upper", "link", "mass, kg");
  double mass = 0;
  for (const UrdfJoint& joint : robot.joints) {
    fmt::print("{:<20} {:<10} {:>10.4g} {:>10.4g}  {:<20} {:>10.4g}\n", joint.joint,
               joint.data.joint == dynamics::ArmJoint::prismatic ? "prismatic" : "revolute", joint.data.lower,
               joint.data.upper, joint.link, joint.data.mass);
    mass += joint.data.mass;
  }
  fmt::print("moving mass {:.6g} kg\n\nlinks at q = [", mass);
  for (std::size_t i = 0; i < joints; ++i) fmt::print("{}{:g}", i == 0 ? "" : ", ", q[i]);
  fmt::print("], m\n");
  dynamics::ArmPose<double, kMaxRobotJoints> pose;
  const geometry::SpatialFrame<double> base;
  place(arm, base, q, pose);
  for (const UrdfFrame& frame : robot.frames) {
    const auto& carrier = frame.carrier < 0 ? base : pose.frame[static_cast<std::size_t>(frame.carrier)];
    const auto at = carrier.to_world(frame.position);
    fmt::print("{:<20} {:>12.6f} {:>12.6f} {:>12.6f}\n", frame.link, at[0], at[1], at[2]);
  }
  fmt::print("\nmass matrix, kg m^2 (kg where a joint slides)\n");
  dynamics::MassMatrix<double, kMaxRobotJoints> M;
  mass_matrix(arm, pose, M);
  for (std::size_t i = 0; i < joints; ++i) {
    for (std::size_t j = 0; j < joints; ++j) fmt::print(" {:>12.6g}", M[i * kMaxRobotJoints + j]);
    fmt::print("\n");
  }
}

}  // namespace

int run_model(const ModelOptions& options) {
  const UrdfRobot robot = read_urdf(options.file);
  for (const std::string& element : robot.unused)
    fmt::print(stderr, "{}: not used: {}\n", one_line(options.file), one_line(element));
  if (!options.out.empty()) {
    OutputFile out(options.out);
    out.write(header(robot, options.file));
    out.close();
  }
  if (options.check || options.out.empty()) print_check(robot, options);
  return kExitOk;
}

}  // namespace tactus::host
