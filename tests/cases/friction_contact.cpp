// Twelve frictional contact problems (W, q, mu) of Siconos's collection, by Coulomb's cone: the velocities of
// its own answers, and of the exact rational ones where its iteration did not converge. The problems are
// others' data and not in this tree.
#include <memory>

#include "reference.hpp"
#include "tactus/contact/cone.hpp"

using namespace tactus;
using reference::Json;
using reference::Worst;

namespace {

constexpr int kMost = 22;

template <int Dim, class Scalar>
void solve(const Json& e, Worst& speeds, Worst& laws) {
  const int contacts = e["contacts"], n = contacts * Dim;
  Scalar A[kMost * kMost], b[kMost], mu[kMost], lambda[kMost] = {}, s[kMost];
  for (int i = 0; i < n; ++i) {
    const auto r = static_cast<std::size_t>(i);
    b[i] = static_cast<Scalar>(e["q"][r].get<double>());
    for (int j = 0; j < n; ++j)
      A[i * n + j] = static_cast<Scalar>(e["W"][r][static_cast<std::size_t>(j)].get<double>());
  }
  for (int i = 0; i < contacts; ++i)
    mu[i] = static_cast<Scalar>(e["mu"][static_cast<std::size_t>(i)].get<double>());
  static Scalar J[kMost * kMost];
  static contact::FixedPointArrays<Scalar, kMost> scratch;
  const contact::Problem<Scalar, Dim> problem{contacts, A, n, b, mu, nullptr};
  const auto answer = contact::solve_cone(problem, contact::ConeLaw::exact, scratch.with(J), lambda, s);
  TEST_ASSERT_TRUE_MESSAGE(answer.residual <= contact::cone::kAccepted<Scalar>,
                           e["name"].get<std::string>().c_str());
  laws.see(static_cast<double>(answer.residual));
  // What is wanted: W r + q of the reference's reaction, in parts of the largest speed that stands in it.
  const Json& from = e.contains("exact_lemke_LCP") ? e["exact_lemke_LCP"] : e["siconos_4_4"];
  const auto r = reference::numbers(from["reaction"]);
  double size = 0;
  for (int i = 0; i < n; ++i) {
    const auto row = static_cast<std::size_t>(i);
    size = std::max(size, std::abs(e["q"][row].get<double>()));
    for (std::size_t j = 0; j < r.size(); ++j)
      size = std::max(size, std::abs(e["W"][row][j].get<double>() * r[j]));
  }
  for (int i = 0; i < n; ++i) {
    const auto row = static_cast<std::size_t>(i);
    double want = e["q"][row];
    for (std::size_t j = 0; j < r.size(); ++j) want += e["W"][row][j].get<double>() * r[j];
    speeds.see(std::abs(static_cast<double>(s[i]) - want) / size);
  }
}

template <class Scalar>
void check(double tolerance) {
  Worst speeds("problems of Siconos, velocities relative"), laws("the law's residual");
  const Json list = reference::load("lcp/frictional_contact_cases.json", TACTUS_OTHERS_CASES_DIR);
  TEST_ASSERT_EQUAL_size_t(12, list.size());
  for (const Json& e : list) {
    if (e["dimension"] == 2)
      solve<2, Scalar>(e, speeds, laws);
    else
      solve<3, Scalar>(e, speeds, laws);
  }
  speeds.within(tolerance);
  laws.within(static_cast<double>(contact::cone::kAccepted<Scalar>));
}

void in_double() {
  check<double>(1e-9);
}
void in_float() {
  check<float>(1e-4);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(in_double);
  RUN_TEST(in_float);
  return UNITY_END();
}
