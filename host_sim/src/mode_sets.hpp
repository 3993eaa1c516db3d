// One combination of the contacts' modes as a system of linear equations and inequalities: the forces c = T x
// of the unknowns x that the modes leave, the rows of a = A c + b that they hold at zero, as many as
// unknowns, and what must not be negative.
//
//     open             c = 0                              a_n >= 0
//     slides (11)      c_T = pull c_n       a_n = 0       c_n >= 0
//     rolls, tangent k held                 a_n = a_k = 0 mu c_n +- c_k >= 0
//     rolls, k starts  c_k = -sign mu c_n   a_n = 0       c_n >= 0, sign a_k >= 0
//
// The solutions of a combination are a polyhedron. It has corners, since the forces lie in cones that hold no
// line; where the equations determine x it is one point or nothing.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "instant_problem.hpp"

namespace tactus::host {

struct ContactMode {
  bool closed = false;
  std::array<int, 2> sign{};  // of the acceleration of each tangent, where the contact rolls; 0: held
  bool starts = false;        // round friction: to slide, in a direction that is not known
};

// Of one contact, in the order in which they are tried: open, rolls, then those that start to slide.
std::vector<ContactMode> modes_of(const InstantProblem& p, int i);

// "open", "slides" (as it does already), "rolls", or the signs of the accelerations with which it starts to
// slide: "+t", "-t+o". By the round cone "starts".
std::string word(const InstantProblem& p, int i, const ContactMode& mode);

// Whether two forces give accelerations that differ by less than kApart of the largest |b|, or by what A c
// rounds by.
inline constexpr double kApart = 1e-7;
bool same_motion(const InstantProblem& p, const Eigen::VectorXd& c, const Eigen::VectorXd& other);

struct Family {
  enum class Verdict : std::uint8_t { empty, found, doubtful };
  Verdict verdict = Verdict::empty;
  std::vector<Eigen::VectorXd> corners;  // forces c
  bool moves = false;  // the accelerations fill a range: the corners' hull, or with rays from it
};

// Found: every corner obeys the laws within kSolved. Empty: each point that could be a corner breaks an
// inequality by more than the rounding of its own system. Doubtful: neither, or a rank that cannot be told.
// Cost: one singular value decomposition of at most 9 x 9 where the rank is full, else one small one for each
// choice of inequalities that could be a corner, kMostChoices of them.
inline constexpr long kMostChoices = 20000;
// Whether the equations of a combination leave nothing open that changes accelerations.
bool fixes_motion(const InstantProblem& p, const std::vector<ContactMode>& modes);
Family solve_modes(const InstantProblem& p, const std::vector<ContactMode>& modes);

}  // namespace tactus::host
