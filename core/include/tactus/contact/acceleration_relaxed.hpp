// Where a sliding contact jams: the forces nearest to Coulomb's law, Pang-Trinkle 1996 (46), (47).
//
// Sliding friction is only asked not to do work, v_T . c_T <= 0, and to stay in the friction set; what is
// left of the law is the objective
//
//     f = sum over the sliding contacts of | mu c_n v_T + |v_T| c_T |^2      in N^2 m^2/s^2
//
// while everything else holds as it stands. With p_t = c_t + mu c_n for a sliding contact this is a convex
// quadratic f under linear inequalities and the complementary pairs of (30) (the paper's (48)):
//
//     columns  c_n, (s+, a-) of what rolls; p of what slides, without a pair
//     rows     a_n, (a+, s-);  2 mu c_n - p >= 0 and -v_T . c_T >= 0 of what slides, without a pair
//
// It is solved by branch and bound. At a node some pairs are closed and the others dropped; the least f there
// is a convex quadratic program, whose optimality conditions are an LCP of a positive semidefinite matrix
// that Lemke's method solves, and bounds f from below on the whole branch. A node that is no better than the
// best answer so far is left; one whose optimum is complementary is the optimum of its branch; else the pair
// it violates most is branched on. Nodes that contradict themselves are closed as in lcp/branch.hpp. `proved`
// says that nothing was left open, so that f is the least there is (Theorem 7).
//
// The friction set is the pyramid, (47). In the plane that is (46), too.
//
// Cost: one LCP of up to 3 (2 Dim - 1) unknowns a contact for each node; two to twenty nodes for one or two
// sliding contacts. Memory: sizeof(RelaxedWorkspace).
#pragma once

#include "tactus/contact/acceleration_pyramid.hpp"

namespace tactus::contact::acceleration {

template <class Scalar, int Dim, int Contacts>
struct RelaxedWorkspace {
  static constexpr int kSide = unknowns<Dim>(Contacts);  // rows, and columns
  static constexpr int kKkt = 3 * kSide;
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;

  Array<Scalar, Contacts * Dim> c{};  // N
  Array<Scalar, Contacts * Dim> a{};  // m/s^2

  // Scratch.
  Array<Scalar, Contacts * Dim> trial;
  Array<int, Contacts> first, extra;  // paired and unpaired columns of each contact
  Array<Scalar, kSide * kSide> M, Q;
  Array<Scalar, kSide> q, x;
  lcp::BranchWorkspace<Scalar, kSide, kSide> branch;
  Array<Scalar, kKkt * kKkt> kkt;
  Array<Scalar, kKkt> offset;
  lcp::Workspace<Scalar, kKkt> lemke;
};

template <class Scalar>
struct RelaxedAnswer {
  Status status = Status::bad_input;                          // none: not even these laws can be met
  Scalar f = 0;                                               // N^2 m^2/s^2; zero: Coulomb's law itself holds
  bool proved = false;                                        // no smaller f exists
  Scalar residual = std::numeric_limits<Scalar>::infinity();  // of everything but f
  int pivots = 0, nodes = 0;
};

namespace detail {

template <class Scalar, int Dim, int Contacts, Clock Time>
class Relaxed {
 public:
  using Workspace = RelaxedWorkspace<Scalar, Dim, Contacts>;

  Relaxed(const Problem<Scalar, Dim>& p, Workspace& ws, const Budget& budget, Time& clock)
      : p_(p), ws_(ws), budget_(budget), clock_(clock) {}

  RelaxedAnswer<Scalar> run() {
    write();
    answer_.status = Status::undecided;
    const lcp::Inequalities<Scalar> inequalities{rows_,        columns_, pairs_,
                                                 ws_.M.data(), columns_, ws_.q.data()};
    const auto searched = lcp::branch(
        inequalities, ws_.branch, budget_.search, [&](const auto& node) { return visit(node); }, clock_);
    answer_.pivots += searched.pivots;
    answer_.nodes = searched.nodes;
    answer_.proved = searched.complete && searched.proved && !doubtful_;
    if (answer_.status != Status::solved && answer_.proved) answer_.status = Status::none;
    if (answer_.status == Status::solved) accelerations(p_, ws_.c.data(), ws_.a.data());
    return answer_;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  Scalar& M(int i, int j) { return ws_.M[at(i * columns_ + j)]; }

  // Column of force unknown u of contact j (0: c_n), and its share in the force component l.
  int column(int j, int u) const {
    return u == 0 || !p_.slides(j) ? ws_.first[at(j)] + u : ws_.extra[at(j)] + u - 1;
  }
  Scalar share(int j, int u, int l) const {
    if (u == 0) return l == 0 ? Scalar(1) : -p_.contact.mu[j];
    return u == l ? Scalar(1) : Scalar(0);
  }

  void write() {
    pairs_ = 0;
    for (int i = 0; i < p_.count(); ++i) {
      ws_.first[at(i)] = pairs_;
      pairs_ += p_.slides(i) ? 1 : 2 * Dim - 1;
    }
    columns_ = rows_ = pairs_;
    fastest_ = 0;
    for (int i = 0; i < p_.count(); ++i) {
      if (!p_.slides(i)) continue;
      ws_.extra[at(i)] = columns_;
      columns_ += Dim - 1;
      rows_ += Dim;
      fastest_ = math::larger(fastest_, p_.speed(i));
    }
    for (int i = 0; i < rows_ * columns_; ++i) ws_.M[at(i)] = 0;
    for (int i = 0; i < columns_ * columns_; ++i) ws_.Q[at(i)] = 0;
    Scalar top = 0;
    for (int i = 0; i < p_.contact.rows(); ++i) top = math::larger(top, p_.A(i, i));
    int next = pairs_;
    for (int i = 0; i < p_.count(); ++i) {
      const int r = ws_.first[at(i)];
      const Scalar mu = p_.contact.mu[i];
      for (int k = 0; k < forces_of(p_, i); ++k) {
        ws_.q[at(r + k)] = p_.contact.b[i * Dim + k];
        for (int j = 0; j < p_.count(); ++j)
          for (int u = 0; u < Dim; ++u)
            for (int l = 0; l < Dim; ++l)
              M(r + k, column(j, u)) += p_.A(i * Dim + k, j * Dim + l) * share(j, u, l);
        if (k == 0) continue;
        const int pair = r + Dim - 1 + k;  // a-, s-
        M(r + k, pair) = 1;
        M(pair, r) = 2 * mu;
        M(pair, r + k) = -1;
        ws_.q[at(pair)] = 0;
      }
      if (!p_.slides(i)) continue;
      Scalar friction = 0;  // mu d . e, what -d . c_T >= 0 has in the column of c_n
      for (int k = 1; k < Dim; ++k) {
        M(next, r) = 2 * mu;
        M(next, column(i, k)) = -1;
        ws_.q[at(next++)] = 0;
        friction += mu * p_.direction(i, k - 1);
      }
      M(next, r) = friction;
      for (int k = 1; k < Dim; ++k) M(next, column(i, k)) = -p_.direction(i, k - 1);
      ws_.q[at(next++)] = 0;
      // f / (fastest speed)^2, times A's size so that its gradient is an acceleration.
      const Scalar weight = p_.speed(i) / fastest_ * (p_.speed(i) / fastest_) * top;
      for (int k = 1; k < Dim; ++k) {
        const Scalar g[2] = {mu * (p_.direction(i, k - 1) - 1), 1};
        const int c[2] = {r, column(i, k)};
        for (int y = 0; y < 2; ++y)
          for (int x = 0; x < 2; ++x) ws_.Q[at(c[y] * columns_ + c[x])] += weight * g[y] * g[x];
      }
    }
  }

  Scalar objective(const Scalar* c) const {
    Scalar f = 0;
    for (int i = 0; i < p_.count(); ++i) {
      if (!p_.slides(i)) continue;
      const Scalar speed = p_.speed(i);
      for (int k = 1; k < Dim; ++k) {
        const Scalar e = speed * (c[i * Dim + k] + p_.contact.mu[i] * p_.direction(i, k - 1) * c[i * Dim]);
        f += e * e;
      }
    }
    return f;
  }

  // Every law but (9), as measure() does; ws.a is scratch.
  Scalar breach(const Scalar* c) {
    const Scalar* const a = ws_.a.data();
    return share_of_data(p_, c, ws_.a.data(), [&](int i) {
      const int n = i * Dim;
      const Scalar x = c[n] * p_.A(n, n), y = a[n];
      Scalar off = math::magnitude(x < y ? x : y), power = 0;
      for (int k = 1; k < Dim; ++k) {
        const Scalar D = p_.A(n + k, n + k), force = c[n + k] * D;
        const Scalar limit = c[n] > 0 ? p_.contact.mu[i] * c[n] * D : Scalar(0);
        Scalar target = p_.slides(i) ? force : force - a[n + k];
        target = target > limit ? limit : target < -limit ? -limit : target;
        off = worst(off, math::magnitude(force - target));
        if (p_.slides(i)) power += p_.direction(i, k - 1) * force;
      }
      return worst(off, power);
    });
  }

  // The least f at a node, by the LCP of its optimality conditions: x >= 0 for the open columns; multipliers
  // of all rows, and once more, with the other sign, of those that are held at zero.
  template <class Node>
  bool minimise(const Node& node) {
    int open[Workspace::kSide], n = 0, equal[Workspace::kSide], m = 0;
    for (int j = 0; j < columns_; ++j)
      if (!node.closed[at(j)]) open[n++] = j;
    for (int i = 0; i < pairs_; ++i)
      if (node.closed[at(columns_ + i)]) equal[m++] = i;
    const int size = n + rows_ + m;
    const auto K = [&](int i, int j) -> Scalar& { return ws_.kkt[at(i * size + j)]; };
    for (int i = 0; i < size * size; ++i) ws_.kkt[at(i)] = 0;
    for (int j = 0; j < n; ++j) {
      ws_.offset[at(j)] = 0;
      for (int l = 0; l < n; ++l) K(j, l) = ws_.Q[at(open[j] * columns_ + open[l])];
      for (int i = 0; i < rows_; ++i) {
        K(n + i, j) = M(i, open[j]);
        K(j, n + i) = -M(i, open[j]);
      }
      for (int e = 0; e < m; ++e) {
        K(n + rows_ + e, j) = -M(equal[e], open[j]);
        K(j, n + rows_ + e) = M(equal[e], open[j]);
      }
    }
    for (int i = 0; i < rows_; ++i) ws_.offset[at(n + i)] = ws_.q[at(i)];
    for (int e = 0; e < m; ++e) ws_.offset[at(n + rows_ + e)] = -ws_.q[at(equal[e])];
    const auto lemke =
        lcp::solve(lcp::Problem<Scalar>{size, ws_.kkt.data(), size, ws_.offset.data(), nullptr}, ws_.lemke,
                   lcp::Options{budget_.lemke}, {}, clock_);
    answer_.pivots += lemke.pivots;
    if (lemke.status != lcp::Status::solved) return false;
    for (int j = 0; j < columns_; ++j) ws_.x[at(j)] = 0;
    for (int j = 0; j < n; ++j) ws_.x[at(open[j])] = ws_.lemke.z[at(j)];
    forces_from_x();
    return true;
  }

  void forces_from_x() {
    for (int i = 0; i < p_.count(); ++i) {
      for (int l = 0; l < Dim; ++l) {
        ws_.trial[at(i * Dim + l)] = 0;
        for (int u = 0; u < Dim; ++u) ws_.trial[at(i * Dim + l)] += share(i, u, l) * ws_.x[at(column(i, u))];
      }
    }
  }

  // The forces in trial become the answer, if they obey the laws.
  bool accept() {
    const Scalar residual = breach(ws_.trial.data());
    if (!(residual <= kSolved<Scalar>)) return false;
    answer_.status = Status::solved;
    answer_.f = objective(ws_.trial.data());
    answer_.residual = residual;
    ws_.c = ws_.trial;
    return true;
  }

  bool worse_than_best() const {
    return answer_.status == Status::solved &&
           !(objective(ws_.trial.data()) < answer_.f * (1 - kSolved<Scalar>));
  }

  template <class Node>
  int visit(const Node& node) {
    const bool bounded = minimise(node);
    if (bounded && (worse_than_best() || accept())) return lcp::kBranchDone;
    int pair = -1;
    if (bounded) {
      // The pair whose sides are both farthest from zero at the optimum.
      Scalar worst = 0;
      for (int i = 0; i < pairs_; ++i) {
        if (node.closed[at(i)] || node.closed[at(columns_ + i)]) continue;
        Scalar w = ws_.q[at(i)];
        for (int j = 0; j < columns_; ++j) w += M(i, j) * ws_.x[at(j)];
        const Scalar product = ws_.x[at(i)] / node.column_scale[at(i)] * (w * node.row_scale[at(i)]);
        if (!(product > worst)) continue;
        worst = product;
        pair = i;
      }
    } else {
      pair = lcp::most_violated(node, pairs_, Scalar(0));
    }
    if (pair >= 0) return pair;
    // The optimum is lost in rounding. The node's own vertex is an answer, though perhaps not the best.
    doubtful_ = true;
    for (int j = 0; j < columns_; ++j) ws_.x[at(j)] = node.z[at(j)];
    forces_from_x();
    if (!worse_than_best()) accept();
    return lcp::kBranchDone;
  }

  const Problem<Scalar, Dim>& p_;
  Workspace& ws_;
  Budget budget_;
  Time& clock_;
  RelaxedAnswer<Scalar> answer_;
  int pairs_ = 0, rows_ = 0, columns_ = 0;
  Scalar fastest_ = 0;
  bool doubtful_ = false;
};

}  // namespace detail

// The forces (ws.c) and accelerations (ws.a) of the relaxed problem with the least f.
template <class Scalar, int Dim, int Contacts, Clock Time = const NoClock>
RelaxedAnswer<Scalar> solve_relaxed(const Problem<Scalar, Dim>& p,
                                    RelaxedWorkspace<Scalar, Dim, Contacts>& ws, const Budget& budget = {},
                                    Time& clock = kNoClock) {
  if (!is_valid(p, Contacts)) return {};
  return detail::Relaxed<Scalar, Dim, Contacts, Time>(p, ws, budget, clock).run();
}

}  // namespace tactus::contact::acceleration
