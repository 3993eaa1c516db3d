// Song, Pang and Kumar's compliant step (2004, (9)-(13) and Appendix A) and their rigid one (14) by the
// paper's own route, in long double: the stiff matrices E = h K + C and H are built and inverted as they
// stand, where core never forms them. A stepper of another make for the same law, to hold core's against.
//
//     E = h K + C,   Mb = M + h W^T E W,   r = Mb^-1 (M v + h f + h W^T K delta)
//     H = E - h E W Mb^-1 W^T E,   p = K delta - E W r,   s = H^-1 (lambda - p)
//     v' = v + h M^-1 (f + W^T lambda),   delta' = delta + h (s - W v')
//
// with the two rules that the paper leaves open as core has them: s_n + (gap + delta_n) / h in the normal
// row, and elements that do not touch have rows and no force. Misprints of Appendix A: xi_nn(i, i) without
// the pi, xi_to with the factor nu.
#pragma once

#include "tests/oracle/dense.hpp"

namespace oracle {

constexpr Real kPi = 3.14159265358979323846264338327950288L;

// Columns along t, rows along o (1 in the plane); or, with no compliance, K and C of one element.
struct SoftPatch {
  int columns = 1, rows = 1;
  Real spacing = 0, compliance = 0, poisson = 0;
  Real stiffness = 0, damping = 0;

  std::size_t elements() const { return static_cast<std::size_t>(columns * rows); }
  Real t(std::size_t e) const {
    return (static_cast<Real>(e % static_cast<std::size_t>(columns)) - Real(columns - 1) / 2) * spacing;
  }
  Real o(std::size_t e) const {
    return (static_cast<Real>(e / static_cast<std::size_t>(columns)) - Real(rows - 1) / 2) * spacing;
  }
};

// Xi, elements one after the other, each n, t (, o).
inline Matrix influence(const SoftPatch& p, std::size_t dim) {
  const std::size_t n = p.elements();
  const Real nu = p.poisson;
  Matrix Xi(dim * n, dim * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const Real t = p.t(i) - p.t(j), o = p.o(i) - p.o(j), l = std::hypot(t, o);
      Real b[3][3] = {};
      if (i == j) {
        b[0][0] = Real(0.95L) * (1 - nu * nu) / p.spacing;
        b[1][1] = b[2][2] = (1 + nu) * (2 - nu) / (std::sqrt(kPi) * p.spacing);
      } else {
        const Real shear = (1 + nu) / (kPi * l), tilt = (1 - 2 * nu) * (1 + nu) / (2 * kPi * l * l);
        b[0][0] = (1 - nu * nu) / (kPi * l);
        b[1][1] = shear * (1 - nu + nu * t * t / (l * l));
        b[2][2] = shear * (1 - nu + nu * o * o / (l * l));
        b[1][2] = b[2][1] = shear * nu * t * o / (l * l);
        b[0][1] = tilt * t;
        b[1][0] = -b[0][1];
        b[0][2] = tilt * o;
        b[2][0] = -b[0][2];
      }
      for (std::size_t k = 0; k < dim; ++k)
        for (std::size_t m = 0; m < dim; ++m) Xi(dim * i + k, dim * j + m) = p.compliance * b[k][m];
    }
  }
  return Xi;
}

// The rows of a step: W over all velocities, the gap of each element without its deformation, and mu.
struct Rows {
  Matrix W;
  Column gap, mu;
};

// Rigid, (14): s = h W M^-1 W^T lambda + W (v + h M^-1 f), and gap / h in the normal rows; as SongStepper.
class RigidStepper {
 public:
  RigidStepper(std::size_t dim, Real h, Column mass) : dim_(dim), h_(h), mass_(std::move(mass)) {}

  template <class Solver>
  bool step(const Rows& rows, const Column& f, Column& v, Solver&& solver) {
    Column free = v;
    Matrix light = rows.W;  // W M^-1
    for (std::size_t k = 0; k < v.size(); ++k) {
      free[k] += h_ * f[k] / mass_[k];
      for (std::size_t i = 0; i < light.rows(); ++i) light(i, k) /= mass_[k];
    }
    Column b = rows.W * free;
    for (std::size_t i = 0; i < rows.gap.size(); ++i) b[dim_ * i] += rows.gap[i] / h_;
    lambda.resize(b.size());
    if (!solver(h_ * (light * rows.W.transposed()), b, rows.mu, lambda)) return false;
    v = plus(free, h_, light.transposed() * lambda);
    return true;
  }

  Column lambda;

 private:
  std::size_t dim_;
  Real h_;
  Column mass_;
};

// The state of all elements, and the step. `Solver` finds lambda from s = A lambda + b, the normal rows of b
// with the gap in them: solver(A, b, mu, lambda), from the last step's lambda.
class SongStepper {
 public:
  SongStepper(std::size_t dim, Real h, Column mass, const std::vector<SoftPatch>& patches)
      : dim_(dim), h_(h), mass_(std::move(mass)) {
    std::size_t n = 0;
    for (const auto& p : patches) n += dim * p.elements();
    K_ = Matrix(n, n);
    C_ = Matrix(n, n);
    std::size_t at = 0;
    for (const auto& p : patches) {
      const std::size_t size = dim * p.elements();
      Matrix K = p.stiffness * Matrix::identity(size), C = p.damping * Matrix::identity(size);
      if (p.compliance > 0) {
        K = inverse(influence(p, dim));
        C = Real(2) * root(K);
      }
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) {
          K_(at + i, at + j) = K(i, j);
          C_(at + i, at + j) = C(i, j);
        }
      }
      at += size;
    }
    delta = lambda = Column(n);
  }

  // v and delta go on by h under the generalised force f; false where the solver found nothing.
  template <class Solver>
  bool step(const Rows& rows, const Column& f, Column& v, Solver&& solver) {
    const Matrix E = h_ * K_ + C_, Wt = rows.W.transposed(), M = Matrix::diagonal(mass_), EW = E * rows.W;
    const Matrix Mb = M + h_ * (Wt * EW);
    const Column Kd = K_ * delta;
    const Column r = oracle::solve(Mb, plus(plus(M * v, h_, f), h_, Wt * Kd));
    const Matrix H = E + -h_ * (EW * oracle::solve(Mb, EW.transposed()));
    const Column p = plus(Kd, -1, EW * r);
    const Matrix A = inverse(H);
    const Column b = plus(Column(p.size()), -1, A * p);
    Column with_gap = b;
    for (std::size_t i = 0; i < rows.gap.size(); ++i)
      with_gap[dim_ * i] += (rows.gap[i] + delta[dim_ * i]) / h_;
    if (!solver(A, with_gap, rows.mu, lambda)) return false;
    const Column s = plus(A * lambda, 1, b), push = Wt * lambda;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += h_ * (f[i] + push[i]) / mass_[i];
    delta = plus(delta, h_, plus(s, -1, rows.W * v));
    return true;
  }

  Column delta, lambda;

 private:
  std::size_t dim_;
  Real h_;
  Column mass_;  // the diagonal of M
  Matrix K_, C_;
};

}  // namespace oracle
