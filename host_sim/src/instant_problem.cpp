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

double InstantProblem::measure(const Eigen::VectorXd& c) const {
  return dim == 2 ? measure_as<2>(*this, c) : measure_as<3>(*this, c);
}

}  // namespace tactus::host
