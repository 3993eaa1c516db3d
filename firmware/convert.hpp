// What stands in a message, as what the core works on, and back.
#pragma once

#include <messages.pb.h>

#include <cstddef>
#include <cstdint>

#include "tactus/sentence.hpp"
#include "tactus/stepper/report.hpp"

namespace tactus::firmware {

namespace detail {

template <std::size_t N>
void copy_text(char (&to)[N], const char* text) {
  std::size_t size = 0;
  while (*text != '\0' && size + 1 < N) to[size++] = *text++;
  to[size] = '\0';
}

template <int Dim>
inline constexpr std::size_t kPoseSize = Dim == 2 ? 3 : 7;
template <int Dim>
inline constexpr std::size_t kMotionSize = Dim == 2 ? 3 : 6;

inline void read_pose(const float* from, geometry::PlanarPose<float>& to) {
  to = {from[0], from[1], from[2]};
}
inline void read_pose(const float* from, geometry::SpatialPose<float>& to) {
  to.position = {from[0], from[1], from[2]};
  to.w = from[3], to.x = from[4], to.y = from[5], to.z = from[6];
}
inline void write_pose(const geometry::PlanarPose<float>& from, float* to) {
  to[0] = from.x, to[1] = from.y, to[2] = from.angle;
}
inline void write_pose(const geometry::SpatialPose<float>& from, float* to) {
  for (int i = 0; i < 3; ++i) to[i] = from.position[i];
  to[3] = from.w, to[4] = from.x, to[5] = from.y, to[6] = from.z;
}

template <int Dim>
void read_motion(const float* from, dynamics::Motion<float, Dim>& to) {
  for (int i = 0; i < Dim; ++i) to.linear[i] = from[i];
  for (int i = 0; i < dynamics::kSpin<Dim>; ++i) to.angular[i] = from[Dim + i];
}
template <int Dim>
void write_motion(const dynamics::Motion<float, Dim>& from, float* to) {
  for (int i = 0; i < Dim; ++i) to[i] = from.linear[i];
  for (int i = 0; i < dynamics::kSpin<Dim>; ++i) to[Dim + i] = from.angular[i];
}

// Ixx Iyy Izz Ixy Ixz Iyz
inline dynamics::SpinMatrix<float, 3> read_inertia(const float* i) {
  dynamics::SpinMatrix<float, 3> tensor;
  tensor << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
  return tensor;
}

template <int Dim>
bool read_shape(const tactus_wire_Shape& from, geometry::Shape<float, Dim>& to) {
  geometry::KindOf<Dim> kind;
  if (!geometry::find_kind<Dim>(static_cast<unsigned>(from.kind), kind)) return false;
  geometry::ShapeNumbers<float> numbers;
  for (std::size_t i = 0; i < from.size_count && i < 3; ++i) numbers.value[i] = from.size[i];
  numbers.offset = from.offset;
  numbers.sides = from.sides <= geometry::kMaxPolygonSides ? static_cast<int>(from.sides) : 0;
  to = geometry::make_shape<float, Dim>(kind, numbers);
  return true;
}

// A refusal, or none, with its words.
inline void write(const Error& error, tactus_wire_Configured& to) {
  to.accepted = !error;
  if (to.accepted) return;
  to.what = static_cast<std::uint32_t>(error.what);
  to.has_index = error.index >= 0;
  to.index = to.has_index ? static_cast<std::uint32_t>(error.index) : 0;
  to.needed = error.needed;
  to.have = error.have;
  copy_text(to.reason, Sentence(error).text());
}

inline void write(const Error& error, tactus_wire_Instant& to) {
  if (!error) return;
  to.what = static_cast<std::uint32_t>(error.what);
  copy_text(to.reason, Sentence(error).text());
}

inline bool finite(const float* values, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    if (!(values[i] - values[i] == 0)) return false;
  }
  return true;
}

inline tactus_wire_Reason reason_of(stepper::StepReason reason) {
  using stepper::StepReason;
  switch (reason) {
    case StepReason::none:
      return tactus_wire_Reason_REASON_NONE;
    case StepReason::pivot_limit:
      return tactus_wire_Reason_PIVOT_LIMIT;
    case StepReason::jam:
      return tactus_wire_Reason_JAM;
    case StepReason::room:
      return tactus_wire_Reason_ROOM;
    case StepReason::not_configured:
      return tactus_wire_Reason_NOT_CONFIGURED;
    case StepReason::bad_state:
      return tactus_wire_Reason_BAD_STATE;
    case StepReason::too_fast:
      return tactus_wire_Reason_TOO_FAST;
    case StepReason::out_of_time:
      return tactus_wire_Reason_OUT_OF_TIME;
    case StepReason::no_digits:
      return tactus_wire_Reason_NO_DIGITS;
    case StepReason::not_finite:
      return tactus_wire_Reason_NOT_FINITE;
    case StepReason::impacts:
      return tactus_wire_Reason_IMPACTS;
  }
  return tactus_wire_Reason_NOT_CONFIGURED;
}

inline bool read_kind(tactus_wire_JointKind from, dynamics::JointType& to) {
  using dynamics::JointType;
  switch (from) {
    case tactus_wire_JointKind_JOINT_SPHERICAL:
      to = JointType::spherical;
      return true;
    case tactus_wire_JointKind_JOINT_REVOLUTE:
      to = JointType::revolute;
      return true;
    case tactus_wire_JointKind_JOINT_PRISMATIC:
      to = JointType::prismatic;
      return true;
    case tactus_wire_JointKind_JOINT_FIXED:
      to = JointType::fixed;
      return true;
  }
  return false;
}

}  // namespace detail

}  // namespace tactus::firmware
