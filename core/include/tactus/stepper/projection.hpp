// The least motion of an island that takes given rows to zero, by what its sensors may be off.
//
// With x the motion of its bodies and joints, P what is known of x beforehand (independent, a standard
// deviation for each kind of number) and rows W that ought to be zero but read y,
//
//     x = argmin x^T P^-1 x   with   W x = -y         (Gauss-Markov: x = -P W^T (W P W^T)^+ y)
//
// is what the readings are off most likely. In units of P it is x = -(W^T W)^+ W^T y: a system as large as
// the island has directions to move in, so that redundant corners cost little and need no rank. A small
// diagonal makes it regular, and two rounds with what is left over find what is nearest to zero.
//
// Who is moved follows P: encoders that are sure stay, and the object that they touch moves.
//
// Cost, n directions and r rows: r n^2 / 2 multiply-adds, n^3 / 6 for the factor, 2 n^2 for each of two
// rounds. Memory: n^2 scalars, the caller's, and four times n. It cannot fail: rows that ask nothing of the
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

template <class Scalar, int Dim, Capacity C>
class Projection {
 public:
  static constexpr int kSpin = dynamics::kSpin<Dim>;
  using Motion = dynamics::Motion<Scalar, Dim>;
  using BodyRow = dynamics::Row<Scalar, Dim>;

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

  int directions() const { return n_; }

  // Row k of an element.
  BodyRow row(const Element<Scalar, Dim>& e, int k) const {
    const auto& d = e.frame.axis[k];
    return {d, dynamics::moment<Scalar>(e.frame.arm_a, d), dynamics::moment<Scalar>(e.frame.arm_b, d)};
  }

  // What noise makes of a reading of an element's rows, as a variance: of whichever reads most.
  Scalar variance(const Spread<Scalar>& by, const Element<Scalar, Dim>& e) const {
    Scalar sum = 0;
    const auto add = [&](std::uint8_t body, const math::Vector<Scalar, Dim>& arm) {
      if (first_[body] != kNone) {
        const Scalar turn = by.angular * by.angular * math::fused_dot<Scalar, Dim>(arm, arm);
        sum += math::multiply_add(by.linear, by.linear, turn);
      }
      if constexpr (C.arm_joints > 0)
        if (m_.arm.carries(body)) sum += by.joint * by.joint * reach_of_links(body, arm);
    };
    add(e.bodies.b, e.frame.arm_b);
    add(e.bodies.a, e.frame.arm_a);
    return sum;
  }

  // Begins anew, without rows.
  void begin(const Spread<Scalar>& by) {
    by_ = by;
    for (int i = 0; i < n_; ++i) g_[at(i)] = x_[at(i)] = 0;
    for (int i = 0; i < n_ * n_; ++i) K_[i] = 0;
    any_ = false;
  }

  // Rows that read y and ought to read zero: row k of an element, one of a bilateral joint, that of a joint
  // of an arm.
  void hold(const Element<Scalar, Dim>& e, int k, Scalar y) {
    const BodyRow of = row(e, k);
    clear();
    add_bodies(of, e.bodies);
    if constexpr (C.arm_joints > 0) {
      if (m_.arm.carries(e.bodies.a) || m_.arm.carries(e.bodies.b)) {
        Scalar J[at(C.arm_joints)] = {};
        write_links(e, of.direction, J);
        for (int j = 0; j < m_.arm.links.joints; ++j)
          if (J[j] != 0) row_[joint_[at(j)]] += by_.joint * J[j];
      }
    }
    add_row(y);
  }
  void hold(const BodyRow& of, dynamics::Pair bodies, Scalar y) {
    clear();
    add_bodies(of, bodies);
    add_row(y);
  }
  void hold(int joint, Scalar y) {
    clear();
    row_[joint_[at(joint)]] = by_.joint;
    add_row(y);
  }

  // Finds x.
  void solve() {
    if (!any_) return;
    Scalar diagonal[kSize], change[kSize], top = 0;
    for (int i = 0; i < n_; ++i) top = math::larger(top, diagonal[i] = K_[i * (n_ + 1)]);
    if (!(top > 0)) return;
    for (int i = 0; i < n_; ++i) {  // the factor goes below the diagonal, K stays above it
      K_[i * (n_ + 1)] += kRegular * top;
      for (int j = 0; j < i; ++j) K_[i * n_ + j] = K_[j * n_ + i];
    }
    math::factor(K_, n_, n_, Scalar(0));
    for (int round = 0; round < kRounds; ++round) {
      for (int i = 0; i < n_; ++i) change[i] = math::multiply_add(-diagonal[i], x_[at(i)], g_[at(i)]);
      for (int i = 0; i < n_ && round > 0; ++i) {
        const Scalar* const above = K_ + i * n_;
        Scalar sum = 0;
        for (int j = i + 1; j < n_; ++j) {
          sum = math::multiply_add(above[j], x_[at(j)], sum);
          change[j] = math::multiply_add(-above[j], x_[at(i)], change[j]);
        }
        change[i] -= sum;
      }
      math::forward_substitute(K_, n_, n_, change);
      math::back_substitute(K_, n_, n_, change);
      for (int i = 0; i < n_; ++i) x_[at(i)] += change[i];
    }
  }

  // x of a body and of a joint, in SI units.
  bool moves(int body) const { return first_[at(body)] != kNone; }
  Motion of_body(int body) const {
    const Scalar* const x = &x_[first_[at(body)]];
    Motion out;
    for (int k = 0; k < Dim; ++k) out.linear[k] = by_.linear * x[k];
    for (int k = 0; k < kSpin; ++k) out.angular[k] = by_.angular * x[Dim + k];
    return out;
  }
  bool has_joint(int joint) const { return joint_[at(joint)] != kNone; }
  Scalar of_joint(int joint) const { return by_.joint * x_[joint_[at(joint)]]; }

 private:
  static constexpr int kSize = kDirections<Dim, C>;
  static constexpr std::uint8_t kNone = 255;
  static_assert(kSize < kNone);
  // As a share of the largest diagonal. A round leaves of x this over the smallest eigenvalue that matters,
  // two hundredths of the largest for a box of 10 cm, two ten thousandths for one of 1 cm.
  static constexpr Scalar kRegular = sizeof(Scalar) == 8 ? Scalar(1e-8) : Scalar(2e-6);
  static constexpr int kRounds = 2;

  void clear() {
    for (int i = 0; i < n_; ++i) row_[at(i)] = 0;
  }
  void add_bodies(const BodyRow& of, dynamics::Pair bodies) {
    add_body(bodies.b, Scalar(1), of.direction, of.moment_b);
    add_body(bodies.a, Scalar(-1), of.direction, of.moment_a);
  }
  void add_body(int body, Scalar sign, const math::Vector<Scalar, Dim>& d,
                const math::Vector<Scalar, kSpin>& moment) {
    if (first_[at(body)] == kNone) return;
    Scalar* const to = &row_[first_[at(body)]];
    const Scalar linear = sign * by_.linear, angular = sign * by_.angular;
    for (int k = 0; k < Dim; ++k) to[k] = linear * d[k];
    for (int k = 0; k < kSpin; ++k) to[Dim + k] = angular * moment[k];
  }
  // Both bodies may hang on the same joints.
  void write_links(const Element<Scalar, Dim>& e, const math::Vector<Scalar, Dim>& d, Scalar* J) const {
    const auto add = [&](std::uint8_t body, const math::Vector<Scalar, Dim>& lever, Scalar sign) {
      if (!m_.arm.carries(body)) return;
      add_jacobian<1>(m_.arm.links, placed_.arm.pose, m_.arm.mount[body].link,
                      math::Vector<Scalar, Dim>(placed_.body[body].frame.position + lever), sign, &d, J);
    };
    add(e.bodies.b, e.frame.arm_b, Scalar(1));
    add(e.bodies.a, e.frame.arm_a, Scalar(-1));
  }
  // The squares of how far joints of unit speed move a point, all together.
  Scalar reach_of_links(int body, const math::Vector<Scalar, Dim>& arm) const {
    const math::Vector<Scalar, Dim> point = placed_.body[at(body)].frame.position + arm;
    Scalar sum = 0;
    for (int k = m_.arm.mount[at(body)].link; k >= 0; k = m_.arm.links.link[at(k)].parent) {
      const math::Vector<Scalar, Dim> lever = point - placed_.arm.pose.frame[at(k)].position;
      const bool slides = m_.arm.links.link[at(k)].joint == dynamics::ArmJoint::prismatic;
      sum += slides ? Scalar(1) : math::fused_dot<Scalar, Dim>(lever, lever);
    }
    return sum;
  }
  // K += w w^T above the diagonal, g -= w y.
  void add_row(Scalar y) {
    any_ = true;
    for (int i = 0; i < n_; ++i) {
      const Scalar x = row_[at(i)];
      if (x == 0) continue;
      g_[at(i)] = math::multiply_add(-x, y, g_[at(i)]);
      Scalar* const to = K_ + i * n_;
      for (int j = i; j < n_; ++j) to[j] = math::multiply_add(x, row_[at(j)], to[j]);
    }
  }

  const Model<Scalar, Dim, C>& m_;
  const Placed<Scalar, Dim, C>& placed_;
  Scalar* K_;
  Spread<Scalar> by_;
  int n_ = 0;
  bool any_ = false;
  Array<std::uint8_t, C.bodies> first_;
  Array<std::uint8_t, C.arm_joints> joint_;
  Array<Scalar, kSize> g_, x_, row_;
};

}  // namespace tactus::stepper::detail
