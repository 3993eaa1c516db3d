// Pang and Trinkle's fingers in the step: a finger of three joints pushes a box over a table, two of them
// lift it (spatial/pang_trinkle.json), from rest, by the round cone.
//
// From rest a step of the velocity level is the acceleration level: with v = 0 nothing gyroscopic or
// centrifugal is there, W and J are those of the instant, and the contact laws are the same whether they are
// said of h a or of a. So v* = h qdd for any h, v* the velocities before the drift. (Of a contact that moves
// this is not so: the velocity level has W v' = 0 where the other has W qdd + W-dot v = 0, and only the mean
// over many steps is the same.)
//
// The file gives lengths and masses of the finger; that the links are rods about their middles, the pitch
// axes -y, and the second finger turned about, follows from its A, which the fingers of this test have to
// give.
#include "tactus/tactus.hpp"
#include "tests/cases/reference.hpp"

using namespace tactus;
using reference::Json;
using reference::must;

namespace {

using V = math::Vector<double, 3>;
constexpr double kMotion = 1e-8;  // the file's tolerance
constexpr double kStep = 1e-3;    // s; in 1 s from rest the box would turn further than a step may
constexpr double kBall = 0.01;    // of a fingertip; what touches is a point of it, where the file has its tip
constexpr stepper::Capacity kSize{
    .bodies = 4, .contacts = 3, .slots = 8, .active = 6, .arm_joints = 6, .points = 4};
using World = stepper::World<double, 3, kSize>;
using Finger = dynamics::Arm<double, 3>;

World world;
stepper::Workspace<double, 3, kSize> workspace;

Finger finger_of(const Json& params) {
  Finger finger;
  const double radius = params["rod_radius"];
  dynamics::Link<double> post;
  post.axis = V(0, 0, 1);
  const double spin = params["I1"];
  post.inertia = V(spin, spin, spin).asDiagonal();
  TEST_ASSERT_TRUE(add_link(finger, post) == What::none);
  for (std::size_t k = 1; k < 3; ++k) {
    const double length = params["l"][k], mass = params["m"][k - 1];
    dynamics::Link<double> rod;
    rod.parent = static_cast<int>(k) - 1;
    rod.axis = V(0, -1, 0);
    rod.at.position = k == 1 ? V(0, 0, params["l"][0]) : V(params["l"][1], 0, 0);
    rod.mass = mass;
    rod.centre = V(length / 2, 0, 0);
    const double across = mass * (3 * radius * radius + length * length) / 12;
    rod.inertia = V(mass * radius * radius / 2, across, across).asDiagonal();
    TEST_ASSERT_TRUE(add_link(finger, rod) == What::none);
  }
  return finger;
}

V vector_of(const Json& json) {
  return V(json[0], json[1], json[2]);
}

// Finger number f, so placed that its tip is where the box has the contact.
void add_finger(const Json& file, const Json& input, std::size_t f, const Json& contact, const V& box,
                int body) {
  const Json& params = file["results"]["finger"]["params"];
  stepper::ArmDescription<double, 3> arm;
  arm.links = finger_of(params);
  for (std::size_t j = 0; j < 3; ++j) {
    arm.q[j] = input["theta"][f][j];
    arm.torque[j] = input["tau"][3 * f + j];
  }
  if (f == 1) arm.base.w = 0, arm.base.z = 1;
  const V end(params["l"][2], 0, 0), touch = box + vector_of(contact["r"]), normal = vector_of(contact["n"]);
  dynamics::ArmPose<double, 3> pose;
  dynamics::place(arm.links, geometry::frame(arm.base), arm.q, pose);
  arm.base.position = touch - pose.frame[2].to_world(end);
  int first = 0, tip = 0, index = 0;
  must(add_arm(world, arm, first));
  geometry::SpatialPose<double> at;
  at.position = end - kBall * pose.frame[2].turn_back(normal);
  must(add_carried(world, first + 2, geometry::sphere(kBall), at, tip));
  must(add_contact(world, {.a = tip, .b = body, .friction{.kinetic = contact["mu"]}}, index));
}

void build(const Json& file, const Json& input) {
  world = World{};
  stepper::Method method;
  method.friction = stepper::FrictionLaw::cone;
  must(stepper::configure(world, kStep, V(0, 0, -file["gravity"].get<double>()), method));
  stepper::BodyDescription<double, 3> table, box;
  int ground = 0, body = 0, index = 0;
  table.shape = geometry::half_space<double>(V(0, 0, 1), 0.0);
  must(add_body(world, table, ground));
  const V half = vector_of(file["box"]["half"]);
  box.mass = file["box"]["m"];
  box.inertia = vector_of(file["box"]["I"]).asDiagonal();
  box.shape = geometry::box(half[0], half[1], half[2]);
  box.pose.position = V(0, 0, half[2]);
  must(add_body(world, box, body));
  V corner[4];
  int corners = 0;
  double mu = 0;
  for (const auto& contact : input["contacts"]) {
    if (contact["kind"] != "table") continue;
    corner[corners++] = vector_of(contact["r"]);
    mu = contact["mu"];
  }
  if (corners > 0)
    must(add_contact(
        world, {.a = ground, .b = body, .friction{.kinetic = mu}, .points = corner, .point_count = corners},
        index));
  for (const auto& contact : input["contacts"])
    if (contact["kind"] == "finger") add_finger(file, input, contact["f"], contact, box.pose.position, body);
}

void test_fingers_move_the_box() {
  const Json file = reference::load("spatial/pang_trinkle.json");
  reference::Worst box("box, acceleration"), joints("joints, acceleration"), force("forces of the fingers");
  int seen = 0, forces = 0;
  for (const auto& [name, json] : file["results"].items()) {
    if (!json.contains("input") || json["input"]["theta"].empty() || !json["S"].empty()) continue;
    if (json["cone"]["acceleration_spread"].get<double>() > 1e-9) {
      std::printf("%s: the reference found several motions\n", name.c_str());
      continue;
    }
    build(file, json["input"]);
    const auto report = stepper::step(world, workspace);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(stepper::sentence(stepper::StepReason::none),
                                     stepper::sentence(report.reason), name.c_str());
    const auto& qdd = json["cone"]["qdd"];
    for (int k = 0; k < 3; ++k) {
      const auto& v = workspace.next.velocity[1];
      box.see(std::abs(v.linear[k] / kStep - qdd[static_cast<std::size_t>(k)].get<double>()));
      box.see(std::abs(v.angular[k] / kStep - qdd[static_cast<std::size_t>(k) + 3].get<double>()));
    }
    for (std::size_t j = 0; j < json["cone"]["thdd"].size(); ++j)
      joints.see(std::abs(world.state.arm.qd[j] / kStep - json["cone"]["thdd"][j].get<double>()));
    ++seen;
    const std::size_t contacts = json["input"]["contacts"].size();
    if (json["rank_A"].get<std::size_t>() < 3 * contacts) continue;
    for (std::size_t c = 0; c < contacts; ++c) {
      force.see(std::abs(report.contact[c].force[0] - json["cone"]["c_n"][c].get<double>()));
      force.see(
          std::abs(std::hypot(report.contact[c].force[1], report.contact[c].force[2]) -
                   std::hypot(json["cone"]["c_t"][c].get<double>(), json["cone"]["c_o"][c].get<double>())));
    }
    ++forces;
  }
  std::printf("%d cases, of %d the forces, too\n", seen, forces);
  TEST_ASSERT_TRUE(seen >= 7);
  TEST_ASSERT_EQUAL_INT(3, forces);
  box.within(kMotion);
  joints.within(kMotion);
  force.within(kMotion);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_fingers_move_the_box);
  return UNITY_END();
}
