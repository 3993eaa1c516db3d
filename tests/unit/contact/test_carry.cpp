// The history of a patch over the material: whole cells move as they are, what enters carries no load,
// elastic energy only falls, and a steady field changes at the same rate for every step.
#include <cmath>
#include <vector>

#include "tactus/contact/patch_matrices.hpp"
#include "unity.h"

using namespace tactus;
using contact::PatchLaw;

namespace {

constexpr int kMost = 16;

class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed) {}
  double operator()() {  // in [-1, 1)
    state_ = state_ * 1664525U + 1013904223U;
    return static_cast<double>(state_ >> 8) / 8388608.0 - 1;
  }

 private:
  std::uint32_t state_;
};

template <class Scalar, int Dim>
struct Window {
  contact::Patch<Scalar, Dim, kMost, contact::PatchParts{.energy = true}> patch;
  std::vector<Scalar> delta;

  Window(int columns, int rows, double poisson) {
    PatchLaw<Scalar> law;
    law.columns = static_cast<std::uint8_t>(columns);
    law.rows = static_cast<std::uint8_t>(rows);
    law.spacing = Scalar(1e-3);
    law.compliance = Scalar(1e-7);
    law.poisson = static_cast<Scalar>(poisson);
    TEST_ASSERT_TRUE(contact::configure(patch, law, Scalar(1e-3)) == What::none);
    delta.assign(static_cast<std::size_t>(patch.size()), Scalar(0));
  }
  // All of it out of contact, so that nothing enters touching.
  void carry(Scalar t, Scalar o = 0, Scalar gap = 1) {
    Scalar moved[Dim - 1];
    moved[0] = t;
    if constexpr (Dim == 3) moved[1] = o;
    contact::carry<Dim, kMost>(
        patch.law.columns, patch.law.rows, patch.entry, moved, [gap](int) { return gap; }, delta.data());
  }
  Scalar energy() const { return patch.energy(delta.data()); }
  Scalar load(int row) const {  // (K delta)_row
    Scalar sum = 0;
    for (int j = 0; j < patch.size(); ++j)
      sum += patch.K[row * patch.size() + j] * delta[static_cast<std::size_t>(j)];
    return sum;
  }
};

template <class Scalar, int Dim>
void energy_only_falls() {
  Random random(7);
  const double tolerance = sizeof(Scalar) == 4 ? 1e-5 : 1e-12;
  constexpr int sizes[][2] = {{1, 1}, {2, 1}, {3, 1}, {5, 1}, {16, 1},
                              {2, 2}, {3, 2}, {3, 3}, {4, 4}, {2, 8}};
  for (const auto& size : sizes) {
    if (Dim == 2 && size[1] > 1) continue;
    for (const double poisson : {0.0, 0.3, 0.5}) {
      Window<Scalar, Dim> w(size[0], size[1], poisson);
      for (int k = 0; k < 200; ++k) {
        const double kind = random();  // smooth, rough and random
        for (std::size_t i = 0; i < w.delta.size(); ++i)
          w.delta[i] = static_cast<Scalar>(kind < -0.3  ? 1e-5
                                           : kind < 0.3 ? (i % 2 == 0 ? 1e-5 : -1e-5)
                                                        : 1e-5 * random());
        const Scalar before = w.energy();
        w.carry(static_cast<Scalar>(3 * random()), static_cast<Scalar>(k % 2 == 0 ? 0 : 3 * random()));
        TEST_ASSERT_TRUE(w.energy() <= before * static_cast<Scalar>(1 + tolerance));
      }
    }
  }
}

// A cell further: the others have what their neighbours had, and what has entered carries nothing. All that
// had no load behind comes back.
void whole_cells_move_as_they_are() {
  for (const int way : {1, -1}) {
    Window<double, 3> w(3, 2, 0.3);
    Random random(3);
    for (double& d : w.delta) d = 1e-5 * random();
    const auto before = w.delta;
    w.carry(way);
    for (int row = 0; row < 2; ++row) {
      for (int c = 0; c < 3; ++c) {
        const int from = c + way, e = 3 * row + c;
        for (int d = 0; d < 3; ++d) {
          const auto k = static_cast<std::size_t>(3 * e + d);
          if (from >= 0 && from < 3)
            TEST_ASSERT_DOUBLE_WITHIN(1e-20, before[static_cast<std::size_t>(3 * (3 * row + from) + d)],
                                      w.delta[k]);
          else
            TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, w.load(3 * e + d));
        }
      }
    }
    const auto there = w.delta;
    const double energy = w.energy();
    w.carry(0, way);
    w.carry(0, -way);
    TEST_ASSERT_TRUE(w.energy() <= energy);
    w.delta = there;
    w.carry(0);
    TEST_ASSERT_TRUE(w.delta == there);
  }
}

// (delta - T delta) / h of c = 1 m/s is the same for every step up to a cell, and its first moment that of
// the whole for every step.
void a_steady_field_has_one_rate() {
  Window<double, 2> w(9, 1, 0.3);
  constexpr double cell = 1e-3;
  std::vector<double> field(18), rate;
  for (int e = 0; e < 9; ++e) {  // nothing at the ends, so that nothing enters or leaves
    const double x = (e - 4) / 2.5;
    field[static_cast<std::size_t>(2 * e)] = std::fabs(x) < 1 ? 1e-5 * (1 - x * x) : 0;
  }
  for (const double h : {1e-3, 3e-4, 1e-4, 1e-6}) {
    w.delta = field;
    w.carry(h / cell);
    std::vector<double> now;
    double sum = 0, moment = 0;
    for (int e = 0; e < 9; ++e) {
      const auto k = static_cast<std::size_t>(2 * e);
      now.push_back((field[k] - w.delta[k]) / h);
      sum += field[k];
      moment += (e - 4) * cell * now.back();
    }
    if (rate.empty()) rate = now;
    // At the end that goes ahead the others' load deforms what enters: it is left out.
    for (std::size_t e = 0; e < 8; ++e) TEST_ASSERT_DOUBLE_WITHIN(1e-12, rate[e], now[e]);
    const double entered = 4 * cell * now.back();
    TEST_ASSERT_DOUBLE_WITHIN(1e-12 * sum, sum, moment - entered);
  }
}

// A window inside of the contact goes on as it is at its edge; one that is left behind whole forgets, unless
// it is inside; and what is not a number leaves all behind.
void edges() {
  Window<double, 2> w(3, 1, 0.3);
  const std::vector<double> field{3e-5, 1e-6, 2e-5, 2e-6, 1e-5, 3e-6};
  w.delta = field;
  w.carry(1, 0, -2e-5);
  const std::vector<double> shifted{2e-5, 2e-6, 1e-5, 3e-6, 1e-5, 3e-6};
  for (std::size_t k = 0; k < 6; ++k) TEST_ASSERT_DOUBLE_WITHIN(1e-20, shifted[k], w.delta[k]);
  for (const double far : {3.0, -3.0, 1e300, -HUGE_VAL, std::nan("")}) {
    w.delta = field;
    w.carry(far, 0, -2e-5);
    TEST_ASSERT_TRUE(w.delta == field);
    w.carry(far);
    for (const double d : w.delta) TEST_ASSERT_EQUAL_DOUBLE(0, d);
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST((energy_only_falls<double, 2>));
  RUN_TEST((energy_only_falls<float, 2>));
  RUN_TEST((energy_only_falls<double, 3>));
  RUN_TEST((energy_only_falls<float, 3>));
  RUN_TEST(whole_cells_move_as_they_are);
  RUN_TEST(a_steady_field_has_one_rate);
  RUN_TEST(edges);
  return UNITY_END();
}
