// Who slips: answers of s = A lambda + b under contact and Coulomb's friction, in long double, for oracles.
// b has the gaps in its normal rows; an element has the rows n, t in the plane and n, t, o in space.
#pragma once

#include "tests/oracle/dense.hpp"

namespace oracle {

// The plane: every combination of open, stick and the two slips is one linear system. The last answer's
// combination is tried first, then all 4^n.
class ModesInThePlane {
 public:
  bool operator()(const Matrix& A, const Column& b, const Column& mu, Column& lambda) {
    const std::size_t n = mu.size();
    mode_.resize(n);
    if (holds(A, b, mu, lambda)) return true;
    for (std::size_t code = 0; code < std::size_t(1) << (2 * n); ++code) {
      for (std::size_t i = 0; i < n; ++i) mode_[i] = static_cast<Mode>(code >> (2 * i) & 3);
      if (holds(A, b, mu, lambda)) return true;
    }
    return false;
  }

 private:
  enum Mode { open, sticks, slips_up, slips_down };  // s_t > 0, s_t < 0

  bool holds(const Matrix& A, const Column& b, const Column& mu, Column& lambda) const {
    const std::size_t n = mu.size();
    Matrix system(2 * n, 2 * n);
    Column right(2 * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < 2; ++k) {
        const std::size_t row = 2 * i + k;
        const bool bound = mode_[i] == open || (k == 1 && mode_[i] != sticks);
        if (!bound) {
          for (std::size_t j = 0; j < 2 * n; ++j) system(row, j) = A(row, j);
          right[row] = -b[row];
          continue;
        }
        system(row, row) = 1;
        if (k == 1 && mode_[i] != open) system(row, 2 * i) = mode_[i] == slips_up ? mu[i] : -mu[i];
      }
    }
    const Column x = solve(system, right), s = plus(A * x, 1, b);
    const Real force = kRounding * largest(x), speed = kRounding * largest(b);
    for (std::size_t i = 0; i < n; ++i) {
      const Real normal = x[2 * i], friction = x[2 * i + 1], slip = s[2 * i + 1];
      if (!(normal >= -force) || !(s[2 * i] >= -speed)) return false;
      if (mode_[i] == sticks && !(std::fabs(friction) <= mu[i] * normal + force)) return false;
      if (mode_[i] == slips_up && !(slip >= -speed)) return false;
      if (mode_[i] == slips_down && !(slip <= speed)) return false;
    }
    lambda = x;
    return true;
  }

  static constexpr Real kRounding = 1e-15L;
  std::vector<Mode> mode_;
};

// Space, the round cone. Blocks are relaxed one after the other (Gauss and Seidel), which tells who is open,
// sticks or slips; then Newton's method on the equations of those modes, the slip's being
//
//     lambda_T |s_T| + mu lambda_n s_T = 0,
//
// takes it to rounding, and the laws decide whether that is believed or relaxation goes on.
class ModesInSpace {
 public:
  bool operator()(const Matrix& A, const Column& b, const Column& mu, Column& lambda) {
    for (int round = 0; round < 100; ++round) {
      if (!mode_.empty() && newton(A, b, mu, lambda)) return true;
      for (int sweep = 0; sweep < 100; ++sweep) relax(A, b, mu, lambda);
      classify(mu, lambda);
    }
    return false;
  }

 private:
  enum Mode { open, sticks, slips };

  static void relax(const Matrix& A, const Column& b, const Column& mu, Column& lambda) {
    for (std::size_t i = 0; i < mu.size(); ++i) {
      const std::size_t n = 3 * i;
      Real s[3] = {};
      for (std::size_t k = 0; k < 3; ++k) {
        s[k] = b[n + k];
        for (std::size_t j = 0; j < lambda.size(); ++j) s[k] += A(n + k, j) * lambda[j];
      }
      const Real normal = std::fmax(0, lambda[n] - s[0] / A(n, n)), change = normal - lambda[n];
      const Real stiff = std::fmax(A(n + 1, n + 1), A(n + 2, n + 2));
      const Real t = lambda[n + 1] - (s[1] + A(n + 1, n) * change) / stiff,
                 o = lambda[n + 2] - (s[2] + A(n + 2, n) * change) / stiff, size = std::hypot(t, o);
      const Real scale = size > mu[i] * normal ? mu[i] * normal / size : 1;
      lambda[n] = normal;
      lambda[n + 1] = scale * t;
      lambda[n + 2] = scale * o;
    }
  }

  void classify(const Column& mu, const Column& lambda) {
    mode_.resize(mu.size());
    for (std::size_t i = 0; i < mu.size(); ++i) {
      const Real normal = lambda[3 * i], friction = std::hypot(lambda[3 * i + 1], lambda[3 * i + 2]);
      mode_[i] = !(normal > 0) ? open : friction < mu[i] * normal * (1 - 1e-9L) ? sticks : slips;
    }
  }

  bool newton(const Matrix& A, const Column& b, const Column& mu, Column& lambda) const {
    const std::size_t rows = lambda.size();
    Column x = lambda;
    for (int step = 0; step < 12; ++step) {
      const Column s = plus(A * x, 1, b);
      Matrix J(rows, rows);
      Column F(rows);
      for (std::size_t i = 0; i < mu.size(); ++i) {
        const std::size_t n = 3 * i;
        const Real slip = std::hypot(s[n + 1], s[n + 2]);
        for (std::size_t k = 0; k < 3; ++k) {
          const std::size_t r = n + k;
          if (mode_[i] == open) {
            J(r, r) = 1;
            F[r] = x[r];
          } else if (k == 0 || mode_[i] == sticks) {
            for (std::size_t j = 0; j < rows; ++j) J(r, j) = A(r, j);
            F[r] = s[r];
          } else {
            F[r] = x[r] * slip + mu[i] * x[n] * s[r];
            for (std::size_t j = 0; j < rows; ++j)
              J(r, j) =
                  x[r] * (s[n + 1] * A(n + 1, j) + s[n + 2] * A(n + 2, j)) / slip + mu[i] * x[n] * A(r, j);
            J(r, r) += slip;
            J(r, n) += mu[i] * s[r];
          }
        }
      }
      const Column change = solve(J, F);
      x = plus(x, -1, change);
      if (!(largest(change) > 1e-18L * largest(x))) return believed(A, b, mu, x, lambda);
    }
    return false;
  }

  bool believed(const Matrix& A, const Column& b, const Column& mu, const Column& x, Column& lambda) const {
    const Column s = plus(A * x, 1, b);
    const Real force = 1e-15L * largest(x), speed = 1e-15L * largest(b);
    for (std::size_t i = 0; i < mu.size(); ++i) {
      const std::size_t n = 3 * i;
      if (!(x[n] >= -force) || !(s[n] >= -speed)) return false;
      if (!(std::hypot(x[n + 1], x[n + 2]) <= mu[i] * x[n] + force)) return false;
      if (mode_[i] == slips && !(x[n + 1] * s[n + 1] + x[n + 2] * s[n + 2] <= force * speed)) return false;
    }
    lambda = x;
    return true;
  }

  std::vector<Mode> mode_;
};

}  // namespace oracle
