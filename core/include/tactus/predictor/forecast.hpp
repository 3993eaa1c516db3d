// What a prediction says: of each contact what it does now and next, of each step its modes and forces.
#pragma once

#include "tactus/predictor/budget.hpp"
#include "tactus/stepper/report.hpp"

namespace tactus::predictor {

// What a prediction does and holds beyond each contact's first change. What is not asked for costs nothing.
struct Extras {
  int changes = 0;       // of each contact that are listed with their times
  bool margins = false;  // slip margins
  bool warm = false;     // the last prediction's modes are the guess: see warm.hpp
};

enum class Event : std::uint8_t { make, break_off, slip, stick };

constexpr const char* word(Event event) {
  switch (event) {
    case Event::make:
      return "makes contact";
    case Event::break_off:
      return "breaks off";
    case Event::slip:
      return "begins to slip";
    case Event::stick:
      return "begins to stick";
  }
  return "";
}

// A contact's mode changes in the step that ends at `time`, counted from the given state; so the event is up
// to one step earlier than that.
template <class Scalar>
struct Change {
  std::int16_t step = 0;  // the first with the mode `to`, counted from 1
  contact::Mode from = contact::Mode::open, to = contact::Mode::open;
  Scalar time = 0;  // s, step * h

  constexpr Event event() const {
    if (from == contact::Mode::open) return Event::make;
    if (to == contact::Mode::open) return Event::break_off;
    return to == contact::Mode::slip ? Event::slip : Event::stick;
  }
};

// The first changes of one contact within the horizon, in the order of time.
template <class Scalar, int Room>
struct Changes {
  std::int16_t count = 0;   // listed
  std::int16_t beyond = 0;  // that found no room
  std::array<Change<Scalar>, static_cast<std::size_t>(Room)> change;

  const Change<Scalar>* begin() const { return change.data(); }
  const Change<Scalar>* end() const { return change.data() + count; }
};

// How far a contact is from slipping: what its elements still hold, sum(mu lambda_n - |lambda_T|), 0 where
// all of them slip. A push in one direction and a twist are both told so: tangential forces that cancel in
// the sum are used up all the same.
template <class Scalar>
struct SlipMargin {
  Scalar force = 0;    // N
  Scalar percent = 0;  // of sum(mu lambda_n), 0 to 100; 0 where nothing presses
};

template <class Scalar>
struct SlipMargins {
  SlipMargin<Scalar> now;       // of the first step
  SlipMargin<Scalar> least;     // the step of the horizon that has the least force left while it is closed
  std::int16_t least_step = 0;  // counted from 1; 0: it is open all the time
};

template <class Scalar, int Dim>
struct ContactForecast {
  contact::Mode now = contact::Mode::open;  // after the first step
  contact::Mode next =
      contact::Mode::open;        // the first other mode; `now` where there is none within the horizon
  std::int16_t change_step = -1;  // steps from the given state to the first with `next`; -1: none
  Scalar smallest_margin = 0;     // of the mode `now` while it lasts, see contact::Outcome
};

template <class Scalar, int Dim, stepper::Capacity C, int Horizon, Extras E = Extras{}>
struct Prediction {
  template <class T, int N>
  using Array = std::array<T, static_cast<std::size_t>(N > 0 ? N : 1)>;
  template <class T, bool kThere>
  using Optional = std::array<T, kThere ? static_cast<std::size_t>(C.contacts) : 0>;

  int steps = 0;                                                     // taken
  stepper::StepStatus status = stepper::StepStatus::failed;          // the worst of all steps
  stepper::StepReason reason = stepper::StepReason::not_configured;  // of that worst step
  End end = End::whole;                                              // why no more steps were taken
  int pivots = 0;                                                    // over all steps
  int tries = 0;        // linear systems of guessed modes over all steps; one a step is the least
  int warm_steps = 0;   // that needed no pivot
  Scalar residual = 0;  // the largest of the steps, see stepper/certify.hpp
  Array<ContactForecast<Scalar, Dim>, C.contacts> contact;
  Array<Array<contact::Mode, C.contacts>, Horizon> mode;               // by step and pair
  Array<Array<math::Vector<Scalar, Dim>, C.contacts>, Horizon> force;  // N
  [[no_unique_address]] Optional<Changes<Scalar, E.changes>, (E.changes > 0)> changes;
  [[no_unique_address]] Optional<SlipMargins<Scalar>, E.margins> slip;
};

}  // namespace tactus::predictor
