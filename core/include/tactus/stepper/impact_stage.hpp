// The impacts of one island in the order of time: see impacts.hpp. All of it by rows; bodies stay where they
// are.
#pragma once

#include <algorithm>

#include "tactus/stepper/impact_rows.hpp"
#include "tactus/stepper/solve.hpp"

namespace tactus::stepper::detail {

// Rounds of ImpactOrder::together, and those after the last impact in turn.
inline constexpr int kRounds = 8, kLastRounds = 4;
// Of h: what is nearer in time is at once.
inline constexpr double kAtOnce = 1e-4;
// Of the fastest that was hit in the step: two corners that strike in turn, ever faster and ever less, are at
// rest below it. It costs the square of it, of their energy.
inline constexpr double kNothing = 1e-6;

template <class Scalar, int Dim, Capacity C>
class ImpactStage {
 public:
  ImpactStage(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
              const Group<Scalar, Dim, C>& group, Workspace<Scalar, Dim, C>& ws)
      : m_(m), state_(state), group_(group), ws_(ws), rows_(ws.rows), of_(ws.impact) {
    couple(m, state, ws.placed, ws.estimate, group, rows_);
    begin_speeds();
    for (int i = 0; i < group.elements; ++i) {
      const auto& e = group[i];
      auto& c = of_.closing[at(closing_++)] = {e.gap, 0, static_cast<std::uint16_t>(row_of(i)), 1};
      // What joints make of the forces may be more than the forces.
      c.tolerance = normal_speed(m, state, ws.placed, e).tolerance;
      if (rows_.plain > 0) c.tolerance += math::magnitude(of_.pull[c.row]);
      if (!can_be_hit(m, e)) c.tolerance = std::numeric_limits<Scalar>::infinity();
    }
    add_stops();
  }

  // False where the clock ended it.
  template <Clock Time>
  bool run(Time& clock) {
    const bool in_turn = m_.method.impacts == ImpactOrder::in_turn;
    for (int most = in_turn ? 4 * closing_ + 8 : 0; most > 0; --most) {
      if (!clock.go_on(Piece::impact, rows_.all, closing_)) return false;
      const First first = first_to_hit();
      if (first.which < 0) return true;
      go_to(first.tau);
      hit_at_once_with(first, clock);
    }
    certified_ = certified_ && !in_turn;
    return run_together(in_turn ? kLastRounds : kRounds, clock);
  }

  int events() const { return events_; }
  Scalar speed() const { return fastest_; }  // of all that was hit
  bool certified() const { return certified_; }
  Scalar time() const { return t_; }                   // of the last
  Scalar pulled_late() const { return pulled_late_; }  // of f' in D

 private:
  struct First {
    int which = -1;  // of Closing
    Scalar tau = 0;
    bool driven = false;  // in by its friction
  };

  int row_of(int element) const { return rows_.plain + element * Dim; }
  Scalar A(int r, int c) const { return rows_.A[at(r * rows_.all + c)]; }
  Scalar speed(const Closing<Scalar>& c) const { return static_cast<Scalar>(c.sign) * of_.s[c.row]; }
  Scalar pull(const Closing<Scalar>& c) const { return static_cast<Scalar>(c.sign) * of_.pull[c.row]; }
  bool closes(const Closing<Scalar>& c) const {
    const Scalar still = math::larger(c.tolerance, Scalar(kNothing) * fastest_);
    return speed(c) < -still && goes_through(speed(c), pull(c), c.gap, m_.h - t_);
  }
  Scalar time_to(const Closing<Scalar>& c) const {
    return std::min(math::larger(c.gap, Scalar(0)) / -speed(c), m_.h - t_);
  }

  void begin_speeds() {
    const auto& placed = ws_.placed;
    const auto before = [&](std::uint8_t body) -> const auto& {
      return velocity_before(m_, state_, placed, body);
    };
    const auto free = [&](std::uint8_t body) -> const auto& {
      return placed.body[body].velocity;
    };
    if constexpr (C.arm_joints > 0) {
      row_speeds(m_, placed, group_, rows_, before, state_.arm.qd, of_.s.data());
      row_speeds(m_, placed, group_, rows_, free, placed.arm.speed, of_.pull.data());
    } else {
      row_speeds(m_, placed, group_, rows_, before, nullptr, of_.s.data());
      row_speeds(m_, placed, group_, rows_, free, nullptr, of_.pull.data());
    }
    for (int r = 0; r < rows_.all; ++r) of_.pull[at(r)] -= of_.s[at(r)];
    eliminate_held(rows_, of_.s.data(), of_.pull.data());
    for (int r = 0; r < rows_.all; ++r) {
      of_.s[at(r)] += of_.pull[at(r)] / 2;
      of_.late[at(r)] = of_.lambda[at(r)] = of_.late_lambda[at(r)] = 0;
    }
  }

  // A joint's way to its lower and to its upper stop.
  void add_stops() {
    if constexpr (C.arm_joints > 0) {
      for (int r = rows_.bilateral; r < rows_.first_mimic(); ++r) {
        const auto& law = rows_.staircase[at(r)];
        const Scalar tolerance = Scalar(1.01) * math::magnitude(of_.pull[at(r)]) +
                                 16 * std::numeric_limits<Scalar>::epsilon() * math::magnitude(of_.s[at(r)]);
        const auto row = static_cast<std::uint16_t>(r);
        if (math::finite(law.lower)) of_.closing[at(closing_++)] = {-m_.h * law.lower, tolerance, row, 1};
        if (math::finite(law.upper)) of_.closing[at(closing_++)] = {m_.h * law.upper, tolerance, row, -1};
      }
    }
  }

  // The one that hits first; of those at once the fastest.
  First first_to_hit() const {
    First first;
    const Scalar at_once = Scalar(kAtOnce) * m_.h;
    for (int i = 0; i < closing_; ++i) {
      const auto& c = of_.closing[at(i)];
      if (t_ == 0 && !c.hit && i < group_.elements && is_driven_in(i)) return {i, 0, true};
      if (!closes(c)) continue;
      const Scalar tau = time_to(c);
      const bool sooner = first.which < 0 || tau < first.tau - at_once ||
                          (tau < first.tau + at_once && speed(c) < speed(of_.closing[at(first.which)]));
      if (sooner) first = {i, tau, false};
    }
    return first;
  }

  // Whether friction drives a point that touches and slips into what it touches.
  bool is_driven_in(int i) const {
    const auto& c = of_.closing[at(i)];
    if (!(m_.contact[group_[i].contact].restitution > 0)) return false;
    if (!(math::magnitude(speed(c)) <= c.tolerance) || !(pull(c) < 0)) return false;
    if (!goes_through(speed(c), pull(c), c.gap, m_.h)) return false;
    Scalar along = 0;
    const Scalar slip = contact::slip_speed<Scalar, Dim>(&of_.s[c.row]);
    for (int k = 1; k < Dim; ++k) along -= A(c.row, c.row + k) * of_.s[at(c.row + k)];
    return slip > c.tolerance && slip * A(c.row, c.row) + group_.mu(i) * along <= 0;
  }

  void go_to(Scalar tau) {
    for (int i = 0; i < closing_; ++i) {
      auto& c = of_.closing[at(i)];
      c.gap = math::multiply_add(tau, speed(c), c.gap);
    }
    t_ += tau;
    const Scalar share = tau / m_.h, late = share * (t_ / m_.h);
    pulled_late_ += late;
    for (int r = rows_.bilateral; r < rows_.all; ++r) {
      of_.s[at(r)] = math::multiply_add(share, of_.pull[at(r)], of_.s[at(r)]);
      of_.late[at(r)] = math::multiply_add(late, of_.pull[at(r)], of_.late[at(r)]);
    }
  }

  // A force over h along a row.
  void apply(int row, Scalar lambda) {
    if (lambda == 0) return;
    const Scalar late = t_ / m_.h;
    of_.lambda[at(row)] += lambda;
    of_.late_lambda[at(row)] = math::multiply_add(late, lambda, of_.late_lambda[at(row)]);
    const Scalar* const column = &rows_.A[at(row * rows_.all)];  // A is symmetric
    for (int r = rows_.bilateral; r < rows_.all; ++r) {
      const Scalar change = column[r] * lambda;
      of_.s[at(r)] += change;
      of_.late[at(r)] = math::multiply_add(late, change, of_.late[at(r)]);
    }
  }

  // All points of its pair that touch; a stop alone.
  template <Clock Time>
  void hit_at_once_with(const First& first, Time& clock) {
    auto& c = of_.closing[at(first.which)];
    if (first.which >= group_.elements) {
      stop(c);
      return;
    }
    const auto& e = group_[first.which];
    const Scalar near =
        Scalar(kAtOnce) * m_.h * math::magnitude(speed(c)) + rounding_of(m_, ws_.placed, e.bodies);
    of_.points = 0;
    for (int i = 0; i < group_.elements; ++i)
      if (i == first.which || (group_[i].contact == e.contact && of_.closing[at(i)].gap <= near))
        of_.point[at(of_.points++)] = static_cast<std::uint8_t>(i);
    solve(first.driven, clock);
    if (clock.go_on(Piece::impact, rows_.all, closing_)) take();
  }

  void stop(Closing<Scalar>& c) {
    ++events_;
    c.hit = true;
    fastest_ = math::larger(fastest_, -speed(c));
    apply(c.row, -of_.s[c.row] / A(c.row, c.row));
  }

  // The impact of the points at hand, to scratch.lambda. A point at rest does not rebound, unless the impact
  // of its pair makes it close.
  template <Clock Time>
  void solve(bool driven, Time& clock) {
    ++events_;
    auto& scratch = ws_.scratch;
    contact::Problem<Scalar, Dim> p;
    p.elements = of_.points;
    p.stride = of_.points * Dim;
    p.A = scratch.path.A.data();
    p.b = scratch.path.b.data();
    p.mu = scratch.path.mu.data();
    for (int i = 0; i < of_.points; ++i) {
      const int element = of_.point[at(i)];
      const auto& c = of_.closing[at(element)];
      for (int k = 0; k < Dim; ++k) {
        for (int j = 0; j < p.stride; ++j)
          scratch.path.A[at((i * Dim + k) * p.stride + j)] =
              A(c.row + k, row_of(of_.point[at(j / Dim)]) + j % Dim);
        scratch.path.b[at(i * Dim + k)] = of_.s[at(c.row + k)];
      }
      if (driven && i == 0) scratch.path.b[0] = pull(c);
      scratch.path.mu[at(i)] = group_.mu(element);
      const auto& contact = m_.contact[group_[element].contact];
      of_.rebound[at(i)] = {contact.restitution,
                            contact.impact == ImpactLaw::of_scene ? m_.method.impact : contact.impact};
    }
    const contact::guess::Arrays<Scalar, Dim> arrays{
        scratch.plain.data(),  scratch.mode.data(),   scratch.row.data(), scratch.work.data(),
        scratch.system.data(), scratch.lambda.data(), scratch.s.data(),   scratch.used.data()};
    using Path = PathScratch<Scalar, RowCount<Dim, C>::kAll>;
    contact::impact::Impact<Scalar, Dim, IslandProblem<Scalar, Dim, C, Dim, Path>::kParts> impact(
        p, of_.rebound.data(), arrays, of_.more.data());
    certified_ = impact.solve(!driven, clock) && certified_;
  }

  // Gives the rows the impact at hand.
  void take() {
    for (int i = 0; i < of_.points; ++i) {
      const int element = of_.point[at(i)];
      auto& c = of_.closing[at(element)];
      c.hit = true;
      fastest_ = math::larger(fastest_, -speed(c));
      for (int k = 0; k < Dim; ++k) apply(row_of(element) + k, ws_.scratch.lambda[at(i * Dim + k)]);
    }
  }

  // All that closes with one solve, and all that this makes close, round by round.
  template <Clock Time>
  bool run_together(int rounds, Time& clock) {
    for (; rounds > 0; --rounds) {
      if (!clock.go_on(Piece::impact, rows_.all, closing_)) return false;
      const Scalar tau = gather();
      if (!(tau >= 0)) return true;
      go_to(tau);
      for (int i = group_.elements; i < closing_; ++i)
        if (closes(of_.closing[at(i)])) stop(of_.closing[at(i)]);
      if (of_.points == 0) continue;
      do {
        solve(false, clock);
        if (!clock.go_on(Piece::impact, rows_.all, closing_)) return false;
      } while (activate());
      take();
    }
    certified_ = certified_ && gather() < 0;
    return true;
  }

  // The points that close, and the time to the first of them or of the stops; below 0: nothing does.
  Scalar gather() {
    Scalar first = -1;
    of_.points = 0;
    for (int i = 0; i < closing_; ++i) {
      const auto& c = of_.closing[at(i)];
      if (!closes(c)) continue;
      const Scalar tau = time_to(c);
      first = first < 0 || tau < first ? tau : first;
      if (i < group_.elements) of_.point[at(of_.points++)] = static_cast<std::uint8_t>(i);
    }
    return first;
  }

  // Points at rest that the impact at hand makes close.
  bool activate() {
    const int before = of_.points;
    for (int i = 0; i < group_.elements; ++i) {
      const auto& c = of_.closing[at(i)];
      const auto* const first = of_.point.data();
      if (std::find(first, first + before, static_cast<std::uint8_t>(i)) != first + before) continue;
      if (!(speed(c) <= c.tolerance)) continue;
      Scalar after = of_.s[c.row];
      for (int j = 0; j < before * Dim; ++j)
        after = math::multiply_add(A(c.row, row_of(of_.point[at(j / Dim)]) + j % Dim),
                                   ws_.scratch.lambda[at(j)], after);
      if (after < -c.tolerance && goes_through(after, pull(c), c.gap, m_.h - t_))
        of_.point[at(of_.points++)] = static_cast<std::uint8_t>(i);
    }
    return of_.points > before;
  }

  const Model<Scalar, Dim, C>& m_;
  const State<Scalar, Dim, C>& state_;
  const Group<Scalar, Dim, C>& group_;
  Workspace<Scalar, Dim, C>& ws_;
  Rows<Scalar, Dim, C>& rows_;
  ImpactScratch<Scalar, Dim, C>& of_;
  int closing_ = 0, events_ = 0;
  Scalar t_ = 0, pulled_late_ = 0, fastest_ = 0;
  bool certified_ = true;
};

}  // namespace tactus::stepper::detail
