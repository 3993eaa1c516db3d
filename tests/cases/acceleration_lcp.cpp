// LCP (30) in the plane: as the file writes it, and where Lemke's path on it ends on a ray
// (planar/pang_trinkle.json, planar/lemke_ray_all_rolling.json).
#include "tests/cases/acceleration.hpp"

using namespace acceleration_cases;
using acceleration::Status;

namespace {

constexpr double kForce = 1e-9, kAcceleration = 1e-8;  // the case file's tolerances

using Workspace = acceleration::PyramidWorkspace<double, 2, 4>;

// (30)-(31) as the file writes it, M and q with c_n of all contacts, then s+, then a-; core goes contact by
// contact.
void check_lcp30(const Json& c, const Reduced<2>& reduced, Workspace& workspace, reference::Worst& worst) {
  const auto n = static_cast<std::size_t>(to_lcp(reduced.view(), workspace));
  TEST_ASSERT_EQUAL_size_t(c["LCP_q"].size(), n);
  const auto place = [&](std::size_t i) {
    return static_cast<std::size_t>(core_row<3>(static_cast<int>(i), reduced.contacts));
  };
  for (std::size_t i = 0; i < n; ++i) {
    worst.see(std::abs(workspace.q[place(i)] - c["LCP_q"][i].get<double>()));
    for (std::size_t j = 0; j < n; ++j)
      worst.see(std::abs(workspace.M[place(i) * n + place(j)] - c["LCP_M"][i][j].get<double>()));
  }
}

// The forces of a solution (c_n, s+, a-) of the file, in the order of core: c_t = s+ - mu c_n.
std::vector<double> forces_of(const std::vector<double>& z, const std::vector<double>& mu) {
  std::vector<double> c;
  for (std::size_t i = 0; i < mu.size(); ++i) {
    c.push_back(z[i]);
    c.push_back(z[mu.size() + i] - mu[i] * z[i]);
  }
  return c;
}

void test_lcp30() {
  Workspace workspace;
  reference::Worst system("LCP (30) in the plane, M and q"), force("forces of the file's Lemke"),
      listed("forces of enumerated solutions");
  const Json all = reference::load("planar/pang_trinkle.json");
  for (const auto& c : all["all_rolling"]) {
    const Reduced<2> reduced(c["A"], c["b"], reference::numbers(c["mu"]));
    check_lcp30(c, reduced, workspace, system);
    solve_pyramid(reduced.view(), workspace);
    const auto& full = c["full_mode_solutions"][0];
    const auto a = in_core_order<2>(reference::numbers(full["a"]));
    force.see(apart(in_core_order<2>(reference::numbers(c["c_from_lemke"])), workspace.c.data()));
    force.see(apart(in_core_order<2>(reference::numbers(c["enum_distinct_c"][0])), workspace.c.data()));
    force.see(apart(forces_of(reference::numbers(c["lemke"]["z"]), reference::numbers(c["mu"])),
                    workspace.c.data()));
    // a+ - a- is that of the answer, and a- that of the LCP: open 0, sticks 1, slips along +t 2, along -t 3.
    for (std::size_t i = 0; i < a.size(); ++i) TEST_ASSERT_DOUBLE_WITHIN(kAcceleration, a[i], workspace.a[i]);
    for (std::size_t i = 0; i < full["mode"].size(); ++i) {
      const double c_n = workspace.c[2 * i], a_t = workspace.a[2 * i + 1];
      const int mode = c_n <= 1e-9 ? 0 : std::abs(a_t) < 1e-9 ? 1 : a_t > 0 ? 2 : 3;
      TEST_ASSERT_EQUAL_INT(full["mode"][i].get<int>(), mode);
      TEST_ASSERT_DOUBLE_WITHIN(
          kAcceleration,
          c_n > 1e-9 ? std::max(0.0, -a_t) : c["lemke"]["z"][2 * full["mode"].size() + i].get<double>(),
          c["lemke"]["z"][2 * full["mode"].size() + i].get<double>());
    }
  }
  // Of the problems on which Lemke's path ends, every solution that the file lists is visited.
  const Json rays = reference::load("planar/lemke_ray_all_rolling.json");
  for (const Json* list : {&rays["examples"], &all["random_all_rolling_rank_deficient"]["ray_examples"]}) {
    for (const auto& c : *list) {
      const auto mu = reference::numbers(c["mu"]);
      const Reduced<2> reduced(c["A"], c["b"], mu);
      check_lcp30(c, reduced, workspace, system);
      for (const auto& z : c["enumerated_solutions"]) {
        const auto want = forces_of(reference::numbers(z), mu);
        double nearest = 1e9;
        each_solution(reduced.view(), workspace, 100000, [&](const double* have, const double*, double) {
          nearest = std::min(nearest, apart(want, have));
          return true;
        });
        listed.see(nearest);
      }
    }
  }
  system.within(1e-10);
  force.within(kForce);
  listed.within(kForce);
}

// Where Lemke's path ends on a ray the search goes on, and its answer is one of those that enumeration found.
void check_ray(const Json& example, Workspace& workspace) {
  const Reduced<2> reduced(example["A"], example["b"], reference::numbers(example["mu"]));
  const auto answer = solve_pyramid(reduced.view(), workspace);
  TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(answer.status));
  // And the search alone finds one as well, whatever Lemke's method does.
  const auto searched = solve_pyramid(reduced.view(), workspace, {.lemke = 0});
  TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(searched.status));
  TEST_ASSERT_TRUE(searched.searched);
  std::printf("lemke %d pivots, searched %d; search alone %d pivots\n", answer.pivots, answer.searched,
              searched.pivots);
}

void test_rays() {
  Workspace workspace;
  const Json all = reference::load("planar/lemke_ray_all_rolling.json");
  for (const auto& example : all["examples"]) check_ray(example, workspace);
  const Json other = reference::load("planar/pang_trinkle.json");
  for (const auto& example : other["random_all_rolling_rank_deficient"]["ray_examples"])
    check_ray(example, workspace);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_lcp30);
  RUN_TEST(test_rays);
  return UNITY_END();
}
