#include "hil_messages.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "input_error.hpp"

namespace tactus::host {
namespace {

void fill(const Scene& scene, const Shape& from, wire::Shape& shape) {
  if (!from.row) throw Unsupported(fmt::format("{}: a board knows no intersection", scene.file));
  const auto numbers = static_cast<std::size_t>(geometry::count(from.row->form, scene.plane ? 2 : 3));
  shape.set_kind(static_cast<wire::ShapeKind>(from.row->wire));
  add_all(from.numbers.value, numbers, [&](float x) { shape.add_size(x); });
  shape.set_offset(narrow(from.numbers.offset));
  shape.set_sides(static_cast<std::uint32_t>(from.numbers.sides));
}

void fill(const Scene& scene, const Body& from, wire::Body& body) {
  const std::size_t pose = scene.plane ? 3 : 7, motion = scene.plane ? 3 : 6;
  body.set_mass(narrow(from.mass.value_or(0)));
  if (from.mass) add_all(from.inertia, scene.plane ? 1 : 6, [&](float x) { body.add_inertia(x); });
  fill(scene, from.shape, *body.mutable_shape());
  add_all(from.pose, pose, [&](float x) { body.add_pose(x); });
  add_all(from.velocity, motion, [&](float x) { body.add_velocity(x); });
}

void fill(const Scene& scene, const ContactPair& from, wire::Contact& contact) {
  if (!from.points.empty())
    throw Unsupported(
        fmt::format("{}: contacts: {}: a board takes no points that are given", scene.file, from.name()));
  contact.set_a(static_cast<std::uint32_t>(scene.number(from.body[0])));
  contact.set_b(static_cast<std::uint32_t>(scene.number(from.body[1])));
  contact.set_friction(narrow(from.mu.kinetic));
  if (from.mu.kind == Friction::Kind::static_kinetic) contact.set_friction_static(narrow(from.mu.static_mu));
  if (from.mu.kind == Friction::Kind::falling) {
    contact.set_friction_extra(narrow(from.mu.extra));
    contact.set_friction_speed(narrow(from.mu.speed));
  }
  contact.set_restitution(narrow(from.restitution));
  contact.set_impact(static_cast<wire::ImpactLaw>(from.impact));  // the same numbers
  if (from.ellipsoid) add_all(*from.ellipsoid, 3, [&](float x) { contact.add_ellipsoid(x); });
  if (!from.patch) return;
  if (!from.patch->K.empty())
    throw Unsupported(
        fmt::format("{}: contacts: patch.K: a board has no room for {} numbers of its own, but for 0",
                    scene.file, from.patch->K.size() + from.patch->C.size()));
  wire::Patch& patch = *contact.mutable_patch();
  const auto count = [&](std::size_t i) {
    return i < from.patch->elements.size() ? static_cast<std::uint32_t>(from.patch->elements[i]) : 1U;
  };
  patch.set_columns(count(0));
  patch.set_rows(count(1));
  patch.set_spacing(narrow(from.patch->spacing));
  patch.set_compliance(narrow(from.patch->compliance));
  patch.set_poisson(narrow(from.patch->poisson));
  patch.set_stiffness(narrow(from.patch->stiffness));
  patch.set_damping(narrow(from.patch->damping));
  patch.set_damping_ratio(narrow(from.patch->damping_ratio));
  patch.set_stiffness_t(narrow(from.patch->stiffness_t));
  patch.set_printed(from.patch->printed);
  contact.set_first_is_elastic(from.first_is_elastic);
}

// The lists of messages.options.
constexpr std::size_t kMostBodies = 4, kMostContacts = 4, kMostJoints = 3, kMostLinks = 7;

void require(const Scene& scene, const char* what, std::size_t count, std::size_t most) {
  if (count > most)
    throw Unsupported(
        fmt::format("{}: {}: {} are over a board's capacity of {}", scene.file, what, count, most));
}

// `first`: links of arms before this one.
void fill(const Arm& arm, std::size_t j, std::size_t first, wire::Link& link) {
  const dynamics::LinkData& from = arm.robot.joints[j].data;
  using Isometry = Eigen::Isometry3d;
  Isometry at = Isometry::Identity();
  at.linear() = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(from.rotation);
  at.translation() = Eigen::Vector3d(from.position);
  if (from.parent < 0) {  // the wire knows no base but the world
    const auto& b = arm.base;
    at =
        Eigen::Translation3d(b[0], b[1], b[2]) * Eigen::Quaterniond(b[3], b[4], b[5], b[6]).normalized() * at;
  }
  const Eigen::Quaterniond turn(at.linear());
  const auto number = static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(from.parent + 1);
  link.set_parent(from.parent < 0 ? 0 : number);
  link.set_kind(from.joint == dynamics::ArmJoint::revolute ? wire::LINK_REVOLUTE : wire::LINK_PRISMATIC);
  const Eigen::Vector3d place = at.translation();
  add_all(place.data(), 3, [&](float x) { link.add_at(x); });
  for (const double x : {turn.w(), turn.x(), turn.y(), turn.z()}) link.add_at(narrow(x));
  add_all(from.axis, 3, [&](float x) { link.add_axis(x); });
  link.set_mass(narrow(from.mass));
  add_all(from.centre, 3, [&](float x) { link.add_centre(x); });
  add_all(from.inertia, 6, [&](float x) { link.add_inertia(x); });
  link.set_rotor(narrow(from.rotor));
  link.set_friction(narrow(from.friction));
  link.set_lower(narrow(from.lower));
  link.set_upper(narrow(from.upper));
  // Rounding must not put what stands at a limit beyond it.
  link.set_q(std::clamp(narrow(arm.q[j]), link.lower(), link.upper()));
  link.set_qd(narrow(arm.qd[j]));
  if (!arm.impedance) return;
  link.set_stiffness(narrow(arm.impedance->stiffness[j]));
  link.set_damping(narrow(arm.impedance->damping[j]));
}

void fill(const Tip& from, std::size_t first, wire::Body& body) {
  body.set_link(static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(from.joint) + 1);
  body.mutable_shape()->set_kind(wire::SPHERE);
  body.mutable_shape()->add_size(narrow(from.radius));
  add_all(from.centre, 3, [&](float x) { body.add_pose(x); });
  for (const float x : {1.0F, 0.0F, 0.0F, 0.0F}) body.add_pose(x);
}

// The arms' links, and what they carry behind the bodies.
void fill(const Scene& scene, wire::Configure& message) {
  std::size_t first = 0;
  for (const Arm& arm : scene.arms) {
    for (std::size_t j = 0; j < arm.q.size(); ++j) fill(arm, j, first, *message.add_links());
    for (const Tip& tip : arm.tips) fill(tip, first, *message.add_bodies());
    first += arm.q.size();
  }
}

wire::JointKind kind(JointKind joint) {
  switch (joint) {
    case JointKind::spherical:
      return wire::JOINT_SPHERICAL;
    case JointKind::revolute:
      return wire::JOINT_REVOLUTE;
    case JointKind::prismatic:
      return wire::JOINT_PRISMATIC;
    case JointKind::fixed:
      break;
  }
  return wire::JOINT_FIXED;
}

wire::Law law(const Scene& scene) {
  switch (scene.method) {
    case Method::cone:
      return scene.exact ? wire::CONE : wire::RELAXED_CONE;
    case Method::implicit:
      return wire::IMPLICIT;
    case Method::rigid:
    case Method::compliant:
      break;
  }
  return wire::BY_CONTACT;
}

wire::NormalRule rule(stepper::NormalRule from) {
  switch (from) {
    case stepper::NormalRule::song:
      return wire::RULE_SONG;
    case stepper::NormalRule::stewart:
      return wire::RULE_STEWART;
    case stepper::NormalRule::gap:
      break;
  }
  return wire::RULE_GAP;
}

void fill(const Scene& scene, const Joint& from, wire::Joint& joint) {
  joint.set_kind(kind(from.kind));
  joint.set_a(static_cast<std::uint32_t>(from.body[0]));
  joint.set_b(static_cast<std::uint32_t>(from.body[1]));
  add_all(from.at, scene.plane ? 2 : 3, [&](float x) { joint.add_anchor(x); });
  add_all(from.axis, scene.plane ? 2 : 3, [&](float x) { joint.add_axis(x); });
}

// Of independent noise s on every number of a state. In space the four of a quaternion have it, which is
// twice that of an angle.
stepper::Uncertainty<double> uncertainty_of(double s, bool plane) {
  return {s, plane ? s : 2 * s, s, s, s, s, 0};
}

}  // namespace

void set_uncertainty(const Scene& scene, const DisturbanceOptions& disturbance, wire::Configure& message) {
  if (scene.method == Method::implicit) return;
  const double noise = disturbance.told >= 0 ? disturbance.told : disturbance.noise;
  const auto u =
      disturbance.told < 0 && scene.uncertainty ? *scene.uncertainty : uncertainty_of(noise, scene.plane);
  if (!u.any()) return;
  wire::Uncertainty& to = *message.mutable_uncertainty();
  to.set_position(narrow(u.position));
  to.set_angle(narrow(u.angle));
  to.set_velocity(narrow(u.velocity));
  to.set_angular_velocity(narrow(u.angular_velocity));
  to.set_joint(narrow(u.joint));
  to.set_joint_velocity(narrow(u.joint_velocity));
  to.set_geometry(narrow(u.geometry));
}

void demand_board_law(const Scene& scene, const wire::Hello& hello) {
  const auto& laws = hello.laws();
  if (law(scene) == wire::BY_CONTACT || std::find(laws.begin(), laws.end(), law(scene)) != laws.end()) return;
  throw Unsupported(fmt::format("{}: method: \"{}\": the image of {} was built without this law", scene.file,
                                to_string(scene.method), hello.board()));
}

void add_doubt(const predictor::Disturbance<double>& off, int members, wire::Configure& message) {
  wire::Doubt& doubt = *message.mutable_doubt();
  doubt.set_members(static_cast<std::uint32_t>(members));
  doubt.set_seed(off.seed);
  doubt.set_position(narrow(off.position));
  doubt.set_angle(narrow(off.angle));
  doubt.set_velocity(narrow(off.velocity));
  doubt.set_angular_velocity(narrow(off.angular_velocity));
  doubt.set_friction(narrow(off.friction));
  doubt.set_restitution(narrow(off.restitution));
  doubt.set_mass(narrow(off.mass));
  doubt.set_joint(narrow(off.joint));
}

wire::Configure configure_message(const Scene& scene, int horizon, wire::Mode mode) {
  std::size_t tips = 0, links = 0;
  for (const Arm& arm : scene.arms) {
    for (const UrdfJoint& joint : arm.robot.joints)
      if (joint.data.mimic >= 0 || std::isfinite(joint.data.effort))
        throw Unsupported(
            fmt::format("{}: arms: joint \"{}\": a board has no mimic joints and no limits of motors",
                        scene.file, joint.joint));
    tips += arm.tips.size();
    links += arm.q.size();
  }
  require(scene, tips > 0 ? "bodies and tips" : "bodies", scene.bodies.size() + tips, kMostBodies);
  require(scene, "joints of arms", links, kMostLinks);
  require(scene, "contacts", scene.contacts.size(), kMostContacts);
  require(scene, "joints", scene.joints.size(), kMostJoints);
  wire::Configure message;
  message.set_plane(scene.plane);
  add_all(scene.gravity, scene.plane ? 2 : 3, [&](float x) { message.add_gravity(x); });
  message.set_law(law(scene));
  message.set_step(narrow(scene.step));
  message.set_box_pyramid(scene.bound() == contact::Pyramid::box);
  message.set_normal_rule(rule(scene.normal_rule));
  message.set_fixed_point(static_cast<std::uint32_t>(scene.fixed_point));
  if (scene.recovery_speed)  // 0 would be no bound
    message.set_recovery_speed(std::max(narrow(*scene.recovery_speed), std::numeric_limits<float>::min()));
  message.set_facets(static_cast<std::uint32_t>(scene.facets));
  message.set_horizon(static_cast<std::uint32_t>(horizon));
  message.set_impact(static_cast<wire::ImpactLaw>(scene.impact));
  if (scene.impacts_together) message.set_impact_order(wire::TOGETHER);
  message.set_mode(mode);
  if (scene.uniqueness && !scene.plane)
    throw Unsupported(
        fmt::format("{}: uniqueness: a board looks for other motions in the plane only", scene.file));
  message.set_uniqueness(scene.uniqueness);
  for (const Body& body : scene.bodies) fill(scene, body, *message.add_bodies());
  fill(scene, message);
  for (const ContactPair& contact : scene.contacts) fill(scene, contact, *message.add_contacts());
  for (const Joint& joint : scene.joints) fill(scene, joint, *message.add_joints());
  return message;
}

}  // namespace tactus::host
