// The contact problem's forms, friction laws, patches and curvature, against derivations.
#include <cmath>

#include "tactus/clock.hpp"
#include "tactus/contact/curvature.hpp"
#include "tactus/contact/friction.hpp"
#include "tactus/contact/guess.hpp"
#include "tactus/contact/outcome.hpp"
#include "tactus/contact/patch_matrices.hpp"
#include "tactus/contact/stewart.hpp"
#include "tactus/lcp/solver.hpp"
#include "tests/corpus/song_lcp.hpp"
#include "unity.h"

using namespace tactus;
using namespace tactus::contact;

namespace {

// Numbers between -1 and 1, the same on every machine.
struct Random {
  std::uint32_t state = 12345;
  double next() {
    state = state * 1664525U + 1013904223U;
    return static_cast<double>(state >> 8) / 8388608.0 - 1;
  }
};

constexpr int kElements = 3;

template <int Dim>
struct Sample {
  static constexpr int n = kElements * Dim;
  double A[n * n], b[n], mu[kElements], lambda[n], s[n], used[kElements];

  explicit Sample(Random& random, double friction) {
    double G[n * n];
    for (double& x : G) x = random.next();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = i == j ? 1 : 0;
        for (int k = 0; k < n; ++k) sum += G[i * n + k] * G[j * n + k] / n;
        A[i * n + j] = sum;
      }
    for (int i = 0; i < n; ++i) b[i] = random.next() - (i % Dim == 0 ? 0.5 : 0.0);
    for (double& m : mu) m = friction;
  }
  Problem<double, Dim> problem() const { return {kElements, A, n, b, mu, nullptr}; }

  bool by_song() {
    constexpr int unknowns = song::unknowns<Dim>(kElements);
    double M[unknowns * unknowns], q[unknowns];
    std::uint8_t block[unknowns];
    if (!song::to_lcp(problem(), M, unknowns, q, block)) return false;
    lcp::Workspace<double, unknowns> ws;
    const lcp::Problem<double> view{unknowns, M, unknowns, q, block};
    if (lcp::solve(view, ws).status != lcp::Status::solved) return false;
    song::from_lcp<double, Dim>(kElements, ws.z.data(), ws.w.data(), lambda, s, used);
    return true;
  }
  bool by_stewart(int k) {
    constexpr int most = stewart::unknowns(kElements, Dim == 2 ? 2 : 16);
    const int unknowns = stewart::unknowns(kElements, k);
    static double M[most * most];
    double q[most];
    std::uint8_t block[most];
    stewart::to_lcp(problem(), k, M, unknowns, q, block);
    static lcp::Workspace<double, most> ws;
    const lcp::Problem<double> view{unknowns, M, unknowns, q, block};
    if (lcp::solve(view, ws).status != lcp::Status::solved) return false;
    stewart::from_lcp(problem(), k, ws.z.data(), ws.w.data(), lambda, s, used);
    return true;
  }
  // The tries that it took, or 0.
  int by_modes(guess::Friction friction) {
    guess::ElementMode<double, Dim> mode[kElements];
    std::int16_t row[n];
    double work[n], scratch[n * n];
    const auto p = problem();
    const guess::Arrays<double, Dim> arrays{nullptr, mode, row, work, scratch, lambda, s, used};
    guess::Search<double, Dim> search(p, friction, false, arrays);
    auto answer = search.run([](int) { return Remembered{}; }, kNoClock);
    if (answer.found) return answer.tries;
    answer = search.go_on(guess::kTriesAfterPath<double>, kNoClock);
    return answer.found ? guess::kTries + answer.tries : 0;
  }
  // Every law of the problem, from A and b; friction by the named set. Returns the largest breach.
  double breach(bool box) const {
    double worst = 0;
    for (int i = 0; i < n; ++i) {
      double want = b[i];
      for (int j = 0; j < n; ++j) want += A[i * n + j] * lambda[j];
      worst = std::fmax(worst, std::fabs(s[i] - want));
    }
    for (int e = 0; e < kElements; ++e) {
      const double* l = lambda + e * Dim;
      const double* v = s + e * Dim;
      worst = std::fmax(worst, std::fabs(std::fmin(l[0], v[0])));
      const double limit = mu[e] * l[0];
      if (box) {
        for (int k = 1; k < Dim; ++k) {
          worst = std::fmax(worst, std::fabs(l[k]) - limit);
          // Least work: lambda_t s_t = -mu lambda_n |s_t|.
          worst = std::fmax(worst, std::fabs(l[k] * v[k] + limit * std::fabs(v[k])));
        }
      } else if constexpr (Dim == 3) {
        const double slip = std::hypot(v[1], v[2]);
        worst = std::fmax(worst, std::hypot(l[1], l[2]) - limit);
        worst = std::fmax(worst, std::fabs(l[1] * v[1] + l[2] * v[2] + limit * slip));
      }
    }
    return worst;
  }
};

void planar_forms_agree() {
  Random random;
  int guessed = 0;
  for (int k = 0; k < 300; ++k) {
    Sample<2> song_form(random, 0.3);
    Sample<2> stewart_form = song_form, modes = song_form;
    TEST_ASSERT_TRUE(song_form.by_song());
    TEST_ASSERT_TRUE(stewart_form.by_stewart(2));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, song_form.breach(true));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, stewart_form.breach(true));
    if (modes.by_modes(guess::Friction::box) == 0) continue;
    ++guessed;
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, modes.breach(true));
    for (int i = 0; i < 6; ++i) TEST_ASSERT_DOUBLE_WITHIN(1e-8, song_form.lambda[i], modes.lambda[i]);
  }
  TEST_ASSERT_GREATER_THAN_INT(280, guessed);
}

void spatial_forms_hold_their_laws() {
  Random random;
  int guessed_box = 0, guessed_cone = 0;
  for (int k = 0; k < 100; ++k) {
    Sample<3> box(random, 0.3);
    Sample<3> box_modes = box, cone_modes = box, facets = box;
    TEST_ASSERT_TRUE(box.by_song());
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, box.breach(true));
    if (box_modes.by_modes(guess::Friction::box) > 0) {
      ++guessed_box;
      for (int i = 0; i < 9; ++i) TEST_ASSERT_DOUBLE_WITHIN(1e-8, box.lambda[i], box_modes.lambda[i]);
    }
    if (cone_modes.by_modes(guess::Friction::round) == 0) continue;
    ++guessed_cone;
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, cone_modes.breach(false));
    // A pyramid of k facets is near the cone, within what its facets lack.
    for (const int faces : {4, 8, 16}) {
      TEST_ASSERT_TRUE(facets.by_stewart(faces));
      for (int e = 0; e < kElements; ++e) {
        const double* l = facets.lambda + 3 * e;
        const double size = std::hypot(l[1], l[2]), limit = 0.3 * l[0];
        const double slip = std::hypot(facets.s[3 * e + 1], facets.s[3 * e + 2]);
        TEST_ASSERT_TRUE(size <= limit + 1e-9);
        if (slip > 1e-6 && l[0] > 1e-6) TEST_ASSERT_TRUE(size >= limit * (1 - facet_error(faces)) - 1e-9);
      }
    }
  }
  TEST_ASSERT_GREATER_THAN_INT(90, guessed_box);
  TEST_ASSERT_GREATER_THAN_INT(90, guessed_cone);
}

void facets_go_round() {
  for (const int k : {4, 8, 16}) {
    const Direction<double> first{0.6, 0.8};
    for (int j = 0; j < k; ++j) {
      const double angle = std::atan2(0.8, 0.6) + 2 * 3.14159265358979323846 * j / k;
      const auto d = facet_direction<double>(j, k, first);
      TEST_ASSERT_DOUBLE_WITHIN(1e-15, std::cos(angle), d.t);
      TEST_ASSERT_DOUBLE_WITHIN(1e-15, std::sin(angle), d.o);
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1 - std::cos(3.14159265358979323846 / k), facet_error(k));
    TEST_ASSERT_TRUE(valid_facets(k));
  }
  TEST_ASSERT_FALSE(valid_facets(6));
  TEST_ASSERT_FALSE(valid_facets(0));
}

void friction_laws() {
  Friction<double> hysteresis{FrictionKind::static_kinetic, 0.3, 0.5, 0, 1};
  TEST_ASSERT_TRUE(valid(hysteresis));
  TEST_ASSERT_EQUAL_DOUBLE(0.5, coefficient(hysteresis, Grip::sticks, 1.0, 0.0));
  TEST_ASSERT_EQUAL_DOUBLE(0.3, coefficient(hysteresis, Grip::slips, 0.0, 1.0));
  TEST_ASSERT_EQUAL_DOUBLE(0.3, coefficient(hysteresis, Grip::unknown, 1.0, 0.1));
  TEST_ASSERT_EQUAL_DOUBLE(0.5, coefficient(hysteresis, Grip::unknown, 0.0, 0.1));
  hysteresis.resting = 0.2;
  TEST_ASSERT_FALSE(valid(hysteresis));
  Friction<double> speed{FrictionKind::speed, 0.3, 0, 0.2, 0.05};
  TEST_ASSERT_TRUE(valid(speed));
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.5, coefficient(speed, Grip::unknown, 0.0, 0.0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.3 + 0.2 * std::exp(-2.0), coefficient(speed, Grip::slips, 0.1, 0.0));
  speed.scale = 0;
  TEST_ASSERT_FALSE(valid(speed));
  Friction<double> bad;
  bad.kinetic = -0.1;
  TEST_ASSERT_FALSE(valid(bad));
  bad.kinetic = std::nan("");
  TEST_ASSERT_FALSE(valid(bad));
}

void decay_is_the_exponential() {
  double worst = 0;
  float worst_float = 0;
  for (int k = 0; k <= 4000; ++k) {
    const double x = -k * 0.02;
    worst = std::fmax(worst, std::fabs(math::decay(x) / std::exp(x) - 1));
    const auto y = static_cast<float>(x);
    if (y > -80)
      worst_float = std::fmax(
          worst_float, std::fabs(math::decay(y) / static_cast<float>(std::exp(static_cast<double>(y))) - 1));
  }
  TEST_ASSERT_TRUE(worst < 5e-16);
  TEST_ASSERT_TRUE(worst_float < 2.5e-7F);
  TEST_ASSERT_EQUAL_DOUBLE(0, math::decay(-1e4));
  TEST_ASSERT_EQUAL_DOUBLE(1, math::decay(0.0));
}

void lumped_patch() {
  PatchLaw<double> law;
  law.stiffness = 2000;
  law.damping = 30;
  Patch<double, 3, 1> patch;
  TEST_ASSERT_TRUE(configure(patch, law, 1e-3) == What::none);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      TEST_ASSERT_DOUBLE_WITHIN(1e-15, i == j ? 1.0 / 32 : 0, patch.R[3 * i + j]);
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, i == j ? 2000.0 / 32 : 0, patch.B[3 * i + j]);
    }
}

void bad_patches() {
  Patch<double, 2, 3> patch;
  PatchLaw<double> good;
  good.columns = 3;
  good.spacing = 1e-6;
  good.compliance = 1e-10;
  good.poisson = 0.3;
  TEST_ASSERT_TRUE(configure(patch, good, 1e-4) == What::none);
  const auto fails = [&](auto&& change, What want) {
    PatchLaw<double> law = good;
    change(law);
    TEST_ASSERT_TRUE(configure(patch, law, 1e-4) == want);
  };
  fails([](auto& l) { l.columns = 4; }, What::patch_elements);
  fails([](auto& l) { l.columns = 0; }, What::patch_elements);
  fails([](auto& l) { l.rows = 2, l.columns = 1; }, What::patch_elements);
  fails([](auto& l) { l.spacing = 0; }, What::patch_spacing);
  fails([](auto& l) { l.spacing = std::nan(""); }, What::patch_spacing);
  fails([](auto& l) { l.compliance = -1; }, What::patch_compliance);
  fails([](auto& l) { l.compliance = 0; }, What::patch_compliance);
  fails([](auto& l) { l.poisson = 0.6; }, What::patch_poisson);
  fails([](auto& l) { l.compliance = 0, l.columns = 1; }, What::patch_stiffness);
  fails([](auto& l) { l.compliance = 0, l.columns = 1, l.stiffness = 1, l.damping = -1; },
        What::patch_damping);
}

// An ellipse at the end of its minor axis bends by b / a^2, at that of its major axis by a / b^2; a sphere by
// 1 / r.
void curvatures() {
  const auto ellipse = geometry::ellipse<double>(0.1, 0.05);
  const geometry::PlanarFrame<double> level;
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 5, curvature<double>(ellipse, level, math::Vector2<double>(0, 1)).tt);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 40, curvature<double>(ellipse, level, math::Vector2<double>(1, 0)).tt);
  using V = math::Vector3<double>;
  const geometry::SpatialFrame<double> frame;
  const auto c = curvature<double>(geometry::ellipsoid<double>(0.1, 0.2, 0.05), frame, V(0, 0, 1), V(1, 0, 0),
                                   V(0, 1, 0));
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 5, c.tt);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, c.to);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.25, c.oo);
  TEST_ASSERT_DOUBLE_WITHIN(
      1e-12, 10,
      curvature<double>(geometry::sphere<double>(0.1), frame, V(0, 0, 1), V(1, 0, 0), V(0, 1, 0)).oo);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(planar_forms_agree);
  RUN_TEST(spatial_forms_hold_their_laws);
  RUN_TEST(facets_go_round);
  RUN_TEST(friction_laws);
  RUN_TEST(decay_is_the_exponential);
  RUN_TEST(lumped_patch);
  RUN_TEST(bad_patches);
  RUN_TEST(curvatures);
  return UNITY_END();
}
