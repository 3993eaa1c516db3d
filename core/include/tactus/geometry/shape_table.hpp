// The kinds of shapes, in the plane and in space: one row each of what everybody must know of a kind. The
// core checks and counts by it, scenes, messages and reports read and write by it.
//
// A board reads the columns; the rows with their names are linked only where a name is asked for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tactus::geometry {

enum class PlanarKind : std::uint8_t { half_space, disc, ellipse, box, polygon, rod };
enum class SpatialKind : std::uint8_t { half_space, sphere, ellipsoid, box, capsule };

template <int Dim>
using KindOf = std::conditional_t<Dim == 2, PlanarKind, SpatialKind>;
template <class Kind>
inline constexpr int kDimOf = std::is_same_v<Kind, PlanarKind> ? 2 : 3;

// What the numbers of a shape are, in the order in which a scene and a message give them.
enum class Form : std::uint8_t {
  normal,             // of any length, Dim numbers; beside them the offset
  radius,             // of a ball
  semi_axes,          // of an ellipsoid, Dim numbers
  half_extents,       // Dim numbers
  sides_radius,       // the circumradius; beside it the number of sides
  length,             // the whole one
  radius_half_length  // two numbers
};

struct ShapeRow {
  const char* name;     // in scenes and reports
  Form form;            // of its numbers
  std::uint8_t points;  // of contact with a half-space that are remembered. 1: round, one with whatever it
                        // touches; 0: as many as it has sides
  std::uint8_t wire;    // its number in messages.proto
};

// By kind.
inline constexpr std::array kPlanarShapes = {
    ShapeRow{"halfspace", Form::normal, 0, 0},      //
    ShapeRow{"disc", Form::radius, 1, 1},           //
    ShapeRow{"ellipse", Form::semi_axes, 1, 2},     //
    ShapeRow{"box", Form::half_extents, 4, 3},      //
    ShapeRow{"polygon", Form::sides_radius, 0, 4},  //
    ShapeRow{"rod", Form::length, 2, 5},            //
};
inline constexpr std::array kSpatialShapes = {
    ShapeRow{"halfspace", Form::normal, 0, 0},            //
    ShapeRow{"sphere", Form::radius, 1, 6},               //
    ShapeRow{"ellipsoid", Form::semi_axes, 1, 7},         //
    ShapeRow{"box", Form::half_extents, 8, 3},            //
    ShapeRow{"capsule", Form::radius_half_length, 2, 8},  //
};

template <int Dim>
constexpr const auto& shapes() {
  if constexpr (Dim == 2) {
    return kPlanarShapes;
  } else {
    return kSpatialShapes;
  }
}

// One column of the table, by kind.
template <int Dim, auto Member>
inline constexpr auto kColumn = [] {
  constexpr auto& rows = shapes<Dim>();
  std::array<std::decay_t<decltype(rows[0].*Member)>, rows.size()> column{};
  for (std::size_t i = 0; i < rows.size(); ++i) column[i] = rows[i].*Member;
  return column;
}();

template <class Kind>
constexpr bool is_known(Kind kind) {
  return static_cast<std::size_t>(kind) < shapes<kDimOf<Kind>>().size();
}
template <class Kind>
constexpr Form form(Kind kind) {
  return kColumn<kDimOf<Kind>, &ShapeRow::form>[static_cast<std::size_t>(kind)];
}
template <class Kind>
constexpr int half_space_points(Kind kind) {
  return kColumn<kDimOf<Kind>, &ShapeRow::points>[static_cast<std::size_t>(kind)];
}

// Whether the numbers of a kind have this form, without a look into memory.
template <Form F, class Kind>
constexpr bool has_form(Kind kind) {
  constexpr unsigned kKinds = [] {
    unsigned kinds = 0, bit = 1;
    for (const Form its : kColumn<kDimOf<Kind>, &ShapeRow::form>) {
      if (its == F) kinds |= bit;
      bit *= 2;
    }
    return kinds;
  }();
  return (kKinds >> static_cast<unsigned>(kind) & 1U) != 0;
}

// The kind with this number in a message; false if there is none.
template <int Dim>
constexpr bool find_kind(unsigned wire, KindOf<Dim>& kind) {
  constexpr auto& numbers = kColumn<Dim, &ShapeRow::wire>;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != wire) continue;
    kind = static_cast<KindOf<Dim>>(i);
    return true;
  }
  return false;
}

// How many numbers a message has of a form, and its word in reports.
constexpr int count(Form form, int dim) {
  if (form == Form::radius_half_length) return 2;
  return form == Form::normal || form == Form::semi_axes || form == Form::half_extents ? dim : 1;
}
constexpr const char* word(Form form) {
  constexpr std::array kWords = {"normal",       "radius", "semi_axes",         "half_extents",
                                 "sides_radius", "length", "radius_half_length"};
  return kWords[static_cast<std::size_t>(form)];
}

// A set of pairs of kinds as bits, in either order: pair(a, b) | pair(c, d). Kernels of pairs outside the set
// that find_contacts is told are not linked.
using PairSet = std::uint64_t;
inline constexpr PairSet kAllPairs = ~PairSet{0};
static_assert(kPlanarShapes.size() <= 8 && kSpatialShapes.size() <= 8, "a set of pairs has bits for 8 kinds");

template <class Kind>
constexpr PairSet pair(Kind a, Kind b) {
  const auto i = static_cast<unsigned>(a), j = static_cast<unsigned>(b);
  return PairSet{1} << (i < j ? 8 * i + j : 8 * j + i);
}

template <class Kind>
constexpr bool has(PairSet set, Kind a, Kind b) {
  return (set & pair(a, b)) != 0;
}

// All pairs of one kind with any but a half-space.
template <class Kind>
constexpr PairSet pairs_with(Kind kind) {
  PairSet set = 0;
  for (unsigned i = 1; i < 8; ++i) set |= pair(kind, static_cast<Kind>(i));
  return set;
}

// Whether any pair of the set has no half-space.
constexpr bool has_pairs_of_bodies(PairSet set) {
  return (set & ~PairSet{0xff}) != 0;  // a half-space is number 0
}

}  // namespace tactus::geometry
