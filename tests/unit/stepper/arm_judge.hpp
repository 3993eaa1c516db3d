// Judges a step of a world with arms of revolute joints, whose links carry balls that touch planes and one
// box (random_arms.hpp, honest.hpp), from the state before it, the state after it and the report, in double
// and by formulas of its own. Of the joints,
//
//     M (qd' - qd) = h (tau - bias) + J^T p + h r,     M = sum of m Jv^T Jv + Jw^T I Jw over the links,
//
// tau with the impedance at the end of the step, p the impulses of the contacts, and r what limit and
// friction of a joint may give: |r| <= f, all of it against a joint that moves, more at a limit. How far the
// nearest such r is off is a share of the joint's h |f| + |M| |v| and of what the momentum of the box is at
// the joint, v the fastest joint before the step and with its drive alone. Let off is what sums round by,
// kRound epsilons of the magnitudes of their terms, and a friction that changes the joint's speed by no more
// than what counts as rest: that is how the laws are certified.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "tactus/tactus.hpp"

namespace arm_judge {

using namespace tactus;
using namespace tactus::stepper;

template <class Scalar>
inline constexpr double kShare = sizeof(Scalar) == 8 ? 1e-9 : 1e-4;
inline constexpr double kRound = 128;

using V3 = Eigen::Vector3d;

// Links where they are, their mass matrix and the forces that no speed changes.
class Links {
 public:
  template <class World>
  explicit Links(const World& world) : n(static_cast<std::size_t>(world.model.arm.links.joints)) {
    const auto& arm = world.model.arm.links;
    const V3 gravity = world.model.gravity.template cast<double>();
    V3 omega[7], alpha[7], acceleration[7];
    for (std::size_t i = 0; i < n; ++i) {
      const auto& link = arm.link[i];
      const bool root = link.parent < 0;
      const auto p = static_cast<std::size_t>(root ? 0 : link.parent);
      parent[i] = link.parent;
      const double q = static_cast<double>(world.state.arm.q[i]),
                   qd = static_cast<double>(world.state.arm.qd[i]);
      const V3 local = link.axis.template cast<double>(), zero = V3::Zero();
      const Eigen::Matrix3d base = root ? Eigen::Matrix3d(Eigen::Matrix3d::Identity()) : turn[p];
      const V3 step = base * link.at.position.template cast<double>();
      origin[i] = (root ? zero : origin[p]) + step;
      turn[i] = base * link.at.R.template cast<double>() * Eigen::AngleAxisd(q, local).toRotationMatrix();
      axis[i] = turn[i] * local;
      const V3 w = root ? zero : omega[p], a = root ? zero : alpha[p];
      omega[i] = w + qd * axis[i];
      alpha[i] = a + qd * w.cross(axis[i]);
      acceleration[i] = (root ? zero : acceleration[p]) + a.cross(step) + w.cross(w.cross(step));
      const V3 c = turn[i] * link.centre.template cast<double>();
      const Eigen::Matrix3d I = turn[i] * link.inertia.template cast<double>() * turn[i].transpose();
      const V3 of_centre = acceleration[i] + alpha[i].cross(c) + omega[i].cross(omega[i].cross(c));
      const double m = static_cast<double>(link.mass);
      const V3 force = m * (of_centre - gravity), moment = I * alpha[i] + omega[i].cross(I * omega[i]);
      for (int j = static_cast<int>(i); j >= 0; j = parent[at(j)]) {
        const V3 v = lever(at(j), origin[i] + c);
        bias[at(j)] += v.dot(force) + axis[at(j)].dot(moment);
        bias_terms[at(j)] += v.norm() * force.norm() + moment.norm();
        for (int k = static_cast<int>(i); k >= 0; k = parent[at(k)])
          M(j, k) += m * v.dot(lever(at(k), origin[i] + c)) + axis[at(j)].dot(I * axis[at(k)]);
      }
      M(static_cast<int>(i), static_cast<int>(i)) += static_cast<double>(link.rotor);
    }
  }

  // What a unit of joint j moves a point by that it moves.
  V3 lever(std::size_t j, const V3& point) const { return axis[j].cross(point - origin[j]); }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  std::size_t n;
  int parent[7];
  Eigen::Matrix3d turn[7];
  V3 origin[7], axis[7];
  Eigen::Matrix<double, 7, 7> M = Eigen::Matrix<double, 7, 7>::Zero();
  double bias[7] = {}, bias_terms[7] = {};  // terms: their magnitudes
};

// The largest breach of each law, as a share of what is allowed: above 1 it is broken.
struct Verdict {
  double momentum = 0, limit = 0, friction = 0, box = 0;
  double largest() const { return std::max({momentum, limit, friction, box}); }
};

template <class World>
class Judge {
 public:
  using Scalar = typename World::ScalarType;
  static constexpr Capacity kSize = World::kCapacity;
  static_assert(kSize.arm_joints <= 7 && kSize.bodies <= 6);
  using Report = StepReport<Scalar, 3, kSize>;

  using Values = dynamics::JointVector<Scalar, kSize.arm_joints>;

  // reaction: r of the joints, to be judged by momentum alone; null: by momentum and law.
  Judge(const World& before, const World& after, const Report& report, const Values* reaction = nullptr)
      : m_(before.model),
        before_(before.state),
        after_(after.state),
        links_(before),
        reaction_(reaction),
        h_(d(m_.h)) {
    for (std::size_t j = 0; j < links_.n; ++j)
      largest_ += h_ * d(m_.arm.links.link[j].mass) * v3(m_.gravity).norm();
    for (const auto& contact : report.contact)
      largest_ = std::max(largest_, h_ * v3(contact.force).template lpNorm<Eigen::Infinity>());
    for (int c = 0; c < m_.contacts; ++c) add_contact(report, c);
    for (const auto& contact : report.contact)  // what is in each other is asked apart within the step
      fastest_ = std::max(fastest_, contact.elements > 0 ? -d(contact.gap) / h_ : 0);
    set_speed();
    for (std::size_t j = 0; j < links_.n; ++j) judge_joint(j);
    for (int i = 0; i < m_.bodies; ++i)
      if (m_.inertia[at(i)].mass > 0) judge_box(at(i));
  }

  Verdict verdict;

 private:
  static constexpr double kEps = kRound * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  static constexpr double kNothing = 1e-30;  // that nothing of nothing is 0
  static double d(Scalar x) { return static_cast<double>(x); }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static V3 v3(const math::Vector3<Scalar>& x) { return x.template cast<double>(); }
  static void worse(double& worst, double x) { worst = !(x <= worst) ? x : worst; }

  // The rule of geometry/contact.hpp.
  static V3 tangent(const V3& n) {
    const V3 x = V3::Unit(std::fabs(n[0]) < 0.9 ? 0 : 1);
    return (x - n.dot(x) * n).normalized();
  }
  V3 centre_of(std::size_t body) const {
    const auto& mount = m_.arm.mount[body];
    if (mount.link < 0) return v3(before_.pose[body].position);
    return links_.origin[at(mount.link)] + links_.turn[at(mount.link)] * v3(mount.at.position);
  }
  // From a plane or the box to a ball.
  V3 normal_to(std::size_t on, const V3& ball) const {
    const auto& shape = m_.shape[on];
    if (shape.kind == geometry::SpatialKind::half_space) return v3(shape.size);
    const auto& pose = before_.pose[on];
    const Eigen::Quaterniond turn(d(pose.w), d(pose.x), d(pose.y), d(pose.z));
    const V3 in = turn.normalized().conjugate() * (ball - v3(pose.position)), half = v3(shape.size);
    V3 out = in - in.cwiseMax(-half).cwiseMin(half);
    int face = 0;
    if ((in.cwiseAbs() - half).maxCoeff(&face) <= 0) out = V3::Unit(face) * (in[face] < 0 ? -1 : 1);
    return turn.normalized() * out.normalized();
  }

  void add_contact(const Report& report, int index) {
    const auto& contact = m_.contact[at(index)];
    const std::size_t a = contact.bodies.a, b = contact.bodies.b;
    const bool swapped = m_.shape[a].kind == geometry::SpatialKind::sphere;
    const std::size_t on = swapped ? b : a, ball = swapped ? a : b;
    const bool of_arm = m_.arm.carries(static_cast<int>(ball));
    const V3 out = of_arm ? normal_to(on, centre_of(ball)) : V3(0, 0, 1), n = swapped ? V3(-out) : out;
    const V3 t = tangent(n), p = h_ * v3(report.contact[at(index)].force);
    judge_friction(d(contact.friction.kinetic), p);
    const V3 on_b = p[0] * n + p[1] * t + p[2] * n.cross(t), push = swapped ? V3(-on_b) : on_b;
    give(on, -push);
    if (!of_arm)
      give(ball, push);
    else
      push_arm(m_.arm.mount[ball].link, centre_of(ball) - d(m_.radius[ball]) * out, push, on);
  }
  void judge_friction(double mu, const V3& p) {
    const double slack = 100 * kShare<Scalar> * largest_ + kNothing;  // laws are certified as speeds
    const bool box = m_.method.pyramid == contact::Pyramid::box && m_.method.friction == FrictionLaw::pyramid;
    const double used = box ? std::max(std::fabs(p[1]), std::fabs(p[2])) : std::hypot(p[1], p[2]);
    worse(verdict.friction, std::max(-p[0], used - mu * p[0]) / slack);
  }
  V3 force_on(std::size_t body) const {
    return d(m_.inertia[body].mass) * v3(m_.gravity) + v3(before_.force[body].linear);
  }
  // What force and torque give a point of it in the step, at most: its inertia is more than m r^2 / 10.
  double given_speed(std::size_t body) const {
    const double mass = d(m_.inertia[body].mass), r = d(m_.radius[body]);
    return mass > 0 ? h_ / mass * (force_on(body).norm() + 10 / r * v3(before_.force[body].angular).norm())
                    : 0;
  }
  void give(std::size_t body, const V3& p) {
    impulse_[body] += p;
    press_[body] += p.cwiseAbs().sum();
  }
  void push_arm(int link, const V3& point, const V3& p, std::size_t on) {
    const double carried =
        d(m_.inertia[on].mass) * (v3(before_.velocity[on].linear).norm() + given_speed(on));
    for (int j = link; j >= 0; j = links_.parent[at(j)]) {
      const V3 lever = links_.lever(at(j), point);
      given_[j] += lever.dot(p);
      pressed_[j] += lever.cwiseAbs().dot(p.cwiseAbs());
      brought_[j] = std::max(brought_[j], lever.norm() * carried);
    }
  }

  // What the step is about: a joint that is slower than a share of it stands still, and so does one that
  // moves by no more in the step than its place rounds by.
  void set_speed() {
    const int n = static_cast<int>(links_.n);
    Eigen::Matrix<double, 7, 7> M = Eigen::Matrix<double, 7, 7>::Identity();
    Eigen::Matrix<double, 7, 1> push = Eigen::Matrix<double, 7, 1>::Zero();
    M.topLeftCorner(n, n) = links_.M.topLeftCorner(n, n);
    for (int j = 0; j < n; ++j) {
      M(j, j) += h_ * (d(before_.arm.damping[at(j)]) + h_ * d(before_.arm.stiffness[at(j)]));
      push[j] = h_ * (torque(at(j), d(before_.arm.qd[at(j)])) - links_.bias[j]);
    }
    const Eigen::Matrix<double, 7, 7> W = M.inverse();
    const Eigen::Matrix<double, 7, 1> free = W * push;
    for (int j = 0; j < n; ++j) {
      const double stops = h_ * d(m_.arm.links.link[at(j)].friction) * W(j, j);
      mobility_[j] = W(j, j);
      fastest_ = std::max(fastest_, std::fabs(d(before_.arm.qd[at(j)])) + std::fabs(free[j]));
      speed_ = std::max({speed_, fastest_, stops});
    }
    double reach = 0;
    for (std::size_t j = 0; j < links_.n; ++j) reach = std::max(reach, links_.origin[j].norm());
    jitter_ = kEps / 32 * reach / h_;
    for (int i = 0; i < m_.bodies; ++i)
      if (m_.inertia[at(i)].mass > 0)
        speed_ = std::max(speed_, v3(before_.velocity[at(i)].linear).norm() +
                                      d(m_.radius[at(i)]) * v3(before_.velocity[at(i)].angular).norm() +
                                      given_speed(at(i)));
  }

  // At the speed qd, with the impedance.
  double torque(std::size_t j, double qd) const {
    const auto& arm = before_.arm;
    return d(arm.torque[j]) + d(arm.stiffness[j]) * (d(arm.position[j]) - d(arm.q[j]) - h_ * qd) +
           d(arm.damping[j]) * (d(arm.speed[j]) - qd);
  }

  void judge_joint(std::size_t j) {
    const auto& arm = before_.arm;
    const auto& link = m_.arm.links.link[j];
    const double v = d(after_.arm.qd[j]), still = kShare<Scalar> * speed_ + jitter_, f = d(link.friction);
    double rest = h_ * (links_.bias[j] - torque(j, v)) - given_[j];  // h r
    double unit = h_ * (std::fabs(links_.bias[j]) + std::fabs(torque(j, d(arm.qd[j])))) + brought_[j];
    double terms = h_ * links_.bias_terms[j] + pressed_[j] +
                   h_ * (d(arm.stiffness[j]) * h_ + d(arm.damping[j])) * std::fabs(v);
    for (std::size_t i = 0; i < links_.n; ++i) {
      const double M = links_.M(static_cast<int>(j), static_cast<int>(i)), u = d(arm.qd[i]);
      rest += M * (d(after_.arm.qd[i]) - u);
      unit += std::fabs(M) * fastest_;
      terms += std::fabs(M) * (std::fabs(u) + std::fabs(d(after_.arm.qd[i])));
    }
    const double slack = still * h_ + kEps * (1 + std::fabs(d(arm.q[j]))), q = d(arm.q[j]) + h_ * v;
    const bool low = q <= d(link.lower) + slack, high = q >= d(link.upper) - slack;
    double least = -h_ * f, most = h_ * f;
    if (v > still) most = least;
    if (v < -still) least = most;
    if (low) most = std::numeric_limits<double>::infinity();
    if (high) least = -std::numeric_limits<double>::infinity();
    if (reaction_ != nullptr) least = most = h_ * d((*reaction_)[j]);
    const double off = std::max({least - rest, rest - most, 0.0});
    const double allowed =
        kShare<Scalar> * unit + kEps * (terms + std::fabs(rest)) + still / mobility_[j] + kNothing;
    worse(verdict.momentum, off / allowed);
    worse(verdict.limit,
          std::max(d(link.lower) - d(after_.arm.q[j]), d(after_.arm.q[j]) - d(link.upper)) / slack);
  }

  void judge_box(std::size_t i) {
    const double mass = d(m_.inertia[i].mass);
    const V3 v = v3(before_.velocity[i].linear), force = force_on(i);
    const V3 off = mass * (v3(after_.velocity[i].linear) - v) - h_ * force - impulse_[i];
    const double unit = mass * v.norm() + h_ * force.norm();
    worse(verdict.box, off.norm() / (kShare<Scalar> * unit + kEps * (unit + press_[i]) + kNothing));
  }

  const Model<Scalar, 3, kSize>& m_;
  const State<Scalar, 3, kSize>&before_, &after_;
  Links links_;
  const Values* reaction_;
  double h_, speed_ = 0, largest_ = 0, jitter_ = 0;  // largest_: impulse, of a contact or of weight
  double fastest_ = 0;  // of the joints before the step, with what the drive adds
  double mobility_[7] = {};
  double given_[7] = {}, pressed_[7] = {}, brought_[7] = {};  // joints: J^T p, its terms, the box's momentum
  V3 impulse_[6] = {V3::Zero(), V3::Zero(), V3::Zero(), V3::Zero(), V3::Zero(), V3::Zero()};
  double press_[6] = {};
};

}  // namespace arm_judge
