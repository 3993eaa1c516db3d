// The equations of one contact of the geometrically implicit step, Chakraborty 2007 (10)-(11): closest
// points, normal force, friction; and what the contact does to its two bodies. All at the end of the step,
// with the derivative along any change, so that Newton's matrix is built column by column from one piece of
// code.
//
// Units: lengths `length`, speeds length / h, forces `force`. Then u = s h / length, g = gap / length and y
// are of like size, and no tolerance depends on grams or tons.
#pragma once

#include "tactus/geometry/contact.hpp"
#include "tactus/stepper/outputs.hpp"

namespace tactus::stepper::detail::implicit {

template <class Scalar>
struct Units {
  Scalar length, h, force;
  Scalar speed() const { return length / h; }
};

// What acts on b; the reaction on a has the opposite signs.
template <class Scalar, int Dim>
struct Wrench {
  math::Vector<Scalar, Dim> force = math::Vector<Scalar, Dim>::Zero();
  // About the origins of a and of b.
  std::array<math::Vector<Scalar, dynamics::kSpin<Dim>>, 2> moment{
      math::Vector<Scalar, dynamics::kSpin<Dim>>::Zero(), math::Vector<Scalar, dynamics::kSpin<Dim>>::Zero()};
};

template <class Scalar, int Dim>
struct ContactChange : geometry::ClosestChange<Scalar, Dim> {
  std::array<dynamics::Motion<Scalar, Dim>, 2> velocity{};
};

template <class Scalar, int Dim, int Pieces>
class ContactEquations {
 public:
  static constexpr int kAxes = contact::kFrictionAxes<Dim>;
  static constexpr int kSpin = dynamics::kSpin<Dim>;
  using V = math::Vector<Scalar, Dim>;
  using Spin = math::Vector<Scalar, kSpin>;
  using Axes = math::Vector<Scalar, kAxes>;
  using Body = geometry::Placed<Scalar, Dim, Pieces>;
  using Friction = contact::FrictionEllipsoid<Scalar, Dim>;
  using Motion = dynamics::Motion<Scalar, Dim>;

  ContactEquations(const Body& A, const Body& B, const Motion& va, const Motion& vb,
                   const geometry::ClosestPoints<Scalar, Dim>& at, const Friction& friction,
                   const EllipsoidForce<Scalar, Dim>& lambda, const Units<Scalar>& units)
      : units_(units),
        closest_(A, B, at, units.length),
        friction_(friction),
        lambda_(lambda),
        arm_{at.a - A.frame.position, at.b - B.frame.position},
        spin_{va.angular, vb.angular} {
    axis_[0] = closest_.normal();
    axis_[1] = geometry::tangent<Scalar>(axis_[0]);
    if constexpr (Dim == 3) axis_[2] = math::cross<Scalar>(axis_[0], axis_[1]);
    slip_ = (vb.linear + geometry::swept<Scalar>(vb.angular, arm_[1])) -
            (va.linear + geometry::swept<Scalar>(va.angular, arm_[0]));
    Axes u;
    for (int k = 0; k < Dim - 1; ++k) u[k] = friction.axis[k] * math::dot(axis_[k + 1], slip_);
    if constexpr (Dim == 3) u[2] = friction.axis[2] * math::dot(axis_[0], V(vb.angular - va.angular));
    speed_ = u;
    law_ = Law(friction_, lambda.n / units.force, lambda.y / units.force, at.gap / units.length,
               u / units.speed());
  }

  ContactEquations(const ContactEquations&) = delete;

  contact::Mode mode() const { return law_.mode; }
  const V& axis(int k) const { return axis_[k]; }
  const V& arm(int side) const { return arm_[side]; }
  const Axes& speed() const { return speed_; }  // e_k s_k, m/s
  const Friction& friction() const { return friction_; }
  const geometry::ClosestRows<Scalar, Dim, Pieces>& closest() const { return closest_; }

  // The rows of the closest points, and of the law: the normal one, then friction.
  void residual(Scalar* row, Scalar* law) const {
    closest_.residual(row);
    for (int k = 0; k <= kAxes; ++k) law[k] = law_.row[k];
  }

  Wrench<Scalar, Dim> wrench() const { return wrench_of(lambda_); }

  // By bodies and closest points: the rows' change goes to `row` and `law`, the wrench's is returned.
  Wrench<Scalar, Dim> change(const ContactChange<Scalar, Dim>& d, Scalar* row, Scalar* law) const {
    const V dn = closest_.normal_change(closest_.change(d, row));
    V d_axis[Dim];
    d_axis[0] = dn;
    if constexpr (Dim == 2) {
      d_axis[1] = geometry::tangent<Scalar>(dn);
    } else {
      // The frame turns with n, and about n as far as t is kept in the plane of n and a world axis k
      // (geometry/contact.hpp): t = (k - n_k n) / |k - n_k n|, so dt . o = -n_k (dn . o) / |k - n_k n|.
      const int k = std::abs(axis_[0].x()) < Scalar(0.9) ? 0 : 1;
      const Scalar on_t = math::dot(dn, axis_[1]), on_o = math::dot(dn, axis_[2]);
      const Scalar twist = -axis_[0][k] * on_o / std::sqrt(1 - axis_[0][k] * axis_[0][k]);
      d_axis[1] = twist * axis_[2] - on_t * axis_[0];
      d_axis[2] = -twist * axis_[1] - on_o * axis_[0];
    }
    const V d_arm[2] = {d.a - d.move[0], d.b - d.move[1]};
    V d_slip = d.velocity[1].linear - d.velocity[0].linear;
    d_slip +=
        geometry::swept<Scalar>(d.velocity[1].angular, arm_[1]) + geometry::swept<Scalar>(spin_[1], d_arm[1]);
    d_slip -=
        geometry::swept<Scalar>(d.velocity[0].angular, arm_[0]) + geometry::swept<Scalar>(spin_[0], d_arm[0]);
    Axes du;
    for (int k = 0; k < Dim - 1; ++k)
      du[k] = friction_.axis[k] * (math::dot(axis_[k + 1], d_slip) + math::dot(d_axis[k + 1], slip_));
    if constexpr (Dim == 3)
      du[2] = friction_.axis[2] * (math::dot(axis_[0], V(d.velocity[1].angular - d.velocity[0].angular)) +
                                   math::dot(dn, V(spin_[1] - spin_[0])));
    law_.change(Scalar(0), Axes(Axes::Zero()), d.gap / units_.length, du / units_.speed(), law);
    Wrench<Scalar, Dim> w;
    V force = lambda_.n * axis_[0];
    w.force = lambda_.n * d_axis[0];
    for (int k = 1; k < Dim; ++k) {
      const Scalar e = friction_.axis[k - 1];
      force += e * lambda_.y[k - 1] * axis_[k];
      w.force += e * lambda_.y[k - 1] * d_axis[k];
    }
    for (int s = 0; s < 2; ++s) {
      w.moment[at_index(s)] =
          dynamics::moment<Scalar>(arm_[s], w.force) + dynamics::moment<Scalar>(d_arm[s], force);
      if constexpr (Dim == 3) w.moment[at_index(s)] += friction_.axis[2] * lambda_.y[2] * dn;
    }
    return w;
  }

  // The same for a change of the forces, which leaves the rows of the closest points as they are.
  Wrench<Scalar, Dim> pressed(const EllipsoidForce<Scalar, Dim>& by, Scalar* law) const {
    law_.change(by.n / units_.force, by.y / units_.force, Scalar(0), Axes(Axes::Zero()), law);
    return wrench_of(by);
  }

 private:
  using Law = contact::EllipsoidRows<Scalar, Dim>;
  static constexpr std::size_t at_index(int i) { return static_cast<std::size_t>(i); }

  Wrench<Scalar, Dim> wrench_of(const EllipsoidForce<Scalar, Dim>& lambda) const {
    Wrench<Scalar, Dim> w;
    w.force = lambda.n * axis_[0];
    for (int k = 1; k < Dim; ++k) w.force += friction_.axis[k - 1] * lambda.y[k - 1] * axis_[k];
    for (int s = 0; s < 2; ++s) {
      w.moment[at_index(s)] = dynamics::moment<Scalar>(arm_[s], w.force);
      if constexpr (Dim == 3) w.moment[at_index(s)] += friction_.axis[2] * lambda.y[2] * axis_[0];
    }
    return w;
  }

  Units<Scalar> units_;
  geometry::ClosestRows<Scalar, Dim, Pieces> closest_;
  const Friction friction_;
  const EllipsoidForce<Scalar, Dim>& lambda_;
  V axis_[Dim];  // n, t (, o)
  V arm_[2];
  Spin spin_[2];
  V slip_;
  Axes speed_;
  Law law_;
};

}  // namespace tactus::stepper::detail::implicit
