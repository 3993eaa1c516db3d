// The history of a patch stays with the material of its elastic body.
//
// The elements are a window around the contact, delta is a field over that body's surface. While the contact
// moves over the surface by d, what is at x in the window at the end was at x + d at the start, so
//
//     D delta / Dt = (delta'(x) - delta(x + d)) / h
//
// is the rate of law (10), and of the slip, where Song has (delta' - delta) / h: his patch takes what is
// deformed along with it. T delta = delta(x + d) takes the place of delta in both, and no matrix changes.
//
// Whole cells move as they are. One that leaves is let go: of all it could be, the others kept, it has the
// least energy. One that enters carries no load, (K delta)_in = 0, thus delta_in = -K_ii^-1 K_ir delta_r, the
// deformation that the others give it. Xi being the same everywhere, a window without the one that left has
// the energy of a window with one that entered; so with S for one cell
//
//     (S delta) . K S delta  <=  delta . K delta
//
// and elastic energy only falls, by what leaves. Of a part f of a cell T = (1 - f) 1 + f S, a mean of two
// such fields, has no more than the greater energy. Then (delta - T delta) / h = c (delta - S delta) /
// spacing with the speed c = f spacing / h: what rolls steadily gets the same rate from every step up to a
// cell, and the mean smears over cells, not over steps. T keeps first moments: sum of x (p(x) - p(x + d)) = d
// sum of p for whatever d, so that slow rolling with C = tau K meets the moment tau c N.
//
// A cell in contact has the shape of the other body, which says more than the next cell does: what comes was
// lower by `rise`, exactly, where T takes the mean with the next cell, which at the front of the contact is
// still half free. There the slope is taken as far as it is no more than twice that of T, van Leer's limit.
// So 8 cells are enough for the moment of rolling (case_patches).
//
// Where the edge that goes ahead is in contact, the window is smaller than the contact, and what enters has a
// history out there that nobody knows: the field goes on as it is at the edge, which keeps its deformation.
// Undeformed, the bodies would have to be pushed apart within the step, and the contact would creep as if it
// were as small as the window.
//
// K of one's own that is not the same everywhere keeps the window's shape and loses the bound of the energy.
//
// Cost: a line of cells times all others, Dim^2 multiplications each, and a pass over the patch, a cell and
// direction; at most as many cells as a line has. It cannot fail: what is further, or is not a number, leaves
// all behind. Memory: `entry`, as much as R in space, 8 scalars an element in the plane.
#pragma once

#include "tactus/math/cholesky.hpp"
#include "tactus/math/vector.hpp"

namespace tactus::contact {

template <int Dim>
constexpr int entry_capacity(int elements) {
  const int all = Dim == 2 ? 8 * (elements - 1) : 9 * elements * elements;
  return all > 0 ? all : 1;
}

// The cells of a patch in the order of one axis: element(i, j) is the i-th of line j.
struct Cells {
  int count, lines, step, line_step;

  constexpr Cells(int columns, int rows, int axis)
      : count(axis == 0 ? columns : rows),
        lines(axis == 0 ? rows : columns),
        step(axis == 0 ? 1 : columns),
        line_step(axis == 0 ? columns : 1) {}
  // With `ahead` the last of each line enters, else the first: i then counts from the other end.
  constexpr int element(int i, int j, bool ahead) const {
    return (ahead ? i : count - 1 - i) * step + j * line_step;
  }
  // Numbers of one direction in `entry`: the entering cells by all others.
  template <int Dim>
  constexpr int entries() const {
    return lines * Dim * lines * (count - 1) * Dim;
  }
};

// -K_ii^-1 K_ir of each direction. `work` has room for a matrix of the size of K.
template <int Dim, class Scalar>
[[gnu::cold]] inline void set_entry(int columns, int rows, const Scalar* K, Scalar* work, Scalar* entry) {
  const int size = columns * rows * Dim;
  for (int axis = 0; axis + 1 < Dim; ++axis) {
    const Cells cells(columns, rows, axis);
    const int in = cells.lines * Dim, others = cells.lines * (cells.count - 1) * Dim;
    if (others == 0) continue;
    for (const bool ahead : {true, false}) {
      const auto row = [&](int k) {  // of K, of the entering number k
        return cells.element(cells.count - 1, k / Dim, ahead) * Dim + k % Dim;
      };
      for (int i = 0; i < in; ++i)
        for (int j = 0; j < in; ++j) work[i * in + j] = K[row(i) * size + row(j)];
      math::factor(work, in, in);
      Scalar* const column = work + in * in;
      for (int r = 0; r < others; ++r) {
        const int cell = r / Dim;
        const int at =
            cells.element(cell % (cells.count - 1), cell / (cells.count - 1), ahead) * Dim + r % Dim;
        for (int i = 0; i < in; ++i) column[i] = -K[row(i) * size + at];
        math::forward_substitute(work, in, in, column);
        math::back_substitute(work, in, in, column);
        for (int i = 0; i < in; ++i) entry[i * others + r] = column[i];
      }
      entry += in * others;
    }
  }
}

// delta := (1 - f) delta + f S delta. gap(e): of an element without deformation.
template <int Dim, int Elements, class Scalar, class Gap>
inline void carry_cell(const Cells& cells, bool ahead, Scalar f, const Scalar* entry, const Gap& gap,
                       Scalar* delta) {
  const int in = cells.lines * Dim, others = cells.count - 1;
  Scalar enter[Elements * Dim] = {};
  for (int k = 0; k < in; ++k) {
    Scalar sum = 0;
    for (int j = 0; j < cells.lines; ++j) {
      for (int i = 0; i < others; ++i) {
        const Scalar* const from = delta + cells.element(i + 1, j, ahead) * Dim;
        for (int d = 0; d < Dim; ++d) sum = math::multiply_add(*entry++, from[d], sum);
      }
    }
    enter[k] = sum;
  }
  for (int j = 0; j < cells.lines; ++j) {
    Scalar* to = delta + cells.element(0, j, ahead) * Dim;
    for (int i = 0; i < others; ++i) {
      Scalar* const from = delta + cells.element(i + 1, j, ahead) * Dim;
      for (int d = 0; d < Dim; ++d) to[d] = math::multiply_add(f, from[d] - to[d], to[d]);
      to = from;
    }
    const bool inside = enter[j * Dim] + gap(cells.element(others, j, ahead)) < 0;
    for (int d = 0; d < Dim && !inside; ++d) to[d] = math::multiply_add(f, enter[j * Dim + d] - to[d], to[d]);
  }
}

// The same where the whole patch has been left behind.
template <int Dim, class Scalar, class Gap>
inline void carry_all(const Cells& cells, bool ahead, const Gap& gap, Scalar* delta) {
  for (int j = 0; j < cells.lines; ++j) {
    if (gap(cells.element(cells.count - 1, j, ahead)) < 0) continue;
    for (int i = 0; i < cells.count; ++i)
      for (int d = 0; d < Dim; ++d) delta[cells.element(i, j, ahead) * Dim + d] = 0;
  }
}

// delta := T delta for a window that has moved by `moved` cells along t and o. False: all is left behind.
template <int Dim, int Elements, class Scalar, class Gap>
inline bool carry(int columns, int rows, const Scalar* entry, const Scalar (&moved)[Dim - 1], const Gap& gap,
                  Scalar* delta) {
  bool stays = true;
  for (int axis = 0; axis + 1 < Dim; ++axis) {
    const Cells cells(columns, rows, axis);
    const int entries = cells.template entries<Dim>();
    const bool ahead = moved[axis] > 0;
    Scalar left = ahead ? moved[axis] : -moved[axis];
    if (left < static_cast<Scalar>(cells.count)) {
      while (left > 0) {
        carry_cell<Dim, Elements>(cells, ahead, left < 1 ? left : Scalar(1), entry + (ahead ? 0 : entries),
                                  gap, delta);
        left -= 1;
      }
    } else {
      carry_all<Dim>(cells, ahead, gap, delta);
      stays = false;
    }
    entry += 2 * entries;
  }
  return stays;
}

// The normal part of a cell that was in contact, from what it was and T makes of it; `rise`: how much wider
// the gap of what comes is.
template <class Scalar>
constexpr Scalar carry_closed(Scalar was, Scalar carried, Scalar rise) {
  const Scalar most = 2 * (was - carried);
  return was - (rise > most && rise > 0 ? math::larger(most, Scalar(0)) : rise);
}

}  // namespace tactus::contact
