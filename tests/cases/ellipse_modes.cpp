// What the three elements under Song's ellipse do one after another: transitions, micro-slip, and how far the
// compliant motion is from the rigid one.
#include <algorithm>

#include "ellipse.hpp"

using namespace ellipse;

namespace {

constexpr const char* kFiles[] = {"planar/ellipse_compliant_eps1e-09.json",
                                  "planar/ellipse_compliant_eps1e-10.json"};
using Modes = std::array<int, 3>;

Record compliant(const Json& json) {
  Ellipse e;
  e.eps = json["params"]["eps"];
  e.rule = NormalRule::song;
  return record<kCompliant>(e, json["params"]["N"]);
}

Record rigid(int steps) {
  Ellipse e;
  e.rule = NormalRule::song;
  return record<kRigid>(e, steps);
}

// Every step's modes against the file's segments: a transition may come one step early or late.
void compliant_transitions() {
  for (const char* name : kFiles) {
    const Json json = reference::load(name);
    const Record run = compliant(json);
    const double h = json["params"]["h"];
    std::size_t segment = 0;
    const auto& segments = json["segments"];
    for (const Json& s : segments) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, s["step0"].get<int>() * h, s["t0"].get<double>());
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, s["step1"].get<int>() * h, s["t1"].get<double>());
    }
    const auto matches = [&](std::size_t s, const Modes& modes) {
      return s < segments.size() && segments[s]["modes"].get<Modes>() == modes;
    };
    for (int k = 0; k < static_cast<int>(run.modes.size()); ++k) {
      const Modes& modes = run.modes[static_cast<std::size_t>(k)];
      while (segment + 1 < segments.size() && k >= segments[segment + 1]["step0"].get<int>()) ++segment;
      if (matches(segment, modes)) continue;
      const bool early = k + 1 >= segments[segment]["step1"].get<int>() && matches(segment + 1, modes);
      const bool late =
          segment > 0 && k <= segments[segment]["step0"].get<int>() && matches(segment - 1, modes);
      TEST_ASSERT_TRUE_MESSAGE(early || late, (std::string(name) + " step " + std::to_string(k)).c_str());
    }
  }
}

// Song's micro-slip: between the last step in which all stick and the first in which all slip, the elements
// begin to slip one after another.
void microslip() {
  constexpr Modes kStick{1, 1, 1};
  for (const char* name : kFiles) {
    const Json json = reference::load(name);
    const Record run = compliant(json);
    const double h = json["params"]["h"];
    const auto all_slip = [](const Modes& m) { return m[0] > 1 && m[1] > 1 && m[2] > 1; };
    Worst times(std::string(name) + " onsets of micro-slip (s)");
    std::size_t seen = 0;
    for (std::size_t k = 1, stick = 0; k < run.modes.size(); ++k) {
      if (run.modes[k - 1] == kStick) stick = k;
      if (stick == 0 || !all_slip(run.modes[k])) continue;
      std::array<std::size_t, 3> onset{k, k, k}, order{0, 1, 2};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = k; j-- > stick;)
          if (run.modes[j][i] > 1) onset[i] = j;
      std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return onset[a] < onset[b]; });
      TEST_ASSERT_TRUE(seen < json["microslip"].size());
      const Json& want = json["microslip"][seen++];
      times.see(std::abs(static_cast<double>(stick) * h - want["all_stick_until"].get<double>()));
      times.see(std::abs(static_cast<double>(k) * h - want["all_slip_from"].get<double>()));
      for (std::size_t i = 0; i < 3; ++i) {
        times.see(std::abs(static_cast<double>(onset[i]) * h - want["onset_t_elem123"][i].get<double>()));
        TEST_ASSERT_EQUAL_size_t(want["order"][i].get<std::size_t>(), order[i] + 1);
      }
      TEST_ASSERT_EQUAL_STRING(want["dir"].get<std::string>().c_str(),
                               run.modes[k][0] == 2 ? "slip+" : "slip-");
      stick = 0;
    }
    TEST_ASSERT_EQUAL_size_t(json["microslip"].size(), seen);
    times.within(1.01 * h);
  }
}

// Over all steps, the compliant motion beside the rigid one. What the file says of forces "away from
// transitions" is left out: it does not say how far away that is.
void beside_the_rigid_motion() {
  for (const char* name : kFiles) {
    const Json json = reference::load(name);
    const Json& want = json["summary_vs_rigid"];
    const Record run = compliant(json), twin = rigid(json["params"]["N"]);
    std::array<double, 3> far{};
    std::array<double, 2> mean{}, most{};
    std::array<int, 3> apart{};
    double low = 1e9, high = 0, last_second = 0;
    int segments = 1;
    const std::size_t n = run.q.size();
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < 3; ++i) {
        far[i] = std::max(far[i], std::abs(run.q[k][i] - twin.q[k][i]));
        apart[i] += run.modes[k][i] == 0 ? 1 : 0;
      }
      for (std::size_t c = 0; c < 2; ++c) {
        const double d = std::abs(run.force[k][c] - twin.force[k][c]);
        mean[c] += d / static_cast<double>(n);
        most[c] = std::max(most[c], d);
      }
      low = std::min(low, run.force[k][0]);
      high = std::max(high, run.force[k][0]);
      if (k >= n / 2) last_second += run.force[k][0] / static_cast<double>(n / 2);
      segments += k > 0 && run.modes[k] != run.modes[k - 1] ? 1 : 0;
    }
    Worst q(std::string(name) + " beside the rigid motion, q"), force("... forces (N)");
    q.see(far, want["max_abs_dq_xytheta"]);
    q.see(run.q.back(), want["final_q"]);
    q.see(std::abs(*std::max_element(far.begin(), far.end()) - want["max_abs_dq"].get<double>()));
    const std::pair<double, const char*> forces[] = {{mean[0], "mean_abs_dfn"},
                                                     {mean[1], "mean_abs_dft"},
                                                     {most[0], "max_dfn"},
                                                     {most[1], "max_dft"},
                                                     {low, "min_sum_ln"},
                                                     {high, "max_sum_ln"},
                                                     {last_second, "mean_sum_ln_last_1s"}};
    for (const auto& [have, key] : forces) force.see(std::abs(have - want[key].get<double>()));
    q.within(1e-7);  // of two files, the rigid one to 1e-7
    force.within(1e-6);
    TEST_ASSERT_EQUAL_INT(want["patch_segments"].get<int>(), segments);
    for (std::size_t i = 0; i < 3; ++i) TEST_ASSERT_EQUAL_INT(want["elem_sep_steps"][i].get<int>(), apart[i]);
  }
}

// The rigid motion sticks or slips in the file's segments, a step early or late.
void rigid_transitions() {
  const Json json = reference::load("planar/ellipse_rigid_h1e-4.json");
  const Record run = rigid(json["params"]["N"]);
  const double h = json["params"]["h"];
  std::vector<std::pair<int, int>> have{{0, run.modes[0][0]}};
  double low = 1e9, last_second = 0;
  for (std::size_t k = 0; k < run.modes.size(); ++k) {
    low = std::min(low, run.force[k][0]);
    if (2 * k >= run.modes.size()) last_second += run.force[k][0] / static_cast<double>(run.modes.size() / 2);
    if (run.modes[k][0] != have.back().second) have.emplace_back(static_cast<int>(k), run.modes[k][0]);
  }
  const Json& segments = json["segments"];
  TEST_ASSERT_EQUAL_size_t(segments.size(), have.size());
  for (std::size_t i = 0; i < have.size(); ++i) {
    const char* const names[] = {"sep", "roll", "slip+", "slip-"};
    TEST_ASSERT_EQUAL_STRING(segments[i]["mode"].get<std::string>().c_str(), names[have[i].second]);
    TEST_ASSERT_INT_WITHIN(1, segments[i]["step0"].get<int>(), have[i].first);
    if (i > 0) TEST_ASSERT_INT_WITHIN(1, segments[i - 1]["step1"].get<int>(), have[i].first);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, segments[i]["step0"].get<int>() * h, segments[i]["t0"].get<double>());
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, segments[i]["step1"].get<int>() * h, segments[i]["t1"].get<double>());
  }
  TEST_ASSERT_DOUBLE_WITHIN(1e-6, json["mean_lam_n_last_1s"].get<double>(), last_second);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, json["weight"].get<double>(), 0.05 * 9.81);
  TEST_ASSERT_TRUE(low > 0);  // it never lifts off
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(compliant_transitions);
  RUN_TEST(microslip);
  RUN_TEST(beside_the_rigid_motion);
  RUN_TEST(rigid_transitions);
  return UNITY_END();
}
