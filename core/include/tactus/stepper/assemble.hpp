// A and b of the contact problem, from the elements that were found and the free motion.
#pragma once

#include "tactus/stepper/arm_step.hpp"
#include "tactus/stepper/bilateral.hpp"

namespace tactus::stepper::detail {

// A += R. The elements of a patch follow each other.
template <class Scalar, int Dim, Capacity C>
inline void add_compliance(const Model<Scalar, Dim, C>& m, const Workspace<Scalar, Dim, C>& ws, Scalar* A,
                           int stride) {
  for (int i = 0; i < ws.elements; ++i, A += Dim * (stride + 1)) {
    const auto& e = ws.element[at(i)];
    const int p = m.contact[e.contact].patch;
    if (p < 0 || e.within > 0) continue;
    const int size = m.patch[at(p)].size();
    const Scalar* R = m.patch[at(p)].R;
    Scalar* row = A;
    for (const Scalar* const end = R + size * size; R != end; R += size, row += stride)
      for (int k = 0; k < size; ++k) row[k] += R[k];
  }
}

// A of elements that touch one moving body each, the same for all, and in the plane along the same axes: side
// i is that of element i. R is that of a patch that is the whole problem, or null.
template <class Scalar, int Dim, Capacity C>
[[gnu::noinline]] inline void couple_to_one(Scalar h, const Workspace<Scalar, Dim, C>& ws,
                                            const dynamics::Side<Scalar, Dim>* side, const Scalar* R,
                                            Scalar* A) {
  static constexpr Scalar kZero[Dim]{};
  const int n = ws.elements * Dim, step = R != nullptr ? Dim : 0, stride = R != nullptr ? n : 0;
  const auto& body = ws.body[side->body];
  const auto* const end = side + ws.elements;
  const Scalar* first = R != nullptr ? R : kZero;
  for (; side != end; ++side, A += Dim * (n + 1), first += step * (n + 1)) {
    const auto turned = dynamics::turned(*side, body, h);
    const Scalar* start = C.patches > 0 && (Dim == 2 || R != nullptr) ? first : nullptr;
    Scalar *out = A, *mirror = A;
    for (const auto* other = side; other != end; ++other, out += Dim, mirror += Dim * n, start += step) {
      if (Dim == 2 || other->axes == side->axes) {
        if (Dim == 3 && start == nullptr)
          dynamics::couple_along<Scalar, Dim>(turned, *other, nullptr, 0, out, mirror, n);
        else
          dynamics::couple_along(turned, *other, start, stride, out, mirror, n);
        continue;
      }
      for (int l = 0; l < Dim; ++l)
        for (int k = 0; k < Dim; ++k) out[l * n + k] = start != nullptr ? start[l * stride + k] : Scalar(0);
      dynamics::couple(ws.element[side->element].frame, turned, ws.element[other->element].frame, *other, out,
                       n);
      for (int l = 0; l < Dim; ++l)
        for (int k = 0; k < Dim; ++k) mirror[k * n + l] = out[l * n + k];
    }
  }
}

// W nu + offset of element j.
template <class Scalar, int Dim, Capacity C>
inline void write_speed(Workspace<Scalar, Dim, C>& ws, int j) {
  const auto& e = ws.element[at(j)];
  const auto v = dynamics::in_frame(
      e.frame,
      dynamics::relative_velocity(e.frame, ws.body[e.bodies.a].velocity, ws.body[e.bodies.b].velocity));
  for (int l = 0; l < Dim; ++l) ws.b()[j * Dim + l] = v[l] + ws.q[at(j * Dim + l)];
}

// A = h W (M^-1 less what the joints hold) W^T + R and b = W nu + offset, nu in ws.body[].velocity, offset in
// ws.q. A body that moves is a side of an element, and A is the sum over the pairs of sides of one body.
template <class Scalar, int Dim, Capacity C>
inline contact::Problem<Scalar, Dim> assemble(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws) {
  const int n = ws.elements * Dim;
  Scalar* const A = ws.A();
  dynamics::Side<Scalar, Dim> side[at(2 * C.active)];
  int sides = 0;
  bool one = true;  // body, and in the plane axes
  int axes = 0;     // the first element whose axes are those of this one
  for (int j = 0; j < ws.elements; ++j) {
    const auto& e = ws.element[at(j)];
    // The tangents follow from the normal, but for those that are carried.
    const auto& shared = ws.element[at(axes)].frame.axis;
    if (e.within == 0 &&
        (e.frame.axis[0] != shared[0] || (kCarriesFrames<Dim, C> && e.frame.axis[1] != shared[1])))
      axes = j;
    one = one && (Dim == 3 || axes == 0);
    const auto add_side = [&](std::uint8_t body, Scalar sign, const math::Vector<Scalar, Dim>& arm) {
      if (!(ws.body[body].inverse_mass > 0)) return;
      auto& made = side[sides];
      made.body = body;
      made.element = static_cast<std::uint8_t>(j);
      made.axes = static_cast<std::uint8_t>(axes);
      dynamics::set_side(e.frame, arm, sign, made);
      one = one && body == side[0].body;
      ++sides;
    };
    add_side(e.bodies.b, Scalar(1), e.frame.arm_b);
    add_side(e.bodies.a, Scalar(-1), e.frame.arm_a);
    write_speed(ws, j);
  }
  const Scalar* R = nullptr;
  if (one && sides == ws.elements) {  // the usual case
    if constexpr (C.patches > 0) {
      const int p = m.contact[ws.element[0].contact].patch;
      if (p >= 0 && m.patch[at(p)].size() == n) R = m.patch[at(p)].R;
    }
    couple_to_one(m.h, ws, side, R, A);
  } else {
    for (int i = 0; i < n * n; ++i) A[i] = 0;
    for (int j = 0; j < sides; ++j) {
      const auto& e = ws.element[side[j].element];
      const auto turned = dynamics::turned(side[j], ws.body[side[j].body], m.h);
      for (int i = j; i < sides; ++i)
        if (side[i].body == side[j].body)
          dynamics::couple(e.frame, turned, ws.element[side[i].element].frame, side[i],
                           A + (side[j].element * n + side[i].element) * Dim, n);
    }
    for (int r = 1; r < n; ++r)
      for (int c = 0; c < r; ++c) A[r * n + c] = A[c * n + r];
  }
  if constexpr (C.patches > 0)
    if (R == nullptr) add_compliance(m, ws, A, n);
  couple_joints(ws, A, m.h);
  if (has_arms(m.arm)) couple_arms(m, ws, A, false);
  return {ws.elements, A, n, ws.b(), ws.mu.data(), nullptr};
}

// The same for the same elements once more, when nothing has changed but what the joints of arms do.
template <class Scalar, int Dim, Capacity C>
inline contact::Problem<Scalar, Dim> assemble_again(const Model<Scalar, Dim, C>& m,
                                                    Workspace<Scalar, Dim, C>& ws) {
  for (int j = 0; j < ws.elements; ++j) write_speed(ws, j);
  couple_arms(m, ws, ws.A(), true);
  return {ws.elements, ws.A(), ws.elements * Dim, ws.b(), ws.mu.data(), nullptr};
}

}  // namespace tactus::stepper::detail
