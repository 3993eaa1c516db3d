// Fixtures judged by enumeration, in long double: every combination of modes of the contacts is one linear
// programme, and a part can move if in any of them a freedom's unbalanced load can be more or less than zero.
// That is asked freedom by freedom, with no theorem on work. A prefix of modes that contradicts itself ends
// its combinations.
//
// At rest is what is balanced to 1e-10 of the load, as core has it; between a third and three times that both
// answers are right.
//
// The round cone is met from outside: slips in sectors, which are halved until they contradict themselves or
// are a fraction of a degree wide; a sticking force in a polygon of 64 sides. Holding is asked with the
// polygon outside and inside.
#pragma once

#include "tests/oracle/simplex.hpp"

namespace oracle {

// Rows of W contact by contact, n, t (, o).
template <int Dim>
struct Fixture {
  std::size_t freedoms = 0;
  Column M, f, mu;
  std::vector<Column> W;  // one a row, of all freedoms
  bool round = false;

  std::size_t contacts() const { return mu.size(); }
};

struct FixtureVerdict {
  bool holds = false;                    // surely
  bool falls = false;                    // surely nothing balances it
  bool may_move = false, moves = false;  // by little, by much; cone: no sector excludes it
};

template <int Dim>
class FixtureJudge {
 public:
  explicit FixtureJudge(const Fixture<Dim>& p) : p_(p), n_(p.contacts()) {
    Matrix M(p.freedoms, p.freedoms);
    for (std::size_t i = 0; i < p.freedoms; ++i)
      for (std::size_t j = 0; j < p.freedoms; ++j) M(i, j) = p.M[i * p.freedoms + j];
    const Matrix inverse = oracle::inverse(M);
    const Column y = inverse * p.f;
    load_ = std::sqrt(dot(y, p.f));
    for (const Column& w : p.W) {
      const Column x = inverse * w;
      A_.emplace_back();
      for (const Column& v : p.W) A_.back().push_back(dot(x, v));
      b_.push_back(dot(w, y));
    }
  }

  FixtureVerdict run() {
    FixtureVerdict out;
    if (p_.round && Dim == 3) {
      out.holds = holds(false);
      out.falls = !holds(true, 3 * kRest);
    } else {
      out.holds = holds(true);
      out.falls = !holds(true, 3 * kRest);
    }
    out.may_move = may_move(kRest / 3);
    out.moves = out.may_move && may_move(kRest * 3);
    return out;
  }
  // Whether forces balance the load, each freedom's but for `slack` of the load.
  bool holds(bool outer, Real slack = 0) const {
    if (load_ == 0) return true;
    std::vector<Mode> none(n_);
    for (Mode& mode : none) mode.part = Part::stick;
    const Layout layout = lay_out(none);
    Simplex lp(layout.columns());
    for (std::size_t i = 0; i < n_; ++i) friction(lp, layout, i, outer);
    for (std::size_t r = 0; r < p_.freedoms; ++r) {
      const Column row = unbalanced(layout, r);
      const Real off = slack * load_ * std::sqrt(p_.M[r * (p_.freedoms + 1)]);
      Column mirror = row;
      for (Real& v : mirror) v = -v;
      lp.at_least(row, p_.f[r] + off);
      lp.at_least(mirror, off - p_.f[r]);
    }
    return lp.maximum(Column(layout.columns()), 0).feasible;
  }
  // Whether a freedom's load can be out of balance by this share of the load.
  bool may_move(Real least) {
    if (load_ == 0) return false;
    least_ = least;
    std::vector<Mode> modes(n_);
    return search(modes, 0);
  }

 private:
  enum class Part { any, open, stick, slip };
  struct Mode {
    Part part = Part::any;
    int sign[2] = {0, 0};   // pyramid, slip: of a_t, a_o; 0: sticks
    Real from = 0, to = 0;  // cone, slip: the sector of a_T
  };
  static constexpr Real kRest = 1e-10L, kPi = 3.14159265358979323846L;
  static constexpr int kSides = 64;

  static Real dot(const Column& a, const Column& b) {
    Real sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }

  // Columns of the programme and the force that each is: c_n first.
  struct Layout {
    std::vector<std::size_t> first;
    std::vector<std::size_t> contact;
    std::vector<Column> force;
    std::size_t columns() const { return force.size(); }
  };
  Layout lay_out(const std::vector<Mode>& modes) const {
    Layout out;
    for (std::size_t i = 0; i < n_; ++i) {
      out.first.push_back(out.columns());
      const Mode& m = modes[i];
      if (m.part == Part::open) continue;
      const auto add = [&](const Column& force) {
        out.contact.push_back(i);
        out.force.push_back(force);
      };
      if (m.part == Part::slip && p_.round && Dim == 3) {
        add({1, 0, 0});
        add({0, -std::cos(m.from), -std::sin(m.from)});
        add({0, -std::cos(m.to), -std::sin(m.to)});
        continue;
      }
      Column normal(Dim);
      normal[0] = 1;
      for (std::size_t k = 1; k < Dim; ++k)
        normal[k] = m.part == Part::slip && m.sign[k - 1] < 0 ? p_.mu[i] : -p_.mu[i];
      add(normal);
      for (std::size_t k = 1; k < Dim; ++k) {
        if (m.part == Part::slip && m.sign[k - 1] != 0) continue;
        Column tangent(Dim);
        tangent[k] = 1;
        add(tangent);
      }
    }
    out.first.push_back(out.columns());
    return out;
  }

  // weight . a of contact i, or the force's component, as a row and its constant.
  Column acceleration(const Layout& l, std::size_t i, const Column& weight, Real& constant) const {
    Column row(l.columns());
    constant = 0;
    for (std::size_t k = 0; k < Dim; ++k) constant += weight[k] * b_[i * Dim + k];
    for (std::size_t c = 0; c < l.columns(); ++c)
      for (std::size_t k = 0; k < Dim; ++k)
        for (std::size_t m = 0; m < Dim; ++m)
          row[c] += weight[k] * A_[i * Dim + k][l.contact[c] * Dim + m] * l.force[c][m];
    return row;
  }
  Column unbalanced(const Layout& l, std::size_t freedom) const {
    Column row(l.columns());
    for (std::size_t c = 0; c < l.columns(); ++c)
      for (std::size_t m = 0; m < Dim; ++m) row[c] += p_.W[l.contact[c] * Dim + m][freedom] * l.force[c][m];
    return row;
  }

  // The bounds of columns that are c_n and s = c_T + mu c_n.
  void friction(Simplex& lp, const Layout& l, std::size_t i, bool outer) const {
    std::size_t first = l.first[i];
    for (std::size_t c = first + 1; c < l.first[i + 1]; ++c) {
      Column row(l.columns());
      row[first] = 2 * p_.mu[i];
      row[c] = -1;
      lp.at_least(row, 0);
    }
    if (!p_.round || Dim == 2) return;
    for (int side = 0; side < kSides; ++side) {
      const Real angle = (side + Real(0.5)) * 2 * kPi / kSides, c = std::cos(angle), s = std::sin(angle);
      Column row(l.columns());
      row[first] = p_.mu[i] * ((outer ? 1 : std::cos(kPi / kSides)) + c + s);
      row[first + 1] = -c;
      row[first + 2] = -s;
      lp.at_least(row, 0);
    }
  }

  void add_laws(Simplex& lp, const Layout& l, const std::vector<Mode>& modes) const {
    for (std::size_t i = 0; i < n_; ++i) {
      const Mode& m = modes[i];
      Column e(Dim);
      Real q = 0;
      e[0] = 1;
      const Column normal = acceleration(l, i, e, q);
      if (m.part == Part::any || m.part == Part::open) lp.at_least(normal, q);
      if (m.part == Part::open) continue;
      if (m.part != Part::any) lp.equals(normal, q);
      if (m.part == Part::slip && p_.round && Dim == 3) {
        sector(lp, l, i, m);
        continue;
      }
      if (m.part == Part::any || m.part == Part::stick) friction(lp, l, i, true);
      if (m.part == Part::any) continue;
      for (std::size_t k = 1; k < Dim; ++k) {
        Column t(Dim);
        const int sign = m.part == Part::stick ? 0 : m.sign[k - 1];
        t[k] = sign < 0 ? -1 : 1;
        const Column row = acceleration(l, i, t, q);
        if (sign != 0) {
          lp.at_least(row, q);
          continue;
        }
        lp.equals(row, q);
        if (m.part == Part::stick) continue;
        Column bound(l.columns());
        bound[l.first[i]] = 2 * p_.mu[i];
        for (std::size_t c = l.first[i]; c < l.first[i + 1]; ++c)
          if (l.force[c][0] == 0 && l.force[c][k] == 1) bound[c] = -1;
        lp.at_least(bound, 0);
      }
    }
  }

  void sector(Simplex& lp, const Layout& l, std::size_t i, const Mode& m) const {
    Real q = 0;
    Column row = acceleration(l, i, {0, -std::sin(m.from), std::cos(m.from)}, q);
    lp.at_least(row, q);
    row = acceleration(l, i, {0, std::sin(m.to), -std::cos(m.to)}, q);
    lp.at_least(row, q);
    Column bound(l.columns());
    const std::size_t c = l.first[i];
    bound[c] = -p_.mu[i];
    bound[c + 1] = bound[c + 2] = 1;
    lp.at_least(bound, 0);
    bound[c] = p_.mu[i] / std::cos((m.to - m.from) / 2);
    bound[c + 1] = bound[c + 2] = -1;
    lp.at_least(bound, 0);
  }

  // Can any freedom be out of balance, in sizes of the metric of M^-1?
  bool moves(const std::vector<Mode>& modes, bool& feasible) const {
    const Layout l = lay_out(modes);
    Simplex lp(l.columns());
    add_laws(lp, l, modes);
    feasible = lp.maximum(Column(l.columns()), 0).feasible;
    if (!feasible) return false;
    for (std::size_t r = 0; r < p_.freedoms; ++r) {
      Column row = unbalanced(l, r);
      const Real least = least_ * load_ * std::sqrt(p_.M[r * (p_.freedoms + 1)]);
      for (const int sign : {1, -1}) {
        const Optimum best = lp.maximum(row, sign * p_.f[r]);
        if (best.feasible && (!best.bounded || best.value > least)) return true;
        for (Real& v : row) v = -v;
      }
    }
    return false;
  }

  std::vector<Mode> choices(std::size_t /*i*/) const {
    std::vector<Mode> out(2);
    out[0].part = Part::open;
    out[1].part = Part::stick;
    if (p_.round && Dim == 3) {
      for (int k = 0; k < 8; ++k) {
        Mode m;
        m.part = Part::slip;
        m.from = k * kPi / 4;
        m.to = (k + 1) * kPi / 4;
        out.push_back(m);
      }
      return out;
    }
    for (int t = -1; t <= 1; ++t)
      for (int o = Dim == 3 ? -1 : 0; o <= (Dim == 3 ? 1 : 0); ++o)
        if (t != 0 || o != 0) {
          Mode m;
          m.part = Part::slip;
          m.sign[0] = t;
          m.sign[1] = o;
          out.push_back(m);
        }
    return out;
  }

  bool search(std::vector<Mode>& modes, std::size_t next) const {
    bool feasible = false;
    if (!moves(modes, feasible)) return false;
    if (next == n_) return narrow(modes);
    for (const Mode& m : choices(next)) {
      modes[next] = m;
      if (search(modes, next + 1)) return true;
    }
    modes[next] = {};
    return false;
  }

  // Halves the widest sector, until there is none wider than a fifth of a degree.
  bool narrow(std::vector<Mode>& modes) const {
    std::size_t widest = n_;
    for (std::size_t i = 0; i < n_; ++i) {
      const Real width = modes[i].to - modes[i].from;
      if (width > kPi / 900 && (widest == n_ || width > modes[widest].to - modes[widest].from)) widest = i;
    }
    if (widest == n_) return true;
    const Mode whole = modes[widest];
    const Real middle = (whole.from + whole.to) / 2;
    for (const bool left : {true, false}) {
      (left ? modes[widest].to : modes[widest].from) = middle;
      bool feasible = false;
      if (moves(modes, feasible) && narrow(modes)) return true;
      modes[widest] = whole;
    }
    return false;
  }

  const Fixture<Dim>& p_;
  std::size_t n_;
  std::vector<Column> A_;
  Column b_;
  Real load_ = 0, least_ = 0;
};

}  // namespace oracle
