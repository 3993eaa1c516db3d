// The Painleve rod in the step (Stewart 2000, 1.3): a jam, then an impulse that no bounded force could give,
// and the rod turns about its end.
#include <algorithm>

#include "plane.hpp"

using namespace plane;

namespace {

const Json& file() {
  static const Json json = reference::load("planar/painleve_rod.json");
  return json;
}

std::unique_ptr<Plane> start(double h, NormalRule rule, double above = 1e-15) {
  const Json& p = file()["params"];
  Method method;
  method.normal = rule;
  auto scene = std::make_unique<Plane>(h, Plane::Vector(0, -p["g"].get<double>()), method);
  scene->floor();
  // The strict test f(q + h v) < 0 is put to a zero at the start: a hair above it, rounding does not decide.
  scene->add(body(p["m"], p["J"], geometry::rod<double>(p["l"]), p["q0"][1].get<double>() + above, p["q0"][2],
                  {p["v0"][0], p["v0"][1], p["v0"][2]}));
  scene->touch(0, 1, p["mu"]);
  return scene;
}

using Three = std::array<double, 3>;
Three velocity(Plane& s) {
  return {s.velocity(1).linear[0], s.velocity(1).linear[1], s.velocity(1).angular[0]};
}
Three place(Plane& s) {
  return {s.pose(1).x, s.pose(1).y, s.pose(1).angle};
}
// Of the end that touches; the other end is found in no step.
std::array<double, 2> impulse(Plane& s, double h) {
  if (s.workspace.found.elements == 0) return {0, 0};
  TEST_ASSERT_EQUAL_INT(1, s.workspace.found.elements);
  return {h * s.workspace.answer.lambda[0], h * s.workspace.answer.lambda[1]};
}

// As printed, with the file's strict test for contact.
void stepper_as_printed() {
  Worst v("Painleve rod, (2.13) as printed, velocities"), q("... positions"), p("... impulses (N s)");
  auto scene = start(1e-3, NormalRule::stewart);
  const Json& first = file()["stepper_first_steps_h1e3"];
  const Json& traj = file()["stepper_traj"];
  for (int k = 1; k <= 300; ++k) {
    scene->step();
    if (k <= 5) {
      v.see(velocity(*scene), first["first5_v"][static_cast<std::size_t>(k)]);
      p.see(impulse(*scene, 1e-3), first["first5_impulse"][static_cast<std::size_t>(k)]);
    }
    if (k % 10 != 0) continue;
    const auto row = static_cast<std::size_t>(k / 10);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1e-3 * k, traj["t"][row].get<double>());
    q.see(place(*scene), traj["q"][row]);
    v.see(velocity(*scene), traj["v"][row]);
    p.see(impulse(*scene, 1e-3), traj["impulse_endA"][row]);
    p.see(std::array<double, 2>{0, 0}, traj["impulse_endB"][row]);
  }
  v.within(1e-9);
  q.within(1e-9);
  p.within(1e-9);
}

// After the impulse the rod turns about its lower end: (J + m l^2 / 4) angle'' = -m g (l / 2) cos(angle),
// here by Runge and Kutta's method.
struct Turning {
  double t = 0, angle, spin;
  const double x, half, factor;
  Turning()
      : angle(file()["params"]["q0"][2]),
        spin(file()["impulsive_solution"]["v_plus"][2]),
        x(-file()["params"]["l"].get<double>() / 2 * std::cos(angle)),
        half(file()["params"]["l"].get<double>() / 2),
        factor(-file()["params"]["m"].get<double>() * file()["params"]["g"].get<double>() * half /
               (file()["params"]["J"].get<double>() + file()["params"]["m"].get<double>() * half * half)) {}
  void to(double until) {
    const int steps = 4;
    const double h = (until - t) / steps;
    for (int k = 0; k < steps; ++k) {
      const auto f = [&](double a) { return factor * std::cos(a); };
      const double a1 = spin, s1 = f(angle), a2 = spin + h / 2 * s1, s2 = f(angle + h / 2 * a1);
      const double a3 = spin + h / 2 * s2, s3 = f(angle + h / 2 * a2), a4 = spin + h * s3,
                   s4 = f(angle + h * a3);
      angle += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
      spin += h / 6 * (s1 + 2 * s2 + 2 * s3 + s4);
    }
    t = until;
  }
  Three q() const { return {x + half * std::cos(angle), half * std::sin(angle), angle}; }
  Three v() const { return {-half * std::sin(angle) * spin, half * std::cos(angle) * spin, spin}; }
};

double apart(const Three& a, const Three& b) {
  return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])});
}

void stepper_converges() {
  Turning truth;
  const Json& after = file()["event_driven_after"];
  Worst turning("Painleve rod that turns about its end, q and v");
  for (std::size_t i = 0; i < after["t"].size(); ++i) {
    truth.to(after["t"][i]);
    const auto q = truth.q(), v = truth.v();
    turning.see(std::array<double, 6>{q[0], q[1], q[2], v[0], v[1], v[2]}, after["y"][i]);
  }
  turning.within(1e-9);
  Worst jam("... after the jam: v, impulse, its error"), error("... errors over 0.3 s");
  for (const Json& want : file()["stepper_convergence"]) {
    const double h = want["h"];
    double most[2] = {}, end = 0;
    for (const bool strict : {true, false}) {
      auto scene = start(h, NormalRule::stewart, strict ? 1e-15 : -1e-15);
      Turning exact;
      bool met = false;
      for (int k = 1; k <= std::lround(0.3 / h); ++k) {
        scene->step();
        exact.to(k * h);
        most[strict ? 0 : 1] = std::max(most[strict ? 0 : 1], apart(place(*scene), exact.q()));
        end = apart(velocity(*scene), exact.v());
        if (met || scene->workspace.found.elements == 0) continue;
        met = true;
        if (!strict) continue;
        TEST_ASSERT_EQUAL_INT(want["first_contact_step"].get<int>(), k);
        jam.see(velocity(*scene), want["v_after_jam"]);
        jam.see(impulse(*scene, h), want["impulse"]);
        jam.see(std::abs(apart(velocity(*scene), file()["impulsive_solution"]["v_plus"].get<Three>()) -
                         want["err_v_after_jam"].get<double>()));
      }
      if (strict) error.see(std::abs(end - want["err_v_T"].get<double>()));
    }
    error.see(std::abs(most[0] - want["err_q_max"].get<double>()));
    error.see(std::abs(most[1] - want["err_q_max_nonstrict"].get<double>()));
  }
  jam.within(1e-9);
  error.within(1e-8);
}

// The gap rule meets the contact in the first step: a jam, then the impulse that no bounded force could give.
void gap_rule_jams_at_once() {
  const auto v_plus = file()["impulsive_solution"]["v_plus"].get<Three>();
  double last = 0;
  for (const double h : {1e-2, 1e-3, 1e-4}) {
    auto gap = start(h, NormalRule::gap);
    const auto report = gap->step();
    TEST_ASSERT_TRUE(report.contact[0].mode == contact::Mode::stick);
    const double error = apart(velocity(*gap), v_plus);
    std::printf("Painleve rod, gap rule, h = %.0e: v after the jam off by %.3g\n", h, error);
    TEST_ASSERT_TRUE(error <= 10 * h);
    if (last > 0) TEST_ASSERT_TRUE(std::abs(last / error - 10) < 0.5);
    last = error;
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(stepper_as_printed);
  RUN_TEST(stepper_converges);
  RUN_TEST(gap_rule_jams_at_once);
  return UNITY_END();
}
