// Arms in the step that touch nothing: their own dynamics, and what they carry.
#include "arms.hpp"

using namespace arms;

namespace {

// Two rods that fall and whirl: q after 0.2 s against Runge and Kutta on M qdd = -bias, whose error at this
// step is far below. The step's own is h: it halves.
void a_free_arm_follows_its_own_dynamics() {
  const Links links = arm_of({rod(-1, 0, 0.4, 1), rod(0, 0.4, 0.3, 0.6)});
  const Values q0{0.3, -0.8}, qd0{1, -2};
  const double end = 0.2;
  const auto acceleration = [&](const Values& q, const Values& qd) {
    dynamics::ArmPose<double, 4> pose;
    const dynamics::Base<double> ground;
    dynamics::MassMatrix<double, 4> M;
    Values tau;
    dynamics::place(links, ground.frame, q, pose);
    dynamics::mass_matrix(links, pose, M);
    dynamics::inverse_dynamics(links, pose, ground, V(0, 0, -kGravity), qd, static_cast<Values*>(nullptr),
                               tau);
    TEST_ASSERT_TRUE(dynamics::factor_mass(links, M));
    dynamics::solve_mass(links, M, tau);
    for (double& x : tau) x = -x;
    return tau;
  };
  Values q = q0, qd = qd0;
  const double H = 1e-3;
  for (int k = 0; k < 200; ++k) {
    const auto ahead = [](const Values& x, double h, const Values& rate) {
      Values y = x;
      for (std::size_t j = 0; j < 2; ++j) y[j] += h * rate[j];
      return y;
    };
    const Values a1 = acceleration(q, qd), v2 = ahead(qd, H / 2, a1);
    const Values a2 = acceleration(ahead(q, H / 2, qd), v2), v3 = ahead(qd, H / 2, a2);
    const Values a3 = acceleration(ahead(q, H / 2, v2), v3), v4 = ahead(qd, H, a3);
    const Values a4 = acceleration(ahead(q, H, v3), v4);
    for (std::size_t j = 0; j < 2; ++j) {
      q[j] += H / 6 * (qd[j] + 2 * v2[j] + 2 * v3[j] + v4[j]);
      qd[j] += H / 6 * (a1[j] + 2 * a2[j] + 2 * a3[j] + a4[j]);
    }
  }
  double last = 0;
  for (const double h : {2e-4, 1e-4}) {
    start(h);
    add(links, q0, V(0, 0, 0), qd0);
    for (double t = 0; t < end - h / 2; t += h) step_well();
    double error = 0;
    for (std::size_t j = 0; j < 2; ++j) error = std::fmax(error, std::fabs(world.state.arm.q[j] - q[j]));
    TEST_ASSERT_DOUBLE_WITHIN(20 * h, 0, error);
    if (last > 0) TEST_ASSERT_DOUBLE_WITHIN(0.1, 2, last / error);
    last = error;
  }
}

// Two arms in one world move as each does alone.
void arms_without_contact_do_not_know_each_other() {
  const Links one = arm_of({rod(-1, 0, 0.4, 1), rod(0, 0.4, 0.3, 0.6)}), two = arm_of({rod(-1, 0, 0.2, 0.4)});
  double alone[3];
  start(1e-3);
  add(one, {0.3, -0.8});
  for (int k = 0; k < 100; ++k) step_well();
  alone[0] = world.state.arm.q[0];
  alone[1] = world.state.arm.q[1];
  start(1e-3);
  add(two, {1.1}, V(1, 0, 0));
  for (int k = 0; k < 100; ++k) step_well();
  alone[2] = world.state.arm.q[0];
  start(1e-3);
  add(one, {0.3, -0.8});
  TEST_ASSERT_EQUAL_INT(2, add(two, {1.1}, V(1, 0, 0)));
  for (int k = 0; k < 100; ++k) step_well();
  for (std::size_t j = 0; j < 3; ++j) TEST_ASSERT_DOUBLE_WITHIN(1e-14, alone[j], world.state.arm.q[j]);
}

void what_a_link_carries_is_where_the_link_is() {
  start(1e-3);
  const double q1 = 0.5, q2 = -1.6;
  const int first = add(arm_of({rod(-1, 0, 0.4, 1), rod(0, 0.4, 0.3, 0.6)}), {q1, q2}, V(1, 2, 3), {0.5, 2});
  const auto tip = static_cast<std::size_t>(carry_ball(first + 1, 0.01, V(0.3, 0, 0)));
  const auto check = [&] {
    place_carried(world.model, world.state);
    const double a = world.state.arm.q[0], b = a + world.state.arm.q[1];
    const double da = world.state.arm.qd[0], db = da + world.state.arm.qd[1];
    const auto& p = world.state.pose[tip].position;
    const auto& v = world.state.velocity[tip];
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 1 + 0.4 * std::cos(a) + 0.3 * std::cos(b), p[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 2, p[1]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, 3 + 0.4 * std::sin(a) + 0.3 * std::sin(b), p[2]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, -0.4 * std::sin(a) * da - 0.3 * std::sin(b) * db, v.linear[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, -db, v.angular[1]);
    // About -y by b.
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, std::fabs(std::cos(b / 2)), std::fabs(world.state.pose[tip].w));
    TEST_ASSERT_DOUBLE_WITHIN(1e-14, -std::sin(b / 2) * std::cos(b / 2),
                              world.state.pose[tip].w * world.state.pose[tip].y);
  };
  check();
  for (int k = 0; k < 10; ++k) step_well();
  check();
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_free_arm_follows_its_own_dynamics);
  RUN_TEST(arms_without_contact_do_not_know_each_other);
  RUN_TEST(what_a_link_carries_is_where_the_link_is);
  return UNITY_END();
}
