// Patches whose history stays with the material: what rolls on one is braked by its damping and not by the
// step, and not at all where nothing is damped; no step of it gains energy; the order of a pair changes signs
// only. Closed forms: patches_fine.cpp.
#include <cmath>
#include <memory>
#include <vector>

#include "reference.hpp"

using namespace tactus;
using namespace tactus::stepper;

namespace {

constexpr Capacity kPlane{
    .bodies = 2, .contacts = 1, .slots = 7, .active = 7, .patches = 1, .patch_elements = 7};
constexpr Capacity kSpace{
    .bodies = 2, .contacts = 1, .slots = 9, .active = 9, .patches = 1, .patch_elements = 9};

struct Rolling {
  double h = 1e-3, speed = 1, seconds = 5;
  contact::PatchLaw<double> law{.columns = 7, .spacing = 1e-3, .compliance = 1e-8, .poisson = 0.3};
  bool floor_first = true, disc_is_elastic = true;
};

struct Rolled {
  std::vector<double> speed;  // after each fifth of the time
  double gained = 0;          // in one step at most, of kinetic, potential and elastic energy, J
};

// The disc of data/defects/rolling_patch.json.
Rolled roll(const Rolling& r) {
  constexpr double kRadius = 0.1, kGravity = 9.81;
  auto scene = std::make_unique<Stage<2, kPlane>>(r.h, math::Vector2<double>(0, -kGravity));
  const auto put_disc = [&] {
    BodyDescription<double, 2> disc;
    disc.mass = 1;
    disc.inertia(0, 0) = 0.005;
    disc.shape = geometry::disc<double>(kRadius);
    disc.pose = {0, kRadius, 0};
    disc.velocity.linear[0] = r.speed;
    disc.velocity.angular[0] = -r.speed / kRadius;
    scene->add(disc);
  };
  if (!r.floor_first) put_disc();
  scene->floor();
  if (r.floor_first) put_disc();
  const std::size_t disc = r.floor_first ? 1 : 0;
  ContactDescription<double, 2> contact;
  contact.b = 1;
  contact.elastic = static_cast<int>(r.disc_is_elastic ? disc : 1 - disc);
  contact.friction.kinetic = 0.5;
  contact.patch = &r.law;
  scene->touch(contact);
  Rolled out;
  const long steps = std::lround(r.seconds / r.h);
  double energy = HUGE_VAL;
  for (long k = 1; k <= steps; ++k) {
    const auto report = scene->step();
    const double now = report.energy.kinetic + report.energy.elastic +
                       kGravity * (scene->world.state.pose[disc].y - kRadius);
    out.gained = std::max(out.gained, now - energy);
    energy = now;
    if (5 * k % steps < 5) out.speed.push_back(scene->world.state.velocity[disc].linear[0]);
  }
  return out;
}

void speed_is_lost_to_damping_alone() {
  for (const auto& [elements, spacing, ratio] :
       {std::tuple{7, 1e-3, 1.0}, std::tuple{7, 1e-3, 0.1}, std::tuple{5, 2e-3, 1.0}}) {
    double lost = 0;
    for (const double h : {1e-4, 3e-4, 1e-3}) {
      Rolling r{.h = h};
      r.law.columns = static_cast<std::uint8_t>(elements);
      r.law.spacing = spacing;
      r.law.damping_ratio = ratio;
      const auto rolled = roll(r);
      const double now = 1 - rolled.speed.back();
      TEST_ASSERT_TRUE(now > 0.05);
      TEST_ASSERT_TRUE(rolled.gained <= 1e-12);
      if (h == 1e-4) lost = now;
      TEST_ASSERT_DOUBLE_WITHIN(0.001 * lost, lost, now);
    }
  }
}

// As it begins to roll, what the disc is pressed into stretches, and it comes to the creep of unlike bodies.
// From then on nothing is lost.
void nothing_is_lost_to_springs() {
  for (const double h : {1e-4, 3e-4, 1e-3}) {
    for (const double poisson : {0.3, 0.5}) {
      Rolling r{.h = h};
      r.law.damping_ratio = 0;
      r.law.poisson = poisson;
      const auto rolled = roll(r);
      TEST_ASSERT_DOUBLE_WITHIN(5e-4, 1, rolled.speed[0]);
      if (poisson == 0.5) TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, rolled.speed[0]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-6, rolled.speed[0], rolled.speed[4]);
      TEST_ASSERT_TRUE(rolled.gained <= 1e-8);
    }
  }
}

void the_order_of_a_plane_pair_changes_nothing() {
  for (const bool elastic : {true, false}) {
    Rolling r{.seconds = 0.5};
    r.law.poisson = 0.1;
    r.disc_is_elastic = elastic;
    const auto one = roll(r);
    r.floor_first = false;
    const auto other = roll(r);
    for (std::size_t k = 0; k < one.speed.size(); ++k)
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, one.speed[k], other.speed[k]);
  }
}

// The ball of data/defects/pair_order_*.json, spinning, on 3 x 3 or 3 x 2 elements. The forces on the ball in
// the world are compared, too.
struct Thrown {
  std::array<double, 10> end{};
};
Thrown spin(bool floor_first, bool ball_is_elastic, int rows, double tilt) {
  using V = math::Vector<double, 3>;
  const V up(std::sin(tilt), 0, std::cos(tilt));
  auto scene = std::make_unique<Stage<3, kSpace>>(2e-4, V(-9.81 * up));
  BodyDescription<double, 3> floor, ball;
  floor.shape = geometry::half_space<double>(up, 0);
  ball.mass = 0.2;
  ball.inertia.diagonal().setConstant(7.2e-5);
  ball.shape = geometry::sphere<double>(0.03);
  for (int k = 0; k < 3; ++k) ball.pose.position[k] = 0.03 * up[k];
  ball.velocity.linear = math::cross(up, V(0.1, -0.3, 0.2));
  ball.velocity.angular = 20 * up;
  scene->add(floor_first ? floor : ball);
  scene->add(floor_first ? ball : floor);
  const int at = floor_first ? 1 : 0;
  contact::PatchLaw<double> law{.columns = 3,
                                .rows = static_cast<std::uint8_t>(rows),
                                .spacing = 1e-3,
                                .compliance = 1e-7,
                                .poisson = 0.3};
  ContactDescription<double, 3> contact;
  contact.b = 1;
  contact.elastic = ball_is_elastic ? at : 1 - at;
  contact.friction.kinetic = 0.25;
  contact.patch = &law;
  scene->touch(contact);
  for (int k = 0; k < 1500; ++k) scene->step();
  const auto& pose = scene->world.state.pose[static_cast<std::size_t>(at)].position;
  const auto& v = scene->world.state.velocity[static_cast<std::size_t>(at)];
  Thrown out;
  for (std::size_t k = 0; k < 3; ++k) {
    out.end[k] = pose[static_cast<int>(k)];
    out.end[3 + k] = v.linear[static_cast<int>(k)];
    out.end[6 + k] = v.angular[static_cast<int>(k)];
  }
  return out;
}

void the_order_of_a_pair_changes_nothing() {
  double apart = 0;
  for (const double tilt : {0.0, 1.3})
    for (const int rows : {3, 2})
      for (const bool elastic : {true, false}) {
        const auto one = spin(true, elastic, rows, tilt), other = spin(false, elastic, rows, tilt);
        for (std::size_t k = 0; k < 9; ++k) TEST_ASSERT_DOUBLE_WITHIN(1e-12, one.end[k], other.end[k]);
        if (elastic)
          for (std::size_t k = 0; k < 3; ++k)
            apart = std::fmax(apart, std::fabs(one.end[k] - spin(true, false, rows, tilt).end[k]));
      }
  TEST_ASSERT_TRUE(apart > 1e-4);  // which body is the soft one does matter
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(speed_is_lost_to_damping_alone);
  RUN_TEST(nothing_is_lost_to_springs);
  RUN_TEST(the_order_of_a_plane_pair_changes_nothing);
  RUN_TEST(the_order_of_a_pair_changes_nothing);
  return UNITY_END();
}
