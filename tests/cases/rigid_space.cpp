// Rigid bodies in space against the reference cases and against closed forms: spheres and boxes that slide,
// roll, stick and stop.
#include <memory>

#include "reference.hpp"

using namespace tactus;
using namespace tactus::stepper;
using reference::Json;
using reference::Worst;
using Vector3 = dynamics::Vector<double, 3>;

namespace {

constexpr double kGravity = 9.81;
constexpr Capacity kSpatial{.bodies = 2,
                            .contacts = 1,
                            .slots = 8,
                            .active = 5,
                            .unknowns = 5 * 18,
                            .patches = 1,
                            .patch_elements = 1,
                            .points = 5};
using Space = Scene<3, kSpatial>;

Method facets(int k) {
  Method method;
  method.facets = static_cast<std::uint8_t>(k);
  return method;
}

Vector3 as_vector(const Json& json) {
  return {json[0].get<double>(), json[1].get<double>(), json[2].get<double>()};
}

std::unique_ptr<Space> scene_of(double h, const Vector3& gravity, int k) {
  auto scene = std::make_unique<Space>(h, gravity, facets(k));
  scene->floor();
  return scene;
}

BodyDescription<double, 3> sphere(double mass, double radius) {
  BodyDescription<double, 3> b;
  b.mass = mass;
  b.inertia = Eigen::Matrix3d::Identity() * (0.4 * mass * radius * radius);
  b.shape = geometry::sphere<double>(radius);
  b.pose.position[2] = radius;
  return b;
}

BodyDescription<double, 3> box(double mass, const Vector3& half) {
  BodyDescription<double, 3> b;
  b.mass = mass;
  const double x = half[0] * half[0], y = half[1] * half[1], z = half[2] * half[2];
  b.inertia = Vector3((y + z) * mass / 3, (x + z) * mass / 3, (x + y) * mass / 3).asDiagonal();
  b.shape = geometry::box<double>(half[0], half[1], half[2]);
  b.pose.position[2] = half[2];
  return b;
}

// The first facet direction goes with the slip, so along a straight slide the pyramid is the cone.
void sphere_slides_and_rolls() {
  const Json json = reference::load("spatial/sphere_slide.json");
  const Json& p = json["params"];
  Worst traj("sliding sphere against the exact cone, x, v, w, force relative");
  for (const auto& [name, h] : {std::pair{"h0.01_gap0_exact", 0.01}, {"h0.001_gap0_exact", 0.001}}) {
    auto scene = scene_of(h, {0, 0, -p["gravity"].get<double>()}, 4);
    auto ball = sphere(p["m"], p["R"]);
    ball.velocity.linear[0] = p["v0"];
    scene->add(ball);
    scene->touch(0, 1, p["mu"]);
    const Json& rows = json["results"][name]["trajectory"];
    std::size_t row = 0;
    for (int k = 1; row < rows.size(); ++k) {
      const auto report = scene->step();
      const auto want = reference::numbers(rows[row]);
      if (std::abs(want[0] - k * h) > 1e-9) continue;
      ++row;
      for (std::size_t i = 0; i < 3; ++i) {
        const auto c = static_cast<Eigen::Index>(i);
        traj.see(std::abs(scene->pose(1).position[c] - want[1 + i]));
        traj.see(std::abs(scene->velocity(1).linear[c] - want[4 + i]));
        traj.see(std::abs(scene->velocity(1).angular[c] - want[7 + i]) * p["R"].get<double>());
        traj.see(std::abs(report.contact[0].force[c] - want[10 + i]) / (p["m"].get<double>() * kGravity));
      }
    }
  }
  traj.within(json["tolerance"].get<double>());
}

void sphere_stops_slipping_at_five_sevenths() {
  const Json rigid = reference::load("spatial/rigid_limit.json")["sphere"];
  const Json& p = rigid["params"];
  auto scene = scene_of(p["h"], {0, 0, -kGravity}, 4);
  auto ball = sphere(p["m"], p["R"]);
  ball.velocity.linear[0] = p["v0"][0];
  scene->add(ball);
  scene->touch(0, 1, p["mu"]);
  int stick = 0;
  for (int k = 1; k <= 200; ++k)
    if (scene->step().contact[0].mode == contact::Mode::stick && stick == 0) stick = k;
  TEST_ASSERT_EQUAL_INT(rigid["rigid"]["discrete_steps"].get<int>(), stick);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, rigid["rigid"]["discrete_v"].get<double>(), scene->velocity(1).linear[0]);
}

// One step of a box on four corners. Forces are redundant: velocities and resultants are compared.
void box_on_corners() {
  const Json json = reference::load("spatial/box_corners.json");
  const Json& p = json["params"];
  Worst straight("box on corners, straight and at rest: v and W lambda"),
      spin("... with spin, friction against mu lambda_n (relative)");
  for (const auto& [name, row] : json["results"].items()) {
    if (!row.contains("exact")) continue;
    const double h = row["h"];
    auto scene = scene_of(h, {0, 0, -kGravity}, 16);
    BodyDescription<double, 3> b = box(p["m"], as_vector(p["half"]));
    const auto I = reference::numbers(p["I"]), v0 = reference::numbers(row["v0"]);
    b.inertia = Vector3(I[0], I[1], I[2]).asDiagonal();
    b.velocity.linear = {v0[0], v0[1], v0[2]};
    b.velocity.angular = {v0[3], v0[4], v0[5]};
    scene->add(b);
    scene->touch(0, 1, p["mu"]);
    const auto report = scene->step();
    if (v0[5] != 0) {
      // Every corner slips another way, so the friction depends on how the corners share the weight, which
      // the law leaves open: there are many right answers. Each must hold the weight and oppose each corner's
      // slip within the facets' error.
      const auto& ws = scene->workspace;
      double weight = 0;
      for (int i = 0; i < 4; ++i) {
        const double* l = ws.lambda.data() + 3 * i;
        const double* s = ws.s.data() + 3 * i;
        weight += l[0];
        const double opposed = -(l[1] * s[1] + l[2] * s[2]) / std::hypot(s[1], s[2]);
        spin.see(std::abs(opposed - p["mu"].get<double>() * l[0]) / (p["mu"].get<double>() * l[0]));
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, s[0]);
      }
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, p["m"].get<double>() * kGravity, weight);
      continue;
    }
    const auto v = reference::numbers(row["exact"]["v"]);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto c = static_cast<Eigen::Index>(i);
      straight.see(std::abs(scene->velocity(1).linear[c] - v[i]));
      straight.see(0.1 * std::abs(scene->velocity(1).angular[c] - v[i + 3]));
    }
    const auto want = reference::numbers(row["D_gamma_exact"]);  // x, y, z: N s
    for (const auto& [mine, theirs] : {std::pair{1, 0}, {2, 1}, {0, 2}})
      straight.see(std::abs(h * report.contact[0].force[mine] - want[static_cast<std::size_t>(theirs)]));
  }
  straight.within(json["tolerance"].get<double>());
  spin.within(contact::facet_error(16));
}

// Thrown in any direction a box stops after v^2 / (2 mu g), and goes straight.
void thrown_box_stops_where_it_should() {
  const double v = 5, mu = 0.5, want = v * v / (2 * mu * kGravity);
  for (const int k : {4, 16}) {
    Worst distance("thrown box, " + std::to_string(k) + " facets, distance relative"),
        aside("... off the line");
    for (int i = 0; i < 24; ++i) {
      const double phi = 0.01 + i * 6.283185307179586 / 24;
      auto scene = scene_of(1e-3, {0, 0, -kGravity}, k);
      auto b = box(1, {0.25, 0.25, 0.1});
      b.velocity.linear = {v * std::cos(phi), v * std::sin(phi), 0};
      scene->add(b);
      scene->touch(0, 1, mu);
      for (int n = 0; n < 1100; ++n) scene->step();
      const auto& x = scene->pose(1).position;
      TEST_ASSERT_TRUE(scene->velocity(1).linear.norm() < 1e-9);
      distance.see(std::abs(x[0] * std::cos(phi) + x[1] * std::sin(phi) - want) / want);
      aside.see(std::abs(x[1] * std::cos(phi) - x[0] * std::sin(phi)) / want);
    }
    distance.within(0.006);
    aside.within(0.006);
  }
}

// The rigid law knows no mass: 1 g and 1 t move alike. Nor does it know where x is: the whole scene turned
// about z moves alike.
void same_motion_light_heavy_turned() {
  const auto run = [](double mass, double turn) {
    const auto rotate = [&](double x, double y) {
      return Vector3(std::cos(turn) * x - std::sin(turn) * y, std::sin(turn) * x + std::cos(turn) * y, 0);
    };
    auto scene = scene_of(1e-3, rotate(0.4, 0.1) + Vector3(0, 0, -kGravity), 16);
    auto b = box(mass, {0.1, 0.07, 0.05});
    b.pose.w = std::cos(turn / 2);
    b.pose.z = std::sin(turn / 2);
    b.pose.position[2] += 0.01;
    b.velocity.linear = rotate(1.0, 0.3) + Vector3(0, 0, -0.2);
    b.velocity.angular = {0, 0, 2.0};
    scene->add(b);
    scene->touch(0, 1, 0.3);
    for (int n = 0; n < 1000; ++n) scene->step();
    const auto& x = scene->pose(1).position;
    const auto back = [&](double px, double py) {
      return std::array<double, 2>{std::cos(turn) * px + std::sin(turn) * py,
                                   std::cos(turn) * py - std::sin(turn) * px};
    };
    const auto p = back(x[0], x[1]), v = back(scene->velocity(1).linear[0], scene->velocity(1).linear[1]);
    return std::array<double, 5>{p[0], p[1], x[2], v[0], v[1]};
  };
  Worst mass("same motion at 1 g and at 1 t"), turned("same motion turned by any angle");
  const auto one = run(1, 0);
  for (const double m : {1e-3, 1e3})
    for (std::size_t i = 0; i < 5; ++i) mass.see(std::abs(run(m, 0)[i] - one[i]));
  for (const double turn : {0.3, 0.7853981633974483, 1.1, 2.5, 4.0})
    for (std::size_t i = 0; i < 5; ++i) turned.see(std::abs(run(1, turn)[i] - one[i]));
  mass.within(1e-9);
  turned.within(1e-9);
}

void resting_box_does_not_creep() {
  const double mu = 0.5, slope = 0.8 * mu;
  const double g = kGravity / std::sqrt(1 + slope * slope);
  for (const double heading : {0.0, 0.4}) {
    auto scene = scene_of(1e-3, {g * slope * std::cos(heading), g * slope * std::sin(heading), -g}, 8);
    scene->add(box(1, {0.1, 0.1, 0.05}));
    scene->touch(0, 1, mu);
    for (int n = 0; n < 60000; ++n) scene->step();
    const auto& x = scene->pose(1).position;
    std::printf("creep of a resting box at 80 %% of the limit in 60 s: %.3g m\n", std::hypot(x[0], x[1]));
    TEST_ASSERT_TRUE(std::hypot(x[0], x[1]) < 1e-6);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.05, x[2]);
  }
}

// Compliant corners share the weight evenly, as no rigid law can say; and so do five points, the fifth in the
// middle.
void compliant_corners_share_the_weight() {
  const double mass = 2;
  contact::PatchLaw<double> lumped, patch;
  lumped.stiffness = 1e5;
  lumped.damping = 400;
  patch.spacing = 1e-3;
  patch.compliance = 1e-8;
  patch.poisson = 0.3;
  const Vector3 half(0.1, 0.1, 0.05);
  const Vector3 five[] = {
      {-0.1, -0.1, -0.05}, {-0.1, 0.1, -0.05}, {0.1, -0.1, -0.05}, {0.1, 0.1, -0.05}, {0, 0, -0.05}};
  for (const auto* law : {&lumped, &patch}) {
    for (const bool given : {false, true}) {
      auto scene = scene_of(1e-3, {0, 0, -kGravity}, 4);
      scene->add(box(mass, half));
      ContactDescription<double, 3> contact;
      contact.b = 1;
      contact.friction.kinetic = 0.4;
      contact.patch = law;
      contact.points = given ? five : nullptr;
      contact.point_count = given ? 5 : 0;
      scene->touch(contact);
      for (int n = 0; n < 3000; ++n) scene->step();
      const int points = given ? 5 : 4;
      TEST_ASSERT_EQUAL_INT(points, scene->workspace.elements);
      for (int i = 0; i < points; ++i)
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, mass * kGravity / points,
                                  scene->workspace.lambda[static_cast<std::size_t>(3 * i)]);
      // Each point sinks by mg / (points k), k the point's stiffness.
      if (law == &lumped)
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.05 - mass * kGravity / (points * lumped.stiffness),
                                  scene->pose(1).position[2]);
    }
  }
}

void block_on_an_incline() {
  const double mu = 0.4;
  for (const int k : {4, 8, 16}) {
    for (const double tangent : {0.39, 0.41, 0.8}) {
      const double g = kGravity / std::sqrt(1 + tangent * tangent), phi = 0.35;
      auto scene = scene_of(1e-3, {g * tangent * std::cos(phi), g * tangent * std::sin(phi), -g}, k);
      scene->add(box(3, {0.2, 0.2, 0.05}));
      scene->touch(0, 1, mu);
      StepReport<double, 3, kSpatial> report;
      for (int n = 0; n < 500; ++n) report = scene->step();
      const double want = tangent <= mu ? 0 : 0.5 * g * (tangent - mu);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, want * std::cos(phi), scene->velocity(1).linear[0]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, want * std::sin(phi), scene->velocity(1).linear[1]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3 * g, report.contact[0].force[0]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3 * g * std::min(mu, tangent),
                                std::hypot(report.contact[0].force[1], report.contact[0].force[2]));
      TEST_ASSERT_TRUE(report.contact[0].mode ==
                       (tangent <= mu ? contact::Mode::stick : contact::Mode::slip));
    }
  }
}

void sphere_rolls_down_an_incline() {
  const double angle = 15 * 3.14159265358979323846 / 180, mass = 0.1, h = 1e-3;
  auto scene = scene_of(h, {kGravity * std::sin(angle), 0, -kGravity * std::cos(angle)}, 4);
  scene->add(sphere(mass, 0.05));
  scene->touch(0, 1, 0.5);
  StepReport<double, 3, kSpatial> report;
  for (int n = 0; n < 1000; ++n) report = scene->step();
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1.8135820231826634, scene->velocity(1).linear[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, -0.0725432809273065, report.contact[0].force[1]);
}

// Three legs under a turning moment M: they stick up to mu m g R (every leg slips across its own radius).
void three_legs_turn_at_their_limit() {
  const double mu = 0.5, R = 0.2, mass = 1;
  const double limit = mu * mass * kGravity * R;
  for (const double share : {0.95, 1.05}) {
    auto scene = scene_of(1e-3, {0, 0, -kGravity}, 16);
    auto b = box(mass, {0.2, 0.2, 0.01});
    scene->add(b);
    Vector3 legs[3];
    for (int i = 0; i < 3; ++i)
      legs[i] = {R * std::cos(2.0943951023931953 * i), R * std::sin(2.0943951023931953 * i), -0.01};
    ContactDescription<double, 3> contact;
    contact.b = 1;
    contact.friction.kinetic = mu;
    contact.points = legs;
    contact.point_count = 3;
    scene->touch(contact);
    scene->world.state.force[1].angular[2] = share * limit;
    for (int n = 0; n < 100; ++n) scene->step();
    const double spin = scene->velocity(1).angular[2];
    const double want = share < 1 ? 0 : (share - 1) * limit / (mass / 3 * 0.08) * 0.1;
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, want, spin);
    for (int i = 0; i < 3; ++i)
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, mass * kGravity / 3,
                                scene->workspace.lambda[static_cast<std::size_t>(3 * i)]);
  }
}

// Song 2004, Theorem 6 with one element a patch: the compliant motion tends to the rigid one, at order 1 in
// eps.
void rigid_limit() {
  const Json p = reference::load("spatial/rigid_limit.json")["box"]["params"];
  const double h = p["h"], x = p["box"]["lx"], y = p["box"]["ly"], z = p["box"]["lz"];
  Vector3 feet[3];
  for (std::size_t i = 0; i < 3; ++i) feet[i] = as_vector(p["centers"][i]);
  const auto run = [&](double eps) {
    Method method = facets(16);
    method.normal = NormalRule::song;
    auto scene = std::make_unique<Space>(h, Vector3(0, 0, -kGravity), method);
    scene->floor();
    scene->add(box(p["box"]["m"], {x / 2, y / 2, z / 2}));
    contact::PatchLaw<double> law;
    law.spacing = 1e-3;
    law.compliance = eps;
    law.poisson = p["poisson"];
    ContactDescription<double, 3> contact;
    contact.b = 1;
    contact.friction.kinetic = p["mu"];
    contact.patch = eps > 0 ? &law : nullptr;
    contact.points = feet;
    contact.point_count = 3;
    scene->touch(contact);
    const Vector3 force = as_vector(p["force"]);
    scene->world.state.force[1].linear = force;
    const Vector3 arm = as_vector(p["force_point"]);
    scene->world.state.force[1].angular = dynamics::cross<double>(arm, force);
    const auto start = scene->pose(1);
    for (int n = 0; n < 100; ++n) {
      scene->step();
      scene->pose(1) = start;  // the file's W is frozen
    }
    return scene->velocity(1);
  };
  const auto rigid = run(0);
  double last = 0;
  for (const double eps : {1e-8, 1e-9, 1e-10, 1e-11, 1e-12}) {
    const auto v = run(eps);
    const double distance =
        std::max((v.linear - rigid.linear).norm(), 0.05 * (v.angular - rigid.angular).norm());
    std::printf("rigid limit, one element a patch, eps %.0e: velocity off by %.3g\n", eps, distance);
    if (last > 0) TEST_ASSERT_TRUE(std::log10(last / distance) > 0.9 && std::log10(last / distance) < 1.1);
    last = distance;
  }
  // The reference has the cone; pyramids that are turned to the slip come to the same.
  const Json want =
      reference::load("spatial/rigid_limit.json")["box"]["results"]["ns1_rho0.001"]["rigid"]["v_end"];
  Worst cone("rigid box on three points against the cone, v");
  for (std::size_t i = 0; i < 3; ++i) {
    const auto c = static_cast<Eigen::Index>(i);
    cone.see(std::abs(want[i].get<double>() - rigid.linear[c]));
    cone.see(std::abs(want[i + 3].get<double>() - rigid.angular[c]));
  }
  cone.within(1e-7);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(sphere_slides_and_rolls);
  RUN_TEST(sphere_stops_slipping_at_five_sevenths);
  RUN_TEST(box_on_corners);
  RUN_TEST(thrown_box_stops_where_it_should);
  RUN_TEST(same_motion_light_heavy_turned);
  RUN_TEST(resting_box_does_not_creep);
  RUN_TEST(compliant_corners_share_the_weight);
  RUN_TEST(block_on_an_incline);
  RUN_TEST(sphere_rolls_down_an_incline);
  RUN_TEST(three_legs_turn_at_their_limit);
  RUN_TEST(rigid_limit);
  return UNITY_END();
}
