// Song 2004, sec. 6: the ellipse that rocks on a floor, compliant and rigid, against the reference
// trajectories.
#include <algorithm>
#include <memory>

#include "reference.hpp"

using namespace tactus;
using namespace tactus::stepper;
using reference::Json;
using reference::Worst;

namespace {

constexpr Capacity kCompliant{
    .bodies = 2, .contacts = 1, .slots = 3, .active = 3, .unknowns = 9, .patches = 1, .patch_elements = 3};
constexpr Capacity kRigid{.bodies = 2, .contacts = 1, .slots = 1, .active = 1, .unknowns = 4};

struct Ellipse {
  double h = 1e-4, mu = 0.2, eps = 0, spacing = 1e-6, poisson = 0.3;
  NormalRule rule = NormalRule::gap;
  bool modes_first = true;
  double y = 0.0974556066329262, angle = 1.3089969389957472, vy = 0;
};

template <class Scalar, Capacity C>
struct Run {
  World<Scalar, 2, C> world;
  Workspace<Scalar, 2, C> workspace;

  explicit Run(const Ellipse& e) {
    Method method;
    method.normal = e.rule;
    method.modes_first = e.modes_first;
    method.pyramid = e.eps > 0 ? contact::Pyramid::box : contact::Pyramid::facets;
    reference::must(configure<Scalar, 2, C>(world, Scalar(e.h), {0, Scalar(-9.81)}, method));
    int index = 0;
    BodyDescription<Scalar, 2> ground;
    ground.shape = geometry::half_space<Scalar>(geometry::Vector2<Scalar>(0, 1), Scalar(0));
    reference::must(add_body(world, ground, index));
    BodyDescription<Scalar, 2> body;
    body.mass = Scalar(0.05);
    body.inertia(0, 0) = Scalar(1.5e-4);
    body.shape = geometry::ellipse<Scalar>(Scalar(0.1), Scalar(0.05));
    body.pose = {0, Scalar(e.y), Scalar(e.angle)};
    body.velocity.linear[1] = Scalar(e.vy);
    reference::must(add_body(world, body, index));
    contact::PatchLaw<Scalar> law;
    law.columns = 3;
    law.spacing = Scalar(e.spacing);
    law.compliance = Scalar(e.eps);
    law.poisson = Scalar(e.poisson);
    ContactDescription<Scalar, 2> contact;
    contact.b = 1;
    contact.friction.kinetic = Scalar(e.mu);
    contact.patch = e.eps > 0 ? &law : nullptr;
    reference::must(add_contact(world, contact, index));
  }

  StepReport<Scalar, 2, C> step() {
    const auto report = stepper::step(world, workspace);
    TEST_ASSERT_EQUAL_STRING(sentence(StepReason::none), sentence(report.reason));
    return report;
  }
  std::array<double, 3> q() const {
    const auto& p = world.state.pose[1];
    return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.angle)};
  }
  std::array<double, 3> v() const {
    const auto& m = world.state.velocity[1];
    return {static_cast<double>(m.linear[0]), static_cast<double>(m.linear[1]),
            static_cast<double>(m.angular[0])};
  }
  // Elements' normal forces, then tangential ones, as the files list them; 0 for a patch that is out of
  // reach.
  double lambda(int i, int elements) const {
    if (workspace.elements == 0) return 0;
    return static_cast<double>(workspace.lambda[static_cast<std::size_t>((i % elements) * 2 + i / elements)]);
  }
  // 0 open, 1 stick, 2 slip with s_t > 0, 3 slip with s_t < 0, as the files name them.
  int mode(int i) const {
    const auto& o = workspace.outcome[static_cast<std::size_t>(i)];
    if (o.mode != contact::Mode::slip) return static_cast<int>(o.mode);
    return workspace.lambda[static_cast<std::size_t>(2 * i + 1)] < 0 ? 2 : 3;
  }
};

void see(Worst& worst, const std::array<double, 3>& have, const Json& want) {
  for (std::size_t k = 0; k < 3; ++k) worst.see(std::abs(have[k] - want[k].get<double>()));
}

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

// eps -> 0: the distance to the rigid motion falls in proportion to eps. A patch as wide as the paper's has a
// rigid limit of its own (three points 1e-6 m apart), so the patch shrinks here with eps / spacing as in the
// paper.
void compliance_to_zero() {
  Ellipse rigid;
  rigid.spacing = 1e-9;
  const auto truth = std::make_unique<Run<double, kRigid>>(rigid);
  for (int k = 0; k < 1000; ++k) truth->step();
  double last = 0;
  for (const double eps : {1e-10, 1e-11, 1e-12, 1e-13}) {
    Ellipse e = rigid;
    e.eps = eps * 1e-3;
    const auto run = std::make_unique<Run<double, kCompliant>>(e);
    for (int k = 0; k < 1000; ++k) run->step();
    double distance = 0;
    for (std::size_t i = 0; i < 3; ++i) distance = std::max(distance, std::abs(run->q()[i] - truth->q()[i]));
    std::printf("eps %.0e: distance to the rigid motion after 0.1 s %.3g\n", eps, distance);
    if (last > 0) {
      const double order = std::log10(last / distance);
      TEST_ASSERT_TRUE(order > 0.9 && order < 1.1);
    }
    last = distance;
  }
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
  RUN_TEST(gap_rule_against_event_driven);
  RUN_TEST(contact_rules);
  RUN_TEST(compliant_gap_rule);
  RUN_TEST(rest_in_closed_form);
  RUN_TEST(lcp_instances);
  RUN_TEST(compliance_to_zero);
  RUN_TEST(float_follows_double);
  return UNITY_END();
}
