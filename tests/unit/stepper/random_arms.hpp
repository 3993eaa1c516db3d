// Random states of fingers and arms, each with an answer: no gap is negative and no joint beyond its limits,
// so no rows can press against each other and ask for motion (lcp/rows/problem.hpp). State k is the same
// whatever was drawn before it.
//
// A finger of 2 to 4 joints, two of 2 or 3 that pinch a box, or an arm of 7; a ball on the last link, others
// along the way. They touch a floor, a wall, or a box that stands, or lie a hair off. Joints rub or not, sit
// at limits, are driven at random, held, or near where friction breaks away, some by an impedance.
#pragma once

#include <cmath>

#include "tactus/tactus.hpp"
#include "tests/corpus/friction_box.hpp"

namespace random_arms {

using namespace tactus;
using namespace tactus::stepper;

inline constexpr Capacity kSize{
    .bodies = 6, .contacts = 10, .slots = 17, .active = 13, .arm_joints = 7, .parts = every_part};
template <class Scalar>
using ArmWorld = World<Scalar, 3, kSize>;
template <class Scalar>
using V = math::Vector3<Scalar>;

// usual: Coulomb's laws of friction, and every ball can be moved along its normals. flat: none of the joints
// moves one of the balls along a normal, as with a planar arm over a table. relaxed:
// FrictionLaw::relaxed_cone, which has no rows for joints with friction or limits.
enum class Kind : std::uint8_t { usual, flat, relaxed };

template <class Scalar>
class Maker {
 public:
  Maker(ArmWorld<Scalar>& world, std::uint64_t number) : world_(world), random_(number * 0x10001 + 1) {}

  // False: two things overlap, it was not taken, or it is of another kind; another number.
  bool make(Kind kind) {
    relaxed_ = kind == Kind::relaxed;
    return draw() && is_flat() == (kind == Kind::flat);
  }

 private:
  bool draw() {
    world_ = {};
    Method method;
    const int law = pick(3);
    if (law == 1) method.pyramid = contact::Pyramid::box;
    if (law == 2) method.friction = FrictionLaw::cone;
    if (relaxed_) method.friction = FrictionLaw::relaxed_cone;
    const V<Scalar> gravity = share(0.7) ? V<Scalar>(0, 0, s(-9.81)) : V<Scalar>(s(9.81) * direction());
    if (configure(world_, s(decades(-4, -2)), gravity, method)) return false;
    still_ = share(0.4);
    const int kind = pick(4);
    const double size = share(0.5) ? 0.1 : 0.4;
    bool good = false;
    const int balls = kind == 2 ? 1 : 1 + pick(kind == 3 ? 3 : 2);
    if (kind < 2) good = add_chain(2 + pick(3), size, balls);
    if (kind == 2) good = add_chain(2 + pick(2), size, balls) && add_chain(2 + pick(2), size, balls);
    if (kind == 3) good = add_chain(7, size, balls);
    const bool box = kind == 2 || share(0.5);
    return good && add_floor(box ? size * random_.uniform(0.01, 0.3) : 0) && (!box || add_box(size)) &&
           (share(0.7) || add_wall()) && touch_all() && apart() && drive();
  }

  double decades(double low, double high) { return std::pow(10.0, random_.uniform(low, high)); }
  bool share(double part) { return random_.uniform(0, 1) < part; }
  int pick(int count) { return static_cast<int>(random_.uniform(0, count)); }
  static Scalar s(double x) { return static_cast<Scalar>(x); }
  V<Scalar> direction() {
    for (;;) {
      V<double> v;
      for (int k = 0; k < 3; ++k) v[k] = random_.uniform(-1, 1);
      if (v.norm() > 0.1 && v.norm() < 1) return v.normalized().template cast<Scalar>();
    }
  }
  // Half of them touch to the last digits.
  double gap() { return share(0.5) ? 0 : decades(-7, -3); }

  V<Scalar> tip(int i) const { return world_.state.pose[at(tip_[i])].position; }
  Scalar radius(int i) const { return world_.model.radius[at(tip_[i])]; }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  // Joints about axes of the link, at limits, or within them.
  bool add_chain(int joints, double size, int balls) {
    ArmDescription<Scalar, 7> arm;
    const double mass = decades(-1.5, 1);
    const bool rubs = !relaxed_ && share(0.8), limited = !relaxed_ && share(0.8);
    for (int j = 0; j < joints; ++j) {
      dynamics::Link<Scalar> link;
      link.parent = j - 1;
      const double length = size * random_.uniform(0.5, 1), m = mass * random_.uniform(0.2, 1);
      if (j > 0) link.at.position = V<Scalar>(s(length), 0, 0);
      link.axis = V<Scalar>::Unit(share(0.6) ? 1 : pick(3));
      link.mass = s(m);
      link.centre = V<Scalar>(s(length / 2), 0, s(0.1 * length * random_.uniform(-1, 1)));
      const double I = m * length * length / 12;
      link.inertia = V<Scalar>(s(0.1 * I), s(I), s(I)).asDiagonal();
      link.rotor = s(share(0.5) ? 0 : random_.uniform(0, 0.3) * I);
      link.friction = s(rubs ? random_.uniform(0, 3) * m * size : 0);
      const double q = random_.uniform(-1.2, 1.2);
      arm.q[at(j)] = s(q);
      if (!still_) arm.qd[at(j)] = s(random_.uniform(-3, 3));
      if (limited) set_limits(link, arm.q[at(j)]);
      if (add_link(arm.links, link)) return false;
    }
    arm.base.position = s(tips_ > 0 ? 0.5 * size : 0) * direction();
    int first = 0;
    if (add_arm(world_, arm, first)) return false;
    for (int i = 0; i < balls && tips_ < 3; ++i) {
      geometry::SpatialPose<Scalar> place;
      place.position = V<Scalar>(s(size * (i == 0 ? 0.7 : 0.3)), 0, s(i == 2 ? 0.05 * size : 0));
      const auto ball = geometry::sphere<Scalar>(s(size * random_.uniform(0.03, 0.15)));
      const int link = first + (i == 0 ? joints - 1 : joints - 1 - pick(joints - 1));
      if (add_carried(world_, link, ball, place, tip_[tips_++])) return false;
    }
    return true;
  }

  void set_limits(dynamics::Link<Scalar>& link, Scalar q) {
    const int how = pick(5);
    link.lower = how == 0 ? q : how == 1 ? q - s(decades(-7, -2)) : s(-1.3);
    link.upper = how == 2 ? q : how == 3 ? q + s(decades(-7, -2)) : s(1.3);
  }

  bool add_plane(const V<Scalar>& normal, double room, int& index) {
    double offset = 1e9;
    for (int i = 0; i < tips_; ++i)
      offset = std::fmin(offset, static_cast<double>(normal.dot(tip(i)) - radius(i)));
    BodyDescription<Scalar, 3> plane;
    plane.shape = geometry::half_space<Scalar>(normal, s(offset - room));
    return !add_body(world_, plane, index);
  }
  bool add_floor(double below) {
    const double room = below + gap();
    const bool good = add_plane(V<Scalar>(0, 0, 1), room, floor_);
    height_ = good ? static_cast<double>(world_.model.shape[at(floor_)].offset) : 0;
    return good;
  }
  bool add_wall() { return add_plane(direction(), gap(), wall_); }

  // Beside the first ball, on the floor: it touches the ball with one of four sides, some with the top.
  bool add_box(double size) {
    BodyDescription<Scalar, 3> box;
    const V<double> ball = tip(0).template cast<double>();
    const double r = static_cast<double>(radius(0)), up = ball[2] - height_,
                 thick = size * random_.uniform(0.1, 0.5);
    const bool top = up - r > 0.02 * size && share(0.3);
    V<double> half(size * random_.uniform(0.1, 0.5), thick, 0), place;
    half[2] = top ? (up - r - gap()) / 2 : up * random_.uniform(0.55, 1.5);
    const double turn = share(0.5) ? 0 : random_.uniform(-1.5, 1.5);  // about the vertical, half the angle
    const V<double> along[2] = {{std::cos(2 * turn), std::sin(2 * turn), 0},
                                {-std::sin(2 * turn), std::cos(2 * turn), 0}};
    place = ball;
    if (top) {
      for (int k = 0; k < 2; ++k) place += half[k] * random_.uniform(-0.9, 0.9) * along[k];
    } else {
      const int side = pick(2), other = 1 - side;
      const double sign = share(0.5) ? 1 : -1;
      place += sign * (r + half[side] + gap()) * along[side];
      place += half[other] * random_.uniform(-0.9, 0.9) * along[other];
    }
    box.shape = geometry::box<Scalar>(s(half[0]), s(half[1]), s(half[2]));
    place[2] = height_ + static_cast<double>(box.shape.size[2]) + (share(0.8) ? 0 : gap());
    const double mass = decades(-2, 1.5);
    box.mass = s(mass);
    const V<double> square = half.cwiseProduct(half);
    box.inertia = (mass / 3 * V<double>(square[1] + square[2], square[0] + square[2], square[0] + square[1]))
                      .template cast<Scalar>()
                      .asDiagonal();
    box.pose.position = place.template cast<Scalar>();
    box.pose.w = s(std::cos(turn));
    box.pose.z = s(std::sin(turn));
    if (!still_)
      for (int k = 0; k < 3; ++k) {
        box.velocity.linear[k] = s(random_.uniform(-1, 1));
        box.velocity.angular[k] = s(random_.uniform(-3, 3));
      }
    return !add_body(world_, box, box_);
  }

  bool touch(int a, int b) {
    int index = 0;
    const double mu = share(0.1) ? 0 : random_.uniform(0.05, 1.2);
    return !add_contact(world_, {.a = a, .b = b, .friction{.kinetic = s(mu)}}, index);
  }
  bool touch_all() {
    bool good = box_ < 0 || touch(floor_, box_);
    for (int i = 0; i < tips_; ++i) {
      good = good && touch(floor_, tip_[i]);
      if (box_ >= 0) good = good && (share(0.5) ? touch(box_, tip_[i]) : touch(tip_[i], box_));
      if (wall_ >= 0) good = good && touch(wall_, tip_[i]);
    }
    return good;
  }

  // Whether no gap is negative.
  bool apart() const {
    for (int c = 0; c < world_.model.contacts; ++c) {
      const auto [a, b] = world_.model.contact[at(c)].bodies;
      geometry::SpatialContacts<Scalar> found;
      geometry::find_contacts(world_.model.shape[a], world_.state.pose[a], world_.model.shape[b],
                              world_.state.pose[b], Scalar(0), found);
      for (int i = 0; i < found.count; ++i)
        if (found[i].gap < 0) return false;
    }
    return true;
  }

  bool is_flat() const {
    const auto& links = world_.model.arm.links;
    dynamics::ArmPose<Scalar, 7> pose;
    dynamics::place(links, dynamics::Base<Scalar>{}.frame, world_.state.arm.q, pose);
    bool flat = false;
    for (int c = 0; c < world_.model.contacts; ++c) {
      const auto [a, b] = world_.model.contact[at(c)].bodies;
      const bool swapped = world_.model.arm.carries(a);
      if (!swapped && !world_.model.arm.carries(b)) continue;
      geometry::SpatialContacts<Scalar> found;
      geometry::find_contacts(world_.model.shape[a], world_.state.pose[a], world_.model.shape[b],
                              world_.state.pose[b], Scalar(1), found);
      dynamics::Jacobian<Scalar, 7> J;
      Scalar along = 0, all = 0;
      for (int i = 0; i < found.count; ++i)
        dynamics::jacobian(links, pose, world_.model.arm.mount[swapped ? a : b].link,
                           swapped ? found[i].point_a : found[i].point_b, J);
      for (std::size_t j = 0; found.count > 0 && j < at(links.joints); ++j) {
        const Scalar moved = found[0].normal.dot(J.linear[j]);
        along += moved * moved;
        all += J.linear[j].squaredNorm();
      }
      flat = flat || (found.count > 0 && along <= Scalar(1e-8) * all);
    }
    return flat;
  }

  // Torques: at random, or what holds the arm against gravity and a share of friction.
  bool drive() {
    const auto& arm = world_.model.arm.links;
    auto& state = world_.state.arm;
    dynamics::ArmPose<Scalar, 7> pose;
    const dynamics::Base<Scalar> ground;
    typename ArmState<Scalar, 7>::Values bias;
    dynamics::place(arm, ground.frame, state.q, pose);
    dynamics::inverse_dynamics(arm, pose, ground, world_.model.gravity, state.qd,
                               static_cast<const decltype(bias)*>(nullptr), bias);
    double top = 0;
    for (int j = 0; j < arm.joints; ++j) top = std::fmax(top, std::fabs(static_cast<double>(bias[at(j)])));
    const int how = pick(3);
    const bool springs = share(0.3);
    for (int j = 0; j < arm.joints; ++j) {
      const double f = static_cast<double>(arm.link[at(j)].friction), hold = static_cast<double>(bias[at(j)]);
      const double sign = share(0.5) ? 1 : -1,
                   part = how == 1 ? random_.uniform(-2, 2) : sign * random_.uniform(0.98, 1.02);
      const double extra = part * f;
      state.torque[at(j)] = s(how == 0 ? random_.uniform(-2, 2) * (top + f) : hold + extra);
      if (!springs) continue;
      state.stiffness[at(j)] = s((top + f) * decades(-1, 2));
      state.damping[at(j)] = s((top + f) * decades(-2, 1));
      state.position[at(j)] = state.q[at(j)] + s(random_.uniform(-0.3, 0.3));
      if (!still_) state.speed[at(j)] = s(random_.uniform(-1, 1));
    }
    return true;
  }

  ArmWorld<Scalar>& world_;
  corpus::Random random_;
  bool still_ = false, relaxed_ = false;
  int tips_ = 0, tip_[3] = {}, floor_ = -1, wall_ = -1, box_ = -1;
  double height_ = 0;
};

}  // namespace random_arms
