// solve: the one problem of rows of an island. The last step's modes first; where they do not fit the path
// (path.hpp), which has a proof, and from what it finds the modes of the friction that was asked for.
#pragma once

#include "tactus/stepper/relaxed.hpp"
#include "tactus/stepper/torsion.hpp"

namespace tactus::stepper::detail {

template <class Scalar, int Dim, Capacity C, int kRows, class Path, Clock Time>
inline void solve_island(const IslandProblem<Scalar, Dim, C, kRows, Path>& at_hand,
                         const State<Scalar, Dim, C>& state, const Placed<Scalar, Dim, C>& placed,
                         Answer<Scalar, Dim, C>& answer, Time& clock) {
  using Island = IslandProblem<Scalar, Dim, C, kRows, Path>;
  contact::guess::Search<Scalar, kRows, Island::kParts> search(
      at_hand.problem, at_hand.friction, may_be_redundant(at_hand.m, at_hand.group, at_hand.rows),
      at_hand.arrays, joint_jitter(at_hand.m, placed));
  recall_plain(state, placed, at_hand.rows, at_hand.arrays.plain);
  contact::guess::Answer<Scalar> by;
  if (at_hand.m.method.modes_first)
    by = search.run([&](int i) { return state.mode[at_hand.group[i].slot]; }, clock);
  bool solved = by.found;
  answer.guessed = answer.guessed && solved;
  if constexpr (C.has(round_cone))
    if (!solved && at_hand.friction == contact::guess::Friction::relaxed &&
        at_hand.rows.plain == at_hand.rows.bilateral)
      solved = solve_relaxed(at_hand, search, by, answer, clock);
  if (!solved) follow_path(at_hand, search, by, answer, clock);
  answer.tried = by.tries > 0;
  if (!answer.cut) judge_island(at_hand, by, answer);
}

// The answer of an island, in the order of all elements.
template <class Scalar, int Dim, Capacity C>
inline void put_answer(const Group<Scalar, Dim, C>& group, const Rows<Scalar, Dim, C>& rows,
                       const SolveScratch<Scalar, Dim, C>& scratch, Answer<Scalar, Dim, C>& answer) {
  const Scalar *lambda = &scratch.lambda[at(rows.plain)], *s = &scratch.s[at(rows.plain)];
  for (int i = 0; i < group.elements; ++i) {
    Scalar* const to = &answer.lambda[group.index(i) * Dim];
    Scalar* const to_s = &answer.s[group.index(i) * Dim];
    for (int k = 0; k < Dim; ++k) {
      to[k] = *lambda++;
      to_s[k] = *s++;
    }
  }
}

// Calls f(island) with the problem of an island, with torsion in four rows an element.
template <class Scalar, int Dim, Capacity C, class F>
inline void with_problem(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed,
                         const Group<Scalar, Dim, C>& group, const Rows<Scalar, Dim, C>& rows,
                         SolveScratch<Scalar, Dim, C>& scratch, const F& f) {
  if constexpr (C.torsion) {
    if (m.ellipsoid.any()) {
      auto& work = scratch.torsion;
      const auto problem = couple_torsion(m, placed, group, rows, work);
      const contact::guess::Arrays<Scalar, 4> arrays{
          scratch.plain.data(), work.mode.data(),   work.row.data(), work.work.data(),
          work.system.data(),   work.lambda.data(), work.s.data(),   scratch.used.data()};
      return f(IslandProblem<Scalar, Dim, C, 4, std::remove_reference_t<decltype(work.path)>>{
          m, group, rows, problem, arrays, work.path, friction_of(m)});
    }
  }
  const auto problem = problem_of(rows, group.elements);
  const contact::guess::Arrays<Scalar, Dim> arrays{
      scratch.plain.data(),  scratch.mode.data(),   scratch.row.data(), scratch.work.data(),
      scratch.system.data(), scratch.lambda.data(), scratch.s.data(),   scratch.used.data()};
  f(IslandProblem<Scalar, Dim, C, Dim, PathScratch<Scalar, RowCount<Dim, C>::kAll>>{
      m, group, rows, problem, arrays, scratch.path, friction_of(m)});
}

template <Clock Time, class Scalar, int Dim, Capacity C>
inline void solve(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                  const Placed<Scalar, Dim, C>& placed, const Group<Scalar, Dim, C>& group,
                  const Rows<Scalar, Dim, C>& rows, SolveScratch<Scalar, Dim, C>& scratch,
                  Answer<Scalar, Dim, C>& answer, Time& clock) {
  if (rows.all == 0) return;
  with_problem(m, placed, group, rows, scratch,
               [&](const auto& at_hand) { solve_island(at_hand, state, placed, answer, clock); });
  if (answer.cut) return;
  if constexpr (C.torsion)
    if (m.ellipsoid.any()) take_torsion(m, group, rows, scratch, answer);
  put_answer(group, rows, scratch, answer);
}

// Whether the rows that were solved last contradict each other.
template <Clock Time, class Scalar, int Dim, Capacity C>
inline bool is_contradiction(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed,
                             const Group<Scalar, Dim, C>& group, const Rows<Scalar, Dim, C>& rows,
                             SolveScratch<Scalar, Dim, C>& scratch, Answer<Scalar, Dim, C>& answer,
                             Time& clock) {
  bool proved = false;
  with_problem(m, placed, group, rows, scratch,
               [&](const auto& at_hand) { proved = contradicts_itself(at_hand, answer, clock); });
  return proved;
}

}  // namespace tactus::stepper::detail
