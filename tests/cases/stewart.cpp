// Stewart 2000: bricks on ramps, the bouncing ball, the Painleve rod; and the disc as a polygon (Chakraborty
// 2007, fig. 1).
#include <memory>

#include "reference.hpp"

using namespace tactus;
using namespace tactus::stepper;
using reference::Json;
using reference::Worst;

namespace {

constexpr Capacity kPlanar{.bodies = 2, .contacts = 1, .slots = 8, .active = 8, .unknowns = 32};
using Plane = Scene<2, kPlanar>;

BodyDescription<double, 2> body(double mass, double inertia, const geometry::PlanarShape<double>& shape,
                                double y, double angle, std::array<double, 3> v) {
  BodyDescription<double, 2> b;
  b.mass = mass;
  b.inertia(0, 0) = inertia;
  b.shape = shape;
  b.pose = {0, y, angle};
  b.velocity.linear = {v[0], v[1]};
  b.velocity.angular[0] = v[2];
  return b;
}

// The ramp is level and gravity leans by its angle; the brick is a box on two corners, of which the file's
// one-dimensional brick has no need.
void bricks_on_ramps() {
  const Json json = reference::load("planar/brick_coulomb.json");
  Worst x("brick x at the end or at the stop"), v("brick v at the end");
  for (const Json& run : json["runs"]) {
    const double theta = run["theta"], h = run["h"], T = run["T"], g = json["params"]["g"];
    Plane scene(h, {g * std::sin(theta), -g * std::cos(theta)});
    scene.floor();
    scene.add(
        body(json["params"]["m"], 1.0 / 120, geometry::box<double>(0.1, 0.05), 0.05, 0, {run["v0"], 0, 0}));
    scene.touch(0, 1, run["mu"]);
    const Json& want = run["stepper"];
    double stop = 0;
    for (int k = 1; k <= std::lround(T / h); ++k) {
      scene.step();
      if (stop == 0 && std::abs(scene.velocity(1).linear[0]) < 1e-12) stop = k * h;
    }
    if (want.contains("t_stop_step")) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, want["t_stop_step"].get<double>(), stop);
      x.see(std::abs(scene.pose(1).x - want["x_stop"].get<double>()));
      v.see(std::abs(scene.velocity(1).linear[0]));
      // and against the continuous motion, O(h)
      TEST_ASSERT_DOUBLE_WITHIN(1.01 * run["v0"].get<double>() * h / 2,
                                run["analytic"]["x_stop"].get<double>(), scene.pose(1).x);
    } else {
      x.see(std::abs(scene.pose(1).x - want["x_T"].get<double>()));
      v.see(std::abs(scene.velocity(1).linear[0] - want["v_T"].get<double>()));
    }
  }
  x.within(1e-12);
  v.within(1e-12);
}

// (2.13) as printed follows the file; the gap rule bounces by the same ratio, on time to O(h).
void bouncing_ball() {
  const Json json = reference::load("planar/bouncing_ball.json");
  const double g = json["params"]["g"], y0 = json["params"]["y0"];
  Worst traj("bouncing ball, (2.13) as printed, y and v"), ratio("velocity ratio at each impact");
  for (const Json& run : json["runs"]) {
    const double e = run["eps"], h = run["h"];
    for (const NormalRule rule : {NormalRule::stewart, NormalRule::gap}) {
      Method method;
      method.normal = rule;
      Plane scene(h, {0, -g}, method);
      scene.floor();
      // A point mass: its spin is held by an inertia that friction cannot move.
      scene.add(body(json["params"]["m"], 1e12, geometry::disc<double>(0.1), 0.1 + y0, 0,
                     {json["params"]["vx0"], 0, 0}));
      scene.touch(0, 1, json["params"]["mu"], e);
      const int steps = static_cast<int>(std::lround(4.0 / h));
      std::vector<double> apex, bounce;
      double last_v = 0;
      std::size_t row = 0;
      for (int k = 0; k <= steps; ++k) {
        const double y = scene.pose(1).y - 0.1, vy = scene.velocity(1).linear[1];
        if (rule == NormalRule::stewart && run.contains("traj") && row < run["traj"]["t"].size() &&
            std::abs(run["traj"]["t"][row].get<double>() - k * h) < 1e-9 &&
            k * h < 0.95 * run["zeno_time"].get<double>()) {  // later on f(q + h v) is zero to rounding
          traj.see(std::abs(y - run["traj"]["y"][row].get<double>()));
          traj.see(std::abs(vy - run["traj"]["vy"][row].get<double>()));
          ++row;
        }
        if (last_v < -g * h && vy > 0) {
          bounce.push_back(k * h);
          ratio.see(std::abs(vy / last_v + e));
        }
        if (last_v > 0 && vy <= 0) apex.push_back(y);
        last_v = vy;
        scene.step();
      }
      const Json& t = run["analytic_bounce_t"];
      const Json& a = run["analytic_apex"];
      for (std::size_t i = 0; i < std::min<std::size_t>(3, t.size()); ++i) {
        TEST_ASSERT_DOUBLE_WITHIN(5 * h, t[i].get<double>(), bounce[i]);
        TEST_ASSERT_DOUBLE_WITHIN(5 * h, a[i].get<double>(), apex[i]);
      }
    }
  }
  traj.within(1e-9);
  ratio.within(1e-12);
}

constexpr double kHalfRoot3 = 0.43301270189221924;  // the file's y0: the lower end touches at 60 degrees

void painleve_rod() {
  const Json json = reference::load("planar/painleve_rod.json");
  const Json& p = json["params"];
  TEST_ASSERT_EQUAL_DOUBLE(kHalfRoot3, p["q0"][1].get<double>());
  const auto start = [&](double h, NormalRule rule) {
    Method method;
    method.normal = rule;
    auto scene = std::make_unique<Plane>(h, Plane::Vector(0, -p["g"].get<double>()), method);
    scene->floor();
    // The strict test f(q + h v) < 0 is put to a zero at the start: a hair above it, rounding does not
    // decide.
    auto rod = body(p["m"], p["J"], geometry::rod<double>(p["l"]), p["q0"][1].get<double>() + 1e-15,
                    p["q0"][2], {p["v0"][0], p["v0"][1], p["v0"][2]});
    scene->add(rod);
    scene->touch(0, 1, p["mu"]);
    return scene;
  };
  const auto velocity = [](Plane& s) {
    return std::array<double, 3>{s.velocity(1).linear[0], s.velocity(1).linear[1], s.velocity(1).angular[0]};
  };
  // As printed, with the file's strict test for contact.
  Worst v("Painleve rod, (2.13) as printed, velocities"), q("... positions"), impulse("... impulses (N s)");
  auto scene = start(1e-3, NormalRule::stewart);
  const Json& first = json["stepper_first_steps_h1e3"];
  const Json& traj = json["stepper_traj"];
  for (int k = 1; k <= 300; ++k) {
    scene->step();
    if (k <= 5) {
      for (std::size_t i = 0; i < 3; ++i)
        v.see(
            std::abs(velocity(*scene)[i] - first["first5_v"][static_cast<std::size_t>(k)][i].get<double>()));
      if (scene->workspace.elements > 0)
        for (std::size_t i = 0; i < 2; ++i)
          impulse.see(std::abs(1e-3 * scene->workspace.lambda[i] -
                               first["first5_impulse"][static_cast<std::size_t>(k)][i].get<double>()));
    }
    if (k % 10 == 0) {
      const Json& want = traj["q"][static_cast<std::size_t>(k / 10)];
      q.see(std::abs(scene->pose(1).x - want[0].get<double>()));
      q.see(std::abs(scene->pose(1).y - want[1].get<double>()));
      q.see(std::abs(scene->pose(1).angle - want[2].get<double>()));
    }
  }
  v.within(1e-9);
  q.within(1e-9);
  impulse.within(1e-9);
  // The gap rule meets the contact in the first step: a jam, then the impulse that no bounded force could
  // give.
  const Json& jam = json["impulsive_solution"];
  double last = 0;
  for (const double h : {1e-2, 1e-3, 1e-4}) {
    auto gap = start(h, NormalRule::gap);
    const auto report = gap->step();
    TEST_ASSERT_TRUE(report.contact[0].mode == contact::Mode::stick);
    double error = 0;
    for (std::size_t i = 0; i < 3; ++i)
      error = std::max(error, std::abs(velocity(*gap)[i] - jam["v_plus"][i].get<double>()));
    std::printf("Painleve rod, gap rule, h = %.0e: v after the jam off by %.3g\n", h, error);
    TEST_ASSERT_TRUE(error <= 10 * h);
    if (last > 0) TEST_ASSERT_TRUE(std::abs(last / error - 10) < 0.5);
    last = error;
  }
}

// A rod so fast that it could go on sliding, lift off or jam: three answers of one LCP, as the reference
// enumerates them. Ours must be one of the three, whether the modes are guessed or not.
void painleve_has_three_answers() {
  const Json json = reference::load("planar/painleve_rod.json")["nonuniqueness"]["impulse_LCP"];
  double A[4], b[2];
  const double mu = json["mu"];
  for (std::size_t i = 0; i < 2; ++i) {
    b[i] = json["b"][i];
    for (std::size_t j = 0; j < 2; ++j) A[2 * i + j] = json["G"][i][j];
  }
  contact::Problem<double, 2> problem{1, A, 2, b, &mu, nullptr};
  const auto is_listed = [&](const double* lambda) {
    for (const Json& answer : json["solutions"])
      if (std::abs(lambda[0] - answer["lam"][0].get<double>()) < 1e-12 &&
          std::abs(lambda[1] - answer["lam"][1].get<double>()) < 1e-12)
        return true;
    return false;
  };
  double lambda[2], s[2], used, M[16], q[4];
  std::uint8_t block[4];
  contact::stewart::to_lcp(problem, 2, M, 4, q, block);
  lcp::Workspace<double, 4> workspace;
  const lcp::Problem<double> view{4, M, 4, q, block};
  TEST_ASSERT_TRUE(lcp::solve(view, workspace).status == lcp::Status::solved);
  contact::stewart::from_lcp(problem, 2, workspace.z.data(), workspace.w.data(), lambda, s, &used);
  std::printf("Painleve rod, three answers: Lemke's method takes lambda %.6g, %.6g\n", lambda[0], lambda[1]);
  TEST_ASSERT_TRUE(is_listed(lambda));
  using contact::Remembered;
  for (const unsigned code : {unsigned{Remembered::open}, unsigned{Remembered::closed},
                              Remembered::closed | 1U << 2, Remembered::closed | 2U << 2}) {
    contact::guess::ElementMode<double, 2> mode;
    std::int16_t row[3];
    double work[3], scratch[9];
    contact::guess::Search<double, 2> search(problem, 0, false, &mode, row, work, scratch, lambda, s, &used);
    const auto answer = search.run([&](int) { return Remembered{static_cast<std::uint8_t>(code)}; });
    if (answer.found) TEST_ASSERT_TRUE(is_listed(lambda));
  }
}

struct Polygon {
  double kinetic = 0;
  int without_room = 0;  // steps that say so
};

// The motion of Chakraborty's disc cut to n corners, for 1 s, with v (x, y, spin) at the start.
Polygon roll_polygon(const Json& p, int n, double h, const std::array<double, 3>& v) {
  Plane scene(h, {0, -p["g"].get<double>()});
  scene.floor();
  scene.add(body(p["m"], p["J"], geometry::polygon<double>(n, p["R"]), p["q0"][1], -1.5707963267948966, v));
  scene.touch(0, 1, p["mu"]);
  Polygon out;
  for (int k = 0; k < std::lround(1.0 / h); ++k) {
    const auto report = stepper::step(scene.world, scene.workspace);
    out.kinetic = report.energy.kinetic;
    if (report.status == StepStatus::solved) continue;
    TEST_ASSERT_EQUAL_STRING(sentence(StepReason::room), sentence(report.reason));
    ++out.without_room;
  }
  return out;
}

// A rolling disc cut to n corners loses energy at each of them: the same scheme, so the same loss. Up to 76
// corners touch in the reference; 8 are kept, the right ones, and each step has looked at all of them after
// its solution.
void disc_as_polygon() {
  const Json json = reference::load("planar/disc_rolling.json");
  const Json& p = json["params"];
  for (const char* figure : {"fig1a", "fig1b"}) {
    for (const Json& row : json[figure]) {
      const int n = row["n"];
      const double h = row["h"], want = row["KE_T"];
      const Polygon have = roll_polygon(p, n, h, {p["v0"][0], p["v0"][1], p["v0"][2]});
      std::printf("disc as %d-gon, h %g: kinetic energy %.9g (reference %.9g)\n", n, h, have.kinetic, want);
      TEST_ASSERT_DOUBLE_WITHIN(1e-6 * want, want, have.kinetic);
      TEST_ASSERT_EQUAL_INT(0, have.without_room);
    }
  }
}

// A disc of 4,000 corners that slides without spin, stopped by a floor of mu = 1,000: the blow turns it by
// more corners than are kept, so the step that it happens in must say that it lacked room.
void polygon_without_room() {
  Json p = reference::load("planar/disc_rolling.json")["params"];
  p["mu"] = 1000;
  TEST_ASSERT_GREATER_THAN_INT(0, roll_polygon(p, 4000, 0.01, {-3, -1, 0}).without_room);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(bricks_on_ramps);
  RUN_TEST(bouncing_ball);
  RUN_TEST(painleve_rod);
  RUN_TEST(painleve_has_three_answers);
  RUN_TEST(disc_as_polygon);
  RUN_TEST(polygon_without_room);
  return UNITY_END();
}
