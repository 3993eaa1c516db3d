// The convex quadratic program of a node of acceleration_relaxed.hpp: columns, rows and f as they stand
// there, and the least f by the LCP of its optimality conditions.
//
// Cost: one LCP of up to 3 (2 Dim - 1) unknowns a contact, and of as many rows more as there are planes.
// Memory: RelaxedWorkspace. Failure: minimise() is false where that LCP is not solved.
#pragma once

#include "tactus/contact/acceleration_pyramid.hpp"

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

namespace detail {

template <class Scalar, int Dim, int Contacts>
class RelaxedProgram {
 protected:
  using Workspace = RelaxedWorkspace<Scalar, Dim, Contacts>;

  // The problem's mu are ws.mu, which write() reads.
  RelaxedProgram(const Problem<Scalar, Dim>& p, Workspace& ws) : p_(p), ws_(ws) {
    p_.contact.mu = ws.mu.data();
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
  template <class Node, Clock Time>
  bool minimise(const Node& node, int budget, int& pivots, Time& clock) {
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
                   lcp::Options{budget}, {}, clock);
    pivots += lemke.pivots;
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

  Problem<Scalar, Dim> p_;
  Workspace& ws_;
  int pairs_ = 0, rows_ = 0, columns_ = 0;
  Scalar fastest_ = 0;
};

}  // namespace detail

}  // namespace tactus::contact::acceleration
