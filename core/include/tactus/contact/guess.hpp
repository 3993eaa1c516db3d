// Modes first: the contact problem solved for a guess of every element's mode, without an LCP.
//
// If it is known which elements are open, which tangential rows stick and which slip where, the
// complementarity is gone and one linear system is left (reduced.hpp). The last step's modes are nearly
// always this step's; where they are not, each row that breaks its law is given the mode it asks for and the
// system is solved again, at most kTries times. The answer stands only if every law of the original problem
// holds; else the caller takes the LCP. So this decides what a step costs, never what is an answer.
//
// Rigid redundant elements make the system singular but consistent. A diagonal rho and a few corrections with
// the residual of the unperturbed system give its solution of least norm: four corners share a weight evenly.
//
// Cost of a try: that of the system, at most kCorrections corrections. Memory: the system's.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "tactus/clock.hpp"
#include "tactus/contact/pyramid.hpp"
#include "tactus/contact/reduced.hpp"
#include "tactus/contact/remembered.hpp"

namespace tactus::contact {

namespace guess {

template <class Scalar>
inline constexpr int kTries = sizeof(Scalar) == 8 ? 24 : 8;
template <class Scalar>
inline constexpr int kTurns = sizeof(Scalar) == 8 ? 20 : 5;  // tries in which a pyramid is turned to the slip
// The try from which on friction may turn with the slip, where slips reverse. In double no try is so dear:
// there the axis that such friction keeps would let the frame decide which answer is found.
template <class Scalar>
inline constexpr int kCreeps = sizeof(Scalar) == 8 ? kTries<Scalar> + 1 : 3;
inline constexpr int kCorrections = 5;

// Relative limits, as those of the LCP's certificate.
template <class Scalar>
inline constexpr Scalar kAccepted = sizeof(Scalar) == 8 ? Scalar(1e-10) : Scalar(1e-5);

// The angle between friction and slip that is left alone.
template <class Scalar>
inline constexpr Scalar kAligned = sizeof(Scalar) == 8 ? Scalar(1e-12) : Scalar(2e-3);

template <class Scalar>
struct Answer {
  bool found = false;
  bool turned = true;  // every pyramid lies along its slip: the friction is the cone's
  int tries = 0;
  Scalar residual = 0;         // largest breach of any law, relative to the speeds and forces present
  Scalar least_force = 0;      // smallest lambda_n, N
  Scalar least_speed = 0;      // smallest s_n, m/s
  Scalar complementarity = 0;  // largest |lambda_n s_n|, W
  Scalar speed = 0;            // what speeds were measured by, the largest |b| of closed elements, m/s
  Scalar mobility = 0;         // and speeds against forces, the largest A_nn of these, (m/s)/N
};

template <class Scalar, int Dim>
class Search {
 public:
  using Mode = ElementMode<Scalar, Dim>;
  static constexpr int kTangents = Dim - 1;

  // facets 0: the box; the plane is a box whatever is asked. `mode`, `row`, `work` and `scratch` are
  // those of the reduced system.
  Search(const Problem<Scalar, Dim>& problem, int facets, bool redundant, Mode* mode, std::int16_t* row,
         Scalar* work, Scalar* scratch, Scalar* lambda, Scalar* s, Scalar* used)
      : p_(problem),
        facets_(Dim == 2 ? 0 : facets),
        redundant_(redundant),
        mode_(mode),
        system_(problem, mode, row, work, scratch),
        lambda_(lambda),
        s_(s),
        used_(used) {}

  template <class Recall, Clock Time = const NoClock>
  Answer<Scalar> run(const Recall& recall, Time& clock = kNoClock) {
    Answer<Scalar> answer;
    for (int i = 0; i < p_.elements; ++i) first_guess(i, recall(i));
    for (try_ = 1; try_ <= kTries<Scalar> && clock.go_on(); ++try_) {
      answer.tries = try_;
      if (!solve()) return answer;
      bool changed = false;
      Excess excess;
      for (int i = 0; i < p_.elements; ++i) changed = review(i, excess) || changed;
      if (changed) continue;
      answer.residual = std::max(solved_, share(excess.speed, speed_));
      answer.residual = std::max(answer.residual, share(excess.force, force_));
      answer.found = answer.residual <= kAccepted<Scalar>;
      answer.turned = Dim == 2 || try_ < kTurns<Scalar> || reverses_;
      break;
    }
    if (answer.found) measure(answer);
    return answer;
  }

 private:
  Scalar a(int i, int j) const { return p_.A[i * p_.stride + j]; }
  void bind(int i, int k, Scalar g) {
    Mode& m = mode_[i];
    m.bound[k] = true;
    m.g[k] = g;
    m.pull[k] = p_.mu[i] * g;
  }
  void bind(int i, Direction<Scalar> d) {
    bind(i, 0, d.t);
    if constexpr (Dim == 3) bind(i, 1, d.o);
  }
  void free(Mode& m, int k) {
    m.bound[k] = false;
    m.pull[k] = 0;
  }
  void free(Mode& m) {
    for (int k = 0; k < kTangents; ++k) free(m, k);
    if constexpr (Dim == 3) m.give = 0;
  }

  // An element that was closed is, and so is one that the free motion would press in: where contacts are
  // redundant, who was open there last was chance.
  void first_guess(int i, Remembered was) {
    Mode& m = mode_[i];
    free(m);
    const int n = i * Dim;
    const bool known = was.normal() == Remembered::closed;
    m.closed = known || p_.b[n] < 0;
    if (!m.closed) return;
    if (facets_ > 0) {
      const Scalar t = p_.b[n + 1], o = p_.b[n + kTangents];
      if (known ? was.tangent(0) == Remembered::sticks : !slips(i, t, o)) return;
      const Scalar size = std::sqrt(t * t + o * o);
      bind(i, size > 0 ? Direction<Scalar>{-t / size, -o / size} : Direction<Scalar>{Scalar(-1), Scalar(0)});
      return;
    }
    for (int k = 0; k < kTangents; ++k) {
      const Scalar slip = p_.b[n + 1 + k];
      if (known && was.tangent(k) != Remembered::sticks)
        bind(i, k, was.tangent(k) == Remembered::pulls_up ? Scalar(1) : Scalar(-1));
      else if (!known && slips(i, slip, 0))
        bind(i, k, slip > 0 ? Scalar(-1) : Scalar(1));
    }
  }

  // Friction cannot stop the free slip, this element by itself: mu |b_n| / A_nn against |b_T| / A_TT.
  bool slips(int i, Scalar t, Scalar o) const {
    const int n = i * Dim;
    Scalar along = a(n + 1, n + 1);
    if constexpr (Dim == 3) along = (along + a(n + 2, n + 2)) / 2;  // whichever way t points
    const Scalar stopped = p_.mu[i] * p_.b[n] * along / a(n, n);
    return t * t + o * o > stopped * stopped;
  }

  [[gnu::hot]] bool solve() {
    if (!system_.factor(redundant_)) return false;
    speed_ = system_.speed();
    force_ = share(speed_, system_.diagonal());
    Scalar last = std::numeric_limits<Scalar>::infinity();
    system_.residual(p_.b);
    for (int k = 0; k < kCorrections; ++k) {
      system_.correct(k == 0, lambda_, s_);
      solved_ = share(system_.residual(s_, lambda_), speed_);
      if (!(solved_ > kConverged<Scalar>) || !(solved_ < last / 2)) break;
      last = solved_;
    }
    return solved_ <= kAccepted<Scalar>;
  }

  // Where the unit is 0, so is what is measured, or the guess is as good as wrong.
  static Scalar share(Scalar x, Scalar unit) { return unit > 0 ? x / unit : x; }

  // The largest breaches of the laws.
  struct Excess {
    Scalar force = 0, speed = 0;
    void of_force(Scalar x) { force = math::larger(force, x); }
    void of_speed(Scalar x) { speed = math::larger(speed, x); }
  };

  // Holds element i against the law; a breach changes its mode and returns true.
  [[gnu::always_inline]] bool review(int i, Excess& excess) {
    Mode& m = mode_[i];
    const int n = i * Dim;
    const Scalar slack_speed = kAccepted<Scalar> * speed_;
    if (!m.closed) {
      used_[i] = 0;
      if (s_[n] < -slack_speed) {
        m.closed = true;
        free(m);
        return true;
      }
      excess.of_speed(-s_[n]);
      return false;
    }
    const Scalar slack = kAccepted<Scalar> * force_;
    if (lambda_[n] < -slack) {
      m.closed = false;
      free(m);
      return true;
    }
    excess.of_force(-lambda_[n]);
    const Scalar limit = p_.mu[i] * std::max(lambda_[n], Scalar(0));
    if constexpr (Dim == 3)
      if (facets_ > 0) return review_facets(i, limit, slack, slack_speed, excess);
    return review_box(i, limit, slack, slack_speed, excess);
  }

  bool review_box(int i, Scalar limit, Scalar slack, Scalar slack_speed, Excess& excess) {
    Mode& m = mode_[i];
    bool changed = false;
    Scalar used = 0;
    for (int k = 0; k < kTangents; ++k) {
      const Scalar force = lambda_[i * Dim + 1 + k], slip = s_[i * Dim + 1 + k];
      used = math::larger(used, math::magnitude(force));
      if (!m.bound[k]) {
        if (std::abs(force) > limit + slack) {
          bind(i, k, force > 0 ? Scalar(1) : Scalar(-1));
          changed = true;
        }
      } else if (slip * m.g[k] > slack_speed) {
        free(m, k);
        changed = true;
      }
      if (changed) continue;
      excess.of_force(std::abs(force) - limit);
      if (m.bound[k]) excess.of_speed(slip * m.g[k]);
    }
    used_[i] = used;
    return changed;
  }

  // The element's pyramid is turned so that a corner lies along its friction force; there it is the cone. It
  // is turned until the force opposes the slip; after the first tries a slip within half the angle between
  // two corners will do, but where slips reverse.
  bool review_facets(int i, Scalar limit, Scalar slack, Scalar slack_speed, Excess& excess) {
    Mode& m = mode_[i];
    const Scalar* const f = lambda_ + i * Dim + 1;
    const Scalar* const s = s_ + i * Dim + 1;
    const bool creeps = m.give > 0;
    const Scalar force = m.bound[0] && m.bound[1] ? limit : std::sqrt(f[0] * f[0] + f[1] * f[1]);
    used_[i] = force;
    if (!m.bound[0] && !m.bound[1]) {
      if (force > limit + slack)
        return slide(i, {f[0] / force, f[1] / force}, mobility(i) * (force - limit), limit);
      excess.of_force(force - limit);
      return false;
    }
    if (!(limit > 0)) {  // no friction, or friction without a normal force
      if (creeps && force > slack) {
        m.give = 0;
        bind(i, {m.g[0], m.g[1]});
        return true;
      }
      excess.of_force(force);
      return false;
    }
    const Scalar g = creeps ? f[0] / force : m.g[0], h = creeps ? f[1] / force : m.g[1];
    const Scalar along = -(g * s[0] + h * s[1]);
    if (along < -slack_speed) {
      free(m);
      return reverses_ = true;
    }
    const Scalar slip = std::sqrt(s[0] * s[0] + s[1] * s[1]), across = std::abs(g * s[1] - h * s[0]);
    const bool turns = try_ < kTurns<Scalar> || reverses_ ? across > kAligned<Scalar> * slip + slack_speed
                                                          : along + slack_speed < slip * corner_cosine();
    if (turns || (creeps && std::abs(force - limit) > slack)) {
      // Where the friction has turned with the slip, that is near enough.
      if (creeps && slip > slack_speed) return slide(i, {-s[0] / slip, -s[1] / slip}, slip, limit);
      return turn(i, {g, h}, force, along, limit);
    }
    excess.of_speed(-along);
    if (creeps) excess.of_force(force - limit);
    return false;
  }

  // Turns the friction of an element to where it would oppose the slip, all other forces as they are: where r
  // = g x s_T is zero. Turning g by an angle moves the normal force, which holds s_n, and so the slip:
  //
  //   g' = (-g_o, g_t),  lambda_n' = -lambda_n mu A_nT g' / (A_nn + mu A_nT g),
  //   s_T' = lambda_n' (A_Tn + mu A_TT g) + lambda_n mu A_TT g',  r' = g' x s_T + g x s_T'
  //
  // Newton's step is taken where it is a small one. Elsewhere the friction goes against what the slip would
  // be without it.
  bool turn(int i, Direction<Scalar> g, Scalar force, Scalar along, Scalar limit) {
    const int n = i * Dim, t = n + 1, o = t + 1;
    const Direction<Scalar> side{-g.o, g.t};
    const auto pulled = [&](int row, const Direction<Scalar>& d) {
      return a(row, t) * d.t + a(row, o) * d.o;
    };
    const Scalar mu = p_.mu[i], hold = a(n, n) + mu * pulled(n, g);
    const Scalar rate = -limit * pulled(n, side) / hold;  // lambda_n'
    const Scalar s_t = rate * (a(t, n) + mu * pulled(t, g)) + limit * pulled(t, side);
    const Scalar s_o = rate * (a(o, n) + mu * pulled(o, g)) + limit * pulled(o, side);
    const Scalar r = g.t * s_[o] - g.o * s_[t], slope = along + g.t * s_o - g.o * s_t;
    const bool ready = kCreeps<Scalar> > kTries<Scalar> || (try_ > 1 && !reverses_);
    const bool small = ready && hold > 0 && mode_[i].give == 0 && std::abs(r) < slope / 2;
    const Scalar own = mobility(i) * force, angle = -r / slope;
    const Direction<Scalar> d = small ? Direction<Scalar>{g.t + angle * side.t, g.o + angle * side.o}
                                      : Direction<Scalar>{own * g.t - s_[t], own * g.o - s_[o]};
    const Scalar size = std::sqrt(d.t * d.t + d.o * d.o);
    return slide(i, {d.t / size, d.o / size}, small ? along : size - own, limit);
  }

  // cos(pi / facets)
  Scalar corner_cosine() const { return 1 - facet_error<Scalar>(facets_); }

  // Of an element by itself, along its tangents.
  Scalar mobility(int i) const {
    const int t = i * Dim + 1;
    return (a(t, t) + a(t + 1, t + 1)) / 2;
  }

  // Has the element slip with about `speed`, its friction along g. A body that hardly moves turns about as
  // soon as friction is off its slip by little, and back. So after the first tries the friction may turn with
  // the slip v: along the axis that is nearer to the slip it is mu lambda_n g still, along the other one
  // limit v_k / |v|, which is a row with the give |v| / limit.
  bool slide(int i, Direction<Scalar> g, Scalar speed, Scalar limit) {
    Mode& m = mode_[i];
    m.give = 0;
    bind(i, g);
    if (reverses_ && try_ >= kCreeps<Scalar> && speed > 0) {
      free(m, std::abs(g.t) < std::abs(g.o) ? 0 : 1);
      m.give = speed / limit;
    }
    return true;
  }

  void measure(Answer<Scalar>& answer) const {
    answer.speed = speed_;
    answer.mobility = system_.diagonal();
    for (int i = 0; i < p_.elements; ++i) {
      const Scalar force = lambda_[i * Dim], speed = s_[i * Dim];
      answer.least_force = i == 0 ? force : std::min(answer.least_force, force);
      answer.least_speed = i == 0 ? speed : std::min(answer.least_speed, speed);
      answer.complementarity = std::max(answer.complementarity, std::abs(force * speed));
    }
  }

  const Problem<Scalar, Dim>& p_;
  int facets_;
  bool redundant_;
  Mode* mode_;
  ReducedSystem<Scalar, Dim> system_;
  Scalar* lambda_;
  Scalar* s_;
  Scalar* used_;
  int try_ = 0;
  Scalar speed_ = 0, force_ = 0;  // the units of the review
  bool reverses_ = false;         // some element slipped against its friction
  Scalar solved_ = 0;
};

}  // namespace guess
}  // namespace tactus::contact
