// Every solution of a contact problem, or the proof that it has none: the modes of the contacts in all
// combinations, each a few linear equations and inequalities (mode_sets.hpp).
#pragma once

#include "mode_sets.hpp"

namespace tactus::host {

inline constexpr int kMostInPlane = 4, kMostInSpace = 3;  // contacts
inline constexpr int kMostJoints = 7;                     // beside them, that rub

struct Solution {
  Eigen::VectorXd c, a;
  std::vector<ContactMode> modes;
  int set = 0;  // solutions of one set are corners of a convex range, where it `moves`
};

struct Solutions {
  bool sought = false;  // else it is over so many contacts
  bool all = false;     // no combination was left in doubt: what is not listed, or between listed ones of a
                        // set, is no solution
  bool continuum = false;           // in some set accelerations fill a range
  int sets = 0;                     // combinations of modes that have a solution
  std::vector<Solution> different;  // by their accelerations
};

// Cost: 4^n combinations in the plane, 10^n in space by the pyramid, of contacts that roll and rub; 2^n of
// others; 3 times as many with each joint that rubs. Round friction in space: 3^n, see round_sets.hpp.
Solutions every_solution(const InstantProblem& p);

}  // namespace tactus::host
