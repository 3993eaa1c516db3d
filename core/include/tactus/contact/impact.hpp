// One impact: the impulses of contact points that close, all at once, and how they rebound.
//
//     s = A lambda + b,   b the speeds before;   lambda in units of impulse / h, as A has them
//
// First the compression, the inelastic problem of contact/problem.hpp: lambda_c. Then the restitution, of
// coefficient e, by the law of the contact:
//
//   poisson, energetic   adds lambda_n = e lambda_c,n + x, 0 <= x _|_ s_n >= 0, friction mu lambda_n
//   moreau               adds e lambda_c, and x with friction mu x
//   newton               what takes all to 0 <= lambda_n _|_ s_n + e b_n >= 0
//
// None can gain energy. Compression is inelastic, so lambda_c . s_c <= 0, which is checked, and its energy is
// at most that before. Of lambda_c + theta (lambda - lambda_c) the largest theta <= 1 is taken with which the
// energy is within what there was (or what `energetic` allows), a root of one quadratic: friction holds and
// nothing more closes at both ends, so also between.
//
// Compression: modes first (guess.hpp), which are exact; else sweeps, each point's normal and then its
// friction in the disc (block Gauss-Seidel), which cannot end on a ray and are cut short so that lambda_c .
// s_c = 0 at worst. Restitution: sweeps; where e lambda_c leaves nothing that closes, one.
//
// Cost: the search of guess.hpp, kSweeps sweeps of n^2 multiply-adds twice at most. Memory: n numbers beside
// the search's. Failure: certified is false, and the energy is still none that was not there. What a clock
// has ended is no impact.
#pragma once

#include "tactus/contact/guess.hpp"
#include "tactus/contact/impact_law.hpp"

namespace tactus::contact {

// Of one point.
template <class Scalar>
struct Rebound {
  Scalar e = 0;
  ImpactLaw law = ImpactLaw::poisson;
};

namespace impact {

// In float what 16 sweeps leave closing is 1e-3 of the speeds at worst: four corners of a cube, mu = 0.18.
template <class Scalar>
inline constexpr int kSweeps = sizeof(Scalar) == 8 ? 256 : 64;
// Of the speeds before: sweeps that change less are over. What they leave closing is as little.
template <class Scalar>
inline constexpr Scalar kStill = sizeof(Scalar) == 8 ? Scalar(1e-13) : Scalar(1e-5);
// Of lambda . A lambda: what lambda_c may work.
template <class Scalar>
inline constexpr Scalar kWork = sizeof(Scalar) == 8 ? Scalar(1e-12) : Scalar(1e-6);
// Of the speeds before: what may still close after a compression that is called certified. It closes again,
// and is hit again.
inline constexpr double kLeft = 1e-3;

template <class Scalar>
inline Scalar dot(const Scalar* a, const Scalar* b, int n) {
  Scalar sum = 0;
  for (int r = 0; r < n; ++r) sum = math::multiply_add(a[r], b[r], sum);
  return sum;
}

// What a row of forces is kept to: normal >= least, friction within mu (normal - from) of a centre.
template <class Scalar, int Dim>
struct Bounds {
  Scalar least = 0, from = 0, target = 0;  // s_n >= target
  Scalar centre[Dim - 1] = {};
};

// The bounds of the restitution of a point whose compression was c, b its speeds before.
template <class Scalar, int Dim>
inline Bounds<Scalar, Dim> bounds_of(const Rebound<Scalar>& of, const Scalar* c, const Scalar* b) {
  Bounds<Scalar, Dim> out;
  const bool newton = of.law == ImpactLaw::newton, moreau = of.law == ImpactLaw::moreau;
  const Scalar share = newton ? Scalar(-1) : of.e;
  out.least = share * c[0];
  if (newton) out.target = b[0] < 0 ? -of.e * b[0] : Scalar(0);
  if (!newton && !moreau) return out;
  out.from = out.least;
  for (int k = 1; k < Dim; ++k) out.centre[k - 1] = share * c[k];
  return out;
}

// The points of one impact. `to.lambda` and `to.s` are the compression, `more` what restitution adds.
template <class Scalar, int Dim, guess::Parts kParts>
class Impact {
 public:
  Impact(const Problem<Scalar, Dim>& problem, const Rebound<Scalar>* of, const guess::Arrays<Scalar, Dim>& to,
         Scalar* more)
      : p_(problem), of_(of), to_(to), more_(more), n_(problem.elements * Dim) {
    for (int r = 0; r < n_; ++r) unit_ = math::larger(unit_, math::magnitude(p_.b[r]));
  }

  // bounded: by the energetic law where it is asked for. True where the compression is certified; to.lambda
  // is then the whole impulse, and to.s the speeds after it.
  template <Clock Time>
  bool solve(bool bounded, Time& clock) {
    const bool good = compress(clock);
    if (restore(clock)) guard(bounded);
    return good;
  }

 private:
  template <Clock Time>
  bool compress(Time& clock) {
    guess::Search<Scalar, Dim, kParts> search(p_, Dim == 2 ? guess::Friction::box : guess::Friction::round,
                                              p_.elements > 1, to_);
    // What rests is here because the others press on it.
    const auto recall = [&](int i) {
      const bool rests = p_.b[i * Dim] >= 0 && p_.b[i * Dim] <= Scalar(kLeft) * unit_;
      return Remembered{rests ? Remembered::closed : Remembered::unknown};
    };
    const bool found = search.run(recall, clock).found;
    if (found && holds()) return true;
    for (int r = 0; r < n_; ++r) {
      to_.lambda[r] = 0;
      to_.s[r] = p_.b[r];
    }
    sweep([](int) { return Bounds<Scalar, Dim>{}; }, to_.lambda, clock);
    const Scalar work = dot(to_.lambda, to_.s, n_), given = dot(to_.lambda, p_.b, n_), taken = work - given;
    if (work > 0 && taken > 0) {
      const Scalar share = given < 0 ? -given / taken : Scalar(0);
      for (int r = 0; r < n_; ++r) {
        to_.lambda[r] *= share;
        to_.s[r] = math::multiply_add(share, to_.s[r] - p_.b[r], p_.b[r]);
      }
    }
    return holds();
  }

  // lambda_c . s_c <= 0, nothing closes, friction within its cone. The certificate of an impact.
  bool holds() const {
    const Scalar work = dot(to_.lambda, to_.s, n_), taken = work - dot(to_.lambda, p_.b, n_);
    if (!(work <= kWork<Scalar> * taken)) return false;
    for (int i = 0; i < p_.elements; ++i) {
      const Scalar* const lambda = to_.lambda + i * Dim;
      const Scalar T = slip_speed<Scalar, Dim>(lambda), limit = p_.mu[i] * lambda[0];
      if (!(to_.s[i * Dim] >= -Scalar(kLeft) * unit_) || !(lambda[0] >= 0)) return false;
      if (!(T <= limit * (1 + Scalar(kLeft)))) return false;
    }
    return true;
  }

  // Sets `force` and to.s: bounds(i) of point i.
  template <class Of, Clock Time>
  void sweep(const Of& bounds, Scalar* force, Time& clock) {
    for (int k = 0; k < kSweeps<Scalar>; ++k) {
      if (k % (n_ / 3 + 1) == 0 && !clock.go_on(Piece::sweep, n_, p_.elements)) return;
      Scalar change = 0;
      for (int i = 0; i < p_.elements; ++i)
        change = math::larger(change, relax(i, bounds(i), force + i * Dim));
      if (!(change > kStill<Scalar> * unit_)) return;
    }
  }

  // Point i alone: the largest change of its own speeds.
  Scalar relax(int i, const Bounds<Scalar, Dim>& within, Scalar* force) {
    const int first = i * Dim;
    const Scalar* const own = p_.A + first * (p_.stride + 1);
    if (!(own[0] > 0)) return 0;
    const Scalar was = force[0], asked = was - (to_.s[first] - within.target) / own[0];
    force[0] = asked > within.least ? asked : within.least;
    Scalar change = math::magnitude(add(first, force[0] - was)), next[Dim - 1], length = 0;
    const Scalar limit = p_.mu[i] * math::larger(force[0] - within.from, Scalar(0));
    const Scalar give = stiffest(own);
    for (int k = 1; k < Dim; ++k) {
      next[k - 1] = force[k] - within.centre[k - 1] - (give > 0 ? to_.s[first + k] / give : Scalar(0));
      length += next[k - 1] * next[k - 1];
    }
    length = std::sqrt(length);
    const Scalar share = length > limit ? limit / length : Scalar(1);
    for (int k = 1; k < Dim; ++k) {
      const Scalar by = math::multiply_add(share, next[k - 1], within.centre[k - 1]) - force[k];
      force[k] += by;
      change = math::larger(change, math::magnitude(add(first + k, by)));
    }
    return change;
  }

  // The largest eigenvalue of the tangential block.
  Scalar stiffest(const Scalar* own) const {
    const Scalar tt = own[p_.stride + 1];
    if constexpr (Dim == 2) return tt;
    const Scalar oo = own[2 * (p_.stride + 1)], to = own[p_.stride + 2], half = (tt - oo) / 2;
    return (tt + oo) / 2 + std::sqrt(half * half + to * to);
  }

  // One force more along a row; what its own speed changes by.
  Scalar add(int row, Scalar by) {
    if (by == 0) return 0;
    const Scalar* const column = p_.A + row * p_.stride;  // A is symmetric
    for (int r = 0; r < n_; ++r) to_.s[r] = math::multiply_add(by, column[r], to_.s[r]);
    return by * column[row];
  }

  // Writes `more` and the speeds with it; false where nothing is given back.
  template <Clock Time>
  bool restore(Time& clock) {
    bool any = false;
    for (int i = 0; i < p_.elements; ++i) any = any || of_[i].e > 0;
    if (!any) return false;
    for (int r = 0; r < n_; ++r) {
      more_[n_ + r] = to_.s[r];  // s_c
      more_[r] = 0;
    }
    for (int i = 0; i < p_.elements; ++i) {
      if (of_[i].law == ImpactLaw::newton) continue;
      // What slips goes on to, as a rule, by the same share; what stuck is held.
      const int rows = of_[i].law == ImpactLaw::moreau || slips(i) ? Dim : 1;
      for (int k = 0; k < rows; ++k)
        add(i * Dim + k, more_[i * Dim + k] = of_[i].e * to_.lambda[i * Dim + k]);
    }
    sweep([&](int i) { return bounds_of<Scalar, Dim>(of_[i], to_.lambda + i * Dim, p_.b + i * Dim); }, more_,
          clock);
    return true;
  }

  bool slips(int i) const {
    const Scalar* const c = to_.lambda + i * Dim;
    return slip_speed<Scalar, Dim>(c) > p_.mu[i] * c[0] * (1 - Scalar(kLeft));
  }

  // Takes theta of what restitution adds.
  void guard(bool bounded) {
    const Scalar* const after = more_ + n_;
    const Scalar q1 = dot(more_, after, n_), q2 = (dot(more_, to_.s, n_) - q1) / 2;
    Scalar room = -(dot(to_.lambda, p_.b, n_) + dot(to_.lambda, after, n_)) / 2;
    if (bounded) room = math::larger(std::min(room, allowed(after)), Scalar(0));
    Scalar theta = 1;
    if (q1 + q2 > room) {
      const Scalar root = std::sqrt(math::larger(q1 * q1 + 4 * q2 * room, Scalar(0)));
      theta = room > 0 && q1 + root > 0 ? 2 * room / (q1 + root) : Scalar(0);
      if (!(theta < 1)) theta = 1;
    }
    for (int r = 0; r < n_; ++r) {
      to_.lambda[r] = math::multiply_add(theta, more_[r], to_.lambda[r]);
      to_.s[r] = theta < 1 ? math::multiply_add(theta, to_.s[r] - after[r], after[r]) : to_.s[r];
    }
  }

  // What energetic points give back at most; of others, all of what they took.
  Scalar allowed(const Scalar* after) const {
    Scalar sum = 0;
    bool any = false;
    for (int i = 0; i < p_.elements; ++i) {
      const bool energetic = of_[i].law == ImpactLaw::energetic;
      const Scalar e = energetic ? of_[i].e : Scalar(1);
      any = any || energetic;
      sum += e * e * math::magnitude(to_.lambda[i * Dim] * (p_.b[i * Dim] + after[i * Dim]) / 2);
    }
    return any ? sum : std::numeric_limits<Scalar>::max();
  }

  const Problem<Scalar, Dim>& p_;
  const Rebound<Scalar>* of_;
  const guess::Arrays<Scalar, Dim>& to_;
  Scalar* more_;  // 2 n numbers
  int n_;
  Scalar unit_ = 0;
};

}  // namespace impact
}  // namespace tactus::contact
