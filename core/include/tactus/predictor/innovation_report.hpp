// What counts as a surprise, and what innovation.hpp says of one.
#pragma once

#include "tactus/stepper/model.hpp"

namespace tactus::predictor {

template <class Scalar>
struct InnovationLimits {
  Scalar force = 1;               // N on a body, from nowhere
  Scalar moment = Scalar(0.1);    // N m on a body
  Scalar torque = Scalar(0.1);    // N m, or N, in a joint
  Scalar slip = Scalar(0.01);     // m/s: who is slower says nothing of mu
  Scalar least = 0, most = 2;     // what a coefficient of friction can be
  Scalar friction = Scalar(0.2);  // relative: how far the estimate may be from the model's
  Scalar gain = Scalar(0.1);      // of one sample in the estimate, above 0 and at most 1
  int ticks = 3;                  // in a row (forces) or in all (friction) before anything is flagged
};

enum class Seen : std::uint8_t {
  nothing,      // there was no tick before this one
  compared,     // with the last tick
  bad_input,    // the measured state is not finite
  uncertified,  // the step from the last tick was not solved
};

template <class Scalar>
struct FrictionEstimate {
  Scalar mu = 0;    // the model's until there are samples
  int samples = 0;  // that went into it
  bool off = false;
};

template <class Scalar, int Dim, stepper::Capacity C>
struct Innovations {
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N)>;

  Seen seen = Seen::nothing;
  int bad_inputs = 0, uncertified = 0;                     // ticks so far
  Array<dynamics::Motion<Scalar, Dim>, C.bodies> force{};  // from nowhere, world frame, N and N m
  Array<Scalar, C.arm_joints> torque{};                    // the same in joints
  Array<bool, C.bodies> struck{};                          // something that the model lacks pushes the body
  Array<bool, C.arm_joints> resisted{};                    // or turns the joint
  Array<FrictionEstimate<Scalar>, C.contacts> friction{};
};

}  // namespace tactus::predictor
