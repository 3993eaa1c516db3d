// A scene and its states in the words of the wire.
#pragma once

#include <messages.pb.h>

#include "disturbance.hpp"
#include "plant.hpp"

namespace tactus::host {

// A number as the wire has it, and the first n of a list.
inline float narrow(double x) {
  return static_cast<float>(x);
}
template <class Values, class Add>
void add_all(const Values& values, std::size_t n, Add add) {
  for (std::size_t i = 0; i < n; ++i) add(narrow(values[i]));
}

// Throws Unsupported where this board's image does not have the scene's law.
void demand_board_law(const Scene& scene, const wire::Hello& hello);

// Throws Unsupported where the wire has no word for the scene: more bodies, contacts or joints than it
// carries.
wire::Configure configure_message(const Scene& scene, int horizon, wire::Mode mode);

// What the board is told of noise: as the options say, or the scene, or by the noise itself.
void set_uncertainty(const Scene& scene, const DisturbanceOptions& disturbance, wire::Configure& message);

// Members that look ahead, too, each off by numbers of its own.
void add_doubt(const predictor::Disturbance<double>& off, int members, wire::Configure& message);

// The step of the model that begins at t.
struct Span {
  double t = 0, h = 0;   // s
  long plant_steps = 1;  // that the plant takes in it
};

// All moving bodies and the joints of arms, with what is applied from then on and what the next step adds.
wire::State state_message(const Scene& scene, const StepSample& sample, const Span& span, long tick);

}  // namespace tactus::host
