#include "existence.hpp"

#include <cmath>
#include <functional>

#include "linear_set.hpp"

namespace tactus::host {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Verdict = Condition::Verdict;

// Eigenvalues of A, contacts scaled to A_nn = 1: what is below the first is rounding, what is above the
// second is not.
constexpr double kNothing = 1e-13, kSomething = 1e-10;
// What b does along N, as a share of |b|: less is rounding, and far less than what a solution may be off by.
constexpr double kAlong = 1e-11;
// By how much forces may leave friction, contacts scaled, where they move b or press by 1.
constexpr double kThin = 1e-10;

enum class Tangents : std::uint8_t { none, free, rubs, opposes };  // opposes: rubs, and against the slip

// The null space of the columns of A that are wanted, as columns of all of A.
struct Null {
  bool sure = true;
  MatrixXd N;
};

VectorXd scales(const InstantProblem& p) {
  VectorXd s(p.rows());
  for (int i = 0; i < p.contacts(); ++i) {
    const double top = p.A.diagonal().segment(i * p.dim, p.dim).maxCoeff();
    s.segment(i * p.dim, p.dim).setConstant(top > 0 ? 1 / std::sqrt(top) : 1);
  }
  return s;
}

Null null_space(const InstantProblem& p, const std::vector<int>& columns) {
  const VectorXd s = scales(p);
  const auto n = static_cast<Eigen::Index>(columns.size());
  MatrixXd part(n, n);
  const auto at = [&](Eigen::Index i) { return columns[static_cast<std::size_t>(i)]; };
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) part(i, j) = s[at(i)] * p.A(at(i), at(j)) * s[at(j)];
  Null out{true, MatrixXd(p.rows(), 0)};
  if (n == 0) return out;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(part);
  const double top = std::fmax(eigen.eigenvalues()[n - 1], 1e-300);
  Eigen::Index null = 0;
  while (null < n && eigen.eigenvalues()[null] < kSomething * top) ++null;
  for (Eigen::Index k = 0; k < null; ++k)
    out.sure = out.sure && std::fabs(eigen.eigenvalues()[k]) < kNothing * top;
  out.N = MatrixXd::Zero(p.rows(), null);
  for (Eigen::Index i = 0; i < n; ++i) out.N.row(at(i)) = s[at(i)] * eigen.eigenvectors().row(i).head(null);
  return out;
}

// Is there a c in N, within friction as `tangents` says, with `aim` . c <= -1?
class Check {
 public:
  Check(const InstantProblem& p, const std::function<Tangents(int)>& tangents)
      : p_(p), tangents_(tangents), scale_(scales(p)) {
    std::vector<int> columns;
    for (int i = 0; i < p.contacts(); ++i)
      for (int k = 0; k < p.dim; ++k)
        if (k == 0 || tangents(i) != Tangents::none) columns.push_back(i * p.dim + k);
    null_ = null_space(p, columns);
    for (int i = 0; i < p.contacts(); ++i) bound(i);
  }

  const Null& null() const { return null_; }

  Condition run(const std::string& name, const VectorXd& aim) {
    Condition out{name, Verdict::undecided, {}};
    if (!null_.sure) return out;
    const VectorXd along = null_.N.transpose() * aim;
    const double size = aim.lpNorm<Eigen::Infinity>();
    if (along.size() == 0 ||
        along.lpNorm<Eigen::Infinity>() <= kAlong * size * null_.N.cwiseAbs().maxCoeff()) {
      out.verdict = Verdict::holds;
      return out;
    }
    VectorXd toward = -along / along.lpNorm<Eigen::Infinity>();
    for (int pass = 0; pass < kMostCuts; ++pass) {
      LinearSet all = bounds_;
      all.add(toward, -1);
      VectorXd z;
      const auto found = all.find(null_.N.cols(), z);
      out.verdict = found == LinearSet::Verdict::empty   ? Verdict::holds
                    : found == LinearSet::Verdict::point ? Verdict::violated
                                                         : Verdict::undecided;
      if (out.verdict != Verdict::violated) return out;
      const VectorXd c = null_.N * z;
      if (cut(c)) continue;
      double press = 0;
      for (int i = 0; i < p_.contacts(); ++i) press += std::fmax(c[i * p_.dim], 0.0);
      out.c = c / (press > 0 ? press : c.norm());
      return out;
    }
    out.verdict = Verdict::undecided;
    return out;
  }

 private:
  bool round(int i) const {
    return p_.dim == 3 && p_.cone && (tangents_(i) == Tangents::rubs || tangents_(i) == Tangents::opposes);
  }
  // row . c >= 0, and so that rounding of N makes no thin set empty, a little less. Rows that have nothing of
  // N would be noise.
  void demand(const VectorXd& row) {
    const VectorXd z = null_.N.transpose() * row.cwiseQuotient(scale_);
    if (z.size() > 0 && z.lpNorm<Eigen::Infinity>() > kThin * row.lpNorm<Eigen::Infinity>())
      bounds_.add(z, kThin);
  }

  void bound(int i) {
    const int n = i * p_.dim;
    const double mu = p_.mu[static_cast<std::size_t>(i)];
    demand(VectorXd::Unit(p_.rows(), n));
    const Tangents kind = tangents_(i);
    if (kind == Tangents::none || kind == Tangents::free) return;
    for (int k = 1; k < p_.dim; ++k)
      for (const int side : {1, -1}) {
        VectorXd row = VectorXd::Zero(p_.rows());
        row[n] = mu;
        row[n + k] = side;
        demand(row);
      }
    if (kind != Tangents::opposes) return;
    VectorXd row = VectorXd::Zero(p_.rows());
    for (int k = 1; k < p_.dim; ++k) row[n + k] = mu > 0 ? p_.pull(i, k - 1) / mu : 0;
    demand(row);
  }

  // Round cones that c leaves are cut along c_T.
  bool cut(const VectorXd& c) {
    bool any = false;
    for (int i = 0; i < p_.contacts(); ++i) {
      if (!round(i)) continue;
      const double t = c[i * 3 + 1], o = c[i * 3 + 2], size = std::hypot(t, o);
      const double mu = p_.mu[static_cast<std::size_t>(i)];
      if (!(size > mu * c[i * 3] + 1e-10 * c.lpNorm<Eigen::Infinity>())) continue;
      VectorXd row = VectorXd::Zero(p_.rows());
      row[i * 3] = mu;
      row[i * 3 + 1] = -t / size;
      row[i * 3 + 2] = -o / size;
      demand(row);
      any = true;
    }
    return any;
  }

  const InstantProblem& p_;
  std::function<Tangents(int)> tangents_;
  VectorXd scale_;
  Null null_;
  LinearSet bounds_;
};

// Minus the sum of the normal forces: what is pressed at all.
VectorXd pressing(const InstantProblem& p) {
  VectorXd out = VectorXd::Zero(p.rows());
  for (int i = 0; i < p.contacts(); ++i) out[i * p.dim] = -1;
  return out;
}

// N has no force but zero that is within friction: of pressed ones, and where tangents are free also of
// others.
Condition trivial(const InstantProblem& p, const std::string& name,
                  const std::function<Tangents(int)>& tangents) {
  Check check(p, tangents);
  Condition out = check.run(name, pressing(p));
  const MatrixXd& N = check.null().N;
  if (!out.holds() || N.cols() == 0) return out;
  bool free = false;
  for (int i = 0; i < p.contacts(); ++i) free = free || tangents(i) == Tangents::free;
  if (!free) return out;
  // c_n >= 0 leaves c_n = 0 alone, and of these N may have some.
  MatrixXd normal(p.contacts(), N.cols());
  for (int i = 0; i < p.contacts(); ++i) normal.row(i) = N.row(i * p.dim);
  const Eigen::JacobiSVD<MatrixXd> svd(normal, Eigen::ComputeFullV);
  const auto rank = (svd.singularValues().array() > 1e-9 * N.cwiseAbs().maxCoeff()).count();
  if (rank == N.cols()) return out;
  out.verdict = Verdict::violated;
  out.c = N * svd.matrixV().rightCols(1);
  return out;
}

double find_mu_bar(const InstantProblem& p) {
  if (p.contacts() == 0) return 0;
  const VectorXd s = scales(p);
  const MatrixXd A = s.asDiagonal() * p.A * s.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(A);
  if (!(eigen.eigenvalues()[0] > kSomething * eigen.eigenvalues()[p.rows() - 1])) return 0;
  const MatrixXd inverse = eigen.eigenvectors() * eigen.eigenvalues().cwiseInverse().asDiagonal() *
                           eigen.eigenvectors().transpose();
  const int n = p.contacts() - p.joints, tangents = p.dim - 1;
  if (n == 0) return 0;
  MatrixXd nn(n, n), TT(n * tangents, n * tangents);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      nn(i, j) = inverse(i * p.dim, j * p.dim);
      for (int k = 0; k < tangents; ++k)
        for (int l = 0; l < tangents; ++l)
          TT(i * tangents + k, j * tangents + l) = A(i * p.dim + 1 + k, j * p.dim + 1 + l);
    }
  const auto largest = [](const MatrixXd& M) {
    return Eigen::SelfAdjointEigenSolver<MatrixXd>(M, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
  };
  const double sides = p.dim == 3 && !p.cone ? 2 : 1;
  return 1 / std::sqrt(sides * largest(nn) * largest(TT));
}

// Forces at the edges of what friction allows; those about the round cone are the square's. Joints are not
// among them: what they hold is bounded by itself.
MatrixXd edges(const InstantProblem& p) {
  std::vector<VectorXd> out;
  for (int i = 0; i < p.contacts() - p.joints; ++i) {
    const double mu = p.mu[static_cast<std::size_t>(i)];
    VectorXd c = VectorXd::Unit(p.rows(), i * p.dim);
    if (p.slides(i) || !(mu > 0)) {
      for (int k = 1; k < p.dim && mu > 0; ++k) c[i * p.dim + k] = p.pull(i, k - 1);
      out.push_back(c);
      continue;
    }
    for (int corner = 0; corner < (p.dim == 2 ? 2 : 4); ++corner) {
      c[i * p.dim + 1] = corner % 2 == 0 ? mu : -mu;
      if (p.dim == 3) c[i * p.dim + 2] = corner < 2 ? mu : -mu;
      out.push_back(c);
    }
  }
  MatrixXd R(p.rows(), static_cast<Eigen::Index>(out.size()));
  for (std::size_t j = 0; j < out.size(); ++j) R.col(static_cast<Eigen::Index>(j)) = out[j];
  return R;
}

// x . S x > 0 for all x >= 0 but zero, S in scaled edges: on a simplex with corners V it holds where V^T S V
// is positive, and else the simplex is halved.
Condition copositive(const InstantProblem& p) {
  Condition out{"copositive", Verdict::undecided, {}};
  MatrixXd Q = p.A;
  for (int i = 0; i < p.contacts(); ++i)
    for (int k = 1; k < p.dim; ++k)
      if (p.slides(i)) Q.row(i * p.dim + k).setZero();
  MatrixXd R = edges(p);
  for (Eigen::Index j = 0; j < R.cols(); ++j) {
    const double size = R.col(j).dot(p.A * R.col(j));
    if (size > 0) R.col(j) /= std::sqrt(size);
  }
  const MatrixXd S = 0.5 * R.transpose() * (Q + Q.transpose()) * R;
  const double small = 1e-10 * std::fmax(S.cwiseAbs().maxCoeff(), 1e-300);
  std::vector<MatrixXd> open{MatrixXd::Identity(S.cols(), S.cols())};
  for (int looked = 0; looked < kMostSimplices && !open.empty(); ++looked) {
    const MatrixXd V = open.back();
    open.pop_back();
    const MatrixXd on = V.transpose() * S * V;
    Eigen::Index least = 0;
    if (on.diagonal().minCoeff(&least) <= small * V.col(least).squaredNorm()) {
      out.verdict = Verdict::violated;
      const VectorXd c = R * V.col(least);
      double press = 0;
      for (int i = 0; i < p.contacts(); ++i) press += c[i * p.dim];
      out.c = press > 0 ? VectorXd(c / press) : c;
      return out;
    }
    Eigen::Index i = 0, j = 0;
    if (on.minCoeff(&i, &j) > 0) continue;
    for (const Eigen::Index end : {i, j}) {
      MatrixXd half = V;
      half.col(end) = 0.5 * (V.col(i) + V.col(j));
      open.push_back(half);
    }
  }
  if (open.empty()) out.verdict = Verdict::holds;
  return out;
}

Jam jam_of(const InstantProblem& p, int i) {
  Jam out;
  const int n = i * p.dim;
  const double own = p.A(n, n), mu = p.mu[static_cast<std::size_t>(i)];
  Eigen::Vector2d side = Eigen::Vector2d::Zero();
  for (int k = 1; k < p.dim; ++k) side[k - 1] = p.A(n, n + k);
  double pull = side.norm();
  if (pull > 0) out.direction = side / pull;
  if (p.dim == 3 && !p.cone && !p.slides(i)) {  // by the pyramid each tangent pulls by all of mu
    pull = side.lpNorm<1>();
    for (int k = 0; k < 2; ++k) out.direction[k] = side[k] > 0 ? 1 : side[k] < 0 ? -1 : 0;
  }
  if (p.slides(i) && mu > 0) {
    pull = 0;
    for (int k = 0; k < p.dim - 1; ++k) {
      out.direction[k] = -p.pull(i, k) / mu;
      pull += side[k] * out.direction[k];
    }
  }
  if (!(pull > 0) || !(own > 0)) return out;
  out.mu = own / pull;
  out.can = mu >= *out.mu;
  return out;
}

}  // namespace

const Condition& Existence::condition(const std::string& name) const {
  for (const Condition& c : conditions)
    if (c.name == name) return c;
  static const Condition none;
  return none;
}

Existence check_existence(const InstantProblem& p) {
  Existence out;
  const auto all = [](Tangents kind) { return [kind](int) { return kind; }; };
  const auto by_slip = [&](Tangents rolls, Tangents slides) {
    return [&p, rolls, slides](int i) { return p.slides(i) ? slides : rolls; };
  };
  double most = 0;
  for (int i = 0; i < p.contacts() - p.joints; ++i) most = std::fmax(most, p.mu[static_cast<std::size_t>(i)]);
  out.conditions.push_back(trivial(p, "(15)", all(Tangents::free)));
  out.conditions.push_back(trivial(p, "(20)", by_slip(Tangents::rubs, Tangents::none)));
  out.conditions.push_back(Check(p, all(Tangents::none)).run("(36)", p.b));
  if (p.rolls()) out.conditions.push_back(Check(p, all(Tangents::rubs)).run("(35)", p.b));
  if (!p.rolls())
    out.conditions.push_back(Check(p, by_slip(Tangents::rubs, Tangents::opposes)).run("(49)", p.b));
  if (!p.rolls() && most > 0) out.conditions.push_back(copositive(p));
  for (int i = 0; i < p.contacts(); ++i) out.jam.push_back(jam_of(p, i));
  out.mu_bar = find_mu_bar(p);
  out.impossible = out.condition("(36)").verdict == Verdict::violated;
  const std::string decides = p.rolls() ? "(35)" : most > 0 ? "copositive" : "(36)";
  out.relaxed = p.rolls() || out.condition("(49)").holds();
  out.unique = most < out.mu_bar * (1 - 1e-9);
  out.guaranteed = !out.impossible && (out.unique || out.condition(decides).holds());
  if (out.guaranteed) out.by = out.unique ? "mu-bar" : decides;
  const std::string fails = out.impossible ? "(36)" : decides;
  if (!out.guaranteed && out.condition(fails).verdict == Verdict::violated) out.violated_by = fails;
  return out;
}

}  // namespace tactus::host
