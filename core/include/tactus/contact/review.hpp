// Whether forces and speeds that were found for some modes keep the laws. Who breaks his is given the mode
// that he asks for. Cost: some tens of operations a row. Memory: five scalars. Nothing here fails.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/contact/modes.hpp"
#include "tactus/contact/residual.hpp"

namespace tactus::contact::guess {

template <class Scalar, int Dim, Parts kParts>
class Review : public Modes<Scalar, Dim, kParts> {
 public:
  using Mode = ElementMode<Scalar, Dim>;
  static constexpr int kTangents = Dim - 1;

  // slack_speed: what the speed of a plain row may be off by, as a gap is by rounding, m/s or rad/s.
  Review(const Problem<Scalar, Dim>& problem, Friction friction, const Arrays<Scalar, Dim>& to,
         Scalar slack_speed)
      : Base(problem, friction, to), slack_(slack_speed) {}

 protected:
  using Base = Modes<Scalar, Dim, kParts>;
  using Base::a;
  using Base::bind;
  using Base::can_move;
  using Base::close;
  using Base::first_of;
  using Base::free;
  using Base::length;
  using Base::mobility;
  using Base::p_;
  using Base::plain_rows;
  using Base::product;
  using Base::relaxed;
  using Base::round;
  using Base::slide;
  using Base::to_;

  // What a plain row would move by in the step: a row that sticks has no other speed to be measured by.
  Scalar plain_unit(int j) const {
    if (kParts.driven && j >= p_.plain - p_.driven) return p_.template plain_speed<true>(j);
    const Scalar f = p_.staircase[j].friction, stopped = f < Staircase<Scalar>::kNever ? a(j, j) * f : 0;
    return math::larger(math::magnitude(p_.b[j]), stopped);
  }

  // No direction is known better than the system is solved.
  Scalar turned() const {
    const Scalar solved = 4 * solved_ < kAccepted<Scalar> ? 4 * solved_ : kAccepted<Scalar>;
    return math::larger(kTurned<Scalar>, solved);
  }

  // The largest breaches of the laws.
  struct Excess {
    Scalar force = 0, speed = 0;
    void of_force(Scalar x) { force = math::larger(force, x); }
    void of_speed(Scalar x) { speed = math::larger(speed, x); }
  };

  // Holds plain row j against its staircase; a breach changes its mode and returns true.
  bool review_plain(int j) {
    const Scalar slack = math::larger(kAccepted<Scalar> * plain_unit(j),
                                      16 * std::numeric_limits<Scalar>::epsilon() * plain_speed_);
    const RowMode next = p_.staircase[j].next(to_.plain[j], to_.s[j], to_.lambda[j], slack + slack_,
                                              kAccepted<Scalar> * plain_unit(j) / a(j, j));
    if (next == to_.plain[j]) return false;
    to_.plain[j] = next;
    return true;
  }

  // The same of element i.
  [[gnu::always_inline]] bool review(int i, Excess& excess) {
    Mode& m = to_.mode[i];
    const int n = first_of(i);
    const Scalar slack_speed = kAccepted<Scalar> * speed_;
    if (!m.closed) {
      to_.used[i] = 0;
      const Scalar lift = relaxed() ? p_.mu[i] * length(to_.s + n + 1) : Scalar(0);
      if (to_.s[n] - lift < -slack_speed && can_move(i)) return close(i, to_.s + n), true;
      excess.of_speed(lift - to_.s[n]);
      return false;
    }
    const Scalar slack = kAccepted<Scalar> * force_;
    if (to_.lambda[n] < -slack) {
      m.closed = false;
      free(m);
      return true;
    }
    excess.of_force(-to_.lambda[n]);
    const Scalar limit = p_.mu[i] * std::max(to_.lambda[n], Scalar(0));
    if (round()) return review_round(i, limit, slack, slack_speed, excess);
    return review_box(i, limit, slack, slack_speed, excess);
  }

  bool review_box(int i, Scalar limit, Scalar slack, Scalar slack_speed, Excess& excess) {
    Mode& m = to_.mode[i];
    bool changed = false;
    Scalar used = 0;
    for (int k = 0; k < kTangents; ++k) {
      const Scalar force = to_.lambda[first_of(i) + 1 + k], slip = to_.s[first_of(i) + 1 + k];
      used = math::larger(used, math::magnitude(force));
      if (!m.bound[k]) {
        if (math::magnitude(force) > limit + slack) {
          bind(i, k, force > 0 ? Scalar(1) : Scalar(-1));
          changed = true;
        }
      } else if (slip * m.g[k] > slack_speed) {
        m.bound[k] = false;
        m.pull[k] = 0;
        changed = true;
      }
      if (changed) continue;
      excess.of_force(math::magnitude(force) - limit);
      if (m.bound[k]) excess.of_speed(slip * m.g[k]);
    }
    to_.used[i] = used;
    return changed;
  }

  bool review_round(int i, Scalar limit, Scalar slack, Scalar slack_speed, Excess& excess) {
    Mode& m = to_.mode[i];
    const Scalar* const f = to_.lambda + first_of(i) + 1;
    const Scalar* const s = to_.s + first_of(i) + 1;
    const Scalar force = m.turns() || !m.bound[0] ? length(f) : limit;
    to_.used[i] = force;
    if (!m.bound[0]) {
      if (force > limit + slack) {
        // It begins to slip as fast as what is too much of its force would move it.
        slide(i, f, force, limit > 0 ? mobility(i) * (force - limit) / limit : Mode::kFixed);
        return true;
      }
      excess.of_force(force - limit);
      return false;
    }
    if (!(limit > 0)) {  // no friction, or friction without a normal force
      excess.of_force(force);
      if (!m.turns()) return false;
      m.give = Mode::kFixed;
      return true;
    }
    const Scalar* const g = m.turns() ? f : m.g;
    const Scalar size = m.turns() ? force : Scalar(1);
    const Scalar slip = length(s), along = -product(g, s) / size;
    if (along < -slack_speed) return free(m), true;
    // |s_T + along g| is the part of the slip across the friction.
    Scalar side[kTangents];
    for (int k = 0; k < kTangents; ++k) side[k] = math::multiply_add(along / size, g[k], s[k]);
    // The relaxed law's normal row has s_T along the direction that friction had before it turned.
    const Scalar lift = relaxed() ? math::magnitude(s[-1] - p_.mu[i] * slip) : Scalar(0);
    // Friction that has turned is off its border by half the square of the angle, however small it is.
    const Scalar over = m.turns() && limit > slack ? turned() * limit : slack;
    if (length(side) > kAligned<Scalar> * slip + turned() * speed_ || force > limit + over ||
        lift > slack_speed) {
      slide(i, g, size, along > turned() * speed_ ? along / limit : Mode::kFixed);
      return true;
    }
    excess.of_speed(-along);
    excess.of_force(force - limit);
    return false;
  }

  // A friction that has turned by x is longer than its limit by x^2 / 2, a share within what is accepted.
  void trim(int i) {
    if (!to_.mode[i].closed || !to_.mode[i].turns()) return;
    Scalar* const f = to_.lambda + first_of(i);
    const Scalar limit = p_.mu[i] * f[0], force = length(f + 1);
    if (!(force > limit) || !(limit > 0)) return;
    for (int k = 1; k < Dim; ++k) f[k] *= limit / force;
    to_.used[i] = limit;
  }

  // Of all laws, by residual.hpp.
  Scalar natural_residual() const {
    Scalar plain = 0, contacts = 0;
    for (int j = 0; j < plain_rows(); ++j) {
      const Scalar off = off_staircase(p_.staircase[j], a(j, j), to_.s[j], to_.lambda[j]);
      plain = worst(plain, off - slack_);
    }
    for (int i = 0; i < p_.elements; ++i) {
      const int n = first_of(i);
      Scalar s[Dim];
      for (int k = 0; k < Dim; ++k) s[k] = to_.s[n + k];
      if (relaxed()) s[0] -= p_.mu[i] * slip_speed<Scalar, Dim>(s);
      const Scalar off = off_friction<Scalar, Dim>(p_.A + n * (p_.stride + 1), p_.stride, p_.mu[i],
                                                   to_.lambda + n, s, !round());
      contacts = worst(contacts, share_of(off, math::larger(speed_, math::magnitude(p_.b[n]))));
    }
    return worst(worst(solved_, contacts), share_of(plain, plain_speed_));
  }

  Scalar slack_;
  Scalar speed_ = 0, force_ = 0, plain_speed_ = 0;  // the units
  Scalar solved_ = 0;                               // what the system of the modes is off by, as a share
};

}  // namespace tactus::contact::guess
