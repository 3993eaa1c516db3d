// Random contact problems for the tests of what the host says of them: contacts that are independent, more
// than their body has freedoms, opposite, loaded by a body or by accelerations that no force explains.
#pragma once

#include "instant_problem.hpp"
#include "tests/corpus/friction_box.hpp"
#include "tests/oracle/corners.hpp"

namespace random_instants {

enum class Kind : std::uint8_t { independent, redundant, at_rest, opposite, opposite_at_rest };
inline constexpr Kind kKinds[] = {Kind::independent, Kind::redundant, Kind::at_rest, Kind::opposite,
                                  Kind::opposite_at_rest};

// A = G G^T; redundant: G of as many columns as a body has freedoms. at_rest: b = G f.
inline tactus::host::InstantProblem draw(corpus::Random& random, int dim, int contacts, Kind kind,
                                         bool may_slide) {
  tactus::host::InstantProblem p;
  p.dim = dim;
  const int rows = dim * contacts, body = dim == 2 ? 3 : 6;
  const int freedoms = kind == Kind::independent ? rows + 2 : std::min(rows, body);
  Eigen::MatrixXd G(rows, freedoms);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < freedoms; ++j) G(i, j) = random.uniform(-2, 2);
  if (kind == Kind::opposite || kind == Kind::opposite_at_rest)
    for (int i = 0; i + 1 < contacts; i += 2)
      for (int k = 0; k < dim; ++k)
        if (k == 0 || random.uniform(0, 1) < 0.6) G.row((i + 1) * dim + k) = -G.row(i * dim + k);
  p.A = G * G.transpose();
  p.b.resize(rows);
  for (int i = 0; i < rows; ++i) p.b[i] = random.uniform(-5, 5) - (i % dim == 0 ? 2 : 0);
  if (kind == Kind::at_rest || kind == Kind::opposite_at_rest) {
    Eigen::VectorXd f(freedoms);
    for (int j = 0; j < freedoms; ++j) f[j] = random.uniform(-3, 3);
    p.b = G * f;
  }
  const double rough = random.uniform(0, 1) < 0.3 ? 0.1 : 1;
  const bool slides = may_slide && random.uniform(0, 1) < 0.6;
  for (int i = 0; i < contacts; ++i) {
    p.mu.push_back(rough * random.uniform(0.05, 3));
    const bool this_one = slides && random.uniform(0, 1) < 0.5;
    for (int k = 1; k < dim; ++k) p.velocity.push_back(this_one ? random.uniform(-1, 1) : 0);
  }
  return p;
}

template <int Dim>
oracle::Instant<Dim> for_oracle(const tactus::host::InstantProblem& p) {
  oracle::Instant<Dim> out;
  for (int i = 0; i < p.rows(); ++i) {
    out.b.push_back(p.b[i]);
    for (int j = 0; j < p.rows(); ++j) out.A.push_back(p.A(i, j));
  }
  out.mu = p.mu;
  out.velocity = p.velocity;
  return out;
}

}  // namespace random_instants
