// Rules for elements that enter and leave contact (planar/ellipse_contact_rules.json): the ellipse hops, and
// starts above the floor.
#include <Eigen/LU>
#include <algorithm>

#include "ellipse.hpp"
#include "tactus/lcp/solver.hpp"
#include "tests/corpus/song_lcp.hpp"

using namespace ellipse;

namespace {

const Json& file() {
  static const Json json = reference::load("planar/ellipse_contact_rules.json");
  return json;
}

// The file's rule "acc", which this library does not have, on its contact problem and solver: the normal row
// is s_n + G / h with G' = G + h s_n, and G = 0 while pressed. It wants W, A and b by hand.
struct Accumulating {
  static constexpr double kStep = 1e-4, kMass = 0.05, kInertia = 1.5e-4, kSpacing = 1e-6;
  Eigen::Vector3d place, motion;
  std::array<double, 6> delta{}, force{};  // element by element, n and t
  std::array<double, 3> gap{};
  contact::Patch<double, 2, 3> patch;

  Accumulating(const Ellipse& e, double above) : place(0, e.y, e.angle), motion(0, e.vy, 0) {
    gap.fill(above);
    const contact::PatchLaw<double> law{
        .columns = 3, .spacing = kSpacing, .compliance = e.eps, .poisson = e.poisson, .printed = true};
    TEST_ASSERT_TRUE(contact::configure(patch, law, kStep) == What::none);
  }
  std::array<double, 3> q() const { return {place[0], place[1], place[2]}; }
  std::vector<double> lambda() const { return {force[0], force[2], force[4], force[1], force[3], force[5]}; }
  double pressed() const { return force[0] + force[2] + force[4]; }
  void step() {
    const double H = height(place[2]),
                 x = -(0.1 * 0.1 - 0.05 * 0.05) * std::sin(place[2]) * std::cos(place[2]) / H;
    Eigen::Matrix<double, 6, 3> W;
    for (int i = 0; i < 3; ++i) {
      W.row(2 * i) << 0, 1, x + (i - 1) * kSpacing;
      W.row(2 * i + 1) << 1, 0, H;
    }
    const Eigen::Vector3d light(1 / kMass, 1 / kMass, 1 / kInertia);
    const Eigen::Vector3d free = motion + Eigen::Vector3d(0, -9.81 * kStep, 0);
    Eigen::Map<const Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> R(patch.R);
    const Eigen::Matrix<double, 6, 6, Eigen::RowMajor> A = kStep * W * light.asDiagonal() * W.transpose() + R;
    double held[6], rate[6], b[6], mu[3] = {0.2, 0.2, 0.2}, M[81], q_lcp[9], s[6], used[3];
    patch.relax(delta.data(), held);
    for (int i = 0; i < 6; ++i)
      b[i] = W.row(i).dot(free) - held[i] + (i % 2 == 0 ? gap[static_cast<std::size_t>(i / 2)] / kStep : 0);
    const contact::Problem<double, 2> problem{3, A.data(), 6, b, mu, nullptr};
    std::uint8_t block[9];
    lcp::Workspace<double, 9> workspace;
    TEST_ASSERT_TRUE(contact::song::to_lcp(problem, M, 9, q_lcp, block));
    const lcp::Problem<double> view{9, M, 9, q_lcp, block};
    TEST_ASSERT_TRUE(lcp::solve(view, workspace).status == lcp::Status::solved);
    contact::song::from_lcp<double, 2>(3, workspace.z.data(), workspace.w.data(), force.data(), s, used);
    motion = free + kStep * light.asDiagonal() *
                        (W.transpose() * Eigen::Map<const Eigen::Matrix<double, 6, 1>>(force.data()));
    place += kStep * motion;
    patch.respond(force.data(), rate);
    for (std::size_t i = 0; i < 6; ++i) delta[i] += kStep * (rate[i] - held[i]);
    // s of the solution holds G / h already.
    for (std::size_t i = 0; i < 3; ++i) gap[i] = force[2 * i] > 0 ? 0 : kStep * s[2 * i];
  }
};

// Steps of any of them, and what the file says of each of its runs.
struct Seen {
  double first = 0, at_first = 0, highest = 0, most = 0, end = 0;
};
template <class Body>
Seen watch(Body& body, int steps, const Json* traj, Worst* q, Worst* force) {
  Seen out;
  std::size_t row = 0;
  for (int k = 1; k <= steps; ++k) {
    body.step();
    const double t = 1e-4 * k, gap = gap_of(body.q());
    const auto lambda = body.lambda();
    double pressed = 0;
    for (std::size_t i = 0; i < lambda.size() / 2; ++i) pressed += lambda[i];
    out.highest = std::max(out.highest, gap);
    out.most = std::max(out.most, pressed);
    if (out.first == 0 && pressed > 0) out.first = t, out.at_first = gap;
    if (traj != nullptr && row < (*traj)["t"].size() &&
        std::abs((*traj)["t"][row].get<double>() - t) < 1e-9) {
      q->see(body.q(), (*traj)["q"][row]);
      force->see(lambda, (*traj)["lam"][row++]);
    }
    out.end = gap;
  }
  if (traj != nullptr) TEST_ASSERT_EQUAL_size_t((*traj)["t"].size(), row);
  return out;
}

// A hop at 0.2 m/s: by the printed rule the body hangs where it turned back, by the others it lands on time.
void hops() {
  const Json& hop = file()["hop_v0_0.2"];
  const auto compare = [&](const char* name, auto&& body) {
    const Json& want = hop["runs"][name];
    Worst q(std::string("hop, ") + name + ", q"), force("... force (N)"), gaps("... gaps (m)");
    const auto seen = watch(*body, 1200, &want["traj"], &q, &force);
    gaps.see(std::abs(seen.at_first - want["true_gap_at_recontact"].template get<double>()));
    gaps.see(std::abs(seen.end - want["true_gap_end"].template get<double>()));
    if (want.contains("max_gap")) gaps.see(std::abs(seen.highest - want["max_gap"].template get<double>()));
    q.within(1e-8);
    force.within(1e-6);
    gaps.within(1e-8);
    TEST_ASSERT_DOUBLE_WITHIN(1.01e-4, want["first_recontact_t"].template get<double>(), seen.first);
  };
  Ellipse e;
  e.vy = hop["v0"][1];
  e.y = hop["q0"][1];
  e.angle = hop["q0"][2];
  e.h = hop["h"];
  for (const NormalRule rule : {NormalRule::song, NormalRule::gap}) {
    e.rule = rule;
    e.eps = 0;
    const bool song = rule == NormalRule::song;
    compare(song ? "rigid_paper_eq14" : "rigid_gap", std::make_unique<Run<double, kRigid>>(e));
    e.eps = hop["eps"];
    compare(song ? "compliant_paper" : "compliant_geo", std::make_unique<Run<double, kCompliant>>(e));
  }
  compare("compliant_acc", std::make_unique<Accumulating>(e, 0));
  // All of them fly as a stone does.
  const double v = e.vy, g = 9.81;
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 2 * v / g, hop["analytic_landing_t"].get<double>());
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, v * v / (2 * g), hop["apex"].get<double>());
}

// Let go above the floor: the printed rule stops it where it is, the others let it fall.
void initial_gaps() {
  for (const auto& [name, want] : file()["initial_gap"].items()) {
    const double above = want["gap0"];
    Ellipse e;
    e.eps = 1e-10;
    e.y = height(e.angle) + above;
    if (name.find("printed") == 0) TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.0975, e.y);
    const bool paper = name.find("paper") != std::string::npos, acc = name.find("acc") != std::string::npos;
    e.rule = paper ? NormalRule::song : NormalRule::gap;
    Seen seen;
    if (acc) {
      Accumulating body(e, above);
      seen = watch(body, 1000, nullptr, nullptr, nullptr);
    } else {
      const auto body = std::make_unique<Run<double, kCompliant>>(e);
      seen = watch(*body, 1000, nullptr, nullptr, nullptr);
    }
    TEST_ASSERT_DOUBLE_WITHIN(1.01e-4, want["first_force_t"].get<double>(), seen.first);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, want["max_sum_ln"].get<double>(), seen.most);
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, want["gap_end"].get<double>(), seen.end);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, std::sqrt(2 * above / 9.81), want["analytic_land_t"].get<double>());
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(hops);
  RUN_TEST(initial_gaps);
  return UNITY_END();
}
