// Pang-Trinkle's problems from the reference cases, in the order of rows that core has.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "tactus/contact/acceleration_pyramid.hpp"
#include "tactus/contact/acceleration_system.hpp"
#include "tests/cases/reference.hpp"

namespace acceleration_cases {

namespace acceleration = tactus::contact::acceleration;
using reference::Json;

// The cases order rows as all n, all t (, all o); core goes contact by contact.
template <int Dim>
int core_row(int paper_row, int contacts) {
  return (paper_row % contacts) * Dim + paper_row / contacts;
}

// A, b, mu and v of one reduced problem.
template <int Dim, class Scalar = double>
struct Reduced {
  std::vector<Scalar> A, b, mu, velocity;
  int contacts = 0;

  Reduced(const Json& matrix, const Json& vector, std::vector<double> coefficients)
      : mu(coefficients.begin(), coefficients.end()), contacts(static_cast<int>(coefficients.size())) {
    const int n = contacts * Dim;
    A.resize(static_cast<std::size_t>(n * n));
    b.resize(static_cast<std::size_t>(n));
    velocity.assign(static_cast<std::size_t>(contacts * (Dim - 1)), Scalar(0));
    for (int i = 0; i < n; ++i) {
      const int r = core_row<Dim>(i, contacts);
      b[static_cast<std::size_t>(r)] = vector[static_cast<std::size_t>(i)].get<Scalar>();
      for (int j = 0; j < n; ++j)
        A[static_cast<std::size_t>(r * n + core_row<Dim>(j, contacts))] =
            matrix[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)].get<Scalar>();
    }
  }
  acceleration::Problem<Scalar, Dim> view() const {
    return {{contacts, A.data(), contacts * Dim, b.data(), mu.data(), nullptr}, velocity.data()};
  }
};

// A list of the paper's order as one of core's.
template <int Dim>
std::vector<double> in_core_order(const std::vector<double>& paper) {
  const int contacts = static_cast<int>(paper.size()) / Dim;
  std::vector<double> core(paper.size());
  for (std::size_t i = 0; i < paper.size(); ++i)
    core[static_cast<std::size_t>(core_row<Dim>(static_cast<int>(i), contacts))] = paper[i];
  return core;
}

// The largest difference, in parts of what is expected.
inline double apart(const std::vector<double>& expected, const double* got) {
  double scale = 1e-300, worst = 0;
  for (const double x : expected) scale = std::max(scale, std::abs(x));
  for (std::size_t i = 0; i < expected.size(); ++i) worst = std::max(worst, std::abs(expected[i] - got[i]));
  return worst / scale;
}

}  // namespace acceleration_cases
