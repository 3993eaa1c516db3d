// Float beside double over whole scenes: the same core, the same step, the largest distance of the poses and
// speeds.
//
// A scene whose transitions depend on the last bit parts at that transition by what one step of it is worth;
// the tolerances say how much that may be, in m, rad and m/s.
#include <memory>

#include "reference.hpp"

using namespace tactus;
using namespace tactus::stepper;

namespace {

constexpr Capacity kPlanar{
    .bodies = 2, .contacts = 1, .slots = 3, .active = 3, .patches = 1, .patch_elements = 3};
constexpr Capacity kSpatial{.bodies = 2, .contacts = 1, .slots = 8, .active = 4};

template <class Scalar>
std::unique_ptr<Stage<2, kPlanar, Scalar>> ellipse(double eps) {
  Method method;
  method.pyramid = eps > 0 ? contact::Pyramid::box : contact::Pyramid::facets;
  auto scene =
      std::make_unique<Stage<2, kPlanar, Scalar>>(1e-4, math::Vector<Scalar, 2>(0, Scalar(-9.81)), method);
  scene->floor();
  BodyDescription<Scalar, 2> body;
  body.mass = Scalar(0.05);
  body.inertia(0, 0) = Scalar(1.5e-4);
  body.shape = geometry::ellipse<Scalar>(Scalar(0.1), Scalar(0.05));
  body.pose = {0, Scalar(0.0974556066329262), Scalar(1.3089969389957472)};
  scene->add(body);
  contact::PatchLaw<Scalar> law;
  law.columns = 3;
  law.spacing = Scalar(1e-6);
  law.compliance = Scalar(eps);
  law.poisson = Scalar(0.3);
  law.printed = true;
  scene->touch(0, 1, 0.2, 0, eps > 0 ? &law : nullptr);
  return scene;
}

template <class Scalar>
std::unique_ptr<Stage<3, kSpatial, Scalar>> spatial(bool ball, const std::array<double, 3>& spin) {
  using V = math::Vector<Scalar, 3>;
  auto scene = std::make_unique<Stage<3, kSpatial, Scalar>>(1e-3, V(0, 0, Scalar(-9.81)));
  scene->floor();
  BodyDescription<Scalar, 3> body;
  body.mass = 2;
  body.inertia = V(Scalar(0.01), Scalar(0.01), Scalar(0.01)).asDiagonal();
  if (!ball) body.inertia(2, 2) = Scalar(0.016);
  body.shape = ball ? geometry::sphere<Scalar>(Scalar(0.1))
                    : geometry::box<Scalar>(Scalar(0.1), Scalar(0.12), Scalar(0.05));
  body.pose.position[2] = Scalar(ball ? 0.1 : 0.05);
  body.velocity.linear[0] = Scalar(1.5);
  for (int i = 0; i < 3; ++i) body.velocity.angular[i] = Scalar(spin[static_cast<std::size_t>(i)]);
  scene->add(body);
  scene->touch(0, 1, 0.4);
  return scene;
}

template <class Pose>
std::vector<double> coordinates(const Pose& p) {
  const auto wide = [](auto x) { return static_cast<double>(x); };
  if constexpr (requires { p.angle; })
    return {wide(p.x), wide(p.y), wide(p.angle)};
  else
    return {wide(p.position[0]), wide(p.position[1]), wide(p.position[2]), wide(p.w), wide(p.z)};
}

template <class Single, class Twin>
void compare(const char* name, Single& single, Twin& twin, int steps, double pose_limit, double speed_limit) {
  reference::Worst pose(std::string(name) + ", pose"), speed("... velocity");
  for (int k = 0; k < steps; ++k) {
    single->step();
    twin->step();
    const auto a = coordinates(single->pose(1)), b = coordinates(twin->pose(1));
    for (std::size_t i = 0; i < a.size(); ++i) pose.see(std::abs(a[i] - b[i]));
    for (int i = 0; i < single->velocity(1).linear.size(); ++i)
      speed.see(std::abs(static_cast<double>(single->velocity(1).linear[i]) - twin->velocity(1).linear[i]));
  }
  pose.within(pose_limit);
  speed.within(speed_limit);
}

void compliant_ellipse() {
  auto single = ellipse<float>(1e-10);
  auto twin = ellipse<double>(1e-10);
  compare("ellipse, compliant, 2 s", single, twin, 20000, 1e-3, 1e-2);
}

void rigid_ellipse() {
  auto single = ellipse<float>(0);
  auto twin = ellipse<double>(0);
  compare("ellipse, rigid, 2 s", single, twin, 20000, 1e-3, 1e-2);
}

void sliding_box() {
  auto single = spatial<float>(false, {0, 0, 0});
  auto twin = spatial<double>(false, {0, 0, 0});
  compare("box that slides and stops, 1 s", single, twin, 1000, 1e-4, 1e-3);
}

void spinning_box() {
  auto single = spatial<float>(false, {0, 0, 6});
  auto twin = spatial<double>(false, {0, 0, 6});
  compare("box that slides and spins, 1 s", single, twin, 1000, 1e-3, 1e-2);
}

void rolling_ball() {
  auto single = spatial<float>(true, {0, -10, 0});
  auto twin = spatial<double>(true, {0, -10, 0});
  compare("ball with back spin, 1 s", single, twin, 1000, 1e-4, 1e-3);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(compliant_ellipse);
  RUN_TEST(rigid_ellipse);
  RUN_TEST(sliding_box);
  RUN_TEST(spinning_box);
  RUN_TEST(rolling_ball);
  return UNITY_END();
}
