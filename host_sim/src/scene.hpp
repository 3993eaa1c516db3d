// What a scene file says, after every check of scene_reader.hpp: plain data in SI units. The plane uses the
// first components of a spatial quantity: pose x, y, angle; velocity vx, vy, omega; force fx, fy, torque.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tactus/contact/impact_law.hpp"
#include "tactus/geometry/shape.hpp"
#include "tactus/stepper/model.hpp"
#include "tactus/stepper/uncertainty.hpp"
#include "urdf.hpp"

namespace tactus::host {

enum class Method { rigid, compliant, implicit, cone };
inline constexpr const char* kIntersection = "intersection";

struct Shape {
  const geometry::ShapeRow* row = nullptr;  // of the table of the scene's dimension; none: an intersection
  geometry::ShapeNumbers<double> numbers;   // halfspace: the outward unit normal
  std::vector<Shape> parts;                 // of the intersection

  const char* name() const { return row ? row->name : kIntersection; }
  bool is_half_space() const { return row && row->form == geometry::Form::normal; }
};

// A force and torque in the world frame at the centre of mass, or the torques of an arm.
struct Forcing {
  struct Row {
    double t = 0;
    std::vector<double> value;
  };
  std::vector<Row> rows;  // one row: constant. More: linear between the rows, constant outside of them.

  double at(double t, std::size_t i) const;
};

struct Body {
  std::string name;
  std::optional<double> mass;  // none: fixed
  std::array<double, 6>
      inertia{};  // Ixx, Iyy, Izz, Ixy, Ixz, Iyz of the body frame; the plane uses the first
  Shape shape;
  std::array<double, 7> pose{};  // x, y, z, qw, qx, qy, qz (unit quaternion), or x, y, angle
  std::array<double, 6> velocity{};
  Forcing force;
};

struct Friction {
  enum class Kind { constant, static_kinetic, falling };
  Kind kind = Kind::constant;
  double kinetic = 0;    // the only one of a constant
  double static_mu = 0;  // static_kinetic
  double extra = 0;      // falling: mu(s) = kinetic + extra exp(-s / speed)
  double speed = 0;      // m/s
};

struct Patch {
  std::vector<int> elements;  // {n} or {n, m}; empty: one lumped element
  double spacing = 0;         // m
  double compliance = 0;      // eps of Song 2004
  double poisson = 0;
  double stiffness = 0;      // N/m, lumped
  double stiffness_t = 0;    // N/m, lumped, along t and o; 0: the same
  double damping = 0;        // N s/m, lumped
  double damping_ratio = 1;  // where no damping is given: C = 2 damping_ratio sqrt(K)
  bool printed = true;       // Song's scheme as printed; else the material keeps what is deformed
  std::vector<double> K, C;  // given, row by row; else empty
};

struct ContactPair {
  std::array<std::string, 2> between;
  std::array<int, 2> body{};  // index into bodies; negative: -1 - index into all tips of all arms
  Friction mu;
  double restitution = 0;
  contact::ImpactLaw impact = contact::ImpactLaw::of_scene;
  std::optional<std::array<double, 3>> ellipsoid;  // e_t, e_o, e_r (Chakraborty (4)-(5))
  std::optional<Patch> patch;                      // where the law is compliant
  bool first_is_elastic = false;                   // the patch is of the first of the two; else the second
  std::vector<std::array<double, 3>> points;       // in the frame of the second body; empty: the shapes'

  std::string name() const { return between[0] + "-" + between[1]; }
};

enum class JointKind { spherical, revolute, prismatic, fixed };

struct Joint {
  std::string name;
  JointKind kind = JointKind::fixed;
  std::array<int, 2> body{};
  std::array<double, 3> at{};
  std::array<double, 3> axis{};  // unit; revolute and prismatic
};

// A ball on a link, that touches things.
struct Tip {
  std::string link;
  double radius = 0;
  std::array<double, 3> at{};      // its centre, in the link's frame
  int joint = 0;                   // of the arm, that carries the link
  std::array<double, 3> centre{};  // in the frame of that joint's link
};

// Springs and dampers of the joints: stiffness (q - the joint's) + damping (qd - the joint's).
struct Impedance {
  std::vector<double> stiffness, damping;  // N m/rad and N m s/rad, or N/m and N s/m
  Forcing q, qd;                           // where they pull to
};

struct Arm {
  std::string name;
  std::string urdf;  // as written, relative to the scene
  UrdfRobot robot;   // what stands there; its motors have limits only where the scene says so
  std::array<double, 7> base{};
  std::vector<double> q, qd;
  Forcing torque;  // held, beside the impedance
  std::optional<Impedance> impedance;
  std::vector<Tip> tips;
};

struct Scene {
  std::string file;
  std::string name;
  bool plane = true;
  std::array<double, 3> gravity{};
  double step = 0;
  double end = 0;
  Method method = Method::rigid;
  contact::ImpactLaw impact = contact::ImpactLaw::poisson;  // of contacts that have none of their own
  bool impacts_together = false;                            // else in turn
  bool exact = false;                                       // cone: Coulomb's law instead of the relaxed one
  int facets = 4;
  bool uniqueness = false;  // say of each step whether its motion is the only one; plane
  stepper::NormalRule normal_rule = stepper::NormalRule::gap;
  int fixed_point = 0;                      // passes
  std::optional<contact::Pyramid> pyramid;  // none: what is exact
  std::optional<double> recovery_speed;     // m/s; none: no bound
  std::vector<Body> bodies;
  std::vector<ContactPair> contacts;
  std::vector<Joint> joints;
  std::vector<Arm> arms;
  std::optional<stepper::Uncertainty<double>> uncertainty;  // of what a board is told of the state

  // By which friction is bounded. In the plane both are exact; compliant scenes have always been solved by
  // the box.
  contact::Pyramid bound() const;
  long steps() const;  // the number of steps that reach `end`
  bool moving(std::size_t body) const { return bodies[body].mass.has_value(); }
  // Where core and wire have the bodies of a pair: behind the bodies come the tips.
  std::size_t number(int body) const {
    return body >= 0 ? static_cast<std::size_t>(body) : bodies.size() + static_cast<std::size_t>(-1 - body);
  }
};

const char* to_string(Method method);

// ARM/JOINT, of a joint's number among those of all arms.
std::string joint_name(const Scene& scene, std::size_t joint);

}  // namespace tactus::host
