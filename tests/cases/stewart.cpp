// Stewart 2000: bricks on ramps and the bouncing ball.
#include "plane.hpp"

using namespace plane;

namespace {

// The ramp is level and gravity leans by its angle; the brick is a box on two corners, of which the file's
// one-dimensional brick has no need.
std::unique_ptr<Plane> brick_on_ramp(const Json& run, const Json& params, NormalRule rule) {
  const double theta = run["theta"], g = params["g"];
  Method method;
  method.normal = rule;
  auto scene =
      std::make_unique<Plane>(run["h"], Plane::Vector(g * std::sin(theta), -g * std::cos(theta)), method);
  scene->floor();
  // As printed the test is strict: a hair above the ramp, rounding does not decide.
  const double above = rule == NormalRule::stewart ? 1e-15 : 0;
  scene->add(
      body(params["m"], 1.0 / 120, geometry::box<double>(0.1, 0.05), 0.05 + above, 0, {run["v0"], 0, 0}));
  scene->touch(0, 1, run["mu"]);
  return scene;
}

// The motion by Coulomb's law: down the ramp x'' = g (sin -+ mu cos).
void continuous_brick(const Json& run, double g) {
  const double s = g * std::sin(run["theta"].get<double>()),
               f = g * run["mu"].get<double>() * std::cos(run["theta"].get<double>()), v0 = run["v0"],
               T = run["T"];
  const Json& want = run["analytic"];
  const auto near = [&](const char* key, double value) {
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, value, want[key].get<double>());
  };
  if (v0 > 0) {
    near("t_stop", v0 / (f - s));
    near("x_stop", v0 * v0 / (2 * (f - s)));
  } else if (v0 < 0) {
    const double turn = -v0 / (s + f), top = -v0 * v0 / (2 * (s + f));
    near("t_turn", turn);
    near("x_turn", top);
    near("v_T", (s - f) * (T - turn));
    near("x_T", top + (s - f) * (T - turn) * (T - turn) / 2);
  } else {
    near("v_T", 0);
    near("x_T", 0);
  }
}

void bricks_on_ramps() {
  const Json json = reference::load("planar/brick_coulomb.json");
  const Json& p = json["params"];
  Worst x("brick x at the end or at the stop"), v("brick v at the end"),
      traj("... x, v and impulses on the way"), strict("... by the strict test");
  for (const Json& run : json["runs"]) {
    const double h = run["h"], T = run["T"], v0 = run["v0"];
    const Json& want = run["stepper"];
    const Json& analytic = run["analytic"];
    continuous_brick(run, p["g"]);
    auto scene = brick_on_ramp(run, p, NormalRule::gap);
    auto printed = brick_on_ramp(run, p, NormalRule::stewart);
    double stop = 0;
    std::size_t row = 1;
    for (int k = 1; k <= std::lround(T / h); ++k) {
      const auto report = scene->step();
      printed->step();
      if (stop == 0 && std::abs(scene->velocity(1).linear[0]) < 1e-12) stop = k * h;
      if (!run.contains("traj") || row == run["traj"]["t"].size()) continue;
      const Json& rows = run["traj"];
      if (std::abs(rows["t"][row].get<double>() - k * h) > h / 2) continue;
      traj.see(std::abs(rows["t"][row].get<double>() - k * h));
      traj.see(std::array<double, 2>{scene->pose(1).x, scene->pose(1).y - 0.05}, rows["q"][row]);
      traj.see(std::array<double, 2>{scene->velocity(1).linear[0], scene->velocity(1).linear[1]},
               rows["v"][row]);
      traj.see(std::abs(h * report.contact[0].force[0] - rows["c_n_impulse"][row].get<double>()));
      traj.see(std::abs(h * report.contact[0].force[1] - rows["c_t_impulse"][row].get<double>()));
      ++row;
    }
    if (run.contains("traj")) TEST_ASSERT_EQUAL_size_t(run["traj"]["t"].size(), row);
    if (want.contains("t_stop_step")) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, want["t_stop_step"].get<double>(), stop);
      x.see(std::abs(scene->pose(1).x - want["x_stop"].get<double>()));
      v.see(std::abs(scene->velocity(1).linear[0] - want["v_after"].get<double>()));
    } else {
      x.see(std::abs(scene->pose(1).x - want["x_T"].get<double>()));
      v.see(std::abs(scene->velocity(1).linear[0] - want["v_T"].get<double>()));
    }
    // and against the continuous motion: implicit Euler's place is off by h / 2 of the speeds at both ends.
    const double v_T = v0 > 0 ? 0.0 : analytic["v_T"].get<double>();
    TEST_ASSERT_DOUBLE_WITHIN(1.01 * (std::abs(v0) + v_T) * h / 2 + 1e-12,
                              analytic[v0 > 0 ? "x_stop" : "x_T"].get<double>(), scene->pose(1).x);
    const Json& late = want["paper_strict_test"];
    strict.see(std::abs(printed->pose(1).x - late["x_T"].get<double>()));
    strict.see(std::abs(printed->velocity(1).linear[0] - late["v_T"].get<double>()));
    strict.see(std::abs(printed->pose(1).y - 0.05 - late["penetration"].get<double>()));
  }
  x.within(1e-12);
  v.within(1e-12);
  traj.within(1e-12);
  strict.within(1e-12);
}

// A ball of one run of the file, falling for 4 s: when it bounced, how high it came, how fast it left.
struct Bounces {
  std::vector<double> at, apex, ratio;
};

// (2.13) as printed follows the file. By the gap rule the impact is within the step, on time to O(h): at t it
// comes with v - g (t + h / 2), and the step ends with g (h / 2 - t) less than -e times that.
void bouncing_ball() {
  const Json json = reference::load("planar/bouncing_ball.json");
  const double g = json["params"]["g"], y0 = json["params"]["y0"];
  Worst traj("bouncing ball, (2.13) as printed, y and v"), times("... times of the bounces (s)"),
      heights("... heights"), ratio("velocity ratio at each impact");
  for (const Json& run : json["runs"]) {
    const double e = run["eps"], h = run["h"], zeno = run["zeno_time"];
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, std::sqrt(2 * y0 / g) * (1 + e) / (1 - e), zeno);
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
      Bounces have;
      double last_v = 0, top = 0;
      std::size_t row = 0;
      // Later on f(q + h v) is zero to rounding.
      const auto before_zeno = [&](double t) { return t < 0.95 * zeno; };
      for (int k = 0; k <= steps; ++k) {
        const double y = scene.pose(1).y - 0.1, vy = scene.velocity(1).linear[1];
        if (rule == NormalRule::stewart && run.contains("traj") && row < run["traj"]["t"].size() &&
            std::abs(run["traj"]["t"][row].get<double>() - k * h) < 1e-9 && before_zeno(k * h)) {
          traj.see(std::abs(y - run["traj"]["y"][row].get<double>()));
          traj.see(std::abs(vy - run["traj"]["vy"][row].get<double>()));
          traj.see(std::abs(scene.velocity(1).linear[0] - run["traj"]["vx"][row].get<double>()));
          ++row;
        }
        if (last_v < -g * h && vy > 0) {
          if (!have.at.empty()) have.apex.push_back(top);
          have.at.push_back(k * h);
          have.ratio.push_back(-vy / last_v);
          if (rule == NormalRule::stewart)
            ratio.see(std::abs(vy / last_v + e));
          else
            TEST_ASSERT_TRUE(vy + e * last_v >= -(1 - e) * g * h / 2 - 1e-9 &&
                             vy + e * last_v <= (1 + 3 * e) * g * h / 2 + 1e-9);
          top = 0;
        }
        if (!have.at.empty()) top = std::max(top, y);
        last_v = vy;
        if (k < steps) scene.step();
      }
      const Json& t = run["analytic_bounce_t"];
      const Json& a = run["analytic_apex"];
      double exact = std::sqrt(2 * y0 / g), interval = 2 * exact;
      for (std::size_t i = 0; i < t.size(); ++i) {
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, exact, t[i].get<double>());
        exact += interval *= e;
        if (i < a.size())
          TEST_ASSERT_DOUBLE_WITHIN(1e-12, y0 * std::pow(e, 2.0 * static_cast<double>(i + 1)),
                                    a[i].get<double>());
      }
      for (std::size_t i = 0; i < std::min<std::size_t>(3, t.size()); ++i) {
        TEST_ASSERT_DOUBLE_WITHIN(5 * h, t[i].get<double>(), have.at[i]);
        TEST_ASSERT_DOUBLE_WITHIN(5 * h, a[i].get<double>(), have.apex[i]);
      }
      if (rule != NormalRule::stewart) continue;
      for (std::size_t i = 0; i < run["bounce_t"].size(); ++i) {
        times.see(std::abs(have.at[i] - run["bounce_t"][i].get<double>()));
        ratio.see(std::abs(have.ratio[i] - run["v_ratio_at_impacts"][i].get<double>()));
      }
      for (std::size_t i = 0; i < run["apex"].size(); ++i) {
        heights.see(std::abs(have.apex[i] - run["apex"][i].get<double>()));
        if (i + 1 < run["apex"].size())
          heights.see(std::abs(have.apex[i + 1] / have.apex[i] - run["ratio"][i].get<double>()));
      }
      // What bounces on at the end is as high as the file's, what rests lies as deep within one step's fall.
      const double depth = scene.pose(1).y - 0.1 - run["rest_y"].get<double>();
      traj.see(zeno > 4 ? std::abs(depth) : 0);
      TEST_ASSERT_DOUBLE_WITHIN(g * h * h, 0, depth);
      traj.see(std::abs(scene.velocity(1).linear[1] - run["rest_v"].get<double>()));
    }
  }
  traj.within(1e-9);
  times.within(1e-9);
  heights.within(1e-9);
  ratio.within(1e-12);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(bricks_on_ramps);
  RUN_TEST(bouncing_ball);
  return UNITY_END();
}
