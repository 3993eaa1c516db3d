// Modes first: the contact problem solved for a guess of every row's and element's mode, without an LCP.
//
// If it is known which elements are open, which tangential rows stick and which slip where, and on which
// piece of its staircase each plain row is, the complementarity is gone and one linear system is left
// (reduced.hpp). The last step's modes are nearly always this step's; where they are not, everything
// that breaks its law is given the mode it asks for and the system is solved again, at most kTries times. The
// answer stands only if every law of the original problem holds; else the caller takes the path, which has a
// proof. So this decides what a step costs, never what is an answer.
//
// In space friction opposes the slip whatever t and o are: each further try takes Newton's step of the
// direction along with it (reduced.hpp), so the digits of the angle double from try to try.
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
#include "tactus/contact/residual.hpp"

namespace tactus::contact {

namespace guess {

// Where modes are found at all they are found in few tries, and the path (lcp/rows) costs less than more of
// them: of 12,000 hard steps of an arm (finger_steps.hpp) 81 % are found within four, 90 % within six, and
// four or five cost more in paths than they save.
inline constexpr int kTries = 6;
// After the path the modes are known, but a slip only to 45 degrees: Newton's step takes it to kAccepted in
// five tries in double and four in float, and several that turn each other in one to three more.
template <class Scalar>
inline constexpr int kTriesAfterPath = sizeof(Scalar) == 8 ? 8 : 5;
inline constexpr int kCorrections = 5;

// Relative limits, as those of the certificate.
template <class Scalar>
inline constexpr Scalar kAccepted = sizeof(Scalar) == 8 ? Scalar(1e-10) : Scalar(1e-5);

// The same of what Newton's step of a direction could still make better: its next try would be exact.
template <class Scalar>
inline constexpr Scalar kTurned = sizeof(Scalar) == 8 ? Scalar(1e-13) : kAccepted<Scalar>;

// The angle between friction and slip that is left alone.
template <class Scalar>
inline constexpr Scalar kAligned = sizeof(Scalar) == 8 ? Scalar(1e-12) : Scalar(2e-3);

template <class Scalar>
struct Answer {
  bool found = false;
  int tries = 0;
  Scalar residual = 0;         // largest breach of any law, relative to the speeds and forces present
  Scalar least_force = 0;      // smallest lambda_n, N
  Scalar least_speed = 0;      // smallest s_n, m/s
  Scalar complementarity = 0;  // largest |lambda_n s_n|, W
  Scalar speed = 0;            // what speeds were measured by, the largest |b| of closed elements, m/s
  Scalar mobility = 0;         // and speeds against forces, the largest A_nn of these, (m/s)/N
};

// The caller's arrays. One an element: mode, used. One a plain row: plain. One a row: row, work, lambda, s,
// three of row and work at least. scratch: the square of the unknown rows.
template <class Scalar, int Dim>
struct Arrays {
  RowMode* plain;
  ElementMode<Scalar, Dim>* mode;
  std::int16_t* row;
  Scalar *work, *scratch, *lambda, *s, *used;
};

// What friction a search is for.
enum class Friction : std::uint8_t {
  box,     // each tangential row bounded by itself; in the plane it is all there is
  round,   // it opposes the slip
  relaxed  // the same, and what slips is held at s_n = mu |s_T| (Negrut 2017 (5d))
};

template <class Scalar, int Dim, Parts kParts = Parts{}>
class Search {
 public:
  using Mode = ElementMode<Scalar, Dim>;
  static constexpr int kTangents = Dim - 1;

  // slack_speed: what the speed of a plain row may be off by, as a gap is by rounding, m/s or rad/s.
  Search(const Problem<Scalar, Dim>& problem, Friction friction, bool redundant,
         const Arrays<Scalar, Dim>& to, Scalar slack_speed = 0)
      : p_(problem),
        round_(friction == Friction::relaxed || (Dim > 2 && friction != Friction::box)),
        relaxed_(friction == Friction::relaxed),
        redundant_(redundant),
        to_(to),
        system_(problem, relaxed_, to.plain, to.mode, to.row, to.work, to.scratch),
        slack_(slack_speed) {}

  // recall(i): what element i did before. The modes of plain rows are those that to.plain has.
  template <class Recall, Clock Time>
  Answer<Scalar> run(const Recall& recall, Time& clock) {
    for (int j = 0; j < plain_rows(); ++j) to_.plain[j] = p_.staircase[j].first(to_.plain[j], p_.b[j]);
    for (int i = 0; i < p_.elements; ++i) first_guess(i, recall(i));
    return go_on(kTries, clock);
  }

  // The mode of element i from forces and speeds that another solver has left in lambda and s; `bound`: which
  // of its tangential forces are all that their rows may take.
  void take(int i, bool closed, const bool (&bound)[kTangents]) {
    Mode& m = to_.mode[i];
    free(m);
    m.closed = closed;
    const Scalar* const f = to_.lambda + first_of(i);
    const Scalar* const s = to_.s + first_of(i);
    bool slips = false;
    for (int k = 0; k < kTangents; ++k) {
      slips = slips || (closed && bound[k]);
      if (closed && bound[k] && !round()) bind(i, k, f[1 + k] > 0 ? Scalar(1) : Scalar(-1));
    }
    if (!slips || !round()) return;
    // At its limit and at rest: rounding has no direction.
    const Scalar* const b = p_.b + first_of(i);
    const Scalar rest = kAccepted<Scalar> * math::larger(math::magnitude(b[0]), length(b + 1));
    if (length(s + 1) <= rest && length(f + 1) > 0) return slide(i, f + 1, length(f + 1));
    slide_against(i, s);
    const Scalar limit = p_.mu[i] * f[0];
    if (limit > 0) m.turn_with(length(s + 1) / limit);
  }

  // From the modes as they are.
  template <Clock Time>
  Answer<Scalar> go_on(int tries, Time& clock) {
    Answer<Scalar> answer;
    plain_speed_ = 0;
    for (int j = 0; j < plain_rows(); ++j) plain_speed_ = math::larger(plain_speed_, plain_unit(j));
    while (answer.tries < tries && clock.go_on()) {
      ++answer.tries;
      if (!solve()) {
        if (answer.tries == 1 || !let_go_of_least()) return answer;
        continue;
      }
      bool changed = false;
      Excess excess;
      for (int j = 0; j < plain_rows(); ++j) changed = review_plain(j) || changed;
      for (int i = 0; i < p_.elements; ++i) changed = review(i, excess) || changed;
      // What the last try leaves may be good enough though it could be better.
      if (changed && answer.tries < tries) continue;
      if (!is_held()) return answer;
      answer.residual =
          changed
              ? natural_residual()
              : std::max({solved_, system_.share(excess.speed, speed_), system_.share(excess.force, force_)});
      answer.found = answer.residual <= (changed ? turned() : kAccepted<Scalar>);
      break;
    }
    if (answer.found) {
      for (int i = 0; i < p_.elements; ++i) trim(i);
      measure(answer);
    }
    return answer;
  }

 private:
  int plain_rows() const { return kParts.plain ? p_.plain : 0; }
  int first_of(int element) const { return plain_rows() + Dim * element; }
  bool round() const { return (Dim > 2 || kParts.relaxed) && round_; }
  bool relaxed() const { return kParts.relaxed && relaxed_; }
  Scalar a(int i, int j) const { return p_.A[i * p_.stride + j]; }
  void bind(int i, int k, Scalar g) {
    Mode& m = to_.mode[i];
    m.bound[k] = true;
    m.g[k] = g;
    m.pull[k] = p_.mu[i] * g;
  }
  // Friction along x, of any length but 0; it may turn where `give` is not kFixed.
  void slide(int i, const Scalar* x, Scalar size, Scalar give = Mode::kFixed) {
    Mode& m = to_.mode[i];
    for (int k = 0; k < kTangents; ++k) bind(i, k, x[k] / size);
    m.give = Mode::kFixed;
    if (p_.mu[i] > 0 && give >= 0) m.turn_with(give);
  }
  static Scalar length(const Scalar* x) {
    Scalar sum = x[0] * x[0];
    for (int k = 1; k < kTangents; ++k) sum += x[k] * x[k];
    return std::sqrt(sum);
  }
  static Scalar product(const Scalar* x, const Scalar* y) {
    Scalar sum = x[0] * y[0];
    for (int k = 1; k < kTangents; ++k) sum += x[k] * y[k];
    return sum;
  }
  void free(Mode& m) {
    for (int k = 0; k < kTangents; ++k) {
      m.bound[k] = false;
      m.pull[k] = 0;
    }
    m.give = Mode::kFixed;
  }

  // An element that was closed is, and so is one that the free motion would press in, unless others have
  // lifted it last: where contacts are redundant, who was open there at rest was chance.
  void first_guess(int i, Remembered was) {
    Mode& m = to_.mode[i];
    free(m);
    const Scalar* const b = p_.b + first_of(i);
    const bool known = was.normal() == Remembered::closed;
    m.closed = known || (b[0] < 0 && was.normal() != Remembered::lifted);
    if (!m.closed) return;
    if (!known) return close(i, b);
    if (round()) {
      if (was.tangent(0) != Remembered::sticks) slide_again(i, was, b);
      return;
    }
    for (int k = 0; k < kTangents; ++k)
      if (was.tangent(k) != Remembered::sticks)
        bind(i, k, was.tangent(k) == Remembered::pulls_up ? Scalar(1) : Scalar(-1));
  }

  // Closes an element with the mode that the speeds s (n, t (, o)) ask for.
  void close(int i, const Scalar* s) {
    Mode& m = to_.mode[i];
    m.closed = true;
    free(m);
    if (round()) {
      if (slips(i, s[0], length(s + 1))) slide_against(i, s);
      return;
    }
    for (int k = 0; k < kTangents; ++k)
      if (slips(i, s[0], s[1 + k])) bind(i, k, s[1 + k] > 0 ? Scalar(-1) : Scalar(1));
  }

  // Friction as it was, or if that is not known against the speeds s.
  void slide_again(int i, Remembered was, const Scalar* s) {
    if constexpr (Dim == 3) {
      Scalar g[2];
      if (was.read_direction(s + 1, g)) {
        const Scalar size = length(g);
        if (size > 0) return slide(i, g, size);
      }
    }
    slide_against(i, s);
  }

  // Friction against the speeds s.
  void slide_against(int i, const Scalar* s) {
    Scalar x[kTangents];
    for (int k = 0; k < kTangents; ++k) x[k] = -s[1 + k];
    const Scalar size = length(x);
    if (!(size > 0)) x[0] = -1;
    slide(i, x, size > 0 ? size : Scalar(1));
  }

  // Friction cannot stop the slip, this element by itself: mu |s_n| / A_nn against |s_T| / A_TT. (Where the
  // relaxed law closes one that opens, s_n > 0, it slips.)
  bool slips(int i, Scalar n, Scalar slip) const {
    const int r = first_of(i);
    return (relaxed() && n > 0) || std::abs(slip) * a(r, r) > p_.mu[i] * std::abs(n) * mobility(i);
  }

  // Of an element by itself, along its tangents, whichever way t points.
  Scalar mobility(int i) const {
    const int t = first_of(i) + 1;
    Scalar sum = a(t, t);
    for (int k = 1; k < kTangents; ++k) sum += a(t + k, t + k);
    return kTangents == 1 ? sum : sum / kTangents;
  }

  // Friction along its slip would wedge an element: rather those open, of them that slip, that pressed least
  // in the last try. False where there is none.
  bool let_go_of_least() {
    Scalar least = std::numeric_limits<Scalar>::infinity();
    const auto slips = [this](int i) { return to_.mode[i].closed && to_.mode[i].bound[0]; };
    for (int i = 0; i < p_.elements; ++i)
      if (slips(i)) least = std::min(least, to_.lambda[first_of(i)]);
    if (!math::finite(least)) return false;
    for (int i = 0; i < p_.elements; ++i) {
      if (!slips(i) || to_.lambda[first_of(i)] > 2 * least) continue;
      to_.mode[i].closed = false;
      free(to_.mode[i]);
    }
    return true;
  }

  // What a plain row would move by in the step: a row that sticks has no other speed to be measured by.
  Scalar plain_unit(int j) const {
    const Scalar f = p_.staircase[j].friction, stopped = f < Staircase<Scalar>::kNever ? a(j, j) * f : 0;
    return math::larger(math::magnitude(p_.b[j]), stopped);
  }

  // More rows may be held than can be. Then the forces that rho leaves are large, and show who gives way.
  bool is_held() const { return solved_ <= kAccepted<Scalar>; }
  // No direction is known better than the system is solved.
  Scalar turned() const {
    const Scalar solved = 4 * solved_ < kAccepted<Scalar> ? 4 * solved_ : kAccepted<Scalar>;
    return math::larger(kTurned<Scalar>, solved);
  }

  // False where the system is singular.
  [[gnu::hot]] bool solve() {
    if (!system_.factor(redundant_)) return false;
    speed_ = system_.speed();
    force_ = system_.share(speed_, system_.diagonal());
    Scalar last = std::numeric_limits<Scalar>::infinity();
    if (plain_rows() > 0) {
      system_.start(to_.lambda, to_.s);
      system_.residual(to_.s, nullptr, speed_, plain_speed_);
    } else {
      system_.residual(p_.b, nullptr, speed_, plain_speed_);
    }
    for (int k = 0; k < kCorrections; ++k) {
      system_.correct(k == 0, to_.lambda, to_.s);
      solved_ = system_.residual(to_.s, to_.lambda, speed_, plain_speed_);
      if (!(solved_ > kConverged<Scalar>) || !(solved_ < last / 2)) break;
      last = solved_;
    }
    return math::finite(solved_);
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
      if (to_.s[n] - lift < -slack_speed) return close(i, to_.s + n), true;
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
      contacts = worst(contacts, system_.share(off, math::larger(speed_, math::magnitude(p_.b[n]))));
    }
    return worst(worst(solved_, contacts), system_.share(plain, plain_speed_));
  }

  void measure(Answer<Scalar>& answer) const {
    answer.speed = speed_;
    answer.mobility = system_.diagonal();
    for (int i = 0; i < p_.elements; ++i) {
      const Scalar force = to_.lambda[first_of(i)], speed = to_.s[first_of(i)];
      answer.least_force = i == 0 ? force : std::min(answer.least_force, force);
      answer.least_speed = i == 0 ? speed : std::min(answer.least_speed, speed);
      answer.complementarity = std::max(answer.complementarity, math::magnitude(force * speed));
    }
  }

  const Problem<Scalar, Dim>& p_;
  bool round_, relaxed_, redundant_;
  Arrays<Scalar, Dim> to_;
  ReducedSystem<Scalar, Dim, kParts> system_;
  Scalar slack_;
  Scalar speed_ = 0, force_ = 0, plain_speed_ = 0;  // the units of the review
  Scalar solved_ = 0;
};

}  // namespace guess
}  // namespace tactus::contact
