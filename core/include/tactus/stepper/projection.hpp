// The least motion of an island that takes given rows to given values, by what its sensors may be off.
//
// With x the motion of its bodies and joints, P what is known of x beforehand (independent, a standard
// deviation for each kind of number) and rows W that ought to be zero but read y,
//
//     x = argmin x^T P^-1 x   with   W x = -y         (Gauss-Markov: x = -P W^T (W P W^T)^+ y)
//
// is what the readings y are off most likely. In units of P this is x = -(W^T W)^+ W^T y: a system as large
// as the motion has directions, so that redundant corners cost nothing more and need no rank. A small
// diagonal makes it regular, and three rounds with what is left over find what is nearest to zero.
//
// Who is moved follows P: encoders that are sure stay, the object and the wall that they touch move.
//
// Cost, n directions and r rows: r n^2 / 2 multiply-adds, n^3 / 6 for the factor, 3 n^2 for each of three
// rounds. Memory: n^2 scalars, the caller's, and n three times. It cannot fail: rows that ask nothing of the
// island change nothing.
#pragma once

#include "tactus/math/cholesky.hpp"
#include "tactus/stepper/plain_rows.hpp"

namespace tactus::stepper::detail {

// Standard deviations of a measured motion, or displacement.
template <class Scalar>
struct Spread {
  Scalar linear = 0, angular = 0, joint = 0;
};

// A row of W in units of P: its entries that are not zero.
template <class Scalar, int Dim, Capacity C>
struct SpreadRow {
  static constexpr int kMost = 2 * kMotion<Dim> + C.arm_joints;

  int count = 0;
  Array<std::uint8_t, kMost> direction;
  Array<Scalar, kMost> entry;

  void add(int to, Scalar x) {
    if (x == 0) return;
    direction[at(count)] = static_cast<std::uint8_t>(to);
    entry[at(count++)] = x;
  }
  Scalar variance() const { return times_square(entry.data()); }
  // Of numbers by direction.
  Scalar times(const Scalar* x) const {
    Scalar sum = 0;
    for (int i = 0; i < count; ++i) sum = math::multiply_add(entry[at(i)], x[direction[at(i)]], sum);
    return sum;
  }

 private:
  Scalar times_square(const Scalar* x) const {
    Scalar sum = 0;
    for (int i = 0; i < count; ++i) sum = math::multiply_add(x[i], x[i], sum);
    return sum;
  }
};

template <class Scalar, int Dim, Capacity C>
class Projection {
 public:
  using Row = SpreadRow<Scalar, Dim, C>;
  static constexpr int kSpin = dynamics::kSpin<Dim>;

  // matrix: kDirections^2 scalars.
  Projection(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed,
             const Group<Scalar, Dim, C>& group, Scalar* matrix)
      : m_(m), placed_(placed), K_(matrix) {
    for (int i = 0; i < m.bodies; ++i) {
      first_[at(i)] = kNone;
      if (!(placed.body[at(i)].inverse_mass > 0) || !group.has(i)) continue;
      first_[at(i)] = static_cast<std::uint8_t>(n_);
      n_ += kMotion<Dim>;
    }
    if constexpr (C.arm_joints > 0) {
      for (int j = 0; j < m.arm.links.joints; ++j) {
        joint_[at(j)] = kNone;
        if (group.has(C.bodies + j)) joint_[at(j)] = static_cast<std::uint8_t>(n_++);
      }
    }
  }

  // Begins anew, without rows.
  void begin(const Spread<Scalar>& by) {
    by_ = by;
    for (int i = 0; i < n_; ++i) {
      g_[at(i)] = x_[at(i)] = 0;
      for (int j = i; j < n_; ++j) K_[i * n_ + j] = 0;
    }
  }

  // Row k of an element, a row of a bilateral joint, and that of a joint of an arm.
  Row row(const Spread<Scalar>& by, const Element<Scalar, Dim>& e, int k) const {
    const auto& d = e.frame.axis[k];
    Row out =
        row(by, {d, dynamics::moment<Scalar>(e.frame.arm_a, d), dynamics::moment<Scalar>(e.frame.arm_b, d)},
            e.bodies);
    if constexpr (C.arm_joints > 0) {
      if (m_.arm.carries(e.bodies.a) || m_.arm.carries(e.bodies.b)) add_links(by, e, d, out);
    }
    return out;
  }
  Row row(const Spread<Scalar>& by, const dynamics::Row<Scalar, Dim>& r, dynamics::Pair bodies) const {
    Row out;
    add_body(by, bodies.b, Scalar(1), r.direction, r.moment_b, out);
    add_body(by, bodies.a, Scalar(-1), r.direction, r.moment_a, out);
    return out;
  }
  Row row(const Spread<Scalar>& by, int joint) const {
    Row out;
    out.add(joint_[at(joint)], by.joint);
    return out;
  }

  // A row that reads y and ought to read zero.
  void hold(const Row& row, Scalar y) {
    any_ = true;
    for (int i = 0; i < row.count; ++i) {
      const int a = row.direction[at(i)];
      g_[at(a)] = math::multiply_add(-row.entry[at(i)], y, g_[at(a)]);
      for (int j = 0; j <= i; ++j) {
        const int b = row.direction[at(j)];
        Scalar& sum = K_[a < b ? a * n_ + b : b * n_ + a];
        sum = math::multiply_add(row.entry[at(i)], row.entry[at(j)], sum);
      }
    }
  }

  // Finds x.
  void solve() {
    if (!any_) return;
    any_ = false;
    Scalar top = 0;
    for (int i = 0; i < n_; ++i) top = math::larger(top, K_[i * (n_ + 1)]);
    if (!(top > 0)) return;
    Scalar change[kSize], diagonal[kSize];
    for (int i = 0; i < n_; ++i) {  // the factor goes below the diagonal, K stays above it
      diagonal[i] = K_[i * (n_ + 1)];
      K_[i * (n_ + 1)] += kRegular * top;
      for (int j = 0; j < i; ++j) K_[i * n_ + j] = K_[j * n_ + i];
    }
    math::factor(K_, n_, n_, Scalar(0));
    for (int round = 0; round < kRounds; ++round) {
      for (int i = 0; i < n_; ++i) {
        Scalar left = math::multiply_add(-diagonal[i], x_[at(i)], g_[at(i)]);
        for (int j = 0; j < n_ && round > 0; ++j)
          if (j != i) left = math::multiply_add(-K_[i < j ? i * n_ + j : j * n_ + i], x_[at(j)], left);
        change[i] = left;
      }
      math::forward_substitute(K_, n_, n_, change);
      math::back_substitute(K_, n_, n_, change);
      for (int i = 0; i < n_; ++i) x_[at(i)] += change[i];
    }
  }

  // x, in units of P, and of a body or a joint in SI units.
  const Scalar* x() const { return x_.data(); }
  bool moves(int body) const { return first_[at(body)] != kNone; }
  dynamics::Motion<Scalar, Dim> of_body(int body) const {
    const Scalar* const x = &x_[first_[at(body)]];
    dynamics::Motion<Scalar, Dim> out;
    for (int k = 0; k < Dim; ++k) out.linear[k] = by_.linear * x[k];
    for (int k = 0; k < kSpin; ++k) out.angular[k] = by_.angular * x[Dim + k];
    return out;
  }
  bool has_joint(int joint) const { return joint_[at(joint)] != kNone; }
  Scalar of_joint(int joint) const { return by_.joint * x_[joint_[at(joint)]]; }

  // The directions of the island, in those of the world: f(of the world, of the island).
  template <class F>
  void each_direction(const F& f) const {
    for (int i = 0; i < m_.bodies; ++i)
      for (int k = 0; k < kMotion<Dim> && moves(i); ++k) f(i * kMotion<Dim> + k, first_[at(i)] + k);
    if constexpr (C.arm_joints > 0)
      for (int j = 0; j < m_.arm.links.joints; ++j)
        if (has_joint(j)) f(C.bodies * kMotion<Dim> + j, joint_[at(j)]);
  }

 private:
  static constexpr int kSize = kDirections<Dim, C>;
  static constexpr std::uint8_t kNone = 255;
  static_assert(kSize < kNone);
  // As a share of the largest diagonal: what a round leaves of x is this over the smallest eigenvalue that
  // matters, a hundredth of the largest as a rule.
  static constexpr Scalar kRegular = sizeof(Scalar) == 8 ? Scalar(1e-8) : Scalar(1e-5);
  static constexpr int kRounds = 3;

  void add_body(const Spread<Scalar>& by, int body, Scalar sign, const math::Vector<Scalar, Dim>& d,
                const math::Vector<Scalar, kSpin>& moment, Row& out) const {
    const int first = first_[at(body)];
    if (first == kNone) return;
    for (int k = 0; k < Dim; ++k) out.add(first + k, sign * by.linear * d[k]);
    for (int k = 0; k < kSpin; ++k) out.add(first + Dim + k, sign * by.angular * moment[k]);
  }
  // Both bodies may hang on the same joints.
  void add_links(const Spread<Scalar>& by, const Element<Scalar, Dim>& e, const math::Vector<Scalar, Dim>& d,
                 Row& out) const {
    Scalar J[at(C.arm_joints)] = {};
    const auto add = [&](std::uint8_t body, const math::Vector<Scalar, Dim>& lever, Scalar sign) {
      if (!m_.arm.carries(body)) return;
      add_jacobian<1>(m_.arm.links, placed_.arm.pose, m_.arm.mount[body].link,
                      math::Vector<Scalar, Dim>(placed_.body[body].frame.position + lever), sign, &d, J);
    };
    add(e.bodies.b, e.frame.arm_b, Scalar(1));
    add(e.bodies.a, e.frame.arm_a, Scalar(-1));
    for (int j = 0; j < m_.arm.links.joints; ++j) out.add(joint_[at(j)], by.joint * J[at(j)]);
  }

  const Model<Scalar, Dim, C>& m_;
  const Placed<Scalar, Dim, C>& placed_;
  Scalar* K_;
  Spread<Scalar> by_;
  int n_ = 0;
  bool any_ = false;
  Array<std::uint8_t, C.bodies> first_;
  Array<std::uint8_t, C.arm_joints> joint_;
  Array<Scalar, kSize> g_, x_;
};

}  // namespace tactus::stepper::detail
