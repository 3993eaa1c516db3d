// Song 2004, Theorem 6, in space (spatial/rigid_limit.json): a pushed box on compliant feet, by the round
// cone, as the compliance goes to 0. The theorem is for one element a foot.
#include <algorithm>

#include "space.hpp"

using namespace space;

namespace {

const Json& file() {
  static const Json json = reference::load("spatial/rigid_limit.json");
  return json;
}

constexpr Capacity kBox{
    .bodies = 2, .contacts = 1, .slots = 27, .active = 27, .patches = 1, .patch_elements = 9, .points = 27};

struct End {
  Six v{}, q{};
  std::vector<double> force;
  double deepest = 0;
  double rate = 0;  // of delta_n
  std::vector<Six> history;
};

End push_box(double eps, int side, double spacing) {
  const Json& p = file()["box"]["params"];
  const double h = p["h"];
  Method method;
  method.friction = FrictionLaw::cone;
  method.normal = NormalRule::song;
  contact::PatchLaw<double> law;
  law.columns = law.rows = static_cast<std::uint8_t>(side);
  law.spacing = spacing;
  law.compliance = eps;
  law.poisson = p["poisson"];
  law.printed = true;
  auto scene = box_on_feet<kBox>(p, method, eps > 0 ? &law : nullptr);
  const auto start = scene->pose(1);
  End end;
  auto before = scene->world.state.delta;
  for (int n = 0; n < std::lround(p["T"].get<double>() / h); ++n) {
    before = scene->world.state.delta;
    scene->step();
    // The file's W is frozen, and it has no gyroscopic torque: what the drift does is taken back.
    scene->pose(1) = start;
    scene->velocity(1) = scene->workspace.next.velocity[1];
    end.v = motion_of(*scene);
    for (std::size_t i = 0; i < 6; ++i) end.q[i] += h * end.v[i];
    end.history.push_back(end.v);
  }
  const auto& ws = scene->workspace;
  for (int i = 0; i < 3 * ws.found.elements; ++i)
    end.force.push_back(ws.answer.lambda[static_cast<std::size_t>(i)]);
  for (const auto& delta : scene->world.state.delta)
    end.deepest = std::max(end.deepest, delta.cwiseAbs().maxCoeff());
  for (std::size_t i = 0; i < before.size(); ++i)
    end.rate = std::max(end.rate, std::abs(scene->world.state.delta[i][0] - before[i][0]) / h);
  return end;
}

template <class A, class B>
double apart(const A& a, const B& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

// n, t, o of each of the three feet, summed over its elements: one by one they are not unique.
std::vector<double> of_feet(const std::vector<double>& force) {
  std::vector<double> sum(9, 0.0);
  for (std::size_t i = 0; i < force.size(); ++i) sum[i / (force.size() / 3) * 3 + i % 3] += force[i];
  return sum;
}

// One element a foot tends to the rigid motion. Nine tend to a motion of the rigid box on 27 elements, one of
// many (v_end is another), which is not that on three: their forces obey the rigid law the better, the less
// delta still changes.
void box_on_three_feet() {
  const Json& results = file()["box"]["results"];
  const End rigid = push_box(0, 1, 0);
  Worst limit("rigid box on three points by the cone: v, q, forces"),
      rows("compliant box: distances from the rigid motion, delta"), sinks("... rate of delta (m/s)");
  for (const auto& [name, side, spacing] :
       {std::tuple{"ns1_rho0.001", 1, 1e-3}, {"ns3_rho0.001", 3, 1e-3}, {"ns3_rho1e-05", 3, 1e-5}}) {
    const Json& want = results[name];
    const auto v = reference::numbers(want["rigid"]["v_end"]), q = reference::numbers(want["rigid"]["q_end"]),
               force = reference::numbers(want["rigid"]["F_end"]);
    if (side == 1) {
      limit.see(rigid.v, want["rigid"]["v_end"]);
      limit.see(rigid.q, want["rigid"]["q_end"]);
      limit.see(rigid.force, want["rigid"]["F_end"]);
    }
    limit.see(std::abs(apart(rigid.v, v) - want["dv_vs_3point_rigid"].get<double>()));
    double before = 0;
    std::size_t k = 0;
    for (const Json& row : want["rows"]) {
      const double eps = row[0];
      const End end = push_box(eps, side, spacing);
      const double dv = apart(end.v, v), dq = apart(end.q, q);
      rows.see(std::abs(dv - row[1].get<double>()));
      rows.see(std::abs(dq - row[2].get<double>()));
      rows.see(std::abs(apart(of_feet(end.force), of_feet(force)) - row[3].get<double>()));
      rows.see(std::abs(end.deepest - row[4].get<double>()));
      // Largest on the way; where it is that of the end, the file's 27 rigid elements have moved off.
      double most = 0;
      for (std::size_t n = 0; n < rigid.history.size(); ++n)
        most = std::max(most, apart(end.history[n], rigid.history[n]));
      const bool at_end = side == 3 && row[5].get<double>() == row[1].get<double>();
      rows.see(std::abs((at_end ? dv : most) - row[5].get<double>()));
      if (before > 0)
        TEST_ASSERT_DOUBLE_WITHIN(1e-4, want["local_order"][k++].get<double>(), std::log10(before / dq));
      before = dq;
      if (side == 3 && spacing == 1e-3)
        for (const Json& violation : results["rigid27_violation"])
          if (std::abs(violation[0].get<double>() / eps - 1) < 1e-9)
            sinks.see(std::abs(end.rate - violation[1].get<double>()));
    }
  }
  const double tolerance = file()["tolerance"];
  limit.within(tolerance);
  rows.within(tolerance);
  sinks.within(1e-11);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(box_on_three_feet);
  return UNITY_END();
}
