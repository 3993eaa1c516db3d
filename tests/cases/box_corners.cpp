// How the corners of a box share forces: what the rigid law says, what it leaves open, and the compliant law.
#include <Eigen/LU>

#include "space.hpp"

using namespace space;

namespace {

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
      // slip, which no fixed pyramid does: their slips part by far more than a facet's error.
      const auto& ws = scene->workspace;
      double weight = 0;
      for (int i = 0; i < 4; ++i) {
        const double* l = ws.answer.lambda.data() + 3 * i;
        const double* s = ws.answer.s.data() + 3 * i;
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
  spin.within(1e-12);
}

// Why the velocities of slide_spin in spatial/box_corners.json are one right answer of many. Given the
// directions d_i in which the corners slip, weight and level moments are three equations for the four
// lambda_n, and any of their solutions with lambda_n >= 0 gives friction -mu lambda_n d_i and so a motion
// with other d_i: a fixed point for every share. Two of them, each by the cone law to rounding, move apart.
void spinning_box_has_many_answers() {
  const Json json = reference::load("spatial/box_corners.json");
  const Json& p = json["params"];
  const Vector3 half = as_vector(p["half"]), inertia = as_vector(p["I"]);
  const double m = p["m"], mu = p["mu"];
  for (const auto& [name, row] : json["results"].items()) {
    if (!row.contains("exact") || row["v0"][5].get<double>() == 0) continue;
    const double h = row["h"];
    const auto v0 = reference::numbers(row["v0"]);
    const auto motion = [&](double share, double& residual) {
      Eigen::Vector3d v(v0[0], v0[1], v0[5]);  // x, y and spin
      Eigen::Vector4d lambda;
      for (int pass = 0; pass < 2000; ++pass) {
        Eigen::Matrix<double, 3, 4> balance, push;  // of lambda_n: weight, moments; and the change of v
        for (int i = 0; i < 4; ++i) {
          const double x = i < 2 ? -half[0] : half[0], y = i % 2 == 0 ? -half[1] : half[1];
          Eigen::Vector2d d(v[0] - v[2] * y, v[1] + v[2] * x);
          d /= d.norm();
          balance.col(i) << 1, y - half[2] * mu * d[1], -x + half[2] * mu * d[0];
          push.col(i) << -mu * d[0] * h / m, -mu * d[1] * h / m, -mu * (x * d[1] - y * d[0]) * h / inertia[2];
        }
        const Eigen::Vector3d weight(m * kGravity, 0, 0);
        const Eigen::Vector4d free = balance.fullPivLu().kernel().col(0);
        lambda = balance.transpose() * (balance * balance.transpose()).inverse() * weight +
                 share * m * kGravity / 4 * free / free.cwiseAbs().maxCoeff();
        const Eigen::Vector3d next = Eigen::Vector3d(v0[0], v0[1], v0[5]) + push * lambda;
        residual = (next - v).norm();
        v = next;
      }
      TEST_ASSERT_TRUE(lambda.minCoeff() >= 0);
      return v;
    };
    double residual[2];
    const Eigen::Vector3d one = motion(-0.5, residual[0]), other = motion(0.5, residual[1]);
    const double change = (one - Eigen::Vector3d(v0[0], v0[1], v0[5])).norm();
    std::printf("%s: two answers differ by %.3g of the change in the step, each exact to %.1g\n",
                name.c_str(), (one - other).norm() / change, std::max(residual[0], residual[1]));
    TEST_ASSERT_TRUE(residual[0] < 1e-14 && residual[1] < 1e-14);
    TEST_ASSERT_TRUE((one - other).norm() > 0.01 * change);
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
      TEST_ASSERT_EQUAL_INT(points, scene->workspace.found.elements);
      for (int i = 0; i < points; ++i)
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, mass * kGravity / points,
                                  scene->workspace.answer.lambda[static_cast<std::size_t>(3 * i)]);
      // Each point sinks by mg / (points k), k the point's stiffness.
      if (law == &lumped)
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.05 - mass * kGravity / (points * lumped.stiffness),
                                  scene->pose(1).position[2]);
    }
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(box_on_corners);
  RUN_TEST(spinning_box_has_many_answers);
  RUN_TEST(compliant_corners_share_the_weight);
  return UNITY_END();
}
