// The influence matrices of Song 2004, App. A: entries, K and C that follow, eigenvalues as printed and as
// corrected, and what the coefficients are of.
#include <memory>

#include "reference.hpp"
#include "tactus/contact/patch_matrices.hpp"

using namespace tactus;
using reference::Json;
using reference::Worst;

namespace {

constexpr double kPi = 3.14159265358979323846;

// Component-major index of the files (all n, then all t, all o) from the element-major one of the library.
std::size_t file_index(int row, int elements, int dim) {
  return static_cast<std::size_t>((row % dim) * elements + row / dim);
}

template <int Dim, int Columns, int Rows>
void compare_patch(const contact::PatchLaw<double>& law, const Json& xi, const Json* K, const Json* C,
                   double tolerance, const std::string& name) {
  constexpr int elements = Columns * Rows, n = elements * Dim;
  const double unit = law.compliance / law.spacing;
  Worst influence(name + " Xi, relative");
  std::vector<double> mine(n * n);
  double size = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double want = xi[file_index(i, elements, Dim)][file_index(j, elements, Dim)];
      const double have = unit * contact::influence(law, i / Dim, i % Dim, j / Dim, j % Dim);
      size = std::max(size, std::abs(want));
      influence.see(std::abs(have - want));
    }
  }
  influence.value /= size;
  influence.within(tolerance);
  if (K == nullptr) return;
  // R and B for two steps give K and C back: E = h K + C and R = E^-1.
  Worst stiffness(name + " R (h K + C) = 1"), ratio(name + " B = R K, relative");
  for (const double h : {1e-4, 1e-2}) {
    contact::Patch<double, Dim, elements> patch;
    TEST_ASSERT_TRUE(contact::configure(patch, law, h) == What::none);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        double unity = 0, b = 0, b_size = 0;
        for (int k = 0; k < n; ++k) {
          const auto fk = file_index(k, elements, Dim), fj = file_index(j, elements, Dim);
          unity += patch.R[i * n + k] * (h * (*K)[fk][fj].get<double>() + (*C)[fk][fj].get<double>());
          b += patch.R[i * n + k] * (*K)[fk][fj].get<double>();
          b_size = std::max(b_size, std::abs(patch.B[i * n + k]));
        }
        stiffness.see(std::abs(unity - (i == j ? 1 : 0)));
        ratio.see(std::abs(b - patch.B[i * n + j]) / b_size);
      }
    }
  }
  stiffness.within(tolerance);
  ratio.within(tolerance);
}

void influence_matrices() {
  const Json plane = reference::load("planar/influence_matrix.json");
  contact::PatchLaw<double> law;
  law.printed = true;
  law.columns = 3;
  law.spacing = plane["rho0"];
  law.compliance = plane["eps"];
  law.poisson = plane["nu"];
  compare_patch<2, 3, 1>(law, plane["Xi_line3_2d"], &plane["K_line3_2d"], &plane["C_line3_2d"], 1e-10,
                         "line of 3");
  law.rows = 3;
  compare_patch<3, 3, 3>(law, plane["Xi_grid3x3_3d_corrected"], nullptr, nullptr, 1e-10, "grid of 9");
  const Json space = reference::load("spatial/influence.json");
  law.spacing = space["rho0"];
  law.compliance = space["eps"];
  compare_patch<3, 3, 3>(law, space["Xi_nu03_corrected"], nullptr, nullptr, 1e-12, "grid of 9, unit");
}

// App. A's misprints: the pi in xi_nn(i, i), and the factor nu that xi_to lacks.
struct Printed {
  bool pi = false, no_nu = false;
};

std::vector<double> influence_of(const contact::PatchLaw<double>& law, int dim, Printed printed) {
  const int n = law.elements() * dim;
  std::vector<double> xi(static_cast<std::size_t>(n * n));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const int a = i / dim, c = i % dim, b = j / dim, d = j % dim;
      double x = contact::influence(law, a, c, b, d);
      if (printed.pi && i == j && c == 0) x /= kPi;
      if (printed.no_nu && a != b && c > 0 && d > 0 && c != d) {
        const double t = a % law.columns - b % law.columns, o = a / law.columns - b / law.columns;
        x = (1 + law.poisson) / kPi * t * o / std::pow(t * t + o * o, 1.5);
      }
      xi[static_cast<std::size_t>(i * n + j)] = x;
    }
  }
  return xi;
}

// The least and the largest eigenvalue of Xi, in eps / rho0.
std::array<double, 2> eigenvalues(int columns, int rows, int dim, double nu, Printed printed) {
  contact::PatchLaw<double> law;
  law.printed = true;
  law.columns = static_cast<std::uint8_t>(columns);
  law.rows = static_cast<std::uint8_t>(rows);
  law.spacing = law.compliance = 1;
  law.poisson = nu;
  const int n = law.elements() * dim;
  auto xi = influence_of(law, dim, printed);
  std::vector<double> v(xi.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      TEST_ASSERT_EQUAL_DOUBLE(xi[static_cast<std::size_t>(i * n + j)],
                               xi[static_cast<std::size_t>(j * n + i)]);
  TEST_ASSERT_TRUE(math::diagonalise(xi.data(), v.data(), n));
  std::array<double, 2> ends{xi[0], xi[0]};
  for (int i = 0; i < n; ++i) {
    ends[0] = std::min(ends[0], xi[static_cast<std::size_t>(i * (n + 1))]);
    ends[1] = std::max(ends[1], xi[static_cast<std::size_t>(i * (n + 1))]);
  }
  return ends;
}

// For every Poisson ratio and size of the files. As printed Xi is indefinite, as corrected it is not.
void eigenvalues_in_space() {
  const Json r = reference::load("spatial/influence.json")["results"];
  Worst worst("eigenvalues of the grid, printed and corrected");
  for (const auto& [name, want] : r.items()) {
    if (name.find("nu") == 0) {
      const std::size_t bar = name.find('_'), bar2 = name.find('_', bar + 1);
      const Printed printed{name.substr(bar + 1, bar2 - bar - 1) == "printed",
                            name.substr(bar2 + 1) == "printed"};
      const auto have = eigenvalues(3, 3, 3, std::stod(name.substr(2, bar - 2)), printed);
      worst.see(std::abs(have[0] - want["min_eig"].get<double>()));
      worst.see(std::abs(have[1] - want["max_eig"].get<double>()));
      TEST_ASSERT_EQUAL(printed.pi, have[0] < 0);
      if (have[0] > 0) worst.see(std::abs(have[1] / have[0] - want["cond"].get<double>()));
      TEST_ASSERT_EQUAL_DOUBLE(0, want["asym"].get<double>());
    } else if (name.find("ns") == 0) {
      const int side = std::stoi(name.substr(2));
      for (std::size_t k = 0; k < 4; ++k)
        worst.see(std::abs(want[k].get<double>() - eigenvalues(side, side, 3, 0.3, {k < 2, k % 2 == 0})[0]));
    }
  }
  worst.within(1e-11);
}

void eigenvalues_in_the_plane() {
  const Json list = reference::load("planar/influence_matrix.json")["eig_of_Xi_times_rho0_over_eps_min_max"];
  Worst worst("eigenvalues of lines and grids, relative");
  for (const auto& [name, want] : list.items()) {
    const double nu = std::stod(name.substr(name.find("nu") + 2));
    const int rows = name.find("grid") == 0 ? 3 : 1, dim = name.find("_2d") != std::string::npos ? 2 : 3;
    for (const auto& [how, printed] : {std::pair{"printed", Printed{true, true}},
                                       {"pi_removed_only", Printed{false, true}},
                                       {"nu_added_only", Printed{true, false}},
                                       {"corrected", Printed{}}}) {
      const auto have = eigenvalues(3, rows, dim, nu, printed);
      for (std::size_t k = 0; k < 2; ++k) worst.see(std::abs(have[k] / want[how][k].get<double>() - 1));
    }
  }
  worst.within(1e-10);
}

// What App. A's coefficients stand for: an even pressure on a square of side rho0 moves it by 0.9464 (1 -
// nu^2) on average, which is rounded to 0.95, and its centre by more; tangentially the paper has the centre
// of a circle as large, not the average.
void coefficients() {
  const Json plane = reference::load("planar/influence_matrix.json");
  const double root2 = std::sqrt(2.0), log_root = std::log(1 + root2), nu = 0.3;
  const double mean_square = 4 / kPi * (log_root - (root2 - 1) / 3);
  const std::pair<const char*, double> forms[] = {{"mean_disp_uniform_square", mean_square},
                                                  {"centre_disp_square", 4 / kPi * log_root},
                                                  {"mean_disp_circle", 16 / (3 * std::pow(kPi, 1.5))},
                                                  {"centre_disp_circle", 2 / std::sqrt(kPi)}};
  for (const auto& [key, have] : forms) TEST_ASSERT_DOUBLE_WITHIN(1e-9, plane[key].get<double>(), have);
  TEST_ASSERT_DOUBLE_WITHIN(
      1e-9, reference::load("spatial/influence.json")["results"]["square_mean_coefficient"].get<double>(),
      mean_square);
  contact::PatchLaw<double> law;
  law.spacing = law.compliance = 1;
  law.poisson = nu;
  TEST_ASSERT_DOUBLE_WITHIN(0.005, mean_square, contact::influence(law, 0, 0, 0, 0) / (1 - nu * nu));
  const Json& want = plane["tangential_nu03"];
  TEST_ASSERT_DOUBLE_WITHIN(0.005, want["mean_square"].get<double>(), contact::influence(law, 0, 1, 0, 1));
  law.printed = true;
  const double tangential = contact::influence(law, 0, 1, 0, 1);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, want["printed"].get<double>(), tangential);
  TEST_ASSERT_DOUBLE_WITHIN(1e-9, want["mean_square"].get<double>(),
                            tangential * mean_square / (2 / std::sqrt(kPi)));
}

// Turned by 0.6 rad, a pair of elements has the same tangential compliance in turned axes: with the factor nu
// only. Two elements of a grid that are (3, 4) apart lie 0.9273 rad from t, those that are (5, 0) apart along
// it.
void does_not_know_the_axes() {
  contact::PatchLaw<double> law;
  law.columns = 6;
  law.rows = 5;
  law.spacing = law.compliance = 1;
  law.poisson = 0.3;
  const auto xi = [&](int i, int j, int c, int d) { return contact::influence(law, i, c, j, d); };
  const double c = 0.6, s = 0.8;  // of (3, 4)
  for (const auto& [a, b] : {std::pair{1, 1}, {1, 2}, {2, 2}}) {
    // R^T Xi(3, 4) R, element (a, b).
    const double R[2][2] = {{c, -s}, {s, c}};
    double turned = 0;
    for (int k = 0; k < 2; ++k)
      for (int l = 0; l < 2; ++l) turned += R[k][a - 1] * xi(27, 0, k + 1, l + 1) * R[l][b - 1];
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, xi(5, 0, a, b), turned);
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(influence_matrices);
  RUN_TEST(eigenvalues_in_space);
  RUN_TEST(eigenvalues_in_the_plane);
  RUN_TEST(coefficients);
  RUN_TEST(does_not_know_the_axes);
  return UNITY_END();
}
