#include "urdf.hpp"

#include <console_bridge/console.h>
#include <fmt/format.h>
#include <tinyxml.h>
#include <urdf_parser/urdf_parser.h>

#include <cmath>
#include <map>
#include <set>

#include "input_error.hpp"
#include "json_file.hpp"
#include "tactus/sentence.hpp"

namespace tactus::host {
namespace {

using dynamics::LinkData;
using V3 = math::Vector<double, 3>;
using Matrix = Eigen::Matrix3d;

struct Placed {
  V3 position = V3::Zero();
  Matrix rotation = Matrix::Identity();

  Placed operator*(const Placed& inner) const {
    return {position + rotation * inner.position, rotation * inner.rotation};
  }
};

Placed placed(const urdf::Pose& pose) {
  const urdf::Rotation& q = pose.rotation;
  const Eigen::Matrix3d R = [&] {
    geometry::SpatialPose<double> at;
    at.w = q.w, at.x = q.x, at.y = q.y, at.z = q.z;
    return geometry::frame(at).R;
  }();
  return {{pose.position.x, pose.position.y, pose.position.z}, R};
}

// What a link weighs, in the frame of the joint that carries it.
struct Weight {
  double mass = 0;
  V3 centre = V3::Zero();
  Matrix inertia = Matrix::Zero();  // about the centre

  // Of two bodies as one: masses and centres add up, and each inertia moves to the common centre (Steiner).
  void add(const Weight& other) {
    const double sum = mass + other.mass;
    if (!(sum > 0)) return;
    const V3 d = other.centre - centre;
    inertia += other.inertia + mass * other.mass / sum * (d.dot(d) * Matrix::Identity() - d * d.transpose());
    centre += other.mass / sum * d;
    mass = sum;
  }
};

Weight weight_of(const urdf::Link& link, const Placed& at) {
  if (!link.inertial) return {};
  const urdf::Inertial& i = *link.inertial;
  const Placed own = at * placed(i.origin);
  Matrix I;
  I << i.ixx, i.ixy, i.ixz, i.ixy, i.iyy, i.iyz, i.ixz, i.iyz, i.izz;
  return {i.mass, own.position, own.rotation * I * own.rotation.transpose()};
}

// Walks the tree of links and collects joints, frames and masses.
class Collector {
 public:
  Collector(const std::string& file, const std::map<std::string, int>& order) : file_(file), order_(order) {}

  UrdfRobot robot;

  void visit(const urdf::Link& link, int carrier, const Placed& at) {
    robot.frames.push_back({link.name, carrier, at.position, at.rotation});
    const Weight weight = weight_of(link, at);
    check(link.name, weight);
    if (carrier >= 0) weights_[static_cast<std::size_t>(carrier)].add(weight);
    auto joints = link.child_joints;
    std::sort(joints.begin(), joints.end(),
              [&](const auto& a, const auto& b) { return order_.at(a->name) < order_.at(b->name); });
    for (const auto& joint : joints) follow(*joint, link, carrier, at);
  }

  void finish() {
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      write(weights_[i], robot.joints[i].data);
      check(robot.joints[i].link, robot.joints[i].data);
    }
    for (const auto& [joint, mimic] : mimics_) lead(joint, *mimic);
  }

 private:
  // What <mimic> says, once all joints have their numbers.
  void lead(int joint, const urdf::JointMimic& mimic) {
    const std::string key = fmt::format("joint \"{}\": <mimic>", robot.joints[at(joint)].joint);
    const auto fail = [&](const std::string& reason) { throw InputError(file_, key, reason); };
    int leader = -1;
    for (std::size_t i = 0; i < robot.joints.size(); ++i)
      if (robot.joints[i].joint == mimic.joint_name) leader = static_cast<int>(i);
    if (leader < 0 && order_.contains(mimic.joint_name))
      fail(fmt::format("joint \"{}\" is fixed and leads nothing", mimic.joint_name));
    if (leader < 0) fail(fmt::format("there is no joint \"{}\"", mimic.joint_name));
    if (leader == joint) fail("a joint cannot mimic itself");
    for (const auto& [other, of] : mimics_)
      if (other == leader)
        fail(fmt::format("joint \"{}\" mimics another: let both mimic the one that leads", mimic.joint_name));
    if (!std::isfinite(mimic.multiplier) || mimic.multiplier == 0 || !std::isfinite(mimic.offset))
      fail("the multiplier must be finite and not 0, the offset finite");
    LinkData& data = robot.joints[at(joint)].data;
    data.mimic = leader;
    data.ratio = mimic.multiplier;
    data.offset = mimic.offset;
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  void follow(const urdf::Joint& joint, const urdf::Link& parent, int carrier, const Placed& at) {
    const std::string key = fmt::format("joint \"{}\"", joint.name);
    const auto child = std::find_if(parent.child_links.begin(), parent.child_links.end(),
                                    [&](const auto& link) { return link->name == joint.child_link_name; });
    if (child == parent.child_links.end()) throw InputError(file_, key, "its child link is not in the file");
    const Placed here = at * placed(joint.parent_to_joint_origin_transform);
    if (joint.type == urdf::Joint::FIXED) return visit(**child, carrier, here);
    if (joint.type == urdf::Joint::FLOATING || joint.type == urdf::Joint::PLANAR)
      throw Unsupported(
          fmt::format("{}: {}: floating and planar joints are not supported; three prismatic and "
                      "three revolute joints do the same",
                      file_, key));
    if (joint.dynamics && joint.dynamics->damping != 0)
      throw Unsupported(fmt::format("{}: {}: <dynamics damping> is not supported; friction is", file_, key));
    if (robot.joints.size() == kMaxRobotJoints)
      throw InputError(file_, key, fmt::format("more than {} moving joints", kMaxRobotJoints));
    UrdfJoint made{joint.name, joint.child_link_name, {}};
    made.data.parent = carrier;
    made.data.joint =
        joint.type == urdf::Joint::PRISMATIC ? dynamics::ArmJoint::prismatic : dynamics::ArmJoint::revolute;
    for (int k = 0; k < 3; ++k) made.data.position[k] = here.position[k];
    for (int k = 0; k < 9; ++k) made.data.rotation[k] = here.rotation(k / 3, k % 3);
    const V3 axis(joint.axis.x, joint.axis.y, joint.axis.z);
    const double length = axis.norm();
    if (!(length > 0) || !std::isfinite(length)) throw InputError(file_, key, "the axis must not be zero");
    for (int k = 0; k < 3; ++k) made.data.axis[k] = axis[k] / length;
    made.data.friction = joint.dynamics ? joint.dynamics->friction : 0;
    const bool limited = joint.type != urdf::Joint::CONTINUOUS && joint.limits;
    made.data.lower = limited ? joint.limits->lower : -HUGE_VAL;
    made.data.upper = limited ? joint.limits->upper : HUGE_VAL;
    // Many tools write 0 where they know none.
    if (joint.limits && joint.limits->effort != 0) made.data.effort = joint.limits->effort;
    if (!(made.data.effort > 0))
      throw InputError(
          file_, key,
          fmt::format("<limit effort> must be positive, or 0 for none, not {}", joint.limits->effort));
    const int index = static_cast<int>(robot.joints.size());
    if (joint.mimic) mimics_.push_back({index, joint.mimic});
    robot.joints.push_back(made);
    weights_.emplace_back();
    visit(**child, index, Placed{});
  }

  static void write(const Weight& w, LinkData& data) {
    data.mass = w.mass;
    for (int k = 0; k < 3; ++k) data.centre[k] = w.centre[k];
    const double inertia[6] = {w.inertia(0, 0), w.inertia(1, 1), w.inertia(2, 2),
                               w.inertia(0, 1), w.inertia(0, 2), w.inertia(1, 2)};
    std::copy(std::begin(inertia), std::end(inertia), data.inertia);
  }

  // As core would refuse it, with the name of the link.
  void check(const std::string& link, LinkData data) const {
    data.parent = -1;
    dynamics::Arm<double, 1> alone;
    const Error error = add_link(alone, dynamics::to_link<double>(data));
    if (error) throw InputError(file_, fmt::format("link \"{}\"", link), Sentence(error).text());
  }
  void check(const std::string& link, const Weight& weight) const {
    LinkData data;
    write(weight, data);
    check(link, data);
  }

  const std::string& file_;
  const std::map<std::string, int>& order_;
  std::vector<Weight> weights_;
  std::vector<std::pair<int, urdf::JointMimicSharedPtr>> mimics_;
};

// The names of the elements that have no place in the motion, and the order of the joints.
void scan(const TiXmlElement& robot, std::vector<std::string>& unused, std::map<std::string, int>& order) {
  static const std::map<std::string, std::set<std::string>> kKnown = {
      {"link", {"inertial"}},
      {"joint", {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"}},
  };
  for (const TiXmlElement* e = robot.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
    const char* name = e->Attribute("name");
    const std::string label = name == nullptr ? "" : fmt::format("{} \"{}\": ", e->Value(), name);
    const auto known = kKnown.find(e->Value());
    if (known == kKnown.end()) {
      unused.push_back(fmt::format("<{}>", e->Value()));
      continue;
    }
    if (known->first == "joint" && name != nullptr) order.emplace(name, static_cast<int>(order.size()));
    for (const TiXmlElement* c = e->FirstChildElement(); c != nullptr; c = c->NextSiblingElement())
      if (!known->second.contains(c->Value())) unused.push_back(fmt::format("{}<{}>", label, c->Value()));
  }
}

}  // namespace

const UrdfFrame* UrdfRobot::find(const std::string& link) const {
  for (const UrdfFrame& frame : frames)
    if (frame.link == link) return &frame;
  return nullptr;
}

UrdfRobot read_urdf(const std::string& file) {
  const std::string text = read_file(file);
  TiXmlDocument document;
  document.Parse(text.c_str());
  if (document.Error())
    throw InputError(file, fmt::format("line {}", document.ErrorRow()), document.ErrorDesc());
  const TiXmlElement* root = document.RootElement();
  if (root == nullptr || std::string(root->Value()) != "robot")
    throw InputError(file, "robot", "the file must hold one element <robot>");
  std::vector<std::string> unused;
  std::map<std::string, int> order;
  scan(*root, unused, order);
  console_bridge::noOutputHandler();  // the reason is said once, below
  const urdf::ModelInterfaceSharedPtr model = urdf::parseURDF(text);
  if (!model || !model->getRoot())
    throw InputError(
        file, "robot",
        "urdfdom refuses it: a link or joint without a name, a number that is none, no root, a loop, "
        "or a revolute or prismatic joint without its limits");
  Collector collector(file, order);
  collector.visit(*model->getRoot(), -1, Placed{});
  collector.finish();
  UrdfRobot robot = std::move(collector.robot);
  robot.name = model->getName();
  robot.unused = std::move(unused);
  if (robot.joints.empty()) throw InputError(file, "robot", "no joint moves");
  return robot;
}

}  // namespace tactus::host
