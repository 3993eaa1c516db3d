#include "mode_sets.hpp"

#include <array>
#include <cmath>

namespace tactus::host {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kEps = 2.220446049250313e-16;
// Singular values of a system whose rows and columns are scaled by the sizes of its terms: what is below
// kNothing of the largest is rounding, what is above kSomething is not, and what lies between is doubtful.
constexpr double kNothing = 1e-13, kSomething = 1e-11;
// Faces of a polyhedron are parallel below this: a corner of theirs has forces 1e9 times those of others. It
// is far above the rounding that the equations leave in the faces.
constexpr double kParallel = 1e-9;
// Accelerations as a share of the largest |b|: equations off by less than the first hold, by more than the
// second contradict each other. The first is below kSolved, by which a solution is judged, the second above.
constexpr double kHolds = 1e-10, kContradicts = 2e-9;

struct System {
  MatrixXd T;          // rows x unknowns
  MatrixXd E, E_size;  // equations E x + e = 0; the sizes of the sums in E
  VectorXd e;
  MatrixXd G, G_size;  // G x + g >= 0
  VectorXd g;
};

// Appends the row of a, or with `force` of c, with a sign.
class Builder {
 public:
  Builder(const InstantProblem& p, const std::vector<ContactMode>& modes) : p_(p) {
    for (int i = 0; i < p.contacts(); ++i) add_forces(i, modes[static_cast<std::size_t>(i)]);
    T_.resize(p.rows(), static_cast<Eigen::Index>(columns_.size()));
    for (std::size_t j = 0; j < columns_.size(); ++j) T_.col(static_cast<Eigen::Index>(j)) = columns_[j];
    S_ = p.A * T_;
    S_size_ = p.A.cwiseAbs() * T_.cwiseAbs();
    for (int i = 0; i < p.contacts(); ++i) add_laws(i, modes[static_cast<std::size_t>(i)]);
  }

  System finish() const {
    System s;
    s.T = T_;
    stack(equations_, s.E, s.E_size, s.e);
    stack(inequalities_, s.G, s.G_size, s.g);
    return s;
  }

 private:
  struct Row {
    VectorXd coefficients, size;
    double constant;
  };

  void add_forces(int i, const ContactMode& mode) {
    if (!mode.closed) return;
    const int n = i * p_.dim;
    const double mu = p_.mu[static_cast<std::size_t>(i)];
    VectorXd column = VectorXd::Zero(p_.rows());
    column[n] = 1;
    for (int k = 1; k < p_.dim; ++k)
      column[n + k] = p_.slides(i) ? p_.pull(i, k - 1) : -mu * mode.sign[static_cast<std::size_t>(k - 1)];
    columns_.push_back(column);
    for (int k = 1; k < p_.dim; ++k)
      if (held(i, mode, k)) columns_.push_back(VectorXd::Unit(p_.rows(), n + k));
  }

  // A contact without friction has no force that could hold a tangent.
  bool held(int i, const ContactMode& mode, int k) const {
    return !p_.slides(i) && p_.mu[static_cast<std::size_t>(i)] > 0 &&
           mode.sign[static_cast<std::size_t>(k - 1)] == 0;
  }

  void add_laws(int i, const ContactMode& mode) {
    const int n = i * p_.dim;
    const double mu = p_.mu[static_cast<std::size_t>(i)];
    if (!mode.closed) {
      inequalities_.push_back(acceleration(n, 1));
      return;
    }
    equations_.push_back(acceleration(n, 1));
    bool bounded = false;
    for (int k = 1; k < p_.dim; ++k) {
      if (held(i, mode, k)) {
        equations_.push_back(acceleration(n + k, 1));
        for (const int side : {1, -1}) {
          Row row = force(n, mu);
          row.coefficients += side * force(n + k, 1).coefficients;
          row.size += force(n + k, 1).size;
          inequalities_.push_back(row);
        }
        bounded = true;
      } else if (!p_.slides(i) && mu > 0) {
        inequalities_.push_back(acceleration(n + k, mode.sign[static_cast<std::size_t>(k - 1)]));
      }
    }
    if (!bounded) inequalities_.push_back(force(n, 1));
  }

  Row acceleration(int r, int sign) const {
    return {sign * S_.row(r).transpose(), S_size_.row(r).transpose(), sign * p_.b[r]};
  }
  Row force(int r, double factor) const {
    return {factor * T_.row(r).transpose(), factor * T_.row(r).cwiseAbs().transpose(), 0};
  }

  void stack(const std::vector<Row>& rows, MatrixXd& G, MatrixXd& size, VectorXd& g) const {
    const auto m = static_cast<Eigen::Index>(rows.size());
    G.resize(m, T_.cols());
    size.resize(m, T_.cols());
    g.resize(m);
    for (Eigen::Index r = 0; r < m; ++r) {
      const Row& row = rows[static_cast<std::size_t>(r)];
      G.row(r) = row.coefficients;
      size.row(r) = row.size;
      g[r] = row.constant;
    }
  }

  const InstantProblem& p_;
  std::vector<VectorXd> columns_;
  std::vector<Row> equations_, inequalities_;
  MatrixXd T_, S_, S_size_;
};

// The solutions of E x + e = 0: x0 + N z, x0 known to within `error`.
struct Flat {
  bool doubtful = false, empty = false;
  VectorXd x0, error;  // of each unknown
  VectorXd unit;       // of each unknown: what columns of N are measured by
  MatrixXd N;
};

// Scales that make the terms of each column and row of E at most 1. What cancels in E is then seen as small.
void equilibrate(const MatrixXd& size, VectorXd& row, VectorXd& column) {
  row = VectorXd::Ones(size.rows());
  column = VectorXd::Ones(size.cols());
  for (int pass = 0; pass < 3; ++pass) {
    for (Eigen::Index j = 0; j < size.cols(); ++j) {
      const double top =
          size.col(j).cwiseProduct(row).size() > 0 ? size.col(j).cwiseProduct(row).maxCoeff() : 0;
      column[j] = top > 0 ? 1 / top : 1;
    }
    for (Eigen::Index i = 0; i < size.rows(); ++i) {
      const double top = size.cols() > 0 ? size.row(i).transpose().cwiseProduct(column).maxCoeff() : 0;
      row[i] = top > 0 ? 1 / top : 1;
    }
  }
}

Flat solve_equations(const MatrixXd& E, const MatrixXd& size, const VectorXd& e, double unit,
                     double nothing = kNothing, double something = kSomething) {
  Flat out;
  const Eigen::Index n = E.cols();
  out.x0 = out.error = VectorXd::Zero(n);
  out.N = MatrixXd::Identity(n, n);
  out.unit = VectorXd::Ones(n);
  if (E.rows() == 0) return out;
  VectorXd row, column;
  equilibrate(size, row, column);
  const MatrixXd scaled = row.asDiagonal() * E * column.asDiagonal();
  const Eigen::JacobiSVD<MatrixXd> svd(scaled, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const auto& sigma = svd.singularValues();
  const double top = std::fmax(sigma[0], 1 / std::sqrt(static_cast<double>(n)));
  Eigen::Index rank = 0;
  while (rank < sigma.size() && sigma[rank] > something * top) ++rank;
  out.doubtful = rank < sigma.size() && sigma[rank] > nothing * top;
  const auto pseudo = [&](const VectorXd& right) {
    VectorXd y = svd.matrixU().leftCols(rank).transpose() * right;
    for (Eigen::Index i = 0; i < rank; ++i) y[i] /= sigma[i];
    return VectorXd(svd.matrixV().leftCols(rank) * y);
  };
  VectorXd y = pseudo(-(row.asDiagonal() * e));
  for (int pass = 0; pass < 2; ++pass) y -= pseudo(row.asDiagonal() * e + scaled * y);
  out.x0 = column.asDiagonal() * y;
  const double off = rank > 0 ? 64 * kEps * static_cast<double>(n) *
                                    (y.lpNorm<1>() + (row.asDiagonal() * e).lpNorm<Eigen::Infinity>()) /
                                    sigma[rank - 1]
                              : 0;
  out.error = off * column;
  out.N = column.asDiagonal() * svd.matrixV().rightCols(n - rank);
  out.unit = column;
  for (Eigen::Index j = 0; j < out.N.cols(); ++j) out.N.col(j).normalize();
  if (rank == E.rows()) return out;
  const VectorXd left = E * out.x0 + e;
  const double share = unit > 0 ? left.lpNorm<Eigen::Infinity>() / unit : 0;
  out.empty = share > kContradicts;
  out.doubtful = out.doubtful || (share > kHolds && !out.empty);
  return out;
}

// Calls visit(rows) for each choice of `take` of `of` rows; false where it would be too many.
template <class Visit>
bool each_choice(Eigen::Index of, Eigen::Index take, Visit&& visit) {
  std::vector<Eigen::Index> choice(static_cast<std::size_t>(take));
  for (std::size_t i = 0; i < choice.size(); ++i) choice[i] = static_cast<Eigen::Index>(i);
  if (take > of) return true;
  for (long tried = 0; tried < kMostChoices; ++tried) {
    visit(choice);
    Eigen::Index i = take - 1;
    while (i >= 0 && choice[static_cast<std::size_t>(i)] == of - take + i) --i;
    if (i < 0) return true;
    ++choice[static_cast<std::size_t>(i)];
    for (Eigen::Index j = i + 1; j < take; ++j)
      choice[static_cast<std::size_t>(j)] = choice[static_cast<std::size_t>(j - 1)] + 1;
  }
  return false;
}

// Whether what the equations leave open changes accelerations.
bool steers(const InstantProblem& p, const System& s, const Flat& flat) {
  const MatrixXd effect = p.A * s.T * flat.N, terms = p.A.cwiseAbs() * (s.T * flat.N).cwiseAbs();
  return effect.size() > 0 && effect.cwiseAbs().maxCoeff() > kSomething * terms.maxCoeff();
}

class Corners {
 public:
  Corners(const InstantProblem& p, const System& s, const Flat& flat)
      : p_(p), s_(s), flat_(flat), GN_(s.G * flat.N), g_(s.G * flat.x0 + s.g) {
    steers_ = steers(p, s, flat);
    // What moves no face is rounding beside what N could move.
    reach_ = VectorXd::Zero(flat.N.cols());
    for (Eigen::Index k = 0; k < flat.N.cols(); ++k)
      reach_[k] = flat.N.col(k).cwiseQuotient(flat.unit).lpNorm<Eigen::Infinity>();
    unit_ = VectorXd::Zero(s.G.rows());
    for (Eigen::Index r = 0; r < s.G.rows(); ++r) unit_[r] = s.G.cols() > 0 ? s.G_size.row(r).maxCoeff() : 0;
  }

  Family find() {
    Family out;
    const Eigen::Index d = flat_.N.cols();
    bool doubtful = flat_.doubtful;
    const bool whole = each_choice(GN_.rows(), d, [&](const auto& choice) {
      if (!steers_ && !out.corners.empty()) return;
      look_at(choice, out, doubtful);
    });
    if (!out.corners.empty()) {
      out.verdict = Family::Verdict::found;
      out.moves = steers_ && (ends_differ(out) || (d > 0 && has_ray(doubtful)));
      // Without a rank that is sure, others may have been missed.
      if (steers_ && (doubtful || !whole)) out.verdict = Family::Verdict::doubtful;
    } else if (doubtful || !whole) {
      out.verdict = Family::Verdict::doubtful;
    }
    return out;
  }

 private:
  void look_at(const std::vector<Eigen::Index>& choice, Family& out, bool& doubtful) const {
    const auto d = static_cast<Eigen::Index>(choice.size());
    MatrixXd active(d, d), size(d, d);
    VectorXd constant(d);
    for (Eigen::Index i = 0; i < d; ++i) {
      const Eigen::Index r = choice[static_cast<std::size_t>(i)];
      active.row(i) = GN_.row(r);
      size.row(i) = s_.G_size.row(r).dot(flat_.unit) * reach_.transpose();
      constant[i] = g_[r];
    }
    const Flat corner = solve_equations(active, size, constant, 0, kParallel, kParallel);
    if (corner.N.cols() > 0) return;
    const VectorXd x = flat_.x0 + flat_.N * corner.x0;
    const VectorXd error =
        flat_.error + flat_.N.cwiseAbs() * (corner.error + VectorXd::Constant(d, largest(flat_.error)));
    const VectorXd c = s_.T * x;
    if (p_.measure(c) <= kSolved) {
      out.corners.push_back(c);
      return;
    }
    const VectorXd slack = s_.G * x + s_.g;
    const VectorXd bound = s_.G_size * (error + kEps * 64 * x.cwiseAbs()) + 64 * kEps * s_.g.cwiseAbs();
    if (!((slack + bound).array() < 0).any()) doubtful = true;
  }

  static double largest(const VectorXd& x) { return x.size() > 0 ? x.maxCoeff() : 0; }

  bool ends_differ(const Family& family) const {
    for (const VectorXd& c : family.corners)
      if (!same_motion(p_, family.corners.front(), c)) return true;
    return false;
  }

  // A direction along which every inequality stays and accelerations change.
  bool has_ray(bool& doubtful) const {
    const Eigen::Index d = flat_.N.cols();
    bool found = false;
    const bool whole = each_choice(GN_.rows(), d - 1, [&](const auto& choice) {
      if (found) return;
      MatrixXd active(d - 1, d);
      for (Eigen::Index i = 0; i < d - 1; ++i) active.row(i) = GN_.row(choice[static_cast<std::size_t>(i)]);
      const Flat line =
          solve_equations(active, MatrixXd::Ones(d - 1, d), VectorXd::Zero(d - 1), 0, kParallel, kParallel);
      if (line.N.cols() != 1) return;
      for (const int side : {1, -1}) {
        const VectorXd x = side * flat_.N * line.N;
        const VectorXd c = s_.T * x;
        const bool stays = ((s_.G * x + 1e-10 * unit_ * x.lpNorm<Eigen::Infinity>()).array() >= 0).all();
        const VectorXd a = p_.A * c, terms = p_.A.cwiseAbs() * c.cwiseAbs();
        found =
            found || (stays && a.lpNorm<Eigen::Infinity>() > kSomething * terms.lpNorm<Eigen::Infinity>());
      }
    });
    doubtful = doubtful || !whole;
    return found;
  }

  const InstantProblem& p_;
  const System& s_;
  const Flat& flat_;
  MatrixXd GN_;
  VectorXd g_, unit_, reach_;
  bool steers_ = false;  // what the equations leave open changes accelerations
};

}  // namespace

bool same_motion(const InstantProblem& p, const VectorXd& c, const VectorXd& other) {
  const VectorXd apart = (p.A * (c - other)).cwiseAbs();
  const VectorXd terms = p.A.cwiseAbs() * (c.cwiseAbs() + other.cwiseAbs());
  const double small = kApart * p.largest_b() + 64 * kEps * (terms.size() > 0 ? terms.maxCoeff() : 0);
  return (apart.array() <= small).all();
}

std::vector<ContactMode> modes_of(const InstantProblem& p, int i) {
  std::vector<ContactMode> modes{{}};
  if (p.slides(i) || !(p.mu[static_cast<std::size_t>(i)] > 0)) {
    modes.push_back({true, {}});
    return modes;
  }
  if (p.is_joint(i)) return {{true, {0, 0}}, {true, {-1, 0}}, {true, {1, 0}}};
  if (p.dim == 3 && p.cone) {
    modes.push_back({true, {}});
    modes.push_back({true, {}, true});
    return modes;
  }
  for (const int t : {0, -1, 1})
    for (const int o : {0, -1, 1})
      if (p.dim == 3 || o == 0) modes.push_back({true, {t, o}});
  return modes;
}

std::string word(const InstantProblem& p, int i, const ContactMode& mode) {
  if (!mode.closed) return "open";
  if (p.slides(i)) return "slides";
  if (!(p.mu[static_cast<std::size_t>(i)] > 0)) return "smooth";
  if (mode.starts) return "starts";
  std::string out;
  for (std::size_t k = 0; k < 2; ++k)
    if (mode.sign[k] != 0) out += std::string(mode.sign[k] > 0 ? "+" : "-") + (k == 0 ? "t" : "o");
  return !out.empty() ? out : p.is_joint(i) ? "holds" : "rolls";
}

bool fixes_motion(const InstantProblem& p, const std::vector<ContactMode>& modes) {
  const System system = Builder(p, modes).finish();
  const Flat flat = solve_equations(system.E, system.E_size, system.e, p.largest_b());
  return !flat.doubtful && !steers(p, system, flat);
}

Family solve_modes(const InstantProblem& p, const std::vector<ContactMode>& modes) {
  const System system = Builder(p, modes).finish();
  const Flat flat = solve_equations(system.E, system.E_size, system.e, p.largest_b());
  if (flat.empty) return {};
  return Corners(p, system, flat).find();
}

}  // namespace tactus::host
