// The search for a solution that moves: see fixture_problem.hpp for what it is, costs and needs.
#pragma once

#include "tactus/contact/fixture_problem.hpp"

namespace tactus::contact::acceleration {

// A load, and a push of up to `most` times the direction e beside it: f = load + t e, 0 <= t <= most.
template <int Dim, SystemSize S>
struct Loading {
  std::array<Exact, static_cast<std::size_t>(S.freedoms)> load{}, push{};
  Exact most = 0;  // 0: no push
};

template <int Dim, SystemSize S>
struct Motion {
  bool found = false, complete = false, proved = true;
  bool gap = false;  // of the cone's two bounds: what was left is neither excluded nor a solution
  int pivots = 0;
  std::array<Exact, static_cast<std::size_t>(S.contacts* Dim)> c{};
  std::array<Exact, static_cast<std::size_t>(S.freedoms)> unbalanced{};  // load + t e + W c = M qdd
  Exact t = 0;
};

namespace detail {

template <int Dim, SystemSize S, Clock Time>
class MotionSearch {
 public:
  MotionSearch(const FixtureProblem<Dim, S>& p, const Loading<Dim, S>& loading, FixtureScratch<Dim, S>& ws,
               int budget, Time& clock)
      : p_(p), loading_(loading), ws_(ws), budget_(budget), clock_(clock) {}

  // A solution with g . qdd >= least; size: of the load, as |r|.
  Motion<Dim, S> run(const Exact* g, Exact least, double size) {
    prepare(g, least, size);
    for (auto& region : ws_.region) region = {};
    int depth = 0;
    for (;;) {
      const int split = visit();
      if (motion_.found || !within_budget_) return motion_;
      if (split >= 0) {
        ws_.stack[at(depth++)] = {split, 0, ws_.region[at(split)]};
      } else {
        while (depth > 0 && ++top(depth).child == top(depth).parent.children(p_.round, Dim - 1)) {
          ws_.region[at(top(depth).contact)] = top(depth).parent;
          --depth;
        }
        if (depth == 0) break;
      }
      const auto& choice = top(depth);
      ws_.region[at(choice.contact)] = choice.parent.child(choice.child, p_.round, Dim - 1);
    }
    motion_.complete = true;
    return motion_;
  }

 private:
  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
  auto& top(int depth) { return ws_.stack[at(depth - 1)]; }
  Exact* way(int column) { return ws_.ways.data() + column * Dim; }

  void prepare(const Exact* g, Exact least, double size) {
    std::array<Exact, at(S.freedoms)> y, y_push, y_g;
    p_.solve(loading_.load.data(), y.data());
    p_.solve(loading_.push.data(), y_push.data());
    p_.solve(g, y_g.data());
    for (int k = 0; k < p_.rows(); ++k) {
      ws_.b[at(k)] = p_.row(k, y.data());
      ws_.b_push[at(k)] = p_.row(k, y_push.data());
      ws_.gain[at(k)] = p_.row(k, y_g.data());
    }
    own_ = p_.work(loading_.load.data(), y_g.data()) - least;
    push_gain_ = p_.work(loading_.push.data(), y_g.data());
    size_ = size;
    if (!p_.round) return;
    for (int k = 0; k < p_.rows() * p_.rows(); ++k) ws_.A[at(k)] = static_cast<double>(p_.A[at(k)]);
    for (int i = 0; i < p_.contacts; ++i) ws_.mu[at(i)] = static_cast<double>(p_.mu[at(i)]);
  }

  // Unit vectors of the borders of a sector, d and e, counted from the first tangent.
  static void borders(const Region& r, double (&d)[2][2]) {
    for (int k = 0; k < 2; ++k) {
      const double quarter = math::kPi<double> / 2 / (1 << r.level);
      const auto border = math::sin_cos((r.sector + k) * quarter);
      d[k][0] = border.cos;
      d[k][1] = border.sin;
    }
  }

  // The columns of contact i: c_n first. c_t = s+ - mu c_n where a tangent is free, as in (30).
  int add_columns(int i, int column) {
    const Region& r = ws_.region[at(i)];
    if (r.part == Region::open) return column;
    const auto add = [&] {
      Exact* const w = way(column++);
      for (int l = 0; l < Dim; ++l) w[l] = 0;
      return w;
    };
    Exact* const normal = add();
    normal[0] = 1;
    if constexpr (Dim == 3) {
      if (r.level >= 0) {
        double d[2][2];
        borders(r, d);
        for (const auto& direction : d) {
          Exact* const w = add();
          for (int l = 0; l < 2; ++l) w[1 + l] = -direction[l];
        }
        return column;
      }
    }
    for (int l = 1; l < Dim; ++l) {
      const int sign = r.part == Region::closed ? r.sign[l - 1] : Region::kFree;
      normal[l] = sign == 1 || sign == 0 || sign == Region::kFree ? -p_.mu[at(i)] : p_.mu[at(i)];
      if (sign == 0 || sign == Region::kFree) add()[l] = 1;
    }
    return column;
  }

  // weight . a of contact i >= 0.
  void add_acceleration(int i, const double (&weight)[Dim]) {
    Exact constant = 0, push = 0;
    for (int l = 0; l < Dim; ++l) {
      constant += ws_.b[at(i * Dim + l)] * weight[l];
      push += ws_.b_push[at(i * Dim + l)] * weight[l];
    }
    Exact* const row = ws_.programme.add(constant);
    for (int j = 0; j < p_.contacts; ++j) {
      Exact of[Dim];
      for (int m = 0; m < Dim; ++m) {
        of[m] = 0;
        for (int l = 0; l < Dim; ++l)
          if (weight[l] != 0) of[m] += p_.A[at((i * Dim + l) * p_.rows() + j * Dim + m)] * weight[l];
      }
      for (int k = ws_.first[at(j)]; k < ws_.first[at(j + 1)]; ++k)
        for (int m = 0; m < Dim; ++m)
          if (way(k)[m] != 0) row[k] += of[m] * way(k)[m];
    }
    if (loading_.most > 0) row[ws_.first[at(p_.contacts)]] = push;
  }

  void add_rows(int i) {
    const Region& r = ws_.region[at(i)];
    auto& programme = ws_.programme;
    double normal[Dim]{1};
    add_acceleration(i, normal);
    if (r.part == Region::any || r.part == Region::open) {
      if (r.part == Region::open) return;
    } else {
      programme.add_mirror();
    }
    const int first = ws_.first[at(i)];
    if constexpr (Dim == 3) {
      if (r.level >= 0) return add_sector(r, i, first);
    }
    int column = first + 1;
    for (int k = 0; k < Dim - 1; ++k) {
      const int sign = r.part == Region::closed ? r.sign[k] : r.part == Region::sticks ? 0 : Region::kFree;
      double tangent[Dim]{};
      tangent[k + 1] = sign < 0 ? -1 : 1;
      if (sign != Region::kFree) add_acceleration(i, tangent);
      if (sign == 0) programme.add_mirror();
      if (sign != 0 && sign != Region::kFree) continue;
      Exact* const bound = programme.add(0);
      bound[first] = p_.mu[at(i)] * 2;
      bound[column++] = -1;
    }
  }

  // The borders' unit vectors and cosines are rounded: kWide lets that off, to the outer side.
  void add_sector(const Region& r, int i, int first) {
    constexpr double kWide = 1e-14;
    double d[2][2];
    borders(r, d);
    auto& programme = ws_.programme;
    const double half = math::cos(math::kPi<double> / 4 / (1 << r.level));
    Exact* const outer = programme.add(0);
    outer[first] = p_.mu[at(i)] * ((1 + kWide) / half);
    outer[first + 1] = outer[first + 2] = -1;
    for (int k = 0; k < 2; ++k) {
      double weight[Dim]{};
      if (r.part == Region::sticks) {
        weight[k + 1] = 1;
        add_acceleration(i, weight);
        programme.add_mirror();
        continue;
      }
      weight[1] = k == 0 ? -d[0][1] : d[1][1];  // to the left of d, to the right of e
      weight[Dim - 1] = k == 0 ? d[0][0] : -d[1][0];
      add_acceleration(i, weight);
    }
    if (r.part == Region::sticks) return;
    Exact* const inner = programme.add(0);
    inner[first] = -(p_.mu[at(i)] * (1 - kWide));
    inner[first + 1] = inner[first + 2] = 1;
  }

  // Writes and solves a node. The contact to split, or -1: nothing more is wanted of this branch.
  int visit() {
    auto& programme = ws_.programme;
    int column = 0;
    for (int i = 0; i < p_.contacts; ++i) {
      ws_.first[at(i)] = column;
      column = add_columns(i, column);
    }
    ws_.first[at(p_.contacts)] = column;
    const bool pushed = loading_.most > 0;
    programme.rows = 0;
    programme.columns = column + (pushed ? 1 : 0);
    Exact* const works = programme.add(own_);
    for (int k = 0, j = 0; k < column; ++k) {
      while (k >= ws_.first[at(j + 1)]) ++j;
      for (int l = 0; l < Dim; ++l) works[k] += ws_.gain[at(j * Dim + l)] * way(k)[l];
    }
    if (pushed) {
      works[column] = push_gain_;
      programme.add(loading_.most)[column] = -1;
    }
    for (int i = 0; i < p_.contacts; ++i) add_rows(i);
    lcp::BranchResult result;
    const bool feasible = programme.solve(budget_ - motion_.pivots, result, clock_);
    motion_.pivots += result.pivots;
    if (!feasible) {
      within_budget_ = result.complete;
      motion_.proved = motion_.proved && result.proved;
      return -1;
    }
    read(column, pushed);
    return judge();
  }

  void read(int column, bool pushed) {
    const auto& z = ws_.programme.branch.z;
    motion_.t = pushed ? z[at(column)] : Exact(0);
    for (int j = 0; j < p_.contacts; ++j)
      for (int l = 0; l < Dim; ++l) {
        Exact sum = 0;
        for (int k = ws_.first[at(j)]; k < ws_.first[at(j + 1)]; ++k) sum += z[at(k)] * way(k)[l];
        motion_.c[at(j * Dim + l)] = sum;
      }
    for (int k = 0; k < p_.rows(); ++k) {
      Exact sum = ws_.b[at(k)] + ws_.b_push[at(k)] * motion_.t;
      for (int l = 0; l < p_.rows(); ++l) sum += p_.A[at(k * p_.rows() + l)] * motion_.c[at(l)];
      ws_.a[at(k)] = sum;
    }
  }

  // How far contact i is off its law, as measure() has it.
  double off(int i) const {
    const int n = i * Dim;
    const auto A = [&](int k) { return p_.A[at((n + k) * p_.rows() + n + k)]; };
    const Exact x = motion_.c[at(n)] * A(0), y = ws_.a[at(n)];
    Exact worst = math::magnitude(x < y ? x : y), D = 0;
    for (int k = 1; k < Dim; ++k) D = math::larger(D, A(k));
    const Exact limit = p_.mu[at(i)] * math::larger(motion_.c[at(n)], Exact(0)) * D;
    double target[2] = {}, force[2] = {}, size = 0;
    for (int k = 1; k < Dim; ++k) {
      const Exact held = motion_.c[at(n + k)] * D, want = held - ws_.a[at(n + k)];
      if (p_.round) {
        target[k - 1] = static_cast<double>(want);
        force[k - 1] = static_cast<double>(held);
        size += target[k - 1] * target[k - 1];
        continue;
      }
      worst = math::larger(worst, math::magnitude(held - (want > limit    ? limit
                                                          : want < -limit ? -limit
                                                                          : want)));
    }
    double result = static_cast<double>(worst);
    const double most = static_cast<double>(limit), share = size > most * most ? most / std::sqrt(size) : 1;
    for (int k = 0; p_.round && k < 2; ++k)
      result = math::larger(result, math::magnitude(force[k] - share * target[k]));
    return result;
  }

  int judge() {
    double unit = 0, worst = 0;
    for (int k = 0; k < p_.rows(); ++k)
      unit = math::larger(unit,
                          math::magnitude(static_cast<double>(ws_.b[at(k)] + ws_.b_push[at(k)] * motion_.t)));
    int split = -1;
    double largest = 0;
    for (int i = 0; i < p_.contacts; ++i) {
      const double here = off(i);
      worst = math::larger(worst, here);
      if (!(here > largest) || ws_.region[at(i)].children(p_.round, Dim - 1) == 0) continue;
      largest = here;
      split = i;
    }
    constexpr double kExact = 1e-24;  // of the accelerations that are there: rounding of two doubles
    if (worst <= kExact * unit) return accept();
    if (p_.round && polish()) return accept();
    if (split < 0 && !(worst <= kExact * unit)) (p_.round ? motion_.gap : doubtful_) = true;
    motion_.proved = motion_.proved && !doubtful_;
    return split;
  }

  int accept() {
    motion_.found = true;
    for (int f = 0; f < p_.freedoms; ++f) {
      Exact sum = loading_.load[at(f)] + loading_.push[at(f)] * motion_.t;
      for (int k = 0; k < p_.rows(); ++k) sum += p_.W[at(k * p_.freedoms + f)] * motion_.c[at(k)];
      motion_.unbalanced[at(f)] = sum;
    }
    return -1;
  }

  // Newton's method on the round law from this vertex: true where it ends in a solution that moves.
  bool polish() {
    for (int k = 0; k < p_.rows(); ++k) {
      ws_.offset[at(k)] = static_cast<double>(ws_.b[at(k)] + ws_.b_push[at(k)] * motion_.t);
      ws_.cone.c[at(k)] = static_cast<double>(motion_.c[at(k)]);
    }
    Problem<double, Dim> view;
    view.contact = {p_.contacts, ws_.A.data(), p_.rows(), ws_.offset.data(), ws_.mu.data(), nullptr};
    const CoulombLaw<double, Dim> law{view};
    const auto scratch = ws_.cone.rest.with(ws_.cone.J.data());
    lcp::Budget<Time> budget(30, clock_);
    contact::detail::FixedPoint<double, Dim, CoulombLaw<double, Dim>, Time> point(view.contact, law, scratch,
                                                                                  ws_.cone.c.data(), budget);
    const double residual =
        point.try_here([&] { return measure(view, Law::cone, ws_.cone.c.data(), ws_.cone.a.data()); });
    if (!(residual <= kSolved<double>)) return false;
    for (int f = 0; f < p_.freedoms; ++f) {
      Exact sum = loading_.load[at(f)] + loading_.push[at(f)] * motion_.t;
      for (int k = 0; k < p_.rows(); ++k) sum += p_.W[at(k * p_.freedoms + f)] * ws_.cone.c[at(k)];
      motion_.unbalanced[at(f)] = sum;
    }
    const double motion = p_.size(motion_.unbalanced.data()) / size_;
    // It moves by much more than it is off the law.
    if (!(motion > kRest && motion > 1000 * residual)) return false;
    for (int k = 0; k < p_.rows(); ++k) motion_.c[at(k)] = ws_.cone.c[at(k)];
    return true;
  }

  const FixtureProblem<Dim, S>& p_;
  const Loading<Dim, S>& loading_;
  FixtureScratch<Dim, S>& ws_;
  int budget_;
  Time& clock_;
  Motion<Dim, S> motion_;
  Exact own_ = 0, push_gain_ = 0;
  double size_ = 0;
  bool within_budget_ = true, doubtful_ = false;
};

}  // namespace detail

// A solution in which more than kRest of the load is out of balance. The load's work is asked first, which
// takes one search; where all that it finds is a motion too small to count, as rounding of W lets what slides
// creep, each freedom is asked for itself, up and down.
template <int Dim, SystemSize S, Clock Time>
Motion<Dim, S> find_motion(const FixtureProblem<Dim, S>& p, const Loading<Dim, S>& loading, const Exact* g,
                           double size, FixtureScratch<Dim, S>& ws, int budget, Time& clock) {
  using Search = detail::MotionSearch<Dim, S, Time>;
  Motion<Dim, S> motion =
      Search(p, loading, ws, budget, clock).run(g, Exact(size) * size * (kRest * kRest), size);
  if (!motion.found || p.size(motion.unbalanced.data()) > kRest * size) return motion;
  Motion<Dim, S> all;
  all.complete = true;
  all.pivots = motion.pivots;
  for (int i = 0; i < p.freedoms; ++i) {
    const double least = kRest * size * std::sqrt(static_cast<double>(p.M[p.at(i * (p.freedoms + 1))]));
    for (const int sign : {1, -1}) {
      std::array<Exact, static_cast<std::size_t>(S.freedoms)> row;  // row i of M qdd, which is out of balance
      for (int j = 0; j < p.freedoms; ++j) row[p.at(j)] = p.M[p.at(i * p.freedoms + j)] * sign;
      motion = Search(p, loading, ws, budget, clock).run(row.data(), least, size);
      motion.pivots += all.pivots;
      if (motion.found) return motion;
      all.pivots = motion.pivots;
      all.complete = all.complete && motion.complete;
      all.proved = all.proved && motion.proved;
      all.gap = all.gap || motion.gap;
    }
  }
  return all;
}

}  // namespace tactus::contact::acceleration
