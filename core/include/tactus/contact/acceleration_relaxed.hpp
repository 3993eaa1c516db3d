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

#include "tactus/contact/acceleration_program.hpp"
#include "tactus/math/elimination.hpp"

namespace tactus::contact::acceleration {

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
class Relaxed : RelaxedProgram<Scalar, Dim, Contacts> {
  using Program = RelaxedProgram<Scalar, Dim, Contacts>;

 public:
  using typename Program::Workspace;

  Relaxed(const Problem<Scalar, Dim>& p, Law law, Workspace& ws, const Budget& budget, Time& clock)
      : Program(p, ws),
        mu_(p.contact.mu),
        round_(law == Law::cone && Dim == 3),
        budget_(budget),
        clock_(clock) {}

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
  using Program::at;
  using Program::breach;
  using Program::columns_;
  using Program::forces_from_x;
  using Program::M;
  using Program::objective;
  using Program::p_;
  using Program::pairs_;
  using Program::rows_;
  using Program::ws_;

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
    this->write();
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
    const bool bounded = this->minimise(node, budget_.lemke, answer_.pivots, clock_);
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

  const Scalar* mu_;  // the caller's; the program's are those of this search
  bool round_;
  Budget budget_;
  Time& clock_;
  RelaxedAnswer<Scalar> answer_;
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
