// The rule of contact that this library adds to Song's ellipse, the gap in the normal row, against the
// event-driven motion: no drift, hops that land on time, and the forces at rest.
#include <algorithm>
#include <vector>

#include "ellipse.hpp"

using namespace ellipse;

namespace {

// The rule of this library against the event-driven truth: the drift of the printed rule is gone, and the 17
// transitions come within a few steps.
void gap_rule_against_event_driven() {
  const Json json = reference::load("planar/ellipse_rigid_h1e-4.json");
  const Json rules = reference::load("planar/ellipse_contact_rules.json")["vs_event_driven_h1e-4"];
  const auto run = std::make_unique<Run<double, kRigid>>(Ellipse{});
  Worst x("gap rule against event-driven, x"), y("... y"), angle("... theta");
  double gap_low = 0, gap_high = 0;
  std::vector<double> transitions;
  int mode = 1;
  for (int k = 1; k <= 20000; ++k) {
    const auto report = run->step();
    if (run->mode(0) != mode) transitions.push_back(1e-4 * (k - 1));
    mode = run->mode(0);
    gap_low = std::min(gap_low, report.contact[0].gap);
    gap_high = std::max(gap_high, report.contact[0].gap);
    if (k % 100 != 0) continue;
    const Json& want = json["event_driven_traj"]["q"][static_cast<std::size_t>(k / 100)];
    x.see(std::abs(run->q()[0] - want[0].get<double>()));
    y.see(std::abs(run->q()[1] - want[1].get<double>()));
    angle.see(std::abs(run->q()[2] - want[2].get<double>()));
  }
  const Json& want = rules["rigid_stab"]["max_dq_vs_event"];
  x.within(want[0].get<double>() * 1.001);
  y.within(want[1].get<double>() * 1.001);
  angle.within(want[2].get<double>() * 1.001);
  const Json& limits = rules["rigid_stab"]["true_gap_minmax"];
  TEST_ASSERT_DOUBLE_WITHIN(1e-11, limits[0].get<double>(), gap_low);
  TEST_ASSERT_DOUBLE_WITHIN(1e-11, limits[1].get<double>(), gap_high);
  // The event-driven integration names each sticking or slipping interval; its 17 inner ends are the
  // transitions.
  const Json& truth = json["event_driven_transitions"];
  TEST_ASSERT_EQUAL_size_t(18, truth.size());
  Worst late("transition times (s)");
  for (std::size_t i = 0; i + 1 < truth.size(); ++i) {
    const double t = truth[i]["t1"];
    double nearest = 1;
    for (const double have : transitions) nearest = std::min(nearest, std::abs(have - t));
    late.see(nearest);
  }
  late.within(2e-3);
}

void contact_rules() {
  const Json json = reference::load("planar/ellipse_contact_rules.json");
  const Json& hop = json["hop_v0_0.2"];
  struct Rule {
    const char* name;
    NormalRule rule;
    double eps;
  };
  const auto compare = [&](const Rule& rule, auto&& run) {
    const Json& want = hop["runs"][rule.name];
    Worst q(std::string("hop, ") + rule.name);
    double first = 0;
    const Json& traj = want["traj"];
    std::size_t row = 0;
    for (int k = 1; row < traj["t"].size(); ++k) {
      const auto report = run->step();
      if (first == 0 && report.contact[0].force[0] > 0 && k > 1) first = 1e-4 * k;
      if (std::abs(traj["t"][row].template get<double>() - 1e-4 * k) < 1e-9)
        see(q, run->q(), traj["q"][row++]);
    }
    q.within(1e-8);
    TEST_ASSERT_DOUBLE_WITHIN(1.01e-4, want["first_recontact_t"].template get<double>(), first);
  };
  for (const Rule& rule :
       {Rule{"compliant_paper", NormalRule::song, 1e-10}, {"compliant_geo", NormalRule::gap, 1e-10}}) {
    Ellipse e;
    e.eps = rule.eps;
    e.rule = rule.rule;
    e.vy = 0.2;
    compare(rule, std::make_unique<Run<double, kCompliant>>(e));
  }
  for (const Rule& rule :
       {Rule{"rigid_paper_eq14", NormalRule::song, 0}, {"rigid_gap", NormalRule::gap, 0}}) {
    Ellipse e;
    e.rule = rule.rule;
    e.vy = 0.2;
    compare(rule, std::make_unique<Run<double, kRigid>>(e));
  }
  // An initial gap: the body lands when it should.
  for (const auto& [name, gap] :
       {std::pair{"printed_0.0975_geo", 4.439336707380559e-05}, {"1mm_geo", 1e-3}}) {
    Ellipse e;
    e.eps = 1e-10;
    e.y += gap;
    const auto run = std::make_unique<Run<double, kCompliant>>(e);
    const Json& want = json["initial_gap"][name];
    double first = 0, most = 0;
    for (int k = 1; k <= 1000; ++k) {
      const double force = run->step().contact[0].force[0];
      if (first == 0 && force > 0) first = 1e-4 * k;
      most = std::max(most, force);
    }
    TEST_ASSERT_DOUBLE_WITHIN(1.01e-4, want["first_force_t"].get<double>(), first);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, want["max_sum_ln"].get<double>(), most);
  }
}

// The compliant gap rule against the event-driven rigid motion, and its gaps.
void compliant_gap_rule() {
  const Json truth = reference::load("planar/ellipse_rigid_h1e-4.json")["event_driven_traj"]["q"];
  const Json rules = reference::load("planar/ellipse_contact_rules.json")["vs_event_driven_h1e-4"];
  for (const auto& [name, eps] :
       {std::pair{"geo_eps1e-10", 1e-10}, {"geo_eps1e-11", 1e-11}, {"geo_eps1e-12", 1e-12}}) {
    Ellipse e;
    e.eps = eps;
    const auto run = std::make_unique<Run<double, kCompliant>>(e);
    std::array<double, 3> worst{};
    for (int k = 1; k <= 20000; ++k) {
      run->step();
      if (k % 100 != 0) continue;
      for (std::size_t i = 0; i < 3; ++i)
        worst[i] = std::max(
            worst[i], std::abs(run->q()[i] - truth[static_cast<std::size_t>(k / 100)][i].get<double>()));
    }
    const Json& want = rules[name]["max_dq_vs_event"];
    // The file's largest is over all steps, this one over every hundredth.
    for (std::size_t i = 0; i < 3; ++i)
      TEST_ASSERT_TRUE_MESSAGE(worst[i] <= 1.001 * want[i].get<double>(), name);
  }
}

// At rest on its flat side the forces of the three elements and their deformations are known in closed form.
void rest_in_closed_form() {
  const Json want = reference::load("planar/ellipse_contact_rules.json")["static_rest"];
  Ellipse e;
  e.eps = 1e-10;
  e.angle = 0;
  e.y = 0.05;
  e.rule = NormalRule::song;
  const auto run = std::make_unique<Run<double, kCompliant>>(e);
  // The slow time constant is 0.023 s: after 0.3 s as in the file, after 1 s at rest.
  for (int k = 1; k <= 10000; ++k) run->step();
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += run->lambda(i, 3);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.05 * 9.81, sum);
  const double d_ss = want["per_eps"]["1e-10"]["d_ss"];
  for (std::size_t i = 0; i < 3; ++i)
    TEST_ASSERT_DOUBLE_WITHIN(0.002 * d_ss, d_ss, run->world.state.delta[i][0]);
  const Json& lambda = want["end"]["lam"];
  for (int i = 0; i < 6; ++i)
    TEST_ASSERT_DOUBLE_WITHIN(0.002 * 0.4905, lambda[static_cast<std::size_t>(i)].get<double>(),
                              run->lambda(i, 3));
}

// "Settles in rolling" it does not, in 6 s: each half swing slips once, at the times of the reference, and
// the last swings are as large.
void goes_on_slipping() {
  const Json json = reference::load("planar/ellipse_settling.json");
  for (const auto& [name, rule] :
       {std::pair{"rigid_h1e-4", NormalRule::song}, {"rigid_stab_h1e-4", NormalRule::gap}}) {
    Ellipse e;
    e.rule = rule;
    const auto run = std::make_unique<Run<double, kRigid>>(e);
    std::vector<double> slips;  // begins and ends
    double low = 0, high = 0;
    bool slipped = false;
    for (int k = 1; k <= 60000; ++k) {
      run->step();
      const bool slips_now = run->mode(0) > 1;
      if (slips_now != slipped) slips.push_back(1e-4 * (k - 1));
      slipped = slips_now;
      if (k <= 50000) continue;
      low = std::min(low, run->q()[2]);
      high = std::max(high, run->q()[2]);
    }
    const Json& want = json[name];
    TEST_ASSERT_EQUAL_size_t(2 * want["full_slip_intervals"].size(), slips.size());
    Worst times(std::string(name) + ", begins and ends of 29 slips in 6 s (s)");
    for (std::size_t i = 0; i < slips.size(); ++i)
      times.see(std::abs(slips[i] - want["full_slip_intervals"][i / 2][i % 2].get<double>()));
    times.within(1.01e-4);
    const double amplitude = std::max(high, -low) * 180 / 3.14159265358979323846;
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, want["amp_last_1s_deg"].get<double>(), amplitude);
    TEST_ASSERT_TRUE(amplitude > json["critical_amplitude_deg"].get<double>());
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(gap_rule_against_event_driven);
  RUN_TEST(contact_rules);
  RUN_TEST(compliant_gap_rule);
  RUN_TEST(rest_in_closed_form);
  RUN_TEST(goes_on_slipping);
  return UNITY_END();
}
