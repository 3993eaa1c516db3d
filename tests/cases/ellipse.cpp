// Song 2004, sec. 6: the ellipse that rocks on a floor, compliant and rigid, against the reference
// trajectories: the first ten steps whole, every hundredth after that.
#include "ellipse.hpp"

#include <algorithm>

using namespace ellipse;

namespace {

// What the files allow: forces of the first steps and of the trajectory (N), places; velocities and
// deformations relative to the largest of the trajectory, for which the rule of all cases holds, 1e-8.
struct Tolerance {
  double first_force, q, force;
};
constexpr double kRelative = 1e-8;

double largest(const Json& rows) {
  double most = 0;
  for (const Json& row : rows)
    for (const double x : reference::numbers(row)) most = std::max(most, std::abs(x));
  return most;
}

template <Capacity C>
void follow(const std::string& file, Ellipse e, const Tolerance& tolerance) {
  const Json json = reference::load(file);
  e.h = json["params"]["h"];
  e.mu = json["params"]["mu"];
  const auto run = std::make_unique<Run<double, C>>(e);
  const Json& first = json["first_steps"];
  const Json& traj = json["traj"];
  Worst first_force(file + " first steps, force (N)"), first_motion("... place, velocity, deformation"),
      first_slip("... s (m/s)"), q("trajectory: q"), v("... v, relative"), delta("... delta, relative"),
      force("... force (N)");
  const int n = json["params"]["N"];
  int wrong_modes = 0;
  for (int k = 1; k <= n; ++k) {
    run->step();
    if (k <= 10) {
      const auto row = static_cast<std::size_t>(k - 1);
      first_force.see(run->lambda(), first["lam"][row]);
      first_motion.see(run->q(), first["q"][row]);
      first_motion.see(run->v(), first["v"][row]);
      if (first.contains("delta")) first_motion.see(run->delta(), first["delta"][row]);
      if (first.contains("s")) first_slip.see(run->s(), first["s"][row]);
    }
    if (k % 100 != 0) continue;
    const auto row = static_cast<std::size_t>(k / 100 - 1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, k * e.h, traj["t"][row].get<double>());
    q.see(run->q(), traj["q"][row]);
    v.see(run->v(), traj["v"][row]);
    force.see(run->lambda(), traj["lam"][row]);
    if (traj.contains("delta")) delta.see(run->delta(), traj["delta"][row]);
    for (int i = 0; i < run->elements; ++i) {
      const Json& mode = traj["mode"][row];
      wrong_modes += run->mode(i) == (mode.is_array() ? mode[static_cast<std::size_t>(i)] : mode) ? 0 : 1;
    }
  }
  q.see(run->q(), json["final"]["q"]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.05 * 9.81, json["weight"].get<double>());
  v.see(run->v(), json["final"]["v"]);
  v.value /= largest(traj["v"]);
  if (traj.contains("delta")) delta.value /= largest(traj["delta"]);
  first_force.within(tolerance.first_force);
  first_motion.within(1e-12);
  first_slip.within(1e-12);
  q.within(tolerance.q);
  v.within(kRelative);
  delta.within(kRelative);
  force.within(tolerance.force);
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, wrong_modes, "modes at the sampled steps");
}

void compliant_1e_9() {
  Ellipse e;
  e.eps = 1e-9;
  e.rule = NormalRule::song;
  follow<kCompliant>("planar/ellipse_compliant_eps1e-09.json", e, {1e-11, 1e-8, 1e-6});
}

void compliant_1e_10() {
  Ellipse e;
  e.eps = 1e-10;
  e.rule = NormalRule::song;
  follow<kCompliant>("planar/ellipse_compliant_eps1e-10.json", e, {1e-11, 1e-8, 1e-6});
}

void rigid_as_printed() {
  Ellipse e;
  e.rule = NormalRule::song;
  follow<kRigid>("planar/ellipse_rigid_h1e-4.json", e, {1e-9, 1e-7, 1e-6});
}

void float_follows_double() {
  Ellipse e;
  e.eps = 1e-10;
  const auto single = std::make_unique<Run<float, kCompliant>>(e);
  const auto twin = std::make_unique<Run<double, kCompliant>>(e);
  Worst q("ellipse in float against double over 1 s, q");
  for (int k = 0; k < 10000; ++k) {
    single->step();
    twin->step();
    for (std::size_t i = 0; i < 3; ++i) q.see(std::abs(single->q()[i] - twin->q()[i]));
  }
  q.within(1e-3);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(compliant_1e_9);
  RUN_TEST(compliant_1e_10);
  RUN_TEST(rigid_as_printed);
  RUN_TEST(float_follows_double);
  return UNITY_END();
}
