// Modes first: the contact problem solved for a guess of every row's and element's mode, without an LCP.
//
// If it is known which elements are open, which tangential rows stick and which slip where, and on which
// piece of its staircase each plain row is, the complementarity is gone and one linear system is left
// (reduced.hpp). The last step's modes are nearly always this step's; where they are not, everything
// that breaks its law is given the mode it asks for and the system is solved again, at most kTries times, and
// never for modes that it has left. The answer stands only if every law of the original problem holds; else
// the caller takes the path, which has a proof. So this decides what a step costs, never what is an answer.
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
#include "tactus/contact/reduced.hpp"
#include "tactus/contact/review.hpp"

namespace tactus::contact {

namespace guess {

// Where modes are found at all they are found in few tries, and the path (lcp/rows) costs less than more of
// them: of 12,000 hard steps of an arm (finger_steps.hpp) 81 % are found within four, 90 % within six. With
// four the mean of the arm's random ticks is a tenth dearer, the dearest of 16,000 a twentieth cheaper
// (`tactus bench --board mps2-an386 --random 4000`, seeds 1 to 4).
inline constexpr int kTries = 6;
// After the path the modes are known, but a slip only to 45 degrees: Newton's step takes it to kAccepted in
// five tries in double and four in float, and several that turn each other in one to three more.
template <class Scalar>
inline constexpr int kTriesAfterPath = sizeof(Scalar) == 8 ? 8 : 5;
inline constexpr int kCorrections = 5;

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

template <class Scalar, int Dim, Parts kParts = Parts{}>
class Search : public Review<Scalar, Dim, kParts> {
 public:
  // slack_speed: see Review.
  Search(const Problem<Scalar, Dim>& problem, Friction friction, bool redundant,
         const Arrays<Scalar, Dim>& to, Scalar slack_speed = 0)
      : Base(problem, friction, to, slack_speed),
        redundant_(redundant),
        system_(problem, friction == Friction::relaxed, to.plain, to.mode, to.row, to.work, to.scratch) {}

  // recall(i): what element i did before. The modes of plain rows are those that to.plain has.
  template <class Recall, Clock Time>
  Answer<Scalar> run(const Recall& recall, Time& clock) {
    for (int j = 0; j < plain_rows(); ++j) to_.plain[j] = p_.staircase[j].first(to_.plain[j], p_.b[j]);
    for (int i = 0; i < p_.elements; ++i) first_guess(i, recall(i));
    return go_on(kTries, clock, true);
  }

  // From the modes as they are. once: none twice; where only directions are still sought modes may come back.
  template <Clock Time>
  Answer<Scalar> go_on(int tries, Time& clock, bool once = false) {
    Answer<Scalar> answer;
    plain_speed_ = 0;
    for (int j = 0; j < plain_rows(); ++j) plain_speed_ = math::larger(plain_speed_, plain_unit(j));
    std::uint32_t tried[kTries];
    while (answer.tries < tries && may_begin(clock, is_large() ? Piece::attempt : Piece::small)) {
      if (once && repeats(tried, answer.tries)) return answer;
      ++answer.tries;
      if (!solve(clock)) {
        if (answer.tries == 1 || stopped_ || !let_go_of_least()) return answer;
        continue;
      }
      if (is_large() && !may_begin(clock, Piece::review)) return answer;
      bool changed = false;
      typename Base::Excess excess;
      for (int j = 0; j < plain_rows(); ++j) changed = review_plain(j) || changed;
      for (int i = 0; i < p_.elements; ++i) changed = review(i, excess) || changed;
      // What the last try leaves may be good enough though it could be better.
      if (changed && answer.tries < tries) continue;
      if (!is_held()) return answer;
      answer.residual =
          changed ? natural_residual()
                  : std::max({solved_, share_of(excess.speed, speed_), share_of(excess.force, force_)});
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
  int rows() const { return plain_rows() + Dim * p_.elements; }
  // With more rows the clock is asked within a try, too.
  bool is_large() const { return rows() > 8; }
  template <Clock Time>
  bool may_begin(Time& clock, Piece piece) const {
    return clock.go_on(piece, rows(), Dim * p_.elements);
  }

  // Whether the modes are those of a try before the last one: the search goes round. After the last one
  // itself only directions have changed.
  bool repeats(std::uint32_t* tried, int tries) const {
    const std::uint32_t now = tried[tries] = this->pattern();
    bool found = false;
    for (int k = 0; k + 1 < tries; ++k) found = found || tried[k] == now;
    return found && tried[tries - 1] != now;
  }

  using Base = Review<Scalar, Dim, kParts>;
  using Base::first_guess;
  using Base::first_of;
  using Base::force_;
  using Base::let_go_of_least;
  using Base::natural_residual;
  using Base::p_;
  using Base::plain_rows;
  using Base::plain_speed_;
  using Base::plain_unit;
  using Base::review;
  using Base::review_plain;
  using Base::solved_;
  using Base::speed_;
  using Base::to_;
  using Base::trim;
  using Base::turned;

  // More rows may be held than can be. Then the forces that rho leaves are large, and show who gives way.
  bool is_held() const { return solved_ <= kAccepted<Scalar>; }
  // False where the system is singular, or the clock has ended it.
  template <Clock Time>
  [[gnu::hot]] bool solve(Time& clock) {
    if (!system_.factor(redundant_)) return false;
    speed_ = system_.speed();
    force_ = share_of(speed_, system_.diagonal());
    Scalar last = std::numeric_limits<Scalar>::infinity();
    if (plain_rows() > 0) {
      system_.start(to_.lambda, to_.s);
      system_.residual(to_.s, nullptr, speed_, plain_speed_);
    } else {
      system_.residual(p_.b, nullptr, speed_, plain_speed_);
    }
    for (int k = 0; k < kCorrections; ++k) {
      stopped_ = k > 0 && is_large() && !clock.go_on(Piece::refine, rows(), system_.size());
      if (stopped_) return false;
      system_.correct(k == 0, to_.lambda, to_.s);
      solved_ = system_.residual(to_.s, to_.lambda, speed_, plain_speed_);
      if (!(solved_ > kConverged<Scalar>) || !(solved_ < last / 2)) break;
      last = solved_;
    }
    return math::finite(solved_);
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

  bool redundant_, stopped_ = false;
  ReducedSystem<Scalar, Dim, kParts> system_;
};

}  // namespace guess
}  // namespace tactus::contact
