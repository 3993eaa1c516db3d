#include "row_problem.hpp"

namespace tactus::host {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

RowProblem::RowProblem(int dim, const RowsAt& rows, const MatrixXd& A, const VectorXd& b)
    : dim_(dim), A_(A), b_(b) {
  std::vector<int> held;
  for (const auto& [key, plain] : rows.plain)
    if (plain.holds()) held.push_back(plain.row);
  if (held.empty()) return;
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> inverse;
  inverse.setThreshold(1e-10);
  inverse.compute(A(held, held));
  const MatrixXd cross = A(held, Eigen::all);
  b_ -= cross.transpose() * inverse.solve(b(held));
  A_ -= cross.transpose() * inverse.solve(cross);
  A_ = (0.5 * (A_ + A_.transpose())).eval();
}

double RowProblem::mobility(int row) const {
  return A_(row, row) > 0 ? A_(row, row) : 1;
}

void RowProblem::add(int row, double factor, double constant) {
  column_.emplace_back(factor * VectorXd::Unit(b_.size(), row));
  own_.push_back(0);
  constant_.push_back(constant);
}

void RowProblem::add_own(double mobility, double constant) {
  column_.emplace_back(VectorXd::Zero(b_.size()));
  own_.push_back(mobility);
  constant_.push_back(constant);
}

void RowProblem::add_contact(int row, double mu) {
  for (int k = 0; k < dim_; ++k) add(row + k, 1, 0);
  mu_.push_back(mu);
}

void RowProblem::add_stop(int row, int side, double least) {
  add(row, side, -least);
  for (int k = 1; k < dim_; ++k) add_own(mobility(row), 0);
  mu_.push_back(0);
}

void RowProblem::add_rub(int row, double friction) {
  add_own(mobility(row), -mobility(row) * friction);
  add(row, 1, 0);
  for (int k = 2; k < dim_; ++k) add_own(mobility(row), 0);
  mu_.push_back(1);
  ++joints_;
}

InstantProblem RowProblem::take() const {
  const auto n = static_cast<Index>(column_.size());
  MatrixXd S(b_.size(), n);
  for (Index j = 0; j < n; ++j) S.col(j) = column_[static_cast<std::size_t>(j)];
  InstantProblem p{dim_, dim_ == 3, S.transpose() * A_ * S, S.transpose() * b_, mu_, {}, joints_};
  for (Index j = 0; j < n; ++j) {
    p.A(j, j) += own_[static_cast<std::size_t>(j)];
    p.b[j] += constant_[static_cast<std::size_t>(j)];
  }
  p.velocity.assign(static_cast<std::size_t>(n) - mu_.size(), 0.0);
  return p;
}

}  // namespace tactus::host
