// Joints as free rows, eliminated before the contacts are solved.
//
// With W_b the joint rows, W_b nu' + g / h = 0 whatever the contacts do. Let K = W_b M^-1 W_b^T = L L^T. Then
//     nu  <- nu - M^-1 W_b^T K^-1 (W_b nu + g / h)       the free motion that the joints allow
//     A   =  h (W M^-1 W^T - Y^T Y),  Y = L^-1 W_b M^-1 W^T
// and after the contact impulses the first line once more. Redundant rows are dropped by the factorisation.
#pragma once

#include "tactus/math/cholesky.hpp"
#include "tactus/stepper/find.hpp"

namespace tactus::stepper::detail {

template <class Scalar, int Dim, Capacity C>
inline void factor_joints(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                          Workspace<Scalar, Dim, C>& ws, const Estimate<Scalar, Dim, C>& estimate,
                          const Drifted<Scalar, Dim, C>& there) {
  constexpr int stride = Workspace<Scalar, Dim, C>::kJointRows;
  ws.joint_rows = 0;
  if constexpr (stride > 0) {
    for (int i = 0; i < m.joints; ++i) {
      const auto& joint = m.joint[at(i)];
      const auto& [a, b] = joint.bodies;
      const auto pose = [&](std::uint8_t body) -> const dynamics::Pose<Scalar, Dim>& {
        return estimate.made() && ws.body[body].inverse_mass > 0 ? there.pose[body] : state.pose[body];
      };
      auto* const row = ws.joint_row.data() + ws.joint_rows;
      auto* const error = ws.joint_error.data() + ws.joint_rows;
      const int count = dynamics::write_rows(joint, pose(a), pose(b), ws.body[a], ws.body[b], row, error);
      // As take_gaps_back() does with gaps.
      if constexpr (kRepeats<Dim, C>)
        for (int k = 0; k < count && estimate.made(); ++k)
          error[k] -= m.h * dynamics::speed(row[k], estimate.velocity[a], estimate.velocity[b]);
      for (int k = 0; k < count; ++k) ws.joint_pair[at(ws.joint_rows + k)] = joint.bodies;
      ws.joint_rows += count;
    }
    for (int j = 0; j < ws.joint_rows; ++j) {
      const auto turn = dynamics::turn_of(ws.joint_row[at(j)], ws.joint_pair[at(j)], ws.body);
      for (int i = j; i < ws.joint_rows; ++i)
        ws.joint_factor[at(i * stride + j)] =
            dynamics::coupling(ws.joint_row[at(i)], ws.joint_pair[at(i)], ws.joint_row[at(j)], turn,
                               ws.joint_pair[at(j)], ws.body);
    }
    math::factor(ws.joint_factor.data(), ws.joint_rows, stride);
    for (int i = 0; i < ws.joint_rows; ++i) ws.joint_impulse[at(i)] = 0;
  }
}

// Makes ws.body[].velocity satisfy the joint rows; adds the impulses that took (N s) to ws.joint_impulse.
template <class Scalar, int Dim, Capacity C>
inline void hold_joints(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws) {
  constexpr int stride = Workspace<Scalar, Dim, C>::kJointRows;
  if constexpr (stride > 0) {
    Scalar y[at(stride)];
    for (int i = 0; i < ws.joint_rows; ++i) {
      const auto pair = ws.joint_pair[at(i)];
      y[i] = -(dynamics::speed<Scalar, Dim>(ws.joint_row[at(i)], ws.body[pair.a].velocity,
                                            ws.body[pair.b].velocity) +
               ws.joint_error[at(i)] / m.h);
    }
    math::forward_substitute(ws.joint_factor.data(), ws.joint_rows, stride, y);
    math::back_substitute(ws.joint_factor.data(), ws.joint_rows, stride, y);
    for (int i = 0; i < ws.joint_rows; ++i) {
      dynamics::push(ws.joint_row[at(i)], ws.joint_pair[at(i)], y[i], ws.body);
      ws.joint_impulse[at(i)] += y[i];
    }
  }
}

// A -= h Y^T Y.
template <class Scalar, int Dim, Capacity C>
inline void couple_joints(Workspace<Scalar, Dim, C>& ws, Scalar* A, Scalar h) {
  constexpr int stride = Workspace<Scalar, Dim, C>::kJointRows;
  if constexpr (stride > 0) {
    const int n = ws.elements * Dim;
    for (int r = 0; r < n; ++r) {
      const auto& e = ws.element[at(r / Dim)];
      const auto row = dynamics::row_of(e.frame, r % Dim);
      const auto turn = dynamics::turn_of(row, e.bodies, ws.body);
      Scalar* const y = ws.joint_coupling.data() + r * stride;
      for (int i = 0; i < ws.joint_rows; ++i)
        y[i] = dynamics::coupling(ws.joint_row[at(i)], ws.joint_pair[at(i)], row, turn, e.bodies, ws.body);
      math::forward_substitute(ws.joint_factor.data(), ws.joint_rows, stride, y);
      for (int c = 0; c <= r; ++c) {
        const Scalar* const z = ws.joint_coupling.data() + c * stride;
        for (int q = 0; q < ws.joint_rows; ++q) A[c * n + r] -= h * y[q] * z[q];
        A[r * n + c] = A[c * n + r];
      }
    }
  }
}

}  // namespace tactus::stepper::detail
