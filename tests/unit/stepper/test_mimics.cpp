// Joints that lead others: gears, a linkage, a gripper, against closed forms.
#include "driven.hpp"

using namespace driven;

namespace {

constexpr double kStep = 1e-3;

// Two masses on slides, the second led by the ratio r: F acts on m1 + r^2 m2. Each bears r m2 of the other's
// acceleration.
template <class Scalar>
void a_gear_adds_its_inertia_by_the_square_of_its_ratio() {
  for (const double ratio : {1.0, -1.0, 0.01, -3.0, 250.0}) {
    for (const bool turned : {false, true}) {  // the leader first, or last
      auto& s = setting<Scalar>(kStep, 0);
      const double lead_mass = 0.3, led_mass = 0.7, force = 2;
      const std::size_t led = turned ? 0 : 1, leader = 1 - led;
      const double offset = 0.125;
      for (const std::size_t j : {std::size_t(0), std::size_t(1)})
        s.slide(V<Scalar>(0, 0, 0), V<Scalar>(1, 0, 0), j == led ? led_mass : lead_mass);
      s.lead(led, static_cast<int>(leader), ratio, offset);
      s.arm.q[led] = Scalar(offset);
      s.build();
      s.state().torque[leader] = Scalar(force);
      const double acceleration = force / (lead_mass + ratio * ratio * led_mass);
      for (int k = 1; k <= 100; ++k) {
        s.step_well();
        const double qd = k * kStep * acceleration, q = qd * kStep * (k + 1) / 2, size = std::fabs(ratio) + 1;
        const double rounding = tolerance<Scalar>(1e-13, 5e-5);  // of places, over h
        near(tolerance<Scalar>(1e-12, 1e-5) * qd + rounding / size, qd, s.state().qd[leader]);
        near(tolerance<Scalar>(1e-12, 1e-5) * size * qd + rounding, ratio * qd, s.state().qd[led]);
        near(tolerance<Scalar>(1e-14, 1e-6) * size, ratio * q + offset, s.state().q[led]);
        const double load = ratio * led_mass * acceleration;
        const double noise = tolerance<Scalar>(1e-9, 2e-2);  // rounding of places, over h^2
        near(noise / size, load, s.next().driven.mimic[led]);
        near(noise, -ratio * load, s.next().driven.mimic[leader]);
      }
    }
  }
}

// A four-bar linkage with equal opposite sides: the rocker is led by the crank, and the coupler, which hangs
// on the crank, keeps its direction (q_coupler = -q_crank). All turn by one angle q,
//     (I_1 + I_3 + m_2 a^2) qdd = -((m_1 + m_3) a / 2 + m_2 a) g cos q,
// and the steps obey that sum at each q_n: M of crank and coupler is taken there, and with v_coupler =
// -v_crank its bias forces have no part in the sum.
template <class Scalar>
void a_parallelogram_swings_as_one() {
  const double a = 0.4, m1 = 0.5, m2 = 1.25, m3 = 0.8, start = 0.3;
  auto& s = setting<Scalar>(kStep, kGravity);
  s.rod(-1, 0, a, m1);
  s.rod(0, a, 0.6, m2);
  s.rod(-1, 0.6, a, m3);
  s.lead(1, 0, -1);
  s.lead(2, 0, 1);
  s.arm.q = {Scalar(start), Scalar(-start), Scalar(start)};
  s.build();
  const double inertia = (m1 + m3) * a * a / 3 + m2 * a * a;
  const double weight = ((m1 + m3) * a / 2 + m2 * a) * kGravity;
  double q = start, qd = 0, low = 0;
  for (int k = 0; k < 1500; ++k) {
    s.step_well();
    qd -= kStep * weight * std::cos(q) / inertia;
    q += kStep * qd;
    low = std::fmin(low, q);
    near(tolerance<Scalar>(1e-10, 2e-3), qd, s.state().qd[0]);
    near(tolerance<Scalar>(1e-10, 1e-3), q, s.state().q[0]);
    near(tolerance<Scalar>(1e-13, 1e-5), 0, s.state().q[0] + s.state().q[1]);
    near(tolerance<Scalar>(1e-13, 1e-5), 0, s.state().q[0] - s.state().q[2]);
  }
  near(2e-2, -3.14159265 - start, low);  // it swings through to the same height
}

// A motor that is too weak turns a wheel by a gear with friction in both axles and a stop at the wheel.
template <class Scalar>
void motor_gear_friction_and_stop() {
  auto& s = setting<Scalar>(kStep, 0);
  const double m = 0.5, ratio = -2, stop = 0.02;
  s.slide(V<Scalar>(0, 0, 0), V<Scalar>(1, 0, 0), m).friction = Scalar(0.25);
  auto& wheel = s.slide(V<Scalar>(0, 1, 0), V<Scalar>(1, 0, 0), m);
  wheel.friction = Scalar(0.5);
  wheel.lower = Scalar(-stop);
  s.lead(1, 0, ratio);
  s.limit(0, 3);
  s.build();
  s.servo(0, 1e5, 1e3, 1);
  s.step_well();
  const double acceleration = (3 - 0.25 - 2 * 0.5) / (m + 4 * m);
  near(tolerance<Scalar>(1e-14, 1e-8), kStep * acceleration, s.state().qd[0]);
  near(tolerance<Scalar>(1e-14, 1e-8), -2 * kStep * acceleration, s.state().qd[1]);
  for (int k = 0; k < 400; ++k) s.step_well();
  near(tolerance<Scalar>(1e-13, 1e-7), -stop, s.state().q[1]);
  near(tolerance<Scalar>(1e-13, 1e-7), stop / 2, s.state().q[0]);
  // At rest friction may take part, but each joint is in balance, and the stop with friction bears 3 / 2 or
  // that less what the other friction takes.
  const auto& driven = s.next().driven;
  const auto& reaction = s.next().reaction;
  near(tolerance<Scalar>(1e-9, 1e-2), 0, Scalar(3) + driven.mimic[0] + reaction[0]);
  near(tolerance<Scalar>(1e-9, 1e-2), 0, driven.mimic[1] + reaction[1]);
  near(tolerance<Scalar>(1e-9, 1e-2), 0, driven.mimic[0] + Scalar(ratio) * driven.mimic[1]);
  TEST_ASSERT_TRUE(static_cast<double>(reaction[1]) >= (3 - 0.25) / 2 - 1e-2);
}

enum Body { kBox, kLeft, kRight };

// Two fingers of 0.1 kg on slides along y hold a cube of 4 cm and 0.2 kg between balls of 5 mm. The left one
// is driven; the right one is led, or hangs free.
template <class Scalar>
Setting<Scalar>& grip(bool coupled, double force, double mu, double gravity) {
  auto& s = setting<Scalar>(kStep, gravity);
  const double side = 0.04, mass = 0.2;
  BodyDescription<Scalar, 3> box;
  box.mass = Scalar(mass);
  box.inertia = V<Scalar>::Constant(Scalar(mass * side * side / 6)).asDiagonal();
  box.shape = geometry::box(Scalar(side / 2), Scalar(side / 2), Scalar(side / 2));
  int index = 0;
  expect(What::none, add_body(s.world, box, index));
  s.slide(V<Scalar>(0, Scalar(-0.05), 0), V<Scalar>(0, 1, 0), 0.1);
  s.slide(V<Scalar>(0, Scalar(0.05), 0), V<Scalar>(0, -1, 0), 0.1);
  s.arm.q = {Scalar(0.025), Scalar(0.025)};
  if (coupled) s.lead(1, 0, 1);
  s.build();
  for (const int link : {0, 1}) {
    const geometry::SpatialPose<Scalar> centre{};
    expect(What::none, add_carried(s.world, link, geometry::sphere(Scalar(0.005)), centre, index));
    ContactDescription<Scalar, 3> touch;
    touch.a = index;
    touch.b = kBox;
    touch.friction.kinetic = Scalar(mu);
    expect(What::none, add_contact(s.world, touch, index));
  }
  s.state().torque[0] = Scalar(force);
  return s;
}

// By virtual work each finger presses with F / 2, and the coupling takes F / 2 to the other.
template <class Scalar>
void fingers_that_are_coupled_share_the_force() {
  auto& s = grip<Scalar>(true, 12, 0.5, 0);
  for (int k = 0; k < 200; ++k) {
    const auto report = s.step_well();
    near(tolerance<Scalar>(1e-9, 2e-3), 6, report.contact[0].force[0]);
    near(tolerance<Scalar>(1e-9, 2e-3), 6, report.contact[1].force[0]);
    near(tolerance<Scalar>(1e-9, 2e-3), -6, s.next().driven.mimic[0]);
    near(tolerance<Scalar>(1e-9, 2e-3), 6, s.next().driven.mimic[1]);
    near(tolerance<Scalar>(1e-12, 1e-6), 0, s.world.state.pose[kBox].position[1]);
  }
}

// Friction carries m g where 2 mu F / 2 is more, half of it at each finger; else the cube falls with
// g - mu F / m.
template <class Scalar>
void the_grip_holds_or_slips_by_coulomb() {
  const double weight = 0.2 * kGravity;
  for (const double force : {1.5 * weight, 2.5 * weight}) {
    auto& s = grip<Scalar>(true, force, 0.5, kGravity);
    const bool holds = 0.5 * force > weight;
    for (int k = 1; k <= 20; ++k) {
      const auto report = s.step_well();
      for (const int c : {0, 1}) {
        const auto& f = report.contact[static_cast<std::size_t>(c)];
        near(tolerance<Scalar>(1e-9, 5e-3) * force, force / 2, f.force[0]);
        const double up = std::hypot(static_cast<double>(f.force[1]), static_cast<double>(f.force[2]));
        near(tolerance<Scalar>(1e-9, 5e-3) * force, holds ? weight / 2 : 0.5 * force / 2, up);
        TEST_ASSERT_TRUE(f.mode == (holds ? contact::Mode::stick : contact::Mode::slip));
      }
      const double fall = holds ? 0 : -k * kStep * (kGravity - 0.5 * force / 0.2);
      near(tolerance<Scalar>(1e-10, 2e-4), fall, s.world.state.velocity[kBox].linear[2]);
    }
  }
}

// Without the coupling nothing stands against the driven finger: all three move with F / (m + M + m).
template <class Scalar>
void a_finger_that_is_not_coupled_is_pushed_away() {
  auto& s = grip<Scalar>(false, 12, 0.5, 0);
  const double acceleration = 12 / (0.1 + 0.2 + 0.1);
  for (int k = 1; k <= 10; ++k) {
    const auto report = s.step_well();
    near(tolerance<Scalar>(1e-9, 2e-3), 0.3 * acceleration, report.contact[0].force[0]);
    near(tolerance<Scalar>(1e-9, 2e-3), 0.1 * acceleration, report.contact[1].force[0]);
    near(tolerance<Scalar>(1e-12, 1e-5), k * kStep * acceleration, s.state().qd[0]);
    near(tolerance<Scalar>(1e-12, 1e-5), -k * kStep * acceleration, s.state().qd[1]);
    near(0, 0, s.next().driven.mimic[1]);
  }
}

// Stops that leave one place, which rounding puts beyond both: the joints stay there, whatever drives them.
template <class Scalar>
void stops_that_leave_one_place() {
  Random random;
  for (int k = 0; k < 200; ++k) {
    auto& s = setting<Scalar>(kStep, 0);
    const double ratio = -random.between(0.1, 3), offset = random();
    s.arm.q[0] = Scalar(random());
    s.arm.q[1] = Scalar(ratio) * s.arm.q[0] + Scalar(offset);
    for (const std::size_t j : {std::size_t(0), std::size_t(1)})
      s.slide(V<Scalar>(0, 0, 0), V<Scalar>(1, 0, 0), 0.5).lower = s.arm.q[j];
    s.lead(1, 0, ratio, offset);
    s.build();
    const auto q = s.state().q;
    for (int n = 0; n < 20; ++n) {
      for (const std::size_t j : {std::size_t(0), std::size_t(1)})
        s.state().torque[j] = Scalar(10 * random());
      TEST_ASSERT_TRUE(step(s.world, s.workspace).status == StepStatus::solved);
      for (const std::size_t j : {std::size_t(0), std::size_t(1)})
        near(tolerance<Scalar>(1e-14, 2e-5), static_cast<double>(q[j]), s.state().q[j]);
    }
  }
}

// A stop at the one and a stop at the other that leave no common place: the step says so and does not lie.
template <class Scalar>
void stops_that_no_common_place_obeys() {
  auto& s = setting<Scalar>(kStep, 0);
  s.slide(V<Scalar>(0, 0, 0), V<Scalar>(1, 0, 0), 1).lower = Scalar(0);
  s.slide(V<Scalar>(0, 1, 0), V<Scalar>(1, 0, 0), 1).lower = Scalar(0);
  s.lead(1, 0, -1);
  s.build();
  s.step_well();  // there is one place
  s.world.model.arm.links.link[0].lower = Scalar(0.01);
  const auto report = step(s.world, s.workspace);
  TEST_ASSERT_TRUE(report.status != StepStatus::solved);
  TEST_ASSERT_EQUAL_STRING(sentence(StepReason::jam), sentence(report.reason));
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  BOTH(a_gear_adds_its_inertia_by_the_square_of_its_ratio);
  BOTH(a_parallelogram_swings_as_one);
  BOTH(motor_gear_friction_and_stop);
  BOTH(fingers_that_are_coupled_share_the_force);
  BOTH(the_grip_holds_or_slips_by_coulomb);
  BOTH(a_finger_that_is_not_coupled_is_pushed_away);
  BOTH(stops_that_leave_one_place);
  BOTH(stops_that_no_common_place_obeys);
  return UNITY_END();
}
