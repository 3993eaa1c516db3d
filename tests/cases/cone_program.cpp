// A step of the relaxed cone against the convex programme that it is (Negrut 2017, (8)-(12)), solved by a
// first-order method in long double: four balls in a heap, three on the floor and one on them, nine contacts
// that are redundant, thrown at random; in every second one two of the balls are joined. Velocities are
// unique, and agree to 2e-13.
#include "tests/oracle/cone_program.hpp"

#include "reference.hpp"
#include "tests/corpus/friction_box.hpp"

using namespace tactus;
using namespace tactus::stepper;
using oracle::Column;
using oracle::Matrix;
using oracle::Real;
using reference::Worst;
using Vector3 = math::Vector<double, 3>;

namespace {

constexpr Capacity kHeap{.bodies = 5, .contacts = 9, .slots = 9, .active = 9, .joints = 1};
using Heap = Stage<3, kHeap>;

constexpr double kRadius = 0.1, kGravity = 9.81;
constexpr int kPairs[9][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3},
                              {2, 3}, {1, 4}, {2, 4}, {3, 4}};  // 0: the floor

struct Ball {
  double mass, inertia;
  std::array<double, 3> place, velocity, spin;
};

struct Throw {
  double h, mu;
  std::array<Ball, 4> balls;
  bool joined;
  std::array<double, 3> joint;  // between the second and the third
};

Throw draw(int trial) {
  corpus::Random random(static_cast<std::uint64_t>(trial) + 100);
  constexpr double kSteps[3] = {1e-3, 5e-3, 1e-2}, kMu[4] = {0.2, 0.5, 0.9, 0.0};
  Throw t{kSteps[trial % 3], kMu[trial % 4], {}, trial % 2 == 1, {}};
  const double k = 2 * kRadius / std::sqrt(3.0), half = std::sqrt(0.75);
  const double at[4][3] = {{k, 0, kRadius},
                           {-k / 2, k * half, kRadius},
                           {-k / 2, -k * half, kRadius},
                           {0, 0, kRadius + 2 * kRadius * std::sqrt(2.0 / 3)}};
  for (std::size_t i = 0; i < 4; ++i) {
    Ball& b = t.balls[i];
    b.mass = random.uniform(0.5, 3);
    b.inertia = 0.4 * b.mass * kRadius * kRadius;
    const double fast = trial % 5 / 4.0;
    for (std::size_t c = 0; c < 3; ++c) {
      b.place[c] = at[i][c];
      b.velocity[c] = fast * random.uniform(-2, 2);
      b.spin[c] = fast * random.uniform(-6, 6);
    }
  }
  t.joint = {at[1][0], 0, kRadius + 0.05};
  return t;
}

using Three = std::array<Real, 3>;

Three cross(const Three& a, const Three& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// `sign` times the speed along d of the point `at`, as a row of ball i.
void put(Matrix& P, std::size_t row, int ball, const Throw& t, const Three& at, const Three& d, Real sign) {
  if (ball == 0) return;
  const auto i = static_cast<std::size_t>(ball - 1);
  Three arm;
  for (std::size_t k = 0; k < 3; ++k) arm[k] = at[k] - t.balls[i].place[k];
  const Three moment = cross(arm, d);
  for (std::size_t k = 0; k < 3; ++k) {
    P(row, 6 * i + k) = sign * d[k];
    P(row, 6 * i + 3 + k) = sign * moment[k];
  }
}

// The rows n, t, o of the nine contacts and those of the joint, and their gaps over h.
constexpr std::size_t kCones = 27;

void fill_rows(const Throw& t, Matrix& P, Column& gap) {
  for (std::size_t c = 0; c < 9; ++c) {
    const auto [a, b] = kPairs[c];
    const auto& to = t.balls[static_cast<std::size_t>(b - 1)].place;
    Three n{0, 0, 1}, from{to[0], to[1], 0};
    Real apart = to[2];
    if (a > 0) {
      const auto& other = t.balls[static_cast<std::size_t>(a - 1)].place;
      for (std::size_t k = 0; k < 3; ++k) n[k] = Real(to[k]) - Real(other[k]);
      apart = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
      for (std::size_t k = 0; k < 3; ++k) {
        n[k] /= apart;
        from[k] = other[k] + Real(kRadius) * n[k];
      }
      apart -= kRadius;
    }
    gap[3 * c] = (apart - Real(kRadius)) / t.h;
    Three at, t1 = cross(n, std::fabs(n[0]) < 0.7L ? Three{1, 0, 0} : Three{0, 1, 0});
    const Real size = std::sqrt(t1[0] * t1[0] + t1[1] * t1[1] + t1[2] * t1[2]);
    for (std::size_t k = 0; k < 3; ++k) {
      t1[k] /= size;
      at[k] = to[k] - Real(kRadius) * n[k];
    }
    const Three axes[3] = {n, t1, cross(n, t1)};
    for (std::size_t r = 0; r < 3; ++r) {
      put(P, 3 * c + r, a, t, from, axes[r], -1);
      put(P, 3 * c + r, b, t, at, axes[r], 1);
    }
  }
  for (std::size_t r = 0; r + kCones < P.rows(); ++r) {
    Three d{}, at{t.joint[0], t.joint[1], t.joint[2]};
    d[r] = 1;
    put(P, kCones + r, 2, t, at, d, -1);
    put(P, kCones + r, 3, t, at, d, 1);
  }
}

// v' of all balls: the joint's impulses B^-1 (...) eliminated, the cones by the programme.
Column by_the_programme(const Throw& t) {
  Column v, light;
  for (const Ball& b : t.balls) {
    for (std::size_t k = 0; k < 6; ++k) {
      v.push_back(k < 3 ? b.velocity[k] : b.spin[k - 3]);
      if (k == 2) v.back() -= Real(t.h) * Real(kGravity);
      light.push_back(1 / Real(k < 3 ? b.mass : b.inertia));
    }
  }
  const std::size_t held = t.joined ? 3 : 0;
  Matrix P(kCones + held, 24);
  Column gap(kCones + held);
  fill_rows(t, P, gap);
  const Matrix N = P * Matrix::diagonal(light) * P.transposed();
  const Column p = oracle::plus(P * v, 1, gap);
  Matrix A(kCones, kCones), C(held, kCones), B(held, held);
  Column b(kCones), q(held);
  for (std::size_t i = 0; i < kCones + held; ++i) {
    (i < kCones ? b[i] : q[i - kCones]) = p[i];
    for (std::size_t j = 0; j < kCones + held; ++j) {
      if (i < kCones && j < kCones) A(i, j) = N(i, j);
      if (i >= kCones && j < kCones) C(i - kCones, j) = N(i, j);
      if (i >= kCones && j >= kCones) B(i - kCones, j - kCones) = N(i, j);
    }
  }
  if (held > 0) {
    A = A + Real(-1) * (C.transposed() * oracle::solve(B, C));
    b = oracle::plus(b, -1, C.transposed() * oracle::solve(B, q));
  }
  // Where the shares of redundant contacts still creep, the velocities have long stood.
  Real left = 1;
  Column g = oracle::least_on_cones(A, b, Column(9, t.mu), 200000, left);
  TEST_ASSERT_TRUE_MESSAGE(left <= 1e-9L, "the programme has not converged");
  if (held > 0)
    for (const Real x : oracle::solve(B, oracle::plus(q, 1, C * g))) g.push_back(-x);
  return oracle::plus(v, 1, Matrix::diagonal(light) * (P.transposed() * g));
}

// The same in one step of core.
std::unique_ptr<Heap> by_a_step(const Throw& t) {
  Method method;
  method.friction = FrictionLaw::relaxed_cone;
  auto scene = std::make_unique<Heap>(t.h, Vector3(0, 0, -kGravity), method);
  scene->floor();
  for (const Ball& b : t.balls) {
    BodyDescription<double, 3> body;
    body.mass = b.mass;
    body.inertia = math::Matrix3<double>::Identity() * b.inertia;
    body.shape = geometry::sphere<double>(kRadius);
    body.pose.position = {b.place[0], b.place[1], b.place[2]};
    body.velocity.linear = {b.velocity[0], b.velocity[1], b.velocity[2]};
    body.velocity.angular = {b.spin[0], b.spin[1], b.spin[2]};
    scene->add(body);
  }
  for (const auto& [a, b] : kPairs) scene->touch(a, b, t.mu);
  int index = 0;
  if (t.joined)
    Heap::must(add_joint(scene->world, dynamics::JointType::spherical, 2, 3,
                         Vector3(t.joint[0], t.joint[1], t.joint[2]), Vector3(1, 0, 0), index));
  scene->step();
  return scene;
}

void heaps() {
  Worst speed("heap of four balls, relaxed cone: velocities, of the largest");
  for (int trial = 0; trial < 12; ++trial) {
    const Throw t = draw(trial);
    const Column want = by_the_programme(t);
    const auto scene = by_a_step(t);
    const double size = std::max(1.0, static_cast<double>(oracle::largest(want)));
    for (std::size_t i = 0; i < 4; ++i) {
      const auto& v = scene->velocity(static_cast<int>(i) + 1);
      for (int k = 0; k < 3; ++k) {
        const auto at = 6 * i + static_cast<std::size_t>(k);
        speed.see(std::fabs(static_cast<double>(v.linear[k] - want[at])) / size);
        speed.see(std::fabs(static_cast<double>(v.angular[k] - want[at + 3])) / size);
      }
    }
  }
  speed.within(2e-13);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(heaps);
  return UNITY_END();
}
