// States of random_arms.hpp that a step once left without an answer, or called solved though it was not: the
// smallest of each sort that two million states have shown. kMended are solved now, and stay it. kOpen are
// not: `test_stepper_arm_states 1 seeds` runs them, and fails as long as one of them is so.
#pragma once

#include "random_arms.hpp"

namespace random_arms {

struct Seed {
  Kind kind;
  bool in_double;
  std::uint64_t number;
};

inline constexpr Seed kMended[] = {
    // Nothing acts: a free arm driven from rest. Its momentum rounds by eps |M| |qd'|, and was measured by
    // h |drive| of one joint alone.
    {Kind::usual, false, 122317},
    {Kind::usual, false, 108945},
    {Kind::relaxed, false, 9987},
    // A wedge.
    {Kind::usual, false, 87575},
    // The normal's mobility was but rounding, and its row taken for closed: forces of 1e16 N, either
    // way, with which the joints' friction stopped an arm that moves. Some were refused,
    {Kind::flat, true, 79080},
    {Kind::flat, true, 158785},
    {Kind::flat, false, 4273},
    // and some called solved.
    {Kind::flat, true, 351289},
    {Kind::flat, true, 318739},
    {Kind::flat, false, 175566},
    // A ray was told where a limit and the floor hold one joint from two sides, both with gap 0.
    {Kind::usual, true, 363908},
};

inline constexpr Seed kOpen[] = {
    // A ray is told where a limit and the floor hold one joint from two sides, both with gap 0.
    {Kind::usual, false, 86676},
    // The path ends by its budget: a box on its corners between two fingers.
    {Kind::usual, false, 371453},
    {Kind::usual, false, 252885},
    // Wedges: forces of 1e4 N, and no digits for them.
    {Kind::usual, false, 42153},
    {Kind::usual, false, 155059},
    {Kind::usual, false, 163092},
    // The relaxed cone's own solver ends after 200 systems.
    {Kind::relaxed, true, 114347},
    {Kind::relaxed, true, 25205},
};

}  // namespace random_arms
