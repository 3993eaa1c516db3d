// The round friction cone: Negrut's relaxed law with its lift, and Coulomb's law without it
// (spatial/sphere_slide.json, spatial/box_corners.json).
#include <memory>

#include "tests/cases/reference.hpp"

using namespace tactus;
using namespace tactus::stepper;
using reference::Json;
using reference::Worst;
using Vector3 = math::Vector<double, 3>;

namespace {

constexpr double kGravity = 9.81;
constexpr Capacity kFour{.bodies = 2, .contacts = 1, .slots = 8, .active = 4};
using Space = Stage<3, kFour>;

std::unique_ptr<Space> scene_of(double h, FrictionLaw friction) {
  Method method;
  method.friction = friction;
  auto scene = std::make_unique<Space>(h, Vector3(0, 0, -kGravity), method);
  scene->floor();
  return scene;
}

BodyDescription<double, 3> sphere(const Json& p) {
  const double m = p["m"], R = p["R"];
  BodyDescription<double, 3> b;
  b.mass = m;
  b.inertia = Eigen::Matrix3d::Identity() * (0.4 * m * R * R);
  b.shape = geometry::sphere<double>(R);
  b.pose.position[2] = R;
  b.velocity.linear[0] = p["v0"];
  return b;
}

// Set down while it slides, it is thrown up at mu v_T whatever h is; started at the gap that the law wants,
// it floats there; without the relaxation neither.
void sphere_slides() {
  const Json json = reference::load("spatial/sphere_slide.json");
  const Json& p = json["params"];
  const double mu = p["mu"], m = p["m"];
  Worst traj("sliding sphere, x, v, w, force relative"), lift("lift against h mu v_T, m");
  int seen = 0;
  for (const auto& [name, result] : json["results"].items()) {
    const double h = name.rfind("h0.01_", 0) == 0 ? 0.01 : 0.001;
    const bool exact = name.find("exact") != std::string::npos;
    auto scene = scene_of(h, exact ? FrictionLaw::cone : FrictionLaw::relaxed_cone);
    auto ball = sphere(p);
    if (name.find("consistent") != std::string::npos) ball.pose.position[2] += h * mu * p["v0"].get<double>();
    scene->add(ball);
    scene->touch(0, 1, mu);
    const Json& rows = result["trajectory"];
    std::size_t row = 0;
    double highest = 0, rolls = 0;
    for (int k = 1; row < rows.size(); ++k) {
      const auto report = scene->step();
      const double above = scene->pose(1).position[2] - p["R"].get<double>();
      highest = std::max(highest, above);
      const double v_T =
          std::abs(scene->velocity(1).linear[0] - p["R"].get<double>() * scene->velocity(1).angular[1]);
      const bool pressed = report.contact[0].force[0] > 0;
      if (rolls == 0 && v_T < 1e-9) rolls = k * h;
      if (k == 1) {
        const std::pair<const char*, double> first[] = {
            {"gap", above},
            {"vn", scene->velocity(1).linear[2]},
            {"vT", v_T},
            {"h_mu_vT", h * mu * v_T},
            {"fn_over_mg", report.contact[0].force[0] / (m * kGravity)}};
        for (const auto& [key, have] : first) traj.see(std::abs(have - result["step1"][key].get<double>()));
      }
      lift.see(std::abs(report.lift - (exact || !pressed ? 0 : h * mu * v_T)));
      if (k == 1 && name.find("gap0_ccp") != std::string::npos)
        lift.see(std::abs(scene->velocity(1).linear[2] - mu * v_T) * h);  // v_n = mu v_T
      const auto want = reference::numbers(rows[row]);
      if (std::abs(want[0] - k * h) > 1e-9) continue;
      ++row;
      for (std::size_t i = 0; i < 3; ++i) {
        const auto c = static_cast<Eigen::Index>(i);
        traj.see(std::abs(scene->pose(1).position[c] - want[1 + i]));
        traj.see(std::abs(scene->velocity(1).linear[c] - want[4 + i]));
        traj.see(std::abs(scene->velocity(1).angular[c] - want[7 + i]) * p["R"].get<double>());
        traj.see(std::abs(report.contact[0].force[c] - want[10 + i]) / (m * kGravity));
      }
      traj.see(std::abs(above - want[13]));
      traj.see(std::abs(v_T - want[14]));
    }
    traj.see(std::abs(highest - result["max_height"].get<double>()));
    traj.see(std::abs(scene->velocity(1).linear[0] - result["v_end"].get<double>()));
    TEST_ASSERT_DOUBLE_WITHIN(1.01 * h, result["t_roll"].get<double>(), rolls);
    ++seen;
  }
  TEST_ASSERT_EQUAL_INT(6, seen);
  traj.within(json["tolerance"].get<double>());
  lift.within(1e-12);
}

BodyDescription<double, 3> box(const Json& p) {
  const auto half = reference::numbers(p["half"]), I = reference::numbers(p["I"]);
  BodyDescription<double, 3> b;
  b.mass = p["m"];
  b.inertia = Vector3(I[0], I[1], I[2]).asDiagonal();
  b.shape = geometry::box<double>(half[0], half[1], half[2]);
  b.pose.position[2] = half[2];
  return b;
}

// Four redundant corners. Relaxed, the velocity is unique and is the reference's; with Coulomb's law it is
// where every corner slips one way (box_corners.cpp says why a spinning box is not).
void box_on_corners() {
  const Json json = reference::load("spatial/box_corners.json");
  const Json& p = json["params"];
  Worst relaxed("box on corners, relaxed, v"), exact("... Coulomb's law"), sum("... W lambda h"),
      law("... with spin");
  int seen = 0;
  for (const auto& [name, row] : json["results"].items()) {
    if (!row.contains("ccp")) continue;
    const double h = row["h"];
    for (const bool relax : {true, false}) {
      const auto v0 = reference::numbers(row["v0"]),
                 want = reference::numbers(row[relax ? "ccp" : "exact"]["v"]);
      auto scene = scene_of(h, relax ? FrictionLaw::relaxed_cone : FrictionLaw::cone);
      auto b = box(p);
      b.velocity.linear = {v0[0], v0[1], v0[2]};
      b.velocity.angular = {v0[3], v0[4], v0[5]};
      scene->add(b);
      scene->touch(0, 1, p["mu"]);
      const auto report = scene->step();
      ++seen;
      law.see(report.certificate.residual);
      if (!relax && v0[5] != 0) continue;
      for (std::size_t i = 0; i < 3; ++i) {
        const auto c = static_cast<Eigen::Index>(i);
        // The velocities that the contacts give; the file does not move its box by them.
        const auto& v = scene->workspace.next.velocity[1];
        (relax ? relaxed : exact).see(std::abs(v.linear[c] - want[i]));
        (relax ? relaxed : exact).see(0.1 * std::abs(v.angular[c] - want[i + 3]));
      }
      const auto force = reference::numbers(row[relax ? "D_gamma_ccp" : "D_gamma_exact"]);
      for (const auto& [mine, theirs] : {std::pair{1, 0}, {2, 1}, {0, 2}})
        sum.see(std::abs(h * report.contact[0].force[mine] - force[static_cast<std::size_t>(theirs)]));
    }
  }
  TEST_ASSERT_EQUAL_INT(8, seen);
  const double tolerance = json["tolerance"];
  relaxed.within(tolerance);
  exact.within(tolerance);
  sum.within(tolerance);
  law.within(1e-10);
}

// The same box over many steps: relaxed it hops at first, exactly it slides.
void box_slides() {
  const Json json = reference::load("spatial/box_corners.json");
  const Json& p = json["params"];
  Worst relaxed("sliding box over many steps, relaxed: vx, vz, z"), exact("... Coulomb's law");
  for (const auto& [name, h] : {std::pair{"traj_h0.01", 0.01}, {"traj_h0.001", 0.001}}) {
    const Json& rows = json["results"][name]["rows"];
    auto hops = scene_of(h, FrictionLaw::relaxed_cone), slides = scene_of(h, FrictionLaw::cone);
    for (auto* scene : {hops.get(), slides.get()}) {
      auto b = box(p);
      b.velocity.linear[0] = 2;
      scene->add(b);
      scene->touch(0, 1, p["mu"]);
    }
    std::size_t row = 0;
    for (int k = 1; row < rows.size(); ++k) {
      hops->step();
      slides->step();
      const auto want = reference::numbers(rows[row]);
      if (std::abs(want[0] - k * h) > 1e-9) continue;
      ++row;
      const auto see = [&](Worst& worst, Space& scene, std::size_t first) {
        worst.see(std::abs(scene.velocity(1).linear[0] - want[first]));
        worst.see(std::abs(scene.velocity(1).linear[2] - want[first + 1]));
        worst.see(std::abs(scene.pose(1).position[2] - p["half"][2].get<double>() - want[first + 2]));
      };
      see(relaxed, *hops, 1);
      see(exact, *slides, 5);
    }
  }
  const double tolerance = json["tolerance"];
  relaxed.within(tolerance);
  exact.within(tolerance);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(sphere_slides);
  RUN_TEST(box_on_corners);
  RUN_TEST(box_slides);
  return UNITY_END();
}
