// couple: A = h W M^-1 W^T + R and b = W nu + offset of all rows of the step, nu the free motion.
//
// A body that moves is a side of an element, and A is the sum over the pairs of sides of one body. Joints'
// rows come first (plain_rows.hpp), then the contacts', Dim an element.
#pragma once

#include "tactus/stepper/plain_rows.hpp"

namespace tactus::stepper::detail {

// A += R. The elements of a point follow each other.
template <class Scalar, int Dim, Capacity C>
inline void add_compliance(const Model<Scalar, Dim, C>& m, const Group<Scalar, Dim, C>& group, Scalar* A,
                           int stride) {
  for (int i = 0; i < group.elements; ++i, A += Dim * (stride + 1)) {
    const auto& e = group[i];
    if (e.within > 0) continue;
    const auto& c = m.contact[e.contact];
    Scalar own[Dim * Dim];
    const Scalar* R = R_of<C>(m, c, own);
    if (R == nullptr) continue;
    const int size = c.elements * Dim;
    Scalar* row = A;
    for (const Scalar* const end = R + size * size; R != end; R += size, row += stride)
      for (int k = 0; k < size; ++k) row[k] += R[k];
  }
}

// A of elements that touch one moving body each, the same for all, and in the plane along the same axes: side
// i is that of element i. R is that of a point that is the whole problem, or null.
template <class Scalar, int Dim, Capacity C>
[[gnu::noinline]] inline void couple_to_one(Scalar h, const Placed<Scalar, Dim, C>& placed,
                                            const Group<Scalar, Dim, C>& group,
                                            const dynamics::Side<Scalar, Dim>* side, const Scalar* R,
                                            Scalar* A, int stride) {
  static constexpr Scalar kZero[Dim]{};
  const int n = group.elements * Dim, step = R != nullptr ? Dim : 0, R_stride = R != nullptr ? n : 0;
  const auto& body = placed.body[side->body];
  const auto* const end = side + group.elements;
  const Scalar* first = R != nullptr ? R : kZero;
  for (; side != end; ++side, A += Dim * (stride + 1), first += step * (n + 1)) {
    const auto turned = dynamics::turned(*side, body, h);
    const Scalar* start = kGivesWay<C> && (Dim == 2 || R != nullptr) ? first : nullptr;
    Scalar *out = A, *mirror = A;
    for (const auto* other = side; other != end; ++other, out += Dim, mirror += Dim * stride, start += step) {
      if (Dim == 2 || other->axes == side->axes) {
        if (Dim == 3 && start == nullptr)
          dynamics::couple_along<Scalar, Dim>(turned, *other, nullptr, 0, out, mirror, stride);
        else
          dynamics::couple_along(turned, *other, start, R_stride, out, mirror, stride);
        continue;
      }
      for (int l = 0; l < Dim; ++l)
        for (int k = 0; k < Dim; ++k)
          out[l * stride + k] = start != nullptr ? start[l * R_stride + k] : Scalar(0);
      dynamics::couple(group[side->element].frame, turned, group[other->element].frame, *other, out, stride);
      for (int l = 0; l < Dim; ++l)
        for (int k = 0; k < Dim; ++k) mirror[k * stride + l] = out[l * stride + k];
    }
  }
}

// The same whatever touches what.
template <class Scalar, int Dim, Capacity C>
[[gnu::noinline]] inline void couple_sides(Scalar h, const Placed<Scalar, Dim, C>& placed,
                                           const Group<Scalar, Dim, C>& group,
                                           const dynamics::Side<Scalar, Dim>* side, int sides, Scalar* A,
                                           int stride) {
  const int n = group.elements * Dim;
  for (int r = 0; r < n; ++r)
    for (int c = r; c < n; ++c) A[r * stride + c] = 0;
  for (int j = 0; j < sides; ++j) {
    const auto& e = group[side[j].element];
    const auto turned = dynamics::turned(side[j], placed.body[side[j].body], h);
    for (int i = j; i < sides; ++i)
      if (side[i].body == side[j].body)
        dynamics::couple(e.frame, turned, group[side[i].element].frame, side[i],
                         A + (side[j].element * stride + side[i].element) * Dim, stride);
  }
  for (int r = 1; r < n; ++r)
    for (int c = 0; c < r; ++c) A[r * stride + c] = A[c * stride + r];
}

// The sides of all elements.
template <class Scalar, int Dim, Capacity C>
struct Sides {
  Array<dynamics::Side<Scalar, Dim>, 2 * C.active> side;
  int count = 0;
  bool one = true;  // body, and in the plane axes

  Sides(const Placed<Scalar, Dim, C>& placed, const Group<Scalar, Dim, C>& group) {
    int axes = 0;  // the first element whose axes are those of this one
    for (int j = 0; j < group.elements; ++j) {
      const auto& e = group[j];
      // The tangents follow from the normal, but for those that are carried.
      const auto& shared = group[axes].frame.axis;
      if (e.within == 0 &&
          (e.frame.axis[0] != shared[0] || (kCarriesFrames<Dim, C> && e.frame.axis[1] != shared[1])))
        axes = j;
      one = one && (Dim == 3 || axes == 0);
      add(placed, e, j, axes, e.bodies.b, Scalar(1), e.frame.arm_b);
      add(placed, e, j, axes, e.bodies.a, Scalar(-1), e.frame.arm_a);
    }
    one = one && count == group.elements;
  }

 private:
  void add(const Placed<Scalar, Dim, C>& placed, const Element<Scalar, Dim>& e, int j, int axes,
           std::uint8_t body, Scalar sign, const math::Vector<Scalar, Dim>& lever) {
    if (!(placed.body[body].inverse_mass > 0)) return;
    auto& made = side[at(count++)];
    made.body = body;
    made.element = static_cast<std::uint8_t>(j);
    made.axes = static_cast<std::uint8_t>(axes);
    dynamics::set_side(e.frame, lever, sign, made);
    one = one && body == side[0].body;
  }
};

template <class Scalar, int Dim, Capacity C>
inline void couple_contacts(const Model<Scalar, Dim, C>& m, const Placed<Scalar, Dim, C>& placed,
                            const Group<Scalar, Dim, C>& group, Rows<Scalar, Dim, C>& rows) {
  Scalar* b = rows.b.data() + rows.plain;
  for (int j = 0; j < group.elements; ++j) {
    const auto& e = group[j];
    const auto v =
        dynamics::in_frame(e.frame, dynamics::relative_velocity(e.frame, placed.body[e.bodies.a].velocity,
                                                                placed.body[e.bodies.b].velocity));
    const Scalar* const offset = group.offset(j);
    for (int l = 0; l < Dim; ++l) *b++ = v[l] + offset[l];
    rows.mu[at(j)] = group.mu(j);
  }
  Scalar* const A = rows.A.data() + rows.plain * (rows.all + 1);
  const Sides<Scalar, Dim, C> sides(placed, group);
  [[maybe_unused]] Scalar own[Dim * Dim];
  const Scalar* R = nullptr;
  if (sides.one && group.elements > 0) {  // the usual case
    if constexpr (kGivesWay<C>) {
      const auto& c = m.contact[group[0].contact];
      if (c.elements == group.elements) R = R_of<C>(m, c, own);
    }
    couple_to_one(m.h, placed, group, sides.side.data(), R, A, rows.all);
  } else {
    couple_sides(m.h, placed, group, sides.side.data(), sides.count, A, rows.all);
  }
  if constexpr (kGivesWay<C>)
    if (R == nullptr) add_compliance(m, group, A, rows.all);
}

template <class Scalar, int Dim, Capacity C>
inline void couple(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                   const Placed<Scalar, Dim, C>& placed, const Estimate<Scalar, Dim, C>& estimate,
                   const Group<Scalar, Dim, C>& group, Rows<Scalar, Dim, C>& rows) {
  count_rows(m, state, placed, estimate, group, rows);
  couple_contacts(m, placed, group, rows);
  couple_bilateral(m, placed, group, rows);
  couple_arms(m, placed, group, rows);
}

}  // namespace tactus::stepper::detail
