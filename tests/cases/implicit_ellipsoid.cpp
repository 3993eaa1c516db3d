// The geometrically implicit law with an ellipsoid that slides and rolls, which has no gap function in closed
// form (spatial/ellipsoid_roll.json).
#include "implicit.hpp"

namespace {

double error_of(const Json& sample, const dynamics::Pose<double, 3>& pose,
                const dynamics::Motion<double, 3>& v) {
  double worst = 0;
  const double q[] = {pose.position[0], pose.position[1], pose.position[2], pose.w, pose.x, pose.y, pose.z};
  for (std::size_t i = 0; i < 7; ++i) worst = std::max(worst, std::abs(q[i] - sample[1 + i].get<double>()));
  for (int i = 0; i < 3; ++i) {
    const auto c = static_cast<std::size_t>(i);
    worst = std::max({worst, std::abs(v.linear[i] - sample[8 + c].get<double>()),
                      std::abs(v.angular[i] - sample[11 + c].get<double>())});
  }
  return worst;
}

template <class Scalar>
std::unique_ptr<Bodies<3, kOne, Scalar>> ellipsoid(const Json& json, double h) {
  const Json& p = json["params"];
  auto scene = std::make_unique<Bodies<3, kOne, Scalar>>(
      h, math::Vector<Scalar, 3>(0, 0, -p["gravity"].get<Scalar>()));
  scene->floor();
  implicit::BodyDescription<Scalar, 3, 1> body;
  const auto axes = vector<Scalar>(p["semi_axes"]);
  geometry::add<Scalar, 3, 1>(body.surface, geometry::ellipsoid<Scalar>(axes[0], axes[1], axes[2]));
  body.mass = p["mass"].get<Scalar>();
  body.inertia.diagonal() = vector<Scalar>(p["inertia_body"]);
  body.pose.position = vector<Scalar>(json["initial"]["x"]);
  body.velocity.linear = vector<Scalar>(json["initial"]["nu"]);
  body.velocity.angular = vector<Scalar>(json["initial"]["nu"], 3);
  scene->add(body);
  scene->touch(0, 1, p["mu"], vector<Scalar>(p["e"]));
  return scene;
}

void ellipsoid_in_single_precision() {
  const Json json = reference::load("spatial/ellipsoid_roll.json");
  auto exact = ellipsoid<double>(json, 0.01);
  auto single = ellipsoid<float>(json, 0.01);
  const auto errors = single_steps(*exact, *single, 1, 200);
  Worst worst("ellipsoid, one step in single precision: place, velocities, relative");
  worst.see(errors.place);
  worst.see(errors.velocity);
  worst.within(1e-4);
}

// An ellipsoid that slides, then rolls: the same scheme to its tolerance, and the integrated truth at first
// order.
void ellipsoid_slides_and_rolls() {
  const Json json = reference::load("spatial/ellipsoid_roll.json");
  Worst worst("ellipsoid: place, turn, velocities, forces, moment, closest point"), gap("its gap");
  for (const auto& [name, want] : json["implicit"].items()) {
    const double h = std::stod(name.substr(1));
    auto scene = ellipsoid<double>(json, h);
    std::size_t next = 0;
    for (int k = 1; next < want["trajectory"].size(); ++k) {
      const auto report = scene->step();
      const auto& c = report.contact[0];
      // The height of an ellipsoid's centre over its lowest point, |S R^T n|.
      const auto n = geometry::frame(scene->pose(1)).turn_back({0, 0, 1});
      const math::Vector<double, 3> support = vector<double>(json["params"]["semi_axes"]).cwiseProduct(n);
      gap.see(std::abs(scene->pose(1).position[2] - support.norm()));
      const Json& row = want["trajectory"][next];
      if (std::abs(row[0].get<double>() - k * h) > h / 2) continue;
      ++next;
      worst.see(error_of(row, scene->pose(1), scene->velocity(1)));
      for (int i = 0; i < 3; ++i) {
        worst.see(std::abs(c.force[i] - row[14 + static_cast<std::size_t>(i)].get<double>()));
        worst.see(std::abs(c.point[i] - row[23 + static_cast<std::size_t>(i)].get<double>()));
      }
      worst.see(std::abs(c.torsion - row[17].get<double>()));
      TEST_ASSERT_TRUE(c.mode == (row[26] == "s" ? contact::Mode::slip : contact::Mode::stick));
    }
  }
  worst.within(json["tolerance"]["same_scheme"]);
  gap.within(1e-14);
  double last = 0;
  for (const double h : {0.01, 0.005, 0.0025, 0.00125}) {
    auto scene = ellipsoid<double>(json, h);
    double error = 0;
    std::size_t next = 1;
    for (int k = 1; k * h < 2 + h / 2; ++k) {
      scene->step();
      const Json& sample = json["truth"]["samples"][next];
      if (std::abs(sample[0].get<double>() - k * h) > h / 2) continue;
      ++next;
      error = std::max(error, error_of(sample, scene->pose(1), scene->velocity(1)));
    }
    std::printf("ellipsoid, h = %g: error %.3g against the integrated truth%s", h, error,
                last > 0 ? "" : "\n");
    if (last > 0) {
      std::printf(", order %.2f\n", std::log2(last / error));
      TEST_ASSERT_DOUBLE_WITHIN(0.15, 1, std::log2(last / error));
    }
    last = error;
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(ellipsoid_slides_and_rolls);
  RUN_TEST(ellipsoid_in_single_precision);
  return UNITY_END();
}
