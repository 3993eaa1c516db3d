// The same as mode_sets.hpp in space with round friction: a contact that starts to slide does so in a
// direction u that is not known, c_T = -mu c_n u, a_T = s u with s >= 0, and one that rolls has |c_T| <= mu
// c_n.
//
// The directions of a combination are searched by boxes of angles. For a box about m with the half width d
// the laws imply linear ones,
//
//     mu c_n cos d <= -c_T . m <= mu c_n,   |c_T . m_| <= mu c_n sin d,   |a_T . m_| <= a_T . m tan d
//
// with m_ normal to m, and for what rolls polygons about the cone. A box is left where these contradict each
// other (a contradiction that is checked), or where they let no acceleration differ by kApart from a solution
// that is known; else it is halved. A point of them that obeys the laws within kSolved is a solution; boxes
// get that narrow. A joint that rubs is bounded by its friction alone at first; then it holds or gives way
// either way, three parts. So the list is whole when no box is left, with no derivative and no rank asked
// for.
//
// Cost: some 500 to 5,000 sets of up to 60 inequalities a direction and solution; kMostBoxes boxes of a
// problem end it, and so do kMostStarts solutions: then the list is not said to be whole.
#pragma once

#include "solutions.hpp"

namespace tactus::host {

inline constexpr int kMostBoxes = 60000;
inline constexpr std::size_t kMostStarts = 16;

// Adds the solutions of one combination with contacts that roll or start to slide; `boxes` is what is left of
// the budget. False where some may be missing.
bool search_round(const InstantProblem& p, const std::vector<ContactMode>& modes, int& boxes, Solutions& out);

}  // namespace tactus::host
