#include "solutions.hpp"

#include "round_sets.hpp"

namespace tactus::host {
namespace {

void add(const InstantProblem& p, const std::vector<ContactMode>& modes, const Family& family,
         Solutions& out) {
  ++out.sets;
  out.continuum = out.continuum || family.moves;
  for (const Eigen::VectorXd& c : family.corners) {
    bool known = false;
    for (const Solution& other : out.different) known = known || same_motion(p, c, other.c);
    if (!known) out.different.push_back({c, p.accelerations(c), modes, out.sets - 1});
  }
}

// A closed contact that rolls, in space with round friction.
bool needs_round(const InstantProblem& p, const std::vector<ContactMode>& modes) {
  for (int i = 0; i < p.contacts() - p.joints; ++i)
    if (p.dim == 3 && p.cone && modes[static_cast<std::size_t>(i)].closed && !p.slides(i) &&
        p.mu[static_cast<std::size_t>(i)] > 0)
      return true;
  return false;
}

// A search by boxes divides what joints may do itself, so it is asked once for all of that.
bool joints_hold(const InstantProblem& p, const std::vector<ContactMode>& modes) {
  for (int i = p.contacts() - p.joints; i < p.contacts(); ++i)
    if (modes[static_cast<std::size_t>(i)].sign[0] != 0) return false;
  return true;
}

}  // namespace

Solutions every_solution(const InstantProblem& p) {
  Solutions out;
  out.sought =
      p.contacts() - p.joints <= (p.dim == 2 ? kMostInPlane : kMostInSpace) && p.joints <= kMostJoints;
  if (!out.sought) return out;
  out.all = true;
  int boxes = kMostBoxes;
  std::vector<std::vector<ContactMode>> choices;
  for (int i = 0; i < p.contacts(); ++i) choices.push_back(modes_of(p, i));
  std::vector<std::size_t> at(choices.size());
  for (;;) {
    std::vector<ContactMode> modes;
    for (std::size_t i = 0; i < at.size(); ++i) modes.push_back(choices[i][at[i]]);
    if (needs_round(p, modes)) {
      if (joints_hold(p, modes)) out.all = search_round(p, modes, boxes, out) && out.all;
    } else {
      const Family family = solve_modes(p, modes);
      if (family.verdict == Family::Verdict::doubtful) out.all = false;
      if (!family.corners.empty()) add(p, modes, family, out);
    }
    std::size_t i = 0;
    while (i < at.size() && ++at[i] == choices[i].size()) at[i++] = 0;
    if (i == at.size()) return out;
  }
}

}  // namespace tactus::host
