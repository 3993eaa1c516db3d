#include "instant_problem.hpp"

namespace tactus::host {
namespace {

namespace acceleration = contact::acceleration;

template <int Dim>
double measure_as(const InstantProblem& p, const Eigen::VectorXd& c) {
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> A = p.A;
  acceleration::Problem<double, Dim> view;
  view.contact = {p.contacts(), A.data(), p.rows(), p.b.data(), p.mu.data(), nullptr};
  view.velocity = p.velocity.data();
  Eigen::VectorXd a(p.rows());
  return measure(view, p.cone ? acceleration::Law::cone : acceleration::Law::pyramid, c.data(), a.data());
}

}  // namespace

bool InstantProblem::slides(int i) const {
  for (int k = 0; k < dim - 1; ++k)
    if (velocity[static_cast<std::size_t>(i * (dim - 1) + k)] != 0) return true;
  return false;
}

bool InstantProblem::rolls() const {
  for (const double v : velocity)
    if (v != 0) return false;
  return true;
}

double InstantProblem::pull(int i, int k) const {
  Eigen::Vector2d v = Eigen::Vector2d::Zero();
  for (int l = 0; l < dim - 1; ++l) v[l] = velocity[static_cast<std::size_t>(i * (dim - 1) + l)];
  return -mu[static_cast<std::size_t>(i)] * v.stableNormalized()[k];
}

double InstantProblem::largest_b() const {
  return b.size() > 0 ? b.cwiseAbs().maxCoeff() : 0;
}

std::vector<ProblemPart> parts_of(const InstantProblem& p) {
  std::vector<int> root;
  for (int i = 0; i < p.contacts(); ++i) root.push_back(i);
  for (int i = 0; i < p.contacts(); ++i)
    for (int j = 0; j < i; ++j) {
      if (p.A.block(i * p.dim, j * p.dim, p.dim, p.dim).isZero(0)) continue;
      const int from = root[static_cast<std::size_t>(j)], to = root[static_cast<std::size_t>(i)];
      for (int& r : root) r = r == from ? to : r;
    }
  std::vector<ProblemPart> out;
  for (int r = 0; r < p.contacts(); ++r) {
    ProblemPart part{{p.dim, p.cone, {}, {}, {}, {}, 0}, {}};
    std::vector<int> rows;
    for (int i = 0; i < p.contacts(); ++i) {
      if (root[static_cast<std::size_t>(i)] != r) continue;
      part.contacts.push_back(i);
      part.problem.mu.push_back(p.mu[static_cast<std::size_t>(i)]);
      part.problem.joints += p.is_joint(i) ? 1 : 0;
      for (int k = 0; k < p.dim; ++k) rows.push_back(i * p.dim + k);
      for (int k = 0; k < p.dim - 1; ++k)
        part.problem.velocity.push_back(p.velocity[static_cast<std::size_t>(i * (p.dim - 1) + k)]);
    }
    if (rows.empty()) continue;
    part.problem.A = p.A(rows, rows);
    part.problem.b = p.b(rows);
    out.push_back(part);
  }
  return out;
}

double InstantProblem::measure(const Eigen::VectorXd& c) const {
  return dim == 2 ? measure_as<2>(*this, c) : measure_as<3>(*this, c);
}

}  // namespace tactus::host
