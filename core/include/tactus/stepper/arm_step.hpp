// Arms within a step. With J the rows of the contacts on the joints, dq = qd' - qd, p the reactions of limits
// and friction (arm_law.hpp), and the impedance's share D~ = h damping + h^2 stiffness on the diagonal,
//
//     (M + D~) dq = drive + p + h J^T lambda,
//     drive = h (torque + stiffness (position - q - h qd) + damping (speed - qd) - bias)
//
// The rows of locked joints are left out of M + D~ = L L^T, their dq is known, and so
//
//     dq = M^-1 (drive + p - M_locked dq_locked)    the free motion
//     A += h Y^T Y,   Y = L^-1 J^T,                 and after the contacts   dq += L^-T Y h lambda
//
// after which the rows left out give p where a joint is locked. If a joint is not on the piece of its law
// that it was given, the step is solved again with the next one: at first all that move the wrong way at once
// and the one that is held with most above its friction, by the modes of the contacts alone; then, lest they
// go round, one alone (Murty 1974; it ends for certain where no contact rubs). The modes of the last step are
// tried first, so as a rule it is one solve.
//
// Cost, n joints and r rows that touch an arm: kinematics and bias O(n), M O(n^2), the factor n^3 / 6, Y
// r n^2 / 2 and Y^T Y n r^2 / 2 multiply-adds.
#pragma once

#include "tactus/math/cholesky.hpp"
#include "tactus/stepper/arm_law.hpp"
#include "tactus/stepper/motion.hpp"
#include "tactus/stepper/report.hpp"

namespace tactus::stepper::detail {

inline constexpr int kTriesAtOnce = 6;
constexpr int joint_tries(int joints) {
  return kTriesAtOnce + 6 * joints;
}

template <class Scalar, int Joints, int Bodies>
inline bool has_arms(const ArmModel<Scalar, Joints, Bodies>& model) {
  if constexpr (Joints > 0) return model.links.joints > 0;
  return false;
}

template <class Scalar, int Dim, Capacity C>
inline JointLaw<Scalar> law_of(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                               std::size_t j) {
  const auto& link = m.arm.links.link[j];
  return {(link.lower - state.arm.q[j]) / m.h, (link.upper - state.arm.q[j]) / m.h, m.h * link.friction};
}

template <class Scalar>
inline geometry::SpatialFrame<Scalar> placed(const geometry::SpatialFrame<Scalar>& on,
                                             const geometry::SpatialFrame<Scalar>& at) {
  geometry::SpatialFrame<Scalar> frame;
  frame.position = on.to_world(at.position);
  for (int k = 0; k < 3; ++k)
    frame.R.col(k) = on.turn(math::Vector<Scalar, 3>(at.R(0, k), at.R(1, k), at.R(2, k)));
  return frame;
}

// Calls f(body, mount) for each body that a link carries.
template <class Scalar, int Dim, Capacity C, class F>
inline void each_carried(const Model<Scalar, Dim, C>& m, const F& f) {
  for (int i = 0; i < m.bodies; ++i)
    if (m.arm.carries(i)) f(at(i), m.arm.mount[at(i)]);
}

// Frames and velocities of what the links carry, M + D~ and drive, and the modes to begin with.
template <class Scalar, int Dim, Capacity C>
inline void place_arms(const Model<Scalar, Dim, C>& m, State<Scalar, Dim, C>& state,
                       Workspace<Scalar, Dim, C>& ws) {
  if constexpr (C.arm_joints > 0) {
    const auto& links = m.arm.links;
    auto& now = state.arm;
    auto& arm = ws.arm;
    const dynamics::Base<Scalar> ground;
    dynamics::place(links, ground.frame, now.q, arm.pose);
    each_carried(m, [&](std::size_t i, const Mount<Scalar>& mount) {
      auto& frame = ws.body[i].frame;
      frame = placed(arm.pose.frame[at(mount.link)], mount.at);
      state.velocity[i] = dynamics::velocity_at(links, arm.pose, ground, now.qd, mount.link, frame.position);
    });
    dynamics::mass_matrix(links, arm.pose, arm.M);
    dynamics::inverse_dynamics(links, arm.pose, ground, m.gravity, now.qd,
                               static_cast<const dynamics::JointVector<Scalar, C.arm_joints>*>(nullptr),
                               arm.drive);
    for (std::size_t j = 0; j < at(links.joints); ++j) {
      const Scalar stiffness = m.h * now.stiffness[j];
      arm.M[j * at(C.arm_joints + 1)] += m.h * (now.damping[j] + stiffness);
      arm.drive[j] = m.h * ((now.torque[j] - arm.drive[j]) + now.damping[j] * (now.speed[j] - now.qd[j])) +
                     stiffness * ((now.position[j] - now.q[j]) - m.h * now.qd[j]);
      arm.mode[j] = law_of(m, state, j).first(now.mode[j], now.qd[j]);
    }
  }
}

// The velocities of what the links carry, from ws.arm.speed.
template <class Scalar, int Dim, Capacity C>
inline void move_carried(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws) {
  each_carried(m, [&](std::size_t i, const Mount<Scalar>& mount) {
    ws.body[i].velocity = dynamics::velocity_at(m.arm.links, ws.arm.pose, dynamics::Base<Scalar>{},
                                                ws.arm.speed, mount.link, ws.body[i].frame.position);
  });
}

// The free motion with the modes that the joints have. False where M is singular or not finite.
template <class Scalar, int Dim, Capacity C>
inline bool free_arms(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                      Workspace<Scalar, Dim, C>& ws) {
  if constexpr (C.arm_joints > 0) {
    constexpr std::size_t stride = at(C.arm_joints);
    auto& arm = ws.arm;
    const std::size_t n = at(m.arm.links.joints);
    std::size_t locked = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) arm.L[i * stride + j] = arm.M[i * stride + j];
    for (std::size_t j = 0; j < n; ++j) {
      const auto law = law_of(m, state, j);
      const bool locks = law.locks(arm.mode[j]);
      arm.reaction[j] = locks ? Scalar(0) : law.push(arm.mode[j]);
      arm.speed[j] = arm.drive[j] + arm.reaction[j];
      if (locks) ++locked;
    }
    for (std::size_t j = 0; j < n; ++j) {
      if (!JointLaw<Scalar>::locks(arm.mode[j])) continue;
      arm.L[j * (stride + 1)] = 0;  // factor() leaves out a row without a pivot
      const Scalar change = law_of(m, state, j).held_speed(arm.mode[j]) - state.arm.qd[j];
      if (change == 0) continue;
      for (std::size_t i = 0; i < n; ++i) arm.speed[i] -= arm.M[i * stride + j] * change;
    }
    const int rank = math::factor(arm.L.data(), m.arm.links.joints, C.arm_joints);
    if (at(rank) + locked != n) return false;
    dynamics::solve_mass(m.arm.links, arm.L, arm.speed);
    for (std::size_t j = 0; j < n; ++j) {
      if (JointLaw<Scalar>::locks(arm.mode[j]))
        arm.speed[j] = law_of(m, state, j).held_speed(arm.mode[j]);
      else
        arm.speed[j] += state.arm.qd[j];
    }
    move_carried(m, ws);
  }
  return true;
}

// J of the three rows of an element on one link, added with its sign.
template <class Scalar, int Joints>
inline void add_jacobian(const dynamics::Arm<Scalar, Joints>& links,
                         const dynamics::ArmPose<Scalar, Joints>& pose, int link,
                         const math::Vector<Scalar, 3>& point, Scalar sign,
                         const math::Vector<Scalar, 3>* axis, Scalar* J) {
  using Vector = math::Vector<Scalar, 3>;
  for (int k = link; k >= 0; k = links.link[at(k)].parent) {
    const bool slides = links.link[at(k)].joint == dynamics::ArmJoint::prismatic;
    const Vector& a = pose.axis[at(k)];
    const Vector unit = slides ? a : math::cross<Scalar>(a, point - pose.frame[at(k)].position);
    for (int r = 0; r < 3; ++r) J[r * Joints + k] += sign * math::fused_dot<Scalar, 3>(axis[r], unit);
  }
}

// A += h Y^T Y. `again`: with other modes of the joints than the last time, and A as it was left then.
template <class Scalar, int Dim, Capacity C>
inline void couple_arms(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws, Scalar* A,
                        bool again) {
  if constexpr (C.arm_joints > 0) {
    constexpr int stride = C.arm_joints;
    const int n = m.arm.links.joints, rows = ws.elements * Dim;
    Scalar* const J = ws.arm.J.data();
    Scalar* const Y = ws.arm.Y.data();
    int arm_rows[at(C.active)], count = 0;  // first rows of the elements that touch an arm
    for (int i = 0; i < ws.elements; ++i) {
      const auto& e = ws.element[at(i)];
      const int row = i * Dim, link_a = m.arm.mount[e.bodies.a].link, link_b = m.arm.mount[e.bodies.b].link;
      Scalar* const own = J + row * stride;
      const auto add = [&](int link, std::uint8_t body, const math::Vector<Scalar, Dim>& lever, Scalar sign) {
        if (link >= 0)
          add_jacobian(m.arm.links, ws.arm.pose, link,
                       math::Vector<Scalar, Dim>(ws.body[body].frame.position + lever), sign, e.frame.axis,
                       own);
      };
      if (!again)
        for (int k = 0; k < Dim * stride; ++k) own[k] = 0;
      if (link_a < 0 && link_b < 0) continue;
      if (!again) {
        add(link_b, e.bodies.b, e.frame.arm_b, Scalar(1));
        add(link_a, e.bodies.a, e.frame.arm_a, Scalar(-1));
      }
      arm_rows[count++] = row;
      for (int r = row; r < row + Dim; ++r) {
        Scalar* const y = Y + r * stride;
        for (int k = 0; k < n; ++k) y[k] = J[r * stride + k];
        math::forward_substitute(ws.arm.L.data(), n, stride, y);
      }
      for (int other = 0; other < count; ++other)
        for (int r = row; r < row + Dim; ++r)
          for (int c = arm_rows[other]; c < arm_rows[other] + Dim && c <= r; ++c) {
            const Scalar* const y = Y + r * stride;
            const Scalar* const z = Y + c * stride;
            Scalar& without = ws.arm.A[at(r * rows + c)];
            if (!again) without = A[r * rows + c];
            Scalar sum = 0;
            for (int k = 0; k < n; ++k) sum = math::multiply_add(y[k], z[k], sum);
            A[r * rows + c] = A[c * rows + r] = without + m.h * sum;
          }
    }
  }
}

// What the contacts give the joints, and the reactions of those that are locked.
template <class Scalar, int Dim, Capacity C>
inline void push_arms(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                      Workspace<Scalar, Dim, C>& ws) {
  if constexpr (C.arm_joints > 0) {
    constexpr std::size_t stride = at(C.arm_joints);
    auto& arm = ws.arm;
    const std::size_t n = at(m.arm.links.joints), rows = at(ws.elements * Dim);
    dynamics::JointVector<Scalar, C.arm_joints> push{}, change{};
    for (std::size_t r = 0; r < rows; ++r) {
      const auto& bodies = ws.element[r / Dim].bodies;
      if (!m.arm.carries(bodies.a) && !m.arm.carries(bodies.b)) continue;
      const Scalar p = m.h * ws.lambda[r];
      for (std::size_t j = 0; j < n; ++j) {
        push[j] = math::multiply_add(p, arm.J[r * stride + j], push[j]);
        change[j] = math::multiply_add(p, arm.Y[r * stride + j], change[j]);
      }
    }
    math::back_substitute(arm.L.data(), m.arm.links.joints, C.arm_joints, change.data());
    for (std::size_t j = 0; j < n; ++j) arm.speed[j] += change[j];
    for (std::size_t j = 0; j < n; ++j) {
      if (!JointLaw<Scalar>::locks(arm.mode[j])) continue;
      Scalar p = -(arm.drive[j] + push[j]);
      for (std::size_t i = 0; i < n; ++i)
        p = math::multiply_add(arm.M[j * stride + i], arm.speed[i] - state.arm.qd[i], p);
      arm.reaction[j] = p;
    }
  }
}

// Holds the joints against their laws; true where a mode was wrong and has been changed. `tries`: how many
// solves this step has had.
template <class Scalar, int Dim, Capacity C>
inline bool review_joints(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                          Workspace<Scalar, Dim, C>& ws, int tries) {
  bool changed = false;
  if constexpr (C.arm_joints > 0) {
    auto& arm = ws.arm;
    const std::size_t n = at(m.arm.links.joints);
    Scalar fastest = 0, strongest = 0;
    for (std::size_t j = 0; j < n; ++j) {
      // What is held still would move by its drive, so that speed is not the rounding of zero.
      const Scalar driven = std::abs(arm.drive[j]) / arm.M[j * at(C.arm_joints + 1)];
      fastest = std::max({fastest, std::abs(arm.speed[j]), std::abs(state.arm.qd[j]), driven});
      strongest = std::max({strongest, std::abs(arm.drive[j]), std::abs(arm.reaction[j])});
    }
    constexpr Scalar accepted = contact::guess::kAccepted<Scalar>;
    // A gap is off by the rounding of the places it lies between, and its row turns that into a speed within
    // one step. A joint that rests against something must not rub this way and that for it.
    Scalar reach = 0;
    for (std::size_t j = 0; j < n; ++j)
      for (int k = 0; k < 3; ++k) reach = std::max(reach, std::abs(arm.pose.frame[j].position[k]));
    const Scalar jitter = 4 * std::numeric_limits<Scalar>::epsilon() * reach / m.h;
    std::array<JointMode, at(C.arm_joints)> next;
    for (std::size_t j = 0; j < n; ++j) {
      next[j] = law_of(m, state, j)
                    .next(arm.mode[j], arm.speed[j], arm.reaction[j], accepted * fastest + jitter,
                          accepted * strongest);
      changed = changed || next[j] != arm.mode[j];
    }
    if (!changed) return false;
    if (tries > kTriesAtOnce) {
      std::size_t j = at(tries) % n;
      while (next[j] == arm.mode[j]) j = (j + 1) % n;
      arm.mode[j] = next[j];
      return true;
    }
    // Of those that are held too much only the worst is let go, which may well free the others.
    std::size_t worst = n;
    Scalar most = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (next[j] == arm.mode[j]) continue;
      const Scalar over = std::abs(arm.reaction[j]) - law_of(m, state, j).friction;
      if (!JointLaw<Scalar>::locks(arm.mode[j])) {
        arm.mode[j] = next[j];
      } else if (worst == n || over > most) {
        worst = j;
        most = over;
      }
    }
    if (worst < n) arm.mode[worst] = next[worst];
  }
  return changed;
}

// The contacts have no answer: where locked joints leave no way out, lets go of those that the normal forces
// push off. True where there were any.
template <class Scalar, int Dim, Capacity C>
inline bool loosen_joints(const Model<Scalar, Dim, C>& m, Workspace<Scalar, Dim, C>& ws) {
  bool changed = false;
  if constexpr (C.arm_joints > 0) {
    for (std::size_t j = 0; j < at(m.arm.links.joints); ++j) {
      Scalar push = 0;
      for (int i = 0; i < ws.elements; ++i) push += ws.arm.J[at(i * Dim * C.arm_joints) + j];
      JointMode& mode = ws.arm.mode[j];
      const bool up = push > 0 && (mode == JointMode::sticks || mode == JointMode::at_lower);
      const bool down = push < 0 && (mode == JointMode::sticks || mode == JointMode::at_upper);
      if (!up && !down) continue;
      mode = up ? JointMode::rises : JointMode::falls;
      changed = true;
    }
  }
  return changed;
}

// The joints at the end of the step; reactions become forces.
template <class Scalar, int Dim, Capacity C>
inline void advance_arms(const Model<Scalar, Dim, C>& m, State<Scalar, Dim, C>& state,
                         Workspace<Scalar, Dim, C>& ws) {
  if constexpr (C.arm_joints > 0) {
    for (std::size_t j = 0; j < at(m.arm.links.joints); ++j) {
      state.arm.qd[j] = ws.arm.speed[j];
      state.arm.q[j] += m.h * ws.arm.speed[j];
      state.arm.mode[j] = ws.arm.mode[j];
      ws.arm.reaction[j] /= m.h;
    }
  }
}

// The joints' shares of balance_energy(), by M at the start of the step.
template <class Scalar, int Dim, Capacity C>
inline void balance_arms(const Model<Scalar, Dim, C>& m, const State<Scalar, Dim, C>& state,
                         const Workspace<Scalar, Dim, C>& ws, EnergyBalance<Scalar>& energy) {
  if constexpr (C.arm_joints > 0) {
    constexpr std::size_t stride = at(C.arm_joints);
    const auto& arm = ws.arm;
    const std::size_t n = at(m.arm.links.joints);
    for (std::size_t j = 0; j < n; ++j) {
      const Scalar before = state.arm.qd[j], after = arm.speed[j], mean = (before + after) / 2;
      const Scalar impedance = m.h * (state.arm.damping[j] + m.h * state.arm.stiffness[j]);
      Scalar momentum_after = -impedance * after, momentum_before = -impedance * before;
      for (std::size_t i = 0; i < n; ++i) {
        momentum_after += arm.M[j * stride + i] * arm.speed[i];
        momentum_before += arm.M[j * stride + i] * state.arm.qd[i];
      }
      energy.kinetic += after * momentum_after / 2;
      energy.change += (after * momentum_after - before * momentum_before) / 2;
      energy.applied += mean * (arm.drive[j] - impedance * (after - before));
      energy.joint += mean * arm.reaction[j];
      for (std::size_t r = 0; r < at(ws.elements * Dim); ++r)
        energy.contact += mean * m.h * ws.lambda[r] * arm.J[r * stride + j];
    }
  }
}

}  // namespace tactus::stepper::detail
