// All answers of a step of the finger (finger_steps.hpp), found without a solver: every combination of modes
// of the three joints and the tip is tried, each in closed form.
//
// With v the speeds after the step, p the impulse on the tip and r those of the joints,
//
//     M (v - u) = J^T p + r,     s = J v + (gap / h, 0, 0),
//
// u the free speeds. A joint is held (v known, r in a range) or not (r known, v in a range). For those that
// are not held s = A p + b. Then the tip is
//
//     open    p = 0
//     slips   p = N (1, mu g), s_n = 0, s_T against g: for N by s_n what is left is one equation in the angle
//             of g, whose roots are looked for around the circle. Where the joints that are not held cannot
//             lift the tip, N is whatever those that are held can carry: a range of answers
//     sticks  s = 0 gives v; where joints then rest, forces have to exist, which is a convex question.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "finger_steps.hpp"

namespace finger {

using V3 = Eigen::Vector3d;
using M3 = Eigen::Matrix3d;

struct StepData {
  M3 M, J;  // rows of J: n, t, o
  V3 u;
  V3 lower, upper;                         // speeds at which the stops hold
  double friction = 0, mu = 0, start = 0;  // impulse of each joint; gap / h
};

// The step that a world is about to take; M, J and the forces of the free motion at its state.
template <Capacity C>
StepData step_data(const World<double, 3, C>& world, const Start& start) {
  using Vector = math::Vector<double, 3>;
  using Three = dynamics::JointVector<double, kJoints>;
  const double h = world.model.h;
  const auto& links = world.model.arm.links;
  const auto& arm = world.state.arm;
  const dynamics::Base<double> base;
  dynamics::ArmPose<double, kJoints> pose;
  dynamics::MassMatrix<double, kJoints> M;
  Three bias;
  dynamics::place(links, base.frame, arm.q, pose);
  dynamics::mass_matrix(links, pose, M);
  dynamics::inverse_dynamics(links, pose, base, Vector(0, 0, -9.81), arm.qd,
                             static_cast<const Three*>(nullptr), bias);
  const Vector lowest = pose.frame[2].to_world(Vector(0.05, 0, 0)) - Vector(0, 0, kRadius);
  StepData d;
  V3 driven;
  for (int j = 0; j < kJoints; ++j) {
    const auto k = static_cast<std::size_t>(j);
    const Vector row = math::cross<double>(pose.axis[k], Vector(lowest - pose.frame[k].position));
    d.J.col(j) = V3(row[2], row[0], row[1]);
    for (int i = 0; i < kJoints; ++i) d.M(j, i) = M[static_cast<std::size_t>(i <= j ? 3 * j + i : 3 * i + j)];
    driven[j] = h * (arm.torque[k] - bias[k]);
    d.lower[j] = (-kLimit - arm.q[k]) / h;
    d.upper[j] = (kLimit - arm.q[k]) / h;
  }
  d.u = V3(arm.qd[0], arm.qd[1], arm.qd[2]) + d.M.inverse() * driven;
  d.friction = h * start.friction;
  d.mu = start.mu;
  d.start = lowest[2] / h;
  if (std::fabs(d.start) < 1e-9) d.start = 0;  // rounding of places
  return d;
}

class Answers {
 public:
  // What a law may be off by, of the speeds and impulses at hand.
  static constexpr double kSlack = 1e-9;
  static constexpr int kAngles = 180;

  explicit Answers(const StepData& data) : d_(data), momentum_(data.M * data.u) {
    speed_ = d_.u.cwiseAbs().maxCoeff() + d_.start + 1e-6;
    impulse_ = momentum_.cwiseAbs().maxCoeff() + d_.friction + 1e-9;
    for (int j = 0; j < 3; ++j)
      for (double* const limit : {&d_.lower[j], &d_.upper[j]})
        if (std::fabs(*limit) < 1e-6) *limit = 0;
    Piece chosen[3];
    choose(chosen, 0);
    stick();
  }

  const std::vector<V3>& speeds() const { return found_; }
  bool doubtful() const { return doubtful_; }

  // The largest distance of two answers, as a share of the speeds of the larger.
  double spread() const {
    double most = 0;
    for (const V3& a : found_)
      for (const V3& b : found_) most = std::max(most, apart(a, b));
    return most;
  }
  static double apart(const V3& a, const V3& b) {
    return (a - b).cwiseAbs().maxCoeff() /
           (std::max(a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff()) + 1e-3);
  }

 private:
  struct Piece {
    bool held;
    double value;      // v where it is held, else r
    double low, high;  // of the other
  };

  void choose(Piece* chosen, int j) {
    if (j == 3) return solve(chosen);
    const double F = d_.friction, low = d_.lower[j], high = d_.upper[j];
    constexpr double kAny = 1e30;
    for (const Piece& piece : {Piece{false, F, low, 0}, Piece{false, -F, 0, high}, Piece{true, 0, -F, F},
                               Piece{true, low, F, kAny}, Piece{true, high, -kAny, -F}}) {
      chosen[j] = piece;
      choose(chosen, j + 1);
    }
  }

  // v and r of impulses p.
  struct Motion {
    V3 v, r;
  };
  Motion motion(const Piece* piece, const M3& inverse, const V3& p) const {
    Motion m;
    V3 known, pushed = momentum_ + d_.J.transpose() * p;
    for (int j = 0; j < 3; ++j) known[j] = piece[j].held ? piece[j].value : 0;
    pushed -= d_.M * known;
    for (int j = 0; j < 3; ++j) pushed[j] += piece[j].held ? 0 : piece[j].value;
    m.v = known + inverse * pushed;
    m.r = d_.M * m.v - momentum_ - d_.J.transpose() * p;
    return m;
  }
  bool fits(const Piece* piece, const Motion& m) const {
    for (int j = 0; j < 3; ++j) {
      const double x = piece[j].held ? m.r[j] : m.v[j];
      const double slack = kSlack * (piece[j].held ? impulse_ : speed_);
      if (!(x >= piece[j].low - slack && x <= piece[j].high + slack)) return false;
    }
    return true;
  }
  // The inverse of M over the joints that are not held, 0 elsewhere.
  M3 inverse_of(const Piece* piece) const {
    M3 m = d_.M;
    for (int j = 0; j < 3; ++j) {
      if (!piece[j].held) continue;
      m.row(j).setZero();
      m.col(j).setZero();
      m(j, j) = 1;
    }
    M3 inverse = m.inverse();
    for (int j = 0; j < 3; ++j)
      if (piece[j].held) inverse(j, j) = 0;
    return inverse;
  }
  V3 slip_of(const V3& v) const { return d_.J * v + V3(d_.start, 0, 0); }

  void solve(const Piece* piece) {
    const M3 inverse = inverse_of(piece);
    const Motion open = motion(piece, inverse, V3::Zero());
    const V3 b = slip_of(open.v);
    if (b[0] >= -kSlack * speed_ && fits(piece, open)) found_.push_back(open.v);
    const M3 A = d_.J * inverse * d_.J.transpose(), whole = d_.J * d_.M.inverse() * d_.J.transpose();
    if (A(0, 0) < 1e-9 * whole(0, 0)) return range(piece, inverse, b);
    circle(piece, inverse, A, b);
  }

  // The tip cannot rise or sink by the joints that are not held.
  void range(const Piece* piece, const M3& inverse, const V3& b) {
    const double rest = kSlack * speed_, slip = std::hypot(b[1], b[2]);
    if (std::fabs(b[0]) > rest || slip <= rest) return;
    // All that moves is linear in N: v and r at 0 and at 1.
    const V3 g(1, -d_.mu * b[1] / slip, -d_.mu * b[2] / slip);
    const Motion none = motion(piece, inverse, V3::Zero()), one = motion(piece, inverse, g);
    double least = 0, most = 1e30;
    const auto bound = [&](double x, double slope, double low, double high) {
      if (std::fabs(slope) < 1e-12) {
        if (x < low - rest || x > high + rest) most = -1;
        return;
      }
      const double a = (low - x) / slope, c = (high - x) / slope;
      least = std::max(least, std::min(a, c));
      most = std::min(most, std::max(a, c));
    };
    for (int j = 0; j < 3; ++j) {
      const bool held = piece[j].held;
      bound(held ? none.r[j] : none.v[j], held ? one.r[j] - none.r[j] : one.v[j] - none.v[j], piece[j].low,
            piece[j].high);
    }
    const V3 along = d_.J * (one.v - none.v);
    bound(b[1] * b[1] + b[2] * b[2], along[1] * b[1] + along[2] * b[2], 0, 1e30);
    if (!(least <= most)) return;
    for (const double N : {least, most})
      if (N < 1e29) found_.push_back(motion(piece, inverse, N * g).v);
  }

  // What has to vanish: s_T across g, times what N is divided by.
  static double across(const M3& A, const V3& b, double mu, double angle) {
    const double x = std::cos(angle), y = std::sin(angle);
    const V3 pull = A * V3(1, mu * x, mu * y);
    return pull[0] * (x * b[2] - y * b[1]) - b[0] * (x * pull[2] - y * pull[1]);
  }

  void circle(const Piece* piece, const M3& inverse, const M3& A, const V3& b) {
    const double step = 2 * 3.14159265358979323846 / kAngles;
    const auto f = [&](double angle) { return across(A, b, d_.mu, angle); };
    double before = f(-step), here = f(0);
    for (int k = 0; k < kAngles; ++k) {
      const double next = f((k + 1) * step);
      if ((here <= 0) != (next <= 0)) {
        root(piece, inverse, A, b, k * step, (k + 1) * step);
      } else if (std::fabs(here) <= std::fabs(before) && std::fabs(here) <= std::fabs(next)) {
        // Two roots may lie close together.
        const double angle = turning_point(f, (k - 1) * step, (k + 1) * step, here > 0);
        if ((f(angle) <= 0) != (here <= 0)) {
          root(piece, inverse, A, b, (k - 1) * step, angle);
          root(piece, inverse, A, b, angle, (k + 1) * step);
        }
      }
      before = here;
      here = next;
    }
  }
  template <class F>
  static double turning_point(const F& f, double low, double high, bool minimum) {
    for (int k = 0; k < 60; ++k) {
      const double a = low + (high - low) / 3, b = high - (high - low) / 3;
      ((f(a) < f(b)) == minimum ? high : low) = (f(a) < f(b)) == minimum ? b : a;
    }
    return (low + high) / 2;
  }
  void root(const Piece* piece, const M3& inverse, const M3& A, const V3& b, double low, double high) {
    const bool sign = across(A, b, d_.mu, low) <= 0;
    for (int k = 0; k < 70; ++k) {
      const double middle = (low + high) / 2;
      ((across(A, b, d_.mu, middle) <= 0) == sign ? low : high) = middle;
    }
    const V3 g(1, d_.mu * std::cos(low), d_.mu * std::sin(low));
    const double share = A.row(0).dot(g), N = -b[0] / share;
    if (!(N > 0) || !(N < 1e6 * impulse_)) return;
    const Motion m = motion(piece, inverse, N * g);
    const V3 s = slip_of(m.v);
    const double slack = kSlack * speed_;
    if (std::fabs(s[0]) > slack || s[1] * g[1] + s[2] * g[2] > d_.mu * slack) return;
    if (std::fabs(s[1] * g[2] - s[2] * g[1]) > 10 * d_.mu * slack) return;
    if (fits(piece, m)) found_.push_back(m.v);
  }

  void stick() {
    const V3 v = d_.J.inverse() * V3(-d_.start, 0, 0);
    V3 low, high;  // what r may be
    for (int j = 0; j < 3; ++j) {
      const double rest = kSlack * speed_, F = d_.friction;
      if (v[j] < d_.lower[j] - rest || v[j] > d_.upper[j] + rest) return;
      low[j] = v[j] < -rest ? F : -F;
      high[j] = v[j] > rest ? -F : F;
      if (v[j] <= d_.lower[j] + rest) high[j] = 100 * impulse_;
      if (v[j] >= d_.upper[j] - rest) low[j] = -100 * impulse_;
    }
    const M3 back = d_.J.transpose().inverse();
    const V3 gained = d_.M * v - momentum_;
    // How far the impulse is out of the cone; convex in r.
    const auto outside = [&](const V3& r) {
      const V3 p = back * (gained - r);
      return std::max(std::hypot(p[1], p[2]) - d_.mu * p[0], -p[0]);
    };
    V3 r = low;
    const double least = lowest(outside, r, low, high, 0);
    const double unit = impulse_ * back.cwiseAbs().maxCoeff();
    if (least <= kSlack * unit) found_.push_back(v);
    if (std::fabs(least) < 1e-6 * unit) doubtful_ = true;
  }
  // The minimum of a convex function over a box, one coordinate within the other.
  template <class F>
  static double lowest(const F& f, V3& x, const V3& low, const V3& high, int k) {
    if (k == 3) return f(x);
    constexpr double kGolden = 0.61803398874989485;
    double a = low[k], d = high[k];
    const auto at = [&](double y) {
      x[k] = y;
      return lowest(f, x, low, high, k + 1);
    };
    if (!(d > a)) return at(a);
    double b = d - kGolden * (d - a), c = a + kGolden * (d - a), fb = at(b), fc = at(c);
    for (int i = 0; i < 34; ++i) {
      if (fb < fc) {
        d = c;
        c = b;
        fc = fb;
        fb = at(b = d - kGolden * (d - a));
      } else {
        a = b;
        b = c;
        fb = fc;
        fc = at(c = a + kGolden * (d - a));
      }
    }
    return std::min({at(a), at((a + d) / 2), at(d)});
  }

  StepData d_;
  V3 momentum_;
  double speed_, impulse_;
  bool doubtful_ = false;
  std::vector<V3> found_;
};

}  // namespace finger
