// A and b of the contact problem, from the elements that were found and the free motion.
#pragma once

#include "tactus/stepper/bilateral.hpp"

namespace tactus::stepper::detail {

// The block (i, j) of R, where both elements belong to one patch.
template <class Scalar, int Dim, Capacity C>
inline void add_compliance(const Model<Scalar, Dim, C>& m, const Workspace<Scalar, Dim, C>& ws, int i, int j,
                           Scalar (&block)[Dim][Dim]) {
  if constexpr (C.patches > 0) {
    const auto& e = ws.element[at(i)];
    const auto& f = ws.element[at(j)];
    if (e.slot - e.within != f.slot - f.within) return;
    const int p = m.contact[e.contact].patch;
    if (p < 0) return;
    const auto& patch = m.patch[at(p)];
    const int size = patch.size();
    const Scalar* R = patch.R + e.within * Dim * size + f.within * Dim;
    dynamics::unrolled<Dim>([&](int k) __attribute__((always_inline)) {
      dynamics::unrolled<Dim>([&](int l) __attribute__((always_inline)) { block[k][l] += R[k * size + l]; });
    });
  }
}

// A = h W (M^-1 less what the joints hold) W^T + R and b = W nu + offset, nu in ws.body[].velocity, offset in
// ws.q.
template <class Scalar, int Dim, Capacity C>
inline contact::Problem<Scalar, Dim> assemble(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws) {
  constexpr int joint_stride = Workspace<Scalar, Dim, C>::kJointRows;
  const int n = ws.elements * Dim;
  Scalar* const A = ws.A();
  Scalar* const b = ws.b();
  dynamics::Row<Scalar, Dim> row[at(Workspace<Scalar, Dim, C>::kRows)];
  for (int j = 0; j < ws.elements; ++j) {
    const auto& e = ws.element[at(j)];
    dynamics::write_rows(e.frame, ws.body[e.bodies.a].inverse_mass > 0, row + j * Dim);
    const auto v = dynamics::in_frame(
        e.frame,
        dynamics::relative_velocity(e.frame, ws.body[e.bodies.a].velocity, ws.body[e.bodies.b].velocity));
    for (int l = 0; l < Dim; ++l) b[j * Dim + l] = v[l] + ws.q[at(j * Dim + l)];
  }
  couple_joints(ws, row);
  for (int j = 0; j < ws.elements; ++j) {
    const auto pair_j = ws.element[at(j)].bodies;
    dynamics::Turn<Scalar, Dim> turn[Dim];
    for (int l = 0; l < Dim; ++l) turn[l] = dynamics::turn_of(row[j * Dim + l], pair_j, ws.body, m.h);
    for (int i = j; i < ws.elements; ++i) {
      Scalar block[Dim][Dim];
      // The tangents follow from the normal, so equal normals are equal frames.
      const bool one_frame = row[i * Dim].direction == row[j * Dim].direction;
      dynamics::coupling<Dim, Dim>(row + i * Dim, ws.element[at(i)].bodies, row + j * Dim, turn, pair_j,
                                   ws.body, m.h, one_frame, block);
      if constexpr (joint_stride > 0) {
        for (int k = 0; k < Dim; ++k) {
          for (int l = 0; l < Dim; ++l) {
            const Scalar* y_i = ws.joint_coupling.data() + (i * Dim + k) * joint_stride;
            const Scalar* y_j = ws.joint_coupling.data() + (j * Dim + l) * joint_stride;
            for (int q = 0; q < ws.joint_rows; ++q) block[k][l] -= m.h * y_i[q] * y_j[q];
          }
        }
      }
      add_compliance(m, ws, i, j, block);
      // The lower block is written last, and on the diagonal from its lower triangle, so that A is symmetric
      // to the bit.
      Scalar* const below = A + i * Dim * n + j * Dim;
      Scalar* const right = A + j * Dim * n + i * Dim;
      dynamics::unrolled<Dim>([&](int k) __attribute__((always_inline)) {
        dynamics::unrolled<Dim>([&](int l)
                                    __attribute__((always_inline)) { right[l * n + k] = block[k][l]; });
      });
      dynamics::unrolled<Dim>([&](int k) __attribute__((always_inline)) {
        dynamics::unrolled<Dim>([&](int l) __attribute__((always_inline)) {
          below[k * n + l] = i == j && l > k ? block[l][k] : block[k][l];
        });
      });
    }
  }
  return {ws.elements, A, n, b, ws.mu.data(), nullptr};
}

}  // namespace tactus::stepper::detail
