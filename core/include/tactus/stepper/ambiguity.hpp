// Whether the first step of a state is ambiguous, or an impulse that nothing strikes, by every combination of
// modes of islands of up to four contact elements in the plane, without joints: rods after Painleve, a foot,
// a wedge, a box in a corner (Stewart 2000, 1.3).
//
//     const State before = state;
//     const auto report = step(model, state, workspace);
//     const Ambiguity seen = ambiguity(model, before, workspace);
//
// several: more than one motion obeys the laws of the step. impulse: contacts that are closed and slide at
// its start can neither go on to slide nor open nor come to rest by bounded forces: the laws have no answer
// for the accelerations, in the rows of the step and without its gaps, so what the step does is an impulse,
// however small h. An ordinary impact is none. sought: every island that has friction was small enough.
//
// A contact is closed within kClosedGap and kClosedSpeed, and slides from kSlideSpeed on.
//
// Cost: two PlaneAnswers an island, and its rows once more; nothing where it is not called. Memory: the
// stack. ws.rows is overwritten. Failure: none; where a clock ends it `sought` is false: four contacts that
// are redundant take longer than a small board has.
#pragma once

#include "tactus/contact/plane_answers.hpp"
#include "tactus/stepper/several.hpp"

namespace tactus::stepper {

struct Ambiguity {
  bool sought = true, several = false, impulse = false;
};

namespace detail {

template <class Scalar>
inline constexpr Scalar kClosedGap = Scalar(1e-6);  // m
template <class Scalar>
inline constexpr Scalar kClosedSpeed = Scalar(1e-3);  // m/s
template <class Scalar>
inline constexpr Scalar kSlideSpeed = sizeof(Scalar) == 8 ? Scalar(1e-6) : Scalar(1e-4);  // m/s

// An island's problem, and the same of accelerations (times h) of what is closed at the start.
template <class Scalar, Capacity C>
struct PlaneIsland {
  static constexpr int kMost = contact::PlaneAnswers<Scalar>::kMost, kRows = 2 * kMost;
  Scalar A[kRows * kRows], b[kRows], rate[kRows], mu[kMost], slip[kMost];
  bool slides[kMost];
  int closed = 0, sliding = 0;

  PlaneIsland(const Model<Scalar, 2, C>& m, const State<Scalar, 2, C>& state,
              const Workspace<Scalar, 2, C>& ws, const Group<Scalar, 2, C>& group) {
    int row[kRows];
    for (int i = 0; i < group.elements; ++i) {
      const auto now = approach(m, state, ws.placed, group[i]).now;
      const bool is_closed =
          !(group[i].gap > kClosedGap<Scalar>)&&!(math::magnitude(now[0]) > kClosedSpeed<Scalar>);
      if (!is_closed) continue;
      for (int k = 0; k < 2; ++k) {
        const int r = 2 * i + k;
        row[2 * closed + k] = r;
        rate[2 * closed + k] = ws.rows.b[at(r)] - now[k] - group.offset(i)[k];
      }
      mu[closed] = ws.rows.mu[at(i)];
      slip[closed] = now[1];
      slides[closed] = math::magnitude(now[1]) > kSlideSpeed<Scalar>;
      sliding += slides[closed] ? 1 : 0;
      ++closed;
    }
    for (int r = 0; r < 2 * closed; ++r)
      for (int c = 0; c < 2 * closed; ++c) A[r * kRows + c] = ws.rows.A[at(row[r] * ws.rows.all + row[c])];
  }
};

template <class Scalar, Capacity C, Clock Time>
inline void look_at_island(const Model<Scalar, 2, C>& m, const State<Scalar, 2, C>& state,
                           const Group<Scalar, 2, C>& group, Workspace<Scalar, 2, C>& ws, Ambiguity& out,
                           Time& clock) {
  using Answers = contact::PlaneAnswers<Scalar>;
  constexpr int kPlain = RowCount<2, C>::kPlain;
  if (!clock.go_on(Piece::couple, 2 * group.elements + kPlain, kPlain)) return;
  couple(m, state, ws.placed, ws.estimate, group, ws.rows);
  if (group.elements > Answers::kMost || ws.rows.plain > 0) {
    out.sought = false;
    return;
  }
  const auto& rows = ws.rows;
  const contact::Problem<Scalar, 2> step{group.elements, rows.A.data(), rows.all, rows.b.data(),
                                         rows.mu.data()};
  out.several = out.several || Answers(step, nullptr, nullptr).count(clock) > 1;
  const PlaneIsland<Scalar, C> island(m, state, ws, group);
  if (island.sliding == 0) return;
  const contact::Problem<Scalar, 2> instant{island.closed, island.A, island.kRows, island.rate, island.mu};
  const bool none = Answers(instant, island.slides, island.slip).count(clock) == 0;
  out.impulse = out.impulse || (none && clock.go_on(Piece::review, rows.all, group.elements));
}

}  // namespace detail

template <class Scalar, int Dim, Capacity C, Clock Time = const NoClock>
inline Ambiguity ambiguity(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& before,
                           Workspace<Scalar, Dim, C>& ws, Time& clock = kNoClock) {
  using namespace detail;
  Ambiguity out;
  if constexpr (C.has_rows()) {
    for (int i = 0; i < ws.found.islands; ++i) {
      const Group<Scalar, Dim, C> group(ws.found, ws.found.island[at(i)]);
      if (!has_friction(group)) continue;
      if constexpr (Dim == 2)
        look_at_island(m, before, group, ws, out, clock);
      else
        out.sought = false;
    }
  } else {
    out.sought = false;
  }
  out.sought = out.sought && clock.go_on(Piece::review, 1, 1);
  return out;
}

}  // namespace tactus::stepper
