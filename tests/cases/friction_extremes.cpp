// Instants with coefficients of friction from 0 to 1e12: they are decided, all in the plane and all but one
// of 4,000 in space. The first is A = I, whose answer can be read off: c_n = 1, c_t = -0.1.
#include <memory>

#include "tactus/contact/acceleration_cone.hpp"
#include "tactus/contact/acceleration_pyramid.hpp"
#include "tests/corpus/friction_box.hpp"
#include "tests/unit/tell.hpp"
#include "unity.h"

using namespace tactus::contact::acceleration;

namespace {

template <class Scalar>
void unit_matrix() {
  constexpr Scalar kNear = sizeof(Scalar) == 8 ? Scalar(1e-8) : Scalar(2e-4);  // solved, and a little
  PyramidWorkspace<Scalar, 2, 1> plane;
  static PyramidWorkspace<Scalar, 3, 1> space;
  static ConeWorkspace<Scalar, 3, 1> cone;
  const Scalar I2[4] = {1, 0, 0, 1}, b2[2] = {-1, Scalar(0.1)};
  const Scalar I3[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b3[3] = {-1, Scalar(0.1), Scalar(-0.2)};
  for (Scalar mu = 1; mu < Scalar(2e12); mu *= 10) {
    const Problem<Scalar, 2> in_plane{{1, I2, 2, b2, &mu, nullptr}, nullptr};
    TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(solve_pyramid(in_plane, plane).status));
    TEST_ASSERT_TRUE(std::fabs(plane.c[0] - 1) < kNear && std::fabs(plane.c[1] + Scalar(0.1)) < kNear);
    const Problem<Scalar, 3> in_space{{1, I3, 3, b3, &mu, nullptr}, nullptr};
    TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(solve_pyramid(in_space, space).status));
    cone.c.fill(0);
    TEST_ASSERT_EQUAL_STRING(sentence(Status::solved), sentence(solve_cone(in_space, cone).status));
    TEST_ASSERT_TRUE(std::fabs(cone.c[1] + Scalar(0.1)) < kNear);
  }
}

template <class Scalar, int Dim>
void random_ones(std::uint32_t most_undecided) {
  constexpr int kMost = 3, kRows = kMost * Dim;
  static const auto pyramid = std::make_unique<PyramidWorkspace<Scalar, Dim, kMost>>();
  static const auto cone = std::make_unique<ConeWorkspace<Scalar, Dim, kMost>>();
  corpus::Random random(Dim);
  std::uint32_t solved = 0, none = 0, undecided = 0, round = 0, rolling = 0;
  for (int k = 0; k < 2000; ++k) {
    const int contacts = 1 + k % kMost, n = contacts * Dim;
    Scalar A[kRows * kRows], b[kRows], mu[kMost], velocity[kMost * (Dim - 1)]{};
    double B[kRows][kRows + 1];
    for (auto& row : B)
      for (double& x : row) x = random.uniform(-1, 1);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        double sum = i == j ? 0.1 : 0;
        for (int l = 0; l <= n; ++l) sum += B[i][l] * B[j][l];
        A[i * n + j] = static_cast<Scalar>(sum);
      }
      b[i] = static_cast<Scalar>(random.uniform(-10, 10));
    }
    for (int i = 0; i < contacts; ++i) {
      mu[i] = k % 7 == 0 ? Scalar(0) : static_cast<Scalar>(std::pow(10.0, random.uniform(-3, 12)));
      for (int l = 0; l < Dim - 1 && k % 3 == 0; ++l)
        velocity[i * (Dim - 1) + l] = static_cast<Scalar>(random.uniform(-1, 1));
    }
    const Problem<Scalar, Dim> p{{contacts, A, n, b, mu, nullptr}, velocity};
    const auto answer = solve_pyramid(p, *pyramid);
    solved += answer.status == Status::solved ? 1 : 0;
    none += answer.status == Status::none ? 1 : 0;
    undecided += answer.status == Status::undecided ? 1 : 0;
    if (k % 3 == 0 || Dim == 2) continue;
    ++rolling;
    cone->c.fill(0);
    if (answer.status == Status::solved) cone->c = pyramid->c;
    round += solve_cone(p, *cone).status == Status::solved ? 1 : 0;
  }
  tell::figure("instants solved:", solved);
  tell::figure("  without a solution:", none);
  tell::figure("  undecided:", undecided);
  tell::figure("  that roll:", rolling);
  tell::figure("  of these solved by the cone:", round);
  TEST_ASSERT_TRUE(undecided <= most_undecided);
}

void in_the_plane() {
  random_ones<double, 2>(0);
  random_ones<float, 2>(0);
}
void in_space() {
  random_ones<double, 3>(1);
  random_ones<float, 3>(0);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(unit_matrix<double>);
  RUN_TEST(unit_matrix<float>);
  RUN_TEST(in_the_plane);
  RUN_TEST(in_space);
  return UNITY_END();
}
