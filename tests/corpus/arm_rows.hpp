// One step of a world in rows, semi-implicit Euler in impulses p = h lambda, the impedance in M:
//
//     (M + h D + h^2 K)(v' - v) = h f + W^T p,      s = W v' + c = A p + b
//
// Rows: the joints, then normal, t and o of each contact within reach.
#pragma once

#include "tactus/lcp/rows/problem.hpp"
#include "tests/corpus/arm_world.hpp"

namespace corpus {

// Contact k of `touch` is rows joints + 3 k ff.
struct ArmRows {
  int joints = 0, touches = 0, n = 0;
  std::array<int, kMostTouches> touch{};
  std::array<double, kMostRows * kMostRows> A;
  std::array<double, kMostRows> b, c;
  std::array<tactus::lcp::rows::Row<double>, kMostRows> row;
  bool apart = true;  // no gap and no limit is violated: then there is an answer, whatever the friction
};

// The problem of rows in one precision; it lies here.
template <class Scalar, int kRows = kMostRows>
class RowsIn {
 public:
  tactus::lcp::rows::Problem<Scalar> operator()(const ArmRows& made) {
    for (int i = 0; i < made.n * made.n; ++i)
      A_[i] = static_cast<Scalar>(made.A[static_cast<std::size_t>(i)]);
    for (int i = 0; i < made.n; ++i) {
      const auto& r = made.row[static_cast<std::size_t>(i)];
      b_[i] = static_cast<Scalar>(made.b[static_cast<std::size_t>(i)]);
      row_[i] = {r.kind,
                 r.normal,
                 static_cast<Scalar>(r.lo),
                 static_cast<Scalar>(r.hi),
                 static_cast<Scalar>(r.stop_lo),
                 static_cast<Scalar>(r.stop_hi)};
    }
    return {made.n, A_, made.n, b_, row_, nullptr};
  }

 private:
  Scalar A_[kRows * kRows], b_[kRows];
  tactus::lcp::rows::Row<Scalar> row_[kRows];
};

// What it takes to go on from an answer.
struct ArmStep {
  detail::SpeedMatrix L;                       // of M = L L^T
  detail::Speeds before, free;                 // v, and v + M^-1 h f
  std::array<detail::Speeds, kMostRows> W, G;  // G = W L^-T
};

namespace detail {

// The gap of a contact and its Jacobian along n, t and o.
inline double touch_rows(const ArmWorld& w, const Placed& k, const Touch& c, std::array<Speeds, 3>& W) {
  const bool corner = c.kind == TouchKind::corner_plane, face = c.kind == TouchKind::link_face;
  const V3 x =
      corner ? V3(w.position + w.turn * c.point) : V3(k.origin[at(c.link)] + k.turn[at(c.link)] * c.point);
  const V3 n = face ? V3(w.turn * c.normal) : c.normal;
  const V3 any = std::fabs(n[0]) < 0.6 ? V3(1, 0, 0) : V3(0, 1, 0);
  const V3 t = V3(any - n * n.dot(any)).normalized(), o = cross(n, t);
  const V3 axes[3] = {n, t, o};
  for (std::size_t a = 0; a < 3; ++a) {
    W[a].fill(0);
    for (int j = 0; !corner && j <= c.link; ++j)
      if (moves(w, j, c.link)) W[a][at(j)] = axes[a].dot(lever(k, j, x));
    if (!corner && !face) continue;
    const double sign = corner ? 1 : -1;
    const V3 moment = cross(V3(x - w.position), axes[a]);
    for (int i = 0; i < 3; ++i) {
      W[a][at(w.links + i)] = sign * axes[a][i];
      W[a][at(w.links + 3 + i)] = sign * moment[i];
    }
  }
  return face ? n.dot(V3(x - w.position)) - c.offset : n.dot(x) - c.offset;
}

inline double dot(const Speeds& a, const Speeds& b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[at(i)] * b[at(i)];
  return sum;
}

inline void add_joints(const ArmWorld& w, ArmStep& step, ArmRows& out) {
  out.joints = out.n = w.links;
  for (int j = 0; j < w.links; ++j) {
    const Link& l = w.link[at(j)];
    step.W[at(j)].fill(0);
    step.W[at(j)][at(j)] = 1;
    out.c[at(j)] = 0;
    const double f = w.h * l.friction;
    out.row[at(j)] =
        tactus::lcp::rows::Row<double>::bounded(-f, f, (l.lower - l.q) / w.h, (l.upper - l.q) / w.h);
    if (l.lower > l.q || l.upper < l.q) out.apart = false;
  }
}

inline void add_touch(const ArmWorld& w, const Placed& k, int i, ArmStep& step, ArmRows& out) {
  using tactus::lcp::rows::Row;
  std::array<Speeds, 3> W;
  const Touch& c = w.touch[at(i)];
  const double gap = touch_rows(w, k, c, W);
  double before = 0, after = 0;
  for (const Speeds& row : W) {
    const double s0 = dot(row, step.before, w.speeds()), s1 = dot(row, step.free, w.speeds());
    before += s0 * s0, after += s1 * s1;
  }
  if (gap > 4 * w.h * (std::sqrt(before) + std::sqrt(after) + 0.02)) return;
  if (gap < 0) out.apart = false;
  const auto normal = static_cast<tactus::lcp::rows::Index>(out.n);
  out.touch[at(out.touches++)] = i;
  for (std::size_t a = 0; a < 3; ++a) {
    step.W[at(out.n)] = W[a];
    out.c[at(out.n)] = a == 0 ? gap / w.h : 0;
    out.row[at(out.n++)] = a == 0 ? Row<double>::unilateral() : Row<double>::tangent(normal, c.mu);
  }
}

}  // namespace detail

// give: R as a share of A_ii on rows whose gap or limit is violated, where a rigid answer need not exist.
inline void make_rows(const ArmWorld& w, double give, ArmStep& step, ArmRows& out) {
  using namespace detail;
  const int nv = w.speeds();
  const Placed k = place(w);
  inertia(w, k, step.L, step.free);
  cholesky(step.L, nv);
  down(step.L, nv, step.free);
  up(step.L, nv, step.free);
  step.before.fill(0);
  for (int j = 0; j < w.links; ++j) step.before[at(j)] = w.link[at(j)].qd;
  for (int a = 0; w.box && a < 3; ++a) {
    step.before[at(w.links + a)] = w.velocity[a];
    step.before[at(w.links + 3 + a)] = w.spin[a];
  }
  for (int i = 0; i < nv; ++i) step.free[at(i)] += step.before[at(i)];
  out.touches = 0;
  out.apart = true;
  add_joints(w, step, out);
  for (int i = 0; i < w.touches; ++i) add_touch(w, k, i, step, out);
  for (int i = 0; i < out.n; ++i) {
    step.G[at(i)] = step.W[at(i)];
    down(step.L, nv, step.G[at(i)]);
    out.b[at(i)] = out.c[at(i)] + dot(step.W[at(i)], step.free, nv);
    for (int j = 0; j <= i; ++j)
      out.A[at(i * out.n + j)] = out.A[at(j * out.n + i)] = dot(step.G[at(i)], step.G[at(j)], nv);
    const auto& r = out.row[at(i)];
    if (out.c[at(i)] < 0 || (i < w.links && (r.stop_lo > 0 || r.stop_hi < 0)))
      out.A[at(i * out.n + i)] *= 1 + give;
  }
}

// Takes the world a step on by the impulses p.
inline void advance(ArmWorld& w, const ArmRows& rows, const ArmStep& step, const double* p) {
  using namespace detail;
  const int nv = w.speeds();
  Speeds x{};
  for (int i = 0; i < rows.n; ++i)
    for (int j = 0; j < nv; ++j) x[at(j)] += step.G[at(i)][at(j)] * p[i];
  up(step.L, nv, x);
  for (int j = 0; j < nv; ++j) x[at(j)] += step.free[at(j)];
  for (int j = 0; j < w.links; ++j) {
    w.link[at(j)].qd = x[at(j)];
    w.link[at(j)].q += w.h * x[at(j)];
  }
  if (!w.box) return;
  for (int a = 0; a < 3; ++a) w.velocity[a] = x[at(w.links + a)], w.spin[a] = x[at(w.links + 3 + a)];
  w.position += w.h * w.velocity;
  const double rate = w.spin.norm();
  if (rate > 0) w.turn = turn_about(w.spin / rate, rate * w.h) * w.turn;
}

}  // namespace corpus
