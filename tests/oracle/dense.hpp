// Plain dense linear algebra in long double, for oracles: written to be read, not to be fast, and sharing
// nothing with core. It fails loudly: a matrix that cannot be inverted gives numbers that are not finite.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#ifdef __clang__  // whose warning takes in double to long double, which is the purpose here
#pragma clang diagnostic ignored "-Wdouble-promotion"
#endif

namespace oracle {

using Real = long double;
using Column = std::vector<Real>;

class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), x_(rows * columns) {}
  static Matrix identity(std::size_t n) {
    Matrix I(n, n);
    for (std::size_t i = 0; i < n; ++i) I(i, i) = 1;
    return I;
  }
  static Matrix diagonal(const Column& d) {
    Matrix D(d.size(), d.size());
    for (std::size_t i = 0; i < d.size(); ++i) D(i, i) = d[i];
    return D;
  }
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  Real& operator()(std::size_t i, std::size_t j) { return x_[i * columns_ + j]; }
  Real operator()(std::size_t i, std::size_t j) const { return x_[i * columns_ + j]; }

  Matrix transposed() const {
    Matrix out(columns_, rows_);
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t j = 0; j < columns_; ++j) out(j, i) = (*this)(i, j);
    return out;
  }

 private:
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<Real> x_;
};

inline Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix out(a.rows(), b.columns());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t k = 0; k < a.columns(); ++k)
      for (std::size_t j = 0; j < b.columns(); ++j) out(i, j) += a(i, k) * b(k, j);
  return out;
}

inline Column operator*(const Matrix& a, const Column& x) {
  Column out(a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j) out[i] += a(i, j) * x[j];
  return out;
}

inline Matrix operator+(Matrix a, const Matrix& b) {
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j) a(i, j) += b(i, j);
  return a;
}

inline Matrix operator*(Real s, Matrix a) {
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j) a(i, j) *= s;
  return a;
}

// a + s b, of columns.
inline Column plus(Column a, Real s, const Column& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += s * b[i];
  return a;
}

inline Real largest(const Column& x) {
  Real top = 0;
  for (const Real v : x) top = std::fabs(v) <= top ? top : std::fabs(v);  // NaN is kept
  return top;
}

// A^-1 B by Gauss's elimination with row exchanges.
inline Matrix solve(Matrix A, Matrix B) {
  const std::size_t n = A.rows();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t top = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::fabs(A(i, k)) > std::fabs(A(top, k))) top = i;
    for (std::size_t j = 0; j < n; ++j) std::swap(A(k, j), A(top, j));
    for (std::size_t j = 0; j < B.columns(); ++j) std::swap(B(k, j), B(top, j));
    for (std::size_t i = k + 1; i < n; ++i) {
      const Real factor = A(i, k) / A(k, k);
      for (std::size_t j = k; j < n; ++j) A(i, j) -= factor * A(k, j);
      for (std::size_t j = 0; j < B.columns(); ++j) B(i, j) -= factor * B(k, j);
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = 0; j < B.columns(); ++j) {
      for (std::size_t i = k + 1; i < n; ++i) B(k, j) -= A(k, i) * B(i, j);
      B(k, j) /= A(k, k);
    }
  }
  return B;
}

inline Matrix inverse(const Matrix& A) {
  return solve(A, Matrix::identity(A.rows()));
}

inline Column solve(const Matrix& A, const Column& b) {
  Matrix B(b.size(), 1);
  for (std::size_t i = 0; i < b.size(); ++i) B(i, 0) = b[i];
  const Matrix X = solve(A, B);
  Column x(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) x[i] = X(i, 0);
  return x;
}

// The root of a symmetric positive definite matrix by the iteration of Denman and Beavers (1976): Y' = (Y +
// Z^-1) / 2, Z' = (Z + Y^-1) / 2 from Y = A, Z = I, quadratic in the end.
inline Matrix root(const Matrix& A) {
  Real size = 0;  // scaled by its trace
  for (std::size_t i = 0; i < A.rows(); ++i) size += A(i, i);
  size /= static_cast<Real>(A.rows());
  Matrix Y = (1 / size) * A, Z = Matrix::identity(A.rows());
  for (int k = 0; k < 30; ++k) {
    const Matrix next = Real(0.5) * (Y + inverse(Z));
    Z = Real(0.5) * (Z + inverse(Y));
    Y = next;
  }
  return std::sqrt(size) * Y;
}

}  // namespace oracle
