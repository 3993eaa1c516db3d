// Patch scenes in space with numbers drawn at random, step by step against Song, Pang and Kumar's own
// equations with the round cone in long double (tests/oracle/song.hpp): places to 1e-12 m, velocities to
// 1e-12 of the fastest there was, impulses h lambda to 1e-12 of that and the mass.
// Where a law is solved by modes, as every step here has to be, it is the cone's whether it is called cone or
// pyramid: facet_error = 0.
//
// Bodies are spheres or a cube, whose inertia is the same about every axis: how a body turns freely is
// another test's matter. What rolls takes its elements along with the contact, as the paper has them.
#include "song_space.hpp"

#include "reference.hpp"
#include "tests/oracle/friction.hpp"
#include "tests/oracle/song.hpp"

using namespace song_space;
using namespace tactus::stepper;
using oracle::SoftPatch;
using reference::Worst;

namespace {

constexpr Capacity kSize{
    .bodies = 3, .contacts = 2, .slots = 12, .active = 12, .patches = 1, .patch_elements = 12};
using Space = Stage<3, kSize>;

SoftPatch soft(const contact::PatchLaw<double>& law) {
  return {law.columns, law.rows, law.spacing, law.compliance, law.poisson, law.stiffness, law.damping};
}

oracle::Rows rows_of(const Case& c, const Column& q, const Turned& turned) {
  const SoftPatch patch = soft(c.law);
  oracle::Rows rows;
  const std::size_t points = c.points.empty() ? 1 : c.points.size();
  rows.W = oracle::Matrix(3 * c.planes.size() * points * patch.elements(), 6);
  for (const auto& normal : c.planes) {
    const Axes axes = frame_of(normal);
    for (std::size_t p = 0; p < points; ++p) {
      std::array<Real, 3> arm;  // from the centre to the touching point
      for (std::size_t k = 0; k < 3; ++k) arm[k] = -Real(c.radius) * axes[0][k];
      if (!c.points.empty()) arm = turned(c.points[p]);
      Real gap = 0;
      for (std::size_t k = 0; k < 3; ++k) gap += axes[0][k] * (q[k] + arm[k]);
      const Real bend = c.points.empty() ? 1 / Real(c.radius) : 0;
      for (std::size_t e = 0; e < patch.elements(); ++e) {
        const Real t = patch.t(e), o = patch.o(e);
        std::array<Real, 3> at;
        for (std::size_t k = 0; k < 3; ++k) at[k] = arm[k] + t * axes[1][k] + o * axes[2][k];
        for (std::size_t r = 0; r < 3; ++r) {
          const std::size_t row = 3 * rows.gap.size() + r;
          const auto moment = cross(at, axes[r]);
          for (std::size_t k = 0; k < 3; ++k) {
            rows.W(row, k) = axes[r][k];
            rows.W(row, 3 + k) = moment[k];
          }
        }
        rows.gap.push_back(gap + bend * (t * t + o * o) / 2);
        rows.mu.push_back(c.mu);
      }
    }
  }
  return rows;
}

int seen[3] = {};  // steps of contacts that were open, stuck, slipped

void follow(const Case& c, FrictionLaw friction) {
  Method method;
  method.friction = friction;
  auto scene = std::make_unique<Space>(c.h, Vector3(0, 0, -9.81), method);
  BodyDescription<double, 3> body;
  body.mass = c.mass;
  body.inertia = Eigen::Matrix3d::Identity() * c.inertia;
  body.shape = c.shape;
  body.pose.position = c.place;
  body.velocity.linear = c.velocity;
  body.velocity.angular = c.spin;
  const int moving = scene->add(body);
  for (const auto& normal : c.planes) {
    BodyDescription<double, 3> plane;
    plane.shape = geometry::half_space<double>(normal, 0.0);
    scene->touch(scene->add(plane), moving, c.mu, 0, &c.law);
  }
  Column q{c.place[0], c.place[1], c.place[2]}, v, mass(6, c.mass);
  for (int k = 0; k < 6; ++k) v.push_back(k < 3 ? c.velocity[k] : c.spin[k - 3]);
  for (std::size_t k = 3; k < 6; ++k) mass[k] = c.inertia;
  Turned turned;
  const std::size_t patches = c.planes.size() * (c.points.empty() ? 1 : c.points.size());
  oracle::SongStepper stepper(3, c.h, mass, std::vector<SoftPatch>(patches, soft(c.law)));
  oracle::ModesInSpace modes;
  Worst place(std::string(c.name) + ": places"), speed("... velocities"), impulse("... impulses");
  double fastest = 0;
  for (int step = 0; step < c.steps; ++step) {
    const double wave = std::sin(c.turns * c.h * step);
    auto& applied = scene->world.state.force[static_cast<std::size_t>(moving)];
    applied.linear = wave * c.force;
    applied.angular = wave * c.torque;
    Column f(6);
    for (int k = 0; k < 6; ++k)
      f[static_cast<std::size_t>(k)] = k < 3 ? applied.linear[k] : applied.angular[k - 3];
    f[2] -= Real(9.81) * c.mass;
    const auto report = scene->step();
    TEST_ASSERT_EQUAL_DOUBLE(0, report.facet_error);
    TEST_ASSERT_TRUE_MESSAGE(stepper.step(rows_of(c, q, turned), f, v, modes), c.name);
    for (std::size_t k = 0; k < 3; ++k) q[k] += Real(c.h) * v[k];
    turned.turn(c.h, &v[3]);
    for (int k = 0; k < 6; ++k) {
      const auto i = static_cast<std::size_t>(k);
      const double arm = k < 3 ? 1 : c.radius;
      const double have = k < 3 ? scene->velocity(moving).linear[k] : scene->velocity(moving).angular[k - 3];
      speed.see(arm * std::fabs(static_cast<double>(have - v[i])));
      fastest = std::max(fastest, arm * std::fabs(have));
      if (k < 3) place.see(std::fabs(static_cast<double>(scene->pose(moving).position[k] - q[i])));
    }
    const std::size_t rows = stepper.lambda.size() / c.planes.size();
    for (std::size_t p = 0; p < c.planes.size(); ++p) {
      Real sum[3] = {};
      for (std::size_t r = 0; r < rows; ++r) sum[r % 3] += stepper.lambda[p * rows + r];
      for (int k = 0; k < 3; ++k)
        impulse.see(c.h * std::fabs(static_cast<double>(report.contact[p].force[k] - sum[k])));
      ++seen[static_cast<std::size_t>(report.contact[p].mode)];
    }
  }
  constexpr double kTolerance = 1e-12;
  place.within(1e-12);
  speed.within(kTolerance * fastest);
  impulse.within(kTolerance * c.mass * fastest);
}

void follow_all(FrictionLaw friction) {
  follow(sphere(1, 1, 1, {{0, 0, 1}}), friction);
  follow(sphere(2, 3, 3, {{0, 0, 1}}), friction);
  follow(sphere(3, 4, 2, {{0.3, -0.2, 0.9}}), friction);
  follow(sphere(4, 2, 2, {{0, 0, 1}, {1, 0, 0}}), friction);
  follow(sphere(5, 3, 2, {{0.1, 0.2, 0.9}, {-0.2, 0.8, 0.1}}), friction);
  follow(cube(6), friction);
  follow(cube(7), friction);
}

void by_pyramids() {
  follow_all(FrictionLaw::pyramid);
}

void by_the_cone() {
  follow_all(FrictionLaw::cone);
}

void every_mode_was_there() {
  for (const int count : seen) TEST_ASSERT_TRUE(count > 200);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(by_pyramids);
  RUN_TEST(by_the_cone);
  RUN_TEST(every_mode_was_there);
  return UNITY_END();
}
