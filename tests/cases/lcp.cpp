// Published LCPs, and friction problems of one box, against their exact solutions: every solvable one solved,
// every infeasible one not, none claimed wrongly; in double, and in float up to n = 24.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tactus/lcp/solver.hpp"
#include "tests/corpus/judge.hpp"
#include "unity.h"  // behind the JSON library: it defines macros

namespace {

constexpr int kCapacity = 48;
constexpr int kBudget = 20000;  // Fathi's and Murty's families of n = 12 need 2^12

struct Case {
  std::string name;
  int n = 0;
  std::vector<double> M, q;
  bool solvable = false;
  std::vector<double> only_solution;  // empty where there are more, or not all are known
};

std::vector<Case> read(const char* file) {
  std::ifstream in(std::string(TACTUS_CASES_DIR) + "/lcp/" + file);
  TEST_ASSERT_TRUE_MESSAGE(in.good(), file);
  std::vector<Case> cases;
  for (const auto& entry : nlohmann::json::parse(in)) {
    Case c;
    c.name = entry["name"];
    c.n = entry["n"];
    for (const auto& row : entry["M"])
      for (double x : row) c.M.push_back(x);
    for (double x : entry["q"]) c.q.push_back(x);
    const auto& exact = entry["lemke_exact"];
    c.solvable = exact["status"] == "solved";
    if (entry.contains("solutions_all_basic"))
      c.solvable = c.solvable || !entry["solutions_all_basic"].empty();
    const bool unique = entry.contains("class") && entry["class"].value("P_matrix", nlohmann::json()) == true;
    if (unique && exact["status"] == "solved")
      for (double x : exact["z"]) c.only_solution.push_back(x);
    cases.push_back(c);
  }
  return cases;
}

template <class Scalar>
void check(const char* file, int largest, std::size_t solvable, std::size_t not_solvable) {
  static const auto memory = std::make_unique<tactus::lcp::Workspace<Scalar, kCapacity>>();
  std::size_t solved = 0, refused = 0;
  for (const Case& c : read(file)) {
    if (c.n > largest) continue;
    const std::vector<Scalar> M(c.M.begin(), c.M.end()), q(c.q.begin(), c.q.end());
    const auto answer =
        solve(tactus::lcp::Problem<Scalar>{c.n, M.data(), c.n, q.data()}, *memory, {.pivot_budget = kBudget});
    const bool claims = answer.status == tactus::lcp::Status::solved;
    TEST_ASSERT_EQUAL_MESSAGE(c.solvable, claims, c.name.c_str());
    if (!claims) {
      const bool says_why =
          answer.status == tactus::lcp::Status::ray || answer.status == tactus::lcp::Status::pivot_limit;
      TEST_ASSERT_TRUE_MESSAGE(says_why, c.name.c_str());
      ++refused;
      continue;
    }
    ++solved;
    const double residual = corpus::residual<Scalar>(c.n, M.data(), q.data(), nullptr, memory->z.data());
    TEST_ASSERT_TRUE_MESSAGE(residual <= corpus::kSolved<Scalar>, c.name.c_str());
    if constexpr (sizeof(Scalar) == 8) {  // the 8 x 8 Hilbert matrix loses ten digits of sixteen
      double top = 0;
      for (double x : c.only_solution) top = std::fmax(top, std::fabs(x));
      for (std::size_t i = 0; i < c.only_solution.size(); ++i)
        TEST_ASSERT_TRUE_MESSAGE(std::fabs(memory->z[i] - c.only_solution[i]) <= 1e-6 * top, c.name.c_str());
    }
  }
  TEST_ASSERT_EQUAL_size_t(solvable, solved);
  TEST_ASSERT_EQUAL_size_t(not_solvable, refused);
}

}  // namespace

void setUp() {}
void tearDown() {}

// Where M is a P-matrix the exact solution is the only one, and in double it is met as well. The friction
// boxes are judged by their residual alone: their forces are not unique.
void test_published_problems_in_double() {
  check<double>("lcp_cases.json", kCapacity, 45, 5);
}
void test_friction_boxes_in_double() {
  check<double>("friction_box_cases.json", kCapacity, 48, 0);
}
void test_published_problems_in_float() {
  check<float>("lcp_cases.json", 24, 43, 5);
}
void test_friction_boxes_in_float() {
  check<float>("friction_box_cases.json", 24, 48, 0);
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_published_problems_in_double);
  RUN_TEST(test_friction_boxes_in_double);
  RUN_TEST(test_published_problems_in_float);
  RUN_TEST(test_friction_boxes_in_float);
  return UNITY_END();
}
