// A and b of the contact problem, from the elements that were found and the free motion.
#pragma once

#include "tactus/stepper/arm_step.hpp"
#include "tactus/stepper/bilateral.hpp"

namespace tactus::stepper::detail {

// A += R. The elements of a patch follow each other.
template <class Scalar, int Dim, Capacity C>
inline void add_compliance(const Model<Scalar, Dim, C>& m, const Workspace<Scalar, Dim, C>& ws, Scalar* A,
                           int stride) {
  if constexpr (C.patches > 0) {
    for (int i = 0; i < ws.elements; ++i, A += Dim * (stride + 1)) {
      const auto& e = ws.element[at(i)];
      const int p = m.contact[e.contact].patch;
      if (p < 0 || e.within > 0) continue;
      const int size = m.patch[at(p)].size();
      const Scalar* R = m.patch[at(p)].R;
      // A patch that is the whole problem is one long row.
      const int length = size == stride ? size * size : size;
      Scalar* row = A;
      for (const Scalar* const end = R + size * size; R != end; R += length, row += stride)
        lcp::add_multiple(row, R, Scalar(1), length);
    }
  }
}

// A = h W (M^-1 less what the joints hold) W^T + R and b = W nu + offset, nu in ws.body[].velocity, offset in
// ws.q. A body that moves is a side of an element, and A is the sum over the pairs of sides of one body.
template <class Scalar, int Dim, Capacity C>
inline contact::Problem<Scalar, Dim> assemble(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws) {
  const int n = ws.elements * Dim;
  Scalar* const A = ws.A();
  Scalar* const b = ws.b();
  dynamics::Side<Scalar, Dim> side[at(2 * C.active)];
  int sides = 0;
  bool one_body = !has_arms(m.arm);  // against fixed ones, the usual case: each block has one pair
  int axes = 0;                      // the first element whose axes are those of this one
  for (int j = 0; j < ws.elements; ++j) {
    const auto& e = ws.element[at(j)];
    // The tangents follow from the normal.
    if (e.within == 0 && e.frame.axis[0] != ws.element[at(axes)].frame.axis[0]) axes = j;
    const auto add_side = [&](std::uint8_t body, Scalar sign, const dynamics::Vector<Scalar, Dim>& arm) {
      if (!(ws.body[body].inverse_mass > 0)) return;
      auto& made = side[sides];
      made.body = body;
      made.element = static_cast<std::uint8_t>(j);
      made.axes = static_cast<std::uint8_t>(axes);
      dynamics::set_side(e.frame, arm, sign, made);
      one_body = one_body && body == side[0].body;
      ++sides;
    };
    add_side(e.bodies.b, Scalar(1), e.frame.arm_b);
    add_side(e.bodies.a, Scalar(-1), e.frame.arm_a);
    const auto v = dynamics::in_frame(
        e.frame,
        dynamics::relative_velocity(e.frame, ws.body[e.bodies.a].velocity, ws.body[e.bodies.b].velocity));
    for (int l = 0; l < Dim; ++l) b[j * Dim + l] = v[l] + ws.q[at(j * Dim + l)];
  }
  if (!one_body)
    for (int i = 0; i < n * n; ++i) A[i] = 0;
  for (int j = 0; j < sides; ++j) {
    const auto& e = ws.element[side[j].element];
    const auto turned = dynamics::turned(side[j], ws.body[side[j].body], m.h);
    for (int i = j; i < sides; ++i) {
      if (side[i].body != side[j].body) continue;
      const auto& f = ws.element[side[i].element];
      const int row = side[j].element * Dim, column = side[i].element * Dim;
      Scalar* const out = A + row * n + column;
      Scalar* const mirror = one_body ? A + column * n + row : nullptr;
      if (side[i].axes == side[j].axes)
        dynamics::couple<true>(e.frame, turned, f.frame, side[i], out, mirror, n);
      else
        dynamics::couple<false>(e.frame, turned, f.frame, side[i], out, mirror, n);
    }
  }
  if (!one_body)
    for (int r = 1; r < n; ++r)
      for (int c = 0; c < r; ++c) A[r * n + c] = A[c * n + r];
  add_compliance(m, ws, A, n);
  couple_joints(ws, A, m.h);
  if (has_arms(m.arm)) couple_arms(m, ws, A);
  return {ws.elements, A, n, b, ws.mu.data(), nullptr};
}

}  // namespace tactus::stepper::detail
