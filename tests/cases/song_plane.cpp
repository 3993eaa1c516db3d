// Planar patch scenes with numbers drawn at random, step by step against Song, Pang and Kumar's own equations
// in long double (tests/oracle/song.hpp): places to 1e-13 m and rad, velocities to 5e-13 of the fastest there
// was, impulses h lambda to 5e-13 of that and the mass; rigid ones, where nothing softens a gap that is
// rounded, to 2e-12. (A gap at 0.1 m is rounded by 1e-17 m, which a row divides by h, and a force once more.)
//
// What rolls takes its elements along with the contact, as the paper has them: a law that lets them stay with
// the material would part from this on purpose.
#include "song_plane.hpp"

#include "reference.hpp"
#include "tests/oracle/friction.hpp"
#include "tests/oracle/song.hpp"

using namespace song_plane;
using namespace tactus::stepper;
using oracle::SoftPatch;
using reference::Worst;

namespace {

constexpr Capacity kSize{
    .bodies = 3, .contacts = 2, .slots = 17, .active = 7, .patches = 2, .patch_elements = 5};
using Plane = Stage<2, kSize>;

SoftPatch soft(const contact::PatchLaw<double>& law) {
  return {law.columns, law.rows, law.spacing, law.compliance, law.poisson, law.stiffness, law.damping};
}

// W, gaps and mu of all elements.
oracle::Rows rows_of(const Case& c, const Column& q) {
  const auto points = c.touch(q);
  oracle::Rows rows;
  std::size_t elements = 0, point = 0;
  for (const auto& pair : c.pairs)
    elements += static_cast<std::size_t>(pair.points) * soft(pair.law).elements();
  rows.W = oracle::Matrix(2 * elements, 3 * c.bodies.size());
  for (const auto& pair : c.pairs) {
    const SoftPatch patch = soft(pair.law);
    for (int k = 0; k < pair.points; ++k) {
      const Point& p = points[point++];
      const Real t[2] = {p.n[1], -p.n[0]};
      for (std::size_t e = 0; e < patch.elements(); ++e) {
        const Real off = patch.t(e);
        const std::size_t row = 2 * rows.gap.size();
        const auto put = [&](int body, const Real(&at)[2], Real sign) {
          if (body < 0) return;
          const auto i = 3 * static_cast<std::size_t>(body);
          const Real x = at[0] + off * t[0] - q[i], y = at[1] + off * t[1] - q[i + 1];
          for (std::size_t r = 0; r < 2; ++r) {
            const Real* d = r == 0 ? p.n : t;
            rows.W(row + r, i) = sign * d[0];
            rows.W(row + r, i + 1) = sign * d[1];
            rows.W(row + r, i + 2) = sign * (x * d[1] - y * d[0]);
          }
        };
        put(p.a, p.at_a, -1);
        put(p.b, p.at_b, 1);
        rows.gap.push_back(p.gap + p.curvature * off * off / 2);
        rows.mu.push_back(pair.mu);
      }
    }
  }
  return rows;
}

int seen[3] = {};  // steps of contacts that were open, stuck, slipped

// Rigid: the same bodies without their patches, one element a point.
void follow(Case c, bool rigid = false) {
  if (rigid)
    for (auto& pair : c.pairs) pair.law = {};
  auto scene = std::make_unique<Plane>(c.h, Plane::Vector(0, -9.81));
  scene->floor();
  Column q, v, mass;
  std::vector<SoftPatch> patches;
  for (const auto& b : c.bodies) {
    BodyDescription<double, 2> body;
    body.mass = b.mass;
    body.inertia(0, 0) = b.inertia;
    body.shape = b.shape;
    body.pose = {b.pose[0], b.pose[1], b.pose[2]};
    body.velocity.linear = {b.velocity[0], b.velocity[1]};
    body.velocity.angular[0] = b.velocity[2];
    scene->add(body);
    for (std::size_t k = 0; k < 3; ++k) {
      q.push_back(b.pose[k]);
      v.push_back(b.velocity[k]);
      mass.push_back(k < 2 ? b.mass : b.inertia);
    }
  }
  for (const auto& pair : c.pairs) {
    scene->touch(pair.a, pair.b, pair.mu, 0, rigid ? nullptr : &pair.law);
    for (int k = 0; k < pair.points; ++k) patches.push_back(soft(pair.law));
  }
  oracle::SongStepper soft_stepper(2, c.h, mass, rigid ? std::vector<SoftPatch>{} : patches);
  oracle::RigidStepper rigid_stepper(2, c.h, mass);
  oracle::ModesInThePlane modes;
  Worst place(std::string(c.name) + ": places"), speed("... velocities"), impulse("... impulses");
  double fastest = 0, heavy = 0;
  for (const auto& b : c.bodies) heavy += b.mass;
  for (int step = 0; step < c.steps; ++step) {
    Column f(v.size());
    for (std::size_t i = 0; i < c.bodies.size(); ++i) {
      const Body& b = c.bodies[i];
      const double wave = std::sin(b.turns * c.h * step);
      auto& applied = scene->world.state.force[i + 1];
      applied.linear = {b.force[0] * wave, b.force[1] * wave};
      applied.angular[0] = b.force[2] * wave;
      for (std::size_t k = 0; k < 3; ++k) f[3 * i + k] = b.force[k] * wave;
      f[3 * i + 1] -= Real(9.81) * b.mass;
    }
    const auto report = scene->step();
    const auto rows = rows_of(c, q);
    TEST_ASSERT_TRUE_MESSAGE(
        rigid ? rigid_stepper.step(rows, f, v, modes) : soft_stepper.step(rows, f, v, modes), c.name);
    const Column& lambda = rigid ? rigid_stepper.lambda : soft_stepper.lambda;
    for (std::size_t k = 0; k < q.size(); ++k) q[k] += Real(c.h) * v[k];
    for (std::size_t i = 0; i < c.bodies.size(); ++i) {
      const auto& p = scene->pose(static_cast<int>(i) + 1);
      const auto& u = scene->velocity(static_cast<int>(i) + 1);
      const double have_q[3] = {p.x, p.y, p.angle}, have_v[3] = {u.linear[0], u.linear[1], u.angular[0]};
      for (std::size_t k = 0; k < 3; ++k) {
        place.see(std::fabs(static_cast<double>(have_q[k] - q[3 * i + k])));
        const double arm = k < 2 ? 1 : geometry::bounding_radius(c.bodies[i].shape);
        speed.see(arm * std::fabs(static_cast<double>(have_v[k] - v[3 * i + k])));
        fastest = std::max(fastest, arm * std::fabs(have_v[k]));
      }
    }
    std::size_t at = 0;
    for (std::size_t i = 0; i < c.pairs.size(); ++i) {
      Real sum[2] = {};
      const std::size_t count = static_cast<std::size_t>(c.pairs[i].points) * soft(c.pairs[i].law).elements();
      for (std::size_t e = 0; e < count; ++e, at += 2)
        for (std::size_t k = 0; k < 2; ++k) sum[k] += lambda[at + k];
      for (int k = 0; k < 2; ++k)
        impulse.see(c.h * std::fabs(static_cast<double>(report.contact[i].force[k] - sum[k])));
      ++seen[static_cast<std::size_t>(report.contact[i].mode)];
    }
  }
  place.within(1e-13);
  const double tolerance = rigid ? 2e-12 : 5e-13;
  speed.within(tolerance * fastest);
  impulse.within(tolerance * heavy * fastest);
}

void discs() {
  follow(disc(1, 1));
  follow(disc(2, 3));
  follow(disc(3, 5));
}
void ellipses() {
  follow(ellipse(4, 3));
  follow(ellipse(5, 4));
}
void boxes() {
  follow(box(6, 1));
  follow(box(7, 1));
  follow(box(8, 3));
}
void two_bodies() {
  follow(disc_on_box(9));
  follow(disc_on_box(10));
}
void rigid() {
  for (const std::uint64_t seed : {1U, 2U, 3U}) follow(disc(seed, 1), true);
  for (const std::uint64_t seed : {4U, 5U}) follow(ellipse(seed, 1), true);
}
void every_mode_was_there() {
  for (const int count : seen) TEST_ASSERT_TRUE(count > 200);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(discs);
  RUN_TEST(ellipses);
  RUN_TEST(boxes);
  RUN_TEST(two_bodies);
  RUN_TEST(rigid);
  RUN_TEST(every_mode_was_there);
  return UNITY_END();
}
