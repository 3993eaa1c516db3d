// The arms of a scene file: the robot out of its URDF file, where it stands, what drives it, what it touches
// with.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "input_error.hpp"
#include "scene_parts.hpp"
#include "scene_reader.hpp"

namespace tactus::host {
namespace {

UrdfRobot read_robot(const JsonNode& node, const std::string& scene) {
  const std::string name = node.string();
  if (name.empty()) node.fail("must not be empty");
  const auto file = std::filesystem::path(scene).parent_path() / name;  // an absolute one replaces the rest
  try {
    return read_urdf(file.string());
  } catch (const InputError& error) {
    node.fail(error.what());
  } catch (const Unsupported& error) {
    throw Unsupported(fmt::format("{}: {}: {}", scene, node.path(), error.what()));
  }
}

// A constant or a table, one for each joint; zero where it is left out.
Forcing read_or_zero(const std::optional<JsonNode>& node, std::size_t joints) {
  if (node) return read_forcing(*node, joints);
  Forcing zero;
  zero.rows.push_back({0, std::vector<double>(joints)});
  return zero;
}

std::vector<double> read_gains(const JsonNode& node, std::size_t joints) {
  const auto gains = node.numbers(joints, "one for each joint");
  for (std::size_t i = 0; i < joints; ++i) node.item(i).not_negative();
  return gains;
}

// What the joints are driven by: torques by themselves, or beside an impedance.
void read_drive(const JsonNode& node, Arm& arm) {
  const std::size_t joints = arm.q.size();
  if (!node.is_object() || !node.has("impedance")) {
    arm.torque = read_forcing(node, joints);
    return;
  }
  node.only({"impedance"});
  const JsonNode from = node.at("impedance");
  from.only({"stiffness", "damping", "q", "qd", "torque"});
  Impedance impedance;
  impedance.stiffness = read_gains(from.at("stiffness"), joints);
  impedance.damping = read_gains(from.at("damping"), joints);
  impedance.q = read_forcing(from.at("q"), joints);
  impedance.qd = read_or_zero(from.find("qd"), joints);
  arm.torque = read_or_zero(from.find("torque"), joints);
  arm.impedance = std::move(impedance);
}

Tip read_tip(const JsonNode& node, const UrdfRobot& robot) {
  node.only({"link", "sphere", "at"});
  Tip tip;
  tip.link = node.at("link").name();
  tip.radius = node.at("sphere").positive();
  tip.at = node.at("at").vector<3>("a point in the link's frame");
  const UrdfFrame* const frame = robot.find(tip.link);
  if (frame == nullptr)
    node.fail_at("link", fmt::format("the robot \"{}\" has no link of this name", robot.name));
  if (frame->carrier < 0)
    node.fail_at("link",
                 "this link is part of the base and does not move: a body without mass does the same");
  tip.joint = frame->carrier;
  const Eigen::Vector3d at =
      frame->position + frame->rotation * Eigen::Vector3d(tip.at[0], tip.at[1], tip.at[2]);
  for (int k = 0; k < 3; ++k) tip.centre[static_cast<std::size_t>(k)] = at[k];
  return tip;
}

// Motors give what they like unless the scene says "urdf".
void take_effort(const JsonNode& node, UrdfRobot& robot) {
  if (const auto effort = node.find("effort")) {
    const std::string word = effort->string();
    if (word == "urdf") return;
    if (word != "none") effort->fail("must be \"urdf\" or \"none\"");
  }
  for (UrdfJoint& joint : robot.joints) joint.data.effort = HUGE_VAL;
}

}  // namespace

Arm read_arm(const JsonNode& node, const Scene& scene) {
  node.only({"name", "urdf", "base", "q", "qd", "torque", "tips", "effort"});
  if (scene.plane) node.fail("arms are for spatial scenes (\"plane\": false)");
  Arm arm;
  arm.name = node.at("name").name();
  arm.urdf = node.at("urdf").string();
  arm.base = read_pose(node.at("base"), false);
  arm.robot = read_robot(node.at("urdf"), scene.file);
  take_effort(node, arm.robot);
  const std::size_t joints = arm.robot.joints.size();
  const JsonNode q = node.at("q");
  const std::string one_each = fmt::format("one for each joint of \"{}\"", arm.robot.name);
  arm.q = q.numbers(joints, one_each.c_str());
  for (std::size_t j = 0; j < joints; ++j) {
    const UrdfJoint& joint = arm.robot.joints[j];
    if (!(arm.q[j] >= joint.data.lower && arm.q[j] <= joint.data.upper))
      q.item(j).fail(fmt::format("joint \"{}\" goes from {} to {}, not to {}", joint.joint, joint.data.lower,
                                 joint.data.upper, arm.q[j]));
  }
  arm.qd = node.at("qd").numbers(joints, one_each.c_str());
  read_drive(node.at("torque"), arm);
  for (const JsonNode& tip : node.at("tips").items()) arm.tips.push_back(read_tip(tip, arm.robot));
  return arm;
}

}  // namespace tactus::host
