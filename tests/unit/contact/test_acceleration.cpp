// The acceleration level against closed forms: a particle that is pushed, a rod that jams (Pang-Trinkle 1996,
// section 5, after Painleve), a driven joint, fixtures; and what is refused.
#include "tactus/contact/acceleration_cone.hpp"
#include "tactus/contact/acceleration_relaxed.hpp"
#include "tactus/contact/fixture.hpp"
#include "unity.h"

using namespace tactus::contact::acceleration;

namespace {

template <class Scalar>
constexpr Scalar kNear = sizeof(Scalar) == 8 ? Scalar(1e-12) : Scalar(1e-5);

template <class Scalar>
void near(Scalar expected, Scalar got) {
  const Scalar size = std::fabs(expected) > 1 ? std::fabs(expected) : Scalar(1);
  TEST_ASSERT_TRUE(std::fabs(expected - got) <= kNear<Scalar> * size);
}

// A particle of mass m on a table, weight m g, pushed along t and o.
template <class Scalar>
struct Particle {
  Scalar m, A[9]{}, b[3], mu, velocity[2]{};
  Particle(Scalar mass, Scalar push_t, Scalar push_o, Scalar friction) : m(mass), mu(friction) {
    for (int i = 0; i < 3; ++i) A[4 * i] = 1 / m;
    b[0] = Scalar(-9.81);
    b[1] = push_t / m;
    b[2] = push_o / m;
  }
  Problem<Scalar, 3> view() const { return {{1, A, 3, b, &mu, nullptr}, velocity}; }
};

// 1 g and 1 t: the push is a share of the weight.
template <class Scalar>
void check_particle(Scalar m) {
  static PyramidWorkspace<Scalar, 3, 1> pyramid;
  static ConeWorkspace<Scalar, 3, 1> cone;
  const Scalar weight = m * Scalar(9.81), mu = Scalar(0.5);
  // Inside both: it stays. Between them (0.45, 0.4) only the pyramid holds it.
  for (const Scalar o : {Scalar(0.1), Scalar(0.4)}) {
    const Particle<Scalar> p(m, Scalar(0.45) * weight, o * weight, mu);
    TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(solve_pyramid(p.view(), pyramid).status));
    near(weight / m, pyramid.c[0] / m);
    near(Scalar(-0.45) * weight / m, pyramid.c[1] / m);
    near(-o * weight / m, pyramid.c[2] / m);
    near(Scalar(0), pyramid.a[1]);
    cone.c.fill(0);
    TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(solve_cone(p.view(), cone).status));
    const Scalar push = std::sqrt(Scalar(0.45) * Scalar(0.45) + o * o),
                 excess = push > mu ? 1 - mu / push : 0;
    near(excess * p.b[1], cone.a[1]);
    near(excess * p.b[2], cone.a[2]);
    near(weight / m, cone.c[0] / m);
  }
  // Beyond the pyramid along t only: o still sticks there, while the cone lets it go along the push.
  const Particle<Scalar> fast(m, Scalar(0.9) * weight, Scalar(0.3) * weight, mu);
  TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(solve_pyramid(fast.view(), pyramid).status));
  near(Scalar(0.4) * Scalar(9.81), pyramid.a[1]);
  near(Scalar(0), pyramid.a[2]);
  // Pulled up by twice its weight: nothing touches.
  Particle<Scalar> lifted(m, weight, 0, mu);
  lifted.b[0] = Scalar(9.81);
  TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(solve_pyramid(lifted.view(), pyramid).status));
  for (const Scalar c : pyramid.c) near(Scalar(0), c);
  cone.c.fill(weight);
  TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(solve_cone(lifted.view(), cone).status));
  for (const Scalar c : cone.c) near(Scalar(0), c / m);
  // Sliding obliquely at (3, 4) m/s: friction mu m g against the velocity, both laws.
  Particle<Scalar> slides(m, 0, 0, mu);
  slides.velocity[0] = 3;
  slides.velocity[1] = 4;
  TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(solve_pyramid(slides.view(), pyramid).status));
  cone.c.fill(0);
  TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(solve_cone(slides.view(), cone).status));
  for (const Scalar* a : {pyramid.a.data(), cone.a.data()}) {
    near(Scalar(-0.6) * mu * Scalar(9.81), a[1]);
    near(Scalar(-0.8) * mu * Scalar(9.81), a[2]);
  }
}

void test_particle() {
  check_particle<double>(1);
  check_particle<double>(1e-3);
  check_particle<double>(1e3);
  check_particle<float>(1.0F);
  check_particle<float>(1e-3F);
  check_particle<float>(1e3F);
}

// A rod of 1 m and 1 kg at 60 degrees whose end slides on the floor: with the arm (-cos, -sin) / 2 from its
// centre, A_nn = 1 + 3 cos^2, A_nt = -3 cos sin. Sliding to the left, c_t = mu c_n and a_n = (A_nn + mu A_nt)
// c_n
// + b_n. With mu = 2 that factor is negative: no solution for b_n < 0, two for b_n > 0.
template <class Scalar>
struct Rod {
  Scalar A[4], b[2], mu, velocity = -1;
  Rod(Scalar friction, Scalar b_n) : mu(friction) {
    const Scalar cosine = Scalar(0.5), sine = std::sqrt(Scalar(0.75));
    A[0] = 1 + 3 * cosine * cosine;
    A[1] = A[2] = -3 * cosine * sine;
    A[3] = 1 + 3 * sine * sine;
    b[0] = b_n;
    b[1] = 0;
  }
  Scalar factor() const { return A[0] + mu * A[1]; }
  Problem<Scalar, 2> view() const { return {{1, A, 2, b, &mu, nullptr}, &velocity}; }
};

template <class Scalar>
void check_rod() {
  static PyramidWorkspace<Scalar, 2, 2> workspace;
  static RelaxedWorkspace<Scalar, 2, 2> relaxed;
  const Scalar g = Scalar(9.81);
  const Rod<Scalar> slides(Scalar(0.3), -g);
  TEST_ASSERT_EQUAL_STRING(sentence(Status::solved),
                           sentence(solve_pyramid(slides.view(), workspace).status));
  near(g / slides.factor(), workspace.c[0]);
  near(Scalar(0.3) * workspace.c[0], workspace.c[1]);

  const Rod<Scalar> jams(2, -g);
  const auto none = solve_pyramid(jams.view(), workspace);
  TEST_ASSERT_EQUAL_STRING(sentence(Status::none), sentence(none.status));
  TEST_ASSERT_TRUE(none.searched && none.residual > Scalar(0.1));
  // The least f: friction may only be less. c_n = (g + A_nt x) / factor with x = mu c_n - c_t grows as x
  // falls, until c_t = 0: c_n = g / A_nn, f = (mu c_n)^2.
  const auto best = solve_relaxed(jams.view(), Law::pyramid, relaxed);
  TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(best.status));
  TEST_ASSERT_TRUE(best.proved);
  near(g / jams.A[0], relaxed.c[0]);
  near(Scalar(0), relaxed.c[1]);
  near(4 * (g / jams.A[0]) * (g / jams.A[0]), best.f);

  const Rod<Scalar> two(2, 3);
  int open = 0, closed = 0;
  const bool all = each_solution(two.view(), workspace, 1000, [&](const Scalar* c, const Scalar* a, Scalar) {
    open += c[0] == 0 && a[0] == 3 ? 1 : 0;
    closed += std::fabs(c[0] + 3 / two.factor()) <= kNear<Scalar> * c[0] ? 1 : 0;
    return true;
  });
  TEST_ASSERT_TRUE(all);
  TEST_ASSERT_EQUAL_INT(1, open);
  TEST_ASSERT_EQUAL_INT(1, closed);
  // The same law says nothing of energy where it holds: f = 0.
  near(Scalar(0), solve_relaxed(two.view(), Law::pyramid, relaxed).f);
}

void test_rod() {
  check_rod<double>();
  check_rod<float>();
}

constexpr SystemSize kPush{.contacts = 1, .freedoms = 2, .joints = 2};

// A prismatic pusher of 2 kg drives a 3 kg block at 4 m/s^2: 12 N between them. A second joint of 1 kg, under
// 5 N, is coupled to it by 0.5 kg: 0.5 * 4 + x = 5 gives it x = 3 m/s^2, and the first joint needs 2 * 4 +
// 0.5 * 3 + 12 N. A block that is pulled away faster than that is left behind.
template <class Scalar>
void check_driven() {
  static PyramidWorkspace<Scalar, 2, 1> workspace;
  static Reduction<Scalar, 2, kPush> reduction;
  System<Scalar, 2, kPush> s;
  s.contacts = 1;
  s.freedoms = s.joints = 2;
  s.M_obj[0] = s.M_obj[3] = 3;
  s.W[0] = s.W[3] = 1;  // n along x, t along y
  s.M_man[0] = 2;
  s.M_man[3] = 1;
  s.M_man[1] = s.M_man[2] = Scalar(0.5);
  s.J[0] = 1;
  s.driven[0] = true;
  s.thdd[0] = 4;
  s.tau[1] = 5;
  s.mu[0] = Scalar(0.5);
  TEST_ASSERT_TRUE(reduce(s, reduction));
  TEST_ASSERT_EQUAL_STRING(sentence(Status::solved),
                           sentence(solve_pyramid(problem(s, reduction), workspace).status));
  TEST_ASSERT_TRUE(recover(s, workspace.c.data(), workspace.a.data(), reduction) <= kNear<Scalar>);
  near(Scalar(12), workspace.c[0]);
  near(Scalar(4), reduction.qdd[0]);
  near(Scalar(21.5), reduction.tau[0]);
  near(Scalar(3), reduction.thdd[1]);
  s.f_obj[0] = 30;
  TEST_ASSERT_TRUE(reduce(s, reduction));
  solve_pyramid(problem(s, reduction), workspace);
  recover(s, workspace.c.data(), workspace.a.data(), reduction);
  near(Scalar(0), workspace.c[0]);
  near(Scalar(10), reduction.qdd[0]);
  near(Scalar(6), workspace.a[0]);
  near(Scalar(9.5), reduction.tau[0]);
}

void test_driven_joint() {
  check_driven<double>();
  check_driven<float>();
}

constexpr SystemSize kPart{.contacts = 2, .freedoms = 3, .joints = 0};

template <class Scalar>
void touch(System<Scalar, 2, kPart>& s, Scalar x, Scalar y, Scalar n_x, Scalar n_y, Scalar mu) {
  const Scalar axis[2][2] = {{n_x, n_y}, {n_y, -n_x}};
  for (int k = 0; k < 2; ++k) {
    Scalar* const w = s.W.data() + (s.contacts * 2 + k) * 3;
    w[0] = axis[k][0];
    w[1] = axis[k][1];
    w[2] = x * axis[k][1] - y * axis[k][0];
  }
  s.mu[static_cast<std::size_t>(s.contacts++)] = mu;
}

// A part of 2 kg, 0.2 m wide and 0.1 m high, in the plane.
template <class Scalar>
System<Scalar, 2, kPart> part() {
  System<Scalar, 2, kPart> s;
  s.freedoms = 3;
  s.M_obj[0] = s.M_obj[4] = 2;
  s.M_obj[8] = Scalar(2 * (0.04 + 0.01) / 12);
  s.f_obj[1] = Scalar(-2 * 9.81);
  return s;
}

template <class Scalar>
void check_fixtures() {
  static FixtureWorkspace<Scalar, 2, kPart> workspace;
  const Scalar w = Scalar(0.1), h = Scalar(0.05), mu = Scalar(0.3);
  const auto says = [&](const System<Scalar, 2, kPart>& s, Stability stability, FixtureReason reason) {
    const auto verdict = check_fixture(s, workspace, Law::pyramid);
    TEST_ASSERT_EQUAL_STRING(sentence(reason), sentence(verdict.reason));
    TEST_ASSERT_EQUAL_INT(static_cast<int>(stability), static_cast<int>(verdict.stability));
  };
  auto floor = part<Scalar>();
  touch(floor, -w, -h, Scalar(0), Scalar(1), mu);
  touch(floor, w, -h, Scalar(0), Scalar(1), mu);
  says(floor, Stability::stable, FixtureReason::holds);
  // Its weight beside both feet: it tips.
  auto overhang = part<Scalar>();
  touch(overhang, w / 2, -h, Scalar(0), Scalar(1), mu);
  touch(overhang, w, -h, Scalar(0), Scalar(1), mu);
  says(overhang, Stability::unstable, FixtureReason::falls);
  // Between two walls and nothing below: any squeeze may hold it or not be there.
  auto walls = part<Scalar>();
  touch(walls, -w, Scalar(0), Scalar(1), Scalar(0), mu);
  touch(walls, w, Scalar(0), Scalar(-1), Scalar(0), mu);
  says(walls, Stability::undecided, FixtureReason::ambiguous);
  near(Scalar(2 * 9.81), std::fabs(workspace.hold[1]) + std::fabs(workspace.hold[3]));
  TEST_ASSERT_TRUE(workspace.qdd[1] < -1);
  // Without friction no squeeze carries it.
  walls.mu.fill(0);
  says(walls, Stability::unstable, FixtureReason::falls);
  // On a slope of 20 degrees: tan 20 = 0.364.
  for (const Scalar friction : {Scalar(0.35), Scalar(0.38)}) {
    auto slope = part<Scalar>();
    touch(slope, -w, -h, Scalar(0), Scalar(1), friction);
    touch(slope, w, -h, Scalar(0), Scalar(1), friction);
    slope.f_obj[0] = Scalar(2 * 9.81 * 0.34202014332566873);
    slope.f_obj[1] = Scalar(-2 * 9.81 * 0.93969262078590838);
    if (friction < Scalar(0.36))
      says(slope, Stability::unstable, FixtureReason::falls);
    else
      says(slope, Stability::stable, FixtureReason::holds);
  }
  auto moving = floor;
  moving.velocity[0] = 1;
  says(moving, Stability::undecided, FixtureReason::moving);
  moving = floor;
  moving.bias[0] = 1;
  says(moving, Stability::undecided, FixtureReason::moving);
  const auto poor = check_fixture(floor, workspace, Law::pyramid, {.search = 0});
  TEST_ASSERT_EQUAL_STRING(sentence(FixtureReason::budget), sentence(poor.reason));
  moving.M_obj[0] = -1;
  says(moving, Stability::undecided, FixtureReason::bad_input);
}

void test_fixtures() {
  check_fixtures<double>();
  check_fixtures<float>();
}

void test_bad_input() {
  static PyramidWorkspace<double, 2, 2> workspace;
  static ConeWorkspace<double, 2, 2> cone;
  static RelaxedWorkspace<double, 2, 2> relaxed;
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const auto refused = [&](const Problem<double, 2>& p) {
    TEST_ASSERT_EQUAL_STRING(sentence(Status::bad_input), sentence(solve_pyramid(p, workspace).status));
    TEST_ASSERT_EQUAL_STRING(sentence(Status::bad_input), sentence(solve_cone(p, cone).status));
    TEST_ASSERT_EQUAL_STRING(sentence(Status::bad_input),
                             sentence(solve_relaxed(p, Law::pyramid, relaxed).status));
    TEST_ASSERT_FALSE(
        each_solution(p, workspace, 100, [](const double*, const double*, double) { return true; }));
  };
  for (const double wrong : {nan, inf, -inf}) {
    Rod<double> rod(2, -9.81);
    rod.A[1] = wrong;
    refused(rod.view());
    rod = Rod<double>(2, wrong);
    refused(rod.view());
    rod = Rod<double>(wrong, -9.81);
    refused(rod.view());
    rod = Rod<double>(2, -9.81);
    rod.velocity = wrong;
    refused(rod.view());
  }
  Rod<double> rod(-0.1, -9.81);
  refused(rod.view());
  rod = Rod<double>(2, -9.81);
  auto view = rod.view();
  view.contact.elements = 3;
  refused(view);
  view.contact.elements = -1;
  refused(view);
  view = rod.view();
  view.contact.stride = 1;
  refused(view);
  view = rod.view();
  view.contact.b = nullptr;
  refused(view);
  // Nothing touches: nothing to do.
  view = rod.view();
  view.contact.elements = 0;
  TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(solve_pyramid(view, workspace).status));
  // No budget: nothing is claimed.
  const auto poor = solve_pyramid(rod.view(), workspace, {.lemke = 0, .search = 0});
  TEST_ASSERT_EQUAL_STRING(sentence(Status::undecided), sentence(poor.status));

  static Reduction<double, 2, kPart> reduction;
  const auto unreduced = [&](auto change) {
    auto s = part<double>();
    touch(s, 0.1, 0.0, 1.0, 0.0, 0.3);
    TEST_ASSERT_TRUE(reduce(s, reduction));
    change(s);
    TEST_ASSERT_FALSE(reduce(s, reduction));
  };
  unreduced([](auto& s) { s.M_obj[1] = 0.5; });
  unreduced([](auto& s) { s.M_obj[8] = 0; });
  unreduced([](auto& s) { s.M_obj[0] = -2; });
  unreduced([&](auto& s) { s.M_obj[0] = nan; });
  unreduced([&](auto& s) { s.M_obj[0] = inf; });
  unreduced([&](auto& s) { s.W[2] = nan; });
  unreduced([&](auto& s) { s.f_obj[0] = inf; });
  unreduced([&](auto& s) { s.bias[1] = nan; });
  unreduced([&](auto& s) { s.velocity[0] = nan; });
  unreduced([](auto& s) { s.mu[0] = -1; });
  unreduced([](auto& s) { s.contacts = 3; });
  unreduced([](auto& s) { s.freedoms = 4; });
  unreduced([](auto& s) { s.joints = 1; });
  unreduced([](auto& s) { s.contacts = -1; });
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_particle);
  RUN_TEST(test_rod);
  RUN_TEST(test_driven_joint);
  RUN_TEST(test_fixtures);
  RUN_TEST(test_bad_input);
  return UNITY_END();
}
