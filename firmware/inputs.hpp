// What a STATE says: what is measured, what acts over the first step, and what each further step adds to
// that. Checked as a whole before any of it is taken.
#pragma once

#include <messages.pb.h>

#include <cstddef>

#include "firmware/arms.hpp"
#include "firmware/convert.hpp"

namespace tactus::firmware {

template <class Law>
class Inputs {
 public:
  static constexpr int Dim = Law::kDim;
  static constexpr std::size_t kArmJoints = Law::kArmJoints, kMostMoving = 3;
  static constexpr std::size_t kPose = detail::kPoseSize<Dim>, kMotion = detail::kMotionSize<Dim>;
  using State = typename Law::State;

  // Bodies that move, in their order, and joints of arms.
  void add_moving(int body) { body_[moving_++] = static_cast<std::size_t>(body); }
  void set_joints(std::uint32_t count) { joints_ = count; }
  std::size_t moving() const { return moving_; }
  std::size_t joints() const { return joints_; }

  // A refused one changes nothing.
  bool take(const tactus_wire_State& m, State& state) {
    if (!good(m)) return false;
    for (std::size_t i = 0; i < moving_; ++i) {
      detail::read_pose(m.pose + i * kPose, state.pose[body_[i]]);
      detail::read_motion<Dim>(m.velocity + i * kMotion, state.velocity[body_[i]]);
      if (m.force_count == 0) continue;
      detail::read_motion<Dim>(m.force + i * kMotion, state.force[body_[i]]);
      force_change_[i] = {};
      if (m.force_change_count != 0) detail::read_motion<Dim>(m.force_change + i * kMotion, force_change_[i]);
    }
    if constexpr (kArmJoints > 0) take_joints(m, state.arm);
    return true;
  }

  // What acts, from one step to the next.
  void advance(State& state) const {
    for (std::size_t i = 0; i < moving_; ++i) {
      state.force[body_[i]].linear += force_change_[i].linear;
      state.force[body_[i]].angular += force_change_[i].angular;
    }
    if constexpr (kArmJoints > 0) {
      for (std::size_t j = 0; j < joints_; ++j) {
        state.arm.torque[j] += drive_change_[j * kDrive];
        state.arm.position[j] += drive_change_[j * kDrive + 1];
        state.arm.speed[j] += drive_change_[j * kDrive + 2];
      }
    }
  }

  // Bodies and joints back into an answer.
  void write_bodies(const State& from, float* pose, pb_size_t& poses, float* velocity,
                    pb_size_t& velocities) const {
    for (std::size_t i = 0; i < moving_; ++i) {
      detail::write_pose(from.pose[body_[i]], pose + i * kPose);
      detail::write_motion<Dim>(from.velocity[body_[i]], velocity + i * kMotion);
    }
    poses = static_cast<pb_size_t>(moving_ * kPose);
    velocities = static_cast<pb_size_t>(moving_ * kMotion);
  }
  void write_joints(const State& from, float* q, pb_size_t& qs, float* qd, pb_size_t& qds) const {
    if constexpr (kArmJoints > 0) {
      for (std::size_t j = 0; j < joints_; ++j) {
        q[j] = from.arm.q[j];
        qd[j] = from.arm.qd[j];
      }
    }
    qs = qds = static_cast<pb_size_t>(joints_);
  }

 private:
  bool good(const tactus_wire_State& m) const {
    const std::size_t poses = moving_ * kPose, motions = moving_ * kMotion;
    if (m.pose_count != poses || m.velocity_count != motions) return false;
    if (m.q_count != joints_ || m.qd_count != joints_) return false;
    if (!detail::finite(m.pose, poses) || !detail::finite(m.velocity, motions)) return false;
    if (!detail::finite(m.q, joints_) || !detail::finite(m.qd, joints_)) return false;
    if (!told(m.force, m.force_count, m.force_change, m.force_change_count, motions)) return false;
    if (!told(m.drive, m.drive_count, m.drive_change, m.drive_change_count, joints_ * kDrive)) return false;
    if constexpr (Dim == 3) {
      for (std::size_t i = 0; i < moving_; ++i) {
        const float* p = m.pose + i * kPose + 3;
        const float square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
        if (!(square > 0.98F && square < 1.02F)) return false;  // no rotation
      }
    }
    return true;
  }

  // Both may be left out, and the change alone; not what it would change.
  static bool told(const float* input, std::size_t inputs, const float* change, std::size_t changes,
                   std::size_t length) {
    if (inputs != 0 && inputs != length) return false;
    if (changes != 0 && changes != inputs) return false;
    return detail::finite(input, inputs) && detail::finite(change, changes);
  }

  template <class Arm>
  void take_joints(const tactus_wire_State& m, Arm& arm) {
    for (std::size_t j = 0; j < joints_; ++j) {
      arm.q[j] = m.q[j];
      arm.qd[j] = m.qd[j];
      if (m.drive_count == 0) continue;
      arm.torque[j] = m.drive[j * kDrive];
      arm.position[j] = m.drive[j * kDrive + 1];
      arm.speed[j] = m.drive[j * kDrive + 2];
      for (std::size_t k = j * kDrive; k < (j + 1) * kDrive; ++k)
        drive_change_[k] = m.drive_change_count != 0 ? m.drive_change[k] : 0;
    }
  }

  std::size_t body_[kMostMoving] = {};
  std::size_t moving_ = 0, joints_ = 0;
  dynamics::Motion<float, Dim> force_change_[kMostMoving] = {};  // a step
  float drive_change_[kArmJoints * kDrive + 1] = {};
};

}  // namespace tactus::firmware
