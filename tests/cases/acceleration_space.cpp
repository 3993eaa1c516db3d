// The acceleration level in space: a finger pushes a box over a table, two fingers lift it, fixtures hold it
// or not (spatial/pang_trinkle.json), by the pyramid and by the cone.
#include "tactus/contact/acceleration_cone.hpp"
#include "tactus/contact/fixture.hpp"
#include "tests/cases/acceleration.hpp"

using namespace acceleration_cases;
using acceleration::Law;
using acceleration::Stability;
using acceleration::Status;

namespace {

constexpr double kMatrix = 1e-10, kMotion = 1e-8;  // the case file's tolerances
constexpr int kContacts = 5;
constexpr acceleration::SystemSize kBox{.contacts = kContacts, .freedoms = 6, .joints = 0};

using Pyramid = acceleration::PyramidWorkspace<double, 3, kContacts>;
using Cone = acceleration::ConeWorkspace<double, 3, kContacts>;
using BoxSystem = acceleration::System<double, 3, kBox>;

// M, W and the weight of the box with its contacts; it spins about a principal axis, so nothing gyroscopic.
BoxSystem box_of(const Json& file, const Json& input) {
  BoxSystem s;
  s.contacts = static_cast<int>(input["contacts"].size());
  s.freedoms = 6;
  const double mass = file["box"]["m"];
  for (std::size_t i = 0; i < 3; ++i) {
    s.M_obj[i * 7] = mass;
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k)
        s.M_obj[(3 + i) * 6 + 3 + j] += input["R"][i][k].get<double>() * file["box"]["I"][k].get<double>() *
                                        input["R"][j][k].get<double>();
  }
  s.f_obj[2] = -mass * file["gravity"].get<double>();
  std::size_t row = 0;
  for (std::size_t i = 0; i < input["contacts"].size(); ++i) {
    const auto& contact = input["contacts"][i];
    const auto r = reference::numbers(contact["r"]);
    s.mu[i] = contact["mu"];
    for (const char* axis : {"n", "t", "o"}) {
      const auto d = reference::numbers(contact[axis]);
      for (std::size_t k = 0; k < 3; ++k) {
        s.W[row * 6 + k] = d[k];
        s.W[row * 6 + 3 + k] = r[(k + 1) % 3] * d[(k + 2) % 3] - r[(k + 2) % 3] * d[(k + 1) % 3];
      }
      ++row;
    }
  }
  return s;
}

// qdd = M^-1 (W c + f).
std::vector<double> motion_of(const BoxSystem& s, const double* c) {
  acceleration::Reduction<double, 3, kBox> reduction;
  TEST_ASSERT_TRUE(reduce(s, reduction));
  recover(s, c, reduction.b.data(), reduction);
  return {reduction.qdd.begin(), reduction.qdd.end()};
}

double far(const std::vector<double>& expected, const double* got) {
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) worst = std::max(worst, std::abs(expected[i] - got[i]));
  return worst;
}

struct Case {
  std::string name;
  Reduced<3> reduced;
  BoxSystem system;
  Json json;
};

template <class Visit>
void each_case(const Visit& visit) {
  const Json file = reference::load("spatial/pang_trinkle.json");
  for (const auto& [name, json] : file["results"].items()) {
    if (!json.contains("pyramid")) continue;
    const auto& contacts = json["input"]["contacts"];
    std::vector<double> mu;
    for (const auto& contact : contacts) mu.push_back(contact["mu"]);
    Case c{name, Reduced<3>(json["A"], json["b"], mu), box_of(file, json["input"]), json};
    // The velocity of what slides: that of the box at the contact.
    const auto qd = reference::numbers(json["input"]["qd"]);
    for (const std::size_t i : json["S"].template get<std::vector<std::size_t>>())
      for (std::size_t k = 0; k < 2; ++k)
        for (std::size_t f = 0; f < 6; ++f)
          c.reduced.velocity[i * 2 + k] += c.system.W[(i * 3 + 1 + k) * 6 + f] * qd[f];
    visit(c);
  }
}

void test_table_and_fixture_matrices() {
  reference::Worst worst("A and b of the fixtures");
  each_case([&](const Case& c) {
    if (c.name.rfind("fixture", 0) != 0) return;
    acceleration::Reduction<double, 3, kBox> reduction;
    TEST_ASSERT_TRUE(reduce(c.system, reduction));
    worst.see(far(c.reduced.A, reduction.A.data()));
    worst.see(far(c.reduced.b, reduction.b.data()));
  });
  worst.within(kMatrix);
}

// Their forces by our laws: they are answers, and move the box as they say.
void test_forces_of_the_file() {
  reference::Worst laws("forces of the file, laws"), motion("and motion");
  each_case([&](const Case& c) {
    for (const auto& [name, law] : {std::pair{"pyramid", Law::pyramid}, {"cone", Law::cone}}) {
      if (!c.json.contains(name)) continue;
      const Json& theirs = c.json[name];
      std::vector<double> force, a(static_cast<std::size_t>(3 * c.reduced.contacts));
      for (std::size_t i = 0; i < theirs["c_n"].size(); ++i)
        for (const char* axis : {"c_n", "c_t", "c_o"}) force.push_back(theirs[axis][i]);
      laws.see(measure(c.reduced.view(), law, force.data(), a.data()));
      const auto qdd = motion_of(c.system, force.data());
      motion.see(far(reference::numbers(theirs["qdd"]), qdd.data()));
      if (theirs.contains("a")) motion.see(far(in_core_order<3>(reference::numbers(theirs["a"])), a.data()));
    }
  });
  laws.within(1e-10);
  motion.within(kMotion);
}

void test_pyramid() {
  const auto workspace = std::make_unique<Pyramid>();
  reference::Worst residual("pyramid, laws"), accelerations("pyramid, accelerations"),
      motion("pyramid, motion");
  int seen = 0;
  each_case([&](const Case& c) {
    for (const int lemke : {1000, 0}) {  // and by the search alone
      const auto answer = solve_pyramid(c.reduced.view(), *workspace, {.lemke = lemke});
      TEST_ASSERT_EQUAL_STRING_MESSAGE(sentence(Status::solved), sentence(answer.status), c.name.c_str());
      residual.see(answer.residual);
      ++seen;
      if (lemke == 0) std::printf("%s: search %d pivots\n", c.name.c_str(), answer.pivots);
      const auto qdd = motion_of(c.system, workspace->c.data());
      const auto& range = c.json["pyramid"]["milp_range_qdd"];
      // The range of all solutions, found by a mixed integer program to 1e-5: inside it, and where it is one
      // point that point.
      bool unique = c.json["pyramid"]["newton_solutions"].size() == 1;
      for (std::size_t i = 0; i < 6; ++i) {
        const double a = range[i][0], b = range[i][1];
        TEST_ASSERT_TRUE_MESSAGE(qdd[i] >= std::min(a, b) - 1e-5 && qdd[i] <= std::max(a, b) + 1e-5,
                                 c.name.c_str());
      }
      if (!unique) continue;
      accelerations.see(
          far(in_core_order<3>(reference::numbers(c.json["pyramid"]["a"])), workspace->a.data()));
      motion.see(far(reference::numbers(c.json["pyramid"]["qdd"]), qdd.data()));
    }
  });
  TEST_ASSERT_EQUAL_INT(2 * 18, seen);
  residual.within(1e-10);
  accelerations.within(kMotion);
  motion.within(kMotion);
}

void test_cone() {
  const auto pyramid = std::make_unique<Pyramid>();
  const auto cone = std::make_unique<Cone>();
  reference::Worst residual("cone, laws"), motion("cone, motion"), force("cone, forces");
  int seen = 0;
  each_case([&](const Case& c) {
    if (!c.json.contains("cone")) return;
    solve_pyramid(c.reduced.view(), *pyramid);
    for (const bool cold : {false, true}) {
      if (cold)
        cone->c.fill(0);
      else
        cone->c = pyramid->c;
      const auto answer = solve_cone(c.reduced.view(), *cone);
      std::printf("%s: %d systems, residual %.2g\n", c.name.c_str(), answer.pivots, answer.residual);
      TEST_ASSERT_EQUAL_STRING_MESSAGE(sentence(Status::solved), sentence(answer.status), c.name.c_str());
      residual.see(answer.residual);
      const auto qdd = motion_of(c.system, cone->c.data());
      // Where many starts of the reference ended in one motion, it is this one. (Between two walls some
      // hang.)
      if (c.json["cone"]["acceleration_spread"].get<double>() > 1e-9 ||
          c.json.value("expected", "") == "ambiguous")
        continue;
      motion.see(far(reference::numbers(c.json["cone"]["qdd"]), qdd.data()));
      if (c.json["rank_A"].get<int>() < 3 * c.reduced.contacts) continue;
      for (const auto& [axis, k] : {std::pair{"c_n", 0}, {"c_t", 1}, {"c_o", 2}})
        for (std::size_t i = 0; i < c.json["cone"][axis].size(); ++i)
          force.see(
              std::abs(c.json["cone"][axis][i].get<double>() - cone->c[i * 3 + static_cast<std::size_t>(k)]));
    }
    ++seen;
  });
  TEST_ASSERT_EQUAL_INT(15, seen);
  residual.within(1e-10);
  motion.within(kMotion);
  force.within(kMotion);
}

void test_fixtures() {
  const auto workspace = std::make_unique<acceleration::FixtureWorkspace<double, 3, kBox>>();
  int seen = 0;
  each_case([&](const Case& c) {
    if (!c.json.contains("expected")) return;
    const auto verdict = check_fixture(c.system, *workspace, acceleration::Law::pyramid);
    std::printf("%s: %d pivots; %s\n", c.name.c_str(), verdict.pivots, sentence(verdict.reason));
    const std::string expected = c.json["expected"];
    const Stability stability = expected == "stable"     ? Stability::stable
                                : expected == "unstable" ? Stability::unstable
                                                         : Stability::undecided;
    TEST_ASSERT_EQUAL_INT_MESSAGE(static_cast<int>(stability), static_cast<int>(verdict.stability),
                                  c.name.c_str());
    if (expected == "ambiguous") {
      TEST_ASSERT_EQUAL_STRING(sentence(acceleration::FixtureReason::ambiguous), sentence(verdict.reason));
      TEST_ASSERT_TRUE(verdict.can_hold && verdict.can_move);
      for (const double x : motion_of(c.system, workspace->hold.data()))
        TEST_ASSERT_TRUE(std::abs(x) <= kMotion);
    }
    if (verdict.can_move) {
      double fastest = 0;
      for (const double x : workspace->qdd) fastest = std::max(fastest, std::abs(x));
      TEST_ASSERT_TRUE(fastest > 0.1);
    }
    ++seen;
  });
  TEST_ASSERT_EQUAL_INT(6, seen);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_table_and_fixture_matrices);
  RUN_TEST(test_forces_of_the_file);
  RUN_TEST(test_pyramid);
  RUN_TEST(test_cone);
  RUN_TEST(test_fixtures);
  return UNITY_END();
}
