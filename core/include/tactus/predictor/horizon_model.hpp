// A horizon with a step and a law of its own.
//
// A predictor reads whatever model it is given, so one with the plant's own step and method takes the plant's
// model and needs no memory for it. Another step or law needs other constants (a patch's matrices are those
// of one step length), and so a model of its own: one Model, made once, when configured.
//
//     static stepper::Model<float, 2, kSize> ahead;
//     const auto error = make_horizon_model(world.model, {.h = 1e-3F, .rigid = true}, ahead);
//     ...
//     predictor.predict(ahead, measured_state);   // the same state, the same capacity
//
// The slots of the contacts stay where they are, so a state of the plant is one of the horizon as it stands.
// What a rigid horizon cannot say: a patch that is pressed in by its load has a negative gap, which a rigid
// contact takes back in its first step, with the speed gap / h.
#pragma once

#include "tactus/stepper/build.hpp"

namespace tactus::predictor {

template <class Scalar>
struct HorizonLaw {
  Scalar h = 0;              // s; 0: the plant's
  stepper::Method method{};  // friction law, pyramid, pivot budget
  bool rigid = false;        // contacts with a patch become rigid points
};

// On an error `out` refuses to be stepped: it has no step length.
template <class Scalar, int Dim, stepper::Capacity C>
[[gnu::cold]] inline Error make_horizon_model(const stepper::Model<Scalar, Dim, C>& plant,
                                              const HorizonLaw<Scalar>& law,
                                              stepper::Model<Scalar, Dim, C>& out) {
  out = plant;
  out.h = 0;
  const Error error = stepper::configure(out, law.h == 0 ? plant.h : law.h, plant.gravity, law.method);
  if (error || !law.rigid) return error;
  for (int i = 0; i < out.contacts; ++i) {
    auto& contact = out.contact[static_cast<std::size_t>(i)];
    contact.patch = -1;
    contact.elements = 1;
  }
  out.patches = 0;
  return error;
}

}  // namespace tactus::predictor
