// Song 2004, sec. 6: the ellipse that rocks on a floor, compliant and rigid, against the reference
// trajectories, and single steps as LCP (18).
#include "ellipse.hpp"

#include <algorithm>

using namespace ellipse;

namespace {

// The trajectory of a file: the first ten steps, every hundredth after that, and the mode segments.
template <Capacity C>
void follow(const std::string& file, Ellipse e, int elements, double step_tolerance, double q_tolerance,
            double force_tolerance) {
  const Json json = reference::load(file);
  e.h = json["params"]["h"];
  e.mu = json["params"]["mu"];
  const auto run = std::make_unique<Run<double, C>>(e);
  const Json& first = json["first_steps"];
  const Json& traj = json["traj"];
  const auto mode_at = [&](std::size_t k, int i) {
    const Json& m = traj["mode"][k];
    return m.is_array() ? m[static_cast<std::size_t>(i)].get<int>() : m.get<int>();
  };
  Worst step_lambda(file + " first steps, force (N)"), q(file + " q"), force(file + " force, N");
  const int n = json["params"]["N"];
  int wrong_modes = 0;
  for (int k = 1; k <= n; ++k) {
    run->step();
    if (k <= 10)
      for (int i = 0; i < 2 * elements; ++i)
        step_lambda.see(std::abs(
            run->lambda(i, elements) -
            first["lam"][static_cast<std::size_t>(k - 1)][static_cast<std::size_t>(i)].get<double>()));
    if (k % 100 == 0) {
      const auto row = static_cast<std::size_t>(k / 100 - 1);
      see(q, run->q(), traj["q"][row]);
      for (int i = 0; i < 2 * elements; ++i)
        force.see(
            std::abs(run->lambda(i, elements) - traj["lam"][row][static_cast<std::size_t>(i)].get<double>()));
      for (int i = 0; i < elements; ++i) wrong_modes += run->mode(i) == mode_at(row, i) ? 0 : 1;
    }
  }
  see(q, run->q(), json["final"]["q"]);
  step_lambda.within(step_tolerance);
  q.within(q_tolerance);
  force.within(force_tolerance);
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, wrong_modes, "modes at the sampled steps");
}

void compliant_1e_9() {
  Ellipse e;
  e.eps = 1e-9;
  e.rule = NormalRule::song;
  follow<kCompliant>("planar/ellipse_compliant_eps1e-09.json", e, 3, 1e-11, 1e-8, 1e-6);
}

void compliant_1e_10() {
  Ellipse e;
  e.eps = 1e-10;
  e.rule = NormalRule::song;
  follow<kCompliant>("planar/ellipse_compliant_eps1e-10.json", e, 3, 1e-11, 1e-8, 1e-6);
}

// Every step's modes against the file's segments: a transition may come one step early or late.
void compliant_transitions() {
  for (const char* name :
       {"planar/ellipse_compliant_eps1e-09.json", "planar/ellipse_compliant_eps1e-10.json"}) {
    const Json json = reference::load(name);
    Ellipse e;
    e.eps = json["params"]["eps"];
    e.rule = NormalRule::song;
    const auto run = std::make_unique<Run<double, kCompliant>>(e);
    std::size_t segment = 0;
    const auto& segments = json["segments"];
    const auto matches = [&](std::size_t s, const std::array<int, 3>& modes) {
      return s < segments.size() && segments[s]["modes"].get<std::array<int, 3>>() == modes;
    };
    for (int k = 0; k < json["params"]["N"].get<int>(); ++k) {
      run->step();
      const std::array<int, 3> modes{run->mode(0), run->mode(1), run->mode(2)};
      while (segment + 1 < segments.size() && k >= segments[segment + 1]["step0"].get<int>()) ++segment;
      if (matches(segment, modes)) continue;
      const bool early = k + 1 >= segments[segment]["step1"].get<int>() && matches(segment + 1, modes);
      const bool late =
          segment > 0 && k <= segments[segment]["step0"].get<int>() && matches(segment - 1, modes);
      TEST_ASSERT_TRUE_MESSAGE(early || late, (std::string(name) + " step " + std::to_string(k)).c_str());
    }
  }
}

void rigid_as_printed() {
  Ellipse e;
  e.rule = NormalRule::song;
  follow<kRigid>("planar/ellipse_rigid_h1e-4.json", e, 1, 1e-9, 1e-7, 1e-6);
}

// LCP (18) of single steps: A, b, M and q as the file has them, and its solution.
void lcp_instances() {
  const Json json = reference::load("planar/ellipse_lcp_instances.json");
  Worst matrix("LCP (18) instances, M relative"), vector("... q relative"), lambda("... lambda relative");
  for (const Json& instance : json["instances"]) {
    Ellipse e;
    e.eps = instance["eps"];
    e.rule = NormalRule::song;
    e.modes_first = false;
    const auto run = std::make_unique<Run<double, kCompliant>>(e);
    auto& state = run->world.state;
    const auto q = reference::numbers(instance["q"]), v = reference::numbers(instance["v"]),
               delta = reference::numbers(instance["delta"]);
    state.pose[1] = {q[0], q[1], q[2]};
    state.velocity[1].linear = {v[0], v[1]};
    state.velocity[1].angular[0] = v[2];
    for (std::size_t i = 0; i < 3; ++i) state.delta[i] = {delta[i], delta[i + 3]};
    run->step();
    const auto& ws = run->workspace;
    double m_size = 0, q_size = 0, l_size = 0;
    for (std::size_t i = 0; i < 9; ++i) {
      for (std::size_t j = 0; j < 9; ++j)
        m_size = std::max(m_size, std::abs(instance["LCP_M"][i][j].get<double>()));
      q_size = std::max(q_size, std::abs(instance["LCP_q"][i].get<double>()));
    }
    for (const double x : reference::numbers(instance["lam"])) l_size = std::max(l_size, std::abs(x));
    for (std::size_t i = 0; i < 9; ++i) {
      for (std::size_t j = 0; j < 9; ++j)
        matrix.see(std::abs(ws.M[i * 9 + j] - instance["LCP_M"][i][j].get<double>()) / m_size);
      vector.see(std::abs(ws.q[i] - instance["LCP_q"][i].get<double>()) / q_size);
    }
    for (int i = 0; i < 6; ++i)
      lambda.see(std::abs(run->lambda(i, 3) - instance["lam"][static_cast<std::size_t>(i)].get<double>()) /
                 l_size);
  }
  matrix.within(1e-9);
  vector.within(1e-9);
  lambda.within(1e-9);
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
  RUN_TEST(compliant_transitions);
  RUN_TEST(rigid_as_printed);
  RUN_TEST(lcp_instances);
  RUN_TEST(float_follows_double);
  return UNITY_END();
}
