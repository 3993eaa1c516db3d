// The friction ellipsoid with torsion and its law of maximum dissipation, Chakraborty 2007 (4)-(5):
//
//     (lambda_t / e_t)^2 + (lambda_o / e_o)^2 + (lambda_r / e_r)^2 <= mu^2 lambda_n^2,   lambda_T = argmax
//     -s_T . lambda
//
// with all three signs negative (the paper's (4) prints two of them positive). e_t and e_o are numbers, e_r
// is a length (m): lambda_r is the moment about the normal. In units of the axes, y_k = lambda_k / e_k and
// u_k = e_k s_k, the set is a ball of radius mu lambda_n, s . lambda = u . y, and the Fritz-John conditions
// (5) with sigma = |u| read
//
//     mu lambda_n u + |u| y = 0,    |y| <= mu lambda_n,    which is    y = P(y - r u),  P the projection on
//     the ball, any
//                                                                       r > 0
//
// So a semismooth Newton method needs no sigma: with p = y - r u, an element sticks where |p| <= mu lambda_n
// (u = 0), else it slips with y = mu lambda_n p / |p|. An axis with e_k = 0 carries no force and has no say
// in the ball.
#pragma once

#include <cmath>

#include "tactus/contact/problem.hpp"
#include "tactus/math/vector.hpp"

namespace tactus::contact {

// Friction directions of a contact: t in the plane; t, o and the turn r about n in space.
template <int Dim>
inline constexpr int kFrictionAxes = Dim == 2 ? 1 : 3;

template <class Scalar, int Dim>
struct FrictionEllipsoid {
  Scalar mu = 0;
  math::Vector<Scalar, kFrictionAxes<Dim>> axis = default_axes();  // e_t, e_o, e_r

  // A plain coefficient: no torsion.
  static math::Vector<Scalar, kFrictionAxes<Dim>> default_axes() {
    math::Vector<Scalar, kFrictionAxes<Dim>> e;
    for (int k = 0; k < kFrictionAxes<Dim>; ++k) e[k] = k < 2 ? Scalar(1) : Scalar(0);
    return e;
  }
};

template <class Scalar, int Dim>
inline bool valid(const FrictionEllipsoid<Scalar, Dim>& f) {
  if (!(f.mu >= 0) || !math::finite(f.mu)) return false;
  for (int k = 0; k < kFrictionAxes<Dim>; ++k)
    if (!(f.axis[k] >= 0) || !math::finite(f.axis[k])) return false;
  return true;
}

// Where contacts are redundant, as of a ball that rests in a groove, their forces are not determined and
// Newton's matrix is singular. It is that of contacts which give a little: the forces then change as little
// as they can, while the rows stay those of contacts that do not.
template <class Scalar>
inline constexpr Scalar kGive = sizeof(Scalar) == 8 ? Scalar(1e-6) : Scalar(1e-3);

// The rows of one contact for Newton's method: 0 <= lambda_n _|_ g >= 0 and friction in units of the axes. g
// is the gap at the end of the step; g, u, lambda_n and y are without unit.
template <class Scalar, int Dim>
struct EllipsoidRows {
  static constexpr int kAxes = kFrictionAxes<Dim>;
  using Axes = math::Vector<Scalar, kAxes>;

  EllipsoidRows() = default;
  EllipsoidRows(const FrictionEllipsoid<Scalar, Dim>& friction, Scalar lambda_n, const Axes& y, Scalar g,
                const Axes& u)
      : friction_(&friction) {
    mode = Mode::open;
    row[0] = lambda_n;
    for (int k = 0; k < kAxes; ++k) row[k + 1] = y[k];
    if (!(lambda_n - g > 0)) return;
    row[0] = g;
    radius_ = friction.mu * lambda_n;
    mode = Mode::slip;
    if (!(radius_ > 0)) return;  // no friction: y = 0
    size_ = 0;
    for (int k = 0; k < kAxes; ++k) {
      along_[k] = friction.axis[k] > 0 ? y[k] - u[k] : Scalar(0);
      size_ = math::multiply_add(along_[k], along_[k], size_);
    }
    size_ = std::sqrt(size_);
    if (size_ <= radius_) mode = Mode::stick;
    if (mode == Mode::slip) along_ /= size_;
    for (int k = 0; k < kAxes; ++k)
      if (friction.axis[k] > 0) row[k + 1] = mode == Mode::stick ? u[k] : y[k] - radius_ * along_[k];
  }

  // What the rows change by.
  void change(Scalar lambda_n, const Axes& y, Scalar g, const Axes& u, Scalar* out) const {
    out[0] = mode == Mode::open ? lambda_n : g + kGive<Scalar> * lambda_n;
    for (int k = 0; k < kAxes; ++k) out[k + 1] = y[k];
    if (mode == Mode::open || !(radius_ > 0)) return;
    if (mode == Mode::stick) {
      for (int k = 0; k < kAxes; ++k)
        if (friction_->axis[k] > 0) out[k + 1] = u[k] + kGive<Scalar> * y[k];
      return;
    }
    Axes p = Axes::Zero();
    Scalar on = 0;
    for (int k = 0; k < kAxes; ++k) {
      if (friction_->axis[k] > 0) p[k] = y[k] - u[k];
      on = math::multiply_add(p[k], along_[k], on);
    }
    const Scalar shrink = radius_ / size_;
    for (int k = 0; k < kAxes; ++k)
      if (friction_->axis[k] > 0)
        out[k + 1] = (y[k] - friction_->mu * lambda_n * along_[k]) - shrink * (p[k] - on * along_[k]);
  }

  Mode mode = Mode::open;
  Scalar row[kAxes + 1]{};

 private:
  const FrictionEllipsoid<Scalar, Dim>* friction_ = nullptr;
  Scalar radius_ = 0, size_ = 0;
  Axes along_ = Axes::Zero();
};

}  // namespace tactus::contact
