// The relaxed least squares of Pang and Trinkle (46), (47) in space: zero where Coulomb's law has an answer,
// and a rod that jams in any direction (spatial and planar/pang_trinkle.json).
#include "tactus/contact/acceleration_relaxed.hpp"

#include "tests/cases/acceleration.hpp"

using namespace acceleration_cases;
using acceleration::Status;

namespace {

constexpr double kForce = 1e-9, kAcceleration = 1e-8;  // the case files' tolerances

// What slides in the file's scenes has an answer, so the least f is zero and the motion is that of the
// pyramid.
void boxes_that_slide() {
  const auto workspace = std::make_unique<acceleration::RelaxedWorkspace<double, 3, 5>>();
  const Json file = reference::load("spatial/pang_trinkle.json");
  reference::Worst least("relaxed law where Coulomb's has an answer, f"), motion("... accelerations");
  int seen = 0;
  for (const auto& [name, json] : file["results"].items()) {
    if (!json.contains("pyramid") || json["S"].empty()) continue;
    const Json& contacts = json["input"]["contacts"];
    const auto qd = reference::numbers(json["input"]["qd"]);
    std::vector<double> mu;
    for (const auto& contact : contacts) mu.push_back(contact["mu"]);
    Reduced<3> reduced(json["A"], json["b"], mu);
    for (const std::size_t i : json["S"].get<std::vector<std::size_t>>()) {
      const auto r = reference::numbers(contacts[i]["r"]);
      const double at[3] = {qd[0] + qd[4] * r[2] - qd[5] * r[1], qd[1] + qd[5] * r[0] - qd[3] * r[2],
                            qd[2] + qd[3] * r[1] - qd[4] * r[0]};
      for (std::size_t k = 0; k < 3; ++k) {
        reduced.velocity[2 * i] += contacts[i]["t"][k].get<double>() * at[k];
        reduced.velocity[2 * i + 1] += contacts[i]["o"][k].get<double>() * at[k];
      }
    }
    const auto answer = solve_relaxed(reduced.view(), acceleration::Law::pyramid, *workspace);
    TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(answer.status));
    TEST_ASSERT_TRUE(answer.proved);
    least.see(answer.f);
    const auto a = in_core_order<3>(reference::numbers(json["pyramid"]["a"]));
    if (json["pyramid"]["newton_solutions"].size() == 1)
      for (std::size_t i = 0; i < a.size(); ++i) motion.see(std::abs(a[i] - workspace->a[i]));
    std::printf("%s: f %.3g, %d nodes\n", name.c_str(), answer.f, answer.nodes);
    ++seen;
  }
  TEST_ASSERT_EQUAL_INT(3, seen);
  least.within(1e-12);
  motion.within(kAcceleration);
}

// The file's jammed rod in space: n as in the plane, sliding along u = (cos, sin) of the axes t and o, free
// across, where its end moves as a mass m. With c_T = -x u + y w, w across, it is a_n = A_nn c_n + A_nu (-x)
// + b_n >= 0 and
//
//     f = |v|^2 ((mu c_n - x)^2 + y^2),  0 <= x,   |c_T| <= mu c_n
//
// so y = 0, and where c_n = (-b_n + A_nu x) / A_nn grows faster than x / mu, which is what jams, x = 0: the
// frictionless force, inside cone and pyramid alike, and (46) and (47) have one answer for every direction.
void rod_that_jams_in_space() {
  const Json all = reference::load("planar/pang_trinkle.json");
  reference::Worst force("relaxed law of a rod that jams in space, forces relative");
  acceleration::RelaxedWorkspace<double, 3, 1> workspace;
  int seen = 0;
  for (const auto& c : all["one_sliding_contact"]) {
    if (!c["solutions"].empty()) continue;
    const Json& want = c["relaxed_LS_analytic"];
    const double nn = c["A"][0][0], nt = c["A"][0][1], tt = c["A"][1][1], b = c["b"][0], mu = c["mu"],
                 v = c["v_t"], across = 1 / all["rod_params"]["m"].get<double>();
    TEST_ASSERT_TRUE(nn + mu * nt < 0);  // jams: v < 0 slides along -t, where friction is +mu c_n
    for (int k = 0; k < 16; ++k) {
      const double co = std::cos(0.1 + k * 0.3926990816987241), si = std::sin(0.1 + k * 0.3926990816987241);
      const double A[9] = {nn,
                           co * nt,
                           si * nt,
                           co * nt,
                           co * co * tt + si * si * across,
                           co * si * (tt - across),
                           si * nt,
                           co * si * (tt - across),
                           si * si * tt + co * co * across};
      const double offset[3] = {b, 0, 0}, slide[2] = {v * co, v * si};
      const acceleration::Problem<double, 3> problem{{1, A, 3, offset, &mu, nullptr}, slide};
      acceleration::PyramidWorkspace<double, 3, 1> exact;
      TEST_ASSERT_EQUAL_STRING(sentence(Status::none), sentence(solve_pyramid(problem, exact).status));
      const auto answer = solve_relaxed(
          problem, k % 2 == 0 ? acceleration::Law::pyramid : acceleration::Law::cone, workspace);
      TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(answer.status));
      TEST_ASSERT_TRUE(answer.proved);
      const double f = want["f"], c_n = want["c_n"];
      force.see(std::abs(answer.f - f) / f);
      force.see(std::abs(workspace.c[0] - c_n) / c_n);
      force.see(std::hypot(workspace.c[1], workspace.c[2]) / c_n);
    }
    ++seen;
  }
  TEST_ASSERT_EQUAL_INT(1, seen);
  force.within(kForce);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(boxes_that_slide);
  RUN_TEST(rod_that_jams_in_space);
  return UNITY_END();
}
