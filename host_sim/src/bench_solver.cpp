#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <random>
#include <sstream>

#include "bench.hpp"
#include "host_sim/link/link.hpp"
#include "tactus/contact/stewart.hpp"
#include "tactus/lcp/solver.hpp"

namespace tactus::host {
namespace {

using Clock = std::chrono::steady_clock;

// A box of 1 kg and 0.1 m with contacts at random places and in random directions, falling and turning at
// random: Stewart's LCP with 4 facets, 6 unknowns a contact.
constexpr int kFacets = 4, kMostContacts = 6;
constexpr int kMostUnknowns = contact::stewart::unknowns(kMostContacts, kFacets);

template <class Scalar>
struct FrictionProblem {
  std::array<Scalar, kMostUnknowns * kMostUnknowns> M{};
  std::array<Scalar, kMostUnknowns> q{};
  std::array<std::uint8_t, kMostUnknowns> block{};
  lcp::Problem<Scalar> view;
};

template <class Scalar>
void make_problem(std::mt19937_64& random, int contacts, FrictionProblem<Scalar>& out) {
  // Not of the standard library's distributions, which differ between libraries.
  const auto uniform = [&] { return static_cast<double>(random() >> 11U) * 0x1p-52 - 1; };
  const std::array<double, 6> inverse_inertia{1, 1, 1, 600, 600, 600};
  std::array<double, 6> velocity{};
  for (double& v : velocity) v = uniform();
  std::vector<std::array<double, 6>> rows;
  for (int i = 0; i < contacts; ++i) {
    const Eigen::Vector3d n = Eigen::Vector3d(0.3 * uniform(), 0.3 * uniform(), 1).normalized();
    const Eigen::Vector3d t = n.unitOrthogonal(), o = n.cross(t),
                          r(0.05 * uniform(), 0.05 * uniform(), -0.05);
    for (const Eigen::Vector3d& d : {n, t, o}) {
      const Eigen::Vector3d m = r.cross(d);
      rows.push_back({d.x(), d.y(), d.z(), m.x(), m.y(), m.z()});
    }
  }
  const std::size_t size = rows.size();
  std::vector<Scalar> A(size * size), b(size),
      mu(static_cast<std::size_t>(contacts), static_cast<Scalar>(0.5));
  for (std::size_t i = 0; i < size; ++i) {
    double speed = 0;
    for (std::size_t k = 0; k < 6; ++k) speed += rows[i][k] * velocity[k];
    b[i] = static_cast<Scalar>(speed);
    for (std::size_t j = 0; j < size; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < 6; ++k) sum += rows[i][k] * inverse_inertia[k] * rows[j][k];
      A[i * size + j] = static_cast<Scalar>(1e-3 * sum);
    }
  }
  contact::Problem<Scalar, 3> problem{contacts, A.data(),  static_cast<int>(size),
                                      b.data(), mu.data(), nullptr};
  const int n = contact::stewart::unknowns(contacts, kFacets);
  contact::stewart::to_lcp(problem, kFacets, out.M.data(), n, out.q.data(), out.block.data());
  out.view = {n, out.M.data(), n, out.q.data(), out.block.data()};
}

template <class Scalar>
BenchRow bench_solver(int contacts, const char* precision) {
  constexpr int kProblems = 200, kRepeats = 9;
  std::mt19937_64 random(1);
  const auto problem = std::make_unique<FrictionProblem<Scalar>>();
  const auto workspace = std::make_unique<lcp::Workspace<Scalar, kMostUnknowns>>();
  std::vector<double> times;
  int pivots = 0;
  for (int i = 0; i < kProblems; ++i) {
    make_problem(random, contacts, *problem);
    std::array<double, kRepeats> repeats{};
    for (double& t : repeats) {
      const auto start = Clock::now();
      pivots = std::max(pivots, lcp::solve(problem->view, *workspace).pivots);
      t = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    }
    std::nth_element(repeats.begin(), repeats.begin() + kRepeats / 2, repeats.end());
    times.push_back(repeats[kRepeats / 2]);
  }
  return summarise(fmt::format("cold solve, {} contacts, n = {}", contacts, problem->view.n), precision,
                   times, pivots);
}

}  // namespace

BenchRow summarise(std::string what, std::string precision, std::vector<double> microseconds, int pivots) {
  double sum = 0;
  for (const double x : microseconds) sum += x;
  const auto rank =
      static_cast<std::ptrdiff_t>(std::ceil(0.999 * static_cast<double>(microseconds.size()))) - 1;
  std::nth_element(microseconds.begin(), microseconds.begin() + rank, microseconds.end());
  return {std::move(what),
          std::move(precision),
          "us",
          sum / static_cast<double>(microseconds.size()),
          microseconds[static_cast<std::size_t>(rank)],
          pivots};
}

std::vector<BenchRow> bench_solver() {
  std::vector<BenchRow> rows;
  for (const int contacts : {2, 4, 6}) {
    rows.push_back(bench_solver<float>(contacts, "float"));
    rows.push_back(bench_solver<double>(contacts, "double"));
  }
  return rows;
}

std::vector<BenchRow> bench_solver_on(const std::filesystem::path& image) {
  if (!std::filesystem::exists(image)) throw link::LinkError(image.string() + " is missing");
  std::istringstream lines(link::output_of({.image = image, .timeout = std::chrono::minutes(2)}));
  std::vector<BenchRow> rows;
  for (std::string line; std::getline(lines, line);) {
    // n, solved, unsolved, cold mean and worst, warm mean and worst, pivots mean and worst.
    std::istringstream words(line);
    std::array<long, 9> x{};
    bool whole = true;
    for (long& number : x) whole = whole && words >> number;
    if (!whole) continue;
    const auto row = [&](const char* what, std::size_t mean, int pivots) {
      rows.push_back({fmt::format("{} solve, n = {}", what, x[0]), "float", "", static_cast<double>(x[mean]),
                      static_cast<double>(x[mean + 1]), pivots});
    };
    row("cold", 3, static_cast<int>(x[8]));
    row("rightly guessed", 5, 0);
  }
  if (rows.empty()) throw link::LinkError(image.string() + " printed no table");
  return rows;
}

}  // namespace tactus::host
