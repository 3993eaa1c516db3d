// The friction ellipsoid with torsion in the rigid law: Chakraborty 2007's examples 2 and 3 and a sphere that
// slides while it spins, by the ellipsoid itself, which the step has under every name; and the polyhedron
// with latitudes, as LCP (2.16).
#include <random>

#include "space.hpp"
#include "tactus/lcp/solver.hpp"
#include "tests/corpus/torsion_lcp.hpp"

using namespace space;

namespace {

constexpr Capacity kTorsion{.bodies = 3, .contacts = 2, .slots = 2, .active = 2, .torsion = true};
using Torsion = Stage<3, kTorsion>;

Vector3 axes(const Json& p) {
  return {p["e_t"].get<double>(), p["e_o"].get<double>(), p["e_r"].get<double>()};
}

// Of any unit vector the polyhedron has a corner within its error, whichever way it is turned.
void corners_are_near_every_direction() {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (const int k : {8, 16}) {
    double worst = 1;
    for (int n = 0; n < 4000; ++n) {
      const double x[3] = {normal(random), normal(random), normal(random)};
      const double u[3] = {normal(random), normal(random), normal(random)};
      contact::torsion::Corners<double> set;
      set.turn_along(x, 0);
      const double length = std::hypot(u[0], u[1], u[2]), size = std::hypot(x[0], x[1], x[2]);
      double best = -1, d[3];
      for (int j = 0; j < contact::torsion::corners(k); ++j) {
        set(j, k, d);
        TEST_ASSERT_DOUBLE_WITHIN(1e-14, 1, std::hypot(d[0], d[1], d[2]));
        best = std::max(best, (d[0] * u[0] + d[1] * u[1] + d[2] * u[2]) / length);
      }
      worst = std::min(worst, best);
      set(0, k, d);
      for (int c = 0; c < 3; ++c) TEST_ASSERT_DOUBLE_WITHIN(1e-14, x[c] / size, d[c]);
    }
    const double error = contact::torsion::error(k);
    TEST_ASSERT_TRUE(1 - worst <= error);
    TEST_ASSERT_TRUE(1 - worst > 0.8 * error);  // a bound that is reached
  }
}

// Example 2: it spins on the spot, so torsion alone.
void spinning_sphere(const Method& method) {
  const Json json = reference::load("spatial/ex2_spinning_sphere.json");
  const Json& p = json["params"];
  Worst worst("spinning sphere: place, velocities, forces, moment");
  Torsion scene(p["h"], {0, 0, -p["gravity"].get<double>()}, method);
  scene.floor();
  auto ball = sphere(p["mass"], p["radius"]);
  ball.velocity.angular[2] = json["initial"]["nu"][5];
  scene.add(ball);
  Torsion::must(set_ellipsoid(scene.world, scene.touch(0, 1, p["mu"]), axes(p)));
  for (const Json& row : json["trajectory"]) {
    const auto report = scene.step();
    TEST_ASSERT_TRUE(report.status == StepStatus::solved);
    for (int i = 0; i < 3; ++i) {
      const auto c = static_cast<std::size_t>(i);
      worst.see(std::abs(scene.pose(1).position[i] - row[1 + c].get<double>()));
      worst.see(std::abs(scene.velocity(1).linear[i] - row[4 + c].get<double>()));
      worst.see(std::abs(scene.velocity(1).angular[i] - row[7 + c].get<double>()));
      worst.see(std::abs(report.contact[0].force[i] - row[10 + c].get<double>()));
    }
    worst.see(std::abs(scene.workspace.answer.moment[0] - row[13].get<double>()));
  }
  worst.within(json["tolerance"]);
}

void spinning_sphere_by_pyramids() {
  spinning_sphere(facets(8));
  spinning_sphere(facets(16));
}

void spinning_sphere_by_the_cone() {
  Method method;
  method.friction = FrictionLaw::cone;
  spinning_sphere(method);
}

// A sphere of 1 kg that slides at s_t and spins at s_r. With u = (s_t, e_r s_r) a step is u' = u - h D u' /
// |u'|, D = mu g diag(3.5, 3.5, e_r^2 / (0.4 r^2)), for 1/m + r^2/I = 3.5/m. With sigma = |u'| that is u'_k =
// sigma u_k / (sigma + h D_k), so sum (u_k / (sigma + h D_k))^2 = 1, which falls in sigma.
struct Slide {
  static constexpr double kMu = 0.2, kRadius = 0.1, kStep = 1e-3;
  double e_r;
  double u[3] = {0.8, 0.6, 0};

  void step() {
    double drop[3];
    for (int k = 0; k < 3; ++k)
      drop[k] = kStep * kMu * kGravity * (k < 2 ? 3.5 : e_r * e_r / (0.4 * kRadius * kRadius));
    double low = 0, high = 10;
    for (int n = 0; n < 200; ++n) {
      const double sigma = (low + high) / 2;
      double sum = 0;
      for (int k = 0; k < 3; ++k) sum += std::pow(u[k] / (sigma + drop[k]), 2);
      (sum > 1 ? low : high) = sigma;
    }
    for (int k = 0; k < 3; ++k) u[k] *= low / (low + drop[k]);
  }
};

// The largest distance of the slip u from the derivation in 80 steps. look(scene) after each of them.
template <class Look>
double slide_and_spin(const Method& method, double e_r, const Look& look) {
  Slide want{e_r};
  Torsion scene(Slide::kStep, {0, 0, -kGravity}, method);
  scene.floor();
  auto ball = sphere(1, Slide::kRadius);
  ball.velocity.linear = {want.u[0], want.u[1], 0};
  ball.velocity.angular[2] = 8;
  want.u[2] = e_r * 8;
  scene.add(ball);
  Torsion::must(set_ellipsoid(scene.world, scene.touch(0, 1, Slide::kMu), {1, 1, e_r}));
  double worst = 0;
  for (int k = 0; k < 80; ++k) {
    const auto report = scene.step();
    TEST_ASSERT_TRUE(report.status == StepStatus::solved);
    TEST_ASSERT_TRUE(report.contact[0].mode == contact::Mode::slip);
    TEST_ASSERT_EQUAL_DOUBLE(0, report.facet_error);
    look(scene);
    want.step();
    const auto& v = scene.velocity(1);
    const double u[3] = {v.linear[0] - Slide::kRadius * v.angular[1],
                         v.linear[1] + Slide::kRadius * v.angular[0], e_r * v.angular[2]};
    for (int c = 0; c < 3; ++c) worst = std::max(worst, std::abs(u[c] - want.u[c]));
  }
  return worst;
}

void sphere_slides_and_spins() {
  Method cone;
  cone.friction = FrictionLaw::cone;
  // At e_r^2 = 1.4 r^2 all of u falls at one rate and keeps its direction, else it turns.
  for (const double e_r : {std::sqrt(1.4) * Slide::kRadius, 0.04})
    for (const Method& method : {cone, facets(4), facets(8), facets(16)})
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, slide_and_spin(method, e_r, [](const Torsion&) {}));
}

// LCP (2.16) of the step's own problem, lambda in units of the axes.
struct Polyhedron {
  static constexpr int kMost = contact::torsion::unknowns(1, 16);
  double lambda[4], s[4], used;

  Polyhedron(const contact::Problem<double, 4>& problem, int k, const double* along) {
    const int n = contact::torsion::unknowns(1, k);
    static double M[kMost * kMost], q[kMost];
    static std::uint8_t block[kMost];
    static lcp::Workspace<double, kMost> workspace;
    contact::torsion::Corners<double> set;
    set.turn_along(along, 0);
    contact::torsion::to_lcp(problem, k, &set, M, n, q, block);
    TEST_ASSERT_TRUE(lcp::solve(lcp::Problem<double>{n, M, n, q, block}, workspace).status ==
                     lcp::Status::solved);
    contact::torsion::from_lcp(1, k, &set, workspace.z.data(), workspace.w.data(), lambda, s, &used);
  }
};

// With a corner along the slip the polyhedron has the ellipsoid's friction. With one along the free slip,
// from which it turns, it is within the ellipsoid and dissipates less by no more than its error.
void the_polyhedron_is_near_the_ellipsoid() {
  Method cone;
  cone.friction = FrictionLaw::cone;
  Worst forces("polyhedron with a corner along its slip: forces, relative");
  double least = 1;
  slide_and_spin(cone, 0.04, [&](const Torsion& scene) {
    const auto& step = scene.workspace.scratch.torsion;
    const contact::Problem<double, 4> problem{1, step.A.data(), 4, step.b.data(), &Slide::kMu};
    for (const int k : {8, 16}) {
      const Polyhedron same(problem, k, step.s.data() + 1);
      for (std::size_t c = 0; c < 4; ++c)
        forces.see(std::abs(same.lambda[c] - step.lambda[c]) / step.lambda[0]);
      const Polyhedron near(problem, k, step.b.data() + 1);
      const double limit = Slide::kMu * near.lambda[0];
      double size = 0, slip = 0, work = 0;
      for (int c = 1; c < 4; ++c) {
        size += near.lambda[c] * near.lambda[c];
        slip += near.s[c] * near.s[c];
        work -= near.lambda[c] * near.s[c];
      }
      TEST_ASSERT_TRUE(std::sqrt(size) <= limit * (1 + 1e-12));
      const double share = work / (limit * std::sqrt(slip));
      TEST_ASSERT_TRUE(share >= 1 - contact::torsion::error(k));
      least = std::min(least, share);
    }
  });
  forces.within(1e-9);
  std::printf("... along the free slip: dissipates %.9f of what the ellipsoid does at least\n", least);
}

std::string letters(const StepReport<double, 3, kTorsion>& report) {
  std::string out;
  for (const auto& c : report.contact)
    out += c.mode == contact::Mode::open ? '0' : c.mode == contact::Mode::stick ? 'S' : 's';
  return out;
}

// Example 3.
struct Path {
  std::vector<std::array<double, 6>> at;  // place and velocity at the times of the truth's samples
  std::vector<std::pair<double, std::string>> transitions;
};

Path example_3(const Json& json, double h, const Method& method) {
  const Json& p = json["params"];
  Torsion scene(h, {0, 0, 0}, method);
  BodyDescription<double, 3> ball;
  for (const Json& from : p["obstacles"]) {
    ball.shape = geometry::sphere<double>(from["radius"]);
    ball.pose.position = as_vector(from["center"]);
    scene.add(ball);
  }
  ball = sphere(p["mass"], p["radius"]);
  ball.pose.position = as_vector(json["initial"]["q"]);
  ball.force.linear = as_vector(p["force"]);
  scene.add(ball);
  for (int i = 0; i < 2; ++i)
    Torsion::must(set_ellipsoid(scene.world, scene.touch(i, 2, p["mu"]), as_vector(p["e"])));
  Path path;
  const Json& rows = json["event_driven"]["samples"];
  for (int k = 1; path.at.size() < rows.size(); ++k) {
    const auto report = scene.step();
    TEST_ASSERT_TRUE(report.status == StepStatus::solved);
    const std::string modes = letters(report);
    if (path.transitions.empty() || path.transitions.back().second != modes)
      path.transitions.emplace_back(k * h, modes);
    if (std::abs(rows[path.at.size()][0].get<double>() - k * h) > h / 2) continue;
    const auto& x = scene.pose(2).position;
    const auto& v = scene.velocity(2).linear;
    path.at.push_back({x[0], x[1], x[2], v[0], v[1], v[2]});
  }
  return path;
}

// The largest distance in any component.
double distance(const Path& path, const Path& from) {
  double worst = 0;
  for (std::size_t k = 0; k < path.at.size(); ++k)
    for (std::size_t c = 0; c < 6; ++c) worst = std::max(worst, std::abs(path.at[k][c] - from.at[k][c]));
  return worst;
}

Path reference_path(const Json& rows) {
  Path path;
  for (const Json& row : rows) {
    auto& at = path.at.emplace_back();
    for (std::size_t c = 0; c < 6; ++c) at[c] = row[c + 1];
  }
  return path;
}

// Directions with two poles alone slip on the second ball at 1.5 s. The step has the ellipsoid itself,
// whether it is called cone or pyramid, so what parts it from the truth is the step, and is halved with it;
// and each event is in the step that has it in truth. The reference's own 16 x 7 directions, by the same
// scheme, are no nearer.
void sphere_on_two_spheres() {
  const Json json = reference::load("spatial/ex3_two_spheres.json");
  const Path truth = reference_path(json["event_driven"]["samples"]);
  const Path theirs = reference_path(json["explicit_lcp"]["h0.01_facets16x7_gap"]["trajectory"]);
  const Path poles = reference_path(json["explicit_lcp"]["h0.01_facets16_gap"]["trajectory"]);
  Method cone;
  cone.friction = FrictionLaw::cone;
  const double h = 0.01;
  const Path round = example_3(json, h, cone), finer = example_3(json, h / 2, cone);
  const Path pyramid = example_3(json, h, facets(16));
  const double far = distance(round, truth);
  std::printf(
      "sphere on two spheres: from the truth %.3g, with half the step %.3g, the reference %.3g, poles %.3g\n",
      far, distance(finer, truth), distance(theirs, truth), distance(poles, truth));
  TEST_ASSERT_DOUBLE_WITHIN(0.05, 2, far / distance(finer, truth));
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, distance(pyramid, round));
  TEST_ASSERT_TRUE(far <= distance(theirs, truth));
  TEST_ASSERT_TRUE(far <= distance(poles, truth) / 10);
  const char* const modes[] = {"sS", "ss", "0s", "00"};
  for (const Path* path : {&round, &pyramid}) {
    TEST_ASSERT_EQUAL_size_t(4, path->transitions.size());
    for (std::size_t i = 0; i < 4; ++i) {
      TEST_ASSERT_EQUAL_STRING(modes[i], path->transitions[i].second.c_str());
      if (i == 0) continue;
      const double event = json["event_driven"]["events"][i - 1]["t"];
      TEST_ASSERT_DOUBLE_WITHIN(h / 2, event, path->transitions[i].first - h / 2);
    }
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(corners_are_near_every_direction);
  RUN_TEST(spinning_sphere_by_pyramids);
  RUN_TEST(spinning_sphere_by_the_cone);
  RUN_TEST(sphere_slides_and_spins);
  RUN_TEST(the_polyhedron_is_near_the_ellipsoid);
  RUN_TEST(sphere_on_two_spheres);
  return UNITY_END();
}
