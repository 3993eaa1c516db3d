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
// The friction set is the pyramid, (47), or the round cone, (46); in the plane they are one. What slides is
// kept inside its cone by tangent planes: the least f under some planes is no more than that of (46), its
// forces show where the next plane belongs, and when none leaves its cone by more than kInside, they are
// drawn in. So `least` <= f(46) <= `f`, and the two are one to kInside. What rolls obeys the
// pyramid of its tangents first. Where that breaks (10), (46) is asked with the pyramid inside the cone for
// what rolls, mu / sqrt(2): its forces are in the cone, and the answer says so (`inner`).
//
// Cost: one LCP of up to 3 (2 Dim - 1) unknowns a contact for each node; two to twenty nodes for one or two
// sliding contacts; under the cone some twenty times that. Memory: sizeof(RelaxedWorkspace).
#pragma once

#include "tactus/contact/acceleration_pyramid.hpp"
#include "tactus/math/elimination.hpp"

namespace tactus::contact::acceleration {

template <class Scalar, int Dim, int Contacts>
struct RelaxedWorkspace {
  static constexpr int kSide = unknowns<Dim>(Contacts);  // columns, and rows without planes
  static constexpr int kPlanes = 12;                     // of a contact at the most
  static constexpr int kRows = kSide + (Dim == 3 ? kPlanes * Contacts : 0);
  static constexpr int kKkt = 2 * kSide + kRows;
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;

  Array<Scalar, Contacts * Dim> c{};  // N
  Array<Scalar, Contacts * Dim> a{};  // m/s^2

  // Scratch.
  Array<Scalar, Contacts * Dim> trial;
  Array<int, Contacts> first, extra;  // paired and unpaired columns of each contact
  Array<Scalar, Contacts> mu;         // as this search has it
  Array<int, Contacts> planes;        // of each contact
  Array<Scalar, Contacts * kPlanes * 2> plane;
  Array<Scalar, kRows * kSide> M;
  Array<Scalar, kSide * kSide> Q;
  Array<Scalar, kRows> q;
  Array<Scalar, kSide> x;
  lcp::BranchWorkspace<Scalar, kRows, kSide> branch;
  Array<Scalar, kKkt * kKkt> kkt;
  Array<Scalar, kKkt> offset;
  lcp::Workspace<Scalar, kKkt> lemke;
};

template <class Scalar>
struct RelaxedAnswer {
  Status status = Status::bad_input;  // none: not even these laws can be met
  Scalar f = 0;                       // N^2 m^2/s^2; zero: Coulomb's law itself holds
  Scalar least = 0;                   // no f is less, where that is proved
  bool inner = false;                 // what rolls obeys the pyramid inside its cone
  bool proved = false;                // no f is smaller by more than 1e-6 (float 1e-2)
  Scalar residual = std::numeric_limits<Scalar>::infinity();  // of everything but f
  int pivots = 0, nodes = 0;
};

namespace detail {

template <class Scalar, int Dim, int Contacts, Clock Time>
class Relaxed {
 public:
  using Workspace = RelaxedWorkspace<Scalar, Dim, Contacts>;

  Relaxed(const Problem<Scalar, Dim>& p, Law law, Workspace& ws, const Budget& budget, Time& clock)
      : p_(p),
        mu_(p.contact.mu),
        round_(law == Law::cone && Dim == 3),
        ws_(ws),
        budget_(budget),
        clock_(clock) {
    p_.contact.mu = ws.mu.data();
  }

  RelaxedAnswer<Scalar> run() {
    bool rolls = false;
    for (int i = 0; i < p_.count(); ++i) rolls = rolls || !p_.slides(i);
    search(false);
    if (!round_ || !rolls || answer_.status == Status::none) return answer_;
    if (answer_.status == Status::solved && breach(ws_.c.data(), true) <= kSolved<Scalar>) {
      accelerations(p_, ws_.c.data(), ws_.a.data());
      return answer_;
    }
    search(true);
    return answer_;
  }

 private:
  // By how much of it a force may leave its cone before it is drawn in.
  static constexpr Scalar kInside = sizeof(Scalar) == 8 ? Scalar(1e-8) : Scalar(3e-5);

  // By how much of itself f may be above its bound and be called the least.
  static constexpr Scalar kClose = sizeof(Scalar) == 8 ? Scalar(1e-6) : Scalar(1e-2);

  // Adds planes until what slides is in its cone.
  void search(bool inner) {
    answer_.inner = inner;
    for (int i = 0; i < p_.count(); ++i) {
      ws_.planes[at(i)] = 0;
      ws_.mu[at(i)] = inner && !p_.slides(i) ? mu_[i] * Scalar(0.70710678118654752) : mu_[i];
    }
    constexpr int kRounds = 60;
    for (int round = 0; round < kRounds; ++round) {
      once();
      if (!round_ || answer_.status != Status::solved || !add_planes()) break;
    }
    if (answer_.status != Status::solved) return;
    answer_.least = answer_.f;
    if (round_) draw_in();
    answer_.proved = answer_.proved && !(answer_.f - answer_.least > kClose * answer_.f);
    accelerations(p_, ws_.c.data(), ws_.a.data());
  }

  void once() {
    write();
    answer_.status = Status::undecided;
    doubtful_ = false;
    const lcp::Inequalities<Scalar> inequalities{rows_,        columns_, pairs_,
                                                 ws_.M.data(), columns_, ws_.q.data()};
    const auto searched = lcp::branch(
        inequalities, ws_.branch, budget_.search - answer_.pivots,
        [&](const auto& node) { return visit(node); }, clock_);
    answer_.pivots += searched.pivots;
    answer_.nodes += searched.nodes;
    answer_.proved = searched.complete && searched.proved && !doubtful_;
    if (answer_.status != Status::solved && answer_.proved) answer_.status = Status::none;
  }

  // |c_T| / (mu c_n)
  Scalar reach(int i) const {
    const Scalar* const c = ws_.c.data() + i * Dim;
    if (!(c[0] > 0)) return 1;
    const Scalar size = std::sqrt(c[1] * c[1] + c[Dim - 1] * c[Dim - 1]), most = mu_[i] * c[0];
    return size > most ? size / most : Scalar(1);
  }

  // A plane for every force that slides and leaves its cone; false: there is none.
  bool add_planes() {
    bool added = false;
    for (int i = 0; i < p_.count(); ++i) {
      if (!p_.slides(i) || !(reach(i) > 1 + kInside)) continue;
      added = true;
      const Scalar t = ws_.c[at(i * Dim + 1)], o = ws_.c[at(i * Dim + Dim - 1)],
                   size = std::sqrt(t * t + o * o);
      // Where there is no free place, in that of the one that is farthest from it.
      Scalar* const planes = ws_.plane.data() + i * Workspace::kPlanes * 2;
      const auto along = [&](int k) { return planes[2 * k] * t + planes[2 * k + 1] * o; };
      int place = 0;
      for (int k = 1; k < ws_.planes[at(i)]; ++k)
        if (along(k) < along(place)) place = k;
      if (ws_.planes[at(i)] < Workspace::kPlanes) place = ws_.planes[at(i)]++;
      planes[2 * place] = t / size;
      planes[2 * place + 1] = o / size;
    }
    return added;
  }

  // Forces that are on the border of their cone, or outside, go along it; all others and all accelerations
  // that are zero stay so: one linear system. Where that is singular they are only made shorter.
  void draw_in() {
    const int n = p_.contact.rows();
    const auto K = [&](int i, int j) -> Scalar& { return ws_.kkt[at(i * n + j)]; };
    for (int k = 0; k < n * n; ++k) ws_.kkt[at(k)] = 0;
    for (int r = 0; r < n; ++r) {
      ws_.offset[at(r)] = 0;
      K(r, r) = 1;  // c = 0
    }
    const auto holds = [&](int r) {  // a = 0
      for (int j = 0; j < n; ++j) K(r, j) = p_.A(r, j);
      ws_.offset[at(r)] = -p_.contact.b[r];
    };
    for (int i = 0; i < p_.count(); ++i) {
      const int r = i * Dim;
      const Scalar normal = ws_.c[at(r)], most = ws_.mu[at(i)] * normal;
      if (!(normal > 0)) continue;
      holds(r);
      const Scalar t = ws_.c[at(r + 1)], o = ws_.c[at(r + Dim - 1)], size = std::sqrt(t * t + o * o);
      for (int k = r + 1; k < r + Dim; ++k) {
        const Scalar force = ws_.c[at(k)];
        const bool border = (p_.slides(i) ? size : math::magnitude(force)) > most * (1 - kInside);
        if (border)
          K(k, r) = -(p_.slides(i) ? force / size : force > 0 ? Scalar(1) : Scalar(-1)) * ws_.mu[at(i)];
        else if (p_.slides(i))
          ws_.offset[at(k)] = force;
        else
          holds(k);
      }
    }
    std::int16_t pivot[Contacts * Dim], order[Contacts * Dim];
    ws_.trial = ws_.c;
    const int rank =
        math::eliminate(ws_.kkt.data(), n, n, ws_.offset.data(), ws_.trial.data(), pivot, order, Scalar(0));
    if (rank == n && breach(ws_.trial.data()) <= kSolved<Scalar>) ws_.c = ws_.trial;
    for (int i = 0; i < p_.count(); ++i) {
      Scalar* const c = ws_.c.data() + i * Dim;
      const bool pressed = c[0] > 0 && mu_[i] > 0;
      const Scalar more = pressed ? reach(i) : Scalar(1);
      for (int k = 1; k < Dim; ++k) {
        if (!pressed) c[k] = 0;
        if (more > 1) c[k] /= more * (1 + 4 * std::numeric_limits<Scalar>::epsilon());
      }
    }
    answer_.f = objective(ws_.c.data());
    answer_.residual = breach(ws_.c.data());
    if (!(answer_.residual <= kSolved<Scalar>)) answer_.status = Status::undecided;
  }

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
      rows_ += Dim + ws_.planes[at(i)];
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
      if (p_.slides(i)) next = write_slide(i, next, top);
    }
  }

  // What a sliding contact adds: its bounds from row `next` on, and its part of f.
  int write_slide(int i, int next, Scalar top) {
    const int r = ws_.first[at(i)];
    const Scalar mu = p_.contact.mu[i];
    Scalar friction = 0;  // mu d . e, what -d . c_T >= 0 has in the column of c_n
    for (int k = 1; k < Dim; ++k) {
      M(next, r) = 2 * mu;
      M(next, column(i, k)) = -1;
      ws_.q[at(next++)] = 0;
      friction += mu * p_.direction(i, k - 1);
    }
    for (int k = 0; k < ws_.planes[at(i)]; ++k) {
      const Scalar* const plane = ws_.plane.data() + (i * Workspace::kPlanes + k) * 2;
      M(next, r) = mu * (1 + plane[0] + plane[1]);
      M(next, column(i, 1)) = -plane[0];
      M(next, column(i, Dim - 1)) = -plane[1];
      ws_.q[at(next++)] = 0;
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
    return next;
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

  // Every law but (9), as measure() does; round: what rolls by its cone, (10). ws.a is scratch.
  Scalar breach(const Scalar* c, bool round = false) {
    const Scalar* const a = ws_.a.data();
    return share_of_data(p_, c, ws_.a.data(), [&](int i) {
      const int n = i * Dim;
      const Scalar x = c[n] * p_.A(n, n), y = a[n];
      Scalar off = math::magnitude(x < y ? x : y), power = 0, D = 0, target[Dim - 1], size = 0;
      for (int k = 1; k < Dim; ++k) D = math::larger(D, p_.A(n + k, n + k));
      const Scalar limit = c[n] > 0 ? p_.contact.mu[i] * c[n] * D : Scalar(0);
      for (int k = 0; k < Dim - 1; ++k) {
        target[k] = c[n + 1 + k] * D - (p_.slides(i) ? Scalar(0) : a[n + 1 + k]);
        size += target[k] * target[k];
      }
      size = std::sqrt(size);
      for (int k = 0; k < Dim - 1; ++k) {
        const Scalar force = c[n + 1 + k] * D;
        if (!round)
          target[k] = target[k] > limit ? limit : target[k] < -limit ? -limit : target[k];
        else if (size > limit)
          target[k] *= limit / size;
        off = worst(off, math::magnitude(force - target[k]));
        if (p_.slides(i)) power += p_.direction(i, k) * force;
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

  Problem<Scalar, Dim> p_;  // with ws.mu in place of
  const Scalar* mu_;        // the caller's
  bool round_;
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
RelaxedAnswer<Scalar> solve_relaxed(const Problem<Scalar, Dim>& p, Law law,
                                    RelaxedWorkspace<Scalar, Dim, Contacts>& ws, const Budget& budget = {},
                                    Time& clock = kNoClock) {
  if (!is_valid(p, Contacts)) return {};
  return detail::Relaxed<Scalar, Dim, Contacts, Time>(p, law, ws, budget, clock).run();
}

}  // namespace tactus::contact::acceleration
