// The acceleration level in the plane: one sliding contact, and an arm that pushes, holds and drops a part
// (planar/pang_trinkle.json).
#include "tests/cases/acceleration.hpp"

#include "tactus/contact/acceleration_relaxed.hpp"

using namespace acceleration_cases;
using acceleration::Status;

namespace {

constexpr double kForce = 1e-9, kAcceleration = 1e-8;  // the case file's tolerances

using Workspace = acceleration::PyramidWorkspace<double, 2, 4>;

void test_one_sliding_contact() {
  Workspace workspace;
  int seen = 0;
  const Json all = reference::load("planar/pang_trinkle.json");
  for (const auto& c : all["one_sliding_contact"]) {
    Reduced<2> reduced(c["A"], c["b"], {c["mu"].get<double>()});
    reduced.velocity[0] = c["v_t"].get<double>();
    const auto answer = solve_pyramid(reduced.view(), workspace);
    ++seen;
    // A_nn less mu times the direction of slip: below zero it may jam.
    const double drag = c["mu"].get<double>() * (c["v_t"].get<double>() > 0 ? 1 : -1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, c["A"][0][0].get<double>() - drag * c["A"][0][1].get<double>(),
                              c["Atilde"].get<double>());
    if (c["solutions"].empty()) {
      TEST_ASSERT_EQUAL_STRING(sentence(Status::none), sentence(answer.status));
      continue;
    }
    TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(answer.status));
    double nearest = 1;
    for (const auto& s : c["solutions"])
      nearest = std::min(nearest, apart({s["c_n"], s["c_t"]}, workspace.c.data()) +
                                      std::abs(s["a_n"].get<double>() - workspace.a[0]));
    TEST_ASSERT_TRUE_MESSAGE(nearest <= kForce, c["name"].get<std::string>().c_str());
  }
  TEST_ASSERT_EQUAL_INT(4, seen);
}

// Where there is a solution the least f is zero; the jam's is that of the file, by a closed form.
void test_relaxed() {
  using acceleration::RelaxedWorkspace;
  RelaxedWorkspace<double, 2, 1> workspace;
  const Json all = reference::load("planar/pang_trinkle.json");
  for (const auto& c : all["one_sliding_contact"]) {
    Reduced<2> reduced(c["A"], c["b"], {c["mu"].get<double>()});
    reduced.velocity[0] = c["v_t"].get<double>();
    const auto answer = solve_relaxed(reduced.view(), acceleration::Law::pyramid, workspace);
    TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(answer.status));
    TEST_ASSERT_TRUE(answer.proved);
    std::printf("%s: f %.12g c %.12g %.12g a %.3g, %d nodes %d pivots\n",
                c["name"].get<std::string>().c_str(), answer.f, workspace.c[0], workspace.c[1],
                workspace.a[0], answer.nodes, answer.pivots);
    // The file's own minimum is found to 1e-7, and for the jam in closed form, too.
    const Json& theirs = c["relaxed_LS"];
    TEST_ASSERT_TRUE(std::abs(answer.f - theirs["f"].get<double>()) <= 1e-7 * std::max(1.0, answer.f));
    for (const auto& [key, have] :
         {std::pair{"c_n", workspace.c[0]}, {"c_t", workspace.c[1]}, {"a_n", workspace.a[0]}})
      TEST_ASSERT_TRUE_MESSAGE(
          std::abs(have - theirs[key].get<double>()) <= 1e-7 * std::max(1.0, std::abs(have)), key);
    if (!c["solutions"].empty()) {
      TEST_ASSERT_TRUE(answer.f <= 1e-12);
      continue;
    }
    const auto& best = c["relaxed_LS_analytic"];
    const double f = best["f"].get<double>();
    TEST_ASSERT_TRUE(std::abs(answer.f - f) <= kForce * f);
    TEST_ASSERT_TRUE(apart({best["c_n"], best["c_t"]}, workspace.c.data()) <= kForce);
  }
}

template <class Row>
void copy(const Json& matrix, double* out, const Row& row) {
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t j = 0; j < matrix[i].size(); ++j)
      out[static_cast<std::size_t>(row(static_cast<int>(i))) * matrix[i].size() + j] = matrix[i][j];
}

constexpr acceleration::SystemSize kArm{.contacts = 2, .freedoms = 3, .joints = 2};

acceleration::System<double, 2, kArm> arm(const Json& c) {
  acceleration::System<double, 2, kArm> s;
  s.contacts = static_cast<int>(c["mu"].size());
  s.freedoms = 3;
  s.joints = 2;
  const auto same = [](int i) { return i; };
  const auto row = [&](int i) { return core_row<2>(i, s.contacts); };
  copy(c["M_obj"], s.M_obj.data(), same);
  copy(c["M_man"], s.M_man.data(), same);
  copy(c["J"], s.J.data(), row);
  for (std::size_t i = 0; i < 3; ++i) {
    s.f_obj[i] = c["g_obj"][i];
    for (int k = 0; k < 2 * s.contacts; ++k)
      s.W[static_cast<std::size_t>(row(k)) * 3 + i] = c["W"][i][static_cast<std::size_t>(k)];
  }
  for (std::size_t i = 0; i < 2; ++i) {
    s.l_man[i] = c["g_man"][i].get<double>() + c["h_man"][i].get<double>();
    s.tau[i] = c["tau"][i];
  }
  for (std::size_t i = 0; i < s.mu.size() && i < c["mu"].size(); ++i) s.mu[i] = c["mu"][i];
  for (int k = 0; k < 2 * s.contacts; ++k)
    s.bias[static_cast<std::size_t>(row(k))] = c["bias"][static_cast<std::size_t>(k)];
  return s;
}

// Every answer is the reference's, and the variation with one or both accelerations given finds the torque
// that made them.
void test_arm() {
  Workspace workspace;
  acceleration::Reduction<double, 2, kArm> reduction;
  reference::Worst A("A and b of the arm"), force("forces"), motion("accelerations"), torque("torques"),
      laws("equations of motion");
  int seen = 0;
  const Json all = reference::load("planar/pang_trinkle.json");
  for (const auto& c : all["all_rolling"]) {
    auto s = arm(c);
    TEST_ASSERT_TRUE(reduce(s, reduction));
    Reduced<2> expected(c["A"], c["b"], reference::numbers(c["mu"]));
    A.see(apart(expected.A, reduction.A.data()));
    A.see(apart(expected.b, reduction.b.data()));
    const auto answer = solve_pyramid(problem(s, reduction), workspace);
    TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(answer.status));
    laws.see(recover(s, workspace.c.data(), workspace.a.data(), reduction));
    const auto& full = c["full_mode_solutions"];
    TEST_ASSERT_EQUAL_size_t(1, full.size());  // unique
    force.see(apart(in_core_order<2>(reference::numbers(full[0]["c"])), workspace.c.data()));
    const auto qdd = reference::numbers(full[0]["qdd"]), thdd = reference::numbers(full[0]["thdd"]);
    for (std::size_t i = 0; i < 3; ++i) motion.see(std::abs(qdd[i] - reduction.qdd[i]));
    for (std::size_t i = 0; i < 2; ++i) motion.see(std::abs(thdd[i] - reduction.thdd[i]));
    for (const unsigned driven : {1U, 2U, 3U}) {
      auto variation = s;
      for (std::size_t i = 0; i < 2; ++i) {
        if ((driven >> i & 1U) == 0) continue;
        variation.driven[i] = true;
        variation.thdd[i] = thdd[i];
        variation.tau[i] = std::numeric_limits<double>::quiet_NaN();  // is not read
      }
      TEST_ASSERT_TRUE(reduce(variation, reduction));
      const auto other = solve_pyramid(problem(variation, reduction), workspace);
      TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(other.status));
      laws.see(recover(variation, workspace.c.data(), workspace.a.data(), reduction));
      for (std::size_t i = 0; i < 3; ++i) motion.see(std::abs(qdd[i] - reduction.qdd[i]));
      // With two contacts a squeeze between them moves neither the part nor the first joint, which carries
      // both links: where the second acceleration is given, the squeeze is free, and with it the torques.
      if (s.contacts == 2 && variation.driven[1]) continue;
      for (std::size_t i = 0; i < 2; ++i) torque.see(std::abs(s.tau[i] - reduction.tau[i]));
    }
    ++seen;
  }
  TEST_ASSERT_EQUAL_INT(9, seen);
  A.within(1e-10);
  force.within(kForce);
  motion.within(kAcceleration);
  torque.within(kForce);
  laws.within(1e-12);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_one_sliding_contact);
  RUN_TEST(test_relaxed);
  RUN_TEST(test_arm);
  return UNITY_END();
}
