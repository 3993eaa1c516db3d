#include "hil_messages.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "input_error.hpp"

namespace tactus::host {
namespace {

float narrow(double x) {
  return static_cast<float>(x);
}

template <class Values, class Add>
void add_all(const Values& values, std::size_t n, Add add) {
  for (std::size_t i = 0; i < n; ++i) add(narrow(values[i]));
}

wire::ShapeKind kind(const Scene& scene, ShapeKind shape) {
  switch (shape) {
    case ShapeKind::halfspace:
      return wire::HALF_SPACE;
    case ShapeKind::disc:
      return wire::DISC;
    case ShapeKind::ellipse:
      return wire::ELLIPSE;
    case ShapeKind::box:
      return wire::BOX;
    case ShapeKind::polygon:
      return wire::POLYGON;
    case ShapeKind::rod:
      return wire::ROD;
    case ShapeKind::sphere:
      return wire::SPHERE;
    case ShapeKind::ellipsoid:
      return wire::ELLIPSOID;
    case ShapeKind::capsule:
      return wire::CAPSULE;
    case ShapeKind::intersection:
      break;
  }
  throw Unsupported(fmt::format("{}: a board does not know the shape {}", scene.file, to_string(shape)));
}

std::size_t sizes(ShapeKind shape, bool plane) {
  switch (shape) {
    case ShapeKind::halfspace:
    case ShapeKind::box:
      return plane ? 2 : 3;
    case ShapeKind::ellipse:
    case ShapeKind::capsule:
      return 2;
    case ShapeKind::ellipsoid:
      return 3;
    default:
      return 1;
  }
}

void fill(const Scene& scene, const Body& from, wire::Body& body) {
  const std::size_t pose = scene.plane ? 3 : 7, motion = scene.plane ? 3 : 6;
  body.set_mass(narrow(from.mass.value_or(0)));
  if (from.mass) add_all(from.inertia, scene.plane ? 1 : 6, [&](float x) { body.add_inertia(x); });
  wire::Shape& shape = *body.mutable_shape();
  shape.set_kind(kind(scene, from.shape.kind));
  add_all(from.shape.size, sizes(from.shape.kind, scene.plane), [&](float x) { shape.add_size(x); });
  shape.set_offset(narrow(from.shape.offset));
  shape.set_sides(static_cast<std::uint32_t>(from.shape.sides));
  add_all(from.pose, pose, [&](float x) { body.add_pose(x); });
  add_all(from.velocity, motion, [&](float x) { body.add_velocity(x); });
}

void fill(const ContactPair& from, wire::Contact& contact) {
  contact.set_a(static_cast<std::uint32_t>(from.body[0]));
  contact.set_b(static_cast<std::uint32_t>(from.body[1]));
  contact.set_friction(narrow(from.mu.kinetic));
  if (from.mu.kind == Friction::Kind::static_kinetic) contact.set_friction_static(narrow(from.mu.static_mu));
  if (from.mu.kind == Friction::Kind::falling) {
    contact.set_friction_extra(narrow(from.mu.extra));
    contact.set_friction_speed(narrow(from.mu.speed));
  }
  contact.set_restitution(narrow(from.restitution));
  if (from.ellipsoid) add_all(*from.ellipsoid, 3, [&](float x) { contact.add_ellipsoid(x); });
  if (!from.patch) return;
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
}

// The lists of messages.options.
constexpr std::size_t kMostBodies = 4, kMostContacts = 4, kMostJoints = 3;

void require(const Scene& scene, const char* what, std::size_t count, std::size_t most) {
  if (count > most)
    throw InputError(scene.file, what, fmt::format("{} are over a board's capacity of {}", count, most));
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

void fill(const Scene& scene, const Joint& from, wire::Joint& joint) {
  joint.set_kind(kind(from.kind));
  joint.set_a(static_cast<std::uint32_t>(from.body[0]));
  joint.set_b(static_cast<std::uint32_t>(from.body[1]));
  add_all(from.at, scene.plane ? 2 : 3, [&](float x) { joint.add_anchor(x); });
  add_all(from.axis, scene.plane ? 2 : 3, [&](float x) { joint.add_axis(x); });
}

}  // namespace

void demand_no_arms(const Scene& scene) {
  if (!scene.arms.empty()) throw Unsupported(fmt::format("{}: arms: a board's image has none", scene.file));
}

void demand_board_law(const Scene& scene, const wire::Hello& hello) {
  const auto& laws = hello.laws();
  if (law(scene) == wire::BY_CONTACT || std::find(laws.begin(), laws.end(), law(scene)) != laws.end()) return;
  throw Unsupported(fmt::format("{}: method: \"{}\": the image of {} was built without this law", scene.file,
                                to_string(scene.method), hello.board()));
}

wire::Configure configure_message(const Scene& scene, int horizon, wire::Mode mode) {
  require(scene, "bodies", scene.bodies.size(), kMostBodies);
  require(scene, "contacts", scene.contacts.size(), kMostContacts);
  require(scene, "joints", scene.joints.size(), kMostJoints);
  wire::Configure message;
  message.set_plane(scene.plane);
  add_all(scene.gravity, scene.plane ? 2 : 3, [&](float x) { message.add_gravity(x); });
  message.set_law(law(scene));
  message.set_step(narrow(scene.step));
  message.set_box_pyramid(scene.plane && scene.method == Method::compliant);
  message.set_facets(static_cast<std::uint32_t>(scene.facets));
  message.set_horizon(static_cast<std::uint32_t>(horizon));
  message.set_mode(mode);
  for (const Body& body : scene.bodies) fill(scene, body, *message.add_bodies());
  for (const ContactPair& contact : scene.contacts) fill(contact, *message.add_contacts());
  for (const Joint& joint : scene.joints) fill(scene, joint, *message.add_joints());
  return message;
}

wire::State state_message(const Scene& scene, const StepSample& sample, double t, long tick) {
  const std::size_t pose = scene.plane ? 3 : 7, motion = scene.plane ? 3 : 6;
  wire::State state;
  state.set_tick(static_cast<std::uint32_t>(tick));
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.moving(i)) continue;
    add_all(sample.bodies[i].pose, pose, [&](float x) { state.add_pose(x); });
    add_all(sample.bodies[i].velocity, motion, [&](float x) { state.add_velocity(x); });
    for (std::size_t k = 0; k < motion; ++k) state.add_force(narrow(scene.bodies[i].force.at(t, k)));
  }
  return state;
}

}  // namespace tactus::host
