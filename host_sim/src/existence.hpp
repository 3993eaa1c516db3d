// Whether a contact problem must have a solution, and only one: the conditions of the papers, each checked
// for the problem at hand, with the forces that violate it.
//
//     N    the forces with A c = 0: they press bodies against each other and move nothing
//     F    the forces within friction: c_n >= 0, |c_T| <= mu c_n, by the pyramid each tangent by itself
//
//     (15) Song 2004          no c in N with c_n >= 0 but zero, c_T free
//     (20) Song 2004          the same with c_T within friction, where it rolls, and none where it slides
//     (36) Pang-Trinkle 1996  c_T = 0, c in N, c_n >= 0: b.c >= 0. Where it is violated nothing solves the
//     problem,
//                             whatever friction does: c_n . a_n = b_n . c_n < 0
//     (35)                    c in N and F: b.c >= 0. Then all that roll have a solution, Theorems 5 and 6
//     (49)                    the same with v_T . c_T <= 0 where it slides: then (46) and (47), the relaxed
//                             problem, have one
//     mu-bar                  below it there is one solution and no other; Song's Theorem 2 says that there
//     is such
//                             a number, here is one. Of two solutions with the difference d, a_d = A d:
//                             friction gives d.a_d <= mu |d_n| |a_dT|, and with d.a_d = e^2, |d_n| <= e
//                             sqrt(l((A^-1)_nn)) and |a_dT| <= e sqrt(l(A_TT)), l the largest eigenvalue. So
//                                 mu-bar = 1 / sqrt(l((A^-1)_nn) l(A_TT)),
//                             by the pyramid in space less by sqrt 2, for two tangents are bounded each by
//                             itself
//     copositive              c . Q c > 0 for every c in F that slides where it slides, Q = A without the
//     rows of
//                             tangents that slide. A solution of any load, for those of (1 - t) I + t A, 0 <=
//                             t <= 1, are bounded together, and at t = 0 there is one of degree 1. For one
//                             contact that slides along d it is Erdmann's A_nn - mu A_nT . d > 0: its
//                             friction cannot push it in
//
// A joint that rubs (tactus/stepper/instant_problem.hpp) holds no more than its own friction: it gives a_d no
// work and no force that grows, so mu-bar and copositive leave it out.
//
// By the round cone (35), (20) and (49) are checked with polygons about it, cut where their violating force
// lies outside; copositive with the square about it. A `holds` is a contradiction that was checked on the
// numbers of N, a `violated` has its forces; what is neither is undecided, and guarantees nothing. An
// eigenvalue of A between 1e-13 and 1e-10 of the largest leaves N undecided.
//
// Cost: a condition is one set of linear inequalities of 2 dim N unknowns, by the cone up to kMostCuts of
// them; copositive kMostSimplices products at most.
#pragma once

#include <optional>

#include "instant_problem.hpp"

namespace tactus::host {

inline constexpr int kMostCuts = 40;
inline constexpr int kMostSimplices = 20000;

struct Condition {
  enum class Verdict : std::uint8_t { holds, violated, undecided };
  std::string name;
  Verdict verdict = Verdict::undecided;
  Eigen::VectorXd c;  // that violates it
  bool holds() const { return verdict == Verdict::holds; }
};

// Of one contact as if it were alone: sliding along `direction` its friction pushes it in from mu on.
struct Jam {
  std::optional<double> mu;  // none: never
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();
  bool can = false;  // with the friction that it has
};

struct Existence {
  bool guaranteed = false;
  std::string by;           // why; empty: it is not
  std::string violated_by;  // the condition by which a guarantee failed; empty: none did
  bool impossible = false;  // (36) is violated: there is no solution
  bool relaxed = false;     // (49): the relaxed problem has one
  bool unique = false;      // guaranteed, too: no other accelerations
  double mu_bar = 0;        // 0: no such number is known
  std::vector<Condition> conditions;
  std::vector<Jam> jam;

  const Condition& condition(const std::string& name) const;
};

Existence check_existence(const InstantProblem& p);

}  // namespace tactus::host
