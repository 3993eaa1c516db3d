// What pieces of work take at most, in instructions, by kind and size (tactus/clock.hpp): what a tick may
// still begin, and whether CONFIGURE takes a scene. Until a table that is proved from the image takes its
// place:
//
// Each row is the least one, of its form, that is a seventh above all that was seen of the piece on
// mps2-an386 and mps2-an500 (of the implicit law's pieces, which are fewer, two fifths and more): 60,000
// random scenes on each, a quarter of them followed for ten ticks. A board looks at each piece that it has
// begun, and counts those that took longer than this (pieces_over of Health). Other seeds want none:
// build/host/hil/hil_storm build/mps2-an386/firmware.elf 60000 SEED cone.
//
// place, find and review stand above what spread patches took in 80,000 scenes on mps2-an386 alone.
#pragma once

#include <cstdint>

#include "tactus/clock.hpp"

namespace tactus::firmware {

// Of a scene: what its ticks can come to at most.
struct Sizes {
  int bodies = 0, moving = 0, contacts = 0, joints = 0;  // joints of arms
  int told = 0;                                          // numbers of a STATE that tells all it can
  int elements = 0;                                      // that can touch at once
  int plain = 0, rows = 0;                               // rows that are not of contacts, all rows
  bool ahead = false;                                    // more than one step
  bool has_rows = false;                                 // else the implicit law
  bool relaxed = false;                                  // the relaxed cone
};

// base + n per_n + n^2 per_nn / 16 + n^3 per_nnn / 256 + k per_k + n k per_nk / 16
struct Cost {
  std::uint32_t base, per_n, per_nn, per_nnn, per_k, per_nk;

  constexpr std::uint32_t of(std::uint32_t n, std::uint32_t k) const {
    return base + n * per_n + (n * n * per_nn >> 4) + (n * n * n * per_nnn >> 8) + k * per_k +
           (n * k * per_nk >> 4);
  }
};

// In the order of Piece.
inline constexpr Cost kCosts[kPieces] = {
    {450, 673, 0, 0, 2323, 0},       // place
    {10300, 0, 0, 0, 264, 48192},    // find
    {5451, 3, 2379, 0, 1356, 3488},  // hold
    {2583, 335, 1281, 0, 0, 0},      // impact
    {975, 342, 668, 0, 0, 365},      // couple
    {597, 703, 1446, 0, 0, 0},       // small
    {2244, 0, 740, 185, 0, 32},      // attempt
    {198, 45, 29, 0, 142, 21},       // refine
    {1760, 43, 11, 0, 86, 0},        // review
    {868, 647, 496, 0, 0, 0},        // path
    {0, 1596, 160, 0, 0, 0},         // start
    {765, 262, 33, 0, 435, 0},       // flip
    {2722, 63, 0, 0, 477, 0},        // column
    {271, 296, 187, 0, 247, 0},      // correct
    {0, 9050, 43389, 0, 0, 0},       // seek
    {0, 0, 0, 17649, 0, 0},          // closest
    {476, 0, 2050, 729, 0, 0},       // implicit
    {0, 479, 1694, 0, 0, 0},         // newton
    {4931, 0, 0, 0, 212, 6339},      // trial
    {600, 1244, 662, 1563, 0, 0},    // sweep
    {1500, 60, 128, 0, 0, 0},        // pivot: of an instant, no step has one; by its arithmetic
    {4259, 322, 0, 0, 0, 0},         // move
    {2071, 2693, 0, 0, 554, 0},      // finish
    {6500, 400, 0, 0, 80, 0},        // member
};

inline std::uint32_t most_of(Piece piece, int n, int k) {
  return kCosts[static_cast<std::uint8_t>(piece)].of(static_cast<std::uint32_t>(n),
                                                     static_cast<std::uint32_t>(k));
}

// To gather and read a STATE, and to write the answer and make its frame.
inline constexpr Cost kState = {3600, 150, 0, 0, 0, 0}, kAnswer = {3000, 190, 0, 0, 1100, 0};

inline std::uint32_t state_counts(const Sizes& s) {
  return kState.of(static_cast<std::uint32_t>(s.told), 0);
}
inline std::uint32_t answer_counts(const Sizes& s) {
  const int values = (7 * s.moving + s.joints) * (s.ahead ? 2 : 1);
  return kAnswer.of(static_cast<std::uint32_t>(values), static_cast<std::uint32_t>(s.contacts));
}

// What a step keeps back until it is solved: its end, by its answer or by what was tried. The relaxed cone's
// own solver looks at what it has once more where it is ended.
inline std::uint32_t best_counts(const Sizes& s) {
  const std::uint32_t finish = most_of(Piece::finish, s.bodies, s.joints);
  if (!s.has_rows) return finish;
  const std::uint32_t relaxed = s.relaxed ? most_of(Piece::trial, s.rows, s.elements) : 0;
  return most_of(Piece::move, s.rows, s.plain) + finish + relaxed;
}

}  // namespace tactus::firmware
