// Rigid boxes on a floor: what a thrown, a resting and a turning one do, against closed forms.
#include "space.hpp"

using namespace space;

namespace {

// Thrown in any direction a box stops after v^2 / (2 mu g), which in steps of h is the sum of h (v - k mu g
// h) over those that end above zero; and it goes straight. The facets are but a name: friction opposes the
// slip.
void thrown_box_stops_where_it_should() {
  const double v = 5, mu = 0.5, h = 1e-3, slower = mu * kGravity * h, n_slide = std::floor(v / slower),
               want = h * n_slide * (v - slower * (n_slide + 1) / 2);
  TEST_ASSERT_DOUBLE_WITHIN(h * v / 2, v * v / (2 * mu * kGravity), want);
  for (const int k : {4, 16}) {
    Worst distance("thrown box, " + std::to_string(k) + " facets, distance relative"),
        aside("... off the line");
    for (int i = 0; i < 24; ++i) {
      const double phi = 0.01 + i * 6.283185307179586 / 24;
      auto scene = scene_of(h, {0, 0, -kGravity}, k);
      auto b = box(1, {0.25, 0.25, 0.1});
      b.velocity.linear = {v * std::cos(phi), v * std::sin(phi), 0};
      scene->add(b);
      scene->touch(0, 1, mu);
      for (int n = 0; n < 1100; ++n) scene->step();
      const auto& x = scene->pose(1).position;
      TEST_ASSERT_TRUE(scene->velocity(1).linear.norm() < 1e-9);
      distance.see(std::abs(x[0] * std::cos(phi) + x[1] * std::sin(phi) - want) / want);
      aside.see(std::abs(x[1] * std::cos(phi) - x[0] * std::sin(phi)) / want);
    }
    distance.within(1e-9);
    aside.within(1e-9);
  }
}

// The rigid law knows no mass: 1 g and 1 t move alike. Nor does it know where x is: the whole scene turned
// about z moves alike.
void same_motion_light_heavy_turned() {
  const auto run = [](double mass, double turn) {
    const auto rotate = [&](double x, double y) {
      return Vector3(std::cos(turn) * x - std::sin(turn) * y, std::sin(turn) * x + std::cos(turn) * y, 0);
    };
    auto scene = scene_of(1e-3, rotate(0.4, 0.1) + Vector3(0, 0, -kGravity), 16);
    auto b = box(mass, {0.1, 0.07, 0.05});
    b.pose.w = std::cos(turn / 2);
    b.pose.z = std::sin(turn / 2);
    b.pose.position[2] += 0.01;
    b.velocity.linear = rotate(1.0, 0.3) + Vector3(0, 0, -0.2);
    b.velocity.angular = {0, 0, 2.0};
    scene->add(b);
    scene->touch(0, 1, 0.3);
    for (int n = 0; n < 1000; ++n) scene->step();
    const auto& x = scene->pose(1).position;
    const auto back = [&](double px, double py) {
      return std::array<double, 2>{std::cos(turn) * px + std::sin(turn) * py,
                                   std::cos(turn) * py - std::sin(turn) * px};
    };
    const auto p = back(x[0], x[1]), v = back(scene->velocity(1).linear[0], scene->velocity(1).linear[1]);
    return std::array<double, 5>{p[0], p[1], x[2], v[0], v[1]};
  };
  Worst mass("same motion at 1 g and at 1 t"), turned("same motion turned by any angle");
  const auto one = run(1, 0);
  for (const double m : {1e-3, 1e3})
    for (std::size_t i = 0; i < 5; ++i) mass.see(std::abs(run(m, 0)[i] - one[i]));
  for (const double turn : {0.3, 0.7853981633974483, 1.1, 2.5, 4.0})
    for (std::size_t i = 0; i < 5; ++i) turned.see(std::abs(run(1, turn)[i] - one[i]));
  mass.within(1e-9);
  turned.within(1e-9);
}

void resting_box_does_not_creep() {
  const double mu = 0.5, slope = 0.8 * mu;
  const double g = kGravity / std::sqrt(1 + slope * slope);
  for (const double heading : {0.0, 0.4}) {
    auto scene = scene_of(1e-3, {g * slope * std::cos(heading), g * slope * std::sin(heading), -g}, 8);
    scene->add(box(1, {0.1, 0.1, 0.05}));
    scene->touch(0, 1, mu);
    for (int n = 0; n < 60000; ++n) scene->step();
    const auto& x = scene->pose(1).position;
    std::printf("creep of a resting box at 80 %% of the limit in 60 s: %.3g m\n", std::hypot(x[0], x[1]));
    TEST_ASSERT_TRUE(std::hypot(x[0], x[1]) < 1e-6);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0.05, x[2]);
  }
}

void block_on_an_incline() {
  const double mu = 0.4;
  for (const int k : {4, 8, 16}) {
    for (const double tangent : {0.39, 0.41, 0.8}) {
      const double g = kGravity / std::sqrt(1 + tangent * tangent), phi = 0.35;
      auto scene = scene_of(1e-3, {g * tangent * std::cos(phi), g * tangent * std::sin(phi), -g}, k);
      scene->add(box(3, {0.2, 0.2, 0.05}));
      scene->touch(0, 1, mu);
      StepReport<double, 3, kSpatial> report;
      for (int n = 0; n < 500; ++n) report = scene->step();
      const double want = tangent <= mu ? 0 : 0.5 * g * (tangent - mu);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, want * std::cos(phi), scene->velocity(1).linear[0]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, want * std::sin(phi), scene->velocity(1).linear[1]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3 * g, report.contact[0].force[0]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3 * g * std::min(mu, tangent),
                                std::hypot(report.contact[0].force[1], report.contact[0].force[2]));
      TEST_ASSERT_TRUE(report.contact[0].mode ==
                       (tangent <= mu ? contact::Mode::stick : contact::Mode::slip));
    }
  }
}

// Three legs under a turning moment M: they stick up to mu m g R (every leg slips across its own radius).
void three_legs_turn_at_their_limit() {
  const double mu = 0.5, R = 0.2, mass = 1;
  const double limit = mu * mass * kGravity * R;
  for (const double share : {0.95, 1.05}) {
    auto scene = scene_of(1e-3, {0, 0, -kGravity}, 16);
    auto b = box(mass, {0.2, 0.2, 0.01});
    scene->add(b);
    Vector3 legs[3];
    for (int i = 0; i < 3; ++i)
      legs[i] = {R * std::cos(2.0943951023931953 * i), R * std::sin(2.0943951023931953 * i), -0.01};
    ContactDescription<double, 3> contact;
    contact.b = 1;
    contact.friction.kinetic = mu;
    contact.points = legs;
    contact.point_count = 3;
    scene->touch(contact);
    scene->world.state.force[1].angular[2] = share * limit;
    for (int n = 0; n < 100; ++n) scene->step();
    const double spin = scene->velocity(1).angular[2];
    const double want = share < 1 ? 0 : (share - 1) * limit / (mass / 3 * 0.08) * 0.1;
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, want, spin);
    for (int i = 0; i < 3; ++i)
      TEST_ASSERT_DOUBLE_WITHIN(1e-9, mass * kGravity / 3,
                                scene->workspace.answer.lambda[static_cast<std::size_t>(3 * i)]);
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(thrown_box_stops_where_it_should);
  RUN_TEST(same_motion_light_heavy_turned);
  RUN_TEST(resting_box_does_not_creep);
  RUN_TEST(block_on_an_incline);
  RUN_TEST(three_legs_turn_at_their_limit);
  return UNITY_END();
}
