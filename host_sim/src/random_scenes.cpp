#include "random_scenes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tactus::host {
namespace {

constexpr double kGravity = 9.81, kPi = 3.14159265358979323846;

// Reads genes one after the other.
class Reader {
 public:
  Reader(Numbers& random, Genes& genes, double seconds) : seconds_(seconds), random_(random), genes_(genes) {}

  double part() {
    if (at_ == genes_.size()) genes_.push_back(random_.uniform());
    return genes_[at_++];
  }
  double linear(double low, double high) { return low + (high - low) * part(); }
  double geometric(double low, double high) { return low * std::pow(high / low, part()); }
  // Either sign, small ones more often.
  double around(double most) {
    if (most == 0) return 0;
    const double y = 2 * part() - 1;
    return most * y * y * y;
  }
  double seconds() const { return seconds_; }

 private:
  const double seconds_;
  Numbers& random_;
  Genes& genes_;
  std::size_t at_ = 0;
};

using Quaternion = std::array<double, 4>;  // w, x, y, z

Quaternion turn(double angle, double x, double y, double z) {
  const double norm = std::sqrt(x * x + y * y + z * z), s = norm > 0 ? std::sin(angle / 2) / norm : 0;
  return {norm > 0 ? std::cos(angle / 2) : 1, s * x, s * y, s * z};
}

Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
          a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]};
}

Quaternion tilted(Reader& g, double tilt) {
  const double x = g.linear(-1, 1), y = g.linear(-1, 1), z = g.linear(-1, 1);
  return turn(tilt, x, y, z);
}

// Above the ground by nothing in half of the draws, else by up to `most`.
double gap(Reader& g, double most) {
  return std::max(0.0, g.around(most));
}

// A box above the plane z = 0.
void place(Body& box, const Quaternion& turned, double gap) {
  const auto& [w, x, y, z] = turned;
  const std::array<double, 3> up{2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
  box.pose[2] = gap;
  for (std::size_t i = 0; i < 3; ++i) box.pose[2] += box.shape.numbers.value[i] * std::fabs(up[i]);
  std::copy(turned.begin(), turned.end(), box.pose.begin() + 3);
}

void scale_mass(Body& body, double factor) {
  *body.mass *= factor;
  for (double& i : body.inertia) i *= factor;
}

void velocities(Reader& g, Body& body, const std::array<double, 6>& most) {
  for (std::size_t i = 0; i < most.size(); ++i) body.velocity[i] = g.around(most[i]);
}

// From one value to another within the first three quarters of the run.
void table(Reader& g, Forcing& force, const std::vector<double>& middle, const std::vector<double>& most) {
  force.rows.clear();
  for (const double share : {0.0, 0.75}) {
    Forcing::Row row{share * g.seconds(), middle};
    for (std::size_t i = 0; i < most.size(); ++i) row.value[i] += g.around(most[i]);
    force.rows.push_back(std::move(row));
  }
}

// Up to twice the weight, at an arm of up to 0.1 m.
void forces(Reader& g, Body& body, bool plane = false) {
  const double most = 2 * kGravity * *body.mass, moment = 0.1 * most;
  const std::vector<double> mosts = plane ? std::vector<double>{most, most, moment}
                                          : std::vector<double>{most, most, most, moment, moment, moment};
  table(g, body.force, std::vector<double>(mosts.size()), mosts);
}

std::vector<double> at_start(const Forcing& forcing, std::size_t size) {
  std::vector<double> values;
  for (std::size_t i = 0; i < size; ++i) values.push_back(forcing.at(0, i));
  return values;
}

void friction(Reader& g, ContactPair& pair, double low, double high) {
  pair.mu = {};
  pair.mu.kinetic = g.linear(low, high);
}

// None in most.
void restitution(Reader& g, ContactPair& pair) {
  const double x = g.part();
  pair.restitution = x < 0.65 ? 0 : 0.9 * (x - 0.65) / 0.35;
}

void ellipse(Reader& g, Scene& scene) {
  Body& body = scene.bodies[1];
  const double a = g.linear(0.06, 0.2), b = g.linear(0.02, 0.19), angle = g.linear(0, kPi);
  body.shape.numbers.value[0] = a, body.shape.numbers.value[1] = b;
  body.mass = g.geometric(0.01, 1);
  body.inertia[0] = *body.mass * (a * a + b * b) / 4 * g.linear(0.5, 1.5);
  body.pose[1] = std::hypot(a * std::sin(angle), b * std::cos(angle)) + gap(g, 0.01);
  body.pose[2] = angle;
  velocities(g, body, {2, 1, 30});
  forces(g, body, true);
  friction(g, scene.contacts[0], 0, 1.5);
}

void resting_box(Reader& g, Scene& scene) {
  Body& body = scene.bodies[1];
  std::array<double, 3> h{};
  for (double& x : h) x = g.linear(0.02, 0.2);
  std::copy(h.begin(), h.end(), body.shape.numbers.value);
  const double m = g.geometric(0.05, 20);
  body.mass = m;
  for (std::size_t i = 0; i < 3; ++i) {
    const double u = h[(i + 1) % 3], v = h[(i + 2) % 3];
    body.inertia[i] = m / 3 * (u * u + v * v);
  }
  // Most lie flat, or nearly so.
  const double tilt = 0.3 * std::pow(g.part(), 4), yaw = g.linear(0, 2 * kPi);
  const Quaternion lean = tilted(g, tilt > 1e-3 ? tilt : 0);
  place(body, product(turn(yaw, 0, 0, 1), lean), gap(g, 0.01));
  velocities(g, body, {2, 2, 0.5, 5, 5, 10});
  forces(g, body);
  friction(g, scene.contacts[0], 0.05, 1.5);
  restitution(g, scene.contacts[0]);
}

void thrown_box(Reader& g, Scene& scene) {
  Body &box = scene.bodies[1], &ball = scene.bodies[2];
  const Quaternion lean = tilted(g, g.linear(0, 1.5));
  place(box, lean, gap(g, 0.05));
  velocities(g, box, {3, 3, 2, 15, 15, 15});
  velocities(g, ball, {3, 3, 2, 30, 30, 30});
  ball.pose[2] = ball.shape.numbers.value[0] + gap(g, 0.1);
  for (Body* body : {&box, &ball}) {
    scale_mass(*body, g.geometric(0.2, 5));
    forces(g, *body);
  }
  for (ContactPair& pair : scene.contacts) {
    friction(g, pair, 0.05, 1.2);
    restitution(g, pair);
  }
}

// Where the springs of an arm's joints pull to and how, its torques and its speeds.
void drive(Reader& g, Arm& arm, const std::vector<double>& torques, const std::vector<double>& speeds) {
  const std::size_t joints = arm.q.size();
  table(g, arm.torque, at_start(arm.torque, joints), torques);
  for (std::size_t j = 0; j < joints; ++j) arm.qd[j] = g.around(speeds[j]);
}

void push(Reader& g, Scene& scene) {
  Arm& arm = scene.arms[0];
  Impedance& impedance = *arm.impedance;
  impedance.stiffness.assign(3, g.geometric(0.3, 10));
  impedance.damping.assign(3, g.geometric(0.005, 0.2));
  table(g, impedance.q, arm.q, {0.6, 0.6, 0.6});
  drive(g, arm, {0.05, 0.05, 0.05}, {3, 3, 3});
  Body& box = scene.bodies[1];
  scale_mass(box, g.geometric(0.25, 4));
  velocities(g, box, {0.5, 0.5, 0, 0, 0, 5});
  forces(g, box);
  friction(g, scene.contacts[0], 0.05, 1);
  friction(g, scene.contacts[1], 0, 1);
}

void grasp(Reader& g, Scene& scene) {
  Arm& arm = scene.arms[0];
  drive(g, arm, {0, 0.5, 0, 0}, {0.2, 2, 0.2, 0.2});
  const double grip = -g.geometric(0.5, 15), other = grip * g.linear(0.8, 1.2);
  for (Forcing::Row& row : arm.torque.rows) row.value[2] = grip, row.value[3] = other;
  arm.impedance->stiffness[0] = g.geometric(1e3, 1e6);
  Body& box = scene.bodies[0];
  scale_mass(box, g.geometric(0.5, 2));
  velocities(g, box, {0.2, 0.2, 0.2, 3, 3, 3});
  table(g, box.force, std::vector<double>(6), {6, 6, 6, 0.1, 0.1, 0.1});
  for (ContactPair& pair : scene.contacts) friction(g, pair, 0.1, 1.2);
}

void arm(Reader& g, Scene& scene) {
  Arm& arm = scene.arms[0];
  arm.impedance->stiffness.assign(7, g.geometric(20, 1000));
  arm.impedance->damping.assign(7, g.geometric(1, 60));
  drive(g, arm, {8, 20, 6, 12, 4, 4, 2}, {1, 1, 1, 1, 1, 1, 1});
  Body& box = scene.bodies[1];
  scale_mass(box, g.geometric(0.25, 4));
  velocities(g, box, {0.5, 0.5, 0, 0, 0, 4});
  forces(g, box);
  for (ContactPair& pair : scene.contacts) friction(g, pair, 0.05, 1);
}

struct Row {
  const char* name;
  void (*draw)(Reader& g, Scene& scene);
};
constexpr Row kRows[] = {{"ellipse", ellipse},       {"resting_box", resting_box},
                         {"thrown_box", thrown_box}, {"push", push},
                         {"grasp", grasp},           {"arm", arm}};

}  // namespace

std::vector<std::string> random_scene_names() {
  std::vector<std::string> names;
  for (const Row& row : kRows) names.emplace_back(row.name);
  return names;
}

Scene draw_scene(const std::string& name, const Scene& base, double seconds, Numbers& random, Genes& genes) {
  Scene scene = base;
  Reader reader(random, genes, seconds);
  for (const Row& row : kRows)
    if (name == row.name) row.draw(reader, scene);
  return scene;
}

}  // namespace tactus::host
