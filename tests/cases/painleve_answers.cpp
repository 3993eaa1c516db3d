// What answers the Painleve rod has (Stewart 2000, 1.3 and 3.3.1): where it has no acceleration, the impulse
// that it has instead, and three ways to go on.
#include <Eigen/Core>
#include <algorithm>

#include "reference.hpp"
#include "tactus/contact/acceleration_pyramid.hpp"
#include "tactus/contact/guess.hpp"
#include "tactus/contact/stewart.hpp"
#include "tactus/lcp/solver.hpp"

using namespace tactus;
using reference::Json;
namespace acceleration = tactus::contact::acceleration;

namespace {

const Json& file() {
  static const Json json = reference::load("planar/painleve_rod.json");
  return json;
}

// n and t of the lower end, at -(l/2)(cos, sin), by the motion x, y, angle; A = W M^-1 W^T.
struct Rod {
  Eigen::Matrix<double, 2, 3> W;
  Eigen::Matrix<double, 2, 2, Eigen::RowMajor> A;
  Eigen::Vector3d light;

  Rod(double angle, double inertia) {
    const double l = file()["params"]["l"], m = file()["params"]["m"];
    W << 0, 1, -l / 2 * std::cos(angle), 1, 0, l / 2 * std::sin(angle);
    light << 1 / m, 1 / m, 1 / inertia;
    A = W * light.asDiagonal() * W.transpose();
  }
};

acceleration::Answer<double> slides_on(const Rod& rod, double mu, double b_n, double* c) {
  acceleration::PyramidWorkspace<double, 2, 1> workspace;
  const double b[2] = {b_n, 0}, v = -1;
  const acceleration::Problem<double, 2> problem{{1, rod.A.data(), 2, b, &mu, nullptr}, &v};
  const auto answer = solve_pyramid(problem, workspace);
  *c = workspace.c[0];
  return answer;
}

// Where a sliding rod has no acceleration: 1/m + l^2/(4 J) cos (cos - mu sin) < 0, from mu_crit on between
// two angles. There the solver says none, a hair outside there is one.
void where_it_jams() {
  const double m = file()["params"]["m"], l = file()["params"]["l"], g = file()["params"]["g"];
  constexpr double kDegree = 3.14159265358979323846 / 180, kHair = 1e-7;
  const auto jams = [&](double angle, double inertia, double mu) {
    double c = 0;
    const auto answer = slides_on(Rod(angle, inertia), mu, -g, &c);
    TEST_ASSERT_TRUE(answer.status == acceleration::Status::none ||
                     answer.status == acceleration::Status::solved);
    return answer.status == acceleration::Status::none;
  };
  for (const Json& row : file()["negative_bracket_table"]) {
    const std::string name = row["J"];
    const double inertia = m * l * l / std::stod(name.substr(name.find('/') + 1)), mu = row["mu"],
                 critical = row["mu_crit"];
    // The bracket is least at tan 2 angle = -mu.
    const auto worst = [](double coefficient) { return (180 * kDegree - std::atan(coefficient)) / 2; };
    TEST_ASSERT_TRUE(jams(worst(critical), inertia, critical * (1 + kHair)));
    TEST_ASSERT_FALSE(jams(worst(critical), inertia, critical * (1 - kHair)));
    if (row["theta_range_deg"].is_null()) {
      TEST_ASSERT_TRUE(mu <= critical);
      continue;
    }
    const double low = row["theta_range_deg"][0], high = row["theta_range_deg"][1];
    TEST_ASSERT_TRUE(jams((low + kHair) * kDegree, inertia, mu) &&
                     !jams((low - kHair) * kDegree, inertia, mu));
    TEST_ASSERT_TRUE(jams((high - kHair) * kDegree, inertia, mu) &&
                     !jams((high + kHair) * kDegree, inertia, mu));
    TEST_ASSERT_TRUE(jams((low + high) / 2 * kDegree, inertia, mu));
  }
  // The rod of the file, with its bracket.
  const Json& none = file()["accel_level_LCP"];
  const Rod rod(file()["params"]["q0"][2], file()["params"]["J"]);
  const double bracket = rod.A(0, 0) + file()["params"]["mu"].get<double>() * rod.A(0, 1);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, file()["bracket"].get<double>(), bracket);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, none["coef"].get<double>(), bracket);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, none["b_n"].get<double>(), -g);
  double c = 0;
  TEST_ASSERT_EQUAL_STRING(sentence(acceleration::Status::none),
                           sentence(slides_on(rod, file()["params"]["mu"], none["b_n"], &c).status));
  TEST_ASSERT_TRUE(none["solutions"].empty());
}

// G P = 0 - W v: the impulse that stops the lower end at once, and the motion after it.
void impulse_in_closed_form() {
  const Json& want = file()["impulsive_solution"];
  const Rod rod(file()["params"]["q0"][2], file()["params"]["J"]);
  const auto v0 = reference::numbers(file()["params"]["v0"]);
  const Eigen::Vector3d v(v0[0], v0[1], v0[2]);
  const Eigen::Vector2d b = rod.W * v;
  const double mu = file()["params"]["mu"];
  const contact::Problem<double, 2> problem{1, rod.A.data(), 2, b.data(), &mu, nullptr};
  double M[16], q[4], lambda[2], s[2], used;
  std::uint8_t block[4];
  lcp::Workspace<double, 4> workspace;
  contact::stewart::to_lcp(problem, 2, M, 4, q, block);
  TEST_ASSERT_TRUE(lcp::solve(lcp::Problem<double>{4, M, 4, q, block}, workspace).status ==
                   lcp::Status::solved);
  contact::stewart::from_lcp(problem, 2, workspace.z.data(), workspace.w.data(), lambda, s, &used);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, want["P_n"].get<double>(), lambda[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, want["P_t"].get<double>(), lambda[1]);
  const Eigen::Vector3d after =
      v + rod.light.asDiagonal() * (rod.W.transpose() * Eigen::Vector2d(lambda[0], lambda[1]));
  for (std::size_t i = 0; i < 3; ++i)
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, want["v_plus"][i].get<double>(), after[static_cast<Eigen::Index>(i)]);
}

// A rod so fast that it could go on sliding, lift off or jam: three answers of one LCP, as the reference
// enumerates them. Ours must be one of the three, whether the modes are guessed or not.
void painleve_has_three_answers() {
  const Json& fast = file()["nonuniqueness"];
  const Json& json = fast["impulse_LCP"];
  double A[4], b[2];
  const double mu = json["mu"];
  TEST_ASSERT_EQUAL_size_t(3, json["solutions"].size());
  for (std::size_t i = 0; i < 2; ++i) {
    b[i] = json["b"][i];
    for (std::size_t j = 0; j < 2; ++j) A[2 * i + j] = json["G"][i][j];
  }
  // The file's rod: its G, and b = W (v + h M^-1 f) with the turning of W, b_n = l/2 sin(angle) spin^2 - g.
  const double angle = fast["theta"], spin = fast["thetadot"], h = json["h"], g = file()["params"]["g"],
               half = file()["params"]["l"].get<double>() / 2;
  const Rod rod(angle, file()["params"]["J"]);
  const double b_n = half * std::sin(angle) * spin * spin - g;
  const auto v = reference::numbers(fast["v"]);
  const Eigen::Vector2d end = rod.W * Eigen::Vector3d(v[0], v[1], v[2]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, spin, v[2]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, end[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, b_n, fast["b_n"].get<double>());
  TEST_ASSERT_DOUBLE_WITHIN(1e-5, b_n, fast["b_n_finite_difference"].get<double>());
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, -std::sqrt(g / (half * std::sin(angle))),
                            fast["threshold_true"].get<double>());
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, h * b_n, b[0]);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, end[1], b[1]);
  for (int i = 0; i < 4; ++i) TEST_ASSERT_DOUBLE_WITHIN(1e-12, rod.A.data()[i], A[i]);
  // At the level of accelerations two of the three are left.
  acceleration::PyramidWorkspace<double, 2, 1> accelerations;
  const double instant[2] = {b_n, half * std::cos(angle) * spin * spin}, slide = end[1];
  std::vector<double> found;
  TEST_ASSERT_TRUE(each_solution(acceleration::Problem<double, 2>{{1, A, 2, instant, &mu, nullptr}, &slide},
                                 accelerations, 1000, [&](const double* c, const double*, double) {
                                   found.push_back(c[0]);
                                   return true;
                                 }));
  std::sort(found.begin(), found.end());
  TEST_ASSERT_EQUAL_size_t(fast["accel_solutions"].size(), found.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, fast["accel_solutions"][i][0].get<double>(), found[i]);
  contact::Problem<double, 2> problem{1, A, 2, b, &mu, nullptr};
  const auto is_listed = [&](const double* lambda) {
    for (const Json& answer : json["solutions"])
      if (std::abs(lambda[0] - answer["lam"][0].get<double>()) < 1e-12 &&
          std::abs(lambda[1] - answer["lam"][1].get<double>()) < 1e-12)
        return true;
    return false;
  };
  double lambda[2], s[2], used, M[16], q[4];
  std::uint8_t block[4];
  contact::stewart::to_lcp(problem, 2, M, 4, q, block);
  lcp::Workspace<double, 4> workspace;
  const lcp::Problem<double> view{4, M, 4, q, block};
  // What the file enumerates as z = (lambda_n, beta, sigma) solves the same LCP, and so does its Lemke's.
  auto listed = json["enumerated"];
  listed.push_back(json["lemke_solution"]);
  for (const Json& z : listed) {
    for (std::size_t i = 0; i < 4; ++i) {
      double w = q[i];
      for (std::size_t j = 0; j < 4; ++j) w += M[4 * i + j] * z[j].get<double>();
      TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0, std::min(w, z[i].get<double>()));
    }
  }
  TEST_ASSERT_TRUE(lcp::solve(view, workspace).status == lcp::Status::solved);
  contact::stewart::from_lcp(problem, 2, workspace.z.data(), workspace.w.data(), lambda, s, &used);
  std::printf("Painleve rod, three answers: Lemke's method takes lambda %.6g, %.6g\n", lambda[0], lambda[1]);
  TEST_ASSERT_TRUE(is_listed(lambda));
  using contact::Remembered;
  for (const unsigned code : {unsigned{Remembered::open}, unsigned{Remembered::closed},
                              Remembered::closed | 1U << 2, Remembered::closed | 2U << 2}) {
    contact::guess::ElementMode<double, 2> mode;
    std::int16_t row[3];
    double work[3], scratch[9];
    const contact::guess::Arrays<double, 2> arrays{nullptr, &mode, row, work, scratch, lambda, s, &used};
    contact::guess::Search<double, 2> search(problem, contact::guess::Friction::box, false, arrays);
    const auto answer =
        search.run([&](int) { return Remembered{static_cast<std::uint8_t>(code)}; }, kNoClock);
    if (answer.found) TEST_ASSERT_TRUE(is_listed(lambda));
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(where_it_jams);
  RUN_TEST(impulse_in_closed_form);
  RUN_TEST(painleve_has_three_answers);
  return UNITY_END();
}
