// Reading a robot from a URDF file into the numbers that core's arms are made of.
#pragma once

#include <string>
#include <vector>

#include "tactus/dynamics/arm_model.hpp"

namespace tactus::host {

inline constexpr int kMaxRobotJoints = 32;

struct UrdfJoint {
  std::string joint, link;  // names
  dynamics::LinkData data;
};

// A link that a fixed joint holds, or one that moves: where it is in the frame of the joint that carries it.
struct UrdfFrame {
  std::string link;
  int carrier = -1;  // index of a joint; -1: the base
  math::Vector<double, 3> position = math::Vector<double, 3>::Zero();
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
};

struct UrdfRobot {
  std::string name;
  std::vector<UrdfJoint> joints;    // parents before children, otherwise in the order of the file
  std::vector<UrdfFrame> frames;    // of every link of the file
  std::vector<std::string> unused;  // elements that say nothing of the motion: `link "a": <visual>`

  // Null where no link has that name.
  const UrdfFrame* find(const std::string& link) const;
};

// Throws InputError for a file that cannot be a robot, and Unsupported, naming the element, for one that has
// what an arm of core has not: floating and planar joints, joint damping. Masses on fixed joints are merged
// into the link that carries them; a mass on the base moves nothing and is left out. An effort of 0 is none.
UrdfRobot read_urdf(const std::string& file);

}  // namespace tactus::host
