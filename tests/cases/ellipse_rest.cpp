// Song's ellipse at rest on its flat side: the forces and deformations of the three elements in closed form.
#include <Eigen/LU>

#include "ellipse.hpp"

using namespace ellipse;

namespace {

const Json& static_rest() {
  static const Json json = reference::load("planar/ellipse_contact_rules.json")["static_rest"];
  return json;
}

// What a patch of three is as a whole, pressed evenly: k and c of K and C = 2 sqrt(K), back from R and B.
void patch_as_a_whole() {
  for (const auto& [name, want] : static_rest()["per_eps"].items()) {
    contact::Patch<double, 2, 3> patch;
    const contact::PatchLaw<double> law{
        .columns = 3, .spacing = 1e-6, .compliance = std::stod(name), .poisson = 0.3, .printed = true};
    constexpr double h = 1e-4, m = 0.05;
    TEST_ASSERT_TRUE(contact::configure(patch, law, h) == What::none);
    using Matrix = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
    const Matrix E = Eigen::Map<const Matrix>(patch.R).inverse();
    const Matrix K = E * Eigen::Map<const Matrix>(patch.B), C = E - h * K;
    double k = 0, c = 0;
    for (int i = 0; i < 6; i += 2)
      for (int j = 0; j < 6; j += 2) k += K(i, j), c += C(i, j);
    const std::pair<const char*, double> all[] = {{"k_tot", k},
                                                  {"c_tot", c},
                                                  {"d_ss", m * 9.81 / k},
                                                  {"slow_time_const", c / k},
                                                  {"fast_time_const", m / c},
                                                  {"zeta", c / (2 * std::sqrt(k * m))},
                                                  {"stiff_h2k_over_m", h * h * k / m},
                                                  {"hc_over_m", h * c / m}};
    // Of what friction at mu = 0.2 could hold each element takes a part that no eps changes.
    for (int i = 0; i < 3; ++i) {
      const Eigen::Vector2d force = K.block<2, 6>(2 * i, 0) * Eigen::Matrix<double, 6, 1>{1, 0, 1, 0, 1, 0};
      TEST_ASSERT_DOUBLE_WITHIN(
          1e-9, static_rest()["stick_ratio_outer_elements"][static_cast<std::size_t>(i)].get<double>(),
          std::abs(force[1]) / (0.2 * force[0]));
    }
    for (const auto& [key, have] : all)
      TEST_ASSERT_DOUBLE_WITHIN(1e-9 * want[key].get<double>(), want[key].get<double>(), have);
  }
}

// At rest on its flat side: forces and deformations after 0.3 s as the file has them, whether outer elements
// could slip or not; on the way the deformation of m d'' + c d' + k d = m g, to the file's 0.002.
void rest() {
  const Json& rest = static_rest();
  const Json& stick = rest["mu5_all_stick"];
  const Json& law = rest["per_eps"]["1e-10"];
  const double k = law["k_tot"], c = law["c_tot"], d_ss = law["d_ss"], m = 0.05;
  const double root = std::sqrt(c * c - 4 * k * m), s1 = (-c + root) / (2 * m), s2 = (-c - root) / (2 * m);
  const auto closed_form = [&](double t) {
    return d_ss * (1 - (s1 * std::exp(s2 * t) - s2 * std::exp(s1 * t)) / (s1 - s2));
  };
  for (const double mu : {0.2, 5.0}) {
    Ellipse e;
    e.eps = rest["eps"];
    e.mu = mu;
    e.angle = rest["theta"];
    e.y = 0.05;
    e.rule = NormalRule::song;
    const auto run = std::make_unique<Run<double, kCompliant>>(e);
    Worst path("at rest, mu " + std::to_string(mu) + ", delta_n relative to its end"),
        form("... by the closed form"), force("... forces at the end (N)"), end("... delta at the end (m)");
    std::size_t row = 0;
    for (int n = 1; n <= 3000; ++n) {
      run->step();
      form.see(std::abs(run->delta()[0] - closed_form(1e-4 * n)) / d_ss);
      if (row == stick["traj_t"].size() || std::abs(stick["traj_t"][row].get<double>() - 1e-4 * n) > 1e-9)
        continue;
      const double d = run->delta()[0], t = 1e-4 * n;
      path.see(std::abs(d - stick["traj_delta_n"][row].get<double>()) / d_ss);
      TEST_ASSERT_DOUBLE_WITHIN(1e-9 * d_ss, stick["closed_form"][row].get<double>(), closed_form(t));
      ++row;
    }
    TEST_ASSERT_EQUAL_size_t(stick["traj_t"].size(), row);
    force.see(run->lambda(), mu < 1 ? rest["end"]["lam"] : stick["lam_end"]);
    end.see(run->delta(), mu < 1 ? rest["end"]["delta"] : stick["delta_end"]);
    path.within(1e-8);
    form.within(0.002);
    force.within(1e-9);
    end.within(1e-13);
    TEST_ASSERT_DOUBLE_WITHIN(1e-8, stick["max_rel_err_vs_closed_form"].get<double>(), form.value);
    const auto lambda = run->lambda();
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, rest["end"]["sum_ln_over_mg"].get<double>(),
                              (lambda[0] + lambda[1] + lambda[2]) / (m * 9.81));
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(patch_as_a_whole);
  RUN_TEST(rest);
  return UNITY_END();
}
